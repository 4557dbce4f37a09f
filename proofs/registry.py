"""Where proofs, counterexamples and statements meet: the exact evidence of every row of the index.

A proof is a function of a `Proof`, filed with `proves`; a point is filed with `point`. Nothing here judges: proofs are checked
by the kernel as they are made, points by the evaluator, and both again by the stand-alone checker.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from antumbra.proofs.claim import Claim, Evidence, Kind, Node, Outcome, Part, Quantifier, Verdict
from antumbra.proofs.kernel import witness
from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.ground import Ground, Rejected
from antumbra.proofs.kernel.proof import Proof, ProofFunction
from antumbra.proofs.kernel.signature import Signature

PROOF_MODULES = (
    "projection",
    "thm11_total_energy",
    "thm12_value_misalignment",
    "thm16_17_radial_shadows",
    "cond08_radial_dominance",
    "thm19_critical_temperature",
    "thm22_heterogeneous_heads",
    "thm25_relu_softmax",
    "thm27_attention_entropy",
    "thm39_approximate_orthogonality",
    "open_questions",
    "counterexamples",
)
SEARCH = witness.Search(seconds=20.0, rounds=2)
"""How a point is searched for when none is on file."""
POINTS = "points.json"


@dataclass(frozen=True)
class Row:
    """A row of `index.toml`: what is claimed where, and what is expected of it."""

    id: str
    title: str
    source: str
    fields: tuple[str, ...]
    target: Verdict
    expected: Verdict
    required: tuple[Kind, ...]


@dataclass(frozen=True)
class Point:
    """A model filed for a purpose: `holds`, `fails`, `ground`, `drop:NAME` or `mutant:NAME`."""

    claim: str
    part: str
    purpose: str
    model: Model
    note: str


_PROOFS: dict[tuple[str, str], ProofFunction] = {}
_POINTS: dict[tuple[str, str, str], Point] = {}
_UNSUPPORTED: dict[tuple[str, str], str] = {}
_EXTRA: dict[tuple[str, str], list[Callable[[], Evidence]]] = {}


def proves(claim: str, part: str) -> Callable[[ProofFunction], ProofFunction]:
    """File a function as the proof of a part.

    Raises:
        ValueError: the part has a proof already.
    """

    def register(function: ProofFunction) -> ProofFunction:
        known = _PROOFS.get((claim, part))
        if known is not None and known.__code__.co_filename != function.__code__.co_filename:
            raise ValueError(f"{claim} ({part}) has two proofs; keep one")
        _PROOFS[claim, part] = function
        return function

    return register


def point(claim: str, part: str, purpose: str, model: Model, note: str = "") -> None:
    """File a model: where a statement `holds` or `fails`, or fails once a hypothesis is dropped (`drop:NAME`).

    Raises:
        ValueError: there is one for that purpose already.
    """
    known = _POINTS.get((claim, part, purpose))
    if known is not None and known.model != model:
        raise ValueError(f"{claim} ({part}) has two points for {purpose!r}; keep one")
    _POINTS[claim, part, purpose] = Point(claim, part, purpose, model, note)


def unsupported(claim: str, part: str, reason: str) -> None:
    """Say why a statement is not supported, where it cannot be refuted by a point."""
    _UNSUPPORTED[claim, part] = reason


def extra(claim: str, part: str) -> Callable[[Callable[[], Evidence]], Callable[[], Evidence]]:
    """File further exact evidence for a part (an enclosure, a second formula to many digits)."""

    def register(function: Callable[[], Evidence]) -> Callable[[], Evidence]:
        _EXTRA.setdefault((claim, part), []).append(function)
        return function

    return register


# --- the index and the statements --------------------------------------------------------------------------------------


@cache
def rows() -> tuple[Row, ...]:
    """The rows of `index.toml`, in the paper's order.

    Raises:
        ValueError: an id occurs twice.
    """
    text = resources.files("antumbra.proofs").joinpath("index.toml").read_text(encoding="utf-8")
    found: dict[str, Row] = {}
    for entry in tomllib.loads(text)["claim"]:
        if entry["id"] in found:
            raise ValueError(f"the id {entry['id']} occurs twice in index.toml")
        found[entry["id"]] = Row(
            entry["id"],
            entry["title"],
            entry["source"],
            tuple(entry["fields"]),
            Verdict(entry["target"]),
            Verdict(entry["expected"]),
            tuple(Kind(k) for k in entry["required"]),
        )
    return tuple(found.values())


def statement(claim_id: str) -> Claim:
    """The claim of that id, with its parts; a row that is not formalised yet has one part without a formula.

    Raises:
        KeyError: no such row.
    """
    from antumbra.proofs.statements import claims

    if claim_id in _OWN:
        return _OWN[claim_id]
    if claim_id in claims():
        return claims()[claim_id]
    row = next((r for r in rows() if r.id == claim_id), None)
    if row is None:
        raise KeyError(f"no row {claim_id!r} in index.toml")
    return Claim(row.id, row.title, row.source, row.fields, (Part("assertion", None, row.title),))


def definitions() -> list[dict[str, Any]]:
    """The setting: symbols, definitions, flows and hypotheses, in order."""
    from antumbra.proofs.statements import claims

    claims()  # statements may add definitions of their own
    from antumbra.proofs.setting import DEFINITIONS

    return list(DEFINITIONS)


@cache
def signature() -> Signature:
    """The setting by name."""
    return Signature(definitions())


@cache
def load() -> None:
    """Import every module of proofs, so that they are filed."""
    from antumbra.proofs.statements import claims

    claims()
    for name in PROOF_MODULES:
        full = f"antumbra.proofs.{name}"
        if importlib.util.find_spec(full) is not None:
            importlib.import_module(full)


@cache
def filed_points() -> dict[str, dict[str, Any]]:
    """Models found by earlier searches, by `claim/part/purpose`; each is certified anew when it is used."""
    source = resources.files("antumbra.proofs").joinpath(POINTS)
    return dict(json.loads(source.read_text(encoding="utf-8"))) if source.is_file() else {}


def find_point(claim: str, part: str, purpose: str, search: Callable[[], Model | None]) -> tuple[Model | None, str]:
    """A model for a purpose (filed by hand, on file, or searched for now) and where it came from."""
    by_hand = _POINTS.get((claim, part, purpose))
    if by_hand is not None:
        return by_hand.model, by_hand.note
    on_file = filed_points().get(f"{claim}/{part}/{purpose}")
    if on_file is not None:
        return Model.from_json(on_file), ""
    return search(), ""


# --- claims of a user's own ------------------------------------------------------------------------------------------


class ClaimsFileError(ValueError):
    """A file of claims cannot be used; the message says why in one line."""


_OWN: dict[str, Claim] = {}
_FILES: dict[str, tuple[Row, ...]] = {}


def add_file(path: str) -> tuple[Row, ...]:
    """Take in the claims of a Python file: its `CLAIMS`, with the proofs and points that it files as it runs.

    The file is its author's own code and runs as such. A claim is expected to be proved unless the file has
    `EXPECTED = {id: verdict}`.

    Raises:
        ClaimsFileError: the file cannot be run, has no claims, or uses an id that exists.
    """
    source = Path(path).resolve()
    if str(source) in _FILES:
        return _FILES[str(source)]
    load()
    signature.cache_clear()
    spec = importlib.util.spec_from_file_location(f"antumbra_claims_{len(_FILES)}", source)
    if spec is None or spec.loader is None or not source.is_file():
        raise ClaimsFileError(f"{path} is not a Python file that can be read; give the path of one")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001  whatever the user's file raises is told in one line
        raise ClaimsFileError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    found = tuple(getattr(module, "CLAIMS", ()))
    if not found or not all(isinstance(c, Claim) for c in found):
        raise ClaimsFileError(f"{path} has no claims; let it define CLAIMS = (Claim(...), ...)")
    known = {r.id for r in rows()} | _OWN.keys()
    expected = dict(getattr(module, "EXPECTED", {}))
    made = []
    for claim in found:
        if claim.id in known:
            raise ClaimsFileError(f"{path} claims {claim.id}, an id that exists; ids are permanent, choose another")
        known.add(claim.id)
        try:
            verdict = Verdict(expected.get(claim.id, Verdict.PROVED))
        except ValueError as error:
            allowed = ", ".join(v.value for v in Verdict)
            raise ClaimsFileError(f"{path} expects {error} of {claim.id}; allowed are {allowed}") from error
        made.append(Row(claim.id, claim.title, claim.source, claim.fields, verdict, verdict, ()))
    _OWN.update({c.id: c for c in found})
    _FILES[str(source)] = tuple(made)
    return _FILES[str(source)]


def _automatic(claim: Claim, part: Part) -> Iterator[Evidence]:
    """For a claim of a user's own without a proof or point: a direct attempt, then a search for a counterexample."""
    assert part.statement is not None
    formula = part.statement

    def attempt(proof: Proof) -> None:
        direct(proof)

    if (claim.id, part.name) not in _PROOFS:
        _PROOFS[claim.id, part.name] = attempt
    found = symbolic(claim, part)
    yield found
    if found.outcome is Outcome.PASS or any((claim.id, part.name, p) in _POINTS for p in ("holds", "fails")):
        return
    ground = witness_ground(part)
    wanted: witness.Sense = "holds" if part.quantifier is Quantifier.EXISTENTIAL else "fails"
    model = witness.search(ground, formula, sense=wanted, plan=SEARCH)
    if model is None:
        yield Evidence(
            Kind.WITNESS, Outcome.UNDECIDED, "a search over small rational points found no point that decides it"
        )
        return
    certificate = witness.certify(ground, formula, model, sense=wanted, claim=claim.id, part=part.name)
    if wanted == "holds":
        yield Evidence(Kind.WITNESS, Outcome.PASS, "an exact point at which it holds", {}, certificate)
    else:
        yield Evidence(Kind.WITNESS, Outcome.FAIL, "an exact counterexample, found by search", {}, certificate)


