"""Theorem 12, value misalignment: the energy's rise against the integral of its claimed lower bound.

Half of the sampled value matrices are random ones at distance eta, half are the most harmful ones at the first
instant, W_h = M_h - eta tau x^T with tau the direction in which the token at x would move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from antumbra.numerics import sample
from antumbra.numerics.dynamics import System, operator_norms, row_norms, tangential
from antumbra.numerics.flows.compare import Rates, balance, flow_evidence, total_energy_quantity, weights_and_outputs
from antumbra.numerics.flows.sampling import SYMMETRIC, Instance, configurations
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind

Array = npt.NDArray[np.floating[Any]]


def misaligned(context: RunContext) -> Iterator[Instance]:
    """Symmetric scores, values at some distance, on the sphere."""
    rng = context.rng("misalignment")
    for index, instance in enumerate(configurations(context, SYMMETRIC)):
        system = instance.system
        eta = float(10 ** rng.uniform(-2, 0.3))
        values = sample.misaligned_values(rng, system.scores, eta)
        if index % 2:
            _, outputs = weights_and_outputs(system.tokens, system.scores, system.scores, system.beta)
            moved = tangential(system.tokens, outputs.sum(axis=0))
            fastest = int(np.argmax(row_norms(moved)))
            speed = float(row_norms(moved)[fastest])
            if speed > 1e-9:
                harm = np.outer(moved[fastest] / speed, system.tokens[fastest])
                values = np.asarray(system.scores - eta * harm)
        yield Instance(replace(system, values=values), f"{instance.label}, eta={eta:.3g}")


def lower_bound(system: System) -> Rates:
    """(1/n) sum_i ||P u_i|| (||P u_i|| - eta Omega_i), eta = max ||W_h - M_h||: tokens (n, d) -> (1,)."""
    # The hypothesis is an upper bound, so rounding the norm up is within it.
    eta = float(operator_norms(system.values - system.scores).max()) * (1 + 1e-12)

    def rates(tokens: Array) -> Array:
        weights, outputs = weights_and_outputs(tokens, system.scores, system.scores, system.beta)
        speeds = row_norms(tangential(tokens, outputs.sum(axis=0))) / system.n
        totals = weights.sum(axis=(0, 2)) / system.n
        return np.array([(speeds * (speeds - eta * totals)).sum() / system.n])

    return rates


@evidence("thm12.bound", kind=Kind.FLOW)
def bound(context: RunContext) -> Evidence:
    """dE/dt is at least (1/n) sum_i ||P u_i|| (||P u_i|| - eta Omega_i)."""
    findings = balance(misaligned(context), total_energy_quantity, lower_bound, sense="at_least")
    return flow_evidence(findings, "the energy rises by at least the integral of the misalignment bound")
