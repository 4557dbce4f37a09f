"""Beyond the paper: where Condition 8 holds on the equiangular path of equal heads, and the equilibria of few tokens.

Notation: m = n - 1, a = beta lambda, K = (H - 1)/c*(H), A = e^(a (1 - g)) + m g, B = m (1 - g)(1 + m g).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Field, dominance_margins, ratios
from antumbra.numerics.flows import equilibria, vectors
from antumbra.numerics.flows.compare import EPSILON, Finding, flow_evidence, head_energy_quantity, summarise
from antumbra.numerics.flows.paths import Path, balance_paths, gamma_quantity, mean_gamma, path, run
from antumbra.numerics.flows.precise import Pair, Value, enclosure_evidence, precision_evidence
from antumbra.numerics.flows.probing import Hunt, Probe, hunt_evidence, hunt_systems, lattice, probe_evidence
from antumbra.numerics.flows.sampling import Instance
from antumbra.numerics.flows.stated import attack, attack_stated
from antumbra.numerics.flows.thm19 import beta_star, c_star
from antumbra.numerics.quantities.answer import Answer, Exact, Real
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, integral, root
from antumbra.numerics.quantities.thresholds import c_star_ball
from antumbra.numerics.quantities.window import beta_window, critical_time, dominance_window
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind, Outcome
from flint import acb, arb, ctx

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


# --- the interval of dominance: values -------------------------------------------------------------------------------


Place = tuple[int, int, Fraction]
"""H, n, beta/beta*."""
WINDOWS: tuple[Place, ...] = (
    (2, 64, Fraction(6, 5)),
    (2, 64, Fraction(4, 5)),
    (2, 7, Fraction(1)),
    (3, 100, Fraction(21, 20)),
    (4, 500, Fraction(7, 6)),
)
"""Inside and below the last temperature; (2, 7) at beta* is the least n with a window just above it."""
LEFT, RIGHT = "0.027980427596382971", "0.291662085856986410"
LAST_RATIO, EXIT_TIME = "1.4268", "0.43488509239722"
REFERENCE: Place = (2, 64, Fraction(6, 5))


def place_label(place: Place) -> str:
    """A place in words."""
    return f"H={place[0]}, n={place[1]}, beta={place[2]} beta*"


def product_of(place: Place) -> arb:
    """A = beta lambda: (ratio/2) ln(c*^2 m/(1 - c*^2))."""
    heads, n, ratio = place
    square = c_star_ball(heads) ** 2
    return ball(ratio / 2) * (square * (n - 1) / (1 - square)).log()


def direct(place: Place) -> tuple[Callable[[arb], arb], Callable[[arb], arb]]:
    """Condition 8 as it stands, B - (H-1) A sqrt(A^2 + B), and its derivative in gamma."""
    heads, n, _ = place
    m, k = n - 1, heads - 1

    def parts(gamma: arb) -> tuple[arb, arb, arb, arb]:
        a = product_of(place)
        growth_ = (a * (1 - gamma)).exp()
        return growth_ + m * gamma, m - a * growth_, m * (1 - gamma) * (1 + m * gamma), m * (m - 1 - 2 * m * gamma)

    def value(gamma: arb) -> arb:
        size, _, bound, _ = parts(gamma)
        return bound - k * size * (size * size + bound).sqrt()

    def slope(gamma: arb) -> arb:
        size, rise, bound, change = parts(gamma)
        side = (size * size + bound).sqrt()
        return change - k * (rise * side + size * (2 * size * rise + change) / (2 * side))

    return value, slope


def direct_ends(place: Place) -> tuple[arb, arb]:
    """Both ends of the window by Condition 8 as it stands, bracketed on a grid of sixtieths.

    Raises:
        NeedPrecisionError: the grid shows no window.
    """
    value, slope = direct(place)
    grid = [Fraction(index, 240) for index in range(241)]
    # At beta* the condition is met with equality at gamma = 0, whose sign no precision decides: start beyond it.
    signs = [bool(value(ball(point)) > 0) for point in grid]
    inside = [index for index, sign in enumerate(signs) if sign]
    if not inside:
        raise NeedPrecisionError("no window on the grid")
    first, last = inside[0], inside[-1]
    below = place[2] <= 1
    left = arb(0) if below else root(value, slope, grid[first - 1], grid[first])
    return left, root(value, slope, grid[last], grid[last + 1])


def _end(place: Place, which: int) -> arb:
    """An end of the window by the smooth form B - K A^2.

    Raises:
        NeedPrecisionError: there is no window.
    """
    heads, n, ratio = place
    answer = dominance_window(heads, n, None, ratio, Fraction(1))
    if not isinstance(answer, tuple):
        raise NeedPrecisionError("no window was found")
    return _ball(answer[which])


def _ball(answer: Answer) -> arb:
    """The ball of a single number.

    Raises:
        NeedPrecisionError: it is none.
    """
    if isinstance(answer, Exact):
        return ball(answer.value)
    if isinstance(answer, Real):
        return answer.enclose()
    raise NeedPrecisionError("there is no number")


def tangent_window(heads: int, n: int) -> arb:
    """beta_w/beta* as the a at which B - K A^2 has a double root in gamma: Krawczyk's operator on (gamma, a).

    Raises:
        NeedPrecisionError: the operator did not map a box into its interior.
    """
    m = n - 1
    threshold = (heads - 1) / c_star_ball(heads)

    def system(gamma: arb, a: arb) -> tuple[arb, arb, arb, arb, arb, arb]:
        """G, G', and the derivatives of both in gamma and a; dG'/dgamma is the second derivative of G."""
        e = (a * (1 - gamma)).exp()
        size, rise, bend = e + m * gamma, m - a * e, a * a * e
        by_a, rise_by_a = (1 - gamma) * e, -e - a * (1 - gamma) * e
        value = m * (1 - gamma) * (1 + m * gamma) - threshold * size**2
        slope = m * (m - 1 - 2 * m * gamma) - 2 * threshold * size * rise
        curve = -2 * m * m - 2 * threshold * (rise**2 + size * bend)
        return (
            value,
            slope,
            slope,
            -2 * threshold * size * by_a,
            curve,
            -2 * threshold * (by_a * rise + size * rise_by_a),
        )

    answer = _ball(beta_window(heads, n))
    with ctx.workprec(64):
        # Fifteen digits to start from, moved away by a millionth; what is found from them is proven below.
        a = arb(float((answer * product_of((heads, n, Fraction(1)))).mid()) * (1 + 1e-6))
        gamma = arb(max(0.01, 0.5 - 1.0 / m)) / 3
    for _ in range(60):
        value, slope, value_g, value_a, slope_g, slope_a = system(arb(gamma.mid()), arb(a.mid()))
        determinant = value_g * slope_a - value_a * slope_g
        gamma = arb((gamma - (slope_a * value - value_a * slope) / determinant).mid())
        a = arb((a - (value_g * slope - slope_g * value) / determinant).mid())
    radius = arb(2) ** (-ctx.prec * 2 // 3)
    box_g, box_a = gamma.union(gamma + radius).union(gamma - radius), a.union(a + radius).union(a - radius)
    value, slope, *_ = system(gamma, a)
    _, _, value_g, value_a, slope_g, slope_a = system(box_g, box_a)
    determinant = value_g * slope_a - value_a * slope_g
    # Interval Newton with the inverse of the whole box's Jacobian.
    image_g = gamma - (slope_a * value - value_a * slope) / determinant
    image_a = a - (value_g * slope - slope_g * value) / determinant
    if not (box_g.contains_interior(image_g) and box_a.contains_interior(image_a)):
        raise NeedPrecisionError("the box is not mapped into itself")
    return image_a / product_of((heads, n, Fraction(1)))


def window_opens(heads: int, n: int) -> bool | None:
    """The sign of m - 1 - 2 sqrt(m K) + ln(m/K), with m > K; None when it is not decided."""
    with ctx.workprec(224):
        m, threshold = arb(n - 1), (heads - 1) / c_star_ball(heads)
        value = m - 1 - 2 * (m * threshold).sqrt() + (m / threshold).log()
        if value.contains(0) or (m - threshold).contains(0):
            return None
        return bool(value > 0 and m > threshold)


def end_pairs(above: bool) -> list[Pair]:
    """Both ends of the interval above beta*, or its right end at and below it, by both forms of Condition 8."""
    names = (("left end", LEFT), ("right end", RIGHT))
    pairs = []
    for place in WINDOWS:
        if (place[2] > 1) is not above:
            continue
        for which in (0, 1) if above else (1,):
            name, reference = names[which]
            pairs.append(
                Pair(
                    f"{name}, {place_label(place)}",
                    partial(_end, place, which),
                    lambda place=place, which=which: direct_ends(place)[which],  # type: ignore[misc]
                    reference if place == REFERENCE else "",
                )
            )
    return pairs


@evidence("open.phases", kind=Kind.PRECISION, part="exit")
def precise_single_end(_context: RunContext) -> Evidence:
    """gamma_+ for beta <= beta* by B - K A^2 and by Condition 8 as it stands."""
    return precision_evidence(end_pairs(above=False), "gamma_+ up to beta*, by two forms of Condition 8")


@evidence("open.phases", kind=Kind.PRECISION, part="between")
def precise_both_ends(_context: RunContext) -> Evidence:
    """gamma_- and gamma_+ for beta > beta* by B - K A^2 and by Condition 8 as it stands."""
    return precision_evidence(end_pairs(above=True), "gamma_- and gamma_+ above beta*, by two forms of Condition 8")


@evidence("open.phases", kind=Kind.PRECISION, part="largest")
def precise_last(_context: RunContext) -> Evidence:
    """beta_w as the maximum of ln y/(1 - gamma) and as the temperature of a double root of B - K A^2."""
    pairs = [
        Pair(
            f"beta_w/beta*, H={heads}, n={n}",
            lambda heads=heads, n=n: _ball(beta_window(heads, n)),  # type: ignore[misc]
            partial(tangent_window, heads, n),
            LAST_RATIO if (heads, n) == (2, 64) else "",
        )
        for heads, n in ((2, 64), (3, 100))
    ]
    return precision_evidence(pairs, "beta_w as a maximum and as the temperature of a double root")


def _least_tokens(heads: int, least: int) -> Evidence:
    """Where the criterion turns positive: its sign at the least n and one below, and the window just above beta*.

    The second route knows nothing of the criterion: a window is sought, and excluded, at 1 + 10^-6 times beta*.
    """
    signs = (window_opens(heads, least), window_opens(heads, least - 1))
    found = [
        isinstance(dominance_window(heads, n, None, 1 + Fraction(1, 10**6), Fraction(1)), tuple)
        for n in (least, least - 1)
    ]
    data = {"criterion": list(signs), "window_just_above_beta_star": found, "n": [least, least - 1]}
    if None in signs:
        return Evidence(Kind.PRECISION, Outcome.UNDECIDED, f"For H = {heads} a sign is not decided.", data)
    if signs != (True, False) or found != [True, False]:
        summary = f"For H = {heads} the least n with a window above beta* is not {least}."
        return Evidence(Kind.PRECISION, Outcome.FAIL, summary, data)
    summary = (
        f"For H = {heads} a window opens above beta* at n = {least} and not at {least - 1}, by criterion and by search."
    )
    return Evidence(Kind.PRECISION, Outcome.PASS, summary, data)


@evidence("open.phases", kind=Kind.PRECISION, part="two_heads")
def precise_two_heads(_context: RunContext) -> Evidence:
    """H = 2: from n = 7 on."""
    return _least_tokens(2, 7)


@evidence("open.phases", kind=Kind.PRECISION, part="three_heads")
def precise_three_heads(_context: RunContext) -> Evidence:
    """H = 3: from n = 20 on."""
    return _least_tokens(3, 20)


@evidence("open.phases", kind=Kind.PRECISION, part="four_heads")
def precise_four_heads(_context: RunContext) -> Evidence:
    """H = 4: from n = 40 on."""
    return _least_tokens(4, 40)


EXITS: tuple[Place, ...] = (REFERENCE, (3, 100, Fraction(21, 20)))
"""Where dominance is followed to its end: the reference, and one more."""


def exit_closed(place: Place) -> arb:
    """t_exit from the left end, the time's closed form between the ends."""
    heads, n, ratio = place
    return _ball(critical_time(heads, n, None, ratio, Fraction(1), None))


