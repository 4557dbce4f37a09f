"""Theorem 22: heterogeneous heads against equal heads of the same total.

Statement: a split of two heads is faster at gamma = 0 than two equal ones exactly for small deviations, and only beyond
the inflection of phi; one head is always slower than several of the same total. Under USA every split is faster, for
gamma > 0. Along the path heterogeneity turns from a help to a hindrance at an explicit gamma.
Hypotheses: n >= 2; positive scales where said.
Notation: u = beta mu, v = beta nu, m = n - 1, K = u tanh((u - log m)/2), N(v) = v(e^v + 1) - K(e^v - 1).
Method: tangents at the mean (Jensen); for two heads the sign of N, which is convex where it matters.
Not proved here: separation of variables.
"""

from __future__ import annotations

from collections.abc import Callable

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    H,
    Scalar,
    ScalarLike,
    disj,
    eq,
    exp,
    forall,
    ge,
    gt,
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
from antumbra.proofs.setting import beta, gamma, scale_h
from antumbra.proofs.statements import thm22_splits as claim
from antumbra.proofs.statements.thm22 import (
    DRIFT,
    POSITIVE_SCALE,
    PREFACTOR,
    SLOPE,
    gamma_0,
    gamma_1,
    lambda_c,
    mu,
    mu_1,
    mu_2,
    nu,
    phi,
    shape_2,
    u_c,
    xi,
)
from antumbra.proofs.tactics import exp_increases
from antumbra.proofs.thm19_critical_temperature import excluded
from antumbra.proofs.thm22_heterogeneous_heads import (
    INSIDE,
    M,
    denominator,
    inflection_root,
    several_tokens,
    shape_side,
)

# --- one head against several ----------------------------------------------------------------------------------------


@proves("thm22.literal_superadditive.amended", "ratio_falls")
def ratio_falls(p: Proof) -> None:
    """phi(mu)/mu = 2/(e^{beta mu} + m), and e^{beta mu} rises."""
    several_tokens(p)
    low, high = beta * mu_1, beta * mu_2
    denominator(p, low)
    denominator(p, high)
    with p.assuming(claim.RATIO_FALLS[1]) as (assumed,):
        p.positive(high - low, form=beta * (mu_2 - mu_1))
        exp_increases(p, low, high, strict=True)
        gap = 2 * (exp(high) - exp(low)) * (1 / (exp(low) + n - 1)) * (1 / (exp(high) + n - 1))
        spread = p.equal(phi(mu_1) / mu_1 - phi(mu_2) / mu_2, gap)
        p.discharge(assumed.shows, p.compare(claim.RATIO_FALLS[2], form=gap, using=[(1, spread)]))


def less_of_total(p: Proof, scale: Scalar, whole: Scalar, strict: bool) -> tuple[Scalar, Judgement]:
    """What s has over its share of t >= s: 2 s (e^{beta t} - e^{beta s}) / ((e^{beta s} + m)(e^{beta t} + m))."""
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
    whole = mu_1 + mu_2
    denominator(p, beta * whole)
    gaps = []
    for scale, other in ((mu_1, mu_2), (mu_2, mu_1)):
        p.positive(whole - scale, form=other)
        gaps.append(less_of_total(p, scale, whole, strict=True))
    (first, one), (second, two) = gaps
    p.compare(claim.SUBADDITIVE, form=first + second, using=[(1, one), (1, two)])


