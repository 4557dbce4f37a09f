"""Whether terms and formulas are well formed: tags, arity, sorts, declared names, exclusions (`docs/kernel.md`, 1)."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Any

from antumbra.proofs.kernel.signature import RELATIONS, SettingError, Signature, free_symbols
from antumbra.proofs.kernel.terms import SORTS, sort_of

UNARY = ("inv", "exp", "log", "sqrt", "abs", "relu", "sin", "cos")
FUNCTIONS = ("sinh", "cosh", "tanh", "coth", "arsinh", "Ei", "W")
COMPARISONS = ("eq", "ne", "ge", "gt", "le", "lt")
MAX_POWER = 64


class Wellformed:
    """Checks terms against a signature; remembers what it has checked."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self._known: set[tuple[Any, str]] = set()

    def formula(self, node: Any) -> None:
        """Raise SettingError unless the node is a formula."""
        self._check(node, "formula")

    def _check(self, node: Any, kind: str) -> None:
        if (node, kind) in self._known:
            return
        _require(isinstance(node, tuple) and bool(node) and isinstance(node[0], str), f"{node!r} is not a {kind}")
        getattr(self, f"_{kind}")(node)
        self._known.add((node, kind))

    def _all(self, nodes: Iterable[Any], kind: str) -> None:
        for node in nodes:
            self._check(node, kind)

    # --- kinds ---------------------------------------------------------------------------------------------------

    def _scalar(self, node: Any) -> None:
        tag, *rest = node
        if tag == "q":
            _require(
                len(rest) == 2 and all(isinstance(x, str) for x in rest) and int(rest[1], 16) > 0, "a bad rational"
            )
        elif tag == "pi":
            _require(not rest, "pi takes nothing")
        elif tag == "size":
            _require(len(rest) == 1 and rest[0] in SORTS, f"a size is of one of {', '.join(SORTS)}")
        elif tag == "s":
            self._symbol(node, "scalar")
        elif tag in ("+", "*"):
            _require(len(rest) >= 2, f"{tag!r} takes two or more terms")
            self._all(rest, "scalar")
        elif tag == "^":
            _require(len(rest) == 2 and type(rest[1]) is int and 0 <= rest[1] <= MAX_POWER, "a bad power")
            self._check(rest[0], "scalar")
        elif tag in UNARY:
            _require(len(rest) == 1, f"{tag!r} takes one term")
            self._check(rest[0], "scalar")
        elif tag == "fn":
            _require(len(rest) == 2 and rest[0] in FUNCTIONS, f"a function is one of {', '.join(FUNCTIONS)}")
            self._check(rest[1], "scalar")
        elif tag == "sum":
            self._binder(rest, "scalar")
        elif tag in ("ip", "norm"):
            _require(len(rest) == (2 if tag == "ip" else 1), f"a bad {tag!r}")
            self._all(rest, "vector")
        elif tag == "opnorm":
            _require(len(rest) == 2, "a bad operator norm")
            self._bound(rest[0], "vector")
            self._check(rest[1], "vector")
            _require(self._linear(rest[1], rest[0]), "an operator norm is of a linear map")
        elif tag == "delta":
            _require(len(rest) == 2 and sort_of(rest[0]) == sort_of(rest[1]), "a delta of two sorts")
        elif tag == "def":
            self._defined(node, "scalar")
        elif tag == "rate":
            _require(len(rest) == 2 and rest[0] in self.signature.flows, f"no flow is called {rest[0]!r}")
            self._check(rest[1], "scalar")
        elif tag == "int":
            _require(len(rest) == 4, "a bad integral")
            self._bound(rest[0], "real")
            self._all(rest[1:], "scalar")
        elif tag == "root":
            _require(len(rest) == 4, "a bad root")
            self._bound(rest[0], "real")
            self._all(rest[1:3], "scalar")
            self._end(rest[3])
        else:
            raise SettingError(f"no scalar term has the tag {tag!r}")

    def _vector(self, node: Any) -> None:
        tag, *rest = node
        if tag == "v0":
            _require(not rest, "the zero vector takes nothing")
        elif tag == "vec":
            self._symbol(node, "vector")
        elif tag == "vadd":
            _require(len(rest) >= 2, "a sum of vectors takes two or more")
            self._all(rest, "vector")
        elif tag == "vmul":
            _require(len(rest) == 2, "a bad multiple of a vector")
            self._check(rest[0], "scalar")
            self._check(rest[1], "vector")
        elif tag == "vsum":
            self._binder(rest, "vector")
        elif tag in ("op", "opT"):
            _require(len(rest) == 3, "a bad operator")
            self._symbol((tag, *rest[:2]), "operator")
            self._check(rest[2], "vector")
        elif tag == "vdef":
            self._defined(node, "vector")
        else:
            raise SettingError(f"no vector term has the tag {tag!r}")

    def _formula(self, node: Any) -> None:
        tag, *rest = node
        if tag in COMPARISONS or tag == "veq":
            _require(len(rest) == 2, f"{tag!r} compares two terms")
            self._all(rest, "vector" if tag == "veq" else "scalar")
        elif tag in ("and", "or", "implies", "iff"):
            _require(len(rest) >= 2 and (tag in ("and", "or") or len(rest) == 2), f"a bad {tag!r}")
            self._all(rest, "formula")
        elif tag == "all":
            self._binder(rest, "formula")
        elif tag in ("forall", "exists", "forallv"):
            _require(len(rest) == 2, f"a bad {tag!r}")
            self._bound(rest[0], "vector" if tag == "forallv" else "scalar")
            self._check(rest[1], "formula")
        elif tag == "unique":
            _require(len(rest) == 4, "a bad uniqueness")
            self._bound(rest[0], "real")
            self._check(rest[1], "scalar")
            self._end(rest[2])
            self._check(rest[3], "scalar")
        elif tag == "distinct":
            _require(len(rest) == 2 and sort_of(rest[0]) == sort_of(rest[1]), "indices of two sorts")
        elif tag == "dissipates":
            _require(len(rest) == 3 and rest[0] in self.signature.flows, "a bad statement about a flow")
            self._all(rest[1:], "scalar")
        elif tag == "decays":
            _require(len(rest) == 4 and rest[0] in self.signature.flows, "a bad statement about a flow")
            self._check(rest[1], "formula")
            self._all(rest[2:], "scalar")
        elif tag in RELATIONS:
            self._relation(node)
        else:
            raise SettingError(f"no formula has the tag {tag!r}")

    # --- parts -----------------------------------------------------------------------------------------------------

    def _bound(self, name: Any, kind: str) -> None:
        """A bound symbol is a declared one without index: a scalar (real where said) or a vector."""
        symbol = self.signature.symbols.get(name) if isinstance(name, str) else None
        wanted = "vector" if kind == "vector" else "scalar"
        fits = symbol is not None and symbol.type == wanted and not symbol.indices
        _require(
            fits and (kind != "real" or (symbol is not None and symbol.domain == "real")), f"{name!r} cannot be bound"
        )

    def _linear(self, node: Any, name: str) -> bool:
        """Whether a vector term is linear in the vector of that name: once in each summand, outside all scalars."""
        tag = node[0]
        if tag == "vec":
            return bool(node[1] == name and not node[2])
        if tag == "vadd":
            return all(self._linear(u, name) for u in node[1:])
        if tag == "vmul":
            return name not in free_symbols(node[1], self.signature) and self._linear(node[2], name)
        if tag in ("vsum", "op", "opT"):
            return self._linear(node[3], name)
        return False

    def _end(self, node: Any) -> None:
        if node != ("inf",):
            self._check(node, "scalar")

    def _binder(self, rest: Any, kind: str) -> None:
        _require(len(rest) == 3, "a bad sum or quantifier")
        index, excluded, body = rest
        sort = sort_of(index)
        _require(index not in excluded, f"the index {index} excludes itself")
        _require(all(sort_of(e) == sort for e in excluded), f"{index} excludes an index of another sort")
        self._check(body, kind)

    def _symbol(self, node: Any, kind: str) -> None:
        _, name, indices = node
        symbol = self.signature.symbols.get(name)
        if symbol is None:
            # A parameter of a definition, or a symbol bound by a term: no index, and a scalar or vector.
            _require(not indices and kind != "operator", f"no {kind} is called {name!r}")
            return
        _require(symbol.type == kind, f"{name!r} is a {symbol.type}, not a {kind}")
        _require(tuple(sort_of(i) for i in indices) == symbol.indices, f"{name!r} takes indices {symbol.indices}")

    def _defined(self, node: Any, kind: str) -> None:
        _require(len(node) == 4 and node[1] in self.signature.definitions, f"nothing defined is called {node[1]!r}")
        _, name, indices, arguments = node
        definition = self.signature.definitions[name]
        _require(definition.type == kind, f"{name!r} is a {definition.type}, not a {kind}")
        sorts = tuple(sort_of(i) for i in definition.indices)
        _require(tuple(sort_of(i) for i in indices) == sorts, f"{name!r} takes indices {sorts}")
        _require(len(arguments) == len(definition.parameters), f"{name!r} takes {len(definition.parameters)} scalars")
        self._all(arguments, "scalar")

    def _relation(self, node: Any) -> None:
        tag, *arguments = node
        kinds = RELATIONS[tag]
        _require(len(arguments) == len(kinds), f"the relation {tag!r} takes {len(kinds)} arguments")
        for kind, argument in zip(kinds, arguments, strict=True):
            if kind == "term":
                self._check(argument, "scalar")
            elif kind == "sort":
                _require(argument in SORTS, f"{argument!r} is not a sort")
            else:
                _require(argument in self.signature.symbols, f"no symbol is called {argument!r}")
        if tag == "gram":
            _require(len(self.signature.symbols[arguments[0]].indices) == 1, "a Gram relation is for one index")


def _lowest(numerator: str, denominator: str) -> bool:
    """Whether two hexadecimal integers are written plainly and in lowest terms."""
    try:
        p, q = int(numerator, 16), int(denominator, 16)
    except ValueError:
        return False
    return q > 0 and gcd(p, q) == 1 and (format(p, "x"), format(q, "x")) == (numerator, denominator)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise SettingError(message)
