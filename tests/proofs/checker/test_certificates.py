# ruff: noqa: E501
"""Certificates as a whole: well-formed terms, the setting, definedness, witnesses, models; each condition on its own."""

from __future__ import annotations

import copy
import re
from typing import Any, cast

import pytest
from antumbra.proofs import checker as c
from handmade import (
    MODEL,
    ONE,
    SETTING,
    TWO,
    ZERO,
    J,
    add,
    assume,
    define,
    definition,
    derivation,
    distinct,
    eq,
    every,
    flow,
    fun,
    ge,
    gt,
    hypothesis,
    implies,
    ip,
    lt,
    m,
    mul,
    ne,
    neg,
    norm,
    op,
    p,
    part,
    power,
    q,
    r,
    rate,
    s,
    step,
    symbol,
    t,
    total,
    try_steps,
    u,
    v,
    vec,
    verdict,
    witness,
    y,
)  # fmt: skip

OK = "accepted"
S_I = s("s", "i")
SETTING_OF = c.Setting(SETTING)


def same(t: J) -> list[dict[str, Any]]:
    return [step("ring", eq(t, t))]


# -- terms ------------------------------------------------------------------------------------------------------
BAD_TERMS: list[tuple[str, Any, str, str]] = [
    ("an unknown tag", ["sec", t], "S", "is not a tag"),
    ("a formula for a scalar", eq(t, t), "S", "is not a tag"),
    ("a vector for a scalar", u, "S", "is not a tag"),
    ("no list", "t", "S", "not a term"),
    ("an object", {"s": "t"}, "S", "not a term"),
    ("an empty list", [], "S", "not a term"),
    ("a tag that is no string", [1, 2], "S", "not a term"),
    ("too many fields", ["exp", t, t], "S", "takes 1 fields"),
    ("too few fields", ["exp"], "S", "takes 1 fields"),
    ("a sum of one", ["+", t], "S", "two or more"),
    ("a Boolean exponent", ["^", t, True], "S", "bad exponent"),
    ("a float exponent", ["^", t, 2.0], "S", "bad exponent"),
    ("a negative exponent", ["^", t, -1], "S", "bad exponent"),
    ("a huge exponent", ["^", t, 65], "S", "bad exponent"),
    ("a decimal rational", ["q", "1.5", "1"], "S", "bad rational"),
    ("a leading zero", ["q", "01", "1"], "S", "bad rational"),
    ("a capital digit", ["q", "A", "1"], "S", "bad rational"),
    ("a number for a numeral", ["q", 1, "1"], "S", "is not a name"),
    ("a zero denominator", ["q", "1", "0"], "S", "not in lowest terms"),
    ("a negative denominator", ["q", "1", "-2"], "S", "not in lowest terms"),
    ("not in lowest terms", ["q", "2", "4"], "S", "not in lowest terms"),
    ("minus zero", ["q", "-0", "1"], "S", "not in lowest terms"),
    ("too many digits", ["q", "1" * 2001, "1"], "S", "bad rational"),
    ("an undeclared symbol", s("nothing"), "S", "is not a declared scalar"),
    ("a vector as a scalar", s("u"), "S", "is not a declared scalar"),
    ("a scalar as a vector", vec("t"), "V", "is not a declared vector"),
    ("a vector as an operator", op("x", "h", u), "V", "is not a declared operator"),
    ("a missing index", s("s"), "S", "wrong indices"),
    ("an extra index", s("t", "i"), "S", "wrong indices"),
    ("an index of another sort", s("s", "h"), "S", "wrong indices"),
    ("an index that is none", s("s", "q"), "S", "not indices"),
    ("indices as a string", ["s", "s", "i"], "S", "not a list of names"),
    ("a delta of two sorts", ["delta", "i", "h"], "S", "of two sorts"),
    ("a delta of a number", ["delta", "i", 1], "S", "is not an index"),
    ("distinct of two sorts", distinct("i", "h"), "F", "of two sorts"),
    ("an excluded index of another sort", total("i", ONE, "h"), "S", "bad exclusion"),
    ("an index that excludes itself", total("i", ONE, "i"), "S", "bad exclusion"),
    ("an exclusion twice", total("i", ONE, "j", "j"), "S", "a name occurs twice"),
    ("a bound number", ["sum", 1, [], ONE], "S", "is not an index"),
    ("an unknown sort", ["size", "layer"], "S", "unknown sort"),
    ("an unknown function", fun("exp", ["fn", "gamma", t]), "S", "no function"),
    ("an unknown definition", define("nothing"), "S", "is not defined before"),
    ("a vector definition as a scalar", define("pull", "h"), "S", "is not defined before"),
    ("a definition without its index", define("f"), "S", "wrong indices"),
    ("a definition without its argument", define("twice"), "S", "wrong number of arguments"),
    ("arguments that are no list", ["def", "hidden", [], "t"], "S", "arguments are not a list"),
    ("an unknown flow", rate("nothing", t), "S", "no flow"),
    ("an unknown flow of solutions", ["dissipates", "nothing", t, t], "F", "no flow"),
    ("an integral over a vector", ["int", "u", ZERO, ONE, t], "S", "cannot bind"),
    ("an integral over an indexed symbol", ["int", "s", ZERO, ONE, t], "S", "cannot bind"),
    ("an integral over a positive symbol", ["int", "p", ZERO, ONE, p], "S", "whose domain is not real"),
    ("a root over a nonnegative symbol", ["root", "m", m, ZERO, ONE], "S", "whose domain is not real"),
    ("a unique over a positive symbol", ["unique", "p", ZERO, ONE, p], "F", "whose domain is not real"),
    ("a norm of no linear map", ["opnorm", "u", ["vadd", u, v]], "S", "not linear"),
    ("a norm of a quadratic map", ["opnorm", "u", ["vmul", ip(u, v), u]], "S", "not linear"),
    ("a norm of a constant map", ["opnorm", "u", v], "S", "not linear"),
    ("an infinite lower end", ["unique", "t", ["inf"], ONE, t], "F", "is not a tag"),
    ("infinity as a term", gt(["inf"], t), "F", "is not a tag"),
    ("a unit scalar", ["unit", "t"], "F", "is not a vector"),
    ("a symmetric vector", ["symmetric", "x"], "F", "is not a operator"),
    ("same operators of two kinds", ["same_operator", "M", "x"], "F", "bad"),
    ("scalar operators without scalars", ["scalar_operator", "M", "s"], "F", "bad"),
    ("orthogonality of one operator", ["orthogonal_operators", "K0"], "F", "is not a operator"),
    ("a scale with an index", ["scaled_operator", "M", S_I, "Q"], "F", "a free index"),
    ("a gram with an index", ["gram", "x", S_I], "F", "a free index"),
    ("a gram of one vector", ["gram", "u", t], "F", "must have one index"),
    ("a relation to nothing", ["unit", "nothing"], "F", "is not a vector"),
]


