"""Beyond the paper: the window of radial dominance beyond beta*.

Statement: y = sqrt(B/K) - m gamma has one zero, y = 1 once before it, and where the criterion is positive psi = (1 -
gamma)^2 (ln y/(1 - gamma))' has one zero gamma_w; so beta_w = ln y(gamma_w)/(alpha (1 - gamma_w)) > beta* is the
highest temperature at which Condition 8 holds anywhere on [0, 1).
Hypotheses: n >= 2, H >= 2, equal scalar heads of scale alpha on the equiangular path; m > K and the criterion.
Notation: that of `open_phases`; end is the zero of y, one the point where y = 1.
Method: y is strictly concave; psi falls strictly, from half the criterion to below 0 where y = 1; the mean value
theorem on both sides of gamma_w.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Formula,
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
    rate,
    rational,
    sqrt,
)
from antumbra.proofs.open_dominance import CLOSED
from antumbra.proofs.open_phases import ZERO, absurd, failing, gap_of, late_in_range, named, near_shown, setting_of
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, gamma
from antumbra.proofs.statements import open_phases as claim
from antumbra.proofs.statements.open_dominance import A, B, K, P, dominance, gamma_2
from antumbra.proofs.statements.open_phases import back, beta_path, m, psi, y, y_slope
from antumbra.proofs.statements.thm19 import C, beta_star
from antumbra.proofs.statements.thm25 import gamma_1

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
    late_in_range(p)
    near_shown(p, late)
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
    setting_of(p)
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
        near_shown(p, gamma)
        return _falls(p, gamma)[1]


def _end(p: Proof) -> tuple[Judgement, list[Judgement]]:
    """The one zero of y: y(0) > 0, y < 0 late, and y is strictly concave."""
    curve = _descent(p)
    above, below = late_in_range(p)
    near_shown(p, ZERO)
    first = p.compare(gt(0, p.value(-y(), "gamma", 0)), form=sqrt(B(0)) / sqrt(K), opaque=CLOSED)
    low_value = p.cite("open.phases", "low")
    second = p.positive(
        p.value(-y(), "gamma", claim.LATE), form=gap_of(low_value), facts=[low_value], opaque=["y_path"]
    )
    bracket = [first, second, above, below]
    return p.only_root(claim.ENDS, curve, bracket, 0, claim.LATE, convex=True), bracket


@proves("open.phases", "ends")
def ends(p: Proof) -> None:
    """A strictly concave function that goes from above 0 to below 0 has one zero."""
    setting_of(p)
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
            first = p.positive(y(angle), form=gap_of(below_zero), facts=[below_zero], opaque=["y_path"])
        with p.assuming(choice.shows[2]) as (zero,):
            at_zero = p.positive(y(0), form=gap_of(bracket[0]), facts=[bracket[0]], opaque=["y_path"])
            second = p.rewritten(p.flip(zero), at_zero, shows)
        with p.assuming(choice.shows[3]) as (negative,):
            third = absurd(p, at_least, negative, shows)
        shown = p.cases(choice, first, second, third)
    return p.discharge(inside.shows, shown)


@proves("open.phases", "room")
def room(p: Proof) -> None:
    """Before its zero y is above 0."""
    setting_of(p)
    only, bracket = _end(p)
    _room(p, gamma_1, only, bracket)


@proves("open.phases", "unity")
def unity(p: Proof) -> None:
    """For m > K, y(0) = sqrt(m/K) > 1."""
    setting_of(p)
    near_shown(p, ZERO)
    _descent(p)
    above, below = late_in_range(p)
    more = _more_than_one(p)
    function = 1 - y()
    first = p.compare(gt(0, p.value(function, "gamma", 0)), form=gap_of(more), facts=[more], opaque=["y_path"])
    low_value = p.cite("open.phases", "low")
    second = p.positive(
        p.value(function, "gamma", claim.LATE), form=1 + gap_of(low_value), facts=[low_value], opaque=["y_path"]
    )
    second_rate = rate("d_gamma", rate("d_gamma", function))
    with p.assuming(le(ZERO, gamma), lt(gamma, rational(1))):
        bend = rate("d_gamma", rate("d_gamma", -y()))
        shape = p.positive(second_rate, form=bend, opaque=["c_star", "K_path"])
    p.only_root(claim.UNITY, shape, [first, second, above, below], 0, claim.LATE, convex=True)


@proves("open.phases", "order")
def order(p: Proof) -> None:
    """Where y = 1, it has not yet fallen to 0."""
    setting_of(p)
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
    setting_of(p)
    one = claim.ONE
    is_one, positive_one, below_one = p.root_facts(p.cite("open.phases", "unity"))
    near = p.positive(1 - one, facts=[below_one])
    wide = p.positive(1 + m * one, facts=[positive_one, *named(p, gt(m, 0))])
    p.nonnegative(B(one), facts=[near, wide, *named(p, gt(m, 0))])
    strict = p.positive(B(one), facts=[near, wide, *named(p, gt(m, 0))])
    p.nonzero(2 * sqrt(K) * sqrt(B(one)), facts=[strict, *named(p, gt(sqrt(K), 0))], opaque=CLOSED)
    with p.assuming(le(ZERO, gamma), le(gamma, one)):
        p.positive(1 - gamma, form=(1 - one) + (one - gamma))
        near_shown(p, gamma)
        slope, curve = _falls(p, gamma)
    from_zero = p.compare(ge(one, ZERO), facts=[positive_one])
    bounds = [from_zero, p.compare(ge(ZERO, ZERO)), p.compare(ge(one, one)), from_zero]
    tangent = p.tangent_below(-y(), "gamma", curve, slope, bounds, one, 0, 0, one)
    near_shown(p, ZERO)
    above = _more_than_one(p)
    form = (gap_of(tangent) + gap_of(above)) / one
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


def _psi_defined(p: Proof) -> tuple[Judgement, Judgement]:
    """What psi is made of is defined between 0 and the zero of y; returns where y > 0, and end < 1."""
    only, bracket = _end(p)
    room_there = _room(p, gamma, only, bracket)
    below_end = p.root_facts(only)[2]
    with p.assuming(lt(ZERO, gamma), lt(gamma, claim.END)) as bounds:
        _inside_window(p, room_there, below_end, bounds)
    return room_there, below_end


def _at_window(p: Proof) -> list[Judgement]:
    """Gamma_w is between 0 and the zero of y, so that beta_w is defined; returns gamma_w > 0, gamma_w < 1."""
    _, below_end = _psi_defined(p)
    w = claim.GAMMA_W
    _, above, before_end = p.root_facts(p.cite("open.phases", "window"))
    roomy = p.instance(p.cite("open.phases", "room"), scalars={"gamma_1": w})
    here = p.compare(ge(w, 0), facts=[above])
    p.modus(roomy, p.conjunction(here, p.compare(lt(w, claim.END), facts=[before_end])))
    below = p.compare(lt(w, 1), form=(1 - claim.END) + (claim.END - w), facts=[below_end, before_end])
    near = p.positive(1 - w, facts=[below])
    tokens = named(p, gt(m, 0))
    wide = p.positive(1 + m * w, facts=[*tokens, here])
    p.nonnegative(B(w), facts=[near, wide, *tokens])
    p.positive(B(w), facts=[near, wide, *tokens])
    p.nonzero(alpha * (1 - w), facts=[near])
    return [here, below]


def _psi_falls(p: Proof) -> Judgement:
    """-psi' = (1 - gamma)(y'^2 - y y'')/y^2 > 0 on [0, end)."""
    room_there, below_end = _psi_defined(p)
    with p.assuming(le(ZERO, gamma), lt(gamma, claim.END)) as bounds:
        _inside_window(p, room_there, below_end, bounds)
        return _slope_of_psi(p)


def _slope_of_psi(p: Proof) -> Judgement:
    """The sign of -psi', where what psi is made of is positive."""
    bend = m**2 * n**2 / 4 * (1 / sqrt(B())) ** 3 / sqrt(K)
    form = (1 - gamma) * ((y_slope() / y()) ** 2 + bend / y())
    slope = rate("d_gamma", -psi())
    needed = named(p, *_SMOOTH_WINDOW)
    falls = p.equal(slope, form, opaque=["c_star", "K_path"], facts=needed)
    return p.positive(
        slope, form=form, using=[(1, falls)], opaque=["c_star", "K_path", "B_path", "y_path"], facts=needed
    )


