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
from rulewright.play import AnyOrder, Choice, Event, Option, Play, Request, Roll, Scale, Sub, Tell, Together, came_to
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
        done = yield from _in_any_order([self._attempt(state, attempt) for attempt in state.attempts])
        state = replace(state, done=tuple(done))
        verdict = joined_verdict(state.joined, state.done)
        if verdict is not None and len(state.done) > 1:
            known_to = None if state.manner == "open" else ()
            yield from Tell(Joined(describe_result(state), _TONES.get(verdict, "plain"), known_to=known_to))
        return state

    def _attempt(self, state: RollRequest, attempt: Attempt) -> Play[Attempted]:
        way, boosts = yield from self._choose(state, attempt)
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

    def _choose(self, state: RollRequest, attempt: Attempt) -> Play[tuple[Way, int]]:
        """The test and the boosts that the person uses. Everybody is asked, so that a player rolls when ready."""
        if state.manner == "gamemaster rolls":
            return attempt.ways[0], 0
        options = tuple(_option(state, attempt, way, boosts) for way in attempt.ways for boosts in range(len(way.notations)))
        return (yield from Choice(attempt.name, state.title, options, state, topic="roll"))

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

    def took(self, state: RollRequest) -> int:
        return state.seconds if state.done else 0

    def lasting(self, state: RollRequest, who: str) -> Mapping[str, Lasts]:
        spent = {result.name: result.boosts for result in state.done}
        for attempt in state.attempts:
            if attempt.name == who and attempt.boost is not None:
                left = attempt.boost.left - spent.get(who, 0)
                return {attempt.boost.field: Lasts(left, f"{attempt.boost.name}: {left} left")}
        return {}

    def checked(self, state: RollRequest) -> RollRequest:
        return state.checked()


def _option(state: RollRequest, attempt: Attempt, way: Way, boosts: int) -> Option[tuple[Way, int]]:
    """A choice as the roller sees it: a hidden target is left out."""
    test = f"{way.label} against {way.target}" if way.target and state.manner == "open" else way.label
    spent = attempt.boost.count(boosts) if boosts and attempt.boost is not None else ""
    label = f"Roll {test} with {spent}" if spent else f"Roll {test}"
    key = f"{way.key}+{boosts}" if boosts else way.key
    return Option(key, label, (way, boosts), verb="roll", manner=(test, spent) if spent else (test,))


def _rolled_by(play: Play[Any], rollers: Iterator[str], state: RollRequest, what: str) -> Play[Any]:
    """A test of the game's notation, with every roll given to its roller: the first roll to the first of them, and so on."""
    hidden = state.manner == "gamemaster rolls"
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            return ended.value
        answers = []
        for part in request.requests if isinstance(request, Together) else (request,):
            if isinstance(part, Sub):
                answers.append((yield from _rolled_by(part.start(), rollers, state, what)))
            elif isinstance(part, Roll):
                by = next(rollers, part.by)
                roll = replace(part, by=by, what=what, secret=hidden, unseen=hidden, blind=state.manner == "blind")
                answers.append((yield from roll))
            else:
                answers.append((yield from part))
        answer = tuple(answers) if isinstance(request, Together) else answers[0]


def _in_any_order(plays: Sequence[Play[Any]]) -> Play[list[Any]]:
    """Run several procedures that do not depend on each other: everybody answers when ready."""
    results: list[Any] = [None] * len(plays)
    waiting: list[Request[Any] | None] = [None] * len(plays)
    for index, play in enumerate(plays):
        waiting[index] = yield from _next_question(index, play, None, results)
    index = 0
    while any(request is not None for request in waiting):
        index, answer = yield from AnyOrder(tuple(waiting), index)
        waiting[index] = yield from _next_question(index, plays[index], answer, results)
    return results


def _next_question(index: int, play: Play[Any], answer: Any, results: list[Any]) -> Play[Request[Any] | None]:
    """Run one procedure up to its next question; None at its end. Its reports pass through."""
    try:
        request = play.send(answer)
        while isinstance(request, Tell):
            yield from request
            request = play.send(None)
    except StopIteration as ended:
        results[index] = ended.value
        return None
    return request
