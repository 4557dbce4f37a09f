"""Theorems 16 and 17: the energies of single heads, flat and on the sphere.

Statement: with orthogonal heads the energy of a head grows in the flat space at its squared outputs; on the sphere a
product of radial shadows is taken away, and the energy of a head can fall.
Hypotheses: symmetry, alignment and orthogonality; unit on the sphere. For the obstruction and the winner: one token,
and M_h = alpha Q_h with orthogonal projectors that add up to the identity.
Notation: E_h energy of head h, f_i^h its output at token i, a_i^h = <f_i^h, x_i> its shadow, p_h = |Q_h x|^2 its share.
Method: one differentiation, then inner products; for one token everything is a function of the shares.
Along whole solutions: the winner rests on named theorems of analysis, which its certificate lists.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    H,
    Scalar,
    delta,
    disj,
    eq,
    exp,
    ge,
    gt,
    lt,
    n,
    ne,
    norm2,
    rate,
    rational,
    symbol,
    total,
    vector,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, output, shadow, tangential_velocity
from antumbra.proofs.statements import thm16_17 as claim
from antumbra.proofs.statements.thm16_17 import share
from antumbra.proofs.substitution import substituted
from antumbra.proofs.tactics import exp_increases, vanishing_square

x = vector("x", "i")
p_h, p_g = share("h", "i"), share("g", "i")
e_h, e_g = exp(beta * alpha * p_h), exp(beta * alpha * p_g)


@proves("thm16.flat", "rate")
def flat(p: Proof) -> None:
    """dE_h/dt = (1/n^2) sum of <f_i^h, v_i>, and outputs of distinct heads are orthogonal."""
    p.equal(claim.HEADS_FLAT[1], claim.HEADS_FLAT[2])


@proves("thm16.flat", "monotone")
def flat_monotone(p: Proof) -> None:
    """A sum of squares."""
    p.nonnegative(claim.FLAT_RATE, form=claim.HEADS_FLAT[2])


@proves("thm17.sphere", "rate")
def sphere(p: Proof) -> None:
    """<f^h, P v> = (1/n) (|f^h|^2 - a^h sum of all shadows), and |f^h|^2 - (a^h)^2 = |P f^h|^2."""
    all_shadows = total("g", shadow("g", "i"))
    p.calculate(
        claim.SPHERE_RATE,
        1 / n**3 * total("i", norm2(output("h", "i")) - shadow("h", "i") * all_shadows),
        claim.HEADS_SPHERE[2],
    )


# --- one token, projector heads --------------------------------------------------------------------------------------


def share_growth(p: Proof) -> Judgement:
    """The replicator equation: dp_h/dt = 2 alpha p_h (e_h - sum of p_g e_g), e_h = e^{beta alpha p_h}."""
    return p.equal(claim.REPLICATOR[1], claim.REPLICATOR[2])


def energy_growth(p: Proof) -> Judgement:
    """dE_h/dt = alpha^2 e_h p_h (e_h - sum of p_g e_g)."""
    right = alpha**2 * e_h * p_h * (e_h - claim.GROWTH)
    return p.equal(claim.SPHERE_RATE, right)


def other_share(p: Proof) -> Judgement:
    """Of two heads, the other one's share is 1 - p_h: no third head is left."""
    two = p.domain(0)
    with p.apart(("g", "h")):
        none = p.equal(total("h3", 1, ["g", "h"]), 0, using=[(1, two)])
        absurd = p.vanishing_terms(none, p.nonnegative(rational(1)))
        third = p.step("contradiction", eq(share("h3", "i"), 0), absurd)
        rest = p.sum_compare(third, "h3", ["g", "h"])
        return p.equal(p_g, 1 - p_h, using=[(-1, rest)])


def two_heads(p: Proof) -> Judgement:
    """dE_h/dt = alpha^2 e_h p_h (1 - p_h) (e^{beta alpha p_h} - e^{beta alpha (1 - p_h)})."""
    other = other_share(p)
    with p.apart(("g", "h")):
        same = p.equal(p_g * e_g, p_g * e_g)
        rest = 1 - p_h
        there = rest * exp(beta * alpha * rest)
        growth = p.sum_compare(p.rewritten(other, same, eq(p_g * e_g, there)), "g", ["h"])
    factor = -(alpha**2) * e_h * p_h
    return p.equal(
        claim.SPHERE_RATE,
        alpha**2 * e_h * p_h * rest * (e_h - exp(beta * alpha * rest)),
        using=[(1, energy_growth(p)), (factor, growth), (factor * there, p.domain(0))],
    )


