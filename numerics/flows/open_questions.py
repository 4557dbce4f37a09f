"""Beyond the paper: where Condition 8 holds on the equiangular path of equal heads, and what happens after.

Notation: m = n - 1, a = beta lambda, K = (H - 1)/c*(H), A = e^(a (1 - g)) + m g, B = m (1 - g)(1 + m g).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Field, dominance_margins, ratios
from antumbra.numerics.flows.compare import EPSILON, Finding, flow_evidence, head_energy_quantity, summarise
from antumbra.numerics.flows.paths import Path, balance_paths, gamma_quantity, mean_gamma, path, run
from antumbra.numerics.flows.probing import Probe, hunt_evidence, hunt_systems, lattice, probe_evidence
from antumbra.numerics.flows.sampling import Instance
from antumbra.numerics.flows.stated import attack
from antumbra.numerics.flows.thm19 import beta_star, c_star
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def growth(gamma: Array, a: Array, m: Array) -> Array:
    """A."""
    return np.asarray(np.exp(a * (1 - gamma)) + m * gamma)


def room(gamma: Array, m: Array) -> Array:
    """B."""
    return np.asarray(m * (1 - gamma) * (1 + m * gamma))


# --- what happens after the condition fails --------------------------------------------------------------------------


def leaving(context: RunContext) -> Iterator[Path]:
    """Equal heads under USA from inside, before and after the interval in which Condition 8 holds."""
    rng = context.rng("leaving")
    for index in range(context.budget.samples):
        heads = int(rng.integers(2, context.budget.largest_heads + 1))
        n = int(rng.integers(3, context.budget.largest_n + 1))
        scale = float(rng.uniform(0.4, 1.2))
        beta = max(0.2, beta_star(heads, n, scale)) * (0.7 if index % 3 == 0 else float(rng.uniform(1.0, 1.6)))
        gamma = -0.5 / (n - 1) if index % 3 == 1 else float(rng.uniform(0.0, 0.6))
        yield path(rng, n, [scale] * heads, beta, gamma, Field.USA)


@evidence("open.after", kind=Kind.FLOW, part="energies")
def after_energies(context: RunContext) -> Evidence:
    """Every head's energy rises, whether Condition 8 holds or not."""
    findings = balance_paths(
        leaving(context),
        head_energy_quantity,
        lambda start: lambda _tokens: np.zeros(len(start.scales)),
        sense="at_least",
    )
    return flow_evidence(findings, "no head's energy falls, inside and outside the interval of dominance")


@evidence("open.after", kind=Kind.FLOW, part="closing")
def after_closing(context: RunContext) -> Evidence:
    """Gamma rises, whether Condition 8 holds or not."""
    findings = balance_paths(
        leaving(context), gamma_quantity, lambda _start: lambda _tokens: np.zeros(1), sense="at_least"
    )
    return flow_evidence(
        findings, "the common inner product does not fall, inside and outside the interval of dominance"
    )


def cluster_findings(context: RunContext, factor: float = 1.0) -> list[Finding]:
    """ln(1 - gamma) against its claimed decay, (2/n)(1 + (n-1) g0) H lambda e^(a g0) per time at least.

    An error e of gamma changes the logarithm by at most e / (1 - gamma - e).
    """
    findings = []
    for start in leaving(context):
        system, scale = start.system, float(start.scales[0])
        track = run(start)
        if track is None:
            findings.append(Finding(start.label, None))
            continue
        n, first = system.n, start.gamma
        pace = 2 / n * (1 + (n - 1) * first) * len(start.scales) * scale * math.exp(system.beta * scale * first)
        left = 1 - np.array([mean_gamma(tokens) for tokens in track.tokens])
        error = 2 * track.errors + 8 * EPSILON * n
        allowed = (error / (left - error) + error[0] / (left[0] - error[0]))[1:]
        decay = np.log(left[0] / left)[1:]
        findings.append(
            Finding(start.label, summarise(factor * pace * track.times[1:] - decay, allowed, decay / allowed))
        )
    return findings


