"""Terms as float functions: against the kernel's evaluator, with error bounds that hold and are not idle."""

import random
from fractions import Fraction

import numpy as np
import pytest
from antumbra.numerics.evaluate_terms import Evaluator, Models, UnsupportedTermError, bound_names
from antumbra.numerics.running_error import UNIT, Cell, constant, exponential, inverse, logarithm, multiply, root
from antumbra.proofs.kernel.candidates import Builder, Choices, ImpossibleError
from antumbra.proofs.kernel.evaluate import EvaluationError, evaluate_formula, evaluate_scalar
from antumbra.proofs.kernel.models import Model
from antumbra.proofs.kernel.witness import Ground
from antumbra.proofs.registry import signature
from antumbra.proofs.statements import claims

NAMES = Ground(signature()).names


def as_models(model: Model) -> Models:
    """A kernel model as a batch of one, exact but for the rounding of its rationals."""

    def nested(value: object) -> object:
        return [nested(part) for part in value] if isinstance(value, tuple) else float(value)  # type: ignore[arg-type]

    symbols = {}
    for part in (model.scalars, model.vectors, model.operators):
        for name, value in part.items():
            array = np.array([nested(value)], dtype=float)
            symbols[name] = (array, UNIT * np.abs(array))
    return Models(dict(model.sizes), symbols)


def evaluator(models: Models) -> Evaluator:
    return Evaluator(NAMES.definitions, NAMES.flows, models)


def random_model(seed: int, sizes: dict[str, int], formulas: list, symbols: set[str]) -> Model:
    return Builder(NAMES, symbols, formulas).build(sizes, Choices((), random.Random(seed)))


X, M, BETA = ("vec", "x", ("i",)), "M", ("s", "beta", ())
TERMS = {
    "energy": ("def", "E", (), ()),
    "shadow": ("sum", "i", (), ("sum", "h", (), ("def", "a", ("h", "i"), ()))),
    "rate_usa": ("rate", "usa_sphere", ("def", "E", (), ())),
    "rate_sa": ("rate", "sa_sphere", ("def", "E", (), ())),
    "second_rate": ("rate", "usa_sphere", ("rate", "usa_sphere", ("def", "E", (), ()))),
    "mixed_rate": ("rate", "usa_flat", ("rate", "sa_sphere", ("ip", ("vsum", "i", (), X), ("vsum", "i", (), X)))),
    "excluded": ("sum", "i", (), ("sum", "j", ("i",), ("ip", X, ("vec", "x", ("j",))))),
    "delta": ("sum", "i", (), ("sum", "j", (), ("*", ("delta", "i", "j"), ("ip", X, ("vec", "x", ("j",)))))),
    "clash": ("sum", "j", (), ("def", "Z", ("h1", "j"), ())),
    "trace": ("sum", "a", (), ("ip", ("vec", "e", ("a",)), ("op", "M", ("h1",), ("vec", "e", ("a",))))),
    "adjoint": ("sum", "i", (), ("ip", ("opT", "M", ("h1",), X), ("op", "W", ("h1",), X))),
    "norm": ("sum", "i", (), ("norm", ("vdef", "P_f", ("h1", "i"), ()))),
    "opnorm": ("opnorm", "u", ("op", "M", ("h1",), ("vec", "u", ()))),
    "functions": (
        "+",
        ("fn", "tanh", BETA),
        ("fn", "coth", BETA),
        ("fn", "arsinh", BETA),
        ("fn", "sinh", BETA),
        ("fn", "cosh", BETA),
        ("fn", "Ei", BETA),
        ("fn", "W", BETA),
        ("log", BETA),
        ("sqrt", BETA),
        ("sin", BETA),
        ("cos", BETA),
        ("abs", ("*", ("q", "-1", "1"), BETA)),
        ("relu", ("*", ("q", "-1", "3"), BETA)),
        ("pi",),
        ("^", BETA, 3),
        ("inv", BETA),
        ("size", "axis"),
    ),
    "totals": (
        "+",
        ("inv", ("q", "0", "1")),
        ("log", ("*", ("q", "-1", "1"), BETA)),
        ("sqrt", ("*", ("q", "-1", "1"), BETA)),
        ("fn", "W", ("q", "-1", "1")),
    ),
}


@pytest.mark.parametrize("name", sorted(TERMS))
@pytest.mark.parametrize("seed", range(4))
def test_values_agree_with_exact_evaluation_within_their_bounds(name: str, seed: int) -> None:
    """The kernel's exact evaluator shares no code with this one."""
    sizes = {"token": 1 + seed % 3, "head": 1 + seed % 2, "axis": 2 + seed % 2}
    model = random_model(seed, sizes, [("unit", "x")], {"x", "M", "W", "beta"})
    free = {"h1": 0} if "h1" in repr(TERMS[name]) else {}
    exact = evaluate_scalar(NAMES, model, TERMS[name], indices=free, precision=200)
    here = evaluator(as_models(model))
    axes = {index: here._axis(index) for index in free}
    cell = here.scalar(TERMS[name], **axes)
    value = cell.value.reshape(-1)[0]
    error = float(np.broadcast_to(cell.error, cell.value.shape).reshape(-1)[0])
    wanted = float(exact) if isinstance(exact, Fraction) else float(exact.mid())
    assert abs(value - wanted) <= error + 1e-15 * abs(wanted)
    assert error <= 1e-9 * (1 + abs(wanted)), "an idle bound would hide everything"


