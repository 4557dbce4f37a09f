"""Beyond the paper: the phases of radial dominance from gamma = 0 on: statements.

Condition 8 holds at gamma exactly for e^{beta alpha (1 - gamma)} <= y(gamma), y = sqrt(B/K) - (n - 1) gamma; so up to
the inverse temperature ln y(gamma) / (alpha (1 - gamma)), which has one maximum beta_w.
"""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Scalar,
    ScalarLike,
    conj,
    defined,
    eq,
    ge,
    gt,
    iff,
    implies,
    le,
    log,
    lt,
    n,
    rational,
    root,
    sqrt,
    symbol,
    unique,
)
from antumbra.proofs.setting import alpha, beta, declare, define, flow, gamma
from antumbra.proofs.statements.open_dominance import SEVERAL, SOURCE, A, B, K, dominance, gamma_2
from antumbra.proofs.statements.thm19 import beta_star
from antumbra.proofs.statements.thm25 import gamma_0, gamma_1

m = n - 1
_angle = symbol("angle")
define(
    "y_path",
    sqrt(B(_angle)) / sqrt(K) - m * _angle,
    parameters=["angle"],
    text="Condition 8 holds on the path where e^{beta alpha (1 - gamma)} is at most this",
)
define(
    "y_slope",
    m * (n - 2 - 2 * m * _angle) / (2 * sqrt(K) * sqrt(B(_angle))) - m,
    parameters=["angle"],
    text="the derivative of y",
)


def y(angle: ScalarLike = gamma) -> Scalar:
    """sqrt(B/K) - (n - 1) gamma."""
    return defined("y_path", of=[angle])


def y_slope(angle: ScalarLike = gamma) -> Scalar:
    """The derivative of y."""
    return defined("y_slope", of=[angle])


define(
    "psi_path",
    (1 - _angle) * y_slope(_angle) / y(_angle) + log(y(_angle)),
    parameters=["angle"],
    text="the derivative of ln y / (1 - gamma), times (1 - gamma)^2",
)
define(
    "beta_path",
    log(y(_angle)) / (alpha * (1 - _angle)),
    parameters=["angle"],
    text="the highest inverse temperature at which Condition 8 holds at gamma",
)


def psi(angle: ScalarLike = gamma) -> Scalar:
    """The derivative of ln y / (1 - gamma), times (1 - gamma)^2."""
    return defined("psi_path", of=[angle])


def beta_path(angle: ScalarLike = gamma) -> Scalar:
    """The temperature ln y / (alpha (1 - gamma))."""
    return defined("beta_path", of=[angle])


declare("back", "scalar", text="how far a common inner product is before another")
flow("d_back", [("back", [], rational(1))], "the distance rises at unit speed")
back = symbol("back")

LATE = 1 - 1 / (2 * m * n)
"""A common inner product at which the condition fails at every temperature."""
EXCESS = K * A() ** 2 - B()
"""At most 0 exactly where Condition 8 holds; convex as A > 0 is, and B concave."""
ENDS = unique("gamma", 0, 1, -y())
END = root("gamma", -y(), 0, 1)
"""Where y falls to 0."""
WINDOW = unique("gamma", 0, END, -psi())
GAMMA_W = root("gamma", -psi(), 0, END)
BETA_W = beta_path(GAMMA_W)
CRITERION = m - 1 - 2 * sqrt(m) * sqrt(K) + log(m / K)
UNITY = unique("gamma", 0, 1, 1 - y())
ONE = root("gamma", 1 - y(), 0, 1)
"""Where y falls to 1."""
ROOM = implies(conj(ge(gamma_1, 0), lt(gamma_1, END)), gt(y(gamma_1), 0))
MANY_TOKENS = gt(m, K)
ORDER = lt(ONE, END)
STEEP = lt(y_slope(ONE), 0)
OPEN = (MANY_TOKENS, gt(CRITERION, 0))

START = iff(dominance(rational(0)), le(beta, beta_star()))


def squared(angle: ScalarLike = gamma, tag: str = "le") -> Formula:
    """K A^2 against B."""
    return Formula((tag, K * A(angle) ** 2, B(angle)))


