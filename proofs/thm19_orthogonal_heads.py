"""Theorem 19: heads that are orthogonal, and energies beyond the critical temperature.

Statement: scalar heads are never orthogonal, so Theorem 17 does not apply to them. Where every token has share 1/H in
each of several orthogonal heads (so d >= nH), the sharp condition holds at every beta and Condition 8 to a threshold.
On the equiangular path of scalar heads energies rise at every beta: the critical temperature ends the condition alone.
Hypotheses: unit tokens and equal shares; for the last statement scalar heads and equiangular tokens.
Notation: P = H - 1, c = c*(H), W = e^{beta alpha/H}, T = sqrt(H (W^2 + n - 1)), so that a/|f| = W/T.
Method: the equivalences of the critical temperature with W and T for A and S; Bessel's inequality.
Not proved here: that an orthonormal family of nH vectors exists in R^d for d >= nH, which is what a basis is.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    H,
    Node,
    Scalar,
    exp,
    gt,
    lt,
    n,
    norm2,
    sqrt,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, output
from antumbra.proofs.statements import thm19_orthogonal_heads as claim
from antumbra.proofs.statements.thm19 import C, P, condition_8
from antumbra.proofs.thm19_critical_temperature import (
    CLOSED,
    against_logarithm,
    below_one,
    comparison,
    critical_ratio,
    same_scale,
    several_heads,
    several_tokens,
    turned,
)

# --- a regime of orthogonal heads ------------------------------------------------------------------------------------


@proves("thm19.regime", "scalar_heads")
def scalar_heads(p: Proof) -> None:
    """M_g M_h y = alpha^2 y."""
    first = same_scale(p)
    square = p.equal(claim.TWICE_NORM, alpha**4, rewriting=[first])
    shown = p.nonzero(claim.TWICE_NORM, form=alpha**4, using=[(1, square)])
    p.for_every("h", p.for_every("g", shown, ["h"]))


def shares(p: Proof) -> list[Judgement]:
    """<x_i, Q_h x_j> = delta_ij / H: for distinct tokens 0, and for one token 1/H."""
    whole = p.at(p.hypothesis("equal_shares"), "h")
    return [p.at(p.at(whole, "i"), "j"), p.at(p.at(whole, "i"), "i")]


W = exp(beta * alpha / H)
T = sqrt(H * (claim.WARMTH + n - 1))


def share_outputs(p: Proof) -> list[Judgement]:
    """Here n - 1 > 0 and |f| > 0; f = alpha T / H in length, and a = alpha W / H."""
    rewrites = shares(p)
    several_tokens(p)
    p.positive(claim.WARMTH + n - 1, form=claim.WARMTH + (n - 1))
    square = p.equal(norm2(output("h", "i")), alpha**2 / H * (claim.WARMTH + n - 1), rewriting=rewrites)
    length = alpha**2 / H * (claim.WARMTH + (n - 1))
    p.nonzero(norm2(output("h", "i")), form=length, using=[(1, square)])
    return rewrites


@proves("thm19.regime", "ratio")
def share_ratio(p: Proof) -> None:
    """Here f = alpha ((W - 1) Q x_i + sum_j Q x_j), with W = e^{beta alpha/H}."""
    rewrites = share_outputs(p)
    p.equal(claim.SHARE_RATIO[1], claim.SHARE_RATIO[2], rewriting=rewrites)


@proves("thm19.regime", "sharp_condition")
def sharp_condition(p: Proof) -> None:
    """1/H - (a/|f|)^2 = (n-1)/(H (W^2 + n - 1))."""
    rewrites = share_outputs(p)
    ratio = p.equal(claim.SHARE_RATIO[1], claim.SHARE_RATIO[2], rewriting=rewrites)
    rest = (n - 1) / H * (1 / (claim.WARMTH + n - 1))
    gap = p.equal(1 / H - claim.SHARE_RATIO[2], rest)
    p.compare(claim.BELOW_SHARP, form=rest, using=[(-1, ratio), (1, gap)], opaque=["a", "f"])


def below_share(p: Proof, is_root: Judgement) -> None:
    """Here c < 1, and so 1 - H c^2 = c^2 + P c - H c^2 = P c (1 - c) > 0."""
    below_one(p, is_root)
    p.positive(1 + C, opaque=CLOSED)
    factored = p.equal(1 - C, (1 - C**2) * (1 / (1 + C)), opaque=CLOSED)
    p.compare(lt(C, 1), form=(1 - C**2) * (1 / (1 + C)), using=[(1, factored)], opaque=CLOSED)
    p.compare(lt(C**2, 1 / H), form=P * C * (1 - C) / H, using=[(-1 / H, is_root)], opaque=CLOSED)


@proves("thm19.regime", "c_star_below")
def c_star_below(p: Proof) -> None:
    """1 - H c^2 = P c (1 - c)."""
    several_heads(p)
    below_share(p, critical_ratio(p))


def shares_chain(p: Proof, tag: str) -> Judgement:
    """Condition 8 <=> P W T <= T^2 - W^2 <=> W <= c T <=> W^2 <= c^2 T^2 <=> W^2 (1/H - c^2) <= c^2 (n-1)."""
    rewrites = share_outputs(p)
    several_heads(p)
    is_root = critical_ratio(p)
    below_share(p, is_root)
    m = n - 1
    bound = C**2 * m / (1 / H - C**2)
    p.positive(1 / H - C**2, opaque=CLOSED)
    p.positive(bound, opaque=CLOSED)
    p.positive(T * (C + P) + W, opaque=CLOSED)
    p.nonnegative(W)
    p.nonnegative(C * T, opaque=CLOSED)
    measured = p.scaled(condition_8(tag), comparison(tag, P * W * T, T**2 - W**2), alpha**2 / H**2, rewrites=rewrites)
    factored = p.scaled(
        comparison(tag, P * W * T, T**2 - W**2),
        comparison(tag, W, C * T),
        T * (C + P) + W,
        combo=[(T**2, is_root)],
        opaque=CLOSED,
    )
    squared = turned(p, p.squares(comparison(tag, W, C * T)))
    solved = p.scaled(
        comparison(tag, W**2, (C * T) ** 2),
        comparison(tag, claim.WARMTH, bound),
        H * (1 / H - C**2),
        opaque=CLOSED,
    )
    return p.chain(
        measured,
        factored,
        squared,
        solved,
        against_logarithm(p, tag, 2 * beta * alpha / H, bound, comparison(tag, beta, claim.beta_shares), 2 * alpha / H),
    )


@proves("thm19.regime", "threshold")
def shares_threshold(p: Proof) -> None:
    """The same factorisation as for scalar heads."""
    shares_chain(p, "le")


@proves("thm19.regime", "never")
def shares_never(p: Proof) -> None:
    """Here beta > 0 >= the threshold."""
    chain = shares_chain(p, "gt")
    with p.assuming(claim.SHARES_NEVER[1]) as (assumed,):
        beyond = p.compare(gt(beta, claim.beta_shares), form=beta + (0 - claim.beta_shares), opaque=["beta_shares"])
        p.discharge(assumed.shows, p.modus(p.direction(chain, False), beyond))


@proves("thm19.regime", "room")
def room(p: Proof) -> None:
    """Bessel: the nH vectors b = sqrt(H) Q_h x_i are orthonormal, and sum_a |e_a - sum_b <b, e_a> b|^2 = d - nH."""
    rewrites = shares(p)
    p.compare(claim.ROOM, form=claim.BESSEL, rewriting=rewrites)


@proves("thm19.regime", "construction")
def construction(p: Proof) -> None:
    """Q_h projects on the span of the h-th part of the frame, and x_i is the sum of its H vectors over sqrt(H)."""
    whole = p.hypothesis("orthonormal_frame")
    rewrites = [p.at(p.at(p.at(p.at(whole, "h"), other), "i"), token) for other in ("g", "h") for token in ("j", "i")]
    p.conjunction(*(_holds(p, formula, rewrites) for formula in claim.CONSTRUCTION[1:]))


def _holds(p: Proof, formula: Node, rewrites: list[Judgement]) -> Judgement:
    """An identity for all indices, tested on the normal form."""
    if formula[0] == "all":
        _, index, excluded, body = formula
        with p.apart(*((index, other) for other in excluded)):
            inner = _holds(p, body, rewrites)
        return p.for_every(index, inner, excluded)
    return p.equal(Scalar(formula[1]), Scalar(formula[2]), rewriting=rewrites)


# --- beyond the threshold --------------------------------------------------------------------------------------------


@proves("thm19.not_a_breakdown", "rate")
def energy_rate(p: Proof) -> None:
    """dE_h/dt is lambda_h e^{beta lambda_h gamma} (n-1)/(2n) times the rate of gamma."""
    p.equal(claim.ENERGY_RATE, claim.ENERGY_GROWTH)


@proves("thm19.not_a_breakdown", "still_rises")
def still_rises(p: Proof) -> None:
    """Every factor is positive."""
    several_tokens(p)
    growth = p.equal(claim.ENERGY_RATE, claim.ENERGY_GROWTH)
    with p.assuming(claim.STILL_RISES[1]) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        shown = p.positive(claim.ENERGY_RATE, form=claim.ENERGY_GROWTH, using=[(1, growth)])
        p.discharge(assumed.shows, shown)
