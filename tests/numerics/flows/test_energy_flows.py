"""Theorem 11 and the projection: what passes, and that wrong neighbours of each statement are caught."""

from collections.abc import Callable

import numpy as np
import pytest
from antumbra.numerics.dynamics import System
from antumbra.numerics.flows import projection, thm11
from antumbra.numerics.flows.compare import Rates, balance, flow_evidence, total_energy_quantity
from antumbra.numerics.flows.probing import Probe, hunt_evidence, hunt_systems, probe_evidence, score
from antumbra.numerics.registry import RunContext
from antumbra.proofs.claim import Outcome

CONTEXT = RunContext(profile="quick", claim="thm11.sphere")

RATES: list[tuple[str, Callable]] = [
    ("flat", thm11.mean_squared_speed),
    ("sphere", thm11.mean_squared_speed),
    ("softmax", thm11.weighted_softmax_speed),
]


@pytest.mark.parametrize(("family", "rate"), RATES, ids=[name for name, _ in RATES])
def test_the_rate_passes_and_a_rate_off_by_a_millionth_fails(family: str, rate: Callable) -> None:
    configurations = getattr(thm11, family)
    right = flow_evidence(balance(configurations(CONTEXT), total_energy_quantity, rate), "it is so")
    assert right.outcome is Outcome.PASS
    assert right.data["worst"]["ratio"] < 1

    def slightly_wrong(system: System) -> Rates:
        return lambda tokens: (1 + 1e-6) * rate(system)(tokens)

    wrong = flow_evidence(balance(configurations(CONTEXT), total_energy_quantity, slightly_wrong), "it is so")
    assert wrong.outcome is Outcome.FAIL
    assert wrong.data["worst"]["ratio"] > 10


def test_one_over_n_squared_fails() -> None:
    def wrong(system: System) -> Rates:
        return lambda tokens: thm11.mean_squared_speed(system)(tokens) / system.n

    assert flow_evidence(balance(thm11.sphere(CONTEXT), total_energy_quantity, wrong), "").outcome is Outcome.FAIL


def test_a_quantity_that_falls_is_caught() -> None:
    def rises_by_more(system: System) -> Rates:
        return lambda tokens: 1.01 * thm11.mean_squared_speed(system)(tokens)

    findings = balance(thm11.sphere(CONTEXT), total_energy_quantity, rises_by_more, sense="at_least")
    assert flow_evidence(findings, "").outcome is Outcome.FAIL


def test_nothing_moving_is_vacuous_not_a_pass() -> None:
    findings = balance(thm11.equilibria(CONTEXT), total_energy_quantity, thm11.mean_squared_speed)
    assert flow_evidence(findings, "").outcome is Outcome.VACUOUS
    assert flow_evidence([], "").outcome is Outcome.VACUOUS


def test_norms_without_the_projection_are_caught() -> None:
    def unprojected(system: System) -> Callable[[np.ndarray], np.ndarray]:
        tangent = projection.ambient_slope(system)
        return lambda tokens: tangent(tokens) + 1e-6 * tokens

    assert flow_evidence(projection.norm_findings(CONTEXT), "").outcome is Outcome.PASS
    assert flow_evidence(projection.norm_findings(CONTEXT, unprojected), "").outcome is Outcome.FAIL


SIDES = [
    projection.self_pairing,
    projection.symmetry,
    projection.idempotence,
    projection.annihilation,
    projection.pythagoras,
    projection.contraction,
    projection.contraction_equality,
    projection.rank,
]


@pytest.mark.parametrize("sides", SIDES, ids=lambda sides: sides.__name__)
def test_each_identity_fails_once_y_is_not_unit(sides: Callable) -> None:
    # Symmetry holds for every y, and the bound for short y: there the control is another one.
    if sides is projection.symmetry:

        def wrong(y: np.ndarray, u: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            margin, slack = projection.symmetry(y, u, w)
            return margin - 1e-9 * np.abs(u[:, 0]), slack
    else:

        def wrong(y: np.ndarray, u: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            changed: tuple[np.ndarray, np.ndarray] = sides(2.5 * y, u, w)
            return changed

    assert probe_evidence(CONTEXT, projection.probes(CONTEXT, sides), "").outcome is Outcome.PASS
    assert probe_evidence(CONTEXT, projection.probes(CONTEXT, wrong), "").outcome is Outcome.FAIL


def test_attacks_on_systems_catch_wrong_neighbours() -> None:
    def half_the_bound(system: System) -> tuple[float, float]:
        margin, slack = thm11.bound_margin(system)
        energy = float(total_energy_quantity(system).value(system.tokens)[0])
        return (margin + energy) / 2 - energy, slack

    def other_gradient(system: System) -> tuple[float, float]:
        values = System(system.tokens, system.scores, (1 + 1e-9) * system.values, system.beta, geometry=system.geometry)
        return thm11.gradient_margin(values)

    for margin in (half_the_bound, other_gradient):
        hunt = hunt_systems(CONTEXT, thm11.many(CONTEXT), margin)
        assert hunt.refuted
        assert hunt_evidence([hunt], "").outcome is Outcome.FAIL


def test_softmax_heads_with_unequal_normalisers_are_not_covered() -> None:
    unequal = [thm11.shared_margins(instance.system)[0][0] for instance in _softmax_pairs()]
    assert min(unequal) < -1e-3
    solved = [system for system in map(thm11.equalised, (i.system for i in _softmax_pairs())) if system is not None]
    assert len(solved) >= 10
    assert all(rate >= -slack for system in solved for rate, slack in thm11.shared_margins(system))


def _softmax_pairs() -> list:
    from antumbra.numerics.dynamics import Field
    from antumbra.numerics.flows.sampling import SYMMETRIC, configurations

    return list(configurations(CONTEXT, SYMMETRIC, field=Field.SA, least_heads=2, count=40))


def test_a_probe_without_admissible_points_is_vacuous() -> None:
    probe = Probe("nowhere", [0.0], [1.0], lambda points: (np.full(len(points), np.nan), np.zeros(len(points))))
    assert probe_evidence(CONTEXT, [probe], "").outcome is Outcome.VACUOUS


def test_scores_order_violations_first() -> None:
    ordered = score(np.array([-3.0, -1.0, -1e-20, 0.0, 2.0]), np.array([1.0, 1.0, 1.0, 0.0, 1.0]))
    assert list(np.argsort(ordered)) == [0, 1, 2, 3, 4]
    assert score(np.array([-1e-30]), np.array([0.0]))[0] == -np.inf


def test_a_probe_finds_a_narrow_violation() -> None:
    """Negative only within 2e-4 of an irrational point of the box."""

    def margin(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, y = points[:, 0] - np.sqrt(0.5), points[:, 1] - np.cbrt(0.1)
        return x**2 + y**2 - 4e-8, np.full(len(points), 1e-15)

    evidence = probe_evidence(CONTEXT, [Probe("p", [0.0, 0.0], [1.0, 1.0], margin)], "")
    assert evidence.outcome is Outcome.FAIL
    assert evidence.data["point"] == pytest.approx([0.7071, 0.4642], abs=2e-3)
