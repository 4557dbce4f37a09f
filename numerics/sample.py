"""Configurations and heads from one random generator, and the defect of each named hypothesis.

Every sampler takes a `numpy.random.Generator` first and draws from nothing else. Tokens are (n, d) with unit rows;
families of heads are (H, d, d). Exact samplers return nested tuples of `fractions.Fraction`; their denominators are
not powers of two alone, as a statement may fail only at a non-dyadic point.

`HYPOTHESES` gives for each name a defect, 0 when the hypothesis holds exactly and positive by how much it fails, and
`holds` compares it with a tolerance derived from the precision and the sizes involved.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import (
    FloatArray,
    LowRank,
    System,
    dominance_margins,
    normalised,
    operator_norms,
    row_norms,
    scaled_outputs,
)

Array = npt.NDArray[np.float64]
Generator = np.random.Generator
RationalVectors = tuple[tuple[Fraction, ...], ...]
RationalMatrices = tuple[tuple[tuple[Fraction, ...], ...], ...]


# --- tokens ----------------------------------------------------------------------------------------------------------


def random_rotation(rng: Generator, d: int) -> Array:
    """A uniformly distributed orthogonal matrix, (d, d)."""
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    rotated: Array = q * np.where(np.diag(r) < 0, -1.0, 1.0)
    return rotated


def uniform_tokens(rng: Generator, n: int, d: int) -> Array:
    """Independent uniform points of the sphere, (n, d)."""
    return np.asarray(normalised(rng.standard_normal((n, d))), dtype=np.float64)


def _helmert(n: int) -> Array:
    """Orthonormal columns (n, n); the last one is constant."""
    basis = np.zeros((n, n))
    for column in range(n - 1):
        basis[: column + 1, column] = 1.0
        basis[column + 1, column] = -(column + 1.0)
        basis[:, column] /= math.sqrt((column + 1.0) * (column + 2.0))
    basis[:, n - 1] = 1 / math.sqrt(n)
    return basis


def equiangular_tokens(rng: Generator, n: int, d: int, gamma: float) -> Array:
    """Tokens with <x_i, x_j> = gamma for i != j, randomly rotated, (n, d).

    Raises:
        ValueError: gamma is outside [-1/(n-1), 1], or d is too small (n dimensions are needed inside the interval,
            n - 1 at its lower end, one at its upper end).
    """
    lower = -1.0 if n == 1 else -1 / (n - 1)
    if not lower <= gamma <= 1:
        raise ValueError(f"gamma is {gamma}; {n} equiangular unit vectors need {lower:.6g} <= gamma <= 1")
    scales = np.full(n, math.sqrt(max(0.0, 1 - gamma)))
    scales[n - 1] = math.sqrt(max(0.0, 1 + (n - 1) * gamma)) if gamma > lower or n == 1 else 0.0
    if n == 1:
        scales[0] = 1.0
    columns = (_helmert(n) * scales)[:, scales > 0]
    if columns.shape[1] > d:
        raise ValueError(f"d is {d}; {n} tokens at gamma = {gamma} need d >= {columns.shape[1]}")
    tokens = columns @ random_rotation(rng, d)[: columns.shape[1]]
    return np.asarray(normalised(tokens), dtype=np.float64)


def orthogonal_tokens(rng: Generator, n: int, d: int) -> Array:
    """Orthonormal tokens, (n, d).

    Raises:
        ValueError: d < n.
    """
    return equiangular_tokens(rng, n, d, 0.0)


def clustered_tokens(rng: Generator, n: int, d: int, spread: float) -> Array:
    """Tokens within about `spread` of one random point, (n, d)."""
    centre = rng.standard_normal(d)
    return np.asarray(
        normalised(centre / np.linalg.norm(centre) + spread * rng.standard_normal((n, d))), dtype=np.float64
    )


def antipodal_tokens(rng: Generator, n: int, d: int, spread: float = 0.0) -> Array:
    """Tokens near one point or its opposite, both sides occupied when n >= 2, (n, d)."""
    signs = rng.choice([-1.0, 1.0], size=n)
    if n >= 2:
        signs[:2] = (1.0, -1.0)
    tokens = clustered_tokens(rng, n, d, spread) * signs[:, None]
    return np.asarray(tokens, dtype=np.float64)


def nearly_degenerate_tokens(rng: Generator, n: int, d: int, scale: float) -> Array:
    """Tokens that nearly coincide in groups and nearly lie in a subspace of half the dimension, (n, d)."""
    groups = max(1, (n + 1) // 2)
    centres = rng.standard_normal((groups, d))
    centres[:, max(1, d // 2) :] *= scale
    chosen = np.asarray(normalised(centres))[rng.integers(groups, size=n)]
    return np.asarray(normalised(chosen + scale * rng.standard_normal((n, d))), dtype=np.float64)


def random_fraction(rng: Generator, largest: int = 12) -> Fraction:
    """A fraction in [-largest, largest] with a denominator of 1 to `largest`, dyadic or not."""
    denominator = int(rng.integers(1, largest + 1))
    return Fraction(int(rng.integers(-largest, largest + 1)), denominator)


def stereographic(point: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The unit vector (2 t, |t|^2 - 1) / (|t|^2 + 1) of a rational point t, with one more coordinate."""
    square = sum((entry * entry for entry in point), Fraction(0))
    return (*(2 * entry / (square + 1) for entry in point), (square - 1) / (square + 1))


