"""Theorems 16 and 17, radial shadows: head energies along sampled trajectories with orthogonal heads.

Notation: f_i^h a head's output, a_i^h = <f_i^h, x_i>, P f = f - a x. For one token and projector heads,
p_h = ||P_h x||^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Geometry, System
from antumbra.numerics.flows.compare import (
    EPSILON,
    Finding,
    Quantity,
    Rates,
    balance,
    flow_evidence,
    follow,
    head_energy_quantity,
    shortened,
    summarise,
    weights_and_outputs,
)
from antumbra.numerics.flows.sampling import ORTHOGONAL, Instance, configurations, horizon_of
from antumbra.numerics.flows.stated import attack_stated
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def squared_outputs(system: System) -> Rates:
    """(1/n^3) sum_i ||f_i^h||^2: tokens (n, d) -> (H,)."""

    def rates(tokens: Array) -> Array:
        _, outputs = weights_and_outputs(tokens, system.scores, system.values, system.beta)
        return np.asarray(np.einsum("hik,hik->h", outputs, outputs) / system.n**3)

    return rates


def tangential_less_shadows(tokens: Array, outputs: Array) -> Array:
    """Sum_i [ ||P f_i^h||^2 - a_i^h sum_{g != h} a_i^g ], (H,)."""
    shadows = np.einsum("hik,ik->hi", outputs, tokens)
    tangential = np.einsum("hik,hik->hi", outputs, outputs) - shadows**2
    others = shadows.sum(axis=0) - shadows
    return np.asarray((tangential - shadows * others).sum(axis=1))


def shadowed_rate(system: System) -> Rates:
    """The rate of Theorem 17: tokens (n, d) -> (H,)."""

    def rates(tokens: Array) -> Array:
        _, outputs = weights_and_outputs(tokens, system.scores, system.values, system.beta)
        return tangential_less_shadows(tokens, outputs) / system.n**3

    return rates


def no_rate(system: System) -> Rates:
    """Zero for each head: what energies that never fall rise by at least."""
    return lambda _tokens: np.zeros(system.heads)


def flat(context: RunContext) -> Iterator[Instance]:
    """Orthogonal aligned heads in the flat space."""
    return configurations(context, ORTHOGONAL, geometry=Geometry.FLAT)


def sphere(context: RunContext) -> Iterator[Instance]:
    """Orthogonal aligned heads on the sphere."""
    return configurations(context, ORTHOGONAL, least_heads=2)


@evidence("thm16.flat", kind=Kind.FLOW, part="rate")
def flat_rate(context: RunContext) -> Evidence:
    """dE_h/dt = (1/n^3) sum_i ||f_i^h||^2 in the flat space."""
    findings = balance(flat(context), head_energy_quantity, squared_outputs)
    return flow_evidence(findings, "each head's energy changes by the integral of its squared outputs over n^3")


@evidence("thm16.flat", kind=Kind.FLOW, part="monotone")
def flat_monotone(context: RunContext) -> Evidence:
    """No head's energy falls in the flat space."""
    findings = balance(flat(context), head_energy_quantity, no_rate, sense="at_least")
    return flow_evidence(findings, "no head's energy falls between two states")


@evidence("thm17.sphere", kind=Kind.FLOW, part="rate")
def sphere_rate(context: RunContext) -> Evidence:
    """dE_h/dt = (1/n^3) sum_i [ ||P f_i^h||^2 - a_i^h sum_{g != h} a_i^g ] on the sphere."""
    findings = balance(sphere(context), head_energy_quantity, shadowed_rate)
    return flow_evidence(findings, "each head's energy changes by the integral of the rate with radial shadows")


# --- one token, projector heads --------------------------------------------------------------------------------------


def winners(context: RunContext) -> Iterator[Instance]:
    """One token and projectors that resolve the identity, with shares that are all positive and apart by 1/50."""
    rng = context.rng("winners")
    made = 0
    while made < context.budget.samples:
        heads = int(rng.integers(2, context.budget.largest_heads + 1))
        d = int(rng.integers(heads, max(heads, context.budget.largest_d) + 1))
        alpha = float(rng.uniform(0.5, 1.5))
        scores = sample.resolving_projectors(rng, heads, d, alpha)
        system = System(sample.uniform_tokens(rng, 1, d), scores, scores, float(rng.uniform(0.5, 2.0)))
        ordered = np.sort(shares_of(system, system.tokens))
        if ordered[0] < 1e-3 or float(np.diff(ordered).min()) < 0.02:
            continue
        made += 1
        yield Instance(system, f"one token, projector heads, d={d}, H={heads}, alpha={alpha:.3g}")


def scale_of(system: System) -> float:
    """The alpha of heads alpha P_h that resolve the identity."""
    return float(np.trace(system.scores.sum(axis=0)) / system.d)


def shares_of(system: System, tokens: Array) -> Array:
    """p_h = <x, P_h x> of the only token, (H,)."""
    return np.asarray(np.einsum("k,hkl,l->h", tokens[0], system.scores, tokens[0]) / scale_of(system))


def share_quantity(system: System) -> Quantity:
    """The shares; the gradient 2 P_h x has norm at most 2 ||x||, and d^2 products are summed."""
    count, d = system.heads, system.d
    return Quantity(
        lambda tokens: shares_of(system, tokens),
        lambda radius: np.full(count, 2 * radius),
        lambda radius: np.full(count, EPSILON * 4 * d**2 * radius**2),
    )


