"""The gate before the server: costly work apart, those who play before those who come, and connections that never go on."""

import asyncio
import json
import multiprocessing
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import httpx
import pytest
import uvicorn
from litestar.testing import TestClient

from rulewright.table import links
from rulewright.table.links import Signer
from rulewright.web.app import create_app
from rulewright.web.server import connections, known_devices, monitoring, rate_limit, request_bodies, worker_pool
from rulewright.web.server.rate_limit import RateLimiter
from rulewright.web.server.worker_pool import PoolRequest, PoolResponse, ProcessPool
from rulewright.web.table import live_updates

HOSTED = {"system": "scumm", "name": "Friday", "gamemaster": "Bea"}


class Slow:
    """Work that is done when it is told to be."""

    workers = 1

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = asyncio.Event()

    async def carry_out(self, asked: PoolRequest, seconds: float) -> PoolResponse:
        self.asked.append(asked.scope["path"])
        await self.go.wait()
        return PoolResponse(200, [(b"content-type", b"text/plain")], b"done")

    def close(self) -> None:
        pass


async def ask(app, method: str, path: str, address: str = "192.0.2.1", cookie: str = "", body: bytes = b"", query: bytes = b""):
    """One request; its status, headers and body."""
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if cookie:
        headers.append((b"cookie", cookie.encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": headers,
        "client": (address, 1),
        "server": ("localhost", 80),
        "state": {},
    }
    sent: list = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}, sent[-1].get("body", b"")


def gated(release: asyncio.Event, inside: list[str]) -> RateLimiter:
    """A gate before an application that notes what it is asked and answers `/slow` when it is released."""

    async def app(scope, receive, send):
        inside.append(scope["path"])
        if scope["path"] == "/slow":
            await release.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    app.state = SimpleNamespace(tables=SimpleNamespace(signer=Signer(b"key"), store=Seats()))
    return RateLimiter(app, Slow())


class Seats:
    """A database in which the device `player` has a seat at the table PLAYED, and nobody else anywhere."""

    def seat(self, table, device):
        return "m2" if device == links.hashed("player") and table == PLAYED else None

    def seats(self, device, most):
        return [(PLAYED, "m2")] if device == links.hashed("player") else []


PLAYED = "0123456789abcdef"
PLAYER = f"device={Signer(b'key').cookie('player')}"
SIGNED = f"device={Signer(b'key').cookie('stranger')}"


def test_costly_requests_have_a_limit_for_each_address_and_for_all_and_acting_goes_on_beside_them(tmp_path, monkeypatch):
    monkeypatch.setattr(rate_limit, "MAX_COSTLY_WAITING", 6)

    async def played() -> None:
        slow = Slow()
        app = RateLimiter(create_app(str(tmp_path / "tables.db")), slow)
        status, headers, body = await ask(app, "POST", "/api/tables", body=json.dumps(HOSTED).encode())
        assert status == 201
        cookie, table = headers["set-cookie"].partition(";")[0], json.loads(body)["table"]
        waiting = [asyncio.create_task(ask(app, "GET", "/odds", "198.51.100.9")) for _ in range(40)]
        await asyncio.sleep(0)
        while sum(task.done() for task in waiting) < 40 - rate_limit.MAX_COSTLY_OF_ONE:
            await asyncio.sleep(0.01)
        refused = [task.result() for task in waiting if task.done()]
        assert {status for status, _, _ in refused} == {503}
        assert all(int(headers["retry-after"]) > 0 for _, headers, _ in refused)
        assert "Try again in" in refused[0][2].decode()
        others = [asyncio.create_task(ask(app, "GET", "/api/systems/scumm/odds", f"203.0.113.{one}")) for one in range(9)]
        while sum(task.done() for task in others) < 9 - (slow.workers + rate_limit.MAX_COSTLY_WAITING - rate_limit.MAX_COSTLY_OF_ONE):
            await asyncio.sleep(0.01)
        status, headers, body = next(task.result() for task in others if task.done())
        assert status == 503
        assert "error" in json.loads(body)
        act = json.dumps({"action": {"do": "say", "text": "hello"}}).encode()
        status, _, _ = await asyncio.wait_for(ask(app, "POST", f"/api/tables/{table}/act", cookie=cookie, body=act), 30)
        assert status == 200, "who acts at a table waits for none of it"
        assert app.costly == slow.workers + rate_limit.MAX_COSTLY_WAITING
        slow.go.set()
        assert {status for status, _, _ in await asyncio.gather(*waiting)} == {200, 503}
        await asyncio.gather(*others)
        assert app.costly == 0

    asyncio.run(played())


