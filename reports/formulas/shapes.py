"""The shapes of terms: which tag takes what, so that a printer never guesses.

Only terms of exactly these shapes are printed as mathematics; anything else is shown raw.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any

from antumbra.reports.formulas.notation import CALLS, COMPARISONS, FUNCTIONS, INDEX, RELATIONS, SIZES

Node = Sequence[Any]

SCALAR_TAGS = frozenset(
    {"q", "pi", "size", "s", "+", "*", "^", "inv", "abs", "fn", "sum", "ip", "norm", "opnorm", "delta", "def", "rate"}
    | {"int", "root"}
    | set(CALLS)
)
VECTOR_TAGS = frozenset({"vec", "v0", "vadd", "vmul", "vsum", "op", "opT", "vdef"})
FORMULA_TAGS = frozenset(
    {"and", "or", "implies", "iff", "all", "forall", "exists", "forallv", "unique", "distinct", "dissipates", "decays"}
    | set(COMPARISONS)
    | set(RELATIONS)
)

LONGEST_INTEGER = 3000
"""Longest hexadecimal integer that is printed in decimal; Python refuses decimals of over 4,300 digits."""

_SHAPES: dict[str, str] = {
    # n name, t term (checked where it is printed), I list of indices, i index, T list of terms, k power, z sort
    "pi": "",
    "size": "z",
    "s": "nI",
    "^": "tk",
    "inv": "t",
    "abs": "t",
    "fn": "ft",
    "sum": "iIt",
    "ip": "tt",
    "norm": "t",
    "opnorm": "nt",
    "delta": "ii",
    "def": "nIT",
    "rate": "nt",
    "int": "nttt",
    "root": "nttt",
    "vec": "nI",
    "v0": "",
    "vmul": "tt",
    "vsum": "iIt",
    "op": "nIt",
    "opT": "nIt",
    "vdef": "nIT",
    "implies": "tt",
    "iff": "tt",
    "all": "iIt",
    "forall": "nt",
    "exists": "nt",
    "forallv": "nt",
    "unique": "nttt",
    "distinct": "ii",
    "dissipates": "ntt",
    "decays": "nttt",
    **dict.fromkeys(CALLS, "t"),
    **dict.fromkeys(COMPARISONS, "tt"),
    **{tag: "".join({"name": "n", "term": "t", "sort": "z"}[p] for p in places) for tag, places in RELATIONS.items()},
}


def well_shaped(node: Any) -> bool:
    """Whether a node has a known tag with the right number and sorts of arguments; sub-terms are not looked into."""
    if not isinstance(node, list | tuple) or not node or not isinstance(node[0], str):
        return False
    tag, arguments = node[0], node[1:]
    if tag == "q":
        return _rational(arguments)
    if tag in ("+", "*", "vadd", "and", "or"):
        return len(arguments) >= 2
    shape = _SHAPES.get(tag)
    return shape is not None and len(shape) == len(arguments) and all(map(_fits, shape, arguments))


def _fits(place: str, argument: Any) -> bool:
    match place:
        case "n":
            return isinstance(argument, str)
        case "i":
            return _index(argument)
        case "I":
            return isinstance(argument, list | tuple) and all(map(_index, argument))
        case "T":
            return isinstance(argument, list | tuple)
        case "k":
            return type(argument) is int and 0 <= argument <= 64
        case "z":
            return isinstance(argument, str) and argument in SIZES
        case "f":
            return isinstance(argument, str) and argument in FUNCTIONS
        case _:
            return isinstance(argument, list | tuple)


def _index(value: Any) -> bool:
    return isinstance(value, str) and INDEX.fullmatch(value) is not None and value.isascii()


def _rational(arguments: Sequence[Any]) -> bool:
    """Whether the two strings are a rational in lowest terms, in canonical hexadecimal."""
    if len(arguments) != 2 or not all(isinstance(a, str) and len(a) <= LONGEST_INTEGER for a in arguments):
        return False
    try:
        numerator, denominator = (int(a, 16) for a in arguments)
    except ValueError:
        return False
    canonical = [format(numerator, "x"), format(denominator, "x")] == list(arguments)
    return canonical and denominator > 0 and gcd(numerator, denominator) == 1


def rational(node: Node) -> tuple[int, int]:
    """Numerator and denominator of a well-shaped `q`."""
    return int(node[1], 16), int(node[2], 16)


def is_number(node: Node, value: int | None = None) -> bool:
    """Whether a node is a rational constant (of that integer value)."""
    if not well_shaped(node) or node[0] != "q":
        return False
    return value is None or rational(node) == (value, 1)


def sort_of_term(node: Any) -> str:
    """`scalar`, `vector` or `formula`, by the tag; what is unknown counts as a formula."""
    tag = node[0] if isinstance(node, list | tuple) and node and isinstance(node[0], str) else None
    if tag in SCALAR_TAGS:
        return "scalar"
    return "vector" if tag in VECTOR_TAGS else "formula"
