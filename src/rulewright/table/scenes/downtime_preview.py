"""What the gamemaster sees before time passes: what comes due next for each person, and the chances of milestones."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.alternatives import Alternative, changed_plan
from rulewright.campaign.calendar import Calendar, write_span
from rulewright.campaign.downtime import Downtime, Goal
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.campaign.milestone_chances import Times, goal_times
from rulewright.campaign.milestones import words_of
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.scenes.downtime import build_downtime, rules_of, scene_of
from rulewright.table.state import Table


class DueShown(Struct, frozen=True):
    """Something that comes due: when, for whom, and what."""

    on: str
    name: str
    words: str


class ChanceShown(Struct, frozen=True):
    """The chance that a person reaches a milestone in time; None if not even one run could be sampled."""

    words: str
    chance: float | None
    by: tuple[tuple[str, str], ...] = ()
    """The dates by which it is likely: the chance in words, and the date."""
    runs: int = 0
    """How many runs were sampled where an exact count takes too long."""
    low: float = 0.0
    high: float = 1.0
    """The 95 % confidence interval of a sampled chance."""
    otherwise: "ChanceShown | None" = None
    """The same under the alternative."""


class Preview(Struct, frozen=True):
    """The time to come: its end, what is due first for each person, dates, and chances."""

    until: str
    span: str
    dues: tuple[DueShown, ...]
    chances: tuple[ChanceShown, ...]
    alternative: str = ""
    """What is different in the compared plan, in words."""


def preview(table: Table, wanted: PassTime, seconds: float = 0.8, other: Alternative | None = None) -> Preview:
    """Preview the time that would pass, and compare it with another plan; an error says why it cannot."""
    downtime = build_downtime(table, wanted).downtime
    scene = scene_of(table)
    calendar = table.campaign.calendar
    assert calendar is not None
    dues = [(at, DueShown(calendar.write(at), name, words)) for at, name, words in _dues(scene, downtime)]
    dues += [
        (date.at, DueShown(calendar.write(date.at), "", date.what)) for date in downtime.dates if downtime.now < date.at <= downtime.until
    ]
    ordered = tuple(due for _, due in sorted(dues, key=lambda entry: entry[0]))
    goals = _goals(table, downtime)
    chances = chances_of(scene, calendar, downtime, goals, seconds)
    if other is not None:
        changed = chances_of(scene, calendar, changed_plan(scene.game, downtime, other), goals, seconds)
        chances = [replace(chance, otherwise=compared) for chance, compared in zip(chances, changed, strict=True)]
    longest = "at most " if not (wanted.span or wanted.until) else ""
    span = f"{longest}{write_span(downtime.until - downtime.start)}"
    return Preview(calendar.write(downtime.until), span, ordered, tuple(chances), other.words if other is not None else "")


def chances_of(scene: DowntimeScene, calendar: Calendar, downtime: Downtime[Any], goals: list[Goal], seconds: float) -> list[ChanceShown]:
    """The chance of each goal before the time is over: exact, or sampled with an interval."""
    times = goal_times(scene, downtime, goals, seconds, seconds / 2)
    return [_chance(calendar, words_of(scene.game, goal), known) for goal, known in zip(goals, times, strict=True)]


def _dues(scene: DowntimeScene, downtime: Downtime[Any]) -> list[tuple[int, str, str]]:
    settled, dues = scene.settled(downtime), []
    for person in settled.people:
        for effect in person.runs:
            kind, left = scene.kind_of(effect.of), scene.remaining(settled, person, effect)
            if kind is not None and left is not None and max(settled.now, person.since) + left <= settled.until:
                words = kind.words(scene.rules, scene.case(settled, person, kind, effect), effect)
                dues.append((max(settled.now, person.since) + left, person.name, words))
    return dues


def _chance(calendar: Calendar, words: str, times: Times | None) -> ChanceShown:
    if times is None:
        return ChanceShown(words, None)
    moments = {f"{chance:.0%}": times.by(chance) for chance in (0.5, 0.95)}
    dates = {label: calendar.write_day(moment) for label, moment in moments.items() if moment is not None}
    if len(times.shares) == 1 and times.chance == 1 and not times.runs:
        dates = {"100%": calendar.write_day(times.shares[0][0])}
    return ChanceShown(words, times.chance, tuple(dates.items()), times.runs, *times.interval)


def _goals(table: Table, downtime: Downtime[Any]) -> list[Goal]:
    """The goal of the time that passes, or that each person finishes their activities, becomes well, and lives."""
    rules = rules_of(table)
    if downtime.goal is not None and rules.milestone(downtime.goal.milestone) is None:
        people = [downtime.goal.who] if downtime.goal.who else [person.name for person in downtime.people]
        return [replace(downtime.goal, who=who) for who in people][:12]
    names = [downtime.goal.milestone] if downtime.goal is not None else [name for name in ("well", "dead") if rules.milestone(name)]
    goals = [Goal(person.name, "done", line.aim or line.do) for person in downtime.people for line in person.doing if not downtime.goal]
    for name in names:
        milestone = rules.milestone(name)
        assert milestone is not None
        for person in downtime.people:
            hurt = any(not other.holds(person.life) for other in rules.milestones if other.name == "well")
            asked = downtime.goal.who in ("", person.name) if downtime.goal is not None else hurt and not milestone.holds(person.life)
            if asked:
                goals.append(Goal(person.name, name))
    return goals[:12]
