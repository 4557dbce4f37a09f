"""Process and report: what is green was tested, what is shown was proved, and no seed or thread changes an answer."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import hypothesis
import numpy as np
import pytest
from antumbra.numerics import sample
from antumbra.proofs import exact, registry
from antumbra.proofs.claim import Claim, Evidence, Kind, Outcome, Part
from antumbra.proofs.kernel.terms import Formula, absolute, eq, exp, ge, gt, log, ne, rational
from antumbra.reports import junit, markdown
from antumbra.reports.formulas import Notation, parse, plain
from antumbra.reports.formulas.latex import latex
from antumbra.reports.formulas.picture import draw
from antumbra.reports.ledger import encode, evidence_record
from antumbra.reports.render import render
from antumbra.reports.storage import InputError, canonical_json, parse_json
from antumbra.reports.terminal import emit_json
from antumbra.reports.verify import verify
from deciding import SETTING, Word, say, t

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "tests").rglob("test_*.py"))

# --- green, and tested nothing ---------------------------------------------------------------------------------------


def functions(body: list[ast.stmt]) -> list[str]:
    return [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_test_shadows_another(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    scopes = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    for body in scopes:
        assert [name for name, count in Counter(functions(body)).items() if count > 1] == []
    # A test inside of a condition may not be there tomorrow.
    inner = [
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert len(inner) == sum(len(functions(body)) for body in scopes)


def test_every_test_of_a_collected_file_is_collected(request: pytest.FixtureRequest) -> None:
    """Of each file in this session, every test is there, and none is parametrised over nothing."""
    if any("::" in argument for argument in request.config.args) or request.config.option.keyword:
        pytest.skip("only some of the tests were asked for")
    collected: dict[Path, set[str]] = {}
    for item in request.session.items:
        assert "NOTSET" not in item.name, f"{item.nodeid} is parametrised over nothing"
        collected.setdefault(item.path, set()).add(getattr(item, "originalname", item.name))
    for path, names in collected.items():
        text = path.read_text("utf-8")
        if "pytest.mark.deep" not in text:
            assert set(functions(ast.parse(text).body)) <= names, path.name


EMPTY = {
    "returns_false": "def test_it():\n    return False",
    "returns_true": "def test_it():\n    return True",
    "unexpected_pass": "@pytest.mark.xfail\ndef test_it():\n    pass",
    "generator": "def test_it():\n    yield 1\n    assert False",
    "coroutine": "async def test_it():\n    assert False",
    "no_parameters": "@pytest.mark.parametrize('x', [])\ndef test_it(x):\n    pass",
}


def test_a_green_test_tested_something(tmp_path: Path) -> None:
    """With the settings of this repository, of these only the honest one passes."""
    shutil.copy2(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    (tmp_path / "tests").mkdir()
    for name, test in {"honest": "def test_it():\n    assert True", **EMPTY}.items():
        (tmp_path / "tests" / f"test_{name}.py").write_text(f"import pytest\n\n\n{test}\n", "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "--continue-on-collection-errors"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout
    passed = [line.split()[1] for line in ran.stdout.splitlines() if line.startswith("PASSED")]
    assert passed == ["tests/test_honest.py::test_it"]


# --- samples that all agreed, a quantifier that fails at one point ---------------------------------------------------


def test_samples_reach_what_is_not_dyadic() -> None:
    rng = np.random.default_rng(0)
    drawn = [sample.random_fraction(rng) for _ in range(400)]
    denominators = {number.denominator for number in drawn}
    assert {1, 2, 3, 5, 7, 9, 11} <= denominators
    assert Fraction(0) in drawn
    assert {number > 0 for number in drawn} == {True, False}


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (gt((3 * t + 2) ** 2, 0), {"refuted"}),  # fails at −2/3 only
        (ne(3 * t + 2, 0), {"refuted"}),
        (gt((10 * t - 1) ** 2, 0), {"refuted"}),
        (gt(t**4 - 2 * t**2 + 1, 0), {"refuted"}),  # fails at ±1 only
        (ge(t**3 - 3 * t + 2, 0), {"refuted"}),  # holds from −2 on
        (eq(absolute(t), t), {"refuted"}),
        # Where the numbers that are tried do not decide, their agreement proves nothing.
        (gt((7 * t - 5) ** 2, 0), {"refuted", "undecided"}),
        (gt((97 * t - 31) ** 2 * (t**2 + 1), 0), {"refuted", "undecided"}),
        (eq(t * (1 / t), 1), {"refuted", "undecided"}),  # not defined at 0
        # True ones, so that the refutations mean something.
        (ge((3 * t + 2) ** 2, 0), {"proved"}),
        (eq(log(exp(t)), t), {"proved", "undecided"}),
        (ge(t**4 - t**2 + rational(Fraction(1, 4)), 0), {"proved", "undecided"}),
    ],
)
def test_a_statement_false_at_one_point_is_not_proved(statement: Formula, words: set[Word]) -> None:
    assert say(statement) in words


# --- a word without a computation ------------------------------------------------------------------------------------


def proved_parts() -> dict[Claim, list[Part]]:
    """The parts that have a proof, by claim."""
    registry.load()
    claims = [registry.statement(row.id) for row in registry.rows()]
    return {
        claim: [part for part in claim.parts if part.statement is not None and (claim.id, part.name) in registry.PROOFS]
        for claim in claims
    }


def test_every_proved_claim_has_wrong_neighbours() -> None:
    proved = proved_parts()
    assert sum(map(bool, proved.values())) > 40
    assert [claim.id for claim, parts in proved.items() if parts and not any(p.mutants for p in parts)] == []
    for claim in proved:
        for part in claim.parts:
            for mutant in part.mutants:
                changed = (mutant.statement, mutant.hypotheses) != (part.statement, None)
                assert changed, f"{claim.id}: {part.name}: {mutant.name} changes nothing"


def wrong_neighbour(formula: Any) -> Any:
    """A formula changed so that its own proof must not fit: 1 added to a side, the sides of a comparison exchanged."""
    tag = formula[0]
    if tag == "eq":
        return ("eq", formula[1], ("+", formula[2], rational(1)))
    if tag in ("gt", "ge"):
        return ("gt", formula[2], formula[1])
    if tag in ("lt", "le"):
        return ("lt", formula[2], formula[1])
    if tag in ("implies", "iff", "all", "forall"):
        return (*formula[:-1], wrong_neighbour(formula[-1]))
    if tag == "unique":
        return (*formula[:-1], ("+", ("^", formula[-1], 2), rational(1)))
    return ("and", formula, ("gt", rational(0), rational(1)))


MOST = 2
"""Of each claim, so many parts are tried below: proofs are long."""


def test_proofs_of_parts_without_them_do_not_prove_a_wrong_neighbour() -> None:
    for claim, parts in proved_parts().items():
        for part in [part for part in parts if not part.mutants][:MOST]:
            wrong = wrong_neighbour(part.statement)
            assert not exact._accepted(claim, part, wrong, exact.ground_of(part)), f"{claim.id}: {part.name}"


def test_the_wrong_neighbours_made_here_are_wrong() -> None:
    """And a proof that fits the statement is refused for them, which is a control of the control."""
    for row in ("projection.symmetry", "projection.contraction"):
        claim = registry.statement(row)
        for part in claim.parts:
            assert exact._accepted(claim, part, part.statement, exact.ground_of(part))  # type: ignore[arg-type]
            assert not exact._accepted(claim, part, wrong_neighbour(part.statement), exact.ground_of(part))


# --- the clock -------------------------------------------------------------------------------------------------------


def test_no_property_has_a_deadline() -> None:
    assert hypothesis.settings.default is not None
    assert hypothesis.settings.default.deadline is None
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "deadline":
                assert isinstance(node.value, ast.Constant), path.name
                assert node.value.value is None, path.name


# --- hash seed, threads ----------------------------------------------------------------------------------------------

ASKED = """
import hashlib, json, sys
from antumbra.proofs import exact
from antumbra.numerics.quantities import evaluate
from antumbra.reports.cli import main

