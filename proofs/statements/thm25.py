"""Theorem 25, ReLU against softmax with one scalar head on the equiangular path: statements.

The closed forms hold for every real number of tokens n = m + 1 > 1; the speeds are derived for integers, from the
tokens.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.claim import Claim, Mutant, Part, Quantifier
from antumbra.proofs.kernel.terms import (
    INFINITY,
    ZERO,
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
    integral,
    ip,
    le,
    log,
    lt,
    n,
    ne,
    rate,
    rational,
    relu,
    symbol,
    unique,
    vdefined,
    vector,
    veq,
    vtotal,
)
from antumbra.proofs.setting import beta, declare, define, flow, gamma, project, scale_h

SOURCE = "Theorem 25"

# --- the tokens under ReLU attention ----------------------------------------------------------------------------------

declare("lambda_0", "scalar", text="the scale of the only head")
scale = symbol("lambda_0")
x_i, x_j = vector("x", "i"), vector("x", "j")
define(
    "v_relu",
    1 / n * vtotal("j", relu(scale * ip(x_i, x_j)) * scale * x_j),
    ["i"],
    text="the velocity field of ReLU attention with one scalar head",
)
define("P_v_relu", project(x_i, vdefined("v_relu", "i")), ["i"], text="the tangential part of the ReLU field")
flow("relu_sphere", [("x", ["i"], vdefined("P_v_relu", "i"))], "ReLU attention on the sphere")

# --- speeds and their integrals on the path ---------------------------------------------------------------------------

declare("m", "scalar", domain="positive", text="n - 1, the number of other tokens, any positive real number")
declare("gamma_0", "scalar", text="the common inner product at the start")
declare("gamma_1", "scalar", text="the common inner product at the end")
declare("kappa", "scalar", text="an inverse temperature, any real number")
flow("d_kappa", [("kappa", [], rational(1))], "the inverse temperature rises at unit speed")
m, gamma_0, gamma_1, kappa = (symbol(s) for s in ("m", "gamma_0", "gamma_1", "kappa"))
a = beta * scale
_angle, _temperature = symbol("angle"), symbol("temperature")

define(
    "speed_softmax",
    2 * scale * (1 - _angle) * (1 + m * _angle) / (exp(_temperature * scale * (1 - _angle)) + m),
    parameters=["angle", "temperature"],
    text="the rate of gamma under SA with one scalar head on the equiangular path, n = m + 1",
)
define(
    "speed_relu",
    2 * scale**2 / (m + 1) * _angle * (1 - _angle) * (1 + m * _angle),
    parameters=["angle"],
    text="the rate of gamma under ReLU attention on the equiangular path where gamma > 0, n = m + 1",
)


def softmax_speed(angle: ScalarLike = gamma, temperature: ScalarLike = beta) -> Scalar:
    """The rate of gamma under SA."""
    return defined("speed_softmax", of=[angle, temperature])


def relu_speed(angle: ScalarLike = gamma) -> Scalar:
    """The rate of gamma under ReLU attention."""
    return defined("speed_relu", of=[angle])


define(
    "F_softmax",
    (
        -function("Ei", a * (1 - _angle))
        + exp(a * (m + 1) / m) * function("Ei", -a * (1 + m * _angle) / m)
        + m * (log(1 + m * _angle) - log(1 - _angle))
    )
    / (2 * scale * (m + 1)),
    parameters=["angle"],
    text="an antiderivative of 1 / speed_softmax",
)
define(
    "F_flat",
    (log(1 + m * _angle) - log(1 - _angle)) / (2 * scale),
    parameters=["angle"],
    text="an antiderivative of 1 / speed_softmax at beta = 0",
)
define(
    "G_relu",
    ((m + 1) * log(_angle) - log(1 - _angle) - m * log(1 + m * _angle)) / (2 * scale**2),
    parameters=["angle"],
    text="an antiderivative of 1 / speed_relu",
)


def increment(name: str) -> Scalar:
    """The increment of a closed form from gamma_0 to gamma_1."""
    return defined(name, of=[gamma_1]) - defined(name, of=[gamma_0])


def softmax_time(temperature: ScalarLike = beta, start: ScalarLike = gamma_0) -> Scalar:
    """The time from `start` to gamma_1 under SA: the integral of 1 / speed."""
    return integral("gamma", start, gamma_1, 1 / softmax_speed(gamma, temperature))


def relu_time() -> Scalar:
    """The time from gamma_0 to gamma_1 under ReLU attention."""
    return integral("gamma", gamma_0, gamma_1, 1 / relu_speed())


T_SOFTMAX, T_RELU, T_FLAT = softmax_time(), relu_time(), softmax_time(0)

# --- softmax_time -----------------------------------------------------------------------------------------------------

APPROACH = rate("sa_sphere", ip(x_i, x_j))
TOKEN_GAP = beta * scale_h * (1 - gamma)
TOKEN_SPEED = 2 * scale_h * (1 - gamma) * (1 + (n - 1) * gamma) / (exp(TOKEN_GAP) + n - 1)
SOFTMAX_TOKENS = every("h", every("i", every("j", eq(APPROACH, TOKEN_SPEED), ["i"])))
F_RATE = rate("d_gamma", defined("F_softmax", of=[gamma]))
F_ANTIDERIVATIVE = eq(softmax_speed() * F_RATE, 1)
F_TIME = eq(T_SOFTMAX, increment("F_softmax"))
ON_PATH = (gt(1 + m * gamma, 0), lt(gamma, 1))
BETWEEN = (gt(1 + m * gamma_0, 0), le(gamma_0, gamma_1), lt(gamma_1, 1))
FLAT_TIME = eq(T_FLAT, increment("F_flat"))
NEARLY_FLAT_BELOW = ge(T_SOFTMAX, increment("F_flat"))
NEARLY_FLAT_ABOVE = le(T_SOFTMAX, exp(a * (1 - gamma_0)) * increment("F_flat"))

# --- relu_time --------------------------------------------------------------------------------------------------------

RELU_APPROACH = rate("relu_sphere", ip(x_i, x_j))
RELU_TOKEN_SPEED = 2 * scale**2 / n * gamma * (1 - gamma) * (1 + (n - 1) * gamma)
RELU_TOKENS = every("i", every("j", eq(RELU_APPROACH, RELU_TOKEN_SPEED), ["i"]))
STILL = every("i", veq(vdefined("P_v_relu", "i"), ZERO))
G_RATE = rate("d_gamma", defined("G_relu", of=[gamma]))
G_ANTIDERIVATIVE = eq(relu_speed() * G_RATE, 1)
G_TIME = eq(T_RELU, increment("G_relu"))
POSITIVE_SCALE = gt(scale, 0)
RELU_BETWEEN = (POSITIVE_SCALE, gt(gamma_0, 0), le(gamma_0, gamma_1), lt(gamma_1, 1))

# --- the linearised laws ----------------------------------------------------------------------------------------------

SOFTMAX_LAW = gamma_1 * (exp(scale * beta) + m) / (2 * scale)
SOFTMAX_LINEAR = lt(T_SOFTMAX, SOFTMAX_LAW)
LINEAR_RANGE = (POSITIVE_SCALE, lt(gamma_0, gamma_1), le(m * gamma_1, m - 1))
SOFTMAX_LIMIT = (log(m + 1) + log(gamma_1) - log(1 - gamma_1)) / (2 * scale)
T_FROM_ZERO = softmax_time(beta, 0)
SOFTMAX_ORDER_BELOW = ge(T_FROM_ZERO, SOFTMAX_LIMIT)
SOFTMAX_ORDER_ABOVE = le(
    T_FROM_ZERO,
    (1 + (exp(a) - 1) / (m + 1)) * (SOFTMAX_LIMIT + (1 - gamma_1) / (2 * scale * (m + 1) * gamma_1)),
)
ORDER_RANGE = (POSITIVE_SCALE, gt(gamma_1, 0), lt(gamma_1, 1))
RELU_LAW = (m + 1) / (2 * scale**2) * (log(gamma_1) - log(gamma_0))
RELU_LINEAR = lt(T_RELU, RELU_LAW)
RELU_LIMIT = 1 / gamma_0 - 1 / gamma_1 + log(gamma_1) - log(1 - gamma_1) - log(gamma_0) + log(1 - gamma_0)
RELU_ORDER_ABOVE = le(2 * scale**2 * T_RELU, RELU_LIMIT)
RELU_ORDER_BELOW = ge(2 * scale**2 * T_RELU, RELU_LIMIT - 1 / (2 * m * gamma_0**2))

# --- late rates -------------------------------------------------------------------------------------------------------

AT_CLUSTER = eq(gamma, 1)
SOFTMAX_SLOPE, RELU_SLOPE = rate("d_gamma", softmax_speed()), rate("d_gamma", relu_speed())
SOFTMAX_LATE = implies(AT_CLUSTER, eq(SOFTMAX_SLOPE, -2 * scale))
RELU_LATE = implies(AT_CLUSTER, eq(RELU_SLOPE, -2 * scale**2))
LARGER = iff(gt(2 * scale**2, 2 * scale), gt(scale, 1))
TIE = iff(eq(2 * scale**2, 2 * scale), eq(scale, 1))
FASTER = gt(relu_speed(), softmax_speed())
SLOWER = lt(relu_speed(), softmax_speed())

# --- the crossing -----------------------------------------------------------------------------------------------------

CROSSING_RANGE = (POSITIVE_SCALE, gt(gamma_0, 0), lt(gamma_0, gamma_1), lt(gamma_1, 1))
declare("beta_0", "scalar", domain="nonnegative", text="a lower inverse temperature")
cooler = symbol("beta_0")
RISES = implies(lt(cooler, beta), lt(softmax_time(cooler), softmax_time(beta)))
CROSSING = unique("kappa", 0, INFINITY, softmax_time(kappa) - T_RELU)
EXISTS = iff(lt(T_FLAT, T_RELU), CROSSING)
ALWAYS = implies(le(scale, 1), lt(T_FLAT, T_RELU))
NEVER = implies(ge(scale * gamma_0, 1), ge(T_FLAT, T_RELU))

# --- two values of the crossing ---------------------------------------------------------------------------------------


def crossing_between(low: Fraction, high: Fraction) -> Formula:
    """The softmax time is below the ReLU time at one inverse temperature and above it at another."""
    return conj(lt(softmax_time(low), T_RELU), gt(softmax_time(high), T_RELU))


def crossing_values(tokens: int, dimension_root: int) -> tuple[Formula, ...]:
    """Lambda = 1, n tokens, from 1/sqrt(d) to 99/100."""
    start, end = Fraction(1, dimension_root), Fraction(99, 100)
    return (eq(scale, 1), eq(m, tokens - 1), eq(gamma_0, rational(start)), eq(gamma_1, rational(end)))


DIGIT = Fraction(1, 10**15)
CROSSING_64 = Fraction(4435372845940151, 10**15)
CROSSING_1024 = Fraction(7356908288057579, 10**15)

CLAIMS = (
    Claim(
        "thm25.softmax_time",
        "The softmax clustering time",
        SOURCE,
        ("SA",),
        (
            Part(
                "speed",
                SOFTMAX_TOKENS,
                "on the equiangular path one scalar head moves gamma at 2 lambda (1 - gamma) (1 + (n - 1) gamma) / "
                "(e^{beta lambda (1 - gamma)} + n - 1)",
                hypotheses=("scalar", "alignment", "equiangular", "single_head"),
                meaning=frozenset({"scalar", "equiangular", "single_head"}),
                mutants=(
                    Mutant(
                        "half of it",
                        every("h", every("i", every("j", eq(2 * APPROACH, TOKEN_SPEED), ["i"]))),
                    ),
                    Mutant(
                        "n for n - 1",
                        every(
                            "h",
                            every(
                                "i",
                                every(
                                    "j",
                                    eq(
                                        APPROACH,
                                        2
                                        * scale_h
                                        * (1 - gamma)
                                        * (1 + (n - 1) * gamma)
                                        / (exp(beta * scale_h * (1 - gamma)) + n),
                                    ),
                                    ["i"],
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            Part(
                "antiderivative",
                F_ANTIDERIVATIVE,
                "F' is one over the speed, for -1/(n - 1) < gamma < 1 and any lambda but 0",
                domain=(ne(scale, 0), *ON_PATH),
                mutants=(
                    Mutant("half of it", eq(2 * softmax_speed() * F_RATE, 1)),
                    Mutant("a sign changed", eq(softmax_speed() * F_RATE, -1)),
                ),
            ),
            Part(
                "time",
                F_TIME,
                "the time from gamma_0 to gamma_1, the integral of one over the speed, is F(gamma_1) - F(gamma_0)",
                domain=(ne(scale, 0), *BETWEEN),
                mutants=(
                    Mutant("twice it", eq(T_SOFTMAX, 2 * increment("F_softmax"))),
                    Mutant("the value at beta = 0", eq(T_SOFTMAX, increment("F_flat"))),
                ),
            ),
            Part(
                "flat",
                FLAT_TIME,
                "at beta = 0 it is the increment of (ln(1 + (n - 1) gamma) - ln(1 - gamma)) / (2 lambda)",
                domain=(ne(scale, 0), *BETWEEN),
                mutants=(Mutant("half of it", eq(2 * T_FLAT, increment("F_flat"))),),
            ),
            Part(
                "nearly_flat_below",
                NEARLY_FLAT_BELOW,
                "the time is at least that limit, for lambda > 0",
                domain=(POSITIVE_SCALE, *BETWEEN),
                mutants=(Mutant("the opposite", lt(T_SOFTMAX, increment("F_flat"))),),
            ),
            Part(
                "nearly_flat_above",
                NEARLY_FLAT_ABOVE,
                "and at most e^{beta lambda (1 - gamma_0)} times it, so that it tends to it as beta lambda tends to 0",
                domain=(POSITIVE_SCALE, *BETWEEN),
                mutants=(Mutant("without the exponential", le(T_SOFTMAX, increment("F_flat"))),),
            ),
        ),
        source_note=(
            "The closed form holds for every lambda but 0 and every real n > 1; the limit as beta lambda tends to 0 "
            "is "
            "stated as bounds on both sides."
        ),
    ),
    Claim(
        "thm25.relu_time",
        "The ReLU clustering time",
        SOURCE,
        ("ReLU",),
        (
            Part(
                "speed",
                RELU_TOKENS,
                "for gamma > 0 ReLU attention moves gamma at (2 lambda^2 / n) gamma (1 - gamma) (1 + (n - 1) gamma)",
                domain=(POSITIVE_SCALE, gt(gamma, 0)),
                hypotheses=("equiangular",),
                meaning=frozenset({"equiangular"}),
                mutants=(
                    Mutant("half of it", every("i", every("j", eq(2 * RELU_APPROACH, RELU_TOKEN_SPEED), ["i"]))),
                    Mutant(
                        "lambda for its square",
                        every("i", every("j", eq(scale * RELU_APPROACH, RELU_TOKEN_SPEED), ["i"])),
                    ),
                ),
            ),
            Part(
                "still",
                STILL,
                "for gamma <= 0 every token stands still: only j = i acts on token i, and radially",
                domain=(POSITIVE_SCALE, le(gamma, 0)),
                hypotheses=("equiangular",),
                meaning=frozenset({"equiangular"}),
                mutants=(Mutant("the flat field", every("i", veq(vdefined("v_relu", "i"), ZERO))),),
            ),
            Part(
                "antiderivative",
                G_ANTIDERIVATIVE,
                "G' is one over the speed, for 0 < gamma < 1",
                domain=(POSITIVE_SCALE, gt(gamma, 0), lt(gamma, 1)),
                mutants=(Mutant("half of it", eq(2 * relu_speed() * G_RATE, 1)),),
            ),
            Part(
                "time",
                G_TIME,
                "the time from gamma_0 > 0 to gamma_1 is G(gamma_1) - G(gamma_0), G = (n ln gamma - ln(1 - gamma) - "
                "(n - 1) ln(1 + (n - 1) gamma)) / (2 lambda^2)",
                domain=RELU_BETWEEN,
                mutants=(Mutant("twice it", eq(T_RELU, 2 * increment("G_relu"))),),
            ),
        ),
    ),
    Claim(
        "thm25.softmax_linear",
        "The linearised softmax time is an upper bound",
        SOURCE,
        ("SA",),
        (
            Part(
                "bound",
                SOFTMAX_LINEAR,
                "for 0 <= gamma_0 < gamma_1 <= (n - 2)/(n - 1) the time is less than gamma_1 (e^{lambda beta} + n - "
                "1) / "
                "(2 lambda)",
                domain=(*LINEAR_RANGE, ge(gamma_0, 0)),
                mutants=(
                    Mutant("half of it", lt(2 * T_SOFTMAX, SOFTMAX_LAW)),
                    Mutant("the opposite", ge(T_SOFTMAX, SOFTMAX_LAW)),
                ),
            ),
            Part(
                "order_below",
                SOFTMAX_ORDER_BELOW,
                "from 0 to gamma_1 the time is at least L = [ln n + ln(gamma_1 / (1 - gamma_1))] / (2 lambda)",
                domain=ORDER_RANGE,
                mutants=(Mutant("twice it", ge(T_FROM_ZERO, 2 * SOFTMAX_LIMIT)),),
            ),
            Part(
                "order_above",
                SOFTMAX_ORDER_ABOVE,
                "and at most (1 + (e^{lambda beta} - 1)/n) (L + (1 - gamma_1)/(2 lambda n gamma_1)), so L + O(ln n / "
                "n): the "
                "linearised law does not give the order",
                domain=ORDER_RANGE,
                mutants=(Mutant("without the corrections", le(T_FROM_ZERO, SOFTMAX_LIMIT)),),
            ),
        ),
        source_note="The remainder O(ln n / n) is stated as bounds on both sides, for every n > 1.",
    ),
    Claim(
        "thm25.relu_linear",
        "The linearised ReLU time is an upper bound",
        SOURCE,
        ("ReLU",),
        (
            Part(
                "bound",
                RELU_LINEAR,
                "for 0 < gamma_0 < gamma_1 <= (n - 2)/(n - 1) the time is less than (n / (2 lambda^2)) ln(gamma_1 / "
                "gamma_0)",
                domain=(*LINEAR_RANGE, gt(gamma_0, 0)),
                mutants=(
                    Mutant("half of it", lt(2 * T_RELU, RELU_LAW)),
                    Mutant("the opposite", ge(T_RELU, RELU_LAW)),
                ),
            ),
            Part(
                "order_above",
                RELU_ORDER_ABOVE,
                "2 lambda^2 times the time is at most L = 1/gamma_0 - 1/gamma_1 + ln[gamma_1 (1 - gamma_0) / (gamma_0 "
                "(1 - gamma_1))], whatever n; with gamma_0 = 1/sqrt(d) the first term is sqrt(d)",
                domain=RELU_BETWEEN,
                mutants=(Mutant("half of it", le(4 * scale**2 * T_RELU, RELU_LIMIT)),),
            ),
            Part(
                "order_below",
                RELU_ORDER_BELOW,
                "and at least L - 1/(2 (n - 1) gamma_0^2), so it tends to L as n grows; with gamma_0 = 1/sqrt(d) the "
                "last term "
                "is d/(2 (n - 1))",
                domain=RELU_BETWEEN,
                mutants=(Mutant("without the correction", ge(2 * scale**2 * T_RELU, RELU_LIMIT)),),
            ),
        ),
        source_note="The limit as n grows is stated as bounds on both sides, for every n > 1 and start gamma_0 > 0.",
    ),
    Claim(
        "thm25.late_rate",
        "The late rates of ReLU and softmax",
        SOURCE,
        ("ReLU", "SA"),
        (
            Part(
                "softmax",
                SOFTMAX_LATE,
                "at gamma = 1 the softmax speed falls at 2 lambda: 1 - gamma decays at that rate",
                mutants=(Mutant("half of it", implies(AT_CLUSTER, eq(2 * SOFTMAX_SLOPE, -2 * scale))),),
            ),
            Part(
                "relu",
                RELU_LATE,
                "at gamma = 1 the ReLU speed falls at 2 lambda^2",
                mutants=(Mutant("lambda for its square", implies(AT_CLUSTER, eq(RELU_SLOPE, -2 * scale))),),
            ),
            Part(
                "larger",
                LARGER,
                "ReLU's late rate is larger exactly for lambda > 1",
                domain=(POSITIVE_SCALE,),
                mutants=(Mutant("lambda > 2", iff(gt(2 * scale**2, 2 * scale), gt(scale, 2))),),
            ),
            Part(
                "tie",
                TIE,
                "the two tie exactly at lambda = 1",
                domain=(POSITIVE_SCALE,),
                mutants=(Mutant("at lambda = 2", iff(eq(2 * scale**2, 2 * scale), eq(scale, 2))),),
            ),
            Part(
                "tie_hot",
                FASTER,
                "at lambda = 1 and beta > n ReLU is faster near gamma = 1, where beta (1 - gamma) < beta - n",
                domain=(eq(scale, 1), lt(gamma, 1), lt(beta * (1 - gamma), beta - (m + 1))),
                mutants=(Mutant("slower", SLOWER),),
            ),
            Part(
                "tie_cold",
                SLOWER,
                "at lambda = 1 and beta < n ReLU is slower near gamma = 1, where beta (1 - gamma) < 1 and "
                "(n - 1) beta (1 - gamma) < n - beta",
                domain=(
                    eq(scale, 1),
                    gt(gamma, 0),
                    lt(gamma, 1),
                    lt(beta * (1 - gamma), 1),
                    lt(m * beta * (1 - gamma), m + 1 - beta),
                ),
                mutants=(Mutant("faster", FASTER),),
            ),
            Part(
                "middle",
                FASTER,
                "for some lambda < 1 ReLU is faster at some gamma between",
                domain=(POSITIVE_SCALE, lt(scale, 1), gt(gamma, 0), lt(gamma, 1)),
                quantifier=Quantifier.EXISTENTIAL,
            ),
            Part(
                "end",
                SLOWER,
                "for lambda < 1 it is slower at the end, where beta lambda (1 - gamma) (n - lambda (n - 1)) < n (1 - "
                "lambda)",
                domain=(
                    POSITIVE_SCALE,
                    lt(scale, 1),
                    gt(gamma, 0),
                    lt(gamma, 1),
                    lt(a * (1 - gamma) * (m + 1 - scale * m), (m + 1) * (1 - scale)),
                ),
                mutants=(Mutant("faster", FASTER),),
            ),
        ),
        source_note="'Near gamma = 1' is stated with explicit neighbourhoods; the summary gives none.",
    ),
    Claim(
        "thm25.crossing",
        "The temperature at which total times agree",
        SOURCE,
        ("ReLU", "SA"),
        (
            Part(
                "rises",
                RISES,
                "the softmax time rises strictly with beta >= 0",
                domain=CROSSING_RANGE,
                mutants=(Mutant("falls", implies(lt(cooler, beta), gt(softmax_time(cooler), softmax_time(beta)))),),
            ),
            Part(
                "exists_iff",
                EXISTS,
                "exactly one beta > 0 makes the two times agree, if the softmax time at beta = 0 is below the ReLU "
                "time; "
                "none does if not",
                domain=CROSSING_RANGE,
            ),
            Part(
                "always",
                ALWAYS,
                "it is below for lambda <= 1",
                domain=CROSSING_RANGE,
                mutants=(Mutant("for lambda <= 8", implies(le(scale, 8), lt(T_FLAT, T_RELU))),),
            ),
            Part(
                "never",
                NEVER,
                "it is not for lambda gamma_0 >= 1; with gamma_0 = 1/sqrt(d), for lambda >= sqrt(d)",
                domain=CROSSING_RANGE,
                mutants=(Mutant("for lambda >= 1", implies(ge(scale, 1), ge(T_FLAT, T_RELU))),),
            ),
        ),
        source_note="For every start 0 < gamma_0 and end gamma_1 < 1, of which 1/sqrt(d) and 0.99 are one choice.",
    ),
    Claim(
        "thm25.crossing_value",
        "Two values of the crossing",
        SOURCE,
        ("ReLU", "SA"),
        (
            Part(
                "d64_n8",
                crossing_between(CROSSING_64, CROSSING_64 + DIGIT),
                "for lambda = 1, d = 64, n = 8 the times from 1/8 to 0.99 agree at a beta of 4.435372845940151...",
                domain=crossing_values(8, 8),
                quantifier=Quantifier.NUMBER,
                mutants=(
                    Mutant("the last digit changed", crossing_between(CROSSING_64 + DIGIT, CROSSING_64 + 2 * DIGIT)),
                ),
            ),
            Part(
                "d1024_n64",
                crossing_between(CROSSING_1024, CROSSING_1024 + DIGIT),
                "for lambda = 1, d = 1024, n = 64 the times from 1/32 to 0.99 agree at a beta of 7.356908288057579...",
                domain=crossing_values(64, 32),
                quantifier=Quantifier.NUMBER,
                mutants=(
                    Mutant(
                        "the last digit changed", crossing_between(CROSSING_1024 + DIGIT, CROSSING_1024 + 2 * DIGIT)
                    ),
                ),
            ),
        ),
        source_note="Digits are truncated; by thm25.crossing there is one such beta.",
    ),
)
