"""A search for counterexamples of any statement built of comparisons, within its hypotheses.

Method: for sizes from the smallest up, families of models that meet the relations among the hypotheses are drawn
(`antumbra.numerics.families`); the other hypotheses and the domain are margins of their own, and a point counts only
where they hold. At many points at once the statement's margin is evaluated with its rounding bound
(`antumbra.numerics.evaluate_terms`), and the points of least margin, measured in units of that bound, are moved by
Gaussian steps that shrink. A point where the margin is below minus its bound is made rational, as simple as it goes,
and handed to the kernel as a witness; only what the kernel confirms is a refutation.

Starts depend on the seed, the hypotheses and the sampler alone, never on the claim.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from antumbra.numerics.evaluate_terms import Evaluator, Models, UnsupportedTermError, bound_names
from antumbra.numerics.families import Family, ImpossibleFamilyError, Relations, rounding_of
from antumbra.numerics.registry import RunContext
from antumbra.proofs.claim import Evidence, Kind, Outcome, Part, Quantifier
from antumbra.proofs.kernel.witness import (  # type: ignore[attr-defined]  # the one door to the kernel
    Ground,
    Model,
    Signature,
    WitnessError,
    certify,
)

Array = npt.NDArray[np.float64]

SPECIAL = np.array([0, 1, -1, 0.5, -0.5, 1 / 3, -1 / 3, 2, -2, 2 / 3, 3, -3, 0.75, 0.2])
"""Values that starts take often: edges, branch points, dyadic and other rationals."""
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 24, 60, 120, 1000, 10**5, 10**8)
SIMPLEST = tuple(
    Fraction(top, bottom)
    for top, bottom in (
        (0, 1),
        (1, 1),
        (-1, 1),
        (1, 2),
        (-1, 2),
        (2, 1),
        (-2, 1),
        (1, 3),
        (-1, 3),
        (3, 1),
        (1, 4),
        (3, 2),
    )
)
GENERATIONS = 24


@dataclass(frozen=True)
class Plan:
    """How long and how wide a search is.

    Attributes:
        seconds: wall-clock limit; it only ends the search, what is tried until then does not depend on it.
        points: starts per family.
        families: families per size and round.
        rounds: how often all sizes are gone through.
        largest: bounds of (token, head, axis).
    """

    seconds: float = 10.0
    points: int = 64
    families: int = 3
    rounds: int = 3
    largest: tuple[int, int, int] = (3, 3, 3)

    def sizes(self) -> list[dict[str, int]]:
        """All sizes, the smallest total first."""
        ordered = sorted(product(*(range(1, top + 1) for top in self.largest)), key=lambda s: (sum(s), max(s), s))
        return [{"token": n, "head": h, "axis": d} for n, h, d in ordered]


@dataclass(frozen=True, eq=False)
class Found:
    """A float point that violates the statement beyond rounding.

    Attributes:
        family, point: the model.
        margin, slack: of the statement there.
    """

    family: Family
    point: Array
    margin: float
    slack: float


@dataclass(frozen=True, eq=False)
class Hunt:
    """What a search came to.

    Attributes:
        tried: points tried. met: those that met the hypotheses. decided: those with a margin that is a number.
        worst: the least margin among them, in units of its rounding bound; infinite if there was none.
        worst_margin: that margin itself.
        model: the confirmed counterexample, as simple as it was made.
        certificate: its witness certificate.
        unconfirmed: float violations that the kernel did not confirm.
        finished: whether all rounds were done before the time was over.
    """

    tried: int
    met: int
    decided: int
    worst: float
    worst_margin: float
    model: Model | None
    certificate: Mapping[str, Any] | None
    unconfirmed: int
    finished: bool


class _Target:
    """A statement under its ground, evaluated over families."""

    def __init__(self, ground: Ground, statement: Any, drops: Sequence[str]) -> None:
        self.ground = ground
        self.statement = statement
        self.drops = tuple(drops)
        self.names = ground.names
        self.formulas = [formula for _, formula in ground.formulas(drops)]
        self.relations = Relations.of(self.formulas)
        wanted = set(ground.symbols(statement)) | set(bound_names(statement))
        for name in list(wanted):
            wanted |= self._companions(name)
        self.symbols = {name: self.names.symbols[name] for name in wanted if name in self.names.symbols and name != "e"}
        self.rest = [formula for formula in self.formulas if not _built_in(formula)]

    def _companions(self, name: str) -> set[str]:
        """Symbols that the construction of an operator needs."""
        found = {second for first, second in self.relations.same if first == name}
        if name in self.relations.scalar:
            found.add(self.relations.scalar[name])
        if name in self.relations.scaled:
            found |= {self.relations.scaled[name][1], *_symbols_of(self.relations.scaled[name][0])}
        return found

    def models(self, family: Family, points: Array) -> Models:
        """The models at points, bounded symbols raised to what bounds them."""
        built = family.build(points)
        symbols: dict[str, tuple[Array, Array]] = {}
        for name, value in built.items():
            floats = np.asarray(value, dtype=np.float64)
            symbols[name] = (floats, rounding_of(floats, points, family.sizes))
        models = Models(family.sizes, symbols)
        for name, term in self.relations.bounds:
            if name not in symbols:
                continue
            margin, slack = Evaluator(self.names.definitions, self.names.flows, models).least_bound(name, term)
            raised = np.maximum(margin + slack, 0.0)
            raised = raised * (1 + 2.0**-30) if family.tight else np.maximum(raised * (1 + 2.0**-30), symbols[name][0])
            raised = np.where(np.isfinite(raised), raised, np.nan)
            symbols[name] = (raised, np.zeros_like(raised))
            models = Models(family.sizes, symbols)
        return models

    def margins(self, family: Family, points: Array) -> tuple[Array, Array]:
        """Margin and slack of the statement, not a number outside the hypotheses."""
        with np.errstate(all="ignore"):
            models = self.models(family, points)
            evaluator = Evaluator(self.names.definitions, self.names.flows, models)
            inside = np.ones(len(points), dtype=bool)
            for formula in self.rest:
                margin, slack = evaluator.formula(formula)
                inside &= _met(formula, margin, slack)
            for name in self.drops:
                # A dropped hypothesis has to fail at the point; that of relations is left to the kernel.
                formula = self.names.hypotheses[name]
                if not _built_in(formula):
                    margin, slack = evaluator.formula(formula)
                    inside &= margin < -slack
            margin, slack = evaluator.formula(self.statement)
        usable = inside & np.isfinite(margin) & np.isfinite(slack)
        return np.where(usable, margin, np.nan), np.where(inside, slack, np.nan)

    def exact(self, family: Family, point: Sequence[Fraction]) -> Model:
        """The exact model at a rational point."""
        row = np.empty((1, len(point)), dtype=object)
        row[0, :] = list(point)
        built = family.build(row)
        floats = np.array([[float(entry) for entry in point]])
        parts: dict[str, dict[str, Any]] = {"scalar": {}, "vector": {}, "operator": {}}
        for name, value in built.items():
            parts[self.symbols[name].type][name] = _nested(value[0])
        if self.relations.bounds:
            raised = self.models(family, floats).symbols
            for name, _ in self.relations.bounds:
                if name in raised:
                    parts["scalar"][name] = Fraction(float(raised[name][0].reshape(-1)[0]))
        return Model(dict(family.sizes), parts["scalar"], parts["vector"], parts["operator"])


def _built_in(formula: Any) -> bool:
    """Whether families meet a formula by construction."""
    relations = Relations.of([formula])
    if formula[0] == "and":
        return all(_built_in(part) for part in formula[1:])
    return formula[0] in _BY_CONSTRUCTION or bool(relations.equal or relations.bounds)


_BY_CONSTRUCTION = frozenset(
    (
        "unit",
        "symmetric",
        "same_operator",
        "orthogonal_operators",
        "scalar_operator",
        "scaled_operator",
        "projector",
        "resolution",
        "gram",
        "single",
    )
)


def _met(formula: Any, margin: Array, slack: Array) -> npt.NDArray[np.bool_]:
    """Whether a hypothesis holds: beyond doubt, or as well as floats can tell where it demands an equality."""
    tags = _tags(formula)
    if tags & {"eq", "veq"}:
        return margin >= -slack
    return margin > slack if tags & {"gt", "lt", "ne"} else margin >= slack


def _tags(formula: Any) -> frozenset[str]:
    """The tags of comparisons in a formula."""
    if not isinstance(formula, list | tuple) or not formula:
        return frozenset()
    if formula[0] in ("eq", "veq", "gt", "lt", "ne", "ge", "le"):
        return frozenset({formula[0]})
    return frozenset().union(*(_tags(part) for part in formula[1:]))


def _symbols_of(term: Any) -> set[str]:
    if not isinstance(term, list | tuple) or not term:
        return set()
    own = {term[1]} if term[0] == "s" else set()
    return own.union(*(_symbols_of(part) for part in term[1:]))


def _nested(value: Any) -> Any:
    """An object array, or a single fraction, as nested tuples of fractions."""
    if isinstance(value, np.ndarray):
        return tuple(_nested(part) for part in value) if value.ndim else Fraction(value.item())
    return Fraction(value)


def _starts(rng: np.random.Generator, count: int, dimension: int) -> Array:
    """Points whose coordinates are special values or normal ones of several scales."""
    scales = rng.choice([0.1, 0.5, 1.0, 2.0], size=(count, 1))
    normal = scales * rng.standard_normal((count, dimension))
    special = rng.choice(SPECIAL, size=(count, dimension))
    share = rng.choice([0.0, 0.3, 0.7, 1.0], size=(count, 1))
    return np.asarray(np.where(rng.random((count, dimension)) < share, special, normal))


class _Search:
    def __init__(self, target: _Target, rng: np.random.Generator, plan: Plan, deadline: float) -> None:
        self.target, self.rng, self.plan, self.deadline = target, rng, plan, deadline
        self.tried = self.met = self.decided = 0
        self.worst, self.worst_margin = math.inf, math.inf

    def late(self) -> bool:
        return time.monotonic() > self.deadline

    def scores(self, family: Family, points: Array) -> tuple[Array, Array, Array]:
        """Margins in units of their rounding bounds (infinite where they do not count), margins, slacks."""
        margin, slack = self.target.margins(family, points)
        known = np.isfinite(margin)
        self.tried += len(points)
        self.met += int((~np.isnan(slack)).sum())
        self.decided += int(known.sum())
        with np.errstate(divide="ignore", invalid="ignore"):
            score = np.where(known, margin / slack, np.inf)
        score = np.where(np.isnan(score), 0.0, score)
        place = int(np.argmin(score))
        if score[place] < self.worst:
            self.worst, self.worst_margin = float(score[place]), float(margin[place])
        return score, margin, slack

    def families(self, allowed: Sequence[dict[str, int]]) -> Iterator[Family]:
        """Families from the smallest sizes up, round by round."""
        for _ in range(self.plan.rounds):
            for sizes in allowed:
                for _ in range(self.plan.families):
                    try:
                        yield Family(self.target.symbols, self.target.relations, sizes, self.rng)
                    except ImpossibleFamilyError:
                        continue

    def run(self, allowed: Sequence[dict[str, int]]) -> Iterator[Found]:
        """Violations beyond rounding among models of these sizes, as they are met."""
        for family in self.families(allowed):
            if self.late():
                return
            points = _starts(self.rng, self.plan.points, family.parameters)
            scores, margins, slacks = self.scores(family, points)
            yield from self._violations(family, points, scores, margins, slacks)
            yield from self._descend(family, points, scores)

    def _violations(
        self, family: Family, points: Array, scores: Array, margins: Array, slacks: Array
    ) -> Iterator[Found]:
        for place in np.argsort(scores, kind="stable")[:3]:
            if scores[place] < -1:
                yield Found(family, points[place], float(margins[place]), float(slacks[place]))

    def _descend(self, family: Family, points: Array, scores: Array) -> Iterator[Found]:
        """Move the best points; a quarter of the batch survives."""
        if family.parameters == 0 or not np.isfinite(scores).any():
            return
        count = max(4, self.plan.points // 8)
        chosen = np.argsort(scores, kind="stable")[:count]
        parents, parent_scores = points[chosen], scores[chosen]
        width = 0.5
        for _ in range(GENERATIONS):
            if self.late():
                return
            mask = self.rng.random((count, 8, family.parameters)) < max(0.3, 1 / family.parameters)
            steps = width * self.rng.standard_normal((count, 8, family.parameters)) * mask
            children = (parents[:, None] + steps).reshape(-1, family.parameters)
            child_scores, margins, slacks = self.scores(family, children)
            violations = list(self._violations(family, children, child_scores, margins, slacks))
            if violations:
                yield from violations
                return
            grouped = child_scores.reshape(count, 8)
            first, rows = np.argmin(grouped, axis=1), np.arange(count)
            better = grouped[rows, first] < parent_scores
            parents[better] = children.reshape(count, 8, -1)[rows, first][better]
            parent_scores[better] = grouped[rows, first][better]
            width *= 1.0 if better.mean() > 0.3 else 0.6


def hunt(
    ground: Ground,
    statement: Any,
    rng: np.random.Generator,
    *,
    claim: str = "hunt",
    part: str = "statement",
    drops: Sequence[str] = (),
    plan: Plan | None = None,
) -> Hunt:
    """Search a model in which the ground holds (without the dropped hypotheses, which fail) and the statement fails.

    Args:
        ground: setting, hypotheses and domain.
        statement: the formula under attack.
        rng: the source of all randomness.
        claim: id, for the certificate.
        part: the part's name, for the certificate.
        drops: hypotheses to remove.
        plan: time and width.

    Raises:
        UnsupportedTermError: the statement or a hypothesis needs exact evaluation.
    """
    plan = plan or Plan()
    target = _Target(ground, statement, drops)
    search = _Search(target, rng, plan, time.monotonic() + plan.seconds)
    unconfirmed = 0
    model: Model | None = None
    certificate: Mapping[str, Any] | None = None
    for found in search.run(search.plan.sizes()):
        confirmed = _confirmed(target, found, claim, part, search)
        if confirmed is None:
            unconfirmed += 1
            if unconfirmed >= 16:
                break
            continue
        model, certificate = confirmed
        # Sizes that were passed over may only have been unlucky: once more through the smaller ones.
        smaller = [sizes for sizes in plan.sizes() if _no_larger(sizes, found.family.sizes)]
        for again in search.run(smaller):
            simpler = _confirmed(target, again, claim, part, search)
            if simpler is not None:
                model, certificate = simpler
                break
        break
    return Hunt(
        search.tried,
        search.met,
        search.decided,
        search.worst,
        search.worst_margin,
        model,
        certificate,
        unconfirmed,
        finished=not search.late(),
    )


def _no_larger(first: Mapping[str, int], second: Mapping[str, int]) -> bool:
    """Whether sizes are another's or less in each sort, and less in one."""
    return first != second and all(first[sort] <= second[sort] for sort in first)


