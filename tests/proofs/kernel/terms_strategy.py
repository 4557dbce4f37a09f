"""Random well-sorted terms over a small setting, with the grounds and models to try them at.

Everything is drawn from one `random.Random`, so that a seed names a case. The terms use every tag; `smaller` lists
the simpler neighbours of a term, by which a failing one is reduced.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from antumbra.proofs.kernel.candidates import Builder, Choices, ImpossibleError
from antumbra.proofs.kernel.evaluate import Model, Signature, evaluate_formula

LETTERS = {"token": "ijk", "head": "gh", "axis": "a"}


def q(top: int, bottom: int = 1) -> tuple[str, str, str]:
    value = Fraction(top, bottom)
    return ("q", format(value.numerator, "x"), format(value.denominator, "x"))


def _symbol(name: str, kind: str, indices: Sequence[str] = (), domain: str = "real") -> dict[str, Any]:
    return {"symbol": name, "type": kind, "indices": list(indices), "domain": domain, "text": ""}


def _define(
    name: str, body: Any, indices: Sequence[str] = (), parameters: Sequence[str] = (), kind: str = "scalar"
) -> dict[str, Any]:
    return {
        "define": name,
        "type": kind,
        "indices": list(indices),
        "parameters": list(parameters),
        "body": body,
        "text": "",
    }


def s(name: str, *indices: str) -> tuple[Any, ...]:
    return ("s", name, indices)


def vec(name: str, *indices: str) -> tuple[Any, ...]:
    return ("vec", name, indices)


def op(name: str, index: str | None, u: Any, tag: str = "op") -> tuple[Any, ...]:
    return (tag, name, () if index is None else (index,), u)


_SCORE = ("ip", vec("x", "i"), op("M", "h", vec("x", "j")))

OBJECTS: list[dict[str, Any]] = [
    _symbol("r", "scalar"),
    _symbol("t", "scalar"),
    _symbol("b", "scalar"),
    _symbol("p", "scalar", domain="positive"),
    _symbol("w", "scalar", domain="nonnegative"),
    _symbol("c", "scalar", ["token"]),
    _symbol("m", "scalar", ["head"]),
    _symbol("z", "scalar", ["token", "head"]),
    _symbol("x", "vector", ["token"]),
    _symbol("y", "vector"),
    _symbol("o", "vector"),
    _symbol("M", "operator", ["head"]),
    _symbol("W", "operator", ["head"]),
    _symbol("Q", "operator", ["head"]),
    _symbol("A", "operator"),
    _define("score", _SCORE, ["h", "i", "j"]),
    _define("f", ("*", ("+", s("t"), s("c", "i")), ("sum", "j", ("i",), s("c", "j"))), ["i"], ["t"]),
    _define("g0", ("+", ("sum", "i", (), ("^", s("c", "i"), 2)), s("r"))),
    _define("d", ("+", ("delta", "i", "j"), ("sum", "k", ("j",), s("c", "k"))), ["i", "j"]),
    _define("V", ("vsum", "j", (), ("vmul", s("c", "j"), op("M", "h", vec("x", "j")))), ["h"], kind="vector"),
    _define("U", ("vadd", vec("x", "i"), ("vmul", s("t"), vec("y"))), ["i"], ["t"], kind="vector"),
    _define("T", ("vadd", vec("y"), ("vmul", ("*", q(-1), ("ip", vec("y"), vec("x", "i"))), vec("x", "i"))), ["i"],
            kind="vector"),
    {"flow": "fx", "moves": [{"symbol": "x", "indices": ["i"], "velocity": ("vdef", "T", ("i",), ())}], "text": ""},
    {"flow": "fr", "moves": [{"symbol": "r", "indices": [], "velocity": q(1)}], "text": ""},
    {
        "flow": "fc",
        "moves": [
            {"symbol": "c", "indices": ["k"], "velocity": ("*", s("c", "k"), s("r"))},
            {"symbol": "p", "indices": [], "velocity": ("sum", "i", (), s("c", "i"))},
            {"symbol": "y", "indices": [], "velocity": ("op", "A", (), vec("y"))},
        ],
        "text": "",
    },
]  # fmt: skip

SIGNATURE = Signature.of(OBJECTS)
BOUND_SCALAR = "b"
BOUND_VECTOR = "o"


@dataclass(frozen=True)
class Ground:
    """A set of relations and facts under which terms are compared.

    Args:
        name: for messages.
        relations: relation formulas.
        facts: formulas with the indices that stand for any.
        distinct: pairs of indices that differ.
    """

    name: str
    relations: tuple[Any, ...] = ()
    facts: tuple[tuple[Any, frozenset[str]], ...] = ()
    distinct: tuple[tuple[str, str], ...] = ()


_NONE: frozenset[str] = frozenset()
_SYMMETRIC = ("symmetric", "M")
_ALIGNED = ("same_operator", "W", "M")

GROUNDS: tuple[Ground, ...] = (
    Ground("nothing"),
    Ground("distinct", (), (), (("i", "j"), ("g", "h"))),
    Ground("unit", (("unit", "x"), ("unit", "y"))),
    Ground("symmetry", (_SYMMETRIC, ("symmetric", "A"))),
    Ground("alignment", (_ALIGNED,)),
    Ground("theorem 11", (_SYMMETRIC, _ALIGNED, ("unit", "x"))),
    Ground("theorem 17", (_SYMMETRIC, _ALIGNED, ("unit", "x"), ("orthogonal_operators", "M"))),
    Ground("orthogonality alone", (("orthogonal_operators", "M"),)),
    Ground("scalar heads", (("scalar_operator", "M", "m"), _ALIGNED)),
    Ground("equiangular", (("gram", "x", s("r")), ("scalar_operator", "M", "m"))),
    Ground("orthogonal tokens", (("gram", "x", q(0)),)),
    Ground("projectors", (("projector", "Q"), ("orthogonal_operators", "Q"), ("resolution", "Q"),
                          ("scaled_operator", "M", s("p"), "Q"), _ALIGNED)),
    Ground("one projector", (("projector", "A"), ("projector", "Q"))),
    Ground("one head", (("single", "head"), _SYMMETRIC)),
    Ground("one token", (("single", "token"), ("unit", "x"))),
    Ground("positive r", (), ((("gt", s("r"), q(0)), _NONE),)),
    Ground("negative r", (), ((("lt", s("r"), q(0)), _NONE), (("ne", s("t"), q(0)), _NONE))),
    Ground("nonzero c", (), ((("ne", s("c", "k"), q(0)), frozenset({"k"})), (("ge", s("t"), q(0)), _NONE))),
    Ground("positive c", (), ((("gt", s("c", "k"), q(0)), frozenset({"k"})),
                              (("gt", s("m", "h"), s("r")), frozenset({"h"})))),
    Ground("positive sum", (), ((("gt", ("+", s("r"), s("t")), q(0)), _NONE),
                                (("ne", ("ip", vec("y"), vec("y")), q(0)), _NONE))),
)  # fmt: skip


class TermMaker:
    """Draws terms whose free indices are among i, j (token), g, h (head) and a (axis).

    Args:
        generator: source of all choices.
        free: the free indices that may occur.
        mode: "all"; "plain" leaves out irrational functions, so that values are exact; "functions" prefers functions
        of few
            symbols, where facts matter.
    """

    def __init__(
        self, generator: random.Random, free: Sequence[str] = ("i", "j", "g", "h", "a"), *, mode: str = "all"
    ) -> None:
        self.random = generator
        self.free = tuple(free) if mode != "functions" else tuple(index for index in free if index in ("i", "j", "h"))
        self.plain = mode == "plain"
        self.functions = mode == "functions"

    def scalar(self, size: int) -> Any:
        return self._scalar(size, self.free, inside=0)

    def vector(self, size: int) -> Any:
        return self._vector(size, self.free, inside=0)

    def linear(self, size: int) -> Any:
        """A vector linear in the bound vector."""
        return self._linear(size, self.free)

    # `inside` says what surrounds: 1 a rate, 2 an int or root (whose variable may occur).

    def _index(self, sort: str, scope: Sequence[str]) -> str | None:
        known = [index for index in scope if index[0] in LETTERS[sort]]
        return self.random.choice(known) if known else None

    def _indices(self, sorts: Sequence[str], scope: Sequence[str]) -> tuple[str, ...] | None:
        chosen = [self._index(sort, scope) for sort in sorts]
        return None if None in chosen else tuple(index for index in chosen if index is not None)

    def _named(self, tag: str, name: str, sorts: Sequence[str], scope: Sequence[str]) -> Any:
        indices = self._indices(sorts, scope)
        return None if indices is None else (tag, name, indices)

    def _scalar_leaf(self, scope: Sequence[str], inside: int) -> Any:
        draw = self.random
        while True:
            choice = draw.choice((0, 2, 3, 4, 5, 5, 6, 6, 7, 8)) if self.functions else draw.randrange(12)
            if choice < 3:
                term: Any = q(draw.choice((0, 1, -1, 2, 3, -2)), draw.choice((1, 1, 2, 3)))
            elif choice == 3:
                term = ("size", draw.choice(("token", "head", "axis")))
            elif choice == 4:
                kind = draw.choice(("token", "head", "axis"))
                indices = self._indices((kind, kind), scope)
                term = None if indices is None else ("delta", *indices)
            elif choice < 7:
                term = s(draw.choice(("r", "t", "p", "w", *(("b",) * 3 if inside & 2 else ()))))
            elif choice < 10:
                name, sorts = draw.choice(
                    (("c", ("token",)), ("c", ("token",)), ("m", ("head",)), ("z", ("token", "head")))
                )
                term = self._named("s", name, sorts, scope)
            elif choice == 10 and not self.plain:
                term = ("pi",)
            else:
                term = ("ip", self._vector_leaf(scope), self._vector_leaf(scope))
            if term is not None:
                return term

    def _bind(self, scope: Sequence[str]) -> tuple[str, tuple[str, ...], list[str]]:
        """A bound index, exclusions from the scope, and the inner scope; shadowing happens."""
        draw = self.random
        sort = draw.choice(("token", "token", "head", "head", "axis"))
        index = draw.choice(LETTERS[sort]) + draw.choice(("", "", "1"))
        others = sorted({other for other in scope if other[0] in LETTERS[sort] and other != index})
        excluded = tuple(draw.sample(others, min(len(others), draw.choice((0, 0, 1, 1, 2)))))
        return index, excluded, [*scope, index, index]

    def _scalar(self, size: int, scope: Sequence[str], inside: int) -> Any:
        draw = self.random
        if size <= 1:
            return self._scalar_leaf(scope, inside)
        choice = draw.choice(
            ("+", "+", "*", "*", "*", "^", "sum", "sum", "sum", "ip", "ip", "ip", "inv", "def", "def", "rate", "norm",
             "abs", "relu", "exp", "exp", "log", "sqrt", "trig", "fn", "opnorm", "int", "root")
        )  # fmt: skip
        if self.functions:
            choice = draw.choice(
                ("+", "+", "*", "*", "*", "^", "^", "sum", "inv", "inv", "inv", "abs", "relu", "exp", "exp", "log",
                 "log", "sqrt", "sqrt", "sqrt", "fn", "ip", "rate", *(("together",) * 8))
            )  # fmt: skip
        if self.plain and choice in ("norm", "exp", "log", "sqrt", "trig", "fn", "opnorm", "int", "root"):
            choice = draw.choice(("+", "*", "sum", "ip"))
        rest = size - 1
        if choice == "together":
            first = self._scalar(max(1, rest // 2), scope, inside)
            return self._together(first, self._scalar(max(1, rest // 3), scope, inside))
        if choice in ("+", "*"):
            cut = draw.randint(1, max(1, rest - 1))
            parts = [self._scalar(cut, scope, inside), self._scalar(max(1, rest - cut), scope, inside)]
            if draw.randrange(5) == 0:
                parts.append(self._scalar_leaf(scope, inside))
            return (choice, *parts)
        if choice == "^":
            return (choice, self._scalar(rest, scope, inside), draw.choice((0, 1, 2, 2, 2, 3)))
        if choice == "sum":
            index, excluded, inner = self._bind(scope)
            return (choice, index, excluded, self._scalar(rest, inner, inside))
        if choice == "ip":
            cut = draw.randint(1, max(1, rest - 1))
            left = self._vector(cut, scope, inside)
            return (choice, left, left if draw.randrange(6) == 0 else self._vector(max(1, rest - cut), scope, inside))
        if choice == "norm":
            return (choice, self._vector(rest, scope, inside))
        if choice == "trig":
            return (draw.choice(("sin", "cos")), self._scalar(rest, scope, inside))
        if choice == "fn":
            name = draw.choice(("sinh", "cosh", "tanh", "coth", "arsinh", "Ei", "W"))
            return (choice, name, self._scalar(rest, scope, inside))
        if choice == "def":
            return self._definition("def", rest, scope, inside)
        if choice == "rate":
            if inside & 2:
                return self._scalar(rest, scope, inside)
            return (choice, draw.choice(("fx", "fr", "fc")), self._scalar(rest, scope, inside | 1))
        if choice == "opnorm":
            return (choice, BOUND_VECTOR, self._linear(min(rest, 4), scope))
        if choice in ("int", "root"):
            if inside or size < 4:
                return self._scalar(rest, scope, inside)
            body = self._scalar(min(rest, 4), scope, inside | 2)
            if choice == "int":
                return (choice, BOUND_SCALAR, q(0), self._scalar_leaf(scope, inside), body)
            return (choice, BOUND_SCALAR, ("+", body, ("*", q(3), s("b"))), q(-2), q(draw.choice((1, 3))))
        return (choice, self._scalar(rest, scope, inside))

    def _together(self, t: Any, u: Any) -> Any:
        """Functions where a rule of calculation holds under a condition only."""
        w, half = ("fn", "W", t), q(1, 2)
        return self.random.choice((
            ("*", t, ("inv", t)), ("*", t, t, ("inv", t)), ("*", t, ("^", ("inv", t), 2)), ("inv", ("inv", t)),
            ("inv", ("*", t, u)), ("*", ("inv", t), ("inv", u)), ("*", ("inv", ("+", t, u)), ("+", t, u)),
            ("inv", ("^", t, 3)), ("inv", ("sum", "j", (), t)), ("sum", "i", (), ("*", t, ("inv", t))),
            ("inv", ("+", ("exp", t), ("exp", u))),
            ("exp", ("log", t)), ("log", ("exp", t)), ("exp", ("*", half, ("log", t))),
            ("exp", ("*", q(-2), ("log", t))), ("exp", ("+", u, ("log", t))),
            ("log", ("*", t, u)), ("+", ("log", t), ("log", u)), ("log", ("inv", t)),
            ("log", ("^", t, 2)), ("log", ("sqrt", t)), ("log", ("*", t, ("exp", u))),
            ("sqrt", ("^", t, 2)), ("^", ("sqrt", t), 2), ("^", ("sqrt", t), 3), ("sqrt", ("*", t, u)),
            ("*", ("sqrt", t), ("sqrt", u)), ("sqrt", ("*", ("^", t, 2), u)), ("sqrt", ("inv", t)),
            ("inv", ("sqrt", t)), ("*", ("sqrt", t), ("inv", t)), ("sqrt", ("*", t, ("exp", u))),
            ("sqrt", ("+", ("^", t, 2), ("*", t, t))),
            ("abs", ("*", t, u)), ("*", ("abs", t), ("inv", t)), ("^", ("abs", t), 2), ("abs", ("inv", t)),
            ("abs", ("^", t, 3)), ("abs", ("+", t, ("*", q(-1), t))),
            ("relu", ("*", t, u)), ("+", ("relu", t), ("*", q(-1), ("relu", ("*", q(-1), t)))), ("relu", ("abs", t)),
            ("*", w, ("exp", w)), ("exp", ("*", q(-1), w)), ("exp", w),
            ("+", ("^", ("sin", t), 2), ("^", ("cos", t), 2)), ("fn", "coth", t), ("fn", "tanh", t),
            ("fn", "arsinh", t),
        ))  # fmt: skip

    def _definition(self, tag: str, size: int, scope: Sequence[str], inside: int) -> Any:
        kind = "scalar" if tag == "def" else "vector"
        names = [name for name, d in SIGNATURE.definitions.items() if d.type == kind]
        definition = SIGNATURE.definitions[self.random.choice(names)]
        sorts = [next(sort for sort, letters in LETTERS.items() if index[0] in letters) for index in definition.indices]
        indices = self._indices(sorts, scope)
        if indices is None:
            return self._scalar_leaf(scope, inside) if tag == "def" else self._vector_leaf(scope)
        arguments = tuple(self._scalar(min(size, 3), scope, inside) for _ in definition.parameters)
        return (tag, definition.name, indices, arguments)

    def _linear(self, size: int, scope: Sequence[str]) -> Any:
        draw = self.random
        if size <= 1:
            return vec(BOUND_VECTOR)
        choice = draw.choice(("op", "op", "opT", "vadd", "vmul", "vsum"))
        if choice in ("op", "opT"):
            return self._operator(choice, self._linear(size - 1, scope), scope)
        if choice == "vadd":
            return (choice, self._linear(size // 2, scope), self._linear(size - size // 2, scope))
        if choice == "vmul":
            return (choice, self._scalar_leaf(scope, 0), self._linear(size - 1, scope))
        index, excluded, inner = self._bind(scope)
        return (choice, index, excluded, self._linear(size - 1, inner))

    def _operator(self, tag: str, u: Any, scope: Sequence[str]) -> Any:
        name = self.random.choice(("M", "M", "M", "W", "Q", "A"))
        index = None if name == "A" else self._index("head", scope)
        return op("A", None, u, tag) if index is None else op(name, index, u, tag)

    def _vector_leaf(self, scope: Sequence[str]) -> Any:
        draw = self.random
        name, sorts = draw.choice(
            (("x", ("token",)), ("x", ("token",)), ("x", ("token",)), ("y", ()), ("e", ("axis",)))
        )
        if draw.randrange(25) == 0:
            return ("v0",)
        return self._named("vec", name, sorts, scope) or vec("y")

    def _vector(self, size: int, scope: Sequence[str], inside: int) -> Any:
        draw = self.random
        if size <= 1:
            return self._vector_leaf(scope)
        choice = draw.choice(("op", "op", "op", "opT", "opT", "vadd", "vmul", "vmul", "vsum", "vsum", "vdef"))
        if choice in ("op", "opT"):
            return self._operator(choice, self._vector(size - 1, scope, inside), scope)
        if choice == "vadd":
            cut = draw.randint(1, size - 1)
            return (choice, self._vector(cut, scope, inside), self._vector(max(1, size - cut), scope, inside))
        if choice == "vmul":
            cut = draw.randint(1, size - 1)
            return (choice, self._scalar(cut, scope, inside), self._vector(max(1, size - cut), scope, inside))
        if choice == "vsum":
            index, excluded, inner = self._bind(scope)
            return (choice, index, excluded, self._vector(size - 1, inner, inside))
        return self._definition("vdef", size - 1, scope, inside)


# --- models -------------------------------------------------------------------------------------------------------


def models(ground: Ground, generator: random.Random, count: int, largest: int = 3) -> list[Model]:
    """Random rational models in which the relations and facts of the ground hold; sizes 1 to `largest`."""
    builder = Builder(
        SIGNATURE, [name for name in SIGNATURE.symbols if name not in (BOUND_SCALAR, BOUND_VECTOR)], ground.relations
    )
    found: list[Model] = []
    for _ in range(60 * count):
        if len(found) == count:
            break
        lowest = 2 if ground.distinct else 1
        sizes = {sort: generator.randint(1 if sort == "axis" else lowest, largest) for sort in LETTERS}
        if not builder.allows(sizes):
            sizes = {sort: 1 if sort in builder.constraints.single else value for sort, value in sizes.items()}
        try:
            model = builder.build(sizes, Choices((), generator))
        except ImpossibleError:
            continue
        formulas = [*ground.relations, *(fact for fact, _ in ground.facts)]
        if all(evaluate_formula(SIGNATURE, model, formula) is True for formula in formulas):
            found.append(model)
    return found


def places(ground: Ground, model: Model, generator: random.Random) -> dict[str, int]:
    """Values of the free indices, distinct where the ground says so."""
    for _ in range(1000):
        place = {
            index: generator.randrange(model.sizes[sort])
            for sort, letters in LETTERS.items()
            for index in {"token": "ij", "head": "gh", "axis": "a"}[sort]
            if index in letters
        }
        if all(place[a] != place[b] for a, b in ground.distinct):
            return place
    raise AssertionError(f"the sizes {model.sizes} are too small for {ground.distinct}")


# --- reduction ----------------------------------------------------------------------------------------------------

_VECTOR_TAGS = {"vec", "v0", "vadd", "vmul", "vsum", "op", "opT", "vdef"}


def is_vector(term: Any) -> bool:
    return term[0] in _VECTOR_TAGS


def _children(term: Any) -> Iterator[tuple[int, int | None, Any]]:
    """Sub-terms with their place."""
    tag = term[0]
    if tag in ("def", "vdef"):
        for k, argument in enumerate(term[3]):
            yield 3, k, argument
        return
    for position, part in enumerate(term[1:], start=1):
        names = position == 2 and tag in ("s", "vec", "sum", "vsum", "op", "opT")
        if isinstance(part, tuple) and part and part[0] in _TAGS and not names:
            yield position, None, part


_TAGS = _VECTOR_TAGS | {
    "q", "pi", "size", "s", "+", "*", "^", "inv", "exp", "log", "sqrt", "abs", "relu", "sin", "cos", "fn", "sum",
    "ip", "norm", "opnorm", "delta", "def", "rate", "int", "root",
}  # fmt: skip


def _replaced(term: Any, position: int, inner: int | None, part: Any) -> Any:
    if inner is None:
        return (*term[:position], part, *term[position + 1 :])
    arguments = term[position]
    return (*term[:position], (*arguments[:inner], part, *arguments[inner + 1 :]), *term[position + 1 :])


def smaller(term: Any) -> Iterator[Any]:
    """Simpler neighbours of a term, of the same kind."""
    if is_vector(term):
        if term != vec("y"):
            yield vec("y")
    elif term[0] != "q":
        yield q(0)
        yield q(1)
        yield s("r")
    for _, _, part in _children(term):
        if is_vector(part) == is_vector(term):
            yield part
    if term[0] in ("+", "*", "vadd") and len(term) > 3:
        for position in range(1, len(term)):
            yield (*term[:position], *term[position + 1 :])
    if term[0] in ("sum", "vsum") and term[2]:
        for excluded in term[2]:
            yield (term[0], term[1], tuple(x for x in term[2] if x != excluded), term[3])
    if term[0] == "^" and term[2] > 1:
        yield ("^", term[1], term[2] - 1)
    for position, inner, part in _children(term):
        for simpler in smaller(part):
            yield _replaced(term, position, inner, simpler)


def weight(term: Any) -> int:
    """How large a term is."""
    return sum(weight(part) for part in term) + 1 if isinstance(term, tuple) else 1


def reduce(term: Any, fails: Callable[[Any], bool], limit: int = 4000) -> Any:
    """The smallest neighbour's neighbour that still fails."""
    improved = True
    while improved and limit > 0:
        improved = False
        for candidate in smaller(term):
            limit -= 1
            if limit <= 0:
                break
            if weight(candidate) < weight(term) and fails(candidate):
                term, improved = candidate, True
                break
    return term