@pytest.mark.slow
def test_an_import_is_ended_by_its_processor_time_and_not_by_the_clock(tmp_path):
    begun, (ours, theirs) = time.monotonic(), multiprocessing.Pipe()
    busy = multiprocessing.get_context("spawn").Process(target=_count_for_ever, daemon=True)
    idle = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,), daemon=True)
    try:
        busy.start(), idle.start()
        assert not worker_pool._wait_by_cpu(busy.pid, ours, 1.0)
        assert worker_pool._cpu_seconds(busy.pid) >= 1.0
        threading.Timer(2.0, theirs.send, ["done"]).start()
        assert worker_pool._wait_by_cpu(idle.pid, ours, 1.0), "it waited, and used no processor time"
    finally:
        busy.kill(), idle.kill()
    assert time.monotonic() - begun < 60


def _count_for_ever():
    while True:
        pass


def test_one_table_and_one_address_take_no_more_than_their_share_of_costly_work():
    async def played() -> None:
        door = gated(asyncio.Event(), [])
        door.devices.seated = _everybody
        table = f"/tables/{PLAYED}/chances"
        devices = [asyncio.create_task(ask(door, "GET", table, f"203.0.113.{one}", f"device=d{one}")) for one in range(10)]
        await asyncio.sleep(0.1)
        assert sum(task.done() for task in devices) == 10 - rate_limit.MAX_COSTLY_OF_TABLE
        refused = next(task.result() for task in devices if task.done())
        assert b"calculations of this table" in refused[2]
        elsewhere = [asyncio.create_task(ask(door, "GET", f"/tables/{one:016x}/chances", cookie=f"device=e{one}")) for one in range(9)]
        await asyncio.sleep(0.1)
        door._seconds = 17.4
        status, headers, _ = await ask(door, "GET", "/tables/00000000000000ff/chances", "203.0.113.77", "device=x")
        assert (status, headers["retry-after"]) == (503, "17"), "whoever waits is told how long"
        assert sum(task.done() for task in elsewhere) == 9 - (
            door.pool.workers + rate_limit.MAX_COSTLY_WAITING - rate_limit.MAX_COSTLY_OF_TABLE
        )
        door.pool.go.set()
        await asyncio.gather(*devices, *elsewhere)
        assert (door.costly, dict(door._costly)) == (0, {})

    asyncio.run(played())


async def _everybody(scope, table=""):
    return known_devices.cookie_of(scope)


def test_opponents_think_apart_from_other_costly_work_and_table_by_table(monkeypatch):
    monkeypatch.setattr(rate_limit, "_ai_player_waits", lambda tables, table: table not in thought)
    monkeypatch.setattr(rate_limit, "token", lambda tables, table: "token")
    thought: list[str] = []

    class Thinkers(Slow):
        running = most = 0

        async def carry_out(self, asked, seconds):
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0.01)
            self.running -= 1
            thought.append(asked.scope["path"].split("/")[2])
            return PoolResponse(200, [], b"")

    async def played() -> None:
        thinkers = Thinkers()
        door = gated(asyncio.Event(), [])
        door.background = thinkers
        door.state.live = SimpleNamespace(update=lambda table: None)
        tables = [f"{one:016x}" for one in range(15)]
        for table in tables:
            door._start_ai_players(f"/tables/{table}/act")
        odds = asyncio.create_task(ask(door, "GET", "/odds"))
        await asyncio.gather(*door._ai_runs.values())
        assert sorted(thought) == tables, "none ran out of time while it waited"
        assert thinkers.most == 1
        assert door.pool.asked == ["/odds"]
        door.pool.go.set()
        assert (await odds)[0] == 200

    asyncio.run(played())


