"""Beyond the paper: equilibria of two and of three tokens: statements."""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    ZERO,
    Formula,
    Scalar,
    ScalarLike,
    conj,
    cos,
    defined,
    disj,
    eq,
    every,
    exp,
    gt,
    iff,
    implies,
    ip,
    lt,
    n,
    ne,
    norm2,
    rate,
    rational,
    symbol,
    total,
    vdefined,
    vector,
    veq,
    vtotal,
)
from antumbra.proofs.setting import (
    alpha,
    beta,
    declare,
    define,
    flow,
    hypothesis,
    project,
    scale_h,
    tangential_velocity,
)

SOURCE = "Beyond the paper"
APPROACH = rate("usa_sphere", ip(vector("x", "i"), vector("x", "j")))

# --- two tokens -------------------------------------------------------------------------------------------------------

x_i, x_j = vector("x", "i"), vector("x", "j")
COSINE = ip(x_i, x_j)
AT_REST = every("i", veq(tangential_velocity("i"), ZERO))
PARALLEL = every("i", every("j", disj(veq(x_j, x_i), veq(x_j, -x_i)), ["i"]))
PULL = total("h", scale_h * exp(beta * scale_h * COSINE))
TWO_AT_REST = iff(AT_REST, PARALLEL)
TWO_MOVE = every("i", every("j", eq(APPROACH, PULL * (1 - COSINE**2)), ["i"]))
TWO_MEET = every("i", every("j", implies(lt(COSINE**2, 1), gt(APPROACH, 0)), ["i"]))
TWO_TOKENS = (eq(n, 2),)
SCALAR_HEADS = ("unit", "scalar", "alignment")
POSITIVE_HEADS = (*SCALAR_HEADS, "positive_scales")

# --- three tokens in a plane ------------------------------------------------------------------------------------------

declare("first", "vector", text="a unit vector of the plane")
declare("second", "vector", text="a unit vector of the plane, at right angles to the first")
declare("abscissa", "scalar", ["token"], text="the tokens' coordinates along the first vector")
declare("ordinate", "scalar", ["token"], text="the tokens' coordinates along the second vector")
first, second = vector("first"), vector("second")


def abscissa(i: str) -> Scalar:
    """The first coordinate of a token of the plane."""
    return symbol("abscissa", i)


def ordinate(i: str) -> Scalar:
    """The second coordinate of a token of the plane."""
    return symbol("ordinate", i)


def cosine(i: str, j: str) -> Scalar:
    """The cosine of the angle from token i to token j."""
    return Scalar(abscissa(i) * abscissa(j) + ordinate(i) * ordinate(j))


def sine(i: str, j: str) -> Scalar:
    """The sine of the angle from token i to token j."""
    return Scalar(abscissa(i) * ordinate(j) - ordinate(i) * abscissa(j))


define("x_plane", abscissa("i") * first + ordinate("i") * second, ["i"], text="a token of the plane")
define(
    "v_plane",
    1
    / n
    * vtotal(
        "j",
        exp(beta * alpha * ip(vdefined("x_plane", "i"), vdefined("x_plane", "j"))) * alpha * vdefined("x_plane", "j"),
    ),
    ["i"],
    text="the velocity field of USA with one head of scale alpha, for tokens of the plane",
)
define("P_v_plane", project(vdefined("x_plane", "i"), vdefined("v_plane", "i")), ["i"], text="its tangential part")
hypothesis("unit_frame", conj(eq(norm2(first), 1), eq(norm2(second), 1)), "the plane's vectors are unit vectors")
hypothesis("right_frame", eq(ip(first, second), 0), "the plane's vectors are at right angles")
hypothesis("on_circle", every("i", eq(abscissa("i") ** 2 + ordinate("i") ** 2, 1)), "the tokens are on the unit circle")

for _number in "123":
    declare(f"c_{_number}", "scalar", text="the cosine of an angle")
    declare(f"s_{_number}", "scalar", text="its sine")
declare("c_any", "scalar", text="a cosine")
flow("d_c_any", [("c_any", [], rational(1))], "the cosine rises at unit speed")
c_1, c_2, c_3, s_1, s_2, s_3, c_any = (symbol(s) for s in ("c_1", "c_2", "c_3", "s_1", "s_2", "s_3", "c_any"))
PLANE_REST = every("i", veq(vdefined("P_v_plane", "i"), ZERO))
MINUS_HALF = rational(Fraction(-1, 2))
COLLINEAR = conj(*(eq(sine(*pair), 0) for pair in ("ij", "jk", "ki")))
EQUILATERAL = conj(*(eq(cosine(*pair), MINUS_HALF) for pair in ("ij", "jk", "ki")))


def every_three(body: Formula) -> Formula:
    """For all distinct tokens i, j, k."""
    return every("i", every("j", every("k", body, ["i", "j"]), ["i"]))


