"""Witnesses: concrete rational models that certify or refute a statement (`docs/kernel.md`, section 6).

`certify` turns a model into a certificate or says which formula stands in the way; `search` looks for the smallest
model. A witness refutes a false statement, shows that a hypothesis is needed (an ablation: that hypothesis fails, all
others hold, and so does the opposite of the statement), shows existence, or shows that a ground is not empty.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Literal, TypeAlias

from antumbra.proofs.kernel import models
from antumbra.proofs.kernel.candidates import Builder, Choices, ImpossibleError
from antumbra.proofs.kernel.evaluate import EvaluationError, Model, evaluate_formula
from antumbra.proofs.kernel.signature import Signature, free_symbols
from antumbra.proofs.kernel.terms import Formula

Sense: TypeAlias = Literal["holds", "fails"]


class WitnessError(ValueError):
    """A model is not the witness it is said to be; the message names the formula in the way."""


@dataclass(frozen=True)
class Ground:
    """What a part assumes.

    Args:
        signature: the setting.
        hypotheses: names of the hypotheses.
        domain: the domain formulas.
    """

    signature: Signature
    hypotheses: tuple[str, ...] = ()
    domain: tuple[Formula, ...] = ()

    @cached_property
    def names(self) -> models.Signature:
        """The same setting as the evaluator reads it."""
        return models.Signature.of(self.signature.objects.values())

    def formulas(self, drops: Iterable[str] = ()) -> Iterator[tuple[str, Any]]:
        """The formulas with what to call them, without the dropped hypotheses."""
        dropped = set(drops)
        for name in self.hypotheses:
            if name not in dropped:
                yield f"hypothesis {name!r}", self.signature.hypotheses[name]
        for number, formula in enumerate(self.domain):
            yield f"domain formula {number}", formula

    def symbols(self, statement: Any = None) -> frozenset[str]:
        """The symbols that need a value for the ground and the statement."""
        formulas = [self.signature.hypotheses[name] for name in self.hypotheses] + list(self.domain)
        if statement is not None:
            formulas.append(statement)
        free = frozenset().union(*(free_symbols(formula, self.signature) for formula in formulas))
        return frozenset(name for name in free if name in self.names.symbols and name != "e")


def check_ground(ground: Ground, model: Model, drops: Sequence[str] = ()) -> None:
    """The model satisfies every formula of the ground but the dropped hypotheses, which fail in it.

    Raises:
        WitnessError: it does not, or that could not be decided; the message names the formula.
    """
    unknown = [name for name in drops if name not in ground.hypotheses]
    if unknown:
        raise WitnessError(f"{unknown} cannot be dropped; the hypotheses are {list(ground.hypotheses)}")
    try:
        model.check(ground.names)
        for label, formula in ground.formulas(drops):
            _demand(ground, model, formula, label, wanted=True)
        for name in drops:
            _demand(ground, model, ground.signature.hypotheses[name], f"dropped hypothesis {name!r}", wanted=False)
    except EvaluationError as error:
        raise WitnessError(f"the model cannot be used: {error}") from error


def certify(
    ground: Ground,
    statement: Any,
    model: Model,
    *,
    sense: Sense,
    claim: str,
    part: str,
    drops: Sequence[str] = (),
) -> dict[str, Any]:
    """The witness certificate for a model.

    Args:
        ground: hypotheses and domain of the part.
        statement: the part's statement; its free indices are read as "for all".
        model: values of all symbols that the ground and the statement reach; others are left out of the certificate.
        sense: does the statement hold in the model, or fail?
        claim: id of the claim.
        part: name of the part.
        drops: hypotheses that must fail in the model.

    Raises:
        WitnessError: a formula of the ground fails or is undecided, a dropped hypothesis holds or is undecided, or
        the statement is
            not decided as `sense` says.
    """
    if sense not in ("holds", "fails"):
        raise WitnessError(f"the sense {sense!r} must be 'holds' or 'fails'")
    model = model.restricted(ground.symbols(statement))
    check_ground(ground, model, drops)
    try:
        _demand(ground, model, statement, "statement", wanted=sense == "holds")
    except EvaluationError as error:
        raise WitnessError(f"the statement cannot be evaluated: {error}") from error
    return {
        "kind": "witness",
        "claim": claim,
        "part": part,
        "setting": ground.signature.digest([statement, *ground.domain], ground.hypotheses),
        "sense": sense,
        "drops": list(drops),
        "model": model.to_json(),
    }


def _demand(ground: Ground, model: Model, formula: Any, label: str, *, wanted: bool) -> None:
    result = evaluate_formula(ground.names, model, formula)
    if result is None:
        raise WitnessError(f"the {label} is undecided in this model")
    if result != wanted:
        raise WitnessError(f"the {label} {'holds' if result else 'fails'} in this model")


@dataclass(frozen=True)
class Search:
    """How to search.

    Args:
        seconds: time limit. The search is deterministic as long as it is not reached.
        seed: of the random choices.
        rounds: how often all sizes are gone through, with more tries each time.
        largest: bounds of (token, head, axis).
        smallest: lower bounds of the same.
    """

    seconds: float = 10.0
    seed: int = 1
    rounds: int = 4
    largest: tuple[int, int, int] = (3, 3, 3)
    smallest: tuple[int, int, int] = (1, 1, 1)

    def sizes(self) -> list[dict[str, int]]:
        """All sizes, the smallest total first."""
        ranges = [range(low, high + 1) for low, high in zip(self.smallest, self.largest, strict=True)]
        ordered = sorted(product(*ranges), key=lambda s: (sum(s), s[0] * s[1] * s[2], s))
        return [{"token": n, "head": h, "axis": d} for n, h, d in ordered]


def search(
    ground: Ground,
    statement: Any | None,
    *,
    sense: Sense = "holds",
    drops: Sequence[str] = (),
    also: Sequence[Any] = (),
    plan: Search | None = None,
) -> Model | None:
    """The smallest model found in which the ground holds and the statement holds or fails; `None` if none was found.

    Without a statement, a model of the ground alone. Finding none proves nothing.

    Args:
        ground: hypotheses and domain of the part.
        statement: the part's statement, or `None`.
        sense: should the statement hold in the model, or fail?
        drops: hypotheses that must fail in the model.
        also: formulas that should hold as well, to keep the model from being a dull one; not part of any certificate.
        plan: time, seed and sizes.
    """
    plan = plan or Search()
    hunt = _Hunt(ground, statement, sense, tuple(drops), tuple(also))
    deadline = time.monotonic() + plan.seconds
    sizes = [size for size in plan.sizes() if hunt.fits(size)]
    for number in range(plan.rounds):
        tries = 10 * 4**number
        for position, size in enumerate(sizes):
            found = _one_size(hunt, size, f"{plan.seed}/{number}", tries, deadline)
            if found is not None:
                # Once more through the smaller sizes, which may have been unlucky.
                again = (_one_size(hunt, s, f"{plan.seed}/again", tries, deadline) for s in sizes[:position])
                return next((smaller for smaller in again if smaller is not None), found)
    return None


def _one_size(hunt: _Hunt, size: dict[str, int], seed: str, tries: int, deadline: float) -> Model | None:
    generator = random.Random(f"{seed}/{sorted(size.items())}")
    for attempt in range(tries):
        if time.monotonic() > deadline:
            return None
        choices = Choices((), None if attempt == 0 else generator)
        if hunt.accepts(size, choices):
            return hunt.simplified(size, choices.made, deadline)
    return None


class _Hunt:
    def __init__(
        self, ground: Ground, statement: Any | None, sense: Sense, drops: tuple[str, ...], also: tuple[Any, ...]
    ) -> None:
        self.ground = ground
        self.statement = statement
        self.wanted = sense == "holds"
        self.drops = drops
        self.formulas = [*(formula for _, formula in ground.formulas(drops)), *also]
        symbols = ground.symbols(statement).union(*(Ground(ground.signature).symbols(formula) for formula in also))
        self.builder = Builder(ground.names, symbols, self.formulas)
        self.model: Model | None = None

    def fits(self, size: dict[str, int]) -> bool:
        """Do the formulas that speak of sizes alone hold?"""
        model = Model(size)
        closed = [f for f in self.formulas if not free_symbols(f, self.ground.signature)]
        return self.builder.allows(size) and all(
            evaluate_formula(self.ground.names, model, f) is not False for f in closed
        )

    def accepts(self, size: dict[str, int], choices: Choices) -> bool:
        """Is the model of these choices a witness? It is kept in `model`."""
        names = self.ground.names
        try:
            model = self.builder.build(size, choices)
            model.check(names)
            good = all(evaluate_formula(names, model, formula, last_precision=256) is True for formula in self.formulas)
            good = good and all(
                evaluate_formula(names, model, self.ground.signature.hypotheses[name], last_precision=256) is False
                for name in self.drops
            )
            if good and self.statement is not None:
                good = evaluate_formula(names, model, self.statement, last_precision=256) is self.wanted
        except (ImpossibleError, EvaluationError):
            return False
        if good:
            self.model = model
        return good

    def simplified(self, size: dict[str, int], made: list[int], deadline: float) -> Model:
        """The witness with its choices lowered one by one as long as it stays a witness."""
        assert self.model is not None
        best, simplest = list(made), self.model
        improved = True
        while improved and time.monotonic() < deadline:
            improved = False
            for position, choice in enumerate(best):
                for lower in sorted({0, choice // 2, choice - 1} - {choice, -1}):
                    trial = Choices([*best[:position], lower, *best[position + 1 :]])
                    if time.monotonic() < deadline and self.accepts(size, trial) and _simpler(trial.made, best):
                        best, simplest, improved = trial.made, self.model, True
                        break
                if improved:
                    break
        return simplest


def _simpler(first: Sequence[int], second: Sequence[int]) -> bool:
    return (len(first), sum(first), list(first)) < (len(second), sum(second), list(second))
