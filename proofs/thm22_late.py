"""Theorem 22, late: (1 - gamma) e^{2 Lambda t} converges along the softmax flow.

Statement: with rho the rate of gamma over 2(1 - gamma), positive on [gamma_0, 1], (1 - gamma) e^{2 Lambda t} tends to
C = (1 - gamma_0) exp of the integral of I = (Lambda/rho - 1)/(1 - gamma) from gamma_0 to 1; I has a limit at 1.
Hypotheses: scalar heads, equiangular tokens, rho >= rho_min > 0 on [gamma_0, 1], gamma_0 > -1/(n-1).
Notation: m = n - 1, s = 1 - gamma, a = beta lambda, e = e^{as}, D = e + m, X = Lambda - rho; R and R2 bound rho' and
rho''.
Method: rho(1) = Lambda; first and second order bounds of rho between gamma and 1, from explicit bounds of its
derivatives.
Not proved here: separation of variables, and that bounded continuous functions have integrals up to an open end.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Scalar,
    ScalarLike,
    absolute,
    conj,
    eq,
    exp,
    ge,
    gt,
    le,
    log,
    n,
    rate,
    scalar,
    symbol,
    total,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, gamma, scale_h
from antumbra.proofs.statements import thm22_late as claim
from antumbra.proofs.statements.thm22 import gamma_0, gamma_1
from antumbra.proofs.statements.thm22_late import (
    END_SLOPE,
    LACK,
    rho,
    rho_bend,
    rho_bound,
    rho_min,
    rho_steepness,
    total_scale,
)
from antumbra.proofs.tactics import exp_increases
from antumbra.proofs.thm22_heterogeneous_heads import for_pairs, several_tokens, weights

M = n - 1
CLOSED = ["rho", "total_scale", "rho_steepness", "rho_bend", "rho_bound"]
LEAN = 1 + M * gamma
SIZE = absolute(scale_h)
WEIGHT = exp(beta * scale_h * (1 - gamma))
INVERSE = 1 / (WEIGHT + n - 1)
PULL = beta * scale_h**2 * WEIGHT * INVERSE**2
BEND = beta**2 * scale_h**3 * (2 * WEIGHT**2 * INVERSE**3 - WEIGHT * INVERSE**2)
SLOPE = M * total("h", scale_h * INVERSE) + LEAN * total("h", PULL)
"""What rho' is."""


def denominators(p: Proof) -> None:
    """Here n - 1 > 0 and e^t + n - 1 > 0 for every head and every gamma; |lambda| >= +-lambda."""
    several_tokens(p)
    for t in (gamma, gamma_0, gamma_1, scalar(1)):
        weight = exp(beta * scale_h * (1 - t))
        p.positive(weight + n - 1, form=weight + M)
    p.absolute(scale_h)
    p.absolute(scale_h, negative=True)
    p.nonnegative(SIZE)


def summed(p: Proof, term: Scalar, form: Scalar) -> Judgement:
    """The sum over the heads of an equation between terms of one head."""
    return p.sum_compare(p.equal(term, form), "h")


def near_one(p: Proof, start: Scalar) -> None:
    """1 + m gamma >= 0 and n - (1 + m gamma) = m(1 - gamma) >= 0 for start <= gamma <= 1, where 1 + m start >= 0."""
    p.nonnegative(LEAN, form=(1 + M * start) + M * (gamma - start))
    p.nonnegative(1 - gamma)


def lean_form() -> Scalar:
    """n/(4m) - (1 + m gamma) e/D^2 = (1 - gamma)/4 + (1 + m gamma)(e - m)^2/(4 m D^2)."""
    form: Scalar = (1 - gamma) / 4 + LEAN * (WEIGHT - M) ** 2 * (1 / (4 * M)) * INVERSE**2
    return form


