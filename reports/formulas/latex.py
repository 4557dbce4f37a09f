"""Terms as LaTeX, in the subset that `picture` draws.

Unlike the plain text this does not read back: it writes fractions, powers of e and the paper's indices, for the eye.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from antumbra.reports.formulas.notation import GREEK, HEAD_LETTERS, RELATIONS, SIZES, Notation
from antumbra.reports.formulas.plain import ATOM, OPEN, POWER, PRODUCT, SUM, raw
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

Printed = tuple[str, int]

LONGEST_RAW = 80
"""How much of a term of unknown shape is drawn; its text shows it whole."""

COMPARISONS = {"eq": "=", "ne": r"\neq", "ge": r"\geq", "gt": ">", "le": r"\leq", "lt": "<", "veq": "="}

LETTERS = {
    "phi": r"\varphi",
    "phi_at": r"\varphi_{\gamma}",
    "epsilon": r"\varepsilon",
    "weight": r"\omega",
    "E_h": "E",
    "score": "s",
    "score_rate": r"\dot{s}",
    "direction": r"\xi",
    "v_softmax": r"v^{\mathrm{SA}}",
    "P_v": "Pv",
    "P_f": "Pf",
    "P_v_softmax": r"Pv^{\mathrm{SA}}",
    "v_relu": r"v^{\mathrm{ReLU}}",
    "P_v_relu": r"Pv^{\mathrm{ReLU}}",
    "drive": "u",
    "P_drive": "Pu",
    "v_plane": "v",
    "P_v_plane": "Pv",
    "x_plane": "x",
    "p_score": "p",
    "S_score": "S",
    "Cov_score": r"\mathrm{Cov}",
    "p_attention": "p",
    "S_token": "S",
    "S_mean": r"\bar{S}",
    "p_path": "p",
    "S_path": "S",
    "A_path": "A",
    "B_path": "B",
    "K_path": "K",
    "F_softmax": "F",
    "F_flat": "F_{0}",
    "G_relu": "G",
    "speed_path": r"\dot{\gamma}",
    "speed_softmax": r"\dot{\gamma}^{\mathrm{SA}}",
    "speed_relu": r"\dot{\gamma}^{\mathrm{ReLU}}",
    "mean_scale": r"\bar{\lambda}",
    "total_scale": r"\Lambda",
    "gamma_turn": r"\gamma^{\dagger}",
    "theta_rate": r"\dot{\theta}",
    "time": "t",
}
"""Letters for names that the general rule would spell out."""

TAILS = {"star": r"^{\star}", "sharp": r"^{\sharp}", "dagger": r"^{\dagger}", "plus": "_{+}", "minus": "_{-}"}
ACCENTS = {"bar": r"\bar", "hat": r"\hat", "tilde": r"\tilde", "dot": r"\dot"}

FUNCTIONS = {
    "sinh": r"\sinh",
    "cosh": r"\cosh",
    "tanh": r"\tanh",
    "coth": r"\coth",
    "arsinh": r"\mathrm{arsinh}",
    "Ei": r"\mathrm{Ei}",
    "W": r"W_{0}",
}
CALLS = {"log": r"\ln", "sin": r"\sin", "cos": r"\cos"}


def latex(node: Node, notation: Notation | None = None) -> str:
    """A term or formula in LaTeX, without dollar signs."""
    printer = Printer(notation or Notation())
    match sort_of_term(node):
        case "scalar":
            return printer.scalar(node)[0]
        case "vector":
            return printer.vector(node)[0]
        case _:
            return printer.formula(node)[0]


def words(text: str) -> str:
    """Upright letters; what LaTeX gives a meaning to is left out or spelled."""
    pieces = re.sub(r"[^A-Za-z0-9 ,.:;+=()\[\]<>/-]", " ", text).split()
    return r"\;".join(rf"\mathrm{{{piece}}}" for piece in pieces) or "?"


def flow_words(flow: str) -> str:
    """A flow's name in words, the fields as the paper calls them."""
    fields = {"usa": "USA", "sa": "SA", "relu": "ReLU"}
    return " ".join(fields.get(word, word) for word in flow.split("_"))


