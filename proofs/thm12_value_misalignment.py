"""Theorem 12: the total energy when value matrices differ from score matrices.

Statement: if every value matrix is within eta of its score matrix, the energy's rate is at least the mean over tokens
of |P u_i| (|P u_i| - eta Omega_i); and this bound is attained.
Hypotheses: unit, symmetry, misalignment.
Notation: u_i the field with aligned value matrices, P u_i its tangential part, Omega_i the sum of all weights over n.
Method: dE/dt = (1/n) sum of <P u_i, v_i>, and v_i differs from u_i by weighted values of norm at most eta.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    H,
    Scalar,
    absolute,
    apply,
    basis,
    exp,
    ge,
    ip,
    le,
    n,
    norm,
    norm2,
    operator_norm,
    total,
    vdefined,
    vector,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, eta, velocity, weight
from antumbra.proofs.statements import thm12 as claim
from antumbra.proofs.substitution import substituted

x_j, u = vector("x", "j"), vector("u")
P_u = vdefined("P_drive", "i")
CLOSED = ("towards",)


def misalignment_bound(p: Proof) -> None:
    """<P u_i, (W_h - M_h) x_j> >= -eta |P u_i|."""
    size = p.at(p.hypothesis("misalignment"), "h").shows[1]
    error = apply("W", "h", x_j) - apply("M", "h", x_j)
    p.operator_norm("u", apply("W", "h", u) - apply("M", "h", u), x_j)
    p.cauchy_schwarz(P_u, error)
    product = ip(P_u, error)
    p.absolute(product, negative=True)
    pull = norm(P_u)
    form = (
        pull * (eta - size)
        + pull * (size * norm(x_j) - norm(error))
        + (pull * norm(error) - absolute(product))
        + (absolute(product) + product)
    )
    cost = p.nonnegative(product + eta * pull, form=form)
    weighted = total("h", total("j", weight("h", "i", "j") * cost.shows[1]))
    rate_is = p.equal(claim.RATE, 1 / n * total("i", ip(P_u, velocity("i"))))
    p.compare(claim.BOUND, form=1 / n**2 * total("i", weighted), using=[(1, rate_is)])


@proves("thm12.bound", "bound")
def bound(p: Proof) -> None:
    """<P u_i, v_i> = |P u_i|^2 + <P u_i, v_i - u_i>, and each value's error costs at most eta |P u_i|."""
    misalignment_bound(p)


@proves("thm12.bound", "no_fall")
def no_fall(p: Proof) -> None:
    """Each summand of the bound is a product of numbers that are at least 0."""
    misalignment_bound(p)
    with p.assuming(claim.STRONG_PULL) as (strong,):
        p.at(strong, "i")
        floor = p.nonnegative(claim.PULL * (claim.PULL - eta * claim.WEIGHT))
        p.sum_compare(floor, "i")
        conclusion = p.nonnegative(claim.RATE, form=(claim.RATE - claim.FLOOR) + claim.FLOOR)
        p.discharge(strong.shows, conclusion)


# --- the configuration that attains the bound ------------------------------------------------------------------------


def worst_values(p: Proof) -> Judgement:
    """<w, W_h u> = <w, M_h u> - eta <place, u> <w, towards>: so on a basis, hence for all u and w."""
    w, e_a = vector("w"), basis("a")
    image = p.at(p.at(p.hypothesis("worst_values"), "h"), "a")
    entry = substituted(p, ip(w, apply("W", "h", e_a)), image)
    part = ip(u, e_a)
    column = p.equal(part * Scalar(entry.shows[1]), part * Scalar(entry.shows[2]), using=[(part, entry)], opaque=CLOSED)
    return p.equal(
        ip(w, apply("W", "h", u)),
        ip(w, claim.misaligned(u)),
        using=[(1, p.sum_compare(column, "a"))],
        opaque=CLOSED,
    )


def at_the_place(p: Proof) -> list[Judgement]:
    """Every pairing of tokens, score and value matrices is that of the place."""
    everywhere = p.hypothesis("all_at_place")
    places = [p.at(everywhere, token) for token in ("i", "j", "k")]
    general, place = worst_values(p), claim.place
    values = [
        p.instance(general, indices={"h": "g"}, vectors={"u": place, "w": w}) for w in (place, apply("M", "h", place))
    ]
    x_i, x_k = vector("x", "i"), vector("x", "k")
    pairings = [
        ip(x_i, x_i),
        ip(x_i, apply("M", "h", x_j)),
        ip(apply("M", "h", x_j), apply("M", "g", x_k)),
        ip(x_j, apply("W", "g", x_k)),
        ip(apply("M", "h", x_j), apply("W", "g", x_k)),
    ]
    found = []
    for term in pairings:
        there = substituted(p, term, *places)
        known = [v for v in values if v.shows[1] == there.shows[2]]
        found.append(p.transitive(there, *known) if known else there)
    return found


