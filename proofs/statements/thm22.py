"""Theorem 22, heterogeneous scalar heads on the equiangular path: statements."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    H,
    Scalar,
    ScalarLike,
    absolute,
    conj,
    defined,
    eq,
    every,
    exists,
    exp,
    forall,
    function,
    ge,
    gt,
    iff,
    implies,
    integral,
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
define("mean_scale", 1 / H * total("g", symbol("lambda", "g")), text="the mean scale of the heads")
mean_scale = defined("mean_scale")


def tanh_form(t: ScalarLike) -> Scalar:
    """tanh((t - log(n - 1))/2)."""
    return function("tanh", (t - log(n - 1)) / 2)


define(
    "spread_bound",
    beta * mu * tanh_form(beta * mu),
    parameters=["mu"],
    text="beta mu tanh((beta mu - log(n-1))/2)",
)


def spread_bound(scale: ScalarLike) -> Scalar:
    """The bound beta scale tanh((beta scale - log(n-1))/2)."""
    return defined("spread_bound", of=[scale])


define(
    "spread",
    xi * (exp(xi) + 1) - spread_bound(mu) * (exp(xi) - 1),
    parameters=["xi", "mu"],
    text="(e^xi - 1) times the difference of xi coth(xi/2) and the spread bound of mu",
)


def spread(t: ScalarLike, scale: ScalarLike) -> Scalar:
    """t(e^t + 1) - spread_bound(scale)(e^t - 1)."""
    return defined("spread", of=[t, scale])


define(
    "delta_star",
    root("xi", spread(xi, mu), spread_bound(mu) - 2) / beta,
    parameters=["mu"],
    text="the deviation up to which two heads of mean scale mu are faster than two equal ones",
)


def delta_star(scale: ScalarLike) -> Scalar:
    """The critical deviation for a mean scale."""
    return defined("delta_star", of=[scale])


define(
    "phi_at",
    2 * mu / (exp(mu * beta * (1 - gamma)) + n - 1),
    parameters=["mu"],
    text="the part of a head of scale mu in the rate at gamma",
)


def phi_at(scale: ScalarLike) -> Scalar:
    """2 scale / (e^{beta scale (1 - gamma)} + n - 1)."""
    return defined("phi_at", of=[scale])


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

# --- against equal heads ---------------------------------------------------------------------------------------------


def if_unequal(formula: Formula) -> Formula:
    """The formula, whenever two heads differ."""
    return every("g", every("h", implies(ne(symbol("lambda", "g"), scale_h), formula)))


any_scale = symbol("lambda", "h1")
FASTER = gt(total("h1", phi(any_scale)), H * phi(mean_scale))
SUPERADDITIVE = implies(gt(shape_2(beta * mean_scale), 0), if_unequal(FASTER))
ALL_CONVEX = every("h", ge(scale_h, lambda_c))
JENSEN = implies(ALL_CONVEX, if_unequal(FASTER))
SPLIT = phi(mu + nu) + phi(mu - nu)
SPLIT_FASTER = gt(SPLIT, 2 * phi(mu))
BEYOND = gt(mu, lambda_c)
EXISTS = implies(BEYOND, unique("xi", spread_bound(mu) - 2, INFINITY, spread(xi, mu)))
EXACTLY = implies(BEYOND, iff(SPLIT_FASTER, gt(delta_star(mu), nu)))
EQUATION = eq(beta * nu * function("coth", beta * nu / 2), spread_bound(mu))
SOLVES = implies(BEYOND, iff(EQUATION, eq(nu, delta_star(mu))))
BELOW = implies(BEYOND, conj(gt(delta_star(mu), 0), gt(mu, delta_star(mu))))
SPLIT_SLOWER = lt(SPLIT, 2 * phi(mu))
NEVER = implies(conj(POSITIVE_SCALE, ge(lambda_c, mu)), SPLIT_SLOWER)
FAR_SPLIT = implies(POSITIVE_SCALE, lt(phi(0) + phi(2 * mu), 2 * phi(mu)))

LITERAL = ge(phi(mu_1 + mu_2), phi(mu_1) + phi(mu_2))
RATIO_FALLS = implies(gt(mu_2, mu_1), lt(phi(mu_2) / mu_2, phi(mu_1) / mu_1))
SUBADDITIVE = lt(phi(mu_1 + mu_2), phi(mu_1) + phi(mu_2))
HEADS_TOGETHER = total("h1", any_scale)
HEADS_APART = total("h1", phi(any_scale))
ONE_HEAD_SLOWER = every("g", every("h", lt(phi(HEADS_TOGETHER), HEADS_APART), ["g"]))

# --- USA -------------------------------------------------------------------------------------------------------------

MEAN_TERM = mean_scale * exp(beta * mean_scale * gamma)
EQUAL_SUM = H * MEAN_TERM
SPLIT_SUM = total("h1", any_scale * exp(beta * any_scale * gamma))
SPLIT_SPEED = 2 / n * PREFACTOR * SPLIT_SUM
USA_FASTER = if_unequal(gt(SPLIT_SUM, EQUAL_SUM))
USA_START = eq(total("h", scale_h * exp(beta * scale_h * 0)), H * (mean_scale * exp(beta * mean_scale * 0)))
TIME_SPLIT = integral("gamma", gamma_0, gamma_1, 1 / SPLIT_SPEED)
TIME_EQUAL = integral("gamma", gamma_0, gamma_1, 1 / (2 / n * PREFACTOR * EQUAL_SUM))
USA_SOONER = if_unequal(lt(TIME_SPLIT, TIME_EQUAL))
USA_OTHER = if_unequal(lt(SPLIT_SUM, EQUAL_SUM))

# --- reversal --------------------------------------------------------------------------------------------------------

define(
    "gamma_turn", 1 - u_c / (beta * mu), parameters=["mu"], text="where heterogeneity turns from a help to a hindrance"
)
gamma_turn = defined("gamma_turn", of=[mu])
SPLIT_AT = phi_at(mu + nu) + phi_at(mu - nu)
HELPED = exists("radius", forall("nu", implies(gt(radius, nu), gt(SPLIT_AT, 2 * phi_at(mu)))))
HELPS = implies(POSITIVE_SCALE, implies(gt(gamma_turn, gamma), HELPED))
HINDERED = lt(SPLIT_AT, 2 * phi_at(mu))
HINDERS = implies(POSITIVE_SCALE, implies(conj(ge(gamma, gamma_turn), gt(1, gamma)), HINDERED))
END = Fraction(1, 2)
TOTAL_SPLIT = integral("gamma", 0, END, 1 / (PREFACTOR * SPLIT_AT))
TOTAL_EQUAL = integral("gamma", 0, END, 1 / (PREFACTOR * (2 * phi_at(mu))))
FASTER_EARLY_SLOWER_IN_TOTAL = conj(SPLIT_FASTER, gt(TOTAL_SPLIT, TOTAL_EQUAL))
FASTER_EARLY_AND_IN_TOTAL = conj(SPLIT_FASTER, lt(TOTAL_SPLIT, TOTAL_EQUAL))

# --- the late law ----------------------------------------------------------------------------------------------------

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


def _row(
    name: str,
    title: str,
    fields: tuple[str, ...],
    *parts: Part,
    source_note: str = "",
    sharpness: str = "",
    amends: str | None = None,
) -> Claim:
    return Claim(f"thm22.{name}", title, SOURCE, fields, parts, source_note, sharpness, amends)


_INVARIANCE = _row(
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
_ODE_SA = _row(
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
_ODE_USA = _row(
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
_EARLY = _row(
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
_PHI_SHAPE = _row(
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
_SUPERADDITIVE = _row(
    "superadditive",
    "Every heterogeneous split above the inflection is faster",
    ("SA",),
    Part(
        "faster",
        SUPERADDITIVE,
        "if the mean scale of positive heads exceeds lambda_c, and two heads differ, the rate at gamma = "
        "0 exceeds that of equal heads",
        domain=(SEVERAL_TOKENS,),
        hypotheses=("positive_scales",),
    ),
    source_note=(
        "False as summarised here; the paper's wording may be narrower. That the mean exceeds lambda_c is written as "
        "(u-2)e^u > (u+2)(n-1) at u = beta times the mean, which is the same for positive u (thm22.phi_shape)."
    ),
)
_SUPERADDITIVE_AMENDED = _row(
    "superadditive.amended",
    "When a heterogeneous split is faster",
    ("SA",),
    Part(
        "jensen",
        JENSEN,
        "if every head has a scale of at least lambda_c, and two heads differ, the split is strictly faster",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("slower", implies(ALL_CONVEX, if_unequal(lt(FASTER[1], FASTER[2])))),),
    ),
    Part(
        "exists",
        EXISTS,
        "for two heads of mean mu > lambda_c the equation xi coth(xi/2) = beta mu tanh((beta mu - "
        "log(n-1))/2) has exactly one "
        "solution above the right side less 2, and delta* is that solution over beta",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("none", implies(BEYOND, gt(0, spread(beta * nu, mu)))),),
    ),
    Part(
        "exactly",
        EXACTLY,
        "the split mu +- nu is strictly faster exactly if nu < delta*",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("for every nu", implies(BEYOND, SPLIT_FASTER)),),
    ),
    Part(
        "solves",
        SOLVES,
        "delta* is the only positive solution nu of beta nu coth(beta nu/2) = beta mu tanh((beta mu - log(n-1))/2)",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("every nu is a solution", implies(BEYOND, EQUATION)),),
    ),
    Part(
        "below",
        BELOW,
        "0 < delta* < mu",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("the far split is faster too", implies(BEYOND, gt(phi(0) + phi(2 * mu), 2 * phi(mu)))),),
    ),
    Part(
        "never",
        NEVER,
        "for mu <= lambda_c every split is strictly slower, so there is no delta*",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("for every mu", implies(POSITIVE_SCALE, SPLIT_SLOWER)),),
    ),
    Part(
        "far_split",
        FAR_SPLIT,
        "the limiting split into 0 and 2 mu is strictly slower for every mu > 0",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("faster", implies(POSITIVE_SCALE, gt(phi(0) + phi(2 * mu), 2 * phi(mu)))),),
    ),
    amends="thm22.superadditive",
)
_LITERAL = _row(
    "literal_superadditive",
    "The early rate is superadditive",
    (),
    Part(
        "superadditive",
        LITERAL,
        "phi(mu_1 + mu_2) >= phi(mu_1) + phi(mu_2) for positive scales",
        domain=(SEVERAL_TOKENS,),
    ),
    source_note="The word read literally; false at every point, see the amended row.",
)
_LITERAL_AMENDED = _row(
    "literal_superadditive.amended",
    "The early rate is strictly subadditive",
    (),
    Part(
        "ratio_falls",
        RATIO_FALLS,
        "phi(mu)/mu falls strictly",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("phi itself falls", implies(gt(mu_2, mu_1), lt(phi(mu_2), phi(mu_1)))),),
    ),
    Part(
        "subadditive",
        SUBADDITIVE,
        "phi(mu_1 + mu_2) < phi(mu_1) + phi(mu_2) for positive scales",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("for the larger alone", lt(phi(mu_1 + mu_2), phi(mu_1))),),
    ),
    Part(
        "one_head",
        ONE_HEAD_SLOWER,
        "two or more positive heads are faster than one head of the same total",
        domain=(SEVERAL_TOKENS,),
        hypotheses=("positive_scales",),
        mutants=(Mutant("slower", every("g", every("h", gt(phi(HEADS_TOGETHER), HEADS_APART), ["g"]))),),
    ),
    amends="thm22.literal_superadditive",
)
_SUPERADDITIVE_USA = _row(
    "superadditive_usa",
    "Unnormalised heads: every split is faster",
    ("USA",),
    Part(
        "faster",
        USA_FASTER,
        "for gamma > 0, positive heads of which two differ are strictly faster than as many equal heads "
        "of the same total",
        domain=(gt(gamma, 0),),
        hypotheses=("positive_scales",),
        mutants=(
            Mutant("slower", if_unequal(lt(SPLIT_SUM, EQUAL_SUM))),
            Mutant("twice as fast", if_unequal(gt(SPLIT_SUM, 2 * EQUAL_SUM))),
        ),
    ),
    Part(
        "start",
        USA_START,
        "at gamma = 0 there is no difference",
        mutants=(Mutant("one head of the mean scale", eq(USA_START[1], USA_START[2][2])),),
    ),
    Part(
        "time",
        USA_SOONER,
        "the time from gamma_0 to gamma_1 is strictly smaller, for 0 <= gamma_0 < gamma_1 < 1",
        domain=(ge(gamma_0, 0), gt(gamma_1, gamma_0), gt(1, gamma_1)),
        hypotheses=("positive_scales",),
        mutants=(Mutant("greater", if_unequal(gt(TIME_SPLIT, TIME_EQUAL))),),
    ),
    Part(
        "other_way",
        USA_OTHER,
        "at a negative gamma it can be the other way",
        domain=(lt(gamma, 0), gt(1 + (n - 1) * gamma, 0), SEVERAL_TOKENS),
        hypotheses=("positive_scales",),
        quantifier=Quantifier.EXISTENTIAL,
    ),
    source_note="The time is the integral of d gamma over the rate: gamma rises strictly, so variables separate.",
)
_REVERSAL = _row(
    "reversal",
    "Faster early need not be faster in total",
    ("SA",),
    Part(
        "helps",
        HELPS,
        "for gamma < 1 - u_c/(beta mu), all small enough deviations nu make the split mu +- nu strictly "
        "faster at gamma",
        domain=(SEVERAL_TOKENS,),
        mutants=(
            Mutant(
                "all deviations", implies(POSITIVE_SCALE, implies(gt(gamma_turn, gamma), gt(SPLIT_AT, 2 * phi_at(mu))))
            ),
        ),
    ),
    Part(
        "hinders",
        HINDERS,
        "for gamma from there on, every deviation makes it strictly slower",
        domain=(SEVERAL_TOKENS,),
        mutants=(Mutant("at every gamma", implies(POSITIVE_SCALE, implies(gt(1, gamma), HINDERED))),),
    ),
    Part(
        "slower_in_total",
        FASTER_EARLY_SLOWER_IN_TOTAL,
        "a split can be faster at gamma = 0 and yet take longer from gamma = 0 to gamma = 1/2",
        domain=(SEVERAL_TOKENS, gt(mu, nu)),
        quantifier=Quantifier.EXISTENTIAL,
    ),
    Part(
        "faster_in_total",
        FASTER_EARLY_AND_IN_TOTAL,
        "and it can be faster at gamma = 0 and in total",
        domain=(SEVERAL_TOKENS, gt(mu, nu)),
        quantifier=Quantifier.EXISTENTIAL,
    ),
)
_PATH_DOMAIN = (SEVERAL_TOKENS, gt(1 + (n - 1) * gamma_0, 0), gt(1, gamma_0))
_TIME_DOMAIN = (*_PATH_DOMAIN, gt(gamma_1, gamma_0), gt(1, gamma_1))
_LATE = _row(
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
CLAIMS: tuple[Claim, ...] = (
    _INVARIANCE,
    _ODE_SA,
    _ODE_USA,
    _LATE,
    _EARLY,
    _PHI_SHAPE,
    _SUPERADDITIVE,
    _SUPERADDITIVE_AMENDED,
    _LITERAL,
    _LITERAL_AMENDED,
    _SUPERADDITIVE_USA,
    _REVERSAL,
)
