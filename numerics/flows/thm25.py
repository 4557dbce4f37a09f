"""Theorem 25, ReLU against softmax: flows of all tokens, and searches.

Notation: one scalar head lambda, m = n - 1, a = beta lambda, F and G the antiderivatives of one over gamma's speed
under SA and ReLU, evaluated as balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Field, System
from antumbra.numerics.flows.compare import (
    EPSILON,
    Finding,
    Rates,
    flow_evidence,
    summarise,
)
from antumbra.numerics.flows.paths import Path, balance_paths, gamma_quantity, mean_gamma, path, run, sampled
from antumbra.numerics.flows.probing import Probe, lattice, probe_evidence
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.flows.thm22 import gamma_rate_sa
from antumbra.numerics.quantities.balls import ball
from antumbra.numerics.quantities.times import relu_increment, softmax_antiderivative
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind
from flint import ctx

Array = npt.NDArray[np.floating[Any]]
Time = Callable[[float, float, int, float, float], float]
"""lambda, beta, n, gamma0, gamma1 -> time."""
Speed = Callable[[Array, float, int, float], float]
"""Scales, beta, n, gamma -> the closed rate of gamma."""


def gamma_rate_relu(scales: Array, _beta: float, n: int, gamma: float) -> float:
    """(2 lambda^2 / n) g (1 - g)(1 + (n - 1) g) for g > 0, else 0."""
    return float(2 * scales[0] ** 2 / n * max(gamma, 0.0) * (1 - gamma) * (1 + (n - 1) * gamma))


def softmax_time(scale: float, beta: float, n: int, gamma0: float, gamma1: float) -> float:
    """F(gamma1) - F(gamma0) at the exact values of its arguments, rounded once."""
    with ctx.workprec(160):
        a = ball(Fraction(beta) * Fraction(scale))
        after, before = (softmax_antiderivative(Fraction(scale), a, n, ball(Fraction(g))) for g in (gamma1, gamma0))
        return float((after - before).mid())


def relu_time(scale: float, _beta: float, n: int, gamma0: float, gamma1: float) -> float:
    """G(gamma1) - G(gamma0), rounded once."""
    with ctx.workprec(160):
        return float(relu_increment(Fraction(scale), n, ball(Fraction(gamma0)), ball(Fraction(gamma1))).mid())


def softmax_paths(context: RunContext) -> Iterator[Path]:
    """One head of either sign under SA."""

    def scales(rng: np.random.Generator, _heads: int) -> Array:
        return np.array([float(rng.uniform(0.1, 2)) * (-1 if rng.random() < 0.25 else 1)])

    return sampled(context, Field.SA, scales)


def relu_paths(context: RunContext) -> Iterator[Path]:
    """One positive head under ReLU, from gamma > 0."""

    def scales(rng: np.random.Generator, _heads: int) -> Array:
        return np.array([float(rng.uniform(0.2, 2))])

    return sampled(context, Field.RELU, scales, least_gamma=0.02)


def time_findings(paths: Iterator[Path], time: Time, rate: Speed) -> list[Finding]:
    """The claimed time from gamma(0) to each gamma(t) of the tokens against t itself.

    An error e of gamma is one of e / |speed| in the time. The speed varies over [gamma - e, gamma + e] by no more than
    a factor 2 as long as e is below a tenth of 1 - gamma and of the distance to the other equilibrium, which is asked
    for; the bound e / speed is doubled for it.
    """
    findings = []
    for start in paths:
        track = run(start)
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        system, scale = start.system, float(start.scales[0])
        n, beta = system.n, system.beta
        quantity = gamma_quantity(system)
        discrepancies, allowed, movements = [], [], []
        first = mean_gamma(track.tokens[0])
        for index in range(1, len(track.times)):
            gamma = mean_gamma(track.tokens[index])
            error = float(quantity.sensitivity(track.radius)[0] * track.errors[index] + quantity.rounding(1.0)[0])
            room = min(1 - gamma, gamma + 1 / (n - 1)) if system.field is Field.SA else min(1 - gamma, gamma)
            if error > room / 10:
                continue
            speed = abs(rate(start.scales, beta, n, gamma))
            allowance = 2 * error / speed + 2 * float(quantity.rounding(1.0)[0]) / abs(
                rate(start.scales, beta, n, first)
            )
            discrepancies.append(abs(time(scale, beta, n, first, gamma) - float(track.times[index])))
            allowed.append(allowance + 4 * EPSILON * float(track.times[index]))
            movements.append(float(track.times[index]) / allowance)
        findings.append(
            Finding(start.label, summarise(np.array(discrepancies), np.array(allowed), np.array(movements)))
        )
    return findings


@evidence("thm25.softmax_time", kind=Kind.FLOW, part="time")
def softmax_time_flow(context: RunContext) -> Evidence:
    """The tokens take F(gamma1) - F(gamma0) from gamma0 to gamma1 under SA."""
    findings = time_findings(softmax_paths(context), softmax_time, gamma_rate_sa)
    return flow_evidence(findings, "the tokens take the time of the closed form under SA")


@evidence("thm25.softmax_time", kind=Kind.FLOW, part="speed")
def softmax_speed_flow(context: RunContext) -> Evidence:
    """The common inner product changes by the integral of its closed speed under SA with one head."""
    findings = balance_paths(softmax_paths(context), gamma_quantity, _closed(gamma_rate_sa))
    return flow_evidence(findings, "the inner product changes by the integral of its closed softmax speed")


@evidence("thm25.relu_time", kind=Kind.FLOW, part="time")
def relu_time_flow(context: RunContext) -> Evidence:
    """The tokens take G(gamma1) - G(gamma0) from gamma0 > 0 to gamma1 under ReLU."""
    findings = time_findings(relu_paths(context), relu_time, gamma_rate_relu)
    return flow_evidence(findings, "the tokens take the time of the closed form under ReLU")


@evidence("thm25.relu_time", kind=Kind.FLOW, part="speed")
def relu_speed_flow(context: RunContext) -> Evidence:
    """The common inner product changes by the integral of its closed speed under ReLU."""
    findings = balance_paths(relu_paths(context), gamma_quantity, _closed(gamma_rate_relu))
    return flow_evidence(findings, "the inner product changes by the integral of its closed ReLU speed")


def _closed(rate: Speed) -> Callable[[Path], Rates]:
    def of(start: Path) -> Rates:
        beta, n = start.system.beta, start.system.n
        return lambda tokens: np.array([rate(start.scales, beta, n, mean_gamma(tokens))])

    return of


def still_findings(context: RunContext, shift: float = 0.0) -> list[Finding]:
    """Tokens under ReLU from gamma <= 0: how far they move.

    A radial pull leaves every token where it is, up to the rounding of its projection; at gamma = 0 rounding makes
    inner products of either sign, at most 4 d ulps, whose pull lambda^2 n 4 d ulps over the time is allowed as well.
    """
    rng = context.rng("still")
    findings = []
    for index in range(context.budget.samples):
        n = int(rng.integers(2, context.budget.largest_n + 1))
        gamma = 0.0 if index == 0 else float(rng.uniform(-0.95 / (n - 1), 0.0)) if index % 3 else -1 / (n - 1)
        gamma = min(gamma + shift, 0.9)
        scale = float(rng.uniform(0.3, 1.5))
        tokens = sample.equiangular_tokens(rng, n, n, gamma)
        head = sample.scalar_heads([scale], n)
        start = Path(
            System(tokens, head, head, 1.0, Field.RELU), np.array([scale]), gamma, f"ReLU, n={n}, gamma={gamma:.3g}"
        )
        track = run(start, longest=2.0)
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        moved = np.abs(track.tokens - track.tokens[0]).max(axis=(1, 2))[1:]
        allowed = (track.errors + 4 * EPSILON * n * (n + 2) * (1 + scale**2 * track.times))[1:]
        # The radial pull is of size lambda^2 / n; not moving says something if that pull could have.
        pull = np.full_like(allowed, scale**2 / n) * track.times[1:] / allowed
        findings.append(Finding(start.label, summarise(moved, allowed, pull)))
    return findings


@evidence("thm25.relu_time", kind=Kind.FLOW, part="still")
def relu_still(context: RunContext) -> Evidence:
    """From gamma <= 0 the tokens stand still under ReLU."""
    return flow_evidence(still_findings(context), "tokens at right or obtuse angles stand still under ReLU")


# --- late rates ------------------------------------------------------------------------------------------------------


def late_rate_findings(context: RunContext, field: Field, factor: float = 1.0) -> list[Finding]:
    """The decay of 1 - gamma between late times against 2 lambda (SA) or 2 lambda^2 (ReLU).

    With e = 1 - gamma the decay rate is 2 lambda (n - (n-1) e) / (n - 1 + e^(a e)) under SA, within
    2 lambda ((n-1) e + e^(a e) - 1) / n of 2 lambda, and 2 lambda^2 (1 - e)(1 - (n-1) e/n) under ReLU, within
    4 lambda^2 e of 2 lambda^2. Over a time t the logarithm of e is off by at most t times that, and by what an error
    of gamma makes.
    """
    rng = context.rng(f"late {field.value}")
    findings = []
    for _ in range(context.budget.samples):
        n = int(rng.integers(2, context.budget.largest_n + 1))
        scale, beta = float(rng.uniform(0.3, 1.6)), float(rng.uniform(0.1, 1.5))
        start = path(rng, n, [scale], beta, float(rng.uniform(0.98, 0.999)), field)
        limit = 2 * scale if field is Field.SA else 2 * scale**2
        track = run(start, longest=1.5 / limit)
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        left = 1 - np.array([mean_gamma(tokens) for tokens in track.tokens])
        e = float(left[0])
        near = 2 * scale * ((n - 1) * e + math.expm1(beta * scale * e)) / n if field is Field.SA else 4 * scale**2 * e
        error = 2 * track.errors + 8 * EPSILON * n
        allowed = near * track.times + error / (left - error) + error[0] / (left[0] - error[0])
        fall = np.log(left[0] / left)
        discrepancy = np.abs(fall - factor * limit * track.times)
        findings.append(Finding(start.label, summarise(discrepancy[1:], allowed[1:], (fall / allowed)[1:])))
    return findings


@evidence("thm25.late_rate", kind=Kind.FLOW, part="softmax")
def late_softmax(context: RunContext) -> Evidence:
    """1 - gamma decays at 2 lambda under SA."""
    what = "1 - gamma decays at 2 lambda under SA, up to what vanishes with it"
    findings = late_rate_findings(context, Field.SA)
    return flow_evidence(findings, what, error="what the integrator's error and 1 - gamma allow")


@evidence("thm25.late_rate", kind=Kind.FLOW, part="relu")
def late_relu(context: RunContext) -> Evidence:
    """1 - gamma decays at 2 lambda^2 under ReLU."""
    what = "1 - gamma decays at 2 lambda^2 under ReLU, up to what vanishes with it"
    findings = late_rate_findings(context, Field.RELU)
    return flow_evidence(findings, what, error="what the integrator's error and 1 - gamma allow")


# --- linearised laws: searches ---------------------------------------------------------------------------------------


NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
PIECES = 6


def times_by_quadrature(n: Array, gamma0: Array, gamma1: Array, speed: Callable[[Array], Array]) -> Array:
    """Times from gamma0 to gamma1, (N,), as the integral of du / u' in u = ln((1 + m g)/(1 - g)).

    `speed` maps gamma (N, nodes) to u'. The integrand is analytic in a strip of half-width pi around the real line (the
    poles of gamma(u)), a piece is at most a sixth of the span of u, below 3 for all boxes searched, so that 48
    Gauss-Legendre nodes leave an error far below rounding.
    """
    m = n - 1
    lower, upper = (np.log1p(m * gamma) - np.log1p(-gamma) for gamma in (gamma0, gamma1))
    total = np.zeros_like(n)
    width = (upper - lower) / PIECES
    for piece in range(PIECES):
        u = (lower + (piece + 0.5) * width)[:, None] + np.multiply.outer(width / 2, NODES)
        growth = np.expm1(u)
        total += (WEIGHTS / speed(growth / (growth + n[:, None]))).sum(axis=1) * width / 2
    return np.asarray(total)


def softmax_times(n: Array, product: Array, gamma0: Array, gamma1: Array) -> Array:
    """Lambda times the softmax time, for beta lambda = product."""

    def speed(gamma: Array) -> Array:
        return np.asarray(2 * n[:, None] / (np.exp(product[:, None] * (1 - gamma)) + n[:, None] - 1))

    return times_by_quadrature(n, gamma0, gamma1, speed)


def relu_times(n: Array, gamma0: Array, gamma1: Array) -> Array:
    """lambda^2 times the ReLU time, by the closed form."""
    m = n - 1
    return np.asarray(
        (
            n * np.log(gamma1 / gamma0)
            - (np.log1p(-gamma1) - np.log1p(-gamma0))
            - m * (np.log1p(m * gamma1) - np.log1p(m * gamma0))
        )
        / 2
    )


QUADRATURE_ERROR = 1e-12
"""Relative; the tests compare quadrature and closed form in balls over the boxes."""


def softmax_linear_margin(points: Array) -> tuple[Array, Array]:
    """gamma1 (e^a + m)/2 less lambda T, relative: (n, a, s, r), gamma1 = r (n-2)/(n-1), gamma0 = s gamma1."""
    n, a, s, r = points.T
    gamma1 = r * (n - 2) / (n - 1)
    gamma0 = s * gamma1
    inside = (n >= 3) & (gamma0 < gamma1) & (gamma1 > 0)
    safe0, safe1 = np.where(inside, gamma0, 0.1), np.where(inside, gamma1, 0.2)
    bound = safe1 * (np.exp(a) + n - 1) / 2
    margin = (bound - softmax_times(n, a, safe0, safe1)) / bound
    return np.where(inside, margin, np.nan), np.full_like(n, QUADRATURE_ERROR)


def softmax_order(points: Array, side: int) -> tuple[Array, Array]:
    """The two-sided bound on lambda T from 0 to gamma1: (n, a, gamma1)."""
    n, a, gamma1 = points.T
    leading = (np.log(n) + np.log(gamma1 / (1 - gamma1))) / 2
    time = softmax_times(n, a, np.zeros_like(n), gamma1)
    if side < 0:
        return time - leading, QUADRATURE_ERROR * (time + np.abs(leading))
    bound = (1 + np.expm1(a) / n) * (leading + (1 - gamma1) / (2 * n * gamma1))
    return bound - time, QUADRATURE_ERROR * (time + bound)


SOFTMAX_BOX = Probe(
    "3 <= n <= 10^4, beta lambda <= 12",
    [3, 1e-3, 0, 1e-3],
    [1e4, 12, 1, 1],
    softmax_linear_margin,
    lattice([3, 4, 7, 100, 1e4], [1e-3, 1 / 3, 2, 12], [0, 1e-6, 1 / 3, 0.999], [1e-3, 1 / 3, 1]),
    logarithmic=(0, 1, 3),
    whole=(0,),
)
ORDER_CORNERS = lattice([2, 3, 10, 1e4], [1e-3, 1 / 3, 3, 10], [1e-3, 1 / 7, 0.5, 0.99, 0.9999])


@attack("thm25.softmax_linear", part="bound")
def attack_softmax_linear(context: RunContext) -> Evidence:
    """The softmax time is less than its linearised law."""
    return probe_evidence(context, [SOFTMAX_BOX], "the softmax time is below its linearised law")


def _order_probe(side: int) -> Probe:
    return Probe(
        "2 <= n <= 10^4, beta lambda <= 10",
        [2, 1e-3, 1e-3],
        [1e4, 10, 0.9999],
        lambda points: softmax_order(points, side),
        ORDER_CORNERS,
        logarithmic=(0, 1),
        whole=(0,),
    )


@attack("thm25.softmax_linear", part="order_below")
def attack_order_below(context: RunContext) -> Evidence:
    """The time from 0 is at least [ln n + ln(g/(1-g))]/(2 lambda)."""
    return probe_evidence(context, [_order_probe(-1)], "the softmax time is at least its logarithmic order")


@attack("thm25.softmax_linear", part="order_above")
def attack_order_above(context: RunContext) -> Evidence:
    """The time from 0 is at most (1 + (e^a - 1)/n) times that order and a term of size 1/n."""
    return probe_evidence(
        context, [_order_probe(1)], "the softmax time is at most its logarithmic order and O(ln n / n)"
    )


def relu_linear_margin(points: Array) -> tuple[Array, Array]:
    """(n/2) ln(gamma1/gamma0) less lambda^2 T, relative to the sum of the closed form's terms: (n, s, r)."""
    n, s, r = points.T
    gamma1 = r * (n - 2) / (n - 1)
    gamma0 = s * gamma1
    inside = (n >= 3) & (gamma0 > 0) & (gamma0 < gamma1)
    safe0, safe1 = np.where(inside, gamma0, 0.1), np.where(inside, gamma1, 0.2)
    bound = n * np.log(safe1 / safe0) / 2
    size = bound + (n - 1) * np.abs(np.log1p((n - 1) * safe1) - np.log1p((n - 1) * safe0)) + 1
    return np.where(inside, bound - relu_times(n, safe0, safe1), np.nan), 16 * EPSILON * (size + n)


