# ruff: noqa: E501
"""Systematic edits of real certificates and of what they are about.

An edit of the statement, the domain, the hypotheses or a reached definition must be rejected, unless it renames bound
names or turns a comparison round. An edit of the certificate alone may leave another valid proof of the same statement:
such survivors are counted, and they are harmless because the statement is what it was.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from antumbra.proofs import checker as c
from antumbra.proofs import exact, registry
from antumbra.proofs.claim import Kind

CLAIMS = [
    "projection.contraction",
    "projection.pythagoras",
    "thm11.flat",
    "thm11.gradient",
    "thm11.bounded",
    "thm16.flat",
]
Place = tuple[Any, ...]


@cache
def book() -> dict[str, Any]:
    """A small real ledger, as the kernel writes it."""
    registry.load()
    rows = []
    for claim_id in CLAIMS:
        claim = registry.statement(claim_id)
        parts = []
        for p in claim.parts:
            evidence = [e for e in exact.part_evidence(claim, p) if e.kind is Kind.SYMBOLIC]
            parts.append({
                "name": p.name, "statement": {"text": p.text, "term": p.statement}, "hypotheses": list(p.hypotheses),
                "domain": [{"text": "", "term": d} for d in p.domain], "quantifier": str(p.quantifier),
                "evidence": [{"kind": str(e.kind), "outcome": str(e.outcome), "certificate": e.certificate} for e in evidence],
            })  # fmt: skip
        rows.append({"id": claim_id, "verdict": "proved", "parts": parts})
    return json.loads(json.dumps({"definitions": registry.definitions(), "claims": rows}))  # type: ignore[no-any-return]


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Every place inside a JSON value."""
    if path:
        yield path
    if isinstance(value, dict):
        for k, v in value.items():
            yield from places(v, (*path, k))
    elif isinstance(value, list):
        for k, v in enumerate(value):
            yield from places(v, (*path, k))


def at(value: Any, path: Place) -> Any:
    for k in path:
        value = value[k]
    return value


def edits(value: Any, path: Place, chooser: random.Random) -> Any:
    """The value with one place changed: a number, a sign, a name, an element dropped, doubled or swapped."""
    changed = copy.deepcopy(value)
    parent, key = at(changed, path[:-1]), path[-1]
    old = parent[key]
    if isinstance(old, bool) or old is None:
        parent[key] = not old
    elif isinstance(old, int):
        parent[key] = old + chooser.choice([1, -1])
    elif isinstance(old, str):
        same = {
            "ge": "gt",
            "gt": "ge",
            "eq": "ge",
            "le": "ge",
            "+": "*",
            "*": "+",
            "i": "j",
            "j": "i",
            "h": "g",
            "M": "W",
            "W": "M",
            "u": "w",
            "exp": "inv",
        }
        if old in same:
            parent[key] = same[old]
        elif c.HEX.match(old) and len(old) < 8:
            parent[key] = format(int(old, 16) + 1, "x") if chooser.random() < 0.5 else ("-" + old).replace("--", "")
        else:
            parent[key] = old + "1"
    elif isinstance(parent, list) and len(parent) > 1 and chooser.random() < 0.5:
        other = chooser.randrange(len(parent))
        if other == key or parent[other] == parent[key]:
            del parent[key]
        else:
            parent[key], parent[other] = parent[other], parent[key]
    else:
        del parent[key]
    return changed


def about(row: dict[str, Any], definitions: list[Any]) -> str:
    """What a reader is told: statement, domain, hypotheses and the definitions reached, up to bound names."""
    setting = c.Setting(definitions)
    out = []
    for p in row["parts"]:
        ground = c.read_part(setting, row["id"], p)
        assert ground is not None
        formulas = [ground.statement, *ground.domain, *(setting.hypotheses[h] for h in ground.hypotheses)]
        out.append((ground.name, setting.alpha(ground.statement), sorted(ground.hypotheses), [setting.alpha(d) for d in ground.domain],
                    [o[2] for o in c.reached(setting, formulas, ground.hypotheses)], ground.existence))  # fmt: skip
    return repr((row["id"], out))


def attack(first: int, count: int) -> tuple[dict[str, int], list[str]]:
    """Apply edits; counts, and the survivors that changed what is claimed."""
    whole = book()
    counts = {"rejected": 0, "another proof of the same": 0, "no change": 0}
    bad = []
    for seed in range(first, first + count):
        chooser = random.Random(seed)
        row = whole["claims"][seed % len(CLAIMS)]
        kind = chooser.choice(["part", "certificate", "certificate", "definitions"])
        part_index = chooser.randrange(len(row["parts"]))
        definitions, changed = whole["definitions"], row
        if kind == "definitions":
            definitions = edits(definitions, chooser.choice(list(places(definitions))), chooser)
        else:
            spots = [s for s in places(row["parts"][part_index]) if ("evidence" in s) == (kind == "certificate")]
            spots = [
                s
                for s in spots
                if "certificate" in s[:-1]
                or (s[0] in ("statement", "domain", "hypotheses", "name") and "text" not in s)
            ]
            changed = copy.deepcopy(row)
            changed["parts"][part_index] = edits(changed["parts"][part_index], chooser.choice(spots), chooser)
        if changed == row and definitions == whole["definitions"]:
            counts["no change"] += 1
            continue
        try:
            ok = c.check({"definitions": definitions, "claims": [changed]}).ok
        except c.Unreadable:
            ok = False
        if not ok:
            counts["rejected"] += 1
        elif about(changed, definitions) == about(row, whole["definitions"]):
            counts["another proof of the same"] += 1
        else:
            bad.append(f"{seed} {kind}")
    return counts, bad


def test_the_ledger_is_accepted() -> None:
    report = c.check(book())
    assert report.ok, [r.problems for r in report.claims]


def test_edits() -> None:
    counts, bad = attack(0, 150)
    assert not bad, bad
    assert counts["rejected"] > 75, counts


@pytest.mark.deep
def test_two_thousand_edits(capsys: pytest.CaptureFixture[str]) -> None:
    counts, bad = attack(10_000, 2_400)
    with capsys.disabled():
        print(f"\ntampering: {counts}")
    assert not bad, bad
    assert counts["rejected"] + counts["another proof of the same"] >= 2_000
