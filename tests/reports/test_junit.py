"""JUnit: strict XML of the xunit1 family, one case per evidence and one per verdict."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import fake_proofs
import pytest
from antumbra.reports.junit import render, xml_text
from antumbra.reports.ledger import Ledger, assemble, merge
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def root(ledger: Ledger) -> ElementTree.Element:
    return ElementTree.fromstring(render(ledger).encode("utf-8"))


def cases(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {f"{case.get('classname')}.{case.get('name')}": case for case in root.iter("testcase")}


def test_only_what_xunit1_knows(root: ElementTree.Element) -> None:
    allowed = {
        "testsuites": set(),
        "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
        "testcase": {"classname", "name", "time"},
        "properties": set(),
        "property": {"name", "value"},
        "failure": {"message"},
        "error": {"message"},
        "skipped": {"message"},
    }
    for element in root.iter():
        assert set(element.attrib) == allowed[element.tag], element.tag


def test_every_evidence_and_every_verdict_has_one_case(root: ElementTree.Element, ledger: Ledger) -> None:
    expected = sum(1 + sum(len(part.evidence) for part in claim.parts) for claim in ledger.claims)
    assert len(cases(root)) == len(list(root.iter("testcase"))) == expected


def test_the_counts_are_right(root: ElementTree.Element) -> None:
    for suite in root.iter("testsuite"):
        found = Counter(child.tag for case in suite.iter("testcase") for child in case)
        assert int(suite.get("tests", "")) == len(suite)
        assert int(suite.get("failures", "")) == found["failure"]
        assert int(suite.get("errors", "")) == found["error"]
        assert int(suite.get("skipped", "")) == found["skipped"]


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("fake.proved[symbolic]", None),
        ("fake.proved[flow]", None),
        ("fake.proved[verdict]", None),
        ("fake.refuted[witness]", None),
        ("fake.unsupported[witness]", "failure"),
        ("fake.quiet[symbolic]", "skipped"),
        ("fake.quiet[flow]", "skipped"),
        ("fake.quiet[attack]", "skipped"),
        ("fake.quiet[verdict]", None),
        ("fake.conflict[attack]", "failure"),
        ("fake.raises[symbolic]", "error"),
        ("fake.surprise[verdict]", "failure"),
    ],
)
def test_cases(root: ElementTree.Element, name: str, mark: str | None) -> None:
    case = cases(root)[name]
    marks = [child.tag for child in case if child.tag != "properties"]
    assert marks == ([] if mark is None else [mark])
    assert mark is None or case.find(mark).get("message")  # type: ignore[union-attr]


def test_every_case_carries_the_id_of_its_claim(root: ElementTree.Element) -> None:
    found = {prop.get("value") for prop in root.iter("property")}
    assert found == {entry.claim.id.replace("\n", "\n") for entry in fake_proofs.FAKES}


def test_several_of_a_kind_are_told_apart(ledger: Ledger) -> None:
    import msgspec
    from antumbra.reports.junit import evidence_cases

    claim = ledger.claim("fake.proved")
    part = claim.parts[0]
    second = msgspec.structs.replace(part, name="second", evidence=[part.evidence[0], part.evidence[0]])
    names = [name for name, _ in evidence_cases(msgspec.structs.replace(claim, parts=[part, second]))]
    assert len(set(names)) == len(names)
    assert "proved[symbolic.rate]" in names
    assert "proved[symbolic.second.2]" in names
    assert "proved[flow]" in names


def test_older_rows_were_not_tested_now(ledger: Ledger) -> None:
    new = assemble(
        version=ledger.antumbra,
        profile="quick",
        seed=0,
        definitions=ledger.definitions,
        claims=ledger.claims[:1],
        figures=[],
        environment={},
    )
    merged = merge(new, ledger, [claim.id for claim in ledger.claims])
    ids = {prop.get("value") for prop in ElementTree.fromstring(render(merged).encode()).iter("property")}
    assert ids == {ledger.claims[0].id}


def test_the_file_is_what_is_rendered(folder: Path, ledger: Ledger) -> None:
    assert (folder / "junit.xml").read_text("utf-8") == render(ledger)


@given(st.text())
def test_any_text_becomes_strict_xml(text: str) -> None:
    element = ElementTree.Element("a", name=xml_text(text))
    element.text = xml_text(text)
    again = ElementTree.fromstring(ElementTree.tostring(element, encoding="utf-8"))
    assert again.get("name") == xml_text(text)
    allowed = text.isprintable() and text.isascii()
    assert not allowed or again.text == (text or None)
