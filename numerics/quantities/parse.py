"""Exact parameters from text: decimals and fractions, with limits, and errors that say what to give.

A number is a decimal (`0.5`, `-3`, `1e-6`) or a fraction of two such (`6/5`), read without rounding. Length and
exponent are limited, so that no input can ask for an astronomical integer.
"""

from __future__ import annotations

import re
from fractions import Fraction

LONGEST = 1200
"""Longest text of one number, in characters."""
LARGEST_EXPONENT = 1000
"""Largest absolute decimal exponent."""
MOST_HEADS = 1024
"""Largest number of entries of a list."""

_DECIMAL = re.compile(r"([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,12}))?", re.ASCII)


class DomainError(ValueError):
    """A name or parameter outside its domain: says what was given, what is allowed and what to do."""


def _decimal(text: str, label: str) -> Fraction:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise DomainError(f"{label} is {text[:40]!r}; allowed are decimals and fractions; give one such as 0.5 or 6/5")
    sign, digits, exponent_text = match.groups()
    exponent = int(exponent_text or "0")
    if abs(exponent) > LARGEST_EXPONENT:
        raise DomainError(
            f"{label} has the exponent {exponent}; allowed are -{LARGEST_EXPONENT} to {LARGEST_EXPONENT}; "
            "give a number within"
        )
    whole, _, fraction = digits.partition(".")
    shift = exponent - len(fraction)
    scale: int = 10 ** abs(shift)
    size = int(whole + fraction)
    value = Fraction(size * scale) if shift >= 0 else Fraction(size, scale)
    return -value if sign == "-" else value


def number(text: str, label: str) -> Fraction:
    """The exact value of a decimal or a fraction.

    Raises:
        DomainError: not a number of this form, or beyond the limits; `label` names the parameter.
    """
    stripped = text.strip()
    if len(stripped) > LONGEST:
        raise DomainError(f"{label} has {len(stripped)} characters; allowed are {LONGEST}; give a shorter number")
    numerator, slash, denominator = stripped.partition("/")
    if not slash:
        return _decimal(stripped, label)
    below = _decimal(denominator.strip(), label)
    if below == 0:
        raise DomainError(
            f"{label} is {stripped[:40]!r}, a fraction over zero; allowed are denominators that are not; give one"
        )
    return _decimal(numerator.strip(), label) / below


def integer(text: str, label: str, smallest: int) -> int:
    """An exact integer, at least `smallest`.

    Raises:
        DomainError: not an integer, or too small.
    """
    value = number(text, label)
    if value.denominator != 1 or value < smallest:
        raise DomainError(f"{label} is {text.strip()[:40]}; allowed are integers from {smallest}; give one")
    return value.numerator


def positive(text: str, label: str) -> Fraction:
    """An exact positive number.

    Raises:
        DomainError: not a positive number.
    """
    value = number(text, label)
    if value <= 0:
        raise DomainError(f"{label} is {text.strip()[:40]}; allowed are positive numbers; give one")
    return value


def numbers(text: str, label: str) -> tuple[Fraction, ...]:
    """One or more exact numbers separated by commas.

    Raises:
        DomainError: an entry is not a number, or there are too many.
    """
    entries = text.split(",")
    if len(entries) > MOST_HEADS:
        raise DomainError(f"{label} has {len(entries)} entries; allowed are {MOST_HEADS}; give fewer")
    return tuple(number(entry, label) for entry in entries)
