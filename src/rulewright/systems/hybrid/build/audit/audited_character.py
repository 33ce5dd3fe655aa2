"""The audited character: its file, the version that the rules can count, plain data, and edits to the file."""

from typing import Any

import msgspec

from rulewright.build.audit import MOST_REPAIRS, Repair
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.people.characters import Character
from rulewright.systems.hybrid.people.creation import plain_field, sound


class Checked:
    """A character under audit. `fair` is the same with everything out that no rule can count."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.fair = sound(rules, character)
        self.plain: dict[str, Any] = msgspec.to_builtins(character)
        self.dropped = 0

    def drop(self, part: str, key: str | int, text: str = "leave it out") -> Repair:
        """Take one entry out of a list or a mapping."""
        self.dropped += 1
        return self.without(part, key, text) if self.dropped <= MOST_REPAIRS else Repair(text)

    def without(self, part: str, key: str | int, text: str) -> Repair:
        """The same, however many there were before."""
        result: Any = self.plain
        for step in part.split("."):
            result = result[step]
        if isinstance(result, dict):
            return Repair(text, part, {name: value for name, value in result.items() if name != key})
        place = int(key)
        return Repair(text, part, [*result[:place], *result[place + 1 :]])

    def put(self, part: str, key: str, value: Any, text: str) -> Repair:
        """Give one named entry another value, whatever its name."""
        field = plain_field(part, key)
        if field != part:
            return Repair(text, field, value)
        result = self.plain[part]
        return Repair(text, part, {**result, key: value})

    def rename(self, part: str, key: str, name: str) -> Repair:
        """Give one named entry another name."""
        result = self.plain[part]
        return Repair(f"write {name}", part, {name if outcome == key else outcome: value for outcome, value in result.items()})
