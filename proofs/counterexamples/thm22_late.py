"""Theorem 22, late: a positive total scale does not make the rate positive; and a point at which a wrong time fails."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

point(
    "thm22.late",
    "not_enough",
    "holds",
    Model({"token": 2, "head": 2, "axis": 1}, {"beta": 1, "gamma": 0, "lambda": [3, -1]}),
    "the heads 3 and -1 at beta = 1: the total is 2, yet orthogonal tokens move apart",
)
point(
    "thm22.late",
    "times",
    "mutant:twice as long",
    Model(
        {"token": 3, "head": 1, "axis": 1},
        {
            "beta": Fraction(1, 10),
            "gamma_0": Fraction(9, 10),
            "gamma_1": Fraction(19, 20),
            "lambda": [1],
            "rho_min": Fraction(1, 2),
        },
    ),
)
