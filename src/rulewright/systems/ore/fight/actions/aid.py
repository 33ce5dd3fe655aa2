"""First aid in a fight: staunching, stabilising, putting out fires (book lines 4419, 4529, 5229)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import aid_pool
from rulewright.systems.ore.combat.abstract import stabilise
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Pending
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.harm.body import Abstract, AnyBody
from rulewright.systems.ore.harm.over_time import remedied
from rulewright.systems.ore.harm.wounds import staunched_one


class Treat(Action):
    """First aid for a patient in reach: a set staunches a Wound or stabilises a body (ruling: no Difficulty)."""

    kind, label, did = "treat", "Give first aid to", "treats"
    goal = "treated"
    verb = "help"
    targeted, begins, walks = False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for friend in me.friends:
            if friend.bleeds or friend.failing:
                yield self.at(friend.name)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(aid_pool(rules, fighter.profile.training.person()))

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        patient = fight.fighter(pending.act.target)
        if fight.distance(pending.who, patient.name) > REACH:
            yield Tell(Happened(pending.who, f"cannot reach {patient.name}"))
            return fight, ()
        body, what = treated(patient.body)
        yield Tell(Happened(pending.who, f"{what} {patient.name} with a {pending.width}x{pending.height}", "good"))
        return fight.put(replace(patient, body=body)), ()


def treated(body: AnyBody) -> tuple[AnyBody, str]:
    """A body after successful first aid, and the verb for the log."""
    if isinstance(body, Abstract) and not body.stabilised and (body.mauled or body.down_boxes or body.out_boxes):
        return stabilise(body), "stabilises"
    return staunched_one(body), "staunches a Wound of"


class Douse(Action):
    """Puts out the fire on another person: an action without a roll (ruling)."""

    kind, label, did = "douse", "Beat out the fire on", "beats out the fire on"
    verb, mood = "help", "good"
    rolled, walks = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for friend in me.friends:
            if friend.burning:
                yield self.at(friend.name)

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.change(act.target, body=remedied(fight.fighter(act.target).body))
