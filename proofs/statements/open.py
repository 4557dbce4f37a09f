"""Beyond the paper: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim
from antumbra.proofs.statements import open_critical_time, open_dominance, open_few_tokens, open_phases

CLAIMS: tuple[Claim, ...] = (
    *open_dominance.CLAIMS,
    *open_phases.CLAIMS,
    *open_critical_time.CLAIMS,
    *open_few_tokens.CLAIMS,
)
