"""The three fields on tokens, and everything that is read off a configuration.

Notation: X -> tokens, row i is x_i -> (n, d); M_h -> `scores[h]`, W_h -> `values[h]` -> (d, d);
s_ij^h = <x_i, M_h x_j>; f_i^h = sum_j e^(beta s_ij^h) W_h x_j; a_i^h = <f_i^h, x_i>;
Z_i^h = sum_j e^(beta s_ij^h); E_h = (1 / (2 beta n^2)) sum_ij e^(beta s_ij^h).

Fields: USA v_i = (1/n) sum_h f_i^h; SA v_i = sum_h f_i^h / Z_i^h;
ReLU (one scalar head) v_i = (1/n) sum_j max(0, lambda <x_i, x_j>) lambda x_j.
On the sphere the velocity is P_{x_i} v_i, flat it is v_i. All quantities are dimensionless.

Method: rows of the score matrix are made in tiles, so that memory stays O(n (d + tile)). SA subtracts the largest
score of each row; USA refuses to start where e^(beta s) could overflow. The time derivative of an energy is the
chain rule on the gradient of E, which neither assumes symmetry nor uses the value matrices or any theorem.

Source: A. Pendharkar, arXiv:2605.04279, section 2.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.floating[Any]]
"""An array of float64 or float32; its shape is in the docstring of whoever takes it."""

STACK_LIMIT = 1 << 16
"""Largest H n^2 for which all heads' scores are made by one stacked product (n = 64, H = 16)."""

TILE_ENTRIES = 1 << 18
"""Entries of one tile of scores for larger systems (2 MiB in float64)."""


class Field(enum.StrEnum):
    """Which right-hand side drives the tokens."""

    USA = "USA"
    SA = "SA"
    RELU = "ReLU"


class Geometry(enum.StrEnum):
    """Whether velocities are projected on the tangent space of the unit sphere."""

    SPHERE = "sphere"
    FLAT = "flat"


class RangeError(OverflowError):
    """An exponential of the right-hand side or of an energy leaves the floating-point range."""


@dataclass(frozen=True, eq=False)
class LowRank:
    """Factors of low-rank heads, M_h = score_left[h] score_right[h]^T and W_h = value_left[h] value_right[h]^T.

    Attributes:
        score_left, score_right: (H, d, r).
        value_left, value_right: (H, d, r'), with an r' of its own.
    """

    score_left: FloatArray
    score_right: FloatArray
    value_left: FloatArray
    value_right: FloatArray

    def score_matrices(self) -> FloatArray:
        """The score matrices, (H, d, d)."""
        return self.score_left @ self.score_right.transpose(0, 2, 1)

    def value_matrices(self) -> FloatArray:
        """The value matrices, (H, d, d)."""
        return self.value_left @ self.value_right.transpose(0, 2, 1)


