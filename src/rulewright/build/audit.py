"""Audits: problems with their smallest repairs, changing one field, and checking the log of experience."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from rulewright.build.sheet_parts import Budget
from rulewright.errors import UserError
from rulewright.play.cache import cached

T = TypeVar("T")

MOST_REPAIRS = 100
"""How many repairs that remove an entry of a list contain the whole shortened list, so that absurd files stay fast."""


class Repair(Struct, frozen=True):
    """The smallest change that corrects a problem: a field and its new value, with a description."""

    text: str
    field: str = ""
    value: Any = None


class Problem(Struct, frozen=True):
    """A breach of a rule: where, by how much, and how to repair it. A warning breaks nothing but should be known."""

    rule: str
    field: str
    message: str
    over: int = 0
    repair: Repair | None = None
    warning: bool = False


def amiss(rule: str, field: str, message: str, over: int, text: str, value: Any, *, warning: bool = False) -> Problem:
    """A problem that another value of the same field corrects."""
    return Problem(rule, field, message, over, Repair(text, field, value), warning)


class Audit(Struct, frozen=True):
    """The result of an audit: every problem, and what was spent of every budget."""

    problems: tuple[Problem, ...]
    budgets: tuple[Budget, ...]

    @property
    def legal(self) -> bool:
        """Whether there is nothing but warnings."""
        return all(problem.warning for problem in self.problems)

    def public(self, file: str) -> dict[str, object]:
        """The audit as plain data for other programs."""
        return {
            "file": file,
            "legal": self.legal,
            "problems": [
                {
                    "rule": p.rule,
                    "field": p.field,
                    "message": p.message,
                    "over": p.over,
                    "fix": p.repair.text if p.repair else "",
                    "warning": p.warning,
                }
                for p in self.problems
            ],
            "budgets": [{"name": b.name, "allowed": b.allowed, "spent": b.spent} for b in self.budgets],
        }


def change(thing: T, field: str, value: Any) -> T:
    """The object with one field changed; the value may be a string typed by hand."""
    from rulewright.files import set_at

    data = msgspec.to_builtins(thing)
    try:
        return msgspec.convert(set_at(data, field, value), type(thing), strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"{field}: {error}") from None


def repair(thing: T, problem: Problem) -> T:
    """Carries out a problem's repair."""
    if problem.repair is None or not problem.repair.field:
        raise UserError(f"{problem.message}: no single change repairs this")
    return change(thing, problem.repair.field, problem.repair.value)


# --- finding the smallest repair ----------------------------------------------------------------------------------------------


def short(text: str, most: int = 40) -> str:
    """A text cut to the length of a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def signed(number: int) -> str:
    """A number with its sign, as attributes are written: +2, 0, -1."""
    return f"{number:+}" if number else "0"


def near_to(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name that was probably meant, ignoring case; `alike` (0 to 1) is the required similarity."""
    return _near_to(name[:60].strip().casefold(), tuple(known), alike)


@cached(1024)
def _near_to(name: str, known: tuple[str, ...], alike: float) -> str | None:
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name, folded, n=1, cutoff=alike)
    return folded[close[0]] if close else None


def field_of(part: str, key: str) -> str:
    """The dotted field of a named entry; the whole part if the name cannot be in a path."""
    return f"{part}.{key}" if all(key.split(".")) else part


def with_key(part: str, entries: Mapping[str, Any], key: str, value: Any) -> tuple[str, Any]:
    """Field and value that correct one named entry."""
    field = field_of(part, key)
    return (field, value) if field != part else (part, {**entries, key: value})


def without_key(part: str, entries: Mapping[str, Any], key: str) -> tuple[str, Any]:
    """Field and value that remove one named entry."""
    return part, {name: msgspec.to_builtins(value) for name, value in entries.items() if name != key}


def without_place(part: str, plain: Sequence[Any], place: int, count: int = 0) -> tuple[str, Any]:
    """Field and value that remove one entry of a list of plain data; empty after the first hundred (`count`)."""
    return ("", None) if count >= MOST_REPAIRS else (part, [*plain[:place], *plain[place + 1 :]])


class Saving(NamedTuple, Generic[T]):
    """A way to save points: how many, how much it hurts, and the repair (or a function that makes it)."""

    points: int
    hurts: int
    repair: T


def cheapest(ways: Iterable[Saving[T]], over: int) -> T | None:
    """The smallest change that saves at least `over`, or else the one that saves most."""
    known = list(ways)
    enough = [way for way in known if way.points >= over]
    if enough:
        return min(enough, key=lambda way: (way.points, way.hurts)).repair
    return max(known, key=lambda way: (way.points, -way.hurts)).repair if known else None


# --- the log ------------------------------------------------------------------------------------------------------------------


class Fault(Struct, frozen=True):
    """A fault of a log entry, and the smallest repair: a field of the entry, or its removal."""

    rule: str
    message: str
    repair: str = "leave it out"
    field: str = ""
    value: Any = None
    over: int = 0
    warning: bool = False


def faults(part: str, entries: Sequence[T], take: Callable[[T], Iterable[Fault]]) -> Iterator[Problem]:
    """Replays the log and yields the problems of every entry."""
    count, plain = 0, msgspec.to_builtins(entries)
    for place, entry in enumerate(entries):
        for fault in take(entry):
            field, correction = f"{part}.{place}", None
            if fault.field:
                field = f"{field}.{fault.field}"
                correction = Repair(fault.repair, field, fault.value)
            elif not fault.warning:
                correction = Repair(fault.repair, *without_place(part, plain, place, count))
                count += 1
            yield Problem(fault.rule, field, fault.message, fault.over, correction, fault.warning)
