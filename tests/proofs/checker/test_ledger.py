# ruff: noqa: E501
"""Whole ledgers, the command line, strict JSON, and the verdicts that need a certificate."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from antumbra.proofs import checker as c
from handmade import (
    MODEL,
    SETTING,
    ZERO,
    J,
    add,
    derivation,
    eq,
    gt,
    lt,
    mul,
    neg,
    part,
    power,
    setting_digest,
    step,
    t,
    witness,
    y,
)

SQUARE = gt(add(power(t, 2), power(y, 2)), neg(add(power(t, 2), ["q", "1", "1"])))
COMMUTES = eq(mul(t, y), mul(y, t))
FALSE = lt(t, ZERO)


def evidence(kind: str, certificate: dict[str, Any] | None, outcome: str = "pass") -> dict[str, Any]:
    return {"kind": kind, "outcome": outcome, "summary": "", "data": {"seconds": 0.5}, "certificate": certificate}


def proved_part(
    claim: str, name: str, statement: J, uses: list[list[str]] | None = None, steps: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    row = part(statement)
    certificate = derivation(row, steps or [step("ring", statement)], claim=claim, part=name, uses=uses or [])
    return {**row, "name": name, "evidence": [evidence("symbolic", certificate)]}


def refuted_part(claim: str, name: str, statement: J, **more: Any) -> dict[str, Any]:
    row = part(statement, **more)
    return {**row, "name": name, "evidence": [evidence("witness", witness(row, "fails", claim=claim, part=name))]}


def existence_part(claim: str, name: str) -> dict[str, Any]:
    row = part(gt(t, ZERO))
    return {
        **row,
        "name": name,
        "quantifier": "existential",
        "evidence": [evidence("witness", witness(row, "holds", claim=claim, part=name))],
    }


def row(claim: str, verdict: str, *parts: dict[str, Any], uses: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"id": claim, "verdict": verdict, "uses": list(uses), "parts": list(parts), "seconds": 0.25}


def ledger(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"format": "antumbra-ledger/1", "definitions": SETTING, "claims": list(rows)}


def cite(claim: str, name: str, statement: J) -> dict[str, Any]:
    return step("cite", statement, claim=claim, part=name)


GOOD = ledger(
    row("a", "proved", proved_part("a", "one", COMMUTES), existence_part("a", "two")),
    row("b", "proved", proved_part("b", "one", COMMUTES, [["a", "one"]], [cite("a", "one", COMMUTES)]), uses=("a",)),
    row("d", "amended", refuted_part("d", "one", FALSE)),
    row("d.amended", "proved", proved_part("d.amended", "one", COMMUTES)),
    row("f", "refuted", refuted_part("f", "one", FALSE)),
    row("g", "certified", proved_part("g", "one", COMMUTES)),
    row("k", "amended", {**part(COMMUTES), "name": "words", "statement": {"text": "words", "term": None}}),
    row("k.amended", "proved", proved_part("k.amended", "one", COMMUTES)),
    row("l", "undecided", {**part(COMMUTES), "name": "one"}),
)


def status(report: c.Report) -> dict[str, str]:
    return {r.claim: r.status for r in report.claims}


def test_good_ledger() -> None:
    report = c.check(GOOD)
    assert report.ok, [r.problems for r in report.claims]
    assert status(report) == {
        **dict.fromkeys(["a", "b", "d", "d.amended", "f", "g", "k", "k.amended"], "accepted"),
        "l": "no certificate",
    }


def problems(changed: dict[str, Any]) -> str:
    report = c.check(changed)
    assert not report.ok
    return "; ".join(p for r in report.claims for p in r.problems)


def edit(path: str, value: Any) -> dict[str, Any]:
    """The good ledger with one value changed: `a/parts/0/evidence`."""
    changed = copy.deepcopy(GOOD)
    keys = path.split("/")
    place: Any = next(r for r in changed["claims"] if r["id"] == keys[0])
    for k in keys[1:-1]:
        place = place[int(k)] if k.isdigit() else place[k]
    last: Any = int(keys[-1]) if keys[-1].isdigit() else keys[-1]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("l/verdict", "proved", "not every part has an accepted certificate: one"),
        ("l/verdict", "certified", "not every part has an accepted certificate"),
        ("l/verdict", "refuted", "no part has an accepted refuting witness"),
        ("l/verdict", "amended", "there is no row l.amended"),
        ("l/verdict", "Proved", "is no verdict"),
        ("a/verdict", "", "is no verdict"),
        (
            "a/parts/0/evidence",
            [*GOOD["claims"][0]["parts"][0]["evidence"], evidence("flow", None, "fail")],
            "a piece of evidence failed",
        ),
        (
            "a/parts/0/evidence",
            [*GOOD["claims"][0]["parts"][0]["evidence"], evidence("attack", None, "error")],
            "a piece of evidence failed",
        ),
        ("l/parts", [], None),
        ("a/parts", [], "no parts"),
        ("a/verdict", "refuted", "no part has an accepted refuting witness"),
        ("f/verdict", "proved", "not every part has an accepted certificate"),
        ("d.amended/verdict", "undecided", "is not accepted as proved"),
        ("d/parts/0/evidence", [], "amended, but no part has an accepted refuting witness"),
        ("d.amended/parts/0/evidence", [], "not every part"),
        ("a/parts/0/evidence/0/certificate", None, "not every part"),
        ("a/parts/0/evidence/0/outcome", "undecided", "a certificate with the outcome"),
        ("a/parts/0/evidence/0/kind", "flow", "a derivation is symbolic evidence"),
        ("a/parts/0/evidence/0/certificate/kind", "word", "a derivation or a witness"),
        ("a/parts/0/evidence/0/certificate", "yes", "a certificate is not an object"),
        ("a/parts/0/evidence", {}, "evidence: not a list"),
        ("a/parts/0/statement/term", eq(t, y), "does not show the statement"),
        ("a/parts/0/hypotheses", ["positive_r"], "the setting is another one"),
        ("a/parts/1/quantifier", "universal", "a witness proves only an existence"),
        ("a/parts/1/quantifier", ..., "a witness proves only an existence"),
        ("a/parts/1/name", "one", "two parts have one name"),
        ("b/uses", [], "the row's uses lack a"),
        ("b/uses", ["a", "zz"], "uses zz, which is not in the ledger"),
        ("b/uses", ["a", "b"], "uses b in a circle"),
        ("b/uses", "a", "uses"),
        ("b/uses", [["a"]], "uses: not a list of ids"),
        ("b/uses", {"a": 1}, "uses: not a list of ids"),
        ("a/parts/0/name", ["x"], "a part without a name"),
        ("a/parts/0/evidence/0/certificate/steps/0/rule", ["ring"], "no rule"),
        ("a/parts/0/evidence/0/certificate/steps/0/given", [1], "not a term"),
        ("a/parts/0/evidence/0/certificate/claim", ["a"], "the certificate is of claim"),
        ("a/parts/0/evidence/0/certificate/witness/sizes", [1], "model: sizes"),
        ("a/parts/0/evidence/0/kind", ["symbolic"], "a derivation is symbolic evidence"),
        ("a/parts/0/evidence/0/outcome", ["pass"], "a certificate with the outcome"),
        ("a/verdict", "proved\n", "is no verdict"),
        ("a/uses", ["b"], "in a circle"),
        ("b/parts/0/evidence/0/certificate/uses", [], "not among the uses"),
        ("b/parts/0/evidence/0/certificate/uses", [["a", "two"]], "has 0 derivations"),
        ("b/parts/0/evidence/0/certificate/uses", [["a", "one"], ["b", "one"]], "uses itself"),
        ("b/parts/0/evidence/0/certificate/uses", [["a", "nine"]], "has 0 parts"),
        ("b/parts/0/evidence/0/certificate/uses", [["zz", "one"]], "lack zz"),
        ("b/parts/0/evidence/0/certificate/uses", ["a"], "not pairs"),
        ("k/parts/0/evidence", [evidence("symbolic", {"kind": "derivation"})], "no formal statement"),
    ],
)
def test_tampered(path: str, value: Any, expected: str | None) -> None:
    changed = edit(path, value)
    if expected is None:
        assert c.check(changed).ok
    else:
        assert expected in problems(changed)


def test_a_rejected_claim_cannot_be_used() -> None:
    changed = edit("a/parts/0/evidence/0/certificate/steps/0/shows", eq(t, y))
    found = status(c.check(changed))
    assert found["a"] == found["b"] == "rejected"
    assert "uses a/one, which is rejected" in problems(changed)


def test_citing_in_a_circle() -> None:
    changed = edit("a/parts/0", proved_part("a", "one", COMMUTES, [["b", "one"]], [cite("b", "one", COMMUTES)]))
    changed["claims"][0]["uses"] = ["b"]
    assert "uses itself" in problems(changed)


def test_using_what_is_not_there() -> None:
    changed = edit("b/parts/0/evidence/0/certificate/uses", [["zz", "one"]])
    del changed["claims"][1]["uses"]
    assert "no claim zz" in problems(changed)
    changed = edit("b/parts/0/evidence/0/certificate/uses", [["k", "words"]])
    changed["claims"][1]["uses"] = ["k"]
    assert "k/words has no formal statement" in problems(changed)


def test_an_ablation_does_not_hold() -> None:
    assert "an ablation that holds" in problems(edit("a/parts/1/evidence/0/kind", "ablation"))


def test_a_universal_claim_is_not_proved_at_a_point() -> None:
    changed = edit("a/parts/0/evidence/0", evidence("witness", witness(part(COMMUTES), "holds", claim="a", part="one")))
    assert "a witness proves only an existence" in problems(changed)


def test_an_ablation_is_no_refutation() -> None:
    statement, hypotheses = part(FALSE, ("negative_r",)), ("negative_r",)
    certificate = witness(statement, "fails", hypotheses, claim="f", part="one")
    changed = edit("f/parts/0", {**statement, "name": "one", "evidence": [evidence("ablation", certificate)]})
    assert "no part has an accepted refuting witness" in problems(changed)
    changed["claims"][4]["verdict"] = "undecided"
    assert c.check(changed).ok


def test_a_point_does_not_refute_an_existence() -> None:
    changed = edit("f/parts/0/quantifier", "existential")
    assert "a point does not refute an existence" in problems(changed)


def test_proved_and_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cannot happen unless a rule is wrong; then it must not pass."""
    changed = edit(
        "a/parts/0/evidence",
        [
            *GOOD["claims"][0]["parts"][0]["evidence"],
            evidence("witness", witness(part(COMMUTES), "fails", claim="a", part="one")),
        ],
    )
    assert "the statement holds in the model" in problems(changed)
    monkeypatch.setattr(c, "check_witness", lambda *_: ("fails", []))
    assert "both proved and refuted" in problems(changed)


