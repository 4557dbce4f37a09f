"""A head's energy falls on the sphere: one token at (3/5, 4/5) in the plane, heads e_1 e_1^T and e_2 e_2^T, beta = 1.

The first head's share is 9/25 < 1/2, so its energy falls while the second one's rises.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

FIRST = [[1, 0], [0, 0]]
SECOND = [[0, 0], [0, 1]]

point(
    "thm17.obstruction",
    "point",
    "holds",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"beta": nest(1)},
        {"x": nest([[Fraction(3, 5), Fraction(4, 5)]])},
        {"M": nest([FIRST, SECOND]), "W": nest([FIRST, SECOND])},
    ),
    "the energy of the first head falls at the token (3/5, 4/5)",
)
