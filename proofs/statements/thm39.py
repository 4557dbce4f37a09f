"""Theorem 39, approximate orthogonality: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Scalar,
    Vector,
    absolute,
    apply,
    basis,
    conj,
    eq,
    every,
    forall,
    forall_vectors,
    ge,
    gt,
    iff,
    implies,
    ip,
    le,
    n,
    norm,
    norm2,
    operator_norm,
    rate,
    symbol,
    total,
    vector,
    veq,
)
from antumbra.proofs.setting import (
    alpha,
    declare,
    head_energy,
    hypothesis,
    normaliser,
    output,
    overlap,
    shadow,
    tangential_output,
)

SOURCE = "Theorem 39"
ALIGNED = ("unit", "symmetry", "alignment")

RATE = rate("usa_sphere", head_energy("h"))
TANGENTIAL = norm2(tangential_output("h", "i"))
SHADOWS = shadow("h", "i") * total("g", shadow("g", "i"), ["h"])
MEETING = total("g", ip(output("h", "i"), output("g", "i")), ["h"])
IDENTITY = eq(RATE, 1 / n**3 * total("i", TANGENTIAL - SHADOWS + MEETING))
NO_MEETING = eq(MEETING, 0)

SHADOW_SIZES = absolute(shadow("h", "i")) * total("g", absolute(shadow("g", "i")), ["h"])
WEIGHTS = normaliser("h", "i") * total("g", normaliser("g", "i"), ["h"])
FLOOR = 1 / n**3 * total("i", TANGENTIAL - SHADOW_SIZES - overlap * WEIGHTS)
BOUND = ge(RATE, FLOOR)

# --- the configuration that attains the bound ------------------------------------------------------------------------

declare("here", "vector", text="the place of all tokens")
declare("across", "vector", text="a direction at right angles to it")
declare("turn", "scalar", ["head"], text="the signs of heads that exchange two directions")

here, across, u, w = vector("here"), vector("across"), vector("u"), vector("w")
turn_h, turn_g = symbol("turn", "h"), symbol("turn", "g")


def exchange(head: Scalar, vector: Vector) -> Vector:
    """turn_h (<here, u> across + <across, u> here): the two directions exchanged, with a sign."""
    image: Vector = head * (ip(here, vector) * across + ip(across, vector) * here)
    return image


hypothesis("all_here", every("i", veq(vector("x", "i"), here)), "all tokens are at one place")
hypothesis(
    "two_directions",
    conj(eq(ip(here, here), 1), eq(ip(across, across), 1), eq(ip(here, across), 0)),
    "the place and the direction across are orthonormal",
)
hypothesis(
    "exchanging_heads",
    every("h", every("a", veq(apply("M", "h", basis("a")), exchange(turn_h, basis("a"))))),
    "every head exchanges the two directions, up to a sign",
)

OPPOSED = conj(eq(turn_h, 1), every("g", eq(turn_g, -1), ["h"]))
EXCHANGING = ("alignment", "all_here", "two_directions", "exchanging_heads")
PRODUCT = apply("M", "g", apply("M", "h", u))
SYMMETRIC = eq(ip(apply("M", "h", u), w), ip(u, apply("M", "h", w)))
SHARP_RATE = implies(OPPOSED, eq(RATE, 2 - H))
SHARP_FLOOR = implies(OPPOSED, eq(FLOOR, 2 - H))
OVERLAP_ONE = implies(
    OPPOSED, every("h1", every("g", le(operator_norm("u", apply("M", "g", apply("M", "h1", u))), 1), ["h1"]))
)

# The bound is attained by the chosen heads if their weighted slack is 0, since no slack is negative.
declare("chosen", "scalar", ["head"], "nonnegative", "weights of chosen heads")
ATTAINED = conj(gt(total("h", symbol("chosen", "h")), 0), eq(total("h", symbol("chosen", "h") * (RATE - FLOOR)), 0))

# --- the angle between projectors ------------------------------------------------------------------------------------

declare("level", "scalar", domain="nonnegative", text="a bound on cosines")
declare("cosine", "scalar", domain="nonnegative", text="the cosine of the smallest principal angle")
PROJECTORS = ("projectors", "orthogonal_projectors")
LEVEL = overlap * (1 / alpha**2)


def cosines_within(level: Scalar) -> Formula:
    """|<Q_g u, Q_h w>| <= level |Q_g u| |Q_h w| for all heads g != h and all u, w."""
    first, second = apply("Q", "g", u), apply("Q", "h", w)
    bounded = le(absolute(ip(first, second)), level * (norm(first) * norm(second)))
    return every("h", every("g", forall_vectors("u", forall_vectors("w", bounded)), ["h"]))


NEAR = every("h", every("g", le(operator_norm("u", PRODUCT), overlap), ["h"]))
ADMISSIBLE = iff(NEAR, cosines_within(LEVEL))
IS_COSINE = forall("level", iff(cosines_within(symbol("level")), ge(symbol("level"), symbol("cosine"))))
SMALLEST = implies(IS_COSINE, iff(NEAR, ge(overlap, alpha**2 * symbol("cosine"))))

CLAIMS = (
    Claim(
        "thm39.identity",
        "A head's energy without orthogonality",
        SOURCE,
        ("USA",),
        (
            Part(
                "rate",
                IDENTITY,
                "beside Theorem 17's terms, a head's energy grows at the inner products of its outputs with the rest",
                hypotheses=ALIGNED,
                mutants=(
                    Mutant("a sign changed", eq(RATE, 1 / n**3 * total("i", TANGENTIAL - SHADOWS - MEETING))),
                    Mutant("the shadows dropped", eq(RATE, 1 / n**3 * total("i", TANGENTIAL + MEETING))),
                    Mutant("Theorem 17 without orthogonality", eq(RATE, 1 / n**3 * total("i", TANGENTIAL - SHADOWS))),
                ),
            ),
            Part(
                "orthogonal_heads",
                NO_MEETING,
                "with orthogonality these inner products vanish, which is Theorem 17",
                hypotheses=("symmetry", "alignment", "orthogonality"),
                mutants=(
                    Mutant(
                        "the head itself not left out",
                        eq(total("g", ip(output("h", "i"), output("g", "i"))), 0),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "thm39.bound",
        "A head's energy under approximate orthogonality",
        SOURCE,
        ("USA",),
        (
            Part(
                "bound",
                BOUND,
                "heads whose products have norm at most delta lose at most delta times the products of their weights",
                hypotheses=(*ALIGNED, "near_orthogonality"),
                mutants=(
                    Mutant(
                        "without the overlap",
                        ge(RATE, 1 / n**3 * total("i", TANGENTIAL - SHADOW_SIZES)),
                    ),
                    Mutant(
                        "half of the overlap",
                        ge(RATE, 1 / n**3 * total("i", TANGENTIAL - SHADOW_SIZES - overlap / 2 * WEIGHTS)),
                    ),
                    Mutant(
                        "without the shadows",
                        ge(RATE, 1 / n**3 * total("i", TANGENTIAL - overlap * WEIGHTS)),
                    ),
                ),
            ),
        ),
        sharpness="Attained for every number of heads: see thm39.sharp.",
    ),
    Claim(
        "thm39.angle",
        "The smallest overlap of projector heads",
        SOURCE,
        (),
        (
            Part(
                "admissible",
                ADMISSIBLE,
                "an overlap delta is admissible for M_h = alpha Q_h exactly if no cosine between vectors in the ranges "
                "of two distinct projectors exceeds delta / alpha^2",
                hypotheses=PROJECTORS,
                meaning=frozenset(PROJECTORS),
                mutants=(
                    Mutant("all cosines taken for 1", iff(NEAR, ge(overlap, alpha**2))),
                    Mutant("delta / alpha", iff(NEAR, cosines_within(overlap * (1 / alpha)))),
                    Mutant("delta / (2 alpha^2)", iff(NEAR, cosines_within(overlap * (1 / (2 * alpha**2))))),
                ),
            ),
            Part(
                "smallest",
                SMALLEST,
                "so the smallest admissible delta is alpha^2 times the least upper bound of these cosines, the cosine "
                "of the smallest principal angle",
                hypotheses=PROJECTORS,
                meaning=frozenset(PROJECTORS),
                mutants=(
                    Mutant("any number for the cosine", iff(NEAR, ge(overlap, alpha**2 * symbol("cosine")))),
                    Mutant(
                        "alpha for alpha^2",
                        implies(IS_COSINE, iff(NEAR, ge(overlap, alpha * symbol("cosine")))),
                    ),
                ),
            ),
        ),
        source_note="The smallest principal angle of two subspaces is defined by the largest |<u, w>| over their unit "
        "vectors; it enters as the least number that bounds |<Q_g u, Q_h w>| by |Q_g u| |Q_h w|, so that no unit "
        "vectors and no maximum need be chosen. Projectors that are 0 are allowed: they meet every bound.",
    ),
    Claim(
        "thm39.sharp",
        "The approximate orthogonality bound is attained",
        SOURCE,
        ("USA",),
        (
            Part(
                "rate",
                SHARP_RATE,
                "heads that exchange two directions, one with sign 1 and all others with sign -1, tokens at one place: "
                "the first head's energy grows at 2 - H",
                hypotheses=EXCHANGING,
                meaning=frozenset(EXCHANGING),
                mutants=(
                    Mutant("at 2 + H", implies(OPPOSED, eq(RATE, 2 + H))),
                    Mutant("it never falls", implies(OPPOSED, ge(RATE, 0))),
                    Mutant("for the other heads", implies(eq(turn_h, -1), eq(RATE, 2 - H))),
                ),
            ),
            Part(
                "bound",
                SHARP_FLOOR,
                "and the lower bound, at delta = 1, is 2 - H as well",
                domain=(eq(overlap, 1),),
                hypotheses=EXCHANGING,
                meaning=frozenset(EXCHANGING),
                mutants=(
                    Mutant("at 1 - H", implies(OPPOSED, eq(FLOOR, 1 - H))),
                    Mutant("strict", implies(OPPOSED, gt(RATE, FLOOR))),
                ),
            ),
            Part(
                "overlap",
                OVERLAP_ONE,
                "the products of distinct heads have norm at most 1",
                hypotheses=("two_directions", "exchanging_heads"),
                meaning=frozenset(EXCHANGING),
                mutants=(
                    Mutant(
                        "at most 1/2",
                        implies(
                            OPPOSED,
                            every(
                                "h1",
                                every(
                                    "g",
                                    le(2 * operator_norm("u", apply("M", "g", apply("M", "h1", u))), 1),
                                    ["h1"],
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            Part(
                "symmetry",
                SYMMETRIC,
                "the heads are symmetric",
                hypotheses=("exchanging_heads",),
                meaning=frozenset(EXCHANGING),
                mutants=(Mutant("antisymmetric", eq(SYMMETRIC[1], -SYMMETRIC[2])),),
            ),
            Part(
                "point",
                ATTAINED,
                "three such heads in the plane attain the bound at an exact point",
                domain=(gt(overlap, 0), ge(H, 3)),
                hypotheses=(*ALIGNED, "near_orthogonality"),
                quantifier=Quantifier.EXISTENTIAL,
                mutants=(Mutant("by all heads at once, whatever they are", eq(total("h", RATE - FLOOR), 0)),),
            ),
        ),
        source_note="Stated for any number of tokens at one place and any orthonormal pair of directions, of which one "
        "token e_1 in the plane is the smallest. The first four parts together say that the configuration meets the "
        "bound's hypotheses with delta = 1 and attains it, for every number of heads.",
    ),
)
