"""Adaptive integration that stays on the sphere, with dense output, all events, and an honest error estimate.

A step is an explicit Runge-Kutta step in the ambient space followed by the projection x -> x / ||x|| of every token
(Hairer, Lubich, Wanner, Geometric Numerical Integration, section IV.4: projection keeps the order). The field is taken
at the direction of its argument, so that the norm is a first integral of what is integrated and the projection only
removes what truncation and rounding did. The error of a step is measured per token, in the Euclidean norm, so that
rotating all tokens changes nothing.

Two error reports, neither tuned:
    `Solution.step_errors`: the embedded estimate of each accepted step, in absolute terms.
    `Solution.global_errors`: with `estimate_global`, the distance to a companion solution at a hundredth of the
        tolerance and with steps at most half as long, enlarged by a quarter, plus a rounding floor.

Events are functions g(t, y). On each step g along the dense output is replaced by its Chebyshev interpolant, whose
degree is doubled until its tail is at rounding level (the step is cut where that is not enough), and every root of
that polynomial is isolated exactly (`antumbra.numerics.roots`): two crossings within one step are two events.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import FloatArray, Geometry, RightHandSide, System, normalised, row_norms
from antumbra.numerics.roots import unit_interval_roots
from antumbra.numerics.tableau import Tableau, dop853

Array = npt.NDArray[np.float64]
Slope = Callable[[float, FloatArray], FloatArray]
Projection = Callable[[FloatArray], FloatArray]

SAFETY = 0.9
SMALLEST_FACTOR = 0.2
LARGEST_FACTOR = 6.0
COMPANION = 0.01
"""The companion solution of a global error estimate has this fraction of the tolerance."""
FINEST = 2.5e-14
"""The smallest tolerance that float64 steps can honour."""


class IntegrationError(ArithmeticError):
    """The integration could not reach its end; the message says how far it came and what limit it met."""


@dataclass(frozen=True)
class Event:
    """A scalar function of time and state whose zeros are wanted.

    Attributes:
        name: the key in `Solution.events`.
        function: g(t, y) -> float.
        terminal: stop at the first root.
        direction: 1 keeps upward crossings only, -1 downward ones, 0 all, touching ones included.
    """

    name: str
    function: Callable[[float, FloatArray], float]
    terminal: bool = False
    direction: int = 0


@dataclass(frozen=True, eq=False)
class Crossing:
    """One root of an event function.

    Attributes:
        time: when.
        state: the dense output there.
        direction: 1 upward, -1 downward in the direction of integration, 0 where the function only touches zero.
        tail: the relative size of what the Chebyshev interpolant left out.
    """

    time: float
    state: FloatArray
    direction: int
    tail: float


@dataclass(frozen=True, eq=False)
class Solution:
    """A trajectory, K accepted steps of a state of shape S.

    Attributes:
        times: (K + 1,), from the start to where it ended.
        states: (K + 1, *S).
        step_errors: (K,), estimated error that each step added (largest row norm).
        dense: (K, degree, *S) coefficients F of `antumbra.numerics.tableau`, or None.
        events: crossings by event name, in the order of time.
        evaluations: calls of the right-hand side.
        rejected: steps that were tried and repeated smaller.
        terminated: the name of the terminal event that ended it, or None.
        global_errors: (K + 1,) estimated distance to the true solution (largest row norm), or None.
        project: the map onto the constraint, applied to what the dense output gives.
    """

    times: Array
    states: FloatArray
    step_errors: Array
    dense: FloatArray | None
    events: Mapping[str, tuple[Crossing, ...]]
    evaluations: int
    rejected: int
    terminated: str | None = None
    global_errors: Array | None = None
    project: Projection | None = field(default=None, repr=False)

    @property
    def final(self) -> FloatArray:
        """The last state."""
        last: FloatArray = self.states[-1]
        return last

    @property
    def error(self) -> float:
        """The largest global error estimate if there is one, else the sum of the steps' own errors."""
        if self.global_errors is not None:
            return float(self.global_errors.max())
        return float(self.step_errors.sum())

    def __call__(self, time: float) -> FloatArray:
        """The state at a time within the span, from the dense output.

        Raises:
            ValueError: the time is outside the span, or dense output was not kept.
        """
        if self.dense is None:
            raise ValueError("dense output was not kept; integrate with dense=True")
        first, last = float(self.times[0]), float(self.times[-1])
        if not min(first, last) <= time <= max(first, last):
            raise ValueError(f"time {time} is outside the solution's span [{first}, {last}]")
        ascending = self.times if last >= first else -self.times
        target = time if last >= first else -time
        step = int(np.clip(np.searchsorted(ascending, target, side="right") - 1, 0, len(self.step_errors) - 1))
        if time == self.times[step]:
            at_step: FloatArray = self.states[step]
            return at_step
        if time == self.times[step + 1]:
            at_end: FloatArray = self.states[step + 1]
            return at_end
        width = float(self.times[step + 1] - self.times[step])
        theta = (time - float(self.times[step])) / width
        state = evaluate_dense(self.states[step], self.dense[step], theta)
        return self.project(state) if self.project is not None else state


