"""Changing form in a battle: the first change of a turn is free, each further one takes an action (book lines 3957-3961). Morphable
material always needs an action, and may also re-form into its present form (line 4043)."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import a, count
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
    """The cost of one more change of form this turn, and the reason."""

    actions: int
    reason: Reason


def change_of(rules: Ruleset, unit: Unit) -> Change:
    """The actions for one more change: the first of a turn is free, except for morphable material."""
    if unit.machine.morphs:
        shaping = total("Actions", term("reshaping", action_cost(rules, "material absorption or morphing")), rule=_MORPHING)
        return Change(int(shaping.value), shaping.reason)
    now, after = transformation_actions(unit.transformed), transformation_actions(unit.transformed + 1)
    return Change(int(after.value - now.value), after.reason)


def price_note(cost: int) -> str:
    """The actions of a change for an option label; empty if it is free."""
    return f" ({count(cost, 'action')})" if cost else ""


def mended(unit: Unit) -> str:
    """The log text for damage that morphable material repairs by changing shape; empty if there is none."""
    return ": all its damage except lost Armor is repaired" if unit.machine.morphs and reformed(unit) != unit else ""


def aftereffects(rules: Ruleset, battle: Battle, before: Unit, after: Unit) -> Play[Battle]:
    """Keep what a unit's systems have started if its new form has the same systems: charges, guided shots and dragged units.
    Charges and guided shots of lost systems go dead, and dragged units are released (ruling)."""
    places = {name: at for at, (name, _) in enumerate(mounts(after.machine))}
    new = {at: places.get(name) for at, (name, _) in enumerate(mounts(before.machine))}
    fuses, dead = [], []
    for fuse in battle.scars.fuses:
        at = new[fuse.arm] if fuse.by == before.name else fuse.arm
        dead += [fuse.weapon] if at is None else []
        fuses += [replace(fuse, arm=at)] if at is not None else []
    known = witnesses(rules, battle, after)
    for weapon in dead:
        yield from Tell(Announced(after.name, f"no longer has {a(weapon)}: its charges and guided shots are dead", known_to=known))
    if tuple(fuses) != battle.scars.fuses:
        battle = replace(battle, scars=replace(battle.scars, fuses=tuple(fuses)))
    for unit in battle.units:
        hauled = unit.signs.hauled
        if hauled is None or hauled[0] != before.name:
            continue
        push = hauled[1] < 0
        at = new[-hauled[1] - 1 if push else hauled[1]]
        if at is None:
            yield from Tell(Announced(unit.name, f"is no longer dragged by {after.name}", known_to=witnesses(rules, battle, unit)))
        entry = None if at is None else (hauled[0], -at - 1 if push else at, hauled[2])
        battle = battle.change(unit.name, signs=replace(unit.signs, hauled=entry))
    return battle


class Transform(Action):
    """Changes form: on the ground, or in the air if the other form flies too. A flying form stays on the ground until it takes off.
    Morphable material may re-form to repair everything but Armor. A one-way change cannot be undone in a battle."""

    kind = "transform"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.forms:
            return
        cost = change_of(rules, unit).actions
        if actions_left(rules, unit) < cost or (unit.machine.change == "one-way" and unit.primary):
            return
        if unit.machine.morphs and reformed(unit) != unit:
            label = f"Re-form: repair all damage except lost Armor ({count(cost, 'action')})"
            yield Option("take shape anew", label, Deed(kind=self.kind, what=unit.machine.name), verb="gear", manner=("form", "anew"))
        for form in unit.machine.forms:
            after = in_form(unit, form.name)
            if self._can_change(rules, battle, unit, after):
                label = f"Change into {form.name}{price_note(cost)}"
                yield Option(
                    f"change into {form.name}", label, Deed(kind=self.kind, what=form.name), verb="gear", manner=("form", form.name)
                )

    def _can_change(self, rules: Ruleset, battle: Battle, unit: Unit, after: Unit) -> bool:
        """Whether the other form can be where the unit is: a flyer in the air, passable terrain on the ground."""
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
            return (yield from self._re_form(rules, battle, unit, change))
        after = in_form(unit, deed.what)
        after = replace(after, used=unit.used + change.actions, transformed=unit.transformed + 1, speed="combat", shifting="")
        if after.way == "air" and not aloft(unit):
            after = replace(after, altitude=0, course=replace(after.course, landed=True))
        elif after.way != "air":
            after = replace(after, altitude=0, course=replace(after.course, landed=False))
        if unit.points is not None:
            after = replace(after, points=unit.spent)  # a unit that has begun to move goes no farther this round
        yield from Tell(
            Announced(unit.name, f"changes into {deed.what}{mended(unit)}", (change.reason,), known_to=witnesses(rules, battle, unit))
        )
        battle = yield from aftereffects(rules, battle.put(replace(after, shape=gathered(after.shape))), unit, after)
        yield from Tell(Stands(battle))
        return battle

    def _re_form(self, rules: Ruleset, battle: Battle, unit: Unit, change: Change) -> Play[Battle]:
        """Re-form into the present form, without the damage."""
        yield from Tell(Announced(unit.name, f"re-forms{mended(unit)}", (change.reason,), known_to=witnesses(rules, battle, unit)))
        after = replace(reformed(unit), used=unit.used + change.actions, transformed=unit.transformed + 1)
        battle = battle.put(replace(after, shape=gathered(after.shape)))
        yield from Tell(Stands(battle))
        return battle
