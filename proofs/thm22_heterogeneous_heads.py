"""Theorem 22: the equiangular flow of scalar heads, and the shape of its early rate.

Statement: an equiangular configuration moves in its common inner product gamma alone, at explicit rates.
At gamma = 0 the SA rate is the sum of phi(lambda_h), phi(mu) = 2 mu/(e^{beta mu} + n - 1), with one peak and then one
inflection.
Hypotheses: scalar heads, equiangular tokens; n >= 2 where phi is concerned.
Notation: u = beta mu, m = n - 1, F1(u) = (u-1)e^u - m, F2(u) = (u-2)e^u - (u+2)m, u_c the positive root of F2.
Method: one differentiation for the rates; then convexity of F2 and e^t >= 1 + t.
Not proved here: that solutions of the flow are unique.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    Scalar,
    ScalarLike,
    conj,
    eq,
    exp,
    ge,
    gt,
    iff,
    n,
    ne,
    rate,
    root,
    unique,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, gamma, scale_h
from antumbra.proofs.statements import thm22 as claim
from antumbra.proofs.statements.thm22 import mu, phi, xi

M = n - 1


# --- the flow closes -------------------------------------------------------------------------------------------------


def weights(p: Proof) -> None:
    """e^{beta lambda_h (1 - gamma)} + n - 1 > 0, since there is a token."""
    p.step("size", ge(n, 1))
    p.nonnegative(M)
    for exponent in (beta * scale_h * (1 - gamma), beta * scale_h):
        p.positive(exp(exponent) + n - 1, form=exp(exponent) + M)


def for_pairs(p: Proof, formula: Formula) -> Judgement:
    """An identity for all i and j != i, by normal form."""
    identity = formula[3][3]
    with p.apart(("j", "i")):
        shown = p.equal(identity[1], identity[2])
    return p.for_every("i", p.for_every("j", shown, ["i"]))


@proves("thm22.invariance", "gram_usa")
def gram_usa(p: Proof) -> None:
    """d<x_i, x_j> = <P v_i, x_j> + <x_i, P v_j>, and <P v_i, x_j> = <v_i, x_j> - <v_i, x_i><x_i, x_j>."""
    identity = claim.GRAM_USA[3][3]
    p.for_every("i", p.for_every("j", p.equal(identity[1], identity[2])))


@proves("thm22.invariance", "gram_sa")
def gram_sa(p: Proof) -> None:
    """The same, with every head divided by its normaliser."""
    identity = claim.GRAM_SA[3][3]
    p.for_every("i", p.for_every("j", p.equal(identity[1], identity[2])))


def one_rate(p: Proof, flow: str, speed: Scalar) -> None:
    """Every pair of distinct tokens has the rate `speed`."""
    mine, other = rate(flow, claim.pair()), rate(flow, claim.pair("k", "l"))
    with p.apart(("j", "i"), ("l", "k")):
        same = p.transitive(p.equal(mine, speed), p.flip(p.equal(other, speed)))
    for index, others in (("l", ["k"]), ("k", []), ("j", ["i"]), ("i", [])):
        same = p.for_every(index, same, others)
    still = p.for_every("i", p.equal(rate(flow, claim.pair("i", "i")), 0))
    p.conjunction(same, still)


@proves("thm22.invariance", "usa")
def invariance_usa(p: Proof) -> None:
    """All pairs have the rate of Theorem 22's equation."""
    one_rate(p, "usa_sphere", claim.USA_SPEED)


@proves("thm22.invariance", "sa")
def invariance_sa(p: Proof) -> None:
    """All pairs have the rate of Theorem 22's equation."""
    weights(p)
    one_rate(p, "sa_sphere", claim.SA_SPEED)


@proves("thm22.ode_sa", "rate")
def ode_sa(p: Proof) -> None:
    """Z = e^{beta lambda} + (n-1) e^{beta lambda gamma}, and f_i leans on x_j by (1-gamma)(1 + (n-1) gamma)."""
    weights(p)
    for_pairs(p, claim.ODE_SA)


@proves("thm22.ode_usa", "rate")
def ode_usa(p: Proof) -> None:
    """The same without the normalisers."""
    for_pairs(p, claim.ODE_USA)


