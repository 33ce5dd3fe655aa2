"""What Command Points buy in a unit's own turn."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.play import Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.detection.messages import ordered
from rulewright.systems.silhouette.gunnery.attacks import can_command, spend_point
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Order(Action):
    """Buys one more action for a Command Point, without a penalty; offered once all others are used."""

    kind = "order"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.evading and actions_left(rules, unit) == 0 and can_command(battle, unit):
            yield Option("one more action", "Spend a Command Point: one more action", Deed(kind=self.kind), verb="special")

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        if not (yield from ordered(rules, battle, unit)):
            return spend_point(battle, unit)
        yield from Tell(Announced(unit.name, "gets one more action for a Command Point", known_to=names_of(battle, unit.side)))
        battle = spend_point(battle, unit)
        after = battle.unit(unit.name)
        return battle.put(replace(after, ordered=after.ordered + 1))
