"""Theorem 22 under USA: at a negative gamma a split can be slower than equal heads."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm22.superadditive_usa",
    "other_way",
    "holds",
    Model(
        {"token": 2, "head": 2, "axis": 1},
        {"beta": 2, "gamma": Fraction(-1, 2), "lambda": [Fraction(1, 2), Fraction(3, 2)]},
    ),
    "at gamma = -1/2 the heads 1/2 and 3/2 are slower than two heads of scale 1",
)
