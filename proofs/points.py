"""Exact points: filed by hand, kept from an earlier search, or searched for now; certified anew whenever they are used.

`points.json` keeps what searches found, or that they found nothing, under a digest of the statement and its ground. It
saves time and carries no trust. `python -m antumbra.proofs.points` writes it anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from antumbra.proofs import registry
from antumbra.proofs.kernel import witness
from antumbra.proofs.kernel.evaluate import Model

SEARCH = witness.Search(seconds=20.0, rounds=2)
"""How a point is searched for when none is on file."""
FILE = "points.json"


@dataclass(frozen=True)
class Purpose:
    """What a point is for: `holds`, `fails`, `ground`, `drop:NAME` or `mutant:NAME` of a part."""

    claim: str
    part: str
    name: str

    @property
    def key(self) -> str:
        """The key in `points.json`."""
        return f"{self.claim}/{self.part}/{self.name}"


@dataclass(frozen=True)
class Found:
    """A certified point."""

    model: Model
    certificate: dict[str, Any]
    note: str

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of tokens, heads and dimensions."""
        return dict(self.model.sizes)


_RECORD: dict[str, dict[str, Any]] = {}


@cache
def on_file() -> dict[str, dict[str, Any]]:
    """What earlier searches found."""
    source = resources.files("antumbra.proofs").joinpath(FILE)
    return dict(json.loads(source.read_text(encoding="utf-8"))) if source.is_file() else {}


def find(
    purpose: Purpose,
    ground: witness.Ground,
    statement: Any | None,
    certify: Callable[[Model], dict[str, Any]],
    search: Callable[[], Model | None],
) -> Found | None:
    """The point for a purpose, certified; `None` if none is known and none was found.

    Raises:
        WitnessError: a point filed by hand is not what it is said to be.
    """
    by_hand = registry.POINTS.get((purpose.claim, purpose.part, purpose.name))
    if by_hand is not None:
        return Found(by_hand.model, certify(by_hand.model), by_hand.note)
    digest = _digest(purpose, ground, statement)
    known = on_file().get(purpose.key)
    if known is not None and known["digest"] == digest:
        _RECORD[purpose.key] = known
        if known["model"] is None:
            return None
        model: Model | None = Model.from_json(known["model"])
    else:
        model = search()
        written = None if model is None else model.to_json()
        _RECORD[purpose.key] = {"digest": digest, "model": written}
    return Found(model, certify(model), "") if model is not None else None


def _digest(purpose: Purpose, ground: witness.Ground, statement: Any | None) -> str:
    """SHA-256 of everything that decides whether a point serves the purpose."""
    formulas = [f for _, f in ground.formulas()] + ([] if statement is None else [statement])
    setting = registry.signature().digest(formulas, ())
    text = json.dumps([purpose.name, sorted(ground.hypotheses), formulas, setting], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:24]


def main() -> None:
    """Go through all claims, search where nothing is on file, and write the file."""
    # Run as a program this module is `__main__`; the record is that of the module under its own name.
    from antumbra.proofs import exact, points

    for row in registry.rows():
        exact.evidence(row.id)
    record = points._RECORD
    target = Path(str(resources.files("antumbra.proofs").joinpath(FILE)))
    part = target.with_suffix(".part")
    lines = [f"  {json.dumps(k)}: {json.dumps(v, sort_keys=True)}" for k, v in sorted(record.items())]
    part.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    os.replace(part, target)  # noqa: PTH105
    print(f"{len(record)} points, {sum(v['model'] is None for v in record.values())} of them not found")


if __name__ == "__main__":
    main()
