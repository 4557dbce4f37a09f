"""Terms as plain text that reads back to the very same term (`parse`).

The text is ordinary mathematics in Unicode: `rate[usa_sphere](E) = 1/n·∑_i ‖Pv_i‖²`. What it adds to print exactly:
`M_h[x_j]` is an operator applied, `[i = j]` a Kronecker delta, `u ≡ v` an equation of vectors, a back-quoted word a
name that would be read as something else, `@` a definition and `$` a symbol that the notation does not lead to expect,
and `raw‹…›` a term of unknown shape.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from antumbra.reports.formulas.notation import CALLS, COMPARISONS, FUNCTIONS, RELATIONS, SIZES, Notation, displayed
from antumbra.reports.formulas.shapes import (
    FORMULA_TAGS,
    SCALAR_TAGS,
    VECTOR_TAGS,
    Node,
    is_number,
    rational,
    sort_of_term,
    well_shaped,
)

OPEN, SUM, PRODUCT, POWER, ATOM = range(5)
"""How tightly a printed text holds together: a formula that extends to its end, a sum, a product, a power, an atom."""

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

Printed = tuple[str, int]


def plain(node: Node, notation: Notation | None = None) -> str:
    """A term or formula as text."""
    printer = Printer(notation or Notation())
    match sort_of_term(node):
        case "scalar":
            return printer.scalar(node)[0]
        case "vector":
            return printer.vector(node)[0]
        case _:
            return printer.formula(node)[0]


def raw(node: Any) -> str:
    """Anything at all, exactly: for terms that no rule below knows."""
    return "raw‹" + json.dumps(node, ensure_ascii=True, separators=(",", ":")) + "›"


def fence(printed: Printed, least: int) -> str:
    """The text, in brackets if it does not hold together tightly enough."""
    text, level = printed
    return text if level >= least else f"({text})"


def join_sum(texts: Sequence[str]) -> str:
    """Summands joined by plus signs, and by minus signs where one begins with it."""
    result = texts[0]
    for text in texts[1:]:
        result += f" - {text[1:]}" if text.startswith("-") else f" + {text}"
    return result


class Printer:
    """Prints terms under one notation."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation

    # --- scalars ---

    def scalar(self, node: Node) -> Printed:
        """A scalar term."""
        if not well_shaped(node) or node[0] not in SCALAR_TAGS:
            return raw(node), ATOM
        tag = node[0]
        if tag in CALLS:
            return f"{CALLS[tag]}({self.scalar(node[1])[0]})", ATOM
        printed: Printed = getattr(self, f"_{_METHODS.get(tag, tag)}")(node)
        return printed

    def _number(self, node: Node) -> Printed:
        numerator, denominator = rational(node)
        text = str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
        return text, POWER if denominator == 1 and numerator >= 0 else PRODUCT

    def _pi(self, _node: Node) -> Printed:
        return "π", ATOM

    def _size(self, node: Node) -> Printed:
        return SIZES[node[1]], ATOM

    def _symbol(self, node: Node) -> Printed:
        return self.notation.write(node[1], node[2], defined=False), ATOM

    def _def(self, node: Node) -> Printed:
        text = self.notation.write(node[1], node[2], defined=True)
        if node[3]:
            text += "(" + ", ".join(self.scalar(argument)[0] for argument in node[3]) + ")"
        return text, ATOM

    def _plus(self, node: Node) -> Printed:
        return join_sum([fence(self.scalar(term), PRODUCT) for term in node[1:]]), SUM

    def _times(self, node: Node) -> Printed:
        return self._product(node[1:], whole=True), PRODUCT

    def _product(self, factors: Sequence[Node], *, whole: bool) -> str:
        """Factors joined by dots and slashes.

        Args:
            factors: one or more scalar terms.
            whole: whether the last factor ends the text, so that a sum sign may stand there without brackets.
        """
        first, rest = factors[0], list(factors[1:])
        if is_number(first, -1) and rest and not is_number(rest[0]) and not _is_inverse(rest[0]):
            return "-" + self._product_tail(rest, "", whole=whole)
        text = self._first_factor(first, last=whole and not rest)
        if rest and is_number(first, 1) and _is_inverse(rest[0]):
            # "1/n" is the inverse of n alone.
            text += f"·({self.scalar(rest.pop(0))[0]})"
        return self._product_tail(rest, text, whole=whole) if rest else text

    def _product_tail(self, factors: Sequence[Node], text: str, *, whole: bool) -> str:
        for position, factor in enumerate(factors):
            last = whole and position == len(factors) - 1
            if text and _is_inverse(factor):
                text += "/" + self._operand(factor[1])
            else:
                text += ("·" if text else "") + self._factor(factor, last=last)
        return text

    def _first_factor(self, factor: Node, *, last: bool) -> str:
        if is_number(factor) or _is_inverse(factor):
            return self.scalar(factor)[0]
        return self._factor(factor, last=last)

    def _factor(self, factor: Node, *, last: bool) -> str:
        if last and well_shaped(factor) and factor[0] == "sum":
            return self.scalar(factor)[0]
        return fence(self.scalar(factor), POWER)

    def _operand(self, node: Node) -> str:
        """What stands after a slash: a number there takes brackets, since 2/3 is one number."""
        if is_number(node):
            return f"({self.scalar(node)[0]})"
        return fence(self.scalar(node), POWER)

    def _power(self, node: Node) -> Printed:
        return fence(self.scalar(node[1]), ATOM) + str(node[2]).translate(SUPERSCRIPTS), POWER

    def _inv(self, node: Node) -> Printed:
        return "1/" + self._operand(node[1]), PRODUCT

    def _abs(self, node: Node) -> Printed:
        return f"|{self.scalar(node[1])[0]}|", ATOM

    def _fn(self, node: Node) -> Printed:
        return f"{FUNCTIONS[node[1]]}({self.scalar(node[2])[0]})", ATOM

    def _sum(self, node: Node) -> Printed:
        return self._bounds("∑", node) + self._body(self.scalar(node[3])), PRODUCT

    def _bounds(self, sign: str, node: Node) -> str:
        index, excluded = node[1], node[2]
        return f"{sign}_{{{index}≠{','.join(excluded)}}} " if excluded else f"{sign}_{index} "

    def _body(self, printed: Printed) -> str:
        text = fence(printed, PRODUCT)
        return f"({text})" if text.startswith("-") else text

    def _ip(self, node: Node) -> Printed:
        return f"⟨{self.vector(node[1])[0]}, {self.vector(node[2])[0]}⟩", ATOM

    def _norm(self, node: Node) -> Printed:
        return f"‖{self.vector(node[1])[0]}‖", ATOM

    def _opnorm(self, node: Node) -> Printed:
        return f"‖{displayed(node[1])} ↦ {self.vector(node[2])[0]}‖", ATOM

    def _delta(self, node: Node) -> Printed:
        return f"[{node[1]} = {node[2]}]", ATOM

    def _rate(self, node: Node) -> Printed:
        return f"rate[{displayed(node[1])}]({self.scalar(node[2])[0]})", ATOM

    def _int(self, node: Node) -> Printed:
        _, name, lower, upper, body = node
        bounds = f"{displayed(name)} = {self.scalar(lower)[0]} … {self._end(upper)}"
        return f"∫({self.scalar(body)[0]}, {bounds})", ATOM

    def _root(self, node: Node) -> Printed:
        _, name, body, lower, upper = node
        return f"root({self._zero(name, lower, upper, body)})", ATOM

    def _zero(self, name: str, lower: Node, upper: Node, body: Node) -> str:
        interval = f"({self.scalar(lower)[0]}, {self._end(upper)})"
        return f"{displayed(name)} ∈ {interval}: {self.scalar(body)[0]} = 0"

    def _end(self, node: Node) -> str:
        return "∞" if list(node) == ["inf"] else self.scalar(node)[0]

    # --- vectors ---

    def vector(self, node: Node) -> Printed:
        """A vector term."""
        if not well_shaped(node) or node[0] not in VECTOR_TAGS:
            return raw(node), ATOM
        match node[0]:
            case "v0":
                return "𝟎", ATOM
            case "vec":
                return self._symbol(node)
            case "vdef":
                return self._def(node)
            case "vadd":
                return join_sum([fence(self.vector(term), PRODUCT) for term in node[1:]]), SUM
            case "vmul":
                return self._scaled(node[1], node[2]), PRODUCT
            case "vsum":
                return self._bounds("∑", node) + self._body(self.vector(node[3])), PRODUCT
            case tag:
                mark = "ᵀ" if tag == "opT" else ""
                name = self.notation.write(node[1], node[2], defined=False)
                return f"{name}{mark}[{self.vector(node[3])[0]}]", ATOM

    def _scaled(self, factor: Node, vector: Node) -> str:
        text = self.vector(vector)[0]
        if vector[0] in ("vadd", "vmul"):
            text = f"({text})"
        if is_number(factor, -1):
            return "-" + text
        if well_shaped(factor) and factor[0] == "*":
            return f"{self._product(factor[1:], whole=False)}·{text}"
        return f"{self._first_factor(factor, last=False)}·{text}"

    # --- formulas ---

    def formula(self, node: Node) -> Printed:
        """A formula."""
        if not well_shaped(node) or node[0] not in FORMULA_TAGS:
            return raw(node), ATOM
        tag = node[0]
        if tag == "veq":
            return f"{self.vector(node[1])[0]} ≡ {self.vector(node[2])[0]}", SUM
        if tag in COMPARISONS:
            return f"{self.scalar(node[1])[0]} {COMPARISONS[tag]} {self.scalar(node[2])[0]}", SUM
        if tag in RELATIONS:
            return self._relation(node), ATOM
        match tag:
            case "and" | "or" | "implies" | "iff":
                sign = {"and": " ∧ ", "or": " ∨ ", "implies": " ⇒ ", "iff": " ⇔ "}[tag]
                return sign.join(fence(self.formula(operand), SUM) for operand in node[1:]), OPEN
            case "all":
                index, excluded, body = node[1:]
                bounds = f"{index}≠{','.join(excluded)}" if excluded else index
                return f"∀ {bounds}: {self.formula(body)[0]}", OPEN
            case "forall" | "exists" | "forallv":
                sign = {"forall": "∀ scalar", "exists": "∃ scalar", "forallv": "∀ vector"}[tag]
                return f"{sign} {displayed(node[1])}: {self.formula(node[2])[0]}", OPEN
            case "unique":
                _, name, lower, upper, body = node
                return f"∃! {self._zero(name, lower, upper, body)}", OPEN
            case "dissipates":
                _, flow, speed, bound = node
                inside = f"{self.scalar(speed)[0]}, {self.scalar(bound)[0]}"
                return f"dissipates[{displayed(flow)}]({inside})", ATOM
            case "decays":
                _, flow, condition, quantity, rate = node
                inside = f"{self.scalar(quantity)[0]}, {self.scalar(rate)[0]}, {self.formula(condition)[0]}"
                return f"decays[{displayed(flow)}]({inside})", ATOM
            case _:
                return f"distinct({node[1]}, {node[2]})", ATOM

    def _relation(self, node: Node) -> str:
        texts = []
        for place, argument in zip(RELATIONS[node[0]], node[1:], strict=True):
            match place:
                case "name":
                    texts.append(displayed(argument))
                case "sort":
                    texts.append(argument)
                case _:
                    texts.append(self.scalar(argument)[0])
        return f"{node[0]}({', '.join(texts)})"


_METHODS = {"q": "number", "s": "symbol", "+": "plus", "*": "times", "^": "power"}


def _is_inverse(node: Node) -> bool:
    return well_shaped(node) and node[0] == "inv"


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most `width` characters where that can be, broken at blanks and after multiplication dots.

    The text still reads back to the same term: `parse` takes no notice of line ends.
    """
    lines: list[str] = []
    line = ""
    for piece in _pieces(text):
        if line and len(indent) + len((line + piece).rstrip()) > width:
            lines.append((indent + line).rstrip())
            line = piece.lstrip()
        else:
            line += piece
    lines.append((indent + line).rstrip())
    return lines


def _pieces(text: str) -> list[str]:
    """The text cut where a line may end: not inside quoted names or raw terms."""
    pieces, current, guarded = [], "", ""
    for character in text:
        current += character
        if guarded:
            guarded = "" if character == guarded else guarded
        elif character in "`‹":
            guarded = "`" if character == "`" else "›"
        elif character in " ·":
            pieces.append(current)
            current = ""
    return [*pieces, current] if current else pieces
