"""Exact arithmetic with quotients of sums of q * e^r, q and r rational.

Powers of e with distinct rational exponents are linearly independent over the rationals (Lindemann-Weierstrass), so
such a sum is zero only if every coefficient is. Hence equality is decided exactly and every sign by enough bits;
attention weights with rational scores stay exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from flint import arb, ctx, fmpq

Terms: TypeAlias = dict[fmpq, fmpq]
"""Coefficient of e^r by r, none of them 0."""

MAX_TERMS = 400
"""A longer sum is handed on as a ball."""
MAX_PRODUCTS = 20_000
"""So is a product with more terms before they are collected."""

_exact: ContextVar[bool] = ContextVar("exact", default=True)

_ZERO = fmpq(0)
_ONE = fmpq(1)
_UNIT: Terms = {_ZERO: _ONE}


class TooLongError(ArithmeticError):
    """The exact value has too many terms; its ball has to do."""


class Exponential:
    """top / bottom, two sums of q * e^r; irrational. Made by `exponential` and the functions below."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: Terms, bottom: Terms) -> None:
        self.top = top
        self.bottom = bottom

    def ball(self) -> arb:
        """An enclosure at the current precision."""
        top = _ball(self.top)
        return top if self.bottom == _UNIT else top / _ball(self.bottom)

    def sign(self) -> int:
        """1 or -1; the value is never 0."""
        return _sign(self.top) * _sign(self.bottom)

    def monomial(self) -> tuple[fmpq, fmpq] | None:
        """(q, r) if the value is q * e^r."""
        if self.bottom == _UNIT and len(self.top) == 1:
            ((exponent, coefficient),) = self.top.items()
            return coefficient, exponent
        return None


Exact: TypeAlias = fmpq | Exponential


@contextmanager
def balls_only() -> Iterator[None]:
    """Inside, powers of e are balls: faster, and enough for a strict comparison."""
    token = _exact.set(False)
    try:
        yield
    finally:
        _exact.reset(token)


def power_of_e(exponent: fmpq) -> Exact | arb:
    """e^r."""
    return monomial(_ONE, exponent) if _exact.get() or exponent == _ZERO else arb(exponent).exp()


def monomial(coefficient: fmpq, exponent: fmpq) -> Exact:
    """Q * e^r."""
    return coefficient if exponent == _ZERO or coefficient == _ZERO else Exponential({exponent: coefficient}, _UNIT)


def add(a: Exact, b: Exact) -> Exact:
    """The sum.

    Raises:
        TooLongError: it has too many terms.
    """
    (top, bottom), (other_top, other_bottom) = _parts(a), _parts(b)
    if bottom == other_bottom:
        return _quotient(_sum(top, other_top), bottom)
    return _quotient(_sum(_product(top, other_bottom), _product(other_top, bottom)), _product(bottom, other_bottom))


def multiply(a: Exact, b: Exact) -> Exact:
    """The product.

    Raises:
        TooLongError: it has too many terms.
    """
    (top, bottom), (other_top, other_bottom) = _parts(a), _parts(b)
    if top == other_bottom:
        return _quotient(other_top, bottom)
    if other_top == bottom:
        return _quotient(top, other_bottom)
    return _quotient(_product(top, other_top), _product(bottom, other_bottom))


def inverse(a: Exponential) -> Exact:
    """1/a."""
    return _quotient(a.bottom, a.top)


def _parts(value: Exact) -> tuple[Terms, Terms]:
    if isinstance(value, Exponential):
        return value.top, value.bottom
    return ({_ZERO: value} if value != _ZERO else {}), _UNIT


def _sum(a: Terms, b: Terms) -> Terms:
    result = dict(a)
    for exponent, coefficient in b.items():
        total = result.get(exponent, _ZERO) + coefficient
        if total == _ZERO:
            del result[exponent]
        else:
            result[exponent] = total
    return result


def _product(a: Terms, b: Terms) -> Terms:
    if b == _UNIT:
        return a
    if a == _UNIT:
        return b
    if len(a) * len(b) > MAX_PRODUCTS:
        raise TooLongError
    result: Terms = {}
    for exponent, coefficient in a.items():
        for other, factor in b.items():
            total = result.get(exponent + other, _ZERO) + coefficient * factor
            if total == _ZERO:
                del result[exponent + other]
            else:
                result[exponent + other] = total
    return result


def _quotient(top: Terms, bottom: Terms) -> Exact:
    """The value of top / bottom, as a rational if it is one."""
    if not top:
        return _ZERO
    if len(bottom) == 1 and bottom != _UNIT:
        ((shift, factor),) = bottom.items()
        top, bottom = {exponent - shift: coefficient / factor for exponent, coefficient in top.items()}, _UNIT
    elif len(bottom) == len(top):
        ratio = _ratio(top, bottom)
        if ratio is not None:
            return monomial(*ratio)
    if bottom == _UNIT and len(top) == 1 and _ZERO in top:
        return top[_ZERO]
    if len(top) + len(bottom) > MAX_TERMS:
        raise TooLongError
    return Exponential(top, bottom)


def _ratio(top: Terms, bottom: Terms) -> tuple[fmpq, fmpq] | None:
    """(q, r) if top = q * e^r * bottom."""
    first, second = min(top), min(bottom)
    shift, factor = first - second, top[first] / bottom[second]
    same = all(top.get(exponent + shift) == coefficient * factor for exponent, coefficient in bottom.items())
    return (factor, shift) if same else None


def _ball(terms: Mapping[fmpq, fmpq]) -> arb:
    result = arb(0)
    for exponent, coefficient in terms.items():
        result += arb(coefficient) * arb(exponent).exp()
    return result


def _sign(terms: Mapping[fmpq, fmpq]) -> int:
    if all(coefficient > _ZERO for coefficient in terms.values()):
        return 1
    precision = 64
    while True:  # ends, because the sum is not 0
        with ctx.workprec(precision):
            value = _ball(terms)
        if value > 0:
            return 1
        if value < 0:
            return -1
        precision *= 2
