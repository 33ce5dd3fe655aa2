"""Visibility in a battle: the present units under the rules of Concealment and Detection."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.play import Event, Play, Tell
from rulewright.play.cache import cached, interned
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.detection.active import boosted_range
from rulewright.systems.silhouette.detection.concealment import Light, Seen, Watched, Watcher, aquatic_only, seen, watched_of
from rulewright.systems.silhouette.detection.line_of_sight import Hex, Lay, blocked, obscurement
from rulewright.systems.silhouette.detection.night import lit, searchlight_arc
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.maneuver.stacking import laid_out
from rulewright.systems.silhouette.maneuver.terrain import SHADOW, between, distance, terrains
from rulewright.systems.silhouette.units.crews import hand_for
from rulewright.systems.silhouette.units.state import Battle, Site, Surroundings
from rulewright.systems.silhouette.units.units import Unit

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


def sensor_reach(rules: Ruleset, battle: Surroundings, unit: Unit) -> Figure:
    """Its present sensor range in kilometres, with doublings of this round and a towed array."""
    reach: Figure = boosted_range(rules, sensor_base(unit), unit.signs.boosted, unit.signs.array).value
    return reach


def kilometres(battle: Surroundings, point: Spot, other: Spot) -> float:
    """The distance of two places in kilometres."""
    return battle.field.distance(point, other) * (battle.cell if battle.hexes else 1) / 1000


def watcher_of(rules: Ruleset, battle: Surroundings, unit: Unit) -> Watcher:
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
    smoke, hot = smoke_between(battle, by.spot, unit.spot) if battle.scars.clouds else (0, 0)
    still = _silent(battle, unit, battle.place.night and is_lit(rules, battle, unit))
    return replace(still, moved=unit.hexes, fired=fired(unit), boosted=unit.signs.boosted, smoke=smoke, hot_smoke=hot)


def _silent(battle: Surroundings, unit: Unit, lit: bool) -> Watched:
    """A unit as a target for eyes and passive sensors: without actions that help only active sensors, and without smoke on the line."""
    built, signs = watched_of(unit.machine, unit.way == "walker"), unit.signs
    stealth = unit.auxiliary("stealth") if built.stealth else None
    holofield = unit.auxiliary("holofield") if built.holofield else None
    return replace(
        built,
        prone=signs.prone,
        hull_down=signs.hull_down,
        stealth=max(0, built.stealth + stealth) if stealth is not None else 0,
        holofield=max(0, built.holofield + holofield) if holofield is not None else 0,
        thrust=unit.spent if unit.way == "space" else 0,
        flying=unit.way == "air",
        painted=signs.painted,
        lit=lit,
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


def covers(battle: Surroundings, middle: Spot, radius: int, spot: Spot) -> bool:
    """Whether an area around a place covers a spot."""
    return distance(battle.field, middle, spot) <= radius


def smoke_between(battle: Surroundings, point: Spot, other: Spot) -> tuple[int, int]:
    """Concealment of smoke between two places and at the second: plain smoke, and hot smoke, which also hides from sensors."""
    steps = [step[0] for step in between(battle.field, point, other)] if point != other else []
    concealment_by_kind = {"smoke": 0, "hot smoke": 0}
    for spot in (*steps, other):
        kinds = {cloud.kind for cloud in battle.clouds if covers(battle, cloud.spot, cloud.radius, spot)}
        for kind in ("hot smoke", "smoke"):
            if kind in kinds:
                concealment_by_kind[kind] += SMOKE
                break
    return concealment_by_kind["smoke"], concealment_by_kind["hot smoke"]


def light_of(battle: Surroundings, unit: Unit) -> Light:
    """The light in which a unit is seen."""
    return Light(battle.place.night, unit.way == "space", battle.place.atmosphere > 0, int(battle.cell))


# --- terrain -------------------------------------------------------------------------------------------------------------------------


def height_of(rules: Ruleset, battle: Surroundings, unit: Unit) -> int:
    """The level of a unit: its terrain plus its altitude, or that of the water on which it floats or in which it dives."""
    ground = battle.field.level(unit.spot)
    if ground >= 0 and not unit.altitude:
        return ground
    if terrains(rules)[battle.field.terrain(unit.spot)].wet:
        return max(0, ground) + unit.altitude
    return ground + max(0, unit.altitude)


def lay(rules: Ruleset, battle: Surroundings, unit: Unit, other: Unit) -> Lay:
    """The terrain from one unit to another."""
    levels = height_of(rules, battle, unit), height_of(rules, battle, other)
    return ground_between(rules, battle, unit.spot, other.spot, levels=levels, afloat=other.way in AFLOAT and not depth_of(other))


def ground_between(rules: Ruleset, battle: Surroundings, at: Spot, to: Spot, *, levels: tuple[int, int], afloat: bool = False) -> Lay:
    """The terrain between two places; water hides only units in it."""
    return _ground_between(rules, battle.site if isinstance(battle, Battle) else battle, at, to, levels, afloat)


@cached(6_000)
def _ground_between(rules: Ruleset, site: Site, at: Spot, to: Spot, levels: tuple[int, int], afloat: bool) -> Lay:
    rows, close, there = terrains(rules), site.place.close, site.field  # among people only the target's own cover counts

    def hex_at(spot: Spot, own: bool) -> Hex:
        row = rows[there.terrain(spot)]
        hides = 0 if (row.wet and (not own or afloat)) or (close and not own) else row.obscurement
        return Hex(hides, there.level(spot), row.terrain)

    steps = tuple([tuple([hex_at(spot, False) for spot in step]) for step in between(there, at, to)]) if at != to else ()
    far = distance(there, at, to)
    return Lay(levels[0], levels[1], hex_at(to, True), steps, -(-far // 5) if close else far)


def cover_of(rules: Ruleset, battle: Surroundings, unit: Unit, other: Unit) -> int:
    """Obscurement of a unit for attacks by another: terrain and a hull-down position, without distance and Stealth."""
    return int(obscurement(rules, lay(rules, battle, unit, other), other.signs.hull_down).value)


# --- seeing --------------------------------------------------------------------------------------------------------------------------


class Eye(Struct, frozen=True, gc=False, cache_hash=True):
    """An observer where it is."""

    watcher: Watcher
    spot: Spot
    level: int
    reach: Figure
    """Its sensor range in kilometres."""
    found: tuple[str, ...]
    """Units that its active sensors found this round."""


class Sign(Struct, frozen=True, gc=False, cache_hash=True):
    """A target where it is, for eyes and passive sensors."""

    name: str
    watched: Watched
    spot: Spot
    level: int
    afloat: bool
    light: Light


@interned(1024)
def eye_of(rules: Ruleset, site: Site, unit: Unit) -> Eye:
    """A unit as an observer."""
    reach = sensor_reach(rules, site, unit)
    return Eye(watcher_of(rules, site, unit), unit.spot, height_of(rules, site, unit), reach, unit.signs.found)


def sign_of(rules: Ruleset, battle: Battle, unit: Unit) -> Sign:
    """A unit as a target; by night the lights of others matter."""
    return _sign(rules, battle.site, unit, battle.place.night and is_lit(rules, battle, unit))


@interned(1024)
def _sign(rules: Ruleset, site: Site, unit: Unit, lit: bool) -> Sign:
    afloat = unit.way in AFLOAT and not depth_of(unit)
    return Sign(unit.name, _silent(site, unit, lit), unit.spot, height_of(rules, site, unit), afloat, light_of(site, unit))


def walled(rules: Ruleset, battle: Surroundings, unit: Unit, other: Unit) -> bool:
    """Whether an obstacle on the map other than terrain blocks the line: a wall, an opaque cloud."""
    return _walled(rules, battle, unit.spot, other.spot)


def _walled(rules: Ruleset, battle: Surroundings, point: Spot, other: Spot) -> bool:
    there = battle.field
    if not (battle.map.walls or any(region.stops in ("all", "sight") for region in there.regions)):
        return False
    return not there.sight(point, other, rules.word("between-hexes")).open  # type: ignore[arg-type]  # one of its two words


def look(rules: Ruleset, battle: Battle, unit: Unit, other: Unit) -> Seen:
    """Returns how a unit perceives another: by eye, by its sensors, or because it found it this round. A section is seen with its hull."""
    if other.borne:
        other = battle.bearer(other)
    return perceived(rules, battle.site, eye_of(rules, battle.site, unit), sign_of(rules, battle, other))


def perceived(rules: Ruleset, site: Site, eye: Eye, sign: Sign) -> Seen:
    """Returns what an observer perceives of a target. A found unit is lost behind blocking terrain and beyond sensor range."""
    if _walled(rules, site, eye.spot, sign.spot):
        return WALLED
    ground = ground_between(rules, site, eye.spot, sign.spot, levels=(eye.level, sign.level), afloat=sign.afloat)
    target = sign.watched
    if site.clouds:
        smoke, hot = smoke_between(site, eye.spot, sign.spot)
        target = replace(target, smoke=smoke, hot_smoke=hot)
    result = seen(rules, eye.watcher, ground, target, sign.light)
    if result.by or sign.name not in eye.found or blocked(rules, ground).value:
        return result
    if kilometres(site, eye.spot, sign.spot) > eye.reach:
        return result
    return Seen("sensors", result.concealment, result.detection, "", result.obscurement)


@cached(16_000)
def made_out(rules: Ruleset, site: Site, eye: Eye, sign: Sign) -> bool:
    """Whether an observer perceives a target."""
    return bool(perceived(rules, site, eye, sign).by)


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
    site = battle.site
    return made_out(rules, site, eye_of(rules, site, unit), sign_of(rules, battle, other))


def sees_by_day(rules: Ruleset, site: Site, unit: Unit, other: Unit) -> bool:
    """The same by day between machines of one body, where no other unit matters."""
    return unit.side == other.side or made_out(rules, site, eye_of(rules, site, unit), _sign(rules, site, other, False))


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