@evidence("open.after", kind=Kind.FLOW, part="clusters")
def after_clusters(context: RunContext) -> Evidence:
    """1 - gamma decays at least at the claimed rate."""
    return flow_evidence(cluster_findings(context), "1 - gamma decays at least at its claimed rate")


# --- the interval of dominance: searches -----------------------------------------------------------------------------


def equal_heads(context: RunContext) -> Iterator[Instance]:
    """Equal scalar heads on equiangular tokens."""
    rng = context.rng("equal heads")
    for index in range(8 * context.budget.restarts):
        n, heads = int(rng.integers(2, context.budget.largest_n + 1)), int(rng.integers(2, 5))
        gamma = (
            (0.0, 1 / 3, 0.999, -0.99 / (n - 1))[index % 8] if index % 8 < 4 else float(rng.uniform(-1 / (n - 1), 1))
        )
        start = path(rng, n, [float(rng.uniform(0.1, 2))] * heads, float(rng.uniform(0.1, 2)), gamma, Field.USA)
        yield Instance(start.system, start.label)


def _shape(system: Any) -> tuple[float, float, int, int]:
    """Gamma, a, m, H of such a system."""
    return mean_gamma(system.tokens), system.beta * float(system.scores[0, 0, 0]), system.n - 1, system.heads


def condition_margin(system: Any) -> tuple[float, float]:
    """Condition 8 by the tokens' vectors against (H-1) A sqrt(A^2 + B) <= B: the margins are lambda^2 times each other.

    Tokens that a search moves are no longer equiangular and leave the hypotheses.
    """
    gamma, a, m, heads = _shape(system)
    gram = system.tokens @ system.tokens.T
    if float(np.abs(gram - gamma - (1 - gamma) * np.eye(system.n)).max()) > 1e-13 * system.n:
        return math.nan, 0.0
    scale = float(system.scores[0, 0, 0])
    big, small = float(growth(np.array(gamma), np.array(a), np.array(m))), float(room(np.array(gamma), np.array(m)))
    closed = small - (heads - 1) * big * math.sqrt(big * big + max(small, 0.0))
    found = dominance_margins(system) / (scale**2 * math.exp(2 * a * gamma))
    # Inner products are off by 1e-13 n at most, which moves A and B by a (1 + A) and m (1 + m) times that.
    size = heads * (big + m + 1) ** 2
    return -float(np.abs(found - closed).max()), 1e-12 * system.n * (1 + a) * (1 + m) * size


def sharp_margin(system: Any) -> tuple[float, float]:
    """Signs of 1/H - (a/||f||)^2 by the vectors and of B - (H-1) A^2: (1/H - r^2) H (A^2 + B) = B - (H-1) A^2."""
    gamma, a, m, heads = _shape(system)
    gram = system.tokens @ system.tokens.T
    if float(np.abs(gram - gamma - (1 - gamma) * np.eye(system.n)).max()) > 1e-13 * system.n or 1 - gamma < 1e-6:
        return math.nan, 0.0
    big, small = float(growth(np.array(gamma), np.array(a), np.array(m))), float(room(np.array(gamma), np.array(m)))
    closed = small - (heads - 1) * big * big
    found = (1 / heads - ratios(system) ** 2) * heads * (big * big + small)
    size = heads * (big + m + 1) ** 2
    return -float(np.abs(found - closed).max()), 1e-12 * system.n * (1 + a) * (1 + m) * size


@attack("open.invariance.amended", part="condition")
def attack_condition(context: RunContext) -> Evidence:
    """Condition 8 on the path reads (H-1) A sqrt(A^2 + B) <= B."""
    hunt = hunt_systems(context, equal_heads(context), condition_margin)
    return hunt_evidence([hunt], "Condition 8 on the path is (H-1) A sqrt(A^2 + B) <= B")


