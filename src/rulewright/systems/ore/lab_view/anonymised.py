"""Anonymised fighters in small fights: names and irrelevant fields removed, and how to restore them."""

from typing import Any

from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.systems.ore.combat.fighters import Fighter, Profile
from rulewright.systems.ore.harm.body import AnyBody, Vital

ANOTHER, THIRD = "another", "a third"
"""Names for the opponent and for anybody else."""
NOBODY = Vital(statistic=1)
_FIELDS = tuple([field for field in Fighter.__struct_fields__ if field not in ("profile", "body", "marks")])


def shown(fighter: Fighter) -> Fighter:
    """A fighter without details of damage that cannot disable any location."""
    body = fighter.body
    if isinstance(body, Vital) and not body.wounds:
        return replace(fighter, body=replace(body, kill_lost=0, vital_lost=0, shock=0))
    return fighter


def out_of_it(fighter: Fighter) -> Fighter:
    """A fighter out of action."""
    return Fighter(fighter.profile, NOBODY, cover=fighter.cover, fled=True)


@cached(10_000)
def hindered_like(body: AnyBody) -> AnyBody:
    """A body with the same penalties and possibly less damage."""
    if isinstance(body, Vital) and not body.wounds:
        return replace(body, kill_lost=0, shock=body.shock_lost * (body.statistic + body.steadier))
    return body


@cached(1_000)
def _called(profile: Profile, name: str) -> Profile:
    return replace(profile, name=name)


@cached(50_000)
def another(fighter: Fighter, name: str = ANOTHER) -> Fighter:
    """A fighter whose identity does not matter."""
    marks = tuple([mark for mark in fighter.marks if not mark[1]])
    return replace(fighter, profile=_called(fighter.profile, name), marks=marks, against="")


@cached(50_000)
def beside(fighter: Fighter, other: str = "") -> Fighter:
    """A fighter beside one unnamed other."""
    marks = tuple([(word, about and ANOTHER) for word, about in fighter.marks if about in ("", other)])
    against = "" if not fighter.against else ANOTHER if fighter.against == other else THIRD
    return replace(fighter, marks=marks, against=against)


def as_changed(fighter: Fighter, before: Fighter, after: Fighter) -> Fighter:
    """The original fighter with all changes of the anonymised one."""
    if after == before:
        return fighter
    changes: dict[str, Any] = {}
    for field in _FIELDS:
        now = getattr(after, field)
        if now != getattr(before, field):
            changes[field] = now
    if after.body != before.body:
        fields = [field for field in after.body.__struct_fields__ if getattr(after.body, field) != getattr(before.body, field)]
        changes["body"] = replace(fighter.body, **{field: getattr(after.body, field) for field in fields})
    new = tuple([mark for mark in after.marks if mark not in (*before.marks, *fighter.marks)])
    if new:
        changes["marks"] = (*fighter.marks, *new)
    return replace(fighter, **changes) if changes else fighter
