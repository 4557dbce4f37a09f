# ruff: noqa: E501
"""Random terms, models and relations for the checker, and the way back from a normal form to a raw term."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

from antumbra.proofs import checker as c

Term = tuple[Any, ...]


def symbol(name: str, kind: str = "scalar", indices: tuple[str, ...] = (), domain: str = "real") -> dict[str, Any]:
    return {"symbol": name, "type": kind, "indices": list(indices), "domain": domain, "text": ""}


def define(name: str, body: Any, indices: tuple[str, ...] = (), parameters: tuple[str, ...] = (),
           kind: str = "scalar") -> dict[str, Any]:  # fmt: skip
    return {
        "define": name,
        "type": kind,
        "indices": list(indices),
        "parameters": list(parameters),
        "body": body,
        "text": "",
    }


SETTING: list[dict[str, Any]] = [
    symbol("p", domain="positive"), symbol("r"), symbol("q"), symbol("m", domain="nonnegative"),
    symbol("s", indices=("token",)), symbol("c", indices=("head",)), symbol("z", indices=("head", "token")),
    symbol("lam", indices=("head",)),
    symbol("x", "vector", ("token",)), symbol("u", "vector"), symbol("v", "vector"),
    symbol("M", "operator", ("head",)), symbol("W", "operator", ("head",)), symbol("Q", "operator", ("head",)),
    symbol("K", "operator"),
    define("total", ["sum", "i", [], ["s", "s", ["i"]]]),
    define("square", ["*", ["s", "r", []], ["s", "r", []], ["s", "q", []]], (), ("r",)),
    define("part", ["*", ["s", "z", ["h", "i"]], ["exp", ["s", "s", ["i"]]]], ("h", "i")),
    define("image", ["vsum", "h", [], ["op", "M", ["h"], ["vec", "x", ["i"]]]], ("i",), (), "vector"),
    {"flow": "run", "moves": [
        {"symbol": "x", "indices": ["i"], "velocity": ["vadd", ["vec", "u", []], ["vec", "x", ["i"]]]},
        {"symbol": "s", "indices": ["i"], "velocity": ["*", ["s", "s", ["i"]], ["s", "p", []]]},
        {"symbol": "r", "indices": [], "velocity": ["q", "1", "1"]}], "text": ""},
    {"flow": "dq", "moves": [{"symbol": "q", "indices": [], "velocity": ["q", "1", "1"]}], "text": ""},
]  # fmt: skip

RELATIONS: list[tuple[Term, ...]] = [
    (),
    (("unit", "x"), ("symmetric", "M"), ("same_operator", "W", "M")),
    (("unit", "u"), ("orthogonal_operators", "M")),
    (("scalar_operator", "M", "lam"), ("gram", "x", ("s", "r", ()))),
    (("scaled_operator", "M", ("s", "p", ()), "Q"), ("projector", "Q"), ("orthogonal_operators", "Q")),
    (("projector", "Q"), ("resolution", "Q"), ("symmetric", "K")),
    (("single", "head"), ("same_operator", "W", "M")),
]


class Generator:
    """Random well-formed terms; `depth` bounds their height."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def index(self, scope: list[str], sort: str) -> str | None:
        letters = c.SORTS[sort]
        found = [i for i in scope if i[0] in letters]
        return self.random.choice(found) if found else None

    def bound(self, sort: str) -> str:
        self.count += 1
        return c.SORTS[sort][0] + str(self.random.choice([1, 2, 3]))

    def scalar(self, depth: int, scope: list[str]) -> Term:
        r = self.random
        if depth <= 0:
            return self.leaf(scope)
        kind = r.choice(["+", "+", "*", "*", "*", "^", "sum", "sum", "sum", "ip", "ip", "exp", "inv", "fn", "delta", "leaf",
                         "def", "rate", "norm"])  # fmt: skip
        if kind in "+*":
            return (kind, *(self.scalar(depth - 1, scope) for _ in range(r.choice([2, 2, 3]))))
        if kind == "^":
            return ("^", self.scalar(depth - 1, scope), r.choice([0, 1, 2, 2, 3]))
        if kind == "sum":
            return self.summed("sum", depth, scope)
        if kind == "ip":
            u = self.vector(depth - 1, scope)
            return ("ip", u, u if r.random() < 0.3 else self.vector(depth - 1, scope))
        if kind == "norm":
            return ("norm", self.vector(depth - 1, scope))
        if kind in ("exp", "inv"):
            return (kind, self.scalar(depth - 1, scope))
        if kind == "fn":
            name = r.choice(["log", "sqrt", "abs", "relu", "sin", "cos", "tanh", "cosh", "sqrt", "abs"])
            t = self.scalar(depth - 1, scope)
            return ("fn", name, t) if name in c.FUNCTIONS else (name, t)
        if kind == "delta":
            sort = r.choice(["token", "head", "axis"])
            i, j = self.index(scope, sort), self.index(scope, sort)
            return ("delta", i, j) if i and j else self.leaf(scope)
        if kind == "def":
            h, i = self.index(scope, "head"), self.index(scope, "token")
            if h and i and r.random() < 0.6:
                return ("def", "part", (h, i), ())
            return (
                ("def", "square", (), (self.scalar(depth - 1, scope),))
                if r.random() < 0.5
                else ("def", "total", (), ())
            )
        if kind == "rate":
            flow = r.choice(["run", "dq"])
            return ("rate", flow, self.smooth(depth - 1, scope))
        return self.leaf(scope)

    def smooth(self, depth: int, scope: list[str]) -> Term:
        """A polynomial in inner products and exponentials, so that its rate is defined."""
        r = self.random
        if depth <= 0:
            return self.leaf(scope)
        kind = r.choice(["+", "*", "^", "sum", "ip", "exp"])
        if kind in "+*":
            return (kind, self.smooth(depth - 1, scope), self.smooth(depth - 1, scope))
        if kind == "^":
            return ("^", self.smooth(depth - 1, scope), r.choice([0, 1, 2]))
        if kind == "sum":
            sort = r.choice(["token", "head"])
            name = self.bound(sort)
            return ("sum", name, (), self.smooth(depth - 1, [i for i in scope if i != name] + [name]))
        if kind == "ip":
            return ("ip", self.vector(0, scope), self.vector(1, scope))
        return ("exp", self.leaf(scope))

    def summed(self, tag: str, depth: int, scope: list[str]) -> Term:
        r = self.random
        sort = r.choice(["token", "token", "head", "axis"])
        name = self.bound(sort)
        others = [i for i in scope if i != name]
        pool = [i for i in others if i[0] in c.SORTS[sort]]
        excluded = tuple(sorted(set(r.choices(pool, k=r.choice([0, 0, 1, 2]))))) if pool else ()
        body = self.scalar(depth - 1, [*others, name]) if tag == "sum" else self.vector(depth - 1, [*others, name])
        return (tag, name, excluded, body)

    def leaf(self, scope: list[str]) -> Term:
        r = self.random
        i, h = self.index(scope, "token"), self.index(scope, "head")
        options: list[Term] = [
            c.rational(Fraction(r.randint(-3, 3), r.choice([1, 1, 2]))),
            ("size", r.choice(list(c.SORTS))),
        ]
        options += [("s", n, ()) for n in "prqm"] * 2
        if i:
            options += [("s", "s", (i,))] * 5
        if h:
            options += [("s", "c", (h,)), ("s", "lam", (h,))] * 2
        if i and h:
            options += [("s", "z", (h, i))] * 4
        return r.choice(options)

    def vector(self, depth: int, scope: list[str]) -> Term:
        r = self.random
        i, h, a = self.index(scope, "token"), self.index(scope, "head"), self.index(scope, "axis")
        leaves: list[Term] = [("vec", "u", ()), ("vec", "v", ())]
        leaves += [("vec", "x", (i,))] * 4 if i else []
        leaves += [("vec", "e", (a,))] * 3 if a else []
        if depth <= 0:
            return r.choice(leaves)
        kind = r.choice(["vadd", "vmul", "vsum", "op", "op", "op", "opT", "leaf", "K", "vdef"])
        if kind == "vadd":
            return ("vadd", self.vector(depth - 1, scope), self.vector(depth - 1, scope))
        if kind == "vmul":
            return ("vmul", self.scalar(depth - 1, scope), self.vector(depth - 1, scope))
        if kind == "vsum":
            return self.summed("vsum", depth, scope)
        if kind in ("op", "opT") and h:
            return (kind, r.choice("MMWQ"), (h,), self.vector(depth - 1, scope))
        if kind == "K":
            return (r.choice(["op", "opT"]), "K", (), self.vector(depth - 1, scope))
        if kind == "vdef" and i:
            return ("vdef", "image", (i,), ())
        return r.choice(leaves)


