"""Beyond the paper: the ends of the interval of dominance, its last temperature and the time at its end, by two routes.

Notation: m = n - 1, a = beta lambda, K = (H - 1)/c*(H), A = e^(a (1 - g)) + m g, B = m (1 - g)(1 + m g).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from antumbra.numerics.flows.precise import Pair, Value, enclosure_evidence, precision_evidence
from antumbra.numerics.quantities.answer import Answer, Exact, Real
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, integral, root
from antumbra.numerics.quantities.thresholds import c_star_ball
from antumbra.numerics.quantities.window import beta_window, critical_time, dominance_window
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind, Outcome
from flint import acb, arb, ctx

Place = tuple[int, int, Fraction]
"""H, n, beta/beta*."""
WINDOWS: tuple[Place, ...] = (
    (2, 64, Fraction(6, 5)),
    (2, 64, Fraction(4, 5)),
    (2, 7, Fraction(1)),
    (3, 100, Fraction(21, 20)),
    (4, 500, Fraction(7, 6)),
)
"""Inside and below the last temperature; (2, 7) at beta* is the least n with a window just above it."""
LEFT, RIGHT = "0.027980427596382971", "0.291662085856986410"
LAST_RATIO, EXIT_TIME = "1.4268", "0.43488509239722"
REFERENCE: Place = (2, 64, Fraction(6, 5))


def place_label(place: Place) -> str:
    """A place in words."""
    return f"H={place[0]}, n={place[1]}, beta={place[2]} beta*"


def product_of(place: Place) -> arb:
    """A = beta lambda: (ratio/2) ln(c*^2 m/(1 - c*^2))."""
    heads, n, ratio = place
    square = c_star_ball(heads) ** 2
    return ball(ratio / 2) * (square * (n - 1) / (1 - square)).log()


def direct(place: Place) -> tuple[Callable[[arb], arb], Callable[[arb], arb]]:
    """Condition 8 as it stands, B - (H-1) A sqrt(A^2 + B), and its derivative in gamma."""
    heads, n, _ = place
    m, k = n - 1, heads - 1

    def parts(gamma: arb) -> tuple[arb, arb, arb, arb]:
        a = product_of(place)
        growth_ = (a * (1 - gamma)).exp()
        return growth_ + m * gamma, m - a * growth_, m * (1 - gamma) * (1 + m * gamma), m * (m - 1 - 2 * m * gamma)

    def value(gamma: arb) -> arb:
        size, _, bound, _ = parts(gamma)
        return bound - k * size * (size * size + bound).sqrt()

    def slope(gamma: arb) -> arb:
        size, rise, bound, change = parts(gamma)
        side = (size * size + bound).sqrt()
        return change - k * (rise * side + size * (2 * size * rise + change) / (2 * side))

    return value, slope


def direct_ends(place: Place) -> tuple[arb, arb]:
    """Both ends of the window by Condition 8 as it stands, bracketed on a grid of sixtieths.

    Raises:
        NeedPrecisionError: the grid shows no window.
    """
    value, slope = direct(place)
    grid = [Fraction(index, 240) for index in range(241)]
    # At beta* the condition is met with equality at gamma = 0, whose sign no precision decides: start beyond it.
    signs = [bool(value(ball(point)) > 0) for point in grid]
    inside = [index for index, sign in enumerate(signs) if sign]
    if not inside:
        raise NeedPrecisionError("no window on the grid")
    first, last = inside[0], inside[-1]
    below = place[2] <= 1
    left = arb(0) if below else root(value, slope, grid[first - 1], grid[first])
    return left, root(value, slope, grid[last], grid[last + 1])


def _end(place: Place, which: int) -> arb:
    """An end of the window by the smooth form B - K A^2.

    Raises:
        NeedPrecisionError: there is no window.
    """
    heads, n, ratio = place
    answer = dominance_window(heads, n, None, ratio, Fraction(1))
    if not isinstance(answer, tuple):
        raise NeedPrecisionError("no window was found")
    return _ball(answer[which])


def _ball(answer: Answer) -> arb:
    """The ball of a single number.

    Raises:
        NeedPrecisionError: it is none.
    """
    if isinstance(answer, Exact):
        return ball(answer.value)
    if isinstance(answer, Real):
        return answer.enclose()
    raise NeedPrecisionError("there is no number")


def tangent_window(heads: int, n: int) -> arb:
    """beta_w/beta* as the a at which B - K A^2 has a double root in gamma: Krawczyk's operator on (gamma, a).

    Raises:
        NeedPrecisionError: the operator did not map a box into its interior.
    """
    m = n - 1
    threshold = (heads - 1) / c_star_ball(heads)

    def system(gamma: arb, a: arb) -> tuple[arb, arb, arb, arb, arb, arb]:
        """G, G', and the derivatives of both in gamma and a; dG'/dgamma is the second derivative of G."""
        e = (a * (1 - gamma)).exp()
        size, rise, bend = e + m * gamma, m - a * e, a * a * e
        by_a, rise_by_a = (1 - gamma) * e, -e - a * (1 - gamma) * e
        value = m * (1 - gamma) * (1 + m * gamma) - threshold * size**2
        slope = m * (m - 1 - 2 * m * gamma) - 2 * threshold * size * rise
        curve = -2 * m * m - 2 * threshold * (rise**2 + size * bend)
        return (
            value,
            slope,
            slope,
            -2 * threshold * size * by_a,
            curve,
            -2 * threshold * (by_a * rise + size * rise_by_a),
        )

    answer = _ball(beta_window(heads, n))
    with ctx.workprec(64):
        # Fifteen digits to start from, moved away by a millionth; what is found from them is proven below.
        a = arb(float((answer * product_of((heads, n, Fraction(1)))).mid()) * (1 + 1e-6))
        gamma = arb(max(0.01, 0.5 - 1.0 / m)) / 3
    for _ in range(60):
        value, slope, value_g, value_a, slope_g, slope_a = system(arb(gamma.mid()), arb(a.mid()))
        determinant = value_g * slope_a - value_a * slope_g
        gamma = arb((gamma - (slope_a * value - value_a * slope) / determinant).mid())
        a = arb((a - (value_g * slope - slope_g * value) / determinant).mid())
    radius = arb(2) ** (-ctx.prec * 2 // 3)
    box_g, box_a = gamma.union(gamma + radius).union(gamma - radius), a.union(a + radius).union(a - radius)
    value, slope, *_ = system(gamma, a)
    _, _, value_g, value_a, slope_g, slope_a = system(box_g, box_a)
    determinant = value_g * slope_a - value_a * slope_g
    # Interval Newton with the inverse of the whole box's Jacobian.
    image_g = gamma - (slope_a * value - value_a * slope) / determinant
    image_a = a - (value_g * slope - slope_g * value) / determinant
    if not (box_g.contains_interior(image_g) and box_a.contains_interior(image_a)):
        raise NeedPrecisionError("the box is not mapped into itself")
    return image_a / product_of((heads, n, Fraction(1)))


def window_opens(heads: int, n: int) -> bool | None:
    """The sign of m - 1 - 2 sqrt(m K) + ln(m/K), with m > K; None when it is not decided."""
    with ctx.workprec(224):
        m, threshold = arb(n - 1), (heads - 1) / c_star_ball(heads)
        value = m - 1 - 2 * (m * threshold).sqrt() + (m / threshold).log()
        if value.contains(0) or (m - threshold).contains(0):
            return None
        return bool(value > 0 and m > threshold)


def end_pairs(above: bool) -> list[Pair]:
    """Both ends of the interval above beta*, or its right end at and below it, by both forms of Condition 8."""
    names = (("left end", LEFT), ("right end", RIGHT))
    pairs = []
    for place in WINDOWS:
        if (place[2] > 1) is not above:
            continue
        for which in (0, 1) if above else (1,):
            name, reference = names[which]
            pairs.append(
                Pair(
                    f"{name}, {place_label(place)}",
                    partial(_end, place, which),
                    lambda place=place, which=which: direct_ends(place)[which],  # type: ignore[misc]
                    reference if place == REFERENCE else "",
                )
            )
    return pairs


@evidence("open.phases", kind=Kind.PRECISION, part="exit")
def precise_single_end(_context: RunContext) -> Evidence:
    """gamma_+ for beta <= beta* by B - K A^2 and by Condition 8 as it stands."""
    return precision_evidence(end_pairs(above=False), "gamma_+ up to beta*, by two forms of Condition 8")


@evidence("open.phases", kind=Kind.PRECISION, part="between")
def precise_both_ends(_context: RunContext) -> Evidence:
    """gamma_- and gamma_+ for beta > beta* by B - K A^2 and by Condition 8 as it stands."""
    return precision_evidence(end_pairs(above=True), "gamma_- and gamma_+ above beta*, by two forms of Condition 8")


@evidence("open.phases", kind=Kind.PRECISION, part="largest")
def precise_last(_context: RunContext) -> Evidence:
    """beta_w as the maximum of ln y/(1 - gamma) and as the temperature of a double root of B - K A^2."""
    pairs = [
        Pair(
            f"beta_w/beta*, H={heads}, n={n}",
            lambda heads=heads, n=n: _ball(beta_window(heads, n)),  # type: ignore[misc]
            partial(tangent_window, heads, n),
            LAST_RATIO if (heads, n) == (2, 64) else "",
        )
        for heads, n in ((2, 64), (3, 100))
    ]
    return precision_evidence(pairs, "beta_w as a maximum and as the temperature of a double root")


def _least_tokens(heads: int, least: int) -> Evidence:
    """Where the criterion turns positive: its sign at the least n and one below, and the window just above beta*.

    The second route knows nothing of the criterion: a window is sought, and excluded, at 1 + 10^-6 times beta*.
    """
    signs = (window_opens(heads, least), window_opens(heads, least - 1))
    found = [
        isinstance(dominance_window(heads, n, None, 1 + Fraction(1, 10**6), Fraction(1)), tuple)
        for n in (least, least - 1)
    ]
    data = {"criterion": list(signs), "window_just_above_beta_star": found, "n": [least, least - 1]}
    if None in signs:
        return Evidence(Kind.PRECISION, Outcome.UNDECIDED, f"For H = {heads} a sign is not decided.", data)
    if signs != (True, False) or found != [True, False]:
        summary = f"For H = {heads} the least n with a window above beta* is not {least}."
        return Evidence(Kind.PRECISION, Outcome.FAIL, summary, data)
    summary = (
        f"For H = {heads} a window opens above beta* at n = {least} and not at {least - 1}, by criterion and by search."
    )
    return Evidence(Kind.PRECISION, Outcome.PASS, summary, data)


@evidence("open.phases", kind=Kind.PRECISION, part="two_heads")
def precise_two_heads(_context: RunContext) -> Evidence:
    """H = 2: from n = 7 on."""
    return _least_tokens(2, 7)


@evidence("open.phases", kind=Kind.PRECISION, part="three_heads")
def precise_three_heads(_context: RunContext) -> Evidence:
    """H = 3: from n = 20 on."""
    return _least_tokens(3, 20)


@evidence("open.phases", kind=Kind.PRECISION, part="four_heads")
def precise_four_heads(_context: RunContext) -> Evidence:
    """H = 4: from n = 40 on."""
    return _least_tokens(4, 40)


EXITS: tuple[Place, ...] = (REFERENCE, (3, 100, Fraction(21, 20)))
"""Where dominance is followed to its end: the reference, and one more."""


def exit_closed(place: Place) -> arb:
    """t_exit from the left end, the time's closed form between the ends."""
    heads, n, ratio = place
    return _ball(critical_time(heads, n, None, ratio, Fraction(1), None))