@proves("thm22.early", "softmax")
def early_softmax(p: Proof) -> None:
    """Here gamma = 0 in the equation."""
    weights(p)
    for_pairs(p, claim.EARLY_SA)


@proves("thm22.early", "unnormalised")
def early_unnormalised(p: Proof) -> None:
    """Here gamma = 0 in the equation."""
    for_pairs(p, claim.EARLY_USA)


# --- the shape of phi ------------------------------------------------------------------------------------------------


def denominator(p: Proof, exponent: ScalarLike) -> Judgement:
    """e^t + n - 1 > 0; needs n - 1 > 0 among the facts."""
    return p.positive(exp(exponent) + n - 1, form=exp(exponent) + M)


def several_tokens(p: Proof) -> None:
    """Here n - 1 > 0 from n >= 2."""
    p.positive(M, form=(n - 2) + 1)


PEAK = 1 + Scalar(("fn", "W", M * exp(-1)))


def peak_point(p: Proof) -> Judgement:
    """Here u = 1 + W(m/e) > 1 solves (u - 1) e^u = m."""
    several_tokens(p)
    p.positive(M * exp(-1))
    p.positive(PEAK)
    return p.equal((PEAK - 1) * exp(PEAK), M)


@proves("thm22.phi_shape", "peak")
def peak(p: Proof) -> None:
    """If F1(u) = 0, phi(u/beta) = 2 e^{-u}/beta; it exceeds phi(t/beta) exactly as e^{t-u} exceeds 1 + (t - u)."""
    several_tokens(p)
    t, highest = beta * mu, 2 * exp(-xi) / beta
    denominator(p, t)
    denominator(p, xi)
    conditions = conj(eq(claim.shape_1(xi), 0), ne(t - xi, 0))
    with p.assuming(conditions) as (assumed,):
        root, apart = p.component(assumed, 0), p.component(assumed, 1)
        # e^{-u} (e^u + m) = u, since m = (u - 1) e^u.
        weight = 2 * exp(-xi) / beta * (1 / (exp(xi) + n - 1))
        value = p.equal(phi(xi / beta), highest, using=[(weight, root)])
        p.exp_tangent(t - xi, apart)
        excess = exp(t - xi) - (1 + (t - xi))
        gap = 2 / beta * (1 / (exp(t) + n - 1)) * excess
        spread = p.equal(highest - phi(mu), gap, using=[(-2 / beta * exp(-xi) * (1 / (exp(t) + n - 1)), root)])
        higher = p.compare(gt(phi(xi / beta), phi(mu)), form=gap, using=[(1, value), (1, spread)])
        whatever = p.discharge(conditions, higher)
    peak_point(p)
    here = p.instance(whatever, scalars={"xi": PEAK})
    zero = p.equal(claim.shape_1(PEAK), 0)
    denominator(p, claim.lambda_max * beta)
    with p.assuming(claim.PEAK[1]) as (assumed,):
        p.component(assumed, 1)
        apart = p.compare(ne(t - PEAK, 0), form=beta * (mu - claim.lambda_max))
        shown = p.modus(here, p.conjunction(zero, apart))
        highest_value, other = claim.PEAK[2][1], claim.PEAK[2][2]
        higher = p.compare(claim.PEAK[2], form=highest_value - other, facts=[shown])
        p.discharge(assumed.shows, higher)


def at_root(p: Proof, side: Judgement, equation: Judgement) -> Judgement:
    """A statement about a root, with what the root equals put for it."""
    _, (tag, *sides), right = side.shows
    old, new = equation.shows[1], equation.shows[2]
    moved = Formula((right[0], *(new if term == old else term for term in right[1:])))
    return p.rewritten(equation, side, iff(Formula((tag, *sides)), moved))