@attack("open.invariance.amended", part="sharp_condition")
def attack_sharp(context: RunContext) -> Evidence:
    """The ratio test with 1/sqrt(H) on the path reads (H-1) A^2 <= B."""
    hunt = hunt_systems(context, equal_heads(context), sharp_margin)
    return hunt_evidence([hunt], "the ratio test with 1/sqrt(H) on the path is (H-1) A^2 <= B")


def equivalent(points: Array) -> tuple[Array, Array]:
    """Signs of B - (H-1) A sqrt(A^2 + B) and of B - K A^2, for any A > 0 and B >= 0: (B/A^2, H - 1)."""
    b, k = points.T
    direct, reduced = b - k * np.sqrt(1 + b), b - k / c_star(k)
    size = np.minimum(np.abs(direct), np.abs(reduced))
    slack = 32 * EPSILON * (1 + b + k * k)
    return np.where(size > slack, np.sign(direct) * np.sign(reduced) * size, 0.0), slack


@attack("open.invariance.amended", part="equivalent")
def attack_equivalent(context: RunContext) -> Evidence:
    """Condition 8 is equivalent to sqrt(K) A <= sqrt(B)."""
    edge = np.array(
        [[k / float(c_star(np.array(float(k)))) * (1 + t), k] for k in (1, 2, 3, 9) for t in (-1e-9, 0, 1e-9)]
    )
    special = np.concatenate([edge, lattice([0, 1 / 3, 1, 100], [1, 2, 7])])
    probe = Probe("B/A^2, H - 1", [1e-3, 1], [1e4, 60], equivalent, special, logarithmic=(0, 1), whole=(1,))
    return probe_evidence(context, [probe], "both forms of Condition 8 hold together or fail together")


