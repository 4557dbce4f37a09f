"""Every quantity against another formula or its definition, at random parameters, to the digits asked for."""

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from antumbra.numerics.quantities import QUANTITIES, Quantity, evaluate
from mpmath import mp, mpf

DIGITS = (5, 30, 100, 300)


def rational(text: str) -> mpf:
    value = Fraction(text)
    return mpf(value.numerator) / value.denominator


def exact(value: Fraction) -> mpf:
    return mpf(value.numerator) / value.denominator


def drawn(seed: int) -> random.Random:
    return random.Random(seed)


def fraction(rng: random.Random, low: float, high: float) -> str:
    """A fraction in [low, high] whose denominator is not a power of two."""
    denominator = rng.choice([3, 7, 30, 97, 1000])
    return f"{rng.randint(round(low * denominator), round(high * denominator))}/{denominator}"


def significant(text: str) -> int:
    """Number of significant digits printed."""
    mantissa = text.lstrip("-").split("e")[0].replace(".", "").lstrip("0")
    return len(mantissa)


def agrees(quantity: Quantity, expected: mpf, index: int = 0) -> None:
    """The proven digits are those of the second opinion, all of them, truncated toward zero."""
    number = quantity.numbers[index]
    assert exact(number.lower) <= expected <= exact(number.upper), (quantity, mp.nstr(expected, 30))
    assert significant(number.value) == quantity.digits
    assert abs(rational(number.value)) <= abs(expected)


def changes_sign(quantity: Quantity, function: Callable[[mpf], mpf], index: int = 0) -> None:
    """The function has opposite signs at both ends of the enclosure."""
    number = quantity.numbers[index]
    assert function(exact(number.lower)) * function(exact(number.upper)) < 0
    assert significant(number.value) == quantity.digits


