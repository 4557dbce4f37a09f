"""Values of scalar and vector terms at a concrete model (`docs/kernel.md`, sections 1 and 2).

A bound scalar symbol (parameter of a definition, variable of `int`, `root`, `forall`) means: the model in which the
symbol has that value. Definitions and velocities inside see it; a velocity does not see what is bound inside of its
own `rate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, cast

from antumbra.proofs.kernel import arithmetic
from antumbra.proofs.kernel.arithmetic import (
    ONE,
    ZERO,
    Dual,
    EvaluationError,
    Number,
    UndecidedError,
    dot,
    multiply,
    rational,
)
from antumbra.proofs.kernel.enclosures import Zeros, operator_norm, zeros
from antumbra.proofs.kernel.exponentials import Exponential
from antumbra.proofs.kernel.models import Model, Nested, Signature, Symbol, sort_of
from antumbra.proofs.kernel.rays import Ray
from flint import acb, arb, fmpq

INTEGRAND_LIMIT = 5000  # evaluations for one integral

Vector: TypeAlias = tuple[Number, ...]
Value: TypeAlias = Number | Vector


@dataclass(frozen=True, eq=False)
class Binding:
    """A symbol with a value of its own, made inside `depth` derivatives."""

    name: str
    value: Value
    depth: int

    def key(self) -> Any:
        """What a memo may compare; the binding itself when its value is not exact."""
        return (self.name, self.value, self.depth) if isinstance(self.value, fmpq) else self


@dataclass(frozen=True)
class Environment:
    """Values of indices, bound symbols (latest last) and the flows whose derivative is taken (outermost first)."""

    indices: Mapping[str, int] = field(default_factory=dict)
    bound: tuple[Binding, ...] = ()
    flows: tuple[str, ...] = ()

    def at(self, name: str, index: int) -> Environment:
        """The same with an index given a value."""
        return replace(self, indices={**self.indices, name: index})

    def bind(self, name: str, value: Value) -> Environment:
        """The same with a symbol given a value of its own."""
        return replace(self, bound=(*self.bound, Binding(name, value, len(self.flows))))

    def outside(self, depth: int, indices: Mapping[str, int]) -> Environment:
        """What a velocity sees: the outer `depth` derivatives and what was bound inside no more than them."""
        return Environment(indices, tuple(b for b in self.bound if b.depth <= depth), self.flows[:depth])


class Denotation:
    """Values of terms at one model and the current precision; remembers definitions by name, indices and what they see.

    `blurred` becomes true when a comparison was left open by the width of a ball, so that more precision may decide it.
    """

    def __init__(self, signature: Signature, model: Model) -> None:
        self.signature = signature
        self.model = model
        self.blurred = False
        self._memo: dict[Any, Value] = {}
        self._leaves: dict[Any, Any] = {}
        self._scalar_rules: dict[str, Callable[[Any, Environment], Number]] = {
            "q": self._constant,
            "pi": lambda _term, _env: arb.pi(),
            "size": lambda term, _env: rational(self.size(term[1])),
            "s": self._symbol,
            "+": lambda term, env: arithmetic.total([self.scalar(part, env) for part in term[1:]]),
            "*": self._product,
            "^": self._power,
            "fn": self._named_function,
            "sum": self._sum,
            "ip": lambda term, env: dot(self.vector(term[1], env), self.vector(term[2], env)),
            "norm": self._norm,
            "opnorm": self._operator_norm,
            "delta": lambda term, env: ONE if self.same_index(term, env) else ZERO,
            "def": lambda term, env: cast("Number", self._defined(term, env, "scalar")),
            "rate": self._rate,
            "int": self._integral,
            "root": self._root,
        }
        self._vector_rules: dict[str, Callable[[Any, Environment], Vector]] = {
            "vec": self._vector_symbol,
            "v0": lambda _term, _env: (ZERO,) * self.size("axis"),
            "vadd": lambda term, env: self._add_up([self.vector(part, env) for part in term[1:]]),
            "vmul": self._scaled,
            "vsum": lambda term, env: self._add_up([self.vector(term[3], inner) for inner in self.runs(term, env)]),
            "op": lambda term, env: self._applied(term, env, transposed=False),
            "opT": lambda term, env: self._applied(term, env, transposed=True),
            "vdef": lambda term, env: cast("Vector", self._defined(term, env, "vector")),
        }

    # --- scalars --------------------------------------------------------------------------------------------------

    def scalar(self, term: Any, env: Environment) -> Number:
        """The value of a scalar term."""
        tag = tag_of(term)
        function = arithmetic.FUNCTIONS.get(tag)
        if function is not None:
            demand_arity(term, 2)
            return function(self.scalar(term[1], env))
        rule = self._scalar_rules.get(tag)
        if rule is None:
            raise EvaluationError(f"{tag!r} is not the tag of a scalar term")
        if tag in _ARITY:
            demand_arity(term, _ARITY[tag])
        return rule(term, env)

    def _constant(self, term: Any, _env: Environment) -> Number:
        return _rational(term[1], term[2])

    def size(self, sort: str) -> int:
        """How many indices a sort has."""
        if sort not in self.model.sizes:
            raise EvaluationError(f"{sort!r} is not a sort; allowed: {', '.join(self.model.sizes)}")
        return self.model.sizes[sort]

    def _product(self, term: Any, env: Environment) -> Number:
        result: Number = ONE
        for part in term[1:]:
            result = multiply(result, self.scalar(part, env))
        return result

    def _power(self, term: Any, env: Environment) -> Number:
        exponent = term[2]
        if isinstance(exponent, bool) or not isinstance(exponent, int) or not 0 <= exponent <= 64:
            raise EvaluationError(f"the exponent {exponent!r} must be an integer from 0 to 64")
        return arithmetic.power(self.scalar(term[1], env), exponent)

    def _named_function(self, term: Any, env: Environment) -> Number:
        function = arithmetic.NAMED_FUNCTIONS.get(term[1])
        if function is None:
            raise EvaluationError(f"{term[1]!r} is not a function; allowed: {', '.join(arithmetic.NAMED_FUNCTIONS)}")
        return function(self.scalar(term[2], env))

    def _sum(self, term: Any, env: Environment) -> Number:
        return arithmetic.total([self.scalar(term[3], inner) for inner in self.runs(term, env)])

    def runs(self, term: Any, env: Environment) -> Iterator[Environment]:
        """The environments over which a sum or `all` runs."""
        demand_arity(term, 4)
        index, excluded = term[1], {self._index(name, env) for name in term[2]}
        if any(sort_of(name) != sort_of(index) for name in term[2]):
            raise EvaluationError(f"the indices {term[2]!r} excluded from {index!r} must have its sort")
        return (env.at(index, value) for value in range(self.size(sort_of(index))) if value not in excluded)

    def _index(self, name: str, env: Environment) -> int:
        sort_of(name)
        if name not in env.indices:
            raise EvaluationError(f"the index {name!r} has no value here")
        return env.indices[name]

    def same_index(self, term: Any, env: Environment) -> bool:
        """Are the two indices of a delta or `distinct` the same?"""
        if sort_of(term[1]) != sort_of(term[2]):
            raise EvaluationError(f"{term[1]!r} and {term[2]!r} have different sorts")
        return self._index(term[1], env) == self._index(term[2], env)

    def _norm(self, term: Any, env: Environment) -> Number:
        vector = self.vector(term[1], env)
        return arithmetic.square_root(dot(vector, vector))

    def _operator_norm(self, term: Any, env: Environment) -> Number:
        size = self.size("axis")
        columns = [self.vector(term[2], env.bind(term[1], unit_vector(size, axis))) for axis in range(size)]
        return operator_norm(columns)

    def _rate(self, term: Any, env: Environment) -> Number:
        if term[1] not in self.signature.flows:
            raise EvaluationError(f"{term[1]!r} is not a declared flow")
        inner = replace(env, flows=(*env.flows, term[1]))
        value = self.scalar(term[2], inner)
        return value.slope if isinstance(value, Dual) and value.level == len(inner.flows) else ZERO

    # --- one variable ---------------------------------------------------------------------------------------------

    def _integral(self, term: Any, env: Environment) -> Number:
        _, name, low_term, high_term, body = term
        low, high = self.scalar(low_term, env), self.scalar(high_term, env)

        def integrand(x: Number) -> Number:
            return self.scalar(body, env.bind(name, x))

        return _integrate(integrand, low, high, len(env.flows))

    def zeros(self, name: str, body: Any, low: Any, high: Any, env: Environment) -> Zeros:
        """The zeros of a body in an open interval; the body is evaluated with its slope in the variable."""
        ends: list[fmpq | arb | None] = []
        for end in (low, high):
            value = None if end == ("inf",) else self.scalar(end, env)
            if isinstance(value, Dual | acb | Ray):
                raise UndecidedError("the ends of the interval of a zero may not move")
            ends.append(value.ball() if isinstance(value, Exponential) else value)
        level = len(env.flows) + 1

        def function(x: fmpq | arb | Ray) -> tuple[fmpq | arb | Ray, fmpq | arb | Ray]:
            value = self.scalar(body, replace(env.bind(name, Dual(level, x, ONE)), flows=env.flows))
            value, slope = (
                (value.value, value.slope) if isinstance(value, Dual) and value.level == level else (value, ZERO)
            )
            if isinstance(value, Dual | acb) or isinstance(slope, Dual | acb):
                raise UndecidedError("a zero that moves along a flow is not evaluated")
            return _real(value), _real(slope)

        assert ends[0] is not None
        return zeros(function, ends[0], ends[1])

    def _root(self, term: Any, env: Environment) -> Number:
        found = self.zeros(term[1], term[2], term[3], term[4], env)
        if found.count is None:
            self.blurred = True
            raise UndecidedError(f"the zeros of the root in {term[1]!r} could not be counted")
        return found.place if found.count == 1 and found.place is not None else ZERO

    # --- symbols and definitions ----------------------------------------------------------------------------------

    def _symbol(self, term: Any, env: Environment) -> Number:
        return cast("Number", self._lookup(term, env, "scalar"))

    def _vector_symbol(self, term: Any, env: Environment) -> Vector:
        if term[1] == "e":
            if len(term[2]) != 1 or sort_of(term[2][0]) != "axis":
                raise EvaluationError("the basis vector e has one axis index")
            return unit_vector(self.size("axis"), self._index(term[2][0], env))
        return cast("Vector", self._lookup(term, env, "vector"))

    def _lookup(self, term: Any, env: Environment, kind: str) -> Value:
        demand_arity(term, 3)
        name, indices = term[1], tuple(self._index(index, env) for index in term[2])
        symbol = self.signature.symbols.get(name)
        if symbol is not None:
            _check_indices(name, symbol.indices, term[2])
            if symbol.type != kind:
                raise EvaluationError(f"{name!r} is declared {symbol.type}, used as {kind}")
        elif not any(binding.name == name for binding in env.bound):
            raise EvaluationError(f"the {kind} symbol {name!r} is not declared")
        return self.moving(name, indices, symbol, env, len(env.flows))

    def moving(self, name: str, indices: tuple[int, ...], symbol: Symbol | None, env: Environment, depth: int) -> Value:
        """The value of a symbol inside the outer `depth` derivatives."""
        binding = next((b for b in reversed(env.bound) if b.name == name and b.depth <= depth), None)
        if binding is not None and binding.depth == depth:
            return binding.value
        if depth == 0:
            if symbol is None:
                raise EvaluationError(f"the symbol {name!r} is not declared")
            return cast("Value", self.leaf(symbol, indices))
        base = self.moving(name, indices, symbol, env, depth - 1)
        move = self.signature.flows[env.flows[depth - 1]].get(name)
        if move is None:
            return base
        outer = env.outside(depth - 1, dict(zip(move.indices, indices, strict=True)))
        key = ("velocity", name, indices, env.flows[:depth], tuple(b.key() for b in outer.bound))
        value = self._memo.get(key)
        if value is None:
            if isinstance(base, tuple):
                velocity = self.vector(move.velocity, outer)
                value = tuple(arithmetic.dual(depth, a, b) for a, b in zip(base, velocity, strict=True))
            else:
                value = arithmetic.dual(depth, base, self.scalar(move.velocity, outer))
            self._memo[key] = value
        return value

    def leaf(self, symbol: Symbol, indices: tuple[int, ...]) -> Any:
        """The model's value of a symbol as exact numbers: a number, a vector, or the rows of an operator."""
        key = (symbol.name, indices)
        value = self._leaves.get(key)
        if value is None:
            nested: Any = self.model.value(symbol)
            for index in indices:
                nested = nested[index]
            value = self._leaves[key] = _exact(nested)
        return value

    def _defined(self, term: Any, env: Environment, kind: str) -> Value:
        demand_arity(term, 4)
        name = term[1]
        definition = self.signature.definitions.get(name)
        if definition is None or definition.type != kind:
            raise EvaluationError(f"{name!r} is not a defined {kind}")
        _check_indices(name, tuple(sort_of(index) for index in definition.indices), term[2])
        if len(term[3]) != len(definition.parameters):
            raise EvaluationError(f"{name!r} takes {len(definition.parameters)} scalars, given {len(term[3])}")
        indices = tuple(self._index(index, env) for index in term[2])
        inner = replace(env, indices=dict(zip(definition.indices, indices, strict=True)))
        for parameter, argument in zip(definition.parameters, term[3], strict=True):
            inner = inner.bind(parameter, self.scalar(argument, env))
        reach = self.signature.reach(name).union(definition.parameters, *map(self.signature.reach, env.flows))
        inner = replace(inner, bound=tuple(b for b in inner.bound if b.name in reach))
        key = (name, indices, env.flows, tuple(b.key() for b in inner.bound))
        value = self._memo.get(key)
        if value is None:
            body = definition.body
            value = self.vector(body, inner) if kind == "vector" else self.scalar(body, inner)
            self._memo[key] = value
        return value

    # --- vectors --------------------------------------------------------------------------------------------------

    def vector(self, term: Any, env: Environment) -> Vector:
        """The coordinates of a vector term."""
        tag = tag_of(term)
        rule = self._vector_rules.get(tag)
        if rule is None:
            raise EvaluationError(f"{tag!r} is not the tag of a vector term")
        return rule(term, env)

    def _add_up(self, vectors: Sequence[Vector]) -> Vector:
        return tuple(arithmetic.total([vector[axis] for vector in vectors]) for axis in range(self.size("axis")))

    def _scaled(self, term: Any, env: Environment) -> Vector:
        demand_arity(term, 3)
        factor = self.scalar(term[1], env)
        return tuple(multiply(factor, entry) for entry in self.vector(term[2], env))

    def _applied(self, term: Any, env: Environment, *, transposed: bool) -> Vector:
        demand_arity(term, 4)
        symbol = self.operator(term[1])
        _check_indices(symbol.name, symbol.indices, term[2])
        if any(symbol.name in self.signature.flows[flow] for flow in env.flows):
            raise EvaluationError(f"the operator {symbol.name!r} may not move along a flow")
        rows = self.leaf(symbol, tuple(self._index(index, env) for index in term[2]))
        vector = self.vector(term[3], env)
        return tuple(dot(row, vector) for row in (zip(*rows, strict=True) if transposed else rows))

    def operator(self, name: str) -> Symbol:
        """A declared operator."""
        symbol = self.signature.symbols.get(name)
        if symbol is None or symbol.type != "operator":
            raise EvaluationError(f"{name!r} is not a declared operator")
        return symbol


