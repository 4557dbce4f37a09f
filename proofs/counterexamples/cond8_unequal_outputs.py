"""Ratios below 1/sqrt(H) do not keep a head's energy from falling if outputs differ: here one is twice as strong."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HEADS = nest([[[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 2, 0], [0, 0, 0]]])

point(
    "cond8.sharp_constant",
    "enough",
    "drop:equal_norms",
    Model(
        {"token": 1, "head": 2, "axis": 3},
        {"beta": nest(1), "c": nest(Fraction(7, 10))},
        {"x": nest([[Fraction(2, 3), Fraction(2, 3), Fraction(1, 3)]])},
        {"M": HEADS, "W": HEADS},
    ),
    "one token at (2/3, 2/3, 1/3), heads e_1 e_1^T and 2 e_2 e_2^T, c = 7/10",
)