def slope_term(side: int) -> tuple[Scalar, Scalar]:
    """One head's part of R -+ rho', and a form that shows it not to be negative."""
    term = SIZE + n * beta * scale_h**2 / (4 * M) - side * (M * scale_h * INVERSE) - side * (LEAN * PULL)
    first = (SIZE - side * scale_h) * M * INVERSE + SIZE * WEIGHT * INVERSE
    if side > 0:
        return term, first + beta * scale_h**2 * lean_form()
    return term, first + beta * scale_h**2 * (n / (4 * M) + LEAN * WEIGHT * INVERSE**2)


def bend_term(side: int) -> tuple[Scalar, Scalar]:
    """One head's part of R2 +- rho'', and a form that shows it not to be negative."""
    term = (
        beta * scale_h**2 / 2 + n * beta**2 * scale_h**2 * SIZE / (4 * M) + side * (2 * M * PULL) + side * (LEAN * BEND)
    )
    first = (WEIGHT + M) ** 2 if side > 0 else (WEIGHT - M) ** 2
    rest = INVERSE**2 * first / 2 if side < 0 else Scalar(scalar(1)) / 2 + 2 * M * WEIGHT * INVERSE**2
    signs = WEIGHT * (SIZE + side * scale_h) + M * (SIZE - side * scale_h)
    return term, beta * scale_h**2 * rest + beta**2 * scale_h**2 * (
        SIZE * lean_form() + LEAN * WEIGHT * INVERSE**3 * signs
    )


DISTANCE = 1 - gamma_1


def signed(side: int, t: Scalar) -> Scalar:
    """Either t or -t."""
    return t if side > 0 else -t


def ends(p: Proof) -> Judgement:
    """rho(1) = Lambda."""
    return p.equal(rho(1), total_scale)


@proves("thm22.late", "slope")
def slope(p: Proof) -> None:
    """R gamma -+ rho(gamma) rises up to gamma = 1."""
    denominators(p)
    end = ends(p)
    slope_is = p.equal(rate("d_gamma", rho(gamma)), SLOPE)
    shown = []
    with p.assuming(claim.TO_THE_RIGHT) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        for side in (1, -1):
            function = rho_steepness * gamma - side * rho(gamma)
            with p.assuming(ge(gamma, gamma_1), ge(1, gamma)):
                near_one(p, gamma_1)
                term, form = slope_term(side)
                parts = summed(p, term, form)
                rises = p.nonnegative(
                    rate("d_gamma", function), form=total("h", form), using=[(1, parts), (-side, slope_is)]
                )
            grown = p.increasing(function, "gamma", rises, p.last(gt(1, gamma_1)))
            bound = rho_steepness * DISTANCE
            shown.append(
                p.compare(
                    ge(bound, signed(side, LACK)),
                    form=Scalar(grown.shows[1]) - Scalar(grown.shows[2]),
                    using=[(side, end)],
                    opaque=CLOSED,
                )
            )
        p.discharge(assumed.shows, p.conjunction(*shown))


@proves("thm22.late", "curvature")
def curvature(p: Proof) -> None:
    """R2 gamma^2/2 +- rho(gamma) is convex, so it lies above its tangent at 1."""
    denominators(p)
    end = ends(p)
    slope_is = p.equal(rate("d_gamma", rho(gamma)), SLOPE)
    curve_is = p.equal(rate("d_gamma", rate("d_gamma", rho(gamma))), 2 * M * total("h", PULL) + LEAN * total("h", BEND))
    at_end = p.equal(p.value(SLOPE, "gamma", 1), END_SLOPE)
    shown = []
    with p.assuming(claim.TO_THE_RIGHT) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        inside = [
            p.compare(ge(1, gamma_1)),
            p.compare(ge(gamma_1, gamma_1)),
            p.compare(ge(1, 1)),
            p.compare(ge(1, gamma_1)),
        ]
        for side in (1, -1):
            function = rho_bend * gamma**2 / 2 + side * rho(gamma)
            derivative = rho_bend * gamma + side * SLOPE
            with p.assuming(ge(gamma, gamma_1), ge(1, gamma)):
                near_one(p, gamma_1)
                term, form = bend_term(side)
                parts = summed(p, term, form)
                curve = p.nonnegative(
                    rate("d_gamma", rate("d_gamma", function)),
                    form=total("h", form),
                    using=[(1, parts), (side, curve_is)],
                )
            tangent = p.equal(rate("d_gamma", function), derivative, using=[(side, slope_is)])
            above = p.tangent_below(function, "gamma", curve, tangent, inside, 1, gamma_1, gamma_1, 1)
            shown.append(
                p.compare(
                    ge(rho_bend * DISTANCE**2 / 2, signed(side, claim.SECOND_LACK)),
                    form=Scalar(above.shows[1]) - Scalar(above.shows[2]),
                    using=[(side, end), (-side * DISTANCE, at_end)],
                    opaque=CLOSED,
                )
            )
        p.discharge(assumed.shows, p.conjunction(*shown))