def _inside_window(
    p: Proof, room_there: Judgement, below_end: Judgement, bounds: Sequence[Judgement], angle: Scalar = gamma
) -> None:
    """y, 1 - gamma, B and its root are positive, and what psi is made of is defined."""
    low_, high_ = bounds
    conditions = [p.compare(ge(angle, 0), facts=[low_]), p.compare(lt(angle, claim.END), facts=[high_])]
    room_here = p.modus(room_there, p.conjunction(*conditions))
    near = p.positive(1 - angle, form=(1 - claim.END) + (claim.END - angle), facts=[below_end, high_])
    tokens = named(p, gt(m, 0))
    wide = p.positive(1 + m * angle, facts=[*tokens, conditions[0]])
    area = p.positive(B(angle), facts=[near, wide, *tokens])
    rooted_ = p.positive(sqrt(B(angle)), facts=[area], opaque=["B_path"])
    p.nonnegative(B(angle), facts=[area], opaque=CLOSED)
    p.nonzero(y(angle), facts=[room_here], opaque=["y_path"])
    p.nonzero(2 * sqrt(K) * sqrt(B(angle)), facts=[rooted_, *named(p, gt(sqrt(K), 0))], opaque=CLOSED)


def _log_at_zero(p: Proof, known: Sequence[Judgement]) -> tuple[Judgement, Judgement]:
    """y(0) > 0 and 2 ln y(0) = ln(m/K), for y(0)^2 = m/K."""
    closed = ["c_star", "K_path"]
    first = p.positive(y(0), form=sqrt(B(0)) / sqrt(K), opaque=CLOSED, facts=known)
    square = p.equal(y(0) ** 2, m / K, opaque=closed, facts=known)
    left = p.equal(exp(2 * log(y(0))), y(0) ** 2, opaque=["y_path"], facts=[first])
    right = p.equal(exp(log(m / K)), m / K, opaque=closed, facts=known)
    powers = eq(exp(2 * log(y(0))), exp(log(m / K)))
    same = p.equal(
        powers[1], powers[2], using=[(1, left), (1, square), (-1, right)], opaque=["y_path", *closed], facts=[]
    )
    return first, p.modus(p.direction(p.exponents(powers)), same)


