"""The run: every verdict from its evidence, errors kept apart, workers that die, the cache, subsets."""

from __future__ import annotations

from pathlib import Path

import fake_proofs
import pytest
from antumbra.proofs.claim import Outcome, Verdict
from antumbra.reports import cache, gather
from antumbra.reports.judge import Examination
from antumbra.reports.ledger import Ledger, load
from antumbra.reports.selection import select
from antumbra.reports.sources import Sources
from antumbra.reports.storage import InputError
from antumbra.reports.verify import verify

EXPECTED = {entry.claim.id: entry.expected for entry in fake_proofs.FAKES}


def verdicts(ledger: Ledger) -> dict[str, Verdict]:
    return {claim.id: claim.verdict for claim in ledger.claims}


def test_every_fake_gets_its_verdict(ledger: Ledger) -> None:
    found = verdicts(ledger)
    assert list(found) == list(EXPECTED)
    assert found.pop("fake.surprise") is Verdict.UNDECIDED
    assert found == {claim_id: verdict for claim_id, verdict in EXPECTED.items() if claim_id != "fake.surprise"}
    assert {verdict.value for verdict in Verdict} == {verdict.value for verdict in found.values()}
    assert {o.value for c in ledger.claims for p in c.parts for e in p.evidence for o in [e.outcome]} == set(Outcome)
    assert [claim.id for claim in ledger.unexpected()] == ["fake.surprise"]


def outcomes(ledger: Ledger, claim_id: str) -> list[tuple[Outcome, str]]:
    return [(e.outcome, e.summary) for part in ledger.claim(claim_id).parts for e in part.evidence]


def test_what_raises_is_an_error_with_its_message_and_without_paths(ledger: Ledger) -> None:
    for claim_id, message in (
        ("fake.raises", "ZeroDivisionError: something went wrong over two lines"),
        ("fake.unloadable", "the statement's file is broken"),
        ("fake.nan", "ValueError"),
        ("fake.misplaced", "no such part"),
    ):
        found = outcomes(ledger, claim_id)
        assert [outcome for outcome, _ in found].count(Outcome.ERROR) == 1
        assert any(message in summary for _, summary in found), found
        record = ledger.claim(claim_id).parts[0].evidence[0]
        assert str(Path(__file__).parent) not in str(record.data)


def test_the_parts_of_a_claim_get_the_numerical_evidence(ledger: Ledger) -> None:
    record = next(e for e in ledger.claim("fake.proved").parts[0].evidence if e.kind == "flow")
    assert record.data == {"tried": 120, "worst_margin": 3.5e-9, "seed": 0, "profile": "quick"}


def test_uses_come_from_the_certificates(ledger: Ledger) -> None:
    assert ledger.claim("fake.user").uses == ["fake.proved"]
    assert ledger.claim("fake.circle_a").uses == ["fake.circle_b"]


def test_all_reports_are_written_and_nothing_else(folder: Path, ledger: Ledger) -> None:
    assert sorted(p.name for p in folder.iterdir()) == ["junit.xml", "ledger.json", "report.html", "report.md"]
    assert load(folder / "ledger.json") == ledger


def test_a_subset_brings_what_it_uses_and_merges(tmp_path: Path, fakes: Sources, folder: Path) -> None:
    (tmp_path / "ledger.json").write_bytes((folder / "ledger.json").read_bytes())
    ran = verify(["fake.user", "fake.false"], "quick", tmp_path, 1, sources=fakes)
    assert list(verdicts(ran)) == ["fake.proved", "fake.user", "fake.false", "fake.false.amended"]
    assert ran.claim("fake.false").verdict is Verdict.AMENDED
    merged = load(tmp_path / "ledger.json")
    assert verdicts(merged) == verdicts(load(folder / "ledger.json"))
    assert [claim.id for claim in merged.claims if not claim.older] == list(verdicts(ran))


def test_a_damaged_ledger_is_replaced(tmp_path: Path, fakes: Sources) -> None:
    (tmp_path / "ledger.json").write_text("{", "utf-8")
    verify(["fake.user"], "quick", tmp_path, 1, sources=fakes)
    assert list(verdicts(load(tmp_path / "ledger.json"))) == ["fake.proved", "fake.user"]


def test_workers_agree_with_one_process(tmp_path: Path, fakes: Sources, ledger: Ledger) -> None:
    ran = verify((), "quick", tmp_path, 2, use_cache=False, sources=fakes)
    assert ran.digest == ledger.digest


def test_a_worker_that_dies_is_an_error_of_its_claim_alone(tmp_path: Path, ledger: Ledger) -> None:
    dying = Sources("dying_proofs", "fake_numerics", "fake_checker")
    seen: list[str] = []
    chosen = ["fake.proved", "fake.surprise", "fake.certified", "fake.confirmed"]
    ran = verify(chosen, "quick", tmp_path, 2, sources=dying, watch=lambda claim, _done, _all: seen.append(claim))
    assert ran.claim("fake.surprise").verdict is Verdict.CONFLICT
    assert "died" in ran.claim("fake.surprise").parts[0].evidence[0].summary
    assert sorted(seen) == sorted(chosen)
    for claim_id in ("fake.proved", "fake.certified", "fake.confirmed"):
        assert ran.claim(claim_id).verdict is ledger.claim(claim_id).verdict


