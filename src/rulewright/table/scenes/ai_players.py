"""Those who play by themselves at a table: which questions wait for them, and what is thought about on whose behalf.

The thinking itself is done elsewhere, in the background; a table only knows who thinks, and takes the answer like any other.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rulewright.play import Choice, Given, Tactic
from rulewright.scenes.question_snapshot import Moment, Past
from rulewright.table import permissions
from rulewright.table.commands.scenes import PLAYS, tactic_of
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.state import Member, Table


class Waiting(Struct, frozen=True):
    """A question to think about: where it stands, how well it is to be thought about, and all that it takes to do so elsewhere."""

    scene: int
    at: int
    mark: str
    who: str
    level: str
    moment: Moment
    past: Past
    """What was decided before, from which others are known."""
    decide: Tactic
    tactics: Mapping[str, Tactic]


def waiting(table: Table) -> Waiting | None:
    """The first question that waits for somebody who plays by themselves."""
    for stage in table.open_scenes():
        if not any(hand.tactic in PLAYS for hand in stage.hands.values()):
            continue
        for question in stage.questions():
            hand = stage.hands.get(question.who)
            if hand is not None and hand.tactic in PLAYS and isinstance(question.request, Choice):
                return _asked(table, stage, question, PLAYS[hand.tactic])
    return None


def for_a_hint(table: Table, stage: Stage, member: Member, at: int, mark: str, level: str) -> Waiting | None:
    """A question that somebody wants a hint for; None where there is nothing to decide. Refused where hints are not allowed."""
    if not permissions.leads(member) and not table.hints:
        raise permissions.Forbidden("the gamemaster has not allowed hints at this table")
    question = permissions.question(table, stage, member, at, mark)
    return _asked(table, stage, question, level) if isinstance(question.request, Choice) else None


def _asked(table: Table, stage: Stage, question: Question, level: str) -> Waiting:
    by_name = {who: tactic_of(stage, who, name) for who, name in table.tactics(stage).items()}
    usual = tactic_of(stage, "")

    def decide(choice: Choice[Any]) -> Given:
        return by_name.get(choice.who, usual)(choice)

    encounter = stage.encounter
    moment, past = encounter.moment(question.at), encounter.past()
    return Waiting(stage.number, question.at, question.mark, question.who, level, moment, past, decide, stage.staging.tactics)
