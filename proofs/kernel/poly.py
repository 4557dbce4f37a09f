"""Polynomials with sums of symbolic length: their keys, canonical names and labelling.

A polynomial is a dict from keys to non-zero rationals. A key `(binders, exponent, atoms)` stands for the sum, over
full ranges of all its binders, of e^exponent times a product of atoms with their powers. Binders carry canonical
names `i#3.0` (sort letter, height, number): heights grow strictly outwards, so that an inner name never meets an
outer one. While a term is open its names are `i~17`, each used once in a run.

Atoms are tuples whose first entry is a tag; nested polynomials are frozen: tuples of (key, coefficient) in order.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

Atom: TypeAlias = tuple[Any, ...]
Frozen: TypeAlias = tuple[Any, ...]
Key: TypeAlias = tuple[tuple[str, ...], Frozen, tuple[tuple[Atom, int], ...]]
Poly: TypeAlias = dict[Key, Fraction]

UNIT_KEY: Key = ((), (), ())
NESTED = frozenset({"inv", "log", "log+", "sqrt", "sqrt+", "abs", "relu", "sin", "cos", "Ei", "W", "W+", "opnorm"})
"""Atoms whose only argument is a frozen polynomial."""
MAX_LABELLINGS = 40320


class Refusal(Exception):  # noqa: N818 -- an answer, not a fault
    """The term is outside what the normal form handles; nothing is concluded."""


_TEXTS: dict[Any, str] = {}
_NAMES: dict[Any, frozenset[str]] = {}
MAX_REMEMBERED = 300_000
"""Entries of the two memories. What they hold is built of strings and integers alone, so hashing is cheap."""


def order(item: Any) -> str:
    """A total order on atoms, keys and frozen polynomials."""
    text = _TEXTS.get(item)
    if text is None:
        if len(_TEXTS) > MAX_REMEMBERED:
            _TEXTS.clear()
        text = _TEXTS[item] = repr(item)
    return text


def freeze(poly: Mapping[Key, Fraction]) -> Frozen:
    """The polynomial as a tuple of (key, (numerator, denominator)) in order: quick to hash and to compare."""
    items = [(order(key), key, (value.numerator, value.denominator)) for key, value in poly.items()]
    items.sort(key=_text_first)
    return tuple((key, value) for _, key, value in items)


def _text_first(item: tuple[str, Any, Any]) -> str:
    return item[0]


def thaw(frozen: Frozen) -> Poly:
    """The polynomial of a frozen one."""
    return {key: Fraction(*value) for key, value in frozen}


def constant(value: Fraction | int) -> Poly:
    """The polynomial of a rational number; empty for 0."""
    return {UNIT_KEY: Fraction(value)} if value else {}


def of_atom(atom: Atom, power: int = 1) -> Poly:
    """The polynomial that is one atom to a power."""
    return {((), (), ((atom, power),)): Fraction(1)}


def add(*polys: Mapping[Key, Fraction]) -> Poly:
    """The sum, of one or more polynomials."""
    result: Poly = dict(polys[0])
    for poly in polys[1:]:
        for key, value in poly.items():
            total = result.get(key, 0) + value
            if total:
                result[key] = total
            else:
                del result[key]
    return result


def scale(poly: Mapping[Key, Fraction], factor: Fraction | int) -> Poly:
    """The polynomial times a rational number; empty for 0."""
    return {key: value * factor for key, value in poly.items()} if factor else {}


def is_constant(poly: Mapping[Key, Fraction]) -> Fraction | None:
    """The value of a constant polynomial, else `None`."""
    if not poly:
        return Fraction(0)
    if len(poly) == 1 and UNIT_KEY in poly:
        return poly[UNIT_KEY]
    return None


def names_in(item: Any) -> frozenset[str]:
    """All canonical, open and free index names that occur in an atom, a key's parts or a frozen polynomial."""
    found = _NAMES.get(item)
    if found is None:
        if len(_NAMES) > MAX_REMEMBERED:
            _NAMES.clear()
        found = _NAMES[item] = _names(item)
    return found


