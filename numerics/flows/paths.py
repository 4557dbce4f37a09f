"""Flows of all tokens that start equiangular, and what statements about the common inner product may be off by.

Scalar heads lambda_h, tokens with <x_i, x_j> = gamma for i != j. The tokens are integrated one by one; gamma is read
off their Gram matrix, and nothing keeps them equiangular.

The start is within d0 = 8 (n + d) ulps (in every row) of exactly equiangular tokens: it is Helmert's columns, scaled
and turned, each rounded once, by a matrix that is orthogonal to about d ulps. The exact equiangular trajectory and the
one through the start separate at most like d0 e^(L t), L a Lipschitz constant of the velocity in the largest row norm:

    USA   sum_h |lambda_h| e^(beta |lambda_h|) (2 beta |lambda_h| + 3)
    SA    sum_h |lambda_h| (4 beta |lambda_h| + 3)
    ReLU  5 lambda^2

(a score moves by at most 2 |lambda| e when tokens move by e, a weight e^(beta s) by 2 beta |lambda| e^(beta |lambda|)
e, softmax weights together by 4 beta |lambda| e; the tangential projection adds twice the field's size). A claimed
rate R of a quantity of sensitivity s is, on these paths, Lipschitz with at most 4 L s, so its integral separates by at
most 4 L t s d0 e^(L t). Hence the errors of a trajectory are enlarged to delta(t) + (1 + 4 L t) d0 e^(L t), and
horizons are at most `GROWTH` / L.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Field, System
from antumbra.numerics.equiangular import EquiangularPath
from antumbra.numerics.flows.compare import (
    EPSILON,
    Finding,
    Quantity,
    Rates,
    Sense,
    Track,
    compare,
    follow,
    shortened,
)
from antumbra.numerics.registry import RunContext

Array = npt.NDArray[np.floating[Any]]
Generator = np.random.Generator
GROWTH = 8.0
"""Largest L t: what rounding left at the start is multiplied by at most e^8, about 3000."""


@dataclass(frozen=True, eq=False)
class Path:
    """Scalar heads and equiangular tokens.

    Attributes:
        system: the tokens' system.
        scales: (H,) lambda_h. gamma: the common inner product at the start.
        label: in words.
    """

    system: System
    scales: Array
    gamma: float
    label: str

    @property
    def scalar(self) -> EquiangularPath:
        """The scalar path of the same parameters."""
        scales = tuple(float(scale) for scale in self.scales)
        return EquiangularPath(self.system.n, scales, self.system.beta, self.system.field)


def path(rng: Generator, n: int, scales: Sequence[float] | Array, beta: float, gamma: float, field: Field) -> Path:
    """A path with d = n, the least dimension that holds every gamma."""
    values = np.asarray(scales, dtype=np.float64)
    heads = sample.scalar_heads(values, n)
    system = System(sample.equiangular_tokens(rng, n, n, gamma), heads, heads, beta, field)
    shown = ", ".join(f"{scale:.3g}" for scale in values)
    return Path(system, values, gamma, f"{field.value}, n={n}, lambda=({shown}), beta={beta:.3g}, gamma0={gamma:.3g}")


Scales = Callable[[Generator, int], Array]


def any_scales(rng: Generator, heads: int) -> Array:
    """Scales of both signs."""
    return np.asarray(rng.uniform(-1, 1.5, size=heads))


def positive_scales(rng: Generator, heads: int) -> Array:
    """Positive scales."""
    return np.asarray(rng.uniform(0.1, 1.5, size=heads))


def sampled(
    context: RunContext,
    field: Field,
    scales: Scales,
    *,
    least_gamma: float | None = None,
    most_gamma: float = 0.95,
    least_heads: int = 1,
    purpose: str = "paths",
) -> Iterator[Path]:
    """As many paths as the budget samples.

    Args:
        context: seed and budget.
        field: the field; ReLU has one head.
        scales: lambda_h.
        least_gamma: smallest start, by default a little above -1/(n-1).
        most_gamma: largest start.
        least_heads: fewest heads.
        purpose: of the random stream.
    """
    rng, budget = context.rng(purpose), context.budget
    for _ in range(budget.samples):
        n = int(rng.integers(2, budget.largest_n + 1))
        heads = 1 if field is Field.RELU else int(rng.integers(least_heads, max(least_heads, budget.largest_heads) + 1))
        lower = -0.9 / (n - 1) if least_gamma is None else least_gamma
        gamma = float(rng.uniform(lower, most_gamma))
        beta = float(math.exp(rng.uniform(math.log(0.1), math.log(3.0))))
        yield path(rng, n, scales(rng, heads), beta, gamma, field)


def lipschitz(system: System, scales: Array) -> float:
    """The constant L of the module."""
    size = np.abs(scales)
    if system.field is Field.USA:
        return float((size * np.exp(system.beta * size) * (2 * system.beta * size + 3)).sum())
    if system.field is Field.SA:
        return float((size * (4 * system.beta * size + 3)).sum())
    return float(5 * size[0] ** 2)


def off_diagonal(tokens: Array) -> Array:
    """Inner products of distinct tokens, (n (n - 1) / 2,)."""
    gram = tokens @ tokens.T
    return np.asarray(gram[np.triu_indices(tokens.shape[0], 1)])


def mean_gamma(tokens: Array) -> float:
    """The mean inner product of distinct tokens."""
    n = tokens.shape[0]
    total = tokens.sum(axis=0)
    return float((total @ total - np.einsum("ik,ik->", tokens, tokens)) / (n * (n - 1)))


def gamma_quantity(system: System) -> Quantity:
    """The mean inner product: sum_i ||d/dx_i|| <= 2 R, as each of n(n-1)/2 pairs moves by at most R per token."""
    n, d = system.n, system.d
    return Quantity(
        lambda tokens: np.array([mean_gamma(tokens)]),
        lambda radius: np.array([2 * radius]),
        # The square of the sum of n tokens and n squares are subtracted, up to n^2, then divided by n (n - 1).
        lambda radius: np.array([8 * EPSILON * (n + d) * radius**2]),
    )


def run(
    start: Path, rates: Rates | None = None, scales: Array | None = None, *, longest: float = math.inf
) -> Track | None:
    """A path's trajectory over at most GROWTH / L and `longest`, with errors enlarged as the module says."""
    system = start.system
    constant = lipschitz(system, start.scales)
    horizon = min(GROWTH / max(constant, 1e-9), longest)
    track = shortened(lambda end: follow(system, end, rates, scales), horizon)
    if track is None:
        return None
    exponent = constant * track.times
    defect = 8 * EPSILON * (system.n + system.d)
    return replace(track, errors=track.errors + (1 + 4 * exponent) * defect * np.exp(exponent))


def balance_paths(
    paths: Iterable[Path],
    quantity_of: Callable[[System], Quantity],
    rates_of: Callable[[Path], Rates],
    *,
    sense: Sense = "equal",
) -> list[Finding]:
    """Follow each path and set a quantity of its tokens against the integral of the claimed rates."""
    findings = []
    for start in paths:
        quantity = quantity_of(start.system)
        scales = np.maximum(quantity.sensitivity(1.0), 1e-12)
        track = run(start, rates_of(start), scales)
        findings.append(Finding(start.label, None if track is None else compare(track, quantity, sense)))
    return findings
