"""Theorem 27: entropies, slopes and deficits by two routes, to fifty digits.

Notation: a = beta lambda (1 - gamma), p = e^a / (e^a + n - 1), S = ln(e^a + n - 1) - a p.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from antumbra.numerics.flows import vectors
from antumbra.numerics.flows.precise import Pair, precision_evidence
from antumbra.numerics.flows.stated import attack_stated
from antumbra.numerics.quantities.balls import ball, integral
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind
from flint import acb, arb, arb_series

Shape = tuple[int, Fraction, Fraction, Fraction]
"""n, lambda, beta, gamma."""
SHAPES: tuple[Shape, ...] = (
    (2, Fraction(1), Fraction(1), Fraction(0)),
    (2, Fraction(1), Fraction(5, 2), Fraction(-1)),
    (3, Fraction(-4, 3), Fraction(2), Fraction(-1, 2)),
    (8, Fraction(1, 3), Fraction(7), Fraction(2, 7)),
    (12, Fraction(-2), Fraction(1, 9), Fraction(9, 10)),
    (5, Fraction(3), Fraction(4), Fraction(10**6 - 1, 10**6)),
    (6, Fraction(1), Fraction(2), Fraction(1)),
)


def label(shape: Shape) -> str:
    """A shape in words."""
    return f"n={shape[0]}, lambda={shape[1]}, beta={shape[2]}, gamma={shape[3]}"


def exponent(shape: Shape) -> arb:
    """A = beta lambda (1 - gamma)."""
    return ball(shape[1] * shape[2] * (1 - shape[3]))


def closed_entropy(shape: Shape) -> arb:
    """ln(e^a + n - 1) - a e^a / (e^a + n - 1)."""
    a, m = exponent(shape), shape[0] - 1
    return (a.exp() + m).log() - a * a.exp() / (a.exp() + m)


def vector_entropy(shape: Shape) -> arb:
    """-sum p ln p by the scores of explicit equiangular vectors."""
    n, scale, beta, gamma = shape
    return vectors.entropy(vectors.equiangular(n, gamma), vectors.scalar(scale), ball(beta))


@evidence("thm27.equiangular", kind=Kind.PRECISION, part="closed_form")
def precise_entropy(_context: RunContext) -> Evidence:
    """The closed entropy against the definition on explicit vectors."""
    pairs = [Pair(label(shape), partial(closed_entropy, shape), partial(vector_entropy, shape)) for shape in SHAPES]
    return precision_evidence(pairs, "the entropy by its closed form and by the scores of explicit vectors")


@evidence("thm27.equiangular", kind=Kind.PRECISION, part="own_weight")
def precise_own_weight(_context: RunContext) -> Evidence:
    """P against a token's own softmax weight among explicit vectors."""

    def own(shape: Shape) -> arb:
        n, scale, beta, gamma = shape
        found = vectors.weights(vectors.equiangular(n, gamma), vectors.scalar(scale), ball(beta), 0)
        return found[0] / sum(found, arb(0))

    def closed(shape: Shape) -> arb:
        return 1 / (1 + (shape[0] - 1) * (-exponent(shape)).exp())

    pairs = [Pair(label(shape), partial(closed, shape), partial(own, shape)) for shape in SHAPES]
    return precision_evidence(pairs, "a token's own weight by its closed form and by explicit vectors")


@evidence("thm27.equiangular", kind=Kind.PRECISION, part="slope")
def precise_slope(_context: RunContext) -> Evidence:
    """The closed slope against the series of -p ln p - (1 - p) ln((1 - p)/(n - 1)) in gamma."""

    def closed(shape: Shape) -> arb:
        n, scale, beta, gamma = shape
        p = 1 / (1 + (n - 1) * (-exponent(shape)).exp())
        return ball((beta * scale) ** 2 * (1 - gamma)) * p * (1 - p)

    def series(shape: Shape) -> arb:
        n, scale, beta, gamma = shape
        m, product = n - 1, beta * scale
        a = arb_series([ball(product * (1 - gamma)), ball(-product)], prec=2)
        p = 1 / (1 + m * (-a).exp())
        value = -p * p.log() - (1 - p) * ((1 - p) / m).log()
        derivative: arb = value[1]
        return derivative

    pairs = [Pair(label(shape), partial(closed, shape), partial(series, shape)) for shape in SHAPES[:-1]]
    return precision_evidence(pairs, "the entropy's slope by its closed form and by a power series of the entropy")


