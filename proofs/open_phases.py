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
    conj,
    disj,
    eq,
    exp,
    ge,
    gt,
    iff,
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
from antumbra.proofs.statements.open_phases import beta_path, m, psi, y, y_slope
from antumbra.proofs.statements.thm19 import C, beta_star
from antumbra.proofs.statements.thm25 import gamma_0, gamma_1
from antumbra.proofs.tactics import exp_increases
from antumbra.proofs.thm19_critical_temperature import critical_ratio, several_heads, several_tokens, turned

ZERO = rational(0)


def _setting(p: Proof) -> Judgement:
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
    p.positive(C**2 * m / (1 - C**2), opaque=CLOSED)
    with p.assuming(lt(ZERO, gamma), lt(gamma, rational(1))):
        p.positive(1 - gamma)
        p.nonnegative(B())
    # K - 1 = P (c + P) - 1 = P c + (P - 1)(P + 1).
    p.positive(K - 1, form=P * C + (H - 2) * (P + 1), using=[((C + P), weight), (-K, is_root)], opaque=CLOSED)
    return weight


def _near(p: Proof, angle: Scalar) -> None:
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
    is_root, weight = _named(p, eq(C**2 + P * C - 1, 0), eq(C * K, P))
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
    _setting(p)
    _near(p, ZERO)
    p.chain(_squared(p, ZERO), _at_start(p, "le"))


@proves("open.phases", "start_strict")
def start_strict(p: Proof) -> None:
    """The same strictly."""
    _setting(p)
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
            first = _absurd(p, held, failing, claim.ONCE[2])
        with p.assuming(choice.shows[2]) as (fails,):
            shown = p.cases(choice, first, fails)
    p.discharge(claim.ONCE[1], shown)


def _absurd(p: Proof, at_most: Judgement, above: Judgement, shows: Node) -> Judgement:
    """Anything, from s <= t and s > t."""
    s, t = Scalar(above.shows[1]), Scalar(above.shows[2])
    up = p.compare(ge(t, s), facts=[at_most], opaque=CLOSED)
    down = p.compare(ge(s, t), facts=[above], opaque=CLOSED)
    same = p.step("antisymmetry", eq(s, t), down, up)
    apart = p.compare(ne(s, t), form=s - t, facts=[above], opaque=CLOSED)
    return p.step("contradiction", shows, same, apart)


def _gap(comparison: Judgement) -> Scalar:
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
        known = [above, *_named(p, gt(K, 0), gt(m, 0))]
        return p.positive(second, form=bend, opaque=["c_star", "K_path"], facts=known)


def _named(p: Proof, *formulas: Node) -> list[Judgement]:
    """The latest judgements that show these."""
    return [p.last(f) for f in formulas]


@proves("open.phases", "late")
def late_failure(p: Proof) -> None:
    """At 1 - 1/(2 m n): A >= 1, B <= 1/2 and K > 1."""
    _setting(p)
    late, gap = claim.LATE, 1 / (2 * m * n)
    p.positive(m * n)
    p.positive(gap)
    _late_in_range(p)
    p.positive(1 - late, form=gap)
    t = beta * alpha * (1 - late)
    tangent = p.exp_tangent(t)
    p.nonnegative(A(late) - 1, form=(exp(t) - Scalar(tangent.shows[2])) + t + m * late)
    small = p.equal(B(late), Fraction(1, 2) - m**2 * gap**2)
    spare = Fraction(1, 2) + m**2 * gap**2
    form = K * (A(late) - 1) * (A(late) - 1 + 2) + (K - 1) + spare
    p.compare(claim.LATE_FAILURE, form=form, using=[(-1, small)], opaque=CLOSED)


def _late_in_range(p: Proof) -> list[Judgement]:
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
    above, below = _late_in_range(p)
    late = p.cite("open.phases", "late")
    early = p.modus(p.direction(p.cite("open.phases", "start_strict"), False), cold)
    low = p.compare(gt(0, p.value(claim.EXCESS, "gamma", 0)), form=_gap(early), facts=[early], opaque=CLOSED)
    high = p.positive(p.value(claim.EXCESS, "gamma", claim.LATE), form=_gap(late), facts=[late], opaque=CLOSED)
    bracket = [low, high, above, below]
    return p.only_root(claim.EXIT[2], curve, bracket, 0, claim.LATE, convex=True), bracket


