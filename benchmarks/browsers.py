"""Live pages at many tables: actions a second with five browsers each, and latency for players under visitor load.

A simulated browser makes the traffic of a real one: the page, the event stream, and the requests after each event. Each benchmark has
its baseline in the same run: browsers that reload the whole page, or the same actions on an idle server. Server and clients run on this
machine, in separate processes, over 127.0.0.1, for seconds and with a bounded number of requests.
"""

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any
from urllib.parse import urlencode

import psutil

from benchmarks.table import _serving
from rulewright.table import links
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables

TABLES, BROWSERS, SECONDS = 8, 5, 4.0
SPOKEN = 40
"""Lines in the log before the benchmark."""
PLAYERS, RATE = 20, 1.0
"""Tables that play while visitors come, and actions a second at each."""
HEAVY, TIMES = 40, 10
"""Visitors who request odds at once; requested pages as a multiple of what the server can render."""
MANY, PAUSE = 40, 0.11
"""Tables for two processes; seconds between two actions of one device, as its rate limit requires."""
SHARE, PERIOD = 0.25, 0.02
"""The share of a core for a server process, and the period in seconds. Clients then never wait for a core."""
WITHIN = 3.0
"""How many times as long as on an idle server the 99th percentile of actions may take."""
STRANGE = "/host?system=scumm"
"""The page that visitors request."""


def rows() -> Iterator[dict[str, Any]]:
    """Actions with live pages, compared with full reloads; actions under visitor load, compared with an idle server."""
    gc.freeze()
    with tempfile.TemporaryDirectory() as folder:
        people = _prepared(f"{folder}/tables.db")
        with _serving("gate", folder) as port:
            whole = asyncio.run(_acts(port, people, whole=True))
            parts = asyncio.run(_acts(port, people, whole=False))
        with _serving("gate", folder) as port:
            idle, odds = asyncio.run(_noticed(port, people))
        with _serving("gate", folder) as port, _held(_listener(port)):
            bears = asyncio.run(_borne(port))
            quiet, crowd, requests = asyncio.run(_crowded(port, people, bears))
    with_one, with_two = _with_workers(1), _with_workers(2)
    name = f"one act that {BROWSERS} browsers at each of {TABLES} tables show"
    yield _row(name, 1 / parts, "every browser drawing its whole page", 1 / whole, 5.0)
    yield _row(f"an act while {HEAVY} strangers ask for heavy odds at once, 99th of 100", odds, "in a calm server", idle, 1 / WITHIN)
    limited = f"a server held to {SHARE:g} of a core"
    crowded = f"an act while strangers ask for {requests / bears:.0f} times the pages that {limited} draws, 99th of 100"
    yield _row(crowded, crowd, "in a calm server", quiet, 1 / WITHIN)
    name = f"one act at {MANY} tables of {BROWSERS} browsers on PostgreSQL, two processes each held to {SHARE:g} of a core"
    yield _row(name, 1 / with_two, "one such process", 1 / with_one, 1.7)


@contextmanager
def _held(server: int) -> Iterator[None]:
    """Limits each server process to its share of a core, by stopping and continuing it in turn.

    The benchmark then measures the server, and not how two cores are shared between server, clients and database.
    """
    ended = threading.Event()

    def turn() -> None:
        while not ended.is_set():
            for sign, seconds in ((signal.SIGCONT, SHARE * PERIOD), (signal.SIGSTOP, (1 - SHARE) * PERIOD)):
                for process in processes:
                    with suppress(ProcessLookupError):
                        os.kill(process, sign)
                ended.wait(seconds)

    children = [child.pid for child in psutil.Process(server).children() if "spawn_main" in " ".join(child.cmdline())]
    processes = children or [server]
    turning = threading.Thread(target=turn)
    turning.start()
    try:
        yield
    finally:
        ended.set()
        turning.join()
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def _listener(port: int) -> int:
    """The id of the process that listens on a port."""
    for connection in psutil.net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port and connection.pid:
            return int(connection.pid)
    raise RuntimeError(f"no process listens on port {port}")


def _with_workers(workers: int) -> float:
    """Actions a second at many tables on a new PostgreSQL server, with a number of server processes."""
    from tests.table.cluster import Cluster

    cluster = Cluster()
    try:
        url = cluster.database()
        people = _prepared(url, MANY)
        command = [sys.executable, "-c", "import sys; from rulewright.cli import main; sys.exit(main())"]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        server = subprocess.Popen(
            [*command, "serve", "--port", str(port), "--db", url, "--workers", str(workers)], stderr=subprocess.DEVNULL
        )
        try:
            asyncio.run(_well(port))
            return asyncio.run(_acts(port, people, whole=False, tables=MANY, pause=PAUSE, limit=_held(server.pid)))
        finally:
            server.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                server.wait(20)
            server.kill()
    finally:
        cluster.stop()


async def _well(port: int) -> None:
    """Wait until all server processes answer."""
    answered, until = 0, time.monotonic() + 60
    while answered < 8:
        with suppress(OSError, asyncio.IncompleteReadError):
            status, _ = await Line(port, "").ask("GET", "/health")
            answered += status == 200
        if time.monotonic() > until:
            raise RuntimeError("the server did not start")
        await asyncio.sleep(0.05)


