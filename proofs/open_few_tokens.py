"""Beyond the paper: equilibria of two and of three tokens.

Statement: with positive scalar heads two tokens are at rest exactly if they are equal or opposite. With one head,
three tokens of the plane are at rest exactly if they are collinear or equilateral, for every beta lambda > 0; the
indices are 0, 1 and 2.
Hypotheses: scalar heads with positive scales; for three tokens one head, and tokens given by coordinates in an
orthonormal frame of their plane.
Notation: u the cosine between two tokens; c and s cosines and sines of angles from token to token; k = beta alpha;
the torque e^{k c} s turns one token towards another.
Method: for three tokens, at rest all torques are equal. The squared torque e^{2 k c}(1 - c^2) is log-concave in c, so
two of three angles are equal; then -2 c e^{k (2 c + 1)(c - 1)} = 1 leaves c = -1/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    ZERO,
    Node,
    Scalar,
    ScalarLike,
    Vector,
    absolute,
    conj,
    disj,
    eq,
    exp,
    ge,
    gt,
    ip,
    le,
    log,
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
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, project, tangential_velocity
from antumbra.proofs.statements import open_few_tokens as claim
from antumbra.proofs.tactics import exp_increases

CLOSED = ["c_star", "A_path", "B_path"]

# --- two tokens -------------------------------------------------------------------------------------------------------


def _no_third(p: Proof, term: Scalar, i: str, j: str) -> Judgement:
    """A sum over the tokens other than i and j is 0 if n = 2, for there is none; i and j are distinct."""
    count = p.equal(total("k", rational(1), [i, j]), 0, using=[(1, p.domain(0))])
    absurd = p.vanishing_terms(count, p.nonnegative(1))
    nothing = p.step("contradiction", eq(term, 0), absurd)
    return p.sum_compare(nothing, "k", [i, j])


def _pull(p: Proof, i: str, j: str, along: Vector) -> Judgement:
    """<P v_i, w> is half the pull times <P x_j, w>: token i acts on itself radially, and there is no third."""
    x_i, x_j, x_k = (vector("x", s) for s in (i, j, "k"))
    strength = symbol("lambda", "h")
    term = total("h", strength * exp(beta * strength * ip(x_i, x_k))) * ip(project(x_i, x_k), along)
    none = _no_third(p, term, i, j)
    pull = total("h", strength * exp(beta * strength * ip(x_i, x_j)))
    left = ip(tangential_velocity(i), along)
    return p.equal(left, pull * ip(project(x_i, x_j), along) / n, using=[(1 / n, none)])


def _two_move(p: Proof) -> Judgement:
    """Here u' = <P v_i, x_j> + <x_i, P v_j>, and each is half the pull times 1 - u^2."""
    x_i, x_j = vector("x", "i"), vector("x", "j")
    two = p.domain(0)
    first = _pull(p, "i", "j", x_j)
    second = _pull(p, "j", "i", x_i)
    halves = ip(tangential_velocity("i"), x_j) + ip(tangential_velocity("j"), x_i)
    moved = p.equal(claim.APPROACH, halves, opaque=["P_v"])
    shared = claim.PULL * (1 - claim.COSINE**2)
    joined = p.equal(halves, 2 / n * shared, using=[(1, first), (1, second)], opaque=["P_v"])
    halved = p.equal(2 / n * shared, shared, using=[(-1 / n * shared, two)])
    return p.transitive(moved, joined, halved)


@proves("open.critical_points_n2", "angle")
def two_move(p: Proof) -> None:
    """Here u' = <P v_i, x_j> + <x_i, P v_j>, and each is half the pull times 1 - u^2."""
    with p.apart(("j", "i")):
        moved = _two_move(p)
    p.for_every("i", p.for_every("j", moved, ["i"]))


@proves("open.critical_points_n2", "index")
def two_meet(p: Proof) -> None:
    """The pull of positive heads is positive."""
    with p.apart(("j", "i")):
        moved = _two_move(p)
        with p.assuming(claim.TWO_MEET[3][3][1]) as (between,):
            form = claim.PULL * (1 - claim.COSINE**2)
            shown = p.positive(claim.APPROACH, form=form, using=[(1, moved)])
        implied = p.discharge(between.shows, shown)
    p.for_every("i", p.for_every("j", implied, ["i"]))


