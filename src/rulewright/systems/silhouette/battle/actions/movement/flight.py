"""Flight actions besides moving: climbing, descending, tight turns, sideslips, landing, taking off and thermals."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Range, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term, total
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed
from rulewright.systems.silhouette.battle.damage.environment import harmed
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.movement.aircraft import grounded, hugs_ground, out_of_control, pilot_of, slipped, touch_ground
from rulewright.systems.silhouette.battle.movement.movement import points_left, points_of, turning_radius
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.maneuver.air.descent import can_land, can_take_off, crash_landing, is_dive, ride_thermals
from rulewright.systems.silhouette.maneuver.air.flight import (
    CLIMB,
    DROP,
    ahead_before_climbing,
    altitude_cost,
    highest_level,
    is_vtol,
    lowest_level,
    tight_turn,
    tight_turn_threshold,
)
from rulewright.systems.silhouette.maneuver.course_limits import aloft, clearance, ground_height, helpless
from rulewright.systems.silhouette.maneuver.piloting_tests import STEERING
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

SIDES = ((-1, "port"), (1, "starboard"))
GEAR = ("ground", "hover", "naval")
"""Terrain on which an aircraft can land."""


def flies(unit: Unit) -> bool:
    """Whether an aircraft is in the air and under control."""
    return aloft(unit) and unit.able and not helpless(unit)


def _begin_move(battle: Battle, unit: Unit, cost: int) -> Unit:
    """A unit that has begun to move and used so many Movement Points."""
    return replace(unit, points=points_of(battle, unit) if unit.points is None else unit.points, spent=unit.spent + cost, moved=True)


class Climb(Action):
    """Climbs: three Movement Points a level. A craft lighter than air rises one level a round for free."""

    kind = "climb"

    def levels(self, battle: Battle, unit: Unit) -> int:
        """How many levels it could climb now."""
        if not flies(unit) or unit.course.glide is not None:
            return 0
        scale = battle.place.air
        most = points_left(battle, unit) // (CLIMB * scale)
        ahead = ahead_before_climbing(unit.machine)
        if ahead:
            most = min(most, unit.hexes // (ahead * scale) - unit.course.climbed)
        if _is_lighter_than_air(unit) and not unit.course.climbed:
            most = max(1, most)
        return max(0, min(most, int(highest_level(unit.machine).value) - unit.altitude))

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        most = self.levels(battle, unit)
        if most:
            label = f"Climb from level {unit.altitude} ({CLIMB * battle.place.air} MP a level, {most} at most)"
            yield Option("climb", label, Deed(kind=self.kind, number=most), verb="move", manner=("climb",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        most = self.levels(battle, unit)
        levels = 1
        if most > 1:
            levels = yield from Choice(unit.voice, "How many levels?", Range(1, most), About(rules, battle, unit.name), "levels")
        free = 1 if _is_lighter_than_air(unit) and not unit.course.climbed else 0
        cost = altitude_cost(levels - free)
        after = _begin_move(battle, unit, int(cost.value) * battle.place.air)
        after = replace(after, altitude=unit.altitude + levels, course=replace(unit.course, climbed=unit.course.climbed + levels))
        yield from Tell(Moved(unit.name, f"climbs to level {after.altitude}", (cost.reason,), known_to=witnesses(rules, battle, unit)))
        return battle.put(after)


def _is_lighter_than_air(unit: Unit) -> bool:
    return unit.machine.has("lighter-than-air") is not None


class Descend(Action):
    """Descends: one Movement Point a level. Half the Combat Speed or more is a dive, which the pilot must pull out of."""

    kind = "descend"

    def levels(self, battle: Battle, unit: Unit) -> int:
        """How many levels it could descend now."""
        if not flies(unit):
            return 0
        lowest = lowest_level(unit.machine, is_vtol(unit.machine))
        return max(0, min(points_left(battle, unit) // (DROP * battle.place.air), clearance(battle, unit) - lowest))

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        most = self.levels(battle, unit)
        if most:
            combat = max(1, combat_speed(unit, battle.place))
            dives = -(-combat // 2) - unit.course.down
            words = f"; {max(1, dives)} or more is a dive" if dives <= most * battle.place.air else ""
            label = f"Descend from level {unit.altitude} ({DROP * battle.place.air} MP a level, {most} at most{words})"
            yield Option("descend", label, Deed(kind=self.kind, number=most), verb="move", manner=("descend",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        most = self.levels(battle, unit)
        levels = 1
        if most > 1:
            levels = yield from Choice(unit.voice, "How many levels down?", Range(1, most), About(rules, battle, unit.name), "levels")
        cost = altitude_cost(-levels)
        spent = int(cost.value) * battle.place.air
        after = _begin_move(battle, unit, spent)
        after = replace(after, altitude=unit.altitude - levels, course=replace(unit.course, down=unit.course.down + spent))
        dive = is_dive(after.course.down, combat_speed(unit, battle.place))
        words = f"{'dives' if dive else 'descends'} to level {after.altitude}"
        yield from Tell(Moved(unit.name, words, (cost.reason,), known_to=witnesses(rules, battle, unit)))
        return battle.put(after)


class Tighter(Action):
    """Turns a hexside before the turn radius is flown: tests the pilot and everyone's Fitness."""

    kind = "tight turn"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.hexes or not flies(unit) or points_left(battle, unit) < 1 or unit.pace == "stationary":
            return
        radius = turning_radius(rules, battle, unit)
        flown = unit.course.straight
        if not radius or flown >= radius:
            return
        threshold = tight_turn_threshold(radius, flown).value
        for side, name in SIDES:
            deed = Deed(kind=self.kind, number=side)
            label = f"Turn tightly to {name} after {flown} of {count(radius, 'hex')} straight on (Piloting and Fitness against {threshold})"
            yield Option(f"tight turn to {name}", label, deed, verb="move", manner=("tight turn", name))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        radius = turning_radius(rules, battle, unit)
        unit = _begin_move(battle, unit, 0)
        battle = battle.put(unit)
        protected = unit.machine.has("acceleration protection") is not None
        low = hugs_ground(battle, unit)
        fit = pilots_fitness(unit)
        turn = yield from tight_turn(rules, pilot_of(rules, unit), fit, radius, unit.course.straight, protected, low, unit.voice)
        yield from came_to("does it" if turn.made else "fails", STEERING, unit.voice)
        if turn.made:
            facing = (unit.facing + deed.number) % 6
            unit = replace(unit, facing=facing, turns=unit.turns + 1, course=replace(unit.course, straight=0))
            words = f"turns tightly and faces {hexes.DIRECTIONS[facing]}"
            yield from Tell(Moved(unit.name, words, known_to=witnesses(rules, battle, unit)))
        if turn.actions:
            unit = replace(unit, stunned=unit.stunned + turn.actions)
            yield from Tell(Moved(unit.name, "loses an action to the acceleration"))
        if turn.blackout:
            unit = replace(unit, course=replace(unit.course, dazed=True))
            yield from Tell(Moved(unit.name, "has nobody conscious at the controls until the round ends"))
        battle = battle.put(unit)
        return (yield from out_of_control(rules, battle, unit.name, turn.slip)) if turn.slip is not None else battle


