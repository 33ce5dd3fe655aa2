"""Changes the requests of a procedure while it runs: who rolls, and who may know."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from rulewright.play import Play, Request, Roll, Sub, Tell, Together

A = TypeVar("A")


def with_requests(play: Play[A], change: Callable[[Request[Any]], Request[Any]]) -> Play[A]:
    """Runs a procedure and its parts with every roll, choice and event changed."""
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            result: A = ended.value
            return result
        if isinstance(request, Sub):
            answer = yield from with_requests(request.start(), change)
        elif isinstance(request, Together):
            answer = yield from Together(tuple(change(part) for part in request.requests))
        else:
            answer = yield from change(request)


def in_secret(play: Play[A], known: tuple[str, ...]) -> Play[A]:
    """A procedure whose dice and events only some people may know of, besides the gamemaster."""

    def hidden(request: Request[Any]) -> Request[Any]:
        if isinstance(request, Tell):
            return Tell(replace(request.event, known_to=known))
        return replace(request, secret=True, unseen=not known) if isinstance(request, Roll) else request

    return with_requests(play, hidden)


def rolled_by(play: Play[A], by: str, what: str) -> Play[A]:
    """A procedure in which one person makes every roll, for the same thing."""
    return with_requests(play, lambda request: replace(request, by=by, what=what) if isinstance(request, Roll) else request)
