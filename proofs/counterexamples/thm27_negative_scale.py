"""The entropy of softmax attention can fall on the equiangular path when a head has a negative scale.

Two tokens at an angle whose cosine is 3/5, one head -1, beta = 1: the tokens part, and the entropy falls.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

MINUS = [[[-1, 0], [0, -1]]]
TOKENS = [[1, 0], [Fraction(3, 5), Fraction(4, 5)]]
TWO_TOKENS = Model(
    {"token": 2, "head": 1, "axis": 2},
    {"beta": Fraction(1), "gamma": Fraction(3, 5), "lambda": nest([-1])},
    {"x": nest(TOKENS)},
    {"M": nest(MINUS), "W": nest(MINUS)},
)

point("thm27.general", "path", "fails", TWO_TOKENS, "two tokens with inner product 3/5, one head -1, beta = 1")
