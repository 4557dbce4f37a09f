"""The search finds what is false, finds nothing against what is true, and says when it saw nothing."""

from fractions import Fraction

import numpy as np
import pytest
from antumbra.numerics import attack
from antumbra.numerics.attack import Plan, attack_part, hunt
from antumbra.numerics.families import Family, ImpossibleFamilyError, Relations, Supply, cayley, solve, stereographic
from antumbra.numerics.registry import RunContext
from antumbra.proofs.claim import Kind, Outcome, Part, Quantifier
from antumbra.proofs.kernel.witness import Ground
from antumbra.proofs.registry import signature, statement

SMALL = Plan(seconds=60, points=32, families=2, rounds=2, largest=(2, 2, 2))


def run(claim: str, part: str, seed: int = 0, drops: tuple[str, ...] = (), plan: Plan = SMALL) -> attack.Hunt:
    entry = statement(claim).part(part)
    ground = Ground(signature(), entry.hypotheses, entry.domain)  # type: ignore[arg-type]
    return hunt(ground, entry.statement, np.random.default_rng(seed), claim=claim, part=part, drops=drops, plan=plan)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("claim", "part", "tokens"),
    [("thm11.softmax_multi_head", "monotone", 1), ("thm11.softmax_multi_head", "several_tokens", 2)],
)
def test_false_statements_are_refuted_at_the_smallest_sizes(claim: str, part: str, tokens: int, seed: int) -> None:
    found = run(claim, part, seed)
    assert found.certificate is not None
    assert found.model is not None
    assert dict(found.model.sizes) == {"token": tokens, "head": 2, "axis": 2}
    entries = [leaf for matrix in found.model.operators["M"] for row in matrix for leaf in row]  # type: ignore[union-attr]
    assert all(abs(entry.numerator) <= 10 and entry.denominator <= 10 for entry in entries), "simple rationals"


@pytest.mark.parametrize("claim", ["thm27.general", "thm22.literal_superadditive", "open.invariance"])
def test_other_false_rows_are_refuted(claim: str) -> None:
    parts = [part.name for part in statement(claim).parts if part.quantifier is Quantifier.UNIVERSAL]
    assert any(run(claim, part).certificate is not None for part in parts)


@pytest.mark.parametrize("dropped", ["symmetry", "alignment"])
def test_a_dropped_hypothesis_is_shown_to_matter(dropped: str) -> None:
    found = run("thm11.sphere", "monotone", drops=(dropped,))
    assert found.certificate is not None
    assert found.certificate["drops"] == [dropped]
    assert found.certificate["sense"] == "fails"


@pytest.mark.parametrize(
    ("claim", "part"),
    [
        ("projection.pythagoras", "identity"),
        ("thm11.sphere", "rate"),
        ("thm11.sphere", "monotone"),
        ("thm11.bounded", "bound"),
        ("thm12.bound", "bound"),
        ("thm16.flat", "rate"),
        ("thm17.sphere", "rate"),
        ("thm39.identity", "rate"),
        ("thm39.bound", "bound"),
        ("thm22.invariance", "usa"),
    ],
)
def test_true_statements_are_not_refuted(claim: str, part: str) -> None:
    found = run(claim, part, plan=Plan(seconds=60, points=16, families=1, rounds=1, largest=(2, 2, 2)))
    assert found.certificate is None
    assert found.unconfirmed == 0
    assert found.decided > 100


def test_every_mutant_of_theorem_11_is_refuted() -> None:
    for claim in ("thm11.flat", "thm11.sphere", "thm11.softmax_single_head"):
        for part in statement(claim).parts:
            for mutant in part.mutants:
                if part.name == "equality_case" or "strict" in mutant.name:
                    continue  # they differ where an equation holds exactly, which floats cannot meet
                hypotheses = part.hypotheses if mutant.hypotheses is None else mutant.hypotheses
                ground = Ground(signature(), hypotheses, part.domain)  # type: ignore[arg-type]
                found = hunt(ground, mutant.statement, np.random.default_rng(1), plan=SMALL)
                assert found.certificate is not None, (claim, mutant.name)


def test_starts_do_not_know_the_claim() -> None:
    plan = Plan(seconds=60, points=16, families=1, rounds=1, largest=(2, 2, 2))
    first, second = run("thm11.sphere", "rate", plan=plan), run("thm11.sphere", "rate", plan=plan)
    assert (first.tried, first.worst_margin) == (second.tried, second.worst_margin)
    entry = statement("thm11.sphere").part("rate")
    ground = Ground(signature(), entry.hypotheses, ())
    named = hunt(ground, entry.statement, np.random.default_rng(0), claim="another", part="name", plan=plan)
    assert (named.tried, named.worst_margin) == (first.tried, first.worst_margin)


CONTEXT = RunContext(seed=2, profile="quick")


