"""False statements with a hand-made proof: the stand-alone checker must refuse each of them.

A test that is marked is a hole still open: its reason says which, and it fails as soon as the hole is closed.
"""

from __future__ import annotations

from typing import Any

import handmade as h
import pytest
from antumbra.proofs import checker as c


def verdict(steps: list[dict[str, Any]], *definitions: dict[str, Any], domain: tuple[h.J, ...] = ()) -> str:
    """What the checker says of a proof of its last line, in the hand-made setting with more definitions."""
    setting = [*h.SETTING, *definitions]
    row = h.part(steps[-1]["shows"], (), domain)
    try:
        return h.verdict(row, h.derivation(row, steps, setting), setting)
    except c.Rejected as why:
        return str(why)


def hidden_vector() -> tuple[dict[str, Any], ...]:
    """A definition whose parameter has the name of the vector u that its body speaks of."""
    return h.definition("hide", h.ip(h.u, h.u), (), ("u",)), h.flow("du", ("u", (), h.u))


def test_a_true_statement_is_accepted() -> None:
    """The control: the harness does not refuse everything."""
    assert verdict([h.step("ring", h.eq(h.mul(h.p, h.p), h.power(h.p, 2)))]) == "accepted"


def test_what_holds_of_positive_numbers_does_not_hold_of_all() -> None:
    """For all positive p, p > 0; hence for all real r, r > 0; hence -1 > 0; hence 1 = 0."""
    positive, real = ["forall", "p", h.gt(h.p, h.ZERO)], ["forall", "r", h.gt(h.r, h.ZERO)]
    steps = [
        h.step("symbol", h.gt(h.p, h.ZERO)),
        h.step("forall_intro", positive, 0),
        h.step("and_intro", ["and", real, real], 1, 1),
        h.step("and_elim", real, 2, part=0),
        h.step("forall_elim", h.gt(h.q(-1), h.ZERO), 3, term=h.q(-1)),
        h.step("contradiction", h.eq(h.ONE, h.ZERO), 4),
    ]
    assert verdict(steps) != "accepted"


def test_a_number_that_exists_is_not_positive_for_that() -> None:
    """There is a real r < 0; hence a positive p < 0."""
    real, positive = ["exists", "r", h.gt(h.ZERO, h.r)], ["exists", "p", h.gt(h.ZERO, h.p)]
    steps = [
        h.step("sign", h.gt(h.ZERO, h.q(-1))),
        h.step("exists_intro", real, 0, term=h.q(-1)),
        h.step("and_intro", ["and", positive, positive], 1, 1),
    ]
    assert verdict(steps) != "accepted"


def test_a_parameter_does_not_hide_a_vector() -> None:
    """hide(u) := <u,u>; the vector is replaced on one side of hide(0) = <u,u> only, so <u,u> = 0."""
    hide = h.define("hide", args=(h.ZERO,))
    steps = [
        h.step("ring", h.eq(hide, h.ip(h.u, h.u))),
        h.step("instantiate", h.eq(hide, h.ZERO), 0, vectors={"u": ["v0"]}),
        h.step("ring", h.eq(h.ip(h.u, h.u), h.ZERO), combo=[[h.ONE, 1]]),
    ]
    assert verdict(steps, *hidden_vector()) != "accepted"


def test_a_parameter_does_not_stop_a_vector() -> None:
    """Hide(0) = <u,u> moves with u."""
    steps = [h.step("ring", h.eq(h.rate("du", h.define("hide", args=(h.ZERO,))), h.ZERO))]
    assert verdict(steps, *hidden_vector()) != "accepted"


def test_a_parameter_does_not_stop_an_indexed_scalar() -> None:
    """With whole := sum_i s_i and hide(s) := whole, the rate of hide(0) along s_i' = 1 is n, not 0."""
    definitions = (
        h.definition("whole", h.total("i", h.s("s", "i"))),
        h.definition("hide", h.define("whole"), (), ("s",)),
        h.flow("ds", ("s", ("i",), h.ONE)),
    )
    steps = [h.step("ring", h.eq(h.rate("ds", h.define("hide", args=(h.ZERO,))), h.ZERO))]
    assert verdict(steps, *definitions) != "accepted"


def test_a_rate_in_a_definition_keeps_its_conditions() -> None:
    """slope(t) := d log t / dt says nothing at -1, where the logarithm has no value."""
    slope = h.definition("slope", h.rate("dt", h.fun("log", h.t)), (), ("t",))
    assert verdict([h.step("ring", h.eq(h.define("slope", args=(h.q(-1),)), h.q(-1)))], slope) != "accepted"


