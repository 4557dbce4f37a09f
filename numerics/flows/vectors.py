"""Tokens, heads and outputs as vectors of balls, straight from the definitions.

A second route for closed forms: nothing here knows of equal inner products, scalar heads or any theorem.
Tokens are lists of n vectors, vectors lists of d balls, operators functions of vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from antumbra.numerics.quantities.balls import ball
from flint import arb

Vector = list[arb]
Operator = Callable[[Vector], Vector]


def dot(u: Vector, w: Vector) -> arb:
    """<u, w>."""
    return sum((a * b for a, b in zip(u, w, strict=True)), arb(0))


def add(u: Vector, w: Vector, factor: arb | int = 1) -> Vector:
    """U + factor w."""
    return [a + factor * b for a, b in zip(u, w, strict=True)]


def scaled(factor: arb, u: Vector) -> Vector:
    """Factor u."""
    return [factor * a for a in u]


def scalar(scale: Fraction) -> Operator:
    """The head lambda I."""
    return lambda u: scaled(ball(scale), u)


def orthonormal(n: int) -> list[Vector]:
    """The first n axes of n dimensions."""
    return [[arb(int(row == column)) for column in range(n)] for row in range(n)]


def equiangular(n: int, gamma: Fraction) -> list[Vector]:
    """x_i = p e_i + q (e_1 + ... + e_n), p = sqrt(1 - gamma), n q = sqrt(1 + (n - 1) gamma) - p."""
    p = ball(1 - gamma).sqrt()
    q = (ball(1 + (n - 1) * gamma).sqrt() - p) / n
    return [[q + (p if row == column else 0) for column in range(n)] for row in range(n)]


def weights(tokens: Sequence[Vector], head: Operator, beta: arb, i: int) -> list[arb]:
    """e^(beta <x_i, M x_j>) for all j."""
    return [(beta * dot(tokens[i], head(token))).exp() for token in tokens]


def output(tokens: Sequence[Vector], head: Operator, beta: arb, i: int) -> Vector:
    """f_i = sum_j e^(beta <x_i, M x_j>) M x_j, values equal to scores."""
    total = [arb(0)] * len(tokens[0])
    for weight, token in zip(weights(tokens, head, beta, i), tokens, strict=True):
        total = add(total, head(token), weight)
    return total


def velocity(tokens: Sequence[Vector], heads: Sequence[Operator], beta: arb, i: int, softmax: bool) -> Vector:
    """The tangential velocity of token i under SA or USA."""
    total = [arb(0)] * len(tokens[0])
    for head in heads:
        f = output(tokens, head, beta, i)
        normaliser = sum(weights(tokens, head, beta, i), arb(0)) if softmax else arb(len(tokens))
        total = add(total, f, 1 / normaliser)
    return add(total, tokens[i], -dot(total, tokens[i]))


def product_rate(tokens: Sequence[Vector], heads: Sequence[Operator], beta: arb, softmax: bool) -> arb:
    """d<x_1, x_2>/dt."""
    first, second = (velocity(tokens, heads, beta, i, softmax) for i in (0, 1))
    return dot(first, tokens[1]) + dot(tokens[0], second)


def ratio(tokens: Sequence[Vector], head: Operator, beta: arb) -> arb:
    """|a_1| / ||f_1||."""
    f = output(tokens, head, beta, 0)
    return abs(dot(f, tokens[0])) / dot(f, f).sqrt()


def entropy(tokens: Sequence[Vector], head: Operator, beta: arb) -> arb:
    """The entropy of the first token's attention."""
    found = weights(tokens, head, beta, 0)
    total = sum(found, arb(0))
    return -sum((w / total * (w / total).log() for w in found), arb(0))
