"""A character's plan as its player and the gamemaster see it: what is being done, what waits and why, and what could be planned."""

from typing import Any

from msgspec import Struct

from rulewright.campaign.calendar import DAY, HOUR, write_span
from rulewright.campaign.downtime import Downtime, Goal, Participant
from rulewright.campaign.downtime_rules import Activity, EffectKind, Figure
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.campaign.milestone_chances import milestone_times
from rulewright.errors import UserError
from rulewright.play.odds import Budget
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


def plan_shown(table: Table, character: Character, leads: bool, seconds: float = 0.5) -> PlanShown:
    """A character's plan with what it can hold; an error for one that does not live through time."""
    built = build_downtime(table, PassTime(span=HORIZON, stops=False))
    name = next((name for name, character_id in built.characters.items() if character_id == character.id), None)
    if name is None:
        raise UserError(f"{character.name} makes no plans: {table.system.name} knows no downtime for this kind of character")
    scene = scene_of(table)
    state = scene.settled(built.downtime)
    person = state.participant(name)
    budget = Budget(seconds=seconds)
    known = around(table, character)
    means = {**dict(person.owned), **dict(person.means)}
    return PlanShown(
        character.id,
        name,
        tuple(_line(scene, state, person, number, budget) for number in range(len(person.doing))),
        tuple(sorted(means.items())),
        tuple(_shown(activity) for activity in scene.activities.values()),
        tuple(_shown(kind) for kind in scene.game.effects if kind.label) if leads else (),
        _running(scene, state, person) if leads else (),
        tuple(known.people),
        tuple(known.locations),
        tuple(sorted({test.name for test in table.system.sheet(table.rules, character.thing(table.system)).tests().values()})),
    )


def _shown(kind: EffectKind[Any]) -> ActivityShown:
    hours = kind.hours if isinstance(kind, Activity) else 0
    return ActivityShown(kind.name, kind.label or kind.name, kind.arguments, hours, kind.rules[0] if kind.rules else "", kind.hidden)


def _line(scene: DowntimeScene, state: Downtime[Any], person: Participant[Any], number: int, budget: Budget) -> LineShown:
    line, waits = scene.schedule(state)[person.name][number]
    effect = next((run for run in person.runs if (run.of, run.about) == line.key), None)
    kind = scene.activities.get(line.do)
    if effect is None or kind is None:
        return LineShown(line.do, line.aim, line.do, "", waits or "this game does not know it", "", "")
    case = scene.case(state, person, kind, effect)
    left = scene.remaining(state, person, effect)
    price = ", ".join(f"{amount} {mean}" for mean, amount in kind.price(scene.rules, case))
    due = "" if left is None else f"in {write_span(left)}{f', for {price}' if price else ''}"
    likely = "" if waits else _likely(scene, state, person, line.aim or line.do, budget)
    return LineShown(line.do, line.aim, kind.words(scene.rules, case, effect), due, waits, likely, kind.rules[0] if kind.rules else "")


def _likely(scene: DowntimeScene, state: Downtime[Any], person: Participant[Any], about: str, budget: Budget) -> str:
    times = milestone_times(scene, state, Goal(person.name, "done", about), budget)
    if times is None or not times.shares:
        return ""
    spans = [(chance, times.by(chance)) for chance in (0.5, 0.95)]
    known = [f"{chance:.0%} in {_about(moment - state.now)}" for chance, moment in spans if moment is not None]
    if len(times.shares) == 1 and times.chance == 1:
        return f"done in {_about(times.shares[0][0] - state.now)}"
    return f"done: {', '.join(known)}" if known else f"done in {HORIZON}: {times.chance:.1%}"


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
