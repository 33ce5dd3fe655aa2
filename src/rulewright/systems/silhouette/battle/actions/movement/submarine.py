"""Submarine actions besides moving: changing depth, flushing tanks and braking hard."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.battle.movement.movement import points_left, points_of
from rulewright.systems.silhouette.battle.movement.watercraft import bottom, safe_depth
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.maneuver.course_limits import spent_before
from rulewright.systems.silhouette.maneuver.water import CHANGE, braking_noise, depth_cost, speeds_after
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Depth(Action):
    """Rises or dives one level for two Movement Points."""

    kind = "depth"

    def most(self, battle: Battle, unit: Unit, down: bool) -> int:
        """How many levels it could go now."""
        if unit.way != "submarine" or unit.course.surfacing or not unit.able:
            return 0
        points = points_left(battle, unit) // CHANGE
        if not down:
            return min(points, -unit.altitude)
        return 0 if unit.course.flushed else max(0, min(points, bottom(battle, unit.spot) + unit.altitude))

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        for down, key, words in ((True, "dive", "Dive"), (False, "rise", "Rise")):
            most = self.most(battle, unit, down)
            if most:
                safe = f", safe to {safe_depth(unit)}" if down else ""
                label = f"{words} from depth {-unit.altitude} ({CHANGE} MP a level, {most} at most{safe})"
                yield Option(key, label, Deed(kind=self.kind, what=key, number=most), verb="move", manner=(key,))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        down = deed.what == "dive"
        most = self.most(battle, unit, down)
        levels = 1
        if most > 1:
            levels = yield from Choice(unit.voice, "How many levels?", Range(1, most), About(rules, battle, unit.name), "levels")
        cost = depth_cost(levels)
        points = points_of(battle, unit) if unit.points is None else unit.points
        altitude = unit.altitude + (-levels if down else levels)
        after = replace(unit, altitude=altitude, spent=unit.spent + int(cost.value), points=points, moved=True)
        words = f"{'dives' if down else 'rises'} to depth {-altitude}"
        yield from Tell(Moved(unit.name, words, (cost.reason,), known_to=witnesses(rules, battle, unit)))
        return battle.put(after)


class Flush(Action):
    """Emergency surfacing: rises three levels every round, and no dive until the tanks are restored."""

    kind = "flush"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.way == "submarine" and unit.altitude < 0 and not unit.course.surfacing:
            label = "Flush the tanks: rise three levels every round, no more dives for a long time"
            yield Option("emergency surfacing", label, Deed(kind=self.kind), verb="move", manner=("surface",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        yield from Tell(Moved(unit.name, "flushes its tanks", known_to=witnesses(rules, battle, unit)))
        return battle.put(replace(unit, course=replace(unit.course, surfacing=True)))


class CrashBrake(Action):
    """Brakes by up to twice the Inertia, which is audible."""

    kind = "crash-brake"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.way != "submarine" or unit.course.braking:
            return
        speeds = speeds_after(spent_before(unit), unit.machine.size, points_of(battle, unit))
        if speeds.braking < speeds.least and unit.spent < speeds.least:
            noise = braking_noise(spent_before(unit), max(speeds.braking, unit.spent), unit.machine.size).value
            label = f"Crash-brake: at least {speeds.braking} MP instead of {speeds.least} (up to -{noise} Concealment)"
            yield Option("crash-brake", label, Deed(kind=self.kind), verb="move", manner=("brake",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        speeds = speeds_after(spent_before(unit), unit.machine.size, points_of(battle, unit))
        noise = braking_noise(spent_before(unit), max(speeds.braking, unit.spent), unit.machine.size)
        words = f"brakes hard: Concealment -{noise.value}"
        yield from Tell(Moved(unit.name, words, (noise.reason,), known_to=witnesses(rules, battle, unit)))
        return battle.put(replace(unit, course=replace(unit.course, braking=True, noise=int(noise.value))))


DIVING: tuple[Action, ...] = (Depth(), Flush(), CrashBrake())
