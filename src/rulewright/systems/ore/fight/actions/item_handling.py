"""Handling items: drawing, picking up, reloading; putting out a fire (book lines 5364, 4950, 5227-5253)."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, apart, where
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me
from rulewright.systems.ore.fight.powers.active import ended
from rulewright.systems.ore.fight.resolution.gunfire import ENDLESS, one_handed, reloads, with_weapon_of
from rulewright.systems.ore.fight.resolution.movement import goes, steps_towards, walk_metres
from rulewright.systems.ore.harm.over_time import remedied


class Draw(Action):
    """Draws a weapon: an action without a roll."""

    kind, label, did = "draw", "Draw", "draws"
    verb = "gear"
    rolled, plain, foreseen = False, True, True
    where: ClassVar[str] = ""
    """The hand, for the log."""

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            for place in foe.others:
                weapon = me.weapons[place]
                if me.armed and (foe.near or not weapon.close):
                    acts = (Act("draw", weapon=place), Act("attack", foe.name))
                    yield Declarable(f"draw+attack:{weapon.name}:{foe.name}", f"Draw {the(weapon.name)} and attack {foe.name}", acts)
        for place in me.there:
            name = me.weapons[place].name
            label = f"{self.label} {the(name)}" if place else f"Fight with {name}"
            yield Declarable(f"draw:{name}", label, (Act("draw", weapon=place),))

    def told(self, fighter: Fighter, act: Act) -> str:
        name = fighter.profile.weapons[act.weapon].name
        return f"{self.did} {the(name)}{self.where}" if act.weapon else f"fights with {name}"

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(in_hand(rules, fighter, act.weapon))


def in_hand(rules: Ruleset, fighter: Fighter, place: int) -> Fighter:
    """The fighter with another weapon in hand; a two-handed one leaves no off-hand weapon."""
    keeps = fighter.off_hand != place and one_handed(rules, fighter, place)
    lost = tuple([number for number in fighter.lost if number != place])
    return replace(fighter, in_hand=place, lost=lost, off_hand=fighter.off_hand if keeps else 0)


class DrawSecond(Draw):
    """Draws a second weapon into the off-hand."""

    kind, label, did = "draw second", "Draw", "draws"
    where = " with the other hand"

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for place in me.second:
            name = me.weapons[place].name
            yield Declarable(f"draw second:{name}", f"{self.label} {the(name)}{self.where}", (Act(self.kind, weapon=place),))

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.put(replace(fighter, off_hand=act.weapon))


class PickUp(Action):
    """Picks up a weapon from the floor, including a short walk."""

    kind, label, did = "pick up", "Pick up", "picks up"
    verb = "gear"
    rolled, plain = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for place, name in me.lying:
            yield Declarable(f"pick up:{name}", f"{self.label} {the(name)}", (Act(self.kind, steps=place),))

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        yield from ()
        lies = fight.floor[act.steps]
        return replace(act, target=lies.owner, weapon=lies.place, steps=0)

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return picked_up(rules, fight, fighter, act) or fight

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        lies = next((dropped for dropped in fight.floor if (dropped.owner, dropped.place) == (act.target, act.weapon)), None)
        if lies is not None:
            steps = steps_towards(fight, fighter.name, where(lies), walk_metres(rules, fighter))
            fight = yield from goes(fight, fighter.name, steps)
        after = picked_up(rules, fight, fight.fighter(fighter.name), act)
        name = fight.fighter(act.target).profile.weapons[act.weapon].name
        yield Tell(Happened(fighter.name, f"{self.did} {the(name)}" if after is not None else f"cannot reach {the(name)} any more"))
        return after or fight


def picked_up(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight | None:
    """The fight after picking up; None if the weapon is gone or too far away."""
    lies = next((dropped for dropped in fight.floor if (dropped.owner, dropped.place) == (act.target, act.weapon)), None)
    if lies is None or apart(lies, fighter) > REACH + walk_metres(rules, fighter):
        return None
    fight = replace(fight, floor=tuple([dropped for dropped in fight.floor if dropped is not lies]))
    owner = fight.fighter(lies.owner)
    if owner.name == fighter.name:
        return fight.put(in_hand(rules, fighter, lies.place))
    fight = fight.put(replace(owner, taken=tuple(sorted({*owner.taken, lies.place}))))
    return fight.put(in_hand(rules, *with_weapon_of(rules, fighter, owner, lies.place)))


class Reload(Action):
    """Reloads or sets the weapon in hand."""

    kind, did = "reload", "reloads"
    verb = "gear"
    rolled, plain = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        weapon = me.weapon
        if me.armed and me.loaded != ENDLESS and me.loaded < weapon.magazine and me.can_reload:
            yield self.one(f"Reload {the(weapon.name)}")

    def told(self, fighter: Fighter, act: Act) -> str:
        return f"{self.did} {the(fighter.weapon.name)}"

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        alone = any(plan.who == fighter.name and len(plan.acts) == 1 for plan in fight.plans)
        after = reloads(rules, fighter)
        if fighter.profile.feats and alone:
            after = replace(after, marks=(*after.marks, ("loaded with care", "")))
        return fight.put(after)


class PutOut(Action):
    """Puts out the own fire."""

    kind, label, did = "put out the fire", "Put out the fire", "puts out the fire"
    rolled, plain, urgent = False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.burning else ()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        if fight.powers:
            fight = ended(fight, [power for power in fight.powers if power.on == fighter.name and power.word == "alight"])
        return fight.put(replace(fighter, body=remedied(fighter.body)))
