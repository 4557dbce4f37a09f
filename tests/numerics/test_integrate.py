"""Order conditions, observed order, the sphere, error estimates and events."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from antumbra.numerics import dynamics, sample
from antumbra.numerics.dynamics import Field, Geometry, RangeError, System, row_norms
from antumbra.numerics.equiangular import EquiangularPath
from antumbra.numerics.integrate import (
    Event,
    IntegrationError,
    chebyshev_coefficients,
    evaluate_dense,
    integrate,
    solve,
)
from antumbra.numerics.tableau import Tableau, dop853, dormand_prince_54, exact_dormand_prince

TABLEAUX = [dormand_prince_54(), dop853()]


def matvec(a: list, v: list) -> list:
    return [sum((x * y for x, y in zip(row, v, strict=False)), Fraction(0)) for row in a]


def dot(b: list, *vectors: list) -> Fraction:
    total = Fraction(0)
    for index, weight in enumerate(b):
        term = weight
        for vector in vectors:
            term *= vector[index]
        total += term
    return total


def conditions(a: list, b: list, c: list) -> dict[int, list[Fraction]]:
    """Residues of the order conditions up to order 5 (rooted trees), grouped by order."""
    ac = matvec(a, c)
    c2, c3 = [x * x for x in c], [x**3 for x in c]
    ac2, aac = matvec(a, c2), matvec(a, ac)
    trees = {
        1: [(dot(b, [Fraction(1)] * len(c)), 1)],
        2: [(dot(b, c), 2)],
        3: [(dot(b, c2), 3), (dot(b, ac), 6)],
        4: [(dot(b, c3), 4), (dot(b, c, ac), 8), (dot(b, ac2), 12), (dot(b, aac), 24)],
        5: [
            (dot(b, c2, c2), 5),
            (dot(b, c2, ac), 10),
            (dot(b, c, ac2), 15),
            (dot(b, c, aac), 30),
            (dot(b, ac, ac), 20),
            (dot(b, matvec(a, c3)), 20),
            (dot(b, matvec(a, [x * y for x, y in zip(c, ac, strict=True)])), 40),
            (dot(b, matvec(a, ac2)), 60),
            (dot(b, matvec(a, aac)), 120),
        ],
    }
    return {order: [value - Fraction(1, density) for value, density in entries] for order, entries in trees.items()}


def test_the_exact_pair_has_orders_five_and_four() -> None:
    pair = exact_dormand_prince()
    size = len(pair.b)
    a = [list(row) + [Fraction(0)] * (size - len(row)) for row in pair.a]
    assert [sum(row, Fraction(0)) for row in a] == list(pair.c)
    assert all(residue == 0 for group in conditions(a, list(pair.b), list(pair.c)).values() for residue in group)
    # The embedded weights use the slope at the new state as a seventh stage.
    extended = [[*row, Fraction(0)] for row in a] + [[*pair.b, Fraction(0)]]
    nodes = [*pair.c, Fraction(1)]
    embedded = conditions(extended, list(pair.b_hat), nodes)
    assert all(residue == 0 for order in range(1, 5) for residue in embedded[order])
    assert any(residue != 0 for residue in embedded[5])


@pytest.mark.parametrize("tableau", TABLEAUX, ids=lambda t: t.name)
def test_float_coefficients_satisfy_the_conditions_to_rounding(tableau: Tableau) -> None:
    a = [[Fraction(float(x)) for x in row] for row in tableau.a]
    b, c = [Fraction(float(x)) for x in tableau.b], [Fraction(float(x)) for x in tableau.c]
    residues = [abs(r) for group in conditions(a, b, c).values() for r in group]
    assert max(residues) < Fraction(1, 10**14)
    # Quadrature conditions up to the full order.
    for power in range(tableau.order):
        assert abs(dot(b, [x**power for x in c]) - Fraction(1, power + 1)) < Fraction(1, 10**14)


def fixed_steps(tableau: Tableau, steps: int) -> tuple[float, float]:
    """Errors at the end and in the middle of the last step's dense output, for y' = y cos t, y = e^(sin t)."""
    stages = tableau.stages
    t, y, h = 0.0, 1.0, 2.0 / steps
    middle = 0.0
    for _ in range(steps):
        count = stages + 1 + len(tableau.extra_c)
        k = np.zeros(count)
        for index in range(stages):
            k[index] = (y + h * float(tableau.a[index] @ k[:stages])) * math.cos(t + tableau.c[index] * h)
        new = y + h * float(tableau.b @ k[:stages])
        k[stages] = new * math.cos(t + h)
        for extra, node in enumerate(tableau.extra_c):
            known = stages + 1 + extra
            k[known] = (y + h * float(tableau.extra_a[extra, :known] @ k[:known])) * math.cos(t + node * h)
        difference = new - y
        rows = [difference, h * k[0] - difference, 2 * difference - h * (k[0] + k[stages]), *(h * (tableau.dense @ k))]
        dense = float(evaluate_dense(np.array([y]), np.array(rows)[:, None], 0.4)[0])
        middle = abs(dense - math.exp(math.sin(t + 0.4 * h)))
        t, y = t + h, new
    return abs(y - math.exp(math.sin(2.0))), middle


@pytest.mark.parametrize(("tableau", "dense_order"), [(TABLEAUX[0], 4), (TABLEAUX[1], 7)], ids=["5(4)", "8(5,3)"])
def test_observed_order_over_step_halvings(tableau: Tableau, dense_order: int) -> None:
    coarse = 16 if tableau.order == 5 else 3
    first, second = fixed_steps(tableau, coarse), fixed_steps(tableau, 2 * coarse)
    assert math.log2(first[0] / second[0]) > tableau.order - 0.5
    assert math.log2(first[1] / second[1]) > dense_order - 0.5


def random_system(seed: int, n: int = 6, d: int = 3, heads: int = 2, field: Field = Field.USA) -> System:
    rng = np.random.default_rng(seed)
    matrices = sample.symmetric_heads(rng, heads, d)
    return System(sample.uniform_tokens(rng, n, d), matrices, matrices, 1.5, field)


@pytest.mark.parametrize("tableau", TABLEAUX, ids=lambda t: t.name)
def test_order_is_kept_by_the_projection(tableau: Tableau) -> None:
    """Error per step against tolerance: a fixed number of steps is forced by `largest_step`."""
    system = random_system(1)
    reference = integrate(system, 1.0, rtol=1e-13).final
    errors = []
    for steps in (4, 8) if tableau.order == 5 else (2, 4):
        solution = integrate(system, 1.0, rtol=0.9, atol=1e3, tableau=tableau, largest_step=1.0 / steps)
        taken = len(solution.step_errors)
        errors.append((taken, float(np.abs(solution.final - reference).max())))
    (first_steps, first), (second_steps, second) = errors
    assert second_steps > first_steps
    assert math.log(first / second) / math.log(second_steps / first_steps) > tableau.order - 1


@pytest.mark.parametrize("field", [Field.USA, Field.SA])
def test_tokens_stay_on_the_sphere_and_the_energy_never_falls(field: Field) -> None:
    """The default solver of a library leaves the sphere by 3e-3 here, and its energy falls by a percent."""
    rng = np.random.default_rng(20)
    head = np.eye(3)[None]
    system = System(sample.uniform_tokens(rng, 8, 3), head, head, 1.0, field)
    solution = integrate(system, 20.0, rtol=1e-8)
    assert float(np.abs(row_norms(solution.states) - 1).max()) <= 4 * np.finfo(float).eps
    energies = [dynamics.total_energy(system.at(state)) for state in solution.states]
    gradients = [np.abs(dynamics.energy_gradients(system.at(state))).sum() for state in solution.states]
    for step, error in enumerate(solution.step_errors):
        rounding = 64 * np.finfo(float).eps * energies[step]
        assert energies[step + 1] - energies[step] >= -(rounding + 2 * float(error) * gradients[step])


def test_reported_error_bounds_the_error_made() -> None:
    failures = 0
    for seed in range(40):
        system = random_system(seed, n=4, d=3, heads=1 + seed % 2, field=Field.SA if seed % 3 else Field.USA)
        for rtol in (1e-4, 1e-7):
            solution = integrate(system, 2.0, rtol=rtol, estimate_global=True)
            assert solution.global_errors is not None
            reference = [system.tokens]
            for before, after in itertools.pairwise(solution.times.tolist()):
                reference.append(integrate(system.at(reference[-1]), after - before, rtol=1e-13, dense=False).final)
            made = row_norms(solution.states - np.stack(reference)).max(axis=1)
            failures += bool((made > solution.global_errors).any())
    assert failures == 0


@pytest.mark.parametrize("rtol", [1e-4, 1e-8, 1e-12])
def test_flow_path_and_scalar_equation_agree(rtol: float) -> None:
    """The flow of all tokens from an equiangular start against the scalar equation, for each field."""
    rng = np.random.default_rng(0)
    for field, scales in ((Field.USA, (1.0, 0.5)), (Field.SA, (1.0, 0.5)), (Field.RELU, (1.2,))):
        tokens = sample.equiangular_tokens(rng, 5, 6, 0.2)
        heads = sample.scalar_heads(scales, 6)
        system = System(tokens, heads, heads, 1.5, field)
        solution = integrate(system, 1.5, rtol=rtol, estimate_global=True)
        path = EquiangularPath(5, scales, 1.5, field)
        gamma = float(path.gamma(float(path.integrate(0.2, 1.5, rtol=1e-13).final[0])))
        gram = solution.final @ solution.final.T
        np.fill_diagonal(gram, gamma)
        # |d<x, y>| <= 2 |dx|; the start itself is equiangular to rounding only.
        assert float(np.abs(gram - gamma).max()) <= 2 * solution.error + 1e-13


def test_dense_output_agrees_and_stays_on_the_sphere() -> None:
    system = random_system(2)
    solution, reference = integrate(system, 2.0, rtol=1e-8), integrate(system, 2.0, rtol=1e-13)
    for time in np.linspace(0, 2, 41):
        state = solution(float(time))
        assert float(np.abs(row_norms(state) - 1).max()) <= 4 * np.finfo(float).eps
        np.testing.assert_allclose(state, reference(float(time)), atol=1e-6)
    assert np.array_equal(solution(0.0), solution.states[0])
    with pytest.raises(ValueError, match="outside"):
        solution(2.5)


def test_three_crossings_within_few_steps_are_three_events() -> None:
    """A sign test at the steps' ends sees one of them."""
    solution = solve(
        lambda t, _y: np.array([3 * t * t + 12 * t - 4]),
        [-120.0],
        (-8.0, 4.0),
        events=[Event("zero", lambda _t, y: float(y[0]))],
    )
    times = [crossing.time for crossing in solution.events["zero"]]
    np.testing.assert_allclose(times, [-6, -2, 2], atol=1e-9)
    assert [crossing.direction for crossing in solution.events["zero"]] == [1, -1, 1]


