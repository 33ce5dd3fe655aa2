"""A private PostgreSQL cluster for the tests, in a temporary folder, reached through a socket and no network."""

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

import psycopg


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    if initdb is None:
        raise RuntimeError("PostgreSQL is not installed, and these tests need it: tools/environment.sh test")
    return Path(initdb).resolve().parent


class Cluster:
    """A cluster that starts on creation; `database()` creates a new, empty database."""

    def __init__(self) -> None:
        self.programs = _programs()
        self.folder = Path(tempfile.mkdtemp(prefix="rw-pg-", dir="/tmp"))
        self.user = "postgres"
        self._as: list[str] = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self._as = ["runuser", "-u", "postgres", "--"]
        data = self.folder / "data"
        self._run("initdb", "--pgdata", str(data), "--username", self.user, "--auth", "trust", "--encoding", "UTF8", "--no-sync")
        self.start()

    def start(self) -> None:
        """Starts it, after a crash too."""
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c max_connections=200"
        data = str(self.folder / "data")
        self._run("pg_ctl", "start", "--pgdata", data, "--wait", "--log", str(self.folder / "log"), "--options", options)

    def crash(self) -> None:
        """Ends it at once, as a crash does: it writes nothing more, and recovers from its own log when it starts."""
        self._run("pg_ctl", "stop", "--pgdata", str(self.folder / "data"), "--mode", "immediate")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self._as, str(self.programs / program), *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")

    def database(self) -> str:
        """The URL of a new database."""
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(f"postgresql:///postgres?host={self.folder}&user={self.user}", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql:///{name}?host={self.folder}&user={self.user}"

    def stop(self) -> None:
        """Stops it and removes its files."""
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)
