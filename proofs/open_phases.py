"""Beyond the paper: the phases of radial dominance from gamma = 0 on.

Statement: at gamma = 0 Condition 8 holds exactly for beta <= beta*, and then until one exit. Above beta* it holds
nowhere on [0, 1) unless m > K and the criterion m - 1 - 2 sqrt(m K) + ln(m/K) is positive; then ln y/(1 - gamma) has
one maximum, at gamma_w.
Hypotheses: n >= 2, H >= 2, equal scalar heads of scale alpha on the equiangular path.
Notation: m = n - 1, K = P/c, A and B as in `open_dominance`, y = sqrt(B/K) - m gamma, psi = (1 - gamma)^2 (ln y/(1 -
gamma))'.
Method: the condition is K A^2 <= B, a convex function at most 0, and also e^{beta alpha (1 - gamma)} <= y with y
concave; psi falls strictly, from half the criterion to below 0 where y = 1.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Formula,
    H,
    Node,
    Scalar,
    ScalarLike,
    disj,
    eq,
    exp,
    ge,
    gt,
    le,
    log,
    lt,
    n,
    ne,
    rate,
    rational,
    scalar,
    sqrt,
)
from antumbra.proofs.open_dominance import CLOSED, roots_compared, weight_positive
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, gamma
from antumbra.proofs.statements import open_phases as claim
from antumbra.proofs.statements.open_dominance import A, B, K, P, dominance, gamma_2, rooted
from antumbra.proofs.statements.open_phases import beta_path, m, y
from antumbra.proofs.statements.thm19 import C, beta_star
from antumbra.proofs.statements.thm25 import gamma_0, gamma_1
from antumbra.proofs.tactics import exp_increases
from antumbra.proofs.thm19_critical_temperature import critical_ratio, several_heads, several_tokens, turned

ZERO = rational(0)


def setting_of(p: Proof) -> Judgement:
    """Here m >= 1, P >= 1, c > 0, K > 1; returns c K = P."""
    several_tokens(p)
    several_heads(p)
    is_root = critical_ratio(p)
    weight = weight_positive(p)
    p.positive(sqrt(K), opaque=CLOSED)
    for term in (C, K, sqrt(K)):
        p.nonzero(term, opaque=CLOSED)
    p.nonnegative(K, opaque=CLOSED)
    p.nonnegative(m)
    p.positive(m / K, opaque=CLOSED)
    p.positive(1 - C**2, form=P * C, using=[(-1, is_root)], opaque=CLOSED)
    p.nonzero(1 - C**2, opaque=CLOSED)
    p.positive(C**2 * m / (1 - C**2), opaque=CLOSED)
    with p.assuming(lt(ZERO, gamma), lt(gamma, rational(1))):
        p.positive(1 - gamma)
        p.nonnegative(B())
    # K - 1 = P (c + P) - 1 = P c + (P - 1)(P + 1).
    p.positive(K - 1, form=P * C + (H - 2) * (P + 1), using=[((C + P), weight), (-K, is_root)], opaque=CLOSED)
    return weight


def near_shown(p: Proof, angle: Scalar) -> None:
    """B > 0 where 0 <= angle < 1, and its root is positive."""
    p.positive(1 - angle)
    p.positive(1 + m * angle)
    p.positive(B(angle))
    p.positive(sqrt(B(angle)), opaque=CLOSED)


def _below(p: Proof, angle: Scalar) -> Judgement:
    """Condition 8 is e^{beta alpha (1 - gamma)} <= y."""
    compared = roots_compared(p, angle)
    heated = le(exp(beta * alpha * (1 - angle)), y(angle))
    p.equal(A(angle), exp(beta * alpha * (1 - angle)) + m * angle)
    scaled = p.scaled(rooted(angle), heated, sqrt(K), opaque=["c_star", "K_path", "B_path"])
    return p.chain(compared, scaled)


def _squared(p: Proof, angle: Scalar) -> Judgement:
    """Condition 8 is K A^2 <= B."""
    compared = roots_compared(p, angle)
    squares = turned(p, p.squares(rooted(angle)))
    plain = p.scaled(squares.shows[2], claim.squared(angle), 1, opaque=CLOSED)
    return p.chain(compared, squares, plain)


def _at_start(p: Proof, tag: str) -> Judgement:
    """At gamma = 0: K e^{2 beta alpha} against m, so 2 beta alpha against ln(c^2 m/(1 - c^2)) = ln(m/K)."""
    is_root, weight = named(p, eq(C**2 + P * C - 1, 0), eq(C * K, P))
    bound = C**2 * m / (1 - C**2)
    # K c^2 = P c = 1 - c^2.
    using = [(-m / (1 - C**2), is_root), (-m * C / (1 - C**2), weight)]
    same = p.equal(m, K * bound, using=using, opaque=CLOSED)
    exponent = p.equal(exp(log(bound)), bound, opaque=CLOSED)
    logged = Formula((tag, exp(2 * beta * alpha), exp(log(bound))))
    first = p.scaled(
        claim.squared(0, tag),
        logged,
        K,
        combo=[(rational(-1), same), (K, exponent)],
        opaque=["c_star", "K_path"],
    )
    powers = p.exponents(logged)
    last = p.scaled(powers.shows[2], Formula((tag, beta, beta_star())), 2 * alpha, opaque=CLOSED)
    return p.chain(first, powers, last)


@proves("open.phases", "start")
def start(p: Proof) -> None:
    """At gamma = 0 the condition is K e^{2 beta alpha} <= m."""
    setting_of(p)
    near_shown(p, ZERO)
    p.chain(_squared(p, ZERO), _at_start(p, "le"))


@proves("open.phases", "start_strict")
def start_strict(p: Proof) -> None:
    """The same strictly."""
    setting_of(p)
    _at_start(p, "lt")


def _fails(p: Proof, angle: ScalarLike) -> Judgement:
    """Either the condition holds or it fails."""
    condition = dominance(scalar(angle))
    return p.step("compare", disj(ge(condition[2], condition[1]), gt(condition[1], condition[2])))


@proves("open.phases", "once")
def once(p: Proof) -> None:
    """Else it would hold at both ends of an interval, and so between."""
    several_tokens(p)
    p.nonnegative(gamma_1 - gamma_0, form=(gamma_1 - gamma_2) + (gamma_2 - gamma_0))
    for angle in (gamma_0, gamma_2, gamma_1):
        p.nonnegative(1 + m * angle, form=(1 + m * gamma_0) + m * (angle - gamma_0))
        p.nonnegative(1 - angle, form=(1 - gamma_1) + (gamma_1 - angle))
    interval = p.cite("open.invariance.amended", "interval")
    later = dominance(gamma_1)
    with p.assuming(claim.ONCE[1]) as (assumed,):
        at_first, failing = p.component(assumed, 0), p.component(assumed, 1)
        choice = _fails(p, gamma_1)
        with p.assuming(choice.shows[1]) as (holds,):
            there = p.compare(later, facts=[holds], opaque=CLOSED)
            held = p.modus(interval, p.conjunction(at_first, there))
            first = absurd(p, held, failing, claim.ONCE[2])
        with p.assuming(choice.shows[2]) as (fails,):
            shown = p.cases(choice, first, fails)
    p.discharge(claim.ONCE[1], shown)


def absurd(p: Proof, at_most: Judgement, above: Judgement, shows: Node) -> Judgement:
    """Anything, from s <= t and s > t."""
    s, t = Scalar(above.shows[1]), Scalar(above.shows[2])
    closed = [*CLOSED, "beta_path", "beta_star", "y_path"]
    up = p.compare(ge(t, s), facts=[at_most], opaque=closed)
    down = p.compare(ge(s, t), facts=[above], opaque=closed)
    same = p.step("antisymmetry", eq(s, t), down, up)
    apart = p.compare(ne(s, t), form=s - t, facts=[above], opaque=closed)
    return p.step("contradiction", shows, same, apart)


def gap_of(comparison: Judgement) -> Scalar:
    """The larger side less the smaller one."""
    tag, left, right = comparison.shows
    return Scalar(right) - Scalar(left) if tag in ("le", "lt") else Scalar(left) - Scalar(right)


def _excess_curve(p: Proof) -> Judgement:
    """(K A^2 - B)'' = 2 K (A'^2 + A A'') + 2 m^2 > 0, where A > 0."""
    heat = beta * alpha
    growth = exp(heat * (1 - gamma))
    with p.assuming(le(ZERO, gamma), lt(gamma, rational(1))):
        p.positive(1 - gamma)
        tangent = p.exp_tangent(heat * (1 - gamma))
        form = (growth - Scalar(tangent.shows[2])) + heat * (1 - gamma) + 1 + m * gamma
        above = p.positive(A(), form=form)
        bend = 2 * K * ((m - heat * growth) ** 2 + A() * heat**2 * growth) + 2 * m**2
        second = rate("d_gamma", rate("d_gamma", claim.EXCESS))
        known = [above, *named(p, gt(K, 0), gt(m, 0))]
        return p.positive(second, form=bend, opaque=["c_star", "K_path"], facts=known)


def named(p: Proof, *formulas: Node) -> list[Judgement]:
    """The latest judgements that show these."""
    return [p.last(f) for f in formulas]


@proves("open.phases", "late")
def late_failure(p: Proof) -> None:
    """At 1 - 1/(2 m n): A >= 1, B <= 1/2 and K > 1."""
    setting_of(p)
    late, gap = claim.LATE, 1 / (2 * m * n)
    p.positive(m * n)
    p.positive(gap)
    late_in_range(p)
    p.positive(1 - late, form=gap)
    t = beta * alpha * (1 - late)
    tangent = p.exp_tangent(t)
    p.nonnegative(A(late) - 1, form=(exp(t) - Scalar(tangent.shows[2])) + t + m * late)
    small = p.equal(B(late), Fraction(1, 2) - m**2 * gap**2)
    spare = Fraction(1, 2) + m**2 * gap**2
    form = K * (A(late) - 1) * (A(late) - 1 + 2) + (K - 1) + spare
    p.compare(claim.LATE_FAILURE, form=form, using=[(-1, small)], opaque=CLOSED)


def late_in_range(p: Proof) -> list[Judgement]:
    """0 < 1 - 1/(2 m n) < 1."""
    late = claim.LATE
    p.positive(m * n)
    spare = (2 * m * (n - 1) + 2 * m - 1) / (2 * m * n)
    p.positive(2 * m * (n - 1) + 2 * m - 1, form=2 * m * (n - 1) + 2 * (n - 2) + 1)
    above = p.compare(gt(late, 0), form=spare, using=[(1, p.equal(late, spare))])
    return [above, p.compare(gt(1, late), form=1 / (2 * m * n))]


def _exit(p: Proof) -> tuple[Judgement, list[Judgement]]:
    """For beta < beta*: the excess is below 0 at the start and above 0 near the end, and strictly convex."""
    cold = p.last(lt(beta, beta_star()))
    curve = _excess_curve(p)
    above, below = late_in_range(p)
    late = p.cite("open.phases", "late")
    early = p.modus(p.direction(p.cite("open.phases", "start_strict"), False), cold)
    low = p.compare(gt(0, p.value(claim.EXCESS, "gamma", 0)), form=gap_of(early), facts=[early], opaque=CLOSED)
    high = p.positive(p.value(claim.EXCESS, "gamma", claim.LATE), form=gap_of(late), facts=[late], opaque=CLOSED)
    bracket = [low, high, above, below]
    return p.only_root(claim.EXIT[2], curve, bracket, 0, claim.LATE, convex=True), bracket


@proves("open.phases", "exit")
def leaves(p: Proof) -> None:
    """A strictly convex function that goes from below 0 to above 0 has one root."""
    setting_of(p)
    with p.assuming(claim.EXIT[1]) as (cold,):
        only, _ = _exit(p)
    p.discharge(cold.shows, only)


def _negated(p: Proof, both: Judgement) -> Judgement:
    """From a > b <=> c > d: a <= b <=> c <= d."""
    (_, a, b), (_, c, d) = both.shows[1], both.shows[2]

    def one_way(assumed: Node, other: Node, back: Judgement) -> Judgement:
        low, high = Scalar(other[1]), Scalar(other[2])
        with p.assuming(assumed) as (at_most,):
            choice = p.step("compare", disj(ge(high, low), gt(low, high)))
            with p.assuming(choice.shows[1]) as (fine,):
                first = p.compare(other, form=high - low, facts=[fine], opaque=CLOSED)
            with p.assuming(choice.shows[2]) as (over,):
                second = absurd(p, at_most, p.modus(back, over), other)
            return p.discharge(assumed, p.cases(choice, first, second))

    left, right = le(Scalar(a), Scalar(b)), le(Scalar(c), Scalar(d))
    forward = one_way(left, right, p.direction(both, False))
    backward = one_way(right, left, p.direction(both))
    return p.both_ways(forward, backward)


@proves("open.phases", "exit_side")
def exit_side(p: Proof) -> None:
    """The excess is above 0 exactly beyond its root."""
    angle = gamma_1
    setting_of(p)
    near_shown(p, angle)
    compared = _squared(p, angle)
    bounds = [p.compare(gt(angle, 0)), p.compare(gt(1, angle))]
    with p.assuming(claim.EXIT[1]) as (cold,):
        only, bracket = _exit(p)
        side = p.root_side(only, bracket, bounds, angle, 0, claim.LATE)
        negated = _negated(p, side)
        value = negated.shows[1]
        plain = p.scaled(claim.squared(angle), value, 1, opaque=CLOSED)
        shown = p.chain(compared, plain, negated)
    p.discharge(cold.shows, shown)


# --- the highest temperature at a point -------------------------------------------------------------------------------


def _heat_bound(p: Proof, angle: Scalar) -> Judgement:
    """Where y > 0: e^{beta alpha (1 - gamma)} <= y exactly for beta <= ln y/(alpha (1 - gamma))."""
    t = beta * alpha * (1 - angle)
    heated = le(exp(t), y(angle))
    logged = le(exp(t), exp(log(y(angle))))
    first = p.congruent(heated, logged, opaque=["y_path"])
    powers = p.exponents(logged)
    last = p.scaled(powers.shows[2], le(beta, beta_path(angle)), alpha * (1 - angle), opaque=["y_path"])
    return p.chain(first, powers, last)


def _placed(p: Proof, assumed: Judgement) -> None:
    """0 <= gamma_2 < 1, as facts."""
    p.component(assumed, 0)
    p.component(assumed, 1)
    near_shown(p, gamma_2)


@proves("open.phases", "needs_room")
def needs_room(p: Proof) -> None:
    """Indeed y >= e^{beta alpha (1 - gamma)} > 0."""
    angle, inner = gamma_2, claim.NEEDS_ROOM[2]
    setting_of(p)
    with p.assuming(claim.PLACE) as (place,):
        _placed(p, place)
        below = p.direction(_below(p, angle))
        with p.assuming(inner[1]) as (held,):
            heated = p.modus(below, held)
            form = gap_of(heated) + Scalar(heated.shows[1])
            shown = p.positive(y(angle), form=form, facts=[heated], opaque=["y_path"])
        result = p.discharge(held.shows, shown)
    p.discharge(place.shows, result)


@proves("open.phases", "condition")
def condition(p: Proof) -> None:
    """Take logarithms."""
    angle, inner = gamma_2, claim.CONDITION[2]
    setting_of(p)
    with p.assuming(claim.PLACE) as (place,):
        _placed(p, place)
        below = _below(p, angle)
        with p.assuming(inner[1]) as (room_,):
            shown = p.chain(below, _heat_bound(p, angle))
        result = p.discharge(room_.shows, shown)
    p.discharge(place.shows, result)


@proves("open.phases", "few")
def few(p: Proof) -> None:
    """K (1 + m gamma) >= m (1 - gamma), and A > 1 + m gamma, so K A^2 > (1 + m gamma) m (1 - gamma) = B."""
    angle = gamma_2
    setting_of(p)
    with p.assuming(claim.FEW[1]) as (assumed,):
        _placed(p, assumed)
        t = beta * alpha * (1 - angle)
        p.positive(t)
        exp_increases(p, 0, t, strict=True)
        grown, line = exp(t) - exp(0), 1 + m * angle
        form = line * ((K - m) + m * angle * (K + 1)) + K * (2 * line + grown) * grown
        known = named(p, gt(K, 0), gt(m, 0), gt(line, 0), gt(exp(t), exp(0)), ge(angle, 0))
        room_ = p.nonnegative(K - m, opaque=CLOSED)
        over = p.compare(claim.squared(angle, "gt"), form=form, opaque=["c_star", "K_path"], facts=[*known, room_])
        shown = failing(p, _squared(p, angle), over)
    p.discharge(assumed.shows, shown)


def failing(p: Proof, both: Judgement, over: Judgement) -> Judgement:
    """The condition fails, from what it is equivalent to and the failure of that."""
    condition_ = both.shows[1]
    shows = Formula(("gt", *condition_[1:]))
    choice = p.step("compare", disj(ge(condition_[2], condition_[1]), gt(condition_[1], condition_[2])))
    with p.assuming(choice.shows[1]) as (holds,):
        there = p.compare(condition_, facts=[holds], opaque=CLOSED)
        first = absurd(p, p.modus(p.direction(both), there), over, shows)
    with p.assuming(choice.shows[2]) as (fails,):
        return p.cases(choice, first, fails)
