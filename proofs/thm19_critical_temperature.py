"""Theorem 19: the inverse temperature up to which scalar heads on orthogonal tokens satisfy Condition 8.

Statement: c*(H), the positive root of c^2 + (H-1)c - 1, is a reciprocal metallic mean; the ratio of shadow to output is
e^{b alpha} / sqrt(e^{2 b alpha} + n - 1), and Condition 8 holds exactly up to beta* = log(c*^2 (n-1) / (1 - c*^2)) /
(2 alpha). With the sharp constant 1/sqrt(H) the threshold is log((n-1)/(H-1)) / (2 alpha).
Hypotheses: scalar heads of one scale alpha > 0, orthogonal tokens, n >= 2, H >= 2.
Notation: P = H - 1, c = c*(H), A = e^{beta alpha}, S = sqrt(A^2 + n - 1), so that 1/c = c + P and 1 - c^2 = P c.
Method: equivalences that scale, square or take exponentials of both sides of one comparison.
Not proved here: nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Node,
    Scalar,
    ScalarLike,
    absolute,
    eq,
    exp,
    ge,
    gt,
    iff,
    le,
    log,
    lt,
    n,
    ne,
    norm,
    norm2,
    scalar,
    sqrt,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, output, tangential_output
from antumbra.proofs.statements import thm19 as claim
from antumbra.proofs.statements.thm19 import C, P, beta_sharp, beta_star, c_star

CLOSED = ["c_star"]


# --- c* --------------------------------------------------------------------------------------------------------------


def critical_ratio(p: Proof, heads: ScalarLike = H) -> Judgement:
    """The equation of c, and c = 2 / (q + H - 1) > 0 with q = sqrt((H-1)^2 + 4); H - 1 >= 0 is among the facts."""
    c, others = c_star(heads), scalar(heads) - 1
    q = sqrt(others**2 + 4)
    p.positive(others**2 + 4, form=others**2 + 4)
    p.positive(q + others, form=q + others)
    rationalised = p.equal(c, 2 / (q + others))
    p.positive(c, form=2 / (q + others), using=[(1, rationalised)])
    return p.equal(c**2 + others * c - 1, 0)


def several_heads(p: Proof) -> None:
    """H - 1 > 0 from H >= 2."""
    p.positive(P, form=(H - 2) + 1)


def several_tokens(p: Proof) -> None:
    """Here n - 1 > 0 from n >= 2."""
    p.positive(n - 1, form=(n - 2) + 1)


def any_heads(p: Proof) -> None:
    """H - 1 >= 0, since there is a head."""
    p.step("size", ge(H, 1))
    p.nonnegative(P)


def below_one(p: Proof, root: Judgement, heads: ScalarLike = H) -> None:
    """1 - c^2 = (H-1) c > 0; needs H - 1 > 0 among the facts."""
    c = c_star(heads)
    p.positive(1 - c**2, form=(scalar(heads) - 1) * c, using=[(-1, root)], opaque=CLOSED)


@proves("thm19.c_star", "root")
def root(p: Proof) -> None:
    """Twice c is q - P with q^2 = P^2 + 4."""
    any_heads(p)
    critical_ratio(p)


@proves("thm19.c_star", "positive")
def positive(p: Proof) -> None:
    """Here c = 2 / (q + P)."""
    any_heads(p)
    critical_ratio(p)


@proves("thm19.c_star", "only")
def only(p: Proof) -> None:
    """The difference of two roots times their sum plus P is 0."""
    any_heads(p)
    is_root = critical_ratio(p)
    other = claim.ratio
    weight = 1 / (other + C + P)
    p.positive(other + C + P, opaque=CLOSED)
    with p.assuming(claim.ONLY[1]) as (assumed,):
        same = p.equal(other, C, using=[(weight, assumed), (-weight, is_root)], opaque=CLOSED)
        p.discharge(assumed.shows, same)


@proves("thm19.metallic", "exponential")
def exponential(p: Proof) -> None:
    """e^{arsinh(P/2)} = (P + q)/2 = 1/c."""
    any_heads(p)
    critical_ratio(p)
    p.equal(claim.METALLIC[1], claim.METALLIC[2])


@proves("thm19.metallic", "reciprocal")
def reciprocal(p: Proof) -> None:
    """1/c = c + P."""
    any_heads(p)
    is_root = critical_ratio(p)
    inverse = p.equal(1 / C, C + P, using=[(-1 / C, is_root)], opaque=CLOSED)
    p.transitive(inverse, p.equal(C + P, claim.MEAN))


@proves("thm19.metallic", "fraction")
def fraction(p: Proof) -> None:
    """Here c (P + c) = 1."""
    any_heads(p)
    is_root = critical_ratio(p)
    p.positive(P + C, opaque=CLOSED)
    p.equal(C, 1 / (P + C), using=[(1 / (P + C), is_root)], opaque=CLOSED)


@proves("thm19.metallic", "contraction")
def contraction(p: Proof) -> None:
    """1/(P+t) - c = -c (t - c)/(P + t), and P + t >= P."""
    t = claim.tail
    several_heads(p)
    is_root = critical_ratio(p)
    p.positive(P + t)
    step = 1 / (P + t) - C
    error = p.equal(step, -C / (P + t) * (t - C), using=[(-1 / (P + t), is_root)], opaque=CLOSED)
    same = p.equal(absolute(step), absolute(step))
    moved = p.rewritten(error, same, eq(absolute(step), absolute(-C / (P + t) * (t - C))))
    size = p.equal(absolute(step), C / (P + t) * absolute(t - C), using=[(1, moved)], opaque=CLOSED)
    slack = C * t * (1 / P) * (1 / (P + t)) * absolute(t - C)
    split = p.equal(C / P * absolute(t - C) - C / (P + t) * absolute(t - C), slack, opaque=CLOSED)
    p.compare(claim.CLOSER, form=slack, using=[(-1, size), (1, split)], opaque=CLOSED)


@proves("thm19.metallic", "factor")
def contraction_factor(p: Proof) -> None:
    """Here c < 1 <= P."""
    several_heads(p)
    is_root = critical_ratio(p)
    below_one(p, is_root)
    p.positive(1 + C, opaque=CLOSED)
    factored = p.equal(1 - C, (1 - C**2) / (1 + C), opaque=CLOSED)
    p.compare(lt(C, 1), form=(1 - C**2) / (1 + C), using=[(1, factored)], opaque=CLOSED)
    whole = p.equal(1 - C / P, ((1 - C) + (H - 2)) / P, opaque=CLOSED)
    p.compare(claim.CONTRACTS, form=((1 - C) + (H - 2)) / P, using=[(1, whole)], opaque=CLOSED)


@proves("thm19.golden", "golden")
def golden(p: Proof) -> None:
    """(sqrt 5 - 1)/2 times (1 + sqrt 5)/2 is 1."""
    p.equal(claim.GOLDEN[1], claim.GOLDEN[2])


# --- beta* -----------------------------------------------------------------------------------------------------------

A = exp(beta * alpha)
S = sqrt(exp(2 * beta * alpha) + n - 1)


def same_scale(p: Proof) -> Judgement:
    """lambda_h = alpha."""
    return p.at(p.hypothesis("equal_heads"), "h")


def outputs(p: Proof) -> None:
    """Here n - 1 > 0 and |f| = alpha S > 0."""
    several_tokens(p)
    p.positive(exp(2 * beta * alpha) + n - 1, form=exp(2 * beta * alpha) + (n - 1))
    length = p.equal(norm(output("h", "i")), alpha * S, rewriting=[same_scale(p)])
    p.positive(norm(output("h", "i")), form=alpha * S, using=[(1, length)])


def turned(p: Proof, both: Judgement) -> Judgement:
    """An equivalence read backwards."""
    _, a, b = both.shows
    return p.step("iff_intro", iff(Formula(b), Formula(a)), p.direction(both, False), p.direction(both))


def comparison(tag: str, a: ScalarLike, b: ScalarLike) -> Formula:
    """The comparison of a and b that the tag names."""
    return Formula((tag, scalar(a), scalar(b)))


def against_logarithm(
    p: Proof, tag: str, exponent: Scalar, bound: Scalar, statement: Node, scale: ScalarLike
) -> Judgement:
    """e^s against X as s against log X, and as s/k against log X / k; X > 0 is among the facts."""
    through = p.congruent(
        comparison(tag, exp(exponent), bound), comparison(tag, exp(exponent), exp(log(bound))), opaque=CLOSED
    )
    exponents = p.exponents(comparison(tag, exp(exponent), exp(log(bound))))
    scaled = p.scaled(comparison(tag, exponent, log(bound)), statement, scale)
    return p.chain(through, exponents, scaled)


def threshold_chain(p: Proof, tag: str) -> Judgement:
    """Condition 8 <=> P A S <= n-1 <=> A <= c S <=> A^2 <= c^2 S^2 <=> A^2 <= c^2 (n-1)/(1-c^2) <=> beta <= beta*."""
    outputs(p)
    several_heads(p)
    is_root = critical_ratio(p)
    below_one(p, is_root)
    m = n - 1
    bound = C**2 * m / (1 - C**2)
    p.positive(bound, opaque=CLOSED)
    p.positive(S * (C + P) + A, opaque=CLOSED)
    p.nonnegative(A)
    p.nonnegative(C * S, opaque=CLOSED)
    measured = p.scaled(claim.condition_8(tag), comparison(tag, P * A * S, m), alpha**2, rewrites=[same_scale(p)])
    factored = p.scaled(
        comparison(tag, P * A * S, m),
        comparison(tag, A, C * S),
        S * (C + P) + A,
        combo=[(S**2, is_root)],
        opaque=CLOSED,
    )
    squared = turned(p, p.squares(comparison(tag, A, C * S)))
    solved = p.scaled(
        comparison(tag, A**2, (C * S) ** 2), comparison(tag, exp(2 * beta * alpha), bound), 1 - C**2, opaque=CLOSED
    )
    return p.chain(
        measured,
        factored,
        squared,
        solved,
        against_logarithm(p, tag, 2 * beta * alpha, bound, comparison(tag, beta, beta_star()), 2 * alpha),
    )


@proves("thm19.beta_star", "ratio")
def ratio(p: Proof) -> None:
    """Here a = alpha A and f = alpha ((A - 1) x_i + sum_j x_j), so |f| = alpha S."""
    outputs(p)
    p.equal(claim.RATIO[1], claim.RATIO[2], rewriting=[same_scale(p)])


@proves("thm19.beta_star", "rises")
def rises(p: Proof) -> None:
    """(A' S)^2 - (A S')^2 = (n-1)(A'^2 - A^2), and the ratios differ by (A' S - A S')/(S S')."""
    several_tokens(p)
    m, hot = n - 1, claim.cooler
    cold, warm = exp(2 * beta * alpha), exp(2 * hot * alpha)
    B, T = exp(hot * alpha), sqrt(warm + n - 1)
    p.positive(cold + n - 1, form=cold + m)
    p.positive(warm + n - 1, form=warm + m)
    with p.assuming(claim.RISES[1]) as (assumed,):
        order = p.compare(gt(2 * hot * alpha, 2 * beta * alpha), form=2 * alpha * (hot - beta))
        p.modus(p.direction(p.exponents(gt(warm, cold)), False), order)
        p.nonnegative(B * S)
        p.nonnegative(A * T)
        squares = p.compare(gt((B * S) ** 2, (A * T) ** 2), form=m * (warm - cold))
        p.modus(p.direction(p.squares(gt(B * S, A * T))), squares)
        gap = p.equal(B / T - A / S, (B * S - A * T) * (1 / S) * (1 / T))
        shown = p.compare(claim.RISES[2], form=(B * S - A * T) * (1 / S) * (1 / T), using=[(1, gap)])
        p.discharge(assumed.shows, shown)


@proves("thm19.beta_star", "threshold")
def threshold(p: Proof) -> None:
    """With c^2 + P c = 1: n - 1 - P A S = (c S - A)(S (c + P) + A)."""
    threshold_chain(p, "le")


@proves("thm19.beta_star", "never")
def never(p: Proof) -> None:
    """Here beta > 0 >= beta*, and the same equivalences for the opposite comparison."""
    chain = threshold_chain(p, "gt")
    with p.assuming(claim.NEVER[1]) as (assumed,):
        beyond = p.compare(gt(beta, beta_star()), form=beta + (0 - beta_star()), opaque=["beta_star"])
        p.discharge(assumed.shows, p.modus(p.direction(chain, False), beyond))


def logarithms(p: Proof) -> Judgement:
    """log(c^2 (n-1)/(1-c^2)) = log((n-1)/(H-1)) - arsinh((H-1)/2), since both have the exponential c (n-1)/(H-1)."""
    several_tokens(p)
    several_heads(p)
    is_root = critical_ratio(p)
    below_one(p, is_root)
    m = n - 1
    bound = C**2 * m / (1 - C**2)
    p.positive(bound, opaque=CLOSED)
    p.positive(m / P)
    with_c = p.equal(bound, C * m / P, using=[(C * m * (1 / P) * (1 / (1 - C**2)), is_root)], opaque=CLOSED)
    metallic = p.equal(C, exp(-Scalar(("fn", "arsinh", P / 2))))
    other = log(m / P) - Scalar(("fn", "arsinh", P / 2))
    left = p.equal(exp(log(bound)), C * m / P, using=[(1, with_c)], opaque=CLOSED)
    right = p.equal(exp(other), m / P * exp(-Scalar(("fn", "arsinh", P / 2))))
    both = p.equal(exp(log(bound)), exp(other), using=[(1, left), (m / P, metallic), (-1, right)], opaque=CLOSED)
    return p.modus(p.direction(p.exponents(eq(exp(log(bound)), exp(other)))), both)


@proves("thm19.beta_star", "closed_form")
def closed_form(p: Proof) -> None:
    """c^2/(1-c^2) = c/(H-1), and c = e^{-arsinh((H-1)/2)}."""
    same = logarithms(p)
    p.equal(claim.CLOSED_FORM[1], claim.CLOSED_FORM[2], using=[(1 / (2 * alpha), same)], opaque=CLOSED)


@proves("thm19.beta_star", "one_head")
def one_head(p: Proof) -> None:
    """Here sqrt 4 = 2."""
    p.equal(claim.ONE_HEAD[1], claim.ONE_HEAD[2])


@proves("thm19.beta_star", "one_head_condition")
def one_head_condition(p: Proof) -> None:
    """There are no other heads to sum over."""
    p.compare(claim.ONE_HEAD_CONDITION, form=norm2(tangential_output("h", "i")))


@proves("thm19.beta_star", "one_head_energy")
def one_head_energy(p: Proof) -> None:
    """The head's energy is the total energy, which grows at the mean squared speed."""
    p.nonnegative(claim.ONE_HEAD_ENERGY[1], form=claim.DISSIPATION)


