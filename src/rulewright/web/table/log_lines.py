"""The log as its page shows it."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from rulewright.table.views import LogShown, MemberShown


class Entry(Struct, frozen=True):
    """A log entry with its date, its time (UTC), its tone and its kind."""

    line: LogShown
    at: str
    time: str
    tone: str
    kind: str = ""
    """`event` for results, `step` for decisions and rolls that lead to one, `talk`, `change` for bookkeeping, `scene` for the rest."""
    round: str = ""
    """The round that begins with this entry; `new` if the game does not number it here."""


ROUND = re.compile(r"(Round \d+)\b|Initiative:")
HEADLINE = re.compile(
    r"\b(wounds?|wounded|dies|dead|death|killed|slain|destroyed|disabled|unconscious|knocked out|casualty|surrenders|flees|victory)\b",
    re.IGNORECASE,
)
SCENE_ENTRIES = ("scene begun", "scene resumed", "scene ended", "newcomer", "carried on", "undo", "redo", "test", "note")
"""Entries of the table that are told in full; the others are bookkeeping."""


def is_headline(text: str) -> bool:
    """Whether an event is a headline: a wound, a death, a victory."""
    return HEADLINE.search(text) is not None and "only a scratch" not in text


def _kind(line: LogShown) -> str:
    if line.sort == "said":
        return "talk"
    if line.sort == "play" and not line.undone:
        return "event" if any(detail.sort != "decision" and detail.sort != "roll" for detail in line.details) else "step"
    return "scene" if line.sort in ("play", *SCENE_ENTRIES) else "change"


def _round(line: LogShown) -> str:
    for detail in line.details:
        match = ROUND.match(detail.text) if detail.sort == "event" else None
        if match is not None:
            return match[1] or "new"
    return ""


def entries(lines: Sequence[LogShown]) -> list[Entry]:
    """The log, the latest entry last."""
    shown = []
    for line in lines:
        tones = [detail.tone for detail in line.details if detail.tone not in ("plain", "")]
        tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
        at = datetime.fromtimestamp(line.at // 1_000_000, UTC)
        shown.append(Entry(line, at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%H:%M"), tone, _kind(line), _round(line)))
    return shown


def present_members(members: Sequence[MemberShown]) -> list[MemberShown]:
    """The members who are present, the gamemaster first."""
    return sorted((member for member in members if member.here), key=lambda member: member.role != "gamemaster")
