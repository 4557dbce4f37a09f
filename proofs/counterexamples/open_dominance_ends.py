"""Radial dominance can hold at first and fail before clustering.

With n = 4, H = 2, alpha = 1 and beta = 1/4 it holds at gamma = 0 and fails at 1/2.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

FOUR_TOKENS = {"token": 4, "head": 2, "axis": 1}
COLD = {"alpha": Fraction(1), "beta": Fraction(1, 4), "gamma_0": Fraction(0), "gamma_1": Fraction(1, 2)}

point(
    "open.invariance",
    "lasts",
    "fails",
    Model(FOUR_TOKENS, COLD),
    "n = 4, H = 2, alpha = 1, beta = 1/4: it holds at gamma = 0 and fails at 1/2",
)
point(
    "open.invariance.amended",
    "interval",
    "mutant:one end is enough",
    Model(FOUR_TOKENS, {**COLD, "gamma_2": Fraction(1, 2), "gamma_1": Fraction(3, 4)}),
)
point(
    "open.invariance.amended",
    "equivalent",
    "mutant:K for its root",
    Model({"token": 8, "head": 2, "axis": 1}, {"alpha": Fraction(1), "beta": Fraction(1, 2), "gamma": Fraction(0)}),
)
