"""Theorem 25: ReLU against softmax, one scalar head on the equiangular path.

Statement: closed forms of the two clustering times; the linearised laws bound them from above but are not their
order; the late rates 2 lambda^2 and 2 lambda; the softmax time rises with beta, so that the times agree at one beta
at most.
Hypotheses: equiangular tokens, one scalar head; ReLU needs lambda > 0.
Notation: gamma common inner product, m = n - 1, a = beta lambda, T the integral of one over the speed from gamma_0 to
gamma_1.
Method: differentiate the closed forms; compare integrands for everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    ZERO,
    Node,
    Scalar,
    ScalarLike,
    Vector,
    defined,
    eq,
    exp,
    ge,
    gt,
    le,
    log,
    lt,
    n,
    rate,
    rational,
    scalar,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, gamma
from antumbra.proofs.statements import thm25 as claim
from antumbra.proofs.statements.thm25 import a, gamma_0, gamma_1, m, scale
from antumbra.proofs.tactics import exp_increases

# --- the closed forms -------------------------------------------------------------------------------------------------


@proves("thm25.softmax_time", "speed")
def softmax_tokens(p: Proof) -> None:
    """The rate of <x_i, x_j> under SA, by normal form."""
    p.step("size", ge(n, 1))
    p.positive(exp(claim.TOKEN_GAP) + n - 1, form=exp(claim.TOKEN_GAP) + (n - 1))
    with p.apart(("j", "i")):
        moved = p.equal(claim.APPROACH, claim.TOKEN_SPEED)
    p.for_every("h", p.for_every("i", p.for_every("j", moved, ["i"])))


def _inside(p: Proof) -> None:
    """1 - gamma > 0, 1 + m gamma > 0, their product, and e^{a (1 - gamma)} + m > 0."""
    left, right = 1 - gamma, 1 + m * gamma
    p.positive(left * right)
    p.positive(exp(a * left) + m)


def _antiderivative(p: Proof) -> Judgement:
    """F' is one over the speed: both Ei terms give e^{a (1 - gamma)}, which is over 1 - gamma and 1 + m gamma."""
    _inside(p)
    p.nonzero(a)
    p.nonzero(a * (1 - gamma))
    p.nonzero(-a * (1 + m * gamma) / m)
    return p.equal(claim.F_RATE, 1 / claim.softmax_speed())


@proves("thm25.softmax_time", "antiderivative")
def softmax_antiderivative(p: Proof) -> None:
    """F' is one over the speed, which is not 0."""
    p.positive(1 - gamma)
    slope = _antiderivative(p)
    p.nonzero(claim.softmax_speed())
    p.equal(claim.F_ANTIDERIVATIVE[1], 1, using=[(claim.softmax_speed(), slope)])


# --- integrals over the path ------------------------------------------------------------------------------------------


@contextmanager
def _between(p: Proof, start: ScalarLike, strict: bool = False) -> Iterator[None]:
    """Within the block start <= gamma <= gamma_1 (strictly, if so said): 1 - gamma and 1 + m gamma are positive."""
    low = scalar(start)
    p.positive(1 - low, form=(1 - gamma_1) + (gamma_1 - low))
    p.positive(1 + m * gamma_1, form=(1 + m * low) + m * (gamma_1 - low))
    with p.assuming(le(low, gamma), le(gamma, gamma_1)):
        p.positive(1 - gamma, form=(1 - gamma_1) + (gamma_1 - gamma))
        p.positive(1 + m * gamma, form=(1 + m * low) + m * (gamma - low))
        _inside(p)
        if strict:
            with p.assuming(gt(gamma, low), gt(gamma_1, gamma)):
                yield
        else:
            yield


def _time(p: Proof, closed: Scalar, body: ScalarLike, start: ScalarLike = gamma_0) -> Judgement:
    """The integral of `body` from the start to gamma_1, by an antiderivative whose derivative was shown before."""
    order = p.compare(ge(gamma_1, scalar(start)))
    return p.antiderivative(closed, "gamma", p.last(eq(rate("d_gamma", closed), body)), order)


