"""Reading plain text back to the very term that it was printed from (`plain`).

Two passes: the text becomes a tree without sorts, by precedence alone; then the tree becomes a term of the sort that
its place demands, since `a + b` is a sum of scalars in one place and of vectors in another.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from antumbra.reports.formulas.notation import CALLS, COMPARISONS, FUNCTIONS, INDEX, RELATIONS, SIZES, Notation
from antumbra.reports.formulas.notation import recovered as recovered_name

Sort = Literal["scalar", "vector", "formula"]
Term = tuple[Any, ...]
Tree = tuple[Any, ...]

_TOKEN = re.compile(
    r"""
    (?P<raw>raw‹[^›]*›)
  | (?P<number>\d+(?:/\d+)?)
  | (?P<name>(?:`[^`]*`|W₀|[A-Za-zΑ-Ωα-ω][A-Za-z0-9]*)(?:_[A-Za-z0-9]+)*)
  | (?P<superscript>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
  | (?P<sign>∃!|[-+·/()\[\]{}|‖⟨⟩,:=≠≥>≤<≡∧∨⇒⇔∀∃∑_∫√↦∈…∞𝟎ᵀ@$])
    """,
    re.VERBOSE | re.ASCII,
)
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SIZES = {letter: sort for sort, letter in SIZES.items()}
_CALLS = {text: tag for tag, text in CALLS.items()}
_FUNCTIONS = {text: name for name, text in FUNCTIONS.items()}
_COMPARISONS = {sign: tag for tag, sign in COMPARISONS.items()}
_CONNECTIVES = (("⇔", "iff"), ("⇒", "implies"), ("∨", "or"), ("∧", "and"))


class ParseError(ValueError):
    """The text is not a formula as `plain` prints it."""


def parse(text: str, sort: Sort = "formula", notation: Notation | None = None) -> Term:
    """The term that `plain` prints as this text, under the same notation.

    Args:
        text: the text; blanks and line ends between its tokens do not matter.
        sort: what it is: a formula, a scalar or a vector.
        notation: the notation under which it was printed.

    Raises:
        ParseError: it is not such a text; the message says where.
    """
    parser = _Parser(text)
    tree = parser.expression(0)
    parser.finish()
    return _Elaborator(notation or Notation()).term(tree, sort)


def _tokens(text: str) -> list[tuple[str, str, int]]:
    found: list[tuple[str, str, int]] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            raise ParseError(f"cannot read {text[position : position + 20]!r} (at character {position + 1})")
        found.append((str(match.lastgroup), match.group(), position))
        position = match.end()
    found.append(("end", "", position))
    return found


class _Parser:
    """Recursive descent over tokens; makes trees without sorts."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.place = 0

    # --- tokens ---

    @property
    def kind(self) -> str:
        return self.tokens[self.place][0]

    @property
    def text(self) -> str:
        return self.tokens[self.place][1]

    def sees(self, *signs: str) -> bool:
        return self.kind == "sign" and self.text in signs

    def take(self) -> str:
        text = self.text
        self.place += 1
        return text

    def accept(self, sign: str) -> bool:
        if self.sees(sign):
            self.place += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.accept(sign):
            raise self.error(f"{sign!r}")

    def error(self, wanted: str) -> ParseError:
        _, text, position = self.tokens[self.place]
        found = repr(text) if text else "the end"
        return ParseError(f"expected {wanted} at character {position + 1}, found {found}")

    def finish(self) -> None:
        if self.kind != "end":
            raise self.error("the end")

    def word(self, text: str) -> None:
        if self.kind != "name" or self.text != text:
            raise self.error(repr(text))
        self.place += 1

    def name(self) -> str:
        """A name alone, without indices."""
        if self.kind != "name":
            raise self.error("a name")
        try:
            return recovered_name(self.take())
        except ValueError as error:
            raise ParseError(str(error)) from None

    def index(self) -> str:
        if self.kind != "name" or not INDEX.fullmatch(self.text):
            raise self.error("an index")
        return self.take()

    # --- formulas ---

    def expression(self, level: int) -> Tree:
        """Anything, from the loosest connective at that level."""
        if self.sees("∀", "∃", "∃!"):
            return self.quantified()
        if level == len(_CONNECTIVES):
            return self.comparison()
        sign, tag = _CONNECTIVES[level]
        operands = [self.expression(level + 1)]
        while self.accept(sign):
            operands.append(self.expression(level + 1))
        if len(operands) == 1:
            return operands[0]
        if tag in ("implies", "iff") and len(operands) != 2:
            raise ParseError(f"{sign!r} joins two formulas; put brackets")
        return (tag, operands)

    def quantified(self) -> Tree:
        sign = self.take()
        if sign == "∃!":
            return ("unique", *self.zero())
        if self.kind == "name" and self.text in ("scalar", "vector"):
            word = self.take()
            if sign == "∃" and word == "vector":
                raise ParseError("there is no existence of vectors")
            tag = "exists" if sign == "∃" else {"scalar": "forall", "vector": "forallv"}[word]
            name = self.name()
            self.expect(":")
            return (tag, name, self.expression(0))
        if sign == "∃":
            raise self.error("'scalar'")
        index = self.index()
        excluded = self.excluded()
        self.expect(":")
        return ("all", index, excluded, self.expression(0))

    def excluded(self) -> tuple[str, ...]:
        found: list[str] = []
        if self.accept("≠"):
            found.append(self.index())
            while self.accept(","):
                found.append(self.index())
        return tuple(found)

    def zero(self) -> tuple[Any, ...]:
        """`x ∈ (lower, upper): body = 0`, as name, lower, upper, body."""
        name = self.name()
        self.expect("∈")
        self.expect("(")
        lower = self.addition()
        self.expect(",")
        upper = self.end()
        self.expect(")")
        self.expect(":")
        body = self.addition()
        self.expect("=")
        if self.text != "0":
            raise self.error("'0'")
        self.take()
        return name, lower, upper, body

    def end(self) -> Tree:
        return ("inf",) if self.accept("∞") else self.addition()

    def comparison(self) -> Tree:
        left = self.addition()
        if self.kind == "sign" and self.text in _COMPARISONS:
            return ("compare", _COMPARISONS[self.take()], left, self.addition())
        return left

    # --- terms ---

    def addition(self) -> Tree:
        terms = [self.product()]
        while self.sees("+", "-"):
            # A minus sign belongs to the summand.
            if self.sees("+"):
                self.take()
            terms.append(self.product())
        return terms[0] if len(terms) == 1 else ("add", terms)

    def product(self) -> Tree:
        factors: list[Tree] = []
        if self.accept("-"):
            if self.kind == "number":
                factors.append(self.negative())
            else:
                factors.append(("number", "-1"))
                factors.append(self.factor())
        elif self.kind == "number" and self.text == "1" and self.tokens[self.place + 1][1] == "/":
            self.take()  # "1/t" is the inverse of t alone
        else:
            factors.append(self.factor())
        while self.sees("·", "/"):
            divides = self.take() == "/"
            factor = self.factor()
            factors.append(("inv", factor) if divides else factor)
        return factors[0] if len(factors) == 1 else ("multiply", factors)

    def negative(self) -> Tree:
        number: Tree = ("number", "-" + self.take())
        if self.kind == "superscript":
            raise self.error("brackets round the base of a power")
        return number

    def factor(self) -> Tree:
        base = self.atom()
        if self.kind == "superscript":
            return ("power", base, int(self.take().translate(_DIGITS)))
        return base

    def atom(self) -> Tree:
        match self.kind:
            case "number":
                return ("number", self.take())
            case "raw":
                return ("raw", self.take()[4:-1])
            case "name":
                return self.named("")
            case "sign":
                return self.signed()
        raise self.error("a term")

    def signed(self) -> Tree:
        sign = self.take()
        match sign:
            case "(":
                inside = self.expression(0)
                self.expect(")")
                return inside
            case "|":
                inside = self.addition()
                self.expect("|")
                return ("abs", inside)
            case "‖":
                return self.normed()
            case "⟨":
                left = self.addition()
                self.expect(",")
                right = self.addition()
                self.expect("⟩")
                return ("ip", left, right)
            case "[":
                first = self.index()
                self.expect("=")
                second = self.index()
                self.expect("]")
                return ("delta", first, second)
            case "√":
                return ("call", "sqrt", self.bracketed())
            case "𝟎":
                return ("zero",)
            case "∑":
                return self.sum()
            case "∫":
                return self.integral()
            case "@" | "$":
                if self.kind != "name":
                    raise self.error("a name")
                return self.named(sign)
        self.place -= 1
        raise self.error("a term")

    def bracketed(self) -> Tree:
        self.expect("(")
        inside = self.addition()
        self.expect(")")
        return inside

    def normed(self) -> Tree:
        if self.kind == "name" and self.tokens[self.place + 1][1] == "↦":
            name = self.name()
            self.expect("↦")
            inside = self.addition()
            self.expect("‖")
            return ("opnorm", name, inside)
        inside = self.addition()
        self.expect("‖")
        return ("norm", inside)

    def sum(self) -> Tree:
        self.expect("_")
        if self.accept("{"):
            index = self.index()
            excluded = self.excluded()
            self.expect("}")
        else:
            index, excluded = self.index(), ()
        return ("sum", index, excluded, self.product())

    def integral(self) -> Tree:
        self.expect("(")
        body = self.addition()
        self.expect(",")
        name = self.name()
        self.expect("=")
        lower = self.addition()
        self.expect("…")
        upper = self.end()
        self.expect(")")
        return ("int", name, lower, upper, body)

    def named(self, mark: str) -> Tree:
        text = self.take()
        if mark == "":
            special = self.special(text)
            if special is not None:
                return special
        if self.accept("("):
            arguments = [self.addition()]
            while self.accept(","):
                arguments.append(self.addition())
            self.expect(")")
            return ("name", mark, text, tuple(arguments))
        adjoint = self.accept("ᵀ")
        if adjoint or self.sees("["):
            self.expect("[")
            inside = self.addition()
            self.expect("]")
            return ("operator", adjoint, mark, text, inside)
        return ("name", mark, text, ())

    def special(self, text: str) -> Tree | None:
        """Reserved words."""
        if text == "π":
            return ("pi",)
        if text in _SIZES:
            return ("size", _SIZES[text])
        if text in _CALLS:
            return ("call", _CALLS[text], self.bracketed())
        if text in _FUNCTIONS:
            return ("function", _FUNCTIONS[text], self.bracketed())
        if text in RELATIONS:
            return self.relation(text)
        match text:
            case "rate":
                self.expect("[")
                flow = self.name()
                self.expect("]")
                return ("rate", flow, self.bracketed())
            case "dissipates":
                self.expect("[")
                flow = self.name()
                self.expect("]")
                self.expect("(")
                speed = self.addition()
                self.expect(",")
                bound = self.addition()
                self.expect(")")
                return ("dissipates", flow, speed, bound)
            case "decays":
                self.expect("[")
                flow = self.name()
                self.expect("]")
                self.expect("(")
                quantity = self.addition()
                self.expect(",")
                rate = self.addition()
                self.expect(",")
                condition = self.expression(0)
                self.expect(")")
                return ("decays", flow, condition, quantity, rate)
            case "root":
                self.expect("(")
                name, lower, upper, body = self.zero()
                self.expect(")")
                return ("root", name, body, lower, upper)
            case "distinct":
                self.expect("(")
                first = self.index()
                self.expect(",")
                second = self.index()
                self.expect(")")
                return ("distinct", first, second)
        return None

    def relation(self, tag: str) -> Tree:
        arguments: list[Any] = []
        self.expect("(")
        for number, place in enumerate(RELATIONS[tag]):
            if number:
                self.expect(",")
            match place:
                case "name":
                    arguments.append(self.name())
                case "sort":
                    if self.text not in SIZES:
                        raise self.error("token, head or axis")
                    arguments.append(self.take())
                case _:
                    arguments.append(("scalar term", self.addition()))
        self.expect(")")
        return ("relation", tag, arguments)


class _Elaborator:
    """Gives a tree the sort that its place demands."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation

    def term(self, tree: Tree, sort: Sort) -> Term:
        if tree[0] == "raw":
            return _raw(tree[1])
        match sort:
            case "scalar":
                return self.scalar(tree)
            case "vector":
                return self.vector(tree)
            case _:
                return self.formula(tree)

    def scalar(self, tree: Tree) -> Term:
        tag, *rest = tree
        match tag:
            case "raw":
                return _raw(rest[0])
            case "number":
                return _rational(rest[0])
            case "pi" | "size" | "delta" | "inf":
                return tree
            case "name":
                return self.name(tree, "s", "def")
            case "add":
                return ("+", *map(self.scalar, rest[0]))
            case "multiply":
                return ("*", *map(self.scalar, rest[0]))
            case "power":
                return ("^", self.scalar(rest[0]), rest[1])
            case "inv" | "abs":
                return (tag, self.scalar(rest[0]))
            case "call":
                return (rest[0], self.scalar(rest[1]))
            case "function":
                return ("fn", rest[0], self.scalar(rest[1]))
            case "sum":
                return ("sum", rest[0], rest[1], self.scalar(rest[2]))
            case "ip":
                return ("ip", self.vector(rest[0]), self.vector(rest[1]))
            case "norm":
                return ("norm", self.vector(rest[0]))
            case "opnorm":
                return ("opnorm", rest[0], self.vector(rest[1]))
            case "rate":
                return ("rate", rest[0], self.scalar(rest[1]))
            case "int" | "root":
                return (tag, rest[0], *map(self.scalar, rest[1:]))
        raise ParseError(f"a scalar is wanted where {tag!r} stands")

    def vector(self, tree: Tree) -> Term:
        tag, *rest = tree
        match tag:
            case "raw":
                return _raw(rest[0])
            case "zero":
                return ("v0",)
            case "name":
                return self.name(tree, "vec", "vdef")
            case "add":
                return ("vadd", *map(self.vector, rest[0]))
            case "multiply":
                *factors, last = rest[0]
                scalars = [self.scalar(factor) for factor in factors]
                factor = scalars[0] if len(scalars) == 1 else ("*", *scalars)
                return ("vmul", factor, self.vector(last))
            case "sum":
                return ("vsum", rest[0], rest[1], self.vector(rest[2]))
            case "operator":
                adjoint, mark, text, inside = rest
                name, indices, defined = self.written(mark, text)
                if defined:
                    raise ParseError(f"{text!r} is a definition, not an operator")
                return ("opT" if adjoint else "op", name, indices, self.vector(inside))
        raise ParseError(f"a vector is wanted where {tag!r} stands")

    def formula(self, tree: Tree) -> Term:
        tag, *rest = tree
        match tag:
            case "raw":
                return _raw(rest[0])
            case "compare":
                side = self.vector if rest[0] == "veq" else self.scalar
                return (rest[0], side(rest[1]), side(rest[2]))
            case "and" | "or" | "implies" | "iff":
                return (tag, *map(self.formula, rest[0]))
            case "all":
                return ("all", rest[0], rest[1], self.formula(rest[2]))
            case "forall" | "exists" | "forallv":
                return (tag, rest[0], self.formula(rest[1]))
            case "unique":
                return ("unique", rest[0], *map(self.scalar, rest[1:]))
            case "dissipates":
                return ("dissipates", rest[0], self.scalar(rest[1]), self.scalar(rest[2]))
            case "decays":
                return ("decays", rest[0], self.formula(rest[1]), self.scalar(rest[2]), self.scalar(rest[3]))
            case "distinct":
                return tree
            case "relation":
                arguments = (self.scalar(a[1]) if isinstance(a, tuple) else a for a in rest[1])
                return (rest[0], *arguments)
        raise ParseError(f"a formula is wanted where {tag!r} stands")

    def written(self, mark: str, text: str) -> tuple[str, tuple[str, ...], bool]:
        try:
            return self.notation.read(mark, text)
        except ValueError as error:
            raise ParseError(str(error)) from None

    def name(self, tree: Tree, symbol: str, definition: str) -> Term:
        _, mark, text, arguments = tree
        name, indices, defined = self.written(mark, text)
        if defined:
            return (definition, name, indices, tuple(map(self.scalar, arguments)))
        if arguments:
            raise ParseError(f"{text!r} is no definition and takes no parameters")
        return (symbol, name, indices)


def _rational(text: str) -> Term:
    numerator, _, denominator = text.partition("/")
    return ("q", format(int(numerator), "x"), format(int(denominator or "1"), "x"))


def _raw(text: str) -> Term:
    """The term that stands in `raw‹…›`."""
    try:
        value = _frozen(json.loads(text))
    except ValueError as error:
        raise ParseError(f"raw term: {error}") from None
    return value if isinstance(value, tuple) else (value,)


def _frozen(value: Any) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
