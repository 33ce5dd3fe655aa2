"""A server on a free port for the browser, and a client without one for everything else."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from litestar.testing import TestClient

from rulewright.web.app import create_app


@pytest.fixture
def client(tmp_path) -> Iterator[TestClient]:
    with TestClient(create_app(str(tmp_path / "tables.db"))) as client:
        yield client


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    db = str(tmp_path_factory.mktemp("tables") / "tables.db")
    server = uvicorn.Server(uvicorn.Config(create_app(db), host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < until, "the server took too long to start"
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)
