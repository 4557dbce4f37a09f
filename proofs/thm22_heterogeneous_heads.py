"""Theorem 22: heterogeneous scalar heads on the equiangular path.

Statement: an equiangular configuration moves in its common inner product gamma alone, at explicit rates under SA and USA. At
gamma = 0 the SA rate is the sum of phi(lambda_h), phi(mu) = 2 mu/(e^{beta mu} + n - 1): one peak, one inflection beyond it.
So a split of two heads is faster than two equal ones exactly for small deviations beyond the inflection; and one head is always
slower than several of the same total. Under USA every split is faster, for gamma > 0.
Hypotheses: scalar heads, equiangular tokens; n >= 2 where phi is concerned; positive scales where said.
Notation: u = beta mu, m = n - 1, F1(u) = (u-1)e^u - m, F2(u) = (u-2)e^u - (u+2)m, u_c the positive root of F2.
Method: one differentiation for the rates; then convexity of F2 and e^t >= 1 + t.
Not proved here: that solutions of the flow are unique, and separation of variables.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    INFINITY,
    H,
    Formula,
    Scalar,
    ScalarLike,
    conj,
    disj,
    eq,
    exp,
    ge,
    gt,
    iff,
    implies,
    le,
    lt,
    n,
    ne,
    rate,
    root,
    scalar,
    symbol,
    total,
    unique,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, scale_h
from antumbra.proofs.statements import thm22 as claim
from antumbra.proofs.statements.thm22 import mu, nu, phi, xi
from antumbra.proofs.tactics import exp_increases

M = n - 1


# --- the flow closes -------------------------------------------------------------------------------------------------


def weights(p: Proof) -> None:
    """e^{beta lambda_h (1 - gamma)} + n - 1 > 0, since there is a token."""
    p.step("size", ge(n, 1))
    p.nonnegative(M)
    for exponent in (beta * scale_h * (1 - claim.gamma), beta * scale_h):
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
    for index, excluded in (("l", ["k"]), ("k", []), ("j", ["i"]), ("i", [])):
        same = p.for_every(index, same, excluded)
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
    """gamma = 0 in the equation."""
    weights(p)
    for_pairs(p, claim.EARLY_SA)


@proves("thm22.early", "unnormalised")
def early_unnormalised(p: Proof) -> None:
    """gamma = 0 in the equation."""
    for_pairs(p, claim.EARLY_USA)


# --- the shape of phi ------------------------------------------------------------------------------------------------


def denominator(p: Proof, exponent: ScalarLike) -> Judgement:
    """e^t + n - 1 > 0; needs n - 1 > 0 among the facts."""
    return p.positive(exp(exponent) + n - 1, form=exp(exponent) + M)


def several_tokens(p: Proof) -> None:
    """n - 1 > 0 from n >= 2."""
    p.positive(M, form=(n - 2) + 1)


PEAK = 1 + Scalar(("fn", "W", M * exp(-1)))


def peak_point(p: Proof) -> Judgement:
    """u = 1 + W(m/e) > 1 solves (u - 1) e^u = m."""
    several_tokens(p)
    p.positive(M * exp(-1))
    p.positive(PEAK)
    return p.equal((PEAK - 1) * exp(PEAK), M)


@proves("thm22.phi_shape", "peak")
def peak(p: Proof) -> None:
    """phi(lambda_max) = 2 e^{-u}/beta; it exceeds phi(t/beta) exactly as e^{t-u} exceeds 1 + (t - u)."""
    peak_point(p)
    t, highest = beta * mu, 2 * exp(-PEAK) / beta
    denominator(p, t)
    denominator(p, PEAK)
    value = p.equal(phi(claim.lambda_max), highest)
    with p.assuming(claim.PEAK[1]) as (assumed,):
        p.component(assumed, 1)
        apart = p.compare(ne(t - PEAK, 0), form=beta * (mu - claim.lambda_max))
        p.exp_tangent(t - PEAK, apart)
        excess = exp(t - PEAK) - (1 + (t - PEAK))
        gap = 2 / beta * (1 / (exp(t) + n - 1)) * excess
        spread = p.equal(highest - phi(mu), gap)
        shown = p.compare(claim.PEAK[2], form=gap, using=[(1, value), (1, spread)])
        p.discharge(assumed.shows, shown)


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
    """phi' = -2 F1(u)/(e^u + m)^2."""
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
    """phi'' = 2 beta e^u F2(u)/(e^u + m)^3."""
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
    """tanh((u - log m)/2) = (e^u - m)/(e^u + m), and u(e^u - m) = 2(e^u + m) is the equation of u_c."""
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
    """-F2 rises for xi < 1; at -3 it is 5 e^{-3} - m < 0, since e^3 > (5/2)^2 > 5 and m >= 1, and at -2 it is 4 e^{-2}."""
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