# --- evidence ----------------------------------------------------------------------------------------------------------


def ground_of(part: Part, hypotheses: tuple[str, ...] | None = None) -> Ground:
    """The kernel's ground of a part."""
    return Ground(signature(), hypotheses if hypotheses is not None else part.hypotheses, part.domain, _lookup)


def witness_ground(part: Part, hypotheses: tuple[str, ...] | None = None) -> witness.Ground:
    """The same for witnesses."""
    names = hypotheses if hypotheses is not None else part.hypotheses
    return witness.Ground(signature(), names, part.domain)  # type: ignore[arg-type]


def _lookup(claim_id: str, part: str) -> tuple[Node, tuple[str, ...], tuple[Node, ...]]:
    found = statement(claim_id).part(part)
    if found.statement is None:
        raise Rejected(f"{claim_id} ({part}) is not formalised, so it cannot be cited")
    return found.statement, found.hypotheses, found.domain


def evidence(claim_id: str, profile: str = "standard", seed: int = 1) -> list[tuple[str, Evidence]]:
    """All exact evidence of a claim, with the part that each is for. Profile and seed change nothing here."""
    load()
    result: list[tuple[str, Evidence]] = []
    claim = statement(claim_id)
    for part in claim.parts:
        result += [(part.name, e) for e in _part_evidence(claim, part)]
    return result


