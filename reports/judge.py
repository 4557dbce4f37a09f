"""Asks the stand-alone checker about a ledger's certificates; its no is final."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antumbra.proofs.claim import Kind, Outcome
from antumbra.reports.ledger import EvidenceRecord
from antumbra.reports.storage import InputError

CHECKER = "antumbra.proofs.checker"


@dataclass(frozen=True)
class Examination:
    """What the checker said.

    Attributes:
        available: whether there is a checker at all.
        accepted: the claims that it accepted.
        problems: why it refused the others, by claim.
    """

    available: bool
    accepted: frozenset[str] = frozenset()
    problems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def objection(self, claim_id: str, part: str, *, only_part: bool) -> EvidenceRecord | None:
        """The checker's refusal as evidence of a part: an error, so that the verdict cannot stand.

        A problem begins with the name of the part that it is about. One that names none is about all parts, and is only
        a consequence where others name theirs.
        """
        problems = self.problems.get(claim_id, ())
        named = [problem for problem in problems if _names_a_part(problem)]
        own = [problem for problem in named if problem.startswith((f"{part}:", f"{part} ("))]
        found = list(problems) if only_part or not named else own
        if not found:
            return None
        summary = f"the stand-alone checker refuses it: {'; '.join(found)}"[:2000]
        return EvidenceRecord(Kind.SYMBOLIC, Outcome.ERROR, summary, {}, None)


def _names_a_part(problem: str) -> bool:
    """Whether a problem is about one part: `rate: why` or `rate (symbolic): why`, with no blank in the name."""
    name = problem.partition(":")[0].partition(" (")[0]
    return ":" in problem and " " not in name


def examine(document: dict[str, Any], module: str = CHECKER) -> Examination:
    """Run the checker on a ledger, if it is there."""
    checker = _checker(module)
    if checker is None:
        return Examination(available=False)
    try:
        report = checker.check(document)
    except checker.Unreadable as error:
        problem = (f"it cannot read the ledger: {error}",)
        return Examination(available=True, problems={row["id"]: problem for row in document["claims"]})
    return Examination(
        available=True,
        accepted=frozenset(row.claim for row in report.claims if row.status == "accepted"),
        problems={row.claim: tuple(row.problems) for row in report.claims if row.problems},
    )


def examine_for_person(document: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Run the checker for the `check` command: whether it accepts everything, and what it says.

    Raises:
        InputError: there is no checker in this installation, or it cannot read the ledger.
    """
    checker = _checker()
    if checker is None:
        raise InputError("this installation has no checker (antumbra.proofs.checker)")
    try:
        report = checker.check(document)
    except checker.Unreadable as error:
        raise InputError(f"the checker cannot read the ledger: {error}") from None
    rows = [
        {
            "claim": row.claim,
            "verdict": row.verdict,
            "status": row.status,
            "problems": list(row.problems),
            "statements": list(row.statements),
        }
        for row in report.claims
    ]
    lines = list(report.definitions)
    for row in rows:
        lines += ["", f"{row['claim']} ({row['verdict']}): {row['status']}"]
        lines += [f"  {line}" for line in (*row["statements"], *row["problems"])]
    counts = ", ".join(
        f"{sum(row['status'] == status for row in rows)} {status}"
        for status in ("accepted", "rejected", "no certificate")
    )
    summary = {"accepted": bool(report.ok), "claims": rows, "definitions": list(report.definitions)}
    return bool(report.ok), {**summary, "text": "\n".join([*lines, "", counts])}


def _checker(name: str = CHECKER) -> Any:
    """The checker's module, or `None` where there is none."""
    if importlib.util.find_spec(name) is None:
        return None
    module = importlib.import_module(name)
    return module if hasattr(module, "check") else None
