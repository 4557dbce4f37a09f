"""Negative controls: each kind of check, given a wrong neighbour of its statement, must fail."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from antumbra.numerics import sample
from antumbra.numerics.dynamics import Field, System, normalised
from antumbra.numerics.flows import (
    cond08,
    open_equilibria,
    open_questions,
    stated,
    thm12,
    thm16_17,
    thm19,
    thm22,
    thm25,
    thm27,
    thm39,
)
from antumbra.numerics.flows.compare import Rates, balance, flow_evidence, head_energy_quantity, total_energy_quantity
from antumbra.numerics.flows.paths import (
    Path,
    any_scales,
    balance_paths,
    gamma_quantity,
    off_diagonal,
    path,
    run,
    sampled,
)
from antumbra.numerics.flows.probing import Probe, hunt_evidence, hunt_systems, probe_evidence
from antumbra.numerics.flows.sampling import SYMMETRIC, configurations
from antumbra.numerics.registry import RunContext
from antumbra.proofs.claim import Evidence, Kind, Outcome

CONTEXT = RunContext(profile="quick", claim="control")
STANDARD = RunContext(profile="standard", claim="control")


def scaled(rates_of: Callable[[Any], Rates], factor: float) -> Callable[[Any], Rates]:
    """The same rates times a factor."""

    def of(subject: Any) -> Rates:
        rates = rates_of(subject)
        return lambda tokens: factor * rates(tokens)

    return of


HEAD_RATES = [
    (thm16_17.flat, thm16_17.squared_outputs),
    (thm16_17.sphere, thm16_17.shadowed_rate),
    (thm39.several, thm39.full_rate),
]


@pytest.mark.parametrize(("family", "rates"), HEAD_RATES, ids=["thm16", "thm17", "thm39"])
def test_head_rates_off_by_a_millionth_fail(family: Callable, rates: Callable) -> None:
    assert flow_evidence(balance(family(CONTEXT), head_energy_quantity, rates), "").outcome is Outcome.PASS
    wrong = balance(family(CONTEXT), head_energy_quantity, scaled(rates, 1 + 1e-6))
    assert flow_evidence(wrong, "").outcome is Outcome.FAIL


def test_theorem_17_needs_orthogonality() -> None:
    findings = balance(thm39.several(CONTEXT), head_energy_quantity, thm16_17.shadowed_rate)
    assert flow_evidence(findings, "").outcome is Outcome.FAIL


def test_head_energies_on_the_sphere_may_fall() -> None:
    findings = balance(thm16_17.sphere(STANDARD), head_energy_quantity, thm16_17.no_rate, sense="at_least")
    assert flow_evidence(findings, "").outcome is Outcome.FAIL


def test_the_misalignment_bound_fails_without_its_loss() -> None:
    def without_loss(system: System) -> Rates:
        return thm12.lower_bound(dataclasses.replace(system, values=system.scores))

    right = balance(thm12.misaligned(CONTEXT), total_energy_quantity, thm12.lower_bound, sense="at_least")
    assert flow_evidence(right, "").outcome is Outcome.PASS
    wrong = balance(thm12.misaligned(CONTEXT), total_energy_quantity, without_loss, sense="at_least")
    assert flow_evidence(wrong, "").outcome is Outcome.FAIL


def test_the_replicator_equation_off_by_a_millionth_fails() -> None:
    findings = balance(
        thm16_17.winners(CONTEXT), thm16_17.share_quantity, scaled(thm16_17.replicator, 1 + 1e-6), travel=3.0
    )
    assert flow_evidence(findings, "").outcome is Outcome.FAIL


def test_a_faster_decay_of_the_other_shares_fails() -> None:
    found = list(thm16_17.races(CONTEXT))
    assert flow_evidence([thm16_17.decayed(race) for race in found], "").outcome is Outcome.PASS
    assert flow_evidence([thm16_17.decayed(race, factor=40.0) for race in found], "").outcome is Outcome.FAIL


def test_shares_in_the_wrong_order_are_caught() -> None:
    race = next(iter(thm16_17.races(CONTEXT)))
    turned = dataclasses.replace(race, shares=race.shares[:, ::-1])
    for check in (thm16_17.kept_order, thm16_17.kept_distance, thm16_17.settled):
        assert flow_evidence([check(race)], "").outcome is Outcome.PASS
        assert flow_evidence([check(turned)], "").outcome is Outcome.FAIL


GAMMA_RATES = [
    (Field.SA, thm22.gamma_rate_sa),
    (Field.USA, thm22.gamma_rate_usa),
]


@pytest.mark.parametrize(("field", "rate"), GAMMA_RATES, ids=["SA", "USA"])
def test_closed_rates_of_gamma_off_by_a_millionth_or_of_the_other_field_fail(field: Field, rate: Callable) -> None:
    def wrong(scales: np.ndarray, beta: float, n: int, gamma: float) -> float:
        return (1 + 1e-6) * float(rate(scales, beta, n, gamma))

    other = thm22.gamma_rate_usa if field is Field.SA else thm22.gamma_rate_sa
    for candidate, outcome in ((rate, Outcome.PASS), (wrong, Outcome.FAIL), (other, Outcome.FAIL)):
        findings = balance_paths(sampled(CONTEXT, field, any_scales), gamma_quantity, thm22.closed(candidate))
        assert flow_evidence(findings, "").outcome is outcome


def test_equiangular_tokens_that_are_pushed_apart_are_caught() -> None:
    rng = np.random.default_rng(0)
    start = path(rng, 4, [1.0], 1.0, 0.3, Field.USA)
    tokens = normalised(start.system.tokens + 1e-7 * rng.standard_normal((4, 4)))
    track = run(Path(start.system.at(tokens), start.scales, 0.3, "tilted"))
    assert track is not None
    products = off_diagonal(track.tokens[-1])
    assert products.max() - products.min() > 4.1 * track.errors[-1]


def test_turned_tokens_that_are_not_quite_the_same_are_caught() -> None:
    assert flow_evidence(thm22.gram_findings(CONTEXT, Field.USA), "").outcome is Outcome.PASS
    assert flow_evidence(thm22.gram_findings(CONTEXT, Field.USA, tilt=1e-6), "").outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "findings",
    [
        lambda: thm22.late_findings(CONTEXT, exponent=2.0 + 1e-6),
        lambda: thm25.still_findings(CONTEXT, shift=0.3),
        lambda: thm25.late_rate_findings(CONTEXT, Field.SA, factor=1.2),
        lambda: thm25.late_rate_findings(CONTEXT, Field.RELU, factor=1.2),
        lambda: thm27.decay_findings(CONTEXT, exponent=2.0),
        lambda: thm27.deficit_findings(CONTEXT, 1, factor=0.9),
        lambda: thm27.deficit_findings(CONTEXT, -1, factor=1.2),
        lambda: open_questions.cluster_findings(CONTEXT, factor=20.0),
        lambda: thm25.time_findings(
            thm25.softmax_paths(CONTEXT),
            lambda *arguments: (1 + 1e-6) * thm25.softmax_time(*arguments),
            thm22.gamma_rate_sa,
        ),
        lambda: thm25.time_findings(
            thm25.relu_paths(CONTEXT),
            lambda *arguments: (1 + 1e-6) * thm25.relu_time(*arguments),
            thm25.gamma_rate_relu,
        ),
    ],
    ids=[
        "late exponent",
        "ReLU above 0",
        "SA rate",
        "ReLU rate",
        "decay",
        "upper",
        "lower",
        "cluster",
        "SA time",
        "ReLU time",
    ],
)
def test_wrong_neighbours_of_laws_along_paths_fail(findings: Callable) -> None:
    assert flow_evidence(findings(), "").outcome is Outcome.FAIL


def test_entropies_fall_under_negative_heads() -> None:
    def negative(rng: np.random.Generator, heads: int) -> np.ndarray:
        return -np.asarray(rng.uniform(0.3, 1.5, size=heads))

    starts = list(sampled(CONTEXT, Field.SA, negative))
    findings = thm27._balance(starts, thm27.no_rates, "at_least")
    assert flow_evidence(findings, "").outcome is Outcome.FAIL


def test_equal_heads_are_not_ahead_of_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    def equal(rng: np.random.Generator, heads: int) -> np.ndarray:
        return np.full(heads, float(rng.uniform(0.3, 1.0)))

    monkeypatch.setattr(thm22, "positive_scales", equal)
    assert flow_evidence(thm22.split_findings(CONTEXT), "").outcome is Outcome.VACUOUS


# --- searches --------------------------------------------------------------------------------------------------------


def shifted(probe: Probe, by: float) -> Probe:
    """The probe of a statement that asks for a little more."""

    def margin(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        margins, slacks = probe.margin(points)
        return margins - by, slacks

    return dataclasses.replace(probe, margin=margin)


@pytest.mark.parametrize(
    ("probe", "by"),
    [
        (thm25.SOFTMAX_BOX, 0.01),
        (thm25._order_probe(1), 1e-3),
        (thm25._order_probe(-1), 1e-3),
        (thm25._relu_probe(1), 1e-3),
        (thm25._relu_probe(-1), 1e-3),
        (thm27.covariance_probe(3), 1e-9),
        (cond08.ratio_probe(3), 1e-9),
        (cond08.enough_probe(4), 1e-9),
        (thm22.one_head(3), 1e-3),
        (thm22.faster_usa(2), 1e-6),
    ],
)
def test_statements_that_ask_for_a_little_more_are_refuted(probe: Probe, by: float) -> None:
    assert probe_evidence(CONTEXT, [probe], "").outcome is Outcome.PASS
    assert probe_evidence(CONTEXT, [shifted(probe, by)], "").outcome is Outcome.FAIL


def test_the_linearised_law_needs_its_range() -> None:
    """Beyond gamma = (n-2)/(n-1) the linearised time is no bound."""

    def margin(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        n, a, gamma1 = points.T
        bound = gamma1 * (np.exp(a) + n - 1) / 2
        return (bound - thm25.softmax_times(n, a, np.zeros_like(n), gamma1)) / bound, np.full_like(n, 1e-12)

    probe = Probe("late", [3, 0.01, 0.5], [50, 0.5, 0.9999], margin, whole=(0,))
    assert probe_evidence(CONTEXT, [probe], "").outcome is Outcome.FAIL


def test_quadrature_of_searches_has_the_error_it_claims() -> None:
    """Against closed forms in balls, over the corners of the boxes searched."""
    for n in (2, 3, 100, 10_000):
        for product in (1e-3, 1 / 3, 3.0, 12.0):
            for gamma0, gamma1 in ((0.0, 1e-3), (0.0, 0.5), (0.0, 0.9999), (0.3, 0.999)):
                if product == 12.0 and gamma1 > (n - 2) / (n - 1):
                    continue
                found = float(
                    thm25.softmax_times(
                        np.array([float(n)]), np.array([product]), np.array([gamma0]), np.array([gamma1])
                    )[0]
                )
                exact = thm25.softmax_time(1.0, product, n, gamma0, gamma1)
                assert found == pytest.approx(exact, rel=thm25.QUADRATURE_ERROR)


def test_dominance_is_needed_and_orthogonality_too() -> None:
    def without_dominance(system: System) -> tuple[float, float]:
        from antumbra.numerics.dynamics import energy_rates

        return float(energy_rates(system).min()), 1e-9

    assert hunt_systems(STANDARD, cond08.orthogonal(CONTEXT), without_dominance).refuted
    several = configurations(STANDARD, SYMMETRIC, least_heads=2, count=200)
    assert hunt_systems(STANDARD, several, cond08.sufficient_margin).refuted
    several = configurations(STANDARD, SYMMETRIC, least_heads=2, count=200)
    assert hunt_systems(STANDARD, several, cond08.share_margin).refuted


def test_bounds_of_approximate_orthogonality_are_not_slack() -> None:
    def smaller_overlap(system: System) -> tuple[float, float]:
        margin, slack = thm39.bound_margin(system)
        return margin - 1e-6 * sample.overlap(system.scores), slack

    # The family that attains the bound: heads that exchange two directions, one with the opposite sign.
    exchange = np.array([[0.0, 1.0], [1.0, 0.0]])
    scores = np.stack([exchange, -exchange, -exchange])
    system = System(np.array([[1.0, 0.0]]), scores, scores, 1.0)
    margin, slack = thm39.bound_margin(system)
    assert abs(margin) <= slack
    margin, slack = smaller_overlap(system)
    assert margin < -slack


def test_the_angle_is_not_its_sine() -> None:
    def sine(system: System) -> tuple[float, float]:
        _, slack = thm39.angle_margin(system)
        alpha = float(np.linalg.norm(system.scores[0], 2))
        cosine = sample.overlap(system.scores) / alpha**2
        return -abs(cosine - np.sqrt(max(0.0, 1 - cosine**2))), slack

    assert hunt_systems(CONTEXT, thm39.projectors(CONTEXT), sine).refuted


def test_a_list_of_equilibria_that_lacks_one_is_refuted() -> None:
    lacking = open_equilibria.KNOWN[:-1]
    assert hunt_evidence([open_equilibria.newton_hunt(CONTEXT)], "").outcome is Outcome.PASS
    assert hunt_evidence([open_equilibria.newton_hunt(CONTEXT, lacking)], "").outcome is Outcome.FAIL


def test_orders_of_the_threshold_are_not_reversed() -> None:
    reversed_ = dataclasses.replace(
        Probe("reversed", *thm19.BOX, thm19.rises_in_tokens, logarithmic=(0, 1, 2)),
        margin=lambda points: (-thm19.rises_in_tokens(points)[0], thm19.rises_in_tokens(points)[1]),
    )
    assert probe_evidence(CONTEXT, [reversed_], "").outcome is Outcome.FAIL
    assert probe_evidence(CONTEXT, [thm19._threshold_probe(3, 5)], "").outcome is Outcome.FAIL
    assert probe_evidence(CONTEXT, [thm19._threshold_probe(3, 7)], "").outcome is Outcome.FAIL


# --- both attacks together -------------------------------------------------------------------------------------------


def item(outcome: Outcome, certificate: dict | None = None) -> Evidence:
    return Evidence(Kind.ATTACK, outcome, "Some words.", {}, certificate=certificate)


@pytest.mark.parametrize(
    ("search", "formula", "expected"),
    [
        (Outcome.PASS, Outcome.PASS, Outcome.PASS),
        (Outcome.PASS, Outcome.FAIL, Outcome.FAIL),
        (Outcome.FAIL, Outcome.PASS, Outcome.FAIL),
        (Outcome.PASS, Outcome.UNDECIDED, Outcome.UNDECIDED),
        (Outcome.VACUOUS, Outcome.PASS, Outcome.PASS),
        (Outcome.PASS, Outcome.NOT_RUN, Outcome.PASS),
        (Outcome.VACUOUS, Outcome.NOT_RUN, Outcome.VACUOUS),
        (Outcome.ERROR, Outcome.FAIL, Outcome.ERROR),
    ],
)
def test_two_attacks_are_joined(search: Outcome, formula: Outcome, expected: Outcome) -> None:
    assert stated.joined(item(search), item(formula)).outcome is expected


def test_a_certificate_of_either_attack_is_kept() -> None:
    joined = stated.joined(item(Outcome.PASS), item(Outcome.FAIL, {"kind": "witness"}))
    assert joined.certificate == {"kind": "witness"}


def test_the_formula_of_a_false_claim_is_refuted_with_a_certificate() -> None:
    evidence = stated.stated(CONTEXT, "thm22.literal_superadditive", "superadditive")
    assert evidence.outcome is Outcome.FAIL
    assert evidence.certificate is not None
