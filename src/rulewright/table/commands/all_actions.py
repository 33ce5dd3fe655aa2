"""All actions as one type, for decoding requests."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from rulewright.table.commands import campaign_messages as campaign_messages
from rulewright.table.commands import messages
from rulewright.table.story import messages as story_messages  # noqa: F401 - its actions are subclasses too

if TYPE_CHECKING:
    AnyAction = messages.Action
else:
    AnyAction = reduce(or_, messages.Action.__subclasses__())
"""Any action, discriminated by `do`."""