FLAT = defined("F_flat", of=[gamma])
G = defined("G_relu", of=[gamma])
FLAT_BODY = 1 / claim.softmax_speed(gamma, 0)
PER_SOFTMAX = 1 / claim.softmax_speed()
PER_RELU = 1 / claim.relu_speed()


@proves("thm25.softmax_time", "time")
def softmax_time(p: Proof) -> None:
    """F is an antiderivative of one over the speed on the whole interval."""
    with _between(p, gamma_0):
        _antiderivative(p)
    _time(p, defined("F_softmax", of=[gamma]), PER_SOFTMAX)


@proves("thm25.softmax_time", "flat")
def flat_time(p: Proof) -> None:
    """At beta = 0 one over the speed is n/(2 lambda (1 - gamma)(1 + m gamma)), in partial fractions."""
    with _between(p, gamma_0):
        p.equal(rate("d_gamma", FLAT), FLAT_BODY)
    _time(p, FLAT, FLAT_BODY)


def _compared(p: Proof, larger: ScalarLike, smaller: ScalarLike, form: Scalar, strict: bool = False) -> Judgement:
    """Larger - smaller = form, an identity between fractions, and so a comparison of integrands."""
    larger, smaller = scalar(larger), scalar(smaller)
    difference = p.equal(larger - smaller, form)
    return p.compare((gt if strict else ge)(larger, smaller), form=form, using=[(1, difference)])


def _order(p: Proof, start: ScalarLike = gamma_0, strict: bool = False) -> Judgement:
    """gamma_1 against the start."""
    return p.compare((gt if strict else ge)(gamma_1, scalar(start)))


PARTIAL = 1 / (1 - gamma) * (1 / (1 + m * gamma)) / (2 * scale)
"""1/(2 lambda (1 - gamma)(1 + m gamma)), positive in the interval."""
GROWN = exp(a * (1 - gamma))


@proves("thm25.softmax_time", "nearly_flat_below")
def nearly_flat_below(p: Proof) -> None:
    """e^{a (1 - gamma)} >= 1 in the integrand."""
    with _between(p, gamma_0):
        p.nonnegative(a * (1 - gamma))
        exp_increases(p, 0, a * (1 - gamma))
        body = _compared(p, PER_SOFTMAX, FLAT_BODY, (GROWN - exp(0)) * PARTIAL)
    times = p.integral_compare("gamma", body, _order(p))
    flat = p.cite("thm25.softmax_time", "flat", p.nonzero(scale))
    p.compare(claim.NEARLY_FLAT_BELOW, form=claim.T_SOFTMAX - claim.T_FLAT, using=[(1, flat)], facts=[times])


@proves("thm25.softmax_time", "nearly_flat_above")
def nearly_flat_above(p: Proof) -> None:
    """e^{a (1 - gamma)} + m <= e^{a (1 - gamma_0)} (1 + m) in the integrand."""
    most = exp(a * (1 - gamma_0))
    larger = most * FLAT_BODY
    with _between(p, gamma_0):
        p.nonnegative(a * (1 - gamma_0) - a * (1 - gamma), form=a * (gamma - gamma_0))
        exp_increases(p, a * (1 - gamma), a * (1 - gamma_0))
        p.nonnegative(a * (1 - gamma_0))
        exp_increases(p, 0, a * (1 - gamma_0))
        body = _compared(p, larger, PER_SOFTMAX, ((most - GROWN) + m * (most - exp(0))) * PARTIAL)
        p.equal(rate("d_gamma", most * FLAT), larger)
    closed = _time(p, most * FLAT, larger)
    times = p.integral_compare("gamma", body, _order(p))
    p.compare(
        claim.NEARLY_FLAT_ABOVE, form=Scalar(times.shows[1]) - claim.T_SOFTMAX, using=[(-1, closed)], facts=[times]
    )


