"""Which members a log line is visible to. Others do not even notice a private line."""

from collections.abc import Iterable
from typing import Any, Protocol

from rulewright.campaign.downtime import Date, Tally
from rulewright.play import GAMEMASTER
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log import map_entries as m
from rulewright.table.log.lines import Line
from rulewright.table.scenes.live_scene import is_private


class Kept(Protocol):
    """The parts of a table that `audience` reads."""

    tokens: Any
    characters: Any
    notes: Any
    carryings: Any
    scenes: Any
    campaign: Any


def audience(table: Kept, line: Line) -> frozenset[str] | None:
    """The members who may notice a line, given the table before it; None for everybody."""
    change = line.change
    match change:
        case e.Said(to=to) | e.Tested(to=to) if to:
            return frozenset((line.who, *to))
        case e.Tested(secret=True) | e.LinkRenewed() | e.LinkRevoked():
            return frozenset((line.who, GAMEMASTER))
        case m.MapKept() | m.MapDrawn() | m.MapUndone() | m.MapNamed() | m.MapRemoved():
            return frozenset((GAMEMASTER,))
        case m.DraftKept() | m.DraftRemoved() | m.DraftsUndone():
            return frozenset((GAMEMASTER,))
        case e.SignedOut(member=member):
            return frozenset((line.who, member, GAMEMASTER))
        case e.NoteWritten() | e.NoteRemoved():
            return _readers(table, line, change)
        case m.TokenPlaced() | m.TokenRemoved():
            before = table.tokens.get(change.token)
            hidden = change.hidden if isinstance(change, m.TokenPlaced) else True
            return frozenset((GAMEMASTER,)) if hidden and (before is None or before.hidden) else None
        case e.CharacterAdded():
            return frozenset((GAMEMASTER,)) if change.hidden else None
        case e.CharacterChanged() | e.CharacterPictured() | e.CharacterRemoved():
            known = table.characters.get(change.character)
            return frozenset((GAMEMASTER,)) if known is not None and known.hidden else None
        case e.SceneCarried(characters=characters):
            return _who_know(table, characters)
        case e.CharacterFresh(character=character):
            return _who_know(table, (character,))
        case e.CarryUndone():
            return _who_know(table, table.carryings[-1].before if table.carryings else ())
        case e.Snapshot():
            return frozenset()
        case e.SceneBegun(begun=begun):
            return frozenset((GAMEMASTER,)) if is_private(begun) else None
        case e.Played(scene=scene) | e.SceneEnded(scene=scene):
            return frozenset((GAMEMASTER,)) if scene in table.scenes and table.scenes[scene].private else None
        case c.DateSet(id=key) | c.DateRemoved(id=key):
            return _who_know_of(change.date if isinstance(change, c.DateSet) else None, table.campaign.dates.get(key))
        case c.TallySet(id=key) | c.TallyRemoved(id=key):
            before, after = table.campaign.tallies.get(key), change.tally if isinstance(change, c.TallySet) else None
            if before is not None and after is not None and before.known == "exists":
                return frozenset((GAMEMASTER,))  # how far it has come is not known
            return _who_know_of(after, before)
        case c.RequestKept() | c.RequestForgotten():
            return frozenset((GAMEMASTER,))
        case c.PlanMade(character=character) | c.EffectsKept(character=character) | c.ExperienceLearnt(character=character):
            return _who_know(table, (character,))
        case c.SecretEffects():
            return frozenset((GAMEMASTER,))
        case e.RollProposed():
            return frozenset((line.who, GAMEMASTER))
    return None


def _who_know(table: Kept, characters: Iterable[str]) -> frozenset[str] | None:
    """None (everybody) if at least one of the characters is not hidden, otherwise the gamemaster alone."""
    known = [table.characters[character_id] for character_id in characters if character_id in table.characters]
    return None if any(not character.hidden for character in known) else frozenset((GAMEMASTER,))


def _who_know_of(*objects: Date | Tally | None) -> frozenset[str] | None:
    """None (everybody) if a date or tally is known to all, before the change or after it; otherwise the gamemaster alone."""
    return None if any(known is not None and known.known != "gamemaster" for known in objects) else frozenset((GAMEMASTER,))


def _readers(table: Kept, line: Line, change: e.NoteWritten | e.NoteRemoved) -> frozenset[str] | None:
    """Members who could read the note before the change or can read it after."""
    before = table.notes.get(change.note)
    notes = [note for note in (before, change if isinstance(change, e.NoteWritten) else None) if note is not None]
    levels = {note.readers for note in notes}
    if "everyone" in levels:
        return None
    some = [member for note in notes if note.readers == "some" for member in note.to]
    return frozenset((line.who, *some, *((GAMEMASTER,) if "gamemaster" in levels else ())))
