"""Reasons: every derived value keeps the terms that it was computed from.

`total` computes a value from its terms in order, so that a value and its explanation always agree.

| term | what it does with the value so far |
|---|---|
| `term(label, value)` | adds; `less` subtracts, `times` multiplies, `divided` divides |
| `row(label, value, *by)` | replaces it: a row of a table, or a case; `by` says how it was looked up, and is not part of the sum |
| `at_least(n)`, `at_most(n)` | limits it |
| `either(label, n)` | takes the larger one: the best of several |
| `rounded_up()`, `rounded_down()`, `rounded()` | rounds to whole numbers, or to multiples of `to` |
| `remark(label, words)` | nothing: names the page or ruling that was followed |
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

A = TypeVar("A")

Source = Literal["book", "ruling", "stand-in", "house"]
"""The source of a figure: printed, ruled where the book is unclear, filled in where the page is lost, or the campaign's own."""


class Reason(Struct, frozen=True, gc=False):
    """One term of a sum: its name, its value, how it combines with the terms before it, and its rule."""

    label: str
    value: int | float | str
    op: str = "+"
    rule: str | None = None
    source: Source = "book"
    terms: "tuple[Reason, ...]" = ()

    def sign(self) -> str:
        """The operator in front of its value; empty for an added term and a row."""
        return "" if self.op in ("+", "=", "", ROW) else self.op

    def rounds(self) -> bool:
        """Whether it only rounds; it then shows a word instead of a value."""
        return self.op in ROUNDINGS

    def walk(self, depth: int = 0) -> "Iterator[tuple[int, Reason]]":
        """This reason and all below it, each with its depth."""
        yield depth, self
        for below in self.terms:
            yield from below.walk(depth + 1)


class Mod(Struct, frozen=True, array_like=True, gc=False):
    """A modifier with its name and its rule."""

    label: str
    value: int
    rule: str | None = None
    source: Source = "book"

    def reason(self, op: str = "+") -> Reason:
        """The modifier as a term of a sum."""
        return Reason(self.label, self.value, op, self.rule, self.source)


ROW = "row"
AT_LEAST = "at least"
AT_MOST = "at most"
EITHER = "or"
REMARK = "by"
UP, DOWN, NEAREST = "rounded up", "rounded down", "rounded"
HALF = Fraction(1, 2)
ROUNDINGS: dict[str, Callable[[int | Fraction], int]] = {UP: ceil, DOWN: floor, NEAREST: lambda number: floor(number + HALF)}


def reckoned(terms: "Iterable[Reason]") -> int | float:
    """The value of the terms, combined in order; exact, and an int whenever it is whole."""
    sum_so_far: int | Fraction = 0
    for reason in terms:
        if reason.op == "+" and type(reason.value) is int:  # by far the most common case
            sum_so_far += reason.value
        elif reason.op != REMARK:
            sum_so_far = _joined(sum_so_far, reason)
    if type(sum_so_far) is int:
        return sum_so_far
    return int(sum_so_far) if sum_so_far.denominator == 1 else float(sum_so_far)


def _joined(before: int | Fraction, reason: "Reason") -> int | Fraction:
    """The value after one more term; whole numbers stay ints."""
    value, op = reason.value, reason.op
    number = value if type(value) is int else Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if op in ("+", "="):
        return before + number
    if op in ("-", "−"):
        return before - number
    if op == "×":
        return before * number
    if op == "÷":
        return Fraction(before, number)
    if op == ROW:
        return number
    if op in (AT_LEAST, EITHER):
        return max(before, number)
    if op == AT_MOST:
        return min(before, number)
    if number == 1:
        return before if type(before) is int else ROUNDINGS[op](before)
    return ROUNDINGS[op](Fraction(before, number)) * number


def holds(reason: "Reason") -> bool:
    """Whether the terms of a reason, and of every reason below it, add up to its value; words have no sum."""
    if _sums(reason) and abs(reckoned(reason.terms) - float(reason.value)) > 1e-9:
        return False
    return all(holds(below) for below in reason.terms)


