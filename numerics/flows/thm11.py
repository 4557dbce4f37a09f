"""Theorem 11, total energy: the energy's change against the integral of the claimed rate, on sampled configurations.

The integrator moves tokens by their field alone; the energy is evaluated at its states afterwards. What may differ,
and why, is derived in `antumbra.numerics.flows.compare`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import (
    Field,
    Geometry,
    System,
    operator_norms,
    row_norms,
    tangential,
    total_energy_rate,
    velocities,
)
from antumbra.numerics.flows.compare import (
    EPSILON,
    Finding,
    balance,
    flow_evidence,
    follow,
    shortened,
    summarise,
    total_energy_quantity,
    weights_and_outputs,
)
from antumbra.numerics.flows.probing import Hunt, hunt_evidence, hunt_systems
from antumbra.numerics.flows.sampling import (
    GENERAL,
    SYMMETRIC,
    HeadFamily,
    Instance,
    configurations,
    horizon_of,
    sizes,
    temperature,
)
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]
Rates = Callable[[Array], Array]


def mean_squared_speed(system: System) -> Rates:
    """(1/n) sum_i ||velocity_i||^2 under USA, P v on the sphere and v flat: tokens (n, d) -> (1,)."""
    sphere = system.geometry is Geometry.SPHERE

    def rates(tokens: Array) -> Array:
        _, outputs = weights_and_outputs(tokens, system.scores, system.values, system.beta)
        moved = outputs.sum(axis=0) / system.n
        moved = tangential(tokens, moved) if sphere else moved
        return np.array([np.einsum("ik,ik->", moved, moved) / system.n])

    return rates


def zero_rate(count: int = 1) -> Callable[[System], Rates]:
    """Nothing: what a quantity that never falls rises by at least."""
    return lambda _system: lambda _tokens: np.zeros(count)


def weighted_softmax_speed(system: System) -> Rates:
    """(1/n^2) sum_i Z_i ||P v_i||^2 under SA with one head: tokens (n, d) -> (1,)."""

    def rates(tokens: Array) -> Array:
        weights, outputs = weights_and_outputs(tokens, system.scores, system.values, system.beta)
        normaliser = weights.sum(axis=2)
        moved = tangential(tokens, (outputs / normaliser[..., None]).sum(axis=0))
        return np.array([np.einsum("i,ik,ik->", normaliser[0], moved, moved) / system.n**2])

    return rates


def flat(context: RunContext) -> Iterator[Instance]:
    """USA in the flat space, symmetric aligned heads, tokens that are not unit."""
    return configurations(context, SYMMETRIC, geometry=Geometry.FLAT)


def sphere(context: RunContext) -> Iterator[Instance]:
    """USA on the sphere, symmetric aligned heads."""
    return configurations(context, SYMMETRIC)


def softmax(context: RunContext) -> Iterator[Instance]:
    """SA on the sphere, one symmetric aligned head."""
    return configurations(context, SYMMETRIC, field=Field.SA, most_heads=1)


RATE = "the energy changes by the time integral of the mean squared speed"
RISES = "the energy falls between no two states"


@evidence("thm11.flat", kind=Kind.FLOW, part="rate")
def flat_rate(context: RunContext) -> Evidence:
    """dE/dt = (1/n) sum ||v_i||^2 in the flat space."""
    return flow_evidence(balance(flat(context), total_energy_quantity, mean_squared_speed), RATE)


@evidence("thm11.flat", kind=Kind.FLOW, part="monotone")
def flat_monotone(context: RunContext) -> Evidence:
    """The energy never falls in the flat space."""
    return flow_evidence(balance(flat(context), total_energy_quantity, zero_rate(), sense="at_least"), RISES)


@evidence("thm11.sphere", kind=Kind.FLOW, part="rate")
def sphere_rate(context: RunContext) -> Evidence:
    """dE/dt = (1/n) sum ||P v_i||^2 on the sphere."""
    return flow_evidence(balance(sphere(context), total_energy_quantity, mean_squared_speed), RATE)


@evidence("thm11.sphere", kind=Kind.FLOW, part="monotone")
def sphere_monotone(context: RunContext) -> Evidence:
    """The energy never falls on the sphere."""
    return flow_evidence(balance(sphere(context), total_energy_quantity, zero_rate(), sense="at_least"), RISES)


def equilibria(context: RunContext) -> Iterator[Instance]:
    """Configurations whose tokens are at rest to rounding: plus or minus one common eigenvector of all heads."""
    rng = context.rng("equilibria")
    for index in range(context.budget.samples):
        n, d, heads = sizes(context, rng, 1, 1)
        rotation = sample.random_rotation(rng, d)
        eigenvalues = rng.uniform(-1, 1, size=(heads, d))
        scores = np.asarray(np.einsum("ka,ha,la->hkl", rotation, eigenvalues, rotation))
        signs = np.ones(n) if index % 2 == 0 else rng.choice([-1.0, 1.0], size=n)
        tokens = np.asarray(signs[:, None] * rotation[:, 0])
        system = System(tokens, scores, scores, temperature(rng, float(operator_norms(scores).max())))
        yield Instance(system, f"tokens at plus or minus one eigenvector, n={n}, d={d}, H={heads}")


@evidence("thm11.sphere", kind=Kind.FLOW, part="equality_case")
def sphere_equality(context: RunContext) -> Evidence:
    """The energy stands still exactly at an equilibrium.

    At rest: the speed s that rounding leaves at the start bounds how far E may move in the first instant, |dE| <= L s t
    to first order, so with a horizon t the change is at most L s t e^(K t) + rounding, K a Lipschitz constant of the
    velocity. Moving: the energy must rise by more than its error.
    """
    findings = []
    for instance in equilibria(context):
        system = instance.system
        quantity = total_energy_quantity(system)
        horizon = min(1.0, 4 / lipschitz_usa(system))
        track = shortened(lambda end, s=system: follow(s, end), horizon)  # type: ignore[misc]
        if track is None:
            findings.append(Finding(instance.label, None))
            continue
        speed = float(row_norms(velocities(system)).max())
        drift = speed * horizon * float(np.exp(lipschitz_usa(system) * horizon))
        values = np.array([quantity.value(tokens)[0] for tokens in track.tokens])
        bound, rounding = quantity.sensitivity(track.radius)[0], quantity.rounding(track.radius)[0]
        allowed = bound * (drift + track.errors) + 2 * rounding
        # What the energy could have done at unit speed is what makes standing still informative.
        movement = np.full(allowed[1:].shape, bound * horizon) / allowed[1:]
        findings.append(Finding(instance.label, summarise(np.abs(values - values[0])[1:], allowed[1:], movement)))
    moving = 0
    for instance in sphere(context):
        system = instance.system
        speed = float(row_norms(velocities(system)).max())
        if speed < 1e-6:
            continue
        quantity = total_energy_quantity(system)
        track = shortened(lambda end, s=system: follow(s, end), horizon_of(system, 2.0))  # type: ignore[misc]
        if track is None:
            continue
        values = np.array([quantity.value(tokens)[0] for tokens in track.tokens])
        rise = float(values[-1] - values[0])
        allowed_rise = float(
            quantity.sensitivity(track.radius)[0] * track.errors[-1] + 2 * quantity.rounding(track.radius)[0]
        )
        # The true rise is below zero only if the computed one is below minus the error; not above it is undecided.
        moving += rise > allowed_rise
        comparison = summarise(np.array([-rise]), np.array([allowed_rise]), np.array([abs(rise) / allowed_rise]))
        findings.append(Finding(instance.label, comparison))
    return flow_evidence(
        findings, "the energy stands still at rest and rises where tokens move", trajectories_that_rose=moving
    )


def lipschitz_usa(system: System) -> float:
    """A Lipschitz constant of the velocity of USA on unit tokens, in the largest row norm.

    With w = ||W||, m = ||M||, moving every token by at most e changes a score by at most 2 m e, hence f by at most
    n e^(beta m) (2 beta m + 1) w e, v by sum_h of that over n, and P v by that plus 2 ||v|| e.
    """
    scores = operator_norms(system.scores).astype(np.float64)
    values = operator_norms(system.values).astype(np.float64)
    growth = np.exp(system.beta * scores) * values
    return float((growth * (2 * system.beta * scores + 3)).sum())


@evidence("thm11.finite_dissipation", kind=Kind.FLOW, part="integral")
def finite_dissipation(context: RunContext) -> Evidence:
    """The integral of the sum of squared speeds stays below n (sup E - E(0)), sup E = (1/(2 beta)) sum e^(beta ||M||).

    The quantity is that bound minus n E, which must stay above minus the integral's rest; in terms of `compare`:
    n E(t) - n E(0) = q(t) with q' = sum ||velocity||^2, over horizons ten times as long as elsewhere, and q(t) must not
    exceed the bound by more than its error.
    """
    findings = []
    for instance in sphere(context):
        system = instance.system
        n = system.n
        energy = total_energy_quantity(system)
        scales = n * energy.sensitivity(1.0)
        per_token = mean_squared_speed(system)
        track = shortened(
            lambda end, s=system, r=per_token, c=scales: follow(s, end, lambda x: s.n * r(x), c),  # type: ignore[misc]
            horizon_of(system, 20.0, 40.0),
        )
        if track is None:
            findings.append(Finding(instance.label, None))
            continue
        ceiling = float(np.exp(system.beta * operator_norms(system.scores)).sum()) / (2 * system.beta)
        room = n * (ceiling - float(energy.value(system.tokens)[0]))
        allowed = track.scales * track.errors[1:, None] + n * energy.rounding(track.radius)
        excess = track.integrals[1:] - room
        findings.append(Finding(instance.label, summarise(excess, allowed, track.integrals[1:] / allowed)))
    return flow_evidence(findings, "the dissipation stays below n (sup E - E(0)) over long times")


@evidence("thm11.softmax_single_head", kind=Kind.FLOW, part="rate")
def softmax_rate(context: RunContext) -> Evidence:
    """dE/dt = (1/n^2) sum Z_i ||P v_i||^2 for SA with one head."""
    findings = balance(softmax(context), total_energy_quantity, weighted_softmax_speed)
    return flow_evidence(
        findings, "the energy changes by the time integral of the squared speeds weighted by the normalisers"
    )


@evidence("thm11.softmax_single_head", kind=Kind.FLOW, part="monotone")
def softmax_monotone(context: RunContext) -> Evidence:
    """The energy never falls for SA with one head."""
    return flow_evidence(balance(softmax(context), total_energy_quantity, zero_rate(), sense="at_least"), RISES)


# --- attacks ---------------------------------------------------------------------------------------------------------


def many(context: RunContext, heads: Mapping[str, HeadFamily] = SYMMETRIC, **options: Any) -> Iterator[Instance]:
    """Eight systems for each start of an attack."""
    return configurations(context, heads, count=8 * context.budget.restarts, **options)


def gradient_margin(system: System) -> tuple[float, float]:
    """The directional derivative of E against sum_i <v_i/n, direction_i>, by a complex step.

    E is analytic, so Im E(x + i h direction) / h differs from the derivative by O(h^2), nothing at h = 1e-30, and is
    not a difference of close numbers. The direction is fixed by the tokens, so that a search can move them.
    """
    tokens, n, beta = system.tokens, system.n, system.beta
    direction = np.cos(np.arange(1, tokens.size + 1).reshape(tokens.shape) * 1.7 + tokens)
    step = 1e-30
    moved = tokens + 1j * step * direction
    energies = np.exp(beta * ((moved @ system.scores) @ moved.T)).sum(axis=(1, 2)) / (2 * beta * n**2)
    left = float(energies.sum().imag / step)
    _, outputs = weights_and_outputs(tokens, system.scores, system.values, beta)
    right = float(np.einsum("ik,ik->", outputs.sum(axis=0) / n, direction) / n)
    radius = float(row_norms(tokens).max())
    norms = operator_norms(system.scores).astype(np.float64)
    size = float((np.exp(beta * norms * radius**2) * norms).sum()) * radius * float(row_norms(direction).max())
    # Sums of at most n^2 d^2 products; the exponents are off by at most 2 d^2 ulps of beta ||M||.
    ulps = 16 * (system.d**2 * (1 + beta * float(norms.max()) * radius**2) + system.n)
    return -abs(left - right), EPSILON * ulps * size


@attack("thm11.gradient", part="gradient")
def attack_gradient(context: RunContext) -> Evidence:
    """The derivative of E along any directions is sum_i <v_i/n, direction_i>."""
    hunts = [
        hunt_systems(context, many(context), gradient_margin, "unit tokens"),
        hunt_systems(context, many(context, geometry=Geometry.FLAT), gradient_margin, "tokens off the sphere"),
    ]
    return hunt_evidence(hunts, "the energy's derivative along any directions is their pairing with the field over n")


def bound_margin(system: System) -> tuple[float, float]:
    """The bound of E less E, relative to the bound."""
    quantity = total_energy_quantity(system)
    ceiling = float(np.exp(system.beta * operator_norms(system.scores)).sum()) / (2 * system.beta)
    return ceiling - float(quantity.value(system.tokens)[0]), 4 * float(quantity.rounding(1.0)[0])


def positive_margin(system: System) -> tuple[float, float]:
    """The energy, which must be positive: where it is not, the margin is below any slack."""
    energy = float(total_energy_quantity(system).value(system.tokens)[0])
    return (energy, 0.0) if energy > 0 else (-1.0, 0.0)


@attack("thm11.bounded", part="bound")
def attack_bound(context: RunContext) -> Evidence:
    """E <= (1/(2 beta)) sum_h e^(beta ||M_h||) at unit tokens, for heads of any sort."""
    hunt = hunt_systems(context, many(context, GENERAL), bound_margin)
    return hunt_evidence([hunt], "the energy is at most the sum of e^(beta ||M||) over 2 beta")


@attack("thm11.bounded", part="positive")
def attack_positive(context: RunContext) -> Evidence:
    """E > 0, for heads and tokens of any sort."""
    hunt = hunt_systems(context, many(context, GENERAL, geometry=Geometry.FLAT), positive_margin)
    return hunt_evidence([hunt], "the energy is positive")


def equalised(system: System) -> System | None:
    """The system with heads 2, 3, ... changed so that every token's normalisers agree, or None.

    Newton's method on log Z_i^h - log Z_i^1 = 0 (n equations for each head) with symmetric changes of least norm, which
    leave symmetry and alignment as they are.
    """
    tokens, beta, n, d = system.tokens, system.beta, system.n, system.d
    scores = np.array(system.scores, dtype=np.float64)
    first = np.log(np.exp(beta * (tokens @ scores[0] @ tokens.T)).sum(axis=1))
    for head in range(1, system.heads):
        for _ in range(30):
            weights = np.exp(beta * (tokens @ scores[head] @ tokens.T))
            normaliser = weights.sum(axis=1)
            residue = np.log(normaliser) - first
            if float(np.abs(residue).max()) < 16 * EPSILON * (n + d):
                break
            mean = (weights / normaliser[:, None]) @ tokens
            slope = beta * (tokens[:, :, None] * mean[:, None, :])
            slope = ((slope + slope.transpose(0, 2, 1)) / 2).reshape(n, d * d)
            change, *_ = np.linalg.lstsq(slope, -residue, rcond=1e-10)
            change = change.reshape(d, d)
            length = float(np.abs(change).max())
            scores[head] += (change + change.T) / 2 * min(1.0, 0.5 / max(length, 1e-300))
        else:
            return None
    if float(operator_norms(scores).max()) * beta > 12:
        return None
    return System(tokens, scores, scores, beta, Field.SA)


def shared_margins(system: System) -> tuple[tuple[float, float], tuple[float, float]]:
    """Margins and slacks of the two parts: H dE/dt = (1/n^2) sum_h sum_i Z_i ||P v_i||^2, and dE/dt >= 0.

    dE/dt is the chain rule on the gradient of E. Normalisers that agree only to a relative r change either side by at
    most r (1/n^2) sum_i max_h Z_i^h (sum_h ||W_h||)^2 H.
    """
    n, heads = system.n, system.heads
    weights, outputs = weights_and_outputs(system.tokens, system.scores, system.values, system.beta)
    normaliser = weights.sum(axis=2)
    moved = tangential(system.tokens, (outputs / normaliser[..., None]).sum(axis=0))
    rate = total_energy_rate(system)
    claimed = float(np.einsum("hi,ik,ik->", normaliser, moved, moved)) / n**2
    spread = float((normaliser.max(axis=0) / normaliser.min(axis=0) - 1).max())
    norms = operator_norms(system.values).astype(np.float64)
    size = float(normaliser.max(axis=0).sum()) / n**2 * float(norms.sum()) ** 2 * heads
    ulps = 32 * (system.d**2 * (1 + system.beta * float(norms.max())) + n)
    slack = (2 * spread + EPSILON * ulps) * size
    return (-abs(heads * rate - claimed), slack * heads), (rate, slack)


def _shared(context: RunContext, which: int) -> Hunt:
    """Search of one part over systems whose normalisers were made equal; systems where that failed do not count."""

    def margin(system: System) -> tuple[float, float]:
        solved = equalised(system)
        if solved is None:
            return math.nan, 0.0
        return shared_margins(solved)[which]

    instances = configurations(context, SYMMETRIC, field=Field.SA, least_heads=2, count=2 * context.budget.restarts)
    return hunt_systems(context, instances, margin)


@attack("thm11.softmax_multi_head.amended", part="rate")
def attack_shared_rate(context: RunContext) -> Evidence:
    """H dE/dt = (1/n^2) sum_h sum_i Z_i ||P v_i||^2 where all heads' normalisers agree."""
    return hunt_evidence(
        [_shared(context, 0)], "where normalisers agree, H times the rate is the weighted sum of squared speeds"
    )


@attack("thm11.softmax_multi_head.amended", part="monotone")
def attack_shared_monotone(context: RunContext) -> Evidence:
    """dE/dt >= 0 where all heads' normalisers agree."""
    return hunt_evidence([_shared(context, 1)], "where normalisers agree, the energy does not fall")
