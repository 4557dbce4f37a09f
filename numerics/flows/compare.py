"""Trajectories, and how far a quantity may stand from what a statement says of it.

A statement says that a quantity Q of the tokens has the rate R along the flow: Q(x(t)) - Q(x(0)) = q(t) with q' = R(x).
The integrator carries x and q / L together, L a bound on sum_i ||dQ/dx_i||. It never evaluates Q, and what it makes
of the tokens does not depend on R. Of its states it reports delta(t), the estimated distance to the true solution
(`Solution.global_errors`: largest row, of tokens and of q / L alike). If the statement is true,

    |Q(y(t)) - Q(y(0)) - q^(t)|  <=  L delta(t) + L delta(t) + 2 r,

y and q^ being what was computed: the first term is how much Q can differ between y(t) and the true x(t), which are
delta(t) apart in every row, the second the error of q^, and r a bound on the rounding of one evaluation of Q. Nothing
on the right is tuned: L is a proven bound on a ball that holds both points, and delta comes from a companion solution
of a hundredth of the tolerance. For "Q rises at least at the rate R" the same bound holds for each pair of consecutive
states, with both deltas.

An instance says something only if Q or q moves by more than the error allowed. Instances that do not are counted, and
without any that does the evidence is vacuous.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from antumbra.numerics.dynamics import (
    Geometry,
    RangeError,
    RightHandSide,
    System,
    head_energies,
    normalised,
    operator_norms,
    row_norms,
)
from antumbra.numerics.flows.sampling import Instance, horizon_of
from antumbra.numerics.integrate import IntegrationError, solve
from antumbra.proofs.claim import Evidence, Kind, Outcome

Array = npt.NDArray[np.floating[Any]]
EPSILON = float(np.finfo(np.float64).eps)
TOLERANCE = 1e-9
"""Tolerance of a step, relative; what is allowed follows from the errors that it leads to."""
SHORTENINGS = 6
"""How often a horizon is halved when the flow leaves the floating-point range before it."""

Sense = Literal["equal", "at_least"]
Rates = Callable[[Array], Array]
"""Tokens (n, d) -> (k,), the claimed rates."""


@dataclass(frozen=True)
class Quantity:
    """K functions of the tokens.

    Attributes:
        value: tokens (n, d) -> (k,).
        sensitivity: a radius that bounds all norms of tokens -> (k,), a bound on sum_i ||dQ/dx_i|| on that ball.
        rounding: the same radius -> (k,), a bound on the rounding of one evaluation.
    """

    value: Callable[[Array], Array]
    sensitivity: Callable[[float], Array]
    rounding: Callable[[float], Array]


@dataclass(frozen=True, eq=False)
class Track:
    """A trajectory with the integrals of the claimed rates.

    Attributes:
        times: (K + 1,). tokens: (K + 1, n, d). integrals: (K + 1, k). errors: (K + 1,) delta, in tokens and q / L.
        scales: (k,) the L by which the integrals were divided while integrating.
    """

    times: Array
    tokens: Array
    integrals: Array
    errors: Array
    scales: Array

    @property
    def radius(self) -> float:
        """A bound on the norm of every token, computed or true."""
        return float(row_norms(self.tokens).max()) + float(self.errors.max())


def head_energy_quantity(system: System) -> Quantity:
    """The head energies E_h.

    dE_h/dx_i has norm at most (1/(2 n^2)) * 2 n * e^(beta ||M|| R^2) ||M|| R for tokens in the ball of radius R, and
    there are n of them. A score is a sum of d^2 products and is off by at most 2 d^2 ulps of ||M|| R^2 (entries are at
    most the norm); a weight inherits beta times that; the sum of n^2 weights adds n^2 ulps.
    """
    norms = operator_norms(system.scores).astype(np.float64)
    beta, n, d = system.beta, system.n, system.d

    def sensitivity(radius: float) -> Array:
        return np.asarray(np.exp(beta * norms * radius**2) * norms * radius)

    def rounding(radius: float) -> Array:
        ulps = 8 + n**2 + 2 * d**2 * beta * norms * radius**2
        return np.asarray(EPSILON * ulps * np.exp(beta * norms * radius**2) / (2 * beta))

    return Quantity(lambda tokens: np.asarray(head_energies(system.at(tokens))), sensitivity, rounding)


def total_energy_quantity(system: System) -> Quantity:
    """The total energy E, as one function."""
    heads = head_energy_quantity(system)
    return Quantity(
        lambda tokens: heads.value(tokens).sum(keepdims=True),
        lambda radius: heads.sensitivity(radius).sum(keepdims=True),
        lambda radius: heads.rounding(radius).sum(keepdims=True) * (1 + EPSILON * system.heads),
    )


def follow(
    system: System,
    horizon: float,
    rates: Rates | None = None,
    scales: Array | None = None,
    *,
    rtol: float = TOLERANCE,
    slope: Callable[[Array], Array] | None = None,
) -> Track:
    """Integrate a system, and with it the integrals of rates.

    Args:
        system: tokens, heads, field and geometry.
        horizon: end of time.
        rates: the claimed rates, at unit tokens on the sphere.
        scales: (k,) positive sizes by which the integrals are divided, so that errors of tokens and integrals compare.
        rtol: tolerance of a step.
        slope: another right-hand side than the system's own; then nothing is projected or normalised.

    Raises:
        IntegrationError, RangeError: the flow left what floating point can follow.
    """
    n, d = system.n, system.d
    count = 0 if scales is None else int(scales.shape[0])
    right = RightHandSide(system) if slope is None else slope
    sphere = system.geometry is Geometry.SPHERE and slope is None
    divisors = np.ones(count) if scales is None else scales

    def augmented(_time: float, state: Array) -> Array:
        result = np.zeros((n + count, d))
        # A flat flow may leave the range; the field then raises RangeError, or the step is refused as not finite.
        with np.errstate(over="ignore", invalid="ignore"):
            tokens = np.asarray(normalised(state[:n])) if sphere else state[:n]
            result[:n] = right(tokens)
            if rates is not None:
                result[n:, 0] = rates(tokens) / divisors
        return result

    def project(state: Array) -> Array:
        return np.concatenate([normalised(state[:n]), state[n:]])

    start = np.concatenate([system.tokens, np.zeros((count, d))])
    solution = solve(
        augmented,
        start,
        (0.0, horizon),
        rtol=rtol,
        atol=rtol,
        project=project if sphere else None,
        dense=False,
        estimate_global=True,
        max_steps=20_000,
    )
    states = np.asarray(solution.states, dtype=np.float64)
    errors = solution.global_errors
    if errors is None:
        raise IntegrationError("no estimate of the global error was made; integrate with estimate_global")
    integrals = states[:, n:, 0] * divisors
    return Track(solution.times, states[:, :n], integrals, errors, divisors)


@dataclass(frozen=True)
class Comparison:
    """What one instance showed.

    Attributes:
        ratio: the largest discrepancy over the error allowed; above 1 the statement failed.
        discrepancy, allowed: the worst pair.
        movement: the largest movement of the quantity or its claimed integral over the error allowed there.
    """

    ratio: float
    discrepancy: float
    allowed: float
    movement: float

    @property
    def informative(self) -> bool:
        """Whether something moved by more than the error allowed."""
        return self.movement > 1


def compare(track: Track, quantity: Quantity, sense: Sense = "equal") -> Comparison:
    """Set a quantity along a trajectory against the integrals of its claimed rates; see the module's derivation."""
    values = np.stack([quantity.value(tokens) for tokens in track.tokens])
    bound = quantity.sensitivity(track.radius)
    rounding = quantity.rounding(track.radius)
    error = (bound + track.scales) * track.errors[:, None] + rounding
    if sense == "equal":
        moved, claimed = values - values[0], track.integrals
        discrepancy, allowed = np.abs(moved - claimed)[1:], (error + rounding)[1:]
        movement = np.maximum(np.abs(moved), np.abs(claimed))[1:] / allowed
    else:
        rises, claimed = np.diff(values, axis=0), np.diff(track.integrals, axis=0)
        discrepancy, allowed = claimed - rises, error[1:] + error[:-1]
        movement = np.abs(values[1:] - values[0]) / allowed
    return summarise(discrepancy, allowed, movement)


