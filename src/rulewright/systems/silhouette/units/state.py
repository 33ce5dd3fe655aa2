"""The state of a battle: terrain, units, commands and turns."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import LATEST, Field, field
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground
from rulewright.field.people import Ends
from rulewright.play.cache import Memory, interned
from rulewright.systems.silhouette.units.parts import carried
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import UNTOUCHED, Built, Cloud, Mined, Scars, Thing

Phase = Literal["set-up", "declaration", "initiative", "activation", "over"]
LAND_HEX = 50
"""The default width of a hex in metres."""


class Command(Struct, frozen=True, gc=False, kw_only=True):
    """A side's commander and Command Points."""

    side: str
    commander: str
    """The commander's unit; empty if nobody commands."""
    tactical: int = 0
    leadership: int = 0
    ordered: bool = False
    """Whether the commander has spent an action on Leadership this round."""


class Objective(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A side's objective: so many of its units off the field, over an edge of the map."""

    side: str
    units: int = 1
    edge: Literal["", "north", "east", "south", "west"] = ""


class Zone(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A side's deployment zone: a corner and a size, in columns and rows or in metres."""

    side: str
    box: tuple[float, float, float, float]

    def holds(self, x: float, y: float) -> bool:
        """Whether a place is in it."""
        left, top, width, height = self.box
        return left <= x < left + width and top <= y < top + height


class Conditions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The conditions of the place, from a scenario's `place`."""

    night: bool = False
    gravity: float = 1.0
    """In g."""
    atmosphere: float = 1.0
    """In atmospheres."""
    seconds: Literal[6, 30] = 30
    """The length of a round: six seconds with people on foot."""
    wind: int = 0
    """The hexside towards which the wind blows."""
    grassy: bool = False
    """Clear and rough ground is grass or scrub, and can burn."""
    structures: tuple[Built, ...] = ()
    """Buildings and bridges that can be destroyed."""
    objects: tuple[Thing, ...] = ()
    """Loose objects that can be thrown."""
    mines: tuple[Mined, ...] = ()
    """Minefields on the map."""
    commanders: dict[str, str] = {}
    """The commanding unit by side; the first one by default."""
    objectives: tuple[Objective, ...] = ()
    """Objectives of the sides, besides defeating the others."""
    zones: tuple[Zone, ...] = ()
    """The zones in which sides place their units, group by group; units of other sides start where the scenario says."""


class Place(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """The same in a form for the state."""

    night: bool = False
    gravity: float = 1.0
    atmosphere: float = 1.0
    seconds: int = 30
    close: bool = False
    """Hexes of ten metres, for machines and people on foot together."""
    air: int = 1
    """Ground hexes to an air hex: an aircraft over a ground map is that many times as fast."""
    wind: int = 0
    grassy: bool = False
    objectives: tuple[Objective, ...] = ()
    zones: tuple[Zone, ...] = ()


_places: Memory[str, int] = Memory(4_000, "rulewright.systems.silhouette.units.state.places")
"""The index where a unit was last found in its battle, by name. It is only tried first: the unit there is asked for its name."""


class Site(Struct, frozen=True, gc=False, cache_hash=True):
    """What a battle has in common for all units: terrain, conditions and clouds. A rule that gets only this cannot look at any unit."""

    map: Ground
    changes: Changes
    letters: tuple[tuple[str, str], ...]
    place: Place
    clouds: tuple[Cloud, ...]

    @property
    def field(self) -> Field:
        """The terrain, prepared for queries."""
        return field(self.map, self.changes, self.letters)

    @property
    def hexes(self) -> bool:
        """Whether the map has hexes; otherwise it is measured in metres."""
        return self.map.grid == "hexes"

    @property
    def cell(self) -> float:
        """The width of a hex in metres; on open ground that of the book's land hex."""
        return self.map.cell if self.hexes else float(LAND_HEX)


@interned(64)
def _site(ground: Ground, changes: Changes, letters: tuple[tuple[str, str], ...], place: Place, clouds: tuple[Cloud, ...]) -> Site:
    return Site(ground, changes, letters, place, clouds)


_latest: list[Site] = [Site(BARE, UNCHANGED, (), Place(), ())]
"""The last site that was asked for; its parts are compared by identity with those that it holds."""


class Battle(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """The state of a battle."""

    units: tuple[Unit, ...]
    map: Ground = BARE
    changes: Changes = UNCHANGED
    letters: tuple[tuple[str, str], ...] = ()
    """The letters of terrains on painted maps."""
    place: Place = Place()
    commands: tuple[Command, ...] = ()
    rounds: int = 50
    round: int = 0
    phase: Phase = "set-up"
    placing: tuple[str, ...] = ()
    """Units still to be placed, in order."""
    turn: str = ""
    """The side that activates a group now."""
    waiting: tuple[str, ...] = ()
    """Units of the active group that have not acted."""
    active: str = ""
    """The acting unit."""
    activated: tuple[str, ...] = ()
    """Groups that have had their turn this round, each written `side/group`."""
    scars: Scars = UNTOUCHED
    """Effects on the ground: jammers, fires, smoke, saturated hexes."""
    quiet: int = 0
    """Rounds in a row without an attack."""
    ends: Ends = "to the end"
    """How the battle ends, besides the objectives of its place."""
    resolved: int = 0
    """The last round in which the shaken were asked whether they fight on."""

    def unit(self, name: str) -> Unit:
        """A unit by name; its last index is tried first."""
        units, at = self.units, _places.get(name, 0)
        if at < len(units) and units[at].name == name:
            return units[at]
        for at, result in enumerate(units):
            if result.name == name:
                _places[name] = at
                return result
        raise UserError(f"there is no unit {name!r} in this battle")

    def put(self, unit: Unit) -> "Battle":
        """The battle with a new state of one unit; sections move with their hull."""
        if unit.machine.sections:
            units = tuple([unit if candidate.name == unit.name else carried(unit, candidate) for candidate in self.units])
            return replace(self, units=units)
        return replace(self, units=tuple([unit if candidate.name == unit.name else candidate for candidate in self.units]))

    def bearer(self, unit: Unit) -> Unit:
        """The unit that moves a unit: the hull of a section, otherwise the unit itself."""
        return self.unit(unit.part.of) if unit.part is not None and unit.borne else unit

    def sections(self, unit: Unit) -> list[Unit]:
        """The sections of a hull, including destroyed ones."""
        if not unit.machine.sections:
            return []
        return [candidate for candidate in self.units if candidate.part is not None and candidate.part.of == unit.name and candidate.borne]

    def change(self, name: str, **changes: object) -> "Battle":
        """The battle with some fields of one unit changed."""
        return self.put(replace(self.unit(name), **changes))

    def command(self, side: str) -> Command:
        """The command of a side."""
        return next(candidate for candidate in self.commands if candidate.side == side)

    def put_command(self, command: Command) -> "Battle":
        """The battle with a new state of one command."""
        return replace(self, commands=tuple([command if candidate.side == command.side else candidate for candidate in self.commands]))

    @property
    def site(self) -> Site:
        """The ground that is the same for all units."""
        site, clouds = _latest[0], self.scars.clouds
        same_ground = site.map is self.map and site.changes is self.changes and site.letters is self.letters
        if same_ground and site.clouds is clouds and site.place is self.place:
            return site
        site = _latest[0] = _site(self.map, self.changes, self.letters, self.place, clouds)
        return site

    @property
    def clouds(self) -> tuple[Cloud, ...]:
        """Smoke and aerosol."""
        return self.scars.clouds

    @property
    def field(self) -> Field:
        """The terrain, prepared for queries."""
        asked, of = LATEST[0]
        if asked[0] is self.map and asked[1] is self.changes and asked[2] is self.letters:
            return of
        return field(self.map, self.changes, self.letters)

    @property
    def hexes(self) -> bool:
        """Whether the map has hexes; otherwise it is measured in metres."""
        return self.map.grid == "hexes"

    @property
    def cell(self) -> float:
        """The width of a hex in metres; on open ground that of the book's land hex."""
        return self.map.cell if self.hexes else float(LAND_HEX)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order of the scenario."""
        return tuple([command.side for command in self.commands])

    def foes(self, unit: Unit) -> list[Unit]:
        """All enemies still in the fight."""
        return [candidate for candidate in self.units if candidate.side != unit.side and candidate.able]

    def friends(self, unit: Unit) -> list[Unit]:
        """The other units of the same side still in the fight."""
        return [candidate for candidate in self.units if candidate.side == unit.side and candidate.name != unit.name and candidate.able]

    def asked(self, who: str) -> Unit:
        """The unit with a name, or with a character of that name aboard."""
        for unit in self.units:
            if unit.name == who or any(rider.name == who for rider in unit.riders):
                return unit
        raise UserError(f"no unit of this battle has {who!r} aboard")


Surroundings = Battle | Site
"""What a rule takes that looks at no unit but those that it is given."""
