"""The format of campaign files: the beginning of a campaign, with its people, places, plans, dates and tallies."""

from typing import Any, Literal

from msgspec import Struct

from rulewright.campaign.calendar import Calendar, Month, calendar_from
from rulewright.campaign.downtime import Known, OngoingEffect, Value
from rulewright.rules import SettingValue

CAMPAIGN = "campaign"
"""The kind of these files."""


class CampaignCalendar(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The moment at which the campaign begins, and the months and days of a calendar of one's own."""

    start: str = ""
    """A date such as 3 March 1931 20:00, or Day 12, 09:40. Without one, days are counted from Day 1."""
    months: list[Month] = []
    week: list[str] = []
    weekday: int = 0
    """The day of the week on the first day of year 1, for months of one's own."""

    @classmethod
    def of(cls, calendar: Calendar, now: int) -> "CampaignCalendar":
        """The calendar of a campaign that begins at a moment of another."""
        own = list(calendar.months)
        return cls(calendar.write(now), own, list(calendar.week) if own else [], calendar.weekday if own else 0)

    def read(self) -> Calendar:
        """The calendar; an error says what is wrong with the beginning."""
        if self.start.strip().casefold().startswith("day "):
            counted = Calendar(undated=True)
            return counted.moved(counted.read(self.start))
        return calendar_from(self.start, tuple(self.months), tuple(self.week), self.weekday)


class PersonPlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody does while time passes, and where."""

    at: str = ""
    exertion: str = ""
    doing: list[dict[str, Value]] = []
    """Activities, each with `do`, its arguments by name, and `hours` a day."""


class CampaignDate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that happens on a date."""

    on: str
    what: str
    known: Known = "everyone"


class CampaignTally(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A count towards an event."""

    name: str
    of: int
    count: int = 0
    known: Known = "everyone"


class CampaignFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The beginning of a campaign. What happens afterwards stands in its record."""

    system: str
    kind: Literal["campaign"]
    name: str
    people: list[str | dict[str, Any]] = []
    """Characters: files beside this one, ready-made characters by name, or a character's whole file in place."""
    about: str = ""
    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}
    calendar: CampaignCalendar = CampaignCalendar()
    hidden: list[str] = []
    """The names of people whom only the gamemaster knows."""
    locations: dict[str, dict[str, Value]] = {}
    """Places by name, with the figures that the game declares, such as medical aid."""
    plans: dict[str, PersonPlan] = {}
    effects: dict[str, list[OngoingEffect]] = {}
    """Ongoing effects, by person, that not everybody knows of. All others stand in a character's condition."""
    dates: list[CampaignDate] = []
    tallies: list[CampaignTally] = []
    requests: dict[str, dict[str, Any]] = {}
    """Roll requests to be asked later, by name, as the action "ask for a roll" with the names of people."""