def _row(name: str, ours: float, peer: str, theirs: float, floor: float | None) -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": peer, "theirs": theirs, "ratio": theirs / ours, "floor": floor}


def _prepared(db: str, count: int = 0) -> list[tuple[str, list[str]]]:
    """Creates tables with a running fight and some log lines: the id and cookies of each."""
    tables, people = Tables(db), []
    for number in range(count or max(TABLES, PLAYERS)):
        devices = [links.token() for _ in range(BROWSERS)]
        made = tables.host("scumm", f"Table {number}", "Gitte", devices[0])
        for place, device in enumerate(devices[1:]):
            tables.join(made.table, made.invitation, f"Player {place}", device)
        tables.act(made.table, made.member, a.BeginScene(ready="duel"))
        for word in range(SPOKEN):
            tables.act(made.table, made.member, a.Say(f"before {word}"))
        people.append((made.table, [tables.signer.cookie(device) for device in devices]))
    tables.close()
    return people


class Line:
    """A keep-alive connection that returns the status of every response."""

    def __init__(self, port: int, cookie: str) -> None:
        self.port, self.cookie = port, cookie
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, bytes]:
        """Send a request; return status and body."""
        if self.reader is None or self.writer is None or self.reader.at_eof():
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        content = urlencode(form).encode() if form is not None else b""
        sort = "content-type: application/x-www-form-urlencoded\r\n" if form is not None else ""
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        cookie = f"cookie: device={self.cookie}\r\n" if self.cookie else ""
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\n{cookie}{sort}{more}content-length: {len(content)}\r\n\r\n"
        self.writer.write(head.encode() + content)
        answered = await self.reader.readuntil(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in answered.lower().split(b"\r\n") if line.startswith(b"content-length")), 0)
        return int(answered[9:12]), await self.reader.readexactly(length)


class Browser:
    """A simulated open page: it receives events and requests what it must redraw."""

    def __init__(self, port: int, table: str, cookie: str, whole: bool) -> None:
        self.port, self.table, self.whole = port, table, whole
        self.line = Line(port, cookie)
        self.look = ""
        self.shown = asyncio.Condition()
        self.text = ""
        """The content it drew last."""

    async def open(self) -> None:
        """Open the page and its event stream."""
        status, page = await self.line.ask("GET", f"/tables/{self.table}")
        while status == 503:  # a server that has just started admits a few at a time
            await asyncio.sleep(1)
            status, page = await self.line.ask("GET", f"/tables/{self.table}")
        assert status == 200, status
        self.look = page.partition(b'data-look="')[2][:16].decode()
        mark = page.partition(b'data-mark="')[2][:16].decode()
        reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        head = f"GET /tables/{self.table}/live?after={mark} HTTP/1.1\r\nhost: localhost\r\ncookie: device={self.line.cookie}\r\n\r\n"
        self.writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        self.listening = asyncio.create_task(self._listen(reader))

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b"data:"):
                await self._changed(json.loads(line[5:]))

    async def _changed(self, event: dict[str, Any]) -> None:
        drawn = event["log"]
        if self.whole or event["redraw"]:
            status, body = await self.line.ask("GET", f"/tables/{self.table}/body", hx_request="true")
            assert status == 200, status
            drawn = body.decode()
        elif event["look"] != self.look:
            status, _ = await self.line.ask("GET", f"/tables/{self.table}/body", hx_request="true", x_log="kept")
            assert status == 200, status
        self.look = event["look"]
        async with self.shown:
            self.text = drawn
            self.shown.notify_all()

    async def shows(self, text: str) -> None:
        """Wait until the page shows a text."""
        async with self.shown:
            await asyncio.wait_for(self.shown.wait_for(lambda: text in self.text), 60)


async def _acts(
    port: int,
    people: list[tuple[str, list[str]]],
    *,
    whole: bool,
    tables: int = TABLES,
    pause: float = 0.0,
    limit: "AbstractContextManager[None] | None" = None,
) -> float:
    """Actions a second, if each table acts as soon as all its browsers show the last action."""
    done = 0

    async def played(table: str, cookies: list[str]) -> None:
        nonlocal done
        browsers = [Browser(port, table, cookie, whole) for cookie in cookies]
        for browser in browsers:
            await browser.open()
        acting, number = Line(port, cookies[0]), 0
        ready.release()
        await begins.wait()
        while time.perf_counter() < until:
            text = f"said-{'whole' if whole else 'parts'}-{number}-"
            status, _ = await acting.ask("POST", f"/tables/{table}/act", {"do": "say", "text": text}, hx_request="true")
            assert status == 200, status
            await asyncio.gather(*(browser.shows(text) for browser in browsers))
            number, done = number + 1, done + 1
            await asyncio.sleep(pause)
        for browser in browsers:
            browser.listening.cancel()

    ready, begins, until = asyncio.Semaphore(0), asyncio.Event(), 0.0
    playing = [asyncio.create_task(played(table, cookies)) for table, cookies in people[:tables]]
    for _ in playing:
        await asyncio.wait_for(ready.acquire(), 60)
    with limit or nullcontext():
        begun = time.perf_counter()
        until = begun + SECONDS
        begins.set()
        await asyncio.gather(*playing)
        return done / (time.perf_counter() - begun)