def evaluate_dense(start: FloatArray, coefficients: FloatArray, theta: float) -> FloatArray:
    """The dense output of one step at theta in [0, 1]: start S, coefficients (degree, *S)."""
    total = np.zeros_like(start)
    for index in range(coefficients.shape[0] - 1, -1, -1):
        total = (total + coefficients[index]) * (theta if index % 2 == 0 else 1 - theta)
    return start + total


def _largest_row(vectors: FloatArray) -> float:
    return float(np.max(row_norms(vectors))) if vectors.size else 0.0


def _scaled_norm(vectors: FloatArray, scale: FloatArray) -> float:
    return float(np.max(row_norms(vectors) / scale))


def _initial_step(
    slope: Slope, time: float, state: FloatArray, first: FloatArray, span: float, rtol: float, atol: float, order: int
) -> float:
    """Starting step size (Hairer, Norsett, Wanner, section II.4)."""
    scale = atol + rtol * row_norms(state)
    size, speed = _scaled_norm(state, scale), _scaled_norm(first, scale)
    guess = 1e-6 if size < 1e-5 or speed < 1e-5 else 0.01 * size / speed
    guess = min(guess, abs(span))
    direction = math.copysign(1.0, span)
    second = slope(time + guess * direction, state + guess * direction * first)
    curvature = _scaled_norm(second - first, scale) / guess
    largest = max(speed, curvature)
    following = max(1e-6, guess * 1e-3) if largest <= 1e-15 else (0.01 / largest) ** (1 / order)
    return min(100 * guess, following, abs(span))


