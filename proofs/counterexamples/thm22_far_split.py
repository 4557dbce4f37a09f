"""Theorem 22: a heterogeneous split with its mean beyond the inflection, yet slower than equal heads.

With n = 2 and beta = 1 the inflection is at 2.399...; the split 1/10, 59/10 has the mean 3.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm22.superadditive",
    "faster",
    "fails",
    Model({"token": 2, "head": 2, "axis": 1}, {"beta": 1, "lambda": [Fraction(1, 10), Fraction(59, 10)]}),
    "the heads 1/10 and 59/10 are slower than two heads of their mean 3, which lies beyond the inflection 2.399...",
)
