"""The scalar path against the full flow's definition and against quadrature."""

import math

import mpmath
import numpy as np
import pytest
from antumbra.numerics import dynamics, sample
from antumbra.numerics.dynamics import Field, System
from antumbra.numerics.equiangular import EquiangularPath, equiangular_gammas

CASES = [(Field.SA, (1.0, -0.4)), (Field.USA, (1.0, 0.5)), (Field.RELU, (1.3,))]


@pytest.mark.parametrize(("field", "scales"), CASES)
@pytest.mark.parametrize("n", [2, 3, 6])
def test_rate_is_that_of_the_tokens(field: Field, scales: tuple[float, ...], n: int) -> None:
    path = EquiangularPath(n, scales, 1.7, field)
    rng = np.random.default_rng(n)
    for gamma in equiangular_gammas(n, 5):
        tokens = sample.equiangular_tokens(rng, n, n, gamma)
        heads = sample.scalar_heads(scales, n)
        velocity = dynamics.velocities(System(tokens, heads, heads, 1.7, field))
        rates = velocity @ tokens.T + tokens @ velocity.T
        off = rates[~np.eye(n, dtype=bool)]
        np.testing.assert_allclose(off, path.rate(gamma), atol=1e-13)


def test_coordinates_are_inverse_and_keep_relative_accuracy() -> None:
    path = EquiangularPath(5, (1.0,), 1.0)
    for gamma in equiangular_gammas(5, 9):
        assert float(path.gamma(path.coordinate(gamma))) == pytest.approx(gamma, abs=1e-15)
    assert float(path.deficit(80.0)) == pytest.approx(5 * math.exp(-80), rel=1e-14)
    assert float(path.deficit(-800.0)) == 5 / 4
    with mpmath.workdps(30):
        for u in (-3.0, 0.0, 2.5):
            assert float(path.deficit(u)) == pytest.approx(float(5 / (mpmath.exp(u) + 4)), rel=1e-15)


def test_time_agrees_with_quadrature_and_the_integrated_path() -> None:
    """The symbolic integral of this case does not end in minutes."""
    path = EquiangularPath(4, (1.0,), 2.0)
    with mpmath.workdps(30):
        speed = lambda g: 2 * (1 - g) * (1 + 3 * g) / (mpmath.exp(2 * (1 - g)) + 3)  # noqa: E731
        reference = float(mpmath.quad(lambda g: 1 / speed(g), [0, 0.5, 0.9]))
    assert reference == pytest.approx(2.74598984955958, abs=1e-14)
    assert path.time_between(0.0, 0.9) == pytest.approx(reference, rel=1e-11)
    reached = path.integrate(0.0, 10.0, rtol=1e-12, gamma_target=0.9)
    assert reached.terminated == "target"
    assert float(reached.times[-1]) == pytest.approx(reference, abs=1e-10)


def test_times_that_are_never_reached_are_infinite() -> None:
    assert EquiangularPath(4, (1.0,), 2.0, Field.RELU).time_between(-0.1, 0.5) == math.inf
    assert EquiangularPath(4, (1.0,), 2.0).time_between(0.5, 0.1) == math.inf
    assert EquiangularPath(4, (-1.0,), 2.0).time_between(0.5, 0.1) > 0
    assert EquiangularPath(4, (1.0,), 2.0).time_between(0.5, 0.5) == 0
    assert EquiangularPath(4, (1.0,), 2.0).rate(1.0) == 0
    assert EquiangularPath(4, (1.0,), 2.0).rate(-1 / 3) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, (1.0,), 1.0), "n is 1"),
        ((3, (), 1.0), "scales"),
        ((3, (1.0,), 0.0), "beta"),
        ((3, (1.0, 1.0), 1.0, Field.RELU), "one head"),
    ],
)
def test_domains(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EquiangularPath(*arguments)
    with pytest.raises(ValueError, match="equilibria"):
        EquiangularPath(3, (1.0,), 1.0).coordinate(1.0)
