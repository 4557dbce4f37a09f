"""The velocity of all tokens: stacked for small systems, in symmetric blocks for large ones.

Three routes give the same field. *Stacked*: all heads' scores by one product, for small H n^2. *Blocks*: squares of the
score matrix, each made once and used for its mirror image too where M_h is symmetric; exponentials are unscaled, so it
is taken only where none can be large. *Rows*: tiles of whole rows, each scaled by its largest score, for SA at large
beta ||M||. Memory is O(n (d + tile)) beyond the stacked route. Scalar heads share one Gram matrix; low-rank heads use
their factors.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from antumbra.numerics.system import (
    Field,
    FloatArray,
    Geometry,
    RangeError,
    System,
    check_range,
    operator_norms,
    row_norms,
    tangential,
)

STACK_LIMIT = 1 << 16
"""Largest H n^2 for which all heads' scores are made by one stacked product (n = 64, H = 16)."""

TILE_ENTRIES = 1 << 18
"""Entries of one tile of scores for larger systems (2 MiB in float64)."""

LEAST_ROWS = 32
"""Rows of a tile however long they are: fewer make products that wait for memory."""

BLOCK = 256
"""Side of a block of scores: 512 KiB in float64, within a core's second cache."""

THREADED_TOKENS = 1024
"""From this many tokens on, blocks are shared out among threads; below, starting them costs more."""

SAFE_SHARE = 0.4
"""The block route is taken while beta ||M_h|| R^2 is at most this share of the largest exponent."""


