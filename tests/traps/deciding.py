"""A statement in, the suite's word out: proved, refuted or undecided, as for a claim of a user's own.

Nothing is said that the stand-alone checker does not accept too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from antumbra.proofs import checker, exact
from antumbra.proofs.kernel import witness
from antumbra.proofs.kernel.evaluate import Model, evaluate_formula, evaluate_scalar
from antumbra.proofs.kernel.ground import Ground, Rejected
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import Signature
from antumbra.proofs.kernel.terms import Formula, Scalar, rational, symbol
from flint import arb

Word = Literal["proved", "refuted", "undecided"]

DOMAINS = {"a": "positive", "b": "positive", "x": "positive", "t": "real"}
SETTING: list[dict[str, Any]] = [
    *({"symbol": s, "type": "scalar", "indices": [], "domain": d, "text": ""} for s, d in DOMAINS.items()),
    *(
        {"flow": f"d_{s}", "moves": [{"symbol": s, "indices": [], "velocity": rational(1)}], "text": ""}
        for s in DOMAINS
    ),
]
a, b, x, t = (symbol(name) for name in DOMAINS)
ONE_OF_EACH = {"token": 1, "head": 1, "axis": 1}
PLAN = witness.Search(seconds=10, rounds=2, largest=(2, 2, 2))


def say(statement: Formula, domain: Sequence[Formula] = ()) -> Word:
    """The suite's word on a statement about a, b, x > 0 and a real t."""
    part = _plain(
        {
            "name": "part",
            "statement": {"text": "", "term": statement},
            "domain": [{"text": "", "term": formula} for formula in domain],
            "hypotheses": [],
        }
    )
    ground = witness.Ground(Signature(SETTING), (), tuple(domain))
    model = witness.search(ground, None, plan=PLAN)
    assert model is not None, "a domain without a point"
    proof = Proof(Ground(Signature(SETTING), (), tuple(domain)), "claim", "part", statement)
    try:
        exact.direct(proof)
        certificate = proof.certificate(model.restricted(ground.symbols()).to_json())
    except Rejected:
        pass
    else:
        checker.check_certificate(_plain(SETTING), part, _plain(certificate))
        return "proved"
    found = witness.search(ground, statement, sense="fails", plan=PLAN)
    if found is None:
        return "undecided"
    refutation = witness.certify(ground, statement, found, sense="fails", claim="claim", part="part")
    try:
        checker.check_certificate(_plain(SETTING), part, _plain(refutation))
    except checker.Rejected:
        return "undecided"  # its own enclosures do not reach so far
    return "refuted"


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def model(**values: int | Fraction) -> Model:
    """A model with these values of a, b, x, t."""
    return Model(ONE_OF_EACH, {name: Fraction(value) for name, value in values.items()})


def value(term: Scalar, precision: int = 200, **values: int | Fraction) -> Fraction | arb:
    """The value of a term: exact, or a ball."""
    return evaluate_scalar(SETTING, model(**values), term, precision=precision)


def holds(formula: Formula, **values: int | Fraction) -> bool | None:
    """Whether a formula holds at a point; None if that is not decided."""
    return evaluate_formula(SETTING, model(**values), formula)


def encloses(found: Fraction | arb, digits: str) -> bool:
    """Whether a value is these decimal digits, to one unit of the last."""
    text = digits.rstrip("…")
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    near = Fraction(text)
    if isinstance(found, Fraction):
        return abs(found - near) <= unit
    return bool(found.overlaps(_ball(near))) or bool(abs(found - _ball(near)) < _ball(unit))


def _ball(number: Fraction) -> arb:
    return arb(number.numerator) / number.denominator
