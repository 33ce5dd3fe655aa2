"""Combining machines into one and splitting them again; costs the same as a change of form (book lines 3935-3943)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.actions.forms.transformation import change_of, price_note
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
    """Splits a combined machine into its components, each with its own crew."""

    kind = "split"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.components or unit.split or unit.speed == "top" or aloft(unit):
            return
        cost = change_of(rules, unit).actions  # like a change of form, the first is free (ruling)
        if actions_left(rules, unit) >= cost and spots_for(rules, battle, unit) is not None:
            label = f"Split into {count(len(unit.machine.components), 'machine')}{price_note(cost)}"
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
    """Combines all components beside the caller into the combined machine."""

    kind = "combine"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if unit.part is None or unit.section:
            return
        whole = battle.unit(unit.part.of)
        cost = change_of(rules, unit).actions
        if actions_left(rules, unit) < cost or not self._can_combine(rules, battle, unit, whole):
            return
        over = without_seat(whole, components(battle, whole)).value
        left = f"; {over} of the crew {'stay' if over > 1 else 'stays'} behind on foot for lack of a seat" if over else ""
        label = f"Combine into {whole.name}{price_note(cost)}{left}"
        deed = Deed(kind=self.kind, target=whole.name)
        yield Option(f"combine into {whole.name}", label, deed, verb="gear", manner=("form", whole.name))

    def _can_combine(self, rules: Ruleset, battle: Battle, unit: Unit, whole: Unit) -> bool:
        """Whether the units can combine here: every component is able and adjacent, every named character has a seat, the others have
        ground to stand on, and there is room and passable terrain. A machine broken apart by an Overkill cannot combine before it is
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
        yield from Tell(Announced(whole.name, f"combines from {names}", (change.reason,), known_to=known))
        over = without_seat(whole, components(battle, whole))
        if over.value:
            words = f"has no seat for {over.value} of the crew, who {'stay' if over.value > 1 else 'stays'} behind on foot"
            yield from Tell(Announced(whole.name, words, (over.reason,), known_to=known))
        after = replace(unit, used=unit.used + change.actions, transformed=unit.transformed + 1)
        battle = come_together_at(battle.put(after), whole, after)
        if lost := battle.unit(whole.name).wear.armor - whole.wear.armor:
            yield from Tell(Announced(whole.name, f"loses {lost} more Armor for the damage to its components", known_to=known))
        yield from Tell(Stands(battle))
        return battle