def _names(item: Any) -> frozenset[str]:
    return frozenset(_walk_atom(item)) if item and isinstance(item[0], str) else frozenset(_walk_frozen(item))


def _walk_frozen(frozen: Frozen) -> Iterable[str]:
    for (binders, exponent, atoms), _ in frozen:
        inner = set(names_in(exponent)) if exponent else set()
        for atom, _power in atoms:
            inner |= names_in(atom)
        yield from inner - set(binders)


def _walk_atom(atom: Atom) -> Iterable[str]:
    tag = atom[0]
    if tag == "s":
        yield from atom[2]
    elif tag == "delta":
        yield from atom[1:3]
    elif tag == "ip":
        yield from _walk_base(atom[1])
        yield from _walk_word(atom[2])
        yield from _walk_base(atom[3])
    elif tag == "V":
        yield from _walk_word(atom[1])
        yield from _walk_base(atom[2])
    elif tag == "def":
        yield from atom[2]
        for argument in atom[3]:
            yield from names_in(argument) if argument else ()
    elif tag in NESTED:
        yield from names_in(atom[1]) if atom[1] else ()
    elif tag in ("int", "root"):
        for argument in atom[1:]:
            yield from names_in(argument) if argument else ()


def _walk_base(base: Atom) -> Iterable[str]:
    yield from base[2]
    if base[0] == "vdef":
        for argument in base[3]:
            yield from names_in(argument) if argument else ()


def _walk_word(word: Atom) -> Iterable[str]:
    for _name, indices, _transposed in word:
        yield from indices


def orient(left: Atom, word: Atom, right: Atom, symmetric: frozenset[str]) -> Atom:
    """The inner product <left, word right> in the lesser of its two orientations."""
    turned = tuple((name, indices, 0 if name in symmetric else 1 - t) for name, indices, t in reversed(word))
    return min(("ip", left, word, right), ("ip", right, turned, left), key=order)


