"""The requests: what a rule that needs dice or a decision asks for.

A procedure is a generator that yields requests and is sent their answers. Every request is iterable, so that
`yield from request` gives the answer with its type.
"""

import re
import zlib
from collections.abc import Callable, Generator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct
from msgspec.structs import astuple

from rulewright.dice.reading import Reading
from rulewright.errors import UserError
from rulewright.rules.reasons import Reason

A = TypeVar("A")
C = TypeVar("C", covariant=True)

Given: TypeAlias = int | str | tuple[int, ...]
"""What an answer looks like in a record: faces of dice, the key of an option, or a number in a range."""


class Answering(Protocol):
    """Whoever drives a procedure: answers each kind of request."""

    def roll(self, roll: "Roll[A]", /) -> A: ...

    def choose(self, choice: "Choice[A]", /) -> A: ...

    def together(self, together: "Together[A]", /) -> tuple[A, ...]: ...

    def sub(self, part: "Sub[A]", /) -> A: ...

    def tell(self, event: "Event", /) -> None: ...


class Request(Struct, Generic[A], frozen=True, gc=False):
    """Something a procedure asks for; `yield from` it to get the answer."""

    def __iter__(self) -> Generator["Request[A]", A, A]:
        return (yield self)

    def ask(self, driver: Answering) -> A:
        """Let the driver answer."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """A short hash of the question's key, so that a record can tell whether an answer still fits."""
        return f"q{zlib.crc32(self.key().encode()):08x}"

    def matches(self, fingerprint: str) -> bool:
        """Whether a recorded answer with this fingerprint answers this question.

        Up to version 0.9.5 a fingerprint hashed the wording of the question. Wording changes between versions, so an old fingerprint
        always matches, and only the answer itself has to be allowed.
        """
        return fingerprint == self.fingerprint() or _OLD_FINGERPRINT.fullmatch(fingerprint) is not None

    def key(self) -> str:
        """Identifies the question by who is asked and what is possible, never by its wording."""
        raise NotImplementedError

    def question(self) -> str:
        """The question in one line, for messages."""
        raise NotImplementedError


_OLD_FINGERPRINT = re.compile("[0-9a-f]{8}")


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

    def ask(self, driver: Answering) -> A:
        return driver.roll(self)

    def key(self) -> str:
        numbers = [value for value in astuple(self.reading) if isinstance(value, int)]
        return f"{self.by} rolls {self.reading.sides()} {numbers}"

    def question(self) -> str:
        return f"{self.by or 'someone'} rolls {self.reading!s} for {self.what or 'a test'}"


class Option(Struct, Generic[A], frozen=True, eq=False, gc=False):
    """One thing that is allowed. The key stands in records and scenario files; the label is for people."""

    key: str
    label: str
    value: A
    note: str = ""
    verb: str = ""
    """What sort of thing it is, by which pages and terminals group it: one of `arranging.VERBS`; empty is read from the key."""
    target: str = ""
    """Whom or what it is done to; empty is read from the key."""
    manner: tuple[str, ...] = ()
    """How it is done, in short words that combine (`shoot`, `widened`); empty is read from the label."""


class Range(Struct, frozen=True, gc=False):
    """Any whole number from low to high, in steps."""

    low: int
    high: int
    step: int = 1

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.low <= number <= self.high and (number - self.low) % self.step == 0


class Shape(Protocol):
    """Ground to be drawn: how it is called, how far it goes, and its borders."""

    @property
    def pace(self) -> str: ...
    @property
    def doing(self) -> str: ...
    @property
    def most(self) -> float: ...
    @property
    def outlines(self) -> tuple[tuple[tuple[float, float], ...], ...]: ...


class Where(Protocol[C]):
    """Any place that may be answered besides the options, written as in `run@12.5,3`; see `field.places` for the one that games use."""

    @property
    def mark(self) -> str:
        """The area in a few letters; nothing on ground with nothing on it."""
        ...

    def take(self, given: str, /) -> C:
        """What a place stands for; refused with how far it is and how far one can go."""
        ...

    def label(self, given: str, /) -> str:
        """A place in words, for the log."""
        ...

    def tells(self, given: str, /) -> tuple[str, ...]:
        """What it would mean to be there."""
        ...

    def paces_by_reach(self) -> tuple[str, ...]:
        """The keys of the paces at which one may go, the shortest first."""
        ...

    def bands(self) -> Sequence[Shape]:
        """All ground that may be answered, for drawing; worked out only when drawn."""
        ...


class Offered(NamedTuple):
    """Options that may be offered again: they themselves, by their keys (of two with the same the first), and marks of questions."""

    options: "tuple[Option[Any], ...]"
    by_key: "dict[str, Option[Any]]"
    marks: dict[object, str]


MOST_OFFERED, MOST_MARKS = 4_000, 1_000
_offered: dict[int, Offered] = {}
"""By where the options lie in memory, and there they lie as long as they are kept here."""


