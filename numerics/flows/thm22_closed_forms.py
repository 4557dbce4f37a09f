"""Theorem 22: rates, inflections, thresholds and constants by two routes, to fifty digits.

Notation: phi(lambda) = 2 lambda / (e^(lambda beta) + n - 1), u = beta lambda, u_c its inflection.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from antumbra.numerics.flows import vectors
from antumbra.numerics.flows.precise import Pair, precision_evidence
from antumbra.numerics.flows.stated import attack_stated
from antumbra.numerics.quantities.answer import Real
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, integral, root
from antumbra.numerics.quantities.thresholds import delta_star, inflection
from antumbra.numerics.quantities.times import late_constant, single_time, softmax_antiderivative, time_by_quadrature
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind, Outcome
from flint import acb, arb, arb_series, ctx


def phi_series(u: arb, n: int, terms: int) -> arb_series:
    """U / (e^u + n - 1) as a power series around u: half of beta phi in u = beta lambda."""
    point = arb_series([u, arb(1)], prec=terms)
    return quotient(point, point.exp() + (n - 1), terms)


def quotient(above: arb_series, below: arb_series, terms: int) -> arb_series:
    """A quotient of power series, of indeterminate terms where the denominator's ball contains zero."""
    if below[0].contains(0):
        return arb_series([arb("nan")] * terms, prec=terms)
    return above / below


def phi_derivative(order: int, n: int) -> Callable[[arb], arb]:
    """The derivative of some order of u / (e^u + n - 1)."""

    def derivative(u: arb) -> arb:
        found: arb = phi_series(u, n, order + 1)[order] * math.factorial(order)
        return found

    return derivative


def series_root(order: int, n: int, lower: Fraction, upper: Fraction) -> arb:
    """The root of a derivative of phi between two points, with the next one as its slope."""
    return root(phi_derivative(order, n), phi_derivative(order + 1, n), lower, upper)


TOKENS = (2, 3, 8, 100, 10**6)


def bracket(n: int) -> Fraction:
    """A number above the peak and the inflection: ln n + 4."""
    return Fraction(math.ceil(math.log(n))) + 4


@evidence("thm22.phi_shape", kind=Kind.PRECISION, part="peak")
def precise_peak(_context: RunContext) -> Evidence:
    """1 + W((n-1)/e) against the root of the power series' first derivative."""
    pairs = [
        Pair(
            f"n={n}",
            lambda n=n: 1 + (ball(n - 1) * arb(-1).exp()).lambertw(),  # type: ignore[misc]
            lambda n=n: series_root(1, n, Fraction(1), bracket(n)),  # type: ignore[misc]
        )
        for n in TOKENS
    ]
    return precision_evidence(pairs, "beta lambda_max by Lambert W and as the root of phi' by power series")


@evidence("thm22.phi_shape", kind=Kind.PRECISION, part="inflection")
def precise_inflection(_context: RunContext) -> Evidence:
    """u_c, the root of its equation in logarithmic form, against the root of the series' second derivative."""
    references = {2: "2.39935728", 8: "3.33261097"}
    pairs = [
        Pair(
            f"n={n}",
            partial(inflection, n),
            lambda n=n: series_root(2, n, Fraction(2), bracket(n)),  # type: ignore[misc]
            references.get(n, ""),
        )
        for n in TOKENS
    ]
    return precision_evidence(pairs, "beta lambda_c by its equation and as the root of phi'' by power series")


@evidence("thm22.phi_shape", kind=Kind.PRECISION, part="tanh")
def precise_tanh(_context: RunContext) -> Evidence:
    """tanh((u_c - ln(n-1))/2) against 2/u_c, u_c from the power series."""

    def left(n: int) -> arb:
        return ((series_root(2, n, Fraction(2), bracket(n)) - arb(n - 1).log()) / 2).tanh()

    pairs = [Pair(f"n={n}", partial(left, n), lambda n=n: 2 / inflection(n)) for n in TOKENS]  # type: ignore[misc]
    return precision_evidence(pairs, "tanh((u_c - ln(n-1))/2) and 2/u_c at the root of phi''")


