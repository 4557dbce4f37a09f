"""The locked requirements: every pin with hashes, no address, and all that the project declares."""

from __future__ import annotations

import itertools
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ADDRESS = re.compile(
    r"://|--(?:extra-)?index-url|--find-links|--trusted-host|\b[a-z0-9-]+\.(?:com|io|net|org)\b", re.IGNORECASE
)
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\]+))? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def test_address_is_recognised() -> None:
    for line in ("# from https" + "://somewhere/simple", "--index-url file", "# packages.example" + ".org"):
        assert ADDRESS.search(line)
    assert not ADDRESS.search("mpmath==1.3.0 ; python_full_version < '3.12' \\")


def test_no_lock_file_holds_an_address(root: Path, files: tuple[Path, ...]) -> None:
    locks = [name for name in files if name.suffix == ".lock" or name.name.startswith(("requirements", "pylock"))]
    assert Path("requirements.lock") in locks
    for name in locks:
        lines = (root / name).read_text("utf-8").splitlines()
        assert [line for line in lines if ADDRESS.search(line)] == [], name


def test_every_line_is_a_pin_a_hash_or_a_comment(root: Path) -> None:
    lines = (root / "requirements.lock").read_text("utf-8").splitlines()
    others = [line for line in lines if not (PIN.match(line) or HASH.match(line) or line.startswith("    #"))]
    assert others == []
    for line, following in itertools.pairwise(lines):
        if PIN.match(line):
            assert HASH.match(following), f"{line} has no hash"


def test_what_the_project_declares_is_locked(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    declared = [
        Requirement(line)
        for line in (
            *project["project"]["dependencies"],
            *extras["test"],
            *extras["fast"],
            *project["dependency-groups"]["build"],
            *project["build-system"]["requires"],
        )
    ]
    pinned: dict[str, list[str]] = {}
    for line in (root / "requirements.lock").read_text("utf-8").splitlines():
        if match := PIN.match(line):
            pinned.setdefault(canonicalize_name(match["name"]), []).append(match["version"])
    for requirement in declared:
        versions = pinned.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement} is not in requirements.lock; see .github/CONTRIBUTING.md for how to lock"
        assert all(requirement.specifier.contains(version) for version in versions), requirement
