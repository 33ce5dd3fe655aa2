"""The campaign of a table between scenes: its clock, locations, dates, tallies and plans. Only the log changes it."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.calendar import Calendar
from rulewright.campaign.downtime import Assignment, Date, Location, OngoingEffect, Tally
from rulewright.table.log import campaign_entries as c
from rulewright.table.log.entries import SceneEnded

AnyCampaignChange = (
    c.ClockStarted
    | c.LocationSet
    | c.LocationRemoved
    | c.DateSet
    | c.DateRemoved
    | c.TallySet
    | c.TallyRemoved
    | c.PlanMade
    | c.RequestKept
    | c.RequestForgotten
    | c.SecretEffects
)


class Plan(Struct, frozen=True):
    """What a character does while time passes, and where; empty for rest, and for nowhere in particular."""

    exertion: str = ""
    location: str = ""
    doing: tuple[Assignment, ...] = ()


class Passed(Struct, frozen=True):
    """Time that has passed between scenes, and what undoing it restores."""

    scene: int
    took: int
    since: dict[str, int]
    """Up to when each of its characters had lived before."""
    plans: dict[str, Plan] = {}
    secrets: dict[str, tuple[OngoingEffect, ...]] = {}
    learnt: dict[str, int] = {}
    """How many entries each log of experience gained."""


class CampaignState(Struct, frozen=True):
    """Everything about the time of a table. Moments are seconds since the clock was started."""

    calendar: Calendar | None = None
    now: int = 0
    locations: dict[str, Location] = {}
    dates: dict[str, Date] = {}
    tallies: dict[str, Tally] = {}
    plans: dict[str, Plan] = {}
    since: dict[str, int] = {}
    """Up to when each character has lived, if not up to the start of the clock."""
    requests: dict[str, dict[str, Any]] = {}
    """Kept roll requests by name, as plain data."""
    secrets: dict[str, tuple[OngoingEffect, ...]] = {}
    """The ongoing effects of each character that not everybody knows of."""
    passed: tuple[Passed, ...] = ()
    """The downtimes that can be undone, the latest last."""

    def plan(self, character_id: str) -> Plan:
        """A character's plan: rest, if none was made."""
        plan = self.plans.get(character_id, Plan())
        return plan if plan.location in ("", *self.locations) else replace(plan, location="")

    def changed(self, change: AnyCampaignChange) -> "CampaignState":
        """The campaign after a change."""
        match change:
            case c.ClockStarted():
                return replace(self, calendar=change.calendar)
            case c.LocationSet():
                return replace(self, locations={**self.locations, change.location.name: change.location})
            case c.LocationRemoved():
                return replace(self, locations={name: place for name, place in self.locations.items() if name != change.name})
            case c.DateSet():
                return replace(self, dates={**self.dates, change.id: change.date})
            case c.DateRemoved():
                return replace(self, dates={key: date for key, date in self.dates.items() if key != change.id})
            case c.TallySet():
                return replace(self, tallies={**self.tallies, change.id: change.tally})
            case c.TallyRemoved():
                return replace(self, tallies={key: tally for key, tally in self.tallies.items() if key != change.id})
            case c.RequestKept():
                return replace(self, requests={**self.requests, change.name: change.request})
            case c.RequestForgotten():
                return replace(self, requests={name: kept for name, kept in self.requests.items() if name != change.name})
            case c.PlanMade():
                return replace(self, plans={**self.plans, change.character: Plan(change.exertion, change.location, change.doing)})
            case c.SecretEffects():
                return replace(self, secrets={**self.secrets, change.character: change.runs})

    def added(self, character_id: str) -> "CampaignState":
        """The campaign after a character has come to the table: their time begins now."""
        return replace(self, since={**self.since, character_id: self.now}) if self.now else self

    def after_scene(self, ended: SceneEnded, lived: dict[str, int], downtime: bool) -> "CampaignState":
        """The campaign after a scene, up to the end of which its characters have lived. Before the clock is started no time passes."""
        if self.calendar is None:
            return self
        before = {character_id: self.since.get(character_id, 0) for character_id in lived}
        passed = (*self.passed, Passed(ended.scene, ended.took, before, self.plans, self.secrets)) if downtime else self.passed
        return replace(self, now=self.now + max(0, ended.took), since={**self.since, **lived}, passed=passed)

    def turned_back(self) -> "CampaignState":
        """The campaign before the last downtime."""
        last = self.passed[-1]
        since = {**self.since, **last.since}
        return replace(self, now=self.now - last.took, since=since, plans=last.plans, secrets=last.secrets, passed=self.passed[:-1])

    def learnt(self, character_id: str, number: int) -> "CampaignState":
        """The campaign after the last downtime gave entries to a log of experience."""
        last = self.passed[-1]
        last = replace(last, learnt={**last.learnt, character_id: last.learnt.get(character_id, 0) + number})
        return replace(self, passed=(*self.passed[:-1], last))
