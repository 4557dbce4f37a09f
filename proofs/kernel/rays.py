"""Interval arithmetic on half lines: ends may be infinite, so that a function can be judged beyond every bound.

A ball of infinite radius forgets on which side of 0 it lies; an interval [R, oo) does not. Every operation rounds
outwards. The whole line is the answer to everything that is not known: every function here is total and real.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, fmpq


def _infinity() -> arb:
    return arb.pos_inf()


@dataclass(frozen=True, eq=False)
class Ray:
    """The numbers from `low` to `high`, two exact balls, either of which may be infinite."""

    low: arb
    high: arb

    @staticmethod
    def of(value: fmpq | arb) -> Ray:
        """The interval of a number or a ball; the whole line for a ball that says nothing."""
        enclosure = arb(value) if isinstance(value, fmpq) else value
        return _between(enclosure, enclosure)

    def sign(self) -> int | None:
        """1 or -1 if all numbers have that sign."""
        return 1 if self.low > 0 else (-1 if self.high < 0 else None)

    def __add__(self, other: Ray) -> Ray:
        return _between(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Ray) -> Ray:
        products = [_product(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        if any(product.is_nan() for product in products):
            return whole_line()
        low, high = products[0], products[0]
        for product in products[1:]:
            low, high = low.min(product), high.max(product)
        return _between(low, high)

    def inverse(self) -> Ray:
        """1/t; the whole line if 0 is inside."""
        return whole_line() if self.sign() is None else _between(1 / self.high, 1 / self.low)

    def absolute(self) -> Ray:
        """|t|."""
        if self.sign() == 1:
            return self
        return Ray(arb(0).max(self.low).max(-self.high), (-self.low).max(self.high))

    def rectified(self) -> Ray:
        """max(0, t)."""
        return Ray(arb(0).max(self.low), arb(0).max(self.high))

    def rising(self, function: Callable[[arb], arb], *, above: int | None = None) -> Ray:
        """The values of an increasing, unbounded function; the whole line unless all of t is above `above`."""
        if above is not None and not self.low > above:
            return whole_line()
        low, high = (function(end) if end.is_finite() else end for end in (self.low, self.high))
        return _between(low, high)

    def exponential(self) -> Ray:
        """e^t."""
        low = self.low.exp() if self.low.is_finite() else arb(0)
        return _between(low, self.high.exp() if self.high.is_finite() else self.high)

    def root(self) -> Ray:
        """The square root, 0 below 0."""
        return self.rectified().rising(arb.sqrt)


def whole_line() -> Ray:
    """All numbers."""
    return Ray(-_infinity(), _infinity())


def _between(low: arb, high: arb) -> Ray:
    if low.is_nan() or high.is_nan():
        return whole_line()
    return Ray(low.lower(), high.upper())


def _product(a: arb, b: arb) -> arb:
    """The product of two ends, where 0 times infinity is 0: the numbers inside are finite."""
    return arb(0) if a.is_zero() or b.is_zero() else a * b