def score_tiles(system: System) -> Iterator[tuple[int, slice, FloatArray]]:
    """Rows of every head's scores in tiles: (h, rows, S) with S[k, j] = s_{rows[k] j}^h, shape (tile, n).

    The array S is reused for the next tile: use it, overwrite it, do not keep it. Scalar heads share one Gram matrix,
    low-rank heads use their factors.
    """
    tokens, n = system.tokens, system.n
    tile = max(1, min(n, max(LEAST_ROWS, TILE_ENTRIES // n)))
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


class RightHandSide:
    """The velocity of a system's tokens as a function of the tokens, with buffers kept between calls.

    Rows whose norm is not quite 1 are what a Runge-Kutta stage meets: the field is taken at the row's direction, so
    that it stays tangent to the sphere through the row and the norm is a first integral.

    Args:
        system: heads, temperature, field, geometry; its tokens give the sizes.
        threads: threads of the block route, by default one for each core from 1,024 tokens on.
    """

    def __init__(self, system: System, threads: int | None = None) -> None:
        check_range(system)
        self.system = system
        crowded = system.n < THREADED_TOKENS
        self._threads = max(1, threads if threads is not None else 1 if crowded else min(4, os.cpu_count() or 1))
        n, d, heads = system.n, system.d, system.heads
        dtype = system.tokens.dtype
        self._stacked = heads * n * n <= STACK_LIMIT and system.low_rank is None
        self._scores_scaled = np.ascontiguousarray(system.scores * dtype.type(system.beta))
        self._values_transposed = np.ascontiguousarray(system.values.transpose(0, 2, 1))
        self._steepness = system.beta * float(np.max(operator_norms(system.scores)))
        self._symmetric = [np.array_equal(matrix, matrix.T) for matrix in system.scores]
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
        radius = 1.0 if system.geometry is Geometry.SPHERE else float(np.max(row_norms(tokens)))
        largest = math.log(float(np.finfo(tokens.dtype).max))
        if self._steepness * radius**2 <= SAFE_SHARE * largest:
            return self._blocked_field(tokens)
        return self._tiled_field(tokens)

    def _relu(self, tokens: FloatArray) -> FloatArray:
        scale = float(self.system.scores[0, 0, 0])
        n = tokens.shape[0]
        tile = max(1, min(n, max(LEAST_ROWS, TILE_ENTRIES // n)))
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

    def _blocked_field(self, tokens: FloatArray) -> FloatArray:
        """All blocks of all heads; scalar heads under USA share not only the Gram matrix but the products too."""
        if self._scales is not None and self._value_scales is not None and self.system.field is Field.USA:
            weights = list(zip(self._scales * self.system.beta, self._value_scales, strict=True))
            total = self._blocks(tokens, tokens, tokens, True, weights)
            total /= tokens.shape[0]
            return total
        velocity = np.zeros_like(tokens)
        for head in range(self.system.heads):
            velocity += self._head_in_blocks(tokens, head)
        if self.system.field is Field.USA:
            velocity /= tokens.shape[0]
        return velocity

    def _head_in_blocks(self, tokens: FloatArray, head: int) -> FloatArray:
        """One head's part of the field: f^h for USA, f^h / Z^h for SA; the normaliser rides along as a column."""
        factors = self.system.low_rank
        if factors is not None:
            left = tokens @ factors.score_left[head] * tokens.dtype.type(self.system.beta)
            right, images = tokens @ factors.score_right[head], tokens @ factors.value_right[head]
        elif self._scales is not None:
            left, right = tokens * tokens.dtype.type(self._scales[head] * self.system.beta), tokens
            images = tokens if self._value_scales is not None else tokens @ self._values_transposed[head]
        else:
            left, right = tokens @ self._scores_scaled[head], tokens
            images = tokens if self._value_scales is not None else tokens @ self._values_transposed[head]
        softmax = self.system.field is Field.SA
        if softmax:
            images = np.concatenate([images, np.ones((tokens.shape[0], 1), dtype=tokens.dtype)], axis=1)
        total = self._blocks(left, right, images, self._symmetric[head], None)
        if softmax:
            total = total[:, :-1] / total[:, -1:]
        if factors is not None:
            total = total @ factors.value_left[head].T
        elif self._value_scales is not None:
            total *= self._value_scales[head]
        return total

    def _blocks(
        self,
        left: FloatArray,
        right: FloatArray,
        images: FloatArray,
        symmetric: bool,
        weights: list[tuple[float, float]] | None,
    ) -> FloatArray:
        """Sums over j of w(S_ij) images_j, S = left right^T; w = exp, or sum mu e^(lambda s) over (lambda, mu)."""
        starts = range(0, left.shape[0], BLOCK)
        # Every other row of blocks: rows of the triangle are of unequal length.
        shares = [starts[first :: self._threads] for first in range(self._threads)]

        def part(share: range) -> FloatArray:
            return _block_rows(left, right, images, symmetric, weights, share)

        if self._threads == 1:
            return part(shares[0])
        with ThreadPoolExecutor(self._threads) as pool:
            results = list(pool.map(part, shares))
        total = results[0]
        for result in results[1:]:
            total += result
        return total

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


def _block_rows(
    left: FloatArray,
    right: FloatArray,
    images: FloatArray,
    symmetric: bool,
    weights: list[tuple[float, float]] | None,
    starts: range,
) -> FloatArray:
    """The share of `RightHandSide._blocks` of the block rows that begin at `starts`, (n, k)."""
    n = left.shape[0]
    total = np.zeros_like(images)
    buffer = np.empty((BLOCK, BLOCK), dtype=left.dtype)
    scratch, mixture = (np.empty_like(buffer), np.empty_like(buffer)) if weights is not None else (buffer, buffer)
    for start in starts:
        rows = slice(start, min(n, start + BLOCK))
        for first in range(start if symmetric else 0, n, BLOCK):
            columns = slice(first, min(n, first + BLOCK))
            corner = (slice(0, rows.stop - rows.start), slice(0, columns.stop - columns.start))
            block = buffer[corner]
            np.matmul(left[rows], right[columns].T, out=block)
            if weights is None:
                np.exp(block, out=block)
            else:
                power, mixed = scratch[corner], mixture[corner]
                mixed.fill(0)
                for scale, factor in weights:
                    np.multiply(block, scale, out=power)
                    np.exp(power, out=power)
                    power *= factor
                    mixed += power
                block = mixed
            total[rows] += block @ images[columns]
            if symmetric and first != start:
                total[columns] += block.T @ images[rows]
    return total
