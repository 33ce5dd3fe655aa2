"""What people can do at a table. Each is a small message; `do` says which. Rights are checked in `rights`, the doing is in `doing`."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from rulewright.field.map_strokes import Stroke
from rulewright.rules import SettingValue
from rulewright.scenes.record import FIGHT
from rulewright.table.log.entries import Readers
from rulewright.table.log.map_entries import Grid


class Action(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that a member asks for."""


# --- talk, notes, dice --------------------------------------------------------------------------------------------------------


class Say(Action, frozen=True, tag="say"):
    """Chat; `to` lists members for a whisper, and is empty for everyone."""

    text: str
    to: tuple[str, ...] = ()


class WriteNote(Action, frozen=True, tag="write note"):
    """A new note, or (with its id) a changed one; `to` lists the members whom a note for some is for."""

    title: str
    text: str
    readers: Readers = "me"
    note: str = ""
    to: tuple[str, ...] = ()


class RemoveNote(Action, frozen=True, tag="remove note"):
    """Put a note away."""

    note: str


class Test(Action, frozen=True, tag="test"):
    """Roll a test in the game's notation or plain dice (`2d6+1`), with fresh dice or with typed faces (`2,6,4/3,5`).

    A secret one is for the gamemaster's eyes and the roller's; with `to`, those members see it beside the roller.
    """

    notation: str
    what: str = ""
    character: str = ""
    faces: str = ""
    secret: bool = False
    to: tuple[str, ...] = ()


# --- characters ---------------------------------------------------------------------------------------------------------------


class AddCharacter(Action, frozen=True, tag="add character"):
    """Bring a character, machine or creature to the table: a ready-made one, a fresh one (of an archetype), a file's text, or plain data.
    A player's new character is theirs; the gamemaster's is nobody's until claimed."""

    ready: str = ""
    of: str = ""
    """The kind of a fresh one or of plain data; the game's first kind if empty."""
    archetype: str = ""
    yaml: str = ""
    data: dict[str, Any] | None = None
    name: str = ""
    hidden: bool = False
    """Whether only the gamemaster knows of it, until somebody is given it."""


class ShowCharacter(Action, frozen=True, tag="show character"):
    """Let everybody know of a character, or only the gamemaster."""

    character: str
    hidden: bool = False


class PictureCharacter(Action, frozen=True, tag="picture character"):
    """Give a character a picture of the table by its digest; an empty one takes it away."""

    character: str
    picture: str = ""


class ChangeCharacter(Action, frozen=True, tag="change character"):
    """Change one field by its dotted name. Advancement is logged as such."""

    character: str
    field: str
    value: Any
    why: str = ""
    advancement: bool = False


class ReplaceCharacter(Action, frozen=True, tag="replace character"):
    """Take over a file's text or plain data for a character that is there."""

    character: str
    yaml: str = ""
    data: dict[str, Any] | None = None
    why: str = ""


class ClaimCharacter(Action, frozen=True, tag="claim character"):
    """Play a character that nobody plays. The gamemaster can give any character to any player."""

    character: str
    member: str = ""


class ReleaseCharacter(Action, frozen=True, tag="release character"):
    """Let go of a character."""

    character: str


class RemoveCharacter(Action, frozen=True, tag="remove character"):
    """Put a character away."""

    character: str


# --- scenes -------------------------------------------------------------------------------------------------------------------


