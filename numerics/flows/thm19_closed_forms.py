"""Theorem 19: thresholds and ratios by two routes, to fifty digits.

Notation: m = n - 1, k = H - 1, c*(H) = (sqrt(k^2 + 4) - k)/2, 2 alpha beta* = ln(c*^2 m / (1 - c*^2)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from antumbra.numerics.flows import vectors
from antumbra.numerics.flows.precise import Pair, precision_evidence
from antumbra.numerics.flows.stated import attack_stated
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, root
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind
from flint import arb, ctx, fmpz_poly

HEADS = (1, 2, 3, 4, 7, 100)


def only_positive_root(coefficients: Sequence[int]) -> arb:
    """The positive real part among all roots of a quadratic, lowest degree first, isolated by their own certificates.

    Raises:
        NeedPrecisionError: not exactly one root is positive.
    """
    found: Any = fmpz_poly(list(coefficients)).complex_roots()
    positive = [value.real for value, _multiplicity in found if value.real > 0]
    if len(positive) != 1:
        raise NeedPrecisionError(f"{len(positive)} roots are positive")
    only: arb = positive[0]
    return only


def c_star_root(heads: int) -> arb:
    """The positive root of c^2 + k c - 1."""
    return only_positive_root([-1, heads - 1, 1])


def c_star_surd(heads: int) -> arb:
    """(sqrt(k^2 + 4) - k)/2 as it stands."""
    k = heads - 1
    return (arb(k * k + 4).sqrt() - k) / 2


@evidence("thm19.c_star", kind=Kind.PRECISION)
def precise_c_star(_context: RunContext) -> Evidence:
    """The closed form against the only positive one of the polynomial's isolated roots."""
    pairs = [Pair(f"H={h}", partial(c_star_surd, h), partial(c_star_root, h)) for h in HEADS]
    return precision_evidence(pairs, "c* by its surd and as the only positive root of c^2 + (H-1) c - 1")


def continued_fraction(heads: int) -> arb:
    """[0; k, k, ...] between two consecutive convergents, exact fractions, so far that they agree to the precision.

    Raises:
        NeedPrecisionError: they do not after many terms.
    """
    k = heads - 1
    p, q, p_next, q_next = 0, 1, 1, k
    for _ in range(4 * ctx.prec):
        if 2 * abs(q * q_next).bit_length() > 2 * ctx.prec:
            return ball(Fraction(p, q)).union(ball(Fraction(p_next, q_next)))
        p, q, p_next, q_next = p_next, q_next, k * p_next + p, k * q_next + q
    raise NeedPrecisionError("the convergents did not meet")


@evidence("thm19.metallic", kind=Kind.PRECISION, part="exponential")
def precise_exponential(_context: RunContext) -> Evidence:
    """e^(-arsinh(k/2)) against the polynomial's root."""
    pairs = [
        Pair(f"H={h}", lambda h=h: (-ball(Fraction(h - 1, 2)).asinh()).exp(), partial(c_star_root, h))  # type: ignore[misc]
        for h in HEADS
    ]
    return precision_evidence(pairs, "c* as e^(-arsinh((H-1)/2)) and as the polynomial's root")


@evidence("thm19.metallic", kind=Kind.PRECISION, part="reciprocal")
def precise_reciprocal(_context: RunContext) -> Evidence:
    """1/c* against the root above 1 of x^2 - k x - 1, the metallic mean."""
    pairs = [
        Pair(
            f"H={h}",
            lambda h=h: 1 / c_star_surd(h),  # type: ignore[misc]
            lambda h=h: only_positive_root([-1, 1 - h, 1]),  # type: ignore[misc]
        )
        for h in HEADS
    ]
    return precision_evidence(pairs, "1/c* and the metallic mean, the positive root of x^2 - (H-1) x - 1")


@evidence("thm19.metallic", kind=Kind.PRECISION, part="fraction")
def precise_fraction(_context: RunContext) -> Evidence:
    """The continued fraction, between its convergents, against the surd."""
    pairs = [Pair(f"H={h}", partial(c_star_surd, h), partial(continued_fraction, h)) for h in HEADS if h > 1]
    return precision_evidence(pairs, "c* and the continued fraction [0; H-1, H-1, ...] between its convergents")


