"""Figures of the ledger, as inline SVG with captions."""

from __future__ import annotations

from antumbra.reports.figures import draw
from antumbra.reports.ledger import FigureRecord, Ledger
from antumbra.reports.page.markup import anchor, attribute, text


def figures(ledger: Ledger) -> str:
    """All figures that the ledger holds data for."""
    known = {claim.id for claim in ledger.claims}
    drawn = "".join(_figure(figure, linked=figure.claim in known) for figure in ledger.figures)
    return f'<section id="figures"><h2>Pictures</h2>{drawn}</section>' if drawn else ""


def _figure(figure: FigureRecord, *, linked: bool) -> str:
    found = draw(figure)
    if found is None:
        return ""
    drawing, caption = found
    claim = text(figure.claim)
    link = f'<a href="#{attribute(anchor(figure.claim))}">{claim}</a>' if linked else claim
    return (
        f'<figure id="figure-{attribute(anchor(figure.id))}">{drawing}<figcaption>{text(caption)} '
        f'<span class="note">Belongs to {link}; <code>{text(figure.command)}</code></span></figcaption></figure>'
    )
