"""Theorem 11: the total energy never falls, flat or on the sphere.

Statement: the USA field is n times the gradient of the energy; so dE/dt is the mean squared speed, and 0 exactly at
equilibria. The energy lies between 0 and (1/2 beta) times the sum of e^{beta |M_h|}. For softmax attention the same
argument needs one head, or heads whose normalisers agree.
Hypotheses: symmetry and alignment; unit on the sphere.
Notation: E energy, v_i the field, P v_i its tangential part, Z_i^h normalisers, |M_h| operator norms.
Method: one differentiation; then inner products.
"""

from __future__ import annotations

from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    ZERO,
    H,
    Vector,
    apply,
    eq,
    exp,
    ge,
    ip,
    n,
    norm,
    norm2,
    rate,
    total,
    vector,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import (
    beta,
    energy,
    normaliser,
    output,
    score,
    softmax_velocity,
    tangential_softmax_velocity,
    tangential_velocity,
    velocity,
)
from antumbra.proofs.statements import thm11 as claim
from antumbra.proofs.tactics import bounded_inner_product, exp_increases, sum_of


@proves("thm11.gradient", "gradient")
def gradient(p: Proof) -> None:
    """d/dt e^{beta <x_i, M x_j>} brings down beta; by symmetry the two places of a token count alike."""
    p.equal(claim.GRADIENT[1], claim.GRADIENT[2])


@proves("thm11.flat", "rate")
def flat(p: Proof) -> None:
    """The gradient along the field itself."""
    p.calculate(claim.FLAT_RATE, total("i", ip(1 / n * velocity("i"), velocity("i"))), claim.FLAT[2])


@proves("thm11.flat", "monotone")
def flat_monotone(p: Proof) -> None:
    """A mean of squares."""
    p.nonnegative(claim.FLAT_RATE, form=claim.FLAT[2])


@proves("thm11.sphere", "rate")
def sphere(p: Proof) -> None:
    """The gradient along P v; then <v, P v> = |P v|^2."""
    p.calculate(
        claim.SPHERE_RATE,
        1 / n * total("i", ip(velocity("i"), tangential_velocity("i"))),
        claim.DISSIPATION,
    )


@proves("thm11.sphere", "monotone")
def sphere_monotone(p: Proof) -> None:
    """A mean of squares."""
    p.nonnegative(claim.SPHERE_RATE, form=claim.DISSIPATION)


@proves("thm11.sphere", "equality_case")
def equality_case(p: Proof) -> None:
    """A sum of squares is 0 exactly if each of them is."""
    speed = norm2(tangential_velocity("i"))
    rate_is = p.equal(claim.SPHERE_RATE, claim.DISSIPATION)
    with p.assuming(eq(claim.SPHERE_RATE, 0)) as (still,):
        nothing = p.equal(total("i", speed), 0, using=[(n, still), (-n, rate_is)], opaque=["P_v"])
        each = p.vanishing_terms(nothing, p.nonnegative(speed))
        forward = p.discharge(still.shows, p.for_every("i", p.vanishing_vector(each)))
    with p.assuming(claim.AT_REST) as (at_rest,):
        same = p.equal(speed, speed)
        none = p.rewritten(p.at(at_rest, "i"), same, eq(speed, ip(ZERO, tangential_velocity("i"))))
        sums = p.sum_compare(none, "i")
        backward = p.discharge(
            at_rest.shows, p.equal(claim.SPHERE_RATE, 0, using=[(1, rate_is), (1 / n, sums)], opaque=["P_v"])
        )
    p.both_ways(forward, backward)


@proves("thm11.bounded", "positive")
def positive(p: Proof) -> None:
    """A sum of exponentials."""
    p.positive(energy)


@proves("thm11.bounded", "bound")
def bound(p: Proof) -> None:
    """<x_i, M x_j> <= |x_i| |M x_j| <= |M|, so each exponential is at most e^{beta |M|}."""
    x_i, x_j = vector("x", "i"), vector("x", "j")
    image: Vector = apply("M", "h", x_j)
    bounded_inner_product(p, x_i, image)
    p.operator_norm("u", apply("M", "h", vector("u")), x_j)
    largest = claim.SCORE_NORM
    s = score("h", "i", "j")
    p.nonnegative(
        largest - s,
        form=(largest * norm(x_j) - norm(image)) + (norm(x_i) * norm(image) - ip(x_i, image)),
    )
    p.nonnegative(beta * largest - beta * s, form=beta * (largest - s))
    exp_increases(p, beta * s, beta * largest)
    slack = exp(beta * largest) - exp(beta * s)
    p.compare(claim.BOUNDED, form=1 / (2 * beta * n**2) * total("h", total("i", total("j", slack))))


