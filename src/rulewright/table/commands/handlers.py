"""Who carries out what people ask for: a doer looks at the table and gives changes; it changes nothing itself.

(Scenes are the exception, see `scene_changes`: whether an answer fits only shows when the rules have taken it.)
"""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Dice
from rulewright.table import permissions
from rulewright.table.commands.messages import Action
from rulewright.table.log.entries import Change
from rulewright.table.state import Character, Member, Table
from rulewright.table.storage.store import Link


class Done(Struct, frozen=True):
    """What an action comes to: changes for the log, what they mean for links and seats, and what the asker is told."""

    changes: list[Change]
    made: str = ""
    """The id of what was made."""
    secret: str = ""
    """A new link, told once and kept nowhere."""
    new_links: dict[str, Link | None] = {}
    rises: tuple[str, ...] = ()
    """Members whose devices lose their seat, all but the one that asks."""
    signs_out: tuple[str, ...] = ()
    """The devices that lose their seat, each by the beginning of its hash."""


class Asked(Struct, frozen=True):
    """Who asks at which table, and where dice come from."""

    table: Table
    member: Member
    dice: Dice


A = TypeVar("A", bound=Action)
DOERS: dict[type[Action], Callable[[Asked, Any], Done]] = {}


def does(kind: type[A]) -> Callable[[Callable[[Asked, A], Done]], Callable[[Asked, A], Done]]:
    """Registers who carries out a kind of action."""

    def register(doer: Callable[[Asked, A], Done]) -> Callable[[Asked, A], Done]:
        DOERS[kind] = doer
        return doer

    return register


def known(asked: Asked, character_id: str) -> Character:
    """A character that this member may know of."""
    character = asked.table.character(character_id)
    if character.hidden and not permissions.leads(asked.member):
        raise UserError(f"there is no character {character_id[:40]!r} at this table")
    return character