@proves("thm17.obstruction", "falls")
def falls(p: Proof) -> None:
    """Where p < 1/2, p < 1 - p, and e^t increases."""
    rate_is = two_heads(p)
    rest = 1 - p_h
    with p.assuming(claim.FALLS[1]) as (small,):
        p.component(small, 0)
        p.component(small, 1)
        p.positive(rest, form=(1 - 2 * p_h) + p_h)
        p.compare(gt(beta * alpha * rest, beta * alpha * p_h), form=beta * alpha * (1 - 2 * p_h))
        exp_increases(p, beta * alpha * p_h, beta * alpha * rest, strict=True)
        form = alpha**2 * e_h * p_h * rest * (exp(beta * alpha * rest) - e_h)
        conclusion = p.compare(lt(claim.SPHERE_RATE, 0), form=form, using=[(-1, rate_is)])
        p.discharge(small.shows, conclusion)


@proves("thm17.obstruction", "rises")
def rises(p: Proof) -> None:
    """Where p > 1/2, p > 1 - p, and e^t increases."""
    rate_is = two_heads(p)
    rest = 1 - p_h
    with p.assuming(claim.RISES[1]) as (large,):
        p.component(large, 0)
        p.component(large, 1)
        p.positive(p_h, form=rational(1) / 2 * (2 * p_h - 1) + rational(1) / 2)
        p.compare(gt(beta * alpha * p_h, beta * alpha * rest), form=beta * alpha * (2 * p_h - 1))
        exp_increases(p, beta * alpha * rest, beta * alpha * p_h, strict=True)
        form = alpha**2 * e_h * p_h * rest * (e_h - exp(beta * alpha * rest))
        conclusion = p.compare(gt(claim.SPHERE_RATE, 0), form=form, using=[(1, rate_is)])
        p.discharge(large.shows, conclusion)


@proves("thm17.obstruction", "stands")
def stands(p: Proof) -> None:
    """At p = 1/2 the two exponentials agree."""
    rate_is = two_heads(p)
    half = rational(1) / 2
    with p.assuming(claim.STANDS[1]) as (middle,):
        share_is = p.equal(p_h, half, using=[(half, middle)])
        right = Scalar(rate_is.shows[2])
        same = p.equal(right, right)
        replaced = (
            alpha**2
            * exp(beta * alpha * half)
            * half
            * (1 - half)
            * (exp(beta * alpha * half) - exp(beta * alpha * (1 - half)))
        )
        there = p.rewritten(share_is, same, eq(right, replaced))
        p.discharge(middle.shows, p.equal(claim.SPHERE_RATE, 0, using=[(1, rate_is), (1, there)]))


# --- the winner: everything but the limit ----------------------------------------------------------------------------


@proves("thm17.winner", "energy_of_shares")
def energy_of_shares(p: Proof) -> None:
    """<x, alpha Q_h x> = alpha |Q_h x|^2."""
    p.equal(claim.ENERGY_OF_SHARES[1], claim.ENERGY_OF_SHARES[2])


@proves("thm17.winner", "shares_add_up")
def shares_add_up(p: Proof) -> None:
    """The sum of <x, Q_h x> is |x|^2."""
    p.equal(claim.SHARES_ADD_UP[1], 1)


def chord(p: Proof, low: Scalar, high: Scalar, mix: Scalar, strict: Judgement | None = None) -> Scalar:
    """(1 - t) e^a + t e^b - e^m at m = (1 - t) a + t b, written so that tangents at m show it not to be negative."""
    middle = (1 - mix) * low + mix * high
    gaps = (low - middle, high - middle)
    p.exp_tangent(gaps[0], strict)
    p.exp_tangent(gaps[1])
    over = [exp(gap) - (1 + gap) for gap in gaps]
    gap: Scalar = exp(middle) * ((1 - mix) * over[0] + mix * over[1])
    return gap