def rational_tokens(rng: Generator, n: int, d: int, largest: int = 12) -> RationalVectors:
    """Exact unit vectors with rational coordinates, n tuples of d fractions (d >= 1)."""
    tokens = []
    for _ in range(n):
        point = stereographic([random_fraction(rng, largest) for _ in range(d - 1)])
        order = rng.permutation(d)
        tokens.append(tuple(point[int(index)] for index in order))
    return tuple(tokens)


def nearest_rational_unit(vector: Sequence[float], denominator: int) -> tuple[Fraction, ...]:
    """An exact rational unit vector near a unit float vector; stereographic coordinates get bounded denominators."""
    values = [float(entry) for entry in vector]
    pole = max(range(len(values)), key=lambda index: abs(values[index]))
    sign = -1 if values[pole] > 0 else 1
    # Projecting from the pole farther away keeps |t| <= 1 and the denominators small.
    rest = [values[index] / (1 - sign * values[pole]) for index in range(len(values)) if index != pole]
    point = [Fraction(entry).limit_denominator(denominator) for entry in rest]
    square = sum((entry * entry for entry in point), Fraction(0))
    unit = [2 * entry / (square + 1) for entry in point]
    unit.insert(pole, sign * (square - 1) / (square + 1))
    return tuple(unit)


def as_floats(nested: Sequence[object]) -> Array:
    """Nested tuples of fractions as a float64 array of the same shape."""
    return np.array(_floats(nested), dtype=np.float64)


def _floats(value: object) -> object:
    return [_floats(part) for part in value] if isinstance(value, list | tuple) else float(value)  # type: ignore[arg-type]


# --- heads -----------------------------------------------------------------------------------------------------------


def scalar_heads(scales: npt.ArrayLike, d: int) -> Array:
    """lambda_h I for each of the numbers given, (H, d, d)."""
    return np.asarray(np.asarray(scales, dtype=np.float64)[:, None, None] * np.eye(d))


def projector_heads(rng: Generator, heads: int, d: int, rank: int, alpha: float = 1.0) -> Array:
    """Alpha times independent random orthogonal projectors of one rank, (H, d, d).

    Raises:
        ValueError: rank outside 1..d.
    """
    if not 1 <= rank <= d:
        raise ValueError(f"rank is {rank}; give 1 <= rank <= d = {d}")
    bases = np.stack([random_rotation(rng, d)[:, :rank] for _ in range(heads)])
    return np.asarray(alpha * (bases @ bases.transpose(0, 2, 1)))