@proves("open.phases", "exit")
def leaves(p: Proof) -> None:
    """A strictly convex function that goes from below 0 to above 0 has one root."""
    _setting(p)
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
                second = _absurd(p, at_most, p.modus(back, over), other)
            return p.discharge(assumed, p.cases(choice, first, second))

    left, right = le(Scalar(a), Scalar(b)), le(Scalar(c), Scalar(d))
    forward = one_way(left, right, p.direction(both, False))
    backward = one_way(right, left, p.direction(both))
    return p.both_ways(forward, backward)


@proves("open.phases", "exit_side")
def exit_side(p: Proof) -> None:
    """The excess is above 0 exactly beyond its root."""
    angle = gamma_1
    _setting(p)
    _near(p, angle)
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
    _near(p, gamma_2)


@proves("open.phases", "needs_room")
def needs_room(p: Proof) -> None:
    """Indeed y >= e^{beta alpha (1 - gamma)} > 0."""
    angle, inner = gamma_2, claim.NEEDS_ROOM[2]
    _setting(p)
    with p.assuming(claim.PLACE) as (place,):
        _placed(p, place)
        below = p.direction(_below(p, angle))
        with p.assuming(inner[1]) as (held,):
            heated = p.modus(below, held)
            form = _gap(heated) + Scalar(heated.shows[1])
            shown = p.positive(y(angle), form=form, facts=[heated], opaque=["y_path"])
        result = p.discharge(held.shows, shown)
    p.discharge(place.shows, result)


@proves("open.phases", "condition")
def condition(p: Proof) -> None:
    """Take logarithms."""
    angle, inner = gamma_2, claim.CONDITION[2]
    _setting(p)
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
    _setting(p)
    with p.assuming(claim.FEW[1]) as (assumed,):
        _placed(p, assumed)
        t = beta * alpha * (1 - angle)
        p.positive(t)
        exp_increases(p, 0, t, strict=True)
        grown, line = exp(t) - exp(0), 1 + m * angle
        form = line * ((K - m) + m * angle * (K + 1)) + K * (2 * line + grown) * grown
        known = _named(p, gt(K, 0), gt(m, 0), gt(line, 0), gt(exp(t), exp(0)), ge(angle, 0))
        room_ = p.nonnegative(K - m, opaque=CLOSED)
        over = p.compare(claim.squared(angle, "gt"), form=form, opaque=["c_star", "K_path"], facts=[*known, room_])
        shown = _failing(p, _squared(p, angle), over)
    p.discharge(assumed.shows, shown)


def _failing(p: Proof, both: Judgement, over: Judgement) -> Judgement:
    """The condition fails, from what it is equivalent to and the failure of that."""
    condition_ = both.shows[1]
    shows = Formula(("gt", *condition_[1:]))
    choice = p.step("compare", disj(ge(condition_[2], condition_[1]), gt(condition_[1], condition_[2])))
    with p.assuming(choice.shows[1]) as (holds,):
        there = p.compare(condition_, facts=[holds], opaque=CLOSED)
        first = _absurd(p, p.modus(p.direction(both), there), over, shows)
    with p.assuming(choice.shows[2]) as (fails,):
        return p.cases(choice, first, fails)


# --- the window -------------------------------------------------------------------------------------------------------


def _falls(p: Proof, angle: Scalar, flow: str = "d_gamma") -> tuple[Judgement, Judgement]:
    """The first two derivatives of -y: -y' and m^2 n^2/(4 B^{3/2} sqrt(K)) > 0."""
    slope = p.equal(rate(flow, -y(angle)), -y_slope(angle), opaque=["c_star", "K_path"])
    bend = m**2 * n**2 / 4 * (1 / sqrt(B(angle))) ** 3 / sqrt(K)
    second = rate(flow, rate(flow, -y(angle)))
    curved = p.equal(second, bend, opaque=["c_star", "K_path"])
    return slope, p.positive(second, form=bend, using=[(1, curved)], opaque=CLOSED)


