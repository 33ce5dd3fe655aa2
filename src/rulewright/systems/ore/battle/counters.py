"""Counter dice between sets (book lines 463-473, 5879-5901)."""

from msgspec.structs import replace

from rulewright.play import Choice, Play, Range, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.base import action_of
from rulewright.systems.ore.battle.combatants import Battle, Situation, Waiting
from rulewright.systems.ore.battle.events import SCALE_OF_TRIES
from rulewright.systems.ore.drama.determination import in_time
from rulewright.systems.ore.fight.events import Countered
from rulewright.systems.ore.resolution.contests import spoiled_at


def answers(rules: Ruleset, battle: Battle, attack: Waiting) -> tuple[Waiting, ...]:
    """The sets that can counter another: fast enough, high enough and of the right kind."""
    waitings = []
    for candidate in battle.waiting:
        reaches = candidate.height >= attack.height and in_time(rules, candidate.speed, attack.speed)
        if reaches and battle.can_act(candidate.post) and _of_a_kind(battle, attack, candidate):
            waitings.append(candidate)
    return tuple(waitings)


def _of_a_kind(battle: Battle, attack: Waiting, own: Waiting) -> bool:
    """Whether a set counters another: evasion of the target, fighters for their side, Chase and Escape against each other."""
    if own.order.kind not in action_of(attack.order).answered_by or battle.unit(own.post.craft).side == battle.unit(attack.post.craft).side:
        return False
    if own.order.kind == "defend":
        fighter = battle.unit(attack.post.craft).machine.manoeuvrable or attack.order.kind == "lock-on"
        return fighter and _side_aimed_at(battle, attack) == battle.unit(own.post.craft).side
    if own.order.kind == "chase":
        return own.order.target == attack.post.craft
    return own.post.craft == attack.order.target


def _side_aimed_at(battle: Battle, attack: Waiting) -> str:
    person = battle.person(attack.order.target)
    return person.side if person is not None else battle.unit(attack.order.target).side


def countered(rules: Ruleset, battle: Battle, attack: Waiting, against: str = "") -> Play[tuple[Battle, int]]:
    """The Width left after counter dice; 0 if the set is spoiled. `against` limits the counters to one vehicle."""
    width, spoiled = attack.width, spoiled_at(rules)
    for own in answers(rules, battle, attack):
        if against and own.post.craft != against:
            continue
        useful = min(own.width, max(width - spoiled, 1))
        spent = useful
        if _has_other_uses(battle, own):
            ask = f"How many dice of your {own.width}x{own.height} do you spend against the {width}x{attack.height} of {attack.post.craft}?"
            spent = yield from Choice[int](own.post.who, ask, Range(0, useful), Situation(battle, own.post, rules), "counter")
        if not spent:
            continue
        left = replace(own, width=own.width - spent)
        keeps = left.width > (1 if not own.counters else 0)
        waiting = [left if candidate is own else candidate for candidate in battle.waiting if candidate is not own or keeps]
        battle = replace(battle, waiting=tuple(waiting))
        yield Tell(Countered(battle.voice(own.post), action_of(own.order).did, spent, own.width, (width, attack.height), width - spent))
        if not keeps and not own.counters:
            yield from came_to("comes off", SCALE_OF_TRIES, own.post.who)  # a Chase that holds an Escape, or is shaken off
        width -= spent
        if width <= spoiled:
            return battle, 0
    return battle, width


def _has_other_uses(battle: Battle, own: Waiting) -> bool:
    """Whether the dice have another use: another attack, or their own action."""
    if not own.counters:
        return True
    coming = [candidate for candidate in battle.waiting if candidate is not own and not candidate.counters]
    return any(_of_a_kind(battle, candidate, own) for candidate in coming)
