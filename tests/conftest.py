"""What holds for every test session: its ground is declared, its precision is reset, and it must test something."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import flint
import hypothesis
import mpmath
import numpy as np
import pytest

SEED = int(os.environ.get("ANTUMBRA_SEED", "0"))
"""The one seed of a session; the environment variable `ANTUMBRA_SEED` changes it."""

_SHOWN = ("antumbra", "numpy", "scipy", "sympy", "mpmath", "python-flint", "numba", "hypothesis")
_MPMATH_BITS = 53
_FLINT_BITS = 53

# A slow machine is no defect of a property, so nothing here depends on the clock.
_QUIET = [hypothesis.HealthCheck.too_slow]
hypothesis.settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, suppress_health_check=_QUIET, database=None
)
hypothesis.settings.register_profile("dev", deadline=None, suppress_health_check=_QUIET)
hypothesis.settings.register_profile("deep", deadline=None, suppress_health_check=_QUIET, max_examples=2_000)
_PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev")
hypothesis.settings.load_profile(_PROFILE)


def _version(distribution: str) -> str:
    """The installed version of a distribution, or `absent`."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"


def pytest_report_header() -> list[str]:
    """The ground that this session stands on."""
    return [
        f"python {platform.python_version()}; " + ", ".join(f"{name} {_version(name)}" for name in _SHOWN),
        (
            f"precision: mpmath {_MPMATH_BITS} bits, flint {_FLINT_BITS} bits before every test; "
            f"seed {SEED}; hypothesis profile {_PROFILE}"
        ),
    ]


def _reset_precision() -> None:
    mpmath.mp.prec = _MPMATH_BITS
    mpmath.iv.prec = _MPMATH_BITS
    flint.ctx.default()
    flint.ctx.prec = _FLINT_BITS


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """Gives each test the default precision of mpmath and flint, whatever the one before it left."""
    _reset_precision()
    yield
    _reset_precision()


@pytest.fixture(scope="session")
def seed() -> int:
    """The session's seed, shown in its header."""
    return SEED


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    """A fresh generator from the session's seed, the same for each test."""
    return np.random.default_rng(seed)


class _Counter:
    """Counts the tests that were really executed: a skipped one tests nothing."""

    def __init__(self) -> None:
        self.executed = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Counts every report but skips; an expected failure was executed too."""
        if not report.skipped or hasattr(report, "wasxfail"):
            self.executed += report.when == "call"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Turns the success of a session that executed nothing into pytest's `no tests`, exit code 5."""
        if session.config.option.collectonly or session.exitstatus != pytest.ExitCode.OK:
            return
        if self.executed == 0:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says why the session fails."""
        if self.executed == 0 and not terminalreporter.config.option.collectonly:
            terminalreporter.write_line("no test was executed: this session fails", red=True)


def pytest_configure(config: pytest.Config) -> None:
    """Counts in the session's main process only; workers of pytest-xdist report to it."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Counter(), "antumbra-counter")
