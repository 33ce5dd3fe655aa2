"""Closes connections that block others: unfinished requests, responses that are not read, too many connections of one address.

When the server is full, the connection that has waited longest without a complete request is closed. A connection that is being answered
is never closed.
"""

import asyncio
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
"""Time limit for the head of a request, from the connection or from its first byte."""
BODY_SECONDS, BODY_SPEED = 20.0, 10_000
"""Time limit for the body of a request in seconds, plus one second for every BODY_SPEED bytes received."""
READ_SECONDS = 30.0
"""Time limit for the client to continue reading a response."""
MAX_UNFINISHED = 100
"""Maximum number of connections of one address that have not finished a request."""
HEADERS, HEADER_BYTES = 100, 32_768
SPARE_FILES = 200
"""Open files reserved for other things than connections."""


class UnfinishedConnections:
    """The connections that have not finished a request, the oldest first."""

    def __init__(self, most: int = 0) -> None:
        self.most = most or _most_connections()
        self.pending: OrderedDict[Any, str] = OrderedDict()
        self.closed = 0
        """How many connections were closed early."""

    def add(self, connection: "TimeoutProtocol", connections: int) -> None:
        """Add a connection. If there are too many, close the oldest one, of the same address if that address has too many."""
        self.pending.pop(connection, None)
        self.pending[connection] = connection.address
        if sum(address == connection.address for address in self.pending.values()) > MAX_UNFINISHED:
            self._close(next(oldest for oldest, address in self.pending.items() if address == connection.address))
        elif connections > self.most:
            self._close(next(iter(self.pending)))

    def remove(self, connection: "TimeoutProtocol") -> None:
        """Remove a connection that finished its request or was lost."""
        self.pending.pop(connection, None)

    def _close(self, connection: "TimeoutProtocol") -> None:
        self.pending.pop(connection, None)
        self.closed += 1
        connection.transport.abort()


def _most_connections() -> int:
    """The maximum number of connections: the limit of open files less a reserve."""
    try:
        import resource
    except ImportError:
        return 10_000
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(100, wanted - SPARE_FILES)


class TimeoutProtocol(HttpToolsProtocol):
    """HTTP over one connection, with time limits."""

    waiting: UnfinishedConnections

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.address = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._head_bytes = self._body_bytes = 0
        self._begun = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit for a request."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._cancel_deadline()
        if self._reading is not None:
            self._reading.cancel()
        self.waiting.remove(self)
        super().connection_lost(exc)

    # reading requests

    def on_message_begin(self) -> None:
        """Handle the first byte of a request."""
        super().on_message_begin()
        self._head_bytes = self._body_bytes = 0
        if self._deadline is None:
            self._expect_head()

    def on_url(self, url: bytes) -> None:
        """Count a part of the URL."""
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header; refuse too many of them."""
        self._count_head(len(name) + len(value))
        super().on_header(name, value)

    def _count_head(self, bytes_: int) -> None:
        self._head_bytes += bytes_
        if self._head_bytes > HEADER_BYTES or len(self.headers) > HEADERS:
            raise ValueError("the head of the request is too large")  # the parser stops here

    def on_headers_complete(self) -> None:
        """Start the time limit for the body."""
        self._cancel_deadline()
        self._begun = self.loop.time()
        self._deadline = self.loop.call_later(BODY_SECONDS, self._check_body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a part of the body."""
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the time limit: the request is complete."""
        self._cancel_deadline()
        self.waiting.remove(self)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request, or one whose head is too large."""
        if self._head_bytes <= HEADER_BYTES and len(self.headers or ()) <= HEADERS:
            super().send_400_response(msg)
            return
        self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def _expect_head(self) -> None:
        self._cancel_deadline()
        self.waiting.add(self, len(self.connections))
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._close_late)

    def _check_body(self) -> None:
        """Close the connection if the body is late, unless the server itself paused reading."""
        if self.flow.read_paused or self.loop.time() - self._begun < BODY_SECONDS + self._body_bytes / BODY_SPEED:
            self._deadline = self.loop.call_later(BODY_SECONDS / 4, self._check_body)
        else:
            self._close_late()

    def _close_late(self) -> None:
        self.waiting.remove(self)
        self.waiting.closed += 1
        self.transport.abort()

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    # writing answers

    def pause_writing(self) -> None:
        """Start the time limit for reading: the client does not read."""
        self.flow.pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(READ_SECONDS, self._close_late)

    def resume_writing(self) -> None:
        """Stop the time limit for reading: the client reads again."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        self.flow.resume_writing()


def timeout_protocol(most: int = 0) -> type[TimeoutProtocol]:
    """Create the protocol class of one server, with its own list of unfinished connections."""

    class ServerProtocol(TimeoutProtocol):
        waiting = UnfinishedConnections(most)

    return ServerProtocol