def exit_by_quadrature(place: Place) -> arb:
    """The integral of one over gamma's speed between the ends that Condition 8 itself gives."""
    heads, n, _ = place
    left, right = direct_ends(place)
    a = product_of(place)

    def integrand(gamma: acb) -> acb:
        return n / (2 * heads * (1 - gamma) * (1 + (n - 1) * gamma) * (a * gamma).exp())

    return integral(integrand, left, right)


def exit_routes(part: str) -> list[Pair]:
    """Both routes of a number of the exit at each place: an end of the window, or the time between the ends."""
    references = {"entry": LEFT, "exit": RIGHT, "time": EXIT_TIME}
    pairs = []
    for place in EXITS:
        first: Callable[[], arb] = partial(exit_closed, place)
        second: Callable[[], arb] = partial(exit_by_quadrature, place)
        if part != "time":
            which = 0 if part == "entry" else 1
            first = partial(_end, place, which)
            second = lambda place=place, which=which: direct_ends(place)[which]  # type: ignore[misc]  # noqa: E731
        pairs.append(Pair(place_label(place), first, second, references[part] if place == REFERENCE else ""))
    return pairs


NAMES = {
    "entry": "the inner product at which dominance begins",
    "exit": "the inner product at which dominance ends",
    "time": "the time from where dominance begins to where it ends",
}


