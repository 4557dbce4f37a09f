"""Proposals: applications of a rule with what they should show, drawn at random from the steps before."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import disguise
from antumbra.proofs import checker
from antumbra.proofs.kernel.evaluate import free_indices
from antumbra.proofs.kernel.ground import Judgement
from antumbra.proofs.kernel.models import Signature
from antumbra.proofs.kernel.signature import Signature as KernelSignature
from antumbra.proofs.kernel.signature import free_symbols, substitute
from antumbra.proofs.kernel.terms import Formula, Scalar, Vector
from fuzzing import lists
from terms_strategy import GROUNDS, OBJECTS, TermMaker, q, s, vec

FLOWS = [
    {"flow": f"d_{name}", "moves": [{"symbol": name, "indices": [], "velocity": q(1)}], "text": ""} for name in "rb"
]
WORLDS = [ground for ground in GROUNDS if not ground.facts and not ground.distinct]
"""The grounds that scripts stand on: relations alone, as hypotheses of these names."""
HYPOTHESES = {
    ground.name: {
        f"{ground.name.replace(' ', '_')}_{number}": relation for number, relation in enumerate(ground.relations)
    }
    for ground in WORLDS
}
_NAMED = {name: formula for formulas in HYPOTHESES.values() for name, formula in formulas.items()}
DEFINITIONS = [
    *OBJECTS, *FLOWS, *({"hypothesis": name, "formula": formula, "text": ""} for name, formula in _NAMED.items())
]  # fmt: skip
SIGNATURE = Signature.of(DEFINITIONS)
KERNEL_SIGNATURE = KernelSignature(DEFINITIONS)
SETTING = checker.Setting(lists(DEFINITIONS))
COMPARISONS = ("eq", "ne", "ge", "gt", "le", "lt")
FACTS = ("ne", "ge", "gt", "le", "lt")
_MINUS = q(-1)


FAMILY = [
    s("c", "i"), s("c", "j"), ("abs", s("c", "i")), ("*", _MINUS, s("c", "i")), ("delta", "i", "j"),
    ("+", s("c", "i"), ("delta", "i", "j")), ("*", s("c", "i"), ("delta", "i", "j")), ("relu", s("c", "i")),
    ("sqrt", ("^", s("c", "j"), 2)), ("sum", "k", (), s("c", "k")), ("sum", "k", ("i",), s("c", "k")),
    ("*", s("c", "i"), ("inv", s("c", "i"))), ("exp", ("log", s("c", "j"))), q(0), q(1),
]  # fmt: skip
_NARROW = ("assume_an_atom", "absolute", "sign", "ring", "instantiate", "all_", "sum_compare", "compare")


def _weight(name: str, narrow: bool) -> int:
    """How often a rule is drawn."""
    if narrow:
        return 3 if name.removeprefix("propose_").startswith(_NARROW) else 0
    return 4 if name.startswith(("propose_ring", "propose_sign")) else 1


def built(term: Any) -> Any:
    """A term as the kernel's builders make it."""
    if not (isinstance(term, tuple) and term and isinstance(term[0], str) and term[0] in checker.FIELDS):
        return tuple(built(part) for part in term) if isinstance(term, tuple) else term
    kind: Any = Formula if term[0] in checker.SHAPES["F"] else Vector if term[0] in checker.SHAPES["V"] else Scalar
    return kind(built(part) for part in term)


def plain(term: Any) -> Any:
    """The same as bare tuples."""
    return tuple(plain(part) for part in term) if isinstance(term, tuple) else term


def replaced(term: Any, *, indices: Any = None, scalars: Any = None, vectors: Any = None) -> Any:
    """The term after a substitution, by the kernel's hand (a wrong hand would only spoil the proposal)."""
    names = [{key: built(value) for key, value in (part or {}).items()} for part in (scalars, vectors)]
    return plain(substitute(built(term), KERNEL_SIGNATURE, indices or {}, *names))


