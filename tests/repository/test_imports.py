"""The allowed import graph, as data, and a scan of every import statement against it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("proofs", "numerics", "reports")


@dataclass(frozen=True)
class Rule:
    """What the modules under one name may import of ours.

    Attributes:
        scope: the modules that the rule is for: this module and all below it.
        allowed: modules they may import; a trailing `.*` allows the module and all below it.
        standard_library_only: whether third-party imports are forbidden too.
        why: said when the rule is broken.
    """

    scope: str
    allowed: tuple[str, ...]
    why: str
    standard_library_only: bool = False


RULES = (
    Rule(
        "antumbra.numerics",
        (
            "antumbra.numerics.*",
            "antumbra.proofs.claim",
            "antumbra.proofs.setting",
            "antumbra.proofs.statements.*",
            "antumbra.proofs.kernel.witness",
        ),
        "the numerical witness shares statements with the proofs and has one door to the kernel, never a proof",
    ),
    Rule("antumbra.proofs", ("antumbra.proofs.*",), "a proof rests neither on numerics nor on reports"),
    Rule("antumbra.proofs.kernel", ("antumbra.proofs.kernel.*",), "the kernel imports nothing of ours"),
    Rule("antumbra.proofs.checker", (), "the checker shares no code with what it judges", standard_library_only=True),
    Rule(
        "antumbra.proofs.statements",
        (
            "antumbra.proofs.statements.*",
            "antumbra.proofs.claim",
            "antumbra.proofs.setting",
            "antumbra.proofs.kernel.terms",
        ),
        "a statement imports no prover",
    ),
    Rule("antumbra.proofs.claim", (), "everybody speaks the vocabulary", standard_library_only=True),
)

# Third-party modules that the core dependencies of pyproject.toml bring.
CORE = {"click", "flint", "jsonschema", "matplotlib", "mpmath", "msgspec", "numpy", "rich", "scipy", "sympy", "ziamath"}
# Modules of an extra: only inside a function or under `try`, so that everything works without them.
EXTRA = {"distributed", "numba", "onnx", "pytest", "safetensors", "typst"}


@dataclass(frozen=True)
class Import:
    """One imported module, absolute, and where.

    Attributes:
        importer: the importing module.
        imported: the imported module; for `from a import b`, both `a` and `a.b` are candidates (see `names`).
        names: `a.b` for each name b taken from the module.
        line: line number.
        guarded: whether it stands inside a function, a `try` or an `if TYPE_CHECKING`.
    """

    importer: str
    imported: str
    names: tuple[str, ...]
    line: int
    guarded: bool


def module_name(path: Path) -> str:
    """The import name of a file under one of the three folders."""
    parts = ("antumbra", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(source: str, module: str, is_package: bool = False) -> Iterator[Import]:
    """Every import statement of a module, inside functions and conditions too; relative ones made absolute."""

    def walk(node: ast.AST, guarded: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            inside = guarded or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Try | ast.If)
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(module, alias.name, (), child.lineno, guarded)
            elif isinstance(child, ast.ImportFrom):
                base = child.module or ""
                if child.level:
                    parts = module.split(".")
                    kept = len(parts) - child.level + is_package
                    base = ".".join([*parts[:kept], *([child.module] if child.module else [])])
                names = tuple(f"{base}.{alias.name}" for alias in child.names)
                yield Import(module, base, names, child.lineno, guarded)
            elif (
                isinstance(child, ast.Call)
                and ast.unparse(child.func) in {"importlib.import_module", "import_module", "__import__"}
                and child.args
                and isinstance(child.args[0], ast.Constant)
            ):
                yield Import(module, str(child.args[0].value), (), child.lineno, guarded)
            yield from walk(child, inside)

    return walk(ast.parse(source), False)


def ours(module: str) -> bool:
    """Whether a module belongs to this project."""
    return module == "antumbra" or module.startswith("antumbra.")


def within(module: str, scope: str) -> bool:
    """Whether a module is `scope` or below it."""
    return module == scope or module.startswith(scope + ".")


def permitted(module: str, allowed: tuple[str, ...]) -> bool:
    """Whether one of the patterns covers the module, or a name taken from it."""
    return any(within(module, pattern.removesuffix(".*")) for pattern in allowed)


def violations(imports: Iterator[Import], known: frozenset[str]) -> list[str]:
    """The imports that break a rule, in words; `known` are the modules that exist."""
    found = []
    for item in imports:
        for rule in RULES:
            if not within(item.importer, rule.scope):
                continue
            # `from package import module` imports the module; `from module import name` imports the module.
            reached = [name for name in item.names if name in known] or [item.imported]
            for module in reached:
                if ours(module):
                    broken = not permitted(module, rule.allowed)
                else:
                    top = module.partition(".")[0]
                    broken = rule.standard_library_only and top not in sys.stdlib_module_names
                if broken:
                    found.append(f"{item.importer}:{item.line} imports {module}: {rule.why}")
    return found


def sources() -> list[Path]:
    """Every module of the three folders."""
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


MODULES = frozenset(module_name(path) for path in sources())


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_module_keeps_the_import_graph(path: Path) -> None:
    found = imports_of(path.read_text("utf-8"), module_name(path), path.name == "__init__.py")
    assert violations(found, MODULES) == []


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_module_imports_only_what_is_declared(path: Path) -> None:
    undeclared = []
    for item in imports_of(path.read_text("utf-8"), module_name(path), path.name == "__init__.py"):
        top = item.imported.partition(".")[0]
        if ours(item.imported) or top in sys.stdlib_module_names or top in CORE:
            continue
        # The plugin is loaded by pytest, so pytest is there.
        if top in EXTRA and (item.guarded or (top == "pytest" and path.stem == "pytest_plugin")):
            continue
        undeclared.append(f"line {item.line}: {item.imported}")
    assert undeclared == [], "declare it in pyproject.toml and here, or import it where it is used if it is an extra"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("antumbra.numerics.dynamics", "import antumbra.proofs.projection"),
        ("antumbra.numerics.dynamics", "from antumbra.proofs import projection"),
        ("antumbra.numerics.dynamics", "def f():\n    from antumbra.proofs.kernel import rules"),
        ("antumbra.numerics.dynamics", "from antumbra.proofs.kernel.rules import ring"),
        ("antumbra.numerics.dynamics", "from ..proofs import projection"),
        ("antumbra.numerics.dynamics", "import importlib\nimportlib.import_module('antumbra.reports.cli')"),
        ("antumbra.proofs.projection", "import antumbra.numerics"),
        ("antumbra.proofs.projection", "if True:\n    from antumbra.reports import ledger"),
        ("antumbra.proofs.kernel.rules", "from antumbra.proofs.claim import Claim"),
        ("antumbra.proofs.checker", "import numpy"),
        ("antumbra.proofs.checker", "from antumbra.proofs.kernel import terms"),
        ("antumbra.proofs.checker", "from . import claim"),
        ("antumbra.proofs.statements.thm11", "from antumbra.proofs.kernel.rules import ring"),
        ("antumbra.proofs.statements.thm11", "from antumbra.proofs import thm11_total_energy"),
        ("antumbra.proofs.claim", "import msgspec"),
    ],
)
def test_forbidden_import_is_found(module: str, source: str) -> None:
    known = frozenset(
        {
            "antumbra.proofs.projection",
            "antumbra.proofs.kernel.rules",
            "antumbra.proofs.kernel.terms",
            "antumbra.proofs.thm11_total_energy",
            "antumbra.reports.ledger",
        }
    )
    assert len(violations(imports_of(source, module), known)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("antumbra.numerics.dynamics", "from antumbra.proofs.claim import Claim\nimport numpy, numba"),
        ("antumbra.numerics.attack", "from antumbra.proofs.kernel.witness import certify"),
        ("antumbra.numerics.flows.thm11", "from antumbra.proofs.statements import thm11"),
        ("antumbra.proofs.checker", "import json, fractions"),
        ("antumbra.proofs.statements.thm11", "from antumbra.proofs.kernel import terms"),
        ("antumbra.reports.verify", "import antumbra.numerics.dynamics, antumbra.proofs.kernel.rules"),
    ],
)
def test_permitted_import_passes(module: str, source: str) -> None:
    known = frozenset({"antumbra.proofs.kernel.terms", "antumbra.proofs.statements.thm11"})
    assert violations(imports_of(source, module), known) == []


def test_numerics_loads_no_proof() -> None:
    """What `antumbra.numerics` brings in at run time, through the packages' own files too."""
    modules = sorted(name for name in MODULES if within(name, "antumbra.numerics"))
    code = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print('\\n'.join(name for name in sys.modules if name.startswith('antumbra.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "antumbra.numerics" in loaded
    doors = ("antumbra.numerics", "antumbra.proofs.kernel", "antumbra.proofs.statements")
    others = [name for name in loaded if not any(within(name, door) for door in doors)]
    assert set(others) <= {"antumbra.proofs", "antumbra.proofs.claim", "antumbra.proofs.setting"}
