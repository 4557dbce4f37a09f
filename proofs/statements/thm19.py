"""Theorem 19, the critical inverse temperature of scalar heads on orthogonal tokens: statements."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Scalar,
    ScalarLike,
    absolute,
    defined,
    eq,
    exp,
    function,
    ge,
    gt,
    iff,
    implies,
    le,
    log,
    lt,
    n,
    norm,
    norm2,
    rate,
    sqrt,
    symbol,
    total,
)
from antumbra.proofs.setting import (
    alpha,
    beta,
    declare,
    define,
    head_energy,
    output,
    shadow,
    tangential_output,
    tangential_velocity,
)

SOURCE = "Theorem 19"

# --- letters of this theorem -----------------------------------------------------------------------------------------

declare("other_root", "scalar", domain="positive", text="a positive number")
declare("tail", "scalar", domain="nonnegative", text="a tail of the continued fraction")
declare("factor", "scalar", domain="positive", text="a positive factor")
declare("cooler", "scalar", domain="positive", text="a second inverse temperature")
declare("heads", "scalar", text="the number of heads of a definition")
declare("tokens", "scalar", text="the number of tokens of a definition")
declare("scale", "scalar", text="the scale of the heads of a definition")
declare("temperature", "scalar", text="the inverse temperature of a definition")
declare("n_1", "scalar", text="a number of tokens, any real number")
declare("n_2", "scalar", text="a greater number of tokens")
declare("H_1", "scalar", text="a number of heads, any real number")
declare("H_2", "scalar", text="a greater number of heads")

ratio, tail, factor, cooler = (symbol(s) for s in ("other_root", "tail", "factor", "cooler"))
n_1, n_2, H_1, H_2 = (symbol(s) for s in ("n_1", "n_2", "H_1", "H_2"))

_heads, _tokens, _scale, _temperature = (symbol(s) for s in ("heads", "tokens", "scale", "temperature"))
define(
    "c_star",
    (sqrt((_heads - 1) ** 2 + 4) - (_heads - 1)) / 2,
    parameters=["heads"],
    text="the critical ratio of a shadow to its output, for a number of heads",
)


def c_star(heads: ScalarLike) -> Scalar:
    """c*(H)."""
    return defined("c_star", of=[heads])


define(
    "beta_star",
    1 / (2 * _scale) * log(c_star(_heads) ** 2 * (_tokens - 1) / (1 - c_star(_heads) ** 2)),
    parameters=["tokens", "heads", "scale"],
    text="the critical inverse temperature, for a number of tokens, a number of heads and the scale of the heads",
)
define(
    "beta_sharp",
    1 / (2 * _scale) * log((_tokens - 1) / (_heads - 1)),
    parameters=["tokens", "heads", "scale"],
    text="the threshold with the sharp constant 1/sqrt(H)",
)
define(
    "shadow_ratio",
    exp(_temperature * alpha) / sqrt(exp(2 * _temperature * alpha) + n - 1),
    parameters=["temperature"],
    text="the ratio of a shadow to its output, at an inverse temperature",
)


def beta_star(tokens: ScalarLike = n, heads: ScalarLike = H, scale: ScalarLike = alpha) -> Scalar:
    """beta*, by default for the setting's n, H and alpha."""
    return defined("beta_star", of=[tokens, heads, scale])


def beta_sharp(tokens: ScalarLike = n, heads: ScalarLike = H, scale: ScalarLike = alpha) -> Scalar:
    """The threshold with the sharp constant, by default for the setting's n, H and alpha."""
    return defined("beta_sharp", of=[tokens, heads, scale])


def shadow_ratio(temperature: ScalarLike) -> Scalar:
    """e^{b alpha} / sqrt(e^{2 b alpha} + n - 1) at the inverse temperature b."""
    return defined("shadow_ratio", of=[temperature])


SCALAR_HEADS = ("scalar", "alignment", "equal_heads")
ON_ORTHOGONAL_TOKENS = (*SCALAR_HEADS, "orthogonal_tokens")
SEVERAL_TOKENS = ge(n, 2)
SEVERAL_HEADS = ge(H, 2)
BOTH = (SEVERAL_TOKENS, SEVERAL_HEADS)

# --- c* --------------------------------------------------------------------------------------------------------------

