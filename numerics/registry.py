"""Where numerical evidence is declared, loaded and looked up.

A check is a function of a `RunContext` that returns an `Evidence`; the decorator `evidence` files it under its claim,
part and kind. One check per (claim, part, kind): a second one raises at import, so that none can shadow another.
All randomness of a check comes from `context.rng(...)`, which depends on the seed and on the claim's id alone: neither
the order of the checks nor how many run beside it changes what a check sees.
"""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from antumbra.proofs.claim import Evidence, Kind

if TYPE_CHECKING:
    import numpy as np

Profile = Literal["quick", "standard", "deep"]
PROFILES: tuple[Profile, ...] = ("quick", "standard", "deep")

FLOWS = "antumbra.numerics.flows"


@dataclass(frozen=True)
class Budget:
    """How much a check may do under a profile.

    Attributes:
        samples: sampled configurations of a flow check.
        restarts: starts of an attack.
        seconds: wall-clock limit that an attack respects (its result says how far it came).
        largest_n, largest_d, largest_heads: bounds on sampled sizes.
    """

    samples: int
    restarts: int
    seconds: float
    largest_n: int
    largest_d: int
    largest_heads: int


BUDGETS: dict[Profile, Budget] = {
    "quick": Budget(samples=4, restarts=8, seconds=0.5, largest_n=6, largest_d=4, largest_heads=3),
    "standard": Budget(samples=12, restarts=32, seconds=2.0, largest_n=12, largest_d=6, largest_heads=4),
    "deep": Budget(samples=200, restarts=500, seconds=60.0, largest_n=64, largest_d=16, largest_heads=6),
}


@dataclass(frozen=True)
class RunContext:
    """What a run tells its checks.

    Attributes:
        seed: the run's seed, not negative.
        profile: quick, standard or deep.
        claim: the id of the claim under check; empty until `for_claim`.

    Raises:
        ValueError: a negative seed or an unknown profile.
    """

    seed: int = 0
    profile: Profile = "standard"
    claim: str = ""

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}; give an integer that is not negative")
        if self.profile not in PROFILES:
            raise ValueError(f"profile is {self.profile!r}; give one of {', '.join(PROFILES)}")

    @property
    def budget(self) -> Budget:
        """The budget of the profile."""
        return BUDGETS[self.profile]

    def for_claim(self, claim: str) -> RunContext:
        """The same run seen by one claim."""
        return RunContext(self.seed, self.profile, claim)

    def stream(self, purpose: str = "") -> int:
        """A 128-bit number fixed by the seed, the claim and a purpose, by hashing."""
        text = f"{self.seed}\0{self.claim}\0{purpose}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:16], "big")

    def rng(self, purpose: str = "") -> np.random.Generator:
        """A fresh generator of that stream."""
        import numpy as np

        return np.random.Generator(np.random.PCG64(self.stream(purpose)))


Check = Callable[[RunContext], Evidence]


@dataclass(frozen=True)
class Entry:
    """A registered check.

    Attributes:
        claim, part, kind: what it is evidence for; the part "" stands for every part of the claim.
        check: the function.
    """

    claim: str
    part: str
    kind: Kind
    check: Check

    @property
    def id(self) -> str:
        """`thm11.sphere:rate[flow]`, for messages."""
        return f"{self.claim}:{self.part}[{self.kind.value}]" if self.part else f"{self.claim}[{self.kind.value}]"

    def run(self, context: RunContext) -> Evidence:
        """The check's evidence for its claim.

        Raises:
            TypeError: the check returned something else than evidence of its kind.
        """
        result = self.check(context.for_claim(self.claim))
        if getattr(result, "kind", None) is not self.kind:
            raise TypeError(f"{self.id} returned {result!r}; a check returns an Evidence of kind {self.kind.value}")
        return result


class DuplicateEvidenceError(ValueError):
    """Two checks claim the same place."""


_ENTRIES: dict[tuple[str, str, Kind], Entry] = {}


def evidence(claim: str, *, kind: Kind, part: str = "") -> Callable[[Check], Check]:
    """Register a function as the check of a claim's part.

    Args:
        claim: the claim's id.
        kind: kind of evidence.
        part: the part's name; "" when the check covers all parts.

    Raises:
        DuplicateEvidenceError: the place is taken by another function.
    """

    def register(check: Check) -> Check:
        key = (claim, part, kind)
        known = _ENTRIES.get(key)
        if known is not None and _origin(known.check) != _origin(check):
            raise DuplicateEvidenceError(
                f"{known.id} is registered by {_origin(known.check)} and again by {_origin(check)}; keep one"
            )
        _ENTRIES[key] = Entry(claim, part, kind, check)
        return check

    return register


def _origin(check: Check) -> str:
    code = getattr(check, "__code__", None)
    where = f":{code.co_firstlineno}" if code is not None else ""
    return f"{check.__module__}.{check.__qualname__}{where}"


def load_all() -> tuple[ModuleType, ...]:
    """Import every module of `antumbra.numerics.flows`, in the order of their names; an import error is raised."""
    package = importlib.import_module(FLOWS)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(importlib.import_module(f"{FLOWS}.{name}") for name in names)


def lookup(claim: str, part: str | None = None) -> tuple[Entry, ...]:
    """The checks registered for a claim (and one of its parts), by part and kind; call `load_all` first."""
    found = (
        entry for entry in _ENTRIES.values() if entry.claim == claim and (part is None or entry.part in ("", part))
    )
    return tuple(sorted(found, key=lambda entry: (entry.part, entry.kind.value)))


def entries() -> Iterable[Entry]:
    """All registered checks, by claim, part and kind."""
    return tuple(sorted(_ENTRIES.values(), key=lambda entry: (entry.claim, entry.part, entry.kind.value)))