class Placing(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody on a side of a new scene: a character of the table by id, or a ready-made one by name."""

    character: str
    name: str = ""
    count: int = 1
    at: tuple[float, float] | None = None
    tactic: str = ""
    state: dict[str, Any] = {}


class BeginScene(Action, frozen=True, tag="begin scene"):
    """Begin a ready-made scenario, or one made up here. `npcs` says who decides for those whom nobody plays."""

    ready: str = ""
    name: str = ""
    sides: dict[str, tuple[Placing, ...]] = {}
    place: dict[str, Any] = {}
    tactics: dict[str, str] = {}
    scene: str = FIGHT
    """Which of the game's kinds of scenes it is."""
    rounds: int = 50
    npcs: Literal["gamemaster", "tactics", "plays easy", "plays good", "plays best"] = "gamemaster"
    mine: tuple[str, ...] = ()
    """Combatants for whom whoever begins decides, also where the others go by tactics."""
    about: str = ""
    """What it is about, for everybody to read when it begins."""
    like: str = ""
    """The ready-made scenario whose place it has."""
    yaml: str = ""
    """The text of a scenario file, in place of everything else."""
    map: str = ""
    """The map of the table that it is played on."""
    starts: dict[str, tuple[float, float, float, float]] = {}
    """Where each side begins, as a box of the map (across, down, wide, high): whoever has no place is put there."""


class EndScene(Action, frozen=True, tag="end scene"):
    """Close a scene, finished or not."""

    scene: int
    why: str = ""


class Answer(Action, frozen=True, tag="answer"):
    """Answer a question: an option's key, a number, or the faces of real dice. With the question's mark, an answer that comes too late
    for it is refused rather than taken for another."""

    scene: int
    given: int | str | tuple[int, ...]
    at: int = 0
    question: str = ""
    always: bool = False
    """Whether the same answer is given from now on whenever this is asked of them in this scene."""


class AskAgain(Action, frozen=True, tag="ask again"):
    """Ask a combatant again what was answered once for all."""

    scene: int
    who: str


class RollDice(Action, frozen=True, tag="roll"):
    """Roll what is asked for, with fresh dice."""

    scene: int
    at: int = 0
    question: str = ""


class Decide(Action, frozen=True, tag="decide"):
    """Let a tactic answer a question; with `round` also whatever else is asked in this round of those for whom the same person decides."""

    scene: int
    at: int = 0
    question: str = ""
    tactic: str = ""
    round: bool = False


class GoOn(Action, frozen=True, tag="go on"):
    """Let dice and tactics answer whatever waits for the gamemaster, until a player is asked."""

    scene: int


class Overrule(Action, frozen=True, tag="overrule"):
    """Change any value of a scene's state, by dotted fields, between two steps."""

    scene: int
    changes: tuple[tuple[str, Any], ...]
    why: str = ""


class TouchCard(Action, frozen=True, tag="touch card"):
    """Change what somebody's card shows, between two steps: a piece of it and what it is to show, or the whole change in words."""

    scene: int
    who: str
    piece: str = ""
    shows: str = ""
    words: str = ""
    why: str = ""


class Move(Action, frozen=True, tag="move"):
    """Put a combatant elsewhere, in metres, between two steps."""

    scene: int
    who: str
    x: float
    y: float


class BringIn(Action, frozen=True, tag="bring in"):
    """Bring a character into a scene under way, between two steps."""

    scene: int
    character: str
    side: str


class Undo(Action, frozen=True, tag="undo"):
    """Take back the last decision of a person, and everything after it; the gamemaster may name the entry to go back before."""

    scene: int
    to: int | None = None


class Redo(Action, frozen=True, tag="redo"):
    """Take the last undo back."""

    scene: int


class SetHand(Action, frozen=True, tag="set hand"):
    """Say who decides for a combatant: a member, a tactic, or (both empty) its owner or the gamemaster.

    Instead of a tactic it may be `plays easy`, `plays good` or `plays best`: then the combatant plays by itself, and thinks.
    """

    scene: int
    who: str
    member: str = ""
    tactic: str = ""


class CarryOn(Action, frozen=True, tag="carry on"):
    """Let the people of a scene that has ended begin their next one as this one left them: wounds, fatigue, ammunition, spent points."""

    scene: int
    characters: tuple[str, ...] = ()
    """Whose; everybody's if empty."""


class LeaveBehind(Action, frozen=True, tag="leave behind"):
    """Carry nothing on from a scene that has ended."""

    scene: int


class MakeFresh(Action, frozen=True, tag="fresh again"):
    """Let a character begin the next scene fresh."""

    character: str


class UndoCarry(Action, frozen=True, tag="undo carrying"):
    """Take the last carrying on, leaving behind or making fresh back."""


# --- the table and its people -------------------------------------------------------------------------------------------------


class Rename(Action, frozen=True, tag="rename"):
    """Give the table another name."""

    name: str


class RenameMe(Action, frozen=True, tag="rename me"):
    """Go by another name."""

    name: str


class RenewLink(Action, frozen=True, tag="renew link"):
    """Make a link anew (gamemaster, invitation, or seat:<member>); the old one is void. The answer holds it, this once."""

    link: str
    passphrase: str = ""


class RevokeLink(Action, frozen=True, tag="revoke link"):
    """Make a link void."""

    link: str


class SetRole(Action, frozen=True, tag="set role"):
    """Make somebody a player or a spectator."""

    member: str
    role: Literal["player", "spectator"]


class HandOver(Action, frozen=True, tag="hand over"):
    """Let somebody else lead."""

    member: str


class RemoveMember(Action, frozen=True, tag="remove member"):
    """Send somebody away; their devices lose their seat."""

    member: str


class SignOut(Action, frozen=True, tag="sign out"):
    """Take the seat of one device of somebody, as the list of devices names it."""

    member: str
    device: str


class ClearLeft(Action, frozen=True, tag="clear what was left"):
    """Put away what somebody left: their notes and markers, and the characters they brought whom nobody plays."""

    member: str


class Leave(Action, frozen=True, tag="leave"):
    """Get up from the table."""


class AllowHints(Action, frozen=True, tag="allow hints"):
    """Whether players may ask what would be wise."""

    allowed: bool


class AllowOwnDice(Action, frozen=True, tag="allow own dice"):
    """Whether players may type the faces of their own dice."""

    allowed: bool


class ChooseDice(Action, frozen=True, tag="choose dice"):
    """Whether one's own rolls are made at once, or wait for a touch or typed faces."""

    wait: bool


class ChangeHouse(Action, frozen=True, tag="change house rules"):
    """Play by another preset, settings and tables from the next scene on."""

    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}


