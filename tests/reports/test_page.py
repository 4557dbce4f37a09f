"""The page: everything in it, nothing unescaped, no network, and its behaviour in a real browser."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import browser
import fake_proofs
import msgspec
import pytest
from antumbra.proofs.claim import Outcome, Verdict
from antumbra.reports.figures import DRAWINGS, draw
from antumbra.reports.formulas import picture
from antumbra.reports.ledger import FigureRecord, Ledger, StatementRecord, assemble
from antumbra.reports.page import render
from antumbra.reports.page.markup import anchor, data_list, text
from antumbra.reports.pictures import FIGURES, collect
from hypothesis import given
from hypothesis import strategies as st

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Strict(HTMLParser):
    """Demands that every element is closed, in order, and no id stands twice."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.stack, tag
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] not in ("script", "style"):
            self.text.append(data)


def parsed(page: str) -> Strict:
    parser = Strict()
    parser.feed(page)
    parser.close()
    assert parser.stack == []
    return parser


@pytest.fixture(scope="module")
def figures() -> list[FigureRecord]:
    return collect(list(FIGURES))


@pytest.fixture(scope="module")
def full(ledger: Ledger, figures: list[FigureRecord]) -> Ledger:
    """The ledger of the fakes with all figures."""
    return assemble(
        version=ledger.antumbra,
        profile=ledger.profile,
        seed=ledger.seed,
        definitions=ledger.definitions,
        claims=ledger.claims,
        figures=figures,
        environment=ledger.environment,
    )


@pytest.fixture(scope="module")
def page(full: Ledger) -> str:
    return render(full)


@pytest.fixture(scope="module")
def tree(page: str) -> Strict:
    return parsed(page)


def test_ids_are_unique_and_links_lead_somewhere(tree: Strict) -> None:
    assert len(tree.ids) == len(set(tree.ids))
    for link in tree.links:
        assert link.startswith("#")
        assert link[1:] in tree.ids, link


def test_every_claim_has_its_section_and_its_row(tree: Strict, ledger: Ledger, page: str) -> None:
    for claim in ledger.claims:
        assert anchor(claim.id) in tree.ids
        assert f'data-target="{anchor(claim.id)}"' in page


def test_nothing_of_the_ledger_is_markup(tree: Strict, page: str) -> None:
    assert page.count("<script>") == 1
    assert "b" not in tree.tags or "<b>bold</b>" not in page
    shown = "".join(tree.text)
    assert "<script>alert(1)</script>" in shown
    assert "scores <b>bold</b>" in shown
    assert fake_proofs.STRANGE in shown


def test_the_page_needs_no_network(page: str) -> None:
    assert not re.search(r'(?:src|href)\s*=\s*"(?!#)', page)
    assert "url(" not in page
    assert "@import" not in page
    assert not re.search(r"https?://(?!www\.w3\.org/)", page)


def test_every_verdict_and_outcome_is_shown_by_shape_and_word(page: str) -> None:
    for verdict in Verdict:
        assert f'class="chip verdict {verdict.value}"' in page
    for outcome in Outcome:
        assert f'class="badge {outcome.value}"' in page


def test_what_was_not_checked_is_said(tree: Strict) -> None:
    shown = "".join(tree.text)
    gaps = shown[shown.index("What was not checked") :]
    for words in (
        "fake.open: later is not written as a formula",
        "flow vacuous (no configuration met the hypotheses)",
        "attack not run (no weights)",
        "symbolic undecided (a residue is left: x < y)",
    ):
        assert words in gaps


def test_the_same_ledger_gives_the_same_bytes(full: Ledger, page: str) -> None:
    assert render(full) == page


def test_drawings_are_kept_and_change_nothing(full: Ledger, page: str, own_cache: Path) -> None:
    assert render(full) == page
    (store,) = (own_cache / "antumbra").glob("drawings-*.json")
    kept = store.read_bytes()
    picture.draw.cache_clear()
    assert render(full) == page
    assert picture.draw.cache_info().currsize == 0
    assert store.read_bytes() == kept
    store.write_text("[", "utf-8")
    assert render(full) == page


def test_an_empty_ledger_has_a_page() -> None:
    empty = assemble(version="0", profile="quick", seed=0, definitions=[], claims=[], figures=[], environment={})
    assert "no claims" in "".join(parsed(render(empty)).text)


@given(st.text())
def test_any_text_is_shown_as_it_is(value: str) -> None:
    parser = parsed(f"<p>{text(value)}</p>")
    clean = "".join(parser.text)
    printable = all(ord(c) > 31 and not 0x7F <= ord(c) <= 0x9F and not 0xD800 <= ord(c) <= 0xDFFF for c in value)
    if printable and not any(0xFDD0 <= ord(c) <= 0xFDEF or ord(c) & 0xFFFE == 0xFFFE for c in value):
        assert clean == value


@given(st.text(), st.text())
def test_deep_links_differ_where_ids_differ(one: str, other: str) -> None:
    assert (anchor(one) == anchor(other)) == (one == other)
    assert re.fullmatch(r"[A-Za-z0-9._~-]*", anchor(one))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_any_data_becomes_well_formed(data: object) -> None:
    parsed(f"<div>{data_list(data)}</div>")


