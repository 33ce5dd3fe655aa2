"""A part of a step for the chances beside options: followed up to the verdict that was asked for."""

from typing import Any

from rulewright.play import Play, Tell, Verdict
from rulewright.scenes.scene import Followed


def watched(play: Play[Any], question: Followed, so_far: Verdict | None) -> "Play[Verdict | tuple[Any, Verdict | None]]":
    """A part of the round up to the verdict that was asked for, or its outcome and the worst so far."""
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
    """A part of the round to its end, told to nobody: its outcome, and the verdicts that it came to."""
    answer, told = None, list[Verdict]()
    while True:
        try:
            request = play.send(answer)
        except StopIteration as done:
            return done.value, tuple(told)
        answer = None
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            told += [] if verdict is None else [verdict]
        else:
            answer = yield request
