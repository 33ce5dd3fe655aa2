"""Defences: dodging, parrying, holding an arm, fending off (book lines 5348, 5378-5382, 4831)."""

from collections.abc import Iterable

from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.cover import can_dodge
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending
from rulewright.systems.ore.combat.reach import parry_reach_dice
from rulewright.systems.ore.combat.two_weapons import hand_dice
from rulewright.systems.ore.fight.actions.attacks import can_strike
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.resolution.tests import Mod

NO_MOD = Mod("", 0)


def _hand(fighter: Fighter) -> Mod:
    return hand_dice("off" if fighter.hand == "off" else "primary", fighter.profile.ambidextrous)


class Dodge(Action):
    """Coordination and Dodge against blows, and against shots if allowed."""

    kind, label, did = "dodge", "Dodge", "dodges"
    verb, pool, athletic = "guard", "dodge", True
    counters = True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return () if me.downed else (self.one(),)

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        if own.who != attack.act.target or attack.act.kind in ("close in", "power"):
            return False
        return can_dodge(rules, weapon.kind, fight.fighter(own.who).profile.coordination)


class Parry(Action):
    """Parries with a weapon, a shield or an armoured arm."""

    kind, label, did = "parry", "Parry", "parries"
    verb = "guard"
    counters, with_weapon = True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.interposes else ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        place = fighter.in_hand if fighter.weapon.close else 0  # with a shield or a forearm beside a weapon that is none for it
        return Attempt(fighter.profile.parries[place].plus(_hand(fighter), _parry_reach(rules, fight, fighter)))

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        return own.who == attack.act.target and attack.act.kind != "close in" and weapon.close


def _parry_reach(rules: Ruleset, fight: Fight, fighter: Fighter) -> Mod:
    """The parry bonus for Reach against the longest declared weapon (ruling)."""
    against = [plan.who for plan in fight.plans if any(act.target == fighter.name for act in plan.acts) and fight.group(plan.who) is None]
    reaches = [weapon.reach for weapon in [fight.fighter(name).weapon for name in against] if weapon.close]
    return parry_reach_dice(rules, fighter.weapon.reach, max(reaches)) if reaches else NO_MOD


class Hold(Action):
    """Grabs an arm: the set counters its action."""

    kind, label, did = "hold", "Hold", "holds on"
    verb, pool = "guard", "wrestle"
    counters = True

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return can_strike(me, foe) and me.weapon.close and foe.person and foe.close_in

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        return own.act.target == attack.who and weapon.close


class FendOff(Action):
    """Keeps an opponent from closing in with a longer weapon."""

    kind, label, did = "fend off", "Fend off attempts to close in", "fends off"
    verb = "guard"
    counters, with_weapon = True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if me.armed and me.weapon.close and any(foe.person and not foe.close_in for foe in foes):
            yield self.one()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(fighter.profile.attacks[fighter.in_hand].plus(_hand(fighter)))

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        return own.who == attack.act.target and attack.act.kind == "close in" and weapon.close
