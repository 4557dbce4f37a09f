"""What is read off a configuration: outputs, shadows, ratios, entropies, margins, energies and their gradients.

Notation: s_ij^h = <x_i, M_h x_j>; f_i^h = sum_j e^(beta s_ij^h) W_h x_j; a_i^h = <f_i^h, x_i>;
Z_i^h = sum_j e^(beta s_ij^h); E_h = (1 / (2 beta n^2)) sum_ij e^(beta s_ij^h).

Method: rows of the score matrix are made in tiles, so that memory stays O(n (d + tile)); each row is scaled by its
largest score. The time derivative of an energy is the chain rule on the gradient of E, which neither assumes symmetry
nor uses the value matrices or any theorem.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from antumbra.numerics.right_hand_side import RightHandSide, score_tiles
from antumbra.numerics.system import FloatArray, RangeError, System, row_norms, tangential


@dataclass(frozen=True, eq=False)
class Outputs:
    """Head outputs with their exponential scale kept apart, so that none overflows.

    Attributes:
        outputs: (H, n, d), f_i^h e^(-exponents).
        normalisers: (H, n), Z_i^h e^(-exponents), between 1 and n.
        exponents: (H, n), beta times the largest score of the row.
        mean_scores: (H, n), sum_j p_ij beta s_ij - exponents with p the softmax weights (never positive).
    """

    outputs: FloatArray
    normalisers: FloatArray
    exponents: FloatArray
    mean_scores: FloatArray


def scaled_outputs(system: System) -> Outputs:
    """The outputs of all heads at all tokens, scaled row by row by the largest score."""
    heads, n, d = system.heads, system.n, system.d
    dtype = system.tokens.dtype
    outputs = np.empty((heads, n, d), dtype=dtype)
    normalisers = np.empty((heads, n), dtype=dtype)
    exponents = np.empty((heads, n), dtype=dtype)
    means = np.empty((heads, n), dtype=dtype)
    images = system.tokens @ system.values.transpose(0, 2, 1)
    for head, rows, tile in score_tiles(system):
        tile *= system.beta
        peak = tile.max(axis=1)
        tile -= peak[:, None]
        weights = np.exp(tile)
        total = weights.sum(axis=1)
        exponents[head, rows] = peak
        normalisers[head, rows] = total
        outputs[head, rows] = weights @ images[head]
        means[head, rows] = np.einsum("ij,ij->i", weights, tile) / total
    return Outputs(outputs, normalisers, exponents, means)


def _unscaled(scaled: FloatArray, exponents: FloatArray, what: str) -> FloatArray:
    """Scaled * e^exponents, refusing a result that is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        result: FloatArray = scaled * np.exp(exponents)
    if not np.isfinite(result).all():
        worst = float(np.max(exponents))
        raise RangeError(
            f"{what} reach e^{worst:.6g}, beyond {result.dtype}; lower beta or the heads' norms, or use the scaled form"
        )
    return result


def head_outputs(system: System) -> FloatArray:
    """f_i^h, (H, n, d).

    Raises:
        RangeError: an output is beyond the floating-point range; `scaled_outputs` has no such limit.
    """
    scaled = scaled_outputs(system)
    return _unscaled(scaled.outputs, scaled.exponents[..., None], "head outputs")


def normalisers(system: System) -> FloatArray:
    """Z_i^h (also called Omega_i^h), (H, n).

    Raises:
        RangeError: a normaliser is beyond the floating-point range.
    """
    scaled = scaled_outputs(system)
    return _unscaled(scaled.normalisers, scaled.exponents, "normalisers")


def shadows(system: System) -> FloatArray:
    """Radial shadows a_i^h = <f_i^h, x_i>, (H, n).

    Raises:
        RangeError: a shadow is beyond the floating-point range.
    """
    scaled = scaled_outputs(system)
    inner = np.einsum("hik,ik->hi", scaled.outputs, system.tokens)
    return _unscaled(inner, scaled.exponents, "shadows")


