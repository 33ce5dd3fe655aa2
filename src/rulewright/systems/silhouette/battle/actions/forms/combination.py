"""Machines combine into one, or one comes apart into its components: like a change of form (book lines 3935-3943)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.play import Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.actions.forms.transformation import change_of
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.forms.splitting_machines import (
    NEAR,
    apart_words,
    can_drop,
    come_apart_at,
    come_together_at,
    components,
    spots_for,
)
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.maneuver.course_limits import aloft
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.terrain import cost_table, distance
from rulewright.systems.silhouette.units.combined import seats_named, without_seat
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Split(Action):
    """A combined machine comes apart into its components, each with its own crew."""

    kind = "split"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.components or unit.split or unit.speed == "top" or aloft(unit):
            return
        cost = change_of(rules, unit).actions  # as of a machine that changes its form, the first is free (ruling)
        if actions_left(rules, unit) >= cost and spots_for(rules, battle, unit) is not None:
            label = f"Come apart into {len(unit.machine.components)} machines{f' ({cost} action)' if cost else ''}"
            yield Option("come apart", label, Deed(kind=self.kind), verb="gear", manner=("form", "apart"))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        change = change_of(rules, unit)
        spots = spots_for(rules, battle, unit) or {}
        known = witnesses(rules, battle, unit)
        yield from Tell(Announced(unit.name, apart_words(battle, unit), (change.reason,), known_to=known))
        unit = replace(unit, used=unit.used + change.actions, transformed=unit.transformed + 1)
        battle = come_apart_at(battle.put(unit), unit, spots)
        yield from Tell(Stands(battle))
        return battle


class Combine(Action):
    """All components that are beside whoever calls them join into the combined machine."""

    kind = "combine"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.part is None or unit.section:
            return
        whole = battle.unit(unit.part.of)
        cost = change_of(rules, unit).actions
        if actions_left(rules, unit) < cost or not self._possible(rules, battle, unit, whole):
            return
        over = without_seat(whole, components(battle, whole)).value
        left = f"; {over} without a seat {'stay' if over > 1 else 'stays'} behind on foot" if over else ""
        label = f"Combine into {whole.name}{f' ({cost} action)' if cost else ''}{left}"
        deed = Deed(kind=self.kind, target=whole.name)
        yield Option(f"combine into {whole.name}", label, deed, verb="gear", manner=("form", whole.name))

    def _possible(self, rules: Ruleset, battle: Battle, unit: Unit, whole: Unit) -> bool:
        """Whether the combined machine can be where the unit is: every component able and beside it, a seat for everybody who has a name
        and ground to stand on for whoever else has none, room and ground. What an Overkill has broken apart is not whole again before it
        is repaired (ruling)."""
        parts = components(battle, whole)
        if whole.destroyed or not whole.split or not seats_named(whole, parts):
            return False
        if without_seat(whole, parts).value and not can_drop(rules, battle, unit):
            return False
        if not all(part.able and part.speed != "top" and not aloft(part) and not part.tows for part in parts):
            return False
        if any(distance(battle.field, unit.spot, candidate.spot) > NEAR or candidate.altitude != unit.altitude for candidate in parts):
            return False
        others = battle
        for part in parts:
            others = others.change(part.name, gone=True)
        there = replace(whole, gone=False, x=unit.x, y=unit.y, facing=unit.facing, altitude=unit.altitude)
        ground = battle.field.terrain(unit.spot)
        fits = (
            not whole.way or whole.way == "air" or cost_table(rules, whole.machine, whole.way, battle.place.atmosphere)[ground] is not None
        )
        return fits and holds(others, there, unit.spot)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        whole = battle.unit(deed.target)
        change = change_of(rules, unit)
        known = witnesses(rules, battle, unit)
        names = ", ".join([component.name for component in components(battle, whole)])
        yield from Tell(Announced(whole.name, f"comes together from {names}", (change.reason,), known_to=known))
        over = without_seat(whole, components(battle, whole))
        if over.value:
            words = f"has no seat for {over.value}, who {'stay' if over.value > 1 else 'stays'} behind on foot"
            yield from Tell(Announced(whole.name, words, (over.reason,), known_to=known))
        after = replace(unit, used=unit.used + change.actions, transformed=unit.transformed + 1)
        battle = come_together_at(battle.put(after), whole, after)
        if lost := battle.unit(whole.name).wear.armor - whole.wear.armor:
            yield from Tell(Announced(whole.name, f"lacks {lost} Armor more, which its parts have lost", known_to=known))
        yield from Tell(Stands(battle))
        return battle
