"""Vectorised searches for counterexamples of closed forms and inequalities.

A probe has points with k real coordinates, a way to draw them, and a margin: a statement holds where its margin is not
negative. The margin of an identity is minus the distance of its sides. With each margin comes a slack, a bound on the
rounding of its own evaluation; a point refutes only where margin < -slack. Points outside the hypotheses have the
margin "not a number" and do not count.

Method: points at edges, branch points and non-dyadic rationals first, then random ones; the points of least score are
moved by Gaussian steps whose length shrinks from a tenth of the box to 10^-7 of it (an evolution strategy). The search
does the same on each machine; no clock decides what is tried.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Geometry, System, normalised
from antumbra.numerics.flows.compare import EPSILON, number
from antumbra.numerics.flows.sampling import Instance
from antumbra.numerics.registry import RunContext
from antumbra.proofs.claim import Evidence, Kind, Outcome

Array = npt.NDArray[np.floating[Any]]
Margin = Callable[[Array], tuple[Array, Array]]
"""Points (N, k) -> margins (N,), slacks (N,)."""
SystemMargin = Callable[[System], tuple[float, float]]
"""A system -> margin and slack."""

DRAWN_PER_START = 32
CHILDREN = 8
GENERATIONS = 20


@dataclass(frozen=True, eq=False)
class Probe:
    """One search.

    Attributes:
        name: what is searched, for the report ("d = 3").
        lower, upper: (k,) the box of the coordinates.
        margin: see the module.
        special: (s, k) points to try first.
        logarithmic: coordinates that are drawn and moved on a logarithmic scale (their box is positive).
        whole: coordinates that are integers.
    """

    name: str
    lower: Sequence[float]
    upper: Sequence[float]
    margin: Margin
    special: Array | None = None
    logarithmic: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()


@dataclass(frozen=True)
class Hunt:
    """What a search came to.

    Attributes:
        name: the probe's.
        tried, met: points tried, and those that met the hypotheses.
        margin, slack: at the point of least score (see `score`); infinite when none met the hypotheses.
        point: its coordinates.
        strict: points whose margin exceeds the slack, that is, where the statement held beyond doubt.
    """

    name: str
    tried: int
    met: int
    margin: float
    slack: float
    point: tuple[float, ...]
    strict: int

    @property
    def refuted(self) -> bool:
        """Whether the statement failed by more than rounding explains."""
        return self.met > 0 and self.margin < -self.slack

    @property
    def score(self) -> float:
        """The score of the worst point."""
        return float(score(np.array([self.margin]), np.array([self.slack]))[0])


def score(margins: Array, slacks: Array) -> Array:
    """What a search makes least: a margin, or where it is negative how many slacks that is; below -1 it refutes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(margins < 0, margins / slacks, margins))


def search(probe: Probe, rng: np.random.Generator, starts: int) -> Hunt:
    """Look for the least margin of a probe from so many starts."""
    lower, upper = np.array(probe.lower, dtype=np.float64), np.array(probe.upper, dtype=np.float64)
    logs = list(probe.logarithmic)
    low, high = lower.copy(), upper.copy()
    low[logs], high[logs] = np.log(lower[logs]), np.log(upper[logs])

    def real(inner: Array) -> Array:
        points = inner.copy()
        points[:, logs] = np.exp(points[:, logs])
        points = np.clip(points, lower, upper)
        points[:, list(probe.whole)] = np.rint(points[:, list(probe.whole)])
        return points

    def inner_of(points: Array) -> Array:
        inner = points.copy()
        inner[:, logs] = np.log(inner[:, logs])
        return inner

    tried = met = strict = 0
    best: tuple[float, float, float, Array] | None = None

    def evaluate(points: Array) -> Array:
        nonlocal tried, met, strict, best
        with np.errstate(all="ignore"):
            margins, slacks = probe.margin(points)
        inside = ~np.isnan(margins)
        tried += len(points)
        met += int(inside.sum())
        strict += int((margins[inside] > slacks[inside]).sum())
        if inside.any():
            scores = np.where(inside, score(margins, slacks), np.inf)
            worst = int(np.argmin(scores))
            if best is None or scores[worst] < best[0]:
                found = float(margins[worst]) + 0.0, float(slacks[worst])
                best = (float(scores[worst]), *found, points[worst].copy())
            return scores
        return np.full(len(points), np.inf)

    drawn = low + (high - low) * rng.random((starts * DRAWN_PER_START, len(low)))
    groups = [real(drawn)]
    if probe.special is not None:
        groups.insert(0, np.asarray(probe.special, dtype=np.float64))
    points = np.concatenate(groups)
    scores = evaluate(points)
    chosen = np.argsort(scores, kind="stable")[:starts]
    parents, parent_scores = inner_of(points[chosen]), scores[chosen]
    width = (high - low) * 0.1
    for _ in range(GENERATIONS):
        noise = rng.standard_normal((len(parents), CHILDREN, len(low)))
        children = np.clip(parents[:, None] + noise * width, low, high)
        child_scores = evaluate(real(children.reshape(-1, len(low)))).reshape(len(parents), CHILDREN)
        first = np.argmin(child_scores, axis=1)
        rows = np.arange(len(parents))
        better = child_scores[rows, first] < parent_scores
        parents[better] = children[rows, first][better]
        parent_scores[better] = child_scores[rows, first][better]
        width = width * 0.5
    if best is None:
        return Hunt(probe.name, tried, met, np.inf, np.inf, (), strict)
    return Hunt(probe.name, tried, met, best[1], best[2], tuple(float(entry) for entry in best[3]), strict)