@pytest.mark.parametrize(("value", "kind", "expected"), [x[1:] for x in BAD_TERMS], ids=[x[0] for x in BAD_TERMS])
def test_bad_term(value: Any, kind: str, expected: str) -> None:
    with pytest.raises(c.Rejected, match=expected):
        SETTING_OF.read(value, kind)


def test_depth_and_size() -> None:
    deep: Any = t
    for _ in range(c.MAX_DEPTH + 1):
        deep = ["exp", deep]
    with pytest.raises(c.Rejected, match="too deep"):
        SETTING_OF.read(deep, "S")
    SETTING_OF.read(deep[1], "S")
    with pytest.raises(c.Rejected, match="too large"):
        SETTING_OF.read(["+", *[t] * c.MAX_NODES], "S")


# -- the setting ------------------------------------------------------------------------------------------------
BAD_SETTINGS: list[tuple[str, list[Any], str]] = [
    ("no object", [["symbol"]], "not an object"),
    ("an extra key", [{**symbol("t"), "note": ""}], "are those of no definition"),
    (
        "a missing key",
        [{"symbol": "t", "type": "scalar", "indices": [], "domain": "real"}],
        "are those of no definition",
    ),
    ("a number for a text", [{**symbol("t"), "text": 1}], "text is not a string"),
    ("a bad name", [symbol("t!")], "bad name"),
    ("a number for a name", [{**symbol("t"), "symbol": 1}], "bad name"),
    ("twice", [symbol("t"), symbol("t")], "is declared twice"),
    ("a definition and a symbol", [symbol("t"), definition("t", ONE)], "is declared twice"),
    ("two flows", [symbol("t"), flow("f", ("t", (), ONE)), flow("f", ("t", (), ONE))], "is declared twice"),
    ("two hypotheses", [hypothesis("a", eq(ONE, ONE)), hypothesis("a", eq(ONE, ONE))], "is declared twice"),
    ("an unknown type", [symbol("t", "tensor")], "bad type"),
    ("an unknown domain", [symbol("t", domain="integer")], "bad domain"),
    ("a positive vector", [symbol("u", "vector", domain="positive")], "only scalars have a domain"),
    ("an unknown sort", [symbol("s", indices=("layer",))], "unknown sort"),
    ("the basis as a scalar", [symbol("e")], "e is the basis"),
    ("the basis over tokens", [symbol("e", "vector", ("token",))], "e is the basis"),
    (
        "a body with another index",
        [symbol("s", indices=("token",)), definition("a", S_I)],
        "a free index that is not its own",
    ),
    ("a body before its definition", [definition("a", define("b")), definition("b", ONE)], "is not defined before"),
    ("a body that uses itself", [definition("a", define("a"))], "is not defined before"),
    ("an index twice", [symbol("s", indices=("token",)), definition("a", S_I, ("i", "i"))], "a name occurs twice"),
    ("an operator definition", [definition("a", ONE, (), (), "operator")], "a scalar or a vector"),
    ("a bad parameter", [definition("a", ONE, (), ("x y",))], "bad parameters"),
    ("a vector body for a scalar", [symbol("u", "vector"), definition("a", u)], "is not a tag"),
    ("an undeclared symbol", [definition("a", t)], "is not a declared scalar"),
    ("a flow of nothing", [{"flow": "f", "moves": [], "text": ""}], "or empty"),
    ("a flow with another key", [{"flow": "f", "moves": [{"symbol": "t"}], "text": ""}], "bad move"),
    ("a flow of an undeclared symbol", [flow("f", ("t", (), ONE))], "which is not declared"),
    ("a flow of an operator", [symbol("M", "operator"), flow("f", ("M", (), ONE))], "moves twice, or is an operator"),
    (
        "a flow that moves twice",
        [symbol("t"), flow("f", ("t", (), ONE), ("t", (), TWO))],
        "moves twice, or is an operator",
    ),
    (
        "a flow of the basis",
        [symbol("e", "vector", ("axis",)), flow("f", ("e", ("a",), ["v0"]))],
        "the basis does not move",
    ),
    ("a flow with wrong indices", [symbol("s", indices=("token",)), flow("f", ("s", (), ONE))], "wrong indices"),
    (
        "a flow with an index of another sort",
        [symbol("s", indices=("token",)), flow("f", ("s", ("h",), ONE))],
        "wrong indices",
    ),
    (
        "a velocity with another index",
        [symbol("s", indices=("token",)), flow("f", ("s", ("i",), s("s", "j")))],
        "has another free index",
    ),
    ("a vector velocity for a scalar", [symbol("t"), flow("f", ("t", (), ["v0"]))], "is not a tag"),
    (
        "a hypothesis with a free index",
        [symbol("s", indices=("token",)), hypothesis("a", gt(S_I, ZERO))],
        "has a free index",
    ),
    ("a hypothesis that is a term", [hypothesis("a", ONE)], "is not a tag"),
]


