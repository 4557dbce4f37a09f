"""The flow: it stays on the sphere, its energy does not fall by our errors, no event is lost, nothing overflows."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from antumbra.numerics import dynamics, sample
from antumbra.numerics.dynamics import Field, Geometry, RangeError, System
from antumbra.numerics.integrate import Event, integrate, solve
from antumbra.numerics.quantities import DomainError, evaluate
from antumbra.numerics.quantities.balls import ball
from flint import ctx

# --- tokens that leave the sphere, an energy that falls ----------


def flow_of_eight(field: Field, seed: int) -> System:
    """Eight tokens of a space of three dimensions, M = I."""
    head = np.eye(3)[None]
    return System(sample.uniform_tokens(np.random.default_rng(seed), 8, 3), head, head, 1.0, field)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("field", [Field.USA, Field.SA])
def test_the_flow_stays_on_the_sphere_with_default_tolerances(field: Field, seed: int) -> None:
    solution = integrate(flow_of_eight(field, seed), 20.0)
    assert solution.times[-1] == 20.0
    for states in (solution.states, np.array([solution(time) for time in np.linspace(0, 20, 201)])):
        assert float(np.abs(dynamics.row_norms(states) - 1).max()) <= 4 * np.finfo(float).eps


def test_the_energy_does_not_fall_beyond_the_error_that_is_reported() -> None:
    """By a formula of its own: (1/2n²) Σ e^{⟨x_i, x_j⟩} up to a factor."""
    system = flow_of_eight(Field.USA, 1)
    solution = integrate(system, 20.0, estimate_global=True)
    energies = np.array([np.exp(tokens @ tokens.T).sum() for tokens in solution.states])
    # A step's error moves the sum by at most its gradient times the error, and the sum has few more roundings.
    steepest = 2 * math.e * 8
    fallen = np.minimum(np.diff(energies), 0)
    assert (-fallen <= steepest * math.sqrt(8) * solution.step_errors + 1e-13 * energies[:-1]).all()
    assert float(-fallen.sum()) <= 1e-9 * float(energies[0])
    assert solution.global_errors is not None
    assert 0 < solution.error < 1e-6


def test_the_error_reported_bounds_the_error_made() -> None:
    """Two tokens of a plane: the angle obeys one scalar equation with a known solution."""
    head = np.eye(2)[None]
    tokens = np.array([[1.0, 0.0], [math.cos(2.0), math.sin(2.0)]])
    system = System(tokens, head, head, 1.0, Field.USA)
    solution = integrate(system, 1.5, estimate_global=True)
    gamma = float(solution.final[0] @ solution.final[1])
    parameters = {"lambda": "1", "beta": "1", "n": "2", "gamma0": repr(math.cos(2.0)), "gamma1": repr(gamma)}
    shown = evaluate("usa_time", parameters, 15).value
    assert shown is not None
    speed = (1 - gamma**2) * math.exp(gamma)
    assert abs(float(shown) - 1.5) * speed <= 2 * solution.error + 1e-12


# --- crossings within one step ----------


def times_of(slope: Callable[[float], float], start: float, span: tuple[float, float]) -> list[float]:
    solution = solve(
        lambda time, _y: np.array([slope(time)]),
        [start],
        span,
        events=[Event("zero", lambda _time, y: float(y[0]))],
    )
    return [crossing.time for crossing in solution.events["zero"]]


def test_three_crossings_are_three_events() -> None:
    found = times_of(lambda s: 3 * s * s + 12 * s - 4, -120.0, (-8.0, 4.0))
    np.testing.assert_allclose(found, [-6, -2, 2], atol=1e-9, rtol=0)
    # Backwards they come in the other order.
    back = times_of(lambda s: 3 * s * s + 12 * s - 4, 120.0, (4.0, -8.0))
    np.testing.assert_allclose(back, [2, -2, -6], atol=1e-9, rtol=0)


def test_many_crossings_within_few_steps() -> None:
    """The same kind: five roots of a polynomial, two of them a hundredth apart."""
    roots = np.array([-1.5, 0.0, 0.01, 1.0, 1.75])
    polynomial = np.polynomial.Polynomial.fromroots(roots)
    slope = polynomial.deriv()
    found = times_of(lambda s: float(slope(s)), float(polynomial(-2.0)), (-2.0, 2.0))
    np.testing.assert_allclose(found, roots, atol=1e-6, rtol=0)


@pytest.mark.parametrize("largest_step", [1.0, math.inf])
def test_an_oscillation_faster_than_the_state_moves(largest_step: float) -> None:
    """The state stands still, so steps are long; the event function has a hundred zeros all the same."""
    solution = solve(
        lambda _time, y: np.zeros_like(y),
        [1.0],
        (0.0, 10.0),
        largest_step=largest_step,
        events=[Event("swing", lambda time, y: math.sin(10 * math.pi * time + 0.5) * float(y[0]))],
    )
    crossings = solution.events["swing"]
    wanted = [(k - 0.5 / math.pi) / 10 for k in range(1, 101)]
    np.testing.assert_allclose([crossing.time for crossing in crossings], wanted, atol=1e-9, rtol=0)
    assert [crossing.direction for crossing in crossings] == [-1, 1] * 50
    assert max(crossing.tail for crossing in crossings) <= 1e-10


def test_an_event_with_a_corner_is_found_where_it_is() -> None:
    """No interpolant resolves |t - 1/3| - 1/10 at its corner; its zeros lie elsewhere."""
    solution = solve(
        lambda _time, y: np.zeros_like(y),
        [1.0],
        (0.0, 1.0),
        events=[Event("corner", lambda time, y: abs(time - 1 / 3) - 0.1 * float(y[0]))],
    )
    found = [(crossing.time, crossing.direction) for crossing in solution.events["corner"]]
    np.testing.assert_allclose([time for time, _ in found], [1 / 3 - 0.1, 1 / 3 + 0.1], atol=1e-12, rtol=0)
    assert [direction for _, direction in found] == [-1, 1]


# --- exponentials beyond the range of floats ----------


@pytest.mark.parametrize("score", [710.0, 1e5, 1e15])
def test_softmax_of_large_scores(score: float) -> None:
    """The softmax of (710, −710) is (1, 0): each token sees itself alone, without entropy."""
    tokens = np.array([[1.0, 0.0], [-1.0, 0.0]])
    heads = np.array([[[score, 0.0], [0.0, 1.0]]])
    system = System(tokens, heads, np.eye(2)[None], 1.0, Field.SA)
    flat = System(tokens, heads, np.eye(2)[None], 1.0, Field.SA, Geometry.FLAT)
    np.testing.assert_array_equal(dynamics.velocities(flat), tokens)
    np.testing.assert_array_equal(dynamics.velocities(system), np.zeros((2, 2)))
    np.testing.assert_array_equal(dynamics.entropies(system), [[0.0, 0.0]])


@pytest.mark.parametrize(("beta", "scale"), [(710.0, 1.0), (1.0, 710.0), (1e-3, 1e6), (1e308, 1.0)])
def test_unnormalised_exponentials_are_refused_before_the_run(beta: float, scale: float) -> None:
    heads = scale * np.eye(3)[None]
    tokens = sample.uniform_tokens(np.random.default_rng(0), 4, 3)
    with pytest.raises(RangeError, match=r"beta\*\|\|M\|\|.*lower beta"):
        integrate(System(tokens, heads, heads, beta), 1.0)
    scaled = integrate(System(tokens, heads, heads, min(beta, 1e4), Field.SA), 1e-6)
    assert np.isfinite(scaled.states).all()


def test_just_below_the_limit_it_runs() -> None:
    tokens = np.array([[1.0, 0.0], [0.0, 1.0]])
    heads = np.eye(2)[None]
    system = System(tokens, heads, heads, 650.0)
    assert np.isfinite(dynamics.velocities(system)).all()
    assert math.isfinite(dynamics.total_energy(system))


# --- degenerate branches of the closed forms ----------


def quadrature(scales: list[float], beta: float, n: int, low: float, high: float) -> mpmath.mpf:
    """The softmax time by another library and from the field itself."""

    def slowness(g: mpmath.mpf) -> mpmath.mpf:
        speed = sum(s / (mpmath.exp(beta * s * (1 - g)) + n - 1) for s in scales)
        return 1 / (2 * (1 - g) * (1 + (n - 1) * g) * speed)

    return mpmath.quad(slowness, [low, (low + high) / 2, high])


@pytest.mark.parametrize(
    ("scales", "beta", "n"),
    [
        ("1,1", "2", 2),  # equal heads, n = 2
        ("1", "2", 2),  # one head
        ("1,1,1", "1/2", 3),
        ("0,1", "2", 4),  # a head that does nothing but dilute
        ("1", "1e-6", 2),  # a → 0
        ("1,0.999999999999", "2", 4),  # nearly equal heads
    ],
)
def test_closed_forms_at_their_degenerate_branches(scales: str, beta: str, n: int) -> None:
    parameters = {"lambda": scales, "beta": beta, "n": str(n), "gamma0": "0", "gamma1": "0.9"}
    shown = evaluate("softmax_time", parameters, 20).value
    assert shown is not None
    with mpmath.workdps(40):
        numbers = [mpmath.mpf(entry) for entry in scales.split(",")]
        temperature = mpmath.mpf(beta) if "/" not in beta else mpmath.mpf(1) / 2
        wanted = quadrature(numbers, temperature, n, mpmath.mpf(0), mpmath.mpf(9) / 10)
        assert abs(mpmath.mpf(shown) - wanted) < mpmath.mpf(10) ** -18


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("softmax_time", "lambda=0 beta=2 n=2 gamma0=0 gamma1=0.9", "infinite"),
        ("softmax_time", "lambda=1 beta=2 n=2 gamma0=0 gamma1=1", "infinite"),
        ("relu_time", "lambda=1 n=2 gamma0=0 gamma1=0.5", "infinite"),
        ("beta_star", "H=1 n=2 alpha=1", "infinite"),
        ("beta_star", "H=2 n=2 alpha=1", "none"),
        ("critical_time", "H=1 n=2 beta=1 lambda=1", "infinite"),
        ("gamma_exit", "H=1 n=2 beta=1 lambda=1", "none"),
        ("delta_star", "lambda=1 beta=1e-9 n=2", "none"),
    ],
)
def test_no_number_is_made_up_at_the_edges(name: str, words: str, reason: str) -> None:
    parameters = dict(word.split("=") for word in words.split())
    found = evaluate(name, parameters)
    assert (found.numbers, found.reason) == ((), reason)


@pytest.mark.parametrize("gamma0", ["-1.0000001", "1.5", "nan"])
def test_beyond_the_edges_is_an_error(gamma0: str) -> None:
    parameters = {"lambda": "1", "beta": "2", "n": "2", "gamma0": gamma0, "gamma1": "0.9"}
    with pytest.raises(DomainError, match="gamma0"):
        evaluate("softmax_time", parameters)


def test_the_limit_without_temperature_is_reached_from_both_sides() -> None:
    """As beta falls to 0 the softmax time becomes n times a logarithm; no branch jumps."""
    exact = [evaluate("softmax_time", {"lambda": "1", "beta": f"1e-{k}", "n": "2", "gamma0": "0", "gamma1": "0.9"}, 25)
             for k in (3, 30, 300)]  # fmt: skip
    with ctx.workprec(120):
        limit = (ball(19)).log() / 2  # n/(2n') ∫ dγ / (1 − γ²) over [0, 0.9], for n = 2
        gaps = [abs(float(ball(found.numbers[0].lower) - limit)) for found in exact]
    assert gaps[0] < 1e-3
    assert gaps[1] < 1e-24
    assert gaps[2] < 1e-24
