"""The service is killed repeatedly while twenty tables play: nothing acknowledged is lost or doubled, and everything replays."""

import itertools
import random
import shutil
import time
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulewright.table.commands import messages as a
from rulewright.table.log.entries import Said, SceneResumed
from rulewright.table.service import Tables
from rulewright.table.storage.backup import rescue_of
from rulewright.table.storage.continuous_copy import folder_of
from rulewright.table.storage.store import Store, understood
from table.killing import CONTEXT, Victim
from table.server import Granted, Wish, serve, standing

TABLES = 20
KILLS = [15, pytest.param(60, marks=pytest.mark.thorough)]


class Server(Victim):
    """A server process, with the pipe to it."""

    def __init__(self, url: str, largest_file: int = 0) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        super().__init__(serve, url, theirs, largest_file)
        theirs.close()


class Client:
    """A client of one table that sends one request after another, and repeats those that were not acknowledged."""

    def __init__(self, table: str, member: str, chance: random.Random) -> None:
        self.table, self.member, self.chance = table, member, chance
        self.count = itertools.count(1)
        self.wish: Wish | None = None
        self.granted: list[Granted] = []
        self.said: list[str] = []

    def next(self) -> Wish:
        """The open request, or a new one."""
        if self.wish is None:
            number = next(self.count)
            text = f"{self.table} {number}"
            action = self.chance.choices(
                [a.Say(text), a.Decide(1), a.RollDice(1), a.Undo(1), a.Redo(1)],
                [3, 5, 3, 0.7, 0.7],
            )[0]
            if isinstance(action, a.Say):
                self.said.append(text)
            self.wish = Wish(self.table, self.member, f"wish {number}", action)
        return self.wish

    def hear(self, granted: Granted) -> None:
        if self.wish is not None and granted.key == self.wish.key and not granted.outage:
            self.granted.append(granted)
            self.wish = None


def set_out(url: str, chance: random.Random) -> list[Client]:
    """Opens twenty tables with a fight in progress on each; half of the gamemasters roll by hand."""
    tables = Tables(url)
    clients = []
    for number in range(TABLES):
        hosting = tables.host("scumm", f"Table {number}", "Bea", f"device {number}")
        if number % 2:
            tables.act(hosting.table, hosting.member, a.ChooseDice(True))
        tables.act(hosting.table, hosting.member, a.BeginScene(ready=("shootout", "brawl")[number // 2 % 2]))
        clients.append(Client(hosting.table, hosting.member, chance))
    tables.close()
    return clients


def hear(servers: list[Server], clients: dict[str, Client], wanted: int) -> int:
    """Receives acknowledgements and sends the next request for each; returns how many requests were carried out."""
    granted = 0
    until = time.monotonic() + 120
    while wanted > 0:
        ready = wait([server.pipe for server in servers], max(0.0, until - time.monotonic()))
        assert ready, "the servers say nothing"
        for pipe in ready:
            server = next(one for one in servers if one.pipe is pipe)
            answer = pipe.recv()
            clients[answer.table].hear(answer)
            wanted, granted = wanted - 1, granted + (not answer.refused)
            send(server, clients[answer.table])
    return granted


def send(server: Server, client: Client) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # if it was killed, the wish is sent again to whoever comes next
        server.pipe.send(client.next())


@pytest.mark.slow
@pytest.mark.parametrize("kills", KILLS)
def test_nothing_acknowledged_is_lost_and_nothing_doubled_when_the_server_is_killed(url, kills):
    """One process on SQLite; two on PostgreSQL, which share the tables and are killed in turn."""
    processes = 1 if url.startswith("sqlite") else 2
    chance = random.Random(20)
    clients = set_out(url, chance)
    by_table = {client.table: client for client in clients}
    servers = [Server(url) for _ in range(processes)]
    granted = 0
    for kill in range(kills):
        for place, client in enumerate(clients):
            send(servers[place % processes], client)
        granted += hear(servers, by_table, chance.randint(1, 40))
        time.sleep(chance.uniform(0, 0.005))
        dying = kill % processes
        servers[dying].kill()
        drain(servers[dying], by_table)
        servers[dying].pipe.close()
        servers[dying] = Server(url)
    for server in servers:
        server.kill()
        drain(server, by_table)
    assert granted > kills * 5
    prove(url, clients)


def drain(server: Server, clients: dict[str, Client]) -> None:
    """Acknowledgements of a killed server count, even if they were not received yet."""
    with suppress(EOFError, ConnectionResetError):
        while server.pipe.poll(0):
            answer = server.pipe.recv()
            clients[answer.table].hear(answer)


def prove(url: str, clients: list[Client]) -> None:
    """Reads everything again and compares it with what was acknowledged."""
    tables = Tables(url)
    for client in clients:
        lines = tables.store.lines(client.table)
        keys = [(line.who, line.key) for line in lines if line.key is not None]
        assert len(keys) == len(set(keys))
        texts = [line.change.text for line in lines if isinstance(line.change, Said)]
        assert len(texts) == len(set(texts))
        assert set(texts) <= set(client.said)
        assert not any(isinstance(line.change, SceneResumed) for line in lines)
        for granted in client.granted:
            if granted.refused:
                continue
            assert (client.member, granted.key) in keys, "an acknowledged wish is lost"
            assert lines[granted.last - 1].check == granted.check, "what was acknowledged is not what stands"
        seq, check, questions = standing(tables, client.table)
        assert (seq, check) == (len(lines), lines[-1].check)
        if not client.granted:  # on a crowded machine somebody may never have had a turn
            continue
        last = client.granted[-1]
        if last.last == seq:
            assert questions == last.questions, "the table stands at another question"
        with tables.looking(client.table) as table:
            for stage in table.scenes.values():
                assert not stage.trouble()
    tables.close()
    if tables.store.sqlite:
        prove_copied(url, clients)


def prove_copied(url: str, clients: list[Client]) -> None:
    """Loses the whole database, rescues it from its continuous copy, and compares that with what was acknowledged."""
    database = Path(understood(url).database or "")
    with TemporaryDirectory() as folder:
        lost, rescued = Path(folder) / "lost.db", Path(folder) / "rescued.db"
        shutil.copytree(folder_of(database), folder_of(lost))
        rescue_of(lost, rescued)
        refuse_loss(Store(f"sqlite:///{rescued}"), clients)


def refuse_loss(store: Store, clients: list[Client]) -> None:
    """Fails if a rescued database has lost anything acknowledged."""
    for client in clients:
        lines = store.lines(client.table)
        keys = {(line.who, line.key) for line in lines}
        for granted in client.granted:
            assert granted.refused or ((client.member, granted.key) in keys and lines[granted.last - 1].check == granted.check)
    store.close()
