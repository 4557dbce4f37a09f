"""Where evidence comes from: the two independent registries, and what this package asks of them.

The registries are named by their modules, so that worker processes can import them and tests can put others in their
place.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, cast

from antumbra.proofs.claim import Claim, Evidence, Kind, Verdict
from antumbra.reports.own_claims import rows_of
from antumbra.reports.storage import InputError


class Row(Protocol):
    """A row of the index: what is claimed where, and what is expected of it."""

    @property
    def id(self) -> str:
        """Permanent id."""

    @property
    def title(self) -> str:
        """Short title."""

    @property
    def source(self) -> str:
        """Where the paper says it."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The dynamics it speaks of."""

    @property
    def target(self) -> Verdict:
        """The verdict to reach."""

    @property
    def expected(self) -> Verdict:
        """The verdict expected today."""

    @property
    def required(self) -> tuple[Kind, ...]:
        """The kinds of evidence that it needs."""


class ProofRegistry(Protocol):
    """What `antumbra.proofs.registry` offers."""

    def rows(self) -> Sequence[Row]:
        """The rows of the index, in the paper's order."""

    def statement(self, claim_id: str) -> Claim:
        """The claim of that id, with its parts."""

    def definitions(self) -> list[dict[str, Any]]:
        """The setting: symbols, definitions, flows and hypotheses, in order."""

    def evidence(self, claim_id: str, profile: str, seed: int) -> Sequence[tuple[str, Evidence]]:
        """Evidence of the exact kinds, with the name of the part it is for."""


class NumericCheck(Protocol):
    """A registered numerical check; the part "" stands for every part of the claim."""

    @property
    def part(self) -> str:
        """The name of its part."""

    @property
    def kind(self) -> Kind:
        """The kind of its evidence."""

    def run(self, context: Any) -> Evidence:
        """Do it."""


class NumericRegistry(Protocol):
    """What `antumbra.numerics.registry` offers."""

    def load_all(self) -> object:
        """Import all modules that register checks."""

    def lookup(self, claim: str) -> Sequence[NumericCheck]:
        """The checks of a claim."""

    RunContext: Callable[[int, Any, str], Any]


@dataclass(frozen=True)
class Sources:
    """The modules of the two registries and of the checker, and files with claims of a user's own."""

    proofs: str = "antumbra.proofs.registry"
    numerics: str = "antumbra.numerics.registry"
    checker: str = "antumbra.proofs.checker"
    files: tuple[str, ...] = ()

    def with_files(self, paths: Sequence[Path]) -> Sources:
        """The same with files of claims, each once and by its full path, so that worker processes find it too.

        Raises:
            InputError: what no path can be.
        """
        try:
            found = [str(path.resolve()) for path in paths]
        except (ValueError, OSError, RuntimeError) as error:  # a NUL, a circle of links
            raise InputError(f"a file of claims cannot be found: {error}") from None
        return replace(self, files=tuple(dict.fromkeys([*self.files, *found])))

    def own_rows(self) -> tuple[Row, ...]:
        """The rows of the files of claims.

        Raises:
            InputError: a file that cannot be used, in one line.
        """
        registry = importlib.import_module(self.proofs)
        return tuple(row for file in self.files for row in rows_of(registry, file))

    def proof_registry(self) -> ProofRegistry:
        """The registry of statements and exact evidence, the files of claims taken in.

        Raises:
            InputError: a file of claims that cannot be used.
        """
        self.own_rows()
        return cast("ProofRegistry", importlib.import_module(self.proofs))

    def numeric_registry(self) -> NumericRegistry:
        """The registry of numerical checks, all of them loaded."""
        registry = cast("NumericRegistry", importlib.import_module(self.numerics))
        registry.load_all()
        return registry


def uses_in_certificates(claim_id: str, certificates: Sequence[Mapping[str, Any] | None]) -> list[str]:
    """Ids of the other claims that a claim's certificates cite, in order and once each."""
    found: dict[str, None] = {}
    for certificate in certificates:
        for use in (certificate or {}).get("uses", ()):
            if isinstance(use, list | tuple) and use and isinstance(use[0], str) and use[0] != claim_id:
                found[use[0]] = None
    return list(found)
