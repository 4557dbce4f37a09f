"""All equilibria of a few tokens on the circle under USA with scalar heads, by branch and prune.

Notation: tokens at angles 0, t_2, ..., t_n (rotations are taken out),
w(p) = sum_h lambda_h sin p e^(beta lambda_h cos p). Token i is at rest iff g_i = sum_j w(t_j - t_i) = 0. All g_i add up
to zero as w is odd, so g_2 = ... = g_n = 0 says all. (1/n) g is the gradient of n E, so the Jacobian of (g_2, ..., g_n)
is symmetric, a Hessian without the rotation's mode.

Method, for angles in increasing order, as tokens may be renamed:
    prune    a box with centre m and half-widths r holds no equilibrium if for some i
             |g_i(m)| > sum_k |dg_i/dt_k(m)| r_k + (C/2) sum_j (r_i + r_j)^2 + rounding,  C >= sup |w''|;
             in floating point, with the rounding counted, on all boxes of a generation at once;
    prove    near what is left, Newton's method finds a candidate, and Krawczyk's operator on balls proves that a box
             around it holds exactly one equilibrium (it maps the box into its interior);
    finish   a box inside a proven one is done; others are halved along their longest side.
What remains when the boxes allowed are used up is counted and makes the list incomplete.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics.quantities.balls import ball
from flint import arb, arb_mat, ctx

Array = npt.NDArray[np.floating[Any]]
EPSILON = float(np.finfo(np.float64).eps)
MOST_BOXES = 3_000_000
SMALLEST = 1e-4
"""Half-width at which a box that is neither pruned nor proven is given up."""


@dataclass(frozen=True)
class Heads:
    """Scalar heads on the circle.

    Attributes:
        n: tokens, 3 or more.
        scales: lambda_h.
        beta: inverse temperature.
    """

    n: int
    scales: tuple[Fraction, ...]
    beta: Fraction

    @property
    def label(self) -> str:
        """In words."""
        return f"n={self.n}, lambda=({', '.join(map(str, self.scales))}), beta={self.beta}"

    def pull(self, angle: Array) -> tuple[Array, Array]:
        """W and w', in floating point."""
        s, c = np.sin(angle), np.cos(angle)
        value, slope = np.zeros_like(s), np.zeros_like(s)
        for scale in self.scales:
            a = float(self.beta * scale)
            growth = float(scale) * np.exp(a * c)
            value += growth * s
            slope += growth * (c - a * s * s)
        return value, slope

    @property
    def bend(self) -> float:
        """C, a bound on |w''| = |sum lambda e^(a cos)(-sin - 3 a sin cos + a^2 sin^3)|, a = beta lambda."""
        total = 0.0
        for scale in self.scales:
            a = abs(float(self.beta * scale))
            total += abs(float(scale)) * math.exp(a) * (1 + 1.5 * a + a * a)
        return total * (1 + 1e-9)

    @property
    def rounding(self) -> float:
        """A bound on the rounding of one sum of n pulls: angles below 7 are off by 8 ulps, weights by a more."""
        size = 0.0
        for scale in self.scales:
            a = abs(float(self.beta * scale))
            size += abs(float(scale)) * math.exp(a) * (20 + a)
        return 32 * EPSILON * self.n * size

    def ball_pull(self, angle: arb) -> tuple[arb, arb]:
        """W and w', on balls."""
        s, c = angle.sin_cos()
        value, slope = arb(0), arb(0)
        for scale in self.scales:
            a = ball(self.beta * scale)
            growth = ball(scale) * (a * c).exp()
            value += growth * s
            slope += growth * (c - a * s * s)
        return value, slope


def forces(heads: Heads, angles: Array) -> tuple[Array, Array]:
    """(g_2, ..., g_n) and their Jacobian at angles (N, n - 1): (N, n-1), (N, n-1, n-1)."""
    count, free = angles.shape
    full = np.concatenate([np.zeros((count, 1)), angles], axis=1)
    value, slope = heads.pull(full[:, None, :] - full[:, :, None])
    g = value.sum(axis=2)
    jacobian = slope.copy()
    index = np.arange(free + 1)
    jacobian[:, index, index] = 0
    jacobian[:, index, index] = -jacobian.sum(axis=2)
    return np.asarray(g[:, 1:]), np.asarray(jacobian[:, 1:, 1:])


def ball_forces(heads: Heads, angles: Sequence[arb]) -> tuple[arb_mat, arb_mat]:
    """The same on balls: column (n-1, 1) and Jacobian (n-1, n-1)."""
    full = [arb(0), *angles]
    size = len(full)
    g = [arb(0)] * size
    jacobian = [[arb(0)] * size for _ in range(size)]
    for i, j in itertools.permutations(range(size), 2):
        value, slope = heads.ball_pull(full[j] - full[i])
        g[i] += value
        jacobian[i][j] = slope
        jacobian[i][i] -= slope
    rows = [[jacobian[i][j] for j in range(1, size)] for i in range(1, size)]
    return arb_mat([[entry] for entry in g[1:]]), arb_mat(rows)


