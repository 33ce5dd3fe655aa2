"""The real server is killed again and again while twenty devices act at twenty tables and repeat requests without an answer."""

import http.client
import itertools
import json
import random
import socket
import threading
import time

import pytest

from rulewright.table.log.entries import Said, SceneResumed
from rulewright.table.service import Tables
from table.killing import Victim
from table.webserver import serve

TABLES = 20
KILLS = [15, pytest.param(60, marks=pytest.mark.thorough)]


class Device:
    """A browser at one table, with its cookie; it repeats a request under the same key until it is answered."""

    def __init__(self, port: int, number: int) -> None:
        self.port, self.number = port, number
        self.chance = random.Random(number)
        self.cookie = ""
        self.table = self.member = ""
        self.granted: list[str] = []
        self.said: list[str] = []
        self.again = self.answered = 0
        self.failed: list[str] = []

    def ask(self, path: str, body: object, stop: threading.Event | None = None) -> tuple[int, dict]:
        """One request, repeated until there is an answer."""
        until = time.monotonic() + 300
        while time.monotonic() < until and not (stop is not None and stop.is_set()):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                headers = {"content-type": "application/json", "cookie": self.cookie}
                connection.request("POST", path, json.dumps(body), headers)
                answer = connection.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
                continue
            finally:
                connection.close()
            if not self.cookie:
                self.cookie = answer.headers["set-cookie"].partition(";")[0]
            return answer.status, json.loads(content)
        return 0, {}

    def host(self) -> None:
        status, made = self.ask("/api/tables", {"system": "scumm", "name": f"Table {self.number}", "gamemaster": "Bea"})
        assert status == 201
        self.table, self.member = made["table"], made["member"]
        begin = {"do": "begin scene", "ready": ("shootout", "brawl")[self.number % 2]}
        assert self.ask(f"/api/tables/{self.table}/act", {"action": begin})[0] == 200

    def play(self, stop: threading.Event) -> None:
        """Sends one request after another."""
        for number in itertools.count(1):
            text = f"{self.table} {number}"
            decide, undo = {"do": "decide", "scene": 1}, {"do": "undo", "scene": 1}
            action = self.chance.choices([{"do": "say", "text": text}, decide, undo, {**undo, "do": "redo"}], [3, 6, 1, 1])[0]
            if action["do"] == "say":
                self.said.append(text)
            status, answer = self.ask(f"/api/tables/{self.table}/act", {"action": action, "key": f"wish {number}"}, stop)
            if stop.is_set():
                return
            self.answered += 1
            if status == 200:
                self.granted.append(f"wish {number}")
                self.again += answer["again"]
            elif status != 400:
                self.failed.append(f"{status}: {answer}")


def enough(devices: list[Device], before: list[int], wanted: int, *, everybody: bool) -> bool:
    """Whether enough answers came, with at least one for every table, so that none waits for ever."""
    came = [device.answered - old for device, old in zip(devices, before, strict=True)]
    return sum(came) >= wanted and (not everybody or min(came) > 0)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.slow
@pytest.mark.parametrize("kills", KILLS)
def test_over_http_nothing_acknowledged_is_lost_and_nothing_doubled(url, kills):
    port, stop, chance = free_port(), threading.Event(), random.Random(50)
    running = Victim(serve, url, port)
    devices = [Device(port, number) for number in range(TABLES)]
    for device in devices:
        device.host()
    threads = [threading.Thread(target=device.play, args=(stop,), daemon=True) for device in devices]
    for thread in threads:
        thread.start()
    for kill in range(kills):
        before = [device.answered for device in devices]
        wanted = chance.randint(1, 25)
        until = time.monotonic() + 120
        while not enough(devices, before, wanted, everybody=kill % 10 == 9):
            running.refuse_death()
            assert time.monotonic() < until, "the server answers nobody"
            time.sleep(0.002)
        running.kill()
        running = Victim(serve, url, port)
    stop.set()
    running.kill()
    for thread in threads:
        thread.join(60)
    prove(url, devices, kills)


def prove(url: str, devices: list[Device], kills: int) -> None:
    """Reads everything again and compares it with what was acknowledged."""
    assert [device.failed for device in devices if device.failed] == []
    assert sum(len(device.granted) for device in devices) > kills * 5
    tables = Tables(url)
    for device in devices:
        lines = tables.store.lines(device.table)
        keys = [line.key for line in lines if line.key is not None]
        assert len(keys) == len(set(keys))
        assert set(device.granted) <= set(keys), "an acknowledged wish is lost"
        texts = [line.change.text for line in lines if isinstance(line.change, Said)]
        assert len(texts) == len(set(texts))
        assert set(texts) <= set(device.said)
        assert not any(isinstance(line.change, SceneResumed) for line in lines)
        with tables.looking(device.table) as table:
            assert not any(stage.trouble() for stage in table.scenes.values())
    tables.close()
