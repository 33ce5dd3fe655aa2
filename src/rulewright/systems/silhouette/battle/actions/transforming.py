"""Machines change their form in a battle: once a turn for nothing, then for an action each (book lines 3957-3961)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.play import Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.seen import witnesses
from rulewright.systems.silhouette.machines.special import transformation_actions
from rulewright.systems.silhouette.maneuver.courses import aloft
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.forms import in_form
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Transform(Action):
    """Another form: on the ground, or where the other flies too; a flyer stands on the ground until it takes off."""

    kind = "transform"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.forms:
            return
        cost = self._cost(unit)
        if actions_left(rules, unit) < cost:
            return
        for form in unit.machine.forms:
            after = in_form(unit, form.name)
            if self._possible(rules, battle, unit, after):
                label = f"Change into {form.name}{f' ({cost} action)' if cost else ''}"
                yield Option(
                    f"change into {form.name}", label, Deed(kind=self.kind, what=form.name), verb="gear", manner=("form", form.name)
                )

    def _cost(self, unit: Unit) -> int:
        return int(transformation_actions(unit.transformed + 1).value - transformation_actions(unit.transformed).value)

    def _possible(self, rules: Ruleset, battle: Battle, unit: Unit, after: Unit) -> bool:
        """Whether the other form can be where the unit is: in the air only what flies, and on ground that it can go over."""
        if aloft(unit) and after.way != "air":
            return False
        if after.way in ("space", "submarine") and after.way != unit.way:
            return False
        if after.way == "air":
            return battle.hexes
        return (
            not after.way
            or cost_table(rules, after.machine, after.way, battle.place.atmosphere)[battle.field.terrain(unit.spot)] is not None
        )

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        changes = transformation_actions(unit.transformed + 1)
        after = in_form(unit, deed.what)
        after = replace(after, used=unit.used + self._cost(unit), transformed=unit.transformed + 1, speed="combat", shifting="")
        if after.way == "air" and not aloft(unit):
            after = replace(after, altitude=0, course=replace(after.course, landed=True))
        elif after.way != "air":
            after = replace(after, altitude=0, course=replace(after.course, landed=False))
        if unit.points is not None:
            after = replace(after, points=unit.spent)  # who has begun to move goes no farther this round
        yield from Tell(Announced(unit.name, f"changes into {deed.what}", (changes.reason,), known_to=witnesses(rules, battle, unit)))
        battle = battle.put(after)
        yield from Tell(Stands(battle))
        return battle
