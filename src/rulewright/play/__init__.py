"""A rule that needs dice or a decision asks; whoever drives it answers.

A procedure is a generator that yields requests and is sent their answers. Every request is iterable, so that
`yield from request` gives the answer with its type. Only the driver decides where answers come from: fresh dice, typed faces,
a script, an earlier record, every possible roll (see `odds`), or people at a table (see `encounter`).
"""

import random
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct

from rulewright.dice.reading import Faces, Reading
from rulewright.errors import Wrong
from rulewright.rules.reasons import Reason

A = TypeVar("A")
B = TypeVar("B")

Given: TypeAlias = int | str | tuple[int, ...]
"""What an answer looks like in a record: faces of dice, the key of an option, or a number in a range."""


class Request(Struct, Generic[A], frozen=True):
    """Something a procedure asks for; `yield from` it to get the answer."""

    def __iter__(self) -> Generator["Request[A]", A, A]:
        return (yield self)

    def ask(self, driver: "Driver") -> A:
        """Let the driver answer."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """A short mark of the question, so that a record can tell whether it still fits."""
        return f"{zlib.crc32(self.question().encode()):08x}"

    def question(self) -> str:
        """The question in one line, for messages and fingerprints."""
        raise NotImplementedError


Play: TypeAlias = Generator[Request[Any], Any, A]
"""A procedure under way that will return an A."""

GAMEMASTER = "gamemaster"
"""Who is asked what the people in a scene are not."""


class Roll(Request[A], frozen=True):
    """Dice are rolled and read. `by` names who rolls, `what` says for what; a secret roll is shown to them and the gamemaster only.

    One that is `unseen` is made by the gamemaster for them, behind a screen.
    """

    reading: Reading[A]
    by: str = ""
    what: str = ""
    secret: bool = False
    unseen: bool = False

    @property
    def hand(self) -> str:
        """Who has the dice in hand."""
        return GAMEMASTER if self.unseen else self.by

    def ask(self, driver: "Driver") -> A:
        return driver.roll(self)

    def question(self) -> str:
        return f"{self.by or 'someone'} rolls {self.reading!s} {self.reading!r} for {self.what or 'a test'}"


class Prospect(Struct, frozen=True, eq=False):
    """What an option leads to, so that its odds can stand beside it: a part to solve and the words for its outcomes.

    `name` gives each outcome a short name; `scale` lists the names from nothing to worst, so that every page draws them
    in the same order and colours.
    """

    sub: "Sub[Any]"
    name: Callable[[Any], str]
    scale: tuple[str, ...]
    good: tuple[str, ...] = ()


class Option(Struct, Generic[A], frozen=True, eq=False):
    """One thing that is allowed. The key stands in records and scenario files; the label is for people."""

    key: str
    label: str
    value: A
    note: str = ""
    leads: Callable[[Any], Prospect | None] | None = None
    """Given what the choice is about, what this leads to; options stay free of the situation, so that a game can keep them."""

    def prospect(self, about: Any) -> Prospect | None:
        """What choosing this leads to (`option.prospect(choice.about)`), where a rule can say so."""
        return self.leads(about) if self.leads is not None else None


class Range(Struct, frozen=True):
    """Any whole number from low to high, in steps."""

    low: int
    high: int
    step: int = 1

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.low <= number <= self.high and (number - self.low) % self.step == 0


class Choice(Request[A], frozen=True, eq=False):
    """A decision: who decides, what is allowed (options, or a range of numbers), and the situation it is about, for tactics to look at."""

    who: str
    ask_for: str
    options: "tuple[Option[A], ...] | Range"
    about: Any = None
    topic: str = "act"
    secret: bool = False
    """Whether only the gamemaster and whoever decides may know of it."""

    def ask(self, driver: "Driver") -> A:
        return driver.choose(self)

    def question(self) -> str:
        options = self.options
        if isinstance(options, Range):
            allowed = f"{options.low}..{options.high}"
        else:
            allowed = ",".join([option.key for option in options])
        return f"{self.who}: {self.ask_for} [{allowed}]"

    def take(self, given: Given) -> A:
        """The value that this key or number stands for; refuses what is not allowed."""
        options = self.options
        if isinstance(options, Range):
            if given not in options:
                raise Wrong(f"{self.ask_for}: {given} is not a whole number from {options.low} to {options.high}")
            return cast(A, given)
        for option in options:
            if option.key == given:
                return option.value
        raise Wrong(f"{self.ask_for}: {given!r} is not allowed; choose one of {', '.join(o.key for o in options)}")

    def keys(self) -> tuple[str, ...]:
        """The keys of all options; none for a range."""
        return () if isinstance(self.options, Range) else tuple(option.key for option in self.options)


_ASKED_TOGETHER = (Roll, Choice)


class Together(Request[tuple[A, ...]], frozen=True, eq=False):
    """Several people are asked at once; the answer holds theirs in the same order."""

    requests: "tuple[Request[A], ...]"

    def __post_init__(self) -> None:
        for request in self.requests:
            if not isinstance(request, _ASKED_TOGETHER):
                raise TypeError(f"only rolls and choices can be asked together, not {type(request).__name__}")

    def ask(self, driver: "Driver") -> tuple[A, ...]:
        return driver.together(self)

    def question(self) -> str:
        return " | ".join(request.question() for request in self.requests)


class Sub(Request[A], frozen=True):
    """A part whose outcome depends on its arguments alone: played in line, solved once, remembered."""

    procedure: Callable[..., Play[A]]
    arguments: tuple[Any, ...]

    def ask(self, driver: "Driver") -> A:
        return driver.sub(self)

    def start(self) -> Play[A]:
        """A fresh run of the part."""
        return self.procedure(*self.arguments)

    def question(self) -> str:
        return getattr(self.procedure, "__name__", "part")


def sub(procedure: Callable[..., Play[A]], *arguments: Any) -> Sub[A]:
    """A part as a request: `yield from sub(knockout, rules, victim)`."""
    return Sub(procedure, arguments)


class Scale(Struct, frozen=True):
    """The names of what can come of something, from nothing to worst; which of them whoever acts is after, and what these are called.

    `counts` names the chance that it comes out well for who acts (hits), `spared` that it does not, for whom it is done to (unhurt).
    """

    names: tuple[str, ...]
    good: tuple[str, ...]
    counts: str = "succeeds"
    spared: str = "unhurt"


class Verdict(Struct, frozen=True):
    """What an attack, a test or any other attempt came to: a name on its scale, by whom, and against whom."""

    name: str
    scale: Scale
    by: str
    to: str = ""

    @property
    def good(self) -> bool:
        """Whether it came out as whoever acted wanted."""
        return self.name in self.scale.good


class Event(Struct, frozen=True, kw_only=True):
    """Something that happened, told to the log. It keeps bare facts; words and reasons are made only when somebody reads them."""

    logged: ClassVar[bool] = True
    """Whether the log writes it down; what is not logged is for drivers only."""
    known_to: tuple[str, ...] | None = None
    """Those who may know of it, besides the gamemaster; None is everybody."""

    def headline(self) -> str:
        """The sentence for the log."""
        raise NotImplementedError

    def reasons(self) -> tuple[Reason, ...]:
        """The sums behind it."""
        return ()

    def tone(self) -> str:
        """How the log should colour it: good, bad or plain."""
        return "plain"

    def verdict(self) -> Verdict | None:
        """What an attempt came to, where this is the event that closes it: the chances beside options are those of verdicts."""
        return None

    def hidden_from(self, who: str | None) -> bool:
        """Whether this person may not read it (None is the gamemaster)."""
        return self.known_to is not None and who is not None and who not in self.known_to


class Happened(Event, frozen=True):
    """Something that needs no sum: who did what."""

    who: str
    what: str
    mood: str = "plain"

    def headline(self) -> str:
        return f"{self.who} {self.what}"

    def tone(self) -> str:
        return self.mood


class CameTo(Event, frozen=True):
    """What an attempt came to, where no single line of the log says so: the log passes it over, the chances beside options do not."""

    logged: ClassVar[bool] = False
    came: Verdict

    def headline(self) -> str:
        return f"{self.came.by}: {self.came.name}"

    def verdict(self) -> Verdict:
        return self.came


class Tell(Request[None], frozen=True, eq=False):
    """What the log should say. Exact odds pass it over, so that reasons never keep equal states apart."""

    event: Event

    def ask(self, driver: "Driver") -> None:
        driver.tell(self.event)

    def question(self) -> str:
        return "tell"


def came_to(name: str, scale: Scale, by: str, to: str = "") -> Tell:
    """What an attempt came to, as a request: `yield from came_to("flesh wound", WOUNDS, attacker, target)`."""
    return Tell(CameTo(Verdict(name, scale, by, to)))


class Tactic(Protocol):
    """Who decides, when nobody is there to ask: gives the key or number of an allowed answer."""

    def __call__(self, choice: Choice[Any], /) -> Given: ...


T = TypeVar("T", bound=Callable[..., Any])


def local(tactic: T) -> T:
    """Mark a tactic that looks at nothing but what a scene's `focus` leaves to see, so that its steps can be remembered."""
    tactic.local = True  # type: ignore[attr-defined]
    return tactic


