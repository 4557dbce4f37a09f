"""The table of verdicts, row by row, and what must hold of every list of evidence."""

from __future__ import annotations

import pytest
from antumbra.proofs.claim import Evidence, Kind, Outcome, Quantifier, Verdict
from antumbra.reports.verdict import STRENGTH, Judgement, Stance, claim_verdict, part_verdict, stance
from hypothesis import given
from hypothesis import strategies as st

DERIVATION = {"kind": "derivation", "steps": []}
HOLDS = {"kind": "witness", "sense": "holds", "drops": []}
FAILS = {"kind": "witness", "sense": "fails", "drops": []}
DROPPED = {"kind": "witness", "sense": "fails", "drops": ["unit"]}
UNIVERSAL, EXISTENTIAL = Quantifier.UNIVERSAL, Quantifier.EXISTENTIAL
NUMBER, STATISTICAL = Quantifier.NUMBER, Quantifier.STATISTICAL


def e(kind: str, outcome: str = "pass", certificate: dict[str, object] | None = None, **data: object) -> Evidence:
    if certificate is None and kind == "symbolic" and outcome == "pass":
        certificate = DERIVATION
    return Evidence(Kind(kind), Outcome(outcome), "", data, certificate)


TABLE = [
    # proved: symbolic evidence, or a witness for existence, and nothing failed
    ("proved", UNIVERSAL, [e("symbolic")]),
    ("proved", UNIVERSAL, [e("formal", certificate=DERIVATION)]),
    ("proved", UNIVERSAL, [e("symbolic"), e("flow"), e("attack"), e("ablation", certificate=DROPPED), e("mutation")]),
    ("proved", EXISTENTIAL, [e("witness", certificate=HOLDS)]),
    ("proved", EXISTENTIAL, [e("symbolic"), e("mutation")]),
    ("proved", NUMBER, [e("symbolic"), e("precision")]),
    ("undecided", UNIVERSAL, [Evidence(Kind.SYMBOLIC, Outcome.PASS, "no certificate")]),
    ("undecided", UNIVERSAL, [e("witness", certificate=HOLDS)]),
    ("undecided", EXISTENTIAL, [e("witness")]),
    ("undecided", UNIVERSAL, [e("flow"), e("precision")]),
    ("undecided", UNIVERSAL, [e("symbolic"), e("ablation", "fail")]),
    # certified: an enclosure with a certificate, and a second route that agrees
    ("certified", NUMBER, [e("enclosure", certificate=DERIVATION), e("precision")]),
    ("undecided", NUMBER, [e("enclosure"), e("precision")]),
    ("undecided", NUMBER, [e("enclosure")]),
    ("undecided", NUMBER, [e("precision")]),
    ("conflict", NUMBER, [e("enclosure"), e("precision", "fail")]),
    # refuted: an exact counterexample within the hypotheses
    ("refuted", UNIVERSAL, [e("witness", "fail", FAILS)]),
    ("refuted", UNIVERSAL, [e("witness", "pass", FAILS)]),
    ("refuted", UNIVERSAL, [e("attack", "fail", FAILS)]),
    ("refuted", UNIVERSAL, [e("witness", "fail", FAILS), e("flow"), e("attack", "fail")]),
    ("undecided", UNIVERSAL, [e("witness", "fail", FAILS), e("mutation", "fail")]),
    ("undecided", UNIVERSAL, [e("attack", "fail")]),
    ("undecided", UNIVERSAL, [e("ablation", "pass", DROPPED)]),
    ("undecided", UNIVERSAL, [e("witness", "pass", DROPPED)]),
    ("undecided", EXISTENTIAL, [e("witness", "fail", FAILS)]),
    # confirmed: numerical agreement only
    ("confirmed", UNIVERSAL, [e("flow"), e("attack")]),
    ("undecided", UNIVERSAL, [e("flow")]),
    ("undecided", UNIVERSAL, [e("attack")]),
    ("undecided", UNIVERSAL, [e("flow"), e("attack"), e("mutation", "fail")]),
    ("confirmed", STATISTICAL, [e("flow")]),
    ("refuted", STATISTICAL, [e("flow", "fail")]),
    ("undecided", STATISTICAL, [e("flow", "not_run")]),
    ("undecided", STATISTICAL, [e("flow"), e("mutation", "fail")]),
    ("conflict", STATISTICAL, [e("flow"), e("attack", "fail")]),
    # undecided, or a conflict
    ("undecided", UNIVERSAL, []),
    ("undecided", UNIVERSAL, [e("symbolic", "undecided"), e("flow", "vacuous"), e("attack", "not_run")]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("witness", "fail", FAILS)]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("flow", "fail")]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("attack", "fail")]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("mutation", "fail")]),
    ("conflict", UNIVERSAL, [e("flow"), e("attack", "fail")]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("symbolic", "fail")]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("flow", "error")]),
    ("conflict", UNIVERSAL, [e("ablation", "error")]),
    ("undecided", UNIVERSAL, [e("witness", "fail", unsupported="it is algebraic")]),
    ("conflict", UNIVERSAL, [e("symbolic"), e("witness", "fail", unsupported="it is algebraic")]),
]


