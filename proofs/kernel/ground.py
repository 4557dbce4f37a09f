"""Judgements and the ground they stand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from antumbra.proofs.kernel.signature import RELATIONS, Signature, free_indices, free_symbols
from antumbra.proofs.kernel.terms import Node


class Rejected(Exception):  # noqa: N818 -- a verdict, not a fault
    """A step does not follow; the message says why, with what is left over."""


@dataclass(frozen=True)
class Ground:
    """What a part of a claim may rely on: the setting, its named hypotheses and its domain."""

    signature: Signature
    hypotheses: tuple[str, ...]
    domain: tuple[Node, ...]
    lookup: Callable[[str, str], tuple[Node, tuple[str, ...], tuple[Node, ...]]] | None = None

    def __post_init__(self) -> None:
        for formula in self.formulas():
            open_indices = sorted(free_indices(formula))
            # An index that is free in the ground would be one particular index, and yet look schematic in a step.
            need(
                not open_indices, f"a formula of the ground has free indices ({', '.join(open_indices)}); quantify them"
            )

    def formulas(self) -> list[Node]:
        """The formulas of the hypotheses, then of the domain."""
        return [*(self.signature.hypotheses[h] for h in self.hypotheses), *self.domain]

    def relations(self) -> list[Node]:
        """The relation formulas among the hypotheses."""
        return [f for f in self.formulas() if f[0] in RELATIONS]

    def free_symbols(self) -> frozenset[str]:
        """The symbols that the ground speaks of: no step may treat them as schematic."""
        return frozenset().union(*(free_symbols(f, self.signature) for f in self.formulas()))


@dataclass(frozen=True)
class Judgement:
    """Under the ground and `given`, the formula `shows` holds. Made by the recorder of a proof alone."""

    given: tuple[Node, ...]
    shows: Node
    number: int
    owner: object = field(repr=False, compare=False)

    def schematic(self) -> frozenset[str]:
        """The free indices for which the judgement holds whatever they are."""
        fixed = frozenset().union(*(free_indices(g) for g in self.given))
        return free_indices(self.shows) - fixed


@dataclass(frozen=True)
class Step:
    """One application of a rule, as it goes into a certificate."""

    rule: str
    judgement: Judgement
    premises: tuple[Judgement, ...]
    data: Mapping[str, Any]


Rule = Callable[[Ground, Node, Sequence[Judgement], Mapping[str, Any]], Sequence[Node]]
"""Checks a step (ground, what it shows, premises, data) and returns the assumptions it still rests on."""

RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Enter a rule under its function's name."""
    name = function.__name__.rstrip("_")
    if name in RULES:
        raise RuntimeError(f"two rules are called {name!r}")
    RULES[name] = function
    return function


def need(condition: bool, message: str) -> None:
    """Reject unless the condition holds."""
    if not condition:
        raise Rejected(message)


def pooled(*judgements: Judgement, without: Sequence[Node] = ()) -> list[Node]:
    """The assumptions of several judgements, less those that are discharged."""
    result: list[Node] = []
    for judgement in judgements:
        for formula in judgement.given:
            if formula not in result and formula not in without:
                result.append(formula)
    return result
