"""Normal forms against the evaluator: no identity may be accepted that fails at a model of its ground.

The controls at the end put a known defect into a normal form and demand that the same fuzz finds it.
"""

from __future__ import annotations

from typing import Any

import pytest
from antumbra.proofs import checker
from antumbra.proofs.kernel import normal
from antumbra.proofs.kernel.poly import constant as kernel_constant
from antumbra.proofs.kernel.relations import Relations
from antumbra.proofs.kernel.terms import Node
from fuzzing import SIDES, Case, cases, judge_pairs, judge_terms, mismatch, pairs, pool
from terms_strategy import GROUNDS, Ground, q, s, vec

_GROUND_IDS = [ground.name.replace(" ", "_") for ground in GROUNDS]


def _ground(name: str) -> Ground:
    return next(ground for ground in GROUNDS if ground.name == name)


@pytest.mark.parametrize("ground", GROUNDS, ids=_GROUND_IDS)
@pytest.mark.parametrize("side", SIDES)
def test_a_normal_form_has_the_value_of_its_term(side: str, ground: Ground, seed: int) -> None:
    tally = judge_terms(SIDES[side], cases(ground, 60, seed))
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.compared >= 50, f"only {tally.compared} terms were compared; refused: {tally.kinds}"


@pytest.mark.parametrize("ground", GROUNDS, ids=_GROUND_IDS)
def test_no_false_equation_is_accepted_and_true_ones_mostly_are(ground: Ground, seed: int) -> None:
    tally = judge_pairs(SIDES, pairs(cases(ground, 60, seed + 1000, size=7), seed))
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.compared >= 40
    assert tally.unequal >= 5
    assert tally.equal >= 20
    # Incompleteness costs a step of a proof, so it is bounded and not forbidden.
    assert tally.incomplete <= 4
    assert tally.disagreements <= 4


@pytest.mark.deep
@pytest.mark.parametrize("ground", GROUNDS, ids=_GROUND_IDS)
@pytest.mark.parametrize("side", SIDES)
def test_many_normal_forms(side: str, ground: Ground, seed: int) -> None:
    tally = judge_terms(SIDES[side], cases(ground, 1000, seed + 2000, size=11))
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.compared >= 900


@pytest.mark.deep
@pytest.mark.parametrize("ground", GROUNDS, ids=_GROUND_IDS)
def test_many_pairs(ground: Ground, seed: int) -> None:
    tally = judge_pairs(SIDES, pairs(cases(ground, 1500, seed + 3000, size=8), seed))
    assert not tally.wrong, "\n".join(tally.wrong)


# --- the grounds themselves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", GROUNDS, ids=_GROUND_IDS)
def test_models_of_a_ground_are_not_all_alike(ground: Ground) -> None:
    found = pool(ground.name)
    assert len({repr(model) for model in found}) >= 8
    assert len({tuple(sorted(model.sizes.items())) for model in found}) >= 2


# --- controls: a defect put in is found -----------------------------------------------------------------------------


def _kernel_sum_without_exclusions(monkeypatch: pytest.MonkeyPatch) -> None:
    original = normal.Normaliser._sum

    def wrong(self: Any, node: Any, env: Any, compute: Any) -> Any:
        return original(self, Node((node[0], node[1], (), node[3])), env, compute)

    monkeypatch.setattr(normal.Normaliser, "_sum", wrong)


def _kernel_every_operator_symmetric(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Relations.__init__

    def wrong(self: Any, formulas: Any) -> None:
        original(self, formulas)
        self.symmetric = frozenset({"M", "W", "Q", "A"})

    monkeypatch.setattr(Relations, "__init__", wrong)


def _kernel_sizes_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal.Normaliser, "size", lambda _self, _sort: kernel_constant(1))


def _kernel_distinct_names_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    original = normal.Normaliser.delta

    def wrong(self: Any, i: str, j: str) -> Any:
        return {} if i != j and "~" not in i + j and "#" not in i + j else original(self, i, j)

    monkeypatch.setattr(normal.Normaliser, "delta", wrong)


def _kernel_everything_is_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Relations.pairing

    def wrong(self: Any, left: Any, right: Any) -> Any:
        return ("one", None) if left == right else original(self, left, right)

    monkeypatch.setattr(Relations, "pairing", wrong)


def _checker_sum_without_exclusions(monkeypatch: pytest.MonkeyPatch) -> None:
    original = checker.Ring._sum
    monkeypatch.setattr(checker.Ring, "_sum", lambda self, t: original(self, (t[0], t[1], (), t[3])))


def _checker_adjoint_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "flip", lambda word: tuple(reversed(word)))


def _checker_cancels_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker.Ring, "is_unit", lambda _self, a: a.tag not in ("E", "d", "V"))


DEFECTS = {
    "kernel": (
        _kernel_sum_without_exclusions,
        _kernel_every_operator_symmetric,
        _kernel_sizes_are_one,
        _kernel_distinct_names_differ,
        _kernel_everything_is_a_unit,
    ),
    "checker": (_checker_sum_without_exclusions, _checker_adjoint_is_nothing, _checker_cancels_everything),
}


@pytest.mark.parametrize(
    ("side", "defect"),
    [
        pytest.param(side, defect, id=f"{defect.__name__.strip('_')}")
        for side, all_ in DEFECTS.items()
        for defect in all_
    ],
)
def test_a_defect_put_in_is_found(side: str, defect: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    defect(monkeypatch)
    for case in cases(_ground("nothing"), 4000, 7):
        try:
            if mismatch(SIDES[side], case):
                return
        except (normal.Refusal, checker.Rejected):
            continue
    pytest.fail("the fuzz did not notice")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("ground", "left", "right", "equal"),
    [
        ("nothing", ("sum", "i", ("j",), s("c", "i")),
         ("+", ("sum", "i", (), s("c", "i")), ("*", q(-1), s("c", "j"))), True),
        ("nothing", ("sum", "i", (), q(1)), ("size", "token"), True),
        ("nothing", ("sum", "i", (), q(1)), ("size", "head"), False),
        ("nothing", ("*", s("r"), ("inv", s("r"))), q(1), False),
        ("positive r", ("*", s("r"), ("inv", s("r"))), q(1), True),
        ("nothing", ("sqrt", ("^", s("r"), 2)), s("r"), False),
        ("positive r", ("sqrt", ("^", s("r"), 2)), s("r"), True),
        ("unit", ("ip", vec("x", "i"), vec("x", "i")), q(1), True),
        ("nothing", ("ip", vec("x", "i"), vec("x", "i")), q(1), False),
        ("nothing", ("delta", "i", "j"), q(0), False),
        ("distinct", ("delta", "i", "j"), q(0), True),
    ],
)  # fmt: skip
def test_known_equations(side: str, ground: str, left: Any, right: Any, equal: bool) -> None:
    assert SIDES[side](_ground(ground)).equal(left, right) is equal


def test_the_harness_sees_a_wrong_reading() -> None:
    """A case whose normal form is right gives no mismatch, and the referee tells 1 from 2."""
    case = Case(_ground("nothing"), ("+", q(1), q(1)), (), 1)
    assert all(mismatch(side, case) is None for side in SIDES.values())
