"""Samplers meet what they promise, and each hypothesis has a check with teeth."""

from fractions import Fraction

import numpy as np
import pytest
from antumbra.numerics import sample
from antumbra.numerics.dynamics import System, operator_norms, row_norms
from antumbra.numerics.sample import HYPOTHESES, Extra, defect, holds


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def system(tokens: np.ndarray, scores: np.ndarray, values: np.ndarray | None = None, beta: float = 1.0) -> System:
    return System(tokens, scores, scores if values is None else values, beta)


@pytest.mark.parametrize(
    "tokens",
    [
        sample.uniform_tokens(rng(), 7, 4),
        sample.clustered_tokens(rng(), 7, 4, 1e-6),
        sample.antipodal_tokens(rng(), 7, 4, 1e-3),
        sample.nearly_degenerate_tokens(rng(), 7, 4, 1e-9),
        sample.orthogonal_tokens(rng(), 4, 6),
        sample.equiangular_tokens(rng(), 4, 5, -0.2),
    ],
    ids=["uniform", "clustered", "antipodal", "degenerate", "orthogonal", "equiangular"],
)
def test_tokens_are_unit_to_rounding(tokens: np.ndarray) -> None:
    assert float(np.abs(row_norms(tokens) - 1).max()) <= 4 * np.finfo(float).eps


@pytest.mark.parametrize(("n", "d", "gamma"), [(4, 4, 0.3), (4, 3, -1 / 3), (4, 7, -0.1), (5, 1, 1.0), (2, 2, -1.0)])
def test_equiangular_tokens_have_that_gram_matrix(n: int, d: int, gamma: float) -> None:
    tokens = sample.equiangular_tokens(rng(3), n, d, gamma)
    gram = (1 - gamma) * np.eye(n) + gamma
    np.testing.assert_allclose(tokens @ tokens.T, gram, atol=4e-15)


def test_equiangular_domain() -> None:
    with pytest.raises(ValueError, match=r"-0\.333"):
        sample.equiangular_tokens(rng(), 4, 9, -0.34)
    with pytest.raises(ValueError, match="need d >= 4"):
        sample.equiangular_tokens(rng(), 4, 3, 0.5)


def test_antipodal_tokens_occupy_both_sides_and_degenerate_ones_nearly_coincide() -> None:
    sides = sample.antipodal_tokens(rng(), 6, 3)
    assert (sides @ sides.T).min() == pytest.approx(-1, abs=1e-15)
    close = sample.nearly_degenerate_tokens(rng(), 8, 3, 1e-7)
    off = (close @ close.T)[np.triu_indices(8, 1)]
    assert off.max() > 1 - 1e-12


def test_rational_tokens_are_exactly_unit_and_not_all_dyadic() -> None:
    tokens = sample.rational_tokens(rng(), 20, 4)
    assert all(sum(entry * entry for entry in token) == 1 for token in tokens)
    denominators = [entry.denominator for token in tokens for entry in token]
    assert any(value & (value - 1) for value in denominators)


def test_nearest_rational_unit_is_unit_and_near() -> None:
    for vector in sample.uniform_tokens(rng(5), 30, 3):
        exact = sample.nearest_rational_unit(list(vector), 10**6)
        assert sum(entry * entry for entry in exact) == 1
        assert max(abs(float(a) - b) for a, b in zip(exact, vector, strict=True)) < 1e-5
    assert sample.nearest_rational_unit([1.0, 0.0], 5) == (Fraction(1), Fraction(0))
    assert sample.nearest_rational_unit([-1.0, 0.0], 5) == (Fraction(-1), Fraction(0))


def test_samples_depend_on_the_seed_alone() -> None:
    for sampler in (
        lambda r: sample.uniform_tokens(r, 3, 3),
        lambda r: sample.orthogonal_heads(r, 2, 4),
        lambda r: sample.as_floats(sample.rational_tokens(r, 3, 3)),
    ):
        assert np.array_equal(sampler(rng(9)), sampler(rng(9)))
        assert not np.array_equal(sampler(rng(9)), sampler(rng(10)))


TOKENS = sample.uniform_tokens(rng(1), 4, 5)


def test_head_families_meet_their_hypotheses() -> None:
    families = {
        "scalar": (system(TOKENS, sample.scalar_heads([1.0, -0.3], 5)), Extra()),
        "projectors": (system(TOKENS, sample.projector_heads(rng(), 2, 5, 2, alpha=1.5)), Extra(alpha=1.5)),
        "resolution": (system(TOKENS, sample.resolving_projectors(rng(), 3, 5, alpha=0.7)), Extra(alpha=0.7)),
        "orthogonality": (system(TOKENS, sample.orthogonal_heads(rng(), 3, 5)), Extra()),
        "symmetry": (system(TOKENS, sample.semidefinite_heads(rng(), 3, 5)), Extra()),
        "near_orthogonality": (system(TOKENS, sample.near_orthogonal_heads(rng(), 3, 5, 0.1)), Extra(delta=0.1)),
        "equal_heads": (system(TOKENS, sample.scalar_heads([0.5, 0.5], 5)), Extra()),
    }
    for name, (model, extra) in families.items():
        assert holds(name, model, extra), name
    for name in ("projectors", "orthogonality", "symmetry"):
        assert holds(name, families["resolution"][0], Extra(alpha=0.7))


