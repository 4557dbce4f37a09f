"""Theorem 19, critical inverse temperature: energies beyond it, and searches.

Notation: m = n - 1, k = H - 1, c*(H) = (sqrt(k^2 + 4) - k)/2,
2 alpha beta* = ln(c*^2 m / (1 - c*^2)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Field
from antumbra.numerics.flows.compare import EPSILON, Rates, flow_evidence, head_energy_quantity
from antumbra.numerics.flows.paths import Path, any_scales, balance_paths, mean_gamma, path, positive_scales, sampled
from antumbra.numerics.flows.probing import Probe, identity, lattice, probe_evidence
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def head_rates(start: Path) -> Rates:
    """dE_h/dt = ((n-1)/n^2) (1-g)(1+(n-1)g) lambda_h e^(beta lambda_h g) sum_k lambda_k e^(beta lambda_k g)."""
    beta, n, scales = start.system.beta, start.system.n, start.scales

    def rates(tokens: Array) -> Array:
        gamma = mean_gamma(tokens)
        pulls = scales * np.exp(beta * scales * gamma)
        return np.asarray((n - 1) / n**2 * (1 - gamma) * (1 + (n - 1) * gamma) * pulls * pulls.sum())

    return rates


@evidence("thm19.not_a_breakdown", kind=Kind.FLOW, part="rate")
def not_a_breakdown_rate(context: RunContext) -> Evidence:
    """Each head's energy on the equiangular path changes by the integral of its closed rate."""
    findings = balance_paths(sampled(context, Field.USA, any_scales), head_energy_quantity, head_rates)
    return flow_evidence(findings, "each head's energy changes by the integral of its closed rate")


def beta_star(heads: int, n: int, alpha: float) -> float:
    """beta*, in floating point."""
    return (math.log((n - 1) / (heads - 1)) - math.asinh((heads - 1) / 2)) / (2 * alpha)


def beyond(context: RunContext) -> Iterator[Path]:
    """Equal heads at temperatures beyond beta*, from orthogonal tokens; different positive heads too."""
    rng = context.rng("beyond")
    for index in range(context.budget.samples):
        heads = int(rng.integers(2, context.budget.largest_heads + 1))
        n = int(rng.integers(3, context.budget.largest_n + 1))
        if index % 2:
            scales = positive_scales(rng, heads)
            yield path(rng, n, scales, float(rng.uniform(1.0, 3.0)), float(rng.uniform(0.0, 0.5)), Field.USA)
            continue
        alpha = float(rng.uniform(0.5, 1.5))
        beta = max(0.3, beta_star(heads, n, alpha)) * float(rng.uniform(1.05, 2.0))
        yield path(rng, n, [alpha] * heads, beta, 0.0, Field.USA)


@evidence("thm19.not_a_breakdown", kind=Kind.FLOW, part="still_rises")
def not_a_breakdown(context: RunContext) -> Evidence:
    """Beyond beta* the energies of positive heads rise between any two states of a trajectory."""
    findings = balance_paths(
        beyond(context),
        head_energy_quantity,
        lambda start: lambda _tokens: np.zeros(len(start.scales)),
        sense="at_least",
    )
    return flow_evidence(findings, "beyond beta* no head's energy falls between two states")


# --- searches --------------------------------------------------------------------------------------------------------


def c_star(k: Array) -> Array:
    """c* for H - 1 = k, free of cancellation."""
    return np.asarray(2 / (k + np.sqrt(k * k + 4)))


def doubled(m: Array, k: Array) -> Array:
    """2 alpha beta* by its definition, ln(c*^2 m / (1 - c*^2))."""
    c = c_star(k)
    return np.asarray(np.log(c * c * m / (1 - c * c)))


LOG_ERROR = 64 * EPSILON
"""Rounding of `doubled`: 1 - c*^2 = k c* loses nothing beyond a few ulps for k >= 1, and the logarithm is absolute."""


def _sign_probe(name: str, heads: tuple[float, float]) -> Probe:
    """beta* > 0 iff n > 1/c*^2: where both sides are decided, their signs agree."""

    def margin(points: Array) -> tuple[Array, Array]:
        n, k = points[:, 0], points[:, 1] - 1
        value, excess = doubled(n - 1, k), n * c_star(k) ** 2 - 1
        agree = np.sign(value) * np.sign(excess)
        size = np.minimum(np.abs(value), np.abs(excess))
        slack = LOG_ERROR * (1 + n)
        return np.where(size > slack, agree * size, 0.0), slack

    close = np.array([[math.floor(h * h) + 2 + shift, h] for h in range(2, 12) for shift in (-2, -1, 0, 1, 2)])
    exact = np.array(
        [[math.floor(1 / float(c_star(np.array(h - 1.0))) ** 2) + shift, h] for h in range(2, 40) for shift in (0, 1)]
    )
    special = np.concatenate([close, exact, lattice([2, 3, 5, 6, 7, 100, 1e6], [2, 3, 4, 10, 100])])
    kept = (special[:, 1] >= heads[0]) & (special[:, 1] <= heads[1]) & (special[:, 0] >= 2)
    return Probe(name, [2, heads[0]], [2000, heads[1]], margin, special[kept], logarithmic=(0, 1), whole=(0, 1))


