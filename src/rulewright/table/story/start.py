"""Lays an adventure into a table: people, maps, hidden handouts, tallies and dates."""

from typing import Any

import msgspec

from rulewright.adventure.format import LONGEST_DATE, Adventure
from rulewright.adventure.package import read_zip
from rulewright.adventure.scene import AdventureScene
from rulewright.adventure.story import begin_story, calendar_of, moment
from rulewright.campaign.downtime import Date, Tally
from rulewright.errors import UserError
from rulewright.playthrough.loader import Opened, open_content, starter
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Begun
from rulewright.table import limits
from rulewright.table.commands.characters import character_data
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log.map_entries import MapKept
from rulewright.table.state import Table
from rulewright.table.story.entries import StoryBegun
from rulewright.table.story.messages import StartStory
from rulewright.table.story.state import as_data


def opened_for(table: Table, action: StartStory) -> Opened:
    """The adventure that an action starts; an error if it is for another game."""
    if bool(action.ready) == bool(action.packed):
        raise UserError("name an adventure that ships with the game, or give a packed one")
    content = starter(table.system, action.ready) if action.ready else read_zip(action.packed, "the adventure")
    opened = open_content(content, "the adventure")
    if opened.system.id != table.system.id:
        raise UserError(f"this adventure is for {opened.system.name}; the table plays {table.system.name}")
    return opened


def laid_out(table: Table, opened: Opened, solo: bool) -> list[e.Change]:
    """The changes that lay an adventure into a table."""
    adventure = opened.adventure
    laying = _Laying(table)
    if (
        len(table.characters) + len(opened.ready) + len(opened.people) > limits.CHARACTERS
        or len(table.maps) + len(opened.maps) > limits.MAPS
    ):
        raise UserError("this table has no room for the people and maps of the adventure; remove some first")
    ready = tuple(laying.character(opened, thing, hidden=False) for thing in opened.ready.values())
    people = {name: laying.character(opened, thing, hidden=True) for name, thing in opened.people.items()}
    for name, file in opened.maps.items():
        data = msgspec.to_builtins(file.map)
        laying.changes.append(MapKept(laying.fresh("g"), limits.name(file.name or name, "name of the map", 120), data))
    handouts = {}
    for name, handout in adventure.handouts.items():
        handouts[name] = laying.fresh("n")
        text = limits.prose(handout.text or handout.title, "handout", limits.NOTE)
        laying.changes.append(e.NoteWritten(handouts[name], limits.name(handout.title, "title"), text, "me"))
    tallies = _time(table, adventure, laying)
    scene = AdventureScene(table.rules, adventure)
    begun = Encounter.begin(scene, begin_story(adventure), adventure.name).entries[0]
    assert isinstance(begun, Begun)
    scenarios = {file: msgspec.to_builtins(kept.thing) for file, kept in opened.scenarios.items()}
    change = StoryBegun(begun, as_data(adventure), scenarios, ready, people, handouts, tallies, solo)
    limits.small(change, "adventure", limits.LINE_BYTES)
    return [*laying.changes, change]


def _time(table: Table, adventure: Adventure, laying: "_Laying") -> dict[str, str]:
    """The clock, the dates and the tallies; returns the ids of the tallies."""
    if table.campaign.calendar is None:
        laying.changes.append(c.ClockStarted(calendar_of(adventure)))
    for date in adventure.dates:
        known = "gamemaster" if date.known == "exists" else date.known
        at = table.campaign.now + moment(adventure, date.on)
        laying.changes.append(c.DateSet(laying.fresh("e"), Date(at, limits.name(date.what, "name of the date", LONGEST_DATE), known)))
    tallies = {}
    for name, tally in adventure.tallies.items():
        tallies[name] = laying.fresh("y")
        laying.changes.append(c.TallySet(tallies[name], Tally(limits.name(name, "name of the tally", 120), tally.of, 0, tally.known)))
    return tallies


class _Laying:
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

    def character(self, opened: Opened, thing: Any, hidden: bool) -> str:
        """Add a character; returns its id."""
        kind = next(kind for kind, saved in opened.system.kinds.items() if isinstance(thing, saved))
        character_id = self.fresh("c")
        self.changes.append(e.CharacterAdded(character_id, kind, character_data(thing), "", hidden))
        return character_id
