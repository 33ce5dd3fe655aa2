"""Remembers the steps of playouts within one decision: a tree of rolls, and of the tactics that answered, with the state behind each path.

Dice are rolled as without it, by the same driver and in the same order; only the rules and the tactics between them are not run again. A
playout therefore has the same result with any content of the memory.
"""

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from rulewright.play import Choice, Play, Request, Roll, Sub, Tell, Together

MOST_NODES = 20_000
"""The most remembered rolls, answers and ends; the first ones are kept, which come up most."""
TRIAL, WORTH = 300, 0.1
"""After this many steps the memory is given up if fewer than this share of them were known."""


class Answering(Protocol):
    """The driver of playouts."""

    def roll(self, roll: Roll[Any]) -> Any: ...

    def choose(self, choice: Choice[Any]) -> Any: ...

    def together(self, together: Together[Any]) -> tuple[Any, ...]: ...

    def answers(self, who: str) -> Hashable:
        """Which tactic answers for a person in this playout; None if it is the same one in all playouts."""


class _Fork:
    """A roll, or a question whose answer depends on the playout, with the node behind each result so far."""

    __slots__ = ("request", "then")

    def __init__(self, request: Request[Any]) -> None:
        self.request = request
        self.then: dict[Any, _Fork | _End] = {}


class _End:
    """The end of a step."""

    __slots__ = ("state",)

    def __init__(self, state: Any) -> None:
        self.state = state


class StepMemory:
    """Plays steps; each path of a step is played only once."""

    def __init__(self, driver: Answering) -> None:
        self.driver = driver
        self._begun: dict[Hashable, _Fork | _End] = {}
        self._nodes = 0
        self._steps = 0
        self._known = 0
        self.given_up = False

    def play(self, start: Hashable, step: Callable[[], Play[Any]]) -> Any:
        """The result of a step that follows from `start` alone, apart from rolls and tactics."""
        if self.given_up:
            return self._walk(start, step(), [], remember=False)
        node, answers = self._begun.get(start), []
        while type(node) is _Fork:
            key, answer = self._asked(node.request)
            answers.append((node, key, answer))
            node = node.then.get(key)
        self._steps += 1
        if node is not None:
            self._known += 1
            return node.state  # type: ignore[union-attr]  # a node that is not a fork is an end
        result = self._walk(start, step(), answers, remember=True)
        if self._steps >= TRIAL:
            self.given_up = self._known < self._steps * WORTH
            self._steps = self._known = 0
            if self.given_up:
                self._begun.clear()
        return result

    def _asked(self, request: Request[Any]) -> tuple[Hashable, Any]:
        """The key behind a fork, and the answer; the answer of a tactic is worked out only where it is needed."""
        if isinstance(request, Choice):
            return self.driver.answers(request.who), None
        answer = request.ask(self.driver)  # type: ignore[arg-type]  # the driver answers rolls and questions, which is all that forks
        return answer, answer

    def _walk(self, start: Hashable, play: Play[Any], known: list[tuple[_Fork, Hashable, Any]], *, remember: bool) -> Any:
        """Play a step with its sub-procedures: with the answers of the known forks first, then with new ones."""
        driver, stack, given = self.driver, [play], iter(known)
        last: _Fork | None = None
        key: Hashable = None
        answer: Any = None
        while True:
            try:
                request: Any = stack[-1].send(answer)
            except StopIteration as done:
                stack.pop()
                answer = done.value
                if stack:
                    continue
                if remember:
                    self._follows(start, last, key, _End(answer))
                return answer
            if isinstance(request, Tell):
                answer = None
            elif isinstance(request, Sub):
                stack.append(request.start())
                answer = None
            elif isinstance(request, Choice) and driver.answers(request.who) is None:
                answer = driver.choose(request)
            elif not remember:
                answer = request.ask(driver)
            else:
                before = next(given, None)
                if before is None:
                    fork = _Fork(request)
                    self._follows(start, last, key, fork)
                    before = (fork, *self._asked(request))
                last, key, answer = before
                if isinstance(request, Choice):
                    answer = driver.choose(request)

    def _follows(self, start: Hashable, last: _Fork | None, key: Hashable, node: "_Fork | _End") -> None:
        """Add a node behind an answer, or at the start of a step, if there is room."""
        if self._nodes >= MOST_NODES:
            return
        if last is None:
            self._begun[start] = node
        else:
            last.then[key] = node
        self._nodes += 1
