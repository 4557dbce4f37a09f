"""The fakes, with a claim whose check takes its process down."""

from __future__ import annotations

import multiprocessing
import os

from fake_proofs import Evidence, definitions, rows, statement
from fake_proofs import evidence as kind_evidence

__all__ = ["definitions", "evidence", "rows", "statement"]


def evidence(claim_id: str, profile: str, seed: int) -> list[tuple[str, Evidence]]:
    if claim_id == "fake.surprise" and multiprocessing.parent_process() is not None:
        os._exit(3)
    return kind_evidence(claim_id, profile, seed)
