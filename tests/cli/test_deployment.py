"""The files of deploy/: the server behind nginx and Caddy with TLS and a live stream, the units, and several processes on PostgreSQL."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from table.cluster import Cluster

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
COMMAND = [sys.executable, "-c", "import sys; from rulewright.cli import main; sys.exit(main())"]
HOSTED = {"system": "scumm", "name": "Friday", "gamemaster": "Bea"}


def free_ports(count: int) -> list[int]:
    found = [socket.socket() for _ in range(count)]
    for each in found:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in found]
    for each in found:
        each.close()
    return ports


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 90
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert process.poll() is None, "it ended"
        assert time.monotonic() < until, "it did not start"
        time.sleep(0.05)


@contextmanager
def started(port: int, *command: str, **options) -> "Iterator[subprocess.Popen[bytes]]":
    """A program that listens at a port, until this ends."""
    process = subprocess.Popen(command, **options)
    try:
        wait_for(port, process)
        yield process
    finally:
        process.send_signal(signal.SIGINT if "rulewright" in command[2] else signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)
        process.kill()
        process.wait()


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[int]:
    (port,) = free_ports(1)
    arguments = ["serve", "--port", str(port), "--db", str(folder / "tables.db"), "--proxy", "127.0.0.1", *more]
    with started(port, *COMMAND, *arguments, stderr=subprocess.DEVNULL):
        yield port


def certificate(folder: Path) -> None:
    names = "subjectAltName=DNS:tables.example.org,IP:127.0.0.1"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=tables.example.org", "-addext", names]
    subprocess.run([*made, "-keyout", "privkey.pem", "-out", "fullchain.pem"], cwd=folder, check=True, stderr=subprocess.DEVNULL)


def live_through(base: str, folder: Path) -> None:
    """What people need of a proxy: TLS, the site's own cookies, and a stream that brings every act at once."""
    trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    with httpx.Client(base_url=base, verify=trusted, timeout=60, headers={"host": "tables.example.org"}) as people:
        answer = people.post("/api/tables", json=HOSTED)
        assert answer.status_code == 201, answer.text
        assert answer.headers["set-cookie"].startswith("__Host-device=")
        assert "Secure" in answer.headers["set-cookie"]
        assert "max-age" in answer.headers["strict-transport-security"]
        table = answer.json()["table"]
        cookie = answer.headers["set-cookie"].partition(";")[0]
        with people.stream("GET", f"/api/tables/{table}/stream", headers={"cookie": cookie}) as stream:
            lines = stream.iter_lines()
            assert stream.headers["content-type"].startswith("text/event-stream")
            first = next(line for line in lines if line.startswith("data:"))
            assert json.loads(first[5:])["mark"]
            for word in ("one", "two", "three"):
                said = {"action": {"do": "say", "text": word}}
                acted = people.post(
                    f"/api/tables/{table}/act", json=said, headers={"cookie": cookie, "origin": "https://tables.example.org"}
                )
                assert acted.status_code == 200, acted.text
                told = json.loads(next(line for line in lines if line.startswith("data:"))[5:])
                assert [line["text"] for line in told["lines"]] == [word], "each act comes at once, while the stream stays open"
        exported = people.get(f"/api/tables/{table}/export", headers={"cookie": cookie}).content
        padded = exported + b" " * 400_000  # more than any other request may have
        assert people.post("/api/import", content=padded).status_code == 400
        assert people.post("/api/import", content=exported).status_code == 201
        assert "https://tables.example.org" in people.post("/host/open", data={"system": "scumm", "gamemaster": "Bea"}).text


