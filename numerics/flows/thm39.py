"""Theorem 39, approximate orthogonality: head energies along trajectories, and attacks on the bound and the angle.

Heads are symmetric and aligned, of every sort, from exactly orthogonal to equal ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import System, energy_rates, operator_norms
from antumbra.numerics.flows.compare import (
    EPSILON,
    Rates,
    balance,
    flow_evidence,
    head_energy_quantity,
    weights_and_outputs,
)
from antumbra.numerics.flows.probing import hunt_evidence, hunt_systems
from antumbra.numerics.flows.sampling import SYMMETRIC, Instance, configurations
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.flows.thm16_17 import shadowed_rate, sphere, tangential_less_shadows
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def several(context: RunContext, count: int | None = None) -> Iterator[Instance]:
    """Two or more symmetric aligned heads of every sort."""
    return configurations(context, SYMMETRIC, least_heads=2, count=count)


def full_rate(system: System) -> Rates:
    """Theorem 17's rate with (1/n^3) sum_i sum_{g != h} <f_i^h, f_i^g> added: tokens (n, d) -> (H,)."""

    def rates(tokens: Array) -> Array:
        _, outputs = weights_and_outputs(tokens, system.scores, system.values, system.beta)
        meeting = np.einsum("hik,ik->h", outputs, outputs.sum(axis=0)) - np.einsum("hik,hik->h", outputs, outputs)
        return np.asarray((tangential_less_shadows(tokens, outputs) + meeting) / system.n**3)

    return rates


@evidence("thm39.identity", kind=Kind.FLOW, part="rate")
def identity_rate(context: RunContext) -> Evidence:
    """dE_h/dt for heads that are not orthogonal."""
    findings = balance(several(context), head_energy_quantity, full_rate)
    return flow_evidence(findings, "each head's energy changes by the integral of the rate with its meetings")


@evidence("thm39.identity", kind=Kind.FLOW, part="orthogonal_heads")
def identity_orthogonal(context: RunContext) -> Evidence:
    """With orthogonal heads the meetings add nothing: both rates give the energy's change."""
    findings = balance(sphere(context), head_energy_quantity, full_rate)
    findings += balance(sphere(context), head_energy_quantity, shadowed_rate)
    return flow_evidence(findings, "with orthogonal heads the rate with and without meetings gives the same change")


def bound_margin(system: System) -> tuple[float, float]:
    """The least over heads of dE_h/dt less its lower bound at delta = the heads' own overlap, times n^3.

    The rate is the chain rule on the gradient of E_h. Sizes: every term is at most n times
    Omega^h ||M_h|| sum_g Omega^g ||M_g||, and the largest exponent is off by 2 d^2 ulps of beta ||M||.
    """
    weights, outputs = weights_and_outputs(system.tokens, system.scores, system.values, system.beta)
    shadows = np.abs(np.einsum("hik,ik->hi", outputs, system.tokens))
    tangential = np.einsum("hik,hik->hi", outputs, outputs) - shadows**2
    totals = weights.sum(axis=2)
    delta = sample.overlap(system.scores)
    floor = tangential - shadows * (shadows.sum(axis=0) - shadows) - delta * totals * (totals.sum(axis=0) - totals)
    margins = energy_rates(system) * system.n**3 - floor.sum(axis=1)
    norms = operator_norms(system.scores).astype(np.float64)
    size = float((totals * norms[:, None]).sum(axis=0) @ (totals * norms[:, None]).sum(axis=0))
    ulps = 64 * (system.d**2 * (1 + system.beta * float(norms.max())) + system.n)
    return float(margins.min()), EPSILON * ulps * size


@attack("thm39.bound", part="bound")
def attack_bound(context: RunContext) -> Evidence:
    """Overlaps at most delta cost a head's energy at most delta times the products of weights."""
    hunt = hunt_systems(context, several(context, 8 * context.budget.restarts), bound_margin)
    return hunt_evidence([hunt], "a head's energy rises at least at the rate that its overlaps leave")


