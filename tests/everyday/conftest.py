"""The command as a person runs it: in a folder of its own, with a cache of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all of these tests, so that formulas are drawn once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def surroundings(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own folder, and that cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def antumbra(tmp_path: Path) -> Run:
    """Runs the command in the test's folder; warnings are errors."""

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "antumbra.reports", *words],
            cwd=tmp_path,
            env=dict(os.environ),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run