FALSEHOOD, TRUTH = eq(ZERO, ["q", "1", "1"]), gt(t, ZERO)


@pytest.mark.parametrize(
    ("statement", "solid"),
    [
        (["implies", FALSEHOOD, FALSEHOOD], False),
        (["implies", TRUTH, TRUTH], True),
        (["iff", FALSEHOOD, FALSEHOOD], False),
        (["iff", TRUTH, TRUTH], True),
        (["all", "i", [], ["implies", FALSEHOOD, FALSEHOOD]], False),
        (["all", "i", [], ["implies", gt(["s", "s", ["i"]], ZERO), TRUTH]], True),
        (["all", "i", [], ["all", "j", ["i"], ["all", "k", ["i", "j"], FALSEHOOD]]], False),
        (["all", "i", [], ["all", "j", ["i"], TRUTH]], True),
        (["and", TRUTH, ["implies", FALSEHOOD, FALSEHOOD]], False),
        (["or", FALSEHOOD, ["implies", FALSEHOOD, TRUTH]], False),
        (["or", FALSEHOOD, TRUTH], True),
    ],
)
def test_an_existence_has_a_case(statement: J, solid: bool) -> None:
    hollow = part(statement)
    certificate = witness(hollow, "holds", claim="a", part="two")
    changed = edit(
        "a/parts/1",
        {**hollow, "name": "two", "quantifier": "existential", "evidence": [evidence("witness", certificate)]},
    )
    if solid:
        assert c.check(changed).ok
    else:
        assert "nothing meets its conditions" in problems(changed)


