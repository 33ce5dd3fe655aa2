"""The log as its page shows it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from rulewright.table.views import LogShown, MemberShown


class Entry(Struct, frozen=True):
    """A log entry with its date, its time (UTC) and its tone."""

    line: LogShown
    at: str
    time: str
    tone: str


def entries(lines: Sequence[LogShown]) -> list[Entry]:
    """The log, the latest entry last."""
    shown = []
    for line in lines:
        tones = [detail.tone for detail in line.details if detail.tone not in ("plain", "")]
        tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
        at = datetime.fromtimestamp(line.at // 1_000_000, UTC)
        shown.append(Entry(line, at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%H:%M"), tone))
    return shown


def present_members(members: Sequence[MemberShown]) -> list[MemberShown]:
    """The members who are present, the gamemaster first."""
    return sorted((member for member in members if member.here), key=lambda member: member.role != "gamemaster")
