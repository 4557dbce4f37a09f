# ruff: noqa: E501
"""Attacks that a version of the checker, or of a trial, did not stop; and conditions that no other test reaches."""

from __future__ import annotations

from typing import Any

import pytest
from antumbra.proofs import checker as c
from handmade import (
    MODEL,
    ONE,
    SETTING,
    ZERO,
    J,
    add,
    assume,
    distinct,
    eq,
    every,
    fun,
    ge,
    gt,
    ip,
    mul,
    ne,
    norm,
    op,
    power,
    q,
    rate,
    s,
    step,
    symbol,
    t,
    total,
    try_steps,
    vec,
)  # fmt: skip

S_I, S_J = s("s", "i"), s("s", "j")


def test_a_schematic_index_is_not_the_distinct_one() -> None:
    """s_i + 5 delta_ij >= 0 for all i does not give s_j >= 0, although delta_ij is 0 for the i of `distinct(i,j)`."""
    fact = ge(add(S_I, mul(q(5), ["delta", "i", "j"])), ZERO)
    everywhere = every("i", fact)
    steps: list[dict[str, Any]] = [
        assume(everywhere), step("all_elim", fact, 0, given=(everywhere,), index="i"),
        step("sign", ge(S_J, ZERO), given=(everywhere, distinct("i", "j")), facts=[1]),
    ]  # fmt: skip
    assert "is not read off" in try_steps(steps)
    equation = eq(S_I, mul(t, ["delta", "i", "j"]))
    everywhere = every("i", equation)
    steps = [
        assume(everywhere), step("all_elim", equation, 0, given=(everywhere,), index="i"),
        step("ring", eq(S_J, ZERO), given=(everywhere, distinct("i", "j")), rewrites=[1]),
    ]  # fmt: skip
    assert "the difference is" in try_steps(steps)


def test_a_sum_of_terms_that_are_not_zero_may_vanish() -> None:
    everywhere = every("i", ne(S_I, ZERO))
    claim: J = ne(total("i", S_I), ZERO)
    steps = [
        assume(everywhere),
        step("all_elim", ne(S_I, ZERO), 0, given=(everywhere,), index="i"),
        step("sign", claim, given=(everywhere,), facts=[1]),
    ]
    assert "is not read off" in try_steps(steps)


def test_captured_dummies_of_nested_integrals_in_definitions() -> None:
    """int_0^1 (int_0^1 x y dy) dx by way of a definition with a parameter: the inner dummy is not the outer one."""
    inner: J = ["int", "y", ZERO, ONE, mul(y_(), t)]
    outer: J = ["int", "t", ZERO, ONE, inner]
    wrong: J = ["int", "t", ZERO, ONE, ["int", "y", ZERO, ONE, mul(y_(), y_())]]
    assert "the difference is" in try_steps([step("ring", eq(outer, wrong))])


def y_() -> J:
    return s("y")


def test_instances_of_what_cannot_be_replaced() -> None:
    solutions: J = ["dissipates", "still", s("k"), t]
    assert "a symbol of a statement about solutions" in try_steps(
        [assume(solutions), step("instantiate", solutions, 0, given=(solutions,), scalars={"k": t})]
    )
    relation: J = ["unit", "u"]
    assert "a symbol of a relation" in try_steps(
        [assume(relation), step("instantiate", relation, 0, given=(relation,), vectors={"u": vec("v")})]
    )


def test_a_quantifier_is_over_the_domain_of_its_symbol() -> None:
    """Forall p (p > 0) with p positive is not forall r (r > 0) with r real: from that, -1 > 0."""
    pos: J = gt(s("p"), ZERO)
    both: J = ["and", ["forall", "r", gt(s("r"), ZERO)], ["forall", "r", gt(s("r"), ZERO)]]
    steps = [step("symbol", pos), step("forall_intro", ["forall", "p", pos], 0), step("and_intro", both, 1, 1)]
    assert "a premise is not its conjunct" in try_steps(steps)
    some: J = ["exists", "p", gt(ZERO, s("p"))]
    steps = [
        step("sign", gt(ZERO, q(-1))),
        step("exists_intro", ["exists", "r", gt(ZERO, s("r"))], 0, term=q(-1)),
        step("or_intro", ["or", some, some], 1),
    ]
    assert "not an alternative" in try_steps(steps)
    weak: J = ["forall", "m", ge(s("m"), ZERO)]
    steps = [
        step("symbol", ge(s("m"), ZERO)),
        step("forall_intro", weak, 0),
        step("and_intro", ["and", ["forall", "t", ge(t, ZERO)], weak], 1, 1),
    ]
    assert "a premise is not its conjunct" in try_steps(steps)


def test_parameters_hide_no_symbol_of_another_kind() -> None:
    for hidden in ("u", "M", "s"):
        with pytest.raises(c.Rejected, match="is a symbol of another kind"):
            c.Setting(
                [
                    *SETTING,
                    {
                        "define": "hide",
                        "type": "scalar",
                        "indices": [],
                        "parameters": [hidden],
                        "body": ZERO,
                        "text": "",
                    },
                ]
            )
    with pytest.raises(c.Rejected, match="bad parameters"):
        c.Setting(
            [
                *SETTING,
                {"define": "hide", "type": "scalar", "indices": [], "parameters": ["twice"], "body": ZERO, "text": ""},
            ]
        )


