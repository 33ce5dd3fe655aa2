"""The details of the time that passed last: every event and roll that a member may see."""

from rulewright.table.service import Tables
from rulewright.table.views import Detail, TableShown

MOST_LINES = 600
"""How many lines of the log are searched."""


def digest_details(tables: Tables, seen: TableShown) -> list[Detail]:
    """What happened in the time that passed last, as the member of a view may know it; nothing after another scene."""
    digest = seen.campaign.digest
    if digest is None:
        return []
    lines = tables.log(seen.id, seen.me.id, most=MOST_LINES)
    return [told for line in lines if line.scene == digest.scene for told in line.details if told.sort in ("roll", "event")]
