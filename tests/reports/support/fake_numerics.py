"""Numerical checks of the fakes, under the contract of the real registry."""

from __future__ import annotations

from dataclasses import dataclass

from antumbra.proofs.claim import Evidence, Kind, Outcome


@dataclass(frozen=True)
class RunContext:
    seed: int
    profile: str
    claim: str


@dataclass(frozen=True)
class Check:
    part: str
    kind: Kind

    def run(self, context: RunContext) -> Evidence:
        data = {"tried": 120, "worst_margin": 3.5e-9, "seed": context.seed, "profile": context.profile}
        return Evidence(self.kind, Outcome.PASS, f"{self.kind.value} of {context.claim.strip()}", data)


CHECKS = {
    "fake.proved": (Check("rate", Kind.FLOW),),
    "fake.confirmed": (Check("", Kind.FLOW), Check("rate", Kind.ATTACK)),
}


def load_all() -> None:
    pass


def lookup(claim: str) -> tuple[Check, ...]:
    return CHECKS.get(claim, ())
