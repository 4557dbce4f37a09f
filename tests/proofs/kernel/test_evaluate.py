"""The evaluator against values worked out by hand, and against other libraries where no hand reaches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from antumbra.proofs.kernel.evaluate import (
    EvaluationError,
    Model,
    Signature,
    UndecidedError,
    UndefinedError,
    evaluate_formula,
    evaluate_scalar,
    evaluate_vector,
)
from flint import arb, ctx
from terms_strategy import OBJECTS, q, s, vec

SIGNATURE = Signature.of(OBJECTS)
F = Fraction
MODEL = Model(
    {"token": 2, "head": 2, "axis": 2},
    {"r": F(1, 2), "t": -3, "b": 7, "p": 2, "w": 0, "c": [3, 5], "m": [2, -1], "z": [[1, 2], [3, 4]]},
    {"x": [[F(3, 5), F(4, 5)], [1, 0]], "y": [2, -1], "o": [1, 1]},
    {
        "M": [[[1, 2], [2, 3]], [[0, 1], [-1, 0]]],
        "W": [[[1, 2], [2, 3]], [[0, 1], [-1, 0]]],
        "Q": [[[1, 0], [0, 0]], [[0, 0], [0, 1]]],
        "A": [[1, 4], [0, 1]],
    },
)
PLACE = {"i": 0, "j": 1, "h": 0, "g": 1, "a": 1}


def at(term: Any, **more: int) -> Fraction | arb:
    return evaluate_scalar(SIGNATURE, MODEL, term, indices={**PLACE, **more})


def exact(term: Any) -> Fraction:
    value = at(term)
    assert isinstance(value, Fraction), f"{term} gave a ball"
    return value


def close(value: Fraction | arb, expected: Any, digits: int = 25) -> None:
    assert isinstance(value, arb)
    assert abs(mpmath.mpf(value.mid().str(40, radius=False)) - expected) < mpmath.mpf(10) ** -digits * (
        1 + abs(expected)
    )


def x_(i: str = "i") -> Any:
    return vec("x", i)


# --- exact values, one line per tag ---------------------------------------------------------------------------------

EXACT = [
    (q(-7, 3), F(-7, 3)),
    (("q", "-a", "f1"), F(-10, 241)),
    (("size", "token"), 2),
    (s("r"), F(1, 2)),
    (s("z", "j", "h"), 3),
    (("+", q(1), q(2), s("r")), F(7, 2)),
    (("*", q(3), s("r"), s("c", "j")), F(15, 2)),
    (("^", s("r"), 3), F(1, 8)),
    (("^", q(0), 0), 1),
    (("inv", s("p")), F(1, 2)),
    (("inv", q(0)), 0),
    (("exp", q(0)), 1),
    (("log", q(1)), 0),
    (("log", q(0)), 0),
    (("log", q(-2)), 0),
    (("sqrt", q(9, 4)), F(3, 2)),
    (("sqrt", q(-9, 4)), 0),
    (("abs", s("t")), 3),
    (("relu", s("t")), 0),
    (("relu", s("p")), 2),
    (("sin", q(0)), 0),
    (("cos", q(0)), 1),
    (("fn", "sinh", q(0)), 0),
    (("fn", "cosh", q(0)), 1),
    (("fn", "tanh", q(0)), 0),
    (("fn", "coth", q(0)), 1),
    (("fn", "arsinh", q(0)), 0),
    (("fn", "Ei", q(0)), 0),
    (("fn", "W", q(0)), 0),
    (("fn", "W", q(-2)), 0),
    (("sum", "i", (), s("c", "i")), 8),
    (("sum", "i", ("j",), s("c", "i")), 3),
    (("sum", "k", ("i", "j"), q(1)), 0),
    (("sum", "i", ("j", "k"), q(1)), None),
    (("sum", "i", (), ("sum", "i", (), s("c", "i"))), 16),
    (("sum", "i", (), ("sum", "j", ("i",), ("*", s("c", "i"), s("c", "j")))), 30),
    (("ip", x_(), vec("y")), F(2, 5)),
    (("norm", x_()), 1),
    (("norm", ("vmul", s("t"), x_())), 3),
    (("ip", vec("e", "a"), vec("y")), -1),
    (("sum", "a", (), ("^", ("ip", vec("e", "a"), vec("y")), 2)), 5),
    (("opnorm", "o", vec("o")), 1),
    (("opnorm", "o", ("op", "A", (), ("op", "M", ("g",), ("v0",)))), 0),
    (("opnorm", "o", ("vmul", s("t"), ("op", "M", ("g",), vec("o")))), 3),
    (("delta", "i", "i"), 1),
    (("delta", "i", "j"), 0),
    (("sum", "i", (), ("sum", "j", (), ("delta", "i", "j"))), 2),
    (("ip", x_(), ("op", "A", (), vec("y"))), F(-2)),
    (("ip", x_(), ("opT", "A", (), vec("y"))), F(34, 5)),
    (("def", "score", ("h", "i", "j"), ()), F(11, 5)),
    (("def", "f", ("i",), (q(10),)), 65),
    (("def", "d", ("i", "i"), ()), 6),
    (("def", "d", ("i", "j"), ()), 3),
    (("ip", vec("y"), ("vdef", "U", ("j",), (q(2),))), F(12)),
    (("rate", "fr", ("^", s("r"), 3)), F(3, 4)),
    (("rate", "fr", s("t")), 0),
    (("rate", "fr", ("rate", "fr", ("^", s("r"), 3))), 3),
    (("rate", "fc", s("p")), 8),
    (("rate", "fc", s("c", "j")), F(5, 2)),
    (("rate", "fc", ("rate", "fc", s("p"))), 4),
    (("rate", "fc", ("ip", vec("y"), vec("y"))), F(-6)),
    (("rate", "fr", ("abs", ("*", q(-4), s("r")))), 4),
    (("rate", "fr", ("relu", ("*", q(-4), s("r")))), 0),
    (("rate", "fr", ("inv", s("r"))), -4),
    (("rate", "fr", ("sqrt", ("*", q(2), s("r")))), 1),
    (("int", "b", q(0), q(0), s("b")), 0),
    (("root", "b", ("+", s("b"), q(-1)), q(0), q(3)), 1),
    (("root", "b", ("+", s("b"), q(-1)), q(1), q(3)), 0),
    (("root", "b", ("+", ("^", s("b"), 2), q(-1)), q(-3), q(3)), 0),
]  # fmt: skip


@pytest.mark.parametrize(("term", "expected"), [case for case in EXACT if case[1] is not None])
def test_exact_values(term: Any, expected: Any) -> None:
    value = at(term)
    if isinstance(value, arb):
        # An integral or a root is enclosed, not computed exactly.
        assert term[0] in ("int", "root")
        assert value.contains(arb(F(expected).numerator) / F(expected).denominator)
        assert value.rad() < 1e-20
    else:
        assert value == expected


def test_adjoint_moves_across_the_inner_product() -> None:
    left = ("ip", x_(), ("op", "A", (), vec("y")))
    assert exact(left) == exact(("ip", ("opT", "A", (), x_()), vec("y")))
    assert exact(left) != exact(("ip", ("op", "A", (), x_()), vec("y")))


def test_vectors() -> None:
    def coordinates(term: Any) -> list[Fraction | arb]:
        return list(evaluate_vector(SIGNATURE, MODEL, term, indices=PLACE))

    assert coordinates(("v0",)) == [F(0), F(0)]
    assert coordinates(("vsum", "i", (), x_())) == [F(8, 5), F(4, 5)]
    assert coordinates(("vsum", "k", ("i",), vec("x", "k"))) == [F(1), F(0)]
    assert coordinates(("vadd", vec("y"), ("vmul", q(-1), vec("y")))) == [F(0), F(0)]
    assert coordinates(("op", "M", ("g",), vec("y"))) == [F(-1), F(-2)]


# --- balls against mpmath -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (("pi",), lambda: mpmath.pi),
        (("exp", q(-5, 3)), lambda: mpmath.exp(mpmath.mpf(-5) / 3)),
        (("log", q(7, 3)), lambda: mpmath.log(mpmath.mpf(7) / 3)),
        (("sqrt", q(2)), lambda: mpmath.sqrt(2)),
        (("sin", q(5)), lambda: mpmath.sin(5)),
        (("cos", q(5)), lambda: mpmath.cos(5)),
        (("fn", "sinh", q(3, 2)), lambda: mpmath.sinh(1.5)),
        (("fn", "cosh", q(3, 2)), lambda: mpmath.cosh(1.5)),
        (("fn", "tanh", q(-3, 2)), lambda: mpmath.tanh(-1.5)),
        (("fn", "coth", q(-3, 2)), lambda: mpmath.coth(-1.5)),
        (("fn", "arsinh", q(-3, 2)), lambda: mpmath.asinh(-1.5)),
        (("fn", "Ei", q(-3, 2)), lambda: mpmath.ei(-1.5)),
        (("fn", "Ei", q(3, 2)), lambda: mpmath.ei(1.5)),
        (("fn", "W", q(7)), lambda: mpmath.lambertw(7).real),
        (("fn", "W", q(-1, 3)), lambda: mpmath.lambertw(mpmath.mpf(-1) / 3).real),
        (("norm", ("vec", "y", ())), lambda: mpmath.sqrt(5)),
        (("int", "b", q(0), q(2), ("exp", ("*", q(-1), ("^", s("b"), 2)))),
         lambda: mpmath.quad(lambda b: mpmath.exp(-b * b), [0, 2])),
        (("int", "b", q(3), q(1), ("inv", s("b"))), lambda: -mpmath.log(3)),
        (("int", "b", q(1), q(2), ("fn", "Ei", ("*", q(-1), s("b")))),
         lambda: mpmath.quad(lambda b: mpmath.ei(-b), [1, 2])),
        (("int", "b", q(-1), q(2), ("sqrt", ("+", q(2), s("b")))), lambda: 2 * (8 - 1) / mpmath.mpf(3)),
        (("root", "b", ("+", ("*", ("+", s("b"), q(-2)), ("exp", s("b"))), ("*", q(-7), ("+", s("b"), q(2)))),
          q(2), q(12)),
         lambda: mpmath.findroot(lambda u: (u - 2) * mpmath.exp(u) - 7 * (u + 2), 3.3)),
        (("root", "b", ("+", ("*", ("+", s("b"), q(-2)), ("exp", s("b"))), ("*", q(-7), ("+", s("b"), q(2)))),
          q(0), ("inf",)), lambda: mpmath.findroot(lambda u: (u - 2) * mpmath.exp(u) - 7 * (u + 2), 3.3)),
        (("root", "b", ("+", ("fn", "tanh", ("+", ("*", q(1, 2), s("b")), q(-1))), ("*", q(-2), ("inv", s("b")))),
          q(2), ("inf",)),
         lambda: mpmath.findroot(lambda u: mpmath.tanh(u / 2 - 1) - 2 / u, 3.4)),
        (("root", "b", ("+", ("^", s("b"), 2), q(-3)), ("sqrt", q(2)), ("exp", q(1))), lambda: mpmath.sqrt(3)),
        (("rate", "fr", ("int", "b", q(0), q(1), ("exp", ("*", s("r"), s("b"))))),
         lambda: mpmath.quad(lambda b: b * mpmath.exp(b / 2), [0, 1])),
        (("rate", "fr", ("int", "b", ("^", s("r"), 2), ("*", q(2), s("r")), ("^", s("b"), 2))),
         lambda: mpmath.mpf(31) / 16),
        (("rate", "fr", ("rate", "fr", ("int", "b", q(0), s("r"), ("exp", ("*", s("r"), s("b")))))),
         lambda: mpmath.diff(lambda r: (mpmath.exp(r * r) - 1) / r, 0.5, 2)),
        (("rate", "fr", ("fn", "tanh", s("r"))), lambda: 1 / mpmath.cosh(0.5) ** 2),
        (("rate", "fr", ("fn", "coth", s("r"))), lambda: -1 / mpmath.sinh(0.5) ** 2),
        (("rate", "fr", ("fn", "arsinh", s("r"))), lambda: 1 / mpmath.sqrt(mpmath.mpf(5) / 4)),
        (("rate", "fr", ("fn", "Ei", s("r"))), lambda: 2 * mpmath.exp(0.5)),
        (("rate", "fr", ("fn", "W", s("r"))), lambda: mpmath.diff(lambda t: mpmath.lambertw(t).real, 0.5)),
        (("rate", "fr", ("rate", "fr", ("sin", ("^", s("r"), 2)))),
         lambda: mpmath.diff(lambda t: mpmath.sin(t * t), 0.5, 2)),
        (("rate", "fr", ("log", ("+", q(1), s("r")))), lambda: mpmath.mpf(2) / 3),
    ],
)  # fmt: skip
def test_irrational_values(term: Any, expected: Any) -> None:
    with mpmath.workdps(40), ctx.workprec(150):
        value = at(term)
        if isinstance(value, Fraction):
            value = arb(value.numerator) / value.denominator
        close(value, expected())


def test_operator_norms_against_numpy(rng: np.random.Generator) -> None:
    for _ in range(20):
        size = int(rng.integers(1, 4))
        matrix = rng.integers(-4, 5, size=(size, size))
        model = Model({"token": 1, "head": 1, "axis": size}, {}, {}, {"A": matrix.tolist()})
        value = evaluate_scalar(SIGNATURE, model, ("opnorm", "o", ("op", "A", (), vec("o"))))
        assert abs(float(value) - np.linalg.norm(matrix, 2)) < 1e-12


def test_an_operator_norm_with_irrational_entries_is_enclosed() -> None:
    image = ("vmul", ("exp", s("r")), ("op", "M", ("h",), vec("o")))
    value = at(("opnorm", "o", image))
    expected = mpmath.exp(0.5) * (2 + mpmath.sqrt(5))
    assert isinstance(value, arb)
    assert value.rad() < 1e-12
    assert abs(float(value) - expected) < 1e-12


# --- derivatives against differences --------------------------------------------------------------------------------


def test_rates_along_a_flow_of_vectors_against_differences() -> None:
    """The derivative of the scores' exponentials as the tokens move."""
    inner = ("sum", "i", (), ("exp", ("def", "score", ("h", "i", "j"), ())))
    rate = at(("rate", "fx", inner))
    velocity = [evaluate_vector(SIGNATURE, MODEL, ("vdef", "T", ("i",), ()), indices={"i": i}) for i in (0, 1)]
    step = F(1, 10**6)
    values = []
    for sign in (1, -1):
        moved = [
            [F(u) + sign * step * F(str(v)) for u, v in zip(token, speed, strict=True)]
            for token, speed in zip(MODEL.vectors["x"], velocity, strict=True)
        ]
        model = Model(MODEL.sizes, MODEL.scalars, {**MODEL.vectors, "x": moved}, MODEL.operators)
        values.append(evaluate_scalar(SIGNATURE, model, inner, indices=PLACE))
    difference = (float(values[0]) - float(values[1])) / (2 * float(step))
    assert abs(float(rate) - difference) < 1e-6 * (1 + abs(difference))
    assert abs(difference) > 0.1


