# ruff: noqa: E501
"""Functions of one variable and whole solutions: good uses, and one bad certificate for each side condition."""

from __future__ import annotations

import re
from typing import Any

import pytest
from handmade import (
    INF,
    ONE,
    TWO,
    ZERO,
    J,
    add,
    assume,
    eq,
    every,
    fun,
    ge,
    gt,
    iff,
    ip,
    le,
    lt,
    m,
    mul,
    ne,
    neg,
    norm,
    p,
    power,
    q,
    r,
    rate,
    s,
    step,
    t,
    try_steps,
    u,
    vec,
    y,
)  # fmt: skip

OK = "accepted"
Case = tuple[str, list[dict[str, Any]], dict[str, Any], str]
X_I = vec("x", "i")
K = s("k")


def case(label: str, steps: list[dict[str, Any]], expected: str = OK, **context: Any) -> Case:
    return label, steps, context, expected


def sign(formula: J, as_: J | None = None, **more: Any) -> dict[str, Any]:
    return step("sign", formula, as_=as_, **more)


# t^2 + t on [0, 1]: the derivative is 2t + 1
SQUARE = power(t, 2)
RISE = [
    assume(gt(t, ZERO)),
    sign(gt(rate("dt", SQUARE), ZERO), mul(TWO, t), given=(gt(t, ZERO),), facts=[0]),
    sign(gt(ONE, ZERO)),
]


def increasing(**changes: Any) -> dict[str, Any]:
    data = {"variable": "t", "flow": "dt", "function": SQUARE, "lo": ZERO, "hi": ONE}
    premises = changes.pop("premises", (1, 2))
    shows = changes.pop("shows", gt(power(ONE, 2), power(ZERO, 2)))
    return step("increasing", shows, *premises, given=changes.pop("given", ()), **{**data, **changes})


LOG = fun("log", t)
LOG_RISE = [
    assume(ge(t, ONE)),
    sign(gt(t, ZERO), add(add(t, q(-1)), ONE), given=(ge(t, ONE),), facts=[0]),
    sign(gt(rate("dt", LOG), ZERO), fun("inv", t), given=(ge(t, ONE),), facts=[1]),
    sign(gt(TWO, ONE)),
]

# exp(t) - 2 on (0, infinity)
E2 = add(fun("exp", t), q(-2))
BELOW, ABOVE = (
    step("ring", eq(add(fun("exp", ZERO), q(-2)), q(-1))),
    step("exp_tangent", gt(fun("exp", TWO), add(ONE, TWO)), 9),
)
ROOT_STEPS = [
    sign(gt(rate("dt", E2), ZERO), fun("exp", t)),
    sign(gt(ZERO, add(fun("exp", ZERO), q(-2))), ONE),
    sign(ne(TWO, ZERO)),
    step("exp_tangent", gt(fun("exp", TWO), add(ONE, TWO)), 2),
    sign(gt(add(fun("exp", TWO), q(-2)), ZERO), add(add(fun("exp", TWO), neg(add(ONE, TWO))), ONE), facts=[3]),
    sign(gt(TWO, ZERO)),
    sign(gt(rate("dt", rate("dt", E2)), ZERO), fun("exp", t)),
]
UNIQUE = ["unique", "t", ZERO, INF, E2]


def root(rule: str = "root_monotone", *premises: int, **changes: Any) -> dict[str, Any]:
    data = {"variable": "t", "flow": "dt", "a": ZERO, "b": TWO}
    return step(
        rule,
        changes.pop("shows", UNIQUE),
        *(premises or (0, 1, 4, 5)),
        given=changes.pop("given", ()),
        **{**data, **changes},
    )


ROOT = ["root", "t", E2, ZERO, INF]
ROOTED = [*ROOT_STEPS, root()]  # step 7
FACT_ONE = sign(gt(ONE, ZERO))

INTEGRAL = ["int", "t", ZERO, ONE, mul(TWO, t)]
ANTI = [step("ring", eq(rate("dt", SQUARE), mul(TWO, t))), sign(ge(ONE, ZERO))]


def anti(**changes: Any) -> dict[str, Any]:
    data = {"variable": "t", "flow": "dt", "function": SQUARE}
    shows = changes.pop("shows", eq(INTEGRAL, add(power(ONE, 2), neg(power(ZERO, 2)))))
    return step("antiderivative", shows, *changes.pop("premises", (0, 1)), **{**data, **changes})


# t^2 - t is convex and not positive at 0 and 1
CONVEX = add(power(t, 2), neg(t))
CONVEX_STEPS = [
    sign(ge(rate("dt", rate("dt", CONVEX)), ZERO), TWO), sign(ge(ZERO, add(power(ZERO, 2), neg(ZERO))), ZERO),
    sign(ge(ZERO, add(power(ONE, 2), neg(ONE))), ZERO), sign(ge(q("1/3"), ZERO)), sign(ge(ONE, q("1/3"))),
]  # fmt: skip
THIRD = add(power(q("1/3"), 2), neg(q("1/3")))


def between(**changes: Any) -> dict[str, Any]:
    data = {"variable": "t", "flow": "dt", "function": CONVEX, "lo": ZERO, "hi": ONE, "at": q("1/3")}
    return step(
        "convex_between",
        changes.pop("shows", ge(ZERO, THIRD)),
        *changes.pop("premises", (0, 1, 2, 3, 4)),
        **{**data, **changes},
    )