def statements() -> list:
    return [
        pytest.param(part, id=f"{claim.id}:{part.name}")
        for claim in claims().values()
        for part in claim.parts
        if part.statement is not None and claim.id.split(".")[0] in ("projection", "thm11", "thm16", "thm17", "thm39")
    ]


@pytest.mark.parametrize("part", statements())
def test_margins_never_contradict_exact_evaluation(part: object) -> None:
    """Where the float margin is beyond its slack, the exact evaluator agrees; a few models per statement."""
    ground = Ground(signature(), part.hypotheses, ())  # type: ignore[attr-defined]
    statement = part.statement  # type: ignore[attr-defined]
    symbols = set(ground.symbols(statement)) | set(bound_names(statement))
    builder = Builder(ground.names, symbols, [formula for _, formula in ground.formulas()])
    for seed in range(3):
        try:
            model = builder.build({"token": 2, "head": 2, "axis": 2}, Choices((), random.Random(seed)))
            margin, slack = evaluator(as_models(model)).formula(statement)
            decided = evaluate_formula(ground.names, model, statement, last_precision=256)
        except (ImpossibleError, UnsupportedTermError, EvaluationError):
            continue
        if abs(margin[0]) > slack[0] and decided is not None:
            assert (margin[0] > 0) == decided


def test_the_bound_of_a_lost_difference_is_as_large_as_the_loss() -> None:
    """1e16 + 1 - 1e16: the value may be 0 or 2, the bound covers 1."""
    big = ("q", format(10**16, "x"), "1")
    term = ("+", big, ("q", "1", "1"), ("q", format(-(10**16), "x"), "1"))
    cell = evaluator(Models({"token": 1, "head": 1, "axis": 1}, {})).scalar(term)
    assert abs(cell.value[0] - 1) <= cell.error[0]
    assert cell.error[0] < 10


def test_an_open_branch_is_not_a_number() -> None:
    near = Cell(np.array([1e-20]), np.array([1e-16]))
    assert np.isnan(inverse(near).value[0])  # type: ignore[union-attr]
    assert np.isnan(logarithm(near).value[0])  # type: ignore[union-attr]
    assert root(near).error[0] >= 1e-8  # type: ignore[union-attr]
    assert inverse(constant(0)).value[0] == 0  # type: ignore[union-attr]
    assert exponential(constant(0)).value[0] == 1  # type: ignore[union-attr]
    assert multiply(constant(2), constant(3)).value[0] == 6  # type: ignore[union-attr]


def margin_of(formula: object, **scalars: float) -> float:
    models = Models(
        {"token": 2, "head": 1, "axis": 1},
        {name: (np.array([value]), np.zeros(1)) for name, value in scalars.items()},
    )
    return float(evaluator(models).formula(formula)[0][0])  # type: ignore[arg-type]


ALPHA = ("s", "alpha", ())


def test_margins_of_formulas() -> None:
    one, two = ("q", "1", "1"), ("q", "2", "1")
    assert margin_of(("ge", ALPHA, one), alpha=3.0) == 2
    assert margin_of(("le", ALPHA, one), alpha=3.0) == -2
    assert margin_of(("eq", ALPHA, one), alpha=3.0) == -2
    assert margin_of(("ne", ALPHA, one), alpha=3.0) == 2
    assert margin_of(("and", ("gt", ALPHA, one), ("lt", ALPHA, two)), alpha=3.0) == -1
    assert margin_of(("or", ("gt", ALPHA, one), ("lt", ALPHA, two)), alpha=3.0) == 2
    assert margin_of(("implies", ("gt", ALPHA, one), ("lt", ALPHA, two)), alpha=3.0) == -1
    assert margin_of(("implies", ("lt", ALPHA, one), ("lt", ALPHA, two)), alpha=3.0) == 2
    assert margin_of(("iff", ("gt", ALPHA, one), ("gt", ALPHA, two)), alpha=1.5) == -0.5
    assert margin_of(("all", "i", (), ("all", "j", ("i",), ("eq", ("delta", "i", "j"), ("q", "0", "1"))))) == 0
    assert margin_of(("all", "i", (), ("all", "j", (), ("eq", ("delta", "i", "j"), ("q", "0", "1"))))) == -1
    assert margin_of(("forall", "alpha", ("ge", ALPHA, one)), alpha=3.0) == 2


def test_a_quantifier_in_an_assumption_is_not_read_as_free() -> None:
    assumed = ("implies", ("forall", "alpha", ("ge", ALPHA, ("q", "1", "1"))), ("ge", ALPHA, ("q", "2", "1")))
    with pytest.raises(UnsupportedTermError, match="assumption"):
        margin_of(assumed, alpha=1.5)


@pytest.mark.parametrize(
    "term",
    [
        ("int", "alpha", ("q", "0", "1"), ("q", "1", "1"), ALPHA),
        ("root", "alpha", ALPHA, ("q", "0", "1"), ("inf",)),
        ("s", "gamma", ()),
    ],
)
def test_what_is_not_covered_is_refused_by_name(term: tuple) -> None:
    with pytest.raises(UnsupportedTermError):
        evaluator(Models({"token": 1, "head": 1, "axis": 1}, {})).scalar(term)
