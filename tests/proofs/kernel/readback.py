"""Normal forms of the kernel and of the checker read back as raw terms, so that the evaluator can judge them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from terms_strategy import q


class Names:
    """Index names of a normal form as index names of the term language."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, name: str) -> str:
        if name.isalnum():
            return name
        return self._known.setdefault(name, f"{name[0]}{7000 + len(self._known)}")

    def unbound(self) -> Mapping[str, str]:
        """Names with a mark of their own, by the name given here."""
        return {given: name for name, given in self._known.items()}


def product(factors: list[Any]) -> Any:
    return q(1) if not factors else factors[0] if len(factors) == 1 else ("*", *factors)


def total(summands: list[Any], nothing: Any, tag: str = "+") -> Any:
    return nothing if not summands else summands[0] if len(summands) == 1 else (tag, *summands)


def number(value: Fraction | int | tuple[int, int]) -> Any:
    # Frozen polynomials of the kernel keep a coefficient as (numerator, denominator).
    value = Fraction(*value) if isinstance(value, tuple) else Fraction(value)
    return q(value.numerator, value.denominator)


def raised(term: Any, power: int) -> Any:
    if power < 0:
        return ("inv", raised(term, -power))
    return term if power == 1 else ("^", term, power)


class Kernel:
    """Polynomials of `antumbra.proofs.kernel.poly`."""

    def __init__(self) -> None:
        self.names = Names()

    def scalar(self, poly: Any) -> Any:
        items = poly.items() if isinstance(poly, dict) else poly
        return total([self._summand(key, value) for key, value in items], q(0))

    def _summand(self, key: Any, value: Fraction) -> Any:
        binders, exponent, atoms = key
        factors = [number(value)]
        if exponent:
            factors.append(("exp", self.scalar(exponent)))
        factors += [raised(self._atom(atom), power) for atom, power in atoms]
        return self._summed("sum", binders, product(factors))

    def _summed(self, tag: str, binders: Any, body: Any) -> Any:
        for binder in reversed(binders):
            body = (tag, self.names.of(binder), (), body)
        return body

    def vector(self, poly: Any) -> Any:
        items = poly.items() if isinstance(poly, dict) else poly
        summands = []
        for (binders, exponent, atoms), value in items:
            (vector,) = (atom for atom, _ in atoms if atom[0] == "V")
            rest = tuple((atom, power) for atom, power in atoms if atom[0] != "V")
            factor = self._summand(((), exponent, rest), value)
            body = ("vmul", factor, self._word(vector[1], self._base(vector[2])))
            summands.append(self._summed("vsum", binders, body))
        return total(summands, ("v0",), "vadd")

    def _indices(self, indices: Any) -> tuple[str, ...]:
        return tuple(self.names.of(index) for index in indices)

    def _word(self, word: Any, u: Any) -> Any:
        for name, indices, transposed in reversed(word):
            u = ("opT" if transposed else "op", name, self._indices(indices), u)
        return u

    def _base(self, base: Any) -> Any:
        if base[0] == "vdef":
            return ("vdef", base[1], self._indices(base[2]), tuple(self.scalar(p) for p in base[3]))
        return ("vec", base[1], self._indices(base[2]))

    def _atom(self, atom: Any) -> Any:
        tag = atom[0]
        match tag:
            case "size" | "pi":
                return atom
            case "s":
                return ("s", atom[1], self._indices(atom[2]))
            case "delta":
                return (tag, *self._indices(atom[1:]))
            case "ip":
                return (tag, self._base(atom[1]), self._word(atom[2], self._base(atom[3])))
            case "def":
                return (tag, atom[1], self._indices(atom[2]), tuple(self.scalar(p) for p in atom[3]))
            case "inv" | "log" | "sqrt" | "abs" | "relu" | "sin" | "cos":
                return (tag, self.scalar(atom[1]))
            case "log+" | "sqrt+":
                return (tag[:-1], self.scalar(atom[1]))
            case "Ei" | "W" | "W+":
                return ("fn", tag.rstrip("+"), self.scalar(atom[1]))
            case "opnorm":
                return (tag, "\u2218", self.vector(atom[1]))
            case "int" | "root":
                return self._one_variable(atom)
        raise AssertionError(f"an atom of the kernel that is not read back: {atom!r}")

    def _one_variable(self, atom: Any) -> Any:
        depth = _depth(atom[1])
        body, *ends = (self.scalar(part) for part in atom[1:])
        name = f"\u2218{depth}"
        return (atom[0], name, *ends, body) if atom[0] == "int" else (atom[0], name, body, *ends)