TANGENT = [
    sign(gt(rate("dt", rate("dt", SQUARE)), ZERO), TWO), step("ring", eq(rate("dt", SQUARE), mul(TWO, t))),
    sign(ge(ONE, ZERO)), sign(ge(TWO, ZERO)), sign(ne(TWO, ONE)),
]  # fmt: skip
LINE = add(power(ONE, 2), mul(mul(TWO, ONE), add(TWO, neg(ONE))))


def tangent(**changes: Any) -> dict[str, Any]:
    data = {
        "variable": "t",
        "flow": "dt",
        "function": SQUARE,
        "derivative": mul(TWO, t),
        "lo": ZERO,
        "hi": INF,
        "touching": ONE,
        "at": TWO,
    }
    return step(
        "tangent_below",
        changes.pop("shows", gt(power(TWO, 2), LINE)),
        *changes.pop("premises", (0, 1, 2, 3, 4)),
        **{**data, **changes},
    )


COMPARE = [assume(gt(t, ZERO)), assume(gt(ONE, t)), sign(gt(t, power(t, 2)), mul(t, add(ONE, neg(t))), given=(gt(t, ZERO), gt(ONE, t)), facts=[0, 1]),
           sign(gt(ONE, ZERO))]  # fmt: skip


def compare(**changes: Any) -> dict[str, Any]:
    shows = gt(["int", "t", ZERO, ONE, t], ["int", "t", ZERO, ONE, power(t, 2)])
    return step(
        "integral_compare",
        changes.pop("shows", shows),
        *changes.pop("premises", (2, 3)),
        **{"variable": "t", "flow": "dt", **changes},
    )


ZERO_AT_Y = eq(add(fun("exp", y), q(-2)), ZERO)

