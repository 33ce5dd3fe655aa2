"""Who is served by which of several server processes."""

import socket
import threading
from collections.abc import Iterator

import pytest

from rulewright.web.server import process_router
from rulewright.web.server.process_router import ConnectionRouter, process_of, receive_connections

TABLE = "00000000000000a"
"""All but the last sign of a table's id."""


@pytest.fixture
def door() -> Iterator[tuple[int, list[socket.socket]]]:
    """The port of an usher for two processes, and the processes' ends of their channels."""
    listening = socket.create_server(("127.0.0.1", 0))
    pairs = [socket.socketpair() for _ in range(2)]
    for _, theirs in pairs:
        theirs.setblocking(False)
    one, stopping = ConnectionRouter(listening, [ours for ours, _ in pairs]), threading.Event()
    port = listening.getsockname()[1]
    working = threading.Thread(target=one.run, args=(stopping.is_set, 60))
    working.start()
    yield port, [theirs for _, theirs in pairs]
    stopping.set()
    working.join()
    one.close()
    for pair in pairs:
        for each in pair:
            each.close()


def came_to(channels: list[socket.socket]) -> tuple[int, socket.socket]:
    """The process to which the next connection is handed, and the connection."""
    import select

    ready, _, _ = select.select(channels, [], [], 10)
    (came,) = receive_connections(ready[0])
    return channels.index(ready[0]), came


@pytest.mark.parametrize(
    ("head", "process"),
    [
        (f"GET /tables/{TABLE}0 HTTP/1.1", 0),
        (f"POST /tables/{TABLE}1/act HTTP/1.1", 1),
        (f"GET /api/tables/{TABLE}3/log HTTP/1.1", 1),
        ("GET / HTTP/1.1", None),
        ("GET /tables/../../etc HTTP/1.1", None),
        ("\x16\x03\x01", None),
        ("", None),
    ],
)
def test_a_request_belongs_to_the_process_of_its_table(head, process):
    assert process_of(head.encode("latin-1"), 2) == process


def test_those_of_one_table_are_handed_to_one_process_with_all_that_they_said(door):
    port, channels = door
    for last in "01010":
        request = f"GET /tables/{TABLE}{last} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(request)
            process, came = came_to(channels)
            assert process == int(last)
            with came:
                assert came.recv(1_000) == request
                came.sendall(b"answered")
            assert line.recv(100) == b"answered"


def test_others_are_handed_to_all_in_turn_and_where_one_does_not_take_them_to_the_next(door):
    port, channels = door

    def asked() -> int:
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"GET / HTTP/1.1\r\n\r\n")
            process, came = came_to(channels)
            came.close()
            return process

    assert {asked() for _ in range(4)} == {0, 1}
    gone, left = channels
    gone.close()
    channels[:] = [left]
    assert [asked() for _ in range(4)] == [0] * 4


def test_who_says_nothing_gives_way(door, monkeypatch):
    port, channels = door
    monkeypatch.setattr(process_router, "MAX_WAITING", 2)
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
    silent[0].settimeout(10)
    assert silent[0].recv(1) == b""
    silent[2].sendall(b"GET / HTTP/1.1\r\n\r\n")
    came_to(channels)[1].close()
    for each in silent:
        each.close()
    monkeypatch.setattr(process_router, "FIRST_SECONDS", 0.0)
    late = socket.create_connection(("127.0.0.1", port))
    late.settimeout(10)
    assert late.recv(1) == b""
    late.close()
