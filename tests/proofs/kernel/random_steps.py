"""Random applications of the rules, tried on kernel and checker, each accepted judgement judged by the evaluator.

A proposal is a rule with what it should show, mostly right and sometimes spoilt. What either side accepts must be
valid: wherever all of its assumptions hold, for whatever values of the free indices and symbols, so must what it shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from antumbra.proofs import checker
from antumbra.proofs.kernel.evaluate import EvaluationError, Model, evaluate_formula
from antumbra.proofs.kernel.ground import Ground, Judgement, Rejected
from antumbra.proofs.kernel.poly import Refusal
from antumbra.proofs.kernel.proof import Proof
from antumbra.proofs.kernel.signature import SettingError
from fuzzing import lists, pool
from proposals import HYPOTHESES, KERNEL_SIGNATURE, SETTING, SIGNATURE, Proposal, Proposals, Shown, built, plain
from terms_strategy import q


class Script(Proposals):
    """A growing derivation, the same on both sides."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        names, statement = tuple(HYPOTHESES[self.world.name]), ("eq", q(0), q(0))
        self.kernel = Proof(Ground(KERNEL_SIGNATURE, names, ()), "claim", "part", built(statement))
        self.checker = checker.Proof(SETTING, statement, names, ())
        self.accepted: Counter[str] = Counter()
        self.wrong: list[str] = []

    # --- trying ---------------------------------------------------------------------------------------------------

    def run(self, count: int) -> None:
        """Try so many random proposals."""
        for _ in range(count):
            try:
                proposal = self.random.choice(self.rules)()
            except (IndexError, SettingError):
                continue
            if self.random.random() < 0.15:
                proposal.shows = self._spoilt(proposal.shows)
            self._try(proposal)

    def _spoilt(self, term: Any) -> Any:
        """The formula with one name, tag or number changed."""
        others = {
            "gt": "ge", "ge": "gt", "eq": "ge", "ne": "gt", "le": "lt", "lt": "le", "i": "j", "j": "i", "k": "i",
            "g": "h", "h": "g", "op": "opT", "opT": "op", "1": "2", "0": "1", "r": "t", "t": "p", "p": "r",
        }  # fmt: skip
        spots: list[tuple[int, ...]] = []

        def visit(part: Any, path: tuple[int, ...]) -> None:
            if isinstance(part, tuple):
                for position, child in enumerate(part):
                    visit(child, (*path, position))
            elif part in others:
                spots.append(path)

        def put(part: Any, path: tuple[int, ...]) -> Any:
            if not path:
                return others[part]
            return (*part[: path[0]], put(part[path[0]], path[1:]), *part[path[0] + 1 :])

        visit(term, ())
        return put(term, self.random.choice(spots)) if spots else term

    def _try(self, proposal: Proposal) -> None:
        judgement = self._by_kernel(proposal)
        given = tuple(plain(g) for g in judgement.given) if judgement is not None else self._pooled(proposal)
        if self.random.random() < 0.1 and given:
            given = given[1:]  # an assumption forgotten
        checked = self._by_checker(proposal, given)
        claims: dict[frozenset[Any], list[str]] = {}
        if judgement is not None:
            claims.setdefault(frozenset(plain(g) for g in judgement.given), []).append("kernel")
        if checked:
            claims.setdefault(frozenset(given), []).append("checker")
        for assumed, sides in claims.items():
            self.accepted[proposal.rule] += 1
            where = self.refuted(sorted(assumed, key=repr), proposal.shows)
            if where is not None:
                who = " and ".join(sides)
                self.wrong.append(f"{who}, {proposal.rule}: {set(assumed)} do not give {proposal.shows}: {where}")
        if judgement is not None and checked and len(claims) == 1:
            self.shown.append(Shown(judgement, given, proposal.shows, len(self.checker.steps) - 1))

    def _pooled(self, proposal: Proposal) -> tuple[Any, ...]:
        cited = [*proposal.premises, *proposal.data.get("facts", ()), *proposal.data.get("rewrites", ())]
        cited += [equation for _, equation in proposal.data.get("combo", ())]
        own = [proposal.shows] if proposal.rule == "assume" else []
        return tuple(dict.fromkeys([g for j in cited for g in j.given] + own))

    def _by_kernel(self, proposal: Proposal) -> Judgement | None:
        data: dict[str, Any] = {}
        for key, value in proposal.data.items():
            if key in ("facts", "rewrites"):
                data[key] = [j.judgement for j in value]
            elif key == "combo":
                data[key] = [(built(factor), j.judgement) for factor, j in value]
            elif key == "den":
                data[key] = [(built(divisor), power) for divisor, power in value]
            elif key in ("scalars", "vectors"):
                data[key] = {name: built(term) for name, term in value.items()}
            else:
                data[key] = built(value)
        if proposal.rule in ("ring", "sign"):
            apart = [g for j in self.shown for g in j.given if g[0] == "distinct"]
            if apart and self.random.random() < 0.5:
                data["distinct"] = [built(apart[0])]
        try:
            return self.kernel.step(
                proposal.rule, built(proposal.shows), *(j.judgement for j in proposal.premises), **data
            )
        except (Rejected, Refusal, SettingError, RecursionError):
            return None

    def _by_checker(self, proposal: Proposal, given: Sequence[Any]) -> bool:
        entry: dict[str, Any] = {
            "rule": proposal.rule,
            "given": lists(given),
            "shows": lists(proposal.shows),
            "from": [j.number for j in proposal.premises],
        }
        for key, value in proposal.data.items():
            if key in ("facts", "rewrites"):
                entry[key] = [j.number for j in value]
            elif key == "combo":
                entry[key] = [[lists(factor), j.number] for factor, j in value]
            else:
                entry[key] = lists(value)
        try:
            self.checker.replay(entry)
        except (checker.Rejected, RecursionError):
            return False  # a rewrite that feeds itself runs deep, which is a refusal
        return True

    # --- judging --------------------------------------------------------------------------------------------------

    def refuted(self, given: Sequence[Any], shows: Any) -> str | None:
        """A model and values of the indices at which all assumptions hold and what is shown does not."""
        for model in self.random.sample(pool(self.world.name), 4):
            extra = {"b": self.random.choice((0, 1, -1, 2))}
            full = Model(
                model.sizes, {**model.scalars, **extra}, {**model.vectors, "o": model.vectors["y"]}, model.operators
            )
            for _ in range(2):
                place = {
                    index: self.random.randrange(full.sizes[sort])
                    for sort, letters in (("token", "ijk"), ("head", "gh"), ("axis", "a"))
                    for index in letters
                }
                try:
                    holds = [evaluate_formula(SIGNATURE, full, f, indices=place, last_precision=128) for f in given]
                    shown = evaluate_formula(SIGNATURE, full, shows, indices=place, last_precision=128)
                except EvaluationError:
                    continue
                if all(value is True for value in holds) and shown is False:
                    return f"{full.sizes} {full.scalars} at {place}"
        return None