CASES: list[Case] = [
    case("increasing", [*RISE, increasing()]),
    case("increasing, weak", [*RISE, increasing(shows=ge(power(ONE, 2), power(ZERO, 2)))]),
    case("increasing, reversed", [*RISE, increasing(shows=gt(power(ZERO, 2), power(ONE, 2)))], "not F(hi), F(lo)"),
    case("increasing, other interval", [*RISE, sign(gt(ONE, q(-1))), increasing(lo=q(-1), shows=gt(power(ONE, 2), power(q(-1), 2)), premises=(1, 3))],
         "t is free in an assumption"),
    case("increasing, empty", [*RISE, increasing(lo=ONE, hi=ZERO, shows=gt(power(ZERO, 2), power(ONE, 2)))], "t is free in an assumption"),
    case("increasing, ends not in order", [sign(gt(rate("dt", fun("exp", t)), ZERO), fun("exp", t)), RISE[2],
                                           increasing(function=fun("exp", t), lo=ONE, hi=ZERO, shows=gt(fun("exp", ZERO), fun("exp", ONE)), premises=(0, 1))],
         "a premise is not"),
    case("increasing, weak derivative", [RISE[0], sign(ge(rate("dt", SQUARE), ZERO), mul(TWO, t), given=(gt(t, ZERO),), facts=[0]), RISE[2], increasing()],
         "a premise is not strict"),
    case("increasing, weak interval", [*RISE[:2], sign(ge(ONE, ZERO)), increasing()], "a premise is not strict"),
    case("increasing, another derivative", [*RISE, increasing(function=power(t, 3), shows=gt(power(ONE, 3), power(ZERO, 3)))], "a premise is not"),
    case("increasing, another flow", [*RISE, increasing(flow="fast")], "does not move t alone"),
    case("increasing, a flow of two", [*RISE, increasing(flow="two")], "does not move t alone"),
    case("increasing, no flow", [*RISE, increasing(flow="none")], "does not move t alone"),
    case("increasing, a variable that is no name", [*RISE, increasing(variable=["t"])], "not a real symbol"),
    case("root, a variable that is no name", [*ROOT_STEPS, root(variable=["t"])], "malformed"),
    case("increasing, variable", [*RISE, increasing(variable="s")], "not a real symbol"),
    case("increasing, positive variable", [*RISE, increasing(variable="p")], "not a real symbol"),
    case("increasing, variable of the ground", [*RISE, increasing()], "t occurs in a hypothesis or the domain", domain=(gt(t, q(-5)),)),
    case("increasing, end with the variable", [*RISE, increasing(hi=t, shows=gt(power(t, 2), power(ZERO, 2)))], "t occurs in an end"),
    case("increasing, infinite", [*RISE, increasing(hi=INF)], "the interval is infinite"),
    case("increasing, assumption kept", [RISE[0], assume(gt(y, ZERO)), sign(gt(rate("dt", SQUARE), ZERO), mul(TWO, t), given=(gt(t, ZERO), gt(y, ZERO)), facts=[0, 1]),
                                         RISE[2], increasing(premises=(2, 3))], "not among the given"),
    case("increasing, an assumption on the variable", [RISE[0], assume(gt(t, y)), sign(gt(rate("dt", SQUARE), ZERO), mul(TWO, t), given=(gt(t, ZERO), gt(t, y)), facts=[0, 1]),
                                                       RISE[2], increasing(premises=(2, 3))], "t is free in an assumption"),
    case("log increases", [*LOG_RISE, increasing(function=LOG, lo=ONE, hi=TWO, shows=gt(fun("log", TWO), fun("log", ONE)), premises=(2, 3), facts=[1])]),
    case("log, smoothness not cited", [*LOG_RISE, increasing(function=LOG, lo=ONE, hi=TWO, shows=gt(fun("log", TWO), fun("log", ONE)), premises=(2, 3))],
         "is not shown to be defined"),
    case("log, smooth inside only", [assume(gt(t, ZERO)), sign(gt(rate("dt", LOG), ZERO), fun("inv", t), given=(gt(t, ZERO),), facts=[0]), sign(gt(ONE, ZERO)),
                                     increasing(function=LOG, lo=ZERO, hi=ONE, shows=gt(fun("log", ONE), fun("log", ZERO)), premises=(1, 2), facts=[0])],
         "t is free in an assumption"),
    case("increasing, rewrites", [*RISE, increasing(rewrites=[0])], "rewrites do not show"),
    case("increasing, abs", [assume(gt(t, ZERO)), assume(gt(rate("dt", fun("abs", t)), ZERO)), sign(gt(ONE, ZERO)),
                             increasing(function=fun("abs", t), shows=gt(fun("abs", ONE), fun("abs", ZERO)), given=(gt(rate("dt", fun("abs", t)), ZERO),))],
         "t is free in an assumption"),
    # roots
    case("root by monotony", ROOTED),
    case("root, weak derivative", [sign(ge(rate("dt", E2), ZERO), fun("exp", t)), *ROOT_STEPS[1:], root()], "a premise is not"),
    case("root, no sign below", [*ROOT_STEPS, root("root_monotone", 0, 4, 4, 5)], "a premise is not"),
    case("root, no sign above", [*ROOT_STEPS, root("root_monotone", 0, 1, 1, 5)], "a premise is not"),
    case("root, no order", [*ROOT_STEPS, root("root_monotone", 0, 1, 4, 4)], "a premise is not"),
    case("root, outside on the left", [*ROOT_STEPS, root(shows=["unique", "t", ONE, INF, E2])], "premises are expected"),
    case("root, outside on the right", [*ROOT_STEPS, root(shows=["unique", "t", ZERO, ONE, E2])], "premises are expected"),
    case("root, no premises", [step("root_monotone", UNIQUE, variable="t", flow="dt", a=ZERO, b=TWO)], "takes premises"),
    case("root in a bounded interval", [*ROOT_STEPS, sign(gt(q(3), TWO)), root("root_monotone", 0, 1, 4, 5, 7, shows=["unique", "t", ZERO, q(3), E2])]),
    case("root, right end not beyond", [*ROOT_STEPS, sign(ge(TWO, TWO)), root("root_monotone", 0, 1, 4, 5, 7, shows=["unique", "t", ZERO, TWO, E2])], "a premise is not"),
    case("root, left end", [*ROOT_STEPS, sign(ge(ZERO, q(-1))), root("root_monotone", 0, 1, 4, 5, 7, shows=["unique", "t", q(-1), INF, E2])]),
    case("root of another name", [*ROOT_STEPS, root(shows=["unique", "y", ZERO, INF, add(fun("exp", y), q(-2))])]),
    case("root, free variable", [*ROOT_STEPS, root(shows=["unique", "y", ZERO, INF, add(fun("exp", y), mul(ZERO, t), q(-2))])], "the variable is free"),
    case("root, shape", [*ROOT_STEPS, root(shows=eq(t, t))], "an exactly-one formula is expected"),
    case("root by convexity", [*ROOT_STEPS, root("root_convex", 6, 1, 4, 5)]),
    case("root by convexity, no convexity", [*ROOT_STEPS, root("root_convex", 4, 1, 4, 5)], "a premise is not"),
    case("root by convexity, bracket inside", [*ROOT_STEPS, root("root_convex", 6, 1, 4, 5, a=ONE)], "starts at the left end"),
    case("root by convexity, no premises", [step("root_convex", UNIQUE, variable="t", flow="dt", a=ZERO, b=TWO)], "takes premises"),
    case("a root is a zero", [*ROOTED, step("root_facts", eq(add(fun("exp", ROOT), q(-2)), ZERO), 7)], defined=[7]),
    case("a root is in its interval", [*ROOTED, step("root_facts", gt(ROOT, ZERO), 7)], defined=[7]),
    case("a root, undefined", [*ROOTED, step("root_facts", gt(ROOT, ZERO), 7)], "not shown by a step of `defined`"),
    case("a root elsewhere", [*ROOTED, step("root_facts", gt(ROOT, ONE), 7)], "not one of its facts"),
    case("a root's upper end", [*ROOTED, step("root_facts", gt(INF, ROOT), 7)], "not a tag of a S term"),
    case("root facts, shape", [step("ring", eq(t, t)), step("root_facts", eq(t, t), 0)], "takes an exactly-one formula"),
    case("the root is log 2", [*ROOTED, step("ring", eq(add(fun("exp", fun("log", TWO)), q(-2)), ZERO)), sign(ne(fun("log", TWO), ZERO)), ROOT_STEPS[5]],
         "is not read off"),
    case("root_is", [*ROOTED, assume(eq(add(fun("exp", y), q(-2)), ZERO)), assume(gt(y, ZERO)),
                     step("root_is", eq(ROOT, y), 7, 8, 9, given=(eq(add(fun("exp", y), q(-2)), ZERO), gt(y, ZERO)))], "last step has assumptions"),
    case("root_is, discharged", [*ROOTED, assume(ZERO_AT_Y), assume(gt(y, ZERO)), step("root_is", eq(ROOT, y), 7, 8, 9, given=(ZERO_AT_Y, gt(y, ZERO))),
                                 step("implies_intro", ["implies", ZERO_AT_Y, eq(ROOT, y)], 10, given=(gt(y, ZERO),)),
                                 step("implies_intro", ["implies", gt(y, ZERO), ["implies", ZERO_AT_Y, eq(ROOT, y)]], 11)], defined=[7]),
    case("root_is, no zero", [*ROOTED, assume(eq(add(fun("exp", y), q(-3)), ZERO)), assume(gt(y, ZERO)),
                              step("root_is", eq(ROOT, y), 7, 8, 9, given=(eq(add(fun("exp", y), q(-3)), ZERO), gt(y, ZERO)))], "a premise is not"),
    case("root_is, not inside", [*ROOTED, assume(eq(add(fun("exp", y), q(-2)), ZERO)), assume(ge(y, ZERO)),
                                 step("root_is", eq(ROOT, y), 7, 8, 9, given=(eq(add(fun("exp", y), q(-2)), ZERO), ge(y, ZERO)))], "a premise is not"),
    case("root_is, count", [*ROOTED, assume(eq(add(fun("exp", y), q(-2)), ZERO)), step("root_is", eq(ROOT, y), 7, 8, given=(eq(add(fun("exp", y), q(-2)), ZERO),))],
         "premises are expected"),
    case("root_is, another root", [*ROOTED, assume(eq(add(fun("exp", y), q(-2)), ZERO)), assume(gt(y, ZERO)),
                                   step("root_is", eq(["root", "t", E2, ONE, INF], y), 7, 8, 9, given=(eq(add(fun("exp", y), q(-2)), ZERO), gt(y, ZERO)))], "not the root"),
    case("root_is, shape", [*ROOTED, step("root_is", gt(ROOT, y), 7)], "takes an exactly-one formula"),
    case("root_side", [*ROOTED, FACT_ONE, step("root_side", iff(gt(add(fun("exp", ONE), q(-2)), ZERO), gt(ONE, ROOT)), 7, 1, 4, 5, 8, variable="t", flow="dt", at=ONE, a=ZERO, b=TWO)],
         defined=[7]),
    case("root_side, below", [*ROOTED, FACT_ONE, step("root_side", iff(gt(ZERO, add(fun("exp", ONE), q(-2))), gt(ROOT, ONE)), 7, 1, 4, 5, 8, variable="t", flow="dt", at=ONE, a=ZERO, b=TWO)],
         defined=[7]),
    case("root_side, wrong side", [*ROOTED, FACT_ONE, step("root_side", iff(gt(add(fun("exp", ONE), q(-2)), ZERO), gt(ROOT, ONE)), 7, 1, 4, 5, 8, variable="t", flow="dt", at=ONE, a=ZERO, b=TWO)],
         "not one of its equivalences"),
    case("root_side, outside", [*ROOTED, sign(ge(ZERO, ZERO)), step("root_side", iff(gt(add(fun("exp", ZERO), q(-2)), ZERO), gt(ZERO, ROOT)), 7, 1, 4, 5, 8, variable="t", flow="dt", at=ZERO, a=ZERO, b=TWO)],
         "a premise is not"),
    case("root_side, no premises", [step("root_side", iff(gt(t, ZERO), gt(t, y)), variable="t", flow="dt", at=ONE, a=ZERO, b=TWO)], "takes premises"),
    # convexity
    case("between", [*CONVEX_STEPS, between()]),
    case("between, not convex", [sign(ge(rate("dt", CONVEX), rate("dt", CONVEX)), ZERO), *CONVEX_STEPS[1:], between()], "a premise is not"),
    case("between, left value", [*CONVEX_STEPS, between(premises=(0, 3, 2, 3, 4))], "a premise is not"),
    case("between, right value", [*CONVEX_STEPS, between(premises=(0, 1, 3, 3, 4))], "a premise is not"),
    case("between, not right of lo", [*CONVEX_STEPS, between(premises=(0, 1, 2, 4, 4))], "a premise is not"),
    case("between, not left of hi", [*CONVEX_STEPS, between(premises=(0, 1, 2, 3, 3))], "a premise is not"),
    case("between, conclusion", [*CONVEX_STEPS, between(shows=ge(q(-1), THIRD))], "not F(t) <= 0"),
    case("tangent", [*TANGENT, tangent()]),
    case("tangent, weak", [*TANGENT, tangent(shows=ge(power(TWO, 2), LINE), premises=(0, 1, 2, 3))]),
    case("tangent, strict without ne", [*TANGENT, tangent(premises=(0, 1, 2, 3))], "premises are expected"),
    case("tangent, strict from weak", [sign(ge(rate("dt", rate("dt", SQUARE)), ZERO), TWO), *TANGENT[1:], tangent()], "not strictly positive"),
    case("tangent, another derivative", [*TANGENT, tangent(derivative=t, shows=gt(power(TWO, 2), add(power(ONE, 2), mul(ONE, add(TWO, neg(ONE))))))], "a premise is not"),
    case("tangent, touching outside", [*TANGENT, tangent(premises=(0, 1, 3, 3, 4))], "a premise is not"),
    case("tangent, point outside", [*TANGENT, tangent(premises=(0, 1, 2, 2, 4))], "a premise is not"),
    case("tangent, other line", [*TANGENT, tangent(shows=gt(power(TWO, 2), add(power(TWO, 2), mul(mul(TWO, ONE), add(TWO, neg(ONE))))))], "not the tangent"),
    case("tangent, relation", [*TANGENT, tangent(shows=eq(power(TWO, 2), LINE), premises=(0, 1, 2, 3))], "shows ge or gt"),
    case("tangent, one premise", [*TANGENT, tangent(premises=(0,))], "takes premises"),
    case("tangent, derivative inside only", [TANGENT[0], assume(gt(t, ZERO)), step("ring", eq(rate("dt", SQUARE), mul(TWO, t)), given=(gt(t, ZERO),)), *TANGENT[2:],
                                             tangent(premises=(0, 2, 3, 4, 5))], "t is free in an assumption"),
    # integrals
    case("antiderivative", [*ANTI, anti()], defined=[1]),
    case("antiderivative, order", [*ANTI, anti(shows=eq(INTEGRAL, add(power(ZERO, 2), neg(power(ONE, 2)))))], "not G(hi) - G(lo)"),
    case("antiderivative, reversed ends", [*ANTI, anti(shows=eq(["int", "t", ONE, ZERO, mul(TWO, t)], add(power(ZERO, 2), neg(power(ONE, 2)))))], "a premise is not"),
    case("antiderivative, not one", [*ANTI, anti(function=power(t, 3), shows=eq(INTEGRAL, add(power(ONE, 3), neg(power(ZERO, 3)))))], "a premise is not"),
    case("antiderivative, shape", [*ANTI, anti(shows=ge(INTEGRAL, ZERO))], "shows an integral"),
    case("antiderivative across a pole", [
        assume(ne(t, ZERO)), step("ring", eq(rate("dt", neg(fun("inv", t))), power(fun("inv", t), 2)), given=(ne(t, ZERO),), facts=[0]), sign(ge(ONE, q(-1))),
        anti(function=neg(fun("inv", t)), premises=(1, 2), facts=[0],
             shows=eq(["int", "t", q(-1), ONE, power(fun("inv", t), 2)], add(neg(fun("inv", ONE)), neg(neg(fun("inv", q(-1)))))))], "t is free in an assumption"),
    case("antiderivative, not smooth", [
        assume(gt(t, ZERO)), step("ring", eq(rate("dt", fun("log", t)), fun("inv", t)), given=(gt(t, ZERO),), facts=[0]), sign(ge(TWO, ONE)),
        anti(function=fun("log", t), premises=(1, 2), shows=eq(["int", "t", ONE, TWO, fun("inv", t)], add(fun("log", TWO), neg(fun("log", ONE)))))], "t is free in an assumption"),
    case("antiderivative, variable free", [*ANTI, anti(shows=eq(["int", "y", ZERO, ONE, mul(TWO, t)], add(power(ONE, 2), neg(power(ZERO, 2)))))], "t is free in the integral"),
    case("integrals compared", [*COMPARE, compare()], defined=[3]),
    case("integrals compared, weak", [*COMPARE, compare(shows=ge(["int", "y", ZERO, ONE, y], ["int", "k", ZERO, ONE, power(K, 2)]))], defined=[3]),
    case("integrals compared, reversed", [*COMPARE, compare(shows=gt(["int", "t", ZERO, ONE, power(t, 2)], ["int", "t", ZERO, ONE, t]))], "a premise is not"),
    case("integrals compared, two ranges", [*COMPARE, compare(shows=gt(["int", "t", ZERO, ONE, t], ["int", "t", ZERO, TWO, power(t, 2)]))], "two ranges"),
    case("integrals compared, beyond", [*COMPARE[:3], sign(gt(TWO, ZERO)), compare(shows=gt(["int", "t", ZERO, TWO, t], ["int", "t", ZERO, TWO, power(t, 2)]))],
         "t is free in an assumption"),
    case("integrals compared, strict over a point", [*COMPARE[:3], sign(ge(ONE, ZERO)), compare()], "a premise is not strict"),
    case("integrals compared, shape", [*COMPARE, compare(shows=gt(t, y))], "integral_compare: the shape"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "context", "expected"), [x[1:] for x in CASES], ids=[x[0] for x in CASES])