@pytest.mark.parametrize(("verdict", "quantifier", "evidence"), TABLE)
def test_the_table(verdict: str, quantifier: Quantifier, evidence: list[Evidence]) -> None:
    assert part_verdict(evidence, quantifier).verdict is Verdict(verdict)


def test_an_empty_reason_does_not_make_a_statement_unsupported() -> None:
    assert stance(e("witness", "fail", unsupported="  "), UNIVERSAL) is Stance.OPPOSES
    assert part_verdict([e("witness", "fail", unsupported="why")]).unsupported


QUANTIFIERS = st.sampled_from(list(Quantifier))
CERTIFICATES = st.sampled_from([None, DERIVATION, HOLDS, FAILS, DROPPED])
DATA = st.sampled_from([{}, {"unsupported": "why"}])
ANY = st.builds(Evidence, st.sampled_from(list(Kind)), st.sampled_from(list(Outcome)), st.just(""), DATA, CERTIFICATES)
SILENT = st.builds(
    Evidence,
    st.sampled_from(list(Kind)),
    st.sampled_from([Outcome.VACUOUS, Outcome.UNDECIDED, Outcome.NOT_RUN]),
    st.just(""),
    DATA,
    CERTIFICATES,
)
LISTS = st.lists(ANY, max_size=6)


@given(LISTS, st.lists(SILENT, max_size=4), QUANTIFIERS)
def test_silent_evidence_changes_nothing(some: list[Evidence], silent: list[Evidence], quantifier: Quantifier) -> None:
    assert part_verdict([*some, *silent], quantifier) == part_verdict(some, quantifier)


@given(LISTS, QUANTIFIERS, st.randoms())
def test_the_order_of_evidence_is_irrelevant(some: list[Evidence], quantifier: Quantifier, random: object) -> None:
    shuffled = list(some)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert part_verdict(shuffled, quantifier) == part_verdict(some, quantifier)


@given(LISTS, QUANTIFIERS, st.integers(0, 5))
def test_evidence_given_twice_changes_nothing(some: list[Evidence], quantifier: Quantifier, which: int) -> None:
    again = [*some, *some[which : which + 1]]
    assert part_verdict(again, quantifier) == part_verdict(some, quantifier)


@given(LISTS, QUANTIFIERS, st.sampled_from(["symbolic", "flow", "attack", "precision", "enclosure", "formal"]))
def test_a_fail_added_to_a_decided_part_is_a_conflict(some: list[Evidence], quantifier: Quantifier, kind: str) -> None:
    before = part_verdict(some, quantifier).verdict
    after = part_verdict([*some, e(kind, "fail")], quantifier).verdict
    if before in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CONFIRMED):
        assert after is Verdict.CONFLICT
    if before is Verdict.CONFLICT:
        assert after is Verdict.CONFLICT
    assert after not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CONFIRMED)


