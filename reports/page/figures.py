"""Figures of the ledger, as inline SVG with captions."""

from __future__ import annotations

from antumbra.reports.ledger import Ledger


def figures(ledger: Ledger) -> str:
    """All figures that the ledger holds data for."""
    from antumbra.reports.figures import draw

    drawn = [picture for figure in ledger.figures if (picture := draw(figure))]
    if not drawn:
        return ""
    return f'<section id="figures"><h2>Pictures</h2>{"".join(drawn)}</section>'