@dataclass(frozen=True, eq=False)
class System:
    """Tokens, heads, temperature, field and geometry: all that a right-hand side needs.

    Attributes:
        tokens: (n, d), row i is x_i; unit rows when the geometry is the sphere.
        scores: (H, d, d), `scores[h]` is M_h.
        values: (H, d, d), `values[h]` is W_h.
        beta: inverse temperature, positive and finite.
        field: USA, SA or ReLU.
        geometry: sphere or flat.
        low_rank: factors of the same heads; when given, products use them instead of the matrices.

    Raises:
        ValueError: shapes that do not fit, a number that is not finite, tokens that are not unit on the sphere, or
            a ReLU field whose head is not a single scalar one.
    """

    tokens: FloatArray
    scores: FloatArray
    values: FloatArray
    beta: float
    field: Field = Field.USA
    geometry: Geometry = Geometry.SPHERE
    low_rank: LowRank | None = None

    def __post_init__(self) -> None:
        tokens = _floating(self.tokens)
        dtype = tokens.dtype
        scores = np.ascontiguousarray(self.scores, dtype=dtype)
        values = np.ascontiguousarray(self.values, dtype=dtype)
        if tokens.ndim != 2 or tokens.shape[0] < 1 or tokens.shape[1] < 1:
            raise ValueError(f"tokens have shape {tokens.shape}; give (n, d) with n >= 1 and d >= 1")
        dimension = tokens.shape[1]
        for name, matrices in (("scores", scores), ("values", values)):
            if matrices.ndim != 3 or matrices.shape[0] < 1 or matrices.shape[1:] != (dimension, dimension):
                raise ValueError(
                    f"{name} have shape {matrices.shape}; give (H, d, d) with H >= 1 and d = {dimension} as in tokens"
                )
        if scores.shape != values.shape:
            raise ValueError(f"scores {scores.shape} and values {values.shape} differ; give one of each per head")
        if not (math.isfinite(self.beta) and self.beta > 0):
            raise ValueError(f"beta is {self.beta}; give a positive finite number")
        if not (np.isfinite(tokens).all() and np.isfinite(scores).all() and np.isfinite(values).all()):
            raise ValueError("tokens or heads hold a number that is not finite; remove it")
        object.__setattr__(self, "tokens", tokens)
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "field", Field(self.field))
        object.__setattr__(self, "geometry", Geometry(self.geometry))
        if self.low_rank is not None:
            _check_factors(self.low_rank, scores, values)
        if self.geometry is Geometry.SPHERE:
            defect = float(np.max(np.abs(row_norms(tokens) - 1)))
            if defect > 1e7 * float(np.finfo(dtype).eps):
                raise ValueError(
                    f"a token's norm differs from 1 by {defect:.3g}; on the sphere give unit tokens "
                    "(antumbra.numerics.dynamics.normalised does it)"
                )
        if self.field is Field.RELU:
            scale = self.score_scales
            if self.heads != 1 or scale is None or not np.array_equal(scores, values):
                raise ValueError("the ReLU field has one scalar head, M = W = lambda I; give scores = values = that")

    @property
    def n(self) -> int:
        """Number of tokens."""
        return int(self.tokens.shape[0])

    @property
    def d(self) -> int:
        """Dimension."""
        return int(self.tokens.shape[1])

    @property
    def heads(self) -> int:
        """Number of heads, H."""
        return int(self.scores.shape[0])

    @property
    def score_scales(self) -> FloatArray | None:
        """(H,) the numbers lambda_h when every M_h is exactly lambda_h I, else None."""
        return scalar_scales(self.scores)

    @property
    def value_scales(self) -> FloatArray | None:
        """(H,) the numbers mu_h when every W_h is exactly mu_h I, else None."""
        return scalar_scales(self.values)

    @classmethod
    def of_factors(
        cls,
        tokens: FloatArray,
        low_rank: LowRank,
        beta: float,
        field: Field = Field.USA,
        geometry: Geometry = Geometry.SPHERE,
    ) -> System:
        """A system whose heads are given by their factors; the matrices are their products."""
        return cls(tokens, low_rank.score_matrices(), low_rank.value_matrices(), beta, field, geometry, low_rank)

    def at(self, tokens: FloatArray) -> System:
        """The same heads at other tokens, (n, d)."""
        return replace(self, tokens=tokens)


def _floating(array: npt.ArrayLike) -> FloatArray:
    """A contiguous array of float32 if it was one, else of float64."""
    raw = np.asarray(array)
    dtype = raw.dtype if raw.dtype in (np.dtype(np.float32), np.dtype(np.float64)) else np.dtype(np.float64)
    return np.ascontiguousarray(raw, dtype=dtype)


def _check_factors(factors: LowRank, scores: FloatArray, values: FloatArray) -> None:
    """Refuse factors whose products are not the system's matrices, to rounding."""
    for name, product, matrices in (
        ("score", factors.score_matrices(), scores),
        ("value", factors.value_matrices(), values),
    ):
        if product.shape != matrices.shape:
            raise ValueError(f"the {name} factors multiply to {product.shape}, the matrices have {matrices.shape}")
        allowed = 64 * float(np.finfo(matrices.dtype).eps) * (1 + float(np.max(np.abs(matrices))))
        defect = float(np.max(np.abs(product - matrices)))
        if defect > allowed * matrices.shape[1]:
            raise ValueError(f"the {name} factors differ from the matrices by {defect:.3g}; give equal heads")


