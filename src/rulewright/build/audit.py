"""What every builder shares: the report of an audit, the smallest repairs, changing one field, and the log of what experience bought."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from rulewright.build.sheet_parts import Budget
from rulewright.errors import UserError

T = TypeVar("T")

MOST_REPAIRS = 100
"""Of problems whose repair takes one entry out of a list, so many bring the shortened list along; absurd files stay quick."""


class Repair(Struct, frozen=True):
    """The smallest change that puts a problem right: a field and its new value, in words and ready to be carried out."""

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
    """A breach that another value of the very same field puts right."""
    return Problem(rule, field, message, over, Repair(text, field, value), warning)


class Audit(Struct, frozen=True):
    """Is it legal? Every problem, and what was spent of every budget."""

    problems: tuple[Problem, ...]
    budgets: tuple[Budget, ...]

    @property
    def legal(self) -> bool:
        """Whether nothing but warnings was found."""
        return all(problem.warning for problem in self.problems)

    def public(self, file: str) -> dict[str, object]:
        """What other programs get to see."""
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
    """The same thing with one field changed; the value may be typed by hand."""
    from rulewright.files import set_at

    data = msgspec.to_builtins(thing)
    try:
        return msgspec.convert(set_at(data, field, value), type(thing), strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"{field}: {error}") from None


def repair(thing: T, problem: Problem) -> T:
    """Carry out a problem's repair."""
    if problem.repair is None or not problem.repair.field:
        raise UserError(f"{problem.message}: there is no single change that repairs this")
    return change(thing, problem.repair.field, problem.repair.value)


# --- finding the smallest repair ----------------------------------------------------------------------------------------------


def short(text: str, most: int = 40) -> str:
    """A text of any length, cut for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def signed(number: int) -> str:
    """A number as attributes are written: +2, 0, -1."""
    return f"{number:+}" if number else "0"


def near_to(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name that was probably meant, whatever its capitals; `alike` (0 to 1) is how near it has to be."""
    return _near_to(name[:60].strip().casefold(), tuple(known), alike)


@lru_cache(maxsize=1024)
def _near_to(name: str, known: tuple[str, ...], alike: float) -> str | None:
    folded = {text.casefold(): text for text in known}
    close = get_close_matches(name, folded, n=1, cutoff=alike)
    return folded[close[0]] if close else None


def field_of(part: str, key: str) -> str:
    """The dotted field of a named entry; the whole part where the name cannot stand in a path."""
    return f"{part}.{key}" if all(key.split(".")) else part


def with_key(part: str, entries: Mapping[str, Any], key: str, value: Any) -> tuple[str, Any]:
    """Field and value that put one named entry right."""
    field = field_of(part, key)
    return (field, value) if field != part else (part, {**entries, key: value})


def without_key(part: str, entries: Mapping[str, Any], key: str) -> tuple[str, Any]:
    """Field and value that take one named entry out."""
    return part, {name: msgspec.to_builtins(value) for name, value in entries.items() if name != key}


def without_place(part: str, plain: Sequence[Any], place: int, count: int = 0) -> tuple[str, Any]:
    """Field and value that take one entry out of a list of plain data; only words after the first hundred (`count`)."""
    return ("", None) if count >= MOST_REPAIRS else (part, [*plain[:place], *plain[place + 1 :]])


class Saving(NamedTuple, Generic[T]):
    """A way to save points: how many, how much it hurts, and the repair (or what makes it, where making it is dear)."""

    points: int
    hurts: int
    repair: T


def cheapest(ways: Iterable[Saving[T]], over: int) -> T | None:
    """The one change that saves what is over and as little more as possible, or else the one that saves the most."""
    known = list(ways)
    enough = [way for way in known if way.points >= over]
    if enough:
        return min(enough, key=lambda way: (way.points, way.hurts)).repair
    return max(known, key=lambda way: (way.points, -way.hurts)).repair if known else None


# --- the log ------------------------------------------------------------------------------------------------------------------


class Fault(Struct, frozen=True):
    """What is wrong with an entry of the log, and the smallest change: a field of the entry, or none where it is to be left out."""

    rule: str
    message: str
    repair: str = "leave it out"
    field: str = ""
    value: Any = None
    over: int = 0
    warning: bool = False


def faults(part: str, entries: Sequence[T], take: Callable[[T], Iterable[Fault]]) -> Iterator[Problem]:
    """Replay the log; every entry is held against what stands at that moment."""
    count, plain = 0, msgspec.to_builtins(entries)
    for place, entry in enumerate(entries):
        for fault in take(entry):
            field, mended = f"{part}.{place}", None
            if fault.field:
                field = f"{field}.{fault.field}"
                mended = Repair(fault.repair, field, fault.value)
            elif not fault.warning:
                mended = Repair(fault.repair, *without_place(part, plain, place, count))
                count += 1
            yield Problem(fault.rule, field, fault.message, fault.over, mended, fault.warning)
