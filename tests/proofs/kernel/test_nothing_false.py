"""False statements, each refused by the kernel and by the stand-alone checker, next to a true one that both accept.

The evaluator comes first: every false statement fails at a model of its ground, and the true one does not, so that
each pair tests what it says. The checker is given a forged certificate whose only step claims the statement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from antumbra.proofs import checker, setting
from antumbra.proofs.kernel.evaluate import Model, evaluate_formula
from antumbra.proofs.kernel.ground import Ground, Rejected
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import SettingError, Signature
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Scalar,
    ScalarLike,
    Vector,
    absolute,
    apply,
    basis,
    d,
    delta,
    distinct,
    eq,
    exp,
    forall,
    ge,
    gt,
    implies,
    integral,
    ip,
    log,
    n,
    norm,
    norm2,
    rate,
    rational,
    relu,
    sqrt,
    symbol,
    total,
    vdefined,
    vector,
    veq,
    vtotal,
)
from antumbra.proofs.kernel.witness import Ground as WitnessGround
from antumbra.proofs.kernel.witness import Search, search
from terms_strategy import OBJECTS

FLOW_OF_R = {"flow": "d_r", "moves": [{"symbol": "r", "indices": [], "velocity": rational(1)}], "text": ""}
HYPOTHESES = [
    {"hypothesis": name, "formula": formula, "text": ""}
    for name, formula in {
        "unit": ("unit", "x"),
        "unit_y": ("unit", "y"),
        "symmetry": ("symmetric", "M"),
        "orthogonality": ("orthogonal_operators", "M"),
        "equiangular": ("gram", "x", ("s", "r", ())),
    }.items()
]
SMALL = [*OBJECTS, FLOW_OF_R, *HYPOTHESES]
THEORY = setting.DEFINITIONS

r, t, p, w = (symbol(name) for name in ("r", "t", "p", "w"))
x_i, x_j, y = vector("x", "i"), vector("x", "j"), vector("y")


def c(i: str) -> Scalar:
    return symbol("c", i)


def product(values: Sequence[ScalarLike]) -> Scalar:
    result = rational(1)
    for value in values:
        result = result * value
    return result


@dataclass(frozen=True)
class Pair:
    """A false statement and a true one.

    Args:
        name: for the test's id.
        false: what must be refused.
        true: a neighbour that must be accepted, in the same ground unless `true_hypotheses` says otherwise.
    """

    name: str
    false: Formula
    true: Formula
    hypotheses: tuple[str, ...] = ()
    true_hypotheses: tuple[str, ...] | None = None
    given: tuple[Formula, ...] = ()
    true_given: tuple[Formula, ...] | None = None
    definitions: list[dict[str, Any]] = field(default_factory=lambda: SMALL)
    form: ScalarLike | None = None
    decided: bool = True


def until_nine(size: Scalar) -> Scalar:
    """0 for sizes 2 to 9, and not for 10."""
    return product([size - k for k in range(2, 10)])


dissipated = total("i", norm2(setting.tangential_velocity("i")))
gains = rate("usa_sphere", setting.energy)
P_u = setting.project(y, vector("o"))
o = vector("o")
SPHERE = ("symmetry", "alignment", "unit")

PAIRS = [
    Pair("energy_rate_over_n_squared", eq(gains, 1 / n**2 * dissipated), eq(gains, 1 / n * dissipated), SPHERE,
         definitions=THEORY),
    Pair("theorem_11_without_symmetry", eq(gains, 1 / n * dissipated), eq(gains, 1 / n * dissipated),
         ("alignment", "unit"), SPHERE, definitions=THEORY),
    Pair("theorem_11_without_alignment", eq(gains, 1 / n * dissipated), eq(gains, 1 / n * dissipated),
         ("symmetry", "unit"), SPHERE, definitions=THEORY),
    Pair("theorem_11_without_unit", eq(gains, 1 / n * dissipated), eq(gains, 1 / n * dissipated),
         ("symmetry", "alignment"), SPHERE, definitions=THEORY),
    Pair("projecting_twice_without_unit", veq(setting.project(y, P_u), P_u),
         veq(setting.project(y, P_u), P_u), (), ("unit_y",)),
    Pair("projection_shortens_every_vector", gt(norm2(o), norm2(P_u)),
         ge(norm2(o), norm2(P_u)), ("unit_y",), form=ip(o, y) ** 2),
    Pair("right_for_two_to_nine_tokens", eq(total("i", 1), n + until_nine(n)), eq(total("i", 1), n), decided=False),
    Pair("right_for_two_to_nine_heads", eq(total("h", 1), H + until_nine(H)), eq(total("h", 1), H), decided=False),
    Pair("right_in_two_to_nine_dimensions", eq(total("a", ip(basis("a"), basis("a"))), d + until_nine(d)),
         eq(total("a", ip(basis("a"), basis("a"))), d), decided=False),
    Pair("root_of_a_square", eq(sqrt(r**2), r), eq(sqrt(r**2), absolute(r))),
    Pair("root_of_a_square_of_a_size", eq(sqrt((n - 2) ** 2), n - 2), eq(sqrt(n**2), n)),
    Pair("division_by_itself", eq(r / r, 1), eq(p / p, 1)),
    Pair("division_of_a_size_less_one", eq((n - 1) / (n - 1), 1), eq(n / n, 1)),
    Pair("absolute_value_without_sign", eq(absolute(r), r), eq(absolute(p), p)),
    Pair("rectified_without_sign", eq(relu(r), r), eq(relu(w), w)),
    Pair("exponential_of_a_sum", eq(exp(r + t), exp(r) + exp(t)), eq(exp(r + t), exp(r) * exp(t))),
    Pair("inverse_of_a_sum", eq(1 / (p + n), 1 / p + 1 / n), eq(1 / (p * n), 1 / p * (1 / n))),
    Pair("logarithm_of_a_square", eq(log(r**2 + 1), 2 * log(r)), eq(log(p**2), 2 * log(p))),
    Pair("exponential_of_a_logarithm", eq(exp(log(r**2)), r**2), eq(exp(log(p)), p)),
    Pair("product_of_sums", eq(total("i", c("i")) * total("i", c("i")), total("i", c("i") ** 2)),
         eq(total("i", c("i")) * total("i", c("i")), total("i", total("j", c("i") * c("j"))))),
    Pair("sum_in_a_sum_of_one_name", eq(total("i", c("i") * total("i", c("i"))), total("i", total("j", c("i") ** 2))),
         eq(total("i", c("i") * total("i", c("i"))), total("i", total("j", c("i") * c("j"))))),
    Pair("argument_caught_by_a_sum",
         eq(Scalar(("def", "f", ("i",), (c("j"),))), total("j", (c("j") + c("i")) * c("j"), ["i"])),
         eq(Scalar(("def", "f", ("i",), (c("j"),))), (c("j") + c("i")) * total("k", c("k"), ["i"]))),
    Pair("delta_picks_the_wrong_index", eq(total("j", delta("i", "j") * c("j")), c("j")),
         eq(total("j", delta("i", "j") * c("j")), c("i"))),
    Pair("two_exclusions_without_distinctness",
         eq(total("k", c("k"), ["i", "j"]), total("k", c("k")) - c("i") - c("j")),
         eq(total("k", c("k"), ["i", "j"]), total("k", c("k")) - c("i") - c("j")), true_given=(distinct("i", "j"),)),
    Pair("one_exclusion_forgotten", eq(total("k", c("k"), ["i"]), total("k", c("k"))),
         eq(total("k", c("k"), ["i"]), total("k", c("k")) - c("i"))),
    Pair("adjoint_without_symmetry", eq(ip(apply("M", "h", x_i), x_j), ip(x_i, apply("M", "h", x_j))),
         eq(ip(apply("M", "h", x_i), x_j), ip(x_i, apply("M", "h", x_j))), (), ("symmetry",)),
    Pair("operators_commute",
         eq(ip(x_i, apply("M", "h", apply("M", "g", x_j))), ip(x_i, apply("M", "g", apply("M", "h", x_j)))),
         eq(ip(x_i, apply("M", "h", apply("M", "g", x_j))), ip(apply("M", "g", apply("M", "h", x_i)), x_j)),
         ("symmetry",)),
    Pair("orthogonality_of_a_head_to_itself", eq(ip(x_i, apply("M", "h", apply("M", "g", x_j))), 0),
         eq(ip(x_i, apply("M", "h", apply("M", "g", x_j))), 0), ("orthogonality",), true_given=(distinct("g", "h"),)),
    Pair("unit_vectors_are_all_equal", eq(ip(x_i, x_j), 1), eq(ip(x_i, x_i), 1), ("unit",)),
    Pair("equiangular_on_the_diagonal", eq(ip(x_i, x_j), r),
         eq(ip(x_i, x_j), r + (1 - r) * delta("i", "j")), ("equiangular",)),
    Pair("trace_is_the_dimension", eq(total("a", ip(basis("a"), apply("A", (), basis("a")))), d),
         eq(total("a", ip(basis("a"), x_i) ** 2), norm2(x_i))),
    Pair("norm_of_a_sum", eq(norm(x_i + x_j), norm(x_i) + norm(x_j)), eq(norm(x_i + x_i), 2 * norm(x_i))),
    Pair("a_sum_over_the_others_is_positive", gt(total("j", exp(c("j")), ["i"]), 0),
         ge(total("j", exp(c("j")), ["i"]), 0)),
    Pair("a_number_is_not_negative", ge(r, 0), ge(w, 0)),
    Pair("a_non_negative_number_is_positive", gt(w, 0), gt(p, 0)),
    Pair("norms_are_positive", gt(norm(x_i), 0), ge(norm(x_i), 0)),
    Pair("a_square_is_positive", gt(r**2, 0), ge(r**2, 0)),
    Pair("a_size_exceeds_one", gt(n - 1, 0), gt(n + 1, 0)),
    Pair("a_derivative_of_a_sum_of_ones", eq(rate("d_r", total("i", 1) * r), n * r),
         eq(rate("d_r", total("i", 1) * r), n)),
    Pair("the_derivative_of_a_product", eq(rate("d_r", r * exp(r)), exp(r)),
         eq(rate("d_r", r * exp(r)), exp(r) * (1 + r))),
    Pair("a_token_moves_all", eq(rate("fx", ip(x_i, x_j)), 0), eq(rate("fr", ip(x_i, x_j)), 0)),
    Pair("sum_of_a_vector_over_nothing", veq(vtotal("j", y), y), veq(vtotal("j", y), Vector(("vmul", n, y)))),
    Pair("a_definition_opened_at_another_index", veq(vdefined("V", "h"), vdefined("V", "g")),
         veq(vdefined("V", "h"), vtotal("k", c("k") * apply("M", "h", vector("x", "k"))))),
]  # fmt: skip


def data(value: Any) -> Any:
    return json.loads(json.dumps(value))


def proof_of(pair: Pair, *, true: bool) -> Proof:
    """A proof of the statement begun, under the hypotheses of that side of the pair."""
    hypotheses = pair.true_hypotheses if true and pair.true_hypotheses is not None else pair.hypotheses
    given = pair.true_given if true and pair.true_given is not None else pair.given
    statement = pair.true if true else pair.false
    for condition in reversed(given):
        statement = implies(condition, statement)
    return Proof(Ground(Signature(pair.definitions), hypotheses, ()), "claim", "part", statement)


def kernel_attempt(pair: Pair, *, true: bool) -> Proof:
    """Prove the statement in one step, as an author would.

    Raises:
        Rejected: it does not follow.
    """
    proof = proof_of(pair, true=true)
    given: list[Formula] = []
    inner: Any = proof.statement
    while inner[0] == "implies":
        given.append(inner[1])
        inner = inner[2]
    with proof.assuming(*given):
        if inner[0] == "eq":
            step = proof.equal(inner[1], inner[2])
        elif inner[0] == "veq":
            step = proof.same_vector(inner[1], inner[2])
        else:
            step = proof.compare(inner, form=pair.form)
    for condition in reversed(given):
        step = proof.discharge(condition, step)
    return proof


def forged(pair: Pair, *, true: bool, witness: dict[str, Any] | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """A part and a certificate whose one step (and what it discharges) claims the statement."""
    proof = proof_of(pair, true=true)
    given: list[Any] = []
    inner: Any = proof.statement
    steps: list[dict[str, Any]] = []
    while inner[0] == "implies":
        given.append(inner[1])
        inner = inner[2]
    first = {"rule": "ring", "given": list(given), "shows": inner, "from": []}
    if inner[0] not in ("eq", "veq"):
        difference = ("+", inner[1], ("*", rational(-1), inner[2]))
        first |= {"rule": "sign", "as": pair.form if pair.form is not None else difference}
    steps.append(first)
    for condition in reversed(given):
        inner = ("implies", condition, inner)
        given = given[:-1]
        steps.append({"rule": "implies_intro", "given": list(given), "shows": inner, "from": [len(steps) - 1]})
    ground = proof.ground
    certificate = {
        "kind": "derivation",
        "claim": "claim",
        "part": "part",
        "setting": ground.signature.digest([proof.statement], ground.hypotheses),
        "uses": [],
        "analysis": [],
        "steps": steps,
        "defined": [],
        "witness": witness,
    }
    part = {
        "name": "part",
        "statement": {"text": "", "term": proof.statement},
        "domain": [],
        "hypotheses": list(ground.hypotheses),
    }
    return data(part), data(certificate)


def model_of(proof: Proof) -> dict[str, Any]:
    ground = WitnessGround(proof.ground.signature, proof.ground.hypotheses)
    model = search(ground, None, plan=Search(seconds=10))
    assert model is not None
    found: dict[str, Any] = data(model.restricted(ground.symbols()).to_json())
    return found


def certified(statement: Formula, steps: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A part without hypotheses and a certificate of these steps, well formed but for what the steps say."""
    certificate = {
        "kind": "derivation",
        "claim": "claim",
        "part": "part",
        "setting": Signature(SMALL).digest([statement], []),
        "uses": [],
        "analysis": [],
        "steps": steps,
        "defined": [],
        "witness": Model({"token": 1, "head": 1, "axis": 1}).to_json(),
    }
    part = {"name": "part", "statement": {"text": "", "term": statement}, "domain": [], "hypotheses": []}
    return data(part), data(certificate)


