"""Files with claims of a user's own: run, checked for form before any work is spent, and told apart from the index."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from antumbra.proofs.claim import Claim, Part
from antumbra.reports.storage import InputError


def rows_of(registry: Any, file: str) -> tuple[Any, ...]:
    """The rows of one file. It runs as its author's own code; what it prints does not mix with our results.

    Args:
        registry: the module `antumbra.proofs.registry`, or one like it.
        file: the path of the file.

    Raises:
        InputError: it cannot be run, has no claims, takes an id that exists, or has a claim that is not well formed.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            rows: tuple[Any, ...] = registry.add_file(file)
    except registry.ClaimsFileError as error:
        raise InputError(str(error)) from error
    except (Exception, SystemExit) as error:
        raise InputError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    for row in rows:
        for fault in _faults(registry.statement(row.id)):
            raise InputError(f"{file}, claim {row.id!r}: {fault}")
    return rows


def _faults(claim: Claim) -> Iterator[str]:
    """What is wrong with the form of a claim, in words."""
    identifier: object = claim.id  # the file may give anything
    if not isinstance(identifier, str) or not identifier.strip() or not identifier.isprintable():
        yield "an id is a string of printable characters that is not empty, such as 'mine.bound'"
    if not all(isinstance(text, str) for text in (claim.title, claim.source, *claim.fields)):
        yield "title, source and fields are strings"
    if not claim.parts or not all(isinstance(part, Part) for part in claim.parts):
        yield "parts is a tuple of at least one Part(name, statement, text)"
        return
    for name, count in Counter(part.name for part in claim.parts).items():
        if count > 1:
            yield f"{count} parts are named {name!r}; give each its own name"
    for part in claim.parts:
        fault = _fault_of(claim, part)
        if fault:
            yield f"the part {part.name!r} is not well formed: {fault}"


def _fault_of(claim: Claim, part: Part) -> str | None:
    """What keeps statement, mutants, hypotheses and domain of a part from being terms of the setting."""
    if part.statement is None:
        return None
    pairs = [(part.statement, part.hypotheses), *((m.statement, m.hypotheses or part.hypotheses) for m in part.mutants)]
    try:
        return next(filter(None, (_undeclared(claim, part, formula, names) for formula, names in pairs)), None)
    except KeyError as error:
        return f"nothing in the setting is named {error}"
    except Exception as error:  # noqa: BLE001  whatever it is, the person is told
        return f"{type(error).__name__}: {error}"


def _undeclared(claim: Claim, part: Part, formula: Any, hypotheses: tuple[str, ...]) -> str | None:
    """What a formula or its ground names that is not in the setting.

    Raises:
        Exception: of the kernel, when the formula is not one, or a hypothesis is unknown.
    """
    from antumbra.proofs import exact, registry
    from antumbra.proofs.kernel.proof import Proof
    from antumbra.proofs.kernel.signature import free_symbols, references

    ground = exact.ground_of(part, hypotheses)
    Proof(ground, claim.id, part.name, formula)
    setting = registry.signature()
    for node in (*ground.formulas(), formula):
        named = [key for key in references(node) if key[0] != "symbol" and key not in setting.objects]
        named += [("symbol", name) for name in free_symbols(node, setting) if name not in setting.symbols]
        for kind, name in named:
            return f"the {kind} {name!r} is not in the setting"
    return None
