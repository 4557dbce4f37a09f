"""The exact evidence of a claim: derivations, witnesses, ablations and mutants.

Proofs are checked by the kernel as they are made, points by the evaluator; the stand-alone checker judges both again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from antumbra.proofs import points, registry
from antumbra.proofs.claim import Claim, Evidence, Kind, Node, Outcome, Part, Quantifier
from antumbra.proofs.kernel import terms, witness
from antumbra.proofs.kernel.definedness import obligations
from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.ground import Ground, Rejected
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import free_indices


def ground_of(part: Part, hypotheses: tuple[str, ...] | None = None) -> Ground:
    """The kernel's ground of a part."""
    return Ground(registry.signature(), hypotheses if hypotheses is not None else part.hypotheses, part.domain, _lookup)  # type: ignore[arg-type]


def witness_ground(part: Part, hypotheses: tuple[str, ...] | None = None) -> witness.Ground:
    """The same for witnesses."""
    names = hypotheses if hypotheses is not None else part.hypotheses
    return witness.Ground(registry.signature(), names, part.domain)  # type: ignore[arg-type]


def _lookup(claim_id: str, part: str) -> tuple[Node, tuple[str, ...], tuple[Node, ...]]:
    found = registry.statement(claim_id).part(part)
    if found.statement is None:
        raise Rejected(f"{claim_id} ({part}) is not formalised, so it cannot be cited")
    return found.statement, found.hypotheses, found.domain


def evidence(claim_id: str) -> list[tuple[str, Evidence]]:
    """All exact evidence of a claim, with the part that each is for."""
    registry.load()
    claim = registry.statement(claim_id)
    return [(part.name, item) for part in claim.parts for item in part_evidence(claim, part)]


def part_evidence(claim: Claim, part: Part) -> Iterator[Evidence]:
    """All exact evidence of one part."""
    if part.statement is None:
        yield from _unsupported(claim, part)
        return
    if claim.id in registry.OWN:
        yield from _automatic(claim, part)
    elif (claim.id, part.name) in registry.PROOFS:
        yield symbolic(claim, part)
    yield from _points(claim, part)
    for function in registry.EXTRA.get((claim.id, part.name), ()):
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
    proof = Proof(ground_of(part), claim.id, part.name, terms.Node(part.statement))
    registry.PROOFS[claim.id, part.name](proof)
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
    purpose = points.Purpose(claim.id, part.name, "ground")

    def certify(model: Model) -> dict[str, Any]:
        witness.check_ground(ground, model.restricted(ground.symbols(None)))
        return {}

    found = points.find(purpose, ground, None, certify, lambda: witness.search(ground, None, plan=points.SEARCH))
    return found.model.restricted(ground.symbols(None)) if found is not None else None


def failing_point(
    purpose: points.Purpose, ground: witness.Ground, formula: Node, drops: tuple[str, ...] = ()
) -> points.Found | None:
    """A point of the ground at which a formula fails, with the dropped hypotheses failing too."""

    def certify(model: Model) -> dict[str, Any]:
        return witness.certify(
            ground, formula, model, sense="fails", claim=purpose.claim, part=purpose.part, drops=drops
        )

    def search() -> Model | None:
        return witness.search(ground, formula, sense="fails", drops=drops, plan=points.SEARCH)

    return points.find(purpose, ground, formula, certify, search)


def _points(claim: Claim, part: Part) -> Iterator[Evidence]:
    """Witnesses filed by hand: a point of existence, a counterexample, or the reason why a statement is unsupported."""
    assert part.statement is not None
    for sense in ("holds", "fails"):
        filed = registry.POINTS.get((claim.id, part.name, sense))
        if filed is None:
            continue
        certificate = witness.certify(
            witness_ground(part), part.statement, filed.model, sense=sense, claim=claim.id, part=part.name
        )
        words = "an exact point at which it holds" if sense == "holds" else "an exact counterexample"
        outcome = Outcome.PASS if sense == "holds" else Outcome.FAIL
        yield Evidence(Kind.WITNESS, outcome, filed.note or words, {"sizes": dict(filed.model.sizes)}, certificate)
    yield from _unsupported(claim, part)


def _unsupported(claim: Claim, part: Part) -> Iterator[Evidence]:
    reason = registry.UNSUPPORTED.get((claim.id, part.name))
    if reason is not None:
        yield Evidence(Kind.WITNESS, Outcome.FAIL, reason, {"unsupported": reason})


