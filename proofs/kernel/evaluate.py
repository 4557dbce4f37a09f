"""What a raw term or formula means at a concrete model (`docs/kernel.md`, sections 1, 2 and 6).

The referee of both normal forms. It reads terms as nested tuples or lists, shares nothing with the rules, and never
rewrites: sums are added up, operators are matrices, `rate` is a dual number along the flow. Values stay exact
rationals as long as possible, then become balls. How terms get their values is in `denotation.py`.

    >>> setting = [{"symbol": "s", "type": "scalar", "indices": [], "domain": "real", "text": ""}]
    >>> model = Model({"token": 2, "head": 1, "axis": 1}, {"s": Fraction(1, 2)})
    >>> evaluate_scalar(setting, model, ["sum", "i", [], ["s", "s", []]])
    Fraction(1, 1)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from antumbra.proofs.kernel import arithmetic
from antumbra.proofs.kernel.arithmetic import (
    ONE,
    ZERO,
    EvaluationError,
    Number,
    UndecidedError,
    UndefinedError,
    dot,
    fraction,
    multiply,
)
from antumbra.proofs.kernel.denotation import Denotation, Environment, demand_arity, free_indices, tag_of, unit_vector
from antumbra.proofs.kernel.exponentials import Exponential, balls_only
from antumbra.proofs.kernel.models import Model, Signature, freeze, sort_of
from flint import arb, ctx, fmpq

__all__ = [
    "EvaluationError",
    "Evaluator",
    "Model",
    "Signature",
    "UndecidedError",
    "UndefinedError",
    "evaluate_formula",
    "evaluate_scalar",
    "evaluate_vector",
    "free_indices",
]

FIRST_PRECISION = 64
LAST_PRECISION = 1024

Setting: TypeAlias = Signature | Iterable[Mapping[str, Any]]

_MIRRORED = {"le": "ge", "lt": "gt"}


def evaluate_scalar(
    setting: Setting, model: Model, term: Any, *, indices: Mapping[str, int] | None = None, precision: int = 128
) -> Fraction | arb:
    """The value of a scalar term: exact if every step was rational, else a ball that contains it.

    Args:
        setting: the definition objects, or a `Signature` of them.
        model: values of the symbols that the term reaches.
        term: raw scalar term.
        indices: value of each free index of the term, from 0.
        precision: bits of the balls. A ball that is not finite says that the value is not known.

    Raises:
        EvaluationError: malformed term, or a name without a value.
        UndefinedError: a derivative that does not exist at this model.
        UndecidedError: a construct that cannot be enclosed (a `root` that cannot be isolated, the derivative of an
        operator norm).
    """
    with ctx.workprec(precision):
        return _answer(Evaluator(Signature.of(setting), model).scalar(freeze(term), Environment(dict(indices or {}))))


def evaluate_vector(
    setting: Setting, model: Model, term: Any, *, indices: Mapping[str, int] | None = None, precision: int = 128
) -> tuple[Fraction | arb, ...]:
    """The coordinates of a vector term; as `evaluate_scalar`."""
    with ctx.workprec(precision):
        vector = Evaluator(Signature.of(setting), model).vector(freeze(term), Environment(dict(indices or {})))
        return tuple(_answer(entry) for entry in vector)


def evaluate_formula(
    setting: Setting,
    model: Model,
    formula: Any,
    *,
    indices: Mapping[str, int] | None = None,
    last_precision: int = LAST_PRECISION,
) -> bool | None:
    """Does the formula hold? `None` if that is not decided.

    Free indices without a value in `indices` are read as "for all". Comparisons are decided exactly for rationals,
    else by balls whose precision is doubled until they separate; an equation of two irrational values is never found
    true unless both sides are the same term.

    Raises:
        EvaluationError: malformed formula, or a name without a value.
    """
    signature, formula = Signature.of(setting), freeze(formula)
    evaluator = Evaluator(signature, model)
    with ctx.workprec(FIRST_PRECISION), balls_only():
        result = evaluator.closed(formula, dict(indices or {}))
    if result is not None or not evaluator.blurred:
        return result
    precision = FIRST_PRECISION
    while True:
        evaluator = Evaluator(signature, model)
        with ctx.workprec(precision):
            result = evaluator.closed(formula, dict(indices or {}))
        if result is not None or not evaluator.blurred or precision >= last_precision:
            return result
        precision *= 2


def _answer(value: Number) -> Fraction | arb:
    if isinstance(value, fmpq):
        return fraction(value)
    if isinstance(value, Exponential):
        return value.ball()
    if isinstance(value, arb):
        return value
    raise EvaluationError(f"a value of kind {type(value).__name__} is left over; this is a defect of the evaluator")


class Evaluator(Denotation):
    """Truth of formulas at one model and the current precision: true, false, or open."""

    # --- formulas -------------------------------------------------------------------------------------------------

    def closed(self, formula: Any, indices: Mapping[str, int]) -> bool | None:
        """Does the formula hold for all values of its free indices that have none?"""
        free = sorted(free_indices(formula) - set(indices))
        ranges = [range(self.size(sort_of(index))) for index in free]
        return _all_of(
            self.formula(formula, Environment({**indices, **dict(zip(free, values, strict=True))}))
            for values in itertools.product(*ranges)
        )

    def formula(self, formula: Any, env: Environment) -> bool | None:
        """Does the formula hold? A term without a value leaves it open."""
        tag = tag_of(formula)
        match tag:
            case "eq" | "ne" | "ge" | "gt" | "le" | "lt":
                demand_arity(formula, 3)
                return self._try(lambda: self._compare(tag, formula[1], formula[2], env))
            case "veq":
                demand_arity(formula, 3)
                return self._try(lambda: self._equal_vectors(formula[1], formula[2], env))
            case "and":
                return _all_of(self.formula(part, env) for part in formula[1:])
            case "or":
                return _any_of(self.formula(part, env) for part in formula[1:])
            case "implies":
                demand_arity(formula, 3)
                return _any_of(
                    (_not(self.formula(formula[1], env)) if k == 0 else self.formula(formula[2], env)) for k in (0, 1)
                )
            case "iff":
                demand_arity(formula, 3)
                left, right = self.formula(formula[1], env), self.formula(formula[2], env)
                return None if left is None or right is None else left == right
            case "all":
                return _all_of(self.formula(formula[3], inner) for inner in self.runs(formula, env))
            case "distinct":
                return not self.same_index(formula, env)
            case "forall" | "exists" | "forallv":
                # Decided only when the variable does not matter.
                demand_arity(formula, 3)
                occurs = formula[1] in self.signature.names_in(formula[2])
                return None if occurs else self.formula(formula[2], env)
            case "dissipates" | "decays":
                # Statements about whole solutions, which no point decides.
                demand_arity(formula, 4 if tag == "dissipates" else 5)
                return None
            case "unique":
                demand_arity(formula, 5)
                return self._try(lambda: self._unique(formula, env))
            case _:
                return self._try(lambda: self._relation(formula, env))

    def _try(self, decide: Callable[[], bool | None]) -> bool | None:
        try:
            return decide()
        except (UndefinedError, UndecidedError):
            return None

    def _unique(self, formula: Any, env: Environment) -> bool | None:
        count = self.zeros(formula[1], formula[4], formula[2], formula[3], env).count
        self.blurred |= count is None
        return None if count is None else count == 1

    def _compare(self, tag: str, left: Any, right: Any, env: Environment) -> bool | None:
        if tag in _MIRRORED:
            tag, left, right = _MIRRORED[tag], right, left
        if left == right:
            return tag in ("eq", "ge")
        return self._sign_is(tag, arithmetic.subtract(self.scalar(left, env), self.scalar(right, env)))

    def _sign_is(self, tag: str, difference: Number) -> bool | None:
        """Is the difference = 0, != 0, >= 0 or > 0?"""
        if isinstance(difference, fmpq):
            answers = {
                "eq": difference == ZERO,
                "ne": difference != ZERO,
                "ge": difference >= ZERO,
                "gt": difference > ZERO,
            }
            return bool(answers[tag])
        if isinstance(difference, Exponential):
            return {"eq": False, "ne": True}.get(tag, difference.sign() > 0)
        if not isinstance(difference, arb):
            raise EvaluationError("a comparison may not stand inside a derivative or an integral")
        sign = 1 if difference > 0 else (-1 if difference < 0 else None)
        if sign is None:
            if tag == "ge" and difference >= 0:
                return True
            if tag == "gt" and difference <= 0:
                return False
            self.blurred = True
            return None
        return {"eq": False, "ne": True, "ge": sign > 0, "gt": sign > 0}[tag]

    def _equal_vectors(self, left: Any, right: Any, env: Environment) -> bool | None:
        if left == right:
            return True
        return self._all_equal(self.vector(left, env), self.vector(right, env))

    def _all_equal(self, left: Iterable[Number], right: Iterable[Number]) -> bool | None:
        return _all_of(self._sign_is("eq", arithmetic.subtract(a, b)) for a, b in zip(left, right, strict=True))

    # --- relations ------------------------------------------------------------------------------------------------

    def _relation(self, formula: Any, env: Environment) -> bool | None:
        match formula:
            case ("unit", name):
                return _all_of(self._all_equal([dot(u, u)], [ONE]) for u in self._family(name, "vector", env))
            case ("symmetric", name):
                return all(_transpose(m) == m for m in self._family(name, "operator", env))
            case ("same_operator", first, second):
                one, other = self._family(first, "operator", env), self._family(second, "operator", env)
                if self.operator(first).indices != self.operator(second).indices:
                    raise EvaluationError(f"{first!r} and {second!r} have different indices")
                return one == other
            case ("orthogonal_operators", name):
                family = self._by_head(name, env)
                return all(_is_zero_matrix(_matrix_product(m, k)) for m, k in itertools.permutations(family, 2))
            case ("scalar_operator", name, factor):
                if self.signature.symbols[factor].indices != self.operator(name).indices:
                    raise EvaluationError(f"{name!r} and {factor!r} have different indices")
                pairs = zip(self._family(name, "operator", env), self._family(factor, "scalar", env), strict=True)
                return all(_flat(m) == _flat(_multiple(value, _identity(len(m)))) for m, value in pairs)
            case ("scaled_operator", name, factor, projector):
                if self.operator(name).indices != self.operator(projector).indices:
                    raise EvaluationError(f"{name!r} and {projector!r} have different indices")
                value = self.scalar(factor, Environment())
                pairs = zip(self._family(name, "operator", env), self._family(projector, "operator", env), strict=True)
                return _all_of(self._all_equal(_flat(m), _flat(_multiple(value, p))) for m, p in pairs)
            case ("projector", name):
                family = self._family(name, "operator", env)
                return all(_transpose(p) == p and _flat(_matrix_product(p, p)) == _flat(p) for p in family)
            case ("resolution", name):
                entries = [arithmetic.total(entry) for entry in zip(*map(_flat, self._by_head(name, env)), strict=True)]
                return entries == _flat(_identity(self.size("axis")))
            case ("gram", name, value):
                return self._gram(name, self.scalar(value, Environment()), env)
            case ("single", sort):
                return self.size(sort) == 1
        raise EvaluationError(f"{formula!r} is not a formula: unknown tag or wrong number of entries")

    def _gram(self, name: str, value: Number, env: Environment) -> bool | None:
        if self.signature.symbols[name].indices != ("token",):
            raise EvaluationError(f"gram needs a vector with one token index; given: {name!r}")
        family = self._family(name, "vector", env)
        return _all_of(
            self._all_equal([dot(u, v)], [ONE if i == j else value])
            for (i, u), (j, v) in itertools.combinations_with_replacement(enumerate(family), 2)
        )

    def _family(self, name: str, kind: str, env: Environment) -> list[Any]:
        """The values of a symbol at all of its indices."""
        symbol = self.signature.symbols.get(name)
        if symbol is None or symbol.type != kind:
            raise EvaluationError(f"{name!r} is not a declared {kind}")
        if env.flows:
            raise EvaluationError("a relation may not stand inside a derivative")
        ranges = [range(self.size(sort)) for sort in symbol.indices]
        return [
            self.leaf(symbol, indices) if kind == "operator" else self.moving(name, indices, symbol, env, 0)
            for indices in itertools.product(*ranges)
        ]

    def _by_head(self, name: str, env: Environment) -> list[Any]:
        if self.operator(name).indices != ("head",):
            raise EvaluationError(f"this relation needs an operator with one head index; given: {name!r}")
        return self._family(name, "operator", env)


# --- matrices and truth values --------------------------------------------------------------------------------------


def _identity(size: int) -> Any:
    return tuple(unit_vector(size, axis) for axis in range(size))


def _transpose(matrix: Any) -> Any:
    return tuple(zip(*matrix, strict=True))


def _matrix_product(a: Any, b: Any) -> Any:
    columns = _transpose(b)
    return tuple(tuple(dot(row, column) for column in columns) for row in a)


def _multiple(factor: Number, matrix: Any) -> Any:
    return tuple(tuple(multiply(factor, entry) for entry in row) for row in matrix)


def _flat(matrix: Any) -> list[Any]:
    return [entry for row in matrix for entry in row]


def _is_zero_matrix(matrix: Any) -> bool:
    return all(entry == ZERO for entry in _flat(matrix))


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all_of(values: Iterable[bool | None]) -> bool | None:
    """True if all are, false as soon as one is, else open."""
    result: bool | None = True
    for value in values:
        if value is False:
            return False
        if value is None:
            result = None
    return result


def _any_of(values: Iterable[bool | None]) -> bool | None:
    return _not(_all_of(_not(value) for value in values))
