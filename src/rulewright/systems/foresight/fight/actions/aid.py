"""Helping others: bandages, and tasks that help theirs (book lines 1527-1545, 2819-2823, 3052)."""

from msgspec.structs import replace

from rulewright.grammar import count
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


def in_need(fight: Fight, fighter: Fighter) -> list[Fighter]:
    """Friends whose wounds get worse without bandages, and whom one knows of."""
    return [
        friend
        for friend in fight.fighters
        if friend.body.wounds >= CRITICAL
        and not friend.body.dead
        and not friend.body.bandaged
        and friend.profile.side == fighter.profile.side
        and friend.profile.name != fighter.profile.name
        and friend.profile.name not in fighter.unaware_of
    ]


def treatable(rules: Ruleset, fight: Fight, fighter: Fighter, other: Fighter) -> bool:
    """Whether a person can bandage another, or themselves: at arm's length, one's own or helpless, and with a wound that may get worse."""
    body = other.body
    if body.wounds == 0 or body.dead or body.bandaged or not sinks(rules, body):
        return False
    return fighter.at(other) in ("close", "normal") and (other.profile.side == fighter.profile.side or other.out)


class Bandage(ActionKind):
    """First aid: so many concentrate actions in a row, then Search and dexterity; success helps against sinking."""

    kind, verb, counts_as, seen, aimed = "bandage", "help", "concentrate", "bandages", " "

    def offers(self, moment: Moment) -> Offers:
        rules, fight, fighter = moment.rules, moment.fight, moment.one
        if not open_arms(fight, fighter) or not _supplied(rules, fighter):
            return
        needed = rules.number("bandaging-actions")
        for other in fight.fighters:
            if other.body.wounds and treatable(rules, fight, fighter, other):
                done = fighter.concentrated if fighter.tending == other.name else 0
                label = "Bandage" if other is not fighter else "Bandage yourself:"
                yield self.at(other, label, note=f"{done} of {count(needed, 'action')}")

    def possible(self, rules: Ruleset, fight: Fight, item: Fighter, action: Action) -> bool:
        return bool(open_arms(fight, item)) and treatable(rules, fight, item, fight.fighter(action.target))

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        result, other = fight.fighter(name), fight.fighter(action.target)
        done, needed = (result.concentrated if result.tending == other.name else 0) + 1, rules.number("bandaging-actions")
        whom = "their own wounds" if other is result else f"the wounds of {other.name}"
        yield from happened(fight, name, f"bandages {whom} ({done} of {count(needed, 'action')})")
        if done < needed:
            return fight.put(replace(result, tending=other.name, concentrated=done))
        fight, body = fight.put(replace(result, tending="", concentrated=0, helped=0)), other.body
        worn = condition(rules, result.body, open_arms(fight, result)[:1], concentration=True)
        search = (result.profile.search or result.profile.perception).plus(
            *condition(rules, result.body, concentration=True), *helped(result)
        )
        deft = result.profile.dexterity.plus(Mod("one arm", result.profile.awkward, "fs-character-modifiers"), *worn)
        after = yield from sub(bandage, rules, body, search, deft, result.profile.medic, len(body.hurt) > 1, 0, name)
        return fight.put(replace(fight.fighter(other.name), body=after))


def helped(fighter: Fighter) -> tuple[Mod, ...]:
    """The modifier for the help of a friend in a task."""
    return (Mod("help", fighter.helped, "fs-qr-as-modifier"),) if fighter.helped else ()


def _supplied(rules: Ruleset, fighter: Fighter) -> bool:
    """Whether a person has anything to bandage with: always, unless it has to be carried."""
    return fighter.profile.supplies or rules.word("bandages") == "anything at hand"
