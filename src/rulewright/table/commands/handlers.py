"""Registers the handlers of actions. A handler reads the table and returns changes; it changes nothing itself.

Scenes are the exception (see `commands.scenes`): whether an answer is valid only shows after the encounter has taken it.
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
    """The result of an action: changes for the log, their effects on links and seats, and what the requester is told."""

    changes: list[Change]
    made: str = ""
    """The id of a new object."""
    secret: str = ""
    """A new link; it is shown once and stored only as a hash."""
    new_links: dict[str, Link | None] = {}
    members_signed_out: tuple[str, ...] = ()
    """Members whose devices lose their seats, except the device that asks."""
    devices_signed_out: tuple[str, ...] = ()
    """The devices that lose their seat, each by the first characters of its hash."""


class Context(Struct, frozen=True):
    """The table, the member who asks, and the source of dice."""

    table: Table
    member: Member
    dice: Dice


A = TypeVar("A", bound=Action)
HANDLERS: dict[type[Action], Callable[[Context, Any], Done]] = {}


def handles(kind: type[A]) -> Callable[[Callable[[Context, A], Done]], Callable[[Context, A], Done]]:
    """Registers the handler of a kind of action."""

    def register(handler: Callable[[Context, A], Done]) -> Callable[[Context, A], Done]:
        HANDLERS[kind] = handler
        return handler

    return register


def known_character(context: Context, character_id: str) -> Character:
    """A character that this member may know of; raises an error otherwise."""
    character = context.table.character(character_id)
    if character.hidden and not permissions.is_gamemaster(context.member):
        raise UserError(f"there is no character {character_id[:40]!r} at this table")
    return character