def summarise(discrepancy: Array, allowed: Array, movement: Array) -> Comparison:
    """The worst entry of arrays of equal shape; a discrepancy that is not finite counts as infinite."""
    if discrepancy.size == 0:
        return Comparison(0.0, 0.0, 0.0, 0.0)
    ratio = np.where(np.isfinite(discrepancy), discrepancy / allowed, np.inf)
    worst = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
    return Comparison(float(ratio[worst]), float(discrepancy[worst]), float(allowed[worst]), float(movement.max()))


def shortened(run: Callable[[float], Track], horizon: float) -> Track | None:
    """A trajectory, on a horizon halved until floating point can follow it; None when it never can."""
    for halvings in range(SHORTENINGS):
        try:
            return run(horizon / 2**halvings)
        except (IntegrationError, RangeError):
            continue
    return None


@dataclass(frozen=True)
class Finding:
    """One instance and what it showed, None when it could not be integrated."""

    label: str
    comparison: Comparison | None


def balance(
    instances: Iterable[Instance],
    quantity_of: Callable[[System], Quantity],
    rates_of: Callable[[System], Rates],
    *,
    sense: Sense = "equal",
    travel: float = 2.0,
    longest: float = 4.0,
) -> list[Finding]:
    """Follow each instance and set a quantity against the integral of the claimed rates."""
    findings = []
    for instance in instances:
        system = instance.system
        quantity, rates = quantity_of(system), rates_of(system)
        size = float(row_norms(system.tokens).max())
        scales = np.maximum(quantity.sensitivity(size), 1e-300)
        # On the sphere a token cannot go far; flat tokens may run away, and half their length is far enough.
        reach = travel if system.geometry is Geometry.SPHERE else 0.3 * size
        horizon = horizon_of(system, reach, longest)
        track = shortened(lambda end, s=system, r=rates, c=scales: follow(s, end, r, c), horizon)  # type: ignore[misc]
        findings.append(Finding(instance.label, None if track is None else compare(track, quantity, sense)))
    return findings


