"""The end of a round for everything that flies, dives or drifts: where it drifts to, and what does not last longer."""

from msgspec.structs import replace

from rulewright.field import hexes
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.flights import fall
from rulewright.systems.silhouette.battle.rounds import ROUND_BEGINS, ROUND_ENDS
from rulewright.systems.silhouette.battle.seen import witnesses
from rulewright.systems.silhouette.battle.waters import depths
from rulewright.systems.silhouette.maneuver.flights import drift_point
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.units.courses import UNDER_WAY
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


def coast(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Whatever has not drifted yet this round does so now, wrecks as well; who drifts off the map is gone."""
    for unit in battle.units:
        if unit.way != "space" or unit.course.drifted or unit.gone or unit.course.reentry:
            continue
        vector = Vector(*unit.course.vector)
        there = drift_point(unit.spot, vector)
        if there == (int(unit.x), int(unit.y)):
            continue
        on_map = battle.field.on_map(there)
        where = hexes.label(there) if on_map else "nobody knows where, off the field"
        yield from Tell(Moved(unit.name, f"drifts by its vector ({vector}) to {where}", known_to=witnesses(rules, battle, unit)))
        moved = replace(unit, x=float(there[0]), y=float(there[1])) if on_map else replace(unit, gone=True)
        battle = battle.put(moved)
    return battle


def steady(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """What of a course does not outlast a round."""
    yield from ()
    units = tuple([_steadied(unit) for unit in battle.units])
    return replace(battle, units=units)


def _steadied(unit: Unit) -> Unit:
    course = unit.course
    before = unit.spent if unit.way == "submarine" else course.before
    after = replace(course, down=0, climbed=0, slips=0, dazed=False, braking=False, noise=0, drifted=False, before=before)
    return unit if after == course else replace(unit, course=after if after != UNDER_WAY else UNDER_WAY)


def roll_out(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """The round after a landing: who has wheels, skirts or floats goes on with them."""
    for unit in battle.units:
        if unit.able and unit.way == "air" and unit.course.landed and unit.altitude <= 0:
            way = next((each for each in ("ground", "hover", "naval") if unit.machine.way(each) and each not in unit.wear.failed), "")
            if way:
                yield from Tell(Moved(unit.name, f"rolls on, by {way} movement", known_to=witnesses(rules, battle, unit)))
                battle = battle.put(replace(unit, way=way))
    return battle


ROUND_ENDS.extend((fall, depths, coast, steady))
ROUND_BEGINS.append(roll_out)
