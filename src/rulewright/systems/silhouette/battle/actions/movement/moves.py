"""Movement: to a place, to Top Speed and back, with another movement type, off the field; and ending the turn."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.play import Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, harmless
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.movement.destinations import from_edge, goals, goes_somewhere, positions
from rulewright.systems.silhouette.battle.movement.movement import dragging, facing_name, go, least_points, points_left, points_of, route
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, may_shift_up, points_after_switch, top_speed
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

GROUND = ("walker", "ground", "hover", "rail")
"""Movement types on the ground."""


class Move(Action):
    """Moves to a place. A few useful destinations are options; the question accepts any other within reach."""

    kind = "move"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        for goal in goals(rules, battle, unit):
            deed = Deed(kind=self.kind, spot=goal.spot, facing=goal.facing, what="back" if goal.backward else "")
            yield Option(goal.key, goal.label, deed, verb="move", target=goal.target, manner=(goal.manner,))

    def some(self, rules: Ruleset, battle: Battle, unit: Unit) -> bool:
        fresh = not unit.hexes and not unit.pace  # it will be asked where to, so that all places are worked out at once
        return bool(goals(rules, battle, unit)) if fresh else goes_somewhere(rules, battle, unit)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        return (yield from go(rules, battle, unit, deed))


class Position(Action):
    """Takes a position at short, medium or long range of the nearest enemy, by the unit's farthest-reaching weapon."""

    kind = "position"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        for goal in positions(rules, battle, unit, farthest_ranges(unit)):
            deed = Deed(kind=self.kind, spot=goal.spot, facing=goal.facing)
            yield Option(goal.key, goal.label, deed, verb="move", target=goal.target, manner=(goal.manner,))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        return (yield from go(rules, battle, unit, deed))


def farthest_ranges(unit: Unit) -> tuple[Figure, ...]:
    """Short, medium and long range of the weapon that reaches farthest, of those that work; empty without one."""
    working = [unit.version(arm) for arm in distinct(unit) if not harmless(unit, arm)]
    return max([version.ranges[:3] for version in working if version.ranges], key=lambda ranges: ranges[-1], default=())


class Face(Action):
    """Turns on the spot to any facing: a hexside is free, more cost a Movement Point (lines 4435-4437)."""

    kind = "face"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.turned or unit.section or unit.way == "space" or not unit.way or least_points(battle, unit) > 0:
            return
        for facing in range(6) if battle.hexes else range(0, 360, 60):
            result = route(rules, battle, unit, unit.spot, facing=facing) if facing != unit.facing else None
            if result is not None and not result.hexes:
                where = facing_name(battle, facing)
                deed = Deed(kind=self.kind, spot=unit.spot, facing=facing)
                yield Option(f"turn {where}", f"Turn to face {where} ({result.cost} MP)", deed, verb="move", manner=("turn", where))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        return (yield from go(rules, battle, unit, deed))


class Shift(Action):
    """Shifts to Top Speed after using all Movement Points of Combat Speed, or back. It is declared after the move, for the next round."""

    kind = "shift"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.shifting or not unit.moved or unit.way == "space":
            return
        combat, top = combat_speed(unit, battle.place), top_speed(unit, battle.place)
        if dragging(battle, unit) != "any":
            top = combat
        if unit.speed != "top" and top > combat and may_shift_up(unit.spent, combat) and unit.pace in ("", "combat") and not unit.switched:
            deed = Deed(kind=self.kind, what="top")
            yield Option(
                "shift to top",
                f"Shift up to Top Speed ({top} MP from the next round, attacks at -3)",
                deed,
                verb="move",
                manner=("Top Speed",),
            )
        if unit.speed == "top" and unit.spent > 0:
            deed = Deed(kind=self.kind, what="combat")
            yield Option(
                "shift to combat",
                f"Slow down to Combat Speed ({combat} MP from the next round)",
                deed,
                verb="move",
                manner=("Combat Speed",),
            )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        yield from Tell(Announced(unit.name, f"{'shifts up to Top' if deed.what == 'top' else 'slows down to Combat'} Speed"))
        return battle.change(unit.name, shifting=deed.what)


class SwitchWay(Action):
    """Changes to another movement type, once a round and never at Top Speed. Movement Points left in this round are kept."""

    kind = "change way"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.switched or unit.speed == "top" or unit.shifting == "top" or unit.way not in GROUND:
            return
        for way in unit.machine.ways:
            if way.type != unit.way and way.type in GROUND and not way.unpowered and way.type not in unit.wear.failed:
                yield Option(f"change to {way.type}", f"Change to {way.type} movement", Deed(kind=self.kind, what=way.type), verb="move")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        left = points_after_switch(points_of(battle, unit), unit.spent, unit.speed == "top", unit.switched)
        yield from Tell(Announced(unit.name, f"changes from {unit.way} to {deed.what} movement", (left.reason,)))
        return battle.change(unit.name, way=deed.what, switched=True, points=points_of(battle, unit))


class Leave(Action):
    """Leaves the field over the edge of the map."""

    kind = "leave"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not battle.hexes or points_left(battle, unit) < 1 or unit.tows:
            return
        ahead = hexes.neighbour((int(unit.x), int(unit.y)), unit.facing)
        aim = next((objective for objective in battle.place.objectives if objective.side == unit.side), None)
        edge = aim is None or not aim.edge or from_edge(battle, (int(unit.x), int(unit.y)), aim.edge) == 0
        if not battle.field.on_map(ahead) and edge:
            yield Option("leave the field", "Leave the field for good", Deed(kind=self.kind), verb="move")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        yield from Tell(Announced(unit.name, "leaves the field"))
        return battle.put(replace(unit, gone=True, done=True, moved=True))


class Done(Action):
    """Ends the turn; at Top Speed only after moving far enough, or if no path is left."""

    kind = "done"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if least_points(battle, unit) > 0 and Move().some(rules, battle, unit):
            return
        yield Option("done", "End turn", Deed(kind=self.kind), verb="other")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        if least_points(battle, unit) > 0:
            yield from Tell(Announced(unit.name, "finds no path at Top Speed and slows down"))
            unit = replace(unit, shifting="combat")
        return battle.put(replace(unit, done=True))
