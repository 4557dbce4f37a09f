"""Theorem 27, the entropy of attention: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    absolute,
    conj,
    defined,
    eq,
    every,
    exists,
    exp,
    forall,
    ge,
    gt,
    implies,
    ip,
    le,
    log,
    lt,
    n,
    rate,
    rational,
    symbol,
    total,
    vector,
)
from antumbra.proofs.setting import beta, declare, define, flow, gamma, hypothesis, normaliser, scale_h, weight

SOURCE = "Theorem 27"
ON_PATH = ("scalar", "equiangular")

# --- the attention of one token, whatever its scores ------------------------------------------------------------------

score_j, rate_j = symbol("score", "j"), symbol("score_rate", "j")

define(
    "p_score",
    exp(beta * score_j) / total("k", exp(beta * symbol("score", "k"))),
    ["j"],
    text="the attention weight of token j, from the scores of one token",
)
p_j = defined("p_score", "j")
define("S_score", -total("j", p_j * log(p_j)), text="the entropy of these weights")
define(
    "Cov_score",
    total("j", p_j * score_j * rate_j) - total("j", p_j * score_j) * total("j", p_j * rate_j),
    text="the covariance of the scores and their rates under these weights",
)
entropy, covariance = defined("S_score"), defined("Cov_score")
ENTROPY_RATE = rate("scores", entropy)
IDENTITY = eq(ENTROPY_RATE, -(beta**2) * covariance)

# --- the attention of a token in a configuration ----------------------------------------------------------------------

define(
    "p_attention",
    weight("h", "i", "j") / normaliser("h", "i"),
    ["h", "i", "j"],
    text="the attention that head h at token i pays to token j",
)
attention = defined("p_attention", "h", "i", "j")
define(
    "S_token", -total("j", attention * log(attention)), ["h", "i"], text="the entropy of head h's attention at token i"
)
token_entropy = defined("S_token", "h", "i")
define(
    "S_mean", 1 / n * total("i", token_entropy), ["h"], text="the mean entropy of head h's attention over the tokens"
)
mean_entropy = defined("S_mean", "h")
TOKEN_RATE = rate("sa_sphere", token_entropy)
MEAN_RATE = rate("sa_sphere", mean_entropy)

# --- the equiangular path ---------------------------------------------------------------------------------------------

flow("d_gamma", [("gamma", [], rational(1))], "the common inner product rises at unit speed")

gap = beta * scale_h * (1 - gamma)
define(
    "p_path",
    exp(gap) / (exp(gap) + n - 1),
    ["h"],
    text="the attention that a token pays to itself on the equiangular path",
)
p_path = defined("p_path", "h")
define(
    "S_path",
    log(exp(gap) + n - 1) - gap * exp(gap) / (exp(gap) + n - 1),
    ["h"],
    text="the entropy of head h's attention on the equiangular path",
)
S_path = defined("S_path", "h")
CLOSED = eq(token_entropy, S_path)
SELF_ATTENTION = eq(defined("p_attention", "h", "i", "i"), p_path)
PATH_RATE = rate("d_gamma", S_path)
PATH_SPEED = beta**2 * scale_h**2 * (1 - gamma) * p_path * (1 - p_path)
PATH_IS = eq(PATH_RATE, PATH_SPEED)
PATH_MONOTONE = ge(PATH_RATE, 0)


declare("gap", "scalar", text="the gap between the exponents of a token's own weight and of the others")
flow("d_gap", [("gap", [], rational(1))], "the gap rises at unit speed")
declare("tolerance", "scalar", domain="positive", text="a tolerance")
declare("radius", "scalar", domain="positive", text="a distance from gamma = 1")
declare("time", "scalar", text="a time")

DEFICIT = log(n) - S_path
LEADING = (n - 1) * gap**2 / (2 * n**2)
DEFICIT_UPPER = le(DEFICIT, LEADING * exp(absolute(gap)))
DEFICIT_LOWER = ge(DEFICIT, LEADING * exp(-absolute(gap)))
MODULUS = (n - 1) * beta**2 * scale_h**2 * exp(beta * absolute(scale_h)) / (2 * n**2)
LIMIT_BELOW = le(S_path, log(n))
LIMIT_ABOVE = ge(S_path, log(n) - MODULUS * (1 - gamma) ** 2)
tolerance, radius = symbol("tolerance"), symbol("radius")
CLOSE = lt(absolute(log(n) - S_path), tolerance)
NEAR = conj(le(gamma, 1), lt(1 - gamma, radius))
LIMIT = exists("radius", forall("gamma", implies(NEAR, CLOSE)))
drift = total("g", symbol("lambda", "g"))
time = symbol("time")
CLUSTERING = (1 - gamma) * exp(2 * drift * time)
SCALED_DEFICIT = DEFICIT * exp(4 * drift * time)
CLUSTERED = (n - 1) * beta**2 * scale_h**2 / (2 * n**2) * CLUSTERING**2
RATE_UPPER = le(SCALED_DEFICIT, CLUSTERED * exp(absolute(gap)))
RATE_LOWER = ge(SCALED_DEFICIT, CLUSTERED * exp(-absolute(gap)))

# --- along the flow ---------------------------------------------------------------------------------------------------

APPROACH = rate("sa_sphere", ip(vector("x", "i"), vector("x", "j")))
CHAIN = every("i", every("j", eq(TOKEN_RATE, PATH_SPEED * APPROACH), ["i"]))
WHILE_APPROACHING = every("i", every("j", implies(ge(APPROACH, 0), ge(TOKEN_RATE, 0)), ["i"]))
MOVING_ON_PATH = (*ON_PATH, "alignment")
GENERAL = ("unit", "symmetry", "alignment")
hypothesis("nonnegative_scales", every("h", ge(scale_h, 0)), "no head has a negative scale")

CLAIMS = (
    Claim(
        "thm27.identity",
        "The entropy's rate is a covariance",
        SOURCE,
        (),
        (
            Part(
                "rate",
                IDENTITY,
                "however the scores change, the entropy's rate is -beta^2 times the covariance of scores and rates",
                mutants=(
                    Mutant("beta for beta^2", eq(ENTROPY_RATE, -beta * covariance)),
                    Mutant("a sign changed", eq(ENTROPY_RATE, beta**2 * covariance)),
                    Mutant("without the means", eq(ENTROPY_RATE, -(beta**2) * total("j", p_j * score_j * rate_j))),
                ),
            ),
        ),
    ),
    Claim(
        "thm27.equiangular",
        "The entropy on the equiangular path",
        SOURCE,
        ("SA",),
        (
            Part(
                "closed_form",
                CLOSED,
                "every token's entropy is ln(e^a + n - 1) - a e^a / (e^a + n - 1), a = beta lambda (1 - gamma)",
                hypotheses=ON_PATH,
                meaning=frozenset(ON_PATH),
                mutants=(
                    Mutant("n for n - 1", eq(token_entropy, log(exp(gap) + n) - gap * exp(gap) / (exp(gap) + n))),
                    Mutant("without the second term", eq(token_entropy, log(exp(gap) + n - 1))),
                ),
            ),
            Part(
                "own_weight",
                SELF_ATTENTION,
                "p = e^a / (e^a + n - 1) is the attention that a token pays to itself",
                hypotheses=ON_PATH,
                meaning=frozenset(ON_PATH),
                mutants=(Mutant("the attention to any token", eq(attention, p_path)),),
            ),
            Part(
                "slope",
                PATH_IS,
                "its derivative in gamma is beta^2 lambda^2 (1 - gamma) p (1 - p), for every real lambda",
                mutants=(
                    Mutant(
                        "beta lambda for its square",
                        eq(PATH_RATE, beta * scale_h * (1 - gamma) * p_path * (1 - p_path)),
                    ),
                    Mutant("p^2 for p (1 - p)", eq(PATH_RATE, beta**2 * scale_h**2 * (1 - gamma) * p_path**2)),
                ),
            ),
            Part(
                "monotone",
                PATH_MONOTONE,
                "it does not fall as gamma rises to 1, for every real lambda",
                domain=(le(gamma, 1),),
                mutants=(
                    Mutant("falls instead of rises", le(PATH_RATE, 0)),
                    Mutant("strict for weak", gt(PATH_RATE, 0)),
                ),
            ),
        ),
        source_note="The closed form holds for real lambda of any sign, and so does the sign of its slope.",
    ),
    Claim(
        "thm27.limit",
        "The entropy tends to ln n",
        SOURCE,
        ("SA",),
        (
            Part(
                "below",
                LIMIT_BELOW,
                "the entropy is at most ln n",
                mutants=(Mutant("strictly below", lt(S_path, log(n))), Mutant("half of it", le(S_path, log(n) / 2))),
            ),
            Part(
                "above",
                LIMIT_ABOVE,
                "for 0 <= gamma <= 1 it is at least ln n - (n - 1) beta^2 lambda^2 e^{beta |lambda|} (1 - gamma)^2 / "
                "(2 n^2)",
                domain=(ge(gamma, 0), le(gamma, 1)),
                mutants=(
                    Mutant("without the exponential", ge(S_path, log(n) - (n - 1) / (4 * n**2) * gap**2)),
                    Mutant("the opposite", lt(S_path, log(n) - MODULUS * (1 - gamma) ** 2)),
                ),
            ),
            Part(
                "limit",
                LIMIT,
                "so it is within any tolerance of ln n once gamma is near enough to 1",
                mutants=(Mutant("at every gamma", CLOSE),),
            ),
        ),
    ),
    Claim(
        "thm27.deficit_rate",
        "The entropy deficit decays at twice the clustering rate",
        SOURCE,
        ("SA",),
        (
            Part(
                "upper",
                DEFICIT_UPPER,
                "ln n - S is at most (n - 1) a^2 e^{|a|} / (2 n^2), a = beta lambda (1 - gamma)",
                mutants=(
                    Mutant("half of it", le(2 * DEFICIT, LEADING * exp(absolute(gap)))),
                    Mutant("n^3 for n^2", le(DEFICIT, LEADING / n * exp(absolute(gap)))),
                ),
            ),
            Part(
                "lower",
                DEFICIT_LOWER,
                "ln n - S is at least (n - 1) a^2 e^{-|a|} / (2 n^2): with the upper bound, the ratio tends to 1 "
                "with a to 0",
                mutants=(
                    Mutant("twice it", ge(DEFICIT, 2 * LEADING * exp(-absolute(gap)))),
                    Mutant("n for n^2", ge(DEFICIT, n * LEADING * exp(-absolute(gap)))),
                ),
            ),
            Part(
                "rate_upper",
                RATE_UPPER,
                "at any time t, (ln n - S) e^{4 Lambda t} is at most (n - 1) beta^2 lambda^2 e^{|a|} / (2 n^2) times "
                "the "
                "square of (1 - gamma) e^{2 Lambda t}",
                mutants=(
                    Mutant(
                        "the clustering rate itself",
                        le(DEFICIT * exp(2 * drift * time), CLUSTERED * exp(absolute(gap))),
                    ),
                ),
            ),
            Part(
                "rate_lower",
                RATE_LOWER,
                "and at least the same with e^{-|a|}: where (1 - gamma) e^{2 Lambda t} tends to C > 0, the deficit "
                "decays as "
                "e^{-4 Lambda t}",
                mutants=(
                    Mutant(
                        "the clustering rate itself",
                        ge(DEFICIT * exp(2 * drift * time), CLUSTERED * exp(-absolute(gap))),
                    ),
                ),
            ),
        ),
        source_note=(
            "Stated as bounds on both sides at every gamma, which give the asymptotic law with an explicit error; "
            "that "
            "(1 - gamma) e^{2 Lambda t} has a positive limit is thm22.late."
        ),
    ),
    Claim(
        "thm27.general",
        "The entropy never falls",
        SOURCE,
        ("SA",),
        (
            Part(
                "token",
                ge(TOKEN_RATE, 0),
                "the entropy of no head's attention at any token ever falls",
                domain=(ge(n, 2),),
                hypotheses=GENERAL,
                meaning=frozenset(GENERAL),
            ),
            Part(
                "mean",
                ge(MEAN_RATE, 0),
                "the mean over the tokens of the entropy of a head's attention never falls",
                domain=(ge(n, 2),),
                hypotheses=GENERAL,
                meaning=frozenset(GENERAL),
            ),
            Part(
                "path",
                ge(TOKEN_RATE, 0),
                "on the equiangular path the entropy never falls, whatever the scales of the heads",
                domain=(ge(n, 2),),
                hypotheses=MOVING_ON_PATH,
                meaning=frozenset(MOVING_ON_PATH),
            ),
        ),
        source_note=(
            "False as summarised here; the paper's wording may be narrower. It fails off the equiangular path with "
            "one head M = W = I, and on the path with a negative scale."
        ),
    ),
    Claim(
        "thm27.general.amended",
        "On the equiangular path the entropy does not fall while tokens approach",
        SOURCE,
        ("SA",),
        (
            Part(
                "chain",
                CHAIN,
                "on the equiangular path the entropy's rate is its slope in gamma times the rate of gamma",
                hypotheses=MOVING_ON_PATH,
                meaning=frozenset(ON_PATH),
                mutants=(
                    Mutant("half of it", every("i", every("j", eq(2 * TOKEN_RATE, PATH_SPEED * APPROACH), ["i"]))),
                    Mutant("a sign changed", every("i", every("j", eq(TOKEN_RATE, -PATH_SPEED * APPROACH), ["i"]))),
                ),
            ),
            Part(
                "while_approaching",
                WHILE_APPROACHING,
                "the entropy does not fall whenever gamma does not",
                hypotheses=MOVING_ON_PATH,
                meaning=frozenset(ON_PATH),
                mutants=(
                    Mutant(
                        "while tokens part",
                        every("i", every("j", implies(le(APPROACH, 0), ge(TOKEN_RATE, 0)), ["i"])),
                    ),
                ),
            ),
            Part(
                "nonnegative_scales",
                ge(TOKEN_RATE, 0),
                "so the entropy does not fall if no head has a negative scale",
                hypotheses=(*MOVING_ON_PATH, "nonnegative_scales"),
                meaning=frozenset(ON_PATH),
                mutants=(Mutant("falls instead of rises", le(TOKEN_RATE, 0)),),
            ),
        ),
        source_note="On a configuration, not on the closed form alone: the rates are those of SA on the sphere.",
        amends="thm27.general",
    ),
)
