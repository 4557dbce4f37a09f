"""One token at (4/5, 3/5) and two rank-one heads: the setting in which the constant 1/sqrt(H) is sharp is not empty.

With strengths 1 the outputs are not equal, so the strengths matter; and the ratios, unlike their squares, add to 7/5.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HEADS = nest([[[1, 0], [0, 0]], [[0, 0], [0, 1]]])
ROOTS = [Fraction(4, 5), Fraction(3, 5)]

POINT = Model(
    {"token": 1, "head": 2, "axis": 2},
    {
        "beta": nest(1),
        "c": nest(ROOTS[0]),
        "rest": nest(ROOTS[1]),
        "root": nest(ROOTS),
        "strength": nest([1, 1]),
        "ratio": nest([[Fraction(3, 4)], [Fraction(1, 2)]]),
    },
    {"x": nest([ROOTS]), "main": nest([[1, 0], [0, 1]]), "u": nest([1, 0]), "w": nest([1, 0])},
    {"M": HEADS, "W": HEADS},
)
NOTE = "one token at (4/5, 3/5), heads e_1 e_1^T and e_2 e_2^T"

for part in ("no_larger", "symmetry", "orthogonality"):
    point("cond8.sharp_constant", part, "ground", POINT, NOTE)
point("cond8.sharp_constant", "symmetry", "mutant:antisymmetric", POINT, NOTE)
point("cond8.sharp_constant", "orthogonality", "mutant:the squares as well", POINT, NOTE)
point("cond8.sharp_constant", "no_larger", "mutant:whatever the strengths", POINT, NOTE)
point("cond8.share_bound", "bound", "mutant:the ratios themselves", POINT, NOTE)
