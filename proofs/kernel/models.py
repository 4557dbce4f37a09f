"""Concrete models and the names they give a value to (`docs/kernel.md`, sections 2 and 6).

A `Signature` indexes the definition objects of a setting; a `Model` gives every declared symbol a rational value.
Nothing here trusts its input: a wrong shape or a value outside a declared domain is refused with the name of the
culprit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from antumbra.proofs.kernel.arithmetic import EvaluationError

SORTS = ("token", "head", "axis")
_LETTERS = {"i": "token", "j": "token", "k": "token", "l": "token", "g": "head", "h": "head", "a": "axis"}
_INDEX = re.compile(r"[ijklgha][0-9]*", re.ASCII)
_RATIONAL = re.compile(r"(-?(?:0|[1-9a-f][0-9a-f]*))(?:/([1-9a-f][0-9a-f]*))?", re.ASCII)

Nested: TypeAlias = "Fraction | tuple[Nested, ...]"
"""A rational, or a tuple with one level per index (then one for a vector, two for an operator)."""


def sort_of(index: object) -> str:
    """The sort of an index, by its first letter.

    Raises:
        EvaluationError: it is not an index.
    """
    if not isinstance(index, str) or not _INDEX.fullmatch(index):
        raise EvaluationError(f"{index!r} is not an index: write i j k l (token), g h (head) or a (axis), then digits")
    return _LETTERS[index[0]]


def freeze(term: Any) -> Any:
    """The term with tuples in place of lists."""
    return tuple(freeze(part) for part in term) if isinstance(term, list | tuple) else term


# --- the setting --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Symbol:
    """A declared symbol: `type` is scalar, vector or operator, `indices` are sorts."""

    name: str
    type: str
    indices: tuple[str, ...]
    domain: str


@dataclass(frozen=True)
class Definition:
    """A defined scalar or vector; `indices` and `parameters` are the names its body uses."""

    name: str
    type: str
    indices: tuple[str, ...]
    parameters: tuple[str, ...]
    body: Any


@dataclass(frozen=True)
class Move:
    """The velocity of one symbol along a flow, in terms of the names of its indices."""

    indices: tuple[str, ...]
    velocity: Any


@dataclass(frozen=True)
class Signature:
    """The definition objects of a setting by name.

    Build it once with `Signature.of` and hand it to the evaluator in place of the list.
    """

    objects: tuple[Mapping[str, Any], ...]
    symbols: Mapping[str, Symbol]
    definitions: Mapping[str, Definition]
    flows: Mapping[str, Mapping[str, Move]]
    hypotheses: Mapping[str, Any]
    _reach: dict[str, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def of(setting: Signature | Iterable[Mapping[str, Any]]) -> Signature:
        """The signature of a list of definition objects.

        Raises:
            EvaluationError: an object of another shape than `docs/kernel.md` section 2, or a name declared twice.
        """
        if isinstance(setting, Signature):
            return setting
        objects = tuple(setting)
        symbols: dict[str, Symbol] = {}
        definitions: dict[str, Definition] = {}
        flows: dict[str, dict[str, Move]] = {}
        hypotheses: dict[str, Any] = {}
        tables: dict[str, Mapping[str, Any]] = {
            "symbol": symbols,
            "define": definitions,
            "flow": flows,
            "hypothesis": hypotheses,
        }
        for entry in objects:
            kind = next((key for key in tables if key in entry), None)
            if kind is None:
                raise EvaluationError(f"the definition object {entry!r} is none of symbol, define, flow, hypothesis")
            name = entry[kind]
            if name in tables[kind] or (kind in ("symbol", "define") and (name in symbols or name in definitions)):
                raise EvaluationError(f"the name {name!r} is declared twice")
            try:
                if kind == "symbol":
                    symbols[name] = Symbol(name, entry["type"], tuple(entry["indices"]), entry["domain"])
                elif kind == "define":
                    indices, parameters = tuple(entry["indices"]), tuple(entry["parameters"])
                    definitions[name] = Definition(name, entry["type"], indices, parameters, freeze(entry["body"]))
                elif kind == "flow":
                    flows[name] = {
                        move["symbol"]: Move(tuple(move["indices"]), freeze(move["velocity"]))
                        for move in entry["moves"]
                    }
                    if len(flows[name]) != len(entry["moves"]):
                        raise EvaluationError(f"the flow {name!r} moves a symbol twice")
                else:
                    hypotheses[name] = freeze(entry["formula"])
            except KeyError as missing:
                raise EvaluationError(f"the {kind} {name!r} has no {missing}") from None
        return Signature(objects, symbols, definitions, flows, hypotheses)

    def reach(self, name: str) -> frozenset[str]:
        """The names that a definition or flow reaches through bodies and velocities, itself among them."""
        known = self._reach.get(name)
        if known is None:
            found = {name}
            if name in self.definitions:
                found |= self.names_in(self.definitions[name].body)
            for symbol, move in self.flows.get(name, {}).items():
                found |= {symbol} | self.names_in(move.velocity)
            known = self._reach[name] = frozenset(found)
        return known

    def names_in(self, term: Any) -> frozenset[str]:
        """The symbols, definitions and flows that a term or formula reaches."""
        found: set[str] = set()
        pending = [freeze(term)]
        while pending:
            part = pending.pop()
            if isinstance(part, tuple):
                pending.extend(part)
            elif isinstance(part, str) and part not in found and self._declares(part):
                # A tag or an index spelled like a symbol only makes the answer larger, which is harmless.
                found |= self.reach(part) if part in self.definitions or part in self.flows else {part}
        return frozenset(found)

    def _declares(self, name: str) -> bool:
        return name in self.symbols or name in self.definitions or name in self.flows


# --- models -------------------------------------------------------------------------------------------------------


def parse_rational(text: object) -> Fraction:
    """The rational written in hexadecimal as "p" or "p/r", in lowest terms, r > 1.

    Raises:
        EvaluationError: it is not written so.
    """
    match = _RATIONAL.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise EvaluationError(f'{text!r} is not a rational: write "p" or "p/r" in hexadecimal')
    numerator, denominator = int(match[1], 16), int(match[2] or "1", 16)
    value = Fraction(numerator, denominator)
    if write_rational(value) != text:
        raise EvaluationError(f"{text!r} is not in lowest terms: write {write_rational(value)!r}")
    return value


def write_rational(value: Fraction) -> str:
    """The rational as `parse_rational` reads it."""
    top = format(value.numerator, "x")
    return top if value.denominator == 1 else f"{top}/{value.denominator:x}"


def nest(value: Any) -> Nested:
    """Nested lists of integers and fractions as nested tuples of fractions."""
    if isinstance(value, list | tuple):
        return tuple(nest(part) for part in value)
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise EvaluationError(f"{value!r} is not a rational: give an integer or a Fraction")
    return Fraction(value)


def _to_json(value: Nested) -> Any:
    return [_to_json(part) for part in value] if isinstance(value, tuple) else write_rational(value)


def _from_json(value: Any) -> Nested:
    return tuple(_from_json(part) for part in value) if isinstance(value, list | tuple) else parse_rational(value)


@dataclass(frozen=True)
class Model:
    """Sizes and rational values of the symbols.

    Args:
        sizes: number of indices of each sort token, head, axis; at least 1.
        scalars, vectors, operators: value by name, nested lists or tuples of integers and `Fraction`, kept as nested
            tuples of `Fraction`; one level per index, then d coordinates of a vector or d rows of d entries.
    """

    sizes: Mapping[str, int]
    scalars: Mapping[str, Any] = field(default_factory=dict)
    vectors: Mapping[str, Any] = field(default_factory=dict)
    operators: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if set(self.sizes) != set(SORTS):
            raise EvaluationError(f"a model has sizes for exactly {', '.join(SORTS)}; given: {sorted(self.sizes)}")
        for sort, size in self.sizes.items():
            if type(size) is not int or size < 1:
                raise EvaluationError(f"the size of {sort} must be an integer >= 1; given: {size!r}")
        for part in ("scalars", "vectors", "operators"):
            object.__setattr__(self, part, {name: nest(value) for name, value in getattr(self, part).items()})

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Model:
        """The model written as in `docs/kernel.md` section 6.

        Raises:
            EvaluationError: unknown or missing keys, or a value that is not written so.
        """
        if set(data) != {"sizes", "scalars", "vectors", "operators"}:
            raise EvaluationError(f"a model has the keys sizes, scalars, vectors, operators; given: {sorted(data)}")
        parts = {
            part: {name: _from_json(value) for name, value in data[part].items()}
            for part in ("scalars", "vectors", "operators")
        }
        return Model(dict(data["sizes"]), **parts)

    def to_json(self) -> dict[str, Any]:
        """The model as JSON data."""
        return {
            "sizes": dict(self.sizes),
            "scalars": {name: _to_json(value) for name, value in self.scalars.items()},
            "vectors": {name: _to_json(value) for name, value in self.vectors.items()},
            "operators": {name: _to_json(value) for name, value in self.operators.items()},
        }

    def restricted(self, names: Iterable[str]) -> Model:
        """The same model, with the values of these names only."""
        keep = set(names)

        def chosen(part: Mapping[str, Nested]) -> dict[str, Nested]:
            return {name: value for name, value in part.items() if name in keep}

        return Model(dict(self.sizes), chosen(self.scalars), chosen(self.vectors), chosen(self.operators))

    def value(self, symbol: Symbol) -> Nested:
        """The value of a declared symbol.

        Raises:
            EvaluationError: the model has none.
        """
        part = {"scalar": self.scalars, "vector": self.vectors, "operator": self.operators}[symbol.type]
        try:
            value: Nested = part[symbol.name]
        except KeyError:
            raise EvaluationError(f"the model has no value for the {symbol.type} {symbol.name!r}") from None
        return value

    def check(self, signature: Signature) -> None:
        """Shapes and declared domains of everything the model holds.

        Raises:
            EvaluationError: a name that is not declared, a value of another shape, or one outside its domain.
        """
        for kind, part in (("scalar", self.scalars), ("vector", self.vectors), ("operator", self.operators)):
            for name, value in part.items():
                symbol = signature.symbols.get(name)
                if symbol is None or symbol.type != kind or name == "e":
                    raise EvaluationError(f"the model gives a value to {name!r}, which is not a declared {kind}")
                shape = [self.sizes[sort] for sort in symbol.indices]
                shape += [self.sizes["axis"]] * {"scalar": 0, "vector": 1, "operator": 2}[kind]
                _check_shape(name, value, shape)
                for entry in leaves(value):
                    if (symbol.domain == "positive" and entry <= 0) or (symbol.domain == "nonnegative" and entry < 0):
                        raise EvaluationError(
                            f"{name!r} is declared {symbol.domain}, but the model has the value {entry}"
                        )


def leaves(value: Nested) -> list[Fraction]:
    """All entries, in order."""
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, tuple) else [value]


def _check_shape(name: str, value: Nested, shape: Sequence[int]) -> None:
    if not shape:
        if isinstance(value, tuple):
            raise EvaluationError(f"the value of {name!r} has too many levels")
        return
    if not isinstance(value, tuple) or len(value) != shape[0]:
        raise EvaluationError(f"the value of {name!r} must have {shape[0]} entries at this level")
    for part in value:
        _check_shape(name, part, shape[1:])