@proves("thm17.winner", "convex")
def convex(p: Proof) -> None:
    """An exponential lies below its chords, head by head."""
    mix = symbol("mix")
    low, high = (beta * alpha * symbol(name, "h") for name in ("part", "other_part"))
    p.compare(claim.CONVEX, form=1 / (2 * beta) * total("h", chord(p, low, high, mix)))


def spread(p: Proof) -> Judgement:
    """|P v|^2 = (alpha^2 / 2) times the sum over g and h of p_g p_h (e_g - e_h)^2: the variance of the e_h."""
    pairs = total("h", total("g", p_g * p_h * (e_g - e_h) ** 2))
    return p.equal(norm2(tangential_velocity("j")), alpha**2 / 2 * pairs)


def equal_shares_at_rest(p: Proof) -> Judgement:
    """At rest every p_g p_h (e_g - e_h)^2 is 0, and e^t takes no value twice."""
    speed, pair = norm2(tangential_velocity("j")), p_g * p_h * (e_g - e_h) ** 2
    with p.assuming(claim.AT_REST) as (at_rest,):
        still = substituted(p, speed, p.at(at_rest, "j"))
        factor = 2 / alpha**2
        pairs = p.equal(total("h", total("g", pair)), 0, using=[(factor, still), (-factor, spread(p))])
        p.nonnegative(pair)
        row = p.vanishing_terms(pairs, p.nonnegative(total("g", pair)))
        nothing = p.vanishing_terms(row, p.last(ge(pair, 0)))
        with p.assuming(claim.EQUAL_SHARES[3][3][1]) as (both,):
            p.component(both, 0)
            p.component(both, 1)
            square = p.equal((e_h - e_g) ** 2, 0, using=[(1 / (p_g * p_h), nothing)])
            gap = vanishing_square(p, square, e_h - e_g)
            same = p.equal(e_h, e_g, using=[(1, gap)])
            exponents = p.modus(p.direction(p.exponents(same.shows)), same)
            equal = p.equal(p_h, p_g, using=[(1 / (beta * alpha), exponents)])
            each = p.discharge(both.shows, equal)
        return p.discharge(at_rest.shows, p.for_every("h", p.for_every("g", each)))


def rest_at_equal_shares(p: Proof) -> Judgement:
    """p_g p_h (e_g - e_h)^2 = 0, since p_g = 0, p_h = 0 or e_g = e_h."""
    pair = p_g * p_h * (e_g - e_h) ** 2
    with p.assuming(claim.EQUAL_SHARES) as (shares,):
        rule = p.at(p.at(shares, "h"), "g")
        with p.assuming(eq(p_h, 0)) as (none,):
            first = p.equal(pair, 0, using=[(p_g * (e_g - e_h) ** 2, none)])
        with p.assuming(ne(p_h, 0)) as (some,):
            with p.assuming(eq(p_g, 0)) as (none,):
                second = p.equal(pair, 0, using=[(p_h * (e_g - e_h) ** 2, none)])
            with p.assuming(ne(p_g, 0)) as (other,):
                same = p.modus(rule, p.conjunction(some, other))
                exponentials = substituted(p, e_h, same)
                third = p.equal(pair, 0, using=[(-p_g * p_h * (e_g - e_h), exponentials)])
            either = p.cases(p.step("compare", disj(eq(p_g, 0), ne(p_g, 0))), second, third)
        each = p.cases(p.step("compare", disj(eq(p_h, 0), ne(p_h, 0))), first, either)
        sums = p.sum_compare(p.sum_compare(each, "g"), "h")
        speed = norm2(tangential_velocity("j"))
        still = p.equal(speed, 0, using=[(1, spread(p)), (alpha**2 / 2, sums)])
        return p.discharge(shares.shows, p.for_every("j", p.vanishing_vector(still)))


@proves("thm17.winner", "equilibria")
def equilibria(p: Proof) -> None:
    """|P v|^2 is a variance, which vanishes exactly if all e_h with a positive weight agree."""
    p.both_ways(equal_shares_at_rest(p), rest_at_equal_shares(p))


def at_most_one(p: Proof) -> Judgement:
    """A share is at most 1: the others add up to 1 - p_h."""
    return p.nonnegative(1 - p_h, form=total("g", p_g, ["h"]))