def positive_chain(p: Proof, heads: ScalarLike = H, tag: str = "gt") -> Judgement:
    """beta* > 0 <=> log X > 0 <=> X > 1 <=> n > 1/c^2, where X - 1 = c^2 (n - 1/c^2)/(1 - c^2)."""
    several_tokens(p)
    p.positive(scalar(heads) - 1, form=None if heads is not H else (H - 2) + 1)
    is_root = critical_ratio(p, heads)
    below_one(p, is_root, heads)
    c = c_star(heads)
    bound = c**2 * (n - 1) / (1 - c**2)
    p.positive(bound, opaque=CLOSED)
    scaled = p.scaled(comparison(tag, beta_star(heads=heads), 0), comparison(tag, log(bound), 0), 1 / (2 * alpha))
    exponents = turned(p, p.exponents(comparison(tag, exp(log(bound)), exp(0))))
    bare = p.congruent(comparison(tag, exp(log(bound)), exp(0)), comparison(tag, bound, 1), opaque=CLOSED)
    solved = p.scaled(comparison(tag, bound, 1), comparison(tag, n, 1 / c**2), c**2 / (1 - c**2), opaque=CLOSED)
    return p.chain(scaled, exponents, bare, solved)


@proves("thm19.positive_iff", "positive_iff")
def positive_iff(p: Proof) -> None:
    """X > 1 exactly if c^2 n > 1."""
    positive_chain(p)


