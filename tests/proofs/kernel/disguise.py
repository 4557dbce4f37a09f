"""Rewrites of raw terms: true ones, which a good normal form sees through, and false ones, which none may accept.

A rewrite takes a term and a generator and gives another term, or `None` where it does not apply.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from antumbra.proofs.kernel.evaluate import free_indices
from antumbra.proofs.kernel.models import sort_of
from terms_strategy import SIGNATURE, is_vector, q

Rewrite = Callable[[Any, random.Random], Any]
_LISTS = ("s", "vec", "sum", "vsum", "op", "opT", "def", "vdef")


def rename(term: Any, old: str, new: str) -> Any:
    """The term with a free index replaced, or `None` if `new` would be captured."""
    if not isinstance(term, tuple) or not term:
        return term
    tag = term[0]
    if tag in ("sum", "vsum"):
        excluded = tuple(new if x == old else x for x in term[2])
        if len(set(excluded)) < len(excluded):
            return None
        if term[1] == old:
            return (tag, old, excluded, term[3])
        if term[1] == new and old in free_indices(term[3]):
            return None
        if term[1] == new and new in excluded:
            return None
        body = rename(term[3], old, new)
        return None if body is None else (tag, term[1], excluded, body)
    if tag in _LISTS:
        indices = tuple(new if x == old else x for x in term[2])
        if tag in ("s", "vec"):
            return (tag, term[1], indices)
        if tag in ("op", "opT"):
            inner = rename(term[3], old, new)
            return None if inner is None else (tag, term[1], indices, inner)
        arguments = tuple(rename(argument, old, new) for argument in term[3])
        return None if None in arguments else (tag, term[1], indices, arguments)
    if tag == "delta":
        return (tag, *(new if x == old else x for x in term[1:]))
    parts = [rename(part, old, new) if isinstance(part, tuple) else part for part in term[1:]]
    return None if any(part is None for part in parts) else (tag, *parts)


def _fresh(term: Any, like: str) -> str:
    text = repr(term)
    return next(f"{like[0]}{k}" for k in range(20, 100) if f"'{like[0]}{k}'" not in text)


# --- true rewrites ------------------------------------------------------------------------------------------------


def commute(term: Any, generator: random.Random) -> Any:
    if term[0] not in ("+", "*", "vadd"):
        return None
    parts = list(term[1:])
    generator.shuffle(parts)
    return (term[0], *parts)


def distribute(term: Any, _generator: random.Random) -> Any:
    if term[0] == "*":
        for position, part in enumerate(term[1:], start=1):
            if part[0] == "+":
                return ("+", *((*term[:position], summand, *term[position + 1 :]) for summand in part[1:]))
    if term[0] == "vmul" and term[2][0] == "vadd":
        return ("vadd", *(("vmul", term[1], u) for u in term[2][1:]))
    if term[0] == "vmul" and term[1][0] == "+":
        return ("vadd", *(("vmul", t, term[2]) for t in term[1][1:]))
    if term[0] == "ip" and term[1][0] == "vadd":
        return ("+", *(("ip", u, term[2]) for u in term[1][1:]))
    if term[0] == "ip" and term[2][0] == "vmul":
        return ("*", term[2][1], ("ip", term[1], term[2][2]))
    if term[0] in ("op", "opT") and term[3][0] == "vadd":
        return ("vadd", *((*term[:3], u) for u in term[3][1:]))
    if term[0] in ("op", "opT") and term[3][0] == "vmul":
        return ("vmul", term[3][1], (*term[:3], term[3][2]))
    if term[0] == "sum" and term[3][0] == "+":
        return ("+", *((*term[:3], summand) for summand in term[3][1:]))
    return None


def swap_sides(term: Any, _generator: random.Random) -> Any:
    return ("ip", term[2], term[1]) if term[0] == "ip" else None


def adjoint(term: Any, _generator: random.Random) -> Any:
    if term[0] != "ip" or term[2][0] not in ("op", "opT"):
        return None
    tag, name, indices, u = term[2]
    return ("ip", ("opT" if tag == "op" else "op", name, indices, term[1]), u)


def include(term: Any, _generator: random.Random) -> Any:
    """Sum over k != i of F(k) = sum over all k, less F(i)."""
    if term[0] not in ("sum", "vsum") or len(term[2]) != 1:
        return None
    here = rename(term[3], term[1], term[2][0])
    if here is None:
        return None
    whole = (term[0], term[1], (), term[3])
    if term[0] == "sum":
        return ("+", whole, ("*", q(-1), here))
    return ("vadd", whole, ("vmul", q(-1), here))


def exclude(term: Any, generator: random.Random) -> Any:
    """Sum over all k of F(k) = sum over k != i, and F(i), for a free i of the sort."""
    if term[0] != "sum" or term[2]:
        return None
    sort = sort_of(term[1])
    known = sorted(index for index in free_indices(term) if sort_of(index) == sort)
    if not known:
        return None
    chosen = generator.choice(known)
    if chosen == term[1]:
        return None
    here = rename(term[3], term[1], chosen)
    return None if here is None else ("+", ("sum", term[1], (chosen,), term[3]), here)


def rename_bound(term: Any, _generator: random.Random) -> Any:
    if term[0] not in ("sum", "vsum"):
        return None
    fresh = _fresh(term, term[1])
    body = rename(term[3], term[1], fresh)
    return None if body is None else (term[0], fresh, term[2], body)


def exchange(term: Any, _generator: random.Random) -> Any:
    """The order of two sums without exclusions."""
    if term[0] not in ("sum", "vsum") or term[3][0] != term[0] or term[2] or term[3][2] or term[1] == term[3][1]:
        return None
    return (term[0], term[3][1], (), (term[0], term[1], (), term[3][3]))


def unfold(term: Any, _generator: random.Random) -> Any:
    """A definition without parameters at indices that its body does not bind."""
    if term[0] not in ("def", "vdef") or term[3]:
        return None
    definition = SIGNATURE.definitions[term[1]]
    body = definition.body
    middle = [f"{index[0]}{90 + k}" for k, index in enumerate(definition.indices)]
    for old, new in [*zip(definition.indices, middle, strict=True), *zip(middle, term[2], strict=True)]:
        body = rename(body, old, new)
        if body is None:
            return None
    return body


def powers(term: Any, generator: random.Random) -> Any:
    if term[0] == "^" and 1 < term[2] <= 3:
        return ("*", *([term[1]] * term[2]))
    if term[0] == "exp" and term[1][0] == "+":
        return ("*", *(("exp", part) for part in term[1][1:]))
    if term[0] == "inv" and term[1][0] == "*":
        return ("*", *(("inv", part) for part in term[1][1:]))
    if term[0] == "abs":
        return ("abs", ("*", q(-1), term[1]))
    if not is_vector(term) and generator.randrange(8) == 0:
        return ("+", term, q(0))
    return None


TRUE: dict[str, Rewrite] = {
    function.__name__: function
    for function in (commute, distribute, swap_sides, adjoint, include, exclude, rename_bound, exchange, unfold, powers)
}


# --- false rewrites -----------------------------------------------------------------------------------------------


def drop_exclusion(term: Any, _generator: random.Random) -> Any:
    return (term[0], term[1], (), term[3]) if term[0] in ("sum", "vsum") and term[2] else None


def transpose(term: Any, _generator: random.Random) -> Any:
    return ("opT" if term[0] == "op" else "op", *term[1:]) if term[0] in ("op", "opT") else None


def another_index(term: Any, generator: random.Random) -> Any:
    free = sorted(free_indices(term))
    if term[0] not in ("s", "vec", "sum", "vsum") or not free:
        return None
    old = generator.choice(free)
    others = {"i": "j", "j": "i", "g": "h", "h": "g"}
    return rename(term, old, others[old]) if old in others else None


def another_number(term: Any, generator: random.Random) -> Any:
    if term[0] == "q":
        return q(generator.choice((1, -1, 2, 3)), generator.choice((1, 2)))
    return ("^", term[1], term[2] + 1) if term[0] == "^" and term[2] else None


def cancel(term: Any, _generator: random.Random) -> Any:
    """t/t = 1, sqrt(t^2) = t, |t| = t, log(e^t) with a sign lost."""
    if term[0] == "*" and any(part == ("inv", other) for part in term[1:] for other in term[1:]):
        return q(1)
    if term[0] in ("abs", "relu"):
        return term[1]
    if term[0] == "sqrt" and term[1][0] == "^":
        return term[1][1]
    return None


def another_symbol(term: Any, generator: random.Random) -> Any:
    if term[0] in ("op", "opT") and term[1] != "A":
        return (term[0], generator.choice(("M", "W", "Q")), *term[2:])
    if term[0] == "size":
        return ("size", generator.choice(("token", "head", "axis")))
    return None


FALSE: dict[str, Rewrite] = {
    function.__name__: function
    for function in (drop_exclusion, transpose, another_index, another_number, cancel, another_symbol)
}


# --- somewhere in a term ------------------------------------------------------------------------------------------


def _places(term: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Sub-terms that are scalars or vectors, with the way to them."""
    yield path, term
    tag = term[0]
    if tag in ("q", "pi", "size", "s", "vec", "delta", "v0", "inf"):
        return
    if tag in ("def", "vdef"):
        for k, part in enumerate(term[3]):
            yield from _places(part, (*path, 3, k))
        return
    for position, part in enumerate(term[1:], start=1):
        if isinstance(part, tuple) and not (position == 2 and tag in ("sum", "vsum", "op", "opT")):
            yield from _places(part, (*path, position))


def _put(term: Any, path: tuple[int, ...], part: Any) -> Any:
    if not path:
        return part
    return (*term[: path[0]], _put(term[path[0]], path[1:], part), *term[path[0] + 1 :])


def rewritten(term: Any, rewrites: dict[str, Rewrite], generator: random.Random) -> tuple[str, Any] | None:
    """The term with one rewrite applied somewhere, and which; not inside a linear map."""
    options = []
    for path, part in _places(term):
        if part[0] == "opnorm":
            continue
        for name, rewrite in rewrites.items():
            result = rewrite(part, generator)
            if result is not None and result != part:
                options.append((name, path, result))
    if not options:
        return None
    kinds = sorted({name for name, _, _ in options})
    kind = generator.choice(kinds)
    name, path, result = generator.choice([option for option in options if option[0] == kind])
    return name, _put(term, path, result)