def _late_values(p: Proof) -> Judgement:
    """At 1 - 1/(2 m n): sqrt(B) <= 3/4, since B <= 1/2."""
    late, gap = claim.LATE, 1 / (2 * m * n)
    p.positive(m * n)
    p.positive(gap)
    _late_in_range(p)
    _near(p, late)
    half = Fraction(1, 2) - m**2 * gap**2
    value_there = p.equal(B(late), half)
    form = Fraction(1, 16) + m**2 * gap**2
    squares = p.compare(
        ge(rational(Fraction(3, 4)) ** 2, sqrt(B(late)) ** 2), form=form, using=[(-1, value_there)], opaque=CLOSED
    )
    return p.modus(p.direction(p.squares(ge(Fraction(3, 4), sqrt(B(late))))), squares)


def _root_above_one(p: Proof) -> None:
    """K > 1, so sqrt(K) > 1."""
    large = p.compare(gt(sqrt(K) ** 2, rational(1) ** 2), form=K - 1, opaque=CLOSED)
    p.modus(p.direction(p.squares(gt(sqrt(K), 1))), large)


@proves("open.phases", "low")
def low(p: Proof) -> None:
    """Here m late >= 3/4 >= sqrt(B) > sqrt(B/K)."""
    _setting(p)
    _late_values(p)
    _root_above_one(p)
    late = claim.LATE
    p.nonnegative(n - 2)
    rest = m - 1 + (n - 2) / (4 * n)
    p.nonnegative(m - 1, form=n - 2)
    p.nonnegative(m * late - Fraction(3, 4), form=rest, using=[(1, p.equal(m * late - Fraction(3, 4), rest))])
    share = sqrt(B(late)) * (sqrt(K) - 1) * (1 / sqrt(K))
    form = (m * late - Fraction(3, 4)) + (Fraction(3, 4) - sqrt(B(late))) + share
    p.compare(claim.LOW, form=form, opaque=CLOSED)


def _descent(p: Proof) -> Judgement:
    """-y is strictly convex on [0, 1)."""
    with p.assuming(le(ZERO, gamma), lt(gamma, rational(1))):
        _near(p, gamma)
        return _falls(p, gamma)[1]


def _end(p: Proof) -> tuple[Judgement, list[Judgement]]:
    """The one zero of y: y(0) > 0, y < 0 late, and y is strictly concave."""
    curve = _descent(p)
    above, below = _late_in_range(p)
    _near(p, ZERO)
    first = p.compare(gt(0, p.value(-y(), "gamma", 0)), form=sqrt(B(0)) / sqrt(K), opaque=CLOSED)
    low_value = p.cite("open.phases", "low")
    second = p.positive(p.value(-y(), "gamma", claim.LATE), form=_gap(low_value), facts=[low_value], opaque=["y_path"])
    bracket = [first, second, above, below]
    return p.only_root(claim.ENDS, curve, bracket, 0, claim.LATE, convex=True), bracket


@proves("open.phases", "ends")
def ends(p: Proof) -> None:
    """A strictly concave function that goes from above 0 to below 0 has one zero."""
    _setting(p)
    _end(p)


def _room(p: Proof, angle: Scalar, only: Judgement, bracket: list[Judgement]) -> Judgement:
    """From angle >= 0 and angle < end: y(angle) > 0."""
    condition_ = conj(ge(angle, 0), lt(angle, claim.END))
    shows = gt(y(angle), 0)
    below_end = p.root_facts(only)[2]
    with p.assuming(condition_) as (inside,):
        at_least, before = p.component(inside, 0), p.component(inside, 1)
        below_one = p.compare(gt(1, angle), form=(1 - claim.END) + (claim.END - angle), facts=[below_end, before])
        choice = p.step("compare", disj(gt(angle, ZERO), eq(angle, ZERO), gt(ZERO, angle)))
        with p.assuming(choice.shows[1]) as (positive,):
            side = p.root_side(only, bracket, [positive, below_one], angle, 0, claim.LATE, side="<")
            turned_round = p.compare(gt(claim.END, angle), facts=[before])
            below_zero = p.modus(p.direction(side, False), turned_round)
            first = p.positive(y(angle), form=_gap(below_zero), facts=[below_zero], opaque=["y_path"])
        with p.assuming(choice.shows[2]) as (zero,):
            at_zero = p.positive(y(0), form=_gap(bracket[0]), facts=[bracket[0]], opaque=["y_path"])
            second = p.rewritten(p.flip(zero), at_zero, shows)
        with p.assuming(choice.shows[3]) as (negative,):
            third = _absurd(p, at_least, negative, shows)
        shown = p.cases(choice, first, second, third)
    return p.discharge(inside.shows, shown)


