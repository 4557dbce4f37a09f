"""The ledger as JUnit XML (the xunit1 family): a suite per theorem, a case per evidence, a case per verdict."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree

from antumbra.proofs.claim import Kind, Outcome
from antumbra.reports.ledger import ClaimRecord, EvidenceRecord, Ledger

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold; each is shown by its number instead."""
    return _NOT_XML.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def suite_and_name(claim_id: str) -> tuple[str, str]:
    """`thm19.beta_star` as the suite `thm19` and the name `beta_star`."""
    suite, _, name = claim_id.partition(".")
    return suite, name or suite


def render(ledger: Ledger) -> str:
    """The document. Rows taken over from an earlier run are left out: they were not tested now."""
    root = ElementTree.Element("testsuites")
    suites: dict[str, list[ClaimRecord]] = {}
    for claim in ledger.claims:
        if not claim.older:
            suites.setdefault(suite_and_name(claim.id)[0], []).append(claim)
    for name, claims in suites.items():
        _suite(root, name, claims)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _suite(root: ElementTree.Element, name: str, claims: Sequence[ClaimRecord]) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=xml_text(name))
    counts: Counter[str] = Counter()
    for claim in claims:
        for case_name, record in evidence_cases(claim):
            case = _case(suite, claim, case_name, 0.0)
            counts[_report_outcome(case, record)] += 1
        case = _case(suite, claim, f"{suite_and_name(claim.id)[1]}[verdict]", claim.seconds)
        if claim.verdict != claim.expected:
            message = f"the verdict is {claim.verdict.value}, expected {claim.expected.value}: {claim.reason}"
            _mark(case, "failure", message)
            counts["failure"] += 1
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(counts["failure"]))
    suite.set("errors", str(counts["error"]))
    suite.set("skipped", str(counts["skipped"]))
    suite.set("time", f"{sum(claim.seconds for claim in claims):.3f}")


def evidence_cases(claim: ClaimRecord) -> list[tuple[str, EvidenceRecord]]:
    """A name for each evidence of a claim, and no name twice.

    `beta_star[precision]` when it is the only one of its kind, otherwise with the part, and a number where one part has
    several.
    """
    _, name = suite_and_name(claim.id)
    placed = [(part.name, record) for part in claim.parts for record in part.evidence]
    kinds = Counter(record.kind for _, record in placed)
    pairs = Counter((part, record.kind) for part, record in placed)
    seen: Counter[tuple[str, Kind]] = Counter()
    cases = []
    for part, record in placed:
        label = record.kind.value
        if kinds[record.kind] > 1:
            label += f".{part}"
        if pairs[part, record.kind] > 1:
            seen[part, record.kind] += 1
            label += f".{seen[part, record.kind]}"
        cases.append((f"{name}[{label}]", record))
    return cases


def _case(suite: ElementTree.Element, claim: ClaimRecord, name: str, seconds: float) -> ElementTree.Element:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=xml_text(suite_and_name(claim.id)[0]),
        name=xml_text(name),
        time=f"{seconds:.3f}",
    )
    properties = ElementTree.SubElement(case, "properties")
    ElementTree.SubElement(properties, "property", name="claim", value=xml_text(claim.id))
    return case


def _report_outcome(case: ElementTree.Element, record: EvidenceRecord) -> str:
    """Mark a case by the outcome of its evidence; the name of the mark."""
    match record.outcome:
        case Outcome.PASS:
            return "passed"
        case Outcome.FAIL if record.certificate is not None and record.certificate.get("kind") == "witness":
            # A certified counterexample is a finding; whether it is the expected one, the verdict's case says.
            return "passed"
        case Outcome.FAIL:
            mark = "failure"
        case Outcome.ERROR:
            mark = "error"
        case _:
            mark = "skipped"
    _mark(case, mark, f"{record.outcome.value}: {record.summary}")
    return mark


def _mark(case: ElementTree.Element, tag: str, message: str) -> None:
    clean = xml_text(message)
    element = ElementTree.SubElement(case, tag, message=clean)
    element.text = clean