@pytest.mark.parametrize(("definitions", "expected"), [x[1:] for x in BAD_SETTINGS], ids=[x[0] for x in BAD_SETTINGS])
def test_bad_setting(definitions: list[Any], expected: str) -> None:
    with pytest.raises(c.Rejected, match=re.escape(expected)):
        c.Setting(definitions)


def test_setting_is_a_list() -> None:
    with pytest.raises(c.Rejected, match="not a list"):
        c.Setting({})


def test_index_hidden_in_a_definition() -> None:
    """`g := s_i` with a hidden i once proved that a sum of squares of signs is positive; it is refused at once."""
    with pytest.raises(c.Rejected, match="a free index"):
        c.Setting([*SETTING, definition("g", S_I)])


# -- the certificate --------------------------------------------------------------------------------------------
ROW = part(eq(mul(t, y), mul(y, t)))
STEPS = [step("ring", eq(mul(t, y), mul(y, t)))]


def test_good_certificate() -> None:
    assert verdict(ROW, derivation(ROW, STEPS)) == OK


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"claim": "another"}, "the certificate is of claim"),
        ({"part": "another"}, "the certificate is of part"),
        ({"setting": "0" * 64}, "the setting is another one"),
        ({"steps": []}, "steps: none"),
        ({"steps": None}, "steps: none"),
        ({"steps": [1]}, "a step is not an object"),
        ({"steps": [{"rule": "ring"}]}, "lacks rule, given, shows or from"),
        ({"steps": [{**STEPS[0], "rule": 1}]}, "no rule"),
        ({"steps": [{**STEPS[0], "given": {}}]}, "given and from are lists"),
        ({"steps": [{**STEPS[0], "from": 0}]}, "given and from are lists"),
        ({"steps": [step("ring", eq(t, t))]}, "does not show the statement"),
        ({"steps": [step("ring", eq(mul(y, t), mul(t, y)))]}, "does not show the statement"),
        ({"defined": [1]}, "no earlier step"),
        ({"defined": 0}, "not a list"),
        ({"analysis": "x"}, "not a list of names"),
        ({"kind": "proof"}, "a derivation or a witness"),
        ({"note": 1}, "a derivation has the keys"),
        ({"witness": None}, "model: keys"),
    ],
)
def test_bad_certificate(changes: dict[str, Any], expected: str) -> None:
    assert expected in verdict(ROW, {**derivation(ROW, STEPS), **changes})


