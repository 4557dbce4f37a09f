"""Certificates for a person: a derivation step by step with its reasons, a witness as a table of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antumbra.reports.formulas.notation import displayed
from antumbra.reports.formulas.picture import Gallery
from antumbra.reports.page.markup import text
from antumbra.reports.words import reason_of

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
    names = ", ".join(map(str, analysis)) if isinstance(analysis, list) else ""
    trusted = f'<p class="note">Rests on trusted analysis: {text(names)}.</p>' if names else ""
    count = f"{len(steps)} step{'' if len(steps) == 1 else 's'}"
    return f'<p class="note">A derivation of {count}:</p><ol start="0" class="steps">{items}</ol>{more}{trusted}'


def _step(step: Mapping[str, Any], gallery: Gallery) -> str:
    shows = step.get("shows")
    formula = gallery.text(shows) if isinstance(shows, list) else text(shows)
    reason = reason_of(step)
    given = step.get("given")
    under = ""
    if isinstance(given, list) and given:
        under = '<div class="note">given ' + ", ".join(gallery.text(formula) for formula in given) + "</div>"
    return f'<li><div>{formula}</div>{under}<div class="reason">{text(reason)}</div></li>'


def _witness(certificate: Mapping[str, Any]) -> str:
    sense = {"holds": "the statement holds", "fails": "the statement fails"}.get(str(certificate.get("sense")), "")
    drops = certificate.get("drops")
    without = f", without {text(', '.join(map(str, drops)))}" if isinstance(drops, list) and drops else ""
    model = certificate.get("model")
    return f'<p class="note">At this point {sense}{without}:</p>{model_section(model)}'


def is_model(value: Any) -> bool:
    """Whether a value looks like a model: sizes, and what its symbols are."""
    return isinstance(value, Mapping) and "sizes" in value and set(value) <= {"sizes", *_GROUPS}


_GROUPS = ("scalars", "vectors", "operators")
_DEPTHS = {"scalars": 0, "vectors": 1, "operators": 2}


def model_section(model: Any) -> str:
    """A model as a table, with a drawing when its tokens lie in the plane."""
    if not isinstance(model, Mapping):
        return ""
    rows = []
    sizes = model.get("sizes")
    if isinstance(sizes, Mapping):
        letters = {"token": "n", "head": "H", "axis": "d"}
        shown = ", ".join(f"{letters.get(str(sort), str(sort))} = {size}" for sort, size in sizes.items())
        rows.append(("sizes", text(shown)))
    for group in _GROUPS:
        values = model.get(group)
        if isinstance(values, Mapping):
            for name, value in values.items():
                rows += [(f"{displayed(str(name))}{place}", entry) for place, entry in _entries(value, _DEPTHS[group])]
    items = "".join(f'<tr><th scope="row">{text(name)}</th><td>{value}</td></tr>' for name, value in rows)
    return (
        f'<div class="point">{token_drawing(model)}<div class="scroll"><table class="model">{items}</table></div></div>'
    )


def _entries(value: Any, depth: int) -> list[tuple[str, str]]:
    """The members of a family with their indices: a scalar, a vector (depth 1) or a matrix (depth 2) each."""
    levels = _nesting(value)
    if levels <= depth or not isinstance(value, list):
        return [("", _matrix(value) if depth == 2 else text(decimal(value)))]
    found = []
    for number, item in enumerate(value, start=1):
        for place, entry in _entries(item, depth):
            rest = f",{place[1:]}" if place else ""
            found.append((f"_{number}{rest}", entry))
    return found


def _nesting(value: Any) -> int:
    return 1 + _nesting(value[0]) if isinstance(value, list) and value else 0


def _matrix(value: Any) -> str:
    """A matrix with its rows one below the other."""
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        return text(decimal(value))
    rows = "".join("<tr>" + "".join(f"<td>{text(decimal(cell))}</td>" for cell in row) + "</tr>" for row in value)
    return f'<table class="matrix-value"><tbody>{rows}</tbody></table>'


def token_drawing(model: Mapping[str, Any]) -> str:
    """The tokens on the unit circle, when they lie in the plane; otherwise nothing."""
    vectors = model.get("vectors")
    tokens = vectors.get("x") if isinstance(vectors, Mapping) else None
    points = [_plane(token) for token in tokens] if isinstance(tokens, list) else []
    if not points or any(point is None for point in points):
        return ""
    marks = []
    shown = [point for point in points if point is not None]
    for number, (right, up) in enumerate(shown, start=1):
        x, y = 60 + 45 * right, 60 - 45 * up
        marks.append(
            f'<line x1="60" y1="60" x2="{x:.1f}" y2="{y:.1f}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'
            f'<text x="{60 + 55 * right:.1f}" y="{64 - 55 * up:.1f}">{number}</text>'
        )
    label = f"{len(shown)} token{'' if len(shown) == 1 else 's'} on the unit circle"
    return (
        f'<svg class="tokens" role="img" aria-label="{label}" viewBox="0 0 120 120" width="120" height="120">'
        f'<circle class="orbit" cx="60" cy="60" r="45"/>{"".join(marks)}</svg>'
    )


def _plane(token: Any) -> tuple[float, float] | None:
    """A token's coordinates, when it is a point of the plane no farther out than the unit circle."""
    if not isinstance(token, list) or len(token) != 2:
        return None
    found = []
    for entry in token:
        try:
            numerator, _, denominator = str(entry).partition("/")
            found.append(int(numerator, 16) / int(denominator or "1", 16))
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
    right, up = found
    return (right, up) if right * right + up * up <= 1.0001 else None


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
