"""Where Condition 8 holds on the equiangular path of equal scalar heads, and when it is left.

Notation: H >= 2 heads, n >= 2 tokens, m = n - 1, a = beta lambda > 0, K = (H - 1)/c*(H);
A = e^(a (1 - gamma)) + m gamma, B = m (1 - gamma)(1 + m gamma), and h = sqrt(B) - sqrt(K) A on [0, 1].

Condition 8 is h >= 0. sqrt(B) is strictly concave (B is a quadratic with two roots) and A is convex, so h is strictly
concave: where it is not negative is one closed interval, and h(1) = -sqrt(K) n < 0. The sign at 0 is that of
beta* - beta. Every count of roots below rests on this and on signs of balls. Roots are those of G = B - K A^2, which
has the sign of h and is smooth at 1.

The window's last temperature: a(gamma) = ln(E)/(1 - gamma), E = sqrt(B/K) - m gamma, is the a with h = 0 at gamma, so
beta_w is its maximum. Its stationary points are the zeros of r = (1 - gamma) E' + E ln E; there is one only, as at
each of them h(., a) has a double zero, which strict concavity allows at one a only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from antumbra.numerics.quantities.answer import Answer, Exact, Nothing, Real, Single
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, decide, root, sign, sign_now
from antumbra.numerics.quantities.parse import DomainError
from antumbra.numerics.quantities.thresholds import c_star_ball, scaled_beta_star
from antumbra.numerics.quantities.times import check_gamma, single_time
from flint import arb

SEARCH = 400
"""Bisections allowed in the search for a point where dominance holds, beyond the bits of n."""


@dataclass(frozen=True)
class Path:
    """Equal scalar heads at one temperature.

    Attributes:
        n, heads: sizes, heads at least 2.
        a: beta lambda, at the precision of the context.
        at_star: whether beta is exactly beta*, so that h(0) = 0.
    """

    n: int
    heads: int
    a: Callable[[], arb]
    at_star: bool = False

    def threshold(self) -> arb:
        """K = (H - 1) / c*."""
        return (self.heads - 1) / c_star_ball(self.heads)

    def growth(self, gamma: arb) -> tuple[arb, arb]:
        """A and dA/dgamma."""
        a, m = self.a(), self.n - 1
        exponential = (a * (1 - gamma)).exp()
        return exponential + m * gamma, m - a * exponential

    def bound(self, gamma: arb) -> tuple[arb, arb]:
        """B and dB/dgamma."""
        m = self.n - 1
        return m * (1 - gamma) * (1 + m * gamma), m * (m - 1 - 2 * m * gamma)

    def margin(self, gamma: arb) -> arb:
        """The margin h = sqrt(B) - sqrt(K) A."""
        return self.bound(gamma)[0].sqrt() - self.threshold().sqrt() * self.growth(gamma)[0]

    def slope(self, gamma: arb) -> arb:
        """dh/dgamma, for gamma < 1."""
        value, change = self.bound(gamma)
        return change / (2 * value.sqrt()) - self.threshold().sqrt() * self.growth(gamma)[1]

    def difference(self, gamma: arb) -> arb:
        """G = B - K A^2."""
        return self.bound(gamma)[0] - self.threshold() * self.growth(gamma)[0] ** 2

    def difference_slope(self, gamma: arb) -> arb:
        """dG/dgamma."""
        size, change = self.growth(gamma)
        return self.bound(gamma)[1] - 2 * self.threshold() * size * change

    def crossing(self, lower: Fraction, upper: Fraction) -> arb:
        """The root of G in a bracket whose ends have opposite signs, one of them inside the window."""
        return root(self.difference, self.difference_slope, lower, upper)


def _exact(point: arb) -> Fraction:
    """The rational value of an exact ball."""
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _peak(path: Path) -> Fraction | None:
    """A point where h > 0, or None when h < 0 on all of [0, 1]; needs h(0) <= 0 < h'(0).

    Bisection on the sign of h' keeps the maximum between; the tangents at both ends bound it from above.

    Raises:
        NeedPrecisionError: not decided at this precision.
    """
    low, high = Fraction(0), Fraction(1)
    for _ in range(SEARCH + 4 * path.n.bit_length()):
        middle = (low + high) / 2
        point = ball(middle)
        value = path.margin(point)
        if value > 0:
            return middle
        side = sign_now(path.slope(point))
        if side > 0:
            low = middle
        else:
            high = middle
        start = ball(low)
        ceiling = path.margin(start) + path.slope(start) * ball(high - low)
        if ceiling < 0:
            return None
        if high < 1:
            end = ball(high)
            if path.margin(end) - path.slope(end) * ball(high - low) < 0:
                return None
    raise NeedPrecisionError("the window is neither found nor excluded")


Shape = Literal["empty", "from_zero", "inside", "point"]


def _shape(path: Path) -> tuple[Shape, Fraction]:
    """What the window on [0, 1) looks like, and a point where h > 0 (0 where there is none to name)."""
    zero = ball(0)
    if not path.at_star and sign_now(path.margin(zero)) > 0:
        return "from_zero", Fraction(0)
    rises = sign_now(path.slope(zero)) > 0
    if not rises:
        return ("point" if path.at_star else "empty"), Fraction(0)
    point = _peak(path)
    if point is None:
        return "empty", Fraction(0)
    return ("from_zero" if path.at_star else "inside"), point


def window(path: Path) -> tuple[Single, Single] | None:
    """gamma_- and gamma_+ on [0, 1), or None when dominance never holds there."""
    shape, point = decide(lambda: _shape(path), "whether dominance holds somewhere")
    if shape == "empty":
        return None
    nought = Exact(Fraction(0))
    if shape == "point":
        return nought, nought
    right = Real(lambda: path.crossing(point, Fraction(1)))
    if shape == "from_zero":
        return nought, right
    return Real(lambda: path.crossing(Fraction(0), point)), right


def path_of(heads: int, n: int, beta: Fraction | None, ratio: Fraction | None, scale: Fraction) -> Path:
    """The path at beta, or at a multiple of beta*.

    Raises:
        DomainError: neither or both were given, or beta* is not positive so that it has no multiples.
    """
    if (beta is None) == (ratio is None):
        given = "neither" if beta is None else "both"
        raise DomainError(f"of beta and beta_ratio {given} was given; allowed is exactly one; give one")
    if beta is not None:
        product = beta * scale
        return Path(n, heads, lambda: ball(product))
    multiple = ratio if ratio is not None else Fraction(1)
    if sign(lambda: scaled_beta_star(heads, n), "beta*") < 0:
        raise DomainError(
            f"beta_ratio is {multiple}, but beta* is not positive for H = {heads}, n = {n}; "
            "allowed are n with beta* > 0; give beta instead"
        )
    return Path(n, heads, lambda: ball(multiple) * scaled_beta_star(heads, n) / 2, at_star=multiple == 1)


def dominance_window(heads: int, n: int, beta: Fraction | None, ratio: Fraction | None, scale: Fraction) -> Answer:
    """gamma_- and gamma_+ on [0, 1); [0, 1] for one head, whose condition is 0 <= ||P f||^2."""
    if heads == 1:
        return Exact(Fraction(0)), Exact(Fraction(1))
    found = window(path_of(heads, n, beta, ratio, scale))
    return found if found is not None else Nothing("empty")


def gamma_exit(heads: int, n: int, beta: Fraction | None, ratio: Fraction | None, scale: Fraction) -> Answer:
    """gamma_+, where dominance is left; none for one head, which never leaves it."""
    if heads == 1:
        return Nothing("none")
    found = window(path_of(heads, n, beta, ratio, scale))
    return found[1] if found is not None else Nothing("empty")


def _ball_of(value: Single) -> arb:
    return ball(value.value) if isinstance(value, Exact) else value.enclose()


def critical_time(
    heads: int, n: int, beta: Fraction | None, ratio: Fraction | None, scale: Fraction, gamma0: Fraction | None
) -> Answer:
    """Time from gamma0 (by default gamma_-) to gamma_+ under USA with equal heads; infinite for one head.

    H equal heads move H times as fast as one.
    """
    if gamma0 is not None:
        check_gamma("gamma0", gamma0, n)
    if heads == 1:
        return Nothing("infinite")
    path = path_of(heads, n, beta, ratio, scale)
    found = window(path)
    if found is None:
        return Nothing("empty")
    left, right = found
    start = left if gamma0 is None else Exact(gamma0)
    if gamma0 is not None and not _holds_at(path, left, gamma0):
        raise DomainError(
            f"gamma0 is {gamma0}, where dominance does not hold; allowed is gamma0 in the window "
            "(evaluate dominance_window gives it); give such a number or leave gamma0 out"
        )
    if isinstance(right, Exact) and isinstance(start, Exact) and start.value == right.value:
        return Exact(Fraction(0))
    return Real(lambda: single_time(scale, path.a(), n, _ball_of(start), _ball_of(right), False) / heads)


def _holds_at(path: Path, left: Single, gamma: Fraction) -> bool:
    """Whether h >= 0 at gamma; at gamma = 0 the window's left end knows."""
    if gamma == 0:
        return isinstance(left, Exact)
    if gamma in (Fraction(-1, path.n - 1), Fraction(1)):
        return False
    return sign(lambda: path.margin(ball(gamma)), "the dominance margin at gamma0") > 0