def _random_ranks(rng: Generator, heads: int, d: int) -> list[int]:
    """Positive ranks that add up to d."""
    cuts = np.sort(rng.choice(np.arange(1, d), size=heads - 1, replace=False)) if heads > 1 else np.zeros(0, dtype=int)
    edges = [0, *(int(cut) for cut in cuts), d]
    return [after - before for before, after in itertools.pairwise(edges)]


def resolving_projectors(rng: Generator, heads: int, d: int, alpha: float = 1.0) -> Array:
    """Alpha times non-zero orthogonal projectors with P_h P_g = 0 and sum P_h = I, (H, d, d).

    Raises:
        ValueError: more heads than dimensions.
    """
    if heads > d:
        raise ValueError(f"{heads} non-zero projectors cannot resolve the identity of dimension {d}; give H <= d")
    rotation = random_rotation(rng, d)
    result, start = [], 0
    for rank in _random_ranks(rng, heads, d):
        block = rotation[:, start : start + rank]
        result.append(alpha * (block @ block.T))
        start += rank
    return np.stack(result)


def orthogonal_heads(rng: Generator, heads: int, d: int, norm: float = 1.0) -> Array:
    """Symmetric indefinite heads with M_g M_h = 0 for g != h, each of operator norm `norm`, (H, d, d).

    With more heads than dimensions the last ones are zero.
    """
    rotation = random_rotation(rng, d)
    filled = min(heads, d)
    result, start = np.zeros((heads, d, d)), 0
    for head, rank in enumerate(_random_ranks(rng, filled, d)):
        block = rotation[:, start : start + rank]
        eigenvalues = rng.uniform(-1, 1, size=rank)
        largest = float(np.abs(eigenvalues).max())
        result[head] = (block * (eigenvalues * (norm / largest if largest > 0 else 0.0))) @ block.T
        start += rank
    return (result + result.transpose(0, 2, 1)) / 2


def near_orthogonal_heads(rng: Generator, heads: int, d: int, delta: float, norm: float = 1.0) -> Array:
    """Symmetric heads whose largest ||M_g M_h||, g != h, is `delta` to rounding, (H, d, d).

    An orthogonal family is tilted towards a random symmetric one until the overlap is delta.

    Raises:
        ValueError: one head, or no tilt reaches delta (it is larger than norm^2 allows).
    """
    if heads < 2:
        raise ValueError("one head has no overlap; give H >= 2")
    base, other = orthogonal_heads(rng, heads, d, norm), symmetric_heads(rng, heads, d, norm)

    def tilted(amount: float) -> Array:
        mixed = (1 - amount) * base + amount * other
        norms = operator_norms(mixed)
        return np.asarray(mixed * (norm / np.where(norms > 0, norms, 1.0))[:, None, None])

    if overlap(tilted(1.0)) < delta:
        raise ValueError(f"delta is {delta}; this family reaches only {overlap(tilted(1.0)):.3g}; give a smaller delta")
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if overlap(tilted(middle)) < delta else (low, middle)
    return tilted(low)


def _scaled_to(matrices: Array, norm: float) -> Array:
    return np.asarray(matrices * (norm / operator_norms(matrices))[:, None, None])


def symmetric_heads(rng: Generator, heads: int, d: int, norm: float = 1.0) -> Array:
    """Symmetric, in general indefinite heads of operator norm `norm`, (H, d, d)."""
    raw = rng.standard_normal((heads, d, d))
    return _scaled_to(raw + raw.transpose(0, 2, 1), norm)


def semidefinite_heads(rng: Generator, heads: int, d: int, norm: float = 1.0) -> Array:
    """Positive semidefinite heads of operator norm `norm` and random rank, (H, d, d)."""
    result = []
    for _ in range(heads):
        factor = rng.standard_normal((d, int(rng.integers(1, d + 1))))
        result.append(factor @ factor.T)
    return _scaled_to(np.stack(result), norm)


def general_heads(rng: Generator, heads: int, d: int, norm: float = 1.0) -> Array:
    """Heads without symmetry, of operator norm `norm`, (H, d, d)."""
    return _scaled_to(rng.standard_normal((heads, d, d)), norm)


