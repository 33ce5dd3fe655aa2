"""A live scene of a table: its record in the log, the encounter replayed from it, and resuming after an upgrade."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime import Downtime
from rulewright.campaign.downtime_scene import DOWNTIME
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.errors import UserError
from rulewright.play import Choice, Roll, Tactic, first_option
from rulewright.rules import House, Ruleset
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Answered, AnyEntry, Begun, Redone, Undone
from rulewright.scenes.scenarios import Lasts
from rulewright.scenes.scene import Scene
from rulewright.system import Staging, System
from rulewright.table.log.entries import Played, PlayEntry, SceneBegun, SceneEnded, SceneResumed, Snapshot
from rulewright.table.log.lines import Line

SNAPSHOT_EVERY = 40
"""Entries between two snapshots of a scene, so that little is lost if a later version cannot replay it."""


class Question(Struct, frozen=True):
    """An open question: its place and the request."""

    at: int
    request: Roll[Any] | Choice[Any]

    @property
    def who(self) -> str:
        """The combatant who is asked."""
        return self.request.hand if isinstance(self.request, Roll) else self.request.who

    @property
    def mark(self) -> str:
        """Identifies the wording of the question, so that an answer to an earlier question is refused."""
        return f"{crc32(self.request.question().encode()):08x}"


def is_private(begun: Begun) -> bool:
    """Whether a scene that begins like this is a roll behind the gamemaster's screen."""
    return begun.scene == ROLL_REQUEST and begun.state.get("manner") == "gamemaster rolls"