HIGH = exp(beta * alpha) - 1


@proves("thm17.winner", "maximum")
def maximum(p: Proof) -> None:
    """e^{beta alpha p} lies below the chord 1 + p (e^{beta alpha} - 1), and the shares add up to 1."""
    at_most_one(p)
    below = chord(p, rational(0), beta * alpha, p_h)
    p.compare(claim.MAXIMUM, form=1 / (2 * beta) * total("h", below))


def pure_where_highest(p: Proof) -> Judgement:
    """A share strictly between 0 and 1 leaves a gap below the chord."""
    at_most_one(p)
    below, product = chord(p, rational(0), beta * alpha, p_h), p_h * (1 - p_h)
    p.nonnegative(below)
    with p.assuming(claim.PURE[1]) as (highest,):
        gaps = p.equal(total("h", below), 0, using=[(-2 * beta, highest)])
        nothing = p.vanishing_terms(gaps, p.last(ge(below, 0)))
        with p.assuming(eq(p_h, 0)) as (none,):
            first = p.equal(product, 0, using=[(1 - p_h, none)])
        with p.assuming(ne(p_h, 0)):
            with p.assuming(eq(1 - p_h, 0)) as (one,):
                second = p.equal(product, 0, using=[(p_h, one)])
            with p.assuming(ne(1 - p_h, 0)):
                p.positive(p_h)
                p.positive(1 - p_h)
                middle = (1 - p_h) * rational(0) + p_h * (beta * alpha)
                apart = p.nonzero(rational(0) - middle, form=-(p_h * (beta * alpha)))
                chord(p, rational(0), beta * alpha, p_h, apart)
                third = p.step("contradiction", eq(product, 0), nothing, p.nonzero(below))
            either = p.cases(p.step("compare", disj(eq(1 - p_h, 0), ne(1 - p_h, 0))), second, third)
        each = p.cases(p.step("compare", disj(eq(p_h, 0), ne(p_h, 0))), first, either)
        return p.discharge(highest.shows, p.for_every("h", each))


def highest_where_pure(p: Proof) -> Judgement:
    """At p = 0 and p = 1 the exponential is on its chord."""
    line = 1 + p_h * HIGH
    with p.assuming(claim.PURE[2]) as (pure,):
        nothing = p.at(pure, "h")
        with p.assuming(eq(p_h, 0)) as (none,):
            at_none = substituted(p, e_h, none)
            first = p.equal(e_h, line, using=[(1, at_none), (-HIGH, none)])
        with p.assuming(ne(p_h, 0)):
            whole = p.equal(p_h, 1, using=[(-(1 / p_h), nothing)])
            at_one = substituted(p, e_h, whole)
            second = p.equal(e_h, line, using=[(1, at_one), (-HIGH, whole)])
        on_chord = p.cases(p.step("compare", disj(eq(p_h, 0), ne(p_h, 0))), first, second)
        sums = p.sum_compare(on_chord, "h")
        highest = p.equal(claim.PURE[1][1], claim.HIGHEST, using=[(1 / (2 * beta), sums)])
        return p.discharge(pure.shows, highest)


@proves("thm17.winner", "pure_points")
def pure_points(p: Proof) -> None:
    """The energy is highest exactly where every exponential is on its chord."""
    p.both_ways(pure_where_highest(p), highest_where_pure(p))


@proves("thm17.winner", "no_other_maximum")
def no_other_maximum(p: Proof) -> None:
    """With y = beta alpha times the shift the energy grows by e^{beta alpha p} (e^y + e^{-y} - 2) > 0."""
    body = claim.NO_OTHER_MAXIMUM[3][3]
    with p.apart(("h2", "h1")), p.assuming(body[1]) as (given,):
        same = p.component(given, 0)
        p.component(given, 1)
        y = beta * alpha * symbol("shift")
        apart = (p.nonzero(y), p.nonzero(-y))
        for step, strict in zip((y, -y), apart, strict=True):
            p.exp_tangent(step, strict)
        first = beta * alpha * symbol("part", "h1")
        both = (exp(y) - (1 + y)) + (exp(-y) - (1 + -y))
        levels = substituted(p, exp(first), same)
        raised = p.compare(body[2], form=exp(first) * both, using=[(1 - exp(-y), levels)])
        each = p.discharge(body[1], raised)
    p.for_every("h1", p.for_every("h2", each, ["h1"]))


