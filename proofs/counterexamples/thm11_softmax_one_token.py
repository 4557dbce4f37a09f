"""Under softmax attention with two heads the energy can fall: one token in the plane, positive semidefinite heads.

M_1 = e_1 e_1^T and M_2 = (e_1 + e_2)(e_1 + e_2)^T, the token (4/5, 3/5), beta = 1. The token follows the first head,
whose pull is the larger; but the second head, with the larger normaliser, counts for more in the energy.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HEADS = nest([[[1, 0], [0, 0]], [[1, 1], [1, 1]]])

point(
    "thm11.softmax_multi_head",
    "monotone",
    "fails",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"beta": nest(1)},
        {"x": nest([[Fraction(4, 5), Fraction(3, 5)]])},
        {"M": HEADS, "W": HEADS},
    ),
    "the energy falls at the token (4/5, 3/5), with positive semidefinite heads e_1 e_1^T and (e_1 + e_2)(e_1 + e_2)^T",
)
