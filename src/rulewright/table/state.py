"""A table as its log makes it: people, characters, scenes, notes, house rules, the map. Taking a line changes it; nothing else does."""

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.ground import Ground, read_ground
from rulewright.field.map_strokes import drawn
from rulewright.preload import make_ready
from rulewright.rules import House, Ruleset, SettingValue
from rulewright.scenes.scenarios import CONDITION, Lasts
from rulewright.system import System, find
from rulewright.table.log import entries as e
from rulewright.table.log import map_entries as m
from rulewright.table.log.entries import Readers, Role
from rulewright.table.log.lines import Line
from rulewright.table.log.map_entries import Grid
from rulewright.table.log.visibility import audience
from rulewright.table.scenes.live_scene import Stage

K = TypeVar("K")
T = TypeVar("T")
HOST = "m1"
"""The first member: who hosted the table."""


class Member(Struct, frozen=True):
    """Somebody at the table, or who was."""

    id: str
    name: str
    role: Role
    here: bool = True
    removed: bool = False
    wait: bool = False
    """Whether rolls wait for a touch or for typed faces."""


class Character(Struct, frozen=True):
    """A character, machine or creature of the table, as plain data in the game's own shape."""

    id: str
    of: str
    data: dict[str, Any]
    owner: str = ""
    hidden: bool = False
    """Whether only the gamemaster knows of it."""
    carried: dict[str, Lasts] = {}
    """What it takes into its next scene from an earlier one, by the fields of a member's state."""
    carried_from: str = ""
    """The scene that it carries this from."""
    picture: str = ""
    """The digest of its portrait."""

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.data.get("name", self.id))

    def thing(self, system: System) -> Any:
        """The same in the game's own type; refuses data that this version cannot read."""
        if self.of not in system.kinds:
            raise UserError(f"{self.name}: {system.name} has no kind {self.of!r}")
        try:
            return msgspec.convert(self.data, system.kinds[self.of], strict=True)
        except msgspec.ValidationError as error:
            raise UserError(f"{self.name} cannot be read by this version: {error}") from None


def _in_words(condition: Any, known: dict[str, Lasts]) -> dict[str, Lasts]:
    """What a character's file says that scenes left, each in words: as the scene itself said it, where that is known."""
    if not isinstance(condition, dict):
        return {}
    return {
        field: known[field] if field in known and known[field].value == value else Lasts(value, f"{field.replace('_', ' ')}: {value}")
        for field, value in condition.items()
    }


class Note(Struct, frozen=True):
    """A note: who wrote it, and who may read it."""

    id: str
    author: str
    title: str
    text: str
    readers: Readers
    at: int
    to: tuple[str, ...] = ()
    """For a note for some: which members."""


class Token(Struct, frozen=True):
    """A marker on the map."""

    id: str
    name: str
    x: float
    y: float
    hidden: bool = False
    owner: str = ""


class Map(Struct, frozen=True):
    """The map's squares or hexes."""

    grid: Grid = "square"
    cell: float = 1.0
    width: int = 40
    height: int = 30


class KeptMap(Struct, frozen=True):
    """A map that the gamemaster prepares, and how it was before its last strokes."""

    id: str
    name: str
    of: str
    ground: Ground
    before: tuple[Ground, ...] = ()


class Draft(Struct, frozen=True):
    """A scene that the gamemaster prepares, as plain data."""

    id: str
    name: str
    scene: dict[str, Any]


UNDOES = 60
"""So many strokes on a map can be taken back."""


class HouseRules(Struct, frozen=True):
    """What the table plays by."""

    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}

    def as_file(self, system: str, name: str) -> dict[str, Any]:
        """The same as a house-rules file holds it."""
        chosen = {"preset": self.preset, "settings": dict(self.settings), "tables": self.tables}
        return {"system": system, "kind": "house-rules", "name": name, **{field: value for field, value in chosen.items() if value}}


class Carrying(Struct, frozen=True):
    """A change to what characters carry between scenes, and what it replaced, so that it can be taken back."""

    before: dict[str, tuple[dict[str, Lasts], str]]
    scene: int = 0
    """The scene that was carried on or left behind; 0 where somebody was made fresh."""


