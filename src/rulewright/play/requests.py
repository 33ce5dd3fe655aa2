"""Requests: what a procedure asks for when it needs dice or a decision.

A procedure is a generator that yields requests and receives their answers. Every request is iterable, so that `yield from request` gives
the answer with its type.
"""

import re
import zlib
from collections.abc import Callable, Generator, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct
from msgspec.structs import astuple

from rulewright.dice.reading import Reading
from rulewright.errors import UserError
from rulewright.play.cache import Memory, cached
from rulewright.rules.reasons import Reason

A = TypeVar("A")
C = TypeVar("C", covariant=True)

Given: TypeAlias = int | str | tuple[int, ...]
"""An answer in a record: faces of dice, the key of an option, or a number in a range."""


class Answering(Protocol):
    """The driver of a procedure: answers each kind of request."""

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
        """Lets the driver answer."""
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
"""A running procedure that will return an A."""

GAMEMASTER = "gamemaster"
"""Who is asked about everything that is not a combatant's decision."""


class Roll(Request[A], frozen=True):
    """A roll of dice. `by` names who rolls, `what` says for what.

    The roller and the gamemaster see a `secret` roll. The gamemaster makes an `unseen` one for the roller, behind a screen. The roller
    makes a `blind` one, but only the gamemaster sees the dice.
    """

    reading: Reading[A]
    by: str = ""
    what: str = ""
    secret: bool = False
    unseen: bool = False
    blind: bool = False

    @property
    def hand(self) -> str:
        """The name of the person who rolls the dice."""
        return GAMEMASTER if self.unseen else self.by

    def ask(self, driver: Answering) -> A:
        return driver.roll(self)

    def key(self) -> str:
        numbers = [value for value in astuple(self.reading) if isinstance(value, int)]
        return f"{self.by} rolls {self.reading.sides()} {numbers}"

    def question(self) -> str:
        return f"{self.by or 'someone'} rolls {self.reading!s} for {self.what or 'a test'}"


class Option(Struct, Generic[A], frozen=True, eq=False, gc=False):
    """One possible answer. The key is used in records and scenario files; the label is for people."""

    key: str
    label: str
    value: A
    note: str = ""
    verb: str = ""
    """The kind of action, for grouping: one of `option_groups.VERBS`; derived from the key if empty."""
    target: str = ""
    """Its target; derived from the key if empty."""
    manner: tuple[str, ...] = ()
    """How it is done, in short words that combine (`shoot`, `widened`); derived from the label if empty."""


class Range(Struct, frozen=True, gc=False):
    """Any whole number from low to high, in steps."""

    low: int
    high: int
    step: int = 1

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.low <= number <= self.high and (number - self.low) % self.step == 0


class Shape(Protocol):
    """An area to draw: its name, how far it reaches, and its outlines."""

    @property
    def pace(self) -> str: ...
    @property
    def doing(self) -> str: ...
    @property
    def most(self) -> float: ...
    @property
    def unit(self) -> str: ...
    @property
    def outlines(self) -> tuple[tuple[tuple[float, float], ...], ...]: ...


class Where(Protocol[C]):
    """Any place that can be answered besides the options, written as in `run@12.5,3`; see `field.places` for an implementation."""

    @property
    def mark(self) -> str:
        """The area in a few letters; empty on bare ground."""
        ...

    def take(self, given: str, /) -> C:
        """The value of a place; the error says how far it is and how far one can go."""
        ...

    def label(self, given: str, /) -> str:
        """A place in words, for the log."""
        ...

    def tells(self, given: str, /) -> tuple[str, ...]:
        """Descriptions of what it means to be there."""
        ...

    def paces_by_reach(self) -> tuple[str, ...]:
        """The keys of the possible paces, shortest reach first."""
        ...

    def bands(self) -> Sequence[Shape]:
        """The reachable area, for drawing; computed on demand."""
        ...


class Offered(NamedTuple):
    """Cached facts about a tuple of options: the options, a dictionary by key (the first of equal keys), and fingerprints of questions."""

    options: "tuple[Option[Any], ...]"
    by_key: "dict[str, Option[Any]]"
    marks: dict[object, str]


MOST_OFFERED, MOST_MARKS = 4_000, 1_000
_offered: Memory[int, Offered] = Memory(MOST_OFFERED, "rulewright.play.requests.offered")
"""The cache, by id() of the tuple, because the options of a tuple are compared by identity anyway and there may be hundreds. An address can
be used again, so each entry holds its tuple, and a hit counts only for this very tuple."""


def offered(options: "tuple[Option[Any], ...]") -> Offered:
    """The cached facts about a tuple of options."""
    kept = _offered.get(id(options))
    if kept is None or kept.options is not options:
        by_key = {option.key: option for option in options}
        if len(by_key) < len(options):
            by_key = {option.key: option for option in reversed(options)}
        kept = _offered[id(options)] = Offered(options, by_key, {})
    return kept


