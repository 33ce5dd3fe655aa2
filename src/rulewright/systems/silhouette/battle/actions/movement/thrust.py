"""Spacecraft actions besides drifting: overthrust and normal thrust."""

from collections.abc import Iterator

from rulewright.play import Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, may_shift_up, top_speed
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Overthrust(Action):
    """More thrust for twice the reaction mass; declared after the move, like Top Speed (ruling)."""

    kind = "overthrust"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.way != "space" or unit.shifting or not unit.moved or not unit.able:
            return
        combat, top = combat_speed(unit, battle.place), top_speed(unit, battle.place)
        if unit.speed != "top" and top > combat and may_shift_up(unit.spent, combat):
            label = f"Overthrust ({top} MP from the next round, two Burn Points for each, attacks at -3)"
            yield Option("overthrust", label, Deed(kind=self.kind, what="top"), verb="move", manner=("overthrust",))
        if unit.speed == "top":
            label = f"Back to normal thrust ({combat} MP from the next round)"
            yield Option("usual thrust", label, Deed(kind=self.kind, what="combat"), verb="move", manner=("thrust",))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        yield from Tell(Announced(unit.name, "switches to overthrust" if deed.what == "top" else "returns to normal thrust"))
        return battle.change(unit.name, shifting=deed.what)


THRUSTING: tuple[Action, ...] = (Overthrust(),)
