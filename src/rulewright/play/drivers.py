"""Drivers that answer requests one after the other: play, entered dice, scripts, replay; `Paused` stops at any question."""

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from msgspec import Struct

from rulewright.dice.reading import Faces
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play.cache import Memory
from rulewright.play.requests import Choice, Event, Given, Play, Request, Roll, Sub, Tactic, Tell, Together, first_option

A = TypeVar("A")


class Driver:
    """Answers requests one after another until the procedure returns."""

    def run(self, play: Play[A]) -> A:
        """Runs a procedure to its end."""
        send = play.send
        answer: Any = None
        while True:
            try:
                request = send(answer)
            except StopIteration as done:
                outcome: A = done.value
                return outcome
            answer = request.ask(self)

    def roll(self, roll: Roll[A]) -> A:
        raise NotImplementedError

    def choose(self, choice: Choice[A]) -> A:
        raise NotImplementedError

    def together(self, together: Together[A]) -> tuple[A, ...]:
        return tuple([request.ask(self) for request in together.requests])

    def sub(self, part: Sub[A]) -> A:
        return self.run(part.procedure(*part.arguments))

    def tell(self, event: Event) -> None:
        """Ignores events; most drivers do."""


class Dice(Protocol):
    """A source of faces."""

    def faces(self, roll: Roll[Any], /) -> Faces: ...


class Entropy:
    """Random faces from the operating system at the moment of the roll; nobody can predict them."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def faces(self, roll: Roll[Any]) -> Faces:
        return tuple([self._random.randint(1, sides) for sides in roll.reading.sides()])


class Seeded:
    """Random faces from a seed: for tests and simulation only."""

    def __init__(self, seed: int | float) -> None:
        self._random = random.Random(seed).random

    def faces(self, roll: Roll[Any]) -> Faces:
        rand = self._random
        return tuple([int(rand() * sides) + 1 for sides in roll.reading.sides()])


class TypedFaces:
    """Faces of real dice, requested one roll at a time."""

    def __init__(self, ask: Callable[[Roll[Any]], Faces]) -> None:
        self._ask = ask

    def faces(self, roll: Roll[Any]) -> Faces:
        faces = tuple(self._ask(roll))
        roll.reading.check(faces)
        return faces


class Answer(Struct, frozen=True, array_like=True, gc=False):
    """One line of a record: the fingerprint of the question, and the answer."""

    question: str
    given: Given


class Played(Struct, Generic[A], frozen=True):
    """The result of a procedure: the outcome, the record of every answer, all events and all rolls."""

    outcome: A
    record: tuple[Answer, ...]
    events: tuple[Event, ...]
    rolls: "tuple[Rolled, ...]" = ()


class Rolled(Struct, frozen=True, gc=False):
    """A roll that was made: the request, the faces, and their reading."""

    roll: Roll[Any]
    faces: Faces
    result: Any

    @property
    def kept(self) -> tuple[int, ...]:
        """The indices of the dice that made the result."""
        return self.roll.reading.kept(self.faces)


_marks: Memory[Roll[Any], str] = Memory(5_000, "rulewright.play.drivers.marks")


def _mark(roll: Roll[Any]) -> str:
    """The fingerprint of a roll, cached."""
    mark = _marks[roll] = roll.fingerprint()
    return mark


class Player(Driver):
    """Plays a procedure: dice from a source, decisions from a tactic or a person, and a record of every answer."""

    def __init__(self, dice: Dice, decide: Tactic = first_option) -> None:
        self._faces = dice.faces
        self._decide = decide
        self._answers: list[Answer | tuple[Choice[Any], Given]] = []
        """Decisions with their questions; fingerprints are computed when the record is read, which a sample never does."""
        self._marked = 0
        self.events: list[Event] = []
        self.rolls: list[Rolled] = []

    def roll(self, roll: Roll[A]) -> A:
        faces = self._faces(roll)
        self._answers.append(Answer(_marks.get(roll) or _mark(roll), faces))
        result = roll.reading.read(faces)
        self.rolls.append(Rolled(roll, faces, result))
        return result

    @property
    def record(self) -> list[Answer]:
        """Every answer so far, with the fingerprint of its question."""
        answers, marked = self._answers, self._marked
        if marked < len(answers):
            since = answers[marked:] if marked else answers
            answers[marked:] = [Answer(answer[0].mark(), answer[1]) if type(answer) is tuple else answer for answer in since]
            self._marked = len(answers)
        return cast(list[Answer], answers)

    def choose(self, choice: Choice[A]) -> A:
        given = self._decide(choice)
        value = choice.take(given)
        self._answers.append((choice, given))
        return value

    def tell(self, event: Event) -> None:
        if event.logged:
            self.events.append(event)

    def play(self, play: Play[A]) -> Played[A]:
        """Runs the procedure and returns its result."""
        outcome = self.run(play)
        return Played(outcome, tuple(self.record), tuple(self.events), tuple(self.rolls))


def play(procedure: "Play[A] | Sub[A]", *, dice: Dice | None = None, decide: Tactic = first_option) -> Played[A]:
    """Plays a procedure with random dice, or with the given ones."""
    return Player(dice if dice is not None else Entropy(), decide).play(_started(procedure))


def _started(procedure: "Play[A] | Sub[A]") -> Play[A]:
    """A running procedure, from one that is given as such or as a sub-procedure."""
    if isinstance(procedure, Sub):
        return procedure.start()
    if not isinstance(procedure, Generator):
        raise UserError(f"{procedure!r:.80} is not a procedure; use play(attack(scene)) or play(sub(attack, scene))")
    return procedure


class ScriptedFaces:
    """Faces from a list, one entry per roll; raises an error if the list does not fit the rolls."""

    def __init__(self, rolls: Iterable[Sequence[int]]) -> None:
        self._rolls: Iterator[Sequence[int]] = iter(rolls)
        self.used = 0

    def faces(self, roll: Roll[Any]) -> Faces:
        faces = next(self._rolls, None)
        if faces is None:
            raise UserError(f"no faces are left for the roll of {roll.by or 'someone'} for {roll.what or 'a test'} ({roll.reading!s})")
        self.used += 1
        try:
            roll.reading.check(tuple(faces))
        except UserError as error:
            raise UserError(f"roll {self.used} ({roll.what or 'a test'}): {error}") from None
        return tuple(faces)

    def finish(self) -> None:
        """Raises an error if faces are left over."""
        left = sum(1 for _ in self._rolls)
        if left:
            raise UserError(f"{count(left, 'roll')} too many: the rules asked for {self.used}")


class ScriptedChoices:
    """Decisions from a list of keys and numbers."""

    def __init__(self, given: Iterable[Given]) -> None:
        self._given = iter(given)

    def __call__(self, choice: Choice[Any]) -> Given:
        given = next(self._given, None)
        if given is None:
            raise UserError(f"the script ends before the question {choice.question()}")
        return given

    def finish(self) -> None:
        """Raises an error if decisions are left over."""
        left = list(self._given)
        if left:
            raise UserError(f"decisions are left over: {left}")


def script(procedure: "Play[A] | Sub[A]", faces: Iterable[Sequence[int]] = (), choices: Iterable[Given] = ()) -> Played[A]:
    """Plays with exactly the given faces and decisions: for the book's worked examples as tests."""
    dice, decide = ScriptedFaces(faces), ScriptedChoices(choices)
    played = Player(dice, decide).play(_started(procedure))
    dice.finish()
    decide.finish()
    return played


