"""Turns by themselves: of a whole fight, the part that one person's shots depend on, and what they change put back.

Many fights hold the same turn: somebody with these skills, as wounded, shoots at somebody like that. Seen by itself, without names
and places, it comes again and again, so that its odds can be remembered.
"""

from collections.abc import Callable
from functools import lru_cache
from math import hypot, inf

from msgspec.structs import replace

from rulewright.play import Play, Sub
from rulewright.scenes.scene import someone_of
from rulewright.systems.scumm.combat.attacks import POINT_BLANK
from rulewright.systems.scumm.combat.fighters import REACH, Fight, Fighter, Moment, Profile, Surroundings, UnderWay, Weapon, one_of
from rulewright.systems.scumm.fight.turns import end_turn, moments_of
from rulewright.systems.scumm.harm.body import OPEN_ENDED

OTHER = "somebody else"


def focus(fight: Fight, play: Callable[[Fight], Play[Fight]]) -> Play[Fight] | None:
    """Turn after turn, each a part with nobody in it but the one who acts and the nearest enemy; None where they may touch others.

    What is left out cannot matter to a shot: who they are, where they stand within the range band, allies, other enemies (of those
    who attacked the target before, their number is kept), and what only the target's own turn will ask for. That needs nobody
    ready, hidden or grappled, no ground under fire, and nothing on the ground that stands between.
    """
    if not fight.bare or fight.ambush_open or fight.zones or not (fight.queue or fight.turn):
        return None
    for fighter in fight.fighters:
        if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.grappling or fighter.body.unconscious == OPEN_ENDED:
            return None
    return _turns(fight, play)


def _turns(fight: Fight, play: Callable[[Fight], Play[Fight]]) -> Play[Fight]:
    """The turns of a round until somebody may do more than shoot; where the first may, the very same fight is given back."""
    ground, queue, frozen, turn = fight.ground, fight.queue, fight.frozen, fight.turn
    people = {fighter.profile.name: fighter for fighter in fight.fighters}
    spots = [(f.profile.side, f.x, f.y, f.profile.name) for f in fight.fighters if f.body.able]
    while queue or turn is not None:
        name = queue[0][0] if turn is None else turn.name
        actor = people[name]
        foe, metres = _nearest(spots, actor)
        moment = _moment(frozen, name) if frozen else None
        band = band_of(actor.profile.weapons[actor.in_hand], metres)
        if not band or (actor.fumbled and actor.aim) or not (actor.body if moment is None else moment.body).able:
            break
        target = people[foe]
        standing = shown_standing(target, len(target.attacked_by) - (name in target.attacked_by), band)
        acting = shown_acting(actor, foe, standing.profile.name)
        small = alone(ground, acting, standing, () if moment is None else apart(actor, acting, moment), turn)
        if turn is None:
            group = queue[0]
            if len(group) > 1 and not frozen:
                frozen = moments_of([people[one] for one in group])
            queue = (group[1:], *queue[1:]) if len(group) > 1 else queue[1:]
        after = yield Sub(play, (small,))
        acted, met = after.fighters
        turn = None if after.turn is None else replace(after.turn, name=name)
        one = people[name] = actor if acted is acting else acted_in(actor, acting, acted, foe, standing.profile.name)
        other = people[foe] = target if met is standing else met_in(target, standing, met, name)
        if one.ready is not None or (one.body is not actor.body and not one.body.able) or other.body.unconscious == OPEN_ENDED:
            break
        if other.body is not target.body and not other.body.able:
            spots = [spot for spot in spots if spot[3] != foe]
            if not _moment(frozen, foe):
                queue = tuple([left for group in queue if (left := tuple([one for one in group if one != foe]))])
        if turn is None and frozen and not (queue and _moment(frozen, queue[0][0])):
            if any(fighter.in_hand and fighter.gone[fighter.in_hand] for fighter in people.values()):
                break
            frozen = ()
    if queue is fight.queue and turn is fight.turn:
        return fight
    fight = replace(fight, fighters=tuple(people.values()), queue=queue, frozen=frozen, turn=turn)
    return end_turn(fight) if turn is None and (queue or frozen) else fight