class Labeller:
    """Renames indices and chooses canonical names; knows which operators are symmetric."""

    def __init__(self, symmetric: frozenset[str]) -> None:
        self.symmetric = symmetric
        self._heights: dict[Any, int] = {}

    # --- renaming ------------------------------------------------------------------------------------------------

    def relabel_atom(self, atom: Atom, names: Mapping[str, str]) -> Atom:
        """The atom under an injective renaming."""
        if not any(x in names for x in names_in(atom)):
            return atom
        tag = atom[0]
        if tag == "s":
            return (tag, atom[1], _mapped(atom[2], names))
        if tag == "delta":
            return (tag, *sorted(_mapped(atom[1:3], names)))
        if tag == "ip":
            word = self._relabel_word(atom[2], names)
            return orient(self._relabel_base(atom[1], names), word, self._relabel_base(atom[3], names), self.symmetric)
        if tag == "V":
            return (tag, self._relabel_word(atom[1], names), self._relabel_base(atom[2], names))
        if tag == "def":
            return (tag, atom[1], _mapped(atom[2], names), tuple(self.relabel_frozen(p, names) for p in atom[3]))
        return (tag, *(self.relabel_frozen(p, names) for p in atom[1:]))

    def _relabel_word(self, word: Atom, names: Mapping[str, str]) -> Atom:
        return tuple((name, _mapped(indices, names), t) for name, indices, t in word)

    def _relabel_base(self, base: Atom, names: Mapping[str, str]) -> Atom:
        if base[0] == "vdef":
            arguments = tuple(self.relabel_frozen(p, names) for p in base[3])
            return (base[0], base[1], _mapped(base[2], names), arguments)
        return (base[0], base[1], _mapped(base[2], names))

    def relabel_frozen(self, frozen: Frozen, names: Mapping[str, str]) -> Frozen:
        """A frozen polynomial with its free names replaced; names not given stay."""
        if not frozen or not any(x in names for x in names_in(frozen)):
            return frozen
        result: Poly = {}
        for (binders, exponent, atoms), (numerator, denominator) in frozen:
            exponent = self.relabel_frozen(exponent, names)
            atoms = tuple(sorted(((self.relabel_atom(a, names), p) for a, p in atoms), key=order))
            key = self.label(binders, exponent, atoms) if binders else (binders, exponent, atoms)
            result[key] = result.get(key, 0) + Fraction(numerator, denominator)
        return freeze({k: v for k, v in result.items() if v})

    # --- canonical names -----------------------------------------------------------------------------------------

    def height(self, item: Any) -> int:
        """Levels of nesting inside an atom or frozen polynomial."""
        known = self._heights.get(item)
        if known is None:
            if not item:
                known = 0
            elif isinstance(item[0], str):
                nested = (
                    item[3] if item[0] == "def" else item[1:] if item[0] in NESTED or item[0] in ("int", "root") else ()
                )
                if item[0] in ("ip", "V"):
                    bases = (item[1], item[3]) if item[0] == "ip" else (item[2],)
                    nested = tuple(p for b in bases if b[0] == "vdef" for p in b[3])
                known = max((self.height(p) for p in nested), default=0)
            else:
                known = 1 + max(
                    max([self.height(exponent), *(self.height(a) for a, _ in atoms)])
                    for (_, exponent, atoms), _ in item
                )
            self._heights[item] = known
        return known

    def label(self, names: Iterable[str], exponent: Frozen, atoms: tuple[tuple[Atom, int], ...]) -> Key:
        """The key of a closed term, its binders under canonical names."""
        pending = list(names)
        level = 1 + max([self.height(exponent), *(self.height(a) for a, _ in atoms)])
        groups = self._colour(pending, exponent, atoms)
        count = 1
        for group in groups:
            for size in range(2, len(group) + 1):
                count *= size
        if count > MAX_LABELLINGS:
            raise Refusal(f"a sum over {len(pending)} alike indices is too symmetric to be labelled; split the step")
        best: tuple[str, Key] | None = None
        for arrangement in itertools.product(*(itertools.permutations(g) for g in groups)):
            mapping: dict[str, str] = {}
            for position, name in enumerate(itertools.chain.from_iterable(arrangement)):
                mapping[name] = f"{name[0]}#{level}.{position}"
            new_exponent = self.relabel_frozen(exponent, mapping)
            new_atoms = tuple(sorted(((self.relabel_atom(a, mapping), p) for a, p in atoms), key=order))
            text = order((new_exponent, new_atoms))
            if best is None or text < best[0]:
                best = (text, (tuple(sorted(mapping.values())), new_exponent, new_atoms))
        assert best is not None
        return best[1]

    def _colour(self, names: list[str], exponent: Frozen, atoms: tuple[tuple[Atom, int], ...]) -> list[list[str]]:
        """The names in groups that no local description tells apart, in an order that does not depend on the names."""
        colour = {name: name[0] for name in names}
        parts: list[tuple[Any, int]] = list(atoms)
        if exponent:
            # Terms of the exponent are told apart one by one, else a long exponent makes all of its indices alike.
            parts += [((("term"), (entry,)), 0) for entry in exponent]
        for _ in range(len(names)):
            classes = len(set(colour.values()))
            if classes == len(names):
                break
            fresh: dict[str, str] = {}
            for name in names:
                seen = []
                for part, power in parts:
                    body = part[1] if part[0] == "term" else part
                    if name not in names_in(body):
                        continue
                    mapping = {other: f"{other[0]}~{colour[other]}" for other in names}
                    mapping[name] = f"{name[0]}~*"
                    seen.append((order(self._blank(body, mapping, part[0] == "term")), power))
                fresh[name] = repr((colour[name], sorted(seen)))
            ranked = {text: str(rank) for rank, text in enumerate(sorted(set(fresh.values())))}
            colour = {name: f"{name[0]}{ranked[fresh[name]]}" for name in names}
            if len(set(colour.values())) == classes:
                break
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(colour[name], []).append(name)
        return [groups[c] for c in sorted(groups)]

    def _blank(self, body: Any, mapping: Mapping[str, str], frozen: bool) -> Any:
        return self.relabel_frozen(body, mapping) if frozen else self.relabel_atom(body, mapping)


def _mapped(indices: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(i, i) for i in indices)
