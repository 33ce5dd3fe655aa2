"""What the battles of machines remember: how large everything is that is kept, and how large it can become.

Everything kept has a bound. What an entry takes is measured after some battles, each cache by itself, so that what two of them share
counts twice; times the bound of each, it is the most that all of them together can take, however many battles are played.
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
"""What there is once, whoever remembers it."""
DESIGNS = "rulewright.systems.silhouette.machines"
"""What is remembered of designs: as much as there are designs, however many battles they fight."""
MEGABYTE = 2**20


class Kept(NamedTuple):
    """A cache: what it is called, how many entries it has and may have, and the bytes of one."""

    name: str
    entries: int
    most: int
    each: float

    @property
    def at_most(self) -> float:
        """The megabytes that it can take."""
        return self.most * self.each / MEGABYTE


def size_of(item: Iterable[Any]) -> int:
    """The bytes of all these, and of everything that they hold, each object once."""
    known: set[int] = set()
    left, total = list(item), 0
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
"""Bytes of a place in a dictionary, and of the list that tells what was asked for last."""


def kept() -> list[Kept]:
    """Every cache that battles of machines fill, the largest first."""
    kepts = []
    for name, module in list(sys.modules.items()):
        if name.startswith(
            ("rulewright.systems.silhouette.", "rulewright.field", "rulewright.dice", "rulewright.highest_die")
        ) and not name.startswith(DESIGNS):
            for label, thing in vars(module).items():
                if isinstance(thing, _lru_cache_wrapper) and thing.__module__ == name and thing is not sight._sights_of:
                    kepts.append(_cached(f"{name[11:]}.{label}", thing))
    kepts += [_table(name, most, table) for name, most, table in _tables()]
    nodes = sum([len(reach.costs) for reach in ground_paths._kept.values()])
    kepts.append(Kept("reaches, by hex and facing", nodes, ground_paths.MOST_NODES, size_of([ground_paths._kept]) / max(1, nodes)))
    return sorted([candidate for candidate in kepts if candidate.entries], key=lambda item: -item.at_most)


def _cached(name: str, cache: "_lru_cache_wrapper[Any]") -> Kept:
    info = cache.cache_info()
    size = size_of(gc.get_referents(cache)) / max(1, info.currsize) + ENTRY
    return Kept(name, info.currsize, info.maxsize or (1 if not signature(cache).parameters else sys.maxsize), size)


def _tables() -> list[tuple[str, int, Mapping[Any, Any]]]:
    """The tables that are kept by hand, and how many entries each may have."""
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
