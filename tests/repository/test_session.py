"""A test session declares its ground, resets precision between tests, and fails when it tested nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def session(root: Path, tmp_path: Path) -> Path:
    """A folder with the suite's own conftest and settings, and no test yet."""
    shutil.copy2(root / "pyproject.toml", tmp_path / "pyproject.toml")
    (tmp_path / "tests").mkdir()
    shutil.copy2(root / "tests" / "conftest.py", tmp_path / "tests" / "conftest.py")
    return tmp_path


def run(folder: Path, test: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest on one test file with the given content."""
    (folder / "tests" / "test_it.py").write_text(test, "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "workers"])
@pytest.mark.parametrize(
    "test",
    [
        "",
        "import pytest\ndef test_it(): pytest.skip('not today')",
        "import pytest\n@pytest.mark.deep\ndef test_it(): pass",
        "import pytest\n@pytest.mark.parametrize('x', [])\ndef test_it(x): pass",
    ],
    ids=["empty", "skipped", "deselected", "no parameters"],
)
def test_session_that_tested_nothing_fails(session: Path, test: str, workers: tuple[str, ...]) -> None:
    ran = run(session, test, *workers)
    assert ran.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, ran.stdout
    assert "no test was executed" in ran.stdout


@pytest.mark.parametrize(
    ("test", "code"),
    [
        ("def test_it(): pass", 0),
        ("def test_it(): assert False", 1),
        ("import warnings\ndef test_it(): warnings.warn('careful')", 1),
        ("import pytest\n@pytest.mark.xfail\ndef test_it(): pass", 1),
        ("import pytest\n@pytest.mark.xfail\ndef test_it(): assert False", 0),
        ("import nothing_of_that_name", 2),
        ("import pytest\n@pytest.mark.dep\ndef test_it(): pass", 2),
    ],
    ids=["pass", "fail", "warning", "unexpected pass", "expected failure", "import error", "unknown marker"],
)
def test_session_is_strict(session: Path, test: str, code: int) -> None:
    ran = run(session, test)
    assert ran.returncode == code, ran.stdout
    for declared in ("mpmath", "python-flint", "precision", "seed", "hypothesis profile"):
        assert declared in ran.stdout


def test_precision_is_reset_between_tests(session: Path) -> None:
    test = """
import flint, mpmath, pytest

@pytest.mark.parametrize("turn", range(2))
def test_it(turn):
    assert (mpmath.mp.prec, mpmath.iv.prec, flint.ctx.prec, flint.ctx.threads) == (53, 53, 53, 1)
    mpmath.mp.prec = mpmath.iv.prec = flint.ctx.prec = 100
    flint.ctx.threads = 2
"""
    ran = run(session, test)
    assert ran.returncode == 0, ran.stdout
    assert "2 passed" in ran.stdout
