"""Placing units at set-up: sides take turns with one combat group each, and say how fast every unit goes (book lines 4312-4316)."""

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
    """The units of all sides that place theirs, a group of each side after the other, beginning with one side."""
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
    """The next unit is placed, and its speed stated."""
    unit = battle.unit(battle.placing[0])
    where = InZone(rules, battle, unit.name)
    options = tuple([Option(_key(at, spot), _label(battle, at, spot), _here(spot, unit)) for at, spot in enumerate(where.offered())])
    question = f"Where does {unit.name} begin?"
    about = About(rules, battle, unit.name)
    deed: Deed = yield Choice(unit.voice, question, options, about, "place", secret=True, where=where)
    assert deed.spot is not None
    unit = replace(unit, x=deed.spot[0], y=deed.spot[1], facing=unit.facing if deed.facing is None else deed.facing)
    speeds: list[tuple[Speed, str]] = [("combat", "Combat Speed"), ("stationary", "Standing still")]
    if top_speed(unit, battle.place) > 0:
        speeds.append(("top", "Top Speed"))
    offered = tuple([Option(key, label, key) for key, label in speeds])
    speed = yield from Choice(unit.voice, f"How fast does {unit.name} come in?", offered, about, "speed", secret=True)
    battle = battle.put(replace(unit, speed=speed))
    yield from Tell(Announced(unit.name, f"is placed at {_said(battle, unit.spot)}", known_to=names_of(battle, unit.side)))
    battle = replace(battle, placing=battle.placing[1:] or (PLACED,))
    yield from Tell(Stands(battle))
    return battle


def _key(at: int, spot: Spot) -> str:
    return "here" if at == 0 else f"spot {spot[0]:g},{spot[1]:g}"


def _label(battle: Battle, at: int, spot: Spot) -> str:
    return f"{'Here, ' if at == 0 else ''}{_said(battle, spot)}"


def _here(spot: Spot, unit: Unit) -> Deed:
    return Deed(kind="place", spot=spot, facing=unit.facing)


def _said(battle: Battle, spot: Spot) -> str:
    return hexes.label((int(spot[0]), int(spot[1]))) if battle.hexes else f"{spot[0]:g}, {spot[1]:g}"


class InZone(Struct, frozen=True, eq=False):
    """Any place of a side's own zone where a unit can stand: `@3,7`, `@3,7/2`."""

    rules: Ruleset
    battle: Battle
    unit: str

    @property
    def zone(self) -> Zone:
        """Where the side may place its units."""
        side = self.battle.unit(self.unit).side
        return next(zone for zone in self.battle.place.zones if zone.side == side)

    @property
    def mark(self) -> str:
        """The area in a few letters."""
        return f"{self.battle.field.mark} in {self.zone.box}"

    def _fits(self, spot: Spot) -> bool:
        unit = self.battle.unit(self.unit)
        if not self.zone.holds(*spot) or not self.battle.field.on_map(spot):
            return False
        costs = cost_table(self.rules, unit.machine, unit.way, self.battle.place.atmosphere) if unit.way else {}
        enters = not unit.way or costs.get(self.battle.field.terrain(spot)) is not None
        return enters and holds(self.battle, unit, spot)

    def spots(self) -> list[Spot]:
        """Every hex of the zone that will do."""
        left, top, width, height = (int(value) for value in self.zone.box)
        points = [(float(x), float(y)) for x in range(left, left + width) for y in range(top, top + height)]
        return [spot for spot in points if self._fits(spot)]

    def offered(self) -> list[Spot]:
        """A few places: where it is by now, and some others spread over the zone."""
        unit = self.battle.unit(self.unit)
        others = [spot for spot in self.spots() if spot != unit.spot] if self.battle.hexes else []
        step = max(1, len(others) // OFFERED)
        return [unit.spot, *others[::step][:OFFERED]]

    def take(self, given: str) -> Deed:
        """The place that is written."""
        _, spots, facing = written(given)
        spot = spots[-1]
        if not self._fits(spot):
            raise UserError(
                f"{self.unit} cannot begin at {_said(self.battle, spot)}: it must be in its side's zone, with room and ground for it"
            )
        if facing is not None and self.battle.hexes and facing > 5:
            raise UserError(f"a facing is one of 0 (north) to 5 (north-west), clockwise, not {facing}")
        return Deed(kind="place", spot=spot, facing=facing)

    def label(self, given: str) -> str:
        """A place in words."""
        deed = self.take(given)
        assert deed.spot is not None
        return _said(self.battle, deed.spot)

    def tells(self, given: str) -> tuple[str, ...]:
        """What lies there."""
        deed = self.take(given)
        assert deed.spot is not None
        return (self.battle.field.terrain(deed.spot) or "clear",)

    def paces_by_reach(self) -> tuple[str, ...]:
        """There is one way to be placed."""
        return ("",)

    def bands(self) -> tuple[Band, ...]:
        """The zone, for drawing."""
        if not self.battle.hexes:
            left, top, width, height = self.zone.box
            corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
            return (Band("", "placing", 0.0, (corners,)),)
        return (Band("", "placing", 0.0, hex_outlines({(int(x), int(y)) for x, y in self.spots()})),)
