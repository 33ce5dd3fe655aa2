"""Suppressive fire (book lines 5002-5033)."""

from collections.abc import Iterable

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending
from rulewright.systems.ore.drama.determination import speed_of
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.events import FireReady, Readied
from rulewright.systems.ore.fight.feats.effects import rating_of, trait
from rulewright.systems.ore.fight.resolution.gunfire import can_suppress, under_suppression
from rulewright.systems.ore.gear.firearms import suppressing
from rulewright.systems.ore.resolution.tests import Mod, Pool


def base_dice(rules: Ruleset, fighter: Fighter) -> int:
    """The base dice of suppressive fire: two, more with feats, or the skill rating."""
    given = trait(rules, fighter, "suppress")
    if "skill and spray" in given:
        return max(BASE, *[rating_of(rules, fighter, skill) for skill in ("long arms", "ballistics")])
    return BASE + given.amount("base dice")


BASE = 2


class Suppress(Action):
    """Suppressive fire: two dice plus Spray Rating; targets dive for cover or face the fire."""

    kind, label = "suppress", "Suppressive fire"
    verb = "special"
    alone, targeted, exposes, with_weapon, own_dice = True, False, True, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if me.armed and me.loaded and foes and can_suppress(rules, me.weapon):
            yield Declarable(self.kind, self.label, (Act(self.kind, mode="suppressive"),))

    def rolls(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Pending | None]:
        """Rolls the fire; it has the Speed of its widest set or of a single die."""
        spray, base = fighter.weapon.spray, base_dice(rules, fighter)
        pool = Pool(base).plus(Mod("Spray Rating", spray, "ore-4.09d-suppressive-fire"))
        yield Tell(Readied(fighter.name, "suppressive fire", pool, base + spray))
        lying = yield from suppressing(rules, spray, fighter.name, base)
        width, height = lying[0]
        speed = speed_of(rules, width, height)
        yield Tell(FireReady(fighter.name, lying, speed, rules.word("speed")))
        return Pending(fighter.name, act, width, height, speed, lying, off=fighter.hand == "off", place=1)

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        yield Tell(Happened(pending.who, "uses suppressive fire"))
        return (yield from under_suppression(rules, fight, pending))