P = H - 1
C = c_star(H)
ROOT = eq(C**2 + P * C - 1, 0)
POSITIVE = gt(C, 0)
ONLY = implies(eq(ratio**2 + P * ratio - 1, 0), eq(ratio, C))
METALLIC = eq(C, exp(-function("arsinh", P / 2)))
MEAN = (P + sqrt(P**2 + 4)) / 2
RECIPROCAL = eq(1 / C, MEAN)
FRACTION = eq(C, 1 / (P + C))
CLOSER = le(absolute(1 / (P + tail) - C), C / P * absolute(tail - C))
CONTRACTS = lt(C / P, 1)
GOLDEN = eq(c_star(2), 1 / ((1 + sqrt(5)) / 2))

# --- beta* -----------------------------------------------------------------------------------------------------------


def condition_8(tag: str = "le") -> Formula:
    """Condition 8 for head h at token i, or its failure with `gt`."""
    others = total("g", absolute(shadow("g", "i")), ["h"])
    return Formula((tag, norm(output("h", "i")) * others, norm2(tangential_output("h", "i"))))


MEASURED_RATIO = absolute(shadow("h", "i")) / norm(output("h", "i"))
RATIO = eq(MEASURED_RATIO, shadow_ratio(beta))
RISES = implies(gt(cooler, beta), gt(shadow_ratio(cooler), shadow_ratio(beta)))
THRESHOLD = iff(condition_8(), le(beta, beta_star()))
NEVER = implies(le(beta_star(), 0), condition_8("gt"))
CLOSED_FORM = eq(beta_star(), 1 / (2 * alpha) * (log((n - 1) / (H - 1)) - function("arsinh", (H - 1) / 2)))
ONE_HEAD = eq(c_star(1), 1)
ONE_HEAD_CONDITION = condition_8()
DISSIPATION = 1 / n * total("j", norm2(tangential_velocity("j")))
ONE_HEAD_ENERGY = ge(rate("usa_sphere", head_energy("h")), 0)

POSITIVE_IFF = iff(gt(beta_star(), 0), gt(n, 1 / C**2))
TWO_HEADS = iff(gt(beta_star(heads=2), 0), ge(n, 3))
THREE_HEADS = iff(gt(beta_star(heads=3), 0), ge(n, 6))

IN_TOKENS = implies(gt(n_2, n_1), gt(beta_star(n_2, H_1), beta_star(n_1, H_1)))
IN_HEADS = implies(gt(H_2, H_1), lt(beta_star(n_1, H_2), beta_star(n_1, H_1)))
IN_SCALE = eq(beta_star(n_1, H_1, factor * alpha), beta_star(n_1, H_1) / factor)

SHARP = iff(le(absolute(shadow("h", "i")), 1 / sqrt(H) * norm(output("h", "i"))), le(beta, beta_sharp()))
GAP = eq(beta_sharp() - beta_star(), function("arsinh", (H - 1) / 2) / (2 * alpha))


def claim_row(
    name: str,
    title: str,
    fields: tuple[str, ...],
    *parts: Part,
    source_note: str = "",
    sharpness: str = "",
    amends: str | None = None,
) -> Claim:
    """A row of this theorem."""
    return Claim(f"thm19.{name}", title, SOURCE, fields, parts, source_note, sharpness, amends)