def test_a_failing_outcome_carries_only_a_refutation() -> None:
    assert c.check(edit("f/parts/0/evidence/0/outcome", "fail")).ok
    assert "a certificate with the outcome" in problems(edit("a/parts/1/evidence/0/outcome", "fail"))


def test_a_certificate_moved_to_another_claim() -> None:
    changed = edit(
        "d.amended/parts/0/evidence/0/certificate", GOOD["claims"][0]["parts"][0]["evidence"][0]["certificate"]
    )
    assert "the certificate is of claim" in problems(changed)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], "not a ledger"), ({}, "not a ledger"), ({"claims": {}, "definitions": []}, "not a ledger"),
        ({"claims": [], "definitions": 1}, "definitions: not a list"), ({"claims": [1], "definitions": []}, "a claim without an id"),
        ({"claims": [{"id": "a"}], "definitions": []}, "no parts or no verdict"),
        (ledger(row("a", "undecided"), row("a", "undecided")), "two rows have the id"),
        ({"claims": [], "definitions": [{"symbol": 1}]}, "definitions[0]"),
    ],
)  # fmt: skip
def test_not_a_ledger(value: Any, expected: str) -> None:
    with pytest.raises(c.Unreadable, match=expected.replace("[", r"\[")):
        c.check(value)


