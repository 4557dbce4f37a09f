"""The fields and observables against their definitions, written again as plain loops in mpmath."""

import math

import mpmath
import numpy as np
import pytest
from antumbra.numerics import dynamics, right_hand_side, sample
from antumbra.numerics.dynamics import Field, Geometry, LowRank, RangeError, RightHandSide, System


def loop_outputs(system: System) -> tuple[list, list]:
    """F and Z by the definition, in 30-digit arithmetic."""
    x = [[mpmath.mpf(float(c)) for c in row] for row in system.tokens]
    n, d = system.n, system.d
    outputs, totals = [], []
    for head in range(system.heads):
        m = [[mpmath.mpf(float(c)) for c in row] for row in system.scores[head]]
        w = [[mpmath.mpf(float(c)) for c in row] for row in system.values[head]]
        rows, sums = [], []
        for i in range(n):
            f, z = [mpmath.mpf(0)] * d, mpmath.mpf(0)
            for j in range(n):
                s = sum(x[i][a] * m[a][b] * x[j][b] for a in range(d) for b in range(d))
                e = mpmath.exp(system.beta * s)
                z += e
                for a in range(d):
                    f[a] += e * sum(w[a][b] * x[j][b] for b in range(d))
            rows.append(f)
            sums.append(z)
        outputs.append(rows)
        totals.append(sums)
    return outputs, totals


def as_array(values: list) -> np.ndarray:
    return np.array(values, dtype=object).astype(float)


def general_system(seed: int, n: int = 3, d: int = 3, heads: int = 2, beta: float = 1.3, **options: object) -> System:
    rng = np.random.default_rng(seed)
    tokens = sample.uniform_tokens(rng, n, d)
    return System(tokens, sample.general_heads(rng, heads, d), sample.general_heads(rng, heads, d), beta, **options)


@pytest.mark.parametrize("shape", [(1, 2, 1), (3, 3, 2), (4, 2, 3), (2, 4, 1)])
def test_outputs_shadows_and_normalisers_are_their_definitions(shape: tuple[int, int, int]) -> None:
    n, d, heads = shape
    system = general_system(n, n, d, heads)
    with mpmath.workdps(30):
        outputs, totals = loop_outputs(system)
        f, z = as_array(outputs), as_array(totals)
    np.testing.assert_allclose(dynamics.head_outputs(system), f, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dynamics.normalisers(system), z, rtol=1e-14)
    a = np.einsum("hik,ik->hi", f, system.tokens)
    np.testing.assert_allclose(dynamics.shadows(system), a, rtol=0, atol=1e-13)
    norms = np.sqrt((f**2).sum(axis=-1))
    np.testing.assert_allclose(dynamics.ratios(system), abs(a) / norms, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dynamics.head_energies(system), z.sum(axis=1) / (2 * system.beta * n**2), rtol=1e-14)
    usa = f.sum(axis=0) / n
    softmax = (f / z[..., None]).sum(axis=0)
    for field, expected in ((Field.USA, usa), (Field.SA, softmax)):
        for geometry in Geometry:
            moved = System(system.tokens, system.scores, system.values, system.beta, field, geometry)
            wanted = expected
            if geometry is Geometry.SPHERE:
                radial = (expected * system.tokens).sum(axis=1)
                wanted = expected - radial[:, None] * system.tokens
            np.testing.assert_allclose(dynamics.velocities(moved), wanted, rtol=0, atol=1e-13)
    tangent = f - a[..., None] * system.tokens
    others = abs(a).sum(axis=0) - abs(a)
    margins = (tangent**2).sum(axis=-1) - norms * others
    np.testing.assert_allclose(dynamics.dominance_margins(system), margins, rtol=0, atol=1e-12)
    assert np.array_equal(np.sign(dynamics.dominance_margins(system, scaled=True)), np.sign(margins))


def test_entropy_is_its_definition() -> None:
    system = general_system(5, n=4)
    scores = np.einsum("ia,hab,jb->hij", system.tokens, system.scores, system.tokens)
    weights = np.exp(system.beta * scores)
    weights /= weights.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(dynamics.entropies(system), -(weights * np.log(weights)).sum(axis=2), rtol=1e-13)


def test_entropy_at_equal_scores_is_the_logarithm_of_n() -> None:
    tokens = np.tile([[0.6, 0.8]], (5, 1))
    system = System(tokens, np.eye(2)[None], np.eye(2)[None], 3.0)
    np.testing.assert_allclose(dynamics.entropies(system), math.log(5), rtol=1e-15)


