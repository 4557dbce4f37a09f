"""Beyond the paper: how long radial dominance lasts on the equiangular path: statements.

All heads have one scale alpha > 0. Dominance (Condition 8) is followed as a condition on the path: heads of this kind
are not orthogonal, so Theorem 17 does not apply to them.
"""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Scalar,
    ScalarLike,
    absolute,
    conj,
    defined,
    every,
    exp,
    ge,
    gt,
    iff,
    implies,
    ip,
    le,
    lt,
    n,
    norm,
    rate,
    sqrt,
    symbol,
    vector,
)
from antumbra.proofs.setting import (
    alpha,
    beta,
    declare,
    define,
    gamma,
    head_energy,
    output,
    shadow,
)
from antumbra.proofs.statements.thm19 import c_star, condition_8, cooler
from antumbra.proofs.statements.thm25 import gamma_0, gamma_1

SOURCE = "Beyond the paper"
SEVERAL = (ge(n, 2), ge(H, 2))
EQUAL_HEADS = ("scalar", "alignment", "equal_heads", "equiangular")

# --- dominance on the path --------------------------------------------------------------------------------------------

_angle, _temperature = symbol("angle"), symbol("temperature")
define(
    "A_path",
    exp(_temperature * alpha * (1 - _angle)) + (n - 1) * _angle,
    parameters=["angle", "temperature"],
    text="a head's shadow on the equiangular path, over alpha e^{beta alpha gamma}",
)
define(
    "B_path",
    (n - 1) * (1 - _angle) * (1 + (n - 1) * _angle),
    parameters=["angle"],
    text="the squared tangential output of a head on the equiangular path, over alpha^2 e^{2 beta alpha gamma}",
)
P = H - 1
define("K_path", P / c_star(H), text="the factor by which Condition 8 weighs A^2 against B")
K = defined("K_path")


def A(angle: ScalarLike = gamma, temperature: ScalarLike = beta) -> Scalar:
    """e^{beta alpha (1 - gamma)} + (n - 1) gamma."""
    return defined("A_path", of=[angle, temperature])


def B(angle: ScalarLike = gamma) -> Scalar:
    """(n - 1) (1 - gamma) (1 + (n - 1) gamma)."""
    return defined("B_path", of=[angle])


def dominance(angle: ScalarLike = gamma, temperature: ScalarLike = beta, tag: str = "le") -> Formula:
    """Condition 8 on the path, or its failure with `gt`."""
    a, b = A(angle, temperature), B(angle)
    return Formula((tag, P * a * sqrt(a**2 + b), b))


def rooted(angle: ScalarLike = gamma, temperature: ScalarLike = beta, tag: str = "le") -> Formula:
    """The equivalent comparison of sqrt(K) A and sqrt(B)."""
    return Formula((tag, sqrt(K) * A(angle, temperature), sqrt(B(angle))))


ON_PATH = (ge(1 + (n - 1) * gamma, 0), le(gamma, 1))
INSIDE = (gt(1 + (n - 1) * gamma, 0), lt(gamma, 1))

declare("gamma_2", "scalar", text="a common inner product between the start and the end")
gamma_2 = symbol("gamma_2")

# --- open.invariance --------------------------------------------------------------------------------------------------

INVARIANCE = implies(dominance(gamma_0), dominance(gamma_1))
MEASURED = every("h", every("i", iff(condition_8(), dominance())))
RATIO_BOUND = le(absolute(shadow("h", "i")), 1 / sqrt(H) * norm(output("h", "i")))
SHARP = every("h", every("i", iff(RATIO_BOUND, le(P * A() ** 2, B()))))
EQUIVALENT = iff(dominance(), rooted())
A_CURVE = rate("d_gamma", rate("d_gamma", A()))
B_CURVE = rate("d_gamma", rate("d_gamma", sqrt(B())))
A_CONVEX, B_CONCAVE = gt(A_CURVE, 0), lt(B_CURVE, 0)
HELD_AROUND = conj(dominance(gamma_0), dominance(gamma_1))
INTERVAL = implies(HELD_AROUND, dominance(gamma_2))
SHRINKS = implies(conj(le(cooler, beta), dominance()), dominance(gamma, cooler))
FAILS_LATE = implies(lt(n * (n - 1) * (1 - gamma), 1), dominance(tag="gt"))

# --- open.after -------------------------------------------------------------------------------------------------------

ENERGY_RATE = rate("usa_sphere", head_energy("h"))
APPROACH = rate("usa_sphere", ip(vector("x", "i"), vector("x", "j")))
LEAST_RATE = 2 / n * (1 + (n - 1) * gamma_0) * H * alpha * exp(beta * alpha * gamma_0)
RISING = every("h", gt(ENERGY_RATE, 0))
CLOSING = every("i", every("j", gt(APPROACH, 0), ["i"]))
CLUSTERS = implies(le(gamma_0, gamma), every("i", every("j", ge(APPROACH, LEAST_RATE * (1 - gamma)), ["i"])))

