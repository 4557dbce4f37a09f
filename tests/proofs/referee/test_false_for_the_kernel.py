"""False statements that the kernel's rules must refuse, term by term; a table lists the holes still open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from antumbra.proofs.kernel.ground import Ground, Judgement, Rejected
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import SettingError, Signature
from antumbra.proofs.kernel.terms import (
    ZERO,
    Scalar,
    Vector,
    basis,
    defined,
    eq,
    every,
    ge,
    gt,
    integral,
    ip,
    log,
    norm,
    operator_norm,
    rate,
    rational,
    symbol,
    vector,
    veq,
)

NOUGHT, ONE = rational(0), rational(1)
U, W, T, S_I = vector("u"), vector("w"), symbol("t"), symbol("s", "i")
S_J = symbol("s", "j")


def declared(name: str, kind: str = "scalar", indices: tuple[str, ...] = ()) -> dict[str, Any]:
    """A symbol's object in a ledger."""
    return {"symbol": name, "type": kind, "indices": list(indices), "domain": "real", "text": ""}


def define(name: str, body: Any, parameters: tuple[str, ...] = ()) -> dict[str, Any]:
    """A definition's object in a ledger."""
    return {"define": name, "type": "scalar", "indices": [], "parameters": list(parameters), "body": body, "text": ""}


def moves(name: str, what: str, indices: tuple[str, ...], velocity: Any) -> dict[str, Any]:
    """A flow's object in a ledger."""
    move = {"symbol": what, "indices": list(indices), "velocity": velocity}
    return {"flow": name, "moves": [move], "text": ""}


def proof(*more: dict[str, Any]) -> Proof:
    """An empty proof in a small setting."""
    setting = [
        declared("t"),
        declared("s", indices=("token",)),
        declared("u", "vector"),
        declared("w", "vector"),
        moves("du", "u", (), U),
        moves("dt", "t", (), ONE),
        moves("ds", "s", ("i",), ONE),
        *more,
    ]
    return Proof(Ground(Signature(setting), (), ()), "claim", "part", eq(NOUGHT, NOUGHT))


def hidden_vector() -> Judgement:
    """With hide(u) := <u,u>, hide(0) moves with the vector u."""
    p = proof(define("hide", ip(U, U), ("u",)))
    return p.step("ring", eq(rate("du", defined("hide", of=[NOUGHT])), NOUGHT))


def binder_like_indexed_symbol() -> Judgement:
    """The integral of s_i over an s from 0 to 1 is s_i, and moves with it."""
    return proof().step("ring", eq(rate("ds", integral("s", NOUGHT, ONE, S_I)), NOUGHT))


def binder_like_vector() -> Judgement:
    """The integral of <u,u> over a u from 0 to 1 is <u,u>."""
    return proof().step("ring", eq(rate("du", integral("u", NOUGHT, ONE, ip(U, U))), NOUGHT))


def norm_of_a_constant_map() -> Judgement:
    """|u -> w| |0| >= |w| would make every w zero."""
    bound = ge(Scalar(("*", operator_norm("u", W), norm(ZERO))), norm(W))
    return proof().step("operator_norm", bound, name="u", image=W, vector=ZERO)


def norm_of_a_quadratic_map() -> Judgement:
    """The map u -> <u,u> w is not linear, and bounded by no multiple of |u|."""
    image = Vector(("vmul", ip(U, U), W))
    bound = ge(Scalar(("*", operator_norm("u", image), norm(U))), norm(image))
    return proof().step("operator_norm", bound, name="u", image=image, vector=U)


def index_hidden_in_a_definition() -> Judgement:
    """From leak := s_i > 0 it does not follow that every s_i > 0."""
    p = proof(define("leak", S_I))
    leak = defined("leak")
    assumed = p.step("assume", gt(leak, NOUGHT))
    shown = p.step("sign", gt(S_I, NOUGHT), facts=[assumed], **{"as": leak})
    return p.step("all_intro", every("i", gt(S_I, NOUGHT)), shown)


def rate_in_a_vector() -> Judgement:
    """The rate of log t is 1/t where t > 0 only."""
    left = Vector(("vmul", rate("dt", log(T)), U))
    return proof().step("ring", veq(left, Vector(("vmul", Scalar(("inv", T)), U))))


def rate_in_a_fact() -> Judgement:
    """That the rate of log t is not negative says nothing of 1/t unless t > 0."""
    p = proof()
    assumed = p.step("assume", ge(rate("dt", log(T)), NOUGHT))
    return p.step("sign", ge(Scalar(("inv", T)), NOUGHT), facts=[assumed], **{"as": Scalar(("inv", T))})


def index_hidden_in_a_flow() -> Judgement:
    """From t' = s_i it does not follow that s_i = s_j."""
    p = proof(moves("di", "t", (), S_I))
    first = p.step("ring", eq(rate("di", T), S_I))
    second = p.step("instantiate", eq(rate("di", T), S_J), first, indices={"i": "j"})
    return p.step("ring", eq(S_I, S_J), combo=[(ONE, second), (rational(-1), first)])


def moving_basis() -> Judgement:
    """The basis is orthonormal and stays so."""
    p = proof(moves("de", "e", ("a",), U))
    return p.step("ring", eq(rate("de", ip(basis("a"), basis("a"))), 2 * ip(basis("a"), U)))


def symbol_that_moves_twice() -> Judgement:
    """A symbol has one velocity."""
    twice = moves("twice", "t", (), ONE)
    twice["moves"] = [*twice["moves"], {"symbol": "t", "indices": [], "velocity": rational(2)}]
    return proof(twice).step("ring", eq(rate("twice", T), 2))


REFUSED: tuple[Callable[[], Judgement], ...] = (
    hidden_vector,
    binder_like_indexed_symbol,
    binder_like_vector,
    norm_of_a_constant_map,
    norm_of_a_quadratic_map,
    index_hidden_in_a_definition,
    rate_in_a_vector,
    rate_in_a_fact,
    index_hidden_in_a_flow,
    moving_basis,
    symbol_that_moves_twice,
)


def test_the_control_is_accepted() -> None:
    """The harness does not refuse everything."""
    assert proof().step("ring", eq(rate("dt", T * T), 2 * T)).shows


@pytest.mark.parametrize("attempt", [pytest.param(f, id=f.__name__) for f in REFUSED])
def test_a_false_statement_is_refused(attempt: Callable[[], Judgement]) -> None:
    """Either the setting or the step is refused."""
    with pytest.raises((Rejected, SettingError)):
        attempt()
