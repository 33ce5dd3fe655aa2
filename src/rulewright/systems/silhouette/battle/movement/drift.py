"""End of a round for units that fly, dive or drift: drifting, fuel and effects that expire."""

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import rounded_up, term, times, total
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.movement.aircraft import begin_to_fall, fall
from rulewright.systems.silhouette.battle.movement.watercraft import depths, vents
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.maneuver.air.flight_paths import drift_point
from rulewright.systems.silhouette.maneuver.course_limits import aloft
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.units.courses import UNDER_WAY
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


def coast(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Drift everything that has not drifted this round, wrecks too; units that drift off the map are gone."""
    for unit in battle.units:
        if unit.way != "space" or unit.borne or unit.course.drifted or unit.gone or unit.course.reentry:
            continue
        vector = Vector(*unit.course.vector)
        there = drift_point(unit.spot, vector)
        if there == (int(unit.x), int(unit.y)):
            continue
        on_map = battle.field.on_map(there)
        where = hexes.label(there) if on_map else "off the map"
        yield from Tell(
            Moved(unit.name, f"drifts {'to ' if on_map else ''}{where} (vector {vector})", known_to=witnesses(rules, battle, unit))
        )
        moved = replace(unit, x=float(there[0]), y=float(there[1])) if on_map else replace(unit, gone=True)
        battle = battle.put(moved)
    return battle


def steady(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Reset the parts of a course that last only a round."""
    yield from ()
    units = tuple([_reset_course(unit) for unit in battle.units])
    return replace(battle, units=units)


def _reset_course(unit: Unit) -> Unit:
    course = unit.course
    before = unit.spent if unit.way == "submarine" else course.before
    after = replace(course, down=0, climbed=0, slips=0, dazed=False, braking=False, noise=0, drifted=False, before=before)
    return unit if after == course else replace(unit, course=after if after != UNDER_WAY else UNDER_WAY)


def burn(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Burn fuel for craft that fly on a space drive, by gravity and speed; with empty tanks they fall."""
    for unit in battle.units:
        if not unit.able or unit.borne or not unit.course.jets or not aloft(unit) or unit.machine.has("no fuel required") is not None:
            continue
        derived = total("held up", term("gravity in g", battle.place.gravity), times("Movement Points to a g", 10), rounded_up())
        speed = unit.spent // battle.place.air
        used = total("Burn Points", term("held up", derived), term("speed", speed), rule="sil-5.2.2-air-towing")
        left = max(0, unit.machine.burn_points - unit.course.burned - int(used.value))
        yield from Tell(Moved(unit.name, f"burns {count(used.value, 'Burn Point')} and has {left} left", (used.reason,)))
        unit = replace(unit, course=replace(unit.course, burned=unit.course.burned + int(used.value)))
        battle = battle.put(unit)
        if not left and not unit.course.falling:
            battle = yield from begin_to_fall(battle, unit, "has no fuel left")
    return battle


def roll_out(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """The round after a landing: craft with wheels, skirts or floats continue on them."""
    for unit in battle.units:
        if unit.able and not unit.borne and unit.way == "air" and unit.course.landed and unit.altitude <= 0:
            way = next(
                (
                    candidate
                    for candidate in ("ground", "hover", "naval")
                    if unit.machine.way(candidate) and candidate not in unit.wear.failed
                ),
                "",
            )
            if way:
                yield from Tell(Moved(unit.name, f"rolls out, with {way} movement", known_to=witnesses(rules, battle, unit)))
                battle = battle.put(replace(unit, way=way))
    return battle


BEGINS = (roll_out,)
ENDS = (fall, burn, depths, vents, coast, steady)
"""The events of a round for what flies, dives and drifts."""
