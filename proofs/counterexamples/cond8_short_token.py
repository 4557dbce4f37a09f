"""Ratios at most 3/5 do not give radial dominance for a token shorter than 1: 3/5 on a line, with W = 1."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

RATIO = Fraction(3, 5)
SHORT = Model(
    {"token": 1, "head": 2, "axis": 1},
    {"beta": nest(1), "c": nest(RATIO)},
    {"x": nest([[RATIO]])},
    {"M": nest([[[0]], [[0]]]), "W": nest([[[1]], [[1]]])},
)

for part in ("dominance", "at_one_token"):
    point("cond8.ratio_form", part, "drop:unit", SHORT, "the token 3/5 on a line, two heads with W = 1, c = 3/5")
