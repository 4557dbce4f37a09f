"""Words, shapes and colours for verdicts and outcomes, the same in every report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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

RULES: dict[str, str] = {
    "ring": "by algebra: both sides have the same normal form",
    "sign": "by the signs of its terms",
    "hypothesis": "a hypothesis",
    "symbol": "by the domain of the symbol",
    "size": "a size is at least one",
    "assume": "assumed",
    "and_intro": "together",
    "and_elim": "one of the two",
    "implies_intro": "the assumption is discharged",
    "modus": "by the implication",
    "iff_intro": "both directions",
    "iff_elim": "by the equivalence",
    "iff_chain": "equivalences in a row",
    "all_intro": "for every index",
    "all_elim": "for this index",
    "forall_intro": "for every value",
    "forall_elim": "for this value",
    "forallv_intro": "for every vector",
    "forallv_elim": "for this vector",
    "exists_intro": "by this value",
    "cases": "in every case",
    "compare": "one of the comparisons holds",
    "contradiction": "by contradiction",
    "or_intro": "one of the alternatives",
    "instantiate": "for these values",
    "cite": "a proved claim",
    "eq_flip": "read backwards",
    "antisymmetry": "both inequalities",
    "vector_zero": "a vector of length zero is zero",
    "sum_zero": "a sum of non-negative terms that is zero has zero terms",
    "square_zero": "a square that is zero",
    "equal_rewrite": "by the equation",
    "cauchy_schwarz": "Cauchy–Schwarz",
    "absolute": "by the absolute value",
    "operator_norm": "by the operator norm",
    "operator_norm_le": "a bound of the operator norm",
    "exp_tangent": "the exponential lies above its tangent",
    "iff_scale": "scaled by a positive factor",
    "iff_exp": "the exponential rises",
    "iff_square": "squares of non-negative numbers",
    "congruence": "equal terms",
    "increasing": "a positive derivative",
    "root_monotone": "a sign change and a positive derivative",
    "root_convex": "a sign change and convexity",
    "root_is": "the only root",
    "root_facts": "what a root satisfies",
    "antiderivative": "by differentiating the antiderivative",
    "integral_compare": "one integrand lies above the other",
    "convex_between": "a convex function lies below its chord",
    "tangent_below": "a convex function lies above its tangent",
    "root_side": "the sign beside the only root",
    "dissipation": "by bounded dissipation, for all times",
}
"""Rules in words."""


def reason_of(step: Mapping[str, Any]) -> str:
    """Why a step of a derivation holds: its rule in words, and the steps that it stands on."""
    rule = str(step.get("rule"))
    listed = (step.get(key) for key in ("from", "facts", "rewrites"))
    numbers = [number for value in listed if isinstance(value, list) for number in value if type(number) is int]
    origin = f", from {', '.join(map(str, dict.fromkeys(numbers)))}" if numbers else ""
    return RULES.get(rule, rule.replace("_", " ")) + origin