def above_minimum(p: Proof, bound: Judgement, at: ScalarLike, *inside: Judgement) -> Judgement:
    """rho(t) >= rho_min > 0 at a t of [gamma_0, 1]."""
    _, name, body = bound.shows
    there = p.step("forall_elim", p.value(body, name, at), bound, term=scalar(at))
    known = p.modus(there, p.conjunction(*inside))
    p.positive(rho(at), form=(rho(at) - rho_min) + rho_min, opaque=CLOSED)
    return known


@proves("thm22.late", "speed")
def speed(p: Proof) -> None:
    """Theorem 22's equation with rho for its last two factors."""
    weights(p)
    for_pairs(p, claim.LATE_SPEED)


@proves("thm22.late", "example")
def example(p: Proof) -> None:
    """Every term is at least 0, and that of the positive head is greater."""
    several_tokens(p)
    weight = exp(beta * scale_h * (1 - gamma))
    p.positive(weight + n - 1, form=weight + M)

    def term(index: str) -> Scalar:
        scale = symbol("lambda", index)
        return scale / (exp(beta * scale * (1 - gamma)) + n - 1)

    with p.assuming(claim.EXAMPLE[3][1]) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        shown = p.positive(rho(gamma), form=LEAN * (term("g") + total("h", term("h"), ["g"])))
        inner = p.discharge(assumed.shows, shown)
    p.for_every("g", inner)


# --- the integrand ---------------------------------------------------------------------------------------------------

REST = 1 - gamma
GAP = total_scale - rho(gamma)
INTEGRAND = claim.LATE_INTEGRAND


def here(p: Proof, part: str) -> None:
    """A part about gamma_1, for gamma_0 <= gamma < 1."""
    lemma = p.cite("thm22.late", part)
    p.nonnegative(1 + M * gamma, form=(1 + M * gamma_0) + M * (gamma - gamma_0))
    p.compare(gt(1, gamma))
    moved = p.instance(lemma, scalars={"gamma_1": gamma})
    both = p.modus(moved, p.conjunction(p.last(gt(1, gamma)), p.last(ge(1 + M * gamma, 0))))
    p.component(both, 0)
    p.component(both, 1)


def on_path(p: Proof, bound: Judgement, path: Judgement) -> None:
    """1 - gamma > 0 and rho >= rho_min > 0."""
    start, end = p.component(path, 0), p.component(path, 1)
    p.positive(REST)
    below = p.compare(ge(1, gamma), form=REST, facts=[end])
    above_minimum(p, bound, gamma, start, below)


def integrand_bounds(p: Proof) -> tuple[Judgement, Judgement]:
    """R/rho_min >= +-I, as (R s -+ X)/(s rho) + R(1/rho_min - 1/rho)."""
    p.nonnegative(rho_steepness)
    shown = []
    for side in (1, -1):
        form = (rho_steepness * REST - side * GAP) * (1 / REST) * (1 / rho(gamma)) + rho_steepness * (
            rho(gamma) - rho_min
        ) * (1 / rho_min) * (1 / rho(gamma))
        value = p.equal(claim.INTEGRAND_BOUND - side * INTEGRAND, form, opaque=CLOSED)
        shows = (ge(claim.INTEGRAND_BOUND, INTEGRAND), ge(INTEGRAND, -claim.INTEGRAND_BOUND))[side < 0]
        shown.append(p.compare(shows, form=form, using=[(1, value)], opaque=CLOSED))
    return shown[0], shown[1]


