"""Registration, lookup and the seeds of checks."""

import pytest
from antumbra.numerics import registry
from antumbra.numerics.registry import DuplicateEvidenceError, RunContext, evidence, lookup
from antumbra.proofs.claim import Evidence, Kind, Outcome


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ENTRIES", {})


def passing(context: RunContext) -> Evidence:
    return Evidence(Kind.FLOW, Outcome.PASS, context.claim)


def other_passing(context: RunContext) -> Evidence:
    return passing(context)


def test_one_check_per_claim_part_and_kind() -> None:
    evidence("thm0.x", kind=Kind.FLOW, part="rate")(passing)
    evidence("thm0.x", kind=Kind.FLOW, part="rate")(passing)  # the same function, as when a module is imported again
    evidence("thm0.x", kind=Kind.FLOW)(passing)
    with pytest.raises(DuplicateEvidenceError, match=r"thm0\.x:rate\[flow\].*keep one"):
        evidence("thm0.x", kind=Kind.FLOW, part="rate")(other_passing)
    assert [entry.id for entry in lookup("thm0.x")] == ["thm0.x[flow]", "thm0.x:rate[flow]"]
    assert [entry.part for entry in lookup("thm0.x", "other")] == [""]
    assert lookup("thm0.y") == ()


def test_a_check_sees_its_claim_and_must_return_its_kind() -> None:
    evidence("thm0.x", kind=Kind.FLOW)(passing)
    evidence("thm0.x", kind=Kind.ATTACK)(passing)
    attack, flow = lookup("thm0.x")
    assert flow.run(RunContext()).summary == "thm0.x"
    with pytest.raises(TypeError, match="kind attack"):
        attack.run(RunContext())


def test_randomness_depends_on_seed_claim_and_purpose_alone() -> None:
    context = RunContext(seed=5)
    first = context.for_claim("thm11.sphere").rng().integers(1 << 60, size=4).tolist()
    context.for_claim("thm11.flat").rng().integers(9)
    assert context.for_claim("thm11.sphere").rng().integers(1 << 60, size=4).tolist() == first
    others = {
        context.for_claim("thm11.flat").stream(),
        RunContext(seed=6).for_claim("thm11.sphere").stream(),
        context.for_claim("thm11.sphere").stream("starts"),
        context.for_claim("thm11.sphere").stream(),
    }
    assert len(others) == 4
    # Fixed for ever: a stored ledger is reproduced from its seed.
    assert RunContext(seed=1, claim="thm11.sphere").stream() == 161277995079973379677495089241543282116


def test_bad_contexts_are_refused() -> None:
    with pytest.raises(ValueError, match="seed is -1"):
        RunContext(seed=-1)
    with pytest.raises(ValueError, match="quick, standard, deep"):
        RunContext(profile="fast")  # type: ignore[arg-type]
