"""Theorem 27: the entropy of attention.

Statement: however scores change, the entropy of e^{beta s_j}/Z changes at -beta^2 Cov(s, s'). On the equiangular path
it is ln(e^a + n - 1) - a e^a/(e^a + n - 1), a = beta lambda (1 - gamma), and rises with gamma; so under SA it does not fall
while gamma does not. Off the path, and on it with a negative scale, it can: see `counterexamples/thm27_*`.
Hypotheses: none for the identity; scalar and equiangular on the path; alignment where tokens move.
Notation: p_j attention weights, S entropy, a the exponent's gap, p = e^a/(e^a + n - 1).
Method: differentiate and let the normal form cancel the logarithms; signs by p (1 - p) >= 0.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import exp, ge, n, norm2, symbol, total, vector, vtotal
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, gamma, normaliser, scale_h
from antumbra.proofs.statements import thm27 as claim

PARTITION = exp(claim.gap) + n - 1
"""e^a + n - 1."""


def _partition_positive(p: Proof) -> None:
    """e^a + (n - 1) > 0, since there is at least one token."""
    p.step("size", ge(n, 1))
    p.positive(PARTITION, form=exp(claim.gap) + (n - 1))


@proves("thm27.identity", "rate")
def identity(p: Proof) -> None:
    """Ln p_j = beta s_j - ln Z and p_j' = beta p_j (s_j' - mean of s'); the terms with ln Z cancel."""
    p.equal(claim.IDENTITY[1], claim.IDENTITY[2])


@proves("thm27.equiangular", "closed_form")
def closed_form(p: Proof) -> None:
    """One weight is e^a/(e^a + n - 1), the n - 1 others are 1/(e^a + n - 1)."""
    p.positive(normaliser("h", "i"))
    p.positive(claim.attention)
    _partition_positive(p)
    p.equal(claim.CLOSED[1], claim.CLOSED[2])


@proves("thm27.equiangular", "own_weight")
def own_weight(p: Proof) -> None:
    """e^{beta lambda} over e^{beta lambda} + (n - 1) e^{beta lambda gamma}."""
    _partition_positive(p)
    p.equal(claim.SELF_ATTENTION[1], claim.SELF_ATTENTION[2])


@proves("thm27.equiangular", "slope")
def slope(p: Proof) -> None:
    """dS/da = -a p (1 - p) and da/dgamma = -beta lambda."""
    _partition_positive(p)
    p.equal(claim.PATH_IS[1], claim.PATH_IS[2])


def _other_attention(p: Proof) -> None:
    """1 - p = (n - 1)/(e^a + n - 1) >= 0."""
    rest = 1 - claim.p_path
    share = (n - 1) / PARTITION
    p.nonnegative(rest, form=share, using=[(1, p.equal(rest, share))])


@proves("thm27.equiangular", "monotone")
def monotone(p: Proof) -> None:
    """beta^2 lambda^2 (1 - gamma) p (1 - p) is a product of factors that are at least 0."""
    _partition_positive(p)
    _other_attention(p)
    p.nonnegative(1 - gamma)
    p.nonnegative(claim.PATH_RATE, form=claim.PATH_SPEED)


def _slope_nonnegative(p: Proof) -> None:
    """The slope on a configuration, where 1 - gamma = |x_i - x_j|^2/2 >= 0."""
    _other_attention(p)
    p.nonnegative(1 - gamma, form=norm2(vector("x", "i") - vector("x", "j")) / 2)
    p.nonnegative(claim.PATH_SPEED)


def _chain(p: Proof) -> Judgement:
    """dS/dt = (dS/dgamma) d<x_i, x_j>/dt for i != j, by normal form."""
    _partition_positive(p)
    p.positive(normaliser("h", "i"))
    p.positive(claim.attention)
    return p.equal(claim.TOKEN_RATE, claim.PATH_SPEED * claim.APPROACH)


@proves("thm27.general.amended", "chain")
def chain(p: Proof) -> None:
    """The chain rule, on the configuration itself."""
    with p.apart(("j", "i")):
        link = _chain(p)
    p.for_every("i", p.for_every("j", link, ["i"]))


@proves("thm27.general.amended", "while_approaching")
def while_approaching(p: Proof) -> None:
    """The slope is at least 0, so the entropy's rate has the sign of the rate of gamma."""
    with p.apart(("j", "i")):
        link = _chain(p)
        _slope_nonnegative(p)
        with p.assuming(ge(claim.APPROACH, 0)) as (approaching,):
            product = claim.PATH_SPEED * claim.APPROACH
            rises = p.nonnegative(claim.TOKEN_RATE, form=product, using=[(1, link)])
            implied = p.discharge(approaching.shows, rises)
    p.for_every("i", p.for_every("j", implied, ["i"]))


@proves("thm27.general.amended", "nonnegative_scales")
def nonnegative_scales(p: Proof) -> None:
    """(1 - gamma) gamma' is (1 - gamma)^2 times factors that are at least 0; 1 + (n - 1) gamma = |sum of x_i|^2/n."""
    _partition_positive(p)
    p.positive(normaliser("h", "i"))
    p.positive(claim.attention)
    p.nonnegative(1 + (n - 1) * gamma, form=norm2(vtotal("j", vector("x", "j"))) / n)
    slope_over_gap = (n - 1) * (beta * scale_h) ** 2 * exp(claim.gap) * (1 / PARTITION) ** 2
    speed_over_gap = (
        2
        * (1 + (n - 1) * gamma)
        * total("g", symbol("lambda", "g") / (exp(beta * symbol("lambda", "g") * (1 - gamma)) + n - 1))
    )
    product = slope_over_gap * (1 - gamma) ** 2 * speed_over_gap
    rate_is = p.equal(claim.TOKEN_RATE, product)
    p.nonnegative(claim.TOKEN_RATE, form=product, using=[(1, rate_is)])
