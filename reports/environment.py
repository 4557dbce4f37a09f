"""What a run was made with: versions, never names of machines, people or folders."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib import metadata
from typing import Any

PACKAGES = ("mpmath", "numba", "numpy", "python-flint", "scipy", "sympy")


def version() -> str:
    """The version of antumbra; `0+unknown` when it was not installed."""
    try:
        return metadata.version("antumbra")
    except metadata.PackageNotFoundError:
        return "0+unknown"


@lru_cache(maxsize=1)
def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def describe() -> dict[str, Any]:
    """Interpreter, kind of machine and versions of the libraries that compute."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "machine": platform.machine(),
        "packages": dict(_packages()),
    }
