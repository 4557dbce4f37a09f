"""Formulas as SVG, drawn from LaTeX; glyphs are shared by all formulas of a page."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache

from antumbra.reports.formulas.latex import latex
from antumbra.reports.formulas.notation import Notation
from antumbra.reports.formulas.plain import plain
from antumbra.reports.formulas.shapes import Node

SIZE = 18.0
"""The size at which formulas are drawn; the page scales them with its text."""

_SYMBOL = re.compile(r'<symbol id="([^"]+)"[^>]*?viewBox="([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_VIEW = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')
_NUMBER = re.compile(r"-?\d+\.\d+")


@dataclass(frozen=True)
class Drawing:
    """One drawn formula.

    Attributes:
        glyphs: the glyphs it uses: id, and the SVG symbol.
        body: what stands inside its SVG element.
        view: the view box: left, top, width, height, in units of `SIZE` to the em.
    """

    glyphs: tuple[tuple[str, str], ...]
    body: str
    view: tuple[float, float, float, float]


class UndrawableError(ValueError):
    """The formula cannot be drawn; its text is shown instead."""


def _round(text: str) -> str:
    return _NUMBER.sub(lambda match: format(float(match.group()), ".2f").rstrip("0").rstrip("."), text)


@lru_cache(maxsize=20_000)
def draw(source: str) -> Drawing:
    """Draw a formula in LaTeX.

    Raises:
        UndrawableError: the drawing library does not know a command, or made something unexpected.
    """
    from ziamath.zmath import Latex

    try:
        svg: str = Latex(source, size=SIZE).svg()
    except Exception as error:
        raise UndrawableError(f"{source[:80]!r}: {error}") from error
    view = _VIEW.search(svg)
    if view is None:
        raise UndrawableError(f"{source[:80]!r}: no view box")
    glyphs = []
    for name, box, content in _SYMBOL.findall(svg):
        short = "g" + re.sub(r"[^0-9A-Za-z]", "", name.replace("STIXTwoMathRegular", ""))
        glyphs.append((short, f'<symbol id="{short}" viewBox="{_round(box)}">{_round(content)}</symbol>'))
        svg = svg.replace(f'href="#{name}"', f'href="#{short}"')
    inside = _SYMBOL.sub("", svg)
    inside = inside[inside.index(">") + 1 : inside.rindex("</svg>")]
    inside = _round(inside).replace(' fill="black"', "").replace('stroke="black"', 'stroke="currentColor"')
    if "<text" in inside or "black" in inside:
        raise UndrawableError(f"{source[:80]!r}: a glyph is missing")
    left, top, width, height = (float(number) for number in view.groups())
    return Drawing(tuple(glyphs), inside, (left, top, width, height))


class Gallery:
    """The formulas of one page, and the glyphs that they share."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self._glyphs: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def formula(self, node: Node) -> str:
        """A term or formula as an SVG element with its plain text for those who do not see it."""
        text = plain(node, self.notation)
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._draw(latex(node, self.notation), text)
        return known

    def _draw(self, source: str, text: str) -> str:
        label = html.escape(text, quote=True)
        try:
            drawing = draw(source)
        except UndrawableError:
            return f'<code class="formula">{label}</code>'
        self._glyphs.update(drawing.glyphs)
        left, top, width, height = drawing.view
        box = f"{left:g} {top:g} {width:g} {height:g}"
        style = f"width:{width / SIZE:.3f}em;height:{height / SIZE:.3f}em;vertical-align:{-(height + top) / SIZE:.3f}em"
        return (
            f'<svg class="formula" role="img" aria-label="{label}" viewBox="{box}" style="{style}">{drawing.body}</svg>'
        )

    def sprite(self) -> str:
        """The shared glyphs; call it when all formulas are drawn."""
        symbols = "".join(self._glyphs[name] for name in sorted(self._glyphs))
        return f'<svg class="sprite" aria-hidden="true" width="0" height="0"><defs>{symbols}</defs></svg>'
