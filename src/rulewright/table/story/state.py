"""The adventure of a table: replayed from the log, with the ids of everything that it laid into the table."""

from collections.abc import Callable
from typing import Any

import msgspec

from rulewright.adventure.format import Adventure
from rulewright.adventure.scene import AdventureScene
from rulewright.adventure.story import Story
from rulewright.rules import House
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import AnyEntry, Redone, Undone
from rulewright.system import System
from rulewright.table.story.entries import StoryBegun, StoryPlayed


class TableStory:
    """An adventure in play at a table."""

    def __init__(self, system: System, change: StoryBegun) -> None:
        self.system, self.change = system, change
        self.adventure = msgspec.convert(change.adventure, Adventure)
        self.entries: list[AnyEntry] = []
        self.playing = 0
        """The scene that the story waits for: a roll request or a fight; 0 if there is none."""
        self.counted = 0
        """The seconds that this scene has added to the table's clock."""
        self.told: dict[int, str] = {}
        """What each line of the log told, by its number."""
        self.encounter: Encounter[Story] = self.replayed(None)

    @property
    def solo(self) -> bool:
        """Whether players lead themselves."""
        return self.change.solo

    @property
    def story(self) -> Story:
        """The state of the story."""
        return self.encounter.state

    def replayed(self, keep: Callable[[AnyEntry], None] | None) -> Encounter[Story]:
        """A copy of the encounter, on which an action can be tried; `keep` receives its entries."""
        begun = self.change.begun
        rules = self.system.book.ruleset(house=House(begun.settings, begun.tables))
        return Encounter(AdventureScene(rules, self.adventure), [begun, *self.entries], keep)

    def take(self, seq: int, change: StoryPlayed) -> int:
        """Apply a line of the log; returns the seconds that the story took beyond what its scene has counted already."""
        before = self.story
        self.encounter.take(change.entry)
        self.entries.append(change.entry)
        after = self.story
        undone = isinstance(change.entry, Undone | Redone)
        self.told[seq] = "The last step of the story is undone" if undone else _told(self.adventure, before, after)
        passed = after.clock - before.clock
        if change.playing:
            self.playing, self.counted = change.playing, 0
        elif not after.pending:
            passed, self.playing, self.counted = passed - self.counted, 0, 0
        return passed


def _told(adventure: Adventure, before: Story, after: Story) -> str:
    """What a step told everybody."""
    node = adventure.nodes[after.node]
    parts = [*after.news] if after.steps != before.steps else []
    if after.node != before.node:
        parts.append(f"The story goes on: {node.name}")
    if node.ending and after.node != before.node:
        parts.append(f"The end: {node.ending}")
    return " · ".join(" ".join(part.split()) for part in parts)[:1_000]


def as_data(adventure: Adventure) -> dict[str, Any]:
    """An adventure as plain data for the log."""
    data: dict[str, Any] = msgspec.to_builtins(adventure)
    return data
