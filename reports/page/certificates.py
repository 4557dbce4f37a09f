"""Certificates for a person: a derivation step by step with its reasons, a witness as a table of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antumbra.reports.formulas.picture import Gallery
from antumbra.reports.page.markup import text

RULES: dict[str, str] = {
    "ring": "by algebra: both sides have the same normal form",
    "sign": "by the signs of its terms",
    "hypothesis": "a hypothesis",
    "symbol": "by the domain of the symbol",
    "size": "a size is at least one",
    "assume": "assumed",
    "and_intro": "together",
    "and_elim": "one of the two",
    "implies_intro": "the assumption is discharged",
    "modus": "by the implication",
    "iff_intro": "both directions",
    "iff_elim": "by the equivalence",
    "iff_chain": "equivalences in a row",
    "all_intro": "for every index",
    "all_elim": "for this index",
    "forall_intro": "for every value",
    "forall_elim": "for this value",
    "forallv_intro": "for every vector",
    "forallv_elim": "for this vector",
    "exists_intro": "by this value",
    "cases": "in every case",
    "compare": "one of the comparisons holds",
    "contradiction": "by contradiction",
    "or_intro": "one of the alternatives",
    "instantiate": "for these values",
    "cite": "a proved claim",
    "eq_flip": "read backwards",
    "antisymmetry": "both inequalities",
    "vector_zero": "a vector of length zero is zero",
    "sum_zero": "a sum of non-negative terms that is zero has zero terms",
    "square_zero": "a square that is zero",
    "equal_rewrite": "by the equation",
    "cauchy_schwarz": "Cauchy–Schwarz",
    "absolute": "by the absolute value",
    "operator_norm": "by the operator norm",
    "operator_norm_le": "a bound of the operator norm",
    "exp_tangent": "the exponential lies above its tangent",
    "iff_scale": "scaled by a positive factor",
    "iff_exp": "the exponential rises",
    "iff_square": "squares of non-negative numbers",
    "congruence": "equal terms",
    "increasing": "a positive derivative",
    "root_monotone": "a sign change and a positive derivative",
    "root_convex": "a sign change and convexity",
    "root_is": "the only root",
    "root_facts": "what a root satisfies",
    "antiderivative": "by differentiating the antiderivative",
}
"""Rules in words."""

MOST_STEPS = 400
"""A longer derivation is shown to this step; the ledger holds it whole."""


def certificate_section(certificate: Mapping[str, Any], gallery: Gallery) -> str:
    """A certificate in a form that a person can follow."""
    match certificate.get("kind"):
        case "derivation":
            return _derivation(certificate, gallery)
        case "witness":
            return _witness(certificate)
        case _:
            return f'<p class="note">A certificate of kind {text(certificate.get("kind"))}; the ledger holds it.</p>'


def _derivation(certificate: Mapping[str, Any], gallery: Gallery) -> str:
    steps = certificate.get("steps")
    if not isinstance(steps, list):
        return ""
    items = "".join(_step(step, gallery) for step in steps[:MOST_STEPS] if isinstance(step, Mapping))
    rest = len(steps) - MOST_STEPS
    more = f'<p class="note">… and {rest} more steps, in the ledger.</p>' if rest > 0 else ""
    analysis = certificate.get("analysis")
    trusted = (
        f'<p class="note">Rests on trusted analysis: {text(", ".join(map(str, analysis)))}.</p>' if analysis else ""
    )
    count = f"{len(steps)} step{'' if len(steps) == 1 else 's'}"
    return f'<p class="note">A derivation of {count}:</p><ol start="0" class="steps">{items}</ol>{more}{trusted}'


def _step(step: Mapping[str, Any], gallery: Gallery) -> str:
    shows = step.get("shows")
    formula = gallery.text(shows) if isinstance(shows, list) else text(shows)
    rule = str(step.get("rule"))
    reason = RULES.get(rule, rule.replace("_", " "))
    sources = [str(number) for key in ("from", "facts", "rewrites") for number in _numbers(step.get(key))]
    origin = f", from {', '.join(dict.fromkeys(sources))}" if sources else ""
    given = step.get("given")
    under = ""
    if isinstance(given, list) and given:
        under = '<div class="note">given ' + ", ".join(gallery.text(formula) for formula in given) + "</div>"
    return f'<li><div>{formula}</div>{under}<div class="reason">{text(reason)}{text(origin)}</div></li>'


def _numbers(value: Any) -> list[int]:
    return [item for item in value if type(item) is int] if isinstance(value, list) else []


def _witness(certificate: Mapping[str, Any]) -> str:
    sense = {"holds": "the statement holds", "fails": "the statement fails"}.get(str(certificate.get("sense")), "")
    drops = certificate.get("drops")
    without = f", without {text(', '.join(map(str, drops)))}" if isinstance(drops, list) and drops else ""
    model = certificate.get("model")
    return f'<p class="note">At this point {sense}{without}:</p>{_model(model) if isinstance(model, Mapping) else ""}'


def _model(model: Mapping[str, Any]) -> str:
    rows = []
    sizes = model.get("sizes")
    if isinstance(sizes, Mapping):
        letters = {"token": "n", "head": "H", "axis": "d"}
        shown = ", ".join(f"{letters.get(str(sort), str(sort))} = {size}" for sort, size in sizes.items())
        rows.append(("sizes", text(shown)))
    for group in ("scalars", "vectors", "operators"):
        values = model.get(group)
        if isinstance(values, Mapping):
            rows += [(str(name), text(decimal(value))) for name, value in values.items()]
    items = "".join(f'<tr><th scope="row">{text(name)}</th><td>{value}</td></tr>' for name, value in rows)
    return f'<div class="scroll"><table class="model">{items}</table></div>'


def decimal(value: Any) -> str:
    """A model's value with its hexadecimal rationals in decimal: `["3/5", ["-a", …]]` as (3/5, (-10, …))."""
    if isinstance(value, list):
        return "(" + ", ".join(decimal(item) for item in value) + ")"
    if isinstance(value, str) and len(value) <= 2000:
        try:
            numbers = [str(int(piece, 16)) for piece in value.split("/")]
        except ValueError:
            return value
        return "/".join(numbers)
    return str(value)
