"""From what somebody asks for to the changes that the log takes, whatever kind of thing it is."""

from rulewright.play import Dice
from rulewright.table import changes, characters, drafts, map_changes, rights, scene_changes
from rulewright.table.actions import Action
from rulewright.table.doers import DOERS, Asked, Done
from rulewright.table.state import Member, Table

DOING = (changes, characters, drafts, map_changes, scene_changes)
"""The rooms whose doers are registered by being imported."""


def do(table: Table, member: Member, action: Action, dice: Dice) -> Done:
    """Carry an action out, as far as changes for the log; refuses what may not be done."""
    rights.refuse_unless(member, action)
    return DOERS[type(action)](Asked(table, member, dice), action)
