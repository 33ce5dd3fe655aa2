"""A turn by itself: of a whole fight, the part that one person's shots depend on, and what they change put back.

Many fights hold the same turn: somebody with these skills, as wounded, shoots at somebody like that. Seen by itself, without names
and places, it comes again and again, so that its odds can be remembered.
"""

from collections.abc import Callable
from functools import lru_cache
from math import hypot

from msgspec.structs import replace

from rulewright.encounter import Focus, someone_of
from rulewright.play import Play
from rulewright.systems.scumm.attacks import POINT_BLANK
from rulewright.systems.scumm.fighters import REACH, Fight, Fighter, Moment, Profile, Ranges
from rulewright.systems.scumm.patient import OPEN_ENDED
from rulewright.systems.scumm.turns import end_turn

OTHER = "somebody else"


def focus(fight: Fight, play: Callable[[Fight], Play[Fight]]) -> Focus[Fight] | None:
    """What is left of a turn with nobody but the one who acts and the nearest enemy; None where it may touch others, or come to blows.

    What is left out cannot matter to a shot: who they are, where they stand within the range band, allies, other enemies (of those
    who attacked the target before, their number is kept), and what only the target's own turn will ask for.
    """
    turn, queue = fight.turn, fight.queue
    if turn is not None:
        name = turn.name
    elif queue and not fight.ambush_open:
        name = queue[0][0]
    else:
        return None
    actor = fight.fighter(name)
    found = _nearest(fight, actor)
    if found is None:
        return None
    target, metres = found
    moment = fight.moment(name) if fight.frozen else None
    if actor.fumbled or not (actor.body if moment is None else moment.body).able:
        return None
    others = len(target.attacked_by) - (name in target.attacked_by)
    standing = _standing(target, others, metres)
    shown = (_acting(actor, target.profile.name, standing.profile.name), standing)
    called = shown[0].profile.name
    frozen: tuple[Moment, ...] = ()
    if moment is not None and (moment.body != actor.body or moment.in_hand != actor.in_hand or moment.grappling):
        frozen = (replace(moment, name=called, body=replace(moment.body, name=called)),)
    if turn is None:
        small = Fight(fight.ground, shown, 1, 50, ((called,),), frozen)
    else:
        small = Fight(fight.ground, shown, 1, 50, (), frozen, replace(turn, name=called))
    return Focus(small, play, lambda after: _put_back(fight, actor, target, small, after))


def _nearest(fight: Fight, actor: Fighter) -> tuple[Fighter, float] | None:
    """The nearest enemy and a distance as good as the true one, if nothing but a shot can be between the two.

    That needs a gun that reaches, nobody ready, hidden or grappled, nobody within reach, and no ground under fire.
    """
    ranges = actor.weapon.ranges
    if fight.zones or ranges is None or not actor.weapon.gun:
        return None
    nearest, least = None, 0.0
    side, x, y = actor.profile.side, actor.x, actor.y
    for fighter in fight.fighters:
        if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.grappling:
            return None
        body = fighter.body
        if body.unconscious == OPEN_ENDED:
            return None
        if fighter.profile.side != side and body.able:
            metres = hypot(fighter.x - x, fighter.y - y)
            if nearest is None or metres < least:
                nearest, least = fighter, metres
    if nearest is None or least <= REACH or least > ranges[2]:
        return None
    return nearest, _within(least, ranges)


def _within(metres: float, ranges: Ranges) -> float:
    """The farthest distance of the same range band."""
    if metres <= ranges[0]:
        return float(POINT_BLANK if metres <= POINT_BLANK else ranges[0])
    return float(ranges[1] if metres <= ranges[1] else ranges[2])


@lru_cache(maxsize=1_000)
def _nameless(profile: Profile) -> Profile:
    return replace(profile, name=someone_of(profile.side))