async def _noticed(port: int, people: list[tuple[str, list[str]]]) -> tuple[float, float]:
    """The 99th percentile of action times: idle, and while visitors request heavy odds."""
    steadily = await _playing(port, people)
    await steadily(2.0)
    idle = _late(await steadily(6.0))
    ended = asyncio.Event()
    asking = [asyncio.create_task(_heavy(port, number, ended)) for number in range(HEAVY)]
    odds = _late(await steadily(6.0))
    ended.set()
    await asyncio.gather(*asking)
    return idle, odds


async def _crowded(port: int, people: list[tuple[str, list[str]]], bears: float) -> tuple[float, float, float]:
    """The 99th percentile of action times, idle and under overload by visitors; and the visitors' requests a second."""
    steadily = await _playing(port, people)
    await steadily(2.0)
    idle = _late(await steadily(6.0))
    command = [sys.executable, "-m", "benchmarks.browsers", str(port), str(TIMES * bears)]
    coming = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.PIPE)
    assert coming.stdout is not None
    await coming.stdout.readline()  # they have started
    crowd = _late(await steadily(6.0))
    output, _ = await coming.communicate(b"enough\n")
    asked, refused = (float(number) for number in output.split())
    if not refused:
        raise RuntimeError("no request was refused, so there was no overload")
    return idle, crowd, asked


async def _playing(port: int, people: list[tuple[str, list[str]]]) -> "Callable[[float], Awaitable[list[float]]]":
    """A function that lets players act at a steady rate for some seconds and returns the time of each action."""
    for table, cookies in people[:PLAYERS]:  # players have visited before
        await Line(port, cookies[0]).ask("GET", f"/tables/{table}")
    lines = [Line(port, cookies[0]) for _, cookies in people[:PLAYERS]]
    tables = [table for table, _ in people[:PLAYERS]]

    async def steadily(seconds: float) -> list[float]:
        times: list[float] = []

        async def player(place: int) -> None:
            begun = time.perf_counter() + place / PLAYERS / RATE
            while begun + seconds > time.perf_counter():
                await asyncio.sleep(max(0.0, begun - time.perf_counter()))
                at = time.perf_counter()
                status, _ = await lines[place].ask("POST", f"/tables/{tables[place]}/act", {"do": "say", "text": "so"}, hx_request="true")
                assert status == 200, status
                times.append(time.perf_counter() - at)
                await asyncio.sleep(max(0.0, 1 / RATE - (time.perf_counter() - at)))

        await asyncio.gather(*(player(place) for place in range(PLAYERS)))
        return times

    return steadily


async def _borne(port: int) -> float:
    """Pages a second that the server renders for a few visitors who request them without pause."""
    drawn = 0

    async def visitor() -> None:
        nonlocal drawn
        line = Line(port, "")
        while time.perf_counter() < begun + SECONDS:
            status, _ = await line.ask("GET", STRANGE)
            drawn += status == 200

    await Line(port, "").ask("GET", STRANGE)
    begun = time.perf_counter()
    await asyncio.gather(*(visitor() for _ in range(4)))
    return drawn / (time.perf_counter() - begun)


async def _heavy(port: int, number: int, ended: asyncio.Event) -> None:
    """A visitor who requests heavy odds again and again."""
    while not ended.is_set():
        line = Line(port, "")
        query = urlencode([("system", "scumm"), *(("test", f"{97 - fewer}d+{123 + number} vs 95d") for fewer in range(4))])
        with suppress(OSError, asyncio.IncompleteReadError):
            status, _ = await line.ask("GET", f"/odds?{query}")
            if status == 503:
                await asyncio.sleep(0.5)  # sooner than the server asks


async def _strangers(port: int, rate: float) -> None:
    """Visitors who come at a fixed rate until a line is read from stdin. Prints visitors a second and the number of refusals."""
    counted = Counter[int]()
    ended = asyncio.Event()

    async def visitor() -> None:
        line = Line(port, "")
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            status, _ = await asyncio.wait_for(line.ask("GET", STRANGE), 15)
            counted[status] += 1
        if line.writer is not None:
            line.writer.close()

    async def come() -> None:
        while not ended.is_set():
            due = int((time.perf_counter() - begun) * rate)
            while counted[0] < due:
                counted[0] += 1
                tasks.add(task := asyncio.create_task(visitor()))
                task.add_done_callback(tasks.discard)
            await asyncio.sleep(0.01)

    tasks = set[asyncio.Task[None]]()
    begun = time.perf_counter()
    coming = asyncio.create_task(come())
    await asyncio.sleep(0.5)
    print("here", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    ended.set()
    await coming
    print(counted[0] / (time.perf_counter() - begun), counted[503] + counted[429], flush=True)
    for task in tasks:
        task.cancel()


def _late(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


if __name__ == "__main__":
    asyncio.run(_strangers(int(sys.argv[1]), float(sys.argv[2])))