def test_second_derivatives_use_the_moving_velocity() -> None:
    """P' = sum c and c' = r c, so p'' = r sum c; along another flow first the order matters."""
    assert exact(("rate", "fc", ("rate", "fc", s("p")))) == F(1, 2) * 8
    assert exact(("rate", "fr", ("rate", "fc", s("c", "j")))) == 5
    assert exact(("rate", "fc", ("rate", "fr", s("c", "j")))) == 0


@pytest.mark.parametrize(
    "body",
    [
        ("abs", ("+", s("r"), q(-1, 2))),
        ("relu", ("+", s("r"), q(-1, 2))),
        ("inv", ("+", s("r"), q(-1, 2))),
        ("log", ("+", s("r"), q(-1))),
        ("sqrt", ("+", s("r"), q(-1, 2))),
        ("fn", "Ei", ("+", s("r"), q(-1, 2))),
        ("fn", "W", ("+", s("r"), q(-2))),
    ],
)
def test_a_derivative_that_does_not_exist_is_no_number(body: Any) -> None:
    with pytest.raises(UndefinedError):
        at(("rate", "fr", body))
    assert evaluate_formula(SIGNATURE, MODEL, ("eq", ("rate", "fr", body), q(0))) is None


# --- binding --------------------------------------------------------------------------------------------------------