class Choice(Request[A], frozen=True, eq=False):
    """A decision: who decides, what is allowed (options, or a range of numbers), and the situation, for tactics to read.

    If a place is asked for, `where` takes any allowed one. The options remain the few places that mean something; exact odds, tactics and
    chances read only them.
    """

    who: str
    ask_for: str
    options: "tuple[Option[A], ...] | Range"
    about: Any = None
    topic: str = "act"
    secret: bool = False
    """Whether only the gamemaster and the person who decides may know of it."""
    where: "Where[A] | None" = None
    """Any place besides the options; never with a range."""

    def ask(self, driver: Answering) -> A:
        return driver.choose(self)

    def key(self) -> str:
        return f"{self.who} {self.topic} {self._allowed()}"

    def question(self) -> str:
        return f"{self.who}: {self.ask_for} {self._allowed()}"

    def _allowed(self) -> str:
        """The possible answers in one line: the keys of the options or the limits of the range, and the area of allowed places."""
        options = self.options
        if isinstance(options, Range):
            allowed = f"{options.low}..{options.high}"
        else:
            allowed = ",".join([option.key for option in options])
        area = self.where.mark if self.where is not None else ""
        return f"[{allowed}]{f' @{area}' if area else ''}"

    def mark(self) -> str:
        """The fingerprint, computed once for questions with the same options."""
        options, where = self.options, self.where
        kept = _offered.get(id(options))
        if kept is None or kept.options is not options:
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
        """The value of a key or number; raises an error if it is not allowed."""
        options = self.options
        kept = _offered.get(id(options))
        if kept is None or kept.options is not options:
            if isinstance(options, Range):
                if given not in options:
                    raise UserError(f"{self.ask_for}: {given} is not allowed; give a whole number from {options.low} to {options.high}")
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
        """An answer in words: the label of an option, or the description of a place."""
        if isinstance(self.options, tuple):
            for option in self.options:
                if option.key == given:
                    return option.label
        if self.where is not None and isinstance(given, str) and "@" in given:
            return self.where.label(given)
        return str(given)

    @property
    def ranged(self) -> bool:
        """Whether the answer is a number."""
        return isinstance(self.options, Range)

    def keys(self) -> tuple[str, ...]:
        """The keys of all options; empty for a range."""
        options = self.options
        return () if isinstance(options, Range) else tuple([option.key for option in options])


@cached(5_000)
def _mark_of_range(who: str, topic: str, numbers: Range) -> str:
    choice: Choice[int] = Choice(who, "", numbers, topic=topic)
    return choice.fingerprint()


class Offer(Protocol[C]):
    """Options that are built on demand."""

    @property
    def all(self) -> "tuple[Option[Any], ...]":
        """Every option, in order."""
        ...

    def take(self, key: Given, /) -> "Option[Any] | None":
        """The option of a key, building no more of them than needed; None if there is none."""
        ...


class Offering(Choice[A], frozen=True, eq=False):
    """A decision whose options are built on demand, so that a tactic that knows the offer need not build them all."""

    @property
    def offer(self) -> Offer[A]:
        """The source of the options."""
        return cast(Offer[A], _given_options.__get__(self))

    @property  # type: ignore[misc]  # what was given for the field makes them
    def options(self) -> "tuple[Option[A], ...]":
        """Every option, built on first use."""
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


class AnyOrder(Request[tuple[int, A]], frozen=True, eq=False):
    """Several people are asked, and play continues with the first who answers; the answer is their place and its value.

    A place without a question is None. Odds and tactics go on with the person who answered last, at the place `last`.
    """

    requests: "tuple[Request[A] | None, ...]"
    last: int = 0

    @property
    def first(self) -> tuple[int, Request[A]]:
        """The question that odds and tactics answer, and its place."""
        request = self.requests[self.last]
        if request is not None:
            return self.last, request
        return next((place, request) for place, request in enumerate(self.requests) if request is not None)

    def ask(self, driver: Answering) -> tuple[int, A]:
        place, request = self.first
        return place, request.ask(driver)

    def key(self) -> str:
        return " or ".join("" if request is None else request.key() for request in self.requests)

    def question(self) -> str:
        return " or ".join(request.question() for request in self.requests if request is not None)


class Sub(Request[A], frozen=True):
    """A sub-procedure whose outcome depends on its arguments alone, so that it can be solved once and cached."""

    procedure: Callable[..., Play[A]]
    arguments: tuple[Any, ...]

    def ask(self, driver: Answering) -> A:
        return driver.sub(self)

    def start(self) -> Play[A]:
        """Starts the sub-procedure."""
        return self.procedure(*self.arguments)

    def key(self) -> str:
        return self.question()

    def question(self) -> str:
        return getattr(self.procedure, "__name__", "part")


