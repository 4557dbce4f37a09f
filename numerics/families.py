"""Models that meet relations by construction, as rational functions of free real parameters.

A family fixes the sizes and what is discrete (which axes belong to which head, which tokens coincide); a point of R^k
then gives a model: unit vectors by stereographic projection, orthonormal bases by Cayley's transform
(I + A)^(-1) (I - A) of a skew A, heads as symmetric blocks in such bases, equiangular tokens
x_i = a e_i + b (e_1 + ... + e_n) on the conic a^2 + 2ab + n b^2 = 1. The same code runs on floats, many points at
once, and on fractions: what a float search finds has an exact model beside it.

Source: the rational parametrisations are classical; Cayley's is in Gantmacher, The Theory of Matrices, IX.14.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from antumbra.numerics.evaluate_terms import UnsupportedTermError

Numbers: TypeAlias = npt.NDArray[Any]
"""float64, or objects that are fractions."""


@dataclass
class Relations:
    """What formulas of a ground demand, by symbol; what is not of this form is left to rejection.

    Attributes:
        unit, symmetric, orthogonal, projector, resolution: names of symbols.
        gram: term of the common inner product, by name.
        single: sorts with one index.
        same: pairs of equal operators. scalar: operator -> symbol of its factors. scaled: operator -> (term, operator).
        equal: (symbol, term) with a closed term.
        bounds: (symbol, term): the symbol is at least the term.
    """

    unit: set[str] = field(default_factory=set)
    symmetric: set[str] = field(default_factory=set)
    orthogonal: set[str] = field(default_factory=set)
    projector: set[str] = field(default_factory=set)
    resolution: set[str] = field(default_factory=set)
    gram: dict[str, Any] = field(default_factory=dict)
    single: set[str] = field(default_factory=set)
    same: list[tuple[str, str]] = field(default_factory=list)
    scalar: dict[str, str] = field(default_factory=dict)
    scaled: dict[str, tuple[Any, str]] = field(default_factory=dict)
    equal: list[tuple[str, Any]] = field(default_factory=list)
    bounds: list[tuple[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, formulas: Iterable[Any]) -> Relations:
        """The relations among formulas."""
        found = cls()
        for formula in formulas:
            found._read(formula)
        return found

    def _read(self, formula: Any) -> None:
        match formula:
            case ("and", *parts):
                for part in parts:
                    self._read(part)
            case ("all", _, _, body):
                self._read(body)
            case ("unit" | "symmetric" | "projector" | "resolution" | "single" as tag, name):
                getattr(self, tag).add(name)
            case ("orthogonal_operators", name):
                self.orthogonal.add(name)
            case ("gram", name, value):
                self.gram[name] = value
            case ("same_operator", first, second):
                self.same.append((first, second))
            case ("scalar_operator", name, factor):
                self.scalar[name] = factor
            case ("scaled_operator", name, factor, projector):
                self.scaled[name] = (factor, projector)
            case ("eq", ("s", name, _), value) if _closed(value):
                self.equal.append((name, value))
            case ("le", value, ("s", name, ())) | ("ge", ("s", name, ()), value):
                self.bounds.append((name, value))


def _closed(term: Any) -> bool:
    """Whether a term is built of constants, sizes and symbols without index."""
    match term:
        case ("q", _, _) | ("size", _) | ("s", _, ()):
            return True
        case ("+" | "*" | "inv" | "^", *parts):
            return all(isinstance(part, int) or _closed(part) for part in parts)
    return False


class Supply:
    """Parameters of B points, handed out in order; without points it counts them and hands out zeros."""

    def __init__(self, points: Numbers | None) -> None:
        self.points = points
        self.used = 0

    @property
    def batch(self) -> int:
        """B."""
        return 1 if self.points is None else int(self.points.shape[0])

    @property
    def exact(self) -> bool:
        """Whether the numbers are fractions."""
        return self.points is not None and self.points.dtype == object

    def take(self, *shape: int) -> Numbers:
        """The next parameters, (B, *shape)."""
        count = int(np.prod(shape, dtype=int))
        first, self.used = self.used, self.used + count
        if self.points is None:
            return np.zeros((1, *shape))
        return self.points[:, first : self.used].reshape(self.batch, *shape)

    def ones(self, *shape: int) -> Numbers:
        """Ones of the right kind, (B, *shape)."""
        return np.full((self.batch, *shape), Fraction(1) if self.exact else 1.0)

    def identity(self, size: int) -> Numbers:
        """Identity matrices, (B, size, size)."""
        one, zero = (Fraction(1), Fraction(0)) if self.exact else (1.0, 0.0)
        rows = [[one if row == column else zero for column in range(size)] for row in range(size)]
        return np.broadcast_to(
            np.array(rows, dtype=object if self.exact else np.float64), (self.batch, size, size)
        ).copy()


def stereographic(supply: Supply, d: int, count: int) -> Numbers:
    """Unit vectors, (B, count, d), from d - 1 parameters each (d >= 2)."""
    t = supply.take(count, d - 1)
    square = (t * t).sum(axis=-1, keepdims=True)
    one = supply.ones(count, 1)
    return np.concatenate([(one - square) / (one + square), 2 * t / (one + square)], axis=-1)


def solve(matrix: Numbers, right: Numbers) -> Numbers:
    """Solve by elimination without pivots: (B, d, d), (B, d, e) -> (B, d, e).

    For matrices whose symmetric part is positive definite, such as I + A with A skew, no pivot vanishes.
    """
    a, b = matrix.copy(), right.copy()
    d = a.shape[1]
    for pivot in range(d):
        for row in range(pivot + 1, d):
            factor = (a[:, row, pivot] / a[:, pivot, pivot])[:, None]
            a[:, row] = a[:, row] - factor * a[:, pivot]
            b[:, row] = b[:, row] - factor * b[:, pivot]
    for row in reversed(range(d)):
        for later in range(row + 1, d):
            b[:, row] = b[:, row] - a[:, row, later][:, None] * b[:, later]
        b[:, row] = b[:, row] / a[:, row, row][:, None]
    return b


def cayley(supply: Supply, d: int) -> Numbers:
    """Rotations, (B, d, d), from d(d-1)/2 parameters."""
    identity = supply.identity(d)
    skew = identity - identity
    entries = supply.take(d * (d - 1) // 2)
    for place, (row, column) in enumerate(itertools.combinations(range(d), 2)):
        skew[:, row, column], skew[:, column, row] = entries[:, place], -entries[:, place]
    return solve(identity + skew, identity - skew)


def symmetric_block(supply: Supply, size: int) -> Numbers:
    """Symmetric matrices, (B, size, size)."""
    block = supply.identity(size)
    entries = supply.take(size * (size + 1) // 2)
    for place, (row, column) in enumerate(itertools.combinations_with_replacement(range(size), 2)):
        block[:, row, column] = block[:, column, row] = entries[:, place]
    return block


class Family:
    """Models of fixed sizes and discrete structure over points of R^k.

    Args:
        symbols: the declared symbols that need a value (`type`, `indices`, `domain` by name).
        relations: what they meet by construction.
        sizes: of token, head and axis.
        rng: draws the discrete structure once.

    Raises:
        ImpossibleFamilyError: these relations cannot be met at these sizes by this construction.
    """

    def __init__(
        self, symbols: Mapping[str, Any], relations: Relations, sizes: Mapping[str, int], rng: np.random.Generator
    ) -> None:
        self.symbols = dict(sorted(symbols.items()))
        self.relations = relations
        self.sizes = dict(sizes)
        if any(sizes[sort] != 1 for sort in relations.single):
            raise ImpossibleFamilyError("a sort with a single index has size 1")
        d, heads = sizes["axis"], sizes["head"]
        self.coincide = bool(rng.random() < 0.2)
        self.alike = bool(rng.random() < 0.25)
        self.rank_one = bool(rng.random() < 0.25)
        self.owner = rng.integers(0, heads, size=d)
        if d >= heads and rng.random() < 0.8:
            self.owner[rng.permutation(d)[:heads]] = np.arange(heads)
        self.subsets = rng.random((heads, d)) < 0.5
        self.subsets[:, 0] |= ~self.subsets.any(axis=1)
        self.tight = bool(rng.random() < 0.5)
        supply = Supply(None)
        self._build(supply)
        self.parameters = supply.used

    def build(self, points: Numbers) -> dict[str, Numbers]:
        """Values of the symbols at points (B, k): name -> (B, sizes of the indices..., d or d, d or nothing)."""
        return self._build(Supply(points))

    def _shape(self, symbol: Any) -> tuple[int, ...]:
        return tuple(self.sizes[sort] for sort in symbol.indices)

    def _build(self, supply: Supply) -> dict[str, Numbers]:
        values: dict[str, Numbers] = {}
        ordered = sorted(
            self.symbols, key=lambda name: {"scalar": 0, "vector": 1, "operator": 2}[self.symbols[name].type]
        )
        for name in ordered:
            symbol = self.symbols[name]
            if symbol.type == "scalar":
                values[name] = _in_domain(supply.take(*self._shape(symbol)), symbol.domain)
        for name, term in self.relations.equal:
            if name in values:
                closed = self._closed_value(term, values, supply)
                shape = values[name].shape
                values[name] = np.broadcast_to(closed.reshape(-1, *([1] * (len(shape) - 1))), shape).copy()
        shared = cayley(supply, self.sizes["axis"]) if self._needs_basis() else None
        for name in ordered:
            if self.symbols[name].type == "vector":
                values[name] = self._vectors(name, values, supply, shared)
        for name in ordered:
            if self.symbols[name].type == "operator":
                self._operator(name, values, supply, shared)
        return values

    def _needs_basis(self) -> bool:
        relations = self.relations
        return bool(relations.orthogonal | relations.resolution | set(relations.gram))

    def _closed_value(self, term: Any, values: Mapping[str, Numbers], supply: Supply) -> Numbers:
        """A closed term, (B,)."""
        match term:
            case ("q", top, bottom):
                number = Fraction(int(top, 16), int(bottom, 16))
                return supply.ones() * (number if supply.exact else float(number))
            case ("size", sort):
                return supply.ones() * self.sizes[sort]
            case ("s", name, ()) if name in values:
                return values[name]
            case ("+" | "*" as tag, *parts):
                total = self._closed_value(parts[0], values, supply)
                for part in parts[1:]:
                    other = self._closed_value(part, values, supply)
                    total = total + other if tag == "+" else total * other
                return total
            case ("^", base, exponent):
                return np.asarray(self._closed_value(base, values, supply) ** exponent)
            case ("inv", base):
                return supply.ones() / self._closed_value(base, values, supply)
        raise UnsupportedTermError(f"the term {term!r} is not a closed one; models cannot be built from it")

    def _vectors(self, name: str, values: dict[str, Numbers], supply: Supply, shared: Numbers | None) -> Numbers:
        d, shape = self.sizes["axis"], self._shape(self.symbols[name])
        count = int(np.prod(shape, dtype=int))
        if name in self.relations.gram:
            return self._equiangular(name, values, supply, shared)
        if name not in self.relations.unit:
            return supply.take(*shape, d)
        if d == 1:
            return supply.ones(*shape, 1)
        if shared is not None and self.rank_one and self.alike and d > self.sizes["head"] and shape:
            return self._equal_shares(supply, shared, shape)
        distinct = 1 if self.coincide else count
        vectors = stereographic(supply, d, distinct)
        return np.broadcast_to(vectors, (supply.batch, count, d)).reshape(supply.batch, *shape, d).copy()

    def _equal_shares(self, supply: Supply, shared: Numbers, shape: tuple[int, ...]) -> Numbers:
        """One unit vector for all, with the same component s along the first H axes: H s^2 + r^2 = 1."""
        heads, d = self.sizes["head"], self.sizes["axis"]
        t = supply.take()
        one = supply.ones()
        share, rest = 2 * t / (one + heads * t * t), (one - heads * t * t) / (one + heads * t * t)
        vector = shared[:, :, heads] * rest[:, None]
        for head in range(heads):
            vector = vector + shared[:, :, head] * share[:, None]
        return np.broadcast_to(vector.reshape(supply.batch, *([1] * len(shape)), d), (supply.batch, *shape, d)).copy()

    def _equiangular(self, name: str, values: dict[str, Numbers], supply: Supply, shared: Numbers | None) -> Numbers:
        n, d = self.sizes["token"], self.sizes["axis"]
        term = self.relations.gram[name]
        one = supply.ones()
        if d < n or shared is None:
            raise ImpossibleFamilyError("an equiangular family is built with at least as many axes as tokens")
        basis = shared[:, :, :n].transpose(0, 2, 1)
        match term:
            case ("s", symbol, ()):
                t = supply.take()
                if n == 1:  # one token has no inner product with another: any number will do
                    values[symbol] = t
                    return np.asarray(basis)
                step = -2 * (one + t) / _without_zero(one + 2 * t + n * t * t)
                a, b = one + step, t * step
                values[symbol] = one - a * a
            case ("q", "0", _):
                a, b = one, one - one
            case _:
                raise UnsupportedTermError("equiangular tokens are built for a symbol or 0 as their inner product")
        return np.asarray(a[:, None, None] * basis + b[:, None, None] * basis.sum(axis=1, keepdims=True))

    def _operator(self, name: str, values: dict[str, Numbers], supply: Supply, shared: Numbers | None) -> None:
        if name in values:
            return
        relations, d = self.relations, self.sizes["axis"]
        shape = self._shape(self.symbols[name])
        for first, second in relations.same:
            if name == first and second in self.symbols:
                self._operator(second, values, supply, shared)
                values[name] = values[second].copy()
                return
        if name in relations.scalar:
            factors = values[relations.scalar[name]]
            values[name] = factors[..., None, None] * supply.identity(d).reshape(
                supply.batch, *([1] * len(shape)), d, d
            )
            return
        if name in relations.scaled:
            term, base = relations.scaled[name]
            self._operator(base, values, supply, shared)
            factor = self._closed_value(term, values, supply)
            values[name] = factor.reshape(supply.batch, *([1] * (len(shape) + 2))) * values[base]
            return
        count = int(np.prod(shape, dtype=int))
        if self.rank_one and name in relations.orthogonal - relations.projector and shared is not None:
            matrices = self._rank_one_heads(count, supply, shared)
        else:
            matrices = [self._matrix(name, place, supply, shared) for place in range(count)]
        if self.alike and shape and name not in relations.orthogonal | relations.resolution:
            matrices = [matrices[0]] * count
        values[name] = np.stack(matrices, axis=1).reshape(supply.batch, *shape, d, d)

    def _rank_one_heads(self, count: int, supply: Supply, shared: Numbers) -> list[Numbers]:
        """Multiples of projectors on the first axes of the basis, one multiple for all when heads are alike."""
        zero = supply.identity(self.sizes["axis"]) * 0
        scales = supply.take(1 if self.alike else count)
        heads = []
        for head in range(count):
            scale = scales[:, 0 if self.alike else head][:, None, None]
            column = shared[:, :, head : head + 1]
            heads.append(scale * (column @ column.transpose(0, 2, 1)) if head < self.sizes["axis"] else zero)
        return heads

    def _matrix(self, name: str, head: int, supply: Supply, shared: Numbers | None) -> Numbers:
        """One head's operator, (B, d, d)."""
        relations, d = self.relations, self.sizes["axis"]
        identity = supply.identity(d)
        if name in relations.projector or name in relations.resolution:
            if name in relations.orthogonal | relations.resolution and shared is not None:
                columns = np.flatnonzero(self.owner == head)
                basis = shared
            else:
                columns = np.flatnonzero(self.subsets[head])
                basis = cayley(supply, d)
            block = basis[:, :, columns]
            return np.asarray(block @ block.transpose(0, 2, 1)) if columns.size else identity - identity
        if name in relations.orthogonal and shared is not None:
            columns = np.flatnonzero(self.owner == head)
            if not columns.size:
                return identity - identity
            block = shared[:, :, columns]
            size = int(columns.size)
            core = symmetric_block(supply, size) if name in relations.symmetric else supply.take(size, size)
            return np.asarray(block @ core @ block.transpose(0, 2, 1))
        if name in relations.symmetric:
            return symmetric_block(supply, d)
        return supply.take(d, d)


