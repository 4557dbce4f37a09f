"""The bound of Theorem 39 needs its shadows: at delta = 0 orthogonal heads' shadows alone make a head's energy fall."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HEADS = [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]

point(
    "thm39.bound",
    "bound",
    "mutant:without the shadows",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"beta": nest(1), "delta": nest(0)},
        {"x": nest([[Fraction(3, 5), Fraction(4, 5)]])},
        {"M": nest(HEADS), "W": nest(HEADS)},
    ),
    "heads e_1 e_1^T and e_2 e_2^T at the token (3/5, 4/5)",
)