@proves("thm22.late", "bounded")
def bounded(p: Proof) -> None:
    """I = X/(s rho), and |X| <= R s."""
    denominators(p)
    with p.assuming(claim.LOWER_BOUND) as (bound,):
        with p.assuming(claim.ON_PATH) as (path,):
            on_path(p, bound, path)
            here(p, "slope")
            inner = p.discharge(path.shows, p.conjunction(*integrand_bounds(p)))
        p.discharge(bound.shows, inner)


def end_slope_bounds(p: Proof) -> None:
    """R >= +-rho'(1)."""
    for side in (1, -1):
        term = SIZE + n * beta * scale_h**2 / (4 * M) - side * (M / n * scale_h) - side * (beta * scale_h**2 / n)
        first = (SIZE - side * scale_h) * M / n + SIZE / n
        if side > 0:
            rest = beta * scale_h**2 * (n - 2) ** 2 * (1 / (4 * M)) * (1 / n)
        else:
            rest = beta * scale_h**2 * (n / (4 * M) + 1 / n)
        parts = summed(p, term, first + rest)
        p.compare(ge(rho_steepness, side * END_SLOPE), form=total("h", first + rest), using=[(1, parts)])


@proves("thm22.late", "integrand_limit")
def integrand_limit(p: Proof) -> None:
    """With d = rho'(1): I - d/Lambda = (X - d s)/(rho s) + d X/(rho Lambda), |X - d s| <= R2 s^2/2 and |X| <= R s."""
    denominators(p)
    end = ends(p)
    end_slope_bounds(p)
    p.nonnegative(rho_steepness)
    p.nonnegative(rho_bend)
    any_slope = symbol("mu")
    with p.assuming(claim.LOWER_BOUND) as (bound,):
        whole = above_minimum(p, bound, 1, p.compare(ge(1, gamma_0)), p.compare(ge(1, 1)))
        p.compare(
            ge(total_scale, rho_min),
            form=Scalar(whole.shows[1]) - Scalar(whole.shows[2]),
            using=[(-1, end)],
            opaque=["total_scale"],
        )
        p.positive(total_scale, form=(total_scale - rho_min) + rho_min, opaque=CLOSED)
        with p.assuming(claim.ON_PATH) as (path,):
            on_path(p, bound, path)
            here(p, "slope")
            here(p, "curvature")
            limit = p.equal(claim.LIMIT_VALUE, END_SLOPE / total_scale, opaque=CLOSED)
            shown = []
            for side in (1, -1):
                form = limit_form(END_SLOPE, side)
                general = p.equal(
                    claim.LIMIT_SPEED * REST - side * (INTEGRAND - any_slope / total_scale),
                    limit_form(any_slope, side),
                    opaque=CLOSED,
                )
                value = p.instance(general, scalars={"mu": END_SLOPE})
                shows = (
                    ge(claim.LIMIT_SPEED * REST, INTEGRAND - claim.LIMIT_VALUE),
                    ge(INTEGRAND - claim.LIMIT_VALUE, -claim.LIMIT_SPEED * REST),
                )[side < 0]
                shown.append(p.compare(shows, form=form, using=[(1, value), (-side, limit)], opaque=CLOSED))
            inner = p.discharge(path.shows, p.conjunction(*shown))
        p.discharge(bound.shows, inner)


def limit_form(slope: Scalar, side: int) -> Scalar:
    """B s -+ (I - d/Lambda) as a sum of products of the bounds, with d the slope at 1."""
    r, steep, low = rho(gamma), rho_steepness, rho_min
    second_order = rho_bend * REST / 2 * (r - low) * (1 / low) * (1 / r) + (1 / r) * (1 / REST) * (
        rho_bend * REST**2 / 2 - side * (GAP - slope * REST)
    )
    crossed = (steep - slope) * (steep * REST + side * GAP) + (steep + slope) * (steep * REST - side * GAP)
    first_order = crossed / 2 * (1 / r) * (1 / total_scale) + steep**2 * REST * (
        (r - low) * total_scale + low * (total_scale - low)
    ) * (1 / low) ** 2 * (1 / r) * (1 / total_scale)
    form: Scalar = second_order + first_order
    return form


