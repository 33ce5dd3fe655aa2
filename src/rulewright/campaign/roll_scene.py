"""The scene of a roll request: everybody who is asked chooses a test and rolls, in any order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, SceneView, Tag
from rulewright.campaign.roll_request import (
    MANNER_WORDS,
    Attempt,
    Attempted,
    RollRequest,
    Verdict,
    Way,
    describe_result,
    joined_verdict,
)
from rulewright.play import Choice, Event, Option, Play, Range, Request, Roll, Scale, Sub, Tell, Together, came_to
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.scenes.scene import Result, Scene

ROLL_REQUEST = "roll request"
"""The kind of this scene, in records and logs."""
_SCALE = Scale(("failure", "draw", "success"), ("success",))
_TONES = {"success": "good", "failure": "bad"}


class Described(Protocol):
    """What the scene needs of the game's description of an outcome."""

    @property
    def label(self) -> str: ...
    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def order(self) -> float: ...


class Attempting(Event, frozen=True):
    """A result of a roll request."""

    who: str
    test: str
    target: str
    result: str
    mood: str = "plain"

    def headline(self) -> str:
        against = f" against {self.target}" if self.target else ""
        return f"{self.who} rolls {self.test}{against}: {self.result}"


class Joined(Event, frozen=True):
    """The joint result of a roll request."""

    words: str
    mood: str = "plain"

    def headline(self) -> str:
        return self.words


class RollScene(Scene[RollRequest]):
    """A roll request under one ruleset. `parse` reads the game's notation, `show` describes an outcome."""

    kind = ROLL_REQUEST
    state_type = RollRequest

    def __init__(self, rules: Ruleset, parse: Callable[[Ruleset, str], Sub[Any]], show: Callable[[Any], Described]) -> None:
        super().__init__(rules)
        self._parse = parse
        self._show = show

    def step(self, state: RollRequest) -> Play[RollRequest]:
        done = yield from _side_by_side([self._attempt(state, attempt) for attempt in state.attempts])
        state = replace(state, done=tuple(done))
        verdict = joined_verdict(state.joined, state.done)
        if verdict is not None and len(state.done) > 1:
            known_to = None if state.manner == "open" else ()
            yield from Tell(Joined(describe_result(state), _TONES.get(verdict, "plain"), known_to=known_to))
        return state

    def _attempt(self, state: RollRequest, attempt: Attempt) -> Play[Attempted]:
        way = yield from self._choose_way(state, attempt)
        boosts = yield from _choose_boosts(state, attempt, way)
        test = self._parse(self.rules, way.notations[boosts])
        outcome = yield from _rolled_by(test.start(), iter(attempt.rollers), state, way.label)
        shown = self._show(outcome)
        known_to = None if state.manner == "open" else ()
        name = " and ".join(attempt.together) if attempt.together else attempt.name
        mood = _TONES.get(shown.verdict or "", "plain")
        yield from Tell(Attempting(name, way.label, way.target, shown.label, mood, known_to=known_to))
        if shown.verdict is not None:
            yield from came_to(shown.verdict, _SCALE, attempt.name, attempt.against)
        return Attempted(attempt.name, way.label, shown.label, shown.verdict, shown.order, boosts)

    def _choose_way(self, state: RollRequest, attempt: Attempt) -> Play[Way]:
        if len(attempt.ways) == 1 or state.manner == "gamemaster rolls":
            return attempt.ways[0]
        options = tuple(Option(way.key, _describe(way, state), way) for way in attempt.ways)
        return (yield from Choice(attempt.name, f"{state.title}: which test?", options, state, topic="test"))

    def weighs(self, state: RollRequest, choice: Choice[Any]) -> bool:
        """A hidden target must not show in a chance."""
        return state.manner == "open"

    def result(self, state: RollRequest) -> Result | None:
        if not state.done:
            return None
        return Result(None, describe_result(state) if state.manner == "open" else f"{state.title}: everybody has rolled")

    def view(self, state: RollRequest, who: str | None) -> SceneView:
        done = {result.name: result for result in state.done}
        headline = state.why or MANNER_WORDS[state.manner]
        cards = []
        for attempt in state.attempts:
            result = done.get(attempt.name)
            known = state.manner == "open" or who is None
            words = "is asked" if result is None else result.result if known else "has rolled"
            cards.append(Card(attempt.name, "asked", (Tag(name=words, rule=None),)))
        return SceneView(state.title, headline, tuple(cards))

    def sides(self, state: RollRequest) -> Mapping[str, tuple[str, ...]]:
        asked = tuple(dict.fromkeys(name for attempt in state.attempts for name in (attempt.together or (attempt.name,))))
        against = tuple(dict.fromkeys(attempt.against for attempt in state.attempts if attempt.against))
        return {"asked": asked, "against": against} if against else {"asked": asked}

    def out(self, state: RollRequest) -> frozenset[str]:
        return frozenset()

    def round(self, state: RollRequest) -> int:
        return 0

    def lasting(self, state: RollRequest, who: str) -> Mapping[str, Lasts]:
        spent = {result.name: result.boosts for result in state.done}
        for attempt in state.attempts:
            if attempt.name == who and attempt.boost is not None:
                left = attempt.boost.left - spent.get(who, 0)
                return {attempt.boost.field: Lasts(left, f"{attempt.boost.name}: {left} left")}
        return {}

    def checked(self, state: RollRequest) -> RollRequest:
        return state.checked()