START_STRICT = iff(squared(0, "lt"), lt(beta, beta_star()))
LOW = lt(y(LATE), 0)
LATE_FAILURE = squared(LATE, "gt")
ONCE = implies(conj(dominance(gamma_0), dominance(gamma_2, tag="gt")), dominance(gamma_1, tag="gt"))
EXIT = implies(lt(beta, beta_star()), unique("gamma", 0, 1, EXCESS))
EXIT_SIDE = implies(lt(beta, beta_star()), iff(dominance(gamma_1), le(gamma_1, root("gamma", EXCESS, 0, 1))))
BEFORE = implies(conj(gt(gamma_1, 0), lt(gamma_1, GAMMA_W)), gt(psi(gamma_1), 0))
AFTER = implies(conj(gt(gamma_1, GAMMA_W), lt(gamma_1, END)), lt(psi(gamma_1), 0))
NEGATIVE = implies(conj(gt(gamma_1, 0), lt(gamma_1, END)), lt(psi(gamma_1), 0))
CONVERSE = implies(conj(ge(gamma_1, 0), lt(gamma_1, 1)), implies(gt(y(gamma_1), 0), lt(gamma_1, END)))
PLACE = conj(ge(gamma_2, 0), lt(gamma_2, 1))
NEEDS_ROOM = implies(PLACE, implies(dominance(gamma_2), gt(y(gamma_2), 0)))
CONDITION = implies(PLACE, implies(gt(y(gamma_2), 0), iff(dominance(gamma_2), le(beta, beta_path(gamma_2)))))
LARGEST = implies(PLACE, implies(gt(y(gamma_2), 0), le(beta_path(gamma_2), BETA_W)))
ABOVE = gt(BETA_W, beta_star())
BETWEEN = implies(
    conj(gt(beta, beta_star()), le(beta, BETA_W)), conj(dominance(rational(0), tag="gt"), dominance(GAMMA_W))
)
BEYOND = implies(PLACE, implies(gt(beta, BETA_W), dominance(gamma_2, tag="gt")))
OTHERWISE = implies(PLACE, implies(gt(beta, beta_star()), dominance(gamma_2, tag="gt")))
FEW = implies(PLACE, dominance(gamma_2, tag="gt"))


def threshold(heads: int, tokens: int) -> Formula:
    """The criterion is positive from that many tokens on, and not positive for fewer with m > K."""
    enough = implies(ge(n, tokens), gt(CRITERION, 0))
    return implies(eq(H, heads), conj(enough, implies(conj(MANY_TOKENS, le(n, tokens - 1)), le(CRITERION, 0))))


TWO_HEADS, THREE_HEADS, FOUR_HEADS = threshold(2, 7), threshold(3, 20), threshold(4, 40)


def _part(name: str, statement: Formula, text: str, *mutants: Mutant, domain: tuple[Formula, ...] = ()) -> Part:
    return Part(name, statement, text, domain=(*SEVERAL, *domain), mutants=mutants)