def scalar_scales(matrices: FloatArray) -> FloatArray | None:
    """(H,) the numbers of matrices (H, d, d) that are exactly multiples of the identity, else None."""
    diagonal = matrices[:, 0, 0]
    identity = np.eye(matrices.shape[1], dtype=matrices.dtype)
    return diagonal.copy() if np.array_equal(matrices, diagonal[:, None, None] * identity) else None


def row_norms(vectors: FloatArray) -> FloatArray:
    """Euclidean norms along the last axis: (..., d) -> (...)."""
    norms: FloatArray = np.sqrt(np.einsum("...k,...k->...", vectors, vectors))
    return norms


def normalised(vectors: FloatArray) -> FloatArray:
    """Vectors (..., d) divided by their norms.

    Raises:
        ValueError: a vector is zero or not finite.
    """
    scale = np.max(np.abs(vectors), axis=-1, keepdims=True)
    if not np.isfinite(scale).all() or bool((scale == 0).any()):
        raise ValueError("a vector is zero or not finite and has no direction; give non-zero vectors")
    scaled = vectors / scale
    unit: FloatArray = scaled / row_norms(scaled)[..., None]
    return unit


def tangential(tokens: FloatArray, vectors: FloatArray) -> FloatArray:
    """P_x u = u - <x, u> x for each pair of rows: (..., n, d), (..., n, d) -> (..., n, d)."""
    radial = np.einsum("...k,...k->...", tokens, vectors)
    projected: FloatArray = vectors - radial[..., None] * tokens
    return projected


def operator_norms(matrices: FloatArray) -> FloatArray:
    """Largest singular value of each matrix: (H, d, d) -> (H,)."""
    norms: FloatArray = np.linalg.norm(matrices, ord=2, axis=(-2, -1))
    return norms


def check_range(system: System) -> None:
    """Refuse a system whose unnormalised exponentials could overflow.

    Every exponential of USA is at most e^(beta ||M_h|| R^2), R the largest norm of a token, and a head's output at
    most n ||W_h|| R times that.

    Raises:
        RangeError: beta ||M_h|| R^2 is above the limit; the message names both.
    """
    if system.field is not Field.USA:
        return
    radius = float(np.max(row_norms(system.tokens)))
    exponents = system.beta * operator_norms(system.scores).astype(np.float64) * radius**2
    worst = int(np.argmax(exponents))
    largest = math.log(float(np.finfo(system.tokens.dtype).max))
    growth = max(1.0, float(np.max(operator_norms(system.values))) * radius)
    limit = largest - math.log(system.n * system.heads * growth) - 1
    if exponents[worst] > limit:
        raise RangeError(
            f"beta*||M||*max||x||^2 is {exponents[worst]:.6g} for head {worst}; the exponentials of USA in "
            f"{system.tokens.dtype} allow {limit:.6g}; lower beta or the head's norm, or use SA, which is scaled"
        )