def test_certificate_is_an_object() -> None:
    assert "not an object" in verdict(ROW, cast("Any", []))


def test_setting_digest_covers_what_is_reached() -> None:
    """A changed body is another theorem; an unreached one is not."""
    steps = [step("ring", eq(define("twice", args=(t,)), mul(TWO, t)))]
    row = part(steps[0]["shows"])
    good = derivation(row, steps)
    for name, expected in (("twice", "the setting is another one"), ("f", OK), ("hidden", OK)):
        changed = copy.deepcopy(SETTING)
        for d in changed:
            if d.get("define") == name:
                d["text"] = "changed"
        assert verdict(row, good, changed) == expected


def test_setting_digest_covers_hypotheses_and_flows() -> None:
    steps = [step("ring", eq(rate("dt", t), ONE))]
    row = part(steps[0]["shows"], ("positive_r",))
    good = derivation(row, steps)
    assert verdict(row, good) == OK
    for key, name in (("hypothesis", "positive_r"), ("flow", "dt"), ("symbol", "r"), ("symbol", "t")):
        changed = copy.deepcopy(SETTING)
        for d in changed:
            if d.get(key) == name:
                d["text"] = "changed"
        assert verdict(row, good, changed) == "the setting is another one", name


# -- the ground -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"hypotheses": ["nothing"]}, "no hypothesis"),
        ({"hypotheses": ["unit", "unit"]}, "listed twice"),
        ({"hypotheses": "unit"}, "not names"),
        ({"domain": [{"text": ""}]}, "domain: not terms"),
        ({"domain": [{"text": "", "term": None}]}, "not a term"),
        ({"domain": [{"text": "", "term": gt(S_I, ZERO)}]}, "a domain formula has a free index"),
        ({"statement": None}, "no formal statement"),
        ({"statement": {"text": "", "term": None}}, "no formal statement"),
        ({"statement": {"text": "", "term": t}}, "is not a tag"),
        ({"statement": "x"}, "an object with a term"),
        ({"name": 1}, "without a name"),
    ],
)
def test_bad_part(change: dict[str, Any], expected: str) -> None:
    assert expected in verdict({**ROW, **change}, derivation(ROW, STEPS))


def test_vacuous_ground() -> None:
    steps = [step("hypothesis", gt(r, ZERO), name="positive_r"), step("hypothesis", lt(r, ZERO), name="negative_r"),
             step("sign", gt(neg(mul(r, r)), ZERO), facts=[0, 1])]  # fmt: skip
    assert "hypothesis negative_r fails in the model" in try_steps(steps, hypotheses=("positive_r", "negative_r"))
    assert try_steps(steps[:1], hypotheses=("positive_r",)) == OK


def test_model_outside_the_domain() -> None:
    assert "outside the domain" in try_steps(STEPS, domain=(gt(t, ONE),))


