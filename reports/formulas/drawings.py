"""Keeps drawn formulas between runs: drawing a page's formulas anew takes many seconds."""

from __future__ import annotations

import hashlib
from importlib import metadata
from pathlib import Path

import msgspec
from antumbra.reports.formulas.picture import Drawing, draw
from antumbra.reports.storage import InputError, write_atomically

MOST = 20_000
"""A store that has grown beyond this is begun anew."""


def _identity() -> str:
    """What the drawings depend on: the drawing libraries, and how their drawings are taken over."""
    source = Path(__file__).with_name("picture.py").read_bytes()
    versions = [metadata.version(name) for name in ("ziamath", "ziafont", "latex2mathml")]
    return hashlib.sha256("\0".join(versions).encode() + source).hexdigest()[:24]


class Drawings:
    """Drawn formulas by their LaTeX, in one file of the cache."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"drawings-{_identity()}.json"
        self.known: dict[str, Drawing] = {}
        self.changed = False
        try:
            self.known = msgspec.json.decode(self.path.read_bytes(), type=dict[str, Drawing])
        except (OSError, msgspec.MsgspecError, RecursionError):
            # No store, or a spoilt one: it costs time, not correctness.
            self.known = {}

    def draw(self, source: str) -> Drawing:
        """A formula's drawing.

        Raises:
            UndrawableError: see `picture.draw`.
        """
        known = self.known.get(source)
        if known is None:
            known = self.known[source] = draw(source)
            self.changed = True
        return known

    def save(self) -> None:
        """Write the file, if anything was added; that it cannot be written is no error."""
        if not self.changed:
            return
        if len(self.known) > MOST:
            self.known = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, msgspec.json.encode(self.known))
        except (OSError, InputError):
            return
