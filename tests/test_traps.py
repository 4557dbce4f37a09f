"""Failures that people met who verify mathematics with these tools: a test for each, and tools that judge nothing here.

The tests are in `tests/traps/`; `ROWS` says where. A tool that failed is shown not to be called where truth is decided.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TRAPS = ROOT / "tests" / "traps"

ROWS: dict[str, tuple[str, ...]] = {
    # symbolic engines
    "a limit with one sign assumed": ("test_no_sign_is_assumed", "test_the_three_limits_show_far_out"),
    "one Lambert branch only": ("test_an_equation_with_two_solutions_has_not_one",),
    "an inequality refused, or answered False": ("test_an_inequality_that_holds_on_an_interval_only",),
    "monotonicity certified wrongly": ("test_monotonicity_is_a_sign_of_the_derivative",),
    "another exact number recognised": ("test_a_rational_stays_itself", "test_what_agrees_to_many_digits_is_not_equal"),
    "equality that answers None, or True though 1e-17 apart": ("test_equality",),
    "an unevaluated product with zero": ("test_equality",),
    "an integral without an answer in minutes": ("test_the_softmax_time",),
    # numbers
    "an interval that misses the value": ("test_the_exponential_that_intervals_of_another_library_miss",),
    "Lambert W at the double nearest -1/e": ("test_lambert_w_at_the_branch_point",),
    "a root found where there is none": ("test_a_function_without_a_root_has_none",),
    "another root than the one wanted": ("test_the_root_is_the_one_asked_for",),
    "close is equal": ("test_small_is_not_zero", "test_a_sign_is_decided_or_asked_again"),
    "a comparison that is None": ("test_not_undecided_is_undecided",),
    # flows
    "tokens leave the sphere, the energy falls": (
        "test_the_flow_stays_on_the_sphere_with_default_tolerances",
        "test_the_energy_does_not_fall_beyond_the_error_that_is_reported",
    ),
    "one crossing of three": ("test_three_crossings_are_three_events",),
    "softmax of (710, -710)": ("test_softmax_of_large_scores",),
    "an unnormalised exponential overflows": ("test_unnormalised_exponentials_are_refused_before_the_run",),
    "degenerate branches of the closed forms": ("test_closed_forms_at_their_degenerate_branches",),
    # process and report
    "tests that are green and test nothing": (
        "test_no_test_shadows_another",
        "test_every_test_of_a_collected_file_is_collected",
        "test_a_green_test_tested_something",
    ),
    "ten thousand samples agreed": ("test_samples_reach_what_is_not_dyadic",),
    "false at -2/3 only": ("test_a_statement_false_at_one_point_is_not_proved",),
    "SUCCESS for what is not computed": (
        "test_every_proved_claim_has_wrong_neighbours",
        "test_proofs_of_parts_without_them_do_not_prove_a_wrong_neighbour",
    ),
    "a deadline makes a true identity fail": ("test_no_property_has_a_deadline",),
    "hash seed and threads change the answer": ("test_the_answer_does_not_depend_on_hash_seed_or_threads",),
    "NaN in JSON, unescaped text": ("test_no_nan_passes_for_json", "test_text_is_escaped_everywhere"),
    "printed formulas lose brackets": ("test_brackets_are_printed", "test_pictures_tell_terms_apart"),
}

JUDGED_BY = {
    # sympy
    *("simplify", "limit", "solve", "solveset", "nsolve", "reduce_inequalities", "equals", "nsimplify", "evalf"),
    *("is_decreasing", "is_increasing", "is_monotonic", "is_strictly_decreasing", "is_strictly_increasing"),
    # mpmath, scipy, numpy, pytest
    *("findroot", "almosteq", "identify", "pslq", "quad", "odefun", "solve_ivp", "fsolve", "brentq", "minimize"),
    *("isclose", "allclose", "approx"),
}
"""What must not be called where truth is decided."""

LIBRARIES = {"sympy", "mpmath", "numpy", "scipy", "matplotlib", "numba"}
"""What finds; `proofs` imports none of it, not inside of functions either."""


def modules() -> list[Path]:
    return sorted((ROOT / "proofs").rglob("*.py"))


def called(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that are called, or taken as attributes of anything, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr, node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in {"import_module", "__import__"}:
                yield str(node.args[0].value).partition(".")[0]


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_tool_judges_in_proofs(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert [f"{name}, line {line}" for name, line in called(tree) if name in JUDGED_BY] == []
    assert set(imported(tree)) & LIBRARIES == set()


@pytest.mark.parametrize(
    "source",
    [
        "sympy.simplify(x)",
        "x.equals(0)",
        "from mpmath import findroot\nfindroot(f, 3)",
        "is_decreasing(f)",
        "check = mp.almosteq",
        "numpy.isclose(a, b)",
    ],
)
def test_the_scan_finds_a_tool(source: str) -> None:
    assert any(name in JUDGED_BY for name, _ in called(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "import sympy",
        "def f():\n    from sympy.abc import x",
        "importlib.import_module('mpmath.libmp')",
        "import scipy.special",
    ],
)
def test_the_scan_finds_an_import(source: str) -> None:
    assert set(imported(ast.parse(source))) & LIBRARIES


def test_the_scan_sees_all_of_proofs() -> None:
    names = {path.relative_to(ROOT / "proofs").as_posix() for path in modules()}
    assert {"checker.py", "exact.py", "kernel/signs.py", "kernel/evaluate.py", "statements/thm19.py"} <= names


def test_every_row_has_its_tests() -> None:
    """Collected by name, so that a row's test cannot vanish."""
    defined = {
        node.name
        for file in TRAPS.glob("test_*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    wanted = {name for names in ROWS.values() for name in names}
    assert len(ROWS) == 27
    assert wanted - defined == set()