def test_the_cache_is_used_and_errors_are_not_kept(
    tmp_path: Path, fakes: Sources, monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    verify((), "quick", tmp_path, 1, sources=fakes)
    calls: list[str] = []
    original = gather.gather

    def counted(task: gather.Task) -> gather.Gathered:
        calls.append(task.claim_id)
        return original(task)

    monkeypatch.setattr("antumbra.reports.workers.gather", counted)
    again = verify((), "quick", tmp_path, 1, sources=fakes)
    assert again.digest == ledger.digest
    assert set(calls) == {"fake.raises", "fake.unloadable", "fake.nan", "fake.misplaced"}
    calls.clear()
    verify(["fake.proved"], "quick", tmp_path, 1, 7, sources=fakes)
    verify(["fake.proved"], "standard", tmp_path, 1, sources=fakes)
    verify(["fake.proved"], "quick", tmp_path, 1, use_cache=False, sources=fakes)
    assert calls == ["fake.proved"] * 3


def test_the_cache_depends_on_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    task = gather.Task("fake.proved", "quick", 0, Sources("fake_proofs", "fake_numerics"))
    before = cache.key(task)
    monkeypatch.setattr(cache, "code_digest", lambda _sources: "other code")
    assert cache.key(task) != before


def test_a_spoilt_cache_is_ignored(own_cache: Path, tmp_path: Path, fakes: Sources) -> None:
    verify(["fake.proved"], "quick", tmp_path, 1, sources=fakes)
    (kept,) = (path for path in (own_cache / "antumbra").glob("*.json") if "drawings" not in path.name)
    kept.write_text("[", "utf-8")
    assert verify(["fake.proved"], "quick", tmp_path, 1, sources=fakes).claims[0].verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["fake.false"], ["fake.false", "fake.false.amended"]),
        (["fake.false."], ["fake.false.amended"]),
        (["fake"], [claim_id for claim_id in EXPECTED if claim_id.startswith("fake.")]),
        ([fake_proofs.STRANGE], [fake_proofs.STRANGE]),
        ([], list(EXPECTED)),
    ],
)
def test_selection(given: list[str], found: list[str]) -> None:
    assert set(select(fake_proofs.rows(), given)) == set(found)


@pytest.mark.parametrize("given", ["fak", "fake.fals", "", ".", "fake.false.amended.more", "FAKE"])
def test_unknown_ids_are_refused(given: str) -> None:
    with pytest.raises(InputError, match="unknown id"):
        select(fake_proofs.rows(), [given])


def test_an_interruption_leaves_no_half_written_file(
    tmp_path: Path, fakes: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(claim_id: str, _done: int, _total: int) -> None:
        if claim_id == "fake.exists":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify((), "quick", tmp_path, 1, sources=fakes, watch=interrupt)
    assert list(tmp_path.iterdir()) == []
    seen: list[str] = []
    original = gather.gather

    def counted(task: gather.Task) -> gather.Gathered:
        seen.append(task.claim_id)
        return original(task)

    monkeypatch.setattr("antumbra.reports.workers.gather", counted)
    verify(["fake.user", "fake.certified"], "quick", tmp_path, 1, sources=fakes)
    assert seen == ["fake.certified"]


def test_the_checker_has_the_last_word(ledger: Ledger, tmp_path: Path) -> None:
    claim = ledger.claim("fake.forged")
    assert claim.verdict is Verdict.CONFLICT
    assert not claim.checked
    assert "refuses it: rate (symbolic): step 1" in claim.parts[0].evidence[1].summary
    assert ledger.claim("fake.proved").checked
    assert not ledger.claim("fake.confirmed").checked
    unread = verify(["fake.proved"], "quick", tmp_path, 1, sources=Sources("fake_proofs", "fake_numerics", "no_such"))
    assert (unread.claims[0].verdict, unread.claims[0].checked) == (Verdict.PROVED, False)


def test_the_real_checker_refuses_the_fakes(tmp_path: Path) -> None:
    ran = verify(["fake.proved"], "quick", tmp_path, 1, sources=Sources("fake_proofs", "fake_numerics"))
    assert ran.claims[0].verdict is Verdict.CONFLICT


def test_a_refusal_is_told_where_it_belongs() -> None:
    examination = Examination(
        available=True,
        problems={
            "one": ("rate (symbolic): step 1", "proved, but not every part has an accepted certificate: rate"),
            "two": ("uses fake.proved, which is rejected",),
        },
    )
    refused = examination.objection("one", "rate", only_part=False)
    assert refused is not None
    assert refused.outcome is Outcome.ERROR
    assert refused.summary == "the stand-alone checker refuses it: rate (symbolic): step 1"
    assert examination.objection("one", "monotone", only_part=False) is None
    assert examination.objection("two", "rate", only_part=False) is not None
    assert examination.objection("three", "rate", only_part=True) is None