CLAIMS = (
    Claim(
        "open.invariance",
        "Radial dominance, once there, lasts until clustering",
        SOURCE,
        ("USA",),
        (
            Part(
                "lasts",
                INVARIANCE,
                "if Condition 8 holds at gamma_0 it holds at every later gamma_1 < 1",
                domain=(*SEVERAL, gt(1 + (n - 1) * gamma_0, 0), le(gamma_0, gamma_1), lt(gamma_1, 1)),
            ),
        ),
        source_note="Not a claim of the paper: a natural guess, which is false for every n >= 2, H >= 2 and beta.",
    ),
    Claim(
        "open.invariance.amended",
        "Radial dominance holds on one interval",
        SOURCE,
        ("USA",),
        (
            Part(
                "condition",
                MEASURED,
                "with A = e^{beta lambda (1 - gamma)} + (n - 1) gamma and B = (n - 1)(1 - gamma)(1 + (n - 1) gamma), "
                "Condition 8 "
                "reads (H - 1) A sqrt(A^2 + B) <= B",
                domain=SEVERAL,
                hypotheses=EQUAL_HEADS,
                meaning=frozenset(EQUAL_HEADS),
                mutants=(
                    Mutant(
                        "H for H - 1",
                        every("h", every("i", iff(condition_8(), le(H * A() * sqrt(A() ** 2 + B()), B())))),
                    ),
                    Mutant("the opposite", every("h", every("i", iff(condition_8(), dominance(tag="gt"))))),
                ),
            ),
            Part(
                "sharp_condition",
                SHARP,
                "the ratio test with the sharp constant 1/sqrt(H) reads (H - 1) A^2 <= B",
                domain=SEVERAL,
                hypotheses=EQUAL_HEADS,
                meaning=frozenset(EQUAL_HEADS),
                mutants=(Mutant("H for H - 1", every("h", every("i", iff(RATIO_BOUND, le(H * A() ** 2, B()))))),),
            ),
            Part(
                "equivalent",
                EQUIVALENT,
                "Condition 8 is equivalent to sqrt(K) A <= sqrt(B), K = (H - 1)/c*",
                domain=(*SEVERAL, *ON_PATH),
                mutants=(
                    Mutant("K for its root", iff(dominance(), le(K * A(), sqrt(B())))),
                    Mutant("H - 1 for K", iff(dominance(), le(sqrt(P) * A(), sqrt(B())))),
                ),
            ),
            Part(
                "A_convex",
                A_CONVEX,
                "A is strictly convex in gamma",
                mutants=(Mutant("concave", lt(A_CURVE, 0)),),
            ),
            Part(
                "B_concave",
                B_CONCAVE,
                "sqrt(B) is strictly concave in gamma",
                domain=(ge(n, 2), *INSIDE),
                mutants=(Mutant("convex", gt(B_CURVE, 0)),),
            ),
            Part(
                "interval",
                INTERVAL,
                "so where it holds is one interval, possibly empty",
                domain=(
                    *SEVERAL,
                    gt(1 + (n - 1) * gamma_0, 0),
                    le(gamma_0, gamma_2),
                    le(gamma_2, gamma_1),
                    lt(gamma_1, 1),
                ),
                mutants=(Mutant("one end is enough", implies(dominance(gamma_0), dominance(gamma_2))),),
            ),
            Part(
                "shrinks",
                SHRINKS,
                "the interval shrinks as beta rises: what holds at beta holds at every lower one",
                domain=(*SEVERAL, *ON_PATH),
                mutants=(Mutant("grows", implies(conj(le(cooler, beta), dominance(gamma, cooler)), dominance())),),
            ),
            Part(
                "fails_late",
                FAILS_LATE,
                "for every beta it fails before gamma = 1, where n (n - 1) (1 - gamma) < 1",
                domain=(*SEVERAL, ge(gamma, 0), le(gamma, 1)),
                mutants=(Mutant("everywhere", dominance(tag="gt")),),
            ),
        ),
        source_note=(
            "At gamma = 1 and at gamma = -1/(n - 1) the condition fails, so the interval lies strictly between. It "
            "is closed "
            "because both sides are continuous."
        ),
        amends="open.invariance",
    ),
    Claim(
        "open.after",
        "After radial dominance ends",
        SOURCE,
        ("USA",),
        (
            Part(
                "energies",
                RISING,
                "every head's energy rises at every gamma strictly between -1/(n - 1) and 1, whether the condition "
                "holds or not",
                domain=(ge(n, 2), *INSIDE),
                hypotheses=EQUAL_HEADS,
                meaning=frozenset({"scalar", "equiangular", "equal_heads"}),
                mutants=(Mutant("falls", every("h", lt(ENERGY_RATE, 0))),),
            ),
            Part(
                "closing",
                CLOSING,
                "and gamma rises",
                domain=(ge(n, 2), *INSIDE),
                hypotheses=EQUAL_HEADS,
                meaning=frozenset({"scalar", "equiangular", "equal_heads"}),
                mutants=(Mutant("falls", every("i", every("j", lt(APPROACH, 0), ["i"]))),),
            ),
            Part(
                "clusters",
                CLUSTERS,
                "the cluster forms all the same: from gamma_0 on, 1 - gamma decays at least at the rate "
                "(2/n) (1 + (n - 1) gamma_0) H lambda e^{beta lambda gamma_0}",
                domain=(ge(n, 2), gt(1 + (n - 1) * gamma_0, 0), le(gamma, 1)),
                hypotheses=EQUAL_HEADS,
                meaning=frozenset({"scalar", "equiangular", "equal_heads"}),
                mutants=(
                    Mutant(
                        "twice that rate",
                        implies(
                            le(gamma_0, gamma),
                            every("i", every("j", ge(APPROACH, 2 * LEAST_RATE * (1 - gamma)), ["i"])),
                        ),
                    ),
                ),
            ),
        ),
        source_note="The exit from dominance marks the end of a sufficient condition, not of monotonicity.",
    ),
)