def _psi_at_zero(p: Proof, known: Sequence[Judgement]) -> Judgement:
    """At 0 psi is half the criterion: y'(0)/y(0) = (m - 1)/2 - sqrt(m K), and 2 ln y(0) = ln(m/K)."""
    closed = ["c_star", "K_path"]
    first, logs = _log_at_zero(p, known)
    ratio = p.equal(y_slope(0) / y(0), (m - 1) / 2 - sqrt(m) * sqrt(K), opaque=closed, facts=[*known, first])
    return p.equal(
        psi(0),
        claim.CRITERION / 2,
        using=[(1, ratio), (Fraction(1, 2), logs)],
        opaque=["y_path", "y_slope", *closed],
        facts=[],
    )


def _window_bracket(p: Proof) -> list[Judgement]:
    """At 0 psi is half the criterion, and it is (1 - one) y'(one) < 0 where y = 1."""
    one, closed = claim.ONE, ["y_path", "y_slope"]
    is_one, positive_one, below_one = p.root_facts(p.cite("open.phases", "unity"))
    value = p.equal(y(one), 1, using=[(-1, is_one)], opaque=["y_path"], facts=[])
    descending, before = p.cite("open.phases", "steep"), p.cite("open.phases", "order")
    half = claim.CRITERION / 2
    known = named(p, gt(K, 0), gt(m, 0), gt(sqrt(K), 0), gt(m / K, 0))
    near_shown(p, ZERO)
    at_zero = _psi_at_zero(p, [*known, *named(p, gt(B(ZERO), 0))])
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
    setting_of(p)
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
    setting_of(p)
    angle = gamma_1
    _psi_falls(p)
    only = p.cite("open.phases", "window")
    inside_w = p.root_facts(only)
    end_facts = p.root_facts(p.cite("open.phases", "ends"))
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
        _inside_window(p, p.cite("open.phases", "room"), end_facts[2], bounds, angle)
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
    setting_of(p)
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
                third = absurd(p, at_least, negative, inner[2])
            shown = p.cases(choice, first, second, third)
        result = p.discharge(room_.shows, shown)
    p.discharge(place.shows, result)


