"""The state of a table, built from its log: members, characters, scenes, notes, house rules, maps. Only applying a line changes it."""

from collections import Counter
from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.experience import log_of
from rulewright.campaign.downtime import RUNS, runs_in_words, written_runs
from rulewright.errors import UserError
from rulewright.field.ground import Ground, read_ground
from rulewright.field.map_strokes import drawn
from rulewright.grammar import count
from rulewright.preload import make_ready
from rulewright.rules import House, Ruleset, SettingValue
from rulewright.scenes.scenarios import CONDITION, Lasts
from rulewright.system import System, find
from rulewright.table.campaign_state import AnyCampaignChange, CampaignState
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log import map_entries as m
from rulewright.table.log.entries import Readers, Role
from rulewright.table.log.lines import Line
from rulewright.table.log.map_entries import Grid
from rulewright.table.log.visibility import audience
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.story import entries as s
from rulewright.table.story.state import TableStory

K = TypeVar("K")
T = TypeVar("T")
HOST = "m1"
"""The first member, who hosted the table."""


class Member(Struct, frozen=True):
    """A present or former member."""

    id: str
    name: str
    role: Role
    here: bool = True
    removed: bool = False
    wait: bool = False
    """Whether rolls wait for a click or entered faces."""


class Character(Struct, frozen=True):
    """A character, machine or creature of the table, as plain data in the game's format."""

    id: str
    of: str
    data: dict[str, Any]
    owner: str = ""
    hidden: bool = False
    """Whether only the gamemaster knows of it."""
    carried: dict[str, Lasts] = {}
    """Results of earlier scenes for the next one, by field of a member's state."""
    carried_from: str = ""
    """The scene that they are from."""
    picture: str = ""
    """The digest of its portrait."""

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.data.get("name", self.id))

    def thing(self, system: System) -> Any:
        """The character in the game's own type; raises an error if this version cannot read it."""
        if self.of not in system.kinds:
            raise UserError(f"{self.name}: {system.name} has no kind {self.of!r}")
        try:
            return msgspec.convert(self.data, system.kinds[self.of], strict=True)
        except msgspec.ValidationError as error:
            raise UserError(f"{self.name} cannot be read by this version: {error}") from None


def _describe(condition: Any, known: dict[str, Lasts]) -> dict[str, Lasts]:
    """The condition in a character's file, with descriptions: those of the scene if known."""
    if not isinstance(condition, dict):
        return {}
    return {
        field: known[field] if field in known and known[field].value == value else Lasts(value, f"{field.replace('_', ' ')}: {value}")
        for field, value in condition.items()
    }


class Note(Struct, frozen=True):
    """A note: its author and its readers."""

    id: str
    author: str
    title: str
    text: str
    readers: Readers
    at: int
    to: tuple[str, ...] = ()
    """The readers of a note for some members."""


class Token(Struct, frozen=True):
    """A marker on the map."""

    id: str
    name: str
    x: float
    y: float
    hidden: bool = False
    owner: str = ""


class Map(Struct, frozen=True):
    """The grid of the table's map."""

    grid: Grid = "square"
    cell: float = 1.0
    width: int = 40
    height: int = 30


class KeptMap(Struct, frozen=True):
    """A prepared map, with its earlier versions for undo."""

    id: str
    name: str
    of: str
    ground: Ground
    before: tuple[Ground, ...] = ()


class Draft(Struct, frozen=True):
    """A prepared scene, as plain data."""

    id: str
    name: str
    scene: dict[str, Any]


UNDOES = 60
"""How many strokes on a map can be undone."""


class HouseRules(Struct, frozen=True):
    """The rules of a table."""

    preset: str = ""
    settings: dict[str, SettingValue] = {}
    tables: dict[str, dict[str, dict[str, Any] | None]] = {}

    def as_file(self, system: str, name: str) -> dict[str, Any]:
        """The house rules as a file holds them."""
        chosen = {"preset": self.preset, "settings": dict(self.settings), "tables": self.tables}
        return {"system": system, "kind": "house-rules", "name": name, **{field: value for field, value in chosen.items() if value}}


class Carrying(Struct, frozen=True):
    """A change to the characters' lasting results, and what it replaced, for undo."""

    before: dict[str, tuple[dict[str, Lasts], str]]
    scene: int = 0
    """The scene whose results were kept or discarded; 0 if a condition was reset."""