@proves("thm22.literal_superadditive.amended", "one_head")
def one_head(p: Proof) -> None:
    """Every scale is at most the total, and strictly less if there is another head."""
    several_tokens(p)
    whole = claim.HEADS_TOGETHER
    mine, any_one = symbol("lambda", "g"), symbol("lambda", "g1")
    denominator(p, beta * whole)
    p.nonnegative(whole - any_one, form=total("h1", symbol("lambda", "h1"), ["g1"]))
    weak, each = less_of_total(p, any_one, whole, strict=False)
    together = p.sum_compare(each, "g1")
    with p.apart(("h", "g")):
        p.positive(whole - mine, form=scale_h + total("g1", any_one, ["g", "h"]))
        strict, _ = less_of_total(p, mine, whole, strict=True)
        shown = p.compare(
            lt(phi(whole), claim.HEADS_APART),
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
    return p.equal(H * MEAN, DRIFT)


def if_unequal(p: Proof, conclude: Callable[[str], Judgement]) -> None:
    """What follows if one scale is not the mean follows if two heads differ: one of them is not the mean.

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


def above_tangent(index: str) -> Scalar:
    """How far s e^{cs} is above its tangent at the mean M, c = beta gamma, with z = c(s - M)."""
    c = beta * gamma
    z = c * deviation(index)
    form: Scalar = exp(c * MEAN) * (symbol("lambda", index) * (exp(z) - (1 + z)) + c * deviation(index) ** 2)
    return form


def usa_split_faster(p: Proof, index: str, mean: Judgement) -> Judgement:
    """The sum exceeds that of equal heads; gamma > 0 and lambda_index != mean are among the facts."""
    form = above_tangent(index) + total("g1", above_tangent("g1"), [index])
    c = beta * gamma
    return p.compare(
        gt(claim.SPLIT_SUM, claim.EQUAL_SUM),
        form=form,
        using=[(-(1 + c * MEAN) * exp(c * MEAN), mean)],
        opaque=CLOSED_MEAN,
    )


@proves("thm22.superadditive_usa", "faster")
def usa_faster(p: Proof) -> None:
    """The tangent at the mean of lambda e^{beta lambda gamma}: the deviations from the mean add up to 0."""
    p.exp_tangent(beta * gamma * deviation("g1"))
    mean = mean_is(p)
    if_unequal(p, lambda index: usa_split_faster(p, index, mean))


@proves("thm22.superadditive_usa", "start")
def usa_start(p: Proof) -> None:
    """Both are the total of the scales."""
    p.equal(claim.USA_START[1], claim.USA_START[2])


@proves("thm22.superadditive_usa", "time")
def usa_time(p: Proof) -> None:
    """The integrand 1/speed is smaller for the split at every gamma between."""
    start, end = gamma_0, gamma_1
    p.exp_tangent(beta * gamma * deviation("g1"))
    mean = mean_is(p)
    p.positive(MEAN)
    p.step("size", ge(n, 1))
    p.nonnegative(M)
    split, equal, front = claim.SPLIT_SUM, claim.EQUAL_SUM, 2 / n * PREFACTOR
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
            slow, fast = 1 / (front * equal), 1 / claim.SPLIT_SPEED
            spread = p.equal(slow - fast, gap, opaque=CLOSED_MEAN)
            longer = p.compare(gt(slow, fast), form=gap, using=[(1, spread)], opaque=CLOSED_MEAN)
        times = p.integral_compare("gamma", longer, p.last(gt(end, start)))
        return p.compare(
            lt(claim.TIME_SPLIT, claim.TIME_EQUAL), form=claim.TIME_EQUAL - claim.TIME_SPLIT, facts=[times]
        )

    if_unequal(p, conclude)


# --- two heads mu +- nu against two heads mu -------------------------------------------------------------------------

U, V = beta * mu, beta * nu
E, Q = exp(U), exp(V)
BOUND = claim.spread_bound(mu)
CLOSED_BOUND = ["spread_bound"]
SPREAD = claim.spread(xi, mu)
LOWEST = BOUND - 2
SPLIT_ROOT = root("xi", SPREAD, LOWEST, INFINITY)


def bound_is(p: Proof) -> Judgement:
    """Here u tanh((u - log m)/2) = u (e^u - m)/(e^u + m)."""
    several_tokens(p)
    denominator(p, U)
    return p.equal(BOUND, U * (E - M) * (1 / (E + n - 1)))


def spread_at(t: ScalarLike) -> Scalar:
    """N(t) = t(e^t + 1) - K(e^t - 1), with K the bound of mu."""
    return claim.spread(t, mu)


def beyond_bound(p: Proof, bound: Judgement) -> None:
    """Here u > 0 and K - 2 = F2(u)/(e^u + m) > 0; mu > lambda_c is among the facts."""
    only, _ = inflection_root(p, n + 4)
    p.root_facts(only)
    p.positive(lambda_c, form=1 / beta * INSIDE)
    p.positive(mu, form=(mu - lambda_c) + lambda_c)
    above = p.positive(U)
    further = p.compare(gt(U, INSIDE), form=beta * (mu - lambda_c))
    shape = p.modus(p.direction(shape_side(p, U, above, ">"), False), further)
    excess = shape_2(U) * (1 / (E + n - 1))
    over = p.equal(U * (E - M) * (1 / (E + n - 1)) - 2, excess)
    p.compare(gt(LOWEST, 0), form=excess, using=[(1, bound), (1, over)], opaque=CLOSED_BOUND)
    p.positive(BOUND, form=LOWEST + 2, opaque=CLOSED_BOUND)
    del shape


def split_root(p: Proof) -> tuple[Judgement, list[Judgement]]:
    """N(K - 2) = -2(e^v - 1 - v) < 0, N(K) = 2K > 0 and N'' = (xi - (K - 2)) e^xi > 0; K > 2 is among the facts."""
    with p.assuming(gt(xi, LOWEST)):
        curve = p.positive(rate("d_xi", rate("d_xi", SPREAD)), form=(xi - LOWEST) * exp(xi), opaque=CLOSED_BOUND)
    apart = p.compare(ne(LOWEST, 0), opaque=CLOSED_BOUND)
    p.exp_tangent(LOWEST, apart)
    bracket = [
        p.compare(gt(0, spread_at(LOWEST)), form=2 * (exp(LOWEST) - (1 + LOWEST)), opaque=CLOSED_BOUND),
        p.positive(spread_at(BOUND), form=2 * BOUND, opaque=CLOSED_BOUND),
        p.compare(gt(BOUND, LOWEST), form=2, opaque=CLOSED_BOUND),
    ]
    only = p.only_root(unique("xi", LOWEST, INFINITY, SPREAD), curve, bracket, LOWEST, BOUND, convex=True)
    p.root_facts(only)
    return only, bracket


def spread_side(p: Proof, side: str) -> Judgement:
    """The sign of N(v), v = beta nu, as the side of its root: below K - 2 it is negative, and the root lies above."""
    only, bracket = split_root(p)
    p.positive(V)
    p.exp_tangent(V, p.compare(ne(V, 0), form=V))
    left, right = {
        "<": (gt(0, spread_at(V)), gt(SPLIT_ROOT, V)),
        "=": (eq(spread_at(V), 0), eq(V, SPLIT_ROOT)),
    }[side]
    choice = p.step("compare", disj(ge(LOWEST, V), gt(V, LOWEST)))
    with p.assuming(ge(LOWEST, V)):
        p.positive(Q - 1, form=(Q - (1 + V)) + V)
        negative = p.compare(gt(0, spread_at(V)), form=(LOWEST - V) * (Q - 1) + 2 * (Q - (1 + V)), opaque=CLOSED_BOUND)
        below = p.compare(gt(SPLIT_ROOT, V), form=(SPLIT_ROOT - LOWEST) + (LOWEST - V))
        if side == "<":
            low = p.both_ways(p.discharge(left, below), p.discharge(right, negative))
        else:
            none = p.compare(ne(spread_at(V), 0), form=spread_at(V), facts=[negative])
            other = p.compare(ne(V, SPLIT_ROOT), form=V - SPLIT_ROOT, facts=[below])
            with p.assuming(left) as (zero,):
                forward = p.discharge(left, p.step("contradiction", right, zero, none))
            with p.assuming(right) as (same,):
                backward = p.discharge(right, p.step("contradiction", left, same, other))
            low = p.both_ways(forward, backward)
    with p.assuming(gt(V, LOWEST)) as (above,):
        high = p.root_side(only, bracket, [above], V, LOWEST, BOUND, side)
    return p.cases(choice, low, high)


def split_against_spread(p: Proof, tag: str, bound: Judgement) -> Judgement:
    """phi(mu+nu) + phi(mu-nu) - 2 phi(mu) = -(2/beta) e^u (1 - e^{-v}) N(v) / ((e^{u+v} + m)(e^{u-v} + m))."""
    up, down = (mu + nu) * beta, (mu - nu) * beta
    denominator(p, up)
    denominator(p, down)
    p.positive(V)
    p.exp_tangent(V, p.compare(ne(V, 0), form=V))
    p.positive(Q - 1, form=(Q - (1 + V)) + V)
    scale = 2 / beta * E * (Q - 1) * exp(-V) * (1 / (exp(up) + n - 1)) * (1 / (exp(down) + n - 1))
    p.positive(scale)
    return p.scaled(
        Formula((tag, claim.SPLIT, 2 * phi(mu))),
        Formula((tag, scalar(0), spread_at(V))),
        scale,
        combo=[(-scale * (Q - 1), bound)],
        opaque=CLOSED_BOUND,
    )


@proves("thm22.superadditive.amended", "exists")
def split_exists(p: Proof) -> None:
    """N is convex beyond K - 2, where it starts below 0, if K > 2, which says mu > lambda_c."""
    bound = bound_is(p)
    inflection_root(p, n + 4)
    with p.assuming(claim.BEYOND) as (assumed,):
        beyond_bound(p, bound)
        only, _ = split_root(p)
        p.discharge(assumed.shows, only)


@proves("thm22.superadditive.amended", "exactly")
def split_exactly(p: Proof) -> None:
    """The split is faster exactly where N(v) < 0."""
    bound = bound_is(p)
    inflection_root(p, n + 4)
    with p.assuming(claim.BEYOND) as (assumed,):
        beyond_bound(p, bound)
        shown = p.chain(
            split_against_spread(p, "gt", bound),
            spread_side(p, "<"),
            p.scaled(gt(SPLIT_ROOT, V), gt(claim.delta_star(mu), nu), beta),
        )
        p.discharge(assumed.shows, shown)


@proves("thm22.superadditive.amended", "solves")
def split_solves(p: Proof) -> None:
    """Here v coth(v/2) - K = N(v)/(e^v - 1)."""
    bound = bound_is(p)
    inflection_root(p, n + 4)
    p.positive(V)
    p.exp_tangent(V, p.compare(ne(V, 0), form=V))
    p.positive(Q - 1, form=(Q - (1 + V)) + V)
    with p.assuming(claim.BEYOND) as (assumed,):
        beyond_bound(p, bound)
        shown = p.chain(
            p.scaled(claim.EQUATION, eq(spread_at(V), 0), 1 / (Q - 1), opaque=CLOSED_BOUND),
            spread_side(p, "="),
            p.scaled(eq(V, SPLIT_ROOT), eq(nu, claim.delta_star(mu)), beta),
        )
        p.discharge(assumed.shows, shown)


@proves("thm22.superadditive.amended", "below")
def split_below(p: Proof) -> None:
    """Here u - K = 2 u m/(e^u + m) > 0, and N(u) = 2u + (u - K)(e^u - 1) > 0."""
    bound = bound_is(p)
    inflection_root(p, n + 4)
    with p.assuming(claim.BEYOND) as (assumed,):
        beyond_bound(p, bound)
        only, bracket = split_root(p)
        positive = p.positive(claim.delta_star(mu), form=1 / beta * ((SPLIT_ROOT - LOWEST) + LOWEST))
        rest = 2 * U * M * (1 / (E + n - 1))
        split = p.equal(U - U * (E - M) * (1 / (E + n - 1)), rest)
        p.compare(gt(U, BOUND), form=rest, using=[(-1, bound), (1, split)], opaque=CLOSED_BOUND)
        above = p.compare(gt(U, LOWEST), form=(U - BOUND) + 2, opaque=CLOSED_BOUND)
        p.exp_tangent(U)
        p.positive(E - 1, form=(E - (1 + U)) + U)
        beyond = p.positive(spread_at(U), form=2 * U + (U - BOUND) * (E - 1), opaque=CLOSED_BOUND)
        side = p.root_side(only, bracket, [above], U, LOWEST, BOUND, ">")
        p.modus(p.direction(side), beyond)
        less = p.compare(gt(mu, claim.delta_star(mu)), form=1 / beta * (U - SPLIT_ROOT))
        p.discharge(assumed.shows, p.conjunction(positive, less))


@proves("thm22.superadditive.amended", "never")
def split_never(p: Proof) -> None:
    """K <= 2, and v(e^v + 1) - 2(e^v - 1) rises from 0, since its slope is e^v (e^{-v} - (1 - v))."""
    bound = bound_is(p)
    only, _ = inflection_root(p, n + 4)
    p.root_facts(only)
    g = xi * (exp(xi) + 1) - 2 * (exp(xi) - 1)
    with p.assuming(gt(xi, 0)):
        p.exp_tangent(-xi, p.compare(ne(-xi, 0), form=-xi))
        slope = p.positive(rate("d_xi", g), form=exp(xi) * (exp(-xi) - (1 + -xi)))
    rises = p.increasing(g, "xi", slope, p.positive(V))
    excess = p.value(g, "xi", V)
    p.positive(excess, form=excess - p.value(g, "xi", 0), facts=[rises])
    against = split_against_spread(p, "lt", bound)
    with p.assuming(claim.NEVER[1]) as (assumed,):
        p.component(assumed, 0)
        early = p.component(assumed, 1)
        above = p.positive(U)
        side = p.direction(shape_side(p, U, above, ">"))
        shape = ge(0, shape_2(U))
        choice = p.step("compare", disj(shape, gt(shape_2(U), 0)))
        with p.assuming(shape) as (weak,):
            first = weak
        with p.assuming(gt(shape_2(U), 0)) as (beyond,):
            late = p.modus(side, beyond)
            later = p.compare(gt(mu, lambda_c), form=1 / beta * (U - INSIDE), facts=[late])
            second = excluded(p, later, early, shape)
        p.cases(choice, first, second)
        deficit = -shape_2(U) * (1 / (E + n - 1))
        under = p.equal(2 - U * (E - M) * (1 / (E + n - 1)), deficit)
        p.compare(ge(2, BOUND), form=deficit, using=[(-1, bound), (1, under)], opaque=CLOSED_BOUND)
        positive = p.compare(lt(0, spread_at(V)), form=(2 - BOUND) * (Q - 1) + excess, opaque=CLOSED_BOUND)
        p.discharge(assumed.shows, p.modus(p.direction(against, False), positive))


@proves("thm22.superadditive.amended", "far_split")
def far_split(p: Proof) -> None:
    """phi(0) = 0, and 4 mu/(e^{2u} + m) < 4 mu/(e^u + m)."""
    several_tokens(p)
    denominator(p, U)
    denominator(p, 2 * U)
    with p.assuming(POSITIVE_SCALE) as (assumed,):
        p.positive(2 * U - U, form=beta * mu)
        exp_increases(p, U, 2 * U, strict=True)
        gap = 4 * mu * (exp(2 * U) - E) * (1 / (exp(2 * U) + n - 1)) * (1 / (E + n - 1))
        spread = p.equal(2 * phi(mu) - phi(2 * mu), gap)
        p.discharge(assumed.shows, p.compare(claim.FAR_SPLIT[2], form=gap, using=[(1, spread)]))


# --- Jensen ----------------------------------------------------------------------------------------------------------


def curved(p: Proof) -> Judgement:
    """Here phi'' > 0 beyond lambda_c."""
    known = p.cite("thm22.phi_shape", "inflection")
    with p.assuming(gt(mu, lambda_c)) as (beyond,):
        above = p.positive(mu, form=(mu - lambda_c) + lambda_c)
        both = p.component(p.modus(known, above), 0)
        return p.modus(p.direction(both, False), beyond)


@proves("thm22.superadditive.amended", "jensen")
def jensen(p: Proof) -> None:
    """Beyond lambda_c phi lies above its tangent at the mean, and the deviations from the mean add up to 0."""
    several_tokens(p)
    only, _ = inflection_root(p, n + 4)
    p.root_facts(only)
    p.positive(lambda_c, form=1 / beta * INSIDE)
    for scale in (mu, scale_h, MEAN):
        denominator(p, scale * beta)
    slope = p.equal(
        SLOPE,
        2 * (1 / (exp(mu * beta) + n - 1)) - 2 * mu * beta * exp(mu * beta) * (1 / (exp(mu * beta) + n - 1)) ** 2,
    )
    curve = curved(p)
    mean = mean_is(p)
    line = p.value(slope.shows[2], "mu", MEAN)
    with p.assuming(claim.ALL_CONVEX) as (assumed,):
        some = p.at(assumed, "g1")
        total_above = p.sum_compare(some, "g1")
        middle = p.compare(
            ge(MEAN, lambda_c), form=1 / H * (Scalar(total_above.shows[1]) - Scalar(total_above.shows[2]))
        )

        def gap(index: str) -> Scalar:
            tangent = phi(MEAN) + line * (symbol("lambda", index) - MEAN)
            above: Scalar = phi(symbol("lambda", index)) - tangent
            return above

        def touch(index: str, apart: Judgement | None = None) -> Judgement:
            inside = [middle, p.at(assumed, index)]
            return p.tangent_below(
                phi(mu), "mu", curve, slope, inside, MEAN, symbol("lambda", index), lambda_c, apart=apart
            )

        touch("g1")

        def conclude(index: str) -> Judgement:
            touch(index, p.last(ne(symbol("lambda", index), MEAN)))
            return p.compare(
                claim.FASTER,
                form=gap(index) + total("g1", gap("g1"), [index]),
                using=[(-line, mean)],
                opaque=["phi", *CLOSED_MEAN],
            )

        if_unequal(p, conclude)
        inner = p.last(claim.if_unequal(claim.FASTER))
        p.discharge(assumed.shows, inner)


# --- reversal --------------------------------------------------------------------------------------------------------

COOLED = beta * (1 - gamma)
"""At gamma the heads are as they are at gamma = 0 for the inverse temperature beta (1 - gamma)."""


def at_gamma(p: Proof, part: str, warm: Judgement) -> Judgement:
    """A part of the amended row at the inverse temperature beta (1 - gamma) > 0."""
    known = p.cite("thm22.superadditive.amended", part)
    return p.instance(known, scalars={"beta": COOLED}, domains=[warm])


def prepared(p: Proof) -> None:
    """u_c > 0, and the denominators at gamma are positive."""
    only, _ = inflection_root(p, n + 4)
    p.root_facts(only)
    p.positive(u_c, form=INSIDE)
    for scale in (mu, mu + nu, mu - nu):
        denominator(p, scale * beta * (1 - gamma))


@proves("thm22.reversal", "helps")
def helps(p: Proof) -> None:
    """Before gamma_turn mu lies beyond the inflection for beta (1 - gamma); the radius is delta* there."""
    prepared(p)
    with p.assuming(POSITIVE_SCALE) as (positive,):
        with p.assuming(gt(claim.gamma_turn, gamma)) as (early,):
            p.positive(1 - gamma, form=(claim.gamma_turn - gamma) + u_c / (beta * mu))
            warm = p.positive(COOLED)
            exactly, below = at_gamma(p, "exactly", warm), at_gamma(p, "below", warm)
            condition = exactly.shows[1]
            gap = mu * (1 / (1 - gamma)) * (claim.gamma_turn - gamma)
            excess = p.equal(mu - Scalar(condition[2]), gap)
            beyond = p.compare(condition, form=gap, using=[(1, excess)])
            within = p.component(p.modus(below, beyond), 0)
            radius = Scalar(within.shows[1])
            side = p.direction(p.modus(exactly, beyond), False)
            with p.assuming(gt(radius, nu)) as (small,):
                faster = p.modus(side, small)
                split, equal = claim.SPLIT_AT, 2 * claim.phi_at(mu)
                shown = p.compare(gt(split, equal), form=split - equal, facts=[faster])
                near = p.discharge(small.shows, shown)
            all_near = p.step("forall_intro", forall("nu", Formula(near.shows)), near)
            found = p.step("exists_intro", claim.HELPED, all_near, within, term=radius)
            inner = p.discharge(early.shows, found)
        p.discharge(positive.shows, inner)


@proves("thm22.reversal", "hinders")
def hinders(p: Proof) -> None:
    """From gamma_turn on mu does not lie beyond the inflection for beta (1 - gamma)."""
    prepared(p)
    with p.assuming(POSITIVE_SCALE) as (positive,):
        with p.assuming(claim.HINDERS[2][1]) as (late,):
            p.component(late, 0)
            p.component(late, 1)
            p.positive(1 - gamma)
            warm = p.positive(COOLED)
            never = at_gamma(p, "never", warm)
            condition = never.shows[1][2]
            gap = mu * (1 / (1 - gamma)) * (gamma - claim.gamma_turn)
            excess = p.equal(Scalar(condition[1]) - mu, gap)
            before = p.compare(condition, form=gap, using=[(1, excess)])
            slower = p.modus(never, p.conjunction(positive, before))
            split, equal = claim.SPLIT_AT, 2 * claim.phi_at(mu)
            shown = p.compare(claim.HINDERED, form=equal - split, facts=[slower])
            inner = p.discharge(late.shows, shown)
        p.discharge(positive.shows, inner)