def letter(name: str) -> str:
    """How a name is drawn, without its indices."""
    if name in LETTERS:
        return LETTERS[name]
    head, *rest = name.split("_")
    match = re.fullmatch(r"([A-Za-z]+)([0-9]*)", head)
    if not match:
        return words(name)
    base, digits = match.groups()
    text = f"\\{base}" if base in GREEK else base if len(base) == 1 else words(base)
    below = [digits] if digits else []
    above = ""
    for piece in rest:
        if piece in ACCENTS:
            text = f"{ACCENTS[piece]}{{{text}}}"
        elif piece in TAILS and not above and TAILS[piece].startswith("^"):
            above = TAILS[piece]
        elif piece in TAILS:
            below.append({"plus": "+", "minus": "-"}[piece])
        else:
            below.append(piece if len(piece) == 1 or piece.isdigit() else words(piece))
    return text + (f"_{{{','.join(below)}}}" if below else "") + above


def index_letter(name: str) -> str:
    """An index: `i2` as i with a 2 below."""
    return name[0] + (f"_{{{name[1:]}}}" if len(name) > 1 else "")


def with_indices(text: str, indices: Sequence[str]) -> Printed:
    """A letter with its indices: heads above and tokens below when it has both, as in the paper."""
    heads = [i for i in indices if i[0] in HEAD_LETTERS]
    others = [i for i in indices if i[0] not in HEAD_LETTERS]
    above, below = (heads, others) if heads and others and "^" not in text else ([], list(indices))
    scripts = ""
    if below:
        if "_" in text:
            text = f"{{{text}}}"
        scripts += "_{" + " ".join(map(index_letter, below)) + "}"
    if above:
        scripts += "^{" + " ".join(map(index_letter, above)) + "}"
    if text.startswith("P") and len(text) > 1 and text[1].islower():
        text = r"P\," + text[1:]
        return text + scripts, POWER
    return text + scripts, POWER if above or "^" in text else ATOM


TALL = re.compile(r"\\(?:frac|sum|int|sqrt)|\^\{[^{}]*\{")
"""What brackets grow for. The drawing library's time doubles with each level of brackets that grow."""


DEEPEST_GROWTH = 2


def growing(text: str) -> int:
    """How deep growing delimiters stand inside each other."""
    depth = deepest = 0
    for mark in re.findall(r"\\left|\\right", text):
        depth += 1 if mark == r"\left" else -1
        deepest = max(deepest, depth)
    return deepest


def enclosed(left: str, text: str, right: str) -> str:
    """The text between two delimiters, which grow where it is tall; around others that grow they are just large."""
    if TALL.search(text):
        # Around a sum or an integral the drawing library lets them grow without end.
        if growing(text) < DEEPEST_GROWTH and not re.search(r"\\(?:sum|int)(?![a-z])", text):
            return rf"\left{left} {text} \right{right}"
        return rf"\bigg{left} {text} \bigg{right}"
    return f"{left} {text} {right}" if left.startswith("\\") else f"{left}{text}{right}"


def bracketed(text: str) -> str:
    """The text in round brackets."""
    return enclosed("(", text, ")")


def fence(printed: Printed, least: int) -> str:
    """The text, in brackets if it does not hold together tightly enough."""
    text, level = printed
    return text if level >= least else bracketed(text)


def join_sum(texts: Sequence[str]) -> str:
    """Summands joined by their signs."""
    result = texts[0]
    for text in texts[1:]:
        result += f" - {text[1:]}" if text.startswith("-") else f" + {text}"
    return result


def juxtapose(texts: Sequence[str]) -> str:
    """Factors side by side, with a dot where a digit would run into one."""
    result = texts[0]
    for text in texts[1:]:
        result += (r" \cdot " if text[:1].isdigit() else r"\, ") + text
    return result