def test_families_are_not_degenerate() -> None:
    scores = sample.orthogonal_heads(rng(2), 3, 5)
    np.testing.assert_allclose(operator_norms(scores), 1.0, rtol=1e-12)
    eigenvalues = np.linalg.eigvalsh(sample.symmetric_heads(rng(2), 4, 5))
    assert eigenvalues.min() < 0 < eigenvalues.max()
    assert np.linalg.eigvalsh(sample.semidefinite_heads(rng(2), 4, 5)).min() > -1e-12
    assert sample.overlap(sample.near_orthogonal_heads(rng(), 3, 5, 0.1)) == pytest.approx(0.1, rel=1e-6)
    assert [round(float(np.trace(p))) >= 1 for p in sample.resolving_projectors(rng(), 5, 5)] == [True] * 5
    with pytest.raises(ValueError, match="H <= d"):
        sample.resolving_projectors(rng(), 6, 5)
    exact = sample.rational_symmetric_heads(rng(), 2, 3)
    assert all(m[r][c] == m[c][r] for m in exact for r in range(3) for c in range(3))


def test_misaligned_values_have_that_distance() -> None:
    scores = sample.symmetric_heads(rng(), 2, 5)
    values = sample.misaligned_values(rng(1), scores, 0.25)
    np.testing.assert_allclose(operator_norms(values - scores), 0.25, rtol=1e-12)
    model = system(TOKENS, scores, values)
    assert holds("misalignment", model, Extra(eta=0.25))
    assert defect("misalignment", model, Extra(eta=0.2)) == pytest.approx(0.05)
    assert not holds("alignment", model)


def test_low_rank_factors_multiply_to_low_rank_heads() -> None:
    factors = sample.low_rank_heads(rng(), 3, 5, 2)
    assert np.linalg.matrix_rank(factors.score_matrices()).tolist() == [2, 2, 2]
    model = System.of_factors(TOKENS, factors, 1.0)
    assert holds("symmetry", model)
    assert holds("alignment", model)
    assert not holds("symmetry", System.of_factors(TOKENS, sample.low_rank_heads(rng(), 3, 5, 2, symmetric=False), 1.0))


def broken(name: str) -> tuple[System, Extra]:
    """A model in which the hypothesis clearly fails."""
    general = system(TOKENS, sample.general_heads(rng(4), 2, 5), sample.general_heads(rng(5), 2, 5), beta=2.0)
    if name == "unit":
        flat = System(1.1 * TOKENS, general.scores, general.values, 1.0, geometry="flat")  # type: ignore[arg-type]
        return flat, Extra()
    if name == "ratio_bound":
        return general, Extra(ratio=1e-3)
    if name == "dominance":
        scalar = sample.scalar_heads([1.0, 1.0], 5)
        return system(sample.clustered_tokens(rng(), 4, 5, 0.01), scalar, beta=5.0), Extra()
    return general, Extra()


@pytest.mark.parametrize("name", sorted(HYPOTHESES))
def test_each_check_refuses_a_model_that_breaks_it(name: str) -> None:
    model, extra = broken(name)
    assert defect(name, model, extra) > 1e-3
    assert not holds(name, model, extra)


def test_remaining_checks_accept_a_model_that_meets_them() -> None:
    heads = sample.scalar_heads([0.5, 0.5], 5)
    model = system(sample.equiangular_tokens(rng(), 4, 5, 0.2), heads)
    for name in ("unit", "alignment", "scalar", "equal_norms", "equal_normalisers", "equal_heads"):
        assert holds(name, model), name
    assert holds("equiangular", model, Extra(gamma=0.2))
    assert not holds("equiangular", model, Extra(gamma=0.2001))
    assert holds("ratio_bound", model, Extra(ratio=1.0))
    assert holds("orthogonal_tokens", system(sample.orthogonal_tokens(rng(), 4, 5), heads))
    assert holds("single_head", system(TOKENS, heads[:1]))
    assert holds(
        "dominance", system(sample.orthogonal_tokens(rng(), 5, 5), sample.scalar_heads([1.0, 1.0], 5), beta=0.1)
    )


def test_an_unknown_hypothesis_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="alignment"):
        defect("nothing", broken("unit")[0])
