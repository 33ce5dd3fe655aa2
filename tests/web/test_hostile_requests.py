"""What a public server meets: generated requests without a server error, and questions that would take for ever."""

import tempfile
import time
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from litestar.testing import TestClient
from tests.web.conftest import FREELY

from rulewright.web.app import create_app

pytestmark = pytest.mark.slow


def read_schema(app: Any, *, at_limits: bool = False) -> Any:
    """The API of a server, for requests with values drawn at random, or with each value at and beyond its limits.

    The latter are hundreds for each address and are all made when tests are collected, hence a file of their own.
    """
    schema = schemathesis.openapi.from_asgi("/api/schema/openapi.json", app)
    schema.config.phases.fuzzing.enabled = not at_limits
    schema.config.phases.coverage.enabled = at_limits
    return schema


schema = read_schema(create_app(f"{tempfile.mkdtemp()}/tables.db", FREELY))


@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_generated_request_breaks_the_server(case: Any) -> None:
    answer = case.call()
    assert answer.status_code < 500, (case.path, answer.text)


def seated() -> tuple[Any, dict[str, str], str]:
    """The same server, and somebody who leads a table with a fight under way."""
    app = create_app(f"{tempfile.mkdtemp()}/tables.db", FREELY)
    client = TestClient(app)
    with client:
        made = client.post("/api/demos/scumm", params={"scenario": "duel"}).json()
    return app, {"cookie": f"device={client.cookies['device']}"}, made["table"]


SEATED, COOKIE, TABLE = seated()
tables = read_schema(SEATED).include(path_regex="/api/tables/")


@tables.exclude(path_regex="/stream$").parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_generated_request_of_somebody_who_sits_there_breaks_the_server(case: Any) -> None:
    case.path_parameters = {**case.path_parameters, "table": TABLE}
    answer = case.call(headers=COOKIE)
    assert answer.status_code < 500, (case.path, answer.text)


QUESTIONS = (
    "100d vs 100d",
    "100d+10000 vs 99d-10000",
    "9" * 199,
    "3d" + "+1" * 90,
    "1d+999999 vs 999999",
    "100d+100ed vs 100d+100ed",
)


@pytest.mark.parametrize("notation", QUESTIONS)
def test_heavy_notations_end_soon(client: TestClient, notation: str) -> None:
    begun = time.process_time()
    assert client.get("/api/systems/scumm/odds", params={"notation": notation}).status_code in (200, 400)
    assert client.get("/odds", params={"system": "scumm", "test": [notation] * 4}).status_code == 200
    assert time.process_time() - begun < 30


@pytest.mark.parametrize("odds", [False, True])
@pytest.mark.parametrize("number", [1_000_000_000, -1_000_000_000, 10**30, 10_000])
def test_no_rule_runs_for_ever_on_large_numbers(client: TestClient, number: int, odds: bool) -> None:
    """Every rule that takes whole numbers, given absurd ones: an answer or a refusal within the limits."""
    for game in ("scumm", "pebbles"):
        for rule in client.get(f"/api/systems/{game}/rules").json():
            for function in client.get(f"/api/systems/{game}/rules/{rule['id']}").json()["functions"]:
                taken = function["parameters"]
                given = {each["name"]: number for each in taken if each["type"].startswith("a whole number")}
                if not given or any(each["required"] and each["name"] not in given for each in taken) or (odds and not function["asks"]):
                    continue
                begun = time.process_time()
                body = {"given": given, "function": function["name"], "odds": odds}
                answer = client.post(f"/api/systems/{game}/rules/{rule['id']}/call", json=body)
                assert answer.status_code in (200, 400), (rule["id"], function["name"], answer.text)
                assert time.process_time() - begun < 15, (rule["id"], function["name"])
