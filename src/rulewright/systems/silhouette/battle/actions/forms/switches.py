"""Switching shields on and off, and deploying concealed systems (book lines 9464, 9506-9510)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.gunnery.shields import shield_up
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Toggle(Action):
    """Switches an energy shield on or off, or folds a concealed system out or in. Each takes an action."""

    kind = "toggle"
    activity = "use one system"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for arm, state in enumerate(unit.arms):
            words = "" if state.broken else self._words(unit, arm)
            if words:
                name = unit.arm_name(arm)
                deed = Deed(kind=self.kind, arm=arm, what=words)
                yield Option(f"{words} {name}", f"{words.capitalize()} {the(name)}", deed, verb="gear", target=name)

    def _words(self, unit: Unit, arm: int) -> str:
        version = unit.version(arm)
        if version.perk("energy shield") is not None:
            return "switch off" if shield_up(unit, arm) else "switch on"
        hidden = version.perk("concealed")
        if hidden is not None and hidden[2] != "pop-up":
            return "fold in" if unit.arms[arm].switched else "fold out"
        return ""

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        state = unit.arms[deed.arm]
        after = replace(unit.with_arm(deed.arm, replace(state, switched=not state.switched)), used=unit.used + self.costs(rules))
        verb, _, way = deed.what.partition(" ")
        done = f"{'switches' if verb == 'switch' else 'folds'} {the(unit.arm_name(deed.arm))} {way}"
        yield from Tell(Announced(unit.name, done, known_to=witnesses(rules, battle, unit)))
        return battle.put(after)
