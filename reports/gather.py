"""Gathers all evidence of one claim; runs in worker processes.

Nothing that goes wrong in a check is lost or taken for a pass: it becomes evidence with the outcome `error`.
"""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import msgspec
from antumbra.proofs.claim import Claim, Evidence, Kind, Outcome, Part
from antumbra.reports.ledger import EvidenceRecord, evidence_record
from antumbra.reports.sources import Row, Sources

UNFORMALISED = "statement"
"""Name of the only part of a claim that could not be loaded."""


@dataclass(frozen=True)
class Task:
    """What a worker is asked to do."""

    claim_id: str
    profile: str
    seed: int
    sources: Sources


class Gathered(msgspec.Struct, frozen=True):
    """The evidence of one claim: pairs of a part's name and a record."""

    claim_id: str
    evidence: list[tuple[str, EvidenceRecord]]
    seconds: float

    @property
    def broken(self) -> bool:
        """Whether a check ended with an error."""
        return any(record.outcome is Outcome.ERROR for _, record in self.evidence)


def failure(kind: Kind, error: BaseException, doing: str) -> EvidenceRecord:
    """The evidence that a check ended with an exception: its message, and where, without paths."""
    frames = [f"{Path(f.filename).name}:{f.lineno} in {f.name}" for f in traceback.extract_tb(error.__traceback__)]
    message = " ".join(str(error).split())[:500]
    summary = f"{doing} ended with {type(error).__name__}: {message}" if message else f"{doing}: {type(error).__name__}"
    return EvidenceRecord(kind, Outcome.ERROR, summary, {"where": frames[-12:]}, None)


def load_claim(row: Row, sources: Sources) -> tuple[Claim, EvidenceRecord | None]:
    """The claim of a row; when it cannot be loaded, a stand-in without a statement, and the error."""
    try:
        return sources.proof_registry().statement(row.id), None
    except Exception as error:  # noqa: BLE001  the error is the finding
        stand_in = Claim(row.id, row.title, row.source, tuple(row.fields), (Part(UNFORMALISED, None, row.title),))
        return stand_in, failure(Kind.SYMBOLIC, error, "loading the statement")


def gather(task: Task) -> Gathered:
    """All evidence of a claim, from both registries."""
    start = time.perf_counter()
    found: list[tuple[str, EvidenceRecord]] = []
    try:
        claim = task.sources.proof_registry().statement(task.claim_id)
    except Exception as error:  # noqa: BLE001  becomes evidence
        record = failure(Kind.SYMBOLIC, error, "loading the statement")
        return Gathered(task.claim_id, [(UNFORMALISED, record)], time.perf_counter() - start)
    names = [part.name for part in claim.parts]
    found += _exact(task, names)
    found += _numerical(task, names)
    return Gathered(task.claim_id, found, time.perf_counter() - start)


def _exact(task: Task, names: list[str]) -> list[tuple[str, EvidenceRecord]]:
    try:
        pairs = task.sources.proof_registry().evidence(task.claim_id, task.profile, task.seed)
        return [placed for name, item in pairs for placed in _place(name, item, names)]
    except Exception as error:  # noqa: BLE001  becomes evidence
        return _everywhere(failure(Kind.SYMBOLIC, error, "the exact checks"), names)


def _numerical(task: Task, names: list[str]) -> list[tuple[str, EvidenceRecord]]:
    try:
        registry = task.sources.numeric_registry()
        checks = registry.lookup(task.claim_id)
        context = registry.RunContext(task.seed, task.profile, task.claim_id)
    except Exception as error:  # noqa: BLE001  becomes evidence
        return _everywhere(failure(Kind.FLOW, error, "loading the numerical checks"), names)
    found: list[tuple[str, EvidenceRecord]] = []
    for check in checks:
        try:
            found += _place(check.part, check.run(context), names)
        except Exception as error:  # noqa: BLE001  becomes evidence; one check's error spares the others
            targets = [check.part] if check.part in names else names
            found += _everywhere(failure(check.kind, error, f"the {check.kind.value} check"), targets)
    return found


def _everywhere(record: EvidenceRecord, names: list[str]) -> list[tuple[str, EvidenceRecord]]:
    return [(name, record) for name in names]


def _place(name: str, item: Evidence, names: list[str]) -> list[tuple[str, EvidenceRecord]]:
    """Evidence under its part; under every part when it names none.

    Raises:
        LookupError: the claim has no such part.
        ValueError, TypeError: the evidence is not strict JSON.
    """
    record = evidence_record(item)
    if not name:
        return _everywhere(record, names)
    if name not in names:
        raise LookupError(f"evidence for a part {name!r} that the claim does not have; it has {', '.join(names)}")
    return [(name, record)]
