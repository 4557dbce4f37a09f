"""A checker under the contract of the real one, which accepts the fakes but for a forged one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Unreadable(Exception):  # noqa: N818
    """The ledger cannot be read."""


@dataclass
class ClaimReport:
    claim: str
    verdict: str
    status: str = "no certificate"
    problems: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)


@dataclass
class Report:
    claims: list[ClaimReport]
    definitions: list[str]

    @property
    def ok(self) -> bool:
        return not any(row.problems for row in self.claims)


def check(ledger: dict[str, Any]) -> Report:
    return Report([row(claim) for claim in ledger["claims"]], ["E := 0"])


def row(claim: dict[str, Any]) -> ClaimReport:
    report = ClaimReport(claim["id"], claim["verdict"])
    if claim["id"] == "fake.forged":
        report.status = "rejected"
        report.problems.append("rate (symbolic): step 1 (ring): the difference is 1")
    elif any(e["certificate"] for part in claim["parts"] for e in part["evidence"]):
        report.status = "accepted"
    return report