# --- times -----------------------------------------------------------------------------------------------------------


def largest(p: Proof) -> Judgement:
    """Here n sum |lambda_h|/m >= rho(gamma) for 1 + m gamma >= 0, gamma <= 1."""
    conditions = conj(ge(LEAN, 0), ge(1, gamma))
    with p.assuming(conditions) as (assumed,):
        p.component(assumed, 0)
        p.component(assumed, 1)
        p.nonnegative(1 - gamma)
        term = n * SIZE / M - LEAN * scale_h * INVERSE
        form = SIZE * (1 - gamma) + LEAN * (SIZE * WEIGHT + M * (SIZE - scale_h)) * (1 / M) * INVERSE
        parts = summed(p, term, form)
        shown = p.compare(ge(rho_bound, rho(gamma)), form=total("h", form), using=[(1, parts)])
        return p.discharge(conditions, shown)


@proves("thm22.late", "times")
def times(p: Proof) -> None:
    """1/(2 rho_bound s) <= 1/(2 s rho) <= 1/(2 rho_min s), and the integral of 1/s is -log s."""
    denominators(p)
    lemma = largest(p)
    p.positive(1 - gamma_0)
    p.positive(1 - gamma_1)
    order = p.compare(gt(gamma_1, gamma_0))
    with p.assuming(claim.LOWER_BOUND) as (bound,):
        start = above_minimum(p, bound, gamma_0, p.compare(ge(gamma_0, gamma_0)), p.compare(ge(1, gamma_0)))
        del start
        at_start = p.modus(
            p.instance(lemma, scalars={"gamma": gamma_0}),
            p.conjunction(p.nonnegative(1 + M * gamma_0), p.last(ge(1, gamma_0))),
        )
        p.positive(
            rho_bound, form=(Scalar(at_start.shows[1]) - Scalar(at_start.shows[2])) + rho(gamma_0), opaque=CLOSED
        )
        with p.assuming(le(gamma_0, gamma), le(gamma, gamma_1)):
            p.positive(REST, form=(1 - gamma_1) + (gamma_1 - gamma))
            below = p.compare(ge(1, gamma), form=REST)
            above_minimum(p, bound, gamma, p.compare(ge(gamma, gamma_0)), below)
            lean = p.nonnegative(LEAN, form=(1 + M * gamma_0) + M * (gamma - gamma_0))
            p.modus(lemma, p.conjunction(lean, below))
            pace = 1 / (2 * REST * rho(gamma))
            slow, fast = 1 / (2 * rho_bound) * (1 / REST), 1 / (2 * rho_min) * (1 / REST)
            low = (rho_bound - rho(gamma)) * (1 / (2 * rho_bound)) * (1 / rho(gamma)) * (1 / REST)
            high = (rho(gamma) - rho_min) * (1 / (2 * rho_min)) * (1 / rho(gamma)) * (1 / REST)
            least = p.compare(
                ge(pace, slow), form=low, using=[(1, p.equal(pace - slow, low, opaque=CLOSED))], opaque=CLOSED
            )
            most = p.compare(
                ge(fast, pace), form=high, using=[(1, p.equal(fast - pace, high, opaque=CLOSED))], opaque=CLOSED
            )
        shown = []
        for factor, body, sign in ((1 / (2 * rho_bound), least, 1), (1 / (2 * rho_min), most, -1)):
            compared = p.integral_compare("gamma", body, order)
            with p.assuming(le(gamma_0, gamma), le(gamma, gamma_1)):
                slope = p.equal(rate("d_gamma", -factor * log(REST)), factor * (1 / REST))
            known = p.antiderivative(-factor * log(REST), "gamma", slope, order)
            elapsed = factor * claim.ELAPSED
            shows = ge(claim.LATE_TIME, elapsed) if sign > 0 else ge(elapsed, claim.LATE_TIME)
            form = Scalar(compared.shows[1]) - Scalar(compared.shows[2])
            shown.append(p.compare(shows, form=form, using=[(sign, known)], opaque=CLOSED))
        p.discharge(bound.shows, p.conjunction(*shown))


