"""Theorem 25: times and where they agree by two routes, to fifty digits.

Notation: one scalar head lambda, m = n - 1, a = beta lambda, F and G the antiderivatives of one over gamma's speed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from antumbra.numerics.flows import vectors
from antumbra.numerics.flows.precise import Pair, Value, enclosure_evidence, precision_evidence
from antumbra.numerics.flows.stated import attack_stated
from antumbra.numerics.quantities.answer import Real
from antumbra.numerics.quantities.balls import NeedPrecisionError, ball, integral
from antumbra.numerics.quantities.times import crossing_beta, relu_increment, single_time
from antumbra.numerics.registry import RunContext, evidence
from antumbra.proofs.claim import Evidence, Kind
from flint import acb, arb, ctx

Span = tuple[int, Fraction, Fraction, Fraction, Fraction]
"""n, lambda, beta, gamma0, gamma1."""
SPANS: tuple[Span, ...] = (
    (4, Fraction(1), Fraction(2), Fraction(0), Fraction(9, 10)),
    (2, Fraction(1, 3), Fraction(1), Fraction(-9, 10), Fraction(99, 100)),
    (8, Fraction(3, 2), Fraction(20), Fraction(1, 7), Fraction(1 - Fraction(1, 10**9))),
    (1000, Fraction(1), Fraction(1, 10**6), Fraction(0), Fraction(1, 2)),
    (5, Fraction(-2), Fraction(3, 2), Fraction(1, 3), Fraction(-1, 5)),
)


def label(span: Span) -> str:
    """A span in words."""
    n, scale, beta, gamma0, gamma1 = span
    return f"n={n}, lambda={scale}, beta={beta}, gamma from {gamma0} to {shown(gamma1)}"


def shown(value: Fraction) -> str:
    """A fraction, or its distance from 1 when its digits are many."""
    return str(value) if value.denominator < 10**6 else f"1 - {1 - value}"


def softmax_closed(span: Span) -> arb:
    """F(gamma1) - F(gamma0)."""
    n, scale, beta, gamma0, gamma1 = span
    return single_time(scale, ball(scale * beta), n, ball(gamma0), ball(gamma1), True)


def softmax_quadrature(n: int, scale: Fraction, beta: arb, lower: arb, upper: arb) -> arb:
    """The integral of one over gamma's closed speed, in s = -ln(1 - gamma), which the end near 1 needs."""

    def integrand(s: acb) -> acb:
        d = (-s).exp()
        return ((beta * ball(scale) * d).exp() + (n - 1)) / (2 * ball(scale) * (n - (n - 1) * d))

    return integral(integrand, -(1 - lower).log(), -(1 - upper).log())


@evidence("thm25.softmax_time", kind=Kind.PRECISION, part="time")
def precise_softmax_time(_context: RunContext) -> Evidence:
    """F's increments against rigorous quadrature."""
    references = {0: "2.74598984955958"}
    pairs = [
        Pair(
            label(span),
            partial(softmax_closed, span),
            lambda span=span: softmax_quadrature(  # type: ignore[misc]
                span[0], span[1], ball(span[2]), ball(span[3]), ball(span[4])
            ),
            references.get(index, ""),
        )
        for index, span in enumerate(SPANS)
    ]
    return precision_evidence(pairs, "the softmax time by F and by quadrature of one over the speed")


@evidence("thm25.softmax_time", kind=Kind.PRECISION, part="flat")
def precise_flat(_context: RunContext) -> Evidence:
    """The limit at beta = 0 against quadrature there, and against F at beta = 10^-60."""

    def limit(span: Span) -> arb:
        n, scale, _, gamma0, gamma1 = span
        m = n - 1
        after, before = ((1 + m * ball(g)).log() - (1 - ball(g)).log() for g in (gamma1, gamma0))
        return (after - before) / (2 * ball(scale))

    pairs = [
        Pair(
            f"quadrature at beta = 0, {label(span)}",
            partial(limit, span),
            lambda span=span: softmax_quadrature(  # type: ignore[misc]
                span[0], span[1], arb(0), ball(span[3]), ball(span[4])
            ),
        )
        for span in SPANS
    ]
    return precision_evidence(pairs, "the softmax time at beta = 0 by logarithms and by quadrature")


@evidence("thm25.softmax_time", kind=Kind.PRECISION, part="speed")
def precise_speed(_context: RunContext) -> Evidence:
    """The closed speed against d<x_1, x_2>/dt of explicit equiangular vectors under SA."""

    def closed(n: int, scale: Fraction, beta: Fraction, gamma: Fraction) -> arb:
        d = ball(1 - gamma)
        return 2 * ball(scale) * d * ball(1 + (n - 1) * gamma) / ((ball(beta * scale) * d).exp() + (n - 1))

    def explicit(n: int, scale: Fraction, beta: Fraction, gamma: Fraction) -> arb:
        return vectors.product_rate(vectors.equiangular(n, gamma), [vectors.scalar(scale)], ball(beta), True)

    cases = [(2, Fraction(1), Fraction(3), Fraction(-2, 3)), (5, Fraction(-4, 3), Fraction(2), Fraction(1, 7))]
    cases += [(9, Fraction(1, 3), Fraction(11), Fraction(999, 1000))]
    pairs = [
        Pair(
            f"n={n}, lambda={scale}, beta={beta}, gamma={gamma}",
            partial(closed, n, scale, beta, gamma),
            partial(explicit, n, scale, beta, gamma),
        )
        for n, scale, beta, gamma in cases
    ]
    return precision_evidence(pairs, "gamma's softmax speed by its closed form and by explicit vectors")


