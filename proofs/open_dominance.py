"""Beyond the paper: how long radial dominance lasts, and what happens after.

Statement: on the equiangular path Condition 8 compares sqrt(K) A, which is convex, with sqrt(B), which is concave; so
it holds on one interval, which shrinks as beta rises and ends before gamma = 1. The energies and gamma rise all the
same.
Hypotheses: equal scalar heads of scale alpha > 0, equiangular tokens, n >= 2, H >= 2.
Notation: A = e^{beta alpha (1 - gamma)} + (n - 1) gamma, B = (n - 1)(1 - gamma)(1 + (n - 1) gamma), S = sqrt(A^2 +
B), P = H - 1, c = c*(H), K = P/c.
Method: equivalences that scale and square both sides; second derivatives.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    H,
    Scalar,
    absolute,
    exp,
    ge,
    gt,
    le,
    n,
    norm,
    norm2,
    rate,
    rational,
    sqrt,
    total,
    vector,
    vtotal,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import alpha, beta, gamma, output, shadow
from antumbra.proofs.statements import open_dominance as claim
from antumbra.proofs.statements.open_dominance import A, B, K, P, dominance, rooted
from antumbra.proofs.statements.thm19 import C, condition_8, cooler
from antumbra.proofs.statements.thm25 import gamma_0, gamma_1
from antumbra.proofs.tactics import exp_increases
from antumbra.proofs.thm19_critical_temperature import critical_ratio, several_heads, several_tokens, turned

CLOSED = ["c_star", "K_path", "A_path", "B_path"]

# --- the condition on the path ----------------------------------------------------------------------------------------


def shadow_positive(p: Proof, angle: Scalar = gamma, temperature: Scalar = beta) -> None:
    """A > 0 where 1 - gamma >= 0 and 1 + m gamma >= 0, since e^t >= 1 + t and (1 + m gamma) + m (1 - gamma) = n."""
    heat = temperature * alpha
    t = heat * (1 - angle)
    tangent = p.exp_tangent(t)
    slack = exp(t) - Scalar(tangent.shows[2])
    weight = n - 1 + heat
    p.positive(weight)
    rest = heat**2 * (1 - angle) + (n - 1) * (1 + (n - 1) * angle) + heat * n
    quotient = (slack * weight + rest) / weight
    a = A(angle, temperature)
    p.positive(a, form=quotient, using=[(1, p.equal(a, quotient))])


def _on_configuration(p: Proof) -> Judgement:
    """The range of gamma, read off the tokens; returns lambda_h = alpha."""
    several_tokens(p)
    several_heads(p)
    p.nonnegative(1 + (n - 1) * gamma, form=norm2(vtotal("j", vector("x", "j"))) / n)
    spread = total("j", norm2(vector("x", "i") - vector("x", "j"))) / (2 * (n - 1))
    p.nonnegative(1 - gamma, form=spread, using=[(1, p.equal(1 - gamma, spread))])
    shadow_positive(p)
    p.nonnegative(B())
    p.positive(A() ** 2 + B())
    return p.at(p.hypothesis("equal_heads"), "h")


def _in_closed_form(p: Proof, scale: Judgement) -> tuple[Judgement, Judgement]:
    """|a| = alpha e^{beta alpha gamma} A and |f| = alpha e^{beta alpha gamma} S."""
    pull = alpha * exp(beta * alpha * gamma)
    shadow_is = p.equal(absolute(shadow("h", "i")), pull * A(), rewriting=[scale])
    output_is = p.equal(norm(output("h", "i")), pull * sqrt(A() ** 2 + B()), rewriting=[scale])
    return shadow_is, output_is


@proves("open.invariance.amended", "condition")
def condition(p: Proof) -> None:
    """Both sides are alpha^2 e^{2 beta alpha gamma} times those of the closed form."""
    scale = _on_configuration(p)
    measured = condition_8()
    factor = alpha**2 * exp(2 * beta * alpha * gamma)
    left = p.equal(measured[1], factor * Scalar(dominance()[1]), rewriting=[scale])
    right = p.equal(measured[2], factor * Scalar(dominance()[2]), rewriting=[scale])
    same = p.scaled(measured, dominance(), factor, combo=[(rational(1), left), (rational(-1), right)])
    p.for_every("h", p.for_every("i", same))


@proves("open.invariance.amended", "sharp_condition")
def sharp_condition(p: Proof) -> None:
    """H a^2 <= |f|^2 with a and |f| in closed form is H A^2 <= A^2 + B."""
    scale = _on_configuration(p)
    shadow_is, output_is = _in_closed_form(p, scale)
    pull = alpha * exp(beta * alpha * gamma)
    root = sqrt(A() ** 2 + B())
    plain = le(A(), 1 / sqrt(H) * root)
    measured = p.scaled(claim.RATIO_BOUND, plain, pull, combo=[(rational(1), shadow_is), (-1 / sqrt(H), output_is)])
    p.nonnegative(1 / sqrt(H) * root)
    squares = turned(p, p.squares(plain))
    tested = p.scaled(squares.shows[2], claim.SHARP[3][3][2], 1 / H)
    p.for_every("h", p.for_every("i", p.chain(measured, squares, tested)))


def weight_positive(p: Proof) -> Judgement:
    """K = P/c > 0; returns c K = P. The root c and its sign are shown before."""
    p.positive(K, form=P / C, opaque=["c_star"])
    return p.equal(C * K, P, opaque=["c_star"])


def _equivalent(p: Proof, angle: Scalar = gamma, temperature: Scalar = beta) -> Judgement:
    """B - P A S = (c S - A)(S (c + P) + A), and c^2 S^2 - A^2 = c^2 (B - K A^2); needs A > 0 and B >= 0."""
    several_heads(p)
    is_root = critical_ratio(p)
    a, b = A(angle, temperature), B(angle)
    p.positive(a**2 + b, opaque=CLOSED)
    root = sqrt(a**2 + b)
    p.positive(root * (C + P) + a, opaque=CLOSED)
    against_ratio = le(a, C * root)
    first = p.scaled(
        dominance(angle, temperature), against_ratio, root * (C + P) + a, combo=[(root**2, is_root)], opaque=CLOSED
    )
    p.nonnegative(C * root, opaque=CLOSED)
    squares = turned(p, p.squares(against_ratio))
    weight = weight_positive(p)
    target = rooted(angle, temperature)
    p.nonnegative(target[1], opaque=CLOSED)
    p.nonnegative(target[2], opaque=CLOSED)
    back = p.squares(target)
    middle = p.scaled(
        squares.shows[2], back.shows[1], C**2, combo=[(-(a**2), is_root), (-C * a**2, weight)], opaque=CLOSED
    )
    return p.chain(first, squares, middle, back)


def roots_compared(p: Proof, angle: Scalar = gamma, temperature: Scalar = beta) -> Judgement:
    """Condition 8 against sqrt(K) A <= sqrt(B), where 1 - gamma >= 0 and 1 + m gamma >= 0 are among the facts."""
    p.nonnegative(B(angle))
    shadow_positive(p, angle, temperature)
    return _equivalent(p, angle, temperature)


def equivalence_anywhere(p: Proof) -> Judgement:
    """The equivalence as a lemma with gamma free, to be used at several points."""
    left, right = ge(1 - gamma, 0), ge(1 + (n - 1) * gamma, 0)
    with p.assuming(left, right):
        compared = roots_compared(p)
    return p.discharge(left, p.discharge(right, compared))


def equivalence_at(p: Proof, lemma: Judgement, angle: Scalar) -> Judgement:
    """The lemma at a point; 1 - angle >= 0 and 1 + m angle >= 0 are shown before."""
    there = p.instance(lemma, scalars={"gamma": angle})
    for _ in range(2):
        there = p.modus(there, p.last(there.shows[1]))
    return there


@proves("open.invariance.amended", "equivalent")
def equivalent(p: Proof) -> None:
    """Factor out the root c of c^2 + P c - 1, then square."""
    several_tokens(p)
    p.nonnegative(1 - gamma)
    roots_compared(p)


# --- its interval -----------------------------------------------------------------------------------------------------


@proves("open.invariance.amended", "A_convex")
def shadow_convex(p: Proof) -> None:
    """A'' = (beta alpha)^2 e^{beta alpha (1 - gamma)}."""
    p.positive(claim.A_CURVE, form=(beta * alpha) ** 2 * exp(beta * alpha * (1 - gamma)))


def _inside(p: Proof) -> None:
    """B > 0, strictly inside."""
    several_tokens(p)
    p.positive(1 - gamma)
    p.positive(B())


def root_curve(p: Proof) -> Judgement:
    """The discriminant of B is constant: sqrt(B)'' = -m^2 n^2/(4 B^{3/2})."""
    curve = -((n - 1) ** 2) * n**2 / 4 * (1 / sqrt(B())) ** 3
    p.positive(sqrt(B()))
    return p.equal(claim.B_CURVE, curve)


@proves("open.invariance.amended", "B_concave")
def root_concave(p: Proof) -> None:
    """The discriminant of B is constant: sqrt(B)'' = -m^2 n^2/(4 B^{3/2})."""
    _inside(p)
    curve = root_curve(p)
    p.compare(claim.B_CONCAVE, form=-Scalar(curve.shows[2]), using=[(-1, curve)])


def excess_convex(p: Proof) -> tuple[Scalar, Judgement]:
    """The excess sqrt(K) A - sqrt(B) is convex between gamma_0 and gamma_1."""
    several_heads(p)
    critical_ratio(p)
    weight_positive(p)
    excess = sqrt(K) * A() - sqrt(B())
    with p.assuming(le(gamma_0, gamma), le(gamma, gamma_1)):
        p.positive(1 + (n - 1) * gamma, form=(1 + (n - 1) * gamma_0) + (n - 1) * (gamma - gamma_0))
        p.positive(1 - gamma, form=(1 - gamma_1) + (gamma_1 - gamma))
        p.positive(B())
        root = root_curve(p)
        curve = sqrt(K) * (beta * alpha) ** 2 * exp(beta * alpha * (1 - gamma)) - Scalar(root.shows[2])
        shown = p.nonnegative(
            rate("d_gamma", rate("d_gamma", excess)), form=curve, using=[(-1, root)], opaque=["c_star"]
        )
    return excess, shown


@proves("open.invariance.amended", "interval")
def interval(p: Proof) -> None:
    """A convex function that is at most 0 at both ends is so between."""
    several_tokens(p)
    excess, curve = excess_convex(p)
    middle = claim.gamma_2
    above, below = p.compare(ge(middle, gamma_0)), p.compare(ge(gamma_1, middle))
    p.nonnegative(gamma_1 - gamma_0, form=(gamma_1 - middle) + (middle - gamma_0))
    lemma = equivalence_anywhere(p)
    equivalences = []
    for angle in (gamma_0, gamma_1, middle):
        p.nonnegative(1 + (n - 1) * angle, form=(1 + (n - 1) * gamma_0) + (n - 1) * (angle - gamma_0))
        p.nonnegative(1 - angle, form=(1 - gamma_1) + (gamma_1 - angle))
        equivalences.append(equivalence_at(p, lemma, angle))
    with p.assuming(claim.HELD_AROUND) as (held,):
        ends = []
        for place, angle in enumerate((gamma_0, gamma_1)):
            compared = p.modus(p.direction(equivalences[place]), p.component(held, place))
            below_zero = Scalar(compared.shows[2]) - Scalar(compared.shows[1])
            ends.append(
                p.compare(ge(0, p.value(excess, "gamma", angle)), form=below_zero, opaque=CLOSED, facts=[compared])
            )
        between = p.convex_between(excess, "gamma", curve, (ends[0], ends[1]), (above, below))
        form = Scalar(between.shows[1]) - Scalar(between.shows[2])
        under = p.compare(rooted(middle), form=form, opaque=CLOSED, facts=[between])
        shown = p.modus(p.direction(equivalences[2], False), under)
    p.discharge(held.shows, shown)


@proves("open.invariance.amended", "shrinks")
def shrinks(p: Proof) -> None:
    """A rises with beta, B does not depend on it."""
    several_tokens(p)
    p.nonnegative(1 - gamma)
    here = roots_compared(p)
    there = p.instance(here, scalars={"beta": cooler}, domains=[p.step("symbol", gt(cooler, 0))])
    low, high = cooler * alpha * (1 - gamma), beta * alpha * (1 - gamma)
    with p.assuming(claim.SHRINKS[1]) as (assumed,):
        p.component(assumed, 0)
        held = p.modus(p.direction(here), p.component(assumed, 1))
        p.nonnegative(high - low, form=(beta - cooler) * alpha * (1 - gamma))
        exp_increases(p, low, high)
        p.nonnegative(A() - A(gamma, cooler), form=exp(high) - exp(low))
        back = p.direction(there, False)
        form = sqrt(K) * (A() - A(gamma, cooler)) + (Scalar(held.shows[2]) - Scalar(held.shows[1]))
        shown = p.modus(back, p.compare(rooted(gamma, cooler), form=form, opaque=CLOSED))
    p.discharge(assumed.shows, shown)


@proves("open.invariance.amended", "fails_late")
def fails_late(p: Proof) -> None:
    """There A >= 1 and B < 1, so S >= 1 and P A S >= 1 > B."""
    several_tokens(p)
    several_heads(p)
    p.nonnegative(1 - gamma)
    t = beta * alpha * (1 - gamma)
    tangent = p.exp_tangent(t)
    slack = exp(t) - Scalar(tangent.shows[2])
    p.nonnegative(A() - 1, form=slack + t + (n - 1) * gamma)
    p.positive(A(), form=(A() - 1) + 1, opaque=CLOSED)
    p.nonnegative(B())
    root = sqrt(A() ** 2 + B())
    p.positive(A() ** 2 + B(), opaque=CLOSED)
    squares = p.compare(ge(root**2, Scalar(rational(1)) ** 2), form=(A() - 1) * (A() + 1) + B(), opaque=CLOSED)
    p.modus(p.direction(p.squares(ge(root, 1))), squares)
    with p.assuming(claim.FAILS_LATE[1]) as (late,):
        small = (1 - n * (n - 1) * (1 - gamma)) + (n - 1) ** 2 * (1 - gamma) ** 2
        p.positive(1 - B(), form=small)
        form = P * A() * (root - 1) + P * (A() - 1) + (H - 2) + (1 - B())
        shown = p.compare(claim.FAILS_LATE[2], form=form, opaque=CLOSED)
    p.discharge(late.shows, shown)


# --- after dominance --------------------------------------------------------------------------------------------------

GROWTH = (n - 1) / n**2 * alpha * exp(beta * alpha * gamma)
SPEED = 2 / n * (1 - gamma) * (1 + (n - 1) * gamma) * H * alpha * exp(beta * alpha * gamma)


def _same_scale(p: Proof) -> list[Judgement]:
    """lambda_h = alpha for every head."""
    return [p.at(p.hypothesis("equal_heads"), "h")]


@proves("open.after", "energies")
def energies(p: Proof) -> None:
    """dE_h/dt = (m/n^2) H alpha^2 e^{2 beta alpha gamma} (1 - gamma)(1 + m gamma)."""
    several_tokens(p)
    p.positive(1 - gamma)
    form = (n - 1) / n**2 * H * (alpha * exp(beta * alpha * gamma)) ** 2 * (1 - gamma) * (1 + (n - 1) * gamma)
    growth = p.equal(claim.ENERGY_RATE, form, rewriting=_same_scale(p))
    p.for_every("h", p.positive(claim.ENERGY_RATE, form=form, using=[(1, growth)]))


@proves("open.after", "closing")
def closing(p: Proof) -> None:
    """The rate of gamma is (2/n)(1 - gamma)(1 + m gamma) H alpha e^{beta alpha gamma}."""
    several_tokens(p)
    p.positive(1 - gamma)
    with p.apart(("j", "i")):
        moved = p.equal(claim.APPROACH, SPEED, rewriting=_same_scale(p))
        rises = p.positive(claim.APPROACH, form=SPEED, using=[(1, moved)])
    p.for_every("i", p.for_every("j", rises, ["i"]))


@proves("open.after", "clusters")
def clusters(p: Proof) -> None:
    """1 + m gamma and e^{beta alpha gamma} are at least what they are at gamma_0."""
    several_tokens(p)
    p.nonnegative(1 - gamma)
    with p.assuming(claim.CLUSTERS[1]) as (later,):
        p.nonnegative(beta * alpha * gamma - beta * alpha * gamma_0, form=beta * alpha * (gamma - gamma_0))
        exp_increases(p, beta * alpha * gamma_0, beta * alpha * gamma)
        grown = exp(beta * alpha * gamma) - exp(beta * alpha * gamma_0)
        wider = (n - 1) * (gamma - gamma_0)
        p.nonnegative(1 + (n - 1) * gamma, form=(1 + (n - 1) * gamma_0) + wider)
        excess = (1 + (n - 1) * gamma) * grown + wider * exp(beta * alpha * gamma_0)
        with p.apart(("j", "i")):
            moved = p.equal(claim.APPROACH, SPEED, rewriting=_same_scale(p))
            bound = ge(claim.APPROACH, claim.LEAST_RATE * (1 - gamma))
            form = 2 / n * (1 - gamma) * H * alpha * excess
            shown = p.compare(bound, form=form, using=[(1, moved)])
        everywhere = p.for_every("i", p.for_every("j", shown, ["i"]))
    p.discharge(later.shows, everywhere)
