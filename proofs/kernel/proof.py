"""The recorder: rules applied one by one, each checked at once, and written down as a certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from antumbra.proofs.kernel import algebra, analysis, logic, solutions
from antumbra.proofs.kernel.algebra import normaliser_for, remainder
from antumbra.proofs.kernel.definedness import Obligation, obligations
from antumbra.proofs.kernel.ground import RULES, Ground, Judgement, Rejected, Step
from antumbra.proofs.kernel.normal import Normaliser
from antumbra.proofs.kernel.poly import Poly, Refusal, names_in, thaw
from antumbra.proofs.kernel.raising import raised
from antumbra.proofs.kernel.signature import children, free_symbols, substitute, unfold
from antumbra.proofs.kernel.signs import sign
from antumbra.proofs.kernel.terms import (
    Formula,
    Node,
    Scalar,
    ScalarLike,
    Vector,
    conj,
    disj,
    dissipates,
    distinct,
    eq,
    every,
    exp,
    ge,
    gt,
    iff,
    implies,
    ip,
    ne,
    norm,
    operator_norm,
    rational,
    scalar,
    size,
    veq,
)
from antumbra.proofs.kernel.wellformed import Wellformed

RINGED = ("facts", "rewrites", "combo", "den", "distinct", "opaque")
COMPARED = ("gt", "ge", "lt", "le", "ne")
MAX_DENOMINATORS = 6


class Proof:
    """A derivation under construction.

    Every method applies a rule and returns the judgement; a step that does not follow raises `Rejected`, which says
    what is left over.
    Comparisons shown so far are used as facts by later steps without being named, when their assumptions are in force.
    """

    def __init__(self, ground: Ground, claim: str, part: str, statement: Node) -> None:
        self.ground = ground
        self.claim, self.part, self.statement = claim, part, statement
        self._wellformed = Wellformed(ground.signature)
        for formula in [*ground.formulas(), statement]:
            self._wellformed.formula(formula)
        self.steps: list[Step] = []
        self._assumed: list[Node] = []
        self._pool: list[Judgement] = []
        self.uses: list[tuple[str, str]] = []
        self.analysis: list[str] = []
        for name in ground.hypotheses:
            if ground.signature.hypotheses[name][0] in (*COMPARED, "all"):
                self._offer(self.hypothesis(name))
        for number, formula in enumerate(ground.domain):
            if formula[0] in COMPARED:
                self.domain(number)

    # --- recording -------------------------------------------------------------------------------------------------

    def step(self, rule: str, shows: Node, *premises: Judgement, **data: Any) -> Judgement:
        """Apply a rule by name."""
        for judgement in [*premises, *data.get("facts", ()), *data.get("rewrites", ())]:
            if judgement.owner is not self:
                raise Rejected("a judgement of another proof; cite the claim instead")
        try:
            self._wellformed.formula(shows)
            given = RULES[rule](self.ground, shows, premises, data)
        except (ValueError, TypeError, IndexError, KeyError, RecursionError, Refusal) as error:
            if isinstance(error, Rejected):
                raise
            raise Rejected(f"{rule}: {error}") from error
        judgement = Judgement(tuple(dict.fromkeys(given)), shows, len(self.steps), self)
        self.steps.append(Step(rule, judgement, premises, dict(data)))
        if shows[0] in COMPARED:
            self._pool.append(judgement)
        return judgement

    def _offer(self, judgement: Judgement) -> None:
        """Take comparisons out of a hypothesis that holds for every index."""
        while judgement.shows[0] == "all" and not judgement.shows[2]:
            judgement = self.at(judgement, judgement.shows[1])

    def _in_force(self) -> list[Judgement]:
        assumed = set(self._assumed)
        return [j for j in self._pool if set(j.given) <= assumed]

    def _with_facts(self, data: dict[str, Any]) -> dict[str, Any]:
        """Add the facts and distinctness assumptions in force, unless the author named them."""
        if data.get("facts") is None:
            data["facts"] = self._in_force()
        data.setdefault("distinct", [g for g in self._assumed if g[0] == "distinct"])
        return {k: v for k, v in data.items() if v is not None and (k not in RINGED or len(v) > 0)}

    def _minimised(self, rule: str, shows: Node, premises: Sequence[Judgement], data: dict[str, Any]) -> Judgement:
        """Apply a rule with the facts it really used; with all of them if those do not do."""
        trace: list[Normaliser] = []
        try:
            RULES[rule](self.ground, shows, premises, {**data, "trace": trace})
        except (Refusal, RecursionError) as error:
            raise Rejected(f"{rule}: {error}") from error
        used = set().union(*(n.facts.used for n in trace))
        fewer = dict(data)
        fewer["facts"] = [f for f in data.get("facts", ()) if f.number in used]
        if not fewer["facts"]:
            del fewer["facts"]
        try:
            return self.step(rule, shows, *premises, **fewer)
        except Rejected:
            return self.step(rule, shows, *premises, **data)

    # --- assumptions and logic ---------------------------------------------------------------------------------------

    def hypothesis(self, name: str) -> Judgement:
        """A named hypothesis of the part."""
        return self.step("hypothesis", self.ground.signature.hypotheses[name], name=name)

    def domain(self, number: int) -> Judgement:
        """A formula of the part's domain."""
        return self.step("hypothesis", self.ground.domain[number], name=f"domain:{number}")

    @contextmanager
    def assuming(self, *formulas: Node) -> Iterator[tuple[Judgement, ...]]:
        """Within the block the formulas are assumed; what is shown there carries them."""
        self._assumed.extend(formulas)
        try:
            yield tuple(self.step("assume", f) for f in formulas)
        finally:
            del self._assumed[len(self._assumed) - len(formulas) :]

    @contextmanager
    def apart(self, *pairs: tuple[str, str]) -> Iterator[None]:
        """Within the block the indices of each pair are distinct."""
        with self.assuming(*(distinct(i, j) for i, j in pairs)):
            yield

    def at(self, whole: Judgement, index: str) -> Judgement:
        """An instance of a statement for every index."""
        _, bound, _, body = whole.shows
        return self.step("all_elim", substitute(body, self.ground.signature, {bound: index}), whole, index=index)

    def for_every(self, index: str, body: Judgement, excluding: Sequence[str] = ()) -> Judgement:
        """The statement for every index but the excluded ones; the index must be free in no other assumption."""
        return self.step("all_intro", every(index, Formula(body.shows), excluding), body)

    def conjunction(self, *parts: Judgement) -> Judgement:
        """All parts as one statement."""
        return self.step("and_intro", conj(*(Formula(p.shows) for p in parts)), *parts)

    def component(self, whole: Judgement, part: int) -> Judgement:
        """One part of a conjunction, counted from 0."""
        return self.step("and_elim", whole.shows[part + 1], whole, part=part)

    def discharge(self, condition: Node, conclusion: Judgement) -> Judgement:
        """From a conclusion under an assumption, the implication."""
        return self.step("implies_intro", implies(Formula(condition), Formula(conclusion.shows)), conclusion)

    def modus(self, implication: Judgement, condition: Judgement) -> Judgement:
        """The conclusion of an implication whose condition is shown."""
        return self.step("modus", implication.shows[2], implication, condition)

    def both_ways(self, forward: Judgement, backward: Judgement) -> Judgement:
        """An equivalence from two implications."""
        return self.step("iff_intro", iff(Formula(forward.shows[1]), Formula(forward.shows[2])), forward, backward)

    def direction(self, both: Judgement, forward: bool = True) -> Judgement:
        """One of the two implications of an equivalence."""
        _, a, b = both.shows
        return self.step("iff_elim", implies(a, b) if forward else implies(b, a), both, forward=forward)

    def chain(self, *links: Judgement) -> Judgement:
        """A chain of equivalences."""
        result = links[0]
        for link in links[1:]:
            result = self.step("iff_chain", iff(Formula(result.shows[1]), Formula(link.shows[2])), result, link)
        return result

    def instance(
        self,
        source: Judgement,
        indices: Mapping[str, str] | None = None,
        scalars: Mapping[str, ScalarLike] | None = None,
        vectors: Mapping[str, Vector] | None = None,
        domains: Sequence[Judgement] = (),
    ) -> Judgement:
        """A judgement with its schematic letters replaced."""
        data: dict[str, Any] = {}
        if indices:
            data["indices"] = dict(indices)
        if scalars:
            data["scalars"] = {k: scalar(v) for k, v in scalars.items()}
        if vectors:
            data["vectors"] = dict(vectors)
        shows = substitute(
            source.shows, self.ground.signature, indices, data.get("scalars", {}), data.get("vectors", {})
        )
        return self.step("instantiate", shows, source, *domains, **data)

    def cite(self, claim: str, part: str, *conditions: Judgement) -> Judgement:
        """The statement of another claim's part."""
        if self.ground.lookup is None:
            raise Rejected("no other claims are at hand to cite")
        statement, _, _ = self.ground.lookup(claim, part)
        if (claim, part) not in self.uses:
            self.uses.append((claim, part))
        return self.step("cite", statement, *conditions, claim=claim, part=part)

    def cases(self, choice: Judgement, *branches: Judgement) -> Judgement:
        """What every branch shows, each under its alternative of the choice."""
        return self.step("cases", branches[0].shows, choice, *branches)

    # --- equations ---------------------------------------------------------------------------------------------------

    def equal(
        self,
        left: ScalarLike,
        right: ScalarLike,
        *,
        using: Sequence[tuple[ScalarLike, Judgement]] = (),
        rewriting: Sequence[Judgement] = (),
        opaque: Sequence[str] = (),
        facts: Sequence[Judgement] | None = None,
        den: Sequence[tuple[ScalarLike, int]] | None = None,
    ) -> Judgement:
        """Left = right by normal form.

        `using` is a linear combination of equations, `rewriting` puts right sides for left sides that are one atom,
        `opaque` definitions stay closed. Denominators that facts show to be non-zero are found and cleared.
        """
        data = self._with_facts(
            {
                "facts": list(facts) if facts is not None else None,
                "combo": [(scalar(t), j) for t, j in using],
                "rewrites": list(rewriting),
                "opaque": list(opaque),
                "den": [(scalar(t), k) for t, k in den] if den is not None else None,
            }
        )
        shows = eq(left, right)
        if den is None:
            found = self._denominators(shows, data)
            if found:
                data["den"] = found
        return self._minimised("ring", shows, (), data)

    def _denominators(self, shows: Node, data: Mapping[str, Any]) -> list[tuple[Scalar, int]]:
        """Denominators to clear, one after another, until the difference vanishes or none is left."""
        found: list[tuple[Scalar, int]] = []
        try:
            for _ in range(MAX_DENOMINATORS):
                normaliser = normaliser_for(self.ground, data)
                rest = remainder(self.ground, normaliser, shows[1], shows[2], {**data, "den": found})
                if not rest:
                    return found
                written = [*shows[1:], *(t for c, j in data.get("combo", ()) for t in (c, *j.shows[1:]))]
                candidate = _clearable(normaliser, rest, list(_inverted(normaliser, written)))
                if candidate is None:
                    return found
                found.append(candidate)
        except (Refusal, Rejected):
            return found
        return found

    def same_vector(self, u: Vector, v: Vector, **data: Any) -> Judgement:
        """U = v, by normal form."""
        return self._minimised("ring", veq(u, v), (), self._with_facts(dict(data)))

    def calculate(self, *terms: ScalarLike, **data: Any) -> Judgement:
        """First = last through the terms between, each equal to the next by normal form: the lines a reader sees."""
        links = [self.equal(a, b, **data) for a, b in pairwise(terms)]
        if len(links) == 1:
            return links[0]
        return self.transitive(*links)

    def transitive(self, *links: Judgement) -> Judgement:
        """First = last from a chain of equations."""
        first, last = links[0].shows[1], links[-1].shows[2]
        return self.equal(first, last, using=[(1, link) for link in links], facts=[], den=[])

    def flip(self, equation: Judgement) -> Judgement:
        """B = a from a = b."""
        tag, a, b = equation.shows
        return self.step("eq_flip", Formula((tag, b, a)), equation)

    def rewritten(self, equation: Judgement, formula: Judgement, shows: Node) -> Judgement:
        """The formula with equals put for equals."""
        return self.step("equal_rewrite", shows, equation, formula)

    def vanishing_vector(self, nothing: Judgement) -> Judgement:
        """U = 0 from <u, u> = 0 or |u| = 0."""
        return self.step("vector_zero", veq(Vector(nothing.shows[1][1]), Vector(("v0",))), nothing)

    def vanishing_terms(self, whole: Judgement, part: Judgement) -> Judgement:
        """Each term of a sum that is 0 is 0, since none is negative."""
        return self.step("sum_zero", eq(Scalar(part.shows[1]), 0), whole, part)

    # --- inequalities ------------------------------------------------------------------------------------------------

    def compare(
        self,
        shows: Node,
        *,
        form: ScalarLike | None = None,
        using: Sequence[tuple[ScalarLike, Judgement]] = (),
        rewriting: Sequence[Judgement] = (),
        opaque: Sequence[str] = (),
        facts: Sequence[Judgement] | None = None,
    ) -> Judgement:
        """A comparison, by writing the difference of its sides in a form whose structure shows the sign."""
        _, left, right = shows
        if shows[0] in ("le", "lt"):
            left, right = right, left
        if form is None:
            zero = right == rational(0)
            form = Scalar(left) if zero else Scalar(left) - Scalar(right)
        data = self._with_facts(
            {
                "facts": list(facts) if facts is not None else None,
                "combo": [(scalar(t), j) for t, j in using],
                "rewrites": list(rewriting),
                "opaque": list(opaque),
                "as": scalar(form),
            }
        )
        return self._minimised("sign", shows, (), data)

    def positive(self, term: ScalarLike, form: ScalarLike | None = None, **data: Any) -> Judgement:
        """Term > 0, by the structure of `form`."""
        return self.compare(gt(term, 0), form=form, **data)

    def nonnegative(self, term: ScalarLike, form: ScalarLike | None = None, **data: Any) -> Judgement:
        """Term >= 0, by the structure of `form`."""
        return self.compare(ge(term, 0), form=form, **data)

    def nonzero(self, term: ScalarLike, form: ScalarLike | None = None, **data: Any) -> Judgement:
        """Term != 0, by the structure of `form`."""
        return self.compare(ne(term, 0), form=form, **data)

    def sum_compare(self, body: Judgement, index: str, excluding: Sequence[str] = (), weak: bool = False) -> Judgement:
        """Sums compare as their terms do."""
        tag, a, b = body.shows
        if weak:
            tag = {"gt": "ge", "lt": "le"}.get(tag, tag)
        sums = (Scalar(("sum", index, tuple(excluding), t)) for t in (a, b))
        return self.step("sum_compare", Formula((tag, *sums)), body)

    def cauchy_schwarz(self, u: Vector, v: Vector) -> Judgement:
        """|u| |v| >= |<u, v>|."""
        return self.step("cauchy_schwarz", ge(norm(u) * norm(v), Scalar(("abs", ip(u, v)))))

    def absolute(self, t: ScalarLike, negative: bool = False) -> Judgement:
        """|t| >= t, or |t| >= -t."""
        value = scalar(t)
        other = Scalar(("*", rational(-1), value)) if negative else value
        return self.step("absolute", ge(Scalar(("abs", value)), other))

    def operator_norm(self, name: str, image: Vector, at: Vector) -> Judgement:
        """|L| |v| >= |L v| for the linear map L that sends the vector `name` to `image`."""
        moved = Vector(substitute(image, self.ground.signature, vectors={name: at}))
        shows = ge(operator_norm(name, image) * norm(at), norm(moved))
        return self.step("operator_norm", shows, name=name, image=image, vector=at)

    def exp_tangent(self, t: ScalarLike, strict: Judgement | None = None) -> Judgement:
        """e^t >= 1 + t, strictly where t is shown not to be 0."""
        shows = (gt if strict else ge)(exp(t), Scalar(("+", rational(1), scalar(t))))
        return self.step("exp_tangent", shows, *([strict] if strict else []))

    # --- equivalences ------------------------------------------------------------------------------------------------

    def scaled(self, a: Node, b: Node, factor: ScalarLike, **data: Any) -> Judgement:
        """A <=> b when the difference of a's sides is a positive factor times that of b's."""
        factor = scalar(factor)
        weak = a[0] in ("eq", "ne")
        positive = self._shown(ne(factor, 0) if weak else gt(factor, 0), **data)
        filled = self._with_facts({"facts": None, **{k: list(v) for k, v in data.items()}, "factor": factor})
        left = Scalar(a[1]) - Scalar(a[2])
        right = factor * (Scalar(b[1]) - Scalar(b[2]))
        found = self._denominators(eq(left, right), filled)
        if found:
            filled["den"] = found
        return self._minimised("iff_scale", iff(Formula(a), Formula(b)), (positive,), filled)

    def _shown(self, shows: Node, **data: Any) -> Judgement:
        for judgement in self._in_force():
            if judgement.shows == shows:
                return judgement
        return self.compare(shows, opaque=data.get("opaque", ()), facts=data.get("facts"))

    def exponents(self, a: Node) -> Judgement:
        """e^s against e^t as s against t."""
        tag, left, right = a
        return self.step("iff_exp", iff(Formula(a), Formula((tag, left[1], right[1]))))

    def squares(self, b: Node) -> Judgement:
        """s^2 against t^2 as s against t, for s and t at least 0."""
        tag, s, t = b
        premises = [self._shown(ge(Scalar(x), 0)) for x in (s, t)]
        squared = Formula((tag, Scalar(s) ** 2, Scalar(t) ** 2))
        return self.step("iff_square", iff(squared, Formula(b)), *premises)

    def congruent(self, a: Node, b: Node, **data: Any) -> Judgement:
        """Two formulas that differ in scalar terms equal by normal form."""
        return self._minimised("congruence", iff(Formula(a), Formula(b)), (), self._with_facts({"facts": None, **data}))

    def whole(self, sort: str, bound: int) -> Judgement:
        """A size is an integer: at least `bound`, or at most `bound - 1`."""
        s = size(sort)
        return self.step("integral", disj(ge(s, bound), ge(rational(bound - 1), s)))

    # --- one variable ------------------------------------------------------------------------------------------------

    def _smooth_facts(self, x: str, lo: Node, hi: Node, half_open: bool = False) -> list[Judgement]:
        """Facts that may show a function smooth: they assume bounds on x that hold on the interval, or nothing of x."""
        bounds = analysis.weak_bounds(x, lo, hi) + (analysis.strict_bounds(x, lo, hi)[2:] if half_open else [])
        allowed = set(self._assumed) | set(bounds)
        return [j for j in self._pool if set(j.given) <= allowed and self._local(j, x, bounds)]

    def _local(self, judgement: Judgement, x: str, bounds: Sequence[Node]) -> bool:
        rest = [g for g in judgement.given if g not in bounds]
        return all(x not in free_symbols(g, self.ground.signature) for g in rest)

    def _of_one_variable(
        self, rule: str, shows: Node, premises: Sequence[Judgement], x: str, ends: tuple[Node, Node], **data: Any
    ) -> Judgement:
        half_open = rule in ("root_monotone", "root_convex", "root_side")
        full = {
            "facts": self._smooth_facts(x, *ends, half_open=half_open),
            "variable": x,
            "flow": f"d_{x}",
            **data,
        }
        if not full["facts"]:
            del full["facts"]
        return self._minimised(rule, shows, list(premises), full)

    def value(self, function: Node, x: str, at: ScalarLike) -> Scalar:
        """The function at a value of the variable."""
        return Scalar(substitute(function, self.ground.signature, scalars={x: scalar(at)}))

    def increasing(self, function: ScalarLike, x: str, slope: Judgement, order: Judgement) -> Judgement:
        """F(hi) against F(lo), from F' > 0 (or >= 0) between them and hi > lo (or >=). The flow is `d_x`."""
        function, (_, hi, lo) = scalar(function), order.shows
        strict = slope.shows[0] == order.shows[0] == "gt"
        shows = (gt if strict else ge)(self.value(function, x, hi), self.value(function, x, lo))
        return self._of_one_variable("increasing", shows, (slope, order), x, (lo, hi), function=function, lo=lo, hi=hi)

    def only_root(
        self,
        statement: Node,
        shape: Judgement,
        bracket: Sequence[Judgement],
        a: ScalarLike,
        b: ScalarLike,
        convex: bool = False,
    ) -> Judgement:
        """`unique` from F' > 0 (F'' > 0 if `convex`) and a bracket: 0 > F(a), F(b) > 0, b > a, [a >= lo], [hi > b]."""
        _, x, lo, hi, _ = statement
        return self._of_one_variable(
            "root_convex" if convex else "root_monotone",
            statement,
            (shape, *bracket),
            x,
            (lo, hi),
            a=scalar(a),
            b=scalar(b),
        )

    def root_facts(self, only: Judgement) -> list[Judgement]:
        """F(r) = 0, r > lo, and hi > r where hi is finite."""
        _, x, lo, hi, function = only.shows
        r = Scalar(analysis.root_of(only.shows))
        shown = [eq(self.value(function, x, r), 0), gt(r, Scalar(lo))]
        if hi != ("inf",):
            shown.append(gt(Scalar(hi), r))
        return [self.step("root_facts", s, only) for s in shown]

    def root_is(self, only: Judgement, zero: Judgement, *bounds: Judgement, value: ScalarLike) -> Judgement:
        """R = value from F(value) = 0 and its being in the interval."""
        return self.step("root_is", eq(Scalar(analysis.root_of(only.shows)), value), only, zero, *bounds)

    def root_side(
        self,
        only: Judgement,
        bracket: Sequence[Judgement],
        bounds: Sequence[Judgement],
        at: ScalarLike,
        a: ScalarLike,
        b: ScalarLike,
        side: str = ">",
    ) -> Judgement:
        """The sign of F(at) ('>', '<' or '=') as the side of the root on which `at` lies."""
        _, x, lo, hi, function = only.shows
        r, t = Scalar(analysis.root_of(only.shows)), scalar(at)
        f = self.value(function, x, t)
        shows = {">": iff(gt(f, 0), gt(t, r)), "<": iff(gt(0, f), gt(r, t)), "=": iff(eq(f, 0), eq(t, r))}[side]
        return self._of_one_variable(
            "root_side", shows, (only, *bracket, *bounds), x, (lo, hi), at=t, a=scalar(a), b=scalar(b)
        )

    def convex_between(
        self,
        function: ScalarLike,
        x: str,
        curve: Judgement,
        ends: tuple[Judgement, Judgement],
        between: tuple[Judgement, Judgement],
    ) -> Judgement:
        """0 >= F(t) from 0 >= F(lo), 0 >= F(hi), F'' >= 0 and t >= lo, hi >= t."""
        function = scalar(function)
        (_, t, lo), (_, hi, _) = between[0].shows, between[1].shows
        shows = ge(0, self.value(function, x, t))
        return self._of_one_variable(
            "convex_between", shows, (curve, *ends, *between), x, (lo, hi), function=function, lo=lo, hi=hi, at=t
        )

    def tangent_below(
        self,
        function: ScalarLike,
        x: str,
        curve: Judgement,
        slope: Judgement,
        inside: Sequence[Judgement],
        touching: ScalarLike,
        at: ScalarLike,
        lo: ScalarLike,
        hi: ScalarLike | None = None,
        apart: Judgement | None = None,
    ) -> Judgement:
        """F(at) >= F(s) + F'(s)(at - s), strict if `apart` shows at != s and F'' > 0. `inside`: s >= lo, ..."""
        function, s, t, lo = scalar(function), scalar(touching), scalar(at), scalar(lo)
        end = Scalar(("inf",)) if hi is None else scalar(hi)
        derivative = slope.shows[2]
        line = Scalar(
            ("+", self.value(function, x, s), ("*", self.value(derivative, x, s), ("+", t, ("*", rational(-1), s))))
        )
        shows = (gt if apart else ge)(self.value(function, x, t), line)
        premises = [curve, slope, *inside, *([apart] if apart else [])]
        return self._of_one_variable(
            "tangent_below",
            shows,
            premises,
            x,
            (lo, end),
            function=function,
            derivative=derivative,
            lo=lo,
            hi=end,
            touching=s,
            at=t,
        )

    def antiderivative(self, function: ScalarLike, x: str, slope: Judgement, order: Judgement) -> Judgement:
        """The integral of f = G' from lo to hi is G(hi) - G(lo)."""
        function, (_, hi, lo) = scalar(function), order.shows
        body = slope.shows[2]
        difference = ("+", self.value(function, x, hi), ("*", rational(-1), self.value(function, x, lo)))
        shows = eq(Scalar(("int", x, lo, hi, body)), Scalar(difference))
        return self._of_one_variable("antiderivative", shows, (slope, order), x, (lo, hi), function=function)

    def integral_shift(
        self,
        function: ScalarLike,
        x: str,
        weight: ScalarLike,
        f: ScalarLike,
        g: ScalarLike,
        slope: Judgement,
        order: Judgement,
    ) -> Judgement:
        """The integral of f is c times that of g plus G(hi) - G(lo), where G' = f - c g and c does not depend on x."""
        function, (_, hi, lo), c = scalar(function), order.shows, scalar(weight)
        difference = ("+", self.value(function, x, hi), ("*", rational(-1), self.value(function, x, lo)))
        first, second = (Scalar(("int", x, lo, hi, scalar(t))) for t in (f, g))
        shows = eq(first, Scalar(("+", ("*", c, second), difference)))
        return self._of_one_variable("integral_shift", shows, (slope, order), x, (lo, hi), function=function, weight=c)

    def integral_compare(self, x: str, body: Judgement, order: Judgement) -> Judgement:
        """Integrals from lo to hi compare as f and g do."""
        _, hi, lo = order.shows
        tag, f, g = body.shows
        strict = tag == order.shows[0] == "gt"
        shows = (gt if strict else ge)(Scalar(("int", x, lo, hi, f)), Scalar(("int", x, lo, hi, g)))
        return self._of_one_variable("integral_compare", shows, (body, order), x, (lo, hi))

    # --- solutions ---------------------------------------------------------------------------------------------------

    def dissipation(
        self, growth: Judgement, speed: Judgement, above: Judgement, below: Judgement, *invariant: Judgement
    ) -> Judgement:
        """The integral over all times of V' = speed >= 0 is at most the upper bound of V less the lower one."""
        (_, (_, flow, _), rate_is), upper, lower = growth.shows, above.shows[1], below.shows[2]
        bound = Scalar(("+", upper, ("*", rational(-1), lower)))
        self.analysis += list(solutions.DISSIPATION)
        shows = dissipates(flow, Scalar(rate_is), bound)
        return self.step("dissipation", shows, growth, speed, above, below, *invariant)

    def decay(
        self, condition: Node, kept: Judgement, falling: Judgement, rate_bound: Judgement, *invariant: Judgement
    ) -> Judgement:
        """Where C (some F stay positive) holds at the start it holds for ever, and V(t) <= V(0) e^{-kt}.

        `kept` shows F' >= 0 under C, `falling` shows -k V >= V' under C, `rate_bound` k >= 0.
        """
        _, _, (_, flow, v) = falling.shows
        k = rate_bound.shows[1]
        self.analysis += list(solutions.DECAY)
        shows = Formula(("decays", flow, condition, v, k))
        data: dict[str, Any] = {"facts": self._conditional_facts(condition)}
        if not data["facts"]:
            del data["facts"]
        return self._minimised("decay", shows, [kept, falling, rate_bound, *invariant], data)

    def _conditional_facts(self, condition: Node) -> list[Judgement]:
        allowed = {*self._assumed, condition}
        return [j for j in self._pool if set(j.given) <= allowed]

    def last(self, shows: Node) -> Judgement:
        """The latest judgement that shows a formula.

        Raises:
            Rejected: nothing shows it.
        """
        for step in reversed(self.steps):
            if step.judgement.shows == shows:
                return step.judgement
        raise Rejected("no step shows that formula")

    # --- closing -----------------------------------------------------------------------------------------------------

    def certificate(self, witness: Mapping[str, Any] | None) -> dict[str, Any]:
        """The derivation as JSON: only the steps that the statement rests on.

        Raises:
            Rejected: the last step is not the statement, or something in the statement is not shown to be defined.
        """
        final = self._final()
        defined = [self._defined(o) for o in self._obligations()]
        kept = self._reached([final, *(d for d in defined if d is not None)])
        # The statement is the last step, after what shows it to be defined.
        order = [s for s in self.steps if s.judgement.number in kept and s.judgement is not final]
        order.append(self.steps[final.number])
        numbers = {s.judgement.number: k for k, s in enumerate(order)}
        formulas = [self.statement, *self.ground.domain]
        return {
            "kind": "derivation",
            "claim": self.claim,
            "part": self.part,
            "setting": self.ground.signature.digest(formulas, self.ground.hypotheses),
            "uses": [list(u) for u in self.uses],
            "analysis": sorted(set(self.analysis)),
            "steps": [_step_json(s, numbers) for s in order],
            "defined": sorted({numbers[d.number] for d in defined if d is not None}),
            "witness": witness,
        }

    def _final(self) -> Judgement:
        for step in reversed(self.steps):
            if step.judgement.shows == self.statement and not step.judgement.given:
                return step.judgement
        last = self.steps[-1].judgement if self.steps else None
        shown = "nothing" if last is None else str(last.shows)
        raise Rejected(f"the proof does not end in the statement of {self.claim} ({self.part}); it ends in {shown}")

    def _obligations(self) -> list[Obligation]:
        result: list[Obligation] = []
        for formula in [*self.ground.formulas(), self.statement]:
            found = obligations(formula, self.ground.signature, self.ground.formulas())
            result += [o for o in found if o not in result]
        return result

    def _defined(self, obligation: Obligation) -> Judgement | None:
        """`None` if structure alone shows it, else a judgement that does."""
        tag, term, *_ = obligation.shows
        apart = [g for g in obligation.given if g[0] == "distinct"]
        if tag != "unique":
            wanted = {"ne": (">", "<", "!="), "gt": (">",), "ge": (">", ">=")}[tag]
            bare = normaliser_for(self.ground, {"distinct": apart})
            if sign(bare, term) in wanted:
                return None
        for step in self.steps:
            judgement = step.judgement
            shown = judgement.shows in (obligation.shows, ("gt", *obligation.shows[1:]) if tag == "ge" else ())
            if shown and set(judgement.given) <= set(obligation.given):
                return judgement
        if tag == "unique":
            raise Rejected(f"nothing shows that a root exists and is unique in the statement of {self.claim}")
        with self.assuming(*obligation.given):
            try:
                return self.compare(Node(obligation.shows))
            except Rejected as error:
                raise Rejected(f"a term of the statement is not shown to be defined: {error}") from error

    def _reached(self, ends: Sequence[Judgement]) -> set[int]:
        kept: set[int] = set()
        stack = list(ends)
        while stack:
            judgement = stack.pop()
            if judgement.number in kept:
                continue
            kept.add(judgement.number)
            step = self.steps[judgement.number]
            stack += step.premises
            stack += step.data.get("facts", ())
            stack += step.data.get("rewrites", ())
            stack += [j for _, j in step.data.get("combo", ())]
        return kept