# -- definedness ------------------------------------------------------------------------------------------------
T_NE = ne(t, ZERO)
DEFINED: list[tuple[str, list[dict[str, Any]], dict[str, Any], str]] = [
    ("1/t", same(fun("inv", t)), {}, "inv is not shown to be defined at t"),
    ("1/p", same(fun("inv", p)), {}, OK),
    ("1/m", same(fun("inv", m)), {}, "inv is not shown to be defined at m"),
    ("t * (1/t) - t * (1/t)", [step("ring", eq(add(mul(t, fun("inv", t)), neg(mul(t, fun("inv", t)))), ZERO))], {}, "inv is not shown to be defined"),
    ("log p", same(fun("log", p)), {}, OK),
    ("log m", same(fun("log", m)), {}, "log is not shown to be defined at m"),
    ("sqrt m", same(fun("sqrt", m)), {}, OK),
    ("sqrt t", same(fun("sqrt", t)), {}, "sqrt is not shown to be defined at t"),
    ("coth t", same(fun("coth", t)), {}, "fn is not shown to be defined at t"),
    ("coth p", same(fun("coth", p)), {}, OK),
    ("tanh t", same(fun("tanh", t)), {}, OK),
    ("Ei t", same(fun("Ei", t)), {}, "fn is not shown to be defined at t"),
    ("W t", same(fun("W", t)), {}, "fn is not shown to be defined at t"),
    ("W m", same(fun("W", m)), {}, OK),
    ("inside a function", same(fun("exp", fun("inv", t))), {}, "inv is not shown"),
    ("inside a vector", [step("ring", eq(norm(["vmul", fun("inv", t), u]), norm(["vmul", fun("inv", t), u])))], {}, "inv is not shown"),
    ("inside an argument", same(define("twice", args=(fun("inv", t),))), {}, "inv is not shown"),
    ("in the antecedent", [assume(gt(fun("inv", t), ZERO)), step("implies_intro", implies(gt(fun("inv", t), ZERO), gt(fun("inv", t), ZERO)), 0)], {}, "inv is not shown"),
    ("under its antecedent", [assume(T_NE), step("ring", eq(fun("inv", t), fun("inv", t))), step("implies_intro", implies(T_NE, eq(fun("inv", t), fun("inv", t))), 1)],
     {"defined": [0]}, OK),
    ("under its antecedent, not listed", [assume(T_NE), step("ring", eq(fun("inv", t), fun("inv", t))), step("implies_intro", implies(T_NE, eq(fun("inv", t), fun("inv", t))), 1)],
     {}, "inv is not shown"),
    ("under another antecedent", [assume(T_NE), step("ring", eq(fun("inv", t), fun("inv", t))), step("implies_intro", implies(ne(y, ZERO), eq(fun("inv", t), fun("inv", t))), 1)],
     {"defined": [0]}, "inv is not shown"),
    ("in an alternative", [assume(T_NE), step("ring", eq(fun("inv", t), fun("inv", t))), step("or_intro", ["or", T_NE, eq(fun("inv", t), fun("inv", t))], 1)],
     {"defined": [0]}, "inv is not shown"),
    ("for all indices", [step("ring", eq(fun("inv", S_I), fun("inv", S_I))), step("all_intro", every("i", eq(fun("inv", S_I), fun("inv", S_I))), 0)], {}, "inv is not shown"),
    ("for all indices, shown", [step("hypothesis", every("i", ne(S_I, ZERO)), name="nonzero_s"), step("all_elim", ne(s("s", "j"), ZERO), 0, index="j"),
                                step("ring", eq(fun("inv", S_I), fun("inv", S_I))), step("all_intro", every("i", eq(fun("inv", S_I), fun("inv", S_I))), 2)],
     {"defined": [1], "hypotheses": ("nonzero_s",)}, OK),
    ("in a sum", [step("ring", eq(total("i", fun("inv", S_I)), total("i", fun("inv", S_I))))], {}, "inv is not shown"),
    ("in a sum, the free index", [assume(ne(S_I, ZERO)), step("ring", eq(total("i", fun("inv", S_I)), total("i", fun("inv", S_I)))),
                                  step("implies_intro", implies(ne(S_I, ZERO), eq(total("i", fun("inv", S_I)), total("i", fun("inv", S_I)))), 1)], {"defined": [0]}, "inv is not shown"),
    ("in an integral", same(["int", "y", ZERO, ONE, fun("inv", y)]), {}, "inv is not shown"),
    ("in an integral, inside its range", [assume(ge(y, ONE)), step("sign", gt(y, ZERO), given=(ge(y, ONE),), facts=[0], as_=add(add(y, q(-1)), ONE)),
                                          *same(["int", "y", ONE, TWO, fun("inv", y)])], {"defined": [1]}, OK),
    ("in an integral, beyond its range", [assume(ge(y, TWO)), step("sign", gt(y, ZERO), given=(ge(y, TWO),), facts=[0], as_=add(add(y, q(-2)), TWO)),
                                          *same(["int", "y", ONE, TWO, fun("inv", y)])], {"defined": [1]}, "inv is not shown"),
    ("in an integral, open bounds", [assume(gt(y, ZERO)), *same(["int", "y", ZERO, ONE, fun("inv", y)])], {"defined": [0]}, "inv is not shown"),
    ("an integral backwards", same(["int", "y", ONE, ZERO, y]), {}, "not shown by a step of `defined`"),
    ("a root", same(["root", "y", y, neg(ONE), ONE]), {}, "not shown by a step of `defined`"),
    ("a bound symbol is not the ground's", [step("hypothesis", gt(r, ZERO), name="positive_r"), step("ring", eq(ZERO, ZERO)), assume(["exists", "r", gt(fun("log", r), ZERO)]),
                                            step("implies_intro", implies(["exists", "r", gt(fun("log", r), ZERO)], eq(ZERO, ZERO)), 1)],
     {"defined": [0], "hypotheses": ("positive_r",)}, "log is not shown"),
    ("a rate", [step("ring", eq(rate("dt", fun("sqrt", add(power(t, 2), ONE))), rate("dt", fun("sqrt", add(power(t, 2), ONE)))))], {}, OK),
    ("a rate at an edge", same(rate("dy", fun("sqrt", mul(m, power(t, 2))))), {}, OK),
    ("the hypotheses", [step("ring", eq(t, t))], {"domain": (gt(fun("log", y), ZERO),)}, "log is not shown"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "context", "expected"), [x[1:] for x in DEFINED], ids=[x[0] for x in DEFINED])
