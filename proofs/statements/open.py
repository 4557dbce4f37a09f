"""Beyond the paper: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim
from antumbra.proofs.statements import open_dominance, open_few_tokens

CLAIMS: tuple[Claim, ...] = (*open_dominance.CLAIMS, *open_few_tokens.CLAIMS)