IDS = [pair.name for pair in PAIRS]


@pytest.mark.parametrize("pair", [pytest.param(pair, id=pair.name) for pair in PAIRS if pair.decided])
def test_the_false_statement_fails_somewhere(pair: Pair) -> None:
    """A control of this file: what it calls false fails at a rational model, and what it calls true is not refuted."""
    proof = proof_of(pair, true=False)
    ground = WitnessGround(proof.ground.signature, proof.ground.hypotheses)
    plan = Search(seconds=20, rounds=3, largest=(2, 2, 2))
    assert search(ground, proof.statement, sense="fails", plan=plan) is not None
    right = proof_of(pair, true=True)
    ground = WitnessGround(right.ground.signature, right.ground.hypotheses)
    few = Search(seconds=1, rounds=1, largest=(2, 2, 2))
    assert search(ground, right.statement, sense="fails", plan=few) is None


@pytest.mark.parametrize("sort", ["token", "head", "axis"])
def test_the_trap_of_ten_is_one(sort: str) -> None:
    """True for 2 to 9 and false for 10: no loop over small sizes would notice."""
    name = {"token": "right_for_two_to_nine_tokens", "head": "right_for_two_to_nine_heads",
            "axis": "right_in_two_to_nine_dimensions"}[sort]  # fmt: skip
    statement = next(pair.false for pair in PAIRS if pair.name == name)
    sizes = {"token": 1, "head": 1, "axis": 1}
    for size in range(2, 11):
        assert evaluate_formula(SMALL, Model({**sizes, sort: size}), statement) is (size < 10)


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_the_kernel_refuses_the_false_one(pair: Pair) -> None:
    with pytest.raises(Rejected):
        kernel_attempt(pair, true=False)


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_the_kernel_accepts_the_true_one(pair: Pair) -> None:
    certificate = kernel_attempt(pair, true=True).certificate(None)
    assert certificate["steps"][-1]["shows"] == proof_of(pair, true=True).statement


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_the_checker_refuses_the_false_one(pair: Pair) -> None:
    part, certificate = forged(pair, true=False, witness=None)
    with pytest.raises(checker.Rejected, match=r"^step 0 \((ring|sign)\)"):
        checker.check_certificate(data(pair.definitions), part, certificate)


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_the_checker_accepts_the_true_one(pair: Pair) -> None:
    """The same forgery, for the true neighbour, and the kernel's own certificate."""
    model = model_of(proof_of(pair, true=True))
    part, certificate = forged(pair, true=True, witness=model)
    checker.check_certificate(data(pair.definitions), part, certificate)
    checker.check_certificate(data(pair.definitions), part, data(kernel_attempt(pair, true=True).certificate(model)))


