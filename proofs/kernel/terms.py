"""Raw terms of `docs/kernel.md` as nested tuples, with operators that build them.

`Scalar`, `Vector` and `Formula` are tuples: `json.dumps` writes them as the certificate's lists, and they compare equal
to plain tuples of the same content. Building does not simplify, but for the sign of a constant and a list of one part:
what the author writes is what is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

TOKEN, HEAD, AXIS = "token", "head", "axis"
SORTS = (TOKEN, HEAD, AXIS)
_SORT_OF_LETTER = {"i": TOKEN, "j": TOKEN, "k": TOKEN, "l": TOKEN, "g": HEAD, "h": HEAD, "a": AXIS}


class Node(tuple[Any, ...]):
    """Any raw term; a tuple whose first entry is its tag."""

    __slots__ = ()

    @property
    def tag(self) -> str:
        """The first entry, which says what kind of term it is."""
        return str(self[0])


Number: TypeAlias = int | Fraction


class Scalar(Node):
    """A real-valued term."""

    __slots__ = ()

    def __add__(self, other: ScalarLike) -> Scalar:
        return Scalar(("+", self, scalar(other)))

    def __radd__(self, other: ScalarLike) -> Scalar:
        return Scalar(("+", scalar(other), self))

    def __sub__(self, other: ScalarLike) -> Scalar:
        return Scalar(("+", self, -scalar(other)))

    def __rsub__(self, other: ScalarLike) -> Scalar:
        return Scalar(("+", scalar(other), -self))

    def __neg__(self) -> Scalar:
        value = constant(self)
        return rational(-value) if value is not None else Scalar(("*", rational(-1), self))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            return Vector(("vmul", self, other))
        return Scalar(("*", self, scalar(other)))

    def __rmul__(self, other: ScalarLike) -> Scalar:  # type: ignore[override]
        return Scalar(("*", scalar(other), self))

    def __truediv__(self, other: ScalarLike) -> Scalar:
        divisor = constant(scalar(other))
        if divisor is not None and divisor != 0:
            return Scalar(("*", rational(1 / divisor), self))
        return Scalar(("*", self, ("inv", scalar(other))))

    def __rtruediv__(self, other: ScalarLike) -> Scalar:
        if constant(scalar(other)) == 1:
            return Scalar(("inv", self))
        return Scalar(("*", scalar(other), ("inv", self)))

    def __pow__(self, exponent: int) -> Scalar:
        return Scalar(("^", self, exponent)) if exponent >= 0 else Scalar(("inv", ("^", self, -exponent)))


class Vector(Node):
    """A term with values in R^d."""

    __slots__ = ()

    def __add__(self, other: Vector) -> Vector:  # type: ignore[override]
        return Vector(("vadd", self, other))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(("vadd", self, ("vmul", rational(-1), other)))

    def __neg__(self) -> Vector:
        return Vector(("vmul", rational(-1), self))

    def __rmul__(self, factor: ScalarLike) -> Vector:  # type: ignore[override]
        return Vector(("vmul", scalar(factor), self))


class Formula(Node):
    """A statement."""

    __slots__ = ()


ScalarLike: TypeAlias = Scalar | int | Fraction | tuple[Any, ...]


def rational(value: Number) -> Scalar:
    """The constant `value`: integers in hexadecimal, lowest terms."""
    exact = Fraction(value)
    return Scalar(("q", _hexadecimal(exact.numerator), _hexadecimal(exact.denominator)))


def _hexadecimal(value: int) -> str:
    return format(value, "x")


def constant(term: Sequence[Any]) -> Fraction | None:
    """The value of a constant leaf, else `None`."""
    return Fraction(int(term[1], 16), int(term[2], 16)) if term[0] == "q" else None


def scalar(value: ScalarLike) -> Scalar:
    """`value` as a scalar term; integers and fractions become constants."""
    if isinstance(value, Scalar):
        return value
    if isinstance(value, bool):
        raise TypeError(f"a truth value ({value}) is not a scalar term; give an integer, a Fraction or a term")
    if isinstance(value, int | Fraction):
        return rational(value)
    given: object = value  # of any type, whatever the signature says
    if isinstance(given, tuple) and not isinstance(given, Vector | Formula):
        return Scalar(given)
    raise TypeError(f"{value!r} is not a scalar term; give an integer, a Fraction or a term")


# --- scalars -----------------------------------------------------------------------------------------------------


def symbol(name: str, *indices: str) -> Scalar:
    """The scalar symbol `name`, with its indices."""
    return Scalar(("s", name, tuple(indices)))


def size(sort: str) -> Scalar:
    """The number of tokens, heads or axes."""
    return Scalar(("size", sort))


n, H, d = size(TOKEN), size(HEAD), size(AXIS)
pi = Scalar(("pi",))


def exp(t: ScalarLike) -> Scalar:
    """e^t."""
    return Scalar(("exp", scalar(t)))


def log(t: ScalarLike) -> Scalar:
    """The natural logarithm; 0 for t <= 0."""
    return Scalar(("log", scalar(t)))


def sqrt(t: ScalarLike) -> Scalar:
    """The square root; 0 for t < 0."""
    return Scalar(("sqrt", scalar(t)))


def absolute(t: ScalarLike) -> Scalar:
    """|t|."""
    return Scalar(("abs", scalar(t)))


def relu(t: ScalarLike) -> Scalar:
    """max(0, t)."""
    return Scalar(("relu", scalar(t)))


def sin(t: ScalarLike) -> Scalar:
    """The sine."""
    return Scalar(("sin", scalar(t)))


def cos(t: ScalarLike) -> Scalar:
    """The cosine."""
    return Scalar(("cos", scalar(t)))


def function(name: str, t: ScalarLike) -> Scalar:
    """One of sinh, cosh, tanh, coth, arsinh, Ei, W."""
    return Scalar(("fn", name, scalar(t)))


def total(index: str, body: ScalarLike, excluding: Iterable[str] = ()) -> Scalar:
    """The sum of `body` over all indices of `index`'s sort but the excluded ones."""
    return Scalar(("sum", index, tuple(excluding), scalar(body)))


