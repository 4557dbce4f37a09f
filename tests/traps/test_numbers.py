"""Numbers with fewer right digits than they show: what is printed here is proven, and what is not proven is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import hypothesis
import mpmath
import numpy as np
import pytest
from antumbra.numerics import running_error
from antumbra.numerics.quantities import balls, evaluate
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, sign_now
from antumbra.proofs import exact
from antumbra.proofs.checker import exp_at
from antumbra.proofs.kernel import witness
from antumbra.proofs.kernel.evaluate import _all_of, _any_of, _not
from antumbra.proofs.kernel.ground import Ground, Rejected
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import Signature
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    cos,
    eq,
    exp,
    function,
    ge,
    gt,
    iff,
    implies,
    log,
    ne,
    rational,
    root,
    sin,
    sqrt,
    unique,
)
from deciding import SETTING, encloses, holds, model, say, t, value
from flint import arb, ctx
from hypothesis import strategies as st

# --- an "interval" exponential that misses the value -----------------------------------------------------------------

MISSED = Fraction(3893924827815215, 1 << 50)


def within(low: Fraction, high: Fraction, exact: arb) -> bool:
    """Whether a ball of high precision lies between two rationals."""
    return bool(ball(low) <= exact) and bool(exact <= ball(high))


def test_the_exponential_that_intervals_of_another_library_miss() -> None:
    with ctx.workprec(400):
        exact = ball(MISSED).exp()
        assert encloses(exact, "31.76928682610392584731")
    for bits in (53, 64, 200):
        with ctx.workprec(bits):
            ours = ball(MISSED).exp()
        kernel = value(exp(rational(MISSED)), precision=bits)
        with ctx.workprec(400):
            assert ours.contains(exact)
            assert isinstance(kernel, arb)
            assert kernel.contains(exact)
            assert within(*exp_at(MISSED, bits), exact)


@hypothesis.given(st.fractions(-40, 40, max_denominator=1 << 55), st.sampled_from([30, 53, 80]))
@hypothesis.settings(max_examples=150, deadline=None)
def test_exponentials_are_enclosed(argument: Fraction, bits: int) -> None:
    """Wherever it is taken: by the kernel's evaluator, and by the checker with integers alone."""
    with ctx.workprec(300):
        exact = ball(argument).exp()
        low, high = exp_at(argument, bits)
        assert within(low, high, exact)
        assert high - low <= high / 2 ** (bits - 8)
    found = value(exp(rational(argument)), precision=bits)
    with ctx.workprec(300):
        assert found == 1 if isinstance(found, Fraction) else found.contains(exact)


# --- Lambert's W at its branch point ---------------------------------------------------------------------------------

BELOW = Fraction(-math.exp(-1))
"""The double nearest to −1/e; it lies below it."""
ABOVE = Fraction(math.nextafter(-math.exp(-1), 0))


def test_lambert_w_at_the_branch_point() -> None:
    # Below −1/e there is no real value, and 0 is the convention of the terms; just above it is −1 to about 1e−8.
    assert encloses(value(function("W", rational(BELOW))), "0.0000000000")
    assert encloses(value(function("W", rational(ABOVE))), "-0.99999998469574587150")
    assert say(gt(rational(BELOW), -exp(-1))) == "refuted"
    assert holds(gt(rational(ABOVE), -exp(-1))) is True
    # Where it cannot be decided on which side a number lies, there is no value rather than a wrong one.
    unknown = value(function("W", -exp(-1) * (exp(1) * exp(-1))))
    assert isinstance(unknown, Fraction) or not unknown.is_finite() or encloses(unknown, "-1.0000000")


def test_floats_near_the_branch_point_say_that_they_do_not_know() -> None:
    for number in (float(BELOW), float(ABOVE), float(BELOW) + 1e-9):
        cell = running_error._lambert_cell(running_error.constant(number))
        assert np.isnan(cell.value)
        assert np.isinf(cell.error)
    certain = running_error._lambert_cell(running_error.constant(1.0))
    assert abs(certain.value.item() - 0.5671432904097838) <= certain.error.item() < 1e-13


# --- roots that are not there, or are others -------------------------------------------------------------------------


def bracketed(
    body: Callable[[arb], arb], slope: Callable[[arb], arb], low: int | Fraction, high: int | Fraction
) -> arb:
    with ctx.workprec(120):
        return balls.root(body, slope, Fraction(low), Fraction(high))


def test_a_function_without_a_root_has_none() -> None:
    """From 20, a library reports 27.176 as a root of 6/(e^{3b} + 9)."""
    falling = 6 / (exp(3 * t) + 9)
    assert say(gt(falling, 0)) == "proved"
    for low, high in ((0, 30), (20, 40), (-5, 5)):
        assert holds(unique("t", low, high, falling)) is False
        assert value(root("t", falling, low, high)) == 0
        with pytest.raises(NeedPrecisionError):
            bracketed(
                lambda b: 6 / ((3 * b).exp() + 9),
                lambda b: -18 * (3 * b).exp() / ((3 * b).exp() + 9) ** 2,
                low,
                high,
            )


