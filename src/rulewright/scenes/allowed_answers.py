"""Helpers for tactics: the allowed answers, and the nearest enemy."""

from collections.abc import Collection
from typing import Any

from rulewright.play import Choice, Given, Option, Range
from rulewright.play.cache import Latest
from rulewright.play.requests import offered


def keys_of(options: tuple[Option[Any], ...] | Range) -> Collection[str]:
    """The keys of options; empty for a range."""
    return () if isinstance(options, Range) else offered(options).by_key


def pick(choice: Choice[Any], *keys: str) -> Given | None:
    """The first of these keys that is allowed; None if none is."""
    allowed = keys_of(choice.options)
    for key in keys:
        if key in allowed:
            return key
    return None


_nearest = Latest("rulewright.scenes.allowed_answers.nearest")


def nearest(fight: Any, fighter: Any) -> Any:
    """The nearest enemy, the first of several; None if there is none."""
    state, who, result = _nearest.last
    if state is fight and who is fighter:
        return result
    result, least = None, 0.0
    for enemy in fight.enemies(fighter):
        metres = fighter.distance(enemy)
        if result is None or metres < least:
            result, least = enemy, metres
    _nearest.last = (fight, fighter, result)
    return result


def at_hand(choice: Choice[Any]) -> tuple[Any, Any]:
    """The fighter who decides, and their nearest enemy."""
    fight = choice.about.fight
    me = fight.fighter(choice.about.name)
    return me, nearest(fight, me)
