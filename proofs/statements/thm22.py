"""Theorem 22, scalar heads on the equiangular path: the flow, and the shape of the early rate: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    Scalar,
    ScalarLike,
    conj,
    defined,
    eq,
    every,
    exp,
    function,
    ge,
    gt,
    iff,
    implies,
    ip,
    log,
    lt,
    n,
    ne,
    rate,
    rational,
    root,
    symbol,
    total,
    unique,
    vector,
)
from antumbra.proofs.setting import beta, declare, define, flow, gamma, hypothesis, scale_h
from antumbra.proofs.statements import thm19, thm25, thm27

SOURCE = "Theorem 22"

# --- letters of this theorem -----------------------------------------------------------------------------------------

declare("mu", "scalar", text="the scale of a head, or the common scale of two heads, any real number")
declare("nu", "scalar", domain="positive", text="how far the scales of two heads are from their mean")
declare("mu_1", "scalar", domain="positive", text="the scale of one head")
declare("mu_2", "scalar", domain="positive", text="the scale of another head")
declare("xi", "scalar", text="a real variable")
flow("d_mu", [("mu", [], rational(1))], "the scale rises at unit speed")
flow("d_xi", [("xi", [], rational(1))], "the variable rises at unit speed")
mu, nu, mu_1, mu_2, xi = (symbol(s) for s in ("mu", "nu", "mu_1", "mu_2", "xi"))
gamma_0, gamma_1, radius = symbol("gamma_0"), symbol("gamma_1"), symbol("radius")
BORROWED = (thm19, thm25, thm27)
"""Whose letters (gamma_0, gamma_1, radius, the flow d_gamma) are used here."""

hypothesis("positive_scales", every("h", gt(scale_h, 0)), "every head has a positive scale")

define(
    "phi",
    2 * mu / (exp(mu * beta) + n - 1),
    parameters=["mu"],
    text="the part of a head of scale mu in the rate at gamma = 0",
)
define("shape_1", (xi - 1) * exp(xi) - (n - 1), parameters=["xi"], text="what decides the slope of phi")
define("shape_2", (xi - 2) * exp(xi) - (xi + 2) * (n - 1), parameters=["xi"], text="what decides the curvature of phi")


def phi(scale: ScalarLike) -> Scalar:
    """The early rate 2 scale / (e^{beta scale} + n - 1) of a head."""
    return defined("phi", of=[scale])


def shape_1(t: ScalarLike) -> Scalar:
    """(t - 1)e^t - (n - 1)."""
    return defined("shape_1", of=[t])


def shape_2(t: ScalarLike) -> Scalar:
    """(t - 2)e^t - (t + 2)(n - 1)."""
    return defined("shape_2", of=[t])


define(
    "u_c",
    root("xi", shape_2(xi), 0, n + 4),
    text="the only positive solution of (u-2)e^u = (u+2)(n-1); it lies between 2 and n + 4",
)
u_c = defined("u_c")
define("lambda_max", (1 + function("W", (n - 1) * exp(-1))) / beta, text="the scale at which phi is largest")
define("lambda_c", u_c / beta, text="the scale at which phi turns from concave to convex")
lambda_max, lambda_c = defined("lambda_max"), defined("lambda_c")


def tanh_form(t: ScalarLike) -> Scalar:
    """tanh((t - log(n - 1))/2)."""
    return function("tanh", (t - log(n - 1)) / 2)


SEVERAL_TOKENS = ge(n, 2)
EQUIANGULAR = ("scalar", "alignment", "equiangular")
ORTHOGONAL = ("scalar", "alignment", "orthogonal_tokens")
MEANING = frozenset(("scalar", "alignment", "equiangular", "orthogonal_tokens"))


def pair(i: str = "i", j: str = "j") -> Scalar:
    """<x_i, x_j>."""
    return ip(vector("x", i), vector("x", j))


def for_pairs(formula: Formula) -> Formula:
    """For all i and j != i."""
    return every("i", every("j", formula, ["i"]))


# --- the flow closes -------------------------------------------------------------------------------------------------


def same_rate(flow_name: str) -> Formula:
    """All pairs of distinct tokens approach at one rate, and norms stay."""
    other = rate(flow_name, pair("k", "l"))
    return conj(
        for_pairs(every("k", every("l", eq(rate(flow_name, pair()), other), ["k"]))),
        every("i", eq(rate(flow_name, pair("i", "i")), 0)),
    )


def _pull(i: str, j: str) -> Scalar:
    """What the scalar heads of USA give to <x_i, x_j> through the motion of x_i."""
    lam = symbol("lambda", "h")
    return total("h", total("k", lam * exp(beta * lam * pair(i, "k")) * (pair("k", j) - pair(i, "k") * pair(i, j))))


def _softmax_pull(i: str, j: str) -> Scalar:
    """What the scalar heads of SA give to <x_i, x_j> through the motion of x_i."""
    lam = symbol("lambda", "h")
    weighted = total("k", lam * exp(beta * lam * pair(i, "k")) * (pair("k", j) - pair(i, "k") * pair(i, j)))
    return total("h", 1 / total("k", exp(beta * lam * pair(i, "k"))) * weighted)


GRAM_USA = every("i", every("j", eq(rate("usa_sphere", pair()), 1 / n * (_pull("i", "j") + _pull("j", "i")))))
GRAM_SA = every("i", every("j", eq(rate("sa_sphere", pair()), _softmax_pull("i", "j") + _softmax_pull("j", "i"))))

PREFACTOR = (1 - gamma) * (1 + (n - 1) * gamma)
SOFTMAX_SUM = total("h", scale_h / (exp(beta * scale_h * (1 - gamma)) + n - 1))
USA_SUM = total("h", scale_h * exp(beta * scale_h * gamma))
SA_SPEED = 2 * PREFACTOR * SOFTMAX_SUM
USA_SPEED = 2 / n * PREFACTOR * USA_SUM
SA_RATE, USA_RATE = rate("sa_sphere", pair()), rate("usa_sphere", pair())
ODE_SA = for_pairs(eq(SA_RATE, SA_SPEED))
ODE_USA = for_pairs(eq(USA_RATE, USA_SPEED))
DRIFT = total("h", scale_h)
EARLY_SA = for_pairs(eq(SA_RATE, total("h", phi(scale_h))))
EARLY_USA = for_pairs(eq(USA_RATE, 2 / n * DRIFT))

# --- the shape of phi ------------------------------------------------------------------------------------------------

SLOPE = rate("d_mu", phi(mu))
CURVATURE = rate("d_mu", SLOPE)
POSITIVE_SCALE = gt(mu, 0)
PEAK = implies(conj(POSITIVE_SCALE, ne(mu, lambda_max)), gt(phi(lambda_max), phi(mu)))
RISES_FALLS = implies(
    POSITIVE_SCALE, conj(iff(gt(SLOPE, 0), gt(lambda_max, mu)), iff(gt(0, SLOPE), gt(mu, lambda_max)))
)
ONLY_ROOT = unique("xi", 0, INFINITY, shape_2(xi))
ABOVE_TWO = gt(u_c, 2)
INFLECTION = implies(
    POSITIVE_SCALE, conj(iff(gt(CURVATURE, 0), gt(mu, lambda_c)), iff(gt(0, CURVATURE), gt(lambda_c, mu)))
)

TANH = eq(tanh_form(u_c), 2 / u_c)
NEGATIVE_ROOT = unique("xi", -3, 0, -shape_2(xi))
ORDER = lt(lambda_max, lambda_c)


def claim_row(
    name: str,
    title: str,
    fields: tuple[str, ...],
    *parts: Part,
    source_note: str = "",
    sharpness: str = "",
    amends: str | None = None,
) -> Claim:
    """A row of this theorem."""
    return Claim(f"thm22.{name}", title, SOURCE, fields, parts, source_note, sharpness, amends)


_INVARIANCE = claim_row(
    "invariance",
    "Equiangular configurations stay equiangular",
    ("USA", "SA"),
    Part(
        "gram_usa",
        GRAM_USA,
        "under USA with scalar heads the inner products of the tokens move by themselves: their rates "
        "depend on them alone",
        hypotheses=("scalar", "alignment"),
        meaning=MEANING,
        mutants=(Mutant("half of it", every("i", every("j", eq(USA_RATE, 1 / n * _pull("i", "j"))))),),
    ),
    Part(
        "gram_sa",
        GRAM_SA,
        "and so they do under SA",
        hypotheses=("scalar", "alignment"),
        meaning=MEANING,
        mutants=(Mutant("half of it", every("i", every("j", eq(SA_RATE, _softmax_pull("i", "j"))))),),
    ),
    Part(
        "usa",
        same_rate("usa_sphere"),
        "under USA, at an equiangular configuration, all pairs of distinct tokens have the same rate, and "
        "norms do not change",
        hypotheses=EQUIANGULAR,
        meaning=frozenset(("scalar", "alignment")),
        mutants=(Mutant("pairs do not move", for_pairs(eq(USA_RATE, 0))),),
    ),
    Part(
        "sa",
        same_rate("sa_sphere"),
        "under SA, at an equiangular configuration, all pairs of distinct tokens have the same rate, and "
        "norms do not change",
        hypotheses=EQUIANGULAR,
        meaning=frozenset(("scalar", "alignment")),
        mutants=(Mutant("pairs do not move", for_pairs(eq(SA_RATE, 0))),),
    ),
    source_note=(
        "That the configuration stays equiangular follows from the parts and from the uniqueness of "
        "solutions: the inner products "
        "obey a smooth differential equation of their own, which on the equiangular ones moves all "
        "off-diagonal entries alike, "
        "so the solution with one common entry is the solution."
    ),
)
_ODE_SA = claim_row(
    "ode_sa",
    "The softmax flow closes in the common inner product",
    ("SA",),
    Part(
        "rate",
        ODE_SA,
        "under SA the common inner product has this rate",
        hypotheses=EQUIANGULAR,
        meaning=MEANING,
        mutants=(
            Mutant("1 for 2", for_pairs(eq(SA_RATE, PREFACTOR * SOFTMAX_SUM))),
            Mutant("n for n - 1", for_pairs(eq(SA_RATE, 2 * (1 - gamma) * (1 + n * gamma) * SOFTMAX_SUM))),
            Mutant(
                "gamma for 1 - gamma in the exponent",
                for_pairs(eq(SA_RATE, 2 * PREFACTOR * total("h", scale_h / (exp(beta * scale_h * gamma) + n - 1)))),
            ),
        ),
    ),
)
_ODE_USA = claim_row(
    "ode_usa",
    "The unnormalised flow closes in the common inner product",
    ("USA",),
    Part(
        "rate",
        ODE_USA,
        "under USA the common inner product has this rate",
        hypotheses=EQUIANGULAR,
        meaning=MEANING,
        mutants=(
            Mutant("without 1/n", for_pairs(eq(USA_RATE, 2 * PREFACTOR * USA_SUM))),
            Mutant("a sign changed", for_pairs(eq(USA_RATE, -USA_SPEED))),
        ),
    ),
)
_EARLY = claim_row(
    "early",
    "The early rate",
    ("SA", "USA"),
    Part(
        "softmax",
        EARLY_SA,
        "at gamma = 0 the rate under SA is the sum of phi(lambda_h)",
        hypotheses=ORTHOGONAL,
        meaning=MEANING,
        mutants=(
            Mutant("half of it", for_pairs(eq(SA_RATE, total("h", phi(scale_h)) / 2))),
            Mutant("phi of the sum", for_pairs(eq(SA_RATE, phi(DRIFT)))),
        ),
    ),
    Part(
        "unnormalised",
        EARLY_USA,
        "under USA it is 2 Lambda/n, whatever beta",
        hypotheses=ORTHOGONAL,
        meaning=MEANING,
        mutants=(Mutant("as under SA", for_pairs(eq(USA_RATE, total("h", phi(scale_h))))),),
    ),
)
_PHI_SHAPE = claim_row(
    "phi_shape",
    "The shape of the early rate",
    (),
    Part(
        "peak",
        PEAK,
        "phi has its only maximum on the positive scales at lambda_max = (1 + W((n-1)/e))/beta",
        domain=(SEVERAL_TOKENS,),
        mutants=(
            Mutant(
                "half the scale",
                implies(conj(POSITIVE_SCALE, ne(mu, lambda_max / 2)), gt(phi(lambda_max / 2), phi(mu))),
            ),
        ),
    ),
    Part(
        "rises_falls",
        RISES_FALLS,
        "phi rises strictly before it and falls strictly after it",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("falls before", implies(POSITIVE_SCALE, iff(gt(0, SLOPE), gt(lambda_max, mu)))),),
    ),
    Part(
        "only_root",
        ONLY_ROOT,
        "(u-2)e^u = (u+2)(n-1) has exactly one positive solution u_c",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("below 2", unique("xi", 0, 2, shape_2(xi))),),
    ),
    Part(
        "above_two",
        ABOVE_TWO,
        "u_c lies above 2",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("above 3", gt(u_c, 3)),),
    ),
    Part(
        "inflection",
        INFLECTION,
        "phi is strictly concave before lambda_c = u_c/beta and strictly convex after it, so lambda_c is "
        "its one inflection",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("convex before", implies(POSITIVE_SCALE, iff(gt(CURVATURE, 0), gt(lambda_c, mu)))),),
    ),
    Part(
        "tanh",
        TANH,
        "equivalently tanh((u_c - log(n-1))/2) = 2/u_c",
        domain=(SEVERAL_TOKENS,),
        mutants=(
            Mutant("1/u_c for 2/u_c", eq(tanh_form(u_c), 1 / u_c)),
            Mutant("n for n - 1", eq(function("tanh", (u_c - log(n)) / 2), 2 / u_c)),
        ),
    ),
    Part(
        "negative_root",
        NEGATIVE_ROOT,
        "the equation has a negative solution too, exactly one between -3 and 0",
        domain=(SEVERAL_TOKENS,),
        mutants=(
            Mutant("between -2 and 0", unique("xi", -2, 0, -shape_2(xi))),
            Mutant("below -3", unique("xi", -9, -3, -shape_2(xi))),
        ),
    ),
    Part(
        "order",
        ORDER,
        "lambda_max < lambda_c: the convex regime lies beyond the peak",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("twice lambda_max", lt(2 * lambda_max, lambda_c)),),
    ),
)
CLAIMS: tuple[Claim, ...] = (_INVARIANCE, _ODE_SA, _ODE_USA, _EARLY, _PHI_SHAPE)
