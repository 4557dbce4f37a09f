"""Theorem 22 under USA: for heads of negative scale a split can have the greater (signed) time."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm22.superadditive_usa",
    "time",
    "drop:positive_scales",
    Model(
        {"token": 2, "head": 2, "axis": 1},
        {"beta": 4, "gamma_0": Fraction(1, 2), "gamma_1": Fraction(3, 4), "lambda": [-1, -3]},
    ),
    "the heads -1 and -3 against two heads of scale -2, at beta = 4",
)
