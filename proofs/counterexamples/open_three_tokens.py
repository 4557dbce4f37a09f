"""Three tokens of the plane: collinear ones are at rest, and angles that turn one way need not be equilateral.

The cosines and sines of the other two points are those of Pythagorean triangles.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.kernel.models import nest
from antumbra.proofs.registry import point

COLLINEAR = Model(
    {"token": 3, "head": 1, "axis": 2},
    {"alpha": Fraction(1), "beta": Fraction(1), "abscissa": nest([1, -1, 1]), "ordinate": nest([0, 0, 0])},
    {"first": nest([1, 0]), "second": nest([0, 1])},
)

point("open.critical_points_n3_one_head", "equilibria", "ground", COLLINEAR)
point("open.critical_points_n3_one_head", "equilibria", "mutant:equilateral only", COLLINEAR)
point(
    "open.critical_points_n3_one_head",
    "at_most_two",
    "mutant:whatever the torques",
    Model(
        {"token": 1, "head": 1, "axis": 1},
        {
            "c_1": Fraction(3, 5),
            "s_1": Fraction(4, 5),
            "c_2": Fraction(4, 5),
            "s_2": Fraction(3, 5),
            "c_3": Fraction(5, 13),
            "s_3": Fraction(12, 13),
        },
    ),
)
point(
    "open.critical_points_n3_one_head",
    "two_equal",
    "mutant:whatever the torques",
    Model(
        {"token": 1, "head": 1, "axis": 1},
        {
            "c_1": Fraction(-3, 5),
            "s_1": Fraction(4, 5),
            "c_2": Fraction(-3, 5),
            "s_2": Fraction(4, 5),
            "c_3": Fraction(-7, 25),
            "s_3": Fraction(24, 25),
        },
    ),
)
