"""What happened to somebody since creation: a log of awards and purchases in the saved file, read and written the same way for every game.

A game's saved type has one list whose entries are tagged by `entry` (award, purchase, study ...). What they mean the game says, in its
`Standing`: the log is replayed entry by entry, and one set of checks serves both sides, so that a purchase is refused with the words
that the audit would find for it in a file.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes
from msgspec.structs import replace

from rulewright.build.audit import Audit, Fault
from rulewright.build.sheet_parts import Sheet
from rulewright.errors import UserError
from rulewright.rules import Ruleset, nearest

TAG = "entry"
T = TypeVar("T")
E = TypeVar("E")


class Log(Struct, frozen=True):
    """The list of a saved type that holds what happened since creation: its field, and the kinds of its entries by their tag."""

    field: str
    entries: dict[str, type[Any]]

    def fields(self, tag: str) -> list[str]:
        """What an entry of this kind takes."""
        return list(self.entries[tag].__struct_fields__)


def log_of(saved: type[Any]) -> Log | None:
    """The log of a saved type; None where it has none."""
    shape = shapes.type_info(saved)
    for field in shape.fields if isinstance(shape, shapes.StructType) else ():
        item = getattr(field.type, "item_type", None)
        kinds = item.types if isinstance(item, shapes.UnionType) else (item,)
        tagged = [kind for kind in kinds if isinstance(kind, shapes.StructType) and kind.tag_field == TAG]
        if tagged:
            return Log(field.name, {str(kind.tag): kind.cls for kind in tagged})
    return None


def advanced(thing: T, tag: str, given: Mapping[str, Any]) -> T:
    """The same person with one more entry in their log; what is given may be typed by hand."""
    log = log_of(type(thing))
    if log is None:
        raise UserError("nothing is written down here of what happens after the beginning")
    if tag not in log.entries:
        raise UserError(f"there is no entry {tag!r}{nearest(tag, log.entries) or '; there are ' + ', '.join(log.entries)}")
    unknown = [name for name in given if name not in log.fields(tag)]
    if unknown:
        near = nearest(unknown[0], log.fields(tag))
        raise UserError(f"{tag}: there is no field {unknown[0]!r}{near or '; it takes ' + ', '.join(log.fields(tag))}")
    try:
        entry = msgspec.convert({TAG: tag, **given}, log.entries[tag], strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"{tag}: {_in_words(str(error), given)}; it takes {', '.join(log.fields(tag))}") from None
    changed: Any = thing
    after: T = replace(changed, **{log.field: (*getattr(thing, log.field), entry)})
    return after


NEEDED = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "words"}


def _in_words(error: str, given: Mapping[str, Any]) -> str:
    """What msgspec says of a value, as people would say it."""
    needed, _, rest = error.removeprefix("Expected `").partition("`")
    field = rest.rpartition("`$.")[2].rstrip("`")
    if field in given and needed.split(" | ")[0] in NEEDED:
        return f"{field} takes {NEEDED[needed.split(' | ')[0]]}, not {str(given[field])[:40]!r}"
    return error.replace("Object missing required field", "it lacks").replace("`", "")


def newly_wrong(before: Audit, after: Audit) -> list[str]:
    """The problems that an entry brings."""
    known = {problem.message for problem in before.problems}
    return [problem.message for problem in after.problems if not problem.warning and problem.message not in known]


def differences(before: Sheet, after: Sheet) -> list[tuple[str, Any, Any]]:
    """The values and tests of a sheet that are otherwise on another: their names, before and after (None where one has no such)."""
    old = {**before.values(), **before.tests()}
    new = {**after.values(), **after.tests()}
    entries = []
    for key in dict.fromkeys((*old, *new)):
        was, now = (getattr(side.get(key), "value", None) or getattr(side.get(key), "notation", None) for side in (old, new))
        if was != now:
            entries.append((getattr(new.get(key) or old.get(key), "name", key), was, now))
    return entries


class Standing(Generic[E]):
    """Where somebody stands at one point of their log: what was earned and spent, and what each entry took. A game says what entries do."""

    awards_rule: ClassVar[str]
    """The rule of awards, which prices are held against."""
    points: ClassVar[str] = "XP"
    """What is earned and spent."""
    field: ClassVar[str] = "xp"
    """The field of an entry that says how many."""
    without: ClassVar[str] = "leave the purchase out"
    """The repair of a purchase that cannot stand."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.took: list[int] = []
        """What each entry of the log took, in their order."""
        self.earned = self.spent = self.awards = 0

    @property
    def left(self) -> int:
        """What was earned and is not spent yet; negative for one who lives on credit."""
        return self.earned - self.spent

    def carry_out(self, entry: E) -> Iterable[Fault]:
        """What an entry does, as far as it can be done, and what is wrong with it."""
        raise NotImplementedError

    def take(self, entry: E) -> list[Fault]:
        """Go one entry further, and say what is wrong with it."""
        before = self.spent
        faults = list(self.carry_out(entry))
        self.took.append(self.spent - before)
        return faults

    def after(self, entries: Iterable[E]) -> Self:
        """Where they stand after these entries, right or wrong."""
        for entry in entries:
            self.take(entry)
        return self

    def award(self, points: int) -> Iterator[Fault]:
        """So many points are earned."""
        self.awards += 1
        self.earned += max(0, points)
        if points < 0:
            yield Fault(self.awards_rule, f"an award of {points} {self.points} takes away", "leave the award out", over=-points)

    def pay(self, what: str, price: int, paid: int) -> Iterator[Fault]:
        """So many points are paid for what the book has a price for; fewer than nothing are none, and another price is told."""
        if paid < 0:
            message = f"{what}: a price of {paid} {self.points} would give points back"
            yield Fault(self.awards_rule, message, f"pay {price}", self.field, None, over=-paid)
        elif paid != price:
            yield self.other_price(what, price, paid)
        yield from self.spend(what, max(0, paid))

    def other_price(self, what: str, price: int, paid: int) -> Fault:
        """Another price than the book's was paid: known, but no breach."""
        message = f"{what}: {paid} {self.points} were paid where the book asks {price}"
        return Fault(self.awards_rule, message, f"pay {price}", self.field, None, warning=True)

    def spend(self, what: str, points: int) -> Iterator[Fault]:
        """So many points are spent, whether they were there or not."""
        have = max(0, self.left)
        if points > have:
            message = f"{what} costs {points} {self.points} and only {have} are left"
            yield Fault(self.awards_rule, message, self.without, over=points - have)
        self.spent += points


def entered(person: T, now: Standing[E], entry: E, *, force: bool = False) -> T:
    """The same person with one more entry in their log; what is wrong with it there is refused, unless it is forced."""
    wrong = [fault for fault in now.take(entry) if not fault.warning]
    someone: Any = person
    if wrong and not force:
        raise UserError(f"{someone.name}: {wrong[0].message}")
    log = log_of(type(person))
    assert log is not None, "somebody who has a standing has a log"
    after: T = replace(someone, **{log.field: (*getattr(person, log.field), entry)})
    return after