def uses(claim_id: str) -> list[str]:
    """Ids of the claims that the proofs of this one cite."""
    found: dict[str, None] = {}
    for _, item in evidence(claim_id):
        for cited, _ in (item.certificate or {}).get("uses", ()):
            found[cited] = None
    return list(found)


def _part_evidence(claim: Claim, part: Part) -> Iterator[Evidence]:
    if part.statement is None:
        yield from _unsupported(claim, part)
        return
    if claim.id in _OWN:
        yield from _automatic(claim, part)
    elif (claim.id, part.name) in _PROOFS:
        yield symbolic(claim, part)
    yield from _points(claim, part)
    for function in _EXTRA.get((claim.id, part.name), ()):
        yield function()
    yield from _ablations(claim, part)
    if part.mutants:
        yield mutation(claim, part)


def derive(claim: Claim, part: Part) -> Proof:
    """Run the proof of a part.

    Raises:
        Rejected: a step does not follow.
    """
    assert part.statement is not None
    proof = Proof(ground_of(part), claim.id, part.name, part.statement)
    _PROOFS[claim.id, part.name](proof)
    return proof


def symbolic(claim: Claim, part: Part) -> Evidence:
    """The derivation of a part, with a model that shows its ground not to be empty."""
    try:
        proof = derive(claim, part)
        model = ground_model(claim, part)
        if model is None:
            return Evidence(
                Kind.SYMBOLIC,
                Outcome.VACUOUS,
                "no model of the hypotheses was found, so the proof may speak of nothing",
            )
        certificate = proof.certificate(model.to_json())
    except Rejected as error:
        return Evidence(Kind.SYMBOLIC, Outcome.UNDECIDED, f"the proof does not close: {error}"[:2000])
    steps = certificate["steps"]
    rules = sorted({s["rule"] for s in steps})
    return Evidence(
        Kind.SYMBOLIC,
        Outcome.PASS,
        f"derived in {len(steps)} steps for all parameters",
        {"steps": len(steps), "rules": rules, "analysis": certificate["analysis"]},
        certificate,
    )


def ground_model(claim: Claim, part: Part) -> Model | None:
    """A model in which all hypotheses of the part hold together."""
    ground = witness_ground(part)
    model, _ = find_point(claim.id, part.name, "ground", lambda: witness.search(ground, None, plan=SEARCH))
    if model is None:
        return None
    model = model.restricted(ground.symbols(None))
    witness.check_ground(ground, model)
    return model


