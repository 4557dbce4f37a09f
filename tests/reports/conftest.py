"""Fakes with every outcome and verdict, importable by worker processes too, and one run over them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent / "support"
if str(SUPPORT) not in sys.path:
    # Spawned workers inherit the path.
    sys.path.insert(0, str(SUPPORT))

from antumbra.reports.ledger import Ledger  # noqa: E402
from antumbra.reports.sources import Sources  # noqa: E402
from antumbra.reports.verify import verify  # noqa: E402

FAKES = Sources("fake_proofs", "fake_numerics", "fake_checker")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def fakes() -> Sources:
    """The fake registries."""
    return FAKES


@pytest.fixture(scope="session")
def fake_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ledger, Path]:
    """A run over all fakes, and its folder."""
    out = tmp_path_factory.mktemp("verification")
    ledger = verify(profile="quick", out=out, jobs=1, use_cache=False, sources=FAKES)
    return ledger, out


@pytest.fixture(scope="session")
def ledger(fake_run: tuple[Ledger, Path]) -> Ledger:
    """The ledger of all fakes."""
    return fake_run[0]


@pytest.fixture(scope="session")
def folder(fake_run: tuple[Ledger, Path]) -> Path:
    """The folder with the reports of all fakes; not to be written to."""
    return fake_run[1]