def _same_or_opposite(p: Proof) -> Judgement:
    """From P v_i = 0: (1 - u)(1 + u) = 0, so |x_j - x_i|^2 or |x_j + x_i|^2 is 0."""
    x_i, x_j = vector("x", "i"), vector("x", "j")
    u = claim.COSINE
    pulled = _pull(p, "i", "j", x_j)
    still = p.equal(ip(tangential_velocity("i"), x_j), ip(tangential_velocity("i"), x_j))
    at_rest = p.rewritten(p.at(p.last(claim.AT_REST), "i"), still, eq(ip(tangential_velocity("i"), x_j), ip(ZERO, x_j)))
    p.positive(claim.PULL)
    square = p.equal(1 - u**2, 0, using=[(n / claim.PULL, at_rest), (-n / claim.PULL, pulled)], opaque=["P_v"])
    branches = []
    for case, apart, shows in (
        (eq(u, 1), x_j - x_i, claim.PARALLEL[3][3][1]),
        (ne(u, 1), x_j + x_i, claim.PARALLEL[3][3][2]),
    ):
        with p.assuming(case) as (chosen,):
            if case[0] == "eq":
                length = p.equal(norm2(apart), 0, using=[(-2, chosen)])
            else:
                p.nonzero(1 - u, form=-(u - 1))
                other = p.equal(1 + u, 0, using=[(1 / (1 - u), square)])
                length = p.equal(norm2(apart), 0, using=[(2, other)])
            branches.append(_as_parallel(p, p.vanishing_vector(length), shows))
    return p.cases(p.step("compare", disj(eq(u, 1), ne(u, 1))), *branches)


def _as_parallel(p: Proof, nothing: Judgement, shows: Node) -> Judgement:
    """One alternative, from x_j - x_i = 0 or x_j + x_i = 0."""
    x_j = vector("x", "j")
    right = Vector(shows[2])
    difference = Vector(nothing.shows[1])
    split = p.same_vector(x_j, difference + right)
    moved = p.rewritten(nothing, split, veq(x_j, ZERO + right))
    bare = p.rewritten(p.same_vector(ZERO + right, right), moved, shows)
    return p.step("or_intro", claim.PARALLEL[3][3], bare)


def _still(p: Proof) -> Judgement:
    """From x_j = x_i or x_j = -x_i: |P v_i|^2 = (pull/n) <P x_j, P v_i> = 0, as P x_j = 0."""
    x_i, x_j = vector("x", "i"), vector("x", "j")
    either = p.at(p.at(p.last(claim.PARALLEL), "i"), "j")
    speed = norm2(tangential_velocity("i"))
    pulled = _pull(p, "i", "j", tangential_velocity("i"))
    lateral = ip(project(x_i, x_j), tangential_velocity("i"))
    branches = []
    for same in either.shows[1:]:
        with p.assuming(same) as (chosen,):
            plain = p.equal(lateral, lateral)
            there = ip(project(x_i, Vector(same[2])), tangential_velocity("i"))
            replaced = p.rewritten(chosen, plain, eq(lateral, there))
            gone = p.equal(there, 0, opaque=["v"])
            branches.append(
                p.equal(
                    speed, 0, using=[(1, pulled), (claim.PULL / n, replaced), (claim.PULL / n, gone)], opaque=["P_v"]
                )
            )
    return p.cases(either, *branches)


@proves("open.critical_points_n2", "equilibria")
def two_at_rest(p: Proof) -> None:
    """P v_i is half the pull, which is positive, times P x_j."""
    two = p.domain(0)
    with p.assuming(claim.AT_REST) as (at_rest,):
        with p.apart(("j", "i")):
            parallel = _same_or_opposite(p)
        forward = p.discharge(at_rest.shows, p.for_every("i", p.for_every("j", parallel, ["i"])))
    with p.assuming(claim.PARALLEL) as (parallel,):
        with p.apart(("j", "i")):
            still = _still(p)
        # There is one other token, so summing over it leaves the equation.
        others = p.sum_compare(still, "j", ["i"])
        speed = norm2(tangential_velocity("i"))
        alone = p.equal(speed, 0, using=[(1, others), (-speed, two)], opaque=["P_v"])
        backward = p.discharge(parallel.shows, p.for_every("i", p.vanishing_vector(alone)))
    p.both_ways(forward, backward)


