"""Aircraft in trouble: lost control, dives, stalls, falls, gliding, crashes and re-entry (book lines 4501, 4521-4596)."""

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import less, term, total
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.damage.environment import harmed, outright
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.movement.movement import points_left, points_of
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.maneuver.air.control import Slip
from rulewright.systems.silhouette.maneuver.air.descent import (
    can_glide,
    end_dive,
    end_stall,
    fall_damage,
    glide_loss,
    is_dive,
    levels_fallen,
    pull_out,
    stalls,
)
from rulewright.systems.silhouette.maneuver.air.flight import NAP_OF_EARTH, crash_of, is_vtol, levels_slipped
from rulewright.systems.silhouette.maneuver.course_limits import aloft, clearance, too_low
from rulewright.systems.silhouette.maneuver.orbit import fire_on_hull, heat_this_round, level_after_reentry, reentry_heat
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, load_mod
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.units.courses import UNDER_WAY
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_STALL, _DIVE, _GLIDE = "sil-5.2.2-stalling", "sil-5.2.2-diving", "sil-5.2.2-gliding"
DESCENT = 20


def pilot_of(rules: Ruleset, unit: Unit, *mods: Mod) -> Pool:
    """The pilot's pool, with the modifier of the load carried."""
    return pool_of(rules, unit, "piloting", load_mod(unit), *mods)


def hugs_ground(battle: Battle, unit: Unit) -> bool:
    """Whether it is built for nap-of-earth flight and flies that low."""
    return unit.machine.has(NAP_OF_EARTH) is not None and clearance(battle, unit) <= 0


def _has_diving_wings(unit: Unit) -> bool:
    return unit.machine.has("diving wings") is not None


# --- control ------------------------------------------------------------------------------------------------------------------------


def out_of_control(rules: Ruleset, battle: Battle, name: str, slip: Slip) -> Play[Battle]:
    """Apply the effects of a loss of control."""
    unit = battle.unit(name)
    if slip.actions:
        battle = battle.put(_loses_action(unit, slip.actions))
    if slip.sideways:
        battle = yield from _slip_or_skid(rules, battle, battle.unit(name), slip)
    if slip.damage and battle.unit(name).able:
        battle = yield from outright(rules, battle, battle.unit(name), slip.damage, what="strains its structure", location="structure")
    unit = battle.unit(name)
    if slip.levels and unit.able:
        battle = battle.put(replace(unit, altitude=unit.altitude - slip.levels))
        words = f"drops {count(slip.levels, 'level')} to level {unit.altitude - slip.levels}"
        yield from Tell(Moved(name, words, (total("levels", term("die", slip.levels)).reason,)))
        battle = yield from touch_ground(rules, battle, name)
    unit = battle.unit(name)
    if slip.stall and unit.able and not unit.course.falling and not unit.course.dive:
        battle = yield from begin_to_fall(battle, unit, "stalls")
    if slip.crash and battle.unit(name).able:
        battle = yield from outright(rules, battle, battle.unit(name), "overkill", what="spins into the ground")
    return battle


def _loses_action(unit: Unit, actions: int) -> Unit:
    return replace(unit, stunned=unit.stunned + actions) if not unit.done else replace(unit, owed=unit.owed + actions)


def _slip_or_skid(rules: Ruleset, battle: Battle, unit: Unit, slip: Slip) -> Play[Battle]:
    """Apply a sideslip of a hex, or a skid: the nose turns but the craft keeps its course."""
    if slip.sideways == "sideslip":
        return (yield from slipped(rules, battle, unit, slip.side, 0))
    course = replace(unit.course, skid=slip.hexes, skids_to=unit.facing, straight=0)
    turned = replace(unit, facing=(unit.facing + slip.side) % 6, course=course)
    yield from Tell(Moved(unit.name, f"skids: it faces {hexes.DIRECTIONS[turned.facing]} but flies on {hexes.DIRECTIONS[unit.facing]}"))
    return (yield from skid_on(rules, battle.put(turned), unit.name))


