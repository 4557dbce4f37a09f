"""Attacks on what is stated: the very formula of a part, beside a search made for it.

`attack` files a search as the ATTACK evidence of a part. When it runs, the part's own formula is attacked as well, by
`antumbra.numerics.attack`, which knows nothing of the search; the search transcribes the assertion by hand and reaches
edges and sizes that the other does not. Either may refute. `attack_stated` files the second alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import cache
from typing import Any

from antumbra.numerics.registry import Check, RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind, Outcome


@cache
def _signature() -> Any:
    """The setting with what the statements declare."""
    from antumbra.proofs import setting
    from antumbra.proofs.kernel.witness import Signature  # type: ignore[attr-defined]  # the one door to the kernel
    from antumbra.proofs.statements import claims

    claims()
    return Signature(setting.DEFINITIONS)


def stated(context: RunContext, claim: str, part: str) -> Evidence:
    """The attack on a part's own formula, one profile below the run's: a hundred formulas are attacked.

    Raises:
        KeyError: no such claim or part.
    """
    from antumbra.numerics.attack import attack_part
    from antumbra.proofs.statements import claims

    known = claims()
    if claim not in known:
        return Evidence(Kind.ATTACK, Outcome.NOT_RUN, "The claim has no statement yet.")
    # A quarter of a second each in the quick and the standard profile, up to two seconds in the deep one.
    short = RunContext(context.seed, "standard" if context.profile == "deep" else "quick", context.claim)
    return attack_part(claim, known[claim].part(part), _signature(), short)


def joined(search: Evidence, formula: Evidence) -> Evidence:
    """One piece of evidence of both attacks.

    Either refutes; floats that the kernel does not confirm leave it undecided; it passes when one of them passed and
    the other said nothing against it.
    """
    outcomes = (search.outcome, formula.outcome)
    decisive = (Outcome.ERROR, Outcome.FAIL, Outcome.UNDECIDED, Outcome.PASS)
    outcome = next((known for known in decisive if known in outcomes), search.outcome)
    summary = f"{search.summary} The formula as stated: {formula.summary[0].lower()}{formula.summary[1:]}"
    data = {"search": dict(search.data), "formula": {"outcome": formula.outcome.value, **formula.data}}
    return Evidence(Kind.ATTACK, outcome, summary, data, certificate=formula.certificate or search.certificate)


def attack(claim: str, *, part: str) -> Callable[[Check], Check]:
    """Register a search as a part's ATTACK evidence, together with the attack on the part's formula."""

    def register(search: Check) -> Check:
        @functools.wraps(search)
        def both(context: RunContext) -> Evidence:
            return joined(search(context), stated(context, claim, part))

        evidence(claim, kind=Kind.ATTACK, part=part)(both)
        return search

    return register


def attack_stated(claim: str, *parts: str, required: bool = False) -> None:
    """Register attacks on the formulas of parts as their ATTACK evidence.

    Where the row asks for none (not `required`), they are left out of the quick profile.
    """
    for part in parts:

        def check(context: RunContext, part: str = part) -> Evidence:
            if context.profile == "quick" and not required:
                return Evidence(
                    Kind.ATTACK, Outcome.NOT_RUN, "Not attacked in the quick profile; the row asks for no attack."
                )
            return stated(context, claim, part)

        check.__qualname__ = f"stated:{claim}:{part}"
        evidence(claim, kind=Kind.ATTACK, part=part)(check)
