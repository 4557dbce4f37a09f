"""The tangential projection P u = u - <y,u> y at a unit vector y: statements."""

from __future__ import annotations

from antumbra.proofs.claim import Claim, Mutant, Part
from antumbra.proofs.kernel.terms import (
    ZERO,
    basis,
    d,
    eq,
    iff,
    ip,
    le,
    lt,
    norm,
    norm2,
    rate,
    total,
    vector,
    veq,
)
from antumbra.proofs.setting import project

u, w, y = vector("u"), vector("w"), vector("y")
P_u, P_w = project(y, u), project(y, w)
SOURCE = "Projection identities"
UNIT = ("unit_point",)

SELF_PAIRING = eq(ip(P_u, u), norm2(P_u))
SYMMETRY = eq(ip(P_u, w), ip(u, P_w))
IDEMPOTENCE = veq(project(y, P_u), P_u)
ANNIHILATION = veq(project(y, y), ZERO)
PYTHAGORAS = eq(norm2(u), norm2(P_u) + ip(u, y) ** 2)
CONTRACTION = le(norm(P_u), norm(u))
EQUALITY = iff(eq(norm(P_u), norm(u)), eq(ip(u, y), 0))
RANK = eq(total("a", ip(project(y, basis("a")), basis("a"))), d - 1)
ABLATED_RANK = eq(total("a", ip(project(y, basis("a")), basis("a"))), d)
NORM_PRESERVED = eq(rate("tangential", norm2(vector("x", "i"))), 0)

CLAIMS = (
    Claim(
        "projection.self_pairing",
        "The projection pairs with itself",
        SOURCE,
        (),
        (
            Part(
                "identity",
                SELF_PAIRING,
                "the projection of u paired with u is its squared norm",
                hypotheses=UNIT,
                mutants=(Mutant("u for P u on the right", eq(ip(P_u, u), norm2(u))),),
            ),
        ),
    ),
    Claim(
        "projection.symmetry",
        "The projection is symmetric",
        SOURCE,
        (),
        (
            Part(
                "identity",
                SYMMETRY,
                "P may be moved from one side of an inner product to the other",
                mutants=(
                    Mutant("a sign changed", eq(ip(P_u, w), -ip(u, P_w))),
                    Mutant("the projection dropped on the right", eq(ip(P_u, w), ip(u, w))),
                ),
            ),
        ),
        source_note="Holds for every y: the unit hypothesis is not needed, "
        "as the ablation of the other identities says.",
    ),
    Claim(
        "projection.idempotence",
        "Projecting twice is projecting once",
        SOURCE,
        (),
        (
            Part(
                "identity",
                IDEMPOTENCE,
                "P P u = P u",
                hypotheses=UNIT,
                mutants=(Mutant("u for P u on the right", veq(project(y, P_u), u)),),
            ),
        ),
    ),
    Claim(
        "projection.annihilates_x",
        "The projection annihilates its own point",
        SOURCE,
        (),
        (
            Part(
                "identity",
                ANNIHILATION,
                "P y = 0",
                hypotheses=UNIT,
                mutants=(Mutant("y for 0", veq(project(y, y), y)),),
            ),
        ),
    ),
    Claim(
        "projection.pythagoras",
        "Pythagoras for the projection",
        SOURCE,
        (),
        (
            Part(
                "identity",
                PYTHAGORAS,
                "the squared norm splits into a tangential and a radial part",
                hypotheses=UNIT,
                mutants=(
                    Mutant("the square dropped", eq(norm2(u), norm2(P_u) + ip(u, y))),
                    Mutant("minus for plus", eq(norm2(u), norm2(P_u) - ip(u, y) ** 2)),
                ),
            ),
        ),
    ),
    Claim(
        "projection.contraction",
        "The projection does not lengthen",
        SOURCE,
        (),
        (
            Part(
                "bound",
                CONTRACTION,
                "P u is at most as long as u",
                hypotheses=UNIT,
                mutants=(Mutant("strict for weak", lt(norm(P_u), norm(u))),),
            ),
            Part(
                "equality_case",
                EQUALITY,
                "as long exactly when u is orthogonal to y",
                hypotheses=UNIT,
                mutants=(Mutant("parallel for orthogonal", iff(eq(norm(P_u), norm(u)), veq(P_u, ZERO))),),
            ),
        ),
    ),
    Claim(
        "projection.rank",
        "The rank of the projection",
        SOURCE,
        (),
        (
            Part(
                "trace",
                RANK,
                "the trace of P, over an orthonormal basis, is d - 1",
                hypotheses=UNIT,
                mutants=(Mutant("d for d - 1", ABLATED_RANK),),
            ),
        ),
    ),
    Claim(
        "projection.norm_preserved",
        "The sphere is invariant",
        SOURCE,
        ("USA", "SA", "ReLU"),
        (
            Part(
                "rate",
                NORM_PRESERVED,
                "along any dynamics on the sphere the norm of a token does not change",
                hypotheses=("unit",),
                mutants=(Mutant("in the flat space", eq(rate("along", norm2(vector("x", "i"))), 0)),),
            ),
        ),
    ),
)