def offered(options: "tuple[Option[Any], ...]") -> Offered:
    """What is put together once for options that are offered again and again."""
    kept = _offered.get(id(options))
    if kept is None:
        if len(_offered) >= MOST_OFFERED:  # options that are made anew each time never come again, and are kept alive by this
            _offered.clear()
        by_key = {option.key: option for option in options}
        if len(by_key) < len(options):
            by_key = {option.key: option for option in reversed(options)}
        kept = _offered[id(options)] = Offered(options, by_key, {})
    return kept


class Choice(Request[A], frozen=True, eq=False):
    """A decision: who decides, what is allowed (options, or a range of numbers), and the situation it is about, for tactics to look at.

    Where a place is asked for, `where` takes any that is allowed. The options stay: they are the few places that mean something, and
    exact odds, tactics and chances beside options read nothing else.
    """

    who: str
    ask_for: str
    options: "tuple[Option[A], ...] | Range"
    about: Any = None
    topic: str = "act"
    secret: bool = False
    """Whether only the gamemaster and whoever decides may know of it."""
    where: "Where[A] | None" = None
    """Any place besides the options; never with a range."""

    def ask(self, driver: Answering) -> A:
        return driver.choose(self)

    def key(self) -> str:
        return f"{self.who} {self.topic} {self._allowed()}"

    def question(self) -> str:
        return f"{self.who}: {self.ask_for} {self._allowed()}"

    def _allowed(self) -> str:
        """The possible answers in one line: the keys of the options or the limits of the range, and the area where places are allowed."""
        options = self.options
        if isinstance(options, Range):
            allowed = f"{options.low}..{options.high}"
        else:
            allowed = ",".join([option.key for option in options])
        area = self.where.mark if self.where is not None else ""
        return f"[{allowed}]{f' @{area}' if area else ''}"

    def mark(self) -> str:
        """The fingerprint, computed once for a question that comes again with the same options."""
        options, where = self.options, self.where
        kept = _offered.get(id(options))
        if kept is None:
            if isinstance(options, Range):
                return _mark_of_range(self.who, self.topic, options)
            kept = offered(options)
        marks, key = kept.marks, (self.who, self.topic, where.mark if where is not None else "")
        mark = marks.get(key)
        if mark is None:
            if len(marks) >= MOST_MARKS:  # "yes" and "no" are offered to everybody for everything
                marks.clear()
            mark = marks[key] = self.fingerprint()
        return mark

    def take(self, given: Given) -> A:
        """The value that this key or number stands for; refuses what is not allowed."""
        options = self.options
        kept = _offered.get(id(options))
        if kept is None:
            if isinstance(options, Range):
                if given not in options:
                    raise UserError(f"{self.ask_for}: {given} is not a whole number from {options.low} to {options.high}")
                return given  # type: ignore[return-value]  # a range is answered by a number
            kept = offered(options)
        if isinstance(given, str):
            option = kept.by_key.get(given)
            if option is not None:
                return option.value  # type: ignore[no-any-return]
        if self.where is not None and isinstance(given, str) and "@" in given:
            return self.where.take(given)
        raise UserError(f"{self.ask_for}: {given!r} is not allowed; choose one of {', '.join([o.key for o in kept.options])}")

    def label(self, given: Given) -> str:
        """An answer in words: of an option its label, of a place how one gets there."""
        if isinstance(self.options, tuple):
            for option in self.options:
                if option.key == given:
                    return option.label
        if self.where is not None and isinstance(given, str) and "@" in given:
            return self.where.label(given)
        return str(given)

    @property
    def ranged(self) -> bool:
        """Whether a number is asked for."""
        return isinstance(self.options, Range)

    def keys(self) -> tuple[str, ...]:
        """The keys of all options; none for a range."""
        options = self.options
        return () if isinstance(options, Range) else tuple([option.key for option in options])


@lru_cache(maxsize=5_000)
def _mark_of_range(who: str, topic: str, numbers: Range) -> str:
    asked: Choice[int] = Choice(who, "", numbers, topic=topic)
    return asked.fingerprint()


class Offer(Protocol[C]):
    """Options that are made only when somebody looks at them."""

    @property
    def all(self) -> "tuple[Option[Any], ...]":
        """Every option, in order."""
        ...

    def take(self, key: Given, /) -> "Option[Any] | None":
        """The option of a key; no more of them are made than that takes. None where there is none."""
        ...


class Offering(Choice[A], frozen=True, eq=False):
    """A decision whose options are made when somebody looks at them: a tactic that knows the offer need not look at them all."""

    @property
    def offer(self) -> Offer[A]:
        """What the options are made of."""
        return cast(Offer[A], _given_options.__get__(self))

    @property  # type: ignore[misc]  # what was given for the field makes them
    def options(self) -> "tuple[Option[A], ...]":
        """Every option, made now where that was not done before."""
        return self.offer.all

    @property
    def ranged(self) -> bool:
        return False

    def take(self, given: Given) -> A:
        option = self.offer.take(given)
        return Choice.take(self, given) if option is None else cast(A, option.value)


