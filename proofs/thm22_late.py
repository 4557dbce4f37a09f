"""Theorem 22, late: (1 - gamma) e^{2 Lambda t} converges along the softmax flow.

Statement: with rho the rate of gamma over 2(1 - gamma), positive on [gamma_0, 1], (1 - gamma) e^{2 Lambda t} tends to
C = (1 - gamma_0) exp of the integral of I = (Lambda/rho - 1)/(1 - gamma) from gamma_0 to 1; I tends to an explicit limit at 1.
Hypotheses: scalar heads, equiangular tokens, rho >= rho_min > 0 on [gamma_0, 1], gamma_0 > -1/(n-1).
Notation: m = n - 1, s = 1 - gamma, a = beta lambda, e = e^{as}, D = e + m, X = Lambda - rho; R and R2 bound rho' and rho''.
Method: rho(1) = Lambda; first and second order bounds of rho between gamma and 1, from explicit bounds of its derivatives.
Not proved here: separation of variables, and that bounded continuous functions have integrals up to an open end.
"""

from __future__ import annotations

from collections.abc import Sequence

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Formula,
    Scalar,
    ScalarLike,
    absolute,
    conj,
    eq,
    exp,
    ge,
    gt,
    implies,
    integral,
    le,
    log,
    n,
    rate,
    scalar,
    symbol,
    total,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, gamma, scale_h
from antumbra.proofs.statements import thm22 as claim
from antumbra.proofs.statements.thm22 import gamma_0, gamma_1, rho, rho_bend, rho_bound, rho_min, rho_steepness, total_scale
from antumbra.proofs.tactics import exp_increases
from antumbra.proofs.thm22_heterogeneous_heads import for_pairs, several_tokens, weights

M = n - 1
CLOSED = ["rho", "total_scale", "rho_steepness", "rho_bend", "rho_bound"]
LEAN = 1 + M * gamma
SIZE = absolute(scale_h)
WEIGHT = exp(beta * scale_h * (1 - gamma))
INVERSE = 1 / (WEIGHT + n - 1)
PULL = beta * scale_h**2 * WEIGHT * INVERSE**2
BEND = beta**2 * scale_h**3 * WEIGHT * (WEIGHT - M) * INVERSE**3
SLOPE = M * total("h", scale_h * INVERSE) + LEAN * total("h", PULL)
"""What rho' is."""
END_SLOPE = M / n * total_scale + beta * total("h", scale_h**2) / n
"""rho'(1)."""


def denominators(p: Proof) -> None:
    """n - 1 > 0 and e^t + n - 1 > 0 for every head and every gamma; |lambda| >= +-lambda."""
    several_tokens(p)
    for t in (gamma, gamma_0, gamma_1, scalar(1)):
        weight = exp(beta * scale_h * (1 - t))
        p.positive(weight + n - 1, form=weight + M)
    p.absolute(scale_h)
    p.absolute(scale_h, negative=True)
    p.nonnegative(SIZE)


def summed(p: Proof, term: Scalar, form: Scalar) -> Judgement:
    """The sum over the heads of an equation between terms of one head."""
    return p.sum_compare(p.equal(term, form), "h")


def near_one(p: Proof, start: Scalar) -> None:
    """1 + m gamma >= 0 and n - (1 + m gamma) = m(1 - gamma) >= 0 for start <= gamma <= 1, where 1 + m start >= 0."""
    p.nonnegative(LEAN, form=(1 + M * start) + M * (gamma - start))
    p.nonnegative(1 - gamma)


def lean_form() -> Scalar:
    """n/(4m) - (1 + m gamma) e/D^2 = (1 - gamma)/4 + (1 + m gamma)(e - m)^2/(4 m D^2)."""
    return (1 - gamma) / 4 + LEAN * (WEIGHT - M) ** 2 * (1 / (4 * M)) * INVERSE**2


def slope_term(side: int) -> tuple[Scalar, Scalar]:
    """One head's part of R -+ rho', and a form that shows it not to be negative."""
    term = SIZE + n * beta * scale_h**2 / (4 * M) - side * (M * scale_h * INVERSE) - side * (LEAN * PULL)
    first = (SIZE - side * scale_h) * M * INVERSE + SIZE * WEIGHT * INVERSE
    if side > 0:
        return term, first + beta * scale_h**2 * lean_form()
    return term, first + beta * scale_h**2 * (n / (4 * M) + LEAN * WEIGHT * INVERSE**2)


def bend_term(side: int) -> tuple[Scalar, Scalar]:
    """One head's part of R2 +- rho'', and a form that shows it not to be negative."""
    term = (
        beta * scale_h**2 / 2
        + n * beta**2 * scale_h**2 * SIZE / (4 * M)
        + side * (2 * M * PULL)
        + side * (LEAN * BEND)
    )
    first = (WEIGHT + M) ** 2 if side > 0 else (WEIGHT - M) ** 2
    rest = INVERSE**2 * first / 2 if side < 0 else Scalar(scalar(1)) / 2 + 2 * M * WEIGHT * INVERSE**2
    signs = WEIGHT * (SIZE + side * scale_h) + M * (SIZE - side * scale_h)
    return term, beta * scale_h**2 * rest + beta**2 * scale_h**2 * (
        SIZE * lean_form() + LEAN * WEIGHT * INVERSE**3 * signs
    )