# --- three tokens in a plane ------------------------------------------------------------------------------------------

HEAT = beta * alpha


def _short(p: Proof, cosine: Scalar, sine: Scalar, circle: Judgement) -> list[Judgement]:
    """-1 < c < 1 where c^2 + s^2 = 1 and s > 0."""
    size = absolute(cosine)
    p.absolute(cosine)
    p.absolute(cosine, negative=True)
    squares = p.compare(gt(Scalar(rational(1)) ** 2, size**2), form=sine**2, using=[(-1, circle)])
    p.modus(p.direction(p.squares(gt(1, size))), squares)
    below = p.positive(1 - cosine, form=(1 - size) + (size - cosine))
    above = p.positive(1 + cosine, form=(1 - size) + (size + cosine))
    p.positive(1 - cosine**2, form=(1 - cosine) * (1 + cosine))
    return [below, above]


def _potential(cosine: Scalar) -> Scalar:
    """-ln of the squared torque, a convex function of the cosine."""
    return Scalar(-2 * HEAT * cosine - log(1 - cosine**2))


def _same_potential(p: Proof, torques: Judgement, one: int, other: int) -> Judgement:
    """Equal torques e^{beta alpha c} s have equal e^{2 beta alpha c}(1 - c^2)."""
    c, s = (claim.c_1, claim.c_2, claim.c_3), (claim.s_1, claim.s_2, claim.s_3)
    circles = [p.last(claim.ON_CIRCLES[k]) for k in (one, other)]
    first, second = (claim.torque(c[k], s[k]) for k in (one, other))
    weights = [exp(2 * HEAT * c[k]) for k in (one, other)]
    left, right = exp(-_potential(c[one])), exp(-_potential(c[other]))
    using = [(first + second, torques), (-weights[0], circles[0]), (weights[1], circles[1])]
    same = p.equal(left, right, using=using)
    powers = p.modus(p.direction(p.exponents(eq(left, right))), same)
    return p.equal(_potential(c[one]), _potential(c[other]), using=[(-1, powers)])


def _in_order(p: Proof) -> Judgement:
    """If c_1 < c_2 < c_3 had one potential, the tangent at c_2 would be below it at c_1 and at c_3, which is absurd."""
    x, low, middle, high = claim.c_any, claim.c_1, claim.c_2, claim.c_3
    function = _potential(x)
    derivative = -2 * HEAT + 2 * x / (1 - x**2)
    levels = [eq(_potential(end), _potential(middle)) for end in (low, high)]
    conditions = [gt(middle, low), gt(high, middle), gt(1 + low, 0), gt(1 - high, 0), *levels]
    with p.assuming(*conditions) as given:
        with p.assuming(le(low, x), le(x, high)):
            p.positive(1 + x, form=(1 + low) + (x - low))
            p.positive(1 - x, form=(1 - high) + (high - x))
            p.positive(1 - x**2, form=(1 - x) * (1 + x))
            slope = p.equal(rate("d_c_any", function), derivative)
            bend, bent = rate("d_c_any", rate("d_c_any", function)), 2 * (1 + x**2) * (1 / (1 - x**2)) ** 2
            curve = p.positive(bend, form=bent, using=[(1, p.equal(bend, bent))])
        above = []
        for end in (low, high):
            p.nonnegative(high - low, form=(high - middle) + (middle - low))
            bounds = [p.compare(f) for f in (ge(middle, low), ge(end, low), ge(high, middle), ge(high, end))]
            apart = p.compare(ne(end, middle), form=end - middle)
            above.append(p.tangent_below(function, "c_any", curve, slope, bounds, middle, end, low, high, apart=apart))
        left, right = (Scalar(a.shows[1]) - Scalar(a.shows[2]) for a in above)
        using = [(-(high - middle), given[4]), (-(middle - low), given[5])]
        result = p.compare(gt(0, 0), form=(high - middle) * left + (middle - low) * right, using=using)
    for condition_ in reversed(conditions):
        result = p.discharge(condition_, result)
    return result


