"""Snapshots of questions for evaluation elsewhere: one that is open, and those answered so far."""

from collections.abc import Container, Iterator
from typing import Any

from msgspec import Struct

from rulewright.play import AnyOrder, Choice, Given, Paused, Roll, Together
from rulewright.scenes.record import Answered
from rulewright.scenes.scene import Scene


class Moment(Struct, frozen=True, eq=False):
    """An open question with everything needed to play on from it: the state before the step, and the answers since."""

    scene: Scene[Any]
    state: Any
    given: tuple[Any, ...]
    """The values of all answers of this step, in order."""
    requests: tuple[Any, ...]
    """The open requests, several at once if `together`."""
    together: bool
    values: dict[int, Any]
    """The answers given to those already, by place."""
    at: int
    """The place of the question itself."""
    any_order: bool = False
    """Whether play continues with the first answer."""

    @property
    def who(self) -> str:
        """The person who is asked."""
        return asked_of(self.requests[self.at])


class Past(Struct, frozen=True, eq=False):
    """The last steps of a scene, earliest first: the state before each, and its answers by their number in the record."""

    scene: Scene[Any]
    steps: tuple[tuple[Any, tuple[tuple[int, Answered], ...]], ...]

    def decisions(self, known: Container[int] = ()) -> Iterator[tuple[int, Moment, Given]]:
        """Every decision with its question, by the number of its answer; last step first, without those already `known`.

        Answers given together are revealed when all are given.
        """
        for state, answers in reversed(self.steps):
            if any(number not in known and not isinstance(entry.given, tuple) for number, entry in answers):
                yield from [candidate for candidate in _decisions_of(self.scene, state, answers) if candidate[0] not in known]


def _decisions_of(scene: Scene[Any], state: Any, answers: tuple[tuple[int, Answered], ...]) -> Iterator[tuple[int, Moment, Given]]:
    paused = Paused(scene.step(state), lambda event: None)
    given: list[Any] = []
    values: dict[int, Any] = {}
    decided: list[tuple[int, Moment, Given]] = []
    for number, entry in answers:
        pending: Any = paused.pending
        any_order = isinstance(pending, AnyOrder)
        together = isinstance(pending, Together)
        requests = pending.requests if together or any_order else (pending,)
        request = requests[entry.at]
        if isinstance(request, Roll):
            assert isinstance(entry.given, tuple)
            value = request.reading.read(entry.given)
        else:
            moment = Moment(scene, state, tuple(given), requests, together, dict(values), entry.at, any_order)
            decided.append((number, moment, entry.given))
            value = request.take(entry.given)
        values[entry.at] = value
        if any_order or len(values) == len(requests):
            given.append((entry.at, value) if any_order else tuple([values[at] for at in range(len(requests))]) if together else value)
            values = {}
            yield from decided
            decided = []
            paused.answer(given[-1])


def asked_of(request: Roll[Any] | Choice[Any]) -> str:
    """The person who answers a request."""
    return request.hand if isinstance(request, Roll) else request.who
