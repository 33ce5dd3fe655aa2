"""AI players at a table: which questions wait for them, and what the search needs to answer.

The search itself runs elsewhere in the background; the table takes its answer like any other.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Choice, Given, Tactic
from rulewright.scenes.question_snapshot import Moment, Past
from rulewright.table import permissions
from rulewright.table.commands.scenes import PLAYS, tactic_of
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.state import Member, Table


class Waiting(Struct, frozen=True):
    """A question for the AI: where it is open, the level to play at, and everything needed to answer it in another process."""

    scene: int
    at: int
    mark: str
    who: str
    level: str
    moment: Moment
    past: Past
    """Earlier decisions, from which others' habits are inferred."""
    decide: Tactic
    tactics: Mapping[str, Tactic]


def waiting(table: Table) -> Waiting | None:
    """The first question that waits for an AI player."""
    for stage in table.open_scenes():
        if not any(hand.tactic in PLAYS for hand in stage.hands.values()):
            continue
        for question in stage.questions():
            hand = stage.hands.get(question.who)
            if hand is not None and hand.tactic in PLAYS and isinstance(question.request, Choice):
                return _waiting_for(table, stage, question, PLAYS[hand.tactic])
    return None


def for_a_hint(table: Table, stage: Stage, member: Member, at: int, mark: str, level: str) -> Waiting | None:
    """A question for a hint; None if there is nothing to decide. Raises an error if hints are off."""
    if not permissions.is_gamemaster(member) and not table.hints:
        raise permissions.Forbidden("hints are off at this table; the gamemaster can turn them on")
    question = permissions.open_question(table, stage, member, at, mark)
    return _waiting_for(table, stage, question, level) if isinstance(question.request, Choice) else None


class Played(Struct, frozen=True):
    """A scene that is over, for a look back in another process: the decisions, the tactics, and the people whom a member controlled."""

    past: Past
    decide: Tactic
    tactics: Mapping[str, Tactic]
    people: tuple[str, ...]


def for_a_review(table: Table, stage: Stage, member: Member) -> Played:
    """What a member decided in a scene that is over."""
    encounter = stage.encounter
    scene, state = encounter.scene, encounter.state
    if scene.result(state) is None:
        raise UserError("a look back is possible when the scene is over")
    names = [name for side in scene.sides(state).values() for name in side]
    people = [name for name in names if table.decides(stage, name) == member.id and not (name in stage.hands and stage.hands[name].tactic)]
    return Played(encounter.past(), _tactic_of_all(table, stage), stage.staging.tactics, tuple(people))


def _tactic_of_all(table: Table, stage: Stage) -> Tactic:
    tactic_by_combatant = {who: tactic_of(stage, who, name) for who, name in table.tactics(stage).items()}
    default = tactic_of(stage, "")

    def decide(choice: Choice[Any]) -> Given:
        return tactic_by_combatant.get(choice.who, default)(choice)

    return decide


def _waiting_for(table: Table, stage: Stage, question: Question, level: str) -> Waiting:
    encounter = stage.encounter
    moment, past, decide = encounter.moment(question.at), encounter.past(), _tactic_of_all(table, stage)
    return Waiting(stage.number, question.at, question.mark, question.who, level, moment, past, decide, stage.staging.tactics)
