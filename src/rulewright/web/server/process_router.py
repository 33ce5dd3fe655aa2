"""Routes every connection for a table to the same worker process.

A process that holds a table in memory renders shared parts once for all members. The main process accepts every connection, peeks at the
beginning of its first request, and hands the connection to a worker. Later requests over the same connection stay there: every process
can serve every table, only with more work.
"""

import re
import selectors
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress

MAX_WAITING = 1_000
"""Maximum number of connections that have sent nothing yet; beyond that, the oldest is closed."""
FIRST_SECONDS = 10.0
"""Time limit for the first bytes of a request."""
PEEKED_BYTES = 128
"""How many bytes are read to find the table in a request line."""
_TABLE = re.compile(rb"[A-Z]+ /(?:api/)?tables/([0-9a-f]{16})")


def process_of(head: bytes, processes: int) -> int | None:
    """The index of the process for a request, from its first bytes; None if any process will do."""
    request = _TABLE.match(head)
    return int(request[1], 16) % processes if request is not None else None


class ConnectionRouter:
    """Accepts connections and hands each to one of several processes, over one channel for each process."""

    def __init__(self, listening: socket.socket, channels: Sequence[socket.socket]) -> None:
        self._listening = listening
        self._channels = channels
        self._next = 0
        self._waiting: OrderedDict[socket.socket, float] = OrderedDict()
        """Connections that have sent nothing yet, with their deadlines, the oldest first."""
        self._selector = selectors.DefaultSelector()
        for channel in (listening, *channels):
            channel.setblocking(False)
        self._selector.register(listening, selectors.EVENT_READ)

    def run(self, stopping: Callable[[], bool], seconds: float) -> None:
        """Route connections for a number of seconds, or until `stopping` returns true."""
        until = time.monotonic() + seconds
        while not stopping() and (left := until - time.monotonic()) > 0:
            for key, _ in self._selector.select(min(left, 0.2)):
                if key.fileobj is self._listening:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket):
                    self._route(key.fileobj)
            self._close_overdue()

    def close(self) -> None:
        """Stop accepting, and close connections that have sent nothing yet."""
        for waiting in list(self._waiting):
            self._close(waiting)
        self._selector.close()
        self._listening.close()

    def _accept(self) -> None:
        """Accept every waiting connection."""
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:  # none left, or closed already
                return
            connection.setblocking(False)
            self._waiting[connection] = time.monotonic() + FIRST_SECONDS
            self._selector.register(connection, selectors.EVENT_READ)
            if len(self._waiting) > MAX_WAITING:
                self._close(next(iter(self._waiting)))

    def _route(self, connection: socket.socket) -> None:
        """Hand over a connection whose first bytes have arrived."""
        head = b""
        with suppress(OSError):
            head = connection.recv(PEEKED_BYTES, socket.MSG_PEEK)
        if head:
            self._send_to_process(connection, process_of(head, len(self._channels)))
        self._close(connection)

    def _send_to_process(self, connection: socket.socket, process: int | None) -> None:
        """Send a connection to its process, or to the next one that accepts it."""
        self._next += 1
        first = process if process is not None else self._next
        for place in range(first, first + len(self._channels)):
            with suppress(OSError):  # the process ended, or its channel is full
                socket.send_fds(self._channels[place % len(self._channels)], [b"c"], [connection.fileno()])
                return

    def _close(self, connection: socket.socket) -> None:
        self._waiting.pop(connection, None)
        with suppress(KeyError, ValueError):
            self._selector.unregister(connection)
        connection.close()

    def _close_overdue(self) -> None:
        now = time.monotonic()
        while self._waiting and next(iter(self._waiting.values())) < now:
            self._close(next(iter(self._waiting)))


def receive_connections(channel: socket.socket) -> list[socket.socket]:
    """Read the connections that arrived over a channel."""
    sockets: list[socket.socket] = []
    while True:
        try:
            data, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
        except BlockingIOError:
            return sockets
        sockets += [socket.socket(fileno=descriptor) for descriptor in descriptors]
        if not data:
            return sockets
