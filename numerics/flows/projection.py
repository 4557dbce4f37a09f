"""Projection identities: random and extreme vectors in several dimensions, and norms along unprojected trajectories.

Notation: P u = u - <y, u> y at a unit vector y. A point of a search is (y, u, w), 3 d coordinates, y being normalised.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Field, System, operator_norms, row_norms, tangential
from antumbra.numerics.flows.compare import (
    EPSILON,
    Finding,
    flow_evidence,
    follow,
    shortened,
    summarise,
    weights_and_outputs,
)
from antumbra.numerics.flows.probing import Probe, identity, probe_evidence
from antumbra.numerics.flows.sampling import GENERAL, Instance, configurations, horizon_of
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]
Sides = Callable[[Array, Array, Array], tuple[Array, Array]]
"""Unit y, and u, w, all (N, d) -> margins and slacks (N,)."""


def project(y: Array, u: Array) -> Array:
    """P u = u - <y, u> y, rows (N, d)."""
    return np.asarray(u - np.einsum("nk,nk->n", y, u)[:, None] * y)


def dot(u: Array, w: Array) -> Array:
    """Row-wise inner products, (N, d), (N, d) -> (N,)."""
    return np.asarray(np.einsum("nk,nk->n", u, w))


def probes(context: RunContext, sides: Sides) -> list[Probe]:
    """A search in each dimension from 1 to the budget's largest."""
    result = []
    for d in range(1, context.budget.largest_d + 1):

        def margin(points: Array, d: int = d) -> tuple[Array, Array]:
            raw, u, w = points[:, :d], points[:, d : 2 * d], points[:, 2 * d :]
            length = row_norms(raw)
            inside = length > 1e-3
            y = np.asarray(raw / np.where(inside, length, 1.0)[:, None])
            margins, slacks = sides(y, u, w)
            return np.where(inside, margins, np.nan), slacks

        box = 4.0
        result.append(Probe(f"d = {d}", [-box] * (3 * d), [box] * (3 * d), margin, special_points(d)))
    return result


def special_points(d: int) -> Array:
    """Vectors along, against and across y, zero, tiny and non-dyadic ones."""
    first, last = np.eye(d)[0], np.eye(d)[-1]
    rational = np.array([(1 + index) / 3 for index in range(d)])
    vectors = [first, -first, last, np.zeros(d), rational, 1e-9 * rational, 4 * first]
    return np.array([np.concatenate(triple) for triple in itertools.product([first, last, rational], vectors, vectors)])


def _operations(y: Array) -> float:
    """Roundings of a term: a norm and an inner product of d terms each, twice over, and y unit to (d + 4)/2 ulps."""
    return 8.0 * (int(y.shape[1]) + 4)


def self_pairing(y: Array, u: Array, _w: Array) -> tuple[Array, Array]:
    """<P u, u> = ||P u||^2."""
    p = project(y, u)
    return identity(dot(p, u), dot(p, p), dot(u, u), _operations(y))


def symmetry(y: Array, u: Array, w: Array) -> tuple[Array, Array]:
    """<P u, w> = <u, P w>."""
    return identity(dot(project(y, u), w), dot(u, project(y, w)), row_norms(u) * row_norms(w), _operations(y))


def idempotence(y: Array, u: Array, _w: Array) -> tuple[Array, Array]:
    """P P u = P u, by the norm of the difference."""
    p = project(y, u)
    return identity(row_norms(project(y, p) - p), np.zeros(len(u)), row_norms(u), _operations(y))


def annihilation(y: Array, _u: Array, _w: Array) -> tuple[Array, Array]:
    """P y = 0, by the norm."""
    return identity(row_norms(project(y, y)), np.zeros(len(y)), np.ones(len(y)), _operations(y))


def pythagoras(y: Array, u: Array, _w: Array) -> tuple[Array, Array]:
    """||u||^2 = ||P u||^2 + <u, y>^2."""
    p = project(y, u)
    return identity(dot(u, u), dot(p, p) + dot(u, y) ** 2, dot(u, u), _operations(y))


def contraction(y: Array, u: Array, _w: Array) -> tuple[Array, Array]:
    """||P u|| <= ||u||."""
    return row_norms(u) - row_norms(project(y, u)), EPSILON * _operations(y) * row_norms(u)


def contraction_equality(y: Array, u: Array, _w: Array) -> tuple[Array, Array]:
    """||P u|| = ||u|| iff <u, y> = 0, as two inequalities that hold together only if both directions do.

    With r = <u, y>: r^2/(2 ||u||) <= ||u|| - ||P u|| <= r^2/||u||, so each of the two vanishes when the other does.
    """
    gap, size = row_norms(u) - row_norms(project(y, u)), row_norms(u)
    square = dot(u, y) ** 2
    safe = np.where(size > 0, size, 1.0)
    margin = np.minimum(gap - square / (2 * safe), square / safe - gap)
    return np.where(size > 0, margin, 0.0), EPSILON * _operations(y) * size


def rank(y: Array, _u: Array, _w: Array) -> tuple[Array, Array]:
    """The trace of P is d - 1, summed over an orthonormal basis turned away from the axes."""
    d = y.shape[1]
    basis = sample.random_rotation(np.random.default_rng(d), d)
    trace = np.zeros(len(y))
    for row in basis:
        vector = np.broadcast_to(row, y.shape)
        trace += dot(project(y, np.asarray(vector)), np.asarray(vector))
    return identity(trace, np.full(len(y), d - 1.0), np.full(len(y), float(d)), _operations(y))


@attack("projection.self_pairing", part="identity")
def attack_self_pairing(context: RunContext) -> Evidence:
    """<P u, u> = ||P u||^2."""
    return probe_evidence(context, probes(context, self_pairing), "the projection pairs with u to its squared norm")