@evidence("thm19.golden", kind=Kind.PRECISION, part="golden")
def precise_golden(_context: RunContext) -> Evidence:
    """c*(2) as a root and 2 sin(pi/10), the side of the decagon, which is 1/phi; and 2/(1 + sqrt 5)."""
    pairs = [
        Pair("1/phi", lambda: 2 / (1 + arb(5).sqrt()), partial(c_star_root, 2), "0.6180339887498948482"),
        Pair("2 sin(pi/10)", lambda: 2 * (arb.pi() / 10).sin(), partial(c_star_root, 2)),
    ]
    return precision_evidence(pairs, "c*(2) as the polynomial's root and the reciprocal of the golden ratio")


@evidence("thm19.lambert_w.amended", kind=Kind.PRECISION, part="algebraic")
def precise_algebraic(_context: RunContext) -> Evidence:
    """The root of the monic integer quadratic against the hyperbolic form, which knows of no polynomial."""
    pairs = [
        Pair(f"H={h}", partial(c_star_root, h), lambda h=h: (-ball(Fraction(h - 1, 2)).asinh()).exp())  # type: ignore[misc]
        for h in (*HEADS, 1000)
    ]
    return precision_evidence(pairs, "c* as a root of a monic integer quadratic and as e^(-arsinh((H-1)/2))")


Shape = tuple[int, int, Fraction]
"""H, n, alpha."""
SHAPES: tuple[Shape, ...] = (
    (2, 3, Fraction(1)),
    (2, 64, Fraction(1)),
    (2, 5, Fraction(1, 3)),
    (3, 6, Fraction(7, 5)),
    (3, 20, Fraction(2)),
    (7, 60, Fraction(1, 7)),
)
"""Shapes with beta* > 0; (2, 3) and (3, 6) are the least n."""


def label(shape: Shape) -> str:
    """A shape in words."""
    return f"H={shape[0]}, n={shape[1]}, alpha={shape[2]}"


def vector_ratio(n: int, alpha: Fraction, beta: arb) -> arb:
    """|a|/||f|| by the vectors of orthonormal tokens under one head alpha I."""
    return vectors.ratio(vectors.orthonormal(n), vectors.scalar(alpha), beta)


@evidence("thm19.beta_star", kind=Kind.PRECISION, part="ratio")
def precise_ratio(_context: RunContext) -> Evidence:
    """The closed ratio against the output of orthonormal tokens as vectors."""

    def closed(n: int, alpha: Fraction, beta: Fraction) -> arb:
        growth = ball(alpha * beta).exp()
        return growth / (growth**2 + n - 1).sqrt()

    cases = [(2, Fraction(1), Fraction(1, 10**6)), (3, Fraction(1), Fraction(1)), (8, Fraction(1, 3), Fraction(9, 2))]
    cases += [(16, Fraction(7, 5), Fraction(30))]
    pairs = [
        Pair(
            f"n={n}, alpha={alpha}, beta={beta}",
            partial(closed, n, alpha, beta),
            lambda n=n, alpha=alpha, beta=beta: vector_ratio(n, alpha, ball(beta)),  # type: ignore[misc]
        )
        for n, alpha, beta in cases
    ]
    return precision_evidence(pairs, "the ratio |a|/||f|| by its closed form and by explicit vectors")


def threshold_root(shape: Shape, bound: Callable[[arb], tuple[arb, arb]]) -> arb:
    """The beta at which a margin in E = e^(alpha beta) vanishes: margin and slope in E, E between 1 and n.

    The margins here fall strictly in E, so the root is the only one; ln E / alpha is the beta.
    """
    _, n, alpha = shape
    found = root(lambda e: bound(e)[0], lambda e: bound(e)[1], Fraction(1), Fraction(n))
    return found.log() / ball(alpha)


