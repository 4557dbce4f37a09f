"""Words, shapes and colours for verdicts and outcomes, the same in every report."""

from __future__ import annotations

from dataclasses import dataclass

from antumbra.proofs.claim import Kind, Outcome, Verdict


@dataclass(frozen=True)
class Sign:
    """How a verdict or an outcome is shown: by shape, colour and word, never by colour alone."""

    shape: str
    style: str
    meaning: str


VERDICTS: dict[Verdict, Sign] = {
    Verdict.PROVED: Sign("●", "green", "true for all parameters in the stated domain; a derivation or a witness"),
    Verdict.CERTIFIED: Sign("◆", "cyan", "a number or sign enclosed rigorously at given parameters, by two routes"),
    Verdict.AMENDED: Sign("▲", "magenta", "false or unsupported as stated; the corrected statement is proved"),
    Verdict.REFUTED: Sign("✖", "red", "false as stated: an exact counterexample within the hypotheses"),
    Verdict.CONFIRMED: Sign("◐", "blue", "numerical agreement only; not a proof"),
    Verdict.UNDECIDED: Sign("○", "yellow", "none of these; what was tried is listed"),
    Verdict.CONFLICT: Sign("■", "bold red", "evidence contradicts itself, or a check ended with an error"),
}

OUTCOMES: dict[Outcome, Sign] = {
    Outcome.PASS: Sign("✓", "green", "passed"),
    Outcome.FAIL: Sign("✗", "red", "failed"),
    Outcome.UNDECIDED: Sign("?", "yellow", "ended without a decision"),
    Outcome.VACUOUS: Sign("∅", "yellow", "met no instance of the hypotheses"),
    Outcome.NOT_RUN: Sign("–", "dim", "was not run"),
    Outcome.ERROR: Sign("!", "bold red", "ended with an error"),
}

KINDS: dict[Kind, str] = {
    Kind.SYMBOLIC: "a derivation whose every step is checked again",
    Kind.WITNESS: "an exact point",
    Kind.ENCLOSURE: "a rigorous enclosure",
    Kind.PRECISION: "the same number by two different routes",
    Kind.FLOW: "the dynamics integrated from sampled configurations",
    Kind.ATTACK: "a search for a counterexample within the hypotheses",
    Kind.ABLATION: "without a hypothesis the statement fails",
    Kind.MUTATION: "a wrong neighbour of the statement is not accepted",
    Kind.FORMAL: "a proof in another proof assistant",
}
