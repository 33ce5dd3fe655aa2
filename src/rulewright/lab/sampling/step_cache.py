"""Steps that were played before: as long as the dice fall as they did then, what comes of them is known.

A step is remembered as a tree: what is rolled first, for every result what is rolled next, and at its end the state. Dice are rolled
and parts are drawn just as if the step were played, by the same driver and in the same order; only the rules between them are not run
again. So a fight comes out the same, whatever is remembered and whatever was forgotten.
"""

from typing import Any

from rulewright.lab.sampling.subgames import Drawing
from rulewright.play import Choice, Request, Tell
from rulewright.scenes.scene import Scene

MOST_NODES = 60_000
"""Rolls and ends that are remembered: those that came first, which are those that come most often."""

TRIAL, WORTH = 4_000, 0.1
"""After so many steps it is asked how many were known: where fewer than this share of them were, remembering them is not worth it."""


class Fork:
    """Where a step rolls or plays a part, and what follows from each result so far."""

    __slots__ = ("request", "then")

    def __init__(self, request: Request[Any]) -> None:
        self.request = request
        self.then: dict[Any, Fork | End] = {}


class End:
    """Where a step ended."""

    __slots__ = ("state",)

    def __init__(self, state: Any) -> None:
        self.state = state


class Trodden:
    """Plays the steps of a scene, each path of each of them once."""

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
        return node.state  # type: ignore[union-attr]  # what is no fork is an end

    def _play(self, state: Any, answers: list[tuple[Fork, Any]]) -> Any:
        """Play a step that has begun with these answers, and remember how it went on."""
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
        """A node behind the answer of another, or at the beginning of a step, as long as there is room."""
        if self._nodes >= MOST_NODES:
            return
        if last is None:
            self._begun[state] = node
        else:
            last.then[reply] = node
        self._nodes += 1

    def _think_again(self) -> None:
        """Stop remembering where steps do not come again."""
        self.given_up = self._known < self._steps * WORTH
        self._steps = self._known = 0
        if self.given_up:
            self._begun.clear()
