"""All renderings of a ledger, by file name. Nothing here looks anywhere but into the ledger."""

from __future__ import annotations

from antumbra.reports.ledger import Ledger
from antumbra.reports.storage import InputError

FORMATS: dict[str, str] = {"html": "report.html", "md": "report.md", "junit": "junit.xml"}
"""The formats and the files that they are written to."""


def render(ledger: Ledger, formats: tuple[str, ...] = tuple(FORMATS)) -> dict[str, str]:
    """The content of each report, by its file's name.

    Raises:
        InputError: a format that does not exist.
    """
    contents: dict[str, str] = {}
    for name in formats:
        match name:
            case "html":
                from antumbra.reports.page import render as render_page

                contents[FORMATS[name]] = render_page(ledger)
            case "md":
                from antumbra.reports.markdown import render as render_markdown

                contents[FORMATS[name]] = render_markdown(ledger)
            case "junit":
                from antumbra.reports.junit import render as render_junit

                contents[FORMATS[name]] = render_junit(ledger)
            case _:
                raise InputError(f"unknown format {name!r}; give one of {', '.join(FORMATS)}")
    return contents
