"""The kernel's and the checker's normal forms, different in method, say the same of random statements."""

from __future__ import annotations

import random
from typing import Any

import checker_terms as ct
from antumbra.proofs import checker as c
from antumbra.proofs.kernel.ground import Rejected
from antumbra.proofs.kernel.normal import Normaliser
from antumbra.proofs.kernel.signature import Signature
from test_normal_form import alike, deep

SETTING = c.Setting(ct.SETTING)
SIGNATURE = Signature(ct.SETTING)


def perturbed(chooser: random.Random, t: Any) -> Any:
    """One rational, exponent or symbol of the term changed."""
    spots: list[tuple[int, ...]] = []

    def walk(u: Any, path: tuple[int, ...]) -> None:
        if isinstance(u, tuple) and u:
            if u[0] in ("q", "^", "s") and (u[0] != "s" or u[1] in ("p", "r", "q", "m")):
                spots.append(path)
            for k, v in enumerate(u):
                walk(v, (*path, k))

    walk(t, ())
    if not spots:
        return ("+", t, c.ONE)
    spot = chooser.choice(spots)

    def change(u: Any, path: tuple[int, ...]) -> Any:
        if path:
            return tuple(change(v, path[1:]) if k == path[0] else v for k, v in enumerate(u))
        if u[0] == "q":
            return c.rational(c.number(u) + 1)
        if u[0] == "^":
            return (u[0], u[1], u[2] + 1)
        return ("s", {"p": "r", "r": "q", "q": "m", "m": "p"}[u[1]], ())

    return change(t, spot)


def kernel_equal(relations: Any, term: Any, other: Any) -> bool:
    """What the kernel's normal form says."""
    return not Normaliser(SIGNATURE, relations).difference(term, other)


def test_500_statements() -> None:
    agreed = {True: 0, False: 0}
    only_checker: list[str] = []
    only_kernel: list[str] = []
    with deep():
        for seed in range(5000, 5560):
            relations = ct.RELATIONS[seed % len(ct.RELATIONS)]
            term, other = alike(seed, relations)
            if seed % 2:
                other = perturbed(random.Random(seed), other)
            try:
                ours = c.Ring(SETTING, relations).zero(term, other)
                theirs = kernel_equal(relations, term, other)
            except (c.Rejected, Rejected):
                continue
            if ours == theirs:
                agreed[ours] += 1
            else:
                (only_checker if ours else only_kernel).append(f"{seed}: {c.show(term)} = {c.show(other)}")
    assert sum(agreed.values()) >= 500
    assert min(agreed.values()) >= 150, agreed
    assert not only_kernel, only_kernel[:3]  # what the kernel proves, the checker must replay
    assert len(only_checker) <= 5, only_checker[:3]
