"""Opens a new table for an adventure: led by a gamemaster, or for players alone."""

from rulewright.adventure.package import PICTURES, write_zip
from rulewright.playthrough.loader import Opened
from rulewright.table import limits, links
from rulewright.table.commands.messages import AllowHints
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables
from rulewright.table.storage import pictures
from rulewright.table.story.messages import StartStory

EMPTY_SEAT = "Rulewright"
"""The name of the gamemaster of a table where players lead themselves. Nobody has this seat; tactics answer for it."""


def host_adventure(tables: Tables, opened: Opened, device: str, gamemaster: str = "Gamemaster") -> Hosting:
    """Open a table with an adventure laid out; the device becomes its gamemaster."""
    hosting = _hosted(tables, opened, gamemaster, device)
    start_adventure(tables, hosting.table, hosting.member, opened)
    return hosting


def host_alone(tables: Tables, opened: Opened, device: str, name: str = "Guest") -> Hosting:
    """Open a table for players without a gamemaster; the device becomes its first player. The invite link is for the others."""
    hosting = _hosted(tables, opened, EMPTY_SEAT, links.token())
    tables.join(hosting.table, hosting.invitation, name, device)
    tables.act(hosting.table, hosting.member, AllowHints(True))
    start_adventure(tables, hosting.table, hosting.member, opened, solo=True)
    return hosting


def _hosted(tables: Tables, opened: Opened, gamemaster: str, device: str) -> Hosting:
    adventure = opened.adventure
    settings = dict(adventure.settings)
    return tables.host(opened.system.id, limits.name(adventure.name[:60]), gamemaster, device, preset=adventure.preset, settings=settings)


def start_adventure(tables: Tables, table_id: str, gamemaster: str, opened: Opened, solo: bool = False) -> None:
    """Lay an adventure into a table, with the pictures of its handouts."""
    names = dict.fromkeys(handout.picture for handout in opened.adventure.handouts.values() if handout.picture in opened.content)
    kept = {name: pictures.keep(tables, table_id, gamemaster, opened.content[name], name.rpartition("/")[2][:60]) for name in names}
    texts_only = {name: content for name, content in opened.content.items() if name in names or not name.endswith(PICTURES)}
    tables.act(table_id, gamemaster, StartStory(packed=write_zip(texts_only), solo=solo, pictures=kept))
