"""The actions of people at a table, as messages; the field `do` says which. `permissions` checks them, the handlers carry them out."""

from typing import Any, Literal

from msgspec import Struct

from rulewright.campaign.roll_request import Consequence, Join, Manner, WantedTest
from rulewright.field.map_strokes import Stroke
from rulewright.rules import SettingValue
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scene import Leaving
from rulewright.table.log.entries import Readers
from rulewright.table.log.map_entries import Grid


class Action(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """An action that a member requests."""


# --- talk, notes, dice --------------------------------------------------------------------------------------------------------


class Say(Action, frozen=True, tag="say"):
    """Chat. `to` lists the members who get a whisper; empty for everyone."""

    text: str
    to: tuple[str, ...] = ()


class WriteNote(Action, frozen=True, tag="write note"):
    """Writes a note, or (with its id) changes one. `to` lists the readers of a note for some members."""

    title: str
    text: str
    readers: Readers = "me"
    note: str = ""
    to: tuple[str, ...] = ()


class RemoveNote(Action, frozen=True, tag="remove note"):
    """Removes a note."""

    note: str


class Test(Action, frozen=True, tag="test"):
    """Rolls a test in the game's notation or plain dice (`2d6+1`), with random dice or entered faces (`2,6,4/3,5`).

    The gamemaster and the roller see a secret test; with `to`, those members and the roller.
    """

    notation: str
    what: str = ""
    character: str = ""
    faces: str = ""
    secret: bool = False
    to: tuple[str, ...] = ()


class AskForRoll(Action, frozen=True, tag="ask for a roll"):
    """Asks characters for a roll. If several tests are given, each player chooses one of them.

    With an `opponent` (a character) the test is opposed, with `opponents` it must beat each of them. `manner` says who sees the
    target, the dice and the result. A `group` is the game's own way to join people in one test. With a `goal` it is an extended task of
    at most so many `tries`. `then` are the consequences of a verdict. `again` is an earlier request that this repeats at the game's price.
    Instead of tests, a `rule` of the book can be played, with the values `given` by name.
    """

    of: tuple[str, ...]
    tests: tuple[WantedTest, ...] = ()
    title: str = ""
    why: str = ""
    joined: Join = "each"
    manner: Manner = "open"
    opponent: str = ""
    opponent_test: str = ""
    seconds: int = 0
    opponents: tuple[str, ...] = ()
    group: str = ""
    goal: int = 0
    tries: int = 0
    unhurried: bool = True
    """Whether people may take more time for a better result."""
    then: tuple[Consequence, ...] = ()
    again: int = 0
    rule: str = ""
    function: str = ""
    given: dict[str, int | float | str | bool] = {}


class ProposeRoll(Action, frozen=True, tag="propose a roll"):
    """A player asks the gamemaster for a roll of a character they play."""

    character: str
    test: str
    why: str = ""


# --- characters ---------------------------------------------------------------------------------------------------------------


class AddCharacter(Action, frozen=True, tag="add character"):
    """Adds a character, machine or creature: a ready-made one, a new one (of an archetype), from a file's text, or from plain data.

    A player's new character belongs to the player; the gamemaster's belongs to nobody until claimed.
    """

    ready: str = ""
    of: str = ""
    """The kind of a new one or of plain data; the game's first kind if empty."""
    archetype: str = ""
    yaml: str = ""
    data: dict[str, Any] | None = None
    name: str = ""
    hidden: bool = False
    """Whether only the gamemaster knows of it, until it is assigned to a player."""


class ShowCharacter(Action, frozen=True, tag="show character"):
    """Shows a character to everybody, or hides it from all but the gamemaster."""

    character: str
    hidden: bool = False


class PictureCharacter(Action, frozen=True, tag="picture character"):
    """Sets a character's picture by its digest; empty removes it."""

    character: str
    picture: str = ""


class ChangeCharacter(Action, frozen=True, tag="change character"):
    """Changes one field by its dotted name. An advancement is logged as such."""

    character: str
    field: str
    value: Any
    why: str = ""
    advancement: bool = False


class ReplaceCharacter(Action, frozen=True, tag="replace character"):
    """Replaces a character by a file's text or plain data."""

    character: str
    yaml: str = ""
    data: dict[str, Any] | None = None
    why: str = ""


class ClaimCharacter(Action, frozen=True, tag="claim character"):
    """Claims a character that nobody plays. The gamemaster can assign any character to any player."""

    character: str
    member: str = ""


class ReleaseCharacter(Action, frozen=True, tag="release character"):
    """Releases a character."""

    character: str


class RemoveCharacter(Action, frozen=True, tag="remove character"):
    """Archives a character."""

    character: str


# --- scenes -------------------------------------------------------------------------------------------------------------------


class Placing(Struct, frozen=True, forbid_unknown_fields=True):
    """A participant of a new scene: a character of the table by id, or a ready-made one by name."""

    character: str
    name: str = ""
    count: int = 1
    at: tuple[float, float] | None = None
    tactic: str = ""
    state: dict[str, Any] = {}


class BeginScene(Action, frozen=True, tag="begin scene"):
    """Starts a ready-made scenario, or one described here. `npcs` says who controls unassigned characters."""

    ready: str = ""
    name: str = ""
    sides: dict[str, tuple[Placing, ...]] = {}
    place: dict[str, Any] = {}
    tactics: dict[str, str] = {}
    scene: str = FIGHT
    """The game's kind of scene."""
    rounds: int = 50
    npcs: Literal["gamemaster", "tactics", "plays easy", "plays good", "plays best"] = "gamemaster"
    mine: tuple[str, ...] = ()
    """Combatants that the member who starts the scene controls, even if tactics control the others."""
    player: str = ""
    """The member who controls these combatants instead. Tactics then answer the gamemaster's own questions."""
    about: str = ""
    """A description, which everybody reads when the scene starts."""
    like: str = ""
    """The ready-made scenario whose place is used."""
    yaml: str = ""
    """The text of a scenario file, instead of everything else."""
    map: str = ""
    """The map of the table to play on."""
    starts: dict[str, tuple[float, float, float, float]] = {}
    """Where each side starts, as a box of the map (x, y, width, height), for participants without a place."""


class EndScene(Action, frozen=True, tag="end scene"):
    """Closes a scene, finished or not."""

    scene: int
    why: str = ""


class Answer(Action, frozen=True, tag="answer"):
    """Answers a question: an option's key, a number, or the faces of real dice.

    With the question's mark, a late answer is refused instead of being taken as the answer to another question.
    """

    scene: int
    given: int | str | tuple[int, ...]
    at: int = 0
    question: str = ""
    always: bool = False
    """Whether to give the same answer whenever this is asked again in this scene."""
    alike: bool = False
    """Whether to give the same answer for everybody of this member who is asked the same at this moment."""


class AskAgain(Action, frozen=True, tag="ask again"):
    """Asks a combatant again about everything with a standing answer."""

    scene: int
    who: str


class RollDice(Action, frozen=True, tag="roll"):
    """Rolls the requested dice."""

    scene: int
    at: int = 0
    question: str = ""


class Decide(Action, frozen=True, tag="decide"):
    """Lets a tactic answer a question; with `round`, also all further questions of this round to combatants of the same member."""

    scene: int
    at: int = 0
    question: str = ""
    tactic: str = ""
    round: bool = False


class GoOn(Action, frozen=True, tag="go on"):
    """Lets dice and tactics answer everything that waits for the gamemaster, until a player is asked."""

    scene: int


class Overrule(Action, frozen=True, tag="overrule"):
    """Edits any values of a scene's state, by dotted fields, between two steps."""

    scene: int
    changes: tuple[tuple[str, Any], ...]
    why: str = ""


class TouchCard(Action, frozen=True, tag="touch card"):
    """Edits what a card shows, between two steps: a piece and its new content, or the whole change in words."""

    scene: int
    who: str
    piece: str = ""
    shows: str = ""
    words: str = ""
    why: str = ""


class Move(Action, frozen=True, tag="move"):
    """Moves a combatant, in metres, between two steps."""

    scene: int
    who: str
    x: float
    y: float


class LeaveFight(Action, frozen=True, tag="leave fight"):
    """A combatant withdraws or surrenders, between two steps."""

    scene: int
    who: str
    how: Leaving = "surrender"


class BringIn(Action, frozen=True, tag="bring in"):
    """Adds a character to a scene in progress, between two steps."""

    scene: int
    character: str
    side: str


class Undo(Action, frozen=True, tag="undo"):
    """Undoes the last decision of a person and everything after it. The gamemaster may name the entry to go back to."""

    scene: int
    to: int | None = None


class Redo(Action, frozen=True, tag="redo"):
    """Redoes the last undo."""

    scene: int


class SetHand(Action, frozen=True, tag="set hand"):
    """Sets who controls a combatant: a member, a tactic, or (both empty) its owner or the gamemaster.

    The tactics `plays easy`, `plays good` and `plays best` are AI players of that level.
    """

    scene: int
    who: str
    member: str = ""
    tactic: str = ""


class CarryOn(Action, frozen=True, tag="carry on"):
    """Keeps the results of an ended scene for the next one: wounds, fatigue, ammunition, spent points."""

    scene: int
    characters: tuple[str, ...] = ()
    """The characters; empty for all."""


class LeaveBehind(Action, frozen=True, tag="leave behind"):
    """Discards the results of an ended scene."""

    scene: int


class MakeFresh(Action, frozen=True, tag="fresh again"):
    """Resets a character's condition, so that the next scene starts without earlier results."""

    character: str


class UndoCarry(Action, frozen=True, tag="undo carrying"):
    """Undoes the last kept, discarded or reset results."""


# --- the table and its people -------------------------------------------------------------------------------------------------


class Rename(Action, frozen=True, tag="rename"):
    """Renames the table."""

    name: str


class RenameMe(Action, frozen=True, tag="rename me"):
    """Changes the member's own name."""

    name: str


class RenewLink(Action, frozen=True, tag="renew link"):
    """Replaces a link (gamemaster, invitation, or seat:<member>) and revokes the old one. Only the response contains the new link."""

    link: str
    passphrase: str = ""


class RevokeLink(Action, frozen=True, tag="revoke link"):
    """Revokes a link."""

    link: str


class SetRole(Action, frozen=True, tag="set role"):
    """Makes a member a player or a spectator."""

    member: str
    role: Literal["player", "spectator"]


class HandOver(Action, frozen=True, tag="hand over"):
    """Makes another member the gamemaster."""

    member: str


class RemoveMember(Action, frozen=True, tag="remove member"):
    """Removes a member; their devices are signed out."""

    member: str


class SignOut(Action, frozen=True, tag="sign out"):
    """Signs out one device of a member, by its id in the list of devices."""

    member: str
    device: str


class ClearLeft(Action, frozen=True, tag="clear what was left"):
    """Removes a member's notes and markers, and the characters they added that nobody plays."""

    member: str


class Leave(Action, frozen=True, tag="leave"):
    """Leaves the table."""


class AllowHints(Action, frozen=True, tag="allow hints"):
    """Sets whether players may ask for hints."""

    allowed: bool


class AllowOwnDice(Action, frozen=True, tag="allow own dice"):
    """Sets whether players may enter the faces of their own dice."""

    allowed: bool


class ChooseDice(Action, frozen=True, tag="choose dice"):
    """Sets whether the member's dice are rolled at once, or wait for a click or entered faces."""

    wait: bool


class ChangeHouse(Action, frozen=True, tag="change house rules"):
    """Sets preset, settings and tables for future scenes."""

    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}


