"""The data of the figures: computed in a run, recorded in the ledger, drawn from there by `figures`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

from antumbra.reports.ledger import FigureRecord

POINTS = 61


def collect(claim_ids: Collection[str]) -> list[FigureRecord]:
    """The figures that belong to the claims of a run.

    A figure that cannot be computed is recorded with the reason in place of its data: it decides nothing.
    """
    records = []
    for claim_id, (name, command, compute) in FIGURES.items():
        if claim_id in claim_ids:
            try:
                data = compute()
            except Exception as error:  # noqa: BLE001  told where the picture would be
                data = {"error": f"{type(error).__name__}: {' '.join(str(error).split())}"}
            records.append(FigureRecord(id=name, claim=claim_id, command=command, data=data))
    return records


def _rounded(value: float) -> float:
    """Six significant digits: more than a picture shows, and few enough not to depend on the machine."""
    return float(f"{value:.6g}")


def energies() -> dict[str, Any]:
    """Two heads and one token: the energy of the losing head falls while the total rises (Theorem 17)."""
    import numpy as np
    from antumbra.numerics.dynamics import Field, Geometry, System, head_energies
    from antumbra.numerics.integrate import integrate

    heads = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]])
    system = System(
        tokens=np.array([[0.6, 0.8]]), scores=heads, values=heads, beta=1.0, field=Field.USA, geometry=Geometry.SPHERE
    )
    horizon = 3.0
    solution = integrate(system, horizon)
    times = [horizon * step / (POINTS - 1) for step in range(POINTS)]
    states = [solution(time) for time in times]
    values = [head_energies(system.at(state)) for state in states]
    return {
        "times": [_rounded(time) for time in times],
        "first_head": [_rounded(float(pair[0])) for pair in values],
        "second_head": [_rounded(float(pair[1])) for pair in values],
        "total": [_rounded(float(pair.sum())) for pair in values],
        "first_share": [_rounded(float(state[0, 0]) ** 2) for state in states],
        "beta": 1,
        "alpha": 1,
        "start": ["3/5", "4/5"],
        "error": None,
        "integration_error": _rounded(solution.error),
    }


def dominance() -> dict[str, Any]:
    """Where Condition 8 holds on the equiangular path, in units of the critical inverse temperature."""
    from antumbra.numerics.quantities import evaluate

    common = {"H": "2", "n": "64", "lambda": "1"}
    last = evaluate("beta_window", common, 8).value
    end = Fraction(str(last))
    ratios = [Fraction(step, 20) for step in range(1, 40) if Fraction(step, 20) < end]
    windows = []
    for ratio in [*ratios, end]:
        found = evaluate("dominance_window", {**common, "beta_ratio": str(ratio)}, 8)
        if len(found.numbers) == 2:
            low, high = (float(number.value) for number in found.numbers)
            windows.append([_rounded(float(ratio)), _rounded(low), _rounded(high)])
    return {"H": 2, "n": 64, "windows": windows, "last": _rounded(float(end)), "error": None}


def rate() -> dict[str, Any]:
    """A head's share in the speed at which orthogonal tokens begin to cluster, with its peak and its inflection."""
    from antumbra.numerics.quantities import evaluate

    common = {"n": "8", "beta": "1"}
    scales = [Fraction(step, 10) for step in range(1, 81)]
    values = [evaluate("phi", {**common, "lambda": str(scale)}, 8).value for scale in scales]
    marks = {name: evaluate(name, common, 12).value for name in ("lambda_max", "lambda_c")}
    heights = {name: evaluate("phi", {**common, "lambda": str(value)}, 8).value for name, value in marks.items()}
    return {
        "n": 8,
        "beta": 1,
        "scales": [_rounded(float(scale)) for scale in scales],
        "values": [_rounded(float(str(value))) for value in values],
        "marks": {name: [str(marks[name]), _rounded(float(str(heights[name])))] for name in marks},
        "error": None,
    }


FIGURES: dict[str, tuple[str, str, Callable[[], dict[str, Any]]]] = {
    "thm17.obstruction": ("energies", "antumbra verify thm17.obstruction", energies),
    "open.phases": ("dominance", "antumbra evaluate dominance_window H=2 n=64 lambda=1 beta_ratio=6/5", dominance),
    "thm22.phi_shape": ("rate", "antumbra evaluate phi lambda=2 beta=1 n=8", rate),
}
"""The claim that a figure belongs to, its name, a command that gives its numbers, and the function of its data."""