@evidence("thm22.phi_shape", kind=Kind.PRECISION, part="negative_root")
def precise_negative_root(_context: RunContext) -> Evidence:
    """The negative root of (u-2) e^u = (u+2)(n-1) between -3 and 0 against that of phi'' continued to u < 0."""

    def equation(n: int) -> arb:
        return root(
            lambda u: (u - 2) * u.exp() - (u + 2) * (n - 1),
            lambda u: (u - 1) * u.exp() - (n - 1),
            Fraction(-3),
            Fraction(0),
        )

    pairs = [
        Pair(f"n={n}", partial(equation, n), lambda n=n: series_root(2, n, Fraction(-3), Fraction(-1, 10)))  # type: ignore[misc]
        for n in TOKENS
    ]
    return precision_evidence(pairs, "the negative root of the inflection's equation and of phi'' by power series")


@evidence("thm22.phi_shape", kind=Kind.PRECISION, part="only_root")
def precise_only_root(_context: RunContext) -> Evidence:
    """The root of (u-2) e^u - (u+2)(n-1) itself, bracketed in [0, ln n + 4], against its logarithmic form's."""

    def equation(n: int) -> arb:
        return root(
            lambda u: (u - 2) * u.exp() - (u + 2) * (n - 1),
            lambda u: (u - 1) * u.exp() - (n - 1),
            Fraction(1),
            bracket(n),
        )

    pairs = [Pair(f"n={n}", partial(equation, n), partial(inflection, n)) for n in TOKENS]
    return precision_evidence(pairs, "the positive root of (u-2) e^u = (u+2)(n-1) in two forms")


EARLY: tuple[tuple[int, tuple[Fraction, ...], Fraction], ...] = (
    (2, (Fraction(1),), Fraction(1)),
    (3, (Fraction(1), Fraction(1, 2)), Fraction(2)),
    (5, (Fraction(-1, 3), Fraction(2), Fraction(7, 5)), Fraction(3, 2)),
    (4, (Fraction(1), Fraction(-1)), Fraction(5)),
)
"""n, scales, beta."""


def _early_pairs(softmax: bool) -> list[Pair]:
    def closed(n: int, scales: Scalars, beta: Fraction) -> arb:
        if softmax:
            return sum((2 * ball(s) / (ball(s * beta).exp() + n - 1) for s in scales), arb(0))
        return ball(2 * sum(scales, Fraction(0)) / n)

    def by_vectors(n: int, scales: Scalars, beta: Fraction) -> arb:
        heads = [vectors.scalar(scale) for scale in scales]
        return vectors.product_rate(vectors.orthonormal(n), heads, ball(beta), softmax)

    return [
        Pair(
            f"n={n}, lambda=({', '.join(map(str, scales))}), beta={beta}",
            partial(closed, n, scales, beta),
            partial(by_vectors, n, scales, beta),
        )
        for n, scales, beta in EARLY
    ]


Scalars = tuple[Fraction, ...]


@evidence("thm22.early", kind=Kind.PRECISION, part="softmax")
def precise_early_softmax(_context: RunContext) -> Evidence:
    """Sum phi(lambda_h) against d<x_1, x_2>/dt of orthonormal vectors under SA."""
    return precision_evidence(_early_pairs(True), "the early rate under SA by phi and by explicit vectors")


@evidence("thm22.early", kind=Kind.PRECISION, part="unnormalised")
def precise_early_usa(_context: RunContext) -> Evidence:
    """2 Lambda/n against d<x_1, x_2>/dt of orthonormal vectors under USA."""
    return precision_evidence(_early_pairs(False), "the early rate under USA, 2 Lambda/n, and by explicit vectors")


LATE: tuple[tuple[int, Scalars, Fraction, Fraction, str], ...] = (
    (6, (Fraction(1), Fraction(1, 2)), Fraction(2), Fraction(0), "18.594832028680443486"),
    (2, (Fraction(1),), Fraction(1, 3), Fraction(-1, 2), ""),
    (9, (Fraction(1), Fraction(-1, 4), Fraction(2, 3)), Fraction(3, 2), Fraction(1, 7), ""),
)
"""n, scales, beta, gamma0 and the digits of C that are known."""
LAST_DEFICIT = Fraction(1, 10**58)