@proves("open.phases", "room")
def room(p: Proof) -> None:
    """Before its zero y is above 0."""
    _setting(p)
    only, bracket = _end(p)
    _room(p, gamma_1, only, bracket)


@proves("open.phases", "unity")
def unity(p: Proof) -> None:
    """For m > K, y(0) = sqrt(m/K) > 1."""
    _setting(p)
    _near(p, ZERO)
    _descent(p)
    above, below = _late_in_range(p)
    more = _more_than_one(p)
    function = 1 - y()
    first = p.compare(gt(0, p.value(function, "gamma", 0)), form=_gap(more), facts=[more], opaque=["y_path"])
    low_value = p.cite("open.phases", "low")
    second = p.positive(
        p.value(function, "gamma", claim.LATE), form=1 + _gap(low_value), facts=[low_value], opaque=["y_path"]
    )
    second_rate = rate("d_gamma", rate("d_gamma", function))
    with p.assuming(le(ZERO, gamma), lt(gamma, rational(1))):
        bend = rate("d_gamma", rate("d_gamma", -y()))
        shape = p.positive(second_rate, form=bend, opaque=["c_star", "K_path"])
    p.only_root(claim.UNITY, shape, [first, second, above, below], 0, claim.LATE, convex=True)


@proves("open.phases", "order")
def order(p: Proof) -> None:
    """Where y = 1, it has not yet fallen to 0."""
    _setting(p)
    one = claim.ONE
    is_one, positive_one, below_one = p.root_facts(p.cite("open.phases", "unity"))
    only, bracket = _end(p)
    side = p.root_side(only, bracket, [positive_one, below_one], one, 0, claim.LATE, side="<")
    negative = p.compare(gt(0, -y(one)), form=rational(1), using=[(-1, is_one)], opaque=["y_path"], facts=[])
    beyond = p.modus(p.direction(side), negative)
    p.compare(claim.ORDER, facts=[beyond])


@proves("open.phases", "steep")
def steep(p: Proof) -> None:
    """By concavity y(0) <= 1 - y'(one) one, and y(0) > 1; so y' < 0 where y = 1."""
    _setting(p)
    one = claim.ONE
    is_one, positive_one, below_one = p.root_facts(p.cite("open.phases", "unity"))
    near = p.positive(1 - one, facts=[below_one])
    wide = p.positive(1 + m * one, facts=[positive_one, *_named(p, gt(m, 0))])
    p.nonnegative(B(one), facts=[near, wide, *_named(p, gt(m, 0))])
    strict = p.positive(B(one), facts=[near, wide, *_named(p, gt(m, 0))])
    p.nonzero(2 * sqrt(K) * sqrt(B(one)), facts=[strict, *_named(p, gt(sqrt(K), 0))], opaque=CLOSED)
    with p.assuming(le(ZERO, gamma), le(gamma, one)):
        p.positive(1 - gamma, form=(1 - one) + (one - gamma))
        _near(p, gamma)
        slope, curve = _falls(p, gamma)
    from_zero = p.compare(ge(one, ZERO), facts=[positive_one])
    bounds = [from_zero, p.compare(ge(ZERO, ZERO)), p.compare(ge(one, one)), from_zero]
    tangent = p.tangent_below(-y(), "gamma", curve, slope, bounds, one, 0, 0, one)
    _near(p, ZERO)
    above = _more_than_one(p)
    form = (_gap(tangent) + _gap(above)) / one
    closed = ["y_path", "y_slope"]
    same = p.equal(-y_slope(one), form, using=[(1 / one, is_one)], opaque=closed, facts=[positive_one])
    p.compare(claim.STEEP, form=form, using=[(1, same)], opaque=closed, facts=[positive_one, tangent, above])


def _more_than_one(p: Proof) -> Judgement:
    """y(0) = sqrt(m/K) > 1."""
    value = p.equal(y(0) ** 2, m / K, opaque=["c_star", "K_path"])
    p.positive(y(0), form=sqrt(B(0)) / sqrt(K), opaque=CLOSED)
    excess = (m - K) / K
    squares = p.compare(
        gt(y(0) ** 2, rational(1) ** 2),
        form=excess,
        using=[(1, value), (1, p.equal(m / K - 1, excess, opaque=CLOSED))],
        opaque=[*CLOSED, "y_path"],
    )
    return p.modus(p.direction(p.squares(gt(y(0), 1))), squares)


