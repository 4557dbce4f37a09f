# ruff: noqa: E501
"""The normal form against the evaluator: read back, it has the value of the term it came from, on random terms."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import checker_terms as ct
import pytest
from antumbra.proofs import checker as c
from antumbra.proofs.kernel.evaluate import EvaluationError, Model, Signature, evaluate_scalar
from flint import arb, fmpq

SETTING = c.Setting(ct.SETTING)
SIGNATURE = Signature.of(ct.SETTING)
SCOPES = [[], ["i"], ["i", "h"], ["i", "j", "h"], ["i", "j", "h", "g"], ["a", "i"]]


@contextmanager
def deep() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(6000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def ball(x: Any) -> Any:
    return arb(fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x


def compare(first: int, count: int) -> tuple[int, list[str]]:
    """How many values were compared, and the mismatches."""
    compared, wrong = 0, []
    for seed in range(first, first + count):
        generator = ct.Generator(seed)
        chooser = generator.random
        relations = chooser.choice(ct.RELATIONS)
        facts, rewrites, adapt = ct.GROUNDS[0] if any(f[0] == "gram" for f in relations) else chooser.choice(ct.GROUNDS)
        scope = chooser.choice(SCOPES)
        term = generator.scalar(chooser.choice([2, 3, 3, 4]), scope)
        apart = "j" in scope and chooser.random() < 0.4
        distinct = frozenset([frozenset(("i", "j"))]) if apart else frozenset()
        opaque = frozenset(chooser.sample(["total", "part", "square", "image"], chooser.choice([0, 0, 1, 2])))
        try:
            poly = c.Ring(SETTING, relations, facts, rewrites, opaque, distinct).scalar(term)
        except c.Rejected:
            continue
        back = ct.Back()
        read = back.poly(poly)
        for _ in range(2):
            values = ct.random_model(chooser, relations)
            adapt(values)
            sizes = values["sizes"]
            if apart and sizes["token"] < 2:
                continue
            place = {n: chooser.randrange(sizes[c.SORT_OF[n[0]]]) for n in scope}
            if apart and place["i"] == place["j"]:
                place["i"] = (place["j"] + 1) % sizes["token"]
            model = Model(sizes, values["scalars"], values["vectors"], values["operators"])
            elsewhere = {**place, **{new: 0 for old, new in back.names.items() if old.endswith("@")}}
            try:
                true = evaluate_scalar(SIGNATURE, model, term, indices=place, precision=256)
                ours = evaluate_scalar(SIGNATURE, model, read, indices=elsewhere, precision=256)
            except EvaluationError:
                continue
            compared += 1
            gap = ball(true) - ball(ours)
            if not (gap.contains(0) or not gap.is_finite()):
                wrong.append(f"{seed}: {c.show(term)} under {relations}: {true} is not {ours}")
    return compared, wrong


def test_random_terms() -> None:
    with deep():
        compared, wrong = compare(0, 2500)
    assert not wrong, wrong[:3]
    assert compared > 3000


@pytest.mark.deep
def test_many_random_terms() -> None:
    with deep():
        compared, wrong = compare(1_000_000, 40_000)
    assert not wrong, wrong[:3]
    assert compared > 50_000


BROKEN: dict[str, tuple[str, Any]] = {
    "an unused binder counts once": ("_close", lambda old: lambda self, k, powers, binders: old(
        self, k, powers, [b for b in binders if any(b in a.names for a in powers)])),
    "a sum of roots": ("_root", lambda _: lambda self, p, *_: self.atom("f", "sqrt", evened(p))),
    "roots of squares": ("_absolute", lambda _: lambda _self, p, *_: p),
    "no deltas between free indices": ("delta", lambda old: lambda self, i, j: c.constant(0) if i != j and "#" not in i + j else old(self, i, j)),
    "everything is a unit": ("is_unit", lambda _: lambda _self, a: a.tag not in "EdV" and not (a.tag == "f" and a.args[0] in ("sqrt", "sin", "inv"))),
    "everything is non-negative": ("known", lambda _: lambda *_: c.ZERO | c.POS),
    "no resolution of words": ("_word", lambda old: lambda self, word: (c.constant(1), word[1:]) if len(word) > 1 and word[0][0] == word[1][0] else old(self, word)),
}  # fmt: skip


def evened(p: c.Poly) -> c.Poly:
    return c.evened(p)


@pytest.mark.parametrize("name", BROKEN)
def test_the_fuzz_has_teeth(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, change = BROKEN[name]
    monkeypatch.setattr(c.Ring, method, change(getattr(c.Ring, method)))
    with deep():
        assert any(compare(first, 500)[1] for first in range(0, 4000, 500))


def alike(seed: int, relations: tuple[Any, ...]) -> tuple[c.Term, c.Term]:
    """A term and the same term written otherwise: sums reordered, products distributed, bound names changed."""
    generator = ct.Generator(seed)
    chooser = random.Random(seed)
    term = generator.scalar(3, ["i", "h"])

    def disguise(t: Any) -> Any:
        if not isinstance(t, tuple) or not t:
            return t
        if t[0] in ("+", "*", "vadd"):
            parts = [disguise(u) for u in t[1:]]
            chooser.shuffle(parts)
            if t[0] == "*" and len(parts) == 2 and parts[0][0] == "+" and chooser.random() < 0.6:
                return ("+", *(("*", u, parts[1]) for u in parts[0][1:]))
            return (t[0], *parts)
        if t[0] in ("sum", "vsum"):
            name = t[1][0] + "77"
            body = SETTING.subst(disguise(t[3]), {t[1]: name}, {}, {})
            return (t[0], name, t[2], body)
        if t[0] == "ip" and chooser.random() < 0.5:
            return ("ip", disguise(t[2]), disguise(t[1]))
        if t[0] in ("def", "vdef") and chooser.random() < 0.5:
            return disguise(SETTING.unfold(t))
        if t[0] == "^" and t[2] == 2:
            return ("*", disguise(t[1]), disguise(t[1]))
        return (
            t[0],
            *(
                disguise(u) if isinstance(u, tuple) and u and isinstance(u[0], str) and u[0] in c.FIELDS else u
                for u in t[1:]
            ),
        )

    names: dict[str, str] = {}

    def readable(t: Any) -> Any:
        """Names that a substitution made, as indices that can be written."""
        if isinstance(t, str) and "~" in t:
            return names.setdefault(t, f"{t[0]}{5000 + len(names)}")
        return tuple(map(readable, t)) if isinstance(t, tuple) else t

    return term, readable(disguise(term))


def test_disguises_are_seen_through() -> None:
    """Completeness on the fragment that proofs use: equal terms, written otherwise, are found equal."""
    missed = []
    with deep():
        for seed in range(1500):
            relations = ct.RELATIONS[seed % len(ct.RELATIONS)]
            term, other = alike(seed, relations)
            try:
                if not c.Ring(SETTING, relations).zero(term, other):
                    missed.append(f"{seed}: {c.show(term)} = {c.show(other)}")
            except c.Rejected:
                continue
    assert len(missed) <= 15, missed[:5]
