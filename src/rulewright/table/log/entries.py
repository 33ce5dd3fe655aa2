"""Kinds of changes in a table's log.

The state of a table is the result of applying its changes in order. Kinds are never removed and fields are only added, with a default,
because tables of earlier versions must still open.
"""

from typing import Any, Literal

from msgspec import Struct

from rulewright.rules import SettingValue
from rulewright.scenes.record import Answered, Begun, Overruled, Redone, Undone

Role = Literal["gamemaster", "player", "spectator"]
Readers = Literal["me", "gamemaster", "everyone", "some"]
PlayEntry = Answered | Overruled | Undone | Redone

NOBODY = ""
"""The author of a change that no person made, such as resuming a scene from a snapshot after an upgrade."""


class Change(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """One change to a table."""


# --- the table and its people -------------------------------------------------------------------------------------------------


class Hosted(Change, frozen=True, tag="hosted"):
    """A table is opened, with its name, game, rules and gamemaster."""

    name: str
    system: str
    gamemaster: str
    preset: str = ""
    settings: dict[str, SettingValue] = {}
    demo: str = ""
    """The ready-made scenario of a demonstration table."""


class Imported(Change, frozen=True, tag="imported"):
    """All lines before this one come from an exported file, renumbered."""

    version: str
    lines: int
    exported_at: int = 0


class Renamed(Change, frozen=True, tag="renamed"):
    """The table is renamed."""

    name: str


class LinkRenewed(Change, frozen=True, tag="link renewed"):
    """A link is replaced and the old one is void.

    `link` is gamemaster, invitation, or seat:<member>. The log does not contain the link itself.
    """

    link: str
    passphrase: bool = False


class LinkRevoked(Change, frozen=True, tag="link revoked"):
    """A link is revoked."""

    link: str


class Joined(Change, frozen=True, tag="joined"):
    """A member joins."""

    member: str
    name: str
    role: Role


class Left(Change, frozen=True, tag="left"):
    """A member leaves, or the gamemaster removes them."""

    member: str
    removed: bool = False


class CameBack(Change, frozen=True, tag="came back"):
    """A member who left returns."""

    member: str


class SatDown(Change, frozen=True, tag="sat down"):
    """A member signs in on another device with a link: gamemaster, or seat:<member>."""

    member: str
    link: str


class SignedOut(Change, frozen=True, tag="signed out"):
    """A device of a member is signed out."""

    member: str


class Cleared(Change, frozen=True, tag="cleared"):
    """A member's notes, markers and unclaimed characters are removed."""

    member: str


class Closed(Change, frozen=True, tag="closed"):
    """The server administrator closes the table or reopens it. A closed table can be viewed and exported."""

    closed: bool = True


class WentOn(Change, frozen=True, tag="went on"):
    """The table continues in another one (`onward`), or continues another one."""

    table: str
    onward: bool = True


class MemberRenamed(Change, frozen=True, tag="member renamed"):
    """A member changes their name."""

    member: str
    name: str


class RoleChanged(Change, frozen=True, tag="role"):
    """A member becomes a player or a spectator."""

    member: str
    role: Role


class HandedOver(Change, frozen=True, tag="handed over"):
    """Another member becomes the gamemaster; the previous one becomes a player."""

    member: str


class HintsAllowed(Change, frozen=True, tag="hints"):
    """Whether players may ask for hints."""

    allowed: bool


class OwnDice(Change, frozen=True, tag="own dice"):
    """Whether players may enter the faces of their own dice."""

    allowed: bool


class DiceChosen(Change, frozen=True, tag="dice"):
    """Whether a member's dice are rolled at once, or wait for a click or for entered faces."""

    member: str
    wait: bool


# --- characters ---------------------------------------------------------------------------------------------------------------


class CharacterAdded(Change, frozen=True, tag="character added"):
    """A character, machine or creature is added, as plain data."""

    character: str
    of: str
    """Its kind, in the game's words."""
    data: dict[str, Any]
    owner: str = ""
    hidden: bool = False
    """Whether only the gamemaster knows of it, until it is assigned to a player."""


class CharacterShown(Change, frozen=True, tag="character shown"):
    """A character is shown to everybody or hidden from all but the gamemaster."""

    character: str
    hidden: bool


class CharacterPictured(Change, frozen=True, tag="character pictured"):
    """A character's picture (portrait and token) by its digest; empty for none."""

    character: str
    picture: str


class CharacterChanged(Change, frozen=True, tag="character changed"):
    """A character's data is changed.

    The changed field is recorded too, with the words of the sheet. An advancement is a change paid for with experience.
    """

    character: str
    data: dict[str, Any]
    field: str = ""
    value: Any = None
    why: str = ""
    advancement: bool = False
    words: str = ""


class CharacterClaimed(Change, frozen=True, tag="character claimed"):
    """A member plays a character; empty for nobody."""

    character: str
    owner: str


class CharacterRemoved(Change, frozen=True, tag="character removed"):
    """A character is archived; the log keeps it."""

    character: str


# --- scenes -------------------------------------------------------------------------------------------------------------------


class Hand(Struct, frozen=True, omit_defaults=True):
    """Who controls a combatant: a member or a tactic of the game; neither means the owner, else the gamemaster."""

    member: str = ""
    tactic: str = ""


class SceneBegun(Change, frozen=True, tag="scene begun"):
    """A scene begins with a snapshot. `characters` maps combatants to characters of the table."""

    scene: int
    begun: Begun
    characters: dict[str, str] = {}
    hands: dict[str, Hand] = {}
    tactics: dict[str, str] = {}
    """The tactic that the scenario gives each combatant, used when a tactic has to decide."""
    unfit: dict[str, tuple[str, ...]] = {}
    """Lasting results of earlier scenes that no longer fit, in words; the scene begins without them."""
    about: str = ""
    """The scenario's description."""
    told: tuple[str, ...] = ()
    """The sentences of its first events, as they were told."""
    secret: tuple[int, ...] = ()
    """The places of those sentences that not everybody may read."""


class Played(Change, frozen=True, tag="play"):
    """An entry of a scene's own record: an answer, an edit, an undo or a redo."""

    scene: int
    entry: PlayEntry
    auto: bool = False
    """Whether no person gave this answer by itself: dice rolled at once, a tactic, or one answer for several."""
    typed: bool = False
    """Whether a person entered the faces of their own dice."""
    why: str = ""
    """Why an AI player chose this answer; for the gamemaster only."""
    told: tuple[str, ...] = ()
    """The sentences of this entry, as they were told."""
    secret: tuple[int, ...] = ()
    """The places of those sentences that not everybody may read."""


class Snapshot(Change, frozen=True, tag="snapshot"):
    """The state of a scene between two steps, after this many entries of its record. A later version can resume from it."""

    scene: int
    entries: int
    state: Any


class SceneResumed(Change, frozen=True, tag="scene resumed"):
    """A scene resumes from a snapshot, because entries of an earlier version no longer replay."""

    scene: int
    begun: Begun
    why: str
    dropped: int
    """How many entries are lost."""
    after: int = 1
    """The snapshot was taken after this many entries of the record."""
    again: int = 0
    """This many entries after the snapshot still replay and are kept."""


class SceneEnded(Change, frozen=True, tag="scene ended"):
    """A scene is closed."""

    scene: int
    winner: str | None = None
    why: str = ""
    took: int = 0
    """How long it took in the story, in seconds."""


class HandChanged(Change, frozen=True, tag="hand"):
    """Another member or tactic controls a combatant."""

    scene: int
    who: str
    hand: Hand


class UsualChosen(Change, frozen=True, tag="usual chosen"):
    """All combatants of a member follow their default tactics in this round of a scene."""

    scene: int
    member: str
    round: int


class AnswerSettled(Change, frozen=True, tag="answer settled"):
    """A combatant always gives the same answer to a topic in a scene; None asks them again."""

    scene: int
    who: str
    topic: str
    given: int | str | None = None


class NewcomerNamed(Change, frozen=True, tag="newcomer"):
    """Which character of the table a combatant is who entered later."""

    scene: int
    who: str
    character: str
    entered: dict[str, Any] = {}
    """Their lasting values on entering, by field of a member's state."""


class Carried(Struct, frozen=True):
    """A value that outlasts a scene: a field of a member's state, its value, and a description."""

    field: str
    value: Any
    words: str


class SceneCarried(Change, frozen=True, tag="carried on"):
    """Which results of an ended scene are kept, by character; empty if they are discarded."""

    scene: int
    characters: dict[str, tuple[Carried, ...]] = {}


class CharacterFresh(Change, frozen=True, tag="fresh again"):
    """A character's condition is reset: no results of earlier scenes remain."""

    character: str


class CarryUndone(Change, frozen=True, tag="carrying undone"):
    """The last kept, discarded or reset results are undone."""


# --- talk, notes, dice --------------------------------------------------------------------------------------------------------


class Said(Change, frozen=True, tag="said"):
    """A chat message to everyone, or to the members in `to`."""

    text: str
    to: tuple[str, ...] = ()


class NoteWritten(Change, frozen=True, tag="note"):
    """A note is written or changed. Its readers are the author alone, the gamemaster too, everyone, or the members in `to`."""

    note: str
    title: str
    text: str
    readers: Readers = "me"
    to: tuple[str, ...] = ()


class NoteRemoved(Change, frozen=True, tag="note removed"):
    """A note is removed."""

    note: str


class Fell(Struct, frozen=True, omit_defaults=True):
    """The faces of one roll of a test, and the indices of those that counted."""

    faces: tuple[int, ...]
    kept: tuple[int, ...] = ()
    by: str = ""
    what: str = ""


class Tested(Change, frozen=True, tag="test"):
    """A test from a sheet or the dice tray: its notation, faces, result and reasons."""

    notation: str
    label: str
    rolls: tuple[Fell, ...]
    what: str = ""
    character: str = ""
    verdict: str = ""
    typed: bool = False
    secret: bool = False
    reasons: tuple[Any, ...] = ()
    to: tuple[str, ...] = ()
    """Members who see it besides the roller; empty for everybody."""


class RollProposed(Change, frozen=True, tag="roll proposed"):
    """A player asks the gamemaster for a roll: the character, the test by key and name, and the reason."""

    character: str
    test: str
    name: str
    why: str = ""


# --- house rules -----------------------------------------------------------------------------------------------------------


class HouseChanged(Change, frozen=True, tag="house rules"):
    """The house rules for future scenes; scenes in progress keep theirs."""

    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}
