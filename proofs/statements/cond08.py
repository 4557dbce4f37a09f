"""Condition 8, radial dominance: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    H,
    Scalar,
    Vector,
    absolute,
    apply,
    basis,
    conj,
    delta,
    eq,
    every,
    function,
    ge,
    gt,
    implies,
    ip,
    le,
    lt,
    norm,
    norm2,
    symbol,
    total,
    vector,
    veq,
    vtotal,
)
from antumbra.proofs.setting import beta, c, declare, hypothesis, output, shadow, tangential_output
from antumbra.proofs.statements.thm16_17 import ON_SPHERE, ORTHOGONAL, SPHERE_RATE

SOURCE = "Condition 8"

OUTPUT = norm(output("h", "i"))
TANGENTIAL = norm2(tangential_output("h", "i"))
OTHERS = total("g", absolute(shadow("g", "i")), ["h"])
DOMINATES = le(OUTPUT * OTHERS, TANGENTIAL)
DOMINANCE = every("i", DOMINATES)
RATE = SPHERE_RATE

SUFFICIENT = implies(DOMINANCE, ge(RATE, 0))
RISES_ALL_THE_SAME = conj(gt(RATE, 0), gt(OUTPUT * OTHERS, TANGENTIAL))

# --- ratios of shadows to outputs ------------------------------------------------------------------------------------

SMALL_RATIO = (le(c**2 + (H - 1) * c, 1),)
AT_TOKEN = conj(
    every("g", eq(norm(output("g", "i")), OUTPUT)),
    every("g", le(absolute(shadow("g", "i")), c * norm(output("g", "i")))),
)

declare("ratio", "scalar", ["head", "token"], text="numbers of at most the size of the ratio of shadow to output")
ratio = symbol("ratio", "h", "i")
IS_RATIO = every(
    "h", conj(le(ratio**2 * norm2(output("h", "i")), shadow("h", "i") ** 2), implies(eq(OUTPUT, 0), eq(ratio, 0)))
)
SHARES = implies(IS_RATIO, le(total("h", ratio**2), 1))
ALL_OUTPUTS = every("h", gt(OUTPUT, 0))
QUOTIENTS = implies(ALL_OUTPUTS, le(total("h", (shadow("h", "i") / OUTPUT) ** 2), 1))

# --- rank-one heads with a given ratio each --------------------------------------------------------------------------

declare("main", "vector", ["head"], text="orthonormal directions, one for each head")
declare("strength", "scalar", ["head"], text="the strengths of rank-one heads")
declare("root", "scalar", ["head"], "positive", "the token's coordinates in the heads' directions")
declare("rest", "scalar", domain="positive", text="the coordinate that all heads but one share")
main_h = vector("main", "h")
root_h, root_g, rest = symbol("root", "h"), symbol("root", "g"), symbol("rest")


def rank_one(head: str, at: Vector) -> Vector:
    """strength_h <main_h, u> main_h."""
    direction = vector("main", head)
    image: Vector = (symbol("strength", head) * ip(direction, at)) * direction
    return image


def strength(coordinate: Scalar) -> Scalar:
    """W(beta r) / (beta r^2): the strength at which the output has norm 1."""
    value: Scalar = function("W", beta * coordinate) / (beta * coordinate**2)
    return value


hypothesis(
    "head_directions",
    every("h", every("g", eq(ip(main_h, vector("main", "g")), delta("h", "g")))),
    "the heads' directions are orthonormal",
)
hypothesis(
    "rank_one_heads",
    every("h", every("a", veq(apply("M", "h", basis("a")), rank_one("h", basis("a"))))),
    "every head is a multiple of the projector on its direction",
)
hypothesis(
    "coordinates",
    every("i", veq(vector("x", "i"), vtotal("h", root_h * main_h))),
    "the token is a combination of the heads' directions",
)
RANK_ONE = ("unit", "single_token", "alignment", "head_directions", "rank_one_heads", "coordinates")
LARGER = (gt(H * c**2, 1), lt(c, 1))
OWN_RATIO = conj(
    eq(root_h, c),
    every("g", eq(root_g, rest), ["h"]),
    every("g", eq(symbol("strength", "g"), strength(root_g))),
)
EQUAL_OUTPUTS = every("g", eq(norm(output("g", "i")), 1))
WITHIN_RATIO = every("g", le(absolute(shadow("g", "i")), c * norm(output("g", "i"))))
NO_LARGER = implies(OWN_RATIO, conj(EQUAL_OUTPUTS, WITHIN_RATIO, lt(RATE, 0)))

u, w = vector("u"), vector("w")
SYMMETRIC = eq(ip(apply("M", "h", u), w), ip(u, apply("M", "h", w)))
DISJOINT = every("g", eq(ip(w, apply("M", "g", apply("M", "h", u))), 0), ["h"])

SHARP_HYPOTHESES = (*ORTHOGONAL, "equal_norms", "ratio_bound")
SHARP_RATIO = (le(H * c**2, 1),)
RISING = ge(RATE, 0)

CLAIMS = (
    Claim(
        "cond8.sufficient",
        "Radial dominance keeps a head's energy from falling",
        SOURCE,
        ("USA",),
        (
            Part(
                "monotone",
                SUFFICIENT,
                "where at every token the norm of a head's output times the others' shadows is at most its squared "
                "tangential output, its energy does not fall",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant("without the condition", ge(RATE, 0)),
                    Mutant("rises", implies(DOMINANCE, gt(RATE, 0))),
                    Mutant(
                        "four times the tangential output",
                        implies(every("i", le(OUTPUT * OTHERS, 4 * TANGENTIAL)), ge(RATE, 0)),
                    ),
                ),
            ),
        ),
        sharpness="The constant in terms of ratios is not sharp: see cond8.sharp_constant.",
    ),
    Claim(
        "cond8.not_necessary",
        "Radial dominance is not necessary",
        SOURCE,
        ("USA",),
        (
            Part(
                "point",
                RISES_ALL_THE_SAME,
                "a configuration in which every head's energy rises though the condition fails for every head",
                hypotheses=ON_SPHERE,
                quantifier=Quantifier.EXISTENTIAL,
                mutants=(
                    Mutant("it falls while the condition holds", conj(lt(RATE, 0), DOMINATES)),
                    Mutant("as a law", implies(gt(RATE, 0), DOMINATES)),
                ),
            ),
        ),
    ),
    Claim(
        "cond8.ratio_form",
        "Radial dominance as a bound on ratios",
        SOURCE,
        ("USA",),
        (
            Part(
                "dominance",
                DOMINATES,
                "heads with equal outputs and ratios at most c satisfy the condition when c^2 + (H - 1) c <= 1",
                domain=SMALL_RATIO,
                hypotheses=("unit", "equal_norms", "ratio_bound"),
                mutants=(
                    Mutant("strict", lt(OUTPUT * OTHERS, TANGENTIAL)),
                    Mutant("half the tangential output", le(2 * OUTPUT * OTHERS, TANGENTIAL)),
                ),
            ),
            Part(
                "at_one_token",
                implies(AT_TOKEN, DOMINATES),
                "the same for one token alone",
                domain=SMALL_RATIO,
                hypotheses=("unit",),
                mutants=(Mutant("without the ratios", implies(AT_TOKEN[1], DOMINATES)),),
            ),
        ),
    ),
    Claim(
        "cond8.sharp_constant",
        "The sharp constant is 1/sqrt(H)",
        SOURCE,
        ("USA",),
        (
            Part(
                "enough",
                RISING,
                "with equal outputs and all ratios at most c, H c^2 <= 1, the energy of no head falls",
                domain=SHARP_RATIO,
                hypotheses=SHARP_HYPOTHESES,
                mutants=(Mutant("rises", gt(RATE, 0)),),
            ),
            Part(
                "no_larger",
                NO_LARGER,
                "rank-one heads, one token whose ratio is c in one head, 1 > c > 1/sqrt(H), and one smaller number in "
                "all others: with strengths W(beta r)/(beta r^2) all outputs have norm 1, no ratio exceeds c, and the "
                "head's energy falls",
                domain=LARGER,
                hypotheses=RANK_ONE,
                meaning=frozenset(RANK_ONE),
                mutants=(
                    Mutant("rises", implies(OWN_RATIO, gt(RATE, 0))),
                    Mutant("whatever the strengths", implies(conj(*OWN_RATIO[1:3]), NO_LARGER[2])),
                ),
            ),
            Part(
                "symmetry",
                SYMMETRIC,
                "these heads are symmetric",
                hypotheses=("rank_one_heads",),
                meaning=frozenset(RANK_ONE),
                mutants=(Mutant("antisymmetric", eq(SYMMETRIC[1], -SYMMETRIC[2])),),
            ),
            Part(
                "orthogonality",
                DISJOINT,
                "and the products of distinct ones vanish, as Theorem 17 asks",
                hypotheses=("head_directions", "rank_one_heads"),
                meaning=frozenset(RANK_ONE),
                mutants=(Mutant("the squares as well", every("g", eq(ip(w, apply("M", "g", apply("M", "h", u))), 0))),),
            ),
        ),
        source_note="Rank-one heads along orthonormal directions; such tokens exist for every H >= 2 and every c from "
        "1/sqrt(H) to 1. For the first part tokens need not be unit vectors.",
        sharpness="The constant 1/sqrt(H) is sharp, by its own second part.",
    ),
    Claim(
        "cond8.share_bound",
        "The squared ratios sum to at most 1",
        SOURCE,
        ("USA",),
        (
            Part(
                "bound",
                SHARES,
                "the squared ratios of shadows to outputs, over the heads with an output, add up to at most 1",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant("strict", implies(IS_RATIO, lt(total("h", ratio**2), 1))),
                    Mutant("at most 1/2", implies(IS_RATIO, le(2 * total("h", ratio**2), 1))),
                    Mutant("the ratios themselves", implies(IS_RATIO, le(total("h", ratio), 1))),
                ),
            ),
            Part(
                "quotients",
                QUOTIENTS,
                "if every head has an output, as quotients",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant(
                        "without the squares",
                        implies(ALL_OUTPUTS, le(total("h", shadow("h", "i") / OUTPUT), 1)),
                    ),
                ),
            ),
        ),
        source_note="The sum over the heads with an output is written without division: for any numbers r_h with "
        "|r_h| |f_h| <= |a_h| that are 0 where there is no output; the largest such are the ratios.",
    ),
)
