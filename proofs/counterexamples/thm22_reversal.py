"""Theorem 22: two splits that are faster at gamma = 0, one of which takes longer from there to gamma = 1/2.

Two tokens, the heads 3/2 and 1/2 against 1 and 1.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

SIZES = {"token": 2, "head": 1, "axis": 1}

for _part, _beta, _note in (
    ("slower_in_total", Fraction(3), "beta = 3: faster early, slower in total"),
    ("faster_in_total", Fraction(4), "beta = 4: faster early and in total"),
):
    point("thm22.reversal", _part, "holds", Model(SIZES, {"beta": _beta, "mu": 1, "nu": Fraction(1, 2)}), _note)