def low_rank_heads(rng: Generator, heads: int, d: int, rank: int, symmetric: bool = True) -> LowRank:
    """Factors of heads of one rank; symmetric and aligned (M = W = U diag(l) U^T), or general, of norm near 1.

    Raises:
        ValueError: rank outside 1..d.
    """
    if not 1 <= rank <= d:
        raise ValueError(f"rank is {rank}; give 1 <= rank <= d = {d}")
    left = np.stack([random_rotation(rng, d)[:, :rank] for _ in range(heads)])
    weights = rng.uniform(-1, 1, size=(heads, 1, rank))
    if symmetric:
        return LowRank(left * weights, left, left * weights, left)
    right = np.stack([random_rotation(rng, d)[:, :rank] for _ in range(heads)])
    value = np.stack([random_rotation(rng, d)[:, :rank] for _ in range(heads)])
    return LowRank(left * weights, right, value * weights, right)


def misaligned_values(rng: Generator, scores: FloatArray, eta: float) -> Array:
    """Value matrices with ||W_h - M_h|| = eta, (H, d, d)."""
    return np.asarray(scores + eta * general_heads(rng, scores.shape[0], scores.shape[1]))


def rational_symmetric_heads(rng: Generator, heads: int, d: int, largest: int = 6) -> RationalMatrices:
    """Exact symmetric heads with small rational entries, H tuples of d rows of d fractions."""
    result = []
    for _ in range(heads):
        upper = {(row, column): random_fraction(rng, largest) for row in range(d) for column in range(row, d)}
        result.append(
            tuple(tuple(upper[min(row, column), max(row, column)] for column in range(d)) for row in range(d))
        )
    return tuple(result)


def overlap(scores: FloatArray) -> float:
    """The largest ||M_g M_h|| over g != h; 0 for one head."""
    heads = scores.shape[0]
    if heads == 1:
        return 0.0
    products = scores[:, None] @ scores[None, :]
    norms = np.linalg.norm(products, ord=2, axis=(-2, -1))
    np.fill_diagonal(norms, 0.0)
    return float(norms.max())


# --- hypotheses ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extra:
    """What some hypotheses speak of besides the system.

    Attributes:
        alpha: common scale of projectors or of equal heads.
        gamma: common inner product.
        eta: misalignment. delta: overlap. ratio: the bound c on |a| / ||f||.
        head: the head that dominance is about, None for every head.
    """

    alpha: float = 1.0
    gamma: float = 0.0
    eta: float = 0.0
    delta: float = 0.0
    ratio: float = 1.0
    head: int | None = None


Defect = Callable[[System, Extra], float]


def _unit(system: System, _extra: Extra) -> float:
    return float(np.abs(row_norms(system.tokens) - 1).max())


def _symmetry(system: System, _extra: Extra) -> float:
    return float(operator_norms(system.scores - system.scores.transpose(0, 2, 1)).max())


def _alignment(system: System, _extra: Extra) -> float:
    return float(operator_norms(system.values - system.scores).max())


def _orthogonality(system: System, _extra: Extra) -> float:
    return overlap(system.scores)


def _scalar(system: System, _extra: Extra) -> float:
    scales = np.trace(system.scores, axis1=1, axis2=2) / system.d
    scalars = scales[:, None, None] * np.eye(system.d)
    return float(max(operator_norms(system.scores - scalars).max(), operator_norms(system.values - scalars).max()))


def _equiangular(system: System, extra: Extra) -> float:
    gram = system.tokens @ system.tokens.T
    target = np.full_like(gram, extra.gamma)
    np.fill_diagonal(target, 1.0)
    return float(np.abs(gram - target).max())


def _orthogonal_tokens(system: System, _extra: Extra) -> float:
    return _equiangular(system, Extra(gamma=0.0))


def _dominance(system: System, extra: Extra) -> float:
    margins = dominance_margins(system, scaled=True)
    chosen = margins if extra.head is None else margins[extra.head]
    return max(0.0, -float(chosen.min()))


