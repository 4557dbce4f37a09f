"""The stand-alone judge: replays the certificates of a ledger and believes nothing else.

    python checker.py ledger.json

One file, Python's standard library only; it shares no code with the kernel that makes the certificates. The term
language, the rules and their side conditions are those of `docs/kernel.md`. For every claim the program prints
`accepted` with each statement printed from its term, `rejected` with the step and the reason, or `no certificate`.

Exit code: 0 when every certificate is accepted and every proved, certified, refuted or amended row has one;
1 otherwise; 2 for bad usage or an input that cannot be read.

How to read it: terms (1), the setting (2), the normal form that decides equations (3), signs (4), rules (5),
enclosures and models (6), definedness and certificates (7), the ledger (8), the printer (9).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

Term = tuple[Any, ...]
Number = int | Fraction
MAX_NODES, MAX_DEPTH, MAX_DIGITS, MAX_POWER, MAX_STEPS, MAX_MONOMIALS = 20_000, 120, 2_000, 64, 3_000, 6_000


class Rejected(Exception):  # noqa: N818 (a verdict, not a fault)
    """The certificate is not accepted; the message says why."""


class Unreadable(Exception):  # noqa: N818
    """The input is not a ledger; the message says why."""


def need(condition: object, why: str) -> None:
    """Reject unless the condition holds."""
    if not condition:
        raise Rejected(why)


# ---------------------------------------------------------------------------------------------------------------
# 1. Terms: the shape of each tag. Field kinds: S scalar, V vector, F formula, H scalar or ["inf"], i index,
#    I list of indices, T list of scalars, n name, z sort, k exponent; bi bx bv bind an index, a scalar, a vector
#    in the fields marked "!"; a star means two or more.
# ---------------------------------------------------------------------------------------------------------------
_UNARY = ("inv", "exp", "log", "sqrt", "abs", "relu", "sin", "cos")
SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    "S": {
        "q": ("n", "n"), "pi": (), "size": ("z",), "s": ("n", "I"), "+": ("S*",), "*": ("S*",), "^": ("S", "k"),
        **dict.fromkeys(_UNARY, ("S",)), "fn": ("n", "S"), "sum": ("bi", "I", "S!"), "ip": ("V", "V"),
        "norm": ("V",), "opnorm": ("bv", "V!"), "delta": ("i", "i"), "def": ("n", "I", "T"), "rate": ("n", "S"),
        "int": ("bx", "S", "S", "S!"), "root": ("bx", "S!", "S", "H"),
    },
    "V": {
        "vec": ("n", "I"), "v0": (), "vadd": ("V*",), "vmul": ("S", "V"), "vsum": ("bi", "I", "V!"),
        "op": ("n", "I", "V"), "opT": ("n", "I", "V"), "vdef": ("n", "I", "T"),
    },
    "F": {
        **dict.fromkeys(("eq", "ne", "ge", "gt", "le", "lt"), ("S", "S")), "veq": ("V", "V"), "and": ("F*",),
        "or": ("F*",), "implies": ("F", "F"), "iff": ("F", "F"), "all": ("bi", "I", "F!"), "forall": ("bx", "F!"),
        "exists": ("bx", "F!"), "forallv": ("bv", "F!"), "unique": ("bx", "S", "H", "S!"), "distinct": ("i", "i"),
        "dissipates": ("n", "S", "S"), "decays": ("n", "F", "S", "S"), "unit": ("n",),
        "symmetric": ("n",), "same_operator": ("n", "n"), "orthogonal_operators": ("n",),
        "scalar_operator": ("n", "n"), "scaled_operator": ("n", "S", "n"), "projector": ("n",),
        "resolution": ("n",), "gram": ("n", "S"), "single": ("z",),
    },
}  # fmt: skip
FIELDS = {tag: shape for table in SHAPES.values() for tag, shape in table.items()}
RELATIONS = set(itertools.islice(SHAPES["F"], list(SHAPES["F"]).index("unit"), None))
FUNCTIONS = ("sinh", "cosh", "tanh", "coth", "arsinh", "Ei", "W")
SORTS = {"token": "ijkl", "head": "gh", "axis": "a"}
SORT_OF = {letter: sort for sort, letters in SORTS.items() for letter in letters}
INDEX, NAME, HEX = (
    re.compile(r"[ijklgha][0-9]{0,6}\Z"),
    re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}\Z"),
    re.compile(r"-?(0|[1-9a-f][0-9a-f]*)\Z"),
)
RESERVED = {*_UNARY, *FUNCTIONS, "pi", "inf", "sum", "integral", "not", "and", "or", "implies", "iff"} - {"W"}
SOLUTIONS = ("dissipates", "decays")
COMPARISONS = {"eq": 2, "ne": 5, "ge": 6, "gt": 4, "le": 3, "lt": 1}
NEG, ZERO, POS, ANY = 1, 2, 4, 7  # a sign is the set of signs that are still possible


def rational(value: Number) -> Term:
    """The term of a rational number."""
    value = Fraction(value)
    return ("q", format(value.numerator, "x"), format(value.denominator, "x"))


def number(term: Term) -> Fraction:
    """The value of a `q` term."""
    return Fraction(int(term[1], 16), int(term[2], 16))


ONE, NOUGHT, MINUS = rational(1), rational(0), rational(-1)


def plus(*terms: Term) -> Term:
    """A sum of any number of scalars."""
    kept = [t for t in terms if t != NOUGHT]
    return NOUGHT if not kept else kept[0] if len(kept) == 1 else ("+", *kept)


def times(*terms: Term) -> Term:
    """A product of any number of scalars."""
    kept = [t for t in terms if t != ONE]
    return NOUGHT if NOUGHT in kept else ONE if not kept else kept[0] if len(kept) == 1 else ("*", *kept)


def minus(a: Term, b: Term) -> Term:
    """The difference a - b."""
    return plus(a, times(MINUS, b))


def unfold_function(term: Term) -> Term:
    """The hyperbolic functions in exp, log and sqrt."""
    name, t = term[1], term[2]
    e, back, twice = ("exp", t), ("exp", times(MINUS, t)), ("exp", times(rational(2), t))
    if name == "sinh":
        return times(rational(Fraction(1, 2)), minus(e, back))
    if name == "cosh":
        return times(rational(Fraction(1, 2)), plus(e, back))
    if name == "tanh":
        return minus(ONE, times(rational(2), ("inv", plus(twice, ONE))))
    if name == "coth":
        return plus(ONE, times(rational(2), ("inv", minus(twice, ONE))))
    return ("log", plus(t, ("sqrt", plus(("^", t, 2), ONE))))


def fields(term: Term) -> Iterator[tuple[str, Any]]:
    """The fields of a term with their kinds, variadic ones spread out."""
    shape = FIELDS[term[0]]
    if shape and shape[0].endswith("*"):
        for value in term[1:]:
            yield shape[0][0], value
    else:
        yield from zip(shape, term[1:], strict=True)


# ---------------------------------------------------------------------------------------------------------------
# 2. The setting: symbols, definitions, flows, hypotheses; reading, substitution, differentiation
# ---------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Symbol:
    """A declared scalar, vector or operator."""

    kind: str
    sorts: tuple[str, ...]
    domain: str


@dataclass(frozen=True)
class Definition:
    """A defined scalar or vector."""

    kind: str
    indices: tuple[str, ...]
    parameters: tuple[str, ...]
    body: Term


Moves = dict[str, tuple[tuple[str, ...], Term]]


class Setting:
    """The definitions of a ledger, validated in order; everything that depends on them and not on a claim."""

    def __init__(self, definitions: object) -> None:
        self.symbols: dict[str, Symbol] = {"e": Symbol("vector", ("axis",), "real")}  # the basis needs no declaration
        self.defined: dict[str, Definition] = {}
        self.flows: dict[str, Moves] = {}
        self.hypotheses: dict[str, Term] = {}
        self.objects: list[tuple[str, str, Any]] = []  # (kind, name, JSON object)
        self._free: dict[Term, tuple[frozenset[str], frozenset[str]]] = {}
        self._alpha: dict[Term, Term] = {}
        self._local: frozenset[str] = frozenset()  # parameters of the definition that is being read
        need(isinstance(definitions, list), "definitions: not a list")
        assert isinstance(definitions, list)
        for position, entry in enumerate(definitions):
            try:
                self._declare(entry)
            except Rejected as why:
                raise Rejected(f"definitions[{position}]: {why}") from None

    def _declare(self, entry: object) -> None:
        need(isinstance(entry, dict), "not an object")
        assert isinstance(entry, dict)
        kinds = {
            "symbol": {"symbol", "type", "indices", "domain", "text"},
            "define": {"define", "type", "indices", "parameters", "body", "text"},
            "flow": {"flow", "moves", "text"},
            "hypothesis": {"hypothesis", "formula", "text"},
        }
        kind = next((k for k in kinds if set(entry) == kinds[k]), "")
        need(kind, f"keys {sorted(entry)} are those of no definition")
        name = entry[kind]
        need(isinstance(name, str) and NAME.match(name), f"bad name {name!r}")
        need(name not in RESERVED and (name != "W" or kind != "define"), f"the name {name!r} has a meaning of its own")
        need(isinstance(entry["text"], str), "text is not a string")
        taken = {"flow": {*self.flows}, "hypothesis": {*self.hypotheses}}.get(kind, {*self.symbols, *self.defined})
        need(name not in taken or (name == "e" and kind == "symbol"), f"{name} is declared twice")
        if kind == "symbol":
            self._symbol(name, entry)
        elif kind == "define":
            indices = self._indices(entry["indices"])
            parameters = self._names(entry["parameters"])
            for p in parameters:
                need(NAME.match(p) and p not in self.defined, f"bad parameters {parameters}")
                need(p not in self.symbols or self.is_variable(p), f"parameter {p} is a symbol of another kind")
            need(entry["type"] in ("scalar", "vector"), "a definition is a scalar or a vector")
            self._local = frozenset(parameters)
            body = self.read(entry["body"], "S" if entry["type"] == "scalar" else "V")
            self._local = frozenset()
            need(self.free(body)[0] <= set(indices), f"{name} has a free index that is not its own")
            self.defined[name] = Definition(entry["type"], indices, parameters, body)
        elif kind == "flow":
            self.flows[name] = self._flow(entry["moves"])
        else:
            formula = self.read(entry["formula"], "F")
            need(not self.free(formula)[0], f"hypothesis {name} has a free index")
            self.hypotheses[name] = formula
        self.objects.append((kind, name, entry))

    def _symbol(self, name: str, entry: dict[str, Any]) -> None:
        need(entry["type"] in ("scalar", "vector", "operator"), f"bad type {entry['type']!r}")
        need(entry["domain"] in ("real", "positive", "nonnegative"), f"bad domain {entry['domain']!r}")
        need(entry["type"] == "scalar" or entry["domain"] == "real", "only scalars have a domain")
        sorts = self._names(entry["indices"], distinct=False)
        need(all(s in SORTS for s in sorts), f"unknown sort among {sorts}")
        need(name != "e" or (entry["type"] == "vector" and sorts == ("axis",)), "e is the basis: one axis index")
        self.symbols[name] = Symbol(entry["type"], sorts, entry["domain"])

    def _flow(self, moves: object) -> Moves:
        need(isinstance(moves, list) and moves, "moves: not a list, or empty")
        assert isinstance(moves, list)
        result: Moves = {}
        for move in moves:
            need(isinstance(move, dict) and set(move) == {"symbol", "indices", "velocity"}, "bad move")
            name, indices = move["symbol"], self._indices(move["indices"])
            need(isinstance(name, str) and name in self.symbols, f"moves {name!r}, which is not declared")
            symbol = self.symbols[name]
            need(symbol.kind != "operator" and name not in result, f"{name} moves twice, or is an operator")
            need(name != "e", "the basis does not move")
            need(tuple(SORT_OF[i[0]] for i in indices) == symbol.sorts, f"{name}: wrong indices")
            velocity = self.read(move["velocity"], "S" if symbol.kind == "scalar" else "V")
            need(self.free(velocity)[0] <= set(indices), f"the velocity of {name} has another free index")
            result[name] = (indices, velocity)
        return result

    def _names(self, value: object, distinct: bool = True) -> tuple[str, ...]:
        need(isinstance(value, list) and all(isinstance(v, str) for v in value), f"not a list of names: {value!r}")
        assert isinstance(value, list)
        need(not distinct or len(set(value)) == len(value), f"a name occurs twice in {value}")
        return tuple(value)

    def _indices(self, value: object, distinct: bool = True) -> tuple[str, ...]:
        names = self._names(value, distinct)
        need(all(INDEX.match(v) for v in names), f"not indices: {names}")
        return names

    def is_variable(self, name: object, kind: str = "scalar") -> bool:
        """Whether the name is a declared symbol of that kind without index."""
        symbol = self.symbols.get(name) if isinstance(name, str) else None
        return symbol is not None and symbol.kind == kind and not symbol.sorts and name not in self._local

    # -- reading -----------------------------------------------------------------------------------------------
    def read(self, value: object, want: str) -> Term:
        """A JSON value as a well-formed term of kind S, V or F."""
        self._nodes = 0
        return self._read(value, want, 0)

    def _read(self, value: object, want: str, depth: int) -> Term:
        self._nodes += 1
        need(self._nodes <= MAX_NODES and depth <= MAX_DEPTH, "a term is too large or too deep")
        need(isinstance(value, list) and value and isinstance(value[0], str), f"not a term: {str(value)[:60]}")
        assert isinstance(value, list)
        tag = value[0]
        shape = SHAPES[want].get(tag)
        need(shape is not None, f"{tag!r} is not a tag of a {want} term")
        assert shape is not None
        if shape and shape[0].endswith("*"):
            need(len(value) >= 3, f"{tag} takes two or more terms")
            return (tag, *(self._read(v, shape[0][0], depth + 1) for v in value[1:]))
        need(len(value) == len(shape) + 1, f"{tag} takes {len(shape)} fields, not {len(value) - 1}")
        out: list[Any] = [tag]
        for kind, v in zip(shape, value[1:], strict=True):
            base = kind[0]
            if kind in ("bi", "i"):
                need(isinstance(v, str) and INDEX.match(v), f"{tag}: {v!r} is not an index")
                out.append(v)
            elif kind in ("bx", "bv"):
                need(self.is_variable(v, "scalar" if kind == "bx" else "vector"), f"{tag} cannot bind {v!r}")
                out.append(v)
            elif kind == "I":
                out.append(self._indices(v, distinct=tag in ("sum", "vsum", "all")))
            elif kind == "T":
                need(isinstance(v, list), f"{tag}: arguments are not a list")
                out.append(tuple(self._read(u, "S", depth + 1) for u in v))
            elif kind == "k":
                need(type(v) is int and 0 <= v <= MAX_POWER, f"bad exponent {v!r}")
                out.append(v)
            elif kind == "z":
                need(isinstance(v, str) and v in SORTS, f"unknown sort {v!r}")
                out.append(v)
            elif kind == "n":
                need(isinstance(v, str), f"{tag}: {v!r} is not a name")
                out.append(v)
            elif kind == "H" and v == ["inf"]:
                out.append(("inf",))
            else:
                out.append(self._read(v, "S" if kind == "H" else base, depth + 1))
        term = tuple(out)
        self._sorts(term)
        return term

    def _sorts(self, t: Term) -> None:
        """Names, arities and sorts of one node whose fields are read."""
        tag = t[0]
        if tag == "q":
            need(HEX.match(t[1]) and HEX.match(t[2]) and max(len(t[1]), len(t[2])) <= MAX_DIGITS, "bad rational")
            need(int(t[2], 16) > 0 and rational(number(t)) == t, "a rational is not in lowest terms")
        elif tag in ("s", "vec", "op", "opT"):
            kind = {"s": "scalar", "vec": "vector"}.get(tag, "operator")
            local = tag == "s" and t[1] in self._local
            symbol = Symbol("scalar", (), "real") if local else self.symbols.get(t[1])
            need(symbol is not None and symbol.kind == kind, f"{t[1]!r} is not a declared {kind}")
            assert symbol is not None
            need(tuple(SORT_OF[i[0]] for i in t[2]) == symbol.sorts, f"{t[1]}: wrong indices {t[2]}")
        elif tag in ("def", "vdef"):
            d = self.defined.get(t[1])
            need(d is not None and (d.kind == "scalar") == (tag == "def"), f"{t[1]!r} is not defined before")
            assert d is not None
            need([SORT_OF[i[0]] for i in t[2]] == [SORT_OF[i[0]] for i in d.indices], f"{t[1]}: wrong indices")
            need(len(t[3]) == len(d.parameters), f"{t[1]}: wrong number of arguments")
        elif tag == "rate" or tag in SOLUTIONS:
            need(t[1] in self.flows, f"no flow {t[1]!r} before")
        elif tag == "fn":
            need(t[1] in FUNCTIONS, f"no function {t[1]!r}")
        elif tag in ("sum", "vsum", "all"):
            need(all(SORT_OF[x[0]] == SORT_OF[t[1][0]] and x != t[1] for x in t[2]), f"{tag}: bad exclusion")
        elif tag in ("delta", "distinct"):
            need(SORT_OF[t[1][0]] == SORT_OF[t[2][0]], f"{tag} of two sorts")
        elif tag in ("int", "root", "unique"):
            need(self.symbols[t[1]].domain == "real", f"{tag} binds {t[1]}, whose domain is not real")
        elif tag == "opnorm":
            need(self._linear(t[2], t[1]), f"opnorm: not linear in {t[1]}")
        elif tag in RELATIONS and tag != "single":
            self._relation(t)

    def _relation(self, t: Term) -> None:
        tag, first = t[0], self.symbols.get(t[1])
        kind = "vector" if tag in ("unit", "gram") else "operator"
        need(first is not None and first.kind == kind, f"{tag}: {t[1]!r} is not a {kind}")
        assert first is not None
        if tag in ("same_operator", "scaled_operator", "scalar_operator"):
            other = self.symbols.get(t[-1])
            wanted = "scalar" if tag == "scalar_operator" else "operator"
            need(other is not None and other.kind == wanted and other.sorts == first.sorts, f"{tag}: bad {t[-1]!r}")
        if tag in ("orthogonal_operators", "resolution", "gram"):
            need(len(first.sorts) == 1, f"{tag}: {t[1]} must have one index")
        if tag in ("scaled_operator", "gram"):
            need(not self.free(t[2])[0], f"{tag}: a free index")

    def _linear(self, u: Term, w: str) -> bool:
        if u[0] == "vec":
            return bool(u[1] == w)
        if u[0] == "vadd":
            return all(self._linear(v, w) for v in u[1:])
        if u[0] == "vmul":
            return w not in self.free(u[1])[1] and self._linear(u[2], w)
        return u[0] in ("vsum", "op", "opT") and self._linear(u[3], w)

    # -- free names and substitution ---------------------------------------------------------------------------
    def free(self, t: Term) -> tuple[frozenset[str], frozenset[str]]:
        """The free indices and the free symbols, seen through definitions and flows."""
        found = self._free.get(t)
        if found is None:
            found = self._free[t] = self._find_free(t)
        return found

    def _find_free(self, t: Term) -> tuple[frozenset[str], frozenset[str]]:
        tag = t[0]
        if tag in ("q", "inf"):
            return frozenset(), frozenset()
        indices: set[str] = set()
        symbols: set[str] = set()
        if tag in ("s", "vec", "op", "opT"):
            symbols.add(t[1])
        elif tag in ("def", "vdef"):
            d = self.defined[t[1]]
            symbols |= self.free(d.body)[1] - set(d.parameters)
        elif tag == "rate" or tag in SOLUTIONS:
            for name, (_, velocity) in self.flows[t[1]].items():
                symbols |= {name} | self.free(velocity)[1]
        elif tag in RELATIONS:
            symbols |= {v for k, v in fields(t) if k == "n"}
        for kind, v in fields(t):
            if kind == "i":
                indices.add(v)
            elif kind == "I":
                indices |= set(v)
            elif kind == "T" or kind[0] in "SVFH":
                for u in v if kind == "T" else (v,):
                    fi, fs = self.free(u)
                    bound = {t[1]} if kind.endswith("!") else set()
                    indices |= fi - (bound if tag in ("sum", "vsum", "all") else set())
                    symbols |= fs - (bound if tag not in ("sum", "vsum", "all") else set())
        return frozenset(indices), frozenset(symbols)

    def unfold(self, t: Term) -> Term:
        """The body of a definition at its arguments."""
        d = self.defined[t[1]]
        return self.subst(
            d.body, dict(zip(d.indices, t[2], strict=True)), dict(zip(d.parameters, t[3], strict=True)), {}
        )

    def subst(self, t: Term, ix: dict[str, str], sc: dict[str, Term], ve: dict[str, Term]) -> Term:
        """Simultaneous, capture-avoiding substitution for free indices, scalar symbols and vector symbols.

        A definition whose meaning depends on a replaced symbol is unfolded first; a rate along a flow that moves or
        depends on it is refused, since what it stands for is true only where it is defined.
        """
        fi, fs = self.free(t)
        ix = {k: v for k, v in ix.items() if k in fi and k != v}
        sc = {k: v for k, v in sc.items() if k in fs}
        ve = {k: v for k, v in ve.items() if k in fs}
        if not (ix or sc or ve):
            return t
        tag = t[0]
        if tag == "s" and t[1] in sc:
            return sc[t[1]]
        if tag == "vec" and t[1] in ve:
            return ve[t[1]]
        if tag in ("def", "vdef"):
            d = self.defined[t[1]]
            if (sc.keys() | ve.keys()) & (self.free(d.body)[1] - set(d.parameters)):
                return self.subst(self.unfold(t), ix, sc, ve)
        if tag == "rate" and (sc or ve):
            moves = self.flows[t[1]]
            touched = frozenset(moves).union(*(self.free(velocity)[1] for _, velocity in moves.values()))
            still = touched.isdisjoint({*sc, *ve}) and not any(
                self.moved(u, moves) for u in (*sc.values(), *ve.values())
            )
            need(still, f"a replacement touches what the flow {t[1]} moves")
        need(tag not in SOLUTIONS or not (sc or ve), "a symbol of a statement about solutions cannot be replaced")
        need(tag not in RELATIONS or not any(v in sc or v in ve for k, v in fields(t) if k == "n"),
             "a symbol of a relation cannot be replaced")  # fmt: skip
        binder = t[1] if FIELDS[tag][:1] and FIELDS[tag][0][0] == "b" else None
        inner: tuple[dict[str, Any], ...] = (ix, sc, ve)
        renamed = binder
        if binder is not None:
            of = FIELDS[tag][0]
            kinds = ("bi", "bx", "bv")
            inner = tuple(
                {k: v for k, v in m.items() if k != binder or of != o} for m, o in zip(inner, kinds, strict=True)
            )
            seen_i = set(inner[0].values())
            seen_s: set[str] = set()
            for u in (*inner[1].values(), *inner[2].values()):
                seen_i |= self.free(u)[0]
                seen_s |= self.free(u)[1]
            body = next(v for k, v in fields(t) if k.endswith("!"))
            if binder in (seen_i if of == "bi" else seen_s):
                renamed = self.fresh(binder, seen_i | seen_s | self.free(body)[0] | self.free(body)[1])
                extra: Any = renamed if of == "bi" else ("s" if of == "bx" else "vec", renamed, ())
                inner = tuple({**m, binder: extra} if o == of else m for m, o in zip(inner, kinds, strict=True))
        out: list[Any] = [tag]
        for kind, v in fields(t):
            if kind.startswith("b"):
                out.append(renamed)
            elif kind == "i":
                out.append(ix.get(v, v))
            elif kind == "I":
                out.append(tuple(ix.get(i, i) for i in v))
            elif kind == "T":
                out.append(tuple(self.subst(u, ix, sc, ve) for u in v))
            elif kind[0] in "SVF" or (kind == "H" and v != ("inf",)):
                out.append(self.subst(v, *(inner if kind.endswith("!") else (ix, sc, ve))))
            else:
                out.append(v)
        return tuple(out)

    def fresh(self, name: str, taken: Iterable[str]) -> str:
        """A name like the given one that is not taken; `~` occurs in no name that was read."""
        used = set(taken)
        base = name.split("~", maxsplit=1)[0]
        return next(f"{base}~{k}" for k in itertools.count() if f"{base}~{k}" not in used)

    def alpha(self, t: Term) -> Term:
        """A form equal for two formulas that differ only in bound names and in the direction of le, lt, distinct."""
        found = self._alpha.get(t)
        if found is None:
            found = self._alpha[t] = self._canonical(t, 0)
        return found

    def _canonical(self, t: Term, depth: int) -> Term:
        tag = t[0]
        if tag in ("le", "lt"):
            t = (("ge", "gt")[tag == "lt"], t[2], t[1])
        elif tag == "distinct":
            t = (tag, *sorted(t[1:]))
        if tag == "inf" or not FIELDS[tag]:
            return t
        of = FIELDS[tag][0]
        name = None
        if of[0] == "b":
            declared = self.symbols.get(t[1].split("~")[0])
            domain = declared.domain if declared else "real"  # a bound scalar is what its domain says
            name = (t[1][0] if of == "bi" else f"x {domain}" if of == "bx" else "w") + f"!{depth}"
            try:
                at = ("bi", "bx", "bv").index(of)
                maps: list[dict[str, Any]] = [{}, {}, {}]
                maps[at] = {t[1]: name if at == 0 else (("s", "vec")[at - 1], name, ())}
                inner = next(self.subst(v, *maps) for k, v in fields(t) if k.endswith("!"))
            except Rejected:  # a rate inside moves it: the name stays
                name, inner = t[1], next(v for k, v in fields(t) if k.endswith("!"))
        out: list[Any] = [t[0]]
        for kind, v in fields(t):
            if kind.endswith("!"):
                out.append(self._canonical(inner, depth + 1))
            elif kind.startswith("b"):
                out.append(name)
            elif kind == "T":
                out.append(tuple(self._canonical(u, depth) for u in v))
            elif kind[0] in "SVFH":
                out.append(self._canonical(v, depth))
            elif kind == "I" and of == "bi":
                out.append(tuple(sorted(v)))
            else:
                out.append(v)
        return tuple(out)

    # -- differentiation ---------------------------------------------------------------------------------------
    def rate(self, t: Term) -> Term:
        """The formal derivative that a `rate` term stands for."""
        return self.derive(t[2], self.flows[t[1]]) or NOUGHT

    def moved(self, t: Term, moves: Moves) -> bool:
        """Whether a moving symbol occurs."""
        return not self.free(t)[1].isdisjoint(moves)

    def derive(self, t: Term, moves: Moves) -> Term | None:
        """The formal derivative of a scalar or a vector along the moves; None for zero."""
        if not self.moved(t, moves):
            return None
        tag = t[0]
        if tag in ("s", "vec"):
            indices, velocity = moves[t[1]]
            return self.subst(velocity, dict(zip(indices, t[2], strict=True)), {}, {})
        if tag in ("def", "vdef"):
            return self.derive(self.unfold(t), moves)
        if tag == "rate":
            return self.derive(self.rate(t), moves)
        if tag in ("+", "vadd"):
            parts = [d for d in (self.derive(u, moves) for u in t[1:]) if d is not None]
            return None if not parts else parts[0] if len(parts) == 1 else (tag, *parts)
        if tag == "*":
            summands = []
            for k, u in enumerate(t[1:], 1):
                d = self.derive(u, moves)
                if d is not None:
                    summands.append(times(d, *t[1:k], *t[k + 1 :]))
            return plus(*summands) if summands else None
        if tag in ("ip", "vmul"):
            left, right = self.derive(t[1], moves), self.derive(t[2], moves)
            both = ([(tag, left, t[2])] if left else []) + ([(tag, t[1], right)] if right else [])
            return None if not both else both[0] if len(both) == 1 else ("+" if tag == "ip" else "vadd", *both)
        if tag in ("sum", "vsum", "op", "opT"):
            d = self.derive(t[3], moves)
            return None if d is None else (*t[:3], d)
        if tag == "norm":
            d = self.derive(t[1], moves)
            return None if d is None else times(("ip", t[1], d), ("inv", t))
        need(tag in ("^", "inv", "exp", "log", "sqrt", "relu", "sin", "cos", "fn"), f"{tag} is not differentiated")
        if tag == "fn" and t[1] not in ("Ei", "W"):
            return self.derive(unfold_function(t), moves)
        u = t[2] if tag == "fn" else t[1]
        d = self.derive(u, moves)
        if d is None:
            return None
        if tag == "^":
            return None if t[2] == 0 else times(rational(t[2]), ("^", u, t[2] - 1), d)
        if tag == "fn":
            outer = (
                times(("exp", u), ("inv", u))
                if t[1] == "Ei"
                else times(("exp", times(MINUS, t)), ("inv", plus(ONE, t)))
            )
        else:
            outer = {
                "inv": times(MINUS, ("^", t, 2)), "exp": t, "log": ("inv", u), "sin": ("cos", u),
                "sqrt": times(rational(Fraction(1, 2)), ("inv", t)), "cos": times(MINUS, ("sin", u)),
                "relu": times(t, ("inv", u)),
            }[tag]  # fmt: skip
        return times(outer, d)


# ---------------------------------------------------------------------------------------------------------------
# 3. The normal form. A polynomial is a dict {monomial: coefficient}; a monomial is (binders, ((atom, power), ...)):
#    a sum over the full ranges of its binders of a product of atoms. Canonical bound names are `letter#height.k`,
#    heights growing outwards, so that inner and outer names never meet; working names are `letter#fk`.
# ---------------------------------------------------------------------------------------------------------------
Text = Callable[[str], str]


class Atom:
    """An interned atom: equal atoms are the same object. Its tag and arguments are one of these.

    s name indices · z sort · pi · d i j · E poly (e^poly) · f name poly · def name indices polys · ip base word base ·
    V word base (a vector) · b name indices polys (a base vector) · opnorm poly · int lo hi body · root body lo hi.
    """

    __slots__ = ("args", "bound", "height", "key", "names", "tag")

    def __init__(self, tag: str, args: tuple[Any, ...], key: str) -> None:
        self.tag, self.args, self.key = tag, args, key
        names: set[str] = set()
        bound: frozenset[str] = frozenset()
        height = 0
        for v in _leaves(args):
            if isinstance(v, str):
                names.add(v)
            else:
                names |= v.names
                bound |= v.bound
                height = max(height, v.height)
        self.names, self.bound, self.height = frozenset(names), bound, height


def _leaves(args: Any) -> Iterator[Any]:
    """The index names (marked as Index), atoms and polynomials among nested arguments."""
    for v in args:
        if isinstance(v, Index | Atom | Poly):
            yield v
        elif isinstance(v, tuple):
            yield from _leaves(v)


class Index(str):
    """An index name inside an atom, told apart from other strings."""

    __slots__ = ()


class Poly:
    """A polynomial; immutable once made."""

    __slots__ = ("_info", "terms")

    def __init__(self, terms: dict[Any, Number]) -> None:
        need(len(terms) <= MAX_MONOMIALS, "a normal form is too long")
        self.terms = terms
        self._info: tuple[str, frozenset[str], frozenset[str], int] | None = None

    def _all(self) -> tuple[str, frozenset[str], frozenset[str], int]:
        if self._info is None:
            names: set[str] = set()
            bound: set[str] = set()
            height = 0
            for binders, factors in self.terms:
                inside: set[str] = set()
                for a, _ in factors:
                    inside |= a.names
                    bound |= a.bound
                    height = max(height, a.height)
                names |= inside.difference(binders)
                bound.update(binders)
                height = max([height, *(int(b.split("#")[1].split(".")[0]) for b in binders)])
            self._info = (text_of(self, str), frozenset(names), frozenset(bound), height)
        return self._info

    key = property(lambda self: self._all()[0])
    names = property(lambda self: self._all()[1])
    bound = property(lambda self: self._all()[2])
    height = property(lambda self: self._all()[3])


def flip(word: tuple[Any, ...]) -> tuple[Any, ...]:
    """The adjoint of a word of operator letters (name, indices, flag): 0 plain, 1 adjoint, 2 symmetric."""
    return tuple((n, i, f if f == 2 else 1 - f) for n, i, f in reversed(word))


def text_of(v: Any, name: Text) -> str:
    """A serialisation of arguments, atoms and polynomials with index names replaced; canonical up to those names."""
    if isinstance(v, Index):
        return f"<{name(v)}>"
    if isinstance(v, Atom):
        if name is str or not v.names:
            return v.key
        if v.tag == "ip":
            u, word, w = v.args
            return f"ip({min(text_of((u, word, w), name), text_of((w, flip(word), u), name))})"
        if v.tag == "d":
            return f"d({','.join(sorted(map(name, v.args)))})"
        return f"{v.tag}({text_of(v.args, name)})"
    if isinstance(v, Poly):
        if name is str and v._info is not None:
            return v._info[0]
        return "[" + "+".join(sorted(f"{c}*{mono_text(m, name)}" for m, c in v.terms.items())) + "]"
    if isinstance(v, tuple):
        return "(" + ",".join([text_of(u, name) for u in v]) + ")"
    return str(v)


def mono_text(mono: Any, name: Text) -> str:
    """The serialisation of a monomial; under a renaming its own bound names are blanked."""
    binders, factors = mono
    if name is str:
        return f"{','.join(binders)}:" + ".".join([f"{a.key}^{p}" for a, p in factors])

    def inner(n: str) -> str:
        return "_" + n[0] if n in binders else name(n)

    return f"{''.join(b[0] for b in binders)}:" + ".".join(sorted(f"{text_of(a, inner)}^{p}" for a, p in factors))


_ATOMS: dict[str, Atom] = {}
Factors = Iterable[tuple[Atom, int]]


def intern(tag: str, *args: Any) -> Atom:
    """The atom with these arguments."""
    key = f"{tag}{text_of(args, str)}"
    found = _ATOMS.get(key)
    if found is None:
        found = _ATOMS[key] = Atom(tag, args, key)
    return found


def plain(value: Number) -> Number:
    """An int where possible: it is faster."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def constant(value: Number) -> Poly:
    """A rational number as a polynomial."""
    return Poly({((), ()): plain(value)} if value else {})


