"""Many systems at once against one by one."""

import numpy as np
import pytest
from antumbra.numerics import dynamics, sample
from antumbra.numerics.batch import Batch, integrate_batch
from antumbra.numerics.dynamics import Field, Geometry, RangeError, System
from antumbra.numerics.integrate import IntegrationError, integrate
from antumbra.numerics.tableau import dormand_prince_54


def systems(count: int, field: Field, geometry: Geometry = Geometry.SPHERE) -> list[System]:
    rng = np.random.default_rng(8)
    result = []
    for index in range(count):
        heads = sample.general_heads(rng, 2, 3)
        result.append(
            System(
                sample.uniform_tokens(rng, 5, 3), heads, sample.general_heads(rng, 2, 3), 0.3 + index, field, geometry
            )
        )
    return result


@pytest.mark.parametrize("field", [Field.USA, Field.SA])
@pytest.mark.parametrize("geometry", list(Geometry))
def test_batch_agrees_with_single_runs(field: Field, geometry: Geometry) -> None:
    horizon = 1.5 if geometry is Geometry.SPHERE else 0.1
    members = systems(6, field, geometry)
    together = integrate_batch(Batch.of(members), horizon, rtol=1e-9)
    for index, member in enumerate(members):
        alone = integrate(member, horizon, rtol=1e-11).final
        np.testing.assert_allclose(together.final[index], alone, atol=1e-6)
    assert (together.times == horizon).all()
    assert float(together.largest_norm_defect.max()) <= 4 * np.finfo(float).eps
    # Each member has its own step size.
    assert geometry is Geometry.FLAT or len(set(together.steps.tolist())) > 1


def test_a_member_does_not_depend_on_its_companions() -> None:
    members = systems(5, Field.USA)
    alone = integrate_batch(Batch.of(members[:1]), 1.0, rtol=1e-6)
    together = integrate_batch(Batch.of(members), 1.0, rtol=1e-6)
    assert alone.steps[0] == together.steps[0]
    np.testing.assert_allclose(alone.final[0], together.final[0], atol=1e-13)


def test_the_observer_sees_every_accepted_step_and_the_energy_never_falls() -> None:
    rng = np.random.default_rng(2)
    members = []
    for _ in range(10):
        heads = sample.symmetric_heads(rng, 2, 3)
        members.append(System(sample.uniform_tokens(rng, 5, 3), heads, heads, 2.0))
    energies = [dynamics.total_energy(member) for member in members]
    seen = np.zeros(10, dtype=int)

    def observer(indices: np.ndarray, _times: np.ndarray, states: np.ndarray, errors: np.ndarray) -> None:
        for index, state, error in zip(indices, states, errors, strict=True):
            moved = members[index].at(state)
            energy = dynamics.total_energy(moved)
            slope = float(np.abs(dynamics.energy_gradients(moved)).sum())
            assert energy - energies[index] >= -(1e-13 * energy + 2 * slope * error)
            energies[index] = energy
            seen[index] += 1

    solution = integrate_batch(Batch.of(members), 5.0, rtol=1e-6, observer=observer, tableau=dormand_prince_54())
    assert (seen == solution.steps).all()


def test_batches_that_do_not_fit_are_refused() -> None:
    members = systems(2, Field.USA)
    with pytest.raises(ValueError, match="at least one"):
        Batch.of([])
    with pytest.raises(ValueError, match="share the field"):
        Batch.of([members[0], systems(1, Field.SA)[0]])
    heads = np.eye(3)[None]
    with pytest.raises(ValueError, match="share n, d and H"):
        Batch.of([members[0], System(members[0].tokens, heads, heads, 1.0)])
    with pytest.raises(RangeError, match="system 0"):
        Batch.of([System(members[0].tokens, heads, heads, 800.0)])
    with pytest.raises(ValueError, match="horizon"):
        integrate_batch(Batch.of(members), -1.0)
    with pytest.raises(IntegrationError, match="max_rounds"):
        integrate_batch(Batch.of(members), 5.0, max_rounds=2)