@given(JSON)
def test_any_certificate_becomes_well_formed(value: object) -> None:
    from antumbra.reports.formulas import Notation
    from antumbra.reports.formulas.picture import Gallery
    from antumbra.reports.page.certificates import certificate_section, model_section

    gallery = Gallery(Notation())
    for certificate in (
        {"kind": value},
        {"kind": "derivation", "steps": value, "analysis": value},
        {"kind": "derivation", "steps": [{"rule": value, "shows": value, "from": value, "given": value}, value]},
        {"kind": "witness", "sense": value, "drops": value, "model": value},
        {"kind": "witness", "model": {"sizes": value, "vectors": {"x": value}, "operators": {"<M>": value}}},
    ):
        parsed(f"<div>{certificate_section(certificate, gallery)}</div>")
    parsed(f"<div>{model_section(value)}</div>")


def test_figures_are_strict_xml_with_captions(figures: list[FigureRecord], page: str) -> None:
    assert {figure.id for figure in figures} == set(DRAWINGS)
    for figure in figures:
        assert figure.data["error"] is None
        found = draw(figure)
        assert found is not None
        drawing, caption = found
        assert ElementTree.fromstring(drawing).get("aria-label")
        assert len(caption) > 80
        assert f'id="figure-{figure.id}"' in page
        assert text(figure.command) in page


def test_the_energies_do_what_the_caption_says(figures: list[FigureRecord]) -> None:
    data = next(figure.data for figure in figures if figure.id == "energies")
    assert all(a > b for a, b in zip(data["first_head"], data["first_head"][1:], strict=False))
    assert all(a < b for a, b in zip(data["total"], data["total"][1:], strict=False))
    assert data["integration_error"] < 1e-6


def test_a_figure_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> dict[str, object]:
        raise ArithmeticError("no <convergence>")

    monkeypatch.setitem(FIGURES, "thm22.phi_shape", ("rate", "command", broken))
    (figure,) = collect(["thm22.phi_shape"])
    found = draw(figure)
    assert found is not None
    assert "no &lt;convergence&gt;" in found[0]


@given(st.sampled_from(sorted(DRAWINGS)), st.dictionaries(st.text(max_size=4), JSON, max_size=2))
def test_figures_of_another_form_are_left_out(name: str, data: dict[str, object]) -> None:
    found = draw(FigureRecord(id=name, claim="", command="", data=data))
    assert found is None or "error" in data


def test_a_large_ledger_is_rendered_in_time(full: Ledger) -> None:
    """A hundred claims of many steps; the limit is generous, for slow machines."""
    base = full.claims[0]
    step = {"rule": "ring", "given": [], "shows": base.parts[0].statement.term, "from": [0]}
    evidence = [
        msgspec.structs.replace(base.parts[0].evidence[0], certificate={"kind": "derivation", "steps": [step] * 60})
    ]
    claims = [
        msgspec.structs.replace(
            base,
            id=f"large.{number}",
            parts=[
                msgspec.structs.replace(
                    base.parts[0],
                    statement=StatementRecord("", ["eq", ["s", f"z{number}", []], ["q", format(number, "x"), "1"]]),
                    evidence=evidence,
                )
            ],
        )
        for number in range(100)
    ]
    start = time.perf_counter()
    made = render(msgspec.structs.replace(full, claims=claims))
    assert time.perf_counter() - start < 60
    assert len(made) < 5_000_000


# --- in a browser ---

PROGRAM = browser.find()
needs_browser = pytest.mark.skipif(
    PROGRAM is None and not os.environ.get("ANTUMBRA_BROWSER"), reason="there is no Chromium on this machine"
)


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    assert PROGRAM is not None, "ANTUMBRA_BROWSER is set, so a Chromium must be there"
    with browser.Browser(PROGRAM) as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, page: str) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page, "utf-8")
    return path


ROWS = 'document.querySelectorAll("tr.claim:not([hidden])").length'


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280, 1920])
def test_nothing_is_clipped_and_nothing_complains(screen: browser.Browser, file: Path, width: int, scheme: str) -> None:
    screen.messages.clear()
    screen.open(file, width, scheme=scheme)
    screen.evaluate('document.querySelectorAll("details").forEach(d => d.open = true)')
    assert screen.messages == []
    assert screen.evaluate("document.documentElement.scrollWidth") <= width
    # A formula wider than its line can be scrolled to its end.
    clipped = """[...document.querySelectorAll("svg.formula")].filter(svg => {
        const box = svg.getBoundingClientRect();
        if (!box.width || !box.height) return true;
        const frame = svg.closest(".display, .scroll");
        if (!frame) return box.right > document.documentElement.clientWidth + 1;
        return box.right - frame.getBoundingClientRect().left > frame.scrollWidth + 2 ||
            box.height > frame.getBoundingClientRect().height + 2;
    }).length"""
    assert screen.evaluate('document.querySelectorAll("svg.formula").length') > 20
    assert screen.evaluate(clipped) == 0


