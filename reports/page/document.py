"""The page: head, sections, style and script in one file that needs no network."""

from __future__ import annotations

from antumbra.reports.cache import cache_folder
from antumbra.reports.formulas.drawings import Drawings
from antumbra.reports.formulas.notation import Notation
from antumbra.reports.formulas.picture import Gallery
from antumbra.reports.ledger import Ledger
from antumbra.reports.markdown import totals_line, verdict_rows
from antumbra.reports.page.claims import ClaimWriter
from antumbra.reports.page.dashboard import dashboard
from antumbra.reports.page.figures import figures
from antumbra.reports.page.markup import data_list, text
from antumbra.reports.page.script import SCRIPT
from antumbra.reports.page.sections import legend, matrix, not_checked, setting
from antumbra.reports.page.style import STYLE

TITLE = "Antumbra: what is true of multi-head self-attention as a gradient flow"


def render(ledger: Ledger) -> str:
    """The whole page. The same ledger gives the same bytes."""
    drawings = Drawings(cache_folder())
    gallery = Gallery(Notation.of(ledger.definitions), drawings.draw)
    writer = ClaimWriter(ledger, gallery)
    claims = "".join(writer.section(claim) for claim in ledger.claims)
    rest = setting(ledger, gallery)
    pictures = figures(ledger)
    surprising = ledger.unexpected()
    verdict = (
        "Every verdict is the expected one."
        if not surprising
        else f'<strong class="surprise">{len(surprising)} not as expected.</strong>'
    )
    # The glyphs come last, when every formula is drawn.
    body = (
        '<a class="skip" href="#dashboard">Skip to the verdicts</a>'
        f"<header><h1>{TITLE}</h1><p>{text(totals_line(verdict_rows(ledger)))}. {verdict}</p>"
        f'<p class="note">A check of the statements of {text(ledger.paper)}, summarised in our own words: a finding '
        "against a statement is against it as summarised here.</p>"
        '<button type="button" id="theme" aria-label="Change between light and dark">◐ light or dark</button></header>'
        f'<main><section id="dashboard"><h2 class="hidden">Verdicts</h2>{dashboard(ledger)}</section>'
        f'{legend()}{pictures}<section id="claims"><h2>The claims</h2><p class="tools">'
        '<button type="button" id="unfold">Open all</button> <button type="button" id="fold">Close all</button></p>'
        f"{claims}</section>{matrix(ledger)}{rest}{not_checked(ledger)}</main>{_footer(ledger)}"
    )
    drawings.save()
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{TITLE}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n{gallery.sprite()}{body}\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _footer(ledger: Ledger) -> str:
    command = f"antumbra verify --profile {ledger.profile} --seed {ledger.seed}"
    return (
        f"<footer><p>Made by antumbra {text(ledger.antumbra)} with <code>{text(command)}</code>; every value on this "
        "page comes from the ledger.</p>"
        f'<p>Digest of the statements, verdicts and outcomes: <code class="digest">{text(ledger.digest)}</code><br>'
        f'Digest of the whole ledger: <code class="digest">{text(ledger.file_digest)}</code></p>'
        f"<details><summary>Versions</summary>{data_list(ledger.environment)}</details></footer>"
    )
