"""serve: what can be said before the first page."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from rulewright.table.storage.store import Store, default_url


def test_a_port_that_is_taken_is_refused_in_one_line(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run("serve", "--port", port)
    assert refused.status == 2
    assert str(port) in refused.err
    assert refused.err.count("\n") == 1


def test_a_database_in_a_folder_that_is_not_there_is_refused_in_one_line(run, folder):
    refused = run("serve", "--port", 0, "--db", folder / "typo" / "tables.db")
    assert refused.status == 2
    assert f"{folder / 'typo'}: there is no such folder" in refused.err
    assert refused.err.count("\n") == 1
    assert not (folder / "typo").exists()
    refused = run("serve", "--port", 0, "--db", folder)
    assert refused.status == 2
    assert "is a folder: name a file in it" in refused.err


@pytest.mark.parametrize("command", [("serve", "--port", 0), ("backup", "b.db"), ("restore", "b.db")])
def test_an_empty_address_of_the_database_is_refused_and_not_the_usual_one(run, folder, monkeypatch, command):
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    refused = run(*command, "--db", "")
    assert refused.status == 2
    assert "the database URL is empty" in refused.err
    assert not (folder / "data").exists()


def test_a_second_server_on_one_sqlite_file_is_refused_in_one_line(run, folder):
    first = Store(str(folder / "tables.db"))
    first.serve_alone()
    refused = run("serve", "--port", 0, "--db", folder / "tables.db")
    assert refused.status == 2
    assert "another server runs on this database" in refused.err
    assert refused.err.count("\n") == 1
    assert run("backup", "b.db", "--db", folder / "tables.db").status == 0
    first.close()
    second = Store(str(folder / "tables.db"))
    second.serve_alone()
    second.close()


def test_the_usual_place_is_made_when_it_is_needed(folder, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    for url in (None, default_url()):
        Store(url).close()
        assert (folder / "data" / "rulewright" / "tables.db").is_file()
        for file in (folder / "data" / "rulewright").iterdir():
            file.unlink()
        (folder / "data" / "rulewright").rmdir()


def test_a_base_install_says_which_extra_is_missing(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "litestar", None)
    refused = run("serve")
    assert refused.status == 2
    assert "rulewright[web]" in refused.err


def test_charts_and_paper_say_which_extra_is_missing(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setitem(sys.modules, "typst", None)
    assert "rulewright[charts]" in run("odds", "scumm", "3d", "--plot", "o.svg").err
    assert "rulewright[paper]" in run("sheet", "scumm/medic", "--pdf", "s.pdf").err
    assert run("odds", "scumm", "3d", "--plot", "o.json").status == 0


@pytest.mark.slow
def test_ctrl_c_ends_open_streams_whole_and_says_nothing(folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "import sys; from rulewright.cli import main; sys.exit(main())"]
    arguments = ["serve", "--port", str(port), "--db", str(folder / "tables.db")]
    with subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True) as server:
        streams = [_stream(port) for _ in range(3)]
        server.send_signal(signal.SIGINT)
        rest = [stream.read() for stream in streams]  # raises where a stream was cut off
        said = server.communicate(timeout=60)[1]
    assert len(rest) == 3
    assert server.returncode == 0
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "Press Ctrl-C to stop."


def _stream(port: int) -> http.client.HTTPResponse:
    """A stream of a new table, of which the first event was read."""
    until = time.monotonic() + 60
    while True:
        try:
            asking = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            body = json.dumps({"system": "scumm", "name": "Friday", "gamemaster": "Bea"})
            asking.request("POST", "/api/tables", body, {"content-type": "application/json"})
            break
        except ConnectionRefusedError:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.1)
    answer = asking.getresponse()
    table, cookie = json.loads(answer.read())["table"], answer.headers["set-cookie"].partition(";")[0]
    asking.request("GET", f"/api/tables/{table}/stream", headers={"cookie": cookie})
    stream = asking.getresponse()
    assert stream.readline()
    return stream