def _one_of_three(p: Proof, lemma: Judgement, known: list[Judgement], shows: Node) -> Judgement:
    """All orders of three numbers: two are equal, or one is between the others, or they go round in a circle."""
    c = (claim.c_1, claim.c_2, claim.c_3)
    pairs = ((0, 1), (1, 2), (2, 0))

    def descend(place: int, signs: tuple[int, ...], orders: list[Judgement]) -> Judgement:
        if place == 3:
            return p.step("contradiction", shows, _settled(p, c, signs, lemma, [*known, *orders]))
        a, b = (c[k] for k in pairs[place])
        branches = []
        for case, sign in ((gt(a, b), 1), (eq(a, b), 0), (gt(b, a), -1)):
            with p.assuming(case) as (chosen,):
                if sign == 0:
                    branches.append(p.step("or_intro", shows, chosen))
                else:
                    branches.append(descend(place + 1, (*signs, sign), [*orders, chosen]))
        return p.cases(p.step("compare", disj(gt(a, b), eq(a, b), gt(b, a))), *branches)

    return descend(0, (), [])


def _settled(
    p: Proof, c: tuple[Scalar, ...], signs: tuple[int, ...], lemma: Judgement, known: list[Judgement]
) -> Judgement:
    """0 > 0 from one strict order: signs of c_1 - c_2, c_2 - c_3, c_3 - c_1."""
    if len(set(signs)) == 1:
        around = sum((signs[0] * (c[k] - c[(k + 1) % 3]) for k in range(3)), start=Scalar(rational(0)))
        return p.compare(gt(0, 0), form=around)
    above = {0: 0, 1: 0, 2: 0}
    for k, sign in enumerate(signs):
        above[k if sign > 0 else (k + 1) % 3] += 1
    ranked = sorted(above, key=lambda k: above[k])
    result = p.instance(lemma, scalars={f"c_{place + 1}": c[k] for place, k in enumerate(ranked)})
    parts = {j.shows: j for j in known}
    while result.shows[0] == "implies":
        result = p.modus(result, parts[result.shows[1]])
    return result


@proves("open.critical_points_n3_one_head", "at_most_two")
def at_most_two(p: Proof) -> None:
    """The squared torque e^{2 beta alpha c}(1 - c^2) is strictly log-concave in c."""
    condition = claim.AT_MOST_TWO[1]
    lemma = _in_order(p)
    with p.assuming(condition) as (all_of_it,):
        parts = [p.component(all_of_it, k) for k in range(8)]
        known: list[Judgement] = []
        for c, s, circle in zip(
            (claim.c_1, claim.c_2, claim.c_3), (claim.s_1, claim.s_2, claim.s_3), parts[:3], strict=True
        ):
            known += _short(p, c, s, circle)
        first = _same_potential(p, parts[6], 0, 1)
        second = _same_potential(p, parts[7], 1, 2)
        levels = [first, second, p.transitive(first, second)]
        known += [*levels, *(p.flip(level) for level in levels)]
        shown = _one_of_three(p, lemma, known, claim.AT_MOST_TWO[2])
    p.discharge(condition, shown)


@proves("open.critical_points_n3_one_head", "two_equal")
def two_equal(p: Proof) -> None:
    """With c = c_1 = c_2 < 0: -2 c e^{k (2 c + 1)(c - 1)} = 1; but it is below 1 for c > -1/2, above for c < -1/2."""
    condition = claim.TWO_EQUAL[1]
    c, s = claim.c_1, claim.s_1
    with p.assuming(condition) as (all_of_it,):
        circle, *_, torques, last, cosine, sine, same = [p.component(all_of_it, k) for k in range(9)]
        second = p.flip(same)
        sines = p.equal(claim.s_2, s, using=[(-exp(-HEAT * c), torques)], rewriting=[second])
        third = p.equal(claim.c_3, 2 * c**2 - 1, using=[(1, cosine), (-c, same), (-s, sines), (-1, circle)])
        sine_is = p.equal(claim.s_3, -2 * s * c, using=[(1, sine), (s, same), (-c, sines)])
        negative = p.positive(-c, form=claim.s_3 / (2 * s), using=[(-1 / (2 * s), sine_is)])
        growth = exp(HEAT * (2 * c + 1) * (c - 1))
        weight = exp(-HEAT * c) / s
        unit = p.equal(
            -2 * c * growth,
            1,
            using=[(-weight, last), (-weight * exp(HEAT * (2 * c**2 - 1)), sine_is), (weight * exp(HEAT * c), sines)],
            rewriting=[second, third],
        )
        half = Fraction(1, 2)
        branches = []
        for case in (gt(c, -half), eq(c, -half), gt(-half, c)):
            with p.assuming(case) as (chosen,):
                branches.append(_minus_half(p, chosen, unit, negative))
        value = p.cases(p.step("compare", disj(gt(c, -half), eq(c, -half), gt(-half, c))), *branches)
        others = [
            p.equal(claim.c_2, -half, using=[(1, value), (-1, same)]),
            p.equal(claim.c_3, -half, using=[(1, third), (2 * c - 1, value)]),
        ]
        shown = p.conjunction(value, *others)
    p.discharge(condition, shown)


