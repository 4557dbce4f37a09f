"""Edges, answers that are no numbers, domain errors, records, and what the module imports."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest
from antumbra.numerics.quantities import MOST_DIGITS, QUANTITIES, DomainError, UndecidedError, evaluate
from antumbra.numerics.quantities.balls import (
    NeedPrecisionError,
    ball,
    decimal_text,
    exact_digits,
    root,
    sign,
    truncated,
)
from antumbra.numerics.quantities.parse import number
from flint import arb, ctx


def value(name: str, digits: int = 15, **parameters: str) -> str | None:
    """The value with `lambda` written as `scale`."""
    return evaluate(name, {key.replace("scale", "lambda"): text for key, text in parameters.items()}, digits).value


def reason(name: str, **parameters: str) -> str | None:
    return evaluate(name, {key.replace("scale", "lambda"): text for key, text in parameters.items()}).reason


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("c_star", {"H": "1"}, "1"),
        ("phi", {"scale": "0", "beta": "3", "n": "4"}, "0"),
        ("phi", {"scale": "-1", "beta": "1e8", "n": "3"}, "-0.999999999999999"),
        ("phi", {"scale": "1", "beta": "1e-900", "n": "2"}, "0.999999999999999"),
        ("softmax_time", {"scale": "1", "beta": "2", "n": "4", "gamma0": "1/2", "gamma1": "0.5"}, "0"),
        ("relu_time", {"scale": "1", "n": "4", "gamma0": "-0.1", "gamma1": "-1/10"}, "0"),
        ("entropy", {"gamma": "1", "scale": "3", "beta": "2", "n": "2"}, "0.693147180559945"),
        ("entropy", {"gamma": "0", "scale": "0", "beta": "2", "n": "2"}, "0.693147180559945"),
        ("critical_time", {"H": "2", "n": "6", "beta_ratio": "1", "scale": "1"}, "0"),
        ("delta_star", {"scale": "1e10", "beta": "4", "n": "8"}, "9999999999.99999"),
    ],
)
def test_exact_and_limiting_values(name: str, parameters: dict[str, str], expected: str) -> None:
    assert value(name, **parameters) == expected


def test_equal_heads_are_one_head_that_many_times_as_fast() -> None:
    common = {"beta": "2", "n": "4", "gamma0": "0", "gamma1": "0.9"}
    for name in ("softmax_time", "usa_time"):
        one = evaluate(name, {"lambda": "1/2", **common}, 40).numbers[0]
        three = evaluate(name, {"lambda": "0.5,1/2,5e-1", **common}, 40).numbers[0]
        assert three.lower <= one.upper / 3
        assert one.lower / 3 <= three.upper


def test_small_beta_tends_to_the_limit_without_beta() -> None:
    # [ln(1 + 3/2) + ln 2] / 2 at a -> 0.
    for beta in ("1e-30", "1e-900"):
        assert value("softmax_time", scale="1", beta=beta, n="4", gamma0="0", gamma1="1/2") == "0.804718956217050"
        assert value("usa_time", scale="1", beta=beta, n="4", gamma0="0", gamma1="1/2") == "0.804718956217050"


def test_huge_parameters_keep_all_digits() -> None:
    assert value("c_star", H="1e1000") == "1.00000000000000e-1000"
    assert value("lambda_c", n="1e1000", beta="1") == "2302.58683017109"
    assert value("softmax_time", scale="1", beta="1", n="1e1000", gamma0="0", gamma1="0.9") == "1152.39115878569"
    assert (value("softmax_time", scale="1", beta="1e4", n="4", gamma0="0", gamma1="0.9") or "").endswith("e4338")


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("beta_star", {"H": "1", "n": "3", "alpha": "1"}, "infinite"),
        ("beta_star", {"H": "2", "n": "2", "alpha": "1"}, "none"),
        ("beta_star", {"H": "3", "n": "5", "alpha": "1"}, "none"),
        ("beta_sharp", {"H": "1", "n": "3", "alpha": "1"}, "infinite"),
        ("beta_sharp", {"H": "3", "n": "3", "alpha": "1"}, "none"),
        ("relu_time", {"scale": "1", "n": "3", "gamma0": "0", "gamma1": "0.5"}, "infinite"),
        ("relu_time", {"scale": "1", "n": "3", "gamma0": "0.5", "gamma1": "0.4"}, "infinite"),
        ("softmax_time", {"scale": "1", "beta": "1", "n": "3", "gamma0": "0", "gamma1": "1"}, "infinite"),
        ("softmax_time", {"scale": "1", "beta": "1", "n": "3", "gamma0": "-1/2", "gamma1": "0"}, "infinite"),
        ("softmax_time", {"scale": "0", "beta": "1", "n": "3", "gamma0": "0", "gamma1": "0.5"}, "infinite"),
        ("softmax_time", {"scale": "1", "beta": "1", "n": "3", "gamma0": "0.5", "gamma1": "0"}, "infinite"),
        ("softmax_time", {"scale": "3,-2", "beta": "9", "n": "3", "gamma0": "0", "gamma1": "0.5"}, "infinite"),
        ("usa_time", {"scale": "1,-1", "beta": "1", "n": "3", "gamma0": "0", "gamma1": "0.5"}, "infinite"),
        ("usa_time", {"scale": "1,-1", "beta": "1", "n": "3", "gamma0": "-0.1", "gamma1": "0.5"}, "infinite"),
        ("late_constant", {"scale": "-1", "beta": "1", "n": "3", "gamma0": "0"}, "none"),
        ("late_constant", {"scale": "1,-1/2", "beta": "2", "n": "6", "gamma0": "0"}, "none"),
        ("crossing_beta", {"d": "64", "n": "8", "scale": "8"}, "none"),
        ("delta_star", {"scale": "1", "beta": "3", "n": "8"}, "none"),
        ("dominance_window", {"H": "2", "n": "64", "beta_ratio": "2", "scale": "1"}, "empty"),
        ("dominance_window", {"H": "2", "n": "2", "beta": "1", "scale": "1"}, "empty"),
        ("gamma_exit", {"H": "1", "n": "9", "beta": "1", "scale": "1"}, "none"),
        ("critical_time", {"H": "2", "n": "64", "beta": "100", "scale": "1"}, "empty"),
        ("critical_time", {"H": "1", "n": "9", "beta": "1", "scale": "1"}, "infinite"),
        ("beta_window", {"H": "2", "n": "6", "scale": "1"}, "none"),
        ("beta_window", {"H": "3", "n": "19", "scale": "1"}, "none"),
        ("beta_window", {"H": "4", "n": "39", "scale": "1"}, "none"),
    ],
)
def test_answers_that_are_no_numbers(name: str, parameters: dict[str, str], expected: str) -> None:
    assert reason(name, **parameters) == expected
    record = evaluate(name, {key.replace("scale", "lambda"): text for key, text in parameters.items()}).to_json()
    assert record["value"] is None
    assert record["reason"] == expected


def test_where_thresholds_begin() -> None:
    """The least n with beta* > 0, and with a window above beta*, as the theory has them."""
    for heads, least in ((2, 3), (3, 6)):
        assert reason("beta_star", H=str(heads), n=str(least), alpha="1") is None
        assert reason("beta_star", H=str(heads), n=str(least - 1), alpha="1") == "none"
    for heads, least in ((2, 7), (3, 20), (4, 40)):
        assert reason("beta_window", H=str(heads), n=str(least), scale="1") is None


def test_window_of_one_head_is_everything() -> None:
    found = evaluate("dominance_window", {"H": "1", "n": "5", "beta": "1", "lambda": "1"})
    assert [entry.value for entry in found.numbers] == ["0", "1"]


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("c_stra", {"H": "2"}, "did you mean c_star"),
        ("c_star", {}, "needs H"),
        ("c_star", {"H": "2", "n": "3"}, "no parameter 'n'"),
        ("c_star", {"H": "0"}, "H is 0; allowed are integers from 1"),
        ("c_star", {"H": "1.5"}, "H is 1.5; allowed are integers"),
        ("c_star", {"H": "nan"}, "H is 'nan'"),
        ("c_star", {"H": "inf"}, "H is 'inf'"),
        ("c_star", {"H": "1e999999999"}, "exponent 999999999"),
        ("c_star", {"H": "1/0"}, "over zero"),
        ("c_star", {"H": "2/1/1"}, "H is '1/1'"),
        ("c_star", {"H": "٣"}, "H is"),
        ("c_star", {"H": ""}, "H is ''"),
        ("c_star", {"H": "__import__('os')"}, "H is"),
        ("c_star", {"H": "9" * 2000}, "2000 characters"),
        ("beta_star", {"H": "2", "n": "1", "alpha": "1"}, "n is 1"),
        ("beta_star", {"H": "2", "n": "3", "alpha": "0"}, "alpha is 0; allowed are positive"),
        ("beta_star", {"H": "2", "n": "3", "alpha": "-1"}, "alpha is -1"),
        ("softmax_time", {"lambda": "1,", "beta": "1", "n": "3", "gamma0": "0", "gamma1": "1"}, "lambda is ''"),
        ("softmax_time", {"lambda": "1", "beta": "1", "n": "3", "gamma0": "-0.6", "gamma1": "1"}, "gamma0 is -3/5"),
        ("softmax_time", {"lambda": "1", "beta": "1", "n": "3", "gamma0": "0", "gamma1": "1.1"}, "gamma1 is 11/10"),
        ("late_constant", {"lambda": "1", "beta": "1", "n": "3", "gamma0": "1"}, "equilibrium"),
        ("entropy", {"gamma": "-1", "lambda": "1", "beta": "1", "n": "3"}, "gamma is -1"),
        ("relu_time", {"lambda": "-1", "n": "3", "gamma0": "0.1", "gamma1": "0.5"}, "lambda is -1"),
        ("crossing_beta", {"d": "1", "n": "3", "lambda": "1"}, "d is 1"),
        ("gamma_exit", {"H": "2", "n": "9", "lambda": "1"}, "neither was given"),
        ("gamma_exit", {"H": "2", "n": "9", "lambda": "1", "beta": "1", "beta_ratio": "1"}, "both was given"),
        ("gamma_exit", {"H": "2", "n": "2", "lambda": "1", "beta_ratio": "1"}, "beta\\* is not positive"),
        (
            "critical_time",
            {"H": "2", "n": "64", "lambda": "1", "beta_ratio": "6/5", "gamma0": "0"},
            "dominance does not hold",
        ),
    ],
)
def test_domain_errors_say_what_was_given_and_what_is_allowed(
    name: str, parameters: dict[str, str], message: str
) -> None:
    with pytest.raises(DomainError, match=message) as caught:
        evaluate(name, parameters)
    assert "allowed" in str(caught.value) or "needs" in str(caught.value)
    assert "give" in str(caught.value) or "did you mean" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("digits", [0, -1, MOST_DIGITS + 1])
def test_digits_out_of_range(digits: int) -> None:
    with pytest.raises(DomainError, match=f"digits is {digits}"):
        evaluate("c_star", {"H": "2"}, digits)


def test_values_beyond_print_and_integrals_beyond_reach_are_errors_not_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("antumbra.numerics.quantities.balls.EVALUATIONS", 10_000)
    with pytest.raises(UndecidedError, match="below 1e-100000"):
        value("phi", scale="1", beta="1e30", n="3")
    with pytest.raises(UndecidedError, match="evaluations"):
        value("usa_time", scale="1,1/2", beta="1e30", n="4", gamma0="0", gamma1="0.9")


@pytest.mark.parametrize("digits", [1, 2, 1000])
def test_digits_are_prefixes_of_each_other(digits: int) -> None:
    for name, parameters in (
        ("beta_star", {"H": "2", "n": "9", "alpha": "3"}),
        ("lambda_max", {"n": "9", "beta": "3"}),
        ("softmax_time", {"lambda": "2", "beta": "1", "n": "3", "gamma0": "0", "gamma1": "0.9"}),
        ("crossing_beta", {"d": "64", "n": "8", "lambda": "1"}),
        ("beta_window", {"H": "2", "n": "64", "lambda": "1"}),
    ):
        few, many = evaluate(name, parameters, digits).value, evaluate(name, parameters, digits + 40).value
        assert few is not None
        assert many is not None
        assert many.startswith(few)


def test_more_digits_than_python_writes_integers() -> None:
    found = evaluate("c_star", {"H": "2"}, 5000)
    assert len(found.value or "") == 5002


def test_json_records() -> None:
    record = evaluate("c_star", {"H": "2"}, 5).to_json()
    assert json.dumps(record) == (
        '{"name": "c_star", "parameters": {"H": "2"}, "value": "0.61803", "radius": "1e-5", "digits": 5}'
    )
    several = evaluate("dominance_window", {"H": "2", "n": "64", "beta_ratio": "1/2", "lambda": "1"}, 3).to_json()
    assert several["values"] == [{"value": "0", "radius": "0"}, {"value": "0.356", "radius": "1e-3"}]
    assert "value" not in several


def test_the_table_describes_every_parameter() -> None:
    for spec in QUANTITIES.values():
        assert spec.formula
        assert spec.source
        assert all(parameter.domain for parameter in spec.parameters)


def test_import_is_light() -> None:
    code = (
        "import sys; import antumbra.numerics.quantities as q; q.evaluate('c_star', {'H': '3'}); "
        "print([m for m in ('numpy', 'scipy', 'sympy', 'mpmath', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- the machinery ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.5", "1/2"), ("-3", "-3"), ("1e-2", "1/100"), (".5", "1/2"), ("5.", "5"), ("6/5", "6/5"), ("0.1/0.3", "1/3")],
)
def test_numbers_are_read_exactly(text: str, expected: str) -> None:
    assert number(text, "x") == Fraction(expected)


@pytest.mark.parametrize(
    ("exact", "digits", "expected"),
    [
        ("1/2", 15, "0.5"),
        ("2/3", 4, "0.6666"),
        ("-2/3", 4, "-0.6666"),
        ("18", 15, "18"),
        ("1234", 2, "1.2e3"),
        ("1200", 2, "1200"),
        ("1/3000000000", 2, "3.3e-10"),
        ("0", 3, "0"),
        ("999", 2, "9.9e2"),
    ],
)
def test_rationals_are_truncated_toward_zero_and_end_where_they_end(exact: str, digits: int, expected: str) -> None:
    assert exact_digits(Fraction(exact), digits).text() == expected


def test_bounds_of_a_truncated_number_enclose_it() -> None:
    for text in ("2/3", "-2/3", "1/2"):
        found = exact_digits(Fraction(text), 3)
        assert found.lower <= Fraction(text) <= found.upper
    assert exact_digits(Fraction(-2, 3), 3).lower == Fraction(-667, 1000)
    assert decimal_text(1, "123", -2, False) == "1.23"
    assert decimal_text(1, "123", 3, False) == "1.23e5"


def test_an_undecided_digit_is_an_error_not_a_guess() -> None:
    """A number that is a decimal without our knowing it has no proven truncation."""
    with pytest.raises(UndecidedError, match="not decided"):
        truncated(lambda: arb(1) / 3 * 3, 5, "one")
    with pytest.raises(UndecidedError, match="sign of nought"):
        sign(lambda: arb(1) / 3 * 3 - 1, "nought", last=400)


def test_no_root_is_no_number() -> None:
    """A solver without a bracket answers 27.176 where 6/(e^(3b) + 9) has no root."""
    with pytest.raises(NeedPrecisionError, match="equal signs"):
        root(lambda b: 6 / ((3 * b).exp() + 9), lambda b: -18 * (3 * b).exp(), Fraction(0), Fraction(40))


def test_a_root_is_the_one_in_its_bracket() -> None:
    """From 3, a solver without a bracket leaves for the negative root -2.0054."""
    with ctx.workprec(200):
        found = root(
            lambda s: (s - 2) * s.exp() - 99 * (s + 2), lambda s: (s - 1) * s.exp() - 99, Fraction(2), Fraction(20)
        )
        assert found.rel_accuracy_bits() > 160
        assert found.str(14, radius=False) == "5.3765684574417"
        cube = root(lambda x: x**3 - 2, lambda x: 3 * x**2, Fraction(0), Fraction(10))
        assert cube.overlaps(ball(2) ** ball(Fraction(1, 3)))


def test_precision_of_the_context_is_left_alone() -> None:
    before = ctx.prec
    evaluate("lambda_c", {"n": "8", "beta": "1"}, 300)
    assert ctx.prec == before
