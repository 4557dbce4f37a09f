"""Theorem 27: the entropy of attention.

Statement: however scores change, the entropy of e^{beta s_j}/Z changes at -beta^2 Cov(s, s'). On the equiangular path
it is S = ln(e^a + n - 1) - a e^a/(e^a + n - 1), a = beta lambda (1 - gamma), and rises with gamma; so under SA it
does not fall while gamma does not. Off the path, and on it with a negative scale, it can: see
`counterexamples/thm27_*`. Its deficit ln n - S lies between (n - 1) a^2 e^{-|a|}/(2 n^2) and the same with e^{|a|}.
Hypotheses: none for the identity; scalar and equiangular on the path; alignment where tokens move.
Notation: p_j attention weights, S entropy, a the exponent's gap, p = e^a/(e^a + n - 1).
Method: differentiate and let the normal form cancel the logarithms; the mean value theorem in a for the deficit.
Not proved here: that (1 - gamma) e^{2 Lambda t} converges, which is thm22.late.
"""

from __future__ import annotations

from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import (
    Formula,
    Node,
    Scalar,
    absolute,
    disj,
    exp,
    forall,
    ge,
    gt,
    log,
    n,
    norm2,
    rate,
    symbol,
    total,
    vector,
    vtotal,
)
from antumbra.proofs.registry import proves
from antumbra.proofs.setting import beta, gamma, normaliser, scale_h
from antumbra.proofs.statements import thm27 as claim
from antumbra.proofs.tactics import exp_increases

PARTITION = exp(claim.gap) + n - 1
"""e^a + n - 1."""


def _partition_positive(p: Proof) -> None:
    """e^a + (n - 1) > 0, since there is at least one token."""
    p.step("size", ge(n, 1))
    p.positive(PARTITION, form=exp(claim.gap) + (n - 1))


@proves("thm27.identity", "rate")
def identity(p: Proof) -> None:
    """Ln p_j = beta s_j - ln Z and p_j' = beta p_j (s_j' - mean of s'); the terms with ln Z cancel."""
    p.equal(claim.IDENTITY[1], claim.IDENTITY[2])


@proves("thm27.equiangular", "closed_form")
def closed_form(p: Proof) -> None:
    """One weight is e^a/(e^a + n - 1), the n - 1 others are 1/(e^a + n - 1)."""
    p.positive(normaliser("h", "i"))
    p.positive(claim.attention)
    _partition_positive(p)
    p.equal(claim.CLOSED[1], claim.CLOSED[2])


@proves("thm27.equiangular", "own_weight")
def own_weight(p: Proof) -> None:
    """e^{beta lambda} over e^{beta lambda} + (n - 1) e^{beta lambda gamma}."""
    _partition_positive(p)
    p.equal(claim.SELF_ATTENTION[1], claim.SELF_ATTENTION[2])


@proves("thm27.equiangular", "slope")
def slope(p: Proof) -> None:
    """dS/da = -a p (1 - p) and da/dgamma = -beta lambda."""
    _partition_positive(p)
    p.equal(claim.PATH_IS[1], claim.PATH_IS[2])


def _other_attention(p: Proof) -> None:
    """1 - p = (n - 1)/(e^a + n - 1) >= 0."""
    rest = 1 - claim.p_path
    share = (n - 1) / PARTITION
    p.nonnegative(rest, form=share, using=[(1, p.equal(rest, share))])


@proves("thm27.equiangular", "monotone")
def monotone(p: Proof) -> None:
    """beta^2 lambda^2 (1 - gamma) p (1 - p) is a product of factors that are at least 0."""
    _partition_positive(p)
    _other_attention(p)
    p.nonnegative(1 - gamma)
    p.nonnegative(claim.PATH_RATE, form=claim.PATH_SPEED)


def _slope_nonnegative(p: Proof) -> None:
    """The slope on a configuration, where 1 - gamma = |x_i - x_j|^2/2 >= 0."""
    _other_attention(p)
    p.nonnegative(1 - gamma, form=norm2(vector("x", "i") - vector("x", "j")) / 2)
    p.nonnegative(claim.PATH_SPEED)


def _chain(p: Proof) -> Judgement:
    """dS/dt = (dS/dgamma) d<x_i, x_j>/dt for i != j, by normal form."""
    _partition_positive(p)
    p.positive(normaliser("h", "i"))
    p.positive(claim.attention)
    return p.equal(claim.TOKEN_RATE, claim.PATH_SPEED * claim.APPROACH)


@proves("thm27.general.amended", "chain")
def chain(p: Proof) -> None:
    """The chain rule, on the configuration itself."""
    with p.apart(("j", "i")):
        link = _chain(p)
    p.for_every("i", p.for_every("j", link, ["i"]))


