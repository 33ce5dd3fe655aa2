"""Milestones: named facts about a person that one can wait for, stop at, branch on, or ask the lab about."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from rulewright.campaign.downtime import Goal, Participant
from rulewright.campaign.downtime_rules import DowntimeRules
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.rules import nearest

EVERYBODY = "everybody"


class GeneralMilestone(Struct, frozen=True):
    """A milestone that every game has. It is about something: an activity, a location, or an amount."""

    name: str
    words: str
    about: str
    """What it is about, for forms."""
    holds: Callable[[Participant[Any], str], bool]


def _done(person: Participant[Any], about: str) -> bool:
    return all(about not in (line.aim, line.do) for line in person.doing)


def _has(person: Participant[Any], about: str) -> bool:
    number, _, name = about.partition(" ")
    return number.isdecimal() and person.amount(name.strip()) >= int(number)


GENERAL = (
    GeneralMilestone("done", "is done with", "an activity of the plan", _done),
    GeneralMilestone("at", "is at", "a location", lambda person, about: person.location == about),
    GeneralMilestone("has", "has", "an amount, such as 20 money", _has),
)
"""The milestones of every game."""


def general(name: str) -> GeneralMilestone | None:
    """A milestone of every game by name."""
    return next((milestone for milestone in GENERAL if milestone.name == name), None)


def names_of(game: DowntimeRules[Any]) -> list[str]:
    """The names of all milestones: the game's, then those of every game."""
    return [*[milestone.name for milestone in game.milestones], *[milestone.name for milestone in GENERAL]]


def words_of(game: DowntimeRules[Any], goal: Goal) -> str:
    """A goal in words: Ana can walk; Bruno is done with the ledger."""
    own = game.milestone(goal.milestone)
    if own is not None:
        return f"{goal.who or EVERYBODY} {own.words}"
    known = general(goal.milestone)
    return f"{goal.who or EVERYBODY} {known.words if known is not None else goal.milestone} {goal.about}".strip()


def holds(game: DowntimeRules[Any], goal: Goal, people: Sequence[Participant[Any]]) -> bool:
    """Whether a goal holds for everybody whom it is about; never for nobody."""
    asked = [person for person in people if goal.who in ("", person.name)]
    own, known = game.milestone(goal.milestone), general(goal.milestone)
    if own is not None:
        return bool(asked) and all(own.holds(person.life) for person in asked)
    return known is not None and bool(asked) and all(known.holds(person, goal.about) for person in asked)


def checked_goal(game: DowntimeRules[Any], goal: Goal, people: Sequence[str]) -> Goal:
    """Refuses a goal of nobody here, or one that no game knows."""
    known = names_of(game)
    if goal.milestone not in known:
        there = nearest(goal.milestone, known) or f"; there are {join(known)}"
        raise UserError(f"there is no milestone {goal.milestone[:40]!r}{there}")
    if goal.who and goal.who not in people:
        raise UserError(f"time does not pass for {goal.who[:40]!r}; choose one of {join(list(people))}")
    wanted = general(goal.milestone)
    if wanted is not None and game.milestone(goal.milestone) is None and not goal.about.strip():
        raise UserError(f"{goal.milestone} needs to say of what: {wanted.about}")
    return goal


def read_goal(game: DowntimeRules[Any], text: str, people: Sequence[str]) -> Goal:
    """A goal as people write it: Ana walks, everybody well, Bruno done the ledger."""
    written = " ".join(text.split())
    for who in sorted([*people, EVERYBODY], key=len, reverse=True):
        if written.casefold().startswith(f"{who} ".casefold()):
            rest = written[len(who) + 1 :]
            break
    else:
        raise UserError(f"say of whom: {text[:60]!r} begins with none of {join([*people, EVERYBODY])}")
    names = sorted(names_of(game), key=len, reverse=True)
    name = next((name for name in names if rest == name or rest.startswith(f"{name} ")), rest)
    return checked_goal(game, Goal("" if who == EVERYBODY else who, name, rest[len(name) :].strip()), people)
