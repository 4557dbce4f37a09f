"""Times, limits and entropies on the equiangular path (Theorems 22, 25, 27).

Notation: d = 1 - gamma; a = beta lambda; m = n - 1; u = ln((1 + m gamma) / (1 - gamma)), in which
    SA    du/dt = 2 n sum_h lambda_h / (e^(beta lambda_h (1 - gamma)) + m),
    USA   du/dt = 2 sum_h lambda_h e^(beta lambda_h gamma).
The ends gamma = -1/m and gamma = 1 are equilibria: times from or to them are infinite.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol, TypeVar

from antumbra.numerics.quantities.answer import Answer, Exact, Nothing, Real
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, decide, integral, root, sign, sign_now
from antumbra.numerics.quantities.parse import DomainError
from flint import acb, arb

Scales = tuple[Fraction, ...]
MOST_PIECES = 50_000
"""Largest number of subintervals on which a sign is sought."""


def check_gamma(label: str, gamma: Fraction, n: int) -> None:
    """Refuse an inner product that n equiangular unit vectors cannot have.

    Raises:
        DomainError: gamma outside [-1/(n-1), 1].
    """
    if not Fraction(-1, n - 1) <= gamma <= 1:
        raise DomainError(f"{label} is {gamma}; allowed is -1/(n-1) <= {label} <= 1 with n = {n}; give such a number")


def softmax_antiderivative(scale: Fraction, a: arb, n: int, gamma: arb) -> arb:
    """F(gamma) of Theorem 25 for one head, a = beta lambda as a ball that excludes zero.

    The second term is e^(a n / m) Ei(-a (1 + m gamma) / m); balls have room for its factors.
    """
    m = n - 1
    first = -(a * (1 - gamma)).ei()
    second = (a * n / m).exp() * (-a * (1 + m * gamma) / m).ei()
    third = m * ((1 + m * gamma).log() - (1 - gamma).log())
    return (first + second + third) / (2 * ball(scale) * n)


def usa_antiderivative(scale: Fraction, a: arb, n: int, gamma: arb) -> arb:
    """An antiderivative of dt/dgamma under USA for one head.

    n / ((1-g)(1+m g)) = 1/(1-g) + m/(1+m g) gives [-e^(-a) Ei(a (1-g)) + e^(a/m) Ei(-a (1+m g)/m)] / (2 lambda).
    """
    m = n - 1
    first = -(-a).exp() * (a * (1 - gamma)).ei()
    second = (a / m).exp() * (-a * (1 + m * gamma) / m).ei()
    return (first + second) / (2 * ball(scale))


Ball = TypeVar("Ball", arb, acb)


class _Speed(Protocol):
    def __call__(self, gamma: Ball) -> Ball: ...


def _speed(scales: Scales, beta: Fraction, n: int, softmax: bool) -> _Speed:
    """du/dt as a function of gamma."""

    def softmax_speed(gamma: Ball) -> Ball:
        total = 0 * gamma
        for scale in scales:
            total += ball(scale) / ((ball(beta * scale) * (1 - gamma)).exp() + (n - 1))
        return 2 * n * total

    def usa_speed(gamma: Ball) -> Ball:
        total = 0 * gamma
        for scale in scales:
            total += ball(scale) * (ball(beta * scale) * gamma).exp()
        return 2 * total

    return softmax_speed if softmax else usa_speed


def _sign_on(function: Callable[[arb], arb], lower: Fraction, upper: Fraction) -> int:
    """The sign of a function on a whole interval: 1, -1, or 0 when it takes both or vanishes between two signs.

    Raises:
        NeedPrecisionError: not decided with the pieces allowed.
    """
    seen: set[int] = set()
    pending = [(lower, upper)]
    pieces = 0
    while pending:
        low, high = pending.pop()
        pieces += 1
        if pieces > MOST_PIECES or high - low < Fraction(upper - lower, 1 << 60):
            raise NeedPrecisionError("the sign on the interval is not decided")
        value = function(ball(low).union(ball(high)))
        try:
            seen.add(sign_now(value))
        except NeedPrecisionError:
            middle = (low + high) / 2
            try:
                seen.add(sign_now(function(ball(middle))))
            except NeedPrecisionError:
                middle = (2 * low + high) / 3
            pending += [(low, middle), (middle, high)]
        if len(seen) == 2:
            return 0
    return seen.pop()


def _direction(scales: Scales, beta: Fraction, n: int, softmax: bool, low: Fraction, high: Fraction) -> int:
    """The sign of du/dt on [low, high], 0 when it is not constant."""
    if all(scale >= 0 for scale in scales) or all(scale <= 0 for scale in scales):
        return max((1 if scale > 0 else -1 if scale < 0 else 0 for scale in scales), key=abs)
    speed = _speed(scales, beta, n, softmax)
    return decide(lambda: _sign_on(speed, low, high), "the direction of the flow")


def flow_time(scales: Scales, beta: Fraction, n: int, gamma0: Fraction, gamma1: Fraction, softmax: bool) -> Answer:
    """Time from gamma0 to gamma1 under SA or USA; infinite when gamma1 is never reached."""
    check_gamma("gamma0", gamma0, n)
    check_gamma("gamma1", gamma1, n)
    if gamma0 == gamma1:
        return Exact(Fraction(0))
    ends = (Fraction(-1, n - 1), Fraction(1))
    if gamma0 in ends or gamma1 in ends:
        return Nothing("infinite")
    if not softmax and sum(scales) == 0 and min(gamma0, gamma1) <= 0 <= max(gamma0, gamma1):
        # The speed vanishes at gamma = 0 exactly, where no precision would show it.
        return Nothing("infinite")
    wanted = 1 if gamma1 > gamma0 else -1
    if _direction(scales, beta, n, softmax, min(gamma0, gamma1), max(gamma0, gamma1)) != wanted:
        return Nothing("infinite")
    moving = tuple(scale for scale in scales if scale != 0) if not softmax else scales
    if len(set(moving)) == 1:
        scale, count = moving[0], len(moving)
        return Real(lambda: single_time(scale, ball(beta * scale), n, ball(gamma0), ball(gamma1), softmax) / count)
    return Real(lambda: time_by_quadrature(scales, beta, n, gamma0, gamma1, softmax))


def single_time(scale: Fraction, a: arb, n: int, gamma0: arb, gamma1: arb, softmax: bool) -> arb:
    """Time from gamma0 to gamma1 of one head by the closed form."""
    antiderivative = softmax_antiderivative if softmax else usa_antiderivative
    return antiderivative(scale, a, n, gamma1) - antiderivative(scale, a, n, gamma0)


def time_by_quadrature(
    scales: Scales, beta: Fraction, n: int, gamma0: Fraction, gamma1: Fraction, softmax: bool
) -> arb:
    """Time from gamma0 to gamma1 of any heads as the integral of dt/du, u the smooth coordinate."""
    speed = _speed(scales, beta, n, softmax)
    m = n - 1

    def integrand(u: acb) -> acb:
        growth = u.exp()
        return 1 / speed((growth - 1) / (growth + m))

    def coordinate(gamma: Fraction) -> arb:
        return ball((1 + m * gamma) / (1 - gamma)).log()

    return integral(integrand, coordinate(gamma0), coordinate(gamma1))


def relu_increment(scale: Fraction, n: int, gamma0: arb, gamma1: arb) -> arb:
    """Time from gamma0 to gamma1, both positive, under ReLU."""
    m = n - 1

    def antiderivative(gamma: arb) -> arb:
        return n * gamma.log() - (1 - gamma).log() - m * (1 + m * gamma).log()

    return (antiderivative(gamma1) - antiderivative(gamma0)) / (2 * ball(scale) ** 2)


def relu_time(scale: Fraction, n: int, gamma0: Fraction, gamma1: Fraction) -> Answer:
    """Time from gamma0 to gamma1 under ReLU; infinite from gamma0 <= 0 (it stands still), to 1, or backwards."""
    check_gamma("gamma0", gamma0, n)
    check_gamma("gamma1", gamma1, n)
    if gamma0 == gamma1:
        return Exact(Fraction(0))
    if gamma0 <= 0 or gamma1 < gamma0 or gamma1 == 1:
        return Nothing("infinite")
    return Real(lambda: relu_increment(scale, n, ball(gamma0), ball(gamma1)))


def late_constant(scales: Scales, beta: Fraction, n: int, gamma0: Fraction) -> Answer:
    """C = lim (1 - gamma(t)) e^(2 Lambda t) under SA; none where rho is not positive on [gamma0, 1].

    With d = 1 - gamma and X(z) = (e^z - 1)/z (entire), the integrand of ln C is
        K(d) = [sum lambda_h (a_h X(a_h d) + m) / (e^(a_h d) + m)] / rho(d),   a_h = beta lambda_h,
    without its removable singularity at d = 0. From gamma0 to where d = 1/2 the equivalent 2 Lambda T + ln d is
    used, whose integrand in u stays smooth however large n is.
    """
    check_gamma("gamma0", gamma0, n)
    if gamma0 in (Fraction(-1, n - 1), Fraction(1)):
        raise DomainError(f"gamma0 is {gamma0}, an equilibrium; allowed is -1/(n-1) < gamma0 < 1; give such a number")
    total = sum(scales, Fraction(0))
    if total <= 0 or _direction(scales, beta, n, True, gamma0, Fraction(1)) != 1:
        return Nothing("none")

    def kernel(d: acb) -> acb:
        numerator, speed = 0 * d, 0 * d
        for scale in scales:
            a = ball(beta * scale)
            weight = ball(scale) / ((a * d).exp() + (n - 1))
            half = a * d / 2
            # e^(z/2) sinh(z/2) / (z/2), by the entire sinc.
            entire = half.exp() * (half * acb(0, 1)).sinc()
            numerator += weight * (a * entire + (n - 1))
            speed += weight
        return numerator / ((n - (n - 1) * d) * speed)

    def enclose() -> arb:
        start = 1 - gamma0
        near = min(start, Fraction(1, 2))
        logarithm = integral(kernel, ball(0), ball(near)) + ball(near).log()
        if near < start:
            time = time_by_quadrature(scales, beta, n, gamma0, 1 - near, True)
            logarithm += 2 * ball(total) * time
        return logarithm.exp()

    return Real(enclose)


def crossing_beta(dimension: int, n: int, scale: Fraction) -> Answer:
    """The beta at which SA's and ReLU's times from 1/sqrt(d) to 0.99 agree; none if there is no such beta.

    T_softmax rises strictly with beta, from [ln(1+m g) - ln(1-g)]/(2 lambda) to infinity: its derivative is
    e^(a n/m) / (2 m) [Ei(-a w1) - Ei(-a w0)] > 0 with w = (1 + m g)/m, as Ei(-x) rises for x > 0.
    """
    m = n - 1
    end = Fraction(99, 100)

    def start() -> arb:
        return 1 / ball(dimension).sqrt()

    def relu() -> arb:
        return relu_increment(scale, n, start(), ball(end))

    def at_zero() -> arb:
        def antiderivative(gamma: arb) -> arb:
            return (1 + m * gamma).log() - (1 - gamma).log()

        return (antiderivative(ball(end)) - antiderivative(start())) / (2 * ball(scale))

    if sign(lambda: relu() - at_zero(), "T_relu - T_softmax(0)") < 0:
        return Nothing("none")

    def excess(beta: arb) -> arb:
        return single_time(scale, beta * ball(scale), n, start(), ball(end), True) - relu()

    def slope(beta: arb) -> arb:
        a = beta * ball(scale)
        after, before = (-a * (1 + m * ball(end)) / m).ei(), (-a * (1 + m * start()) / m).ei()
        return (a * n / m).exp() * (after - before) / (2 * m)

    def enclose() -> arb:
        def side(beta: Fraction) -> int:
            return sign(lambda: excess(ball(beta)), "T_softmax - T_relu")

        low, high = Fraction(1), Fraction(1)
        while side(high) < 0:
            high *= 2
        while side(low) > 0:
            low /= 2
        return root(excess, slope, low, high)

    return Real(enclose)


def entropy(gamma: Fraction, scale: Fraction, beta: Fraction, n: int) -> Answer:
    """The attention entropy on the equiangular path, a = beta lambda (1 - gamma).

    S = ln(1 + m e^(-a)) + a m e^(-a) / (1 + m e^(-a)), which equals ln(e^a + m) - a e^a / (e^a + m); each form is used
    where its exponential is small.
    """
    check_gamma("gamma", gamma, n)
    m = n - 1
    exponent = beta * scale * (1 - gamma)
    if exponent == 0:
        return Real(lambda: ball(n).log())

    def enclose() -> arb:
        a = ball(exponent)
        if exponent > 0:
            rest = m * (-a).exp()
            return rest.log1p() + a * rest / (1 + rest)
        growth = a.exp()
        return (growth + m).log() - a * growth / (growth + m)

    return Real(enclose)
