"""Random terms of every shape, for the tests of formulas."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Term = tuple[Any, ...]

NAMES = st.sampled_from(
    [
        *("x", "beta", "lambda", "gamma0", "c_star", "E", "E_h", "f", "n", "e", "i", "a", "h", "W", "P_v", "x_i"),
        *("M", "pi", "λ", "weird name", "`", "total_energy", "lambda_bar", "exp", "_", "", "é", "x_", "unit", "Pv"),
        *("scalar", "rate"),
    ]
)
TOKENS = st.sampled_from(["i", "j", "k2", "l"])
HEADS = st.sampled_from(["h", "g", "h1"])
AXES = st.sampled_from(["a", "a1"])
INDEX = st.one_of(TOKENS, HEADS, AXES)
INDICES = st.lists(INDEX, max_size=3).map(tuple)
EXCLUDED = st.one_of(st.just(()), INDICES)


def rational(numerator: int, denominator: int = 1) -> Term:
    return ("q", format(numerator, "x"), format(denominator, "x"))


RATIONALS = st.fractions(max_denominator=40).map(lambda q: rational(q.numerator, q.denominator))
SIMPLE_RATIONALS = st.sampled_from([rational(1), rational(-1), rational(3), rational(-3), rational(1, 2)])


def _leaves() -> st.SearchStrategy[Term]:
    return st.one_of(
        RATIONALS,
        SIMPLE_RATIONALS,
        st.just(("pi",)),
        st.sampled_from(["token", "head", "axis"]).map(lambda sort: ("size", sort)),
        st.tuples(st.just("s"), NAMES, INDICES),
        st.tuples(st.just("delta"), INDEX, INDEX),
        st.tuples(st.just("def"), NAMES, INDICES, st.just(())),
    )


def _vector_leaves() -> st.SearchStrategy[Term]:
    return st.one_of(
        st.just(("v0",)),
        st.tuples(st.just("vec"), NAMES, INDICES),
        st.tuples(st.just("vdef"), NAMES, INDICES, st.just(())),
    )


def _several(strategy: st.SearchStrategy[Term], tag: str) -> st.SearchStrategy[Term]:
    return st.lists(strategy, min_size=2, max_size=4).map(lambda terms: (tag, *terms))


def _vectors(scalars: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.recursive(
        _vector_leaves(),
        lambda inner: st.one_of(
            _several(inner, "vadd"),
            st.tuples(st.just("vmul"), scalars, inner),
            st.tuples(st.just("vsum"), INDEX, EXCLUDED, inner),
            st.tuples(st.sampled_from(["op", "opT"]), NAMES, INDICES, inner),
            st.tuples(st.just("vdef"), NAMES, INDICES, st.lists(scalars, max_size=2).map(tuple)),
        ),
        max_leaves=4,
    )


def _larger(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    vectors = _vectors(inner)
    return st.one_of(
        _several(inner, "+"),
        _several(inner, "*"),
        _several(inner, "*"),
        st.tuples(st.just("^"), inner, st.integers(0, 64)),
        st.tuples(st.just("inv"), inner),
        st.tuples(st.sampled_from(["exp", "log", "sqrt", "abs", "relu", "sin", "cos"]), inner),
        st.tuples(st.just("fn"), st.sampled_from(["sinh", "cosh", "tanh", "coth", "arsinh", "Ei", "W"]), inner),
        st.tuples(st.just("sum"), INDEX, EXCLUDED, inner),
        st.tuples(st.just("ip"), vectors, vectors),
        st.tuples(st.just("norm"), vectors),
        st.tuples(st.just("opnorm"), NAMES, vectors),
        st.tuples(st.just("def"), NAMES, INDICES, st.lists(inner, max_size=2).map(tuple)),
        st.tuples(st.just("rate"), NAMES, inner),
        st.tuples(st.just("int"), NAMES, inner, inner, inner),
        st.tuples(st.just("root"), NAMES, inner, inner, st.one_of(inner, st.just(("inf",)))),
    )


SCALARS = st.recursive(_leaves(), _larger, max_leaves=8)
VECTORS = _vectors(SCALARS)


def _atomic_formulas() -> st.SearchStrategy[Term]:
    return st.one_of(
        st.tuples(st.sampled_from(["eq", "ne", "ge", "gt", "le", "lt"]), SCALARS, SCALARS),
        st.tuples(st.just("veq"), VECTORS, VECTORS),
        st.tuples(st.just("distinct"), INDEX, INDEX),
        st.tuples(st.just("dissipates"), NAMES, SCALARS, SCALARS),
        st.tuples(st.sampled_from(["unit", "symmetric", "orthogonal_operators", "projector", "resolution"]), NAMES),
        st.tuples(st.sampled_from(["same_operator", "scalar_operator"]), NAMES, NAMES),
        st.tuples(st.just("scaled_operator"), NAMES, SCALARS, NAMES),
        st.tuples(st.just("gram"), NAMES, SCALARS),
        st.tuples(st.just("single"), st.sampled_from(["token", "head", "axis"])),
        st.tuples(st.just("unique"), NAMES, SCALARS, st.one_of(SCALARS, st.just(("inf",))), SCALARS),
    )


FORMULAS = st.recursive(
    _atomic_formulas(),
    lambda inner: st.one_of(
        _several(inner, "and"),
        _several(inner, "or"),
        st.tuples(st.sampled_from(["implies", "iff"]), inner, inner),
        st.tuples(st.just("all"), INDEX, EXCLUDED, inner),
        st.tuples(st.sampled_from(["forall", "exists", "forallv"]), NAMES, inner),
        st.tuples(st.just("decays"), NAMES, inner, SCALARS, SCALARS),
    ),
    max_leaves=4,
)