# --- the maximum ------------------------------------------------------------------------------------------------------

SLOPE = psi(back) / alpha * (1 / (1 - back)) ** 2


def _monotone(
    p: Proof,
    ends_of_it: tuple[Scalar, Scalar],
    sign: int,
    sides: list[Judgement],
    lemma: Judgement,
    forms: tuple[ScalarLike | None, ScalarLike | None],
    order_: Judgement,
) -> Judgement:
    """How ln y/(alpha (1 - x)) compares at two points of [0, end), since its derivative is psi/(alpha (1 - x)^2).

    `sides` shows lo >= 0, end > hi, 1 > end; `lemma` gives psi's sign at x, and `forms` show its two conditions.
    """
    lo, hi = ends_of_it
    roomy = p.instance(p.cite("open.phases", "room"), scalars={"gamma_1": back})
    at_least, before_end, below_one = sides
    function = sign * beta_path(back)
    with p.assuming(le(lo, back), le(back, hi)) as (low_, high_):
        here = p.compare(ge(back, 0), form=(back - lo) + lo, facts=[low_, at_least])
        inside = p.compare(lt(back, claim.END), form=(claim.END - hi) + (hi - back), facts=[high_, before_end])
        y_there = p.modus(roomy, p.conjunction(here, inside))
        near = p.positive(1 - back, form=(1 - claim.END) + (claim.END - back), facts=[below_one, inside])
        tokens = named(p, gt(m, 0))
        wide = p.positive(1 + m * back, facts=[*tokens, here])
        area = p.positive(B(back), facts=[near, wide, *tokens])
        known = [y_there, near, area, *named(p, gt(K, 0), gt(sqrt(K), 0))]
        known.append(p.positive(sqrt(B(back)), facts=[area], opaque=["B_path"]))
        slope = rate("d_back", function)
        exact = p.equal(slope, sign * SLOPE, opaque=["c_star", "K_path"], facts=known)
        with p.assuming(gt(back, lo), gt(hi, back)) as strict:
            facts = [*strict, at_least, before_end]
            conditions = [
                p.compare(f, form=form, facts=facts) for f, form in zip(lemma.shows[1][1:], forms, strict=True)
            ]
            signed = p.modus(lemma, p.conjunction(*conditions))
            steep_ = p.positive(
                slope,
                form=sign * SLOPE,
                using=[(1, exact)],
                opaque=["psi_path", "c_star", "K_path"],
                facts=[signed, *known],
            )
    shows = Formula((order_.shows[0], p.value(function, "back", hi), p.value(function, "back", lo)))
    return p.step(
        "increasing",
        shows,
        steep_,
        order_,
        facts=known,
        function=function,
        lo=lo,
        hi=hi,
        variable="back",
        flow="d_back",
    )


def _up_to_window(p: Proof, lo: Scalar, at_least: Judgement, order_: Judgement) -> Judgement:
    """Here ln y/(1 - x) rises from lo to gamma_w."""
    end_facts, window_facts = (p.root_facts(p.cite("open.phases", name)) for name in ("ends", "window"))
    lemma = p.instance(p.cite("open.phases", "before"), scalars={"gamma_1": back})
    sides = [at_least, window_facts[2], end_facts[2]]
    forms = ((back - lo) + lo, claim.GAMMA_W - back)
    return _monotone(p, (lo, claim.GAMMA_W), 1, sides, lemma, forms, order_)


