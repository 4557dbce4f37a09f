"""Theorem 19, heads that are orthogonal, and energies beyond the threshold: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    H,
    Vector,
    apply,
    basis,
    conj,
    d,
    defined,
    delta,
    eq,
    every,
    exp,
    ge,
    gt,
    iff,
    implies,
    ip,
    le,
    log,
    lt,
    n,
    ne,
    norm2,
    rate,
    sqrt,
    symbol,
    total,
    vector,
    vtotal,
)
from antumbra.proofs.setting import (
    alpha,
    beta,
    declare,
    define,
    gamma,
    head_energy,
    hypothesis,
    output,
    scale_h,
    shadow,
)
from antumbra.proofs.statements.thm19 import (
    BOTH,
    SEVERAL_HEADS,
    SEVERAL_TOKENS,
    C,
    beta_star,
    c_star,
    claim_row,
    condition_8,
)

define(
    "beta_shares",
    H / (2 * alpha) * log(c_star(H) ** 2 * (n - 1) / (1 / H - c_star(H) ** 2)),
    text="the inverse temperature up to which Condition 8 holds for tokens with equal shares",
)
beta_shares = defined("beta_shares")

hypothesis(
    "equal_shares",
    every(
        "h",
        every(
            "i",
            every("j", eq(ip(vector("x", "i"), apply("Q", "h", vector("x", "j"))), 1 / H * delta("i", "j"))),
        ),
    ),
    "every token has share 1/H in each head, and the parts of distinct tokens in a head are orthogonal",
)
declare("frame", "vector", ["head", "token"], text="an orthonormal family, one vector for each head and token")
hypothesis(
    "orthonormal_frame",
    every(
        "h",
        every(
            "g",
            every(
                "i",
                every(
                    "j", eq(ip(vector("frame", "h", "i"), vector("frame", "g", "j")), delta("h", "g") * delta("i", "j"))
                ),
            ),
        ),
    ),
    "the family is orthonormal",
)

ON_SHARES_RATIO = ("alignment", "projectors", "orthogonal_projectors", "equal_shares")
ON_SHARES = ("unit", *ON_SHARES_RATIO)
ON_EQUIANGULAR = ("scalar", "alignment", "equiangular")

# --- the regime of orthogonal heads ----------------------------------------------------------------------------------

TWICE = apply("M", "g", apply("M", "h", vector("y")))
TWICE_NORM = norm2(TWICE)
NOT_ORTHOGONAL = every("h", every("g", ne(TWICE_NORM, 0), ["h"]))
WARMTH = exp(2 * beta * alpha / H)
SHARE_RATIO = eq(shadow("h", "i") ** 2 / norm2(output("h", "i")), 1 / H * WARMTH / (WARMTH + n - 1))
BELOW_SHARP = lt(shadow("h", "i") ** 2 / norm2(output("h", "i")), 1 / H)
SHARES_THRESHOLD = iff(condition_8(), le(beta, beta_shares))
SHARES_NEVER = implies(le(beta_shares, 0), condition_8("gt"))
BELOW = lt(C**2, 1 / H)
ROOM = ge(d, n * H)
PART = apply("Q", "h", vector("x", "i"))
BESSEL = total("a", norm2(basis("a") - vtotal("h", vtotal("i", H * ip(PART, basis("a")) * PART))))


def share_projection(h: str, u: Vector) -> Vector:
    """The projection of u on the span of the vectors of head h in the frame."""
    return vtotal("k", ip(vector("frame", h, "k"), u) * vector("frame", h, "k"))


def share_token(i: str) -> Vector:
    """The token with share 1/H in each head."""
    token: Vector = sqrt(1 / H) * vtotal("h1", vector("frame", "h1", i))
    return token


_u, _w = vector("u"), vector("w")
CONSTRUCTION = conj(
    every("h", eq(ip(share_projection("h", _u), _w), ip(_u, share_projection("h", _w)))),
    every("h", eq(ip(share_projection("h", share_projection("h", _u)), _w), ip(share_projection("h", _u), _w))),
    every("h", every("g", eq(ip(share_projection("h", share_projection("g", _u)), _w), 0), ["h"])),
    every(
        "h",
        every(
            "i", every("j", eq(ip(share_token("i"), share_projection("h", share_token("j"))), 1 / H * delta("i", "j")))
        ),
    ),
    every("i", eq(norm2(share_token("i")), 1)),
)

# --- beyond the threshold --------------------------------------------------------------------------------------------

PULL = total("g", symbol("lambda", "g") * exp(beta * symbol("lambda", "g") * gamma))
ENERGY_RATE = rate("usa_sphere", head_energy("h"))
ENERGY_GROWTH = (n - 1) / n**2 * scale_h * exp(beta * scale_h * gamma) * (1 - gamma) * (1 + (n - 1) * gamma) * PULL
STILL_RISES = implies(conj(gt(scale_h, 0), gt(PULL, 0)), gt(ENERGY_RATE, 0))

_SETTING_SHARES = frozenset(("alignment", "projectors", "orthogonal_projectors"))
_REGIME = claim_row(
    "regime",
    "Where radial dominance and orthogonality meet",
    ("USA",),
    Part(
        "scalar_heads",
        NOT_ORTHOGONAL,
        "scalar heads of scale alpha are never orthogonal: M_g M_h y is not 0 for any unit vector y, so "
        "Theorem 17 does not apply",
        hypotheses=("unit_point", "scalar", "equal_heads"),
        meaning=frozenset(("scalar", "equal_heads")),
        mutants=(Mutant("they are", every("h", every("g", eq(TWICE_NORM, 0), ["h"]))),),
    ),
    Part(
        "ratio",
        SHARE_RATIO,
        "with equal shares the squared ratio of shadow to output is (1/H) e^{2 beta alpha/H} / (e^{2 beta "
        "alpha/H} + n - 1)",
        domain=(SEVERAL_TOKENS,),
        hypotheses=ON_SHARES_RATIO,
        meaning=_SETTING_SHARES,
        mutants=(
            Mutant("without 1/H", eq(SHARE_RATIO[1], WARMTH / (WARMTH + n - 1))),
            Mutant("alpha for alpha/H", eq(SHARE_RATIO[1], 1 / H * WARMTH**2 / (WARMTH**2 + n - 1))),
        ),
    ),
    Part(
        "sharp_condition",
        BELOW_SHARP,
        "so the sharp condition holds at every beta",
        domain=(SEVERAL_TOKENS,),
        hypotheses=ON_SHARES_RATIO,
        meaning=_SETTING_SHARES,
        mutants=(Mutant("half of it", lt(BELOW_SHARP[1], 1 / (2 * H))),),
    ),
    Part(
        "c_star_below",
        BELOW,
        "c*^2 < 1/H for two or more heads",
        domain=(SEVERAL_HEADS,),
        mutants=(Mutant("c* for c*^2", lt(C, 1 / H)),),
    ),
    Part(
        "threshold",
        SHARES_THRESHOLD,
        "Condition 8 holds exactly if beta <= (H/(2 alpha)) log(c*^2 (n-1)/(1/H - c*^2))",
        domain=BOTH,
        hypotheses=ON_SHARES,
        meaning=_SETTING_SHARES,
        mutants=(Mutant("the threshold of scalar heads", iff(condition_8(), le(beta, beta_star()))),),
    ),
    Part(
        "never",
        SHARES_NEVER,
        "and at no beta > 0 if that is <= 0",
        domain=BOTH,
        hypotheses=ON_SHARES,
        meaning=_SETTING_SHARES,
        mutants=(Mutant("it holds instead", implies(SHARES_NEVER[1], condition_8())),),
    ),
    Part(
        "room",
        ROOM,
        "the regime needs d >= nH",
        hypotheses=("orthogonal_projectors", "disjoint", "equal_shares"),
        meaning=frozenset(("orthogonal_projectors",)),
        mutants=(Mutant("d > nH", gt(d, n * H)),),
    ),
    Part(
        "construction",
        CONSTRUCTION,
        "and d >= nH is enough: an orthonormal family of nH vectors gives orthogonal projectors, disjoint "
        "for distinct heads, "
        "and unit tokens with equal shares",
        hypotheses=("orthonormal_frame",),
        meaning=frozenset(("orthonormal_frame",)),
        mutants=(Mutant("tokens of squared norm H", every("i", eq(norm2(share_token("i")), H))),),
    ),
    source_note=(
        "The paper applies Theorem 17 to scalar heads; as summarised here that fails, since scalar heads "
        "are not orthogonal. "
        "The equal shares alone are used where *unit* and *disjoint* are not listed. That an orthonormal "
        "family of nH vectors "
        "exists exactly for d >= nH is linear algebra, not proved here in the direction of existence."
    ),
)
_NOT_A_BREAKDOWN = claim_row(
    "not_a_breakdown",
    "Beyond the critical temperature energies still rise",
    ("USA",),
    Part(
        "rate",
        eq(ENERGY_RATE, ENERGY_GROWTH),
        "the rate of a head's energy on the equiangular path",
        hypotheses=ON_EQUIANGULAR,
        meaning=frozenset(ON_EQUIANGULAR),
        mutants=(
            Mutant("1/n for 1/n^2", eq(ENERGY_RATE, n * ENERGY_GROWTH)),
            Mutant("a sign changed", eq(ENERGY_RATE, -ENERGY_GROWTH)),
        ),
    ),
    Part(
        "still_rises",
        STILL_RISES,
        "for every beta, the energy of a head with lambda_h > 0 rises strictly wherever sum_k lambda_k "
        "e^{beta lambda_k gamma} > 0",
        domain=(SEVERAL_TOKENS, lt(gamma, 1), gt(1 + (n - 1) * gamma, 0)),
        hypotheses=ON_EQUIANGULAR,
        meaning=frozenset(ON_EQUIANGULAR),
        mutants=(
            Mutant("for any sign of the sum", implies(gt(scale_h, 0), gt(ENERGY_RATE, 0))),
            Mutant("falls", implies(STILL_RISES[1], lt(ENERGY_RATE, 0))),
        ),
    ),
)
CLAIMS: tuple[Claim, ...] = (_REGIME, _NOT_A_BREAKDOWN)
