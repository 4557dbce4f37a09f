"""No rule forgets an assumption: a premise, a fact or a rewrite that assumes something more needs it below."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import test_curves
import test_rules
from antumbra.proofs import checker as c
from handmade import ZERO, gt, s, try_steps

MORE = gt(s("k"), ZERO)
OK = "accepted"
Use = tuple[str, list[dict[str, Any]], dict[str, Any], int, int]


def used(entry: dict[str, Any]) -> list[int]:
    """The earlier steps that a step relies on."""
    combined = [pair[1] for pair in entry.get("combo", [])]
    return sorted({*entry["from"], *entry.get("facts", []), *entry.get("rewrites", []), *combined})


def uses() -> list[Use]:
    found: list[Use] = []
    names = {"analysis": test_curves.DECAY_NAMES, "hypotheses": ("unit",)}
    solutions = {"analysis": test_curves.NAMES, "hypotheses": ("unit",)}
    good: list[tuple[Any, dict[str, Any]]] = [
        (x, {}) for x in (*test_rules.CASES, *test_curves.CASES, *test_curves.SHIFTS) if x[3] == OK
    ]
    good += [(x, names) for x in test_curves.DECAY_CASES if x[3] == OK]
    good += [(x, solutions) for x in test_curves.SOLUTIONS if x[3] == OK]
    for (label, steps, context, _), more in good:
        for k, entry in enumerate(steps):
            found += [(f"{label}: {entry['rule']} {k} uses {n}", steps, {**context, **more}, k, n) for n in used(entry)]
    return found


USES = uses()


@pytest.mark.parametrize(("steps", "context", "consumer", "producer"), [x[1:] for x in USES], ids=[x[0] for x in USES])
def test_assumptions_are_handed_on(
    steps: list[dict[str, Any]], context: dict[str, Any], consumer: int, producer: int
) -> None:
    changed = copy.deepcopy(steps[: consumer + 1])
    changed[producer]["given"].append(MORE)
    for between in changed[producer + 1 : consumer]:  # steps on the way may assume it too
        between["given"].append(MORE)
    outcome = try_steps(changed, **context)
    assert outcome.startswith(f"step {consumer} "), outcome
    assert "not among the given: k > 0" in outcome or "has assumptions" in outcome or "assumes more" in outcome, outcome


def test_every_rule_with_premises_is_here() -> None:
    rules = {steps[k]["rule"] for _, steps, _, k, _ in USES}
    with_premises = {name for name, (count, _, _, _) in c.RULES.items() if count != 0} | {
        name for name, schemes in c.SCHEMES.items() if any(premises for premises, _ in schemes)
    }
    assert with_premises - {"cite"} <= rules