def _depth(item: Any) -> int:
    """How deep integrals and roots are nested in a normal form of the kernel."""
    if not isinstance(item, tuple):
        return 0
    below = max((_depth(part) for part in item), default=0)
    return below + 1 if item and item[0] in ("int", "root") else below


class Checker:
    """Polynomials of `antumbra.proofs.checker`."""

    def __init__(self) -> None:
        self.names = Names()

    def scalar(self, poly: Any) -> Any:
        return total([self._summand(mono, value) for mono, value in poly.terms.items()], q(0))

    def _summand(self, mono: Any, value: Fraction | int) -> Any:
        binders, factors = mono
        body = product([number(value), *(self._power(atom, power) for atom, power in factors)])
        return self._summed("sum", binders, body)

    def _power(self, atom: Any, power: int) -> Any:
        if atom.tag == "E":
            exponent = self.scalar(atom.args[0])
            return ("exp", exponent if power == 1 else ("*", q(power), exponent))
        return raised(self._atom(atom), power)

    def _summed(self, tag: str, binders: Any, body: Any) -> Any:
        for binder in reversed(binders):
            body = (tag, self.names.of(binder), (), body)
        return body

    def vector(self, poly: Any) -> Any:
        summands = []
        for (binders, factors), value in poly.terms.items():
            (vector,) = (atom for atom, _ in factors if atom.tag == "V")
            rest = tuple((atom, power) for atom, power in factors if atom.tag != "V")
            body = ("vmul", self._summand(((), rest), value), self._word(vector.args[0], self._base(vector.args[1])))
            summands.append(self._summed("vsum", binders, body))
        return total(summands, ("v0",), "vadd")

    def _indices(self, indices: Any) -> tuple[str, ...]:
        return tuple(self.names.of(str(index)) for index in indices)

    def _word(self, word: Any, u: Any) -> Any:
        for name, indices, flag in reversed(word):
            u = ("opT" if flag == 1 else "op", name, self._indices(indices), u)
        return u

    def _base(self, base: Any) -> Any:
        name, indices, arguments = base.args
        if name.startswith("def "):
            return ("vdef", name[4:], self._indices(indices), tuple(self.scalar(p) for p in arguments))
        return ("vec", name, self._indices(indices))

    def _atom(self, atom: Any) -> Any:
        args = atom.args
        match atom.tag:
            case "pi":
                return ("pi",)
            case "z":
                return ("size", args[0])
            case "s":
                return ("s", args[0], self._indices(args[1]))
            case "d":
                return ("delta", *self._indices(args))
            case "ip":
                return ("ip", self._base(args[0]), self._word(args[1], self._base(args[2])))
            case "def":
                return ("def", args[0], self._indices(args[1]), tuple(self.scalar(p) for p in args[2]))
            case "f":
                argument = self.scalar(args[1])
                return ("fn", args[0], argument) if args[0] in ("Ei", "W") else (args[0], argument)
            case "opnorm":
                return ("opnorm", self._variable(args[0]), self.vector(args[0]))
            case "int":
                return ("int", args[3], self.scalar(args[0]), self.scalar(args[1]), self.scalar(args[2]))
            case "root":
                high = ("inf",) if args[1] == "inf" else self.scalar(args[1])
                return ("root", args[3], self.scalar(args[2]), self.scalar(args[0]), high)
        raise AssertionError(f"an atom of the checker that is not read back: {atom.tag}")

    @staticmethod
    def _variable(poly: Any) -> str:
        """The name of the variable of a linear map: the one base of its vectors that no setting declares."""
        (name,) = {atom.args[1].args[0] for _, factors in poly.terms for atom, _ in factors if atom.tag == "V"}
        assert "$" in name
        return str(name)
