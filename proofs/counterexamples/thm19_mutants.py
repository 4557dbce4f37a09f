"""Theorem 19: points at which wrong neighbours of the thresholds fail, beyond the sizes that a search tries."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

IDENTITY = [[int(a == b) for b in range(3)] for a in range(3)]

# beta* = 0.106 at n = 3, H = 2, alpha = 1, so Condition 8 holds at 1/12, above half of it.
point(
    "thm19.beta_star",
    "threshold",
    "mutant:beta*/2 for beta*",
    Model(
        {"token": 3, "head": 2, "axis": 3},
        {"alpha": 1, "beta": Fraction(1, 12), "lambda": [1, 1]},
        {"x": IDENTITY},
        {"M": [IDENTITY, IDENTITY], "W": [IDENTITY, IDENTITY]},
    ),
)
point(
    "thm19.positive_iff",
    "three_heads",
    "mutant:from n = 5 on",
    Model({"token": 5, "head": 1, "axis": 1}, {"alpha": 1}, {}, {}),
)
# Two heads and one token in the plane, with the standard basis for a frame.
point(
    "thm19.regime",
    "construction",
    "mutant:tokens of squared norm H",
    Model({"token": 1, "head": 2, "axis": 2}, {}, {"frame": [[[1, 0]], [[0, 1]]]}),
)
