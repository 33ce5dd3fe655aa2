"""Changes that add several things to a table at once: each gets an unused id."""

from typing import Any

from rulewright.errors import UserError
from rulewright.table import limits
from rulewright.table.commands.characters import character_data
from rulewright.table.log import entries as e
from rulewright.table.state import Table


class Additions:
    """The changes so far, with unused ids."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.changes: list[e.Change] = []
        self.ids: set[str] = set()

    def fresh(self, letter: str) -> str:
        """An unused id."""
        new_id = self.table.fresh_id(letter, self.ids)
        self.ids.add(new_id)
        return new_id

    def refuse_too_many(self, characters: int, maps: int = 0) -> None:
        """Refuses more characters and maps than a table has room for."""
        full = len(self.table.characters) + characters > limits.CHARACTERS or len(self.table.maps) + maps > limits.MAPS
        if full:
            raise UserError("this table has no room for these people and maps; remove some first")

    def character(self, thing: Any, hidden: bool) -> str:
        """Add a character; returns its id."""
        kind = next(kind for kind, saved in self.table.system.kinds.items() if isinstance(thing, saved))
        character_id = self.fresh("c")
        self.changes.append(e.CharacterAdded(character_id, kind, character_data(thing), "", hidden))
        return character_id
