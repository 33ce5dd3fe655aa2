"""Log entries for the time between scenes: clock, locations, dates, tallies and plans. The rules of `entries` about compatibility apply."""

from typing import Any

from rulewright.campaign.calendar import Calendar
from rulewright.campaign.downtime import Assignment, Date, Location, OngoingEffect, Tally
from rulewright.table.log.entries import Change


class ClockStarted(Change, frozen=True, tag="clock started"):
    """The table gets a clock and a calendar, or another calendar for the same clock. The clock is never set; it passes."""

    calendar: Calendar


class LocationSet(Change, frozen=True, tag="location"):
    """A location is added or changed."""

    location: Location


class LocationRemoved(Change, frozen=True, tag="location removed"):
    """A location is removed; nobody is there any more."""

    name: str


class DateSet(Change, frozen=True, tag="date"):
    """Something is known to happen at a moment."""

    id: str
    date: Date


class DateRemoved(Change, frozen=True, tag="date removed"):
    """A date is removed."""

    id: str


class TallySet(Change, frozen=True, tag="tally"):
    """A tally is begun, or its count changes."""

    id: str
    tally: Tally


class TallyRemoved(Change, frozen=True, tag="tally removed"):
    """A tally is removed."""

    id: str


class PlanMade(Change, frozen=True, tag="plan"):
    """What a character does while time passes, and where."""

    character: str
    exertion: str = ""
    location: str = ""
    doing: tuple[Assignment, ...] = ()


class EffectsKept(Change, frozen=True, tag="effects"):
    """The gamemaster begins or ends an ongoing effect that everybody may know: all effects of a character, and which one changed."""

    character: str
    runs: tuple[OngoingEffect, ...]
    words: str = ""


class SecretEffects(Change, frozen=True, tag="secret effects"):
    """The ongoing effects of a character that not everybody knows of. They are no part of the character's file."""

    character: str
    runs: tuple[OngoingEffect, ...] = ()


class ExperienceLearnt(Change, frozen=True, tag="learnt"):
    """Time has taught a character something: entries for the log of experience, as plain data."""

    character: str
    entries: tuple[dict[str, Any], ...]
    words: str = ""


class RequestKept(Change, frozen=True, tag="request kept"):
    """A roll request is kept under a name, as plain data of the action that asks it."""

    name: str
    request: dict[str, Any]


class RequestForgotten(Change, frozen=True, tag="request forgotten"):
    """A kept roll request is removed."""

    name: str


class TimeTurnedBack(Change, frozen=True, tag="turned back"):
    """The last time that passed is undone: the clock and the conditions are as they were before."""

    scene: int
