"""Theorem 27, attention entropy: flows of all tokens, and searches.

Notation: a = beta lambda (1 - gamma), p = e^a / (e^a + n - 1), S = ln(e^a + n - 1) - a p.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Field, entropies
from antumbra.numerics.flows.compare import EPSILON, Finding, Quantity, Rates, flow_evidence, summarise
from antumbra.numerics.flows.paths import (
    Path,
    any_scales,
    balance_paths,
    mean_gamma,
    path,
    positive_scales,
    run,
    sampled,
)
from antumbra.numerics.flows.probing import Probe, probe_evidence
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.flows.thm22 import gamma_rate_sa
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def entropy_quantity(start: Path) -> Quantity:
    """The entropy of each head, the mean over tokens.

    By the identity of Theorem 27's first line dS = -beta^2 Cov_p(s, ds), and |Cov_p(s, ds)| <= 2 |lambda| max |ds|,
    |ds| <= 2 |lambda| R e when every token moves by e: at most 4 (beta lambda R)^2 e. The rounding of an entropy, a
    logarithm of a sum of n weights less a mean of scores, is at most 8 (n + d)(1 + beta |lambda|) ulps.
    """
    system = start.system
    product = system.beta * np.abs(start.scales)

    def sensitivity(radius: float) -> Array:
        return np.asarray(4 * (product * radius) ** 2)

    def rounding(radius: float) -> Array:
        return np.asarray(8 * EPSILON * (system.n + system.d) * (1 + product * radius**2))

    return Quantity(lambda tokens: np.asarray(entropies(system.at(tokens)).mean(axis=1)), sensitivity, rounding)


def entropy_rates(start: Path) -> Rates:
    """dS/dgamma times the closed rate of gamma, for each head."""
    beta, n, scales = start.system.beta, start.system.n, start.scales

    def rates(tokens: Array) -> Array:
        gamma = mean_gamma(tokens)
        own = np.exp(beta * scales * (1 - gamma))
        p = own / (own + n - 1)
        slope = (beta * scales) ** 2 * (1 - gamma) * p * (1 - p)
        return np.asarray(slope * gamma_rate_sa(scales, beta, n, gamma))

    return rates


def _balance(starts: list[Path], rates: Any, sense: Any) -> list[Finding]:
    """As `balance_paths`, the quantity being made from the path."""
    findings = []
    for start in starts:
        quantity = entropy_quantity(start)
        findings += balance_paths([start], lambda _system, q=quantity: q, rates, sense=sense)  # type: ignore[misc]
    return findings


def no_rates(start: Path) -> Rates:
    """Zero for each head."""
    return lambda _tokens: np.zeros(len(start.scales))


@evidence("thm27.general.amended", kind=Kind.FLOW, part="chain")
def chain(context: RunContext) -> Evidence:
    """Each head's entropy changes by the integral of (dS/dgamma) (dgamma/dt), scales of either sign."""
    findings = _balance(list(sampled(context, Field.SA, any_scales)), entropy_rates, "equal")
    return flow_evidence(findings, "each head's entropy changes by the integral of its slope times gamma's rate")


@evidence("thm27.general.amended", kind=Kind.FLOW, part="while_approaching")
def while_approaching(context: RunContext) -> Evidence:
    """Entropies do not fall where gamma does not, scales of either sign."""
    approaching = []
    for start in sampled(context, Field.SA, any_scales):
        gammas = np.linspace(start.gamma, 1, 101)[:-1]
        if all(gamma_rate_sa(start.scales, start.system.beta, start.system.n, float(g)) >= 0 for g in gammas):
            approaching.append(start)
    findings = _balance(approaching, no_rates, "at_least")
    return flow_evidence(findings, "no head's entropy falls while the tokens approach each other")


@evidence("thm27.general.amended", kind=Kind.FLOW, part="nonnegative_scales")
def nonnegative_scales(context: RunContext) -> Evidence:
    """Entropies do not fall if no scale is negative."""
    findings = _balance(list(sampled(context, Field.SA, positive_scales)), no_rates, "at_least")
    return flow_evidence(findings, "with positive heads no head's entropy falls between two states")


def late_paths(context: RunContext) -> Iterator[Path]:
    """Positive heads and tokens that have nearly met."""
    rng = context.rng("deficit")
    for _ in range(context.budget.samples):
        n = int(rng.integers(2, context.budget.largest_n + 1))
        scales = positive_scales(rng, int(rng.integers(1, 3))) * 0.5 + 0.2
        yield path(rng, n, scales, float(rng.uniform(0.1, 0.8)), float(rng.uniform(0.97, 0.995)), Field.SA)


def decay_findings(context: RunContext, exponent: float = 4.0) -> list[Finding]:
    """ln(ln n - S) against -4 Lambda t between two late times.

    If ln n - S lies between e^-|a| and e^|a| times (n-1) (beta lambda)^2 (1 - gamma)^2 / (2 n^2), its logarithm falls
    by 4 Lambda t up to |a| at both ends and twice what ln[(1 - gamma) e^(2 Lambda t)] changes, which is at most
    n (1 + beta max lambda) (1 - gamma), as the integrand of `thm22.late` is bounded by the first two factors. S is that
    of the tokens; an error e of it changes the logarithm by at most 2 e / deficit at either end.
    """
    findings = []
    for start in late_paths(context):
        beta, scales, n = start.system.beta, start.scales, start.system.n
        total = float(scales.sum())
        track = run(start, longest=1.0 / total)
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        quantity = entropy_quantity(start)
        deficits = [math.log(n) - quantity.value(tokens) for tokens in (track.tokens[0], track.tokens[-1])]
        fall = np.log(deficits[0] / deficits[1])
        claimed = exponent * total * float(track.times[-1])
        left = 1 - mean_gamma(track.tokens[0])
        error = quantity.sensitivity(track.radius) * track.errors[-1] + quantity.rounding(track.radius)
        allowed = 2 * beta * scales * left + 2 * n * (1 + beta * float(scales.max())) * left + 4 * error / deficits[1]
        findings.append(Finding(start.label, summarise(np.abs(fall - claimed), allowed, fall / allowed)))
    return findings


