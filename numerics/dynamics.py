"""The three fields on tokens, and everything that is read off a configuration.

Notation: X -> tokens, row i is x_i -> (n, d); M_h -> `scores[h]`, W_h -> `values[h]` -> (d, d);
s_ij^h = <x_i, M_h x_j>; f_i^h = sum_j e^(beta s_ij^h) W_h x_j; a_i^h = <f_i^h, x_i>;
Z_i^h = sum_j e^(beta s_ij^h); E_h = (1 / (2 beta n^2)) sum_ij e^(beta s_ij^h).

Fields: USA v_i = (1/n) sum_h f_i^h; SA v_i = sum_h f_i^h / Z_i^h;
ReLU (one scalar head) v_i = (1/n) sum_j max(0, lambda <x_i, x_j>) lambda x_j.
On the sphere the velocity is P_{x_i} v_i, flat it is v_i. All quantities are dimensionless.

Method: rows of the score matrix are made in tiles, so that memory stays O(n (d + tile)). SA subtracts the largest
score of each row; USA refuses to start where e^(beta s) could overflow. The time derivative of an energy is the
chain rule on the gradient of E, which neither assumes symmetry nor uses the value matrices or any theorem.

Source: A. Pendharkar, arXiv:2605.04279, section 2.
"""

from __future__ import annotations

from antumbra.numerics.observables import (
    Outputs,
    dominance_margins,
    energy_gradients,
    energy_rates,
    entropies,
    head_energies,
    head_outputs,
    normalisers,
    ratios,
    scaled_outputs,
    shadows,
    total_energy,
    total_energy_rate,
    velocities,
)
from antumbra.numerics.right_hand_side import RightHandSide, score_tiles
from antumbra.numerics.system import (
    Field,
    FloatArray,
    Geometry,
    LowRank,
    RangeError,
    System,
    check_range,
    normalised,
    operator_norms,
    row_norms,
    scalar_scales,
    tangential,
)

__all__ = [
    "Field",
    "FloatArray",
    "Geometry",
    "LowRank",
    "Outputs",
    "RangeError",
    "RightHandSide",
    "System",
    "check_range",
    "dominance_margins",
    "energy_gradients",
    "energy_rates",
    "entropies",
    "head_energies",
    "head_outputs",
    "normalised",
    "normalisers",
    "operator_norms",
    "ratios",
    "row_norms",
    "scalar_scales",
    "scaled_outputs",
    "score_tiles",
    "shadows",
    "tangential",
    "total_energy",
    "total_energy_rate",
    "velocities",
]