def exit_by_quadrature(place: Place) -> arb:
    """The integral of one over gamma's speed between the ends that Condition 8 itself gives."""
    heads, n, _ = place
    left, right = direct_ends(place)
    a = product_of(place)

    def integrand(gamma: acb) -> acb:
        return n / (2 * heads * (1 - gamma) * (1 + (n - 1) * gamma) * (a * gamma).exp())

    return integral(integrand, left, right)


def exit_routes(part: str) -> list[Pair]:
    """Both routes of a number of the exit at each place: an end of the window, or the time between the ends."""
    references = {"entry": LEFT, "exit": RIGHT, "time": EXIT_TIME}
    pairs = []
    for place in EXITS:
        first: Callable[[], arb] = partial(exit_closed, place)
        second: Callable[[], arb] = partial(exit_by_quadrature, place)
        if part != "time":
            which = 0 if part == "entry" else 1
            first = partial(_end, place, which)
            second = lambda place=place, which=which: direct_ends(place)[which]  # type: ignore[misc]  # noqa: E731
        pairs.append(Pair(place_label(place), first, second, references[part] if place == REFERENCE else ""))
    return pairs


NAMES = {
    "entry": "the inner product at which dominance begins",
    "exit": "the inner product at which dominance ends",
    "time": "the time from where dominance begins to where it ends",
}


