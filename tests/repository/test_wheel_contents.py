"""The wheel holds the three folders under one namespace, whole, and nothing beside them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

FOLDERS = ("proofs", "numerics", "reports")


def test_wheel_holds_the_three_folders_and_nothing_else(root: Path, files: tuple[Path, ...], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", tmp_path, root],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (wheel,) = tmp_path.glob("antumbra-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    code = {name for name in held if name.startswith("antumbra/")}
    assert all(name.partition("/")[0].endswith(".dist-info") for name in held - code)
    expected = {f"antumbra/{name.as_posix()}" for name in files if name.parts[0] in FOLDERS}
    assert {f"antumbra/{folder}/py.typed" for folder in FOLDERS} <= expected
    assert code == expected
