"""Formulas as HTML text: the plain text, set with italics and subscripts. Quick, for the many steps of a proof.

The characters are those of the plain text, in its order, so that copying the formula gives text that reads back.
"""

from __future__ import annotations

import html
import re

from antumbra.reports.formulas.notation import Notation, split_indices
from antumbra.reports.formulas.plain import plain
from antumbra.reports.formulas.shapes import Node

_PIECE = re.compile(
    r"(?P<raw>raw‹[^›]*›)|(?P<sum>∑)_(?P<bounds>\{[^}]*\}|[a-z]\d*)"
    r"|(?P<word>(?:exp|log|relu|sin|cos|sinh|cosh|tanh|coth|arsinh|Ei|W₀|rate|root|dissipates|decays|scalar|vector|distinct)(?![A-Za-z0-9_]))"
    r"|(?P<name>(?:`[^`]*`|[A-Za-zΑ-Ωα-ω][A-Za-z0-9]*)(?:_[A-Za-z0-9]+)*)",
)


def inline(node: Node, notation: Notation) -> str:
    """A term or formula as an HTML span."""
    text = plain(node, notation)
    pieces: list[str] = []
    position = 0
    for match in _PIECE.finditer(text):
        pieces.append(html.escape(text[position : match.start()]))
        pieces.append(_piece(match))
        position = match.end()
    pieces.append(html.escape(text[position:]))
    return f'<span class="math">{"".join(pieces)}</span>'


def _piece(match: re.Match[str]) -> str:
    if match["raw"]:
        return f"<code>{html.escape(match['raw'])}</code>"
    if match["sum"]:
        return f"∑{_below(match['bounds'])}"
    if match["word"]:
        return match["word"]
    base, _ = split_indices(match["name"])
    tail = match["name"][len(base) + 1 :]
    shown = f"<i>{html.escape(base)}</i>"
    return shown + (_below(tail) if tail else "")


def _below(text: str) -> str:
    """A subscript; its underscore is kept for those who copy, and hidden from those who read."""
    return f"<sub><u>_</u>{html.escape(text)}</sub>"
