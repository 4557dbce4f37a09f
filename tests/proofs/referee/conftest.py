"""Lets the tests of this folder import the hand-made terms of the checker's tests."""

from __future__ import annotations

import sys
from pathlib import Path

_CHECKER = str(Path(__file__).resolve().parent.parent / "checker")
if _CHECKER not in sys.path:
    sys.path.insert(0, _CHECKER)