# --- statements without a meaning -----------------------------------------------------------------------------------

UNDEFINED = [
    eq(r * (1 / r) - r * (1 / r), 0),
    eq(1 / (r - r) * 0, 0),
    eq(log(r), log(r)),
    eq(sqrt(r), sqrt(r)),
    eq(total("i", 1 / c("i")), total("j", 1 / c("j"))),
    implies(gt(c("i"), 0), eq(total("i", log(c("i"))), total("j", log(c("j"))))),
    veq(Vector(("vmul", 1 / r, y)), Vector(("vmul", 1 / r, y))),
]


CAUGHT = [
    # What is assumed of an outer i or r says nothing of the bound one.
    implies(gt(c("i"), 0), eq(total("i", log(c("i"))), total("i", log(c("i"))))),
    implies(gt(r, 0), forall("r", eq(log(r), log(r)))),
]


@pytest.mark.parametrize("statement", UNDEFINED + CAUGHT, ids=range(len(UNDEFINED + CAUGHT)))
def test_what_is_not_defined_is_not_certified_by_the_checker(statement: Formula) -> None:
    inner: Any = statement
    steps: list[dict[str, Any]] = []
    given: list[Any] = []
    if inner[0] == "implies":
        given, inner = [inner[1]], inner[2]
    binder = inner[1] if inner[0] == "forall" else None
    equation = inner[2] if binder else inner
    steps.append({"rule": "ring", "given": [] if binder else given, "shows": equation, "from": []})
    if binder:
        steps.append({"rule": "forall_intro", "given": [], "shows": inner, "from": [0]})
    if given:
        steps.append({"rule": "implies_intro", "given": [], "shows": statement, "from": [len(steps) - 1]})
    part, certificate = certified(statement, steps)
    with pytest.raises(checker.Rejected, match="not shown to be defined"):
        checker.check_certificate(data(SMALL), part, certificate)