def beta_window(heads: int, n: int) -> Answer:
    """beta_w / beta*, none where no window opens above beta* (or beta* is not positive, or there is one head)."""
    if heads == 1 or sign(lambda: scaled_beta_star(heads, n), "beta*") < 0:
        return Nothing("none")
    m = n - 1

    def threshold() -> arb:
        return (heads - 1) / c_star_ball(heads)

    def opening() -> arb:
        k = threshold()
        return m - 1 - 2 * (m * k).sqrt() + (m / k).log()

    if sign(opening, "the window's opening condition") < 0:
        return Nothing("none")

    def level(gamma: arb) -> tuple[arb, arb, arb]:
        """E and its first two derivatives."""
        k = threshold()
        bound, change, bend = m * (1 - gamma) * (1 + m * gamma), m * (m - 1 - 2 * m * gamma), arb(-2 * m * m)
        side = (bound / k).sqrt()
        first = change / (2 * bound) * side
        second = (bend / (2 * bound) - change**2 / (4 * bound**2)) * side
        return side - m * gamma, first - m, second

    def stationary(gamma: arb) -> arb:
        value, first, _ = level(gamma)
        return (1 - gamma) * first + value * value.log()

    def stationary_slope(gamma: arb) -> arb:
        value, first, second = level(gamma)
        return (1 - gamma) * second + first * value.log()

    def right_end() -> Fraction:
        """A point where r < 0 and E > 0; E is concave with E(0) > 1, so it is positive from 0 to there."""
        low, high = Fraction(0), Fraction(1)
        for _ in range(SEARCH + 4 * n.bit_length()):
            middle = (low + high) / 2
            value, first, _ = level(ball(middle))
            if sign_now(value) < 0:
                high = middle
                continue
            side = sign_now((1 - ball(middle)) * first + value * value.log())
            if side < 0:
                return middle
            low = middle
        raise NeedPrecisionError("no right end of the bracket was found")

    upper = decide(right_end, "the right end of the bracket")

    def enclose() -> arb:
        gamma = root(stationary, stationary_slope, Fraction(0), upper)
        return level(gamma)[0].log() / (1 - gamma) / (scaled_beta_star(heads, n) / 2)

    return Real(enclose)
