"""The rules of logic: assumptions, connectives, quantifiers, instances (`docs/kernel.md`, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antumbra.proofs.kernel.ground import Ground, Judgement, Rejected, need, pooled, rule
from antumbra.proofs.kernel.signature import free_indices, free_symbols, substitute
from antumbra.proofs.kernel.terms import Node, constant, distinct, rational, sort_of

Premises = Sequence[Judgement]
Data = Mapping[str, Any]
COMPARISONS = ("eq", "ne", "ge", "gt", "le", "lt")


@rule
def hypothesis(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    name = data["name"]
    if name.startswith("domain:"):
        need(shows == ground.domain[int(name[7:])], "not that formula of the domain")
    else:
        need(name in ground.hypotheses, f"{name!r} is not a hypothesis of this part")
        need(shows == ground.signature.hypotheses[name], f"not the hypothesis {name!r}")
    return []


@rule
def symbol_(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    tag, term, zero = shows
    need(term[0] == "s" and constant(zero) == 0, "a symbol's domain compares the symbol with 0")
    domain = ground.signature.symbols[term[1]].domain
    need((tag, domain) in {("gt", "positive"), ("ge", "positive"), ("ge", "nonnegative")}, "not its domain")
    return []


@rule
def size_(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] == "ge" and shows[1][0] == "size" and constant(shows[2]) == 1, "a size is at least 1, and no more")
    return []


@rule
def integral(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    """A size is an integer: size >= k or k - 1 >= size."""
    need(shows[0] == "or" and len(shows) == 3, "not an alternative of two")
    (tag, s, k), (other, below, t) = shows[1], shows[2]
    high, low = constant(k), constant(below)
    need(tag == "ge" and other == "ge" and s == t and s[0] == "size", "not a size against an integer")
    need(high is not None and low is not None and high.denominator == 1 and low == high - 1, "not k and k - 1")
    return []


@rule
def assume(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    return [shows]


@rule
def and_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows == ("and", *(p.shows for p in premises)) and len(premises) >= 2, "not the conjunction of the premises")
    return pooled(*premises)


@rule
def and_elim(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (whole,) = premises
    part = data["part"]
    need(whole.shows[0] == "and" and 0 <= part < len(whole.shows) - 1, "no such part")
    need(shows == whole.shows[part + 1], "not that part")
    return pooled(whole)


@rule
def implies_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (conclusion,) = premises
    need(shows[0] == "implies" and shows[2] == conclusion.shows, "the premise is not the conclusion")
    return pooled(conclusion, without=[shows[1]])


@rule
def modus(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    implication, condition = premises
    need(implication.shows == ("implies", condition.shows, shows), "the premises do not fit")
    return pooled(*premises)


@rule
def iff_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    forward, backward = premises
    need(shows[0] == "iff", "not an equivalence")
    need(forward.shows == ("implies", shows[1], shows[2]), "the first premise is not the forward implication")
    need(backward.shows == ("implies", shows[2], shows[1]), "the second premise is not the backward implication")
    return pooled(*premises)


@rule
def iff_elim(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (both,) = premises
    need(both.shows[0] == "iff", "not an equivalence")
    _, a, b = both.shows
    need(shows == (("implies", a, b) if data["forward"] else ("implies", b, a)), "not that direction")
    return pooled(both)


@rule
def iff_chain(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    first, second = premises
    need(first.shows[0] == "iff" and second.shows[0] == "iff", "not equivalences")
    need(first.shows[2] == second.shows[1], "the equivalences do not meet")
    need(shows == ("iff", first.shows[1], second.shows[2]), "not the chain")
    return pooled(*premises)


@rule
def all_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (body,) = premises
    need(shows[0] == "all" and shows[3] == body.shows, "not a generalisation of the premise")
    index, excluded = shows[1], shows[2]
    rest = pooled(body, without=[distinct(index, e) for e in excluded])
    need(index not in excluded, "an index cannot exclude itself")
    need(all(index not in free_indices(g) for g in rest), f"the index {index} is not arbitrary")
    return rest


@rule
def all_elim(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (whole,) = premises
    need(whole.shows[0] == "all", "not a statement for every index")
    _, index, excluded, body = whole.shows
    chosen = data["index"]
    need(sort_of(chosen) == sort_of(index), "an index of another sort")
    need(shows == substitute(body, ground.signature, {index: chosen}), "not that instance")
    return [*pooled(whole), *(distinct(chosen, e) for e in excluded)]


def _arbitrary(ground: Ground, name: str, given: Sequence[Node]) -> None:
    need(name not in ground.free_symbols(), f"{name!r} is in the ground, so it is not arbitrary")
    need(all(name not in free_symbols(g, ground.signature) for g in given), f"{name!r} is assumed of, so not arbitrary")


@rule
def forall_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (body,) = premises
    need(shows[0] == "forall" and shows[2] == body.shows, "not a generalisation of the premise")
    _arbitrary(ground, shows[1], body.given)
    return pooled(body)


@rule
def forall_elim(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    whole = premises[0]
    need(whole.shows[0] == "forall", "not a statement for every value")
    _, name, body = whole.shows
    need(shows == substitute(body, ground.signature, scalars={name: data["term"]}), "not that instance")
    _in_domain(ground, name, data["term"], premises[1:])
    return pooled(*premises)


def _in_domain(ground: Ground, name: str, term: Node, premises: Premises) -> None:
    domain = ground.signature.symbols[name].domain if name in ground.signature.symbols else "real"
    if domain == "real":
        return
    allowed = [("gt", term, rational(0))] + ([("ge", term, rational(0))] if domain == "nonnegative" else [])
    need(any(p.shows in allowed for p in premises), f"{name!r} is {domain}; no premise shows it of the term")


@rule
def forallv_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (body,) = premises
    need(shows[0] == "forallv" and shows[2] == body.shows, "not a generalisation of the premise")
    _arbitrary(ground, shows[1], body.given)
    return pooled(body)


@rule
def forallv_elim(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    (whole,) = premises
    need(whole.shows[0] == "forallv", "not a statement for every vector")
    need(
        shows == substitute(whole.shows[2], ground.signature, vectors={whole.shows[1]: data["term"]}),
        "not that instance",
    )
    return pooled(whole)


@rule
def exists_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] == "exists", "not an existence statement")
    _, name, body = shows
    need(premises[0].shows == substitute(body, ground.signature, scalars={name: data["term"]}), "not that instance")
    _in_domain(ground, name, data["term"], premises[1:])
    return pooled(*premises)


@rule
def cases(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    choice, *branches = premises
    need(choice.shows[0] == "or" and len(branches) == len(choice.shows) - 1, "one premise for each alternative")
    result = pooled(choice)
    for alternative, branch in zip(choice.shows[1:], branches, strict=True):
        need(branch.shows == shows, "an alternative shows something else")
        result += [g for g in pooled(branch, without=[alternative]) if g not in result]
    return result


@rule
def compare(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] == "or" and len(shows) in (3, 4), "not a comparison of two terms")
    _, a, b = shows[1]
    allowed = (
        ("or", ("ge", a, b), ("gt", b, a)),
        ("or", ("gt", a, b), ("eq", a, b), ("gt", b, a)),
        ("or", ("eq", a, b), ("ne", a, b)),
    )
    need(shows in allowed, "not a complete comparison of two terms")
    return []


@rule
def or_intro(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    need(shows[0] == "or" and premises[0].shows in shows[1:], "the premise is not an alternative")
    return pooled(*premises)


@rule
def contradiction(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    if len(premises) == 2:
        first, second = premises[0].shows, premises[1].shows
        need(first[0] == "eq" and second == ("ne", *first[1:]), "the premises do not contradict each other")
        return pooled(*premises)
    (absurd,) = premises
    tag, a, b = absurd.shows
    left, right = constant(a), constant(b)
    need(tag in COMPARISONS and left is not None and right is not None, "not a comparison of two constants")
    assert left is not None
    assert right is not None
    holds = {
        "eq": left == right,
        "ne": left != right,
        "ge": left >= right,
        "gt": left > right,
        "le": left <= right,
        "lt": left < right,
    }[tag]
    need(not holds, "the comparison is true")
    return pooled(absurd)


@rule
def instantiate(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    source, *domains = premises
    indices, scalars, vectors = data.get("indices", {}), data.get("scalars", {}), data.get("vectors", {})
    for old, new in indices.items():
        need(sort_of(old) == sort_of(new), f"{old} and {new} are of different sorts")
        need(all(old not in free_indices(g) for g in source.given), f"the index {old} is assumed of")
    for name, term in scalars.items():
        declared = ground.signature.symbols.get(name)
        need(declared is not None and declared.type == "scalar" and not declared.indices, f"{name!r} is not a scalar")
        _arbitrary(ground, name, source.given)
        _in_domain(ground, name, term, domains)
    for name in vectors:
        declared = ground.signature.symbols.get(name)
        need(declared is not None and declared.type == "vector" and not declared.indices, f"{name!r} is not a vector")
        _arbitrary(ground, name, source.given)
    need(shows == substitute(source.shows, ground.signature, indices, scalars, vectors), "not that instance")
    return pooled(*premises)


@rule
def cite(ground: Ground, shows: Node, premises: Premises, data: Data) -> list[Node]:
    if ground.lookup is None:
        raise Rejected("no other claims are at hand to cite")
    statement, hypotheses, domain = ground.lookup(data["claim"], data["part"])
    need(shows == statement, "not the statement of that part")
    missing = set(hypotheses) - set(ground.hypotheses)
    need(not missing, f"the cited part also needs {', '.join(sorted(missing))}")
    shown = {p.shows for p in premises} | set(ground.domain)
    need(all(f in shown for f in domain), "a domain formula of the cited part is neither in this domain nor shown")
    return pooled(*premises)


# The rules are reached through `RULES` alone; `docs/kernel.md`, section 4, says what each means.
__all__ = ["COMPARISONS"]