def flow_evidence(
    findings: Sequence[Finding], what: str, *, error: str = "the integrator's own error", **data: Any
) -> Evidence:
    """The evidence of all instances of a flow check.

    Args:
        findings: what each instance showed.
        what: the assertion that was tested, as the end of a sentence ("the energy's change is ...").
        error: what the allowed error is made of.
        data: further details.
    """
    done = [(finding.label, finding.comparison) for finding in findings if finding.comparison is not None]
    informative = [(label, comparison) for label, comparison in done if comparison.informative]
    record: dict[str, Any] = {
        "instances": len(findings),
        "informative": len(informative),
        "not_integrated": len(findings) - len(done),
        **data,
    }
    if done:
        label, worst = max(done, key=lambda entry: entry[1].ratio)
        record["worst"] = {
            "configuration": label,
            "discrepancy": number(worst.discrepancy),
            "allowed": number(worst.allowed),
            "ratio": number(worst.ratio),
        }
        if worst.ratio > 1:
            failed = sum(comparison.ratio > 1 for _, comparison in done)
            return Evidence(
                Kind.FLOW,
                Outcome.FAIL,
                f"On {failed} of {len(done)} trajectories it is not so that {what}: the worst is off by "
                f"{worst.discrepancy:.3g} where {error} is {worst.allowed:.3g} ({label}).",
                record,
            )
    if not informative:
        return Evidence(
            Kind.FLOW,
            Outcome.VACUOUS,
            f"None of {len(findings)} trajectories moved by more than its own error, so nothing is said of whether "
            f"{what}.",
            record,
        )
    movements = sorted(comparison.movement for _, comparison in informative)
    record["movement_over_allowed"] = {
        "least": number(movements[0]),
        "median": number(movements[len(movements) // 2]),
    }
    how = f"off by at most {100 * worst.ratio:.2g} % of {error}"
    if worst.ratio <= 0:
        how = "with room to spare at every state"
    return Evidence(
        Kind.FLOW,
        Outcome.PASS,
        f"On {len(informative)} trajectories {what}, {how}; what is compared moves by "
        f"{movements[len(movements) // 2]:.2g} times that error (median).",
        record,
    )


def number(value: float) -> float | str:
    """A number as strict JSON takes it, four digits kept; what is not finite becomes a word."""
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "infinite"
    return float(f"{value:.4g}")


def weights_and_outputs(tokens: Array, scores: Array, values: Array, beta: float) -> tuple[Array, Array]:
    """e^(beta s_ij^h), (H, n, n), and f_i^h, (H, n, d): the definitions, written out without the fields' code."""
    with np.errstate(over="ignore"):
        weights = np.exp(beta * ((tokens @ scores) @ tokens.T))
    outputs = weights @ (tokens @ values.transpose(0, 2, 1))
    return np.asarray(weights), np.asarray(outputs)


def pairs(count: int) -> Iterable[tuple[int, int]]:
    """All pairs of distinct indices below `count`."""
    return itertools.combinations(range(count), 2)
