"""Visibility in a battle: the present units under the rules of Concealment and Detection."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.ground import Changes, Ground
from rulewright.play import Event, Play, Tell
from rulewright.play.cache import Memory, cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.detection.active import boosted_range
from rulewright.systems.silhouette.detection.concealment import Light, Seen, Watched, Watcher, aquatic_only, seen, watched_of
from rulewright.systems.silhouette.detection.line_of_sight import Hex, Lay, blocked, obscurement
from rulewright.systems.silhouette.detection.night import lit, searchlight_arc
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.stacking import laid_out
from rulewright.systems.silhouette.maneuver.terrain import SHADOW, between, distance, terrains
from rulewright.systems.silhouette.units.crews import hand_for
from rulewright.systems.silhouette.units.state import Battle, Place
from rulewright.systems.silhouette.units.units import Crew, Rider, Unit
from rulewright.systems.silhouette.units.visible_traits import Cloud

AFLOAT = ("hover", "naval")
"""Movement types on the surface, which water does not hide (ruling for ships)."""
SMOKE = 2
WALLED = Seen("", why="an obstacle is in between")


# --- observer and target -------------------------------------------------------------------------------------------------------------


def depth_of(unit: Unit) -> int:
    """The depth of a unit under water, in levels."""
    return max(0, -unit.altitude) if unit.way == "submarine" else 0


def sensor_rating(unit: Unit) -> int | None:
    """The remaining Sensor rating of a unit; None without sensors."""
    own, left = unit.machine.sensors, unit.auxiliary("sensors")
    return None if own is None or left is None else own.rating + left


def sensor_base(unit: Unit) -> Figure:
    """The Base Range of its sensors where it is, in kilometres."""
    own = unit.machine.sensors
    if own is None:
        return 0
    return {"air": own.air, "space": own.space}.get(unit.way, own.ground)


def sensor_reach(rules: Ruleset, battle: Battle, unit: Unit) -> Figure:
    """Its present sensor range in kilometres, with doublings of this round and a towed array."""
    reach: Figure = boosted_range(rules, sensor_base(unit), unit.signs.boosted, unit.signs.array).value
    return reach


def kilometres(battle: Battle, point: Spot, other: Spot) -> float:
    """The distance of two places in kilometres."""
    return battle.field.distance(point, other) * (battle.cell if battle.hexes else 1) / 1000


def watcher_of(rules: Ruleset, battle: Battle, unit: Unit) -> Watcher:
    """A unit as an observer."""
    machine, rating = unit.machine, sensor_rating(unit)
    defective = machine.has("defective sensors")
    return Watcher(
        information_warfare=hand_for(unit, "information warfare").skill.level,
        sensors=rating,
        reach=int(sensor_reach(rules, battle, unit) * 1000 / battle.cell) if rating is not None else 0,
        aquatic=aquatic_only(machine),
        depth=depth_of(unit),
        defective=(defective.rating or 0) if defective is not None else 0,
        blind=unit.signs.blinded > 0,
        no_eyes=machine.has("sensor dependent") is not None,
    )


def fired(unit: Unit) -> int:
    """Weapons that a unit has fired this round and that revealed it."""
    return sum([1 for at, arm in enumerate(unit.arms) if arm.fired and unit.version(at).perk("stealth") is None])


def watched(rules: Ruleset, battle: Battle, unit: Unit, by: Unit) -> Watched:
    """A unit as a target for another: as built, with what still hides it, and its actions this round."""
    built, signs = watched_of(unit.machine, unit.way == "walker"), unit.signs
    stealth = unit.auxiliary("stealth") if built.stealth else None
    holofield = unit.auxiliary("holofield") if built.holofield else None
    smoke, hot = smoke_between(battle, by.spot, unit.spot) if battle.scars.clouds else (0, 0)
    return replace(
        built,
        prone=signs.prone,
        hull_down=signs.hull_down,
        stealth=max(0, built.stealth + stealth) if stealth is not None else 0,
        holofield=max(0, built.holofield + holofield) if holofield is not None else 0,
        moved=unit.hexes,
        thrust=unit.spent if unit.way == "space" else 0,
        fired=fired(unit),
        boosted=signs.boosted,
        flying=unit.way == "air",
        painted=signs.painted,
        smoke=smoke,
        hot_smoke=hot,
        lit=battle.place.night and is_lit(rules, battle, unit),
        shadowed=battle.field.terrain(unit.spot) == SHADOW,
        swims=unit.way in ("naval", "submarine"),
        noise=unit.course.noise,
        depth=depth_of(unit),
    )


def is_lit(rules: Ruleset, battle: Battle, unit: Unit) -> bool:
    """Whether a unit is as visible as by day: it shines a light, or is in the beam or glow of one."""
    if unit.signs.searchlight or any(
        cloud.kind == "light" and covers(battle, cloud.spot, cloud.radius, unit.spot) for cloud in battle.scars.clouds
    ):
        return True
    for candidate in battle.units:
        if candidate.signs.searchlight and not candidate.destroyed and (arc := searchlight_arc(rules, candidate.machine)) is not None:
            lamp = candidate.machine.has("searchlight")
            near = lamp is None or not lamp.amount or kilometres(battle, candidate.spot, unit.spot) * 1000 <= lamp.amount
            if near and lit(battle.field.off_front(candidate.spot, candidate.facing, unit.spot), *arc):
                return True
    return False


def covers(battle: Battle, middle: Spot, radius: int, spot: Spot) -> bool:
    """Whether an area around a place covers a spot."""
    return distance(battle.field, middle, spot) <= radius


def smoke_between(battle: Battle, point: Spot, other: Spot) -> tuple[int, int]:
    """Concealment of smoke between two places and at the second: plain smoke, and hot smoke, which also hides from sensors."""
    steps = [step[0] for step in between(battle.field, point, other)] if point != other else []
    concealment_by_kind = {"smoke": 0, "hot smoke": 0}
    for spot in (*steps, other):
        kinds = {cloud.kind for cloud in battle.scars.clouds if covers(battle, cloud.spot, cloud.radius, spot)}
        for kind in ("hot smoke", "smoke"):
            if kind in kinds:
                concealment_by_kind[kind] += SMOKE
                break
    return concealment_by_kind["smoke"], concealment_by_kind["hot smoke"]


def light_of(battle: Battle, unit: Unit) -> Light:
    """The light in which a unit is seen."""
    return Light(battle.place.night, unit.way == "space", battle.place.atmosphere > 0, int(battle.cell))


# --- terrain -------------------------------------------------------------------------------------------------------------------------


def height_of(rules: Ruleset, battle: Battle, unit: Unit) -> int:
    """The level of a unit: its terrain plus its altitude, or that of the water on which it floats or in which it dives."""
    ground = battle.field.level(unit.spot)
    if ground >= 0 and not unit.altitude:
        return ground
    if terrains(rules)[battle.field.terrain(unit.spot)].wet:
        return max(0, ground) + unit.altitude
    return ground + max(0, unit.altitude)


def lay(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> Lay:
    """The terrain from one unit to another."""
    levels = height_of(rules, battle, unit), height_of(rules, battle, other)
    return ground_between(rules, battle, unit.spot, other.spot, levels=levels, afloat=other.way in AFLOAT and not depth_of(other))


MOST_LAYS = 6_000


def ground_between(rules: Ruleset, battle: Battle, at: Spot, to: Spot, *, levels: tuple[int, int], afloat: bool = False) -> Lay:
    """The terrain between two places; water hides only units in it."""
    there = battle.field
    lays: dict[object, Lay] = there.remembered.setdefault("lays", {})  # type: ignore[assignment]  # only these are stored under it
    key = (rules, at, to, levels, afloat, battle.place.close)
    kept = lays.get(key)
    if kept is not None:
        return kept
    rows, close = terrains(rules), battle.place.close  # among people only the target's own cover counts

    def hex_at(spot: Spot, own: bool) -> Hex:
        row = rows[there.terrain(spot)]
        hides = 0 if (row.wet and (not own or afloat)) or (close and not own) else row.obscurement
        return Hex(hides, there.level(spot), row.terrain)

    steps = tuple([tuple([hex_at(spot, False) for spot in step]) for step in between(there, at, to)]) if at != to else ()
    far = distance(there, at, to)
    result = Lay(levels[0], levels[1], hex_at(to, True), steps, -(-far // 5) if close else far)
    if len(lays) >= MOST_LAYS:
        lays.clear()
    lays[key] = result
    return result


def cover_of(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> int:
    """Obscurement of a unit for attacks by another: terrain and a hull-down position, without distance and Stealth."""
    covers = sights_here(rules, battle).covers
    key = (eye_of(unit), sign_of(other))
    result = covers.get(key)
    if result is None:
        result = covers[key] = int(obscurement(rules, lay(rules, battle, unit, other), other.signs.hull_down).value)
    return result


# --- seeing --------------------------------------------------------------------------------------------------------------------------


@cached(4096)
def _seen_cached(rules: Ruleset, watcher: Watcher, ground: Lay, target: Watched, light: Light) -> Seen:
    return seen(rules, watcher, ground, target, light)


def walled(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> bool:
    """Whether an obstacle on the map other than terrain blocks the line: a wall, an opaque cloud."""
    there = battle.field
    if not (battle.map.walls or any(region.stops in ("all", "sight") for region in there.regions)):
        return False
    return not there.sight(unit.spot, other.spot, rules.word("between-hexes")).open  # type: ignore[arg-type]  # one of its two words


def look(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> Seen:
    """What a unit perceives of another: by eye, by its sensors, or because it found it this round. A found unit is lost behind
    blocking terrain and beyond sensor range. A section is seen with its hull."""
    if other.borne:
        other = battle.bearer(other)
    if walled(rules, battle, unit, other):
        return WALLED
    ground = lay(rules, battle, unit, other)
    target = replace(watched(rules, battle, other, unit), moved=0, fired=0, boosted=0)  # these only help active sensors
    result = _seen_cached(rules, watcher_of(rules, battle, unit), ground, target, light_of(battle, other))
    if result.by or other.name not in unit.signs.found or blocked(rules, ground).value:
        return result
    if kilometres(battle, unit.spot, other.spot) > sensor_reach(rules, battle, unit):
        return result
    return Seen("sensors", result.concealment, result.detection, "", result.obscurement)


def sees(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> bool:
    """Whether a unit sees another; its own side it always sees. Sections see what their hull sees (ruling); a stretched unit
    sees, and is seen, from each of its hexes."""
    if unit.side == other.side:
        return True
    if unit.shape.stretched or other.shape.stretched:
        return any(sees(rules, battle, here, there) for here in laid_out(battle, unit) for there in laid_out(battle, other))
    if unit.part is not None and unit.borne and sees(rules, battle, battle.bearer(unit), other):
        return True
    if other.part is not None:
        other = battle.bearer(other)
    if battle.place.night:  # lights of others matter too
        return bool(look(rules, battle, unit, other).by)
    sights = sights_here(rules, battle).pairs
    key = (eye_of(unit), sign_of(other))
    result = sights.get(key)
    if result is None:
        result = sights[key] = bool(look(rules, battle, unit, other).by)
    return result


class Eye(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything about an observer that its sight by day depends on."""

    machine: Machine
    crew: Crew
    riders: tuple[Rider, ...]
    auxiliaries: tuple[int, ...]
    way: str
    altitude: int
    spot: Spot
    boosted: int
    array: Figure
    blind: bool
    found: tuple[str, ...]