def jsonable(t: Any) -> Any:
    return [jsonable(u) for u in t] if isinstance(t, tuple) else t


def random_model(r: random.Random, relations: tuple[Term, ...]) -> dict[str, Any]:
    """Small rational values that satisfy the relations."""
    tags = {f[0]: f for f in relations}
    n, heads, d = r.choice([1, 2, 3]), r.choice([1, 2, 3]), r.choice([1, 2, 2, 3])
    if "single" in tags:
        heads = 1

    def q(low: int = -3) -> Fraction:
        return Fraction(r.randint(low, 3), r.choice([1, 1, 2]))

    def unit() -> list[Fraction]:
        v = [Fraction(0)] * d
        if d > 1 and r.random() < 0.7:
            k, m = r.sample(range(d), 2)
            v[k], v[m] = Fraction(3, 5) * r.choice([1, -1]), Fraction(4, 5)
        else:
            v[r.randrange(d)] = Fraction(r.choice([1, -1]))
        return v

    def matrix() -> list[list[Fraction]]:
        return [[q() for _ in range(d)] for _ in range(d)]

    def symmetric(m: list[list[Fraction]]) -> list[list[Fraction]]:
        return [[m[min(a, b)][max(a, b)] for b in range(d)] for a in range(d)]

    def diagonal(values: list[Fraction]) -> list[list[Fraction]]:
        return [[values[a] if a == b else Fraction(0) for b in range(d)] for a in range(d)]

    scalars: dict[str, Any] = {"p": abs(q()) + Fraction(1, 2), "r": q(), "q": q(), "m": abs(q())}
    scalars["s"] = [q() for _ in range(n)]
    scalars["c"], scalars["lam"] = [q() for _ in range(heads)], [q() for _ in range(heads)]
    scalars["z"] = [[q() for _ in range(n)] for _ in range(heads)]
    units = {f[1] for f in relations if f[0] == "unit"}
    vectors: dict[str, Any] = {
        "x": [unit() if "x" in units else [q() for _ in range(d)] for _ in range(n)],
        "u": unit() if "u" in units else [q() for _ in range(d)],
        "v": [q() for _ in range(d)],
    }
    M, W, Q = ([matrix() for _ in range(heads)] for _ in range(3))
    owner = [r.randrange(heads) for _ in range(d)]
    shares = [diagonal([Fraction(owner[a] == h) for a in range(d)]) for h in range(heads)]
    orthogonal = [f[1] for f in relations if f[0] == "orthogonal_operators"]
    if "projector" in tags:
        Q = shares if "resolution" in tags or "Q" in orthogonal else [
            diagonal([Fraction(r.randint(0, 1)) for _ in range(d)]) for _ in range(heads)]  # fmt: skip
    if "M" in orthogonal:  # images and row spaces of different heads are disjoint coordinates; not symmetric in general
        M = [
            [[q() if owner[a] == h and owner[b] == h else Fraction(0) for b in range(d)] for a in range(d)]
            for h in range(heads)
        ]
    if ("symmetric", "M") in relations:
        M = [symmetric(m) for m in M]
    if "scalar_operator" in tags:
        M = [diagonal([scalars["lam"][h]] * d) for h in range(heads)]
    if "scaled_operator" in tags:
        M = [[[scalars["p"] * v for v in row] for row in m] for m in Q]
    if "same_operator" in tags:
        W = M
    K = symmetric(matrix()) if ("symmetric", "K") in relations else matrix()
    if "gram" in tags:  # an equal inner product r: orthogonal unit vectors, or all equal
        if r.random() < 0.5 and d >= n:
            scalars["r"] = Fraction(0)
            vectors["x"] = [[Fraction(a == k) for a in range(d)] for k in range(n)]
        else:
            scalars["r"] = Fraction(1)
            vectors["x"] = [unit()] * n
    return {
        "sizes": {"token": n, "head": heads, "axis": d}, "scalars": scalars, "vectors": vectors,
        "operators": {"M": M, "W": W, "Q": Q, "K": K},
    }  # fmt: skip


