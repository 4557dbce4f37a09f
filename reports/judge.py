"""Asks the stand-alone checker about a ledger's certificates."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from antumbra.proofs.claim import Outcome, Verdict
from antumbra.reports.ledger import ClaimRecord, EvidenceRecord
from antumbra.reports.storage import InputError

CHECKER = "antumbra.proofs.checker"

RESTING_ON_CERTIFICATES = frozenset({Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED, Verdict.AMENDED})


@dataclass(frozen=True)
class Examination:
    """What the checker said.

    Attributes:
        available: whether there is a checker at all.
        objections: why it refused, by claim and part.
        accepted: the claims and parts whose certificates it accepted.
        text: its report, for people.
    """

    available: bool
    objections: Mapping[tuple[str, str], str] = field(default_factory=dict)
    accepted: frozenset[tuple[str, str]] = frozenset()
    text: str = ""

    def judged(self, claim_id: str, part: str, _number: int, record: EvidenceRecord) -> EvidenceRecord:
        """A piece of evidence after the checker looked at it: what it refused counts as an error."""
        objection = self.objections.get((claim_id, part))
        if objection is None or record.certificate is None or record.outcome is not Outcome.PASS:
            return record
        summary = f"{record.summary}; the stand-alone checker refuses its certificate: {objection}"
        return msgspec.structs.replace(record, outcome=Outcome.ERROR, summary=summary)

    def accepts(self, claim: ClaimRecord) -> bool:
        """Whether the checker accepted every part of a claim whose verdict rests on certificates."""
        return claim.verdict in RESTING_ON_CERTIFICATES and all(
            (claim.id, part.name) in self.accepted for part in claim.parts
        )


def examine(document: dict[str, Any]) -> Examination:
    """Run the checker on a ledger, if it is there."""
    check = _checker()
    if check is None:
        return Examination(available=False)
    report = check(document)
    return Examination(available=True, text=str(report))


def examine_for_person(document: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Run the checker for the `check` command: whether it accepts everything, and its report.

    Raises:
        InputError: there is no checker in this installation.
    """
    check = _checker()
    if check is None:
        raise InputError("this installation has no checker (antumbra.proofs.checker)")
    report = check(document)
    return bool(report.ok), {"text": str(report)}


def _checker() -> Any:
    """The checker's function, or `None` while there is none."""
    if importlib.util.find_spec(CHECKER) is None:
        return None
    return getattr(importlib.import_module(CHECKER), "check", None)