def test_curve(steps: list[dict[str, Any]], context: dict[str, Any], expected: str) -> None:
    outcome = try_steps(steps, **context)
    assert re.search(re.escape(expected), outcome), outcome


# the flow `still` moves every x_i by u - <x_i,u> x_i; V = sum_i <x_i,u>, its rate is n <u,u> - sum_i <x_i,u>^2
V = total = ["sum", "i", [], ip(X_I, u)]
NAMES = [
    "smooth fields on a product of spheres have unique solutions for all times, and tangent ones stay there",
    "the integral of a non-negative rate of a bounded quantity is bounded",
]
RATE = ["sum", "i", [], add(ip(u, u), neg(power(ip(X_I, u), 2)))]
UPPER, LOWER = mul(["size", "token"], norm(u)), neg(mul(["size", "token"], norm(u)))
BOUND = add(UPPER, neg(LOWER))
SPHERE: list[dict[str, Any]] = [
    step("ring", eq(rate("still", V), RATE)),
    step("cauchy_schwarz", ge(mul(norm(X_I), norm(u)), fun("abs", ip(X_I, u)))),
    step("absolute", ge(fun("abs", ip(X_I, u)), ip(X_I, u))),
    step("absolute", ge(fun("abs", ip(X_I, u)), neg(ip(X_I, u)))),
    sign(ge(RATE, ZERO), ["sum", "i", [], ip(["vadd", u, ["vmul", neg(ip(X_I, u)), X_I]], ["vadd", u, ["vmul", neg(ip(X_I, u)), X_I]])]),
    sign(ge(UPPER, V), ["sum", "i", [], add(add(norm(u), neg(fun("abs", ip(X_I, u)))), add(fun("abs", ip(X_I, u)), neg(ip(X_I, u))))], facts=[1, 2]),
    sign(ge(V, LOWER), ["sum", "i", [], add(add(norm(u), neg(fun("abs", ip(X_I, u)))), add(fun("abs", ip(X_I, u)), ip(X_I, u)))], facts=[1, 3]),
    step("ring", eq(rate("still", ip(X_I, X_I)), ZERO)),
]  # fmt: skip


