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
from antumbra.numerics.dynamics import System, operator_norms, row_norms, tangential, total_energy_rate
from antumbra.numerics.flows.compare import (
    EPSILON,
    Comparison,
    Finding,
    Rates,
    balance,
    flow_evidence,
    follow,
    shortened,
    summarise,
    total_energy_quantity,
    weights_and_outputs,
)
from antumbra.numerics.flows.sampling import SYMMETRIC, Instance, configurations, horizon_of
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


@evidence("thm12.bound", kind=Kind.FLOW, part="bound")
def bound(context: RunContext) -> Evidence:
    """dE/dt is at least (1/n) sum_i ||P u_i|| (||P u_i|| - eta Omega_i)."""
    findings = balance(misaligned(context), total_energy_quantity, lower_bound, sense="at_least")
    return flow_evidence(findings, "the energy rises by at least the integral of the misalignment bound")


@evidence("thm12.bound", kind=Kind.FLOW, part="no_fall")
def no_fall(context: RunContext) -> Evidence:
    """dE/dt is not negative at any state where ||P u_i|| >= eta Omega_i for all i.

    The rate is the chain rule on the gradient of E. Its rounding: n tokens, each a pairing of a gradient of at most
    (1/n) sum_h e^(beta ||M_h||) ||M_h|| with a velocity of at most sum_h e^(beta ||M_h||) ||W_h||, whose exponents are
    off by 2 d^2 ulps of beta ||M_h||.
    """
    findings = []
    for instance in misaligned(context):
        system = instance.system
        track = shortened(lambda end, s=system: follow(s, end), horizon_of(system, 2.0))  # type: ignore[misc]
        if track is None:
            findings.append(Finding(instance.label, None))
            continue
        growth = np.exp(system.beta * operator_norms(system.scores))
        size = float((growth * operator_norms(system.scores)).sum() * (growth * operator_norms(system.values)).sum())
        ulps = 32 * (system.d**2 * (1 + system.beta * float(operator_norms(system.scores).max())) + system.n)
        slack = EPSILON * ulps * size
        rates = [total_energy_rate(system.at(tokens)) for tokens in track.tokens if _dominated(system, tokens)]
        if not rates:
            findings.append(Finding(f"{instance.label}, the condition never met", Comparison(0.0, 0.0, slack, 0.0)))
            continue
        found = np.array(rates)
        findings.append(Finding(instance.label, summarise(-found, np.full_like(found, slack), found / slack)))
    return flow_evidence(findings, "the energy's rate is not negative wherever the misalignment is dominated")


def _dominated(system: System, tokens: Array) -> bool:
    """Whether ||P u_i|| >= eta Omega_i for all i."""
    eta = float(operator_norms(system.values - system.scores).max()) * (1 + 1e-12)
    weights, outputs = weights_and_outputs(tokens, system.scores, system.scores, system.beta)
    speeds = row_norms(tangential(tokens, outputs.sum(axis=0)))
    return bool((speeds >= eta * weights.sum(axis=(0, 2))).all())