def pilots_fitness(unit: Unit) -> int:
    """The Fitness of the pilot: of a character at the controls, otherwise of an average crew."""
    return next((rider.fitness for rider in unit.able_riders if rider.seat == "crew"), 0)


class Slide(Action):
    """A sideslip: one hex ahead to the left or right without a change of heading."""

    kind = "sideslip"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.hexes or not flies(unit) or points_left(battle, unit) < 1:
            return
        for side, name in SIDES:
            there = hexes.neighbour((int(unit.x), int(unit.y)), (unit.facing + side) % 6)
            if battle.field.on_map(there) and ground_height(battle, (float(there[0]), float(there[1]))) < unit.altitude:
                deed = Deed(kind=self.kind, number=side)
                label = f"Sideslip to {name}, into {hexes.label(there)} (1 MP)"
                yield Option(f"slip to {name}", label, deed, verb="move", manner=("sideslip", name))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        begun = _begin_move(battle, unit, 0)
        return (yield from slipped(rules, battle.put(begun), begun, deed.number, 1))


class Land(Action):
    """Lands: plainly on even ground at Combat Speed, otherwise a crash-landing."""

    kind = "land"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not flies(unit) or clearance(battle, unit) > 1 or (not unit.moved and not is_vtol(unit.machine)):
            return
        landing = _landing(rules, battle, unit)
        words = "Land" if landing.plain else f"Crash-land ({landing.why})"
        yield Option("land", f"{words} here", Deed(kind=self.kind), verb="move", manner=("land",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        landing = _landing(rules, battle, unit)
        speed = unit.spent // battle.place.air
        down = replace(grounded(battle, unit), done=True, moved=True)
        if landing.plain:
            yield from Tell(Moved(unit.name, "lands", known_to=witnesses(rules, battle, unit)))
            return battle.put(down)
        cost = _ground_cost(rules, battle, unit)
        pilot = pilot_of(rules, unit)
        damage = yield from crash_landing(rules, pilot, maneuver_of(battle, unit).value, cost, unit.machine.size, max(1, speed), unit.voice)
        return (yield from harmed(rules, battle.put(down), down, damage, "crash-lands"))


def _ground_cost(rules: Ruleset, battle: Battle, unit: Unit) -> int:
    """The movement cost of the ground below for wheels, floats or skirts; the worst there is if nothing could stand there."""
    kinds = [way for way in GEAR if unit.machine.way(way) is not None] or ["ground"]
    costs = [cost_table(rules, unit.machine, way)[battle.field.terrain(unit.spot)] for way in kinds]
    return min([cost for cost in costs if cost is not None], default=4)


def _landing(rules: Ruleset, battle: Battle, unit: Unit):  # type: ignore[no-untyped-def]
    fast = unit.speed == "top" or unit.shifting == "top"
    gear = not any(way in unit.wear.failed for way in GEAR)
    heavy = any(perk.name == "off-road ability" for perk in unit.machine.perks)
    strip = unit.machine.has("requires airstrip") is None or battle.field.terrain(unit.spot) == "road"
    return can_land(_ground_cost(rules, battle, unit), not fast, gear, heavy, strip or is_vtol(unit.machine))


class TakeOff(Action):
    """Takes off: at once if it hovers, otherwise after rolling at its Stall Speed."""

    kind = "take off"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        air = unit.machine.way("air")
        on_ground = unit.course.landed or (unit.way in GEAR and air is not None)
        if air is None or not on_ground or not unit.able or unit.switched or "air" in unit.wear.failed:
            return
        rolled = unit.spent * battle.cell / 250 if unit.way in GEAR else 0
        if can_take_off(rolled, 0 if is_vtol(unit.machine) else air.stall):
            yield Option("take off", "Take off", Deed(kind=self.kind), verb="move", manner=("take off",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        level = total("altitude", term("the ground", ground_height(battle, unit.spot)), term("a level", 1), rule="sil-5.2.2-ground-air")
        course = replace(unit.course, landed=False, straight=0)
        after = replace(unit, way="air", altitude=int(level.value), course=course, switched=True, moved=True)
        air = unit.machine.way("air")
        after = replace(after, spent=max(after.spent, int(air.stall) * battle.place.air if air is not None else 0))
        yield from Tell(Moved(unit.name, "takes off", (level.reason,), known_to=witnesses(rules, battle, unit)))
        return battle.put(replace(after, points=max(after.spent, combat_speed(after, battle.place))))


class Soar(Action):
    """An unpowered glider looks for thermals, once a round."""

    kind = "thermals"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if flies(unit) and unit.course.glide is not None and unit.machine.has("glider") is not None and not unit.course.climbed:
            yield Option("ride thermals", "Look for thermals (Piloting against 5)", Deed(kind=self.kind), verb="move", manner=("climb",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        levels = yield from ride_thermals(rules, pilot_of(rules, unit), unit.voice)
        course = replace(unit.course, climbed=max(1, levels))
        after = min(unit.altitude + levels, int(highest_level(unit.machine).value))
        sum_ = total("altitude", term("before", unit.altitude), term("thermals", after - unit.altitude))
        yield from Tell(Moved(unit.name, f"soars to level {after}" if levels else "finds no thermals", (sum_.reason,)))
        return (yield from touch_ground(rules, battle.put(replace(unit, altitude=after, course=course, moved=True)), unit.name))


FLYING: tuple[Action, ...] = (Climb(), Descend(), Tighter(), Slide(), Land(), TakeOff(), Soar())