@dataclass(eq=False)
class _Stepper:
    """State of one integration; makes trial steps."""

    slope: Slope
    tableau: Tableau
    rtol: float
    atol: float
    project: Projection | None
    time: float
    state: FloatArray
    first: FloatArray
    evaluations: int = 0

    def trial(self, size: float) -> tuple[FloatArray, FloatArray, float, float]:
        """Stages, the new unprojected state, the scaled error (accepted when at most 1) and the absolute one."""
        tableau = self.tableau
        stages = tableau.stages
        count = stages + 1 + tableau.extra_c.shape[0]
        slopes = np.empty((count, *self.state.shape), dtype=self.state.dtype)
        flat = slopes.reshape(count, -1)
        slopes[0] = self.first
        for index in range(1, stages):
            increment = (size * tableau.a[index, :index]).astype(flat.dtype) @ flat[:index]
            slopes[index] = self.slope(
                self.time + size * float(tableau.c[index]), self.state + increment.reshape(self.state.shape)
            )
        new = self.state + ((size * tableau.b).astype(flat.dtype) @ flat[:stages]).reshape(self.state.shape)
        slopes[stages] = self.slope(self.time + size, new)
        self.evaluations += stages
        scale = self.atol + self.rtol * np.maximum(row_norms(self.state), row_norms(new))
        main = (size * tableau.error).astype(flat.dtype) @ flat[: stages + 1]
        rows = row_norms(main.reshape(self.state.shape))
        if tableau.error_low is not None:
            low = row_norms(
                ((size * tableau.error_low).astype(flat.dtype) @ flat[: stages + 1]).reshape(self.state.shape)
            )
            denominator = np.sqrt(rows**2 + 0.01 * low**2)
            rows = np.divide(rows**2, denominator, out=np.zeros_like(rows), where=denominator > 0)
        return slopes, new, float(np.max(rows / scale)), float(np.max(rows))

    def dense(self, size: float, slopes: FloatArray, new: FloatArray) -> FloatArray:
        """Coefficients F of the step's dense output, (degree, *S); spends the extra stages."""
        tableau, stages = self.tableau, self.tableau.stages
        flat = slopes.reshape(slopes.shape[0], -1)
        for extra, node in enumerate(tableau.extra_c):
            known = stages + 1 + extra
            increment = (size * tableau.extra_a[extra, :known]).astype(flat.dtype) @ flat[:known]
            slopes[known] = self.slope(self.time + size * float(node), self.state + increment.reshape(self.state.shape))
            self.evaluations += 1
        difference = new - self.state
        rows = (size * tableau.dense).astype(flat.dtype) @ flat
        head = np.stack(
            [
                difference,
                size * slopes[0] - difference,
                2 * difference - size * (slopes[0] + slopes[stages]),
            ]
        )
        return np.concatenate([head, rows.reshape(-1, *self.state.shape)])