@proves("thm27.general.amended", "while_approaching")
def while_approaching(p: Proof) -> None:
    """The slope is at least 0, so the entropy's rate has the sign of the rate of gamma."""
    with p.apart(("j", "i")):
        link = _chain(p)
        _slope_nonnegative(p)
        with p.assuming(ge(claim.APPROACH, 0)) as (approaching,):
            product = claim.PATH_SPEED * claim.APPROACH
            rises = p.nonnegative(claim.TOKEN_RATE, form=product, using=[(1, link)])
            implied = p.discharge(approaching.shows, rises)
    p.for_every("i", p.for_every("j", implied, ["i"]))


@proves("thm27.general.amended", "nonnegative_scales")
def nonnegative_scales(p: Proof) -> None:
    """(1 - gamma) gamma' is (1 - gamma)^2 times factors that are at least 0; 1 + (n - 1) gamma = |sum of x_i|^2/n."""
    _partition_positive(p)
    p.positive(normaliser("h", "i"))
    p.positive(claim.attention)
    p.nonnegative(1 + (n - 1) * gamma, form=norm2(vtotal("j", vector("x", "j"))) / n)
    slope_over_gap = (n - 1) * (beta * scale_h) ** 2 * exp(claim.gap) * (1 / PARTITION) ** 2
    speed_over_gap = (
        2
        * (1 + (n - 1) * gamma)
        * total("g", symbol("lambda", "g") / (exp(beta * symbol("lambda", "g") * (1 - gamma)) + n - 1))
    )
    product = slope_over_gap * (1 - gamma) ** 2 * speed_over_gap
    rate_is = p.equal(claim.TOKEN_RATE, product)
    p.nonnegative(claim.TOKEN_RATE, form=product, using=[(1, rate_is)])


# --- the deficit ln n - S, by the mean value theorem in the gap a -----------------------------------------------------


def _rises(p: Proof, side: int, upper: bool, order: Judgement) -> None:
    """For x = |a|, a = side * x: K x^2 e^x - (ln n - S), or (ln n - S) - K x^2 e^{-x}, rises from 0 at x = 0.

    With B = e^a + n - 1 the slope of the deficit is x (n - 1) e^a/B^2, and B lies between n and n e^a.
    """
    x = symbol("gap")
    own = exp(side * x)
    partition = own + n - 1
    p.positive(partition, form=own + (n - 1))
    deficit = log(n) - (log(partition) - side * x * own / partition)
    weight = exp(x) if upper else exp(-x)
    bound = (n - 1) * x**2 / (2 * n**2) * weight
    function = bound - deficit if upper else deficit - bound
    slope = rate("d_gap", function)
    with p.assuming(ge(x, 0)):
        exp_increases(p, *((0, x) if side > 0 else (-x, 0)))
        grown = own - 1 if side > 0 else 1 - own
        p.nonnegative(grown, form=side * (own - exp(0)))
        between = grown * (partition + n) if upper == (side > 0) else (n - 1) * grown * (partition + n * own)
        form = bound + (n - 1) * x * weight * between * (1 / partition) ** 2 / n**2
        steep = p.nonnegative(slope, form=form, using=[(1, p.equal(slope, form))])
    p.increasing(function, "gap", steep, order)


def _deficit_bound(p: Proof, shows: Node, upper: bool) -> Judgement:
    """The bound for a >= 0 and for a < 0, where |a| is a or -a."""
    p.step("size", ge(n, 1))
    a = claim.gap
    _partition_positive(p)
    branches = []
    for side, case in ((1, ge(a, 0)), (-1, gt(0, a))):
        with p.assuming(case) as (sign,):
            order = sign if side > 0 else p.nonnegative(side * a, form=0 - a)
            _rises(p, side, upper, order)
            function = p.steps[-1].judgement.shows
            branches.append(p.compare(shows, form=Scalar(function[1]) - Scalar(function[2])))
    return p.cases(p.step("compare", disj(ge(a, 0), gt(0, a))), *branches)


@proves("thm27.deficit_rate", "upper")
def deficit_upper(p: Proof) -> None:
    """K x^2 e^x - (ln n - S) rises from 0 with x = |a|."""
    _deficit_bound(p, claim.DEFICIT_UPPER, True)


@proves("thm27.deficit_rate", "lower")
def deficit_lower(p: Proof) -> None:
    """(ln n - S) - K x^2 e^{-x} rises from 0 with x = |a|."""
    _deficit_bound(p, claim.DEFICIT_LOWER, False)


def _scaled(p: Proof, shows: Node, bound: Node, upper: bool) -> None:
    """A bound on ln n - S times e^{4 Lambda t}."""
    p.step("size", ge(n, 1))
    _partition_positive(p)
    p.cite("thm27.deficit_rate", "upper" if upper else "lower")
    gap_between = Scalar(bound[2]) - Scalar(bound[1]) if upper else Scalar(bound[1]) - Scalar(bound[2])
    p.compare(shows, form=exp(4 * claim.drift * claim.time) * gap_between)


