"""Balls at rising precision: signs, roots, integrals, and the digits that are proven.

Everything is evaluated with Arb balls (python-flint) at the precision of the context, which is changed through
`flint.ctx.workprec` alone. A step that cannot decide at the current precision raises `NeedPrecisionError`; the loops
`sign` and `truncated` then double it, and raise `UndecidedError` with the limit when that does not help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flint import acb, arb, ctx, fmpq, fmpz

T = TypeVar("T")

FIRST = 96
LAST = 40_000
"""Precisions, in bits, of the loop that decides a sign."""
LARGEST_MAGNITUDE = 100_000
"""Values beyond 10 to plus or minus this are not printed."""


class NeedPrecisionError(ArithmeticError):
    """Not decided at the precision of the context."""


class UndecidedError(ArithmeticError):
    """Not decided at the highest precision tried; the message names it."""


def ball(value: Fraction | int) -> arb:
    """An exact rational as a ball at the current precision."""
    exact = Fraction(value)
    return arb(fmpq(fmpz(exact.numerator), fmpz(exact.denominator)))


def sign_now(value: arb) -> int:
    """The sign of a ball that excludes zero, 1 or -1.

    Raises:
        NeedPrecisionError: the ball contains zero or is not finite.
    """
    if value.is_finite():
        if value > 0:
            return 1
        if value < 0:
            return -1
    raise NeedPrecisionError("the ball contains zero")


def precisions(first: int, last: int) -> Iterator[int]:
    """first, 2 first, 4 first, ... up to last, last included."""
    bits = first
    while bits < last:
        yield bits
        bits *= 2
    yield last


def sign(enclose: Callable[[], arb], what: str, last: int = LAST) -> int:
    """The sign of a number that is not zero, 1 or -1.

    Raises:
        UndecidedError: not decided at `last` bits, as when the number is zero; `what` names it.
    """
    for bits in precisions(FIRST, last):
        with ctx.workprec(bits):
            try:
                return sign_now(enclose())
            except NeedPrecisionError:
                continue
    raise UndecidedError(f"the sign of {what} is not decided with {last} bits; move a parameter off the boundary case")


def decide(question: Callable[[], T], what: str, last: int = LAST) -> T:
    """The answer of a question that may ask for more precision.

    Raises:
        UndecidedError: it still does at `last` bits.
    """
    for bits in precisions(FIRST, last):
        with ctx.workprec(bits):
            try:
                return question()
            except NeedPrecisionError:
                continue
    raise UndecidedError(f"{what} is not decided with {last} bits; move a parameter off the boundary case")


def _sign_near(function: Callable[[arb], arb], point: arb, last: int) -> int:
    """Sign of a function at an exact point, at whatever precision it takes up to `last`."""
    for bits in precisions(FIRST, last):
        with ctx.workprec(bits):
            try:
                return sign_now(function(point))
            except NeedPrecisionError:
                continue
    raise NeedPrecisionError("the sign at a point of the bracket is not decided")


def root(
    function: Callable[[arb], arb], derivative: Callable[[arb], arb], lower: arb | Fraction, upper: arb | Fraction
) -> arb:
    """The root of a function in a bracket, to about the current precision.

    The caller answers for the bracket holding one root only (each caller says why). Opposite signs at its ends prove
    that there is one; bisection shrinks the bracket until the interval Newton map sends it into itself, which proves
    the root unique there, and Newton steps at doubling precision sharpen it.

    Args:
        function: on balls, evaluated at the precision of the context.
        derivative: its derivative, on balls.
        lower: left end; a ball stands for its outer end.
        upper: right end; likewise.

    Raises:
        NeedPrecisionError: the signs at the ends are equal or not decided.
    """
    goal = ctx.prec
    low = ball(lower).lower() if isinstance(lower, Fraction) else lower.lower()
    high = ball(upper).upper() if isinstance(upper, Fraction) else upper.upper()
    low, high = arb(low), arb(high)
    most = goal + 64
    sign_low, sign_high = _sign_near(function, low, most), _sign_near(function, high, most)
    if sign_low == sign_high:
        raise NeedPrecisionError("the ends of the bracket have equal signs")
    bits = FIRST
    enclosure = None
    for _ in range(8 * most):
        with ctx.workprec(bits):
            whole = low.union(high)
            enclosure = _newton(function, derivative, whole)
            if enclosure is not None:
                break
            if high - low <= 0 or (whole.rel_accuracy_bits() > bits - 16 and bits < most):
                bits = min(2 * bits, most)
                continue
            middle = _inside(low, high)
            try:
                sign_middle = _sign_near(function, middle, most)
            except NeedPrecisionError:
                middle = arb(((5 * low + 3 * high) / 8).mid())
                sign_middle = _sign_near(function, middle, most)
        if sign_middle == sign_low:
            low = middle
        else:
            high = middle
    if enclosure is None:
        raise NeedPrecisionError("bisection did not reach the region of Newton's method")
    # Each step doubles the right digits; two at the end remove what the last doubling left.
    for step_bits in (*precisions(bits, most), most):
        with ctx.workprec(step_bits):
            sharper = _newton(function, derivative, enclosure, strict=False)
            if sharper is not None:
                enclosure = sharper
    return enclosure


def _inside(low: arb, high: arb) -> arb:
    """A point to bisect at: the geometric mean while the ends are positive and far apart, else the middle."""
    if low > 0 and high > 16 * low:
        return arb((low * high).sqrt().mid())
    return arb(((low + high) / 2).mid())


def _newton(
    function: Callable[[arb], arb], derivative: Callable[[arb], arb], whole: arb, strict: bool = True
) -> arb | None:
    """Interval Newton image, or None: strictly inside `whole` when asked for, else cut with it."""
    slope = derivative(whole)
    if not slope.is_finite() or slope.contains(0):
        return None
    middle = arb(whole.mid())
    image = middle - function(middle) / slope
    if not image.is_finite():
        return None
    if strict:
        return image if whole.contains_interior(image) else None
    return whole.intersection(image) if whole.overlaps(image) else None


EVALUATIONS = 400_000
"""Most evaluations of an integrand in one quadrature."""


def integral(function: Callable[[acb], acb], lower: arb, upper: arb) -> arb:
    """Rigorous integral of a meromorphic function that is real on the real line (Arb, adaptive Gauss-Legendre).

    The absolute tolerance follows the size of the integrand at a few points; it steers the work, the ball returned is
    an enclosure whatever it is.

    Raises:
        UndecidedError: the quadrature met its limit of evaluations.
    """
    length = upper - lower
    samples = [abs(function(acb(lower + length * index / 64)).real) for index in range(65)]
    size = sum(samples, arb(0)) * abs(length) / 64
    tolerance = size.mid() * arb(2) ** -ctx.prec if size.is_finite() else None
    failed: list[BaseException] = []

    def values(point: acb, _analytic: bool) -> acb:
        # What is raised here (Ctrl-C, say) would be heard only after all evaluations, and as another exception.
        if not failed:
            try:
                return function(point)
            except BaseException as error:  # noqa: BLE001  raised again below
                failed.append(error)
        return acb(arb.nan())

    value = acb.integral(values, acb(lower), acb(upper), abs_tol=tolerance, eval_limit=EVALUATIONS)
    if failed:
        raise failed[0]
    if not value.is_finite():
        raise UndecidedError(
            f"an integral is not enclosed within {EVALUATIONS} evaluations; the parameters are too extreme for unequal "
            "heads; give smaller beta or lambda, or fewer digits"
        )
    real: arb = value.real
    return real


@dataclass(frozen=True)
class Digits:
    """A number truncated toward zero to proven digits.

    Attributes:
        sign: -1, 0 or 1.
        mantissa: the digits as an integer, without leading zeros.
        exponent: the value is at least sign * mantissa * 10^exponent in size, and less than one unit more.
        exact: whether it equals that.
    """

    sign: int
    mantissa: int
    exponent: int
    exact: bool

    @property
    def lower(self) -> Fraction:
        """Largest proven lower bound of the number."""
        size = self.mantissa + (0 if self.exact or self.sign >= 0 else 1)
        return (self.sign or 1) * size * Fraction(10) ** self.exponent

    @property
    def upper(self) -> Fraction:
        """Smallest proven upper bound of the number."""
        size = self.mantissa + (0 if self.exact or self.sign < 0 else 1)
        return (self.sign or 1) * size * Fraction(10) ** self.exponent

    def text(self) -> str:
        """The digits as a decimal string."""
        # FLINT writes integers of any length; Python refuses beyond 4,300 digits.
        return decimal_text(self.sign, fmpz(self.mantissa).str(), self.exponent, self.exact)

    def radius(self) -> str:
        """A bound on the distance of the number from the text, as a decimal string."""
        return "0" if self.exact else f"1e{self.exponent}"


def decimal_text(sign: int, digits: str, exponent: int, exact: bool) -> str:
    """Write sign * digits * 10^exponent; positional when that shows no digit that is not proven, else scientific."""
    prefix = "-" if sign < 0 else ""
    leading = len(digits) - 1 + exponent
    if exponent > 0 and not (exact and leading < 40):
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{prefix}{digits[0]}{tail}e{leading}"
    if exponent >= 0:
        return prefix + digits + "0" * exponent
    if leading >= 0:
        return f"{prefix}{digits[: leading + 1]}.{digits[leading + 1 :]}"
    if leading >= -7:
        return f"{prefix}0.{'0' * (-leading - 1)}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{prefix}{digits[0]}{tail}e{leading}"


def exact_digits(value: Fraction, digits: int) -> Digits:
    """Truncation of a rational; exact values end where they end."""
    if value == 0:
        return Digits(0, 0, 0, True)
    size = abs(value)
    exponent = _decimal_exponent(size) - (digits - 1)
    scaled = size / Fraction(10) ** exponent
    mantissa = scaled.numerator // scaled.denominator
    exact = mantissa == scaled
    while exact and mantissa % 10 == 0 and exponent < 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    return Digits(1 if value > 0 else -1, mantissa, exponent, exact)


def _decimal_exponent(size: Fraction) -> int:
    """floor(log10(size)) of a positive rational."""
    guess = len(str(size.numerator)) - len(str(size.denominator))
    while Fraction(10) ** guess > size:
        guess -= 1
    while Fraction(10) ** (guess + 1) <= size:
        guess += 1
    return guess


def truncated(enclose: Callable[[], arb], digits: int, what: str, below: Fraction | None = None) -> Digits:
    """The first `digits` significant digits of a number, truncated toward zero, all proven.

    Args:
        enclose: the number as a ball, at the precision of the context.
        digits: how many.
        what: the number's name, for errors.
        below: a rational that the number's size is known to be strictly less than; it decides digits where the number
            comes exponentially close to a decimal.

    Raises:
        UndecidedError: the digits are not decided at the highest precision tried, or the value is too large or small.
    """
    first = int(3.33 * digits) + 48
    last = 8 * first + 16_384
    for bits in precisions(first, last):
        with ctx.workprec(bits):
            try:
                found = _leading_digits(enclose(), digits, what, below)
            except NeedPrecisionError:
                continue
            if found is not None:
                return found
    raise UndecidedError(f"{digits} digits of {what} are not decided with {last} bits; ask for fewer digits")


def _leading_digits(value: arb, digits: int, what: str, below: Fraction | None) -> Digits | None:
    """The digits if the ball decides them, else None."""
    side = sign_now(value)
    size = abs(value)
    logarithm = size.log() / arb(10).log()
    if not logarithm.is_finite():
        return None
    if logarithm > LARGEST_MAGNITUDE or logarithm < -LARGEST_MAGNITUDE:
        beyond = "above 1e+" if logarithm > 0 else "below 1e-"
        raise UndecidedError(f"{what} is {beyond}{LARGEST_MAGNITUDE} in size and is not printed; move a parameter")
    guess = logarithm.mid().floor().unique_fmpz()
    if guess is None:
        return None
    for leading in (int(guess), int(guess) - 1, int(guess) + 1):
        exponent = leading - (digits - 1)
        scaled = size * arb(10) ** -exponent
        whole = scaled.floor().unique_fmpz()
        if whole is None and below is not None:
            # floor(x) for lower <= x < bound lies between floor(lower) and ceil(bound) - 1.
            least = scaled.lower().floor().unique_fmpz()
            most = -((-below / Fraction(10) ** exponent).__floor__()) - 1
            whole = least if least is not None and int(least) == most else None
        if whole is not None and 10 ** (digits - 1) <= int(whole) < 10**digits:
            return Digits(side, int(whole), exponent, False)
    return None