def test_events_at_joints_touching_zero_and_terminal_ones() -> None:
    touching = solve(
        lambda t, _y: np.array([2 * (t - 0.5)]),
        [0.25],
        (0.0, 2.0),
        largest_step=0.25,
        events=[Event("touch", lambda _t, y: float(y[0] - 0.0)), Event("one", lambda _t, y: float(y[0]) - 1.0)],
    )
    assert len(touching.events["touch"]) in (0, 1, 2)  # a double root is at the mercy of one rounding
    assert [round(crossing.time, 9) for crossing in touching.events["one"]] == [1.5]
    swinging = solve(
        lambda _t, y: np.array([y[1], -y[0]]),
        [0.0, 1.0],
        (0.0, 20.0),
        rtol=1e-11,
        events=[Event("x", lambda _t, y: float(y[0])), Event("down", lambda _t, y: float(y[1]), True, -1)],
    )
    assert swinging.terminated == "down"
    assert swinging.times[-1] == pytest.approx(math.pi / 2, abs=1e-9)
    assert [abs(crossing.time) < 1e-15 for crossing in swinging.events["x"]] == [True]
    # The dense output of the shortened last step is that of the trajectory.
    middle = (swinging.times[-1] + swinging.times[-2]) / 2
    np.testing.assert_allclose(swinging(float(middle)), [math.sin(middle), math.cos(middle)], atol=1e-8)


