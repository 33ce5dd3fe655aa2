"""Help for others: bandages, and a task on which theirs can build (book lines 1527-1545, 2819-2823, 3052)."""

from msgspec.structs import replace

from rulewright.play import Play, sub
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.events import happened
from rulewright.systems.foresight.combat.fighters import Action, Fight, Fighter
from rulewright.systems.foresight.combat.melee import open_arms
from rulewright.systems.foresight.fight.actions.base import ActionKind, Moment, Offers
from rulewright.systems.foresight.harm.body import CRITICAL, condition
from rulewright.systems.foresight.harm.medicine import bandage
from rulewright.systems.foresight.harm.recovery import sinks
from rulewright.systems.foresight.resolution.tests import Mod


def in_need(fight: Fight, one: Fighter) -> list[Fighter]:
    """Friends whose wounds get worse without bandages, and whom one knows of."""
    return [
        friend
        for friend in fight.fighters
        if friend.body.wounds >= CRITICAL
        and not friend.body.dead
        and not friend.body.bandaged
        and friend.profile.side == one.profile.side
        and friend.profile.name != one.profile.name
        and friend.profile.name not in one.unaware_of
    ]


def treatable(rules: Ruleset, fight: Fight, one: Fighter, other: Fighter) -> bool:
    """Whether somebody can bandage another, or themselves: at arm's length, one's own or helpless, and with a wound that may get worse."""
    body = other.body
    if body.wounds == 0 or body.dead or body.bandaged or not sinks(rules, body):
        return False
    return one.at(other) in ("close", "normal") and (other.profile.side == one.profile.side or other.out)


class Bandage(ActionKind):
    """First aid: so many concentrate actions in a row, then Search and dexterity; success helps against sinking."""

    kind, verb, counts_as, seen = "bandage", "help", "concentrate", "bandages"

    def offers(self, moment: Moment) -> Offers:
        rules, fight, one = moment.rules, moment.fight, moment.one
        if not open_arms(fight, one) or not _supplied(rules, one):
            return
        needed = rules.number("bandaging-actions")
        for other in fight.fighters:
            if other.body.wounds and treatable(rules, fight, one, other):
                done = one.concentrated if one.tending == other.name else 0
                label = "Bandage" if other is not one else "Bandage oneself:"
                yield self.at(other, label, note=f"{done} of {needed} actions")

    def possible(self, rules: Ruleset, fight: Fight, one: Fighter, action: Action) -> bool:
        return bool(open_arms(fight, one)) and treatable(rules, fight, one, fight.fighter(action.target))

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        one, other = fight.fighter(name), fight.fighter(action.target)
        done, needed = (one.concentrated if one.tending == other.name else 0) + 1, rules.number("bandaging-actions")
        whom = "their own wounds" if other is one else f"the wounds of {other.name}"
        yield from happened(fight, name, f"sees to {whom} ({done} of {needed} actions)")
        if done < needed:
            return fight.put(replace(one, tending=other.name, concentrated=done))
        fight, body = fight.put(replace(one, tending="", concentrated=0, helped=0)), other.body
        worn = condition(rules, one.body, open_arms(fight, one)[:1], concentration=True)
        search = (one.profile.search or one.profile.perception).plus(*condition(rules, one.body, concentration=True), *helped(one))
        deft = one.profile.dexterity.plus(Mod("one arm", one.profile.awkward, "fs-character-modifiers"), *worn)
        after = yield from sub(bandage, rules, body, search, deft, one.profile.medic, len(body.hurt) > 1, 0, name)
        return fight.put(replace(fight.fighter(other.name), body=after))


def helped(one: Fighter) -> tuple[Mod, ...]:
    """What the help of a friend adds to a task."""
    return (Mod("help", one.helped, "fs-qr-as-modifier"),) if one.helped else ()


def _supplied(rules: Ruleset, one: Fighter) -> bool:
    """Whether somebody has anything to bandage with: always, unless it has to be carried."""
    return one.profile.supplies or rules.word("bandages") == "anything at hand"