@pytest.mark.parametrize(
    "statement",
    UNDEFINED + CAUGHT,
    ids=range(len(UNDEFINED + CAUGHT)),
)
def test_what_is_not_defined_is_not_certified_by_the_kernel(statement: Formula) -> None:
    proof = Proof(Ground(Signature(SMALL), (), ()), "claim", "part", statement)
    inner: Any = statement
    given = [inner[1]] if inner[0] == "implies" else []
    inner = inner[2] if given else inner
    with proof.assuming(*given):
        equation = inner[2] if inner[0] == "forall" else inner
        step = proof.step("ring", equation)
        if inner[0] == "forall":
            step = proof.step("forall_intro", inner, step)
    for condition in given:
        proof.discharge(condition, step)
    with pytest.raises((Rejected, SettingError), match=r"defined|bound"):
        proof.certificate(None)


# --- rules with a premise missing -----------------------------------------------------------------------------------


def begin(statement: Formula, domain: tuple[Formula, ...] = ()) -> Proof:
    return Proof(Ground(Signature(SMALL), (), domain), "claim", "part", statement)


def test_an_integral_across_a_pole() -> None:
    """The integral of 1/r^2 from -1 to 1 is not -2, while from 1 to 2 it is 1/2."""

    def attempt(low: int, high: int) -> None:
        function = -1 / r
        proof = begin(eq(integral("r", low, high, 1 / r**2), 0))
        with proof.assuming(ge(r, low), ge(rational(high), r)):
            if low > 0:
                proof.positive(r, r - low + low)
            slope = proof.equal(rate("d_r", function), 1 / r**2)
        proof.antiderivative(function, "r", slope, proof.compare(gt(rational(high), low)))

    with pytest.raises(Rejected):
        attempt(-1, 1)
    attempt(1, 2)