def test_when_too_many_come_strangers_wait_or_come_back_and_those_who_play_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(rate_limit, "UNKNOWN_AT_ONCE", 2)
    monkeypatch.setattr(rate_limit, "MAX_UNKNOWN_WAITING", 3)
    monkeypatch.setattr(rate_limit, "UNKNOWN_SECONDS", 0.2)

    async def played() -> None:
        release, inside = asyncio.Event(), list[str]()
        door = gated(release, inside)
        assert (await ask(door, "GET", "/", cookie=PLAYER))[0] == 200
        strangers = [asyncio.create_task(ask(door, "GET", "/slow", cookie=f"device=s{one}")) for one in range(20)]
        while sum(task.done() for task in strangers) < 18:
            await asyncio.sleep(0.01)
        assert {task.result()[0] for task in strangers if task.done()} == {503}
        assert (await asyncio.wait_for(ask(door, "GET", "/x", cookie=PLAYER), 5))[0] == 200
        assert (await ask(door, "GET", "/x", cookie="device=stranger"))[0] == 503
        release.set()
        assert [task.result()[0] for task in strangers if (await task) and task.result()[0] == 200] == [200, 200]
        assert (await ask(door, "GET", "/x", cookie="device=stranger"))[0] == 200

    asyncio.run(played())


def test_a_stranger_is_let_in_when_nobody_who_plays_is_being_answered_or_after_a_while(tmp_path, monkeypatch):
    monkeypatch.setattr(rate_limit, "YIELD_SECONDS", 0.3)

    async def played() -> None:
        release, inside = asyncio.Event(), list[str]()
        door = gated(release, inside)
        assert (await ask(door, "GET", "/", cookie=PLAYER))[0] == 200
        for ends in (True, False):
            release.clear()
            inside.clear()
            acting = asyncio.create_task(ask(door, "GET", "/slow", cookie=PLAYER))
            await asyncio.sleep(0.01)
            stranger = asyncio.create_task(ask(door, "GET", "/new", cookie=f"device=stranger{ends}"))
            await asyncio.sleep(0.05)
            assert inside == ["/slow"], "the stranger waits"
            if ends:
                release.set()
            assert (await asyncio.wait_for(stranger, 5))[0] == 200
            assert inside == ["/slow", "/new"]
            release.set()
            assert (await acting)[0] == 200

    asyncio.run(played())


def test_a_cookie_that_nobody_signed_and_a_signed_one_without_a_seat_do_not_go_first():
    async def played() -> None:
        for cookie in ("device=zzz", "device=player.zzz", SIGNED):
            release, inside = asyncio.Event(), list[str]()
            door = gated(release, inside)
            many = [asyncio.create_task(ask(door, "GET", "/slow", cookie=cookie)) for _ in range(20)]
            await asyncio.sleep(0.2)
            assert len(inside) == rate_limit.UNKNOWN_AT_ONCE, cookie
            assert (await asyncio.wait_for(ask(door, "GET", "/x", cookie=PLAYER), 5))[0] == 200
            release.set()
            await asyncio.gather(*many)

    asyncio.run(played())


async def drip(app, path: str, cookie: str = "", length: int = 30_000_000, address: str = "192.0.2.9"):
    """A request whose body comes a byte at a time and never ends; its status."""
    headers = [(b"content-length", str(length).encode()), *([(b"cookie", cookie.encode())] if cookie else [])]
    sent: list = []

    async def receive():
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message):
        sent.append(message)

    await app({"type": "http", "method": "POST", "path": path, "headers": headers, "client": (address, 1)}, receive, send)
    return sent[0]["status"]