# --- one head against several ----------------------------------------------------------------------------------------


@proves("thm22.literal_superadditive.amended", "ratio_falls")
def ratio_falls(p: Proof) -> None:
    """phi(mu)/mu = 2/(e^{beta mu} + m), and e^{beta mu} rises."""
    several_tokens(p)
    low, high = beta * claim.mu_1, beta * claim.mu_2
    denominator(p, low)
    denominator(p, high)
    with p.assuming(claim.RATIO_FALLS[1]) as (assumed,):
        p.positive(high - low, form=beta * (claim.mu_2 - claim.mu_1))
        exp_increases(p, low, high, strict=True)
        gap = 2 * (exp(high) - exp(low)) * (1 / (exp(low) + n - 1)) * (1 / (exp(high) + n - 1))
        spread = p.equal(phi(claim.mu_1) / claim.mu_1 - phi(claim.mu_2) / claim.mu_2, gap)
        p.discharge(assumed.shows, p.compare(claim.RATIO_FALLS[2], form=gap, using=[(1, spread)]))


def less_of_total(p: Proof, scale: Scalar, whole: Scalar, strict: bool) -> tuple[Scalar, Judgement]:
    """phi(s) - s phi(t)/t = 2 s (e^{beta t} - e^{beta s}) / ((e^{beta s} + m)(e^{beta t} + m)) for s < t (or s <= t)."""
    low, high = beta * scale, beta * whole
    denominator(p, low)
    p.compare((gt if strict else ge)(high - low, 0), form=beta * (whole - scale))
    exp_increases(p, low, high, strict=strict)
    gap = 2 * scale * (exp(high) - exp(low)) * (1 / (exp(low) + n - 1)) * (1 / (exp(high) + n - 1))
    return gap, p.equal(phi(scale) - 2 * scale * (1 / (exp(high) + n - 1)), gap)


@proves("thm22.literal_superadditive.amended", "subadditive")
def subadditive(p: Proof) -> None:
    """mu_1 and mu_2 are both less than their sum."""
    several_tokens(p)
    whole = claim.mu_1 + claim.mu_2
    denominator(p, beta * whole)
    gaps = []
    for scale, other in ((claim.mu_1, claim.mu_2), (claim.mu_2, claim.mu_1)):
        p.positive(whole - scale, form=other)
        gaps.append(less_of_total(p, scale, whole, strict=True))
    (first, one), (second, two) = gaps
    p.compare(claim.SUBADDITIVE, form=first + second, using=[(1, one), (1, two)])


@proves("thm22.literal_superadditive.amended", "one_head")
def one_head(p: Proof) -> None:
    """Every scale is at most the total, and strictly less if there is another head."""
    several_tokens(p)
    whole = claim.DRIFT
    mine, any_one = symbol("lambda", "g"), symbol("lambda", "g1")
    denominator(p, beta * whole)
    p.nonnegative(whole - any_one, form=total("h1", symbol("lambda", "h1"), ["g1"]))
    weak, each = less_of_total(p, any_one, whole, strict=False)
    together = p.sum_compare(each, "g1")
    with p.apart(("h", "g")):
        p.positive(whole - mine, form=scale_h + total("g1", any_one, ["g", "h"]))
        strict, _ = less_of_total(p, mine, whole, strict=True)
        shown = p.compare(
            lt(phi(whole), total("h", phi(scale_h))),
            form=strict + total("g1", weak, ["g"]),
            using=[(1, together)],
        )
    p.for_every("g", p.for_every("h", shown, ["g"]))


# --- USA: every split is faster --------------------------------------------------------------------------------------

MEAN = claim.mean_scale
CLOSED_MEAN = ["mean_scale"]


def deviation(index: str) -> Scalar:
    """lambda_h - mean."""
    return symbol("lambda", index) - MEAN


def mean_is(p: Proof) -> Judgement:
    """H times the mean is the total."""
    return p.equal(H * MEAN, claim.DRIFT)


