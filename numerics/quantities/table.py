"""The names of `evaluate`: parameters, domains, formulas, and the functions behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from antumbra.numerics.quantities import thresholds, times, window
from antumbra.numerics.quantities.answer import Answer
from antumbra.numerics.quantities.parse import DomainError, integer, number, numbers, positive


@dataclass(frozen=True)
class Parameter:
    """A named parameter.

    Attributes:
        name: as on the command line.
        domain: in words.
        read: text and label -> exact value, or DomainError.
        optional: whether it may be left out.
    """

    name: str
    domain: str
    read: Callable[[str, str], Any]
    optional: bool = False


@dataclass(frozen=True)
class Spec:
    """A quantity that can be evaluated.

    Attributes:
        name: as on the command line.
        parameters: in order.
        formula: what it is, in letters.
        source: where the theory has it.
        compute: exact parameter values by name -> answer.
        labels: names of the values when there are several.
    """

    name: str
    parameters: tuple[Parameter, ...]
    formula: str
    source: str
    compute: Callable[[Mapping[str, Any]], Answer]
    labels: tuple[str, ...] = ()


def _sizes(name: str, smallest: int, optional: bool = False) -> Parameter:
    return Parameter(name, f"integer >= {smallest}", lambda text, label: integer(text, label, smallest), optional)


def _positive(name: str, optional: bool = False) -> Parameter:
    return Parameter(name, "> 0", positive, optional)


def _real(name: str, domain: str = "real", optional: bool = False) -> Parameter:
    return Parameter(name, domain, number, optional)


N, H, BETA, ALPHA, SCALE = _sizes("n", 2), _sizes("H", 1), _positive("beta"), _positive("alpha"), _positive("lambda")
SCALES = Parameter("lambda", "one real number per head, separated by commas", numbers)
GAMMA = "-1/(n-1) <= {} <= 1"
GAMMA0, GAMMA1 = _real("gamma0", GAMMA.format("gamma0")), _real("gamma1", GAMMA.format("gamma1"))
MAYBE_BETA = _positive("beta", optional=True)
RATIO = Parameter("beta_ratio", "> 0, in units of beta*, in place of beta", positive, optional=True)


_SPECS = (
    Spec(
        "c_star",
        (H,),
        "(sqrt((H-1)^2 + 4) - (H-1)) / 2",
        "Theorem 19",
        lambda v: thresholds.c_star(v["H"]),
    ),
    Spec(
        "beta_star",
        (H, N, ALPHA),
        "[ln((n-1)/(H-1)) - arsinh((H-1)/2)] / (2 alpha); infinite for H = 1, none where not positive",
        "Theorem 19",
        lambda v: thresholds.beta_star(v["H"], v["n"], v["alpha"]),
    ),
    Spec(
        "beta_sharp",
        (H, N, ALPHA),
        "ln((n-1)/(H-1)) / (2 alpha); infinite for H = 1, none where not positive",
        "Theorem 19",
        lambda v: thresholds.beta_sharp(v["H"], v["n"], v["alpha"]),
    ),
    Spec(
        "lambda_max",
        (N, BETA),
        "(1 + W0((n-1)/e)) / beta",
        "Theorem 22",
        lambda v: thresholds.lambda_max(v["n"], v["beta"]),
    ),
    Spec(
        "lambda_c",
        (N, BETA),
        "u/beta, u > 2 the root of (u-2) e^u = (u+2)(n-1)",
        "Theorem 22",
        lambda v: thresholds.lambda_c(v["n"], v["beta"]),
    ),
    Spec(
        "phi",
        (_real("lambda"), BETA, N),
        "2 lambda / (e^(lambda beta) + n - 1)",
        "Theorem 22",
        lambda v: thresholds.phi(v["lambda"], v["beta"], v["n"]),
    ),
    Spec(
        "softmax_time",
        (SCALES, BETA, N, GAMMA0, GAMMA1),
        "integral from gamma0 to gamma1 of dgamma / "
        "[2 (1-gamma)(1+(n-1)gamma) sum lambda/(e^(beta lambda (1-gamma))+n-1)]",
        "Theorem 25",
        lambda v: times.flow_time(v["lambda"], v["beta"], v["n"], v["gamma0"], v["gamma1"], True),
    ),
    Spec(
        "relu_time",
        (SCALE, N, GAMMA0, GAMMA1),
        "increment of [n ln gamma - ln(1-gamma) - (n-1) ln(1+(n-1)gamma)] / (2 lambda^2); infinite from gamma0 <= 0",
        "Theorem 25",
        lambda v: times.relu_time(v["lambda"], v["n"], v["gamma0"], v["gamma1"]),
    ),
    Spec(
        "usa_time",
        (SCALES, BETA, N, GAMMA0, GAMMA1),
        "integral from gamma0 to gamma1 of n dgamma / [2 (1-gamma)(1+(n-1)gamma) sum lambda e^(beta lambda gamma)]",
        "Theorem 22",
        lambda v: times.flow_time(v["lambda"], v["beta"], v["n"], v["gamma0"], v["gamma1"], False),
    ),
    Spec(
        "late_constant",
        (SCALES, BETA, N, _real("gamma0", "-1/(n-1) < gamma0 < 1")),
        "lim (1-gamma(t)) e^(2 Lambda t) under SA; none where the flow does not reach 1 at a positive rate",
        "Theorem 22",
        lambda v: times.late_constant(v["lambda"], v["beta"], v["n"], v["gamma0"]),
    ),
    Spec(
        "crossing_beta",
        (_sizes("d", 2), N, SCALE),
        "beta at which softmax_time and relu_time from 1/sqrt(d) to 0.99 agree; none if there is none",
        "Theorem 25",
        lambda v: times.crossing_beta(v["d"], v["n"], v["lambda"]),
    ),
    Spec(
        "entropy",
        (_real("gamma", GAMMA.format("gamma")), _real("lambda"), BETA, N),
        "ln(e^a + n-1) - a e^a/(e^a + n-1), a = beta lambda (1-gamma)",
        "Theorem 27",
        lambda v: times.entropy(v["gamma"], v["lambda"], v["beta"], v["n"]),
    ),
    Spec(
        "gamma_exit",
        (H, N, MAYBE_BETA, RATIO, SCALE),
        "gamma_+, the right end of dominance_window; empty where dominance never holds, none for H = 1",
        "beyond the paper",
        lambda v: window.gamma_exit(v["H"], v["n"], v.get("beta"), v.get("beta_ratio"), v["lambda"]),
    ),
    Spec(
        "dominance_window",
        (H, N, MAYBE_BETA, RATIO, SCALE),
        "gamma_-, gamma_+: where sqrt((H-1)/c*) A <= sqrt(B) on [0, 1), A = e^(beta lambda (1-gamma)) + (n-1) gamma, "
        "B = (n-1)(1-gamma)(1+(n-1)gamma)",
        "beyond the paper",
        lambda v: window.dominance_window(v["H"], v["n"], v.get("beta"), v.get("beta_ratio"), v["lambda"]),
        ("gamma_minus", "gamma_plus"),
    ),
    Spec(
        "critical_time",
        (H, N, MAYBE_BETA, RATIO, SCALE, _real("gamma0", "in the window; gamma_- when left out", optional=True)),
        "usa_time from gamma0 to gamma_+ with H equal heads; infinite for H = 1, empty where dominance never holds",
        "beyond the paper",
        lambda v: window.critical_time(
            v["H"], v["n"], v.get("beta"), v.get("beta_ratio"), v["lambda"], v.get("gamma0")
        ),
    ),
    Spec(
        "beta_window",
        (H, N, _positive("lambda", optional=True)),
        "beta_w / beta*, beta_w the largest beta with a dominance window on [0, 1); "
        "none where no window opens above beta*",
        "beyond the paper",
        lambda v: window.beta_window(v["H"], v["n"]),
    ),
    Spec(
        "delta_star",
        (SCALE, BETA, N),
        "root of beta delta coth(beta delta/2) = beta lambda tanh((beta lambda - ln(n-1))/2); "
        "none iff lambda <= lambda_c",
        "Theorem 22",
        lambda v: thresholds.delta_star(v["lambda"], v["beta"], v["n"]),
    ),
    Spec(
        "gamma_dagger",
        (SCALE, BETA, N),
        "1 - u_c(n)/(beta lambda), u_c = beta lambda_c",
        "Theorem 22",
        lambda v: thresholds.gamma_dagger(v["lambda"], v["beta"], v["n"]),
    ),
)

QUANTITIES: Mapping[str, Spec] = MappingProxyType({spec.name: spec for spec in _SPECS})
"""Every quantity by name."""


def read(spec: Spec, parameters: Mapping[str, str]) -> dict[str, Any]:
    """The exact values of a quantity's parameters.

    Raises:
        DomainError: one is missing, unknown or outside its domain.
    """
    known = {parameter.name for parameter in spec.parameters}
    listed = ", ".join(parameter.name for parameter in spec.parameters)
    for name in parameters:
        if name not in known:
            raise DomainError(f"{spec.name} has no parameter {name[:40]!r}; allowed are {listed}; give those")
    values = {}
    for parameter in spec.parameters:
        text = parameters.get(parameter.name)
        if text is None:
            if not parameter.optional:
                raise DomainError(
                    f"{spec.name} needs {parameter.name} ({parameter.domain}); its parameters are {listed}; give it"
                )
            continue
        values[parameter.name] = parameter.read(text, parameter.name)
    return values
