"""Reads plans and effects as people write them: arguments in words become checked values."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from msgspec import Struct

from rulewright.campaign.activities.schedule import DAY_HOURS, ONE_GO, hours_of
from rulewright.campaign.calendar import read_span
from rulewright.campaign.downtime import Assignment, OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, DowntimeRules, Figure
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import Ruleset, nearest


class Around(Struct, frozen=True):
    """What a plan may name: the other people and the locations, and the tests of the person's sheet by name."""

    people: Collection[str] = ()
    locations: Collection[str] = ()
    tests: Mapping[str, str] = {}
    """The key of each test by its name and by its key, in lower case."""


def read_assignment(
    rules: Ruleset, activities: Mapping[str, Activity[Any]], do: str, given: Mapping[str, Value], hours: int | None, around: Around
) -> Assignment:
    """One line of a plan from its arguments; an error says what is wrong with them."""
    activity = activities.get(do)
    if activity is None:
        raise UserError(f"there is no activity {do[:40]!r}{nearest(do, activities)}; choose one of {join(list(activities), 'or')}")
    values = read_arguments(activity, given, around)
    activity.refuse(rules, values)
    if hours is not None and not (0 <= hours <= DAY_HOURS or hours == ONE_GO):
        raise UserError(f"an activity gets 0 to {DAY_HOURS} hours a day, or {ONE_GO} in one go, not {hours}")
    usual = {argument.name: argument.usual for argument in activity.arguments}
    said = tuple(sorted((name, value) for name, value in values.items() if value != usual[name]))
    line = Assignment(do, activity.about(values), said, None if hours == activity.hours else hours)
    if activity.hours and hours_of(line, activity) == 0:
        raise UserError(f"{do} takes time: give it 1 to {DAY_HOURS} hours a day, or {ONE_GO} in one go")
    return line


def read_effect(rules: Ruleset, game: DowntimeRules[Any], of: str, given: Mapping[str, Value], hidden: bool | None) -> OngoingEffect:
    """An effect that the gamemaster begins; hidden as is usual for its kind, unless said otherwise."""
    known = {kind.name: kind for kind in game.effects if kind.label}
    kind = known.get(of)
    if kind is None:
        there = f"; choose one of {join(list(known), 'or')}" if known else "; this game has none that can be begun"
        raise UserError(f"there is no effect {of[:40]!r}{nearest(of, known)}{there}")
    effect = kind.begun(rules, read_arguments(kind, given, Around()))
    secret = kind.hidden if hidden is None else hidden
    return OngoingEffect(effect.of, effect.about, effect.spent, effect.data, () if secret else None)


class Asking(Protocol):
    """Something with arguments: an activity, an effect, a generator of notes."""

    name: str
    arguments: tuple[Figure, ...]


def read_arguments(kind: Asking, given: Mapping[str, Value], around: Around) -> dict[str, Value]:
    """Every argument with its value; an error names the first that cannot be."""
    known = {argument.name: argument for argument in kind.arguments}
    for name in given:
        if name not in known:
            there = f"; it takes {join(list(known))}" if known else "; it takes nothing"
            raise UserError(f"{kind.name}: there is no {name[:40]!r}{nearest(name, known) or there}")
    values = {name: _read(argument, given.get(name, ""), around) for name, argument in known.items()}
    for name, value in values.items():
        if fault := known[name].fault(value):
            raise UserError(f"{kind.name}: {fault}")
    return values


def _read(argument: Figure, value: Value, around: Around) -> Value:
    if isinstance(value, str):
        value = value.strip()
    if value == "":
        return argument.usual
    if argument.takes == "span":
        return read_span(value) if isinstance(value, str) else value
    if argument.takes == "person":
        return _one_of(str(value), around.people, "person")
    if argument.takes == "people":
        return ", ".join(_one_of(name, around.people, "person") for name in argument.names(value))
    if argument.takes == "location":
        return _one_of(str(value), around.locations, "location")
    if argument.takes == "test":
        key = around.tests.get(str(value).casefold())
        if key is None:
            raise UserError(f"the sheet has no test {str(value)[:40]!r}{nearest(str(value), around.tests)}")
        return key
    if argument.takes or argument.words:
        return str(value)
    try:
        return int(str(value).replace("−", "-"))
    except ValueError:
        raise UserError(f"{argument.label} is a number from {argument.low} to {argument.high}, not {str(value)[:40]!r}") from None


def _one_of(value: str, known: Collection[str], what: str) -> str:
    if value not in known:
        there = f"; there are {join(list(known))}" if known else "; there is none"
        raise UserError(f"there is no {what} {value[:40]!r}{nearest(value, known) or there}")
    return value