def _from_window(p: Proof, hi: Scalar, before_end: Judgement, order_: Judgement) -> Judgement:
    """Here ln y/(1 - x) falls from gamma_w to hi."""
    end_facts, window_facts = (p.root_facts(p.cite("open.phases", name)) for name in ("ends", "window"))
    lemma = p.instance(p.cite("open.phases", "after"), scalars={"gamma_1": back})
    at_least = p.compare(ge(claim.GAMMA_W, 0), facts=[window_facts[1]])
    forms = (back - claim.GAMMA_W, (claim.END - hi) + (hi - back))
    sides = [at_least, before_end, end_facts[2]]
    return _monotone(p, (claim.GAMMA_W, hi), -1, sides, lemma, forms, order_)


@proves("open.phases", "largest")
def largest(p: Proof) -> None:
    """It rises up to gamma_w and falls from there on."""
    setting_of(p)
    angle, w, inner = gamma_2, claim.GAMMA_W, claim.LARGEST[2]
    early = p.instance(p.cite("open.phases", "converse"), scalars={"gamma_1": angle})
    closed = ["beta_path"]
    with p.assuming(claim.PLACE) as (place,):
        at_least = p.component(place, 0)
        p.component(place, 1)
        near_shown(p, angle)
        p.nonzero(alpha * (1 - angle))
        _at_window(p)
        with p.assuming(inner[1]) as (room_,):
            before_end = p.modus(p.modus(early, place), room_)
            choice = p.step("compare", disj(gt(w, angle), eq(w, angle), gt(angle, w)))
            with p.assuming(choice.shows[1]) as (less,):
                risen = _up_to_window(p, angle, at_least, less)
                first = p.compare(inner[2], form=gap_of(risen), facts=[risen], opaque=closed)
            with p.assuming(choice.shows[2]) as (same,):
                plain = p.compare(le(claim.BETA_W, claim.BETA_W), form=rational(0), opaque=closed, facts=[])
                second = p.rewritten(same, plain, inner[2])
            with p.assuming(choice.shows[3]) as (more,):
                order_ = p.compare(gt(claim.END, angle), facts=[before_end])
                fallen = _from_window(p, angle, order_, more)
                third = p.compare(inner[2], form=gap_of(fallen), facts=[fallen], opaque=closed)
            shown = p.cases(choice, first, second, third)
        result = p.discharge(room_.shows, shown)
    p.discharge(place.shows, result)


def _beta_star_is(p: Proof) -> Judgement:
    """At 0, ln y(0)/alpha = beta*: both are ln(m/K)/(2 alpha)."""
    is_root, weight = named(p, eq(C**2 + P * C - 1, 0), eq(C * K, P))
    bound = C**2 * m / (1 - C**2)
    known = named(p, gt(K, 0), gt(m, 0), gt(m / K, 0), gt(1 - C**2, 0), gt(bound, 0), gt(C, 0))
    using = [(-m / (K * (1 - C**2)), is_root), (-m * C / (K * (1 - C**2)), weight)]
    same = p.equal(m / K, bound, using=using, opaque=CLOSED, facts=known)
    logs = p.rewritten(same, p.equal(log(m / K), log(m / K), facts=[]), eq(log(m / K), log(bound)))
    near_shown(p, ZERO)
    needed = [*known, *named(p, gt(sqrt(K), 0), gt(B(ZERO), 0))]
    _, halves = _log_at_zero(p, needed)
    at_zero = p.equal(
        beta_path(0),
        log(m / K) / (2 * alpha),
        using=[(1 / (2 * alpha), halves)],
        opaque=["y_path", "c_star", "K_path"],
        facts=[],
    )
    return p.equal(
        beta_path(0),
        beta_star(),
        using=[(1, at_zero), (1 / (2 * alpha), logs)],
        opaque=["c_star", "K_path", "beta_path"],
        facts=[],
    )


