"""Configurations that satisfy given hypotheses, of every kind of tokens and heads.

A family of heads is a function (generator, H, d) -> score matrices (H, d, d); the families are grouped by the
hypothesis that all of their members satisfy. `configurations` goes through the kinds of tokens and the families in
turn, so that few samples already meet many kinds, and draws sizes, temperatures and norms at random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Field, Geometry, System, operator_norms, row_norms, velocities
from antumbra.numerics.registry import RunContext

Array = npt.NDArray[np.floating[Any]]
Generator = np.random.Generator
HeadFamily = Callable[[Generator, int, int], Array]
TokenFamily = Callable[[Generator, int, int], Array]

LARGEST_EXPONENT = 4.0
"""Largest beta * ||M|| that is sampled: e^4 separates weights well, and errors are not swamped by e^(beta ||M||)."""


@dataclass(frozen=True, eq=False)
class Instance:
    """A system and what was sampled, in words."""

    system: System
    label: str


def _equiangular(rng: Generator, n: int, d: int) -> Array:
    """Equiangular tokens with as many of n dimensions as fit; uniform ones when d is too small."""
    if d < n:
        return sample.uniform_tokens(rng, n, d)
    lower = -1.0 if n == 1 else -1 / (n - 1)
    return sample.equiangular_tokens(rng, n, d, float(rng.uniform(lower, 1)))


TOKENS: Mapping[str, TokenFamily] = MappingProxyType(
    {
        "uniform": sample.uniform_tokens,
        "clustered": lambda rng, n, d: sample.clustered_tokens(rng, n, d, float(10 ** rng.uniform(-2, -0.3))),
        "rational": lambda rng, n, d: sample.as_floats(sample.rational_tokens(rng, n, d)),
        "equiangular": _equiangular,
        "antipodal": lambda rng, n, d: sample.antipodal_tokens(rng, n, d, float(10 ** rng.uniform(-2, -0.5))),
        "nearly degenerate": lambda rng, n, d: sample.nearly_degenerate_tokens(rng, n, d, 1e-2),
    }
)
"""Kinds of tokens, all unit."""


def _norm(rng: Generator) -> float:
    return float(2 ** rng.uniform(-1.5, 1.0))


def _scalar(rng: Generator, heads: int, d: int) -> Array:
    return sample.scalar_heads(rng.uniform(-1, 2, size=heads), d)


def _projector(rng: Generator, heads: int, d: int) -> Array:
    return sample.projector_heads(rng, heads, d, int(rng.integers(1, d + 1)), _norm(rng))


def _low_rank(rng: Generator, heads: int, d: int) -> Array:
    matrices = sample.low_rank_heads(rng, heads, d, 1).score_matrices()
    return np.asarray((matrices + matrices.transpose(0, 2, 1)) / 2, dtype=np.float64)


def _resolving(rng: Generator, heads: int, d: int) -> Array:
    return sample.resolving_projectors(rng, heads, d, _norm(rng))


ORTHOGONAL: Mapping[str, HeadFamily] = MappingProxyType(
    {
        "orthogonal symmetric": lambda rng, heads, d: sample.orthogonal_heads(rng, heads, d, _norm(rng)),
        "resolving projector": lambda rng, heads, d: (
            _resolving(rng, heads, d) if heads <= d else sample.orthogonal_heads(rng, heads, d, _norm(rng))
        ),
    }
)
"""Symmetric heads that multiply to zero."""

SYMMETRIC: Mapping[str, HeadFamily] = MappingProxyType(
    {
        "symmetric": lambda rng, heads, d: sample.symmetric_heads(rng, heads, d, _norm(rng)),
        "scalar": _scalar,
        "projector": _projector,
        "low-rank": _low_rank,
        "semidefinite": lambda rng, heads, d: sample.semidefinite_heads(rng, heads, d, _norm(rng)),
        **ORTHOGONAL,
    }
)
"""Symmetric heads of every sort."""

GENERAL: Mapping[str, HeadFamily] = MappingProxyType(
    {"general": lambda rng, heads, d: sample.general_heads(rng, heads, d, _norm(rng)), **SYMMETRIC}
)
"""Heads of any sort."""


def sizes(context: RunContext, rng: Generator, least_n: int, least_heads: int) -> tuple[int, int, int]:
    """Sizes n, d, H within the budget, small ones as often as large ones."""
    budget = context.budget

    def size(least: int, most: int) -> int:
        return int(math.exp(rng.uniform(math.log(least), math.log(max(most, least) + 1))))

    return size(least_n, budget.largest_n), size(2, budget.largest_d), size(least_heads, budget.largest_heads)


def temperature(rng: Generator, norm: float) -> float:
    """A beta between 1/10 and 4 with beta * norm at most `LARGEST_EXPONENT`."""
    most = min(4.0, LARGEST_EXPONENT / max(norm, 1e-3))
    return float(math.exp(rng.uniform(math.log(0.1), math.log(most))))


def configurations(
    context: RunContext,
    heads: Mapping[str, HeadFamily],
    *,
    field: Field = Field.USA,
    geometry: Geometry = Geometry.SPHERE,
    values: Callable[[Generator, Array], Array] | None = None,
    least_n: int = 1,
    least_heads: int = 1,
    most_heads: int | None = None,
    tokens: Sequence[str] = tuple(TOKENS),
    count: int | None = None,
) -> Iterator[Instance]:
    """As many configurations as the budget samples.

    Args:
        context: seed and budget.
        heads: families of score matrices.
        field: the field of the systems.
        geometry: sphere or flat; flat tokens are scaled by up to a half either way, as nothing keeps them unit there.
        values: value matrices from a generator and the score matrices; the scores themselves when left out.
        least_n: fewest tokens.
        least_heads: fewest heads.
        most_heads: most heads, when fewer than the budget says.
        tokens: kinds of tokens.
        count: how many, when not as many as the budget says.
    """
    rng = context.rng("configurations")
    shift = int(rng.integers(len(tokens) * len(heads)))
    names = tuple(heads)
    for index in range(count or context.budget.samples):
        kind, family = tokens[(index + shift) % len(tokens)], names[(index + shift) % len(names)]
        n, d, number = sizes(context, rng, least_n, least_heads)
        if index == 0:
            n = least_n
        if kind == "equiangular":
            d = max(d, n)
        number = number if most_heads is None else min(number, most_heads)
        scores = heads[family](rng, number, d)
        norm = float(operator_norms(scores).max())
        where = TOKENS[kind](rng, n, d)
        if geometry is Geometry.FLAT:
            where = where * rng.uniform(0.5, 1.5, size=(n, 1))
            norm *= float(row_norms(where).max()) ** 2
        beta = temperature(rng, norm)
        system = System(where, scores, scores if values is None else values(rng, scores), beta, field, geometry)
        yield Instance(system, f"{kind} tokens, {family} heads, n={n}, d={d}, H={number}, beta={beta:.4g}")


def horizon_of(system: System, travel: float, longest: float = 4.0) -> float:
    """A time in which the fastest token would go `travel` at its present speed, at most `longest`."""
    speed = float(row_norms(velocities(system)).max())
    return min(longest, travel / max(speed, 1e-12))