# --- relu_time --------------------------------------------------------------------------------------------------------


@proves("thm25.relu_time", "speed")
def relu_tokens(p: Proof) -> None:
    """relu(lambda gamma) = lambda gamma and relu(lambda) = lambda; then <x_i, x_j>' by normal form."""
    p.positive(scale * gamma)
    with p.apart(("j", "i")):
        moved = p.equal(claim.RELU_APPROACH, claim.RELU_TOKEN_SPEED)
    p.for_every("i", p.for_every("j", moved, ["i"]))


@proves("thm25.relu_time", "still")
def still(p: Proof) -> None:
    """relu(lambda gamma) = 0 leaves v_i = (lambda^2/n) x_i, whose tangential part is 0."""
    p.nonnegative(-gamma)
    p.compare(le(scale * gamma, 0), form=scale * (-gamma))
    p.for_every("i", p.same_vector(Vector(claim.STILL[3][1]), ZERO))


def _relu_antiderivative(p: Proof) -> Judgement:
    """n/gamma + 1/(1 - gamma) - m^2/(1 + m gamma) = n/(gamma (1 - gamma)(1 + m gamma))."""
    p.positive(gamma * (1 - gamma) * (1 + m * gamma))
    return p.equal(claim.G_RATE, PER_RELU)


@proves("thm25.relu_time", "antiderivative")
def relu_antiderivative(p: Proof) -> None:
    """G' is one over the speed, which is not 0."""
    p.positive(1 - gamma)
    p.positive(1 + m * gamma)
    slope = _relu_antiderivative(p)
    p.nonzero(claim.relu_speed())
    p.equal(claim.G_ANTIDERIVATIVE[1], 1, using=[(claim.relu_speed(), slope)])


@contextmanager
def _between_positive(p: Proof, strict: bool = False) -> Iterator[None]:
    """The same for 0 < gamma_0 <= gamma <= gamma_1 < 1."""
    p.positive(1 + m * gamma_0)
    p.positive(gamma_1, form=gamma_0 + (gamma_1 - gamma_0))
    with p.assuming(le(gamma_0, gamma), le(gamma, gamma_1)):
        p.positive(gamma, form=gamma_0 + (gamma - gamma_0))
    with _between(p, gamma_0, strict):
        p.positive(gamma * (1 - gamma) * (1 + m * gamma))
        yield


@proves("thm25.relu_time", "time")
def relu_time(p: Proof) -> None:
    """G is an antiderivative of one over the speed on the whole interval."""
    with _between_positive(p):
        _relu_antiderivative(p)
    _time(p, G, PER_RELU)


# --- the linearised laws ----------------------------------------------------------------------------------------------


def _short_of_one(p: Proof) -> None:
    """From m gamma_1 <= m - 1: m (1 - gamma_1) >= 1."""
    p.positive(1 - gamma_1, form=1 / m * ((m - 1 - m * gamma_1) + 1))


@proves("thm25.softmax_linear", "bound")
def softmax_linear(p: Proof) -> None:
    """e^{a (1 - gamma)} < e^a, and (1 - gamma)(1 + m gamma) - 1 = gamma (m - 1 - m gamma) >= 0."""
    _short_of_one(p)
    constant = (exp(a) + m) / (2 * scale)
    with _between(p, gamma_0):
        p.equal(rate("d_gamma", constant * gamma), constant)
    with _between(p, gamma_0, strict=True):
        p.positive(gamma, form=gamma_0 + (gamma - gamma_0))
        p.positive(a - a * (1 - gamma), form=a * gamma)
        exp_increases(p, a * (1 - gamma), a, strict=True)
        p.nonnegative(m - 1 - m * gamma, form=(m - 1 - m * gamma_1) + m * (gamma_1 - gamma))
        excess = (exp(a) - GROWN) + (exp(a) + m) * gamma * (m - 1 - m * gamma)
        body = _compared(p, constant, PER_SOFTMAX, excess * PARTIAL, strict=True)
    closed = _time(p, constant * gamma, constant)
    times = p.integral_compare("gamma", body, _order(p, strict=True))
    p.compare(
        claim.SOFTMAX_LINEAR,
        form=(Scalar(times.shows[1]) - claim.T_SOFTMAX) + constant * gamma_0,
        using=[(-1, closed)],
        facts=[times, *_signs(p)],
    )