def dissipation(*premises: int, **changes: Any) -> dict[str, Any]:
    return step(
        "dissipation",
        changes.get("shows", ["dissipates", "still", RATE, BOUND]),
        *(premises or (0, 4, 5, 6, 7)),
        given=changes.get("given", ()),
    )


SOLUTIONS: list[Case] = [
    case("dissipation", [*SPHERE, dissipation()]),
    case("dissipation, rate", [*SPHERE, dissipation(7, 4, 5, 6, 7)], "a premise is not"),
    case("dissipation, sign", [*SPHERE, dissipation(0, 5, 5, 6, 7)], "a premise is not"),
    case("dissipation, upper", [*SPHERE, dissipation(0, 4, 6, 6, 7)], "a premise is not"),
    case("dissipation, lower", [*SPHERE, dissipation(0, 4, 5, 5, 7)], "a premise is not"),
    case("dissipation, the sphere", [*SPHERE, dissipation(0, 4, 5, 6, 4)], "a premise is not"),
    case("dissipation, too few", [*SPHERE, dissipation(0, 4, 5)], "dissipation: the shape"),
    case("dissipation, no tangency", [*SPHERE, dissipation(0, 4, 5, 6)], "premises are expected"),
    case("dissipation, no rate", [*SPHERE, dissipation(4, 4, 5, 6, 7)], "the first premise is no rate"),
    case("dissipation, bound", [*SPHERE, dissipation(shows=["dissipates", "still", RATE, UPPER])], "the bound is not U - L"),
    case("dissipation, moving bound", [*SPHERE, step("ring", eq(V, V)), sign(ge(V, V), ZERO),
                                       dissipation(0, 4, 9, 6, 7, shows=["dissipates", "still", RATE, add(V, neg(LOWER))])], "a bound moves"),
    case("dissipation, a premise with assumptions", [*SPHERE, step("ring", eq(rate("still", ip(X_I, X_I)), ZERO), given=(gt(t, ZERO),)),
                                                     dissipation(0, 4, 5, 6, 8, given=(gt(t, ZERO),))], "a premise has assumptions"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "context", "expected"), [x[1:] for x in SOLUTIONS], ids=[x[0] for x in SOLUTIONS])
