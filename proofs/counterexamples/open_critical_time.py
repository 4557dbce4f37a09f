"""The example of the critical time, H = 2, n = 64, alpha = 1: its numbers fail once the last digit is changed."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

EXAMPLE = Model({"token": 64, "head": 2, "axis": 1}, {"alpha": Fraction(1)})

for _part in ("entry", "exit", "time"):
    point("open.critical_time", _part, "mutant:the last digit changed", EXAMPLE)
