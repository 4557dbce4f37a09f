"""Theorems 16 and 17, radial shadows: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    ZERO,
    H,
    Scalar,
    apply,
    conj,
    decays,
    defined,
    delta,
    eq,
    every,
    exp,
    ge,
    gt,
    iff,
    implies,
    le,
    log,
    lt,
    n,
    ne,
    norm2,
    rate,
    relation,
    relu,
    symbol,
    total,
    vector,
    veq,
)
from antumbra.proofs.setting import (
    alpha,
    beta,
    declare,
    define,
    energy,
    head_energy,
    hypothesis,
    output,
    shadow,
    tangential_output,
    tangential_velocity,
)

FLAT = "Theorem 16"
SPHERE = "Theorem 17"

# --- vocabulary ------------------------------------------------------------------------------------------------------

define("share", norm2(apply("Q", "h", vector("x", "i"))), ["h", "i"], text="the share of token i in head h")
declare("part", "scalar", ["head"], text="shares of a point, one for each head")
declare("other_part", "scalar", ["head"], text="shares of another point")
declare("mix", "scalar", domain="nonnegative", text="how far one point is mixed with another")
declare("shift", "scalar", text="what one share gains and another loses")
hypothesis("single_token", relation("single", "token"), "there is one token")


def share(h: str, i: str) -> Scalar:
    """|Q_h x_i|^2."""
    return defined("share", h, i)


# --- Theorem 16 and the identity of Theorem 17 -----------------------------------------------------------------------

ORTHOGONAL = ("symmetry", "alignment", "orthogonality")
ON_SPHERE = ("unit", *ORTHOGONAL)

FLAT_RATE = rate("usa_flat", head_energy("h"))
OUTPUTS = total("i", norm2(output("h", "i")))
HEADS_FLAT = eq(FLAT_RATE, 1 / n**3 * OUTPUTS)
FLAT_MONOTONE = ge(FLAT_RATE, 0)

SPHERE_RATE = rate("usa_sphere", head_energy("h"))
OTHER_SHADOWS = total("g", shadow("g", "i"), ["h"])
BALANCE = norm2(tangential_output("h", "i")) - shadow("h", "i") * OTHER_SHADOWS
HEADS_SPHERE = eq(SPHERE_RATE, 1 / n**3 * total("i", BALANCE))

# --- the obstruction: one token, heads alpha Q_h, projectors that add up to the identity -----------------------------

FAMILY = ("projectors", "orthogonal_projectors", "disjoint", "resolution")
PROJECTORS = ("unit", "single_token", "alignment", *FAMILY)
STATIC = ("unit", "single_token", *FAMILY)
MEANING = frozenset({"single_token", *FAMILY})
TWO_HEADS = (eq(H, 2),)
P_h, P_g = share("h", "i"), share("g", "i")
FALLS = implies(conj(gt(P_h, 0), gt(1, 2 * P_h)), lt(SPHERE_RATE, 0))
RISES = implies(conj(gt(2 * P_h, 1), gt(1, P_h)), gt(SPHERE_RATE, 0))
STANDS = implies(eq(2 * P_h, 1), eq(SPHERE_RATE, 0))
SOME_HEAD_FALLS = gt(total("h", relu(-SPHERE_RATE)), 0)

# --- the winner ------------------------------------------------------------------------------------------------------


def of_shares(name: str) -> Scalar:
    """The energy as a function of shares: (1/2 beta) times the sum of e^{beta alpha p_h}."""
    value: Scalar = 1 / (2 * beta) * total("h", exp(beta * alpha * symbol(name, "h")))
    return value


GROWTH = total("g", P_g * exp(beta * alpha * P_g))
ENERGY_OF_SHARES = eq(energy, 1 / (2 * beta) * total("h", exp(beta * alpha * P_h)))
SHARES_ADD_UP = eq(total("h", P_h), 1)
MIXED = (1 - symbol("mix")) * symbol("part", "h") + symbol("mix") * symbol("other_part", "h")
CONVEX = le(
    1 / (2 * beta) * total("h", exp(beta * alpha * MIXED)),
    (1 - symbol("mix")) * of_shares("part") + symbol("mix") * of_shares("other_part"),
)
AT_REST = every("j", veq(tangential_velocity("j"), ZERO))
EQUAL_SHARES = every("h", every("g", implies(conj(ne(P_h, 0), ne(P_g, 0)), eq(P_h, P_g))))
EQUILIBRIA = iff(AT_REST, EQUAL_SHARES)
HIGHEST = 1 / (2 * beta) * (exp(alpha * beta) + H - 1)
MAXIMUM = le(energy, HIGHEST)
PURE = iff(eq(energy, HIGHEST), every("h", eq(P_h * (1 - P_h), 0)))
MOVED = symbol("part", "h") + symbol("shift") * (delta("h", "h1") - delta("h", "h2"))
NO_OTHER_MAXIMUM = every(
    "h1",
    every(
        "h2",
        implies(
            conj(eq(symbol("part", "h1"), symbol("part", "h2")), ne(symbol("shift"), 0)),
            gt(total("h", exp(beta * alpha * MOVED)), total("h", exp(beta * alpha * symbol("part", "h")))),
        ),
        ["h1"],
    ),
)
declare("stretch", "scalar", text="the factor of one component of the token")
declare("shrink", "scalar", text="the factor of another component")
x_i, stretch, shrink = vector("x", "i"), symbol("stretch"), symbol("shrink")
NEIGHBOUR = x_i + (stretch - 1) * apply("Q", "h1", x_i) + (shrink - 1) * apply("Q", "h2", x_i)
SHIFT = (stretch**2 - 1) * share("h1", "i")
REALISED = every(
    "h1",
    every(
        "h2",
        implies(
            conj(eq(share("h1", "i"), share("h2", "i")), eq(stretch**2 + shrink**2, 2)),
            conj(
                eq(norm2(NEIGHBOUR), 1),
                every(
                    "h",
                    eq(norm2(apply("Q", "h", NEIGHBOUR)), P_h + SHIFT * (delta("h", "h1") - delta("h", "h2"))),
                ),
            ),
        ),
        ["h1"],
    ),
)
SHARE_RATE = rate("usa_sphere", P_h)
REPLICATOR = eq(SHARE_RATE, 2 * alpha * P_h * (exp(beta * alpha * P_h) - GROWTH))
LEAD_RATE = rate("usa_sphere", log(P_h) - log(P_g))
LEAD = implies(
    conj(gt(P_g, 0), gt(P_h, P_g)),
    conj(
        eq(LEAD_RATE, 2 * alpha * (exp(beta * alpha * P_h) - exp(beta * alpha * P_g))),
        ge(LEAD_RATE, 2 * alpha**2 * beta * (P_h - P_g)),
    ),
)
LEADER = every("g", gt(P_h - P_g, 0), ["h"])
ORDER = implies(LEADER, every("g", ge(rate("usa_sphere", P_h - P_g), 0), ["h"]))
LAG = P_g / (P_h - P_g)
DECAY = implies(LEADER, every("g", le(rate("usa_sphere", LAG), -(2 * alpha**2 * beta / H) * LAG), ["h"]))

SPHERE_FLOW = "usa_sphere"
AHEAD = gt(P_h - P_g, 0)
LAG_DECAY = 2 * alpha**2 * beta / H
KEEPS_ORDER = every("g", decays(SPHERE_FLOW, AHEAD, 0, 0), ["h"])
WINNER = every("g", decays(SPHERE_FLOW, LEADER, LAG, LAG_DECAY), ["h"])

CLAIMS = (
    Claim(
        "thm16.flat",
        "Head energies never fall in the flat space",
        FLAT,
        ("USA",),
        (
            Part(
                "rate",
                HEADS_FLAT,
                "the energy of a head grows at its summed squared outputs over n^3",
                hypotheses=ORTHOGONAL,
                mutants=(
                    Mutant("1/n^2 for 1/n^3", eq(FLAT_RATE, 1 / n**2 * OUTPUTS)),
                    Mutant("on the sphere", eq(SPHERE_RATE, 1 / n**3 * OUTPUTS)),
                    Mutant(
                        "tangential outputs",
                        eq(FLAT_RATE, 1 / n**3 * total("i", norm2(tangential_output("h", "i")))),
                    ),
                ),
            ),
            Part(
                "monotone",
                FLAT_MONOTONE,
                "the energy of a head never falls",
                hypotheses=ORTHOGONAL,
                mutants=(
                    Mutant("falls instead of rises", le(FLAT_RATE, 0)),
                    Mutant("strict for weak", gt(FLAT_RATE, 0)),
                    Mutant("on the sphere", ge(SPHERE_RATE, 0)),
                ),
            ),
        ),
    ),
    Claim(
        "thm17.sphere",
        "A head's energy on the sphere: the radial shadows",
        SPHERE,
        ("USA",),
        (
            Part(
                "rate",
                HEADS_SPHERE,
                "a head's energy grows at its squared tangential outputs less its shadow times the other heads'",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant(
                        "plus for minus",
                        eq(
                            SPHERE_RATE,
                            1
                            / n**3
                            * total("i", norm2(tangential_output("h", "i")) + shadow("h", "i") * OTHER_SHADOWS),
                        ),
                    ),
                    Mutant(
                        "all shadows for those of the other heads",
                        eq(
                            SPHERE_RATE,
                            1
                            / n**3
                            * total(
                                "i",
                                norm2(tangential_output("h", "i")) - shadow("h", "i") * total("g", shadow("g", "i")),
                            ),
                        ),
                    ),
                    Mutant(
                        "the shadows dropped",
                        eq(SPHERE_RATE, 1 / n**3 * total("i", norm2(tangential_output("h", "i")))),
                    ),
                    Mutant("1/n^2 for 1/n^3", eq(SPHERE_RATE, 1 / n**2 * total("i", BALANCE))),
                ),
            ),
        ),
    ),
    Claim(
        "thm17.obstruction",
        "A head's energy can fall on the sphere",
        SPHERE,
        ("USA",),
        (
            Part(
                "point",
                SOME_HEAD_FALLS,
                "under the hypotheses of Theorem 17 there is a configuration in which the energy of some head falls",
                hypotheses=ON_SPHERE,
                quantifier=Quantifier.EXISTENTIAL,
                mutants=(Mutant("in the flat space", gt(total("h", relu(-FLAT_RATE)), 0)),),
            ),
            Part(
                "falls",
                FALLS,
                "one token, two heads alpha Q_h with Q_1 + Q_2 = 1: a head whose share s^2 is positive and below 1/2 "
                "has a falling energy",
                domain=TWO_HEADS,
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant("rises instead of falls", implies(FALLS[1], gt(SPHERE_RATE, 0))),
                    Mutant("the share may be 0", implies(gt(1, 2 * P_h), lt(SPHERE_RATE, 0))),
                    Mutant("up to 3/4", implies(conj(gt(P_h, 0), gt(3, 4 * P_h)), lt(SPHERE_RATE, 0))),
                ),
            ),
            Part(
                "rises",
                RISES,
                "and one whose share is above 1/2 and below 1 has a rising energy",
                domain=TWO_HEADS,
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant("falls instead of rises", implies(RISES[1], lt(SPHERE_RATE, 0))),
                    Mutant("the share may be 1", implies(gt(2 * P_h, 1), gt(SPHERE_RATE, 0))),
                ),
            ),
            Part(
                "stands",
                STANDS,
                "and one whose share is 1/2 stands still",
                domain=TWO_HEADS,
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(Mutant("at 9/25", implies(eq(25 * P_h, 9), eq(SPHERE_RATE, 0))),),
            ),
        ),
        source_note="The sign of the rate is that of 2 s^2 - 1, s^2 = |Q_h x|^2; stated for any two projectors that "
        "add up to the identity in any dimension, of which e_1 e_1^T and e_2 e_2^T in the plane are the smallest.",
    ),
    Claim(
        "thm17.winner",
        "Projector heads: the strictly largest share wins",
        SPHERE,
        ("USA",),
        (
            Part(
                "energy_of_shares",
                ENERGY_OF_SHARES,
                "the energy is (1/2 beta) times the sum of e^{beta alpha p_h} over the shares p_h",
                hypotheses=("single_token", "projectors", "orthogonal_projectors"),
                meaning=MEANING,
                mutants=(Mutant("without alpha", eq(energy, 1 / (2 * beta) * total("h", exp(beta * P_h)))),),
            ),
            Part(
                "shares_add_up",
                SHARES_ADD_UP,
                "the shares of a unit vector add up to 1",
                hypotheses=("unit", "orthogonal_projectors", "disjoint", "resolution"),
                meaning=MEANING,
                mutants=(Mutant("to H", eq(total("h", P_h), H)),),
            ),
            Part(
                "convex",
                CONVEX,
                "the energy is convex in the shares",
                domain=(le(symbol("mix"), 1),),
                mutants=(
                    Mutant("concave for convex", ge(CONVEX[1], CONVEX[2])),
                    Mutant(
                        "the weights swapped",
                        le(
                            CONVEX[1],
                            symbol("mix") * of_shares("part") + (1 - symbol("mix")) * of_shares("other_part"),
                        ),
                    ),
                ),
            ),
            Part(
                "equilibria",
                EQUILIBRIA,
                "the point is at rest exactly if its non-zero shares are equal",
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "all shares equal",
                        iff(AT_REST, every("h", every("g", eq(P_h, P_g)))),
                    ),
                    Mutant(
                        "only pure points",
                        iff(AT_REST, every("h", eq(P_h * (1 - P_h), 0))),
                    ),
                ),
            ),
            Part(
                "maximum",
                MAXIMUM,
                "the energy is at most (e^{alpha beta} + H - 1) / (2 beta)",
                hypotheses=STATIC,
                meaning=MEANING,
                mutants=(
                    Mutant("without H", le(energy, 1 / (2 * beta) * exp(alpha * beta))),
                    Mutant("strict for weak", lt(energy, HIGHEST)),
                ),
            ),
            Part(
                "pure_points",
                PURE,
                "and that is reached exactly at the pure points, whose shares are 0 or 1",
                hypotheses=STATIC,
                meaning=MEANING,
                mutants=(Mutant("all points", eq(energy, HIGHEST)),),
            ),
            Part(
                "no_other_maximum",
                NO_OTHER_MAXIMUM,
                "at any other equilibrium two shares are equal and positive, and moving any amount from one to the "
                "other, either way, raises the energy: it is no local maximum",
                mutants=(
                    Mutant(
                        "for unequal shares as well",
                        every(
                            "h1",
                            every(
                                "h2",
                                implies(
                                    ne(symbol("shift"), 0),
                                    gt(
                                        total("h", exp(beta * alpha * MOVED)),
                                        total("h", exp(beta * alpha * symbol("part", "h"))),
                                    ),
                                ),
                                ["h1"],
                            ),
                        ),
                    ),
                ),
            ),
            Part(
                "moved_shares",
                REALISED,
                "such moves are made by unit vectors as near as one likes: stretch one of two equally long components "
                "and shrink the other, so that their squares add up as before",
                hypotheses=("unit", "orthogonal_projectors", "disjoint"),
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "of components of any lengths",
                        every(
                            "h1",
                            every(
                                "h2",
                                implies(eq(stretch**2 + shrink**2, 2), eq(norm2(NEIGHBOUR), 1)),
                                ["h1"],
                            ),
                        ),
                    ),
                ),
            ),
            Part(
                "replicator",
                REPLICATOR,
                "along the flow the shares follow the replicator equation",
                hypotheses=PROJECTORS[1:],
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "alpha for 2 alpha",
                        eq(SHARE_RATE, alpha * P_h * (exp(beta * alpha * P_h) - GROWTH)),
                    ),
                    Mutant(
                        "the mean without weights",
                        eq(
                            SHARE_RATE,
                            2 * alpha * P_h * (exp(beta * alpha * P_h) - total("g", exp(beta * alpha * P_g))),
                        ),
                    ),
                ),
            ),
            Part(
                "lead",
                LEAD,
                "the lead of a larger share, the logarithm of its ratio to a smaller one, grows, and no slower than "
                "2 alpha^2 beta times the difference of the shares",
                hypotheses=PROJECTORS[1:],
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "twice the bound",
                        implies(LEAD[1], ge(LEAD_RATE, 6 * alpha**2 * beta * (P_h - P_g))),
                    ),
                    Mutant("falls", implies(LEAD[1], le(LEAD_RATE, 0))),
                ),
            ),
            Part(
                "order",
                ORDER,
                "while a share is the strictly largest, its distance to every other one does not fall",
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "of any two shares",
                        every("g", ge(rate("usa_sphere", P_h - P_g), 0), ["h"]),
                    ),
                ),
            ),
            Part(
                "decay",
                DECAY,
                "and every other share, over its distance to the largest, falls at 2 alpha^2 beta / H or faster",
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "six times as fast",
                        implies(
                            LEADER,
                            every("g", le(rate("usa_sphere", LAG), -(12 * alpha**2 * beta / H) * LAG), ["h"]),
                        ),
                    ),
                ),
            ),
            Part(
                "keeps_order",
                KEEPS_ORDER,
                "a larger share stays larger for ever",
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "a larger share grows at a constant rate",
                        every("g", decays(SPHERE_FLOW, AHEAD, P_h, alpha), ["h"]),
                    ),
                ),
            ),
            Part(
                "winner",
                WINNER,
                "a strictly largest initial share stays so, and every other share, over its distance to the largest, "
                "falls as "
                "fast as e^{-2 alpha^2 beta t / H}: the largest share tends to 1",
                hypotheses=PROJECTORS,
                meaning=MEANING,
                mutants=(
                    Mutant(
                        "six times as fast",
                        every("g", decays(SPHERE_FLOW, LEADER, LAG, 12 * alpha**2 * beta / H), ["h"]),
                    ),
                    Mutant("for any share", every("g", decays(SPHERE_FLOW, gt(P_h, 0), LAG, LAG_DECAY), ["h"])),
                ),
            ),
        ),
        source_note="The equilibria fall into 2^H - 1 families, one for each non-empty set of heads whose shares are "
        "not 0; that count is read off the equivalence and is no formula here.",
    ),
)
