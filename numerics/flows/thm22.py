"""Theorem 22, heterogeneous heads: flows of all tokens, and searches."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Field, System, normalised
from antumbra.numerics.flows.compare import (
    EPSILON,
    Comparison,
    Finding,
    Rates,
    flow_evidence,
    summarise,
)
from antumbra.numerics.flows.paths import (
    Path,
    Scales,
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
from antumbra.numerics.flows.probing import Probe, lattice, probe_evidence
from antumbra.numerics.flows.sampling import SYMMETRIC, configurations
from antumbra.numerics.flows.stated import attack
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


def spread_findings(context: RunContext, field: Field, scales: Scales = any_scales) -> list[Finding]:
    """The spread of the inner products of distinct tokens along flows that start equiangular.

    Each inner product differs from that of the exact equiangular trajectory by at most 2 delta + delta^2, so the spread
    is at most twice that.
    """
    findings = []
    for start in sampled(context, field, scales, purpose=field.value):
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


@evidence("thm22.invariance", kind=Kind.FLOW, part="usa")
def invariance_usa(context: RunContext) -> Evidence:
    """Equiangular tokens stay equiangular under USA."""
    return flow_evidence(spread_findings(context, Field.USA), "tokens that start equiangular stay so under USA")


@evidence("thm22.invariance", kind=Kind.FLOW, part="sa")
def invariance_sa(context: RunContext) -> Evidence:
    """Equiangular tokens stay equiangular under SA."""
    return flow_evidence(spread_findings(context, Field.SA), "tokens that start equiangular stay so under SA")


def gram_findings(context: RunContext, field: Field, tilt: float = 0.0) -> list[Finding]:
    """The inner products of tokens and of the same tokens turned into a space of one more dimension, side by side.

    Both starts have one Gram matrix up to 8 (n + d) ulps in every token, so both flows have one Gram matrix up to
    2.1 times the errors of each, enlarged as in `antumbra.numerics.flows.paths`.
    """
    rng = context.rng(f"gram {field.value}")
    findings = []
    for instance in configurations(context, {"scalar": SYMMETRIC["scalar"]}, field=field, least_n=2):
        system = instance.system
        scales = np.asarray(system.scores[:, 0, 0])
        d = system.d + 1
        turned: Array = np.pad(system.tokens, ((0, 0), (0, 1))) @ sample.random_rotation(rng, d)
        turned = normalised(turned + tilt * rng.standard_normal(turned.shape))
        heads = sample.scalar_heads(scales, d)
        other = System(turned, heads, heads, system.beta, field)
        tracks = [run(Path(member, scales, 0.0, instance.label), longest=2.0) for member in (system, other)]
        if tracks[0] is None or tracks[1] is None or tracks[0].times[-1] != tracks[1].times[-1]:
            findings.append(Finding(instance.label, None))
            continue
        ends = [off_diagonal(track.tokens[-1]) for track in tracks if track is not None]
        moved = np.abs(ends[0] - off_diagonal(system.tokens))
        allowed = np.full_like(moved, 2.1 * float(tracks[0].errors[-1] + tracks[1].errors[-1]) + 1e-15 * d)
        findings.append(Finding(instance.label, summarise(np.abs(ends[0] - ends[1]), allowed, moved / allowed)))
    return findings


@evidence("thm22.invariance", kind=Kind.FLOW, part="gram_usa")
def gram_usa(context: RunContext) -> Evidence:
    """Under USA with scalar heads the inner products move by themselves."""
    findings = gram_findings(context, Field.USA)
    return flow_evidence(findings, "tokens and turned tokens keep the same inner products under USA")


@evidence("thm22.invariance", kind=Kind.FLOW, part="gram_sa")
def gram_sa(context: RunContext) -> Evidence:
    """Under SA with scalar heads the inner products move by themselves."""
    findings = gram_findings(context, Field.SA)
    return flow_evidence(findings, "tokens and turned tokens keep the same inner products under SA")


@evidence("thm22.ode_sa", kind=Kind.FLOW, part="rate")
def ode_sa(context: RunContext) -> Evidence:
    """The common inner product changes by the integral of its closed rate under SA."""
    findings = balance_paths(sampled(context, Field.SA, any_scales), gamma_quantity, closed(gamma_rate_sa))
    return flow_evidence(findings, "the common inner product changes by the integral of its closed rate under SA")


@evidence("thm22.ode_usa", kind=Kind.FLOW, part="rate")
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


def late_findings(context: RunContext, exponent: float = 2.0, purpose: str = "late") -> list[Finding]:
    """ln[(1 - gamma(t)) e^(2 Lambda t)] against ln C at late times, C from the start by the claimed integral.

    From time t on it may still change by the integral of the same integrand from gamma(t) to 1, which is what the limit
    leaves to come. An error e of gamma is one of e / (1 - gamma - e) in the logarithm.
    """
    rng = context.rng(purpose)
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


@evidence("thm22.late", kind=Kind.FLOW, part="law")
def late_law(context: RunContext) -> Evidence:
    """(1 - gamma(t)) e^(2 Lambda t) is (1 - gamma0) exp of the integral from gamma0 to gamma(t)."""
    findings = late_findings(context)
    return flow_evidence(findings, "(1 - gamma) e^(2 Lambda t) is C but for what the integral leaves to come")


@evidence("thm22.late", kind=Kind.FLOW, part="converges")
def late_converges(context: RunContext) -> Evidence:
    """The same against the limit C, all heads' scales and the temperature drawn anew."""
    findings = late_findings(context, purpose="converges")
    return flow_evidence(findings, "(1 - gamma) e^(2 Lambda t) tends to C as the integral to come vanishes")


