"""Runs that come after one another, or at once: cache, subsets that merge, `diff`, `--json` everywhere, `--jobs`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from antumbra.proofs import checker
from antumbra.reports import cache, gather
from antumbra.reports.cli import main
from antumbra.reports.gather import Gathered, Task
from antumbra.reports.ledger import as_json, load
from antumbra.reports.remembered import examine_remembering
from antumbra.reports.sources import Sources
from antumbra.reports.storage import exclusive, parse_json
from antumbra.reports.verify import verify

Run = Callable[..., subprocess.CompletedProcess[str]]
QUICK = ("--profile", "quick", "--jobs", "1")


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The claims whose evidence was gathered anew since the test began, in this process."""
    seen: list[str] = []
    original = gather.gather

    def counted(task: Task) -> Gathered:
        seen.append(task.claim_id)
        return original(task)

    monkeypatch.setattr("antumbra.reports.workers.gather", counted)
    return seen


def answer(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


# --- the cache -------------------------------------------------------------------------------------------------------


def test_the_second_run_computes_nothing(computed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["verify", "projection.symmetry", "projection.idempotence", *QUICK, "--json"]
    assert main(words) == 0
    first = answer(capsys)
    computed.clear()
    assert main(words) == 0
    assert computed == []
    second = answer(capsys)
    assert (second["digest"], second["verdicts"]) == (first["digest"], first["verdicts"])
    assert main([*words, "--no-cache"]) == 0
    assert sorted(computed) == ["projection.idempotence", "projection.symmetry"]
    assert answer(capsys)["digest"] == first["digest"]


def test_no_cache_leaves_the_cache_alone(kept: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    cache_of_drawings = {path.name for path in (kept / "antumbra").glob("drawings-*")}
    (tmp_path / "empty" / "antumbra").mkdir(parents=True)
    for name in cache_of_drawings:
        (tmp_path / "empty" / "antumbra" / name).write_bytes((kept / "antumbra" / name).read_bytes())
    verify(["projection.symmetry"], "quick", tmp_path / "out", 1, use_cache=False)
    found = {path.name for path in (tmp_path / "empty" / "antumbra").rglob("*")}
    assert {name for name in found if not name.startswith("drawings-")} == set()


@pytest.mark.parametrize("unusable", ["a file in its place", "read only", "relative", "empty"])
def test_a_cache_that_cannot_be_used_costs_time_only(
    unusable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    if unusable == "a file in its place":
        place.write_text("no folder", "utf-8")
    elif unusable == "read only":
        place.mkdir(mode=0o500)
    monkeypatch.setenv("XDG_CACHE_HOME", {"relative": "some/where", "empty": ""}.get(unusable, str(place)))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    task = Task("projection.symmetry", "quick", 0, Sources())
    found = gather.gather(task)
    cache.keep(task, found)
    assert cache.recall(task) in (None, found)
    assert not (tmp_path / "some").exists()


def test_what_is_kept_is_what_was_found(tmp_path: Path) -> None:
    """Through JSON and back: certificates, numbers and texts."""
    for claim in ("projection.symmetry", "projection.rank"):
        task = Task(claim, "quick", 0, Sources())
        found = gather.gather(task)
        cache.keep(task, found)
        again = cache.recall(task)
        assert again is not None
        first, second = (json.dumps([record for _, record in g.evidence], default=_plain) for g in (found, again))
        assert first == second


def _plain(value: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(value)


def test_half_a_cache_entry_is_computed_again(computed: list[str], tmp_path: Path) -> None:
    task = Task("projection.symmetry", "quick", 0, Sources())
    verify(["projection.symmetry"], "quick", tmp_path / "out", 1)
    path = cache.cache_folder() / f"{cache.key(task)}.json"
    text = path.read_text("utf-8")
    for spoilt in (text[: len(text) // 2], "", "null", text.replace("projection.symmetry", "projection.rank", 1)):
        path.write_text(spoilt, "utf-8")
        computed.clear()
        verify(["projection.symmetry"], "quick", tmp_path / "out", 1)
        assert computed == ["projection.symmetry"]
    assert path.read_text("utf-8")[:80] == text[:80]


# --- the checker's word ----------------------------------------------------------------------------------------------


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that the stand-alone checker was given since the test began."""
    seen: list[str] = []
    original = checker.check

    def counted(document: Any) -> checker.Report:
        seen.extend(row["id"] for row in document["claims"])
        return original(document)

    monkeypatch.setattr(checker, "check", counted)
    return seen


def test_rows_that_did_not_change_are_not_checked_again(examined: list[str]) -> None:
    folder = Path("out")
    first = verify(["projection.symmetry", "projection.rank"], "quick", folder, 1, 11)
    assert {"projection.symmetry", "projection.rank"} <= set(examined)
    examined.clear()
    again = verify(["projection.symmetry", "projection.rank"], "quick", folder, 1, 11)
    assert examined == []
    assert [claim.checked for claim in again.claims] == [claim.checked for claim in first.claims]
    assert all(claim.checked for claim in again.claims)
    # A subset is known too; without the cache, and by `check`, everything is looked at.
    verify(["projection.symmetry"], "quick", folder, 1, 11)
    assert examined == []
    verify(["projection.symmetry"], "quick", folder, 1, 11, use_cache=False)
    assert examined == ["projection.symmetry"]
    examined.clear()
    assert main(["check", "out/ledger.json"]) == 0
    assert "projection.symmetry" in examined


def spoil_certificate(part: dict[str, Any], _whole: dict[str, Any]) -> None:
    part["evidence"][0]["certificate"]["steps"][-1]["rule"] = "assume"


def spoil_statement(part: dict[str, Any], _whole: dict[str, Any]) -> None:
    part["statement"]["term"] = ["eq", ["q", "1", "1"], ["q", "2", "1"]]


def spoil_setting(_part: dict[str, Any], whole: dict[str, Any]) -> None:
    for entry in whole["definitions"]:
        if entry.get("type") == "vector":
            entry["text"] += ", or so"


@pytest.mark.parametrize("spoil", [spoil_certificate, spoil_statement, spoil_setting])
def test_a_word_kept_is_about_one_content_only(
    spoil: Callable[[dict[str, Any], dict[str, Any]], None], examined: list[str]
) -> None:
    """Another certificate, statement or definition: the checker is asked, and refuses."""
    module = "antumbra.proofs.checker"
    document = json.loads(json.dumps(as_json(verify(["projection.symmetry"], "quick", Path("out"), 1, 12))))
    # As it is in a ledger, and not as it was before the checker's word was entered.
    assert examine_remembering(document, module).accepted == {"projection.symmetry"}
    examined.clear()
    assert examine_remembering(document, module).accepted == {"projection.symmetry"}
    assert examined == []
    spoil(document["claims"][0]["parts"][0], document)
    for _ in range(2):
        found = examine_remembering(document, module)
        assert found.accepted == frozenset()
        assert found.problems["projection.symmetry"]
    assert examined == ["projection.symmetry"]


# --- two runs at once ------------------------------------------------------------------------------------------------


def test_two_runs_at_once_on_one_folder(tmp_path: Path) -> None:
    """Other claims, the same folder, the same cache: both end well and the ledger holds the rows of both."""
    command = [sys.executable, "-W", "error", "-m", "antumbra.reports", "verify", *QUICK, "--no-cache", "--out", "out"]
    claims = (["projection.symmetry", "projection.rank"], ["projection.idempotence", "projection.rank"])
    runs = [
        subprocess.Popen(
            [*command, *ids], cwd=tmp_path, env=dict(os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for ids in claims
    ]
    for run in runs:
        _, err = run.communicate(timeout=300)
        assert run.returncode == 0, err
    ledger = load(tmp_path / "out" / "ledger.json")
    assert {"projection.symmetry", "projection.rank", "projection.idempotence"} <= {c.id for c in ledger.claims}
    names = {entry.name for entry in (tmp_path / "out").iterdir()}
    assert names == {"ledger.json", "report.html", "report.md", "junit.xml"}
    assert main(["check", str(tmp_path / "out" / "ledger.json")]) == 0


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    order: list[str] = []
    inside = threading.Event()

    def second() -> None:
        inside.wait(20)
        with exclusive(tmp_path):
            order.append("second")

    other = threading.Thread(target=second)
    other.start()
    with exclusive(tmp_path):
        inside.set()
        other.join(0.3)
        order.append("first")
    other.join(20)
    assert order == ["first", "second"]
    with exclusive(tmp_path / "no such folder"):
        pass


# --- subsets, diff ---------------------------------------------------------------------------------------------------


def test_subsets_merge_and_diff_tells_them_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "projection.symmetry", *QUICK, "--out", "one"]) == 0
    assert main(["verify", "projection.symmetry", *QUICK, "--out", "two"]) == 0
    assert main(["verify", "projection.rank", *QUICK, "--out", "two"]) == 0
    both = load(Path("two/ledger.json"))
    assert {claim.id: claim.older for claim in both.claims if claim.id.startswith("projection.")} == {
        "projection.symmetry": True,
        "projection.rank": False,
    }
    capsys.readouterr()
    assert main(["diff", "one/ledger.json", "two/ledger.json"]) == 1
    assert "projection.rank: only in the second" in capsys.readouterr().out
    assert main(["diff", "one/ledger.json", "one/ledger.json", "--json"]) == 0
    assert answer(capsys) == {"differences": []}
    # In the order of the index, whatever was run last.
    assert main(["verify", "projection.symmetry", *QUICK, "--out", "two", "--json"]) == 0
    again = load(Path("two/ledger.json"))
    assert [claim.id for claim in again.claims] == [claim.id for claim in both.claims]


def test_workers_find_what_one_process_finds(capsys: pytest.CaptureFixture[str]) -> None:
    digests = set()
    for jobs in ("1", "2", "16"):
        words = ["projection.symmetry", "projection.rank", "--profile", "quick", "--no-cache", "--out", jobs]
        assert main(["verify", *words, "--jobs", jobs, "--json"]) == 0
        digests.add(answer(capsys)["digest"])
    assert len(digests) == 1


# --- JSON ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    verify(["projection.symmetry"], "quick", tmp_path / "out", 1)
    return "out/ledger.json"


def test_every_command_speaks_json(ledger: str, antumbra: Run) -> None:
    commands = {
        "verify": ["verify", "projection.symmetry", *QUICK, "--out", "again"],
        "check": ["check", ledger],
        "report": ["report", ledger, "--format", "md"],
        "list": ["list"],
        "explain": ["explain", "projection.symmetry", "--ledger", ledger],
        "evaluate": ["evaluate", "dominance_window", "H=2", "n=64", "beta_ratio=1.001", "lambda=1"],
        "quantities": ["evaluate", "--list"],
        "diff": ["diff", ledger, ledger],
    }
    for name, words in commands.items():
        ran = antumbra(*words, "--json")
        # Where there is no terminal, a slow run says now and then how far it is.
        said = [line for line in ran.stderr.splitlines() if "claims done" not in line]
        assert (ran.returncode, said) == (0, []), name
        assert parse_json(ran.stdout, name), name


def test_one_line_of_error_with_json_too(antumbra: Run) -> None:
    ran = antumbra("evaluate", "c_star", "H=0", "--json")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("words", "record"),
    [
        ("c_star H=1", {"value": "1", "radius": "0"}),
        ("beta_star H=1 n=4 alpha=1", {"value": None, "reason": "infinite"}),
        ("beta_star H=2 n=2 alpha=1", {"value": None, "reason": "none"}),
        ("dominance_window H=50 n=4 beta=3 lambda=1", {"value": None, "reason": "empty"}),
        (
            "dominance_window H=1 n=4 beta=3 lambda=1",
            {"values": [{"value": "0", "radius": "0"}, {"value": "1", "radius": "0"}]},
        ),
    ],
)
def test_records_of_evaluate(words: str, record: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    name, *parameters = words.split()
    assert main(["evaluate", *words.split(), "--json", "--digits", "7"]) == 0
    wanted = {"name": name, "parameters": dict(word.split("=") for word in parameters), **record, "digits": 7}
    assert answer(capsys) == wanted