# --- small things -------------------------------------------------------------------------------------------------

_ARITY = {
    "q": 3, "pi": 1, "size": 2, "^": 3, "fn": 3, "ip": 3, "norm": 2, "opnorm": 3, "delta": 3, "rate": 3, "int": 5,
    "root": 5,
}  # fmt: skip


@lru_cache(maxsize=4096)
def _rational(top: str, bottom: str) -> fmpq:
    return rational(Fraction(int(top, 16), int(bottom, 16)))


def _integrate(integrand: Callable[[Number], Number], low: Number, high: Number, level: int) -> Number:
    """The integral, with its slope at each level of derivative: f(high) high' - f(low) low' + the integral of f'."""
    if level > 0:
        (low, low_slope), (high, high_slope) = arithmetic.parts(low, level), arithmetic.parts(high, level)

        def part(number: int) -> Callable[[Number], Number]:
            return lambda x: arithmetic.parts(integrand(x), level)[number]

        slope = _integrate(part(1), low, high, level - 1)
        for end, speed, sign in ((high, high_slope, 1), (low, low_slope, -1)):
            if not arithmetic.is_zero(speed):
                slope = arithmetic.add(slope, multiply(rational(sign), multiply(part(0)(end), speed)))
        return arithmetic.dual(level, _integrate(part(0), low, high, level - 1), slope)
    if isinstance(low, acb | Ray | Dual) or isinstance(high, acb | Ray | Dual):
        raise UndecidedError("an integral whose ends depend on the variable of another one is not evaluated")

    def values(x: acb, analytic: bool) -> acb:
        value = integrand(x.real if not analytic and x.imag == 0 else x)
        if isinstance(value, Dual | Ray):
            raise UndecidedError("an integral over a half line is not evaluated")
        return value if isinstance(value, acb) else acb(arithmetic.ball(value))

    ends = acb(arithmetic.ball(low)), acb(arithmetic.ball(high))
    value = acb.integral(values, *ends, eval_limit=INTEGRAND_LIMIT)
    if value.is_zero():
        return ZERO
    return value.real if value.is_finite() else arithmetic.not_a_number()