def ip(u: Vector, v: Vector) -> Scalar:
    """The inner product of u and v."""
    return Scalar(("ip", u, v))


def norm(u: Vector) -> Scalar:
    """The norm of u."""
    return Scalar(("norm", u))


def norm2(u: Vector) -> Scalar:
    """The squared norm, written as an inner product."""
    return Scalar(("ip", u, u))


def operator_norm(name: str, image: Vector) -> Scalar:
    """The operator norm of the linear map that sends the vector `name` to `image`."""
    return Scalar(("opnorm", name, image))


def delta(i: str, j: str) -> Scalar:
    """1 if i = j, else 0; both indices of one sort."""
    return Scalar(("delta", i, j))


def defined(name: str, *indices: str, of: Iterable[ScalarLike] = ()) -> Scalar:
    """The defined scalar `name` at its indices and scalar arguments."""
    return Scalar(("def", name, tuple(indices), tuple(scalar(t) for t in of)))


def rate(flow: str, t: ScalarLike) -> Scalar:
    """The derivative of t along the flow of that name."""
    return Scalar(("rate", flow, scalar(t)))


def integral(name: str, lower: ScalarLike, upper: ScalarLike, body: ScalarLike) -> Scalar:
    """The integral of `body` for the scalar symbol `name` from `lower` to `upper`."""
    return Scalar(("int", name, scalar(lower), scalar(upper), scalar(body)))


INFINITY = Scalar(("inf",))


def root(name: str, body: ScalarLike, lower: ScalarLike, upper: ScalarLike = INFINITY) -> Scalar:
    """The only zero of `body`, as the symbol `name` varies in the open interval."""
    return Scalar(("root", name, scalar(body), scalar(lower), scalar(upper)))


# --- vectors -----------------------------------------------------------------------------------------------------

ZERO = Vector(("v0",))


def vector(name: str, *indices: str) -> Vector:
    """The vector symbol `name` at its indices."""
    return Vector(("vec", name, tuple(indices)))


def basis(axis: str) -> Vector:
    """The basis vector e_a."""
    return vector("e", axis)


def apply(name: str, indices: str | Sequence[str], u: Vector) -> Vector:
    """The operator `name` applied to u."""
    return Vector(("op", name, (indices,) if isinstance(indices, str) else tuple(indices), u))


def adjoint(name: str, indices: str | Sequence[str], u: Vector) -> Vector:
    """The adjoint of the operator `name` applied to u."""
    return Vector(("opT", name, (indices,) if isinstance(indices, str) else tuple(indices), u))


def vtotal(index: str, body: Vector, excluding: Iterable[str] = ()) -> Vector:
    """The vector sum of `body` over all indices of `index`'s sort but the excluded ones."""
    return Vector(("vsum", index, tuple(excluding), body))