BINDING: list[dict[str, Any]] = [
    {"symbol": "t", "type": "scalar", "indices": [], "domain": "real", "text": ""},
    {"symbol": "u", "type": "scalar", "indices": [], "domain": "real", "text": ""},
    {"define": "g", "type": "scalar", "indices": [], "parameters": [], "body": ["+", ["s", "t", []], ["s", "u", []]],
    "text": ""}, {"define": "f", "type": "scalar", "indices": [], "parameters": ["t"], "body": ["*", ["s", "t", []],
    ["def", "g", [], []]], "text": ""}, {"define": "k", "type": "scalar", "indices": [], "parameters": ["own"],
     "body": ["^", ["s", "own", []], 2], "text": ""},
    {"flow": "dt", "moves": [{"symbol": "t", "indices": [], "velocity": ["q", "1", "1"]}], "text": ""},
    {"flow": "du", "moves": [{"symbol": "u", "indices": [], "velocity": ["s", "t", []]}], "text": ""},
    {"define": "df", "type": "scalar", "indices": [], "parameters": ["t"],
     "body": ["rate", "dt", ["^", ["s", "t", []], 3]], "text": ""},
]  # fmt: skip
SMALL = Model({"token": 1, "head": 1, "axis": 1}, {"t": 2, "u": 10})


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (["def", "f", [], [["q", "5", "1"]]], 5 * (5 + 10)),  # what is bound is seen through definitions
        (["def", "f", [], [["def", "f", [], [["s", "t", []]]]]], 24 * (24 + 10)),
        (["def", "k", [], [["+", ["s", "t", []], ["q", "1", "1"]]]], 9),  # an undeclared parameter
        (["rate", "dt", ["def", "k", [], [["^", ["s", "t", []], 2]]]], 32),
        (["def", "df", [], [["q", "5", "1"]]], 75),  # differentiate, then put in the argument
        (["rate", "dt", ["def", "df", [], [["^", ["s", "t", []], 2]]]], 3 * 4 * 8),
        (["rate", "du", ["def", "f", [], [["q", "5", "1"]]]], 10),  # the velocity is t outside, not the parameter
        (["rate", "du", ["rate", "du", ["^", ["s", "u", []], 2]]], 8),
    ],
)
def test_bound_symbols(term: Any, expected: int) -> None:
    assert evaluate_scalar(BINDING, SMALL, term) == expected


