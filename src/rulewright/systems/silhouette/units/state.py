"""The battle itself: the ground, everybody on it, who commands, and whose turn it is."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import LATEST, Field, field
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground
from rulewright.systems.silhouette.units.parts import carried
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import UNTOUCHED, Built, Mined, Scars, Thing

Phase = Literal["set-up", "declaration", "initiative", "activation", "over"]
LAND_HEX = 50
"""The metres of a hex where nothing else is said."""


class Command(Struct, frozen=True, gc=False, kw_only=True):
    """Who commands a side, and the Command Points there are."""

    side: str
    commander: str
    """The unit that the commander is in; empty once nobody is left to command."""
    tactical: int = 0
    leadership: int = 0
    ordered: bool = False
    """Whether the commander has spent an action on Leadership this round."""


class Objective(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a side is after: so many of its units off the field, over an edge of the map."""

    side: str
    units: int = 1
    edge: Literal["", "north", "east", "south", "west"] = ""


class Zone(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a side may place its units at set-up: columns and rows, or metres, from a corner and so many across and down."""

    side: str
    box: tuple[float, float, float, float]

    def holds(self, x: float, y: float) -> bool:
        """Whether a place is in it."""
        left, top, width, height = self.box
        return left <= x < left + width and top <= y < top + height


class Conditions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the place is like besides its ground, as a scenario's `place` says."""

    night: bool = False
    gravity: float = 1.0
    """In g."""
    atmosphere: float = 1.0
    """In atmospheres."""
    seconds: Literal[6, 30] = 30
    """How long a round is: six seconds where people on foot matter."""
    wind: int = 0
    """The hexside towards which the wind blows."""
    grassy: bool = False
    """Clear and rough ground is grass or scrub, and can burn."""
    structures: tuple[Built, ...] = ()
    """Buildings and bridges that can be brought down."""
    objects: tuple[Thing, ...] = ()
    """What lies about and can be thrown."""
    mines: tuple[Mined, ...] = ()
    """Minefields that lie on the map."""
    commanders: dict[str, str] = {}
    """By side the unit whose crew commands it; the first one where nothing is said."""
    objectives: tuple[Objective, ...] = ()
    """What sides are after, besides putting the others out of the fight."""
    zones: tuple[Zone, ...] = ()
    """Where sides place their units themselves, group by group; units of other sides stand where the scenario says."""


class Place(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """The same in a form that a state can hold."""

    night: bool = False
    gravity: float = 1.0
    atmosphere: float = 1.0
    seconds: int = 30
    close: bool = False
    """Hexes of ten metres, on which machines and people on foot meet."""
    air: int = 1
    """Hexes of the map to one of the air: an aircraft over the ground's map is so many times as fast."""
    wind: int = 0
    grassy: bool = False
    objectives: tuple[Objective, ...] = ()
    zones: tuple[Zone, ...] = ()


MOST_PLACES = 4_000
_places: dict[str, int] = {}
"""By name where a unit was found last among those of its battle."""


class Battle(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """A battle as it stands."""

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
    """Units that are still to be placed, in order."""
    turn: str = ""
    """The side whose turn it is to activate a group."""
    waiting: tuple[str, ...] = ()
    """Units of the group that is active which have still to act."""
    active: str = ""
    """The unit that acts now."""
    activated: tuple[str, ...] = ()
    """Groups that have had their turn this round, each written `side/group`."""
    scars: Scars = UNTOUCHED
    """What it has put on the ground: jammers, fires, smoke, hexes under fire."""
    quiet: int = 0
    """Rounds in a row in which nobody attacked."""

    def unit(self, name: str) -> Unit:
        """A unit by its name; nearly always it stands where it stood in the list when somebody asked for it last."""
        units, at = self.units, _places.get(name, 0)
        if at < len(units) and units[at].name == name:
            return units[at]
        for at, result in enumerate(units):
            if result.name == name:
                if len(_places) >= MOST_PLACES:
                    _places.clear()
                _places[name] = at
                return result
        raise UserError(f"there is no unit {name!r} in this battle")

    def put(self, unit: Unit) -> "Battle":
        """The battle with another state of one unit; what a hull bears goes where it goes."""
        if unit.machine.sections:
            units = tuple([unit if candidate.name == unit.name else carried(unit, candidate) for candidate in self.units])
            return replace(self, units=units)
        return replace(self, units=tuple([unit if candidate.name == unit.name else candidate for candidate in self.units]))

    def bearer(self, unit: Unit) -> Unit:
        """What moves where a unit is: the hull of a section, else the unit itself."""
        return self.unit(unit.part.of) if unit.part is not None and unit.borne else unit

    def sections(self, unit: Unit) -> list[Unit]:
        """The sections that a hull bears, destroyed ones too."""
        if not unit.machine.sections:
            return []
        return [candidate for candidate in self.units if candidate.part is not None and candidate.part.of == unit.name and candidate.borne]

    def change(self, name: str, **changes: object) -> "Battle":
        """The battle with some fields of one unit changed."""
        return self.put(replace(self.unit(name), **changes))

    def command(self, side: str) -> Command:
        """Who commands a side."""
        return next(candidate for candidate in self.commands if candidate.side == side)

    def put_command(self, command: Command) -> "Battle":
        """The battle with another state of one command."""
        return replace(self, commands=tuple([command if candidate.side == command.side else candidate for candidate in self.commands]))

    @property
    def field(self) -> Field:
        """The ground, made ready for questions."""
        asked, of = LATEST[0]
        if asked[0] is self.map and asked[1] is self.changes and asked[2] is self.letters:
            return of
        return field(self.map, self.changes, self.letters)

    @property
    def hexes(self) -> bool:
        """Whether the ground is divided into hexes; else it is measured in metres."""
        return self.map.grid == "hexes"

    @property
    def cell(self) -> float:
        """The metres that a hex is wide; on open ground the book's land hex."""
        return self.map.cell if self.hexes else float(LAND_HEX)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order of the scenario."""
        return tuple([command.side for command in self.commands])

    def foes(self, unit: Unit) -> list[Unit]:
        """Everybody on other sides who is still in the fight."""
        return [candidate for candidate in self.units if candidate.side != unit.side and candidate.able]

    def friends(self, unit: Unit) -> list[Unit]:
        """The others of the same side who are still in the fight."""
        return [candidate for candidate in self.units if candidate.side == unit.side and candidate.name != unit.name and candidate.able]

    def asked(self, who: str) -> Unit:
        """The unit for which somebody is asked: by its own name, or by that of a character aboard."""
        for unit in self.units:
            if unit.name == who or any(rider.name == who for rider in unit.riders):
                return unit
        raise UserError(f"{who!r} is in no unit of this battle")
