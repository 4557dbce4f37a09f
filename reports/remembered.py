"""Keeps the checker's word on each row between runs of `verify`; the `check` command never reads what is kept.

What the checker says of a row follows from its own source, the definitions, the row, and the rows that the row uses or
is amended by. The key is made of the content of all of them, so that a change anywhere is looked at anew.
"""

from __future__ import annotations

import hashlib
import importlib.util
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from antumbra.reports.cache import cache_folder
from antumbra.reports.judge import Examination, examine
from antumbra.reports.storage import InputError, sha256, write_atomically


class Word(msgspec.Struct, frozen=True):
    """What the checker said of a row."""

    claim: str
    accepted: bool
    problems: tuple[str, ...]


def examine_remembering(document: dict[str, Any], module: str) -> Examination:
    """As `examine`, but rows on which the checker's word is kept are not given to it again."""
    rows = {row["id"]: row for row in document["claims"]}
    keys = _keys(document, rows, module)
    if keys is None:
        return examine(document, module)
    words = {claim: word for claim in rows if (word := _recall(keys[claim], claim)) is not None}
    missing = [claim for claim in rows if claim not in words]
    if missing:
        needed = set().union(*(_reached(claim, rows) for claim in missing))
        part = {**document, "claims": [row for claim, row in rows.items() if claim in needed]}
        found = examine(part, module)
        if not found.available:
            return found
        for claim in missing:
            word = Word(claim, claim in found.accepted, tuple(found.problems.get(claim, ())))
            words[claim] = word
            _keep(keys[claim], word)
    return Examination(
        available=True,
        accepted=frozenset(claim for claim, word in words.items() if word.accepted),
        problems={claim: words[claim].problems for claim in rows if words[claim].problems},
    )


def _keys(document: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]], module: str) -> dict[str, str] | None:
    """The key of each row; `None` where there is no checker whose source can be read, or two rows have one id."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None or len(rows) != len(document["claims"]):
        return None
    try:
        source = hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()
    except OSError:
        return None
    ground = sha256([source, platform.python_version(), document["definitions"]])
    content = {claim: sha256({key: row[key] for key in row if key != "seconds"}) for claim, row in rows.items()}
    return {claim: sha256([ground, claim, {c: content[c] for c in _reached(claim, rows)}]) for claim in rows}


def _reached(claim: str, rows: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The row itself and those that it uses or is amended by, and so on."""
    found: set[str] = set()
    waiting = [claim]
    while waiting:
        name = waiting.pop()
        if name in rows and name not in found:
            found.add(name)
            waiting += [*_cited(rows[name]), f"{name}.amended"]
    return found


def _cited(row: Mapping[str, Any]) -> Iterable[str]:
    """The claims that a row names, and those that its certificates name."""
    yield from row["uses"]
    for part in row["parts"]:
        for evidence in part["evidence"]:
            for use in (evidence["certificate"] or {}).get("uses", ()):
                if isinstance(use, list | tuple) and use and isinstance(use[0], str):
                    yield use[0]


def _path(key: str) -> Path:
    return cache_folder() / "checked" / f"{key}.json"


def _recall(key: str, claim: str) -> Word | None:
    try:
        word = msgspec.json.decode(_path(key).read_bytes(), type=Word)
    except (OSError, msgspec.MsgspecError, RuntimeError):
        return None
    return word if word.claim == claim else None


def _keep(key: str, word: Word) -> None:
    """Keep a word; that it cannot be written costs time, not correctness."""
    try:
        _path(key).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_path(key), msgspec.json.encode(word))
    except (OSError, InputError, RuntimeError):
        return
