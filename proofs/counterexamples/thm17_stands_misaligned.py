"""Without alignment a head whose share is 1/2 need not stand still: the other head's value matrix is 0."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

HALF = Fraction(1, 2)
FIRST = [[HALF, HALF], [HALF, HALF]]
SECOND = [[HALF, -HALF], [-HALF, HALF]]
NOTHING = [[0, 0], [0, 0]]
PROJECTORS = nest([FIRST, SECOND])

point(
    "thm17.obstruction",
    "stands",
    "drop:alignment",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"alpha": nest(1), "beta": nest(1)},
        {"x": nest([[1, 0]])},
        {"M": PROJECTORS, "Q": PROJECTORS, "W": nest([FIRST, NOTHING])},
    ),
    "a head of share 1/2 whose rival has no output moves",
)