@pytest.mark.slow
def test_nginx_as_configured_passes_tls_streams_and_imports(tmp_path):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    assert Path(nginx).exists(), "nginx is not installed, and this test needs it: tools/environment.sh test"
    certificate(tmp_path)
    plain, secure = free_ports(2)
    with serving(tmp_path) as port:
        text = (DEPLOY / "nginx.conf").read_text()
        text = re.sub(r"\n\s*listen \[::\][^\n]*", "", text).replace("listen 80;", f"listen 127.0.0.1:{plain};")
        text = text.replace("listen 443 ", f"listen 127.0.0.1:{secure} ").replace("127.0.0.1:8000", f"127.0.0.1:{port}")
        text = text.replace("/etc/letsencrypt/live/tables.example.org", str(tmp_path))
        paths = "".join(f"{each}_temp_path {tmp_path}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.getuid() == 0 else ""
        top = f"{user} daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}"
        around = f"{top} http {{ access_log off; {paths}\n{text}\n}}"
        (tmp_path / "whole.conf").write_text(around)
        (tmp_path / "logs").mkdir()
        with started(secure, nginx, "-p", str(tmp_path), "-c", str(tmp_path / "whole.conf")):
            live_through(f"https://127.0.0.1:{secure}", tmp_path)
            sent_on = httpx.get(f"http://127.0.0.1:{plain}/x", headers={"host": "tables.example.org"})
            assert (sent_on.status_code, sent_on.headers["location"]) == (301, "https://tables.example.org/x")


@pytest.mark.slow
def test_caddy_as_configured_passes_tls_streams_and_imports(tmp_path, monkeypatch):
    certificate(tmp_path)
    (secure,) = free_ports(1)
    with serving(tmp_path) as port:
        text = (DEPLOY / "Caddyfile").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
        site = f"https://tables.example.org:{secure}, https://127.0.0.1:{secure} {{\n\ttls {tmp_path}/fullchain.pem {tmp_path}/privkey.pem"
        text = "{\n\tauto_https off\n\tadmin off\n}\n" + text.replace("tables.example.org {", site)
        (tmp_path / "Caddyfile").write_text(text)
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        command = ("caddy", "run", "--config", str(tmp_path / "Caddyfile"), "--adapter", "caddyfile")
        with started(secure, *command, stderr=subprocess.DEVNULL):
            live_through(f"https://127.0.0.1:{secure}", tmp_path)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_units_are_good_ones(tmp_path):
    for unit in ("rulewright.service", "rulewright-backup.service", "rulewright-backup.timer"):
        text = (DEPLOY / unit).read_text().replace("/opt/rulewright/bin/rulewright", "/bin/true")
        (tmp_path / unit).write_text(text)
    checked = subprocess.run(["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())], capture_output=True, text=True)
    ours = [line for line in checked.stderr.splitlines() if "rulewright" in line and "not found" not in line]
    assert not ours, checked.stderr


def test_the_container_starts_the_server_as_the_command_line_does():
    text = (DEPLOY / "Containerfile").read_text()
    entry = json.loads(text[text.index("ENTRYPOINT ") + 11 :].splitlines()[0])
    from click.testing import CliRunner

    from rulewright.cli import rulewright

    assert entry[0] == "rulewright"
    assert CliRunner().invoke(rulewright, [*entry[1:], "--help"]).exit_code == 0
    for copied in re.findall(r"requirements/\S+\.txt", text):
        assert (DEPLOY.parent / copied).is_file()


@pytest.mark.slow
def test_several_processes_share_tables_limits_and_simulations(tmp_path):
    cluster = Cluster()
    try:
        url, (port,) = cluster.database(), free_ports(1)
        arguments = ["serve", "--port", str(port), "--db", url, "--workers", "2"]
        with started(port, *COMMAND, *arguments, stderr=subprocess.PIPE) as server:
            base = f"http://127.0.0.1:{port}"
            wait_well(base)
            with httpx.Client(base_url=base, timeout=60) as leader:
                made = leader.post("/api/tables", json=HOSTED).json()
                cookie = f"device={leader.cookies['device']}"
            statuses, texts = [], []
            for number in range(30):  # a connection each, so that both processes are asked
                said = {"action": {"do": "say", "text": f"word {number}"}}
                answer = httpx.post(f"{base}/api/tables/{made['table']}/act", json=said, headers={"cookie": cookie}, timeout=60)
                statuses.append(answer.status_code)
                texts = [one["text"] for one in httpx.get(f"{base}/api/tables/{made['table']}/log", headers={"cookie": cookie}).json()]
                assert texts[-1] == f"word {number}"
            assert set(statuses) == {200}
            fights = {"system": "scumm", "scenario": "duel", "how": "sample", "fights": "200"}
            job = httpx.post(f"{base}/lab/start", data=fights, timeout=60)
            address = job.headers["location"]
            found = {httpx.get(base + address, timeout=60).status_code for _ in range(12)}
            assert found == {200}, "every process shows every simulation"
            refused = [httpx.post(f"{base}/api/tables", json={}, timeout=60).status_code for _ in range(90)]
            assert refused.count(429) >= 10, "sixty at once, whichever process is asked"
        assert server.returncode == 0
        assert b"Traceback" not in server.stderr.read()
    finally:
        cluster.stop()


def wait_well(base: str) -> None:
    until = time.monotonic() + 90
    while True:
        with suppress(httpx.HTTPError):
            if all(httpx.get(f"{base}/health", timeout=5).status_code == 200 for _ in range(8)):
                return
        assert time.monotonic() < until
        time.sleep(0.2)


def test_several_processes_are_refused_on_sqlite(run, folder):
    refused = run("serve", "--port", 0, "--db", folder / "tables.db", "--workers", 2)
    assert refused.status == 2
    assert "--workers above 1 needs PostgreSQL" in refused.err


def test_the_proxies_pass_every_body_that_the_server_reads_and_little_more():
    from rulewright.web.app import build_app
    from rulewright.web.server import request_bodies, security

    limits = {"pictures": request_bodies.MAX_PICTURE_BYTES, "imports": request_bodies.MAX_IMPORT_BYTES, "others": security.MAX_BYTES}
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    units = {"k": 1 << 10, "m": 1 << 20, "KB": 10**3, "MB": 10**6}
    inside = dict(re.findall(r"location ~ (\S+) \{\s+client_max_body_size (\w+);", nginx))
    shown = {"imports": inside.pop("^/(api/import|import/read)$"), "pictures": next(iter(inside.values())), "others": "300k"}
    assert "client_max_body_size 300k;" in nginx
    pictures = re.compile(next(iter(inside)))
    for sizes in (shown, dict(re.findall(r"request_body @(\w+) \{\s+max_size (\w+)", caddy))):
        for sort, most in limits.items():
            number, unit = re.fullmatch(r"(\d+)(\D+)", sizes[sort]).groups()
            assert most <= int(number) * units[unit] <= most * 1.2, (sort, sizes)
    assert pictures.pattern in caddy
    for route in build_app().routes:
        for handler in getattr(route, "route_handlers", ()):
            if (getattr(handler, "request_max_body_size", None) or 0) in (request_bodies.MAX_PICTURE_BYTES,):
                path = re.sub(r"\{\w+(:\w+)?\}", "0123456789abcdef", route.path)
                assert pictures.fullmatch(path), path
                assert request_bodies.PICTURES.fullmatch(path), path