@proves("thm27.deficit_rate", "rate_upper")
def rate_upper(p: Proof) -> None:
    """e^{4 Lambda t} (1 - gamma)^2 is the square of (1 - gamma) e^{2 Lambda t}."""
    _scaled(p, claim.RATE_UPPER, claim.DEFICIT_UPPER, True)


@proves("thm27.deficit_rate", "rate_lower")
def rate_lower(p: Proof) -> None:
    """The same from below."""
    _scaled(p, claim.RATE_LOWER, claim.DEFICIT_LOWER, False)


@proves("thm27.limit", "below")
def limit_below(p: Proof) -> None:
    """The lower bound on ln n - S is at least 0."""
    p.step("size", ge(n, 1))
    _partition_positive(p)
    p.cite("thm27.deficit_rate", "lower")
    floor = claim.LEADING * exp(-absolute(claim.gap))
    p.compare(claim.LIMIT_BELOW, form=(claim.DEFICIT - floor) + floor)


def _within_modulus(p: Proof) -> None:
    """On [0, 1] ln n - S <= (n-1) beta^2 lambda^2 e^{beta |lambda|} (1 - gamma)^2/(2 n^2), by |a| <= beta |lambda|."""
    p.cite("thm27.deficit_rate", "upper")
    size_of_gap, size_of_scale = absolute(claim.gap), absolute(scale_h)
    most = beta * size_of_scale
    squares = p.compare(ge(most**2, size_of_gap**2), form=(beta * scale_h) ** 2 * gamma * (1 + (1 - gamma)))
    p.modus(p.direction(p.squares(ge(most, size_of_gap))), squares)
    p.nonnegative(most - size_of_gap)
    exp_increases(p, size_of_gap, most)
    ceiling = claim.LEADING * exp(size_of_gap)
    p.compare(
        claim.LIMIT_ABOVE,
        form=(ceiling - claim.DEFICIT) + claim.LEADING * (exp(beta * size_of_scale) - exp(size_of_gap)),
    )


@proves("thm27.limit", "above")
def limit_above(p: Proof) -> None:
    """|a| <= beta |lambda| on [0, 1], in the upper bound on ln n - S."""
    p.step("size", ge(n, 1))
    _partition_positive(p)
    p.nonnegative(1 - gamma)
    _within_modulus(p)


def _near_enough(p: Proof) -> Judgement:
    """If r <= 1 and K r < e, then 1 - gamma < r gives ln n - S <= K (1 - gamma)^2 <= K (1 - gamma) < e."""
    modulus, radius, near = claim.MODULUS, claim.radius, 1 - gamma
    p.nonnegative(modulus)
    small, harmless = ge(1, radius), gt(claim.tolerance, modulus * radius)
    with p.assuming(small, harmless):
        with p.assuming(claim.NEAR) as (both,):
            p.component(both, 0)
            p.component(both, 1)
            p.nonnegative(near)
            p.nonnegative(gamma, form=(1 - radius) + (radius - near))
            _within_modulus(p)
            p.cite("thm27.limit", "below")
            p.nonnegative(claim.DEFICIT)
            excess = Scalar(claim.LIMIT_ABOVE[1]) - Scalar(claim.LIMIT_ABOVE[2])
            spare = claim.tolerance - modulus * radius
            form = excess + modulus * near * gamma + modulus * (radius - near) + spare
            implied = p.discharge(both.shows, p.compare(claim.CLOSE, form=form))
        everywhere = p.step("forall_intro", forall("gamma", Formula(implied.shows)), implied)
    return p.discharge(small, p.discharge(harmless, everywhere))


@proves("thm27.limit", "limit")
def limit(p: Proof) -> None:
    """With K the modulus, r = e/(e + K) will do: r <= 1 and K r = e - e r."""
    p.step("size", ge(n, 1))
    _partition_positive(p)
    p.nonzero(PARTITION)
    p.nonzero(n)
    lemma = _near_enough(p)
    modulus, tolerance = claim.MODULUS, claim.tolerance
    known = [p.positive(tolerance + modulus), p.last(ge(modulus, 0))]
    radius = tolerance / (tolerance + modulus)
    inside = p.positive(radius, facts=known)
    rest = modulus / (tolerance + modulus)
    small = p.compare(ge(1, radius), form=rest, using=[(1, p.equal(1 - radius, rest, facts=known))], facts=known)
    spare = p.equal(tolerance - modulus * radius, tolerance * radius, facts=known)
    harmless = p.compare(gt(tolerance, modulus * radius), form=tolerance * radius, using=[(1, spare)], facts=known)
    applied = p.instance(lemma, scalars={"radius": radius}, domains=[inside])
    everywhere = p.modus(p.modus(applied, small), harmless)
    p.step("exists_intro", claim.LIMIT, everywhere, inside, term=radius)