class ChangeMap(Action, frozen=True, tag="change map"):
    """Squares or hexes, how many metres each, how many across and down."""

    grid: Grid = "square"
    cell: float = 1.0
    width: int = 40
    height: int = 30


class KeepMap(Action, frozen=True, tag="keep map"):
    """Prepare a map: an empty sheet, a ground as plain data or as the text of a map file, or one like that of a ready-made scenario, of
    another map, or (`scene:2`) of a scene under way. `of` is the kind of scene that it is for."""

    name: str
    ground: dict[str, Any] = {}
    yaml: str = ""
    like: str = ""
    of: str = FIGHT


class Draw(Action, frozen=True, tag="draw"):
    """A stroke on a map that is prepared, or on the ground of a scene under way."""

    stroke: Stroke
    map: str = ""
    scene: int = 0


class UndoDrawing(Action, frozen=True, tag="undo drawing"):
    """Take the last stroke on a prepared map back; on the ground of a scene the scene's own undo does it."""

    map: str


class NameMap(Action, frozen=True, tag="name map"):
    """Call a map something else."""

    map: str
    name: str


class RemoveMap(Action, frozen=True, tag="remove map"):
    """Put a map away; scenes that stand on it keep it."""

    map: str


class KeepDraft(Action, frozen=True, tag="keep draft"):
    """Keep a scene that is prepared at the table, unknown to players until it begins; with the id of one that is kept, in its place."""

    scene: BeginScene
    name: str = ""
    """What it is kept as; its own name where nothing is said."""
    draft: str = ""


class CopyDraft(Action, frozen=True, tag="copy draft"):
    """Keep a prepared scene a second time, to make another of it."""

    draft: str


class NameDraft(Action, frozen=True, tag="name draft"):
    """Call a prepared scene something else."""

    draft: str
    name: str


class RemoveDraft(Action, frozen=True, tag="remove draft"):
    """Put a prepared scene away."""

    draft: str


class UndoDrafts(Action, frozen=True, tag="undo drafts"):
    """Take back the last change to the prepared scenes: what was kept, named, copied or put away."""


class LayMap(Action, frozen=True, tag="lay map"):
    """Lay a prepared map under a scene that is under way."""

    scene: int
    map: str


class TouchGround(Action, frozen=True, tag="touch ground"):
    """Open or shut a door, show a hidden area to all or hide it again, by its name."""

    scene: int
    name: str
    does: Literal["open", "shut", "show", "hide"]


class PlaceToken(Action, frozen=True, tag="place token"):
    """Put a marker on the map, or (with its id) move it."""

    name: str
    x: float
    y: float
    token: str = ""
    hidden: bool = False


class RemoveToken(Action, frozen=True, tag="remove token"):
    """Take a marker off the map."""

    token: str


if TYPE_CHECKING:
    AnyAction = Action
else:
    AnyAction = reduce(or_, Action.__subclasses__())
"""Any of them, told apart by what it does, for whoever reads what was sent."""
