"""Beyond the paper: equilibria of two, three and four tokens, by search and by branch and prune."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.flows import equilibria, vectors
from antumbra.numerics.flows.compare import EPSILON
from antumbra.numerics.flows.precise import Pair, precision_evidence
from antumbra.numerics.flows.probing import Hunt, Probe, hunt_evidence, lattice, probe_evidence
from antumbra.numerics.flows.stated import attack, attack_stated
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind, Outcome
from flint import arb, ctx

Array = npt.NDArray[np.floating[Any]]


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


attack_stated("open.critical_points_n3_one_head", "two_equal", "second_variation", required=True)


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
