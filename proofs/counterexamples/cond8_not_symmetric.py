"""Without symmetry the energy of a single head whose output has no radial part can fall: M = W = [[0, -2], [1, 0]]."""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

TURNING = nest([[[0, -2], [1, 0]]])

point(
    "cond8.sharp_constant",
    "enough",
    "drop:symmetry",
    Model(
        {"token": 1, "head": 1, "axis": 2},
        {"beta": nest(1), "c": nest(0)},
        {"x": nest([[1, 0]])},
        {"M": TURNING, "W": TURNING},
    ),
    "the head [[0, -2], [1, 0]] at the token e_1",
)