found = []
for claim in ("projection.contraction", "thm11.flat", "thm19.c_star"):
    for part, item in exact.evidence(claim):
        found.append([claim, part, item.kind, item.outcome, item.summary, item.certificate])
found.append(evaluate("softmax_time", {"lambda": "1,1/2", "beta": "2", "n": "4", "gamma0": "0", "gamma1": "0.9"}).value)
print(hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest())
"""


def test_the_answer_does_not_depend_on_hash_seed_or_threads() -> None:
    """Certificates and numbers to the last character."""
    answers = set()
    for seed, threads in (("0", "1"), ("4242", "2")):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
        }
        ran = subprocess.run(
            [sys.executable, "-c", ASKED], env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        answers.add(ran.stdout)
    assert len(answers) == 1, answers


# --- what others read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ['{"a": NaN}', "[Infinity]", "-Infinity", "[1e999]", '{"a": 1, "a": 2}', '{"a": -1e400}', "[1,]", "\ufeff[]"],
)
def test_no_nan_passes_for_json(text: str) -> None:
    with pytest.raises(InputError):
        parse_json(text, "it")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_no_nan_is_written(number: float, capsys: pytest.CaptureFixture[str]) -> None:
    for write in (canonical_json, emit_json):
        with pytest.raises(ValueError, match="JSON"):
            write({"margin": number})
    with pytest.raises(ValueError, match=r"JSON|finite|nan|inf"):
        evidence_record(Evidence(Kind.FLOW, Outcome.PASS, "fine", {"margins": [1.0, {"worst": number}]}))
    assert capsys.readouterr().out == ""


STRANGE = "odd.β<β*&\"'</svg><script>alert(1)</script>"


class Tags(HTMLParser):
    """All elements and the text outside of style and script."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for _, content in attrs:
            self.text.append(content or "")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def tags_of(page: str) -> Tags:
    found = Tags()
    found.feed(page)
    found.close()
    return found