def _points(claim: Claim, part: Part) -> Iterator[Evidence]:
    """Witnesses: a point of existence, a counterexample, or the reason why a statement is unsupported."""
    assert part.statement is not None
    for purpose in ("holds", "fails"):
        filed = (claim.id, part.name, purpose) in _POINTS or f"{claim.id}/{part.name}/{purpose}" in filed_points()
        if not filed:
            continue
        model, note = find_point(claim.id, part.name, purpose, lambda: None)
        assert model is not None
        try:
            certificate = witness.certify(
                witness_ground(part), part.statement, model, sense=purpose, claim=claim.id, part=part.name
            )
        except witness.WitnessError as error:
            yield Evidence(Kind.WITNESS, Outcome.ERROR, f"the point on file is not a witness: {error}")
            continue
        words = "an exact point at which it holds" if purpose == "holds" else "an exact counterexample"
        exists = part.quantifier is Quantifier.EXISTENTIAL
        outcome = Outcome.PASS if (purpose == "holds") == exists or purpose == "holds" else Outcome.FAIL
        yield Evidence(Kind.WITNESS, outcome, note or words, {"sizes": dict(model.sizes)}, certificate)
    yield from _unsupported(claim, part)


def _unsupported(claim: Claim, part: Part) -> Iterator[Evidence]:
    reason = _UNSUPPORTED.get((claim.id, part.name))
    if reason is not None:
        yield Evidence(Kind.WITNESS, Outcome.FAIL, reason, {"unsupported": reason})


def _ablations(claim: Claim, part: Part) -> Iterator[Evidence]:
    """For each hypothesis that is not there for meaning alone: a point where the statement fails without it."""
    assert part.statement is not None
    formula = part.statement
    ground = witness_ground(part)
    if part.quantifier is not Quantifier.UNIVERSAL or (claim.id, part.name, "fails") in _POINTS:
        return
    for name in part.hypotheses:
        if name in part.meaning:
            continue

        def look(name: str = name) -> Model | None:
            return witness.search(ground, formula, sense="fails", drops=(name,), plan=SEARCH)

        model, note = find_point(claim.id, part.name, f"drop:{name}", look)
        if model is None:
            yield Evidence(
                Kind.ABLATION,
                Outcome.UNDECIDED,
                f"no point was found at which it fails without {name}",
                {"hypothesis": name},
            )
            continue
        try:
            certificate = witness.certify(
                ground, formula, model, sense="fails", claim=claim.id, part=part.name, drops=(name,)
            )
        except witness.WitnessError as error:
            yield Evidence(Kind.ABLATION, Outcome.ERROR, f"dropping {name}: {error}", {"hypothesis": name})
            continue
        words = note or f"without {name} it fails at an exact point"
        yield Evidence(
            Kind.ABLATION, Outcome.PASS, words, {"hypothesis": name, "sizes": dict(model.sizes)}, certificate
        )


def mutation(claim: Claim, part: Part) -> Evidence:
    """Wrong neighbours of the statement go through the same machinery; none may come out proved."""
    results: list[dict[str, Any]] = []
    for mutant in part.mutants:
        ground = ground_of(part, mutant.hypotheses)
        accepted = _accepted(claim, part, mutant.statement, ground)
        refuted = None
        if not accepted:
            about = witness_ground(part, mutant.hypotheses)

            def look(formula: Node = mutant.statement, about: witness.Ground = about) -> Model | None:
                return witness.search(about, formula, sense="fails", plan=SEARCH)

            model, _ = find_point(claim.id, part.name, f"mutant:{mutant.name}", look)
            if model is not None:
                try:
                    refuted = witness.certify(
                        about, mutant.statement, model, sense="fails", claim=claim.id, part=part.name
                    )["model"]
                except witness.WitnessError:
                    refuted = None
        results.append({"mutant": mutant.name, "accepted": accepted, "refuted_at": refuted})
    caught = sum(not r["accepted"] for r in results)
    refutations = sum(r["refuted_at"] is not None for r in results)
    outcome = Outcome.PASS if caught == len(results) else Outcome.FAIL
    summary = f"{caught} of {len(results)} wrong neighbours rejected, {refutations} of them refuted at an exact point"
    return Evidence(Kind.MUTATION, outcome, summary, {"mutants": results})


def _accepted(claim: Claim, part: Part, formula: Node, ground: Ground) -> bool:
    """Whether the part's own proof, or a direct attempt, derives a formula."""

    def by_own_proof(proof: Proof) -> None:
        function = _PROOFS.get((claim.id, part.name))
        if function is not None:
            function(proof)

    for attempt in (by_own_proof, direct):
        proof = Proof(ground, claim.id, part.name, formula)
        try:
            attempt(proof)
            proof.certificate(None)
        except Rejected:
            continue
        return True
    return False


def direct(proof: Proof) -> None:
    """The automatic attempt at a statement: normal form for equations, structure for comparisons.

    Raises:
        Rejected: it does not close.
    """
    formula = proof.statement
    tag = formula[0]
    if tag == "eq":
        proof.equal(formula[1], formula[2])
    elif tag == "veq":
        proof.same_vector(formula[1], formula[2])
    elif tag in ("ge", "gt", "le", "lt", "ne"):
        proof.compare(formula)
    elif tag == "iff":
        proof.congruent(formula[1], formula[2])
    else:
        raise Rejected(f"no automatic attempt at a statement of the form {tag!r}")
