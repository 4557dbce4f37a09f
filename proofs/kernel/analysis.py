"""Rules for functions of one variable (`docs/kernel.md`, section 7)."""

from __future__ import annotations
