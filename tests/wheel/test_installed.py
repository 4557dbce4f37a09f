"""Holds of every installation, and is run by CI on the built wheel with the source folders out of reach.

Imports nothing of the repository, so that this folder can be copied and run alone. The environment variable
`ANTUMBRA_UNDER` names the folder in which the installed package must lie.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PACKAGES = ("antumbra.proofs", "antumbra.numerics", "antumbra.reports")
COMMAND = Path(sysconfig.get_path("scripts")) / "antumbra"


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs code as a stranger would: from another folder, without the current one on the path."""
    return subprocess.run([sys.executable, "-I", "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("package", PACKAGES)
def test_package_is_importable_and_typed(package: str, tmp_path: Path) -> None:
    code = f"import {package} as p, pathlib; print(p.__file__)\n"
    code += f"import importlib.resources as r; assert (r.files({package!r}) / 'py.typed').is_file()"
    ran = python(code, tmp_path)
    assert ran.returncode == 0, ran.stderr
    under = os.environ.get("ANTUMBRA_UNDER")
    assert under is None or Path(ran.stdout.strip()).is_relative_to(under), ran.stdout


def test_every_module_is_importable(tmp_path: Path) -> None:
    code = """
import importlib, pathlib, sys
import antumbra.proofs, antumbra.numerics, antumbra.reports
count = 0
for package in (antumbra.proofs, antumbra.numerics, antumbra.reports):
    folder = pathlib.Path(package.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join((package.__name__, *(parts[:-1] if parts[-1] == "__init__" else parts)))
        if parts[-1] not in ("__main__", "pytest_plugin"):  # a start, not a module; needs pytest
            importlib.import_module(name)
            count += 1
print(count)
"""
    ran = python(code, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 3


@pytest.mark.parametrize("name", ["proofs", "numerics", "reports", "tests", "benchmarks", "examples", "docs"])
def test_no_generic_name_leaks(name: str, tmp_path: Path) -> None:
    ran = python(f"import importlib.util as u, sys; sys.exit(u.find_spec({name!r}) is not None)", tmp_path)
    assert ran.returncode == 0, f"`import {name}` finds something: {ran.stderr}"


@pytest.mark.parametrize("resource", ["proofs/index.toml", "reports/ledger.schema.json"])
def test_data_files_are_there(resource: str, tmp_path: Path) -> None:
    package, _, name = resource.partition("/")
    ran = python(
        f"import importlib.resources as r; print(len((r.files('antumbra.{package}') / {name!r}).read_text('utf-8')))",
        tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 0


def test_help_names_the_main_commands(tmp_path: Path) -> None:
    ran = subprocess.run([COMMAND, "--help"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    for command in ("verify", "check", "list", "explain"):
        assert command in ran.stdout


def test_list_names_theorem_11(tmp_path: Path) -> None:
    ran = subprocess.run([COMMAND, "list"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert "thm11.sphere" in ran.stdout