def if_unequal(p: Proof, conclude: Callable[[str], Judgement]) -> None:
    """What follows from one scale's being other than the mean follows if two heads differ: one of them is other than the mean.

    `conclude` is given the index of the head whose scale is known not to be the mean.
    """
    mine, other = symbol("lambda", "g"), symbol("lambda", "h")
    with p.assuming(ne(mine, other)) as (apart,):
        choice = p.step("compare", disj(eq(mine, MEAN), ne(mine, MEAN)))
        with p.assuming(eq(mine, MEAN)) as (same,):
            p.compare(ne(other, MEAN), form=-(mine - other), using=[(1, same)], opaque=CLOSED_MEAN)
            first = conclude("h")
        with p.assuming(ne(mine, MEAN)):
            second = conclude("g")
        shown = p.discharge(apart.shows, p.cases(choice, first, second))
    p.for_every("g", p.for_every("h", shown))


def above_tangent(p: Proof, index: str) -> Scalar:
    """s e^{cs} above its tangent at the mean M: e^{cM} (s (e^z - 1 - z) + c (s - M)^2) with z = c(s - M), c = beta gamma."""
    c = beta * claim.gamma
    z = c * deviation(index)
    return exp(c * MEAN) * (symbol("lambda", index) * (exp(z) - (1 + z)) + c * deviation(index) ** 2)


def usa_split_faster(p: Proof, index: str, mean: Judgement) -> Judgement:
    """The sum exceeds that of equal heads; gamma > 0 and lambda_index != mean are among the facts."""
    form = above_tangent(p, index) + total("g1", above_tangent(p, "g1"), [index])
    c = beta * claim.gamma
    return p.compare(
        gt(claim.USA_SUM, claim.EQUAL_SUM),
        form=form,
        using=[(-(1 + c * MEAN) * exp(c * MEAN), mean)],
        opaque=CLOSED_MEAN,
    )


@proves("thm22.superadditive_usa", "faster")
def usa_faster(p: Proof) -> None:
    """The tangent at the mean of lambda e^{beta lambda gamma}: the deviations from the mean add up to 0."""
    p.exp_tangent(beta * claim.gamma * deviation("g1"))
    mean = mean_is(p)
    if_unequal(p, lambda index: usa_split_faster(p, index, mean))


@proves("thm22.superadditive_usa", "start")
def usa_start(p: Proof) -> None:
    """Both are the total of the scales."""
    p.equal(claim.USA_START[1], claim.USA_START[2])


@proves("thm22.superadditive_usa", "time")
def usa_time(p: Proof) -> None:
    """The integrand 1/speed is smaller for the split at every gamma between."""
    gamma, start, end = claim.gamma, claim.gamma_0, claim.gamma_1
    p.exp_tangent(beta * gamma * deviation("g1"))
    mean = mean_is(p)
    p.positive(MEAN)
    p.step("size", ge(n, 1))
    p.nonnegative(M)
    split, equal, front = claim.USA_SUM, claim.EQUAL_SUM, 2 / n * claim.PREFACTOR
    p.positive(split)
    p.positive(equal, opaque=CLOSED_MEAN)

    def front_positive() -> None:
        p.positive(1 - gamma, form=(1 - end) + (end - gamma))
        p.positive(1 + M * gamma, form=1 + M * ((gamma - start) + start))
        p.positive(front, form=2 / n * (1 - gamma) * (1 + M * gamma))
        p.positive(front * split, form=front * split)
        p.positive(front * equal, form=front * equal, opaque=CLOSED_MEAN)

    with p.assuming(le(start, gamma), le(gamma, end)):
        front_positive()

    def conclude(index: str) -> Judgement:
        with p.assuming(gt(gamma, start), gt(end, gamma)):
            front_positive()
            p.positive(gamma, form=(gamma - start) + start)
            usa_split_faster(p, index, mean)
            gap = (split - equal) * (1 / split) * (1 / equal) * (1 / front)
            slow, fast = 1 / (front * equal), 1 / claim.USA_SPEED
            spread = p.equal(slow - fast, gap, opaque=CLOSED_MEAN)
            longer = p.compare(gt(slow, fast), form=gap, using=[(1, spread)], opaque=CLOSED_MEAN)
        times = p.integral_compare("gamma", longer, p.last(gt(end, start)))
        return p.compare(
            lt(claim.TIME_SPLIT, claim.TIME_EQUAL), form=claim.TIME_EQUAL - claim.TIME_SPLIT, facts=[times]
        )

    if_unequal(p, conclude)
