"""Size of the caches of battles of machines: now, and at their bounds.

Every cache is bounded. The size of an entry is measured after some battles, for each cache separately; shared objects count twice. Times
the bound of each cache, this is the most that all of them can take over any number of battles.
"""

import gc
import sys
from collections.abc import Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from msgspec import Struct

from rulewright.field.field import LATEST, MOST_LINES, MOST_REMEMBERED, Field
from rulewright.field.ground import Ground
from rulewright.play.cache import CACHES, Cache
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.machine import Machine

ONCE = (Ruleset, Field, Ground, Machine, FunctionType, ModuleType, type)
"""Objects that exist only once, so their size does not count."""
OURS = ("rulewright.systems.silhouette.", "rulewright.play", "rulewright.field", "rulewright.highest_die")
DESIGNS = "rulewright.systems.silhouette.machines"
"""Caches of designs. They grow with the number of designs, not of battles."""
MEGABYTE = 2**20


class Kept(NamedTuple):
    """A cache: name, number of entries, bound, and bytes of an entry."""

    name: str
    entries: int
    most: int
    entry_size: float

    @property
    def at_most(self) -> float:
        """The megabytes it can take at its bound."""
        return self.most * self.entry_size / MEGABYTE


def size_of(objects: Iterable[Any]) -> int:
    """The bytes of objects and of everything they refer to, each object once."""
    known: set[int] = set()
    left, total = list(objects), 0
    while left:
        thing = left.pop()
        if id(thing) in known or isinstance(thing, ONCE):
            continue
        known.add(id(thing))
        total += sys.getsizeof(thing)
        if isinstance(thing, Struct):
            left.extend([getattr(thing, name) for name in thing.__struct_fields__])
        elif isinstance(thing, Mapping):
            left.extend(thing.keys())
            left.extend(thing.values())
        elif isinstance(thing, tuple | list | set | frozenset):
            left.extend(thing)
        elif hasattr(type(thing), "__slots__"):
            left.extend([getattr(thing, name) for name in type(thing).__slots__ if hasattr(thing, name)])
        elif hasattr(thing, "__dict__"):
            left.append(vars(thing))
    return total


ENTRY = 100
"""Bytes of a dictionary slot and of the list that orders entries by last use."""


def kept() -> list[Kept]:
    """Every cache that battles of machines fill, the largest first."""
    caches = [_registered(cache) for cache in CACHES if cache.name.startswith(OURS) and not cache.name.startswith(DESIGNS)]
    caches += [Kept(name, len(table), most, size_of([table]) / max(1, len(table))) for name, most, table in _tables()]
    return sorted([cache for cache in caches if cache.entries], key=lambda cache: -cache.at_most)


def _registered(cache: Cache) -> Kept:
    entries, holder = cache.size(), cache.holder
    content, slot = (gc.get_referents(holder), ENTRY) if callable(holder) else ([holder], 0)
    return Kept(cache.name.removeprefix("rulewright."), entries, cache.most, size_of(content) / max(1, entries) + slot)


def _tables() -> list[tuple[str, int, Mapping[Any, Any]]]:
    """The caches that belong to a map: name, bound, content. Few maps are in use at once."""
    ground = LATEST[0][1]
    return [
        ("lines over the ground", MOST_LINES, ground._lines),
        ("what is seen of the ground", MOST_REMEMBERED, ground._seen),
    ]
