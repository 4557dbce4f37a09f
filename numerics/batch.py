"""Many small systems at once, each with its own step size.

Shapes: B systems share n, d, H, the field and the geometry; tokens (B, n, d), heads (B, H, d, d), betas (B,). Every
round makes one trial step of every system that is still running; accepted ones move on, rejected ones shrink their
own step, finished ones leave the batch. A system's result does not depend on its companions beyond rounding.

The step, its error measure and the projection are those of `antumbra.numerics.integrate`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import (
    Field,
    FloatArray,
    Geometry,
    RangeError,
    System,
    normalised,
    operator_norms,
    row_norms,
    tangential,
)
from antumbra.numerics.integrate import LARGEST_FACTOR, SAFETY, SMALLEST_FACTOR, IntegrationError
from antumbra.numerics.tableau import Tableau, dop853

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Batch:
    """B systems of equal shape.

    Attributes:
        tokens: (B, n, d). scores, values: (B, H, d, d). betas: (B,).
        field, geometry: shared.

    Raises:
        ValueError: shapes that do not fit.
        RangeError: USA exponentials of some system could overflow.
    """

    tokens: FloatArray
    scores: FloatArray
    values: FloatArray
    betas: FloatArray
    field: Field = Field.USA
    geometry: Geometry = Geometry.SPHERE

    def __post_init__(self) -> None:
        count, n, d = self.tokens.shape
        expected = (count, self.scores.shape[1], d, d)
        if self.scores.shape != expected or self.values.shape != expected or self.betas.shape != (count,):
            raise ValueError(
                f"tokens {self.tokens.shape}, scores {self.scores.shape}, values {self.values.shape}, betas "
                f"{self.betas.shape}; give (B, n, d), (B, H, d, d), (B, H, d, d), (B,)"
            )
        if Field(self.field) is Field.RELU:
            raise ValueError("a batch has the field USA or SA; integrate ReLU systems one by one")
        if not bool((self.betas > 0).all()):
            raise ValueError("a beta is not positive; give positive numbers")
        if self.field is Field.USA:
            radius = row_norms(self.tokens).max(axis=1)
            exponents = self.betas * operator_norms(self.scores).max(axis=1) * radius**2
            limit = math.log(float(np.finfo(self.tokens.dtype).max)) - math.log(n * self.scores.shape[1]) - 16
            if float(exponents.max()) > limit:
                worst = int(np.argmax(exponents))
                raise RangeError(
                    f"beta*||M||*max||x||^2 is {exponents[worst]:.6g} for system {worst}; USA allows {limit:.6g} here; "
                    "lower beta or the head's norm, or use SA"
                )

    @classmethod
    def of(cls, systems: list[System]) -> Batch:
        """The batch of systems that share shapes, field and geometry.

        Raises:
            ValueError: no systems, or they differ in shape, field or geometry.
        """
        if not systems:
            raise ValueError("no systems were given; give at least one")
        first = systems[0]
        for system in systems:
            if (system.field, system.geometry) != (first.field, first.geometry):
                raise ValueError("systems of one batch share the field and the geometry; split the list")
            if system.tokens.shape != first.tokens.shape or system.scores.shape != first.scores.shape:
                raise ValueError("systems of one batch share n, d and H; split the list")
        return cls(
            np.stack([system.tokens for system in systems]),
            np.stack([system.scores for system in systems]),
            np.stack([system.values for system in systems]),
            np.array([system.beta for system in systems]),
            first.field,
            first.geometry,
        )

    def __len__(self) -> int:
        return int(self.tokens.shape[0])


def batch_velocities(batch: Batch, tokens: FloatArray, members: Indices) -> FloatArray:
    """Velocities of some members at `tokens` (b, n, d), members (b,) -> (b, n, d)."""
    if batch.geometry is Geometry.SPHERE:
        tokens = tokens / row_norms(tokens)[..., None]
    scores = batch.scores[members]
    weights = (tokens[:, None] @ scores) @ tokens.transpose(0, 2, 1)[:, None]
    weights *= batch.betas[members][:, None, None, None]
    if batch.field is Field.SA:
        weights -= weights.max(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        np.exp(weights, out=weights)
    if batch.field is Field.SA:
        weights /= weights.sum(axis=-1, keepdims=True)
    images = tokens[:, None] @ batch.values[members].transpose(0, 1, 3, 2)
    velocity: FloatArray = (weights @ images).sum(axis=1)
    if batch.field is Field.USA:
        velocity /= tokens.shape[1]
    return tangential(tokens, velocity) if batch.geometry is Geometry.SPHERE else velocity


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """Final states of a batch.

    Attributes:
        final: (B, n, d). times: (B,) where each ended (the horizon).
        step_error_sums: (B,) sums of the steps' estimated errors.
        largest_norm_defect: (B,) the largest | ||x|| - 1 | met at an accepted step (0 on the flat geometry).
        steps, rejected: (B,) counts.
    """

    final: FloatArray
    times: Array
    step_error_sums: Array
    largest_norm_defect: Array
    steps: npt.NDArray[np.int64]
    rejected: npt.NDArray[np.int64]


Observer = Callable[[Indices, Array, FloatArray, Array], None]
"""Called after each round with members (b,), times (b,), states (b, n, d), the steps' errors (b,)."""