def test_definedness(steps: list[dict[str, Any]], context: dict[str, Any], expected: str) -> None:
    assert expected in try_steps(steps, **context)


# -- citing -----------------------------------------------------------------------------------------------------
def cited(claim: str, name: str) -> c.Cited:
    assert (claim, name) == ("other", "part")
    read = SETTING_OF.read
    return read(gt(r, ZERO), "F"), ("positive_r",), (read(gt(t, ZERO), "F"),)


CITE = step("cite", gt(r, ZERO), 0, given=(gt(t, ZERO),), claim="other", part="part")
CITES: list[tuple[str, list[dict[str, Any]], dict[str, Any], str]] = [
    ("all", [assume(gt(t, ZERO)), CITE, step("implies_intro", implies(gt(t, ZERO), gt(r, ZERO)), 1)], {"hypotheses": ("positive_r",)}, OK),
    ("a hypothesis less", [assume(gt(t, ZERO)), CITE], {}, "are not among this part's"),
    ("another statement", [assume(gt(t, ZERO)), {**CITE, "shows": gt(r, ONE)}], {"hypotheses": ("positive_r",)}, "not the statement of that part"),
    ("a domain not shown", [assume(gt(y, ZERO)), {**CITE, "given": [gt(y, ZERO)]}], {"hypotheses": ("positive_r",)}, "cite: not shown"),
    ("the domain's assumption", [assume(gt(t, ZERO)), {**CITE, "given": []}], {"hypotheses": ("positive_r",)}, "not among the given"),
    ("own domain", [step("ring", eq(t, t)), {**CITE, "given": []}], {"hypotheses": ("positive_r",), "domain": (gt(t, ZERO),)}, OK),
    ("no names", [assume(gt(t, ZERO)), {**CITE, "part": 1}], {"hypotheses": ("positive_r",)}, "names are strings"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "context", "expected"), [x[1:] for x in CITES], ids=[x[0] for x in CITES])
def test_cite(steps: list[dict[str, Any]], context: dict[str, Any], expected: str) -> None:
    row = part(steps[-1]["shows"], context.get("hypotheses", ()), context.get("domain", ()))
    assert expected in verdict(row, derivation(row, steps), cited=cited)


# -- witnesses --------------------------------------------------------------------------------------------------
POINT = part(gt(t, ZERO), ("positive_r",))
FALSE = part(lt(t, ZERO), ("positive_r",))
DROPPED = part(gt(t, ZERO), ("negative_r",))
FALSE_WITHOUT = part(lt(t, ZERO), ("negative_r", "positive_r"))


def model(**changes: Any) -> dict[str, Any]:
    m = copy.deepcopy(MODEL)
    for name, value in changes.items():
        for kind in ("sizes", "scalars", "vectors", "operators"):
            if name in m[kind]:
                m[kind][name] = value
    return m


