"""Whatever kernel or checker accept, step by step, must be valid at every model that is tried.

The controls take a side condition out of a rule of the kernel and demand that the same scripts notice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from antumbra.proofs.kernel.ground import RULES, pooled
from random_steps import Script

SCRIPTS = 15
STEPS = 120


@pytest.mark.parametrize("half", ["narrow", "wide"])
def test_what_is_accepted_is_valid(half: str, seed: int) -> None:
    accepted: Counter[str] = Counter()
    for number in range(SCRIPTS):
        script = Script(2 * (number + 1000 * seed) + (half == "wide"))
        script.run(STEPS)
        assert not script.wrong, "\n".join(script.wrong[:2])
        accepted += script.accepted
    assert len(accepted) >= (9 if half == "narrow" else 30), f"rules that were never accepted: {accepted}"
    assert accepted.total() >= 20 * SCRIPTS


@pytest.mark.deep
def test_many_accepted_steps_are_valid(seed: int) -> None:
    accepted: Counter[str] = Counter()
    for number in range(1500):
        script = Script(10**6 + number + 10**7 * seed)
        script.run(STEPS)
        assert not script.wrong, "\n".join(script.wrong[:2])
        accepted += script.accepted
    assert len(accepted) >= 35, f"rules that were never accepted: {accepted}"


# --- controls -------------------------------------------------------------------------------------------------------

Rule = Callable[..., Sequence[Any]]


def _without_assumptions(rule: Rule) -> Rule:
    """The rule, forgetting what its premises rest on."""

    def wrong(ground: Any, shows: Any, premises: Any, data: Any) -> Sequence[Any]:
        rule(ground, shows, premises, data)
        return []

    return wrong


def _anything(_rule: Rule) -> Rule:
    """The rule without any demand on what it shows."""

    def wrong(_ground: Any, _shows: Any, premises: Any, data: Any) -> Sequence[Any]:
        return pooled(*premises, *data.get("facts", ()))

    return wrong


DEFECTS = [
    *((name, _without_assumptions) for name in ("all_intro", "sum_compare", "eq_flip", "instantiate", "iff_square")),
    *((name, _anything) for name in (
        "all_intro", "all_elim", "instantiate", "sum_compare", "iff_scale", "iff_square", "exp_tangent",
        "symbol", "sum_zero", "compare", "integral", "equal_rewrite", "ring", "sign", "congruence",
        "forall_elim", "cases", "iff_elim",
    )),
]  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize(("rule", "defect"), [pytest.param(r, d, id=f"{r}{d.__name__}") for r, d in DEFECTS])
def test_a_side_condition_taken_out_is_noticed(rule: str, defect: Callable[[Rule], Rule], monkeypatch: Any) -> None:
    monkeypatch.setitem(RULES, rule, defect(RULES[rule]))
    assert noticed(rule, scripts=150), f"nobody noticed that {rule} lets everything pass"


@pytest.mark.parametrize("rule", ["all_intro", "instantiate", "ring", "sign"])
def test_the_most_used_rules_are_watched(rule: str, monkeypatch: Any) -> None:
    monkeypatch.setitem(RULES, rule, _anything(RULES[rule]))
    assert noticed(rule, scripts=60), f"nobody noticed that {rule} lets everything pass"


def noticed(rule: str, scripts: int) -> bool:
    """Does one of the scripts end in a judgement of the kernel's by that rule that is not valid?"""
    for number in range(scripts):
        script = Script(number)
        script.run(STEPS)
        if any(text.startswith(("kernel, ", "kernel and")) and f", {rule}: " in text for text in script.wrong):
            return True
    return False
