"""Beyond the paper: from how many tokens on radial dominance has a window beyond beta*.

Statement: for H = 2, 3, 4 the criterion m - 1 - 2 sqrt(m K) + ln(m/K) is positive from n = 7, 20, 40 on, and not
positive for fewer tokens (with m > K).
Hypotheses: none.
Notation: m = n - 1, P = H - 1, K = P/c, which is the positive root of K^2 = P^2 (K + 1).
Method: the criterion rises with m, for sqrt(m) >= sqrt(K); so two evaluations, with rational bounds on K, on the root
by squaring, and on the logarithm by e^{x/k} >= 1 + x/k to the power k.
"""

from __future__ import annotations

import math
from fractions import Fraction

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import Formula, H, Scalar, eq, exp, ge, gt, le, log, rate, rational, sqrt
from antumbra.proofs.open_dominance import CLOSED
from antumbra.proofs.open_phases import gap_of, named, setting_of
from antumbra.proofs.registry import proves
from antumbra.proofs.statements import open_phases as claim
from antumbra.proofs.statements.open_dominance import K, P
from antumbra.proofs.statements.open_phases import back, m
from antumbra.proofs.statements.thm19 import C

DOUBLINGS = 6
"""Exponentials are bounded at x/64 and squared six times."""
FINE = 10**9


def _rounded(value: Fraction | float, up: bool) -> Fraction:
    """A near rational above or below."""
    scaled = Fraction(value) * FINE
    return Fraction(math.ceil(scaled) if up else math.floor(scaled), FINE)


def _weight(p: Proof, heads: int, assumed: Judgement) -> tuple[Fraction, Fraction, Judgement, Judgement]:
    """Rational bounds on K, from K^2 = P^2 (K + 1): k - K has the sign of k^2 - P^2 (k + 1)."""
    others = heads - 1
    is_root, weight = named(p, eq(C**2 + P * C - 1, 0), eq(C * K, P))
    count = p.equal(P, others, using=[(1, assumed)])
    # K^2 (c^2 + P c - 1) with c K = P.
    square = p.equal(K**2 - P**2 * (K + 1), 0, using=[(-(K**2), is_root), (C * K + P + P * K, weight)], opaque=CLOSED)
    exact = p.equal(K**2 - others**2 * (K + 1), 0, using=[(1, square), ((P + others) * (K + 1), count)], opaque=CLOSED)
    near = (others**2 + others * math.sqrt(others**2 + 4)) / 2
    low, high = _rounded(near - 1e-8, up=False), _rounded(near + 1e-8, up=True)
    judgements = []
    for bound, sign in ((low, -1), (high, 1)):
        factor = 1 / (K + (bound - others**2))
        slack = abs(bound**2 - others**2 * (bound + 1))
        p.positive(K + (bound - others**2), form=K + (bound - others**2), opaque=CLOSED) if bound >= others**2 else None
        form = slack * factor
        gap = sign * (bound - K)
        same = p.equal(gap, form, using=[(-sign * factor, exact)], opaque=CLOSED)
        judgements.append(p.positive(gap, form=form, using=[(1, same)], opaque=CLOSED))
    return low, high, judgements[0], judgements[1]


def _exponential(p: Proof, x: Fraction, upper: bool) -> tuple[Fraction, Judgement]:
    """A rational b with b >= e^x (or b <= e^x), from the tangent at x/64 and six squarings, rounded each time."""
    part = x / 2**DOUBLINGS
    power = exp(rational(part))
    tangent = p.exp_tangent(rational(-part if upper else part))
    slack = Scalar(tangent.shows[1]) - Scalar(tangent.shows[2])
    bound = 1 / (1 - part) if upper else 1 + part
    form = bound * power * slack if upper else slack
    sides = (rational(bound), power) if upper else (power, rational(bound))
    shown = p.compare(ge(*sides), form=form, facts=[tangent])
    for k in range(1, DOUBLINGS + 1):
        following = _rounded(bound**2, up=upper)
        squared = exp(rational(part * 2**k))
        room = abs(following - bound**2)
        form = room + gap_of(shown) * (rational(bound) + power)
        sides = (rational(following), squared) if upper else (squared, rational(following))
        shown = p.compare(ge(*sides), form=form, facts=[shown])
        bound, power = following, squared
    return bound, shown


def _logarithm(p: Proof, tokens: int, bound: Fraction, weight: Judgement, below: bool) -> tuple[Fraction, Judgement]:
    """ln(M/K) >= x (or <= x), from M/K >= M/k >= e^x; `weight` shows how K and the rational k compare."""
    ratio = tokens / K
    p.positive(ratio, facts=named(p, gt(K, 0)), opaque=CLOSED)
    x = (
        _rounded(math.log(tokens / bound) - 0.02, up=False)
        if below
        else _rounded(math.log(tokens / bound) + 0.02, up=True)
    )
    power, shown = _exponential(p, x, upper=below)
    spare = abs(Fraction(tokens) / bound - power)
    known = [*named(p, gt(K, 0)), weight, shown]
    form = spare + tokens * gap_of(weight) / (K * bound) + gap_of(shown)
    exact = p.equal(exp(log(ratio)), ratio, facts=named(p, gt(K, 0), gt(ratio, 0)), opaque=CLOSED)
    tag = "ge" if below else "le"
    powers = Formula((tag, exp(log(ratio)), exp(rational(x))))
    sign = 1 if below else -1
    difference = p.equal(sign * (ratio - exp(rational(x))), form, facts=named(p, gt(K, 0)), opaque=CLOSED)
    compared = p.compare(powers, form=form, using=[(sign, exact), (1, difference)], facts=known, opaque=CLOSED)
    return x, p.modus(p.direction(p.exponents(powers)), compared)