def _inverted(normaliser: Normaliser, nodes: Sequence[Node]) -> Iterator[Scalar]:
    """The arguments of inv as they are written, definitions unfolded unless they are opaque."""
    for node in nodes:
        if node[0] == "inv":
            yield Scalar(node[1])
        if node[0] in ("def", "vdef") and node[1] not in normaliser.opaque:
            yield from _inverted(normaliser, [unfold(node, normaliser.signature)])
        yield from _inverted(normaliser, list(children(node)))


def _clearable(normaliser: Normaliser, rest: Poly, written: Sequence[Scalar]) -> tuple[Scalar, int] | None:
    """An inverse in the residue, without bound indices, whose argument is known not to vanish; with its top power."""
    powers: dict[Any, int] = {}
    for key in rest:
        for atom, power in key[2]:
            bound = names_in(atom) & set(key[0])
            if atom[0] == "inv" and not bound and normaliser.facts.sign(thaw(atom[1])) in (">", "<", "!="):
                powers[atom] = max(powers.get(atom, 0), power)
    for atom in sorted(powers, key=repr):
        text = repr(atom)
        for term in written if any(f"('{tag}'," in text for tag in ("root", "int", "opnorm")) else ():
            # As the author wrote it: what is raised from a normal form cannot name roots and integrals.
            inverse = normaliser.inverse(normaliser.scalar(term))
            if any(a == atom for key in inverse for a, _ in key[2]) and len(inverse) == 1:
                return term, powers[atom]
        return raised(thaw(atom[1])), powers[atom]
    return None


def _step_json(step: Step, numbers: Mapping[int, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "rule": step.rule,
        "given": list(step.judgement.given),
        "shows": step.judgement.shows,
        "from": [numbers[p.number] for p in step.premises],
    }
    for key, value in step.data.items():
        if key in ("facts", "rewrites"):
            result[key] = [numbers[j.number] for j in value]
        elif key == "combo":
            result[key] = [[t, numbers[j.number]] for t, j in value]
        elif key == "den":
            result[key] = [[t, k] for t, k in value]
        elif key not in ("distinct", "trace"):
            result[key] = value
    return result


ProofFunction = Callable[[Proof], None]

__all__ = ["Proof", "ProofFunction", "algebra", "analysis", "logic", "solutions"]
