"""Heads that exchange two directions of the plane, the first with sign 1 and the others with sign -1, one token at e_1.

With three heads the first one's energy falls at rate -1, which is the lower bound at delta = 1.
"""

from __future__ import annotations

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

CLAIM = "thm39.sharp"
FIRST = [[0, 1], [1, 0]]
OTHER = [[0, -1], [-1, 0]]
HEADS = nest([FIRST, OTHER, OTHER])
RIGHT, UP = nest([1, 0]), nest([0, 1])

THREE_HEADS = Model(
    {"token": 1, "head": 3, "axis": 2},
    {"beta": nest(1), "delta": nest(1), "turn": nest([1, -1, -1]), "chosen": nest([1, 0, 0])},
    {"x": nest([[1, 0]]), "here": RIGHT, "across": UP, "u": RIGHT, "w": UP},
    {"M": HEADS, "W": HEADS},
)

point(CLAIM, "point", "holds", THREE_HEADS, "the first of three heads attains the bound")
for part in ("rate", "bound", "overlap", "symmetry"):
    point(CLAIM, part, "ground", THREE_HEADS, "one token at e_1, three heads")
for part, mutant in (
    ("rate", "at 2 + H"),
    ("rate", "it never falls"),
    ("rate", "for the other heads"),
    ("bound", "at 1 - H"),
    ("bound", "strict"),
    ("overlap", "at most 1/2"),
    ("symmetry", "antisymmetric"),
    ("point", "by all heads at once, whatever they are"),
):
    point(CLAIM, part, f"mutant:{mutant}", THREE_HEADS, "one token at e_1, three heads")
