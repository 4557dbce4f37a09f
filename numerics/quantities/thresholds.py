"""Critical temperatures and the shape of the early rate (Theorems 19 and 22).

Notation: m = H - 1; c*(H) the positive root of c^2 + m c - 1; phi(lambda) = 2 lambda / (e^(lambda beta) + n - 1).
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.numerics.quantities.answer import Answer, Exact, Nothing, Real
from antumbra.numerics.quantities.balls import ball, root, sign
from flint import arb


def c_star_ball(heads: int) -> arb:
    """c*(H) = 2 / (m + sqrt(m^2 + 4)), free of cancellation."""
    m = ball(heads - 1)
    return 2 / (m + (m * m + 4).sqrt())


def c_star(heads: int) -> Answer:
    """c*(H); 1 for one head. For H >= 2 it is irrational, as m^2 + 4 is no square for m >= 1."""
    return Exact(Fraction(1)) if heads == 1 else Real(lambda: c_star_ball(heads))


def scaled_beta_star(heads: int, n: int) -> arb:
    """2 alpha beta* = ln((n - 1) / (H - 1)) - arsinh((H - 1) / 2), for H >= 2."""
    m = heads - 1
    return ball(Fraction(n - 1, m)).log() - ball(Fraction(m, 2)).asinh()


def beta_star(heads: int, n: int, alpha: Fraction) -> Answer:
    """beta*; infinite for one head, none where it is not positive.

    It is never zero: that needs c* (n - 1) = H - 1, and c* is irrational for H >= 2.
    """
    if heads == 1:
        return Nothing("infinite")
    if sign(lambda: scaled_beta_star(heads, n), "beta_star") < 0:
        return Nothing("none")
    return Real(lambda: scaled_beta_star(heads, n) / (2 * ball(alpha)))


def beta_sharp(heads: int, n: int, alpha: Fraction) -> Answer:
    """ln((n - 1) / (H - 1)) / (2 alpha); infinite for one head, none where it is not positive (n <= H)."""
    if heads == 1:
        return Nothing("infinite")
    if n <= heads:
        return Nothing("none")
    return Real(lambda: ball(Fraction(n - 1, heads - 1)).log() / (2 * ball(alpha)))


def lambda_max(n: int, beta: Fraction) -> Answer:
    """(1 + W0((n - 1) / e)) / beta, the peak of phi."""
    return Real(lambda: (1 + (ball(n - 1) * arb(-1).exp()).lambertw()) / ball(beta))


def inflection(n: int) -> arb:
    """u_c(n): the root above 2 of (u - 2) e^u = (u + 2)(n - 1).

    With w = u - 2 > 0 it is the zero of g(w) = ln(w / (w + 4)) + 2 + w - ln(n - 1), g' = 4 / (w (w + 4)) + 1 > 0, so it
    is unique; g(1/4) < ln(9.5/17) < 0 <= ln(n - 1) - g for n >= 2, and at w = max(1, ln(n - 1)) + 2 it is positive.
    """

    def excess(w: arb) -> arb:
        return (w / (w + 4)).log() + 2 + w - ball(n - 1).log()

    def slope(w: arb) -> arb:
        return 4 / (w * (w + 4)) + 1

    logarithm = ball(n - 1).log()
    upper = (logarithm if logarithm > 1 else arb(1)) + 2
    return 2 + root(excess, slope, Fraction(1, 4), upper)


def lambda_c(n: int, beta: Fraction) -> Answer:
    """u_c(n) / beta, the inflection of phi on lambda > 0."""
    return Real(lambda: inflection(n) / ball(beta))


def phi(scale: Fraction, beta: Fraction, n: int) -> Answer:
    """The early rate 2 lambda / (e^(lambda beta) + n - 1) of one head."""
    if scale == 0:
        return Exact(Fraction(0))
    # e^(lambda beta) > 1 for lambda > 0 and > 0 for lambda < 0.
    below = 2 * abs(scale) / (n if scale > 0 else n - 1)
    return Real(lambda: 2 * ball(scale) / (ball(scale * beta).exp() + (n - 1)), below)


def scaled_split(mean: Fraction, beta: Fraction, n: int) -> arb:
    """Compute beta lambda tanh((beta lambda - ln(n - 1)) / 2)."""
    u = ball(mean * beta)
    return u * ((u - ball(n - 1).log()) / 2).tanh()


def delta_star(mean: Fraction, beta: Fraction, n: int) -> Answer:
    """delta*: with y = beta delta, the root of y coth(y/2) = R, R = beta lambda tanh((beta lambda - ln(n-1)) / 2).

    y coth(y/2) rises from 2 at y = 0, so there is a root iff R > 2 and it is unique. It lies below R, as
    coth > 1, and above sqrt(3 (R - 2)), as y coth(y/2) <= 2 + y^2 / 6; and R < beta lambda gives delta* < lambda.
    """
    if sign(lambda: scaled_split(mean, beta, n) - 2, "lambda - lambda_c") < 0:
        return Nothing("none")

    def enclose() -> arb:
        target = scaled_split(mean, beta, n)

        def excess(y: arb) -> arb:
            return y * (y / 2).coth() - scaled_split(mean, beta, n)

        def slope(y: arb) -> arb:
            return (y / 2).coth() - y / 2 / (y / 2).sinh() ** 2

        return root(excess, slope, (3 * (target - 2)).sqrt(), target) / ball(beta)

    return Real(enclose, below=mean)


def gamma_dagger(mean: Fraction, beta: Fraction, n: int) -> Answer:
    """1 - u_c(n) / (beta lambda): below it small heterogeneity speeds the flow up."""
    return Real(lambda: 1 - inflection(n) / ball(mean * beta))
