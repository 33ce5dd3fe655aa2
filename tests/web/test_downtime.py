"""The page on which time passes: every form works without scripts, and players see their state and the date."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from tests.web.test_tables import Group, act, opened, sat


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    found = Group(tmp_path)
    with found.server:
        yield found


def form(client: TestClient, made: dict[str, str], do: str, **fields: Any) -> httpx.Response:
    """Send a form as a browser without scripts does."""
    return client.post(f"/tables/{made['table']}/act", data={"do": do, "back": "time", **fields}, follow_redirects=False)


def page(client: TestClient, made: dict[str, str], place: str = "", **query: str) -> str:
    answer = client.get(f"/tables/{made['table']}{place}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.text


def text(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.fixture
def party(group: Group) -> tuple[TestClient, TestClient, dict[str, str], str]:
    leader, player = group.server, group.somebody()
    made = opened(leader)
    sat(player, made)
    vesna = act(player, made, "add character", of="character", name="Vesna").json()["made"]
    assert act(leader, made, "change character", character=vesna, field="condition", value={"flesh": 1}).status_code == 200
    return leader, player, made, vesna


def test_three_days_pass_by_forms_alone(party: tuple[TestClient, TestClient, dict[str, str], str]) -> None:
    leader, player, made, vesna = party
    assert "Start the clock" in page(leader, made, "/time")
    assert form(leader, made, "start clock", start="3 March 1931 20:00").headers["location"].endswith("/time")
    figures = {"figure.care": "constant", "figure.medicine": "2"}
    assert form(leader, made, "set location", name="harbour hospital", **figures).status_code == 303
    assert form(leader, made, "make plan", character=vesna, exertion="rest", location="harbour hospital").status_code == 303
    assert "Change the plan" in page(player, made)
    assert form(player, made, "make plan", character=vesna, exertion="hard work", location="harbour hospital").status_code == 303
    assert "hard work, harbour hospital" in text(page(player, made))
    form(player, made, "make plan", character=vesna, exertion="rest", location="harbour hospital")
    form(leader, made, "set date", what="the ferry is sold", on="28 March 1931", known="gamemaster")
    form(leader, made, "set tally", name="patience", of="6", known="exists")
    shown = text(page(leader, made, "/time"))
    assert "a Flesh wound heals in 3 days" in shown
    assert "the ferry is sold hidden" in shown
    ahead = text(page(leader, made, "/time/preview", how="span", span="3 days"))
    assert "Vesna is well again 100% by Friday 6 March 1931 100.0 %" in ahead
    assert "Vesna : a Flesh wound heals Friday 6 March 1931, 20:00" in ahead
    assert "Vesna is well again 0.0 %" in text(page(leader, made, "/time/preview", how="span", span="2 days"))
    assert "not a span of time" in leader.get(f"/tables/{made['table']}/time/preview", params={"how": "span", "span": "soon"}).text
    assert form(leader, made, "pass time", how="span", usual="1 day", span="3 days").status_code == 303
    for client in (leader, player):
        seen = text(page(client, made))
        assert "Friday 6 March 1931, 20:00" in seen
        assert "Vesna no Flesh wounds" in seen
    assert "the ferry is sold" not in page(player, made)
    assert "patience" in page(player, made)
    assert "Undo this time" in page(leader, made)
    assert "Undo this time" not in page(player, made)
    assert form(leader, made, "turn back").status_code == 303
    assert "Tuesday 3 March 1931, 20:00" in text(page(player, made))


def test_only_the_gamemaster_opens_the_page_and_a_calendar_may_be_ones_own(
    party: tuple[TestClient, TestClient, dict[str, str], str],
) -> None:
    leader, player, made, _ = party
    assert player.get(f"/tables/{made['table']}/time").status_code == 403
    assert form(player, made, "pass time", how="span", usual="1 day").status_code == 403
    assert "is not a month" in form(leader, made, "start clock", start="1 Frost 2", months="Frost").text
    assert form(leader, made, "start clock", start="39 Frost 2", months="Frost 40, Sun 30", week="Oneday, Twoday").status_code == 303
    form(leader, made, "pass time", how="span", span="2 days")
    assert "1 Sun 2, 00:00" in text(page(player, made))


def test_time_passes_through_the_api(party: tuple[TestClient, TestClient, dict[str, str], str]) -> None:
    leader, _, made, vesna = party
    assert act(leader, made, "start clock").status_code == 200
    assert act(leader, made, "set location", name="ward", figures={"care": "constant"}).status_code == 200
    assert act(leader, made, "pass time", milestone="well", who=vesna).status_code == 200
    seen = leader.get(f"/api/tables/{made['table']}").json()
    assert seen["campaign"]["date"] == "Day 8"
    assert seen["campaign"]["digest"]["people"] == [{"name": "Vesna", "words": ["no Flesh wounds"]}]