def test_an_index_that_something_is_assumed_of_is_not_arbitrary() -> None:
    proof = begin(gt(c("i"), 0))
    with proof.assuming(gt(c("i"), 0)) as (positive,):
        with pytest.raises(Rejected, match="arbitrary"):
            proof.for_every("i", positive)
        with pytest.raises(Rejected):
            proof.instance(positive, indices={"i": "j"})


def test_a_symbol_of_the_ground_is_not_arbitrary() -> None:
    proof = begin(gt(r, 0), (gt(r, 1),))
    positive = proof.compare(gt(r, 0), form=(r - 1) + 1)
    with pytest.raises(Rejected, match="arbitrary"):
        proof.step("forall_intro", forall("r", gt(r, 0)), positive)
    with pytest.raises(Rejected, match="arbitrary"):
        proof.instance(positive, scalars={"r": rational(-5)})


def test_a_positive_symbol_is_not_replaced_by_just_anything() -> None:
    proof = begin(gt(p, 0))
    positive = proof.compare(gt(p, 0))
    with pytest.raises(Rejected, match="positive"):
        proof.instance(positive, scalars={"p": rational(-1)})


def test_distinctness_is_not_forgotten() -> None:
    """M_h M_g = 0 for distinct heads gives nothing for equal ones."""
    proof = Proof(Ground(Signature(SMALL), ("orthogonality",), ()), "claim", "part", gt(r, 0))
    pairing = ip(x_i, apply("M", "h", apply("M", "g", x_j)))
    with proof.apart(("g", "h")):
        step = proof.equal(pairing, 0)
    assert distinct("g", "h") in step.given
    with pytest.raises(Rejected):
        proof.instance(step, indices={"g": "h"})
    with pytest.raises(Rejected, match="arbitrary"):
        proof.for_every("g", step)


