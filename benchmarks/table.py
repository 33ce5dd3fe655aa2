"""The table server under load, compared with a bare echo handler: 200 tables of five listeners, one action a second each.

Server and clients run on this machine, in separate processes. Times are wall-clock time, because people wait for them. Clients use plain
sockets, so that they need little of the two cores.
"""

import asyncio
import gc
import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from rulewright.system import find
from rulewright.table import links
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables

TABLES, LISTENERS, SECONDS = 200, 5, 10
SATURATED = 40
"""Clients that act as fast as they can, to find the highest steady rate."""
MOST_TIMES = 20.0


def rows() -> Iterator[dict[str, Any]]:
    """Latency from an action to the last update, highest rate, and a large sheet, each compared with the echo."""
    gc.freeze()  # no garbage collection pauses in the clients
    with tempfile.TemporaryDirectory() as folder:
        people, sheet = _prepared(f"{folder}/tables.db")
        with _serving("echo", folder) as port:
            plain = asyncio.run(_echoed(port))
        with _serving("tables", folder) as port:
            ours = asyncio.run(_played(port, people, sheet))
    worst, echo = _late(ours["updates"]), _late(plain["times"])
    name = f"act to the last of {LISTENERS} listeners' updates, {TABLES} tables acting once a second, 99th of 100"
    yield _row(name, worst, "a bare handler's echo at the same rate", echo, 1 / MOST_TIMES)
    yield _row("one act of the highest steady rate", 1 / ours["rate"], "a bare handler's echo", 1 / plain["rate"], None)
    yield _row("the page of a sheet with 100 items", median(ours["sheets"]), "a bare handler's echo", median(plain["alone"]), None)


def _row(name: str, ours: float, peer: str, theirs: float, floor: float | None) -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": peer, "theirs": theirs, "ratio": theirs / ours, "floor": floor}


def _late(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


# --- people and a sheet -------------------------------------------------------------------------------------------------------


def _prepared(db: str) -> tuple[list[tuple[str, list[str]]], str]:
    """Creates tables: the id and cookies of each, and the URL of a sheet with 100 items."""
    tables, people, sheet = Tables(db), [], ""
    for number in range(TABLES):
        devices = [links.token() for _ in range(LISTENERS)]
        made = tables.host("scumm", f"Table {number}", "Gitte", devices[0])
        for place, device in enumerate(devices[1:]):
            tables.join(made.table, made.invitation, f"Player {place}", device)
        if number == 0:
            character = tables.act(made.table, made.member, a.AddCharacter(data=_laden())).made
            sheet = f"/tables/{made.table}/characters/{character}"
        people.append((made.table, [tables.signer.cookie(device) for device in devices]))
    tables.close()
    return people, sheet


def _laden() -> dict[str, Any]:
    """A character with a hundred items."""
    scumm = find("scumm")
    data: dict[str, Any] = msgspec.to_builtins(scumm.new(scumm.book.ruleset(), "character", "mercenary"))
    data["gear"]["other"] = [{"name": f"thing {number}"} for number in range(100)]
    return data


# --- servers ------------------------------------------------------------------------------------------------------------------


@contextmanager
def _serving(what: str, folder: str) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "benchmarks.table", what, folder, str(port)]
    server = subprocess.Popen(command, cwd=Path(__file__).resolve().parent.parent)
    try:
        until = time.monotonic() + 60
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if time.monotonic() > until or server.poll() is not None:
                raise RuntimeError("the server did not start")
            time.sleep(0.05)
        yield port
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


def _serve(what: str, folder: str, port: int) -> None:
    import uvicorn
    from litestar import Litestar, post

    from rulewright.web.app import create_app
    from rulewright.web.server.connections import timeout_protocol
    from rulewright.web.server.launch import tune_garbage_collector
    from rulewright.web.server.rate_limit import RateLimiter
    from rulewright.web.server.security import Rates
    from rulewright.web.server.worker_pool import ProcessPool

    @post("/echo")
    async def echo(data: dict[str, str]) -> dict[str, str]:
        return data

    db = f"{folder}/tables.db"
    application: Any = Litestar([echo]) if what == "echo" else create_app(db, Rates(1e6, 10**9, 1e6, 10**9))
    if what == "gate":
        application = RateLimiter(application, ProcessPool(db))
    tune_garbage_collector()
    uvicorn.run(
        application, host="127.0.0.1", port=port, http=timeout_protocol() if what == "gate" else "auto", log_level="error", access_log=False
    )


# --- clients ------------------------------------------------------------------------------------------------------------------