class ChangeMap(Action, frozen=True, tag="change map"):
    """Sets the grid of the map: squares or hexes, metres per cell, cells across and down."""

    grid: Grid = "square"
    cell: float = 1.0
    width: int = 40
    height: int = 30


class KeepMap(Action, frozen=True, tag="keep map"):
    """Prepares a map: a blank one, plain data, the text of a map file, or a copy.

    `like` names what to copy: a ready-made scenario, another map, or (`scene:2`) a scene in progress. `of` is the kind of scene it is for.
    """

    name: str
    ground: dict[str, Any] = {}
    yaml: str = ""
    like: str = ""
    of: str = FIGHT


class Draw(Action, frozen=True, tag="draw"):
    """Draws a stroke on a prepared map, or on the map of a scene in progress."""

    stroke: Stroke
    map: str = ""
    scene: int = 0


class UndoDrawing(Action, frozen=True, tag="undo drawing"):
    """Undoes the last stroke on a prepared map. On the map of a scene, the scene's own undo does this."""

    map: str


class NameMap(Action, frozen=True, tag="name map"):
    """Renames a map."""

    map: str
    name: str


class RemoveMap(Action, frozen=True, tag="remove map"):
    """Archives a map; scenes on it keep it."""

    map: str


class KeepDraft(Action, frozen=True, tag="keep draft"):
    """Saves a prepared scene at the table, hidden from players until it starts; with an id, replaces that one."""

    scene: BeginScene
    name: str = ""
    """Its name in the list; the scene's own name if empty."""
    draft: str = ""


class CopyDraft(Action, frozen=True, tag="copy draft"):
    """Copies a prepared scene."""

    draft: str


class NameDraft(Action, frozen=True, tag="name draft"):
    """Renames a prepared scene."""

    draft: str
    name: str


class RemoveDraft(Action, frozen=True, tag="remove draft"):
    """Archives a prepared scene."""

    draft: str


class UndoDrafts(Action, frozen=True, tag="undo drafts"):
    """Undoes the last change to the prepared scenes: saved, renamed, copied or archived."""


class LayMap(Action, frozen=True, tag="lay map"):
    """Uses a prepared map for a scene in progress."""

    scene: int
    map: str


class TouchGround(Action, frozen=True, tag="touch ground"):
    """Opens or shuts a door, or reveals or hides a hidden area, by its name."""

    scene: int
    name: str
    does: Literal["open", "shut", "show", "hide"]


class PlaceToken(Action, frozen=True, tag="place token"):
    """Places a marker on the map, or (with its id) moves it."""

    name: str
    x: float
    y: float
    token: str = ""
    hidden: bool = False


class RemoveToken(Action, frozen=True, tag="remove token"):
    """Removes a marker from the map."""

    token: str
