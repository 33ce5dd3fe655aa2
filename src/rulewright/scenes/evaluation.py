"""Evaluates an option: plays the scene on from an open question until the verdict that decides it.

`play_on` evaluates the whole step. `watched` and `overheard` evaluate one sub-procedure, for scenes with a faster way of their own.
"""

from typing import Any, NamedTuple, TypeAlias

from rulewright.play import AnyOrder, Choice, Given, Option, Play, Request, Roll, Scale, Sub, Tell, Together, Verdict, sub
from rulewright.scenes.question_snapshot import Moment
from rulewright.scenes.scene import Followed, Scene

GUARD = "guard"
"""The verb of options that defend."""


Path: TypeAlias = tuple[Given, ...]
"""A person's answers to their own further questions, in order."""
MOST_STEPS = 4
"""How many steps are searched for a further question."""


def play_on(moment: Moment, option: Option[Any], path: Path = ()) -> "Play[Verdict | None]":
    """Plays the scene on from an open question with this answer, and returns the verdict; None if no roll decides anything.

    It ends at the first verdict on an action of the person who was asked, or on an action against them. It returns None if nobody rolls
    before anybody is asked for the next action. If all declare first, a defence is followed until nothing more can happen to the defender,
    and the worst verdict counts. `path` holds the person's answers to the further questions that follow at once.
    """
    acts = moment.requests[moment.at].topic == "act"
    guards = acts and moment.scene.declares and option.verb == GUARD
    state, stack = yield from beginning(moment, option, path)
    question = Question(moment.scene, moment.who, acts, guards, moment.scene.asks_for(option))
    return (yield from _evaluate(question, state, stack, moment.scene.followed, None))


def beginning(moment: Moment, option: Option[Any], path: Path) -> "Play[tuple[Any, Inline]]":
    """Plays up to the last of the person's own answers: the state before the step, and the running step."""
    state, stack = moment.state, Inline(scene_step(moment), moment.given)
    while not (stack.spent and isinstance(stack.request, Roll | Choice | Together | AnyOrder)):
        stack.feed()
    stack.go_on((yield from _all_answers(moment, option.value)))
    for answer in path:
        state, stack, question = own_question(moment.scene, moment.who, state, stack)
        assert question is not None
        stack.go_on(question.take(answer))
    return state, stack


def own_question(scene: Scene[Any], who: str, state: Any, stack: "Inline") -> "tuple[Any, Inline, Choice[Any] | None]":
    """The next question to this person about the same action; None if a roll, a verdict or somebody else's question comes first."""
    for _ in range(MOST_STEPS):
        while not stack.done:
            request = stack.request
            if isinstance(request, Choice):
                return state, stack, request if request.who == who and request.topic != "act" else None
            if not isinstance(request, Tell | Sub) or (isinstance(request, Tell) and request.event.verdict() is not None):
                return state, stack, None
            stack.feed()
        if scene.result(stack.outcome) is not None or scene.round(stack.outcome) != scene.round(state):
            break
        state, stack = stack.outcome, Inline(scene.step(stack.outcome), ())
    return state, stack, None


class Question(NamedTuple):
    """What is evaluated: the scene, the person, whether they act or are acted on, whether all verdicts count, and their scale."""

    scene: Scene[Any]
    who: str
    acts: bool
    guards: bool = False
    scale: Scale | None = None

    def ends(self, verdict: Verdict | None) -> bool:
        """Whether a verdict decides the question."""
        if verdict is None or self.guards or (self.scale is not None and verdict.scale != self.scale):
            return False
        return verdict.by == self.who or (not self.acts and verdict.to == self.who)

    def worst(self, so_far: Verdict | None, verdict: Verdict | None) -> Verdict | None:
        """The worse of the verdicts on a defender so far."""
        if not self.guards or verdict is None or verdict.to != self.who:
            return so_far
        return max([candidate for candidate in (so_far, verdict) if candidate is not None], key=how_bad)

    def over(self, before: Any, after: Any) -> bool:
        """Whether no further verdict is possible after a step."""
        scene = self.scene
        if scene.result(after) is not None:
            return True
        if self.guards:
            return not scene.threatened(after, self.who)
        if scene.overlaps:
            return self.acts and not scene.under_way(after, self.who)
        return scene.round(after) != scene.round(before)


def how_bad(verdict: Verdict) -> tuple[bool, int]:
    """Sort key: how bad a verdict is for its target."""
    return verdict.good, verdict.scale.names.index(verdict.name)


def _evaluate(question: Question, state: Any, stack: "Inline", steps: int, so_far: Verdict | None) -> "Play[Verdict | None]":
    """Plays the current step to its end, and then the following ones."""
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
    if question.scene.overlaps:  # steps that lead to the same state are evaluated once
        return (yield from sub(later, question, after, steps - 1, so_far))
    return (yield from later(question, after, steps - 1, so_far))


def later(question: Question, state: Any, steps: int, so_far: Verdict | None) -> "Play[Verdict | None]":
    """Evaluates the following steps, from the beginning of one."""
    return (yield from _evaluate(question, state, Inline(question.scene.step(state), ()), steps, so_far))


def scene_step(moment: Moment) -> Play[Any]:
    """The current step, from its beginning."""
    step: Play[Any] = moment.scene.step(moment.state)
    return step


def _all_answers(moment: Moment, answer: Any) -> Play[Any]:
    """The answers to all questions of this moment: those given, the one to evaluate, and those still to come."""
    if moment.any_order:
        return moment.at, answer
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
    """Evaluates a sub-procedure of a step: its result (in a tuple), or the deciding verdict."""
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


def watched(play: Play[Any], question: Followed, so_far: Verdict | None) -> "Play[Verdict | tuple[Any, Verdict | None]]":
    """Evaluates a sub-procedure until the deciding verdict; otherwise returns its result and the worst verdict so far."""
    answer = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as done:
            return done.value, so_far
        answer = None
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            if question.ends(verdict):
                assert verdict is not None
                return verdict
            so_far = question.worst(so_far, verdict)
        else:
            answer = yield request


def overheard(play: Play[Any]) -> Play[tuple[Any, tuple[Verdict, ...]]]:
    """Plays a sub-procedure to its end without reporting events; returns its result and its verdicts."""
    answer, verdicts = None, list[Verdict]()
    while True:
        try:
            request = play.send(answer)
        except StopIteration as done:
            return done.value, tuple(verdicts)
        answer = None
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            verdicts += [] if verdict is None else [verdict]
        else:
            answer = yield request


class Inline:
    """Runs a step with its sub-procedures inline, as a table plays it: the next request, replayed answers, the result."""

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
        """Whether all earlier answers have been replayed."""
        return not self._given

    def feed(self) -> None:
        """Replays one request: skips a message, enters a sub-procedure, or answers a question as before."""
        request = self.request
        if isinstance(request, Sub):
            self._stack.append(request.start())
            self.go_on(None)
        elif isinstance(request, Tell) or (isinstance(request, Together) and not request.requests):
            self.go_on(None if isinstance(request, Tell) else ())
        else:
            self.go_on(self._given.pop())

    def go_on(self, answer: Any) -> None:
        """Answers the request, and proceeds to the next one."""
        while self._stack:
            try:
                self.request = self._stack[-1].send(answer)
                return
            except StopIteration as done:
                self._stack.pop()
                answer = done.value
        self.done, self.outcome = True, answer