def score_tiles(system: System) -> Iterator[tuple[int, slice, FloatArray]]:
    """Rows of every head's scores in tiles: (h, rows, S) with S[k, j] = s_{rows[k] j}^h, shape (tile, n).

    The array S is reused for the next tile: use it, overwrite it, do not keep it. Scalar heads share one Gram matrix,
    low-rank heads use their factors.
    """
    tokens, n = system.tokens, system.n
    tile = max(1, min(n, TILE_ENTRIES // n))
    buffer = np.empty((tile, n), dtype=tokens.dtype)
    scales = system.score_scales
    factors = system.low_rank
    gram = np.empty_like(buffer) if scales is not None and system.heads > 1 else buffer
    rights = None
    if scales is None:
        rights = tokens @ factors.score_right if factors is not None else None
    for start in range(0, n, tile):
        rows = slice(start, min(n, start + tile))
        size = rows.stop - rows.start
        if scales is not None:
            np.matmul(tokens[rows], tokens.T, out=gram[:size])
            for head in range(system.heads):
                np.multiply(gram[:size], scales[head], out=buffer[:size])
                yield head, rows, buffer[:size]
            continue
        for head in range(system.heads):
            if factors is not None and rights is not None:
                np.matmul(tokens[rows] @ factors.score_left[head], rights[head].T, out=buffer[:size])
            else:
                np.matmul(tokens[rows] @ system.scores[head], tokens.T, out=buffer[:size])
            yield head, rows, buffer[:size]


@dataclass(frozen=True, eq=False)
class Outputs:
    """Head outputs with their exponential scale kept apart, so that none overflows.

    Attributes:
        outputs: (H, n, d), f_i^h e^(-exponents).
        normalisers: (H, n), Z_i^h e^(-exponents), between 1 and n.
        exponents: (H, n), beta times the largest score of the row.
        mean_scores: (H, n), sum_j p_ij beta s_ij - exponents with p the softmax weights (never positive).
    """

    outputs: FloatArray
    normalisers: FloatArray
    exponents: FloatArray
    mean_scores: FloatArray


def scaled_outputs(system: System) -> Outputs:
    """The outputs of all heads at all tokens, scaled row by row by the largest score."""
    heads, n, d = system.heads, system.n, system.d
    dtype = system.tokens.dtype
    outputs = np.empty((heads, n, d), dtype=dtype)
    normalisers = np.empty((heads, n), dtype=dtype)
    exponents = np.empty((heads, n), dtype=dtype)
    means = np.empty((heads, n), dtype=dtype)
    images = system.tokens @ system.values.transpose(0, 2, 1)
    for head, rows, tile in score_tiles(system):
        tile *= system.beta
        peak = tile.max(axis=1)
        tile -= peak[:, None]
        weights = np.exp(tile)
        total = weights.sum(axis=1)
        exponents[head, rows] = peak
        normalisers[head, rows] = total
        outputs[head, rows] = weights @ images[head]
        means[head, rows] = np.einsum("ij,ij->i", weights, tile) / total
    return Outputs(outputs, normalisers, exponents, means)


def _unscaled(scaled: FloatArray, exponents: FloatArray, what: str) -> FloatArray:
    """Scaled * e^exponents, refusing a result that is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        result: FloatArray = scaled * np.exp(exponents)
    if not np.isfinite(result).all():
        worst = float(np.max(exponents))
        raise RangeError(
            f"{what} reach e^{worst:.6g}, beyond {result.dtype}; lower beta or the heads' norms, or use the scaled form"
        )
    return result


def head_outputs(system: System) -> FloatArray:
    """f_i^h, (H, n, d).

    Raises:
        RangeError: an output is beyond the floating-point range; `scaled_outputs` has no such limit.
    """
    scaled = scaled_outputs(system)
    return _unscaled(scaled.outputs, scaled.exponents[..., None], "head outputs")


def normalisers(system: System) -> FloatArray:
    """Z_i^h (also called Omega_i^h), (H, n).

    Raises:
        RangeError: a normaliser is beyond the floating-point range.
    """
    scaled = scaled_outputs(system)
    return _unscaled(scaled.normalisers, scaled.exponents, "normalisers")


def shadows(system: System) -> FloatArray:
    """Radial shadows a_i^h = <f_i^h, x_i>, (H, n).

    Raises:
        RangeError: a shadow is beyond the floating-point range.
    """
    scaled = scaled_outputs(system)
    inner = np.einsum("hik,ik->hi", scaled.outputs, system.tokens)
    return _unscaled(inner, scaled.exponents, "shadows")


def ratios(system: System) -> FloatArray:
    """|a_i^h| / ||f_i^h||, (H, n); 0 where f_i^h = 0, so that sums over heads with f != 0 need no mask."""
    scaled = scaled_outputs(system)
    inner = np.abs(np.einsum("hik,ik->hi", scaled.outputs, system.tokens))
    norms = row_norms(scaled.outputs)
    quotient: FloatArray = np.divide(inner, norms, out=np.zeros_like(inner), where=norms > 0)
    return quotient


def entropies(system: System) -> FloatArray:
    """Attention entropies -sum_j p_ij ln p_ij of the softmax weights, (H, n), between 0 and ln n."""
    scaled = scaled_outputs(system)
    entropy: FloatArray = np.log(scaled.normalisers) - scaled.mean_scores
    return entropy


def dominance_margins(system: System, scaled: bool = False) -> FloatArray:
    """Condition 8's margin ||P f_i^h||^2 - ||f_i^h|| sum_{h' != h} |a_i^{h'}|, (H, n); it holds where not negative.

    With `scaled`, the margin at token i is divided by e^(2 m_i), m_i the largest exponent over the heads: the sign is
    the same and nothing overflows.

    Raises:
        RangeError: without `scaled`, a margin is beyond the floating-point range.
    """
    parts = scaled_outputs(system)
    top = parts.exponents.max(axis=0)
    common = parts.outputs * np.exp(parts.exponents - top)[..., None]
    radial = np.einsum("hik,ik->hi", common, system.tokens)
    absolute = np.abs(radial)
    others = absolute.sum(axis=0) - absolute
    tangent = tangential(system.tokens, common)
    margins: FloatArray = np.einsum("hik,hik->hi", tangent, tangent) - row_norms(common) * others
    return margins if scaled else _unscaled(margins, 2 * top, "dominance margins")


def head_energies(system: System) -> FloatArray:
    """E_h, (H,), in the tokens' precision.

    Raises:
        RangeError: an energy is beyond the floating-point range.
    """
    scaled = scaled_outputs(system)
    rows = _unscaled(scaled.normalisers, scaled.exponents, "energies")
    energies: FloatArray = rows.sum(axis=1) / (2 * system.beta * system.n**2)
    return energies


def total_energy(system: System) -> float:
    """E, the sum of the head energies."""
    return float(head_energies(system).sum())


def energy_gradients(system: System) -> FloatArray:
    """Euclidean gradients of the head energies, (H, n, d): entry [h, i] is dE_h/dx_i.

    dE_h/dx_i = (1/(2 n^2)) [ sum_j e^(beta s_ij) M_h x_j + sum_j e^(beta s_ji) M_h^T x_j ], for any M_h: neither
    symmetry nor alignment is used, nor any value matrix.

    Raises:
        RangeError: an exponential is beyond the floating-point range.
    """
    gradients = np.zeros((system.heads, system.n, system.d), dtype=system.tokens.dtype)
    forward = system.tokens @ system.scores.transpose(0, 2, 1)
    backward = system.tokens @ system.scores
    with np.errstate(over="ignore", invalid="ignore"):
        for head, rows, tile in score_tiles(system):
            tile *= system.beta
            np.exp(tile, out=tile)
            gradients[head, rows] += tile @ forward[head]
            gradients[head] += tile.T @ backward[head, rows]
    gradients /= 2 * system.n**2
    if not np.isfinite(gradients).all():
        raise RangeError("a gradient of the energy overflows; lower beta or the heads' norms")
    return gradients


def velocities(system: System) -> FloatArray:
    """The tokens' velocities, (n, d): P_x v on the sphere, v flat.

    Raises:
        RangeError: USA with exponentials beyond the floating-point range.
    """
    return RightHandSide(system)(system.tokens)


def energy_rates(system: System) -> FloatArray:
    """dE_h/dt along the system's own flow, (H,), by the chain rule sum_i <dE_h/dx_i, velocity_i>.

    Raises:
        RangeError: an exponential is beyond the floating-point range.
    """
    rates: FloatArray = np.einsum("hik,ik->h", energy_gradients(system), velocities(system))
    return rates


def total_energy_rate(system: System) -> float:
    """dE/dt along the system's own flow."""
    return float(energy_rates(system).sum())


class RightHandSide:
    """The velocity of a system's tokens as a function of the tokens, with buffers kept between calls.

    Rows whose norm is not quite 1 are what a Runge-Kutta stage meets: the field is taken at the row's direction, so
    that it stays tangent to the sphere through the row and the norm is a first integral.
    """

    def __init__(self, system: System) -> None:
        check_range(system)
        self.system = system
        n, d, heads = system.n, system.d, system.heads
        dtype = system.tokens.dtype
        self._stacked = heads * n * n <= STACK_LIMIT and system.low_rank is None
        self._scores_scaled = np.ascontiguousarray(system.scores * dtype.type(system.beta))
        self._values_transposed = np.ascontiguousarray(system.values.transpose(0, 2, 1))
        self._scales = system.score_scales
        self._value_scales = system.value_scales
        shape = (heads, n, n) if self._stacked else (1, 1, 1)
        self._buffer = np.empty(shape, dtype=dtype)
        self._images = np.empty((heads, n, d), dtype=dtype)
        self._left = np.empty((heads, n, d), dtype=dtype)
        self.evaluations = 0

    def __call__(self, tokens: FloatArray) -> FloatArray:
        """Velocities at `tokens`: (n, d) -> (n, d), a fresh array."""
        self.evaluations += 1
        if self.system.geometry is Geometry.FLAT:
            velocity = self._field(tokens)
            if not np.isfinite(velocity).all():
                raise RangeError("the flat flow left the floating-point range; it can blow up: stop earlier")
            return velocity
        norms = row_norms(tokens)[:, None]
        unit = tokens / norms
        return tangential(unit, self._field(unit))

    def _field(self, tokens: FloatArray) -> FloatArray:
        """v_i without projection, (n, d)."""
        system = self.system
        if system.field is Field.RELU:
            return self._relu(tokens)
        if self._stacked:
            return self._stacked_field(tokens)
        return self._tiled_field(tokens)

    def _relu(self, tokens: FloatArray) -> FloatArray:
        scale = float(self.system.scores[0, 0, 0])
        n = tokens.shape[0]
        tile = max(1, min(n, TILE_ENTRIES // n))
        result = np.empty_like(tokens)
        for start in range(0, n, tile):
            rows = slice(start, min(n, start + tile))
            gram = tokens[rows] @ tokens.T
            gram *= scale
            np.maximum(gram, 0, out=gram)
            result[rows] = gram @ tokens
        result *= scale / n
        return result

    def _stacked_field(self, tokens: FloatArray) -> FloatArray:
        n = tokens.shape[0]
        softmax = self.system.field is Field.SA
        weights = self._buffer
        if self._scales is not None:
            gram = tokens @ tokens.T
            np.multiply(gram, (self._scales * self.system.beta)[:, None, None], out=weights)
        else:
            np.matmul(tokens, self._scores_scaled, out=self._left)
            np.matmul(self._left, tokens.T, out=weights)
        if softmax:
            weights -= weights.max(axis=2, keepdims=True)
        with np.errstate(over="ignore"):
            np.exp(weights, out=weights)
        if softmax:
            weights /= weights.sum(axis=2, keepdims=True)
        if self._value_scales is not None:
            mixed = np.tensordot(self._value_scales, weights, axes=1)
            velocity: FloatArray = mixed @ tokens
        else:
            np.matmul(tokens, self._values_transposed, out=self._images)
            velocity = np.matmul(weights, self._images).sum(axis=0)
        if not softmax:
            velocity /= n
        return velocity

    def _tiled_field(self, tokens: FloatArray) -> FloatArray:
        system = self.system
        n = tokens.shape[0]
        softmax = system.field is Field.SA
        moved = _moved(system, tokens)
        factors = system.low_rank
        if factors is not None:
            images = tokens @ factors.value_right
        elif self._value_scales is None:
            images = np.matmul(tokens, self._values_transposed, out=self._images)
        velocity = np.zeros_like(tokens)
        with np.errstate(over="ignore"):
            for head, rows, tile in score_tiles(moved):
                tile *= system.beta
                if softmax:
                    tile -= tile.max(axis=1, keepdims=True)
                np.exp(tile, out=tile)
                if factors is not None:
                    part = (tile @ images[head]) @ factors.value_left[head].T
                elif self._value_scales is not None:
                    part = self._value_scales[head] * (tile @ tokens)
                else:
                    part = tile @ images[head]
                if softmax:
                    part /= tile.sum(axis=1, keepdims=True)
                velocity[rows] += part
        if not softmax:
            velocity /= n
        return velocity


def _moved(system: System, tokens: FloatArray) -> System:
    """The system at other tokens without the checks of its constructor (a Runge-Kutta stage in its inner loop)."""
    moved = object.__new__(System)
    for name in ("scores", "values", "beta", "field", "geometry", "low_rank"):
        object.__setattr__(moved, name, getattr(system, name))
    object.__setattr__(moved, "tokens", tokens)
    return moved