def _real(value: fmpq | Exponential | arb | Ray) -> fmpq | arb | Ray:
    """An exact rational, a ball or a half line."""
    return value.ball() if isinstance(value, Exponential) else value


def tag_of(term: Any) -> str:
    """The tag of a term or formula."""
    if not isinstance(term, tuple) or not term or not isinstance(term[0], str):
        raise EvaluationError(f"{term!r} is not a term: a list that starts with a tag is needed")
    return term[0]


def demand_arity(term: Any, length: int) -> None:
    """Refuse a term or formula of another length."""
    if len(term) != length:
        raise EvaluationError(f"{term[0]!r} needs {length - 1} entries after the tag; given: {term!r}")


def _check_indices(name: str, sorts: Sequence[str], indices: Sequence[str]) -> None:
    given = tuple(sort_of(index) for index in indices)
    if given != tuple(sorts):
        raise EvaluationError(f"{name!r} has the index sorts {tuple(sorts)}; given: {tuple(indices)}")


def free_indices(term: Any) -> frozenset[str]:
    """The indices that occur in a term or formula and are not bound by a sum or `all` in it."""
    found: set[str] = set()
    pending: list[tuple[Any, frozenset[str]]] = [(term, frozenset())]
    while pending:
        part, bound = pending.pop()
        if not isinstance(part, tuple) or not part:
            continue
        match part[0]:
            case "sum" | "vsum" | "all":
                found |= set(part[2]) - bound
                pending.append((part[3], bound | {part[1]}))
            case "s" | "vec":
                found |= set(part[2]) - bound
            case "op" | "opT":
                found |= set(part[2]) - bound
                pending.append((part[3], bound))
            case "def" | "vdef":
                found |= set(part[2]) - bound
                pending.extend((argument, bound) for argument in part[3])
            case "delta" | "distinct":
                found |= set(part[1:]) - bound
            case _:
                pending.extend((child, bound) for child in part[1:])
    return frozenset(found)


def _exact(nested: Nested) -> Any:
    return tuple(_exact(part) for part in nested) if isinstance(nested, tuple) else rational(nested)


def unit_vector(size: int, axis: int) -> Vector:
    """A vector of the standard basis."""
    return tuple(ONE if k == axis else ZERO for k in range(size))
