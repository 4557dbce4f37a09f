"""Formulas as text that reads back to the very term, and as pictures."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from antumbra.proofs import registry
from antumbra.reports.formulas import Notation, ParseError, parse, plain, wrap
from antumbra.reports.formulas.inline import inline
from antumbra.reports.formulas.latex import latex
from antumbra.reports.formulas.notation import displayed, recovered
from antumbra.reports.formulas.picture import Gallery, UndrawableError, draw
from antumbra.reports.formulas.shapes import sort_of_term
from hypothesis import given, settings
from hypothesis import strategies as st
from random_terms import FORMULAS, SCALARS, VECTORS, rational

SETTING = Notation.of(registry.definitions())
NOTATIONS = st.sampled_from([SETTING, Notation()])
ONE, MINUS, TWO, THREE = (rational(number) for number in (1, -1, 2, 3))
A, B, C = (("s", name, ()) for name in "abc")
X, Y = ("vec", "x", ("i",)), ("vec", "y", ())


def frozen(value: Any) -> Any:
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


@settings(max_examples=150)
@given(SCALARS, NOTATIONS)
def test_scalars_read_back(term: Any, notation: Notation) -> None:
    assert parse(plain(term, notation), "scalar", notation) == term


@settings(max_examples=100)
@given(VECTORS, NOTATIONS)
def test_vectors_read_back(term: Any, notation: Notation) -> None:
    assert parse(plain(term, notation), "vector", notation) == term


@settings(max_examples=150)
@given(FORMULAS, NOTATIONS)
def test_formulas_read_back(term: Any, notation: Notation) -> None:
    assert parse(plain(term, notation), "formula", notation) == term


@settings(max_examples=60)
@given(FORMULAS, st.integers(10, 80))
def test_wrapped_formulas_read_back(term: Any, width: int) -> None:
    assert parse("\n".join(wrap(plain(term, SETTING), width, "  ")), "formula", SETTING) == term


@settings(max_examples=30)
@given(FORMULAS)
def test_two_terms_never_print_alike_as_one_is_wrapped_in_another(term: Any) -> None:
    assert plain(("all", "i", (), term), SETTING) != plain(term, SETTING)


def every_formula() -> list[tuple[str, Any]]:
    """All statements, domains, mutants and hypotheses, and the bodies of all definitions."""
    found: list[tuple[str, Any]] = []
    for row in registry.rows():
        for part in registry.statement(row.id).parts:
            formulas = [part.statement, *part.domain, *(mutant.statement for mutant in part.mutants)]
            found += [(f"{row.id}:{part.name}", formula) for formula in formulas if formula is not None]
    for entry in registry.definitions():
        for key in ("formula", "body"):
            if key in entry:
                found.append((str(entry.get("hypothesis") or entry.get("define")), entry[key]))
        found += [(entry["flow"], move["velocity"]) for move in entry.get("moves", ())]
    return found


def test_every_statement_reads_back() -> None:
    formulas = every_formula()
    assert len(formulas) > 60
    for name, formula in formulas:
        text = plain(formula, SETTING)
        sort: Any = sort_of_term(formula)
        assert parse(text, sort, SETTING) == frozen(formula), name
        assert "raw‹" not in text, name


def height_of(drawn: str) -> float:
    """The height of a drawn formula in ems: the drawing library has been seen to stretch brackets to fifty."""
    match = re.search(r"height:([0-9.]+)em", drawn)
    assert match is not None
    return float(match.group(1))


def test_every_statement_can_be_drawn() -> None:
    """Drawing takes time, so a formula without a command or letter that another one had is taken as drawn."""
    gallery = Gallery(SETTING)
    seen: set[str] = set()
    for name, formula in every_formula():
        source = latex(formula, SETTING)
        pieces = set(re.findall(r"\\[A-Za-z]+|\\.|[^\\]", source))
        if not pieces <= seen:
            seen |= pieces
            drawn = gallery.formula(formula)
            assert drawn.startswith("<svg"), (name, source)
            ElementTree.fromstring(drawn)
            assert height_of(drawn) < 8, (name, source)
    assert len(seen) > 40
    ElementTree.fromstring(gallery.sprite())


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (("+", ("*", A, B), ("*", MINUS, C)), "a·b - c"),
        (("*", ("+", A, B), C), "(a + b)·c"),
        (("+", A, ("+", B, C)), "a + (b + c)"),
        (("+", ("+", A, B), C), "(a + b) + c"),
        (("*", A, ("*", B, C)), "a·(b·c)"),
        (("^", ("^", A, 2), 3), "(a²)³"),
        (("^", MINUS, 2), "(-1)²"),
        (("*", MINUS, ("^", TWO, 2)), "-(2)²"),
        (("*", A, ("inv", ("*", B, C))), "a/(b·c)"),
        (("*", ("inv", B), A), "1/b·a"),
        (("inv", THREE), "1/(3)"),
        (rational(1, 3), "1/3"),
        (("*", ONE, ("inv", B)), "1·(1/b)"),
        (("*", ("sum", "i", (), A), B), "(∑_i a)·b"),
        (("sum", "i", (), ("*", A, B)), "∑_i a·b"),
        (("sum", "j", ("i",), A), "∑_{j≠i} a"),
        (("+", ("sum", "i", (), A), B), "∑_i a + b"),
        (("s", "beta", ()), "β"),
        (("s", "lambda", ("h",)), "λ_h"),
        (("ip", X, ("op", "M", ("h",), X)), "⟨x_i, M_h[x_i]⟩"),
        (("norm", ("vmul", MINUS, X)), "‖-x_i‖"),
        (("exp", ("*", ("s", "beta", ()), A)), "exp(β·a)"),
        (("size", "token"), "n"),
        (("s", "n", ()), "`n`"),
        (("s", "u_i", ()), "`u_i`"),
        (("s", "u_i", ("i",)), "`u_i`_i"),
        (("s", "total_energy", ("i",)), "total_energy_i"),
        (("def", "E", (), ()), "E"),
        (("def", "E_h", ("h",), ()), "E_h"),
        (("s", "E", ("h",)), "$E_h"),
        (("def", "unheard", (), ()), "@unheard"),
    ],
)
def test_how_terms_are_written(term: Any, text: str) -> None:
    assert plain(term, SETTING) == text
    assert parse(text, "scalar", SETTING) == term


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (("veq", ("vadd", X, Y), ("v0",)), "x_i + y ≡ 𝟎"),
        (("implies", ("and", ("gt", B, ONE), ("gt", C, ONE)), ("gt", B, C)), "(b > 1 ∧ c > 1) ⇒ b > c"),
        (("and", ("all", "i", (), ("gt", B, ONE)), ("gt", C, ONE)), "(∀ i: b > 1) ∧ c > 1"),
        (("all", "j", ("i",), ("or", ("gt", B, ONE), ("eq", C, ONE))), "∀ j≠i: b > 1 ∨ c = 1"),
        (("unique", "b", ONE, ("inf",), ("+", B, C)), "∃! b ∈ (1, ∞): b + c = 0"),
    ],
)
def test_how_formulas_are_written(term: Any, text: str) -> None:
    assert plain(term) == text
    assert parse(text) == term


@pytest.mark.parametrize(
    "text",
    [
        *("", "a +", "(b", "b = ", "∑_q b = 1", "b ⇒ c ⇒ b", "b c = 1", "1 = 2 = 3", "x_i ≡ 3", "rate(b) = 1"),
        *("raw‹[› = 1", "-3² = 1", "∃ vector u: b = 1", "@b(1) ≡ 1", "b_(i) = 1", "M[x] = 1"),
    ],
)
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text)


@pytest.mark.parametrize(
    "term",
    [
        ("q", "2", "4"),
        ("q", "3", "-1"),
        ("q", "03", "1"),
        ("q", "A", "1"),
        ("q", 3, 1),
        ("+", ONE),
        ("^", A, 65),
        ("^", A, True),
        ("s", "x", ("q",)),
        ("exp", A, B),
        ("new_tag", A),
        ("sum", "i", "j", A),
        ("+", A, X),
        ("ip", A, X),
        ("q", "f" * 4000, "1"),
        ["no", {"known": ["shape"]}],
    ],
)
def test_terms_of_no_known_shape_are_shown_raw_and_read_back(term: Any) -> None:
    formula = ("eq", term, ONE)
    text = plain(formula)
    assert "raw‹" in text
    assert parse(text) == frozen(formula) or isinstance(term, list)
    assert latex(formula)
    assert Gallery(Notation()).formula(formula).startswith("<")


@given(st.text())
def test_names_read_back(name: str) -> None:
    assert recovered(displayed(name)) == name


@given(st.text(max_size=8), st.text(max_size=8))
def test_different_names_are_written_differently(one: str, other: str) -> None:
    assert (displayed(one) == displayed(other)) == (one == other)


@settings(max_examples=12)
@given(FORMULAS)
def test_every_formula_can_be_drawn_as_strict_xml(term: Any) -> None:
    gallery = Gallery(SETTING)
    drawn = gallery.formula(term)
    ElementTree.fromstring(drawn)
    # What the drawing library cannot set (a letter with two superscripts, say) is shown as its plain text.
    assert drawn.startswith('<code class="formula">') or height_of(drawn) < 30
    ElementTree.fromstring(gallery.sprite())


def test_the_fallback_is_the_plain_text() -> None:
    term = ("symmetric", "c_star")
    drawn = Gallery(SETTING).formula(term)
    assert drawn.startswith('<code class="formula">') == ("height:" not in drawn)
    assert plain(term) in ElementTree.fromstring(drawn).itertext() or plain(term) in drawn


def test_a_formula_is_described_by_its_plain_text() -> None:
    term = ("lt", A, ("abs", B))
    drawn = ElementTree.fromstring(Gallery(Notation()).formula(term))
    assert drawn.get("aria-label") == plain(term) == "a < |b|"
    assert drawn.get("role") == "img"


def test_the_same_glyph_is_kept_once() -> None:
    gallery = Gallery(Notation())
    gallery.formula(("eq", B, B))
    gallery.formula(("eq", ("+", B, B), B))
    assert gallery.sprite().count("<symbol") == len(set(gallery.sprite().split('id="')[1:]))


def test_what_cannot_be_drawn_says_so() -> None:
    with pytest.raises(UndrawableError):
        draw(r"\nosuchcommand{")


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (("*", ("inv", ("size", "token")), ("sum", "i", (), A)), r"\frac{1}{n}\, \sum_{i} a"),
        (("*", ("+", A, B), C), r"(a + b)\, c"),
        (("^", ("+", A, B), 2), "(a + b)^{2}"),
        (("^", ("def", "a", ("h", "i"), ()), 2), "(a_{i}^{h})^{2}"),
        (("+", A, ("*", MINUS, B)), "a - b"),
        (("+", A, ("*", MINUS, ("+", B, C))), "a - (b + c)"),
        (("*", A, ("sum", "i", (), B), C), r"a\, \bigg( \sum_{i} b \bigg)\, c"),
        (("exp", ("*", ("s", "beta", ()), A)), r"e^{\beta\, a}"),
        (("*", TWO, THREE), r"2 \cdot 3"),
        (("*", rational(1, 2), A), r"\frac{a}{2}"),
        (("inv", ("inv", A)), r"\frac{1}{\frac{1}{a}}"),
        (("*", ("+", A, ("inv", B)), C), r"\left( a + \frac{1}{b} \right)\, c"),
        (("^", ("norm", X), 2), r"\| x_{i} \|^{2}"),
        (("rate", "usa_sphere", ("def", "E", (), ())), r"\frac{d}{dt} \Big|_{\mathrm{USA}\;\mathrm{sphere}} E"),
    ],
)
def test_latex(term: Any, expected: str) -> None:
    assert latex(term, SETTING) == expected


@settings(max_examples=100)
@given(FORMULAS)
def test_the_text_of_a_proof_step_is_the_plain_text(term: Any) -> None:
    html = inline(term, SETTING)
    assert "".join(ElementTree.fromstring(html).itertext()) == plain(term, SETTING)
