"""Why a number is what it is: every derived value keeps the terms that made it."""

from collections.abc import Iterator
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

A = TypeVar("A")

Source = Literal["book", "ruling", "stand-in", "house"]
"""Where a figure comes from: printed, ruled where the book is unclear, filled in where the page is lost, or the campaign's own."""


class Reason(Struct, frozen=True):
    """One term of a sum: what it is called, what it is worth, how it joins the terms before it, and which rule says so."""

    label: str
    value: int | float | str
    op: str = "+"
    rule: str | None = None
    source: Source = "book"
    terms: "tuple[Reason, ...]" = ()

    def walk(self, depth: int = 0) -> "Iterator[tuple[int, Reason]]":
        """This reason and all below it, each with its depth."""
        yield depth, self
        for below in self.terms:
            yield from below.walk(depth + 1)


class Derived(Struct, Generic[A], frozen=True):
    """A value with the reason for it."""

    value: A
    reason: Reason

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The terms directly below the value."""
        return self.reason.terms


def derive(value: A, label: str, *terms: Reason, rule: str | None = None, source: Source = "book") -> Derived[A]:
    """A derived value, named, from its terms."""
    shown: Any = value if isinstance(value, int | float | str) else str(value)
    return Derived(value, Reason(label, shown, "=", rule, source, terms))


def term(
    label: str, value: "int | float | str | Derived[Any]", op: str = "+", *, rule: str | None = None, source: Source = "book"
) -> Reason:
    """A term that is added; a derived value brings its own terms along."""
    if isinstance(value, Derived):
        inner = value.reason
        return Reason(label, inner.value, op, rule or inner.rule, inner.source, inner.terms)
    return Reason(label, value, op, rule, source)


def times(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A term that multiplies what stands before it."""
    return term(label, value, "×", rule=rule, source=source)
