"""Formulas as SVG, drawn from LaTeX; glyphs are shared by all formulas of a page."""

from __future__ import annotations

import html
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from antumbra.reports.formulas.inline import inline
from antumbra.reports.formulas.latex import latex
from antumbra.reports.formulas.notation import Notation
from antumbra.reports.formulas.plain import plain
from antumbra.reports.formulas.shapes import Node

SIZE = 18.0
"""The size at which formulas are drawn; the page scales them with its text."""

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


@lru_cache(maxsize=1)
def _library() -> Any:
    """The drawing library. It finds its fonts by a function that Python 3.11 and 3.12 call deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from ziamath import zmath
    return zmath


@lru_cache(maxsize=20_000)
def draw(source: str) -> Drawing:
    """Draw a formula in LaTeX.

    Raises:
        UndrawableError: the drawing library does not know a command, or made something unexpected.
    """
    library = _library()
    try:
        svg: str = library.Latex(source, size=SIZE).svg()
    except Exception as error:
        raise UndrawableError(f"{source[:80]!r}: {error}") from error
    try:
        root = ElementTree.fromstring(re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg))
        left, top, width, height = (float(number) for number in root.get("viewBox", "").split())
    except (ElementTree.ParseError, ValueError) as error:
        raise UndrawableError(f"{source[:80]!r}: {error}") from error
    glyphs = [_glyph(symbol) for symbol in root.iter("symbol")]
    body = "".join(_element(child) for child in root if child.tag != "symbol")
    return Drawing(tuple(glyphs), body, (left, top, width, height))


def _short(name: str) -> str:
    """A glyph's id in the page."""
    return "g" + re.sub(r"[^0-9A-Za-z]", "", name.replace("STIXTwoMathRegular", ""))


def _glyph(symbol: ElementTree.Element) -> tuple[str, str]:
    """A glyph's id and its element."""
    name = _short(symbol.get("id", ""))
    inside = "".join(_element(child) for child in symbol)
    return name, f'<symbol id="{name}" viewBox="{_round(symbol.get("viewBox", ""))}">{inside}</symbol>'


def _element(element: ElementTree.Element) -> str:
    """An element of a drawing with shorter numbers, in the colour of the text around it.

    Raises:
        UndrawableError: an element that no formula should hold.
    """
    if element.tag not in ("use", "path", "rect", "line", "g", "polyline", "polygon"):
        raise UndrawableError(f"an element {element.tag!r}")
    attributes = ""
    for name, value in element.attrib.items():
        if (name, value) == ("fill", "black"):
            continue
        text = "#" + _short(value[1:]) if name == "href" else "currentColor" if value == "black" else _round(value)
        attributes += f' {name}="{html.escape(text.strip(), quote=True)}"'
    inside = "".join(_element(child) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes}/>"


class Gallery:
    """The formulas of one page; each is drawn once, and glyphs are shared by all of them."""

    def __init__(self, notation: Notation, draw_one: Callable[[str], Drawing] = draw) -> None:
        self.notation = notation
        self._draw_one = draw_one
        self._glyphs: dict[str, str] = {}
        self._formulas: list[str] = []
        self._known: dict[str, str] = {}

    def formula(self, node: Node) -> str:
        """A term or formula as an SVG element with its plain text for those who do not see it."""
        text = plain(node, self.notation)
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._draw(latex(node, self.notation), text)
        return known

    def text(self, node: Node) -> str:
        """A term or formula as text in HTML, for where there are many."""
        return inline(node, self.notation)

    def _draw(self, source: str, text: str) -> str:
        label = html.escape(text, quote=True)
        try:
            drawing = self._draw_one(source)
        except UndrawableError:
            return f'<code class="formula">{label}</code>'
        self._glyphs.update(drawing.glyphs)
        name = f"f{len(self._formulas)}"
        left, top, width, height = drawing.view
        box = f"{left:g} {top:g} {width:g} {height:g}"
        self._formulas.append(f'<symbol id="{name}" viewBox="{box}">{drawing.body}</symbol>')
        style = f"width:{width / SIZE:.3f}em;height:{height / SIZE:.3f}em;vertical-align:{-(height + top) / SIZE:.3f}em"
        return f'<svg class="formula" role="img" aria-label="{label}" style="{style}"><use href="#{name}"/></svg>'

    def sprite(self) -> str:
        """The shared glyphs and the drawn formulas; call it when all of them are drawn."""
        symbols = "".join([*(self._glyphs[name] for name in sorted(self._glyphs)), *self._formulas])
        return f'<svg class="sprite" aria-hidden="true" width="0" height="0"><defs>{symbols}</defs></svg>'
