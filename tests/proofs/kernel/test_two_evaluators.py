"""The evaluator and the checker's own arithmetic for models never contradict each other.

They share no code: one uses exact exponentials, dual numbers and Arb, the other rational enclosures and formal
derivatives.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from antumbra.proofs import checker
from antumbra.proofs.kernel.evaluate import Model, evaluate_formula
from flint import arb
from fuzzing import MODES, Case, CheckerSide, cases, lists, value
from terms_strategy import GROUNDS, SIGNATURE, Ground, TermMaker, q

USED = [ground for ground in GROUNDS if not ground.distinct]
_IDS = [ground.name.replace(" ", "_") for ground in USED]


def _near(number: Fraction | arb | None) -> Any:
    """A rational close to a value, so that a comparison is tight; equal to it if it is rational."""
    if isinstance(number, Fraction):
        return q(number.numerator, number.denominator)
    if number is None or not number.is_finite():
        return q(0)
    scaled = (number * 2**20).floor().unique_fmpz()
    return q(0) if scaled is None else q(int(scaled), 2**20)


def _checked(model: Model, formula: Any) -> bool | None:
    """What the checker says of a formula in a model; `None` if it does not decide."""
    try:
        return checker.decide(
            CheckerSide._setting, lists(model.to_json()), CheckerSide._setting.read(lists(formula), "F")
        )
    except checker.Rejected:
        return None


def _compare(case: Case, generator: random.Random) -> tuple[bool | None, bool | None, Any]:
    ((model, place),) = case.points(1)
    other = generator.choice((
        q(0), q(1), _near(value(model, case.term, place)), TermMaker(generator, mode=generator.choice(MODES)).scalar(2),
    ))  # fmt: skip
    formula = (generator.choice(("eq", "ne", "ge", "gt", "le", "lt")), case.term, other)
    return evaluate_formula(SIGNATURE, model, formula, last_precision=256), _checked(model, formula), formula


def _agree(ground: Ground, count: int, seed: int) -> int:
    """How many formulas both decided, alike."""
    generator = random.Random(f"{ground.name}/{seed}")
    both = 0
    for case in cases(ground, count, seed, size=7):
        first, second, formula = _compare(case, generator)
        assert first is None or second is None or first == second, f"{formula}: {first}, and {second} for the checker"
        both += first is not None and second is not None
    return both


@pytest.mark.parametrize("ground", USED, ids=_IDS)
def test_two_evaluators_agree(ground: Ground, seed: int) -> None:
    assert _agree(ground, 15, seed + 5000) >= 6


@pytest.mark.deep
@pytest.mark.parametrize("ground", USED, ids=_IDS)
def test_two_evaluators_agree_on_many(ground: Ground, seed: int) -> None:
    assert _agree(ground, 300, seed + 6000) >= 150
