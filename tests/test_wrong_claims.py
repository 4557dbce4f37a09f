"""Claims of a user's own: the wrong ones of `examples/` are refuted, true ones proved, open ones left undecided."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from antumbra.proofs import exact, registry, setting
from antumbra.proofs.checker import check
from antumbra.proofs.claim import Kind, Outcome, Part
from antumbra.proofs.kernel import witness
from antumbra.proofs.kernel.evaluate import Model
from antumbra.reports import cache
from antumbra.reports.gather import Task
from antumbra.reports.ledger import load
from antumbra.reports.selection import select
from antumbra.reports.sources import Sources
from antumbra.reports.storage import InputError
from antumbra.reports.verify import verify

ROOT = Path(__file__).resolve().parents[1]
WRONG = ROOT / "examples" / "wrong_claims.py"

MINE = """
from antumbra.proofs import Claim, Part, declare, define, terms
from antumbra.proofs.kernel.terms import defined, eq, exp, ge, symbol

print("said while the file runs")
declare("number_of_mine", "scalar", text="any real number")
t = symbol("number_of_mine")
define("one_more", t + 1, text="one more")


def one(name, statement):
    return Claim("mine." + name, name, "my notes", (), (Part("all", statement, name),))


CLAIMS = (
    one("true", eq(defined("one_more") ** 2, t**2 + 2 * t + 1)),
    one("false", eq(defined("one_more") ** 2, t**2 + 1)),
    one("open", ge(exp(t), 1 + t)),
)
"""


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all tests of this file: of evidence, and of the drawings of the setting's formulas."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def nothing_stays(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a file of claims adds to setting and registry is gone after the test; the cache is that of these tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept))
    registry.load()
    tables: list[dict[Any, Any]] = [registry.OWN, registry._FILES, registry.PROOFS, registry.POINTS]
    before = [dict(table) for table in tables]
    definitions = list(setting.DEFINITIONS)
    yield
    for table, kept in zip(tables, before, strict=True):
        table.clear()
        table.update(kept)
    setting.DEFINITIONS[:] = definitions
    registry.signature.cache_clear()


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE, "utf-8")
    return file


def antumbra(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with the cache of the test."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "antumbra.reports", *words],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=300,
    )


# --- the wrong claims of examples/ -----------------------------------------------------------------------------------


def test_wrong_claims_are_refuted_by_exact_points() -> None:
    rows = registry.add_file(str(WRONG))
    assert len(rows) >= 11
    for row in rows:
        (part,) = registry.statement(row.id).parts
        found = [item for _, item in exact.evidence(row.id)]
        symbolic = [item.outcome for item in found if item.kind is Kind.SYMBOLIC]
        assert symbolic == [Outcome.UNDECIDED], row.id
        counterexamples = [item for item in found if (item.kind, item.outcome) == (Kind.WITNESS, Outcome.FAIL)]
        assert counterexamples, row.id
        for item in counterexamples:
            assert item.certificate is not None
            assert item.certificate["claim"] == row.id
            # The point is one of the hypotheses and the domain, and the statement fails there, by the kernel again.
            model = Model.from_json(item.certificate["model"])
            certify(row.id, part, model)


def certify(claim: str, part: Part, model: Model) -> None:
    assert part.statement is not None
    ground = exact.witness_ground(part)
    witness.certify(ground, part.statement, model, sense="fails", claim=claim, part=part.name)
    with pytest.raises(witness.WitnessError):
        witness.certify(ground, part.statement, model, sense="holds", claim=claim, part=part.name)


def test_the_command_refutes_the_wrong_claims_in_worker_processes(tmp_path: Path) -> None:
    ran = antumbra(tmp_path, "verify", "--claims", str(WRONG), "--out", "out", "--jobs", "2", "--json")
    # Where there is no terminal, a slow run says now and then how far it is.
    assert (ran.returncode, [line for line in ran.stderr.splitlines() if "claims done" not in line]) == (0, [])
    answer = json.loads(ran.stdout)
    assert set(answer["verdicts"].values()) == {"refuted"}
    assert len(answer["verdicts"]) >= 11
    # Those that anybody would look for; the file may grow.
    assert {"wrong.theorem_17", "wrong.c_star", "wrong.dyadic", "wrong.almost_integer"} <= set(answer["verdicts"])
    document = json.loads((tmp_path / "out" / "ledger.json").read_text("utf-8"))
    assert check(document).ok
    assert {row["checked"] for row in document["claims"]} == {True}


# --- the claims of examples/own_claims.py ----------------------------------------------------------------------------


def test_the_example_of_own_claims(tmp_path: Path) -> None:
    """An identity, an inequality, a proof in steps, a counterexample, and a flow check that is run with its claim."""
    example = ROOT / "examples" / "own_claims.py"
    ran = antumbra(tmp_path, "verify", "--claims", str(example), "--out", "out", "--jobs", "1", "--profile", "quick")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    ledger = load(tmp_path / "out" / "ledger.json")
    assert {claim.id: claim.verdict.value for claim in ledger.claims} == {
        "own.energy": "proved",
        "own.inequality": "proved",
        "own.distance": "proved",
        "own.falling": "refuted",
    }
    assert all(claim.checked for claim in ledger.claims)
    kinds = {
        (record.kind.value, record.outcome.value)
        for part in ledger.claim("own.energy").parts
        for record in part.evidence
    }
    assert kinds == {("symbolic", "pass"), ("flow", "pass"), ("ablation", "pass"), ("mutation", "pass")}


# --- a file of one's own ---------------------------------------------------------------------------------------------


def test_true_false_and_open_claims(tmp_path: Path, mine: Path) -> None:
    ran = antumbra(tmp_path, "verify", "--claims", mine.name, "--out", "out", "--jobs", "2", "--json")
    # A user's claim is expected to be proved: two of these three are not.
    assert ran.returncode == 1
    answer = json.loads(ran.stdout)
    assert answer["verdicts"] == {"mine.true": "proved", "mine.false": "refuted", "mine.open": "undecided"}
    assert set(answer["unexpected"]) == {"mine.false", "mine.open"}
    assert "said while the file runs" in ran.stderr
    ledger = load(tmp_path / "out" / "ledger.json")
    assert {entry.get("symbol", entry.get("define")) for entry in ledger.definitions} >= {"number_of_mine", "one_more"}
    assert [claim.checked for claim in ledger.claims] == [True, True, False]
    checked = antumbra(tmp_path, "check", "out/ledger.json", "--json")
    assert checked.returncode == 0, checked.stdout
    assert (tmp_path / "out" / "report.html").stat().st_size > 1000


@pytest.mark.parametrize(
    ("ids", "run"),
    [
        ((), ["mine.true", "mine.false", "mine.open"]),
        (("projection.annihilates_x",), ["projection.annihilates_x", "mine.true", "mine.false", "mine.open"]),
        (("mine.true",), ["mine.true"]),
        (("mine.false", "projection.annihilates_x"), ["projection.annihilates_x", "mine.false"]),
    ],
)
def test_which_claims_are_run(mine: Path, ids: tuple[str, ...], run: list[str]) -> None:
    sources = Sources().with_files([mine])
    own = sources.own_rows()
    assert select([*sources.proof_registry().rows(), *own], ids, own) == run


HARD = """
from fractions import Fraction
from antumbra.proofs import Claim, Part, declare
from antumbra.proofs.kernel.terms import *