@proves("open.phases", "above")
def above_start(p: Proof) -> None:
    """Up to gamma_w it rises strictly, from beta* at gamma = 0."""
    setting_of(p)
    at_zero = _beta_star_is(p)
    _at_window(p)
    start_ = p.compare(ge(ZERO, 0), facts=[])
    positive = p.root_facts(p.cite("open.phases", "window"))[1]
    risen = _up_to_window(p, ZERO, start_, positive)
    p.compare(claim.ABOVE, form=gap_of(risen), using=[(1, at_zero)], facts=[risen], opaque=["beta_path", "beta_star"])


@proves("open.phases", "between")
def between(p: Proof) -> None:
    """At 0 the condition is beta <= beta*, at gamma_w it is beta <= beta_w."""
    setting_of(p)
    w = claim.GAMMA_W
    here, below = _at_window(p)
    place = p.conjunction(here, below)
    for angle in (ZERO, w):
        area = (
            p.nonnegative(B(angle), facts=[*named(p, gt(m, 0)), here, below]) if angle == ZERO else p.last(ge(B(w), 0))
        )
        p.nonnegative(A(angle) ** 2 + B(angle), facts=[area], opaque=CLOSED)
    at_w = p.modus(p.instance(p.cite("open.phases", "condition"), scalars={"gamma_2": w}), place)
    holds_at_w = p.modus(at_w, p.last(gt(y(w), 0)))
    at_start = p.cite("open.phases", "start")
    with p.assuming(claim.BETWEEN[1]) as (assumed,):
        hot, cool = p.component(assumed, 0), p.component(assumed, 1)
        fails = failing(p, at_start, hot)
        holds = p.modus(p.direction(holds_at_w, False), cool)
        shown = p.conjunction(fails, holds)
    p.discharge(assumed.shows, shown)


@proves("open.phases", "beyond")
def beyond_window(p: Proof) -> None:
    """If it held at gamma, beta would be at most ln y/(alpha (1 - gamma)), so at most beta_w."""
    setting_of(p)
    inner = claim.BEYOND[2]
    with p.assuming(claim.PLACE) as (place,):
        p.component(place, 0)
        p.component(place, 1)
        near_shown(p, gamma_2)
        p.nonnegative(A(gamma_2) ** 2 + B(gamma_2), facts=named(p, gt(B(gamma_2), 0)), opaque=CLOSED)
        _at_window(p)
        with p.assuming(inner[1]) as (hot,):
            result = _too_hot(p, place, hot, inner[2], "largest", ["beta_path"])
        result = p.discharge(hot.shows, result)
    p.discharge(place.shows, result)


def _too_hot(p: Proof, place: Judgement, hot: Judgement, shows: Node, bound: str, closed: list[str]) -> Judgement:
    """The condition fails where beta is above what bounds ln y/(alpha (1 - gamma))."""
    needs, exact, most = (p.modus(p.cite("open.phases", name), place) for name in ("needs_room", "condition", bound))
    condition_ = dominance(gamma_2)
    choice = p.step("compare", disj(ge(condition_[2], condition_[1]), gt(condition_[1], condition_[2])))
    with p.assuming(choice.shows[1]) as (holds,):
        there = p.compare(condition_, facts=[holds], opaque=CLOSED)
        room_ = p.modus(needs, there)
        cool = p.modus(p.direction(p.modus(exact, room_)), there)
        top = p.modus(most, room_)
        at_most = p.compare(
            le(hot.shows[1], hot.shows[2]), form=gap_of(cool) + gap_of(top), facts=[cool, top], opaque=closed
        )
        first = absurd(p, at_most, hot, shows)
    with p.assuming(choice.shows[2]) as (fails,):
        return p.cases(choice, first, fails)


# --- no window --------------------------------------------------------------------------------------------------------


