"""Under softmax attention with two heads the energy can fall with two distinct tokens as well.

The positive semidefinite heads e_1 e_1^T and (e_1 + e_2)(e_1 + e_2)^T, tokens (4/5, 3/5) and (21/29, 20/29), beta = 2.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HEADS = nest([[[1, 0], [0, 0]], [[1, 1], [1, 1]]])
TOKENS = nest([[Fraction(4, 5), Fraction(3, 5)], [Fraction(21, 29), Fraction(20, 29)]])

point(
    "thm11.softmax_multi_head",
    "several_tokens",
    "fails",
    Model({"token": 2, "head": 2, "axis": 2}, {"beta": nest(2)}, {"x": TOKENS}, {"M": HEADS, "W": HEADS}),
    "the energy falls at the tokens (4/5, 3/5) and (21/29, 20/29), with two positive semidefinite heads",
)