THREE_AT_REST = iff(PLANE_REST, every_three(disj(COLLINEAR, EQUILATERAL)))


def torque(cosine_: Scalar, sine_: Scalar) -> Scalar:
    """e^{beta alpha cos} sin, the pull that turns one token towards another."""
    return Scalar(exp(beta * alpha * cosine_) * sine_)


ON_CIRCLES = tuple(eq(c**2 + s**2, 1) for c, s in ((c_1, s_1), (c_2, s_2), (c_3, s_3)))
SAME_TORQUES = (eq(torque(c_1, s_1), torque(c_2, s_2)), eq(torque(c_2, s_2), torque(c_3, s_3)))
TURNING_ALIKE = (gt(s_1, 0), gt(s_2, 0), gt(s_3, 0))
AT_MOST_TWO = implies(conj(*ON_CIRCLES, *TURNING_ALIKE, *SAME_TORQUES), disj(eq(c_1, c_2), eq(c_2, c_3), eq(c_3, c_1)))
CLOSING_ANGLES = (eq(c_3, c_1 * c_2 - s_1 * s_2), eq(s_3, -(s_1 * c_2 + c_1 * s_2)))
TWO_EQUAL = implies(
    conj(ON_CIRCLES[0], *TURNING_ALIKE, *SAME_TORQUES, *CLOSING_ANGLES, eq(c_1, c_2)),
    conj(eq(c_1, MINUS_HALF), eq(c_2, MINUS_HALF), eq(c_3, MINUS_HALF)),
)

# --- the index: the second variation of the energy as the tokens turn -------------------------------------------------

declare("theta", "scalar", ["token"], text="the tokens' angles")
declare("theta_rate", "scalar", ["token"], text="the rates at which the tokens turn")
flow("turning", [("theta", ["i"], symbol("theta_rate", "i"))], "the tokens of the plane turn at any rates")
declare("turn_1", "scalar", text="how fast two tokens turn together")
declare("turn_2", "scalar", text="how fast two tokens turn apart")
define(
    "E_angles",
    1
    / (2 * beta * n**2)
    * total("i", total("j", exp(beta * alpha * cos(symbol("theta", "i") - symbol("theta", "j"))))),
    text="the energy of one head of scale alpha, for tokens of the plane at their angles",
)
define(
    "bend",
    exp(beta * alpha * symbol("cosine"))
    * ((beta * alpha) ** 2 * (1 - symbol("cosine") ** 2) - beta * alpha * symbol("cosine")),
    parameters=["cosine"],
    text="the second derivative of e^{beta alpha cos} in the angle, as a function of its cosine",
)


def bend(cosine_: ScalarLike) -> Scalar:
    """The second derivative of e^{beta alpha cos} in the angle."""
    return defined("bend", of=[cosine_])


def second_variation(first_pair: ScalarLike, others: ScalarLike) -> Scalar:
    """Tokens 1 and 2 turn at t_1 + t_2 and t_1 - t_2, token 3 not at all: over pairs, bend times squared relative turn.

    The first argument is the cosine between tokens 1 and 2, the second that between either and token 3.
    """
    together, apart = symbol("turn_1"), symbol("turn_2")
    pairs = bend(others) * (together + apart) ** 2 + bend(others) * (together - apart) ** 2
    return Scalar(bend(first_pair) * (2 * apart) ** 2 + pairs)


_difference = symbol("theta", "i") - symbol("theta", "j")
_relative = symbol("theta_rate", "i") - symbol("theta_rate", "j")
VARIATION = eq(
    rate("turning", rate("turning", defined("E_angles"))),
    1 / (2 * beta * n**2) * total("i", total("j", bend(cos(_difference)) * _relative**2)),
)
TURNING = disj(ne(symbol("turn_1"), 0), ne(symbol("turn_2"), 0))
ALL_EQUAL_INDEX = implies(TURNING, lt(second_variation(1, 1), 0))
EQUILATERAL_INDEX = implies(TURNING, gt(second_variation(MINUS_HALF, MINUS_HALF), 0))
HEAT = beta * alpha
ONE_OPPOSITE_INDEX = conj(
    eq(
        second_variation(1, -1),
        2 * HEAT * exp(-HEAT) * symbol("turn_1") ** 2
        - (4 * HEAT * exp(HEAT) - 2 * HEAT * exp(-HEAT)) * symbol("turn_2") ** 2,
    ),
    gt(2 * HEAT * exp(-HEAT), 0),
    gt(4 * HEAT * exp(HEAT) - 2 * HEAT * exp(-HEAT), 0),
)

