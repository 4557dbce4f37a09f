"""Value matrices that cost all that Theorem 12 allows: two tokens at e_1, two heads, eta = 1/2.

The heads exchange e_1 and e_2; the aligned field is 2 e_2, and W_h = M_h - (1/2) e_2 e_1^T.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

CLAIM = "thm12.sharp"
RIGHT, UP = nest([1, 0]), nest([0, 1])
SCORES = nest([[[0, 1], [1, 0]]] * 2)
VALUES = nest([[[0, 1], [Fraction(1, 2), 0]]] * 2)

WORST = Model(
    {"token": 2, "head": 2, "axis": 2},
    {"beta": nest(1), "eta": nest(Fraction(1, 2))},
    {"x": nest([[1, 0], [1, 0]]), "place": RIGHT, "aside": UP, "u": RIGHT, "w": UP},
    {"M": SCORES, "W": VALUES},
)

for part in ("attained", "misalignment", "driven", "symmetry"):
    point(CLAIM, part, "ground", WORST, "two tokens at e_1, two heads")
for part, mutant in (
    ("attained", "larger"),
    ("attained", "the aligned rate"),
    ("misalignment", "within eta / 2"),
    ("driven", "with norm below H"),
    ("symmetry", "antisymmetric"),
):
    point(CLAIM, part, f"mutant:{mutant}", WORST, "two tokens at e_1, two heads")