def is_local(decide: Any) -> bool:
    """Whether a tactic, or everybody whom it decides for, is marked as local."""
    return bool(getattr(decide, "local", False) or getattr(getattr(decide, "__self__", None), "local", False))


def first_option(choice: Choice[Any]) -> Given:
    """The plainest tactic: the first option, the lowest number."""
    options = choice.options
    return options.low if isinstance(options, Range) else options[0].key


class Driver:
    """Answers requests one after another until the procedure returns."""

    def run(self, play: Play[A]) -> A:
        """Drive a procedure to its end."""
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
        """Most drivers pass over what is told."""


class Dice(Protocol):
    """Where faces come from."""

    def faces(self, roll: Roll[Any], /) -> Faces: ...


class Entropy:
    """Fresh faces from the operating system at the moment of the roll; nobody can foresee them."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def faces(self, roll: Roll[Any]) -> Faces:
        return tuple([self._random.randint(1, sides) for sides in roll.reading.sides()])


class Seeded:
    """Faces that come out the same for the same seed: for tests and simulation only."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def faces(self, roll: Roll[Any]) -> Faces:
        rand = self._random
        return tuple([int(rand() * sides) + 1 for sides in roll.reading.sides()])


class TypedFaces:
    """Faces from dice on a real table, asked for one roll at a time."""

    def __init__(self, ask: Callable[[Roll[Any]], Faces]) -> None:
        self._ask = ask

    def faces(self, roll: Roll[Any]) -> Faces:
        faces = tuple(self._ask(roll))
        roll.reading.check(faces)
        return faces


