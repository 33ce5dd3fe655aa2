"""Deployment: sides place one combat group in turn and state every unit's speed (book lines 4312-4316)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.field.pathfinding import hex_outlines
from rulewright.field.places import Band, written
from rulewright.play import Choice, Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.maneuver.speeds import top_speed
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.units.state import Battle, Zone
from rulewright.systems.silhouette.units.units import Speed, Unit

PLACED = "everybody is placed"
OFFERED = 4


def placing_order(battle: Battle, first: str) -> tuple[str, ...]:
    """The order in which units are placed: one group of each side in turn, beginning with one side."""
    zoned = [zone.side for zone in battle.place.zones]
    sides = [side for side in (first, *[text for text in battle.sides if text != first]) if side in zoned]
    groups = {side: list(dict.fromkeys([unit.group for unit in battle.units if unit.side == side])) for side in sides}
    names: list[str] = []
    while any(groups.values()):
        for side in sides:
            if groups[side]:
                group = groups[side].pop(0)
                names.extend([unit.name for unit in battle.units if unit.side == side and unit.group == group and not unit.section])
    return tuple(names) or (PLACED,)


def deploy(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Place the next unit and state its speed."""
    unit = battle.unit(battle.placing[0])
    where = InZone(rules, battle, unit.name)
    options = tuple([Option(_key(at, spot), _label(battle, at, spot), _place_deed(spot, unit)) for at, spot in enumerate(where.offered())])
    question = f"Where does {unit.name} start?"
    about = About(rules, battle, unit.name)
    deed: Deed = yield Choice(unit.voice, question, options, about, "place", secret=True, where=where)
    assert deed.spot is not None
    unit = replace(unit, x=deed.spot[0], y=deed.spot[1], facing=unit.facing if deed.facing is None else deed.facing)
    speeds: list[tuple[Speed, str]] = [("combat", "Combat Speed"), ("stationary", "Standing still")]
    if top_speed(unit, battle.place) > 0:
        speeds.append(("top", "Top Speed"))
    offered = tuple([Option(key, label, key) for key, label in speeds])
    speed = yield from Choice(unit.voice, f"At what speed does {unit.name} start?", offered, about, "speed", secret=True)
    battle = battle.put(replace(unit, speed=speed))
    yield from Tell(Announced(unit.name, f"is placed at {_place_name(battle, unit.spot)}", known_to=names_of(battle, unit.side)))
    battle = replace(battle, placing=battle.placing[1:] or (PLACED,))
    yield from Tell(Stands(battle))
    return battle


def _key(at: int, spot: Spot) -> str:
    return "here" if at == 0 else f"spot {spot[0]:g},{spot[1]:g}"


def _label(battle: Battle, at: int, spot: Spot) -> str:
    return f"{'Here, ' if at == 0 else ''}{_place_name(battle, spot)}"


def _place_deed(spot: Spot, unit: Unit) -> Deed:
    return Deed(kind="place", spot=spot, facing=unit.facing)


def _place_name(battle: Battle, spot: Spot) -> str:
    return hexes.label((int(spot[0]), int(spot[1]))) if battle.hexes else f"{spot[0]:g}, {spot[1]:g}"


class InZone(Struct, frozen=True, eq=False):
    """Any place in a side's zone where a unit can be: `@3,7`, `@3,7/2`."""

    rules: Ruleset
    battle: Battle
    unit: str

    @property
    def zone(self) -> Zone:
        """The zone in which the side may place its units."""
        side = self.battle.unit(self.unit).side
        return next(zone for zone in self.battle.place.zones if zone.side == side)

    @property
    def mark(self) -> str:
        """A short key of the area."""
        return f"{self.battle.field.mark} in {self.zone.box}"

    def _can_be_placed(self, spot: Spot) -> bool:
        unit = self.battle.unit(self.unit)
        if not self.zone.holds(*spot) or not self.battle.field.on_map(spot):
            return False
        costs = cost_table(self.rules, unit.machine, unit.way, self.battle.place.atmosphere) if unit.way else {}
        enters = not unit.way or costs.get(self.battle.field.terrain(spot)) is not None
        return enters and holds(self.battle, unit, spot)

    def spots(self) -> list[Spot]:
        """Every possible hex of the zone."""
        left, top, width, height = (int(value) for value in self.zone.box)
        points = [(float(x), float(y)) for x in range(left, left + width) for y in range(top, top + height)]
        return [spot for spot in points if self._can_be_placed(spot)]

    def offered(self) -> list[Spot]:
        """A few places: its present one, and some others spread over the zone."""
        unit = self.battle.unit(self.unit)
        others = [spot for spot in self.spots() if spot != unit.spot] if self.battle.hexes else []
        step = max(1, len(others) // OFFERED)
        return [unit.spot, *others[::step][:OFFERED]]

    def take(self, given: str) -> Deed:
        """Parse a place."""
        _, spots, facing = written(given)
        spot = spots[-1]
        if not self._can_be_placed(spot):
            raise UserError(
                f"{self.unit} cannot start at {_place_name(self.battle, spot)}: it needs room and passable terrain in its side's zone"
            )
        if facing is not None and self.battle.hexes and facing > 5:
            raise UserError(f"a facing is 0 (north) to 5 (north-west), clockwise, not {facing}")
        return Deed(kind="place", spot=spot, facing=facing)

    def label(self, given: str) -> str:
        """A label of the place."""
        deed = self.take(given)
        assert deed.spot is not None
        return _place_name(self.battle, deed.spot)

    def tells(self, given: str) -> tuple[str, ...]:
        """The terrain there."""
        deed = self.take(given)
        assert deed.spot is not None
        return (self.battle.field.terrain(deed.spot) or "clear",)

    def paces_by_reach(self) -> tuple[str, ...]:
        """A unit is placed in one way only."""
        return ("",)

    def bands(self) -> tuple[Band, ...]:
        """The zone, for drawing."""
        if not self.battle.hexes:
            left, top, width, height = self.zone.box
            corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
            return (Band("", "placing", 0.0, (corners,)),)
        return (Band("", "placing", 0.0, hex_outlines({(int(x), int(y)) for x, y in self.spots()})),)