def relu_quadrature(n: int, scale: Fraction, lower: arb, upper: arb) -> arb:
    """The integral of one over gamma's ReLU speed, in the logit ln(g/(1 - g)): n / (2 lambda^2 g' (1 + m g))."""

    def integrand(s: acb) -> acb:
        gamma = 1 / (1 + (-s).exp())
        return n / (2 * ball(scale) ** 2 * (1 + (n - 1) * gamma))

    return integral(integrand, (lower / (1 - lower)).log(), (upper / (1 - upper)).log())


RELU_SPANS: tuple[Span, ...] = (
    (2, Fraction(1), Fraction(1), Fraction(1, 8), Fraction(99, 100)),
    (8, Fraction(1, 3), Fraction(1), Fraction(1, 10**6), Fraction(1, 2)),
    (1000, Fraction(7, 5), Fraction(1), Fraction(1, 32), 1 - Fraction(1, 10**9)),
)


@evidence("thm25.relu_time", kind=Kind.PRECISION, part="time")
def precise_relu_time(_context: RunContext) -> Evidence:
    """G's increments against rigorous quadrature."""
    pairs = [
        Pair(
            label(span),
            lambda span=span: relu_increment(span[1], span[0], ball(span[3]), ball(span[4])),  # type: ignore[misc]
            lambda span=span: relu_quadrature(span[0], span[1], ball(span[3]), ball(span[4])),  # type: ignore[misc]
        )
        for span in RELU_SPANS
    ]
    return precision_evidence(pairs, "the ReLU time by G and by quadrature of one over the speed")


@evidence("thm25.relu_time", kind=Kind.PRECISION, part="speed")
def precise_relu_speed(_context: RunContext) -> Evidence:
    """The closed ReLU speed against d<x_1, x_2>/dt of explicit equiangular vectors."""

    def explicit(n: int, scale: Fraction, gamma: Fraction) -> arb:
        tokens = vectors.equiangular(n, gamma)
        velocities = []
        for i in (0, 1):
            total = [arb(0)] * n
            for token in tokens:
                score = ball(scale) * vectors.dot(tokens[i], token)
                total = vectors.add(total, token, ball(scale) * (score if score > 0 else arb(0)) / n)
            velocities.append(vectors.add(total, tokens[i], -vectors.dot(total, tokens[i])))
        return vectors.dot(velocities[0], tokens[1]) + vectors.dot(tokens[0], velocities[1])

    def closed(n: int, scale: Fraction, gamma: Fraction) -> arb:
        return ball(2 * scale**2 / n * gamma * (1 - gamma) * (1 + (n - 1) * gamma))

    cases = [
        (2, Fraction(1), Fraction(1, 3)),
        (7, Fraction(5, 3), Fraction(1, 1000)),
        (4, Fraction(1, 2), Fraction(6, 7)),
    ]
    pairs = [
        Pair(f"n={n}, lambda={scale}, gamma={g}", partial(closed, n, scale, g), partial(explicit, n, scale, g))
        for n, scale, g in cases
    ]
    return precision_evidence(pairs, "gamma's ReLU speed by its closed form and by explicit vectors")


# --- where the two times agree ---------------------------------------------------------------------------------------


Meeting = tuple[int, int, Fraction]
"""d, n, lambda."""
END = Fraction(99, 100)
REFERENCES: dict[Meeting, str] = {
    (64, 8, Fraction(1)): "4.435372845940151",
    (1024, 64, Fraction(1)): "7.356908288057579",
}


def meeting_closed(meeting: Meeting) -> arb:
    """The crossing by the closed forms of both times.

    Raises:
        NeedPrecisionError: there is none.
    """
    answer = crossing_beta(*meeting)
    if not isinstance(answer, Real):
        raise NeedPrecisionError("the times do not cross")
    return answer.enclose()