# --- the law ---------------------------------------------------------------------------------------------------------

WHOLE = claim.LATE_INTEGRAL


def between(p: Proof, bound: Judgement) -> tuple[Judgement, Judgement]:
    """1 - gamma > 0 and rho > 0 for gamma_0 <= gamma <= gamma_1; shows gamma >= gamma_0 and 1 > gamma."""
    p.positive(REST, form=(1 - gamma_1) + (gamma_1 - gamma))
    start, end = p.compare(ge(gamma, gamma_0)), p.compare(gt(1, gamma), form=REST)
    above_minimum(p, bound, gamma, start, p.compare(ge(1, gamma), form=REST))
    return start, end


@proves("thm22.late", "law")
def law(p: Proof) -> None:
    """I = 2 Lambda/(2 s rho) - 1/s, and log s has the slope -1/s."""
    denominators(p)
    order = p.compare(gt(gamma_1, gamma_0))
    p.positive(1 - gamma_0)
    p.positive(1 - gamma_1)
    pace, weight = 1 / (2 * (1 - gamma) * rho(gamma)), 2 * total_scale
    with p.assuming(claim.LOWER_BOUND) as (bound,):
        with p.assuming(le(gamma_0, gamma), le(gamma, gamma_1)):
            between(p, bound)
            slope_is = p.equal(rate("d_gamma", log(1 - gamma)), INTEGRAND - weight * pace, opaque=CLOSED)
        shifted = p.integral_shift(log(1 - gamma), "gamma", weight, INTEGRAND, pace, slope_is, order)
        exponent = Scalar(shifted.shows[2])
        both = p.exponents(eq(exp(WHOLE), exp(exponent)))
        same = p.modus(p.direction(both, False), shifted)
        shown = p.equal(claim.LAW[2][1], claim.LAW[2][2], using=[(-(1 - gamma_0), same)], opaque=CLOSED)
        p.discharge(bound.shows, shown)


@proves("thm22.late", "converges")
def converges(p: Proof) -> None:
    """The integral of I from gamma_0 to gamma_1 lies between -+B(gamma_1 - gamma_0)."""
    denominators(p)
    order = p.compare(gt(gamma_1, gamma_0))
    p.positive(1 - gamma_0)
    p.positive(1 - gamma_1)
    exact, bounds = p.cite("thm22.late", "law"), p.cite("thm22.late", "bounded")
    most = claim.INTEGRAND_BOUND
    with p.assuming(claim.LOWER_BOUND) as (bound,):
        value = p.modus(exact, bound)
        with p.assuming(le(gamma_0, gamma), le(gamma, gamma_1)):
            path = p.conjunction(*between(p, bound))
            both = p.modus(p.modus(bounds, bound), path)
            sides = p.component(both, 0), p.component(both, 1)
        shown = []
        for side, body in zip((1, -1), sides, strict=True):
            level = signed(side, most)
            compared = p.integral_compare("gamma", body, order)
            constant = p.antiderivative(level * gamma, "gamma", p.equal(rate("d_gamma", level * gamma), level), order)
            end = level * (gamma_1 - gamma_0)
            low, high = (WHOLE, end) if side > 0 else (end, WHOLE)
            p.nonnegative(
                high - low,
                form=Scalar(compared.shows[1]) - Scalar(compared.shows[2]),
                using=[(-side, constant)],
                opaque=CLOSED,
            )
            exp_increases(p, low, high, opaque=CLOSED)
            shows = claim.CONVERGES[2][1 if side > 0 else 2]
            form = (1 - gamma_0) * (exp(high) - exp(low))
            shown.append(p.compare(shows, form=form, using=[(-side, value)], opaque=CLOSED))
        p.discharge(bound.shows, p.conjunction(*shown))
