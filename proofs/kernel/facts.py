"""Signs that cited facts and the structure of a normal form give."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from antumbra.proofs.kernel.poly import (
    Atom,
    Frozen,
    Poly,
    freeze,
    is_constant,
    names_in,
    of_atom,
    order,
    scale,
    thaw,
)
from antumbra.proofs.kernel.signature import free_indices, substitute, unused
from antumbra.proofs.kernel.terms import Node, sort_of

if TYPE_CHECKING:
    from antumbra.proofs.kernel.normal import Normaliser

FLIPPED = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "!=": "!="}
RELATION_OF_TAG = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "ne": "!="}
ALWAYS_NONNEGATIVE = frozenset({"abs", "sqrt", "sqrt+", "relu", "opnorm", "delta"})
MAX_INSTANCES = 4096


class Facts:
    """Comparisons cited in a step, looked up by normal form.

    `used` collects the labels of the facts that made a difference, so that a recorder can list those alone.
    """

    def __init__(self, normaliser: Normaliser, cited: Iterable[tuple[Node, frozenset[str], Any]]) -> None:
        self._normaliser = normaliser
        found = [c for c in cited if c[0][0] in RELATION_OF_TAG]
        self._cited = [self._apart(*c, [d[0] for d in found]) for c in found]
        self._table: list[tuple[Frozen, str, frozenset[str], Any]] = []
        self._exact: dict[Frozen, list[tuple[str, Any]]] = {}
        self._signs: dict[Frozen, str | None] = {}
        self.used: set[Any] = set()

    def _apart(
        self, formula: Node, schematic: frozenset[str], label: Any, others: Iterable[Node]
    ) -> tuple[Node, frozenset[str], Any]:
        """A fact with its schematic indices under names of their own: a fact about one index must not simplify it."""
        taken = frozenset().union(*(free_indices(f) for f in others)) | self._normaliser.spoken_of
        mapping: dict[str, str] = {}
        for index in sorted(schematic):
            mapping[index] = unused(index, taken | set(mapping.values()))
        moved = substitute(formula, self._normaliser.signature, mapping)
        return moved, frozenset(mapping.values()), label

    def settle(self) -> None:
        """Normalise the facts under each other until nothing changes."""
        for _ in range(4):
            table: list[tuple[Frozen, str, frozenset[str], Any]] = []
            for formula, schematic, label in self._cited:
                poly = self._normaliser.difference(formula[1], formula[2])
                relation = RELATION_OF_TAG[formula[0]]
                if is_constant(poly) is not None:
                    continue
                _, inner = self._normaliser.primitive(poly, positive=True)
                if is_constant(inner) is not None:
                    # The fact itself makes its atoms positive; keep it whole, or it would vanish into its own content.
                    (_, _, atoms), value = next(iter(poly.items()))
                    inner = {((), (), atoms): Fraction(1 if value > 0 else -1)}
                sign, inner = leading_one(inner)
                table.append((freeze(inner), relation if sign > 0 else FLIPPED[relation], schematic, label))
            if table == self._table:
                return
            self._table = table
            self._exact = {}
            for frozen, relation, _, label in table:
                self._exact.setdefault(frozen, []).append((relation, label))
            self._signs.clear()
            self._normaliser.forget()

    def names(self) -> frozenset[str]:
        """The indices that are free in the facts."""
        return frozenset().union(*(free_indices(c[0]) for c in self._cited))

    # --- looking up ------------------------------------------------------------------------------------------------

    def _known(self, inner: Poly) -> str | None:
        """The strongest relation to 0 that cited facts give for a polynomial (up to a positive factor)."""
        if not self._table:
            return None
        sign, signed = leading_one(inner)
        frozen = freeze(signed)
        found: list[tuple[str, Any]] = list(self._exact.get(frozen, ()))
        names = names_in(frozen) if frozen else frozenset()
        for fact, relation, schematic, label in self._table:
            wanted = sorted(schematic & names_in(fact))
            if not wanted or len(fact) != len(frozen):
                continue
            for mapping in _assignments(wanted, names):
                # A plain renaming, not normalised again: an instance that would need that is missed, never mistaken.
                turned, instance = leading_one(thaw(self._normaliser.labeller.relabel_frozen(fact, mapping)))
                if instance == signed:
                    found.append((relation if turned > 0 else FLIPPED[relation], label))
                    break
        if not found:
            return None
        relations = dict(reversed(found))
        for strong in (">", "<"):
            if strong in relations:
                self.used.add(relations[strong])
                return strong if sign > 0 else FLIPPED[strong]
        for pair in ((">=", "!="), ("<=", "!=")):
            if all(p in relations for p in pair):
                self.used.update(relations[p] for p in pair)
                strict = pair[0][0]
                return strict if sign > 0 else FLIPPED[strict]
        relation, label = found[0]
        self.used.add(label)
        return relation if sign > 0 else FLIPPED[relation]

    def sign(self, poly: Poly) -> str | None:
        """'>', '>=', '<', '<=', '!=' or None: how a normal form compares with 0."""
        if not poly:
            return ">="
        frozen = freeze(poly)
        if frozen not in self._signs:
            self._signs[frozen] = None  # guards against a fact that asks for its own sign
            self._signs[frozen] = self._sign(poly)
        return self._signs[frozen]

    def _sign(self, poly: Poly) -> str | None:
        structural = self._structural(poly)
        if structural in (">", "<"):
            return structural
        (binders, _, atoms), value = next(iter(poly.items()))
        if len(poly) == 1 and not binders and len(atoms) == 1 and atoms[0][1] == 1:
            inner: Poly = {((), (), atoms): Fraction(1 if value > 0 else -1)}
        else:
            inner = self._normaliser.primitive(poly, positive=True)[1]
        known = self._known(inner)
        if known in (">", "<"):
            return known
        if known == "!=" and structural in (">=", "<="):
            return structural[0]
        return structural or known

    def _structural(self, poly: Poly) -> str | None:
        """The sign that a sum of terms has when all its terms agree."""
        signs: list[str | None] = []
        for (binders, _, atoms), value in poly.items():
            sign: str | None = ">" if value > 0 else "<"
            for atom, power in atoms:
                sign = times(sign, self._power_sign(atom, power))
            # A sum of non-zero terms may be zero.
            signs.append(None if sign == "!=" and binders else sign)
        if any(s is None or s == "!=" for s in signs):
            return signs[0] if len(signs) == 1 else None
        for side in (">", "<"):
            if all(s in (side, side + "=") for s in signs):
                return side if side in signs else side + "="
        return None

    def _power_sign(self, atom: Atom, power: int) -> str | None:
        sign = self.atom_sign(atom)
        if power % 2 == 0:
            return ">" if sign in (">", "<", "!=") else ">="
        return sign

    def atom_sign(self, atom: Atom) -> str | None:
        """The sign of an atom by its structure, its symbol's domain or a fact: a relation to 0, or `None`."""
        tag = atom[0]
        if tag in ("size", "pi"):
            return ">"
        if tag == "s":
            symbol = self._normaliser.signature.symbols.get(atom[1])
            if symbol is not None and symbol.domain == "positive":
                return ">"
            known = self._known(of_atom(atom))
            if symbol is not None and symbol.domain == "nonnegative":
                return ">" if known in (">", "!=") else ">="
            return known
        if tag == "ip" and self._is_square(atom):
            return ">" if self._known(of_atom(atom)) in (">", "!=") else ">="
        if tag == "inv":
            inner = self.sign(thaw(atom[1]))
            return inner if inner is not None else self._known(of_atom(atom))
        if tag in ("sqrt", "sqrt+") and self.sign(thaw(atom[1])) == ">":
            return ">"
        if tag == "abs" and self.sign(thaw(atom[1])) in (">", "<", "!="):
            return ">"
        if tag == "relu" and self.sign(thaw(atom[1])) == ">":
            return ">"
        if tag == "W+":
            return ">"
        known = self._known(of_atom(atom))
        if tag in ALWAYS_NONNEGATIVE:
            return ">" if known in (">", "!=") else ">="
        return known

    def _is_square(self, atom: Atom) -> bool:
        """<A u, A u>, which is stored as <u, A^T A u>."""
        _, left, word, right = atom
        if left != right or len(word) % 2:
            return False
        symmetric = self._normaliser.relations.symmetric
        half = len(word) // 2
        return all(
            front[:2] == back[:2] and (front[2] != back[2] or front[0] in symmetric)
            for front, back in zip(word[:half], reversed(word), strict=False)
        )

    def nonzero_atom(self, atom: Atom) -> bool:
        """Whether an atom is known not to vanish."""
        return self.atom_sign(atom) in (">", "<", "!=")


def times(a: str | None, b: str | None) -> str | None:
    """The sign of a product."""
    if a is None or b is None:
        return None
    if "!=" in (a, b):
        return "!=" if a in (">", "<", "!=") and b in (">", "<", "!=") else None
    side = ">" if a[0] == b[0] else "<"
    return side if len(a) == len(b) == 1 else side + "="


def _assignments(wanted: list[str], names: Iterable[str]) -> Iterable[dict[str, str]]:
    choices = [[x for x in sorted(names) if sort_of(x[0]) == sort_of(w[0])] for w in wanted]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MAX_INSTANCES:
        return
    for chosen in product(*choices):
        yield dict(zip(wanted, chosen, strict=True))


def leading_one(poly: Poly) -> tuple[int, Poly]:
    """The polynomial divided by its leading coefficient, and that coefficient's sign."""
    if not poly:
        return 1, poly
    leading = poly[min(poly, key=order)]
    return (1 if leading > 0 else -1), scale(poly, 1 / leading)
