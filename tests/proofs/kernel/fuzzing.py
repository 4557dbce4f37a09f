"""Normal forms under fire: random terms and random pairs, with the evaluator as referee.

A normal form is read back as a term and both terms are evaluated at models of the ground; where the values differ,
the normal form is wrong. A pair that a normal form calls equal must be equal at every model. Both are tried on the
kernel's and on the checker's.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import disguise
import readback
from antumbra.proofs import checker
from antumbra.proofs.kernel.evaluate import Model, UndecidedError, UndefinedError, evaluate_scalar
from antumbra.proofs.kernel.normal import Normaliser, Refusal
from antumbra.proofs.kernel.signature import Signature as KernelSignature
from flint import arb
from terms_strategy import GROUNDS, OBJECTS, SIGNATURE, Ground, TermMaker, models, places, reduce

MODES = ("all", "plain", "functions")
OPAQUE: tuple[tuple[str, ...], ...] = ((), (), ("score", "f"), ("g0", "V", "U"))
REFUSALS = (Refusal, checker.Rejected)
"""A normal form may refuse a term; it may not be wrong."""


def lists(value: Any) -> Any:
    """Tuples as lists, as they stand in a certificate."""
    if isinstance(value, Mapping):
        return {key: lists(part) for key, part in value.items()}
    return [lists(part) for part in value] if isinstance(value, list | tuple) else value


class Side(Protocol):
    """One implementation of the normal form, under a ground."""

    def __init__(self, ground: Ground, opaque: Sequence[str] = ()) -> None: ...

    def read_back(self, term: Any) -> tuple[Any, Iterable[str]]:
        """The normal form as a term, and the names of indices that stand for the only one of a sort."""
        ...

    def equal(self, left: Any, right: Any) -> bool: ...


class KernelSide:
    _signature = KernelSignature(OBJECTS)

    def __init__(self, ground: Ground, opaque: Sequence[str] = ()) -> None:
        facts = [(fact, schematic, number) for number, (fact, schematic) in enumerate(ground.facts)]
        self._normaliser = Normaliser(self._signature, ground.relations, facts, ground.distinct, opaque)

    def read_back(self, term: Any) -> tuple[Any, Iterable[str]]:
        reader = readback.Kernel()
        return reader.scalar(self._normaliser.scalar(term)), reader.names.unbound()

    def equal(self, left: Any, right: Any) -> bool:
        return not self._normaliser.difference(left, right)


class CheckerSide:
    _setting = checker.Setting(lists(OBJECTS))

    def __init__(self, ground: Ground, opaque: Sequence[str] = ()) -> None:
        self._ring = checker.Ring(
            self._setting,
            ground.relations,
            tuple(checker.Fact(fact, schematic) for fact, schematic in ground.facts),
            opaque=frozenset(opaque),
            distinct=frozenset(frozenset(pair) for pair in ground.distinct),
        )

    def read_back(self, term: Any) -> tuple[Any, Iterable[str]]:
        reader = readback.Checker()
        return reader.scalar(self._ring.scalar(self._read(term))), reader.names.unbound()

    def equal(self, left: Any, right: Any) -> bool:
        return self._ring.zero(self._read(left), self._read(right))

    def _read(self, term: Any) -> Any:
        return self._setting.read(lists(term), "S")


SIDES: dict[str, type[Side]] = {"kernel": KernelSide, "checker": CheckerSide}


@lru_cache
def pool(name: str, largest: int = 2) -> tuple[Model, ...]:
    """Models of a ground, the same in every run."""
    ground = next(ground for ground in GROUNDS if ground.name == name)
    found = tuple(models(ground, random.Random(name), 12, largest))
    assert len(found) == 12, f"only {len(found)} models of {name!r}"
    return found


def value(model: Model, term: Any, place: Mapping[str, int]) -> Fraction | arb | None:
    """The value of a term, or `None` where it has none that the evaluator knows."""
    try:
        return evaluate_scalar(SIGNATURE, model, term, indices=place, precision=192)
    except (UndefinedError, UndecidedError):
        return None


def different(a: Fraction | arb | None, b: Fraction | arb | None) -> bool | None:
    """Do two values differ for certain? `None` if the balls are too wide to say that they agree."""
    if a is None or b is None:
        return None
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a != b
    first, second = (x if isinstance(x, arb) else arb(x.numerator) / x.denominator for x in (a, b))
    if not (first.is_finite() and second.is_finite()):
        return None
    if not first.overlaps(second):
        return True
    return False if (first - second).rad() < arb(10) ** -6 else None


@dataclass(frozen=True)
class Case:
    """A term to try: where, and which definitions stay folded."""

    ground: Ground
    term: Any
    opaque: tuple[str, ...]
    seed: int

    def points(self, count: int = 3) -> list[tuple[Model, dict[str, int]]]:
        generator = random.Random(self.seed)
        chosen = generator.sample(pool(self.ground.name), count)
        return [(model, places(self.ground, model, generator)) for model in chosen]


def cases(ground: Ground, count: int, seed: int, size: int = 9) -> Iterable[Case]:
    """Random cases of a ground, the same for a seed."""
    generator = random.Random(f"{ground.name}/{seed}")
    for number in range(count):
        maker = TermMaker(generator, mode=generator.choice(MODES))
        yield Case(ground, maker.scalar(generator.randint(2, size)), generator.choice(OPAQUE), number)


@dataclass
class Tally:
    """What a run of the fuzz saw."""

    compared: int = 0
    refused: int = 0
    unknown: int = 0
    equal: int = 0
    unequal: int = 0
    incomplete: int = 0
    disagreements: int = 0
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)


def mismatch(side: type[Side], case: Case) -> str | None:
    """How the normal form of a case differs in value from its term, or `None`.

    Raises:
        REFUSALS: the term has no normal form.
    """
    back, alone = side(case.ground, case.opaque).read_back(case.term)
    for model, place in case.points():
        expected = value(model, case.term, place)
        if expected is None:
            continue
        found = value(model, back, {**dict.fromkeys(alone, 0), **place})
        if different(expected, found):
            return f"{case.ground.name}, opaque {case.opaque}: {case.term} is {expected}, read back {back} is {found}"
    return None


def smallest_mismatch(side: type[Side], case: Case) -> str:
    """The same for a term made as small as it gets."""

    def fails(term: Any) -> bool:
        try:
            return mismatch(side, Case(case.ground, term, case.opaque, case.seed)) is not None
        except REFUSALS:
            return False

    smallest = Case(case.ground, reduce(case.term, fails, limit=500), case.opaque, case.seed)
    return mismatch(side, smallest) or "gone"


def judge_terms(side: type[Side], todo: Iterable[Case]) -> Tally:
    """Read back each normal form and compare values."""
    tally = Tally()
    for case in todo:
        try:
            found = mismatch(side, case)
        except REFUSALS as refusal:
            tally.refused += 1
            tally.kinds[str(refusal)[:40]] += 1
            continue
        tally.compared += 1
        if found is not None:
            tally.wrong.append(smallest_mismatch(side, case))
            if len(tally.wrong) == 3:
                break
    return tally


def pairs(todo: Iterable[Case], seed: int) -> Iterable[tuple[Case, Any, bool]]:
    """Each case with a rewritten neighbour, and whether only true rewrites were used."""
    generator = random.Random(seed)
    for case in todo:
        other, changed = case.term, False
        for _ in range(generator.randint(1, 4)):
            step = disguise.rewritten(other, disguise.TRUE, generator)
            if step is not None:
                other, changed = step[1], True
        true = generator.randrange(2) == 0
        if not true:
            step = disguise.rewritten(other, disguise.FALSE, generator)
            if step is None:
                continue
            other, changed = step[1], True
        if changed:
            yield case, other, true


def judge_pairs(sides: Mapping[str, type[Side]], todo: Iterable[tuple[Case, Any, bool]]) -> Tally:
    """Ask each side whether the terms are equal; none may say so where their values differ."""
    tally = Tally()
    for case, other, true in todo:
        verdicts: dict[str, bool] = {}
        for name, side in sides.items():
            try:
                verdicts[name] = side(case.ground).equal(case.term, other)
            except REFUSALS:
                tally.refused += 1
        if not verdicts:
            continue
        tally.compared += 1
        values = [different(value(m, case.term, p), value(m, other, p)) for m, p in case.points()]
        differ = any(values)
        tally.unequal += differ
        tally.equal += any(verdicts.values())
        if true and differ:
            tally.wrong.append(f"the rewrite is not true: {case.ground.name}: {case.term} and {other}")
        for name, ok in verdicts.items():
            if ok and differ:
                tally.wrong.append(f"{name}: {case.ground.name}: {case.term} = {other}")
        tally.incomplete += true and not all(verdicts.values())
        tally.disagreements += len(set(verdicts.values())) == 2
        if len(tally.wrong) >= 3:
            break
    return tally
