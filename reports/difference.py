"""What two ledgers disagree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from antumbra.reports.ledger import ClaimRecord, Ledger, PartRecord


def differences(old: Ledger, new: Ledger) -> list[str]:
    """Every disagreement in claims, definitions, statements, verdicts, kinds and outcomes, one line each."""
    return list(_differences(old, new))


def _differences(old: Ledger, new: Ledger) -> Iterator[str]:
    if old.definitions != new.definitions:
        yield "the definitions differ"
    before, after = ({claim.id: claim for claim in ledger.claims} for ledger in (old, new))
    for claim_id in before:
        if claim_id not in after:
            yield f"{claim_id}: only in the first"
    for claim_id, claim in after.items():
        if claim_id not in before:
            yield f"{claim_id}: only in the second"
        else:
            yield from _claims(before[claim_id], claim)


def _claims(old: ClaimRecord, new: ClaimRecord) -> Iterator[str]:
    if old.verdict != new.verdict:
        yield f"{new.id}: {old.verdict.value} → {new.verdict.value}"
    if old.checked != new.checked:
        yield f"{new.id}: checked {str(old.checked).lower()} → {str(new.checked).lower()}"
    before, after = ({part.name: part for part in claim.parts} for claim in (old, new))
    for name in before.keys() - after.keys():
        yield f"{new.id}: the part {name} is only in the first"
    for name, part in after.items():
        if name not in before:
            yield f"{new.id}: the part {name} is only in the second"
        else:
            yield from _parts(f"{new.id}, {name}", before[name], part)


def _parts(where: str, old: PartRecord, new: PartRecord) -> Iterator[str]:
    if old.statement != new.statement:
        yield f"{where}: the statement differs"
    if old.domain != new.domain:
        yield f"{where}: the domain differs"
    if sorted(old.hypotheses) != sorted(new.hypotheses):
        yield f"{where}: hypotheses {', '.join(old.hypotheses)} → {', '.join(new.hypotheses)}"
    if old.verdict != new.verdict:
        yield f"{where}: {old.verdict.value} → {new.verdict.value}"
    before, after = (Counter((e.kind.value, e.outcome.value) for e in part.evidence) for part in (old, new))
    for (kind, outcome), count in sorted((before - after).items()):
        yield f"{where}: {count} × {kind} {outcome} only in the first"
    for (kind, outcome), count in sorted((after - before).items()):
        yield f"{where}: {count} × {kind} {outcome} only in the second"
