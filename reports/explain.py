"""One claim for the terminal, in 80 columns, and for a paper, in LaTeX."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import msgspec
from antumbra.proofs.claim import Verdict
from antumbra.reports.formulas import Notation, plain, wrap
from antumbra.reports.formulas.latex import latex
from antumbra.reports.gather import load_claim
from antumbra.reports.ledger import ClaimRecord, PartRecord, part_record, record_claim
from antumbra.reports.sources import Sources
from antumbra.reports.storage import InputError
from antumbra.reports.tables import printable
from antumbra.reports.verify import plain_json
from antumbra.reports.words import OUTCOMES, VERDICTS, reason_of

WIDTH = 80


def claim_without_evidence(claim_id: str, sources: Sources) -> tuple[ClaimRecord, list[dict[str, Any]]]:
    """A claim as it is declared, when no ledger holds its evidence; and the definitions.

    Raises:
        InputError: no such id.
    """
    registry = sources.proof_registry()
    row = next((row for row in registry.rows() if row.id == claim_id), None)
    if row is None:
        raise InputError(f"unknown id {claim_id!r}; `antumbra list` shows the ids")
    claim, _ = load_claim(row, sources)
    record = record_claim(
        claim,
        uses=[],
        target=Verdict(row.target),
        expected=Verdict(row.expected),
        required=list(row.required),
        parts=[part_record(part, [], Verdict.UNDECIDED, "not run") for part in claim.parts],
        verdict=Verdict.UNDECIDED,
        reason="not run: `antumbra verify` gathers the evidence",
        seconds=0.0,
    )
    return record, plain_json(registry.definitions())


def explain_json(claim: ClaimRecord) -> Any:
    """The row as it stands in the ledger."""
    return msgspec.to_builtins(claim)


def _paragraph(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(printable(" ".join(text.split())), WIDTH, initial_indent=indent, subsequent_indent=indent) or [
        indent.rstrip()
    ]


def explain_text(claim: ClaimRecord, definitions: list[dict[str, Any]]) -> str:
    """The claim for a person at a terminal."""
    notation = Notation.of(definitions)
    sign = VERDICTS[claim.verdict]
    lines = [
        *_paragraph(f"{claim.id}: {claim.title}"),
        *_paragraph(f"{claim.source}" + (f" · {', '.join(claim.fields)}" if claim.fields else "")),
        *_paragraph(f"{sign.shape} {claim.verdict.value}: {claim.reason}"),
    ]
    lines += [line for note in (claim.source_note, claim.sharpness) if note for line in _paragraph(note)]
    for part in claim.parts:
        lines += ["", *_part(part, notation)]
    used = [entry for entry in definitions if _mentioned(entry, claim)]
    if used:
        lines += ["", "Where"]
        for entry in used:
            lines += _definition(entry, notation)
    return "\n".join(lines)


def _part(part: PartRecord, notation: Notation) -> list[str]:
    sign = VERDICTS[part.verdict]
    lines = [*_paragraph(f"{sign.shape} {part.name}: {part.statement.text}")]
    if part.statement.term is not None:
        lines += wrap(plain(part.statement.term, notation), WIDTH, "    ")
    else:
        lines.append("    (not yet formalised)")
    if part.hypotheses:
        lines += _paragraph("hypotheses: " + ", ".join(part.hypotheses), "  ")
    for formula in part.domain:
        lines += wrap("domain: " + plain(formula.term or [], notation), WIDTH, "  ")
    for record in part.evidence:
        outcome = OUTCOMES[record.outcome]
        lines += _paragraph(f"{outcome.shape} {record.kind.value}, {record.outcome.value}: {record.summary}", "  ")
        lines += _steps(record.certificate or {}, notation)
    return lines


def _steps(certificate: Mapping[str, Any], notation: Notation) -> list[str]:
    """The steps of a derivation with their reasons."""
    steps = certificate.get("steps")
    if certificate.get("kind") != "derivation" or not isinstance(steps, list):
        return []
    lines: list[str] = []
    for number, step in enumerate(steps):
        if isinstance(step, Mapping):
            first, *rest = wrap(plain(step.get("shows") or [], notation), WIDTH, "      ")
            lines += [f"{number:>4}. {first.lstrip()}", *rest, *_paragraph(reason_of(step), "        ")]
    return lines


def _mentioned(entry: dict[str, Any], claim: ClaimRecord) -> bool:
    """Whether an entry of the setting is a named hypothesis of the claim or a definition in its statements."""
    if "hypothesis" in entry:
        return any(entry["hypothesis"] in part.hypotheses for part in claim.parts)
    if "define" in entry:
        return any(names_in(part.statement.term, entry["define"]) for part in claim.parts)
    return False


def names_in(term: Any, name: str) -> bool:
    """Whether a term mentions a definition of that name."""
    if not isinstance(term, list | tuple) or not term:
        return False
    if term[0] in ("def", "vdef") and len(term) > 1 and term[1] == name:
        return True
    return any(names_in(child, name) for child in term)


def _definition(entry: dict[str, Any], notation: Notation) -> list[str]:
    if "hypothesis" in entry:
        text = f"{entry['hypothesis']}: {plain(entry['formula'], notation)}"
    else:
        left = notation.write(entry["define"], entry["indices"], defined=True)
        text = f"{left} = {plain(entry['body'], notation)}"
    return [*wrap(printable(text), WIDTH, "    "), *_paragraph(str(entry.get("text", "")), "        ")]


def explain_latex(claim: ClaimRecord, definitions: list[dict[str, Any]]) -> str:
    """The statements in LaTeX, one display each."""
    notation = Notation.of(definitions)
    lines = [f"% {printable(claim.id)}: {printable(claim.title)} ({claim.verdict.value})"]
    for part in claim.parts:
        lines.append(f"% {printable(part.name)}: {printable(' '.join(part.statement.text.split()))}")
        if part.statement.term is not None:
            lines += [r"\[", "  " + latex(part.statement.term, notation), r"\]"]
    return "\n".join(lines)