@dataclass(frozen=True)
class Shown:
    """A judgement that both sides accepted with the same assumptions."""

    judgement: Judgement
    given: tuple[Any, ...]
    shows: Any
    number: int


@dataclass
class Proposal:
    """One application of a rule; `data` holds `Shown` for steps."""

    rule: str
    shows: Any
    premises: Sequence[Shown] = ()
    data: dict[str, Any] = field(default_factory=dict)


class Proposals:
    """Draws what to try next, from what was shown so far."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"steps/{seed}")
        self.world = self.random.choice([WORLDS[0], *WORLDS])
        self.shown: list[Shown] = []
        maker = TermMaker(self.random, mode=self.random.choice(("functions", "all", "plain")))
        # Half of the scripts speak of little else than one family of numbers, so that facts meet.
        narrow = seed % 2 == 0
        leaves = FAMILY if narrow else [s("r"), s("b"), s("c", "i"), s("c", "j"), q(0), q(1)]
        self.terms = [*leaves, *(maker.scalar(self.random.randint(1, 3)) for _ in range(1 if narrow else 6))]
        self.vectors = [maker.vector(self.random.randint(1, 2)) for _ in range(3)] + [vec("x", "i"), vec("y")]
        self.rules: list[Callable[[], Proposal]] = [
            getattr(self, name)
            for name in sorted(dir(type(self)))
            if name.startswith("propose_")
            for _ in range(_weight(name, narrow))
        ]

    # --- drawing --------------------------------------------------------------------------------------------------

    def term(self) -> Any:
        return self.random.choice(self.terms)

    def vector(self) -> Any:
        return self.random.choice(self.vectors)

    def any_of(self, *tags: str) -> Shown:
        """A recent judgement that shows a formula with one of the tags.

        Raises:
            IndexError: there is none.
        """
        return self.random.choice([j for j in self.shown if not tags or j.shows[0] in tags][-25:])

    def that_shows(self, *formulas: Any) -> Shown:
        return self.random.choice([j for j in self.shown if j.shows in formulas])

    def formula(self, depth: int = 0) -> Any:
        draw = self.random.random()
        if draw < 0.65 or depth > 1:
            return (self.random.choice(COMPARISONS), self.term(), self.random.choice((self.term(), q(0))))
        if draw < 0.7:
            return ("veq", self.vector(), self.random.choice((self.vector(), ("v0",))))
        if draw < 0.85:
            tag = self.random.choice(("and", "or", "implies", "iff"))
            return (tag, self.formula(depth + 1), self.formula(depth + 1))
        if draw < 0.93:
            index = self.random.choice("ijkgh")
            others = [x for x in ("ij" if index in "ijk" else "gh") if x != index]
            excluded = tuple(self.random.sample(others, min(len(others), self.random.choice((0, 0, 1, 2)))))
            return ("all", index, excluded, self.formula(depth + 1))
        if draw < 0.97:
            return ("distinct", *self.random.choice((("i", "j"), ("g", "h"), ("i", "k"))))
        return ("forall", self.random.choice("rtbpw"), self.formula(depth + 1))

    def facts(self) -> dict[str, Any]:
        """Some comparisons to cite, and sometimes definitions to leave closed."""
        known = [j for j in self.shown if j.shows[0] in FACTS]
        chosen = self.random.sample(known, min(len(known), self.random.choice((0, 1, 2, 2, 3, 4))))
        closed = self.random.sample(("score", "f", "g0", "d", "V", "U"), 2) if self.random.randrange(4) == 0 else []
        return {key: value for key, value in (("facts", chosen), ("opaque", tuple(closed))) if value}

    def excluded(self, given: Sequence[Any], index: str) -> tuple[str, ...]:
        """The indices that the assumptions tell apart from this one; sometimes none of them."""
        apart = [x for g in given if g[0] == "distinct" and index in g[1:] for x in g[1:] if x != index]
        return tuple(dict.fromkeys(apart)) if self.random.random() < 0.7 else ()

    # --- logic ----------------------------------------------------------------------------------------------------

    def propose_assume(self) -> Proposal:
        return Proposal("assume", self.formula())

    def propose_assume_again(self) -> Proposal:
        return Proposal("assume", self.formula(2))

    def propose_assume_an_atom(self) -> Proposal:
        atom = self.random.choice((s("c", "i"), s("c", "j"), s("r"), s("m", "h")))
        return Proposal(
            "assume", (self.random.choice(("eq", "eq", *FACTS)), atom, self.random.choice((self.term(), q(0))))
        )

    def propose_and_intro(self) -> Proposal:
        parts = self.any_of(), self.any_of()
        return Proposal("and_intro", ("and", *(part.shows for part in parts)), parts)

    def propose_and_elim(self) -> Proposal:
        whole = self.any_of("and")
        part = self.random.randrange(len(whole.shows) - 1)
        return Proposal("and_elim", whole.shows[part + 1], [whole], {"part": part})

    def propose_implies_intro(self) -> Proposal:
        conclusion = self.any_of()
        condition = self.random.choice([*conclusion.given, self.formula()])
        return Proposal("implies_intro", ("implies", condition, conclusion.shows), [conclusion])

    def propose_modus(self) -> Proposal:
        implication = self.any_of("implies")
        fitting = [j for j in self.shown if j.shows == implication.shows[1]]
        return Proposal("modus", implication.shows[2], [implication, self.random.choice(fitting or self.shown)])

    def propose_iff_intro(self) -> Proposal:
        forward = self.any_of("implies")
        fitting = [j for j in self.shown if j.shows == ("implies", forward.shows[2], forward.shows[1])]
        backward = self.random.choice(fitting or self.shown)
        return Proposal("iff_intro", ("iff", forward.shows[1], forward.shows[2]), [forward, backward])

    def propose_iff_elim(self) -> Proposal:
        both = self.any_of("iff")
        _, a, b = both.shows
        forward = self.random.random() < 0.5
        return Proposal("iff_elim", ("implies", a, b) if forward else ("implies", b, a), [both], {"forward": forward})

    def propose_iff_chain(self) -> Proposal:
        first, second = self.any_of("iff"), self.any_of("iff")
        return Proposal("iff_chain", ("iff", first.shows[1], second.shows[2]), [first, second])

    def propose_all_intro(self) -> Proposal:
        body = self.any_of()
        index = self.random.choice(sorted(free_indices(body.shows)) or ["i"])
        return Proposal("all_intro", ("all", index, self.excluded(body.given, index), body.shows), [body])

    def propose_all_elim(self) -> Proposal:
        whole, index = self.any_of("all"), self.random.choice("ijkgh")
        shows = replaced(whole.shows[3], indices={whole.shows[1]: index})
        return Proposal("all_elim", shows, [whole], {"index": index})

    def propose_forall_intro(self) -> Proposal:
        body = self.any_of()
        return Proposal("forall_intro", ("forall", self.random.choice("rtbpw"), body.shows), [body])

    def propose_forall_elim(self) -> Proposal:
        whole, term = self.any_of("forall"), self.term()
        shows = replaced(whole.shows[2], scalars={whole.shows[1]: term})
        return Proposal("forall_elim", shows, [whole], {"term": term})

    def propose_exists_intro(self) -> Proposal:
        body, name = self.any_of(), self.random.choice("rtb")
        return Proposal("exists_intro", ("exists", name, body.shows), [body], {"term": s(name)})

    def propose_cases(self) -> Proposal:
        choice, goal = self.any_of("or"), self.any_of()
        branches = [self.that_shows(goal.shows) for _ in choice.shows[1:]]
        return Proposal("cases", goal.shows, [choice, *branches])

    def propose_compare(self) -> Proposal:
        a, b = self.term(), self.term()
        return Proposal("compare", self.random.choice((
            ("or", ("ge", a, b), ("gt", b, a)), ("or", ("gt", a, b), ("eq", a, b), ("gt", b, a)),
            ("or", ("eq", a, b), ("ne", a, b)), ("or", ("gt", a, b), ("gt", b, a)),
        )))  # fmt: skip

    def propose_or_intro(self) -> Proposal:
        part = self.any_of()
        return Proposal("or_intro", ("or", part.shows, self.formula()), [part])

    def propose_contradiction(self) -> Proposal:
        first = self.any_of("eq", "ge", "gt")
        others = [j for j in self.shown if j.shows == ("ne", *first.shows[1:])]
        return Proposal("contradiction", self.formula(), [first, *others[:1]])

    def propose_instantiate(self) -> Proposal:
        source, which, data = self.any_of(), self.random.randrange(4), dict[str, Any]()
        if which in (0, 3):
            index = self.random.choice(sorted(free_indices(source.shows)) or ["i"])
            data["indices"] = {index: self.random.choice("ijk" if index in "ijk" else "gh")}
        if which in (1, 3):
            data["scalars"] = {self.random.choice("rtbp"): self.term()}
        if which == 2:
            data["vectors"] = {self.random.choice("yo"): self.vector()}
        return Proposal("instantiate", replaced(source.shows, **data), [source], data)

    # --- equations and inequalities -------------------------------------------------------------------------------

    def propose_eq_flip(self) -> Proposal:
        equation = self.any_of("eq", "veq")
        return Proposal("eq_flip", (equation.shows[0], equation.shows[2], equation.shows[1]), [equation])

    def propose_sum_compare(self) -> Proposal:
        body, index = self.any_of(*COMPARISONS), self.random.choice("ijkh")
        excluded = self.excluded(body.given, index)
        sides = [("sum", index, excluded, side) for side in body.shows[1:]]
        return Proposal("sum_compare", (body.shows[0], *sides), [body])

    def propose_sum_zero(self) -> Proposal:
        sums = [j for j in self.shown if j.shows[0] == "eq" and j.shows[1][0] == "sum" and j.shows[2] == q(0)]
        if not sums:
            excluded = self.random.choice(((), ("j",)))
            return Proposal("assume", ("eq", ("sum", "i", excluded, self.term()), q(0)))
        whole = self.random.choice(sums)
        body = whole.shows[1][3]
        parts = [j for j in self.shown if j.shows == ("ge", body, q(0))]
        if not parts:
            if self.random.random() < 0.5:
                return Proposal("assume", ("ge", body, q(0)))
            return Proposal("sign", ("ge", body, q(0)), (), {"as": body, **self.facts()})
        return Proposal("sum_zero", ("eq", body, q(0)), [whole, self.random.choice(parts)])

    def propose_antisymmetry(self) -> Proposal:
        first = self.any_of("ge")
        fitting = [j for j in self.shown if j.shows == ("ge", first.shows[2], first.shows[1])]
        return Proposal("antisymmetry", ("eq", *first.shows[1:]), [first, self.random.choice(fitting or [first])])

    def propose_square_zero(self) -> Proposal:
        squares = [j for j in self.shown if j.shows[0] == "eq" and j.shows[1][0] == "^" and j.shows[2] == q(0)]
        if not squares:
            return Proposal("assume", ("eq", ("^", self.term(), 2), q(0)))
        return Proposal("square_zero", ("eq", squares[-1].shows[1][1], q(0)), [squares[-1]])

    def propose_vector_zero(self) -> Proposal:
        zeros = [j for j in self.shown if j.shows[0] == "eq" and j.shows[1][0] in ("norm", "ip") and j.shows[2] == q(0)]
        if not zeros:
            u = self.vector()
            return Proposal("assume", ("eq", self.random.choice((("norm", u), ("ip", u, u))), q(0)))
        return Proposal("vector_zero", ("veq", zeros[-1].shows[1][1], ("v0",)), [zeros[-1]])

    def propose_equal_rewrite(self) -> Proposal:
        equation, formula = self.any_of("eq", "veq"), self.any_of()
        return Proposal("equal_rewrite", self._swapped(formula.shows, *equation.shows[1:]), [equation, formula])

    def _swapped(self, term: Any, old: Any, new: Any) -> Any:
        if term == old and self.random.random() < 0.8:
            return new
        return tuple(self._swapped(part, old, new) for part in term) if isinstance(term, tuple) else term

    def propose_ring(self) -> Proposal:
        left = right = self.term()
        for _ in range(self.random.randint(1, 3)):
            rewrites = disguise.TRUE if self.random.random() < 0.8 else disguise.FALSE
            step = disguise.rewritten(right, rewrites, self.random)
            right = step[1] if step else right
        if self.random.random() < 0.3:
            left = self.random.choice((
                ("*", left, ("inv", left)), ("sqrt", ("^", left, 2)), ("exp", ("log", left)), ("abs", left),
                ("relu", left),
            ))  # fmt: skip
            right = self.random.choice((q(1), right, right))
        return Proposal("ring", ("eq", left, right), (), self.facts())

    def propose_ring_by_combination(self) -> Proposal:
        equation, factor, left = self.any_of("eq"), self.term(), self.term()
        gap = ("+", equation.shows[1], ("*", _MINUS, equation.shows[2]))
        shows = ("eq", left, ("+", left, ("*", _MINUS, factor, gap)))
        return Proposal("ring", shows, (), {"combo": [(factor, equation)], **self.facts()})

    def propose_ring_by_clearing(self) -> Proposal:
        """Divide: (a + b D)/D is a/D + b, where D is shown not to vanish."""
        known = [j for j in self.shown if j.shows[0] in ("ne", "gt", "lt") and j.shows[2] == q(0)]
        positive = ("+", ("exp", self.term()), ("^", self.term(), 2))
        divisor = self.random.choice([j.shows[1] for j in known] + [positive, self.term()])
        a, b, over = self.term(), self.term(), ("inv", divisor)
        shows = ("eq", ("*", ("+", a, ("*", b, divisor)), over), ("+", ("*", a, over), b))
        power = self.random.choice((1, 1, 2))
        return Proposal("ring", shows, (), {"den": [(divisor, power)], **self.facts()})

    def propose_ring_by_rewriting(self) -> Proposal:
        equation = self.random.choice([j for j in self.shown if j.shows[0] == "eq" and j.shows[1][0] == "s"])
        term = self.random.choice((self.term(), ("sum", "i", (), self.term()), ("sum", "k", ("j",), s("c", "k"))))
        other = self.random.choice(
            (term, replaced(equation.shows[1], indices={"i": "j"}) if "i" in free_indices(equation.shows[1]) else term)
        )
        shows = ("eq", other, self._swapped(other, *equation.shows[1:]))
        return Proposal("ring", shows, (), {"rewrites": [equation], **self.facts()})

    def propose_sign(self) -> Proposal:
        term = self.term()
        form = self.random.choice((
            term, ("*", term, self.term()), ("^", term, 2), ("sum", "k", self.random.choice(((), ("i",))), term),
            ("+", term, ("exp", term)), ("+", term, self.term()),
        ))  # fmt: skip
        tag = self.random.choice(("ge", "gt", "ne"))
        return Proposal("sign", (tag, form, q(0)), (), {"as": form, **self.facts()})

    def propose_sign_of_an_atom(self) -> Proposal:
        atom = self.random.choice((s("c", "i"), s("c", "j"), s("r"), s("m", "h"), ("delta", "i", "j")))
        tag = self.random.choice(("ge", "gt", "ne"))
        return Proposal("sign", (tag, atom, q(0)), (), {"as": atom, **self.facts()})

    def propose_iff_scale(self) -> Proposal:
        positive, a, b = self.any_of("gt", "ne"), self.term(), self.term()
        factor, tag = positive.shows[1], self.random.choice(COMPARISONS)
        shows = ("iff", (tag, ("*", factor, a), ("*", factor, b)), (tag, a, b))
        return Proposal("iff_scale", shows, [positive], {"factor": factor, **self.facts()})

    def propose_iff_exp(self) -> Proposal:
        a, b, tag = self.term(), self.term(), self.random.choice(COMPARISONS)
        return Proposal("iff_exp", ("iff", (tag, ("exp", a), ("exp", b)), (tag, a, b)))

    def propose_iff_square(self) -> Proposal:
        known = [j for j in self.shown if j.shows[0] == "ge" and j.shows[2] == q(0)]
        if len(known) < 2:
            return Proposal("assume", ("ge", self.term(), q(0)))
        first, second = self.random.choice(known), self.random.choice(known)
        a, b, tag = first.shows[1], second.shows[1], self.random.choice(COMPARISONS)
        return Proposal("iff_square", ("iff", (tag, ("^", a, 2), ("^", b, 2)), (tag, a, b)), [first, second])

    def propose_congruence(self) -> Proposal:
        tag, left, right = self.random.choice(COMPARISONS), self.term(), self.term()
        step = disguise.rewritten(right, disguise.TRUE, self.random)
        other = step[1] if step else right
        return Proposal("congruence", ("iff", (tag, left, right), (tag, left, other)), (), self.facts())

    # --- axioms ---------------------------------------------------------------------------------------------------

    def propose_cauchy_schwarz(self) -> Proposal:
        u, v = self.vector(), self.vector()
        return Proposal("cauchy_schwarz", ("ge", ("*", ("norm", u), ("norm", v)), ("abs", ("ip", u, v))))

    def propose_absolute(self) -> Proposal:
        term = self.term()
        return Proposal("absolute", ("ge", ("abs", term), self.random.choice((term, ("*", _MINUS, term)))))

    def propose_operator_norm(self) -> Proposal:
        image, at = TermMaker(self.random).linear(self.random.randint(1, 3)), self.vector()
        shows = ("ge", ("*", ("opnorm", "o", image), ("norm", at)), ("norm", replaced(image, vectors={"o": at})))
        return Proposal("operator_norm", shows, (), {"name": "o", "image": image, "vector": at})

    def propose_exp_tangent(self) -> Proposal:
        apart = [j for j in self.shown if j.shows[0] == "ne" and j.shows[2] == q(0)]
        if apart and self.random.random() < 0.5:
            term = apart[-1].shows[1]
            return Proposal("exp_tangent", ("gt", ("exp", term), ("+", q(1), term)), [apart[-1]])
        term = self.term()
        return Proposal("exp_tangent", ("ge", ("exp", term), ("+", q(1), term)))

    def propose_integral(self) -> Proposal:
        bound, size = self.random.randint(0, 3), ("size", self.random.choice(("token", "head", "axis")))
        return Proposal("integral", ("or", ("ge", size, q(bound)), ("ge", q(bound - 1), size)))

    def propose_symbol(self) -> Proposal:
        return Proposal("symbol", self.random.choice((
            ("gt", s("p"), q(0)), ("ge", s("w"), q(0)), ("gt", s("w"), q(0)), ("ge", s("r"), q(0)),
        )))  # fmt: skip

    def propose_size(self) -> Proposal:
        return Proposal("size", ("ge", ("size", self.random.choice(("token", "head", "axis"))), q(1)))

    # --- one variable ---------------------------------------------------------------------------------------------

    def _curve(self) -> tuple[str, Any, Any, Any, dict[str, Any]]:
        """A variable, a function, an interval, and the data that name them.

        Raises:
            IndexError: an end depends on the variable.
        """
        name = self.random.choice("rb")
        x, term = s(name), self.term()
        function = self.random.choice((
            term, ("^", x, 2), ("*", _MINUS, ("inv", x)), ("log", x), ("exp", x), ("sqrt", x), ("+", x, term),
            ("*", _MINUS, ("inv", ("+", x, term))), ("sum", "i", (), ("*", _MINUS, ("inv", ("+", x, s("c", "i"))))),
        ))  # fmt: skip
        low, high = self.random.choice(((q(0), q(1)), (q(1), q(2)), (q(-1), q(1)), (q(-2), self.term())))
        if name in free_symbols(built(low), KERNEL_SIGNATURE) | free_symbols(built(high), KERNEL_SIGNATURE):
            raise IndexError
        return name, function, low, high, {"variable": name, "flow": f"d_{name}", **self.facts()}

    def _prepared(self, name: str, low: Any, high: Any, *wanted: Any) -> Proposal:
        """A step towards one of the wanted comparisons: a bound of the variable, the comparison assumed, or shown."""
        x, draw = s(name), self.random.random()
        if draw < 0.4:
            return Proposal(
                "assume", self.random.choice((("ge", x, low), ("ge", high, x), ("gt", x, low), ("gt", high, x)))
            )
        tag, left, right = self.random.choice(wanted)
        if draw < 0.6:
            return Proposal("assume", (tag, left, right))
        if tag == "eq":
            return Proposal("ring", (tag, left, right), (), self.facts())
        form = left if right == q(0) else ("+", left, ("*", _MINUS, right))
        return Proposal("sign", (tag, left, right), (), {"as": form, **self.facts()})

    def _at(self, function: Any, name: str, value: Any) -> Any:
        return replaced(function, scalars={name: value})

    def propose_increasing(self) -> Proposal:
        name, function, low, high, data = self._curve()
        slope = [("ge", ("rate", f"d_{name}", function), q(0)), ("gt", ("rate", f"d_{name}", function), q(0))]
        order = [("gt", high, low), ("ge", high, low)]
        known = [[j for j in self.shown if j.shows in formulas] for formulas in (slope, order)]
        if not all(known):
            return self._prepared(name, low, high, *(order if known[0] else slope))
        shows = (self.random.choice(("ge", "gt")), self._at(function, name, high), self._at(function, name, low))
        premises = [self.random.choice(choices) for choices in known]
        return Proposal("increasing", shows, premises, {**data, "function": function, "lo": low, "hi": high})

    def propose_antiderivative(self) -> Proposal:
        name, function, low, high, data = self._curve()
        rate, order = ("rate", f"d_{name}", function), [("gt", high, low), ("ge", high, low)]
        slopes = [j for j in self.shown if j.shows[0] == "eq" and j.shows[1] == rate]
        orders = [j for j in self.shown if j.shows in order]
        if not slopes or not orders:
            return self._prepared(name, low, high, *(order if slopes else [("eq", rate, rate)]))
        slope = self.random.choice(slopes)
        difference = ("+", self._at(function, name, high), ("*", _MINUS, self._at(function, name, low)))
        shows = ("eq", ("int", name, low, high, slope.shows[2]), difference)
        return Proposal("antiderivative", shows, [slope, self.random.choice(orders)], {**data, "function": function})

    def propose_integral_compare(self) -> Proposal:
        name, _, low, high, data = self._curve()
        body = self.any_of("ge", "gt")
        orders = [j for j in self.shown if j.shows in (("gt", high, low), ("ge", high, low))]
        if not orders:
            return self._prepared(name, low, high, ("gt", high, low))
        sides = [("int", name, low, high, side) for side in body.shows[1:]]
        tag = self.random.choice(("ge", "gt"))
        return Proposal("integral_compare", (tag, *sides), [body, self.random.choice(orders)], data)
