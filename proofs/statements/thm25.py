"""Statements to come."""

from antumbra.proofs.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