class Line:
    """A keep-alive connection."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port, self.cookie = port, cookie
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """Send a request and return the response body."""
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: device={self.cookie}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        answered = await self.reader.readuntil(b"\r\n\r\n")
        if b" 20" not in answered[:14]:
            raise RuntimeError(answered[:200].decode() + repr(await self.reader.read(300)))
        length = next(int(line.split(b":")[1]) for line in answered.lower().split(b"\r\n") if line.startswith(b"content-length"))
        return await self.reader.readexactly(length)

    async def listen(self, path: str, hear: Callable[[str, float], None], ready: Callable[[], None]) -> None:
        """Receive every event of a stream, with its time."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: device={self.cookie}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        first = True
        while line := await reader.readline():
            if line.startswith(b"data:"):
                if first:
                    ready()
                    first = False
                at = time.perf_counter()
                for entry in json.loads(line[5:])["lines"]:
                    hear(entry["text"], at)


async def _steadily(clients: list[Callable[[int], Awaitable[None]]]) -> None:
    """Every client acts once a second, evenly spread."""

    async def act_every_second(act: Callable[[int], Awaitable[None]], place: int) -> None:
        begun = time.perf_counter()
        await asyncio.sleep(place / len(clients))
        for number in range(SECONDS):
            await act(number)
            await asyncio.sleep(max(0.0, begun + place / len(clients) + number + 1 - time.perf_counter()))

    await asyncio.gather(*(act_every_second(act, place) for place, act in enumerate(clients)))


async def _saturated(clients: list[Callable[[int], Awaitable[None]]]) -> float:
    """Actions a second when every client acts as fast as it can."""
    done, until = 0, time.perf_counter() + 5.0

    async def act_repeatedly(act: Callable[[int], Awaitable[None]]) -> None:
        nonlocal done
        number = 1_000_000
        while time.perf_counter() < until:
            await act(number)
            number += 1
            done += 1

    begun = time.perf_counter()
    await asyncio.gather(*(act_repeatedly(act) for act in clients))
    return done / (time.perf_counter() - begun)


async def _echoed(port: int) -> dict[str, Any]:
    lines = [Line(port) for _ in range(TABLES)]
    times: list[float] = []

    def asking(line: Line) -> Callable[[int], Awaitable[None]]:
        async def ask(number: int) -> None:
            begun = time.perf_counter()
            await line.ask("POST", "/echo", {"text": f"word {number}"})
            if number < SECONDS:
                times.append(time.perf_counter() - begun)

        return ask

    asks = [asking(line) for line in lines]
    await asyncio.gather(*(ask(-1) for ask in asks))
    times.clear()
    await _steadily(asks)
    rate = await _saturated(asks[:SATURATED])
    alone = [await _timed(lines[0], "POST", "/echo", {"text": "x"}) for _ in range(40)]
    return {"times": times, "rate": rate, "alone": alone}


async def _timed(line: Line, method: str, path: str, body: Any = None) -> float:
    begun = time.perf_counter()
    await line.ask(method, path, body)
    return time.perf_counter() - begun


async def _played(port: int, people: list[tuple[str, list[str]]], sheet: str) -> dict[str, Any]:
    begun: dict[str, float] = {}
    heard: dict[str, list[float]] = {}
    ready, waiting = 0, asyncio.Event()

    def hear(text: str, at: float) -> None:
        heard.setdefault(text, []).append(at)

    def is_ready() -> None:
        nonlocal ready
        ready += 1
        if ready == len(people) * LISTENERS:
            waiting.set()

    listening = [
        asyncio.create_task(Line(port, cookie).listen(f"/api/tables/{table}/stream", hear, is_ready))
        for table, cookies in people
        for cookie in cookies
    ]
    await asyncio.wait_for(waiting.wait(), 120)

    def acting(table: str, cookie: str) -> Callable[[int], Awaitable[None]]:
        line = Line(port, cookie)

        async def act(number: int) -> None:
            text = f"{table} {number}"
            begun[text] = time.perf_counter()
            await line.ask("POST", f"/api/tables/{table}/act", {"action": {"do": "say", "text": text}})

        return act

    acts = [acting(table, cookies[0]) for table, cookies in people]
    await asyncio.gather(*(act(-1) for act in acts))
    await _steadily(acts)
    await asyncio.sleep(2)
    counted = [text for text in begun if 0 <= int(text.split()[1]) < SECONDS]
    missed = [text for text in counted if len(heard.get(text, ())) != LISTENERS]
    if missed:
        raise RuntimeError(f"{len(missed)} of {len(counted)} updates did not reach everybody once")
    updates = [max(heard[text]) - begun[text] for text in counted]
    rate = await _saturated(acts[:SATURATED])
    for task in listening:
        task.cancel()
    looking = Line(port, people[0][1][0])
    sheets = [await _timed(looking, "GET", sheet) for _ in range(25)]
    return {"updates": updates, "rate": rate, "sheets": sheets}


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2], int(sys.argv[3]))
