"""The log of awards and purchases since creation, stored in the saved file; the same for every game.

A game's saved type has one list whose entries are tagged by `entry` (award, purchase, study ...). The game's `Standing` defines their
meaning. The log is replayed entry by entry, and the same checks serve for purchases and audits, with the same messages.
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
    """The list of a saved type with everything since creation: its field, and the kinds of its entries by tag."""

    field: str
    entries: dict[str, type[Any]]

    def fields(self, tag: str) -> list[str]:
        """The fields of an entry of this kind."""
        return list(self.entries[tag].__struct_fields__)


def log_of(saved: type[Any]) -> Log | None:
    """The log of a saved type; None if it has none."""
    shape = shapes.type_info(saved)
    for field in shape.fields if isinstance(shape, shapes.StructType) else ():
        item = getattr(field.type, "item_type", None)
        kinds = item.types if isinstance(item, shapes.UnionType) else (item,)
        tagged = [kind for kind in kinds if isinstance(kind, shapes.StructType) and kind.tag_field == TAG]
        if tagged:
            return Log(field.name, {str(kind.tag): kind.cls for kind in tagged})
    return None


def advanced(thing: T, tag: str, given: Mapping[str, Any]) -> T:
    """The person with one more entry in their log; values may be strings typed by hand."""
    log = log_of(type(thing))
    if log is None:
        raise UserError("this kind of character has no log of experience")
    if tag not in log.entries:
        raise UserError(f"there is no entry {tag!r}{nearest(tag, log.entries) or '; use one of ' + ', '.join(log.entries)}")
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
    """A msgspec message in plain words."""
    needed, _, rest = error.removeprefix("Expected `").partition("`")
    field = rest.rpartition("`$.")[2].rstrip("`")
    if field in given and needed.split(" | ")[0] in NEEDED:
        return f"{field} takes {NEEDED[needed.split(' | ')[0]]}, not {str(given[field])[:40]!r}"
    return error.replace("Object missing required field", "it lacks").replace("`", "")


def newly_wrong(before: Audit, after: Audit) -> list[str]:
    """The new problems that an entry causes."""
    known = {problem.message for problem in before.problems}
    return [problem.message for problem in after.problems if not problem.warning and problem.message not in known]


def differences(before: Sheet, after: Sheet) -> list[tuple[str, Any, Any]]:
    """The values and tests that differ between two sheets: name, before and after (None if one lacks it)."""
    old = {**before.values(), **before.tests()}
    new = {**after.values(), **after.tests()}
    changes = []
    for key in dict.fromkeys((*old, *new)):
        old_value, new_value = (getattr(side.get(key), "value", None) or getattr(side.get(key), "notation", None) for side in (old, new))
        if old_value != new_value:
            changes.append((getattr(new.get(key) or old.get(key), "name", key), old_value, new_value))
    return changes


class Standing(Generic[E]):
    """The state at one point of the log: points earned and spent, and the cost of each entry. Games define what entries do."""

    awards_rule: ClassVar[str]
    """The rule of awards, for problems with prices."""
    points: ClassVar[str] = "XP"
    """The name of the points."""
    field: ClassVar[str] = "xp"
    """The field of an entry with the number of points."""
    without: ClassVar[str] = "leave the purchase out"
    """The repair of an impossible purchase."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.took: list[int] = []
        """The cost of each entry of the log, in order."""
        self.earned = self.spent = self.awards = 0

    @property
    def left(self) -> int:
        """The points earned and not spent; negative if more were spent."""
        return self.earned - self.spent

    def carry_out(self, entry: E) -> Iterable[Fault]:
        """Applies an entry as far as possible, and yields its faults."""
        raise NotImplementedError

    def take(self, entry: E) -> list[Fault]:
        """Applies the next entry, and returns its faults."""
        before = self.spent
        faults = list(self.carry_out(entry))
        self.took.append(self.spent - before)
        return faults

    def after(self, entries: Iterable[E]) -> Self:
        """Applies these entries, valid or not."""
        for entry in entries:
            self.take(entry)
        return self

    def award(self, points: int) -> Iterator[Fault]:
        """Earns points."""
        self.awards += 1
        self.earned += max(0, points)
        if points < 0:
            yield Fault(self.awards_rule, f"an award of {points} {self.points} is negative", "leave the award out", over=-points)

    def pay(self, what: str, price: int, paid: int) -> Iterator[Fault]:
        """Pays for something with a price in the book. A negative payment counts as none; another price is reported."""
        if paid < 0:
            message = f"{what}: a price of {paid} {self.points} would give points back"
            yield Fault(self.awards_rule, message, f"pay {price}", self.field, None, over=-paid)
        elif paid != price:
            yield self.other_price(what, price, paid)
        yield from self.spend(what, max(0, paid))

    def other_price(self, what: str, price: int, paid: int) -> Fault:
        """The warning about a price that differs from the book's."""
        message = f"{what}: {paid} {self.points} were paid where the book asks {price}"
        return Fault(self.awards_rule, message, f"pay {price}", self.field, None, warning=True)

    def spend(self, what: str, points: int) -> Iterator[Fault]:
        """Spends points, even if there are not enough."""
        have = max(0, self.left)
        if points > have:
            message = f"{what} costs {points} {self.points} and only {have} are left"
            yield Fault(self.awards_rule, message, self.without, over=points - have)
        self.spent += points


def weigh(now: Standing[E], entry: E) -> tuple[str, int]:
    """Why one more entry would be invalid (empty if it would not), and what it would cost."""
    faults = [fault.message for fault in now.take(entry) if not fault.warning]
    return (faults[0] if faults else ""), now.took[-1]


def entered(person: T, now: Standing[E], entry: E, *, force: bool = False) -> T:
    """The person with one more entry in their log; raises an error if it is invalid, unless forced."""
    errors = [fault for fault in now.take(entry) if not fault.warning]
    saved: Any = person
    if errors and not force:
        raise UserError(f"{saved.name}: {errors[0].message}")
    log = log_of(type(person))
    assert log is not None, "a type with a Standing has a log"
    after: T = replace(saved, **{log.field: (*getattr(person, log.field), entry)})
    return after
