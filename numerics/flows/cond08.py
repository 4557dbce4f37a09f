"""Condition 8, radial dominance: searches over systems that meet it, and over ratios.

Notation: f_h a head's output at a token, a_h = <f_h, x>, r_h = a_h / ||f_h||. Dominance of head h at a token reads
||f_h|| sum_{g != h} |a_g| <= ||P f_h||^2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import System, dominance_margins, energy_rates, normalised, operator_norms, ratios
from antumbra.numerics.flows.compare import EPSILON
from antumbra.numerics.flows.probing import Probe, hunt_evidence, hunt_systems, lattice, probe_evidence
from antumbra.numerics.flows.sampling import ORTHOGONAL, Instance, configurations
from antumbra.numerics.flows.stated import attack, attack_stated
from antumbra.numerics.registry import RunContext
from antumbra.proofs.claim import Evidence

Array = npt.NDArray[np.floating[Any]]


def orthogonal(context: RunContext) -> Iterator[Instance]:
    """Systems with orthogonal heads; from two heads on."""
    return configurations(context, ORTHOGONAL, least_heads=2, count=16 * context.budget.restarts)


def sufficient_margin(system: System) -> tuple[float, float]:
    """The least dE_h/dt over the heads that are dominant at every token; outside the hypotheses without such a head.

    The rate is the chain rule on the gradient of E_h. Its rounding, and that of the condition (a head just short of it
    may be taken for dominant), is counted in ulps of (sum_h e^(beta ||M_h||) ||M_h||)^2, the size of all terms.
    """
    margins = dominance_margins(system).min(axis=1)
    dominant = margins >= 0
    if not dominant.any():
        return math.nan, 0.0
    norms = operator_norms(system.scores).astype(np.float64)
    size = float((np.exp(system.beta * norms) * norms).sum()) ** 2
    ulps = 64 * (system.d**2 * (1 + system.beta * float(norms.max())) + system.n)
    return float(energy_rates(system)[dominant].min()), EPSILON * ulps * size


@attack("cond8.sufficient", part="monotone")
def attack_sufficient(context: RunContext) -> Evidence:
    """Where head h is dominant at every token, E_h does not fall."""
    hunt = hunt_systems(context, orthogonal(context), sufficient_margin)
    return hunt_evidence([hunt], "a head that is dominant at every token has an energy that does not fall")


def share_margin(system: System) -> tuple[float, float]:
    """1 less the largest sum of squared ratios over the tokens.

    A ratio inherits the relative rounding of its output: sums of n terms with exponents off by 2 d^2 beta ||M|| ulps,
    relative to the output's norm, which may be small by cancellation; outputs below 1e-3 of their weights are left out.
    """
    norms = operator_norms(system.scores).astype(np.float64)
    ulps = 64 * (system.d**2 * (1 + system.beta * float(norms.max())) + system.n)
    weights = np.exp(system.beta * ((system.tokens @ system.scores) @ system.tokens.T))
    outputs = np.linalg.norm(weights @ (system.tokens @ system.scores), axis=2)
    sizes = weights.sum(axis=2) * np.maximum(norms, 1e-300)[:, None]
    kept = ((outputs > 1e-3 * sizes) | (norms == 0)[:, None]).all(axis=0)
    if not kept.any():
        return math.nan, 0.0
    total = (ratios(system) ** 2).sum(axis=0)[kept]
    return 1 - float(total.max()), 2e3 * EPSILON * ulps


@attack("cond8.share_bound", part="bound")
def attack_share(context: RunContext) -> Evidence:
    """The squared ratios add up to at most 1."""
    hunt = hunt_systems(context, orthogonal(context), share_margin)
    return hunt_evidence([hunt], "the squared ratios of shadows to outputs add up to at most 1")


def quotient_margin(system: System) -> tuple[float, float]:
    """As `share_margin`, for systems all of whose heads have an output."""
    if float(operator_norms(system.scores).min()) == 0:
        return math.nan, 0.0
    return share_margin(system)


@attack("cond8.share_bound", part="quotients")
def attack_quotients(context: RunContext) -> Evidence:
    """The squared quotients add up to at most 1 if every head has an output."""
    hunt = hunt_systems(context, orthogonal(context), quotient_margin)
    return hunt_evidence([hunt], "the squared quotients of shadows and outputs add up to at most 1")


# --- ratios ----------------------------------------------------------------------------------------------------------


def largest_ratio(heads: int) -> float:
    """c*(H), rounded down so that it satisfies c^2 + (H - 1) c <= 1."""
    k = heads - 1
    value = 2 / (k + math.sqrt(k * k + 4))
    while value * value + k * value > 1:
        value = math.nextafter(value, 0)
    return value


def ratio_probe(heads: int) -> Probe:
    """Dominance of head 1, outputs of norm F, ratios r_h in [-c, c], c in [0, c*]: (c/c*, r_1/c, ..., r_H/c, F).

    The outputs are vectors of two dimensions, F (r, sqrt(1 - r^2)), the first axis being x; the margin is divided by
    F^2.
    """
    most = largest_ratio(heads)

    def margin(points: Array) -> tuple[Array, Array]:
        c = points[:, :1] * most
        r, norm = points[:, 1 : heads + 1] * c, points[:, heads + 1]
        shadows, across = norm[:, None] * r, norm[:, None] * np.sqrt(1 - r**2)
        lengths = np.hypot(shadows, across)
        others = np.abs(shadows[:, 1:]).sum(axis=1)
        return (across[:, 0] ** 2 - lengths[:, 0] * others) / norm**2, np.full(len(points), 16 * EPSILON * heads)

    edges = [-1.0, 0.0, 1 / 3, 1.0]
    special = lattice([0, 1 / 3, 1], *([edges] * min(heads, 4)), *([[1.0]] * max(heads - 4, 0)), [1e-3, 1 / 3, 1e3])
    lower, upper = [0.0] + [-1.0] * heads + [1e-3], [1.0] + [1.0] * heads + [1e3]
    return Probe(f"H = {heads}", lower, upper, margin, special, logarithmic=(heads + 1,))


def _ratio_probes() -> list[Probe]:
    return [ratio_probe(heads) for heads in (1, 2, 3, 4, 6)]


@attack("cond8.ratio_form", part="at_one_token")
def attack_ratio_one(context: RunContext) -> Evidence:
    """Equal outputs and ratios at most c with c^2 + (H-1) c <= 1 give dominance at a token."""
    return probe_evidence(context, _ratio_probes(), "equal outputs with ratios at most c give dominance at a token")


@attack("cond8.ratio_form", part="dominance")
def attack_ratio_form(context: RunContext) -> Evidence:
    """The same at every token of a system: its tokens are drawn apart, each as a point of the search."""
    return probe_evidence(context, _ratio_probes(), "equal outputs with ratios at most c give dominance at every token")


def enough_probe(heads: int) -> Probe:
    """||P f_1||^2 - a_1 sum a_g over F^2, outputs F (r, sqrt(1 - r^2)), |r| <= c <= 1/sqrt(H): (c sqrt(H), r/c)."""

    def margin(points: Array) -> tuple[Array, Array]:
        r = points[:, 1:] * points[:, :1] / math.sqrt(heads)
        value = 1 - r[:, 0] ** 2 - r[:, 0] * r[:, 1:].sum(axis=1)
        return value, np.full(len(points), 8 * EPSILON * heads)

    edges = [-1.0, 0.0, 1 / 3, 1.0]
    special = lattice([0, 1 / 3, 1], *([edges] * min(heads, 4)), *([[1.0]] * max(heads - 4, 0)))
    return Probe(f"H = {heads}", [0.0] + [-1.0] * heads, [1.0] * (heads + 1), margin, special)


@attack("cond8.sharp_constant", part="enough")
def attack_enough(context: RunContext) -> Evidence:
    """Equal outputs and ratios at most 1/sqrt(H) leave a head's rate not negative at each token."""
    probes = [enough_probe(heads) for heads in (2, 3, 4, 6, 9)]
    return probe_evidence(context, probes, "equal outputs with ratios at most 1/sqrt(H) leave no head's energy falling")