def single(a: Atom, power: int = 1) -> Poly:
    """One atom as a polynomial."""
    return Poly({((), ((a, power),)): 1})


def add(*summands: Poly, factor: Number = 1) -> Poly:
    """The sum; every summand but the first is multiplied by the factor."""
    out = dict(summands[0].terms)
    for p in summands[1:]:
        for m, c in p.terms.items():
            value = plain(out.get(m, 0) + factor * c)
            if value:
                out[m] = value
            else:
                out.pop(m, None)
    return Poly(out)


def scale(p: Poly, factor: Number) -> Poly:
    """A rational multiple."""
    return Poly({m: plain(c * factor) for m, c in p.terms.items()} if factor else {})


def is_constant(p: Poly) -> Number | None:
    """The value of a polynomial that is a rational number."""
    if not p.terms:
        return 0
    return p.terms.get(((), ())) if len(p.terms) == 1 else None


def lone(p: Poly) -> tuple[Any, Number] | None:
    """The only monomial and its coefficient, if it has no binder."""
    if len(p.terms) == 1:
        (m, c), *_ = p.terms.items()
        return None if m[0] else (m[1], c)
    return None


def working(sort_letter: str, used: Iterable[str]) -> Index:
    """A working name that is not used."""
    return next(Index(f"{sort_letter}#f{k}") for k in itertools.count() if f"{sort_letter}#f{k}" not in used)


def sign_sum(*signs: int) -> int:
    """The possible signs of a sum."""
    out = ZERO
    for s in signs:
        both = 0
        for a, b in itertools.product((NEG, ZERO, POS), repeat=2):
            if a & out and b & s:
                both |= b if a == ZERO else a if b in (ZERO, a) else ANY
        out = both
    return out


def sign_product(*signs: int) -> int:
    """The possible signs of a product."""
    out = POS
    for s in signs:
        out = (
            (ZERO if (out | s) & ZERO else 0)
            | (POS if (out & POS and s & POS) or (out & NEG and s & NEG) else 0)
            | (NEG if (out & POS and s & NEG) or (out & NEG and s & POS) else 0)
        )
    return out


def sign_of(value: Number) -> int:
    """The sign of a number."""
    return POS if value > 0 else NEG if value < 0 else ZERO


def opposite(sign: int) -> int:
    """The possible signs of the negative."""
    return (sign & ZERO) | (POS if sign & NEG else 0) | (NEG if sign & POS else 0)


def nonnegative_if(sign: int) -> int:
    """The sign of an even function that vanishes at 0 alone."""
    return POS if not sign & ZERO else ZERO if sign == ZERO else ZERO | POS


@dataclass(frozen=True)
class Fact:
    """A shown formula with its schematic indices (those free in it and not in its `given`)."""

    formula: Term
    schematic: frozenset[str]


@dataclass
class Table:
    """Known signs: normal forms scaled to coefficient sum 1, with the indices that may be replaced."""

    entries: dict[str, list[tuple[Poly, frozenset[str], int]]] = field(default_factory=dict)

    @staticmethod
    def shape(v: Any) -> str:
        """The same for two atoms, or two polynomials up to powers of e, that differ in index names."""
        if isinstance(v, Poly):
            monos = [(b, [(a, k) for a, k in fs if a.tag != "E"]) for b, fs in v.terms]
            return str(len(monos)) + "".join(sorted("".join(Table.shape(a) + str(k) for fs in monos for a, k in fs[1])))
        text = re.sub(r"<([a-z])[^>]*>", lambda m: SORT_OF[m[1]][0], v.key)
        return "".join(sorted(x for x in text if x.isalpha()))  # digits depend on names, through orientations


def evened(p: Poly) -> Poly:
    """The positive multiple whose coefficients add up to 1 in absolute value."""
    return scale(p, Fraction(1) / length(p)) if p.terms else p


def length(p: Poly) -> Fraction:
    """The sum of the absolute values of the coefficients."""
    return sum((abs(Fraction(c)) for c in p.terms.values()), Fraction(0))