def test_a_body_that_comes_slowly_keeps_no_newcomer_waiting_and_takes_no_slot(monkeypatch):
    monkeypatch.setattr(request_bodies, "STRANGER_SECONDS", 0.4)
    monkeypatch.setattr(request_bodies, "LIMITS", {**request_bodies.LIMITS, "forms": (50, 8)})

    async def played() -> None:
        door = gated(asyncio.Event(), [])
        for path in (f"/tables/{PLAYED}/maps/new", "/tables/any/maps/new", f"/api/tables/{PLAYED}/pictures"):
            for cookie in ("", "device=zzz", SIGNED):
                assert await asyncio.wait_for(drip(door, path, cookie), 5) == 404, "refused before a byte of the body"
        slow = [asyncio.create_task(drip(door, "/host/open", length=200_000)) for _ in range(12)]
        await asyncio.sleep(0.05)
        assert (await asyncio.wait_for(ask(door, "GET", "/"), 5))[0] == 200
        assert sorted(await asyncio.gather(*slow)) == [408] * 8 + [503] * 4
        assert (await ask(door, "POST", "/host/open", "192.0.2.9", body=b"x"))[0] == 200, "the address may send again"

    asyncio.run(played())


def test_few_pictures_are_decoded_at_once_and_who_plays_does_not_wait_for_them(monkeypatch):
    monkeypatch.setattr(rate_limit, "PICTURE_SECONDS", 0.3)
    monkeypatch.setattr(rate_limit, "MAX_PICTURES_WAITING", 3)

    async def played() -> None:
        release, inside = asyncio.Event(), list[str]()
        door = gated(release, inside)
        door.app = _slow(release, inside)
        where = f"/tables/{PLAYED}"
        paths = [("POST", f"{where}/pictures"), ("POST", f"{where}/maps/new"), ("GET", f"{where}/scenes/1/picture/{'0' * 32}")] * 3
        many = [asyncio.create_task(ask(door, method, path, cookie=PLAYER)) for method, path in paths]
        await asyncio.sleep(0.1)
        assert len(inside) == rate_limit.PICTURES_AT_ONCE
        assert (await asyncio.wait_for(ask(door, "GET", f"{where}/pictures", cookie=PLAYER), 5))[0] == 200
        await asyncio.sleep(0.4)
        release.set()
        answers = await asyncio.gather(*many)
        assert [status for status, _, _ in answers].count(200) == rate_limit.PICTURES_AT_ONCE
        assert all(int(headers["retry-after"]) == 10 for status, headers, _ in answers if status == 503)

    asyncio.run(played())


def _slow(release: asyncio.Event, inside: list[str]):
    """An application that answers everything but the list of pictures when it is released."""

    async def app(scope, receive, send):
        if scope["method"] == "POST" or "/scenes/" in scope["path"]:
            inside.append(scope["path"])
            await release.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return app


def test_a_body_is_passed_on_whole():
    async def played() -> None:
        received: list[int] = []

        async def app(scope, receive, send):
            size, more = 0, True
            while more:
                message = await receive()
                size, more = size + len(message["body"]), message["more_body"]
            received.append(size)
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        door = gated(asyncio.Event(), [])
        door.app = app
        for size in (0, 10, 3_000_000):
            assert (await ask(door, "POST", f"/tables/{PLAYED}/pictures", cookie=PLAYER, body=bytes(size)))[0] == 200
        assert received == [0, 10, 3_000_000]

    asyncio.run(played())


def test_streams_that_are_opened_at_once_are_as_many_as_allowed(client: TestClient, monkeypatch):
    live = client.app.state.live
    allowed = 0
    for number in range(60):
        with suppress(live_updates.TooManyListeners):
            live.reserve(live_updates.Listener("t", "m1", "d", str(number)))
            allowed += 1
    assert allowed == live_updates.MAX_OF_ONE
    live.reserve(live_updates.Listener("t", "m2", "other", ""))
    monkeypatch.setattr(live_updates, "RESERVED_SECONDS", 0.0)
    live._reserved.clear()
    for number in range(60):
        live.reserve(live_updates.Listener("t", "m1", "d", str(number)))


