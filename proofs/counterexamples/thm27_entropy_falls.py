"""The entropy of softmax attention can fall off the equiangular path, with one head M = W = I.

Three tokens on the circle, (1, 0), (-3/5, -4/5) and (0, 1), at beta = 1/2: the entropy falls at one token, and so
does its mean over the tokens.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

IDENTITY = [[[1, 0], [0, 1]]]
TOKENS = [[1, 0], [Fraction(-3, 5), Fraction(-4, 5)], [0, 1]]
THREE_TOKENS = Model(
    {"token": 3, "head": 1, "axis": 2},
    {"beta": Fraction(1, 2)},
    {"x": nest(TOKENS)},
    {"M": nest(IDENTITY), "W": nest(IDENTITY)},
)
NOTE = "three tokens on the circle, (1, 0), (-3/5, -4/5), (0, 1), one head M = W = I, beta = 1/2"

point("thm27.general", "token", "fails", THREE_TOKENS, NOTE)
point("thm27.general", "mean", "fails", THREE_TOKENS, NOTE)