def test_solution(steps: list[dict[str, Any]], context: dict[str, Any], expected: str) -> None:
    outcome = try_steps(steps, hypotheses=("unit",), analysis=NAMES, **context)
    assert re.search(re.escape(expected), outcome), outcome


def test_solution_needs_its_theorems() -> None:
    assert "analysis: the rules rest on" in try_steps([*SPHERE, dissipation()], hypotheses=("unit",))
    assert "analysis: the rules rest on" in try_steps([step("ring", eq(t, t))], analysis=["magic"])


def test_solution_off_the_sphere() -> None:
    away = [
        step("ring", eq(rate("away", V), ["sum", "i", [], ip(u, u)])), sign(ge(["sum", "i", [], ip(u, u)], ZERO)),
        assume(ge(UPPER, V)), assume(ge(V, LOWER)), step("ring", eq(t, t)),
        step("dissipation", ["dissipates", "away", ["sum", "i", [], ip(u, u)], BOUND], 0, 1, 2, 3, 4, given=(ge(UPPER, V), ge(V, LOWER))),
    ]  # fmt: skip
    assert "is not on the sphere" in try_steps(away, analysis=NAMES)
    assert "a premise is not" in try_steps(away, hypotheses=("unit",), analysis=NAMES)


def test_solution_with_a_moving_hypothesis() -> None:
    steps = [*SPHERE, dissipation()]
    assert "moves a hypothesis" in try_steps(steps, hypotheses=("unit", "pinned"), analysis=NAMES)