def peak_side(p: Proof, side: str) -> Judgement:
    """The sign of F1(beta mu) against the side of the peak: F1 rises, from below 0 to above."""
    peak_point(p)
    t = beta * mu
    p.positive(t)
    statement = unique("xi", 0, INFINITY, claim.shape_1(xi))
    with p.assuming(gt(xi, 0)):
        rises = p.positive(rate("d_xi", claim.shape_1(xi)), form=xi * exp(xi))
    p.exp_tangent(n)
    bracket = [
        p.compare(gt(0, claim.shape_1(0)), form=1 + M),
        p.positive(claim.shape_1(n), form=M * ((exp(n) - (1 + n)) + n)),
        p.compare(gt(n, 0), form=n),
    ]
    only = p.only_root(statement, rises, bracket, 0, n)
    zero = p.equal(claim.shape_1(PEAK), 0)
    equation = p.root_is(only, zero, p.last(gt(PEAK, 0)), value=PEAK)
    found = p.root_side(only, bracket, [p.last(gt(t, 0))], t, 0, n, side)
    return at_root(p, found, equation)


@proves("thm22.phi_shape", "rises_falls")
def rises_falls(p: Proof) -> None:
    """Here phi' = -2 F1(u)/(e^u + m)^2."""
    t = beta * mu
    several_tokens(p)
    weight = denominator(p, t)
    del weight
    scale = 2 * (1 / (exp(t) + n - 1)) ** 2
    with p.assuming(claim.POSITIVE_SCALE) as (assumed,):
        before = p.chain(
            p.scaled(gt(claim.SLOPE, 0), gt(0, claim.shape_1(t)), scale),
            peak_side(p, "<"),
            p.scaled(gt(PEAK, t), gt(claim.lambda_max, mu), beta),
        )
        after = p.chain(
            p.scaled(gt(0, claim.SLOPE), gt(claim.shape_1(t), 0), scale),
            peak_side(p, ">"),
            p.scaled(gt(t, PEAK), gt(mu, claim.lambda_max), beta),
        )
        p.discharge(assumed.shows, p.conjunction(before, after))


# --- the root of F2 --------------------------------------------------------------------------------------------------

F2 = claim.shape_2(xi)
INSIDE = root("xi", F2, 0, n + 4)


def inflection_root(p: Proof, hi: ScalarLike = INFINITY) -> tuple[Judgement, list[Judgement]]:
    """F2 < 0 at 0, F2'' = xi e^xi > 0, and F2(m + 4) = (m + 2)(e^{m+4} - (m + 5)) + m + 10 > 0: one positive root."""
    several_tokens(p)
    b = n + 3
    with p.assuming(gt(xi, 0)):
        curve = p.positive(rate("d_xi", rate("d_xi", F2)), form=xi * exp(xi))
    p.exp_tangent(b)
    bracket = [
        p.compare(gt(0, claim.shape_2(0)), form=2 + 2 * M),
        p.positive(claim.shape_2(b), form=(n + 1) * (exp(b) - (1 + b)) + n + 9),
        p.compare(gt(b, 0), form=b),
    ]
    if hi != INFINITY:
        bracket.append(p.compare(gt(hi, b), form=1))
    return p.only_root(unique("xi", 0, hi, F2), curve, bracket, 0, b, convex=True), bracket


def shape_side(p: Proof, t: ScalarLike, above: Judgement, side: str) -> Judgement:
    """The sign of F2(t) against the side of u_c on which t > 0 lies."""
    only, bracket = inflection_root(p)
    inner, _ = inflection_root(p, n + 4)
    zero, positive = p.root_facts(only)
    r = Scalar(positive.shows[1])
    last = n + 4
    p.exp_tangent(last)
    beyond = p.positive(claim.shape_2(last), form=(n + 2) * (exp(last) - (1 + last)) + n * 2 + 16)
    ends = p.root_side(only, bracket, [p.compare(gt(last, 0), form=last)], last, 0, n + 3, ">")
    below = p.modus(p.direction(ends), beyond)
    same = p.flip(p.root_is(inner, zero, positive, below, value=r))
    return at_root(p, p.root_side(only, bracket, [above], t, 0, n + 3, side), same)


@proves("thm22.phi_shape", "only_root")
def only_root(p: Proof) -> None:
    """A convex function that starts below 0 and ends above it."""
    inflection_root(p)


