"""The command line answers a plain question without loading the heavy libraries."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"sympy", "numba", "matplotlib", "scipy", "antumbra.numerics"}


def loaded_by(arguments: list[str]) -> set[str]:
    """The modules in memory after `antumbra ARGUMENTS`, run in a process of its own."""
    code = (
        "import sys\n"
        "from antumbra.reports.cli import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as ended:\n"
        "    assert ended.code in (0, None), ended.code\n"
        "print('\\n'.join(['', 'modules:', *sys.modules]))"
    )
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    shown, _, modules = ran.stdout.rpartition("\nmodules:\n")
    assert shown.strip(), f"antumbra {' '.join(arguments)} printed nothing"
    return set(modules.split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]], ids=" ".join)
def test_quick_commands_load_no_heavy_library(arguments: list[str]) -> None:
    assert loaded_by(arguments) & HEAVY == set()
