"""The checker's own enclosures against an independent library."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from antumbra.proofs import checker as c
from flint import arb, ctx, fmpq

FUNCTIONS: dict[str, tuple[Callable[[Fraction, int], Any], Callable[[Any], Any], tuple[Fraction, Fraction]]] = {
    "exp": (c.exp_at, lambda x: x.exp(), (Fraction(-60), Fraction(60))),
    "log": (c.log_at, lambda x: x.log(), (Fraction(1, 1000), Fraction(1000))),
    "sqrt": (c.sqrt_at, lambda x: x.sqrt(), (Fraction(0), Fraction(1000))),
    "sin": (lambda x, bits: c.cos_sin_at(x, bits)[1], lambda x: x.sin(), (Fraction(-30), Fraction(30))),
    "cos": (lambda x, bits: c.cos_sin_at(x, bits)[0], lambda x: x.cos(), (Fraction(-30), Fraction(30))),
    "Ei": (c.ei_at, lambda x: x.ei(), (Fraction(-20), Fraction(20))),
    "W": (c.w_at, lambda x: x.lambertw(), (Fraction(-36, 100), Fraction(100))),
}


def ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("bits", [40, 100, 300])
def test_enclosure(name: str, bits: int) -> None:
    ours, theirs, (low, high) = FUNCTIONS[name]
    chooser = random.Random(f"{name}{bits}")
    ctx.prec, kept = bits + 200, ctx.prec
    try:
        for _ in range(25):
            x = low + (high - low) * Fraction(chooser.randint(1, 997), chooser.choice([997, 1000, 1024]) + 1)
            if name == "Ei" and x == 0:
                continue
            a, b = ours(x, bits)
            true = theirs(ball(x))
            assert a <= b
            assert bool(ball(a) <= true), (name, x, bits)
            assert bool(true <= ball(b)), (name, x, bits)
            size = max(abs(a), abs(b), Fraction(1, 2**bits) if name in ("log", "Ei") else Fraction(1, 10**9))
            assert b - a <= Fraction(1, 2 ** (bits - 12)) * max(size, 1), (name, x, float(b - a))
    finally:
        ctx.prec = kept


def test_exact_values() -> None:
    assert c.exp_at(Fraction(0), 50) == (Fraction(1), Fraction(1))
    assert c.log_at(Fraction(1), 50) == (Fraction(0), Fraction(0))
    assert c.sqrt_at(Fraction(9, 4), 50) == (Fraction(3, 2), Fraction(3, 2))


def test_constants() -> None:
    ctx.prec, kept = 500, ctx.prec
    try:
        low, high = c.pi_pair(300)
        assert bool(ball(low) <= arb.pi())
        assert bool(arb.pi() <= ball(high))
        assert high - low < Fraction(1, 2**280)
        assert bool(abs(ball(Fraction(c.EULER)) - arb.const_euler()) < ball(Fraction(1, 10**100)))
    finally:
        ctx.prec = kept


def test_the_interval_that_misses() -> None:
    """Exp of 3893924827815215/2^50: a well-known interval library misses the value at 53 bits."""
    x = Fraction(3893924827815215, 2**50)
    ctx.prec, kept = 300, ctx.prec
    try:
        a, b = c.exp_at(x, 53)
        assert bool(ball(a) <= ball(x).exp())
        assert bool(ball(x).exp() <= ball(b))
    finally:
        ctx.prec = kept


def test_rounding_is_outward() -> None:
    chooser = random.Random(1)
    for _ in range(300):
        x = Fraction(chooser.randint(-(10**40), 10**40), chooser.randint(1, 10**30))
        a, b = c.outward(x, x + Fraction(1, 3), 30)
        assert a <= x
        assert x + Fraction(1, 3) <= b
        assert b - a <= Fraction(1, 3) + abs(x) * Fraction(1, 2**27) + Fraction(1, 2**27)


def test_out_of_range() -> None:
    for attempt in (
        lambda: c.exp_at(Fraction(10**6), 50),
        lambda: c.cos_sin_at(Fraction(10**6), 50),
        lambda: c.ei_at(Fraction(10**6), 50),
    ):
        with pytest.raises(c.Rejected, match="out of range"):
            attempt()