@needs_browser
def test_formulas_are_really_drawn(screen: browser.Browser, file: Path) -> None:
    screen.open(file)
    screen.evaluate('document.querySelectorAll("details").forEach(d => d.open = true)')
    empty = """[...document.querySelectorAll("svg.formula use")].filter(use =>
        !document.querySelector(use.getAttribute("href")) || !use.getBBox().width).length"""
    assert screen.evaluate('document.querySelectorAll("svg.formula use").length') > 30
    assert screen.evaluate('document.querySelectorAll("symbol use").length') > 40
    assert screen.evaluate(empty) == 0


@needs_browser
def test_filters(screen: browser.Browser, file: Path, ledger: Ledger) -> None:
    screen.open(file)
    assert screen.evaluate(ROWS) == len(ledger.claims)
    screen.evaluate('document.querySelector(".total.proved").click()')
    proved = ledger.totals["proved"]
    assert screen.evaluate(ROWS) == proved
    assert screen.evaluate('document.getElementById("shown").textContent') == f"{proved} of {len(ledger.claims)} shown"
    assert screen.evaluate('document.querySelectorAll("details.claim:not([hidden])").length') == proved
    screen.evaluate('document.querySelector(".total.refuted").click()')
    assert screen.evaluate(ROWS) == proved + ledger.totals["refuted"]
    screen.evaluate('document.querySelector("button[type=reset]").click(); new Promise(r => setTimeout(r, 50))')
    assert screen.evaluate(ROWS) == len(ledger.claims)
    for code, count in (
        ('search.value = "fake.circle"', 2),
        ('search.value = "FAKE.false.AMENDED"', 1),
        ('search.value = "no such words"', 0),
        ('search.value = ""; surprising.checked = true', 1),
        ('surprising.checked = false; kind.value = "precision"', 1),
    ):
        screen.evaluate(f'{code}; search.form.dispatchEvent(new Event("input"))')
        assert screen.evaluate(ROWS) == count, code
    assert screen.evaluate('document.getElementById("nothing").hidden') is True


@needs_browser
@pytest.mark.parametrize("claim_id", ["fake.conflict", fake_proofs.STRANGE])
def test_deep_links_open(screen: browser.Browser, file: Path, claim_id: str) -> None:
    screen.open(file, fragment=f"#{anchor(claim_id)}")
    found = f"document.getElementById({anchor(claim_id)!r})"
    assert screen.evaluate(f"{found}.open") is True
    screen.evaluate("new Promise(r => setTimeout(r, 900))")
    assert 0 <= screen.evaluate(f"{found}.getBoundingClientRect().top") < 900


@needs_browser
def test_a_deep_link_opens_a_claim_that_a_filter_hides(screen: browser.Browser, file: Path) -> None:
    screen.open(file)
    screen.evaluate('document.querySelector(".total.proved").click(); location.hash = "fake.conflict"')
    screen.evaluate("new Promise(r => setTimeout(r, 200))")
    assert screen.evaluate('document.getElementById("fake.conflict").hidden') is False
    assert screen.evaluate('document.getElementById("fake.conflict").open') is True


@needs_browser
def test_the_theme_can_be_changed(screen: browser.Browser, file: Path) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    screen.open(file, scheme="dark")
    assert screen.evaluate(colour) == "rgb(20, 21, 26)"
    screen.evaluate('document.getElementById("theme").click()')
    assert screen.evaluate(colour) == "rgb(255, 255, 255)"


CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (colour, under) => {
    canvas.fillStyle = `rgb(${under})`; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = c => { const v = c.map(x => x / 255).map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const behind = e => { const own = e ? getComputedStyle(e).backgroundColor : "rgb(255,255,255)";
    return e ? rgb(own, behind(e.parentElement)) : [255, 255, 255]; };
  const bad = new Set();
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest("svg, script, style, .hidden, .skip") || !e.getClientRects().length) continue;
    if (getComputedStyle(e).fontSize === "0px") continue;
    const under = behind(e), a = light(rgb(getComputedStyle(e).color, under)), b = light(under);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return [...bad];
})()"""


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_everywhere(screen: browser.Browser, file: Path, scheme: str) -> None:
    screen.open(file, scheme=scheme)
    screen.evaluate('document.querySelectorAll("details").forEach(d => d.open = true)')
    assert screen.evaluate(CONTRAST) == []


@needs_browser
def test_everything_can_be_reached_by_keyboard_and_has_a_name(screen: browser.Browser, file: Path) -> None:
    screen.open(file)
    nameless = """[...document.querySelectorAll("button, input, select, a, svg[role=img]")].filter(e =>
        !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels && e.labels.length)).length"""
    assert screen.evaluate(nameless) == 0
    assert screen.evaluate('document.querySelectorAll("[tabindex]:not([tabindex=\\"0\\"])").length') == 0
    screen.evaluate('document.dispatchEvent(new KeyboardEvent("keydown", {key: "/"}))')
    assert screen.evaluate("document.activeElement.id") == "search"
    small = """[...document.querySelectorAll("button, select, input")].filter(e => {
        const b = e.getBoundingClientRect(); return b.width && (b.width < 18 || b.height < 18)}).length"""
    assert screen.evaluate(small) == 0
