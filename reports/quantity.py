"""The `evaluate` command. Nothing is imported here that a quantity does not need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antumbra.reports.storage import InputError
from antumbra.reports.terminal import OK, emit, emit_json


def parse_parameters(words: Sequence[str]) -> dict[str, str]:
    """`H=2 n=64` as a dictionary; the values stay text, which the quantity parses exactly.

    Raises:
        InputError: a word without `=`, an empty name or value, or a name given twice.
    """
    found: dict[str, str] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not mark or not name.strip() or not value.strip():
            raise InputError(f"{word!r} is not of the form key=value")
        if name in found:
            raise InputError(f"the parameter {name!r} is given twice")
        found[name] = value
    return found


def run_evaluate(name: str, words: Sequence[str], *, digits: int, as_json: bool) -> int:
    """Print a quantity."""
    parameters = parse_parameters(words)
    from antumbra.numerics import quantities

    try:
        result = quantities.evaluate(name, parameters, digits)
    except (quantities.DomainError, quantities.UndecidedError) as error:
        raise InputError(str(error)) from None
    record: dict[str, Any] = result.to_json()
    if as_json:
        emit_json(record)
    else:
        emit(as_text(record, result.labels))
    return OK


def as_text(record: dict[str, Any], labels: Sequence[str] = ()) -> str:
    """A result for a person: the value, the values one a line with their labels, or the reason why there is none."""
    if "values" in record:
        values = [str(item["value"]) for item in record["values"]]
        names = [f"{label} = " for label in labels] if len(labels) == len(values) else [""] * len(values)
        return "\n".join(name + value for name, value in zip(names, values, strict=True))
    if record.get("value") is None:
        return str(record.get("reason", "none"))
    return str(record["value"])


def run_list_quantities(*, as_json: bool) -> int:
    """Print the names, parameters, domains and formulas of all quantities."""
    from antumbra.numerics.quantities import QUANTITIES

    if as_json:
        emit_json(
            [
                {
                    "name": spec.name,
                    "parameters": [
                        {"name": item.name, "domain": item.domain, "optional": item.optional}
                        for item in spec.parameters
                    ],
                    "formula": spec.formula,
                    "source": spec.source,
                }
                for spec in QUANTITIES.values()
            ]
        )
        return OK
    for spec in QUANTITIES.values():
        emit(f"{spec.name}({', '.join(item.name for item in spec.parameters)})   {spec.source}")
        emit(f"    {spec.formula}")
        for item in spec.parameters:
            emit(f"    {item.name}: {item.domain}{' (may be left out)' if item.optional else ''}")
    return OK