def sub(procedure: Callable[..., Play[A]], *arguments: Any) -> Sub[A]:
    """A sub-procedure as a request: `yield from sub(knockout, rules, victim)`."""
    return Sub(procedure, arguments)


class Scale(Struct, frozen=True):
    """The names of the possible results of an attempt, from nothing to worst, and which of them are good for the actor.

    `counts` names the chance of a good result for the actor (hits), `spared` that of a bad one for the target (unhurt).
    """

    names: tuple[str, ...]
    good: tuple[str, ...]
    counts: str = "succeeds"
    spared: str = "unhurt"
    harms: bool = False
    """Whether a good result harms the target, so that nobody wants it for a friend."""


class Verdict(Struct, frozen=True, gc=False):
    """The result of an attempt: a name on its scale, by whom, and against whom."""

    name: str
    scale: Scale
    by: str
    to: str = ""

    @property
    def good(self) -> bool:
        """Whether it is a good result for the actor."""
        return self.name in self.scale.good


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened, reported to the log. It keeps facts; words and reasons are made on demand."""

    logged: ClassVar[bool] = True
    """Whether the log contains it; other events are for drivers only."""
    known_to: tuple[str, ...] | None = None
    """Who may know of it besides the gamemaster; None for everybody."""
    again: bool = False
    """Whether it repeats an event with less detail for people who may not know everything; the gamemaster does not see it."""

    def headline(self) -> str:
        """The sentence for the log."""
        raise NotImplementedError

    def reasons(self) -> tuple[Reason, ...]:
        """The sums behind it: the field `sums`, if it has one."""
        sums: tuple[Reason, ...] = getattr(self, "sums", ())
        return sums

    def tone(self) -> str:
        """The colour of its entry in the log: good, bad or plain; the field `mood`, if it has one."""
        return str(getattr(self, "mood", "plain"))

    def verdict(self) -> Verdict | None:
        """The result of an attempt, if this event ends one. Chances of options are chances of verdicts."""
        return None

    def hidden_from(self, who: str | None) -> bool:
        """Whether this person may not read it (None is the gamemaster)."""
        if who is None:
            return self.again
        return self.known_to is not None and who not in self.known_to


class Happened(Event, frozen=True):
    """An event without sums: who did what."""

    who: str
    what: str
    mood: str = "plain"

    def headline(self) -> str:
        return f"{self.who} {self.what}"


class Reckoned(Happened, frozen=True):
    """An event with the sums behind it."""

    sums: tuple[Reason, ...] = ()


class CameTo(Event, frozen=True):
    """The result of an attempt that no log entry states; used for chances only."""

    logged: ClassVar[bool] = False
    came: Verdict

    def headline(self) -> str:
        return f"{self.came.by}: {self.came.name}"

    def verdict(self) -> Verdict:
        return self.came


class Stands(Event, frozen=True, eq=False):
    """The state in the middle of a step, for display: a combatant has moved and is asked for the next action.

    It is not part of the log. Views show the last one; exact odds and records ignore it.
    """

    logged: ClassVar[bool] = False
    state: Any

    def headline(self) -> str:
        return ""


class Tell(Request[None], frozen=True, eq=False):
    """Reports an event to the log. Exact odds ignore it, so that reasons never keep equal states apart."""

    event: Event

    def ask(self, driver: Answering) -> None:
        driver.tell(self.event)

    def key(self) -> str:
        return self.question()

    def question(self) -> str:
        return "tell"


def came_to(name: str, scale: Scale, by: str, to: str = "") -> Tell:
    """Reports the result of an attempt: `yield from came_to("flesh wound", WOUNDS, attacker, target)`."""
    return Tell(CameTo(Verdict(name, scale, by, to)))


class Tactic(Protocol):
    """A decision function: returns the key or number of an allowed answer."""

    def __call__(self, choice: Choice[Any], /) -> Given: ...


T = TypeVar("T", bound=Callable[..., Any])


def local(tactic: T) -> T:
    """Marks a tactic that looks only at what a scene's `focus` contains, so that its steps can be cached."""
    tactic.local = True  # type: ignore[attr-defined]
    return tactic


def is_local(decide: Any) -> bool:
    """Whether a tactic, or every tactic it dispatches to, is marked as local."""
    return bool(getattr(decide, "local", False) or getattr(getattr(decide, "__self__", None), "local", False))


def tactic_of(decide: Tactic, who: str) -> Tactic:
    """The tactic of a person, if `decide` dispatches to one per person; otherwise `decide` itself."""
    dispatch = getattr(getattr(decide, "__self__", None), "tactic_of", None)
    return decide if dispatch is None else dispatch(who)


def first_option(choice: Choice[Any]) -> Given:
    """The simplest tactic: the first option, the lowest number."""
    options = choice.options
    return options.low if isinstance(options, Range) else options[0].key
