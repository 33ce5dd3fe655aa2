"""The log of the time between scenes as text: clock, locations, dates, tallies, plans, and the digest of time that has passed."""

from collections.abc import Sequence

from rulewright.campaign.calendar import Calendar
from rulewright.campaign.downtime import Tally
from rulewright.campaign.downtime_scene import Moment
from rulewright.grammar import join
from rulewright.scenes.encounter import Logged
from rulewright.table.campaign_state import AnyCampaignChange
from rulewright.table.log import campaign_entries as c
from rulewright.table.state import Table


def campaign_text(table: Table, change: AnyCampaignChange, leads: bool) -> tuple[str, bool] | None:
    """The text of a change, and whether only the gamemaster reads it; None if it is nobody's business."""
    match change:
        case c.ClockStarted():
            return f"starts the clock: {change.calendar.write(table.campaign.now)}", False
        case c.LocationSet():
            figures = ", ".join(f"{name} {value}" for name, value in change.location.figures)
            return f"describes the location {change.location.name}{f': {figures}' if figures else ''}", False
        case c.LocationRemoved():
            return f"removes the location {change.name}", False
        case c.DateSet():
            calendar = table.campaign.calendar
            on = calendar.write(change.date.at) if calendar is not None else "?"
            return f"notes a date: {change.date.what}, {on}", change.date.known == "gamemaster"
        case c.DateRemoved():
            return "removes a date", False
        case c.TallySet():
            return _tally_text(change.tally, leads), change.tally.known == "gamemaster"
        case c.TallyRemoved():
            return "removes a tally", False
        case c.RequestKept():
            return f"keeps the roll request {change.name}", True
        case c.RequestForgotten():
            return f"removes the kept roll request {change.name}", True
        case c.PlanMade():
            character = table.characters.get(change.character) or table.gone.get(change.character)
            where = f", at {change.location}" if change.location else ""
            doing = [f"{line.do}{f' ({line.aim})' if line.aim else ''}" for line in change.doing]
            what = join([*doing, change.exertion or "rest"])
            return f"plans for {character.name if character is not None else change.character}: {what}{where}", False
        case c.SecretEffects():
            return None


def effects_text(table: Table, change: c.EffectsKept | c.ExperienceLearnt) -> str:
    """The text of an effect that was begun or ended, or of what somebody has learnt."""
    character = table.characters.get(change.character) or table.gone.get(change.character)
    name = character.name if character is not None else change.character
    return f"{name}: {change.words}"


def _tally_text(tally: Tally, leads: bool) -> str:
    known = leads or tally.known == "everyone"
    return f"keeps the tally {tally.name}{f': {tally.count} of {tally.of}' if known else ''}"


def without_idle_moments(seen: Sequence[Logged]) -> list[Logged]:
    """Lines of a scene without the moments at which nothing was told."""
    kept: list[Logged] = []
    for line in seen:
        if isinstance(line.what, Moment) and kept and isinstance(kept[-1].what, Moment):
            kept.pop()
        kept.append(line)
    if kept and isinstance(kept[-1].what, Moment):
        kept.pop()
    return kept


def moment_text(calendar: Calendar | None, line: Logged, text: str) -> str:
    """The text of a line; a moment is written as a date."""
    return calendar.write(line.what.at) if calendar is not None and isinstance(line.what, Moment) else text