@proves("thm11.finite_dissipation", "integral")
def finite_dissipation(p: Proof) -> None:
    """E rises at the mean squared speed and stays between 0 and its bound, on a sphere that the flow does not leave."""
    x_i = vector("x", "i")
    growth = p.equal(claim.SPHERE_RATE, claim.DISSIPATION)
    speed = p.nonnegative(claim.DISSIPATION)
    energy_is_bounded = p.cite("thm11.bounded", "bound")
    above = p.compare(ge(claim.BOUND, energy), form=claim.BOUND - energy, facts=[energy_is_bounded])
    below = p.nonnegative(energy)
    on_sphere = p.equal(rate("usa_sphere", ip(x_i, x_i)), 0)
    p.dissipation(growth, speed, above, below, on_sphere)


@proves("thm11.softmax_single_head", "rate")
def single_head(p: Proof) -> None:
    """With one head v = f / Z, so the gradient f/n^2 is Z v / n^2."""
    p.positive(normaliser("h", "i"))
    p.equal(claim.SOFTMAX_RATE, claim.SINGLE_HEAD[2], opaque=["Z"])


@proves("thm11.softmax_single_head", "monotone")
def single_head_monotone(p: Proof) -> None:
    """Squares with positive weights."""
    p.positive(normaliser("h", "i"))
    p.nonnegative(claim.SOFTMAX_RATE, form=claim.SINGLE_HEAD[2], opaque=["Z"])


def _shared_normaliser(p: Proof) -> None:
    """H dE/dt = (1/n^2) sum over h and i of Z_i^h |P v_i|^2 when the heads' normalisers agree."""
    speed = norm2(tangential_softmax_velocity("i"))
    closed = ["Z", "f", "P_v_softmax"]
    p.positive(normaliser("h", "i"))
    together = p.at(p.at(p.at(p.hypothesis("equal_normalisers"), "i"), "h"), "g")
    pull = ip(output("h", "i"), tangential_softmax_velocity("i"))
    # Z^g / Z^h is 1, head by head; summed over h this turns the field into the gradient.
    one = p.equal(
        normaliser("g", "i") / normaliser("h", "i") * pull,
        pull,
        opaque=closed,
        using=[(-(1 / normaliser("h", "i") * pull), together)],
    )
    heads = p.sum_compare(one, "h")
    paired = p.equal(speed, ip(softmax_velocity("i"), tangential_softmax_velocity("i")), opaque=["v_softmax"])
    weighted = p.equal(
        normaliser("g", "i") * speed,
        total("h", pull),
        using=[(normaliser("g", "i"), paired), (1, heads)],
        opaque=closed,
    )
    everything = sum_of(p, weighted, "i", "g")
    gradient_is = p.equal(claim.SOFTMAX_RATE, 1 / n**2 * total("i", total("h", pull)), opaque=["Z"])
    p.equal(
        H * claim.SOFTMAX_RATE,
        claim.SHARED[2],
        using=[(H, gradient_is), (-(1 / n**2), everything)],
        opaque=closed,
    )


@proves("thm11.softmax_multi_head.amended", "rate")
def shared_rate(p: Proof) -> None:
    """With a common Z the field is the gradient over Z, as for one head."""
    _shared_normaliser(p)


@proves("thm11.softmax_multi_head.amended", "monotone")
def shared_monotone(p: Proof) -> None:
    """Squares with positive weights."""
    _shared_normaliser(p)
    p.positive(normaliser("h", "i"))
    scaled = p.nonnegative(H * claim.SOFTMAX_RATE, form=claim.SHARED[2], using=[(1, p.last(claim.SHARED))])
    positive_part = p.scaled(ge(H * claim.SOFTMAX_RATE, 0), ge(claim.SOFTMAX_RATE, 0), H)
    p.modus(p.direction(positive_part), scaled)