class Printer:
    """Prints terms under one notation."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation

    # --- scalars ---

    def scalar(self, node: Node) -> Printed:
        """A scalar term."""
        if not well_shaped(node) or node[0] not in SCALAR_TAGS:
            return words(raw(node)[:LONGEST_RAW]), ATOM
        match node[0]:
            case "q":
                return self._number(node)
            case "pi":
                return r"\pi", ATOM
            case "size":
                return SIZES[node[1]], ATOM
            case "s":
                return with_indices(letter(node[1]), node[2])
            case "def":
                return self._defined(node)
            case "+":
                return join_sum([fence(self.scalar(term), PRODUCT) for term in node[1:]]), SUM
            case "*":
                return self._product(node[1:])
            case "inv":
                return rf"\frac{{1}}{{{self.scalar(node[1])[0]}}}", PRODUCT
            case "^":
                return f"{fence(self.scalar(node[1]), ATOM)}^{{{node[2]}}}", POWER
            case "sum":
                return rf"\sum_{{{self._bounds(node)}}} {fence(self.scalar(node[3]), PRODUCT)}", PRODUCT
            case _:
                return self._call(node)

    def _call(self, node: Node) -> Printed:
        tag = node[0]
        match tag:
            case "exp":
                return f"e^{{{self.scalar(node[1])[0]}}}", POWER
            case "sqrt":
                return rf"\sqrt{{{self.scalar(node[1])[0]}}}", ATOM
            case "abs":
                return enclosed("|", self.scalar(node[1])[0], "|"), ATOM
            case "relu":
                return r"\max" + bracketed(f"0, {self.scalar(node[1])[0]}"), ATOM
            case "fn":
                return FUNCTIONS[node[1]] + bracketed(self.scalar(node[2])[0]), ATOM
            case "ip":
                inside = f"{self.vector(node[1])[0]}, {self.vector(node[2])[0]}"
                return enclosed(r"\langle", inside, r"\rangle"), ATOM
            case "norm":
                return enclosed(r"\|", self.vector(node[1])[0], r"\|"), ATOM
            case "opnorm":
                image = self.vector(node[2])[0]
                return enclosed(r"\|", rf"{letter(node[1])} \mapsto {image}", r"\|"), ATOM
            case "delta":
                return rf"\delta_{{{index_letter(node[1])} {index_letter(node[2])}}}", ATOM
            case "rate":
                return self._rate(node)
            case "int":
                _, name, lower, upper, body = node
                text = rf"\int_{{{self.scalar(lower)[0]}}}^{{{self._end(upper)}}} {fence(self.scalar(body), PRODUCT)}"
                return rf"{text} \, d{letter(name)}", PRODUCT
            case "root":
                _, name, body, lower, upper = node
                return r"\mathrm{root}" + bracketed(self._zero(name, lower, upper, body)), ATOM
            case _:
                return CALLS[tag] + bracketed(self.scalar(node[1])[0]), ATOM

    def _number(self, node: Node) -> Printed:
        numerator, denominator = rational(node)
        if denominator == 1:
            return str(numerator), ATOM if numerator >= 0 else PRODUCT
        sign = "-" if numerator < 0 else ""
        return rf"{sign}\frac{{{abs(numerator)}}}{{{denominator}}}", PRODUCT

    def _defined(self, node: Node) -> Printed:
        text, level = with_indices(letter(node[1]), node[2])
        if node[3]:
            return text + bracketed(", ".join(self.scalar(argument)[0] for argument in node[3])), ATOM
        return text, level

    def _bounds(self, node: Node) -> str:
        index, excluded = node[1], node[2]
        if not excluded:
            return index_letter(index)
        return rf"{index_letter(index)} \neq {', '.join(map(index_letter, excluded))}"

    def _product(self, factors: Sequence[Node]) -> Printed:
        """Factors, with those that divide under one fraction bar; a sum sign stays outside of it."""
        rest = _flattened(factors)
        sign = ""
        if is_number(rest[0], -1) and len(rest) > 1:
            sign = "-"
            rest.pop(0)
        last = rest.pop() if rest and well_shaped(rest[-1]) and rest[-1][0] in ("sum", "int", "rate") else None
        above: list[str] = []
        below: list[str] = []
        only_below = [factor for factor in rest if well_shaped(factor) and factor[0] == "inv"]
        for factor in rest:
            if well_shaped(factor) and factor[0] == "inv":
                below += self._below(factor[1], alone=len(only_below) == 1)
            elif is_number(factor):
                numerator, denominator = rational(factor)
                if denominator != 1:
                    below.append(str(denominator))
                if abs(numerator) != 1 or denominator == 1:
                    above.append(str(numerator) if numerator >= 0 else bracketed(str(numerator)))
                elif numerator < 0:
                    above.append(bracketed("-1"))
            else:
                above.append(fence(self.scalar(factor), POWER))
        texts = []
        if below:
            texts.append(rf"\frac{{{juxtapose(above) if above else '1'}}}{{{juxtapose(below)}}}")
        elif above:
            texts.append(juxtapose(above))
        if last is not None:
            texts.append(self.scalar(last)[0])
        return sign + (juxtapose(texts) if texts else "1"), PRODUCT

    def _below(self, node: Node, *, alone: bool) -> list[str]:
        """What stands under the bar: the factors of a product, or one term."""
        if well_shaped(node) and node[0] == "*":
            return [fence(self.scalar(factor), POWER) for factor in _flattened(node[1:])]
        return [self.scalar(node)[0] if alone else fence(self.scalar(node), POWER)]

    def _rate(self, node: Node) -> Printed:
        flow, body = node[1], node[2]
        text, level = self.scalar(body)
        inner = text if level >= POWER else bracketed(text)
        variable = self.notation.partial.get(flow)
        if variable is not None:
            return rf"\frac{{\partial}}{{\partial {letter(variable)}}} {inner}", PRODUCT
        return rf"\frac{{d}}{{dt}} \Big|_{{{words(flow_words(flow))}}} {inner}", PRODUCT

    def _zero(self, name: str, lower: Node, upper: Node, body: Node) -> str:
        interval = bracketed(f"{self.scalar(lower)[0]}, {self._end(upper)}")
        return rf"{letter(name)} \in {interval} : \; {self.scalar(body)[0]} = 0"

    def _end(self, node: Node) -> str:
        return r"\infty" if list(node) == ["inf"] else self.scalar(node)[0]

    # --- vectors ---

    def vector(self, node: Node) -> Printed:
        """A vector term."""
        if not well_shaped(node) or node[0] not in VECTOR_TAGS:
            return words(raw(node)[:LONGEST_RAW]), ATOM
        match node[0]:
            case "v0":
                return "0", ATOM
            case "vec":
                return with_indices(letter(node[1]), node[2])
            case "vdef":
                return self._defined(node)
            case "vadd":
                return join_sum([fence(self.vector(term), PRODUCT) for term in node[1:]]), SUM
            case "vmul":
                return self._scaled(node[1], node[2])
            case "vsum":
                return rf"\sum_{{{self._bounds(node)}}} {fence(self.vector(node[3]), PRODUCT)}", PRODUCT
            case tag:
                name, _ = with_indices(letter(node[1]), node[2])
                mark = r"^{\top}" if tag == "opT" else ""
                operand = node[3]
                applied = well_shaped(operand) and operand[0] in ("op", "opT")
                return rf"{name}{mark}\, {fence(self.vector(operand), PRODUCT if applied else POWER)}", PRODUCT

    def _scaled(self, factor: Node, vector: Node) -> Printed:
        text = fence(self.vector(vector), PRODUCT)
        if is_number(factor, -1):
            return f"-{text}", PRODUCT
        scalar = fence(self.scalar(factor), PRODUCT)
        return rf"{scalar}\, {text}", PRODUCT

    # --- formulas ---

    def formula(self, node: Node) -> Printed:
        """A formula."""
        if not well_shaped(node) or node[0] not in FORMULA_TAGS:
            return words(raw(node)[:LONGEST_RAW]), ATOM
        tag = node[0]
        if tag in COMPARISONS:
            side = self.vector if tag == "veq" else self.scalar
            return f"{side(node[1])[0]} {COMPARISONS[tag]} {side(node[2])[0]}", SUM
        if tag in RELATIONS:
            return self._relation(node), SUM
        match tag:
            case "and" | "or" | "implies" | "iff":
                sign = {
                    "and": r" \; \wedge \; ",
                    "or": r" \; \vee \; ",
                    "implies": r" \; \Rightarrow \; ",
                    "iff": r" \; \Leftrightarrow \; ",
                }[tag]
                return sign.join(fence(self.formula(operand), SUM) for operand in node[1:]), OPEN
            case "all":
                return rf"\forall {self._bounds(node)} : \; {self.formula(node[3])[0]}", OPEN
            case "forall" | "exists" | "forallv":
                sign = r"\exists" if tag == "exists" else r"\forall"
                return rf"{sign} {letter(node[1])} : \; {self.formula(node[2])[0]}", OPEN
            case "unique":
                _, name, lower, upper, body = node
                return rf"\exists ! \, {self._zero(name, lower, upper, body)}", OPEN
            case "dissipates":
                _, flow, speed, bound = node
                integrand = fence(self.scalar(speed), PRODUCT)
                along = words(f"along {flow_words(flow)}")
                return rf"\int_{{0}}^{{\infty}} {integrand} \, dt \leq {self.scalar(bound)[0]} \;\; ({along})", SUM
            case "decays":
                _, flow, condition, quantity, rate = node
                start = words("for ever where at the start")
                falling = rf"{fence(self.scalar(quantity), PRODUCT)} \, e^{{{self.scalar(rate)[0]} \, t}}"
                decline = f"{falling} {words('never rises')}"
                along = words(f"along {flow_words(flow)}")
                return rf"{self.formula(condition)[0]} \;\; {start} , \;\; {decline} \;\; ({along})", OPEN
            case _:
                return rf"{index_letter(node[1])} \neq {index_letter(node[2])}", SUM

    def _named(self, name: str, first: bool = True) -> str:
        """A family's letter with the indices that its declaration gives it."""
        letters = {"token": "ij", "head": "hg", "axis": "aa"}
        sorts = self.notation.sorts.get(name, ())
        return with_indices(letter(name), [letters[sort][0 if first else 1] for sort in sorts if sort in letters])[0]

    def _relation(self, node: Node) -> str:
        tag, *arguments = node
        texts: list[Any] = [
            self._named(argument) if place == "name" else argument
            for place, argument in zip(RELATIONS[tag], arguments, strict=True)
        ]
        first = texts[0]
        match tag:
            case "unit":
                return rf"\| {first} \| = 1"
            case "symmetric":
                return rf"{first}^{{\top}} = {first}"
            case "same_operator":
                return f"{first} = {texts[1]}"
            case "orthogonal_operators":
                other = self._named(arguments[0], first=False)
                return rf"{other}\, {first} = 0 \quad (g \neq h)"
            case "scalar_operator":
                return rf"{first} = {texts[1]}\, I"
            case "scaled_operator":
                return rf"{first} = {fence(self.scalar(texts[1]), POWER)}\, {texts[2]}"
            case "projector":
                return rf"{first}^{{\top}} = {first} = {first}^{{2}}"
            case "resolution":
                return rf"\sum_{{h}} {first} = I"
            case "gram":
                value = self.scalar(texts[1])
                other = self._named(arguments[0], first=False)
                pairing = rf"\langle {first}, {other} \rangle"
                return rf"{pairing} = {value[0]} \;\; (i \neq j), \quad \| {first} \| = 1"
            case _:
                return f"{SIZES[first]} = 1"


def _flattened(factors: Sequence[Node]) -> list[Node]:
    """Factors with products among them opened: brackets that the eye does not need."""
    found: list[Node] = []
    for factor in factors:
        opened = well_shaped(factor) and factor[0] == "*" and not is_number(factor[1], -1)
        found += _flattened(factor[1:]) if opened else [factor]
    return found
