"""Who is served by which of several server processes: all who ask for one table by the same one.

A process that holds a table in memory draws for everybody there what all see alike, once. So the first process takes every connection,
looks at the beginning of its first request without taking it, and hands the connection over. What comes later over the same connection
is served there too: every process can serve every table, only with more work.
"""

import re
import selectors
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress

MOST_WAITING = 1_000
"""Connections over which nothing has come yet; of more, the one that has waited longest gives way."""
FIRST_SECONDS = 10.0
"""The first bytes of a request are there after so long."""
LOOKED_AT = 128
"""So many bytes tell whether somebody asks for a table."""
_TABLE = re.compile(rb"[A-Z]+ /(?:api/)?tables/([0-9a-f]{16})")


def process_of(head: bytes, processes: int) -> int | None:
    """Which process a request belongs to by how it begins; None where any will do."""
    result = _TABLE.match(head)
    return int(result[1], 16) % processes if result is not None else None


class Usher:
    """Takes the connections of several processes and hands each to one of them, over one channel to each."""

    def __init__(self, listening: socket.socket, channels: Sequence[socket.socket]) -> None:
        self._listening = listening
        self._channels = channels
        self._next = 0
        self._waiting: OrderedDict[socket.socket, float] = OrderedDict()
        """Connections over which nothing has come yet, and until when it has to, the oldest first."""
        self._selector = selectors.DefaultSelector()
        for candidate in (listening, *channels):
            candidate.setblocking(False)
        self._selector.register(listening, selectors.EVENT_READ)

    def run(self, stopping: Callable[[], bool], seconds: float) -> None:
        """Hand over what comes for so long, or until it is to stop."""
        until = time.monotonic() + seconds
        while not stopping() and (left := until - time.monotonic()) > 0:
            for key, _ in self._selector.select(min(left, 0.2)):
                if key.fileobj is self._listening:
                    self._take()
                elif isinstance(key.fileobj, socket.socket):
                    self._look_at(key.fileobj)
            self._send_away_late()

    def close(self) -> None:
        """Take no more, and let go of whoever has not said anything yet."""
        for waiting in list(self._waiting):
            self._let_go(waiting)
        self._selector.close()
        self._listening.close()

    def _take(self) -> None:
        """Take everybody who is at the door."""
        while True:
            try:
                result, _ = self._listening.accept()
            except OSError:  # nobody any more, or gone again
                return
            result.setblocking(False)
            self._waiting[result] = time.monotonic() + FIRST_SECONDS
            self._selector.register(result, selectors.EVENT_READ)
            if len(self._waiting) > MOST_WAITING:
                self._let_go(next(iter(self._waiting)))

    def _look_at(self, item: socket.socket) -> None:
        """Hand a connection over whose first bytes are there."""
        head = b""
        with suppress(OSError):
            head = item.recv(LOOKED_AT, socket.MSG_PEEK)
        if head:
            self._hand_over(item, process_of(head, len(self._channels)))
        self._let_go(item)

    def _hand_over(self, item: socket.socket, process: int | None) -> None:
        """To the process it belongs to, or to the next one that takes it."""
        self._next += 1
        first = process if process is not None else self._next
        for place in range(first, first + len(self._channels)):
            with suppress(OSError):  # a process that has ended, or takes nothing for the moment
                socket.send_fds(self._channels[place % len(self._channels)], [b"c"], [item.fileno()])
                return

    def _let_go(self, item: socket.socket) -> None:
        self._waiting.pop(item, None)
        with suppress(KeyError, ValueError):
            self._selector.unregister(item)
        item.close()

    def _send_away_late(self) -> None:
        now = time.monotonic()
        while self._waiting and next(iter(self._waiting.values())) < now:
            self._let_go(next(iter(self._waiting)))


def handed_over(channel: socket.socket) -> list[socket.socket]:
    """The connections that have come over a channel."""
    sockets: list[socket.socket] = []
    while True:
        try:
            said, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
        except BlockingIOError:
            return sockets
        sockets += [socket.socket(fileno=descriptor) for descriptor in descriptors]
        if not said:
            return sockets
