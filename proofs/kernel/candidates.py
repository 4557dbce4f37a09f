"""Rational models that satisfy the relations of a ground by construction, simplest first.

A model is a function of a sequence of small choices, each an integer whose 0 is the simplest possibility: a search
draws the choices at random and makes a witness simpler by lowering them. What is built here is only a candidate;
`antumbra.proofs.kernel.witness` checks every formula.

Unit vectors are rational points of the sphere (stereographic projection); orthonormal bases are products of
Pythagorean rotations; orthogonal operators act on separate coordinate blocks of such a basis; equiangular families
are x_i = a e_i + b (e_1 + ... + e_n), where a^2 + 2ab + nb^2 = 1 is a conic with the rational point (1, 0).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from antumbra.proofs.kernel.evaluate import EvaluationError, evaluate_scalar, free_indices
from antumbra.proofs.kernel.models import Model, Nested, Signature, Symbol

Matrix: TypeAlias = list[list[Fraction]]


def _fractions(text: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(word) for word in text.split())


REALS = _fractions("0 1 -1 2 -2 1/2 -1/2 3 -3 1/3 3/2 -1/3 2/3 -2/3 -3/2 1/10 -1/10 5 -5")
POSITIVES = _fractions("1 2 1/2 3 1/3 4 1/4 3/2 5 8 1/10")
NONNEGATIVES = (Fraction(0), *POSITIVES)
_STEREOGRAPHIC = _fractions("0 1 1/2 -1 -1/2 2 1/3 -2 3 -1/3 -3")
_HALF_ANGLES = _fractions("0 1/2 1/3 1 -1/2 2/3")


class ImpossibleError(ValueError):
    """The relations cannot be met at these sizes, as far as this construction goes."""


class Choices:
    """Small choices: those of a given list first, then random ones; all that were made are kept in `made`."""

    def __init__(self, given: Sequence[int] = (), generator: random.Random | None = None) -> None:
        self.made: list[int] = []
        self._given = list(given)
        self._generator = generator

    def draw(self, count: int) -> int:
        """An integer from 0 to count - 1; 0 if the list is used up and there is no generator."""
        position = len(self.made)
        if position < len(self._given):
            choice = min(self._given[position], count - 1)
        elif self._generator is None or count == 1:
            choice = 0
        else:
            # Simple values are tried more often.
            choice = min(self._generator.randrange(count), self._generator.randrange(count))
        self.made.append(choice)
        return choice

    def of(self, values: Sequence[Any]) -> Any:
        """One of the values."""
        return values[self.draw(len(values))]


@dataclass
class _Constraints:
    """What the relations demand, by symbol."""

    unit: set[str] = field(default_factory=set)
    gram: dict[str, Any] = field(default_factory=dict)
    single: set[str] = field(default_factory=set)
    symmetric: set[str] = field(default_factory=set)
    orthogonal: set[str] = field(default_factory=set)
    projector: set[str] = field(default_factory=set)
    resolution: set[str] = field(default_factory=set)
    same: list[tuple[str, str]] = field(default_factory=list)
    multiples_of_identity: dict[str, str] = field(default_factory=dict)
    scaled: dict[str, tuple[Any, str]] = field(default_factory=dict)
    values: list[tuple[str, tuple[str, ...], Any]] = field(default_factory=list)
    bounds: list[tuple[str, Any]] = field(default_factory=list)

    def read(self, formula: Any) -> None:
        match formula:
            case ("and", *parts):
                for part in parts:
                    self.read(part)
            case ("all", _, _, body):
                self.read(body)
            case ("unit", name):
                self.unit.add(name)
            case ("gram", name, value):
                self.gram[name] = value
            case ("single", sort):
                self.single.add(sort)
            case ("symmetric", name):
                self.symmetric.add(name)
            case ("orthogonal_operators", name):
                self.orthogonal.add(name)
            case ("projector", name):
                self.projector.add(name)
            case ("resolution", name):
                self.resolution.add(name)
            case ("same_operator", first, second):
                self.same.append((first, second))
            case ("scalar_operator", name, factor):
                self.multiples_of_identity[name] = factor
            case ("scaled_operator", name, factor, projector):
                self.scaled[name] = (factor, projector)
            case ("eq", ("s", name, indices), value) | ("eq", value, ("s", name, indices)):
                self.values.append((name, tuple(indices), value))
            case ("le", value, ("s", name, ())) | ("ge", ("s", name, ()), value):
                self.bounds.append((name, value))


class Builder:
    """Builds models of given sizes for a set of symbols under a set of formulas.

    Args:
        signature: the declared names.
        symbols: the symbols that need a value.
        formulas: what the model should satisfy; relations, equations s = t and bounds t <= s of a symbol are built in.
    """

    def __init__(self, signature: Signature, symbols: Iterable[str], formulas: Iterable[Any]) -> None:
        self.signature = signature
        self.symbols = [symbol for name, symbol in signature.symbols.items() if name in set(symbols) and name != "e"]
        self.constraints = _Constraints()
        for formula in formulas:
            self.constraints.read(formula)

    def allows(self, sizes: Mapping[str, int]) -> bool:
        """Are these sizes worth a try?"""
        return all(sizes[sort] == 1 for sort in self.constraints.single)

    def build(self, sizes: Mapping[str, int], choices: Choices) -> Model:
        """The model that these choices give.

        Raises:
            ImpossibleError: there is none.
        """
        return _Construction(self, sizes, choices).model()


class _Construction:
    def __init__(self, builder: Builder, sizes: Mapping[str, int], choices: Choices) -> None:
        self.signature = builder.signature
        self.needs = builder.constraints
        self.symbols = builder.symbols
        self.sizes = sizes
        self.choices = choices
        self.values: dict[str, dict[tuple[int, ...], Any]] = {}

    def model(self) -> Model:
        order = {"scalar": 0, "vector": 1, "operator": 2}
        for symbol in sorted(self.symbols, key=lambda s: order[s.type]):
            if symbol.type == "scalar":
                self.values[symbol.name] = {index: self._number(symbol) for index in self._range(symbol)}
        for symbol in self.symbols:
            if symbol.type == "vector":
                self.values[symbol.name] = self._vectors(symbol)
        self._fix_values()
        for symbol in self.symbols:
            if symbol.type == "operator":
                self._operator(symbol.name)
        for name, value in self.needs.bounds:
            self._raise_to(name, value)
        return self._snapshot()

    # --- scalars --------------------------------------------------------------------------------------------------

    def _number(self, symbol: Symbol) -> Fraction:
        values = {"real": REALS, "positive": POSITIVES, "nonnegative": NONNEGATIVES}[symbol.domain]
        value: Fraction = self.choices.of(values)
        return value

    def _fix_values(self) -> None:
        """Equations s = t: the value of t, if it can be had now."""
        for name, indices, term in self.needs.values:
            if name not in self.values:
                continue
            for index in self.values[name]:
                place = dict(zip(indices, index, strict=True))
                if free_indices(term) <= set(place):
                    value = self._evaluate(term, place)
                    if value is not None:
                        self.values[name][index] = value

    def _raise_to(self, name: str, term: Any) -> None:
        """A bound t <= s: s is the largest value of t, rounded up to sixteenths, or something larger."""
        if name not in self.values:
            return
        free = sorted(free_indices(term))
        sorts = [range(self.sizes[_SORTS[index[0]]]) for index in free]
        values = [self._evaluate(term, dict(zip(free, place, strict=True)), round_up=True) for place in product(*sorts)]
        known = [value for value in values if value is not None]
        if known and self.choices.draw(4) < 3:
            self.values[name][()] = max(known)

    def _evaluate(self, term: Any, place: Mapping[str, int], *, round_up: bool = False) -> Fraction | None:
        try:
            value = evaluate_scalar(self.signature, self._snapshot(), term, indices=place, precision=64)
        except EvaluationError:
            return None
        if isinstance(value, Fraction):
            return value
        if not round_up or not value.is_finite():
            return None
        upper = (value * 16).upper().ceil().unique_fmpz()
        return None if upper is None else Fraction(int(upper), 16)

    # --- vectors --------------------------------------------------------------------------------------------------

    def _vectors(self, symbol: Symbol) -> dict[tuple[int, ...], Any]:
        places = self._range(symbol)
        if symbol.name in self.needs.gram:
            return dict(zip(places, self._equiangular(symbol.name, len(places)), strict=True))
        if symbol.name in self.needs.unit:
            if self.choices.draw(4) == 3:
                return dict.fromkeys(places, self._unit_vector())
            return {place: self._unit_vector() for place in places}
        return {place: [self.choices.of(REALS) for _ in range(self.dimension)] for place in places}

    @property
    def dimension(self) -> int:
        return self.sizes["axis"]

    def _unit_vector(self) -> list[Fraction]:
        tangent = [self.choices.of(_STEREOGRAPHIC) for _ in range(self.dimension - 1)]
        square = sum((t * t for t in tangent), Fraction(0))
        vector = [(1 - square) / (1 + square), *(2 * t / (1 + square) for t in tangent)]
        if self.choices.draw(2) == 1:
            vector = [-entry for entry in vector]
        return vector

    def _equiangular(self, name: str, count: int) -> list[list[Fraction]]:
        """A family with equal inner products; sets the value of the inner product if that is a symbol."""
        target = self.needs.gram[name]
        symbol = target[1] if target[0] == "s" and not target[2] else None
        basis = self._orthonormal_basis()
        wanted = None if symbol is not None else self._evaluate(target, {})
        if wanted == 1 or (wanted is None and (self.dimension < count or self.choices.draw(8) == 7)):
            if count == 2 and wanted is None and self.dimension >= 2:
                family = [self._unit_vector(), self._unit_vector()]
            else:
                family = [self._unit_vector()] * count
        elif self.dimension < count:
            raise ImpossibleError("an equiangular family needs at least as many axes as tokens here")
        elif wanted == 0:
            family = basis[:count]
        elif wanted is None:
            slope = self.choices.of(_STEREOGRAPHIC)
            square = slope * slope + 2 * slope + count  # 0 for one token and slope -1
            shift = -(2 * slope + 2) / square if square else Fraction(0)
            scale = 1 + slope * shift
            mean = [sum((basis[i][a] for i in range(count)), Fraction(0)) for a in range(self.dimension)]
            family = [[scale * basis[i][a] + shift * mean[a] for a in range(self.dimension)] for i in range(count)]
        else:
            raise ImpossibleError(f"no rational family with the inner product {wanted} is known here")
        if symbol is not None and symbol in self.values and count > 1:
            self.values[symbol][()] = _dot(family[0], family[1])
        return family

    def _orthonormal_basis(self) -> Matrix:
        """A rational orthonormal basis; the standard one if all choices are 0."""
        rows = _identity(self.dimension)
        for first in range(self.dimension):
            for second in range(first + 1, self.dimension):
                t = self.choices.of(_HALF_ANGLES)
                cosine, sine = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
                p, q = rows[first], rows[second]
                rows[first] = [cosine * a + sine * b for a, b in zip(p, q, strict=True)]
                rows[second] = [cosine * b - sine * a for a, b in zip(p, q, strict=True)]
        return rows

    # --- operators ------------------------------------------------------------------------------------------------

    def _operator(self, name: str) -> dict[tuple[int, ...], Any]:
        if name in self.values:
            return self.values[name]
        symbol = self.signature.symbols[name]
        self.values[name] = {}  # a circle of equal operators ends here
        twins = [b if a == name else a for a, b in self.needs.same if name in (a, b)]
        known = next((self.values[twin] for twin in twins if self.values.get(twin)), None)
        self.values[name] = dict(known) if known is not None else self._new_operator(symbol, self._properties(name))
        return self.values[name]

    def _properties(self, name: str) -> Callable[[str], bool]:
        """What is demanded of an operator or of one that must be equal to it."""
        group, pending = {name}, [name]
        while pending:
            current = pending.pop()
            for pair in self.needs.same:
                if current in pair:
                    pending += [other for other in pair if other not in group]
                    group |= set(pair)
        self._group = group

        def has(relation: str) -> bool:
            return not group.isdisjoint(getattr(self.needs, relation))

        return has

    def _new_operator(self, symbol: Symbol, has: Callable[[str], bool]) -> dict[tuple[int, ...], Any]:
        places = self._range(symbol)
        if has("multiples_of_identity"):
            member = next(name for name in self._group if name in self.needs.multiples_of_identity)
            factors = self.values.get(self.needs.multiples_of_identity[member], {})
            if has("orthogonal"):
                for place in places[1:]:
                    factors[place] = Fraction(0)
            return {place: _scaled(factors.get(place, Fraction(0)), _identity(self.dimension)) for place in places}
        if has("scaled"):
            member = next(name for name in self._group if name in self.needs.scaled)
            term, projector = self.needs.scaled[member]
            factor = self._evaluate(term, {})
            if factor is None:
                raise ImpossibleError("the factor of a scaled operator is not rational here")
            if projector not in {s.name for s in self.symbols}:
                raise ImpossibleError(f"the operator {projector!r} is not reached")
            return {place: _scaled(factor, matrix) for place, matrix in self._operator(projector).items()}
        if has("orthogonal") or has("resolution"):
            return self._blocks(places, has)
        matrices: dict[tuple[int, ...], Any] = {}
        repeat = len(places) > 1 and self.choices.draw(6) == 5
        for place in places:
            matrices[place] = matrices[places[0]] if repeat and place != places[0] else self._matrix(has)
        return matrices

    def _matrix(self, has: Callable[[str], bool]) -> Matrix:
        size = self.dimension
        if has("projector"):
            chosen = [vector for vector in self._orthonormal_basis() if self.choices.draw(2) == 0]
            return [[sum((v[a] * v[b] for v in chosen), Fraction(0)) for b in range(size)] for a in range(size)]
        rows = [[self.choices.of(REALS) for _ in range(size)] for _ in range(size)]
        if has("symmetric"):
            rows = [[rows[min(a, b)][max(a, b)] for b in range(size)] for a in range(size)]
        return rows

    def _blocks(self, places: Sequence[tuple[int, ...]], has: Callable[[str], bool]) -> dict[tuple[int, ...], Any]:
        """Operators on separate groups of axes of one basis, so that their products vanish."""
        size = self.dimension
        if not has("orthogonal") and not (has("projector") and has("resolution")):
            raise ImpossibleError("a resolution whose operators overlap is not built")
        orthonormal = has("symmetric") or has("projector")
        basis = self._orthonormal_basis() if orthonormal else self._basis()
        dual = basis if orthonormal else _inverse_transpose(basis)
        owner = [(axis + self.choices.draw(len(places))) % len(places) for axis in range(size)]
        matrices = {}
        for number, place in enumerate(places):
            own = [axis for axis in range(size) if owner[axis] == number]
            block: dict[tuple[int, int], Fraction] = {}
            for p, q in product(own, own):
                if has("projector") or has("resolution"):
                    entry = Fraction(1 if p == q else 0)
                    if has("projector") and not has("resolution") and p == q and self.choices.draw(4) == 3:
                        entry = Fraction(0)
                else:
                    entry = block[q, p] if has("symmetric") and q < p else self.choices.of(REALS)
                block[p, q] = entry
            matrices[place] = [
                [sum((v * basis[p][a] * dual[q][b] for (p, q), v in block.items()), Fraction(0)) for b in range(size)]
                for a in range(size)
            ]
        return matrices

    def _basis(self) -> Matrix:
        """A basis, not orthogonal in general: unit triangular rows."""
        size = self.dimension
        return [
            [Fraction(1) if a == b else (self.choices.of(REALS) if b > a else Fraction(0)) for b in range(size)]
            for a in range(size)
        ]

    # --- the result -----------------------------------------------------------------------------------------------

    def _range(self, symbol: Symbol) -> list[tuple[int, ...]]:
        return list(product(*(range(self.sizes[sort]) for sort in symbol.indices)))

    def _snapshot(self) -> Model:
        parts: dict[str, dict[str, Any]] = {"scalar": {}, "vector": {}, "operator": {}}
        for name, values in self.values.items():
            symbol = self.signature.symbols[name]
            if values:
                parts[symbol.type][name] = _nested(values, [self.sizes[sort] for sort in symbol.indices])
        return Model(dict(self.sizes), parts["scalar"], parts["vector"], parts["operator"])


_SORTS = {"i": "token", "j": "token", "k": "token", "l": "token", "g": "head", "h": "head", "a": "axis"}


def _nested(values: Mapping[tuple[int, ...], Any], shape: Sequence[int], place: tuple[int, ...] = ()) -> Nested:
    if len(place) == len(shape):
        value: Nested = values[place]
        return value
    return tuple(_nested(values, shape, (*place, k)) for k in range(shape[len(place)]))


def _dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def _identity(size: int) -> Matrix:
    return [[Fraction(int(a == b)) for b in range(size)] for a in range(size)]


def _scaled(factor: Fraction, matrix: Matrix) -> Matrix:
    return [[factor * entry for entry in row] for row in matrix]


def _inverse_transpose(upper: Matrix) -> Matrix:
    """The dual basis of unit upper triangular rows: <basis_p, dual_q> = delta_pq."""
    size = len(upper)
    inverse = _identity(size)
    for row in reversed(range(size)):
        for column in range(row + 1, size):
            factor = upper[row][column]
            inverse[row] = [a - factor * b for a, b in zip(inverse[row], inverse[column], strict=True)]
    return [[inverse[a][b] for a in range(size)] for b in range(size)]