@evidence("thm22.late", kind=Kind.FLOW, part="speed")
def late_speed(context: RunContext) -> Evidence:
    """The common inner product changes by the integral of 2 (1 - gamma) rho(gamma)."""
    findings = balance_paths(sampled(context, Field.SA, any_scales), gamma_quantity, closed(gamma_rate_sa))
    return flow_evidence(findings, "the common inner product changes by the integral of 2 (1 - gamma) rho(gamma)")


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


@evidence("thm22.superadditive_usa", kind=Kind.FLOW, part="time")
def superadditive_usa(context: RunContext) -> Evidence:
    """Any heterogeneous split of positive heads is faster under USA, from gamma0 >= 0."""
    return flow_evidence(split_findings(context), "different heads are ahead of equal ones of the same total under USA")


# --- searches --------------------------------------------------------------------------------------------------------


def phi_over_scale(u: Array, m: Array) -> Array:
    """phi(lambda)/(2 lambda) at u = beta lambda, 1/(e^u + m)."""
    return np.asarray(1 / (np.exp(u) + m))


def ratio_falls(points: Array) -> tuple[Array, Array]:
    """phi/lambda at u and at u (1 + t), relative to the first: (u, t, m)."""
    u, t, m = points.T
    first, second = phi_over_scale(u, m), phi_over_scale(u * (1 + t), m)
    return 1 - second / first, EPSILON * 8 * (1 + u * (1 + t))


def subadditive(points: Array) -> tuple[Array, Array]:
    """phi(u) + phi(w) - phi(u + w), relative to the sum: (u, w, m)."""
    u, w, m = points.T
    apart = u * phi_over_scale(u, m) + w * phi_over_scale(w, m)
    return 1 - (u + w) * phi_over_scale(u + w, m) / apart, EPSILON * 16 * (1 + u + w)


def one_head(heads: int) -> Probe:
    """Sum phi(u_h) - phi(sum u_h), relative to the sum: (u_1, ..., u_H, m)."""

    def margin(points: Array) -> tuple[Array, Array]:
        u, m = points[:, :heads], points[:, heads]
        apart = (u * phi_over_scale(u, m[:, None])).sum(axis=1)
        together = u.sum(axis=1)
        return 1 - together * phi_over_scale(together, m) / apart, EPSILON * 16 * (heads + together)

    return Probe(
        f"H = {heads}",
        [1e-3] * heads + [1.0],
        [20.0] * heads + [1e4],
        margin,
        lattice(*([[1e-3, 1 / 3, 7.0]] * heads), [1, 2, 1e4]),
        logarithmic=tuple(range(heads + 1)),
    )


_BOX = ([1e-6, 1e-6, 1.0], [50.0, 50.0, 1e6])
_CORNERS = lattice([1e-6, 1 / 3, 2, 2.399, 50], [1e-6, 1 / 3, 2, 50], [1, 2, 7, 1e6])


@attack("thm22.literal_superadditive.amended", part="ratio_falls")
def attack_ratio_falls(context: RunContext) -> Evidence:
    """phi(lambda)/lambda falls strictly."""
    probe = Probe("beta lambda, 1 + t, n - 1", *_BOX, ratio_falls, _CORNERS, logarithmic=(0, 1, 2))
    return probe_evidence(context, [probe], "phi(lambda)/lambda falls")


@attack("thm22.literal_superadditive.amended", part="subadditive")
def attack_subadditive(context: RunContext) -> Evidence:
    """Phi is strictly subadditive."""
    probe = Probe("two scales, n - 1", *_BOX, subadditive, _CORNERS, logarithmic=(0, 1, 2))
    return probe_evidence(context, [probe], "phi is subadditive")


@attack("thm22.literal_superadditive.amended", part="one_head")
def attack_one_head(context: RunContext) -> Evidence:
    """Two or more positive heads are faster than one of the same total."""
    probes = [one_head(heads) for heads in range(2, 6)]
    return probe_evidence(context, probes, "several positive heads are faster than one of the same total")


def faster_usa(heads: int) -> Probe:
    """Sum of u_h e^(u_h g) less the same for equal heads, relative: (u_1, ..., u_H, g)."""

    def margin(points: Array) -> tuple[Array, Array]:
        u, gamma = points[:, :heads], points[:, heads]
        mean = u.mean(axis=1)
        apart = (u * np.exp(u * gamma[:, None])).sum(axis=1)
        even = heads * mean * np.exp(mean * gamma)
        return 1 - even / apart, EPSILON * 16 * (heads + u.max(axis=1))

    corners = lattice(*([[1e-3, 1 / 3, 7.0]] * heads), [1e-6, 1 / 3, 0.999])
    lower, upper = [1e-3] * heads + [1e-6], [20.0] * heads + [0.9999]
    return Probe(f"H = {heads}", lower, upper, margin, corners, logarithmic=tuple(range(heads + 1)))


@attack("thm22.superadditive_usa", part="faster")
def attack_faster_usa(context: RunContext) -> Evidence:
    """Heterogeneous positive heads are faster under USA at any gamma > 0."""
    probes = [faster_usa(heads) for heads in range(2, 5)]
    return probe_evidence(context, probes, "different positive heads are faster than equal ones under USA")
