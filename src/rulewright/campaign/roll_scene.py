"""The scene of a roll request: everybody who is asked chooses a test and rolls, in any order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, SceneView, Tag
from rulewright.campaign.requests.attempts import Described, Resolver, attempted, choose
from rulewright.campaign.requests.rules import PLAIN, RequestRules
from rulewright.campaign.roll_request import MANNER_WORDS, Attempt, Attempted, RollRequest, describe_result
from rulewright.play import AnyOrder, Choice, Event, Play, Request, Scale, Sub, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.scenes.scene import Result, Scene

ROLL_REQUEST = "roll request"
"""The kind of this scene, in records and logs."""
_SCALE = Scale(("failure", "draw", "success"), ("success",))
_TONES = {"success": "good", "failure": "bad"}


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

    def __init__(
        self, rules: Ruleset, parse: Callable[[Ruleset, str], Sub[Any]], show: Callable[[Any], Described], requests: RequestRules = PLAIN
    ) -> None:
        super().__init__(rules)
        self._parse = parse
        self._show = show
        self.requests = requests

    def resolver(self, state: RollRequest) -> Resolver:
        """Returns what the attempts of one step are played with."""
        return Resolver(self.rules, self._parse, self._show, self.requests, state)

    def step(self, state: RollRequest) -> Play[RollRequest]:
        state = _after_boosts(state)
        resolver = self.resolver(state)
        done = yield from _in_any_order([self._attempt(resolver, attempt) for attempt in state.attempts])
        took = max(state.seconds if result.seconds is None else result.seconds for result in done)
        gathered = state.progress + sum(result.gain for result in done) if state.goal else 0
        state = replace(state, done=tuple(done), tried=state.tried + 1, progress=gathered, spent=state.spent + took)
        verdict = state.verdict
        if state.goal or (verdict is not None and len(state.done) > 1):
            known_to = None if state.manner == "open" else ()
            yield from Tell(Joined(describe_result(state), _TONES.get(verdict or "", "plain"), known_to=known_to))
        return state

    def _attempt(self, resolver: Resolver, attempt: Attempt) -> Play[Attempted]:
        state = resolver.state
        chosen = yield from choose(state, attempt)
        result = yield from attempted(resolver, attempt, chosen)
        known_to = None if state.manner == "open" else ()
        name = " and ".join(attempt.together) if attempt.together else attempt.name
        mood = _TONES.get(result.verdict or "", "plain")
        label = chosen.way.label if chosen.take is None else f"{chosen.way.label}, {chosen.take.name},"
        yield from Tell(Attempting(name, label, chosen.way.target, result.result, mood, known_to=known_to))
        if result.verdict is not None:
            yield from came_to(result.verdict, _SCALE, attempt.name, attempt.against)
        return result

    def weighs(self, state: RollRequest, choice: Choice[Any]) -> bool:
        """A hidden target must not show in a chance."""
        return state.manner == "open"

    def result(self, state: RollRequest) -> Result | None:
        if not state.done or (state.goal and state.verdict is None):
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
        opponents = [name for attempt in state.attempts for name in (attempt.against, *attempt.others) if name]
        against = tuple(dict.fromkeys(opponents))
        return {"asked": asked, "against": against} if against else {"asked": asked}

    def out(self, state: RollRequest) -> frozenset[str]:
        return frozenset()

    def round(self, state: RollRequest) -> int:
        return 0

    def took(self, state: RollRequest) -> int:
        return state.spent or (state.seconds if state.done else 0)

    def lasting(self, state: RollRequest, who: str) -> Mapping[str, Lasts]:
        spent = {result.name: result.boosts for result in state.done}
        lasting: dict[str, Lasts] = {}
        for result in state.done:
            if result.name == who:
                lasting |= {field: Lasts(msgspec.json.decode(value), words) for field, value, words in result.condition}
        for attempt in state.attempts:
            if attempt.name == who and attempt.boost is not None:
                left = attempt.boost.left - spent.get(who, 0)
                lasting[attempt.boost.field] = Lasts(left, f"{attempt.boost.name}: {left} left")
        return lasting

    def checked(self, state: RollRequest) -> RollRequest:
        return state.checked()


def _after_boosts(state: RollRequest) -> RollRequest:
    """The state before the next test of an extended task: what was spent on the last one is gone."""
    spent = {result.name: result.boosts for result in state.done if result.boosts}
    if not spent:
        return state
    attempts = []
    for attempt in state.attempts:
        if attempt.boost is not None and attempt.name in spent:
            left = attempt.boost.left - spent[attempt.name]
            ways = [replace(way, notations=way.notations[: left + 1]) for way in attempt.ways]
            attempt = replace(attempt, boost=replace(attempt.boost, left=left), ways=tuple(ways))
        attempts.append(attempt)
    return replace(state, attempts=tuple(attempts), done=())


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
