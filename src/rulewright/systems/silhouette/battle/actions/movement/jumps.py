"""Jumping over obstacles, where gravity is low enough to matter on a map (book lines 4441-4445)."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Option, Play, Scale, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.damage.collisions import fall_short
from rulewright.systems.silhouette.battle.movement.movement import points_of
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.maneuver.ground_paths import rig_of
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.turns import jump, jump_distance
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

LANDS = Scale(("falls short", "lands"), ("lands",), "lands", "lands")
HOPED = 2
"""A jump is offered if the pilot could make it with this margin."""
ANGLE: Literal[45] = 45
"""The angle of the longest jump."""


class Jump(Action):
    """Jumps straight ahead over obstacles; only walkers jump without a ramp, and once a round."""

    kind = "jump"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.jumped or not battle.hexes or unit.spent < 1 or unit.machine.way("walker") is None or "walker" in unit.wear.failed:
            return
        pull = battle.place.gravity - _thrust(unit)
        if pull <= 0 or unit.pace in ("stationary", "half"):
            return
        for many in range(1, int(jump_distance(rules, unit.spent + HOPED, ANGLE, pull).value // battle.cell) + 1):
            spot = _hex_ahead(unit, many)
            if _can_land(rules, battle, unit, spot):
                label = f"Jump {count(many, 'hex')} ahead ({hexes.label((int(spot[0]), int(spot[1])))})"
                yield Option(f"jump {many}", label, Deed(kind=self.kind, number=many, spot=spot), verb="move", manner=("jump",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        assert deed.spot is not None
        pool = pool_of(rules, unit, "piloting", maneuver_of(battle, unit))
        result = yield from jump(rules, pool, unit.spent, ANGLE, battle.place.gravity, _thrust(unit), unit.voice)
        lands = result.metres >= deed.number * battle.cell
        words = f"jumps {result.metres:.0f} m" + ("" if lands else "and falls short")
        yield from Tell(Tested(unit.name, words, result.test, "sil-5.2.1-jumping", "plain" if lands else "bad"))
        yield from came_to("lands" if lands else "falls short", LANDS, unit.voice)
        if lands:
            return battle.put(replace(unit, x=deed.spot[0], y=deed.spot[1], hexes=unit.hexes + deed.number, jumped=True, turned=False))
        unit = replace(unit, jumped=True, spent=max(unit.spent, points_of(battle, unit)))
        yield from Tell(Broken(unit.name, "runs into the obstacle"))
        return (yield from fall_short(rules, battle.put(unit), unit, result.speed))


def _thrust(unit: Unit) -> float:
    """The part of gravity that rockets cancel, in g: a tenth for each Movement Point in space."""
    way = unit.machine.way("space")
    return 0.0 if way is None or way.type in unit.wear.failed else round(0.1 * float(way.combat), 2)


def _hex_ahead(unit: Unit, many: int) -> tuple[float, float]:
    spot = (int(unit.x), int(unit.y))
    for _ in range(many):
        spot = hexes.neighbour(spot, unit.facing)
    return float(spot[0]), float(spot[1])


def _can_land(rules: Ruleset, battle: Battle, unit: Unit, spot: tuple[float, float]) -> bool:
    costs = dict(rig_of(rules, battle, unit).costs)
    there = (int(spot[0]), int(spot[1]))
    return battle.field.on_map(there) and costs.get(battle.field.terrain(there)) is not None and holds(battle, unit, spot)