@proves("open.phases", "negative")
def negative(p: Proof) -> None:
    """Here psi falls strictly from half the criterion, which is at most 0."""
    setting_of(p)
    angle = gamma_1
    room_there, below_end = _psi_defined(p)
    near_shown(p, ZERO)
    known = named(p, gt(K, 0), gt(m, 0), gt(sqrt(K), 0), gt(m / K, 0), gt(B(ZERO), 0))
    half = claim.CRITERION / 2
    at_zero = _psi_at_zero(p, known)
    no_window = named(p, le(claim.CRITERION, 0))
    with p.assuming(claim.NEGATIVE[1]) as (assumed,):
        positive, inside = p.component(assumed, 0), p.component(assumed, 1)
        _inside_window(p, p.cite("open.phases", "room"), below_end, [positive, inside], angle)
        with p.assuming(le(ZERO, gamma), le(gamma, angle)) as (low_, high_):
            before_end = p.compare(
                lt(gamma, claim.END), form=(claim.END - angle) + (angle - gamma), facts=[inside, high_]
            )
            _inside_window(p, room_there, below_end, [low_, before_end])
            steep_ = _slope_of_psi(p)
            smooth = named(p, *_SMOOTH_WINDOW)
        risen = p.step(
            "increasing",
            gt(p.value(-psi(), "gamma", angle), p.value(-psi(), "gamma", ZERO)),
            steep_,
            positive,
            facts=smooth,
            function=-psi(),
            lo=ZERO,
            hi=angle,
            variable="gamma",
            flow="d_gamma",
        )
        shown = p.compare(
            claim.NEGATIVE[2],
            form=gap_of(risen) + (0 - half),
            using=[(-1, at_zero)],
            opaque=["psi_path", *CLOSED],
            facts=[risen, *no_window],
        )
    p.discharge(assumed.shows, shown)


@proves("open.phases", "otherwise")
def otherwise(p: Proof) -> None:
    """If it held at gamma, beta would be at most ln y/(alpha (1 - gamma)), which is at most its value beta* at 0."""
    setting_of(p)
    at_zero = _beta_star_is(p)
    inner = claim.OTHERWISE[2]
    end_facts = p.root_facts(p.cite("open.phases", "ends"))
    lemma = p.instance(p.cite("open.phases", "negative"), scalars={"gamma_1": back})
    early = p.instance(p.cite("open.phases", "converse"), scalars={"gamma_1": gamma_2})
    with p.assuming(claim.PLACE) as (place,):
        at_least = p.component(place, 0)
        p.component(place, 1)
        near_shown(p, gamma_2)
        p.nonnegative(A(gamma_2) ** 2 + B(gamma_2), facts=named(p, gt(B(gamma_2), 0)), opaque=CLOSED)
        _psi_defined(p)
        with p.assuming(inner[1]) as (hot,):
            needs, exact = (p.modus(p.cite("open.phases", name), place) for name in ("needs_room", "condition"))
            condition_ = dominance(gamma_2)
            choice = p.step("compare", disj(ge(condition_[2], condition_[1]), gt(condition_[1], condition_[2])))
            with p.assuming(choice.shows[1]) as (holds,):
                there = p.compare(condition_, facts=[holds], opaque=CLOSED)
                room_ = p.modus(needs, there)
                cool = p.modus(p.direction(p.modus(exact, room_)), there)
                before_end = p.modus(p.modus(early, place), room_)
                sides = [
                    p.compare(ge(ZERO, 0), facts=[]),
                    p.compare(gt(claim.END, gamma_2), facts=[before_end]),
                    end_facts[2],
                ]
                forms = (back - ZERO, (claim.END - gamma_2) + (gamma_2 - back))
                order_ = p.compare(ge(gamma_2, ZERO), facts=[at_least])
                fallen = _monotone(p, (ZERO, gamma_2), -1, sides, lemma, forms, order_)
                closed = ["beta_path", "beta_star"]
                at_most = p.compare(
                    le(hot.shows[1], hot.shows[2]),
                    form=gap_of(cool) + gap_of(fallen),
                    using=[(-1, at_zero)],
                    facts=[cool, fallen],
                    opaque=closed,
                )
                first = absurd(p, at_most, hot, inner[2])
            with p.assuming(choice.shows[2]) as (fails,):
                result = p.cases(choice, first, fails)
        result = p.discharge(hot.shows, result)
    p.discharge(place.shows, result)
