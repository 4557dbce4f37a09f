"""One number by two formulas or definitions, enclosed to fifty digits and more.

Both routes return Arb balls at the precision of the context. The precision is doubled until both balls are narrow
enough; balls that do not overlap at any precision refute the equality. A second library for the same formula would not
count: the routes differ in formula or definition (a root, a quadrature, explicit vectors, a power series).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from antumbra.numerics.quantities.balls import NeedPrecisionError
from antumbra.proofs.claim import Evidence, Kind, Outcome
from flint import arb, ctx

DIGITS = 50
"""Digits that both routes must agree to."""
PRECISIONS = (224, 448, 896, 1792)
"""Bits that are tried in turn; 50 digits are 167 bits."""
SHOWN = 60


@dataclass(frozen=True)
class Pair:
    """A number by two routes.

    Attributes:
        label: which number, at which parameters.
        first, second: the routes, evaluated at the precision of the context.
        reference: decimal digits that the number must begin with, truncated toward zero; empty for none.
    """

    label: str
    first: Callable[[], arb]
    second: Callable[[], arb]
    reference: str = ""


@dataclass(frozen=True)
class Agreement:
    """What two routes came to.

    Attributes:
        label: the pair's.
        outcome: PASS when they agree to enough digits, FAIL when they exclude each other (or the reference), UNDECIDED
            when the balls stay too wide.
        digits: decimal digits to which the hull of both is narrow, relative to its size (absolute when it is zero).
        text: the number.
    """

    label: str
    outcome: Outcome
    digits: int
    text: str


def digits_of(hull: arb) -> int:
    """Decimal digits of a ball: of its relative radius, or of the absolute one where it contains zero."""
    if not hull.is_finite():
        return 0
    radius = arb(hull.rad())
    if radius.is_zero():
        return 10_000
    size = abs(arb(hull.mid()))
    ratio = radius if hull.contains(0) or size.is_zero() else radius / size
    count = int(float((-ratio.log() / arb(10).log()).mid()))
    return max(0, count)


def begins_with(hull: arb, reference: str) -> bool:
    """Whether a ball meets the numbers that begin with these digits, truncated toward zero."""
    places = len(reference.partition(".")[2])
    low = arb(reference)
    unit = arb(10) ** -places
    width = unit if not reference.startswith("-") else -unit
    return bool(hull.overlaps(low.union(low + width)))


def settle(pair: Pair, digits: int = DIGITS) -> Agreement:
    """Evaluate both routes of a pair until they agree to so many digits, or exclude each other."""
    best, text = 0, ""
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            try:
                first, second = pair.first(), pair.second()
            except NeedPrecisionError:
                continue
            if not (first.is_finite() and second.is_finite()):
                continue
            if not first.overlaps(second):
                shown = f"{first.str(25)} against {second.str(25)}"
                return Agreement(pair.label, Outcome.FAIL, 0, shown)
            hull = first.union(second)
            if pair.reference and not begins_with(hull, pair.reference):
                return Agreement(pair.label, Outcome.FAIL, 0, f"{hull.str(25)} against {pair.reference}...")
            best, text = digits_of(hull), hull.str(SHOWN, radius=False) if not hull.contains(0) else hull.str(5)
            if best >= digits:
                return Agreement(pair.label, Outcome.PASS, best, text)
    return Agreement(pair.label, Outcome.UNDECIDED, best, text)


def precision_evidence(
    pairs: Sequence[Pair], what: str, *, kind: Kind = Kind.PRECISION, digits: int = DIGITS, **data: Any
) -> Evidence:
    """The evidence of all pairs of a number.

    Args:
        pairs: parameter sets, edges among them.
        what: the number and its two routes, as the end of a sentence ("beta* by its closed form and as a root").
        kind: PRECISION, or ENCLOSURE for a certified number.
        digits: digits that are asked for.
        data: further details.
    """
    results = [settle(pair, digits) for pair in pairs]
    record: dict[str, Any] = {
        "values": [
            {"at": result.label, "value": result.text, "digits": min(result.digits, 10_000)} for result in results
        ],
        "digits_asked_for": digits,
        **data,
    }
    failed = [result for result in results if result.outcome is Outcome.FAIL]
    if failed:
        first = failed[0]
        return Evidence(
            kind, Outcome.FAIL, f"The routes exclude each other: {what}, {first.label}: {first.text}.", record
        )
    open_ = [result for result in results if result.outcome is not Outcome.PASS]
    if open_:
        first = open_[0]
        summary = f"Only {first.digits} digits were enclosed of {what}, {first.label}."
        return Evidence(kind, Outcome.UNDECIDED, summary, record)
    if not results:
        return Evidence(kind, Outcome.VACUOUS, f"No parameters were given for {what}.", record)
    least = min(result.digits for result in results)
    count = f"{len(results)} parameter sets" if len(results) > 1 else f"{results[0].label}"
    summary = f"Two routes agree to {least} digits or more at {count}: {what}."
    return Evidence(kind, Outcome.PASS, summary, record)


@dataclass(frozen=True)
class Value:
    """A number to be enclosed.

    Attributes:
        label: which number, at which parameters.
        enclose: the ball, at the precision of the context.
        reference: decimal digits that the number must begin with, truncated toward zero; empty for none.
    """

    label: str
    enclose: Callable[[], arb]
    reference: str = ""


def enclosed(value: Value, digits: int = DIGITS) -> Agreement:
    """Enclose a number to so many digits, or say that its reference is excluded, or how far it came."""
    best, text = 0, ""
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            try:
                found = value.enclose()
            except NeedPrecisionError:
                continue
            if not found.is_finite():
                continue
            if value.reference and not begins_with(found, value.reference):
                return Agreement(value.label, Outcome.FAIL, 0, f"{found.str(25)} against {value.reference}...")
            best, text = digits_of(found), found.str(SHOWN)
            if best >= digits:
                return Agreement(value.label, Outcome.PASS, best, text)
    return Agreement(value.label, Outcome.UNDECIDED, best, text)


def enclosure_evidence(values: Sequence[Value], what: str, *, digits: int = DIGITS, **data: Any) -> Evidence:
    """The evidence that numbers at given parameters are enclosed.

    Args:
        values: the numbers.
        what: what they are, as the start of a sentence ("The crossing of both times").
        digits: digits that are asked for.
        data: further details.
    """
    results = [enclosed(value, digits) for value in values]
    record: dict[str, Any] = {
        "values": [{"at": result.label, "ball": result.text, "digits": result.digits} for result in results],
        "digits_asked_for": digits,
        **data,
    }
    for outcome, words in ((Outcome.FAIL, "excludes its reference"), (Outcome.UNDECIDED, "is not enclosed")):
        for result in results:
            if result.outcome is outcome:
                summary = f"{what} {words} at {result.label}: {result.text or 'no ball'}."
                return Evidence(Kind.ENCLOSURE, outcome, summary, record)
    shown = "; ".join(f"{result.text[:22].lstrip('[')}... at {result.label}" for result in results)
    least = min(result.digits for result in results)
    return Evidence(Kind.ENCLOSURE, Outcome.PASS, f"{what}, enclosed to {least} digits or more: {shown}.", record)