def _triple(points: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
    """(n, a, g0, s, t) -> m, a, g0 < g1 < g2 in [0, 1], and the weight of g2 in g1."""
    n, a, first, s, t = points.T
    last = first + s * (1 - first)
    return n - 1, a, first, first + t * (last - first), last, t


def convex(points: Array) -> tuple[Array, Array]:
    """The chord of A less A."""
    m, a, first, middle, last, t = _triple(points)
    low, high = growth(first, a, m), growth(last, a, m)
    size = low + high
    return (1 - t) * low + t * high - growth(middle, a, m), 32 * EPSILON * (1 + a) * size


def concave(points: Array) -> tuple[Array, Array]:
    """sqrt(B) less its chord."""
    m, _, first, middle, last, t = _triple(points)
    low, high = np.sqrt(room(first, m)), np.sqrt(np.maximum(room(last, m), 0))
    # Near g = 1 an ulp of 1 - g moves sqrt(B) by sqrt(n) times the square root of an ulp.
    value = np.sqrt(np.maximum(room(middle, m), 0))
    slack = 32 * EPSILON * (low + high + value) + np.where(last > 1 - 1e-9, 4 * np.sqrt(EPSILON) * (m + 1), 0)
    slack = slack + 8 * EPSILON * (m + 1) ** 2 / np.maximum(value, 1e-8)
    return value - (1 - t) * low - t * high, slack


def interval(points: Array) -> tuple[Array, Array]:
    """Where the condition holds at both ends of a chord it holds between: (n, a, g0, s, t, H)."""
    m, a, first, middle, last, _ = _triple(points[:, :5])
    k = points[:, 5] - 1
    root = np.sqrt(k / c_star(k))

    def excess(gamma: Array) -> Array:
        return np.asarray(np.sqrt(np.maximum(room(gamma, m), 0)) - root * growth(gamma, a, m))

    holds = (excess(first) >= 0) & (excess(last) >= 0)
    size = root * growth(first, a, m) + m + 1
    return np.where(holds, excess(middle), np.nan), 64 * EPSILON * (1 + a) * size * (m + 1)


def shrinks(points: Array) -> tuple[Array, Array]:
    """Where the condition holds at a (1 + s) it holds at a: (n, a, g, s, H)."""
    n, a, gamma, s, heads = points.T
    m, k = n - 1, heads - 1
    root = np.sqrt(k / c_star(k))
    side = np.sqrt(np.maximum(room(gamma, m), 0))
    hot, cold = side - root * growth(gamma, a * (1 + s), m), side - root * growth(gamma, a, m)
    slack = 64 * EPSILON * (1 + a * (1 + s)) * (side + root * growth(gamma, a * (1 + s), m))
    return np.where(hot >= 0, cold, np.nan), slack


def fails_late(points: Array) -> tuple[Array, Array]:
    """Where n (n-1)(1-g) < 1 the condition fails, K A^2 > B: (n, a, place of g, H)."""
    n, a, place, heads = points.T
    m, k = n - 1, heads - 1
    deficit = place / (n * m)
    big, small = np.exp(a * deficit) + m * (1 - deficit), m * deficit * (n - m * deficit)
    margin = k / c_star(k) * big**2 - small
    return np.where(place < 1, margin, np.nan), 64 * EPSILON * k * k * big**2


_LOW, _HIGH = [2, 1e-2, 0.0, 1e-3, 0.01], [1e4, 10.0, 0.999, 1.0, 0.99]
_EDGES = lattice([2, 3, 8, 1e4], [1e-2, 1 / 3, 10], [0, 1 / 7, 0.9], [1e-3, 1 / 3, 1], [0.01, 1 / 3, 0.99])


@attack("open.invariance.amended", part="A_convex")
def attack_convex(context: RunContext) -> Evidence:
    """A is convex."""
    probe = Probe("chords", _LOW, _HIGH, convex, _EDGES, logarithmic=(0, 1, 3), whole=(0,))
    return probe_evidence(context, [probe], "A lies below its chords")


@attack("open.invariance.amended", part="B_concave")
def attack_concave(context: RunContext) -> Evidence:
    """sqrt(B) is concave."""
    probe = Probe("chords", _LOW, _HIGH, concave, _EDGES, logarithmic=(0, 1, 3), whole=(0,))
    return probe_evidence(context, [probe], "sqrt(B) lies above its chords")


@attack("open.invariance.amended", part="interval")
def attack_interval(context: RunContext) -> Evidence:
    """Where the condition holds is one interval."""
    special = np.concatenate([np.column_stack([_EDGES, np.full(len(_EDGES), heads)]) for heads in (2.0, 3.0)])
    lower, upper = [*_LOW, 2], [*_HIGH, 6]
    upper[1] = 4.0
    probe = Probe("chords, H", lower, upper, interval, special, logarithmic=(0, 1, 3), whole=(0, 5))
    return probe_evidence(context, [probe], "the condition holds between any two places where it holds")


@attack("open.invariance.amended", part="shrinks")
def attack_shrinks(context: RunContext) -> Evidence:
    """What holds at beta holds at every lower one."""
    special = lattice([2, 8, 64, 1e4], [1e-2, 1 / 3, 2], [0, 1 / 7, 0.5], [1e-3, 1 / 3, 1], [2, 3])
    probe = Probe(
        "beta lambda, gamma, H",
        [2, 1e-2, 0.0, 1e-6, 2],
        [1e4, 4.0, 0.999, 1.0, 6],
        shrinks,
        special,
        logarithmic=(0, 1, 3),
        whole=(0, 4),
    )
    return probe_evidence(context, [probe], "the condition holds at every lower temperature's beta where it holds")


@attack("open.invariance.amended", part="fails_late")
def attack_fails_late(context: RunContext) -> Evidence:
    """The condition fails where n (n-1)(1 - gamma) < 1."""
    special = lattice([2, 3, 8, 1e4], [1e-3, 1 / 3, 20], [1e-6, 1 / 3, 0.999999], [2, 3, 10])
    probe = Probe(
        "n, beta lambda, gamma, H",
        [2, 1e-3, 1e-6, 2],
        [1e4, 20.0, 0.999999, 60],
        fails_late,
        special,
        logarithmic=(0, 1, 2, 3),
        whole=(0, 3),
    )
    return probe_evidence(context, [probe], "the condition fails before gamma = 1 at every beta")
