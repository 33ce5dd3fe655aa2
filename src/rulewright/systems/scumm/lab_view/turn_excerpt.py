"""Turn excerpts: the part of a fight that one person's shots depend on, and merging the result back.

Many fights hold the same turn: a person with these skills, as wounded, shoots at a person like that. Seen by itself, without names
and places, it comes again and again, so that its odds can be remembered.
"""

from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.scenes.scene import someone_of
from rulewright.systems.scumm.combat.attacks import POINT_BLANK
from rulewright.systems.scumm.combat.fighters import REACH, Fight, Fighter, Moment, Profile, Surroundings, UnderWay, Weapon, one_of

OTHER = "somebody else"


@cached(5_000)
def band_of(weapon: Weapon, metres: float) -> float:
    """The farthest distance of the same range band, as good as the true one; 0 where more or less than a shot can be between two."""
    ranges = weapon.ranges
    if ranges is None or not weapon.gun or not REACH < metres <= ranges[2]:
        return 0.0
    if metres <= ranges[0]:
        return float(POINT_BLANK if metres <= POINT_BLANK else ranges[0])
    return float(ranges[1] if metres <= ranges[1] else ranges[2])


@cached(50_000)
def alone(ground: Surroundings, acting: Fighter, standing: Fighter, frozen: tuple[Moment, ...], turn: UnderWay | None) -> Fight:
    """The two of them by themselves; what is the same is one and the same object, so that it is found at once where it is remembered."""
    name = acting.profile.name
    if turn is None:
        return Fight(ground, (acting, standing), 1, 50, ((name,),), frozen)
    return Fight(ground, (acting, standing), 1, 50, (), frozen, replace(turn, name=name))


def apart(actor: Fighter, acting: Fighter, moment: Moment) -> tuple[Moment, ...]:
    """The moment a person acts with, where it is not in their current state."""
    if moment.body == actor.body and moment.in_hand == actor.in_hand and not moment.grappling:
        return ()
    name = acting.profile.name
    return (replace(moment, name=name, body=replace(moment.body, name=name)),)


@cached(1_000)
def _nameless(profile: Profile) -> Profile:
    return replace(profile, name=someone_of(profile.side))


@cached(50_000)
def shown_acting(actor: Fighter, target: str, shown: str) -> Fighter:
    """A person who acts, without a name and a place."""
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


@cached(50_000)
def shown_standing(target: Fighter, others: int, metres: float) -> Fighter:
    """A person who is shot at, at that distance and after so many others did."""
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


@cached(50_000)
def acted_in(before: Fighter, acting: Fighter, acted: Fighter, target: str, shown: str) -> Fighter:
    """Returns the person who acted, put back into the whole fight."""
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


@cached(50_000)
def met_in(before: Fighter, standing: Fighter, met: Fighter, attacker: str) -> Fighter:
    """A person who was shot at, back in the whole fight."""
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
