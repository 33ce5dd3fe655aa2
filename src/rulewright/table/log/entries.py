"""What the log of a table is made of: one change after another, each numbered, dated, signed by whoever made it.

State is what taking the changes in their order gives. A kind of change is never removed from here and its fields are only added
to, with a default: tables of earlier versions must open.
"""

from typing import Any, Literal

from msgspec import Struct

from rulewright.rules import SettingValue
from rulewright.scenes.record import Answered, Begun, Overruled, Redone, Undone

Role = Literal["gamemaster", "player", "spectator"]
Readers = Literal["me", "gamemaster", "everyone", "some"]
PlayEntry = Answered | Overruled | Undone | Redone

NOBODY = ""
"""Who makes a change that no person made, such as a scene that goes on from a snapshot after an upgrade."""


class Change(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """One thing that happened at a table."""


# --- the table and its people -------------------------------------------------------------------------------------------------


class Hosted(Change, frozen=True, tag="hosted"):
    """A table is opened: its name, its game, what is played by, and who leads."""

    name: str
    system: str
    gamemaster: str
    preset: str = ""
    settings: dict[str, SettingValue] = {}
    demo: str = ""
    """The ready-made scenario that a demonstration table was made for."""


class Imported(Change, frozen=True, tag="imported"):
    """Everything before this was taken from an exported file, under new numbers."""

    version: str
    lines: int
    exported_at: int = 0


class Renamed(Change, frozen=True, tag="renamed"):
    """The table has another name."""

    name: str


class LinkRenewed(Change, frozen=True, tag="link renewed"):
    """There is a new link, and the one before is void. `link` is gamemaster, invitation, or seat:<member>. The link itself is not here."""

    link: str
    passphrase: bool = False


class LinkRevoked(Change, frozen=True, tag="link revoked"):
    """A link is void."""

    link: str


class Joined(Change, frozen=True, tag="joined"):
    """Somebody sits down."""

    member: str
    name: str
    role: Role


class Left(Change, frozen=True, tag="left"):
    """Somebody went, or was removed."""

    member: str
    removed: bool = False


class CameBack(Change, frozen=True, tag="came back"):
    """Somebody who had left sits down again."""

    member: str


class SatDown(Change, frozen=True, tag="sat down"):
    """Another device sits as a member from now on, by a link: gamemaster, or seat:<member>."""

    member: str
    link: str


class SignedOut(Change, frozen=True, tag="signed out"):
    """A device of a member has lost its seat."""

    member: str


class Cleared(Change, frozen=True, tag="cleared"):
    """What somebody left behind is put away: their notes and markers, and the characters they brought whom nobody plays."""

    member: str


class Closed(Change, frozen=True, tag="closed"):
    """Whoever runs the server has closed the table, or opened it again: a closed one can be looked at and exported."""

    closed: bool = True


class WentOn(Change, frozen=True, tag="went on"):
    """The table goes on in another one: where to, or (in the new one) from which."""

    table: str
    onward: bool = True


class MemberRenamed(Change, frozen=True, tag="member renamed"):
    """Somebody goes by another name."""

    member: str
    name: str


class RoleChanged(Change, frozen=True, tag="role"):
    """Somebody plays, or watches."""

    member: str
    role: Role


class HandedOver(Change, frozen=True, tag="handed over"):
    """Somebody else leads; who led before plays."""

    member: str


class HintsAllowed(Change, frozen=True, tag="hints"):
    """Whether players may ask what would be wise."""

    allowed: bool


class OwnDice(Change, frozen=True, tag="own dice"):
    """Whether players may type the faces of their own dice."""

    allowed: bool


class DiceChosen(Change, frozen=True, tag="dice"):
    """Whether a member's rolls are made at once, or wait for a touch or for the faces of real dice."""

    member: str
    wait: bool


# --- characters ---------------------------------------------------------------------------------------------------------------


class CharacterAdded(Change, frozen=True, tag="character added"):
    """A character, a machine, a creature: the kept thing as plain data."""

    character: str
    of: str
    """Its kind, in the game's words."""
    data: dict[str, Any]
    owner: str = ""
    hidden: bool = False
    """Whether only the gamemaster knows of it, until somebody is given it."""


class CharacterShown(Change, frozen=True, tag="character shown"):
    """Everybody may know of it, or only the gamemaster."""

    character: str
    hidden: bool


class CharacterPictured(Change, frozen=True, tag="character pictured"):
    """It has a picture, its portrait and its token, by the picture's digest; or (empty) none."""

    character: str
    picture: str


class CharacterChanged(Change, frozen=True, tag="character changed"):
    """The same with other data; what was changed stands beside it, in the words of its sheet too. Advancement is a change that was paid
    for in play."""

    character: str
    data: dict[str, Any]
    field: str = ""
    value: Any = None
    why: str = ""
    advancement: bool = False
    words: str = ""


class CharacterClaimed(Change, frozen=True, tag="character claimed"):
    """Somebody plays it, or (empty) nobody does."""

    character: str
    owner: str


class CharacterRemoved(Change, frozen=True, tag="character removed"):
    """It is put away; the log keeps it."""

    character: str


# --- scenes -------------------------------------------------------------------------------------------------------------------


class Hand(Struct, frozen=True, omit_defaults=True):
    """Who decides for somebody in a scene: a member, or a tactic of the game; neither means the owner, else the gamemaster."""

    member: str = ""
    tactic: str = ""


class SceneBegun(Change, frozen=True, tag="scene begun"):
    """A scene begins with a snapshot; `characters` says which combatant is which character of the table."""

    scene: int
    begun: Begun
    characters: dict[str, str] = {}
    hands: dict[str, Hand] = {}
    tactics: dict[str, str] = {}
    """The tactic that the scenario gives each combatant, for whenever one is to decide."""
    unfit: dict[str, tuple[str, ...]] = {}
    """What characters carried from an earlier scene that does not fit any more, in words; the scene began without it."""
    about: str = ""
    """What the scenario says it is about."""


class Played(Change, frozen=True, tag="play"):
    """An entry of a scene's own record: an answer, an overruling, an undo, a redo."""

    scene: int
    entry: PlayEntry
    auto: bool = False
    """Whether no person gave this answer: dice that fell at once, or a tactic."""
    typed: bool = False
    """Whether the faces were typed in, from somebody's own dice."""
    why: str = ""
    """What somebody who plays by themselves found their answer worth; for the gamemaster alone."""


class Snapshot(Change, frozen=True, tag="snapshot"):
    """How a scene stands between two steps, after so many entries of its record: where a later version can go on from."""

    scene: int
    entries: int
    state: Any


class SceneResumed(Change, frozen=True, tag="scene resumed"):
    """Entries of an earlier version no longer replay: the scene goes on from a snapshot. What was lost is said here."""

    scene: int
    begun: Begun
    why: str
    dropped: int
    """How many entries are lost."""
    after: int = 1
    """So many entries of the record the snapshot was taken after."""
    again: int = 0
    """So many entries after it still replay and are kept."""


class SceneEnded(Change, frozen=True, tag="scene ended"):
    """A scene is closed."""

    scene: int
    winner: str | None = None
    why: str = ""


class HandChanged(Change, frozen=True, tag="hand"):
    """Somebody else decides for a combatant."""

    scene: int
    who: str
    hand: Hand


class UsualChosen(Change, frozen=True, tag="usual chosen"):
    """All for whom somebody decides do in this round of a scene what their tactics say."""

    scene: int
    member: str
    round: int


class AnswerSettled(Change, frozen=True, tag="answer settled"):
    """Somebody gives the same answer from now on whenever this is asked of them in a scene; without an answer they are asked again."""

    scene: int
    who: str
    topic: str
    given: int | str | None = None


class NewcomerNamed(Change, frozen=True, tag="newcomer"):
    """Which character of the table a combatant is who came in later."""

    scene: int
    who: str
    character: str
    entered: dict[str, Any] = {}
    """What of them outlasts the scene, as it was when they came: the fields of a member's state."""


class Carried(Struct, frozen=True):
    """Something that outlasts a scene: a field of a member's state, its value, and the same in words."""

    field: str
    value: Any
    words: str


class SceneCarried(Change, frozen=True, tag="carried on"):
    """What people take out of a scene that has ended: by character, all that each carries from now on. With nobody, it is left behind."""

    scene: int
    characters: dict[str, tuple[Carried, ...]] = {}


class CharacterFresh(Change, frozen=True, tag="fresh again"):
    """A character carries nothing from an earlier scene any more."""

    character: str


class CarryUndone(Change, frozen=True, tag="carrying undone"):
    """The last carrying on, leaving behind or making fresh that still stands is taken back."""


# --- talk, notes, dice --------------------------------------------------------------------------------------------------------


class Said(Change, frozen=True, tag="said"):
    """Chat: to everyone, or to some."""

    text: str
    to: tuple[str, ...] = ()


class NoteWritten(Change, frozen=True, tag="note"):
    """A note, new or changed: for its writer alone, for the gamemaster too, for everyone, or for some: the members in `to`."""

    note: str
    title: str
    text: str
    readers: Readers = "me"
    to: tuple[str, ...] = ()


class NoteRemoved(Change, frozen=True, tag="note removed"):
    """A note is put away."""

    note: str


class Fell(Struct, frozen=True, omit_defaults=True):
    """The faces of one roll of a test, and the places of those that counted."""

    faces: tuple[int, ...]
    kept: tuple[int, ...] = ()
    by: str = ""
    what: str = ""


class Tested(Change, frozen=True, tag="test"):
    """A test from a sheet or the dice tray: what was asked, the faces that fell, what came of it and why."""

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
    """Those who see it beside whoever rolled; empty is everybody."""


# --- house rules -----------------------------------------------------------------------------------------------------------


class HouseChanged(Change, frozen=True, tag="house rules"):
    """What is played by from now on; scenes under way keep what they began with."""

    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}
