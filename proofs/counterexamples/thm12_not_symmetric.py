"""Without symmetry the energy can fall though value and score matrices agree (eta = 0): one token, one head."""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

TURNING = nest([[[0, -2], [1, 0]]])

point(
    "thm12.bound",
    "no_fall",
    "drop:symmetry",
    Model(
        {"token": 1, "head": 1, "axis": 2},
        {"beta": nest(1), "eta": nest(0)},
        {"x": nest([[1, 0]])},
        {"M": TURNING, "W": TURNING},
    ),
    "the head [[0, -2], [1, 0]] at the token e_1, aligned",
)