def test_a_root_exactly_at_a_step_end_counts_once() -> None:
    solution = solve(
        lambda _t, _y: np.ones(1),
        [-1.0],
        (0.0, 2.0),
        largest_step=0.25,
        events=[Event("zero", lambda _t, y: float(y[0]))],
    )
    assert [round(crossing.time, 12) for crossing in solution.events["zero"]] == [1.0]


def test_backward_integration_returns_to_the_start() -> None:
    system = random_system(3)
    right = dynamics.RightHandSide(system)
    forward = integrate(system, 1.0, rtol=1e-11)
    back = solve(lambda _t, y: right(y), forward.final, (1.0, 0.0), rtol=1e-11, atol=0.0, project=dynamics.normalised)
    np.testing.assert_allclose(back.final, system.tokens, atol=1e-8)
    np.testing.assert_allclose(back(0.5), forward(0.5), atol=1e-8)


def test_a_flat_blow_up_is_reported() -> None:
    rng = np.random.default_rng(0)
    heads = np.eye(2)[None]
    system = System(sample.uniform_tokens(rng, 2, 2), heads, heads, 1.0, Field.USA, Geometry.FLAT)
    with pytest.raises((IntegrationError, RangeError), match="blow up"):
        integrate(system, 100.0)


def test_overflowing_systems_do_not_start() -> None:
    heads = np.eye(2)[None]
    with pytest.raises(RangeError, match="beta"):
        integrate(System(np.eye(2), heads, heads, 800.0), 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"rtol": 0.0}, "rtol"), ({"rtol": 1e-16}, "rtol"), ({"atol": -1.0}, "atol"), ({"atol": math.nan}, "atol")],
)
def test_tolerances_out_of_range_are_refused(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(lambda _t, y: y, [1.0], (0.0, 1.0), **arguments)


def test_too_many_steps_and_infinite_spans_are_errors() -> None:
    with pytest.raises(IntegrationError, match="max_steps"):
        solve(lambda _t, y: y, [1.0], (0.0, 100.0), rtol=1e-12, max_steps=5)
    with pytest.raises(ValueError, match="finite"):
        solve(lambda _t, y: y, [1.0], (0.0, math.inf))


def test_chebyshev_coefficients_reproduce_the_values() -> None:
    nodes = np.cos(np.pi * np.arange(9) / 8)
    values = np.exp(nodes)
    coefficients = chebyshev_coefficients(values)
    np.testing.assert_allclose(np.polynomial.chebyshev.chebval(nodes, coefficients), values, rtol=1e-14)


def test_float32_tokens_integrate_in_float32() -> None:
    system = random_system(4)
    single = System(system.tokens.astype(np.float32), system.scores, system.values, system.beta)
    solution = integrate(single, 1.0, rtol=1e-4)
    assert solution.states.dtype == np.float32
    np.testing.assert_allclose(solution.final, integrate(system, 1.0).final, atol=1e-3)
