"""Base class for states of scenes on a map: the map, its changes, and queries.

On bare ground these queries cost nothing.
"""

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.destinations import Door
from rulewright.field.field import Field, Spot, field
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground, Region
from rulewright.field.revealed import known


class OnGround(Struct, frozen=True, kw_only=True, gc=False):
    """A state with a map."""

    map: Ground = BARE
    """The map: walls, covers, lamps."""
    changes: Changes = UNCHANGED
    """Changes to the map: opened doors, smoke."""

    @property
    def bare(self) -> bool:
        """Whether the map is empty."""
        return (self.map is BARE or self.map.bare) and (self.changes is UNCHANGED or not self.changes.clouds)

    @property
    def hiding(self) -> bool:
        """Whether anything on the map may block sight."""
        if self.map is BARE and self.changes is UNCHANGED:
            return False
        return bool(self.map.walls or self.map.regions or self.changes.clouds)

    @property
    def field(self) -> Field:
        """The present map, ready for queries."""
        return field(self.map, self.changes)

    @property
    def known_map(self) -> Ground:
        """The part of the map that players may know."""
        return self.map if self.map is BARE else known(self.map, self.changes)

    def clear_between(self, point: Spot, other: Spot) -> bool:
        """Whether nothing on the map blocks sight between two places."""
        return not self.hiding or self.field.sight(point, other).open

    def shelters(self, shooter: Spot, target: Spot) -> tuple[str, ...]:
        """The game's words for covers that protect a place against a shot from another."""
        if not (self.map.covers or self.map.walls):
            return ()
        return tuple([candidate.cover for candidate in self.field.covers(shooter, target)])

    def lit(self, spot: Spot) -> str:
        """The game's word for the lamp light at a place; empty if no lamp reaches it."""
        return self.field.light(spot) if self.map.lights else ""

    def with_door(self, door: Door) -> Self:
        """The state with a door opened or shut."""
        stood_open = any(wall.name == door.name and wall.door == "open" for wall in self.map.walls)
        return replace(self, changes=self.changes.with_door(door.name, door.opens, stood_open))

    def with_clouds(self, *clouds: Region) -> Self:
        """The state with other smoke and fire."""
        return self if clouds == self.changes.clouds else replace(self, changes=replace(self.changes, clouds=clouds))