def solve(
    slope: Slope,
    start: npt.ArrayLike,
    span: tuple[float, float],
    *,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    tableau: Tableau | None = None,
    project: Projection | None = None,
    events: Sequence[Event] = (),
    dense: bool = True,
    largest_step: float = math.inf,
    max_steps: int = 100_000,
    estimate_global: bool = False,
) -> Solution:
    """Integrate y' = slope(t, y).

    Args:
        slope: (t, y) -> y', arrays of one shape S; the last axis of S is a vector whose norm measures the error.
        start: y at span[0].
        span: first and last time, finite, in either order.
        rtol: a step's error is at most atol + rtol ||y|| per row.
        atol: see rtol.
        tableau: the Runge-Kutta pair, by default 8(5,3).
        project: map onto a constraint, applied after each step; `slope` must not change under it.
        events: functions whose zeros are wanted.
        dense: keep the dense output of all steps (events make it for their own use anyway).
        largest_step: upper bound on the step size.
        max_steps: bound on accepted and rejected steps together.
        estimate_global: integrate a companion of finer tolerance and steps and report the distance.

    Raises:
        ValueError: a span or tolerance out of range.
        IntegrationError: too many steps, or a step below the resolution of time (a blow-up).
    """
    tableau = tableau or dop853()
    first_time, last_time = float(span[0]), float(span[1])
    if not (math.isfinite(first_time) and math.isfinite(last_time)):
        raise ValueError(f"the span {span} is not finite; give two finite times")
    if not (FINEST <= rtol < 1) or not atol >= 0:
        raise ValueError(f"rtol = {rtol}, atol = {atol}; give {FINEST} <= rtol < 1 and atol >= 0")
    state = np.array(start, dtype=np.asarray(start).dtype if np.asarray(start).dtype == np.float32 else np.float64)
    if state.ndim == 0:
        raise ValueError("the start is a single number; give an array, for instance of shape (1,)")
    tiny = float(np.finfo(state.dtype).tiny)
    atol = max(atol, tiny)
    if project is not None:
        state = project(state)
    first = slope(first_time, state)
    stepper = _Stepper(slope, tableau, rtol, atol, project, first_time, state, first, evaluations=1)
    times, states = [first_time], [state]
    errors: list[float] = []
    pieces: list[FloatArray] = []
    crossings: dict[str, list[Crossing]] = {event.name: [] for event in events}
    terminated: str | None = None
    rejected = 0
    length = last_time - first_time
    direction = math.copysign(1.0, length)
    size = 0.0
    if length != 0:
        size = _initial_step(slope, first_time, state, first, length, rtol, atol, tableau.exponent)
        stepper.evaluations += 1
    previous_rejected = False
    while (last_time - stepper.time) * direction > 0:
        if len(errors) + rejected >= max_steps:
            raise IntegrationError(
                f"stopped at t = {stepper.time:.6g} of {last_time:.6g} after {max_steps} steps; "
                "raise max_steps, loosen the tolerance or shorten the span"
            )
        size = min(size, largest_step, abs(last_time - stepper.time))
        if size <= 4 * math.ulp(stepper.time):
            raise IntegrationError(
                f"the step at t = {stepper.time:.6g} fell to {size:.3g}, below the resolution of time; "
                "the solution may blow up there"
            )
        end = stepper.time + direction * size
        if abs(last_time - end) <= 4 * math.ulp(last_time):
            end = last_time
        signed = end - stepper.time
        slopes, new, scaled, absolute = stepper.trial(signed)
        if not math.isfinite(scaled):
            size *= SMALLEST_FACTOR
            rejected, previous_rejected = rejected + 1, True
            continue
        factor = LARGEST_FACTOR if scaled == 0 else SAFETY * scaled ** (-1 / tableau.exponent)
        if scaled > 1:
            size *= max(SMALLEST_FACTOR, factor)
            rejected, previous_rejected = rejected + 1, True
            continue
        coefficients = stepper.dense(signed, slopes, new) if dense or events else None
        landed = project(new) if project is not None else new
        step_crossings: list[tuple[str, Crossing]] = []
        if coefficients is not None and events:
            piece = _Piece(stepper.time, end, stepper.state, landed, coefficients, project)
            for event in events:
                step_crossings += [(event.name, found) for found in _crossings(event, piece, not crossings[event.name])]
            step_crossings.sort(key=lambda entry: entry[1].time * direction)
        stop = next((i for i, (name, _) in enumerate(step_crossings) if _terminal(events, name)), None)
        for name, crossing in step_crossings[: None if stop is None else stop + 1]:
            if not _repeats(crossings[name], crossing):
                crossings[name].append(crossing)
        errors.append(absolute)
        if dense and coefficients is not None:
            pieces.append(coefficients)
        if stop is not None:
            name, crossing = step_crossings[stop]
            times.append(crossing.time)
            states.append(crossing.state)
            if dense and coefficients is not None:
                theta = (crossing.time - stepper.time) / signed
                pieces[-1] = _restricted(stepper.state, coefficients, theta)
            terminated = name
            break
        times.append(end)
        states.append(landed)
        stepper.time, stepper.state, stepper.first = end, landed, slopes[tableau.stages]
        limit = 1.0 if previous_rejected else LARGEST_FACTOR
        size = abs(signed) * min(limit, max(SMALLEST_FACTOR, factor))
        previous_rejected = False
    stacked = None
    if dense:
        stacked = np.stack(pieces) if pieces else np.zeros((0, tableau.degree, *state.shape), dtype=state.dtype)
    solution = Solution(
        times=np.array(times),
        states=np.stack(states),
        step_errors=np.array(errors),
        dense=stacked,
        events={name: tuple(found) for name, found in crossings.items()},
        evaluations=stepper.evaluations,
        rejected=rejected,
        terminated=terminated,
        project=project,
    )
    if not estimate_global:
        return solution
    # The companion lands on every time of the solution by steps of its own, at most half as long: dense output would
    # add an error that is not the solution's.
    epsilon = float(np.finfo(state.dtype).eps)
    reference, evaluations, distances = solution.states[0], 0, [8 * epsilon * max(1.0, _largest_row(state))]
    for index, (before, after) in enumerate(itertools.pairwise(solution.times.tolist())):
        finer = solve(
            slope,
            reference,
            (before, after),
            rtol=max(rtol * COMPANION, FINEST),
            atol=atol * COMPANION,
            tableau=tableau,
            project=project,
            dense=False,
            largest_step=abs(after - before) / 2,
            max_steps=max_steps,
        )
        reference, evaluations = finer.final, evaluations + finer.evaluations
        floor = 8 * epsilon * (1 + math.sqrt(index + 1)) * max(1.0, _largest_row(reference))
        distances.append(1.25 * _largest_row(solution.states[index + 1] - reference) + floor)
    return replace(solution, global_errors=np.array(distances), evaluations=solution.evaluations + evaluations)