def test_a_contradictory_ground_certifies_nothing() -> None:
    """From r > t, t > p and p > r follows 0 > 0; there is no model, so no certificate stands."""
    domain = (gt(r, t), gt(t, p), gt(p, r))
    statement = gt(rational(0), 0)
    proof = begin(statement, domain)
    proof.compare(statement, form=(r - t) + (t - p) + (p - r))
    part = {
        "name": "part", "statement": {"text": "", "term": statement}, "hypotheses": [],
        "domain": [{"text": "", "term": formula} for formula in domain],
    }  # fmt: skip
    for value in ("1", "-2"):
        model = {
            "sizes": {"token": 1, "head": 1, "axis": 1},
            "scalars": {"r": value, "t": "0", "p": "1"},
            "vectors": {},
            "operators": {},
        }
        with pytest.raises(checker.Rejected, match="outside the domain"):
            checker.check_certificate(data(SMALL), data(part), data(proof.certificate(model)))
    assert search(WitnessGround(Signature(SMALL), (), domain), None, plan=Search(seconds=2)) is None


def test_settings_that_hide_something_are_refused() -> None:
    """An index that is not a parameter, a size that moves, a definition before what it mentions."""
    hidden = {"define": "hidden", "type": "scalar", "indices": [], "parameters": [], "body": c("i"), "text": ""}
    moving = {"flow": "d_n", "moves": [{"symbol": "token", "indices": [], "velocity": rational(1)}], "text": ""}
    early = {
        "define": "early",
        "type": "scalar",
        "indices": [],
        "parameters": [],
        "body": ("def", "late", (), ()),
        "text": "",
    }
    for wrong in (hidden, moving, early):
        with pytest.raises(checker.Rejected):
            checker.Setting(data([*SMALL, wrong]))
    checker.Setting(data(SMALL))