def driven(p: Proof) -> Scalar:
    """N = |P g| and its square are positive."""
    pull = norm(vdefined("pull_at"))
    p.hypothesis("driven")
    p.positive(norm2(vdefined("pull_at")), form=pull * pull)
    return pull


@proves("thm12.sharp", "misalignment")
def misalignment(p: Proof) -> None:
    """|eta <place, u> towards| = eta |<place, u>| <= eta |u|."""
    driven(p)
    w, place, towards = vector("w"), claim.place, claim.towards
    unit = p.equal(norm2(towards), 1)
    error, radial = apply("W", "h", u) - apply("M", "h", u), ip(place, u)
    along = p.equal(ip(w, error), -(eta * radial * ip(w, towards)), using=[(1, worst_values(p))], opaque=CLOSED)
    own, across = (p.instance(along, vectors={"w": v}) for v in (error, towards))
    cost = eta * radial
    length = p.equal(norm(error) ** 2, cost**2, using=[(1, own), (-cost, across), (cost**2, unit)], opaque=CLOSED)
    rest = u - radial * place
    whole = eta * norm(u)
    squares = p.compare(
        ge(whole**2, norm(error) ** 2), form=eta**2 * ip(rest, rest), using=[(-1, length)], opaque=CLOSED
    )
    bounded = p.modus(p.direction(p.squares(ge(whole, norm(error)))), squares)
    norm_is = operator_norm("u", error)
    p.step("operator_norm_le", ge(eta, norm_is), bounded, p.nonnegative(eta))
    p.for_every("h", p.compare(le(norm_is, eta)))


@proves("thm12.sharp", "attained")
def attained(p: Proof) -> None:
    """With g the aligned field at the place and N = |P g| both sides are N^2 - eta (sum of e^{beta s_h}) N."""
    pull = driven(p)
    pairings = at_the_place(p)
    weights = total("h", exp(beta * ip(claim.place, apply("M", "h", claim.place))))
    both = pull * (pull - eta * weights)
    rate_is = p.equal(claim.RATE, both, rewriting=pairings)
    floor_is = p.equal(claim.FLOOR, both, rewriting=pairings)
    p.equal(claim.RATE, claim.FLOOR, using=[(1, rate_is), (-1, floor_is)])


def turning_heads(p: Proof) -> Judgement:
    """<w, M_h u> = <place, u> <aside, w> + <aside, u> <place, w>: so on a basis, hence for all u and w."""
    w, e_a = vector("w"), basis("a")
    image = p.at(p.at(p.hypothesis("turning_heads"), "h"), "a")
    entry = substituted(p, ip(w, apply("M", "h", e_a)), image)
    part = ip(u, e_a)
    column = p.equal(part * Scalar(entry.shows[1]), part * Scalar(entry.shows[2]), using=[(part, entry)])
    return p.equal(ip(w, apply("M", "h", u)), ip(w, claim.turned(u)), using=[(1, p.sum_compare(column, "a"))])


@proves("thm12.sharp", "driven")
def driven_aside(p: Proof) -> None:
    """M_h place = aside and all scores are 0, so the field there is H aside, of norm H."""
    place, aside = claim.place, claim.aside
    general = turning_heads(p)
    values = [p.instance(general, vectors={"u": place, "w": w}) for w in (place, aside, apply("M", "g", place))]
    known = [p.hypothesis("right_angle"), *values]
    pull = norm(vdefined("pull_at"))
    p.positive(pull, form=H, using=[(1, p.equal(pull, H, rewriting=known))])


@proves("thm12.sharp", "symmetry")
def turning_symmetry(p: Proof) -> None:
    """<w, M_h u> does not change when u and w change places."""
    _, left, right = claim.SYMMETRIC
    one_way = turning_heads(p)
    other_way = p.instance(one_way, vectors={"u": vector("w"), "w": u})
    p.equal(left, right, using=[(1, one_way), (-1, other_way)])
