"""What is claimed: per theorem a module of statements, as terms with hypotheses. No prover is imported here."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache

from antumbra.proofs.claim import Claim

MODULES = (
    "projection",
    "thm11",
    "thm12",
    "thm16_17",
    "cond08",
    "thm19",
    "thm19_orthogonal_heads",
    "thm22",
    "thm22_splits",
    "thm22_late",
    "thm25",
    "thm27",
    "thm39",
    "open",
)
"""In the paper's order."""


@cache
def claims() -> dict[str, Claim]:
    """Every claim by id.

    Raises:
        ValueError: two claims have one id.
    """
    found: dict[str, Claim] = {}
    for name in MODULES:
        module = importlib.import_module(f"antumbra.proofs.statements.{name}")
        for claim in module.CLAIMS:
            if claim.id in found:
                raise ValueError(f"the id {claim.id} is claimed twice; ids are permanent, choose another")
            found[claim.id] = claim
    return found
