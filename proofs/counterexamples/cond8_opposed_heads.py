"""Equal outputs without a radial part do not keep a head's energy from falling if heads may work against each other."""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

FIRST = [[0, 1], [1, 0]]
OTHER = [[0, -1], [-1, 0]]
HEADS = nest([FIRST, OTHER, OTHER])

point(
    "cond8.sharp_constant",
    "enough",
    "drop:orthogonality",
    Model(
        {"token": 1, "head": 3, "axis": 2},
        {"beta": nest(1), "c": nest(0)},
        {"x": nest([[1, 0]])},
        {"M": HEADS, "W": HEADS},
    ),
    "one token at e_1, three heads that exchange e_1 and e_2 with signs 1, -1, -1, c = 0",
)
