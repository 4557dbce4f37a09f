"""An equilibrium that is not pure: one token e_1, heads on the two diagonals of the plane, both shares 1/2."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HALF = Fraction(1, 2)
DIAGONALS = nest([[[HALF, HALF], [HALF, HALF]], [[HALF, -HALF], [-HALF, HALF]]])

point(
    "thm17.winner",
    "equilibria",
    "mutant:only pure points",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"alpha": nest(1), "beta": nest(1)},
        {"x": nest([[1, 0]])},
        {"M": DIAGONALS, "Q": DIAGONALS, "W": DIAGONALS},
    ),
    "both shares are 1/2",
)