def _terminal(events: Sequence[Event], name: str) -> bool:
    return any(event.terminal for event in events if event.name == name)


def _repeats(known: Sequence[Crossing], crossing: Crossing) -> bool:
    """Whether a root at the joint of two steps has been recorded already."""
    return bool(known) and abs(crossing.time - known[-1].time) <= 16 * math.ulp(max(1.0, abs(crossing.time)))


def _restricted(start: FloatArray, coefficients: FloatArray, theta: float) -> FloatArray:
    """Dense coefficients of the same polynomial on [0, theta], found by interpolation at as many points."""
    degree = coefficients.shape[0]
    nodes = (1 - np.cos(np.pi * (np.arange(degree) + 1) / (degree + 1))) / 2
    basis = np.empty((degree, degree))
    for column in range(degree):
        product = np.ones(degree)
        for index in range(column + 1):
            product = product * (nodes if index % 2 == 0 else 1 - nodes)
        basis[:, column] = product
    values = np.stack([evaluate_dense(start, coefficients, theta * float(node)) - start for node in nodes])
    solved = np.linalg.solve(basis, values.reshape(degree, -1).astype(np.float64))
    return solved.reshape(coefficients.shape).astype(coefficients.dtype)


@dataclass(frozen=True, eq=False)
class _Piece:
    """One accepted step, as a function of theta."""

    start_time: float
    end_time: float
    start: FloatArray
    end: FloatArray
    coefficients: FloatArray
    project: Projection | None

    def at(self, theta: float) -> tuple[float, FloatArray]:
        """Time and state at theta in [0, 1]; the ends are the accepted states themselves."""
        if theta == 0:
            return self.start_time, self.start
        if theta == 1:
            return self.end_time, self.end
        state = evaluate_dense(self.start, self.coefficients, theta)
        time = self.start_time + theta * (self.end_time - self.start_time)
        return time, self.project(state) if self.project is not None else state


LOWEST_DEGREE = 16
HIGHEST_DEGREE = 128
RESOLVED = 1e-10
"""The relative tail below which an event function counts as resolved; rounding in it stays well below."""
MOST_PIECES = 16
"""A step is cut into at most so many pieces to resolve an event function; `Crossing.tail` says what is left out."""


def chebyshev_coefficients(values: npt.ArrayLike) -> Array:
    """Coefficients of the interpolant of values at the points cos(pi k / N), k = 0..N: (N+1,) -> (N+1,)."""
    samples = np.asarray(values, dtype=np.float64)
    degree = samples.shape[0] - 1
    indices = np.arange(degree + 1)
    weights = np.cos(np.pi * np.outer(indices, indices) / degree)
    halved = samples.copy()
    halved[0] /= 2
    halved[-1] /= 2
    coefficients: Array = weights @ halved * (2 / degree)
    coefficients[0] /= 2
    coefficients[-1] /= 2
    return coefficients


def _chebyshev_to_power(coefficients: Sequence[float]) -> list[Fraction]:
    """Sum c_k T_k(2 theta - 1) as powers of theta, exactly."""
    previous, current = [Fraction(1)], [Fraction(-1), Fraction(2)]
    total = [Fraction(0)] * len(coefficients)
    for index, weight in enumerate(coefficients):
        polynomial = previous if index == 0 else current
        exact = Fraction(float(weight))
        for power, entry in enumerate(polynomial):
            total[power] += exact * entry
        if index >= 1:
            following = [Fraction(0)] * (len(current) + 1)
            for power, entry in enumerate(current):
                following[power] -= 2 * entry
                following[power + 1] += 4 * entry
            for power, entry in enumerate(previous):
                following[power] -= entry
            previous, current = current, following
    return total