class Table:
    """A live table. `lines` is its whole log; everything else follows from it. `secret` is the server's key for addresses that hide what
    they name.
    """

    def __init__(self, table_id: str, lines: list[Line], secret: bytes = b"") -> None:
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
        """Archived characters."""
        self.scenes: dict[int, Stage] = {}
        self.carryings: list[Carrying] = []
        """The changes to lasting results in force, latest last."""
        self.campaign = CampaignState()
        self.story: TableStory | None = None
        """The adventure in progress."""
        self.notes: dict[str, Note] = {}
        self.house = HouseRules()
        self.hints = False
        """Whether players may ask for hints."""
        self.own_dice = True
        """Whether players may enter their own dice."""
        self.map = Map()
        self.tokens: dict[str, Token] = {}
        self.maps: dict[str, KeptMap] = {}
        self.drafts: dict[str, Draft] = {}
        self.drafts_before: list[dict[str, Draft]] = []
        """The prepared scenes before each of the last changes, for undo."""
        self.audience: dict[int, frozenset[str]] = {}
        """Who may notice the lines that are not for everybody."""
        self.notices: list[str] = []
        """Messages about problems after a software update."""
        self._counts: dict[str, int] = {}
        self.written: Counter[str] = Counter()
        """How many lines each member wrote."""
        self.brought: dict[str, str] = {}
        """Who added each character."""
        self.bytes = 0
        """Size of the lines in the database."""
        self.changed = 0
        """The number of the last line that is more than chat; everything outside the log is unchanged since."""
        self.closed = False
        """Whether the server administrator closed it."""
        self.went_on = ""
        """The table that continues this one."""
        self.secret = secret
        self.remembered: dict[Any, Any] = {}
        """Cache of values computed from the table; cleared when it changes."""
        self._rules: Ruleset | None = None
        for line in lines:
            self.take(line)

    # --- queries

    @property
    def seq(self) -> int:
        """The number of the last line."""
        return len(self.lines)

    @property
    def check(self) -> str:
        """The checksum of the last line."""
        return self.lines[-1].check

    @property
    def gamemaster(self) -> str:
        """The id of the gamemaster."""
        return next(member.id for member in self.members.values() if member.role == "gamemaster")

    @property
    def rules(self) -> Ruleset:
        """The rules in force. Parts that this version does not know are left out and listed in `notices`."""
        if self._rules is None:
            self._rules = self._read_rules()
            self.remembered = {}
        return self._rules

    def member(self, member_id: str, refusal: str = "you are not a member of this table") -> Member:
        """A present member by id; raises an error otherwise."""
        member = self.members.get(member_id)
        if member is None or not member.here:
            raise UserError(refusal)
        return member

    def other(self, member_id: str) -> Member:
        """Another member, whom an action names."""
        return self.member(member_id, f"there is no member {member_id[:40]!r} at this table")

    def character(self, character_id: str) -> Character:
        """A character by id."""
        return _lookup(self.characters, character_id, "character")

    def scene(self, number: int) -> Stage:
        """A scene by number."""
        return _lookup(self.scenes, number, "scene")

    def kept_map(self, map_id: str) -> KeptMap:
        """A prepared map by id."""
        return _lookup(self.maps, map_id, "map")

    def draft(self, draft_id: str) -> Draft:
        """A prepared scene by id."""
        return _lookup(self.drafts, draft_id, "prepared scene")

    def open_scenes(self) -> list[Stage]:
        """The scenes in progress."""
        return [stage for stage in self.scenes.values() if stage.ended is None]

    def decides(self, stage: Stage, who: str) -> str:
        """The id of the member who controls a combatant: the one set for it, the character's owner, or the gamemaster."""
        hand = stage.hands.get(who)
        if hand is not None and hand.member and self._can_control(hand.member):
            return hand.member
        character = self.characters.get(stage.characters.get(who, ""))
        if character is not None and self._can_control(character.owner):
            return character.owner
        return self.gamemaster

    def tactics(self, stage: Stage) -> dict[str, str]:
        """The tactic set for each combatant; empty for the scenario's."""
        names = [name for side in stage.encounter.scene.sides(stage.encounter.state).values() for name in side]
        return {name: stage.hands[name].tactic if name in stage.hands else "" for name in names}

    def people(self, stage: Stage) -> frozenset[str]:
        """The combatants that a person controls instead of a tactic."""
        return frozenset(name for name, tactic in self.tactics(stage).items() if not tactic)

    def played(self, stage: Stage, member_id: str) -> tuple[str, ...]:
        """The combatants that a member controls."""
        return tuple(
            name
            for names in stage.encounter.scene.sides(stage.encounter.state).values()
            for name in names
            if self.decides(stage, name) == member_id
        )

    def fresh_id(self, letter: str, beside: Collection[str] = ()) -> str:
        """An unused id. Ids of members are counted; others are random, so that nobody can count hidden objects.

        `beside` are ids that are in use already, but not in the log yet.
        """
        if letter == "m":
            return f"m{self._counts.get(letter, 0) + 1}"
        kept: dict[str, Mapping[str, Any]] = {"n": self.notes, "t": self.tokens, "g": self.maps, "d": self.drafts}
        kept |= {"e": self.campaign.dates, "y": self.campaign.tallies}
        taken = {*self.characters, *self.gone} if letter == "c" else {*kept[letter]}
        for attempt in range(1_000):
            digest = blake2b(f"{attempt} {letter} {self.check}".encode(), key=self.id.encode(), digest_size=6).digest()
            new_id = f"{letter}{10**8 + int.from_bytes(digest, 'big') % (9 * 10**8)}"
            if new_id not in taken and new_id not in beside:
                return new_id
        raise UserError("this table has no free id left")

    def _can_control(self, member_id: str) -> bool:
        member = self.members.get(member_id)
        return member is not None and member.here and member.role != "spectator"

    def _read_rules(self) -> Ruleset:
        house = self.house
        book = self.system.book
        try:
            return book.ruleset(house.preset or None, house.settings, House({}, house.tables))
        except UserError as error:
            self.notices.append(f"the house rules do not fit this version of the game: {error}; the parts that do not fit are ignored")
        preset = house.preset if house.preset in book.presets else None
        settings: dict[str, SettingValue] = {}
        tables: dict[str, Any] = {}
        for name, value in house.settings.items():
            if _is_valid(book.ruleset, preset, {**settings, name: value}):
                settings[name] = value
        for rule, rows in house.tables.items():
            if _is_valid(book.ruleset, preset, settings, House({}, {**tables, rule: rows})):
                tables[rule] = rows
        return book.ruleset(preset, settings, House({}, tables)) if settings or tables or preset else book.ruleset()

    # --- applying lines

    def take(self, line: Line) -> None:
        """Applies the next line of the log."""
        if line.seq != self.seq + 1:
            raise UserError(f"line {line.seq} of the log cannot follow line {self.seq}")
        change = line.change
        noticed_by = audience(self, line)
        if noticed_by is not None:
            self.audience[line.seq] = noticed_by
        if not isinstance(change, e.Said | e.Tested):
            self.changed = line.seq
            self.remembered = {}
        self._apply(line)
        self.lines.append(line)
        self.written[line.who] += 1
        self.bytes += line.size

    def _apply(self, line: Line) -> None:
        """Changes the table as the entry of a line says."""
        change = line.change
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
            case e.LinkRenewed() | e.LinkRevoked() | e.SatDown() | e.SignedOut() | e.Said() | e.Tested() | e.Imported() | e.RollProposed():
                pass  # only the log shows these
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
                self._take_character(line, change)
            case e.CharacterPictured():
                self.characters[change.character] = replace(self.characters[change.character], picture=change.picture)
            case e.SceneCarried() | e.CharacterFresh() | e.CarryUndone() | c.EffectsKept():
                self._take_carrying(change)
            case _ if isinstance(change, c.ExperienceLearnt | c.TimeTurnedBack | AnyCampaignChange):
                self._take_time(change)
            case _:
                self._take_scene(line, change)

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
            self.drafts = {key: draft for key, draft in self.drafts.items() if key != change.draft}
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
        self, line: Line, change: e.CharacterAdded | e.CharacterShown | e.CharacterChanged | e.CharacterClaimed | e.CharacterRemoved
    ) -> None:
        if isinstance(change, e.CharacterAdded):
            self._count(change.character)
            self.brought[change.character] = line.who
            self.campaign = self.campaign.added(change.character)
            brought = _describe(change.data.get(CONDITION, {}), {})
            character = Character(change.character, change.of, change.data, change.owner, change.hidden, brought)
            self.characters[change.character] = character
            return
        character = self.characters[change.character]
        if isinstance(change, e.CharacterChanged):
            carried = _describe(change.data[CONDITION], character.carried) if CONDITION in change.data else character.carried
            self.characters[character.id] = replace(character, data=change.data, carried=carried)
        elif isinstance(change, e.CharacterClaimed):
            self.characters[character.id] = replace(character, owner=change.owner, hidden=character.hidden and not change.owner)
        elif isinstance(change, e.CharacterShown):
            self.characters[character.id] = replace(character, hidden=change.hidden)
        else:
            self.gone[character.id] = self.characters.pop(character.id)

    def _take_carrying(self, change: e.SceneCarried | e.CharacterFresh | e.CarryUndone | c.EffectsKept) -> None:
        if isinstance(change, e.CarryUndone):
            for character_id, (carried, scene) in self.carryings.pop().before.items():
                self._carries(character_id, carried, scene)
            return
        if isinstance(change, e.CharacterFresh):
            number, after = 0, {change.character: dict[str, Lasts]()}
        elif isinstance(change, c.EffectsKept):
            runs = Lasts(written_runs(change.runs), runs_in_words(change.runs))
            number, after = 0, {change.character: {**self._kept(change.character).carried, RUNS: runs}}
        else:
            number = change.scene
            after = {
                character_id: {kept.field: Lasts(kept.value, kept.words) for kept in carried}
                for character_id, carried in change.characters.items()
            }
        name = self.scenes[number].name if number else ""
        before = {candidate.id: (candidate.carried, candidate.carried_from) for candidate in map(self._kept, after)}
        self.carryings.append(Carrying(before, number))
        for character_id, carried in after.items():
            self._carries(character_id, carried, name)

    def _take_story(self, line: Line, change: s.StoryBegun | s.StoryPlayed | s.StoryLeft) -> None:
        if isinstance(change, s.StoryBegun):
            self.story = TableStory(self.system, change)
        elif isinstance(change, s.StoryLeft):
            self.story = None
        elif self.story is not None:
            passed = self.story.take(line.seq, change)
            self.campaign = replace(self.campaign, now=max(0, self.campaign.now + passed))

    def _take_time(self, change: c.ExperienceLearnt | c.TimeTurnedBack | AnyCampaignChange) -> None:
        if isinstance(change, c.ExperienceLearnt):
            self._learn(change.character, change.entries)
        elif isinstance(change, c.TimeTurnedBack):
            self._turn_back(change.scene)
        else:
            self.campaign = self.campaign.changed(change)

    def _learn(self, character_id: str, entries: tuple[dict[str, Any], ...], number: int = 0) -> None:
        """Adds entries to a character's log of experience, or takes the last ones back."""
        where = self.characters if character_id in self.characters else self.gone
        character = where[character_id]
        log = log_of(self.system.kinds[character.of])
        if log is None:
            return
        written = [*character.data.get(log.field, ()), *entries]
        where[character_id] = replace(character, data={**character.data, log.field: written[: len(written) - number]})
        if entries:
            self.campaign = self.campaign.learnt(character_id, len(entries))

    def _turn_back(self, scene: int) -> None:
        """Undoes the downtime of a scene: the clock, and the conditions that it changed."""
        for character_id, number in self.campaign.passed[-1].learnt.items():
            self._learn(character_id, (), number)
        self.campaign = self.campaign.turned_back()
        self.scenes[scene].turned_back = True
        for carrying in [carrying for carrying in self.carryings if carrying.scene == scene]:
            for character_id, (carried, carried_from) in carrying.before.items():
                self._carries(character_id, carried, carried_from)
            self.carryings.remove(carrying)

    def _kept(self, character_id: str) -> Character:
        """A character of the table, also an archived one."""
        return self.characters[character_id] if character_id in self.characters else self.gone[character_id]

    def _carries(self, character_id: str, carried: dict[str, Lasts], scene: str) -> None:
        where = self.characters if character_id in self.characters else self.gone
        character = where[character_id]
        data = character.data
        if CONDITION in getattr(self.system.kinds.get(character.of), "__struct_fields__", ()):
            data = {**data, CONDITION: {field: lasts.value for field, lasts in carried.items()}}
        where[character_id] = replace(character, data=data, carried=carried, carried_from=scene if carried else "")

    def _take_scene(self, line: Line, change: Any) -> None:
        if isinstance(change, s.StoryBegun | s.StoryPlayed | s.StoryLeft):
            self._take_story(line, change)
            return
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
                lost = f"; lost: {count(change.dropped, 'entry')}" if change.dropped else ""
                self.notices.append(f"{stage.name} resumes from a snapshot, because this version cannot replay it ({change.why}){lost}")
            stage.take(line, change)
            if isinstance(change, e.SceneEnded):
                if self.story is not None and self.story.playing == change.scene and self.campaign.calendar is not None:
                    self.story.counted += max(0, change.took)
                self.campaign = self.campaign.after_scene(change, stage.lived(self.campaign.now + max(0, change.took)), stage.downtime)

    def _count(self, given: str) -> None:
        letter, number = given[0], int(given[1:])
        self._counts[letter] = max(self._counts.get(letter, 0), number)


def _lookup(known: Mapping[K, T], key: K, what: str) -> T:
    """Looks up an id; raises an error if the table does not have it."""
    if key not in known:
        raise UserError(f"there is no {what} {key[:40] if isinstance(key, str) else key!r} at this table")
    return known[key]


def _is_valid(ruleset: Any, *arguments: Any) -> bool:
    try:
        ruleset(*arguments)
    except UserError:
        return False
    return True