class Replayer(Player):
    """Replays the answers of a record; raises an error at the first entry that answers another question."""

    def __init__(self, record: Sequence[Answer]) -> None:
        super().__init__(_NoDice())
        self._given = record
        self._at = 0

    def _next(self, request: Request[Any], mark: str) -> Given:
        if self._at >= len(self._given):
            raise UserError(f"the record ends at entry {self._at}, before the question: {request.question()}")
        answer = self._given[self._at]
        self._at += 1
        if answer.question != mark and not request.matches(answer.question):
            raise UserError(f"entry {self._at} of the record answers another question; the rules ask: {request.question()}")
        return answer.given

    def roll(self, roll: Roll[A]) -> A:
        faces = self._next(roll, _marks.get(roll) or _mark(roll))
        if not isinstance(faces, tuple):
            raise UserError(f"entry {self._at} of the record must contain faces of dice, not {faces!r}")
        try:
            roll.reading.check(faces)
        except UserError as error:
            raise UserError(f"entry {self._at} of the record: {error}") from None
        self._answers.append(self._given[self._at - 1])
        result = roll.reading.read(faces)
        self.rolls.append(Rolled(roll, faces, result))
        return result

    def choose(self, choice: Choice[A]) -> A:
        given = self._next(choice, choice.mark())
        try:
            value = choice.take(given)
        except UserError as error:
            raise UserError(f"entry {self._at} of the record: {error}") from None
        self._answers.append(self._given[self._at - 1])
        return value

    def play(self, play: Play[A]) -> Played[A]:
        played = super().play(play)
        if self._at != len(self._given):
            raise UserError(f"the record has entries after number {self._at}, but the rules ask nothing more")
        return played


class _NoDice:
    def faces(self, roll: Roll[Any]) -> Faces:
        raise AssertionError("a replay never rolls")


def replay(procedure: "Play[A] | Sub[A]", record: Sequence[Answer]) -> Played[A]:
    """Replays a procedure from its record."""
    return Replayer(record).play(_started(procedure))


class Paused(Generic[A]):
    """A procedure that stops at every question and continues when the answer comes, as a live table needs.

    `pending` is the open question (a Roll, a Choice, or a Together of them), or None once `outcome` is known.
    """

    def __init__(self, procedure: Play[A], tell: Callable[[Event], None]) -> None:
        self._stack: list[Play[Any]] = [procedure]
        self._tell = tell
        self.pending: Request[Any] | None = None
        self.outcome: A | None = None
        self.done = False
        self._advance(None)

    def _advance(self, answer: Any) -> None:
        stack = self._stack
        self.pending = None
        while stack:
            try:
                request = stack[-1].send(answer)
            except StopIteration as done:
                stack.pop()
                answer = done.value
                continue
            if isinstance(request, Tell):
                self._tell(request.event)
                answer = None
            elif isinstance(request, Sub):
                stack.append(request.start())
                answer = None
            elif isinstance(request, Together) and not request.requests:
                answer = ()
            else:
                self.pending = request
                return
        self.outcome = answer
        self.done = True

    def answer(self, value: Any) -> None:
        """Continues with the answer's value; for a Together, the tuple of all values."""
        if self.pending is None:
            raise UserError("there is no question to answer")
        self._advance(value)