def test_outcomes_of_attacks_on_parts() -> None:
    def outcome(claim: str, part: str) -> Outcome:
        found = attack_part(claim, statement(claim).part(part), signature(), CONTEXT)
        assert found.kind is Kind.ATTACK
        return found.outcome

    assert outcome("thm11.sphere", "rate") is Outcome.PASS
    assert outcome("thm11.finite_dissipation", "integral") is Outcome.NOT_RUN
    assert outcome("cond8.not_necessary", "point") is Outcome.NOT_RUN


def test_an_attack_that_met_no_instance_is_vacuous() -> None:
    impossible = ("lt", ("size", "token"), ("q", "1", "1"))
    part = Part("none", ("ge", ("q", "0", "1"), ("q", "1", "1")), "", domain=(impossible,))
    found = attack_part("thm0.none", part, signature(), CONTEXT)
    assert found.outcome is Outcome.VACUOUS
    assert found.data["met_the_hypotheses"] == 0


def test_a_false_part_fails_with_a_certificate() -> None:
    part = Part("one", ("ge", ("s", "beta", ()), ("q", "1", "1")), "beta is at least 1")
    found = attack_part("thm0.beta", part, signature(), CONTEXT)
    assert found.outcome is Outcome.FAIL
    assert found.certificate is not None
    assert Fraction(found.certificate["model"]["scalars"]["beta"]) < 1


def test_float_violations_that_the_kernel_does_not_confirm_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise attack.WitnessError("no")

    monkeypatch.setattr(attack, "certify", refuse)
    part = Part("one", ("ge", ("s", "beta", ()), ("q", "1", "1")), "beta is at least 1")
    assert attack_part("thm0.beta", part, signature(), CONTEXT).outcome is Outcome.UNDECIDED


# --- families ---------------------------------------------------------------------------------------------------------


def exact_points(count: int) -> np.ndarray:
    row = np.empty((1, count), dtype=object)
    row[0, :] = [Fraction((7 * k) % 11 - 5, 1 + k % 4) for k in range(count)]
    return row


def test_constructions_are_exact_on_fractions() -> None:
    rotation = cayley(Supply(exact_points(3)), 3)
    product = rotation @ rotation.transpose(0, 2, 1)
    assert (product == np.eye(3, dtype=int)).all()
    vectors = stereographic(Supply(exact_points(6)), 3, 3)
    assert ((vectors * vectors).sum(axis=-1) == 1).all()
    matrix = exact_points(9).reshape(1, 3, 3) + 20 * np.eye(3, dtype=int)
    right = exact_points(3).reshape(1, 3, 1)
    assert (matrix @ solve(matrix, right) == right).all()


GROUNDS = {
    "orthogonal": [("unit", "x"), ("symmetric", "M"), ("orthogonal_operators", "M"), ("same_operator", "W", "M")],
    "projectors": [("scaled_operator", "M", ("s", "alpha", ()), "Q"), ("projector", "Q"), ("resolution", "Q")],
    "equiangular": [("gram", "x", ("s", "gamma", ())), ("scalar_operator", "M", "lambda")],
    "orthogonal_tokens": [("gram", "x", ("q", "0", "1"))],
}


@pytest.mark.parametrize("name", sorted(GROUNDS))
def test_families_meet_their_relations_exactly(name: str) -> None:
    """Every relation by the kernel's exact evaluator, at rational points, for several discrete structures."""
    from antumbra.proofs.kernel.evaluate import evaluate_formula
    from antumbra.proofs.kernel.models import Model

    names = Ground(signature()).names
    symbols = {key: names.symbols[key] for key in ("x", "M", "W", "Q", "alpha", "beta", "gamma", "lambda")}
    for seed in range(8):
        sizes = {"token": 2, "head": 2, "axis": 3}
        family = Family(symbols, Relations.of(GROUNDS[name]), sizes, np.random.default_rng(seed))
        built = family.build(exact_points(family.parameters))
        parts: dict[str, dict] = {"scalar": {}, "vector": {}, "operator": {}}
        for key, value in built.items():
            parts[symbols[key].type][key] = attack._nested(value[0])
        model = Model(sizes, parts["scalar"], parts["vector"], parts["operator"])
        model.check(names)
        for formula in GROUNDS[name]:
            assert evaluate_formula(names, model, formula) is True, formula


def test_impossible_families_are_refused() -> None:
    names = Ground(signature()).names
    symbols = {"x": names.symbols["x"], "gamma": names.symbols["gamma"]}
    relations = Relations.of([("gram", "x", ("s", "gamma", ()))])
    with pytest.raises(ImpossibleFamilyError):
        Family(symbols, relations, {"token": 3, "head": 1, "axis": 2}, np.random.default_rng(0))
    single = Relations.of([("single", "token")])
    with pytest.raises(ImpossibleFamilyError):
        Family(symbols, single, {"token": 2, "head": 1, "axis": 2}, np.random.default_rng(0))
