"""Tokens, heads, temperature, field and geometry as one frozen record, and vectors on the sphere.

Notation: X -> tokens, row i is x_i -> (n, d); M_h -> `scores[h]`, W_h -> `values[h]` -> (d, d). All quantities are
dimensionless.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.floating[Any]]
"""An array of float64 or float32; its shape is in the docstring of whoever takes it."""


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
