"""Memoised steps: a decision tree of rolls seen so far, with the resulting state at each leaf.

Dice are rolled and sub-procedures are drawn exactly as without the cache, by the same driver and in the same order; only the rules between
them are not run again. A fight therefore has the same result with any content of the cache.
"""

from typing import Any

from rulewright.lab.sampling.subgames import Drawing
from rulewright.play import Choice, Request, Tell
from rulewright.scenes.scene import Scene

MOST_NODES = 60_000
"""The limit of cached rolls and ends; the first ones are kept, which are the most frequent."""

TRIAL, WORTH = 4_000, 0.1
"""After this many steps, the cache is turned off if its hit rate is below this share."""


class Fork:
    """A roll or sub-procedure of a step, with the node behind each result so far."""

    __slots__ = ("request", "then")

    def __init__(self, request: Request[Any]) -> None:
        self.request = request
        self.then: dict[Any, Fork | End] = {}


class End:
    """The end of a step."""

    __slots__ = ("state",)

    def __init__(self, state: Any) -> None:
        self.state = state


class Trodden:
    """Plays the steps of a scene; each path of a step only once."""

    def __init__(self, scene: Scene[Any], driver: Drawing) -> None:
        self.scene = scene
        self.driver = driver
        self._begun: dict[Any, Fork | End] = {}
        self._nodes = 0
        self._steps = 0
        self._known = 0
        self.given_up = False

    def __call__(self, state: Any) -> Any:
        """The state after the next step."""
        if self.given_up:
            return self.driver.run(self.scene.step(state))
        node, answers = self._begun.get(state), []
        while type(node) is Fork:
            answer = node.request.ask(self.driver)
            answers.append((node, answer))
            node = node.then.get(answer)
        self._steps += 1
        if node is None:
            return self._play(state, answers)
        self._known += 1
        return node.state  # type: ignore[union-attr]  # a node that is not a fork is an end

    def _play(self, state: Any, answers: list[tuple[Fork, Any]]) -> Any:
        """Play a step from these answers on, and cache its path."""
        if self._steps >= TRIAL:
            self._think_again()
        driver, play = self.driver, self.scene.step(state)
        given = iter(answers)
        last, reply = None, None
        answer: Any = None
        while True:
            try:
                request = play.send(answer)
            except StopIteration as done:
                self._follows(state, last, reply, End(done.value))
                return done.value
            if isinstance(request, Tell | Choice):
                answer = request.ask(driver)
                continue
            before = next(given, None)
            if before is None:
                fork = Fork(request)
                self._follows(state, last, reply, fork)
                before = (fork, request.ask(driver))
            last, reply = before
            answer = reply

    def _follows(self, state: Any, last: Fork | None, reply: Any, node: Fork | End) -> None:
        """Add a node behind an answer, or at the start of a step, if the cache is not full."""
        if self._nodes >= MOST_NODES:
            return
        if last is None:
            self._begun[state] = node
        else:
            last.then[reply] = node
        self._nodes += 1

    def _think_again(self) -> None:
        """Turn the cache off if steps do not repeat."""
        self.given_up = self._known < self._steps * WORTH
        self._steps = self._known = 0
        if self.given_up:
            self._begun.clear()
