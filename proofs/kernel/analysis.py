"""Rules for functions of one variable (`docs/kernel.md`, section 7).

Each speaks of a scalar symbol x without index, real, that the ground does not mention. A premise may assume bounds on
x (`x > lo`, `hi > x` and their weak forms); the rule discharges them, and x may be free in nothing else that is
assumed. That a function is continuous and differentiable is demanded through the conditions of its formal derivative,
shown by structure or facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antumbra.proofs.kernel.algebra import demand_rates, normaliser_for, spoken_of
from antumbra.proofs.kernel.ground import Ground, Judgement, Rejected, need, pooled, rule
from antumbra.proofs.kernel.poly import Refusal
from antumbra.proofs.kernel.signature import free_symbols, substitute
from antumbra.proofs.kernel.terms import INFINITY, Node, Scalar, ge, gt, le, lt, rational, symbol

Premises = Sequence[Judgement]
Data = Mapping[str, Any]
ZERO = rational(0)


def strict_bounds(x: str, lo: Node, hi: Node) -> list[Node]:
    """The ways to say lo < x < hi, one formula each."""
    s = symbol(x)
    below: list[Node] = [] if hi == INFINITY else [gt(Scalar(hi), s), lt(s, Scalar(hi))]
    return [gt(s, Scalar(lo)), lt(Scalar(lo), s), *below]


def weak_bounds(x: str, lo: Node, hi: Node) -> list[Node]:
    """The ways to say lo <= x <= hi, one formula each."""
    s = symbol(x)
    below: list[Node] = [] if hi == INFINITY else [ge(Scalar(hi), s), le(s, Scalar(hi))]
    return [ge(s, Scalar(lo)), le(Scalar(lo), s), *below]


class Variable:
    """The variable of a step and the interval on which its premises were shown."""

    def __init__(self, ground: Ground, data: Data, lo: Node, hi: Node) -> None:
        self.ground, self.data = ground, data
        self.name: str = data["variable"]
        self.lo, self.hi = lo, hi
        declared = ground.signature.symbols.get(self.name)
        if declared is None or declared.type != "scalar" or declared.indices or declared.domain != "real":
            raise Rejected(f"{self.name!r} is not a real scalar symbol without index")
        need(self.name not in ground.free_symbols(), f"the ground speaks of {self.name!r}")
        moves = ground.signature.flows[data["flow"]]
        need(
            len(moves) == 1 and moves[0].symbol == self.name and moves[0].velocity == rational(1),
            f"the flow does not move {self.name!r} alone, at speed 1",
        )
        for end in (lo, hi):
            need(end == INFINITY or self.name not in free_symbols(end, ground.signature), "an end depends on x")

    def at(self, function: Node, value: Node) -> Node:
        """The function at a value of the variable."""
        return substitute(function, self.ground.signature, scalars={self.name: value})

    def rate(self, function: Node) -> Node:
        """F', as a term: the rate along the flow that moves the variable alone."""
        return Scalar(("rate", self.data["flow"], function))

    def inside(self, *premises: Judgement, closed: bool = False) -> list[Node]:
        """What premises assume beyond the variable's being inside the interval."""
        allowed = weak_bounds(self.name, self.lo, self.hi)
        if not closed:
            allowed += strict_bounds(self.name, self.lo, self.hi)
        rest = pooled(*premises, without=allowed)
        for formula in rest:
            need(
                self.name not in free_symbols(formula, self.ground.signature),
                f"more is assumed of {self.name!r} than that it is in the interval",
            )
        return rest

    def smooth(self, *functions: Node, open_at: str = "") -> list[Node]:
        """Demand that the functions are differentiable on the closed interval, less its upper end if `open_at` is 'hi'.

        Facts may assume the variable to be in that interval.
        """
        allowed = weak_bounds(self.name, self.lo, self.hi)
        if "hi" in open_at:
            allowed += strict_bounds(self.name, self.lo, self.hi)[2:]
        if "lo" in open_at:
            allowed += strict_bounds(self.name, self.lo, self.hi)[:2]
        facts = self.data.get("facts", ())
        rest = pooled(*facts, without=allowed)
        for formula in rest:
            need(
                self.name not in free_symbols(formula, self.ground.signature),
                f"a fact assumes more of {self.name!r} than that it is in the closed interval",
            )
        try:
            normaliser = normaliser_for(self.ground, self.data)
            for function in functions:
                # The variable itself is meant in facts and function alike; bound names are not.
                names = spoken_of(self.ground, self.data) - {self.name}
                demand_rates(self.ground, normaliser, names, self.rate(function))
        except Refusal as refusal:
            raise Rejected(str(refusal)) from refusal
        return [*rest, *(g for g in self.data.get("distinct", ()) if g not in rest)]