@attack("thm19.positive_iff", part="positive_iff")
def attack_positive_iff(context: RunContext) -> Evidence:
    """beta* > 0 iff n > 1/c*^2, for integers n and H."""
    return probe_evidence(context, [_sign_probe("2 <= H <= 60", (2, 60))], "beta* > 0 exactly if n > 1/c*^2")


def _threshold_probe(heads: int, first: int) -> Probe:
    """beta* is positive from n = first on, and not below."""

    def margin(points: Array) -> tuple[Array, Array]:
        n = points[:, 0]
        value = doubled(n - 1, np.full_like(n, heads - 1.0))
        return np.where(n >= first, value, -value), np.full_like(n, LOG_ERROR)

    return Probe(f"H = {heads}", [2], [10_000], margin, lattice(range(2, 40)), logarithmic=(0,), whole=(0,))


@attack("thm19.positive_iff", part="two_heads")
def attack_two_heads(context: RunContext) -> Evidence:
    """H = 2: positive from n = 3 on."""
    return probe_evidence(context, [_threshold_probe(2, 3)], "for two heads beta* is positive exactly from n = 3 on")


@attack("thm19.positive_iff", part="three_heads")
def attack_three_heads(context: RunContext) -> Evidence:
    """H = 3: positive from n = 6 on."""
    return probe_evidence(context, [_threshold_probe(3, 6)], "for three heads beta* is positive exactly from n = 6 on")


def rises_in_tokens(points: Array) -> tuple[Array, Array]:
    """beta* at m (1 + t) against beta* at m, t > 0: (m, k, t)."""
    m, k, t = points.T
    return doubled(m * (1 + t), k) - doubled(m, k), np.full_like(m, LOG_ERROR)


def falls_in_heads(points: Array) -> tuple[Array, Array]:
    """beta* at k against beta* at k (1 + t), t > 0: (m, k, t)."""
    m, k, t = points.T
    # Below k = 1 (H real) 1 - c*^2 = k c* is small and its subtraction loses ulps in proportion to 1/k.
    return doubled(m, k) - doubled(m, k * (1 + t)), LOG_ERROR * (1 + 1 / k)


def scales_inversely(points: Array) -> tuple[Array, Array]:
    """The ratio |a|/||f|| at beta* = (beta* at alpha = 1)/alpha is c* whatever alpha: (m, k, alpha)."""
    m, k, alpha = points.T
    beta = doubled(m, k) / (2 * alpha)
    ratio = np.exp(beta * alpha) / np.sqrt(np.exp(2 * beta * alpha) + m)
    inside = beta > 0
    left, right = np.where(inside, ratio, np.nan), c_star(k)
    return identity(left, right, np.ones_like(m), 64 * (1 + np.abs(beta * alpha)))


BOX = ([1e-2, 1e-2, 1e-6], [1e5, 1e3, 10.0])
CORNERS = lattice([1, 2, 5, 1 / 3, 63, 1e5], [1, 2, 1 / 3, 7, 100], [1e-6, 1 / 3, 1])


@attack("thm19.monotone", part="in_tokens")
def attack_in_tokens(context: RunContext) -> Evidence:
    """beta* rises in n."""
    probe = Probe("real n, H", *BOX, rises_in_tokens, CORNERS, logarithmic=(0, 1, 2))
    return probe_evidence(context, [probe], "beta* rises with the number of tokens")


@attack("thm19.monotone", part="in_heads")
def attack_in_heads(context: RunContext) -> Evidence:
    """beta* falls in H."""
    probe = Probe("real n, H", *BOX, falls_in_heads, CORNERS, logarithmic=(0, 1, 2))
    return probe_evidence(context, [probe], "beta* falls with the number of heads")


@attack("thm19.monotone", part="in_scale")
def attack_in_scale(context: RunContext) -> Evidence:
    """beta* scales as 1/alpha."""
    probe = Probe("real n, H, alpha", *BOX, scales_inversely, CORNERS, logarithmic=(0, 1, 2))
    return probe_evidence(context, [probe], "at beta* taken as a multiple of 1/alpha the ratio is c* for every alpha")