def hexadecimal(v: Any) -> Any:
    """Fractions in nested lists as the strings of a model."""
    if isinstance(v, dict):
        return {k: hexadecimal(u) for k, u in v.items()}
    if isinstance(v, list):
        return [hexadecimal(u) for u in v]
    if isinstance(v, Fraction):
        return format(v.numerator, "x") + (f"/{v.denominator:x}" if v.denominator != 1 else "")
    return v


class Back:
    """A normal form as a raw term; bound names become `i100`, `i101`, ..."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.counter = itertools.count(100)

    def name(self, n: str) -> str:
        if c.INDEX.match(n):
            return str(n)
        if n not in self.names:
            self.names[n] = f"{n[0]}{next(self.counter)}"
        return self.names[n]

    def poly(self, p: c.Poly, vector: bool = False) -> Term:
        parts = []
        for (binders, factors), value in p.terms.items():
            scalars = [self.power(a, k) for a, k in factors if a.tag != "V"]
            t = c.times(c.rational(value), *scalars)
            if vector:
                (v,) = [a for a, _ in factors if a.tag == "V"]
                t = ("vmul", t, self.word(v.args[0], v.args[1]))
            for b in binders:
                t = ("vsum" if vector else "sum", self.name(b), (), t)
            parts.append(t)
        if not parts:
            return ("v0",) if vector else c.NOUGHT
        return parts[0] if len(parts) == 1 else ("vadd" if vector else "+", *parts)

    def power(self, a: c.Atom, k: int) -> Term:
        t = self.atom(a)
        return ("^", t if k > 0 else ("inv", t), abs(k))

    def word(self, word: tuple[Any, ...], base: c.Atom) -> Term:
        name = base.args[0]
        indices = tuple(map(self.name, base.args[1]))
        t: Term = ("vdef", name[4:], indices, ()) if name.startswith("def ") else ("vec", name, indices)
        for op, i, flag in reversed(word):
            t = ("opT" if flag == 1 else "op", op, tuple(map(self.name, i)), t)
        return t

    def atom(self, a: c.Atom) -> Term:
        tag, args = a.tag, a.args
        if tag == "s":
            return ("s", args[0], tuple(map(self.name, args[1])))
        if tag == "z":
            return ("size", args[0])
        if tag == "pi":
            return ("pi",)
        if tag == "d":
            return ("delta", self.name(args[0]), self.name(args[1]))
        if tag == "E":
            return ("exp", self.poly(args[0]))
        if tag == "f":
            t = self.poly(args[1])
            return ("fn", args[0], t) if args[0] in c.FUNCTIONS else (args[0], t)
        if tag == "def":
            return ("def", args[0], tuple(map(self.name, args[1])), tuple(map(self.poly, args[2])))
        if tag == "ip":
            return ("ip", self.word((), args[0]), self.word(args[1], args[2]))
        raise AssertionError(tag)


S_I, Z_HI, C_H = ("s", "s", ("i",)), ("s", "z", ("h", "i")), ("s", "c", ("h",))
P, R_, Q_ = ("s", "p", ()), ("s", "r", ()), ("s", "q", ())
TOTAL = ("def", "total", (), ())


def fact(formula: Term, *schematic: str) -> c.Fact:
    return c.Fact(formula, frozenset(schematic))


def _positive(m: dict[str, Any]) -> None:
    m["scalars"]["s"] = [abs(v) + 1 for v in m["scalars"]["s"]]
    m["scalars"]["r"] = abs(m["scalars"]["r"])
    m["scalars"]["c"] = [abs(v) + Fraction(1, 2) for v in m["scalars"]["c"]]


def _mixed(m: dict[str, Any]) -> None:
    m["scalars"]["q"] = m["scalars"]["q"] or Fraction(-2)
    m["scalars"]["r"] = -abs(m["scalars"]["r"]) - 1
    m["scalars"]["z"] = [[abs(v) for v in row] for row in m["scalars"]["z"]]


def _nonzero(m: dict[str, Any]) -> None:
    m["scalars"]["s"] = [v or Fraction((-1) ** k) for k, v in enumerate(m["scalars"]["s"])]
    m["scalars"]["z"] = [[v or Fraction((-1) ** k) for k, v in enumerate(row)] for row in m["scalars"]["z"]]


def _sums(m: dict[str, Any]) -> None:
    m["scalars"]["r"] = Fraction(4)
    m["scalars"]["s"] = [-v for v in m["scalars"]["s"]]
    m["scalars"]["s"][0] = 10 - sum(m["scalars"]["s"][1:], Fraction(0))
    m["scalars"]["q"] = -Fraction(1, 2)


def _products(m: dict[str, Any]) -> None:
    m["scalars"]["s"] = [m["scalars"]["r"] * m["scalars"]["q"] for _ in m["scalars"]["s"]]
    m["scalars"]["z"] = [[v * s for s in m["scalars"]["s"]] for v in m["scalars"]["c"]]


# (facts, rewrites, what makes a model satisfy them)
GROUNDS: list[tuple[tuple[c.Fact, ...], tuple[c.Fact, ...], Any]] = [
    ((), (), lambda _: None),
    ((fact(("gt", S_I, c.NOUGHT), "i"), fact(("ge", R_, c.NOUGHT)), fact(("gt", C_H, c.NOUGHT), "h")), (), _positive),
    ((fact(("ne", Q_, c.NOUGHT)), fact(("lt", R_, c.NOUGHT)), fact(("ge", Z_HI, c.NOUGHT), "h", "i")), (), _mixed),
    ((fact(("gt", TOTAL, c.NOUGHT)), fact(("ge", ("+", S_I, R_), c.NOUGHT), "i"), fact(("lt", Q_, c.NOUGHT))), (), _sums),
    ((fact(("ne", S_I, c.NOUGHT), "i"), fact(("ne", Z_HI, c.NOUGHT), "h", "i")), (), _nonzero),
    ((), (fact(("eq", S_I, ("*", R_, Q_)), "i"), fact(("eq", Z_HI, ("*", C_H, S_I)), "h", "i")), _products),
]  # fmt: skip
