"""Actions on a map: running to a place, throwing at a place, doors."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.field.destinations import Door, doors_at_hand
from rulewright.grammar import the
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.attacks import Attempt, attempt
from rulewright.systems.ore.combat.fighters import Act, Dropped, Fight, Fighter, Pending, apart, facts_of
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.actions.moves import Run
from rulewright.systems.ore.fight.map_positions import choose_place, choose_target
from rulewright.systems.ore.fight.resolution.gunfire import dropped
from rulewright.systems.ore.fight.resolution.strikes import bursts, weapon_of
from rulewright.systems.ore.harm.body import legs

WIDEST = 5
"""The widest set assumed when planning a run."""


class RunTo(Run):
    """A run to a place: five metres without a roll, two more per point of Width."""

    kind, label, did = "run to", "Run to a place", "runs"

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.mapped and me.walk and not me.downed else ()

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        return (
            yield from choose_place(
                rules, fight, name, act, most=run_metres(rules, WIDEST, legs(fight.fighter(name).body)), doing="running"
            )
        )


class ThrowAt(Action):
    """Throws an explosive at a place: everybody within arm's length is in its area."""

    kind, label, did = "throw at", "Throw at a place", "throws"
    verb = "attack"
    targeted, exposes, with_weapon = False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        bursts_there = me.armed and me.weapon.area and me.weapon.kind == "thrown"
        return (self.one(f"Throw {the(me.weapon.name)} at a place"),) if me.mapped and bursts_there else ()

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        return (yield from choose_target(rules, fight, name, act))

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        facts = replace(facts_of(rules, fight, fighter, Act("attack")), metres=apart(fighter, Dropped("", 0, 0, act.to)))
        return attempt(rules, fighter.profile.attacks[fighter.in_hand], fighter.weapon, facts)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        weapon = weapon_of(rules, fight, pending)
        fight = yield from bursts(rules, fight, pending, pending.width, weapon)
        return dropped(fight, pending.who, pending.act.weapon or fight.fighter(pending.who).in_hand, pending.act.to or 0), ()


class TurnDoor(Action):
    """Opens or shuts a door in reach without a roll (ruling: an action like drawing)."""

    kind, label, did = "door", "Door", "is at the door"
    verb = "other"
    rolled, plain = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for name, opens in me.doors:
            door = Door(name, opens)
            yield Declarable(door.key, door.label, (Act(self.kind, skill=name),))

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        door = _door(fight, fighter, act)
        return fight.with_door(door) if door is not None else fight

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        door = _door(fight, fighter, act)
        if door is None:
            return fight
        yield Tell(Happened(fighter.name, door.told))
        return fight.with_door(door)


def _door(fight: Fight, fighter: Fighter, act: Act) -> Door | None:
    """A door in reach with its current state."""
    at_hand = doors_at_hand(fight.field, fighter.at) if fighter.at is not None else ()
    return next((door for door in at_hand if door.name == act.skill), None)
