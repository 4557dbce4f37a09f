"""Small derivations that several proofs share; each is a sequence of kernel steps and adds no trust."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Node,
    Scalar,
    ScalarLike,
    Vector,
    absolute,
    exp,
    ge,
    gt,
    ip,
    ne,
    norm,
    scalar,
)


def bounded_inner_product(p: Proof, u: Vector, v: Vector) -> Judgement:
    """|u| |v| >= <u, v>."""
    p.cauchy_schwarz(u, v)
    p.absolute(ip(u, v))
    size = absolute(ip(u, v))
    return p.compare(ge(norm(u) * norm(v), ip(u, v)), form=(norm(u) * norm(v) - size) + (size - ip(u, v)))


def exp_increases(p: Proof, low: ScalarLike, high: ScalarLike, strict: bool = False, **data: Any) -> Judgement:
    """e^high >= e^low where high >= low is among the facts (strictly, where it is strict), from e^t >= 1 + t."""
    low, high = scalar(low), scalar(high)
    gap = high - low
    if strict:
        apart = p.compare(ne(gap, 0), form=gap, **data)
        tangent = p.exp_tangent(gap, apart)
    else:
        tangent = p.exp_tangent(gap)
    form = exp(low) * ((exp(gap) - Scalar(tangent.shows[2])) + gap)
    return p.compare((gt if strict else ge)(exp(high), exp(low)), form=form, **data)


def vanishing_square(p: Proof, zero: Judgement, term: ScalarLike) -> Judgement:
    """T = 0 from t^2 = 0."""
    return p.step("square_zero", Node(("eq", scalar(term), scalar(0))), zero)


def sum_of(p: Proof, equation: Judgement, *indices: str) -> Judgement:
    """Sums over the indices, inner ones first, of both sides of an equation."""
    for index in indices:
        equation = p.sum_compare(equation, index)
    return equation


def norms(p: Proof, vectors: Sequence[Vector]) -> list[Judgement]:
    """|u| >= 0 for each."""
    return [p.nonnegative(norm(u)) for u in vectors]
