"""Theorem 19: why the remark that c* involves the Lambert W function is not supported."""

from __future__ import annotations

from antumbra.proofs.registry import unsupported

unsupported(
    "thm19.lambert_w",
    "lambert_w",
    "c* is a root of c^2 + (H-1)c - 1 for every H, so square roots are enough (thm19.lambert_w.amended); "
    "the Lambert W function belongs to the peak of Theorem 22's early rate (thm22.phi_shape)",
)