def _ablations(claim: Claim, part: Part) -> Iterator[Evidence]:
    """For each hypothesis that is not there for meaning alone: a point where the statement fails without it."""
    assert part.statement is not None
    if part.quantifier is not Quantifier.UNIVERSAL or (claim.id, part.name, "fails") in registry.POINTS:
        return
    for name in part.hypotheses:
        if name in part.meaning:
            continue
        purpose = points.Purpose(claim.id, part.name, f"drop:{name}")
        found = failing_point(purpose, witness_ground(part), part.statement, (name,))
        data = {"hypothesis": name}
        if found is None:
            words = f"no point was found at which it fails without {name}"
            yield Evidence(Kind.ABLATION, Outcome.UNDECIDED, words, data)
            continue
        if claim.id in registry.OWN and (refusal := refusal_of(part, found.certificate)) is not None:
            words = f"a point was found, but the stand-alone checker does not follow: {refusal}"[:2000]
            yield Evidence(Kind.ABLATION, Outcome.UNDECIDED, words, data)
            continue
        words = found.note or f"without {name} it fails at an exact point"
        yield Evidence(Kind.ABLATION, Outcome.PASS, words, {**data, "sizes": found.sizes}, found.certificate)


def mutation(claim: Claim, part: Part) -> Evidence:
    """Wrong neighbours of the statement go through the same machinery; none may come out proved."""
    results: list[dict[str, Any]] = []
    for mutant in part.mutants:
        accepted = _accepted(claim, part, mutant.statement, ground_of(part, mutant.hypotheses))
        refuted = None
        if not accepted:
            purpose = points.Purpose(claim.id, part.name, f"mutant:{mutant.name}")
            found = failing_point(purpose, witness_ground(part, mutant.hypotheses), mutant.statement)
            refuted = found.certificate["model"] if found is not None else None
        results.append({"mutant": mutant.name, "accepted": accepted, "refuted_at": refuted})
    caught = sum(not r["accepted"] for r in results)
    refutations = sum(r["refuted_at"] is not None for r in results)
    outcome = Outcome.PASS if caught == len(results) else Outcome.FAIL
    summary = f"{caught} of {len(results)} wrong neighbours rejected, {refutations} of them refuted at an exact point"
    return Evidence(Kind.MUTATION, outcome, summary, {"mutants": results})


def _accepted(claim: Claim, part: Part, formula: Node, ground: Ground) -> bool:
    """Whether the part's own proof, or a direct attempt, derives a formula."""

    def by_own_proof(proof: Proof) -> None:
        function = registry.PROOFS.get((claim.id, part.name))
        if function is not None:
            function(proof)

    for attempt in (by_own_proof, direct):
        proof = Proof(ground, claim.id, part.name, terms.Node(formula))
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


def refusal_of(part: Part, certificate: dict[str, Any]) -> str | None:
    """Why the stand-alone checker refuses a certificate of a part; `None` if it accepts it."""
    from antumbra.proofs import checker

    record = {
        "name": part.name,
        "statement": {"text": "", "term": part.statement},
        "domain": [{"text": "", "term": formula} for formula in part.domain],
        "hypotheses": list(part.hypotheses),
    }
    definitions, record, certificate = json.loads(json.dumps([registry.definitions(), record, certificate]))
    try:
        checker.check_certificate(definitions, record, certificate)
    except (checker.Rejected, checker.Unreadable) as error:
        return str(error)
    return None


def _automatic(claim: Claim, part: Part) -> Iterator[Evidence]:
    """For a claim of a user's own without a proof or point: a direct attempt, then a search for a counterexample."""
    assert part.statement is not None
    formula = part.statement

    def attempt(proof: Proof) -> None:
        direct(proof)

    if (claim.id, part.name) not in registry.PROOFS:
        registry.PROOFS[claim.id, part.name] = attempt
    found = symbolic(claim, part)
    yield found
    if found.outcome is Outcome.PASS or any((claim.id, part.name, p) in registry.POINTS for p in ("holds", "fails")):
        return
    ground = witness_ground(part)
    wanted: witness.Sense = "holds" if part.quantifier is Quantifier.EXISTENTIAL else "fails"
    defined = [
        o.shows for o in obligations(terms.Node(formula), registry.signature(), [f for _, f in ground.formulas()])
    ]
    # At a point where the statement is not even defined, that it fails says nothing.
    also = [formula for formula in defined if not free_indices(formula)]
    model = witness.search(ground, formula, sense=wanted, also=also, plan=points.SEARCH)
    if model is None:
        words = "a search over small rational points found no point that decides it"
        yield Evidence(Kind.WITNESS, Outcome.UNDECIDED, words)
        return
    certificate = witness.certify(ground, formula, model, sense=wanted, claim=claim.id, part=part.name)
    refusal = refusal_of(part, certificate)
    if refusal is not None:
        words = f"a point was found by search, but the stand-alone checker does not follow: {refusal}"
        yield Evidence(Kind.WITNESS, Outcome.UNDECIDED, words[:2000])
        return
    if wanted == "holds":
        yield Evidence(Kind.WITNESS, Outcome.PASS, "an exact point at which it holds", {}, certificate)
    else:
        yield Evidence(Kind.WITNESS, Outcome.FAIL, "an exact counterexample, found by search", {}, certificate)
