"""Runs batches on a Dask cluster: on many machines, or on the processes of this one.

A batch depends only on its number, so any worker can run it, and more than once: if a worker is lost, Dask repeats its batches elsewhere,
and the result is the same as on one machine.
"""

import hashlib
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from rulewright.errors import UserError
from rulewright.lab.sampling.processes import pack

R = TypeVar("R")

LOST_WORKERS = 20
"""How many workers may be lost on one batch before the work fails."""

AHEAD = 4
"""Batches in flight for each thread of the cluster."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer."""

_mine = threading.local()
"""In a worker: the batch runner of each thread, which is not thread-safe."""


def _batch(packed: bytes, digest: str, number: int) -> Any:
    if getattr(_mine, "digest", None) != digest:
        (_mine.work,) = pickle.loads(packed)
        _mine.digest = digest
    return _mine.work(number)


def _same(packed: bytes) -> bytes:
    return packed


def _connected(address: str) -> tuple[Any, Any]:
    """A client, and the cluster if it was started here."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UserError("a cluster needs the extra `cluster`: pip install 'rulewright[cluster]'") from None
    if address == "local":
        with _deaf():
            started = LocalCluster(threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50)
        return Client(started), started
    try:
        return Client(address, timeout=PATIENCE, name="rulewright"), None
    except (OSError, ValueError) as error:
        raise UserError(f"there is no Dask scheduler at {address!r} ({str(error) or type(error).__name__})") from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Let processes started meanwhile ignore Ctrl-C: the main process handles it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Cluster:
    """A Dask cluster: at an address (`tcp://host:8786`), or `local` for one on this machine."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._interrupted = False
        self._client, self._started = _connected(address)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect; a cluster that was started here ends."""
        with suppress(Exception):
            self._client.close()
        if self._started is not None:
            with suppress(Exception):
                self._started.close()

    def in_order(self, work: Callable[[int], R], batches: int) -> Generator[R, None, None]:
        """The results of `work(number)` for every batch, in order."""
        client = self._client
        packed = pack(work)
        digest = hashlib.blake2b(packed, digest_size=16).hexdigest()
        carried = client.submit(_same, packed, pure=False)  # a task, so that Dask repeats it if its worker is lost
        waiting: deque[tuple[int, Any]] = deque()
        following = 0
        before = self._hear()
        try:
            while waiting or following < batches:
                threads = sum(client.nthreads().values()) if len(waiting) < 2 else 1
                while following < batches and len(waiting) < max(2, AHEAD * threads):
                    waiting.append((following, client.submit(_batch, carried, digest, following, pure=False)))
                    following += 1
                number, future = waiting.popleft()
                yield self._result(future, partial(client.submit, _batch, carried, digest, number, pure=False))
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
            with suppress(Exception):
                client.cancel([*(future for _, future in waiting), carried])

    def _hear(self) -> Any:
        """Record Ctrl-C: as an exception it can get lost within Dask. Returns the previous handler."""
        self._interrupted = False
        if threading.current_thread() is not threading.main_thread():
            return None

        def interrupt(*_: object) -> None:
            self._interrupted = True

        return signal.signal(signal.SIGINT, interrupt)

    def _result(self, future: Any, again: Callable[[], Any]) -> Any:
        from distributed import CancelledError, KilledWorker

        lost = 0
        while lost < LOST_WORKERS:
            if self._interrupted:
                raise KeyboardInterrupt
            try:
                return future.result(timeout=0.5)
            except TimeoutError:
                continue
            except KilledWorker:  # its workers were lost several times; the batch need not be the cause
                lost += 1
                future = again()
            except (CancelledError, OSError) as error:
                raise UserError(f"the connection to the cluster at {self.address!r} is lost ({type(error).__name__})") from None
        raise UserError(
            f"the cluster at {self.address!r} lost its workers {LOST_WORKERS} times over the same work: they may be short of memory"
        )
