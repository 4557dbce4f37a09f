"""The ledger: its schema, digests, strict reading, atomic writing, merging."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from antumbra.proofs.claim import Verdict
from antumbra.reports import ledger as records
from antumbra.reports import storage
from antumbra.reports.ledger import Ledger, as_json, content_digest, decode, encode, file_digest, load, merge
from antumbra.reports.storage import InputError, parse_json, prepare_folder, read_json, write_atomically


def test_the_schema_on_file_is_the_one_of_the_records() -> None:
    assert json.loads(records.SCHEMA_FILE.read_text("utf-8")) == records.schema()


def test_the_schema_is_valid_and_accepts_the_ledger(ledger: Ledger) -> None:
    schema = records.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(as_json(ledger))


def objects(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all objects of a document, outside the free ones."""
    found: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        found.append(path)
        for key, item in value.items():
            if key not in ("data", "certificate", "totals", "environment"):
                found += objects(item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found += objects(item, (*path, number))
    return found


def test_unknown_and_missing_keys_are_refused_everywhere(ledger: Ledger) -> None:
    document = as_json(ledger)
    validator = jsonschema.Draft202012Validator(records.schema())
    seen = set()
    for path in objects(document):
        shape = tuple(step for step in path if isinstance(step, str) or path[0] == "definitions")
        if shape in seen:
            continue
        seen.add(shape)
        for change in ("unknown", "missing"):
            changed = json.loads(json.dumps(document))
            target = changed
            for step in path:
                target = target[step]
            if change == "unknown":
                target["unheard_of"] = 1
            else:
                target.pop(next(iter(target)))
            assert not validator.is_valid(changed), (path, change)
            with pytest.raises(InputError):
                decode(changed)
    assert len(seen) >= 6


def test_a_ledger_is_read_back(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    write_atomically(path, encode(ledger))
    assert load(path) == ledger
    assert encode(load(path)) == encode(ledger)


def test_totals_count_every_claim(ledger: Ledger) -> None:
    assert sum(ledger.totals.values()) == len(ledger.claims)
    assert all(ledger.totals[claim.verdict.value] for claim in ledger.claims)


def test_a_changed_verdict_is_noticed(ledger: Ledger) -> None:
    document = as_json(ledger)
    document["claims"][0]["verdict"] = "certified"
    with pytest.raises(InputError, match="damaged"):
        decode(document)
    document["file_digest"] = file_digest(document)
    with pytest.raises(InputError, match="damaged: its digest"):
        decode(document)


def changed_digest(ledger: Ledger, **changes: Any) -> bool:
    first = msgspec.structs.replace(ledger.claims[0], **changes)
    return content_digest([first, *ledger.claims[1:]], ledger.definitions) != ledger.digest


def test_the_digest_covers_what_two_machines_must_agree_on(ledger: Ledger) -> None:
    claim = ledger.claims[0]
    assert changed_digest(ledger, verdict=Verdict.CERTIFIED)
    assert changed_digest(ledger, id="another")
    assert not changed_digest(ledger, seconds=99.0, older=True, checked=not claim.checked)
    part = claim.parts[0]
    for change in (
        {"statement": records.StatementRecord(part.statement.text, ["eq", ["pi"], ["pi"]])},
        {"hypotheses": [*part.hypotheses, "more"]},
        {"domain": []},
        {"evidence": part.evidence[1:]},
    ):
        assert changed_digest(ledger, parts=[msgspec.structs.replace(part, **change)])
    evidence = [msgspec.structs.replace(record, data={"x": 1.5}, certificate=None) for record in part.evidence]
    assert not changed_digest(ledger, parts=[msgspec.structs.replace(part, evidence=evidence)])
    assert content_digest(ledger.claims, ledger.definitions[1:]) != ledger.digest


BAD = {
    "not JSON": "{",
    "not finite: NaN": '{"a": NaN}',
    "not finite: Infinity": '{"a": -Infinity}',
    "not finite: too large": '{"a": 1e999}',
    "a key twice": '{"a": {"b": 1, "b": 1}}',
    "too deep": "[" * 500 + "]" * 500,
    "deeper than any stack": "[" * 200_000,
    "an integer of thousands of digits": "9" * 5000,
    "half a surrogate pair": '"\\ud800"',
    "empty": "",
    "two documents": "{} {}",
}


@pytest.mark.parametrize("name", BAD)
def test_strict_reading_refuses(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(BAD[name], "utf-8")
    with pytest.raises(InputError) as caught:
        read_json(path)
    assert "\n" not in str(caught.value)
    assert "bad.json" in str(caught.value)


def test_deep_text_inside_strings_is_no_depth() -> None:
    assert parse_json('{"a": "[[[[\\"{{", "b": [1.5, true, null]}', "text", depth_limit=2) == {
        "a": '[[[["{{',
        "b": [1.5, True, None],
    }


def test_size_and_encoding_and_kind_of_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b"[1, 2, 3]")
    with pytest.raises(InputError, match="at most 4"):
        read_json(path, size_limit=4)
    path.write_bytes(b'"\xff"')
    with pytest.raises(InputError, match="UTF-8"):
        read_json(path)
    with pytest.raises(InputError, match="folder"):
        read_json(tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        read_json(tmp_path / "missing.json")
    with pytest.raises(InputError, match="cannot read"):
        read_json(Path("a\0b"))


@pytest.mark.parametrize(
    "document", [[], 3, None, {}, {"format": "antumbra-ledger/2"}, {"format": "antumbra-ledger/1"}]
)
def test_what_is_no_ledger_is_refused(document: Any) -> None:
    with pytest.raises(InputError):
        decode(document)


def test_a_claim_twice_is_refused(ledger: Ledger) -> None:
    twice = records.assemble(
        version=ledger.antumbra,
        profile="quick",
        seed=0,
        definitions=ledger.definitions,
        claims=[ledger.claims[0], ledger.claims[0]],
        figures=[],
        environment={},
    )
    with pytest.raises(InputError, match="twice"):
        decode(as_json(twice))


def test_writing_replaces_at_one_stroke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.txt"
    write_atomically(path, "old")
    assert path.stat().st_mode & 0o777 == 0o666 & ~storage._umask()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text("utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]


def test_an_unwritable_folder_is_noticed_before_the_work(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    for folder in (file, file / "below", Path("/proc/antumbra"), Path("a\0b")):
        with pytest.raises(InputError, match="--out"):
            prepare_folder(folder)
    prepare_folder(tmp_path / "new" / "deep")
    assert list((tmp_path / "new" / "deep").iterdir()) == []


def subset(ledger: Ledger, keep: slice, **changes: Any) -> Ledger:
    settings: dict[str, Any] = {
        "version": ledger.antumbra,
        "profile": ledger.profile,
        "seed": ledger.seed,
        "definitions": ledger.definitions,
        "claims": ledger.claims[keep],
        "figures": [],
        "environment": ledger.environment,
    }
    return records.assemble(**(settings | changes))


def test_merging_marks_the_rest_as_older(ledger: Ledger) -> None:
    order = [claim.id for claim in ledger.claims]
    new = subset(ledger, slice(2, 4))
    merged = merge(new, ledger, order)
    assert [claim.id for claim in merged.claims] == order
    assert [claim.id for claim in merged.claims if not claim.older] == order[2:4]
    assert decode(as_json(merged)) == merged
    assert {claim.id for claim in merged.unexpected()} <= set(order[2:4])


def test_nothing_is_merged_across_versions_or_definitions(ledger: Ledger) -> None:
    order = [claim.id for claim in ledger.claims]
    new = subset(ledger, slice(0, 1))
    assert merge(new, subset(ledger, slice(0, 9), version="0.0.0"), order) == new
    changed = [{**entry, "text": f"{entry['text']} otherwise"} for entry in ledger.definitions]
    assert merge(new, subset(ledger, slice(0, 9), definitions=changed), order) == new
