"""Statements about whole solutions, which rest on named theorems of analysis (`docs/kernel.md`, section 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antumbra.proofs.kernel.algebra import normaliser_for, spoken_of
from antumbra.proofs.kernel.definedness import obligations
from antumbra.proofs.kernel.derivative import conditions
from antumbra.proofs.kernel.ground import Ground, Judgement, need, pooled, rule
from antumbra.proofs.kernel.signature import free_symbols
from antumbra.proofs.kernel.signs import sign
from antumbra.proofs.kernel.terms import Node, Vector, distinct, ip, rational, vector

SPHERES = "smooth fields on a product of spheres have unique solutions for all times, and tangent ones stay there"
DISSIPATION = (SPHERES, "the integral of a non-negative rate of a bounded quantity is bounded")
DECAY = (SPHERES, "a function whose derivative is never positive does not increase")
"""The theorems of analysis that the rules rest on, as certificates name them."""

PROBE = Vector(("vec", "\u2218", ()))


@rule
def dissipation(ground: Ground, shows: Node, premises: Sequence[Judgement], data: Mapping[str, Any]) -> list[Node]:
    """A quantity grows at a non-negative rate and stays between two constants: the integral of the rate is bounded."""
    need(shows[0] == "dissipates", "shows a bound on an integral over all times")
    _, flow, speed, bound = shows
    moves = ground.signature.flows[flow]
    growth, sign_of_speed, above, below, *invariant = premises
    need(not pooled(*premises), "the premises must hold in every state of the ground, without assumptions")
    need(growth.shows[0] == "eq" and growth.shows[1][:2] == ("rate", flow), "the first premise is not what V' is")
    quantity = growth.shows[1][2]
    need(growth.shows[2] == speed, "V' is not the integrand")
    need(sign_of_speed.shows == ("ge", speed, rational(0)), "the second premise is not that the integrand is >= 0")
    need(above.shows[0] == "ge" and above.shows[2] == quantity, "the third premise is not an upper bound of V")
    need(below.shows[0] == "ge" and below.shows[1] == quantity, "the fourth premise is not a lower bound of V")
    upper, lower = above.shows[1], below.shows[2]
    need(bound == ("+", upper, ("*", rational(-1), lower)), "the bound is not the upper less the lower one")
    moved = {m.symbol for m in moves}
    for constant in (upper, lower):
        need(not free_symbols(constant, ground.signature) & moved, "a bound moves with the flow")
    _confined(ground, flow, invariant)
    return []


@rule
def decay(ground: Ground, shows: Node, premises: Sequence[Judgement], data: Mapping[str, Any]) -> list[Node]:
    """Quantities that do not fall while positive stay positive; and meanwhile V' <= -k V gives V <= V(0) e^{-kt}."""
    need(shows[0] == "decays", "shows a decay along solutions")
    _, flow, condition, quantity, k = shows
    moved = {m.symbol for m in ground.signature.flows[flow]}
    kept, falling, rate_bound, *invariant = premises
    body, apart = condition, []
    if condition[0] == "all":
        apart = [distinct(condition[1], e) for e in condition[2]]
        body = condition[3]
    need(body[0] == "gt" and body[2] == rational(0), "the condition is not that quantities are positive")
    tag, rise, least = kept.shows
    need(tag == "ge" and rise == ("rate", flow, body[1]), "the first premise is not a lower bound of F'")
    if least != rational(0):
        # F' >= -L F with a constant L: F e^{Lt} does not fall.
        need(least[0] == "*" and least[2] == body[1] and least[1][:2] == ("*", rational(-1)), "not F' >= -L F")
        need(not free_symbols(least[1][2], ground.signature) & moved, "L moves with the flow")
    need(all(g == condition or g in apart for g in kept.given), "F' >= 0 is shown under more than the condition")
    expected = ("ge", ("*", ("*", rational(-1), k), quantity), ("rate", flow, quantity))
    need(falling.shows == expected, "the second premise is not -k V >= V'")
    need(rate_bound.shows in (("ge", k, rational(0)), ("gt", k, rational(0))), "the third premise is not k >= 0")
    need(not free_symbols(k, ground.signature) & moved, "k moves with the flow")
    need(not any(j.given for j in invariant), "what is invariant must be shown without assumptions")
    _confined(ground, flow, invariant)
    _smooth(ground, flow, body[1], {}, "F is not shown to be smooth")
    _smooth(ground, flow, quantity, data, "V is not shown to be smooth where the condition holds")
    rest = [g for g in pooled(falling, rate_bound, *data.get("facts", ())) if g != condition]
    for formula in rest:
        need(not free_symbols(formula, ground.signature) & moved, "an assumption speaks of what moves")
    return [*rest, *(g for g in data.get("distinct", ()) if g not in rest)]


def _smooth(ground: Ground, flow: str, term: Node, data: Mapping[str, Any], message: str) -> None:
    normaliser = normaliser_for(ground, data)
    for relation, part in conditions(flow, term, ground.signature, spoken_of(ground, data)):
        fits = (">",) if relation == ">" else (">", "<", "!=")
        need(sign(normaliser, part) in fits, message)


def _confined(ground: Ground, flow: str, invariant: Sequence[Judgement]) -> None:
    """Every symbol that moves is a unit vector and stays one; nothing else in the ground moves; the field is smooth."""
    moves = ground.signature.flows[flow]
    shown = {j.shows for j in invariant}
    moved = {m.symbol for m in moves}
    for formula in ground.formulas():
        if formula[0] != "unit":
            need(not free_symbols(formula, ground.signature) & moved, "a hypothesis besides unit speaks of what moves")
    for move in moves:
        need(("unit", move.symbol) in ground.formulas(), f"{move.symbol!r} is not confined to the sphere")
        x = vector(move.symbol, *move.indices)
        need(("eq", ("rate", flow, ip(x, x)), rational(0)) in shown, f"|{move.symbol}|^2 is not shown to stand still")
        probe = ip(PROBE, Vector(move.velocity))
        normaliser = normaliser_for(ground, {})
        wanted = [*conditions(flow, probe, ground.signature)]
        wanted += [
            ({"ne": "!=", "gt": ">", "ge": ">="}[o.shows[0]], o.shows[1])
            for o in obligations(Node(("eq", probe, rational(0))), ground.signature)
        ]
        for relation, term in wanted:
            found = sign(normaliser, term)
            fits = {">": (">",), "!=": (">", "<", "!="), ">=": (">",)}[relation]
            need(found in fits, "the field is not shown to be smooth on the whole sphere")