@pytest.mark.slow
def test_costly_work_is_done_in_another_process_and_what_takes_too_long_is_ended(tmp_path, monkeypatch):
    processes = ProcessPool(str(tmp_path / "tables.db"), 1)
    app = RateLimiter(create_app(str(tmp_path / "tables.db")), processes)

    async def played() -> None:
        query = b"notation=3d%2B1+vs+5"
        status, _, body = await ask(app, "GET", "/api/systems/scumm/odds", query=query)
        assert (status, json.loads(body)["system"]) == (200, "scumm")
        assert b"3d" in (await ask(app, "GET", "/odds", query=b"system=scumm&test=3d"))[2]
        monkeypatch.setattr(rate_limit, "COSTLY_SECONDS", 0.2)
        heavy = "&".join(["system=scumm", *(f"test={97 + one}d%2B123+vs+95d" for one in range(4))]).encode()
        status, headers, _ = await ask(app, "GET", "/odds", query=heavy)
        assert (status, headers["retry-after"]) == (503, "30")
        monkeypatch.setattr(rate_limit, "COSTLY_SECONDS", 60.0)
        assert (await ask(app, "GET", "/api/systems/scumm/odds", query=query))[0] == 200, "another process takes its place"

    try:
        asyncio.run(played())
    finally:
        processes.close()
        app.state.tables.close()


# --- connections --------------------------------------------------------------------------------------------------------------


@contextmanager
def serving(app, most: int = 0) -> Iterator[tuple[int, connections.UnfinishedConnections]]:
    """A server with patient connections, its port and who waits there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    protocol = connections.timeout_protocol(most)
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, http=protocol, ws="none", log_level="critical", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < until
        time.sleep(0.02)
    yield port, protocol.waiting
    server.should_exit = True
    thread.join(10)


async def hello(scope, receive, send):
    """Answers as soon as the request is whole; /endless never stops sending."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    while scope["path"] == "/endless":
        await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
        await asyncio.sleep(0.001)
    await send({"type": "http.response.body", "body": b"hello"})


def closed(connection: socket.socket) -> bool:
    """Whether the other side closes within a few seconds."""
    connection.settimeout(20)
    try:
        while connection.recv(65_536):
            pass
    except (ConnectionResetError, BrokenPipeError):
        return True
    except TimeoutError:
        return False
    return True


def test_connections_that_never_finish_a_request_give_way_and_are_closed(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 3.0)
    with serving(hello, most=20) as (port, waiting):
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        for each in idle[::2]:
            each.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ")
        for _ in range(5):
            assert httpx.get(f"http://127.0.0.1:{port}/", timeout=20).text == "hello", "others are served all the while"
        assert all(closed(each) for each in idle)
        assert waiting.closed >= 60
        assert not waiting.pending
        for each in idle:
            each.close()


def test_one_address_takes_no_more_than_its_share_of_unfinished_connections(monkeypatch):
    monkeypatch.setattr(connections, "MAX_UNFINISHED", 5)
    with serving(hello) as (port, waiting):
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
        assert all(closed(each) for each in idle[:7])
        assert len(waiting.pending) <= 5
        for each in idle:
            each.close()


