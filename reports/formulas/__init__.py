"""Formulas, rendered from terms: plain text that reads back, and pictures."""

from antumbra.reports.formulas.notation import Notation
from antumbra.reports.formulas.parser import ParseError, parse
from antumbra.reports.formulas.plain import plain, wrap

__all__ = ["Notation", "ParseError", "parse", "plain", "wrap"]