def integrate_batch(
    batch: Batch,
    horizon: float,
    *,
    rtol: float = 1e-6,
    atol: float = 0.0,
    tableau: Tableau | None = None,
    observer: Observer | None = None,
    max_rounds: int = 100_000,
) -> BatchSolution:
    """Integrate all systems of a batch over [0, horizon].

    Args:
        batch: the systems; on the sphere their tokens are projected first.
        horizon: end of time, not negative.
        rtol: relative tolerance of a step, per token.
        atol: absolute tolerance of a step, per token.
        tableau: the Runge-Kutta pair, by default 8(5,3).
        observer: sees every accepted step, for checks that need whole trajectories without keeping them.
        max_rounds: bound on rounds.

    Raises:
        ValueError: a negative or infinite horizon.
        IntegrationError: a system could not reach the horizon.
    """
    if not (math.isfinite(horizon) and horizon >= 0):
        raise ValueError(f"horizon is {horizon}; give a finite number, at least 0")
    tableau = tableau or dop853()
    sphere = batch.geometry is Geometry.SPHERE
    count = len(batch)
    states = normalised(batch.tokens) if sphere else batch.tokens.copy()
    members: Indices = np.arange(count)
    first = batch_velocities(batch, states, members)
    times = np.zeros(count)
    speed = row_norms(first).max(axis=1)
    sizes = np.minimum(horizon, 0.01 / np.maximum(speed, 1e-3)) * min(1.0, (rtol + atol) ** (1 / tableau.exponent) * 10)
    error_sums, defects = np.zeros(count), np.zeros(count)
    steps, rejected = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    held = np.zeros(count, dtype=bool)
    stages = tableau.stages
    atol = max(atol, float(np.finfo(states.dtype).tiny))
    for _ in range(max_rounds):
        members = np.flatnonzero(times < horizon)
        if members.size == 0:
            break
        current = states[members]
        step = np.minimum(sizes[members], horizon - times[members])
        if bool((step <= 4 * np.spacing(times[members])).any()):
            raise IntegrationError("a system's step fell below the resolution of time; its solution may blow up")
        wide = step[:, None, None]
        slopes = np.empty((stages + 1, *current.shape), dtype=current.dtype)
        slopes[0] = first[members]
        flat = slopes.reshape(stages + 1, -1)
        for index in range(1, stages):
            increment = (tableau.a[index, :index].astype(flat.dtype) @ flat[:index]).reshape(current.shape)
            slopes[index] = batch_velocities(batch, current + wide * increment, members)
        new = current + wide * (tableau.b.astype(flat.dtype) @ flat[:stages]).reshape(current.shape)
        slopes[stages] = batch_velocities(batch, new, members)
        rows = step[:, None] * row_norms((tableau.error.astype(flat.dtype) @ flat).reshape(current.shape))
        if tableau.error_low is not None:
            low = step[:, None] * row_norms((tableau.error_low.astype(flat.dtype) @ flat).reshape(current.shape))
            denominator = np.sqrt(rows**2 + 0.01 * low**2)
            rows = np.divide(rows**2, denominator, out=np.zeros_like(rows), where=denominator > 0)
        scale = atol + rtol * np.maximum(row_norms(current), row_norms(new))
        scaled = (rows / scale).max(axis=1)
        scaled = np.where(np.isfinite(scaled), scaled, np.inf)
        accepted = scaled <= 1
        with np.errstate(divide="ignore"):
            factor = SAFETY * scaled ** (-1 / tableau.exponent)
        factor = np.clip(factor, SMALLEST_FACTOR, np.where(held[members], 1.0, LARGEST_FACTOR))
        sizes[members] = step * factor
        held[members] = ~accepted
        rejected[members] += ~accepted
        moved = members[accepted]
        if moved.size == 0:
            continue
        landed = normalised(new[accepted]) if sphere else new[accepted]
        ends = times[moved] + step[accepted]
        times[moved] = np.where(horizon - ends <= 4 * np.spacing(horizon), horizon, ends)
        states[moved] = landed
        first[moved] = slopes[stages][accepted]
        step_errors = rows[accepted].max(axis=1)
        error_sums[moved] += step_errors
        steps[moved] += 1
        if sphere:
            defects[moved] = np.maximum(defects[moved], np.abs(row_norms(landed) - 1).max(axis=1))
        if observer is not None:
            observer(moved, times[moved], landed, step_errors)
    else:
        raise IntegrationError(f"{members.size} systems had not ended after {max_rounds} rounds; raise max_rounds")
    return BatchSolution(states, times, error_sums, defects, steps, rejected)
