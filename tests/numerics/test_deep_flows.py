"""Long runs of the integrators: `./run deep`. Each states its horizon and how many runs it made."""

import itertools

import numpy as np
import pytest
from antumbra.numerics import sample
from antumbra.numerics.batch import Batch, integrate_batch
from antumbra.numerics.dynamics import Field, System, row_norms
from antumbra.numerics.integrate import integrate

pytestmark = pytest.mark.deep

HORIZON = 3.0


def random_batch(rng: np.random.Generator, count: int) -> Batch:
    """USA systems with n <= 64, d <= 16, H <= 4, beta <= 8, ||M_h|| <= 1 and tokens of every kind."""
    n, d, heads = int(rng.integers(1, 65)), int(rng.integers(2, 17)), int(rng.integers(1, 5))
    tokens, matrices = [], []
    for _ in range(count):
        kind = int(rng.integers(4))
        tokens.append(
            (
                sample.uniform_tokens(rng, n, d),
                sample.clustered_tokens(rng, n, d, 0.1),
                sample.antipodal_tokens(rng, n, d, 1e-3),
                sample.nearly_degenerate_tokens(rng, n, d, 1e-4),
            )[kind]
        )
        matrices.append(sample.symmetric_heads(rng, heads, d, norm=float(rng.uniform(0.05, 1.0))))
    scores = np.stack(matrices)
    return Batch(np.stack(tokens), scores, scores.copy(), rng.uniform(0.1, 8.0, size=count))


def energies_and_slopes(batch: Batch, members: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Total energies (b,) and sums of the gradients' norms (b,), apart from the integrator's own code."""
    heads, betas = batch.scores[members], batch.betas[members]
    n = states.shape[1]
    scores = np.einsum("bid,bhde,bje->bhij", states, heads, states, optimize=True)
    weights = np.exp(betas[:, None, None, None] * scores)
    energies = weights.sum(axis=(1, 2, 3)) / (2 * betas * n**2)
    gradients = np.einsum("bhij,bhde,bje->bid", weights, heads, states, optimize=True) / n**2
    return energies, row_norms(gradients).sum(axis=1)


def test_energy_never_falls_beyond_rounding_and_the_reported_error_over_ten_thousand_trajectories() -> None:
    rng = np.random.default_rng(11)
    trajectories, steps, worst = 0, 0, 0.0
    for _ in range(200):
        batch = random_batch(rng, 50)
        everyone = np.arange(len(batch))
        energies, slopes = energies_and_slopes(batch, everyone, batch.tokens)

        def observer(
            members: np.ndarray,
            _times: np.ndarray,
            states: np.ndarray,
            errors: np.ndarray,
            batch: Batch = batch,
            energies: np.ndarray = energies,
            slopes: np.ndarray = slopes,
        ) -> None:
            nonlocal worst, steps
            after, slope = energies_and_slopes(batch, members, states)
            heads, d = batch.scores.shape[1], batch.tokens.shape[2]
            # Products of d terms and sums of n^2 H, each weight with an exponent of at most beta.
            rounding = 2.0**-52 * (2 * d + 20) * (2 + batch.betas[members]) * after * np.sqrt(heads)
            # First order: the gradient along the error; second order: the curvature, at most beta times that per error.
            first = np.maximum(slope, slopes[members]) * errors
            explained = first * (1 + (1 + batch.betas[members]) * errors)
            drop = energies[members] - after
            worst = max(worst, float((drop / (rounding + explained)).max()))
            assert (drop <= rounding + explained).all()
            energies[members], slopes[members] = after, slope
            steps += len(members)

        solution = integrate_batch(batch, HORIZON, rtol=1e-6, observer=observer)
        assert float(solution.largest_norm_defect.max()) <= 4 * np.finfo(float).eps
        trajectories += len(batch)
    assert trajectories == 10_000
    print(f"{trajectories} trajectories to t = {HORIZON}, {steps} steps, worst drop {worst:.2g} of what is allowed")


def test_the_reported_error_bounds_the_error_made_in_99_percent_of_a_thousand_runs() -> None:
    rng = np.random.default_rng(12)
    bounded = 0
    for run in range(1000):
        n, d, heads = int(rng.integers(2, 9)), int(rng.integers(2, 5)), int(rng.integers(1, 4))
        matrices = sample.symmetric_heads(rng, heads, d)
        field = Field.SA if run % 2 else Field.USA
        system = System(sample.uniform_tokens(rng, n, d), matrices, matrices, float(rng.uniform(0.2, 4)), field)
        rtol = float(10 ** rng.uniform(-12, -4))
        solution = integrate(system, HORIZON, rtol=rtol, dense=False, estimate_global=True)
        assert solution.global_errors is not None
        reference = [solution.states[0]]
        for before, after in itertools.pairwise(solution.times.tolist()):
            finer = integrate(
                system.at(reference[-1]), after - before, rtol=2.5e-14, dense=False, largest_step=(after - before) / 3
            )
            reference.append(finer.final)
        made = row_norms(solution.states - np.stack(reference)).max(axis=1)
        bounded += bool((made <= solution.global_errors).all())
    print(f"bounded in {bounded} of 1000 runs to t = {HORIZON}")
    assert bounded >= 990