def _psi_falls(p: Proof) -> Judgement:
    """-psi' = (1 - gamma)(y'^2 - y y'')/y^2 > 0 on [0, end)."""
    only, bracket = _end(p)
    room_there = _room(p, gamma, only, bracket)
    below_end = p.root_facts(only)[2]
    # What psi is made of is defined strictly inside, for the statement, and on [0, end), for the derivative.
    with p.assuming(lt(ZERO, gamma), lt(gamma, claim.END)) as bounds:
        for term in _inside_window(p, room_there, below_end, bounds):
            p.nonzero(term, facts=_named(p, gt(term, 0)), opaque=["y_path", "B_path"])
        roots = 2 * sqrt(K) * sqrt(B())
        p.nonzero(roots, facts=_named(p, gt(sqrt(K), 0), gt(sqrt(B()), 0)), opaque=CLOSED)
    with p.assuming(le(ZERO, gamma), lt(gamma, claim.END)) as bounds:
        _inside_window(p, room_there, below_end, bounds)
        bend = m**2 * n**2 / 4 * (1 / sqrt(B())) ** 3 / sqrt(K)
        form = (1 - gamma) * (y_slope() ** 2 + bend * y()) * (1 / y()) ** 2
        slope = rate("d_gamma", -psi())
        needed = _named(p, *_SMOOTH_WINDOW)
        falls = p.equal(slope, form, opaque=["c_star", "K_path"], facts=needed)
        return p.positive(
            slope, form=form, using=[(1, falls)], opaque=["c_star", "K_path", "B_path", "y_path"], facts=needed
        )


def _inside_window(
    p: Proof, room_there: Judgement, below_end: Judgement, bounds: tuple[Judgement, ...]
) -> list[Scalar]:
    """y, 1 - gamma, B and its root are positive."""
    low_, high_ = bounds
    conditions = [p.compare(ge(gamma, 0), facts=[low_]), p.compare(lt(gamma, claim.END), facts=[high_])]
    p.modus(room_there, p.conjunction(*conditions))
    near = p.positive(1 - gamma, form=(1 - claim.END) + (claim.END - gamma), facts=[below_end, high_])
    wide = p.positive(1 + m * gamma, facts=[*_named(p, gt(m, 0)), conditions[0]])
    area = p.positive(B(), facts=[near, wide, *_named(p, gt(m, 0))])
    p.positive(sqrt(B()), facts=[area], opaque=["B_path"])
    return [y(), sqrt(B())]


def _window_bracket(p: Proof) -> list[Judgement]:
    """At 0 psi is half the criterion, and it is (1 - one) y'(one) < 0 where y = 1."""
    one, closed = claim.ONE, ["y_path", "y_slope"]
    is_one, positive_one, below_one = p.root_facts(p.cite("open.phases", "unity"))
    value = p.equal(y(one), 1, using=[(-1, is_one)], opaque=["y_path"], facts=[])
    descending, before = p.cite("open.phases", "steep"), p.cite("open.phases", "order")
    half = claim.CRITERION / 2
    known = _named(p, gt(K, 0), gt(m, 0), gt(sqrt(K), 0), gt(m / K, 0))
    _near(p, ZERO)
    at_zero = p.equal(psi(0), half, opaque=["c_star", "K_path"], facts=[*known, *_named(p, gt(B(ZERO), 0))])
    criterion = p.last(gt(claim.CRITERION, 0))
    first = p.compare(
        gt(0, p.value(-psi(), "gamma", 0)),
        form=half,
        using=[(1, at_zero)],
        opaque=["psi_path", *CLOSED],
        facts=[criterion],
    )
    form = (1 - one) * -y_slope(one)
    there = p.equal(-psi(one), form, rewriting=[value], opaque=closed, facts=[])
    second = p.positive(
        p.value(-psi(), "gamma", one),
        form=form,
        using=[(1, there)],
        opaque=["psi_path", *closed],
        facts=[below_one, descending],
    )
    return [first, second, positive_one, p.compare(gt(claim.END, one), facts=[before])]


def _smooth_window(p: Proof) -> list[Judgement]:
    """What psi needs to be smooth on [0, end)."""
    within = {le(ZERO, gamma), lt(gamma, claim.END)}
    shown = [s.judgement for s in p.steps if s.judgement.shows in _SMOOTH_WINDOW]
    return [j for j in shown if set(j.given) <= within]