def _signs(p: Proof) -> list[Judgement]:
    """The domain's own comparisons, as facts."""
    return [j for j in (s.judgement for s in p.steps) if j.shows in p.ground.domain]


@proves("thm25.relu_linear", "bound")
def relu_linear(p: Proof) -> None:
    """1/((1 - gamma)(1 + m gamma)) < 1 for 0 < gamma < (m - 1)/m."""
    _short_of_one(p)
    factor = (m + 1) / (2 * scale**2)
    per_gamma = factor * (1 / gamma)
    with _between_positive(p):
        p.equal(rate("d_gamma", factor * log(gamma)), per_gamma)
    with _between_positive(p, strict=True):
        p.positive(m - 1 - m * gamma, form=(m - 1 - m * gamma_1) + m * (gamma_1 - gamma))
        form = factor * (m - 1 - m * gamma) * (1 / (1 - gamma)) * (1 / (1 + m * gamma))
        body = _compared(p, per_gamma, PER_RELU, form, strict=True)
    closed = _time(p, factor * log(gamma), per_gamma)
    times = p.integral_compare("gamma", body, _order(p, strict=True))
    p.compare(claim.RELU_LINEAR, form=Scalar(times.shows[1]) - claim.T_RELU, using=[(-1, closed)], facts=[times])


# --- the order of the softmax time from 0 -----------------------------------------------------------------------------


def _flat_from_zero(p: Proof, factor: ScalarLike) -> Judgement:
    """A factor times the time at beta = 0 from 0, (ln(1 + m gamma_1) - ln(1 - gamma_1))/(2 lambda)."""
    with _between(p, 0):
        p.equal(rate("d_gamma", factor * FLAT), factor * FLAT_BODY)
    return _time(p, factor * FLAT, factor * FLAT_BODY, 0)


@proves("thm25.softmax_linear", "order_below")
def softmax_order_below(p: Proof) -> None:
    """T >= (ln(1 + m gamma_1) - ln(1 - gamma_1))/(2 lambda), and 1 + m gamma_1 >= (1 + m) gamma_1."""
    with _between(p, 0):
        p.nonnegative(a * (1 - gamma))
        exp_increases(p, 0, a * (1 - gamma))
        body = _compared(p, PER_SOFTMAX, FLAT_BODY, (GROWN - exp(0)) * PARTIAL)
    closed = _flat_from_zero(p, rational(1))
    times = p.integral_compare("gamma", body, _order(p, 0))
    excess = log(m + 1) + log(gamma_1) - log(1 + m * gamma_1)
    tangent = p.exp_tangent(excess)
    below = p.equal(1 - exp(excess), (1 - gamma_1) / (1 + m * gamma_1))
    slack = Scalar(tangent.shows[1]) - Scalar(tangent.shows[2])
    p.compare(
        claim.SOFTMAX_ORDER_BELOW,
        form=(claim.T_FROM_ZERO - Scalar(times.shows[2])) + (slack + (1 - gamma_1) / (1 + m * gamma_1)) / (2 * scale),
        using=[(1, closed), (1 / (2 * scale), below)],
    )