@attack("projection.symmetry", part="identity")
def attack_symmetry(context: RunContext) -> Evidence:
    """<P u, w> = <u, P w>."""
    return probe_evidence(context, probes(context, symmetry), "the projection may be moved across an inner product")


@attack("projection.idempotence", part="identity")
def attack_idempotence(context: RunContext) -> Evidence:
    """P P u = P u."""
    return probe_evidence(context, probes(context, idempotence), "projecting twice is projecting once")


@attack("projection.annihilates_x", part="identity")
def attack_annihilation(context: RunContext) -> Evidence:
    """P y = 0."""
    return probe_evidence(context, probes(context, annihilation), "the projection annihilates its own point")


@attack("projection.pythagoras", part="identity")
def attack_pythagoras(context: RunContext) -> Evidence:
    """||u||^2 = ||P u||^2 + <u, y>^2."""
    what = "a squared norm splits into a tangential and a radial part"
    return probe_evidence(context, probes(context, pythagoras), what)


@attack("projection.contraction", part="bound")
def attack_contraction(context: RunContext) -> Evidence:
    """||P u|| <= ||u||."""
    return probe_evidence(context, probes(context, contraction), "the projection does not lengthen")


@attack("projection.contraction", part="equality_case")
def attack_contraction_equality(context: RunContext) -> Evidence:
    """Equality iff <u, y> = 0."""
    what = "the projection keeps the length exactly of vectors orthogonal to its point"
    return probe_evidence(context, probes(context, contraction_equality), what)


@attack("projection.rank", part="trace")
def attack_rank(context: RunContext) -> Evidence:
    """The trace of P is d - 1."""
    return probe_evidence(context, probes(context, rank), "the trace of the projection is d - 1")


def ambient_slope(system: System) -> Callable[[Array], Array]:
    """v_i - <x_i, v_i> x_i at tokens as they are, neither normalised nor projected afterwards."""

    def slope(tokens: Array) -> Array:
        if system.field is Field.RELU:
            scale = float(system.scores[0, 0, 0])
            field = np.maximum(scale * (tokens @ tokens.T), 0) @ tokens * (scale / system.n)
        else:
            weights, outputs = weights_and_outputs(tokens, system.scores, system.values, system.beta)
            if system.field is Field.SA:
                field = (outputs / weights.sum(axis=2)[..., None]).sum(axis=0)
            else:
                field = outputs.sum(axis=0) / system.n
        return np.asarray(tangential(tokens, np.asarray(field)))

    return slope


def _with_field(instance: Instance, field: Field, rng: np.random.Generator) -> Instance:
    """The same tokens under another field; ReLU has one scalar head."""
    system = instance.system
    if field is Field.RELU:
        scale = float(rng.uniform(0.3, 1.5))
        head = sample.scalar_heads([scale], system.d)
        kind = instance.label.split(",")[0]
        label = f"ReLU, {kind}, n={system.n}, d={system.d}, lambda={scale:.4g}"
        return Instance(System(system.tokens, head, head, system.beta, field), label)
    system = System(system.tokens, system.scores, system.values, system.beta, field)
    return Instance(system, f"{field.value}, {instance.label}")


def norm_findings(
    context: RunContext, slope_of: Callable[[System], Callable[[Array], Array]] = ambient_slope
) -> list[Finding]:
    """Norms along trajectories whose integration keeps nothing on the sphere.

    The true solution of a unit start stays unit if the statement is true. For the ambient field
    d(||x||^2 - 1)/dt = -2 <x, v> (||x||^2 - 1), so a defect e of the start, or a rounding on the way, may grow to
    e exp(2 t sup |<x, v>|); the field on unit tokens is bounded by sum ||W|| e^(beta ||M||) (USA), sum ||W|| (SA) and
    lambda^2 (ReLU). With delta from the integrator, | ||y||^2 - 1 | <= 2.1 (delta + growth (e + rounding)).
    """
    rng = context.rng("fields")
    findings = []
    for index, instance in enumerate(configurations(context, GENERAL, values=lambda _rng, scores: scores)):
        instance = _with_field(instance, (Field.USA, Field.SA, Field.RELU)[index % 3], rng)
        system = instance.system
        slope = slope_of(system)
        strength = operator_norms(system.values).astype(np.float64)
        if system.field is Field.USA:
            strength = strength * np.exp(system.beta * operator_norms(system.scores).astype(np.float64))
        bound = float(strength.sum()) if system.field is not Field.RELU else float(strength[0] ** 2)
        horizon = min(horizon_of(system, 2.0), 6 / bound)
        track = shortened(lambda end, s=system, f=slope: follow(s, end, slope=f), horizon)  # type: ignore[misc]
        if track is None:
            findings.append(Finding(instance.label, None))
            continue
        squares = np.einsum("tik,tik->ti", track.tokens, track.tokens)
        start = float(np.abs(squares[0] - 1).max())
        steps = np.arange(len(track.times))
        rounding = 8 * EPSILON * (steps + system.d)
        growth = np.exp(2 * bound * track.times)
        allowed = (2.1 * (track.errors + growth * (start + rounding)))[1:]
        path = np.abs(track.tokens - track.tokens[0]).max(axis=(1, 2))[1:]
        findings.append(
            Finding(instance.label, summarise(np.abs(squares - 1).max(axis=1)[1:], allowed, path / allowed))
        )
    return findings


@evidence("projection.norm_preserved", kind=Kind.FLOW, part="rate")
def norm_preserved(context: RunContext) -> Evidence:
    """Tokens stay unit under USA, SA and ReLU although the integration does not keep them so."""
    return flow_evidence(norm_findings(context), "tokens keep their norm without being projected", fields=3)