@proves("open.phases", "window")
def window(p: Proof) -> None:
    """Here psi falls strictly from above 0 to below 0."""
    _setting(p)
    falling = _psi_falls(p)
    bracket = _window_bracket(p)
    p.step(
        "root_monotone",
        claim.WINDOW,
        falling,
        *bracket,
        facts=_smooth_window(p),
        variable="gamma",
        flow="d_gamma",
        a=ZERO,
        b=claim.ONE,
    )


def _psi_side(p: Proof, statement: Node, side: str) -> None:
    """The sign of psi on one side of its zero."""
    _setting(p)
    angle = gamma_1
    _psi_falls(p)
    only = p.cite("open.phases", "window")
    inside_w = p.root_facts(only)
    bracket = _window_bracket(p)
    with p.assuming(statement[1]) as (assumed,):
        first, second = p.component(assumed, 0), p.component(assumed, 1)
        if side == "<":
            bounds = [
                first,
                p.compare(
                    gt(claim.END, angle),
                    form=(claim.END - claim.GAMMA_W) + (claim.GAMMA_W - angle),
                    facts=[inside_w[2], second],
                ),
            ]
            known = p.compare(gt(claim.GAMMA_W, angle), facts=[second])
        else:
            bounds = [
                p.compare(gt(angle, 0), form=claim.GAMMA_W + (angle - claim.GAMMA_W), facts=[inside_w[1], first]),
                p.compare(gt(claim.END, angle), facts=[second]),
            ]
            known = first
        f = p.value(-psi(), "gamma", angle)
        shows = iff(gt(0, f), gt(claim.GAMMA_W, angle)) if side == "<" else iff(gt(f, 0), gt(angle, claim.GAMMA_W))
        both = p.step(
            "root_side",
            shows,
            only,
            *bracket,
            *bounds,
            facts=_smooth_window(p),
            variable="gamma",
            flow="d_gamma",
            at=angle,
            a=ZERO,
            b=claim.ONE,
        )
        sign = p.modus(p.direction(both, False), known)
        shown = p.compare(statement[2], facts=[sign], opaque=["psi_path"])
    p.discharge(assumed.shows, shown)


@proves("open.phases", "before")
def before(p: Proof) -> None:
    """Before its zero psi > 0."""
    _psi_side(p, claim.BEFORE, "<")


@proves("open.phases", "after")
def after(p: Proof) -> None:
    """After its zero psi < 0."""
    _psi_side(p, claim.AFTER, ">")


_SMOOTH_WINDOW = (
    gt(m, 0),
    gt(K, 0),
    gt(sqrt(K), 0),
    gt(1 - gamma, 0),
    gt(B(), 0),
    gt(sqrt(B()), 0),
    gt(y(), 0),
)
"""What psi needs to be smooth."""


@proves("open.phases", "converse")
def converse(p: Proof) -> None:
    """From its zero on y is not above 0."""
    _setting(p)
    angle, inner = gamma_1, claim.CONVERSE[2]
    only, bracket = _end(p)
    positive_end = p.root_facts(only)[1]
    with p.assuming(claim.CONVERSE[1]) as (place,):
        at_least, below = p.component(place, 0), p.component(place, 1)
        with p.assuming(inner[1]) as (room_,):
            choice = p.step("compare", disj(gt(angle, ZERO), eq(angle, ZERO), gt(ZERO, angle)))
            with p.assuming(choice.shows[1]) as (positive,):
                bounds = [positive, p.compare(gt(1, angle), facts=[below])]
                side = p.root_side(only, bracket, bounds, angle, 0, claim.LATE, side="<")
                negative = p.compare(
                    gt(0, p.value(-y(), "gamma", angle)), form=y(angle), facts=[room_], opaque=["y_path"]
                )
                first = p.compare(inner[2], facts=[p.modus(p.direction(side), negative)])
            with p.assuming(choice.shows[2]) as (zero,):
                here = p.compare(lt(ZERO, claim.END), facts=[positive_end])
                second = p.rewritten(p.flip(zero), here, inner[2])
            with p.assuming(choice.shows[3]) as (negative,):
                third = _absurd(p, at_least, negative, inner[2])
            shown = p.cases(choice, first, second, third)
        result = p.discharge(room_.shows, shown)
    p.discharge(place.shows, result)
