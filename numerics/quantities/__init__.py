"""Every number of the theory, enclosed: only proven digits are returned.

    >>> from antumbra.numerics.quantities import evaluate
    >>> evaluate("c_star", {"H": "2"}).value
    '0.618033988749894'
    >>> evaluate("beta_star", {"H": "1", "n": "4", "alpha": "1"}).reason
    'infinite'

Method: parameters are exact rationals; formulas are evaluated with Arb balls (python-flint) at a precision that is
raised until the digits asked for, truncated toward zero, are the same at both ends of the ball. Roots are bracketed,
their signs and uniqueness proven. mpmath is a second opinion in the tests and is not used here; neither are numpy,
scipy, sympy or the proof kernel.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from antumbra.numerics.quantities.answer import Number, Quantity, settle
from antumbra.numerics.quantities.balls import UndecidedError
from antumbra.numerics.quantities.parse import DomainError
from antumbra.numerics.quantities.table import QUANTITIES, Parameter, Spec, read

__all__ = [
    "MOST_DIGITS",
    "QUANTITIES",
    "DomainError",
    "Number",
    "Parameter",
    "Quantity",
    "Spec",
    "UndecidedError",
    "evaluate",
]

MOST_DIGITS = 10_000
"""Largest number of digits that may be asked for."""


def evaluate(name: str, parameters: Mapping[str, str], digits: int = 15) -> Quantity:
    """A quantity of the theory, rigorously.

    Args:
        name: a key of `QUANTITIES`.
        parameters: decimal or fraction strings by parameter name.
        digits: significant digits, truncated toward zero; exact values end where they end.

    Raises:
        DomainError: unknown name, or a parameter that is missing, unknown or outside its domain.
        UndecidedError: the digits could not be proven (a boundary case, or a value too large or small to print).
    """
    spec = QUANTITIES.get(name)
    if spec is None:
        near = difflib.get_close_matches(name, QUANTITIES, n=1)
        hint = f"did you mean {near[0]}?" if near else "give one of them"
        raise DomainError(f"no quantity is named {name[:40]!r}; allowed are {', '.join(QUANTITIES)}; {hint}")
    if not 1 <= digits <= MOST_DIGITS:
        raise DomainError(f"digits is {digits}; allowed are integers from 1 to {MOST_DIGITS}; give one")
    numbers, reason = settle(spec.compute(read(spec, parameters)), name, digits)
    return Quantity(name, dict(parameters), digits, numbers, spec.labels if len(numbers) > 1 else (), reason)