def rank_one_system(heads: int, c: float, beta: float) -> System:
    """One token and heads alpha_h e_h e_h^T with shares (c, s, ..., s), s = sqrt((1 - c^2)/(H - 1)), outputs of norm 1.

    alpha_h r e^(beta alpha_h r^2) = 1 is solved by alpha_h = W(beta r) / (beta r^2), with Newton's method for W.
    """
    s = math.sqrt((1 - c * c) / (heads - 1))
    token = np.array([c, *[s] * (heads - 1)])
    strengths = []
    for share in token:
        argument = beta * float(share)
        w = math.log1p(argument)
        for _ in range(60):
            w -= (w - argument * math.exp(-w)) / (1 + w)
        strengths.append(w / (beta * float(share) ** 2))
    scores = np.stack([strength * np.diag(row) for strength, row in zip(strengths, np.eye(heads), strict=True)])
    return System(normalised(token[None]), scores, scores, beta)


def no_larger_margin(points: Array, heads: int) -> tuple[Array, Array]:
    """Minus dE_1/dt of that system, over what it would be without shadows: (place of c in (1/sqrt(H), 1), beta)."""
    margins, slacks = np.empty(len(points)), np.empty(len(points))
    for index, (place, beta) in enumerate(points):
        c = (1 + place * (math.sqrt(heads) - 1)) / math.sqrt(heads)
        system = rank_one_system(heads, float(c), float(beta))
        # Outputs of norm 1: the rate is 1 - c^2 - c sqrt((H-1)(1-c^2)), all terms below sqrt(H).
        margins[index] = -float(energy_rates(system)[0])
        slacks[index] = 64 * EPSILON * heads * (1 + beta * float(np.abs(system.scores).max()))
    return margins, slacks


@attack("cond8.sharp_constant", part="no_larger")
def attack_no_larger(context: RunContext) -> Evidence:
    """For every c in (1/sqrt(H), 1) the rank-one family has a falling energy."""
    probes = [
        Probe(
            f"H = {heads}",
            [1e-3, 0.05],
            [0.999, 3.0],
            lambda points, heads=heads: no_larger_margin(points, heads),  # type: ignore[misc]
            lattice([1e-3, 1 / 3, 0.999], [0.05, 1 / 3, 3]),
            logarithmic=(1,),
        )
        for heads in (2, 4)
    ]
    # Each point builds a system of its own, a hundred times the cost of a formula.
    context = RunContext(context.seed, "standard" if context.profile == "deep" else "quick", context.claim)
    return probe_evidence(context, probes, "beyond 1/sqrt(H) the rank-one family's first energy falls")


attack_stated("cond8.sharp_constant", "symmetry", required=True)
