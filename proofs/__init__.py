"""What is true and why: statements, proofs, the kernel and the stand-alone checker.

The names below are the public interface for claims of your own. They are loaded when first asked for, so that
importing this package costs nothing:

- records: `Claim`, `Part`, `Mutant`, `Evidence`, `Kind`, `Outcome`, `Verdict`, `Quantifier`;
- terms: everything in `antumbra.proofs.kernel.terms`, as the module `terms`, and the theory's own in `setting`;
- `declare`, `define`, `flow`, `hypothesis` add to the setting; `proves` files a proof, `point` a model;
- `Proof` is the recorder that a proof function is given, `Model` a concrete model, `Rejected` what a failing step
  raises;
- `check` replays a ledger with the stand-alone checker.
"""

from __future__ import annotations

import importlib
from typing import Any

_WHERE = {
    **dict.fromkeys(
        ("Claim", "Part", "Mutant", "Evidence", "Kind", "Outcome", "Verdict", "Quantifier"), "antumbra.proofs.claim"
    ),
    **dict.fromkeys(("declare", "define", "flow", "hypothesis"), "antumbra.proofs.setting"),
    **dict.fromkeys(("proves", "point"), "antumbra.proofs.registry"),
    "Proof": "antumbra.proofs.kernel.proof",
    "Rejected": "antumbra.proofs.kernel.ground",
    "Model": "antumbra.proofs.kernel.evaluate",
    "check": "antumbra.proofs.checker",
}
_MODULES = {"terms": "antumbra.proofs.kernel.terms", "setting": "antumbra.proofs.setting"}

__all__ = [*_WHERE, *_MODULES]  # noqa: PLE0604  names that are strings, loaded by __getattr__


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    raise AttributeError(f"antumbra.proofs has no {name!r}; its public names are {', '.join(__all__)}")