@lru_cache(maxsize=50_000)
def _acting(actor: Fighter, target: str, shown: str) -> Fighter:
    profile = _nameless(actor.profile)
    return replace(
        actor,
        profile=profile,
        body=replace(actor.body, name=profile.name),
        x=0.0,
        y=0.0,
        aim_at=_called(actor.aim_at, target, shown),
        initiative=0,
        initiative_modifier=0,
        attacked_by=(),
        free_strikes=0,
        shot_at=tuple([(at, _called(name, target, shown)) for at, name in actor.shot_at]),
        sprayed=tuple([(at, _called(name, target, shown)) for at, name in actor.sprayed]),
    )


def _called(name: str, target: str, shown: str) -> str:
    return shown if name == target else OTHER if name else ""


@lru_cache(maxsize=50_000)
def _standing(target: Fighter, others: int, metres: float) -> Fighter:
    count = len(target.ammo)
    profile = _nameless(target.profile)
    return replace(
        target,
        profile=profile,
        body=replace(target.body, name=profile.name),
        x=metres,
        y=0.0,
        aim_at=OTHER if target.aim_at else "",
        initiative=0,
        initiative_modifier=0,
        acts=0,
        fumbled=False,
        attacked_by=(OTHER,) * others,
        free_strikes=0,
        ammo=(0,) * count,
        jammed=(False,) * count,
        shot_at=(),
        sprayed=(),
        pinned=False,
        rose=False,
    )


def _put_back(fight: Fight, actor: Fighter, target: Fighter, small: Fight, after: Fight) -> Fight:
    """The whole fight after what the two of them did."""
    acting, standing = small.fighters
    acted, met = after.fighters
    name, foe = actor.profile.name, target.profile.name
    one = _acted(actor, acting, acted, foe, standing.profile.name)
    other = target if met is standing else _met(target, standing, met, name)
    fighters = tuple([one if f is actor else other if f is target else f for f in fight.fighters])
    queue, frozen = fight.queue, fight.frozen
    if fight.turn is None:
        group, rest = queue[0], queue[1:]
        queue = (group[1:], *rest) if len(group) > 1 else rest
        if len(group) > 1 and not frozen:
            together = [fight.fighter(one) for one in group]
            frozen = tuple([Moment(f.profile.name, f.body, f.in_hand, f.grappling) for f in together])
    turn = after.turn
    if turn is not None:
        return replace(fight, fighters=fighters, queue=queue, frozen=frozen, turn=replace(turn, name=name))
    fight = replace(fight, fighters=fighters, queue=queue, frozen=frozen, turn=None)
    return fight if not frozen and one.body.able and other.body.able else end_turn(fight)  # nobody is out who was not before


@lru_cache(maxsize=50_000)
def _acted(before: Fighter, acting: Fighter, acted: Fighter, target: str, shown: str) -> Fighter:
    if acted is acting:
        return before
    return replace(
        acted,
        profile=before.profile,
        body=before.body if acted.body == acting.body else replace(acted.body, name=before.body.name),
        x=before.x,
        y=before.y,
        aim_at=target if acted.aim_at == shown else before.aim_at if acted.aim_at else "",
        initiative=before.initiative,
        initiative_modifier=before.initiative_modifier,
        attacked_by=before.attacked_by,
        free_strikes=before.free_strikes,
        shot_at=(*before.shot_at, *[(at, target) for at, _ in acted.shot_at[len(before.shot_at) :]]),
        sprayed=before.sprayed,
    )


@lru_cache(maxsize=50_000)
def _met(before: Fighter, standing: Fighter, met: Fighter, attacker: str) -> Fighter:
    attacked = len(met.attacked_by) > len(standing.attacked_by) and attacker not in before.attacked_by
    return replace(
        met,
        profile=before.profile,
        body=before.body if met.body == standing.body else replace(met.body, name=before.body.name),
        x=before.x,
        y=before.y,
        aim_at=before.aim_at if met.aim_at else "",
        initiative=before.initiative,
        initiative_modifier=met.initiative_modifier or before.initiative_modifier,
        acts=before.acts,
        fumbled=before.fumbled,
        attacked_by=(*before.attacked_by, attacker) if attacked else before.attacked_by,
        free_strikes=before.free_strikes,
        ammo=before.ammo,
        jammed=before.jammed,
        shot_at=before.shot_at,
        sprayed=before.sprayed,
        pinned=before.pinned,
        rose=before.rose,
    )