def deficit_by_slope(shape: Shape) -> arb:
    """Ln n - S as the integral of the slope from gamma to 1."""
    n, scale, beta, gamma = shape
    product, m = ball(beta * scale), n - 1

    def slope(point: acb) -> acb:
        p = 1 / (1 + m * (-product * (1 - point)).exp())
        return product**2 * (1 - point) * p * (1 - p)

    return integral(slope, ball(gamma), arb(1))


def deficit(shape: Shape) -> arb:
    """Ln n - S by the closed form."""
    return arb(shape[0]).log() - closed_entropy(shape)


def near_one(power: int) -> tuple[Shape, ...]:
    """Shapes with 1 - gamma = 10^-power, scales of both signs."""
    gamma = 1 - Fraction(1, 10**power)
    return ((2, Fraction(1), Fraction(1), gamma), (7, Fraction(-3, 2), Fraction(2), gamma))


@evidence("thm27.limit", kind=Kind.PRECISION, part="limit")
def precise_limit(_context: RunContext) -> Evidence:
    """S against ln n: nearer than 10^-60 at 1 - gamma = 10^-32, and equal at gamma = 1, by vectors."""
    pairs = [
        Pair(
            f"{label(shape)[:30]}..., 1 - gamma = 10^-32",
            partial(closed_entropy, shape),
            lambda shape=shape: arb(shape[0]).log() + arb(0, 1e-60),  # type: ignore[misc]
        )
        for shape in near_one(32)
    ]
    pairs += [
        Pair(
            f"n={n}, gamma=1",
            lambda n=n: vector_entropy((n, Fraction(1), Fraction(2), Fraction(1))),  # type: ignore[misc]
            lambda n=n: arb(n).log(),  # type: ignore[misc]
        )
        for n in (2, 9)
    ]
    return precision_evidence(pairs, "the entropy near gamma = 1 by its closed form, and ln n")


@evidence("thm27.limit", kind=Kind.PRECISION, part="below")
def precise_below(_context: RunContext) -> Evidence:
    """Ln n - S by the closed form and as the integral of a slope that is not negative."""
    pairs = [Pair(label(shape), partial(deficit, shape), partial(deficit_by_slope, shape)) for shape in SHAPES[:-1]]
    return precision_evidence(pairs, "ln n less the entropy by its closed form and as an integral of its slope")


def ratio_pairs() -> list[Pair]:
    """(ln n - S) over (n-1) a^2 / (2 n^2): the integral's value against the interval from e^-|a| to e^|a|.

    At 1 - gamma = 10^-60 that interval is narrower than 10^-50 around 1.
    """

    def ratio(shape: Shape) -> arb:
        n = shape[0]
        return deficit_by_slope(shape) * 2 * n**2 / ((n - 1) * exponent(shape) ** 2)

    def allowed(shape: Shape) -> arb:
        size = abs(exponent(shape))
        return (-size).exp().union(size.exp())

    return [
        Pair(f"{label(shape)[:30]}..., 1 - gamma = 10^-60", partial(ratio, shape), partial(allowed, shape))
        for shape in near_one(60)
    ]


@evidence("thm27.deficit_rate", kind=Kind.PRECISION, part="upper")
def precise_upper(_context: RunContext) -> Evidence:
    """The deficit over its leading term between e^-|a| and e^|a|."""
    return precision_evidence(ratio_pairs(), "the deficit over (n-1) a^2/(2 n^2), and the factors e^-|a| to e^|a|")


@evidence("thm27.deficit_rate", kind=Kind.PRECISION, part="lower")
def precise_lower(_context: RunContext) -> Evidence:
    """The same, for the lower bound."""
    return precision_evidence(ratio_pairs(), "the deficit over (n-1) a^2/(2 n^2), and the factors e^-|a| to e^|a|")


attack_stated("thm27.equiangular", "monotone")
attack_stated("thm27.limit", "above")
