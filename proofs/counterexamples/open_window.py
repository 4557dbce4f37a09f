"""Eight tokens and two heads are enough for radial dominance to open a window beyond beta*; six, 19, 39 are too few."""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

EIGHT_TOKENS = Model({"token": 8, "head": 2, "axis": 1})

for _part in ("window", "before", "after", "largest", "above", "between", "beyond"):
    point("open.phases", _part, "ground", EIGHT_TOKENS)
for _part, _heads, _tokens in (("two_heads", 2, 6), ("three_heads", 3, 19), ("four_heads", 4, 39)):
    _few = Model({"token": _tokens, "head": _heads, "axis": 1})
    point("open.phases", _part, f"mutant:from n = {_tokens} on", _few)
