"""Raw terms of `docs/kernel.md` as float functions of many models at once, each value with a bound on its rounding.

Notation: B models of equal sizes; a value with free indices is an array (B, size of each index, ...), one more axis of
length d for a vector. With each value goes a running error bound: what the inputs' own uncertainty and every rounding
on the way can have changed (Higham, Accuracy and Stability of Numerical Algorithms, section 3.3). The `rate` along a
flow is forward differentiation with dual numbers; rates may be nested.

This evaluator shares no code with the kernel's: it is the other witness. It never decides equality; a comparison has a
margin, and only a margin beyond its bound is a refutation.

*Not covered*: `root`, `int`, `exists`, `unique` and statements about whole solutions; they raise
`UnsupportedTermError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from antumbra.numerics.running_error import (
    FUNCTIONS,
    UNIT,
    Cell,
    Dual,
    Value,
    add,
    apply_cell,
    constant,
    inner,
    linear,
    multiply,
    negative,
    power,
    root,
    split,
    sum_cell,
)

Array = npt.NDArray[np.float64]
Term: TypeAlias = Sequence[Any]

SORTS = {"i": "token", "j": "token", "k": "token", "l": "token", "g": "head", "h": "head", "a": "axis"}


class UnsupportedTermError(ValueError):
    """A term that this evaluator does not speak; the message names its tag."""


# --- models and terms ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Models:
    """B models of equal sizes.

    Attributes:
        sizes: of token, head and axis.
        symbols: by name, a pair (value, error) of arrays (B, sizes of the symbol's indices...), with d more entries for
            a vector and (d, d) for an operator. The error bounds the distance to a model that meets the hypotheses.
    """

    sizes: Mapping[str, int]
    symbols: Mapping[str, tuple[Array, Array]]

    @property
    def count(self) -> int:
        """B."""
        return max((value.shape[0] for value, _ in self.symbols.values()), default=1)


@dataclass(frozen=True, eq=False)
class _Scope:
    """What the names of a term mean where it stands."""

    axes: Mapping[str, int]
    scalars: Mapping[str, Value] = field(default_factory=dict)
    vectors: Mapping[str, Value] = field(default_factory=dict)
    flows: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Margin:
    """By how much a formula holds: certainly where margin > slack, certainly not where margin < -slack.

    Attributes:
        margin, slack: (B, sizes of `axes`...).
        axes: as in `Cell`.
    """

    margin: Array
    slack: Array
    axes: tuple[int, ...] = ()


class Evaluator:
    """Terms and formulas over a batch of models.

    Args:
        definitions: the setting's definitions by name (`indices`, `parameters`, `body`).
        flows: its flows by name; each gives, by symbol, a move (`indices`, `velocity`).
        models: where the symbols get their values.
    """

    def __init__(self, definitions: Mapping[str, Any], flows: Mapping[str, Mapping[str, Any]], models: Models) -> None:
        self.definitions = definitions
        self.flows = flows
        self.models = models
        self._sizes: list[int] = []
        self._velocities: dict[tuple[tuple[str, ...], str], tuple[tuple[int, ...], Value]] = {}

    # scalars and vectors

    def scalar(self, term: Term, **axes: int) -> Cell:
        """The value of a scalar term without free indices, (B,)."""
        with np.errstate(all="ignore"):
            value = self._value(term, _Scope(axes))
        assert isinstance(value, Cell)
        return value

    def _axis(self, index: str) -> int:
        self._sizes.append(self.models.sizes[SORTS[index[0]]])
        return len(self._sizes) - 1

    def _value(self, term: Term, scope: _Scope) -> Value:
        tag = term[0]
        if tag in FUNCTIONS:
            return FUNCTIONS[tag](self._value(term[1], scope))
        handler = getattr(self, f"_on_{_NAMES.get(tag, tag)}", None)
        if handler is None:
            raise UnsupportedTermError(f"the term {tag!r} has no float value here; it needs exact evaluation")
        result: Value = handler(term, scope)
        return result

    def _on_q(self, term: Term, _scope: _Scope) -> Value:
        top, bottom = int(term[1], 16), int(term[2], 16)
        value = top / bottom
        return constant(value, 0.0 if value * bottom == top and abs(top) < 1 << 53 else UNIT * abs(value))

    def _on_pi(self, _term: Term, _scope: _Scope) -> Value:
        return constant(np.pi, UNIT * 4)

    def _on_size(self, term: Term, _scope: _Scope) -> Value:
        return constant(self.models.sizes[term[1]])

    def _on_s(self, term: Term, scope: _Scope) -> Value:
        name = term[1]
        if name in scope.scalars and not term[2]:
            return scope.scalars[name]
        return self._symbol(name, tuple(scope.axes[index] for index in term[2]), False, scope.flows)

    def _on_vec(self, term: Term, scope: _Scope) -> Value:
        name = term[1]
        if name in scope.vectors and not term[2]:
            return scope.vectors[name]
        if name == "e":
            return self._basis(scope.axes[term[2][0]])
        return self._symbol(name, tuple(scope.axes[index] for index in term[2]), True, scope.flows)

    def _basis(self, axis: int) -> Cell:
        identity = np.eye(self._sizes[axis])[None]
        return Cell(identity, np.zeros_like(identity), (axis,), True)

    def _symbol(self, name: str, axes: tuple[int, ...], vector: bool, flows: tuple[str, ...]) -> Value:
        if not flows:
            if name not in self.models.symbols:
                raise UnsupportedTermError(f"the models have no value for {name!r}; add one")
            value, error = self.models.symbols[name]
            return _placed(value, error, axes, vector)
        real = self._symbol(name, axes, vector, flows[:-1])
        moves = self.flows[flows[-1]]
        if name not in moves:
            return real
        key = (flows, name)
        if key not in self._velocities:
            move = moves[name]
            own = {index: self._axis(index) for index in move.indices}
            scope = _Scope(own, flows=flows[:-1])
            self._velocities[key] = (tuple(own[index] for index in move.indices), self._value(move.velocity, scope))
        own_axes, velocity = self._velocities[key]
        renaming = dict(zip(own_axes, axes, strict=True))
        return Dual(len(flows), real, linear(lambda cell: _renamed(cell, renaming), velocity))

    def _on_plus(self, term: Term, scope: _Scope) -> Value:
        total = self._value(term[1], scope)
        for part in term[2:]:
            total = add(total, self._value(part, scope))
        return total

    _on_vadd = _on_plus

    def _on_times(self, term: Term, scope: _Scope) -> Value:
        total = self._value(term[1], scope)
        for part in term[2:]:
            total = multiply(total, self._value(part, scope))
        return total

    def _on_vmul(self, term: Term, scope: _Scope) -> Value:
        return multiply(self._value(term[1], scope), self._value(term[2], scope))

    def _on_power(self, term: Term, scope: _Scope) -> Value:
        return power(self._value(term[1], scope), int(term[2]))

    def _on_fn(self, term: Term, scope: _Scope) -> Value:
        return FUNCTIONS[term[1]](self._value(term[2], scope))

    def _on_v0(self, _term: Term, _scope: _Scope) -> Value:
        zero = np.zeros((1, self.models.sizes["axis"]))
        return Cell(zero, zero, (), True)

    def _on_ip(self, term: Term, scope: _Scope) -> Value:
        return inner(self._value(term[1], scope), self._value(term[2], scope))

    def _on_norm(self, term: Term, scope: _Scope) -> Value:
        vector = self._value(term[1], scope)
        return root(inner(vector, vector))

    def _on_delta(self, term: Term, scope: _Scope) -> Value:
        return self._delta(scope.axes[term[1]], scope.axes[term[2]])

    def _delta(self, first: int, second: int) -> Cell:
        if first == second:
            return constant(1)
        identity = np.eye(self._sizes[first])[None]
        return Cell(identity, np.zeros_like(identity), tuple(sorted((first, second))))

    def _on_sum(self, term: Term, scope: _Scope) -> Value:
        _, index, excluded, body = term
        axis = self._axis(index)
        value = self._value(body, replace(scope, axes={**scope.axes, index: axis}))
        for other in excluded:
            kept = add(constant(1), negative(self._delta(axis, scope.axes[other])))
            value = multiply(kept, value)
        size = self._sizes[axis]
        return linear(lambda cell: sum_cell(cell, axis, size), value)

    _on_vsum = _on_sum

    def _on_op(self, term: Term, scope: _Scope) -> Value:
        return self._apply(term, scope, adjoint=False)

    def _on_opT(self, term: Term, scope: _Scope) -> Value:
        return self._apply(term, scope, adjoint=True)

    def _apply(self, term: Term, scope: _Scope, *, adjoint: bool) -> Value:
        _, name, indices, vector = term
        value, error = self.models.symbols[name]
        if adjoint:
            value, error = np.swapaxes(value, -1, -2), np.swapaxes(error, -1, -2)
        matrix = _placed(value, error, tuple(scope.axes[index] for index in indices), True)
        return linear(lambda cell: apply_cell(matrix, cell), self._value(vector, scope))

    def _on_def(self, term: Term, scope: _Scope) -> Value:
        _, name, indices, arguments = term
        definition = self.definitions[name]
        axes = {own: scope.axes[given] for own, given in zip(definition.indices, indices, strict=True)}
        values = [self._value(argument, scope) for argument in arguments]
        scalars = dict(zip(definition.parameters, values, strict=True))
        return self._value(definition.body, _Scope(axes, scalars, {}, scope.flows))

    _on_vdef = _on_def

    def _on_rate(self, term: Term, scope: _Scope) -> Value:
        _, flow, body = term
        if flow not in self.flows:
            raise UnsupportedTermError(f"the setting has no flow {flow!r}")
        if scope.scalars:
            raise UnsupportedTermError("a rate inside a definition with parameters has no float value here")
        level = len(scope.flows) + 1
        value = self._value(body, replace(scope, flows=(*scope.flows, flow)))
        _, slope = split(value, level)
        if slope is None:
            zero = np.zeros(1)
            return Cell(zero, zero)
        return slope

    def _on_opnorm(self, term: Term, scope: _Scope) -> Value:
        _, name, body = term
        axis = self._axis("a")
        value = self._value(body, replace(scope, vectors={**scope.vectors, name: self._basis(axis)}))
        if isinstance(value, Dual):
            raise UnsupportedTermError("an operator norm inside a rate has no derivative here")
        if axis not in value.axes:  # the map does not depend on its argument: only zero is linear
            return constant(0)
        place = 1 + value.axes.index(axis)
        matrix, error = np.moveaxis(value.value, place, -2), np.moveaxis(value.error, place, -2)
        usable = np.asarray(np.isfinite(matrix).all(axis=(-1, -2)))
        norms = np.asarray(np.linalg.norm(np.where(usable[..., None, None], matrix, 0.0), ord=2, axis=(-2, -1)))
        spread = np.sqrt((error**2).sum(axis=(-2, -1)))
        bound = spread + 16 * matrix.shape[-1] * UNIT * norms
        remaining = tuple(entry for entry in value.axes if entry != axis)
        return Cell(np.where(usable, norms, np.nan), bound, remaining)

    # formulas

    def formula(self, term: Term) -> tuple[Array, Array]:
        """Margin and slack of a formula, its free indices read as "for all": (B,), (B,)."""
        free = sorted(_free_indices(term))
        with np.errstate(all="ignore"):
            result = self._margin(term, _Scope({index: self._axis(index) for index in free}), 1)
            for axis in result.axes:
                result = _worst(result, axis)
        shape = (self.models.count,)
        return np.broadcast_to(result.margin, shape).copy(), np.broadcast_to(result.slack, shape).copy()

    def least_bound(self, name: str, term: Term) -> tuple[Array, Array]:
        """The largest value of a term over its free indices, with its slack: (B,), (B,).

        A symbol that is to be at least the term takes it; `name` is only for the message.
        """
        axes = {index: self._axis(index) for index in sorted(_free_indices(term))}
        value = self._value(term, _Scope(axes))
        if isinstance(value, Dual):
            raise UnsupportedTermError(f"the bound of {name!r} holds a rate")
        margin = Margin(-value.value, -value.error, value.axes)
        for axis in value.axes:
            margin = _worst(margin, axis)
        shape = (self.models.count,)
        return np.broadcast_to(-margin.margin, shape).copy(), np.broadcast_to(-margin.slack, shape).copy()

    def _margin(self, term: Term, scope: _Scope, side: int) -> Margin:
        """The margin of a formula that stands on the positive side (1), the negative (-1) or on both (0)."""
        tag = term[0]
        if tag in ("eq", "ne", "ge", "gt", "le", "lt"):
            first, second = (term[2], term[1]) if tag in ("le", "lt") else (term[1], term[2])
            difference = add(self._value(first, scope), negative(self._value(second, scope)))
            return _compared(_plain(difference), tag)
        if tag == "veq":
            difference = add(self._value(term[1], scope), negative(self._value(term[2], scope)))
            return _compared(_plain(root(inner(difference, difference))), "eq")
        if tag in ("and", "or"):
            parts = [self._margin(part, scope, side) for part in term[1:]]
            result = parts[0]
            for part in parts[1:]:
                result = _combined(result, part, least=tag == "and")
            return result
        if tag == "implies":
            return self._implies(self._margin(term[1], scope, -side), self._margin(term[2], scope, side))
        if tag == "iff":
            first, second = self._margin(term[1], scope, 0), self._margin(term[2], scope, 0)
            return _combined(self._implies(first, second), self._implies(second, first), least=True)
        if tag == "all":
            _, index, excluded, body = term
            axis = self._axis(index)
            inside = self._margin(body, replace(scope, axes={**scope.axes, index: axis}), side)
            for other in excluded:
                inside = _except(inside, self._delta(axis, scope.axes[other]))
            return _worst(inside, axis) if axis in inside.axes else inside
        if tag == "distinct":
            equal = self._delta(scope.axes[term[1]], scope.axes[term[2]])
            return Margin(0.5 - equal.value, np.zeros_like(equal.value), equal.axes)
        if tag in ("forall", "forallv"):
            # The bound name is a symbol of the models here, drawn with the others. That is what "for all" means under
            # attack on the positive side only.
            if side != 1:
                raise UnsupportedTermError(f"{tag!r} in an assumption has no float margin here; it needs a proof")
            return self._margin(term[2], scope, side)
        raise UnsupportedTermError(f"the formula {tag!r} has no float margin here; it needs exact evaluation")

    @staticmethod
    def _implies(first: Margin, second: Margin) -> Margin:
        return _combined(Margin(-first.margin, first.slack, first.axes), second, least=False)


_NAMES = {"+": "plus", "*": "times", "^": "power"}


def _plain(value: Value) -> Cell:
    while isinstance(value, Dual):
        value = value.real
    return value


def _compared(difference: Cell, tag: str) -> Margin:
    if tag == "eq":
        return Margin(-np.abs(difference.value), difference.error, difference.axes)
    if tag == "ne":
        return Margin(np.abs(difference.value), difference.error, difference.axes)
    return Margin(difference.value, difference.error, difference.axes)


def _placed(value: Array, error: Array, axes: tuple[int, ...], vector: bool) -> Cell:
    """A symbol's array with its index axes in ascending order; a repeated index is a diagonal."""
    order = list(axes)
    position = 1
    while position <= len(order):
        axis = order[position - 1]
        if axis in order[: position - 1]:
            earlier = 1 + order.index(axis)
            value = np.moveaxis(np.diagonal(value, axis1=earlier, axis2=position), -1, earlier)
            error = np.moveaxis(np.diagonal(error, axis1=earlier, axis2=position), -1, earlier)
            del order[position - 1]
        else:
            position += 1
    places = np.argsort(order, kind="stable")
    rest = list(range(1 + len(order), value.ndim))
    permutation = [0, *(1 + int(place) for place in places), *rest]
    return Cell(value.transpose(permutation), error.transpose(permutation), tuple(sorted(order)), vector)


def _renamed(cell: Cell, renaming: Mapping[int, int]) -> Cell:
    return _placed(cell.value, cell.error, tuple(renaming.get(axis, axis) for axis in cell.axes), cell.vector)


def _margin_aligned(margin: Margin, axes: tuple[int, ...]) -> tuple[Array, Array]:
    places = tuple(1 + place for place, axis in enumerate(axes) if axis not in margin.axes)
    if not places:
        return margin.margin, margin.slack
    return np.expand_dims(margin.margin, places), np.expand_dims(margin.slack, places)


def _combined(first: Margin, second: Margin, *, least: bool) -> Margin:
    """The less (or more) favourable of two margins, judged with its slack; "not a number" wins over both."""
    axes = tuple(sorted(set(first.axes) | set(second.axes)))
    (m1, s1), (m2, s2) = _margin_aligned(first, axes), _margin_aligned(second, axes)
    m1, m2 = np.broadcast_arrays(m1, m2)
    s1, s2 = np.broadcast_arrays(s1, s2)
    take = (m1 + s1 <= m2 + s2) if least else (m1 + s1 >= m2 + s2)
    unknown = np.isnan(m1) | np.isnan(m2)
    margin = np.where(unknown, np.nan, np.where(take, m1, m2))
    return Margin(margin, np.where(take, s1, s2), axes)


def _worst(margin: Margin, axis: int) -> Margin:
    """The least favourable margin over an index."""
    place = 1 + margin.axes.index(axis)
    total = margin.margin + margin.slack
    chosen = np.argmin(np.where(np.isnan(total), -np.inf, total), axis=place)
    remaining = tuple(entry for entry in margin.axes if entry != axis)

    def taken(array: Array) -> Array:
        return np.take_along_axis(array, np.expand_dims(chosen, place), place).squeeze(place)

    return Margin(taken(margin.margin), taken(np.broadcast_to(margin.slack, margin.margin.shape)), remaining)


def _except(margin: Margin, equal: Cell) -> Margin:
    """The margin where two indices differ; where they are equal nothing is demanded."""
    axes = tuple(sorted(set(margin.axes) | set(equal.axes)))
    value, slack = _margin_aligned(margin, axes)
    places = tuple(1 + place for place, axis in enumerate(axes) if axis not in equal.axes)
    free = (np.expand_dims(equal.value, places) if places else equal.value) == 1
    return Margin(np.where(free, np.inf, value), np.where(free, 0.0, slack), axes)


def _free_indices(term: Any) -> frozenset[str]:
    """Index names that occur in a term without being bound by a sum or a quantifier."""
    if not isinstance(term, list | tuple) or not term:
        return frozenset()
    tag = term[0]
    if tag in ("s", "vec"):
        return frozenset(term[2])
    if tag in ("op", "opT"):
        return frozenset(term[2]) | _free_indices(term[3])
    if tag in ("def", "vdef"):
        return frozenset(term[2]).union(*(_free_indices(argument) for argument in term[3]))
    if tag in ("sum", "vsum", "all"):
        return (_free_indices(term[3]) - {term[1]}) | frozenset(term[2])
    if tag in ("delta", "distinct"):
        return frozenset(term[1:3])
    if tag in ("q", "size", "pi", "v0", "single"):
        return frozenset()
    return frozenset().union(*(_free_indices(part) for part in term[1:]))


def bound_names(term: Any) -> frozenset[str]:
    """Names of the scalars and vectors that a formula binds by "for all"; the models need values for them too."""
    if not isinstance(term, list | tuple) or not term:
        return frozenset()
    own = frozenset({term[1]}) if term[0] in ("forall", "forallv") else frozenset()
    return own.union(*(bound_names(part) for part in term[1:]))