def _minus_half(p: Proof, case: Judgement, unit: Judgement, negative: Judgement) -> Judgement:
    """From -2 c e^{k (2 c + 1)(c - 1)} = 1 and c < 0: c = -1/2, for on either side the left side is not 1."""
    c = claim.c_1
    shows = eq(c, -Fraction(1, 2))
    exponent = HEAT * (2 * c + 1) * (c - 1)
    if case.shows[0] == "eq":
        return case
    if case.shows[1] == c:
        p.positive(-exponent, form=2 * HEAT * (c + Fraction(1, 2)) * (1 + (0 - c)), facts=[case, negative])
        exp_increases(p, exponent, 0, strict=True)
        form = 2 * (c + Fraction(1, 2)) + 2 * (-c) * (exp(0) - exp(exponent))
        absurd = p.compare(gt(0, 0), form=form, using=[(1, unit)])
    else:
        p.positive(exponent, form=2 * HEAT * (-Fraction(1, 2) - c) * (1 + (0 - c)), facts=[case, negative])
        exp_increases(p, 0, exponent, strict=True)
        form = 2 * (-Fraction(1, 2) - c) + 2 * (-c) * (exp(exponent) - exp(0))
        absurd = p.compare(gt(0, 0), form=form, using=[(-1, unit)])
    return p.step("contradiction", shows, absurd)


def _torque(i: str, j: str) -> Scalar:
    """How strongly token i is turned towards token j."""
    return claim.torque(claim.cosine(i, j), claim.sine(i, j))


def _frame(p: Proof) -> list[Judgement]:
    """The plane's vectors are orthonormal."""
    units = p.hypothesis("unit_frame")
    return [p.component(units, 0), p.component(units, 1), p.hypothesis("right_frame")]


def _no_fourth(p: Proof, term: Scalar, i: str, j: str, k: str) -> Judgement:
    """A sum over the tokens other than i, j and k is 0 if n = 3; the three are distinct."""
    count = p.equal(total("l", rational(1), [i, j, k]), 0, using=[(1, p.domain(0))])
    absurd = p.vanishing_terms(count, p.nonnegative(1))
    return p.sum_compare(p.step("contradiction", eq(term, 0), absurd), "l", [i, j, k])


def _tangent(i: str) -> Vector:
    """Token i turned by a right angle."""
    return Vector(claim.abscissa(i) * claim.second - claim.ordinate(i) * claim.first)


def _turned_by(p: Proof, i: str, j: str, k: str) -> Judgement:
    """<P v_i, tangent> = (alpha/n)(torque towards j + torque towards k)."""
    none = _no_fourth(p, _torque(i, "l"), i, j, k)
    left = ip(vdefined("P_v_plane", i), _tangent(i))
    return p.equal(left, alpha / n * (_torque(i, j) + _torque(i, k)), using=[(alpha / n, none)], rewriting=_frame(p))


def _balanced(p: Proof, i: str, j: str, k: str) -> Judgement:
    """At rest the two torques on token i cancel."""
    turned_by = _turned_by(p, i, j, k)
    left = ip(vdefined("P_v_plane", i), _tangent(i))
    at_rest = p.rewritten(p.at(p.last(claim.PLANE_REST), i), p.equal(left, left), eq(left, ip(ZERO, _tangent(i))))
    return p.equal(
        _torque(i, j) + _torque(i, k), 0, using=[(-n / alpha, turned_by), (n / alpha, at_rest)], opaque=["P_v_plane"]
    )