def late_by_quadrature(n: int, scales: Scalars, beta: Fraction, gamma0: Fraction) -> arb:
    """(1 - gamma0) exp of the integral of [Lambda/rho(g) - 1]/(1 - g) as it stands, up to 1 - g = 10^-58.

    With s = -ln(1 - g) the integral is that of Lambda/rho - 1 in s, without a singularity. The rest is at most 10^-58
    times a bound of the integrand near 1, found by evaluating Lambda/rho - 1 over 1 - g there in the mean-value form:
    |d(Lambda/rho)/dg| on [1 - 10^-58, 1] by a power series on the whole interval.
    """
    total = ball(sum(scales, Fraction(0)))

    def excess(s: acb) -> acb:
        d = (-s).exp()
        pull = sum((ball(scale) / ((ball(beta * scale) * d).exp() + n - 1) for scale in scales), acb(0))
        return total / ((n - (n - 1) * d) * pull) - 1

    near = arb(0).union(ball(LAST_DEFICIT))
    d = arb_series([near, arb(1)], prec=2)
    pull = sum((ball(scale) / ((ball(beta * scale) * d).exp() + n - 1) for scale in scales), 0 * d)
    slope = (total / ((n - (n - 1) * d) * pull))[1]
    value = integral(excess, -ball(1 - gamma0).log(), -ball(LAST_DEFICIT).log())
    rest = ball(LAST_DEFICIT) * abs(slope)
    logarithm: arb = ball(1 - gamma0).log() + value + rest.union(-rest)
    return logarithm.exp()


@evidence("thm22.late", kind=Kind.PRECISION, part="integrand_limit")
def precise_integrand(_context: RunContext) -> Evidence:
    """[Lambda/rho - 1]/(1 - gamma) at 1 - gamma = 10^-60 against (n-1)/n + beta sum lambda^2/(n Lambda)."""

    def near(n: int, scales: Scalars, beta: Fraction) -> arb:
        deficit = ball(Fraction(1, 10**60))
        pull = sum((ball(scale) / ((ball(beta * scale) * deficit).exp() + n - 1) for scale in scales), arb(0))
        total = ball(sum(scales, Fraction(0)))
        return (total / ((n - (n - 1) * deficit) * pull) - 1) / deficit

    def limit(n: int, scales: Scalars, beta: Fraction) -> arb:
        total = sum(scales, Fraction(0))
        value = Fraction(n - 1, n) + beta * sum((scale**2 for scale in scales), Fraction(0)) / (n * total)
        return ball(value) + arb(0, 1e-55)

    pairs = [
        Pair(
            f"n={n}, lambda=({', '.join(map(str, scales))}), beta={beta}",
            partial(near, n, scales, beta),
            partial(limit, n, scales, beta),
        )
        for n, scales, beta, _, _ in LATE
    ]
    return precision_evidence(pairs, "the integrand at 1 - gamma = 10^-60 and its limit")


@evidence("thm22.late", kind=Kind.PRECISION, part="converges")
def precise_late(_context: RunContext) -> Evidence:
    """C by an entire kernel and the clustering time, and by the claim's integral as it stands.

    For one head also in closed form: expanding F of Theorem 25 at gamma = 1,
    ln C = [m ln n - euler - ln a + e^(a n/m) Ei(-a n/m)]/n - 2 lambda F(gamma0), a = beta lambda, m = n - 1.
    """

    def kernel(n: int, scales: Scalars, beta: Fraction, gamma0: Fraction) -> arb:
        answer = late_constant(scales, beta, n, gamma0)
        if not isinstance(answer, Real):
            raise NeedPrecisionError("no constant was found")
        return answer.enclose()

    def closed(n: int, scale: Fraction, beta: Fraction, gamma0: Fraction) -> arb:
        m, a = n - 1, ball(beta * scale)
        limit = m * arb(n).log() - arb.const_euler() - a.log() + (a * n / m).exp() * (-a * n / m).ei()
        logarithm: arb = limit / n - 2 * ball(scale) * softmax_antiderivative(scale, a, n, ball(gamma0))
        return logarithm.exp()

    pairs = [
        Pair(
            f"n={n}, lambda=({', '.join(map(str, scales))}), beta={beta}, gamma0={gamma0}",
            partial(kernel, n, scales, beta, gamma0),
            partial(late_by_quadrature, n, scales, beta, gamma0),
            reference,
        )
        for n, scales, beta, gamma0, reference in LATE
    ]
    pairs += [
        Pair(
            f"one head, n={n}, lambda={scale}, beta={beta}, gamma0={gamma0}",
            partial(closed, n, scale, beta, gamma0),
            partial(kernel, n, (scale,), beta, gamma0),
        )
        for n, scale, beta, gamma0 in (
            (2, Fraction(1), Fraction(1, 3), Fraction(-1, 2)),
            (12, Fraction(3, 2), Fraction(2), Fraction(1, 5)),
        )
    ]
    return precision_evidence(
        pairs, "C by the clustering time, by the claim's integral and in closed form for one head"
    )


