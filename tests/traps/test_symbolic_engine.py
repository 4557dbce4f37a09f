"""The symbolic engine finds and never judges: what it gets wrong comes out right here, or undecided."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from antumbra.numerics.quantities import evaluate
from antumbra.numerics.quantities.parse import number
from antumbra.proofs import exact
from antumbra.proofs.kernel.ground import Ground, Rejected
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import Signature
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    Scalar,
    absolute,
    cos,
    eq,
    exp,
    function,
    ge,
    gt,
    iff,
    log,
    ne,
    pi,
    rate,
    rational,
    root,
    sin,
    sqrt,
    unique,
)
from deciding import SETTING, Word, a, b, encloses, holds, say, t, value, x
from flint import arb

half = rational(Fraction(1, 2))

# --- a limit with one sign assumed: lim x→∞ of (a e^{−ax} + b e^{−bx}) e^{bx} ----------------------------------------

mixture = (a * exp(-a * x) + b * exp(-b * x)) * exp(b * x)


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        # The form from which all three limits are read: b, 2b and infinity.
        (eq(mixture, b + a * exp((b - a) * x)), "proved"),
        (eq((b * exp(-b * x) + b * exp(-b * x)) * exp(b * x), 2 * b), "proved"),
        (gt(mixture, b), "proved"),
        (eq(mixture, b), "refuted"),
        (ge(mixture, 2 * b), "refuted"),
        (gt(3 * b, mixture), "refuted"),
        # The same kind: bounded for one sign of a difference only.
        (ge(1, exp((a - b) * x)), "refuted"),
        (eq(exp(a * x) / exp(b * x), exp((a - b) * x)), "proved"),
        (gt(exp(t * x), exp(-t * x)), "refuted"),
    ],
)
def test_no_sign_is_assumed(statement: Formula, word: Word) -> None:
    assert say(statement) == word


def test_the_three_limits_show_far_out() -> None:
    assert encloses(value(mixture, x=200, a=2, b=1), "1." + "0" * 80)
    assert value(mixture, x=200, a=1, b=1) == 2
    assert value(mixture, x=200, a=1, b=2) > arb(10) ** 80


# --- one branch of Lambert's W only: a/x + e^{x/2} = 0 at a = 1/2 ----------------------------------------------------

crossing = t * exp(t / 2) + half


def test_an_equation_with_two_solutions_has_not_one() -> None:
    assert holds(unique("t", -10, 0, crossing)) is False
    assert holds(unique("t", -10, -2, crossing)) is True
    assert holds(unique("t", -2, 0, crossing)) is True
    assert encloses(value(root("t", crossing, -2, 0)), "-0.71480591236277780613")
    assert encloses(value(root("t", crossing, -10, -2)), "-4.30658472822069929833")
    # "The" root is the convention's 0 where there are two: nothing is chosen in silence.
    assert value(root("t", crossing, -10, 0)) == 0
    # W is the principal branch, and says so by its value.
    assert encloses(value(2 * function("W", rational(Fraction(-1, 4)))), "-0.71480591236277780613")


def test_a_quadratic_in_disguise_has_two_solutions() -> None:
    """The same kind: e^{2t} − 3 e^t + 2 vanishes at 0 and at ln 2."""
    twice = exp(2 * t) - 3 * exp(t) + 2
    assert holds(unique("t", -1, 1, twice)) in (False, None)
    assert holds(unique("t", half, 1, twice)) is True
    assert encloses(value(root("t", twice, half, 1)), "0.6931471805599453…")


@pytest.mark.parametrize("low", [-10, -1000])
def test_that_there_is_one_solution_is_not_proved_where_there_are_two(low: int) -> None:
    statement = unique("t", low, 0, crossing)
    with pytest.raises(Rejected):
        exact.direct(Proof(Ground(Signature(SETTING), (), ()), "claim", "part", statement))


# --- an inequality refused, once answered False: 1 − x − e^{−2x} > 0, x > 0 ------------------------------------------

bump = 1 - t - exp(-2 * t)
edge = 1 + function("W", -2 * exp(-2)) / 2


def test_an_inequality_that_holds_on_an_interval_only() -> None:
    above = 1 - x - exp(-2 * x)
    assert say(gt(above, 0)) == "refuted"
    assert say(ge(0, above)) == "refuted"
    assert say(gt(1, above)) == "proved"
    start = rational(Fraction(1, 100))
    assert holds(unique("t", start, INFINITY, bump)) is True
    assert encloses(value(root("t", bump, start, INFINITY)), "0.796812130020020046…")
    assert encloses(value(edge), "0.796812130020020046…")


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        (Fraction(1, 10**9), True),
        (Fraction(2, 3), True),
        (Fraction(79681213002, 10**11), True),
        (Fraction(79681213003, 10**11), False),
        (Fraction(10**6), False),
        (Fraction(-1, 10**9), False),
        (Fraction(0), False),
    ],
)
def test_on_which_side_of_its_end(point: Fraction, inside: bool) -> None:
    assert holds(gt(bump, 0), t=point) is inside
    assert holds(gt(edge, t), t=point) is (point < Fraction(796812130025, 10**12))


# --- monotonicity certified by a library -----------------------------------------------------------------------------

hump = 2 * t / (exp(t) + 3)


@pytest.mark.parametrize(
    ("statement", "domain", "word"),
    [
        (ge(rate("d_t", t**3), 0), (), "proved"),
        (gt(rate("d_t", t**3), 0), (), "refuted"),
        (ge(0, rate("d_t", t**3)), (), "refuted"),
        (gt(rate("d_x", x - 1 / x**2), 0), (), "proved"),
        (gt(rate("d_t", t - 1 / t**2), 0), (ne(t, 0),), "refuted"),
        (ge(0, rate("d_t", t - 1 / t**2)), (ne(t, 0),), "refuted"),
        (ge(rate("d_t", hump), 0), (), "refuted"),
        (ge(0, rate("d_t", hump)), (), "refuted"),
        # The same kind: decreasing only for one sign of what stands in the exponent.
        (gt(0, rate("d_x", exp(-a * x))), (), "proved"),
        (gt(0, rate("d_x", exp(-t * x))), (), "refuted"),
    ],
)
def test_monotonicity_is_a_sign_of_the_derivative(statement: Formula, domain: tuple[Formula, ...], word: Word) -> None:
    assert say(statement, domain) == word


# --- recognising a constant is not proving it ------------------------------------------------------------------------


def test_a_rational_stays_itself() -> None:
    exactly = Fraction(-9072, 12245)
    assert value(rational(exactly)) == exactly
    assert number("-9072/12245", "value") == exactly
    assert say(eq(rational(exactly), rational(exactly + Fraction(1, 10**30)))) == "refuted"
    assert say(eq(12245 * rational(exactly), -9072)) == "proved"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (exp(pi * sqrt(163)), 640320**3 + 744),  # twelve zeros after the point
        (exp(pi) - pi, 20),
        (sqrt(2) + sqrt(3), pi),
        (log(640320**3 + 744) / sqrt(163), pi),
    ],
)
def test_what_agrees_to_many_digits_is_not_equal(left: Scalar, right: Scalar | int) -> None:
    assert say(eq(left, right)) == "refuted"


# --- equality is decided, or it is not -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        # sqrt(a² + 2ab + b²) − (a + b) = 0 for a, b > 0: None of a library is neither true nor false.
        (eq(sqrt(a**2 + 2 * a * b + b**2) - (a + b), 0), {"proved", "undecided"}),
        (eq(sqrt((a + b) ** 2), a + b), {"proved", "undecided"}),
        (eq(sqrt(a**2 - 2 * a * b + b**2), a - b), {"refuted"}),
        (eq(sqrt(t**2), t), {"refuted"}),
        (eq(sqrt(t**2), absolute(t)), {"proved"}),
        (eq(sqrt(a**2) * sqrt(b**2), a * b), {"proved"}),
        # A library's word: sin² x + cos² x + 10⁻¹⁷ equals 1.
        (eq(sin(t) ** 2 + cos(t) ** 2, 1), {"proved", "undecided"}),
        (eq(sin(t) ** 2 + cos(t) ** 2 + rational(Fraction(1, 10**17)), 1), {"refuted"}),
        (eq(sin(t) ** 2 + cos(t) ** 2 + rational(Fraction(1, 10**300)), 1), {"refuted"}),
        (eq(exp(t) * exp(-t), 1), {"proved"}),
        (eq(exp(t) * exp(-t), 1 - rational(Fraction(1, 10**40))), {"refuted"}),
        # An unevaluated product with zero is zero; where a factor is undefined, nothing is proved.
        (eq(Scalar(("*", rational(0), t)), 0), {"proved"}),
        (eq(Scalar(("*", rational(0), t, ("exp", t))), 0), {"proved"}),
        (eq(Scalar(("*", rational(0), ("inv", x))), 0), {"proved"}),
        (eq(Scalar(("*", rational(0), ("inv", t))), 0), {"undecided"}),
        (ne(Scalar(("*", rational(0), t)), 0), {"refuted"}),
        (eq(Scalar(("+", t, ("*", rational(-1), t))), 0), {"proved"}),
        (iff(gt(x * t, 0), gt(t, 0)), {"proved", "undecided"}),
        (iff(gt(a * t, 0), gt(-t, 0)), {"refuted"}),
    ],
)
def test_equality(statement: Formula, words: set[Word]) -> None:
    assert say(statement) in words


# --- an integral without an answer in minutes ------------------------------------------------------------------------


def test_the_softmax_time() -> None:
    """For four tokens at inverse temperature 2, from 0 to 9/10."""
    parameters = {"lambda": "1", "beta": "2", "n": "4", "gamma0": "0", "gamma1": "0.9"}
    assert evaluate("softmax_time", parameters, 15).value == "2.74598984955958"
    found = [evaluate("softmax_time", parameters, digits).value for digits in (20, 50, 200)]
    for shorter, longer in pairwise(found):
        assert longer is not None
        assert shorter is not None
        assert longer.startswith(shorter)
    # Another route to sixty digits: quadrature of a library that does not enclose.
    with mpmath.workdps(75):
        time = mpmath.quad(
            lambda g: (mpmath.exp(2 * (1 - g)) + 3) / (2 * (1 - g) * (1 + 3 * g)), [0, 0.3, 0.6, mpmath.mpf(9) / 10]
        )
        assert mpmath.nstr(time, 50, strip_zeros=False)[:49] == evaluate("softmax_time", parameters, 60).value[:49]  # type: ignore[index]