@pytest.mark.parametrize("sense", ["holds", "fails"])
def test_the_rate_of_a_logarithm_has_no_value_at_negative_numbers(sense: str) -> None:
    """The point t = -1 neither shows that the rate of log t is negative somewhere nor refutes that it never is."""
    rate = h.rate("dt", h.fun("log", h.t))
    row = h.part(h.lt(rate, h.ZERO) if sense == "holds" else h.ge(rate, h.ZERO))
    point = h.witness(row, sense)
    point["model"]["scalars"]["t"] = "-1"
    assert h.verdict(row, point) != "accepted"


@pytest.mark.parametrize("name", ["pi", "exp", "log", "sqrt", "abs", "inf"])
def test_names_that_read_like_something_else_are_refused(name: str) -> None:
    """A definition exp(a) := 1 would print as `exp(3) = 1`."""
    with pytest.raises(c.Rejected):
        c.Setting([h.symbol(name)])


def test_an_index_does_not_print_like_a_part_of_a_name() -> None:
    """The symbol x_i and the symbol x with index i are two."""
    assert c.show(("s", "x_i", ())) != c.show(("s", "x", ("i",)))


def book(verdict_: str, part: dict[str, Any]) -> c.Report:
    """The checker's report on a ledger of one row."""
    return c.check({"definitions": h.SETTING, "claims": [{"id": "claim", "verdict": verdict_, "parts": [part]}]})


@pytest.mark.parametrize("word", ["Proved", "proved ", "proven", ""])
def test_only_the_verdicts_of_the_table_are_verdicts(word: str) -> None:
    """`Proved` without any certificate is a defect."""
    assert not book(word, h.part(h.eq(h.ONE, h.ZERO))).ok


def test_proved_beside_evidence_that_failed_is_a_conflict() -> None:
    """A derivation that passes and a flow that fails contradict each other."""
    row = h.part(h.eq(h.ONE, h.ONE))
    proof = h.derivation(row, [h.step("ring", h.eq(h.ONE, h.ONE))])
    row["evidence"] = [
        {"kind": "symbolic", "outcome": "pass", "certificate": proof},
        {"kind": "flow", "outcome": "fail"},
    ]
    assert not book("proved", row).ok


def existence(statement: h.J) -> bool:
    """Whether a ledger is in order that calls this an existence, proved by the hand-made model."""
    row = h.part(statement)
    row["quantifier"] = "existential"
    row["evidence"] = [{"kind": "witness", "outcome": "pass", "certificate": h.witness(row, "holds")}]
    return book("proved", row).ok


FALSE = h.eq(h.ONE, h.ZERO)
NEVER = h.implies(h.gt(h.ZERO, h.ONE), FALSE)


def test_an_existence_is_accepted() -> None:
    """The control: there is an r that is 2."""
    assert existence(h.eq(h.r, h.TWO))


def test_an_existence_is_not_vacuous() -> None:
    """`There is a model in which 0 > 1 implies 1 = 0` shows nothing."""
    assert not existence(NEVER)


@pytest.mark.parametrize(
    "hollow",
    [
        pytest.param(h.every("i", NEVER), id="below_a_quantifier"),
        pytest.param(["or", NEVER, FALSE], id="below_an_alternative"),
        pytest.param(h.every("i", h.every("j", h.every("k", FALSE, "i", "j"), "i")), id="over_nothing"),
    ],
)
def test_an_existence_is_not_vacuous_within(hollow: h.J) -> None:
    """Nor does one whose range is empty or whose condition fails."""
    assert not existence(hollow)


def test_an_integral_backwards_has_no_value() -> None:
    """The integral from 1 to 0 of 1 is not shown to be negative by a point."""
    assert not existence(h.lt(["int", "y", h.ONE, h.ZERO, h.ONE], h.ZERO))


def odd_use() -> dict[str, Any]:
    """A row that uses a list."""
    return {"id": "claim", "verdict": "undecided", "parts": [], "uses": [["claim"]]}


def odd_name() -> dict[str, Any]:
    """A part whose name is a list."""
    return {"id": "claim", "verdict": "undecided", "parts": [{**h.part(h.eq(h.ONE, h.ONE)), "name": ["part"]}]}


def odd_variable() -> dict[str, Any]:
    """A step whose variable is a list."""
    row = h.part(["unique", "r", h.ZERO, h.INF, h.r])
    data: dict[str, Any] = {"variable": ["t"], "flow": "dt", "a": h.ONE, "b": h.ONE}
    steps = [h.step("sign", h.gt(h.ONE, h.ZERO)), h.step("root_monotone", row["statement"]["term"], 0, **data)]
    row["evidence"] = [{"kind": "symbolic", "outcome": "pass", "certificate": h.derivation(row, steps)}]
    return {"id": "claim", "verdict": "proved", "parts": [row]}


@pytest.mark.parametrize("row", [odd_use(), odd_name(), odd_variable()], ids=["use", "name", "variable"])
def test_odd_json_is_rejected_with_a_reason(row: dict[str, Any]) -> None:
    """A verdict, not a traceback."""
    assert not c.check({"definitions": h.SETTING, "claims": [row]}).ok
