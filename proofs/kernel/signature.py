"""The setting a statement lives in: symbols, definitions, flows and hypotheses (`docs/kernel.md`, section 2)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from antumbra.proofs.kernel.terms import Node, sort_of

BASIS = "e"


class SettingError(ValueError):
    """A setting, or a term in it, is not well formed."""


@dataclass(frozen=True)
class Symbol:
    """A declared symbol; `indices` are the sorts of its indices."""

    name: str
    type: str
    indices: tuple[str, ...]
    domain: str


@dataclass(frozen=True)
class Definition:
    """A defined scalar or vector; `indices` are the names that its body uses."""

    name: str
    type: str
    indices: tuple[str, ...]
    parameters: tuple[str, ...]
    body: Node


@dataclass(frozen=True)
class Move:
    """The velocity of one symbol along a flow; `indices` are the names that the velocity uses."""

    symbol: str
    indices: tuple[str, ...]
    velocity: Node


def freeze(value: Any) -> Any:
    """Lists as tuples, all the way down."""
    if isinstance(value, list | tuple):
        return tuple(freeze(v) for v in value)
    return value


class Signature:
    """Symbols, definitions, flows and hypotheses by name, in the order of the ledger's `definitions`."""

    def __init__(self, objects: Sequence[Mapping[str, Any]]) -> None:
        self.objects: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.symbols: dict[str, Symbol] = {BASIS: Symbol(BASIS, "vector", ("axis",), "real")}
        self.definitions: dict[str, Definition] = {}
        self.flows: dict[str, tuple[Move, ...]] = {}
        self.hypotheses: dict[str, Node] = {}
        self.memory: dict[Node, frozenset[str]] = {}
        for entry in objects:
            self._add(entry)
        self._reach: dict[str, frozenset[tuple[str, str]]] = {}

    def _add(self, entry: Mapping[str, Any]) -> None:
        kind = next(k for k in ("symbol", "define", "flow", "hypothesis") if k in entry)
        name = entry[kind]
        if (kind, name) in self.objects or (kind == "symbol" and name == BASIS):
            raise SettingError(f"the {kind} {name!r} is declared twice; give one of them another name")
        self.objects[kind, name] = entry
        if kind == "define":
            self._check_definition(entry)
        if kind == "symbol":
            self.symbols[name] = Symbol(name, entry["type"], tuple(entry["indices"]), entry["domain"])
        elif kind == "define":
            self.definitions[name] = Definition(
                name, entry["type"], tuple(entry["indices"]), tuple(entry["parameters"]), freeze(entry["body"])
            )
        elif kind == "flow":
            self._check_flow(entry)
            self.flows[name] = tuple(
                Move(m["symbol"], tuple(m["indices"]), freeze(m["velocity"])) for m in entry["moves"]
            )
        else:
            self.hypotheses[name] = freeze(entry["formula"])

    def _check_flow(self, entry: Mapping[str, Any]) -> None:
        """A flow moves declared scalars and vectors, each once; a velocity has no free index but its symbol's."""
        name = entry["flow"]
        moved: set[str] = set()
        for move in entry["moves"]:
            symbol = self.symbols.get(move["symbol"])
            if symbol is None or symbol.type == "operator" or symbol.name in moved | {BASIS}:
                raise SettingError(f"the flow {name!r} moves {move['symbol']!r}: no scalar or vector, or moved already")
            moved.add(symbol.name)
            if tuple(sort_of(i) for i in move["indices"]) != symbol.indices:
                raise SettingError(f"the flow {name!r} gives {symbol.name!r} other indices than {symbol.indices}")
            stray = sorted(free_indices(freeze(move["velocity"])) - set(move["indices"]))
            if stray:
                raise SettingError(f"a velocity of the flow {name!r} has free indices: {', '.join(stray)}")

    def _check_definition(self, entry: Mapping[str, Any]) -> None:
        """Parameters hide nothing but scalars without index, and the body has no free index but its own."""
        name = entry["define"]
        if name in self.symbols:
            raise SettingError(f"the definition {name!r} has the name of a symbol")
        for parameter in entry["parameters"]:
            declared = self.symbols.get(parameter)
            if parameter in self.definitions or (
                declared is not None and (declared.type != "scalar" or declared.indices)
            ):
                raise SettingError(f"the parameter {parameter!r} of {name!r} hides what is not a scalar without index")
        stray = sorted(free_indices(freeze(entry["body"])) - set(entry["indices"]))
        if stray:
            raise SettingError(f"the definition of {name!r} has free indices that are not its own: {', '.join(stray)}")

    def reached(self, nodes: Iterable[Node]) -> frozenset[tuple[str, str]]:
        """Names of the symbols, definitions and flows that the terms mention, through bodies and flows."""
        found: set[tuple[str, str]] = set()
        for node in nodes:
            for reference in references(node):
                found |= self._reached_from(reference)
        return frozenset(found)

    def _reached_from(self, reference: tuple[str, str]) -> frozenset[tuple[str, str]]:
        kind, name = reference
        key = f"{kind}:{name}"
        if key in self._reach:
            return self._reach[key]
        if reference not in self.objects:
            # the basis, and symbols bound by a term or declared as a definition's parameters
            return frozenset()
        self._reach[key] = frozenset({reference})
        nodes: list[Node] = []
        if kind == "define":
            nodes = [self.definitions[name].body]
        elif kind == "flow":
            nodes = [m.velocity for m in self.flows[name]]
        found = {reference} | ({("symbol", m.symbol) for m in self.flows[name]} if kind == "flow" else set())
        for node in nodes:
            for inner in references(node):
                found |= self._reached_from(inner)
        self._reach[key] = frozenset(found)
        return self._reach[key]

    def mentions(self, node: Node, symbols: Iterable[str]) -> bool:
        """Whether the term reaches one of these symbols."""
        reached = self.reached([node])
        return any(("symbol", s) in reached for s in symbols)

    def digest(self, nodes: Iterable[Node], hypotheses: Iterable[str]) -> str:
        """SHA-256 of the definition objects that a statement and its ground reach, in order."""
        names = tuple(hypotheses)
        reached = set(self.reached([*nodes, *(self.hypotheses[h] for h in names)]))
        reached |= {("hypothesis", h) for h in names}
        used = [entry for key, entry in self.objects.items() if key in reached]
        text = json.dumps(used, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


RELATIONS: Mapping[str, tuple[str, ...]] = {
    "unit": ("name",),
    "symmetric": ("name",),
    "same_operator": ("name", "name"),
    "orthogonal_operators": ("name",),
    "scalar_operator": ("name", "name"),
    "scaled_operator": ("name", "term", "name"),
    "projector": ("name",),
    "resolution": ("name",),
    "gram": ("name", "term"),
    "single": ("sort",),
}
"""The relations and what their arguments are."""


def children(node: Node) -> Iterator[Node]:
    """The sub-terms that stand directly below a term or formula."""
    tag = node[0]
    if tag in RELATIONS:
        for kind, argument in zip(RELATIONS[tag], node[1:], strict=True):
            if kind == "term":
                yield argument
    elif tag in ("q", "pi", "size", "s", "delta", "vec", "v0", "inf", "distinct"):
        return
    elif tag in ("def", "vdef"):
        yield from node[3]
    elif tag == "^":
        yield node[1]
    elif tag in ("fn", "rate", "opnorm", "forall", "exists", "forallv"):
        yield node[2]
    elif tag in ("op", "opT", "sum", "vsum", "all"):
        yield node[3]
    elif tag in ("int", "root", "unique", "dissipates", "decays"):
        yield from node[2:]
    else:
        yield from node[1:]


def references(node: Node) -> Iterator[tuple[str, str]]:
    """Symbols, definitions and flows named in a term, as (kind, name)."""
    tag = node[0]
    if tag in RELATIONS:
        for kind, argument in zip(RELATIONS[tag], node[1:], strict=True):
            if kind == "name":
                yield "symbol", argument
    elif tag in ("s", "vec", "op", "opT"):
        yield "symbol", node[1]
    elif tag in ("def", "vdef"):
        yield "define", node[1]
    elif tag in ("rate", "dissipates", "decays"):
        yield "flow", node[1]
    elif tag in ("int", "root", "unique", "forall", "exists", "forallv", "opnorm"):
        yield "symbol", node[1]
    for child in children(node):
        yield from references(child)


@lru_cache(maxsize=100_000)
def free_indices(node: Node) -> frozenset[str]:
    """The indices that are free in a term."""
    tag = node[0]
    if tag in ("s", "vec", "def", "vdef", "op", "opT"):
        own = frozenset(node[2])
    elif tag in ("delta", "distinct"):
        own = frozenset(node[1:3])
    else:
        own = frozenset()
    below = frozenset().union(*(free_indices(c) for c in children(node))) if tag not in ("q", "size") else frozenset()
    if tag in ("sum", "vsum", "all"):
        return (below - {node[1]}) | frozenset(node[2])
    return own | below


def free_symbols(node: Node, signature: Signature) -> frozenset[str]:
    """The symbols that are free in a term, looking through definitions and flows."""
    found = signature.memory.get(node)
    if found is None:
        found = signature.memory[node] = _free_symbols(node, signature)
    return found


def _free_symbols(node: Node, signature: Signature) -> frozenset[str]:
    tag = node[0]
    own: frozenset[str] = frozenset()
    if tag in ("s", "vec", "op", "opT"):
        own = frozenset({node[1]})
    elif tag in ("def", "vdef"):
        definition = signature.definitions[node[1]]
        own = free_symbols(definition.body, signature) - frozenset(definition.parameters)
    elif tag in ("rate", "dissipates", "decays"):
        moves = signature.flows[node[1]]
        own = frozenset(m.symbol for m in moves).union(*(free_symbols(m.velocity, signature) for m in moves))
    elif tag in RELATIONS:
        own = frozenset(a for k, a in zip(RELATIONS[tag], node[1:], strict=True) if k == "name")
    if tag == "int":
        return (
            free_symbols(node[2], signature)
            | free_symbols(node[3], signature)
            | (free_symbols(node[4], signature) - {node[1]})
        )
    if tag == "root":
        return (free_symbols(node[2], signature) - {node[1]}).union(*(free_symbols(t, signature) for t in node[3:]))
    if tag == "unique":
        return (free_symbols(node[4], signature) - {node[1]}).union(*(free_symbols(t, signature) for t in node[2:4]))
    below = frozenset().union(*(free_symbols(c, signature) for c in children(node)))
    if tag in ("forall", "exists", "forallv", "opnorm"):
        return below - {node[1]}
    return own | below


def unused(like: str, taken: Iterable[str]) -> str:
    """An index of the same sort that is not among those taken: always the same one for the same names."""
    avoided = set(taken)
    return next(name for name in (f"{like[0]}{k}" for k in range(1, len(avoided) + 2)) if name not in avoided)


def opened(node: Node, signature: Signature, names: Iterable[str]) -> tuple[Node, str]:
    """The body of a sum or of a quantifier over an index, its index renamed if it is among `names`; and the index.

    What is known of a free index of that name must not be taken for knowledge of the bound one.
    """
    _, bound, excluded, body = node
    avoided = frozenset(names)
    if bound not in avoided:
        return body, bound
    fresh = unused(bound, avoided | free_indices(body) | set(excluded))
    return substitute(body, signature, {bound: fresh}), fresh


def substitute(
    node: Node,
    signature: Signature,
    indices: Mapping[str, str] | None = None,
    scalars: Mapping[str, Node] | None = None,
    vectors: Mapping[str, Node] | None = None,
) -> Node:
    """Replace free indices, scalar symbols and vector symbols without index, never capturing.

    Definitions that reach a replaced symbol are unfolded; a rate whose flow reaches one is refused.

    Raises:
        SettingError: a flow, or an operator, depends on a replaced symbol.
    """
    return _Substitution(signature, dict(indices or {}), dict(scalars or {}), dict(vectors or {})).apply(node)


class _Substitution:
    def __init__(
        self, signature: Signature, indices: dict[str, str], scalars: dict[str, Node], vectors: dict[str, Node]
    ) -> None:
        self.signature = signature
        self.indices = {a: b for a, b in indices.items() if a != b}
        self.scalars = scalars
        self.vectors = vectors
        self.incoming_indices = frozenset(self.indices.values()).union(
            *(free_indices(t) for t in [*scalars.values(), *vectors.values()])
        )
        self.incoming_symbols = frozenset().union(
            *(free_symbols(t, signature) for t in [*scalars.values(), *vectors.values()])
        )

    def names(self, indices: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.indices.get(i, i) for i in indices)

    def without(self, index: str | None = None, symbol: str | None = None) -> _Substitution:
        return _Substitution(
            self.signature,
            {a: b for a, b in self.indices.items() if a != index},
            {a: b for a, b in self.scalars.items() if a != symbol},
            {a: b for a, b in self.vectors.items() if a != symbol},
        )

    def apply(self, node: Node) -> Node:
        if not (self.indices or self.scalars or self.vectors):
            return node
        tag = node[0]
        kind = type(node)
        if tag in ("q", "pi", "size", "v0", "inf"):
            return node
        if tag == "s":
            if not node[2] and node[1] in self.scalars:
                return self.scalars[node[1]]
            return kind((tag, node[1], self.names(node[2])))
        if tag == "vec":
            if not node[2] and node[1] in self.vectors:
                return self.vectors[node[1]]
            return kind((tag, node[1], self.names(node[2])))
        if tag in ("delta", "distinct"):
            return kind((tag, *self.names(node[1:])))
        if tag in ("op", "opT"):
            return kind((tag, node[1], self.names(node[2]), self.apply(node[3])))
        if tag in ("def", "vdef"):
            definition = self.signature.definitions[node[1]]
            local = frozenset(definition.parameters)
            if (free_symbols(definition.body, self.signature) - local) & (self.scalars.keys() | self.vectors.keys()):
                return self.apply(unfold(node, self.signature))
            return kind((tag, node[1], self.names(node[2]), tuple(self.apply(t) for t in node[3])))
        if tag in ("sum", "vsum", "all"):
            return self._under_index(node)
        if tag in ("int", "root", "unique", "forall", "exists", "forallv", "opnorm"):
            return self._under_symbol(node)
        if tag in ("rate", "dissipates", "decays"):
            moves = self.signature.flows[node[1]]
            touched = frozenset(m.symbol for m in moves).union(
                *(free_symbols(m.velocity, self.signature) for m in moves)
            )
            if touched & (self.scalars.keys() | self.vectors.keys() | self.incoming_symbols):
                raise SettingError(f"cannot substitute inside a rate whose flow {node[1]!r} mentions the symbol")
            return kind((tag, node[1], *(self.apply(t) for t in node[2:])))
        if tag in RELATIONS:
            touched_names = {a for k, a in zip(RELATIONS[tag], node[1:], strict=True) if k == "name"}
            if touched_names & (self.scalars.keys() | self.vectors.keys()):
                raise SettingError(f"cannot substitute a symbol that the relation {tag!r} speaks of")
            return kind(
                (tag, *(self.apply(a) if k == "term" else a for k, a in zip(RELATIONS[tag], node[1:], strict=True)))
            )
        if tag == "^":
            return kind((tag, self.apply(node[1]), node[2]))
        if tag == "fn":
            return kind((tag, node[1], self.apply(node[2])))
        return kind((tag, *(self.apply(c) for c in node[1:])))

    def _under_index(self, node: Node) -> Node:
        tag, bound, excluded, body = node
        inner = self.without(index=bound)
        if bound in inner.incoming_indices:
            fresh = unused(bound, inner.incoming_indices | free_indices(body) | set(inner.indices) | set(excluded))
            body = substitute(body, self.signature, {bound: fresh})
            bound = fresh
        return type(node)((tag, bound, self.names(excluded), inner.apply(body)))

    def _under_symbol(self, node: Node) -> Node:
        tag, bound = node[0], node[1]
        if bound in self.incoming_symbols:
            raise SettingError(f"substitution would capture the bound symbol {bound!r}; rename it in the statement")
        inner = self.without(symbol=bound)
        kind = type(node)
        if tag == "int":
            return kind((tag, bound, self.apply(node[2]), self.apply(node[3]), inner.apply(node[4])))
        if tag == "root":
            return kind((tag, bound, inner.apply(node[2]), self.apply(node[3]), self.apply(node[4])))
        if tag == "unique":
            return kind((tag, bound, self.apply(node[2]), self.apply(node[3]), inner.apply(node[4])))
        return kind((tag, bound, inner.apply(node[2])))


def unfold(node: Node, signature: Signature) -> Node:
    """The body of a `def` or `vdef` node at its indices and arguments."""
    definition = signature.definitions[node[1]]
    # Two stages with fresh names between, since arguments may mention the formal names.
    return substitute(
        definition.body,
        signature,
        dict(zip(definition.indices, node[2], strict=True)),
        dict(zip(definition.parameters, node[3], strict=True)),
    )
