"""The log as its page draws it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from rulewright.table.views import LogShown, MemberShown


class Entry(Struct, frozen=True):
    """An entry of the log with when it was, the same on a clock (UTC), and how it went."""

    line: LogShown
    at: str
    time: str
    tone: str


def entries(lines: Sequence[LogShown]) -> list[Entry]:
    """The log, the latest last."""
    result = []
    for line in lines:
        tones = [detail.tone for detail in line.details if detail.tone not in ("plain", "")]
        tone = {"success": "good", "failure": "bad"}.get(tones[-1], tones[-1]) if tones else ""
        at = datetime.fromtimestamp(line.at // 1_000_000, UTC)
        result.append(Entry(line, at.strftime("%Y-%m-%dT%H:%M:%SZ"), at.strftime("%H:%M"), tone))
    return result


def faces(members: Sequence[MemberShown]) -> list[MemberShown]:
    """Who is here, the gamemaster first."""
    return sorted((member for member in members if member.here), key=lambda member: member.role != "gamemaster")
