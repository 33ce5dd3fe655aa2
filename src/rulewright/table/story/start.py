"""Lays an adventure into a table: people, maps, hidden handouts, tallies and dates."""

import msgspec
from msgspec.structs import replace

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
from rulewright.table.additions import Additions
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log.map_entries import MapKept
from rulewright.table.picture_rights import DIGEST
from rulewright.table.state import Table
from rulewright.table.story.entries import StoryBegun
from rulewright.table.story.messages import StartStory
from rulewright.table.story.state import as_data

_NO_MARKS = str.maketrans("", "", "[]()!\\\n")


def opened_for(table: Table, action: StartStory) -> Opened:
    """The adventure that an action starts; an error if it is for another game."""
    if bool(action.ready) == bool(action.packed):
        raise UserError("name an adventure that ships with the game, or give a packed one")
    content = starter(table.system, action.ready) if action.ready else read_zip(action.packed, "the adventure")
    opened = open_content(content, "the adventure")
    if opened.system.id != table.system.id:
        raise UserError(f"this adventure is for {opened.system.name}; the table plays {table.system.name}")
    return opened


def laid_out(table: Table, opened: Opened, solo: bool, pictures: dict[str, str] | None = None) -> list[e.Change]:
    """The changes that lay an adventure into a table."""
    adventure = with_pictures(opened.adventure, pictures or {})
    added = Additions(table)
    added.refuse_too_many(len(opened.ready) + len(opened.people), len(opened.maps))
    ready = tuple(added.character(thing, hidden=False) for thing in opened.ready.values())
    people = {name: added.character(thing, hidden=True) for name, thing in opened.people.items()}
    maps = {}
    for name, file in opened.maps.items():
        data, maps[name] = msgspec.to_builtins(file.map), added.fresh("g")
        added.changes.append(MapKept(maps[name], limits.name(file.name or name, "name of the map", 120), data))
    handouts = {}
    for name, handout in adventure.handouts.items():
        handouts[name] = added.fresh("n")
        text = limits.prose(handout.text or handout.title, "handout", limits.NOTE)
        added.changes.append(e.NoteWritten(handouts[name], limits.name(handout.title, "title"), text, "me"))
    tallies = _time(table, adventure, added)
    scene = AdventureScene(table.rules, adventure)
    begun = Encounter.begin(scene, begin_story(adventure), adventure.name).entries[0]
    assert isinstance(begun, Begun)
    scenarios = {file: msgspec.to_builtins(kept.thing) for file, kept in opened.scenarios.items()}
    change = StoryBegun(begun, as_data(adventure), scenarios, ready, people, handouts, tallies, solo, maps)
    limits.small(change, "adventure", limits.LINE_BYTES)
    return [*added.changes, change]


def with_pictures(adventure: Adventure, pictures: dict[str, str]) -> Adventure:
    """The adventure with the pictures of its handouts in their texts, as pictures that the table keeps."""
    handouts = {}
    for name, handout in adventure.handouts.items():
        digest = pictures.get(handout.picture, "")
        shown = f"![{handout.title.translate(_NO_MARKS)}](picture:{digest})" if DIGEST.fullmatch(digest) else ""
        handouts[name] = replace(handout, text="\n\n".join(part for part in (shown, handout.text) if part))
    return replace(adventure, handouts=handouts)


def _time(table: Table, adventure: Adventure, added: Additions) -> dict[str, str]:
    """The clock, the dates and the tallies; returns the ids of the tallies."""
    if table.campaign.calendar is None:
        added.changes.append(c.ClockStarted(calendar_of(adventure)))
    for date in adventure.dates:
        known = "gamemaster" if date.known == "exists" else date.known
        at = table.campaign.now + moment(adventure, date.on)
        added.changes.append(c.DateSet(added.fresh("e"), Date(at, limits.name(date.what, "name of the date", LONGEST_DATE), known)))
    tallies = {}
    for name, tally in adventure.tallies.items():
        tallies[name] = added.fresh("y")
        added.changes.append(c.TallySet(tallies[name], Tally(limits.name(name, "name of the tally", 120), tally.of, 0, tally.known)))
    return tallies
