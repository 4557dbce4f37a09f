"""What must hold for a statement to speak of something: arguments of inv, log, sqrt, Ei, W, derivatives (section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from antumbra.proofs.kernel.derivative import conditions
from antumbra.proofs.kernel.signature import Signature, children, unfold
from antumbra.proofs.kernel.terms import Node, distinct, le, rational, scalar


@dataclass(frozen=True)
class Obligation:
    """A comparison that must hold under some local assumptions."""

    shows: tuple[Any, ...]
    given: tuple[Node, ...]


def obligations(formula: Node, signature: Signature) -> list[Obligation]:
    """Every obligation of a formula, each once."""
    result: list[Obligation] = []
    for obligation in _walk(formula, (), signature):
        if obligation not in result:
            result.append(obligation)
    return result


def _walk(node: Node, given: tuple[Node, ...], signature: Signature) -> Iterator[Obligation]:
    tag = node[0]
    zero = rational(0)
    if tag == "implies":
        yield from _walk(node[1], given, signature)
        yield from _walk(node[2], (*given, node[1]), signature)
        return
    if tag in ("sum", "vsum", "all"):
        yield from _walk(node[3], (*given, *(distinct(node[1], e) for e in node[2])), signature)
        return
    if tag in ("def", "vdef"):
        yield from _walk(unfold(node, signature), given, signature)
        return
    if tag == "rate":
        for relation, term in conditions(node[1], node[2], signature):
            yield Obligation((("gt" if relation == ">" else "ne"), term, zero), given)
        yield from _walk(node[2], given, signature)
        return
    if tag == "int":
        _, name, lower, upper, body = node
        yield from _walk(lower, given, signature)
        yield from _walk(upper, given, signature)
        x = scalar(("s", name, ()))
        between = (*given, le(lower, x), le(x, upper))
        yield from _walk(body, between, signature)
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
    elif tag == "root":
        yield Obligation(("unique", node[1], node[3], node[4], node[2]), given)
    for child in children(node):
        yield from _walk(child, given, signature)