def ratios(system: System) -> FloatArray:
    """|a_i^h| / ||f_i^h||, (H, n); 0 where f_i^h = 0, so that sums over heads with f != 0 need no mask."""
    scaled = scaled_outputs(system)
    inner = np.abs(np.einsum("hik,ik->hi", scaled.outputs, system.tokens))
    norms = row_norms(scaled.outputs)
    quotient: FloatArray = np.divide(inner, norms, out=np.zeros_like(inner), where=norms > 0)
    return quotient


def entropies(system: System) -> FloatArray:
    """Attention entropies -sum_j p_ij ln p_ij of the softmax weights, (H, n), between 0 and ln n."""
    scaled = scaled_outputs(system)
    entropy: FloatArray = np.log(scaled.normalisers) - scaled.mean_scores
    return entropy


def dominance_margins(system: System, scaled: bool = False) -> FloatArray:
    """Condition 8's margin ||P f_i^h||^2 - ||f_i^h|| sum_{h' != h} |a_i^{h'}|, (H, n); it holds where not negative.

    With `scaled`, the margin at token i is divided by e^(2 m_i), m_i the largest exponent over the heads: the sign is
    the same and nothing overflows.

    Raises:
        RangeError: without `scaled`, a margin is beyond the floating-point range.
    """
    parts = scaled_outputs(system)
    top = parts.exponents.max(axis=0)
    common = parts.outputs * np.exp(parts.exponents - top)[..., None]
    radial = np.einsum("hik,ik->hi", common, system.tokens)
    absolute = np.abs(radial)
    others = absolute.sum(axis=0) - absolute
    tangent = tangential(system.tokens, common)
    margins: FloatArray = np.einsum("hik,hik->hi", tangent, tangent) - row_norms(common) * others
    return margins if scaled else _unscaled(margins, 2 * top, "dominance margins")


def head_energies(system: System) -> FloatArray:
    """E_h, (H,), in the tokens' precision.

    Raises:
        RangeError: an energy is beyond the floating-point range.
    """
    scaled = scaled_outputs(system)
    rows = _unscaled(scaled.normalisers, scaled.exponents, "energies")
    energies: FloatArray = rows.sum(axis=1) / (2 * system.beta * system.n**2)
    return energies


def total_energy(system: System) -> float:
    """E, the sum of the head energies."""
    return float(head_energies(system).sum())


def energy_gradients(system: System) -> FloatArray:
    """Euclidean gradients of the head energies, (H, n, d): entry [h, i] is dE_h/dx_i.

    dE_h/dx_i = (1/(2 n^2)) [ sum_j e^(beta s_ij) M_h x_j + sum_j e^(beta s_ji) M_h^T x_j ], for any M_h: neither
    symmetry nor alignment is used, nor any value matrix.

    Raises:
        RangeError: an exponential is beyond the floating-point range.
    """
    gradients = np.zeros((system.heads, system.n, system.d), dtype=system.tokens.dtype)
    forward = system.tokens @ system.scores.transpose(0, 2, 1)
    backward = system.tokens @ system.scores
    with np.errstate(over="ignore", invalid="ignore"):
        for head, rows, tile in score_tiles(system):
            tile *= system.beta
            np.exp(tile, out=tile)
            gradients[head, rows] += tile @ forward[head]
            gradients[head] += tile.T @ backward[head, rows]
    gradients /= 2 * system.n**2
    if not np.isfinite(gradients).all():
        raise RangeError("a gradient of the energy overflows; lower beta or the heads' norms")
    return gradients


def velocities(system: System) -> FloatArray:
    """The tokens' velocities, (n, d): P_x v on the sphere, v flat.

    Raises:
        RangeError: USA with exponentials beyond the floating-point range.
    """
    return RightHandSide(system)(system.tokens)


def energy_rates(system: System) -> FloatArray:
    """dE_h/dt along the system's own flow, (H,), by the chain rule sum_i <dE_h/dx_i, velocity_i>.

    Raises:
        RangeError: an exponential is beyond the floating-point range.
    """
    rates: FloatArray = np.einsum("hik,ik->h", energy_gradients(system), velocities(system))
    return rates


def total_energy_rate(system: System) -> float:
    """dE/dt along the system's own flow."""
    return float(energy_rates(system).sum())