@proves("thm25.softmax_linear", "order_above")
def softmax_order_above(p: Proof) -> None:
    """e^{a (1 - gamma)} + m <= n + (e^a - 1), and ln y <= y - 1 at y = (1 + m gamma_1)/(n gamma_1)."""
    factor = 1 + (exp(a) - 1) / (m + 1)
    p.nonnegative(a)
    exp_increases(p, 0, a)
    p.nonnegative(exp(a) - 1, form=exp(a) - exp(0))
    with _between(p, 0):
        p.nonnegative(a - a * (1 - gamma), form=a * gamma)
        exp_increases(p, a * (1 - gamma), a)
        body = _compared(p, factor * FLAT_BODY, PER_SOFTMAX, (exp(a) - GROWN) * PARTIAL)
    closed = _flat_from_zero(p, factor)
    times = p.integral_compare("gamma", body, _order(p, 0))
    excess = log(1 + m * gamma_1) - log(m + 1) - log(gamma_1)
    tangent = p.exp_tangent(excess)
    above = p.equal(exp(excess) - 1, (1 - gamma_1) / ((m + 1) * gamma_1))
    slack = Scalar(tangent.shows[1]) - Scalar(tangent.shows[2])
    p.compare(
        claim.SOFTMAX_ORDER_ABOVE,
        form=(Scalar(times.shows[1]) - claim.T_FROM_ZERO) + factor * slack / (2 * scale),
        using=[(-1, closed), (-factor / (2 * scale), above)],
    )


# --- the limit of the ReLU time as n grows ----------------------------------------------------------------------------


@proves("thm25.relu_linear", "order_above")
def relu_order_above(p: Proof) -> None:
    """n/(1 + m gamma) <= 1/gamma in the integrand."""
    closed_form = (log(gamma) - log(1 - gamma) - 1 / gamma) / (2 * scale**2)
    limit_body = (1 / gamma) ** 2 * (1 / (1 - gamma)) / (2 * scale**2)
    with _between_positive(p):
        p.equal(rate("d_gamma", closed_form), limit_body)
        form = (1 / gamma) ** 2 * (1 / (1 + m * gamma)) / (2 * scale**2)
        body = _compared(p, limit_body, PER_RELU, form)
    closed = _time(p, closed_form, limit_body)
    times = p.integral_compare("gamma", body, _order(p))
    p.compare(
        claim.RELU_ORDER_ABOVE,
        form=2 * scale**2 * (Scalar(times.shows[1]) - claim.T_RELU),
        using=[(-2 * scale**2, closed)],
        facts=[times, *_signs(p)],
    )


@proves("thm25.relu_linear", "order_below")
def relu_order_below(p: Proof) -> None:
    """n/(1 + m gamma) >= 1/gamma - 1/(m gamma^2) (1 - gamma) in the integrand."""
    closed_form = (log(gamma) - log(1 - gamma) - 1 / gamma + (1 / gamma) ** 2 / (2 * m)) / (2 * scale**2)
    limit_body = ((1 / gamma) ** 2 * (1 / (1 - gamma)) - (1 / gamma) ** 3 / m) / (2 * scale**2)
    with _between_positive(p):
        p.equal(rate("d_gamma", closed_form), limit_body)
        form = (1 / gamma) ** 3 * (1 / (1 + m * gamma)) / (2 * scale**2 * m)
        body = _compared(p, PER_RELU, limit_body, form)
    closed = _time(p, closed_form, limit_body)
    times = p.integral_compare("gamma", body, _order(p))
    p.compare(
        claim.RELU_ORDER_BELOW,
        form=2 * scale**2 * (claim.T_RELU - Scalar(times.shows[2])) + (1 / gamma_1) ** 2 / (2 * m),
        using=[(2 * scale**2, closed)],
        facts=[times, *_signs(p), p.last(gt(gamma_1, 0))],
    )


# --- late rates -------------------------------------------------------------------------------------------------------


