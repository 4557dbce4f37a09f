"""Runge-Kutta tableaux: coefficients, error weights and dense output, as data.

Two explicit pairs share one form. A step of size h from (t, y) makes stages k_1, ..., k_s, the new state
y + h sum b_i k_i, one more slope k_{s+1} there, error vectors h sum e_i k_i, and a dense output

    y(theta) = y + theta (F_0 + (1 - theta) (F_1 + theta (F_2 + (1 - theta) (F_3 + ...))))

with F_0 = y_new - y, F_1 = h k_1 - F_0, F_2 = 2 F_0 - h (k_1 + k_{s+1}) and F_{3+r} = h sum D[r, i] k_i.

References:
    Method and dense output: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, sections II.5, II.6.
    Coefficients of order 5(4): Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26, exact rationals.
    Coefficients of order 8(5,3): those of SciPy's public `scipy.integrate.DOP853`, after Hairer's DOP853.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_DP_A: tuple[tuple[str, ...], ...] = (
    (),
    ("1/5",),
    ("3/40", "9/40"),
    ("44/45", "-56/15", "32/9"),
    ("19372/6561", "-25360/2187", "64448/6561", "-212/729"),
    ("9017/3168", "-355/33", "46732/5247", "49/176", "-5103/18656"),
)
_DP_B = ("35/384", "0", "500/1113", "125/192", "-2187/6784", "11/84")
_DP_C = ("0", "1/5", "3/10", "4/5", "8/9", "1")
_DP_B_HAT = ("5179/57600", "0", "7571/16695", "393/640", "-92097/339200", "187/2100", "1/40")
_DP_D = (
    "-12715105075/11282082432",
    "0",
    "87487479700/32700410799",
    "-10690763975/1880347072",
    "701980252875/199316789632",
    "-1453857185/822651844",
    "69997945/29380423",
)


@dataclass(frozen=True)
class ExactPair:
    """Exact rational coefficients of the 5(4) pair, for tests of the order conditions.

    Attributes:
        a: lower-triangular stage weights, one row a stage.
        b: weights of order 5. b_hat: weights of order 4, with one for the slope at the new state.
        c: nodes. d: weights of the dense output's last term.
    """

    a: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]
    b_hat: tuple[Fraction, ...]
    c: tuple[Fraction, ...]
    d: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Tableau:
    """An explicit Runge-Kutta pair with dense output, in float64; s stages, e extra stages.

    Attributes:
        name: for reports.
        order: order of the propagated solution.
        exponent: the step size goes as error^(-1/exponent).
        a: (s, s), c: (s,), b: (s,).
        error: (s + 1,) weights of the main error estimate.
        error_low: (s + 1,) weights of a second estimate that tempers the first, or None.
        extra_a: (e, s + 1 + e), extra_c: (e,): stages that only the dense output needs.
        dense: (r, s + 1 + e), the rows D.
    """

    name: str
    order: int
    exponent: int
    a: Array
    b: Array
    c: Array
    error: Array
    error_low: Array | None
    extra_a: Array
    extra_c: Array
    dense: Array

    @property
    def stages(self) -> int:
        """s, the number of stages of a step."""
        return int(self.b.shape[0])

    @property
    def degree(self) -> int:
        """Degree of the dense output in theta."""
        return 3 + int(self.dense.shape[0])


def exact_dormand_prince() -> ExactPair:
    """The 5(4) pair of Dormand and Prince as exact fractions."""
    return ExactPair(
        a=tuple(tuple(Fraction(entry) for entry in row) for row in _DP_A),
        b=tuple(Fraction(entry) for entry in _DP_B),
        b_hat=tuple(Fraction(entry) for entry in _DP_B_HAT),
        c=tuple(Fraction(entry) for entry in _DP_C),
        d=tuple(Fraction(entry) for entry in _DP_D),
    )


@cache
def dormand_prince_54() -> Tableau:
    """Order 5 with an estimate of order 4 and a dense output of order 4."""
    exact = exact_dormand_prince()
    stages = len(exact.b)
    a = np.zeros((stages, stages))
    for row, entries in enumerate(exact.a):
        a[row, : len(entries)] = [float(entry) for entry in entries]
    b = (*exact.b, Fraction(0))
    error = np.array([float(high - low) for high, low in zip(b, exact.b_hat, strict=True)])
    return Tableau(
        name="Dormand-Prince 5(4)",
        order=5,
        exponent=5,
        a=a,
        b=np.array([float(entry) for entry in exact.b]),
        c=np.array([float(entry) for entry in exact.c]),
        error=error,
        error_low=None,
        extra_a=np.zeros((0, stages + 1)),
        extra_c=np.zeros(0),
        dense=np.array([[float(entry) for entry in exact.d]]),
    )


@cache
def dop853() -> Tableau:
    """Order 8 with estimates of orders 5 and 3 and a dense output of order 7."""
    from scipy.integrate import DOP853

    return Tableau(
        name="Dormand-Prince 8(5,3)",
        order=8,
        exponent=8,
        a=np.asarray(DOP853.A, dtype=np.float64),
        b=np.asarray(DOP853.B, dtype=np.float64),
        c=np.asarray(DOP853.C, dtype=np.float64),
        error=np.asarray(DOP853.E5, dtype=np.float64),
        error_low=np.asarray(DOP853.E3, dtype=np.float64),
        extra_a=np.asarray(DOP853.A_EXTRA, dtype=np.float64),
        extra_c=np.asarray(DOP853.C_EXTRA, dtype=np.float64),
        dense=np.asarray(DOP853.D, dtype=np.float64),
    )
