"""Condition 8, radial dominance, and what it says of ratios of shadows to outputs.

Statement: where at every token |f^h| times the sum of the others' |a| is at most |P f^h|^2, the energy of head h does
not fall; this is not necessary. With equal outputs and ratios |a| <= c |f| the condition holds if c^2 + (H - 1) c <= 1;
and c <= 1/sqrt(H) is enough for the conclusion, which is sharp. The squared ratios add up to at most 1.
Hypotheses: those of Theorem 17 (unit, symmetry, alignment, orthogonality); for ratios, unit and equal norms.
Notation: f^h outputs, a^h shadows, c a bound on ratios, r_h the ratio of head h.
Method: Theorem 17's identity term by term; Bessel's inequality as the square of what is left of the token.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    H,
    Scalar,
    Vector,
    absolute,
    apply,
    basis,
    delta,
    disj,
    eq,
    ge,
    gt,
    ip,
    le,
    n,
    ne,
    norm,
    norm2,
    rational,
    symbol,
    total,
    vector,
    vtotal,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import c, output, shadow
from antumbra.proofs.statements import cond08 as claim
from antumbra.proofs.substitution import substituted

f_h, f_g, x = output("h", "i"), output("g", "i"), vector("x", "i")
a_h, a_g = shadow("h", "i"), shadow("g", "i")
SQUARED_RATIO = a_h**2 / norm2(f_h)
CLOSED = ("f",)


def shadow_is_small(p: Proof, head: str) -> None:
    """|f^h| >= |a^h|, for a unit token."""
    p.cauchy_schwarz(output(head, "i"), x)
    size, value = norm(output(head, "i")), absolute(shadow(head, "i"))
    form = size * norm(x) - absolute(ip(output(head, "i"), x))
    p.nonnegative(size - value, form=form, opaque=CLOSED)


def product_of_shadows(p: Proof) -> Judgement:
    """The product of a_h with the sum of the others is at most |a_h| times the sum of the others' sizes."""
    for value in (a_h, a_g):
        p.absolute(value)
        p.absolute(value, negative=True)
    first = (absolute(a_h) - a_h) * (absolute(a_g) + a_g)
    second = (absolute(a_h) + a_h) * (absolute(a_g) - a_g)
    product = absolute(a_h) * absolute(a_g) - a_h * a_g
    term = p.nonnegative(product, form=rational(1) / 2 * (first + second), opaque=["a"])
    return p.sum_compare(term, "g", ["h"])


@proves("cond8.sufficient", "monotone")
def sufficient(p: Proof) -> None:
    """|P f|^2 >= |f| sum |a_g| >= |a_h| sum |a_g| >= a_h sum a_g at every token."""
    identity = p.cite("thm17.sphere", "rate")
    with p.assuming(claim.DOMINANCE) as (dominance,):
        p.at(dominance, "i")
        shadow_is_small(p, "h")
        products = product_of_shadows(p)
        slack = (
            (claim.TANGENTIAL - claim.OUTPUT * claim.OTHERS)
            + (claim.OUTPUT - absolute(a_h)) * claim.OTHERS
            + products.shows[1]
        )
        conclusion = p.nonnegative(claim.RATE, form=1 / n**3 * total("i", slack), using=[(1, identity)], opaque=CLOSED)
        p.discharge(dominance.shows, conclusion)


def equal_outputs(p: Proof, same: Judgement) -> Judgement:
    """The norms of the other heads' outputs add up to (H - 1) |f_h|."""
    with p.apart(("g", "h")):
        _, left, right = same.shows
        sign = 1 if left == norm(f_g) else -1
        each = p.equal(norm(f_g), norm(f_h), using=[(sign, same)], opaque=CLOSED)
    assert right in (norm(f_g), norm(f_h))
    return p.sum_compare(each, "g", ["h"])