_C_STAR = claim_row(
    "c_star",
    "The critical ratio",
    (),
    Part(
        "root",
        ROOT,
        "c* is a root of c^2 + (H-1)c - 1, for every number of heads",
        mutants=(
            Mutant("+ 1 for - 1", eq(C**2 + P * C + 1, 0)),
            Mutant("H for H - 1", eq(C**2 + H * C - 1, 0)),
        ),
    ),
    Part("positive", POSITIVE, "c* is positive", mutants=(Mutant("at least 1", ge(C, 1)),)),
    Part(
        "only",
        ONLY,
        "c* is the only positive root",
        mutants=(Mutant("2 c* for c*", implies(ONLY[1], eq(ratio, 2 * C))),),
    ),
)
_METALLIC = claim_row(
    "metallic",
    "The critical ratio is a reciprocal metallic mean",
    (),
    Part(
        "exponential",
        METALLIC,
        "c* = e^{-arsinh((H-1)/2)}",
        mutants=(
            Mutant("the sign of the exponent changed", eq(C, exp(function("arsinh", P / 2)))),
            Mutant("H - 1 for (H-1)/2", eq(C, exp(-function("arsinh", P)))),
        ),
    ),
    Part(
        "reciprocal",
        RECIPROCAL,
        "1/c* is the metallic mean of H - 1",
        mutants=(Mutant("c* for 1/c*", eq(C, MEAN)),),
    ),
    Part(
        "fraction",
        FRACTION,
        "c* is the fixed point of the continued fraction [0; H-1, H-1, ...]",
        mutants=(Mutant("H for H - 1", eq(C, 1 / (H + C))),),
    ),
    Part(
        "contraction",
        CLOSER,
        "each level of the continued fraction brings any tail t >= 0 nearer to c*, by the factor c*/(H-1) at least",
        domain=(SEVERAL_HEADS,),
        mutants=(Mutant("c*/H for c*/(H-1)", le(absolute(1 / (P + tail) - C), C / H * absolute(tail - C))),),
    ),
    Part(
        "factor",
        CONTRACTS,
        "the factor c*/(H-1) is less than 1, so the continued fraction converges to c*",
        domain=(SEVERAL_HEADS,),
        mutants=(Mutant("less than 1/2", lt(C / P, Fraction(1, 2))),),
    ),
)
_GOLDEN = claim_row(
    "golden",
    "Two heads: the golden ratio",
    (),
    Part(
        "golden",
        GOLDEN,
        "for two heads c* is the reciprocal of the golden ratio (1 + sqrt 5)/2",
        mutants=(
            Mutant("three heads", eq(c_star(3), 1 / ((1 + sqrt(5)) / 2))),
            Mutant("the golden ratio itself", eq(c_star(2), (1 + sqrt(5)) / 2)),
        ),
    ),
)
_SETTING_19 = frozenset(SCALAR_HEADS)
_BETA_STAR = claim_row(
    "beta_star",
    "The critical inverse temperature",
    ("USA",),
    Part(
        "ratio",
        RATIO,
        "the ratio of a shadow to its output is e^{beta alpha} / sqrt(e^{2 beta alpha} + n - 1)",
        domain=(SEVERAL_TOKENS,),
        hypotheses=ON_ORTHOGONAL_TOKENS,
        meaning=_SETTING_19,
        mutants=(
            Mutant("without the square root", eq(MEASURED_RATIO, shadow_ratio(beta) ** 2)),
            Mutant("twice the temperature", eq(MEASURED_RATIO, shadow_ratio(2 * beta))),
        ),
    ),
    Part(
        "rises",
        RISES,
        "the ratio rises strictly with the inverse temperature",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("falls", implies(gt(cooler, beta), lt(shadow_ratio(cooler), shadow_ratio(beta)))),),
    ),
    Part(
        "threshold",
        THRESHOLD,
        "Condition 8 holds for a head at a token exactly if beta <= beta*",
        domain=BOTH,
        hypotheses=ON_ORTHOGONAL_TOKENS,
        meaning=_SETTING_19,
        mutants=(
            Mutant("beta*/2 for beta*", iff(condition_8(), le(beta, beta_star() / 2))),
            Mutant("the sharp threshold", iff(condition_8(), le(beta, beta_sharp()))),
            Mutant("the other way round", iff(condition_8(), ge(beta, beta_star()))),
        ),
    ),
    Part(
        "never",
        NEVER,
        "if beta* <= 0, Condition 8 holds at no beta > 0",
        domain=BOTH,
        hypotheses=ON_ORTHOGONAL_TOKENS,
        meaning=_SETTING_19,
        mutants=(Mutant("it holds instead", implies(le(beta_star(), 0), condition_8())),),
    ),
    Part(
        "closed_form",
        CLOSED_FORM,
        "beta* in terms of arsinh",
        domain=BOTH,
        mutants=(
            Mutant(
                "plus for minus",
                eq(beta_star(), 1 / (2 * alpha) * (log((n - 1) / (H - 1)) + function("arsinh", (H - 1) / 2))),
            ),
            Mutant(
                "1/alpha for 1/(2 alpha)",
                eq(beta_star(), 1 / alpha * (log((n - 1) / (H - 1)) - function("arsinh", (H - 1) / 2))),
            ),
        ),
    ),
    Part(
        "one_head",
        ONE_HEAD,
        "for one head c* is 1, and there is no threshold",
        mutants=(Mutant("2 for 1", eq(c_star(1), 2)),),
    ),
    Part(
        "one_head_condition",
        ONE_HEAD_CONDITION,
        "with one head Condition 8 holds at every beta, for any tokens and matrices",
        hypotheses=("single_head",),
        mutants=(Mutant("its opposite", condition_8("gt")),),
    ),
    Part(
        "one_head_energy",
        ONE_HEAD_ENERGY,
        "with one head the head's energy never falls",
        hypotheses=("unit", "symmetry", "alignment", "single_head"),
        mutants=(Mutant("falls", le(ONE_HEAD_ENERGY[1], 0)),),
    ),
)
_POSITIVE_IFF = claim_row(
    "positive_iff",
    "When the critical inverse temperature is positive",
    (),
    Part(
        "positive_iff",
        POSITIVE_IFF,
        "beta* > 0 exactly if n > 1/c*^2",
        domain=BOTH,
        mutants=(
            Mutant("1/c* for 1/c*^2", iff(gt(beta_star(), 0), gt(n, 1 / C))),
            Mutant("n - 1 for n", iff(gt(beta_star(), 0), gt(n - 1, 1 / C**2))),
        ),
    ),
    Part(
        "two_heads",
        TWO_HEADS,
        "for two heads beta* is positive exactly from n = 3 on",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("from n = 2 on", iff(gt(beta_star(heads=2), 0), ge(n, 2))),),
    ),
    Part(
        "three_heads",
        THREE_HEADS,
        "for three heads beta* is positive exactly from n = 6 on",
        domain=(SEVERAL_TOKENS,),
        mutants=(
            Mutant("from n = 3 on", iff(gt(beta_star(heads=3), 0), ge(n, 3))),
            Mutant("from n = 5 on", iff(gt(beta_star(heads=3), 0), ge(n, 5))),
        ),
    ),
)
_DOMAIN_MONOTONE = (gt(n_1, 1), gt(H_1, 1))
_MONOTONE = claim_row(
    "monotone",
    "How the critical inverse temperature varies",
    (),
    Part(
        "in_tokens",
        IN_TOKENS,
        "beta* rises strictly with the number of tokens, as any real number above 1",
        domain=_DOMAIN_MONOTONE,
        mutants=(Mutant("falls", implies(IN_TOKENS[1], lt(IN_TOKENS[2][1], IN_TOKENS[2][2]))),),
    ),
    Part(
        "in_heads",
        IN_HEADS,
        "beta* falls strictly with the number of heads, as any real number above 1",
        domain=_DOMAIN_MONOTONE,
        mutants=(Mutant("rises", implies(IN_HEADS[1], gt(IN_HEADS[2][1], IN_HEADS[2][2]))),),
    ),
    Part(
        "in_scale",
        IN_SCALE,
        "beta* scales as the reciprocal of the heads' scale",
        domain=_DOMAIN_MONOTONE,
        mutants=(
            Mutant("as the scale itself", eq(IN_SCALE[1], factor * beta_star(n_1, H_1))),
            Mutant("not at all", eq(IN_SCALE[1], beta_star(n_1, H_1))),
        ),
    ),
)
_BETA_SHARP = claim_row(
    "beta_sharp",
    "The threshold with the sharp constant",
    ("USA",),
    Part(
        "threshold",
        SHARP,
        "every shadow is at most 1/sqrt(H) of its output exactly if beta <= beta#",
        domain=BOTH,
        hypotheses=ON_ORTHOGONAL_TOKENS,
        meaning=_SETTING_19,
        mutants=(
            Mutant("beta* for beta#", iff(SHARP[1], le(beta, beta_star()))),
            Mutant("1/H for 1/sqrt(H)", iff(le(absolute(shadow("h", "i")), norm(output("h", "i")) / H), SHARP[2])),
        ),
    ),
    Part(
        "gap",
        GAP,
        "beta# exceeds beta* by arsinh((H-1)/2)/(2 alpha)",
        domain=BOTH,
        mutants=(
            Mutant("1/alpha for 1/(2 alpha)", eq(GAP[1], function("arsinh", (H - 1) / 2) / alpha)),
            Mutant("the sign changed", eq(GAP[1], -GAP[2])),
        ),
    ),
)
_LAMBERT = claim_row(
    "lambert_w",
    "The critical ratio involves the Lambert W function",
    (),
    Part("lambert_w", None, "for general H, c* involves the Lambert W function"),
    source_note=(
        'Not supported, rather than false: "involves" is not a statement that a point could refute. '
        "c* is algebraic of degree at most 2 for every H; the Lambert W function belongs to Theorem 22."
    ),
)
_LAMBERT_AMENDED = claim_row(
    "lambert_w.amended",
    "The critical ratio is algebraic of degree at most 2",
    (),
    Part(
        "algebraic",
        ROOT,
        "for every H, c* is a root of a monic quadratic polynomial with the integer coefficients H - 1 and -1",
        mutants=(Mutant("- 2 for - 1", eq(C**2 + P * C - 2, 0)),),
    ),
    amends="thm19.lambert_w",
)
CLAIMS: tuple[Claim, ...] = (
    _C_STAR,
    _METALLIC,
    _GOLDEN,
    _BETA_STAR,
    _POSITIVE_IFF,
    _MONOTONE,
    _BETA_SHARP,
    _LAMBERT,
    _LAMBERT_AMENDED,
)
