"""A scene from an open question on: the very steps that will be played, up to the verdict that says what came of an answer."""

from typing import Any, NamedTuple

from rulewright.play import Choice, Option, Play, Request, Roll, Scale, Sub, Tell, Together, Verdict, sub
from rulewright.scenes.question_snapshot import Moment
from rulewright.scenes.scene import Scene

GUARD = "guard"
"""The verb of options that answer what others do."""


def play_on(moment: Moment, option: Option[Any]) -> "Play[Verdict | None]":
    """The scene from an open question on, with this answer to it, up to what comes of it; None where no roll decides anything.

    It ends at the first verdict on what whoever was asked does, or has done to them; where nobody rolls before the next thing that
    anybody is asked to do, nothing hangs on the answer. Where all declare first, a guard is followed until nothing more can be done to
    whoever is on it, and comes to the worst of it.
    """
    acts = moment.requests[moment.at].topic == "act"
    guards = acts and moment.scene.declares and option.verb == GUARD
    stack = Inline(scene_step(moment), moment.given)
    while not (stack.spent and isinstance(stack.request, Roll | Choice | Together)):
        stack.feed()
    stack.go_on((yield from _rest(moment, option.value)))
    question = Question(moment.scene, moment.who, acts, guards, moment.scene.asks_for(option))
    return (yield from _followed(question, moment.state, stack, moment.scene.followed, None))


class Question(NamedTuple):
    """What is followed: in which scene, for whom, whether it is what they do or what is done to them, all of it or the first, and of which
    scale."""

    scene: Scene[Any]
    who: str
    acts: bool
    guards: bool = False
    scale: Scale | None = None

    def ends(self, verdict: Verdict | None) -> bool:
        """Whether a verdict is the one that was asked for."""
        if verdict is None or self.guards or (self.scale is not None and verdict.scale != self.scale):
            return False
        return verdict.by == self.who or (not self.acts and verdict.to == self.who)

    def worst(self, so_far: Verdict | None, verdict: Verdict | None) -> Verdict | None:
        """What has been done to who is on guard."""
        if not self.guards or verdict is None or verdict.to != self.who:
            return so_far
        return max([candidate for candidate in (so_far, verdict) if candidate is not None], key=how_bad)

    def over(self, before: Any, after: Any) -> bool:
        """Whether nothing can come of it any more once a step has been played."""
        scene = self.scene
        if scene.result(after) is not None:
            return True
        if self.guards:
            return not scene.threatened(after, self.who)
        if scene.overlaps:
            return self.acts and not scene.under_way(after, self.who)
        return scene.round(after) != scene.round(before)


def how_bad(verdict: Verdict) -> tuple[bool, int]:
    """How bad a verdict is for whom it is on."""
    return verdict.good, verdict.scale.names.index(verdict.name)


def _followed(question: Question, state: Any, stack: "Inline", steps: int, so_far: Verdict | None) -> "Play[Verdict | None]":
    """A step under way to its end, and what comes after it."""
    while not stack.done:
        request = stack.request
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            if question.ends(verdict):
                return verdict
            so_far = question.worst(so_far, verdict)
            stack.go_on(None)
        elif isinstance(request, Sub):
            result = yield from sub(_part, request, question)
            if isinstance(result, Verdict):
                return result
            stack.go_on(result[0])
        elif isinstance(request, Choice) and request.topic == "act" and (request.who == question.who or not question.scene.overlaps):
            return so_far
        else:
            stack.go_on((yield request))
    after = stack.outcome
    if steps <= 1 or question.over(state, after):
        return so_far
    if question.scene.overlaps:  # what leads to the same state is followed once
        return (yield from sub(later, question, after, steps - 1, so_far))
    return (yield from later(question, after, steps - 1, so_far))


def later(question: Question, state: Any, steps: int, so_far: Verdict | None) -> "Play[Verdict | None]":
    """The next step, from its beginning."""
    return (yield from _followed(question, state, Inline(question.scene.step(state), ()), steps, so_far))


def scene_step(moment: Moment) -> Play[Any]:
    """The step under way, from its beginning."""
    step: Play[Any] = moment.scene.step(moment.state)
    return step


def _rest(moment: Moment, answer: Any) -> Play[Any]:
    """The answers to everything that is asked at this moment: those given, the one tried, and those still to come."""
    values = []
    for at, request in enumerate(moment.requests):
        if at == moment.at:
            values.append(answer)
        elif at in moment.values:
            values.append(moment.values[at])
        else:
            values.append((yield from request))
    return tuple(values) if moment.together else values[0]


def _part(part: Sub[Any], question: Question) -> "Play[Verdict | tuple[Any]]":
    """A part of what follows: its outcome (alone in a tuple), or the verdict that it comes to."""
    play, answer = part.start(), None
    while True:
        try:
            request: Request[Any] = play.send(answer)
        except StopIteration as done:
            return (done.value,)
        answer = None
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            if verdict is not None and question.ends(verdict):
                return verdict
        elif isinstance(request, Sub):
            result = yield from sub(_part, request, question)
            if isinstance(result, Verdict):
                return result
            answer = result[0]
        else:
            answer = yield request


class Inline:
    """A step with its parts in line, as a table plays it: what it asks next, answers taken again, its outcome."""

    def __init__(self, play: Play[Any], given: tuple[Any, ...]) -> None:
        self._stack: list[Play[Any]] = [play]
        self._given = list(given)
        self._given.reverse()
        self.done = False
        self.outcome: Any = None
        self.request: Request[Any] = Tell(None)  # type: ignore[arg-type]
        self.go_on(None)

    @property
    def spent(self) -> bool:
        """Whether every answer that was given before has been taken again."""
        return not self._given

    def feed(self) -> None:
        """Take the next thing as it was played: what was told is passed over, a part begins, a question has its answer."""
        request = self.request
        if isinstance(request, Sub):
            self._stack.append(request.start())
            self.go_on(None)
        elif isinstance(request, Tell) or (isinstance(request, Together) and not request.requests):
            self.go_on(None if isinstance(request, Tell) else ())
        else:
            self.go_on(self._given.pop())

    def go_on(self, answer: Any) -> None:
        """Answer, and go on to what is asked next."""
        while self._stack:
            try:
                self.request = self._stack[-1].send(answer)
                return
            except StopIteration as done:
                self._stack.pop()
                answer = done.value
        self.done, self.outcome = True, answer
