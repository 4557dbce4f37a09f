"""Numbers of the evaluator: exact rationals, balls that enclose a real number, and dual numbers over both.

A number is an `fmpq` (exact), an `arb` (a ball that contains the value), an `acb` (inside the integrator only) or a
`Dual`. Every function is total, as `docs/kernel.md` section 1 says: 1/0 = 0, log t = 0 for t <= 0, sqrt t = 0 for t <
0. A ball that cannot tell which case it is in gives a wider ball or one that is not finite; never a wrong one.

Derivatives are forward mode: `Dual(level, value, slope)` is value + slope * epsilon_level with epsilon_level^2 = 0.
Nested derivatives use one level each; the parts of a level-k number have lower levels. No formula is differentiated
here, so that the kernel's formal derivative has an independent referee.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, overload

from antumbra.proofs.kernel import exponentials
from antumbra.proofs.kernel.exponentials import Exponential, TooLongError
from antumbra.proofs.kernel.rays import Ray
from flint import acb, arb, fmpq


class EvaluationError(ValueError):
    """A term that cannot be evaluated: malformed, or a name without a value."""


class UndefinedError(EvaluationError):
    """A derivative where the function has none (the definedness that `rate` demands fails at this model)."""


class UndecidedError(EvaluationError):
    """A value that this evaluator cannot enclose."""


@dataclass(frozen=True, eq=False)
class Dual:
    """value + slope * epsilon_level; `value` and `slope` have lower levels. The slope is never the exact number 0."""

    level: int
    value: Number
    slope: Number


Number: TypeAlias = fmpq | Exponential | arb | acb | Ray | Dual

ZERO = fmpq(0)
ONE = fmpq(1)


def rational(value: Fraction | int) -> fmpq:
    """The exact number of that value."""
    exact = Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def fraction(value: fmpq) -> Fraction:
    """The same number as a `Fraction`."""
    return Fraction(int(value.p), int(value.q))


def ball(value: fmpq | Exponential | arb) -> arb:
    """An enclosure at the current precision."""
    if isinstance(value, Exponential):
        return value.ball()
    return value if isinstance(value, arb) else arb(value)


@overload
def _inexact(value: Exponential | arb) -> arb: ...
@overload
def _inexact(value: Exponential | arb | acb) -> arb | acb: ...
@overload
def _inexact(value: fmpq | Exponential | arb | acb) -> fmpq | arb | acb: ...
def _inexact(value: fmpq | Exponential | arb | acb) -> fmpq | arb | acb:
    """The number without exact exponentials."""
    return value.ball() if isinstance(value, Exponential) else value


def _ray(value: fmpq | Exponential | arb | acb | Ray) -> Ray:
    """The number as an interval."""
    if isinstance(value, Ray):
        return value
    if isinstance(value, acb):
        raise UndecidedError("half lines and integrals are not mixed")
    return Ray.of(ball(value))


def not_a_number() -> arb:
    """The ball that says nothing."""
    return arb("nan")


def is_zero(value: Number) -> bool:
    """Is it the exact number 0?"""
    return isinstance(value, fmpq) and value == ZERO


def dual(level: int, value: Number, slope: Number) -> Number:
    """Value + slope * epsilon_level, without an epsilon if the slope is exactly 0."""
    return value if is_zero(slope) else Dual(level, value, slope)


def parts(value: Number, level: int) -> tuple[Number, Number]:
    """Value and slope at a level."""
    if isinstance(value, Dual) and value.level == level:
        return value.value, value.slope
    return value, ZERO


def _level(value: Number) -> int:
    return value.level if isinstance(value, Dual) else 0


def add(a: Number, b: Number) -> Number:
    """The sum."""
    if isinstance(a, Dual) or isinstance(b, Dual):
        level = max(_level(a), _level(b))
        (a0, a1), (b0, b1) = parts(a, level), parts(b, level)
        return dual(level, add(a0, b0), add(a1, b1))
    if is_zero(a):
        return b
    if is_zero(b):
        return a
    if isinstance(a, fmpq | Exponential) and isinstance(b, fmpq | Exponential):
        if isinstance(a, fmpq) and isinstance(b, fmpq):
            return a + b
        try:
            return exponentials.add(a, b)
        except TooLongError:
            return ball(a) + ball(b)
    if isinstance(a, Ray) or isinstance(b, Ray):
        return _ray(a) + _ray(b)
    return _inexact(a) + _inexact(b)


def multiply(a: Number, b: Number) -> Number:
    """The product; the exact number 0 wins over anything, as every term has a finite value."""
    if isinstance(a, Dual) or isinstance(b, Dual):
        level = max(_level(a), _level(b))
        (a0, a1), (b0, b1) = parts(a, level), parts(b, level)
        return dual(level, multiply(a0, b0), add(multiply(a0, b1), multiply(a1, b0)))
    if is_zero(a) or is_zero(b):
        return ZERO
    if isinstance(a, fmpq | Exponential) and isinstance(b, fmpq | Exponential):
        if isinstance(a, fmpq) and isinstance(b, fmpq):
            return a * b
        try:
            return exponentials.multiply(a, b)
        except TooLongError:
            return ball(a) * ball(b)
    if isinstance(a, Ray) or isinstance(b, Ray):
        return _ray(a) * _ray(b)
    return _inexact(a) * _inexact(b)


def negate(a: Number) -> Number:
    """The number times -1."""
    return multiply(fmpq(-1), a)


def subtract(a: Number, b: Number) -> Number:
    """A - b."""
    return add(a, negate(b))


def total(values: Sequence[Number]) -> Number:
    """The sum of all values, 0 for none."""
    result: Number = ZERO
    for value in values:
        result = add(result, value)
    return result


def dot(u: Sequence[Number], v: Sequence[Number]) -> Number:
    """The inner product of two lists of coordinates."""
    return total([multiply(a, b) for a, b in zip(u, v, strict=True)])


def power(a: Number, k: int) -> Number:
    """a^k for an integer k >= 0; a^0 = 1."""
    if k == 0:
        return ONE
    if isinstance(a, Dual):
        slope = multiply(rational(k), multiply(power(a.value, k - 1), a.slope))
        return dual(a.level, power(a.value, k), slope)
    if isinstance(a, Exponential | Ray):
        result: Number = a
        for _ in range(k - 1):
            result = multiply(result, a)
        return result
    return a**k


# --- one-place functions: value, then slope -----------------------------------------------------------------------


def _positive(t: Number) -> bool | None:
    """Is t > 0? `None` if the ball does not tell."""
    if isinstance(t, Dual):
        return _positive(t.value)
    if isinstance(t, Exponential):
        return t.sign() > 0
    if isinstance(t, Ray):
        sign = t.sign()
        return None if sign is None else sign > 0
    if isinstance(t, fmpq):
        return bool(t > ZERO)
    if isinstance(t, acb):
        return True if t.real > 0 else None
    return True if t > 0 else (False if t <= 0 else None)


def _nonzero(t: Number) -> bool | None:
    if isinstance(t, Dual):
        return _nonzero(t.value)
    if isinstance(t, Exponential):
        return True
    if isinstance(t, Ray):
        return None if t.sign() is None else True
    if isinstance(t, fmpq):
        return bool(t != ZERO)
    if isinstance(t, acb):
        return None if t.contains(acb(0)) else True
    return (False if t.is_zero() else None) if t.contains(arb(0)) else True


def _chain(t: Dual, function: Callable[[Number], Number], slope: Callable[[Number], Number]) -> Number:
    return dual(t.level, function(t.value), multiply(slope(t.value), t.slope))


def _demand(condition: bool | None, function: Callable[[Number], Number], what: str) -> Callable[[Number], Number]:
    """`function` if the condition holds, an empty answer if it is open.

    Raises:
        UndefinedError: the condition fails, so the derivative does not exist.
    """
    if condition is True:
        return function
    if condition is None:
        return lambda _: not_a_number()
    raise UndefinedError(f"the derivative needs {what}, which fails at this model")


def inverse(t: Number) -> Number:
    """1/t, and 0 for t = 0."""
    if isinstance(t, Dual):
        slope = _demand(_nonzero(t), lambda v: negate(power(inverse(v), 2)), "inv of a number other than 0")
        return _chain(t, inverse, slope)
    if isinstance(t, Exponential):
        return exponentials.inverse(t)
    if isinstance(t, Ray):
        return t.inverse()
    nonzero = _nonzero(t)
    if nonzero is None:
        return not_a_number()
    return ONE / t if nonzero else ZERO


def exponential(t: Number) -> Number:
    """e^t."""
    if isinstance(t, Dual):
        return _chain(t, exponential, exponential)
    if isinstance(t, fmpq):
        return exponentials.power_of_e(t)
    if isinstance(t, Ray):
        return t.exponential()
    return _inexact(t).exp()


def logarithm(t: Number) -> Number:
    """Log t, and 0 for t <= 0."""
    if isinstance(t, Dual):
        return _chain(t, logarithm, _demand(_positive(t), inverse, "log of a positive number"))
    if isinstance(t, Ray):
        return t.rising(arb.log, above=0)
    positive = _positive(t)
    if positive is None:
        return not_a_number()
    if positive is False or (isinstance(t, fmpq) and t == ONE):
        return ZERO
    if isinstance(t, Exponential):
        known = t.monomial()
        return known[1] if known is not None and known[0] == ONE else t.ball().log()
    return arb(t).log() if isinstance(t, fmpq) else t.log()


def root_of_square(t: fmpq) -> fmpq | None:
    """The rational square root of t >= 0, if it has one."""
    if not (t.p.is_square() and t.q.is_square()):
        return None
    return fmpq(t.p.isqrt(), t.q.isqrt())


def _root_of_exponential(t: Exponential) -> Number:
    if t.sign() < 0:
        return ZERO
    known = t.monomial()
    exact = None if known is None else root_of_square(known[0])
    if known is None or exact is None:
        return t.ball().sqrt()
    return exponentials.monomial(exact, known[1] / 2)


def square_root(t: Number) -> Number:
    """The square root of t, and 0 for t < 0."""
    if isinstance(t, Dual):

        def slope(v: Number) -> Number:
            return multiply(fmpq(1, 2), inverse(square_root(v)))

        return _chain(t, square_root, _demand(_positive(t), slope, "sqrt of a positive number"))
    if isinstance(t, fmpq):
        if t <= ZERO:
            return ZERO
        exact = root_of_square(t)
        return arb(t).sqrt() if exact is None else exact
    if isinstance(t, Exponential):
        return _root_of_exponential(t)
    if isinstance(t, Ray):
        return t.root()
    if isinstance(t, acb):
        return t.sqrt() if _positive(t) else not_a_number()
    if t >= 0:
        return t.sqrt()
    if t < 0:
        return ZERO
    if not t.is_finite():
        return not_a_number()
    return arb(0).union(arb(t.upper()).sqrt())  # the total function takes [-s, r] into [0, sqrt r]


def _slope_off_zero(t: Number, below: int, name: str) -> Callable[[Number], Number]:
    """The slope of a function that is `below` times t for t < 0 and t itself for t > 0."""
    sign = _sign(t)
    slope = rational(1 if sign == 1 else below)
    return _demand(None if sign is None else sign != 0, lambda _: slope, f"{name} of a number other than 0")


def absolute(t: Number) -> Number:
    """|t|."""
    if isinstance(t, Dual):
        return _chain(t, absolute, _slope_off_zero(t.value, -1, "abs"))
    if isinstance(t, fmpq):
        return t if t >= ZERO else -t
    if isinstance(t, Exponential):
        return t if t.sign() > 0 else negate(t)
    if isinstance(t, Ray):
        return t.absolute()
    if isinstance(t, acb):
        sign = _sign(t)
        return not_a_number() if sign is None else t * sign
    return abs(t)


def rectify(t: Number) -> Number:
    """max(0, t)."""
    if isinstance(t, Dual):
        return _chain(t, rectify, _slope_off_zero(t.value, 0, "relu"))
    if isinstance(t, fmpq):
        return max(ZERO, t)
    if isinstance(t, Exponential):
        return t if t.sign() > 0 else ZERO
    if isinstance(t, Ray):
        return t.rectified()
    if isinstance(t, acb):
        sign = _sign(t)
        return not_a_number() if sign is None else (t if sign == 1 else ZERO)
    return ZERO if t <= 0 else arb(0).max(t)


def _sign(t: Number) -> int | None:
    if isinstance(t, Dual):
        return _sign(t.value)
    if isinstance(t, Exponential | Ray):
        return t.sign()
    if isinstance(t, fmpq):
        return (t > ZERO) - (t < ZERO)
    real = t.real if isinstance(t, acb) else t
    return 1 if real > 0 else (-1 if real < 0 else None)


def sine(t: Number) -> Number:
    """Sin t."""
    if isinstance(t, Dual):
        return _chain(t, sine, cosine)
    if isinstance(t, fmpq):
        return ZERO if t == ZERO else arb(t).sin()
    if isinstance(t, Ray):
        return Ray(arb(-1), arb(1))
    return _inexact(t).sin()


def cosine(t: Number) -> Number:
    """Cos t."""
    if isinstance(t, Dual):
        return _chain(t, cosine, lambda v: negate(sine(v)))
    if isinstance(t, fmpq):
        return ONE if t == ZERO else arb(t).cos()
    if isinstance(t, Ray):
        return Ray(arb(-1), arb(1))
    return _inexact(t).cos()


def hyperbolic_sine(t: Number) -> Number:
    """(e^t - e^-t)/2."""
    return multiply(fmpq(1, 2), subtract(exponential(t), exponential(negate(t))))


def hyperbolic_cosine(t: Number) -> Number:
    """(e^t + e^-t)/2."""
    return multiply(fmpq(1, 2), add(exponential(t), exponential(negate(t))))


def hyperbolic_tangent(t: Number) -> Number:
    """1 - 2/(e^(2t) + 1)."""
    return subtract(ONE, multiply(fmpq(2), inverse(add(exponential(multiply(fmpq(2), t)), ONE))))


def hyperbolic_cotangent(t: Number) -> Number:
    """1 + 2/(e^(2t) - 1), which is 1 at t = 0 because 1/0 = 0."""
    return add(ONE, multiply(fmpq(2), inverse(subtract(exponential(multiply(fmpq(2), t)), ONE))))


def area_sine(t: Number) -> Number:
    """log(t + sqrt(t^2 + 1)), the inverse of the hyperbolic sine."""
    if isinstance(t, arb):
        return t.asinh()  # the same function; narrower on a wide ball
    return logarithm(add(t, square_root(add(power(t, 2), ONE))))


def exponential_integral(t: Number) -> Number:
    """Ei(t), and 0 at t = 0."""
    if isinstance(t, Dual):
        derivative = _demand(_nonzero(t), lambda v: multiply(exponential(v), inverse(v)), "Ei of a number other than 0")
        return _chain(t, exponential_integral, derivative)
    if isinstance(t, fmpq):
        return ZERO if t == ZERO else arb(t).ei()
    if isinstance(t, Exponential):
        return t.ball().ei()
    if isinstance(t, Ray):
        return t.rising(arb.ei, above=0)
    if isinstance(t, acb):
        # Ei has a cut on the negative axis; -E1(-t) agrees with it on the negative real numbers and is analytic
        # around them.
        if t.real > 0:
            return t.ei()
        return -(-t).expint(acb(1)) if t.real < 0 else not_a_number()
    return t.ei() if _nonzero(t) else not_a_number()


def lambert(t: Number) -> Number:
    """The principal branch of Lambert's W for t >= -1/e, and 0 elsewhere."""
    if isinstance(t, Dual):
        inside = _positive(add(t.value, exponential(fmpq(-1))))

        def slope(v: Number) -> Number:
            w = lambert(v)
            return inverse(multiply(exponential(w), add(ONE, w)))

        return _chain(t, lambert, _demand(inside, slope, "W of a number above -1/e"))
    if isinstance(t, fmpq) and t == ZERO:
        return ZERO
    if isinstance(t, Ray):
        return t.rising(arb.lambertw, above=0)
    if isinstance(t, acb):
        return t.lambertw() if t.real > 0 else not_a_number()
    argument = ball(t)
    above = argument + arb(-1).exp()
    if above < 0:
        return ZERO
    return argument.lambertw() if above > 0 else not_a_number()


FUNCTIONS: dict[str, Callable[[Number], Number]] = {
    "inv": inverse,
    "exp": exponential,
    "log": logarithm,
    "sqrt": square_root,
    "abs": absolute,
    "relu": rectify,
    "sin": sine,
    "cos": cosine,
}
"""The tags with one argument."""

NAMED_FUNCTIONS: dict[str, Callable[[Number], Number]] = {
    "sinh": hyperbolic_sine,
    "cosh": hyperbolic_cosine,
    "tanh": hyperbolic_tangent,
    "coth": hyperbolic_cotangent,
    "arsinh": area_sine,
    "Ei": exponential_integral,
    "W": lambert,
}
"""The functions of the tag `fn`."""