def slipped(rules: Ruleset, battle: Battle, unit: Unit, side: int, cost: int) -> Play[Battle]:
    """Sideslip one hex ahead to the left or right, without a change of heading."""
    there = hexes.neighbour((int(unit.x), int(unit.y)), (unit.facing + side) % 6)
    if not battle.field.on_map(there):
        return battle
    slips = unit.course.slips + 1
    down = levels_slipped(slips) if slips == 6 else 0
    course = replace(unit.course, slips=slips, straight=unit.course.straight + 1)
    moved = replace(
        unit,
        x=float(there[0]),
        y=float(there[1]),
        spent=unit.spent + cost,
        hexes=unit.hexes + 1,
        altitude=unit.altitude - down,
        course=course,
        moved=True,
    )
    lost = " and loses a level" if down else ""
    yield from Tell(Moved(unit.name, f"sideslips to {'port' if side < 0 else 'starboard'}, into {hexes.label(there)}{lost}"))
    return (yield from touch_ground(rules, battle.put(moved), unit.name))


def skid_on(rules: Ruleset, battle: Battle, name: str) -> Play[Battle]:
    """Skid as many hexes as there are Movement Points for; the rest comes first in the next move."""
    unit = battle.unit(name)
    while unit.course.skid and unit.able and points_left(battle, unit) >= 1:
        there = hexes.neighbour((int(unit.x), int(unit.y)), unit.course.skids_to)
        if not battle.field.on_map(there):
            unit = replace(unit, course=replace(unit.course, skid=0))
            break
        unit = replace(
            unit,
            x=float(there[0]),
            y=float(there[1]),
            points=points_of(battle, unit),
            spent=unit.spent + 1,
            hexes=unit.hexes + 1,
            course=replace(unit.course, skid=unit.course.skid - 1),
        )
    if unit is not battle.unit(name):
        yield from Tell(Moved(name, f"skids to {hexes.label((int(unit.x), int(unit.y)))}"))
    return (yield from touch_ground(rules, battle.put(unit), name))


def touch_ground(rules: Ruleset, battle: Battle, name: str) -> Play[Battle]:
    """Crash an aircraft that flies too low: Heavy Damage at Combat Speed, Overkill at Top Speed."""
    unit = battle.unit(name)
    if not unit.able or not too_low(battle, unit):
        return battle
    severity = crash_of(unit.speed == "top" or unit.shifting == "top")
    battle = yield from outright(rules, battle, grounded(battle, unit), severity, what="flies into the ground")
    return battle


def grounded(battle: Battle, unit: Unit) -> Unit:
    """An aircraft on the ground that cannot move any more this round."""
    course = replace(UNDER_WAY, landed=True, load=unit.course.load, burned=unit.course.burned)
    return replace(unit, altitude=unit.altitude - clearance(battle, unit), course=course, spent=max(unit.spent, unit.points or 0))


# --- falling ------------------------------------------------------------------------------------------------------------------------


def begin_to_fall(battle: Battle, unit: Unit, what: str) -> Play[Battle]:
    """Start an aircraft's fall."""
    yield from Tell(Moved(unit.name, f"{what} and falls"))
    return battle.put(replace(unit, course=replace(unit.course, falling=1, fallen=0, lost=0, dive=0)))