def _late(p: Proof, slope: Scalar, factored: Scalar, value: Scalar) -> None:
    """The slope, written out, at gamma = 1."""
    written = p.equal(slope, factored)
    with p.assuming(claim.AT_CLUSTER) as (here,):
        there = p.rewritten(here, written, eq(slope, p.value(factored, "gamma", 1)))
        p.discharge(here.shows, p.equal(slope, value, using=[(1, there)]))


@proves("thm25.late_rate", "softmax")
def late_softmax(p: Proof) -> None:
    """The derivative of (1 - gamma) r(gamma) at 1 is -r(1)."""
    partition = GROWN + m
    left, right = 1 - gamma, 1 + m * gamma
    product = (m * left - right) / partition + left * right * a * GROWN * (1 / partition) ** 2
    _late(p, claim.SOFTMAX_SLOPE, 2 * scale * product, -2 * scale)


@proves("thm25.late_rate", "relu")
def late_relu(p: Proof) -> None:
    """The derivative of (1 - gamma) r(gamma) at 1 is -r(1)."""
    left, right = 1 - gamma, 1 + m * gamma
    _late(
        p,
        claim.RELU_SLOPE,
        2 * scale**2 / (m + 1) * (left * right - gamma * right + m * gamma * left),
        -2 * scale**2,
    )


@proves("thm25.late_rate", "larger")
def larger(p: Proof) -> None:
    """2 lambda^2 - 2 lambda = 2 lambda (lambda - 1)."""
    p.scaled(claim.LARGER[1], claim.LARGER[2], 2 * scale)


@proves("thm25.late_rate", "tie")
def tie(p: Proof) -> None:
    """2 lambda^2 - 2 lambda = 2 lambda (lambda - 1)."""
    p.positive(2 * scale)
    p.scaled(claim.TIE[1], claim.TIE[2], 2 * scale)


def _faster(p: Proof, shows: Node, numerator: Scalar, rewriting: Sequence[Judgement] = ()) -> None:
    """The speeds differ by 2 lambda (1 - gamma)(1 + m gamma)/(n (e^{a (1 - gamma)} + m)) times the numerator."""
    partition = GROWN + m
    factor = 2 * scale * (1 - gamma) * (1 + m * gamma) * (1 / partition) / (m + 1)
    sign = 1 if shows == claim.FASTER else -1
    exact = sign * (scale * gamma * partition - (m + 1))
    larger_, smaller = (Scalar(t) for t in (shows[1:] if sign > 0 else (shows[2], shows[1])))
    difference = p.equal(larger_ - smaller, factor * exact)
    p.positive(exact, form=numerator, using=[(1, p.equal(exact, numerator, rewriting=rewriting))])
    p.compare(shows, form=factor * exact, using=[(1, difference)])


@proves("thm25.late_rate", "tie_hot")
def tie_hot(p: Proof) -> None:
    """With s = 1 - gamma: (1 - s)(e^{beta s} + m) - n >= s (beta - n - beta s) > 0."""
    s = 1 - gamma
    one = p.domain(0)
    p.positive(scale, form=rational(1), using=[(1, one)])
    p.positive(s)
    # beta s < beta - n < beta, so that gamma = 1 - s > 0.
    p.positive(gamma, form=1 / beta * ((beta - (m + 1) - beta * s) + (m + 1)))
    tangent = p.exp_tangent(beta * s)
    slack = exp(beta * s) - Scalar(tangent.shows[2])
    _faster(p, claim.FASTER, gamma * slack + s * (beta - (m + 1) - beta * s), rewriting=[one])


@proves("thm25.late_rate", "tie_cold")
def tie_cold(p: Proof) -> None:
    """With s = 1 - gamma: e^{-beta s} >= 1 - beta s, so n - (1 - s)(e^{beta s} + m) > 0 as n - beta > m beta s."""
    s = 1 - gamma
    one = p.domain(0)
    p.positive(scale, form=rational(1), using=[(1, one)])
    p.positive(s)
    tangent = p.exp_tangent(-(beta * s))
    slack = exp(-(beta * s)) - Scalar(tangent.shows[2])
    numerator = (gamma * exp(beta * s) * slack + s * (m + 1 - beta - m * beta * s)) * (1 / (1 - beta * s))
    _faster(p, claim.SLOWER, numerator, rewriting=[one])


