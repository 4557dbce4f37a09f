"""Failures that numerical tools have met, each a kind: what the suite does instead."""

import json
import math
import os
import subprocess
import sys
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from antumbra.numerics import dynamics, sample
from antumbra.numerics.dynamics import System
from antumbra.numerics.integrate import integrate
from antumbra.numerics.quantities import evaluate
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, sign_now
from flint import acb, arb, ctx


def test_balls_enclose_the_exponential_where_intervals_of_another_library_do_not() -> None:
    argument = Fraction(3893924827815215, 1 << 50)
    with mpmath.workdps(60):
        true = mpmath.exp(mpmath.mpf(argument.numerator) / argument.denominator)
        assert mpmath.nstr(true, 22).startswith("31.7692868261039258473")
    before = mpmath.iv.prec
    mpmath.iv.prec = 53
    interval = mpmath.iv.exp(mpmath.iv.mpf(argument.numerator) / argument.denominator)
    mpmath.iv.prec = before
    assert not mpmath.mpf(interval.a) <= true <= mpmath.mpf(interval.b), "the trap is gone; the row may be dropped"
    with ctx.workprec(53):
        enclosed = ball(argument).exp()
    with ctx.workprec(300):
        assert enclosed.contains(ball(argument).exp())


def test_lambert_w_near_its_branch_point() -> None:
    """A library's double routine gives nan at the double nearest -1/e, whose value is -1 to about 1e-8.

    That double lies just below -1/e, so the value is complex by a little: real balls say that there is none.
    """
    nearest = -math.exp(-1)
    with ctx.workprec(200):
        assert arb(nearest) < -arb(-1).exp()
        assert arb(nearest).lambertw().is_nan()
        assert abs(acb(nearest).lambertw() + 1) < arb(1e-7)
    # The suite's own use stays on the other side, (n - 1)/e > 0.
    assert evaluate("lambda_max", {"n": "2", "beta": "1"}, 12).value == "1.27846454276"


def test_small_is_not_zero() -> None:
    """Tolerances call 6.9e-10 zero; a sign here is that of a ball, and an open one is an error."""
    with ctx.workprec(100):
        assert sign_now(ball(Fraction(69, 10**11))) == 1
        assert sign_now(ball(Fraction(-1, 10**400))) == -1
        with pytest.raises(NeedPrecisionError):
            sign_now(ball(Fraction(1, 3)) * 3 - 1)


def test_comparisons_of_balls_that_overlap_prove_neither_side() -> None:
    first, second = arb(0.5, 0.5), arb(1.25, 0.75)
    assert not first < second
    assert not first >= second
    with pytest.raises(NeedPrecisionError):
        sign_now(second - first)


def test_where_a_library_leaves_the_sphere_and_loses_energy_this_flow_does_not() -> None:
    from scipy.integrate import solve_ivp

    # The seed of eight tokens on the sphere, M = I, to T = 20, at the other library's default tolerances.
    rng = np.random.default_rng(0)
    head = np.eye(3)[None]
    system = System(sample.uniform_tokens(rng, 8, 3), head, head, 1.0)
    right = dynamics.RightHandSide(system)

    def ambient(_time: float, flat: np.ndarray) -> np.ndarray:
        tokens = flat.reshape(8, 3)
        velocity = np.exp(tokens @ tokens.T) @ tokens / 8
        return np.asarray(velocity - (velocity * tokens).sum(axis=1)[:, None] * tokens).ravel()

    other = solve_ivp(ambient, (0, 20), system.tokens.ravel())
    norms = np.linalg.norm(other.y.T.reshape(-1, 8, 3), axis=2)
    assert other.success
    assert float(np.abs(norms - 1).max()) > 1e-4, "the trap is gone; the row may be dropped"

    solution = integrate(system, 20.0)
    assert float(np.abs(dynamics.row_norms(solution.states) - 1).max()) <= 4 * np.finfo(float).eps
    energies = np.array([dynamics.total_energy(system.at(state)) for state in solution.states])
    slopes = np.array([np.abs(dynamics.energy_gradients(system.at(state))).sum() for state in solution.states])
    allowed = 2 * slopes[:-1] * solution.step_errors + 64 * np.finfo(float).eps * energies[:-1]
    assert (np.diff(energies) >= -allowed).all()
    assert right(solution.final).shape == (8, 3)


@pytest.mark.parametrize("point", [Fraction(-2, 3), Fraction(1, 7), Fraction(5, 12)])
def test_samples_reach_points_that_are_not_dyadic(point: Fraction) -> None:
    """A statement that failed only at -2/3 was once proved, as all points tried were dyadic."""
    rng = np.random.default_rng(0)
    drawn = {sample.random_fraction(rng, 12) for _ in range(20_000)}
    assert point in drawn


def test_answers_do_not_depend_on_the_number_of_threads() -> None:
    """Last digits may; nothing beyond them."""
    code = (
        "import numpy as np; from antumbra.numerics import dynamics, sample; rng = np.random.default_rng(1); "
        "heads = sample.symmetric_heads(rng, 2, 16); tokens = sample.uniform_tokens(rng, 200, 16); "
        "print(dynamics.velocities(dynamics.System(tokens, heads, heads, 1.0)).ravel().tolist())"
    )
    results = []
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        results.append(np.array(json.loads(done.stdout)))
    np.testing.assert_allclose(results[0], results[1], atol=1e-14)
