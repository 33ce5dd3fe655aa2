"""Log entries for maps, prepared scenes and markers. The rules of `entries` about compatibility apply."""

from typing import Any, Literal

from rulewright.field.map_strokes import Stroke
from rulewright.scenes.record import FIGHT
from rulewright.table.log.entries import Change

Grid = Literal["square", "hex"]


class MapChanged(Change, frozen=True, tag="map"):
    """The grid of the table's map: squares or hexes, and their size in metres."""

    grid: Grid
    cell: float
    width: int
    height: int


class MapKept(Change, frozen=True, tag="map kept"):
    """The gamemaster prepares a map, as plain data; `of` is the kind of scene it is for."""

    map: str
    name: str
    ground: dict[str, Any]
    of: str = FIGHT


class MapDrawn(Change, frozen=True, tag="map drawn"):
    """A stroke on a prepared map."""

    map: str
    stroke: Stroke


class MapUndone(Change, frozen=True, tag="map undone"):
    """The last stroke on a map is undone."""

    map: str


class MapNamed(Change, frozen=True, tag="map named"):
    """A map is renamed."""

    map: str
    name: str


class MapRemoved(Change, frozen=True, tag="map removed"):
    """A map is archived."""

    map: str


class DraftKept(Change, frozen=True, tag="draft kept"):
    """A prepared scene is saved, as plain data; it replaces one with the same id."""

    draft: str
    name: str
    scene: dict[str, Any]


class DraftRemoved(Change, frozen=True, tag="draft removed"):
    """A prepared scene is archived."""

    draft: str


class DraftsUndone(Change, frozen=True, tag="drafts undone"):
    """The last change to the prepared scenes is undone."""


class TokenPlaced(Change, frozen=True, tag="token"):
    """A marker is placed on the map, in metres; only the gamemaster sees a hidden one."""

    token: str
    name: str
    x: float
    y: float
    hidden: bool = False
    owner: str = ""


class TokenRemoved(Change, frozen=True, tag="token removed"):
    """A marker is removed from the map."""

    token: str