SPLITS: tuple[tuple[int, Fraction, Fraction], ...] = (
    (2, Fraction(1), Fraction(3)),
    (8, Fraction(1), Fraction(4)),
    (8, Fraction(2, 3), Fraction(21, 4)),
    (100, Fraction(1), Fraction(9)),
)
"""n, mean, beta with beta times the mean above u_c."""


def split_gain(n: int, mean: Fraction, beta: Fraction, nu: arb) -> arb:
    """Beta [phi(mean + nu) + phi(mean - nu) - 2 phi(mean)]/2."""

    def half(u: arb) -> arb:
        return u / (u.exp() + (n - 1))

    centre = ball(beta * mean)
    return half(centre + ball(beta) * nu) + half(centre - ball(beta) * nu) - 2 * half(centre)


@evidence("thm22.superadditive.amended", kind=Kind.PRECISION, part="solves")
def precise_split(_context: RunContext) -> Evidence:
    """delta* by its equation with coth and tanh, against the positive zero of the gain itself, phi against phi."""

    def by_equation(n: int, mean: Fraction, beta: Fraction) -> arb:
        answer = delta_star(mean, beta, n)
        if not isinstance(answer, Real):
            raise NeedPrecisionError("no delta* was found")
        return answer.enclose()

    def by_gain(n: int, mean: Fraction, beta: Fraction) -> arb:
        def slope(nu: arb) -> arb:
            up, down = ball(beta) * (ball(mean) + nu), ball(beta) * (ball(mean) - nu)
            return ball(beta) * (phi_derivative(1, n)(up) - phi_derivative(1, n)(down))

        # The gain is positive just above 0 and negative at the mean; its zero between is the delta* of the claim.
        return root(partial(split_gain, n, mean, beta), slope, mean / 64, mean)

    pairs = [
        Pair(f"n={n}, mean={mean}, beta={beta}", partial(by_equation, n, mean, beta), partial(by_gain, n, mean, beta))
        for n, mean, beta in SPLITS
    ]
    return precision_evidence(pairs, "delta* by its equation and as the zero of the gain of a split")


def gamma_dagger_pairs() -> list[Pair]:
    """1 - u_c/(beta mean) against the gamma at which the second derivative in lambda of a head's rate vanishes."""

    def by_formula(n: int, mean: Fraction, beta: Fraction) -> arb:
        return 1 - inflection(n) / ball(beta * mean)

    def by_rate(n: int, mean: Fraction, beta: Fraction) -> arb:
        def bend(gamma: arb) -> arb:
            scale = arb_series([ball(mean), arb(1)], prec=3)
            found: arb = quotient(scale, (ball(beta) * (1 - gamma) * scale).exp() + (n - 1), 3)[2]
            return found

        def slope(gamma: arb) -> arb:
            # With v = beta (1 - gamma), d/dv of lambda/(e^(v lambda) + m) is a series again; dv/dgamma = -beta.
            scale = arb_series([ball(mean), arb(1)], prec=3)
            growth = (ball(beta) * (1 - gamma) * scale).exp()
            once = quotient(scale * scale * growth, growth + (n - 1), 3)
            found: arb = quotient(once, growth + (n - 1), 3)[2]
            return ball(beta) * found

        return root(bend, slope, Fraction(-1, 2), Fraction(9, 10))

    return [
        Pair(f"n={n}, mean={mean}, beta={beta}", partial(by_formula, n, mean, beta), partial(by_rate, n, mean, beta))
        for n, mean, beta in SPLITS
    ]


