"""What the server says when it cannot serve: one sentence and the right status, and no traceback for what is nobody's mistake here."""

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
from litestar.testing import TestClient
from tests.web.conftest import FREELY

from rulewright.web.app import create_app

DEEP = "[" * 1_000 + "]" * 1_000


@pytest.mark.parametrize("path", ["/api/systems/scumm/roll", "/api/tables", "/api/tables/0123456789abcdef/join"])
def test_json_nested_a_thousand_deep_is_refused_in_one_sentence(client: TestClient, caplog: Any, path: str) -> None:
    answer = client.post(path, content=DEEP, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json() == {"error": "the request is nested too deeply"}
    assert not caplog.records


def test_a_client_that_hangs_up_in_the_middle_of_a_body_leaves_no_traceback(tmp_path: Any, caplog: Any) -> None:
    app = create_app(str(tmp_path / "tables.db"), FREELY)
    heard = iter(({"type": "http.request", "body": b'{"not', "more_body": True}, {"type": "http.disconnect"}))
    sent: list[Any] = []

    async def receive() -> Any:
        return next(heard)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"host", b"here")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/systems/scumm/roll",
        "raw_path": b"/api/systems/scumm/roll",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("here", 80),
        "scheme": "http",
        "root_path": "",
        "state": {},
    }
    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    app.state.tables.close()
    assert sent[0]["status"] == 400
    assert not caplog.records


def hosted(client: TestClient) -> str:
    return str(client.post("/api/tables", json={"system": "scumm", "name": "Friday", "gamemaster": "Bea"}).json()["table"])


def test_a_full_disk_is_said_as_such_and_when_to_come_back(client: TestClient, caplog: Any) -> None:
    table, engine = hosted(client), client.app.state.tables.store.engine
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count=1"))
    engine.dispose()
    say = {"action": {"do": "say", "text": "x" * 2_000}}
    answers = [client.post(f"/api/tables/{table}/act", json=say) for _ in range(20)]
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused
    for answer in refused:
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "30"
        assert answer.json()["error"].startswith("the disk is full. Nothing was changed.")
    assert not any(record.exc_info for record in caplog.records)
    said = client.get(f"/api/tables/{table}/log").json()
    assert sum(line["text"] == "x" * 2_000 for line in said) == len(answers) - len(refused)


def test_a_lost_database_is_said_as_such_on_the_home_page_too(client: TestClient, caplog: Any) -> None:
    table, store = hosted(client), client.app.state.tables.store
    assert client.get("/").status_code == 200
    good, store.engine = store.engine, sa.create_engine("postgresql+psycopg://127.0.0.1:9/none")
    for path in ("/", f"/tables/{table}", f"/api/tables/{table}"):
        answer = client.get(path)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "30"
        assert "he database does not answer" in answer.text
        assert "127.0.0.1" not in answer.text
    assert not any(record.exc_info for record in caplog.records)
    store.engine = good
    assert client.get("/").status_code == 200