class Table:
    """A live table. `lines` is its whole log; everything else follows from it."""

    def __init__(self, table_id: str, lines: list[Line]) -> None:
        if not lines or not isinstance(lines[0].change, e.Hosted):
            raise UserError(f"there is no table {table_id}")
        hosted = lines[0].change
        self.id = table_id
        self.system: System = find(hosted.system)
        make_ready(self.system)
        self.name = hosted.name
        self.demo = hosted.demo
        self.lines: list[Line] = []
        self.members: dict[str, Member] = {}
        self.characters: dict[str, Character] = {}
        self.gone: dict[str, Character] = {}
        """Characters that were put away."""
        self.scenes: dict[int, Stage] = {}
        self.carryings: list[Carrying] = []
        """Every change to what is carried between scenes that stands, the latest last."""
        self.notes: dict[str, Note] = {}
        self.house = HouseRules()
        self.hints = False
        """Whether players may ask what would be wise."""
        self.own_dice = True
        """Whether players may type the faces of their own dice."""
        self.map = Map()
        self.tokens: dict[str, Token] = {}
        self.maps: dict[str, KeptMap] = {}
        self.drafts: dict[str, Draft] = {}
        self.drafts_before: list[dict[str, Draft]] = []
        """The prepared scenes as they were before each of the last changes to them."""
        self.audience: dict[int, frozenset[str]] = {}
        """Who may notice those lines that are not everybody's concern."""
        self.notices: list[str] = []
        """What has to be said about the table since the software changed."""
        self._counts: dict[str, int] = {}
        self.written: Counter[str] = Counter()
        """How many lines each member wrote."""
        self.brought: dict[str, str] = {}
        """Who brought each character."""
        self.bytes = 0
        """What the lines take in the database."""
        self.changed = 0
        """The number of the last line that is more than talk: what people see apart from the log stands as it was then."""
        self.closed = False
        """Whether whoever runs the server has closed it."""
        self.went_on = ""
        """The table in which this one goes on."""
        self.remembered: dict[Any, Any] = {}
        """What was worked out from the table as it stands; forgotten when it changes."""
        self._rules: Ruleset | None = None
        for line in lines:
            self.take(line)

    # what stands

    @property
    def seq(self) -> int:
        """The number of the last line."""
        return len(self.lines)

    @property
    def check(self) -> str:
        """The check that the last line carries."""
        return self.lines[-1].check

    @property
    def gamemaster(self) -> str:
        """The member who leads."""
        return next(member.id for member in self.members.values() if member.role == "gamemaster")

    @property
    def rules(self) -> Ruleset:
        """What is played by; what this version does not know of it is left out, and said in `notices`."""
        if self._rules is None:
            self._rules = self._played_by()
            self.remembered = {}
        return self._rules

    def member(self, member_id: str, refusal: str = "you do not sit at this table") -> Member:
        """Somebody at the table by id; refuses those who are not here."""
        result = self.members.get(member_id)
        if result is None or not result.here:
            raise UserError(refusal)
        return result

    def other(self, member_id: str) -> Member:
        """Somebody else at the table, whom an action names."""
        return self.member(member_id, f"nobody at this table is called {member_id[:40]!r}")

    def character(self, character_id: str) -> Character:
        """A character by id."""
        return _there(self.characters, character_id, "character")

    def scene(self, number: int) -> Stage:
        """A scene by its number."""
        return _there(self.scenes, number, "scene")

    def kept_map(self, map_id: str) -> KeptMap:
        """A map that is prepared, by its id."""
        return _there(self.maps, map_id, "map")

    def draft(self, draft_id: str) -> Draft:
        """A prepared scene by its id."""
        return _there(self.drafts, draft_id, "prepared scene")

    def open_scenes(self) -> list[Stage]:
        """The scenes that were not closed."""
        return [stage for stage in self.scenes.values() if stage.ended is None]

    def decides(self, stage: Stage, who: str) -> str:
        """The member who decides for a combatant: by the hand that was set, as the character's owner, or as the gamemaster."""
        hand = stage.hands.get(who)
        if hand is not None and hand.member and self._sits(hand.member):
            return hand.member
        character = self.characters.get(stage.characters.get(who, ""))
        if character is not None and self._sits(character.owner):
            return character.owner
        return self.gamemaster

    def tactics(self, stage: Stage) -> dict[str, str]:
        """The tactic that was set for each combatant; none where the scenario's goes."""
        names = [name for side in stage.encounter.scene.sides(stage.encounter.state).values() for name in side]
        return {name: stage.hands[name].tactic if name in stage.hands else "" for name in names}

    def people(self, stage: Stage) -> frozenset[str]:
        """The combatants for whom a person decides, and no tactic."""
        return frozenset(name for name, tactic in self.tactics(stage).items() if not tactic)

    def played(self, stage: Stage, member_id: str) -> tuple[str, ...]:
        """The combatants of a scene for whom a member decides or whose character is theirs."""
        return tuple(
            name
            for names in stage.encounter.scene.sides(stage.encounter.state).values()
            for name in names
            if self.decides(stage, name) == member_id
        )

    def fresh_id(self, letter: str) -> str:
        """An unused id of a sort. Those of members count them; all others say nothing, since there may be some that others hide."""
        if letter == "m":
            return f"m{self._counts.get(letter, 0) + 1}"
        kept: dict[str, Mapping[str, Any]] = {"n": self.notes, "t": self.tokens, "g": self.maps, "d": self.drafts}
        taken = {*self.characters, *self.gone} if letter == "c" else {*kept[letter]}
        for attempt in range(1_000):
            digest = blake2b(f"{attempt} {letter} {self.check}".encode(), key=self.id.encode(), digest_size=6).digest()
            text = f"{letter}{10**8 + int.from_bytes(digest, 'big') % (9 * 10**8)}"
            if text not in taken:
                return text
        raise UserError("no place is left at this table")

    def _sits(self, member_id: str) -> bool:
        member = self.members.get(member_id)
        return member is not None and member.here and member.role != "spectator"

    def _played_by(self) -> Ruleset:
        house = self.house
        book = self.system.book
        try:
            return book.ruleset(house.preset or None, house.settings, House({}, house.tables))
        except UserError as error:
            self.notices.append(f"the house rules do not fit this version of the game: {error}; what does not fit is left out")
        preset = house.preset if house.preset in book.presets else None
        settings: dict[str, SettingValue] = {}
        tables: dict[str, Any] = {}
        for name, value in house.settings.items():
            if _plays(book.ruleset, preset, {**settings, name: value}):
                settings[name] = value
        for rule, rows in house.tables.items():
            if _plays(book.ruleset, preset, settings, House({}, {**tables, rule: rows})):
                tables[rule] = rows
        return book.ruleset(preset, settings, House({}, tables)) if settings or tables or preset else book.ruleset()

    # taking lines

    def take(self, line: Line) -> None:
        """Take the next line of the log."""
        if line.seq != self.seq + 1:
            raise UserError(f"line {line.seq} does not follow line {self.seq}")
        change = line.change
        told = audience(self, line)
        if told is not None:
            self.audience[line.seq] = told
        if not isinstance(change, e.Said | e.Tested):
            self.changed = line.seq
            self.remembered = {}
        match change:
            case e.Hosted():
                self.house = HouseRules(change.preset, change.settings)
                self._add_member(Member(HOST, change.gamemaster, "gamemaster"))
            case e.Renamed():
                self.name = change.name
            case e.Joined():
                self._add_member(Member(change.member, change.name, change.role))
            case e.Left():
                self._member(change.member, here=False, removed=change.removed)
                self._let_go(change.member)
            case e.CameBack():
                self._member(change.member, here=True)
            case e.MemberRenamed():
                self._member(change.member, name=change.name)
            case e.RoleChanged():
                self._member(change.member, role=change.role)
            case e.HandedOver():
                self._member(self.gamemaster, role="player")
                self._member(change.member, role="gamemaster")
            case e.OwnDice():
                self.own_dice = change.allowed
            case e.HintsAllowed():
                self.hints = change.allowed
            case e.DiceChosen():
                self._member(change.member, wait=change.wait)
            case e.Cleared():
                self._clear(change.member)
            case e.Closed():
                self.closed = change.closed
            case e.WentOn():
                self.went_on = change.table if change.onward else self.went_on
            case e.LinkRenewed() | e.LinkRevoked() | e.SatDown() | e.SignedOut() | e.Said() | e.Tested() | e.Imported():
                pass  # the log is where these stand
            case e.NoteWritten() | e.NoteRemoved():
                self._take_note(line, change)
            case e.HouseChanged():
                self.house = HouseRules(change.preset, change.settings, change.tables)
                self._rules = None
            case m.MapChanged() | m.TokenPlaced() | m.TokenRemoved():
                self._take_map(change)
            case m.DraftKept() | m.DraftRemoved() | m.DraftsUndone():
                self._take_draft(change)
            case m.MapKept() | m.MapDrawn() | m.MapUndone() | m.MapNamed() | m.MapRemoved():
                self._take_drawing(change)
            case e.CharacterAdded() | e.CharacterShown() | e.CharacterChanged() | e.CharacterClaimed() | e.CharacterRemoved():
                self._take_character(change)
                if isinstance(change, e.CharacterAdded):
                    self.brought[change.character] = line.who
            case e.CharacterPictured():
                self.characters[change.character] = replace(self.characters[change.character], picture=change.picture)
            case e.SceneCarried() | e.CharacterFresh() | e.CarryUndone():
                self._take_carrying(change)
            case _:
                self._take_scene(line, change)
        self.lines.append(line)
        self.written[line.who] += 1
        self.bytes += line.size

    def _add_member(self, member: Member) -> None:
        self._count(member.id)
        self.members[member.id] = member

    def _member(self, member_id: str, **changes: Any) -> None:
        self.members[member_id] = replace(self.members[member_id], **changes)

    def _clear(self, member_id: str) -> None:
        self.notes = {note.id: note for note in self.notes.values() if note.author != member_id}
        self.tokens = {token.id: token for token in self.tokens.values() if token.owner != member_id}
        for character in list(self.characters.values()):
            if self.brought.get(character.id) == member_id and not character.owner:
                self.gone[character.id] = self.characters.pop(character.id)

    def _let_go(self, member_id: str) -> None:
        for character in list(self.characters.values()):
            if character.owner == member_id:
                self.characters[character.id] = replace(character, owner="")

    def _take_note(self, line: Line, change: e.NoteWritten | e.NoteRemoved) -> None:
        if isinstance(change, e.NoteRemoved):
            self.notes.pop(change.note, None)
            return
        self._count(change.note)
        before = self.notes.get(change.note)
        author = before.author if before is not None else line.who
        self.notes[change.note] = Note(change.note, author, change.title, change.text, change.readers, line.at, change.to)

    def _take_map(self, change: m.MapChanged | m.TokenPlaced | m.TokenRemoved) -> None:
        if isinstance(change, m.MapChanged):
            self.map = Map(change.grid, change.cell, change.width, change.height)
        elif isinstance(change, m.TokenPlaced):
            self._count(change.token)
            self.tokens[change.token] = Token(change.token, change.name, change.x, change.y, change.hidden, change.owner)
        else:
            self.tokens.pop(change.token, None)

    def _take_draft(self, change: m.DraftKept | m.DraftRemoved | m.DraftsUndone) -> None:
        if isinstance(change, m.DraftsUndone):
            self.drafts = self.drafts_before.pop()
            return
        self.drafts_before = [*self.drafts_before, self.drafts][-UNDOES:]
        if isinstance(change, m.DraftRemoved):
            self.drafts = {key: result for key, result in self.drafts.items() if key != change.draft}
        else:
            self.drafts = {**self.drafts, change.draft: Draft(change.draft, change.name, change.scene)}

    def _take_drawing(self, change: m.MapKept | m.MapDrawn | m.MapUndone | m.MapNamed | m.MapRemoved) -> None:
        if isinstance(change, m.MapKept):
            self._count(change.map)
            self.maps[change.map] = KeptMap(change.map, change.name, change.of, read_ground(change.ground))
            return
        kept = self.maps[change.map]
        if isinstance(change, m.MapRemoved):
            del self.maps[change.map]
        elif isinstance(change, m.MapNamed):
            self.maps[change.map] = replace(kept, name=change.name)
        elif isinstance(change, m.MapUndone):
            self.maps[change.map] = replace(kept, ground=kept.before[-1], before=kept.before[:-1])
        else:
            before = (*kept.before, kept.ground)[-UNDOES:]
            self.maps[change.map] = replace(kept, ground=drawn(kept.ground, change.stroke), before=before)

    def _take_character(
        self, change: e.CharacterAdded | e.CharacterShown | e.CharacterChanged | e.CharacterClaimed | e.CharacterRemoved
    ) -> None:
        if isinstance(change, e.CharacterAdded):
            self._count(change.character)
            brought = _in_words(change.data.get(CONDITION, {}), {})
            character = Character(change.character, change.of, change.data, change.owner, change.hidden, brought)
            self.characters[change.character] = character
            return
        character = self.characters[change.character]
        if isinstance(change, e.CharacterChanged):
            carried = _in_words(change.data[CONDITION], character.carried) if CONDITION in change.data else character.carried
            self.characters[character.id] = replace(character, data=change.data, carried=carried)
        elif isinstance(change, e.CharacterClaimed):
            self.characters[character.id] = replace(character, owner=change.owner, hidden=character.hidden and not change.owner)
        elif isinstance(change, e.CharacterShown):
            self.characters[character.id] = replace(character, hidden=change.hidden)
        else:
            self.gone[character.id] = self.characters.pop(character.id)

    def _take_carrying(self, change: e.SceneCarried | e.CharacterFresh | e.CarryUndone) -> None:
        if isinstance(change, e.CarryUndone):
            for character_id, (carried, scene) in self.carryings.pop().before.items():
                self._carries(character_id, carried, scene)
            return
        if isinstance(change, e.CharacterFresh):
            number, after = 0, {change.character: dict[str, Lasts]()}
        else:
            number = change.scene
            after = {
                text: {candidate.field: Lasts(candidate.value, candidate.words) for candidate in carried}
                for text, carried in change.characters.items()
            }
        name = self.scenes[number].name if number else ""
        before = {candidate.id: (candidate.carried, candidate.carried_from) for candidate in map(self._kept, after)}
        self.carryings.append(Carrying(before, number))
        for character_id, carried in after.items():
            self._carries(character_id, carried, name)

    def _kept(self, character_id: str) -> Character:
        """A character of the table, also one that was put away."""
        return self.characters[character_id] if character_id in self.characters else self.gone[character_id]

    def _carries(self, character_id: str, carried: dict[str, Lasts], scene: str) -> None:
        where = self.characters if character_id in self.characters else self.gone
        character = where[character_id]
        data = character.data
        if CONDITION in getattr(self.system.kinds.get(character.of), "__struct_fields__", ()):
            data = {**data, CONDITION: {field: lasts.value for field, lasts in carried.items()}}
        where[character_id] = replace(character, data=data, carried=carried, carried_from=scene if carried else "")

    def _take_scene(self, line: Line, change: Any) -> None:
        if isinstance(change, e.SceneBegun):
            self.scenes[change.scene] = Stage(self.system, line, change)
            return
        stage = self.scenes[change.scene]
        if isinstance(change, e.HandChanged):
            stage.hands[change.who] = change.hand
        elif isinstance(change, e.AnswerSettled):
            if change.given is None:
                stage.settled.pop((change.who, change.topic), None)
            else:
                stage.settled[change.who, change.topic] = change.given
        elif isinstance(change, e.UsualChosen):
            stage.usual[change.member] = change.round
        elif isinstance(change, e.NewcomerNamed):
            stage.characters[change.who] = change.character
            stage.entered[change.who] = change.entered
        else:
            if isinstance(change, e.SceneResumed):
                lost = f"; {change.dropped} of its entries are lost" if change.dropped else ""
                self.notices.append(f"{stage.name}: goes on from a snapshot, because this version does not replay it ({change.why}){lost}")
            stage.take(line, change)

    def _count(self, given: str) -> None:
        letter, number = given[0], int(given[1:])
        self._counts[letter] = max(self._counts.get(letter, 0), number)


def _there(known: Mapping[K, T], key: K, what: str) -> T:
    """What the table has by an id; refuses what it has not."""
    if key not in known:
        raise UserError(f"there is no {what} {key[:40] if isinstance(key, str) else key!r} at this table")
    return known[key]


def _plays(ruleset: Any, *arguments: Any) -> bool:
    try:
        ruleset(*arguments)
    except UserError:
        return False
    return True