def _on_circle(p: Proof, i: str, j: str) -> Judgement:
    """cos^2 + sin^2 = (p_i^2 + q_i^2)(p_j^2 + q_j^2) = 1."""
    circle = p.hypothesis("on_circle")
    here, there = p.at(circle, i), p.at(circle, j)
    sides = claim.cosine(i, j) ** 2 + claim.sine(i, j) ** 2
    return p.equal(sides, 1, using=[(claim.abscissa(j) ** 2 + claim.ordinate(j) ** 2, here), (1, there)])


def _closing(p: Proof, i: str, j: str, k: str) -> list[Judgement]:
    """The angles from i to j, j to k and k to i add up to a full turn."""
    here = p.at(p.hypothesis("on_circle"), j)
    c, s = claim.cosine, claim.sine
    return [
        p.equal(c(k, i), c(i, j) * c(j, k) - s(i, j) * s(j, k), using=[(-c(k, i), here)]),
        p.equal(s(k, i), -(s(i, j) * c(j, k) + c(i, j) * s(j, k)), using=[(-s(k, i), here)]),
    ]


def _instance(p: Proof, part: str, i: str, j: str, k: str) -> Judgement:
    """A lemma on three angles, for those from i to j, j to k and k to i."""
    lemma = p.cite("open.critical_points_n3_one_head", part)
    pairs = ((i, j), (j, k), (k, i))
    scalars = {f"c_{m + 1}": claim.cosine(*pair) for m, pair in enumerate(pairs)}
    scalars |= {f"s_{m + 1}": claim.sine(*pair) for m, pair in enumerate(pairs)}
    return p.instance(lemma, scalars=scalars)


def _applied(p: Proof, implication: Judgement, known: Sequence[Judgement]) -> Judgement:
    """Its conclusion, where every part of its condition is among what is known."""
    parts = {j.shows: j for j in known}
    return p.modus(implication, p.conjunction(*(parts[f] for f in implication.shows[1][1:])))


def _equilateral(p: Proof, i: str, j: str, k: str, torques: list[Judgement]) -> Judgement:
    """Where all three turn the same way, they are equilateral: cos(i,j) = cos(j,k) = cos(k,i) = -1/2."""
    pairs = ((i, j), (j, k), (k, i))
    known = list(torques)
    for a, b in pairs:
        weight = exp(-HEAT * claim.cosine(a, b))
        known += [_on_circle(p, a, b), p.positive(claim.sine(a, b), form=weight * _torque(a, b))]
    either = _applied(p, _instance(p, "at_most_two", i, j, k), known)
    orders = ((i, j, k), (j, k, i), (k, i, j))
    shows = conj(*(eq(claim.cosine(a, b), claim.MINUS_HALF) for a, b in pairs))
    branches = []
    for same, order in zip(either.shows[1:], orders, strict=True):
        with p.assuming(same) as (chosen,):
            given = [*known, *_closing(p, *order), chosen]
            found = _applied(p, _instance(p, "two_equal", *order), given)
            values = [p.component(found, m) for m in range(3)]
            branches.append(p.conjunction(*(_value_of(values, f) for f in shows[1:])))
    return p.cases(either, *branches)


def _value_of(values: list[Judgement], shows: Node) -> Judgement:
    """The one of the values that shows it."""
    return next(v for v in values if v.shows == shows)


