"""Deletes the conditions of the checker one by one and asks whether a test notices.

    python tests/proofs/checker/mutations.py [FIRST [LAST]]

Each mutant is the module with one `need(...)` removed; the tests of this folder run on it in a child process and must
fail. Prints the survivors.
"""

from __future__ import annotations

import ast
import os
import sys
import types
from pathlib import Path

import antumbra.proofs
import pytest

HERE = Path(__file__).resolve().parent
SOURCE = Path(antumbra.proofs.__path__[0]) / "checker.py"
TEXT = SOURCE.read_text(encoding="utf-8")
FILES = ["test_rules.py", "test_curves.py", "test_certificates.py", "test_ledger.py", "test_regressions.py"]


def conditions(tree: ast.AST) -> list[ast.Expr]:
    """The statements that are a call of `need`."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "need"
    ]


def mutant(number: int) -> tuple[str, ast.Module]:
    """The module without one condition, and the text of that condition."""
    tree = ast.parse(TEXT)
    gone = sorted(conditions(tree), key=lambda n: n.lineno)[number]
    text = f"line {gone.lineno}: {ast.unparse(gone)[:150]}"
    gone.value = ast.copy_location(ast.Constant(value=None), gone.value)
    return text, ast.fix_missing_locations(tree)


def survives(tree: ast.Module) -> bool:
    """Whether all tests pass with the mutant in place of the checker."""
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        module = types.ModuleType("antumbra.proofs.checker")
        module.__file__ = str(SOURCE)
        sys.modules["antumbra.proofs.checker"] = module
        exec(compile(tree, str(SOURCE), "exec"), module.__dict__)
        antumbra.proofs.checker = module  # type: ignore[attr-defined]
        files = [str(HERE / f) for f in FILES if (HERE / f).exists()]
        options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider"]
        options += ["-k", "not alone and not unreadable and not usage"]
        code = pytest.main([*options, *files])
        os._exit(0 if code == 0 else 1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def survivors(first: int = 0, last: int | None = None) -> list[str]:
    """The conditions that no test misses."""
    count = len(conditions(ast.parse(TEXT)))
    found = []
    for number in range(first, count if last is None else min(last, count)):
        text, tree = mutant(number)
        if survives(tree):
            found.append(text)
            print(number, text, flush=True)
        elif number % 20 == 0:
            print(number, "...", flush=True)
    return found


if __name__ == "__main__":
    print(f"{len(survivors(*map(int, sys.argv[1:])))} survivors")
