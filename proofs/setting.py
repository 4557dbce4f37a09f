"""The setting of the theory: tokens, heads, fields and energies as terms.

`DEFINITIONS` is the list that every ledger carries: symbols with their domains, definitions, flows and named
hypotheses, in an order in which each mentions only what stands before it. The module names below are builders for the
terms. `SIGNATURE` is the same list indexed by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antumbra.proofs.kernel.terms import (
    Formula,
    Node,
    Scalar,
    Vector,
    apply,
    defined,
    eq,
    every,
    exp,
    ip,
    le,
    n,
    norm,
    operator_norm,
    rational,
    relation,
    symbol,
    total,
    vdefined,
    vector,
    vtotal,
)

DEFINITIONS: list[dict[str, Any]] = []


def declare(name: str, kind: str, indices: Sequence[str] = (), domain: str = "real", text: str = "") -> None:
    """Add a symbol; `kind` is scalar, vector or operator, `indices` are sorts."""
    DEFINITIONS.append({"symbol": name, "type": kind, "indices": list(indices), "domain": domain, "text": text})


def define(name: str, body: Node, indices: Sequence[str] = (), parameters: Sequence[str] = (), text: str = "") -> None:
    """Add a defined scalar or vector, by the type of its body; `indices` are index names."""
    DEFINITIONS.append(
        {
            "define": name,
            "type": "vector" if isinstance(body, Vector) else "scalar",
            "indices": list(indices),
            "parameters": list(parameters),
            "body": body,
            "text": text,
        }
    )


def flow(name: str, moves: Sequence[tuple[str, Sequence[str], Node]], text: str = "") -> None:
    """Add a flow: each move is a symbol, its index names and its velocity."""
    DEFINITIONS.append(
        {
            "flow": name,
            "moves": [{"symbol": s, "indices": list(indices), "velocity": v} for s, indices, v in moves],
            "text": text,
        }
    )


def hypothesis(name: str, formula: Formula, text: str) -> None:
    """Add a named hypothesis, closed in indices."""
    DEFINITIONS.append({"hypothesis": name, "formula": formula, "text": text})


def project(x: Vector, u: Vector) -> Vector:
    """The tangential projection P_x u = u - <x,u> x at a unit vector x."""
    radial: Vector = ip(x, u) * x
    return u - radial


# --- symbols ---------------------------------------------------------------------------------------------------------

declare("x", "vector", ["token"], text="the tokens")
declare("y", "vector", text="a point of the space")
declare("u", "vector", text="a vector")
declare("w", "vector", text="a vector")
declare("direction", "vector", ["token"], text="a direction of motion for each token")
declare("M", "operator", ["head"], text="the score matrices")
declare("W", "operator", ["head"], text="the value matrices")
declare("Q", "operator", ["head"], text="orthogonal projectors, one for each head")
declare("beta", "scalar", domain="positive", text="the inverse temperature")
declare("alpha", "scalar", domain="positive", text="the common scale of the heads")
declare("eta", "scalar", domain="nonnegative", text="the misalignment of the value matrices")
declare("delta", "scalar", domain="nonnegative", text="the overlap of the heads")
declare("gamma", "scalar", text="the common inner product of distinct tokens")
declare("lambda", "scalar", ["head"], text="the scales of scalar heads")
declare("c", "scalar", domain="nonnegative", text="a bound on the ratio of a shadow to its output")
declare("score", "scalar", ["token"], text="the scores of one token")
declare("score_rate", "scalar", ["token"], text="the rates of the scores")

x_i, x_j = vector("x", "i"), vector("x", "j")
beta, alpha, eta, overlap, gamma, c = (symbol(s) for s in ("beta", "alpha", "eta", "delta", "gamma", "c"))
scale_h = symbol("lambda", "h")

# --- definitions -----------------------------------------------------------------------------------------------------

define("s", ip(x_i, apply("M", "h", x_j)), ["h", "i", "j"], text="the score of token j for token i in head h")
define("weight", exp(beta * defined("s", "h", "i", "j")), ["h", "i", "j"], text="the unnormalised attention weight")
define("Z", total("j", defined("weight", "h", "i", "j")), ["h", "i"], text="the normaliser")
define(
    "f",
    vtotal("j", defined("weight", "h", "i", "j") * apply("W", "h", x_j)),
    ["h", "i"],
    text="the output of head h at token i",
)
define("a", ip(vdefined("f", "h", "i"), x_i), ["h", "i"], text="the radial shadow of head h at token i")
define(
    "E_h",
    1 / (2 * beta * n**2) * total("i", total("j", defined("weight", "h", "i", "j"))),
    ["h"],
    text="the energy of head h",
)
define("E", total("h", defined("E_h", "h")), text="the total energy")
define("v", 1 / n * vtotal("h", vdefined("f", "h", "i")), ["i"], text="the velocity field of USA")
define(
    "v_softmax",
    vtotal("h", 1 / defined("Z", "h", "i") * vdefined("f", "h", "i")),
    ["i"],
    text="the velocity field of SA",
)
define("P_v", project(x_i, vdefined("v", "i")), ["i"], text="the tangential part of the USA field")
define("P_v_softmax", project(x_i, vdefined("v_softmax", "i")), ["i"], text="the tangential part of the SA field")
define("P_f", project(x_i, vdefined("f", "h", "i")), ["h", "i"], text="the tangential part of a head's output")


def score(h: str, i: str, j: str) -> Scalar:
    """s_ij^h = <x_i, M_h x_j>."""
    return defined("s", h, i, j)


def weight(h: str, i: str, j: str) -> Scalar:
    """exp(beta s_ij^h)."""
    return defined("weight", h, i, j)


def normaliser(h: str, i: str) -> Scalar:
    """Z_i^h."""
    return defined("Z", h, i)


def output(h: str, i: str) -> Vector:
    """f_i^h."""
    return vdefined("f", h, i)


def tangential_output(h: str, i: str) -> Vector:
    """P f_i^h."""
    return vdefined("P_f", h, i)


def shadow(h: str, i: str) -> Scalar:
    """a_i^h = <f_i^h, x_i>."""
    return defined("a", h, i)


def head_energy(h: str) -> Scalar:
    """E_h."""
    return defined("E_h", h)


energy = defined("E")


def velocity(i: str) -> Vector:
    """v_i of USA."""
    return vdefined("v", i)


def softmax_velocity(i: str) -> Vector:
    """v_i of SA."""
    return vdefined("v_softmax", i)


def tangential_velocity(i: str) -> Vector:
    """P v_i of USA: the velocity of token i on the sphere."""
    return vdefined("P_v", i)


def tangential_softmax_velocity(i: str) -> Vector:
    """P v_i of SA."""
    return vdefined("P_v_softmax", i)


# --- flows -----------------------------------------------------------------------------------------------------------

flow("usa_flat", [("x", ["i"], velocity("i"))], "USA in the flat space")
flow("usa_sphere", [("x", ["i"], tangential_velocity("i"))], "USA on the sphere")
flow("sa_flat", [("x", ["i"], softmax_velocity("i"))], "SA in the flat space")
flow("sa_sphere", [("x", ["i"], tangential_softmax_velocity("i"))], "SA on the sphere")
flow("along", [("x", ["i"], vector("direction", "i"))], "every token moves in its direction")
flow("tangential", [("x", ["i"], project(x_i, vector("direction", "i")))], "any dynamics on the sphere")
flow("scores", [("score", ["i"], symbol("score_rate", "i"))], "scores that change at any rates")

# --- hypotheses ------------------------------------------------------------------------------------------------------

hypothesis("unit", relation("unit", "x"), "every token is a unit vector")
hypothesis("unit_point", relation("unit", "y"), "the point is a unit vector")
hypothesis("symmetry", relation("symmetric", "M"), "score matrices are symmetric")
hypothesis("alignment", relation("same_operator", "W", "M"), "value matrices equal score matrices")
hypothesis("orthogonality", relation("orthogonal_operators", "M"), "distinct score matrices multiply to zero")
hypothesis("scalar", relation("scalar_operator", "M", "lambda"), "every head is a multiple of the identity")
hypothesis("equal_heads", every("h", eq(symbol("lambda", "h"), alpha)), "all heads have the same scale")
hypothesis("equiangular", relation("gram", "x", gamma), "distinct tokens have the same inner product")
hypothesis("orthogonal_tokens", relation("gram", "x", rational(0)), "distinct tokens are orthogonal unit vectors")
hypothesis("projectors", relation("scaled_operator", "M", alpha, "Q"), "every head is a multiple of an operator Q_h")
hypothesis("orthogonal_projectors", relation("projector", "Q"), "the operators Q_h are orthogonal projectors")
hypothesis("disjoint", relation("orthogonal_operators", "Q"), "distinct projectors multiply to zero")
hypothesis("resolution", relation("resolution", "Q"), "the projectors sum to the identity")
hypothesis("single_head", relation("single", "head"), "there is one head")
hypothesis(
    "misalignment",
    every("h", le(operator_norm("u", apply("W", "h", vector("u")) - apply("M", "h", vector("u"))), eta)),
    "every value matrix is within eta of its score matrix",
)
hypothesis(
    "near_orthogonality",
    every(
        "h",
        every("g", le(operator_norm("u", apply("M", "g", apply("M", "h", vector("u")))), overlap), ["h"]),
    ),
    "products of distinct score matrices have norm at most delta",
)
hypothesis(
    "equal_norms",
    every("i", every("h", every("g", eq(norm(output("h", "i")), norm(output("g", "i")))))),
    "at every token, all heads' outputs have the same norm",
)
hypothesis(
    "ratio_bound",
    every("i", every("h", le(Scalar(("abs", shadow("h", "i"))), c * norm(output("h", "i"))))),
    "every shadow is at most c times the norm of its output",
)
hypothesis(
    "equal_normalisers",
    every("i", every("h", every("g", eq(normaliser("h", "i"), normaliser("g", "i"))))),
    "at every token, all heads have the same normaliser",
)