def fall(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """At the end of a round: move everything that falls, dives or re-enters the atmosphere."""
    for name in [unit.name for unit in battle.units if unit.able and not unit.borne]:
        unit = battle.unit(name)
        if unit.course.reentry:
            battle = yield from descend(rules, battle, unit)
        elif unit.course.falling:
            battle = yield from _fall_round(rules, battle, unit)
        elif unit.course.dive:
            battle = yield from _keep_diving(rules, battle, unit)
        elif aloft(unit) and is_dive(unit.course.down, combat_speed(unit, battle.place)):
            battle = yield from _pull_out(rules, battle, unit)
        elif aloft(unit) and unit.course.glide is None and unit.way in unit.wear.failed:
            battle = yield from _lose_power(battle, unit)
        elif aloft(unit) and unit.course.glide is not None:
            battle = yield from _glide(rules, battle, unit)
        else:
            battle = yield from _stall(battle, unit)
    return battle


def _fall_round(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    course, name = unit.course, unit.name
    levels = levels_fallen(course.falling - 1, "six seconds" if battle.place.seconds == 6 else "thirty seconds")
    room = clearance(battle, unit)
    if levels.value >= room:
        down = grounded(battle, unit)
        yield from Tell(Moved(name, f"falls {count(room, 'level')} to the ground", (levels.reason,)))
        damage = yield from fall_damage(rules, unit.machine.size, course.lost + max(0, room), unit.voice)
        return (yield from harmed(rules, battle.put(down), down, damage, "hits the ground"))
    after = total("altitude", term("before", unit.altitude), less("fallen", levels))
    yield from Tell(Moved(name, f"falls to level {after.value}", (after.reason,)))
    course = replace(course, falling=course.falling + 1, fallen=course.fallen + int(levels.value), lost=course.lost + int(levels.value))
    unit = replace(unit, altitude=int(after.value), course=course)
    battle = battle.put(unit)
    way = unit.moving
    lost_wings = way is None or way.type in unit.wear.failed or combat_speed(unit, battle.place) <= 0
    if course.fallen < (way.stall if way is not None else 0) or lost_wings or not unit.manned:
        return battle
    caught = yield from end_stall(rules, pilot_of(rules, unit), _has_diving_wings(unit), unit.voice)
    if not caught.out:
        return battle.put(replace(unit, course=replace(course, fallen=0)))
    return (yield from _recover(rules, battle, unit, caught.heading, int(way.stall) if way is not None else 0))


def _recover(rules: Ruleset, battle: Battle, unit: Unit, heading: int | None, speed: int) -> Play[Battle]:
    """Recover from a stall or dive: the heading is chosen or random."""
    if heading is None:
        options = tuple([Option(f"face {name}", name.capitalize(), side) for side, name in enumerate(hexes.DIRECTIONS)])
        heading = yield from Choice(unit.voice, "Which heading?", options, About(rules, battle, unit.name), "heading")
    course = replace(unit.course, falling=0, fallen=0, lost=0, dive=0, down=0, straight=0)
    if course.glide is not None:
        course = replace(course, glide=max(course.glide, speed))
    yield from Tell(Moved(unit.name, f"recovers and flies {hexes.DIRECTIONS[heading]}"))
    return battle.put(replace(unit, facing=heading, course=course))


def _pull_out(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    """Pull out at the end of a move that was a dive."""
    scale = battle.place.air
    levels = unit.course.down // scale
    pilot = pilot_of(rules, unit)
    pulled_out = yield from pull_out(
        rules, pilot, maneuver_of(battle, unit).value, _has_diving_wings(unit), unit.voice, hugs_ground(battle, unit)
    )
    if pulled_out.out:
        return (yield from _recover(rules, battle, unit, None, levels))
    yield from Tell(Moved(unit.name, f"cannot pull out and keeps diving, {count(levels, 'level')} a round"))
    battle = battle.put(replace(unit, course=replace(unit.course, dive=levels, down=0)))
    return (yield from out_of_control(rules, battle, unit.name, pulled_out.slip)) if pulled_out.slip is not None else battle


def _keep_diving(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    levels, room = unit.course.dive, clearance(battle, unit)
    if levels > room:
        return (yield from outright(rules, battle, grounded(battle, unit), "overkill", what="dives into the ground"))
    after = total("altitude", term("before", unit.altitude), less("dive", levels), rule=_DIVE)
    yield from Tell(Moved(unit.name, f"keeps diving, to level {after.value}", (after.reason,)))
    unit = replace(unit, altitude=int(after.value))
    battle = battle.put(unit)
    if not unit.manned or not (yield from end_dive(rules, pilot_of(rules, unit), _has_diving_wings(unit), unit.voice)):
        return battle
    return (yield from _recover(rules, battle, unit, None, levels))


# --- without power ------------------------------------------------------------------------------------------------------------------


def _lose_power(battle: Battle, unit: Unit) -> Play[Battle]:
    """Handle an engine loss: the craft glides at its present speed, or falls."""
    if unit.machine.has("lighter-than-air") is not None:
        return battle
    if not can_glide(unit.machine):
        return (yield from begin_to_fall(battle, unit, "cannot glide"))
    speed = max(unit.spent, unit.last) // battle.place.air
    yield from Tell(Moved(unit.name, f"glides without power, at a speed of {speed}"))
    return battle.put(replace(unit, course=replace(unit.course, glide=speed)))


def _glide(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    """Play a round without power: points are lost in speed or in altitude."""
    course, way = unit.course, unit.moving
    assert course.glide is not None
    top = way.top if way is not None else 0
    loss = glide_loss(top, unit.machine.has("glider") is not None)
    most = min(loss.points - loss.levels, course.glide)
    slower = 0
    if most > 0:
        question = f"The glider loses {count(loss.points, 'point')}. How many of them from speed? The rest are levels."
        slower = yield from Choice(unit.voice, question, Range(0, most), About(rules, battle, unit.name), "glide")
    speed = total("speed", term("before", course.glide), less("lost", slower), rule=_GLIDE)
    height = total("altitude", term("before", unit.altitude), less("lost", loss.points - slower), rule=_GLIDE)
    yield from Tell(Moved(unit.name, f"glides at speed {speed.value}, level {height.value}", (speed.reason, height.reason)))
    unit = replace(unit, altitude=int(height.value), course=replace(course, glide=int(speed.value)))
    battle = yield from touch_ground(rules, battle.put(unit), unit.name)
    unit = battle.unit(unit.name)
    if unit.able and aloft(unit) and stalls(speed.value, way.stall if way is not None else 0):
        return (yield from begin_to_fall(battle, unit, "is below its Stall Speed"))
    return battle


def _stall(battle: Battle, unit: Unit) -> Play[Battle]:
    """At the end of a round: units slower than their Stall Speed, or without any speed left, begin to fall."""
    way = unit.moving
    if not aloft(unit) or way is None or battle.round < 1:
        return battle
    floats = unit.machine.has("lighter-than-air") is not None
    stall = int(way.stall) * battle.place.air
    if combat_speed(unit, battle.place) <= 0 and not floats:
        return (yield from begin_to_fall(battle, unit, "has lost its lift"))
    if is_vtol(unit.machine) or not stalls(unit.spent, stall, floats):
        return battle
    return (yield from begin_to_fall(battle, unit, f"is too slow ({unit.spent} MP, Stall Speed {stall})"))


# --- re-entry -----------------------------------------------------------------------------------------------------------------------


def descend(rules: Ruleset, battle: Battle, unit: Unit) -> Play[Battle]:
    """Play a round of re-entry: fire on the hull if the craft is not built for it or the pilot fails."""
    now = unit.course.reentry
    built = unit.machine.has("reentry systems") is not None
    hurt = Mod("damage", -unit.wear.maneuver, "sil-5.2.3-reentry")
    burns = yield from heat_this_round(rules, min(now, DESCENT), built, pilot_of(rules, unit, hurt), unit.voice)
    if burns:
        heat = reentry_heat(max(1, Vector(*unit.course.vector).speed))
        resistant = unit.machine.has("fire resistant") is not None
        damage = yield from fire_on_hull(rules, heat.value, resistant, unit.voice)
        battle = yield from harmed(rules, battle, unit, damage, "burns during re-entry")
        unit = battle.unit(unit.name)
        if not unit.able:
            return battle
    if now < DESCENT:
        return battle.put(replace(unit, course=replace(unit.course, reentry=now + 1)))
    level = level_after_reentry()
    yield from Tell(Moved(unit.name, f"is through the re-entry, at altitude level {level.value}, and falls", (level.reason,)))
    flies = unit.machine.way("air") is not None
    course = replace(unit.course, reentry=0, falling=1, fallen=0, lost=0, vector=(0, 0, 0))
    return battle.put(replace(unit, way="air" if flies else unit.way, altitude=int(level.value), course=course))