def test_definitions_are_printed() -> None:
    """A definition that makes a statement empty is visible: nobody is shown `E` without what E is."""
    definitions = [
        *SETTING,
        {"define": "E", "type": "scalar", "indices": [], "parameters": [], "body": ZERO, "text": "the total energy"},
    ]
    statement = eq(["def", "E", [], []], ZERO)
    claim_part = part(statement)
    certificate = derivation(claim_part, [step("ring", statement)], claim="a", definitions=definitions)
    certificate["setting"] = setting_digest(definitions, claim_part)
    report = c.check(
        {
            "definitions": definitions,
            "claims": [row("a", "proved", {**claim_part, "evidence": [evidence("symbolic", certificate)]})],
        }
    )
    assert report.ok
    assert "E := 0" in report.definitions
    assert report.claims[0].statements == ["part [proved for all] : E = 0"]


# -- the command line -------------------------------------------------------------------------------------------
@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The checker alone in a folder."""
    shutil.copy(Path(c.__file__), tmp_path / "checker.py")
    return tmp_path


def run(folder: Path, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    if text is not None:
        (folder / "ledger.json").write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", "-S", "checker.py", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_alone(alone: Path) -> None:
    done = run(alone, "ledger.json", text=json.dumps(GOOD))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "a (proved): accepted" in done.stdout
    assert "8 accepted, 0 rejected, 1 no certificate" in done.stdout
    assert done.stderr == ""


def test_rejected(alone: Path) -> None:
    done = run(alone, "ledger.json", text=json.dumps(edit("a/parts/0/statement/term", eq(t, y))))
    assert done.returncode == 1
    assert "a (proved): rejected" in done.stdout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not JSON"), ("{", "not JSON"), ("[]", "not a ledger"), ('{"claims": NaN}', "NaN is not JSON"),
        ('{"claims": [], "claims": [], "definitions": []}', "repeats a key"), ('{"claims": -Infinity}', "is not JSON"),
        ("[" * 100_000, "not JSON"), ("1" * 5000, "not JSON"),
    ],
)  # fmt: skip
def test_unreadable(alone: Path, text: str, expected: str) -> None:
    done = run(alone, "ledger.json", text=text)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [(), ("a", "b"), ("--help",), ("missing.json",), (".",)])
def test_bad_usage(alone: Path, arguments: tuple[str, ...]) -> None:
    done = run(alone, *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_deep_terms_are_rejected() -> None:
    deep: Any = t
    for _ in range(5000):
        deep = ["exp", deep]
    assert "too deep" in problems(edit("a/parts/0/statement/term", eq(deep, deep)))


def test_standard_library_only() -> None:
    """The file imports nothing that is not in the standard library."""
    lines = Path(c.__file__).read_text(encoding="utf-8").splitlines()
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= set(sys.stdlib_module_names)
    assert max(map(len, lines)) <= 120
    assert MODEL["sizes"]