def _enclose_exit(part: str) -> Evidence:
    values = [Value(pair.label, pair.first, pair.reference) for pair in exit_routes(part)]
    return enclosure_evidence(values, NAMES[part][0].upper() + NAMES[part][1:])


def _precise_exit(part: str) -> Evidence:
    how = "by its closed form and by quadrature" if part == "time" else "by two forms of Condition 8"
    return precision_evidence(exit_routes(part), f"{NAMES[part]}, {how}")


@evidence("open.critical_time", kind=Kind.ENCLOSURE, part="entry")
def enclose_entry(_context: RunContext) -> Evidence:
    """gamma_- as a ball, bracketed and proven unique."""
    return _enclose_exit("entry")


@evidence("open.critical_time", kind=Kind.ENCLOSURE, part="exit")
def enclose_exit(_context: RunContext) -> Evidence:
    """gamma_+ as a ball, bracketed and proven unique."""
    return _enclose_exit("exit")


@evidence("open.critical_time", kind=Kind.ENCLOSURE, part="time")
def enclose_time(_context: RunContext) -> Evidence:
    """t_exit as a ball: the time between the proven ends in closed form."""
    return _enclose_exit("time")


@evidence("open.critical_time", kind=Kind.PRECISION, part="entry")
def precise_entry(_context: RunContext) -> Evidence:
    """gamma_- by B - K A^2 and by Condition 8 as it stands."""
    return _precise_exit("entry")


@evidence("open.critical_time", kind=Kind.PRECISION, part="exit")
def precise_exit(_context: RunContext) -> Evidence:
    """gamma_+ by B - K A^2 and by Condition 8 as it stands."""
    return _precise_exit("exit")


@evidence("open.critical_time", kind=Kind.PRECISION, part="time")
def precise_time(_context: RunContext) -> Evidence:
    """t_exit by the closed form and by quadrature between the ends of Condition 8 as it stands."""
    return _precise_exit("time")