def test_solution_of_a_rough_field() -> None:
    steps = [*SPHERE]
    steps[0] = step("ring", eq(rate("rough", ONE), ZERO))
    steps.append(step("dissipation", ["dissipates", "rough", ZERO, BOUND], 0, 4, 5, 6, 7))
    assert "is not shown to be defined" in try_steps(steps, hypotheses=("unit",), analysis=NAMES)


def test_names_are_used() -> None:
    assert len({x[0] for x in CASES}) == len(CASES)
    assert all([le, lt, m, p, r, s, every, add])


# -- integral_shift ---------------------------------------------------------------------------------------------
# G = t^2, f = 2t + 3 exp(t), g = exp(t), c = 3
F_, G_ = add(mul(TWO, t), mul(q(3), fun("exp", t))), fun("exp", t)
SHIFT = [
    step("ring", eq(rate("dt", SQUARE), add(F_, neg(mul(q(3), G_))))),
    sign(ge(ONE, ZERO)),
    step("ring", eq(t, t)),
]
SHIFTED = eq(
    ["int", "t", ZERO, ONE, F_], add(mul(q(3), ["int", "t", ZERO, ONE, G_]), add(power(ONE, 2), neg(power(ZERO, 2))))
)


def shift(**changes: Any) -> dict[str, Any]:
    data = {"variable": "t", "flow": "dt", "function": SQUARE, "weight": q(3)}
    return step(
        "integral_shift", changes.pop("shows", SHIFTED), *changes.pop("premises", (0, 1)), **{**data, **changes}
    )


def shifted(c_: J, increment: J) -> J:
    return eq(["int", "t", ZERO, ONE, F_], add(mul(c_, ["int", "t", ZERO, ONE, G_]), increment))


INCREMENT = add(power(ONE, 2), neg(power(ZERO, 2)))
SHIFTS: list[Case] = [
    case("shift", [*SHIFT, shift()], defined=[1]),
    case("shift, other premise", [*SHIFT, shift(premises=(1, 1))], "a premise is not"),
    case("shift, order", [*SHIFT, shift(premises=(0, 2))], "a premise is not"),
    case("shift, weight", [*SHIFT, shift(weight=TWO, shows=shifted(TWO, INCREMENT))], "a premise is not"),
    case("shift, varying weight", [*SHIFT, shift(weight=t, shows=shifted(t, INCREMENT))], "the weight varies"),
    case("shift, increment", [*SHIFT, shift(shows=shifted(q(3), add(power(ZERO, 2), neg(power(ONE, 2)))))], "not that sum"),
    case("shift, shape", [*SHIFT, shift(shows=eq(["int", "t", ZERO, ONE, F_], t))], "integral_shift: the shape"),
    case("shift, two ranges", [*SHIFT, shift(shows=eq(SHIFTED[1], add(mul(q(3), ["int", "t", ZERO, TWO, G_]), INCREMENT)))], "not that sum"),
    case("shift, not smooth", [
        assume(gt(t, ZERO)), step("ring", eq(rate("dt", fun("log", t)), add(fun("inv", t), neg(mul(ZERO, t)))), given=(gt(t, ZERO),), facts=[0]), sign(ge(TWO, ONE)),
        shift(function=fun("log", t), weight=ZERO, premises=(1, 2),
              shows=eq(["int", "t", ONE, TWO, fun("inv", t)], add(mul(ZERO, ["int", "t", ONE, TWO, t]), add(fun("log", TWO), neg(fun("log", ONE))))))], "t is free in an assumption"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "context", "expected"), [x[1:] for x in SHIFTS], ids=[x[0] for x in SHIFTS])
def test_shift(steps: list[dict[str, Any]], context: dict[str, Any], expected: str) -> None:
    outcome = try_steps(steps, **context)
    assert re.search(re.escape(expected), outcome), outcome


# -- decay: under `still`, F_i = <u,u> <u,u> - <x_i,u>^2 ... the simplest: C is <u,u> > 0, which does not move ------
UU = ip(u, u)
HOLDS = gt(add(ip(X_I, u), norm(u)), ZERO)  # <x_i,u> + |u| > 0, for one i; its rate is |u|^2 - <x_i,u>^2 >= 0
POSITIVE = add(ip(X_I, u), norm(u))
RISES = add(ip(u, u), neg(power(ip(X_I, u), 2)))
PX = ["vadd", u, ["vmul", neg(ip(X_I, u)), X_I]]
FALLS = neg(ip(X_I, u))  # V = -<x_i,u>: V' = -(|u|^2 - <x_i,u>^2) <= 0, so k = 0
DECAY = [
    sign(ge(rate("still", add(ip(X_I, u), norm(u))), ZERO), ip(PX, PX)),
    sign(ge(mul(neg(ZERO), FALLS), rate("still", FALLS)), ip(PX, PX)),
    sign(ge(ZERO, ZERO)),
    step("ring", eq(rate("still", ip(X_I, X_I)), ZERO)),
]
DECAYS = ["decays", "still", HOLDS, FALLS, ZERO]
DECAY_NAMES = [NAMES[0], "a function whose derivative is never positive does not increase"]