CLAIMS = (
    Claim(
        "open.critical_points_n2",
        "Equilibria of two tokens",
        SOURCE,
        ("USA",),
        (
            Part(
                "equilibria",
                TWO_AT_REST,
                "with positive scalar heads two tokens are at rest exactly if one is the other or its opposite",
                domain=TWO_TOKENS,
                hypotheses=POSITIVE_HEADS,
                meaning=frozenset({"unit", "scalar"}),
                mutants=(
                    Mutant("equal tokens only", iff(AT_REST, every("i", every("j", veq(x_j, x_i))))),
                    Mutant("opposite tokens only", iff(AT_REST, every("i", every("j", veq(x_j, -x_i), ["i"])))),
                ),
            ),
            Part(
                "angle",
                TWO_MOVE,
                "their inner product u, all that is left of two tokens up to rotation, moves at (1 - u^2) times the "
                "sum of "
                "lambda_h e^{beta lambda_h u}",
                domain=TWO_TOKENS,
                hypotheses=SCALAR_HEADS,
                meaning=frozenset({"unit", "scalar"}),
                mutants=(
                    Mutant("half of it", every("i", every("j", eq(2 * APPROACH, PULL * (1 - COSINE**2)), ["i"]))),
                    Mutant("1 - u for 1 - u^2", every("i", every("j", eq(APPROACH, PULL * (1 - COSINE)), ["i"]))),
                ),
            ),
            Part(
                "index",
                TWO_MEET,
                "it rises strictly between: x_2 = -x_1 repels in that one mode (index 1) and x_2 = x_1 attracts "
                "(index 0)",
                domain=TWO_TOKENS,
                hypotheses=POSITIVE_HEADS,
                meaning=frozenset({"unit", "scalar"}),
                mutants=(Mutant("falls", every("i", every("j", implies(lt(COSINE**2, 1), lt(APPROACH, 0)), ["i"]))),),
            ),
        ),
    ),
    Claim(
        "open.critical_points_n3_one_head",
        "Equilibria of three tokens, one head",
        SOURCE,
        ("USA",),
        (
            Part(
                "at_most_two",
                AT_MOST_TWO,
                "on a half circle e^{beta lambda cos} sin takes no value at three angles",
                mutants=(
                    Mutant(
                        "whatever the torques",
                        implies(conj(*ON_CIRCLES, *TURNING_ALIKE), Formula(AT_MOST_TWO[2])),
                    ),
                ),
            ),
            Part(
                "two_equal",
                TWO_EQUAL,
                "three angles that add up to a full turn, two of them equal and all turning with one torque, are "
                "equilateral",
                mutants=(
                    Mutant(
                        "whatever the torques",
                        implies(
                            conj(ON_CIRCLES[0], *TURNING_ALIKE, *CLOSING_ANGLES, eq(c_1, c_2)), eq(c_1, MINUS_HALF)
                        ),
                    ),
                ),
            ),
            Part(
                "equilibria",
                THREE_AT_REST,
                "three tokens of the plane are at rest, for every beta lambda > 0, exactly if they are collinear "
                "(four classes up "
                "to rotation: x_2 = x_1 or -x_1, x_3 = x_1 or -x_1) or equilateral (two classes, by orientation)",
                domain=(eq(n, 3),),
                hypotheses=("unit_frame", "right_frame", "on_circle"),
                meaning=frozenset({"unit_frame", "right_frame", "on_circle"}),
                mutants=(
                    Mutant("collinear only", iff(PLANE_REST, every_three(COLLINEAR))),
                    Mutant("equilateral only", iff(PLANE_REST, every_three(EQUILATERAL))),
                ),
            ),
            Part(
                "second_variation",
                VARIATION,
                "as tokens of the plane turn, the energy's second derivative sums, over pairs, the bend of e^{beta "
                "lambda cos} times "
                "the squared relative turn",
                mutants=(
                    Mutant("half of it", eq(2 * VARIATION[1], VARIATION[2])),
                    Mutant("falls by it", eq(VARIATION[1], -Scalar(VARIATION[2]))),
                ),
            ),
            Part(
                "index_equal",
                ALL_EQUAL_INDEX,
                "three equal tokens: every turn but a rotation lowers the energy, so the index is 0",
                mutants=(Mutant("raises it", implies(TURNING, gt(second_variation(1, 1), 0))),),
            ),
            Part(
                "index_one_opposite",
                ONE_OPPOSITE_INDEX,
                "two equal tokens and one opposite: the energy rises as the two turn together and falls as they "
                "part, so the index "
                "is 1",
                mutants=(Mutant("falls in both", lt(second_variation(1, -1), 0)),),
            ),
            Part(
                "index_equilateral",
                EQUILATERAL_INDEX,
                "equilateral tokens: every turn but a rotation raises the energy, so the index is 2",
                mutants=(Mutant("lowers it", implies(TURNING, lt(second_variation(MINUS_HALF, MINUS_HALF), 0))),),
            ),
        ),
    ),
)