@given(LISTS, QUANTIFIERS)
def test_an_error_is_always_a_conflict(some: list[Evidence], quantifier: Quantifier) -> None:
    assert part_verdict([*some, e("flow", "error")], quantifier).verdict is Verdict.CONFLICT


@given(LISTS)
def test_proved_needs_a_certificate(some: list[Evidence]) -> None:
    stripped = [Evidence(item.kind, item.outcome, item.summary, item.data, None) for item in some]
    for quantifier in Quantifier:
        assert part_verdict(stripped, quantifier).verdict is not Verdict.PROVED


@given(LISTS, QUANTIFIERS)
def test_a_control_that_passes_changes_nothing(some: list[Evidence], quantifier: Quantifier) -> None:
    controls = [e("mutation"), e("ablation", "pass", DROPPED)]
    assert part_verdict([*some, *controls], quantifier) == part_verdict(some, quantifier)


@given(LISTS, QUANTIFIERS)
def test_amended_is_never_the_verdict_of_a_part(some: list[Evidence], quantifier: Quantifier) -> None:
    assert part_verdict(some, quantifier).verdict in STRENGTH


def j(verdict: str, *, unsupported: bool = False) -> Judgement:
    return Judgement(Verdict(verdict), "", unsupported)


CLAIMS = [
    ("undecided", [], None, []),
    ("proved", ["proved", "proved"], None, []),
    ("certified", ["proved", "certified"], None, []),
    ("confirmed", ["proved", "confirmed", "certified"], None, []),
    ("undecided", ["proved", "undecided", "confirmed"], None, []),
    ("refuted", ["proved", "undecided", "refuted"], None, []),
    ("conflict", ["proved", "refuted", "conflict"], None, []),
    ("amended", ["proved", "refuted"], "proved", []),
    ("refuted", ["proved", "refuted"], "certified", []),
    ("conflict", ["conflict", "refuted"], "proved", []),
    ("undecided", ["undecided"], "proved", []),
    ("proved", ["proved"], "proved", []),
    ("proved", ["proved"], None, ["proved"]),
    ("undecided", ["proved"], None, ["proved", "confirmed"]),
    ("refuted", ["refuted"], None, ["undecided"]),
]


@pytest.mark.parametrize(("verdict", "parts", "amendment", "foundations"), CLAIMS)
def test_claims(verdict: str, parts: list[str], amendment: str | None, foundations: list[str]) -> None:
    corrected = None if amendment is None else Verdict(amendment)
    found = claim_verdict(map(j, parts), corrected, map(Verdict, foundations))
    assert found.verdict is Verdict(verdict)


def test_an_unsupported_claim_is_amended_by_a_proved_correction() -> None:
    assert claim_verdict([j("undecided", unsupported=True)], Verdict.PROVED).verdict is Verdict.AMENDED
    assert claim_verdict([j("undecided", unsupported=True), j("proved")], Verdict.PROVED).verdict is Verdict.AMENDED
    assert claim_verdict([j("undecided", unsupported=True)], Verdict.UNDECIDED).verdict is Verdict.UNDECIDED
    mixed = [j("undecided", unsupported=True), j("undecided")]
    assert claim_verdict(mixed, Verdict.PROVED).verdict is Verdict.UNDECIDED


@given(st.lists(st.sampled_from(STRENGTH), min_size=1, max_size=5))
def test_a_claim_is_as_weak_as_its_weakest_part(verdicts: list[Verdict]) -> None:
    found = claim_verdict([Judgement(verdict, "") for verdict in verdicts]).verdict
    assert found is min(verdicts, key=STRENGTH.index)
