"""Who gets to do what in a day: assignments take hours in the order of the plan; what does not fit waits."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from rulewright.campaign.downtime import Assignment, Downtime, OngoingEffect, Participant
from rulewright.campaign.downtime_rules import Activity, After, Change
from rulewright.play import Happened, Play, Tell

DAY_HOURS = 16
"""The hours of a day that people can fill; the rest is sleep."""
ONE_GO = 24
"""The hours of an assignment that is done in one go, with nothing beside it."""

Wait = str
"""Why an assignment waits; empty if it is being done."""
Schedule = dict[str, tuple[tuple[Assignment, Wait], ...]]
Obstacle = Callable[[Participant[Any], Assignment, Activity[Any]], str]


def hours_of(assignment: Assignment, activity: Activity[Any]) -> int:
    """The hours a day that an assignment takes."""
    return activity.hours if assignment.hours is None else assignment.hours


def schedule(state: Downtime[Any], activities: dict[str, Activity[Any]], obstacle: Obstacle) -> Schedule:
    """Every assignment of every person, with why it waits. No hour of anybody is given twice, a partner's included."""
    left = {person.name: DAY_HOURS for person in state.people}
    plan: Schedule = {}
    for person in state.people:
        lines = []
        for assignment in person.doing:
            activity = activities.get(assignment.do)
            why = f"there is no activity {assignment.do!r}" if activity is None else obstacle(person, assignment, activity)
            if activity is not None and not why:
                needed = hours_of(assignment, activity)
                others = [person.name, *_partners(assignment, activity, left)]
                wanted = DAY_HOURS if needed == ONE_GO else needed
                busy = [name for name in others if left[name] < wanted]
                why = f"{busy[0]} has no time for it yet" if busy else ""
                if not why:
                    left |= {name: left[name] - wanted for name in others}
            lines.append((assignment, why))
        plan[person.name] = tuple(lines)
    return plan


def _partners(assignment: Assignment, activity: Activity[Any], people: dict[str, int]) -> Iterator[str]:
    figure = activity.needs_partner
    yield from () if figure is None else [name for name in figure.names(assignment.get(figure.name)) if name in people]


class Paid(Happened, frozen=True):
    """Somebody pays for something."""


def apply(state: Downtime[Any], index: int, effect: OngoingEffect, after: After[Any], price: tuple[tuple[str, int], ...]) -> Downtime[Any]:
    """The state after an effect or activity of a person was due."""
    change = after if isinstance(after, Change) else Change(*after)
    person = replace(state.people[index], life=change.life)
    goes_on = () if change.effect is None else (change.effect,)
    person = _with_runs(person, goes_on, ((effect.of, effect.about),))
    person = _with_runs(person, change.runs, change.ended)
    if change.effect is None:
        person = replace(person, doing=tuple(line for line in person.doing if line.key != (effect.of, effect.about)))
    for name, amount in (*change.means, *((mean, -cost) for mean, cost in price)):
        person = person.with_means(name, person.amount(name) + amount)
    learnt = tuple(replace(entry, at=state.now) for entry in change.learnt)
    place = person.location if change.location is None else change.location
    people = [*state.people]
    people[index] = replace(person, learnt=(*person.learnt, *learnt), location=place)
    for number, other in enumerate(people):
        if change.partner is not None and other.name == change.partner[0]:
            other = _with_runs(replace(other, life=change.partner[1]), change.partner_runs, ())
            for name, amount in change.partner_means:
                other = other.with_means(name, other.amount(name) + amount)
            if change.partner_location is not None:
                other = replace(other, location=change.partner_location)
            people[number] = other
    changed = {other.name: other for other in change.others}
    for number, other in enumerate(people):
        if (now := changed.get(other.name)) is not None:
            people[number] = replace(other, life=now.life, location=other.location if now.location is None else now.location)
    return replace(state, people=tuple(people))


def _with_runs(
    person: Participant[Any],
    begun: tuple[OngoingEffect, ...],
    ended: tuple[tuple[str, str], ...],
) -> Participant[Any]:
    """A person with effects begun, replaced and ended. What goes on keeps its place."""
    fresh = {(run.of, run.about): run for run in begun}
    runs = []
    for run in person.runs:
        key = (run.of, run.about)
        if key in fresh:
            runs.append(fresh.pop(key))
        elif key not in ended:
            runs.append(run)
    return replace(person, runs=(*runs, *fresh.values()))


def pay(name: str, what: str, price: tuple[tuple[str, int], ...]) -> Play[None]:
    """Tells that somebody pays."""
    if price:
        yield from Tell(Paid(name, f"pays {', '.join(f'{amount} {mean}' for mean, amount in price)} ({what})"))
