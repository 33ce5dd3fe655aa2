"""Experience as steppers: what each number of a sheet would cost to raise, and which purchases can be taken back."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.build.audit import Fault
from rulewright.build.experience import TAG, Log, log_of
from rulewright.build.sheet_parts import Sheet, Stepper
from rulewright.rules import Ruleset
from rulewright.system import System


class Raise(Struct, frozen=True):
    """A number that experience can raise: its level, the next level and its price, and the log entry that buys it."""

    name: str
    field: str
    now: str
    to: int
    price: int
    entry: Mapping[str, str]
    tag: str
    barred: str = ""
    undo: int | None = None
    """The place in the log of the last purchase that raised it."""


class RaiseSection(Struct, frozen=True):
    """A section of the sheet with its numbers that experience can raise."""

    title: str
    rows: tuple[Raise, ...]


class ExperienceState(Struct, frozen=True):
    """The points of a character, and what they can buy."""

    points: str
    earned: int
    spent: int
    sections: tuple[RaiseSection, ...]

    @property
    def left(self) -> int:
        """The points not spent."""
        return self.earned - self.spent


def build_experience(system: System, rules: Ruleset, thing: Any, sheet: Sheet) -> ExperienceState:
    """The points of a character, and the price of the next level of each number."""
    log = log_of(type(thing))
    assert log is not None, "only what gains experience has this page"
    entries = getattr(thing, log.field)
    standing = system.standing(rules, thing)
    sections = []
    for section in sheet.sections:
        steppers = [piece for piece in section.pieces if isinstance(piece, Stepper) and piece.field.partition(".")[0] in system.raised_by]
        rows = [row for piece in steppers if (row := _find_raise(system, rules, thing, log, entries, piece)) is not None]
        if rows:
            sections.append(RaiseSection(section.title, tuple(rows)))
    return ExperienceState(standing.points, standing.earned, standing.spent, tuple(sections))


def _find_raise(system: System, rules: Ruleset, thing: Any, log: Log, entries: Sequence[Any], piece: Stepper) -> Raise | None:
    """The next level of a number that has a price; None if there is none."""
    part, _, what = piece.field.partition(".")
    tag, fixed = system.raised_by[part]
    bought = [at for at, entry in enumerate(entries) if _is_purchase(entry, tag, fixed, what)]
    highest = max([*(piece.levels), *(int(getattr(entries[at], "to", 0)) for at in bought)])
    refused = ""
    for to in range(highest, highest + 2):
        entry = {**fixed, "what": what, "to": str(to)}
        price, faults = _try_entry(system, rules, thing, log, tag, entry)
        refused = faults[0].message if faults else ""
        if price > 0 and (not faults or (len(faults) == 1 and faults[0].over)):
            return Raise(piece.name, piece.field, str(highest), to, price, entry, tag, refused, bought[-1] if bought else None)
    if bought:  # it cannot rise now, but the purchase can be taken back
        return Raise(piece.name, piece.field, str(highest), 0, 0, {}, tag, refused or "no further level", bought[-1])
    return None


def _try_entry(system: System, rules: Ruleset, thing: Any, log: Log, tag: str, entry: Mapping[str, str]) -> tuple[int, list[Fault]]:
    """The price of a log entry, and what is wrong with it."""
    made = msgspec.convert({TAG: tag, **entry}, log.entries[tag], strict=False)
    now = system.standing(rules, thing)
    faults = [fault for fault in now.take(made) if not fault.warning]
    return now.took[-1], faults


def _is_purchase(entry: Any, tag: str, fixed: Mapping[str, str], what: str) -> bool:
    """Whether a log entry raised this number."""
    data = msgspec.to_builtins(entry)
    return data.get(TAG) == tag and data.get("what") == what and all(data.get(name) == text for name, text in fixed.items())
