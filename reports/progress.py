"""Progress on the standard error: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

EVERY = 15.0
"""Seconds between two lines, where there is no terminal."""


class Progress:
    """A context in which `step` moves a bar."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._told = time.monotonic()

    def __enter__(self) -> Progress:
        """Show the bar, if the standard error is a terminal."""
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("verifying"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[claim]}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("verify", total=None, claim="starting")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def step(self, claim_id: str, done: int, total: int) -> None:
        """A claim is done."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total, claim=claim_id)
        elif time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            print(f"antumbra: {done} of {total} claims done", file=sys.stderr, flush=True)