def _crossings(event: Event, piece: _Piece, include_start: bool) -> list[Crossing]:
    """All roots of the event function on one step, in order; the start only on request (the last step had it)."""
    found: list[Crossing] = []
    waiting, pieces = [(0.0, 1.0)], 1
    while waiting:
        low, high = waiting.pop()
        coefficients, tail = _interpolant(event, piece, low, high)
        if tail > RESOLVED and pieces < MOST_PIECES:
            middle = (low + high) / 2
            waiting += [(middle, high), (low, middle)]
            pieces += 1
            continue
        for crossing in _roots_of(coefficients, tail, event, piece, (low, high), include_start and low == 0):
            if not _repeats(found, crossing):
                found.append(crossing)
    return found


def _roots_of(
    coefficients: Array, tail: float, event: Event, piece: _Piece, span: tuple[float, float], include_start: bool
) -> Iterator[Crossing]:
    """The roots of an interpolant on a part of a step."""
    # |sum c_k T_k| >= |c_0| - sum |c_k|: most steps have no root and cost no exact arithmetic.
    if abs(coefficients[0]) > np.abs(coefficients[1:]).sum() or not coefficients.any():
        return
    for root in unit_interval_roots(_chebyshev_to_power(list(coefficients))):
        if root.location == 0 and not include_start:
            continue
        direction = 0 if root.before == root.after else root.after
        if event.direction not in (0, direction):
            continue
        time, state = piece.at(span[0] + root.location * (span[1] - span[0]))
        yield Crossing(time, state, direction, tail)


def _interpolant(event: Event, piece: _Piece, low: float, high: float) -> tuple[Array, float]:
    """Chebyshev coefficients of the event function on a part of a step; the relative size of what they leave out."""
    degree = LOWEST_DEGREE
    while True:
        nodes = low + (high - low) * (1 + np.cos(np.pi * np.arange(degree + 1) / degree)) / 2
        values = [float(event.function(*piece.at(float(node)))) for node in nodes]
        if not all(math.isfinite(value) for value in values):
            raise IntegrationError(f"event {event.name!r} is not finite on the step from t = {piece.start_time:.6g}")
        coefficients = chebyshev_coefficients(values)
        size = float(np.abs(coefficients).max())
        if size == 0:
            return coefficients[:1], 0.0
        tail = float(np.abs(coefficients[-3:]).max()) / size
        if tail <= 1e-14 or degree >= HIGHEST_DEGREE:
            kept = np.flatnonzero(np.abs(coefficients) > 4e-16 * size)
            return coefficients[: int(kept[-1]) + 1], tail
        degree *= 2


def integrate(
    system: System,
    horizon: float,
    *,
    rtol: float = 1e-8,
    atol: float = 0.0,
    tableau: Tableau | None = None,
    events: Sequence[Event] = (),
    dense: bool = True,
    largest_step: float = math.inf,
    max_steps: int = 100_000,
    estimate_global: bool = False,
) -> Solution:
    """Integrate a system from its tokens over [0, horizon].

    On the sphere every recorded state has unit rows to rounding. States are (n, d); other arguments as in `solve`.

    Raises:
        RangeError: USA whose exponentials could overflow, before the run.
        IntegrationError: see `solve`.
    """
    right = RightHandSide(system)
    return solve(
        lambda _time, tokens: right(tokens),
        system.tokens,
        (0.0, horizon),
        rtol=rtol,
        atol=atol,
        tableau=tableau,
        project=normalised if system.geometry is Geometry.SPHERE else None,
        events=events,
        dense=dense,
        largest_step=largest_step,
        max_steps=max_steps,
        estimate_global=estimate_global,
    )
