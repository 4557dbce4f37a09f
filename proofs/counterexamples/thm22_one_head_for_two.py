"""Theorem 22: one head is slower than two heads of the same total, so phi is not superadditive."""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm22.literal_superadditive",
    "superadditive",
    "fails",
    Model({"token": 2, "head": 1, "axis": 1}, {"beta": 1, "mu_1": 1, "mu_2": 1}),
    "one head of scale 2 is slower than two heads of scale 1",
)
