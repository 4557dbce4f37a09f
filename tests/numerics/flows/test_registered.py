"""What is registered: against the index and the statements, under the quick profile, and as strict JSON."""

import itertools
import json
from collections.abc import Iterator
from importlib import resources

import pytest
from antumbra.numerics import registry
from antumbra.numerics.registry import Entry, RunContext
from antumbra.proofs.claim import Kind, Outcome
from antumbra.proofs.statements import claims

registry.load_all()
ENTRIES = [entry for entry in registry.entries() if entry.check.__module__.startswith(registry.FLOWS)]
NUMERICAL = (Kind.FLOW, Kind.PRECISION, Kind.ENCLOSURE, Kind.ATTACK)
WEIGHTS = "thm39.trained"
"""Needs the weights of trained networks, which are not part of a run without them."""


def rows() -> dict[str, list[str]]:
    import tomllib

    text = resources.files("antumbra.proofs").joinpath("index.toml").read_text(encoding="utf-8")
    return {row["id"]: row["required"] for row in tomllib.loads(text)["claim"]}


def test_the_registry_is_not_empty() -> None:
    assert len(ENTRIES) > 150
    assert {entry.kind for entry in ENTRIES} == set(NUMERICAL)


def test_every_entry_has_its_row_and_its_part() -> None:
    known, index = claims(), rows()
    for entry in ENTRIES:
        assert entry.claim in index, entry.id
        if entry.claim in known and entry.part:
            assert entry.part in [part.name for part in known[entry.claim].parts], entry.id


@pytest.mark.parametrize("kind", NUMERICAL, ids=lambda kind: kind.value)
def test_every_row_that_requires_a_kind_has_it(kind: Kind) -> None:
    missing = [
        claim
        for claim, required in rows().items()
        if kind.value in required
        and claim != WEIGHTS
        and not any(entry.kind is kind for entry in registry.lookup(claim))
    ]
    assert missing == []


def test_certified_numbers_have_both_routes_for_each_part() -> None:
    for claim in ("thm25.crossing_value", "open.critical_time"):
        for part in claims()[claim].parts:
            kinds = {entry.kind for entry in registry.lookup(claim, part.name)}
            assert {Kind.ENCLOSURE, Kind.PRECISION} <= kinds, (claim, part.name)


def strict(value: object) -> Iterator[object]:
    json.dumps(value, allow_nan=False)
    yield value


@pytest.mark.parametrize(
    # Attacks on a formula alone have no search of ours; `tests/numerics/test_attack.py` tests that attack.
    "entry",
    [entry for entry in ENTRIES if not entry.check.__qualname__.startswith("stated:")],
    ids=lambda entry: entry.id,
)
def test_every_check_passes_quickly_and_says_so(entry: Entry) -> None:
    evidence = entry.run(RunContext(seed=0, profile="quick"))
    assert evidence.outcome is Outcome.PASS, evidence.summary
    assert evidence.summary[0].isupper()
    assert evidence.summary.endswith(".")
    assert any(character.isdigit() for character in evidence.summary)
    assert list(strict(dict(evidence.data)))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("entry", "seed"),
    list(itertools.product([entry for entry in ENTRIES if entry.kind in (Kind.FLOW, Kind.ATTACK)], range(1, 11))),
    ids=lambda value: value.id if isinstance(value, Entry) else str(value),
)
def test_no_seed_makes_a_check_fail(entry: Entry, seed: int) -> None:
    assert entry.run(RunContext(seed=seed, profile="standard")).outcome in (Outcome.PASS, Outcome.VACUOUS)


def test_the_same_seed_gives_the_same_evidence() -> None:
    for claim, kind in (("thm11.sphere", Kind.FLOW), ("thm22.ode_sa", Kind.FLOW), ("thm39.bound", Kind.ATTACK)):
        entry = next(entry for entry in registry.lookup(claim) if entry.kind is kind)
        first, second = (entry.run(RunContext(seed=3, profile="quick")) for _ in range(2))
        other = entry.run(RunContext(seed=4, profile="quick"))
        assert first.outcome is second.outcome
        # The attack on the formula stops by the clock; what it tried is not a function of the seed, what it says is.
        assert first.data.get("search", first.data) == second.data.get("search", second.data)
        assert first.data.get("search", first.data) != other.data.get("search", other.data)