def test_gradient_of_the_energy_is_the_derivative_of_the_energy() -> None:
    """Central differences in 40 digits; neither symmetry nor alignment is assumed."""
    system = general_system(7, n=3, d=2, heads=2)
    gradients = dynamics.energy_gradients(system)
    with mpmath.workdps(40):
        step = mpmath.mpf(10) ** -12

        def energy(head: int, tokens: list) -> mpmath.mpf:
            m = [[mpmath.mpf(float(c)) for c in row] for row in system.scores[head]]
            total = mpmath.mpf(0)
            for first in tokens:
                for second in tokens:
                    total += mpmath.exp(
                        system.beta * sum(first[a] * m[a][b] * second[b] for a in range(2) for b in range(2))
                    )
            return total / (2 * system.beta * len(tokens) ** 2)

        base = [[mpmath.mpf(float(c)) for c in row] for row in system.tokens]
        for head in range(2):
            for i in range(3):
                for a in range(2):
                    up, down = [row[:] for row in base], [row[:] for row in base]
                    up[i][a] += step
                    down[i][a] -= step
                    slope = (energy(head, up) - energy(head, down)) / (2 * step)
                    assert abs(float(slope) - gradients[head, i, a]) < 1e-14


def test_energy_rate_is_the_slope_of_the_energy_along_the_flow() -> None:
    system = general_system(11, n=4, d=3, heads=2)
    velocity = dynamics.velocities(system)
    step = 1e-5
    up = dynamics.head_energies(system.at(dynamics.normalised(system.tokens + step * velocity)))
    down = dynamics.head_energies(system.at(dynamics.normalised(system.tokens - step * velocity)))
    # The retraction agrees with the flow to second order; the even error terms cancel up to O(step^2).
    np.testing.assert_allclose(dynamics.energy_rates(system), (up - down) / (2 * step), rtol=0, atol=1e-8)


ROUTES = {
    "blocks": {"STACK_LIMIT": 0, "BLOCK": 4},
    "rows": {"STACK_LIMIT": 0, "SAFE_SHARE": 0.0, "TILE_ENTRIES": 20, "LEAST_ROWS": 2},
}


def structured_systems(field: Field) -> dict[str, System]:
    """Systems of nine tokens whose heads have every structure that a route treats apart."""
    rng = np.random.default_rng(3)
    tokens = sample.uniform_tokens(rng, 9, 5)
    scalar = sample.scalar_heads([0.5, -1.5, 1.0], 5)
    symmetric, general = sample.symmetric_heads(rng, 3, 5), sample.general_heads(rng, 3, 5)
    return {
        "general": System(tokens, general, symmetric, 1.5, field),
        "symmetric": System(tokens, symmetric, general, 1.5, field),
        "scalar": System(tokens, scalar, scalar, 1.5, field),
        "scalar scores": System(tokens, scalar, general, 1.5, field),
        "scalar values": System(tokens, symmetric, scalar, 1.5, field),
        "low rank": System.of_factors(tokens, sample.low_rank_heads(rng, 3, 5, 2, symmetric=False), 1.5, field),
        "symmetric low rank": System.of_factors(tokens, sample.low_rank_heads(rng, 3, 5, 2), 1.5, field),
    }