def deficit_findings(context: RunContext, side: int, factor: float = 1.0) -> list[Finding]:
    """The tokens' ln n - S against its upper (side 1) or lower (side -1) bound along trajectories.

    The bound is (n-1) a^2 e^(side |a|) / (2 n^2) with a = beta lambda (1 - gamma), gamma the tokens'. An error e of the
    tokens moves S by its sensitivity and the bound by at most (n-1)/n^2 (beta lambda)^2 (2 + |a|) e^|a| times 2 e.
    """
    findings = []
    for start in (*late_paths(context), *sampled(context, Field.SA, positive_scales, least_gamma=0.0)):
        beta, scales, n = start.system.beta, start.scales, start.system.n
        track = run(start, longest=1.0 / float(scales.sum()))
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        quantity = entropy_quantity(start)
        deficits = math.log(n) - np.stack([quantity.value(tokens) for tokens in track.tokens])
        left = 1 - np.array([mean_gamma(tokens) for tokens in track.tokens])
        a = np.abs(np.multiply.outer(left, beta * scales))
        bound = factor * (n - 1) * a**2 * np.exp(side * a) / (2 * n**2)
        slope = 2 * (n - 1) / n**2 * (beta * scales) ** 2 * (2 + a) * np.exp(a)
        allowed = (quantity.sensitivity(track.radius) + slope) * (track.errors + EPSILON * n)[:, None]
        allowed = allowed + quantity.rounding(track.radius) + EPSILON * (1 + math.log(n))
        findings.append(Finding(start.label, summarise(side * (deficits - bound), allowed, deficits / allowed)))
    return findings


@evidence("thm27.deficit_rate", kind=Kind.FLOW, part="rate_upper")
def deficit_upper(context: RunContext) -> Evidence:
    """The deficit stays below its bound; the factors e^(4 Lambda t) of both sides are equal and positive."""
    return flow_evidence(deficit_findings(context, 1), "the tokens' entropy deficit stays below its upper bound")


@evidence("thm27.deficit_rate", kind=Kind.FLOW, part="rate_lower")
def deficit_lower(context: RunContext) -> Evidence:
    """The deficit stays above its bound, and so decays as e^(-4 Lambda t) between late times."""
    findings = deficit_findings(context, -1) + decay_findings(context)
    what = "the tokens' entropy deficit stays above its lower bound and falls at 4 Lambda between late times"
    return flow_evidence(findings, what, error="what the integrator's error and the bounds allow")


# --- the identity ----------------------------------------------------------------------------------------------------


def covariance_probe(n: int) -> Probe:
    """The entropy's rate against -beta^2 Cov_p(s, s'), by a complex step: (s, s', beta)."""

    def margin(points: Array) -> tuple[Array, Array]:
        scores, rates, beta = points[:, :n], points[:, n : 2 * n], points[:, 2 * n :]
        step = 1e-30
        exponents = beta * (scores + 1j * step * rates)
        exponents = exponents - (beta * scores).max(axis=1, keepdims=True)
        weights = np.exp(exponents)
        p = weights / weights.sum(axis=1, keepdims=True)
        logarithms = exponents - np.log(weights.sum(axis=1, keepdims=True))
        left = -(p * logarithms).sum(axis=1).imag / step
        q = p.real
        mean, mean_rate = (q * scores).sum(axis=1), (q * rates).sum(axis=1)
        covariance = (q * (scores - mean[:, None]) * (rates - mean_rate[:, None])).sum(axis=1)
        right = -(beta[:, 0] ** 2) * covariance
        size = beta[:, 0] * np.abs(rates).max(axis=1) * (1 + beta[:, 0] * np.abs(scores).max(axis=1))
        # Sums of n terms; exponents up to beta max |s| carry that many ulps into every weight.
        slack = EPSILON * 32 * (n + 4) * (1 + beta[:, 0] * np.abs(scores).max(axis=1)) * size
        return -np.abs(left - right), slack

    special = np.array(
        [
            [*first[:n], *second[:n], beta]
            for first in ([0.0] * 9, [1 / 3] * 9, [5.0, *[-5.0] * 8], [index / 7 for index in range(9)])
            for second in ([0.0] * 9, [1.0, *[0.0] * 8], [(-1.0) ** index / 3 for index in range(9)])
            for beta in (1e-3, 1 / 3, 10.0)
        ]
    )
    box = [5.0] * (2 * n)
    return Probe(f"n = {n}", [-5.0] * (2 * n) + [1e-3], [*box, 10.0], margin, special, logarithmic=(2 * n,))


@attack("thm27.identity", part="rate")
def attack_identity(context: RunContext) -> Evidence:
    """The entropy's rate is -beta^2 Cov_p(s, s'), for any scores and rates."""
    probes = [covariance_probe(n) for n in (1, 2, 3, 5, 8)]
    return probe_evidence(context, probes, "the entropy's rate is -beta^2 times the covariance of scores and rates")