def meeting_by_quadrature(meeting: Meeting) -> arb:
    """The crossing with both times, and the derivative in beta, by rigorous quadrature.

    d/dbeta of one over the softmax speed is e^(a d)/(2 (1 + m g)) with d = 1 - g, positive, so there is one root only.
    """
    d, n, scale = meeting
    start, end, lam = 1 / arb(d).sqrt(), ball(END), ball(scale)
    aim = relu_quadrature(n, scale, start, end)

    def excess(beta: arb) -> arb:
        return softmax_quadrature(n, scale, beta, start, end) - aim

    def slope(beta: arb) -> arb:
        def integrand(gamma: acb) -> acb:
            return (beta * lam * (1 - gamma)).exp() / (2 * (1 + (n - 1) * gamma))

        return integral(integrand, start, end)

    # The excess is convex in beta, so Newton's steps from the right fall to the root; three-valued signs then prove it.
    beta = ball(Fraction(float(meeting_guess(meeting))))
    for _ in range(8):
        beta = arb((beta - excess(arb(beta.mid())) / slope(arb(beta.mid()))).mid())
    width = arb(2) ** (-ctx.prec * 3 // 4)
    low, high = beta - width, beta + width
    if not (excess(low) < 0 and excess(high) > 0):
        raise NeedPrecisionError("the signs around the crossing are not decided")
    return low.union(high)


def meeting_guess(meeting: Meeting) -> float:
    """Fifteen digits of the crossing, where the search by quadrature starts; it proves its own result."""
    with ctx.workprec(96):
        return float(meeting_closed(meeting).mid()) * (1 + 1e-6)


def meeting_label(meeting: Meeting) -> str:
    """A meeting in words."""
    return f"d={meeting[0]}, n={meeting[1]}, lambda={meeting[2]}"


def meeting_pairs(meetings: tuple[Meeting, ...]) -> list[Pair]:
    """Both routes at each meeting."""
    return [
        Pair(
            meeting_label(meeting),
            partial(meeting_closed, meeting),
            partial(meeting_by_quadrature, meeting),
            REFERENCES.get(meeting, ""),
        )
        for meeting in meetings
    ]


@evidence("thm25.crossing", kind=Kind.PRECISION, part="exists_iff")
def precise_crossing(_context: RunContext) -> Evidence:
    """The crossing by the closed forms and by quadrature, for scales below, at and above 1."""
    meetings = ((16, 4, Fraction(1, 2)), (64, 8, Fraction(1)), (100, 3, Fraction(3, 2)))
    return precision_evidence(meeting_pairs(meetings), "the crossing of both times by closed forms and by quadrature")


@evidence("thm25.crossing", kind=Kind.PRECISION, part="rises")
def precise_rises(_context: RunContext) -> Evidence:
    """dT/dbeta in closed form, e^(a n/m)/(2m) [Ei(-a w1) - Ei(-a w0)], against its positive integrand's quadrature."""

    def closed(span: Span) -> arb:
        n, scale, beta, gamma0, gamma1 = span
        m, a = n - 1, ball(scale * beta)
        after, before = ((-a * (1 + m * ball(g)) / m).ei() for g in (gamma1, gamma0))
        return (a * n / m).exp() * (after - before) / (2 * m)

    def quadrature(span: Span) -> arb:
        n, scale, beta, gamma0, gamma1 = span

        def integrand(gamma: acb) -> acb:
            return (ball(beta * scale) * (1 - gamma)).exp() / (2 * (1 + (n - 1) * gamma))

        return integral(integrand, ball(gamma0), ball(gamma1))

    pairs = [Pair(label(span), partial(closed, span), partial(quadrature, span)) for span in SPANS[:4]]
    return precision_evidence(
        pairs, "the softmax time's derivative in beta by Ei and by quadrature of a positive function"
    )


SMALL: Meeting = (64, 8, Fraction(1))
LARGE: Meeting = (1024, 64, Fraction(1))


def _enclose(meeting: Meeting) -> Evidence:
    value = Value(meeting_label(meeting), partial(meeting_closed, meeting), REFERENCES[meeting])
    return enclosure_evidence([value], "The beta at which both times agree")


def _precise(meeting: Meeting) -> Evidence:
    what = "the beta at which both times agree, by closed forms and with both times by quadrature"
    return precision_evidence(meeting_pairs((meeting,)), what)


@evidence("thm25.crossing_value", kind=Kind.ENCLOSURE, part="d64_n8")
def enclose_small(_context: RunContext) -> Evidence:
    """The crossing at d = 64, n = 8: bracketed, unique by a positive derivative, sharpened by interval Newton steps."""
    return _enclose(SMALL)


@evidence("thm25.crossing_value", kind=Kind.ENCLOSURE, part="d1024_n64")
def enclose_large(_context: RunContext) -> Evidence:
    """The crossing at d = 1024, n = 64."""
    return _enclose(LARGE)


@evidence("thm25.crossing_value", kind=Kind.PRECISION, part="d64_n8")
def precise_small(_context: RunContext) -> Evidence:
    """The crossing at d = 64, n = 8, with both times by quadrature."""
    return _precise(SMALL)


@evidence("thm25.crossing_value", kind=Kind.PRECISION, part="d1024_n64")
def precise_large(_context: RunContext) -> Evidence:
    """The crossing at d = 1024, n = 64, with both times by quadrature."""
    return _precise(LARGE)


attack_stated("thm25.softmax_time", "antiderivative")
attack_stated("thm25.relu_time", "antiderivative")
attack_stated("thm25.late_rate", "larger", "tie", "tie_hot", "tie_cold", "end")