def dominance_root(shape: Shape) -> arb:
    """Where Condition 8 itself turns: m - (H-1) E sqrt(E^2 + m) = 0, by the vectors ||P f||^2 = m, |a| = E."""
    heads, n, _ = shape
    m, k = n - 1, heads - 1

    def bound(e: arb) -> tuple[arb, arb]:
        side = (e * e + m).sqrt()
        return m - k * e * side, -k * (side + e * e / side)

    return threshold_root(shape, bound)


def beta_star_log(shape: Shape) -> arb:
    """(1/(2 alpha)) ln(c*^2 m / (1 - c*^2)), c* the polynomial's root."""
    heads, n, alpha = shape
    square = c_star_root(heads) ** 2
    return (square * (n - 1) / (1 - square)).log() / (2 * ball(alpha))


@evidence("thm19.beta_star", kind=Kind.PRECISION, part="threshold")
def precise_threshold(_context: RunContext) -> Evidence:
    """The formula against the root of Condition 8's own margin; and the condition's sides by vectors at beta*."""
    pairs = [Pair(label(shape), partial(beta_star_log, shape), partial(dominance_root, shape)) for shape in SHAPES]

    def margin(shape: Shape) -> arb:
        heads, n, alpha = shape
        tokens = vectors.orthonormal(n)
        f = vectors.output(tokens, vectors.scalar(alpha), beta_star_log(shape), 0)
        a, square = vectors.dot(f, tokens[0]), vectors.dot(f, f)
        return (square.sqrt() * (heads - 1) * abs(a)) / (square - a * a)

    pairs += [
        Pair(f"both sides of the condition at beta*, {label(shape)}", partial(margin, shape), lambda: arb(1))
        for shape in SHAPES
        if shape[1] <= 20
    ]
    return precision_evidence(pairs, "beta* by its formula and as the root of Condition 8's margin")


@evidence("thm19.beta_star", kind=Kind.PRECISION, part="closed_form")
def precise_closed_form(_context: RunContext) -> Evidence:
    """The form with arsinh against the root of Condition 8's margin."""

    def closed(shape: Shape) -> arb:
        heads, n, alpha = shape
        k = heads - 1
        return (ball(Fraction(n - 1, k)).log() - ball(Fraction(k, 2)).asinh()) / (2 * ball(alpha))

    pairs = [Pair(label(shape), partial(closed, shape), partial(dominance_root, shape)) for shape in SHAPES]
    return precision_evidence(pairs, "beta* by its form with arsinh and as the root of Condition 8's margin")


@evidence("thm19.beta_sharp", kind=Kind.PRECISION, part="threshold")
def precise_sharp(_context: RunContext) -> Evidence:
    """ln((n-1)/(H-1))/(2 alpha) against the root of H E^2 - (E^2 + m), where the vectors' ratio is 1/sqrt(H)."""

    def closed(shape: Shape) -> arb:
        return ball(Fraction(shape[1] - 1, shape[0] - 1)).log() / (2 * ball(shape[2]))

    def turning(shape: Shape) -> arb:
        heads, n, _ = shape
        return threshold_root(shape, lambda e: (e * e + (n - 1) - heads * e * e, 2 * e * (1 - heads)))

    pairs = [Pair(label(shape), partial(closed, shape), partial(turning, shape)) for shape in SHAPES]
    pairs += [
        Pair(
            f"the ratio's square at the threshold, {label(shape)}",
            lambda shape=shape: vector_ratio(shape[1], shape[2], closed(shape)) ** 2,  # type: ignore[misc]
            lambda shape=shape: ball(Fraction(1, shape[0])),  # type: ignore[misc]
        )
        for shape in SHAPES
        if shape[1] <= 20
    ]
    return precision_evidence(pairs, "the sharp threshold by its formula and as the root of the ratio test")


@evidence("thm19.beta_sharp", kind=Kind.PRECISION, part="gap")
def precise_gap(_context: RunContext) -> Evidence:
    """The difference of the two roots against arsinh((H-1)/2)/(2 alpha)."""

    def difference(shape: Shape) -> arb:
        heads, n, _ = shape
        sharp = threshold_root(shape, lambda e: (e * e + (n - 1) - heads * e * e, 2 * e * (1 - heads)))
        return sharp - dominance_root(shape)

    pairs = [
        Pair(
            label(shape),
            partial(difference, shape),
            lambda shape=shape: ball(Fraction(shape[0] - 1, 2)).asinh() / (2 * ball(shape[2])),  # type: ignore[misc]
        )
        for shape in SHAPES
    ]
    return precision_evidence(pairs, "the gap of both thresholds as a difference of roots and by arsinh")


