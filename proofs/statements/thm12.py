"""Theorem 12, robustness to value misalignment: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    H,
    Vector,
    apply,
    basis,
    defined,
    eq,
    every,
    exp,
    ge,
    gt,
    implies,
    ip,
    le,
    n,
    norm,
    operator_norm,
    rate,
    relation,
    total,
    vdefined,
    vector,
    veq,
    vtotal,
)
from antumbra.proofs.setting import beta, declare, define, energy, eta, hypothesis, normaliser, project, weight

SOURCE = "Theorem 12"

# --- vocabulary ------------------------------------------------------------------------------------------------------

x_i = vector("x", "i")
define(
    "drive",
    1 / n * vtotal("h", vtotal("j", weight("h", "i", "j") * apply("M", "h", vector("x", "j")))),
    ["i"],
    text="the field of USA with aligned value matrices",
)
define("P_drive", project(x_i, vdefined("drive", "i")), ["i"], text="its tangential part")
define(
    "Omega",
    1 / n * total("h", normaliser("h", "i")),
    ["i"],
    text="the sum of a token's attention weights over all heads, over n",
)


def drive(i: str) -> Vector:
    """u_i = (1/n) sum over h and j of e^{beta s_ij^h} M_h x_j."""
    return vdefined("drive", i)


PULL = norm(vdefined("P_drive", "i"))
WEIGHT = defined("Omega", "i")
RATE = rate("usa_sphere", energy)
FLOOR = 1 / n * total("i", PULL * (PULL - eta * WEIGHT))
BOUND = ge(RATE, FLOOR)
STRONG_PULL = every("i", ge(PULL, eta * WEIGHT))
NO_FALL = implies(STRONG_PULL, ge(RATE, 0))
MISALIGNED = ("unit", "symmetry", "misalignment")

# --- the configuration that attains the bound ------------------------------------------------------------------------

declare("place", "vector", text="the place of all tokens")
place, u = vector("place"), vector("u")
define(
    "drive_at",
    vtotal("h", exp(beta * ip(place, apply("M", "h", place))) * apply("M", "h", place)),
    text="the aligned field at the place of all tokens",
)
define("pull_at", project(place, vdefined("drive_at")), text="its tangential part")
define("towards", 1 / norm(vdefined("pull_at")) * vdefined("pull_at"), text="the direction of that tangential part")
towards = vdefined("towards")


def misaligned(at: Vector) -> Vector:
    """M_h u - eta <place, u> towards."""
    error: Vector = (eta * ip(place, at)) * towards
    return apply("M", "h", at) - error


hypothesis("all_at_place", every("i", veq(x_i, place)), "all tokens are at one place")
hypothesis("unit_place", relation("unit", "place"), "the place is a unit vector")
hypothesis("driven", gt(norm(vdefined("pull_at")), 0), "the aligned field is not radial there")
hypothesis(
    "worst_values",
    every("h", every("a", veq(apply("W", "h", basis("a")), misaligned(basis("a"))))),
    "every value matrix differs from its score matrix by -eta towards place^T",
)
WORST = ("unit_place", "symmetry", "all_at_place", "driven", "worst_values")
ATTAINED = eq(RATE, FLOOR)
WITHIN = every("h", le(operator_norm("u", apply("W", "h", u) - apply("M", "h", u)), eta))

declare("aside", "vector", text="a direction at right angles to the place")
aside = vector("aside")


def turned(at: Vector) -> Vector:
    """<place, u> aside + <aside, u> place: the two directions exchanged."""
    image: Vector = ip(place, at) * aside + ip(aside, at) * place
    return image


hypothesis(
    "turning_heads",
    every("h", every("a", veq(apply("M", "h", basis("a")), turned(basis("a"))))),
    "every head exchanges the place and the direction aside",
)
hypothesis("unit_aside", relation("unit", "aside"), "the direction aside is a unit vector")
hypothesis("right_angle", eq(ip(place, aside), 0), "it is at right angles to the place")
DRIVEN = gt(norm(vdefined("pull_at")), 0)
SYMMETRIC = eq(ip(apply("M", "h", u), vector("w")), ip(u, apply("M", "h", vector("w"))))
TURNING = ("unit_place", "unit_aside", "right_angle", "turning_heads")

CLAIMS = (
    Claim(
        "thm12.bound",
        "The energy's rate under value misalignment",
        SOURCE,
        ("USA",),
        (
            Part(
                "bound",
                BOUND,
                "value matrices within eta of their score matrices cost at most eta Omega_i |P u_i| at each token",
                hypotheses=MISALIGNED,
                mutants=(
                    Mutant("half of eta", ge(RATE, 1 / n * total("i", PULL * (PULL - eta / 2 * WEIGHT)))),
                    Mutant("without eta", ge(RATE, 1 / n * total("i", PULL**2))),
                    Mutant("strict for weak", gt(RATE, FLOOR)),
                ),
            ),
            Part(
                "no_fall",
                NO_FALL,
                "so the energy does not fall where |P u_i| is at least eta Omega_i at every token",
                hypotheses=MISALIGNED,
                mutants=(
                    Mutant("anywhere", ge(RATE, 0)),
                    Mutant("rises", implies(STRONG_PULL, gt(RATE, 0))),
                ),
            ),
        ),
        sharpness="Attained for every n, H, d >= 2 and eta: see thm12.sharp.",
    ),
    Claim(
        "thm12.sharp",
        "The misalignment bound is attained",
        SOURCE,
        ("USA",),
        (
            Part(
                "attained",
                ATTAINED,
                "all tokens at one place, value matrices M_h - eta towards place^T: the rate is the bound",
                hypotheses=WORST,
                meaning=frozenset(WORST),
                mutants=(
                    Mutant("larger", gt(RATE, FLOOR)),
                    Mutant("the aligned rate", eq(RATE, 1 / n * total("i", PULL**2))),
                ),
            ),
            Part(
                "misalignment",
                WITHIN,
                "these value matrices are within eta of their score matrices",
                hypotheses=("unit_place", "driven", "worst_values"),
                meaning=frozenset(WORST),
                mutants=(
                    Mutant(
                        "within eta / 2",
                        every("h", le(2 * operator_norm("u", apply("W", "h", u) - apply("M", "h", u)), eta)),
                    ),
                ),
            ),
            Part(
                "driven",
                DRIVEN,
                "heads that exchange the place and a direction at right angles to it drive the tokens aside, so such "
                "configurations exist for every n, H, d >= 2 and eta",
                hypotheses=TURNING,
                meaning=frozenset(TURNING),
                mutants=(Mutant("with norm below H", gt(H, norm(vdefined("pull_at")))),),
            ),
            Part(
                "symmetry",
                SYMMETRIC,
                "and these heads are symmetric",
                hypotheses=("turning_heads",),
                meaning=frozenset(TURNING),
                mutants=(Mutant("antisymmetric", eq(SYMMETRIC[1], -SYMMETRIC[2])),),
            ),
        ),
        source_note="Stated for any symmetric heads whose aligned field at the place is not radial; the last parts "
        "give such heads for any orthonormal pair of directions.",
    ),
)