def _enclose_exit(part: str) -> Evidence:
    values = [Value(pair.label, pair.first, pair.reference) for pair in exit_routes(part)]
    return enclosure_evidence(values, NAMES[part][0].upper() + NAMES[part][1:])


def _precise_exit(part: str) -> Evidence:
    how = "by its closed form and by quadrature" if part == "time" else "by two forms of Condition 8"
    return precision_evidence(exit_routes(part), f"{NAMES[part]}, {how}")


@evidence("open.critical_time", kind=Kind.ENCLOSURE, part="entry")
def enclose_entry(_context: RunContext) -> Evidence:
    """gamma_- as a ball, bracketed and proven unique."""
    return _enclose_exit("entry")


@evidence("open.critical_time", kind=Kind.ENCLOSURE, part="exit")
def enclose_exit(_context: RunContext) -> Evidence:
    """gamma_+ as a ball, bracketed and proven unique."""
    return _enclose_exit("exit")


@evidence("open.critical_time", kind=Kind.ENCLOSURE, part="time")
def enclose_time(_context: RunContext) -> Evidence:
    """t_exit as a ball: the time between the proven ends in closed form."""
    return _enclose_exit("time")


@evidence("open.critical_time", kind=Kind.PRECISION, part="entry")
def precise_entry(_context: RunContext) -> Evidence:
    """gamma_- by B - K A^2 and by Condition 8 as it stands."""
    return _precise_exit("entry")


