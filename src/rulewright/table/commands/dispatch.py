"""From what somebody asks for to the changes that the log takes, whatever kind of thing it is."""

from rulewright.play import Dice
from rulewright.table import permissions
from rulewright.table.commands import characters, maps, people_and_notes, scene_drafts, scenes
from rulewright.table.commands.handlers import DOERS, Asked, Done
from rulewright.table.commands.messages import Action
from rulewright.table.state import Member, Table

DOING = (people_and_notes, characters, scene_drafts, maps, scenes)
"""The rooms whose doers are registered by being imported."""


def do(table: Table, member: Member, action: Action, dice: Dice) -> Done:
    """Carry an action out, as far as changes for the log; refuses what may not be done."""
    permissions.refuse_unless(member, action)
    return DOERS[type(action)](Asked(table, member, dice), action)
