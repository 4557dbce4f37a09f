"""The normal form: two scalar terms are equal when the normal form of their difference is empty.

Sound, complete on indexed polynomials with exponentials, and refusing elsewhere. The method: terms in prenex form
(`poly.py`), deltas contracted, exclusions subtracted, operators pushed into the words of inner products, relations of
the ground applied where letters meet. Functions are total (1/0 = 0), so nothing cancels without a fact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from antumbra.proofs.kernel.derivative import differentiate
from antumbra.proofs.kernel.facts import Facts
from antumbra.proofs.kernel.poly import (
    NESTED,
    UNIT_KEY,
    Atom,
    Frozen,
    Key,
    Labeller,
    Poly,
    Refusal,
    add,
    constant,
    freeze,
    is_constant,
    names_in,
    of_atom,
    order,
    orient,
    scale,
    thaw,
)
from antumbra.proofs.kernel.relations import Relations
from antumbra.proofs.kernel.signature import Signature, free_indices, substitute, unfold, unused
from antumbra.proofs.kernel.terms import Node, Scalar, exp, log, sort_of, sqrt
from antumbra.proofs.kernel.terms import constant as constant_of

MAX_POWER = 64
LETTER = {"token": "i", "head": "h", "axis": "a"}


class Normaliser:
    """Normal forms under the relations of a ground and a list of facts.

    Args:
        signature: symbols, definitions and flows.
        relations: the relation formulas of the ground.
        facts: comparisons that may be relied on; `given` lists the local assumptions of each.
        distinct: pairs of indices known to differ.
        opaque: definitions that stay atoms.
        rewrites: equations used from left to right, as (left, right, schematic indices).
    """

    def __init__(
        self,
        signature: Signature,
        relations: Iterable[Node] = (),
        facts: Iterable[tuple[Node, frozenset[str], Any]] = (),
        distinct: Iterable[tuple[str, str]] = (),
        opaque: Iterable[str] = (),
        rewrites: Iterable[tuple[Node, Node, frozenset[str]]] = (),
    ) -> None:
        self.signature = signature
        self.relations = Relations(relations)
        self.distinct = {frozenset(pair) for pair in distinct}
        self.spoken_of = frozenset().union(*self.distinct)
        self.opaque = frozenset(opaque)
        self.labeller = Labeller(self.relations.symmetric)
        self._count = 0
        self._cache: dict[Any, Poly] = {}
        self._rebuilt: dict[Any, Poly] = {}
        self._rewrites: list[tuple[Atom, Poly, frozenset[str]]] = []
        self.facts = Facts(self, facts)
        self._use_rewrites(rewrites)
        self.facts.settle()

    def _use_rewrites(self, rewrites: Iterable[tuple[Node, Node, frozenset[str]]]) -> None:
        for left, right, letters in rewrites:
            # Schematic indices under names that no fact and no distinctness speaks of.
            taken = self.facts.names() | self.spoken_of | free_indices(left) | free_indices(right)
            mapping: dict[str, str] = {}
            for index in sorted(letters):
                mapping[index] = unused(index, taken | set(mapping.values()))
            schematic = frozenset(mapping.values())
            target = self.scalar(substitute(right, self.signature, mapping))
            source = self.scalar(substitute(left, self.signature, mapping))
            if len(source) == 1:
                (((binders, exponent, atoms), value),) = source.items()
                if not binders and not exponent and value == 1 and len(atoms) == 1 and atoms[0][1] == 1:
                    if atoms[0][0][0] == "V":
                        raise Refusal("a rewrite is an equation of scalars")
                    self._rewrites.append((atoms[0][0], target, schematic))
                    self.forget()
                    continue
            raise Refusal("the left side of a rewrite is not a single atom once normalised")

    def forget(self) -> None:
        """Drop what was normalised before a fact or rewrite became known."""
        self._cache.clear()
        self._rebuilt.clear()

    # --- entry points --------------------------------------------------------------------------------------------

    def scalar(self, node: Node, env: Mapping[str, str] | None = None) -> Poly:
        """The normal form of a scalar term; empty if it is zero."""
        env = env or {}
        return self._cached(node, env, self._scalar)

    def vector(self, node: Node, env: Mapping[str, str] | None = None) -> Poly:
        """The normal form of a vector term: every key has exactly one atom `V`."""
        env = env or {}
        return self._cached(node, env, self._vector)

    def _cached(self, node: Node, env: Mapping[str, str], compute: Any) -> Poly:
        key = (node, tuple((i, env[i]) for i in sorted(free_indices(node)) if i in env))
        known = self._cache.get(key)
        if known is None:
            known = self._cache[key] = compute(node, env)
        return known

    def difference(self, left: Node, right: Node) -> Poly:
        """The normal form of left - right; empty when they are equal."""
        return add(self.scalar(left), scale(self.scalar(right), -1))

    # --- indices -------------------------------------------------------------------------------------------------

    def fresh(self, like: str) -> str:
        """An index name of the same sort that occurs nowhere else."""
        self._count += 1
        return f"{LETTER[sort_of(like[0])]}~{self._count}"

    def place(self, index: str, env: Mapping[str, str]) -> str:
        """The name that an index has here; all indices of a sort with one member are one name."""
        if sort_of(index) in self.relations.single:
            return f"{LETTER[sort_of(index)]}!"
        return env.get(index, index)

    def places(self, indices: Sequence[str], env: Mapping[str, str]) -> tuple[str, ...]:
        """The names that indices have here."""
        return tuple(self.place(i, env) for i in indices)

    # --- scalars -------------------------------------------------------------------------------------------------

    def _scalar(self, node: Node, env: Mapping[str, str]) -> Poly:
        tag = node[0]
        if tag == "q":
            value = constant_of(node)
            assert value is not None
            return constant(value)
        if tag == "pi":
            return of_atom(("pi",))
        if tag == "size":
            return self.size(node[1])
        if tag == "s":
            return self.atom(("s", node[1], self.places(node[2], env)))
        if tag == "+":
            return add(*(self.scalar(t, env) for t in node[1:]))
        if tag == "*":
            return self.product(*(self.scalar(t, env) for t in node[1:]))
        if tag == "^":
            return self.power(self.scalar(node[1], env), node[2])
        if tag == "sum":
            return self._sum(node, env, self.scalar)
        if tag == "ip":
            return self.inner(self.vector(node[1], env), self.vector(node[2], env))
        if tag == "norm":
            u = self.vector(node[1], env)
            return self.square_root(self.inner(u, u), known=True)
        if tag == "delta":
            return self.delta(self.place(node[1], env), self.place(node[2], env))
        if tag == "def":
            if node[1] in self.opaque:
                arguments = tuple(freeze(self.scalar(t, env)) for t in node[3])
                return self.atom(("def", node[1], self.places(node[2], env), arguments))
            return self.scalar(unfold(node, self.signature), env)
        if tag == "rate":
            return self.scalar(differentiate(node[1], node[2], self.signature), env)
        if tag == "opnorm":
            return self.operator_norm(node, env)
        if tag == "fn" and node[1] not in ("Ei", "W"):
            return self.scalar(unfolded_function(node), env)
        if tag in ("int", "root"):
            return self._bound_scalar(node, env)
        if tag == "sqrt" and node[1][0] == "ip" and node[1][1] == node[1][2]:
            return self.scalar(Scalar(("norm", node[1][1])), env)
        argument = self.scalar(node[2] if tag == "fn" else node[1], env)
        return self.apply(node[1] if tag == "fn" else tag, argument)

    def _sum(self, node: Node, env: Mapping[str, str], compute: Any) -> Poly:
        _, index, excluded, body = node
        name = self.fresh(index)
        inside = compute(body, {**env, index: name})
        single = sort_of(index) in self.relations.single
        result = inside if single else self.bind(inside, [name])
        # Subtract the excluded indices, each once even if two of them are equal.
        before: list[str] = []
        for other in self.places(excluded, env):
            here = inside if single else self.rename(inside, {name: other})
            for earlier in before:
                here = self.multiply(here, add(constant(1), scale(self.delta(other, earlier), -1)))
            result = add(result, scale(here, -1))
            before.append(other)
        return result

    def _bound_scalar(self, node: Node, env: Mapping[str, str]) -> Poly:
        tag, name = node[0], node[1]
        body, others = (node[4], node[2:4]) if tag == "int" else (node[2], node[3:5])
        depth = scalar_depth(body)
        placeholder = Scalar(("s", f"\u2218{depth}", ()))
        body = substitute(body, self.signature, scalars={name: placeholder})
        ends = (freeze(of_atom(("inf",)) if t == ("inf",) else self.scalar(t, env)) for t in others)
        return of_atom((tag, freeze(self.scalar(body, env)), *ends))

    def size(self, sort: str) -> Poly:
        """The number of indices of a sort."""
        return constant(1) if sort in self.relations.single else self.atom(("size", sort))

    def operator_norm(self, node: Node, env: Mapping[str, str]) -> Poly:
        """The operator norm of a linear map; 0 for the map 0."""
        image = substitute(node[2], self.signature, vectors={node[1]: Node(("vec", "\u2218", ()))})
        poly = self.vector(image, env)
        if not poly:
            return {}
        pivot = min(poly, key=order)
        content = poly[pivot]
        return scale(of_atom(("opnorm", freeze(scale(poly, 1 / content)))), abs(content))

    def apply(self, function: str, argument: Poly) -> Poly:
        """One of the one-argument functions, at a normal form."""
        if function == "inv":
            return self.inverse(argument)
        if function == "exp":
            return self.exponential(argument)
        if function == "sqrt":
            return self.square_root(argument)
        split = self._split_delta(argument)
        if split is not None:
            return self._by_cases(split, lambda p: self.apply(function, p))
        if function == "abs":
            return self.absolute(argument)
        if function == "relu":
            return self._relu(argument)
        if function == "log":
            return self.logarithm(argument)
        if function == "sin":
            sign, argument = self._signed(argument)
            return scale(of_atom(("sin", freeze(argument))), sign) if argument else {}
        if function == "cos":
            return of_atom(("cos", freeze(self._signed(argument)[1]))) if argument else constant(1)
        if function == "W":
            if not argument:
                return {}
            return of_atom(("W+" if self.facts.sign(argument) == ">" else "W", freeze(argument)))
        if function == "Ei":
            return of_atom(("Ei", freeze(argument))) if argument else {}
        raise Refusal(f"no normal form for the function {function!r}")

    # --- vectors -------------------------------------------------------------------------------------------------

    def _vector(self, node: Node, env: Mapping[str, str]) -> Poly:
        tag = node[0]
        if tag == "v0":
            return {}
        if tag == "vec":
            return of_atom(("V", (), ("vec", node[1], self.places(node[2], env))))
        if tag == "vadd":
            return add(*(self.vector(u, env) for u in node[1:]))
        if tag == "vmul":
            return self.multiply(self.scalar(node[1], env), self.vector(node[2], env))
        if tag == "vsum":
            return self._sum(node, env, self.vector)
        if tag in ("op", "opT"):
            return self._operate(node[1], self.places(node[2], env), int(tag == "opT"), self.vector(node[3], env))
        if tag == "vdef":
            if node[1] in self.opaque:
                arguments = tuple(freeze(self.scalar(t, env)) for t in node[3])
                return of_atom(("V", (), ("vdef", node[1], self.places(node[2], env), arguments)))
            return self.vector(unfold(node, self.signature), env)
        raise Refusal(f"{tag!r} is not a vector")

    def _operate(self, name: str, indices: tuple[str, ...], transposed: int, u: Poly) -> Poly:
        name, factor = self.relations.letter(name)
        coefficient = constant(1)
        for kind, what in factor:
            if kind == "symbol":
                coefficient = self.multiply(coefficient, self.atom(("s", what, indices)))
            else:
                coefficient = self.multiply(coefficient, self.scalar(what))
        if name == "":
            return self.multiply(coefficient, u)
        letter = (name, indices, 0 if name in self.relations.symmetric else transposed)
        result: Poly = {}
        for key, value in u.items():
            names, exponent, atoms = self.open(key)
            (_, word, base), rest = self._take_vector(atoms)
            terms = self.multiply(self._word_vector((letter, *word), base), {((), exponent, rest): value})
            result = add(result, self.bind(terms, names))
        return self.multiply(coefficient, result)

    def _word_vector(self, word: tuple[Any, ...], base: Atom) -> Poly:
        reduced, deltas = self.relations.reduce(word)
        result = of_atom(("V", reduced, base))
        for i, j in deltas:
            result = self.multiply(result, self.delta(i, j))
        return result

    @staticmethod
    def _take_vector(atoms: tuple[tuple[Atom, int], ...]) -> tuple[Atom, tuple[tuple[Atom, int], ...]]:
        found = [a for a, _ in atoms if a[0] == "V"]
        if len(found) != 1:
            raise Refusal("a vector term without exactly one vector")
        return found[0], tuple((a, p) for a, p in atoms if a[0] != "V")

    def inner(self, u: Poly, v: Poly) -> Poly:
        """The inner product of two vector normal forms."""
        result: Poly = {}
        for left_key, left_value in u.items():
            for right_key, right_value in v.items():
                left_names, left_exponent, left_atoms = self.open(left_key)
                right_names, right_exponent, right_atoms = self.open(right_key)
                left_vector, left_rest = self._take_vector(left_atoms)
                right_vector, right_rest = self._take_vector(right_atoms)
                rest = self.multiply_open(
                    (left_exponent, left_rest, left_value), (right_exponent, right_rest, right_value)
                )
                term = self.multiply(rest, self._pair(left_vector, right_vector))
                result = add(result, self.bind(term, [*left_names, *right_names]))
        return result

    def _pair(self, left: Atom, right: Atom) -> Poly:
        turned = tuple(
            (name, indices, 0 if name in self.relations.symmetric else 1 - t) for name, indices, t in reversed(left[1])
        )
        return self.paired(left[2], (*turned, *right[1]), right[2])

    def paired(self, left: Atom, word: tuple[Any, ...], right: Atom) -> Poly:
        """The inner product <left, word right> as a normal form."""
        word, deltas = self.relations.reduce(word)
        result: Poly
        same = self.relations.pairing(left, right) if not word else None
        if same is None:
            result = self.atom(orient(left, word, right, self.relations.symmetric))
        elif same[0] == "one":
            result = constant(1)
        elif same[0] == "delta":
            result = self.delta(left[2][0], right[2][0])
        else:
            common = self.scalar(same[1])
            meet = self.delta(left[2][0], right[2][0])
            result = add(common, self.multiply(meet, add(constant(1), scale(common, -1))))
        for i, j in deltas:
            result = self.multiply(result, self.delta(i, j))
        return result

    # --- atoms ---------------------------------------------------------------------------------------------------

    def delta(self, i: str, j: str) -> Poly:
        """1 for equal indices, 0 for indices known to differ, else an atom."""
        if i == j:
            return constant(1)
        if frozenset((i, j)) in self.distinct:
            return {}
        return of_atom(("delta", *sorted((i, j))))

    def atom(self, atom: Atom, power: int = 1) -> Poly:
        """An atom as a polynomial, rewritten if a cited equation says so."""
        for source, target, schematic in self._rewrites:
            mapping = match(source, atom, schematic, self.labeller)
            if mapping is not None:
                return (
                    self.power(self.rename(target, mapping), power)
                    if power >= 0
                    else self.inverse(self.power(self.rename(target, mapping), -power))
                )
        return of_atom(atom, power)

    # --- products ------------------------------------------------------------------------------------------------

    def open(self, key: Key) -> tuple[list[str], Frozen, tuple[tuple[Atom, int], ...]]:
        """A key with its binders renamed to names used nowhere else."""
        binders, exponent, atoms = key
        if not binders:
            return [], exponent, atoms
        mapping = {b: self.fresh(b) for b in binders}
        return (
            list(mapping.values()),
            self.labeller.relabel_frozen(exponent, mapping),
            tuple((self.labeller.relabel_atom(a, mapping), p) for a, p in atoms),
        )

    def product(self, *polys: Poly) -> Poly:
        """The product of one or more polynomials."""
        result = polys[0]
        for poly in polys[1:]:
            result = self.multiply(result, poly)
        return result

    def multiply(self, left: Poly, right: Poly) -> Poly:
        """The product of two polynomials."""
        result: Poly = {}
        for first, a in left.items():
            for second, b in right.items():
                if first == UNIT_KEY:
                    term = {second: a * b}
                elif second == UNIT_KEY:
                    term = {first: a * b}
                else:
                    names, exponent, atoms = self.open(first)
                    more, other_exponent, other_atoms = self.open(second)
                    term = self.multiply_open((exponent, atoms, a), (other_exponent, other_atoms, b))
                    term = self.bind(term, [*names, *more])
                result = add(result, term)
        return result

    def multiply_open(
        self,
        left: tuple[Frozen, tuple[tuple[Atom, int], ...], Fraction],
        right: tuple[Frozen, tuple[tuple[Atom, int], ...], Fraction],
    ) -> Poly:
        """The product of two opened terms: exponent, atoms with their powers, coefficient."""
        powers: dict[Atom, int] = dict(left[1])
        for atom, power in right[1]:
            powers[atom] = powers.get(atom, 0) + power
        exponent = left[0] if not right[0] else right[0] if not left[0] else freeze(add(thaw(left[0]), thaw(right[0])))
        return self.settle(left[2] * right[2], exponent, {a: p for a, p in powers.items() if p})

    def settle(self, value: Fraction, exponent: Frozen, powers: dict[Atom, int]) -> Poly:
        """An open product in normal form: what its atoms' powers make of each other."""
        for atom in sorted(powers, key=order):
            power = powers[atom]
            tag = atom[0]
            if tag == "delta":
                kept, gone = self._preferred(atom[1], atom[2])
                rest = {a: p for a, p in powers.items() if a != atom}
                touched = gone in names_in(exponent) if exponent else False
                if touched or any(gone in names_in(a) for a in rest):
                    moved = self.rename(self.settle(value, exponent, rest), {gone: kept})
                    return self.multiply(moved, of_atom(atom))
                powers[atom] = 1
            elif tag in ("abs", "sqrt+") and power >= 2:
                square = self.power(thaw(atom[1]), 2 if tag == "abs" else 1)
                return self._replace(value, exponent, powers, atom, self.power(square, power // 2), power % 2)
            elif tag == "abs" and power <= -2:
                square = self.inverse(self.power(thaw(atom[1]), 2))
                return self._replace(value, exponent, powers, atom, self.power(square, -power // 2), -(-power % 2))
            elif tag == "sin" and power >= 2:
                square = add(constant(1), scale(of_atom(("cos", atom[1]), 2), -1))
                return self._replace(value, exponent, powers, atom, self.power(square, power // 2), power % 2)
            elif tag == "inv" and power >= 2:
                only = single_atom(atom[1])
                if only is not None and powers.get(only, 0) >= 1:
                    shared = min(powers[only], power - 1) if powers[only] < power else power - 1
                    fewer = dict(powers)
                    fewer[only] -= shared
                    fewer[atom] -= shared
                    if not fewer[only] and fewer[atom]:
                        del fewer[only]
                    return self.settle(value, exponent, {a: p for a, p in fewer.items() if p})
        if exponent and any(a[0] in ("log+", "W+") for (_, _, atoms), _ in exponent for a, _p in atoms):
            again = self.exponential(thaw(exponent))
            if again != {((), exponent, ()): Fraction(1)}:
                return self.multiply({((), (), ordered(powers)): value}, again)
        return {((), exponent, ordered(powers)): value}

    def _replace(
        self, value: Fraction, exponent: Frozen, powers: dict[Atom, int], atom: Atom, by: Poly, left_over: int
    ) -> Poly:
        rest = {a: p for a, p in powers.items() if a != atom}
        if left_over:
            rest[atom] = left_over
        return self.multiply(self.settle(value, exponent, rest), by)

    @staticmethod
    def _preferred(i: str, j: str) -> tuple[str, str]:
        """Of two equal indices, which name stays and which goes: open names go first."""
        ranked = sorted((i, j), key=lambda name: ("~" in name or "#" in name, name))
        return ranked[0], ranked[1]

    def power(self, poly: Poly, exponent: int) -> Poly:
        """A power of a polynomial; refused outside 0 to MAX_POWER."""
        if not 0 <= exponent <= MAX_POWER:
            raise Refusal(f"the power {exponent} is not between 0 and {MAX_POWER}")
        result = constant(1)
        for _ in range(exponent):
            result = self.multiply(result, poly)
        return result

    # --- binding -------------------------------------------------------------------------------------------------

    def bind(self, poly: Poly, names: Sequence[str]) -> Poly:
        """The sum of an open polynomial over these names."""
        if not names:
            return poly
        result: Poly = {}
        for key, value in poly.items():
            own, exponent, atoms = self.open(key)
            result = add(result, self._bind_term(value, exponent, dict(atoms), [*own, *names]))
        return result

    def _bind_term(self, value: Fraction, exponent: Frozen, powers: dict[Atom, int], names: list[str]) -> Poly:
        for position, name in enumerate(names):
            others = names[:position] + names[position + 1 :]
            for atom in powers:
                if atom[0] == "delta" and name in atom[1:3]:
                    partner = atom[2] if atom[1] == name else atom[1]
                    rest = {a: p for a, p in powers.items() if a != atom}
                    moved = self.rename({((), exponent, ordered(rest)): value}, {name: partner})
                    return self.bind(moved, others)
            contracted = self._contract(name, exponent, powers)
            if contracted is not None:
                return self.bind(scale(contracted, value), others)
            if not (exponent and name in names_in(exponent)) and not any(name in names_in(a) for a in powers):
                sort = sort_of(name[0])
                return self.multiply(self.size(sort), self._bind_term(value, exponent, powers, others))
        if not names:
            return {((), exponent, ordered(powers)): value}
        return {self.labeller.label(names, exponent, ordered(powers)): value}

    def _contract(self, name: str, exponent: Frozen, powers: dict[Atom, int]) -> Poly | None:
        """Sum over a basis, or over projectors that resolve the identity, where the index occurs just so."""
        if name[0] not in "agh" or (exponent and name in names_in(exponent)):
            return None
        holding = [(a, p) for a, p in powers.items() if name in names_in(a)]
        rest = {a: p for a, p in powers.items() if name not in names_in(a)}
        replaced: Poly | None = None
        if name[0] == "a":
            ends = [self._other_end(a, name) for a, _ in holding]
            powers_fit = sum(p for _, p in holding) == 2 and all(p > 0 for _, p in holding)
            if powers_fit and all(e is not None for e in ends):
                first, second = (ends[0], ends[0]) if len(ends) == 1 else (ends[0], ends[1])
                assert first is not None
                assert second is not None
                replaced = self._pair(first, second)
        elif len(holding) == 1 and holding[0][1] == 1:
            replaced = self._resolve(holding[0][0], name)
        if replaced is None:
            return None
        return self.multiply({((), exponent, ordered(rest)): Fraction(1)}, replaced)

    def _other_end(self, atom: Atom, name: str) -> Atom | None:
        """For <e_a, word v> or <v, word e_a> with a nowhere else: the vector it is paired with."""
        if atom[0] != "ip":
            return None
        _, left, word, right = atom
        here = ("vec", "e", (name,))
        if left == here and right != here and name not in names_in(("V", word, right)):
            return ("V", word, right)
        if right == here and left != here and name not in names_in(("V", word, left)):
            turned = tuple(
                (op, indices, 0 if op in self.relations.symmetric else 1 - t) for op, indices, t in reversed(word)
            )
            return ("V", turned, left)
        return None

    def _resolve(self, atom: Atom, name: str) -> Poly | None:
        if atom[0] not in ("ip", "V"):
            return None
        word = atom[2] if atom[0] == "ip" else atom[1]
        places = [k for k, (op, indices, _) in enumerate(word) if name in indices]
        if len(places) != 1 or word[places[0]][0] not in self.relations.resolutions:
            return None
        shorter = word[: places[0]] + word[places[0] + 1 :]
        outside = ("V", (), atom[1] if atom[0] == "ip" else atom[2])
        if name in names_in(outside) or (atom[0] == "ip" and name in names_in(("V", (), atom[3]))):
            return None
        if atom[0] == "ip":
            return self.paired(atom[1], shorter, atom[3])
        return self._word_vector(shorter, atom[2])

    # --- renaming and rebuilding -----------------------------------------------------------------------------------

    def rename(self, poly: Poly, names: Mapping[str, str]) -> Poly:
        """The polynomial with free names replaced, not necessarily by distinct ones, and normalised again."""
        result: Poly = {}
        for key, value in poly.items():
            if not self._touches(key, names):
                result = add(result, {key: value})
                continue
            own, exponent, atoms = self.open(key)
            term = constant(value)
            if exponent:
                term = self.multiply(term, self.exponential(self.rename(thaw(exponent), names)))
            for atom, power in atoms:
                rebuilt = self._rebuild(atom, names)
                factor = self.power(rebuilt, abs(power))
                if power < 0:
                    factor = self.inverse(factor)
                term = self.multiply(term, factor)
            result = add(result, self.bind(term, own))
        return result

    @staticmethod
    def _touches(key: Key, names: Mapping[str, str]) -> bool:
        _, exponent, atoms = key
        return bool(exponent and any(x in names for x in names_in(exponent))) or any(
            x in names for a, _ in atoms for x in names_in(a)
        )

    def _rebuild(self, atom: Atom, names: Mapping[str, str]) -> Poly:
        if not any(x in names for x in names_in(atom)):
            return of_atom(atom)
        tag = atom[0]
        if tag == "s":
            return self.atom((tag, atom[1], tuple(names.get(i, i) for i in atom[2])))
        if tag == "delta":
            return self.delta(names.get(atom[1], atom[1]), names.get(atom[2], atom[2]))
        if tag == "ip":
            return self.paired(self._base(atom[1], names), self._word(atom[2], names), self._base(atom[3], names))
        if tag == "V":
            return self._word_vector(self._word(atom[1], names), self._base(atom[2], names))
        if tag == "def":
            arguments = tuple(freeze(self.rename(thaw(p), names)) for p in atom[3])
            return self.atom((tag, atom[1], tuple(names.get(i, i) for i in atom[2]), arguments))
        if tag in ("int", "root"):
            return of_atom((tag, *(freeze(self.rename(thaw(p), names)) for p in atom[1:])))
        inner = self.rename(thaw(atom[1]), names)
        if tag == "sqrt+":
            return self.square_root(inner, known=True)
        if tag == "opnorm":
            return self._renormed(inner)
        if tag in ("log+", "W+"):
            return self.apply_known(tag, inner)
        if tag in NESTED:
            return self.apply(tag, inner)
        raise Refusal(f"cannot rename inside {tag!r}")

    def _renormed(self, image: Poly) -> Poly:
        if not image:
            return {}
        pivot = min(image, key=order)
        content = image[pivot]
        return scale(of_atom(("opnorm", freeze(scale(image, 1 / content)))), abs(content))

    def apply_known(self, tag: str, inner: Poly) -> Poly:
        """A logarithm or W whose argument was known to be positive before a renaming, and so still is."""
        return self.logarithm(inner, known=True) if tag == "log+" else of_atom(("W+", freeze(inner)))

    def _base(self, base: Atom, names: Mapping[str, str]) -> Atom:
        mapped = tuple(names.get(i, i) for i in base[2])
        if base[0] == "vdef":
            return (base[0], base[1], mapped, tuple(freeze(self.rename(thaw(p), names)) for p in base[3]))
        return (base[0], base[1], mapped)

    @staticmethod
    def _word(word: tuple[Any, ...], names: Mapping[str, str]) -> tuple[Any, ...]:
        return tuple((op, tuple(names.get(i, i) for i in indices), t) for op, indices, t in word)

    # --- functions -------------------------------------------------------------------------------------------------

    def rekeyed(self, binders: tuple[str, ...], exponent: Frozen, atoms: tuple[tuple[Atom, int], ...]) -> Key:
        """The key of a term from which an atom without its binders was taken: the canonical names may be others now."""
        return self.labeller.label(binders, exponent, atoms) if binders else (binders, exponent, atoms)

    def _split_delta(self, poly: Poly) -> tuple[Poly, Poly, Atom] | None:
        """Write a polynomial as A + B delta, with both indices of the delta free."""
        for key in poly:
            for atom, _ in key[2]:
                if atom[0] == "delta":
                    without: Poly = {}
                    factor: Poly = {}
                    for (binders, exponent, atoms), value in poly.items():
                        if (atom, 1) in atoms:
                            rest = tuple((a, p) for a, p in atoms if a != atom)
                            factor[self.rekeyed(binders, exponent, rest)] = value
                        else:
                            without[binders, exponent, atoms] = value
                    return without, factor, atom
        return None

    def _by_cases(self, split: tuple[Poly, Poly, Atom], function: Any) -> Poly:
        without, factor, atom = split
        kept, gone = self._preferred(atom[1], atom[2])
        outside = function(without)
        equal = function(self.rename(add(without, factor), {gone: kept}))
        inside = self.rename(outside, {gone: kept})
        return add(outside, self.multiply(of_atom(atom), add(equal, scale(inside, -1))))

    def exponential(self, poly: Poly) -> Poly:
        """E to a normal form."""
        split = self._split_delta(poly)
        if split is not None:
            return self._by_cases(split, self.exponential)
        result = constant(1)
        rest: Poly = {}
        for key, value in poly.items():
            binders, exponent, atoms = key
            if not binders and not exponent and len(atoms) == 1 and atoms[0][1] == 1:
                atom = atoms[0][0]
                if atom[0] == "log+" and (2 * value).denominator == 1 and abs(value) <= MAX_POWER:
                    base = thaw(atom[1])
                    whole = math.floor(abs(value))
                    factor = self.power(base, whole)
                    if abs(value) != whole:
                        factor = self.multiply(factor, self.square_root(base, known=True))
                    result = self.multiply(result, factor if value > 0 else self.inverse(factor))
                    continue
                if atom[0] == "W+" and value.denominator == 1 and abs(value) <= MAX_POWER:
                    ratio = self.multiply(thaw(atom[1]), self.inverse(of_atom(atom)))
                    factor = self.power(ratio, abs(int(value)))
                    result = self.multiply(result, factor if value > 0 else self.inverse(factor))
                    continue
            rest[key] = value
        if rest:
            result = self.multiply(result, of_exponent(freeze(rest)))
        return result

    def inverse(self, poly: Poly) -> Poly:
        """1/t, and 0 where t is 0."""
        if not poly:
            return {}
        split = self._split_delta(poly)
        if split is not None:
            return self._by_cases(split, self.inverse)
        if len(poly) == 1:
            (((binders, exponent, atoms), value),) = poly.items()
            if not binders:
                result = of_exponent(freeze(scale(thaw(exponent), -1)) if exponent else (), 1 / value)
                for atom, power in atoms:
                    result = self.multiply(result, self._inverse_atom(atom, power))
                return result
        content, primitive = self.primitive(poly, positive=False)
        if len(primitive) == 1 and not next(iter(primitive))[0]:
            return self.multiply(self.inverse(content), self.inverse(primitive))
        return self.multiply(self.inverse(content), of_atom(("inv", freeze(primitive))))

    def _inverse_atom(self, atom: Atom, power: int) -> Poly:
        if atom[0] == "inv" and power > 0:
            return self.power(thaw(atom[1]), power)
        if atom[0] in ("sqrt", "sqrt+") and power > 0:
            # Never a negative power, so that squares of roots always meet.
            under = self.inverse(thaw(atom[1]))
            return self.power(self.multiply(of_atom(atom), under), power)
        if power < 0 or self.facts.nonzero_atom(atom):
            return of_atom(atom, -power)
        return of_atom(("inv", freeze(of_atom(atom))), power)

    def square_root(self, poly: Poly, known: bool = False) -> Poly:
        """The square root; `known` when the argument is at least 0 by construction."""
        if not poly:
            return {}
        split = self._split_delta(poly)
        if split is not None:
            return self._by_cases(split, lambda p: self.square_root(p, known))
        value = is_constant(poly)
        if value is not None and value < 0:
            return {}
        known = known or self.facts.sign(poly) in (">", ">=")
        content, inner = self.primitive(poly, positive=True)
        (_, exponent, atoms), coefficient = next(iter(content.items()))
        half = freeze(scale(thaw(exponent), Fraction(1, 2))) if exponent else ()
        result: Poly = of_exponent(half)
        for atom, power in atoms:
            result = self.multiply(result, of_atom(atom, power // 2))
            if power % 2:
                inner = self.multiply(inner, of_atom(atom))
        whole = content_of(scale(inner, coefficient))
        outside, inside = square_part(whole)
        inner = scale(inner, coefficient * inside / whole)
        result = scale(result, outside)
        single = self._root_of_monomial(inner)
        if single is not None:
            return self.multiply(result, single)
        return self.multiply(result, of_atom(("sqrt+" if known else "sqrt", freeze(inner))))

    def _root_of_monomial(self, poly: Poly) -> Poly | None:
        """sqrt(1) = 1 and sqrt(t^2) = |t|, for a product without sums."""
        if len(poly) != 1:
            return None
        (((binders, exponent, atoms), value),) = poly.items()
        if binders or exponent or value != 1 or any(p % 2 for _, p in atoms):
            return None
        result = constant(1)
        for atom, power in atoms:
            factor = self.absolute(of_atom(atom, abs(power) // 2))
            result = self.multiply(result, factor if power > 0 else self.inverse(factor))
        return result

    def absolute(self, poly: Poly) -> Poly:
        """The absolute value; |ab| = |a||b| for a product without sums."""
        sign = self.facts.sign(poly)
        if sign in (">", ">="):
            return poly
        if sign in ("<", "<="):
            return scale(poly, -1)
        if len(poly) == 1:
            (((binders, exponent, atoms), value),) = poly.items()
            if not binders:
                result: Poly = of_exponent(exponent, abs(value))
                for atom, power in atoms:
                    factor = of_atom(atom, power)
                    known = self.facts.sign(factor)
                    if known in ("<", "<="):
                        factor = scale(factor, -1)
                    elif known not in (">", ">="):
                        factor = self._absolute_atom(atom, power)
                    result = self.multiply(result, factor)
                return result
        content, inner = self.primitive(poly, positive=True)
        return self.multiply(content, of_atom(("abs", freeze(self._signed(inner)[1]))))

    def _absolute_atom(self, atom: Atom, power: int) -> Poly:
        if power < 0:
            return self.inverse(self._absolute_atom(atom, -power))
        if atom[0] == "inv":
            return self.power(self.inverse(self.absolute(thaw(atom[1]))), power)
        return self.power(of_atom(("abs", freeze(of_atom(atom)))), power)

    def _relu(self, poly: Poly) -> Poly:
        sign = self.facts.sign(poly)
        if sign in (">", ">="):
            return poly
        if sign in ("<", "<=") or not poly:
            return {}
        content, inner = self.primitive(poly, positive=True)
        return self.multiply(content, of_atom(("relu", freeze(inner))))

    def logarithm(self, poly: Poly, known: bool = False) -> Poly:
        """Log t, and 0 where t is not positive; log of a product splits where the factors are known to be positive."""
        value = is_constant(poly)
        if value is not None:
            return log_of_rational(value) if value > 0 else {}
        if not known and self.facts.sign(poly) != ">":
            return of_atom(("log", freeze(poly)))
        if len(poly) == 1:
            (((binders, exponent, atoms), coefficient),) = poly.items()
            if not binders and coefficient > 0 and all(self.facts.sign(of_atom(a)) == ">" for a, _ in atoms):
                result = add(log_of_rational(coefficient), thaw(exponent))
                for atom, power in atoms:
                    one = of_atom(("log+", freeze(of_atom(atom))))
                    if atom[0] == "inv":
                        one = scale(self.logarithm(thaw(atom[1]), known=True), -1)
                    elif atom[0] == "sqrt+":
                        one = scale(self.logarithm(thaw(atom[1]), known=True), Fraction(1, 2))
                    result = add(result, scale(one, power))
                return result
        content, inner = self.primitive(poly, positive=True)
        if content != constant(1) and is_constant(inner) is None:
            return add(self.logarithm(content, known=True), of_atom(("log+", freeze(inner))))
        return of_atom(("log+", freeze(poly)))

    def _signed(self, poly: Poly) -> tuple[int, Poly]:
        """The polynomial up to sign, and the sign."""
        if not poly:
            return 1, poly
        pivot = min(poly, key=order)
        return (1, poly) if poly[pivot] > 0 else (-1, scale(poly, -1))

    def primitive(self, poly: Poly, positive: bool) -> tuple[Poly, Poly]:
        """Split off a monomial content that cannot vanish (or, if `positive`, that is positive)."""
        units: dict[Atom, int] = {}
        for key in poly:
            for atom, _ in key[2]:
                if names_in(atom) & set(key[0]) or atom in units:
                    continue
                allowed = self.facts.sign(of_atom(atom)) == ">" if positive else self.facts.nonzero_atom(atom)
                if allowed and self.facts.nonzero_atom(atom):
                    units[atom] = 0
        for atom in units:
            units[atom] = min(dict(key[2]).get(atom, 0) for key in poly)
        monomial = {a: p for a, p in units.items() if p}
        inner = poly
        if monomial:
            inner = self.multiply(poly, {((), (), ordered({a: -p for a, p in monomial.items()})): Fraction(1)})
        pivot = leading(inner)
        exponent = pivot[1] if not (pivot[1] and names_in(pivot[1]) & set(pivot[0])) else ()
        if exponent:
            inner = self.multiply(inner, {((), freeze(scale(thaw(exponent), -1)), ()): Fraction(1)})
            pivot = leading(inner)
        coefficient = abs(inner[pivot]) if positive else inner[pivot]
        inner = scale(inner, 1 / coefficient)
        return {((), exponent, ordered(monomial)): coefficient}, inner


# --- helpers ---------------------------------------------------------------------------------------------------------


def ordered(powers: Mapping[Atom, int]) -> tuple[tuple[Atom, int], ...]:
    """The powers that are not 0, in order: the last part of a key."""
    return tuple(sorted(((a, p) for a, p in powers.items() if p), key=order))


def leading(poly: Poly) -> Key:
    """The key that a content is read off: exponents come last, so compared that a common factor e^c changes nothing."""
    least = min(order((k[0], k[2])) for k in poly)
    alike = [k for k in poly if order((k[0], k[2])) == least]
    if len(alike) == 1:
        return alike[0]
    exponents = {k: thaw(k[1]) for k in alike}
    monomials = sorted({m for e in exponents.values() for m in e}, key=order)
    return min(alike, key=lambda k: [exponents[k].get(m, Fraction(0)) for m in monomials])


def of_exponent(exponent: Frozen, value: Fraction = Fraction(1)) -> Poly:
    """Value times e^exponent."""
    return {((), exponent, ()): value}


def single_atom(frozen: Frozen) -> Atom | None:
    """The atom that a frozen polynomial consists of, if it is one atom to the first power."""
    if len(frozen) == 1:
        (binders, exponent, atoms), value = frozen[0]
        if not binders and not exponent and value == (1, 1) and len(atoms) == 1 and atoms[0][1] == 1:
            found: Atom = atoms[0][0]
            return found
    return None


def scalar_depth(node: Node) -> int:
    """How deep integrals and roots are nested in a term."""
    from antumbra.proofs.kernel.signature import children

    below = max((scalar_depth(c) for c in children(node)), default=0)
    return below + 1 if node[0] in ("int", "root") else below


def unfolded_function(node: Node) -> Node:
    """sinh, cosh, tanh, coth and arsinh in exp, log and sqrt."""
    t = Scalar(node[2])
    name = node[1]
    if name == "tanh":
        return 1 - 2 / (exp(2 * t) + 1)
    if name == "coth":
        return 1 + 2 / (exp(2 * t) - 1)
    if name == "sinh":
        return (exp(t) - exp(-t)) / 2
    if name == "cosh":
        return (exp(t) + exp(-t)) / 2
    if name == "arsinh":
        return log(t + sqrt(t**2 + 1))
    raise Refusal(f"no function is called {name!r}; there are sinh, cosh, tanh, coth, arsinh, Ei and W")


def content_of(poly: Mapping[Key, Fraction]) -> Fraction:
    """The greatest positive rational that leaves integer coefficients without common factor."""
    numerators = math.gcd(*(abs(v.numerator) for v in poly.values()))
    denominators = math.lcm(*(v.denominator for v in poly.values()))
    return Fraction(numerators, denominators)


def prime_powers(value: int) -> dict[int, int]:
    """The factorisation of a positive integer below 10^12; what is left of a greater one stays whole."""
    result: dict[int, int] = {}
    divisor = 2
    while divisor * divisor <= value and divisor < 10**6:
        while value % divisor == 0:
            result[divisor] = result.get(divisor, 0) + 1
            value //= divisor
        divisor += 1 if divisor == 2 else 2
    if value > 1:
        result[value] = result.get(value, 0) + 1
    return result


def square_part(value: Fraction) -> tuple[Fraction, int]:
    """sqrt(value) = outside * sqrt(inside), inside a square-free integer."""
    product = value.numerator * value.denominator
    outside, inside = 1, 1
    for prime, power in prime_powers(product).items():
        outside *= prime ** (power // 2)
        inside *= prime ** (power % 2)
    return Fraction(outside, value.denominator), inside


def log_of_rational(value: Fraction) -> Poly:
    """The logarithm of a positive rational as a sum over its prime factors."""
    result: Poly = {}
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        for prime, power in prime_powers(part).items():
            result = add(result, scale(of_atom(("log+", freeze(constant(prime)))), sign * power))
    return result


def match(source: Atom, target: Atom, schematic: frozenset[str], labeller: Labeller) -> dict[str, str] | None:
    """An injective renaming of the schematic indices that turns one atom into the other."""
    from itertools import permutations

    if source[0] != target[0] or (source[1:2] != target[1:2] and source[0] in ("s", "def", "size")):
        return None
    if source == target:
        return {i: i for i in schematic & names_in(source)}
    wanted = sorted(schematic & names_in(source))
    available = sorted(names_in(target))
    if not wanted or len(wanted) > 4:
        return None
    # Two steps, through names that occur nowhere, so that a swap of names is a renaming as well.
    through = {w: f"{w[0]}~m{k}" for k, w in enumerate(wanted)}
    moved = labeller.relabel_atom(source, through)
    for chosen in permutations(available, len(wanted)):
        if any(sort_of(a[0]) != sort_of(b[0]) for a, b in zip(wanted, chosen, strict=True)):
            continue
        if labeller.relabel_atom(moved, {through[w]: c for w, c in zip(wanted, chosen, strict=True)}) == target:
            return dict(zip(wanted, chosen, strict=True))
    return None
