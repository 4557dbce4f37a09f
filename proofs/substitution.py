"""Equal vectors put for one another in a scalar term: a sequence of kernel steps that adds no trust."""

from __future__ import annotations

from typing import Any

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import Formula, Node, Scalar, ScalarLike, scalar


def replaced(node: Any, old: Node, new: Node) -> Any:
    """The term with every literal occurrence of `old` replaced by `new`."""
    if node == old:
        return new
    if not isinstance(node, tuple):
        return node
    return type(node)(replaced(child, old, new) for child in node)


def substituted(p: Proof, term: ScalarLike, *equations: Judgement) -> Judgement:
    """Term = the term with each equation's right side put for its left side, one equation after another."""
    start = scalar(term)
    result = p.equal(start, start)
    for equation in equations:
        _, old, new = equation.shows
        right = Scalar(replaced(result.shows[2], old, new))
        if right != result.shows[2]:
            result = p.rewritten(equation, result, Formula(("eq", start, right)))
    return result