@evidence("open.critical_time", kind=Kind.PRECISION, part="exit")
def precise_exit(_context: RunContext) -> Evidence:
    """gamma_+ by B - K A^2 and by Condition 8 as it stands."""
    return _precise_exit("exit")


@evidence("open.critical_time", kind=Kind.PRECISION, part="time")
def precise_time(_context: RunContext) -> Evidence:
    """t_exit by the closed form and by quadrature between the ends of Condition 8 as it stands."""
    return _precise_exit("time")


# --- equilibria of two tokens ----------------------------------------------------------------------------------------


def two_tokens(heads: int) -> tuple[list[float], list[float]]:
    """The box (u_1, ..., u_H, cosine), u_h = beta lambda_h."""
    return [1e-3] * heads + [-1.0], [5.0] * heads + [1.0]


def two_token_velocity(points: Array, heads: int) -> tuple[Array, Array, Array, Array]:
    """Tokens (1, 0) and (c, s), beta = 1: cosine, sine, the common pull and the first token's speed.

    v_1 = (1/2) sum_h u_h (e^(u_h) x_1 + e^(u_h c) x_2), by its two components, projected.
    """
    u, cosine = points[:, :heads], points[:, heads]
    sine = np.sqrt(np.maximum(0.0, 1 - cosine**2))
    pull = (u * np.exp(u * cosine[:, None])).sum(axis=1)
    own = (u * np.exp(u)).sum(axis=1)
    velocity = np.stack([(own + pull * cosine) / 2, pull * sine / 2])
    # P at (1, 0) takes the first component away.
    projected = velocity - velocity[0] * np.array([[1.0], [0.0]])
    return cosine, sine, pull, np.asarray(np.hypot(projected[0], projected[1]))


