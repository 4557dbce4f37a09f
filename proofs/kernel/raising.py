"""From normal forms back to terms, to show what a failing step leaves over and to name denominators."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from antumbra.proofs.kernel.poly import Atom, Key, thaw
from antumbra.proofs.kernel.terms import Node, Scalar, Vector, rational

MAX_SHOWN = 6


def raised(poly: Mapping[Key, Fraction], names: Mapping[str, str] | None = None) -> Scalar:
    """A raw term with this normal form; free names must be indices of the statement."""
    terms = [_term(key, value, dict(names or {})) for key, value in sorted(poly.items(), key=repr)]
    if not terms:
        return rational(0)
    return terms[0] if len(terms) == 1 else Scalar(("+", *terms))


def _term(key: Key, value: Fraction, names: dict[str, str]) -> Scalar:
    binders, exponent, atoms = key
    for binder in binders:
        letter = {"i": "j", "h": "g", "a": "a"}[binder[0]]
        names[binder] = f"{letter}{800 + len(names)}"
    factors: list[Node] = []
    if value != 1:
        factors.append(rational(value))
    if exponent:
        factors.append(Scalar(("exp", raised(thaw(exponent), names))))
    for atom, power in atoms:
        base = _atom(atom, names)
        if power < 0:
            base = Scalar(("inv", base))
        factors.append(base if abs(power) == 1 else Scalar(("^", base, abs(power))))
    body = Scalar(factors[0]) if len(factors) == 1 else Scalar(("*", *factors)) if factors else rational(1)
    for binder in reversed(binders):
        body = Scalar(("sum", names[binder], (), body))
    return body


def _atom(atom: Atom, names: Mapping[str, str]) -> Scalar:
    tag = atom[0]
    if tag in ("size", "pi"):
        return Scalar(atom)
    if tag == "s":
        return Scalar((tag, atom[1], _mapped(atom[2], names)))
    if tag == "delta":
        return Scalar((tag, *_mapped(atom[1:3], names)))
    if tag == "def":
        return Scalar((tag, atom[1], _mapped(atom[2], names), tuple(raised(thaw(p), names) for p in atom[3])))
    if tag == "ip":
        return Scalar((tag, _base(atom[1], names), _word(atom[2], _base(atom[3], names), names)))
    if tag == "V":
        return Scalar(("ip", _word(atom[1], _base(atom[2], names), names), ("vec", "\u2218", ())))
    if tag in ("Ei", "W", "W+"):
        return Scalar(("fn", tag.rstrip("+"), raised(thaw(atom[1]), names)))
    if tag in ("int", "root"):
        return Scalar(("s", f"<{tag}>", ()))
    if tag == "opnorm":
        return Scalar(("s", "<operator norm>", ()))
    return Scalar((tag.rstrip("+"), raised(thaw(atom[1]), names)))


def _base(base: Any, names: Mapping[str, str]) -> Vector:
    if base[0] == "vdef":
        return Vector((base[0], base[1], _mapped(base[2], names), tuple(raised(thaw(p), names) for p in base[3])))
    return Vector((base[0], base[1], _mapped(base[2], names)))


def _word(word: Any, base: Vector, names: Mapping[str, str]) -> Vector:
    for name, indices, transposed in reversed(word):
        base = Vector(("opT" if transposed else "op", name, _mapped(indices, names), base))
    return base


def _mapped(indices: Any, names: Mapping[str, str]) -> tuple[str, ...]:
    # "i!" stands for all indices of a sort that has only one; any index of the sort says the same.
    return tuple(names.get(i, i.rstrip("!")) for i in indices)


def describe(poly: Mapping[Key, Fraction]) -> str:
    """A normal form in plain notation, its first terms only if there are many."""
    items = sorted(poly.items(), key=repr)
    shown = " + ".join(plain(_term(key, value, {})) for key, value in items[:MAX_SHOWN])
    return (shown or "0") + (f" + ... ({len(items)} terms)" if len(items) > MAX_SHOWN else "")


def plain(node: Any) -> str:
    """A compact notation for messages."""
    tag = node[0]
    if tag == "q":
        return str(Fraction(int(node[1], 16), int(node[2], 16)))
    if tag == "size":
        return {"token": "n", "head": "H", "axis": "d"}[str(node[1])]
    if tag in ("s", "vec", "def", "vdef"):
        arguments = [*node[2], *(plain(t) for t in (node[3] if len(node) > 3 else ()))]
        return str(node[1]) + (f"[{','.join(arguments)}]" if arguments else "")
    if tag == "+":
        return "(" + " + ".join(plain(t) for t in node[1:]) + ")"
    if tag == "*":
        return "*".join(plain(t) for t in node[1:])
    if tag == "^":
        return f"{plain(node[1])}^{node[2]}"
    if tag == "sum":
        return f"sum_{node[1]} " + plain(node[3])
    if tag == "ip":
        return f"<{plain(node[1])}, {plain(node[2])}>"
    if tag in ("op", "opT"):
        return f"{node[1]}{'^T' if tag == 'opT' else ''}[{','.join(node[2])}] {plain(node[3])}"
    if tag == "delta":
        return f"delta[{node[1]},{node[2]}]"
    if tag == "fn":
        return f"{node[1]}({plain(node[2])})"
    if tag == "pi":
        return "pi"
    return f"{tag}({', '.join(plain(t) if isinstance(t, tuple) and t else str(t) for t in node[1:])})"
