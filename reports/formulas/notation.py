"""Names on paper: how symbols and definitions are called in formulas, and back.

A term speaks of symbols and definitions by their names (`lambda`, `E_h`). A reader wants letters. Both the plain text
and the pictures take theirs from here, and the plain text must read back to the very term, so every displayed name
stands for one name only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

INDEX = re.compile(r"[ijklgha]\d*")
"""An index: a letter that gives its sort, then digits."""

INDICES = re.compile(r"(?:[ijklgha]\d*)+")

HEAD_LETTERS = "gh"

RELATIONS: Mapping[str, tuple[str, ...]] = {
    "unit": ("name",),
    "symmetric": ("name",),
    "same_operator": ("name", "name"),
    "orthogonal_operators": ("name",),
    "scalar_operator": ("name", "name"),
    "scaled_operator": ("name", "term", "name"),
    "projector": ("name",),
    "resolution": ("name",),
    "gram": ("name", "term"),
    "single": ("sort",),
}
"""The relations, and what stands in their places."""

SIZES: Mapping[str, str] = {"token": "n", "head": "H", "axis": "d"}

CALLS: Mapping[str, str] = {"exp": "exp", "log": "log", "sqrt": "√", "relu": "relu", "sin": "sin", "cos": "cos"}
"""Functions with a tag of their own, and their plain names."""

FUNCTIONS: Mapping[str, str] = {
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "coth": "coth",
    "arsinh": "arsinh",
    "Ei": "Ei",
    "W": "W₀",
}
"""Functions under the tag `fn`, and their plain names."""

COMPARISONS: Mapping[str, str] = {"eq": "=", "ne": "≠", "ge": "≥", "gt": ">", "le": "≤", "lt": "<", "veq": "≡"}

GREEK: Mapping[str, str] = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
"""Greek letters spelled out. Pi is the number, and capital sigma would be taken for a sum."""

_GREEK_BACK = {letter: word for word, letter in GREEK.items()}

RESERVED = frozenset(
    {
        *RELATIONS,
        *SIZES.values(),
        *SIZES,
        *CALLS.values(),
        *FUNCTIONS.values(),
        "rate",
        "root",
        "distinct",
        "dissipates",
        "decays",
        "scalar",
        "vector",
        "raw",
    }
)
"""Words that cannot stand for a symbol unless they are quoted."""

_BARE = re.compile(r"([A-Za-z]+)([0-9]*)((?:_[A-Za-z0-9]+)*)")
_SHOWN = re.compile(r"([A-Za-z]+|[Α-Ωα-ω])([0-9]*)((?:_[A-Za-z0-9]+)*)")

SHORT: Mapping[str, str] = {"E_h": "E", "P_v": "Pv", "P_f": "Pf", "P_v_softmax": "Pv_softmax"}
"""Shorter words for definitions whose indices say the rest; used only where nothing else is called so."""


def displayed(name: str) -> str:
    """A name as it stands in plain text: with Greek letters, or quoted where it would be read as something else."""
    match = _BARE.fullmatch(name)
    if match and name not in RESERVED and not INDICES.fullmatch(name.rpartition("_")[2] if "_" in name else "-"):
        word, digits, rest = match.groups()
        return GREEK.get(word, word) + digits + rest
    return "`" + json.dumps(name)[1:-1].replace("`", "\\u0060") + "`"


def recovered(text: str) -> str:
    """The name that stands in plain text as `text`: the inverse of `displayed`.

    Raises:
        ValueError: no name is displayed so.
    """
    if text.startswith("`"):
        name = json.loads('"' + text[1:-1] + '"')
    else:
        match = _SHOWN.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is not a name")
        word, digits, rest = match.groups()
        name = _GREEK_BACK.get(word, word) + digits + rest
    if not isinstance(name, str) or displayed(name) != text:
        raise ValueError(f"{text!r} is not how a name is written")
    return name


def split_indices(text: str) -> tuple[str, tuple[str, ...]]:
    """A written name and its indices: `f_hi` is f with h and i, `E_total` has none."""
    base, mark, tail = text.rpartition("_")
    if mark and base and INDICES.fullmatch(tail) and not (tail.endswith("`") and text.startswith("`")):
        return base, tuple(INDEX.findall(tail))
    return text, ()


@dataclass(frozen=True)
class Notation:
    """What the names of a setting stand for.

    Attributes:
        definitions: defined names and how many indices each carries.
        shown: how each defined name is written, where that is not its own name.
        sorts: the sorts of the indices of each symbol.
        partial: flows that move one scalar with velocity 1, that is partial derivatives, and the scalar.
    """

    definitions: Mapping[str, int] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    sorts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    partial: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(definitions: Iterable[Mapping[str, Any]]) -> Notation:
        """The notation of a ledger's list of definitions. Entries that are not well formed are passed over."""
        listed = list(definitions)
        arity: dict[str, int] = {}
        for entry in listed:
            name, indices = entry.get("define"), entry.get("indices")
            if isinstance(name, str) and isinstance(indices, Sequence):
                arity[name] = len(indices)
        taken = {(displayed(name), count) for name, count in arity.items()}
        shown: dict[str, str] = {}
        for name, short in SHORT.items():
            if name in arity and (short, arity[name]) not in taken:
                shown[name] = short
                taken.add((short, arity[name]))
        return Notation(arity, shown, _sorts(listed), _partial(listed))

    def write(self, name: str, indices: Sequence[str], *, defined: bool) -> str:
        """A symbol or a definition with its indices. A mark stands before what this setting does not lead to expect."""
        tail = "_" + "".join(indices) if indices else ""
        if defined:
            if self.definitions.get(name) == len(indices):
                return self.shown.get(name, displayed(name)) + tail
            return "@" + displayed(name) + tail
        text = displayed(name)
        mark = "$" if self._definition(text, len(indices)) is not None else ""
        return mark + text + tail

    def read(self, mark: str, text: str) -> tuple[str, tuple[str, ...], bool]:
        """The inverse of `write`: name, indices, and whether it is a definition.

        Raises:
            ValueError: nothing is written so.
        """
        base, indices = split_indices(text)
        if mark == "@":
            return recovered(base), indices, True
        if mark == "":
            name = self._definition(base, len(indices))
            if name is not None:
                return name, indices, True
        return recovered(base), indices, False

    def _definition(self, text: str, count: int) -> str | None:
        """The definition with that many indices that is written so."""
        for name, short in self.shown.items():
            if short == text and self.definitions[name] == count:
                return name
        try:
            name = recovered(text)
        except ValueError:
            return None
        return name if self.definitions.get(name) == count and name not in self.shown else None


def _sorts(definitions: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The sorts of the indices of each declared symbol."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in definitions:
        name, sorts = entry.get("symbol"), entry.get("indices")
        if isinstance(name, str) and isinstance(sorts, list | tuple):
            found[name] = tuple(sort for sort in sorts if isinstance(sort, str))
    return found


def _partial(definitions: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Flows that are partial derivatives."""
    found: dict[str, str] = {}
    for entry in definitions:
        flow, moves = entry.get("flow"), entry.get("moves")
        if not isinstance(flow, str) or not isinstance(moves, list | tuple) or len(moves) != 1:
            continue
        move = moves[0]
        if isinstance(move, Mapping) and not move.get("indices") and list(move.get("velocity", ())) == ["q", "1", "1"]:
            symbol = move.get("symbol")
            if isinstance(symbol, str):
                found[flow] = symbol
    return found
