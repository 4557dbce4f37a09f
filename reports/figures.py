"""The ledger's figures as SVG, each with a caption that states what is seen."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from antumbra.reports.charts import Chart, Line, Mark
from antumbra.reports.ledger import FigureRecord


def draw(figure: FigureRecord) -> tuple[str, str] | None:
    """A figure's drawing and caption; `None` when this version does not know it, or its data are not of its form."""
    known = DRAWINGS.get(figure.id)
    if known is None:
        return None
    reason = figure.data.get("error")
    if reason is not None:
        return f"<p>This picture could not be computed: {html.escape(str(reason))}</p>", "No picture."
    try:
        return known(figure.data)
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError):
        return None


def _energies(data: dict[str, Any]) -> tuple[str, str]:
    times = [float(time) for time in data["times"]]
    names = {"total": ("total E", "a"), "second_head": ("second head", "b"), "first_head": ("first head", "c")}
    curves = {key: [float(value) for value in data[key]] for key in names}
    values = [value for curve in curves.values() for value in curve]
    chart = Chart(
        title="Energies of two heads and their total over time: the first head's falls, the total rises",
        x_name="time",
        y_name="energy",
        x_range=(times[0], times[-1]),
        y_range=(min(values) * 0.95, max(values) * 1.05),
        lines=[Line(list(zip(times, curves[key], strict=True)), *names[key]) for key in names],
    )
    first, total = curves["first_head"], curves["total"]
    caption = (
        "One token, two heads that are projections on the two axes, started at (3/5, 4/5). The total energy rises from "
        f"{total[0]:.4f} to {total[-1]:.4f} (Theorem 11) while the first head's falls from {first[0]:.4f} to "
        f"{first[-1]:.4f}: one head casts its radial shadow on the other (Theorem 17)."
    )
    return chart.svg(), caption


def _dominance(data: dict[str, Any]) -> tuple[str, str]:
    windows = [(float(ratio), float(low), float(high)) for ratio, low, high in data["windows"]]
    lower = [(ratio, low) for ratio, low, _ in windows]
    upper = [(ratio, high) for ratio, _, high in windows]
    last = float(data["last"])
    chart = Chart(
        title="Where radial dominance holds, over the inverse temperature and the common inner product of the tokens",
        x_name="β / β*",
        y_name="γ",
        x_range=(0.0, 1.6),
        y_range=(0.0, max(high for _, high in upper) * 1.1),
        lines=[Line(upper, "", "a"), Line(lower, "", "b")],
        marks=[Mark(1.0, 0.0, "β*"), Mark(last, windows[-1][2], f"β_w = {last:g} β*")],
        area=[*upper, *reversed(lower)],
    )
    caption = (
        f"Condition 8 holds in the shaded region (H = {data['H']}, n = {data['n']}). A path starts at γ = 0 and "
        "climbs: up to β* the condition holds from the start and is left once; between β* and β_w it is entered late "
        "and left again; beyond β_w it never holds."
    )
    return chart.svg(), caption


def _rate(data: dict[str, Any]) -> tuple[str, str]:
    points = [(float(x), float(y)) for x, y in zip(data["scales"], data["values"], strict=True)]
    names = {"lambda_max": "λ_max", "lambda_c": "λ_c"}
    marks = [Mark(float(x), float(y), names[key]) for key, (x, y) in data["marks"].items()]
    chart = Chart(
        title="A head's rate over its scale: it rises to a peak, falls, and turns convex beyond the peak",
        x_name="λ",
        y_name="φ(λ)",
        x_range=(0.0, points[-1][0]),
        y_range=(0.0, max(y for _, y in points) * 1.15),
        lines=[Line(points, "φ", "a")],
        marks=marks,
    )
    peak, turn = (data["marks"][key][0] for key in ("lambda_max", "lambda_c"))
    caption = (
        "The rate φ(λ) = 2λ/(e^(βλ) + n − 1) that a head of scale λ adds at γ = 0 "
        f"(n = {data['n']}, β = {data['beta']}): one maximum at λ_max = {peak}, one inflection at λ_c = {turn}. "
        "The convex part lies beyond the peak (Theorem 22)."
    )
    return chart.svg(), caption


DRAWINGS: dict[str, Callable[[dict[str, Any]], tuple[str, str]]] = {
    "energies": _energies,
    "dominance": _dominance,
    "rate": _rate,
}