class ImpossibleFamilyError(ValueError):
    """The relations cannot be met at these sizes, as far as this construction goes."""


def _in_domain(numbers: Numbers, domain: str) -> Numbers:
    if domain == "real":
        return numbers
    absolute = np.abs(numbers)
    return _without_zero(absolute) if domain == "positive" else absolute


def _without_zero(numbers: Numbers) -> Numbers:
    """Zeros replaced by ones."""
    one: Any = Fraction(1) if numbers.dtype == object else 1.0
    return np.asarray(np.where(numbers == 0, one, numbers))


def rounding_of(
    value: npt.NDArray[np.float64], points: npt.NDArray[np.float64], sizes: Mapping[str, int]
) -> npt.NDArray[np.float64]:
    """A bound on the rounding of a built value, entry by entry; the model at the same points is exact.

    The longest construction is a product of three matrices, one of them from the elimination of I + A, whose inverse
    has norm at most one and whose size is at most d times the largest parameter: no more than 16 d^2 roundings of
    numbers of the size (1 + d |parameter|)^2 times the largest entry or one.
    """
    d = sizes["axis"]
    largest = np.maximum(1.0, np.abs(value).reshape(value.shape[0], -1).max(axis=1))
    spread = 1 + d * np.abs(points).max(axis=1, initial=0.0)
    bound = 16 * d * d * 2.0**-52 * largest * spread**2
    return np.broadcast_to(bound.reshape(-1, *([1] * (value.ndim - 1))), value.shape).copy()