def dominance_by_ratios(p: Proof, same: Judgement) -> Judgement:
    """|P f|^2 - |f| sum |a_g| is |f|^2 (1 - c^2 - (H-1) c) + (c^2 |f|^2 - a_h^2) + |f| sum (c |f_g| - |a_g|)."""
    norms = equal_outputs(p, same)
    size, value = claim.OUTPUT, absolute(a_h)
    form = (
        size**2 * (1 - (c**2 + (H - 1) * c))
        + (c * size - value) * (c * size + value)
        + size * total("g", c * norm(f_g) - absolute(a_g), ["h"])
    )
    return p.compare(claim.DOMINATES, form=form, using=[(-c * size, norms)], opaque=CLOSED)


@proves("cond8.ratio_form", "dominance")
def ratio_form(p: Proof) -> None:
    """The bound holds at each token."""
    dominance_by_ratios(p, p.at(p.at(p.at(p.hypothesis("equal_norms"), "i"), "h"), "g"))


@proves("cond8.ratio_form", "at_one_token")
def ratio_form_at_token(p: Proof) -> None:
    """It needs the outputs of that token alone."""
    with p.assuming(claim.AT_TOKEN) as (here,):
        same, bounded = (p.at(p.component(here, k), "g") for k in (0, 1))
        p.instance(bounded, indices={"g": "h"})
        p.discharge(here.shows, dominance_by_ratios(p, same))


@proves("cond8.sharp_constant", "enough")
def enough(p: Proof) -> None:
    """a_h times all shadows is at most c |f| times H c |f|, so |f|^2 less that is at least (1 - H c^2) |f|^2."""
    rate_is = p.equal(claim.RATE, 1 / n**3 * total("i", norm2(f_h) - a_h * total("g", a_g)))
    same = p.at(p.at(p.at(p.hypothesis("equal_norms"), "i"), "h"), "g")
    norms = p.sum_compare(p.flip(same), "g")
    for value in (a_h, a_g):
        p.absolute(value)
        p.absolute(value, negative=True)
    size, value, other = claim.OUTPUT, absolute(a_h), absolute(a_g)
    factor = c**2 * size
    at_token = p.equal(factor * total("g", norm(f_g)), factor * H * size, using=[(factor, norms)], opaque=CLOSED)
    half = rational(1) / 2
    products = half * ((value - a_h) * (other + a_g) + (value + a_h) * (other - a_g))
    slack = size**2 * (1 - H * c**2) + total(
        "g", products + c * size * (c * norm(f_g) - other) + (c * size - value) * other
    )
    everywhere = p.sum_compare(at_token, "i")
    p.nonnegative(
        claim.RATE,
        form=1 / n**3 * total("i", slack),
        using=[(1, rate_is), (-(1 / n**3), everywhere)],
        opaque=CLOSED,
    )


# --- rank-one heads, which show that the constant is sharp -----------------------------------------------------------


def frame(p: Proof) -> list[Judgement]:
    """<main_h, main_g> = delta_hg, and 1 for one head."""
    both = p.at(p.at(p.hypothesis("head_directions"), "h"), "g")
    return [both, p.instance(both, indices={"g": "h"})]


def rank_one_heads(p: Proof) -> Judgement:
    """<w, M_h u> = strength_h <main_h, u> <main_h, w>: so on a basis, hence for all u and w."""
    u, w, e_a = vector("u"), vector("w"), basis("a")
    image = p.at(p.at(p.hypothesis("rank_one_heads"), "h"), "a")
    entry = substituted(p, ip(w, apply("M", "h", e_a)), image)
    part = ip(u, e_a)
    column = p.equal(part * Scalar(entry.shows[1]), part * Scalar(entry.shows[2]), using=[(part, entry)])
    return p.equal(ip(w, apply("M", "h", u)), ip(w, claim.rank_one("h", u)), using=[(1, p.sum_compare(column, "a"))])