@dataclass(frozen=True)
class Equilibrium:
    """A proven equilibrium.

    Attributes:
        centre: (n - 1,) floating-point angles.
        radius: half-width of the box around the centre in which it is the only one.
        angles: balls that hold it.
        rising: directions along which the energy rises, those along which it is unstable.
    """

    centre: tuple[float, ...]
    radius: float
    angles: tuple[arb, ...]
    rising: int


@dataclass
class Search:
    """What a search came to.

    Attributes:
        found: all proven equilibria with angles in order.
        boxes: boxes examined.
        left: boxes that were neither pruned nor proven; none means that the list is complete.
    """

    found: list[Equilibrium] = field(default_factory=list)
    boxes: int = 0
    left: int = 0

    @property
    def complete(self) -> bool:
        """Whether every equilibrium is in the list."""
        return self.left == 0


def _krawczyk(heads: Heads, centre: Array, radius: float) -> list[arb] | None:
    """The image of a box under Krawczyk's operator if it lies in the box's interior, else None."""
    points = [arb(float(value)) for value in centre]
    box = [arb(float(value), radius) for value in centre]
    _, jacobian = forces(heads, centre[None])
    if abs(float(np.linalg.det(jacobian[0]))) < 1e-12:
        return None
    inverse = arb_mat([[arb(float(entry)) for entry in row] for row in np.linalg.inv(jacobian[0])])
    at_centre, _ = ball_forces(heads, points)
    _, over_box = ball_forces(heads, box)
    size = len(points)
    identity = arb_mat([[arb(int(i == j)) for j in range(size)] for i in range(size)])
    spread = arb_mat([[arb(0, radius)] for _ in range(size)])
    moved = arb_mat([[point] for point in points]) - inverse * at_centre + (identity - inverse * over_box) * spread
    image = [moved[i, 0] for i in range(size)]
    if all(whole.contains_interior(part) for whole, part in zip(box, image, strict=True)):
        return image
    return None


def sharpen(heads: Heads, angles: Sequence[arb]) -> tuple[arb, ...]:
    """The balls of a proven equilibrium narrowed at the precision of the context, by interval Newton steps."""
    current = list(angles)
    for _ in range(12):
        middle = [arb(angle.mid()) for angle in current]
        value, _ = ball_forces(heads, middle)
        _, jacobian = ball_forces(heads, current)
        try:
            step = jacobian.solve(value)
        except ZeroDivisionError:
            break
        current = [
            angle.intersection(centre - step[index, 0]) if angle.overlaps(centre - step[index, 0]) else angle
            for index, (angle, centre) in enumerate(zip(current, middle, strict=True))
        ]
    return tuple(current)


def rising_directions(heads: Heads, angles: Sequence[arb]) -> int | None:
    """The number of positive eigenvalues of the Hessian, by the signs of pivots; None when one is not decided.

    Sylvester: a symmetric matrix has as many positive eigenvalues as positive pivots in elimination without exchange.
    """
    _, jacobian = ball_forces(heads, angles)
    size = len(angles)
    rows = [[jacobian[i, j] for j in range(size)] for i in range(size)]
    positive = 0
    for k in range(size):
        pivot = rows[k][k]
        if pivot.contains(0):
            return None
        positive += int(pivot > 0)
        for i in range(k + 1, size):
            factor = rows[i][k] / pivot
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return positive


def _prove(heads: Heads, start: Array, found: list[Equilibrium]) -> bool:
    """Newton from a point, then a proof of what it finds; whether something new was proven."""
    point = start.copy()
    for _ in range(40):
        value, jacobian = forces(heads, point[None])
        try:
            step = np.linalg.solve(jacobian[0], value[0])
        except np.linalg.LinAlgError:
            return False
        length = float(np.abs(step).max())
        point = point - step * min(1.0, 0.3 / max(length, 1e-300))
        if length < 1e-13:
            break
    if float(np.abs(point - start).max()) > 1.0:
        return False
    if any(float(np.abs(point - np.array(known.centre)).max()) < known.radius for known in found):
        return False
    with ctx.workprec(128):
        for power in range(1, 24):
            radius = 0.5 * 0.7**power
            image = _krawczyk(heads, point, radius)
            if image is not None:
                angles = sharpen(heads, image)
                rising = rising_directions(heads, angles)
                if rising is None:
                    return False
                found.append(Equilibrium(tuple(float(value) for value in point), radius, angles, rising))
                return True
    return False


