"""Enclosures that need a search: the largest singular value of a matrix, and the zeros of a function in an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from antumbra.proofs.kernel.arithmetic import (
    ZERO,
    Dual,
    Number,
    UndecidedError,
    absolute,
    ball,
    dot,
    not_a_number,
    rational,
    square_root,
)
from antumbra.proofs.kernel.rays import Ray
from flint import acb, arb, arb_mat, ctx, fmpq, fmpq_mat

Real: TypeAlias = fmpq | arb
Slope: TypeAlias = Callable[[Real | Ray], tuple[Real | Ray, Real | Ray]]
"""Value and derivative of a function."""

# --- operator norm ------------------------------------------------------------------------------------------------


def operator_norm(columns: Sequence[Sequence[Number]]) -> Number:
    """The largest singular value of the matrix with these columns; exact when its square is rational.

    Raises:
        UndecidedError: an entry moves along a flow or depends on the variable of an integral.
    """
    if any(isinstance(entry, Dual | acb) for column in columns for entry in column):
        raise UndecidedError("the operator norm of a map that moves is not evaluated")
    if len(columns) == 1:
        return absolute(columns[0][0])
    gram: list[list[Any]] = [[dot(u, v) for v in columns] for u in columns]
    exact = all(isinstance(entry, fmpq) for row in gram for entry in row)
    if exact:
        largest = _rational_largest_eigenvalue(fmpq_mat(gram))
        if largest is not None:
            return square_root(largest)
    return square_root(_largest_eigenvalue(gram))


def _rational_largest_eigenvalue(gram: fmpq_mat) -> fmpq | None:
    """The largest eigenvalue of a positive semidefinite rational matrix, if it is rational."""
    roots = [
        -polynomial[0] / polynomial[1] for polynomial, _ in gram.charpoly().factor()[1] if polynomial.degree() == 1
    ]
    if len(roots) == 0:
        return None
    candidate = max(roots)
    size = gram.nrows()
    rest = fmpq_mat(size, size, [candidate if i == j else ZERO for i in range(size) for j in range(size)]) - gram
    # Positive semidefinite iff the coefficients of det(t + rest) are all >= 0; those of det(t - rest) alternate in
    # sign.
    coefficients = rest.charpoly().coeffs()
    return candidate if all(c * (-1) ** (size - k) >= 0 for k, c in enumerate(coefficients)) else None


def _largest_eigenvalue(gram: list[list[Any]]) -> arb:
    """An enclosure by traces of powers: (tr S^p / size)^(1/p) <= largest <= (tr S^p)^(1/p), p = 2^k."""
    size, goal = len(gram), ctx.prec
    with ctx.workprec(2 * goal + 32):
        matrix = arb_mat([[ball(entry) for entry in row] for row in gram])
        log_scale = arb(0)  # matrix = S^p / e^(p * log_scale)
        steps = goal + 8
        for k in range(steps):
            trace = matrix.trace()
            if not trace > 0:
                upper = arb(0).max(arb(gram_trace(gram).upper()))
                return arb(0).union(upper) if upper.is_finite() else not_a_number()
            matrix = matrix * (1 / trace)
            log_scale += trace.log() / arb(2) ** k
            matrix = matrix * matrix
        trace = matrix.trace()
        if not trace > 0:
            return not_a_number()
        upper = (log_scale + trace.log() / arb(2) ** steps).exp()
        lower = (log_scale + (trace / size).log() / arb(2) ** steps).exp()
        return lower.union(upper)


def gram_trace(gram: list[list[Any]]) -> arb:
    """The trace of a matrix, as a ball."""
    result = arb(0)
    for k, row in enumerate(gram):
        result += ball(row[k])
    return result


# --- zeros --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Zeros:
    """How many zeros a function has in an open interval, and where the only one is.

    `count` is `None` if it is not known; 2 means two or more.
    """

    count: int | None
    place: Real | None = None


def zeros(function: Slope, low: Real, high: Real | None) -> Zeros:
    """Count the zeros in the open interval (low, high), or above low, and enclose the only one.

    `function` gives value and slope at a point, over a ball or over a half line. The interval is halved until each
    piece has a slope of one sign or a value other than zero; a zero at a multiple place is never isolated. Ends that
    are not exact are allowed if the function does not vanish where they may be.
    """
    for end in (low, high):
        if isinstance(end, arb) and _sign(function(end)[0]) in (0, None):
            return Zeros(None)
    start = low if isinstance(low, fmpq) else low.upper().fmpq()
    if high is not None:
        stop = high if isinstance(high, fmpq) else high.lower().fmpq()
        return Zeros(0) if start >= stop else _search(function, start, stop)
    found = Zeros(None)
    for bits in range(4, 14):
        far = max(start, ZERO) + 2**bits
        found = _search(function, start, far)
        if found.count is not None and found.count > 1:
            return found
        if found.count is not None and _sign(function(far)[0]) not in (0, None) and _no_zero_beyond(function, far):
            return found
    return Zeros(None)


def _no_zero_beyond(function: Slope, far: fmpq) -> bool:
    """Is it certain that the function does not vanish from `far` on?"""
    value, slope = function(Ray(ball(far).lower(), arb.pos_inf()))
    return _sign(value) is not None or _sign(slope) == _sign(function(far)[0])


def _search(function: Slope, low: fmpq, high: fmpq) -> Zeros:
    pieces, found, budget = [(low, high)], list[tuple[fmpq, fmpq]](), 4000
    exact: set[Fraction] = set()
    while pieces:
        a, b = pieces.pop()
        budget -= 1
        if budget < 0:
            return Zeros(None)
        middle = (a + b) / 2
        value, slope = function(_over(a, b))
        if _sign(value) not in (0, None):
            continue
        if _sign(slope) in (0, None):
            if b - a < (high - low) / 2**40:
                return Zeros(None)
            pieces += [(a, middle), (middle, b)]
            continue
        # Monotone on [a, b]: the signs at the ends decide.
        left, right = _sign(function(a)[0]), _sign(function(b)[0])
        if left is None or right is None:
            return Zeros(None)
        for end, sign in ((a, left), (b, right)):
            if sign == 0 and end not in (low, high):
                exact.add(Fraction(int(end.p), int(end.q)))
        if left * right < 0:
            found.append((a, b))
    count = len(found) + len(exact)
    if count != 1:
        return Zeros(min(count, 2))
    if exact:
        return Zeros(1, rational(exact.pop()))
    return Zeros(1, _refine(function, *found[0]))


def _over(a: fmpq, b: fmpq) -> arb:
    return arb(a).union(arb(b))


def _refine(function: Slope, a: fmpq, b: fmpq) -> Real:
    """A narrow enclosure of the zero in (a, b) of a function that is monotone there: Newton's method with balls."""
    enclosure = _over(a, b)
    for _ in range(4 * ctx.prec):
        middle = arb(enclosure.mid())
        value, slope = _ball(function(middle)[0]), _ball(function(enclosure)[1])
        if value.is_zero():
            return middle
        step = middle - value / slope
        if not step.is_finite() or not step.overlaps(enclosure):
            break  # the slope is not enclosed well enough to go on
        narrower = step.intersection(enclosure)
        if not narrower.rad() < enclosure.rad() * arb(0.9):
            break
        enclosure = narrower
    return enclosure


def _ball(value: Real | Ray) -> arb:
    return not_a_number() if isinstance(value, Ray) else ball(value)


def _sign(value: Real | Ray) -> int | None:
    if isinstance(value, Ray):
        return value.sign()
    if isinstance(value, fmpq):
        return (value > ZERO) - (value < ZERO)
    return 1 if value > 0 else (-1 if value < 0 else None)
