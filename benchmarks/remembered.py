"""Size of the caches of battles of machines: now, and at their bounds.

Every cache is bounded. The size of an entry is measured after some battles, for each cache separately; shared objects count twice. Times
the bound of each cache, this is the most that all of them can take over any number of battles.
"""

import gc
import sys
from collections.abc import Iterable, Mapping
from functools import _lru_cache_wrapper
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from msgspec import Struct

from rulewright.field import field as fields
from rulewright.field.field import MOST_REMEMBERED, Field
from rulewright.field.ground import Ground
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.movement import destinations
from rulewright.systems.silhouette.battle.sensors import sightings
from rulewright.systems.silhouette.battle.tactics import evaluation
from rulewright.systems.silhouette.detection import sight
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver import ground_paths
from rulewright.systems.silhouette.units import state

ONCE = (Ruleset, Field, Ground, Machine, FunctionType, ModuleType, type)
"""Objects that exist only once, so their size does not count."""
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
    caches = []
    for name, module in list(sys.modules.items()):
        if name.startswith(
            ("rulewright.systems.silhouette.", "rulewright.field", "rulewright.dice", "rulewright.highest_die")
        ) and not name.startswith(DESIGNS):
            for label, value in vars(module).items():
                if isinstance(value, _lru_cache_wrapper) and value.__module__ == name and value is not sight._sights_of:
                    caches.append(_cached(f"{name[11:]}.{label}", value))
    caches += [_table(name, most, table) for name, most, table in _tables()]
    nodes = sum([len(reach.costs) for reach in ground_paths._kept.values()])
    caches.append(Kept("reaches, by hex and facing", nodes, ground_paths.MOST_NODES, size_of([ground_paths._kept]) / max(1, nodes)))
    return sorted([cache for cache in caches if cache.entries], key=lambda cache: -cache.at_most)


def _cached(name: str, cache: "_lru_cache_wrapper[Any]") -> Kept:
    info = cache.cache_info()
    size = size_of(gc.get_referents(cache)) / max(1, info.currsize) + ENTRY
    return Kept(name, info.currsize, info.maxsize or (1 if not signature(cache).parameters else sys.maxsize), size)


def _tables() -> list[tuple[str, int, Mapping[Any, Any]]]:
    """The caches that are dictionaries: name, bound, content."""
    sights, ground = sight._latest[0][1], fields.LATEST[0][1]
    grounds = sight._sights_of.cache_info().maxsize or sys.maxsize
    lays: Any = ground.remembered.get("lays", {})
    return [
        ("who sees whom", grounds * sight.MOST_SIGHTS, sights.pairs),
        ("what hides whom", grounds * sight.MOST_COVERS, sights.covers),
        ("whom a side knows of", grounds * sightings.MOST_KNOWN, sights.known),
        ("attacks", grounds * sight.MOST_SHOTS, sights.shots),
        ("lines", grounds * sight.MOST_LINES, sights.lines),
        ("what attacks promise", grounds * evaluation.MOST_WORTHS, sights.worths),
        ("places to go to", destinations.MOST_KEPT, destinations._kept),
        ("how ground lies", sight.MOST_LAYS, lays),
        ("lines over the ground", fields.MOST_LINES, ground._lines),
        ("what is seen of the ground", MOST_REMEMBERED, ground._seen),
        ("where units stand in the list", state.MOST_PLACES, state._places),
    ]


def _table(name: str, most: int, table: Mapping[Any, Any]) -> Kept:
    return Kept(name, len(table), most, size_of([table]) / max(1, len(table)))
