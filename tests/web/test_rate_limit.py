"""The gate before the server: costly work apart, those who play before those who come, and connections that never go on."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
import uvicorn
from litestar.testing import TestClient

from rulewright.web.app import create_app
from rulewright.web.server import connections, monitoring, rate_limit
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

    app.state = None
    return RateLimiter(app, Slow())


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


def test_when_too_many_come_strangers_wait_or_come_back_and_those_who_play_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(rate_limit, "UNKNOWN_AT_ONCE", 2)
    monkeypatch.setattr(rate_limit, "MAX_UNKNOWN_WAITING", 3)
    monkeypatch.setattr(rate_limit, "UNKNOWN_SECONDS", 0.2)

    async def played() -> None:
        release, inside = asyncio.Event(), list[str]()
        door = gated(release, inside)
        assert (await ask(door, "GET", "/", cookie="device=player"))[0] == 200
        strangers = [asyncio.create_task(ask(door, "GET", "/slow", cookie=f"device=s{one}")) for one in range(20)]
        while sum(task.done() for task in strangers) < 18:
            await asyncio.sleep(0.01)
        assert {task.result()[0] for task in strangers if task.done()} == {503}
        assert (await asyncio.wait_for(ask(door, "GET", "/x", cookie="device=player"), 5))[0] == 200
        assert (await ask(door, "GET", "/x", cookie="device=stranger"))[0] == 503
        release.set()
        assert [task.result()[0] for task in strangers if (await task) and task.result()[0] == 200] == [200, 200]
        assert (await ask(door, "GET", "/x", cookie="device=stranger"))[0] == 200
        assert "stranger" not in door._known_devices, "nobody becomes known while others are refused"

    asyncio.run(played())


def test_a_stranger_is_let_in_when_nobody_who_plays_is_being_answered_or_after_a_while(tmp_path, monkeypatch):
    monkeypatch.setattr(rate_limit, "YIELD_SECONDS", 0.3)

    async def played() -> None:
        release, inside = asyncio.Event(), list[str]()
        door = gated(release, inside)
        assert (await ask(door, "GET", "/", cookie="device=player"))[0] == 200
        for ends in (True, False):
            release.clear()
            inside.clear()
            acting = asyncio.create_task(ask(door, "GET", "/slow", cookie="device=player"))
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
