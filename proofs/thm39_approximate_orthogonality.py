"""Theorem 39: a head's energy without, and with approximate, orthogonality.

Statement: the rate of a head's energy is Theorem 17's expression and the inner products of its outputs with those of
the other heads; if products of distinct score matrices have norm at most delta, these cost at most delta times weights.
For heads alpha Q_h the smallest delta is alpha^2 times the cosine of the smallest angle; the bound is attained.
Hypotheses: unit, symmetry, alignment; near_orthogonality for the bound.
Notation: E_h energy of head h, f_i^h its output, a_i^h its shadow, Z_i^h the sum of its weights (the paper's Omega).
Method: one differentiation; then |<M_h x_j, M_g x_k>| = |<M_g M_h x_j, x_k>| <= delta.
Not proved here: anything about trained heads, which are measured.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import substitute
from antumbra.proofs.kernel.terms import (
    Formula,
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
    ip,
    le,
    n,
    ne,
    norm,
    operator_norm,
    rational,
    symbol,
    total,
    vector,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, output, overlap, shadow, weight
from antumbra.proofs.statements import thm39 as claim
from antumbra.proofs.statements.thm39 import exchange
from antumbra.proofs.substitution import substituted

x_i, x_j, x_k = vector("x", "i"), vector("x", "j"), vector("x", "k")


@proves("thm39.identity", "rate")
def identity(p: Proof) -> None:
    """<f^h, P v> is a sum over all heads; the head itself gives |f^h|^2 - (a^h)^2 = |P f^h|^2."""
    everything = total("g", ip(output("h", "i"), output("g", "i")) - shadow("h", "i") * shadow("g", "i"))
    p.calculate(claim.RATE, 1 / n**3 * total("i", everything), claim.IDENTITY[2])


@proves("thm39.identity", "orthogonal_heads")
def orthogonal_heads(p: Proof) -> None:
    """<M_h x_j, M_g x_k> = <M_g M_h x_j, x_k> = 0."""
    p.equal(claim.NO_MEETING[1], claim.NO_MEETING[2])


def overlapping(p: Proof) -> Judgement:
    """<M_h x_j, M_g x_k> >= -delta for g != h."""
    product: Vector = apply("M", "g", apply("M", "h", vector("u")))
    at_token: Vector = apply("M", "g", apply("M", "h", x_j))
    with p.apart(("g", "h")):
        near = p.at(p.at(p.hypothesis("near_orthogonality"), "h"), "g")
        size = near.shows[1]
        p.operator_norm("u", product, x_j)
        p.cauchy_schwarz(at_token, x_k)
        meeting = ip(at_token, x_k)
        p.absolute(meeting, negative=True)
        form = (
            (overlap - size)
            + (size * norm(x_j) - norm(at_token))
            + (norm(at_token) * norm(x_k) - absolute(meeting))
            + (absolute(meeting) + meeting)
        )
        return p.nonnegative(ip(apply("M", "h", x_j), apply("M", "g", x_k)) + overlap, form=form)


@proves("thm39.bound", "bound")
def bound(p: Proof) -> None:
    """The identity, with a_h a_g <= |a_h| |a_g| and <f_h, f_g> >= -delta Z_h Z_g, term by term."""
    own, other = shadow("h", "i"), shadow("g", "i")
    for value in (own, other):
        p.absolute(value)
        p.absolute(value, negative=True)
    with p.apart(("g", "h")):
        meeting = overlapping(p)
        cost = total("j", total("k", weight("h", "i", "j") * weight("g", "i", "k") * meeting.shows[1]))
        # |a||b| - ab is half of (|a| - a)(|b| + b) + (|a| + a)(|b| - b).
        first, second = (
            (absolute(own) - own) * (absolute(other) + other),
            (absolute(own) + own) * (absolute(other) - other),
        )
        slack = rational(1) / 2 * (first + second) + cost
        head = p.nonnegative(slack)
    heads = p.sum_compare(head, "g", ["h"])
    p.compare(claim.BOUND, form=1 / n**3 * total("i", heads.shows[1]))


# --- the angle between projectors ------------------------------------------------------------------------------------


def cosines_from_norms(p: Proof) -> Judgement:
    """alpha^2 <Q_g u, Q_h w> = <Q_g u, M_g M_h Q_h w>, and |M_g M_h Q_h w| <= delta |Q_h w|."""
    first, second = apply("Q", "g", claim.u), apply("Q", "h", claim.w)
    image = apply("M", "g", apply("M", "h", second))
    with p.assuming(claim.NEAR) as (near,), p.apart(("g", "h")):
        size = p.at(p.at(near, "h"), "g").shows[1]
        p.operator_norm("u", claim.PRODUCT, second)
        p.cauchy_schwarz(first, image)
        a, b, cosine = norm(first), norm(second), absolute(ip(first, second))
        form = (1 / alpha**2) * (
            a * ((overlap - size) * b) + a * (size * b - norm(image)) + (a * norm(image) - absolute(ip(first, image)))
        )
        within = p.compare(le(cosine, claim.LEVEL * (a * b)), form=form)
        for name in ("w", "u"):
            within = p.step("forallv_intro", Formula(("forallv", name, within.shows)), within)
        return p.discharge(near.shows, p.for_every("h", p.for_every("g", within, ["h"])))


@proves("thm39.angle", "admissible")
def admissible(p: Proof) -> None:
    """Back: with N = |Q_g Q_h u|, N^2 = <Q_g Q_h u, Q_h u> <= (delta / alpha^2) N |u|, so alpha^2 N <= delta |u|."""
    forward = cosines_from_norms(p)
    u = claim.u
    inner, twice = apply("Q", "h", u), apply("Q", "g", apply("Q", "h", u))
    size, whole = norm(twice), norm(u)
    rest = u - inner
    squares = p.compare(ge(whole**2, norm(inner) ** 2), form=ip(rest, rest))
    p.modus(p.direction(p.squares(ge(whole, norm(inner)))), squares)
    with p.assuming(claim.ADMISSIBLE[2]) as (cosines,), p.apart(("g", "h")):
        every_u = p.at(p.at(cosines, "h"), "g")
        shows = substitute(every_u.shows[2], p.ground.signature, vectors={"u": inner})
        every_w = p.step("forallv_elim", shows, every_u, term=inner)
        shows = substitute(every_w.shows[2], p.ground.signature, vectors={"w": u})
        within = p.step("forallv_elim", shows, every_w, term=u)
        bounded = ge(overlap * whole, alpha**2 * size)
        with p.assuming(eq(size, 0)) as (nothing,):
            trivial = p.compare(bounded, form=overlap * whole, using=[(-(alpha**2), nothing)])
        with p.assuming(ne(size, 0)):
            p.positive(size)
            meeting = ip(twice, inner)
            p.absolute(meeting)
            cosine = absolute(meeting)
            form = (
                alpha**2 * (within.shows[2] - cosine)
                + alpha**2 * (cosine - meeting)
                + overlap * size * (whole - norm(inner))
            )
            product = p.compare(ge(size * bounded[1], size * bounded[2]), form=form)
            divided = p.modus(p.direction(p.scaled(product.shows, bounded, size)), product)
        choice = p.step("compare", disj(eq(size, 0), ne(size, 0)))
        either = p.cases(choice, trivial, divided)
        scaled = p.compare(ge(overlap * whole, norm(claim.PRODUCT)), form=bounded[1] - bounded[2], facts=[either])
        norm_is = operator_norm("u", claim.PRODUCT)
        p.step("operator_norm_le", ge(overlap, norm_is), scaled, p.nonnegative(overlap))
        within = p.compare(le(norm_is, overlap))
        backward = p.discharge(cosines.shows, p.for_every("h", p.for_every("g", within, ["h"])))
    p.both_ways(forward, backward)


@proves("thm39.angle", "smallest")
def smallest(p: Proof) -> None:
    """Delta is admissible iff delta / alpha^2 bounds the cosines, iff it is at least the least such bound."""
    near = p.cite("thm39.angle", "admissible")
    with p.assuming(claim.IS_COSINE) as (least,):
        level = p.nonnegative(claim.LEVEL)
        shows = substitute(least.shows[2], p.ground.signature, scalars={"level": claim.LEVEL})
        bounds = p.step("forall_elim", shows, least, level, term=claim.LEVEL)
        target = claim.SMALLEST[2][2]
        larger = p.scaled(bounds.shows[2], target, 1 / alpha**2)
        p.discharge(least.shows, p.chain(near, bounds, larger))


# --- the configuration that attains the bound ------------------------------------------------------------------------


def frame(p: Proof) -> list[Judgement]:
    """|here| = |across| = 1, and they are orthogonal."""
    whole = p.hypothesis("two_directions")
    return [p.component(whole, k) for k in range(3)]


def exchanged(p: Proof) -> Judgement:
    """<w, M_h u> = turn_h (<here, u> <across, w> + <across, u> <here, w>): so on a basis, hence for all u and w."""
    u, w, e_a = claim.u, claim.w, basis("a")
    image = p.at(p.at(p.hypothesis("exchanging_heads"), "h"), "a")
    entry = substituted(p, ip(w, apply("M", "h", e_a)), image)
    part = ip(u, e_a)
    column = p.equal(part * Scalar(entry.shows[1]), part * Scalar(entry.shows[2]), using=[(part, entry)])
    return p.equal(
        ip(w, apply("M", "h", u)),
        ip(w, exchange(symbol("turn", "h"), u)),
        using=[(1, p.sum_compare(column, "a"))],
    )


def at_one_place(p: Proof) -> list[Judgement]:
    """<x_i, M_h x_j> = 0 and <M_h x_j, M_g x_k> = <x_j, M_h M_g x_k> = turn_h turn_g: what pairings come to."""
    everywhere = p.hypothesis("all_here")
    places = [p.at(everywhere, token) for token in ("i", "j", "k")]
    general, here = exchanged(p), claim.here
    turns = symbol("turn", "h") * symbol("turn", "g")
    known = frame(p)

    def meets(w: Vector, head: str, u: Vector) -> Judgement:
        return p.instance(general, indices={"h": head}, vectors={"u": u, "w": w})

    known += [meets(w, "h", here) for w in (here, claim.across)]
    images = {head: apply("M", head, here) for head in ("g", "h")}
    known += [meets(images["h"], head, here) for head in ("g", "h")]
    known.append(meets(here, "h", images["g"]))
    pairings = {
        ip(x_i, apply("M", "h", x_j)): rational(0),
        ip(apply("M", "h", x_j), apply("M", "g", x_k)): turns,
        ip(x_j, apply("M", "h", apply("M", "g", x_k))): turns,
        ip(apply("M", "h", x_j), apply("M", "h", x_k)): symbol("turn", "h") ** 2,
    }
    return [
        p.equal(term, value, using=[(1, substituted(p, term, *places))], rewriting=known)
        for term, value in pairings.items()
    ]


@proves("thm39.sharp", "rate")
def sharp_rate(p: Proof) -> None:
    """All scores are 0 and f^g = n turn_g across, so the rate is turn_h times the sum of all turns: 1 - (H - 1)."""
    pairings = [*at_one_place(p), p.component(p.hypothesis("two_directions"), 0)]
    turn_h = symbol("turn", "h")
    rate_is = p.equal(claim.RATE, turn_h * total("g", symbol("turn", "g")), rewriting=pairings)
    with p.assuming(claim.OPPOSED) as (opposed,):
        own = p.component(opposed, 0)
        others = p.sum_compare(p.at(p.component(opposed, 1), "g"), "g", ["h"])
        conclusion = p.equal(
            claim.RATE,
            2 - H,
            using=[(1, rate_is), (total("g", symbol("turn", "g")), own), (1, others), (1, own)],
        )
        p.discharge(opposed.shows, conclusion)


@proves("thm39.sharp", "bound")
def sharp_bound(p: Proof) -> None:
    """No shadows, n weights of 1 for every head, and |P f^h|^2 = n^2 turn_h^2."""
    pairings = [*at_one_place(p), p.component(p.hypothesis("two_directions"), 0)]
    turn_h = symbol("turn", "h")
    floor_is = p.equal(claim.FLOOR, turn_h**2 - overlap * (H - 1), rewriting=pairings)
    with p.assuming(claim.OPPOSED) as (opposed,):
        own = p.component(opposed, 0)
        conclusion = p.equal(claim.FLOOR, 2 - H, using=[(1, floor_is), (turn_h + 1, own), (1 - H, p.domain(0))])
        p.discharge(opposed.shows, conclusion)


def all_turns(p: Proof, opposed: Judgement, head: str) -> Judgement:
    """turn_k^2 = 1 for every head k: pick k out of the others with a delta, and add the first head."""
    own, others = p.component(opposed, 0), p.component(opposed, 1)
    turn, turn_h = symbol("turn", "g1"), symbol("turn", "h")
    pick = delta("g1", head)
    with p.apart(("g1", "h")):
        other = p.equal((turn**2 - 1) * pick, 0, using=[((turn - 1) * pick, p.at(others, "g1"))])
    picked = p.sum_compare(other, "g1", ["h"])
    return p.equal(symbol("turn", head) ** 2, 1, using=[(1, picked), ((turn_h + 1) * delta("h", head), own)])


@proves("thm39.sharp", "overlap")
def sharp_overlap(p: Proof) -> None:
    """M_g M_h u = +-(<here, u> here + <across, u> across), whose square is at most |u|^2."""
    u, here, across = claim.u, claim.here, claim.across
    product = apply("M", "g", apply("M", "h1", u))
    orthonormal = frame(p)
    along, aside = ip(here, u), ip(across, u)
    with p.assuming(claim.OPPOSED) as (opposed,):
        signs = [all_turns(p, opposed, head) for head in ("g", "h1")]
        general, inner = exchanged(p), apply("M", "h1", u)

        def meets(w: Vector, head: str, v: Vector) -> Judgement:
            return p.instance(general, indices={"h": head}, vectors={"u": v, "w": w})

        known = [*orthonormal, *(meets(w, "h1", u) for w in (here, across))]
        known += [meets(w, "g", inner) for w in (here, across, product)]
        twice = symbol("turn", "g") * symbol("turn", "h1")
        length = p.equal(ip(product, product), twice**2 * (along**2 + aside**2), rewriting=known)
        shorter = along**2 + aside**2
        second = symbol("turn", "h1") ** 2
        is_shorter = p.equal(
            norm(product) ** 2, shorter, using=[(1, length), (second * shorter, signs[0]), (shorter, signs[1])]
        )
        rest = u - along * here - aside * across
        squares = p.compare(
            ge(norm(u) ** 2, norm(product) ** 2), form=ip(rest, rest), using=[(-1, is_shorter)], rewriting=orthonormal
        )
        bounded = p.modus(p.direction(p.squares(ge(norm(u), norm(product)))), squares)
        scaled = p.compare(ge(1 * norm(u), norm(product)), form=norm(u) - norm(product), facts=[bounded])
        norm_is = operator_norm("u", product)
        p.step("operator_norm_le", ge(1, norm_is), scaled, p.nonnegative(rational(1)))
        within = p.compare(le(norm_is, 1))
        everywhere = p.for_every("h1", p.for_every("g", within, ["h1"]))
        p.discharge(opposed.shows, everywhere)


@proves("thm39.sharp", "symmetry")
def sharp_symmetry(p: Proof) -> None:
    """<u, M_h w> = turn_h (<here, w> <across, u> + <across, w> <here, u>), the same for u and w exchanged."""
    _, left, right = claim.SYMMETRIC
    one_way = exchanged(p)
    other_way = p.instance(one_way, vectors={"u": claim.w, "w": claim.u})
    p.equal(left, right, using=[(1, one_way), (-1, other_way)])
