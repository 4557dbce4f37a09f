"""Agreement of balls, enclosures, references, and complete lists of equilibria."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from antumbra.numerics.flows import (
    equilibria,
    open_equilibria,
    open_window,
    thm19_closed_forms,
    thm22_closed_forms,
    thm25_closed_forms,
    thm27_closed_forms,
    vectors,
)
from antumbra.numerics.flows.equilibria import Heads
from antumbra.numerics.flows.precise import (
    Pair,
    Value,
    begins_with,
    digits_of,
    enclosed,
    enclosure_evidence,
    precision_evidence,
    settle,
)
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball
from antumbra.proofs.claim import Kind, Outcome
from flint import arb, ctx


def pi() -> arb:
    return arb.pi()


def test_equal_numbers_agree_and_a_difference_at_the_sixtieth_digit_is_seen() -> None:
    same = settle(Pair("pi", pi, lambda: 4 * arb(1).atan()))
    assert same.outcome is Outcome.PASS
    assert same.digits >= 50
    near = settle(Pair("pi", pi, lambda: arb.pi() + arb(10) ** -60), digits=70)
    assert near.outcome is Outcome.FAIL


def test_wide_balls_are_undecided_not_a_pass() -> None:
    wide = settle(Pair("wide", pi, lambda: arb.pi() + arb(0, 1e-20)))
    assert wide.outcome is Outcome.UNDECIDED
    assert 15 < wide.digits < 25
    assert precision_evidence([Pair("wide", pi, lambda: arb.pi() + arb(0, 1e-20))], "").outcome is Outcome.UNDECIDED


def never() -> arb:
    raise NeedPrecisionError("never")


def test_a_route_without_an_answer_is_undecided() -> None:
    assert settle(Pair("never", pi, never)).outcome is Outcome.UNDECIDED
    assert enclosed(Value("never", never)).outcome is Outcome.UNDECIDED
    assert settle(Pair("nan", pi, lambda: arb("nan"))).outcome is Outcome.UNDECIDED
    assert precision_evidence([], "").outcome is Outcome.VACUOUS


@pytest.mark.parametrize(
    ("value", "reference", "expected"),
    [
        ("3.14159", "3.1415", True),
        ("3.1416", "3.1415", True),  # the ball of the interval's end is met
        ("3.14161", "3.1415", False),
        ("3.1414", "3.1415", False),
        ("-3.14159", "-3.1415", True),
        ("-3.14149", "-3.1415", False),
    ],
)
def test_references_are_truncated_toward_zero(value: str, reference: str, expected: bool) -> None:
    assert begins_with(arb(value), reference) is expected


def test_a_wrong_reference_fails() -> None:
    assert settle(Pair("pi", pi, pi, "3.1416")).outcome is Outcome.FAIL
    assert enclosed(Value("pi", pi, "3.1416")).outcome is Outcome.FAIL
    assert enclosure_evidence([Value("pi", pi, "3.1416")], "Pi").outcome is Outcome.FAIL
    good = enclosure_evidence([Value("pi", pi, "3.14159265358979")], "Pi")
    assert good.outcome is Outcome.PASS
    assert good.kind is Kind.ENCLOSURE


def test_digits_of_balls() -> None:
    with ctx.workprec(300):
        assert digits_of(arb(1)) > 1000
        assert digits_of(arb(2, 1.9e-20)) == 20
        assert digits_of(arb(0, 0.9e-30)) == 30
        assert digits_of(arb("inf")) == 0


# --- routes against a third party ------------------------------------------------------------------------------------


def close(found: arb, expected: object) -> bool:
    value = mpmath.mpf(expected)
    return bool(abs(mpmath.mpf(found.mid().str(45, radius=False)) - value) < mpmath.mpf(10) ** -38 * (1 + abs(value)))


def test_routes_agree_with_mpmath() -> None:
    with mpmath.workdps(50), ctx.workprec(200):
        assert close(thm19_closed_forms.c_star_root(3), mpmath.sqrt(2) - 1)
        assert close(thm19_closed_forms.continued_fraction(4), (mpmath.sqrt(13) - 3) / 2)
        third = thm25_closed_forms.softmax_quadrature(4, Fraction(1), arb(2), arb(0), ball(Fraction(9, 10)))
        integral = mpmath.quad(
            lambda g: (mpmath.exp(2 * (1 - g)) + 3) / (2 * (1 - g) * (1 + 3 * g)), [0, 0.25, 0.5, mpmath.mpf(9) / 10]
        )
        assert close(third, integral)
        entropy = thm27_closed_forms.vector_entropy((3, Fraction(2), Fraction(1), Fraction(1, 2)))
        weights = [mpmath.exp(2), mpmath.e, mpmath.e]
        p = [w / sum(weights) for w in weights]
        assert close(entropy, -sum(x * mpmath.log(x) for x in p))
        peak = thm22_closed_forms.series_root(1, 8, Fraction(1), Fraction(7))
        assert close(peak, 1 + mpmath.lambertw(7 / mpmath.e).real)


def test_vectors_are_those_of_the_definitions() -> None:
    with ctx.workprec(200):
        tokens = vectors.equiangular(4, Fraction(-1, 3))
        for i, first in enumerate(tokens):
            for j, second in enumerate(tokens):
                expected = arb(1) if i == j else ball(Fraction(-1, 3))
                assert (vectors.dot(first, second) - expected).contains(0)
        head = vectors.scalar(Fraction(1, 2))
        f = vectors.output(vectors.orthonormal(2), head, arb(2), 0)
        assert (f[0] - arb(1).exp() / 2).contains(0)
        assert (f[1] - arb("0.5")).contains(0)
        moved = vectors.velocity(vectors.orthonormal(2), [head], arb(2), 0, False)
        assert moved[0].contains(0)
        assert (moved[1] - arb("0.25")).contains(0)


def test_the_closed_direction_of_the_reversal_is_seen() -> None:
    wrong = thm22_closed_forms._reversal(Fraction(4), 1, "a split is slower in total at beta = 4")
    assert wrong.outcome is Outcome.FAIL


def test_least_tokens_of_a_window() -> None:
    assert open_window._least_tokens(2, 7).outcome is Outcome.PASS
    assert open_window._least_tokens(2, 8).outcome is Outcome.FAIL
    assert open_window._least_tokens(2, 6).outcome is Outcome.FAIL


# --- equilibria ------------------------------------------------------------------------------------------------------


ONE = Heads(3, (Fraction(1),), Fraction(1))
OPPOSED = Heads(3, (Fraction(1), Fraction(-2)), Fraction(1))


def test_forces_are_the_gradient_of_the_energy() -> None:
    rng = np.random.default_rng(1)
    angles = rng.uniform(0, 2 * np.pi, size=(5, 2))
    step = 1e-6

    def energy(points: np.ndarray) -> np.ndarray:
        full = np.concatenate([np.zeros((len(points), 1)), points], axis=1)
        differences = full[:, None, :] - full[:, :, None]
        total = np.zeros(len(points))
        for scale in OPPOSED.scales:
            total += np.exp(float(scale) * np.cos(differences)).sum(axis=(1, 2))
        return total / 2

    forces, jacobian = equilibria.forces(OPPOSED, angles)
    for k in range(2):
        shift = np.zeros(2)
        shift[k] = step
        gradient = (energy(angles + shift) - energy(angles - shift)) / (2 * step)
        assert np.allclose(gradient, forces[:, k], atol=1e-8)
        above, below = (equilibria.forces(OPPOSED, angles + sign * shift)[0] for sign in (1, -1))
        assert np.allclose((above - below) / (2 * step), jacobian[:, :, k], atol=1e-7)


def test_the_bend_bounds_the_second_derivative() -> None:
    angles = np.linspace(0, 2 * np.pi, 4001)
    for heads in (ONE, OPPOSED, Heads(3, (Fraction(2), Fraction(1, 3)), Fraction(3, 2))):
        _, slope = heads.pull(angles)
        assert np.abs(np.gradient(slope, angles)).max() <= heads.bend


def test_pruned_boxes_hold_no_equilibrium() -> None:
    """Equilibria placed inside random boxes are never pruned: the bound holds at each."""
    rng = np.random.default_rng(2)
    result = equilibria.search(OPPOSED)
    for known in result.found:
        for _ in range(200):
            widths = 10 ** rng.uniform(-3, 0.3, size=2)
            centre = np.array(known.centre) + rng.uniform(-1, 1, size=2) * widths
            value, jacobian = equilibria.forces(OPPOSED, centre[None])
            reach = np.abs(jacobian[0]) @ widths
            full = np.concatenate([[0.0], widths])
            pairs = (widths[:, None] + full[None]) ** 2
            pairs[[0, 1], [1, 2]] = 0
            assert (np.abs(value[0]) <= reach + OPPOSED.bend / 2 * pairs.sum(axis=1) + OPPOSED.rounding).all()


def test_one_head_has_the_six_known_equilibria() -> None:
    result = equilibria.search(ONE)
    assert result.complete
    found = sorted(
        (tuple(round(math.degrees(a), 6) for a in angles), i) for angles, i in equilibria.labelled(ONE, result.found)
    )
    assert found == [
        ((0.0, 0.0), 0),
        ((0.0, 180.0), 1),
        ((120.0, 240.0), 2),
        ((180.0, 0.0), 1),
        ((180.0, 180.0), 1),
        ((240.0, 120.0), 2),
    ]
    assert equilibria.characteristic(ONE, result.found) == 0


def test_grid_and_newton_find_nothing_that_the_list_lacks() -> None:
    result = equilibria.search(OPPOSED)
    known = np.array([angles for angles, _ in equilibria.labelled(OPPOSED, result.found)])
    grid = np.linspace(0, 2 * np.pi, 41)
    angles = np.array([(a, b) for a in grid for b in grid])
    step = np.ones_like(angles)
    for _ in range(80):
        value, jacobian = equilibria.forces(OPPOSED, angles)
        jacobian[np.abs(np.linalg.det(jacobian)) < 1e-9] = np.eye(2)
        step = np.linalg.solve(jacobian, value[..., None])[..., 0]
        angles = angles - step * np.minimum(1, 0.3 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
    ends = angles[np.abs(step).max(axis=1) < 1e-11]
    assert len(ends) > 500
    apart = np.abs(np.remainder(ends[:, None] - known[None] + np.pi, 2 * np.pi) - np.pi).max(axis=2)
    assert apart.min(axis=1).max() < 1e-8
    assert len(np.unique(np.argmin(apart, axis=1))) == len(known)


def test_a_list_that_lacks_an_equilibrium_contradicts_morse() -> None:
    result = equilibria.search(ONE)
    for index in (0, 1, 2):
        lacking = [known for known in result.found if known.rising != index]
        assert equilibria.characteristic(ONE, lacking) != 0


def test_too_few_boxes_leave_the_list_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equilibria, "MOST_BOXES", 300)
    result = equilibria.search(OPPOSED)
    assert not result.complete
    assert open_equilibria.list_evidence((OPPOSED,)).outcome is Outcome.UNDECIDED


def test_a_degenerate_equilibrium_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pull at all: every configuration is an equilibrium, none is proven to be alone, and the list says so."""
    monkeypatch.setattr(equilibria, "MOST_BOXES", 20_000)
    still = Heads(3, (Fraction(0),), Fraction(1))
    result = equilibria.search(still)
    assert not result.complete


def test_krawczyk_accepts_no_box_without_an_equilibrium() -> None:
    with ctx.workprec(128):
        assert equilibria._krawczyk(ONE, np.array([1.0, 2.0]), 0.01) is None
        assert equilibria._krawczyk(ONE, np.array([2 * np.pi / 3, 4 * np.pi / 3]), 0.01) is not None


def test_sharpened_angles_are_exact_multiples_where_known() -> None:
    result = equilibria.search(ONE)
    equilateral = next(found for found in result.found if found.rising == 2)
    with ctx.workprec(400):
        angles = equilibria.sharpen(ONE, equilateral.angles)
        turned = sorted(angles, key=lambda angle: float(angle.mid()))
        assert (turned[0] - 2 * arb.pi() / 3).contains(0)
        assert digits_of(turned[0]) > 100