def excluded(p: Proof, strict: Judgement, weak: Judgement, shows: Formula, opaque: Sequence[str] = ()) -> Judgement:
    """Anything from a > b and b >= a."""
    _, a, b = strict.shows
    a, b = Scalar(a), Scalar(b)
    also = p.compare(ge(a, b), form=a - b, facts=[strict], opaque=opaque)
    same = p.step("antisymmetry", eq(a, b), also, weak)
    apart = p.compare(ne(a, b), form=a - b, facts=[strict], opaque=opaque)
    return p.step("contradiction", shows, same, apart)


def around(p: Proof, heads: int, more: int, radical: Scalar, low: Scalar, high: Scalar) -> None:
    """beta* > 0 exactly if n >= more, from more - 1 < 1/c^2 < more."""
    c = c_star(heads)
    p.positive(scalar(heads) - 1)
    is_root = critical_ratio(p, heads)
    inverse = c + heads - 1
    squared = p.equal(1 / c**2, inverse**2, using=[(-(1 + c * inverse) / c**2, is_root)], opaque=CLOSED)
    square = p.transitive(squared, p.equal(inverse**2, radical))
    small = p.positive(low)
    p.positive(high)
    over, under = p.equal(more - radical, high), p.equal(radical - (more - 1), low)
    above, below = positive_chain(p, heads), positive_chain(p, heads, "le")
    with p.assuming(ge(n, more)) as (many,):
        enough = p.compare(gt(n, 1 / c**2), form=(n - more) + high, using=[(-1, square), (1, over)])
        enough_tokens = p.discharge(many.shows, p.modus(p.direction(above, False), enough))
    with p.assuming(gt(beta_star(heads=heads), 0)) as (rises,):
        choice = p.whole("token", more)
        with p.assuming(choice.shows[1]) as (many,):
            first = many
        with p.assuming(choice.shows[2]) as (few,):
            # Only these facts: n >= 2 and n <= 2 together would hide the one that is meant.
            short = p.compare(
                le(n, 1 / c**2),
                form=(more - 1 - n) + low,
                using=[(1, square), (1, under)],
                facts=[few, small, p.last(gt(c, 0))],
            )
            falls = p.modus(p.direction(below, False), short)
            closed = ["beta_star"]
            never = p.compare(
                ge(0, beta_star(heads=heads)), form=0 - beta_star(heads=heads), facts=[falls], opaque=closed
            )
            second = excluded(p, rises, never, ge(n, more), opaque=closed)
        positive_from = p.discharge(rises.shows, p.cases(choice, first, second))
    p.both_ways(positive_from, enough_tokens)