def test_a_rate_in_a_body_is_not_evaluated_where_there_is_none() -> None:
    """slope(t) := d/dt log t has no value at -1."""
    slope = {
        "define": "slope",
        "type": "scalar",
        "indices": [],
        "parameters": ["t"],
        "body": rate("dt", fun("log", t)),
        "text": "",
    }
    setting = c.Setting([*SETTING, slope])
    proof = c.Proof(setting, setting.read(eq(ZERO, ZERO), "F"), (), ())
    with pytest.raises(c.Rejected, match="a replacement touches what the flow dt moves"):
        proof.replay(step("ring", eq(["def", "slope", [], [q(-1)]], q(-1))))


def test_replacements_that_would_move() -> None:
    """d/dt (k t) = k does not give d/dt (t t) = t, nor d/dt at t = -1."""
    claim: J = eq(rate("dt", mul(s("k"), t)), s("k"))
    steps = [step("ring", claim), step("instantiate", eq(rate("dt", mul(t, t)), t), 0, scalars={"k": t})]
    assert "a replacement touches" in try_steps(steps)
    steps = [step("ring", claim), step("instantiate", eq(rate("dt", mul(ONE, t)), ONE), 0, scalars={"k": ONE})]
    assert try_steps(steps) == "accepted"
    steps = [step("ring", claim), step("instantiate", eq(s("k"), s("k")), 0, scalars={"t": ONE})]
    assert "a replacement touches" in try_steps(steps)


def test_a_rate_under_a_quantifier_is_not_its_formal_derivative() -> None:
    setting = c.Setting(SETTING)
    slope: J = ["forall", "t", eq(rate("dt", fun("log", t)), ONE)]
    formal: J = ["forall", "t", eq(fun("inv", t), ONE)]
    assert setting.alpha(setting.read(slope, "F")) != setting.alpha(setting.read(formal, "F"))


def test_no_rate_of_a_logarithm_of_what_is_not_positive() -> None:
    setting = c.Setting(SETTING)
    formula = setting.read(eq(rate("dt", fun("log", mul(q(-1), t))), q(2)), "F")  # t = 1/2 in the model
    with pytest.raises(c.Rejected, match="the logarithm of a number that is not positive"):
        c.decide(setting, MODEL, formula)
    assert c.decide(setting, MODEL, setting.read(eq(rate("dt", fun("log", t)), q(2)), "F"))


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "abs", "pi", "inf", "tanh", "Ei", "sum", "not", "implies"])
def test_names_that_mean_something(name: str) -> None:
    with pytest.raises(c.Rejected, match="has a meaning of its own"):
        c.Setting([symbol(name)])


def test_a_definition_is_not_called_like_the_function_w() -> None:
    with pytest.raises(c.Rejected, match="has a meaning of its own"):
        c.Setting([{"define": "W", "type": "scalar", "indices": [], "parameters": ["a"], "body": ONE, "text": ""}])
    c.Setting([symbol("W", "operator")])


def test_printed_indices_are_not_parts_of_names() -> None:
    setting = c.Setting([symbol("x_i"), symbol("x", indices=("token",))])
    assert c.show(setting.read(s("x_i"), "S")) != c.show(setting.read(s("x", "i"), "S"))


def test_limits() -> None:
    many = power(add(*(s(n) for n in "prtykm")), 20)
    assert "too long" in try_steps([step("ring", eq(many, many))])


def test_a_product_is_not_begun_when_it_would_be_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c, "MAX_MONOMIALS", 30)
    p = c.Ring(c.Setting(SETTING), ()).scalar(("+", *(("^", ("s", "t", ()), k) for k in range(2, 30))))
    monkeypatch.setattr(c, "MAX_MONOMIALS", 10)
    with pytest.raises(c.Rejected, match="a product is too long"):
        c.Ring(c.Setting(SETTING), ()).mul(p, p)


def test_too_symmetric() -> None:
    x = [vec("x", n) for n in ("i", "j", "k")]
    ring: J = mul(*(ip(x[n], op("M", "h", x[(n + 1) % 3])) for n in range(3)))
    cycle = total("i", total("j", total("k", ring)))
    assert "too symmetric" in try_steps([step("ring", eq(power(cycle, 4), power(cycle, 4)))])


def test_a_bound_with_the_vector_in_it() -> None:
    w = vec("w")
    steps = [
        step("sign", ge(mul(add(norm(w), ONE), norm(w)), norm(w)), as_=mul(norm(w), norm(w))), step("sign", ge(add(norm(w), ONE), ZERO)),
        step("operator_norm_le", ge(add(norm(w), ONE), ["opnorm", "w", w]), 0, 1),
    ]  # fmt: skip
    assert "w occurs in the bound" in try_steps(steps)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (gt(mul(fun("exp", q(90_000)), fun("exp", q(90_000))), ZERO), "out of range"),
        (gt(["root", "y", s("y"), q(-1), ONE], ZERO), "root is not evaluated"),
        (["symmetric", "K"], "gives no value of K"),
        (eq(rate("dt", ["int", "y", ZERO, t, s("y")]), t), "is not differentiated|not rational"),
        (eq(rate("dt", fun("abs", t)), ONE), "abs is not differentiated"),
    ],
)  # fmt: skip
def test_models_that_do_not_decide(formula: J, expected: str) -> None:
    setting = c.Setting([*SETTING, symbol("K", "operator")])
    with pytest.raises(c.Rejected, match=expected):
        c.decide(setting, MODEL, setting.read(formula, "F"))