# --- bound names ----------------------------------------------------------------------------------------------------


def test_a_fact_about_one_index_does_not_make_a_sum_smooth() -> None:
    """-1/(c_k + r) jumps where c_k + r = 0, whatever is assumed of an outer index of the same name."""
    function = total("i", -1 / (c("i") + r))
    goal = ge(total("i", -1 / (c("i") + 1)), total("i", -1 / (c("i") + rational(0))))
    proof = begin(implies(gt(c("i"), 0), goal))
    order = proof.compare(gt(rational(1), 0))

    def attempt() -> None:
        with proof.assuming(ge(r, 0)):
            fact = proof.positive(c("i") + r)
        rising = {"as": total("i", (1 / (c("i") + r)) ** 2), "facts": [fact]}
        slope = proof.step("sign", ge(rate("d_r", function), 0), **rising)
        interval = {"lo": rational(0), "hi": rational(1), "variable": "r", "flow": "d_r"}
        proof.step("increasing", goal, slope, order, function=function, facts=[fact], **interval)

    with proof.assuming(gt(c("i"), 0)), pytest.raises(Rejected):
        attempt()


def test_no_index_excludes_itself() -> None:
    itself = Scalar(("sum", "i", ("i",), rational(1)))
    with pytest.raises(SettingError, match="excludes itself"):
        begin(eq(itself, n - 1)).equal(itself, n - 1)


def test_the_checker_reads_no_index_that_excludes_itself() -> None:
    with pytest.raises(checker.Rejected, match="exclusion"):
        checker.Setting(data(SMALL)).read(["sum", "i", ["i"], ["q", "1", "1"]], "S")


# --- facts about one index and facts about all ----------------------------------------------------------------------


def test_a_fact_about_one_index_does_not_sharpen_one_about_all_in_the_kernel() -> None:
    """|c_i| >= -c_i for every i; where c_i >= 0 is assumed of one i, that is 2 c_i >= 0, for that i alone."""
    proof = begin(implies(ge(c("i"), 0), ge(c("j"), 0)))
    every = proof.step("absolute", ge(absolute(c("i")), -c("i")))
    with proof.assuming(ge(c("i"), 0)) as (one,), pytest.raises(Rejected):
        proof.step("sign", ge(c("j"), 0), **{"as": c("j"), "facts": [every, one]})


def test_a_fact_about_one_index_does_not_sharpen_one_about_all_in_the_checker() -> None:
    assumed, wrong = ge(c("i"), 0), ge(c("j"), 0)
    statement = implies(assumed, wrong)
    steps = [
        {"rule": "absolute", "given": [], "shows": ge(absolute(c("i")), -c("i")), "from": []},
        {"rule": "assume", "given": [assumed], "shows": assumed, "from": []},
        {"rule": "sign", "given": [assumed], "shows": wrong, "from": [], "as": c("j"), "facts": [0, 1]},
        {"rule": "implies_intro", "given": [], "shows": statement, "from": [2]},
    ]
    with pytest.raises(checker.Rejected, match=r"^step 2"):
        checker.check_certificate(data(SMALL), *certified(statement, steps))
