"""The relations of a ground (`docs/kernel.md`, section 1), as the normal form uses them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from antumbra.proofs.kernel.terms import Node

Word = tuple[Any, ...]


class Relations:
    """Which vectors are units, which operators are symmetric, and what products of operators are."""

    def __init__(self, formulas: Iterable[Node]) -> None:
        self.units: set[str] = {"e"}
        self.grams: dict[str, Node] = {}
        self.orthogonal: set[str] = set()
        self.projectors: set[str] = set()
        self.single: set[str] = set()
        self._renamed: dict[str, str] = {}
        self._scalar: dict[str, str] = {}
        self._scaled: dict[str, tuple[Node, str]] = {}
        resolutions: set[str] = set()
        symmetric: set[str] = set()
        for formula in formulas:
            tag = formula[0]
            if tag == "unit":
                self.units.add(formula[1])
            elif tag == "gram":
                self.grams[formula[1]] = formula[2]
            elif tag == "symmetric":
                symmetric.add(formula[1])
            elif tag == "orthogonal_operators":
                self.orthogonal.add(formula[1])
            elif tag == "projector":
                self.projectors.add(formula[1])
                symmetric.add(formula[1])
            elif tag == "resolution":
                resolutions.add(formula[1])
            elif tag == "single":
                self.single.add(formula[1])
            elif tag == "same_operator":
                self._renamed[formula[1]] = formula[2]
            elif tag == "scalar_operator":
                self._scalar[formula[1]] = formula[2]
            elif tag == "scaled_operator":
                self._scaled[formula[1]] = (formula[2], formula[3])
        self.symmetric = frozenset(symmetric)
        self.resolutions = frozenset(resolutions)

    def letter(self, name: str) -> tuple[str, list[tuple[str, Any]]]:
        """What an operator's letter stands for: another letter (or none) and scalar factors."""
        factors: list[tuple[str, Any]] = []
        for _ in range(8):
            if name in self._renamed:
                name = self._renamed[name]
            elif name in self._scaled:
                factor, name = self._scaled[name]
                factors.append(("term", factor))
            elif name in self._scalar:
                factors.append(("symbol", self._scalar[name]))
                return "", factors
            else:
                break
        return name, factors

    def reduce(self, word: Word) -> tuple[Word, list[tuple[str, str]]]:
        """A word with orthogonality and idempotence applied, and the deltas that this costs."""
        letters = list(word)
        deltas: list[tuple[str, str]] = []
        position = 0
        while position + 1 < len(letters):
            (name, first, flag), (other, second, other_flag) = letters[position], letters[position + 1]
            if name == other and flag == other_flag and len(first) == 1:
                if name in self.orthogonal and first != second:
                    deltas.append((first[0], second[0]))
                    letters[position + 1] = (name, first, flag)
                    second = first
                if name in self.projectors and first == second:
                    del letters[position + 1]
                    position = max(position - 1, 0)
                    continue
            position += 1
        return tuple(letters), deltas

    def pairing(self, left: Any, right: Any) -> tuple[str, Any] | None:
        """What <left, right> of two plain vectors is: one, a delta, a Gram entry, or nothing special."""
        if left[0] != "vec" or right[0] != "vec" or left[1] != right[1]:
            return None
        name = left[1]
        if left[2] == right[2]:
            return ("one", None) if name in self.units or name in self.grams else None
        if name == "e":
            return ("delta", None)
        if name in self.grams and len(left[2]) == 1:
            return ("gram", self.grams[name])
        return None
