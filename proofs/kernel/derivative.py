"""Formal derivatives of raw terms along a flow."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from antumbra.proofs.kernel.poly import Refusal
from antumbra.proofs.kernel.signature import Move, Signature, free_symbols, opened, substitute, unfold
from antumbra.proofs.kernel.terms import Node, Scalar, Vector, constant, cos, rational, sin

NOTHING = rational(0)


def differentiate(flow: str, node: Node, signature: Signature) -> Scalar:
    """The rate of a scalar term along a flow, as a raw term.

    What the derivative needs (log arguments positive, inv arguments non-zero, ...) is listed by `conditions`.

    Raises:
        Refusal: the term contains something whose derivative is not handled.
    """
    return _Derivative(signature, flow).scalar(node)


def conditions(flow: str, node: Node, signature: Signature, names: Iterable[str] = ()) -> list[tuple[str, Node]]:
    """What must hold for the derivative to be what `differentiate` says: pairs of '>' or '!=' and a term.

    Indices bound in the term are free in what is returned, and then none of `names`.
    """
    derivative = _Derivative(signature, flow, frozenset(names))
    derivative.scalar(node)
    return derivative.conditions


class _Derivative:
    def __init__(self, signature: Signature, flow: str, names: frozenset[str] = frozenset()) -> None:
        self.names = names
        self.signature = signature
        self.moves: dict[str, Move] = {m.symbol: m for m in signature.flows[flow]}
        self.conditions: list[tuple[str, Node]] = []

    def still(self, node: Node) -> bool:
        """Whether nothing in the term moves."""
        return not (free_symbols(node, self.signature) & self.moves.keys())

    def scalar(self, node: Node) -> Scalar:
        tag = node[0]
        if self.still(node):
            return NOTHING
        if tag == "s":
            move = self.moves[node[1]]
            return Scalar(substitute(move.velocity, self.signature, dict(zip(move.indices, node[2], strict=True))))
        if tag == "+":
            return _sum([self.scalar(t) for t in node[1:]])
        if tag == "*":
            terms = []
            for position, factor in enumerate(node[1:], start=1):
                rate = self.scalar(factor)
                if constant(rate) != 0:
                    terms.append(Scalar((*node[:position], rate, *node[position + 1 :])))
            return _sum(terms)
        if tag == "^":
            if node[2] == 0:
                return NOTHING
            return product(rational(node[2]), Scalar(("^", node[1], node[2] - 1)), self.scalar(node[1]))
        if tag == "sum":
            body, index = opened(node, self.signature, self.names)
            return Scalar((tag, index, node[2], self.scalar(body)))
        if tag == "ip":
            left, right = self.vector(node[1]), self.vector(node[2])
            parts = []
            if left != ("v0",):
                parts.append(Scalar((tag, left, node[2])))
            if right != ("v0",):
                parts.append(Scalar((tag, node[1], right)))
            return _sum(parts)
        if tag == "norm":
            square = Scalar(("ip", node[1], node[1]))
            self.conditions.append((">", square))
            return product(rational(Fraction(1, 2)), Scalar(("inv", node)), self.scalar(square))
        if tag == "def":
            return self.scalar(unfold(node, self.signature))
        if tag == "rate":
            return self.scalar(differentiate(node[1], node[2], self.signature))
        if tag == "fn" and node[1] not in ("Ei", "W"):
            from antumbra.proofs.kernel.normal import unfolded_function

            return self.scalar(unfolded_function(node))
        return self._function(node)

    def _function(self, node: Node) -> Scalar:
        tag = node[0]
        argument = Scalar(node[2] if tag == "fn" else node[1]) if len(node) > 1 else NOTHING
        if tag == "inv":
            self.conditions.append(("!=", argument))
            return product(rational(-1), Scalar(("inv", argument)) ** 2, self.scalar(argument))
        if tag == "exp":
            return product(Scalar(node), self.scalar(argument))
        if tag == "log":
            self.conditions.append((">", argument))
            return product(Scalar(("inv", argument)), self.scalar(argument))
        if tag == "sqrt":
            self.conditions.append((">", argument))
            return product(rational(Fraction(1, 2)), Scalar(("inv", node)), self.scalar(argument))
        if tag == "sin":
            return product(cos(argument), self.scalar(argument))
        if tag == "cos":
            return product(rational(-1), sin(argument), self.scalar(argument))
        if tag == "fn" and node[1] == "Ei":
            self.conditions.append(("!=", argument))
            return product(Scalar(("exp", argument)), Scalar(("inv", argument)), self.scalar(argument))
        raise Refusal(f"no derivative for {node[1] if tag == 'fn' else tag!r} of something that moves")

    def vector(self, node: Node) -> Vector:
        tag = node[0]
        if self.still(node):
            return Vector(("v0",))
        if tag == "vec":
            move = self.moves[node[1]]
            return Vector(substitute(move.velocity, self.signature, dict(zip(move.indices, node[2], strict=True))))
        if tag == "vadd":
            return _vector_sum([self.vector(u) for u in node[1:]])
        if tag == "vmul":
            parts = []
            rate = self.scalar(node[1])
            if constant(rate) != 0:
                parts.append(Vector((tag, rate, node[2])))
            moved = self.vector(node[2])
            if moved != ("v0",):
                parts.append(Vector((tag, node[1], moved)))
            return _vector_sum(parts)
        if tag in ("vsum", "op", "opT"):
            if tag != "vsum" and node[1] in self.moves:
                raise Refusal("operators do not move")
            body, index = opened(node, self.signature, self.names) if tag == "vsum" else (node[3], node[1])
            return Vector((tag, index, node[2], self.vector(body)))
        if tag == "vdef":
            return self.vector(unfold(node, self.signature))
        raise Refusal(f"no derivative for the vector {tag!r}")


def product(*factors: Scalar) -> Scalar:
    """A product, written flat."""
    return Scalar(("*", *factors))


def _sum(parts: list[Scalar]) -> Scalar:
    parts = [p for p in parts if constant(p) != 0]
    if not parts:
        return NOTHING
    return parts[0] if len(parts) == 1 else Scalar(("+", *parts))


def _vector_sum(parts: list[Vector]) -> Vector:
    parts = [p for p in parts if p != ("v0",)]
    if not parts:
        return Vector(("v0",))
    return parts[0] if len(parts) == 1 else Vector(("vadd", *parts))
