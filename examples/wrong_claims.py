"""Wrong claims, each a plausible slip; the suite must prove none of them.

    antumbra verify --claims examples/wrong_claims.py

Each is refuted by an exact counterexample that the suite finds by itself, or stays undecided.
"""

from __future__ import annotations

from fractions import Fraction

from antumbra.proofs import Claim, Model, Part, declare, point, setting, terms
from antumbra.proofs.kernel.terms import H, eq, exp, ge, gt, iff, ip, log, n, norm2, rate, sqrt, symbol, total
from antumbra.proofs.statements import thm19, thm22, thm25, thm27

declare("real_number", "scalar", text="any real number")
t = symbol("real_number")

cross = setting.shadow("h", "i") * total("g", setting.shadow("g", "i"), ["h"])
theorem_17 = eq(
    rate("usa_sphere", setting.head_energy("h")),
    1 / n**3 * total("i", norm2(setting.tangential_output("h", "i")) + cross),
)

c_star = thm19.c_star(H)
critical_ratio = eq(c_star**2 + H * c_star - 1, 0)
critical_temperature = eq(thm19.beta_star(), 1 / setting.alpha * log(c_star**2 * (n - 1) / (1 - c_star**2)))
positive_threshold = iff(gt(thm19.beta_star(), 0), ge(n, 3))

concave = gt(0, rate("d_mu", rate("d_mu", thm22.phi(thm22.mu))))

entropy, covariance = thm27.entropy, thm27.covariance
entropy_plus = eq(rate("scores", entropy), setting.beta**2 * covariance)
entropy_linear = eq(rate("scores", entropy), -setting.beta * covariance)

overlaps = total("g", ip(setting.output("h", "i"), setting.output("g", "i")), ["h"])
total_weight = setting.normaliser("h", "i") * total("g", setting.normaliser("g", "i"), ["h"])
theorem_39 = ge(
    rate("usa_sphere", setting.head_energy("h")),
    1
    / n**3
    * total(
        "i",
        norm2(setting.tangential_output("h", "i"))
        - terms.absolute(setting.shadow("h", "i")) * total("g", terms.absolute(setting.shadow("g", "i")), ["h"])
        - setting.overlap**2 * total_weight,
    ),
)

m, scale, gamma, a = thm25.m, thm25.scale, setting.gamma, thm25.a
flipped = (
    -terms.function("Ei", a * (1 - gamma))
    - exp(a * (m + 1) / m) * terms.function("Ei", -a * (1 + m * gamma) / m)
    + m * (log(1 + m * gamma) - log(1 - gamma))
) / (2 * scale * (m + 1))
inside = (gt(gamma, 0), gt(1, gamma), gt(scale, 0))
softmax_time = eq(thm25.softmax_speed() * rate("d_gamma", flipped), 1)

heads = ("unit", "symmetry", "alignment")


def wrong(name: str, title: str, part: Part) -> Claim:
    """A claim of one part."""
    return Claim(f"wrong.{name}", title, "wrong on purpose", (), (part,))


CLAIMS = (
    wrong(
        "theorem_17",
        "Theorem 17 with plus before the cross term",
        Part("rate", theorem_17, "the shadows help", hypotheses=(*heads, "orthogonality")),
    ),
    wrong("c_star", "c^2 + H c - 1 = 0 for c*", Part("equation", critical_ratio, "H for H - 1")),
    wrong(
        "beta_star",
        "1/alpha for 1/(2 alpha) in beta*",
        Part("value", critical_temperature, "the factor 2 lost", domain=(ge(n, 3), ge(H, 2))),
    ),
    wrong(
        "phi",
        "phi is concave for every positive scale",
        Part("concave", concave, "no inflection", domain=(ge(n, 2), gt(thm22.mu, 0))),
    ),
    wrong("entropy_sign", "The entropy identity with + beta^2", Part("rate", entropy_plus, "a sign lost")),
    wrong("entropy_power", "The entropy identity with beta", Part("rate", entropy_linear, "a power lost")),
    wrong(
        "theorem_39",
        "Theorem 39 with delta squared",
        Part("bound", theorem_39, "delta^2 for delta", hypotheses=(*heads, "near_orthogonality")),
    ),
    wrong(
        "softmax_time",
        "The softmax time with the sign of the second Ei flipped",
        Part("antiderivative", softmax_time, "a sign flipped", domain=inside),
    ),
    wrong(
        "positive_iff",
        "beta* is positive exactly from three tokens on, for every number of heads",
        Part("iff", positive_threshold, "the case H = 2 for all", domain=(ge(n, 2), ge(H, 2))),
    ),
    wrong(
        "dyadic",
        "(3x + 2)^2 > 0 for every real x",
        Part("positive", gt((3 * t + 2) ** 2, 0), "it fails at x = -2/3 alone"),
    ),
    wrong(
        "almost_integer",
        "e^(pi sqrt 163) is an integer",
        Part("equation", eq(exp(terms.pi * sqrt(163)), 262537412640768744), "it agrees to twelve decimals"),
    ),
)

# The bound of Theorem 39 is attained by heads that exchange two directions; at half their size delta is 1/4, and its
# square is too small a loss.
_half = Fraction(1, 2)
_exchange = [[0, _half], [_half, 0]]
_opposite = [[0, -_half], [-_half, 0]]
point(
    "wrong.theorem_39",
    "bound",
    "fails",
    Model(
        {"token": 1, "head": 2, "axis": 2},
        scalars={"beta": 1, "delta": Fraction(1, 4)},
        vectors={"x": [[1, 0]]},
        operators={"M": [_exchange, _opposite], "W": [_exchange, _opposite]},
    ),
)

EXPECTED = dict.fromkeys((claim.id for claim in CLAIMS), "refuted")