@proves("thm19.positive_iff", "two_heads")
def two_heads(p: Proof) -> None:
    """2 < (3 + sqrt 5)/2 < 3."""
    root = sqrt(5)
    around(p, 2, 3, (3 + root) / 2, 2 / (root + 1), 2 / (3 + root))


@proves("thm19.positive_iff", "three_heads")
def three_heads(p: Proof) -> None:
    """5 < 3 + 2 sqrt 2 < 6."""
    root = sqrt(2)
    around(p, 3, 6, 3 + 2 * root, 2 / (root + 1), 1 / (3 + 2 * root))


# --- how beta* varies ------------------------------------------------------------------------------------------------


def greater_logarithm(p: Proof, larger: Scalar, smaller: Scalar, **data: object) -> Judgement:
    """Here log X > log Y from X > Y > 0 among the facts."""
    through = p.congruent(gt(larger, smaller), gt(exp(log(larger)), exp(log(smaller))), **data)
    exponents = p.exponents(gt(exp(log(larger)), exp(log(smaller))))
    return p.modus(p.direction(p.chain(through, exponents)), p.last(gt(larger, smaller)))


@proves("thm19.monotone", "in_tokens")
def in_tokens(p: Proof) -> None:
    """The logarithm's argument is c^2/(1-c^2) times n - 1."""
    less, more, heads = claim.n_1, claim.n_2, claim.H_1
    c = c_star(heads)
    below_one(p, critical_ratio(p, heads), heads)
    with p.assuming(claim.IN_TOKENS[1]) as (assumed,):
        smaller, larger = c**2 * (less - 1) / (1 - c**2), c**2 * (more - 1) / (1 - c**2)
        p.positive(more - 1, form=(more - less) + (less - 1))
        p.positive(smaller, opaque=CLOSED)
        p.positive(larger, opaque=CLOSED)
        p.compare(gt(larger, smaller), form=c**2 / (1 - c**2) * (more - less), opaque=CLOSED)
        greater_logarithm(p, larger, smaller, opaque=CLOSED)
        shown = p.compare(claim.IN_TOKENS[2], form=1 / (2 * alpha) * (log(larger) - log(smaller)), opaque=CLOSED)
        p.discharge(assumed.shows, shown)