def probe_evidence(context: RunContext, probes: Sequence[Probe], what: str, **data: Any) -> Evidence:
    """Run probes and report: FAIL with the worst point, VACUOUS when no point met the hypotheses.

    Args:
        context: seed and budget.
        probes: the searches.
        what: the assertion that was attacked, as the end of a sentence.
        data: further details.
    """
    rng = context.rng("probes")
    hunts = [search(probe, rng, context.budget.restarts) for probe in probes]
    return hunt_evidence(hunts, what, **data)


def hunt_evidence(hunts: Sequence[Hunt], what: str, **data: Any) -> Evidence:
    """The evidence of finished searches."""
    tried, met = sum(hunt.tried for hunt in hunts), sum(hunt.met for hunt in hunts)
    record: dict[str, Any] = {"tried": tried, "met_the_hypotheses": met, **data}
    if met == 0:
        return Evidence(Kind.ATTACK, Outcome.VACUOUS, f"None of {tried} points met the hypotheses of: {what}.", record)
    worst = min((hunt for hunt in hunts if hunt.met), key=lambda hunt: hunt.score)
    record |= {
        "worst_margin": number(worst.margin),
        "rounding": number(worst.slack),
        "where": worst.name,
        "point": [number(entry) for entry in worst.point],
        "beyond_rounding": sum(hunt.strict for hunt in hunts),
    }
    if worst.refuted:
        return Evidence(
            Kind.ATTACK,
            Outcome.FAIL,
            f"A point where it is not so that {what}: margin {worst.margin:.3g}, rounding {worst.slack:.2g} "
            f"({worst.name}).",
            record,
        )
    least = f"the least margin is {worst.margin:.2g}"
    if worst.margin < 0:
        least = f"what falls short is at most {-100 * worst.score:.2g} % of what rounding explains"
    summary = f"Among {met:,} points tried within the hypotheses none refutes that {what}; {least}."
    return Evidence(Kind.ATTACK, Outcome.PASS, summary, record)


def identity(left: Array, right: Array, size: Array, operations: Array | float) -> tuple[Array, Array]:
    """Margin and slack of left = right.

    Args:
        left: (N,) one side.
        right: (N,) the other.
        size: (N,) a bound on the sum of the sizes of all terms that enter.
        operations: bound on how many roundings a term goes through.
    """
    return 0.0 - np.abs(left - right), EPSILON * operations * size


def lattice(*axes: Sequence[float | Fraction]) -> Array:
    """All points with coordinates from the axes, (N, k)."""
    return np.array([[float(entry) for entry in point] for point in itertools.product(*axes)], dtype=np.float64)


def hunt_systems(
    context: RunContext, instances: Iterable[Instance], margin_of: SystemMargin, name: str = "systems"
) -> Hunt:
    """Look for the least margin over systems: all instances, then moves of the tokens of the worst ones.

    Moves keep the heads, hence their hypotheses, and are projected on the sphere where the geometry is that.

    Args:
        context: seed and budget; a quarter as many systems as starts are followed.
        instances: systems to begin with.
        margin_of: margin (not a number outside the hypotheses) and slack of a system.
        name: for the report.
    """
    rng = context.rng("moves")
    tried = met = strict = 0
    best: tuple[float, float, float, str] | None = None

    def evaluate(system: System, label: str) -> float:
        nonlocal tried, met, strict, best
        margin, slack = margin_of(system)
        tried += 1
        if math.isnan(margin):
            return math.inf
        met += 1
        strict += margin > slack
        value = float(score(np.array([margin]), np.array([slack]))[0])
        if best is None or value < best[0]:
            best = (value, margin + 0.0, slack, label)
        return value

    pool = [(evaluate(instance.system, instance.label), instance.system, instance.label) for instance in instances]
    pool.sort(key=lambda entry: entry[0])
    for value, system, label in pool[: max(2, context.budget.restarts // 4)]:
        width = 0.5
        for _ in range(GENERATIONS):
            moved: Array = system.tokens + width * rng.standard_normal(system.tokens.shape)
            if system.geometry is Geometry.SPHERE:
                moved = normalised(moved)
            candidate = system.at(moved)
            found = evaluate(candidate, f"{label}, tokens moved")
            if found < value:
                value, system = found, candidate
            else:
                width *= 0.7
    if best is None:
        return Hunt(name, tried, met, math.inf, math.inf, (), strict)
    return Hunt(f"{name}: {best[3]}", tried, met, best[1], best[2], (), strict)