def _three(p: Proof) -> Judgement:
    """The torques i to j, j to k, k to i are equal: all 0, or all of one sign."""
    first, second, third = (_balanced(p, *order) for order in ("ijk", "jki", "kij"))
    ij, jk, ki = (_torque(*pair) for pair in ("ij", "jk", "ki"))
    alike = [
        p.equal(ij, jk, using=[(-1, second)]),
        p.equal(jk, ki, using=[(-1, third)]),
        p.equal(ki, ij, using=[(-1, first)]),
    ]
    shows = claim.THREE_AT_REST[2][3][3][3]
    branches = []
    with p.assuming(gt(ij, 0)):
        p.positive(jk, form=ij, using=[(1, second)])
        p.positive(ki, form=ij, using=[(-1, first)])
        branches.append(p.step("or_intro", shows, _equilateral(p, "i", "j", "k", alike)))
    with p.assuming(eq(ij, 0)) as (zero,):
        sines = []
        for pair, chain in (("ij", []), ("jk", [(1, second)]), ("ki", [(-1, first)])):
            weight = exp(-HEAT * claim.cosine(*pair))
            using = [(weight * t, j) for t, j in chain] + [(weight, zero)]
            sines.append(p.equal(claim.sine(*pair), 0, using=using))
        branches.append(p.step("or_intro", shows, p.conjunction(*sines)))
    with p.assuming(gt(0, ij)):
        p.positive(_torque("j", "i"), form=0 - ij)
        p.positive(_torque("k", "j"), form=0 - ij, using=[(-1, second)])
        p.positive(_torque("i", "k"), form=0 - ij, using=[(1, first)])
        alike = [
            p.equal(_torque("k", "j"), _torque("j", "i"), using=[(-1, second)]),
            p.equal(_torque("j", "i"), _torque("i", "k"), using=[(-1, first)]),
            p.equal(_torque("i", "k"), _torque("k", "j"), using=[(-1, third)]),
        ]
        found = _equilateral(p, "k", "j", "i", alike)
        values = [p.component(found, m) for m in range(3)]
        cosines = [
            p.equal(claim.cosine(*pair), claim.MINUS_HALF, using=[(1, values[m])])
            for pair, m in (("ij", 1), ("jk", 0), ("ki", 2))
        ]
        branches.append(p.step("or_intro", shows, p.conjunction(*cosines)))
    return p.cases(p.step("compare", disj(gt(ij, 0), eq(ij, 0), gt(0, ij))), *branches)


def _three_still(p: Proof) -> Judgement:
    """Collinear or equilateral, the torques on token i cancel, and |P v_i| is the size of what is left."""
    either = p.at(p.at(p.at(p.last(claim.THREE_AT_REST[2]), "i"), "j"), "k")
    branches = []
    for number, case in enumerate(either.shows[1:]):
        with p.assuming(case) as (chosen,):
            values = [p.component(chosen, m) for m in range(3)]
            branches.append(_cancel(p, values, collinear=number == 0))
    cancelled = p.cases(either, *branches)
    turned_by = _turned_by(p, "i", "j", "k")
    circle = p.at(p.hypothesis("on_circle"), "i")
    field, token = vdefined("v_plane", "i"), vdefined("x_plane", "i")
    lateral = ip(vdefined("P_v_plane", "i"), _tangent("i"))
    gone = p.equal(lateral, 0, using=[(1, turned_by), (alpha / n, cancelled)], opaque=["P_v_plane"])
    radial = ip(token, field)
    speed = norm2(vdefined("P_v_plane", "i"))
    using = [(radial**2 - norm2(field), circle), (lateral, gone)]
    return p.equal(speed, 0, using=using, rewriting=_frame(p))


def _cancel(p: Proof, values: list[Judgement], collinear: bool) -> Judgement:
    """The two torques on token i: both 0, or with equal cosines and opposite sines."""
    ij, ik, ki = (_torque(*pair) for pair in ("ij", "ik", "ki"))
    if collinear:
        weights = exp(HEAT * claim.cosine("i", "j")), -exp(HEAT * claim.cosine("k", "i"))
        return p.equal(ij + ik, 0, using=[(weights[0], values[0]), (weights[1], values[2])])
    first, second = _closing(p, "i", "j", "k")[1], _closing(p, "j", "k", "i")[1]
    s_ij, s_jk, s_ki = (claim.sine(*pair) for pair in ("ij", "jk", "ki"))
    # s_ki = (s_ij + s_jk)/2 and s_ij = (s_jk + s_ki)/2, so that s_ki = s_ij.
    third = Fraction(2, 3)
    same = p.equal(
        s_ki,
        s_ij,
        using=[
            (third, first),
            (-third, second),
            (-third * s_ij, values[1]),
            (-third * s_jk, values[0]),
            (third * s_jk, values[2]),
            (third * s_ki, values[1]),
        ],
    )
    common = exp(HEAT * claim.MINUS_HALF)
    there = p.rewritten(values[0], p.equal(ij, ij), eq(ij, common * s_ij))
    back = p.rewritten(values[2], p.equal(ki, ki), eq(ki, common * s_ki))
    return p.equal(ij + ik, 0, using=[(1, there), (-1, back), (-common, same)])


