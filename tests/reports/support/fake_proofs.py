"""A registry of claims made up so that every verdict and every outcome occurs. Nothing in it is true or false."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from antumbra.proofs.claim import Claim, Evidence, Kind, Mutant, Outcome, Part, Quantifier, Verdict

X = ("vec", "x", ("i",))
SPEED = ("^", ("norm", ("vdef", "v", ("i",), ())), 2)
RATE = ("rate", "sphere", ("def", "E", (), ()))
ONE_OVER_N = ("inv", ("size", "token"))
STATEMENT = ("eq", RATE, ("*", ONE_OVER_N, ("sum", "i", (), SPEED)))
ZERO, ONE = ("q", "0", "1"), ("q", "1", "1")
STRANGE = "odd.a<b&\"c'β<β*\n"

DEFINITIONS: list[dict[str, Any]] = [
    {"symbol": "x", "type": "vector", "indices": ["token"], "domain": "real", "text": "the tokens"},
    {"symbol": "M", "type": "operator", "indices": ["head"], "domain": "real", "text": "scores <b>bold</b>"},
    {"symbol": "beta", "type": "scalar", "indices": [], "domain": "positive", "text": "inverse temperature"},
    {
        "define": "v",
        "type": "vector",
        "indices": ["i"],
        "parameters": [],
        "body": ("vsum", "h", (), ("op", "M", ("h",), X)),
        "text": "the field",
    },
    {
        "define": "E",
        "type": "scalar",
        "indices": [],
        "parameters": [],
        "body": ("sum", "i", (), ("exp", ("*", ("s", "beta", ()), ("ip", X, X)))),
        "text": "the energy",
    },
    {
        "flow": "sphere",
        "moves": [{"symbol": "x", "indices": ["i"], "velocity": ("vdef", "v", ("i",), ())}],
        "text": "on the sphere",
    },
    {"hypothesis": "unit", "formula": ("unit", "x"), "text": "unit tokens"},
    {"hypothesis": "long", "formula": ("and", *(("unit", "x") for _ in range(9))), "text": "a long one"},
    {"hypothesis": "symmetry", "formula": ("symmetric", "M"), "text": "symmetric scores"},
]

MODEL = {
    "sizes": {"token": 1, "head": 2, "axis": 2},
    "scalars": {"beta": "1/2"},
    "vectors": {"x": [["3/5", "4/5"]]},
    "operators": {"M": [[["1", "0"], ["0", "0"]], [["0", "0"], ["0", "-a"]]]},
}


@dataclass(frozen=True)
class FakeRow:
    id: str
    title: str
    source: str
    fields: tuple[str, ...]
    target: Verdict
    expected: Verdict
    required: tuple[Kind, ...]


def derivation(*uses: tuple[str, str]) -> dict[str, Any]:
    steps = [
        {"rule": "ring", "given": [], "shows": STATEMENT, "from": []},
        {"rule": "sign", "given": [], "shows": ("ge", RATE, ZERO), "from": [0], "facts": [0]},
    ]
    return {"kind": "derivation", "setting": "0" * 64, "uses": uses, "analysis": ["comparison"], "steps": steps}


def point(sense: str, *drops: str) -> dict[str, Any]:
    return {"kind": "witness", "setting": "0" * 64, "sense": sense, "drops": list(drops), "model": MODEL}


PROVED = Evidence(Kind.SYMBOLIC, Outcome.PASS, "derived", {"steps": 2}, derivation())
COUNTEREXAMPLE = Evidence(Kind.WITNESS, Outcome.FAIL, "it falls at a point", {}, point("fails"))
ABLATION = Evidence(Kind.ABLATION, Outcome.PASS, "it fails", {"drops": ["unit"]}, point("fails", "unit"))
MUTATION = Evidence(Kind.MUTATION, Outcome.PASS, "rejected", {"mutants": [{"name": "<wrong>", "accepted": False}]})


def part(name: str = "rate", quantifier: Quantifier = Quantifier.UNIVERSAL, **changes: Any) -> Part:
    settings: dict[str, Any] = {
        "statement": STATEMENT,
        "text": "the rate of the energy, for all <n> & H",
        "domain": (("ge", ("size", "token"), ONE), ("ge", ("+", *(SPEED for _ in range(12))), ZERO)),
        "hypotheses": ("unit", "symmetry", "long"),
        "meaning": frozenset({"symmetry"}),
        "quantifier": quantifier,
        "mutants": (Mutant("doubled", STATEMENT),),
    }
    return Part(name=name, **(settings | changes))


@dataclass(frozen=True)
class Fake:
    claim: Claim
    expected: Verdict
    evidence: Mapping[str, tuple[Evidence, ...]]
    required: tuple[Kind, ...] = ()
    target: Verdict = Verdict.PROVED


def fake(claim_id: str, expected: Verdict, *evidence: Evidence, parts: tuple[Part, ...] = (), **changes: Any) -> Fake:
    chosen = parts or (part(),)
    required = changes.pop("required", ())
    target = changes.pop("target", expected)
    claim = Claim(claim_id, f"Title of {claim_id}", "Theorem 11", ("USA",), chosen, **changes)
    return Fake(claim, expected, {chosen[0].name: evidence}, required, target)


def numbered(kind: Kind, outcome: Outcome, summary: str, **data: Any) -> Evidence:
    return Evidence(kind, outcome, summary, data)


FAKES: tuple[Fake, ...] = (
    fake("fake.proved", Verdict.PROVED, PROVED, ABLATION, MUTATION, required=(Kind.SYMBOLIC, Kind.FLOW, Kind.ABLATION)),
    fake(
        "fake.user", Verdict.PROVED, Evidence(Kind.SYMBOLIC, Outcome.PASS, "", {}, derivation(("fake.proved", "rate")))
    ),
    fake(
        "fake.exists",
        Verdict.PROVED,
        Evidence(Kind.WITNESS, Outcome.PASS, "a point", {}, point("holds")),
        parts=(part(quantifier=Quantifier.EXISTENTIAL),),
    ),
    fake(
        "fake.certified",
        Verdict.CERTIFIED,
        Evidence(
            Kind.ENCLOSURE,
            Outcome.PASS,
            "enclosed",
            {"value": "0.43488509239722", "radius": "1e-14"},
            derivation(),
        ),
        numbered(Kind.PRECISION, Outcome.PASS, "a second route agrees", digits=50),
        parts=(part("value", Quantifier.NUMBER),),
    ),
    fake("fake.false", Verdict.AMENDED, COUNTEREXAMPLE),
    fake("fake.false.amended", Verdict.PROVED, PROVED, amends="fake.false", source_note="corrected"),
    fake(
        "fake.unsupported",
        Verdict.AMENDED,
        Evidence(Kind.WITNESS, Outcome.FAIL, "unsupported", {"unsupported": "it is algebraic"}),
    ),
    fake("fake.unsupported.amended", Verdict.PROVED, PROVED, amends="fake.unsupported"),
    fake("fake.refuted", Verdict.REFUTED, COUNTEREXAMPLE),
    fake("fake.confirmed", Verdict.CONFIRMED),
    fake("fake.open", Verdict.UNDECIDED, parts=(part("later", statement=None),), target=Verdict.PROVED),
    fake(
        "fake.quiet",
        Verdict.UNDECIDED,
        numbered(Kind.SYMBOLIC, Outcome.UNDECIDED, "a residue is left: x < y"),
        numbered(Kind.FLOW, Outcome.VACUOUS, "no configuration met the hypotheses"),
        numbered(Kind.ATTACK, Outcome.NOT_RUN, "no weights"),
        target=Verdict.PROVED,
    ),
    fake("fake.conflict", Verdict.CONFLICT, PROVED, numbered(Kind.ATTACK, Outcome.FAIL, "a violation", worst=-0.25)),
    fake("fake.raises", Verdict.CONFLICT),
    fake("fake.unloadable", Verdict.CONFLICT),
    fake("fake.nan", Verdict.CONFLICT, numbered(Kind.FLOW, Outcome.PASS, "not JSON", worst=float("nan"))),
    fake("fake.misplaced", Verdict.CONFLICT),
    fake(
        "fake.circle_a",
        Verdict.UNDECIDED,
        Evidence(Kind.SYMBOLIC, Outcome.PASS, "", {}, derivation(("fake.circle_b", "rate"))),
    ),
    fake(
        "fake.circle_b",
        Verdict.UNDECIDED,
        Evidence(Kind.SYMBOLIC, Outcome.PASS, "", {}, derivation(("fake.circle_a", "rate"))),
    ),
    fake("fake.forged", Verdict.CONFLICT, PROVED),
    fake("fake.surprise", Verdict.PROVED, target=Verdict.PROVED),
    fake(STRANGE, Verdict.PROVED, PROVED, sharpness="<script>alert(1)</script>"),
)

BY_ID = {entry.claim.id: entry for entry in FAKES}


def rows() -> list[FakeRow]:
    return [
        FakeRow(
            entry.claim.id,
            entry.claim.title,
            entry.claim.source,
            entry.claim.fields,
            entry.target,
            entry.expected,
            entry.required,
        )
        for entry in FAKES
    ]


def statement(claim_id: str) -> Claim:
    if claim_id == "fake.unloadable":
        raise LookupError("the statement's file is broken")
    return BY_ID[claim_id].claim


def definitions() -> list[dict[str, Any]]:
    return DEFINITIONS


def evidence(claim_id: str, profile: str, seed: int) -> list[tuple[str, Evidence]]:
    if claim_id == "fake.raises":
        raise ZeroDivisionError("something went wrong\nover two lines")
    found = [(name, item) for name, items in BY_ID[claim_id].evidence.items() for item in items]
    if claim_id == "fake.misplaced":
        found.append(("no such part", PROVED))
    return found