@proves("thm19.monotone", "in_heads")
def in_heads(p: Proof) -> None:
    """Here c = 2/(q + P) falls as P rises, and the logarithm's argument is c (n-1)/P."""
    tokens, few, many = claim.n_1, claim.H_1, claim.H_2
    m, c, e = tokens - 1, c_star(few), c_star(many)
    with p.assuming(claim.IN_HEADS[1]) as (assumed,):
        p.positive(many - 1, form=(many - few) + (few - 1))
        first, second = critical_ratio(p, few), critical_ratio(p, many)
        below_one(p, first, few)
        below_one(p, second, many)
        s, t = few - 1, many - 1
        q, r = sqrt(s**2 + 4), sqrt(t**2 + 4)
        p.nonnegative(q)
        p.nonnegative(r)
        squares = p.compare(gt(r**2, q**2), form=(many - few) * (s + t))
        p.modus(p.direction(p.squares(gt(r, q))), squares)
        gap = 2 * ((r - q) + (many - few)) * (1 / (q + s)) * (1 / (r + t))
        p.compare(gt(c, e), form=gap, using=[(1, p.equal(c - e, gap))])
        smaller, larger = e**2 * m / (1 - e**2), c**2 * m / (1 - c**2)
        p.positive(smaller, opaque=CLOSED)
        p.positive(larger, opaque=CLOSED)
        simple = [
            p.equal(
                b, ratio * m / others, using=[(ratio * m * (1 / others) * (1 / (1 - ratio**2)), root)], opaque=CLOSED
            )
            for b, ratio, others, root in ((larger, c, s, first), (smaller, e, t, second))
        ]
        difference = m * ((c - e) / s + e * (many - few) * (1 / s) * (1 / t))
        spread = p.equal(c * m / s - e * m / t, difference, opaque=CLOSED)
        p.compare(
            gt(larger, smaller),
            form=difference,
            using=[(1, simple[0]), (-1, simple[1]), (1, spread)],
            opaque=CLOSED,
        )
        greater_logarithm(p, larger, smaller, opaque=CLOSED)
        shown = p.compare(claim.IN_HEADS[2], form=1 / (2 * alpha) * (log(larger) - log(smaller)), opaque=CLOSED)
        p.discharge(assumed.shows, shown)


