"""All real roots of a polynomial on [0, 1], isolated exactly.

Method: the coefficients (floats are dyadic rationals) become integers; roots of even multiplicity are kept by passing
to the square-free part; Descartes' rule of signs after the Moebius map x -> 1/(1+x) bounds the number of roots on an
interval, and bisection goes on until each interval holds none or one (Collins and Akritas 1976). Nothing is rounded
before the final location is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpz, fmpz_poly


@dataclass(frozen=True)
class Root:
    """One real root.

    Attributes:
        location: the root, to the last bit or so of a float.
        lower, upper: an exact isolating interval (equal when the root is that rational).
        before, after: the polynomial's sign on each side, -1 or 1; equal where it only touches zero.
    """

    location: float
    lower: Fraction
    upper: Fraction
    before: int
    after: int


def integer_polynomial(coefficients: Sequence[float | Fraction | int]) -> fmpz_poly:
    """A positive multiple with integer coefficients, lowest degree first.

    Raises:
        ValueError: a coefficient is not finite.
    """
    if any(isinstance(entry, float) and not math.isfinite(entry) for entry in coefficients):
        raise ValueError("a coefficient is not finite; give finite numbers")
    exact = [Fraction(entry) for entry in coefficients]
    common = math.lcm(*(entry.denominator for entry in exact)) if exact else 1
    return fmpz_poly([int(entry * common) for entry in exact])


def _variations(polynomial: fmpz_poly) -> int:
    """Sign variations of (1+x)^deg p(1/(1+x)): a bound on the roots in (0, 1), exact when 0 or 1."""
    reversed_coefficients = fmpz_poly(list(reversed(polynomial.coeffs())))
    shifted = reversed_coefficients(fmpz_poly([1, 1]))
    signs = [1 if entry > 0 else -1 for entry in shifted.coeffs() if entry != 0]
    return sum(first != second for first, second in itertools.pairwise(signs))


def _sign_at(polynomial: fmpz_poly, point: Fraction) -> int:
    value = polynomial(fmpq(point.numerator, point.denominator))
    return 0 if value == 0 else (1 if value > 0 else -1)


def _isolate(polynomial: fmpz_poly) -> list[tuple[Fraction, Fraction]]:
    """Isolating intervals of a square-free polynomial's roots in [0, 1], in order."""
    found: list[tuple[Fraction, Fraction]] = []
    if _sign_at(polynomial, Fraction(0)) == 0:
        found.append((Fraction(0), Fraction(0)))
    if _sign_at(polynomial, Fraction(1)) == 0:
        found.append((Fraction(1), Fraction(1)))
    pending = [(polynomial, Fraction(0), Fraction(1))]
    while pending:
        local, lower, width = pending.pop()
        count = _variations(local)
        if count == 0:
            continue
        if count == 1:
            found.append((lower, lower + width))
            continue
        half = width / 2
        degree = local.degree()
        left = fmpz_poly([entry * fmpz(2) ** (degree - power) for power, entry in enumerate(local.coeffs())])
        if _sign_at(local, Fraction(1, 2)) == 0:
            found.append((lower + half, lower + half))
        pending.append((left, lower, half))
        pending.append((left(fmpz_poly([1, 1])), lower + half, half))
    return sorted(found)


def _refined(polynomial: fmpz_poly, lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction]:
    """The isolating interval of a square-free polynomial's root, narrowed to 2^-60.

    An end of the open interval may itself be another root; the sign just inside it is that of the derivative there.
    """
    derivative = polynomial.derivative()
    sign_low = _sign_at(polynomial, lower) or _sign_at(derivative, lower)
    while upper - lower > Fraction(1, 1 << 60):
        middle = (lower + upper) / 2
        sign = _sign_at(polynomial, middle)
        if sign == 0:
            return middle, middle
        if sign == sign_low:
            lower = middle
        else:
            upper = middle
    return lower, upper


def unit_interval_roots(coefficients: Sequence[float | Fraction | int]) -> list[Root]:
    """Every root in [0, 1] of the polynomial with these coefficients, lowest degree first, in ascending order.

    Raises:
        ValueError: all coefficients are zero, so that every point is a root, or one is not finite.
    """
    polynomial = integer_polynomial(coefficients)
    if polynomial.degree() < 0:
        raise ValueError("the polynomial is zero everywhere; every point is a root")
    if polynomial.degree() == 0:
        return []
    square_free = polynomial // polynomial.gcd(polynomial.derivative())
    intervals = [
        (lower, upper) if lower == upper else _refined(square_free, lower, upper)
        for lower, upper in _isolate(square_free)
    ]
    roots = []
    for lower, upper in intervals:
        order = _multiplicity_parity_odd(polynomial, lower, upper)
        after = _sign_after(polynomial, upper)
        roots.append(Root(float((lower + upper) / 2), lower, upper, -after if order else after, after))
    return roots


def _sign_after(polynomial: fmpz_poly, point: Fraction) -> int:
    """Sign just right of a point: the first derivative that does not vanish there decides."""
    current = polynomial
    while True:
        sign = _sign_at(current, point)
        if sign != 0:
            return sign
        current = current.derivative()


def _sign_before(polynomial: fmpz_poly, point: Fraction) -> int:
    """Sign just left of a point."""
    current, flip = polynomial, 1
    while True:
        sign = _sign_at(current, point)
        if sign != 0:
            return sign * flip
        current, flip = current.derivative(), -flip


def _multiplicity_parity_odd(polynomial: fmpz_poly, lower: Fraction, upper: Fraction) -> bool:
    """Whether the sign changes across the one root in [lower, upper]."""
    return _sign_before(polynomial, lower) != _sign_after(polynomial, upper)