def test_integrals_bind_their_variable_through_definitions() -> None:
    value = evaluate_scalar(BINDING, SMALL, ["int", "t", ["q", "0", "1"], ["q", "1", "1"], ["def", "g", [], []]])
    assert isinstance(value, arb)
    assert value.contains(arb(21) / 2)
    assert value.rad() < 1e-20


# --- formulas -------------------------------------------------------------------------------------------------------

IRRATIONAL = ("exp", q(1))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (("eq", ("+", s("r"), s("r")), q(1)), True),
        (("eq", s("r"), q(1)), False),
        (("ne", s("r"), q(1)), True),
        (("ge", s("r"), q(1, 2)), True),
        (("gt", s("r"), q(1, 2)), False),
        (("le", s("r"), q(1, 2)), True),
        (("lt", s("r"), q(1)), True),
        (("gt", ("sqrt", q(2)), q(1414213562373095048801688724209698, 10**33)), True),
        (("gt", ("sqrt", q(2)), q(1414213562373095048801688724209699, 10**33)), False),
        (("eq", ("sqrt", q(2)), ("sqrt", q(2))), True),
        (("eq", ("^", ("sqrt", q(2)), 2), q(2)), None),
        (("ne", ("^", ("sqrt", q(2)), 2), q(2)), None),
        (("ge", ("^", ("sqrt", q(2)), 2), q(2)), None),
        (("veq", x_(), x_()), True),
        (("veq", ("vadd", x_(), ("v0",)), x_()), True),
        (("veq", x_(), vec("y")), False),
        (("and", ("eq", q(1), q(1)), ("eq", ("^", ("sqrt", q(2)), 2), q(2))), None),
        (("and", ("eq", q(1), q(2)), ("eq", ("^", ("sqrt", q(2)), 2), q(2))), False),
        (("or", ("eq", q(1), q(1)), ("eq", ("^", ("sqrt", q(2)), 2), q(2))), True),
        (("or", ("eq", q(1), q(2)), ("eq", q(1), q(3))), False),
        (("implies", ("eq", q(1), q(2)), ("eq", ("^", ("sqrt", q(2)), 2), q(2))), True),
        (("implies", ("eq", q(1), q(1)), ("eq", q(1), q(2))), False),
        (("iff", ("eq", q(1), q(2)), ("eq", q(1), q(3))), True),
        (("iff", ("eq", q(1), q(1)), ("eq", q(1), q(3))), False),
        (("all", "k", (), ("gt", s("c", "k"), q(2))), True),
        (("all", "k", (), ("gt", s("c", "k"), q(3))), False),
        (("all", "i", (), ("all", "j", ("i",), ("distinct", "i", "j"))), True),
        (("all", "i", (), ("all", "j", (), ("distinct", "i", "j"))), False),
        (("gt", s("c", "k"), q(3)), False),  # a free index stands for all
        (("forall", "r", ("ge", ("^", s("r"), 2), q(0))), None),
        (("forall", "r", ("eq", q(1), q(2))), False),
        (("exists", "r", ("eq", s("p"), q(2))), True),
        (("forallv", "o", ("ge", ("norm", vec("o")), q(0))), None),
        (("unique", "b", q(0), q(3), ("+", ("^", s("b"), 2), q(-2))), True),
        (("unique", "b", q(-3), q(3), ("+", ("^", s("b"), 2), q(-2))), False),
        (("unique", "b", q(0), q(3), ("+", ("^", s("b"), 2), q(2))), False),
        (("unique", "b", q(0), ("inf",), ("+", ("^", s("b"), 2), q(-2))), True),
        (("unique", "b", q(0), ("inf",), ("+", ("^", s("b"), 2), q(2))), False),
        (("unique", "b", q(1), ("inf",), ("sin", s("b"))), False),
        (("unique", "b", q(0), ("inf",), ("^", ("+", s("b"), q(-1)), 2)), None),
        (("unique", "b", ("sqrt", q(2)), q(3), ("+", ("^", s("b"), 2), q(-2))), None),
        (("unit", "x"), True),
        (("unit", "y"), False),
        (("symmetric", "Q"), True),
        (("symmetric", "M"), False),
        (("same_operator", "M", "W"), True),
        (("same_operator", "M", "Q"), False),
        (("orthogonal_operators", "Q"), True),
        (("orthogonal_operators", "M"), False),
        (("projector", "Q"), True),
        (("projector", "A"), False),
        (("resolution", "Q"), True),
        (("resolution", "M"), False),
        (("scalar_operator", "M", "m"), False),
        (("scaled_operator", "M", q(1), "W"), True),
        (("scaled_operator", "M", s("p"), "W"), False),
        (("scaled_operator", "M", ("^", ("sqrt", q(2)), 2), "W"), False),
        (("gram", "x", q(3, 5)), True),
        (("gram", "x", q(1, 2)), False),
        (("single", "token"), False),
        (("gt", ("*", IRRATIONAL, IRRATIONAL), ("exp", q(19, 10))), True),
        (("dissipates", "fr", s("r"), q(1)), None),
        (("decays", "fr", ("gt", s("r"), q(0)), s("r"), q(1)), None),
    ],
)  # fmt: skip
def test_formulas(formula: Any, expected: bool | None) -> None:
    assert evaluate_formula(SIGNATURE, MODEL, formula, last_precision=512) is expected