def relu_order(points: Array, side: int) -> tuple[Array, Array]:
    """The two-sided bound on 2 lambda^2 T: (n, gamma0, t), gamma1 = gamma0 + t (1 - gamma0)."""
    n, gamma0, t = points.T
    gamma1 = gamma0 + t * (1 - gamma0)
    inside = (gamma1 > gamma0) & (gamma1 < 1)
    gamma1 = np.where(inside, gamma1, (1 + gamma0) / 2)
    leading = 1 / gamma0 - 1 / gamma1 + np.log(gamma1 * (1 - gamma0) / (gamma0 * (1 - gamma1)))
    time = 2 * relu_times(n, gamma0, gamma1)
    size = n * (1 + np.abs(np.log(gamma1 / gamma0))) + n * np.log1p(n) + 1 / gamma0 - np.log1p(-gamma1)
    margin = leading - time if side > 0 else time - (leading - 1 / (2 * (n - 1) * gamma0**2))
    return np.where(inside, margin, np.nan), 32 * EPSILON * (size + 1 / (1 - gamma1))


@attack("thm25.relu_linear", part="bound")
def attack_relu_linear(context: RunContext) -> Evidence:
    """The ReLU time is less than its linearised law."""
    probe = Probe(
        "3 <= n <= 10^4",
        [3, 1e-6, 1e-3],
        [1e4, 1, 1],
        relu_linear_margin,
        lattice([3, 4, 7, 100, 1e4], [1e-6, 1 / 3, 0.99], [1e-3, 1 / 3, 1]),
        logarithmic=(0, 1, 2),
        whole=(0,),
    )
    return probe_evidence(context, [probe], "the ReLU time is below its linearised law")


def _relu_probe(side: int) -> Probe:
    return Probe(
        "2 <= n <= 10^4",
        [2, 1e-3, 1e-6],
        [1e4, 0.999, 0.9999],
        lambda points: relu_order(points, side),
        lattice([2, 3, 10, 1e4], [1e-3, 1 / 8, 1 / 3, 0.9], [1e-6, 1 / 3, 0.99]),
        logarithmic=(0, 1, 2),
        whole=(0,),
    )


@attack("thm25.relu_linear", part="order_above")
def attack_relu_above(context: RunContext) -> Evidence:
    """2 lambda^2 T is at most its limit, whatever n."""
    return probe_evidence(context, [_relu_probe(1)], "the ReLU time is at most its limit for many tokens")


@attack("thm25.relu_linear", part="order_below")
def attack_relu_below(context: RunContext) -> Evidence:
    """2 lambda^2 T is at least its limit less 1/(2 (n - 1) gamma0^2)."""
    return probe_evidence(context, [_relu_probe(-1)], "the ReLU time is within 1/(2 (n-1) gamma0^2) of its limit")
