"""The report as one self-contained page."""

from antumbra.reports.page.document import render

__all__ = ["render"]
