"""Two equal heads of ratio 3/5: half of the tangential output is less than what radial dominance compares it with."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

RATIO = Fraction(3, 5)
NOTHING = [[0, 0], [0, 0]]
VALUE = [[RATIO, 0], [Fraction(4, 5), 0]]

point(
    "cond8.ratio_form",
    "dominance",
    "mutant:half the tangential output",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"beta": nest(1), "c": nest(RATIO)},
        {"x": nest([[1, 0]])},
        {"M": nest([NOTHING, NOTHING]), "W": nest([VALUE, VALUE])},
    ),
    "the token e_1, both outputs (3/5, 4/5), c = 3/5",
)