class Stage:
    """One scene: its part of the log, and the encounter, which is replayed on first use."""

    def __init__(self, system: System, line: Line, change: SceneBegun) -> None:
        self.system = system
        self.number = change.scene
        self.begun = change.begun
        self.first = change.begun
        """How the scene began; after an upgrade `begun`, where the replay starts, may be a later snapshot."""
        self.about = change.about
        self.characters = dict(change.characters)
        self.hands = dict(change.hands)
        self.tactics = dict(change.tactics)
        self.settled: dict[tuple[str, str], int | str] = {}
        """Standing answers in this scene, by (combatant, topic)."""
        self.usual: dict[str, int] = {}
        """The round in which all combatants of a member follow their default tactics, by member."""
        self.entries: list[PlayEntry] = []
        self.auto: list[bool] = []
        self.typed: set[int] = set()
        """Numbers of log lines with entered dice."""
        self.seqs: list[int] = [line.seq]
        """The log line of every entry of the encounter's record, including the first."""
        self.snapshots: list[tuple[int, Any]] = []
        self.ended: SceneEnded | None = None
        self.turned_back = False
        """Whether this is time that passed and was undone."""
        self.entered: dict[str, dict[str, Any]] = {}
        """Lasting values of combatants who entered later, at the time they entered."""
        self.changed: dict[str, dict[str, Lasts]] = {}
        """Lasting results of an ended scene, by combatant; computed on first use."""
        self.resumed: list[SceneResumed] = []
        self.turned: dict[int, list[int]] = {}
        """The entries that each undo or redo reverted or restored, by entry."""
        self._live: list[int] = []
        self._undone: list[list[int]] = []
        self._encounter: Encounter[Any] | None = None
        self._fresh: list[AnyEntry] = []

    @property
    def name(self) -> str:
        """The scene's name."""
        return self.begun.name

    @property
    def requested(self) -> bool:
        """Whether this is a roll request instead of a scene of the game."""
        return self.begun.scene == ROLL_REQUEST

    @property
    def downtime(self) -> bool:
        """Whether this is time that passes between scenes."""
        return self.begun.scene == DOWNTIME

    @property
    def took(self) -> int:
        """How long the scene has taken in the story, in seconds; 0 if this version cannot replay it."""
        return 0 if self.trouble() else max(0, self.encounter.scene.took(self.encounter.state))

    def lived(self, now: int) -> dict[str, int]:
        """Up to when the characters of an ended scene have lived. A roll request is too short to matter to a body."""
        if self.requested:
            return {}
        if not self.downtime or self.trouble():
            return dict.fromkeys(self.characters.values(), now)
        state: Downtime[Any] = self.encounter.state
        return {character_id: state.participant(name).since for name, character_id in self.characters.items()}

    @property
    def private(self) -> bool:
        """Whether only the gamemaster may know of it."""
        return is_private(self.first)

    @property
    def staging(self) -> Staging:
        """The game's kind of scene."""
        return self.system.staging(self.begun.scene)

    # --- the encounter

    @property
    def encounter(self) -> Encounter[Any]:
        """The live encounter, replayed on first use."""
        if self._encounter is None:
            self._encounter = self._replayed(self.begun, list(self.entries))
        return self._encounter

    def _replayed(self, begun: Begun, entries: list[PlayEntry]) -> Encounter[Any]:
        rules = self.system.book.ruleset(house=House(begun.settings, begun.tables))
        return Encounter(self.staging.scene(rules), [begun, *entries], self._fresh.append)

    @property
    def ahead(self) -> bool:
        """Whether the encounter has entries that the log does not have yet."""
        return self._encounter is not None and len(self._encounter.entries) > 1 + len(self.entries)

    def fresh(self) -> list[AnyEntry]:
        """The encounter's entries since the last call, for the log."""
        entries = list(self._fresh)
        self._fresh.clear()
        return entries

    def questions(self) -> list[Question]:
        """The open questions."""
        return [] if self.ended is not None else [Question(at, request) for at, request in self.encounter.open]

    def question(self, at: int, mark: str = "") -> Question:
        """The open question at a place; raises an error if it has changed meanwhile."""
        for question in self.questions():
            if question.at == at:
                if mark and question.mark != mark:
                    raise UserError("the question has changed meanwhile; read it again before you answer")
                return question
        raise UserError("this question was answered already, or is not open")

    def tactic(self, who: str) -> Tactic:
        """A combatant's default tactic: the scenario's, or the first of this kind of scene."""
        known = self.staging.tactics
        return known.get(self.tactics.get(who, "")) or next(iter(known.values()), first_option)

    # --- applying lines

    def take(self, line: Line, change: "Played | Snapshot | SceneEnded | SceneResumed") -> None:
        """Applies a change of the log to this scene."""
        if isinstance(change, Played):
            self._play(line.seq, change)
        elif isinstance(change, Snapshot):
            self.snapshots.append((change.entries, change.state))
        elif isinstance(change, SceneEnded):
            self.ended = change
        else:
            self._resume(line.seq, change)

    def _play(self, seq: int, change: Played) -> None:
        self._count(len(self.entries) + 1, change.entry)
        self.entries.append(change.entry)
        self.auto.append(change.auto)
        if change.typed:
            self.typed.add(seq)
        self.seqs.append(seq)
        if isinstance(change.entry, Undone):
            self.usual.clear()
            to = change.entry.to
            self.snapshots = [(entries, state) for entries, state in self.snapshots if entries <= to]
        if self._encounter is not None and len(self._encounter.entries) <= len(self.entries):
            self._encounter.take(change.entry)

    def _resume(self, seq: int, change: SceneResumed) -> None:
        start = change.after
        self.entries = list(_renumbered(self.entries[start - 1 :], start - 1))[: change.again]
        self.auto = self.auto[start - 1 : start - 1 + change.again]
        self.seqs = [seq, *self.seqs[start : start + change.again]]
        self.begun = change.begun
        self._live, self._undone, self.turned = [], [], {}
        for number, entry in enumerate(self.entries, 1):
            self._count(number, entry)
        self.snapshots = []
        self.resumed.append(change)
        self._encounter = None

    # --- further queries

    def due(self) -> Snapshot | None:
        """A snapshot, if one is due."""
        encounter = self._encounter
        if encounter is None or not encounter.between_steps or encounter.result is not None:
            return None
        reached = len(encounter.entries)
        last = self.snapshots[-1][0] if self.snapshots else 1
        if reached - last < SNAPSHOT_EVERY:
            return None
        return Snapshot(self.number, reached, msgspec.to_builtins(encounter.state))

    def last_decision(self) -> int | None:
        """The last entry in force that a person made and that was not a roll; None if there is none."""
        for number in reversed(self._live):
            entry = self.entries[number - 1]
            rolled = isinstance(entry, Answered) and isinstance(entry.given, tuple)
            if not rolled and not self.auto[number - 1]:
                return number
        return None

    def _count(self, number: int, entry: PlayEntry) -> None:
        """Tracks which entries are in force."""
        if isinstance(entry, Undone):
            at = self._live.index(entry.to)
            self.turned[number] = self._live[at:]
            self._undone.append(self._live[at:])
            del self._live[at:]
        elif isinstance(entry, Redone):
            self.turned[number] = self._undone.pop()
            self._live += self.turned[number]
        else:
            self._live.append(number)
            self._undone.clear()

    # --- after an upgrade

    def trouble(self) -> str:
        """Why the scene does not replay in this version; empty if it does."""
        try:
            self.encounter  # noqa: B018
        except UserError as error:
            return str(error)
        except Exception as error:  # changed rules may fail on an old state in any way
            return f"{type(error).__name__}: {error}"
        return ""

    def resumption(self, why: str, fallback: Ruleset) -> "SceneResumed | SceneEnded":
        """How the scene continues: from the latest snapshot that this version can read, with the entries after it as far as they replay."""
        for after, state in [*reversed(self.snapshots), (1, self.begun.state)]:
            for rules in _rules(self.system, self.begun, fallback):
                try:
                    again, begun = self._resumed(self.staging.scene(rules), state, after)
                except Exception:
                    continue
                return SceneResumed(self.number, begun, why[:500], len(self.entries) - (after - 1) - again, after, again)
        return SceneEnded(self.number, None, f"it cannot continue in this version: {why}"[:500])

    def _resumed(self, scene: Scene[Any], state: Any, after: int) -> tuple[int, Begun]:
        converted = msgspec.convert(state, scene.state_type, strict=True)
        encounter = Encounter.begin(scene, converted, self.begun.name, self.begun.by)
        begun = encounter.entries[0]
        assert isinstance(begun, Begun)
        again = 0
        try:
            for entry in _renumbered(self.entries[after - 1 :], after - 1):
                encounter.take(entry)
                again += 1
        except Exception:
            pass  # entries that do not replay are lost
        return again, begun


def _renumbered(entries: list[PlayEntry], by: int) -> Iterator[PlayEntry]:
    """Entries after a snapshot, with their numbers counted from there."""
    for entry in entries:
        yield replace(entry, to=entry.to - by) if isinstance(entry, Undone) else entry


def _rules(system: System, begun: Begun, fallback: Ruleset) -> Iterator[Ruleset]:
    """The rules a scene began with, if they are still valid, and then the table's present rules."""
    with suppress(UserError):
        yield system.book.ruleset(house=House(begun.settings, begun.tables))
    yield fallback