CLAIMS = (
    Claim(
        "open.phases",
        "The phases of radial dominance",
        SOURCE,
        ("USA",),
        (
            _part(
                "start",
                START,
                "at gamma = 0 Condition 8 holds exactly for beta <= beta*",
                Mutant("beta >= beta*", iff(dominance(rational(0)), ge(beta, beta_star()))),
            ),
            _part(
                "start_strict",
                START_STRICT,
                "and K A^2 < B there exactly for beta < beta*",
                Mutant("weakly", iff(squared(0, "lt"), gt(beta, beta_star()))),
            ),
            Part(
                "once",
                ONCE,
                "where it holds at gamma_0 and fails later, it fails for good: it is left once",
                domain=(
                    *SEVERAL,
                    gt(1 + m * gamma_0, 0),
                    le(gamma_0, gamma_2),
                    le(gamma_2, gamma_1),
                    lt(gamma_1, 1),
                ),
                mutants=(
                    Mutant(
                        "if it fails it fails later",
                        implies(dominance(gamma_2, tag="gt"), dominance(gamma_1, tag="gt")),
                    ),
                ),
            ),
            _part(
                "late",
                LATE_FAILURE,
                "it fails at gamma = 1 - 1/(2 n (n - 1)), whatever beta",
                Mutant("it holds there", squared(LATE)),
            ),
            _part(
                "exit",
                EXIT,
                "for beta < beta* there is exactly one gamma_+ in (0, 1) at which K A^2 = B",
            ),
            _part(
                "exit_side",
                EXIT_SIDE,
                "and Condition 8 holds exactly up to it",
                domain=(gt(gamma_1, 0), lt(gamma_1, 1)),
            ),
            _part(
                "needs_room",
                NEEDS_ROOM,
                "with y = sqrt(B/K) - (n - 1) gamma, the condition needs y > 0",
                Mutant("y > 1/2 is not needed", implies(PLACE, gt(y(gamma_2), 0))),
            ),
            _part(
                "condition",
                CONDITION,
                "and then holds exactly for beta <= ln y / (alpha (1 - gamma))",
                Mutant(
                    "the opposite",
                    implies(PLACE, implies(gt(y(gamma_2), 0), iff(dominance(gamma_2), ge(beta, beta_path(gamma_2))))),
                ),
            ),
            _part(
                "few",
                FEW,
                "if n - 1 <= K it never holds on [0, 1), for any beta > 0",
                domain=(le(m, K),),
            ),
            _part(
                "low",
                LOW,
                "y is negative at 1 - 1/(2 n (n - 1))",
                Mutant("positive there", gt(y(LATE), 0)),
            ),
            _part("ends", ENDS, "y has exactly one zero in (0, 1)"),
            _part("room", ROOM, "before it y is positive"),
            _part("converse", CONVERSE, "and only before it"),
            _part("unity", UNITY, "if n - 1 > K, y takes the value 1 exactly once in (0, 1)", domain=(MANY_TOKENS,)),
            _part("order", ORDER, "before its zero", domain=(MANY_TOKENS,)),
            _part("steep", STEEP, "with a negative slope", domain=(MANY_TOKENS,)),
            _part(
                "window",
                WINDOW,
                "if also n - 2 - 2 sqrt((n - 1) K) + ln((n - 1)/K) > 0, the derivative of ln y / (1 - gamma) has "
                "exactly one zero "
                "gamma_w before the zero of y",
                domain=OPEN,
            ),
            _part("before", BEFORE, "ln y / (1 - gamma) rises before gamma_w", domain=OPEN),
            _part("after", AFTER, "and falls after it", domain=OPEN),
            _part(
                "largest",
                LARGEST,
                "so beta_w = ln y(gamma_w) / (alpha (1 - gamma_w)) is the highest temperature at which the condition "
                "holds anywhere",
                domain=OPEN,
            ),
            _part("above", ABOVE, "beta_w > beta*", domain=OPEN),
            _part(
                "between",
                BETWEEN,
                "for beta* < beta <= beta_w the condition fails at 0 and holds at gamma_w (on one interval, by "
                "open.invariance.amended, and fails late)",
                domain=OPEN,
            ),
            _part("beyond", BEYOND, "for beta > beta_w it never holds on [0, 1)", domain=OPEN),
            _part(
                "negative",
                NEGATIVE,
                "if n - 1 > K and the criterion is at most 0, ln y / (1 - gamma) falls from 0 on",
                domain=(MANY_TOKENS, le(CRITERION, 0)),
            ),
            _part(
                "otherwise",
                OTHERWISE,
                "so then it never holds on [0, 1) for beta > beta*",
                domain=(MANY_TOKENS, le(CRITERION, 0)),
            ),
            _part(
                "two_heads",
                TWO_HEADS,
                "for H = 2 the criterion is positive from n = 7 on, and not before where n - 1 > K",
                Mutant("from n = 6 on", threshold(2, 6)),
            ),
            _part(
                "three_heads",
                THREE_HEADS,
                "for H = 3 from n = 20 on",
                Mutant("from n = 19 on", threshold(3, 19)),
            ),
            _part(
                "four_heads",
                FOUR_HEADS,
                "and for H = 4 from n = 40 on",
                Mutant("from n = 39 on", threshold(4, 39)),
            ),
        ),
        source_note="Every bound is strict or weak as stated; K = (H - 1)/c*, m = n - 1.",
    ),
)