def pairings_by_coordinates(p: Proof, strengths: Judgement) -> list[Judgement]:
    """Every pairing of the token through the heads, in its coordinates; strengths are put in first."""
    place = p.at(p.hypothesis("coordinates"), "i")
    general = rank_one_heads(p)
    main_h, main_g = vector("main", "h"), vector("main", "g")
    inside = ip(main_h, x)
    root = p.equal(inside, claim.root_h, using=[(1, substituted(p, inside, place))], rewriting=frame(p))
    M_h, M_g = apply("M", "h", x), apply("M", "g", x)

    def meets(w: Vector, head: str, v: Vector) -> Judgement:
        return p.instance(general, indices={"h": head}, vectors={"u": v, "w": w})

    known = [strengths, *frame(p), root, meets(x, "h", x), meets(main_g, "h", x), meets(main_h, "h", x)]
    return [*known, meets(M_h, "g", x), meets(M_h, "h", x), meets(x, "h", M_g), meets(x, "h", M_h)]


def other_coordinates(p: Proof, own: Judgement, others: Judgement) -> Judgement:
    """r_g = rest + (c - rest) delta_gh for every head g: pick g out of the others with a delta, and add head h."""
    root, pick = symbol("root", "g1"), delta("g1", "g")
    with p.apart(("g1", "h")):
        other = p.equal((root - claim.rest) * pick, 0, using=[(pick, p.at(others, "g1"))])
    picked = p.sum_compare(other, "g1", ["h"])
    meets = delta("g", "h")
    right = claim.rest + (c - claim.rest) * meets
    return p.equal(claim.root_g, right, using=[(1, picked), (meets, own)])


def ratio_is_largest(p: Proof, unit: Judgement) -> Judgement:
    """C > rest, from (H - 1) (c^2 - rest^2) = H c^2 - 1 > 0 and H - 1 = (H c^2 - 1) + H (1 - c^2) > 0."""
    rest, gap = claim.rest, H - 1
    p.positive(gap, form=(H * c**2 - 1) + H * (1 - c) * (1 + c))
    squares = p.compare(gt(gap * c**2, gap * rest**2), form=H * c**2 - 1, using=[(-1, unit)])
    divided = p.modus(p.direction(p.scaled(squares.shows, gt(c**2, rest**2), gap)), squares)
    return p.modus(p.direction(p.squares(gt(c, rest))), divided)


@proves("cond8.sharp_constant", "no_larger")
def no_larger(p: Proof) -> None:
    """f_g = main_g, so dE_h/dt = 1 - r_h sum r_g = (H - 1) rest (rest - c), and rest < c."""
    rest, gap = claim.rest, H - 1
    with p.assuming(claim.OWN_RATIO) as (given,):
        own, others, strengths = (p.component(given, k) for k in range(3))
        known = pairings_by_coordinates(p, p.at(strengths, "g"))
        coordinates = other_coordinates(p, own, others)
        place = p.at(p.hypothesis("coordinates"), "i")
        squares = total("g", claim.root_g**2)
        length = p.equal(norm2(x), squares, using=[(1, substituted(p, norm2(x), place))], rewriting=frame(p))
        with p.apart(("g", "h")):
            other = p.at(others, "g")
            square = p.equal(claim.root_g**2, rest**2, using=[(claim.root_g + rest, other)])
        sums = [p.sum_compare(j, "g", ["h"]) for j in (other, square)]
        unit = p.equal(c**2 + gap * rest**2, 1, using=[(-1, length), (-1, sums[1]), (-(c + claim.root_h), own)])
        larger = ratio_is_largest(p, unit)
        roots = total("g", claim.root_g)
        rate_is = p.equal(claim.RATE, 1 - claim.root_h * roots, rewriting=known)
        falls = p.compare(
            claim.NO_LARGER[2][3],
            form=gap * rest * (c - rest),
            using=[(-1, rate_is), (1, unit), (c, sums[0]), (roots + c, own)],
        )
        outputs = p.for_every("g", p.equal(norm(f_g), 1, rewriting=known))
        shadow_is = p.equal(absolute(a_g) - c * norm(f_g), claim.root_g - c, rewriting=known)
        away = 1 - delta("g", "h")
        within = p.compare(
            le(absolute(a_g), c * norm(f_g)),
            form=(c - rest) * away**2,
            using=[(-1, shadow_is), (-1, coordinates)],
            facts=[larger],
        )
        p.discharge(given.shows, p.conjunction(outputs, p.for_every("g", within), falls))


