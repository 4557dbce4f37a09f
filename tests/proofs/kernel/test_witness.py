"""Witnesses: what `certify` accepts and refuses, and what `search` finds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from antumbra.proofs.kernel.evaluate import Model, evaluate_formula, evaluate_scalar
from antumbra.proofs.kernel.signature import Signature
from antumbra.proofs.kernel.terms import (
    H,
    eq,
    every,
    ge,
    gt,
    ip,
    n,
    norm,
    norm2,
    rate,
    relation,
    symbol,
    total,
    vector,
    veq,
)
from antumbra.proofs.kernel.witness import Ground, Search, WitnessError, certify, check_ground, search
from antumbra.proofs.setting import (
    DEFINITIONS,
    energy,
    head_energy,
    project,
    tangential_output,
    tangential_velocity,
)

SIGNATURE = Signature(DEFINITIONS)
F = Fraction
SPHERE = Ground(SIGNATURE, ("symmetry", "alignment", "unit"))
SEVENTEEN = Ground(SIGNATURE, ("symmetry", "alignment", "orthogonality", "unit"))
DISSIPATION = total("i", norm2(tangential_velocity("i")))
QUICK = Search(seconds=20, rounds=3)


def ground(*hypotheses: str, domain: Sequence[Any] = ()) -> Ground:
    return Ground(SIGNATURE, hypotheses, tuple(domain))


def obstruction(x: Sequence[Fraction | int] = (F(3, 5), F(4, 5))) -> Model:
    """One token, two orthogonal rank-one heads."""
    heads = [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]
    return Model({"token": 1, "head": 2, "axis": 2}, {"beta": 1}, {"x": [list(x)]}, {"M": heads, "W": heads})


FALLS = every("h", ge(rate("usa_sphere", head_energy("h")), 0))


def test_the_obstruction_is_certified() -> None:
    found = certify(SEVENTEEN, FALLS, obstruction(), sense="fails", claim="thm17.obstruction", part="point")
    assert found["kind"] == "witness"
    assert found["sense"] == "fails"
    assert found["drops"] == []
    assert found["model"]["vectors"] == {"x": [["3/5", "4/5"]]}
    assert found["setting"] == SIGNATURE.digest([FALLS], SEVENTEEN.hypotheses)
    assert Model.from_json(found["model"]) == obstruction()


def test_the_sign_of_the_obstruction_is_that_of_the_theorem() -> None:
    """dE_1/dt has the sign of 2s^2 - 1."""
    first = rate("usa_sphere", head_energy("h"))
    small, large = (
        evaluate_scalar(SEVENTEEN.names, obstruction(x), first, indices={"h": 0})
        for x in ((F(3, 5), F(4, 5)), (F(4, 5), F(3, 5)))
    )
    assert float(small) < 0 < float(large)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"vectors": {"x": [[1, 1]]}}, "hypothesis 'unit' fails"),
        ({"operators": {"M": [[[1, 1], [0, 0]], [[0, 0], [0, 1]]]}}, "hypothesis 'symmetry' fails"),
        ({"operators": {"W": [[[1, 0], [0, 0]], [[0, 0], [0, 2]]]}}, "hypothesis 'alignment' fails"),
        ({"scalars": {"beta": 0}}, "positive"),
        ({"vectors": {"x": [[1, 0]]}}, "statement holds"),
        ({"scalars": {}}, "no value"),
    ],
)
def test_a_wrong_model_is_refused_with_the_reason(change: dict[str, Any], words: str) -> None:
    right = obstruction()
    parts = {part: {**getattr(right, part), **change.get(part, {})} for part in ("scalars", "vectors", "operators")}
    if change == {"scalars": {}}:
        parts["scalars"] = {}
    model = Model(right.sizes, **parts)
    with pytest.raises(WitnessError, match=words):
        certify(SEVENTEEN, FALLS, model, sense="fails", claim="c", part="p")


def test_the_sense_matters() -> None:
    with pytest.raises(WitnessError, match="statement fails"):
        certify(SEVENTEEN, FALLS, obstruction(), sense="holds", claim="c", part="p")
    with pytest.raises(WitnessError, match="sense"):
        certify(SEVENTEEN, FALLS, obstruction(), sense="maybe", claim="c", part="p")  # type: ignore[arg-type]


def test_an_undecided_statement_is_no_witness() -> None:
    open_ = eq(symbol("beta"), symbol("beta") * ("^", ("sqrt", ("q", "2", "1")), 2) / 2)
    model = Model({"token": 1, "head": 1, "axis": 1}, {"beta": 1})
    for sense in ("holds", "fails"):
        with pytest.raises(WitnessError, match="undecided"):
            certify(ground(), open_, model, sense=sense, claim="c", part="p")


def test_a_dropped_hypothesis_must_fail() -> None:
    with pytest.raises(WitnessError, match="dropped hypothesis 'unit' holds"):
        certify(SEVENTEEN, FALLS, obstruction(), sense="fails", claim="c", part="p", drops=["unit"])
    with pytest.raises(WitnessError, match="cannot be dropped"):
        certify(SEVENTEEN, FALLS, obstruction(), sense="fails", claim="c", part="p", drops=["equiangular"])


def test_values_that_nothing_reaches_are_left_out() -> None:
    model = obstruction()
    more = Model(model.sizes, {**model.scalars, "eta": 5}, model.vectors, model.operators)
    found = certify(SEVENTEEN, FALLS, more, sense="fails", claim="c", part="p")
    assert found["model"]["scalars"] == {"beta": "1"}


def test_domain_formulas_are_checked() -> None:
    restricted = Ground(SIGNATURE, SEVENTEEN.hypotheses, (ge(n, 2),))
    with pytest.raises(WitnessError, match="domain formula 0 fails"):
        check_ground(restricted, obstruction())


# --- search ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dropped", ["symmetry", "alignment"])
def test_theorem_11_needs_its_hypotheses(dropped: str) -> None:
    statement = ge(rate("usa_sphere", energy), 0)
    model = search(SPHERE, statement, sense="fails", drops=(dropped,), plan=QUICK)
    assert model is not None
    assert model.sizes == {"token": 1, "head": 1, "axis": 2}
    certify(SPHERE, statement, model, sense="fails", claim="c", part="p", drops=(dropped,))


def test_softmax_with_two_heads_can_lose_energy() -> None:
    statement = ge(rate("sa_sphere", energy), 0)
    model = search(SPHERE, statement, sense="fails", plan=QUICK)
    assert model is not None
    assert model.sizes == {"token": 1, "head": 2, "axis": 2}
    assert float(evaluate_scalar(SPHERE.names, model, rate("sa_sphere", energy))) < 0


def test_the_obstruction_is_found() -> None:
    model = search(SEVENTEEN, FALLS, sense="fails", plan=QUICK)
    assert model is not None
    assert model.sizes == {"token": 1, "head": 2, "axis": 2}


def test_a_theorem_is_not_refuted() -> None:
    """The true statement and its mutant, which differ in a power of n."""
    right = eq(rate("usa_sphere", energy), 1 / n * DISSIPATION)
    wrong = eq(rate("usa_sphere", energy), 1 / n**2 * DISSIPATION)
    assert search(SPHERE, right, sense="fails", plan=Search(seconds=3, rounds=2)) is None
    model = search(SPHERE, wrong, sense="fails", plan=QUICK)
    assert model is not None
    assert model.sizes["token"] == 2


def test_an_equation_between_irrational_numbers_holds_at_a_lively_point() -> None:
    right = eq(rate("usa_sphere", energy), 1 / n * DISSIPATION)
    model = search(SPHERE, right, also=[gt(DISSIPATION, 1)], plan=Search(seconds=20, smallest=(2, 2, 2)))
    assert model is not None
    assert evaluate_formula(SPHERE.names, model, right) is True


def test_projection_needs_a_unit_vector() -> None:
    y, u = vector("y"), vector("u")
    statement = veq(project(y, project(y, u)), project(y, u))
    model = search(ground("unit_point"), statement, sense="fails", drops=("unit_point",), plan=QUICK)
    assert model is not None
    assert model.sizes == {"token": 1, "head": 1, "axis": 1}
    assert search(ground("unit_point"), statement, sense="fails", plan=Search(seconds=2, rounds=2)) is None


@pytest.mark.parametrize(
    "hypotheses",
    [
        ("unit", "symmetry", "misalignment"),
        ("unit", "symmetry", "alignment", "near_orthogonality"),
        ("symmetry", "alignment", "orthogonality", "unit", "equal_norms", "ratio_bound"),
        ("projectors", "orthogonal_projectors", "disjoint", "resolution", "unit", "alignment"),
        ("scalar", "equal_heads", "alignment", "orthogonal_tokens"),
        ("scalar", "equiangular", "alignment"),
        ("equal_normalisers", "unit", "alignment"),
    ],
    ids="+".join,
)
def test_grounds_of_the_theory_are_not_empty(hypotheses: tuple[str, ...]) -> None:
    lively = [gt(total("h", norm(tangential_output("h", "i"))), 0)] if "x" in ground(*hypotheses).symbols() else []
    full = ground(*hypotheses, domain=(ge(n, 2), ge(H, 2)))
    model = search(full, None, plan=QUICK)
    assert model is not None
    check_ground(full, model)
    assert model.sizes["token"] == model.sizes["head"] == 2
    if "orthogonality" not in hypotheses and lively and "scalar" not in hypotheses:
        assert search(full, None, also=[every("i", lively[0])], plan=QUICK) is not None


def test_a_search_is_repeatable() -> None:
    first, second = (search(SEVENTEEN, FALLS, sense="fails", plan=QUICK) for _ in range(2))
    assert first == second


def test_an_impossible_ground_gives_none() -> None:
    full = Ground(SIGNATURE, ("unit",), (relation("single", "token"), ge(n, 2)))
    assert search(full, None, plan=Search(seconds=2)) is None


def test_a_bound_is_met_tightly_or_loosely() -> None:
    """The misalignment bound: some model uses it up, some does not."""
    y = vector("u")
    size = ("opnorm", "u", ("vadd", ("op", "W", ("h",), y), ("vmul", ("q", "-1", "1"), ("op", "M", ("h",), y))))
    full = ground("misalignment")
    positive = every("h", gt(size, 0))
    tight = search(full, None, also=[positive, every("h", eq(size, symbol("eta")))], plan=QUICK)
    loose = search(full, None, also=[positive, every("h", gt(symbol("eta"), size))], plan=QUICK)
    assert tight is not None
    assert loose is not None


def test_free_vectors_and_indices_are_all_meant() -> None:
    """<x_i, x_j> = 1 for all i, j fails as soon as one pair differs."""
    model = Model({"token": 2, "head": 1, "axis": 2}, {}, {"x": [[1, 0], [0, 1]]})
    statement = eq(ip(vector("x", "i"), vector("x", "j")), 1)
    assert certify(ground("unit"), statement, model, sense="fails", claim="c", part="p")["sense"] == "fails"