@pytest.mark.parametrize("body", [t**2 + 1, exp(t), exp(-(t**2)) + rational(Fraction(1, 10**30)), 1 / (1 + t**2)])
def test_no_root_is_found_where_there_is_none(body: object) -> None:
    """The same kind: touching zero from afar, or never."""
    assert holds(unique("t", -5, 5, body)) is not True  # type: ignore[arg-type]
    with pytest.raises(Rejected):
        exact.direct(Proof(Ground(Signature(SETTING), (), ()), "claim", "part", unique("t", -5, 5, body)))  # type: ignore[arg-type]


def test_the_root_is_the_one_asked_for() -> None:
    """From 3, a library finds −2.0054… as the root of (s − 2) e^s − 99 (s + 2); wanted is the one above 2."""
    body = (t - 2) * exp(t) - 99 * (t + 2)
    assert encloses(value(root("t", body, 2, INFINITY)), "5.37656845744173342447")
    assert holds(unique("t", 2, INFINITY, body)) is True
    assert holds(unique("t", -3, 10, body)) in (False, None)
    assert evaluate("lambda_c", {"n": "100", "beta": "1"}, 21).value == "5.37656845744173342447"
    assert evaluate("lambda_c", {"n": "100", "beta": "2"}, 15).value == "2.68828422872086"


# --- a zero test needs a proof or a ball -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        eq(rational(Fraction("6.9e-10")), 0),
        eq(rational(Fraction("2e-13")), rational(Fraction("1e-13"))),
        eq(rational(Fraction("1e-20")), 0),
        eq(exp(rational(Fraction("1e-20"))), 1),
        eq(exp(rational(Fraction("1e-40"))) - 1, rational(Fraction("1e-40"))),
        eq(sqrt(2) * sqrt(3), sqrt(6) + rational(Fraction(1, 10**60))),
        ge(0, rational(Fraction(1, 10**400))),
        ge(log(3) * 0, exp(-500)),
    ],
)
def test_small_is_not_zero(formula: Formula) -> None:
    assert holds(formula) is False
    assert say(formula) == "refuted"


def test_a_sign_is_decided_or_asked_again() -> None:
    with ctx.workprec(80):
        assert sign_now(ball(Fraction("6.9e-10"))) == 1
        assert sign_now(ball(Fraction(-1, 10**300))) == -1
        with pytest.raises(NeedPrecisionError):
            sign_now(arb(2).sqrt() ** 2 - 2)


# --- three-valued comparison -----------------------------------------------------------------------------------------

UNDECIDABLE = [
    gt(sin(1) ** 2 + cos(1) ** 2, 1),
    ge(sin(1) ** 2 + cos(1) ** 2, 1),
    eq(sin(1) ** 2 + cos(1) ** 2, 1),
    ne(sin(1) ** 2 + cos(1) ** 2, 1),
]


@pytest.mark.parametrize("formula", UNDECIDABLE)
def test_what_no_ball_decides_is_neither_true_nor_false(formula: Formula) -> None:
    ground = witness.Ground(Signature(SETTING))
    assert holds(formula) is None
    assert holds(implies(gt(t, 5), formula), t=0) is True
    assert holds(implies(gt(t, 5), formula), t=6) is None
    assert holds(iff(formula, formula)) is None
    for sense in ("holds", "fails"):
        with pytest.raises(witness.WitnessError):
            witness.certify(ground, formula, model(), sense=sense, claim="claim", part="part")


def test_not_undecided_is_undecided() -> None:
    """[0, 1] < [0.5, 2] is None in a library, so that "not less" looks proved."""
    assert [_not(word) for word in (True, False, None)] == [False, True, None]
    assert [_all_of([True, None]), _all_of([None, False]), _all_of([])] == [None, False, True]
    assert [_any_of([False, None]), _any_of([None, True]), _any_of([])] == [None, True, False]
    left, right = arb(0.5, 0.5), arb(1.25, 0.75)
    with pytest.raises(NeedPrecisionError):
        sign_now(right - left)
    with pytest.raises(NeedPrecisionError):
        sign_now(left - right)


# --- digits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [5, 15, 40, 300])
def test_every_digit_shown_is_right(digits: int) -> None:
    """Truncated, not rounded: by a library of higher precision and another formula for each."""
    with mpmath.workdps(digits + 30):
        wanted = {
            ("beta_star", "H=2 n=64 alpha=1"): (mpmath.log(63) - mpmath.log((1 + mpmath.sqrt(5)) / 2)) / 2,
            ("c_star", "H=5"): mpmath.sqrt(5) - 2,
            ("lambda_max", "n=7 beta=3"): (1 + mpmath.lambertw(6 * mpmath.exp(-1))) / 3,
            ("entropy", "gamma=0.25 lambda=2 beta=1 n=5"): _entropy(mpmath.mpf("1.5"), 4),
        }
        for (name, words), exact in wanted.items():
            parameters = dict(word.split("=") for word in words.split())
            shown = evaluate(name, parameters, digits).value
            assert shown is not None
            assert mpmath.nstr(exact, digits + 20, strip_zeros=False).startswith(shown), name


def _entropy(s: mpmath.mpf, others: int) -> mpmath.mpf:
    own = mpmath.exp(s) / (mpmath.exp(s) + others)
    other = 1 / (mpmath.exp(s) + others)
    return -own * mpmath.log(own) - others * other * mpmath.log(other)
