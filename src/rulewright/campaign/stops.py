"""What stops time before its end, besides a goal: what happens to somebody, and what everybody would notice."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from rulewright.campaign.downtime import Downtime, Participant
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Play, Sub, Tell
from rulewright.rules import nearest

DATE, DYING, ILLNESS, MONEY, FINISHED, ASKED = "date", "dying", "illness", "money", "finished", "asked"
STOPS: Mapping[str, str] = MappingProxyType(
    {
        DATE: "a date that everybody knows",
        DYING: "somebody is dying",
        ILLNESS: "a new illness or addiction shows",
        MONEY: "money or stock is gone",
        FINISHED: "somebody finishes an activity",
        ASKED: "somebody is asked for a roll or a decision",
    }
)
"""What may be in `Downtime.stops` in every game, in words; a game's milestones may be, too."""
USUAL = (DATE, DYING, ILLNESS, MONEY)


def stops_of(game: DowntimeRules[Any]) -> dict[str, str]:
    """Everything that can stop time in a game: names and words."""
    milestones = {milestone.name: f"somebody {milestone.words}" for milestone in game.milestones if milestone.stops}
    return {**STOPS, **milestones}


def usual_stops(game: DowntimeRules[Any]) -> tuple[str, ...]:
    """What stops time unless somebody says otherwise."""
    return (*USUAL, *[milestone.name for milestone in game.milestones if milestone.stops])


def checked_stops(game: DowntimeRules[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuses names of stops that no game knows; without doubles."""
    known = {**STOPS, **dict.fromkeys((milestone.name for milestone in game.milestones), "")}
    for name in names:
        if name not in known:
            raise UserError(f"time cannot stop for {name[:40]!r}{nearest(name, known) or f'; choose from {join(list(known))}'}")
    return tuple(dict.fromkeys(names))


def why_stopped(game: DowntimeRules[Any], before: Downtime[Any], after: Downtime[Any]) -> str:
    """Why time stops between two moments because of what has happened to somebody; empty if it does not."""
    return next(_reasons(game, before, after), "")


def _reasons(game: DowntimeRules[Any], before: Downtime[Any], after: Downtime[Any]) -> Iterator[str]:
    for old, new in zip(before.people, after.people, strict=True):
        for name in after.stops:
            milestone = game.milestone(name)
            if milestone is not None and milestone.holds(new.life) and not milestone.holds(old.life):
                yield f"{new.name} {milestone.words}"
        stable = game.milestone("stable")
        if DYING in after.stops and stable is not None and stable.holds(old.life) and not stable.holds(new.life):
            yield f"{new.name} is in danger of dying"
        if ILLNESS in after.stops:
            yield from (f"{new.name}: {ailment}" for ailment in _ailments(game, new) if ailment not in _ailments(game, old))
        if MONEY in after.stops:
            yield from (f"{new.name} has no {mean} left" for mean in _spent(old, new))
        if FINISHED in after.stops:
            left = {line.key for line in new.doing}
            yield from (f"{new.name} is done with {line.aim or line.do}" for line in old.doing if line.key not in left)


def _ailments(game: DowntimeRules[Any], person: Participant[Any]) -> list[str]:
    """The illnesses of a person that everybody may know of."""
    ailments = []
    for effect in person.runs:
        kind = game.kind(effect.of)
        if kind is not None and kind.ailment and effect.known is None:
            ailments.append(f"{effect.of} {effect.about}".strip())
    return ailments


def _spent(old: Participant[Any], new: Participant[Any]) -> list[str]:
    """The means of which nothing is left."""
    return [name for name, amount in new.means if amount <= 0 < old.amount(name)]


def asks(play: Play[Any]) -> bool:
    """Whether a procedure needs dice or a decision from anybody. It is not played further than that."""
    return _probed(play)[0]


def _probed(play: Play[Any]) -> tuple[bool, Any]:
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            return False, ended.value
        if isinstance(request, Tell):
            answer = None
        elif isinstance(request, Sub):
            asked, answer = _probed(request.start())
            if asked:
                return True, None
        else:
            play.close()
            return True, None