def angle_margin(system: System) -> tuple[float, float]:
    """Max ||M_g M_h|| against alpha^2 cos theta_min, for heads alpha P_h, both relative to alpha^2.

    The angle is found from its definition: cos theta = max <u, w> over unit u, w in the two ranges, by the largest
    eigenvalue of the compression of P_g to the range of P_h.
    """
    alpha = float(operator_norms(system.scores).max())
    largest = 0.0
    for h in range(system.heads):
        vectors = np.linalg.eigh(system.scores[h])
        basis = vectors.eigenvectors[:, vectors.eigenvalues > alpha / 2]
        for g in range(system.heads):
            if g != h:
                compressed = basis.T @ system.scores[g] @ basis / alpha
                largest = max(largest, float(np.linalg.eigvalsh(compressed)[-1]))
    cosine = np.sqrt(max(largest, 0.0))
    # A square root near zero turns an error e into at most sqrt(e).
    error = 64 * EPSILON * system.d**2
    slack = error / max(cosine, np.sqrt(error)) + error
    return -abs(sample.overlap(system.scores) / alpha**2 - float(cosine)), float(slack)


def projectors(context: RunContext) -> Iterator[Instance]:
    """Heads alpha P_h with orthogonal projectors of several ranks and relations: random, near, nested, orthogonal."""
    rng = context.rng("projectors")
    for index in range(8 * context.budget.restarts):
        d, heads = int(rng.integers(2, context.budget.largest_d + 1)), int(rng.integers(2, 4))
        alpha = float(rng.uniform(0.2, 3))
        rotation = sample.random_rotation(rng, d)
        bases = []
        for head in range(heads):
            rank = int(rng.integers(1, d)) if d > 1 else 1
            turned = rotation if index % 4 == 1 else sample.random_rotation(rng, d)
            if index % 4 == 2:
                tilt = 10 ** rng.uniform(-8, -1)
                turned = np.linalg.qr(rotation + tilt * rng.standard_normal((d, d)))[0]
            start = 0 if index % 4 != 3 or head == 0 else min(head, d - 1)
            columns = turned[:, start : start + rank] if index % 4 != 3 else rotation[:, start : start + 1]
            bases.append(columns)
        scores = np.stack([alpha * (basis @ basis.T) for basis in bases])
        system = System(sample.uniform_tokens(rng, 1, d), scores, scores, 1.0)
        yield Instance(system, f"projector heads, d={d}, H={heads}")


@attack("thm39.angle", part="smallest")
def attack_angle(context: RunContext) -> Evidence:
    """The largest overlap of heads alpha P_h is alpha^2 times the cosine of the smallest principal angle."""
    hunt = hunt_systems(context, projectors(context), angle_margin)
    return hunt_evidence([hunt], "the smallest admissible delta is alpha^2 cos(theta_min)")


def admissible_margin(system: System) -> tuple[float, float]:
    """The overlap over alpha^2 less the largest cosine found between vectors of two ranges.

    The cosines are those of random vectors and of what alternating projections between the ranges make of them, which
    come near the largest one from below; none may exceed the overlap, and the last must nearly reach it.
    """
    alpha = float(operator_norms(system.scores).max())
    rng = np.random.default_rng(system.d * 1000 + system.heads)
    largest = 0.0
    for h in range(system.heads):
        for g in range(system.heads):
            if g == h:
                continue
            pair = system.scores[g] @ system.scores[h] / alpha**2
            vectors = rng.standard_normal((system.d, 8))
            for _ in range(3):
                inside = system.scores[h] @ vectors
                norms = np.linalg.norm(inside, axis=0)
                kept = norms > 1e-6 * alpha
                if not kept.any():
                    break
                inside = inside[:, kept] / norms[kept]
                largest = max(largest, float(np.linalg.norm(pair @ inside, axis=0).max()))
                vectors = pair.T @ (pair @ inside)
    overlap = sample.overlap(system.scores) / alpha**2
    return overlap - largest, 64 * EPSILON * system.d**2


@attack("thm39.angle", part="admissible")
def attack_admissible(context: RunContext) -> Evidence:
    """No cosine between vectors of two ranges exceeds the overlap over alpha^2."""
    hunt = hunt_systems(context, projectors(context), admissible_margin)
    return hunt_evidence([hunt], "no cosine between vectors of two ranges exceeds the overlap over alpha^2")
