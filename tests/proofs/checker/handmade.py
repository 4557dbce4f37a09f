# ruff: noqa: E501
"""Short names for terms, a small setting, and certificates made by hand."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

from antumbra.proofs import checker as c

J = list[Any]


def q(value: int | Fraction | str) -> J:
    return list(c.rational(Fraction(value)))


def s(name: str, *indices: str) -> J:
    return ["s", name, list(indices)]


def vec(name: str, *indices: str) -> J:
    return ["vec", name, list(indices)]


def op(name: str, index: str, u: J) -> J:
    return ["op", name, [index], u]


def add(*t: J) -> J:
    return ["+", *t]


def mul(*t: J) -> J:
    return ["*", *t]


def neg(t: J) -> J:
    return ["*", q(-1), t]


def power(t: J, k: int) -> J:
    return ["^", t, k]


def fun(name: str, t: J) -> J:
    return ["fn", name, t] if name in c.FUNCTIONS else [name, t]


def total(i: str, body: J, *excluded: str) -> J:
    return ["sum", i, list(excluded), body]


def every(i: str, body: J, *excluded: str) -> J:
    return ["all", i, list(excluded), body]


def ip(u: J, v: J) -> J:
    return ["ip", u, v]


def norm(u: J) -> J:
    return ["norm", u]


def define(name: str, *indices: str, args: tuple[J, ...] = ()) -> J:
    return ["def", name, list(indices), list(args)]


def rate(flow: str, t: J) -> J:
    return ["rate", flow, t]


def rel(tag: str, a: J, b: J) -> J:
    return [tag, a, b]


def eq(a: J, b: J) -> J:
    return ["eq", a, b]


def ne(a: J, b: J) -> J:
    return ["ne", a, b]


def ge(a: J, b: J) -> J:
    return ["ge", a, b]


def gt(a: J, b: J) -> J:
    return ["gt", a, b]


def le(a: J, b: J) -> J:
    return ["le", a, b]


def lt(a: J, b: J) -> J:
    return ["lt", a, b]


def veq(a: J, b: J) -> J:
    return ["veq", a, b]


def implies(a: J, b: J) -> J:
    return ["implies", a, b]


def iff(a: J, b: J) -> J:
    return ["iff", a, b]


def distinct(i: str, j: str) -> J:
    return ["distinct", i, j]


ZERO, ONE, TWO, INF = q(0), q(1), q(2), ["inf"]
p, r, t, m, y = s("p"), s("r"), s("t"), s("m"), s("y")
u, v, w = vec("u"), vec("v"), vec("w")


def symbol(name: str, kind: str = "scalar", indices: tuple[str, ...] = (), domain: str = "real") -> dict[str, Any]:
    return {"symbol": name, "type": kind, "indices": list(indices), "domain": domain, "text": ""}


def definition(name: str, body: J, indices: tuple[str, ...] = (), parameters: tuple[str, ...] = (),
               kind: str = "scalar") -> dict[str, Any]:  # fmt: skip
    return {
        "define": name,
        "type": kind,
        "indices": list(indices),
        "parameters": list(parameters),
        "body": body,
        "text": "",
    }


def hypothesis(name: str, formula: J) -> dict[str, Any]:
    return {"hypothesis": name, "formula": formula, "text": ""}


def flow(name: str, *moves: tuple[str, tuple[str, ...], J]) -> dict[str, Any]:
    return {"flow": name, "moves": [{"symbol": a, "indices": list(i), "velocity": b} for a, i, b in moves], "text": ""}


def tangent(u: J, x: J) -> J:
    """U - <x,u> x."""
    return ["vadd", u, ["vmul", mul(q(-1), ip(x, u)), x]]


SETTING: list[dict[str, Any]] = [
    symbol("p", domain="positive"), symbol("m", domain="nonnegative"), symbol("r"), symbol("t"), symbol("y"),
    symbol("k"), symbol("s", indices=("token",)), symbol("z", indices=("head", "token")), symbol("lam", indices=("head",)),
    symbol("w1", indices=("token",), domain="positive"),
    symbol("x", "vector", ("token",)), symbol("u", "vector"), symbol("v", "vector"), symbol("w", "vector"),
    symbol("M", "operator", ("head",)), symbol("W", "operator", ("head",)), symbol("Q", "operator", ("head",)),
    definition("f", add(s("r"), s("s", "i")), ("i",)),
    definition("Z", total("j", fun("exp", s("s", "j")))),
    definition("twice", mul(TWO, s("a")), (), ("a",)),
    definition("hidden", add(s("t"), ONE)),
    definition("pull", ["vsum", "j", [], op("M", "h", vec("x", "j"))], ("h",), (), "vector"),
    flow("dt", ("t", (), ONE)),
    flow("dy", ("y", (), ONE)),
    flow("fast", ("t", (), TWO)),
    flow("two", ("t", (), ONE), ("r", (), ONE)),
    flow("still", ("x", ("i",), tangent(u, vec("x", "i")))),
    flow("away", ("x", ("i",), u)),
    flow("rough", ("x", ("i",), tangent(["vmul", fun("sqrt", ip(u, vec("x", "i"))), u], vec("x", "i")))),
    hypothesis("unit", ["unit", "x"]),
    hypothesis("unit_u", ["unit", "u"]),
    hypothesis("symmetry", ["symmetric", "M"]),
    hypothesis("alignment", ["same_operator", "W", "M"]),
    hypothesis("orthogonality", ["orthogonal_operators", "M"]),
    hypothesis("positive_r", gt(r, ZERO)),
    hypothesis("negative_r", lt(r, ZERO)),
    hypothesis("nonzero_s", every("i", ne(s("s", "i"), ZERO))),
    hypothesis("pinned", every("i", eq(ip(vec("x", "i"), u), ZERO))),
]  # fmt: skip

MODEL: dict[str, Any] = {
    "sizes": {"token": 2, "head": 2, "axis": 2},
    "scalars": {"p": "1", "m": "1", "r": "2", "t": "1/2", "y": "3", "k": "1", "s": ["1", "-2"], "w1": ["1", "2"],
                "z": [["1", "2"], ["3", "4"]], "lam": ["1", "2"]},
    "vectors": {"x": [["1", "0"], ["1", "0"]], "u": ["0", "1"], "v": ["1", "1"], "w": ["2", "0"]},
    "operators": {"M": [[["1", "0"], ["0", "0"]], [["0", "0"], ["0", "1"]]], "W": [[["1", "0"], ["0", "0"]], [["0", "0"], ["0", "1"]]],
                  "Q": [[["1", "0"], ["0", "0"]], [["0", "0"], ["0", "1"]]]},
}  # fmt: skip


def step(
    rule: str, shows: J, *premises: int, given: tuple[J, ...] = (), as_: J | None = None, **data: Any
) -> dict[str, Any]:
    more = {} if as_ is None else {"as": as_}
    return {"rule": rule, "given": list(given), "shows": shows, "from": list(premises), **data, **more}


def assume(formula: J) -> dict[str, Any]:
    return step("assume", formula, given=(formula,))


def part(statement: J, hypotheses: tuple[str, ...] = (), domain: tuple[J, ...] = ()) -> dict[str, Any]:
    return {
        "name": "part", "statement": {"text": "", "term": statement}, "hypotheses": list(hypotheses),
        "domain": [{"text": "", "term": d} for d in domain], "evidence": [],
    }  # fmt: skip


def setting_digest(definitions: list[dict[str, Any]], row: dict[str, Any]) -> str:
    setting = c.Setting(definitions)
    ground = c.read_part(setting, "claim", row)
    assert ground is not None
    formulas = [ground.statement, *ground.domain, *(setting.hypotheses[h] for h in ground.hypotheses)]
    return c.digest(c.reached(setting, formulas, ground.hypotheses))


def derivation(row: dict[str, Any], steps: list[dict[str, Any]], definitions: list[dict[str, Any]] | None = None,
               **changes: Any) -> dict[str, Any]:  # fmt: skip
    certificate = {
        "kind": "derivation", "claim": "claim", "part": "part", "setting": setting_digest(definitions or SETTING, row),
        "uses": [], "analysis": [], "steps": steps, "defined": [], "witness": copy.deepcopy(MODEL),
    }  # fmt: skip
    return {**certificate, **changes}


def witness(row: dict[str, Any], sense: str, drops: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    certificate = {
        "kind": "witness", "claim": "claim", "part": "part", "setting": setting_digest(SETTING, row), "sense": sense,
        "drops": list(drops), "model": copy.deepcopy(MODEL),
    }  # fmt: skip
    return {**certificate, **changes}


def verdict(
    row: dict[str, Any], certificate: dict[str, Any], definitions: list[dict[str, Any]] | None = None, **more: Any
) -> str:
    """`accepted`, or why not."""
    try:
        c.check_certificate(definitions or SETTING, row, certificate, "claim", **more)
    except c.Rejected as why:
        return str(why)
    return "accepted"


def try_steps(steps: list[dict[str, Any]], hypotheses: tuple[str, ...] = (), domain: tuple[J, ...] = (),
              **changes: Any) -> str:  # fmt: skip
    """The verdict on a proof of what its last step shows."""
    row = part(steps[-1]["shows"], hypotheses, domain)
    try:
        certificate = derivation(row, steps, **changes)
    except c.Rejected as why:
        return str(why)
    return verdict(row, certificate)