def _sums(reason: "Reason") -> bool:
    """Whether a reason is a number made of terms; a row is looked up, remarks add nothing, and booleans are not numbers."""
    made = any(below.op != REMARK for below in reason.terms)
    return made and reason.op != ROW and isinstance(reason.value, int | float) and not isinstance(reason.value, bool)


class Derived(Struct, Generic[A], frozen=True, gc=False):
    """A value with its reason."""

    value: A
    reason: Reason

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The terms directly below the value."""
        return self.reason.terms


def derive(value: A, label: str, *terms: Reason, rule: str | None = None, source: Source = "book") -> Derived[A]:
    """A value that is not a sum (words, a pool, a list), with its origin; use `total` for numbers."""
    shown: Any = value if isinstance(value, int | float | str) else str(value)
    return Derived(value, Reason(label, shown, "=", rule, source, terms))


def term(
    label: str, value: "int | float | str | Derived[Any]", op: str = "+", *, rule: str | None = None, source: Source = "book"
) -> Reason:
    """A term that is added; a derived value keeps its own terms."""
    if isinstance(value, Derived):
        inner = value.reason
        return Reason(label, inner.value, op, rule or inner.rule, inner.source, inner.terms)
    return Reason(label, value, op, rule, source)


def times(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A term that multiplies the value so far."""
    return term(label, value, "×", rule=rule, source=source)


def total(label: str, *terms: Reason, rule: str | None = None, source: Source = "book") -> Derived[Any]:
    """A number computed from its terms: the value and its reason."""
    value = reckoned(terms)
    return Derived(value, Reason(label, value, "=", rule, source, terms))


def limited(label: str, *terms: Reason, limit: Reason, rule: str | None = None, source: Source = "book") -> Derived[Any]:
    """A total with a limit (`at_least`, `at_most`), which is shown only if it changes the value."""
    free = total(label, *terms, rule=rule, source=source)
    kept = total(label, *terms, limit, rule=rule, source=source if limit.source == "book" else limit.source)
    return free if free.value == kept.value else kept


def less(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A term that is subtracted."""
    return term(label, value, "−", rule=rule, source=source)


def divided(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A term that divides the value so far."""
    return term(label, value, "÷", rule=rule, source=source)


def row(label: str, value: int | float, *by: Reason, rule: str | None = None, source: Source = "book") -> Reason:
    """A row of a table, or a case of the rule, that replaces the value so far; `by` says how it was looked up."""
    return Reason(label, value, ROW, rule, source, by)


def at_least(value: int | float, label: str = "no less", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A lower limit of the value so far."""
    return Reason(label, value, AT_LEAST, rule, source)


def at_most(value: int | float, label: str = "no more", *, rule: str | None = None, source: Source = "book") -> Reason:
    """An upper limit of the value so far."""
    return Reason(label, value, AT_MOST, rule, source)


def either(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """One of several sources of which the best counts."""
    return term(label, value, EITHER, rule=rule, source=source)


def remark(label: str, words: str = "", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A remark in words, such as the ruling that was followed; not part of the sum."""
    return Reason(label, words, REMARK, rule, source)


def rounded_up(to: int | float = 1, *, rule: str | None = None) -> Reason:
    """Rounds up, to whole numbers or to multiples of `to`."""
    return _rounding(UP, to, rule)


def rounded_down(to: int | float = 1, *, rule: str | None = None) -> Reason:
    """Rounds down, to whole numbers or to multiples of `to`."""
    return _rounding(DOWN, to, rule)


def rounded(to: int | float = 1, *, rule: str | None = None) -> Reason:
    """Rounds to the nearest, halves up, to whole numbers or to multiples of `to`."""
    return _rounding(NEAREST, to, rule)


def _rounding(how: str, to: int | float, rule: str | None) -> Reason:
    return Reason("to whole numbers" if to == 1 else "to multiples", to, how, rule)
