"""Live updates: whoever looks at a table hears at once when it has changed, as server-sent events.

The service tells of changes in whatever thread made them (and, on PostgreSQL, of those of other server processes); here they are
handed to the event loop and to everybody who listens. What a listener is sent goes through the service's view of that member.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

import msgspec
from anyio.to_thread import run_sync
from litestar.response.sse import ServerSentEventMessage

from rulewright.errors import Wrong
from rulewright.table.service import Tables

QUIET_SECONDS = 20.0
"""After so long without a change a comment is sent, so that nothing between server and browser takes the line for dead."""
MOST_LISTENERS = 5_000


class Live:
    """Everybody who listens, by table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wakers: dict[str, set[asyncio.Event]] = {}
        self._stop: Callable[[], None] = lambda: None
        self.closing = asyncio.Event()

    async def start(self) -> None:
        """Hear from the service from now on."""
        self._loop = asyncio.get_running_loop()
        self.closing = asyncio.Event()
        self._stop = self.tables.listen(self._changed)

    async def close(self) -> None:
        """Send everybody home."""
        self._stop()
        self.closing.set()
        for wakers in self._wakers.values():
            for waker in wakers:
                waker.set()

    def _changed(self, table_id: str, _: int) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, table_id)

    def _wake(self, table_id: str) -> None:
        for waker in self._wakers.get(table_id, ()):
            waker.set()

    @property
    def listening(self) -> int:
        """How many listen."""
        return sum(len(wakers) for wakers in self._wakers.values())

    @contextmanager
    def listened(self, table_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the table changes; several changes in a row may be one."""
        if self.listening >= MOST_LISTENERS:
            raise Wrong("too many people listen at this server: try again later")
        waker = asyncio.Event()
        wakers = self._wakers.setdefault(table_id, set())
        wakers.add(waker)
        try:
            yield waker
        finally:
            wakers.discard(waker)
            if not wakers:
                self._wakers.pop(table_id, None)


async def told(live: Live, table_id: str, member_id: str, mark: str, *, lines: bool) -> AsyncIterator[ServerSentEventMessage]:
    """The stream of one listener: first what came since `mark`, then every change; with `lines`, the log's new entries are in it.

    The id of an event is the mark up to which the listener knows everything, so that one who was away asks for the rest with it,
    and nothing is missed or comes twice. Whoever is sent away hears no more.
    """
    with live.listened(table_id) as changed:
        first = True
        while not live.closing.is_set():
            try:
                reached, entries = await run_sync(live.tables.since, table_id, member_id, mark)
            except Wrong:
                return  # sent away, or a mark of another table
            if first or reached != mark:
                told = {"mark": reached, "lines": entries} if lines else {"mark": reached}
                yield ServerSentEventMessage(data=msgspec.json.encode(told).decode(), event="changed", id=reached)
            else:
                yield ServerSentEventMessage(data=None, comment="still here")
            first, mark = False, reached
            try:
                await asyncio.wait_for(changed.wait(), QUIET_SECONDS)
            except TimeoutError:
                continue
            changed.clear()