@pytest.mark.parametrize("field", [Field.USA, Field.SA])
@pytest.mark.parametrize("route", sorted(ROUTES))
def test_all_routes_give_the_field_of_the_definition(route: str, field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, system in structured_systems(field).items():
        outputs = dynamics.head_outputs(system)
        if field is Field.SA:
            outputs = outputs / dynamics.normalisers(system)[..., None]
        expected = outputs.sum(axis=0) / (1 if field is Field.SA else system.n)
        expected = dynamics.tangential(system.tokens, expected)
        np.testing.assert_allclose(dynamics.velocities(system), expected, atol=1e-13, err_msg=name)
        for constant, value in ROUTES[route].items():
            monkeypatch.setattr(right_hand_side, constant, value)
        np.testing.assert_allclose(dynamics.velocities(system), expected, atol=1e-13, err_msg=name)
        np.testing.assert_allclose(RightHandSide(system, 2)(system.tokens), expected, atol=1e-13, err_msg=name)
        monkeypatch.undo()


def test_steep_scores_take_the_scaled_route() -> None:
    """At beta ||M|| = 5,000 unscaled exponentials overflow; large systems switch by themselves."""
    rng = np.random.default_rng(3)
    tokens = sample.uniform_tokens(rng, 300, 4)
    heads = 5000 * sample.symmetric_heads(rng, 1, 4)
    system = System(tokens, heads, heads, 1.0, Field.SA)
    velocity = dynamics.velocities(system)
    assert np.isfinite(velocity).all()
    rows = slice(0, 5)
    scores = tokens[rows] @ heads[0] @ tokens.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = (weights / weights.sum(axis=1, keepdims=True)) @ (tokens @ heads[0].T)
    np.testing.assert_allclose(velocity[rows], dynamics.tangential(tokens[rows], expected), rtol=1e-9, atol=1e-6)


def test_relu_field_is_its_definition() -> None:
    rng = np.random.default_rng(4)
    tokens = sample.uniform_tokens(rng, 5, 3)
    head = sample.scalar_heads([1.7], 3)
    system = System(tokens, head, head, 1.0, Field.RELU)
    wanted = np.zeros((5, 3))
    for i in range(5):
        for j in range(5):
            wanted[i] += max(0.0, 1.7 * float(tokens[i] @ tokens[j])) * 1.7 * tokens[j] / 5
        wanted[i] -= (wanted[i] @ tokens[i]) * tokens[i]
    np.testing.assert_allclose(dynamics.velocities(system), wanted, atol=1e-15)
    other = sample.scalar_heads([1.7, 1.0], 3)
    with pytest.raises(ValueError, match="one scalar head"):
        System(tokens, other, other, 1.0, Field.RELU)


def test_softmax_of_710_and_minus_710_is_one_and_zero() -> None:
    """The unscaled quotient is nan."""
    tokens = np.array([[1.0, 0.0], [-1.0, 0.0]])
    heads = np.eye(2)[None]
    system = System(tokens, heads, heads, 710.0, Field.SA)
    parts = dynamics.scaled_outputs(system)
    assert np.array_equal(parts.normalisers, [[1.0, 1.0]])
    np.testing.assert_array_equal(parts.outputs / parts.normalisers[..., None], [tokens])
    np.testing.assert_array_equal(dynamics.entropies(system), [[0.0, 0.0]])
    assert np.isfinite(dynamics.velocities(system)).all()


def test_unnormalised_overflow_is_refused_before_the_run() -> None:
    tokens = np.array([[1.0, 0.0], [0.0, 1.0]])
    heads = 2 * np.eye(2)[None]
    with pytest.raises(RangeError, match=r"beta\*\|\|M\|\|.* is 710 for head 0.*allow"):
        RightHandSide(System(tokens, heads, heads, 355.0))
    # Just within the limit nothing overflows.
    assert np.isfinite(RightHandSide(System(tokens, heads, heads, 350.0))(tokens)).all()
    single = System(tokens.astype(np.float32), heads, heads, 45.0)
    with pytest.raises(RangeError, match="float32"):
        RightHandSide(single)
    with pytest.raises(RangeError, match="energies"):
        dynamics.head_energies(System(tokens, heads, heads, 500.0, Field.SA))


def test_float32_stays_float32_and_agrees() -> None:
    system = general_system(13, n=6, d=4, heads=2)
    single = System(system.tokens.astype(np.float32), system.scores, system.values, system.beta)
    velocity = dynamics.velocities(single)
    assert velocity.dtype == np.float32
    np.testing.assert_allclose(velocity, dynamics.velocities(system), atol=2e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"beta": 0.0}, "beta is 0.0"),
        ({"beta": math.nan}, "beta is nan"),
        ({"tokens": np.ones((2, 2))}, "norm differs from 1"),
        ({"tokens": np.zeros(3)}, r"shape \(3,\)"),
        ({"scores": np.zeros((1, 3, 3))}, "scores have shape"),
        ({"scores": np.full((1, 2, 2), math.inf)}, "not finite"),
        ({"values": np.zeros((2, 2, 2))}, "differ"),
        ({"field": "softmax"}, "softmax"),
    ],
)
def test_bad_systems_are_refused(change: dict, message: str) -> None:
    good = {"tokens": np.eye(2), "scores": np.eye(2)[None], "values": np.eye(2)[None], "beta": 1.0}
    with pytest.raises(ValueError, match=message):
        System(**{**good, **change})


def test_factors_of_other_heads_are_refused() -> None:
    rng = np.random.default_rng(0)
    factors = sample.low_rank_heads(rng, 1, 3, 1)
    matrices = factors.score_matrices()
    with pytest.raises(ValueError, match="factors differ"):
        System(np.eye(3), matrices + 1e-6, matrices, 1.0, low_rank=factors)
    wrong = LowRank(factors.score_left[:, :2], factors.score_right[:, :2], factors.value_left, factors.value_right)
    with pytest.raises(ValueError, match="factors multiply"):
        System(np.eye(3), matrices, matrices, 1.0, low_rank=wrong)


def test_memory_of_a_large_system_is_that_of_its_tiles() -> None:
    import tracemalloc

    rng = np.random.default_rng(0)
    n, d = 3000, 8
    tokens = sample.uniform_tokens(rng, n, d)
    heads = sample.symmetric_heads(rng, 2, d)
    system = System(tokens, heads, heads, 1.0)
    right = RightHandSide(system)
    tracemalloc.start()
    right(tokens)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # n^2 doubles would be 72 MB.
    assert peak < 16e6