declare("number_of_mine", "scalar", text="any real number")
t, name = symbol("number_of_mine"), "number_of_mine"
two_roots = t * exp(t / 2) + rational(Fraction(1, 2))
tiny = rational(Fraction(1, 10**200))

STATEMENTS = {
    "one_root_of_two": unique(name, -10, 0, two_roots),
    "a_root_that_is_none": eq(root(name, two_roots, -2, 0), rational(Fraction(-71, 100))),
    "equal_to_two_hundred_digits": eq(exp(tiny) - 1, tiny),
    "false_where_not_defined": eq(t / t, 1),
    "false_where_defined_too": gt(1 / t, 0),
    "logarithm_of_a_square": eq(log(t**2), 2 * log(t)),
    "no_square_is_minus_one": exists(name, eq(t**2, -1)),
    "an_integral": eq(integral(name, 0, 1, exp(-(t**2))), rational(Fraction(3, 4))),
    "omega": eq(function("W", rational(1)), rational(Fraction(567, 1000))),
    "three_dimensions": eq(total("a", ip(basis("a"), basis("a"))), 3),
    "squares_of_all": forall(name, gt(t**2, 0)),
}
CLAIMS = tuple(Claim("hard." + k, k, "mine", (), (Part("all", f, k),)) for k, f in STATEMENTS.items())
"""


def test_false_claims_are_refuted_or_undecided_and_never_a_conflict(tmp_path: Path) -> None:
    """Where kernel and checker reach differently far, or the statement is not defined everywhere, too."""
    file = tmp_path / "hard.py"
    file.write_text(HARD, "utf-8")
    ledger = verify((), "quick", tmp_path / "out", 1, claims=[file])
    found = {claim.id.removeprefix("hard."): claim.verdict.value for claim in ledger.claims}
    assert set(found.values()) == {"refuted", "undecided"}
    refuted = {name for name, word in found.items() if word == "refuted"}
    assert refuted >= {"false_where_defined_too", "an_integral", "omega", "three_dimensions"}
    # At 0 the quotient is 0 by convention, which refutes nothing.
    assert found["false_where_not_defined"] == "undecided"
    assert {claim.id for claim in ledger.claims if claim.checked} == {f"hard.{name}" for name in refuted}


def test_expected_verdicts_of_the_file(tmp_path: Path, mine: Path) -> None:
    mine.write_text(MINE + "EXPECTED = {'mine.false': 'refuted', 'mine.open': 'undecided'}\n", "utf-8")
    assert verify((), "quick", tmp_path / "out", 1, claims=[mine]).unexpected() == []


def test_a_run_on_a_file_keeps_what_the_folder_holds(tmp_path: Path, mine: Path) -> None:
    out = tmp_path / "out"
    index = verify(["projection.annihilates_x"], "quick", out, 1)
    verify(["mine.true"], "quick", out, 1, claims=[mine])
    both = load(out / "ledger.json")
    assert [claim.id for claim in both.claims if claim.older] == [claim.id for claim in index.claims]
    assert both.claims[-1].id == "mine.true"
    assert check(json.loads((out / "ledger.json").read_text("utf-8"))).ok


def test_two_files_and_one_file_twice(tmp_path: Path, mine: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(MINE.replace("number_of_mine", "another").replace("one_more", "other").replace("mine.", "its."))
    ledger = verify(["mine.true", "its.true"], "quick", tmp_path / "out", 1, claims=[mine, other, mine])
    assert {claim.id: claim.verdict.value for claim in ledger.claims} == {"mine.true": "proved", "its.true": "proved"}


def test_the_cache_sees_every_change_of_the_file(tmp_path: Path, mine: Path) -> None:
    first = Sources().with_files([mine])
    before = cache.key(Task("mine.true", "quick", 0, first))
    changed = tmp_path / "changed.py"
    changed.write_text(MINE.replace("number_of_mine", "another").replace("one_more", "other").replace("mine.", "its."))
    assert cache.key(Task("its.true", "quick", 0, Sources().with_files([changed]))) != before
    mine.write_text(MINE + "\n# a word more\n", "utf-8")
    assert cache.key(Task("mine.true", "quick", 0, first)) != before


HEAD = "from antumbra.proofs import Claim, Part, declare\nfrom antumbra.proofs.kernel.terms import eq, symbol\n"


def claim(identifier: str = "'a.b'", statement: str = "eq(1, 1)", more: str = "") -> str:
    return f"Claim({identifier}, 't', 's', (), (Part('p', {statement}, 'x'{more}),))"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("CLAIMS = (", "SyntaxError"),
        ("\0", "null bytes"),
        ("raise ValueError('one\\ntwo')", "ValueError: one two"),
        ("import sys; sys.exit(0)", "SystemExit"),
        ("import no_such_module_at_all", "no_such_module_at_all"),
        ("x = 1", "has no claims"),
        ("CLAIMS = ()", "has no claims"),
        ("CLAIMS = 5", "TypeError"),
        ("CLAIMS = ('thm11.sphere',)", "has no claims"),
        (f"{HEAD}CLAIMS = ({claim('5')},)", "an id is a string"),
        (f"{HEAD}CLAIMS = ({claim(repr('thm11.sphere'))},)", "thm11.sphere, an id that exists"),
        (f"{HEAD}CLAIMS = ({claim()}, {claim()})", "a.b, an id that exists"),
        (f"{HEAD}CLAIMS = ({claim(statement='eq(0.5, 1)')},)", "0.5 is not a scalar term"),
        (f"{HEAD}CLAIMS = ({claim(statement='(chr(101), 1, 2)')},)", "not well formed"),
        (f"{HEAD}CLAIMS = ({claim(statement=repr(('eq', 1, 'x')))},)", "not well formed"),
        (f"{HEAD}CLAIMS = ({claim(statement='eq(symbol(chr(122)), 1)')},)", "the symbol 'z' is not in the setting"),
        (f"{HEAD}CLAIMS = ({claim(more=', hypotheses=(chr(122),)')},)", "nothing in the setting is named 'z'"),
        (f"{HEAD}declare('beta', 'scalar')\nCLAIMS = ({claim()},)", "'beta' is declared twice"),
        (f"{HEAD}CLAIMS = (Claim('a.b', 't', 's', (), ()),)", "at least one Part"),
        (
            f"{HEAD}p = Part('p', eq(1, 1), 'x')\nCLAIMS = (Claim('a.b', 't', 's', (), (p, p)),)",
            "2 parts are named 'p'",
        ),
        (f"{HEAD}CLAIMS = ({claim()},)\nEXPECTED = {{'a.b': 'perhaps'}}", "perhaps"),
        (f"{HEAD}CLAIMS = ({claim()},)\nEXPECTED = {{'a.c': 'refuted'}}", "'a.c', which is not among its claims"),
    ],
)
def test_a_broken_file_is_refused_before_any_work(
    tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from antumbra.reports.cli import main

    file = tmp_path / "broken.py"
    file.write_text(text, "utf-8")
    assert main(["verify", "--claims", str(file), "--out", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1, printed.err
    assert printed.err.startswith("antumbra: ")
    assert words in printed.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["", "no_such.py", ".", "claims\0.py"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"not a Python file|cannot be found"):
        verify((), "quick", tmp_path / "out", 1, claims=[tmp_path / name])
    assert not (tmp_path / "out").exists()