def shared_tokens(heads: int, n: int) -> list[vectors.Vector]:
    """Tokens with share 1/H in each of H blocks of n axes: x_i = (1/sqrt H) sum_h e_(h, i)."""
    part = 1 / arb(heads).sqrt()
    return [[part if column % n == i else arb(0) for column in range(heads * n)] for i in range(n)]


def last_block(shape: Shape) -> vectors.Operator:
    """Alpha times the projector onto the last of the H blocks."""
    heads, n, alpha = shape
    return lambda u: [ball(alpha) * entry if index >= (heads - 1) * n else arb(0) for index, entry in enumerate(u)]


REGIMES: tuple[Shape, ...] = ((2, 8, Fraction(1)), (2, 12, Fraction(1, 3)), (3, 10, Fraction(7, 5)))


@evidence("thm19.regime", kind=Kind.PRECISION, part="ratio")
def precise_regime_ratio(_context: RunContext) -> Evidence:
    """The squared ratio in the regime by its closed form and by explicit vectors in n H dimensions."""

    def closed(shape: Shape, beta: Fraction) -> arb:
        heads, n, alpha = shape
        growth = ball(2 * beta * alpha / heads).exp()
        return growth / (growth + n - 1) / heads

    pairs = [
        Pair(
            f"{label(shape)}, beta={beta}",
            partial(closed, shape, beta),
            lambda shape=shape, beta=beta: (  # type: ignore[misc]
                vectors.ratio(shared_tokens(shape[0], shape[1]), last_block(shape), ball(beta)) ** 2
            ),
        )
        for shape in ((2, 2, Fraction(1)), (3, 4, Fraction(7, 5)), (1, 3, Fraction(1)))
        for beta in (Fraction(1, 1000), Fraction(1), Fraction(22, 7))
    ]
    return precision_evidence(pairs, "the squared ratio of equal shares by its closed form and by explicit vectors")


@evidence("thm19.regime", kind=Kind.PRECISION, part="threshold")
def precise_regime_threshold(_context: RunContext) -> Evidence:
    """The threshold of equal shares against the root of Condition 8's margin there.

    Outputs: ||f||^2 = alpha^2 (G + m)/H with G = e^(2 beta alpha/H) = E^2 and |a| = alpha E/H, so the condition reads
    (H-1) (E/H) sqrt((E^2 + m)/H) <= (E^2 + m)/H - E^2/H^2, and its margin falls in E where it vanishes.
    """

    def closed(shape: Shape) -> arb:
        heads, n, alpha = shape
        square = c_star_root(heads) ** 2
        inner = square * (n - 1) / (ball(Fraction(1, heads)) - square)
        return heads * inner.log() / (2 * ball(alpha))

    def turning(shape: Shape) -> arb:
        heads, n, alpha = shape
        m, k = n - 1, heads - 1

        def margin(e: arb) -> arb:
            total = (e * e + m) / heads
            return total - e * e / heads**2 - k * e / heads * total.sqrt()

        def slope(e: arb) -> arb:
            total = (e * e + m) / heads
            return (
                2 * e / heads
                - 2 * e / heads**2
                - ball(Fraction(k, heads)) * (total.sqrt() + e * e / heads / total.sqrt())
            )

        found = root(margin, slope, Fraction(1), Fraction(10 * n))
        return heads * found.log() / ball(alpha)

    pairs = [Pair(label(shape), partial(closed, shape), partial(turning, shape)) for shape in REGIMES]
    return precision_evidence(
        pairs, "the threshold of equal shares by its formula and as the root of Condition 8's margin"
    )


attack_stated("thm19.metallic", "contraction", "factor")
attack_stated("thm19.beta_star", "rises", "never", "one_head", "one_head_condition", "one_head_energy")
attack_stated("thm19.regime", "scalar_heads", "c_star_below", "room", "construction")