@evidence("thm22.reversal", kind=Kind.PRECISION, part="helps")
def precise_helps(_context: RunContext) -> Evidence:
    """gamma-dagger by the formula and as the place where a head's rate turns from convex to concave in its scale."""
    return precision_evidence(
        gamma_dagger_pairs(), "gamma-dagger by u_c and as the inflection of a head's rate in gamma"
    )


@evidence("thm22.reversal", kind=Kind.PRECISION, part="hinders")
def precise_hinders(_context: RunContext) -> Evidence:
    """The same number bounds where heterogeneity hinders."""
    return precision_evidence(
        gamma_dagger_pairs(), "gamma-dagger by u_c and as the inflection of a head's rate in gamma"
    )


def gain_of_time(beta: Fraction, in_gamma: bool) -> arb:
    """Time of heads 21/20 and 19/20 less that of two heads 1, n = 8, from 0 to 0.99, by quadrature in gamma or in u."""
    n, end = 8, Fraction(99, 100)
    split = (Fraction(21, 20), Fraction(19, 20))
    even = (Fraction(1), Fraction(1))
    if not in_gamma:
        fast = time_by_quadrature(split, beta, n, Fraction(0), end, True)
        answer: arb = fast - time_by_quadrature(even, beta, n, Fraction(0), end, True)
        return answer

    def duration(scales: Scalars) -> Callable[[acb], acb]:
        def integrand(gamma: acb) -> acb:
            pulls = (ball(s) / ((ball(beta * s) * (1 - gamma)).exp() + (n - 1)) for s in scales)
            return 1 / (2 * (1 - gamma) * (1 + (n - 1) * gamma) * sum(pulls, acb(0)))

        return integrand

    # Equal heads by the closed form of Theorem 25: two of them are twice as fast as one.
    fast = integral(duration(split), arb(0), ball(end))
    return fast - single_time(Fraction(1), ball(beta), n, arb(0), ball(end), True) / 2


def _reversal(beta: Fraction, sign: int, what: str) -> Evidence:
    label = f"n=8, lambda=1 +- 1/20, beta={beta}, gamma from 0 to 0.99"
    pairs = [Pair(label, partial(gain_of_time, beta, False), partial(gain_of_time, beta, True))]
    with ctx.workprec(256):
        found = gain_of_time(beta, True)
        early = split_gain(8, Fraction(1), beta, ball(Fraction(1, 20)))
    data: dict[str, Any] = {"difference_of_times": found.str(15), "early_gain": early.str(15)}
    if found.contains(0) or early.contains(0):
        return Evidence(Kind.PRECISION, Outcome.UNDECIDED, f"The signs are not decided: {what}.", data)
    if not (early > 0 and (found > 0) == (sign > 0)):
        return Evidence(Kind.PRECISION, Outcome.FAIL, f"The signs are others: {what}.", data)
    return precision_evidence(pairs, what, **data)


@evidence("thm22.reversal", kind=Kind.PRECISION, part="slower_in_total")
def precise_slower(_context: RunContext) -> Evidence:
    """Beta = 3.5: faster at gamma = 0, slower in total."""
    return _reversal(
        Fraction(7, 2), 1, "a split is faster at gamma = 0 and slower in total, by quadrature in u and gamma"
    )


@evidence("thm22.reversal", kind=Kind.PRECISION, part="faster_in_total")
def precise_faster(_context: RunContext) -> Evidence:
    """Beta = 4: faster at gamma = 0 and in total."""
    return _reversal(Fraction(4), -1, "a split is faster at gamma = 0 and in total, by quadrature in u and gamma")


attack_stated("thm22.late", "slope", "curvature", "example")
attack_stated("thm22.phi_shape", "rises_falls")
attack_stated("thm22.superadditive.amended", "far_split")
attack_stated("thm22.superadditive_usa", "start")
