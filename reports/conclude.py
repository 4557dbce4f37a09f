"""From evidence to the ledger: verdicts, the checker's word, totals and digests."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from antumbra.proofs.claim import Claim, Verdict
from antumbra.reports.environment import describe, version
from antumbra.reports.judge import CHECKER, Examination, examine
from antumbra.reports.ledger import (
    ClaimRecord,
    EvidenceRecord,
    FigureRecord,
    Ledger,
    as_json,
    assemble,
    part_record,
    record_claim,
)
from antumbra.reports.remembered import examine_remembering
from antumbra.reports.sources import Row
from antumbra.reports.verdict import Judgement, claim_verdict, part_verdict


@dataclass(frozen=True)
class Draft:
    """A claim with its evidence, before its verdict."""

    row: Row
    claim: Claim
    evidence: Mapping[str, Sequence[EvidenceRecord]]
    uses: list[str]
    seconds: float


def conclude(
    drafts: Sequence[Draft],
    definitions: list[dict[str, Any]],
    *,
    profile: str,
    seed: int,
    order: Sequence[str],
    checker: str = CHECKER,
    figures: Sequence[FigureRecord] = (),
    remember: bool = False,
) -> Ledger:
    """Verdicts and ledger; the stand-alone checker is asked about every certificate, and its no is final.

    With `remember`, its word on a row is taken from an earlier run on the same checker, row and definitions.
    """
    first = _ledger(drafts, definitions, profile, seed, order, figures)
    examination = (examine_remembering if remember else examine)(as_json(first), checker)
    if not examination.available:
        return first
    objected = [_with_objections(draft, examination) for draft in drafts]
    final = _ledger(objected, definitions, profile, seed, order, figures)
    return _with_checked(final, examination)


def _with_objections(draft: Draft, examination: Examination) -> Draft:
    """The draft with the checker's refusals among its evidence."""
    only = len(draft.evidence) == 1
    evidence = {}
    for part, records in draft.evidence.items():
        refusal = examination.objection(draft.row.id, part, only_part=only)
        evidence[part] = [*records, refusal] if refusal else records
    return dataclasses.replace(draft, evidence=evidence)


def _with_checked(ledger: Ledger, examination: Examination) -> Ledger:
    claims = [msgspec.structs.replace(claim, checked=claim.id in examination.accepted) for claim in ledger.claims]
    return assemble(
        version=ledger.antumbra,
        profile=ledger.profile,
        seed=ledger.seed,
        definitions=ledger.definitions,
        claims=claims,
        figures=ledger.figures,
        environment=ledger.environment,
    )


def _ledger(
    drafts: Sequence[Draft],
    definitions: list[dict[str, Any]],
    profile: str,
    seed: int,
    order: Sequence[str],
    figures: Sequence[FigureRecord],
) -> Ledger:
    records = {record.id: record for record in judge_drafts(drafts)}
    return assemble(
        version=version(),
        profile=profile,
        seed=seed,
        definitions=definitions,
        claims=[records[claim_id] for claim_id in order if claim_id in records],
        figures=list(figures),
        environment=describe(),
    )


def judge_drafts(drafts: Sequence[Draft]) -> list[ClaimRecord]:
    """The rows of the ledger, with the verdicts that follow from the evidence."""
    parts = {
        draft.row.id: {
            part.name: part_verdict((r.evidence() for r in draft.evidence[part.name]), part.quantifier)
            for part in draft.claim.parts
        }
        for draft in drafts
    }
    standing = foundations_first(drafts, parts)
    amended_by = {draft.claim.amends: draft.row.id for draft in drafts if draft.claim.amends}
    rows = []
    for draft in drafts:
        claim_id = draft.row.id
        amendment = standing.get(amended_by.get(claim_id, ""))
        under = [_foundation(used, standing) for used in draft.uses]
        judgement = claim_verdict(parts[claim_id].values(), amendment, under)
        rows.append(_row(draft, parts[claim_id], judgement))
    return rows


def _foundation(used: str, standing: Mapping[str, Verdict]) -> Verdict:
    """The verdict of a used claim; one that is not in the run proves nothing."""
    return standing.get(used, Verdict.UNDECIDED)


def foundations_first(drafts: Sequence[Draft], parts: Mapping[str, Mapping[str, Judgement]]) -> dict[str, Verdict]:
    """The verdict of every claim with regard to what its proof uses, amendments left aside.

    A claim that is used in its own proof, however far round, is not proved by it.
    """
    uses = {draft.row.id: draft.uses for draft in drafts}
    standing: dict[str, Verdict] = {}
    waiting = dict.fromkeys(uses)
    while waiting:
        ready = [claim_id for claim_id in waiting if all(used not in waiting for used in uses[claim_id])]
        for claim_id in ready or list(waiting):
            # When nothing is ready, all that waits stands in a circle or on one: what it uses counts as undecided.
            under = [_foundation(used, standing) for used in uses[claim_id]]
            standing[claim_id] = claim_verdict(parts[claim_id].values(), None, under).verdict
            waiting.pop(claim_id)
    return standing


def _row(draft: Draft, parts: Mapping[str, Judgement], judgement: Judgement) -> ClaimRecord:
    records = [
        part_record(part, draft.evidence[part.name], parts[part.name].verdict, parts[part.name].reason)
        for part in draft.claim.parts
    ]
    return record_claim(
        draft.claim,
        uses=list(draft.uses),
        target=Verdict(draft.row.target),
        expected=Verdict(draft.row.expected),
        required=list(draft.row.required),
        parts=records,
        verdict=judgement.verdict,
        reason=judgement.reason,
        seconds=draft.seconds,
    )
