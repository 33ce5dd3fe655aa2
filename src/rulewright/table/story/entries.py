"""Log entries of an adventure at a table. The rules of `log.entries` about compatibility apply."""

from typing import Any

from msgspec import field

from rulewright.scenes.record import Begun
from rulewright.table.log.entries import Change, PlayEntry


class StoryBegun(Change, frozen=True, tag="story begun"):
    """An adventure begins, with everything that it needs. Its people, maps, handouts and tallies are objects of the table, by their ids."""

    begun: Begun
    adventure: dict[str, Any]
    scenarios: dict[str, Any] = field(default_factory=dict)
    """The scenarios of its fights, as plain data with their maps."""
    ready: tuple[str, ...] = ()
    people: dict[str, str] = field(default_factory=dict)
    handouts: dict[str, str] = field(default_factory=dict)
    tallies: dict[str, str] = field(default_factory=dict)
    solo: bool = False
    """Whether players lead themselves: they choose the ways, and nobody sees what the gamemaster would."""
    maps: dict[str, str] = field(default_factory=dict)


class StoryPlayed(Change, frozen=True, tag="story"):
    """A step of the story: a choice, the result of a request or fight, or an undo. `playing` is the scene that it leads to."""

    entry: PlayEntry
    playing: int = 0


class StoryLeft(Change, frozen=True, tag="story left"):
    """The adventure is put away. Its people and handouts stay."""
