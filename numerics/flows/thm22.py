"""Theorem 22, heterogeneous heads: flows of all tokens, and closed forms to fifty digits by two routes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Field
from antumbra.numerics.flows.compare import (
    Comparison,
    Finding,
    Rates,
    flow_evidence,
    summarise,
)
from antumbra.numerics.flows.paths import (
    Path,
    any_scales,
    balance_paths,
    gamma_quantity,
    mean_gamma,
    off_diagonal,
    path,
    positive_scales,
    run,
    sampled,
)
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def gamma_rate_sa(scales: Array, beta: float, n: int, gamma: float) -> float:
    """2 (1 - g)(1 + (n - 1) g) sum_h lambda_h / (e^(beta lambda_h (1 - g)) + n - 1)."""
    total = float((scales / (np.exp(beta * scales * (1 - gamma)) + n - 1)).sum())
    return 2 * (1 - gamma) * (1 + (n - 1) * gamma) * total


def gamma_rate_usa(scales: Array, beta: float, n: int, gamma: float) -> float:
    """(2/n) (1 - g)(1 + (n - 1) g) sum_h lambda_h e^(beta lambda_h g)."""
    total = float((scales * np.exp(beta * scales * gamma)).sum())
    return 2 / n * (1 - gamma) * (1 + (n - 1) * gamma) * total


GammaRate = Callable[[Array, float, int, float], float]


def closed(rate: GammaRate) -> Callable[[Path], Rates]:
    """A closed rate of gamma as a function of the tokens, read at their mean inner product."""

    def of(start: Path) -> Rates:
        beta, n = start.system.beta, start.system.n
        return lambda tokens: np.array([rate(start.scales, beta, n, mean_gamma(tokens))])

    return of


def spread_findings(context: RunContext) -> list[Finding]:
    """The spread of the inner products of distinct tokens along flows that start equiangular.

    Each inner product differs from that of the exact equiangular trajectory by at most 2 delta + delta^2, so the spread
    is at most twice that.
    """
    findings = []
    for field in (Field.USA, Field.SA):
        for start in sampled(context, field, any_scales, purpose=field.value):
            track = run(start)
            if track is None:
                findings.append(Finding(start.label, None))
                continue
            products = np.stack([off_diagonal(tokens) for tokens in track.tokens])
            allowed = (4.1 * track.errors + 1e-15 * start.system.d)[1:]
            spread = (products.max(axis=1) - products.min(axis=1))[1:]
            moved = np.abs(products - products[0]).max(axis=1)[1:]
            # Two tokens have one inner product, which says nothing.
            moved = moved if start.system.n > 2 else np.zeros_like(moved)
            findings.append(Finding(start.label, summarise(spread, allowed, moved / allowed)))
    return findings


@evidence("thm22.invariance", kind=Kind.FLOW)
def invariance(context: RunContext) -> Evidence:
    """Equiangular tokens stay equiangular under USA and SA."""
    return flow_evidence(spread_findings(context), "tokens that start equiangular stay so", fields=["USA", "SA"])


@evidence("thm22.ode_sa", kind=Kind.FLOW)
def ode_sa(context: RunContext) -> Evidence:
    """The common inner product changes by the integral of its closed rate under SA."""
    findings = balance_paths(sampled(context, Field.SA, any_scales), gamma_quantity, closed(gamma_rate_sa))
    return flow_evidence(findings, "the common inner product changes by the integral of its closed rate under SA")


@evidence("thm22.ode_usa", kind=Kind.FLOW)
def ode_usa(context: RunContext) -> Evidence:
    """The common inner product changes by the integral of its closed rate under USA."""
    findings = balance_paths(sampled(context, Field.USA, any_scales), gamma_quantity, closed(gamma_rate_usa))
    return flow_evidence(findings, "the common inner product changes by the integral of its closed rate under USA")


# --- late times ------------------------------------------------------------------------------------------------------


def late_integral(scales: Array, beta: float, n: int, lower: float, upper: float) -> float:
    """The integral of [Lambda / rho(g) - 1] / (1 - g) over [lower, upper] <= 1, by Gauss-Legendre with 60 nodes.

    In d = 1 - g the integrand is K(d) = sum_h w_h (a_h X(a_h d) + n - 1) / ((n - (n-1) d) sum_h w_h) with
    w_h = lambda_h / (e^(a_h d) + n - 1), a_h = beta lambda_h, X(z) = (e^z - 1)/z, less 1/d - 1/d: analytic around the
    interval, so that 60 nodes on each of 8 pieces leave nothing above rounding.
    """
    nodes, weights = np.polynomial.legendre.leggauss(60)
    edges = np.linspace(1 - upper, 1 - lower, 9)
    total = 0.0
    for left, right in itertools.pairwise(edges):
        d = (left + right) / 2 + (right - left) / 2 * nodes
        exponents = np.multiply.outer(beta * scales, d)
        share = scales[:, None] / (np.exp(exponents) + n - 1)
        safe = np.where(exponents == 0, 1.0, exponents)
        growth = np.where(exponents == 0, 1.0, np.expm1(exponents) / safe)
        numerator = (share * (beta * scales[:, None] * growth + n - 1)).sum(axis=0)
        total += float((weights * numerator / ((n - (n - 1) * d) * share.sum(axis=0))).sum() * (right - left) / 2)
    return total


def late_findings(context: RunContext, exponent: float = 2.0) -> list[Finding]:
    """ln[(1 - gamma(t)) e^(2 Lambda t)] against ln C at late times, C from the start by the claimed integral.

    From time t on it may still change by the integral of the same integrand from gamma(t) to 1, which is what the limit
    leaves to come. An error e of gamma is one of e / (1 - gamma - e) in the logarithm.
    """
    rng = context.rng("late")
    findings = []
    for _ in range(context.budget.samples):
        n = int(rng.integers(2, context.budget.largest_n + 1))
        scales = positive_scales(rng, int(rng.integers(1, context.budget.largest_heads + 1))) / 2
        beta, gamma = float(rng.uniform(0.1, 1.5)), float(rng.uniform(0.0, 0.6))
        start = path(rng, n, scales, beta, gamma, Field.SA)
        total = float(scales.sum())
        track = run(start, longest=4 / total)
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        gammas = np.array([mean_gamma(tokens) for tokens in track.tokens])
        constant = math.log1p(-gamma) + late_integral(scales, beta, n, gamma, 1.0)
        to_come = np.array([late_integral(scales, beta, n, min(float(g), 1.0), 1.0) for g in gammas])
        reached = np.log(1 - gammas) + exponent * total * track.times + to_come
        error = 2 * track.errors + 1e-15 * n
        allowed = error / np.maximum(1 - gammas - error, 1e-300) * (1 + n * (1 + beta)) + 1e-13
        discrepancy = np.abs(reached - constant)
        movement = np.abs(np.log((1 - gammas) / (1 - gamma))) / allowed
        findings.append(Finding(start.label, summarise(discrepancy[1:], allowed[1:], movement[1:])))
    return findings


@evidence("thm22.late", kind=Kind.FLOW)
def late_flow(context: RunContext) -> Evidence:
    """(1 - gamma(t)) e^(2 Lambda t) tends to C."""
    findings = late_findings(context)
    return flow_evidence(findings, "(1 - gamma) e^(2 Lambda t) is C but for what the integral leaves to come")


# --- unnormalised heads: every split is faster -----------------------------------------------------------------------


def split_findings(context: RunContext) -> list[Finding]:
    """Different positive heads against equal heads of the same number and total, under USA, from the same gamma0 >= 0.

    At each common time the inner product of the different heads must be the larger, strictly once it counts; that the
    flow is faster at every gamma then gives the smaller time to any gamma1.
    """
    findings = []
    for start in sampled(context, Field.USA, positive_scales, least_gamma=0.0, most_gamma=0.7, least_heads=2):
        rng = context.rng("equal heads")
        heads, total = len(start.scales), float(start.scales.sum())
        even = path(rng, start.system.n, [total / heads] * heads, start.system.beta, start.gamma, Field.USA)
        faster, slower = run(start), run(even, longest=1e9)
        if faster is None or slower is None:
            findings.append(Finding(start.label, None))
            continue
        horizon = min(float(faster.times[-1]), float(slower.times[-1]))
        fast, slow = run(start, longest=horizon), run(even, longest=horizon)
        if fast is None or slow is None or fast.times[-1] != slow.times[-1]:
            findings.append(Finding(start.label, None))
            continue
        lead = mean_gamma(fast.tokens[-1]) - mean_gamma(slow.tokens[-1])
        allowed = 2.1 * float(fast.errors[-1] + slow.errors[-1]) + 1e-14
        findings.append(Finding(start.label, Comparison(-lead / allowed, -lead, allowed, abs(lead) / allowed)))
    return findings


@evidence("thm22.superadditive_usa", kind=Kind.FLOW)
def superadditive_usa(context: RunContext) -> Evidence:
    """Any heterogeneous split of positive heads is faster under USA, from gamma0 >= 0."""
    return flow_evidence(split_findings(context), "different heads are ahead of equal ones of the same total under USA")
