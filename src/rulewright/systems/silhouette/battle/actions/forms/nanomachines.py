"""Nanomachine actions: stretching morphable material over several hexes, drawing it together, and absorbing
what the machine touches (book lines 4027-4045)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.grammar import count, figure
from rulewright.play import Choice, Option, Play, Range, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term, total
from rulewright.systems.silhouette.battle.actions.base import About, Action, Deed, action_cost
from rulewright.systems.silhouette.battle.damage.zones import entered
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.forms.absorption import GROUND, absorb, kilograms_per_round, left_of, within_touch
from rulewright.systems.silhouette.battle.forms.stretch import lies_well, longest, outstretched
from rulewright.systems.silhouette.battle.sensors.sightings import witnesses
from rulewright.systems.silhouette.maneuver.course_limits import aloft
from rulewright.systems.silhouette.maneuver.stacking import footprint, holds
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_MORPHING = "sil-4.3.9-nano-morphable"
ACTIVITY = "material absorption or morphing"
TURNS = ((0, "ahead"), (90, "to the right"), (180, "behind"), (270, "to the left"))
"""Directions to stretch in on open ground, in degrees off its front."""


class Stretch(Action):
    """Stretches morphable material in one direction, over as many hexes as its Size allows. It is a change of shape and takes an
    action. The unit occupies, sees from, fires from and can be hit in each of these hexes. It cannot move until it draws together
    (ruling)."""

    kind = "stretch"
    activity = ACTIVITY

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.morphs or unit.shape.stretched or unit.speed == "top" or aloft(unit) or unit.signs.held:
            return
        if actions_left(rules, unit) < self.costs(rules):
            return
        most = int(longest(battle, unit).value)
        for along, words in directions(battle, unit):
            far = next((many - 1 for many in range(2, most + 1) if not lies_well(rules, battle, outstretched(unit, many, along))), most)
            if far > 1:
                label = f"Stretch {words}, over up to {count(far, 'hex')} ({count(self.costs(rules), 'action')})"
                deed = Deed(kind=self.kind, what=words, number=far, facing=along)
                yield Option(f"stretch {words}", label, deed, verb="gear", manner=("stretch", words))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        many, most = deed.number, longest(battle, unit)
        if many > 2:
            question = f"Over how many hexes does {unit.name} stretch, including its own?"
            many = yield from Choice(unit.voice, question, Range(2, many), About(rules, battle, unit.name), "stretch")
        after = outstretched(replace(unit, used=unit.used + self.costs(rules)), many, deed.facing or 0)
        if unit.points is not None:
            after = replace(after, points=unit.spent)  # a unit that has begun to move goes no farther this round
        battle = battle.put(after)
        words = f"stretches {deed.what} over {count(many, 'hex')}"
        known = tuple(dict.fromkeys([*witnesses(rules, battle, unit), *witnesses(rules, battle, after)]))
        yield from Tell(Announced(unit.name, words, (most.reason,), known_to=known))
        yield from Tell(Stands(battle))
        for spot in footprint(after, battle.hexes)[1:]:
            battle = yield from self._enter_hex(rules, battle, unit, spot)
        return battle

    def _enter_hex(self, rules: Ruleset, battle: Battle, unit: Unit, spot: Spot) -> Play[Battle]:
        """Apply the effects of a hex to a unit that flows into it, as if it had driven in."""
        if not battle.unit(unit.name).able:
            return battle
        battle = yield from entered(rules, battle.change(unit.name, x=spot[0], y=spot[1]), unit.name)
        return battle.change(unit.name, x=unit.x, y=unit.y)


def directions(battle: Battle, unit: Unit) -> Iterator[tuple[int, str]]:
    """The directions in which a unit can stretch, with their names."""
    if battle.hexes:
        yield from enumerate(hexes.DIRECTIONS)
        return
    for off, words in TURNS:
        yield (unit.facing + off) % 360, words


class DrawTogether(Action):
    """Draws a stretched unit together in its first or last hex, for an action."""

    kind = "draw together"
    activity = ACTIVITY

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.shape.stretched or actions_left(rules, unit) < self.costs(rules):
            return
        spots = footprint(unit, battle.hexes)
        for key, spot in (("draw together", spots[0]), ("draw together at the far end", spots[-1])):
            there = outstretched(replace(unit, x=spot[0], y=spot[1]), 1, 0)
            if holds(battle, there, spot):
                label = f"Draw together at {place_label(battle, spot)} ({count(self.costs(rules), 'action')})"
                yield Option(key, label, Deed(kind=self.kind, spot=spot), verb="gear", manner=("draw together", place_label(battle, spot)))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        assert deed.spot is not None
        after = outstretched(replace(unit, x=deed.spot[0], y=deed.spot[1], used=unit.used + self.costs(rules)), 1, 0)
        if deed.spot != unit.spot:
            gone = len(footprint(unit, battle.hexes)) - 1
            after = replace(after, hexes=unit.hexes + gone, moved=True, points=unit.spent)  # that was its move for this round (ruling)
        cost = total("Actions", term("reshaping", action_cost(rules, ACTIVITY)), rule=_MORPHING)
        known = witnesses(rules, battle, unit)
        battle = battle.put(after)
        known = tuple(dict.fromkeys([*known, *witnesses(rules, battle, after)]))
        yield from Tell(Announced(unit.name, f"draws together at {place_label(battle, deed.spot)}", (cost.reason,), known_to=known))
        yield from Tell(Stands(battle))
        return battle


class Absorb(Action):
    """Absorbs what the machine touches, once a round and for an action: a wreck, an object or the ground. Undamaged
    systems of a wreck work for the machine once it is absorbed completely."""

    kind = "absorb"
    activity = ACTIVITY

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if not unit.machine.absorption or unit.signs.absorbed or actions_left(rules, unit) < self.costs(rules):
            return
        for source in within_touch(rules, battle, unit):
            left = left_of(rules, battle, source)
            kg = kilograms_per_round(unit, left).value
            of = f" of {figure(left)}" if left is not None else ""
            label = f"Absorb {source}: {figure(kg)}{of} kg ({count(self.costs(rules), 'action')})"
            whose = source if source != GROUND else ""
            deed = Deed(kind=self.kind, what=source, number=int(left is not None))
            yield Option(f"absorb {source}", label, deed, verb="special", target=whose, manner=("absorb", source))

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        signs = replace(unit.signs, absorbed=True)
        battle = battle.put(replace(unit, used=unit.used + self.costs(rules), signs=signs))
        return (yield from absorb(rules, battle, unit.name, deed.what))


def place_label(battle: Battle, spot: Spot) -> str:
    """A place in words: a hex label, or coordinates."""
    return hexes.label((int(spot[0]), int(spot[1]))) if battle.hexes else f"{spot[0]:g}, {spot[1]:g}"


NANOMACHINES = (Stretch(), DrawTogether(), Absorb())