def _equal_norms(system: System, _extra: Extra) -> float:
    parts = scaled_outputs(system)
    norms = row_norms(parts.outputs) * np.exp(parts.exponents - parts.exponents.max(axis=0))
    return float((norms.max(axis=0) - norms.min(axis=0)).max())


def _ratio_bound(system: System, extra: Extra) -> float:
    parts = scaled_outputs(system)
    inner = np.abs(np.einsum("hik,ik->hi", parts.outputs, system.tokens))
    return max(0.0, float((inner - extra.ratio * row_norms(parts.outputs)).max()))


def _projectors(system: System, extra: Extra) -> float:
    # M = alpha P with P an orthogonal projector iff M is symmetric and M M = alpha M.
    products = system.scores @ system.scores - extra.alpha * system.scores
    return max(_symmetry(system, extra), float(operator_norms(products).max()))


def _resolution(system: System, extra: Extra) -> float:
    total = system.scores.sum(axis=0) - extra.alpha * np.eye(system.d)
    return float(np.linalg.norm(total, ord=2))


def _equal_heads(system: System, _extra: Extra) -> float:
    return float(operator_norms(system.scores - system.scores[:1]).max())


def _misalignment(system: System, extra: Extra) -> float:
    return max(0.0, float(operator_norms(system.values - system.scores).max()) - extra.eta)


def _near_orthogonality(system: System, extra: Extra) -> float:
    return max(0.0, overlap(system.scores) - extra.delta)


def _equal_normalisers(system: System, _extra: Extra) -> float:
    parts = scaled_outputs(system)
    logs = np.log(parts.normalisers) + parts.exponents
    return float((logs.max(axis=0) - logs.min(axis=0)).max())


def _single_head(system: System, _extra: Extra) -> float:
    return float(system.heads - 1)


HYPOTHESES: Mapping[str, Defect] = MappingProxyType(
    {
        "unit": _unit,
        "symmetry": _symmetry,
        "alignment": _alignment,
        "orthogonality": _orthogonality,
        "scalar": _scalar,
        "equiangular": _equiangular,
        "orthogonal_tokens": _orthogonal_tokens,
        "dominance": _dominance,
        "equal_norms": _equal_norms,
        "ratio_bound": _ratio_bound,
        "projectors": _projectors,
        "resolution": _resolution,
        "equal_heads": _equal_heads,
        "misalignment": _misalignment,
        "near_orthogonality": _near_orthogonality,
        "equal_normalisers": _equal_normalisers,
        "single_head": _single_head,
    }
)
"""Defect of each named hypothesis: 0 when it holds, else by how much it fails (the unit is that of the quantity)."""


def defect(name: str, system: System, extra: Extra | None = None) -> float:
    """By how much a named hypothesis fails at a system; 0 when it holds exactly.

    Raises:
        KeyError: no such hypothesis; the message lists those there are.
    """
    if name not in HYPOTHESES:
        raise KeyError(f"no hypothesis is named {name!r}; those with a check are {', '.join(sorted(HYPOTHESES))}")
    return HYPOTHESES[name](system, extra or Extra())


def tolerance(name: str, system: System) -> float:
    """The rounding that computing the defect of a hypothesis may itself make.

    Norms and products of d or n terms lose at most about that many units in the last place of the largest size that
    enters: the heads' squared norms for products of heads, n times the values' norms for outputs.
    """
    epsilon = float(np.finfo(system.tokens.dtype).eps)
    size = 1 + float(max(operator_norms(system.scores).max(), operator_norms(system.values).max()))
    if name in ("unit", "equiangular", "orthogonal_tokens"):
        return 8 * epsilon * system.d
    if name in ("dominance", "equal_norms", "ratio_bound", "equal_normalisers"):
        # An exponent of size beta ||M|| carries that many ulps into every weight.
        return 8 * epsilon * (system.n + system.d) * (1 + system.beta * size) * size**2 * system.n**2 * system.heads
    return 8 * epsilon * system.d * size**2 * system.heads


def holds(name: str, system: System, extra: Extra | None = None) -> bool:
    """Whether a hypothesis holds to the rounding of its own check."""
    return defect(name, system, extra) <= tolerance(name, system)
