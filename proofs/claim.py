"""The vocabulary of the suite: claims, their parts, evidence and its outcomes.

Everything here is a frozen record. This module imports no prover, no numerics and no third-party library, so
that `proofs`, `numerics` and `reports` can all speak it.

Terms are nested tuples; their grammar is in `docs/kernel.md` and their builders in `antumbra.proofs.kernel.terms`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Node = tuple[Any, ...]
"""A raw term or formula: a nested tuple whose first entry is its tag."""


class Kind(enum.StrEnum):
    """A kind of evidence."""

    SYMBOLIC = "symbolic"
    WITNESS = "witness"
    ENCLOSURE = "enclosure"
    PRECISION = "precision"
    FLOW = "flow"
    ATTACK = "attack"
    ABLATION = "ablation"
    MUTATION = "mutation"
    FORMAL = "formal"


class Outcome(enum.StrEnum):
    """How one check ended. Each cause is apart; nothing is a truth value."""

    PASS = "pass"
    FAIL = "fail"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"
    NOT_RUN = "not_run"
    ERROR = "error"


class Verdict(enum.StrEnum):
    """What the suite says of a part or a claim."""

    PROVED = "proved"
    CERTIFIED = "certified"
    REFUTED = "refuted"
    AMENDED = "amended"
    CONFIRMED = "confirmed"
    UNDECIDED = "undecided"
    CONFLICT = "conflict"


class Quantifier(enum.StrEnum):
    """Whether a part speaks of all points of its domain, of some point, or of a number at given parameters."""

    UNIVERSAL = "universal"
    EXISTENTIAL = "existential"
    NUMBER = "number"
    STATISTICAL = "statistical"


@dataclass(frozen=True)
class Evidence:
    """One check of one part.

    Attributes:
        kind: which kind of evidence.
        outcome: how the check ended.
        summary: one sentence for a person.
        data: JSON-able details (counts, margins, enclosures, seeds); no NaN, no infinity.
        certificate: the replayable derivation or witness (JSON-able), if there is one.
    """

    kind: Kind
    outcome: Outcome
    summary: str
    data: Mapping[str, Any] = field(default_factory=dict)
    certificate: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Mutant:
    """A wrong neighbour of a part's statement, which must not come out proved.

    Attributes:
        name: what was changed, in words.
        statement: the changed formula.
        hypotheses: the named hypotheses of the mutant, `None` for those of the part.
    """

    name: str
    statement: Node
    hypotheses: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Part:
    """One assertion of a claim.

    Attributes:
        name: short name, unique within the claim (`rate`, `equality_case`, ...).
        statement: the formula (a term of `docs/kernel.md`), or `None` while the assertion is not yet formalised.
        text: the assertion in words; shown beside the rendered formula, never instead of it.
        domain: formulas that delimit the parameters (for instance n >= 2).
        hypotheses: names of the setting's hypotheses that the part uses.
        meaning: the subset of `hypotheses` that only gives the letters their meaning; they are not ablated.
        quantifier: what sort of assertion this is.
        mutants: wrong neighbours.
    """

    name: str
    statement: Node | None
    text: str
    domain: tuple[Node, ...] = ()
    hypotheses: tuple[str, ...] = ()
    meaning: frozenset[str] = frozenset()
    quantifier: Quantifier = Quantifier.UNIVERSAL
    mutants: tuple[Mutant, ...] = ()


@dataclass(frozen=True)
class Claim:
    """A row of the ledger.

    Attributes:
        id: permanent identifier (`thm11.sphere`).
        title: a short title.
        source: where the paper says it (`Theorem 11`).
        fields: dynamics the claim speaks of (`USA`, `SA`, `ReLU`; empty for pure algebra).
        parts: every assertion of the claim's line.
        source_note: where the claim departs from the paper as summarised.
        sharpness: how sharp its constants are.
        amends: the id of the claim that this one corrects, if any.
    """

    id: str
    title: str
    source: str
    fields: tuple[str, ...]
    parts: tuple[Part, ...]
    source_note: str = ""
    sharpness: str = ""
    amends: str | None = None

    def part(self, name: str) -> Part:
        """The part of that name.

        Raises:
            KeyError: no such part; the message lists those there are.
        """
        for candidate in self.parts:
            if candidate.name == name:
                return candidate
        raise KeyError(f"{self.id} has no part {name!r}; its parts are {', '.join(p.name for p in self.parts)}")
