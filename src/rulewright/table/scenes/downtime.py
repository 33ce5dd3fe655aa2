"""The time that passes at a table: from its characters, plans and dates to a downtime that the rules can play."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright import campaign_people
from rulewright.campaign.activities.plan_text import Around
from rulewright.campaign.calendar import YEAR, read_span
from rulewright.campaign.downtime import Downtime, Goal, Location, Participant
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.campaign.milestones import checked_goal, words_of
from rulewright.campaign.stops import ASKED, checked_stops, usual_stops
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.scenes.scenarios import numbered
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.state import Character, Table

LONGEST_WAIT = 10 * YEAR
"""How long time may pass while it waits for a milestone."""


class Built(Struct, frozen=True):
    """A downtime, and which person of it is which character of the table."""

    downtime: Downtime[Any]
    characters: dict[str, str]


def rules_of(table: Table) -> DowntimeRules[Any]:
    """Returns the downtime rules of the table's game."""
    return campaign_people.rules_of(table.system)


def scene_of(table: Table) -> DowntimeScene:
    """The scene of downtime under the rules of a table."""
    return campaign_people.scene_of(table.system, table.rules)


def around(table: Table, character: Character) -> Around:
    """What the plan of a character may name."""
    people = [other.name for other in table.characters.values() if not other.hidden and other.id != character.id]
    return campaign_people.around(table.system, table.rules, character.thing(table.system), people, table.campaign.locations)


def build_downtime(table: Table, wanted: PassTime) -> Built:
    """Build a downtime of all characters that everybody knows. Hidden ones catch up when they are shown."""
    campaign = table.campaign
    if campaign.calendar is None:
        raise UserError("this table has no clock yet; start one first")
    people, characters = _people(table)
    goal = _goal(table, wanted, characters)
    until = _until(table, wanted, goal)
    stops = _stops(table, wanted)
    dates = tuple(sorted((date for date in campaign.dates.values() if date.known == "everyone"), key=lambda date: (date.at, date.what)))
    began = min((person.since for person in people), default=campaign.now)
    places = tuple(campaign.locations.values())
    downtime = Downtime(campaign.now, min(began, campaign.now), until, tuple(people), places, dates, goal, stops).checked()
    scene = scene_of(table)
    if goal is not None and scene.reached(downtime):
        raise UserError(f"{words_of(rules_of(table), goal)} already")
    return Built(downtime, characters)


def _stops(table: Table, wanted: PassTime) -> tuple[str, ...]:
    """What stops the time: what the gamemaster chose, or the usual."""
    if wanted.stop_for is not None:
        return checked_stops(rules_of(table), wanted.stop_for)
    return usual_stops(rules_of(table)) if wanted.stops else ()


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
    campaign = table.campaign
    plan, hidden = campaign.plan(character.id), campaign.secrets.get(character.id, ())
    try:
        thing = character.thing(table.system)
    except UserError as error:
        raise UserError(f"time cannot pass for {character.name}: {error}") from None
    person = campaign_people.participant(table.system, table.rules, thing, name, plan.doing, hidden)
    since = campaign.since.get(character.id, 0)
    return None if person is None else replace(person, exertion=plan.exertion, location=plan.location, since=since)


def results(table: Table, before: Downtime[Any], after: Downtime[Any], characters: dict[str, str]) -> list[e.Change]:
    """What ended time changes besides conditions: plans, effects that not everybody knows of, and logs of experience."""
    changes: list[e.Change] = []
    assert table.campaign.calendar is not None
    for person in campaign_people.changed_plans(before, after):
        character_id = characters[person.name]
        plan = table.campaign.plan(character_id)
        if (plan.doing, plan.location) != (person.doing, person.location):
            changes.append(c.PlanMade(character_id, plan.exertion, person.location, person.doing))
        secret = tuple(run for run in person.runs if run.known is not None)
        if secret != table.campaign.secrets.get(character_id, ()):
            changes.append(c.SecretEffects(character_id, secret))
    for person in after.people:
        dates = {learnt.at: table.campaign.calendar.write_day(learnt.at) for learnt in person.learnt}
        entries = campaign_people.learnt_by(rules_of(table), person, dates)
        if entries:
            words = join([learnt.words for learnt in person.learnt])
            changes.append(c.ExperienceLearnt(characters[person.name], entries, words))
    return changes


def _goal(table: Table, wanted: PassTime, characters: dict[str, str]) -> Goal | None:
    if not wanted.milestone:
        return None
    names = [name for name, character_id in characters.items() if wanted.who in (character_id, name)]
    return checked_goal(
        rules_of(table), Goal(names[0] if wanted.who and names else wanted.who, wanted.milestone, wanted.about), list(characters)
    )


def _until(table: Table, wanted: PassTime, goal: Goal | None) -> int:
    campaign = table.campaign
    assert campaign.calendar is not None
    asked = ASKED in (wanted.stop_for or ())
    if bool(wanted.span) + bool(wanted.until) > 1 or not (wanted.span or wanted.until or goal or asked):
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