@proves("thm25.late_rate", "end")
def end(p: Proof) -> None:
    """With s = 1 - gamma: e^{-a s} >= 1 - a s > 0, and (1 - a s)(n - lambda m) > lambda."""
    s = 1 - gamma
    p.positive(s)
    p.positive(1 - scale)
    p.positive(m + 1 - scale * m, form=1 + m * (1 - scale))
    room = (m + 1) * (1 - scale) - a * s * (m + 1 - scale * m)
    left = 1 - a * s
    quotient = (room + scale) * (1 / (m + 1 - scale * m))
    p.positive(left, form=quotient, using=[(1, p.equal(left, quotient))])
    tangent = p.exp_tangent(-(a * s))
    slack = exp(-(a * s)) - Scalar(tangent.shows[2])
    numerator = (scale * gamma * exp(a * s) * slack + room + left * scale * m * s + scale * s) * (1 / left)
    _faster(p, claim.SLOWER, numerator)


# --- the crossing -----------------------------------------------------------------------------------------------------


@proves("thm25.crossing", "rises")
def rises(p: Proof) -> None:
    """e^{beta lambda (1 - gamma)} rises with beta in the integrand."""
    cooler = claim.cooler
    slower, faster = 1 / claim.softmax_speed(), 1 / claim.softmax_speed(gamma, cooler)
    with p.assuming(lt(cooler, beta)) as (cooler_is_less,):
        with _between(p, gamma_0):
            p.positive(1 + m * gamma_0)
            low = cooler * scale * (1 - gamma)
            p.positive(a * (1 - gamma) - low, form=(beta - cooler) * scale * (1 - gamma))
            exp_increases(p, low, a * (1 - gamma), strict=True)
            body = _compared(p, slower, faster, (GROWN - exp(low)) * PARTIAL, strict=True)
        times = p.integral_compare("gamma", body, _order(p, strict=True))
        least = p.compare(claim.RISES[2], form=Scalar(times.shows[1]) - Scalar(times.shows[2]), facts=[times])
    p.discharge(cooler_is_less.shows, least)


def _flat_against_relu(p: Proof, shows: Node, difference: Scalar, larger_: Scalar, smaller: Scalar) -> Judgement:
    """The integrands differ by n/(2 lambda (1 - gamma)(1 + m gamma)) times 1/(lambda gamma) - 1."""
    with _between_positive(p):
        body = _compared(p, larger_, smaller, difference, strict=shows[0] == "lt")
    times = p.integral_compare("gamma", body, _order(p, strict=True))
    return p.compare(shows, form=Scalar(times.shows[1]) - Scalar(times.shows[2]), facts=[times])


@proves("thm25.crossing", "always")
def always(p: Proof) -> None:
    """For lambda <= 1, lambda gamma < 1."""
    with p.assuming(le(scale, 1)) as (small,):
        form = (m + 1) * PARTIAL * (1 / (scale * gamma)) * ((1 - gamma) * scale + (1 - scale))
        shown = _flat_against_relu(p, claim.ALWAYS[2], form, PER_RELU, FLAT_BODY)
    p.discharge(small.shows, shown)


@proves("thm25.crossing", "never")
def never(p: Proof) -> None:
    """Here lambda gamma >= lambda gamma_0 >= 1."""
    with p.assuming(ge(scale * gamma_0, 1)) as (large,):
        form = (m + 1) * PARTIAL * (1 / (scale * gamma)) * ((scale * gamma_0 - 1) + scale * (gamma - gamma_0))
        shown = _flat_against_relu(p, claim.NEVER[2], form, FLAT_BODY, PER_RELU)
    p.discharge(large.shows, shown)