WITNESSES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("a point", POINT, witness(POINT, "holds"), OK),
    ("not a point", FALSE, witness(FALSE, "holds"), "the statement fails in the model"),
    ("a refutation", FALSE, witness(FALSE, "fails"), OK),
    ("no refutation", POINT, witness(POINT, "fails"), "the statement holds in the model"),
    ("outside the hypotheses", part(lt(t, ZERO), ("negative_r",)), witness(part(lt(t, ZERO), ("negative_r",)), "fails"), "hypothesis negative_r fails"),
    ("an ablation", FALSE_WITHOUT, witness(FALSE_WITHOUT, "fails", ("negative_r",)), OK),
    ("an ablation of what holds", FALSE, witness(FALSE, "fails", ("positive_r",)), "hypothesis positive_r holds in the model"),
    ("a dropped hypothesis that is not listed", FALSE, witness(FALSE, "fails", ("negative_r",)), "not hypotheses of the part"),
    ("dropped twice", FALSE_WITHOUT, witness(FALSE_WITHOUT, "fails", ("negative_r", "negative_r")), "only where the statement fails"),
    ("a point that drops", DROPPED, witness(DROPPED, "holds", ("negative_r",)), "only where the statement fails"),
    ("no sense", POINT, witness(POINT, "maybe"), "sense is holds or fails"),
    ("no drops", POINT, {**witness(POINT, "holds"), "drops": None}, "not hypotheses of the part"),
    ("another key", POINT, {**witness(POINT, "holds"), "note": 1}, "a witness has the keys"),
    ("another part", POINT, witness(POINT, "holds", part="other"), "the certificate is of part"),
    ("another setting", POINT, witness(POINT, "holds", setting=""), "the setting is another one"),
    ("a missing value", POINT, witness(POINT, "holds", model={**MODEL, "scalars": {"r": "1"}}), "gives no value of t"),
    ("an undeclared value", POINT, witness(POINT, "holds", model={**MODEL, "scalars": {**MODEL["scalars"], "zz": "1"}}), "is not a declared scalar"),
    ("a decimal", POINT, witness(POINT, "holds", model=model(t="0.5")), "bad value of t"),
    ("a float", POINT, witness(POINT, "holds", model=model(t=0.5)), "bad value of t"),
    ("a zero denominator", POINT, witness(POINT, "holds", model=model(t="1/0")), "bad value of t"),
    ("a negative value", POINT, witness(POINT, "holds", model=model(p="-1")), "p is not positive"),
    ("zero is not positive", POINT, witness(POINT, "holds", model=model(p="0")), "p is not positive"),
    ("zero is nonnegative", POINT, witness(POINT, "holds", model=model(m="0")), OK),
    ("a negative nonnegative", POINT, witness(POINT, "holds", model=model(m="-1")), "m is not nonnegative"),
    ("a wrong shape", POINT, witness(POINT, "holds", model=model(s=["1"])), "wrong shape of s"),
    ("no size", POINT, witness(POINT, "holds", model={**MODEL, "sizes": {"token": 1, "head": 1}}), "model: sizes"),
    ("a size of zero", POINT, witness(POINT, "holds", model=model(token=0)), "not in 1..64"),
    ("a Boolean size", POINT, witness(POINT, "holds", model=model(head=True)), "not in 1..64"),
    ("another key of a model", POINT, witness(POINT, "holds", model={**MODEL, "note": 1}), "model: keys"),
    ("a basis", POINT, witness(POINT, "holds", model={**MODEL, "vectors": {**MODEL["vectors"], "e": [["1", "0"], ["0", "1"]]}}), "the basis is given"),
    ("scalars that are no object", POINT, witness(POINT, "holds", model={**MODEL, "scalars": []}), "model: scalars"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "certificate", "expected"), [x[1:] for x in WITNESSES], ids=[x[0] for x in WITNESSES])
def test_witness(row: dict[str, Any], certificate: dict[str, Any], expected: str) -> None:
    assert expected in verdict(row, certificate)


