"""The equiangular path: scalar heads, all pairs of tokens at one inner product gamma, as a scalar ODE.

Notation: gamma in [-1/(n-1), 1]; u = ln((1 + (n-1) gamma) / (1 - gamma)) on the real line. In u the flow is

    SA    u' = 2 n sum_h lambda_h / (e^(beta lambda_h (1-gamma)) + n - 1)
    USA   u' = 2 sum_h lambda_h e^(beta lambda_h gamma)
    ReLU  u' = 2 lambda^2 max(0, gamma)

smooth and without stiffness, and 1 - gamma = n / (e^u + n - 1) keeps its relative accuracy as the tokens cluster.
Both ends are equilibria. The invariance and the closed equations are claims of the suite (thm22); here they are only
the definition of this scalar flow, so that a claim may compare it with the flow of all tokens.

Source: A. Pendharkar, arXiv:2605.04279, section on heterogeneous heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import Field
from antumbra.numerics.integrate import Event, Solution, solve

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class EquiangularPath:
    """Scalar heads on equiangular tokens.

    Attributes:
        n: number of tokens, at least 2.
        scales: (H,) lambda_h; for ReLU exactly one.
        beta: inverse temperature, positive (no part in ReLU).
        field: USA, SA or ReLU.

    Raises:
        ValueError: a parameter outside its domain.
    """

    n: int
    scales: tuple[float, ...]
    beta: float
    field: Field = Field.SA

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ValueError(f"n is {self.n}; give at least 2 tokens")
        if not self.scales or not all(math.isfinite(scale) for scale in self.scales):
            raise ValueError(f"scales are {self.scales}; give one finite number per head")
        if not (math.isfinite(self.beta) and self.beta > 0):
            raise ValueError(f"beta is {self.beta}; give a positive finite number")
        if Field(self.field) is Field.RELU and len(self.scales) != 1:
            raise ValueError(f"ReLU has one head, {len(self.scales)} were given")
        object.__setattr__(self, "field", Field(self.field))

    def coordinate(self, gamma: float) -> float:
        """U of gamma, for -1/(n-1) < gamma < 1.

        Raises:
            ValueError: gamma is outside; both ends are equilibria and have no coordinate.
        """
        if not -1 / (self.n - 1) < gamma < 1:
            raise ValueError(f"gamma is {gamma}; give -1/(n-1) < gamma < 1 (the ends are equilibria)")
        return math.log1p((self.n - 1) * gamma) - math.log1p(-gamma)

    def gamma(self, coordinate: float | Array) -> Array:
        """Gamma of u: (...) -> (...)."""
        growth = np.expm1(np.minimum(coordinate, 700.0))
        result: Array = np.asarray(growth / (growth + self.n))
        return result

    def deficit(self, coordinate: float | Array) -> Array:
        """1 - gamma of u, to full relative accuracy: (...) -> (...)."""
        u = np.asarray(coordinate, dtype=np.float64)
        decay = np.exp(-np.abs(u))
        result: Array = np.where(u > 0, self.n * decay / (1 + (self.n - 1) * decay), self.n / (decay + self.n - 1))
        return result

    def speed(self, coordinate: float) -> float:
        """du/dt at u."""
        deficit = float(self.deficit(coordinate))
        if self.field is Field.RELU:
            return 2 * self.scales[0] ** 2 * max(0.0, float(self.gamma(coordinate)))
        total = 0.0
        for scale in self.scales:
            if self.field is Field.USA:
                total += scale * math.exp(self.beta * scale * float(self.gamma(coordinate))) / self.n
            else:
                exponent = self.beta * scale * deficit
                if exponent <= 700:
                    total += scale / (math.exp(exponent) + self.n - 1)
        return 2 * self.n * total

    def rate(self, gamma: float) -> float:
        """dgamma/dt at gamma, both ends included."""
        if not -1 / (self.n - 1) < gamma < 1:
            return 0.0
        factor = (1 - gamma) * (1 + (self.n - 1) * gamma) / self.n
        return self.speed(self.coordinate(gamma)) * factor

    def integrate(
        self, gamma0: float, horizon: float, *, rtol: float = 1e-10, gamma_target: float | None = None
    ) -> Solution:
        """The path from gamma0, as a solution in u (states of shape (1,)), stopped at a target if one is given.

        Error estimates are in u; |d gamma| <= (1 - gamma) (1 + (n-1) gamma) / n |d u|.
        """
        events = []
        if gamma_target is not None:
            goal = self.coordinate(gamma_target)
            events.append(Event("target", lambda _time, state: float(state[0]) - goal, terminal=True))
        return solve(
            lambda _time, state: np.array([self.speed(float(state[0]))]),
            np.array([self.coordinate(gamma0)]),
            (0.0, horizon),
            rtol=rtol,
            atol=rtol,
            events=events,
            estimate_global=True,
        )

    def time_between(self, gamma0: float, gamma1: float, *, rtol: float = 1e-12) -> float:
        """Time from gamma0 to gamma1 by integrating dt/du, a second route to the closed forms; inf if never reached.

        Raises:
            ValueError: an end is not inside the path.
        """
        start, end = self.coordinate(gamma0), self.coordinate(gamma1)
        speeds = [self.speed(float(point)) for point in np.linspace(start, end, 257)]
        if min(speeds) <= 0 <= max(speeds) and start != end:
            return math.inf
        if (end - start) * speeds[0] < 0:
            return math.inf
        if start == end:
            return 0.0
        shortest = abs(end - start) / max(abs(speed) for speed in speeds)
        solution = solve(
            lambda point, _state: np.array([1 / self.speed(point)]),
            np.zeros(1),
            (start, end),
            rtol=rtol,
            atol=rtol * shortest,
        )
        return float(solution.final[0])


def equiangular_gammas(n: int, count: int) -> Sequence[float]:
    """`count` values of gamma spread over the admissible interval of n tokens, both ends excluded."""
    lower = -1 / (n - 1)
    return [lower + (1 - lower) * (index + 1) / (count + 1) for index in range(count)]
