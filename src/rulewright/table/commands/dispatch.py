"""Dispatches an action to its handler."""

from rulewright.play import Dice
from rulewright.table import permissions
from rulewright.table.commands import campaign, characters, maps, people_and_notes, plans, roll_requests, scene_drafts, scenes
from rulewright.table.commands.handlers import HANDLERS, Context, Done
from rulewright.table.commands.messages import Action
from rulewright.table.state import Member, Table
from rulewright.table.story import commands as story

HANDLER_MODULES = (people_and_notes, characters, scene_drafts, maps, scenes, roll_requests, campaign, plans, story)
"""Modules whose handlers are registered by being imported."""


def do(table: Table, member: Member, action: Action, dice: Dice) -> Done:
    """Carries an action out and returns its changes for the log; raises an error if the member may not do it."""
    permissions.check_role(member, action)
    context = Context(table, member, dice)
    return story.follow_up(context, HANDLERS[type(action)](context, action))
