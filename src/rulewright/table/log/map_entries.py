"""What the log of a table says of maps, prepared scenes and markers: a part of `entries`, and kept the same way."""

from typing import Any, Literal

from rulewright.field.map_strokes import Stroke
from rulewright.scenes.record import FIGHT
from rulewright.table.log.entries import Change

Grid = Literal["square", "hex"]


class MapChanged(Change, frozen=True, tag="map"):
    """The map: squares or hexes of so many metres."""

    grid: Grid
    cell: float
    width: int
    height: int


class MapKept(Change, frozen=True, tag="map kept"):
    """A map that the gamemaster prepares, as plain data; `of` is the kind of scene that it is for."""

    map: str
    name: str
    ground: dict[str, Any]
    of: str = FIGHT


class MapDrawn(Change, frozen=True, tag="map drawn"):
    """A stroke on a map that is prepared."""

    map: str
    stroke: Stroke


class MapUndone(Change, frozen=True, tag="map undone"):
    """The last stroke on a map is taken back."""

    map: str


class MapNamed(Change, frozen=True, tag="map named"):
    """A map has another name."""

    map: str
    name: str


class MapRemoved(Change, frozen=True, tag="map removed"):
    """A map is put away."""

    map: str


class DraftKept(Change, frozen=True, tag="draft kept"):
    """A scene that is prepared, as plain data; one that was kept as the same before is no more."""

    draft: str
    name: str
    scene: dict[str, Any]


class DraftRemoved(Change, frozen=True, tag="draft removed"):
    """A prepared scene is put away."""

    draft: str


class DraftsUndone(Change, frozen=True, tag="drafts undone"):
    """The last change to the prepared scenes is taken back."""


class TokenPlaced(Change, frozen=True, tag="token"):
    """A marker on the map, in metres; a hidden one is the gamemaster's to see."""

    token: str
    name: str
    x: float
    y: float
    hidden: bool = False
    owner: str = ""


class TokenRemoved(Change, frozen=True, tag="token removed"):
    """A marker is taken off the map."""

    token: str
