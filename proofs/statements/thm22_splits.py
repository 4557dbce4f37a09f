"""Theorem 22, heterogeneous heads against equal heads: statements."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    INFINITY,
    Formula,
    H,
    Scalar,
    ScalarLike,
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
    lt,
    n,
    ne,
    root,
    symbol,
    total,
    unique,
)
from antumbra.proofs.setting import beta, define, gamma, scale_h
from antumbra.proofs.statements.thm22 import (
    POSITIVE_SCALE,
    PREFACTOR,
    SEVERAL_TOKENS,
    claim_row,
    gamma_0,
    gamma_1,
    lambda_c,
    mu,
    mu_1,
    mu_2,
    nu,
    phi,
    radius,
    shape_2,
    tanh_form,
    u_c,
    xi,
)

define("mean_scale", 1 / H * total("g", symbol("lambda", "g")), text="the mean scale of the heads")
mean_scale = defined("mean_scale")

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

_SUPERADDITIVE = claim_row(
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
_SUPERADDITIVE_AMENDED = claim_row(
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
_LITERAL = claim_row(
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
_LITERAL_AMENDED = claim_row(
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
_SUPERADDITIVE_USA = claim_row(
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
_REVERSAL = claim_row(
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
CLAIMS: tuple[Claim, ...] = (
    _SUPERADDITIVE,
    _SUPERADDITIVE_AMENDED,
    _LITERAL,
    _LITERAL_AMENDED,
    _SUPERADDITIVE_USA,
    _REVERSAL,
)
