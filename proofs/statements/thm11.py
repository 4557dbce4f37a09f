"""Theorem 11, the total energy: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    ZERO,
    Formula,
    H,
    Scalar,
    apply,
    dissipates,
    eq,
    every,
    exp,
    ge,
    gt,
    iff,
    ip,
    le,
    n,
    norm2,
    operator_norm,
    rate,
    rational,
    total,
    vector,
    veq,
)
from antumbra.proofs.setting import (
    beta,
    energy,
    normaliser,
    tangential_softmax_velocity,
    tangential_velocity,
    velocity,
)

SOURCE = "Theorem 11"
ALIGNED = ("symmetry", "alignment")
ON_SPHERE = ("unit", *ALIGNED)

GRADIENT = eq(rate("along", energy), total("i", ip(1 / n * velocity("i"), vector("direction", "i"))))

FLAT_RATE = rate("usa_flat", energy)
FLAT = eq(FLAT_RATE, 1 / n * total("i", norm2(velocity("i"))))
FLAT_MONOTONE = ge(FLAT_RATE, 0)

SPHERE_RATE = rate("usa_sphere", energy)
DISSIPATION = 1 / n * total("i", norm2(tangential_velocity("i")))
SPHERE = eq(SPHERE_RATE, DISSIPATION)
SPHERE_MONOTONE = ge(SPHERE_RATE, 0)
AT_REST = every("i", veq(tangential_velocity("i"), ZERO))
EQUALITY = iff(eq(SPHERE_RATE, 0), AT_REST)

SCORE_NORM = operator_norm("u", apply("M", "h", vector("u")))
BOUND = 1 / (2 * beta) * total("h", exp(beta * SCORE_NORM))
POSITIVE = gt(energy, 0)
BOUNDED = le(energy, BOUND)

FINITE = dissipates("usa_sphere", DISSIPATION, Scalar(("+", BOUND, ("*", rational(-1), rational(0)))))

SOFTMAX_RATE = rate("sa_sphere", energy)
SOFTMAX_SPEED = norm2(tangential_softmax_velocity("i"))
SINGLE_HEAD = eq(SOFTMAX_RATE, 1 / n**2 * total("h", total("i", normaliser("h", "i") * SOFTMAX_SPEED)))
SOFTMAX_MONOTONE = ge(SOFTMAX_RATE, 0)
EQUAL_NORMALISERS = ("unit", *ALIGNED, "equal_normalisers")
SHARED = eq(H * SOFTMAX_RATE, 1 / n**2 * total("h", total("i", normaliser("h", "i") * SOFTMAX_SPEED)))


def _monotone(formula: Formula) -> Mutant:
    """The energy falling instead of rising."""
    return Mutant("falls instead of rises", le(formula[1], 0))


CLAIMS = (
    Claim(
        "thm11.gradient",
        "The field is the gradient of the energy",
        SOURCE,
        ("USA",),
        (
            Part(
                "gradient",
                GRADIENT,
                "for every family of directions, the derivative of the energy along it "
                "is the sum of <v_i/n, direction_i>",
                hypotheses=ALIGNED,
                mutants=(
                    Mutant(
                        "v_i for v_i/n",
                        eq(rate("along", energy), total("i", ip(velocity("i"), vector("direction", "i")))),
                    ),
                    Mutant(
                        "half of it",
                        eq(
                            rate("along", energy), total("i", ip(1 / (2 * n) * velocity("i"), vector("direction", "i")))
                        ),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "thm11.flat",
        "The energy never falls in the flat space",
        SOURCE,
        ("USA",),
        (
            Part(
                "rate",
                FLAT,
                "the energy grows at the mean squared speed",
                hypotheses=ALIGNED,
                mutants=(Mutant("1/n^2 for 1/n", eq(FLAT_RATE, 1 / n**2 * total("i", norm2(velocity("i"))))),),
            ),
            Part(
                "monotone",
                FLAT_MONOTONE,
                "the energy never falls",
                hypotheses=ALIGNED,
                mutants=(_monotone(FLAT_MONOTONE),),
            ),
        ),
    ),
    Claim(
        "thm11.sphere",
        "The energy never falls on the sphere",
        SOURCE,
        ("USA",),
        (
            Part(
                "rate",
                SPHERE,
                "the energy grows at the mean squared speed",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant("1/n^2 for 1/n", eq(SPHERE_RATE, 1 / n**2 * total("i", norm2(tangential_velocity("i"))))),
                    Mutant("v for P v", eq(SPHERE_RATE, 1 / n * total("i", norm2(velocity("i"))))),
                    Mutant("a sign changed", eq(SPHERE_RATE, -DISSIPATION)),
                ),
            ),
            Part(
                "monotone",
                SPHERE_MONOTONE,
                "the energy never falls",
                hypotheses=ON_SPHERE,
                mutants=(_monotone(SPHERE_MONOTONE), Mutant("strict for weak", gt(SPHERE_RATE, 0))),
            ),
            Part(
                "equality_case",
                EQUALITY,
                "it stands still exactly at an equilibrium",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant(
                        "at rest without projecting",
                        iff(eq(SPHERE_RATE, 0), every("i", veq(velocity("i"), ZERO))),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        "thm11.bounded",
        "The energy is bounded",
        SOURCE,
        ("USA",),
        (
            Part("positive", POSITIVE, "the energy is positive", mutants=(Mutant("at least 1", ge(energy, 1)),)),
            Part(
                "bound",
                BOUNDED,
                "the energy is at most the sum of e^{beta |M_h|} over 2 beta",
                hypotheses=("unit",),
                mutants=(
                    Mutant("without the exponential", le(energy, 1 / (2 * beta) * total("h", SCORE_NORM))),
                    Mutant("half of it", le(energy, 1 / (4 * beta) * total("h", exp(beta * SCORE_NORM)))),
                ),
            ),
        ),
    ),
    Claim(
        "thm11.finite_dissipation",
        "The total dissipation is finite",
        SOURCE,
        ("USA",),
        (
            Part(
                "integral",
                FINITE,
                "on the sphere the integral over all times of the mean squared speed "
                "is at most the bound of the energy",
                hypotheses=ON_SPHERE,
                mutants=(
                    Mutant("in the flat space", dissipates("usa_flat", DISSIPATION, FINITE[3])),
                    Mutant("without the mean", dissipates("usa_sphere", n * DISSIPATION, FINITE[3])),
                    Mutant("under softmax", dissipates("sa_sphere", DISSIPATION, FINITE[3])),
                ),
            ),
        ),
    ),
    Claim(
        "thm11.softmax_single_head",
        "One softmax head: the energy never falls",
        SOURCE,
        ("SA",),
        (
            Part(
                "rate",
                SINGLE_HEAD,
                "with one head the energy grows at the squared speeds weighted by the normalisers",
                hypotheses=(*ON_SPHERE, "single_head"),
                mutants=(
                    Mutant(
                        "without the normaliser",
                        eq(SOFTMAX_RATE, 1 / n**2 * total("h", total("i", SOFTMAX_SPEED))),
                    ),
                ),
            ),
            Part(
                "monotone",
                SOFTMAX_MONOTONE,
                "the energy never falls",
                hypotheses=(*ON_SPHERE, "single_head"),
                mutants=(_monotone(SOFTMAX_MONOTONE),),
            ),
        ),
    ),
    Claim(
        "thm11.softmax_multi_head",
        "Several softmax heads: the energy never falls",
        SOURCE,
        ("SA",),
        (
            Part(
                "monotone",
                SOFTMAX_MONOTONE,
                "the energy never falls under SA with two or more heads",
                domain=(ge(H, 2),),
                hypotheses=ON_SPHERE,
            ),
            Part(
                "several_tokens",
                SOFTMAX_MONOTONE,
                "the energy never falls under SA with two or more heads and two or more tokens",
                domain=(ge(H, 2), ge(n, 2)),
                hypotheses=ON_SPHERE,
            ),
        ),
        source_note="False as summarised here; the paper's wording may be narrower.",
    ),
    Claim(
        "thm11.softmax_multi_head.amended",
        "Several softmax heads with equal normalisers: the energy does not fall",
        SOURCE,
        ("SA",),
        (
            Part(
                "rate",
                SHARED,
                "where all heads' normalisers agree, H times the rate is the normaliser-weighted sum of squared speeds",
                hypotheses=EQUAL_NORMALISERS,
                mutants=(
                    Mutant(
                        "the factor H dropped",
                        eq(SOFTMAX_RATE, 1 / n**2 * total("h", total("i", normaliser("h", "i") * SOFTMAX_SPEED))),
                    ),
                ),
            ),
            Part(
                "monotone",
                SOFTMAX_MONOTONE,
                "at every instant at which, for each token, all heads' normalisers agree, the energy does not fall",
                hypotheses=EQUAL_NORMALISERS,
                mutants=(_monotone(SOFTMAX_MONOTONE),),
            ),
        ),
        amends="thm11.softmax_multi_head",
    ),
)
