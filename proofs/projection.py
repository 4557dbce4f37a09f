"""The tangential projection P u = u - <y,u> y at a unit vector y.

Statement: P pairs with itself, is symmetric, idempotent, annihilates y, splits norms as Pythagoras does, does not
lengthen (with equality exactly for u orthogonal to y), and has trace d - 1; norms do not change along dynamics on the
sphere.
Hypotheses: y is a unit vector (the symmetry of P does not need it).
Notation: u, w, y vectors of the space; x_i the tokens; e_a an orthonormal basis.
Method: inner products alone, never components, so that the dimension does not matter.
"""

from __future__ import annotations

from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.terms import d, eq, ge, iff, ip, norm, norm2
from antumbra.proofs.registry import proves
from antumbra.proofs.statements import projection as claim


@proves("projection.self_pairing", "identity")
def self_pairing(p: Proof) -> None:
    """<P u, u> = |u|^2 - <u,y>^2 = |P u|^2."""
    p.calculate(ip(claim.P_u, claim.u), norm2(claim.u) - ip(claim.u, claim.y) ** 2, norm2(claim.P_u))


@proves("projection.symmetry", "identity")
def symmetry(p: Proof) -> None:
    """Both sides are <u,w> - <u,y><y,w>."""
    u, w, y = claim.u, claim.w, claim.y
    p.calculate(ip(claim.P_u, w), ip(u, w) - ip(u, y) * ip(y, w), ip(u, claim.P_w))


@proves("projection.idempotence", "identity")
def idempotence(p: Proof) -> None:
    """<y, P u> = <y,u> - <y,u> |y|^2 = 0, so nothing is taken away the second time."""
    p.equal(ip(claim.y, claim.P_u), 0)
    p.same_vector(claim.IDEMPOTENCE[1], claim.IDEMPOTENCE[2])


@proves("projection.annihilates_x", "identity")
def annihilation(p: Proof) -> None:
    """P y = y - |y|^2 y = 0."""
    p.same_vector(claim.ANNIHILATION[1], claim.ANNIHILATION[2])


@proves("projection.pythagoras", "identity")
def pythagoras(p: Proof) -> None:
    """|P u|^2 = |u|^2 - 2 <u,y>^2 + <u,y>^2 |y|^2."""
    p.equal(claim.PYTHAGORAS[1], claim.PYTHAGORAS[2])


@proves("projection.contraction", "bound")
def contraction(p: Proof) -> None:
    """By Pythagoras |u|^2 - |P u|^2 is a square, and norms compare as their squares do."""
    u, P_u = norm(claim.u), norm(claim.P_u)
    squares = p.compare(ge(u**2, P_u**2), form=ip(claim.u, claim.y) ** 2)
    by_squares = p.direction(p.squares(ge(u, P_u)))
    shorter = p.modus(by_squares, squares)
    p.compare(claim.CONTRACTION, form=u - P_u, facts=[shorter])


@proves("projection.contraction", "equality_case")
def equality_case(p: Proof) -> None:
    """|u|^2 - |P u|^2 = <u,y>^2, which is 0 exactly when <u,y> is."""
    u, P_u, radial = norm(claim.u), norm(claim.P_u), ip(claim.u, claim.y)
    by_squares = p.squares(eq(P_u, u))
    turned = p.step(
        "iff_intro", iff(eq(P_u, u), eq(P_u**2, u**2)), p.direction(by_squares, False), p.direction(by_squares)
    )
    square = p.scaled(eq(P_u**2, u**2), eq(-(radial**2), 0), 1)
    negative = p.scaled(eq(-(radial**2), 0), eq(radial**2, 0), -1)
    with p.assuming(eq(radial**2, 0)) as (assumed,):
        forward = p.discharge(assumed.shows, p.step("square_zero", eq(radial, 0), assumed))
    with p.assuming(eq(radial, 0)) as (assumed,):
        backward = p.discharge(assumed.shows, p.equal(radial**2, 0, using=[(radial, assumed)]))
    p.chain(turned, square, negative, p.both_ways(forward, backward))


@proves("projection.rank", "trace")
def rank(p: Proof) -> None:
    """Tr P = tr 1 - |y|^2, since the squared components of y add up to |y|^2."""
    p.calculate(claim.RANK[1], d - norm2(claim.y), claim.RANK[2])


@proves("projection.norm_preserved", "rate")
def norm_preserved(p: Proof) -> None:
    """d|x_i|^2/dt = 2 <x_i, P w> = 0 whatever the field w."""
    p.equal(claim.NORM_PRESERVED[1], claim.NORM_PRESERVED[2])
