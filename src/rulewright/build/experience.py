"""What happened to somebody since creation: a log of awards and purchases in the saved file, read and written the same way for every game.

A game's saved type has one list whose entries are tagged by `entry` (award, purchase, study ...). Nothing here knows what they mean:
the game's audit says whether a log is legal, and its sheet what somebody is now.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes
from msgspec.structs import replace

from rulewright.build.audit import Audit
from rulewright.build.pieces import Sheet
from rulewright.errors import Wrong
from rulewright.rules import nearest

TAG = "entry"
T = TypeVar("T")


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
        raise Wrong("nothing is written down here of what happens after the beginning")
    if tag not in log.entries:
        raise Wrong(f"there is no entry {tag!r}{nearest(tag, log.entries) or '; there are ' + ', '.join(log.entries)}")
    unknown = [name for name in given if name not in log.fields(tag)]
    if unknown:
        near = nearest(unknown[0], log.fields(tag))
        raise Wrong(f"{tag}: there is no field {unknown[0]!r}{near or '; it takes ' + ', '.join(log.fields(tag))}")
    try:
        entry = msgspec.convert({TAG: tag, **given}, log.entries[tag], strict=False)
    except msgspec.ValidationError as error:
        raise Wrong(f"{tag}: {_in_words(str(error), given)}; it takes {', '.join(log.fields(tag))}") from None
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
    found = []
    for key in dict.fromkeys((*old, *new)):
        was, now = (getattr(side.get(key), "value", None) or getattr(side.get(key), "notation", None) for side in (old, new))
        if was != now:
            found.append((getattr(new.get(key) or old.get(key), "name", key), was, now))
    return found
