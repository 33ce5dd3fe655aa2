"""The further questions of the same person that follow an option before anything is rolled: how, with what, at whom.

A chance beside such an option is a range over the person's own further answers. Other people's answers come from tactics.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from rulewright.play import Choice, Given, Option, Range
from rulewright.scenes.evaluation import Path, beginning, own_question
from rulewright.scenes.question_snapshot import Moment

MOST_PATHS = 40
"""The largest number of combinations of further answers that are evaluated."""
MOST_NUMBERS = 4
"""Of a longer range of numbers, only its ends and the tactic's answer are evaluated."""

Decide: TypeAlias = Callable[[Choice[Any]], Given]


class Paths:
    """The further answers that are possible after an option: all paths, and the one that the tactic takes."""

    def __init__(self, moment: Moment, option: Option[Any], decide: Decide) -> None:
        self.all: list[Path] = []
        self.usual: Path = ()
        self.too_many = False
        pending: list[Path] = [()]
        while pending:
            path = pending.pop()
            question = _next_question(moment, option, path, decide)
            if question is None:
                self.all.append(path)
                continue
            usual = decide(question)
            if path == self.usual:
                self.usual = (*path, usual)
            pending += [(*path, answer) for answer in further_answers(question, usual)]
            if len(self.all) + len(pending) > MOST_PATHS:
                self.too_many = True
                self.usual = _continued(moment, option, (), decide)
                self.all = _next_answers(moment, option, decide)
                break
        if self.usual not in self.all:  # a position besides the options, or more paths than are evaluated
            self.all.append(self.usual)

    @property
    def several(self) -> bool:
        """Whether the person still has something to decide."""
        return self.too_many or len(self.all) > 1


def _next_answers(moment: Moment, option: Option[Any], decide: Decide) -> list[Path]:
    """One path for each answer to the next question, continued by the tactic; none if there are too many."""
    question = _next_question(moment, option, (), decide)
    answers = [] if question is None else further_answers(question, decide(question))
    return [_continued(moment, option, (answer,), decide) for answer in answers] if len(answers) <= MOST_PATHS else []


def _continued(moment: Moment, option: Option[Any], path: Path, decide: Decide) -> Path:
    """A path with the tactic's answers to all questions that follow."""
    while (question := _next_question(moment, option, path, decide)) is not None and len(path) < MOST_PATHS:
        path = (*path, decide(question))
    return path


def further_answers(question: Choice[Any], usual: Given) -> list[Given]:
    """The answers to evaluate: every option; of a long range of numbers, its ends and the tactic's answer."""
    options = question.options
    if not isinstance(options, Range):
        return [option.key for option in options]
    numbers = range(options.low, options.high + 1, options.step)
    return list(numbers) if len(numbers) <= MOST_NUMBERS else list(dict.fromkeys((numbers[0], usual, numbers[-1])))


def _next_question(moment: Moment, option: Option[Any], path: Path, decide: Decide) -> Choice[Any] | None:
    """The further question after these answers; None if something else comes first."""
    play = beginning(moment, option, path)
    try:
        request = next(play)
        while isinstance(request, Choice):
            request = play.send(request.take(decide(request)))
    except StopIteration as done:
        state, stack = done.value
        return own_question(moment.scene, moment.who, state, stack)[2]
    return None