def replicator(system: System) -> Rates:
    """dp_h/dt = 2 alpha p_h (e^(alpha beta p_h) - sum_g p_g e^(alpha beta p_g)): tokens (1, d) -> (H,)."""
    alpha = scale_of(system)

    def rates(tokens: Array) -> Array:
        shares = shares_of(system, tokens)
        growth = np.exp(alpha * system.beta * shares)
        return np.asarray(2 * alpha * shares * (growth - (shares * growth).sum()))

    return rates


@evidence("thm17.winner", kind=Kind.FLOW, part="replicator")
def winner_replicator(context: RunContext) -> Evidence:
    """The shares follow the replicator equation."""
    findings = balance(winners(context), share_quantity, replicator, travel=3.0)
    return flow_evidence(findings, "the shares change by the integral of the replicator equation's rate")


@evidence("thm17.winner", kind=Kind.FLOW, part="lead")
def winner_lead(context: RunContext) -> Evidence:
    """ln(p_h / p_g) grows by at least the integral of 2 alpha^2 beta (p_h - p_g), for p_h > p_g.

    The integral is carried along with the token. An error e of the shares changes a lead by at most 2 e / (p_g - e).
    """
    findings = []
    for instance in winners(context):
        system = instance.system
        order = np.argsort(-shares_of(system, system.tokens))
        scale = np.ones(system.heads - 1)
        rates = lead_pace(system, order)
        track = shortened(
            lambda end, s=system, r=rates, c=scale: follow(s, end, r, c),  # type: ignore[misc]
            horizon_of(system, 3.0),
        )
        if track is None:
            findings.append(Finding(instance.label, None))
            continue
        shares = np.stack([shares_of(system, tokens) for tokens in track.tokens])
        quantity = share_quantity(system)
        errors = quantity.sensitivity(track.radius)[0] * track.errors + quantity.rounding(track.radius)[0]
        larger, smaller = shares[:, order[:-1]], shares[:, order[1:]]
        # A share at rounding level has no logarithm worth comparing.
        seen = smaller > 1e6 * errors[:, None]
        larger, smaller = np.where(seen, larger, 1.0), np.where(seen, smaller, 1.0)
        leads = np.log(larger / smaller)
        error = 2 * errors[:, None] / (smaller - errors[:, None]) + 4 * EPSILON * (1 + np.abs(leads))
        error = error + track.errors[:, None]
        kept = seen[1:] & seen[:-1]
        allowed = (error[1:] + error[:-1])[kept]
        rises, claimed = np.diff(leads, axis=0)[kept], np.diff(track.integrals, axis=0)[kept]
        findings.append(Finding(instance.label, summarise(claimed - rises, allowed, np.abs(rises) / allowed)))
    return flow_evidence(findings, "the lead of each larger share over the next grows at least at its claimed pace")


def lead_pace(system: System, order: npt.NDArray[np.intp]) -> Rates:
    """2 alpha^2 beta (p_h - p_g) for heads that follow each other in an order: tokens (1, d) -> (H - 1,)."""
    pace = 2 * scale_of(system) ** 2 * system.beta

    def rates(tokens: Array) -> Array:
        ordered = shares_of(system, tokens)[order]
        return np.asarray(pace * (ordered[:-1] - ordered[1:]))

    return rates


@evidence("thm17.winner", kind=Kind.FLOW, part="winner")
def winner_wins(context: RunContext) -> Evidence:
    """The order of the shares is kept, and the strictly largest tends to 1.

    The lead grows at least at 2 alpha^2 beta times the first gap g, so after t = 16 / (2 alpha^2 beta g) every other
    share is below e^-16, and the largest above 1 - (H - 1) e^-16.
    """
    findings = []
    for instance in winners(context):
        system = instance.system
        first = np.sort(shares_of(system, system.tokens))
        gap = float(first[-1] - first[-2])
        horizon = 16 / (2 * scale_of(system) ** 2 * system.beta * gap)
        track = shortened(lambda end, s=system: follow(s, end), horizon)  # type: ignore[misc]
        if track is None or float(track.times[-1]) < horizon:
            findings.append(Finding(instance.label, None))
            continue
        shares = np.stack([shares_of(system, tokens) for tokens in track.tokens])
        quantity = share_quantity(system)
        errors = quantity.sensitivity(track.radius)[0] * track.errors + quantity.rounding(track.radius)[0]
        order = np.argsort(-shares[0])
        crossed = (shares[:, order[1:]] - shares[:, order[:-1]]).max(axis=1)
        short = (1 - (system.heads - 1) * np.exp(-16)) - shares[-1, order[0]]
        discrepancy = np.append(crossed, short)
        allowed = np.append(2 * errors, errors[-1])
        movement = np.full_like(allowed, abs(float(shares[-1, order[0]] - shares[0, order[0]]))) / allowed
        findings.append(Finding(instance.label, summarise(discrepancy, allowed, movement)))
    return flow_evidence(findings, "the shares keep their order and the strictly largest tends to 1")


attack_stated(
    "thm17.winner",
    "energy_of_shares",
    "shares_add_up",
    "convex",
    "equilibria",
    "maximum",
    "pure_points",
    "no_other_maximum",
    "moved_shares",
    "order",
    "decay",
)
attack_stated("thm17.obstruction", "falls", "rises", "stands")
