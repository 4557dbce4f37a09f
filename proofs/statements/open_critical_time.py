"""Beyond the paper: when radial dominance ends, for H = 2, n = 64, alpha = 1 and beta = 1.2 beta*: statements."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Scalar,
    conj,
    defined,
    eq,
    exp,
    gt,
    integral,
    lt,
    n,
    symbol,
)
from antumbra.proofs.setting import alpha, define, gamma
from antumbra.proofs.statements.open_dominance import SOURCE, dominance
from antumbra.proofs.statements.thm19 import beta_star

_angle, _temperature = symbol("angle"), symbol("temperature")
define(
    "speed_path",
    2 / n * (1 - _angle) * (1 + (n - 1) * _angle) * H * alpha * exp(_temperature * alpha * _angle),
    parameters=["angle", "temperature"],
    text="the rate of gamma under USA with equal heads on the equiangular path",
)
TEMPERATURE = Fraction(6, 5) * beta_star()
EXAMPLE = (eq(n, 64), eq(H, 2), eq(alpha, 1))


def time(start: Fraction, end: Fraction) -> Scalar:
    """The time between two common inner products: the integral of one over the speed."""
    return integral("gamma", start, end, 1 / defined("speed_path", of=[gamma, TEMPERATURE]))


def enters(before: Fraction, after: Fraction) -> Formula:
    """The condition fails at the first and holds at the second."""
    return conj(dominance(before, TEMPERATURE, "gt"), dominance(after, TEMPERATURE))


def leaves(before: Fraction, after: Fraction) -> Formula:
    """The condition holds at the first and fails at the second."""
    return conj(dominance(before, TEMPERATURE), dominance(after, TEMPERATURE, "gt"))


TINY = Fraction(1, 10**18)
DIGIT = Fraction(1, 10**14)
ENTRY = Fraction(27980427596382971, 10**18)
EXIT = Fraction(291662085856986410, 10**18)
DURATION = Fraction(43488509239722, 10**14)


def lasts(low: Fraction, high: Fraction) -> Formula:
    """The time from entry to exit is between two numbers."""
    return conj(gt(time(ENTRY + TINY, EXIT), low), lt(time(ENTRY, EXIT + TINY), high))


CLAIMS = (
    Claim(
        "open.critical_time",
        "When radial dominance ends",
        SOURCE,
        ("USA",),
        (
            Part(
                "entry",
                enters(ENTRY, ENTRY + TINY),
                "for H = 2, n = 64, lambda = 1, beta = 1.2 beta* dominance begins at gamma_- = 0.027980427596382971...",
                domain=EXAMPLE,
                quantifier=Quantifier.NUMBER,
                mutants=(Mutant("the last digit changed", enters(ENTRY + TINY, ENTRY + 2 * TINY)),),
            ),
            Part(
                "exit",
                leaves(EXIT, EXIT + TINY),
                "and ends at gamma_+ = 0.291662085856986410...",
                domain=EXAMPLE,
                quantifier=Quantifier.NUMBER,
                mutants=(Mutant("the last digit changed", leaves(EXIT + TINY, EXIT + 2 * TINY)),),
            ),
            Part(
                "time",
                lasts(DURATION, DURATION + DIGIT),
                "the time from one to the other, the integral of one over the speed of gamma, is 0.43488509239722...",
                domain=EXAMPLE,
                quantifier=Quantifier.NUMBER,
                mutants=(Mutant("the last digit changed", lasts(DURATION + DIGIT, DURATION + 2 * DIGIT)),),
            ),
        ),
        source_note="Digits are truncated; by open.invariance.amended the condition holds on one interval.",
    ),
)
