"""Stretching one component of a token and shrinking another keeps its length only if they were equally long."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

point(
    "thm17.winner",
    "moved_shares",
    "mutant:of components of any lengths",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        {"stretch": nest(Fraction(7, 5)), "shrink": nest(Fraction(1, 5))},
        {"x": nest([[Fraction(3, 5), Fraction(4, 5)]])},
        {"Q": nest([[[1, 0], [0, 0]], [[0, 0], [0, 1]]])},
    ),
    "the token (3/5, 4/5), factors 7/5 and 1/5 whose squares add up to 2",
)