def moves_between(points: Array, heads: int) -> tuple[Array, Array]:
    """Speed over |sin| less half its least possible value, (1/2) sum u e^-u: away from x_2 = +-x_1 tokens move."""
    _, sine, pull, speed = two_token_velocity(points, heads)
    u = points[:, :heads]
    least = (u * np.exp(-u)).sum(axis=1) / 2
    inside = sine > 1e-6
    value = speed / np.where(inside, sine, 1.0) - least / 2
    return np.where(inside, value, np.nan), 64 * EPSILON * (1 + pull)


def inner_product_rate(points: Array, heads: int) -> tuple[Array, Array]:
    """2 <x_1', x_2> against (1 - c^2) sum u e^(u c), with scales of both signs."""
    signed = points.copy()
    signed[:, :heads] -= 2.0
    cosine, sine, pull, _ = two_token_velocity(signed, heads)
    along = pull * sine / 2
    size = np.abs(signed[:, :heads]).sum(axis=1) * np.exp(np.abs(signed[:, :heads]).max(axis=1))
    return -np.abs(2 * along * sine - (1 - cosine**2) * pull), 64 * EPSILON * (1 + size)


def attracts(points: Array, heads: int) -> tuple[Array, Array]:
    """The rate of the inner product over 1 - c^2, positive everywhere: it leaves -1 and tends to 1."""
    _, _, pull, _ = two_token_velocity(points, heads)
    return pull, 64 * EPSILON * pull


def _two_token_probes(margin: Callable[[Array, int], tuple[Array, Array]]) -> list[Probe]:
    return [
        Probe(
            f"H = {heads}",
            *two_tokens(heads),
            lambda points, heads=heads: margin(points, heads),  # type: ignore[misc]
            lattice(*([[1e-3, 1 / 3, 5.0]] * heads), [-1, -0.999999, -1 / 3, 0, 1 / 7, 0.999999, 1]),
        )
        for heads in (1, 2, 3)
    ]


@attack("open.critical_points_n2", part="equilibria")
def attack_two_tokens(context: RunContext) -> Evidence:
    """Two tokens that are neither equal nor opposite move."""
    return probe_evidence(context, _two_token_probes(moves_between), "two tokens rest only where equal or opposite")


@attack("open.critical_points_n2", part="angle")
def attack_two_rate(context: RunContext) -> Evidence:
    """Their inner product moves at (1 - u^2) sum lambda e^(beta lambda u)."""
    return probe_evidence(
        context, _two_token_probes(inner_product_rate), "two tokens' inner product has its closed rate"
    )


@attack("open.critical_points_n2", part="index")
def attack_two_index(context: RunContext) -> Evidence:
    """The inner product rises strictly between."""
    return probe_evidence(context, _two_token_probes(attracts), "two tokens' inner product rises between -1 and 1")


# --- equilibria of three tokens, one head ----------------------------------------------------------------------------


def torque(angle: Array, a: Array) -> tuple[Array, Array]:
    """W = sin e^(a cos) and w'."""
    s, c = np.sin(angle), np.cos(angle)
    growth_ = np.exp(a * c)
    return growth_ * s, growth_ * (c - a * s * s)


