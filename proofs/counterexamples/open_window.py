"""Eight tokens and two heads: enough for radial dominance to open a window beyond beta*."""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

EIGHT_TOKENS = Model({"token": 8, "head": 2, "axis": 1})

for _part in ("window", "before", "after", "largest", "above", "between", "beyond"):
    point("open.phases", _part, "ground", EIGHT_TOKENS)
