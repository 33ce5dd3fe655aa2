"""A single declaration as a small state for caching.

Many fights share the same declaration: the same fighter with the same weapons against the same enemies.
"""

from functools import partial

from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.scene import Focus
from rulewright.systems.ore.combat.fighters import Fight, Fighter
from rulewright.systems.ore.fight.initiative import order_of, rolls_initiative
from rulewright.systems.ore.fight.rounds import begun, declaration, make_ready
from rulewright.systems.ore.harm.body import AnyBody, fresh
from rulewright.systems.ore.lab_view.anonymised import hindered_like


def focus(rules: Ruleset, fight: Fight) -> Focus[Fight] | None:
    """The next declaration reduced to the fighter and able enemies; None if it depends on more.

    Friends, earlier declarations, the round number and most facts about enemies cannot affect the options or a local tactic.
    """
    if fight.groups or not fight.bare:
        return None
    if fight.phase == "begin":
        if fight.round == 0 and (fight.ground.parley or rolls_initiative(rules)):
            return None
        fight = begun(fight, order_of(rules, fight))
    if fight.phase != "declare":
        return None
    me = fight.fighter(fight.order[0])
    if fight.powers or me.profile.powers:
        return None
    name, side = me.profile.name, me.profile.side
    shown = [_declaring(me)]
    for other in fight.fighters:
        if other.profile.side == side:
            if other.held_by == name:
                return None
        elif other.able:
            shown.append(_seen(rules, other))
        elif other.held_by == name:
            return None
    if fight.floor:
        return None
    small = Fight(fight.ground, tuple(shown), phase="declare", order=(name,), edition=fight.edition)
    last = len(fight.order) == 1
    return Focus(small, partial(declaration, rules), partial(_put_back, fight, me), partial(make_ready, rules) if last else None)


@cached(50_000)
def _declaring(me: Fighter) -> Fighter:
    return replace(me, body=hindered_like(me.body), initiative=(0, 0), tripped=0, afraid=0)


@cached(50_000)
def _seen(rules: Ruleset, other: Fighter) -> Fighter:
    return Fighter(
        other.profile,
        _whole(rules, other.profile.body),
        in_hand=other.in_hand,
        cover=other.cover,
        metres=other.metres,
        held_by=other.held_by,
        close_to=other.close_to,
    )


@cached(1_000)
def _whole(rules: Ruleset, statistic: int) -> AnyBody:
    return fresh(rules, statistic)


def _put_back(fight: Fight, before: Fighter, after: Fight) -> Fight:
    """Restores the full fight after the declaration."""
    declared = after.fighters[0]
    if declared.worn != before.worn:
        before = replace(before, worn=declared.worn)
        fight = fight.put(before)
    if declared.drama != before.drama:
        fight = fight.put(replace(before, body=replace(before.body, drama=declared.drama)))
    return replace(fight, order=fight.order[1:], plans=(*fight.plans, *after.plans))
