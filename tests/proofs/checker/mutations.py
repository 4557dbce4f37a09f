"""Deletes the conditions of the checker one by one and asks whether a test notices.

    python tests/proofs/checker/mutations.py [FIRST [LAST]]

Each mutant is the module with one `need(...)` removed, or with one rule that forgets the assumptions of its premises;
the tests of this folder run on it in a child process and must fail. Prints the survivors. The conditions come first,
then the rules.
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
FILES = [
    "test_rules.py",
    "test_assumptions.py",
    "test_curves.py",
    "test_certificates.py",
    "test_ledger.py",
    "test_regressions.py",
]


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


def assumptions(tree: ast.AST) -> list[ast.Return | ast.Assign]:
    """Where a rule, or a helper of rules, hands on the assumptions of premises."""
    helpers = {"quantify", "in_domain", "expect", "inside", "discharged", "smooth", "ring"}
    found: list[ast.Return | ast.Assign] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (node.name.startswith("rule_") or node.name in helpers):
            returns = [n for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
            found += [n for n in returns if n.value is not None and ".given" in ast.unparse(n.value) + "needed"]
        if isinstance(node, ast.FunctionDef) and node.name == "replay":
            found += [n for n in ast.walk(node) if isinstance(n, ast.Assign) and "p.given" in ast.unparse(n)]
    return [n for n in found if n.value is not None and ast.unparse(n.value) != "set()"]


def places(tree: ast.AST) -> list[ast.stmt]:
    """All places to change, conditions first."""
    by_line = [sorted(kind(tree), key=lambda n: n.lineno) for kind in (conditions, assumptions)]
    return [node for nodes in by_line for node in nodes]


def mutant(number: int) -> tuple[str, ast.Module]:
    """The module with one place changed, and the text of that place."""
    tree = ast.parse(TEXT)
    gone = places(tree)[number]
    text = f"line {gone.lineno}: {ast.unparse(gone)[:150]}"
    if isinstance(gone, ast.Expr):
        gone.value = ast.copy_location(ast.Constant(value=None), gone.value)
    elif isinstance(gone, ast.Return | ast.Assign) and gone.value is not None:
        empty = "(ring_, set())" if ast.unparse(gone.value).startswith("(self._rings") else "set()"
        new = ast.parse(empty.replace("ring_", "self._rings[key]"), mode="eval").body
        gone.value = ast.copy_location(new, gone.value)
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
        antumbra.proofs.checker = module
        files = [str(HERE / f) for f in FILES if (HERE / f).exists()]
        options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider"]
        options += ["-k", "not alone and not unreadable and not usage"]
        code = pytest.main([*options, *files])
        os._exit(0 if code == 0 else 1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def survivors(first: int = 0, last: int | None = None) -> list[str]:
    """The places whose change no test notices."""
    count = len(places(ast.parse(TEXT)))
    if not survives(ast.parse(TEXT)):
        raise SystemExit("the tests fail on the checker as it is: nothing can be learnt from mutants")
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