def vdefined(name: str, *indices: str, of: Iterable[ScalarLike] = ()) -> Vector:
    """The defined vector `name` at its indices and scalar arguments."""
    return Vector(("vdef", name, tuple(indices), tuple(scalar(t) for t in of)))


# --- formulas ----------------------------------------------------------------------------------------------------


def eq(a: ScalarLike, b: ScalarLike) -> Formula:
    """Say that a = b."""
    return Formula(("eq", scalar(a), scalar(b)))


def ne(a: ScalarLike, b: ScalarLike) -> Formula:
    """Say that a != b."""
    return Formula(("ne", scalar(a), scalar(b)))


def ge(a: ScalarLike, b: ScalarLike) -> Formula:
    """Say that a >= b."""
    return Formula(("ge", scalar(a), scalar(b)))


def gt(a: ScalarLike, b: ScalarLike) -> Formula:
    """Say that a > b."""
    return Formula(("gt", scalar(a), scalar(b)))


def le(a: ScalarLike, b: ScalarLike) -> Formula:
    """Say that a <= b."""
    return Formula(("le", scalar(a), scalar(b)))


def lt(a: ScalarLike, b: ScalarLike) -> Formula:
    """Say that a < b."""
    return Formula(("lt", scalar(a), scalar(b)))


def veq(u: Vector, v: Vector) -> Formula:
    """Say that u = v, as vectors."""
    return Formula(("veq", u, v))


def conj(*parts: Formula) -> Formula:
    """All of the parts; a single one is itself."""
    return parts[0] if len(parts) == 1 else Formula(("and", *parts))


def disj(*parts: Formula) -> Formula:
    """At least one of the parts; a single one is itself."""
    return parts[0] if len(parts) == 1 else Formula(("or", *parts))


def implies(condition: Formula, conclusion: Formula) -> Formula:
    """The conclusion, if the condition holds."""
    return Formula(("implies", condition, conclusion))


def iff(a: Formula, b: Formula) -> Formula:
    """Both or neither."""
    return Formula(("iff", a, b))


def every(index: str, body: Formula, excluding: Iterable[str] = ()) -> Formula:
    """For every index of the sort but the excluded ones."""
    return Formula(("all", index, tuple(excluding), body))


def forall(name: str, body: Formula) -> Formula:
    """For every value of the scalar symbol in its declared domain."""
    return Formula(("forall", name, body))


def exists(name: str, body: Formula) -> Formula:
    """For some value of the scalar symbol in its declared domain."""
    return Formula(("exists", name, body))


def forall_vectors(name: str, body: Formula) -> Formula:
    """For every value of the vector symbol, which has no index."""
    return Formula(("forallv", name, body))


def unique(name: str, lower: ScalarLike, upper: ScalarLike, body: ScalarLike) -> Formula:
    """`body` has exactly one zero in the open interval."""
    return Formula(("unique", name, scalar(lower), scalar(upper), scalar(body)))


def dissipates(flow: str, speed: ScalarLike, bound: ScalarLike) -> Formula:
    """Along every solution from the ground, the integral of `speed` over all later times is at most `bound`."""
    return Formula(("dissipates", flow, scalar(speed), scalar(bound)))


def decays(flow: str, condition: Formula, quantity: ScalarLike, k: ScalarLike) -> Formula:
    """Along every solution from the ground at which the condition holds, it goes on holding and the quantity decays.

    At a time t it is at most its first value times e^{-k t}.
    """
    return Formula(("decays", flow, condition, scalar(quantity), scalar(k)))


def distinct(i: str, j: str) -> Formula:
    """Say that i and j, of one sort, are different."""
    return Formula(("distinct", i, j))


def relation(tag: str, *arguments: Any) -> Formula:
    """A relation of the setting, such as `relation("unit", "x")`."""
    return Formula((tag, *arguments))


# --- structure ---------------------------------------------------------------------------------------------------


def sort_of(index: str) -> str:
    """The sort of an index, by its first letter.

    Raises:
        ValueError: the name is not an index; the message says which are.
    """
    sort = _SORT_OF_LETTER.get(index[:1])
    if sort is None or not (index[1:] == "" or index[1:].isdigit()):
        raise ValueError(f"{index!r} is not an index: write i j k l (token), g h (head) or a (axis), then digits")
    return sort
