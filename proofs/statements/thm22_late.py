"""Theorem 22, the late law: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    Scalar,
    ScalarLike,
    absolute,
    conj,
    defined,
    eq,
    every,
    exp,
    forall,
    ge,
    gt,
    implies,
    integral,
    log,
    n,
    symbol,
    total,
)
from antumbra.proofs.setting import beta, declare, define, gamma, scale_h
from antumbra.proofs.statements.thm22 import (
    EQUIANGULAR,
    MEANING,
    SA_RATE,
    SEVERAL_TOKENS,
    claim_row,
    for_pairs,
    gamma_0,
    gamma_1,
    xi,
)

declare("rho_min", "scalar", domain="positive", text="a positive lower bound of rho on [gamma_0, 1]")
rho_min = symbol("rho_min")
define(
    "rho",
    (1 + (n - 1) * xi) * total("h", scale_h / (exp(beta * scale_h * (1 - xi)) + n - 1)),
    parameters=["xi"],
    text="the rate of the common inner product gamma over 2(1 - gamma)",
)
define("total_scale", total("h", scale_h), text="the total scale of the heads")
define("rho_bound", n / (n - 1) * total("h", absolute(scale_h)), text="a bound of |rho|")
define(
    "rho_steepness",
    total("h", absolute(scale_h) + n * beta * scale_h**2 / (4 * (n - 1))),
    text="a bound of the slope of rho",
)
define(
    "rho_bend",
    total("h", beta * scale_h**2 / 2 + n * beta**2 * scale_h**2 * absolute(scale_h) / (4 * (n - 1))),
    text="a bound of the curvature of rho",
)
total_scale = defined("total_scale")
rho_bound, rho_steepness, rho_bend = defined("rho_bound"), defined("rho_steepness"), defined("rho_bend")


def rho(t: ScalarLike) -> Scalar:
    """The value of rho at the common inner product t."""
    return defined("rho", of=[t])


END_SLOPE = (n - 1) / n * total_scale + beta * total("h", scale_h**2) / n
"""The slope of rho at 1, where rho is the total scale."""
TO_THE_RIGHT = conj(gt(1, gamma_1), ge(1 + (n - 1) * gamma_1, 0))
LACK = total_scale - rho(gamma_1)
SECOND_LACK = LACK - END_SLOPE * (1 - gamma_1)
SLOPE_BOUND = implies(
    TO_THE_RIGHT, conj(ge(rho_steepness * (1 - gamma_1), LACK), ge(rho_steepness * (1 - gamma_1), -LACK))
)
CURVATURE_BOUND = implies(
    TO_THE_RIGHT,
    conj(ge(rho_bend * (1 - gamma_1) ** 2 / 2, SECOND_LACK), ge(rho_bend * (1 - gamma_1) ** 2 / 2, -SECOND_LACK)),
)
LATE_SPEED = for_pairs(eq(SA_RATE, 2 * (1 - gamma) * rho(gamma)))
LOWER_BOUND = forall("gamma", implies(conj(ge(gamma, gamma_0), ge(1, gamma)), ge(rho(gamma), rho_min)))
LATE_INTEGRAND = (total_scale / rho(gamma) - 1) / (1 - gamma)
LATE_INTEGRAL = integral("gamma", gamma_0, gamma_1, LATE_INTEGRAND)
LATE_TIME = integral("gamma", gamma_0, gamma_1, 1 / (2 * (1 - gamma) * rho(gamma)))
LATE_SCALED = (1 - gamma_1) * exp(2 * total_scale * LATE_TIME)
LAW = implies(LOWER_BOUND, eq(LATE_SCALED, (1 - gamma_0) * exp(LATE_INTEGRAL)))
ON_PATH = conj(ge(gamma, gamma_0), gt(1, gamma))
INTEGRAND_BOUND = rho_steepness / rho_min
BOUNDED = implies(
    LOWER_BOUND,
    implies(ON_PATH, conj(ge(INTEGRAND_BOUND, LATE_INTEGRAND), ge(LATE_INTEGRAND, -INTEGRAND_BOUND))),
)
CONVERGES = implies(
    LOWER_BOUND,
    conj(
        ge((1 - gamma_0) * exp(INTEGRAND_BOUND * (gamma_1 - gamma_0)), LATE_SCALED),
        ge(LATE_SCALED, (1 - gamma_0) * exp(-INTEGRAND_BOUND * (gamma_1 - gamma_0))),
    ),
)
LIMIT_VALUE = (n - 1) / n + beta * total("h", scale_h**2) / (n * total_scale)
LIMIT_SPEED = rho_bend / (2 * rho_min) + rho_steepness**2 / rho_min**2
LIMIT = implies(
    LOWER_BOUND,
    implies(
        ON_PATH,
        conj(
            ge(LIMIT_SPEED * (1 - gamma), LATE_INTEGRAND - LIMIT_VALUE),
            ge(LATE_INTEGRAND - LIMIT_VALUE, -LIMIT_SPEED * (1 - gamma)),
        ),
    ),
)
ALL_POSITIVE = every("h", gt(scale_h, 0))
ELAPSED = log(1 - gamma_0) - log(1 - gamma_1)
TIMES = implies(
    LOWER_BOUND,
    conj(ge(LATE_TIME, 1 / (2 * rho_bound) * ELAPSED), ge(1 / (2 * rho_min) * ELAPSED, LATE_TIME)),
)
EXAMPLE = every("g", implies(conj(gt(symbol("lambda", "g"), 0), gt(1 + (n - 1) * gamma, 0)), gt(rho(gamma), 0)))
NOT_ENOUGH = conj(gt(total_scale, 0), gt(0, rho(gamma)))

_PATH_DOMAIN = (SEVERAL_TOKENS, gt(1 + (n - 1) * gamma_0, 0), gt(1, gamma_0))
_TIME_DOMAIN = (*_PATH_DOMAIN, gt(gamma_1, gamma_0), gt(1, gamma_1))
_LATE = claim_row(
    "late",
    "The late clustering law and its constant",
    ("SA",),
    Part(
        "speed",
        LATE_SPEED,
        "under SA the common inner product has the rate 2(1 - gamma) rho(gamma)",
        hypotheses=EQUIANGULAR,
        meaning=MEANING,
        mutants=(Mutant("without the factor 2", for_pairs(eq(SA_RATE, (1 - gamma) * rho(gamma)))),),
    ),
    Part(
        "slope",
        SLOPE_BOUND,
        "rho differs from its value Lambda at 1 by at most R(1 - gamma)",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("by nothing", implies(TO_THE_RIGHT, ge(0, LACK))),),
    ),
    Part(
        "curvature",
        CURVATURE_BOUND,
        "and from its tangent at 1 by at most R_2 (1 - gamma)^2/2",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("by nothing", implies(TO_THE_RIGHT, eq(SECOND_LACK, 0))),),
    ),
    Part(
        "law",
        LAW,
        "if rho is bounded below by a positive number on [gamma_0, 1], then at the time at which gamma_1 is reached "
        "(1 - gamma_1) e^{2 Lambda t} is (1 - gamma_0) times the exponential of the integral of "
        "(Lambda/rho - 1)/(1 - gamma)",
        domain=_TIME_DOMAIN,
        mutants=(
            Mutant(
                "Lambda for 2 Lambda",
                implies(ALL_POSITIVE, eq((1 - gamma_1) * exp(total_scale * LATE_TIME), LAW[2][2])),
            ),
        ),
    ),
    Part(
        "bounded",
        BOUNDED,
        "the integrand is bounded on [gamma_0, 1), so the integral up to 1 exists",
        domain=_PATH_DOMAIN,
        mutants=(
            Mutant("the integrand is never positive", implies(ALL_POSITIVE, implies(ON_PATH, ge(0, LATE_INTEGRAND)))),
        ),
    ),
    Part(
        "converges",
        CONVERGES,
        "from any gamma_0 on, (1 - gamma) e^{2 Lambda t} changes by a factor at most e^{B(1 - gamma_0)} either way, "
        "which tends to 1 as gamma_0 -> 1: so it converges to a positive limit, "
        "C = (1 - gamma_0) exp of the integral of (Lambda/rho - 1)/(1 - gamma) from gamma_0 to 1",
        domain=_TIME_DOMAIN,
        mutants=(Mutant("it does not change", implies(ALL_POSITIVE, ge(1 - gamma_0, LATE_SCALED))),),
    ),
    Part(
        "integrand_limit",
        LIMIT,
        "the integrand tends to (n-1)/n + beta sum lambda_h^2/(n Lambda) as gamma -> 1, at an explicit speed",
        domain=_PATH_DOMAIN,
        mutants=(
            Mutant(
                "it is at most that limit", implies(ALL_POSITIVE, implies(ON_PATH, ge(LIMIT_VALUE, LATE_INTEGRAND)))
            ),
        ),
    ),
    Part(
        "times",
        TIMES,
        "the time to gamma_1 < 1 is finite and tends to infinity as gamma_1 -> 1, so gamma tends to 1 as "
        "t does to infinity",
        domain=_TIME_DOMAIN,
        mutants=(Mutant("twice as long", implies(ALL_POSITIVE, ge(LATE_TIME, 1 / rho_bound * ELAPSED))),),
    ),
    Part(
        "example",
        EXAMPLE,
        "rho is positive for gamma > -1/(n-1) if no head has a negative scale and some head has a positive one",
        domain=(SEVERAL_TOKENS,),
        hypotheses=("nonnegative_scales",),
        mutants=(Mutant("below -1/(n-1)", every("g", implies(gt(symbol("lambda", "g"), 0), gt(rho(gamma), 0)))),),
    ),
    Part(
        "not_enough",
        NOT_ENOUGH,
        "a positive total scale alone is not enough: rho can be negative at some gamma in [0, 1)",
        domain=(SEVERAL_TOKENS, ge(gamma, 0), gt(1, gamma)),
        quantifier=Quantifier.EXISTENTIAL,
    ),
    source_note=(
        "rho > 0 on the compact interval [gamma_0, 1] is written with a positive lower bound rho_min, "
        "which is the same. "
        "The time to gamma_1 is the integral of d gamma over the rate (separation of variables); the "
        "integral up to 1 is the "
        "limit of the integrals up to gamma_1 < 1."
    ),
)
CLAIMS: tuple[Claim, ...] = (_LATE,)
