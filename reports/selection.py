"""Which claims a run is about."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from antumbra.reports.sources import Row
from antumbra.reports.storage import InputError


def select(rows: Sequence[Row], ids: Iterable[str], own: Sequence[Row] = ()) -> list[str]:
    """The ids that a person asked for, in the order of the index; none asked for means all.

    An id is whole (`thm22.late`), or ends at a dot (`thm22` for all of Theorem 22). Of rows from a person's own files,
    they alone are meant when no id is given, and all of them are meant unless the ids choose among them.

    Raises:
        InputError: an id that nothing in the index answers to.
    """
    known = [row.id for row in rows]
    wanted = list(ids)
    mine = {row.id for row in own}
    if not wanted:
        return [claim_id for claim_id in known if claim_id in mine] if own else known
    chosen: set[str] = set()
    for given in wanted:
        stem = given.rstrip(".") + "."
        found = {claim_id for claim_id in known if claim_id == given or claim_id.startswith(stem)}
        if not found:
            near = ", ".join(_near(given, known))
            raise InputError(f"unknown id {given!r}; {f'near it: {near}; ' if near else ''}`antumbra list` shows all")
        chosen |= found
    if not chosen & mine:
        chosen |= mine
    return [claim_id for claim_id in known if claim_id in chosen]


def _near(given: str, known: Sequence[str]) -> list[str]:
    return difflib.get_close_matches(given, known, n=3)


def companions(claim_id: str, uses: Iterable[str], known: Iterable[str]) -> list[str]:
    """What is run with a claim: what its proofs use, and the claim that corrects it."""
    ids = set(known)
    return [other for other in (*uses, f"{claim_id}.amended") if other in ids]
