"""Runs batches on several processes, with the same result as on one.

A process gets the scene, its state and the tactic. A ruleset is pickled as the game's id, the settings and the changed tables, and
rebuilt there.
"""

import io
import multiprocessing
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from rulewright import system
from rulewright.errors import UserError
from rulewright.rules import Book, House, Ruleset

R = TypeVar("R")

LOST_WORKERS = 3
"""How often the processes may be lost and restarted before the work fails."""


class _Packer(pickle.Pickler):
    """Pickles rulesets and books by their arguments."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Ruleset):
            return _ruleset, (obj.book, obj.chosen, obj.changes)
        if isinstance(obj, system.System) and obj.id in system.names():
            return system.find, (obj.id,)
        if isinstance(obj, Book):
            if obj.system in system.names() and system.find(obj.system).book is obj:
                return _book, (obj.system,)
            return type(obj), (obj.system, obj.package, tuple(obj.settings.values()), obj.presets)
        return NotImplemented


def _book(name: str) -> Book:
    return system.find(name).book


def _ruleset(book: Book, chosen: dict[str, Any], changes: dict[str, Any]) -> Ruleset:
    return book.ruleset(settings=chosen, house=House(tables=changes))


def pack(*item: Any) -> bytes:
    """Pickle for another process; raises UserError if it is not possible."""
    into = io.BytesIO()
    try:
        _Packer(into, pickle.HIGHEST_PROTOCOL).dump(item)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UserError(
            f"this scene cannot be sent to other processes ({error}): use one worker, or a tactic that a module defines"
        ) from None
    return into.getvalue()


_work: Callable[[int], Any]
"""In a worker process: the batch runner."""


def _begin(packed: bytes) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the main process handles it
    (_work,) = pickle.loads(packed)


def _batch(number: int) -> Any:
    return _work(number)


def in_order(work: Callable[[int], R], batches: int, workers: int) -> Generator[R, None, None]:
    """The results of `work(number)` for every batch, in order.

    Batches of a lost process are repeated.
    """
    if workers <= 1 or batches <= 1:
        yield from map(work, range(batches))
        return
    packed = pack(work)
    done = 0
    for _ in range(LOST_WORKERS):
        pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_begin, initargs=(packed,))
        try:
            for result in _queued(pool, done, batches, 4 * workers):
                done += 1
                yield result
            return
        except BrokenProcessPool:
            continue
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    raise UserError(f"the worker processes were lost {LOST_WORKERS} times: the machine may be short of memory")


def _queued(pool: Executor, done: int, batches: int, ahead: int) -> Iterator[Any]:
    waiting: deque[Future[Any]] = deque()
    following = done
    while waiting or following < batches:
        while following < batches and len(waiting) < ahead:
            waiting.append(pool.submit(_batch, following))
            following += 1
        yield waiting[0].result()
        waiting.popleft()


def _context() -> Any:
    """Fork if no other thread runs: it is the fastest and needs no guard in the calling script."""
    fork = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if fork else "spawn")
