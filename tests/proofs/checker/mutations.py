"""Deletes the conditions of the checker one by one and asks whether a test notices.

    python tests/proofs/checker/mutations.py

Each mutant is the module with one `need(...)` removed, or with one rule that forgets the assumptions of its premises;
the tests of this folder run on it in a child process and must fail. Prints the survivors. The conditions come first,
then the rules.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


class Watch:
    """A pytest plug-in that notes which tests meet a condition that does not hold."""

    def __init__(self) -> None:
        self.test = ""
        self.met: dict[int, list[str]] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.test = nodeid

    def need(self, condition: object, why: str) -> None:
        if not condition:
            self.met.setdefault(sys._getframe(1).f_lineno, []).append(self.test)
            raise sys.modules["antumbra.proofs.checker"].Rejected(why)


def run(tree: ast.Module, tests: list[str], watch: Watch | None = None) -> bool:
    """Run the tests with a module in place of the checker; whether they pass."""
    module = types.ModuleType("antumbra.proofs.checker")
    module.__file__ = str(SOURCE)
    sys.modules["antumbra.proofs.checker"] = module
    exec(compile(tree, str(SOURCE), "exec"), module.__dict__)
    antumbra.proofs.checker = module
    if watch:
        module.__dict__["need"] = watch.need
    options = ["-q", "--no-header", "-p", "no:cacheprovider", f"--rootdir={HERE.parents[2]}"]
    options += [] if watch else ["-x"]
    options += ["-k", "not alone and not unreadable and not usage and not terms"]
    return pytest.main([*options, *tests], plugins=[watch] if watch else []) == 0


def apart(work: Callable[[], Any]) -> Any:
    """The result of some work in a child process, so that modules stay as they are here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.write(writing, json.dumps(work()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else None


def survivors() -> tuple[list[str], int]:
    """The places whose change no test notices, and how many places there are."""
    files = [str(HERE / f) for f in FILES]

    def control() -> Any:
        watch = Watch()
        passed = run(ast.parse(TEXT), files, watch)
        return [passed, list(watch.met.items())]

    passed, met = apart(control)
    if not passed:
        raise SystemExit("the tests fail on the checker as it is: nothing can be learnt from mutants")
    tests_at = dict(met)
    found = []
    nodes = places(ast.parse(TEXT))
    for number, node in enumerate(nodes):
        text, tree = mutant(number)
        if isinstance(node, ast.Expr):  # only a test in which the condition does not hold can miss it
            tests = [t for n in range(node.lineno, (node.end_lineno or 0) + 1) for t in tests_at.get(n, [])]
            tests = [str(HERE.parents[2] / t) for t in dict.fromkeys(tests)][:12]
        else:
            tests = [str(HERE / "test_assumptions.py"), str(HERE / "test_rules.py"), str(HERE / "test_certificates.py")]
        if not tests or apart(lambda: run(tree, tests)):  # noqa: B023
            found.append(text)
            print(number, text, flush=True)
        elif number % 20 == 0:
            print(number, "...", flush=True)
    return found, len(nodes)


if __name__ == "__main__":
    alive, count = survivors()
    print(f"{len(alive)} survivors of {count}")
