"""Why a number is what it is: every derived value keeps the terms that made it.

Reasons make the number: `total` computes a value from its terms, one after the other, so that a sum and what it explains cannot part.

| term | joins what stands before it by |
|---|---|
| `term(label, value)` | adding; `less` subtracts, `times` multiplies, `divided` divides |
| `row(label, value, *by)` | taking its place: a row of a table, or a case; `by` says what it was looked up by, and is no part of the sum |
| `at_least(n)`, `at_most(n)` | not letting it fall below, or rise above |
| `either(label, n)` | being taken instead where it is more: the best of several |
| `rounded_up()`, `rounded_down()`, `rounded()` | rounding to whole numbers, or to multiples of `to` |
| `remark(label, words)` | nothing: which page or ruling was followed |
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

A = TypeVar("A")

Source = Literal["book", "ruling", "stand-in", "house"]
"""Where a figure comes from: printed, ruled where the book is unclear, filled in where the page is lost, or the campaign's own."""


class Reason(Struct, frozen=True, gc=False):
    """One term of a sum: what it is called, what it is worth, how it joins the terms before it, and which rule says so."""

    label: str
    value: int | float | str
    op: str = "+"
    rule: str | None = None
    source: Source = "book"
    terms: "tuple[Reason, ...]" = ()

    def sign(self) -> str:
        """How it joins what stands before it, in front of its value: nothing for a term that is added, and for a row."""
        return "" if self.op in ("+", "=", "", ROW) else self.op

    def rounds(self) -> bool:
        """Whether it only rounds: then it has a word instead of a value."""
        return self.op in ROUNDINGS

    def walk(self, depth: int = 0) -> "Iterator[tuple[int, Reason]]":
        """This reason and all below it, each with its depth."""
        yield depth, self
        for below in self.terms:
            yield from below.walk(depth + 1)


class Mod(Struct, frozen=True, array_like=True, gc=False):
    """A modifier with its name and the rule it comes from."""

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
    """What the terms come to, taken one after the other; exact, and whole wherever it comes out whole."""
    sum_so_far: int | Fraction = 0
    for reason in terms:
        if reason.op == "+" and type(reason.value) is int:  # by far the most of them
            sum_so_far += reason.value
        elif reason.op != REMARK:
            sum_so_far = _joined(sum_so_far, reason)
    if type(sum_so_far) is int:
        return sum_so_far
    return int(sum_so_far) if sum_so_far.denominator == 1 else float(sum_so_far)


def _joined(before: int | Fraction, reason: "Reason") -> int | Fraction:
    """What stands after one more term; whole numbers stay plain ones."""
    value, op = reason.value, reason.op
    worth = value if type(value) is int else Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if op in ("+", "="):
        return before + worth
    if op in ("-", "−"):
        return before - worth
    if op == "×":
        return before * worth
    if op == "÷":
        return Fraction(before, worth)
    if op == ROW:
        return worth
    if op in (AT_LEAST, EITHER):
        return max(before, worth)
    if op == AT_MOST:
        return min(before, worth)
    if worth == 1:
        return before if type(before) is int else ROUNDINGS[op](before)
    return ROUNDINGS[op](Fraction(before, worth)) * worth


def holds(reason: "Reason") -> bool:
    """Whether the terms of a reason, and of every reason below it, come to its value; words have no sum."""
    if _sums(reason) and abs(reckoned(reason.terms) - float(reason.value)) > 1e-9:
        return False
    return all(holds(below) for below in reason.terms)


def _sums(reason: "Reason") -> bool:
    """Whether a reason is a number made of terms: a row is looked up, yes and no are no numbers."""
    return bool(reason.terms) and reason.op != ROW and isinstance(reason.value, int | float) and not isinstance(reason.value, bool)


class Derived(Struct, Generic[A], frozen=True, gc=False):
    """A value with the reason for it."""

    value: A
    reason: Reason

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The terms directly below the value."""
        return self.reason.terms


def derive(value: A, label: str, *terms: Reason, rule: str | None = None, source: Source = "book") -> Derived[A]:
    """A value that is no sum (words, a pool, a list), with what it came from; a number is made by `total`."""
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


def total(label: str, *terms: Reason, rule: str | None = None, source: Source = "book") -> Derived[Any]:
    """A number computed from its terms: the value and why it is that, in one."""
    value = reckoned(terms)
    return Derived(value, Reason(label, value, "=", rule, source, terms))


def limited(label: str, *terms: Reason, limit: Reason, rule: str | None = None, source: Source = "book") -> Derived[Any]:
    """A total with a limit (`at_least`, `at_most`) at its end that is told only where it changes something."""
    free = total(label, *terms, rule=rule, source=source)
    kept = total(label, *terms, limit, rule=rule, source=source if limit.source == "book" else limit.source)
    return free if free.value == kept.value else kept


def less(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A term that is taken from what stands before it."""
    return term(label, value, "−", rule=rule, source=source)


def divided(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """A term that divides what stands before it."""
    return term(label, value, "÷", rule=rule, source=source)


def row(label: str, value: int | float, *by: Reason, rule: str | None = None, source: Source = "book") -> Reason:
    """A row of a table, or a case of the rule, that takes the place of what stands before it; `by` says what it was looked up by."""
    return Reason(label, value, ROW, rule, source, by)


def at_least(value: int | float, label: str = "no less", *, rule: str | None = None, source: Source = "book") -> Reason:
    """What a sum does not fall below."""
    return Reason(label, value, AT_LEAST, rule, source)


def at_most(value: int | float, label: str = "no more", *, rule: str | None = None, source: Source = "book") -> Reason:
    """What a sum does not rise above."""
    return Reason(label, value, AT_MOST, rule, source)


def either(label: str, value: "int | float | Derived[Any]", *, rule: str | None = None, source: Source = "book") -> Reason:
    """One of several sources of which the best counts."""
    return term(label, value, EITHER, rule=rule, source=source)


def remark(label: str, words: str = "", *, rule: str | None = None, source: Source = "book") -> Reason:
    """What was followed, in words; no part of the sum."""
    return Reason(label, words, REMARK, rule, source)


def rounded_up(to: int | float = 1, *, rule: str | None = None) -> Reason:
    """Fractions are rounded up, to whole numbers or to multiples of something else."""
    return _rounding(UP, to, rule)


def rounded_down(to: int | float = 1, *, rule: str | None = None) -> Reason:
    """Fractions are rounded down, to whole numbers or to multiples of something else."""
    return _rounding(DOWN, to, rule)


def rounded(to: int | float = 1, *, rule: str | None = None) -> Reason:
    """Fractions are rounded to the nearest, halves up, to whole numbers or to multiples of something else."""
    return _rounding(NEAREST, to, rule)


def _rounding(how: str, to: int | float, rule: str | None) -> Reason:
    return Reason("to whole numbers" if to == 1 else "to multiples", to, how, rule)