class Answer(Struct, frozen=True, array_like=True):
    """One line of a record: the mark of the question, and what was answered."""

    question: str
    given: Given


class Played(Struct, Generic[A], frozen=True):
    """What came of a procedure: the outcome, the record of every answer, and everything that was told."""

    outcome: A
    record: tuple[Answer, ...]
    events: tuple[Event, ...]
    rolls: "tuple[Rolled, ...]" = ()


class Rolled(Struct, frozen=True):
    """Dice that fell: who rolled what, the faces, and what they were read as."""

    roll: Roll[Any]
    faces: Faces
    result: Any

    @property
    def kept(self) -> tuple[int, ...]:
        """The places of the dice that made the result."""
        return self.roll.reading.kept(self.faces)


_marks: dict[Any, str] = {}


def _mark(key: Any, request: Request[Any]) -> str:
    """The fingerprint of a question, computed once for one that comes again."""
    if len(_marks) >= 50_000:
        _marks.clear()
    mark = _marks[key] = request.fingerprint()
    return mark


class Player(Driver):
    """Plays for real: dice from somewhere, decisions from a tactic or a person, and a record of every answer."""

    def __init__(self, dice: Dice, decide: Tactic = first_option) -> None:
        self._faces = dice.faces
        self._decide = decide
        self.record: list[Answer] = []
        self.events: list[Event] = []
        self.rolls: list[Rolled] = []

    def roll(self, roll: Roll[A]) -> A:
        faces = self._faces(roll)
        self.record.append(Answer(_marks.get(roll) or _mark(roll, roll), faces))
        result = roll.reading.read(faces)
        self.rolls.append(Rolled(roll, faces, result))
        return result

    def choose(self, choice: Choice[A]) -> A:
        given = self._decide(choice)
        value = choice.take(given)
        key = (choice.who, choice.ask_for, choice.options)
        self.record.append(Answer(_marks.get(key) or _mark(key, choice), given))
        return value

    def tell(self, event: Event) -> None:
        if event.logged:
            self.events.append(event)

    def play(self, play: Play[A]) -> Played[A]:
        """Drive the procedure and hand over what came of it."""
        outcome = self.run(play)
        return Played(outcome, tuple(self.record), tuple(self.events), tuple(self.rolls))


def play(procedure: "Play[A] | Sub[A]", *, dice: Dice | None = None, decide: Tactic = first_option) -> Played[A]:
    """Play a procedure with fresh entropy, or with the dice given."""
    return Player(dice if dice is not None else Entropy(), decide).play(_begun(procedure))


def _begun(procedure: "Play[A] | Sub[A]") -> Play[A]:
    """A procedure that has begun, whether it was given as that or as a part."""
    if isinstance(procedure, Sub):
        return procedure.start()
    if not isinstance(procedure, Generator):
        raise Wrong(f"only a procedure can be played, as in play(attack(scene)) or play(sub(attack, scene)), not {procedure!r:.80}")
    return procedure


