"""Theorems 16 and 17, radial shadows: head energies along sampled trajectories with orthogonal heads.

Notation: f_i^h a head's output, a_i^h = <f_i^h, x_i>, P f = f - a x. For one token and projector heads,
p_h = ||P_h x||^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Race:
    """The shares along a trajectory that is long enough to decide it, columns from the largest share to the smallest.

    Attributes:
        label: the configuration.
        pace: 2 alpha^2 beta.
        times: (K + 1,). shares: (K + 1, H). errors: (K + 1,), of every share.
    """

    label: str
    pace: float
    times: Array
    shares: Array
    errors: Array


def races(context: RunContext) -> Iterator[Race]:
    """Trajectories of time 16 / (2 alpha^2 beta g), g the first gap between the largest share and the next.

    The lead of the largest share grows at least at 2 alpha^2 beta g, so by then every other share is below e^-16.
    """
    for instance in winners(context):
        system = instance.system
        first = np.sort(shares_of(system, system.tokens))
        pace = 2 * scale_of(system) ** 2 * system.beta
        horizon = 16 / (pace * float(first[-1] - first[-2]))
        track = shortened(lambda end, s=system: follow(s, end), horizon)  # type: ignore[misc]
        if track is None or float(track.times[-1]) < horizon:
            continue
        shares = np.stack([shares_of(system, tokens) for tokens in track.tokens])
        quantity = share_quantity(system)
        errors = quantity.sensitivity(track.radius)[0] * track.errors + quantity.rounding(track.radius)[0]
        yield Race(instance.label, pace, track.times, shares[:, np.argsort(-shares[0])], np.asarray(errors))


def kept_order(race: Race) -> Finding:
    """No larger share falls behind a smaller one by more than both errors."""
    crossed = (race.shares[:, 1:] - race.shares[:, :-1]).max(axis=1)
    movement = np.abs(race.shares - race.shares[0]).max(axis=1) / race.errors
    return Finding(race.label, summarise(crossed, 2 * race.errors, movement))


def kept_distance(race: Race) -> Finding:
    """The largest share's distance to every other one does not fall between states, by more than four errors."""
    distances = race.shares[:, :1] - race.shares[:, 1:]
    rises = np.diff(distances, axis=0)
    allowed = np.repeat((2 * race.errors[1:] + 2 * race.errors[:-1])[:, None], distances.shape[1], axis=1)
    return Finding(race.label, summarise(-rises, allowed, np.abs(distances[1:] - distances[0]) / allowed))


def decayed(race: Race, factor: float = 1.0) -> Finding:
    """p_k / (p_1 - p_k) against e^(-2 alpha^2 beta t / H) times its start.

    With g = p_1 - p_k an error e of the shares changes the quotient by at most 3 e / (g - 2 e)^2.
    """
    gaps = race.shares[:, :1] - race.shares[:, 1:]
    quotients = race.shares[:, 1:] / gaps
    decay = np.exp(-factor * race.pace * race.times / race.shares.shape[1])
    error = 3 * race.errors[:, None] / (gaps - 2 * race.errors[:, None]) ** 2
    allowed = error + error[0] + 8 * EPSILON * quotients[0]
    return Finding(
        race.label,
        summarise(
            (quotients - decay[:, None] * quotients[0])[1:], allowed[1:], ((quotients[0] - quotients) / allowed)[1:]
        ),
    )


def settled(race: Race) -> Finding:
    """At the end the largest share is 1 but for (H - 1) e^-16."""
    short = 1 - (race.shares.shape[1] - 1) * np.exp(-16) - race.shares[-1, 0]
    movement = abs(float(race.shares[-1, 0] - race.shares[0, 0])) / race.errors[-1]
    return Finding(race.label, summarise(np.array([short]), race.errors[-1:], np.array([movement])))


@evidence("thm17.winner", kind=Kind.FLOW, part="keeps_order")
def winner_keeps_order(context: RunContext) -> Evidence:
    """A larger share stays larger."""
    return flow_evidence([kept_order(race) for race in races(context)], "every larger share stays larger")


@evidence("thm17.winner", kind=Kind.FLOW, part="order")
def winner_order(context: RunContext) -> Evidence:
    """The largest share's distance to every other one does not fall."""
    findings = [kept_distance(race) for race in races(context)]
    return flow_evidence(findings, "the largest share's distance to every other one does not fall")


@evidence("thm17.winner", kind=Kind.FLOW, part="decay")
def winner_decay(context: RunContext) -> Evidence:
    """Every other share, over its distance to the largest, falls at 2 alpha^2 beta / H or faster."""
    findings = [decayed(race) for race in races(context)]
    return flow_evidence(findings, "every other share, over its distance to the largest, decays at least at its rate")


@evidence("thm17.winner", kind=Kind.FLOW, part="winner")
def winner_wins(context: RunContext) -> Evidence:
    """The strictly largest share stays so, the others decay, and it tends to 1."""
    found = list(races(context))
    findings = [check(race) for race in found for check in (kept_distance, decayed, settled)]
    return flow_evidence(findings, "the strictly largest share stays so, the others decay, and it tends to 1")


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
)
attack_stated("thm17.obstruction", "falls", "rises", "stands")