@proves("thm19.monotone", "in_scale")
def in_scale(p: Proof) -> None:
    """Only the factor in front depends on the scale."""
    c = c_star(claim.H_1)
    below_one(p, critical_ratio(p, claim.H_1), claim.H_1)
    p.positive(c**2 * (claim.n_1 - 1) / (1 - c**2), opaque=CLOSED)
    p.equal(claim.IN_SCALE[1], claim.IN_SCALE[2], opaque=CLOSED)


# --- the sharp constant ----------------------------------------------------------------------------------------------


@proves("thm19.beta_sharp", "threshold")
def sharp_threshold(p: Proof) -> None:
    """sqrt(H) A <= S <=> H A^2 <= S^2 <=> A^2 <= (n-1)/(H-1) <=> beta <= beta#."""
    outputs(p)
    several_heads(p)
    m = n - 1
    bound = m / P
    p.positive(bound)
    p.nonnegative(sqrt(H) * A)
    p.nonnegative(S)
    measured = p.scaled(claim.SHARP[1], le(sqrt(H) * A, S), alpha / sqrt(H), rewrites=[same_scale(p)])
    squared = turned(p, p.squares(le(sqrt(H) * A, S)))
    solved = p.scaled(le((sqrt(H) * A) ** 2, S**2), le(exp(2 * beta * alpha), bound), P)
    p.chain(
        measured,
        squared,
        solved,
        against_logarithm(p, "le", 2 * beta * alpha, bound, le(beta, beta_sharp()), 2 * alpha),
    )


@proves("thm19.beta_sharp", "gap")
def gap(p: Proof) -> None:
    """The closed form of beta*."""
    same = logarithms(p)
    p.equal(claim.GAP[1], claim.GAP[2], using=[(-1 / (2 * alpha), same)], opaque=CLOSED)


@proves("thm19.lambert_w.amended", "algebraic")
def algebraic(p: Proof) -> None:
    """Its defining equation has the integer coefficients 1, H - 1, -1."""
    any_heads(p)
    critical_ratio(p)
