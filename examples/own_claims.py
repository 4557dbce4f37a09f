"""Claims of one's own: an identity, an inequality, a closed form with a proof, a flow check, a counterexample.

antumbra verify --claims examples/own_claims.py
"""

from __future__ import annotations

import numpy as np
from antumbra.numerics import dynamics, sample
from antumbra.numerics.dynamics import System
from antumbra.numerics.integrate import integrate
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs import Claim, Evidence, Kind, Model, Mutant, Outcome, Part, Proof, declare, point, proves, setting
from antumbra.proofs.kernel.terms import eq, exp, ge, gt, ip, n, norm2, rate, symbol, total, vector

# An identity in the theory's own terms, for every number of tokens, heads and dimensions. What is left of it without a
# hypothesis is tried by itself; a mutant is a neighbour that must not be provable.
speed = total("i", norm2(setting.tangential_velocity("i")))
energy_rate = rate("usa_sphere", setting.energy)
identity = Claim(
    "own.energy",
    "The total energy rises at the mean squared speed",
    "examples",
    ("USA",),
    (
        Part(
            "rate",
            eq(n * energy_rate, speed),
            "n dE/dt is the sum of the squared speeds",
            hypotheses=("symmetry", "alignment", "unit"),
            mutants=(Mutant("n squared for n", eq(n**2 * energy_rate, speed)),),
        ),
    ),
)

# An inequality: what is assumed of a symbol is its declared domain, and the part's.
declare("depth", "scalar", domain="positive", text="any positive number")
depth = symbol("depth")
inequality = Claim(
    "own.inequality",
    "A mixture of exponentials exceeds its slower part",
    "examples",
    (),
    (Part("bound", gt(depth * exp(-depth) + exp(-2 * depth), depth * exp(-depth)), "both parts are positive"),),
)

# A closed form, proved in steps: each line is checked as it is made; one that does not follow says what is left over.
x_i, x_j = vector("x", "i"), vector("x", "j")
distance = Claim(
    "own.distance",
    "The squared distance of two tokens is 2 - 2 <x_i, x_j>",
    "examples",
    (),
    (Part("value", eq(norm2(x_i - x_j), 2 - 2 * ip(x_i, x_j)), "on the sphere", hypotheses=("unit",)),),
)


@proves("own.distance", "value")
def by_expansion(proof: Proof) -> None:
    """Expand the square, then use that tokens are unit vectors."""
    expanded = proof.equal(norm2(x_i - x_j), ip(x_i, x_i) - 2 * ip(x_i, x_j) + ip(x_j, x_j))
    proof.equal(expanded.shows[1], 2 - 2 * ip(x_i, x_j))


# A false claim, with a counterexample of one's own: two tokens at a right angle, under one head.
falling = Claim(
    "own.falling",
    "Tokens never come closer",
    "examples",
    ("USA",),
    (
        Part(
            "rate",
            ge(0, rate("usa_sphere", ip(x_i, x_j))),
            "false: they gather",
            hypotheses=("symmetry", "alignment", "unit"),
        ),
    ),
)
identity_matrix = [[1, 0], [0, 1]]
point(
    "own.falling",
    "rate",
    "fails",
    Model(
        {"token": 2, "head": 1, "axis": 2},
        scalars={"beta": 1},
        vectors={"x": [[1, 0], [0, 1]]},
        operators={"M": [identity_matrix], "W": [identity_matrix]},
    ),
)


# What happens along the flow, as a check that is run with the claim. It proves nothing, and can contradict.
@evidence("own.energy", kind=Kind.FLOW)
def energy_never_falls(context: RunContext) -> Evidence:
    """Follow a sampled flow and compare the energy at its steps."""
    rng = context.rng("tokens")
    heads = sample.symmetric_heads(rng, 2, 3)
    system = System(sample.uniform_tokens(rng, 6, 3), heads, heads, 1.0)
    solution = integrate(system, 3.0, rtol=1e-10)
    energies = np.array([dynamics.total_energy(system.at(state)) for state in solution.states])
    fall = float(max(0.0, -np.diff(energies).min()))
    outcome = Outcome.PASS if fall <= 1e-9 * float(energies.max()) else Outcome.FAIL
    return Evidence(Kind.FLOW, outcome, "the energy along one sampled flow", {"largest_fall": fall})


CLAIMS = (identity, inequality, distance, falling)
EXPECTED = {"own.falling": "refuted"}