class Ring:
    """The normal form under the relations of a ground, cited facts, rewrites, opaque definitions and distinct pairs."""

    def __init__(self, setting: Setting, relations: Iterable[Term], facts: tuple[Fact, ...] = (),
                 rewrites: tuple[Fact, ...] = (), opaque: frozenset[str] = frozenset(),
                 distinct: frozenset[frozenset[str]] = frozenset()) -> None:  # fmt: skip
        self.setting, self.opaque, self.distinct = setting, opaque, distinct
        self.rel: dict[str, dict[str, Any]] = {tag: {} for tag in RELATIONS}
        for r in relations:
            self.rel[r[0]].setdefault(r[1], r[2:])
        for tag in (
            "symmetric",
            "orthogonal_operators",
            "scalar_operator",
            "scaled_operator",
            "projector",
            "resolution",
        ):
            self.rel[tag].update({self._alias(k): v for k, v in self.rel[tag].items()})
        self.symmetric = self.rel["symmetric"].keys() | self.rel["projector"].keys()
        self.table, self.registered, self.notes = Table(), Table(), 0
        self.rewrites: list[tuple[Atom, str, frozenset[str], Poly]] = []
        self._forget()
        self._learn([self._apart(f) for f in facts], [self._apart(f) for f in rewrites])

    def _forget(self) -> None:
        self._nf: dict[Term, Poly] = {}
        self._renamed: dict[Any, Poly] = {}
        self._known: dict[str, int] = {}
        self._mask: dict[Term, int] = {}

    def _apart(self, fact: Fact) -> Fact:
        """Schematic indices under names of their own: the pairs that are distinct here say nothing of them."""
        names = {i: f"{i[0]}#s{k}" for k, i in enumerate(sorted(fact.schematic))}
        return Fact(self.setting.subst(fact.formula, names, {}, {}), frozenset(names.values()))

    def _learn(self, facts: list[Fact], rewrites: list[Fact]) -> None:
        """Facts and rewrites in normal form, which depends on them: iterate until nothing changes."""
        before: Any = None
        for _ in range(6):
            table, rules = Table(), []
            for fact in facts:
                tag, a, b = fact.formula
                try:
                    p = add(self.scalar(a), self.scalar(b), factor=-1)
                except Rejected:  # a rate in it may need another fact: a later round knows more, else it is no help
                    continue
                if not p.terms:
                    continue
                p = self.scaled(p)
                table.entries.setdefault(Table.shape(p), []).append(
                    (p, frozenset(map(self.index, fact.schematic)), COMPARISONS[tag])
                )
            for k, fact in enumerate(rewrites):
                _, a, b = fact.formula
                kept, self.rewrites = self.rewrites, self.rewrites[:k] + self.rewrites[k + 1 :]
                self._forget()
                p, q = self.scalar(a), self.scalar(b)
                self.rewrites = kept
                left = lone(p)
                need(left is not None and len(left[0]) == 1 and left[0][0][1] == 1, "a rewrite's left side is no atom")
                assert left is not None
                pattern = left[0][0][0]
                names = frozenset(map(self.index, fact.schematic)) & (pattern.names | q.names)
                need(names <= pattern.names, "a rewrite's right side has a schematic index of its own")
                rules.append((pattern, Table.shape(pattern), names, scale(q, Fraction(1) / left[1])))
            now = ([(k, [(e[0].key, e[2]) for e in v]) for k, v in table.entries.items()],
                   [(r[0].key, r[3].key) for r in rules])  # fmt: skip
            if now == before:
                self._forget()  # the last normal forms were made without one of the rewrites
                return
            before = now
            self.table, self.rewrites = table, rules
            self._forget()
        raise Rejected("the facts and rewrites do not settle")

    def _alias(self, name: str) -> str:
        seen = {name}
        while name in self.rel["same_operator"] and self.rel["same_operator"][name][0] not in seen:
            name = self.rel["same_operator"][name][0]
            seen.add(name)
        return name

    def index(self, name: str) -> Index:
        """An index name as it occurs in atoms: the only index, if its sort has one."""
        sort = SORT_OF[name[0]]
        return Index(f"{SORTS[sort][0]}@") if sort in self.rel["single"] else Index(name)

    # -- signs of polynomials ----------------------------------------------------------------------------------
    def _look_up(self, p: Poly, table: Table) -> int:
        """The signs that the table leaves possible for a scaled polynomial."""
        sign = ANY
        shape = Table.shape(p) if table.entries else ""
        for fact, schematic, mask in table.entries.get(shape, ()):
            for k in (1, -1):
                if any(True for _ in self._matches(fact, self._shifted(scale(p, k)), schematic, injective=False)):
                    sign &= mask if k == 1 else opposite(mask)
        return sign

    def _shifted(self, p: Poly) -> Poly:
        """The multiple by a power of e that all such multiples share."""
        if not any(a.tag == "E" for _, factors in p.terms for a, _ in factors):
            return p
        shift = self._lead(p, {})[0]
        return self.mul(p, self.exp(scale(shift, -1))) if shift.terms else p

    def _matches(
        self, pattern: Any, target: Any, schematic: frozenset[str], injective: bool
    ) -> Iterator[dict[str, Index]]:
        """The replacements of schematic names that turn the pattern into the target."""
        names = sorted(schematic & pattern.names)
        fixed = pattern.names - schematic
        if not fixed <= target.names:
            return
        pools = [[n for n in sorted(target.names) if SORT_OF[n[0]] == SORT_OF[s[0]]] for s in names]
        for choice in itertools.product(*pools):
            if injective and (len(set(choice)) < len(choice) or not fixed.isdisjoint(choice)):
                continue
            mapping = dict(zip(names, choice, strict=True))
            if isinstance(pattern, Poly):
                if self._shifted(self.rename(pattern, mapping)).key == target.key:
                    yield mapping
            else:
                got = lone(self._rename_atom(pattern, mapping, rewrite=False))
                if got is not None and got[1] == 1 and got[0] == ((target, 1),):
                    yield mapping

    def known(self, p: Poly) -> int:
        """The possible signs of a polynomial: by structure, by facts, by what raw arguments have shown."""
        found = self._known.get(p.key)
        if found is not None:
            return found
        self._known[p.key] = ANY
        signs = [ZERO]
        for (binders, factors), c in p.terms.items():
            s = sign_product(sign_of(c), *(self._power_sign(a, k) for a, k in factors))
            signs.append(ANY if binders and s == NEG | POS else s)
        sign = sign_sum(*signs)
        if sign not in (NEG, ZERO, POS):
            scaled = self.scaled(p)
            sign &= self._look_up(scaled, self.table) & self._look_up(scaled, self.registered)
        self._known[p.key] = sign
        return sign

    def _power_sign(self, a: Atom, k: int) -> int:
        sign = self.atom_sign(a)
        return sign if k % 2 else nonnegative_if(sign)

    def atom_sign(self, a: Atom) -> int:
        """The possible signs of an atom."""
        if a.tag in ("E", "z", "pi"):
            return POS
        sign = ANY
        if a.tag == "s":
            sign = self._declared(a)
        elif a.tag == "f":
            name, arg = a.args
            if name in ("sqrt", "relu"):
                sign = POS if self.known(arg) == POS else ZERO | POS
            elif name == "abs":
                sign = nonnegative_if(self.known(arg))
            elif name == "inv" or (name == "W" and not self.known(arg) & NEG):
                sign = self.known(arg)
        elif a.tag == "opnorm" or a.tag == "d" or (a.tag == "ip" and not a.args[1] and a.args[0] is a.args[2]):
            sign = ZERO | POS
        if sign not in (NEG, POS) and (self.table.entries or self.registered.entries):
            p = single(a)
            sign &= self._look_up(p, self.table) & self._look_up(p, self.registered)
        return sign

    def _declared(self, a: Atom) -> int:
        """The sign of a symbol by its domain."""
        symbol = self.setting.symbols.get(a.args[0])
        return ANY if symbol is None else {"positive": POS, "nonnegative": ZERO | POS}.get(symbol.domain, ANY)

    def is_unit(self, a: Atom) -> bool:
        """Whether powers of the atom cancel: it is known not to be zero."""
        if a.tag in ("E", "d", "V") or (a.tag == "f" and a.args[0] in ("sqrt", "sin", "inv")):
            return False
        return not self.atom_sign(a) & ZERO

    def scaled(self, p: Poly) -> Poly:
        """The positive multiple that all multiples by positive numbers and units share.

        A fact about one product is not divided by what it says is positive: there only sizes and domains count.
        """

        def wanted(a: Atom) -> bool:
            declared = a.tag in ("z", "pi") or (a.tag == "s" and self._declared(a) == POS)
            return declared or (len(p.terms) > 1 and self.is_unit(a) and self.atom_sign(a) == POS)

        units = self._units(p, wanted)
        down = Poly({((), tuple(sorted(((a, -k) for a, k in units.items() if k), key=_order))): 1})
        return evened(self.mul(p, down))

    def _units(self, p: Poly, wanted: Callable[[Atom], bool]) -> dict[Atom, int]:
        """The wanted atoms whose names are free in p, and their least powers in its monomials."""
        units: dict[Atom, int] = {}
        seen: set[Atom] = set()
        for binders, factors in p.terms:
            for a, _ in factors:
                if a not in seen and a.names.isdisjoint(binders) and wanted(a):
                    units[a] = min(dict(m[1]).get(a, 0) for m in p.terms)
                seen.add(a)
        return units

    # -- building ----------------------------------------------------------------------------------------------
    def mul(self, p: Poly, q: Poly) -> Poly:
        """The product; binders of both factors are renamed apart."""
        for x, y in ((p, q), (q, p)):
            value = is_constant(x)
            if value is not None:
                return y if value == 1 else scale(y, value)
        need(len(p.terms) * len(q.terms) <= 40 * MAX_MONOMIALS, "a product is too long")
        out: dict[Any, Number] = {}
        for (b1, f1), c1 in p.terms.items():
            for (b2, f2), c2 in q.terms.items():
                avoid = set().union(*(a.names for a, _ in (*f1, *f2)))
                n1, k1, e1 = self._open(b1, f1, avoid)
                n2, k2, e2 = self._open(b2, f2, avoid | set(n1))
                _merge(out, self.term(c1 * c2, [*k1, *k2], [*n1, *n2], [*e1, *e2]))
        return Poly(out)

    def _renamed_factors(self, fs: Factors, mapping: dict[str, Index]) -> tuple[list[tuple[Atom, int]], list[Poly]]:
        """The factors under a renaming: those that stay one atom, and what else arises."""
        kept: list[tuple[Atom, int]] = []
        extra: list[Poly] = []
        for a, k in fs:
            got = self._rename_atom(a, mapping)
            one = lone(got)
            if one is not None and one[1] == 1 and len(one[0]) == 1:
                kept.append((one[0][0][0], one[0][0][1] * k))
            else:
                extra.append(self.power(got, k) if k > 0 else self.power(self.inverse(got), -k))
        return kept, extra

    def _open(
        self, binders: Iterable[str], factors: Factors, avoid: Iterable[str] = (), more: dict[str, Index] | None = None
    ) -> tuple[list[Index], list[tuple[Atom, int]], list[Poly]]:
        """A monomial without its sums: working names that avoid others, factors, and what else arises."""
        used = {*avoid, *(more or {}).values()}.union(*(a.names for a, _ in factors))
        mapping: dict[str, Index] = dict(more or {})
        names = []
        for b in binders:
            names.append(working(b[0], used))
            mapping[b] = names[-1]
            used.add(names[-1])
        return names, *self._renamed_factors(factors, mapping)

    def power(self, p: Poly, k: int) -> Poly:
        """A power, k >= 0."""
        out = constant(1)
        for _ in range(k):
            out = self.mul(out, p)
        return out

    def bind(self, names: list[Index], p: Poly) -> Poly:
        """The sum over the full ranges of the names."""
        out: dict[Any, Number] = {}
        for (binders, factors), c in p.terms.items():
            own, kept, extra = self._open(binders, factors, names)
            _merge(out, self.term(c, kept, [*own, *names], extra))
        return Poly(out)

    def term(self, c: Number, factors: Factors, binders: list[Index], extra: list[Poly] | None = None) -> Poly:
        """The sum over the binders (working names) of c times the factors times the extra polynomials."""
        extra = list(extra or ())
        powers: dict[Atom, int] = {}
        exponents: list[tuple[Poly, int]] = []
        for a, k in factors:
            if a.tag == "E":
                exponents.append((a.args[0], k))
            else:
                powers[a] = powers.get(a, 0) + k
        if exponents:
            total = exponents[0][0] if len(exponents) == 1 else add(*(scale(p, k) for p, k in exponents))
            if len(exponents) == 1:
                total = scale(total, exponents[0][1])
            total = self._lambert(powers, total, extra)
            got = self.exp(total)
            one = lone(got)
            if one is not None and one[1] == 1 and len(one[0]) == 1 and one[0][0][0].tag == "E":
                powers[one[0][0][0]] = 1
            else:
                extra.append(got)
        if any(a.tag == "d" for a in powers):
            contracted = self._contract(c, powers, binders, extra)
            if contracted is not None:
                return contracted
        for a in [a for a in powers if a.tag == "f"]:
            self._reduce(a, powers, extra)
        powers = {a: k for a, k in powers.items() if k}
        if extra:
            out = self.term(c, powers.items(), [])
            for p in extra:
                out = self.mul(out, p)
            return self.bind(binders, out) if binders else out
        return self._close(c, powers, binders)

    def _contract(self, c: Number, powers: dict[Atom, int], binders: list[Index], extra: list[Poly]) -> Poly | None:
        """Use up a delta that binds an index; name equal free indices by the smallest. None: no change."""
        deltas = [a for a in powers if a.tag == "d"]
        bound = next((a for a in deltas if set(a.args) & set(binders)), None)
        groups: list[set[Index]] = []
        for a in [bound] if bound else deltas:
            merged = set(a.args)
            for g in [g for g in groups if g & merged]:
                merged |= g
                groups.remove(g)
            groups.append(merged)
        mapping: dict[str, Index] = {}
        for g in groups:
            new = min(g - set(binders)) if g - set(binders) else min(g)
            mapping.update({n: new for n in g if n != new})
        kept: list[tuple[Atom, int]] = []
        others: list[tuple[Atom, int]]
        if bound:
            others = [f for f in powers.items() if f[0] is not bound]
            binders = [b for b in binders if b not in mapping]
        else:
            others = [f for f in powers.items() if f[0].tag != "d"]
            classes = [intern("d", *sorted((new, old))) for old, new in mapping.items()]
            if any(frozenset((x, y)) in self.distinct for g in groups for x, y in itertools.combinations(g, 2)):
                return constant(0)
            kept = [(a, 1) for a in classes]
            touched = [*(a.names for a, _ in others), *(p.names for p in extra)]
            settled = dict.fromkeys(classes, 1) == {a: powers[a] for a in deltas}
            if settled and all(map(set(mapping).isdisjoint, touched)):
                return None
        same, rest = self._renamed_factors(others, mapping)
        return self.term(c, [*kept, *same], binders, [*rest, *(self.rename(p, mapping) for p in extra)])

    def _lambert(self, powers: dict[Atom, int], total: Poly, extra: list[Poly]) -> Poly:
        """e^{k W(t)} W(t)^p with k, p >= 1 and t >= 0: t for each pair."""
        for a in [a for a, k in powers.items() if a.tag == "f" and a.args[0] == "W" and k > 0]:
            k = total.terms.get(((), ((a, 1),)), 0)
            if isinstance(k, int) and k > 0 and not self.known(a.args[1]) & NEG:
                pairs = min(k, powers[a])
                powers[a] -= pairs
                total = add(total, single(a), factor=-pairs)
                extra.append(self.power(a.args[1], pairs))
        return total

    def _reduce(self, a: Atom, powers: dict[Atom, int], extra: list[Poly]) -> None:
        """Squares of sqrt, abs, sin; an atom against its inverse."""
        name, arg = a.args
        k = powers[a]
        if name == "abs" and abs(k) >= 2:
            half = abs(k) // 2 * 2
            powers[a] = k - half if k > 0 else k + half
            extra.append(self.power(arg if k > 0 else self.inverse(arg), half))
        elif name == "sin" and k >= 2:
            powers[a] = k % 2
            cosine = single(intern("f", "cos", arg), 2)
            extra.append(self.power(add(constant(1), cosine, factor=-1), k // 2))
        elif name == "sqrt" and k >= 2 and not self.known(arg) & NEG:
            unit, core = self.content(arg) if len(arg.terms) > 1 else (constant(1), Poly({}))
            partner = intern("f", "inv", core)
            if powers.get(partner, 0) > 0:
                nonzero = not self.known(core) & ZERO
                while powers[a] >= 2 and powers[partner] >= (1 if nonzero else 2):
                    powers[a] -= 2
                    powers[partner] -= 1
                    extra.append(unit)
            if powers[a] >= 2:
                extra.append(self.power(arg, powers[a] // 2))
                powers[a] %= 2
        elif name == "inv" and k > 0:
            one = lone(arg)
            if one is not None and one[1] == 1 and len(one[0]) == 1 and one[0][0][1] == 1:
                base = one[0][0][0]
                top = powers.get(base, 0)
                if self.is_unit(base):
                    powers[base], powers[a] = top - k, 0
                elif top > 0:
                    less = min(top, k) if top != k else k - 1
                    powers[base], powers[a] = top - less, k - less

    def _close(self, c: Number, powers: dict[Atom, int], binders: list[Index]) -> Poly:
        """Sizes for unused binders, contractions over a basis or a resolution, canonical names."""
        used = set().union(*(a.names for a in powers)) if powers else set()
        kept = []
        for b in binders:
            if b in used:
                kept.append(b)
            else:
                size = intern("z", SORT_OF[b[0]])
                powers[size] = powers.get(size, 0) + 1
        powers = {a: k for a, k in powers.items() if k}
        for b in kept:
            factors = self._contraction(b, powers)
            if factors is not None:
                new, extra = factors
                return self.term(c, new, [x for x in kept if x != b], [extra])
        if not kept:
            return Poly({((), tuple(sorted(powers.items(), key=_order))): plain(c)}) if c else Poly({})
        height = 1 + max((a.height for a in powers), default=0)
        while any(f"#{height}." in n for n in used.difference(kept)):  # a free name that is bound further out
            height += 1
        best: tuple[str, Any] | None = None
        for order in _orders(kept, powers, self):
            count: dict[str, int] = {}
            mapping: dict[str, Index] = {}
            for b in order:
                letter = SORTS[SORT_OF[b[0]]][0]
                mapping[b] = Index(f"{letter}#{height}.{count.setdefault(letter, 0)}")
                count[letter] += 1
            factors_out, extra_out = self._renamed_factors(powers.items(), mapping)
            same = not extra_out and len({a for a, _ in factors_out}) == len(powers)
            need(same and all(a.height < height for a, _ in factors_out), "bound names do not settle")  # an invariant
            mono = (tuple(sorted(mapping.values())), tuple(sorted(factors_out, key=_order)))
            key = mono_text(mono, str)
            if best is None or key < best[0]:
                best = (key, mono)
        assert best is not None
        return Poly({best[1]: plain(c)}) if c else Poly({})

    def _contraction(self, b: Index, powers: dict[Atom, int]) -> tuple[list[tuple[Atom, int]], Poly] | None:
        """Sum_a <u,e_a><e_a,v> = <u,v>; Sum_h P_h = identity. Returns the other factors and the new one."""
        where = [(a, k) for a, k in powers.items() if b in a.names]
        rest = [(a, k) for a, k in powers.items() if b not in a.names]
        if SORT_OF[b[0]] == "axis" and sum(k for _, k in where) == 2 and all(k > 0 for _, k in where):
            sides: list[tuple[Any, Any]] = []
            vector = None
            for a, k in where:
                if a.tag == "V" and _is_basis(a.args[1], b) and not _in_word(a.args[0], b):
                    vector = a.args[0]
                elif a.tag == "ip" and not _in_word(a.args[1], b):
                    u, word, w = a.args
                    if _is_basis(u, b) and b not in w.names:
                        sides += [(word, w)] * k
                    elif _is_basis(w, b) and b not in u.names:
                        sides += [(flip(word), u)] * k
            if len(sides) == 2 and vector is None:
                (w1, u1), (w2, u2) = sides
                return rest, self.pair(u1, (*flip(w1), *w2), u2)
            if len(sides) == 1 and vector is not None:
                return rest, self.vector_atom((*vector, *sides[0][0]), sides[0][1])
        if len(where) == 1 and where[0][1] == 1 and where[0][0].tag in ("ip", "V"):
            a = where[0][0]
            word = a.args[1] if a.tag == "ip" else a.args[0]
            at = [n for n, (_, i, _) in enumerate(word) if b in i]
            ends = (a.args[0], a.args[2]) if a.tag == "ip" else (a.args[1],)
            if len(at) == 1 and word[at[0]][0] in self.rel["resolution"] and not any(b in x.names for x in ends):
                less = (*word[: at[0]], *word[at[0] + 1 :])
                return rest, self.pair(a.args[0], less, a.args[2]) if a.tag == "ip" else self.vector_atom(
                    less, a.args[1]
                )
        return None

    # -- renaming ----------------------------------------------------------------------------------------------
    def rename(self, p: Poly, mapping: dict[str, Index]) -> Poly:
        """Replace free index names; the result is in normal form again."""
        mapping = {k: v for k, v in mapping.items() if k in p.names and k != v}
        if not mapping:
            return p
        key = (p.key, tuple(sorted(mapping.items())))
        found = self._renamed.get(key)
        if found is not None:
            return found
        out: dict[Any, Number] = {}
        for (binders, factors), c in p.terms.items():
            names, kept, extra = self._open(binders, factors, more=mapping)
            _merge(out, self.term(c, kept, names, extra))
        result = self._renamed[key] = Poly(out)
        return result

    def _rename_atom(self, a: Atom, mapping: dict[str, Index], rewrite: bool = True) -> Poly:
        mapping = {k: v for k, v in mapping.items() if k in a.names and k != v}
        if not mapping:
            return single(a)
        key = (a, rewrite, tuple(sorted(mapping.items())))
        found = self._renamed.get(key)
        if found is None:
            found = self._renamed[key] = self._rebuild(a, mapping, rewrite)
        return found

    def _rebuild(self, a: Atom, m: dict[str, Index], rewrite: bool) -> Poly:
        def many(names: tuple[Index, ...]) -> tuple[Index, ...]:
            return tuple(m.get(n, n) for n in names)

        def polys(ps: tuple[Poly, ...]) -> tuple[Poly, ...]:
            return tuple(self.rename(p, m) for p in ps)

        def letters(word: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple((n, many(i), f) for n, i, f in word)

        def base(b: Atom) -> Atom:
            return intern("b", b.args[0], many(b.args[1]), polys(b.args[2]))

        if a.tag == "d":
            return self.delta(*many(a.args))
        if a.tag == "E":
            return self.exp(self.rename(a.args[0], m))
        if a.tag == "f" and rewrite:
            return self.function(a.args[0], self.rename(a.args[1], m))
        if a.tag == "V":
            return self.vector_atom(letters(a.args[0]), base(a.args[1]))
        if a.tag == "ip":
            return self.pair(base(a.args[0]), letters(a.args[1]), base(a.args[2]), rewrite)
        if a.tag == "s":
            return self.atom("s", a.args[0], many(a.args[1]), rewrite=rewrite)
        if a.tag == "def":
            return self.atom("def", a.args[0], many(a.args[1]), polys(a.args[2]), rewrite=rewrite)
        if a.tag == "f":
            return single(intern("f", a.args[0], self.rename(a.args[1], m)))
        if a.tag == "opnorm":
            return self.operator_norm(self.rename(a.args[0], m))
        return self.atom(a.tag, *(self.rename(p, m) if isinstance(p, Poly) else p for p in a.args), rewrite=rewrite)

    def atom(self, tag: str, *args: Any, rewrite: bool = True) -> Poly:
        """An atom, or what a rewrite makes of it."""
        a = intern(tag, *args)
        if rewrite and self.rewrites:
            shape = Table.shape(a)
            for pattern, of, schematic, result in self.rewrites:
                if of == shape:
                    for mapping in self._matches(pattern, a, schematic, injective=True):
                        return self.rename(result, mapping)
        return single(a)

    # -- constructors that simplify ----------------------------------------------------------------------------
    def delta(self, i: Index, j: Index) -> Poly:
        """The Kronecker delta."""
        if i == j:
            return constant(1)
        if frozenset((i, j)) in self.distinct:
            return constant(0)
        return single(intern("d", *sorted((i, j))))

    def _split(self, p: Poly, make: Callable[[Poly], Poly]) -> Poly | None:
        """f(A + B delta) = f(A) + delta (f(A+B) - f(A)), for a delta of names free in p."""
        for binders, factors in p.terms:
            for a, _ in factors:
                if a.tag == "d" and not set(a.args) & set(binders):
                    without = Poly({m: c for m, c in p.terms.items() if all(x is not a for x, _ in m[1])})
                    i, j = a.args
                    equal = self.rename(p, {j: i})
                    low, high = make(without), make(equal)
                    return add(low, self.mul(single(a), add(high, low, factor=-1)))
        return None

    def exp(self, p: Poly) -> Poly:
        """e^p: logarithms and Lambert's W in the exponent are resolved where their sign allows it."""
        if not p.terms:
            return constant(1)
        halves = self._split(p, self.exp)
        if halves is not None:
            return halves
        extra = []
        for (binders, factors), c in list(p.terms.items()):
            if binders or len(factors) != 1 or factors[0][1] != 1 or factors[0][0].tag != "f":
                continue
            a = factors[0][0]
            name, arg = a.args
            if name == "log" and isinstance(c, int) and abs(c) <= MAX_POWER and self.known(arg) == POS:
                extra.append(self.power(arg if c > 0 else self.inverse(arg), abs(c)))
            elif name == "W" and isinstance(c, int) and abs(c) <= MAX_POWER and self.known(arg) == POS:
                ratio = self.mul(arg, self.inverse(single(a))) if c > 0 else self.mul(single(a), self.inverse(arg))
                extra.append(self.power(ratio, abs(c)))
            else:
                continue
            p = add(p, Poly({(binders, factors): c}), factor=-1)
        out = constant(1) if not p.terms else single(intern("E", p))
        for q in extra:
            out = self.mul(out, q)
        return out

    def content(self, p: Poly, positive: bool = False) -> tuple[Poly, Poly]:
        """P = unit * core, the unit a monomial of units, e^... and a rational; the core the same for all multiples.

        With `positive` the unit is the square of a positive monomial.
        """
        units = self._units(
            p, lambda a: self.is_unit(a) and self.atom_sign(a) == POS if positive else a.tag not in "EVd"
        )
        units = {a: k // 2 * 2 if positive else k for a, k in units.items()}
        lead = self._lead(p, units)
        value = abs(Fraction(lead[1])) if positive else Fraction(lead[1])
        factors_out = [(a, k) for a, k in units.items() if k]
        unit = Poly({((), tuple(sorted(factors_out, key=_order))): plain(value)})
        down = Poly({((), tuple(sorted(((a, -k) for a, k in factors_out), key=_order))): plain(1 / value)})
        if lead[0].terms:
            unit, down = (self.mul(u, self.exp(scale(lead[0], s))) for u, s in ((unit, 1), (down, -1)))
        return unit, self.mul(p, down)

    def _lead(self, p: Poly, units: dict[Atom, int]) -> tuple[Poly, Number]:
        """Exponent (free of bound names) and coefficient of the leading monomial; multiples by units lead alike."""
        stripped: list[tuple[str, Poly, Number]] = []
        for (binders, factors), c in p.terms.items():
            shift, rest = Poly({}), []
            for a, k in factors:
                if a.tag == "E":
                    free = {m: v for m, v in a.args[0].terms.items() if Poly({m: v}).names.isdisjoint(binders)}
                    shift = Poly(free)
                    remains = add(a.args[0], shift, factor=-1)
                    if remains.terms:
                        rest.append((intern("E", remains), 1))
                elif k != units.get(a, 0):
                    rest.append((a, k - units.get(a, 0)))
            bare = self._bare(binders, rest)
            stripped.append((bare.key, shift, c))
        least = min(s[0] for s in stripped)
        ties = [s for s in stripped if s[0] == least]
        lead = ties[0]
        for s in ties[1:]:
            gap = add(s[1], lead[1], factor=-1)
            if gap.terms and min((mono_text(m, str), v) for m, v in gap.terms.items())[1] < 0:
                lead = s
        return lead[1], lead[2]

    def _bare(self, binders: Iterable[str], factors: Factors) -> Poly:
        """A monomial of coefficient 1, its sums named anew."""
        names, kept, extra = self._open(binders, factors)
        return self.term(1, kept, names, extra)

    def inverse(self, p: Poly) -> Poly:
        """1/p, and 0 for p = 0; a product is inverted factor by factor."""
        if not p.terms:
            return p
        halves = self._split(p, self.inverse)
        if halves is not None:
            return halves
        one = lone(p)
        if one is None:
            unit, core = self.content(p)
            return self.mul(self.inverse(unit), self.atom("f", "inv", core))
        factors, c = one
        out = constant(1 / Fraction(c))
        for a, k in factors:
            if a.tag == "E":
                got = self.exp(scale(a.args[0], -k))
            elif self.is_unit(a):
                got = single(a, -k)
            elif a.tag == "f" and a.args[0] == "inv":
                got = self.power(a.args[1], k)
            elif a.tag == "f" and a.args[0] == "sqrt":
                got = self.mul(single(a, k), self.power(self.inverse(a.args[1]), k))
            else:
                got = self.power(self.atom("f", "inv", single(a)), k)
            out = self.mul(out, got)
        return out

    def function(self, name: str, p: Poly) -> Poly:
        """One of the functions of one argument, simplified."""
        if name == "inv":
            return self.inverse(p)
        halves = self._split(p, lambda q: self.function(name, q))
        if halves is not None:
            return halves
        value, one = is_constant(p), lone(p)
        if value == 0:
            return constant(1 if name == "cos" else 0)
        sign = self.known(p)
        if name == "abs":
            return self._absolute(p, sign, one)
        if name == "relu":
            if not sign & NEG:
                return p
            if not sign & POS:
                return constant(0)
            return scale(self.atom("f", "relu", evened(p)), length(p))
        if name == "sqrt":
            return self._root(p, sign, one)
        if name == "log":
            return self._logarithm(p, sign, one)
        if name in ("sin", "cos"):
            if min((mono_text(m, str), c) for m, c in p.terms.items())[1] < 0:
                flipped = self.function(name, scale(p, -1))
                return flipped if name == "cos" else scale(flipped, -1)
            turn = 2 * p.terms.get(((), ((intern("pi"), 1),)), 0)
            if len(p.terms) == 1 and turn and Fraction(turn).denominator == 1:
                return constant((0, 1, 0, -1)[int(turn) % 4] if name == "sin" else (1, 0, -1, 0)[int(turn) % 4])
        return self.atom("f", name, p)

    def _absolute(self, p: Poly, sign: int, one: Any) -> Poly:
        if not sign & NEG:
            return p
        if not sign & POS:
            return scale(p, -1)
        if one is None:
            unit, core = self.content(p)
            whole = self.atom("f", "abs", core) if core.key != p.key else single(intern("f", "abs", p))
            return self.mul(self.function("abs", unit), whole)
        out = constant(abs(one[1]))
        for a, k in one[0]:
            if not self._power_sign(a, k) & NEG:
                got = single(a, k)
            elif not self.atom_sign(a) & POS:
                got = scale(single(a, k), -1)
            else:
                got = self.atom("f", "abs", single(a))
                got = self.power(got, k) if k > 0 else self.power(self.inverse(got), -k)
            out = self.mul(out, got)
        return out

    def _root(self, p: Poly, sign: int, one: Any) -> Poly:
        if not sign & POS:
            return constant(0)
        if one is None:
            unit, core = self.content(p, positive=True)
            return self.mul(self._root(unit, POS, lone(unit)), self.atom("f", "sqrt", core))
        factors, c = one
        outside, inside = constant(1), []
        for a, k in factors:
            if a.tag == "E":
                outside = self.mul(outside, self.exp(scale(a.args[0], Fraction(k, 2))))
                continue
            signed = self.atom_sign(a) & NEG
            if signed and k < 0:
                inside.append((a, k))
                continue
            half = self.function("abs", single(a)) if signed else single(a)
            outside = self.mul(outside, single(a, k // 2) if not signed else self.power(half, k // 2))
            if k % 2:
                inside.append((a, 1))
        loose = [(a, k) for a, k in inside if self.atom_sign(a) & NEG or k != 1]
        if c > 0 and len(loose) == 1 and loose[0][1] == 1:
            tight = [(a, k) for a, k in inside if (a, k) != loose[0]]
        elif c > 0 and not loose:
            loose, tight = [], inside
        else:
            loose, tight = inside, []
        size = abs(Fraction(c))
        whole = size.numerator * size.denominator
        square = 1
        for prime in itertools.chain((2,), range(3, 2000, 2)):
            while whole % prime == 0:
                whole //= prime
                if whole % prime == 0:
                    whole //= prime
                    square *= prime
                else:
                    outside = self.mul(outside, single(intern("f", "sqrt", constant(prime))))
        if math.isqrt(whole) ** 2 == whole:
            square *= math.isqrt(whole)
        else:
            outside = self.mul(outside, single(intern("f", "sqrt", constant(whole))))
        outside = scale(outside, Fraction(square, size.denominator))
        for a, _ in tight:
            outside = self.mul(outside, self.atom("f", "sqrt", single(a)))
        if loose or c < 0:
            core = Poly({((), tuple(sorted(loose, key=_order))): 1 if c > 0 else -1})
            outside = self.mul(outside, self.atom("f", "sqrt", core))
        return outside

    def _logarithm(self, p: Poly, sign: int, one: Any) -> Poly:
        if not sign & POS:
            return constant(0)
        if sign != POS:
            return self.atom("f", "log", p)
        if one is None:
            unit, core = self.content(p)
            signs = self.known(unit), self.known(core)
            if signs not in ((POS, POS), (NEG, NEG)):
                return self.atom("f", "log", p)
            flip_sign = 1 if signs[0] == POS else -1
            unit, core = scale(unit, flip_sign), scale(core, flip_sign)
            outside = self._logarithm(unit, POS, lone(unit))
            return add(outside, self.atom("f", "log", core))
        out = constant(0)
        for a, k in one[0]:
            side = self.atom_sign(a)
            if side not in (NEG, POS):
                return self.atom("f", "log", p)
            if a.tag == "E":
                part = a.args[0]
            elif a.tag == "f" and a.args[0] == "inv":
                part = scale(self.function("log", scale(a.args[1], 1 if side == POS else -1)), -1)
            else:
                part = self.atom("f", "log", scale(single(a), 1 if side == POS else -1))
            out = add(out, scale(part, k))
        for whole, s in ((abs(Fraction(one[1]).numerator), 1), (Fraction(one[1]).denominator, -1)):
            for prime in itertools.chain((2,), range(3, 2000, 2)):
                while whole % prime == 0:
                    whole //= prime
                    out = add(out, single(intern("f", "log", constant(prime))), factor=s)
            if whole > 1:
                out = add(out, single(intern("f", "log", constant(whole))), factor=s)
        return out

    # -- vectors -----------------------------------------------------------------------------------------------
    def _word(self, word: tuple[Any, ...]) -> tuple[Poly, tuple[Any, ...]] | None:
        """One simplification of adjacent letters: P P = P, M_h M_g = delta_hg M_h M_h."""
        for k in range(len(word) - 1):
            (a, i, f), (b, j, g) = word[k], word[k + 1]
            if a != b:
                continue
            if a in self.rel["projector"] and i == j:
                return constant(1), (*word[:k], *word[k + 1 :])
            if a in self.rel["orthogonal_operators"] and f == g and i != j:
                return self.delta(i[0], j[0]), (*word[: k + 1], (a, i, f), *word[k + 2 :])
        return None

    def vector_atom(self, word: tuple[Any, ...], base: Atom) -> Poly:
        """A word of operators applied to a base vector."""
        less = self._word(word)
        if less is not None:
            return self.mul(less[0], self.vector_atom(less[1], base))
        return single(intern("V", word, base))

    def pair(self, u: Atom, word: tuple[Any, ...], w: Atom, rewrite: bool = True) -> Poly:
        """The inner product of u and the word applied to w."""
        less = self._word(word)
        if less is not None:
            return self.mul(less[0], self.pair(u, less[1], w, rewrite))
        if not word and u.args[0] == w.args[0]:
            name, i, j = u.args[0], u.args[1], w.args[1]
            if name == "e" and not u.args[2]:
                return self.delta(i[0], j[0])
            if name in self.rel["unit"] and u is w:
                return constant(1)
            if name in self.rel["gram"]:
                t = self.scalar(self.rel["gram"][name][0])
                return add(t, self.mul(add(constant(1), t, factor=-1), self.delta(i[0], j[0])))
        args = min(((u, word, w), (w, flip(word), u)), key=lambda v: text_of(v, str))
        return self.atom("ip", *args, rewrite=rewrite)

    def letter(self, name: str, indices: tuple[Index, ...], flag: int, p: Poly) -> Poly:
        """An operator (or its adjoint) applied to a vector polynomial."""
        name = self._alias(name)
        if name in self.rel["scalar_operator"]:
            return self.mul(self.atom("s", self.rel["scalar_operator"][name][0], indices), p)
        if name in self.rel["scaled_operator"]:
            t, other = self.rel["scaled_operator"][name]
            return self.mul(self.scalar(t), self.letter(other, indices, flag, p))
        flag = 2 if name in self.symmetric else flag
        out: dict[Any, Number] = {}
        for (binders, factors), c in p.terms.items():
            names, opened, more = self._open(binders, factors, indices)
            (v,) = [a for a, _ in opened if a.tag == "V"]
            kept = [(a, k) for a, k in opened if a.tag != "V"]
            image = self.vector_atom(((name, indices, flag), *v.args[0]), v.args[1])
            _merge(out, self.term(c, kept, names, [*more, image]))
        return Poly(out)

    def inner(self, p: Poly, q: Poly) -> Poly:
        """The inner product of two vector polynomials."""
        out: dict[Any, Number] = {}
        for (b1, f1), c1 in p.terms.items():
            for (b2, f2), c2 in q.terms.items():
                avoid = set().union(*(a.names for a, _ in (*f1, *f2)))
                n1, o1, e1 = self._open(b1, f1, avoid)
                n2, o2, e2 = self._open(b2, f2, avoid | set(n1))
                vectors = [a for a, _ in (*o1, *o2) if a.tag == "V"]
                kept = [(a, k) for a, k in (*o1, *o2) if a.tag != "V"]
                (w1, u1), (w2, u2) = vectors[0].args, vectors[1].args
                pair = self.pair(u1, (*flip(w1), *w2), u2)
                _merge(out, self.term(c1 * c2, kept, n1 + n2, [*e1, *e2, pair]))
        return Poly(out)

    def operator_norm(self, p: Poly) -> Poly:
        """The norm of a linear map; rational factors come out."""
        if not p.terms:
            return p
        scaled = evened(p)
        if min((mono_text(m, str), c) for m, c in scaled.terms.items())[1] < 0:
            scaled = scale(scaled, -1)
        return scale(self.atom("opnorm", scaled), length(p))

    # -- raw terms ---------------------------------------------------------------------------------------------
    def scalar(self, t: Term) -> Poly:
        """The normal form of a scalar or a vector term."""
        found = self._nf.get(t)
        if found is None:
            found = self._nf[t] = self._normal(t)
        return found

    def _normal(self, t: Term) -> Poly:
        tag = t[0]
        if tag == "q":
            return constant(number(t))
        if tag == "pi":
            return single(intern("pi"))
        if tag == "size":
            return constant(1) if t[1] in self.rel["single"] else single(intern("z", t[1]))
        if tag == "s":
            return self.atom("s", t[1], tuple(map(self.index, t[2])))
        if tag in ("+", "vadd"):
            return add(*(self.scalar(u) for u in t[1:]))
        if tag in ("*", "vmul"):
            out = self.scalar(t[1])
            for u in t[2:]:
                out = self.mul(out, self.scalar(u))
            return out
        if tag == "^":
            return self.power(self.scalar(t[1]), t[2])
        if tag in ("inv", "sqrt"):
            u = t[1]
            while u[0] == "def" and u[1] not in self.opaque:
                u = self.setting.unfold(u)
            t = (tag, u)
        if tag == "inv" and t[1][0] in ("*", "^"):
            u = t[1]
            if u[0] == "^":
                return self.power(self.scalar(("inv", u[1])), u[2])
            out = constant(1)
            for v in u[1:]:
                out = self.mul(out, self.scalar(("inv", v)))
            return out
        if tag == "sqrt" and t[1][0] == "^" and t[1][2] % 2 == 0:
            return self.power(self.scalar(("abs", t[1][1])), t[1][2] // 2)
        if tag == "exp":
            return self.exp(self.scalar(t[1]))
        if tag == "fn" and t[1] not in ("Ei", "W"):
            return self.scalar(unfold_function(t))
        if tag in _UNARY or tag == "fn":
            u = t[2] if tag == "fn" else t[1]
            p = self._register(u)
            return self.function(t[1] if tag == "fn" else tag, p)
        if tag == "norm":
            p = self.scalar(("ip", t[1], t[1]))
            self._note(p, ZERO | POS)
            return self.function("sqrt", p)
        if tag in ("sum", "vsum"):
            return self._sum(t)
        if tag == "ip":
            return self.inner(self.scalar(t[1]), self.scalar(t[2]))
        if tag == "delta":
            return self.delta(self.index(t[1]), self.index(t[2]))
        if tag in ("def", "vdef"):
            if t[1] not in self.opaque:
                return self.scalar(self.setting.unfold(t))
            indices, arguments = tuple(map(self.index, t[2])), tuple(self.scalar(u) for u in t[3])
            if tag == "def":
                return self.atom("def", t[1], indices, arguments)
            return self.vector_atom((), intern("b", "def " + t[1], indices, arguments))
        if tag == "rate":
            self.demand(t[2], self.setting.flows[t[1]])
            return self.scalar(self.setting.rate(t))
        if tag == "vec":
            return self.vector_atom((), intern("b", t[1], tuple(map(self.index, t[2])), ()))
        if tag == "v0":
            return Poly({})
        if tag in ("op", "opT"):
            return self.letter(t[1], tuple(map(self.index, t[2])), 1 if tag == "opT" else 0, self.scalar(t[3]))
        if tag == "opnorm":
            dummy = _dummy("w", self.setting.free(t[2])[1])
            inner = self.setting.subst(t[2], {}, {}, {t[1]: ("vec", dummy, ())})
            return self.operator_norm(self.scalar(inner))
        body = t[4] if tag == "int" else t[2]
        var: Term = ("s", _dummy("x", self.setting.free(body)[1]), ())
        p = self.scalar(self.setting.subst(body, {}, {t[1]: var}, {}))
        if tag == "int":
            return self.atom("int", self.scalar(t[2]), self.scalar(t[3]), p, var[1]) if p.terms else p
        return self.atom("root", self.scalar(t[3]), "inf" if t[4] == ("inf",) else self.scalar(t[4]), p, var[1])

    def _sum(self, t: Term) -> Poly:
        _, i, excluded, body = t
        at = self.index(i)
        if at != i:
            return Poly({}) if excluded else self.scalar(self.setting.subst(body, {i: at}, {}, {}))
        letter = SORTS[SORT_OF[i[0]]][0]
        used = {*excluded, *self.setting.free(body)[0]}
        name = next(Index(f"{letter}#r{k}") for k in itertools.count() if f"{letter}#r{k}" not in used)
        p = self.scalar(self.setting.subst(body, {i: name}, {}, {}))
        for e in excluded:
            p = add(p, self.mul(self.delta(name, self.index(e)), p), factor=-1)
        return self.bind([name], p)

    def _note(self, p: Poly, sign: int) -> None:
        """Remember the sign that a raw term has shown for its normal form."""
        if p.terms and is_constant(p) is None and self.known(p) & ~sign:
            scaled = self.scaled(p)
            generic = frozenset(n for n in scaled.names if "#" in n)
            self.registered.entries.setdefault(Table.shape(scaled), []).append((scaled, generic, sign))
            self.notes += 1
            self._known.clear()

    def _register(self, u: Term) -> Poly:
        """The normal form of an argument, whose sign by structure is remembered."""
        p = self.scalar(u)
        if self.known(p) not in (NEG, ZERO, POS):
            self._note(p, self.structure(u))
        return p

    def zero(self, a: Term, b: Term) -> bool:
        """Whether a = b by normal form; a and b both scalars or both vectors."""
        return not add(self.scalar(a), self.scalar(b), factor=-1).terms

    # ------------------------------------------------------------------------------------------------------------
    # 4. Signs of raw terms, read off their structure and from facts
    # ------------------------------------------------------------------------------------------------------------
    def structure(self, t: Term) -> int:
        """The signs that remain possible for a scalar term."""
        found = self._mask.get(t)
        if found is None:
            found = self._read_off(t)
            if found not in (NEG, ZERO, POS):
                found &= self.known(self.scalar(t))
            self._mask[t] = found
        return found

    def _read_off(self, t: Term) -> int:
        tag = t[0]
        if tag == "q":
            return sign_of(number(t))
        if tag in ("pi", "size", "exp"):
            return POS
        if tag == "s":
            symbol = self.setting.symbols.get(t[1])
            return ANY if symbol is None else {"positive": POS, "nonnegative": ZERO | POS}.get(symbol.domain, ANY)
        if tag == "+":
            return sign_sum(*map(self.structure, t[1:]))
        if tag == "*":
            return sign_product(*map(self.structure, t[1:]))
        if tag == "^":
            s = self.structure(t[1])
            return POS if t[2] == 0 else s if t[2] % 2 else nonnegative_if(s)
        if tag == "inv":
            return self.structure(t[1])
        if tag in ("sqrt", "relu"):
            return POS if self.structure(t[1]) == POS else ZERO | POS
        if tag == "abs":
            return nonnegative_if(self.structure(t[1]))
        if tag == "fn":
            s = self.structure(t[2])
            if t[1] == "cosh":
                return POS
            if t[1] in ("sinh", "tanh", "arsinh"):
                return s
            return (
                s
                if (t[1] == "W" and not s & NEG) or (t[1] == "coth" and not s & ZERO)
                else NEG
                if s == NEG and t[1] == "Ei"
                else ANY
            )
        if tag == "sum":
            s = self.structure(self.setting.subst(t[3], {t[1]: self._generic(t)}, {}, {}))
            s = s if s in (NEG, ZERO, POS, NEG | ZERO, ZERO | POS) else ANY
            return s | ZERO if t[2] else s
        if tag == "ip" and self.setting.alpha(t[1]) == self.setting.alpha(t[2]):
            return ZERO | POS
        if tag in ("norm", "opnorm", "delta"):
            return ZERO | POS
        if tag == "def" and t[1] not in self.opaque:
            return self.structure(self.setting.unfold(t))
        return ANY

    def _generic(self, t: Term) -> str:
        """A name for the index that a sum binds, met nowhere else."""
        return working(t[1][0], {*self.setting.free(t[3])[0], *t[2]})

    def demand(self, t: Term, moves: Moves) -> None:
        """The derivative of t along the moves is the true one: what it divides by is not zero, and so on."""
        if not self.setting.moved(t, moves):
            return None
        tag = t[0]
        need(tag not in ("abs", "int", "root", "opnorm"), f"a rate of {tag}, which moves")
        if tag in ("def", "vdef"):
            return self.demand(self.setting.unfold(t), moves)
        if tag == "rate":
            self.demand(t[2], self.setting.flows[t[1]])
            return self.demand(self.setting.rate(t), moves)
        if tag == "fn" and t[1] not in ("Ei", "W"):
            return self.demand(unfold_function(t), moves)
        u = ("ip", t[1], t[1]) if tag == "norm" else t[2] if tag == "fn" else t[1] if tag in _UNARY else t
        bad = {"log": NEG | ZERO, "sqrt": NEG | ZERO, "norm": NEG | ZERO, "inv": ZERO, "relu": ZERO}.get(tag, 0)
        if tag == "fn":
            bad = ZERO if t[1] == "Ei" else NEG
        if bad:
            need(not self.structure(u) & bad, f"the rate of {tag} at {show(u)} is not shown to be defined")
        if tag in ("sum", "vsum"):
            t = (*t[:3], self.setting.subst(t[3], {t[1]: self._generic(t)}, {}, {}))
        for kind, v in fields(t):
            for w in v if kind == "T" else (v,) if kind[0] in "SV" else ():
                self.demand(w, moves)
        return None


def _order(factor: tuple[Atom, int]) -> str:
    return factor[0].key


def _merge(out: dict[Any, Number], p: Poly) -> None:
    """Add a polynomial into a dict of terms."""
    for m, c in p.terms.items():
        value = plain(out.get(m, 0) + c)
        if value:
            out[m] = value
        else:
            out.pop(m, None)


def _is_basis(base: Atom, b: Index) -> bool:
    return bool(base.args[0] == "e" and base.args[1] == (b,))


def _in_word(word: tuple[Any, ...], b: Index) -> bool:
    return any(b in i for _, i, _ in word)


def _dummy(letter: str, used: frozenset[str]) -> str:
    """The name of a bound scalar or vector inside atoms: the first that is not free in the body."""
    return next(f"{letter}${k}" for k in itertools.count() if f"{letter}${k}" not in used)


_MARKS: dict[Any, str] = {}


def _orders(names: list[Index], powers: dict[Atom, int], ring: Ring) -> Iterator[list[Index]]:
    """The orders of bound names to try: by refined signatures, equal ones in every way that may differ."""
    colour: dict[str, str] = {b: SORTS[SORT_OF[b[0]]][0] for b in names}
    factors = [(a, k) for a, k in powers.items() if not a.names.isdisjoint(names)]
    budget = [400]

    def mark(b: str, c: dict[str, str]) -> str:
        texts = []
        for a, k in factors:
            if b in a.names:
                labels = tuple((n, "*" if n == b else "?" + c[n]) for n in sorted(a.names) if n in c)
                if (a, labels) not in _MARKS:
                    _MARKS[a, labels] = text_of(a, lambda n, of=dict(labels): of.get(n, n))  # type: ignore[misc]
                texts.append(f"{_MARKS[a, labels]}^{k}")
        return c[b] + "|" + "&".join(sorted(texts))

    def refine(c: dict[str, str]) -> dict[str, str]:
        while True:
            marks = {str(b): mark(b, c) for b in names}
            ranks = {m: format(r, "03d") for r, m in enumerate(sorted(set(marks.values())))}
            new = {b: ranks[m] for b, m in marks.items()}
            if len(set(new.values())) == len(set(c.values())):
                return new
            c = new

    def swap_is_free(a: Index, b: Index) -> bool:
        kept, extra = ring._renamed_factors(factors, {a: b, b: a})
        return not extra and dict(kept) == dict(factors)

    def search(c: dict[str, str]) -> Iterator[list[Index]]:
        c = refine(c)
        classes: dict[str, list[Index]] = {}
        for b in names:
            classes.setdefault(c[b], []).append(b)
        tied = next((v for _, v in sorted(classes.items()) if len(v) > 1), None)
        if tied is None:
            budget[0] -= 1
            need(budget[0] >= 0, "a sum is too symmetric to normalise")
            yield sorted(names, key=lambda b: c[b])
            return
        tried: list[Index] = []
        for b in tied:
            if not any(swap_is_free(b, a) for a in tried):
                tried.append(b)
                yield from search({**c, b: c[b] + "!"})

    if len(names) == 1:
        yield names
    else:
        yield from search(colour)


# ---------------------------------------------------------------------------------------------------------------
# 5. Rules. Every method checks one rule and returns the assumptions that its conclusion needs (in alpha form).
# ---------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """One accepted step: `given` in alpha form, `shows` as written and in alpha form."""

    given: frozenset[Term]
    shows: Term
    alpha: Term


RING_DATA = {"facts", "rewrites", "opaque", "combo", "den"}
SIGN_DATA = {"facts", "rewrites", "opaque", "combo", "as"}
PLAIN_DATA = {"facts", "rewrites", "opaque"}
CURVE = {"variable", "flow"}
ON_SPHERES = "smooth fields on a product of spheres have unique solutions for all times, and tangent ones stay there"

# rule: (number of premises or None, required data, optional data, trusted theorems of analysis)
RULES: dict[str, tuple[int | None, set[str], set[str], tuple[str, ...]]] = {
    "ring": (0, set(), RING_DATA, ()),
    "sign": (0, set(), SIGN_DATA, ()),
    "hypothesis": (0, {"name"}, set(), ()),
    "symbol": (0, set(), set(), ()),
    "integral": (0, set(), set(), ()),
    "assume": (0, set(), set(), ()),
    "and_intro": (None, set(), set(), ()),
    "and_elim": (1, {"part"}, set(), ()),
    "implies_intro": (1, set(), set(), ()),
    "iff_elim": (1, {"forward"}, set(), ()),
    "all_intro": (1, set(), set(), ()),
    "all_elim": (1, {"index"}, set(), ()),
    "forall_intro": (1, set(), set(), ()),
    "forall_elim": (None, {"term"}, set(), ()),
    "forallv_intro": (1, set(), set(), ()),
    "forallv_elim": (1, {"term"}, set(), ()),
    "exists_intro": (None, {"term"}, set(), ()),
    "cases": (None, set(), set(), ()),
    "contradiction": (None, set(), set(), ()),
    "or_intro": (1, set(), set(), ()),
    "instantiate": (None, set(), {"indices", "scalars", "vectors"}, ()),
    "cite": (None, {"claim", "part"}, set(), ()),
    "sum_compare": (1, set(), set(), ()),
    "sum_zero": (2, set(), set(), ()),
    "equal_rewrite": (2, set(), set(), ()),
    "operator_norm": (0, {"name", "image", "vector"}, set(), ()),
    "operator_norm_le": (2, set(), set(), ()),
    "iff_scale": (1, {"factor"}, RING_DATA, ()),
    "congruence": (0, set(), PLAIN_DATA, ()),
    "increasing": (2, CURVE | {"function", "lo", "hi"}, PLAIN_DATA, ()),
    "root_monotone": (None, CURVE | {"a", "b"}, PLAIN_DATA, ()),
    "root_convex": (None, CURVE | {"a", "b"}, PLAIN_DATA, ()),
    "root_facts": (1, set(), set(), ()),
    "root_is": (None, set(), set(), ()),
    "root_side": (None, CURVE | {"at", "a", "b"}, PLAIN_DATA, ()),
    "convex_between": (5, CURVE | {"function", "lo", "hi", "at"}, PLAIN_DATA, ()),
    "tangent_below": (None, CURVE | {"function", "derivative", "lo", "hi", "touching", "at"}, PLAIN_DATA, ()),
    "antiderivative": (2, CURVE | {"function"}, PLAIN_DATA, ()),
    "integral_compare": (2, CURVE, PLAIN_DATA, ()),
    "integral_shift": (2, CURVE | {"function", "weight"}, PLAIN_DATA, ()),
    "decay": (None, set(), {"facts"}, (ON_SPHERES, "a function whose derivative is never positive does not increase")),
    "dissipation": (
        None,
        set(),
        set(),
        (ON_SPHERES, "the integral of a non-negative rate of a bounded quantity is bounded"),
    ),
}
Cited = tuple[Term, tuple[str, ...], tuple[Term, ...]]

# Rules that are schemes: premises and conclusion, with "?x" standing for any term.
_SQUARES = ("?R", ("^", "?a", 2), ("^", "?b", 2))
SCHEMES: dict[str, list[tuple[list[Any], Any]]] = {
    "modus": [([("implies", "?F", "?G"), "?F"], "?G")],
    "iff_intro": [([("implies", "?F", "?G"), ("implies", "?G", "?F")], ("iff", "?F", "?G"))],
    "iff_chain": [([("iff", "?F", "?G"), ("iff", "?G", "?H")], ("iff", "?F", "?H"))],
    "compare": [
        ([], ("or", ("ge", "?a", "?b"), ("gt", "?b", "?a"))),
        ([], ("or", ("gt", "?a", "?b"), ("eq", "?a", "?b"), ("gt", "?b", "?a"))),
        ([], ("or", ("eq", "?a", "?b"), ("ne", "?a", "?b"))),
    ],
    "size": [([], ("ge", ("size", "?s"), ONE))],
    "eq_flip": [([(tag, "?a", "?b")], (tag, "?b", "?a")) for tag in ("eq", "ne", "veq")],
    "antisymmetry": [([("ge", "?a", "?b"), ("ge", "?b", "?a")], ("eq", "?a", "?b"))],
    "vector_zero": [([("eq", t, NOUGHT)], ("veq", "?u", ("v0",))) for t in (("ip", "?u", "?u"), ("norm", "?u"))],
    "square_zero": [([("eq", ("^", "?a", 2), NOUGHT)], ("eq", "?a", NOUGHT))],
    "cauchy_schwarz": [([], ("ge", ("*", ("norm", "?u"), ("norm", "?v")), ("abs", ("ip", "?u", "?v"))))],
    "absolute": [([], ("ge", ("abs", "?a"), t)) for t in ("?a", ("*", MINUS, "?a"))],
    "exp_tangent": [
        ([], ("ge", ("exp", "?a"), ("+", ONE, "?a"))),
        ([("ne", "?a", NOUGHT)], ("gt", ("exp", "?a"), ("+", ONE, "?a"))),
    ],
    "iff_exp": [([], ("iff", ("?R", ("exp", "?a"), ("exp", "?b")), ("?R", "?a", "?b")))],
    "iff_square": [
        ([("ge", x, NOUGHT), ("ge", y, NOUGHT)], ("iff", _SQUARES, ("?R", "?a", "?b")))
        for x, y in (("?a", "?b"), ("?b", "?a"))  # the comparison may have been turned round
    ],
}


def fits(pattern: Any, term: Any, bound: dict[str, Any]) -> bool:
    """Whether a term in alpha form is an instance of a pattern; `bound` collects what the letters stand for."""
    if isinstance(pattern, str) and pattern.startswith("?"):
        return bool(bound.setdefault(pattern, term) == term)
    if isinstance(pattern, tuple) and isinstance(term, tuple) and len(pattern) == len(term):
        return all(fits(x, y, bound) for x, y in zip(pattern, term, strict=True))
    return bool(pattern == term)


def flatten(f: Term) -> Iterator[Term]:
    """The conjuncts of a formula."""
    if f[0] == "and":
        for g in f[1:]:
            yield from flatten(g)
    else:
        yield f


class Proof:
    """The ground of one part, and the replay of a derivation on it."""

    def __init__(self, setting: Setting, statement: Term, hypotheses: tuple[str, ...], domain: tuple[Term, ...],
                 cited: Callable[[str, str], Cited] | None = None) -> None:  # fmt: skip
        self.setting, self.statement, self.hypotheses, self.domain, self.cited = (
            setting, statement, hypotheses, domain, cited,
        )  # fmt: skip
        for name in hypotheses:
            need(name in setting.hypotheses, f"no hypothesis {name!r} in the setting")
        for formula in domain:
            need(not setting.free(formula)[0], "a domain formula has a free index")
        self.ground = [setting.hypotheses[h] for h in hypotheses] + list(domain)
        self.fixed: frozenset[str] = frozenset().union(*(setting.free(f)[1] for f in self.ground))
        self.relations = [g for f in self.ground for g in flatten(f) if g[0] in RELATIONS]
        self.steps: list[Step] = []
        self.analysis: set[str] = set()
        self._rings: dict[Any, Ring] = {}

    # -- helpers -----------------------------------------------------------------------------------------------
    def step(self, k: object) -> Step:
        """An earlier step by its number."""
        need(type(k) is int and 0 <= k < len(self.steps), f"no earlier step {k!r}")
        assert isinstance(k, int)
        return self.steps[k]

    def listed(self, data: dict[str, Any], key: str) -> list[Step]:
        """The steps whose numbers are listed under the key."""
        value = data.get(key, [])
        need(isinstance(value, list), f"{key}: not a list")
        return [self.step(k) for k in value]

    def fact(self, s: Step) -> Fact:
        """A step as a fact: schematic in its free indices that are not free in its given."""
        given = frozenset().union(*(self.setting.free(g)[0] for g in s.given))
        return Fact(s.shows, self.setting.free(s.shows)[0] - given)

    def ring(self, data: dict[str, Any], given: frozenset[Term], extra: Iterable[Step] = ()) -> tuple[Ring, set[Term]]:
        """The normal form with the data of a step, and the assumptions of the facts and rewrites."""
        facts = [*self.listed(data, "facts"), *extra]
        rewrites = self.listed(data, "rewrites")
        for s in facts:
            need(s.shows[0] in COMPARISONS, "a fact is not a comparison")
        for s in rewrites:
            need(s.shows[0] == "eq", "a rewrite is not an equation of scalars")
        opaque = data.get("opaque", [])
        need(isinstance(opaque, list) and all(isinstance(n, str) and n in self.setting.defined for n in opaque),
             "opaque: not a list of defined names")  # fmt: skip
        distinct = frozenset(frozenset(g[1:]) for g in given if g[0] == "distinct")
        key = (
            tuple(map(self.fact, facts)),
            tuple(dict.fromkeys(map(self.fact, rewrites))),
            frozenset(opaque),
            distinct,
        )
        if key not in self._rings:
            self._rings[key] = Ring(self.setting, self.relations, *key)
        return self._rings[key], set().union(*(s.given for s in (*facts, *rewrites)))

    def term(self, value: object, want: str = "S") -> Term:
        """A term in the data of a step."""
        return self.setting.read(value, want)

    def same(self, f: Term, g: Term, why: str) -> None:
        """The two formulas are the same up to bound names and the direction of comparisons."""
        need(self.setting.alpha(f) == self.setting.alpha(g), why)

    def similar(self, f: Term, g: Term, ring: Ring) -> bool:
        """The formulas differ only in scalar and vector sides of comparisons that the ring makes equal."""
        if self.setting.alpha(f) == self.setting.alpha(g):
            return True
        if f[0] in ("le", "lt"):
            f = (("ge", "gt")[f[0] == "lt"], f[2], f[1])
        if g[0] in ("le", "lt"):
            g = (("ge", "gt")[g[0] == "lt"], g[2], g[1])
        if f[0] != g[0] or len(f) != len(g):
            return False
        if f[0] in ("and", "or", "implies", "iff"):
            return all(self.similar(a, b, ring) for a, b in zip(f[1:], g[1:], strict=True))
        if f[0] == "all" and SORT_OF[f[1][0]] == SORT_OF[g[1][0]]:
            free = self.setting.free
            name = self.setting.fresh(f[1], free(f[3])[0] | free(g[3])[0] | {*f[2], *g[2]})
            bodies = [self.setting.subst(h[3], {h[1]: name}, {}, {}) for h in (f, g)]
            return set(f[2]) == set(g[2]) and self.similar(bodies[0], bodies[1], ring)
        if f[0] in ("eq", "ne", "ge", "gt"):
            sides = [add(ring.scalar(h[1]), ring.scalar(h[2]), factor=-1) for h in (f, g)]
            return not add(sides[0], sides[1], factor=-1).terms
        return f[0] == "veq" and ring.zero(f[1], g[1]) and ring.zero(f[2], g[2])

    def bound_free(self, index: str, given: Iterable[Term], why: str = "") -> None:
        """An index that is generalised is not free in the assumptions."""
        for g in given:
            need(index not in self.setting.free(g)[0], f"{index} is free in an assumption {why}".rstrip())

    def generic(self, name: str, given: Iterable[Term]) -> None:
        """A symbol that is generalised is free neither in the ground nor in the assumptions."""
        need(name not in self.fixed, f"{name} occurs in a hypothesis or the domain")
        for g in given:
            need(name not in self.setting.free(g)[1], f"{name} is free in an assumption")

    def in_domain(self, name: str, term: Term, premises: Iterable[Step]) -> set[Term]:
        """A premise shows that the term lies in the declared domain of the symbol; its assumptions."""
        domain = self.setting.symbols[name].domain
        if domain == "real":
            return set()
        wanted = [("gt", term, NOUGHT)] + ([("ge", term, NOUGHT)] if domain == "nonnegative" else [])
        for p in premises:
            if p.alpha in [self.setting.alpha(w) for w in wanted]:
                return set(p.given)
        raise Rejected(f"no premise shows that the term for {name} is {domain}")

    # -- the replay --------------------------------------------------------------------------------------------
    def replay(self, entry: object) -> None:
        """Check one step and append it."""
        need(isinstance(entry, dict), "a step is not an object")
        assert isinstance(entry, dict)
        need({"rule", "given", "shows", "from"} <= set(entry), "a step lacks rule, given, shows or from")
        rule = entry["rule"]
        need(isinstance(rule, str) and (rule in RULES or rule in SCHEMES), f"no rule {rule!r}")
        count, required, optional, theorems = RULES.get(rule, (None, set(), set(), ()))
        data = {k: v for k, v in entry.items() if k not in ("rule", "given", "shows", "from")}
        need(required <= set(data) <= required | optional, f"{rule}: data {sorted(data)}")
        need(isinstance(entry["given"], list) and isinstance(entry["from"], list), "given and from are lists")
        given = frozenset(self.setting.alpha(self.setting.read(g, "F")) for g in entry["given"])
        shows = self.setting.read(entry["shows"], "F")
        premises = [self.step(k) for k in entry["from"]]
        need(count is None or len(premises) == count, f"{rule} takes {count} premises")
        current = Step(given, shows, self.setting.alpha(shows))
        if rule in SCHEMES:
            formulas = (*(p.alpha for p in premises), current.alpha)
            need(any(fits((*f, g), formulas, {}) for f, g in SCHEMES[rule]), f"{rule}: this is not its scheme")
            needed = set().union(*(p.given for p in premises))
        else:
            method = getattr(self, f"rule_{rule}")
            needed = self.settled(lambda: method(current, premises, data))
        lacking = set(needed) - given
        need(not lacking, f"not among the given: {'; '.join(sorted(show(g) for g in lacking))}")
        self.analysis.update(theorems)
        self.steps.append(current)

    def settled(self, attempt: Callable[[], Any]) -> Any:
        """Try again when signs that a failing attempt has met on its way change normal forms made before."""
        for _ in range(4):
            before = {id(r): r.notes for r in self._rings.values()}
            try:
                return attempt()
            except Rejected:
                changed = [r for r in self._rings.values() if r.notes != before.get(id(r), 0)]
                if not changed:
                    raise
                for r in changed:
                    r._forget()
        return attempt()

    def rule_ring(self, s: Step, _: list[Step], data: dict[str, Any]) -> set[Term]:
        """A = B by normal form."""
        need(s.shows[0] in ("eq", "veq"), "ring shows an equation")
        ring, needed = self.ring(data, s.given)
        vector = s.shows[0] == "veq"
        self.vanish(ring, self.difference(ring, s.shows, vector), data, needed, vector)
        return needed

    def vanish(self, ring: Ring, p: Poly, data: dict[str, Any], needed: set[Term], vector: bool = False) -> None:
        """P is zero, with the combination and the denominators of the data."""
        p = add(p, self.combination(ring, data, vector, needed), factor=-1)
        for entry in self.pairs(data, "den"):
            divisor, k = self.term(entry[0]), entry[1]
            need(type(k) is int and 0 <= k <= MAX_POWER, "den: bad power")
            d = ring.scalar(divisor)
            need(
                d.terms and not (ring.structure(divisor) & ring.known(d)) & ZERO,
                f"not shown to be non-zero: {show(divisor)}",
            )
            p = self.cleared(ring, p, d, k)
        tried: set[Atom] = set()
        while "den" in data and p.terms:  # our own inverses may be factored otherwise than the denominators given
            inverses = [a for _, factors in p.terms for a, _ in factors if a.tag == "f" and a.args[0] == "inv"]
            found = [a for a in inverses if a not in tried and not any("#" in n for n in a.names)]
            found = [a for a in found if not ring.known(a.args[1]) & ZERO]
            if not found:
                break
            tried.add(found[0])
            p = self.cleared(ring, p, found[0].args[1], 1)
        need(not p.terms, f"the difference is {shorten(p.key)}")

    def pairs(self, data: dict[str, Any], key: str) -> list[list[Any]]:
        """A list of pairs."""
        value = data.get(key, [])
        need(isinstance(value, list) and all(isinstance(v, list) and len(v) == 2 for v in value), f"{key}: not pairs")
        return list(value)

    def difference(self, ring: Ring, f: Term, vector: bool) -> Poly:
        """A - B, or its inner product with a fresh vector."""
        p = add(ring.scalar(f[1]), ring.scalar(f[2]), factor=-1)
        return ring.inner(single(intern("V", (), intern("b", "z$", (), ()))), p) if vector else p

    def combination(self, ring: Ring, data: dict[str, Any], vector: bool, needed: set[Term]) -> Poly:
        """The sum of t (L - R) over the cited equations."""
        total = Poly({})
        for value, k in self.pairs(data, "combo"):
            cited = self.step(k)
            need(cited.shows[0] in ("eq", "veq"), "combo: a cited step is no equation")
            needed |= cited.given
            both = cited.shows[0] == "veq"
            need(vector or not both, "combo: a vector equation in a scalar one")
            term = self.term(value, "V" if vector and not both else "S")
            p = ring.scalar(term)
            if vector and not both:
                p = ring.inner(single(intern("V", (), intern("b", "z$", (), ()))), p)
            total = add(total, ring.mul(p, self.difference(ring, cited.shows, both)))
        return total

    def cleared(self, ring: Ring, p: Poly, d: Poly, k: int) -> Poly:
        """P times the k-th power of a divisor that is not zero (a higher one if p needs it), inverses cancelled."""
        unit, core = ring.content(d)
        partner = intern("f", "inv", core)
        k = max(k, *(dict(factors).get(partner, 0) for _, factors in p.terms), 0)
        out = Poly({})
        for (binders, factors), c in p.terms.items():
            powers = dict(factors)
            have = min(k, powers.get(partner, 0))
            if have:
                powers[partner] -= have
            rest = scale(ring._bare(binders, [(a, n) for a, n in powers.items() if n]), c)
            out = add(out, ring.mul(ring.mul(rest, ring.power(unit, have)), ring.power(d, k - have)))
        return out

    def rule_sign(self, s: Step, _: list[Step], data: dict[str, Any]) -> set[Term]:
        """A comparison by the sign of a term equal to the difference."""
        tag, a, b = s.shows if s.shows[0] in COMPARISONS else ("eq", ONE, ONE)
        need(tag != "eq", "sign shows ge, gt, le, lt or ne")
        if tag in ("le", "lt"):
            tag, a, b = {"le": "ge", "lt": "gt"}[tag], b, a
        ring, needed = self.ring(data, s.given)
        if "as" in data:
            term = self.term(data["as"])
            self.vanish(ring, add(ring.scalar(a), ring.scalar(b), ring.scalar(term), factor=-1), data, needed)
        else:
            need("combo" not in data, "combo without as")
            term = minus(a, b)
        sign = ring.structure(term)
        need(not sign & ~COMPARISONS[tag], f"the sign of {show(term)} is not read off")
        return needed

    # -- logic -------------------------------------------------------------------------------------------------
    def rule_hypothesis(self, s: Step, _: list[Step], data: dict[str, Any]) -> set[Term]:
        """A formula of the ground."""
        name = data["name"]
        if isinstance(name, str) and re.fullmatch(r"domain:[0-9]{1,3}", name):
            k = int(name[7:])
            need(k < len(self.domain), f"no {name}")
            formula = self.domain[k]
        else:
            need(name in self.hypotheses, f"{name!r} is not a hypothesis of this part")
            formula = self.setting.hypotheses[name]
        self.same(s.shows, formula, f"this is not what {name} says")
        return set()

    def rule_symbol(self, s: Step, _: list[Step], __: dict[str, Any]) -> set[Term]:
        """The declared domain of a scalar symbol."""
        f = s.shows
        need(f[0] in ("gt", "ge") and f[1][0] == "s" and f[2] == NOUGHT, "symbol shows s > 0 or s >= 0")
        domain = self.setting.symbols[f[1][1]].domain
        need(domain == "positive" or (domain == "nonnegative" and f[0] == "ge"), f"{f[1][1]} is {domain}")
        return set()

    def rule_integral(self, s: Step, _: list[Step], __: dict[str, Any]) -> set[Term]:
        """A size is an integer: at least k, or at most k - 1."""
        bound: dict[str, Any] = {}
        size = ("size", "?s")
        need(fits(("or", ("ge", size, "?k"), ("ge", "?l", size)), s.alpha, bound), "integral: the shape")
        k, low = bound["?k"], bound["?l"]
        need(
            k[0] == low[0] == "q" and number(k).denominator == 1 and number(low) == number(k) - 1,
            "integral: no integer k",
        )
        return set()

    def rule_assume(self, s: Step, _: list[Step], __: dict[str, Any]) -> set[Term]:
        """F given F."""
        return {s.alpha}

    def rule_and_intro(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """A conjunction."""
        need(s.shows[0] == "and" and len(premises) == len(s.shows) - 1, "and_intro: premises and conjuncts differ")
        for p, f in zip(premises, s.shows[1:], strict=True):
            self.same(p.shows, f, "and_intro: a premise is not its conjunct")
        return set().union(*(p.given for p in premises))

    def rule_and_elim(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A conjunct."""
        f, k = premises[0].shows, data["part"]
        need(f[0] == "and" and type(k) is int and 0 <= k < len(f) - 1, "and_elim: no such conjunct")
        self.same(f[k + 1], s.shows, "and_elim: not that conjunct")
        return set(premises[0].given)

    def rule_implies_intro(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Discharge an assumption."""
        need(s.shows[0] == "implies", "implies_intro shows an implication")
        self.same(s.shows[2], premises[0].shows, "implies_intro: the premise is not the conclusion")
        return set(premises[0].given) - {self.setting.alpha(s.shows[1])}

    def rule_iff_elim(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """One implication of an equivalence."""
        f, forward = premises[0].shows, data["forward"]
        need(f[0] == "iff" and isinstance(forward, bool), "iff_elim takes an equivalence")
        self.same(s.shows, ("implies", *(f[1:] if forward else f[:0:-1])), "iff_elim: not that implication")
        return set(premises[0].given)

    def rule_all_intro(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Generalise over an index."""
        need(s.shows[0] == "all", "all_intro shows a quantified formula")
        _, i, excluded, body = s.shows
        self.same(body, premises[0].shows, "all_intro: not the body")
        rest = set(premises[0].given) - {self.setting.alpha(("distinct", i, e)) for e in excluded}
        self.bound_free(i, rest)
        return rest

    def rule_all_elim(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """An instance at an index."""
        f, name = premises[0].shows, data["index"]
        need(f[0] == "all" and isinstance(name, str) and INDEX.match(name), "all_elim: a quantified formula, an index")
        need(SORT_OF[name[0]] == SORT_OF[f[1][0]], "all_elim: an index of another sort")
        self.same(self.setting.subst(f[3], {f[1]: name}, {}, {}), s.shows, "all_elim: not that instance")
        return set(premises[0].given) | {self.setting.alpha(("distinct", name, e)) for e in f[2]}

    def rule_forall_intro(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Generalise over a scalar symbol."""
        return self.quantify(s, premises, "forall")

    def rule_forallv_intro(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Generalise over a vector symbol."""
        return self.quantify(s, premises, "forallv")

    def quantify(self, s: Step, premises: list[Step], tag: str) -> set[Term]:
        """Generalise over a symbol."""
        need(s.shows[0] == tag, f"{tag}_intro shows {tag}")
        self.same(s.shows[2], premises[0].shows, f"{tag}_intro: not the body")
        self.generic(s.shows[1], premises[0].given)
        return set(premises[0].given)

    def rule_forall_elim(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """An instance at a scalar of the declared domain."""
        need(premises and premises[0].shows[0] == "forall", "forall_elim takes a forall")
        _, x, body = premises[0].shows
        term = self.term(data["term"])
        self.instance(self.setting.subst(body, {}, {x: term}, {}), s.shows, "forall_elim: not that instance")
        return set(premises[0].given) | self.in_domain(x, term, premises[1:])

    def instance(self, f: Term, g: Term, why: str) -> None:
        """The same formula, or the same by ring when a substitution has unfolded rates."""
        if self.setting.alpha(f) != self.setting.alpha(g):
            need(self.similar(f, g, self.ring({}, frozenset())[0]), why)

    def rule_forallv_elim(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """An instance at a vector."""
        need(premises[0].shows[0] == "forallv", "forallv_elim takes a forallv")
        _, x, body = premises[0].shows
        term = self.term(data["term"], "V")
        self.instance(self.setting.subst(body, {}, {}, {x: term}), s.shows, "forallv_elim: not that instance")
        return set(premises[0].given)

    def rule_exists_intro(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A scalar that does it."""
        need(premises and s.shows[0] == "exists", "exists_intro shows an exists")
        _, x, body = s.shows
        term = self.term(data["term"])
        self.instance(self.setting.subst(body, {}, {x: term}, {}), premises[0].shows, "exists_intro: not an instance")
        return set(premises[0].given) | self.in_domain(x, term, premises[1:])

    def rule_cases(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Every alternative shows it."""
        need(premises and premises[0].shows[0] == "or", "cases takes a disjunction first")
        alternatives = premises[0].shows[1:]
        need(len(premises) == len(alternatives) + 1, "cases: one premise for each alternative")
        needed = set(premises[0].given)
        for f, p in zip(alternatives, premises[1:], strict=True):
            self.same(p.shows, s.shows, "cases: an alternative shows something else")
            needed |= p.given - {self.setting.alpha(f)}
        return needed

    def rule_contradiction(self, _: Step, premises: list[Step], __: dict[str, Any]) -> set[Term]:
        """Anything from a false comparison of constants, or from eq and ne."""
        if len(premises) == 1:
            f = premises[0].shows
            need(f[0] in COMPARISONS and f[1][0] == f[2][0] == "q", "contradiction: not two rational constants")
            need(not sign_of(number(f[1]) - number(f[2])) & COMPARISONS[f[0]], "contradiction: the premise is true")
        else:
            need([p.alpha[0] for p in premises] == ["eq", "ne"] and premises[0].alpha[1:] == premises[1].alpha[1:],
                 "contradiction: not eq and ne of the same sides")  # fmt: skip
        return set().union(*(p.given for p in premises))

    def rule_or_intro(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """An alternative."""
        need(s.shows[0] == "or", "or_intro shows a disjunction")
        need(premises[0].alpha in [self.setting.alpha(f) for f in s.shows[1:]], "or_intro: not an alternative")
        return set(premises[0].given)

    def rule_instantiate(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """Replace free indices, and free symbols that are not in the ground, throughout a judgement."""
        need(premises, "instantiate takes a premise")
        for key in ("indices", "scalars", "vectors"):
            need(isinstance(data.get(key, {}), dict), f"instantiate: {key} is not an object")
        indices = dict(data.get("indices", {}))
        for old, new in indices.items():
            need(isinstance(new, str) and INDEX.match(old) and INDEX.match(new), "instantiate: not an index")
            need(SORT_OF[old[0]] == SORT_OF[new[0]], "instantiate: an index of another sort")
        scalars = {k: self.term(v) for k, v in data.get("scalars", {}).items()}
        vectors = {k: self.term(v, "V") for k, v in data.get("vectors", {}).items()}
        needed: set[Term] = set()
        for kind, names in (("scalar", scalars), ("vector", vectors)):
            for name in names:
                need(self.setting.is_variable(name, kind), f"instantiate: {name!r} is not a {kind} without index")
                need(name not in self.fixed, f"instantiate: {name} occurs in a hypothesis or the domain")
        for name, term in scalars.items():
            needed |= self.in_domain(name, term, premises[1:])
        self.instance(self.setting.subst(premises[0].shows, indices, scalars, vectors), s.shows, "not that instance")
        return needed | {
            self.setting.alpha(self.setting.subst(g, indices, scalars, vectors)) for g in premises[0].given
        }

    def rule_cite(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """The statement of another part that is derived, under hypotheses that hold here."""
        need(self.cited is not None, "nothing can be cited here")
        assert self.cited is not None
        need(isinstance(data["claim"], str) and isinstance(data["part"], str), "cite: names are strings")
        statement, hypotheses, domain = self.cited(data["claim"], data["part"])
        self.same(s.shows, statement, "cite: not the statement of that part")
        missing = set(hypotheses) - set(self.hypotheses)
        need(not missing, f"cite: hypotheses {sorted(missing)} are not among this part's")
        own = {self.setting.alpha(f) for f in self.domain}
        needed: set[Term] = set()
        for f in domain:
            f = self.setting.alpha(f)
            if f not in own:
                shown = next((p for p in premises if p.alpha == f), None)
                need(shown is not None, f"cite: not shown: {show(f)}")
                assert shown is not None
                needed |= shown.given
        return needed

    # -- equations and inequalities ----------------------------------------------------------------------------
    def rule_sum_compare(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Sums are compared term by term."""
        f, g = s.shows, premises[0].shows
        f, g = ((("ge", "gt")[h[0] == "lt"], h[2], h[1]) if h[0] in ("le", "lt") else h for h in (f, g))
        need(f[0] in ("eq", "ge", "gt") and f[1][0] == f[2][0] == "sum", "sum_compare shows a comparison of sums")
        _, i, excluded, left = f[1]
        need(f[2][1] == i and set(f[2][2]) == set(excluded), "sum_compare: two ranges")
        need(g[0] == f[0] or (g[0] == "gt" and f[0] == "ge"), "sum_compare: another comparison")
        need(f[0] != "gt" or not excluded, "sum_compare: a sum that may be empty is not strict")
        self.same(("eq", left, f[2][3]), ("eq", *g[1:]), "sum_compare: not the terms")
        rest = set(premises[0].given) - {self.setting.alpha(("distinct", i, e)) for e in excluded}
        self.bound_free(i, rest)
        return rest

    def rule_sum_zero(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """A vanishing sum of terms that are not negative."""
        f = premises[0].shows
        need(f[0] == "eq" and f[1][0] == "sum" and f[2] == NOUGHT, "sum_zero: the first premise")
        _, i, excluded, term = f[1]
        self.same(premises[1].shows, ("ge", term, NOUGHT), "sum_zero: the second premise")
        self.same(s.shows, ("eq", term, NOUGHT), "sum_zero: not the term")
        apart = {self.setting.alpha(("distinct", i, e)) for e in excluded}
        self.bound_free(i, set(premises[1].given) - apart)
        return set(premises[0].given | premises[1].given) | apart

    def rule_equal_rewrite(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """Equals replaced in a formula."""
        need(premises[0].shows[0] in ("eq", "veq"), "equal_rewrite takes an equation first")
        _, a, b = premises[0].shows
        names = self.setting.free(a)[0] | self.setting.free(b)[0]
        symbols = self.setting.free(a)[1] | self.setting.free(b)[1]
        self.replaced(premises[1].shows, s.shows, self.setting.alpha(a), self.setting.alpha(b), names, symbols)
        return set(premises[0].given | premises[1].given)

    def replaced(self, f: Any, g: Any, a: Term, b: Term, names: frozenset[str], symbols: frozenset[str]) -> None:
        """G arises from f when some occurrences of a, outside binders that touch it and rates, become b."""
        if f == g:
            return
        if self.setting.alpha(f) == a and self.setting.alpha(g) == b:
            return
        need(
            f[0] == g[0] and len(f) == len(g) and f[0] not in ("rate", *SOLUTIONS),
            f"equal_rewrite: {show(f)} is not {show(g)}",
        )
        shape = FIELDS[f[0]][:1]
        if shape and shape[0][0] == "b":
            need(f[1] == g[1], "equal_rewrite: bound names differ")
        for (kind, v), (_, w) in zip(fields(f), fields(g), strict=True):
            if kind == "T":
                for x, y in zip(v, w, strict=True):
                    self.replaced(x, y, a, b, names, symbols)
            elif kind[0] in "SVFH" and v != w:
                need(not kind.endswith("!") or f[1] not in (names if shape[0] == "bi" else symbols),
                     f"equal_rewrite: {f[1]} is bound around an occurrence")  # fmt: skip
                self.replaced(v, w, a, b, names, symbols)
            elif v != w:
                raise Rejected("equal_rewrite: other names or indices")

    def rule_operator_norm(self, s: Step, _: list[Step], data: dict[str, Any]) -> set[Term]:
        """|L| |u| >= |L u|."""
        name = data["name"]
        need(self.setting.is_variable(name, "vector"), "operator_norm: not a vector variable")
        norm = self.term(["opnorm", name, data["image"]])
        u = self.term(data["vector"], "V")
        image = self.setting.subst(norm[2], {}, {}, {name: u})
        self.same(s.shows, ("ge", ("*", norm, ("norm", u)), ("norm", image)), "operator_norm: the shape")
        return set()

    def rule_operator_norm_le(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """The least bound."""
        need(s.shows[0] == "ge" and s.shows[2][0] == "opnorm", "operator_norm_le: the shape")
        _, bound, (_, name, image) = s.shows
        for w in {name, *self.setting.symbols}:
            if self.setting.is_variable(w, "vector"):
                moved = self.setting.subst(image, {}, {}, {name: ("vec", w, ())})
                claim = ("ge", ("*", bound, ("norm", ("vec", w, ()))), ("norm", moved))
                if premises[0].alpha == self.setting.alpha(claim) and (
                    w == name or w not in self.setting.free(image)[1]
                ):
                    self.generic(w, premises[0].given)
                    need(w not in self.setting.free(bound)[1], f"operator_norm_le: {w} occurs in the bound")
                    break
        else:
            raise Rejected("operator_norm_le: the first premise")
        self.same(premises[1].shows, ("ge", bound, NOUGHT), "operator_norm_le: the second premise")
        return set(premises[0].given | premises[1].given)

    def two_sides(self, s: Step) -> tuple[Term, Term]:
        """The two comparisons of an equivalence, with one relation."""
        need(s.shows[0] == "iff" and s.shows[1][0] == s.shows[2][0] and s.shows[1][0] in COMPARISONS,
             "shows an equivalence of two comparisons of one kind")  # fmt: skip
        return s.shows[1], s.shows[2]

    def rule_iff_scale(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """Multiplication by a positive (for eq, ne: non-zero) factor."""
        f, g = self.two_sides(s)
        factor = self.term(data["factor"])
        ring, needed = self.ring(data, s.given)
        p = add(
            ring.scalar(f[1]),
            ring.scalar(f[2]),
            ring.mul(ring.scalar(factor), self.difference(ring, g, False)),
            factor=-1,
        )
        self.vanish(ring, p, data, needed)
        h = premises[0].shows
        need(h[0] in COMPARISONS, "iff_scale: the premise is no comparison")
        gap = self.difference(ring, h, False)
        signs = COMPARISONS[h[0]]
        need(not add(gap, ring.scalar(factor), factor=-1).terms, "iff_scale: the premise is not about the factor")
        need(not signs & ZERO if f[0] in ("eq", "ne") else signs == POS, "iff_scale: the sign of the factor")
        return needed | premises[0].given

    def rule_congruence(self, s: Step, _: list[Step], data: dict[str, Any]) -> set[Term]:
        """Formulas whose comparisons have equal sides by ring."""
        need(s.shows[0] == "iff", "congruence shows an equivalence")
        ring, needed = self.ring(data, s.given)
        need(self.similar(s.shows[1], s.shows[2], ring), "congruence: the sides differ")
        return needed

    # -- functions of one variable (docs/kernel.md, section 7) -------------------------------------------------
    def curve(self, data: dict[str, Any], low: Term, high: Term, infinite: bool = False) -> Curve:
        """The variable and the interval of a rule."""
        x, flow = data["variable"], data["flow"]
        need(self.setting.is_variable(x) and self.setting.symbols[x].domain == "real", "variable: not a real symbol")
        need(x not in self.fixed, f"{x} occurs in a hypothesis or the domain")
        need(
            isinstance(flow, str) and self.setting.flows.get(flow) == {x: ((), ONE)},
            f"{flow!r} does not move {x} alone",
        )
        need(high != ("inf",) or infinite, "the interval is infinite")
        need(x not in self.setting.free(low)[1] | self.setting.free(high)[1], f"{x} occurs in an end of the interval")
        return Curve(x, flow, low, high)

    def ends(self, data: dict[str, Any], infinite: bool = False) -> Curve:
        """The variable and the interval, its ends from the data."""
        high = ("inf",) if data["hi"] == ["inf"] else self.term(data["hi"])
        return self.curve(data, self.term(data["lo"]), high, infinite)

    def at_point(self, curve: Curve, f: Term, t: Term) -> Term:
        """F with the variable replaced."""
        return self.setting.subst(f, {}, {curve.x: t}, {})

    def expect(self, premises: list[Step], wanted: list[tuple[Term, ...]]) -> set[Term]:
        """The premises show these formulas, each one of the alternatives; their assumptions."""
        need(len(premises) == len(wanted), f"{len(wanted)} premises are expected here, not {len(premises)}")
        for p, alternatives in zip(premises, wanted, strict=True):
            if p.alpha not in [self.setting.alpha(f) for f in alternatives]:
                ring = self.ring({}, frozenset())[0]
                need(
                    any(self.similar(p.shows, f, ring) for f in alternatives),
                    f"a premise is not {show(alternatives[0])}",
                )
        return set().union(*(p.given for p in premises))

    def discharged(self, curve: Curve, s: Step, bounds: Iterable[Term]) -> set[Term]:
        """The assumptions of a step besides bounds of the variable; the variable is in none of them."""
        rest = set(s.given) - {self.setting.alpha(b) for b in bounds if ("inf",) not in b}
        for g in rest:
            need(curve.x not in self.setting.free(g)[1], f"{curve.x} is free in an assumption: {show(g)}")
        return rest

    def inside(self, curve: Curve, s: Step, f: Term, tags: tuple[str, ...] = ("gt", "ge")) -> set[Term]:
        """A premise about the open interval: f > 0 (or f >= 0)."""
        self.expect([s], [tuple((tag, f, NOUGHT) for tag in tags)])
        return self.discharged(curve, s, (*curve.bounds(True), *curve.bounds(False)))

    def smooth(self, curve: Curve, functions: list[Term], data: dict[str, Any], given: frozenset[Term],
               half_open: bool = False) -> set[Term]:  # fmt: skip
        """The functions are differentiable on the closed (or half open) interval, by structure or by facts there."""
        need(not data.get("rewrites"), "rewrites do not show that a function is smooth")
        bounds = [*curve.bounds(False), *(curve.bounds(True)[1:] if half_open else ())]
        rest: set[Term] = set()
        for s in self.listed(data, "facts"):
            rest |= self.discharged(curve, s, bounds)
        ring = self.ring(data, given)[0]
        for f in functions:
            ring.demand(f, self.setting.flows[curve.flow])
        return rest

    def strictness(self, s: Step, p: Step, q: Step) -> str:
        """The comparison that two premises allow: gt only when both are strict."""
        wanted = "gt" if p.alpha[0] == q.alpha[0] == "gt" else "ge"
        need(s.shows[0] == "ge" or s.shows[0] == wanted, "a premise is not strict")
        return str(s.shows[0])

    def rule_increasing(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """The mean value theorem."""
        curve, f = self.ends(data), self.term(data["function"])
        needed = self.inside(curve, premises[0], ("rate", curve.flow, f))
        needed |= self.expect(premises[1:], [(("gt", curve.high, curve.low), ("ge", curve.high, curve.low))])
        tag = self.strictness(s, premises[0], premises[1])
        self.instance(
            (tag, self.at_point(curve, f, curve.high), self.at_point(curve, f, curve.low)), s.shows, "not F(hi), F(lo)"
        )
        return needed | self.smooth(curve, [f], data, s.given)

    def bracket(self, curve: Curve, f: Term, a: Term, b: Term) -> list[tuple[Term, ...]]:
        """F(a) < 0 < F(b), lo <= a < b < hi."""
        wanted: list[tuple[Term, ...]] = [
            (("gt", NOUGHT, self.at_point(curve, f, a)),),
            (("gt", self.at_point(curve, f, b), NOUGHT),),
            (("gt", b, a),),
        ]  # fmt: skip
        if self.setting.alpha(a) != self.setting.alpha(curve.low):
            wanted.append((("ge", a, curve.low), ("gt", a, curve.low)))
        return wanted + ([(("gt", curve.high, b),)] if curve.high != ("inf",) else [])

    def only(self, f: Term, data: dict[str, Any]) -> tuple[Curve, Term]:
        """The interval and the function of a `unique`, in the variable of the data."""
        need(f[0] == "unique", "an exactly-one formula is expected")
        need(data["variable"] not in self.setting.free(f)[1], "the variable is free in the exactly-one formula")
        curve = self.curve(data, f[2], f[3], infinite=True)
        return curve, self.setting.subst(f[4], {}, {f[1]: ("s", curve.x, ())}, {})

    def rule_root_monotone(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A strictly increasing function that changes its sign has exactly one zero."""
        curve, f = self.only(s.shows, data)
        need(premises, "root_monotone takes premises")
        needed = self.inside(curve, premises[0], ("rate", curve.flow, f), ("gt",))
        a, b = self.term(data["a"]), self.term(data["b"])
        needed |= self.expect(premises[1:], self.bracket(curve, f, a, b))
        return needed | self.smooth(curve, [f], data, s.given, half_open=True)

    def rule_root_convex(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A strictly convex function that starts below zero and ends above has exactly one zero."""
        curve, f = self.only(s.shows, data)
        need(premises, "root_convex takes premises")
        slope = ("rate", curve.flow, f)
        needed = self.inside(curve, premises[0], ("rate", curve.flow, slope), ("gt",))
        a, b = self.term(data["a"]), self.term(data["b"])
        self.same(("eq", a, a), ("eq", curve.low, curve.low), "root_convex: the bracket starts at the left end")
        needed |= self.expect(premises[1:], self.bracket(curve, f, a, b))
        return needed | self.smooth(curve, [f, slope], data, s.given, half_open=True)

    def rule_root_facts(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """A root is a zero in its interval."""
        f = premises[0].shows
        need(f[0] == "unique", "root_facts takes an exactly-one formula")
        r = ("root", f[1], f[4], f[2], f[3])
        allowed = [("eq", self.setting.subst(f[4], {}, {f[1]: r}, {}), NOUGHT), ("gt", r, f[2])]
        allowed += [("gt", f[3], r)] if f[3] != ("inf",) else []
        if s.alpha not in [self.setting.alpha(g) for g in allowed]:
            self.instance(allowed[0], s.shows, "root_facts: not one of its facts")
        return set(premises[0].given)

    def rule_root_is(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """A zero in the interval is the root."""
        need(
            premises and premises[0].shows[0] == "unique" and s.shows[0] == "eq", "root_is takes an exactly-one formula"
        )
        f, t = premises[0].shows, s.shows[2]
        self.same(s.shows, ("eq", ("root", f[1], f[4], f[2], f[3]), t), "root_is: not the root")
        wanted: list[tuple[Term, ...]] = [
            (("eq", self.setting.subst(f[4], {}, {f[1]: t}, {}), NOUGHT),),
            (("gt", t, f[2]),),
        ]
        wanted += [(("gt", f[3], t),)] if f[3] != ("inf",) else []
        return self.expect(premises[1:], wanted) | premises[0].given

    def rule_root_side(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """The sign of the function tells on which side of its only zero a point is."""
        need(premises, "root_side takes premises")
        curve, f = self.only(premises[0].shows, data)
        t, a, b = (self.term(data[k]) for k in ("at", "a", "b"))
        wanted = [*self.bracket(curve, f, a, b), (("gt", t, curve.low),)]
        wanted += [(("gt", curve.high, t),)] if curve.high != ("inf",) else []
        needed = self.expect(premises[1:], wanted) | premises[0].given
        u = premises[0].shows
        r, value = ("root", u[1], u[4], u[2], u[3]), self.at_point(curve, f, t)
        allowed = [("iff", ("gt", value, NOUGHT), ("gt", t, r)), ("iff", ("gt", NOUGHT, value), ("gt", r, t)),
                   ("iff", ("eq", value, NOUGHT), ("eq", t, r))]  # fmt: skip
        need(s.alpha in [self.setting.alpha(g) for g in allowed], "root_side: not one of its equivalences")
        return needed | self.smooth(curve, [f], data, s.given, half_open=True)

    def rule_convex_between(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A convex function that is not positive at two ends is not positive between."""
        curve, f, t = self.ends(data), self.term(data["function"]), self.term(data["at"])
        slope = ("rate", curve.flow, f)
        needed = self.inside(curve, premises[0], ("rate", curve.flow, slope))
        low, high, value = (self.at_point(curve, f, u) for u in (curve.low, curve.high, t))
        needed |= self.expect(premises[1:], [(("ge", NOUGHT, low),), (("ge", NOUGHT, high),), (("ge", t, curve.low),),
                                             (("ge", curve.high, t),)])  # fmt: skip
        self.instance(("ge", NOUGHT, value), s.shows, "convex_between: not F(t) <= 0")
        return needed | self.smooth(curve, [f, slope], data, s.given)

    def rule_tangent_below(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A convex function lies above its tangents."""
        need(len(premises) >= 2, "tangent_below takes premises")
        curve, f = self.ends(data, infinite=True), self.term(data["function"])
        d, p, t = self.term(data["derivative"]), self.term(data["touching"]), self.term(data["at"])
        slope = ("rate", curve.flow, f)
        needed = self.inside(curve, premises[0], ("rate", curve.flow, slope))
        self.expect(premises[1:2], [(("eq", slope, d),)])
        needed |= self.discharged(curve, premises[1], curve.bounds(False))
        wanted: list[tuple[Term, ...]] = [(("ge", p, curve.low),), (("ge", t, curve.low),)]
        wanted += [(("ge", curve.high, p),), (("ge", curve.high, t),)] if curve.high != ("inf",) else []
        if s.shows[0] == "gt":
            need(premises[0].alpha[0] == "gt", "tangent_below: the second derivative is not strictly positive")
            wanted.append((("ne", t, p),))
        needed |= self.expect(premises[2:], wanted)
        need(s.shows[0] in ("ge", "gt"), "tangent_below shows ge or gt")
        value, start, rise = self.at_point(curve, f, t), self.at_point(curve, f, p), self.at_point(curve, d, p)
        line = ("+", start, ("*", rise, ("+", t, ("*", MINUS, p))))
        self.instance((s.shows[0], value, line), s.shows, "tangent_below: not the tangent")
        return needed | self.smooth(curve, [f, slope], data, s.given)

    def rule_antiderivative(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """The fundamental theorem of calculus."""
        need(s.shows[0] == "eq" and s.shows[1][0] == "int", "antiderivative shows an integral")
        _, y, low, high, body = s.shows[1]
        curve, g = self.curve(data, low, high), self.term(data["function"])
        f = self.integrand(curve, y, body)
        self.expect(premises[:1], [(("eq", ("rate", curve.flow, g), f),)])
        needed = self.discharged(curve, premises[0], curve.bounds(False))
        needed |= self.expect(premises[1:], [(("ge", high, low), ("gt", high, low))])
        value = ("+", self.at_point(curve, g, high), ("*", MINUS, self.at_point(curve, g, low)))
        self.instance(("eq", s.shows[1], value), s.shows, "antiderivative: not G(hi) - G(lo)")
        return needed | self.smooth(curve, [g, f], data, s.given)

    def integrand(self, curve: Curve, y: str, body: Term) -> Term:
        """The body of an integral in the variable of the rule."""
        need(y == curve.x or curve.x not in self.setting.free(body)[1], f"{curve.x} is free in the integral")
        return self.setting.subst(body, {}, {y: ("s", curve.x, ())}, {})

    def rule_integral_compare(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """Integrals are compared point by point."""
        need(s.shows[0] in ("ge", "gt") and s.shows[1][0] == s.shows[2][0] == "int", "integral_compare: the shape")
        (_, y, low, high, left), (_, z, low2, high2, right) = s.shows[1:]
        self.same(
            ("and", ("eq", low, high), ("eq", low, high)),
            ("and", ("eq", low2, high2), ("eq", low2, high2)),
            "two ranges",
        )
        curve = self.curve(data, low, high)
        f, g = self.integrand(curve, y, left), self.integrand(curve, z, right)
        self.expect(premises[:1], [(("ge", f, g), ("gt", f, g))])
        needed = self.discharged(curve, premises[0], (*curve.bounds(True), *curve.bounds(False)))
        needed |= self.expect(premises[1:], [(("ge", high, low), ("gt", high, low))])
        self.strictness(s, premises[0], premises[1])
        return needed | self.smooth(curve, [f, g], data, s.given)

    def rule_integral_shift(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """G' = f - c g: the integral of f is c times that of g and the increment of G."""
        f = s.shows
        shape = f[0] == "eq" and f[1][0] == "int" and f[2][0] == "+" and f[2][1][0] == "*" and f[2][1][-1][0] == "int"
        need(shape, "integral_shift: the shape")
        (_, y, low, high, left), (_, z, _, _, right) = f[1], f[2][1][-1]
        curve, function, weight = self.curve(data, low, high), self.term(data["function"]), self.term(data["weight"])
        need(curve.x not in self.setting.free(weight)[1], "integral_shift: the weight varies")
        first, second = self.integrand(curve, y, left), self.integrand(curve, z, right)
        slope = ("+", first, ("*", MINUS, ("*", weight, second)))
        self.expect(premises[:1], [(("eq", ("rate", curve.flow, function), slope),)])
        needed = self.discharged(curve, premises[0], curve.bounds(False))
        needed |= self.expect(premises[1:], [(("ge", high, low), ("gt", high, low))])
        ends = (self.at_point(curve, function, high), ("*", MINUS, self.at_point(curve, function, low)))
        total = ("+", ("*", weight, ("int", z, low, high, right)), ("+", *ends))
        self.instance(("eq", f[1], total), f, "integral_shift: not that sum")
        return needed | self.smooth(curve, [function, first, second], data, s.given)

    # -- whole solutions (section 8) ---------------------------------------------------------------------------
    def rule_dissipation(self, s: Step, premises: list[Step], _: dict[str, Any]) -> set[Term]:
        """A bounded quantity whose rate is not negative, along a flow on a product of spheres."""
        need(s.shows[0] == "dissipates" and len(premises) >= 4, "dissipation: the shape")
        _, flow, t, bound = s.shows
        need(bound[0] == "+" and len(bound) == 3 and bound[2][0] == "*" and bound[2][1] == MINUS and len(bound[2]) == 3,
             "dissipation: the bound is not U - L")  # fmt: skip
        upper, lower = bound[1], bound[2][2]
        moves = self.setting.flows[flow]
        first = premises[0].shows
        need(first[0] == "eq" and first[1][0] == "rate", "dissipation: the first premise is no rate")
        v = first[1][2]
        need(not (self.setting.moved(upper, moves) or self.setting.moved(lower, moves)), "dissipation: a bound moves")
        wanted: list[tuple[Term, ...]] = [
            (("eq", ("rate", flow, v), t),), (("ge", t, NOUGHT),), (("ge", upper, v),), (("ge", v, lower),),
        ]  # fmt: skip
        need(not self.expect(premises, [*wanted, *self.confined(flow)]), "dissipation: a premise has assumptions")
        return set()

    def confined(self, flow: str) -> list[tuple[Term, ...]]:
        """A smooth flow of unit vectors, of which the ground says nothing else; the premises that it stays so."""
        moves = self.setting.flows[flow]
        wanted: list[tuple[Term, ...]] = []
        for name, (indices, velocity) in moves.items():
            on_sphere = self.setting.symbols[name].kind == "vector" and ("unit", name) in self.relations
            need(on_sphere, f"{name} is not on the sphere")
            x = ("vec", name, indices)
            wanted.append((("eq", ("rate", flow, ("ip", x, x)), NOUGHT),))
            Ring(self.setting, ()).demand(velocity, moves)
            Definedness(self, []).term(velocity, frozenset())
        for g in (g for f in self.ground for g in flatten(f)):
            need(g[0] == "unit" or not self.setting.moved(g, moves), f"{flow} moves a hypothesis")
        return wanted

    def rule_decay(self, s: Step, premises: list[Step], data: dict[str, Any]) -> set[Term]:
        """A condition that a flow cannot leave, and a quantity that falls exponentially while it holds."""
        need(s.shows[0] == "decays" and len(premises) >= 3, "decay: the shape")
        _, flow, condition, v, k = s.shows
        moves = self.setting.flows[flow]
        index, excluded, bound = condition[1:] if condition[0] == "all" else ("", (), condition)
        need(bound[0] == "gt" and bound[2] == NOUGHT, "decay: the condition is not F > 0")
        need(not self.setting.moved(k, moves), "decay: the rate moves")
        assumed = {self.setting.alpha(condition)}
        slope, found = ("rate", flow, bound[1]), dict[str, Any]()
        decaying = ("ge", self.setting.alpha(slope), ("*", ("*", MINUS, "?L"), self.setting.alpha(bound[1])))
        if fits(decaying, premises[0].alpha, found):  # F e^{Lt} does not fall
            need(not self.setting.moved(found["?L"], moves), "decay: the rate of the condition moves")
        else:
            self.expect(premises[:1], [(("ge", slope, NOUGHT),)])
        allowed = assumed | {self.setting.alpha(("distinct", index, e)) for e in excluded}
        need(premises[0].given <= allowed, "decay: the first premise assumes more than the condition")
        wanted = [(("ge", ("*", ("*", MINUS, k), v), ("rate", flow, v)),), (("ge", k, NOUGHT), ("gt", k, NOUGHT))]
        needed = self.expect(premises[1:3], wanted)
        need(not self.expect(premises[3:], self.confined(flow)), "decay: a premise on confinement has assumptions")
        ring, more = self.ring(data, s.given)
        needed = (needed | more) - assumed
        need(not any(self.setting.moved(g, moves) for g in needed), "decay: an assumption moves")
        Ring(self.setting, ()).demand(bound[1], moves)
        ring.demand(v, moves)
        return needed


@dataclass(frozen=True)
class Curve:
    """A variable that runs over an interval, and the flow that moves it alone with velocity 1."""

    x: str
    flow: str
    low: Term
    high: Term

    def bounds(self, strict: bool) -> tuple[Term, Term]:
        """The lower and the upper bound of the variable as formulas."""
        tag, x = "gt" if strict else "ge", ("s", self.x, ())
        return (tag, x, self.low), (tag, self.high, x)


def shorten(text: str, limit: int = 400) -> str:
    """A text cut to a readable length."""
    return text if len(text) <= limit else text[:limit] + " ..."


# ---------------------------------------------------------------------------------------------------------------
# 6. Enclosures and models. A number is a pair of rationals (low, high), exact when they are equal.
# ---------------------------------------------------------------------------------------------------------------
Pair = tuple[Fraction, Fraction]
EULER = (
    "0.5772156649015328606065120900824024310421593359399235988057"
    "67234884867726777664670936947063291746749514631447249807082480960504"
)


class Undecided(Exception):  # noqa: N818
    """An enclosure is not narrow enough at this precision."""


def outward(low: Fraction, high: Fraction, bits: int) -> Pair:
    """Both ends rounded outwards to about the given number of significant bits."""
    if low == high and low.denominator.bit_length() + abs(low.numerator).bit_length() < 4 * bits:
        return low, high
    size = max(abs(low), abs(high))
    need(size < 1 << 200_000, "a value is out of range")
    shift = bits - (size.numerator.bit_length() - size.denominator.bit_length())
    scaled = Fraction(2) ** shift
    return Fraction(math.floor(low * scaled)) / scaled, Fraction(math.ceil(high * scaled)) / scaled


def exp_at(x: Fraction, bits: int) -> Pair:
    """The exponential of a rational: Taylor for a small argument, then squaring."""
    if x == 0:
        return Fraction(1), Fraction(1)
    need(abs(x) < 100_000, "an exponent is out of range")
    if x < 0:
        low, high = exp_at(-x, bits)
        return 1 / high, 1 / low
    halvings = max(0, int(x).bit_length() + 4)
    work = bits + halvings + 16
    r = outward(x / 2**halvings, x / 2**halvings, work)[1]
    low_r = outward(x / 2**halvings, x / 2**halvings, work)[0]
    ends = []
    for y, up in ((low_r, False), (r, True)):
        total, term, n = Fraction(1), Fraction(1), 0
        while term > Fraction(1, 2**work):
            n += 1
            term = outward(term * y / n, term * y / n, work)[up]
            total += term
        ends.append(total + 2 * term if up else total)
    pair = (ends[0], ends[1])
    for _ in range(halvings):
        pair = outward(pair[0] ** 2, pair[1] ** 2, work)
    return pair


def atanh_at(z: Fraction, bits: int) -> Pair:
    """Atanh of a rational, 0 <= z <= 1/2."""
    total, power, k = Fraction(0), z, 0
    low = Fraction(0)
    square = z * z
    while power / (2 * k + 1) > Fraction(1, 2 ** (bits + 8)):
        low, total = (
            low + outward(power / (2 * k + 1), power / (2 * k + 1), bits + 8)[0],
            total + outward(power / (2 * k + 1), power / (2 * k + 1), bits + 8)[1],
        )
        power, k = power * square, k + 1
    return low, total + 2 * power / (2 * k + 1)


def log_at(x: Fraction, bits: int) -> Pair:
    """The logarithm of a positive rational."""
    if x == 1:
        return Fraction(0), Fraction(0)
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** k
    ends = []
    two = atanh_at(Fraction(1, 3), bits + 16)
    for y, up in zip(outward(m, m, bits + 16), (0, 1), strict=True):
        z = (y - 1) / (y + 1)
        size = outward(abs(z), abs(z), bits + 16)[up if z >= 0 else 1 - up]
        pair = atanh_at(size, bits + 16)
        ends.append(2 * (pair[up] if z >= 0 else -pair[1 - up]) + 2 * k * two[up if k >= 0 else 1 - up])
    return outward(ends[0], ends[1], bits + 16)


def sqrt_at(x: Fraction, bits: int) -> Pair:
    """The square root of a rational that is not negative; exact for squares."""
    n, d = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if n * n == x.numerator and d * d == x.denominator:
        return Fraction(n, d), Fraction(n, d)
    shift = max(0, bits + (x.denominator.bit_length() - x.numerator.bit_length()) // 2 + 2)
    root = math.isqrt(math.floor(x * 4**shift))
    return Fraction(root, 2**shift), Fraction(root + 1, 2**shift)


def pi_pair(bits: int) -> Pair:
    """Machin's formula."""
    ends = []
    for n in (5, 239):
        total, power, k = Fraction(0), Fraction(1, n), 0
        while power > Fraction(1, 2 ** (bits + 12)):
            total += (-1) ** k * power / (2 * k + 1)
            power, k = power / n**2, k + 1
        ends.append((total - power, total + power))
    return outward(16 * ends[0][0] - 4 * ends[1][1], 16 * ends[0][1] - 4 * ends[1][0], bits)


def cos_sin_at(x: Fraction, bits: int) -> tuple[Pair, Pair]:
    """Cosine and sine of a rational by Taylor; the remainder is below the next term."""
    need(abs(x) < 1000, "an angle is out of range")
    x = outward(x, x, 2 * bits + 64)[0]  # an error below 2^-bits, added at the end
    work = bits + 2 * int(abs(x)) + 16
    sums = [Fraction(0), Fraction(0)]
    term, n = Fraction(1), 0
    while abs(term) > Fraction(1, 2**work) or n <= abs(x):
        sums[n % 2] += term * (-1) ** (n // 2)
        n += 1
        term = term * x / n
        term = Fraction(math.floor(term * 2 ** (2 * work)), 2 ** (2 * work))
    error = Fraction(n + 4, 2 ** (bits + 8))
    return tuple(outward(v - error, v + error, bits) for v in sums)  # type: ignore[return-value]


def ei_at(x: Fraction, bits: int) -> Pair:
    """Ei of a rational that is not 0: Euler's constant + log|x| + sum of x^k / (k k!)."""
    need(abs(x) < 400, "Ei is out of range")
    work = bits + 2 * int(abs(x)) + 16
    total, power, k = Fraction(0), Fraction(1), 0
    while abs(power) > Fraction(1, 2**work) or k <= 2 * abs(x):
        k += 1
        power = power * x / k
        power = Fraction(math.floor(power * 2 ** (2 * work)), 2 ** (2 * work))
        total += power / k
    error = Fraction(4, 2**work) + Fraction(k * k, 2**work)
    euler = Fraction(EULER)
    low, high = log_at(abs(x), bits)
    digits = Fraction(1, 10**100)
    return outward(euler - digits + low + total - error, euler + digits + high + total + error, bits)


def w_at(x: Fraction, bits: int) -> Pair:
    """Lambert's W of a rational x > -1/e: Newton's method finds it, the sign of w e^w - x on both sides proves it."""

    def side(w: Fraction) -> int:
        ends = [w * p - x for p in exp_at(w, bits + 32)]
        return 1 if min(ends) >= 0 else -1 if max(ends) <= 0 else 0

    low, high = (Fraction(-1), Fraction(0)) if x < 0 else (Fraction(0), max(Fraction(1), x))
    w = Fraction(math.log1p(float(x))) if x > -Fraction(9, 25) else Fraction(-9, 10)
    for _ in range(12 + bits.bit_length()):
        e = exp_at(w, bits + 16)[0]
        w -= (w * e - x) / (e * (1 + w))
        w = min(max(outward(w, w, bits + 16)[0], low + Fraction(1, 2 ** (bits + 8))), high)
    radius = Fraction(1, 2**bits)
    while radius < 1:
        if w - radius >= low and side(w - radius) < 0:
            low = max(low, w - radius)
        if w + radius <= high and side(w + radius) > 0:
            high = min(high, w + radius)
        if high - low <= 2 * radius:
            break
        radius *= 16
    return low, high


class Model:
    """Finite sizes and rational values for symbols; evaluates terms to enclosures and decides formulas."""

    def __init__(self, setting: Setting, model: object, bits: int, pieces: int = 32) -> None:
        need(isinstance(model, dict) and set(model) == {"sizes", "scalars", "vectors", "operators"}, "model: keys")
        assert isinstance(model, dict)
        self.setting, self.bits, self.pieces = setting, bits, pieces
        sizes = model["sizes"]
        need(isinstance(sizes, dict) and set(sizes) == set(SORTS), "model: sizes")
        need(all(type(v) is int and 1 <= v <= 64 for v in sizes.values()), "model: a size is not in 1..64")
        self.sizes: dict[str, int] = sizes
        self.values: dict[str, Any] = {}
        for key, kind in (("scalars", "scalar"), ("vectors", "vector"), ("operators", "operator")):
            need(isinstance(model[key], dict), f"model: {key}")
            for name, value in model[key].items():
                symbol = setting.symbols.get(name)
                need(symbol is not None and symbol.kind == kind, f"model: {name!r} is not a declared {kind}")
                assert symbol is not None
                shape = [sizes[s] for s in symbol.sorts] + [sizes["axis"]] * {"scalar": 0, "vector": 1, "operator": 2}[
                    kind
                ]
                self.values[name] = self.array(value, shape, symbol.domain, name)
        need("e" not in self.values, "model: the basis is given")
        self.scalars: dict[str, Pair] = {}
        self.memo: dict[Any, Any] = {}

    def array(self, value: object, shape: list[int], domain: str, name: str) -> Any:
        """Nested lists of rationals of the given shape."""
        if not shape:
            need(
                isinstance(value, str) and re.fullmatch(r"-?[0-9a-f]{1,500}(/[0-9a-f]{1,500})?", value),
                f"model: bad value of {name}",
            )
            assert isinstance(value, str)
            top, _, bottom = value.partition("/")
            need(not bottom or int(bottom, 16) > 0, f"model: bad value of {name}")
            q = Fraction(int(top, 16), int(bottom or "1", 16))
            need(domain == "real" or q > 0 or (domain == "nonnegative" and q == 0), f"model: {name} is not {domain}")
            return q
        need(isinstance(value, list) and len(value) == shape[0], f"model: wrong shape of {name}")
        assert isinstance(value, list)
        return [self.array(v, shape[1:], domain, name) for v in value]

    # -- interval arithmetic -----------------------------------------------------------------------------------
    def out(self, low: Fraction, high: Fraction) -> Pair:
        """Rounded outwards to the working precision."""
        return outward(low, high, self.bits)

    def plus(self, x: Pair, y: Pair) -> Pair:
        """The sum."""
        return self.out(x[0] + y[0], x[1] + y[1])

    def times(self, x: Pair, y: Pair) -> Pair:
        """The product."""
        if x[0] == x[1] and y[0] == y[1]:
            return self.out(x[0] * y[0], x[0] * y[0])
        if x[0] >= 0 and y[0] >= 0:
            return self.out(x[0] * y[0], x[1] * y[1])
        products = [a * b for a in x for b in y]
        return self.out(min(products), max(products))

    def power(self, x: Pair, k: int) -> Pair:
        """A power, k >= 0."""
        if k % 2 == 0 and x[0] < 0:
            x = (-x[1], -x[0]) if x[1] <= 0 else (Fraction(0), max(-x[0], x[1]))
        return self.out(x[0] ** k, x[1] ** k)

    def monotone(self, f: Callable[[Fraction, int], Pair], x: Pair, rising: bool = True) -> Pair:
        """A monotone function of an enclosure."""
        a, b = (x[0], x[1]) if rising else (x[1], x[0])
        return self.out(f(a, self.bits)[0], f(b, self.bits)[1])

    # -- terms -------------------------------------------------------------------------------------------------
    def scalar(self, t: Term, env: dict[str, int]) -> Pair:
        """The enclosure of a scalar term."""
        return self.cached(t, env, self._scalar)  # type: ignore[no-any-return]

    def vector(self, t: Term, env: dict[str, int]) -> list[Pair]:
        """The enclosures of the components of a vector term."""
        return self.cached(t, env, self._vector)  # type: ignore[no-any-return]

    def cached(self, t: Term, env: dict[str, int], make: Callable[[Term, dict[str, int]], Any]) -> Any:
        """Evaluate once for each assignment of the free indices."""
        names = self.setting.free(t)[0]
        key = (t, tuple(sorted((n, env[n]) for n in names)), tuple(sorted(self.scalars.items())))
        if key not in self.memo:
            self.memo[key] = make(t, env)
        return self.memo[key]

    def at(self, name: str, indices: tuple[str, ...], env: dict[str, int]) -> Any:
        """The value of a symbol at indices."""
        need(name in self.values, f"the model gives no value of {name}")
        value = self.values[name]
        for i in indices:
            value = value[env[i]]
        return value

    def range(self, t: Term, env: dict[str, int]) -> list[dict[str, int]]:
        """The assignments over which a sum or a quantifier runs."""
        barred = {env[e] for e in t[2]}
        return [{**env, t[1]: k} for k in range(self.sizes[SORT_OF[t[1][0]]]) if k not in barred]

    def _vector(self, t: Term, env: dict[str, int]) -> list[Pair]:
        tag, d = t[0], self.sizes["axis"]
        nought = (Fraction(0), Fraction(0))
        if tag == "vec":
            if t[1] == "e":
                return [(Fraction(k == env[t[2][0]]),) * 2 for k in range(d)]
            return [(q, q) for q in self.at(t[1], t[2], env)]
        if tag == "v0":
            return [nought] * d
        if tag in ("vadd", "vsum"):
            parts = (
                [self.vector(u, env) for u in t[1:]]
                if tag == "vadd"
                else [self.vector(t[3], e) for e in self.range(t, env)]
            )
            out = [nought] * d
            for p in parts:
                out = [self.plus(x, y) for x, y in zip(out, p, strict=True)]
            return out
        if tag == "vmul":
            s = self.scalar(t[1], env)
            return [self.times(s, x) for x in self.vector(t[2], env)]
        if tag in ("op", "opT"):
            rows, u = self.at(t[1], t[2], env), self.vector(t[3], env)
            out = []
            for k in range(d):
                total = nought
                for m in range(d):
                    q = rows[k][m] if tag == "op" else rows[m][k]
                    total = self.plus(total, self.times((q, q), u[m]))
                out.append(total)
            return out
        return self.vector(self.setting.unfold(t), env)

    def _scalar(self, t: Term, env: dict[str, int]) -> Pair:
        tag = t[0]
        nought = (Fraction(0), Fraction(0))
        if tag == "q":
            return (number(t),) * 2
        if tag == "pi":
            return pi_pair(self.bits)
        if tag == "size":
            return (Fraction(self.sizes[t[1]]),) * 2
        if tag == "s":
            if t[1] in self.scalars:
                return self.scalars[t[1]]
            return (self.at(t[1], t[2], env),) * 2
        if tag in ("+", "sum"):
            total = nought
            for x in (
                [self.scalar(u, env) for u in t[1:]]
                if tag == "+"
                else [self.scalar(t[3], e) for e in self.range(t, env)]
            ):
                total = self.plus(total, x)
            return total
        if tag == "*":
            product = (Fraction(1), Fraction(1))
            for u in t[1:]:
                product = self.times(product, self.scalar(u, env))
            return product
        if tag == "^":
            return self.power(self.scalar(t[1], env), t[2])
        if tag == "ip":
            total = nought
            for x, y in zip(self.vector(t[1], env), self.vector(t[2], env), strict=True):
                total = self.plus(total, self.power(x, 2) if t[1] == t[2] else self.times(x, y))
            return total
        if tag == "norm":
            return self.scalar(("sqrt", ("ip", t[1], t[1])), env)
        if tag == "delta":
            return (Fraction(env[t[1]] == env[t[2]]),) * 2
        if tag == "def":
            return self.scalar(self.setting.unfold(t), env)
        if tag == "rate":
            self.exists(t[2], env)
            return self.scalar(self.setting.rate(t), env)
        if tag == "int":
            return self.integral(t, env)
        if tag == "opnorm":
            return self.operator_norm(t, env)
        need(tag in _UNARY or tag == "fn", f"{tag} is not evaluated")
        return self.function(t[1] if tag == "fn" else tag, t, env)

    def exists(self, t: Term, env: dict[str, int]) -> None:
        """What is differentiated has a value: logarithms of what is not positive have no rate."""
        self.scalar(t, env)

    def function(self, name: str, t: Term, env: dict[str, int]) -> Pair:
        """A function of one argument; outside its domain there is no value."""
        if name in ("sinh", "cosh", "tanh", "coth", "arsinh"):
            return self.scalar(unfold_function(t), env)
        x = self.scalar(t[-1], env)
        if name == "exp":
            return self.monotone(exp_at, x)
        if name == "abs":
            return x if x[0] >= 0 else (-x[1], -x[0]) if x[1] <= 0 else (Fraction(0), max(-x[0], x[1]))
        if name == "relu":
            return max(x[0], Fraction(0)), max(x[1], Fraction(0))
        if name == "sqrt":
            need(x[1] >= 0, "the square root of a negative number")
            if x[0] < 0:
                raise Undecided("sqrt")
            return self.monotone(sqrt_at, x)
        if name == "log":
            need(x[1] > 0, "the logarithm of a number that is not positive")
            if x[0] <= 0:
                raise Undecided("log")
            return self.monotone(log_at, x)
        if name in ("inv", "Ei"):
            need(not x[0] == x[1] == 0, f"{name} at 0")
            if x[0] <= 0 <= x[1]:
                raise Undecided(name)
            return self.out(1 / x[1], 1 / x[0]) if name == "inv" else self.monotone(ei_at, x, rising=x[0] > 0)
        if name == "W":
            edge = -1 / exp_at(Fraction(1), self.bits)[0]
            need(x[1] >= edge, "W outside its domain")
            if x[0] < 0 and x[0] * exp_at(Fraction(1), self.bits)[1] <= -1:
                raise Undecided(name)
            return self.monotone(w_at, x)
        middle, width = (x[0] + x[1]) / 2, (x[1] - x[0]) / 2
        low, high = cos_sin_at(middle, self.bits)[name == "sin"]
        return self.out(max(low - width, Fraction(-1)), min(high + width, Fraction(1)))

    def operator_norm(self, t: Term, env: dict[str, int]) -> Pair:
        """The square root of the largest eigenvalue of A^T A, by bisection; A rational."""
        d, kept = self.sizes["axis"], self.values.get(t[1])
        columns = []
        for k in range(d):
            self.values[t[1]] = [Fraction(k == r) for r in range(d)]
            self.memo.clear()
            columns.append(self.vector(t[2], env))
        self.values.pop(t[1])
        self.memo.clear()
        if kept is not None:
            self.values[t[1]] = kept
        if any(x[0] != x[1] for c in columns for x in c):
            raise Undecided("an operator norm")
        gram = [[sum((x[0] * y[0] for x, y in zip(p, q, strict=True)), Fraction(0)) for q in columns] for p in columns]
        low, high = Fraction(0), sum((gram[k][k] for k in range(d)), Fraction(0))
        for _ in range(self.bits + high.numerator.bit_length()):
            guess = ((low + high) / 2).limit_denominator(1 << (self.bits // 8))
            for middle in (high, guess) if low == 0 else (guess,):
                kind = _definite([[(middle if r == c else 0) - gram[r][c] for c in range(d)] for r in range(d)])
                if kind == 0:
                    return self.monotone(sqrt_at, (middle, middle))
                low, high = (low, min(high, middle)) if kind > 0 else (max(low, middle), high)
            middle = (low + high) / 2
            kind = _definite([[(middle if r == c else 0) - gram[r][c] for c in range(d)] for r in range(d)])
            if kind == 0:
                return self.monotone(sqrt_at, (middle, middle))
            low, high = (low, middle) if kind > 0 else (middle, high)
        return self.monotone(sqrt_at, (low, high))

    def integral(self, t: Term, env: dict[str, int]) -> Pair:
        """Simpson's rule on equal pieces, with the fourth derivative enclosed on each."""
        _, x, low, high, body = t
        a, b = self.scalar(low, env), self.scalar(high, env)
        if a[0] != a[1] or b[0] != b[1]:
            raise Undecided("the ends of an integral are not rational")
        need(a[0] <= b[0], "an integral from a larger to a smaller number")
        moves: Moves = {x: ((), ONE)}
        fourth: Term = body
        for _k in range(4):
            fourth = self.setting.derive(fourth, moves) or NOUGHT
        kept, total = dict(self.scalars), (Fraction(0), Fraction(0))
        pieces = self.pieces
        width = (b[0] - a[0]) / pieces

        def value(u: Term, left: Fraction, right: Fraction) -> Pair:
            self.scalars = {**kept, x: (min(left, right), max(left, right))}
            self.memo.clear()
            return self.scalar(u, env)

        try:
            for k in range(pieces):
                left, right = a[0] + k * width, a[0] + (k + 1) * width
                value(body, left, right)  # defined on the whole piece
                ends = [value(body, p, p) for p in (left, (left + right) / 2, right)]
                part = self.plus(self.plus(ends[0], ends[2]), self.times((Fraction(4),) * 2, ends[1]))
                error = self.times(value(fourth, left, right), (width**5 / 2880,) * 2)
                total = self.plus(total, self.times(part, (width / 6,) * 2))
                total = self.plus(total, (-error[1], -error[0]))
        finally:
            self.scalars = kept
            self.memo.clear()
        return total

    # -- formulas ----------------------------------------------------------------------------------------------
    def holds(self, f: Term, env: dict[str, int]) -> bool:
        """Decide a formula; Undecided when the enclosures are too wide."""
        tag = f[0]
        if tag in COMPARISONS:
            if self.setting.alpha(f[1]) == self.setting.alpha(f[2]):
                self.scalar(f[1], env)
                return bool(COMPARISONS[tag] & ZERO)
            x, y = self.scalar(f[1], env), self.scalar(f[2], env)
            low, high = x[0] - y[1], x[1] - y[0]
            possible = (NEG if low < 0 else 0) | (POS if high > 0 else 0) | (ZERO if low <= 0 <= high else 0)
            if possible & ZERO and possible != ZERO and self.exactly(f[1], f[2], env):
                possible = ZERO
            if not possible & ~COMPARISONS[tag]:
                return True
            if not possible & COMPARISONS[tag]:
                return False
            raise Undecided(tag)
        if tag == "veq":
            pairs = zip(self.vector(f[1], env), self.vector(f[2], env), strict=True)
            try:
                return self.every([partial(self.equal, x, y) for x, y in pairs])
            except Undecided:
                exact = Exact(self)
                parts = zip(exact.vector(f[1], env), exact.vector(f[2], env), strict=True)
                if all(exact.same(x, y) for x, y in parts):
                    return True
                raise
        if tag == "and":
            return self.every([partial(self.holds, g, env) for g in f[1:]])
        if tag == "or":
            return not self.every([partial(self.fails, g, env) for g in f[1:]])
        if tag == "implies":
            return not self.holds(f[1], env) or self.holds(f[2], env)
        if tag == "iff":
            return self.holds(f[1], env) == self.holds(f[2], env)
        if tag == "all":
            return self.every([partial(self.holds, f[3], e) for e in self.range(f, env)])
        if tag == "distinct":
            return env[f[1]] != env[f[2]]
        need(tag in RELATIONS, f"{tag} is not decided in a model")
        return self.relation(f)

    def hollow(self, f: Term, env: dict[str, int]) -> bool:
        """Whether a formula that holds does so only for want of a case: false antecedents, empty ranges."""
        if f[0] in ("implies", "iff"):
            return not self.holds(f[1], env) or self.hollow(f[2], env)
        if f[0] == "all":
            return self.every([partial(self.hollow, f[3], e) for e in self.range(f, env)])
        if f[0] == "and":
            return not self.every([partial(self.solid, g, env) for g in f[1:]])
        if f[0] == "or":
            return self.every([partial(self.hollow, g, env) for g in f[1:]])
        return not self.holds(f, env)

    def solid(self, f: Term, env: dict[str, int]) -> bool:
        """The opposite of `hollow`."""
        return not self.hollow(f, env)

    def fails(self, f: Term, env: dict[str, int]) -> bool:
        """The opposite of `holds`."""
        return not self.holds(f, env)

    def exactly(self, a: Term, b: Term, env: dict[str, int]) -> bool:
        """Whether two scalars are equal as sums of rational multiples of e^rational and square roots."""
        if a[0] == b[0] and a[0] in ("norm", "sqrt"):
            a, b = (("ip", u[1], u[1]) if u[0] == "norm" else u[1] for u in (a, b))
        exact = Exact(self)
        try:
            return exact.same(exact.scalar(a, env), exact.scalar(b, env))
        except Undecided:
            return False

    def every(self, values: Iterable[Callable[[], bool]]) -> bool:
        """All of them; a false one decides, whatever is undecided."""
        doubt = False
        for value in values:
            try:
                if not value():
                    return False
            except Undecided:
                doubt = True
        if doubt:
            raise Undecided("a conjunct")
        return True

    def equal(self, x: Pair, y: Pair) -> bool:
        """Whether two enclosed numbers are equal."""
        if x[1] < y[0] or y[1] < x[0]:
            return False
        if x[0] == x[1] == y[0] == y[1]:
            return True
        raise Undecided("an equation")

    def members(self, name: str) -> list[Any]:
        """The values of a symbol at all indices."""
        need(name in self.values, f"the model gives no value of {name}")
        level = [self.values[name]]
        for _ in self.setting.symbols[name].sorts:
            level = [v for u in level for v in u]
        return level

    def relation(self, f: Term) -> bool:
        """A relation between symbols, decided exactly."""
        tag, d = f[0], self.sizes["axis"]
        if tag == "single":
            return self.sizes[f[1]] == 1
        first = self.members(f[1])

        def product(m: Any, n: Any) -> list[list[Fraction]]:
            return [[sum((m[r][k] * n[k][c] for k in range(d)), Fraction(0)) for c in range(d)] for r in range(d)]

        def multiple(q: Fraction, m: Any) -> list[list[Fraction]]:
            return [[q * v for v in row] for row in m]

        one = [[Fraction(r == c) for c in range(d)] for r in range(d)]
        if tag == "unit":
            return all(sum(v * v for v in x) == 1 for x in first)
        if tag == "symmetric":
            return all(m[r][c] == m[c][r] for m in first for r in range(d) for c in range(d))
        if tag == "same_operator":
            return bool(first == self.members(f[2]))
        if tag == "orthogonal_operators":
            nought = multiple(Fraction(0), one)
            return all(
                product(first[p], first[q]) == nought for p in range(len(first)) for q in range(len(first)) if p != q
            )
        if tag == "scalar_operator":
            return all(m == multiple(q, one) for m, q in zip(first, self.members(f[2]), strict=True))
        if tag == "projector":
            return all(
                product(m, m) == m and all(m[r][c] == m[c][r] for r in range(d) for c in range(d)) for m in first
            )
        if tag == "resolution":
            return [[sum((m[r][c] for m in first), Fraction(0)) for c in range(d)] for r in range(d)] == one
        t = self.scalar(f[2], {})
        if t[0] != t[1]:
            raise Undecided(tag)
        if tag == "scaled_operator":
            return all(m == multiple(t[0], p) for m, p in zip(first, self.members(f[3]), strict=True))
        pairs = [(p, q) for p in range(len(first)) for q in range(len(first))]
        return all(
            sum(a * b for a, b in zip(first[p], first[q], strict=True)) == (1 if p == q else t[0]) for p, q in pairs
        )


def _definite(m: list[list[Fraction]]) -> int:
    """1 for a positive definite symmetric matrix, 0 for a singular semidefinite one, -1 otherwise; by elimination."""
    m, verdict = [list(row) for row in m], 1
    for k in range(len(m)):
        if m[k][k] < 0 or (m[k][k] == 0 and any(m[k][c] for c in range(k, len(m)))):
            return -1
        if m[k][k] == 0:
            verdict = 0
            continue
        for r in range(k + 1, len(m)):
            ratio = m[r][k] / m[k][k]
            m[r] = [x - ratio * y for x, y in zip(m[r], m[k], strict=True)]
    return verdict


Sum = dict[tuple[Fraction, int], Fraction]


class Exact(Model):
    """Exact values: quotients of sums of q e^r sqrt(m), with q, r rational and m a square-free natural number.

    Two such values that are equal as expressions are equal; whether different ones differ is left to enclosures.
    """

    def __init__(self, base: Model) -> None:
        self.setting, self.bits, self.sizes, self.values = base.setting, base.bits, base.sizes, base.values
        self.base, self.scalars, self.memo = base, base.scalars, {}

    @staticmethod
    def lift(x: Any) -> tuple[Sum, Sum]:
        """A number as a quotient of sums."""
        if isinstance(x[0], Fraction):
            if x[0] != x[1]:
                raise Undecided("an inexact value")
            return ({(Fraction(0), 1): x[0]} if x[0] else {}), {(Fraction(0), 1): Fraction(1)}
        return x  # type: ignore[no-any-return]

    @staticmethod
    def product(x: Sum, y: Sum) -> Sum:
        """The product of two sums."""
        out: Sum = {}
        for (r1, m1), q1 in x.items():
            for (r2, m2), q2 in y.items():
                g = math.gcd(m1, m2)
                key = (r1 + r2, m1 * m2 // (g * g))
                out[key] = out.get(key, Fraction(0)) + q1 * q2 * g
        return {k: q for k, q in out.items() if q}

    @staticmethod
    def total(x: Sum, y: Sum, sign: int = 1) -> Sum:
        """The sum or difference of two sums."""
        out = dict(x)
        for k, q in y.items():
            out[k] = out.get(k, Fraction(0)) + sign * q
        return {k: q for k, q in out.items() if q}

    def same(self, x: Any, y: Any) -> bool:
        """Whether two values are equal as expressions."""
        (a, b), (c, d) = self.lift(x), self.lift(y)
        return not self.total(self.product(a, d), self.product(c, b), -1)

    def plus(self, x: Any, y: Any) -> Any:
        """The sum."""
        (a, b), (c, d) = self.lift(x), self.lift(y)
        if b == d:
            return self.total(a, c), b
        return self.total(self.product(a, d), self.product(c, b)), self.product(b, d)

    def times(self, x: Any, y: Any) -> Any:
        """The product."""
        (a, b), (c, d) = self.lift(x), self.lift(y)
        return self.product(a, c), self.product(b, d)

    def power(self, x: Any, k: int) -> Any:
        """A power."""
        out: Any = (Fraction(1), Fraction(1))
        for _ in range(k):
            out = self.times(out, x)
        return out

    def exists(self, t: Term, env: dict[str, int]) -> None:
        """What is differentiated has a value."""
        self.base.scalar(t, env)

    def operator_norm(self, t: Term, env: dict[str, int]) -> Any:
        """The enclosure, if it is exact."""
        return self.lift(self.base.operator_norm(t, env))

    def integral(self, t: Term, env: dict[str, int]) -> Any:  # noqa: ARG002
        """Not exact."""
        raise Undecided("an integral")

    def function(self, name: str, t: Term, env: dict[str, int]) -> Any:
        """The functions that stay within such values."""
        if name in ("sinh", "cosh", "tanh", "coth", "arsinh"):
            return self.scalar(unfold_function(t), env)
        top, bottom = self.lift(self.scalar(t[-1], env))
        if name == "inv":
            self.base.scalar(t, env)  # not zero
            return bottom, top
        if len(bottom) > 1 or len(top) > 1:
            raise Undecided(name)
        (r, m), q = next(iter(top.items()), ((Fraction(0), 1), Fraction(0)))
        (s, n), p = next(iter(bottom.items()))
        g = math.gcd(m, n)
        r, q, m = r - s, q * g / (p * n), m * n // (g * g)
        if name == "sqrt" and m == 1 and q > 0:
            whole, square = q.numerator * q.denominator, 1
            for prime in range(2, 200):
                while whole % prime**2 == 0:
                    whole, square = whole // prime**2, square * prime
            root = math.isqrt(whole)
            whole, square = (1, square * root) if root * root == whole else (whole, square)
            if whole >= 40_000:  # below, it is square-free: the squares of all primes below 200 are out
                raise Undecided(name)
            return {(r / 2, whole): Fraction(square, q.denominator)}, {(Fraction(0), 1): Fraction(1)}
        if not (r == 0 and m == 1) and not (name == "log" and q == m == 1):
            raise Undecided(name)
        value = r if name == "log" and q == 1 else q
        if name == "exp":
            return {(value, 1): Fraction(1)}, {(Fraction(0), 1): Fraction(1)}
        if (name == "log" and q == 1) or name in ("abs", "relu") or (name == "sqrt" and q == 0):
            return self.lift(({"abs": abs(value), "relu": max(value, Fraction(0))}.get(name, value),) * 2)
        raise Undecided(name)


def decide(setting: Setting, model: object, formula: Term, solid: bool = False) -> bool:
    """Whether a formula, for all values of its free indices, holds in the model; refines until decided."""
    names = sorted(setting.free(formula)[0])
    for bits, pieces in ((64, 4), (64, 12), (64, 32), (160, 80), (400, 200), (1000, 500)):
        m = Model(setting, model, bits, pieces)
        try:
            pools = [range(m.sizes[SORT_OF[n[0]]]) for n in names]
            places = [dict(zip(names, c, strict=True)) for c in itertools.product(*pools)]
            if solid:
                return not m.every([partial(m.hollow, formula, place) for place in places])
            return m.every([partial(m.holds, formula, place) for place in places])
        except Undecided:
            continue
    raise Rejected(f"not decided in the model: {shorten(show(formula), 200)}")


# ---------------------------------------------------------------------------------------------------------------
# 7. Definedness and certificates
# ---------------------------------------------------------------------------------------------------------------
class Definedness:
    """Every inverse, logarithm, root, ... that the formulas of a part contain is shown to be defined."""

    def __init__(self, proof: Proof, cited: list[Step]) -> None:
        self.proof, self.setting, self.steps = proof, proof.setting, cited
        self.done: set[Any] = set()

    def formula(self, f: Term, given: frozenset[Term]) -> None:
        """Descend into a formula; `given` are the assumptions that hold at this place, in alpha form."""
        tag, alpha = f[0], self.setting.alpha
        if tag == "implies":
            self.formula(f[1], given)
            self.formula(f[2], given | {alpha(g) for g in flatten(f[1])} | {alpha(f[1])})
        elif tag == "all":
            name, body = self.opened(f, given)
            self.formula(body, given | {alpha(("distinct", name, e)) for e in f[2]})
        elif tag in ("forall", "exists", "forallv"):
            self.formula(self.opened(f, given)[1], given)
        elif tag == "unique":
            self.between(f, f[4], f[2], f[3], given, strict=True)
        elif tag in SOLUTIONS:  # along whole solutions: only what does not move stays true
            moves = self.setting.flows[f[1]]
            stays = frozenset(g for g in given if not self.setting.moved(g, moves))
            if tag == "decays":
                self.formula(f[2], stays)
                self.term(("rate", f[1], f[3]), stays | {alpha(f[2])})
                self.term(f[4], stays)
            else:
                self.term(("rate", f[1], f[2]), stays)
                self.term(f[3], stays)
        else:
            for kind, v in fields(f):
                if kind == "F":
                    self.formula(v, given)
                elif kind in ("S", "V"):
                    self.term(v, given)

    def opened(self, t: Term, given: frozenset[Term]) -> tuple[str, Term]:
        """The body under a binder whose name means nothing else here."""
        of, name, body = FIELDS[t[0]][0], t[1], t[-1]
        at = 0 if of == "bi" else 1
        busy = frozenset().union(*(self.setting.free(g)[at] for g in given), *([self.proof.fixed] if at else []))
        if name in busy:
            name = self.setting.fresh(name, busy | self.setting.free(body)[at])
            maps: list[dict[str, Any]] = [{}, {}, {}]
            maps[("bi", "bx", "bv").index(of)] = {t[1]: name if not at else ("s" if of == "bx" else "vec", name, ())}
            body = self.setting.subst(body, *maps)
        return name, body

    def between(self, t: Term, body: Term, low: Term, high: Term, given: frozenset[Term], strict: bool) -> None:
        """A body whose variable runs between two ends."""
        self.term(low, given)
        if high != ("inf",):
            self.term(high, given)
        name, body = self.opened((*t[:2], body), given)
        x, tag = ("s", name, ()), "gt" if strict else "ge"
        inside = [(tag, x, low)] + ([(tag, high, x)] if high != ("inf",) else [])
        self.term(body, given | {self.setting.alpha(g) for g in inside})

    def term(self, t: Term, given: frozenset[Term]) -> None:
        """Descend into a scalar or a vector."""
        if (t, given) in self.done:
            return None
        self.done.add((t, given))
        tag = t[0]
        if tag in ("def", "vdef"):
            for u in t[3]:
                self.term(u, given)
            return self.term(self.setting.unfold(t), given)
        if tag == "fn" and t[1] not in ("coth", "Ei", "W"):
            return self.term(t[2], given)
        bad = {"inv": ZERO, "log": NEG | ZERO, "sqrt": NEG}.get(tag, 0)
        if tag == "fn":
            bad = NEG if t[1] == "W" else ZERO
        if bad:
            self.argument(tag, t[-1], bad, given)
        if tag in ("sum", "vsum"):
            name, body = self.opened(t, given)
            return self.term(body, given | {self.setting.alpha(("distinct", name, e)) for e in t[2]})
        if tag == "opnorm":
            return self.term(self.opened(t, given)[1], given)
        if tag == "int":
            self.shown(("ge", t[3], t[2]), given)
            return self.between(t, t[4], t[2], t[3], given, strict=False)
        if tag == "root":
            self.shown(("unique", t[1], t[3], t[4], t[2]), given)
            return self.between(t, t[2], t[3], t[4], given, strict=True)
        if tag == "rate":
            moves = self.setting.flows[t[1]]
            self.ring(given).demand(t[2], moves)
            for name, (_, velocity) in moves.items():
                if name in self.setting.free(t[2])[1]:
                    self.term(velocity, frozenset())
        for kind, v in fields(t):
            for u in v if kind == "T" else (v,) if kind in ("S", "V") else ():
                self.term(u, given)
        return None

    def ring(self, given: frozenset[Term]) -> Ring:
        """The normal form with the listed facts that hold under the assumptions."""
        ground = [Step(frozenset(), g, self.setting.alpha(g)) for f in self.proof.ground for g in flatten(f)]
        facts = [s for s in (*ground, *self.steps) if s.given <= given and s.shows[0] in COMPARISONS]
        return self.proof.ring({}, given, facts)[0]

    def argument(self, tag: str, u: Term, bad: int, given: frozenset[Term]) -> None:
        """The sign of an argument, by structure or by a listed step."""
        ring = self.ring(given)
        if ring.structure(u) & bad:
            need(not ring.known(ring.scalar(u)) & bad, f"{tag} is not shown to be defined at {shorten(show(u), 200)}")

    def shown(self, f: Term, given: frozenset[Term]) -> None:
        """A listed step shows the formula."""
        f = self.setting.alpha(f)
        if f[0] == "ge" and not self.ring(given).structure(minus(f[1], f[2])) & NEG:
            return
        need(any(s.alpha == f and s.given <= given for s in self.steps), f"not shown by a step of `defined`: {show(f)}")


def reached(setting: Setting, formulas: Iterable[Term], hypotheses: Iterable[str]) -> list[tuple[str, str, Any]]:
    """The definition objects that formulas reach through symbols, bodies and flows, in the order of the setting."""
    names: set[tuple[str, str]] = {("hypothesis", h) for h in hypotheses}

    def visit(t: Term) -> None:
        tag = t[0]
        found: list[tuple[str, str]] = []
        if tag in ("s", "vec", "op", "opT") or FIELDS.get(tag, ("",))[:1] in (("bx",), ("bv",)):
            found = [("symbol", t[1])]
        elif tag in ("def", "vdef"):
            found = [("define", t[1])]
        elif tag == "rate" or tag in SOLUTIONS:
            found = [("flow", t[1])]
        elif tag in RELATIONS:
            found = [("symbol", v) for k, v in fields(t) if k == "n"]
        for item in found:
            if item not in names:
                names.add(item)
                if item[0] == "define":
                    visit(setting.defined[item[1]].body)
                elif item[0] == "flow":
                    for name, (_, velocity) in setting.flows[item[1]].items():
                        names.add(("symbol", name))
                        visit(velocity)
        if tag != "inf":
            for kind, v in fields(t):
                for u in v if kind == "T" else (v,) if kind[0] in "SVFH" else ():
                    visit(u)

    for f in formulas:
        visit(f)
    return [o for o in setting.objects if o[:2] in names]


def digest(objects: Iterable[tuple[str, str, Any]]) -> str:
    """SHA-256 of the canonical JSON of definition objects."""
    text = json.dumps([o[2] for o in objects], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Ground:
    """A part of a claim, read: what its certificates must be about."""

    claim: str
    name: str
    statement: Term
    hypotheses: tuple[str, ...]
    domain: tuple[Term, ...]
    existence: bool


def read_part(setting: Setting, claim: str, part: object) -> Ground | None:
    """Read a part of a row; None when it has no formal statement."""
    need(isinstance(part, dict) and isinstance(part.get("name"), str), "a part without a name")
    assert isinstance(part, dict)
    statement, domain, hypotheses = part.get("statement"), part.get("domain", []), part.get("hypotheses", [])
    need(statement is None or isinstance(statement, dict), "a statement is an object with a term, or null")
    if statement is None or statement.get("term") is None:
        return None
    need(isinstance(domain, list) and all(isinstance(d, dict) and "term" in d for d in domain), "domain: not terms")
    need(isinstance(hypotheses, list) and all(isinstance(h, str) for h in hypotheses), "hypotheses: not names")
    need(len(set(hypotheses)) == len(hypotheses), "a hypothesis is listed twice")
    return Ground(
        claim, part["name"], setting.read(statement["term"], "F"), tuple(hypotheses),
        tuple(setting.read(d["term"], "F") for d in domain), part.get("quantifier") == "existential",
    )  # fmt: skip


DERIVATION = {"kind", "claim", "part", "setting", "uses", "analysis", "steps", "defined", "witness"}
WITNESS = {"kind", "claim", "part", "setting", "sense", "drops", "model"}


def check_ground(setting: Setting, ground: Ground, certificate: dict[str, Any]) -> None:
    """What both kinds of certificate have in common: the claim, the part, the setting."""
    need(certificate["claim"] == ground.claim, f"the certificate is of claim {certificate['claim']!r}")
    need(certificate["part"] == ground.name, f"the certificate is of part {certificate['part']!r}")
    formulas = [
        ground.statement,
        *ground.domain,
        *(setting.hypotheses[h] for h in ground.hypotheses if h in setting.hypotheses),
    ]
    need(certificate["setting"] == digest(reached(setting, formulas, ground.hypotheses)), "the setting is another one")


def check_derivation(setting: Setting, ground: Ground, certificate: dict[str, Any],
                     cited: Callable[[str, str], Cited] | None = None) -> None:  # fmt: skip
    """Replay a derivation; raises Rejected."""
    need(set(certificate) == DERIVATION, f"a derivation has the keys {sorted(DERIVATION)}")
    proof = Proof(setting, ground.statement, ground.hypotheses, ground.domain, cited)
    check_ground(setting, ground, certificate)
    steps = certificate["steps"]
    need(isinstance(steps, list) and 0 < len(steps) <= MAX_STEPS, "steps: none, or too many")
    for k, entry in enumerate(steps):
        try:
            proof.replay(entry)
        except Rejected as why:
            rule = entry.get("rule") if isinstance(entry, dict) else "?"
            raise Rejected(f"step {k} ({rule}): {why}") from None
        except RecursionError:
            raise Rejected(f"step {k}: too deep") from None
    last = proof.steps[-1]
    need(not last.given, "the last step has assumptions")
    need(last.alpha == setting.alpha(ground.statement), "the last step does not show the statement")
    analysis = certificate["analysis"]
    need(isinstance(analysis, list) and all(isinstance(a, str) for a in analysis), "analysis: not a list of names")
    need(sorted(set(analysis)) == sorted(proof.analysis), f"analysis: the rules rest on {sorted(proof.analysis)}")
    defined = Definedness(proof, proof.listed(certificate, "defined"))
    for formula in (*proof.ground, ground.statement):
        defined.formula(formula, frozenset())
    check_model(setting, ground, certificate["witness"], [])


def check_model(setting: Setting, ground: Ground, model: object, drops: list[str]) -> None:
    """The ground holds in the model, except for dropped hypotheses, which fail."""
    for k, f in enumerate(ground.domain):
        need(decide(setting, model, f), f"the model is outside the domain (formula {k})")
    for h in ground.hypotheses:
        need(decide(setting, model, setting.hypotheses[h]) == (h not in drops),
             f"hypothesis {h} {'holds' if h in drops else 'fails'} in the model")  # fmt: skip
    decide(setting, model, ("eq", NOUGHT, NOUGHT))


def check_witness(setting: Setting, ground: Ground, certificate: dict[str, Any]) -> tuple[str, list[str]]:
    """Check a witness; its sense and what it drops. Raises Rejected."""
    need(set(certificate) == WITNESS, f"a witness has the keys {sorted(WITNESS)}")
    Proof(setting, ground.statement, ground.hypotheses, ground.domain)
    check_ground(setting, ground, certificate)
    sense, drops = certificate["sense"], certificate["drops"]
    need(sense in ("holds", "fails"), "sense is holds or fails")
    need(isinstance(drops, list) and all(d in ground.hypotheses for d in drops), "drops: not hypotheses of the part")
    need(len(set(drops)) == len(drops) and (sense == "fails" or not drops), "drops: only where the statement fails")
    check_model(setting, ground, certificate["model"], drops)
    got = decide(setting, certificate["model"], ground.statement)
    need(got == (sense == "holds"), f"the statement {'holds' if got else 'fails'} in the model")
    if got:
        solid = decide(setting, certificate["model"], ground.statement, solid=True)
        need(solid, "the statement holds in the model only because nothing meets its conditions")
    return sense, drops


def check_certificate(definitions: object, part: dict[str, Any], certificate: object, claim: str | None = None,
                      cited: Callable[[str, str], Cited] | None = None) -> None:  # fmt: skip
    """Check one certificate of one part (a part of a ledger's row); raises Rejected.

    `claim` is the row's id (by default the one that the certificate names); `cited` answers what the certificate cites
    with (statement, hypotheses, domain).
    """
    with deep_recursion(), malformed_is_rejected():
        setting = Setting(definitions)
        need(isinstance(certificate, dict), "the certificate is not an object")
        assert isinstance(certificate, dict)
        ground = read_part(setting, str(certificate.get("claim")) if claim is None else claim, part)
        need(ground is not None, "the part has no formal statement")
        assert ground is not None
        if certificate.get("kind") == "witness":
            check_witness(setting, ground, certificate)
        else:
            need(certificate.get("kind") == "derivation", "a certificate is a derivation or a witness")
            check_derivation(setting, ground, certificate, cited)


@contextmanager
def malformed_is_rejected() -> Iterator[None]:
    """A value of a kind that no rule expects is a refusal, not an error of ours."""
    try:
        yield
    except RecursionError:
        raise Rejected("too deep") from None
    except (TypeError, KeyError, IndexError, ValueError, AttributeError) as why:
        raise Rejected(f"malformed: {type(why).__name__} {shorten(str(why), 80)}") from None


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Terms may be deep; what is deeper than this is rejected."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 6000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


# ---------------------------------------------------------------------------------------------------------------
# 8. The ledger
# ---------------------------------------------------------------------------------------------------------------
@dataclass
class ClaimReport:
    """What the checker says of one row: `accepted`, `rejected` or `no certificate`."""

    claim: str
    verdict: str
    status: str = "no certificate"
    problems: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What the checker says of a ledger."""

    claims: list[ClaimReport]
    definitions: list[str]

    @property
    def ok(self) -> bool:
        """Every certificate is accepted, and every row that needs one has one."""
        return not any(c.problems for c in self.claims)


VERDICTS = ("proved", "certified", "refuted", "amended", "confirmed", "undecided", "conflict")


def listed(part: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects in a list of a part."""
    value = part.get(key)
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


class Ledger:
    """A ledger under examination."""

    def __init__(self, ledger: dict[str, Any]) -> None:
        self.setting = Setting(ledger["definitions"])
        self.rows: dict[str, dict[str, Any]] = {}
        for row in ledger["claims"]:
            need(isinstance(row, dict) and isinstance(row.get("id"), str), "a claim without an id")
            need(row["id"] not in self.rows, f"two rows have the id {row['id']}")
            need(
                isinstance(row.get("parts"), list) and isinstance(row.get("verdict"), str),
                f"{row['id']}: no parts or no verdict",
            )
            self.rows[row["id"]] = row
        self.derived: dict[tuple[str, str], Cited | str] = {}
        self.reports: dict[str, ClaimReport] = {}
        self.printed: list[tuple[Term, ...]] = []
        self.named: set[str] = set()

    def derive(self, claim: str, part: str) -> Cited:
        """The statement of a part with an accepted derivation; raises Rejected."""
        key = (claim, part)
        if key not in self.derived:
            self.derived[key] = f"{claim}/{part} uses itself"
            try:
                with malformed_is_rejected():
                    self.derived[key] = self._derive(claim, part)
            except Rejected as why:
                self.derived[key] = str(why)
        found = self.derived[key]
        if isinstance(found, str):
            raise Rejected(found)
        return found

    def _derive(self, claim: str, part: str) -> Cited:
        need(claim in self.rows, f"no claim {claim}")
        named = [p for p in self.rows[claim]["parts"] if isinstance(p, dict) and p.get("name") == part]
        need(len(named) == 1, f"{claim} has {len(named)} parts {part!r}")
        ground = read_part(self.setting, claim, named[0])
        need(ground is not None, f"{claim}/{part} has no formal statement")
        assert ground is not None
        found = [c for e, c in certificates(named[0]) if c.get("kind") == "derivation"]
        need(len(found) == 1, f"{claim}/{part} has {len(found)} derivations")
        certificate = found[0]
        uses = certificate.get("uses")
        need(isinstance(uses, list) and all(isinstance(u, list) and len(u) == 2 and all(isinstance(x, str) for x in u)
                                            for u in uses), "uses: not pairs of claim and part")  # fmt: skip
        assert isinstance(uses, list)
        allowed = {(u[0], u[1]) for u in uses}
        row_uses = self.rows[claim].get("uses")
        for c, p in allowed:
            need(c == claim or row_uses is None or c in row_uses, f"the row's uses lack {c}")
            try:
                self.derive(c, p)
            except Rejected as why:
                raise Rejected(f"uses {c}/{p}, which is rejected: {why}") from None

        def cited(c: str, p: str) -> Cited:
            need((c, p) in allowed, f"cites {c}/{p}, which is not among the uses")
            return self.derive(c, p)

        check_derivation(self.setting, ground, certificate, cited)
        return ground.statement, ground.hypotheses, ground.domain

    def row(self, claim: str, path: tuple[str, ...] = ()) -> ClaimReport:
        """Examine a row and what it uses."""
        if claim in self.reports:
            return self.reports[claim]
        row = self.rows[claim]
        report = ClaimReport(claim, row["verdict"])
        problems = report.problems
        uses = row.get("uses", [])
        named = isinstance(uses, list) and all(isinstance(u, str) for u in uses)
        if not named:
            problems.append("uses: not a list of ids")
        for used in uses if named else []:
            if used in (*path, claim):
                problems.append(f"uses {used} in a circle")
            elif used not in self.rows:
                problems.append(f"uses {used}, which is not in the ledger")
            elif self.row(used, (*path, claim)).status == "rejected":
                problems.append(f"uses {used}, which is rejected")
        met = [self.part(claim, part, report) for part in row["parts"]]
        if any({"derived", "fails"} <= m for m in met):
            problems.append("a part is both proved and refuted")
        names = [str(p.get("name")) for p in row["parts"] if isinstance(p, dict)]
        if len(set(names)) != len(names):
            problems.append("two parts have one name")
        verdict = row["verdict"]
        if verdict not in VERDICTS:
            problems.append(f"{verdict!r} is no verdict")
        outcomes = [e.get("outcome") for p in row["parts"] if isinstance(p, dict) for e in listed(p, "evidence")]
        if verdict in ("proved", "certified") and {"fail", "error"} & set(map(str, outcomes)):
            problems.append(f"{verdict}, although a piece of evidence failed")
        if verdict in ("proved", "certified") and not (met and all("holds" in m for m in met)):
            lacking = [str(n) for n, m in zip(names, met, strict=False) if "holds" not in m]
            problems.append(
                f"{verdict}, but not every part has an accepted certificate: {', '.join(lacking) or 'no parts'}"
            )
        if verdict == "refuted" and not any("fails" in m for m in met):
            problems.append("refuted, but no part has an accepted refuting witness")
        if verdict == "amended":
            amended = f"{claim}.amended"
            if amended not in self.rows:
                problems.append(f"amended, but there is no row {amended}")
            else:
                other = self.row(amended, (*path, claim))
                if other.status != "accepted" or other.verdict != "proved":
                    problems.append(f"amended, but {amended} is not accepted as proved")
            if any("formal" in m for m in met) and not any("fails" in m for m in met):
                problems.append("amended, but no part has an accepted refuting witness")
        if problems:
            report.status = "rejected"
        elif any(m - {"formal"} for m in met) or verdict == "amended":
            report.status = "accepted"
        self.reports[claim] = report
        return report

    def part(self, claim: str, part: object, report: ClaimReport) -> set[str]:
        """Examine one part; what its accepted certificates show: holds, fails, ablation (and formal: has a term)."""
        met: set[str] = set()
        try:
            with malformed_is_rejected():
                ground = read_part(self.setting, claim, part)
                entries = list(certificates(part))
        except Rejected as why:
            report.problems.append(f"{part.get('name') if isinstance(part, dict) else '?'}: {why}")
            return met
        assert isinstance(part, dict)
        if ground is None:
            if entries:
                report.problems.append(f"{part['name']}: certificates, but no formal statement")
            return met
        met.add("formal")
        how = []
        for evidence, certificate in entries:
            try:
                with malformed_is_rejected():
                    outcome, refutes = evidence.get("outcome"), certificate.get("sense") == "fails"
                    need(
                        outcome == "pass" or (outcome == "fail" and refutes),
                        f"a certificate with the outcome {outcome!r}",
                    )
                    if certificate.get("kind") == "derivation":
                        need(evidence.get("kind") == "symbolic", "a derivation is symbolic evidence")
                        self.derive(claim, part["name"])
                        met |= {"holds", "derived"}
                        how.append("proved for all")
                    else:
                        need(certificate.get("kind") == "witness", "a certificate is a derivation or a witness")
                        sense, drops = check_witness(self.setting, ground, certificate)
                        need(sense == "fails" or evidence.get("kind") != "ablation", "an ablation that holds")
                        if sense == "holds":
                            need(ground.existence or self.closed(ground), "a witness proves only an existence")
                            met.add("holds")
                            how.append("there is a model in which")
                        else:
                            need(drops or not ground.existence, "a point does not refute an existence")
                            met.add("ablation" if drops else "fails")
                            how.append(f"fails without {', '.join(drops)}" if drops else "refuted by a model")
            except Rejected as why:
                report.problems.append(f"{part['name']} ({evidence.get('kind')}): {why}")
        if how:
            self.printed.append((ground.statement, *ground.domain))
            self.named.update(ground.hypotheses)
            under = [f"under {', '.join(ground.hypotheses)}"] * bool(ground.hypotheses)
            where = [f"where {show(f)}" for f in ground.domain]
            report.statements.append(
                f"{part['name']} [{'; '.join(dict.fromkeys(how))}] {', '.join([*under, *where])}: "
                f"{show(ground.statement)}"
            )
        return met

    def closed(self, ground: Ground) -> bool:
        """Whether the statement mentions no symbol that a model could choose."""
        return (
            not self.setting.free(ground.statement)[1]
            and not self.setting.free(ground.statement)[0]
            and not sizes_in(self.setting, ground.statement)
        )

    def definitions(self) -> list[str]:
        """The definitions that the printed statements reach, printed from their terms."""
        formulas = [f for fs in self.printed for f in fs] + [self.setting.hypotheses[h] for h in self.named]
        return [show_object(self.setting, kind, name) for kind, name, _ in reached(self.setting, formulas, self.named)]


def sizes_in(setting: Setting, t: Any) -> bool:
    """Whether a term depends on the sizes of the sorts."""
    if not isinstance(t, tuple) or not t:
        return False
    if t[0] in ("size", "sum", "vsum", "all", "single", "vec", "v0", "ip"):
        return True
    if t[0] in ("def", "vdef") and sizes_in(setting, setting.defined[t[1]].body):
        return True
    return any(sizes_in(setting, u) for u in t)


def certificates(part: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The evidence of a part that carries a certificate, with it."""
    evidence = part.get("evidence", [])
    need(isinstance(evidence, list) and all(isinstance(e, dict) for e in evidence), "evidence: not a list of objects")
    for e in evidence:
        if e.get("certificate") is not None:
            need(isinstance(e["certificate"], dict), "a certificate is not an object")
            yield e, e["certificate"]


def check(ledger: object) -> Report:
    """Examine a whole ledger.

    Raises:
        Unreadable: the value is not a ledger, or its definitions are not valid.
    """
    if not isinstance(ledger, dict) or not isinstance(ledger.get("claims"), list) or "definitions" not in ledger:
        raise Unreadable("not a ledger: an object with `definitions` and a list `claims` is expected")
    try:
        with deep_recursion(), malformed_is_rejected():
            book = Ledger(ledger)
            return Report([book.row(claim) for claim in book.rows], book.definitions())
    except Rejected as why:
        raise Unreadable(str(why)) from None


# ---------------------------------------------------------------------------------------------------------------
# 9. The printer and the command line
# ---------------------------------------------------------------------------------------------------------------
SIGNS = {"eq": "=", "veq": "=", "ne": "!=", "ge": ">=", "gt": ">", "le": "<=", "lt": "<"}


def subscript(indices: Iterable[str]) -> str:
    """Indices behind a name."""
    return f"[{','.join(indices)}]" if indices else ""


def show(t: Any) -> str:
    """A term as text, fully bracketed where a reader could doubt."""
    if not isinstance(t, tuple) or not t:
        return str(t)
    tag = t[0]
    if tag == "q":
        q = number(t)
        return str(q) if q >= 0 and q.denominator == 1 else f"({q})"
    if tag == "size":
        return {"token": "n", "head": "H", "axis": "d"}[t[1]] + "#"
    if tag in ("s", "vec"):
        return f"{t[1]}{subscript(t[2])}"
    if tag in ("def", "vdef"):
        return f"{t[1]}{subscript(t[2])}" + (f"({', '.join(map(show, t[3]))})" if t[3] else "")
    if tag in ("op", "opT"):
        return f"{t[1]}{subscript(t[2])}{'^T' if tag == 'opT' else ''} {bracket(t[3])}"
    if tag in ("+", "vadd"):
        return "(" + " + ".join(map(show, t[1:])) + ")"
    if tag in ("*", "vmul"):
        return "*".join(map(bracket, t[1:]))
    if tag == "^":
        return f"{bracket(t[1])}^{t[2]}"
    if tag == "ip":
        return f"<{show(t[1])}, {show(t[2])}>"
    if tag == "norm":
        return f"|{show(t[1])}|"
    if tag in ("sum", "vsum", "all"):
        but = f" but {', '.join(t[2])}" if t[2] else ""
        return f"{'for all' if tag == 'all' else 'sum'} {t[1]}{but} {{{show(t[3])}}}"
    if tag == "delta":
        return f"delta[{t[1]},{t[2]}]"
    if tag == "rate":
        return f"d/d({t[1]}) [{show(t[2])}]"
    if tag in SIGNS:
        return f"{show(t[1])} {SIGNS[tag]} {show(t[2])}"
    if tag in ("and", "or"):
        return f" {tag} ".join(f"({show(f)})" for f in t[1:])
    if tag in ("implies", "iff"):
        return f"({show(t[1])}) {tag} ({show(t[2])})"
    if tag in ("forall", "exists", "forallv"):
        return f"{tag} {t[1]} ({show(t[2])})"
    if tag == "decays":
        return f"along {t[1]}, once {show(t[2])}, it stays so and {show(t[3])} falls like exp(-time*({show(t[4])}))"
    if tag == "dissipates":
        return f"the integral of {show(t[2])} over all times along {t[1]} <= {show(t[3])}"
    if tag == "unique":
        return f"exactly one {t[1]} in ({show(t[2])}, {show(t[3])}) has {show(t[4])} = 0"
    if tag == "root":
        return f"(the only {t[1]} in ({show(t[3])}, {show(t[4])}) with {show(t[2])} = 0)"
    if tag == "int":
        return f"integral {t[1]} from {show(t[2])} to {show(t[3])} of {{{show(t[4])}}}"
    if tag == "opnorm":
        return f"|{t[1]} -> {show(t[2])}|"
    if tag == "fn":
        return f"{t[1]}({show(t[2])})"
    if tag in ("pi", "v0", "inf"):
        return "0" if tag == "v0" else str(tag)
    return f"{tag}({', '.join(map(show, t[1:]))})"


def bracket(t: Term) -> str:
    """A factor."""
    return f"({show(t)})" if t[0] in ("*", "vmul", "^", "op", "opT", "sum", "vsum", "int") else show(t)


def show_object(setting: Setting, kind: str, name: str) -> str:
    """A definition as text, printed from its terms."""
    if kind == "symbol":
        s = setting.symbols[name]
        indices = ", indices " + ", ".join(s.sorts) if s.sorts else ""
        return f"{name}: {s.kind}{indices}{'' if s.domain == 'real' else ', ' + s.domain}"
    if kind == "define":
        d = setting.defined[name]
        arguments = f"({', '.join(d.parameters)})" if d.parameters else ""
        return f"{name}{subscript(d.indices)}{arguments} := {show(d.body)}"
    if kind == "flow":
        moves = "; ".join(f"{s}{subscript(i)}' = {show(v)}" for s, (i, v) in setting.flows[name].items())
        return f"flow {name}: {moves}"
    return f"hypothesis {name}: {show(setting.hypotheses[name])}"


def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without repeated keys."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("a JSON object repeats a key")
    return found


def no_constant(name: str) -> Any:
    """NaN and infinities are not JSON."""
    raise Unreadable(f"{name} is not JSON")


def load(text: str) -> Any:
    """Parse strict JSON.

    Raises:
        Unreadable: not JSON, a repeated key, NaN, an infinity, too deep.
    """
    try:
        return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except (ValueError, RecursionError) as why:
        raise Unreadable(f"not JSON: {why}") from None


def main(arguments: list[str]) -> int:
    """The command line; the exit code."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python checker.py ledger.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:  # noqa: PTH123
            report = check(load(file.read()))
    except (OSError, UnicodeDecodeError, Unreadable) as why:
        print(f"checker: {arguments[0]}: {why}", file=sys.stderr)
        return 2
    for line in report.definitions:
        print(line)
    for c in report.claims:
        print(f"\n{c.claim} ({c.verdict}): {c.status}")
        for line in (*c.statements, *c.problems):
            print(f"  {line}")
    counts = {s: sum(c.status == s for c in report.claims) for s in ("accepted", "rejected", "no certificate")}
    print("\n" + ", ".join(f"{v} {k}" for k, v in counts.items()))
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
