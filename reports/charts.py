"""Line charts as small SVG drawings that follow the page's colours."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 120, 16, 48


@dataclass(frozen=True)
class Line:
    """A curve: its points, its name, and its class in the style sheet (`a`, `b`, `c`), which sets colour and dashes."""

    points: Sequence[tuple[float, float]]
    name: str
    style: str


@dataclass(frozen=True)
class Mark:
    """A point with a name."""

    x: float
    y: float
    name: str


@dataclass(frozen=True)
class Chart:
    """A chart with straight axes.

    Attributes:
        title: what it shows, for those who do not see it.
        x_name, y_name: names of the axes.
        x_range, y_range: what the axes cover.
        lines: curves.
        marks: named points.
        area: a closed polygon, drawn behind the curves.
    """

    title: str
    x_name: str
    y_name: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    lines: Sequence[Line] = ()
    marks: Sequence[Mark] = ()
    area: Sequence[tuple[float, float]] = ()

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies in the drawing."""
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        across = LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
        down = HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
        return across, down

    def _path(self, points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.place(*point) for point in points))

    def svg(self) -> str:
        """The drawing."""
        pieces = [self._grid()]
        if self.area:
            pieces.append(f'<polygon class="area" points="{self._path(self.area)}"/>')
        pieces += [f'<polyline class="line {line.style}" points="{self._path(line.points)}"/>' for line in self.lines]
        pieces += self._names()
        for mark in self.marks:
            x, y = self.place(mark.x, mark.y)
            pieces.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>')
            pieces.append(f'<text x="{x + 8:.1f}" y="{y - 8:.1f}">{html.escape(mark.name)}</text>')
        label = html.escape(self.title, quote=True)
        return (
            f'<svg class="chart" role="img" aria-label="{label}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(pieces)}</svg>'
        )

    def _names(self) -> list[str]:
        """The curves' names at their ends, kept apart."""
        ends = sorted((self.place(*line.points[-1])[1], line) for line in self.lines if line.name and line.points)
        texts = []
        lowest = -100.0
        for wanted, line in ends:
            down = max(wanted, lowest + 15)
            lowest = down
            x = self.place(*line.points[-1])[0]
            texts.append(
                f'<text class="name {line.style}" x="{x + 7:.1f}" y="{down + 4:.1f}">{html.escape(line.name)}</text>'
            )
        return texts

    def _grid(self) -> str:
        pieces = []
        for value in ticks(*self.x_range):
            x, bottom = self.place(value, self.y_range[0])
            pieces.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom:.1f}"/>')
            pieces.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{value:g}</text>')
        for value in ticks(*self.y_range):
            left, y = self.place(self.x_range[0], value)
            pieces.append(f'<line class="grid" x1="{left:.1f}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
            pieces.append(f'<text class="tick" x="{left - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        middle = (LEFT + WIDTH - RIGHT) / 2
        pieces.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{html.escape(self.x_name)}</text>')
        upright = (TOP + HEIGHT - BOTTOM) / 2
        pieces.append(
            f'<text transform="translate(16 {upright:.0f}) rotate(-90)" text-anchor="middle">'
            f"{html.escape(self.y_name)}</text>"
        )
        return "".join(pieces)


def ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers between two ends."""
    for exponent in range(-12, 13):
        for lead in (1, 2, 5):
            step = lead * 10.0**exponent
            first = -(-low // step)
            count = int(high / step - first + 1e-9) + 1
            if count <= 8:
                return [round((first + number) * step, 12) for number in range(max(count, 0))]
    return [low, high]
