"""A long evening in small: thousands of acts, pages, streams and exports at one server. Memory, open files, the size of the database and
the time of an act stay flat.

`RULEWRIGHT_SOAK=N pytest tests/table/test_soak.py` plays N acts; `make thorough` plays 12,000.
"""

import http.client
import os
import random
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from msgspec import Struct

from table.killing import Victim
from table.test_faults_http import Device, free_port
from table.webserver import serve

ACTS = [int(os.environ.get("RULEWRIGHT_SOAK", "900")), pytest.param(12_000, marks=pytest.mark.thorough)]
TABLES, MOST_OPEN = 6, 8
"""Tables at which people act at a time, and how many stay in memory."""
EVENING = 50
"""Acts until people go on at another table."""
MOST_BYTES_OF_ACT = 2_000
"""Memory that may stay of an act: a tenth of what its lines take while their table is in memory."""
MOST_MEMORY = 12_000_000
"""Memory that may grow besides: caches that fill."""
MOST_TIMES = 1.6
"""By how much an act may become slower or larger on disk between the second part and the last."""
MOST_FILES = 8
MEASURED = 18
"""How often the server is measured."""
SCENES = ("shootout", "brawl", "duel", "raid")
PAGES = ("", "/people", "/notes", "/maps", "/log")


class Guest(Device):
    """A gamemaster at a table who begins one scene after another and reads its pages."""

    scene = 0

    def go_on(self) -> None:
        """Another evening, at another table."""
        self.scene, self.cookie = 0, ""
        self.host()

    def host(self) -> None:
        status, made = self.ask("/api/tables", {"system": "scumm", "name": f"Table {self.number}", "gamemaster": "Bea"})
        assert status == 201
        self.table = made["table"]
        self.begin()

    def act(self, do: str, **fields: object) -> int:
        """One action; its status."""
        return self.ask(f"/api/tables/{self.table}/act", {"action": {"do": do, **fields}})[0]

    def begin(self) -> None:
        """The next scene."""
        self.scene += 1
        assert self.act("begin scene", ready=SCENES[(self.scene + self.number) % len(SCENES)]) == 200

    def play(self) -> None:
        """One act; a scene that is over gives way to the next."""
        sort = self.chance.random()
        if sort < 0.15:
            assert self.act("say", text=f"Line {self.chance.randrange(10**6)}") == 200
        elif sort < 0.2:
            self.act("undo", scene=self.scene)
        elif self.act("decide", scene=self.scene) != 200:
            assert self.act("end scene", scene=self.scene) == 200
            self.begin()

    def read(self) -> None:
        """A page, an export, and a stream that is left at once."""
        for path in (f"/tables/{self.table}{self.chance.choice(PAGES)}", f"/api/tables/{self.table}/export"):
            assert self.get(path) in (200, 404)
        self.get(f"/api/tables/{self.table}/stream", whole=False)

    def get(self, path: str, *, whole: bool = True) -> int:
        """The status of a page; the connection is closed, whether or not everything came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path, headers={"cookie": self.cookie})
            answer = connection.getresponse()
            if whole:
                answer.read()
            return answer.status
        finally:
            connection.close()


class Measured(Struct):
    """What a server takes at a moment."""

    acts: int
    memory: int
    files: int
    disk: int
    seconds: float

    @classmethod
    def of(cls, pid: int, folder: Path, acts: int) -> "Measured":
        status = Path(f"/proc/{pid}/status").read_text()
        memory = 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        seconds = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
        return cls(acts, memory, len(list(Path(f"/proc/{pid}/fd").iterdir())), disk, seconds)


@pytest.mark.slow
@pytest.mark.parametrize("acts", ACTS)
def test_a_long_evening_leaves_memory_files_and_times_flat(tmp_path, acts):
    port = free_port()
    server = Victim(serve, f"sqlite:///{tmp_path}/tables.db", port, MOST_OPEN)
    chance = random.Random(4)
    guests = [Guest(port, number) for number in range(TABLES)]
    for guest in guests:
        guest.host()
    every = max(1, acts // MEASURED)
    measured = []
    for number in range(acts):
        guest = chance.choice(guests)
        if number % EVENING == EVENING - 1:
            guest.go_on()
        guest.play()
        if number % 10 == 0:
            guest.read()
        if (number + 1) % every == 0:
            server.refuse_death()
            measured.append(Measured.of(server.pid, tmp_path, number + 1))
    server.kill()
    refuse_growth(measured)


def refuse_growth(measured: list[Measured]) -> None:
    """Fails if the last third took more than the second."""
    second, last = measured[len(measured) // 3 : 2 * len(measured) // 3 + 1], measured[2 * len(measured) // 3 :]
    grown, played = last[-1].memory - second[0].memory, last[-1].acts - second[0].acts
    assert grown < MOST_MEMORY + MOST_BYTES_OF_ACT * played, "memory grows"
    assert max(later.files for later in last) <= max(earlier.files for earlier in second) + MOST_FILES, "files stay open"
    assert spent(last, "seconds") < MOST_TIMES * spent(second, "seconds"), "acts become slower"
    assert spent(last, "disk") < MOST_TIMES * spent(second, "disk"), "acts become larger"


def spent(measured: list[Measured], field: str) -> float:
    """What an act took, as the median of the parts."""
    steps = pairwise(measured)
    return median([(getattr(after, field) - getattr(before, field)) / (after.acts - before.acts) for before, after in steps])


def test_growth_would_be_found():
    flat = [Measured(100 * at, 120_000_000 + 50_000 * at, 20, 10_000 * at, float(at)) for at in range(1, 19)]
    refuse_growth(flat)
    for field, by in (("memory", 40_000_000), ("files", 5), ("disk", 40_000), ("seconds", 4.0)):
        growing = [plain if at < 12 else _more(plain, field, by * (at - 11)) for at, plain in enumerate(flat)]
        with pytest.raises(AssertionError):
            refuse_growth(growing)


def _more(measured: Measured, field: str, by: float) -> Measured:
    fields = {name: getattr(measured, name) for name in Measured.__struct_fields__}
    return Measured(**{**fields, field: fields[field] + by})
