"""Equations by normal form, signs by structure, and the few axioms of inequality (`docs/kernel.md`, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antumbra.proofs.kernel.derivative import conditions
from antumbra.proofs.kernel.ground import Ground, Judgement, Rejected, need, pooled, rule
from antumbra.proofs.kernel.normal import Normaliser
from antumbra.proofs.kernel.poly import Poly, Refusal, add, scale, thaw
from antumbra.proofs.kernel.raising import describe
from antumbra.proofs.kernel.signature import children, free_indices, free_symbols, opened, substitute, unfold
from antumbra.proofs.kernel.signs import sign
from antumbra.proofs.kernel.terms import (
    ZERO,
    Node,
    Scalar,
    distinct,
    exp,
    ip,
    norm,
    rational,
)
from antumbra.proofs.kernel.terms import (
    absolute as abs_,
)
from antumbra.proofs.kernel.terms import (
    operator_norm as opnorm_,
)

Premises = Sequence[Judgement]
Data = Mapping[str, Any]
RELATIONS = {"eq": "=", "ne": "!=", "ge": ">=", "gt": ">", "le": "<=", "lt": "<"}


def normaliser_for(ground: Ground, data: Data) -> Normaliser:
    """The normaliser of a step: relations of the ground, cited facts, opaque definitions, rewrites."""
    facts = [(f.shows, f.schematic(), f.number) for f in usable_facts(ground, data)]
    rewrites = []
    for r in data.get("rewrites", ()):
        need(r.shows[0] == "eq", "a rewrite must be an equation")
        rewrites.append((r.shows[1], r.shows[2], r.schematic()))
    apart = [tuple(g[1:3]) for g in data.get("distinct", ())]
    normaliser = Normaliser(ground.signature, ground.relations(), facts, apart, data.get("opaque", ()), rewrites)
    data.get("trace", []).append(normaliser)
    return normaliser


def usable_facts(ground: Ground, data: Data) -> list[Judgement]:
    """The cited facts whose derivatives, if they speak of any, the other facts or structure show to exist."""
    cited = list(data.get("facts", ()))
    moving = [f for f in cited if any(kind == "flow" for kind, _ in ground.signature.reached([f.shows]))]
    if not moving:
        return cited
    still = [f for f in cited if f not in moving]
    apart = [tuple(g[1:3]) for g in data.get("distinct", ())]
    base = [(f.shows, f.schematic(), f.number) for f in still]
    normaliser = Normaliser(ground.signature, ground.relations(), base, apart)
    data.get("trace", []).append(normaliser)
    result = list(still)
    for fact in moving:
        try:
            demand_rates(ground, normaliser, spoken_of(ground, data), *fact.shows[1:])
        except Rejected:
            continue
        result.append(fact)
    return result


def support(data: Data, *premises: Judgement) -> list[Node]:
    """The assumptions of everything that a step cites."""
    combined = [j for _, j in data.get("combo", ())]
    result = pooled(*premises, *data.get("facts", ()), *data.get("rewrites", ()), *combined)
    return [*result, *(g for g in data.get("distinct", ()) if g not in result)]


def spoken_of(ground: Ground, data: Data) -> frozenset[str]:
    """Free indices and symbols of cited facts, their assumptions and the ground: bound names must not meet them."""
    formulas = [f for j in data.get("facts", ()) for f in (j.shows, *j.given)] + list(data.get("distinct", ()))
    indices = frozenset().union(*(free_indices(f) for f in formulas))
    symbols = frozenset().union(*(free_symbols(f, ground.signature) for f in formulas))
    return indices | symbols | ground.free_symbols()


def demand_rates(ground: Ground, normaliser: Normaliser, names: frozenset[str], *nodes: Node) -> None:
    """Every derivative in the terms must exist where the formal one is taken; bound names must not be among `names`."""
    for node in nodes:
        tag = node[0]
        if tag == "rate":
            for relation, term in conditions(node[1], node[2], ground.signature, names):
                found = sign(normaliser, term)
                fits = found == ">" if relation == ">" else found in (">", "<", "!=")
                need(fits, f"a derivative needs {describe(normaliser.scalar(term))} {relation} 0, and no fact shows it")
        if tag in ("def", "vdef"):
            demand_rates(ground, normaliser, names, unfold(node, ground.signature))
        if tag in ("sum", "vsum", "all"):
            demand_rates(ground, normaliser, names, opened(node, ground.signature, names)[0])
            continue
        if tag in ("int", "root", "unique", "forall", "exists", "forallv", "opnorm") and _holds_rate(ground, node):
            need(node[1] not in names, f"facts speak of {node[1]!r}, which is bound in a term with a derivative")
        demand_rates(ground, normaliser, names, *children(node))


def _holds_rate(ground: Ground, node: Node) -> bool:
    return any(kind == "flow" for kind, _ in ground.signature.reached([node]))


def remainder(ground: Ground, normaliser: Normaliser, left: Node, right: Node, data: Data) -> Poly:
    """Left - right after combination and clearing of denominators; empty if they are equal."""
    demand_rates(ground, normaliser, spoken_of(ground, data), left, right)
    rest = normaliser.difference(left, right)
    for factor, equation in data.get("combo", ()):
        need(equation.shows[0] == "eq", "only equations can be combined")
        demand_rates(ground, normaliser, spoken_of(ground, data), factor, *equation.shows[1:])
        part = normaliser.difference(equation.shows[1], equation.shows[2])
        rest = add(rest, scale(normaliser.multiply(normaliser.scalar(factor), part), -1))
    for denominator, power in data.get("den", ()):
        rest = clear(normaliser, rest, normaliser.scalar(denominator), power)
    return rest


def clear(normaliser: Normaliser, poly: Poly, denominator: Poly, power: int) -> Poly:
    """Poly times denominator^power, for a denominator that facts or structure show to be non-zero."""
    need(
        normaliser.facts.sign(denominator) in (">", "<", "!="),
        f"the denominator {describe(denominator)} is not shown to be non-zero",
    )
    inverse = normaliser.inverse(denominator)
    atoms = [a for key in inverse for a, _ in key[2] if a[0] == "inv"]
    need(len(inverse) == 1 and len(atoms) == 1, "the denominator is not a sum")
    (atom,) = atoms
    primitive = thaw(atom[1])
    result: Poly = {}
    for (binders, exponent, factors), value in poly.items():
        here = dict(factors).get(atom, 0)
        need(here <= power, f"the denominator occurs to the power {here}, not {power}")
        rest = tuple((a, p) for a, p in factors if a != atom)
        bare: Poly = {normaliser.rekeyed(binders, exponent, rest): value}
        result = add(result, normaliser.multiply(bare, normaliser.power(primitive, power - here)))
    return result


def check_equal(ground: Ground, left: Node, right: Node, data: Data) -> None:
    """Reject, showing the residue, unless the terms are equal by ring."""
    try:
        normaliser = normaliser_for(ground, data)
        rest = remainder(ground, normaliser, left, right, data)
    except Refusal as refusal:
        raise Rejected(str(refusal)) from refusal
    need(not rest, f"the two sides differ by {describe(rest)}")


@rule
def ring(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] in ("eq", "veq"), "ring shows an equation")
    if shows[0] == "veq":
        need(not data.get("combo") and not data.get("den"), "vector equations take no combination")
        try:
            normaliser = normaliser_for(ground, data)
            demand_rates(ground, normaliser, spoken_of(ground, data), shows[1], shows[2])
            rest = add(normaliser.vector(shows[1]), scale(normaliser.vector(shows[2]), -1))
        except Refusal as refusal:
            raise Rejected(str(refusal)) from refusal
        need(not rest, f"the two sides differ by {describe(rest)}")
    else:
        check_equal(ground, shows[1], shows[2], data)
    return support(data)


@rule
def sign_(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    tag, left, right = shows
    need(tag in ("ge", "gt", "le", "lt", "ne"), "sign shows a comparison")
    if tag in ("le", "lt"):
        left, right = right, left
    form = data["as"]
    try:
        normaliser = normaliser_for(ground, data)
        difference = Scalar(("+", left, ("*", rational(-1), right)))
        rest = remainder(ground, normaliser, difference, form, data)
        found = sign(normaliser, form)
    except Refusal as refusal:
        raise Rejected(str(refusal)) from refusal
    need(not data.get("den"), "a sign takes no denominators")
    need(not rest, f"the form given differs from the difference of the sides by {describe(rest)}")
    wanted = {"ge": (">", ">="), "le": (">", ">="), "gt": (">",), "lt": (">",), "ne": (">", "<", "!=")}[tag]
    need(found in wanted, f"the form given is {found or 'of unknown sign'} (0), not {wanted[-1]} 0")
    return support(data)


@rule
def sum_compare(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (body,) = premises
    tag, left, right = shows
    need(left[0] == "sum" and right[0] == "sum" and left[1:3] == right[1:3], "not sums over the same indices")
    _, index, excluded, s = left
    strict_as_weak = {"gt": "ge", "lt": "le"}
    need(
        body.shows == (tag, s, right[3])
        or (tag in ("ge", "le") and strict_as_weak.get(body.shows[0]) == tag and body.shows[1:] == (s, right[3])),
        "the premise does not compare the bodies",
    )
    need(tag in ("eq", "ge", "le") or (tag in ("gt", "lt") and not excluded), "the sum may be empty")
    rest = pooled(body, without=[distinct(index, e) for e in excluded])
    need(all(index not in free_indices(g) for g in rest), f"the index {index} is not arbitrary")
    return rest


@rule
def eq_flip(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (equation,) = premises
    need(equation.shows[0] in ("eq", "veq"), "not an equation")
    need(shows == (equation.shows[0], equation.shows[2], equation.shows[1]), "not the equation turned round")
    return pooled(equation)


@rule
def antisymmetry(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    first, second = premises
    _, a, b = shows
    need(shows[0] == "eq" and first.shows == ("ge", a, b) and second.shows == ("ge", b, a), "the premises do not fit")
    return pooled(*premises)


@rule
def vector_zero(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (nothing,) = premises
    need(shows[0] == "veq" and shows[2] == ZERO, "shows that a vector is zero")
    u = shows[1]
    need(nothing.shows in (("eq", ip(u, u), rational(0)), ("eq", norm(u), rational(0))), "not its norm, or not 0")
    return pooled(nothing)


@rule
def sum_zero(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    whole, part = premises
    need(whole.shows[0] == "eq" and whole.shows[1][0] == "sum" and whole.shows[2] == rational(0), "not a sum that is 0")
    _, index, excluded, body = whole.shows[1]
    need(part.shows == ("ge", body, rational(0)), "the second premise does not show the terms to be at least 0")
    need(shows == ("eq", body, rational(0)), "shows that the terms are 0")
    apart = [distinct(index, e) for e in excluded]
    rest = pooled(whole, part, *[], without=apart)
    need(all(index not in free_indices(g) for g in rest), f"the index {index} is not arbitrary")
    return [*rest, *apart]


@rule
def square_zero(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (square,) = premises
    need(shows[0] == "eq" and square.shows == ("eq", ("^", shows[1], 2), rational(0)), "not a square that is 0")
    need(shows[2] == rational(0), "shows that a term is 0")
    return pooled(square)


@rule
def equal_rewrite(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    equation, formula = premises
    need(equation.shows[0] in ("eq", "veq"), "the first premise is not an equation")
    _, a, b = equation.shows
    names = free_indices(a) | free_indices(b)
    symbols = free_symbols(a, ground.signature) | free_symbols(b, ground.signature)
    need(_replaced(formula.shows, shows, a, b, names, symbols), "not the formula with equals put for equals")
    return pooled(*premises)


def _replaced(old: Any, new: Any, a: Node, b: Node, names: frozenset[str], symbols: frozenset[str]) -> bool:
    if old == new:
        return True
    if old == a and new == b:
        return True
    if not (isinstance(old, tuple) and isinstance(new, tuple)) or len(old) != len(new) or not old:
        return False
    tag = old[0]
    # Inside a rate an equation need not hold nearby; a bound name must not be taken for a free one.
    if tag in ("rate", "dissipates", "decays") or (tag in ("sum", "vsum", "all") and old[1] in names):
        return False
    if tag in ("int", "root", "unique", "forall", "exists", "forallv", "opnorm") and old[1] in symbols:
        return False
    return all(_replaced(o, v, a, b, names, symbols) for o, v in zip(old, new, strict=True))


# --- axioms of inequality ----------------------------------------------------------------------------------------


@rule
def cauchy_schwarz(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    _, _, value = shows
    u, v = value[1][1], value[1][2]
    need(shows == ("ge", ("*", norm(u), norm(v)), ("abs", ip(u, v))), "not the Cauchy-Schwarz inequality")
    return []


@rule
def absolute(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    t = shows[1][1]
    need(shows in (("ge", abs_(t), t), ("ge", abs_(t), ("*", rational(-1), t))), "not |t| >= t or |t| >= -t")
    return []


@rule
def operator_norm(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    name, image, at = data["name"], data["image"], data["vector"]
    moved = substitute(image, ground.signature, vectors={name: at})
    expected = ("ge", ("*", opnorm_(name, image), norm(at)), ("norm", moved))
    need(shows == expected, "not the bound by the operator norm")
    return []


@rule
def operator_norm_le(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    bound, positive = premises
    tag, b, value = shows
    need(tag == "ge" and value[0] == "opnorm", "shows a bound on an operator norm")
    _, name, image = value
    need(
        bound.shows == ("ge", ("*", b, ("norm", ("vec", name, ()))), ("norm", image)), "the first premise does not fit"
    )
    need(positive.shows == ("ge", b, rational(0)), "the second premise does not show the bound to be at least 0")
    need(name not in free_symbols(b, ground.signature), "the bound depends on the vector")
    need(name not in ground.free_symbols(), f"{name!r} is in the ground, so it is not arbitrary")
    need(all(name not in free_symbols(g, ground.signature) for g in bound.given), f"{name!r} is assumed of")
    return pooled(*premises)


@rule
def exp_tangent(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    tag, left, right = shows
    need(left[0] == "exp" and right == ("+", rational(1), left[1]), "not e^t against 1 + t")
    if tag == "gt":
        (apart,) = premises
        need(apart.shows == ("ne", left[1], rational(0)), "strict only where t != 0")
        return pooled(apart)
    need(tag == "ge" and not premises, "shows e^t >= 1 + t")
    return []


# --- equivalences ------------------------------------------------------------------------------------------------


@rule
def iff_scale(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] == "iff", "not an equivalence")
    (tag, a, b), (other, c, e) = shows[1], shows[2]
    need(tag == other and tag in RELATIONS, "the two sides are not the same kind of comparison")
    factor = data["factor"]
    (positive,) = premises
    allowed = [("gt", factor, rational(0))]
    if tag in ("eq", "ne"):
        allowed.append(("ne", factor, rational(0)))
    need(positive.shows in allowed, "the premise does not show the factor to be positive")
    product = Scalar(("*", factor, ("+", c, ("*", rational(-1), e))))
    check_equal(ground, Scalar(("+", a, ("*", rational(-1), b))), product, data)
    return support(data, positive)


@rule
def iff_exp(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    _, (tag, a, b), (other, c, e) = shows
    need(shows[0] == "iff" and tag == other and tag in RELATIONS, "not an equivalence of two comparisons")
    need(a == exp(c) and b == exp(e), "not e^a against e^b, and a against b")
    return []


@rule
def iff_square(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    _, (tag, a, b), (other, c, e) = shows
    need(shows[0] == "iff" and tag == other and tag in RELATIONS, "not an equivalence of two comparisons")
    need(a == ("^", c, 2) and b == ("^", e, 2), "not a^2 against b^2, and a against b")
    need([p.shows for p in premises] == [("ge", c, rational(0)), ("ge", e, rational(0))], "a and b must be >= 0")
    return pooled(*premises)


@rule
def congruence(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] == "iff", "not an equivalence")
    need(_congruent(ground, shows[1], shows[2], data), "the two formulas differ in more than equal scalar terms")
    return support(data)


def _congruent(ground: Ground, a: Node, b: Node, data: Data) -> bool:
    if a == b:
        return True
    if a[0] != b[0] or len(a) != len(b):
        return False
    if a[0] in RELATIONS:
        for s, t in zip(a[1:], b[1:], strict=True):
            check_equal(ground, s, t, data)
        return True
    if a[0] in ("and", "or", "implies", "iff"):
        return all(_congruent(ground, s, t, data) for s, t in zip(a[1:], b[1:], strict=True))
    return False


# The rules below their helpers are reached through `RULES` alone; `docs/kernel.md`, section 4, says what each means.
__all__ = [
    "check_equal",
    "clear",
    "demand_rates",
    "normaliser_for",
    "remainder",
    "spoken_of",
    "support",
    "usable_facts",
]
