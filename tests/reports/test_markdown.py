"""Markdown, and the table of the README."""

from __future__ import annotations

from pathlib import Path

import pytest
from antumbra.proofs import registry
from antumbra.reports.ledger import Ledger, load
from antumbra.reports.markdown import code, escape, render, verdict_rows, verdict_table
from antumbra.reports.readme import BEGIN, END, main, section, table_in, update
from antumbra.reports.storage import InputError
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
COMMONMARK = MarkdownIt("commonmark").enable("table")


def text_of(source: str) -> str:
    """The text that a reader of the Markdown sees."""
    pieces = []
    for token in COMMONMARK.parse(source):
        for child in token.children or ():
            assert child.type in ("text", "text_special", "code_inline", "softbreak"), child
            pieces.append(child.content if child.type != "softbreak" else " ")
    return "".join(pieces)


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    assert text_of("x" + escape(text) + "x") == f"x{text}x"


@given(st.text("ab`|*_<>&\\"))
def test_any_code_is_shown_as_it_is(text: str) -> None:
    shown = " ".join(text.split()) or " "
    assert text_of("x " + code(text)).removeprefix("x ").strip() == shown.strip()


def test_every_claim_has_a_row_and_a_section(ledger: Ledger) -> None:
    report = render(ledger)
    rows = [line for line in verdict_table(verdict_rows(ledger)).splitlines() if line.startswith("| ")]
    assert len(rows) == len(ledger.claims) + 1
    assert report.count('<a id="') == len(ledger.claims)
    for row in rows:
        assert row.replace("\\|", "").count("|") == 4
    assert "**Not as expected:** proved was expected." in report
    assert "<script>" not in report
    assert "rate[sphere](E) = 1/n·∑_i ‖v_i‖²" in report


README = f"# Title\n\nbefore\n{BEGIN}\nold\n{END}\nafter\n"


def test_the_table_is_replaced_between_its_markers(ledger: Ledger) -> None:
    updated = update(README, ledger)
    assert updated == f"# Title\n\nbefore\n{BEGIN}\n\n{section(verdict_rows(ledger))}\n{END}\nafter\n"
    assert update(updated, ledger) == updated


@pytest.mark.parametrize("text", ["", BEGIN, END, END + BEGIN, README + README])
def test_markers_must_be_there_once(text: str, ledger: Ledger) -> None:
    with pytest.raises(InputError):
        update(text, ledger)


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "README.md"
    path.write_text(README, "utf-8")
    assert main([str(path), str(folder / "ledger.json")]) == 0
    assert path.read_text("utf-8") == update(README, load(folder / "ledger.json"))
    path.write_text("none", "utf-8")
    assert main([str(path), str(folder / "ledger.json")]) == 2
    assert main([]) == 2
    assert path.read_text("utf-8") == "none"


def test_the_table_in_the_readme_is_that_of_the_index() -> None:
    """Every verdict is the expected one (`tests/claims`), so the ledger's table is the one of the index."""
    text = (ROOT / "README.md").read_text("utf-8")
    if BEGIN not in text:
        pytest.skip("the README has no table of verdicts yet")
    rows = [(row.expected, row.id, row.title) for row in registry.rows()]
    assert table_in(text) == section(rows), "run `python -m antumbra.reports.readme README.md verification/ledger.json`"