def _confirmed(
    target: _Target, found: Found, claim: str, part: str, search: _Search
) -> tuple[Model, Mapping[str, Any]] | None:
    """The simplest rational model near a float violation that the kernel confirms, with its certificate."""

    def tried(point: Sequence[Fraction]) -> tuple[Model, Mapping[str, Any]] | None:
        try:
            model = target.exact(found.family, point)
            certificate = certify(
                target.ground,
                target.statement,
                model,
                sense="fails",
                claim=claim,
                part=part,
                drops=target.drops,
            )
        except (WitnessError, ZeroDivisionError):
            return None
        return model, certificate

    def promising(point: Sequence[Fraction]) -> bool:
        margin, slack = target.margins(found.family, np.array([[float(entry) for entry in point]]))
        return bool(margin[0] < -slack[0])

    floats = [float(entry) for entry in found.point]
    best: list[Fraction] | None = None
    result: tuple[Model, Mapping[str, Any]] | None = None
    candidates = [[Fraction(entry).limit_denominator(bound) for entry in floats] for bound in DENOMINATORS]
    for candidate in [*candidates, [Fraction(entry) for entry in floats]]:
        if promising(candidate):
            result = tried(candidate)
            if result is not None:
                best = candidate
                break
    if best is None or result is None:
        return None
    # One coordinate after the other is made as simple as the violation allows.
    for place in range(len(best)):
        for simple in SIMPLEST:
            if search.late() or simple == best[place]:
                break
            candidate = [*best[:place], simple, *best[place + 1 :]]
            if promising(candidate):
                simpler = tried(candidate)
                if simpler is not None:
                    best, result = candidate, simpler
                    break
    return result