def test_a_body_that_never_comes_and_an_answer_that_nobody_reads_end_the_connection(monkeypatch):
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(connections, "READ_SECONDS", 0.5)
    with serving(hello) as (port, waiting):
        with socket.create_connection(("127.0.0.1", port)) as body:
            body.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nx")
            assert closed(body)
        with socket.create_connection(("127.0.0.1", port)) as unread:
            unread.sendall(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n")
            until = time.monotonic() + 20
            while waiting.closed < 2 and time.monotonic() < until:
                time.sleep(0.05)
            assert waiting.closed == 2
        assert httpx.get(f"http://127.0.0.1:{port}/").text == "hello"


@pytest.mark.parametrize("head", [b"x-large: " + b"x" * 40_000, b"\r\n".join(b"x-%d: y" % number for number in range(200))])
def test_a_head_that_is_too_large_is_refused(head):
    with serving(hello) as (port, _), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n" + head + b"\r\n\r\n")
        connection.settimeout(20)
        assert connection.recv(100).startswith(b"HTTP/1.1 431 ")


# --- streams, cookies, what is written down -----------------------------------------------------------------------------------


def test_one_device_too_many_times_listening_is_told_so_with_503(client: TestClient, monkeypatch):
    table = client.post("/api/tables", json=HOSTED).json()["table"]
    monkeypatch.setattr(live_updates, "MAX_OF_ONE", 0)
    for path in (f"/api/tables/{table}/stream", f"/tables/{table}/live"):
        answer = client.get(path)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
    assert client.get(f"/api/tables/{table}/stream").json()["error"].startswith("this device has")
    monkeypatch.setattr(live_updates, "MAX_LISTENERS", 0)
    assert "too many people are connected" in client.get(f"/api/tables/{table}/stream").json()["error"]


def test_a_listener_who_takes_nothing_is_sent_home_and_what_waits_is_bounded():
    listener = live_updates.Listener("t", "m1", "d", "")
    for number in range(live_updates.MAX_QUEUED + 50):
        listener.send(live_updates.News(f"mark {number}", [], "look"))
    told = [listener.queue.get_nowait() for _ in range(live_updates.MAX_QUEUED + 1)]
    assert told[-1] is None
    assert listener.mark == f"mark {live_updates.MAX_QUEUED - 1}", "on coming back nothing is missed"


def test_a_planted_cookie_is_worth_nothing_after_somebody_sat_down_with_it(client: TestClient):
    planted = client.post("/api/tables", json=HOSTED)
    cookie = client.cookies["device"]
    other = TestClient(client.app)
    made = other.post("/api/tables", json={**HOSTED, "name": "Victim's"}).json()
    victim = TestClient(client.app, cookies={"device": cookie})
    for path, body in (
        (f"/api/tables/{made['table']}/lead", {"token": made["gamemaster"]}),
        (f"/api/tables/{made['table']}/join", {"token": made["invitation"], "name": "Ana"}),
    ):
        assert victim.post(path, json=body).status_code == 201
        assert client.cookies["device"] == cookie, "the planter still has the old one"
        assert client.get(f"/api/tables/{made['table']}").status_code == 404
        assert victim.get(f"/api/tables/{made['table']}").status_code == 200
    assert planted.status_code == 201


def test_behind_tls_cookies_are_the_sites_own_and_browsers_stay_with_it(client: TestClient):
    with TestClient(client.app, base_url="https://testserver.local") as secure:
        answer = secure.post("/api/tables", json=HOSTED)
        said = answer.headers["set-cookie"]
        assert said.startswith("__Host-device=")
        assert "Secure" in said
        assert "Path=/" in said
        assert "Domain" not in said
        assert secure.get(f"/api/tables/{answer.json()['table']}").status_code == 200
        assert "max-age=31536000" in secure.get("/").headers["strict-transport-security"]
    assert "strict-transport-security" not in client.get("/").headers


def test_the_access_log_holds_no_links_no_queries_and_no_forged_lines(caplog):
    log = monitoring.Metrics(access_log=True)
    caplog.set_level("INFO", "rulewright.access")
    for path in (
        "/tables/0123456789abcdef/join/SECRET",
        "/tables/0123456789abcdef/join/SECRET/sit",
        "/tables/0123456789abcdef/lead/SECRET",
        "/tables/0123456789abcdef/seat/m2/SECRET/sit",
        "/x\n192.0.2.1 GET /forged 200",
    ):
        log.record({"path": path, "method": "GET", "client": ("192.0.2.7", 1), "query_string": b"token=SECRET"}, "page", 200, 0.01)
    assert "SECRET" not in caplog.text
    assert len(caplog.messages) == 5
    assert not any("\n" in message for message in caplog.messages)
    assert "/tables/0123456789abcdef/join/.../sit 200" in caplog.messages[1]


def test_the_health_address_asks_the_database(client: TestClient):
    assert client.get("/health").json()["status"] == "well"
    numbers = monitoring.Metrics()
    numbers.add_gauges(RateLimiter(client.app))
    numbers.record({"path": "/", "method": "GET"}, "page", 200, 0.01)
    from prometheus_client import generate_latest

    said = generate_latest(numbers.registry).decode()
    assert 'rulewright_answers_total{sort="page",status="2xx"} 1.0' in said
    assert "rulewright_listening 0.0" in said
