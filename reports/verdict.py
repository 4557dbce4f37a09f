"""The one function that turns evidence into verdicts.

Nobody writes a verdict. The verdict of a part follows from its evidence, the verdict of a claim from those of its
parts, of the claim that amends it and of the claims it uses. The order of the evidence does not matter; evidence that
is vacuous, undecided or was not run never raises a verdict.

How evidence is read
--------------------
Each piece of evidence speaks for a part's statement, against it, or not at all (`stance`).

* A passed check of the kinds symbolic, formal, enclosure, precision, flow and attack speaks *for* the statement, a
  failed one *against* it.
* A witness, or any evidence whose certificate is a witness, is read by the certificate: the sense `holds` speaks for
  an existential statement (one point says nothing for a universal one), the sense `fails` with no hypothesis dropped
  is a counterexample, whatever the kind of evidence that carries it. The check itself must have ended with a pass or
  a fail.
* Ablation and mutation are *controls*: they say nothing about the statement, but a failed one means that the machinery
  or the list of hypotheses is not to be trusted.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from antumbra.proofs.claim import Evidence, Kind, Outcome, Quantifier, Verdict

CONTROLS = frozenset({Kind.ABLATION, Kind.MUTATION})
"""Kinds that test the test, not the statement."""

EXACT = frozenset({Kind.SYMBOLIC, Kind.FORMAL})
"""Kinds that prove a statement for all of its parameters."""

STRENGTH: tuple[Verdict, ...] = (
    Verdict.CONFLICT,
    Verdict.REFUTED,
    Verdict.UNDECIDED,
    Verdict.CONFIRMED,
    Verdict.CERTIFIED,
    Verdict.PROVED,
)
"""From the weakest to the strongest verdict of a part. A conjunction with one refuted part is refuted."""


class Stance(enum.Enum):
    """What one piece of evidence says of the statement."""

    PROVES = "proves"
    COUNTEREXAMPLE = "counterexample"
    SUPPORTS = "supports"
    OPPOSES = "opposes"
    UNSUPPORTED = "unsupported"
    CONTROL_FAILED = "control failed"
    BROKEN = "broken"
    SILENT = "silent"


@dataclass(frozen=True)
class Judgement:
    """A verdict and the sentence that says why.

    Attributes:
        verdict: the verdict.
        reason: one sentence for a person.
        unsupported: whether the part's statement was shown to be unsupported rather than false.
    """

    verdict: Verdict
    reason: str
    unsupported: bool = False


def stance(evidence: Evidence, quantifier: Quantifier) -> Stance:
    """What `evidence` says of a statement with that quantifier."""
    outcome = evidence.outcome
    if outcome is Outcome.ERROR:
        return Stance.BROKEN
    if outcome not in (Outcome.PASS, Outcome.FAIL):
        return Stance.SILENT
    if evidence.kind in CONTROLS:
        return Stance.CONTROL_FAILED if outcome is Outcome.FAIL else Stance.SILENT
    certificate = evidence.certificate
    if certificate is not None and certificate.get("kind") == "witness":
        return _witness_stance(certificate.get("sense"), bool(certificate.get("drops")), outcome, quantifier)
    if outcome is Outcome.FAIL:
        if evidence.kind is Kind.WITNESS and _text(evidence.data.get("unsupported")):
            return Stance.UNSUPPORTED
        return Stance.OPPOSES
    if evidence.kind in EXACT:
        # A derivation that cannot be replayed by anybody else proves nothing.
        return Stance.PROVES if certificate else Stance.SILENT
    if evidence.kind is Kind.WITNESS:
        return Stance.SILENT
    return Stance.SUPPORTS


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _witness_stance(sense: object, drops: bool, outcome: Outcome, quantifier: Quantifier) -> Stance:
    """The stance of a decided check that carries a point.

    A point outside the hypotheses says nothing; a point at which the statement holds speaks for existence alone.
    """
    if drops:
        return Stance.SILENT
    if sense == "fails":
        # One point does not refute existence.
        return Stance.SILENT if quantifier is Quantifier.EXISTENTIAL else Stance.COUNTEREXAMPLE
    if sense == "holds" and outcome is Outcome.PASS:
        return Stance.PROVES if quantifier is Quantifier.EXISTENTIAL else Stance.SILENT
    return Stance.OPPOSES if outcome is Outcome.FAIL else Stance.SILENT


def part_verdict(evidence: Iterable[Evidence], quantifier: Quantifier = Quantifier.UNIVERSAL) -> Judgement:
    """The verdict of a part.

    Args:
        evidence: all of its evidence, in any order.
        quantifier: what sort of assertion the part is.
    """
    gathered = list(evidence)
    stances = [(item, stance(item, quantifier)) for item in gathered]
    found = {value for _, value in stances}
    passed = {item.kind for item, value in stances if value in (Stance.SUPPORTS, Stance.PROVES)}
    opposed = sorted({item.kind.value for item, value in stances if value is Stance.OPPOSES})

    if Stance.BROKEN in found:
        return Judgement(Verdict.CONFLICT, "a check ended with an error")
    if quantifier is Quantifier.STATISTICAL:
        return _statistical(passed, opposed, found)
    # What would decide the part by itself, were there no objection.
    decided = Stance.PROVES in found or Kind.ENCLOSURE in passed
    if Stance.COUNTEREXAMPLE in found:
        if decided:
            return Judgement(Verdict.CONFLICT, "proved or enclosed, and yet a certified counterexample exists")
        if Stance.CONTROL_FAILED in found:
            return Judgement(Verdict.UNDECIDED, "a counterexample was found, but a control failed")
        return Judgement(Verdict.REFUTED, "a certified counterexample within the hypotheses")
    if opposed:
        if passed:
            return Judgement(Verdict.CONFLICT, f"some checks passed and others ({', '.join(opposed)}) failed")
        return Judgement(Verdict.UNDECIDED, f"{', '.join(opposed)} failed, without a certified counterexample")
    if Stance.UNSUPPORTED in found:
        if passed:
            return Judgement(Verdict.CONFLICT, "said to be unsupported, and yet a check passed")
        return Judgement(Verdict.UNDECIDED, "unsupported as stated", unsupported=True)
    if Stance.CONTROL_FAILED in found:
        return _control_failed(stances, decided=decided)
    replayed = {item.kind for item, value in stances if value is Stance.SUPPORTS and item.certificate}
    return _unopposed(found, passed, replayed)


def _control_failed(stances: Sequence[tuple[Evidence, Stance]], *, decided: bool) -> Judgement:
    """Nothing speaks against the statement, yet a control failed."""
    kinds = {item.kind for item, value in stances if value is Stance.CONTROL_FAILED}
    if Kind.MUTATION in kinds and decided:
        return Judgement(Verdict.CONFLICT, "a wrong neighbour of the statement was accepted as well")
    if Kind.MUTATION in kinds:
        return Judgement(Verdict.UNDECIDED, "a wrong neighbour of the statement was accepted")
    return Judgement(Verdict.UNDECIDED, "a listed hypothesis was not shown to matter")


def _unopposed(found: set[Stance], passed: set[Kind], replayed: set[Kind]) -> Judgement:
    """The strongest verdict that the passed kinds allow, when nothing failed.

    An enclosure counts as certified only with a certificate that the stand-alone checker can replay.
    """
    if Stance.PROVES in found:
        return Judgement(Verdict.PROVED, "a derivation or a witness with a certificate, and nothing failed")
    if {Kind.ENCLOSURE, Kind.PRECISION} <= passed and Kind.ENCLOSURE not in replayed:
        return Judgement(Verdict.UNDECIDED, "enclosed, and a second route agrees, but no certificate replays it")
    if {Kind.ENCLOSURE, Kind.PRECISION} <= passed:
        return Judgement(Verdict.CERTIFIED, "enclosed rigorously, and a second route agrees")
    if {Kind.FLOW, Kind.ATTACK} <= passed:
        return Judgement(Verdict.CONFIRMED, "sampled configurations agree and an attack found nothing; not a proof")
    if passed:
        names = ", ".join(sorted(kind.value for kind in passed))
        return Judgement(Verdict.UNDECIDED, f"{names} passed, which is not enough for a verdict")
    return Judgement(Verdict.UNDECIDED, "no evidence decides it")


def _statistical(passed: set[Kind], opposed: list[str], found: set[Stance]) -> Judgement:
    """A claim about measured objects: decided by its own test alone."""
    if Stance.CONTROL_FAILED in found:
        return Judgement(Verdict.UNDECIDED, "a control of the test failed")
    if passed and opposed:
        return Judgement(Verdict.CONFLICT, "the claim's own tests contradict each other")
    if passed:
        return Judgement(Verdict.CONFIRMED, "the claim's own statistical test passed")
    if opposed:
        return Judgement(Verdict.REFUTED, "the claim's own statistical test failed")
    return Judgement(Verdict.UNDECIDED, "the claim's own statistical test was not decisive")


def claim_verdict(
    parts: Iterable[Judgement],
    amendment: Verdict | None = None,
    foundations: Iterable[Verdict] = (),
) -> Judgement:
    """The verdict of a claim: that of its weakest part.

    Args:
        parts: the judgements of all of its parts, in any order.
        amendment: the verdict of the claim that corrects this one, if there is one.
        foundations: the verdicts of the claims that this one's proofs cite.
    """
    judged = list(parts)
    if not judged:
        return Judgement(Verdict.UNDECIDED, "the claim has no part: its assertions are not formalised yet")
    weakest = min(judged, key=lambda judgement: (STRENGTH.index(judgement.verdict), judgement.reason))
    if weakest.verdict is Verdict.PROVED and any(verdict is not Verdict.PROVED for verdict in foundations):
        return Judgement(Verdict.UNDECIDED, "a claim that the proof uses is not proved")
    if amendment is Verdict.PROVED and _needs_amendment(judged):
        return Judgement(Verdict.AMENDED, f"{weakest.reason}; the corrected statement is proved")
    return weakest


def _needs_amendment(judged: Sequence[Judgement]) -> bool:
    """Whether the claim is false, or every part that is not decided for it is unsupported, and nothing conflicts."""
    verdicts = {judgement.verdict for judgement in judged}
    if Verdict.CONFLICT in verdicts:
        return False
    if Verdict.REFUTED in verdicts:
        return True
    open_parts = [judgement for judgement in judged if judgement.verdict is Verdict.UNDECIDED]
    return bool(open_parts) and all(judgement.unsupported for judgement in open_parts)