class ScriptedFaces:
    """Faces from a list, one entry a roll; says so when the list does not fit the rolls."""

    def __init__(self, rolls: Iterable[Sequence[int]]) -> None:
        self._rolls: Iterator[Sequence[int]] = iter(rolls)
        self.used = 0

    def faces(self, roll: Roll[Any]) -> Faces:
        faces = next(self._rolls, None)
        if faces is None:
            raise Wrong(f"the dice given end before the roll of {roll.by or 'someone'} for {roll.what or 'a test'} ({roll.reading!s})")
        self.used += 1
        try:
            roll.reading.check(tuple(faces))
        except Wrong as wrong:
            raise Wrong(f"roll {self.used} ({roll.what or 'a test'}): {wrong}") from None
        return tuple(faces)

    def finish(self) -> None:
        """Refuse faces that no roll asked for."""
        left = sum(1 for _ in self._rolls)
        if left:
            raise Wrong(f"{left} more {'roll was' if left == 1 else 'rolls were'} given than the rules asked for ({self.used})")


class ScriptedChoices:
    """Decisions from a list of keys and numbers."""

    def __init__(self, given: Iterable[Given]) -> None:
        self._given = iter(given)

    def __call__(self, choice: Choice[Any]) -> Given:
        given = next(self._given, None)
        if given is None:
            raise Wrong(f"the script ends before the question {choice.question()}")
        return given

    def finish(self) -> None:
        """Refuse decisions that nobody asked for."""
        left = list(self._given)
        if left:
            raise Wrong(f"the script has decisions left over: {left}")


def script(procedure: "Play[A] | Sub[A]", faces: Iterable[Sequence[int]] = (), choices: Iterable[Given] = ()) -> Played[A]:
    """Play with the faces and decisions listed, all of them and no more: the book's worked examples as tests."""
    dice, decide = ScriptedFaces(faces), ScriptedChoices(choices)
    played = Player(dice, decide).play(_begun(procedure))
    dice.finish()
    decide.finish()
    return played


class Replayer(Player):
    """Gives the answers of an earlier record again, and says at which entry the rules ask something else."""

    def __init__(self, record: Sequence[Answer]) -> None:
        super().__init__(_NoDice())
        self._answers = record
        self._at = 0

    def _next(self, request: Request[Any], mark: str) -> Given:
        if self._at >= len(self._answers):
            raise Wrong(f"the record ends at entry {self._at}, before the question: {request.question()}")
        answer = self._answers[self._at]
        self._at += 1
        if answer.question != mark:
            raise Wrong(f"entry {self._at} of the record answers another question than the rules ask now: {request.question()}")
        return answer.given

    def roll(self, roll: Roll[A]) -> A:
        faces = self._next(roll, _marks.get(roll) or _mark(roll, roll))
        if not isinstance(faces, tuple):
            raise Wrong(f"entry {self._at} of the record should hold faces of dice, not {faces!r}")
        try:
            roll.reading.check(faces)
        except Wrong as wrong:
            raise Wrong(f"entry {self._at} of the record: {wrong}") from None
        self.record.append(self._answers[self._at - 1])
        result = roll.reading.read(faces)
        self.rolls.append(Rolled(roll, faces, result))
        return result

    def choose(self, choice: Choice[A]) -> A:
        key = (choice.who, choice.ask_for, choice.options)
        given = self._next(choice, _marks.get(key) or _mark(key, choice))
        try:
            value = choice.take(given)
        except Wrong as wrong:
            raise Wrong(f"entry {self._at} of the record: {wrong}") from None
        self.record.append(self._answers[self._at - 1])
        return value

    def play(self, play: Play[A]) -> Played[A]:
        played = super().play(play)
        if self._at != len(self._answers):
            raise Wrong(f"the record goes on after entry {self._at}, where the rules have nothing more to ask")
        return played


class _NoDice:
    def faces(self, roll: Roll[Any]) -> Faces:
        raise AssertionError("a replay never rolls")


def replay(procedure: "Play[A] | Sub[A]", record: Sequence[Answer]) -> Played[A]:
    """The same game again, from its record."""
    return Replayer(record).play(_begun(procedure))


class Paused(Generic[A]):
    """A procedure that can stop at any question and go on whenever the answer comes: what a live table is made of.

    `pending` is the open question (a Roll, a Choice, or a Together of them), or None when `outcome` stands.
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
        """Go on with the answer's value; for a Together, the tuple of all values."""
        if self.pending is None:
            raise Wrong("there is no question to answer")
        self._advance(value)