def test_text_is_escaped_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id, a title and words with markup in them: in the page, its pictures, Markdown and JUnit."""
    monkeypatch.setitem(registry.OWN, STRANGE, _claim(STRANGE, STRANGE))
    monkeypatch.setitem(registry.OWN, "odd.plain", _claim("odd.plain", "plain"))
    monkeypatch.setattr("antumbra.reports.sources.Sources.own_rows", lambda _self: (_row(STRANGE), _row("odd.plain")))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    registry.signature()
    # Nothing of the setting is used, and it takes long to draw.
    monkeypatch.setattr(registry, "definitions", list)
    strange = verify([STRANGE], "quick", tmp_path / "strange", 1)
    ordinary = verify(["odd.plain"], "quick", tmp_path / "plain", 1)
    assert strange.claim(STRANGE).verdict.value == "proved"
    pages = [render(ledger)["report.html"] for ledger in (strange, ordinary)]
    odd, even = (tags_of(page) for page in pages)
    # Not one element more than for an ordinary id, and the id is there as text.
    assert odd.tags == even.tags
    assert any(STRANGE in text for text in odd.text)
    assert "<script>alert" not in pages[0]
    for svg in pages[0].split("<svg")[1:]:
        ElementTree.fromstring("<svg" + svg.partition("</svg>")[0] + "</svg>")
    cases = ElementTree.fromstring(junit.render(strange))
    assert len(list(cases.iter("testcase"))) == len(
        list(ElementTree.fromstring(junit.render(ordinary)).iter("testcase"))
    )
    assert any(STRANGE in "".join(case.attrib.values()) for case in cases.iter())
    assert "<script>" not in markdown.render(strange).replace("`" + STRANGE + "`", "")
    assert parse_json(encode(strange), "it")["claims"][0]["id"] == STRANGE


def _claim(identifier: str, words: str) -> Claim:
    return Claim(identifier, words, words, (), (Part("part", eq(rational(1), 1), words),))


def _row(identifier: str) -> Any:
    from antumbra.proofs.claim import Verdict

    return registry.Row(identifier, "title", "source", (), Verdict.PROVED, Verdict.PROVED, ())


# --- what is shown reads back to what was proved ---------------------------------------------------------------------

ALIKE = [
    ((rational(5) + 1) + (rational(3) + 2), "((5 + 1) + 3) + 2"),
    (rational(5) + 1 + 3 + 2, "flat"),
    ((t**2) ** 3, "nested power"),
    (t**6, "power"),
    ((t**3) ** 2, "other nested power"),
    (-(t**2), "minus a square"),
    ((-t) ** 2, "square of minus"),
    (t - (t - 1), "minus a difference"),
    ((t - t) - 1, "difference minus"),
    (1 / (1 / t), "inverse of inverse"),
    (1 / (t * (t + 1)), "inverse of a product"),
    (1 / t * (t + 1), "product with an inverse"),
    (exp(t) ** 2, "square of the exponential"),
    (exp(t**2), "exponential of the square"),
    (exp(exp(t)), "tower"),
    ((exp(t) + 1) * t, "sum times"),
    (exp(t) + 1 * t, "sum of a product"),
]


@pytest.mark.parametrize("term", [term for term, _ in ALIKE], ids=[name for _, name in ALIKE])
def test_brackets_are_printed(term: Any) -> None:
    notation = Notation.of(SETTING)
    printed = plain(term, notation)
    assert parse(printed, "scalar", notation) == _frozen(term)


def _frozen(term: Any) -> Any:
    return tuple(map(_frozen, term)) if isinstance(term, tuple | list) else term


def test_no_two_terms_are_printed_alike() -> None:
    notation = Notation.of(SETTING)
    for (first, _), (second, _) in combinations(ALIKE, 2):
        if _frozen(first) != _frozen(second):
            assert plain(first, notation) != plain(second, notation)
            assert latex(first, notation) != latex(second, notation)


def test_pictures_tell_terms_apart() -> None:
    """What a person sees: the drawing itself, for the pairs that lose their brackets elsewhere."""
    notation = Notation.of(SETTING)
    terms = {name: term for term, name in ALIKE}
    pairs = [
        ("nested power", "power"),
        ("minus a square", "square of minus"),
        ("minus a difference", "difference minus"),
        ("sum times", "sum of a product"),
    ]
    for first, second in pairs:
        one, other = (draw(latex(terms[name], notation)) for name in (first, second))
        assert one != other
