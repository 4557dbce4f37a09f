"""Beyond the paper: the proofs, one file for each matter."""

from __future__ import annotations

from antumbra.proofs import open_dominance, open_few_tokens, open_phases, open_thresholds, open_window

__all__ = ["open_dominance", "open_few_tokens", "open_phases", "open_thresholds", "open_window"]
