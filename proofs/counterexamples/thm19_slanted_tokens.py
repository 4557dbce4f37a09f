"""Theorem 19: without orthogonal tokens, or without equal shares, the ratio of shadow to output is another."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm19.beta_star",
    "ratio",
    "drop:orthogonal_tokens",
    Model(
        {"token": 2, "head": 1, "axis": 2},
        {"alpha": 1, "beta": 1, "lambda": [1]},
        {"x": [[1, 0], [Fraction(3, 5), Fraction(4, 5)]]},
        {"M": [[[1, 0], [0, 1]]], "W": [[[1, 0], [0, 1]]]},
    ),
    "two tokens at the inner product 3/5",
)
point(
    "thm19.regime",
    "ratio",
    "drop:equal_shares",
    Model(
        {"token": 2, "head": 1, "axis": 2},
        {"alpha": 1, "beta": 1},
        {"x": [[1, 0], [Fraction(3, 5), Fraction(4, 5)]]},
        {"Q": [[[1, 0], [0, 1]]], "M": [[[1, 0], [0, 1]]], "W": [[[1, 0], [0, 1]]]},
    ),
    "one head with both tokens at the inner product 3/5",
)