@proves("thm17.winner", "moved_shares")
def moved_shares(p: Proof) -> None:
    """|Q_1 y|^2 = s^2 p_1 and |Q_2 y|^2 = (2 - s^2) p_1; the other components of y are those of x."""
    body = claim.REALISED[3][3]
    first, one, two = share("h1", "i"), delta("h", "h1"), delta("h", "h2")
    both_at_once = p.equal(one * two, one * delta("h1", "h2"))
    with p.apart(("h2", "h1")), p.assuming(body[1]) as (given,):
        same, squares = p.component(given, 0), p.component(given, 1)
        shrunk = claim.shrink**2 - 1
        length = p.equal(norm2(claim.NEIGHBOUR), 1, using=[(-shrunk, same), (first, squares)])
        _, left, right = body[2][2][3]
        never = p.equal(one * two, 0, using=[(1, both_at_once)])
        cross = 2 * p_h * (claim.stretch - 1) * (claim.shrink - 1)
        terms = [(-shrunk * two, same), (first * two, squares), (cross, never)]
        shares = p.equal(left, right, using=terms)
        both = p.conjunction(length, p.for_every("h", shares))
        each = p.discharge(body[1], both)
    p.for_every("h1", p.for_every("h2", each, ["h1"]))


@proves("thm17.winner", "replicator")
def replicator(p: Proof) -> None:
    """d|Q_h x|^2/dt = 2 <Q_h x, P v>, and Q_h v = alpha e_h Q_h x."""
    share_growth(p)


@proves("thm17.winner", "lead")
def lead(p: Proof) -> None:
    """The mean drops out of the ratio's logarithm, and e^a - e^b >= a - b for a >= b >= 0."""
    _, condition, conclusion = claim.LEAD
    with p.assuming(condition) as (given,):
        p.component(given, 0)
        p.component(given, 1)
        p.positive(p_h, form=(p_h - p_g) + p_g)
        rate_is = p.equal(claim.LEAD_RATE, conclusion[1][2])
        a, b = beta * alpha * p_h, beta * alpha * p_g
        p.exp_tangent(a - b)
        p.exp_tangent(b)
        gap = beta * alpha * (p_h - p_g)
        over = e_g * (exp(a - b) - (1 + (a - b))) + gap * (e_g - (1 + b)) + gap * b
        fast = p.compare(conclusion[2], form=2 * alpha * over, using=[(1, rate_is)])
        p.discharge(condition, p.conjunction(rate_is, fast))


def larger_exponential(p: Proof) -> Judgement:
    """e_h - e_g >= beta alpha (p_h - p_g) for a head g that trails, since e^g >= 1."""
    a, b = beta * alpha * p_h, beta * alpha * p_g
    p.exp_tangent(a - b)
    p.exp_tangent(b)
    gap = beta * alpha * (p_h - p_g)
    over = e_g * (exp(a - b) - (1 + (a - b))) + gap * (e_g - (1 + b)) + gap * b
    return p.compare(ge(e_h - e_g, gap), form=over)


@proves("thm17.winner", "order")
def order(p: Proof) -> None:
    """d(p_h - p_g)/dt = 2 alpha ((p_h - p_g) sum of p_k (e_h - e_k) + p_g (e_h - e_g)), and no term is negative."""
    gap = beta * alpha * (p_h - p_g)
    with p.assuming(claim.LEADER) as (leader,), p.apart(("g", "h")):
        p.at(leader, "g")
        larger_exponential(p)
        p.nonnegative(e_h - e_g, form=(e_h - e_g - gap) + gap)
        leads = p.sum_compare(p.nonnegative(p_g * (e_h - e_g)), "g", ["h"])
        both = (p_h - p_g) * Scalar(leads.shows[1]) + p_g * (e_h - e_g)
        grows = p.nonnegative(rate("usa_sphere", p_h - p_g), form=2 * alpha * both)
        p.discharge(leader.shows, p.for_every("g", grows, ["h"]))