class Sign(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything about a target that its visibility by day depends on."""

    name: str
    machine: Machine
    auxiliaries: tuple[int, ...]
    way: str
    altitude: int
    spot: Spot
    prone: bool
    hull_down: int
    painted: int
    thrust: int
    noise: int


@cached(1024)
def eye_of(unit: Unit) -> Eye:
    """A unit as an observer by day."""
    signs = unit.signs
    return Eye(
        unit.machine,
        unit.crew,
        unit.riders,
        unit.wear.auxiliaries,
        unit.way,
        unit.altitude,
        unit.spot,
        signs.boosted,
        signs.array,
        signs.blinded > 0,
        signs.found,
    )


@cached(1024)
def sign_of(unit: Unit) -> Sign:
    """A unit as a target by day."""
    signs = unit.signs
    return Sign(
        unit.name,
        unit.machine,
        unit.wear.auxiliaries,
        unit.way,
        unit.altitude,
        unit.spot,
        signs.prone,
        signs.hull_down,
        signs.painted,
        unit.spent if unit.way == "space" else 0,
        unit.course.noise,
    )


MOST_SIGHTS, MOST_COVERS, MOST_SHOTS, MOST_LINES = 16_000, 8_000, 2_000, 4_000


class Sights:
    """A cache of who saw whom by day, and of Obscurement: most units do not move between two queries."""

    __slots__ = ("covers", "known", "lines", "pairs", "shots", "worths")

    def __init__(self) -> None:
        self.pairs: Memory[tuple[Eye, Sign], bool] = Memory(MOST_SIGHTS)
        self.covers: Memory[tuple[Eye, Sign], int] = Memory(MOST_COVERS)
        self.known: dict[tuple[tuple[Eye, ...], tuple[Sign, ...]], frozenset[str]] = {}
        """Which targets are seen by anyone, by all observers and all targets."""
        self.shots: Memory[tuple[Unit, Unit, int, bool, int | None], object] = Memory(MOST_SHOTS)
        """The resulting attacks: options, tactics and fire ask for the same one after another."""
        self.lines: Memory[tuple[object, ...], object] = Memory(MOST_LINES)
        """Lines between attackers and targets."""
        self.worths: dict[tuple[object, ...], float] = {}
        """The expected worth of attacks."""


def sights_here(rules: Ruleset, battle: Battle) -> Sights:
    """The cache for this terrain, these conditions and clouds; nearly always that of the last query."""
    (by, ground, changes, place, clouds), sights = _latest[0]
    if clouds is battle.scars.clouds and ground is battle.map and changes is battle.changes and place is battle.place and by is rules:
        return sights
    now = (rules, battle.map, battle.changes, battle.place, battle.scars.clouds)
    sights = _sights_of(*now)
    _latest[0] = (now, sights)
    return sights


@cached(2)
def _sights_of(rules: Ruleset, ground: Ground, changes: Changes, place: Place, clouds: tuple[Cloud, ...]) -> Sights:
    return Sights()


_latest: list[tuple[tuple[object, ...], Sights]] = [((None,) * 5, Sights())]


# --- who is told what ----------------------------------------------------------------------------------------------------------------

UNSEEN = "an unseen enemy"


def aware(rules: Ruleset, battle: Battle, side: str, unit: Unit) -> bool:
    """Whether any able unit of a side sees a unit; its own side always does."""
    return unit.side == side or any(sees(rules, battle, eye, unit) for eye in battle.units if eye.side == side and eye.able)


def called(rules: Ruleset, battle: Battle, side: str, unit: Unit) -> str:
    """A side's name for a unit: its name, or "an unseen enemy" if the side has not found it."""
    return unit.name if aware(rules, battle, side, unit) else UNSEEN


def people_of(battle: Battle, sides: list[str]) -> tuple[str, ...]:
    """All names of some sides: units and the characters aboard."""
    mine = [unit for unit in battle.units if unit.side in sides]
    return tuple([name for unit in mine for name in (unit.name, *[rider.name for rider in unit.riders])])


def tell_of(rules: Ruleset, battle: Battle, event: Event, doer: Unit, target: Unit | None = None, **unnamed: Any) -> Play[None]:
    """Tell all sides of a unit's action; sides that have not found the unit hear of it without its name, if they see
    the target at all. `unnamed` are the replaced fields that would reveal the unit."""
    knowing = [side for side in battle.sides if aware(rules, battle, side, doer)]
    others = [side for side in battle.sides if side not in knowing]
    if not others:
        yield from Tell(event)
        return
    yield from Tell(replace(event, known_to=people_of(battle, knowing)))
    told = [side for side in others if target is None or aware(rules, battle, side, target)]
    if told:
        yield from Tell(replace(event, known_to=people_of(battle, told), again=True, **unnamed))
