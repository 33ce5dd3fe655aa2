"""Whatever stands on ground: the state of a scene with people in places has it, with what has become of it, and asks it.

On bare ground none of these questions costs anything: nothing is looked up.
"""

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.destinations import Door
from rulewright.field.field import Field, Spot, field
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground, Region
from rulewright.field.revealed import known


class OnGround(Struct, frozen=True, kw_only=True, gc=False):
    """A state with ground under it."""

    map: Ground = BARE
    """What they stand on: walls, covers, lamps."""
    changes: Changes = UNCHANGED
    """What has become of it: doors that were opened, smoke."""

    @property
    def bare(self) -> bool:
        """Whether nothing lies on the ground that they stand on."""
        return (self.map is BARE or self.map.bare) and (self.changes is UNCHANGED or not self.changes.clouds)

    @property
    def hiding(self) -> bool:
        """Whether there is anything on it that may stop sight."""
        if self.map is BARE and self.changes is UNCHANGED:
            return False
        return bool(self.map.walls or self.map.regions or self.changes.clouds)

    @property
    def field(self) -> Field:
        """The ground as it is now, to be asked."""
        return field(self.map, self.changes)

    @property
    def known_map(self) -> Ground:
        """What of the ground is known to those who are told no secrets."""
        return self.map if self.map is BARE else known(self.map, self.changes)

    def clear_between(self, point: Spot, other: Spot) -> bool:
        """Whether nothing on the ground stops sight between two places."""
        return not self.hiding or self.field.sight(point, other).open

    def shelters(self, shooter: Spot, target: Spot) -> tuple[str, ...]:
        """The game's words for whatever shelters somebody at one place against a shot from another."""
        if not (self.map.covers or self.map.walls):
            return ()
        return tuple([candidate.cover for candidate in self.field.covers(shooter, target)])

    def lit(self, spot: Spot) -> str:
        """How lamps light a place, in the game's word; nothing where none reaches it."""
        return self.field.light(spot) if self.map.lights else ""

    def with_door(self, door: Door) -> Self:
        """The same with a door opened or shut."""
        stood_open = any(wall.name == door.name and wall.door == "open" for wall in self.map.walls)
        return replace(self, changes=self.changes.with_door(door.name, door.opens, stood_open))

    def with_clouds(self, *clouds: Region) -> Self:
        """The same with other smoke and fire on it."""
        return self if clouds == self.changes.clouds else replace(self, changes=replace(self.changes, clouds=clouds))
