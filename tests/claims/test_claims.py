"""The proof checker as tests: one per claim and required kind of evidence, and one per verdict.

The ids are exactly like `thm11.sphere[symbolic]` and `thm11.sphere[verdict]`. Evidence is gathered once per claim and
kept in the cache, whose key holds the content of every source file; `ANTUMBRA_PROFILE` chooses the profile.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import pytest
from antumbra.proofs import registry
from antumbra.proofs.claim import Kind, Outcome, Verdict
from antumbra.reports import cache as kept
from antumbra.reports.conclude import Draft, conclude
from antumbra.reports.gather import Gathered, Task, gather
from antumbra.reports.ledger import ClaimRecord, EvidenceRecord
from antumbra.reports.selection import companions
from antumbra.reports.sources import Sources
from antumbra.reports.verify import draft_of, plain_json, uses_of

PROFILE = os.environ.get("ANTUMBRA_PROFILE", "quick")
SEED = int(os.environ.get("ANTUMBRA_SEED", "0"))
SOURCES = Sources()
ROWS = {row.id: row for row in registry.rows()}
CASES = [(row.id, kind) for row in ROWS.values() for kind in row.required]


@cache
def gathered(claim_id: str) -> Gathered:
    """The evidence of a claim."""
    task = Task(claim_id, PROFILE, SEED, SOURCES)
    found = kept.recall(task)
    if found is None:
        found = gather(task)
        kept.keep(task, found)
    return found


@cache
def draft(claim_id: str) -> Draft:
    return draft_of(ROWS[claim_id], gathered(claim_id), SOURCES)


@cache
def judged(claim_id: str) -> ClaimRecord:
    """The row of a claim, with what its proofs use and what amends it, looked at by the checker."""
    needed: dict[str, None] = {}
    pending = [claim_id]
    while pending:
        name = pending.pop()
        if name not in needed:
            needed[name] = None
            pending += companions(name, uses_of(gathered(name)), ROWS)
    definitions = plain_json(registry.definitions())
    order = [name for name in ROWS if name in needed]
    ledger = conclude([draft(name) for name in order], definitions, profile=PROFILE, seed=SEED, order=order)
    return ledger.claim(claim_id)


@pytest.mark.parametrize(("claim_id", "kind"), CASES, ids=[f"{claim_id}[{kind.value}]" for claim_id, kind in CASES])
def test_evidence(claim_id: str, kind: Kind) -> None:
    """The required evidence is there, and all of it passed; what is expected to be undecided may lack it."""
    records = [(part, record) for part, record in gathered(claim_id).evidence if record.kind is kind]
    for part, record in records:
        said = f"{part}: {record.outcome.value}: {record.summary}"
        assert record.outcome is not Outcome.ERROR, said
        assert record.outcome is not Outcome.FAIL or is_unsupported(record), said
    silent = [f"{part}: {record.outcome.value}: {record.summary}" for part, record in records if is_silent(record)]
    if ROWS[claim_id].expected is Verdict.UNDECIDED and (silent or not records):
        pytest.skip(f"undecided for now: {'; '.join(silent) or f'no {kind.value} evidence'}")
    assert records, f"no {kind.value} evidence"
    assert not silent


def is_silent(record: EvidenceRecord) -> bool:
    return record.outcome in (Outcome.UNDECIDED, Outcome.VACUOUS, Outcome.NOT_RUN)


def is_unsupported(record: EvidenceRecord) -> bool:
    return record.kind is Kind.WITNESS and bool(record.data.get("unsupported"))


@pytest.mark.parametrize("claim_id", list(ROWS), ids=[f"{claim_id}[verdict]" for claim_id in ROWS])
def test_verdict(claim_id: str) -> None:
    """The verdict is the expected one."""
    row = judged(claim_id)
    parts = "; ".join(f"{part.name}: {part.verdict.value}, {part.reason}" for part in row.parts)
    assert row.verdict is ROWS[claim_id].expected, f"{row.reason} ({parts})"
    if row.verdict is Verdict.PROVED:
        assert row.checked, "the stand-alone checker did not accept it"


def index() -> list[Mapping[str, Any]]:
    """The rows of the index, read here and not by the registry."""
    text = resources.files("antumbra.proofs").joinpath("index.toml").read_text(encoding="utf-8")
    rows: list[Mapping[str, Any]] = tomllib.loads(text)["claim"]
    return rows


def test_the_collected_ids_are_those_of_the_index(collected: list[str], request: pytest.FixtureRequest) -> None:
    """No test vanished, and none was made up."""
    if any("::" in argument for argument in request.config.args):
        pytest.skip("only some of the tests were asked for")
    here = request.node.nodeid.partition("::")[0]
    names = [nodeid.partition("::")[2] for nodeid in collected if nodeid.startswith(f"{here}::")]
    found = [name.partition("[")[2].removesuffix("]") for name in names if "[" in name]
    wanted = [f"{row['id']}[{kind}]" for row in index() for kind in [*row["required"], "verdict"]]
    assert wanted
    assert sorted(found) == sorted(wanted)


def test_every_row_needs_some_evidence() -> None:
    assert [row["id"] for row in index() if not row["required"]] == []
