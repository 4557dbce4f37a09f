"""Real roots of polynomials, isolated."""

from fractions import Fraction

import numpy as np
import pytest
from antumbra.numerics.roots import unit_interval_roots
from hypothesis import given, settings
from hypothesis import strategies as st


def product(roots: list[Fraction]) -> list[Fraction]:
    coefficients = [Fraction(1)]
    for root in roots:
        shifted = [Fraction(0), *coefficients]
        coefficients = [a - root * b for a, b in zip(shifted, [*coefficients, Fraction(0)], strict=True)]
    return coefficients


fractions = st.fractions(min_value=-1, max_value=2, max_denominator=12)


@settings(deadline=None, max_examples=60)
@given(st.lists(fractions, min_size=1, max_size=7))
def test_every_root_in_the_unit_interval_is_found_once_with_its_signs(roots: list[Fraction]) -> None:
    found = unit_interval_roots(product(roots))
    inside = sorted({root for root in roots if 0 <= root <= 1})
    assert len(found) == len(inside)
    for root, wanted in zip(found, inside, strict=True):
        assert root.lower <= wanted <= root.upper
        assert root.location == pytest.approx(float(wanted), abs=1e-15)
        assert (root.before != root.after) == (roots.count(wanted) % 2 == 1)


def test_two_roots_a_hair_apart_are_two() -> None:
    near = Fraction(1, 3) + Fraction(1, 10**12)
    assert len(unit_interval_roots(product([Fraction(1, 3), near]))) == 2


def test_the_zero_polynomial_and_infinity_are_refused() -> None:
    with pytest.raises(ValueError, match="zero everywhere"):
        unit_interval_roots([0.0, 0.0])
    with pytest.raises(ValueError, match="not finite"):
        unit_interval_roots([np.inf, 1.0])
    assert unit_interval_roots([2.0]) == []
