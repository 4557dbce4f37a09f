"""What a quantity evaluates to: numbers with their radii, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from antumbra.numerics.quantities.balls import Digits, exact_digits, truncated
from flint import arb

Reason = Literal["infinite", "none", "empty"]


@dataclass(frozen=True)
class Exact:
    """A rational value."""

    value: Fraction


@dataclass(frozen=True)
class Real:
    """An irrational value (or one not known to be rational).

    Attributes:
        enclose: a ball at the precision of the context.
        below: a rational that its size is strictly less than, where one is needed to decide digits.
    """

    enclose: Callable[[], arb]
    below: Fraction | None = None


@dataclass(frozen=True)
class Nothing:
    """No value: it is infinite, there is none, or the set is empty."""

    reason: Reason


Single: TypeAlias = Exact | Real
Answer: TypeAlias = Exact | Real | Nothing | tuple[Single, ...]


@dataclass(frozen=True)
class Number:
    """One number, truncated toward zero to its proven digits.

    Attributes:
        value: decimal string.
        radius: decimal string; the number differs from `value` by at most this, "0" when it is exact.
        lower, upper: exact bounds.
    """

    value: str
    radius: str
    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, digits: Digits) -> Number:
        """The number of these digits."""
        return cls(digits.text(), digits.radius(), digits.lower, digits.upper)

    @property
    def exact(self) -> bool:
        """Whether the value is the number itself."""
        return self.radius == "0"


@dataclass(frozen=True)
class Quantity:
    """An evaluated quantity.

    Attributes:
        name: its name. parameters: as given. digits: significant digits asked for.
        numbers: the values, none when there is a reason.
        labels: a name for each number when there are several.
        reason: why there is no value, or None.
    """

    name: str
    parameters: Mapping[str, str]
    digits: int
    numbers: tuple[Number, ...]
    labels: tuple[str, ...] = ()
    reason: Reason | None = None

    @property
    def value(self) -> str | None:
        """The decimal string of a single value, None when there is none.

        Raises:
            ValueError: there are several; read `numbers`.
        """
        if len(self.numbers) > 1:
            raise ValueError(f"{self.name} has {len(self.numbers)} values; read numbers")
        return self.numbers[0].value if self.numbers else None

    def to_json(self) -> dict[str, Any]:
        """The record of the command line's `--json`."""
        record: dict[str, Any] = {"name": self.name, "parameters": dict(self.parameters)}
        if self.reason is not None:
            record |= {"value": None, "reason": self.reason}
        elif len(self.numbers) == 1:
            record |= {"value": self.numbers[0].value, "radius": self.numbers[0].radius}
        else:
            record["values"] = [{"value": entry.value, "radius": entry.radius} for entry in self.numbers]
        return record | {"digits": self.digits}


def settle(answer: Answer, name: str, digits: int) -> tuple[tuple[Number, ...], Reason | None]:
    """The numbers of an answer to so many digits, or its reason.

    Raises:
        UndecidedError: digits that are not decided at the highest precision tried.
    """
    if isinstance(answer, Nothing):
        return (), answer.reason
    entries = answer if isinstance(answer, tuple) else (answer,)
    numbers = []
    for entry in entries:
        if isinstance(entry, Exact):
            numbers.append(Number.of(exact_digits(entry.value, digits)))
        else:
            numbers.append(Number.of(truncated(entry.enclose, digits, name, entry.below)))
    return tuple(numbers), None
