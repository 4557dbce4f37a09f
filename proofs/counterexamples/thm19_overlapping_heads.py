"""Theorem 19: without *disjoint* projectors equal shares need no room: four equal heads and one token on a line."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm19.regime",
    "room",
    "drop:disjoint",
    Model({"token": 1, "head": 4, "axis": 1}, {}, {"x": [[Fraction(1, 2)]]}, {"Q": [[[1]]] * 4}),
    "four equal projectors in one dimension, and a token of length 1/2",
)