@pytest.fixture(params=DIGITS, ids=lambda digits: f"D{digits}")
def digits(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(autouse=True)
def _precision(request: pytest.FixtureRequest) -> object:
    asked = request.getfixturevalue("digits") if "digits" in request.fixturenames else 30
    with mpmath.workdps(asked + 25):
        yield


def quad(function: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf:
    """Quadrature of a second opinion."""
    return mp.quad(function, [low, high])


def star(heads: int) -> mpf:
    return (mp.sqrt((heads - 1) ** 2 + 4) - (heads - 1)) / 2


@pytest.mark.parametrize("seed", range(3))
def test_thresholds_of_theorem_19(digits: int, seed: int) -> None:
    rng = drawn(seed)
    heads, alpha = rng.randint(2, 9), fraction(rng, 0.2, 5)
    n = rng.randint(2 * heads**2, 5 * heads**2)
    agrees(evaluate("c_star", {"H": str(heads)}, digits), mp.exp(-mp.asinh(mpf(heads - 1) / 2)))
    c = star(heads)
    parameters = {"H": str(heads), "n": str(n), "alpha": alpha}
    agrees(evaluate("beta_star", parameters, digits), mp.log(c**2 * (n - 1) / (1 - c**2)) / (2 * rational(alpha)))
    changes_sign(
        evaluate("beta_sharp", parameters, digits),
        lambda b: (heads - 1) * mp.exp(2 * b * rational(alpha)) - (n - 1),
    )


@pytest.mark.parametrize("seed", range(3))
def test_shape_of_phi(digits: int, seed: int) -> None:
    rng = drawn(seed)
    n, beta, scale = rng.randint(2, 60), fraction(rng, 0.3, 9), fraction(rng, -3, 3)
    b, m = rational(beta), n - 1
    parameters = {"n": str(n), "beta": beta}
    # The slope of phi has the sign of e^u (1 - u) + n - 1.
    changes_sign(evaluate("lambda_max", parameters, digits), lambda x: mp.exp(x * b) * (1 - x * b) + m)
    changes_sign(evaluate("lambda_c", parameters, digits), lambda x: mp.tanh((x * b - mp.log(m)) / 2) - 2 / (x * b))
    value = evaluate("phi", {"lambda": scale, **parameters}, digits)
    if rational(scale) != 0:
        expected = rational(scale) / m * (1 - mp.tanh((rational(scale) * b - mp.log(m)) / 2))
        agrees(value, expected)


@pytest.mark.parametrize("seed", range(3))
def test_delta_star_is_where_the_split_stops_helping(digits: int, seed: int) -> None:
    rng = drawn(seed)
    n, beta = rng.randint(2, 40), fraction(rng, 0.5, 5)
    bound = Fraction(evaluate("lambda_c", {"n": str(n), "beta": beta}, 5).value or "")
    mean = str(bound * Fraction(rng.randint(101, 200), 100))
    b, middle = rational(beta), rational(mean)

    def phi(scale: mpf) -> mpf:
        return 2 * scale / (mp.exp(scale * b) + n - 1)

    found = evaluate("delta_star", {"lambda": mean, "beta": beta, "n": str(n)}, digits)
    changes_sign(found, lambda d: phi(middle + d) + phi(middle - d) - 2 * phi(middle))
    assert found.numbers[0].lower > 0
    assert found.numbers[0].upper < Fraction(mean)


@pytest.mark.parametrize("seed", range(3))
def test_gamma_dagger_is_where_the_rate_stops_being_convex(digits: int, seed: int) -> None:
    rng = drawn(seed)
    n, beta, scale = rng.randint(2, 40), fraction(rng, 0.5, 9), fraction(rng, 0.5, 5)
    b, s = rational(beta), rational(scale)

    def bend(gamma: mpf) -> mpf:
        # Second derivative in lambda of lambda / (e^(lambda t) + m), up to positive factors.
        t, m = b * (1 - gamma), n - 1
        e = mp.exp(s * t)
        return (s * t - 2) * e - (s * t + 2) * m

    changes_sign(evaluate("gamma_dagger", {"lambda": scale, "beta": beta, "n": str(n)}, digits), bend)


def gammas(rng: random.Random, n: int, low: float | None = None) -> tuple[str, str]:
    first = fraction(rng, -1 / (n - 1) * 0.6 if low is None else low, 0.3)
    return first, fraction(rng, 0.45, 0.98)


@pytest.mark.parametrize("field", ["softmax_time", "usa_time"])
@pytest.mark.parametrize("scales", ["3/7", "1,1/3", "2,2,2", "3/2,-1/5"])
def test_flow_times_are_integrals_of_one_over_the_speed(digits: int, field: str, scales: str) -> None:
    rng = drawn(len(scales))
    n, beta = rng.randint(2, 12), fraction(rng, 0.4, 3)
    first, last = gammas(rng, n)
    b, lambdas = rational(beta), [rational(entry) for entry in scales.split(",")]

    def slowness(gamma: mpf) -> mpf:
        if field == "softmax_time":
            speed = 2 * sum(s / (mp.exp(b * s * (1 - gamma)) + n - 1) for s in lambdas)
        else:
            speed = 2 * sum(s * mp.exp(b * s * gamma) for s in lambdas) / n
        return 1 / ((1 - gamma) * (1 + (n - 1) * gamma) * speed)

    parameters = {"lambda": scales, "beta": beta, "n": str(n), "gamma0": first, "gamma1": last}
    agrees(evaluate(field, parameters, digits), quad(slowness, rational(first), rational(last)))


def test_negative_heads_move_backwards(digits: int) -> None:
    parameters = {"lambda": "-1/3", "beta": "2", "n": "4", "gamma0": "1/2", "gamma1": "-1/5"}
    scale = -mpf(1) / 3

    def slowness(g: mpf) -> mpf:
        return (mp.exp(2 * scale * (1 - g)) + 3) / (2 * scale * (1 - g) * (1 + 3 * g))

    agrees(evaluate("softmax_time", parameters, digits), quad(slowness, mpf(1) / 2, -mpf(1) / 5))


@pytest.mark.parametrize("seed", range(2))
def test_relu_time(digits: int, seed: int) -> None:
    rng = drawn(seed)
    n, scale = rng.randint(2, 30), fraction(rng, 0.3, 3)
    first, last = gammas(rng, n, low=0.05)
    s = rational(scale)

    def slowness(gamma: mpf) -> mpf:
        return n / (2 * s**2 * gamma * (1 - gamma) * (1 + (n - 1) * gamma))

    parameters = {"lambda": scale, "n": str(n), "gamma0": first, "gamma1": last}
    agrees(evaluate("relu_time", parameters, digits), quad(slowness, rational(first), rational(last)))


@pytest.mark.parametrize(
    ("digits", "scales"),
    [(5, "3/4,-1/9"), (30, "3/4,-1/9"), (30, "1,1/2"), (100, "1,1/2"), (100, "2/3,2/3"), (300, "1,1/2")],
    indirect=["digits"],
)
def test_late_constant_by_the_integral_of_the_theorem(digits: int, scales: str) -> None:
    n, beta, start = 5, mpf(3) / 2, mpf(1) / 7
    lambdas = [rational(entry) for entry in scales.split(",")]
    total = sum(lambdas)

    def integrand(gamma: mpf) -> mpf:
        rho = (1 + (n - 1) * gamma) * sum(s / (mp.exp(beta * s * (1 - gamma)) + n - 1) for s in lambdas)
        return (total / rho - 1) / (1 - gamma)

    found = evaluate("late_constant", {"lambda": scales, "beta": "1.5", "n": str(n), "gamma0": "1/7"}, digits)
    with mpmath.workdps(digits + 60):  # near 1 the weights are as small as the digits lost
        agrees(found, (1 - start) * mp.exp(quad(integrand, start, mpf(1))))


def test_late_constant_of_one_head_in_closed_form(digits: int) -> None:
    n, a, start = 9, mpf(5) / 3, -mpf(1) / 11

    def part(gamma: mpf) -> mpf:
        return (
            -mp.ei(a * (1 - gamma))
            + mp.exp(a * n / (n - 1)) * mp.ei(-a * (1 + (n - 1) * gamma) / (n - 1))
            + (n - 1) * (mp.log(1 + (n - 1) * gamma) - mp.log(1 - gamma))
        ) / n

    end = (-mp.euler - mp.log(a) + mp.exp(a * n / (n - 1)) * mp.ei(-a * n / (n - 1)) + (n - 1) * mp.log(n)) / n
    for scales in ("1", "1,1,1"):
        parameters = {"lambda": scales, "beta": "5/3", "n": str(n), "gamma0": "-1/11"}
        agrees(evaluate("late_constant", parameters, digits), mp.exp(end - part(start)))


def test_crossing_is_where_the_integrals_agree(digits: int) -> None:
    dimension, n, scale = 20, 7, mpf(3) / 2
    start, end = 1 / mp.sqrt(dimension), mpf(99) / 100

    def difference(beta: mpf) -> mpf:
        def integrand(g: mpf) -> mpf:
            softmax = (mp.exp(beta * scale * (1 - g)) + n - 1) / (2 * scale)
            relu = n / (2 * scale**2 * g)
            return (softmax - relu) / ((1 - g) * (1 + (n - 1) * g))

        return quad(integrand, start, end)

    changes_sign(evaluate("crossing_beta", {"d": "20", "n": "7", "lambda": "3/2"}, digits), difference)


@pytest.mark.parametrize("scale", ["2", "-3/7", "40", "-50"])
def test_entropy_is_its_definition(digits: int, scale: str) -> None:
    n, gamma, beta = 6, mpf(1) / 5, mpf(3) / 2
    scores = [rational(scale)] + [rational(scale) * gamma] * (n - 1)
    weights = [mp.exp(beta * s) for s in scores]
    total = sum(weights)
    with mpmath.workdps(digits + 60):
        weights = [mp.exp(beta * s) for s in scores]
        total = sum(weights)
        expected = -sum(w / total * mp.log(w / total) for w in weights)
        found = evaluate("entropy", {"gamma": "1/5", "lambda": scale, "beta": "1.5", "n": str(n)}, digits)
        number = found.numbers[0]
        # The scores are rounded to the outer precision; the tolerance is theirs.
        slack = mpf(10) ** (-digits - 15)
        assert exact(number.lower) - slack <= expected <= exact(number.upper) + slack
        assert significant(number.value) == digits


def margin(heads: int, n: int, a: mpf, gamma: mpf) -> mpf:
    """Condition 8 with f and a of the definitions: ||Pf||^2 - ||f|| (H-1) |a|, up to lambda^2."""
    own, other = mp.exp(a), mp.exp(a * gamma)
    # f = own x_i + other sum_{j != i} x_j, with inner products gamma.
    shadow = own + (n - 1) * other * gamma
    square = own**2 + 2 * own * other * (n - 1) * gamma + other**2 * ((n - 1) + (n - 1) * (n - 2) * gamma)
    return square - shadow**2 - mp.sqrt(square) * (heads - 1) * abs(shadow)


@pytest.mark.parametrize(("heads", "n", "ratio"), [(2, 64, "6/5"), (2, 9, "1.001"), (3, 40, "1.05"), (2, 20, "1/3")])
def test_dominance_window_is_where_the_condition_changes(digits: int, heads: int, n: int, ratio: str) -> None:
    c = star(heads)
    a = rational(ratio) * mp.log(c**2 * (n - 1) / (1 - c**2)) / 2
    parameters = {"H": str(heads), "n": str(n), "beta_ratio": ratio, "lambda": "2/3"}
    found = evaluate("dominance_window", parameters, digits)
    assert found.labels == ("gamma_minus", "gamma_plus")
    changes_sign(found, lambda g: margin(heads, n, a, g), 1)
    if Fraction(ratio) < 1:
        assert found.numbers[0].value == "0"
        assert found.numbers[0].radius == "0"
    else:
        changes_sign(found, lambda g: margin(heads, n, a, g), 0)
    low, high = found.numbers[0].upper, found.numbers[1].lower
    inside = [exact(low + (high - low) * Fraction(k, 20)) for k in range(1, 20)]
    assert all(margin(heads, n, a, g) > 0 for g in inside)
    assert all(margin(heads, n, a, exact(high + (1 - high) * Fraction(k, 20))) < 0 for k in range(1, 20))
    assert evaluate("gamma_exit", parameters, digits).numbers[0] == found.numbers[1]


@pytest.mark.parametrize(("beta", "start"), [("1.1", None), ("1", "1/9"), ("0.8", "-1/100")])
def test_critical_time_is_the_integral_over_the_window(digits: int, beta: str, start: str | None) -> None:
    heads, n, scale = 2, 40, mpf(5) / 4
    parameters = {"H": "2", "n": str(n), "beta": beta, "lambda": "5/4"}
    ends = evaluate("dominance_window", parameters, digits + 40).numbers
    a = rational(beta) * scale
    low = rational(start) if start else exact(ends[0].lower)

    def slowness(g: mpf) -> mpf:
        return n / (2 * (1 - g) * (1 + (n - 1) * g) * heads * scale * mp.exp(a * g))

    given = parameters if start is None else {**parameters, "gamma0": start}
    agrees(evaluate("critical_time", given, digits), quad(slowness, low, exact(ends[1].lower)))


@pytest.mark.parametrize(("heads", "n"), [(2, 7), (2, 64), (3, 20), (4, 40)])
def test_beta_window_is_where_the_largest_margin_vanishes(digits: int, heads: int, n: int) -> None:
    c = star(heads)
    k = (heads - 1) / c
    unit = mp.log(c**2 * (n - 1) / (1 - c**2)) / 2

    def largest(ratio: mpf) -> mpf:
        a = ratio * unit

        def h(g: mpf) -> mpf:
            return mp.sqrt((n - 1) * (1 - g) * (1 + (n - 1) * g)) - mp.sqrt(k) * (mp.exp(a * (1 - g)) + (n - 1) * g)

        def slope(g: mpf) -> mpf:
            inner = (n - 1) * (1 - g) * (1 + (n - 1) * g)
            change = (n - 1) * ((n - 2) - 2 * (n - 1) * g)
            return change / (2 * mp.sqrt(inner)) - mp.sqrt(k) * (n - 1 - a * mp.exp(a * (1 - g)))

        bracket, tolerance = (mpf("1e-9"), mpf("0.9")), mpf(10) ** (-digits - 20)
        return h(mp.findroot(slope, bracket, solver="anderson", tol=tolerance, maxsteps=400))

    with mpmath.workdps(2 * digits + 40):
        changes_sign(evaluate("beta_window", {"H": str(heads), "n": str(n), "lambda": "1"}, digits), largest)


REFERENCES = [
    ("late_constant", {"lambda": "1,1/2", "beta": "2", "n": "6", "gamma0": "0"}, "18.594832028680443486"),
    ("lambda_c", {"n": "2", "beta": "1"}, "2.39935728"),
    ("lambda_c", {"n": "8", "beta": "1"}, "3.33261097"),
    ("lambda_c", {"n": "100", "beta": "1"}, "5.37656845744"),
    ("crossing_beta", {"d": "64", "n": "8", "lambda": "1"}, "4.435372845940151"),
    ("crossing_beta", {"d": "1024", "n": "64", "lambda": "1"}, "7.356908288057579"),
    ("critical_time", {"H": "2", "n": "64", "beta_ratio": "6/5", "lambda": "1"}, "0.43488509239722"),
    ("gamma_exit", {"H": "2", "n": "64", "beta_ratio": "1.2", "lambda": "1"}, "0.29166208585"),
    ("beta_window", {"H": "2", "n": "64", "lambda": "1"}, "1.4268"),
    ("softmax_time", {"lambda": "1", "beta": "2", "n": "4", "gamma0": "0", "gamma1": "0.9"}, "2.74598984955958"),
]


@pytest.mark.parametrize(("name", "parameters", "printed"), REFERENCES, ids=lambda value: str(value)[:24])
def test_reference_numbers_to_every_digit_printed(name: str, parameters: dict[str, str], printed: str) -> None:
    assert evaluate(name, parameters, significant(printed)).value == printed
    assert (evaluate(name, parameters, 40).value or "").startswith(printed)


def test_reference_window() -> None:
    found = evaluate("dominance_window", {"H": "2", "n": "64", "beta_ratio": "6/5", "lambda": "1"}, 10)
    assert [number.value for number in found.numbers] == ["0.02798042759", "0.2916620858"]


def test_every_quantity_is_tested_here() -> None:
    text = Path(__file__).read_text()
    assert [name for name in QUANTITIES if f'"{name}"' not in text] == []
