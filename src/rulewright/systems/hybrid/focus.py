"""A decision by itself: of a whole fight, what somebody depends on who stands before an enemy, and what is begun put back.

Many fights hold the same decision: somebody with this weapon in hand, shaken or not, next to somebody like that.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from math import hypot

from msgspec.structs import replace

from rulewright.encounter import Focus, someone_of
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.clock import COUNTS_A_SECOND
from rulewright.systems.hybrid.fighters import REACH, Fight, Fighter, Profile
from rulewright.systems.hybrid.injury import BLEEDING_COUNTS, Body


def focus(rules: Ruleset, fight: Fight, play: Callable[[Fight], Play[Fight]]) -> Focus[Fight] | None:
    """The decision of the only one who is due next, with nobody else but the nearest enemy; None where anything else may come of it
    than a blow that is begun.

    That needs a weapon for melee in hand, an enemy within reach who does not wait for it, nobody who is held or wakes by the clock,
    and until then no wound that bleeds on and no other second. What is left out cannot matter to how long a blow takes: others,
    wounds and weariness, the count.
    """
    me = _due(fight)
    if me is None or rules.word("shock-ends") == "2d6+45 counts":
        return None
    foe = _nearest(fight, me)
    if foe is None or foe.waiting:
        return None
    if me.at > fight.count:
        if not _quiet(fight, me.at):
            return None
        fight = replace(fight, count=me.at)
    shown = _deciding(me)
    small = Fight(fight.ground, (shown, _standing(foe.profile, foe.in_hand)))
    return Focus(small, play, partial(_put_back, fight, me, foe, shown))


def _due(fight: Fight) -> Fighter | None:
    """Who is due by themselves, to decide and with a weapon in hand."""
    due, tied = None, False
    for one in fight.fighters:
        if not one.entered or one.holding:
            return None
        if one.body.awake:
            if due is None or one.at < due.at:
                due, tied = one, False
            elif one.at == due.at:
                tied = True
    if due is None or tied or due.doing is not None or due.bound_with or due.arm.use != "melee" or due.arm.name == "fist":
        return None
    return due


def _quiet(fight: Fight, now: int) -> bool:
    """Whether nothing but time passes until a count of the same second."""
    count = fight.count
    if now // COUNTS_A_SECOND != count // COUNTS_A_SECOND:
        return False
    for one in fight.fighters:
        for since in one.body.bleeding:
            if (now - since) // BLEEDING_COUNTS != (count - since) // BLEEDING_COUNTS:
                return False
    return True


def _nearest(fight: Fight, me: Fighter) -> Fighter | None:
    """The nearest enemy, if within reach."""
    nearest, least = None, 0.0
    side, x, y = me.profile.side, me.x, me.y
    for one in fight.fighters:
        if one.profile.side != side and one.body.awake:
            metres = hypot(x - one.x, y - one.y)
            if nearest is None or metres < least:
                nearest, least = one, metres
    return nearest if least <= REACH else None


@lru_cache(maxsize=1_000)
def _nameless(profile: Profile) -> Profile:
    name = someone_of(profile.side)
    return replace(profile, name=name, watcher=replace(profile.watcher, name=name), senses=replace(profile.senses, name=name))


@lru_cache(maxsize=50_000)
def _deciding(me: Fighter) -> Fighter:
    profile, body = _nameless(me.profile), me.body
    shown = Body(
        profile.name, mind=body.mind, pen=body.pen, men=body.men, shock=body.shock, shock_mental=body.shock_mental, prone=body.prone
    )
    return replace(
        me, profile=profile, body=shown, x=0.0, y=0.0, at=0, late=0, inside=(), fooled_by="", pace="no move", ward=0, ward_ends=0
    )


@lru_cache(maxsize=1_000)
def _standing(profile: Profile, in_hand: int) -> Fighter:
    shown = _nameless(profile)
    return Fighter(shown, Body(shown.name), x=1.0, at=1, in_hand=in_hand, entered=True, aware=True)


def _put_back(fight: Fight, me: Fighter, foe: Fighter, shown: Fighter, after: Fight) -> Fight:
    """The whole fight after the decision."""
    decided = after.fighters[0]
    doing = decided.doing
    assert doing is not None
    body, now = me.body, fight.count
    if decided.body != shown.body:
        body = replace(body, shock=decided.body.shock, shock_ends=decided.body.shock_ends)
    return fight.having(
        replace(
            decided,
            profile=me.profile,
            body=body,
            x=me.x,
            y=me.y,
            at=now + decided.at,
            late=me.late,
            inside=me.inside,
            ward=me.ward,
            ward_ends=me.ward_ends,
            doing=replace(doing, target=foe.profile.name if doing.target else "", began=now + doing.began),
        )
    )
