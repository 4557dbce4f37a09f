"""Attacks that a version of the checker, or of a trial, did not stop; and conditions that no other test reaches."""

from __future__ import annotations

from typing import Any

from handmade import (
    ONE,
    TWO,
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
    mul,
    ne,
    power,
    q,
    s,
    step,
    t,
    total,
    try_steps,
)

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


def test_used() -> None:
    assert all([TWO, fun, gt, power])