def test_an_inexact_relation_is_left_open() -> None:
    formula = ("gram", "x", ("*", q(3, 5), ("^", ("sqrt", q(2)), 2), q(1, 2)))
    assert evaluate_formula(SIGNATURE, MODEL, formula, last_precision=128) is None


E1, E2 = ("exp", q(1, 3)), ("exp", q(2, 3))


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (("*", E1, E1), E2, True),
        (("*", E1, ("inv", E1)), q(1), True),
        (("^", ("+", E1, q(1)), 2), ("+", E2, ("*", q(2), E1), q(1)), True),
        (("^", ("+", E1, q(1)), 2), ("+", E2, ("*", q(2), E1), q(2)), False),
        (("*", ("+", E2, q(-1)), ("inv", ("+", E1, q(-1)))), ("+", E1, q(1)), True),
        (("+", ("inv", ("+", E1, q(1))), ("*", E1, ("inv", ("+", E1, q(1))))), q(1), True),
        (("log", E1), q(1, 3), True),
        (("sqrt", ("*", q(4), E2)), ("*", q(2), E1), True),
        (("fn", "tanh", q(1, 3)), ("*", ("+", E2, q(-1)), ("inv", ("+", E2, q(1)))), True),
        (("fn", "coth", q(1, 3)), ("inv", ("fn", "tanh", q(1, 3))), True),
        (("abs", ("+", E1, q(-2))), ("+", q(2), ("*", q(-1), E1)), True),
        (("relu", ("+", E1, q(-2))), q(0), True),
        (E1, q(1395612425086089528628125319603, 10**30), False),
    ],
)
def test_equations_between_exponentials_are_decided(left: Any, right: Any, equal: bool) -> None:
    assert evaluate_formula(SIGNATURE, MODEL, ("eq", left, right)) is equal
    assert evaluate_formula(SIGNATURE, MODEL, ("ne", left, right)) is not equal
    assert evaluate_formula(SIGNATURE, MODEL, ("ge", left, right)) in ((True,) if equal else (True, False))


