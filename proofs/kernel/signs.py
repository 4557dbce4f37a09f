"""The sign of a raw term, read off its structure: the author's factorisation is what reveals it."""

from __future__ import annotations

from collections.abc import Mapping

from antumbra.proofs.kernel.facts import times
from antumbra.proofs.kernel.normal import Normaliser, unfolded_function
from antumbra.proofs.kernel.signature import unfold
from antumbra.proofs.kernel.terms import Node, constant

NONNEGATIVE_TAGS = frozenset({"norm", "abs", "sqrt", "relu", "opnorm", "delta"})


def sign(normaliser: Normaliser, node: Node, env: Mapping[str, str] | None = None) -> str | None:
    """'>', '>=', '<', '<=', '!=' or None.

    Sums, products, powers and indexed sums are read as written; a sub-term whose structure says too little is looked up
    among the facts by its normal form.
    """
    env = env or {}
    structural = _structural(normaliser, node, env)
    if structural in (">", "<"):
        return structural
    looked_up = normaliser.facts.sign(normaliser.scalar(node, env))
    return _joined(structural, looked_up)


def _joined(a: str | None, b: str | None) -> str | None:
    if a is None or b in (">", "<"):
        return b if b is not None else a
    if b is None or a in (">", "<"):
        return a
    if "!=" in (a, b) and a != b:
        weak = a if b == "!=" else b
        return weak[0]
    return a


def _structural(normaliser: Normaliser, node: Node, env: Mapping[str, str]) -> str | None:
    tag = node[0]
    if tag == "q":
        value = constant(node)
        assert value is not None
        return ">" if value > 0 else "<" if value < 0 else ">="
    if tag in ("exp", "size", "pi"):
        return ">"
    if tag == "+":
        return _sum(normaliser, node, env)
    if tag == "*":
        result = sign(normaliser, node[1], env)
        for factor in node[2:]:
            result = times(result, sign(normaliser, factor, env))
        return result
    if tag == "^":
        inner = sign(normaliser, node[1], env)
        if node[2] == 0:
            return ">"
        if node[2] % 2 == 0:
            return ">" if inner in (">", "<", "!=") else ">="
        return inner
    if tag == "inv":
        return sign(normaliser, node[1], env)
    if tag == "sum":
        name = normaliser.fresh(node[1])
        inside = sign(normaliser, node[3], {**env, node[1]: name})
        if inside in (">", ">=", "<", "<="):
            return inside if not node[2] else inside[0] + "="
        return None
    if tag == "ip" and node[1] == node[2]:
        return ">="
    if tag in ("sqrt", "abs", "relu"):
        inner = sign(normaliser, node[1], env)
        strict = inner == ">" or (tag == "abs" and inner in ("<", "!="))
        return ">" if strict else ">="
    if tag in NONNEGATIVE_TAGS:
        return ">="
    if tag == "fn":
        if node[1] in ("Ei", "W"):
            inner = sign(normaliser, node[2], env) if node[1] == "W" else None
            return inner if inner in (">", ">=") else None
        if node[1] == "cosh":
            return ">"
        if node[1] in ("sinh", "tanh", "arsinh", "coth"):
            inner = sign(normaliser, node[2], env)
            # coth is 1 at 0, so a weak sign of t says nothing of it.
            return inner if node[1] != "coth" or inner in (">", "<") else None
        return sign(normaliser, unfolded_function(node), env)
    if tag == "def" and node[1] not in normaliser.opaque:
        return sign(normaliser, unfold(node, normaliser.signature), env)
    return None


def _sum(normaliser: Normaliser, node: Node, env: Mapping[str, str]) -> str | None:
    signs = [sign(normaliser, t, env) for t in node[1:]]
    for side in (">", "<"):
        if all(s in (side, side + "=") or t_is_zero(t) for s, t in zip(signs, node[1:], strict=True)):
            return side if side in signs else side + "="
    return None


def t_is_zero(node: Node) -> bool:
    """The constant 0, which counts for either side."""
    return node[0] == "q" and constant(node) == 0
