"""A scene of a table: its record within the table's log, the live encounter that replaying it gives, and going on after an upgrade."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
"""After so many entries of a scene its state is kept anew, so that little is lost where a later version cannot replay it."""


class Question(Struct, frozen=True):
    """Something that is asked right now: its place, the request, and whom it is asked of."""

    at: int
    request: Roll[Any] | Choice[Any]

    @property
    def who(self) -> str:
        """The combatant who is asked."""
        return self.request.hand if isinstance(self.request, Roll) else self.request.who

    @property
    def mark(self) -> str:
        """Identifies the question as it is worded on the page, so that an answer to an earlier question is refused."""
        return f"{crc32(self.request.question().encode()):08x}"


class Stage:
    """One scene: what the log says of it, and the encounter, which is opened when somebody looks."""

    def __init__(self, system: System, line: Line, change: SceneBegun) -> None:
        self.system = system
        self.number = change.scene
        self.begun = change.begun
        self.first = change.begun
        """How it began; `begun` is what it replays from, which after an upgrade may be a snapshot of later."""
        self.about = change.about
        self.characters = dict(change.characters)
        self.hands = dict(change.hands)
        self.tactics = dict(change.tactics)
        self.settled: dict[tuple[str, str], int | str] = {}
        """Answers that are given once for all in this scene, by who is asked and what about."""
        self.usual: dict[str, int] = {}
        """The round that a member leaves to what is usual for those for whom they decide."""
        self.entries: list[PlayEntry] = []
        self.auto: list[bool] = []
        self.typed: set[int] = set()
        """The lines of the table's log whose dice were typed in."""
        self.seqs: list[int] = [line.seq]
        """The line of the table's log behind every entry of the encounter's record, the beginning first."""
        self.snapshots: list[tuple[int, Any]] = []
        self.ended: SceneEnded | None = None
        self.entered: dict[str, dict[str, Any]] = {}
        """What outlasts the scene of those who came in later, as it was when they came."""
        self.changed: dict[str, dict[str, Lasts]] = {}
        """What a scene that has ended changed of what outlasts it, by combatant; worked out when somebody asks."""
        self.resumed: list[SceneResumed] = []
        self.turned: dict[int, list[int]] = {}
        """What every undo and redo of the record took back or brought back, by entry."""
        self._live: list[int] = []
        self._undone: list[list[int]] = []
        self._encounter: Encounter[Any] | None = None
        self._fresh: list[AnyEntry] = []

    @property
    def name(self) -> str:
        """What the scene is called."""
        return self.begun.name

    @property
    def staging(self) -> Staging:
        """The kind of scene it is, as the game offers it."""
        return self.system.staging(self.begun.scene)

    # the encounter

    @property
    def encounter(self) -> Encounter[Any]:
        """The live encounter; replayed the first time it is asked for."""
        if self._encounter is None:
            self._encounter = self._opened(self.begun, list(self.entries))
        return self._encounter

    def _opened(self, begun: Begun, entries: list[PlayEntry]) -> Encounter[Any]:
        rules = self.system.book.ruleset(house=House(begun.settings, begun.tables))
        return Encounter(self.staging.scene(rules), [begun, *entries], self._fresh.append)

    @property
    def ahead(self) -> bool:
        """Whether the encounter has taken what the log has not."""
        return self._encounter is not None and len(self._encounter.entries) > 1 + len(self.entries)

    def fresh(self) -> list[AnyEntry]:
        """What the encounter took since this was last asked, to be kept in the log."""
        beguns = list(self._fresh)
        self._fresh.clear()
        return beguns

    def questions(self) -> list[Question]:
        """What is asked right now."""
        return [] if self.ended is not None else [Question(at, request) for at, request in self.encounter.open]

    def question(self, at: int, mark: str = "") -> Question:
        """The open question at a place; refuses one that has changed meanwhile."""
        for question in self.questions():
            if question.at == at:
                if mark and question.mark != mark:
                    raise UserError("the question has changed meanwhile: look again before you answer")
                return question
        raise UserError("this question was answered already, or is not asked")

    def tactic(self, who: str) -> Tactic:
        """What somebody usually does: the tactic that the scenario gives them, or the first of this kind of scene."""
        known = self.staging.tactics
        return known.get(self.tactics.get(who, "")) or next(iter(known.values()), first_option)

    # taking lines

    def take(self, line: Line, change: "Played | Snapshot | SceneEnded | SceneResumed") -> None:
        """Take what the log says of this scene."""
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
        self.entries = list(_moved(self.entries[start - 1 :], start - 1))[: change.again]
        self.auto = self.auto[start - 1 : start - 1 + change.again]
        self.seqs = [seq, *self.seqs[start : start + change.again]]
        self.begun = change.begun
        self._live, self._undone, self.turned = [], [], {}
        for number, entry in enumerate(self.entries, 1):
            self._count(number, entry)
        self.snapshots = []
        self.resumed.append(change)
        self._encounter = None

    # what else can be asked

    def due(self) -> Snapshot | None:
        """A snapshot, where it is time for one."""
        encounter = self._encounter
        if encounter is None or not encounter.between_steps or encounter.result is not None:
            return None
        reached = len(encounter.entries)
        last = self.snapshots[-1][0] if self.snapshots else 1
        if reached - last < SNAPSHOT_EVERY:
            return None
        return Snapshot(self.number, reached, msgspec.to_builtins(encounter.state))

    def last_decision(self) -> int | None:
        """The last entry in force that a person made and that was no roll; None where there is none."""
        for number in reversed(self._live):
            entry = self.entries[number - 1]
            rolled = isinstance(entry, Answered) and isinstance(entry.given, tuple)
            if not rolled and not self.auto[number - 1]:
                return number
        return None

    def _count(self, number: int, entry: PlayEntry) -> None:
        """Keep in mind what is in force."""
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

    # after an upgrade

    def trouble(self) -> str:
        """Why the scene does not replay in this version; nothing where it does."""
        try:
            self.encounter  # noqa: B018
        except UserError as wrong:
            return str(wrong)
        except Exception as error:  # rules that changed may stumble over an old state in any way
            return f"{type(error).__name__}: {error}"
        return ""

    def resumption(self, why: str, fallback: Ruleset) -> "SceneResumed | SceneEnded":
        """How the scene goes on: from the latest snapshot that this version can open, with the entries after it as far as they replay."""
        for after, state in [*reversed(self.snapshots), (1, self.begun.state)]:
            for rules in _rules(self.system, self.begun, fallback):
                try:
                    again, begun = self._revived(self.staging.scene(rules), state, after)
                except Exception:
                    continue
                return SceneResumed(self.number, begun, why[:500], len(self.entries) - (after - 1) - again, after, again)
        return SceneEnded(self.number, None, f"it cannot go on in this version: {why}"[:500])

    def _revived(self, scene: Scene[Any], state: Any, after: int) -> tuple[int, Begun]:
        converted = msgspec.convert(state, scene.state_type, strict=True)
        encounter = Encounter.begin(scene, converted, self.begun.name, self.begun.by)
        begun = encounter.entries[0]
        assert isinstance(begun, Begun)
        again = 0
        try:
            for entry in _moved(self.entries[after - 1 :], after - 1):
                encounter.take(entry)
                again += 1
        except Exception:
            pass  # as far as they go
        return again, begun


def _moved(entries: list[PlayEntry], by: int) -> Iterator[PlayEntry]:
    """Entries after a snapshot, with the numbers in them counted from there."""
    for entry in entries:
        yield replace(entry, to=entry.to - by) if isinstance(entry, Undone) else entry


def _rules(system: System, begun: Begun, fallback: Ruleset) -> Iterator[Ruleset]:
    """The rules a scene was begun with, if they still are, and else what the table plays by now."""
    with suppress(UserError):
        yield system.book.ruleset(house=House(begun.settings, begun.tables))
    yield fallback