# --- models and errors ----------------------------------------------------------------------------------------------


def test_a_model_survives_json() -> None:
    data = MODEL.to_json()
    assert data["vectors"]["x"] == [["3/5", "4/5"], ["1", "0"]]
    assert Model.from_json(data) == MODEL
    MODEL.check(SIGNATURE)


@pytest.mark.parametrize("text", ["1/1", "2/4", "-0", "0x1", "1.5", "A", " 1", "1/0", "1/-2", "", "01", 5, None, "g"])
def test_rationals_are_written_in_one_way(text: object) -> None:
    data = MODEL.to_json()
    data["scalars"]["r"] = text
    with pytest.raises(EvaluationError):
        Model.from_json(data)


@pytest.mark.parametrize(
    ("part", "name", "value", "words"),
    [
        ("scalars", "p", "0", "positive"),
        ("scalars", "w", "-1", "nonnegative"),
        ("scalars", "c", ["1"], "entries"),
        ("scalars", "r", ["1"], "levels"),
        ("vectors", "y", ["1", "2", "3"], "entries"),
        ("operators", "A", [["1", "2"]], "entries"),
        ("scalars", "unknown", "1", "declared"),
        ("vectors", "e", [["1", "0"], ["0", "1"]], "declared"),
    ],
)
def test_a_model_outside_its_declarations_is_refused(part: str, name: str, value: Any, words: str) -> None:
    data = MODEL.to_json()
    data[part][name] = value
    with pytest.raises(EvaluationError, match=words):
        Model.from_json(data).check(SIGNATURE)