def _merged(*lists: Sequence[Node]) -> list[Node]:
    return list(dict.fromkeys(f for formulas in lists for f in formulas))


@rule
def increasing(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """F(hi) > F(lo) (or >=) from F' > 0 (or >= 0) between: the mean value theorem."""
    slope, order = premises
    lo, hi, function = data["lo"], data["hi"], data["function"]
    v = Variable(ground, data, lo, hi)
    tag = slope.shows[0]
    need(
        tag in ("gt", "ge") and slope.shows == (tag, v.rate(function), ZERO), "the first premise is not F' > 0 or >= 0"
    )
    need(order.shows in (("gt", hi, lo), ("ge", hi, lo)), "the second premise is not hi > lo or hi >= lo")
    strict = tag == "gt" and order.shows[0] == "gt"
    need(shows[0] == "ge" or (shows[0] == "gt" and strict), "strict only where F' > 0 and hi > lo")
    need(shows[1:] == (v.at(function, hi), v.at(function, lo)), "not F(hi) against F(lo)")
    return _merged(v.inside(slope), pooled(order), v.smooth(function))


def _bracket(v: Variable, premises: Premises, function: Node, data: Data) -> list[Node]:
    """F(a) < 0 < F(b) with lo <= a < b < hi; four premises, three if hi is infinite."""
    a, b = data["a"], data["b"]
    expected = [("gt", ZERO, v.at(function, a)), ("gt", v.at(function, b), ZERO), ("gt", b, a)]
    need([p.shows for p in premises[:3]] == expected, "not 0 > F(a), F(b) > 0, b > a")
    rest = list(premises[3:])
    if a != v.lo:
        need(bool(rest) and rest[0].shows in (("ge", a, v.lo), ("gt", a, v.lo)), "a is not shown to be at least lo")
        rest = rest[1:]
    if v.hi != INFINITY:
        need(bool(rest) and rest[0].shows == ("gt", v.hi, b), "b is not shown to be below hi")
        rest = rest[1:]
    need(not rest, "too many premises")
    return pooled(*premises)


@rule
def root_monotone(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """Exactly one root in (lo, hi): F is continuous on [lo, hi), F' > 0 inside, and F changes sign."""
    need(shows[0] == "unique" and shows[1] == data["variable"], "shows that a root is unique")
    _, _, lo, hi, function = shows
    v = Variable(ground, data, lo, hi)
    slope, *bracket = premises
    need(slope.shows == ("gt", v.rate(function), ZERO), "the first premise is not F' > 0")
    return _merged(v.inside(slope), _bracket(v, bracket, function, data), v.smooth(function, open_at="hi"))


@rule
def root_convex(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """Exactly one root in (lo, hi): F'' > 0 inside, F(lo) < 0, F > 0 somewhere."""
    need(shows[0] == "unique" and shows[1] == data["variable"], "shows that a root is unique")
    _, _, lo, hi, function = shows
    v = Variable(ground, data, lo, hi)
    curve, *bracket = premises
    need(curve.shows == ("gt", v.rate(v.rate(function)), ZERO), "the first premise is not F'' > 0")
    need(data["a"] == lo, "the left end of the bracket must be lo itself")
    smooth = v.smooth(function, v.rate(function), open_at="hi")
    return _merged(v.inside(curve), _bracket(v, bracket, function, data), smooth)


def root_of(formula: Node) -> Node:
    """The root that a `unique` formula speaks of."""
    _, name, lo, hi, function = formula
    return Scalar(("root", name, function, lo, hi))


@rule
def root_facts(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """The root is a root, and inside the interval."""
    (only,) = premises
    need(only.shows[0] == "unique", "not the uniqueness of a root")
    _, name, lo, hi, function = only.shows
    root = root_of(only.shows)
    zero = substitute(function, ground.signature, scalars={name: root})
    allowed: list[Any] = [("eq", zero, ZERO), ("gt", root, lo)]
    if hi != INFINITY:
        allowed.append(("gt", hi, root))
    need(shows in allowed, "not F(root) = 0, root > lo or hi > root")
    return pooled(only)


@rule
def root_is(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """A zero in the interval is the root."""
    only, zero, *bounds = premises
    need(only.shows[0] == "unique", "not the uniqueness of a root")
    _, name, lo, hi, function = only.shows
    need(shows[0] == "eq" and shows[1] == root_of(only.shows), "shows what the root is")
    t = shows[2]
    need(zero.shows == ("eq", substitute(function, ground.signature, scalars={name: t}), ZERO), "not F(t) = 0")
    expected = [("gt", t, lo)] + ([] if hi == INFINITY else [("gt", hi, t)])
    need([b.shows for b in bounds] == expected, "t is not shown to be in the interval")
    return pooled(*premises)


@rule
def root_side(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """F > 0 exactly beyond its only root, F < 0 exactly before it, when F goes from below to above."""
    only, *rest = premises
    need(only.shows[0] == "unique" and only.shows[1] == data["variable"], "not the uniqueness of a root")
    _, _, lo, hi, function = only.shows
    v = Variable(ground, data, lo, hi)
    count = 3 + (data["a"] != lo) + (hi != INFINITY)
    bracket, bounds = rest[:count], rest[count:]
    root, t = root_of(only.shows), data["at"]
    value = v.at(function, t)
    allowed = (
        ("iff", ("gt", value, ZERO), ("gt", t, root)),
        ("iff", ("gt", ZERO, value), ("gt", root, t)),
        ("iff", ("eq", value, ZERO), ("eq", t, root)),
    )
    need(shows in allowed, "not a sign of F(t) against the side of the root that t is on")
    need(bool(bounds) and bounds[0].shows == ("gt", t, lo), "t is not shown to be above lo")
    need(hi == INFINITY or (len(bounds) == 2 and bounds[1].shows == ("gt", hi, t)), "t is not shown to be below hi")
    smooth = v.smooth(function, open_at="hi")
    return _merged(pooled(only, *bounds), _bracket(v, bracket, function, data), smooth)


@rule
def convex_between(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """F <= 0 at both ends and F'' >= 0 between: F <= 0 between."""
    curve, left, right, above, below = premises
    lo, hi, function, t = data["lo"], data["hi"], data["function"], data["at"]
    v = Variable(ground, data, lo, hi)
    tag = curve.shows[0]
    need(tag in ("gt", "ge") and curve.shows == (tag, v.rate(v.rate(function)), ZERO), "not F'' >= 0")
    need(left.shows == ("ge", ZERO, v.at(function, lo)), "not 0 >= F(lo)")
    need(right.shows == ("ge", ZERO, v.at(function, hi)), "not 0 >= F(hi)")
    need(above.shows == ("ge", t, lo) and below.shows == ("ge", hi, t), "t is not shown to be between")
    need(shows == ("ge", ZERO, v.at(function, t)), "not 0 >= F(t)")
    smooth = v.smooth(function, v.rate(function))
    return _merged(v.inside(curve), pooled(left, right, above, below), smooth)


@rule
def tangent_below(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """F(t) >= F(s) + F'(s) (t - s) where F'' >= 0 on an interval with both; > where F'' > 0 and t != s."""
    curve, slope, *rest = premises
    lo, hi, function, derivative = data["lo"], data["hi"], data["function"], data["derivative"]
    s, t = data["touching"], data["at"]
    v = Variable(ground, data, lo, hi)
    tag = curve.shows[0]
    need(tag in ("gt", "ge") and curve.shows == (tag, v.rate(v.rate(function)), ZERO), "not F'' >= 0")
    need(slope.shows == ("eq", v.rate(function), derivative), "not what F' is")
    inside: list[Any] = [("ge", s, lo), ("ge", t, lo)]
    if hi != INFINITY:
        inside += [("ge", hi, s), ("ge", hi, t)]
    need([p.shows for p in rest[: len(inside)]] == inside, "the two points are not shown to be in the interval")
    rest = rest[len(inside) :]
    if shows[0] == "gt":
        need(tag == "gt" and len(rest) == 1 and rest[0].shows == ("ne", t, s), "strict only for F'' > 0 and t != s")
    else:
        need(not rest, "too many premises")
    tangent = ("+", v.at(function, s), ("*", v.at(derivative, s), ("+", t, ("*", rational(-1), s))))
    need(shows[0] in ("gt", "ge") and shows[1:] == (v.at(function, t), tangent), "not F(t) against the tangent at s")
    smooth = v.smooth(function, v.rate(function))
    return _merged(v.inside(curve), v.inside(slope, closed=True), pooled(*premises[2:]), smooth)


@rule
def antiderivative(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """The integral of t is G(hi) - G(lo) where G' = t on [lo, hi]."""
    need(shows[0] == "eq" and shows[1][0] == "int", "shows what an integral is")
    _, name, lo, hi, body = shows[1]
    v = Variable(ground, data, lo, hi)
    function = data["function"]
    need(name == v.name, "another variable of integration")
    slope, order = premises
    need(slope.shows == ("eq", v.rate(function), body), "the first premise is not G' = t")
    need(order.shows in (("ge", hi, lo), ("gt", hi, lo)), "the second premise is not hi >= lo")
    difference = ("+", v.at(function, hi), ("*", rational(-1), v.at(function, lo)))
    need(shows[2] == difference, "not G(hi) - G(lo)")
    return _merged(v.inside(slope, closed=True), pooled(order), v.smooth(function, body))


@rule
def integral_shift(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """The integral of f is c times that of g, plus G(hi) - G(lo), where G' = f - c g on [lo, hi]."""
    need(shows[0] == "eq" and shows[1][0] == "int", "shows what an integral is")
    _, name, lo, hi, f = shows[1]
    v = Variable(ground, data, lo, hi)
    function, weight = data["function"], data["weight"]
    need(name == v.name, "another variable of integration")
    need(v.name not in free_symbols(weight, ground.signature), "the weight depends on the variable")
    slope, order = premises
    g = shows[2][1][2][4]
    need(slope.shows == ("eq", v.rate(function), ("+", f, ("*", rational(-1), ("*", weight, g)))), "not G' = f - c g")
    need(order.shows in (("ge", hi, lo), ("gt", hi, lo)), "the second premise is not hi >= lo")
    difference = ("+", v.at(function, hi), ("*", rational(-1), v.at(function, lo)))
    need(shows[2] == ("+", ("*", weight, ("int", name, lo, hi, g)), difference), "not c times the other integral + ...")
    return _merged(v.inside(slope, closed=True), pooled(order), v.smooth(function, f, g))


@rule
def integral_compare(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """Integrals compare as the integrands do on [lo, hi]."""
    tag, left, right = shows
    need(left[0] == "int" and right[0] == "int" and left[1:4] == right[1:4], "not integrals over the same interval")
    _, name, lo, hi, f = left
    g = right[4]
    v = Variable(ground, data, lo, hi)
    need(name == v.name, "another variable of integration")
    body, order = premises
    strict = body.shows == ("gt", f, g) and order.shows == ("gt", hi, lo)
    weak = body.shows in (("gt", f, g), ("ge", f, g)) and order.shows in (("gt", hi, lo), ("ge", hi, lo))
    need((tag == "gt" and strict) or (tag == "ge" and weak), "the premises do not compare the integrands so")
    return _merged(v.inside(body), pooled(order), v.smooth(f, g))
