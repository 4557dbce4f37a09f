"""Signs and substitution of kernel and checker against the evaluator, on random terms."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from antumbra.proofs import checker
from antumbra.proofs.kernel import signs
from antumbra.proofs.kernel.evaluate import EvaluationError, Model, evaluate_scalar, evaluate_vector
from antumbra.proofs.kernel.signature import SettingError, substitute
from flint import arb
from fuzzing import REFUSALS, CheckerSide, KernelSide, cases, different, lists, pool, value
from terms_strategy import GROUNDS, SIGNATURE, Ground, TermMaker, places

_GROUND_IDS = [ground.name.replace(" ", "_") for ground in GROUNDS]
_POSSIBLE = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}, "!=": {-1, 1}, None: {-1, 0, 1}}
ALL_SIGNS = {-1, 0, 1}


def _sign(number: Fraction | arb | None) -> int | None:
    if number is None:
        return None
    if isinstance(number, Fraction):
        return (number > 0) - (number < 0)
    return 1 if number > 0 else (-1 if number < 0 else None)


class _Kernel(KernelSide):
    def signs(self, term: Any) -> list[set[int]]:
        return [_POSSIBLE[signs.sign(self._normaliser, term)]]


class _Checker(CheckerSide):
    def signs(self, term: Any) -> list[set[int]]:
        """By structure, and by normal form."""
        read = self._read(term)
        masks = self._ring.structure(read), self._ring.known(self._ring.scalar(read))
        bits = {-1: checker.NEG, 0: checker.ZERO, 1: checker.POS}
        return [{sign for sign, bit in bits.items() if mask & bit} for mask in masks]


@pytest.mark.parametrize("ground", GROUNDS, ids=_GROUND_IDS)
@pytest.mark.parametrize("side", [_Kernel, _Checker], ids=["kernel", "checker"])
def test_a_sign_is_that_of_the_value(side: type[_Kernel | _Checker], ground: Ground, seed: int) -> None:
    told = 0
    for case in cases(ground, 60, seed + 4000, size=7):
        try:
            answers = side(ground).signs(case.term)
        except REFUSALS:
            continue
        told += any(answer != ALL_SIGNS for answer in answers)
        for model, place in case.points():
            actual = _sign(value(model, case.term, place))
            for answer in answers:
                assert actual is None or actual in answer, (
                    f"{ground.name}: {case.term} has the sign {actual} at {place}"
                )
    assert told >= 15


# --- substitution ---------------------------------------------------------------------------------------------------


def _kernel_substitution(term: Any, indices: Any, scalars: Any, vectors: Any) -> Any:
    return substitute(term, KernelSide._signature, indices, scalars, vectors)


def _checker_substitution(term: Any, indices: Any, scalars: Any, vectors: Any) -> Any:
    setting = CheckerSide._setting
    read = {name: setting.read(lists(t), "S") for name, t in scalars.items()}
    return setting.subst(
        setting.read(lists(term), "S"),
        indices,
        read,
        {name: setting.read(lists(u), "V") for name, u in vectors.items()},
    )


def _plain_names(term: Any) -> Any:
    """Index names that a substitution made up, as names that the evaluator reads."""
    if isinstance(term, tuple):
        return tuple(_plain_names(part) for part in term)
    return re.sub(r"^([a-z])~(\d+)$", r"\g<1>88\2", term) if isinstance(term, str) else term


def _exact(numbers: Any) -> bool:
    return all(isinstance(number, Fraction) for number in numbers)


def _changed(
    model: Model, scalars: Mapping[str, Any], vectors: Mapping[str, Any], place: Mapping[str, int]
) -> Model | None:
    """The model in which replaced symbols have the values of what replaces them."""
    new = {name: evaluate_scalar(SIGNATURE, model, t, indices=place) for name, t in scalars.items()}
    moved = {name: evaluate_vector(SIGNATURE, model, u, indices=place) for name, u in vectors.items()}
    if not _exact(new.values()) or not all(_exact(u) for u in moved.values()):
        return None
    return Model(model.sizes, {**model.scalars, **new}, {**model.vectors, **moved}, model.operators)


@pytest.mark.parametrize("apply", [_kernel_substitution, _checker_substitution], ids=["kernel", "checker"])
def test_a_substitution_is_a_change_of_the_model(apply: Any, seed: int) -> None:
    """The value of t[x := u] is the value of t where x has the value of u: nothing is captured, nothing forgotten."""
    generator = random.Random(f"substitution/{seed}")
    compared = 0
    for _ in range(500):
        term = TermMaker(generator, mode=generator.choice(("all", "functions"))).scalar(generator.randint(2, 7))
        scalars = {generator.choice("rtb"): TermMaker(generator, mode="functions").scalar(generator.randint(1, 4))}
        vectors = {generator.choice("yo"): TermMaker(generator).vector(generator.randint(1, 3))}
        indices = {name: generator.choice("ijk" if name in "ij" else "gh") for name in generator.sample("ijgh", 2)}
        chosen = generator.randrange(7) + 1  # any non-empty choice of the three
        scalars, vectors, indices = (
            part if chosen >> bit & 1 else {} for bit, part in enumerate((scalars, vectors, indices))
        )
        try:
            result = _plain_names(apply(term, indices, scalars, vectors))
        except (SettingError, checker.Rejected):
            continue
        model = generator.choice(pool("nothing"))
        place = {**places(GROUNDS[0], model, generator), "k": 0}
        try:
            changed = _changed(model, scalars, vectors, place)
        except EvaluationError:
            continue
        if changed is None:
            continue
        before = value(changed, term, {**place, **{old: place[new] for old, new in indices.items()}})
        after = value(model, result, place)
        assert not different(before, after), f"{term} with {indices} {scalars} {vectors} became {result}"
        compared += before is not None
    assert compared >= 250