def three_tokens(angles: Array, a: Array) -> tuple[Array, Array]:
    """(g_2, g_3) and its Jacobian at (t_2, t_3), token 1 at 0: (N, 2), (N,) -> (N, 2), (N, 2, 2)."""
    full = np.concatenate([np.zeros((len(angles), 1)), angles], axis=1)
    value, slope = torque(full[:, None, :] - full[:, :, None], a[:, None, None])
    g = value.sum(axis=2)
    jacobian = slope.copy()
    index = np.arange(3)
    jacobian[:, index, index] = 0
    jacobian[:, index, index] = -jacobian.sum(axis=2)
    return np.asarray(g[:, 1:]), np.asarray(jacobian[:, 1:, 1:])


KNOWN = np.array(
    [[0, 0], [0, np.pi], [np.pi, 0], [np.pi, np.pi], [2 * np.pi / 3, 4 * np.pi / 3], [4 * np.pi / 3, 2 * np.pi / 3]]
)


def newton_hunt(context: RunContext, known: Array = KNOWN) -> Hunt:
    """Newton's method from many starts: how far from the known equilibria it comes to rest.

    Where it converged (a last step s, a Jacobian J whose condition does not swamp it), an equilibrium lies within about
    2 s; the margin is minus the distance to the nearest known one, the slack 1e-9 + 4 s.
    """
    rng = context.rng("newton")
    count = 64 * context.budget.restarts
    angles: Array = rng.uniform(0, 2 * np.pi, size=(count, 2))
    a = np.exp(rng.uniform(np.log(0.02), np.log(4.0), size=count))
    near = KNOWN[rng.integers(len(KNOWN), size=count // 4)] + rng.normal(scale=0.3, size=(count // 4, 2))
    angles[: count // 4] = near
    step = np.zeros_like(angles)
    singular = np.zeros(count, dtype=bool)
    for _ in range(60):
        value, jacobian = three_tokens(angles, a)
        size = np.abs(jacobian).max(axis=(1, 2))
        singular = np.abs(np.linalg.det(jacobian)) < 1e-7 * size**2
        jacobian[singular] = np.eye(2)
        step = np.linalg.solve(jacobian, value[..., None])[..., 0]
        length = np.abs(step).max(axis=1, keepdims=True)
        angles = angles - step * np.minimum(1.0, 0.5 / np.maximum(length, 1e-300))
    last = np.abs(step).max(axis=1)
    converged = (last < 1e-9) & ~singular
    apart = np.abs(np.remainder(angles[:, None, :] - known[None] + np.pi, 2 * np.pi) - np.pi).max(axis=2).min(axis=1)
    slack = 1e-9 + 4 * last
    if not converged.any():
        return Hunt("Newton's method", count, 0, np.inf, np.inf, (), 0)
    excess = np.where(converged, apart - slack, -np.inf)
    worst = int(np.argmax(excess))
    point = (float(angles[worst, 0]), float(angles[worst, 1]), float(a[worst]))
    met = int(converged.sum())
    return Hunt("Newton's method", count, met, -float(apart[worst]), float(slack[worst]), point, 0)


@attack("open.critical_points_n3_one_head", part="equilibria")
def attack_three_tokens(context: RunContext) -> Evidence:
    """No start leads Newton's method to an equilibrium that is neither collinear nor equilateral."""
    return hunt_evidence([newton_hunt(context)], "three tokens of the plane rest only collinear or equilateral")


def unimodal(points: Array) -> tuple[Array, Array]:
    """The torque at the middle of three angles in (0, pi) against the smaller of the outer two: (p, q, r, a)."""
    ordered = np.sort(points[:, :3], axis=1)
    value, _ = torque(ordered, points[:, 3:4])
    return value[:, 1] - np.minimum(value[:, 0], value[:, 2]), 16 * EPSILON * (1 + points[:, 3]) * np.exp(points[:, 3])


@attack("open.critical_points_n3_one_head", part="at_most_two")
def attack_unimodal(context: RunContext) -> Evidence:
    """Between two angles of a half circle the torque is not below both: it takes no value at three angles."""
    special = lattice([1e-3, 1 / 3, 2], [0.5, 2.5], [1, 3.14], [1e-3, 1 / 3, 10])
    probe = Probe(
        "three angles, beta lambda", [0, 0, 0, 1e-3], [np.pi, np.pi, np.pi, 10], unimodal, special, logarithmic=(3,)
    )
    return probe_evidence(context, [probe], "on a half circle the torque rises, then falls")


def index_margin(points: Array, place: Array, rising: int) -> tuple[Array, Array]:
    """How clearly the Hessian at a known equilibrium has so many positive eigenvalues and no zero one: (a,)."""
    a = points[:, 0]
    _, jacobian = three_tokens(np.broadcast_to(place, (len(a), 2)).copy(), a)
    eigenvalues = np.linalg.eigvalsh((jacobian + jacobian.transpose(0, 2, 1)) / 2)
    signs = np.array([-1.0] * (2 - rising) + [1.0] * rising)
    return (eigenvalues * signs).min(axis=1), 64 * EPSILON * (1 + a) * np.exp(a)


def _index(context: RunContext, place: Array, rising: int, what: str) -> Evidence:
    probe = Probe(
        "beta lambda",
        [1e-3],
        [8.0],
        lambda points: index_margin(points, place, rising),
        lattice([1e-3, 1 / 3, 8]),
        (0,),
    )
    return probe_evidence(context, [probe], what)


@attack("open.critical_points_n3_one_head", part="index_equal")
def attack_index_equal(context: RunContext) -> Evidence:
    """Equal tokens have index 0."""
    return _index(context, KNOWN[0], 0, "from three equal tokens no turn raises the energy")


@attack("open.critical_points_n3_one_head", part="index_one_opposite")
def attack_index_opposite(context: RunContext) -> Evidence:
    """Two equal tokens and one opposite have index 1."""
    return _index(context, KNOWN[1], 1, "from two equal tokens and an opposite one the energy rises in one direction")


@attack("open.critical_points_n3_one_head", part="index_equilateral")
def attack_index_equilateral(context: RunContext) -> Evidence:
    """Equilateral tokens have index 2."""
    return _index(context, KNOWN[4], 2, "from equilateral tokens the energy rises in both directions")


attack_stated("open.critical_points_n3_one_head", "two_equal", "second_variation")


# --- complete lists at given parameters ------------------------------------------------------------------------------


THREE = (
    equilibria.Heads(3, (Fraction(1), Fraction(1, 2)), Fraction(1)),
    equilibria.Heads(3, (Fraction(1), Fraction(-1, 2)), Fraction(2)),
    equilibria.Heads(3, (Fraction(1), Fraction(-2)), Fraction(1)),
)
FOUR = (
    equilibria.Heads(4, (Fraction(1),), Fraction(1)),
    equilibria.Heads(4, (Fraction(1), Fraction(1, 2)), Fraction(1)),
)


def list_evidence(cases: tuple[equilibria.Heads, ...]) -> Evidence:
    """The complete lists at some parameters: every box pruned or inside one that holds one equilibrium only."""
    found_all, words = [], []
    complete = True
    for heads in cases:
        result = equilibria.search(heads)
        kinds = equilibria.distinct(heads, result.found)
        characteristic = equilibria.characteristic(heads, result.found)
        complete = complete and result.complete
        found_all.append(
            {
                "at": heads.label,
                "boxes": result.boxes,
                "boxes_left": result.left,
                "labelled": len(equilibria.labelled(heads, result.found)),
                "euler_characteristic": characteristic,
                "equilibria": [
                    {
                        "degrees": [round(math.degrees(value), 6) for value in equilibria.canonical(kind.centre)],
                        "index": kind.rising,
                        "balls": [angle.str(30) for angle in kind.angles],
                    }
                    for kind in kinds
                ],
            }
        )
        words.append(
            f"{len(kinds)} at {heads.label}" + ("" if result.complete else f" ({result.left} boxes undecided)")
        )
        if result.complete and characteristic != 0:
            summary = f"The list at {heads.label} contradicts Morse's count: {characteristic} in place of 0."
            return Evidence(Kind.ENCLOSURE, Outcome.FAIL, summary, {"lists": found_all})
    state = "complete and certified" if complete else "not complete"
    summary = f"Equilibria on the circle up to rotation and names, {state}: {'; '.join(words)}."
    outcome = Outcome.PASS if complete else Outcome.UNDECIDED
    return Evidence(Kind.ENCLOSURE, outcome, summary, {"lists": found_all})


@evidence("open.critical_points_n3_heads", kind=Kind.ENCLOSURE)
def enclose_three(_context: RunContext) -> Evidence:
    """All equilibria of three tokens under two heads, of equal and of opposite signs."""
    return list_evidence(THREE)


@evidence("open.critical_points_n4", kind=Kind.ENCLOSURE)
def enclose_four(_context: RunContext) -> Evidence:
    """All equilibria of four tokens on the circle at two parameter sets."""
    return list_evidence(FOUR)


def by_differences(heads: equilibria.Heads, centre: tuple[float, ...]) -> arb:
    """t_2 of an equilibrium of three tokens from w(p) = w(q) = w(r), p + q + r = 0, p = t_2, q = t_3 - t_2, r = -t_3.

    Raises:
        NeedPrecisionError: interval Newton did not map its box into itself.
    """
    p, q = arb(centre[0]), arb(centre[1] - centre[0])

    def system(p: arb, q: arb) -> tuple[arb, arb, arb, arb, arb, arb]:
        (wp, dp), (wq, dq), (wr, dr) = (heads.ball_pull(angle) for angle in (p, q, -p - q))
        return wp - wq, wq - wr, dp, -dq, dr, dq + dr

    for _ in range(40):
        first, second, fp, fq, sp, sq = system(p, q)
        determinant = fp * sq - fq * sp
        p = arb((p - (sq * first - fq * second) / determinant).mid())
        q = arb((q - (fp * second - sp * first) / determinant).mid())
    radius = arb(2) ** (-ctx.prec * 2 // 3)
    box_p, box_q = p.union(p + radius).union(p - radius), q.union(q + radius).union(q - radius)
    first, second, *_ = system(p, q)
    _, _, fp, fq, sp, sq = system(box_p, box_q)
    determinant = fp * sq - fq * sp
    image_p, image_q = p - (sq * first - fq * second) / determinant, q - (fp * second - sp * first) / determinant
    if not (box_p.contains_interior(image_p) and box_q.contains_interior(image_q)):
        raise NeedPrecisionError("the box is not mapped into itself")
    return image_p


def planar_speed(heads: equilibria.Heads, angles: tuple[arb, ...]) -> arb:
    """The largest speed of the tokens as vectors of the plane under USA."""
    tokens = [[angle.cos(), angle.sin()] for angle in (arb(0), *angles)]
    operators = [vectors.scalar(scale) for scale in heads.scales]
    speeds = []
    for index in range(heads.n):
        velocity = vectors.velocity(tokens, operators, ball(heads.beta), index, False)
        speeds.append(vectors.dot(velocity, velocity))
    total: arb = sum(speeds, arb(0))
    return total


@evidence("open.critical_points_n3_heads", kind=Kind.PRECISION)
def precise_three(_context: RunContext) -> Evidence:
    """Each equilibrium's angle by the tokens' forces and by w(p) = w(q) = w(r); its vectors at rest to 50 digits."""
    pairs = []
    for heads in THREE:
        for kind in equilibria.distinct(heads, equilibria.search(heads).found):
            degrees = ", ".join(f"{math.degrees(value):.3f}" for value in equilibria.canonical(kind.centre))
            where = f"({degrees}) degrees, {heads.label}"
            pairs.append(
                Pair(
                    f"angle of {where}",
                    lambda heads=heads, kind=kind: equilibria.sharpen(heads, kind.angles)[0],  # type: ignore[misc]
                    partial(by_differences, heads, kind.centre),
                )
            )
            pairs.append(
                Pair(
                    f"squared speeds at {where}",
                    lambda heads=heads, kind=kind: planar_speed(  # type: ignore[misc]
                        heads, equilibria.sharpen(heads, kind.angles)
                    ),
                    lambda: arb(0),
                )
            )
    return precision_evidence(pairs, "the equilibria's angles by two systems of equations, and their vectors at rest")


attack_stated(
    "open.phases", "start", "start_strict", "once", "late", "needs_room", "condition", "few", "low", "otherwise"
)
