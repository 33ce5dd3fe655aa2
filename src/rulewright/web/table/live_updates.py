"""Live updates by server-sent events: every open page hears of a change at once.

The service reports changes from any thread (and, on PostgreSQL, those of other server processes). A changed table is viewed once for
all its listeners, each through the view of that member.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from anyio.to_thread import run_sync
from jinja2 import Environment
from litestar.response.sse import ServerSentEventMessage
from msgspec import Struct, field
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from rulewright.errors import UserError
from rulewright.table.log.entries import LinkRenewed, LinkRevoked, SignedOut
from rulewright.table.service import News, Tables
from rulewright.table.views import LogShown
from rulewright.web.table.log_html import LogRenderer

KEEPALIVE_SECONDS = 20.0
"""Seconds without a change after which a comment is sent, so that proxies keep the connection open."""
MAX_LISTENERS = 5_000
MAX_RENDERED = 20
"""Maximum number of log entries rendered for a page that was away; with more, the page reloads the log."""
MAX_OF_ONE = 20
"""Maximum number of streams of one device."""
RESERVED_SECONDS = 10.0
"""How long a place is reserved for a stream that was allowed and has not begun."""
MAX_QUEUED = 100
"""Maximum number of queued changes; a stream that falls behind is closed and catches up when it reconnects."""
UNSEATING_ENTRIES = {str(kind.__struct_config__.tag) for kind in (LinkRenewed, LinkRevoked, SignedOut)}
"""Log entries that may take the seat of a device from a member who stays."""


class TooManyListeners(UserError):
    """Too many streams are open; `seconds` is when to try again."""

    seconds = 10


class Listener(Struct, eq=False):
    """One stream: its table, member and device, the mark up to which it is complete, and its queue; None in the queue closes it."""

    table: str
    member: str
    device: str
    mark: str
    page: bool = False
    """Whether a page listens, which gets rendered entries; the API gets them as data."""
    queue: asyncio.Queue[News | None] = field(default_factory=asyncio.Queue)

    def send(self, news: News | None) -> None:
        """Queue a change; close the stream if too many are queued."""
        if news is not None and self.queue.qsize() >= MAX_QUEUED:
            news = None
        self.queue.put_nowait(news)
        if news is not None:
            self.mark = news.mark


class LiveUpdates:
    """All streams, by table."""

    def __init__(self, tables: Tables, environment: Environment) -> None:
        self.tables = tables
        self._environment = environment
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: dict[str, list[Listener]] = {}
        self._changed: set[str] = set()
        self._updating: dict[str, asyncio.Task[None]] = {}
        self._stop: Callable[[], None] = lambda: None
        self._closed = False
        self._reserved: list[tuple[Listener, float]] = []
        """Streams that were allowed and have not begun, and until when their places are reserved."""

    async def start(self) -> None:
        """Start listening to the service."""
        self._loop = asyncio.get_running_loop()
        self._stop = self.tables.listen(self._on_change)

    async def close(self) -> None:
        """Close all streams, and those that are opened later. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._stop()
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.queue.put_nowait(None)

    def _on_change(self, table_id: str, _: int) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.update, table_id)

    def update(self, table_id: str) -> None:
        """Send the changes of a table to its listeners; of all tables if none is named. Changes during an update are sent together
        afterwards."""
        if not table_id:
            for open_table in list(self._listeners):
                self.update(open_table)
            return
        if table_id not in self._listeners:
            return
        self._changed.add(table_id)
        if table_id not in self._updating:
            self._updating[table_id] = asyncio.get_running_loop().create_task(self._update(table_id))

    async def _update(self, table_id: str) -> None:
        try:
            while table_id in self._changed:
                self._changed.discard(table_id)
                listeners = list(self._listeners.get(table_id, ()))
                positions = {(listener.member, listener.mark) for listener in listeners}
                try:
                    pages = {(listener.member, listener.mark) for listener in listeners if listener.page}
                    news_by_position = await run_sync(self._collect_news, table_id, positions, pages)
                except UserError:
                    news_by_position = {}  # the table was deleted
                except SQLAlchemyError:
                    continue  # the database does not respond: listeners hear of it with the next change
                for listener in listeners:
                    listener.send(news_by_position.get((listener.member, listener.mark)))
        finally:
            del self._updating[table_id]

    def _collect_news(self, table_id: str, positions: set[tuple[str, str]], pages: set[tuple[str, str]]) -> dict[tuple[str, str], News]:
        """The news of every listener; for pages with the new log entries rendered, each once for all who see the same."""
        news_by_position = self.tables.heard(table_id, positions)
        if any(news_by_position[position].lines for position in pages if position in news_by_position):
            renderer = LogRenderer(self._environment, table_id, self.tables.system(table_id))
            for page in pages & news_by_position.keys():
                news = news_by_position[page]
                if news.lines and not news.redraw:
                    news_by_position[page] = replace(news, drawn=renderer.render(news.lines[-MAX_RENDERED:], news.leads))
        return news_by_position

    @property
    def listening(self) -> int:
        """The number of open streams."""
        return sum(len(listeners) for listeners in self._listeners.values())

    async def lost_seat(self, listener: Listener, entries: list[LogShown]) -> bool:
        """Whether a device lost its seat with these entries while its member stays."""
        if not any(entry.sort in UNSEATING_ENTRIES for entry in entries):
            return False
        seat = await run_sync(self.tables.seat, listener.table, listener.device)
        return seat is None or seat.member != listener.member

    def refuse_too_many(self, device: str) -> None:
        """Refuse a stream if there are too many, of all devices or of one."""
        now = time.monotonic()
        self._reserved = [(listener, until) for listener, until in self._reserved if until > now]
        if self.listening + len(self._reserved) >= MAX_LISTENERS:
            raise TooManyListeners("too many people are connected to this server: try again in a few seconds")
        waiting = sum(listener.device == device for listener, _ in self._reserved)
        if waiting + sum(listener.device == device for listeners in self._listeners.values() for listener in listeners) >= MAX_OF_ONE:
            raise TooManyListeners(f"this device has {MAX_OF_ONE} open pages, which is the limit: close some of them")

    def reserve(self, listener: Listener) -> Listener:
        """Reserve the place of a stream until it begins, so that streams that are opened at once count."""
        self.refuse_too_many(listener.device)
        self._reserved.append((listener, time.monotonic() + RESERVED_SECONDS))
        return listener

    @contextmanager
    def register(self, listener: Listener) -> Iterator[None]:
        """Register a listener for the duration of a block."""
        self._reserved = [(other, until) for other, until in self._reserved if other is not listener]
        listeners = self._listeners.setdefault(listener.table, [])
        listeners.append(listener)
        if self._closed:
            listener.queue.put_nowait(None)
        try:
            yield
        finally:
            listeners.remove(listener)
            if not listeners:
                self._listeners.pop(listener.table, None)


async def stream_events(live: LiveUpdates, listener: Listener, *, lines: bool) -> AsyncIterator[ServerSentEventMessage]:
    """The event stream of one listener: first what happened since its mark, then every change; with `lines`, new log entries as data.

    The id of an event is the mark up to which the listener is complete. A listener that reconnects sends it, so that nothing is missed or
    sent twice. The stream ends when the member is removed.
    """
    with live.register(listener):
        live.update(listener.table)
        sent = ("", "")
        while True:
            try:
                news = await asyncio.wait_for(listener.queue.get(), KEEPALIVE_SECONDS)
            except TimeoutError:
                yield ServerSentEventMessage(data=None, comment="still here")
                continue
            if news is None:
                return
            if await live.lost_seat(listener, news.lines):
                return
            if (news.mark, news.look) != sent:
                event: dict[str, Any] = {"mark": news.mark, "look": news.look}
                event |= {"lines": news.lines} if lines else {"log": news.drawn, "redraw": news.redraw or len(news.lines) > MAX_RENDERED}
                yield ServerSentEventMessage(data=msgspec.json.encode(event).decode(), event="changed", id=news.mark)
            sent = (news.mark, news.look)
