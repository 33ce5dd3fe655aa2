"""Towing: hitching and releasing machines (book lines 4447-4451)."""

from collections.abc import Iterator

from rulewright.play import Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.movement.movement import capacity_of, dragging, is_towed
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_ACTIVITY = "take in tow or let go"


class Tow(Action):
    """Hitches a machine of the own side that cannot move by itself, in the same or an adjacent hex."""

    kind = "tow"
    activity = _ACTIVITY

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.tows or not unit.machine.ways or unit.speed == "top" or actions_left(rules, unit) < self.costs(rules):
            return
        for other in battle.units:
            if other.side != unit.side or other.name == unit.name or other.gone or other.section:
                continue
            if distance(battle.field, unit.spot, other.spot) > 1:
                continue
            stuck = not other.able or all(way.type in other.wear.failed for way in other.machine.ways)
            if stuck and not is_towed(battle, other):
                yield Option(
                    f"tow {other.name}",
                    f"Take {other.name} in tow",
                    Deed(kind=self.kind, target=other.name),
                    verb="help",
                    target=other.name,
                )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = battle.change(unit.name, tows=deed.target, used=unit.used + self.costs(rules))
        speed = {"any": "at any speed", "combat": "at Combat Speed at most", "half": "at half speed at most", "none": "but cannot move it"}
        words = f"takes {deed.target} in tow, {speed[dragging(battle, battle.unit(unit.name))]}"
        yield from Tell(Announced(unit.name, words, (capacity_of(unit).reason,)))
        return battle


class LetGo(Action):
    """Releases the towed machine."""

    kind = "let go"
    activity = _ACTIVITY

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.tows and actions_left(rules, unit) >= self.costs(rules):
            yield Option(f"let go {unit.tows}", f"Release {unit.tows} from tow", Deed(kind=self.kind), verb="other", target=unit.tows)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        yield from Tell(Announced(unit.name, f"releases {unit.tows} from tow"))
        return battle.change(unit.name, tows="", used=unit.used + self.costs(rules))