@proves("cond8.sharp_constant", "symmetry")
def symmetry(p: Proof) -> None:
    """<w, M_h u> does not change when u and w change places."""
    _, left, right = claim.SYMMETRIC
    one_way = rank_one_heads(p)
    other_way = p.instance(one_way, vectors={"u": claim.w, "w": claim.u})
    p.equal(left, right, using=[(1, one_way), (-1, other_way)])


@proves("cond8.sharp_constant", "orthogonality")
def orthogonality(p: Proof) -> None:
    """<w, M_g M_h u> has the factor <main_g, main_h> = 0."""
    general, main_g = rank_one_heads(p), vector("main", "g")
    M_h = apply("M", "h", claim.u)
    with p.apart(("g", "h")):
        known = [
            *frame(p),
            p.instance(general, vectors={"w": main_g}),
            p.instance(general, indices={"h": "g"}, vectors={"u": M_h}),
        ]
        nothing = p.equal(ip(claim.w, apply("M", "g", M_h)), 0, rewriting=known)
    p.for_every("g", nothing, ["h"])


# --- Bessel's inequality ---------------------------------------------------------------------------------------------


def bessel(p: Proof) -> Judgement:
    """The sum of t_h is at most 1, t_h = a_h^2 / |f_h|^2: the square of x - sum (a_h / |f_h|^2) f_h is 1 - sum t_h."""
    orthogonal = p.equal(ip(f_h, f_g), delta("h", "g") * norm2(f_h))
    rest = x - vtotal("h", (a_h / norm2(f_h)) * f_h)
    left_over = p.equal(ip(rest, rest), 1 - total("h", SQUARED_RATIO), rewriting=[orthogonal], opaque=CLOSED)
    bound = le(total("h", SQUARED_RATIO), 1)
    return p.compare(bound, form=ip(rest, rest), using=[(-1, left_over)], opaque=CLOSED)


def at_most_the_ratio(p: Proof, vanishing: Judgement) -> Judgement:
    """Now r^2 <= a^2 / |f|^2: from r^2 |f|^2 <= a^2 (a fact in force), or from r = 0 where |f| = 0."""
    size, r = claim.OUTPUT, claim.ratio
    shows = ge(SQUARED_RATIO, r**2)
    with p.assuming(eq(size, 0)) as (nothing,):
        none = p.modus(vanishing, nothing)
        at_zero = p.compare(shows, form=SQUARED_RATIO, using=[(-r, none)], opaque=CLOSED)
    with p.assuming(ne(size, 0)):
        p.positive(size)
        p.positive(norm2(f_h), form=size * size)
        gap = (a_h**2 - r**2 * norm2(f_h)) / norm2(f_h)
        same = p.equal(SQUARED_RATIO - r**2, gap, opaque=CLOSED)
        elsewhere = p.compare(shows, form=gap, using=[(1, same)], opaque=CLOSED)
    return p.cases(p.step("compare", disj(eq(size, 0), ne(size, 0))), at_zero, elsewhere)


@proves("cond8.share_bound", "bound")
def share_bound(p: Proof) -> None:
    """Each r_h^2 is at most a_h^2 / |f_h|^2, and these add up to at most 1."""
    bessel(p)
    with p.assuming(claim.IS_RATIO) as (numbers,):
        here = p.at(numbers, "h")
        p.component(here, 0)
        each = at_most_the_ratio(p, p.component(here, 1))
        heads = p.sum_compare(each, "h")
        form = (1 - heads.shows[1]) + (heads.shows[1] - heads.shows[2])
        p.discharge(numbers.shows, p.compare(claim.SHARES[2], form=form, opaque=CLOSED))


@proves("cond8.share_bound", "quotients")
def quotients(p: Proof) -> None:
    """Where every head has an output, a_h^2 / |f_h|^2 is the square of a quotient."""
    most = bessel(p)
    with p.assuming(claim.ALL_OUTPUTS) as (outputs,):
        p.nonzero(claim.OUTPUT, facts=[p.at(outputs, "h")])
        form = 1 - Scalar(most.shows[1])
        p.discharge(outputs.shows, p.compare(claim.QUOTIENTS[2], form=form, opaque=CLOSED))