def decay(*premises: int, **changes: Any) -> dict[str, Any]:
    return step("decay", changes.pop("shows", DECAYS), *(premises or (0, 1, 2, 3)), **changes)


EVERYWHERE = every("i", HOLDS)
DECAY_CASES: list[Case] = [
    case("decay", [*DECAY, decay()]),
    case("decay, for all", [*DECAY, decay(shows=["decays", "still", EVERYWHERE, FALLS, ZERO])]),
    case("decay, the condition assumed", [*DECAY, assume(HOLDS), step("and_intro", ["and", HOLDS, DECAY[1]["shows"]], 4, 1, given=(HOLDS,)),
                                          step("and_elim", DECAY[1]["shows"], 5, given=(HOLDS,), part=1), decay(0, 6, 2, 3)]),
    case("decay, a static assumption", [*DECAY, assume(gt(UU, ZERO)), step("and_intro", ["and", gt(UU, ZERO), DECAY[1]["shows"]], 4, 1, given=(gt(UU, ZERO),)),
                                        step("and_elim", DECAY[1]["shows"], 5, given=(gt(UU, ZERO),), part=1), decay(0, 6, 2, 3)], "not among the given"),
    case("decay, a moving assumption", [*DECAY, assume(gt(FALLS, ZERO)), step("and_intro", ["and", gt(FALLS, ZERO), DECAY[1]["shows"]], 4, 1, given=(gt(FALLS, ZERO),)),
                                        step("and_elim", DECAY[1]["shows"], 5, given=(gt(FALLS, ZERO),), part=1), decay(0, 6, 2, 3, given=(gt(FALLS, ZERO),))],
         "an assumption moves"),
    case("decay, the first premise assumes", [*DECAY, assume(gt(UU, ZERO)), step("and_intro", ["and", gt(UU, ZERO), DECAY[0]["shows"]], 4, 0, given=(gt(UU, ZERO),)),
                                              step("and_elim", DECAY[0]["shows"], 5, given=(gt(UU, ZERO),), part=1), decay(6, 1, 2, 3)], "assumes more than the condition"),
    case("decay, the condition may fall slowly", [*DECAY, sign(ge(rate("still", POSITIVE), mul(neg(p), POSITIVE)), add(ip(PX, PX), mul(p, POSITIVE)), given=(HOLDS,), facts=[5]),
                                                  assume(HOLDS), decay(6, 1, 2, 3)], "no earlier step"),
    case("decay, slowly", [*DECAY, assume(HOLDS), sign(ge(rate("still", POSITIVE), mul(neg(p), POSITIVE)), add(ip(PX, PX), mul(p, POSITIVE)), given=(HOLDS,), facts=[4]),
                           decay(5, 1, 2, 3)]),
    case("decay, slowly at a moving rate", [*DECAY, assume(HOLDS), sign(ge(rate("still", POSITIVE), mul(neg(power(ip(X_I, u), 2)), POSITIVE)),
                                            add(ip(PX, PX), mul(power(ip(X_I, u), 2), POSITIVE)), given=(HOLDS,), facts=[4]), decay(5, 1, 2, 3)],
         "the rate of the condition moves"),
    case("decay, the condition falls", [*DECAY, decay(2, 1, 2, 3)], "a premise is not"),
    case("decay, the quantity", [*DECAY, decay(0, 2, 2, 3)], "a premise is not"),
    case("decay, the rate", [*DECAY, decay(0, 1, 0, 3)], "a premise is not"),
    case("decay, no confinement", [*DECAY, decay(0, 1, 2)], "premises are expected"),
    case("decay, confinement assumed", [*DECAY, step("ring", DECAY[3]["shows"], given=(gt(UU, ZERO),)), decay(0, 1, 2, 4, given=(gt(UU, ZERO),))],
         "a premise on confinement has assumptions"),
    case("decay, condition", [*DECAY, decay(shows=["decays", "still", ge(add(ip(X_I, u), norm(u)), ZERO), FALLS, ZERO])], "the condition is not F > 0"),
    case("decay, moving rate", [*DECAY, decay(shows=["decays", "still", HOLDS, FALLS, ip(X_I, u)])], "the rate moves"),
    case("decay, shape", [*DECAY, decay(shows=HOLDS)], "decay: the shape"),
    case("decay, rough condition", [*DECAY, assume(ge(rate("still", fun("sqrt", add(ip(X_I, u), norm(u)))), ZERO)),
                                    decay(4, 1, 2, 3, shows=["decays", "still", gt(fun("sqrt", add(ip(X_I, u), norm(u))), ZERO), FALLS, ZERO])], "assumes more than the condition"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "context", "expected"), [x[1:] for x in DECAY_CASES], ids=[x[0] for x in DECAY_CASES]
)
def test_decay(steps: list[dict[str, Any]], context: dict[str, Any], expected: str) -> None:
    outcome = try_steps(steps, hypotheses=("unit",), analysis=DECAY_NAMES, **context)
    assert re.search(re.escape(expected), outcome), outcome