@proves("open.critical_points_n3_one_head", "equilibria")
def three_at_rest(p: Proof) -> None:
    """At rest all three torques are equal; if they are not 0, all angles turn one way, and two of them are equal."""
    three = p.domain(0)
    apart = (("j", "i"), ("k", "i"), ("k", "j"))
    with p.assuming(claim.PLANE_REST) as (at_rest,):
        with p.apart(*apart):
            found = _three(p)
        forward = p.discharge(at_rest.shows, _for_three(p, found))
    with p.assuming(claim.THREE_AT_REST[2]) as (listed,):
        with p.apart(*apart):
            still = _three_still(p)
        # Two other tokens are left to sum over, one after the other.
        others = p.sum_compare(p.sum_compare(still, "k", ["i", "j"]), "j", ["i"])
        speed = norm2(vdefined("P_v_plane", "i"))
        weights = [(Fraction(1, 2), others), (-Fraction(1, 2) * n * speed, three)]
        alone = p.equal(speed, 0, using=weights, opaque=["P_v_plane"])
        backward = p.discharge(listed.shows, p.for_every("i", p.vanishing_vector(alone)))
    p.both_ways(forward, backward)


def _for_three(p: Proof, body: Judgement) -> Judgement:
    """For all distinct i, j, k."""
    return p.for_every("i", p.for_every("j", p.for_every("k", body, ["i", "j"]), ["i"]))


# --- the index --------------------------------------------------------------------------------------------------------


@proves("open.critical_points_n3_one_head", "second_variation")
def second_variation(p: Proof) -> None:
    """Differentiate e^{k cos} twice: k^2 sin^2 - k cos times itself."""
    p.equal(claim.VARIATION[1], claim.VARIATION[2])


def _sign_of_variation(p: Proof, statement: Node, cosine: ScalarLike, sign: int) -> None:
    """bend(c) (6 t_2^2 + 2 t_1^2), of which one square is not 0."""
    first, second = symbol("turn_1"), symbol("turn_2")
    curve = claim.bend(cosine)
    form = p.equal(sign * Scalar(statement[2][1]), sign * curve * (6 * second**2 + 2 * first**2), opaque=["bend"])
    turning = p.step("assume", statement[1])
    branches = []
    for moved in statement[1][1:]:
        with p.assuming(moved):
            p.positive(6 * second**2 + 2 * first**2)
            branches.append(p.compare(statement[2], form=Scalar(form.shows[2]), using=[(1, form)], opaque=["bend"]))
    p.discharge(statement[1], p.cases(turning, *branches))


@proves("open.critical_points_n3_one_head", "index_equal")
def index_equal(p: Proof) -> None:
    """bend(1) = -k e^k < 0."""
    p.positive(-claim.bend(1), form=HEAT * exp(HEAT))
    _sign_of_variation(p, claim.ALL_EQUAL_INDEX, 1, -1)


@proves("open.critical_points_n3_one_head", "index_equilateral")
def index_equilateral(p: Proof) -> None:
    """bend(-1/2) = e^{-k/2}(3 k^2/4 + k/2) > 0."""
    p.positive(claim.bend(claim.MINUS_HALF), form=exp(-HEAT / 2) * (3 * HEAT**2 / 4 + HEAT / 2))
    _sign_of_variation(p, claim.EQUILATERAL_INDEX, claim.MINUS_HALF, 1)


@proves("open.critical_points_n3_one_head", "index_one_opposite")
def index_one_opposite(p: Proof) -> None:
    """bend(1) = -k e^k and bend(-1) = k e^{-k}; and e^k > e^{-k}."""
    exp_increases(p, -HEAT, HEAT)
    parts = [
        p.equal(claim.ONE_OPPOSITE_INDEX[1][1], claim.ONE_OPPOSITE_INDEX[1][2]),
        p.compare(claim.ONE_OPPOSITE_INDEX[2]),
        p.compare(claim.ONE_OPPOSITE_INDEX[3], form=2 * HEAT * (exp(HEAT) - exp(-HEAT)) + 2 * HEAT * exp(HEAT)),
    ]
    p.conjunction(*parts)