def attack_part(
    claim: str, part: Part, signature: Signature, context: RunContext, drops: Sequence[str] = ()
) -> Evidence:
    """Attack one part of a claim and report.

    PASS: points met the hypotheses and none refutes. FAIL: a counterexample that the kernel confirms. VACUOUS: no point
    met the hypotheses, or none had a margin. UNDECIDED: floats refute and the kernel does not confirm. NOT_RUN: the
    statement cannot be evaluated in floats.
    """
    if part.quantifier is not Quantifier.UNIVERSAL:
        return Evidence(Kind.ATTACK, Outcome.NOT_RUN, "Nothing to attack: the assertion is not about all parameters.")
    if part.statement is None:
        return Evidence(Kind.ATTACK, Outcome.NOT_RUN, "The assertion has no formula yet.")
    budget = context.budget
    plan = Plan(
        seconds=budget.seconds,
        points=2 * budget.restarts,
        families=2,
        rounds=1 if context.profile == "quick" else 2,
        largest=(min(3, budget.largest_n), min(3, budget.largest_heads), min(3, budget.largest_d)),
    )
    ground = Ground(signature, part.hypotheses, cast("Any", part.domain))
    # Not the claim's own stream: no claim has starts made for it.
    rng = context.for_claim("").rng(f"attack:{','.join(sorted(set(part.hypotheses) - set(drops)))}")
    try:
        result = hunt(ground, part.statement, rng, claim=claim, part=part.name, drops=drops, plan=plan)
    except UnsupportedTermError as error:
        return Evidence(Kind.ATTACK, Outcome.NOT_RUN, f"Not attacked: {error}.")
    data: dict[str, Any] = {"tried": result.tried, "met_the_hypotheses": result.met, "decided": result.decided}
    if math.isfinite(result.worst):
        data |= {"worst_margin": _decimal(result.worst_margin), "worst_in_rounding_units": _decimal(result.worst)}
    if result.certificate is not None:
        return Evidence(
            Kind.ATTACK, Outcome.FAIL, "A counterexample, confirmed exactly.", data, certificate=result.certificate
        )
    if result.unconfirmed:
        return Evidence(
            Kind.ATTACK,
            Outcome.UNDECIDED,
            f"{result.unconfirmed} points violate the statement in floats and are not confirmed exactly.",
            data,
        )
    if result.decided == 0:
        return Evidence(Kind.ATTACK, Outcome.VACUOUS, f"None of {result.tried:,} points met the hypotheses.", data)
    return Evidence(
        Kind.ATTACK, Outcome.PASS, f"None of {result.decided:,} points within the hypotheses refutes it.", data
    )


def _decimal(number: float) -> str:
    """A float for the ledger, which holds none: a short decimal string."""
    return f"{number:.6g}"
