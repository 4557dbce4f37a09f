"""Float values with running error bounds, and their derivatives along flows.

A value with free indices is an array (B, size of each index, ...), one more axis of length d for a vector; B is the
number of models it is computed for at once. With each value goes a bound on what the inputs' own uncertainty and every
rounding on the way can have changed (Higham, Accuracy and Stability of Numerical Algorithms, section 3.3). Dual
numbers carry derivatives; they nest, each level for one flow.

The functions are total as in `docs/kernel.md`: 1/0 = 0, ln t = 0 for t <= 0, sqrt t = 0 for t < 0. Where the error
leaves open which branch applies the value is "not a number".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

UNIT = 2.0**-52
"""Twice the unit roundoff: covers a rounding and that of its own bound."""


@dataclass(frozen=True, eq=False)
class Cell:
    """A float value with its error bound.

    Attributes:
        value, error: (B, sizes of `axes`..., d if vector); B may be 1 for what does not depend on the model.
        axes: numbers of the free indices, ascending.
        vector: whether the last axis holds coordinates.
    """

    value: Array
    error: Array
    axes: tuple[int, ...] = ()
    vector: bool = False


@dataclass(frozen=True, eq=False)
class Dual:
    """A value and its derivative along the flow of one level; both may be duals of lower levels."""

    level: int
    real: Value
    slope: Value


Value: TypeAlias = Cell | Dual
CellFunction: TypeAlias = Callable[[Cell], Cell]


def constant(number: float, error: float = 0.0) -> Cell:
    """A number that does not depend on the model."""
    return Cell(np.full(1, float(number)), np.full(1, error))


# --- plain values ----------------------------------------------------------------------------------------------------


def _aligned(cell: Cell, axes: tuple[int, ...], vector: bool) -> tuple[Array, Array]:
    """The arrays with an axis of length one for each index that the value does not have."""
    value, error = cell.value, cell.error
    if cell.axes != axes:
        places = tuple(1 + place for place, axis in enumerate(axes) if axis not in cell.axes)
        value, error = np.expand_dims(value, places), np.expand_dims(error, places)
    if vector and not cell.vector:
        value, error = value[..., None], error[..., None]
    return value, error


def _union(*cells: Cell) -> tuple[tuple[int, ...], bool]:
    axes = tuple(sorted(set(itertools.chain.from_iterable(cell.axes for cell in cells))))
    return axes, any(cell.vector for cell in cells)


def _add_cells(a: Cell, b: Cell) -> Cell:
    axes, vector = _union(a, b)
    (va, ea), (vb, eb) = _aligned(a, axes, vector), _aligned(b, axes, vector)
    value = va + vb
    return Cell(value, ea + eb + UNIT * np.abs(value), axes, vector)


def _multiply_cells(a: Cell, b: Cell) -> Cell:
    """Product; a scalar may multiply a vector."""
    axes, vector = _union(a, b)
    (va, ea), (vb, eb) = _aligned(a, axes, vector), _aligned(b, axes, vector)
    value = va * vb
    error = np.abs(va) * eb + np.abs(vb) * ea + ea * eb + UNIT * np.abs(value)
    return Cell(value, error, axes, vector)


def _inner_cells(a: Cell, b: Cell) -> Cell:
    axes, _ = _union(a, b)
    (va, ea), (vb, eb) = _aligned(a, axes, True), _aligned(b, axes, True)
    product = va * vb
    value = product.sum(axis=-1)
    error = (np.abs(va) * eb + np.abs(vb) * ea + ea * eb).sum(axis=-1)
    return Cell(value, error + (product.shape[-1] + 1) * UNIT * np.abs(product).sum(axis=-1), axes)


def sum_cell(cell: Cell, axis: int, size: int) -> Cell:
    """The sum over an index of `size` values; one that is absent multiplies by the size."""
    if axis not in cell.axes:
        return Cell(cell.value * size, cell.error * size + UNIT * np.abs(cell.value * size), cell.axes, cell.vector)
    place = 1 + cell.axes.index(axis)
    value = cell.value.sum(axis=place)
    error = cell.error.sum(axis=place) + size * UNIT * np.abs(cell.value).sum(axis=place)
    return Cell(value, error, tuple(entry for entry in cell.axes if entry != axis), cell.vector)


def apply_cell(matrix: Cell, cell: Cell) -> Cell:
    """Matrix (B, axes of the head, d, d) stored as a vector cell with one more axis of rows, applied to a vector."""
    axes = tuple(sorted(set(matrix.axes) | set(cell.axes)))

    def widened(array: Array, own: tuple[int, ...]) -> Array:
        places = tuple(1 + place for place, axis in enumerate(axes) if axis not in own)
        return np.expand_dims(array, places) if places else array

    vm, em = widened(matrix.value, matrix.axes), widened(matrix.error, matrix.axes)
    vx, ex = widened(cell.value, cell.axes)[..., None], widened(cell.error, cell.axes)[..., None]
    value = (vm @ vx)[..., 0]
    size, spread = np.abs(vm), np.abs(vx)
    error = (size @ ex + em @ spread + em @ ex + (vm.shape[-1] + 1) * UNIT * (size @ spread))[..., 0]
    return Cell(value, error, axes, True)


def _exp_cell(cell: Cell) -> Cell:
    value = np.exp(cell.value)
    return Cell(value, value * np.expm1(cell.error) + 4 * UNIT * value, cell.axes)


def _inverse_cell(cell: Cell) -> Cell:
    size, error = np.abs(cell.value), cell.error
    nought = (size == 0) & (error == 0)
    sure = size > error
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(sure, 1 / cell.value, np.where(nought, 0.0, np.nan))
        bound = np.where(sure, error / (size * (size - error)) + UNIT / size, np.where(nought, 0.0, np.inf))
    return Cell(value, bound, cell.axes)


def _log_cell(cell: Cell) -> Cell:
    sure, never = cell.value > cell.error, cell.value + cell.error <= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(sure, np.log(cell.value), np.where(never, 0.0, np.nan))
        bound = np.where(sure, cell.error / (cell.value - cell.error), np.where(never, 0.0, np.inf))
    return Cell(value, bound + 2 * UNIT * np.abs(np.nan_to_num(value)), cell.axes)


def _sqrt_cell(cell: Cell) -> Cell:
    value = np.sqrt(np.maximum(cell.value, 0.0))
    sure = cell.value > 2 * cell.error
    with np.errstate(divide="ignore", invalid="ignore"):
        near = cell.error / (2 * np.sqrt(np.maximum(cell.value - cell.error, 0.0)))
    bound = np.where(sure, near, np.sqrt(np.maximum(cell.value + cell.error, 0.0)))
    return Cell(value, bound + UNIT * value, cell.axes)


def _smooth_cell(
    function: Callable[[Array], Array], slope_bound: Callable[[Array, Array], Array], loss: float
) -> CellFunction:
    """A cell function from a numpy one, a bound on its slope within the error, and its own loss in units."""

    def apply(cell: Cell) -> Cell:
        value = function(cell.value)
        return Cell(value, slope_bound(cell.value, cell.error) * cell.error + loss * UNIT * (np.abs(value)), cell.axes)

    return apply


def _one(value: Array, _error: Array) -> Array:
    return np.ones_like(value)


_SIN = _smooth_cell(np.sin, _one, 4)
_COS = _smooth_cell(np.cos, _one, 4)
_TANH = _smooth_cell(np.tanh, _one, 8)
_ARSINH = _smooth_cell(np.arcsinh, _one, 8)
_SINH = _smooth_cell(np.sinh, lambda v, e: np.cosh(np.abs(v) + e), 8)
_COSH = _smooth_cell(np.cosh, lambda v, e: np.sinh(np.abs(v) + e), 8)
_ABS = _smooth_cell(np.abs, _one, 0)
_RELU = _smooth_cell(lambda v: np.maximum(v, 0.0), _one, 0)


def _exponential_integral_cell(cell: Cell) -> Cell:
    from scipy.special import expi

    size = np.abs(cell.value)
    sure, nought = size > cell.error, (size == 0) & (cell.error == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(sure, expi(cell.value), np.where(nought, 0.0, np.nan))
        slope = np.exp(cell.value + cell.error) / (size - cell.error)
        # The library loses digits near the zero 0.3725; the slope there is about 4.
        bound = np.where(sure, slope * cell.error + 256 * UNIT * (1 + np.abs(value)), np.where(nought, 0.0, np.inf))
    return Cell(value, bound, cell.axes)


def _lambert_cell(cell: Cell) -> Cell:
    from scipy.special import lambertw

    branch = -np.exp(-1.0)

    def principal(values: Array) -> Array:
        return np.where(values >= branch, np.real(lambertw(np.maximum(values, branch))), 0.0)

    value = principal(cell.value)
    spread = np.abs(principal(cell.value + cell.error) - principal(cell.value - cell.error))
    # The slope is infinite at the branch point; below it the value is 0 by convention.
    open_branch = np.abs(cell.value - branch) <= 1e-6 + cell.error
    below = cell.value + cell.error < branch
    bound = np.where(below, 0.0, spread + 64 * UNIT * (1 + np.abs(value)))
    return Cell(np.where(open_branch, np.nan, value), np.where(open_branch, np.inf, bound), cell.axes)


# --- values with derivatives -----------------------------------------------------------------------------------------


def _level(*values: Value) -> int:
    return max((value.level for value in values if isinstance(value, Dual)), default=0)


def split(value: Value, level: int) -> tuple[Value, Value | None]:
    """The value without the derivative of one level, and that derivative if there is one."""
    if isinstance(value, Dual) and value.level == level:
        return value.real, value.slope
    return value, None


def _joined(level: int, real: Value, slopes: Sequence[Value]) -> Value:
    if not slopes:
        return real
    total = slopes[0]
    for slope in slopes[1:]:
        total = add(total, slope)
    return Dual(level, real, total)


def add(a: Value, b: Value) -> Value:
    """The sum a + b, scalars or vectors."""
    level = _level(a, b)
    if level == 0:
        assert isinstance(a, Cell)
        assert isinstance(b, Cell)
        return _add_cells(a, b)
    (ra, da), (rb, db) = split(a, level), split(b, level)
    return _joined(level, add(ra, rb), [slope for slope in (da, db) if slope is not None])


def _bilinear(operation: Callable[[Cell, Cell], Cell], a: Value, b: Value) -> Value:
    level = _level(a, b)
    if level == 0:
        assert isinstance(a, Cell)
        assert isinstance(b, Cell)
        return operation(a, b)
    (ra, da), (rb, db) = split(a, level), split(b, level)
    slopes = []
    if da is not None:
        slopes.append(_bilinear(operation, da, rb))
    if db is not None:
        slopes.append(_bilinear(operation, ra, db))
    return _joined(level, _bilinear(operation, ra, rb), slopes)


def multiply(a: Value, b: Value) -> Value:
    """The product a b, where at most one is a vector."""
    return _bilinear(_multiply_cells, a, b)


def inner(a: Value, b: Value) -> Value:
    """<a, b> of vectors."""
    return _bilinear(_inner_cells, a, b)


def linear(operation: Callable[[Cell], Cell], value: Value) -> Value:
    """A linear map, applied to a value and to its derivatives."""
    if isinstance(value, Dual):
        return Dual(value.level, linear(operation, value.real), linear(operation, value.slope))
    return operation(value)


def _unary(operation: Callable[[Cell], Cell], slope: Callable[[Value], Value], value: Value) -> Value:
    if not isinstance(value, Dual):
        return operation(value)
    real = _unary(operation, slope, value.real)
    return Dual(value.level, real, multiply(slope(value.real), value.slope))


def negative(value: Value) -> Value:
    """-value."""
    return linear(lambda cell: Cell(-cell.value, cell.error, cell.axes, cell.vector), value)


def exponential(value: Value) -> Value:
    """The exponential e^value."""
    return _unary(_exp_cell, exponential, value)


def inverse(value: Value) -> Value:
    """1/value, and 0 at 0."""
    return _unary(_inverse_cell, lambda x: negative(multiply(inverse(x), inverse(x))), value)


def logarithm(value: Value) -> Value:
    """The natural logarithm, 0 where it is not positive."""
    return _unary(_log_cell, inverse, value)


def root(value: Value) -> Value:
    """The square root, 0 where the value is negative."""
    return _unary(_sqrt_cell, lambda x: inverse(multiply(constant(2), root(x))), value)


def power(value: Value, exponent: int) -> Value:
    """value^exponent for exponent >= 0."""
    result: Value = constant(1)
    for _ in range(exponent):
        result = multiply(result, value)
    return result


def _sign_cell(value: Value) -> Value:
    """1 or -1 where the sign is sure, else not a number."""
    cell = value.real if isinstance(value, Dual) else value
    while isinstance(cell, Dual):
        cell = cell.real
    sure = np.abs(cell.value) > cell.error
    return Cell(np.where(sure, np.sign(cell.value), np.nan), np.where(sure, 0.0, np.inf), cell.axes)


def _step_cell(value: Value) -> Value:
    return multiply(constant(0.5), add(constant(1), _sign_cell(value)))


def _sine(value: Value) -> Value:
    return _unary(_SIN, _cosine, value)


def _cosine(value: Value) -> Value:
    return _unary(_COS, lambda x: negative(_sine(x)), value)


def _tanh(value: Value) -> Value:
    return _unary(_TANH, lambda x: add(constant(1), negative(multiply(_tanh(x), _tanh(x)))), value)


def _sinh(value: Value) -> Value:
    return _unary(_SINH, _cosh, value)


def _cosh(value: Value) -> Value:
    return _unary(_COSH, _sinh, value)


def _arsinh(value: Value) -> Value:
    return _unary(_ARSINH, lambda x: inverse(root(add(constant(1), multiply(x, x)))), value)


def _coth(value: Value) -> Value:
    return inverse(_tanh(value))


def _exponential_integral(value: Value) -> Value:
    return _unary(_exponential_integral_cell, lambda x: multiply(exponential(x), inverse(x)), value)


def _lambert(value: Value) -> Value:
    def slope(x: Value) -> Value:
        branch = _lambert(x)
        return multiply(exponential(negative(branch)), inverse(add(constant(1), branch)))

    return _unary(_lambert_cell, slope, value)


def _absolute(value: Value) -> Value:
    return _unary(_ABS, _sign_cell, value)


def _relu(value: Value) -> Value:
    return _unary(_RELU, _step_cell, value)


FUNCTIONS: Mapping[str, Callable[[Value], Value]] = {
    "inv": inverse,
    "exp": exponential,
    "log": logarithm,
    "sqrt": root,
    "abs": _absolute,
    "relu": _relu,
    "sin": _sine,
    "cos": _cosine,
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "coth": _coth,
    "arsinh": _arsinh,
    "Ei": _exponential_integral,
    "W": _lambert,
}
