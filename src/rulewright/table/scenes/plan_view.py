"""A character's plan as its player and the gamemaster see it: what is being done, what waits and why, and what could be planned."""

from typing import Any

from msgspec import Struct

from rulewright.campaign.calendar import DAY, HOUR, write_span
from rulewright.campaign.downtime import Downtime, Goal, Participant, as_known
from rulewright.campaign.downtime_rules import Activity, EffectKind, Figure
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.campaign.milestone_chances import Times, goal_times
from rulewright.campaign.milestones import holds, words_of
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.scenes.downtime import around, build_downtime, scene_of
from rulewright.table.state import Character, Table

HORIZON = "6 months"
"""How far ahead the chance of an activity looks."""


class LineShown(Struct, frozen=True):
    """One activity of a plan: what it is, what is due next and when, why it waits, and by when it is likely to be done."""

    activity: str
    aim: str
    words: str
    next: str
    waits: str
    likely: str
    rule: str


class ActivityShown(Struct, frozen=True):
    """Something that can be planned or begun, with its arguments."""

    name: str
    label: str
    arguments: tuple[Figure, ...]
    hours: int
    rule: str
    hidden: bool = False


class EffectShown(Struct, frozen=True):
    """An ongoing effect that the gamemaster may end."""

    of: str
    about: str
    words: str
    hidden: bool


class PlanShown(Struct, frozen=True):
    """A character's plan."""

    character: str
    name: str
    lines: tuple[LineShown, ...]
    means: tuple[tuple[str, int], ...]
    activities: tuple[ActivityShown, ...]
    effects: tuple[ActivityShown, ...]
    """What the gamemaster may begin."""
    running: tuple[EffectShown, ...]
    people: tuple[str, ...]
    locations: tuple[str, ...]
    tests: tuple[str, ...]
    ahead: tuple[tuple[str, str], ...] = ()
    """When the person reaches milestones such as walking, in words: the milestone, and by when it is how likely."""


def plan_shown(table: Table, character: Character, leads: bool, seconds: float = 0.5) -> PlanShown:
    """A character's plan with what it can hold; an error for one that does not live through time."""
    built = build_downtime(table, PassTime(span=HORIZON, stops=False))
    name = next((name for name, character_id in built.characters.items() if character_id == character.id), None)
    if name is None:
        raise UserError(f"{character.name} makes no plans: {table.system.name} knows no downtime for this kind of character")
    scene = scene_of(table)
    state = scene.settled(built.downtime if leads else as_known(built.downtime, name))
    person = state.participant(name)
    goals = _goals(scene, state, person)
    likely = dict(zip(goals, goal_times(scene, state, list(goals), seconds, seconds / 2), strict=True))
    known = around(table, character)
    means = {**dict(person.owned), **dict(person.means)}
    return PlanShown(
        character.id,
        name,
        tuple(_line(scene, state, person, number, likely) for number in range(len(person.doing))),
        tuple(sorted(means.items())),
        tuple(_shown(activity) for activity in scene.activities.values()),
        tuple(_shown(kind) for kind in scene.game.effects if kind.label) if leads else (),
        _running(scene, state, person) if leads else (),
        tuple(known.people),
        tuple(known.locations),
        tuple(sorted({test.name for test in table.system.sheet(table.rules, character.thing(table.system)).tests().values()})),
        tuple((words_of(scene.game, goal), _likely(likely[goal], state)) for goal in goals if goal.milestone != "done"),
    )


def _goals(scene: DowntimeScene, state: Downtime[Any], person: Participant[Any]) -> tuple[Goal, ...]:
    """What the plan is about: every activity that does not wait is done, and the person walks and is well again."""
    lines = [Goal(person.name, "done", line.aim or line.do) for line, why in scene.schedule(state)[person.name] if not why]
    body = [Goal(person.name, milestone.name) for milestone in scene.game.milestones if milestone.name in ("walks", "well")]
    return (*dict.fromkeys(lines), *[goal for goal in body if not holds(scene.game, goal, (person,))])


def _shown(kind: EffectKind[Any]) -> ActivityShown:
    hours = kind.hours if isinstance(kind, Activity) else 0
    return ActivityShown(kind.name, kind.label or kind.name, kind.arguments, hours, kind.rules[0] if kind.rules else "", kind.hidden)


def _line(scene: DowntimeScene, state: Downtime[Any], person: Participant[Any], number: int, likely: dict[Goal, Times | None]) -> LineShown:
    line, waits = scene.schedule(state)[person.name][number]
    effect = next((run for run in person.runs if (run.of, run.about) == line.key), None)
    kind = scene.activities.get(line.do)
    if effect is None or kind is None:
        return LineShown(line.do, line.aim, line.do, "", waits or "this game does not know it", "", "")
    case = scene.case(state, person, kind, effect)
    left = scene.remaining(state, person, effect)
    price = ", ".join(f"{amount} {mean}" for mean, amount in kind.price(scene.rules, case))
    due = "" if left is None else f"in {write_span(left)}{f', for {price}' if price else ''}"
    times = None if waits else likely.get(Goal(person.name, "done", line.aim or line.do))
    rule = kind.rules[0] if kind.rules else ""
    words = kind.words(scene.rules, case, effect)
    ahead = _likely(times, state)
    ahead = f"done{'' if ahead.startswith('in ') else ':'} {ahead}" if ahead else ""
    return LineShown(line.do, line.aim, words, due, waits, ahead, rule)


def _likely(times: Times | None, state: Downtime[Any]) -> str:
    """By when something is likely: exactly, or with the interval of a sample."""
    if times is None:
        return ""
    if len(times.shares) == 1 and times.chance == 1 and not times.runs:
        return f"in {_about(times.shares[0][0] - state.now)}"
    spans = [(chance, times.by(chance)) for chance in (0.5, 0.95)]
    known = [f"{chance:.0%} in {_about(moment - state.now)}" for chance, moment in spans if moment is not None]
    words = join(known) if known else f"{times.chance:.1%} within {HORIZON}"
    if not times.runs:
        return words
    low, high = times.interval
    return f"{words} (sampled: {low:.0%} to {high:.0%} within {HORIZON})"


def _about(seconds: int) -> str:
    """A span, to the day where it is long."""
    return write_span(seconds if seconds < 2 * DAY else -(-seconds // HOUR) * HOUR)


def _running(scene: DowntimeScene, state: Downtime[Any], person: Participant[Any]) -> tuple[EffectShown, ...]:
    shown = []
    for run in person.runs:
        kind = scene.game.kind(run.of)
        if kind is not None and kind.label:
            words = kind.words(scene.rules, scene.case(state, person, kind, run), run)
            shown.append(EffectShown(run.of, run.about, words, run.known is not None))
    return tuple(shown)
