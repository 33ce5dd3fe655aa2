"""The database itself fails while twenty tables play: PostgreSQL crashes, or the disk is full. Nothing acknowledged is lost or doubled."""

import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from table.cluster import Cluster
from table.test_faults import Client, Server, drain, hear, prove, send, set_out


def room(file: Path) -> int:
    """The size of the write-ahead log, which grows with every act."""
    log = file.with_name(f"{file.name}-wal")
    return log.stat().st_size if log.is_file() else 0


@pytest.fixture
def own_cluster():
    """A PostgreSQL that no other test uses."""
    cluster = Cluster()
    yield cluster
    cluster.stop()


@pytest.mark.slow
@pytest.mark.parametrize("crashes", [3, pytest.param(20, marks=pytest.mark.thorough)])
def test_nothing_acknowledged_is_lost_when_postgresql_crashes(own_cluster, crashes):
    chance, url = random.Random(30), own_cluster.database()
    clients = set_out(url, chance)
    by_table = {client.table: client for client in clients}
    server, granted = Server(url), 0
    for client in clients:
        send(server, client)
    for _ in range(crashes):
        granted += hear([server], by_table, chance.randint(10, 60))
        time.sleep(chance.uniform(0, 0.005))
        own_cluster.crash()
        own_cluster.start()
    granted += hear([server], by_table, 100)
    server.kill()
    drain(server, by_table)
    assert granted > crashes * 5
    prove(url, clients)


def may_mount(folder: Path) -> bool:
    """Mounts a small file system, if this user may."""
    return os.getuid() == 0 and not subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], check=False).returncode


@pytest.fixture(params=["small disk", "limited file"])
def full(request, tmp_path):
    """The folder of a database that soon has no room, and the largest size of its files."""
    if request.param == "small disk" and may_mount(tmp_path):
        yield tmp_path, 0
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)
    else:  # without the right to mount, files alone are limited
        yield tmp_path, 700_000


@pytest.mark.slow
@pytest.mark.parametrize("times", [3, pytest.param(10, marks=pytest.mark.thorough)])
def test_nothing_acknowledged_is_lost_when_the_disk_is_full(full, times):
    """The disk fills up, the server says so and goes on reading; somebody makes room, and everything goes on."""
    folder, largest = full
    chance = random.Random(31)
    url = f"sqlite:///{folder / 'tables.db'}"
    clients = set_out(url, chance)
    by_table = {client.table: client for client in clients}
    ballast = folder / "ballast"
    outages = 0
    for _ in range(times):
        server = Server(url, largest and max(room(folder / "tables.db") + 60_000, (folder / "tables.db").stat().st_size // 2))
        for client in clients:
            send(server, client)
        hear([server], by_table, chance.randint(20, 60))
        if not largest:
            fill(ballast)
        outages += refused(server, by_table, clients)
        server.kill()
        drain(server, by_table)
        server.pipe.close()
        ballast.unlink(missing_ok=True)
        server = Server(url)
        for client in clients:
            send(server, client)
        assert hear([server], by_table, 30), "it goes on"
        server.kill()
        drain(server, by_table)
        server.pipe.close()
    assert outages >= times * 5
    prove(url, clients)


def fill(ballast: Path) -> None:
    """Leaves no room on the disk."""
    with ballast.open("wb", buffering=0) as file:
        for size in (100_000, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def refused(server: Server, by_table: dict[str, Client], clients: list[Client], most: int = 4000) -> int:
    """Plays on until the database has refused a number of requests; returns how many it refused."""
    outages = 0
    for _ in range(most):
        assert server.pipe.poll(120), "the server says nothing"
        answer = server.pipe.recv()
        outages += answer.outage
        by_table[answer.table].hear(answer)
        if outages >= len(clients):
            break
        send(server, by_table[answer.table])
    return outages
