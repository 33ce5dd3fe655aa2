"""What the board has beside people and ground: what lies in a place, opponents by quality, scenes that are kept, another's eyes."""

import json
import re
from html import unescape
from typing import Any

import pytest
from litestar.testing import TestClient

from rulewright.system import find

INES: list[str] = []
"""The id of Ines at the table of the test."""


@pytest.fixture
def table(client: TestClient) -> str:
    """Bea's table with Ines at it."""
    page = client.post("/host/open", data={"system": "scumm", "gamemaster": "Bea", "name": "The ford"}).text
    found = re.search(r'href="(/tables/[^"/]+)"', page)[1]
    client.post(f"{found}/act", data={"do": "add character", "ready": "hired-gun", "name": "Ines"})
    INES[:] = [client.get(f"/api{found}").json()["characters"][0]["id"]]
    return found


def page_of(client, table, path="board", **fields):
    """The board as it is drawn for a draft."""
    found = client.post(f"{table}/scene/{path}", data=fields, headers={"HX-Request": "true"}, follow_redirects=False)
    return unescape(found.text)


def draft_in(page: str) -> dict[str, Any]:
    return json.loads(re.search(r'id="draft" value="(.*?)"><input type="hidden" id="draft-who"', page, re.S)[1])


def plain_draft(*opposition: dict[str, Any], **more: Any) -> str:
    return json.dumps(
        {"do": "begin scene", "name": "Gate", "sides": {"heroes": [{"character": INES[0]}], "opposition": list(opposition)}, **more}
    )


def test_what_lies_in_a_place_is_added_changed_and_taken_away_as_forms(client, table):
    added = page_of(
        client,
        table,
        draft=plain_draft(),
        part='["covers"]',
        does="add in",
        **{"row.name": "crates", "row.cover": "heavy cover", "row.x": "3", "row.y": "4"},
    )
    assert draft_in(added)["place"]["covers"][0]["name"] == "crates"
    changed = page_of(
        client,
        table,
        draft=json.dumps(draft_in(added)),
        part='["covers",0]',
        does="set in",
        **{"row.name": "barrels", "row.cover": "heavy cover", "row.x": "3", "row.y": "4"},
    )
    assert draft_in(changed)["place"]["covers"][0]["name"] == "barrels"
    gone = page_of(client, table, draft=json.dumps(draft_in(changed)), part='["covers",0]', does="take in")
    assert "covers" not in draft_in(gone)["place"]


@pytest.mark.parametrize(
    ("system", "level"), [("scumm", "veteran"), ("hybrid", "trained"), ("ore", "green"), ("foresight", "veteran"), ("silhouette", "")]
)
def test_opponents_come_by_number_and_quality_in_every_game(client, system, level):
    page = client.post("/host/open", data={"system": system, "gamemaster": "Bea", "name": "Ford"}).text
    table = re.search(r'href="(/tables/[^"/]+)"', page)[1]
    hero = next(key.removesuffix(".yaml") for key in find(system).demos() if key.startswith("characters/"))
    start = json.dumps({"do": "begin scene", "name": "Gate", "sides": {"heroes": [{"character": hero}], "opposition": []}})
    made = page_of(client, table, "people", draft=start, number="4", level=level, side="opposition")
    assert "4 characters added" in made.lower()
    assert not re.search(r'id="begin" disabled', made)
    assert sum(one.get("count", 1) for one in draft_in(made)["sides"]["opposition"]) == 4
    assert "Quality levels" in made
    assert (
        client.post(f"{table}/act", data={"do": "begin scene", "draft": json.dumps(draft_in(made))}, follow_redirects=False).status_code
        == 303
    )


def test_a_kept_scene_is_opened_on_the_board_and_named_in_the_list(client, table):
    keeping = {"action": {"do": "keep draft", "scene": json.loads(plain_draft({"character": "characters/street-tough"}))}}
    made = client.post(f"/api{table}/act", json=keeping).json()["made"]
    page = unescape(client.get(f"{table}/scene?draft={made}").text)
    assert "Save changes" in page
    assert draft_in(page)["name"] == "Gate"
    assert "Gate is open" in page_of(client, table, "kept", kept=made)
    assert "no prepared scene" in page_of(client, table, "kept", kept="d1")


def test_without_each_of_the_heroes_is_played_beside_the_scene_itself(client, table, tmp_path):
    from rulewright.web.pages.lab_jobs import LEFT_OUT, simulate_without_each

    with client.app.state.tables.looking(table.rpartition("/")[2]) as opened:
        from rulewright.table.scenes.scene_setup import write
        from rulewright.web.maps.scene_pages import _write_without_each
        from rulewright.web.table.action_forms import a

        placings = (a.Placing(INES[0]), a.Placing("characters/hired-gun", name="Marten"))
        action = a.BeginScene(name="Gate", sides={"heroes": placings, "opposition": (a.Placing("characters/street-tough"),)})
        path = write(opened, action, tmp_path)
        _write_without_each(opened, action, path)
        assert (tmp_path / LEFT_OUT).exists()
        found = simulate_without_each(str(path), 40, None, {}, lambda progress: True)
    assert list(found["without"]) == ["", "Ines", "Marten"]
    assert found["side"] == "heroes"
    assert found["without"][""]["chance"] >= found["without"]["Marten"]["chance"]