@pytest.mark.parametrize(
    "sizes", [{"token": 1}, {"token": 0, "head": 1, "axis": 1}, {"token": True, "head": 1, "axis": 1}]
)
def test_sizes_are_all_given_and_at_least_one(sizes: dict[str, int]) -> None:
    with pytest.raises(EvaluationError):
        Model(sizes)


@pytest.mark.parametrize(
    "term",
    [
        ("plus", q(1), q(2)),
        ("s", "nobody", ()),
        ("s", "c", ()),
        ("s", "c", ("h",)),
        ("s", "c", ("k",)),
        ("s", "x", ("i",)),
        ("delta", "i", "h"),
        ("sum", "i", ("h",), q(1)),
        ("sum", "n", (), q(1)),
        ("^", q(2), 65),
        ("^", q(2), -1),
        ("^", q(2), True),
        ("fn", "gamma", q(1)),
        ("def", "score", ("h", "i"), ()),
        ("def", "f", ("i",), ()),
        ("def", "V", ("h",), ()),
        ("rate", "nowhere", q(1)),
        ("size", "tokens"),
        ("ip", x_(), q(1)),
        ("exp", q(1), q(2)),
        ("eq", q(1), q(1)),
        "r",
        (),
    ],
)
def test_malformed_terms_are_refused(term: Any) -> None:
    with pytest.raises(EvaluationError):
        at(term)


def test_the_derivative_of_an_operator_norm_is_not_invented() -> None:
    flow = {"flow": "move", "moves": [{"symbol": "r", "indices": [], "velocity": ["q", "1", "1"]}], "text": ""}
    image = ("vmul", s("r"), ("op", "A", (), vec("o")))
    with pytest.raises(UndecidedError):
        evaluate_scalar([*OBJECTS, flow], MODEL, ("rate", "move", ("opnorm", "o", image)))
