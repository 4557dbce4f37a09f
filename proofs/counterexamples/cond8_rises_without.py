"""Both heads' energies rise though radial dominance fails for both: heads e_1 e_1^T, e_2 e_2^T at (2/3, 2/3, 1/3).

Both ratios are 2/3, so dominance would need 2/3 <= 1 - 4/9, while the energies rise as 4/9 < 1/2.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HEADS = nest([[[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]]])
TOKEN = nest([[Fraction(2, 3), Fraction(2, 3), Fraction(1, 3)]])

POINT = Model({"token": 1, "head": 2, "axis": 3}, {"beta": nest(1)}, {"x": TOKEN}, {"M": HEADS, "W": HEADS})

point("cond8.not_necessary", "point", "holds", POINT, "one token at (2/3, 2/3, 1/3), two rank-one heads")
