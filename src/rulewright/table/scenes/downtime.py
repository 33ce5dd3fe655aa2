"""The time that passes at a table: from its characters, plans and dates to a downtime that the rules can play."""

from typing import Any

from msgspec import Struct

from rulewright.campaign.calendar import YEAR, read_span
from rulewright.campaign.downtime import Downtime, Goal, Location, Participant, read_runs
from rulewright.campaign.downtime_rules import BODILESS, DowntimeRules
from rulewright.campaign.downtime_scene import DATE, DowntimeScene
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import nearest
from rulewright.scenes.scenarios import CONDITION, numbered
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.state import Character, Table

LONGEST_WAIT = 10 * YEAR
"""How long time may pass while it waits for a milestone."""


class Built(Struct, frozen=True):
    """A downtime, and which person of it is which character of the table."""

    downtime: Downtime[Any]
    characters: dict[str, str]


def rules_of(table: Table) -> DowntimeRules[Any]:
    """Returns the downtime rules of the table's game."""
    return table.system.downtime or BODILESS


def build_downtime(table: Table, wanted: PassTime) -> Built:
    """Build a downtime of all characters that everybody knows. Hidden ones catch up when they are shown."""
    campaign = table.campaign
    if campaign.calendar is None:
        raise UserError("this table has no clock yet; start one first")
    people, characters = _people(table)
    goal = _goal(table, wanted, characters)
    until = _until(table, wanted, goal)
    stops: tuple[str, ...] = ()
    dates = tuple(sorted((date for date in campaign.dates.values() if date.known == "everyone"), key=lambda date: (date.at, date.what)))
    if wanted.stops:
        stops = (DATE, *[milestone.name for milestone in rules_of(table).milestones if milestone.stops])
    began = min((person.since for person in people), default=campaign.now)
    places = tuple(campaign.locations.values())
    downtime = Downtime(campaign.now, min(began, campaign.now), until, tuple(people), places, dates, goal, stops).checked()
    scene = DowntimeScene(table.rules, table.system.downtime)
    if goal is not None and scene.reached(downtime):
        milestone = rules_of(table).milestone(goal.milestone)
        raise UserError(f"{goal.who or 'everybody'} {milestone.words if milestone is not None else ''} already")
    return Built(downtime, characters)


def _people(table: Table) -> tuple[list[Participant[Any]], dict[str, str]]:
    """The people who live through time, and which character each is. Machines and the like are left out."""
    known = [character for character in table.characters.values() if not character.hidden]
    names = dict(zip([character.id for character in known], numbered([character.name for character in known]), strict=True))
    people, characters = [], {}
    for character in known:
        person = _participant(table, character, names[character.id])
        if person is not None:
            people.append(person)
            characters[person.name] = character.id
    return people, characters


def _participant(table: Table, character: Character, name: str) -> Participant[Any] | None:
    try:
        thing = character.thing(table.system)
        life = rules_of(table).of(table.rules, thing, name)
    except UserError as error:
        raise UserError(f"time cannot pass for {character.name}: {error}") from None
    if life is None:
        return None
    plan, condition = table.campaign.plan(character.id), getattr(thing, CONDITION, {})
    return Participant(name, life, plan.exertion, plan.location, read_runs(condition), table.campaign.since.get(character.id, 0))


def _goal(table: Table, wanted: PassTime, characters: dict[str, str]) -> Goal | None:
    if not wanted.milestone:
        return None
    milestones = [milestone.name for milestone in rules_of(table).milestones]
    if wanted.milestone not in milestones:
        known = f"; there are {join(milestones)}" if milestones else f"; {table.system.name} has none"
        raise UserError(f"there is no milestone {wanted.milestone[:40]!r}{nearest(wanted.milestone, milestones) or known}")
    names = [name for name, character_id in characters.items() if wanted.who in (character_id, name)]
    if wanted.who and not names:
        raise UserError(f"time does not pass for {wanted.who[:40]!r}; choose one of {join(list(characters))}")
    return Goal(names[0] if wanted.who else "", wanted.milestone)


def _until(table: Table, wanted: PassTime, goal: Goal | None) -> int:
    campaign = table.campaign
    assert campaign.calendar is not None
    if bool(wanted.span) + bool(wanted.until) > 1 or not (wanted.span or wanted.until or goal):
        raise UserError("say how long: a span such as 3 weeks, a date, or a milestone")
    if wanted.span:
        until = campaign.now + read_span(wanted.span)
    elif wanted.until:
        until = campaign.calendar.read(wanted.until)
    else:
        until = campaign.now + LONGEST_WAIT
    if until <= campaign.now:
        raise UserError(f"it is {campaign.calendar.write(campaign.now)} already; time only passes forward")
    return until


def location_of(rules: DowntimeRules[Any], name: str, figures: dict[str, int | str]) -> Location:
    """A location with its figures; an error names every figure that cannot be."""
    usual = {figure.name: figure.usual for figure in rules.figures}
    location = Location.of(name, **{key: value for key, value in figures.items() if usual.get(key) != value})
    faults = rules.faults(location)
    if faults:
        raise UserError("; ".join(faults))
    return location