CONDITIONS = conj(gt(1, gamma_1), ge(1 + M * gamma_1, 0))
DISTANCE = 1 - gamma_1
LACK = total_scale - rho(gamma_1)


def ends(p: Proof) -> Judgement:
    """rho(1) = Lambda."""
    return p.equal(rho(1), total_scale)


def steepness(p: Proof) -> Judgement:
    """R(1 - gamma) >= +-(Lambda - rho(gamma)): R gamma -+ rho(gamma) rises up to gamma = 1."""
    end = ends(p)
    slope_is = p.equal(rate("d_gamma", rho(gamma)), SLOPE)
    shown = []
    with p.assuming(CONDITIONS) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        for side in (1, -1):
            function = rho_steepness * gamma - side * rho(gamma)
            with p.assuming(ge(gamma, gamma_1), ge(1, gamma)):
                near_one(p, gamma_1)
                term, form = slope_term(side)
                parts = summed(p, term, form)
                rises = p.nonnegative(
                    rate("d_gamma", function), form=total("h", form), using=[(1, parts), (-side, slope_is)]
                )
            grown = p.increasing(function, "gamma", rises, p.last(gt(1, gamma_1)))
            bound = rho_steepness * DISTANCE
            shown.append(
                p.compare(
                    ge(bound, side * LACK),
                    form=Scalar(grown.shows[1]) - Scalar(grown.shows[2]),
                    using=[(-side, end)],
                    opaque=CLOSED,
                )
            )
        return p.discharge(assumed.shows, p.conjunction(*shown))


def bend(p: Proof) -> Judgement:
    """R2 (1 - gamma)^2/2 >= +-(Lambda - rho(gamma) - rho'(1)(1 - gamma)): R2 gamma^2/2 +- rho is convex."""
    end = ends(p)
    slope_is = p.equal(rate("d_gamma", rho(gamma)), SLOPE)
    curve_is = p.equal(
        rate("d_gamma", rate("d_gamma", rho(gamma))), 2 * M * total("h", PULL) + LEAN * total("h", BEND)
    )
    at_end = p.equal(p.value(SLOPE, "gamma", 1), END_SLOPE)
    shown = []
    with p.assuming(CONDITIONS) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        inside = [
            p.compare(ge(1, gamma_1)),
            p.compare(ge(gamma_1, gamma_1)),
            p.compare(ge(1, 1)),
            p.compare(ge(1, gamma_1)),
        ]
        for side in (1, -1):
            function = rho_bend * gamma**2 / 2 + side * rho(gamma)
            derivative = rho_bend * gamma + side * SLOPE
            with p.assuming(ge(gamma, gamma_1), ge(1, gamma)):
                near_one(p, gamma_1)
                term, form = bend_term(side)
                parts = summed(p, term, form)
                curve = p.nonnegative(
                    rate("d_gamma", rate("d_gamma", function)),
                    form=total("h", form),
                    using=[(1, parts), (side, curve_is)],
                )
            slope = p.equal(rate("d_gamma", function), derivative, using=[(side, slope_is)])
            above = p.tangent_below(function, "gamma", curve, slope, inside, 1, gamma_1, gamma_1, 1)
            shown.append(
                p.compare(
                    ge(rho_bend * DISTANCE**2 / 2, side * (LACK - END_SLOPE * DISTANCE)),
                    form=Scalar(above.shows[1]) - Scalar(above.shows[2]),
                    using=[(side, end), (-side * DISTANCE, at_end)],
                    opaque=CLOSED,
                )
            )
        return p.discharge(assumed.shows, p.conjunction(*shown))


def above_minimum(p: Proof, bound: Judgement, at: ScalarLike, *inside: Judgement) -> Judgement:
    """rho(t) >= rho_min > 0 at a t of [gamma_0, 1]."""
    _, name, body = bound.shows
    there = p.step("forall_elim", p.value(body, name, at), bound, term=scalar(at))
    known = p.modus(there, p.conjunction(*inside))
    p.positive(rho(at), form=(rho(at) - rho_min) + rho_min, opaque=CLOSED)
    return known


@proves("thm22.late", "speed")
def speed(p: Proof) -> None:
    """Theorem 22's equation with rho for its last two factors."""
    weights(p)
    for_pairs(p, claim.LATE_SPEED)


@proves("thm22.late", "example")
def example(p: Proof) -> None:
    """Every term is at least 0, and that of the positive head is greater."""
    several_tokens(p)
    weight = exp(beta * scale_h * (1 - gamma))
    p.positive(weight + n - 1, form=weight + M)

    def term(index: str) -> Scalar:
        scale = symbol("lambda", index)
        return scale / (exp(beta * scale * (1 - gamma)) + n - 1)

    with p.assuming(claim.EXAMPLE[3][1]) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        shown = p.positive(rho(gamma), form=LEAN * (term("g") + total("h", term("h"), ["g"])))
        inner = p.discharge(assumed.shows, shown)
    p.for_every("g", inner)
