"""Machines change their form in a battle: once a turn for nothing, then for an action each (book lines 3957-3961); what is of morphable
material for an action each time, and may take its own form anew (line 4043)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, term, total
from rulewright.systems.silhouette.battle.actions.base import Action, Deed, action_cost
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.machines.special import transformation_actions
from rulewright.systems.silhouette.maneuver.course_limits import aloft
from rulewright.systems.silhouette.maneuver.terrain import cost_table
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.forms import in_form, reformed
from rulewright.systems.silhouette.units.nanomachine_state import gathered
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit, mounts

_MORPHING = "sil-4.3.9-nano-morphable"


class Change(Struct, frozen=True, gc=False):
    """What one more change of form takes this turn: actions, and why so many."""

    actions: int
    reason: Reason


def change_of(rules: Ruleset, unit: Unit) -> Change:
    """The actions of one more change: the first of a turn is free, unless it is of morphable material."""
    if unit.machine.morphs:
        shaping = total("Actions", term("taking shape anew", action_cost(rules, "material absorption or morphing")), rule=_MORPHING)
        return Change(int(shaping.value), shaping.reason)
    now, after = transformation_actions(unit.transformed), transformation_actions(unit.transformed + 1)
    return Change(int(after.value - now.value), after.reason)


def mended(unit: Unit) -> str:
    """What is told besides where morphable material takes another shape, and something of it was damaged."""
    return ": nothing of it is damaged any more but its Armor" if unit.machine.morphs and reformed(unit) != unit else ""


def aftereffects(rules: Ruleset, battle: Battle, before: Unit, after: Unit) -> Play[Battle]:
    """What a unit's systems have begun goes on where its other form has them too: what they have laid or sent off, and whom they drag. Of
    a system that it has no longer whatever was laid or sent off goes dead, and whoever was dragged is let go (ruling)."""
    places = {name: at for at, (name, _) in enumerate(mounts(after.machine))}
    new = {at: places.get(name) for at, (name, _) in enumerate(mounts(before.machine))}
    fuses, dead = [], []
    for fuse in battle.scars.fuses:
        at = new[fuse.arm] if fuse.by == before.name else fuse.arm
        dead += [fuse.weapon] if at is None else []
        fuses += [replace(fuse, arm=at)] if at is not None else []
    known = witnesses(rules, battle, after)
    for weapon in dead:
        yield from Tell(Announced(after.name, f"has no {weapon} any more: what it has laid or sent off is dead", known_to=known))
    if tuple(fuses) != battle.scars.fuses:
        battle = replace(battle, scars=replace(battle.scars, fuses=tuple(fuses)))
    for unit in battle.units:
        hauled = unit.signs.hauled
        if hauled is None or hauled[0] != before.name:
            continue
        push = hauled[1] < 0
        at = new[-hauled[1] - 1 if push else hauled[1]]
        if at is None:
            yield from Tell(Announced(unit.name, f"is dragged by {after.name} no longer", known_to=witnesses(rules, battle, unit)))
        entry = None if at is None else (hauled[0], -at - 1 if push else at, hauled[2])
        battle = battle.change(unit.name, signs=replace(unit.signs, hauled=entry))
    return battle


class Transform(Action):
    """Another form: on the ground, or where the other flies too; a flyer stands on the ground until it takes off. Morphable material takes
    its own form anew where something of it is damaged besides Armor; a change that goes one way is not undone in a battle."""

    kind = "transform"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.forms:
            return
        cost = change_of(rules, unit).actions
        if actions_left(rules, unit) < cost or (unit.machine.change == "one-way" and unit.primary):
            return
        if unit.machine.morphs and reformed(unit) != unit:
            label = f"Take shape anew: nothing is damaged but Armor ({cost} action)"
            yield Option("take shape anew", label, Deed(kind=self.kind, what=unit.machine.name), verb="gear", manner=("form", "anew"))
        for form in unit.machine.forms:
            after = in_form(unit, form.name)
            if self._possible(rules, battle, unit, after):
                label = f"Change into {form.name}{f' ({cost} action)' if cost else ''}"
                yield Option(
                    f"change into {form.name}", label, Deed(kind=self.kind, what=form.name), verb="gear", manner=("form", form.name)
                )

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
        change = change_of(rules, unit)
        if deed.what == unit.machine.name:
            return (yield from self._anew(rules, battle, unit, change))
        after = in_form(unit, deed.what)
        after = replace(after, used=unit.used + change.actions, transformed=unit.transformed + 1, speed="combat", shifting="")
        if after.way == "air" and not aloft(unit):
            after = replace(after, altitude=0, course=replace(after.course, landed=True))
        elif after.way != "air":
            after = replace(after, altitude=0, course=replace(after.course, landed=False))
        if unit.points is not None:
            after = replace(after, points=unit.spent)  # who has begun to move goes no farther this round
        yield from Tell(
            Announced(unit.name, f"changes into {deed.what}{mended(unit)}", (change.reason,), known_to=witnesses(rules, battle, unit))
        )
        battle = yield from aftereffects(rules, battle.put(replace(after, shape=gathered(after.shape))), unit, after)
        yield from Tell(Stands(battle))
        return battle

    def _anew(self, rules: Ruleset, battle: Battle, unit: Unit, change: Change) -> Play[Battle]:
        """It takes the form again that it has, without the damage."""
        yield from Tell(Announced(unit.name, f"takes shape anew{mended(unit)}", (change.reason,), known_to=witnesses(rules, battle, unit)))
        after = replace(reformed(unit), used=unit.used + change.actions, transformed=unit.transformed + 1)
        battle = battle.put(replace(after, shape=gathered(after.shape)))
        yield from Tell(Stands(battle))
        return battle
