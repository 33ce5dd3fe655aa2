"""Determinization: samples worlds that are consistent with what a side knows.

The current step is replayed from an imagined state. Rolls and decisions that the side saw stay the same; secret ones of others are made
again. A world in which the open question would differ is rejected, and another one is drawn.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, cast

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.sampling.batches import seed_of
from rulewright.play import Choice, Driver, Given, Play, Request, Roll, Sub, Tell, Together
from rulewright.scenes.evaluation import Inline
from rulewright.scenes.hidden_state import Draw
from rulewright.scenes.question_snapshot import Moment

TRIES = 25
"""How many worlds are drawn until one is consistent."""
WORLDS = 8
"""The number of worlds for a question, used in turn."""


class World(Struct, frozen=True):
    """A possible state at the start of the step, and the answers since then."""

    state: Any
    given: tuple[Any, ...]


class Worlds:
    """The possible worlds of one question for a side; only the true one if nothing is hidden."""

    def __init__(self, moment: Moment, side: str | None, redo: Driver, draws: Callable[[int], Draw]) -> None:
        self.moment = moment
        self.names = frozenset(moment.scene.sides(moment.state).get(side, ())) if side is not None else None
        self._redo = redo
        self._draws = draws
        self._imagine = moment.scene.imagining(moment.state, side) if side is not None else None
        self._past = tuple(_retraced(moment))
        self._found: dict[int, World] = {}
        secret = any(self._hidden(request) for asked, _ in self._past for request in _members(asked))
        self._past = tuple([(asked, value) for asked, value in self._past if not self._unnoticed(asked)])
        self.noticed = len(self._past)
        """The number of rolls and questions in this step that the side knows of."""
        self._true = World(moment.state, moment.given) if self._imagine is None and not secret else None

    def index(self, number: int) -> int:
        """Which world a playout takes place in."""
        return 0 if self._true is not None else number % WORLDS

    def world(self, number: int) -> World:
        """The world of a playout."""
        if self._true is not None:
            return self._true
        number = self.index(number)
        result = self._found.get(number)
        if result is None:
            result = self._found[number] = self._drawn(self._draws(number))
        return result

    def asked(self, world: World) -> Choice[Any]:
        """The open question in a world."""
        return cast("Choice[Any]", _members(_fed(self.moment.scene.step(world.state), world.given).request)[self.moment.at])

    def rest(self, world: World, key: Given) -> Play[Any]:
        """Play the rest of the step after this answer; returns the next state."""
        stack = _fed(self.moment.scene.step(world.state), world.given)
        stack.go_on((yield from self._now(stack.request, key)))
        while not stack.done:
            stack.go_on((yield stack.request))
        return stack.outcome

    def _now(self, asked: Request[Any], key: Given) -> Play[Any]:
        """Answer all simultaneous questions: with the tried answer, with known answers of others, else by asking them."""
        moment, values = self.moment, []
        for at, request in enumerate(_members(asked)):
            if at == moment.at and isinstance(request, Choice):
                values.append(request.take(key))
            elif at in moment.values and self._known(request):
                values.append(moment.values[at])
            else:
                values.append((yield from request))
        return tuple(values) if moment.together else values[0]

    def _known(self, request: Request[Any]) -> bool:
        """Whether the side knows the answer to a simultaneous question: its own, and visible dice."""
        if self.names is None:
            return True
        if isinstance(request, Choice):
            return request.who in self.names
        return not self._hidden(request)

    def _hidden(self, request: Request[Any]) -> bool:
        """Whether the answer is hidden from the side."""
        if self.names is None:
            return False
        if isinstance(request, Roll):
            return (request.secret or request.unseen) and request.hand not in self.names
        return isinstance(request, Choice) and request.secret and request.who not in self.names

    def _drawn(self, draw: Draw) -> World:
        for _ in range(TRIES):
            state = self._imagine(draw) if self._imagine is not None else self.moment.state
            given = self._gone_through(state)
            if given is not None:
                return World(state, given)
        raise UserError("this situation depends on something that this side cannot know")

    def _gone_through(self, state: Any) -> tuple[Any, ...] | None:
        """Replay the step in another state; returns its answers, or None if it is inconsistent."""
        try:
            stack = _fed(self.moment.scene.step(state), ())
            given: list[Any] = []
            for asked, value in self._past:
                self._pass_unnoticed(stack, given)
                now = stack.request
                if stack.done or len(_members(now)) != len(_members(asked)):
                    return None
                parts = list(zip(_members(asked), _members(now), value if isinstance(asked, Together) else (value,), strict=True))
                if not all(self._alike(then, other) for then, other, _ in parts):
                    return None
                values = [self._again(then, other, was) for then, other, was in parts]
                given.append(tuple(values) if isinstance(asked, Together) else values[0])
                stack.go_on(given[-1])
                _to_question(stack)
            self._pass_unnoticed(stack, given)
            question, open_now = self.moment.requests[self.moment.at], _members(stack.request)
            if stack.done or len(open_now) != len(self.moment.requests) or not self._alike(question, open_now[self.moment.at]):
                return None
        except (UserError, ArithmeticError, LookupError, TypeError, ValueError):
            return None  # impossible by the rules
        return tuple(given)

    def _unnoticed(self, asked: Request[Any]) -> bool:
        """Whether the side cannot know that this was asked at all."""
        members = _members(asked)
        return bool(members) and all(self._hidden(request) for request in members)

    def _pass_unnoticed(self, stack: Inline, given: list[Any]) -> None:
        """Answer secret questions of others until the next one that the side knows of."""
        while not stack.done and self._unnoticed(stack.request):
            asked = stack.request
            values = [request.ask(self._redo) for request in _members(asked)]
            given.append(tuple(values) if isinstance(asked, Together) else values[0])
            stack.go_on(given[-1])
            _to_question(stack)

    def _alike(self, then: Request[Any], now: Request[Any]) -> bool:
        """Whether a side cannot distinguish two questions."""
        if isinstance(then, Roll):
            return isinstance(now, Roll) and now.by == then.by and (now.reading == then.reading or self._hidden(then))
        if not isinstance(then, Choice) or not isinstance(now, Choice) or (now.who, now.topic) != (then.who, then.topic):
            return False
        return self.names is None or then.who not in self.names or now.keys() == then.keys()

    def _again(self, then: Request[Any], now: Request[Any], value: Any) -> Any:
        """The value of an answer in another world."""
        if self._hidden(then):
            return now.ask(self._redo)
        if isinstance(then, Choice) and isinstance(then.options, tuple):
            key = next((option.key for option in then.options if option.value is value or option.value == value), None)
            return now.take(key) if isinstance(now, Choice) and key is not None else value
        return value


def _retraced(moment: Moment) -> Iterator[tuple[Request[Any], Any]]:
    """All questions of the step so far, with their answers."""
    stack = _fed(moment.scene.step(moment.state), ())
    for value in moment.given:
        yield stack.request, value
        stack.go_on(value)
        _to_question(stack)


def _fed(play: Play[Any], given: tuple[Any, ...]) -> Inline:
    """Run a step up to the question after these answers."""
    stack = Inline(play, given)
    _to_question(stack)
    while not stack.spent:
        stack.feed()
        _to_question(stack)
    return stack


def _to_question(stack: Inline) -> None:
    """Pass over what is told, and begin parts, up to the next question."""
    while not stack.done:
        request = stack.request
        if not isinstance(request, Tell | Sub) and not (isinstance(request, Together) and not request.requests):
            return
        stack.feed()


def _members(request: Request[Any]) -> tuple[Request[Any], ...]:
    return request.requests if isinstance(request, Together) else (request,)


def numbers(seed: int, *of: object) -> random.Random:
    """A stream of numbers of its own for something."""
    return random.Random(seed_of(seed, "/".join(map(str, of))))