DECIDED: list[tuple[str, J, bool | None]] = [
    ("a rational equation", eq(add(t, t), ONE), True),
    ("a strict comparison", gt(t, q("1/2")), False),
    ("a weak comparison", ge(t, q("1/2")), True),
    ("ne", ne(t, y), True),
    ("exp", gt(fun("exp", ONE), q("27/10")), True),
    ("exp, close", gt(fun("exp", ONE), q("2718281828459045/1000000000000000")), True),
    ("exp, close above", lt(fun("exp", ONE), q("2718281828459046/1000000000000000")), True),
    ("equal exponentials", eq(mul(fun("exp", t), fun("exp", t)), fun("exp", ONE)), True),
    ("equal roots", eq(mul(fun("sqrt", TWO), fun("sqrt", q(8))), q(4)), True),
    ("golden", eq(power(add(ONE, fun("sqrt", q(5))), 2), add(q(6), mul(TWO, fun("sqrt", q(5))))), True),
    ("quotients", eq(mul(fun("inv", add(ONE, fun("exp", ONE))), add(ONE, fun("exp", ONE))), ONE), True),
    ("a basis", eq(ip(vec("e", "a"), vec("e", "a")), ONE), True),
    ("for all indices", every("i", gt(S_I, q(-3))), True),
    ("not for all", every("i", gt(S_I, ZERO)), False),
    ("a free index is for all", gt(S_I, ZERO), False),
    ("but one", every("i", every("j", eq(["delta", "i", "j"], ZERO), "i")), True),
    ("implies", implies(lt(t, ZERO), eq(ZERO, ONE)), True),
    ("or", ["or", lt(t, ZERO), gt(t, ZERO)], True),
    ("or, both false", ["or", lt(t, ZERO), eq(t, ZERO)], False),
    ("iff", ["iff", lt(t, ZERO), eq(t, ZERO)], True),
    ("and", ["and", gt(t, ZERO), gt(t, ONE)], False),
    ("distinct", distinct("i", "j"), False),
    ("vectors", ["veq", ["vadd", u, u], ["vmul", TWO, u]], True),
    ("other vectors", ["veq", u, v], False),
    ("vectors with exponentials", ["veq", ["vmul", mul(fun("exp", t), fun("exp", neg(t))), u], u], True),
    ("a rate", eq(rate("dt", power(t, 3)), mul(q(3), power(t, 2))), True),
    ("an operator norm", eq(["opnorm", "u", op("M", "h", u)], ONE), True),
    ("an operator norm, bounded", gt(["opnorm", "u", ["vadd", op("M", "h", u), ["vmul", t, op("M", "g", u)]]], q("1/3")), True),
    ("an integral", lt(["int", "y", ZERO, ONE, fun("exp", y)], q("1719/1000")), True),
    ("an integral, below", gt(["int", "y", ZERO, ONE, fun("exp", y)], q("1718/1000")), True),
    ("sin", gt(fun("sin", ONE), q("8414/10000")), True),
    ("cos", lt(fun("cos", ONE), q("5404/10000")), True),
    ("pi", gt(["pi"], q("314159/100000")), True),
    ("log", lt(fun("log", TWO), q("694/1000")), True),
    ("Ei", gt(fun("Ei", ONE), q("1895/1000")), True),
    ("W", gt(fun("W", ONE), q("567/1000")), True),
    ("tanh", lt(fun("tanh", ONE), q("762/1000")), True),
    ("arsinh", gt(fun("arsinh", ONE), q("881/1000")), True),
    ("unit", ["unit", "x"], True),
    ("unit u and v", ["unit", "v"], False),
    ("symmetric", ["symmetric", "M"], True),
    ("same", ["same_operator", "W", "M"], True),
    ("orthogonal", ["orthogonal_operators", "M"], True),
    ("projectors", ["projector", "Q"], True),
    ("resolution", ["resolution", "Q"], True),
    ("scalar", ["scalar_operator", "M", "lam"], False),
    ("scaled", ["scaled_operator", "M", ONE, "Q"], True),
    ("scaled otherwise", ["scaled_operator", "M", TWO, "Q"], False),
    ("gram", ["gram", "x", ONE], True),
    ("gram otherwise", ["gram", "x", t], False),
    ("single", ["single", "head"], False),
    ("an integral backwards", lt(["int", "y", ONE, ZERO, ONE], ZERO), None),
    ("1/0", eq(fun("inv", add(t, q("-1/2"))), ZERO), None),
    ("log 0", eq(fun("log", add(t, q("-1/2"))), ZERO), None),
    ("sqrt of a negative", eq(fun("sqrt", neg(t)), ZERO), None),
    ("coth 0", eq(fun("coth", ZERO), ONE), None),
    ("W of -1", eq(fun("W", neg(ONE)), ZERO), None),
    ("Ei 0", eq(fun("Ei", ZERO), ZERO), None),
    ("an undecided equation", eq(fun("sin", ONE), fun("cos", add(mul(q("1/2"), ["pi"]), neg(ONE)))), None),
    ("a literal equation", eq(fun("sin", ONE), fun("sin", ONE)), True),
    ("a literal strict comparison", gt(fun("sin", ONE), fun("sin", ONE)), False),
    ("exists", ["exists", "t", gt(t, ZERO)], None),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "truth"), [x[1:] for x in DECIDED], ids=[x[0] for x in DECIDED])
def test_decide(formula: J, truth: bool | None) -> None:
    read = SETTING_OF.read(formula, "F")
    if truth is None:
        with pytest.raises(c.Rejected):
            c.decide(SETTING_OF, MODEL, read)
    else:
        assert c.decide(SETTING_OF, MODEL, read) is truth
