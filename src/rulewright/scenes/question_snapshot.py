"""Questions of a scene with all that it takes to look at them elsewhere: one that is open, and those that were answered so far."""

from collections.abc import Container, Iterator
from typing import Any

from msgspec import Struct

from rulewright.play import Choice, Given, Paused, Roll, Together
from rulewright.scenes.record import Answered
from rulewright.scenes.scene import Scene


class Moment(Struct, frozen=True, eq=False):
    """A question that is open, with all that it takes to play on from it elsewhere: the step's beginning, and what was answered since."""

    scene: Scene[Any]
    state: Any
    given: tuple[Any, ...]
    """The values of all answers of this step, in order."""
    requests: tuple[Any, ...]
    """What is asked now, of several people at once where `together`."""
    together: bool
    values: dict[int, Any]
    """What was answered of that already, by its place."""
    at: int
    """The place of the question itself."""

    @property
    def who(self) -> str:
        """Who is asked."""
        return asked_of(self.requests[self.at])


class Past(Struct, frozen=True, eq=False):
    """The last steps of a scene, the first of them first: the state at the beginning of each, and its answers by their number in the
    record."""

    scene: Scene[Any]
    steps: tuple[tuple[Any, tuple[tuple[int, Answered], ...]], ...]

    def decisions(self, known: Container[int] = ()) -> Iterator[tuple[int, Moment, Given]]:
        """Every decision with the question as it was open, by the number of its answer; the last step first, without those known already.

        Where several were asked at once, what some have answered is told when all have.
        """
        for state, answers in reversed(self.steps):
            if any(number not in known and not isinstance(entry.given, tuple) for number, entry in answers):
                yield from [candidate for candidate in _gone_through(self.scene, state, answers) if candidate[0] not in known]


def _gone_through(scene: Scene[Any], state: Any, answers: tuple[tuple[int, Answered], ...]) -> Iterator[tuple[int, Moment, Given]]:
    paused = Paused(scene.step(state), lambda event: None)
    given: list[Any] = []
    values: dict[int, Any] = {}
    decided: list[tuple[int, Moment, Given]] = []
    for number, entry in answers:
        pending: Any = paused.pending
        together = isinstance(pending, Together)
        requests = pending.requests if together else (pending,)
        request = requests[entry.at]
        if isinstance(request, Roll):
            assert isinstance(entry.given, tuple)
            value = request.reading.read(entry.given)
        else:
            decided.append((number, Moment(scene, state, tuple(given), requests, together, dict(values), entry.at), entry.given))
            value = request.take(entry.given)
        values[entry.at] = value
        if len(values) == len(requests):
            given.append(tuple([values[at] for at in range(len(requests))]) if together else value)
            values = {}
            yield from decided
            decided = []
            paused.answer(given[-1])


def asked_of(request: Roll[Any] | Choice[Any]) -> str:
    """Who answers what is asked."""
    return request.hand if isinstance(request, Roll) else request.who
