"""Theorem 19: tokens with equal shares in orthogonal heads; wrong neighbours fail, and hypotheses matter.

Head h acts on the axes 2h-1 and 2h; the first token has its parts along the first of each pair, the second along the
second.
With two heads the parts are turned by 45 degrees, so that all numbers are rational.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

HALF = Fraction(1, 2)
Matrix = list[list[int]]


def _block(head: int, size: int) -> Matrix:
    """The projector on the axes of a head."""
    return [[int(a == b and a // 2 == head) for b in range(size)] for a in range(size)]


def _model(heads: int, tokens: list[list[Fraction]], beta: Fraction) -> Model:
    """Two tokens, projectors on pairs of axes, alpha = 1."""
    size = len(tokens[0])
    blocks = [_block(h, size) for h in range(heads)]
    return Model(
        {"token": 2, "head": heads, "axis": size},
        {"alpha": 1, "beta": beta},
        {"x": tokens},
        {"Q": blocks, "M": blocks, "W": blocks},
    )


TWO = [[HALF] * 4, [HALF, -HALF] * 2]
FOUR = [[HALF, Fraction(0)] * 4, [Fraction(0), HALF] * 4]
PURE = [[Fraction(int(a == i)) for a in range(8)] for i in range(2)]
"""Tokens with their whole share in the first head."""

for _part in ("ratio", "sharp_condition", "threshold", "never"):
    point("thm19.regime", _part, "ground", _model(2, TWO, Fraction(1)), "two heads, two tokens, d = 4")
for _name in ("without 1/H", "alpha for alpha/H"):
    point("thm19.regime", "ratio", f"mutant:{_name}", _model(2, TWO, Fraction(1)))
point("thm19.regime", "sharp_condition", "mutant:half of it", _model(2, TWO, Fraction(1)))
point("thm19.regime", "threshold", "mutant:the threshold of scalar heads", _model(2, TWO, Fraction(1)))
point("thm19.regime", "never", "mutant:it holds instead", _model(4, FOUR, Fraction(1)))
LONG = "tokens with a long part outside of all heads"
point("thm19.regime", "threshold", "drop:unit", _model(2, [[*x, Fraction(3)] for x in TWO], Fraction(2)), LONG)
point("thm19.regime", "never", "drop:unit", _model(4, [[*x, Fraction(9)] for x in FOUR], Fraction(1)), LONG)
point(
    "thm19.regime",
    "never",
    "drop:equal_shares",
    _model(4, PURE, Fraction(1)),
    "tokens that live in one head alone have no other shadows, so Condition 8 holds",
)
