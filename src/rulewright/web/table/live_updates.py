"""Live updates: whoever looks at a table hears at once when it has changed, as server-sent events.

The service tells of changes in whatever thread made them (and, on PostgreSQL, of those of other server processes). Here a table that
changed is looked at once for everybody who listens to it, each through the service's view of that member.
"""

import asyncio
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
from rulewright.web.table.log_rendering import LogDrawing

QUIET_SECONDS = 20.0
"""After so long without a change a comment is sent, so that nothing between server and browser takes the line for dead."""
MOST_LISTENERS = 5_000
MOST_DRAWN = 20
"""So many entries are drawn for a page that was away; for more it asks for all of it."""
MOST_OF_ONE = 20
"""Streams of one device at all its tables."""
BEHIND = 100
"""So many changes may wait to be sent; who does not take them is sent home, and misses nothing on coming back."""
UNSEATS = {str(kind.__struct_config__.tag) for kind in (LinkRenewed, LinkRevoked, SignedOut)}
"""What may take the seat of a device from a member who stays."""


class TooMany(UserError):
    """Too many listen; after so many seconds it is worth coming back."""

    seconds = 10


class Listener(Struct, eq=False):
    """One stream: at which table, whose and on which device it is, up to which mark it knows everything, and what has to be sent next;
    None sends them home."""

    table: str
    member: str
    device: str
    mark: str
    page: bool = False
    """Whether it is a page, which shows entries, and not a program, which reads them."""
    told: asyncio.Queue[News | None] = field(default_factory=asyncio.Queue)

    def tell(self, news: News | None) -> None:
        """Have something sent; where too much waits already, the stream ends after it."""
        if news is not None and self.told.qsize() >= BEHIND:
            news = None
        self.told.put_nowait(news)
        if news is not None:
            self.mark = news.mark


class Live:
    """Everybody who listens, by table."""

    def __init__(self, tables: Tables, environment: Environment) -> None:
        self.tables = tables
        self._environment = environment
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: dict[str, list[Listener]] = {}
        self._changed: set[str] = set()
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._stop: Callable[[], None] = lambda: None
        self._closed = False

    async def start(self) -> None:
        """Hear from the service from now on."""
        self._loop = asyncio.get_running_loop()
        self._stop = self.tables.listen(self._tell)

    async def close(self) -> None:
        """Send everybody home, and whoever still comes; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._stop()
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.told.put_nowait(None)

    def _tell(self, table_id: str, _: int) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.look, table_id)

    def look(self, table_id: str) -> None:
        """Look at a table that has changed (at all of them, where none is named); changes while somebody looks are looked at together
        afterwards."""
        if not table_id:
            for listener in list(self._listeners):
                self.look(listener)
            return
        if table_id not in self._listeners:
            return
        self._changed.add(table_id)
        if table_id not in self._looking:
            self._looking[table_id] = asyncio.get_running_loop().create_task(self._look(table_id))

    async def _look(self, table_id: str) -> None:
        try:
            while table_id in self._changed:
                self._changed.discard(table_id)
                listeners = list(self._listeners.get(table_id, ()))
                asked = {(listener.member, listener.mark) for listener in listeners}
                try:
                    pages = {(listener.member, listener.mark) for listener in listeners if listener.page}
                    news_by_pair = await run_sync(self._heard, table_id, asked, pages)
                except UserError:
                    news_by_pair = {}  # the table is not there any more
                except SQLAlchemyError:
                    continue  # the database does not answer: they hear of it with the next change
                for listener in listeners:
                    listener.tell(news_by_pair.get((listener.member, listener.mark)))
        finally:
            del self._looking[table_id]

    def _heard(self, table_id: str, asked: set[tuple[str, str]], pages: set[tuple[str, str]]) -> dict[tuple[str, str], News]:
        """What everybody hears; for pages with the new entries drawn, each once for all who see it alike."""
        news_by_pair = self.tables.heard(table_id, asked)
        if any(news_by_pair[pair].lines for pair in pages if pair in news_by_pair):
            drawing = LogDrawing(self._environment, table_id, self.tables.system(table_id))
            for page in pages & news_by_pair.keys():
                news = news_by_pair[page]
                if news.lines and not news.redraw:
                    news_by_pair[page] = replace(news, drawn=drawing.drawn(news.lines[-MOST_DRAWN:], news.leads))
        return news_by_pair

    @property
    def listening(self) -> int:
        """How many listen."""
        return sum(len(listeners) for listeners in self._listeners.values())

    async def signed_out(self, listener: Listener, entries: list[LogShown]) -> bool:
        """Whether a device lost its seat with these entries, though its member stays."""
        if not any(entry.sort in UNSEATS for entry in entries):
            return False
        seat = await run_sync(self.tables.seat, listener.table, listener.device)
        return seat is None or seat.member != listener.member

    def refuse_too_many(self, device: str) -> None:
        """Refuse one stream more than there may be, of everybody or of one device."""
        if self.listening >= MOST_LISTENERS:
            raise TooMany("too many people listen at this server: come back in a few seconds")
        if sum(listener.device == device for listeners in self._listeners.values() for listener in listeners) >= MOST_OF_ONE:
            raise TooMany(f"this device listens {MOST_OF_ONE} times already: close some of its pages")

    @contextmanager
    def listened(self, listener: Listener) -> Iterator[None]:
        """Somebody listens as long as this lasts."""
        listeners = self._listeners.setdefault(listener.table, [])
        listeners.append(listener)
        if self._closed:
            listener.told.put_nowait(None)
        try:
            yield
        finally:
            listeners.remove(listener)
            if not listeners:
                self._listeners.pop(listener.table, None)


async def told(live: Live, listener: Listener, *, lines: bool) -> AsyncIterator[ServerSentEventMessage]:
    """The stream of one listener: first what came since its mark, then every change; with `lines`, the log's new entries are in it.

    The id of an event is the mark up to which the listener knows everything, so that one who was away asks for the rest with it,
    and nothing is missed or comes twice. Whoever is sent away hears no more.
    """
    with live.listened(listener):
        live.look(listener.table)
        sent = ("", "")
        while True:
            try:
                heard = await asyncio.wait_for(listener.told.get(), QUIET_SECONDS)
            except TimeoutError:
                yield ServerSentEventMessage(data=None, comment="still here")
                continue
            if heard is None:
                return
            if await live.signed_out(listener, heard.lines):
                return
            if (heard.mark, heard.look) != sent:
                told: dict[str, Any] = {"mark": heard.mark, "look": heard.look}
                told |= {"lines": heard.lines} if lines else {"log": heard.drawn, "redraw": heard.redraw or len(heard.lines) > MOST_DRAWN}
                yield ServerSentEventMessage(data=msgspec.json.encode(told).decode(), event="changed", id=heard.mark)
            sent = (heard.mark, heard.look)
