"""The log as its page draws it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from rulewright.table.views import LogShown, MemberShown
from rulewright.web.bars import Term, terms


class Told(Struct, frozen=True):
    """A part of a log entry: the sentence, dice, and the sum behind it."""

    sort: str
    text: str
    tone: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    dice: str
    terms: tuple[Term, ...]
    undone: bool
    secret: bool
    who: str = ""
    asked: str = ""
    answer: str = ""
    """Of a decision: whose it was, what was asked and what they chose."""
    typed: bool = False


class Entry(Struct, frozen=True):
    """An entry of the log. `at` is when it was, `time` the same on a clock (UTC)."""

    mark: str
    at: str
    time: str
    by: str
    sort: str
    text: str
    tone: str
    details: tuple[Told, ...]
    secret: bool
    undone: bool
    back_to: int | None = None
    """The gamemaster can go back before this entry of the scene."""
    scene: int = 0
    to: str = ""
    """For whom alone it was, by name."""
    answered_for: str = ""


def entries(lines: Sequence[LogShown]) -> list[Entry]:
    """The log, the latest last."""
    found = []
    for line in lines:
        details = tuple(
            Told(
                detail.sort,
                detail.text,
                detail.tone,
                detail.faces,
                detail.kept,
                detail.dice,
                tuple(terms(detail.reasons)),
                detail.undone,
                detail.secret,
                detail.who,
                detail.asked,
                detail.answer,
                detail.typed,
            )
            for detail in line.details
        )
        tones = [detail.tone for detail in details if detail.tone not in ("plain", "")]
        tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
        at = datetime.fromtimestamp(line.at // 1_000_000, UTC)
        found.append(
            Entry(
                line.mark,
                at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                at.strftime("%H:%M"),
                line.by_name,
                line.sort,
                line.text,
                tone,
                details,
                line.secret,
                line.undone,
                line.entry,
                line.scene,
                ", ".join(line.to),
                line.for_name,
            )
        )
    return found


def faces(members: Sequence[MemberShown]) -> list[MemberShown]:
    """Who is here, the gamemaster first."""
    return sorted((member for member in members if member.here), key=lambda member: member.role != "gamemaster")