def search(heads: Heads) -> Search:
    """All equilibria with 0 <= t_2 <= ... <= t_n <= 2 pi."""
    free = heads.n - 1
    result = Search()
    # The box is a little larger than [0, 2 pi] on both sides, so that no equilibrium lies on its edge alone.
    centres = np.full((1, free), math.pi)
    widths = np.full((1, free), math.pi + 1e-3)
    bend, rounding = heads.bend, heads.rounding
    while len(centres):
        result.boxes += len(centres)
        if result.boxes > MOST_BOXES:
            result.left = len(centres)
            return result
        # Boxes without any ordered point need not be looked at.
        ordered = ((centres[:, 1:] + widths[:, 1:]) >= (centres[:, :-1] - widths[:, :-1])).all(axis=1)
        centres, widths = centres[ordered], widths[ordered]
        value, jacobian = forces(heads, centres)
        reach = np.einsum("nij,nj->ni", np.abs(jacobian), widths)
        full = np.concatenate([np.zeros((len(widths), 1)), widths], axis=1)
        pairs = (full[:, 1:, None] + full[:, None, :]) ** 2
        index = np.arange(free)
        pairs[:, index, index + 1] = 0
        kept = (np.abs(value) <= reach + bend / 2 * pairs.sum(axis=2) + rounding).all(axis=1)
        centres, widths = centres[kept], widths[kept]
        for known in result.found:
            # The rounding of this sum is far below the 1e-9 that is kept from the proven box's edge.
            inside = (np.abs(centres - np.array(known.centre)) + widths < known.radius - 1e-9).all(axis=1)
            centres, widths = centres[~inside], widths[~inside]
        if not len(centres):
            break
        if float(widths.max()) < 0.05:
            progress = False
            for start in centres[:: max(1, len(centres) // 40)]:
                progress = _prove(heads, start, result.found) or progress
            if progress:
                continue
            given_up = widths.max(axis=1) < SMALLEST
            result.left += int(given_up.sum())
            centres, widths = centres[~given_up], widths[~given_up]
        longest = np.argmax(widths, axis=1)
        rows = np.arange(len(centres))
        halves = widths.copy()
        halves[rows, longest] /= 2
        shift = np.zeros_like(centres)
        shift[rows, longest] = halves[rows, longest]
        centres = np.concatenate([centres - shift, centres + shift])
        widths = np.concatenate([halves, halves])
    return result


def canonical(angles: Sequence[float]) -> tuple[float, ...]:
    """Angles with one token at 0, all in [0, 2 pi), in order: a name of a configuration whose tokens are labelled."""
    turned = [math.remainder(angle, 2 * math.pi) % (2 * math.pi) for angle in angles]
    return tuple(0.0 if 2 * math.pi - value < 1e-9 else value for value in turned)


def labelled(heads: Heads, found: Sequence[Equilibrium]) -> list[tuple[tuple[float, ...], int]]:
    """All equilibria with labelled tokens (angles of tokens 2, ..., n, and rising directions), each once.

    Equilibria in order may name one configuration twice (tokens at 0 are also at 2 pi); names that agree to 1e-9 are of
    one equilibrium, as proven boxes hold one each and are wider than that.
    """
    seen: dict[tuple[int, ...], tuple[tuple[float, ...], int]] = {}
    for equilibrium in found:
        full = (0.0, *equilibrium.centre)
        for order in itertools.permutations(range(heads.n)):
            turned = canonical([full[index] - full[order[0]] for index in order[1:]])
            key = tuple(round(value * 1e7) for value in turned)
            seen.setdefault(key, (turned, equilibrium.rising))
    return list(seen.values())


def distinct(heads: Heads, found: Sequence[Equilibrium]) -> list[Equilibrium]:
    """One representative of each set of equilibria that differ by the tokens' names and a rotation alone."""
    kept: list[Equilibrium] = []
    names: set[tuple[int, ...]] = set()
    for equilibrium in found:
        full = (0.0, *equilibrium.centre)
        keys = {
            tuple(round(value * 1e7) for value in canonical([full[index] - full[order[0]] for index in order[1:]]))
            for order in itertools.permutations(range(heads.n))
        }
        if not keys & names:
            kept.append(equilibrium)
        names |= keys
    return kept


def characteristic(heads: Heads, found: Sequence[Equilibrium]) -> int:
    """The sum of (-1)^(rising directions) over all labelled equilibria.

    It is the Euler characteristic of the torus of the n - 1 angles, which is 0, if the list is complete and no
    equilibrium is degenerate (Morse): a check that knows nothing of boxes.
    """
    return sum((-1) ** rising for _, rising in labelled(heads, found))