def _moment(frozen: tuple[Moment, ...], name: str) -> Moment | None:
    for moment in frozen:
        if moment.name == name:
            return moment
    return None


Spot = tuple[str, float, float, str]
"""The side, place and name of somebody who is able."""


def _nearest(spots: list[Spot], actor: Fighter) -> tuple[str, float]:
    """The nearest enemy, and how far away; nobody where none is left."""
    nearest, least = "", inf
    mine, x, y = actor.profile.side, actor.x, actor.y
    for side, a, b, name in spots:
        if side != mine:
            metres = hypot(a - x, b - y)
            if metres < least:
                nearest, least = name, metres
    return nearest, least


@lru_cache(maxsize=5_000)
def band_of(weapon: Weapon, metres: float) -> float:
    """The farthest distance of the same range band, as good as the true one; 0 where more or less than a shot can be between two."""
    ranges = weapon.ranges
    if ranges is None or not weapon.gun or not REACH < metres <= ranges[2]:
        return 0.0
    if metres <= ranges[0]:
        return float(POINT_BLANK if metres <= POINT_BLANK else ranges[0])
    return float(ranges[1] if metres <= ranges[1] else ranges[2])


@lru_cache(maxsize=50_000)
def alone(ground: Surroundings, acting: Fighter, standing: Fighter, frozen: tuple[Moment, ...], turn: UnderWay | None) -> Fight:
    """The two of them by themselves; what is the same is one and the same object, so that it is found at once where it is remembered."""
    name = acting.profile.name
    if turn is None:
        return Fight(ground, (acting, standing), 1, 50, ((name,),), frozen)
    return Fight(ground, (acting, standing), 1, 50, (), frozen, replace(turn, name=name))


def apart(actor: Fighter, acting: Fighter, moment: Moment) -> tuple[Moment, ...]:
    """The moment somebody acts with, where it is not as things stand."""
    if moment.body == actor.body and moment.in_hand == actor.in_hand and not moment.grappling:
        return ()
    name = acting.profile.name
    return (replace(moment, name=name, body=replace(moment.body, name=name)),)


@lru_cache(maxsize=1_000)
def _nameless(profile: Profile) -> Profile:
    return replace(profile, name=someone_of(profile.side))


@lru_cache(maxsize=50_000)
def shown_acting(actor: Fighter, target: str, shown: str) -> Fighter:
    """Who acts, without a name and a place."""
    profile = _nameless(actor.profile)
    return one_of(
        replace(
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
    )


def _called(name: str, target: str, shown: str) -> str:
    return shown if name == target else OTHER if name else ""


@lru_cache(maxsize=50_000)
def shown_standing(target: Fighter, others: int, metres: float) -> Fighter:
    """Who is shot at, at that distance and after so many others did."""
    count = len(target.ammo)
    profile = _nameless(target.profile)
    return one_of(
        replace(
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
    )


@lru_cache(maxsize=50_000)
def acted_in(before: Fighter, acting: Fighter, acted: Fighter, target: str, shown: str) -> Fighter:
    """Who acted, back in the whole fight."""
    return one_of(
        replace(
            acted,
            profile=before.profile,
            body=before.body if acted.body == acting.body else replace(acted.body, name=before.body.name),
            x=before.x,
            y=before.y,
            aim_at=target if acted.aim_at == shown else before.aim_at if acted.aim_at else "",
            initiative=0,
            initiative_modifier=before.initiative_modifier,
            attacked_by=before.attacked_by,
            free_strikes=before.free_strikes,
            shot_at=(*before.shot_at, *[(at, target) for at, _ in acted.shot_at[len(before.shot_at) :]]),
            sprayed=before.sprayed,
        )
    )


@lru_cache(maxsize=50_000)
def met_in(before: Fighter, standing: Fighter, met: Fighter, attacker: str) -> Fighter:
    """Who was shot at, back in the whole fight."""
    attacked = len(met.attacked_by) > len(standing.attacked_by) and attacker not in before.attacked_by
    return one_of(
        replace(
            met,
            profile=before.profile,
            body=before.body if met.body == standing.body else replace(met.body, name=before.body.name),
            x=before.x,
            y=before.y,
            aim_at=before.aim_at if met.aim_at else "",
            initiative=0,
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
    )