def _criterion_at(
    p: Proof, tokens: int, weights: tuple[Fraction, Fraction, Judgement, Judgement], above: bool
) -> Judgement:
    """The criterion at m = M is positive, or negative."""
    low, high, over_low, under_high = weights
    roots = sqrt(rational(tokens)) * sqrt(K)
    bound = high if above else low
    near = math.sqrt(tokens * bound)
    r = _rounded(near + 1e-6, up=True) if above else _rounded(near - 1e-6, up=False)
    weight = under_high if above else over_low
    form = abs(r**2 - tokens * bound) + tokens * gap_of(weight)
    known = [*named(p, gt(K, 0), gt(sqrt(K), 0)), weight]
    sides = (rational(r), roots) if above else (roots, rational(r))
    squares = p.compare(ge(sides[0] ** 2, sides[1] ** 2), form=form, facts=known, opaque=CLOSED)
    root_bound = p.modus(p.direction(p.squares(ge(*sides))), squares)
    x, log_bound = _logarithm(p, tokens, bound, weight, below=above)
    value = tokens - 1 - 2 * roots + log(tokens / K)
    room = abs(tokens - 1 - 2 * r + x)
    form = room + 2 * gap_of(root_bound) + gap_of(log_bound)
    shows = gt(value, 0) if above else gt(0, value)
    return p.compare(shows, form=form, facts=[root_bound, log_bound], opaque=CLOSED)


def _rises(p: Proof, lo: Scalar, hi: Scalar, above: Judgement, order: Judgement) -> Judgement:
    """As a function of x it does not fall from lo >= K on: its slope is (sqrt(x) - sqrt(K))/sqrt(x) + 1/x."""
    function = back - 1 - 2 * sqrt(back) * sqrt(K) + log(back / K)
    weight = named(p, gt(K, 0), gt(sqrt(K), 0))
    with p.assuming(le(lo, back), le(back, hi)) as (low_, _):
        beyond = p.nonnegative(back - K, form=(back - lo) + gap_of(above), facts=[low_, above], opaque=CLOSED)
        positive = p.positive(back, form=(back - K) + K, facts=[beyond, *weight], opaque=CLOSED)
        rooted = p.positive(sqrt(back), facts=[positive])
        known = [positive, rooted, *weight]
        known.append(p.positive(back / K, facts=known, opaque=CLOSED))
        squares = p.compare(ge(sqrt(back) ** 2, sqrt(K) ** 2), form=back - K, facts=[beyond, *known], opaque=CLOSED)
        larger = p.modus(p.direction(p.squares(ge(sqrt(back), sqrt(K)))), squares)
        form = gap_of(larger) / sqrt(back) + 1 / back
        slope = rate("d_back", function)
        exact = p.equal(slope, form, facts=known, opaque=["c_star", "K_path"])
        steep = p.positive(slope, form=form, using=[(1, exact)], facts=[larger, *known], opaque=["c_star", "K_path"])
    shows = ge(p.value(function, "back", hi), p.value(function, "back", lo))
    return p.step(
        "increasing",
        shows,
        steep,
        order,
        facts=known,
        function=function,
        lo=lo,
        hi=hi,
        variable="back",
        flow="d_back",
    )


def _threshold(p: Proof, statement: Formula, heads: int, tokens: int) -> None:
    """The criterion at n - 1 and n - 2 tokens besides the first, and beyond them by monotonicity."""
    setting_of(p)
    _, both = statement[1], statement[2]
    with p.assuming(eq(H, heads)) as (assumed,):
        weights = _weight(p, heads, assumed)
        positive, negative = (_criterion_at(p, tokens - k, weights, k == 1) for k in (1, 2))
        with p.assuming(both[1][1]) as (many,):
            above = p.nonnegative(
                tokens - 1 - K, form=(tokens - 1 - weights[1]) + gap_of(weights[3]), facts=[weights[3]], opaque=CLOSED
            )
            order = p.compare(ge(m, tokens - 1), facts=[many])
            risen = _rises(p, rational(tokens - 1), m, above, order)
            form = gap_of(risen) + gap_of(positive)
            shown = p.compare(both[1][2], form=form, facts=[risen, positive], opaque=CLOSED)
        forward = p.discharge(many.shows, shown)
        with p.assuming(both[2][1]) as (few,):
            more, fewer = p.component(few, 0), p.component(few, 1)
            above = p.nonnegative(m - K, facts=[more], opaque=CLOSED)
            order = p.compare(ge(rational(tokens - 2), m), facts=[fewer])
            risen = _rises(p, m, rational(tokens - 2), above, order)
            form = gap_of(risen) + gap_of(negative)
            shown = p.compare(both[2][2], form=form, facts=[risen, negative], opaque=CLOSED)
        backward = p.discharge(few.shows, shown)
        result = p.conjunction(forward, backward)
    p.discharge(assumed.shows, result)


@proves("open.phases", "two_heads")
def two_heads(p: Proof) -> None:
    """At m = 6 the criterion is about 0.0789, at m = 5 it is about -0.56."""
    _threshold(p, claim.TWO_HEADS, 2, 7)


@proves("open.phases", "three_heads")
def three_heads(p: Proof) -> None:
    """At m = 19 the criterion is about 0.21, at m = 18 it is about -0.33."""
    _threshold(p, claim.THREE_HEADS, 3, 20)


@proves("open.phases", "four_heads")
def four_heads(p: Proof) -> None:
    """At m = 39 the criterion is about 0.055, at m = 38 it is about -0.46."""
    _threshold(p, claim.FOUR_HEADS, 4, 40)
