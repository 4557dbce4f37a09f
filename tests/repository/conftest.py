"""Shared by the tests of the repository itself: where it is and which files belong to it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def files(root: Path) -> tuple[Path, ...]:
    """Every file that is committed or would be: relative to the root, sorted, ignored ones left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = tuple(sorted(Path(name) for name in set(listed.split("\0")) if name and (root / name).is_file()))
    assert Path("pyproject.toml") in found, f"git lists {len(found)} files in {root}, but not pyproject.toml"
    return found


@pytest.fixture(scope="session")
def texts(root: Path, files: tuple[Path, ...]) -> dict[Path, str]:
    """The content of every text file; files that are not UTF-8 (pictures, archives) are left out."""
    found: dict[Path, str] = {}
    for name in files:
        content = (root / name).read_bytes()
        if b"\0" not in content:
            found[name] = content.decode("utf-8")
    return found
