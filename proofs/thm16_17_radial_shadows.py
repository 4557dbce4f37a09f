"""Theorems 16 and 17: the energies of single heads, flat and on the sphere.

Statement: with orthogonal heads the energy of a head grows in the flat space at its squared outputs; on the sphere a
product of radial shadows is taken away, and the energy of a head can fall.
Hypotheses: symmetry, alignment and orthogonality; unit on the sphere. For the obstruction and the winner: one token,
and M_h = alpha Q_h with orthogonal projectors that add up to the identity.
Notation: E_h energy of head h, f_i^h its output at token i, a_i^h = <f_i^h, x_i> its shadow, p_h = |Q_h x|^2 its share.
Method: one differentiation, then inner products; for one token everything is a function of the shares.
Not proved here: that the largest share wins in the limit, which needs the flow's solution and not its rate alone.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Scalar,
    eq,
    exp,
    gt,
    lt,
    n,
    norm2,
    rational,
    total,
    vector,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, output, shadow
from antumbra.proofs.statements import thm16_17 as claim
from antumbra.proofs.statements.thm16_17 import share
from antumbra.proofs.tactics import exp_increases

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