def _describe(way: Way, state: RollRequest) -> str:
    """A test as the roller sees it: a hidden target is left out."""
    return f"{way.label} against {way.target}" if way.target and state.manner == "open" else way.label


def _choose_boosts(state: RollRequest, attempt: Attempt, way: Way) -> Play[int]:
    """How many boosts are spent on the roll."""
    most = min(len(way.notations) - 1, attempt.boost.left if attempt.boost is not None else 0)
    if attempt.boost is None or most < 1 or state.manner == "gamemaster rolls":
        return 0
    return (yield from Choice(attempt.name, f"{attempt.boost.name} for {way.label}?", Range(0, most), state, topic="boost"))


def first_test(choice: Choice[Any]) -> int | str:
    """The tactic of people who are not there: the first test, no boosts."""
    return choice.options.low if isinstance(choice.options, Range) else choice.options[0].key


def _rolled_by(play: Play[Any], rollers: Iterator[str], state: RollRequest, what: str) -> Play[Any]:
    """A test of the game's notation, with every roll given to its roller: the first roll to the first of them, and so on."""

    def named(request: Request[Any]) -> Request[Any]:
        if isinstance(request, Roll):
            by = next(rollers, request.by)
            hidden = state.manner == "gamemaster rolls"
            return replace(request, by=by, what=what, secret=hidden, unseen=hidden, blind=state.manner == "blind")
        if isinstance(request, Together):
            return Together(tuple(named(part) for part in request.requests))
        return request

    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            return ended.value
        if isinstance(request, Sub):
            answer = yield from _rolled_by(request.start(), rollers, state, what)
        else:
            answer = yield from named(request)


def _side_by_side(plays: Sequence[Play[Any]]) -> Play[list[Any]]:
    """Run several procedures at once: everybody's next question is open at the same time."""
    results: list[Any] = [None] * len(plays)
    waiting: dict[int, Request[Any]] = {}
    for index, play in enumerate(plays):
        yield from _go_on(index, play, None, waiting, results)
    while waiting:
        order = list(waiting.items())
        waiting.clear()
        members = [part for _, request in order for part in (request.requests if isinstance(request, Together) else (request,))]
        answers = iter((yield from Together(tuple(members))) if len(members) > 1 else ((yield from members[0]),))
        for index, request in order:
            given: Any = tuple(next(answers) for _ in request.requests) if isinstance(request, Together) else next(answers)
            yield from _go_on(index, plays[index], given, waiting, results)
    return results


def _go_on(index: int, play: Play[Any], answer: Any, waiting: dict[int, Request[Any]], results: list[Any]) -> Play[None]:
    """Run one procedure up to its next question or its end; its reports pass through."""
    try:
        request = play.send(answer)
        while isinstance(request, Tell):
            yield from request
            request = play.send(None)
    except StopIteration as ended:
        results[index] = ended.value
    else:
        waiting[index] = request