@proves("thm22.phi_shape", "above_two")
def above_two(p: Proof) -> None:
    """F2(2) = -4m < 0."""
    inflection_root(p, n + 4)
    several_tokens(p)
    negative = p.compare(gt(0, claim.shape_2(2)), form=4 * M)
    side = shape_side(p, 2, p.compare(gt(2, 0), form=2), "<")
    above = p.modus(p.direction(side), negative)
    p.compare(claim.ABOVE_TWO, form=INSIDE - 2, facts=[above])


@proves("thm22.phi_shape", "inflection")
def inflection(p: Proof) -> None:
    """Here phi'' = 2 beta e^u F2(u)/(e^u + m)^3."""
    t = beta * mu
    inflection_root(p, n + 4)
    several_tokens(p)
    denominator(p, t)
    scale = 2 * beta * exp(t) * (1 / (exp(t) + n - 1)) ** 3
    with p.assuming(claim.POSITIVE_SCALE) as (assumed,):
        above = p.positive(t)
        convex = p.chain(
            p.scaled(gt(claim.CURVATURE, 0), gt(claim.shape_2(t), 0), scale),
            shape_side(p, t, above, ">"),
            p.scaled(gt(t, INSIDE), gt(mu, claim.lambda_c), beta),
        )
        concave = p.chain(
            p.scaled(gt(0, claim.CURVATURE), gt(0, claim.shape_2(t)), scale),
            shape_side(p, t, above, "<"),
            p.scaled(gt(INSIDE, t), gt(claim.lambda_c, mu), beta),
        )
        p.discharge(assumed.shows, p.conjunction(convex, concave))


@proves("thm22.phi_shape", "tanh")
def tanh(p: Proof) -> None:
    """The hyperbolic tangent is (e^u - m)/(e^u + m) there, and u(e^u - m) = 2(e^u + m) is the equation of u_c."""
    only, _ = inflection_root(p, n + 4)
    zero, above, _ = p.root_facts(only)
    denominator(p, mu)
    condition, form = conj(eq(claim.shape_2(mu), 0), gt(mu, 0)), eq(claim.tanh_form(mu), 2 / mu)
    with p.assuming(condition) as (assumed,):
        solves = p.component(assumed, 0)
        p.component(assumed, 1)
        shown = p.equal(form[1], form[2], using=[(1 / mu * (1 / (exp(mu) + n - 1)), solves)])
        whatever = p.discharge(condition, shown)
    here = p.modus(p.instance(whatever, scalars={"mu": INSIDE}), p.conjunction(zero, above))
    p.equal(claim.TANH[1], claim.TANH[2], using=[(1, here)])


@proves("thm22.phi_shape", "negative_root")
def negative_root(p: Proof) -> None:
    """-F2 rises for xi < 1, from 5 e^{-3} - m < 0 at -3, since e^3 > (5/2)^2 > 5 and m >= 1, to 4 e^{-2} at -2."""
    several_tokens(p)
    function = -F2
    with p.assuming(gt(0, xi)):
        rises = p.positive(rate("d_xi", function), form=M + ((0 - xi) + 1) * exp(xi))
    half = Fraction(3, 2)
    p.exp_tangent(half)
    bracket = [
        p.compare(
            gt(0, -claim.shape_2(-3)),
            form=(n - 2) + exp(-3) * ((exp(half) - (1 + half)) * (exp(half) + 1 + half) + Fraction(5, 4)),
        ),
        p.positive(-claim.shape_2(-2), form=4 * exp(-2)),
        p.compare(gt(-2, -3)),
        p.compare(gt(0, -2)),
    ]
    p.only_root(claim.NEGATIVE_ROOT, rises, bracket, -3, -2)


@proves("thm22.phi_shape", "order")
def order(p: Proof) -> None:
    """At u = beta lambda_max, where m = (u-1)e^u, F2(u) = -u^2 e^u < 0."""
    inflection_root(p, n + 4)
    peak_point(p)
    negative = p.compare(gt(0, claim.shape_2(PEAK)), form=PEAK**2 * exp(PEAK))
    side = shape_side(p, PEAK, p.last(gt(PEAK, 0)), "<")
    below = p.modus(p.direction(side), negative)
    p.compare(claim.ORDER, form=1 / beta * (INSIDE - PEAK), facts=[below])
