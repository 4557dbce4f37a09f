"""What must hold for a statement to speak of something: arguments of inv, log, sqrt, Ei, W, derivatives (section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from antumbra.proofs.kernel.derivative import conditions
from antumbra.proofs.kernel.signature import (
    SettingError,
    Signature,
    children,
    free_indices,
    free_symbols,
    opened,
    unfold,
)
from antumbra.proofs.kernel.terms import Node, distinct, le, lt, rational, scalar


@dataclass(frozen=True)
class Obligation:
    """A comparison that must hold under some local assumptions."""

    shows: tuple[Any, ...]
    given: tuple[Node, ...]


def obligations(formula: Node, signature: Signature, ground: Iterable[Node] = ()) -> list[Obligation]:
    """Every obligation of a formula, each once. Names bound in it are kept apart from those that the ground speaks of.

    Raises:
        SettingError: a bound symbol has the name of one that the ground or an antecedent speaks of.
    """
    names = frozenset().union(*(free_symbols(f, signature) for f in ground))
    result: list[Obligation] = []
    for obligation in _walk(formula, (), signature, names):
        if obligation not in result:
            result.append(obligation)
    return result


def _spoken(formula: Node, signature: Signature) -> frozenset[str]:
    return free_indices(formula) | free_symbols(formula, signature)


def _walk(node: Node, given: tuple[Node, ...], signature: Signature, names: frozenset[str]) -> Iterator[Obligation]:
    tag = node[0]
    zero = rational(0)
    if tag == "implies":
        yield from _walk(node[1], given, signature, names)
        yield from _walk(node[2], (*given, node[1]), signature, names | _spoken(node[1], signature))
        return
    if tag in ("sum", "vsum", "all"):
        body, index = opened(node, signature, names)
        yield from _walk(body, (*given, *(distinct(index, e) for e in node[2])), signature, names)
        return
    if tag in ("def", "vdef"):
        yield from _walk(unfold(node, signature), given, signature, names)
        return
    if tag == "rate":
        for relation, term in conditions(node[1], node[2], signature, names):
            yield Obligation((("gt" if relation == ">" else "ne"), term, zero), given)
        yield from _walk(node[2], given, signature, names)
        return
    if tag in ("int", "root", "unique", "forall", "exists", "forallv", "opnorm") and node[1] in names:
        raise SettingError(f"{node[1]!r} is bound in a term and free in the ground or an antecedent; rename it there")
    if tag == "int":
        _, name, lower, upper, body = node
        yield from _walk(lower, given, signature, names)
        yield from _walk(upper, given, signature, names)
        x = scalar(("s", name, ()))
        yield Obligation(("ge", upper, lower), given)
        between = (*given, le(lower, x), le(x, upper))
        yield from _walk(body, between, signature, names)
        return
    if tag in ("root", "unique"):
        lower, upper, body = (node[3], node[4], node[2]) if tag == "root" else (node[2], node[3], node[4])
        x = scalar(("s", node[1], ()))
        inside = [lt(lower, x)] + ([] if upper == ("inf",) else [lt(x, upper)])
        if tag == "root":
            yield Obligation(("unique", node[1], lower, upper, body), given)
        yield from _walk(lower, given, signature, names)
        yield from _walk(upper, given, signature, names)
        yield from _walk(body, (*given, *inside), signature, names)
        return
    if tag == "decays":
        yield from _walk(node[2], given, signature, names)
        yield from _walk(node[3], (*given, node[2]), signature, names)
        yield from _walk(node[4], given, signature, names)
        return
    if tag == "inv":
        yield Obligation(("ne", node[1], zero), given)
    elif tag == "log":
        yield Obligation(("gt", node[1], zero), given)
    elif tag == "sqrt":
        yield Obligation(("ge", node[1], zero), given)
    elif tag == "fn" and node[1] in ("Ei", "coth"):
        yield Obligation(("ne", node[2], zero), given)
    elif tag == "fn" and node[1] == "W":
        yield Obligation(("ge", node[2], zero), given)
    for child in children(node):
        yield from _walk(child, given, signature, names)