@proves("thm17.winner", "decay")
def decay(p: Proof) -> None:
    """The lag p_g/(p_h - p_g) has the relative rate -2 alpha p_h (e_h - e_g)/(p_h - p_g), and p_h is at least 1/H."""
    with p.assuming(claim.LEADER) as (leader,), p.apart(("g", "h")):
        ahead = p.at(leader, "g")
        larger_exponential(p)
        mean = p.sum_compare(ahead, "g", ["h"], weak=True)
        most = p.nonnegative(p_h - 1 / H, form=1 / H * Scalar(mean.shows[1]))
        gap = p_h - p_g
        over = 2 * alpha * p_h * (e_h - e_g - beta * alpha * gap) + 2 * alpha**2 * beta * gap * most.shows[1]
        form = p_g * (1 / gap) ** 2 * over
        _, lag_rate, bound = claim.DECAY[2][3]
        same = p.equal(bound - lag_rate, form, den=[(gap, 2)])
        falls = p.compare(claim.DECAY[2][3], form=form, using=[(1, same)])
        p.discharge(leader.shows, p.for_every("g", falls, ["h"]))


def on_sphere(p: Proof) -> Judgement:
    """The flow does not leave the sphere."""
    return p.equal(rate("usa_sphere", norm2(vector("x", "i"))), 0)


@proves("thm17.winner", "keeps_order")
def keeps_order(p: Proof) -> None:
    """(p_h - p_g)' >= -2 alpha e^{beta alpha} (p_h - p_g): mean e_k <= e^{beta alpha}, and p_h e_h >= p_g e_g."""
    top = exp(beta * alpha)
    p_k, e_k = share("g1", "i"), exp(beta * alpha * share("g1", "i"))
    full = p.equal(total("g1", p_k), 1)
    others = p.sum_compare(p.nonnegative(share("h1", "i")), "h1", ["g1"])
    below_one = p.nonnegative(1 - p_k, form=others.shows[1], using=[(-1, p.equal(total("h1", share("h1", "i")), 1))])
    p.nonnegative(beta * alpha - beta * alpha * p_k, form=beta * alpha * below_one.shows[1])
    exp_increases(p, beta * alpha * p_k, beta * alpha)
    mean = total("g1", p_k * (top - e_k))
    slower = 2 * alpha * top
    with p.assuming(claim.AHEAD) as (ahead,):
        larger_exponential(p)
        p.nonnegative(e_h - e_g, form=(e_h - e_g - beta * alpha * (p_h - p_g)) + beta * alpha * (p_h - p_g))
        gap = p_h - p_g
        least = Scalar(("*", ("*", rational(-1), slower), gap))
        kept = p.compare(
            ge(rate("usa_sphere", gap), least),
            form=2 * alpha * (gap * mean + gap * e_h + p_g * (e_h - e_g)),
            using=[(2 * alpha * top * gap, full)],
        )
        still = p.compare(
            ge(Scalar(("*", ("*", rational(-1), rational(0)), rational(0))), rate("usa_sphere", 0)), form=0
        )
    forever = p.decay(ahead.shows, kept, still, p.nonnegative(rational(0)), on_sphere(p))
    p.for_every("g", forever, ["h"])


@proves("thm17.winner", "winner")
def winner(p: Proof) -> None:
    """Until the lead is lost it does not shrink, so it is never lost; and the lag obeys its inequality for ever."""
    k, confined = claim.LAG_DECAY, on_sphere(p)
    order_holds, decay_holds = p.cite("thm17.winner", "order"), p.cite("thm17.winner", "decay")
    with p.assuming(claim.LEADER) as (leader,), p.apart(("g", "h")):
        p.at(leader, "g")
        kept = p.at(p.modus(order_holds, leader), "g")
        falls = p.at(p.modus(decay_holds, leader), "g")
        bound = Scalar(("*", ("*", rational(-1), k), claim.LAG))
        falling = p.compare(
            ge(bound, rate("usa_sphere", claim.LAG)), form=Scalar(falls.shows[2]) - Scalar(falls.shows[1])
        )
        forever = p.decay(leader.shows, kept, falling, p.nonnegative(k), confined)
    p.for_every("g", forever, ["h"])