_given_options: Any = Choice.__dict__["options"]

_ASKED_TOGETHER = (Roll, Choice)


class Together(Request[tuple[A, ...]], frozen=True, eq=False):
    """Several people are asked at once; the answer holds theirs in the same order."""

    requests: "tuple[Request[A], ...]"

    def __post_init__(self) -> None:
        for request in self.requests:
            if not isinstance(request, _ASKED_TOGETHER):
                raise TypeError(f"only rolls and choices can be asked together, not {type(request).__name__}")

    def ask(self, driver: Answering) -> tuple[A, ...]:
        return driver.together(self)

    def key(self) -> str:
        return " | ".join(request.key() for request in self.requests)

    def question(self) -> str:
        return " | ".join(request.question() for request in self.requests)


class Sub(Request[A], frozen=True):
    """A part whose outcome depends on its arguments alone: played in line, solved once, remembered."""

    procedure: Callable[..., Play[A]]
    arguments: tuple[Any, ...]

    def ask(self, driver: Answering) -> A:
        return driver.sub(self)

    def start(self) -> Play[A]:
        """A fresh run of the part."""
        return self.procedure(*self.arguments)

    def key(self) -> str:
        return self.question()

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


class Verdict(Struct, frozen=True, gc=False):
    """What an attack, a test or any other attempt came to: a name on its scale, by whom, and against whom."""

    name: str
    scale: Scale
    by: str
    to: str = ""

    @property
    def good(self) -> bool:
        """Whether it came out as whoever acted wanted."""
        return self.name in self.scale.good


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened, told to the log. It keeps bare facts; words and reasons are made only when somebody reads them."""

    logged: ClassVar[bool] = True
    """Whether the log writes it down; what is not logged is for drivers only."""
    known_to: tuple[str, ...] | None = None
    """Those who may know of it, besides the gamemaster; None is everybody."""
    again: bool = False
    """The same told once more, with less in it, to those who may not know all; whoever sees everything has read it already."""

    def headline(self) -> str:
        """The sentence for the log."""
        raise NotImplementedError

    def reasons(self) -> tuple[Reason, ...]:
        """The sums behind it: those that it keeps as `sums`, where it has such a field."""
        sums: tuple[Reason, ...] = getattr(self, "sums", ())
        return sums

    def tone(self) -> str:
        """How the log should colour it: good, bad or plain; it may keep this as its `mood`."""
        return str(getattr(self, "mood", "plain"))

    def verdict(self) -> Verdict | None:
        """What an attempt came to, where this is the event that closes it: the chances beside options are those of verdicts."""
        return None

    def hidden_from(self, who: str | None) -> bool:
        """Whether this person may not read it (None is the gamemaster)."""
        if who is None:
            return self.again
        return self.known_to is not None and who not in self.known_to


class Happened(Event, frozen=True):
    """Something that needs no sum: who did what."""

    who: str
    what: str
    mood: str = "plain"

    def headline(self) -> str:
        return f"{self.who} {self.what}"


class Reckoned(Happened, frozen=True):
    """Something with the sums behind it: who did what, and why it came to that."""

    sums: tuple[Reason, ...] = ()


class CameTo(Event, frozen=True):
    """What an attempt came to, where no single line of the log says so: the log passes it over, the chances beside options do not."""

    logged: ClassVar[bool] = False
    came: Verdict

    def headline(self) -> str:
        return f"{self.came.by}: {self.came.name}"

    def verdict(self) -> Verdict:
        return self.came


class Stands(Event, frozen=True, eq=False):
    """How things stand in the middle of a step, for whoever looks on: somebody has moved and is asked what to do from there.

    It is no part of the log. Views are drawn from the last one told; exact odds and records pass over it.
    """

    logged: ClassVar[bool] = False
    state: Any

    def headline(self) -> str:
        return ""


class Tell(Request[None], frozen=True, eq=False):
    """What the log should say. Exact odds pass it over, so that reasons never keep equal states apart."""

    event: Event

    def ask(self, driver: Answering) -> None:
        driver.tell(self.event)

    def key(self) -> str:
        return self.question()

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


def tactic_of(decide: Tactic, who: str) -> Tactic:
    """The tactic by which somebody decides, where one decides for everybody by the tactic of each."""
    result = getattr(getattr(decide, "__self__", None), "tactic_of", None)
    return decide if result is None else result(who)


def first_option(choice: Choice[Any]) -> Given:
    """The plainest tactic: the first option, the lowest number."""
    options = choice.options
    return options.low if isinstance(options, Range) else options[0].key
