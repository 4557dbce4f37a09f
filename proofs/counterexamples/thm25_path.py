"""Points on the equiangular path of Theorem 25, where wrong neighbours of its bounds fail.

All have beta = 1, n = 4 (m = 3), and the times run from 1/4 to 1/2; the middle of the path at which ReLU is faster
for a scale below 1 is that of the theorem's own example (n = 2, lambda = 1/2, beta = 20, gamma = 1/2).
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.evaluate import Model
from antumbra.proofs.registry import point

SIZES = {"token": 1, "head": 1, "axis": 1}


def path(scale: Fraction, start: Fraction = Fraction(1, 4), **more: Fraction) -> Model:
    """A path from `start` to 1/2 with n = 4 at beta = 1."""
    values = {"m": Fraction(3), "beta": Fraction(1), "lambda_0": scale, "gamma_0": start, "gamma_1": Fraction(1, 2)}
    return Model(SIZES, {**values, **more})


ONE = path(Fraction(1))
point("thm25.relu_linear", "bound", "ground", ONE)
for _part, _mutant in (
    ("bound", "half of it"),
    ("bound", "the opposite"),
    ("order_above", "half of it"),
    ("order_below", "without the correction"),
):
    point("thm25.relu_linear", _part, f"mutant:{_mutant}", ONE)
point("thm25.relu_time", "time", "mutant:twice it", ONE)
for _part in ("rises", "exists_iff", "always", "never"):
    point("thm25.crossing", _part, "ground", ONE)
point("thm25.crossing", "rises", "mutant:falls", path(Fraction(1), beta_0=Fraction(0)))
point("thm25.crossing", "always", "mutant:for lambda <= 8", path(Fraction(8)))
point("thm25.crossing", "never", "mutant:for lambda >= 1", ONE)
point(
    "thm25.late_rate",
    "middle",
    "holds",
    Model(
        SIZES,
        {"m": Fraction(1), "beta": Fraction(20), "lambda_0": Fraction(1, 2), "gamma": Fraction(1, 2)},
    ),
    "n = 2, lambda = 1/2, beta = 20, gamma = 1/2",
)

for _part, _tokens, _root in (("d64_n8", 8, 8), ("d1024_n64", 64, 32)):
    _values = {
        "m": Fraction(_tokens - 1),
        "lambda_0": Fraction(1),
        "gamma_0": Fraction(1, _root),
        "gamma_1": Fraction(99, 100),
    }
    point("thm25.crossing_value", _part, "mutant:the last digit changed", Model(SIZES, _values))
