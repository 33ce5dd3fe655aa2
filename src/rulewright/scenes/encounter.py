"""The live encounter: a scene in play, with its append-only record, undo, redo, and the gamemaster's edits.

The record holds only inputs: every answer with its question. The state is the result of replaying the entries in force.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import GAMEMASTER, AnyOrder, Choice, Dice, Event, Given, Paused, Roll, Rolled, Stands, Tactic, Together
from rulewright.rules import nearest
from rulewright.scenes.question_snapshot import Moment, Past, asked_of
from rulewright.scenes.record import Answered, AnyEntry, Begun, Overruled, Redone, Undone
from rulewright.scenes.scene import Leaving, Result, Scene, leaves

S = TypeVar("S", bound=Hashable)


class Logged(Struct):
    """A line of the log: an event, a roll or a decision, its entry, and whether it was undone."""

    entry: int
    what: "Event | Rolled | Decided | AnyEntry"
    undone: bool = False
    known_to: tuple[str, ...] | None = None
    """If the ground hides people: those who saw the person concerned at that moment; None if nothing hides anybody."""
    states: tuple[Any, Any] | None = None
    """For an edit: the state before and after it."""

    def hidden_from(self, who: str | None) -> bool:
        """Whether this person may not see it."""
        if who is not None and self.known_to is not None and who not in self.known_to:
            return True
        if who is None or isinstance(self.what, Event):
            return isinstance(self.what, Event) and self.what.hidden_from(who)
        if isinstance(self.what, Decided):
            return self.what.secret and self.what.who != who
        if not isinstance(self.what, Rolled):
            return False
        roll = self.what.roll
        return roll.blind or (roll.secret and roll.hand != who)


class Decided(Struct, frozen=True):
    """A decision as the log shows it."""

    who: str
    question: str
    answer: str
    secret: bool = False


class Encounter(Generic[S]):
    """A scene in play: its state, the open questions, the record and the log.

    `open` lists the open questions as (place, request) pairs: a roll or a decision. If several people are asked at once, they may answer in
    any order. The entries given at creation are in the record already; `keep` receives every later one.
    """

    def __init__(self, scene: Scene[S], entries: "list[AnyEntry]", keep: "Callable[[AnyEntry], None] | None" = None) -> None:
        if not entries or not isinstance(entries[0], Begun):
            raise UserError("entry 1 of the record must begin a scene")
        self.scene = scene
        self.entries: list[AnyEntry] = []
        self.log: list[Logged] = []
        self._keep: Callable[[AnyEntry], None] | None = None
        self._live: list[int] = []
        self._undone: list[list[int]] = []
        self._cause = 0
        self._quiet = False
        self._paused: Paused[S] | None = None
        self._values: dict[int, Any] = {}
        self._now: S | None = None
        self._given: list[Any] = []
        begun = entries[0]
        _refuse_other_rules(begun, scene)
        try:
            start = msgspec.convert(begun.state, scene.state_type, strict=True)
        except msgspec.ValidationError as error:
            raise UserError(f"entry 1 of the record: the snapshot does not fit this version: {error}") from None
        self._marks: list[tuple[int, S]] = [(0, start)]
        self.entries.append(begun)
        self._open_step()
        for number, entry in enumerate(entries[1:], 2):
            try:
                self._take(entry)
            except UserError as error:
                raise UserError(f"entry {number} of the record does not fit: {error}") from None
        self._keep = keep

    @classmethod
    def begin(
        cls, scene: Scene[S], state: S, name: str = "", by: str = GAMEMASTER, keep: "Callable[[AnyEntry], None] | None" = None
    ) -> "Encounter[S]":
        """Starts a scene with an empty record."""
        rules = scene.rules
        snapshot, chosen, changes = msgspec.to_builtins(state), dict(rules.chosen), dict(rules.changes)
        begun = Begun(by, name, rules.system, rules.digest, snapshot, chosen, changes, scene=scene.kind)
        encounter = cls(scene, [begun], keep)
        if keep is not None:
            keep(begun)
        return encounter

    # --- the present state

    @property
    def state(self) -> S:
        """The state before the current step."""
        return self._marks[-1][1]

    @property
    def now(self) -> S:
        """The state at this moment: as the current step last reported, or as it began. For display, not for rules."""
        return self._marks[-1][1] if self._now is None else self._now

    @property
    def result(self) -> Result | None:
        """How the scene ended; None while it goes on."""
        return self.scene.result(self.state) if self._paused is None else None

    @property
    def open(self) -> list[tuple[int, Roll[Any] | Choice[Any]]]:
        """The open questions."""
        if self._paused is None:
            return []
        return [(at, request) for at, request in enumerate(self._members()) if at not in self._values and request is not None]

    def moment(self, at: int) -> Moment:
        """An open question, for evaluation elsewhere."""
        self._check_open(at)
        assert self._paused is not None
        together = isinstance(self._paused.pending, Together)
        return Moment(
            scene=self.scene,
            state=self.state,
            given=tuple(self._given),
            requests=self._members(),
            together=together,
            values=dict(self._values),
            at=at,
            any_order=isinstance(self._paused.pending, AnyOrder),
        )

    def past(self, most: int = 200) -> Past:
        """The decisions so far, for analysis elsewhere: the last steps, up to about `most` answers."""
        steps: list[tuple[S, tuple[tuple[int, Answered], ...]]] = []
        end = len(self._live)
        for begin, state in reversed(self._marks):
            numbers = self._live[begin:end]
            answers = [(number, entry) for number in numbers if isinstance(entry := self.entries[number], Answered)]
            steps.append((state, tuple(answers)))
            most -= len(answers)
            end = begin
            if most <= 0:
                break
        return Past(self.scene, tuple(reversed(steps)))

    @property
    def undoable(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self._live)

    @property
    def redoable(self) -> bool:
        """Whether there is anything to redo."""
        return bool(self._undone)

    @property
    def between_steps(self) -> bool:
        """Whether the current step has no answer yet, so that the gamemaster may edit values."""
        return len(self._live) == self._marks[-1][0]

    def _members(self) -> "tuple[Roll[Any] | Choice[Any], ...]":
        assert self._paused is not None
        pending: Any = self._paused.pending
        members: Any = pending.requests if isinstance(pending, Together | AnyOrder) else (pending,)
        return cast("tuple[Roll[Any] | Choice[Any], ...]", members)

    def take(self, entry: AnyEntry) -> None:
        """Takes the next entry of the record, which is stored elsewhere already."""
        keep, self._keep = self._keep, None
        try:
            self._take(entry)
        finally:
            self._keep = keep

    # --- actions

    def give(self, given: Given, at: int = 0, by: str = "") -> None:
        """Answers a question: faces for a roll, a key or a number for a decision."""
        self._check_open(at)
        request = self._members()[at]
        self._take(Answered(by or asked_of(request), request.fingerprint(), given, at))

    def overrule(self, *changes: tuple[str, Any], why: str = "", by: str = GAMEMASTER) -> None:
        """Edits the state by dotted fields, between two steps."""
        self._take(Overruled(by, changes, why))

    def join(self, newcomer: Any, side: str, by: str = GAMEMASTER) -> None:
        """Adds a newcomer, between two steps."""
        self._edit(self.scene.join(self.state, newcomer, side), f"{getattr(newcomer, 'name', 'somebody')} joins", by)

    def move(self, who: str, x: float, y: float, by: str = GAMEMASTER) -> None:
        """Moves a person on the map, between two steps."""
        self._edit(self.scene.move(self.state, who, x, y), f"{who} is moved", by)

    def leave(self, who: str, how: Leaving, by: str = "") -> None:
        """Takes a person out of a fight by their own will, between two steps."""
        self._edit(self.scene.leave(self.state, who, how), f"{who} {leaves(who, how, self.scene.event)}", by or who)

    def _edit(self, state: S, why: str, by: str) -> None:
        self._take(Overruled(by, _differences(self.state, state), why))

    def undo(self, by: str = GAMEMASTER, to: int | None = None) -> None:
        """Undoes the last decision or edit, with the rolls since, or everything from entry `to` on."""
        if not self._live:
            raise UserError("there is nothing to undo")
        if to is None:
            at = len(self._live) - 1
            while at > 0 and self._only_rolled(self._live[at]):
                at -= 1
            to = self._live[at]
        self._take(Undone(by, to))

    def redo(self, by: str = GAMEMASTER) -> None:
        """Redoes the last undo."""
        self._take(Redone(by))

    def advance(self, dice: Dice, decide: "Callable[[Choice[Any]], Given | None]") -> bool:
        """Answers the open questions: rolls with these dice, decisions with `decide` (None leaves one open).

        False if nothing was answered.
        """
        answered = False
        for at, request in self.open:
            given = dice.faces(request) if isinstance(request, Roll) else decide(request)
            if given is not None:
                self.give(given, at)
                answered = True
        return answered

    def play_out(self, dice: Dice, decide: Tactic, most: int = 100_000) -> Result | None:
        """Answers everything until the scene ends."""
        for _ in range(most):
            if self._paused is None or not self.advance(dice, decide):
                break
        return self.result

    # --- applying entries

    def _only_rolled(self, number: int) -> bool:
        entry = self.entries[number]
        return isinstance(entry, Answered) and isinstance(entry.given, tuple)

    def _check_open(self, at: int) -> None:
        if self._paused is None:
            raise UserError("the scene has ended; there is nothing to answer")
        if at in self._values or not 0 <= at < len(self._members()) or self._members()[at] is None:
            raise UserError(f"there is no open question at place {at}")

    def _take(self, entry: AnyEntry) -> None:
        number = len(self.entries)
        if isinstance(entry, Answered):
            value = self._check(entry)
            self._act(entry, lambda: self._answer(number, entry, value))
        elif isinstance(entry, Overruled):
            state = self._edited(entry)
            try:
                self._act(entry, lambda: self._overrule(number, entry, state))
            except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
                raise UserError("the rules cannot continue from this state; check the edited values") from error
        elif isinstance(entry, Undone):
            if entry.to not in self._live:
                raise UserError(f"entry {entry.to + 1} cannot be undone, because it is not in force")
            self._append(entry)
            self._undo(entry.to)
        elif isinstance(entry, Redone):
            if not self._undone:
                raise UserError("there is nothing to redo")
            self._append(entry)
            self._redo(self._undone.pop())
        else:
            raise UserError("it begins another scene, which needs a record of its own")

    def _act(self, entry: AnyEntry, act: Callable[[], None]) -> None:
        """Applies an entry that moves the scene on. If the rules refuse the consequences, nothing changes."""
        live, marks, lines, undone = len(self._live), len(self._marks), len(self.log), list(self._undone)
        try:
            act()
        except BaseException:
            again = self._live[self._marks[marks - 1][0] : live]
            del self._live[self._marks[marks - 1][0] :], self._marks[marks:], self.log[lines:]
            self._reopen(again)
            self._undone = undone
            raise
        self._append(entry)

    def _append(self, entry: AnyEntry) -> None:
        self.entries.append(entry)
        if self._keep is not None:
            self._keep(entry)

    def _check(self, entry: Answered) -> Any:
        """The value of an answer, after checking that it fits the open question."""
        self._check_open(entry.at)
        request = self._members()[entry.at]
        if not request.matches(entry.question):
            raise UserError(f"it answers another question; the open question is: {request.question()}")
        if isinstance(request, Roll):
            if not isinstance(entry.given, tuple):
                raise UserError(f"this question needs the faces of dice, not {entry.given!r}")
            request.reading.check(entry.given)
            return request.reading.read(entry.given)
        return request.take(entry.given)

    def _enter(self, number: int) -> None:
        if not self._quiet:
            self._undone.clear()
        self._live.append(number)
        self._cause = number

    def _answer(self, number: int, entry: Answered, value: Any) -> None:
        self._enter(number)
        members = self._members()
        request = members[entry.at]
        if isinstance(request, Roll):
            assert isinstance(entry.given, tuple)
            self._note(Rolled(request, entry.given, value))
        else:
            self._note(Decided(request.who, request.ask_for, request.label(entry.given), request.secret))
        if isinstance(self._paused.pending if self._paused is not None else None, AnyOrder):
            self._go_on((entry.at, value))
            return
        self._values[entry.at] = value
        if len(self._values) == len(members):
            assert self._paused is not None
            answer = tuple(self._values[at] for at in range(len(members)))
            self._values = {}
            together = isinstance(self._paused.pending, Together)
            self._go_on(answer if together else answer[0])

    def _go_on(self, answer: Any) -> None:
        """Continues the step with the answer to everything that was open."""
        assert self._paused is not None
        self._given.append(answer)
        self._paused.answer(answer)
        self._settle()

    def _overrule(self, number: int, entry: Overruled, state: S) -> None:
        self._enter(number)
        self._note(entry, (self.state, state))
        self._marks.append((len(self._live), state))
        self._open_step()

    def _edited(self, entry: Overruled) -> S:
        from rulewright.files import set_at

        if not self.between_steps:
            raise UserError("values can only be edited between steps; finish or undo the current step first")
        data = msgspec.to_builtins(self.state)
        try:
            for field, value in entry.changes:
                data = set_at(data, field, value)
            state = msgspec.convert(data, self.scene.state_type, strict=False)
        except msgspec.ValidationError as error:
            raise UserError(str(error)) from None
        after = msgspec.to_builtins(state)
        for field, _ in entry.changes:
            _refuse_unknown(after, field)
        return self.scene.checked(state)

    def _open_step(self) -> None:
        """Begins the next step, or stops if the scene has ended."""
        self._values, self._given = {}, []
        if self.scene.result(self.state) is not None:
            self._paused, self._now = None, None
            return
        self._paused = self._begin(self.state)
        self._settle()

    def _settle(self) -> None:
        """Records every finished step, and begins the next."""
        while self._paused is not None and self._paused.done:
            state: Any = self._paused.outcome
            if len(self._live) == self._marks[-1][0] and state == self.state:
                raise RuntimeError(f"{type(self.scene).__name__}.step asks nothing and changes nothing, so the scene would never end")
            self._marks.append((len(self._live), state))
            self._given = []
            if self.scene.result(state) is not None:
                self._paused, self._now = None, None
            else:
                self._paused = self._begin(state)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Stands):
            self._now = event.state
        elif event.logged:
            self._note(event)

    def _begin(self, state: S) -> Paused[S]:
        """Begins a step; nothing has changed in it yet."""
        self._now = None
        return Paused(self.scene.step(state), self._hear)

    def _note(self, what: "Event | Rolled | Decided | AnyEntry", states: tuple[S, S] | None = None) -> None:
        if not self._quiet:
            self.log.append(Logged(self._cause, what, known_to=self._known_to(what), states=states))

    def _known_to(self, what: "Event | Rolled | Decided | AnyEntry") -> tuple[str, ...] | None:
        """Names the people who see this: everybody who sees a person concerned; None for all."""
        if self.scene.ground(self.now) is None:
            return None
        if isinstance(what, Rolled | Decided):
            about = [what.roll.by if isinstance(what, Rolled) else what.who]
        elif isinstance(what, Event) and what.known_to is None:
            about = [value for field in what.__struct_fields__ if isinstance(value := getattr(what, field), str)]
        else:
            return None
        people = self.scene.standing(self.now)
        if isinstance(what, Decided) and what.who not in people:  # the gamemaster's decision about somebody
            about = [name for name in people if name in what.question]
        seen: list[str] = []
        for name in about:
            if name in people:
                names = self.scene.witnesses(self.now, name)
                if names is None:
                    return None
                seen.extend(names)
        return tuple(dict.fromkeys(seen)) if any(name in people for name in about) else None

    def _undo(self, to: int) -> None:
        kept = self._live.index(to)
        undone = self._live[kept:]
        self._mark_undone(undone, True)
        while self._marks[-1][0] > kept:
            self._marks.pop()
        again = self._live[self._marks[-1][0] : kept]
        del self._live[self._marks[-1][0] :]
        self._reopen(again)
        self._undone.append(undone)

    def _redo(self, numbers: list[int]) -> None:
        self._mark_undone(numbers, False)
        self._repeat(numbers)

    def _mark_undone(self, numbers: list[int], undone: bool) -> None:
        """Marks the log lines of these entries as undone, or as in force again."""
        affected = frozenset(numbers)
        for line in self.log:
            if line.entry in affected:
                line.undone = undone

    def _reopen(self, numbers: list[int]) -> None:
        """Restarts the current step and repeats these answers of it."""
        self._quiet = True
        try:
            self._open_step()
        finally:
            self._quiet = False
        self._repeat(numbers)

    def _repeat(self, numbers: list[int]) -> None:
        """Repeats entries that are in the record and in the log already."""
        self._quiet = True
        try:
            for number in numbers:
                entry = self.entries[number]
                if isinstance(entry, Answered):
                    self._answer(number, entry, self._check(entry))
                elif isinstance(entry, Overruled):
                    self._overrule(number, entry, self._edited(entry))
        finally:
            self._quiet = False


def _differences(before: Any, after: Any) -> tuple[tuple[str, Any], ...]:
    """The fields in which two states differ, by dotted name, with their new values."""
    return tuple(_differing(msgspec.to_builtins(before), msgspec.to_builtins(after), ""))


def _differing(old: Any, new: Any, field: str) -> Iterator[tuple[str, Any]]:
    inner: list[tuple[str, Any, Any]] = []
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys() and not any("." in str(name) for name in new):
        inner = [(str(name), old[name], new[name]) for name in new]
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and old and len(old) <= len(new):
        inner = [(str(at), old[at] if at < len(old) else None, entry) for at, entry in enumerate(new)]
    if field and old != new and not inner:
        yield field, new
    for name, before, after in inner:
        if before != after:
            yield from _differing(before, after, f"{field}.{name}" if field else name)


def _refuse_other_rules(begun: Begun, scene: Scene[Any]) -> None:
    rules = scene.rules
    if begun.scene != scene.kind:
        raise UserError(f"entry 1 of the record begins a scene of kind {begun.scene}, not {scene.kind}")
    if begun.system != rules.system:
        raise UserError(f"entry 1 of the record begins a scene of {begun.system}, not of {rules.system}")
    if begun.ruleset != rules.digest:
        raise UserError("entry 1 of the record uses other settings or house rules than these")


def _refuse_unknown(data: Any, field: str) -> None:
    """Raises an error for a field that the state does not have."""
    for name in field.split("."):
        if isinstance(data, dict) and name not in data:
            raise UserError(f"{field}: unknown field{nearest(name, data)}")
        data = data[name] if isinstance(data, dict) else data[int(name)]
