"""A scene of one's own: its people, its place, where they stand; saved as a file, read in again, weighed by the lab."""

import json
import re
import time
from html import unescape
from typing import Any

import pytest
from litestar.testing import TestClient

from rulewright import files

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


def scene(**more: str) -> dict[str, str]:
    fields = {
        "do": "begin scene", "name": "At the gate", "about": "They come by night.", "kind": "fight", "like": "shootout",
        "side.c1": "heroes", "x.c1": "2", "y.c1": "3.5",
        "side.characters/street-tough": "opposition", "count.characters/street-tough": "2", "x.characters/street-tough": "9",
        "place": "light: very brightly or poorly lit", **more,
    }  # fmt: skip
    return {re.sub(r"\.c1$", f".{INES[0]}", name): value for name, value in fields.items()}


def street_tough(client: TestClient, table: str) -> str:
    return re.search(r'name="side\.(characters/[^"]*tough[^"]*)"', client.get(f"{table}/scene").text)[1]


def test_a_scene_begins_with_its_place_its_words_and_everybody_where_they_stand(client, table):
    assert street_tough(client, table) == "characters/street-tough"
    assert client.post(f"{table}/act", data=scene(), follow_redirects=False).status_code == 303
    page = unescape(client.get(table).text)
    assert "They come by night." in page
    seen = client.get(f"/api{table}").json()["scenes"][-1]
    places = {place["name"]: (place["x"], place["y"]) for place in seen["view"]["places"]}
    assert places["Ines"] == (2, 3.5)
    assert len(places) == 3
    assert "lit" in seen["view"]["headline"]


def test_a_prepared_scene_is_saved_as_a_scenario_file_and_begins_from_it(client, table):
    saved = client.post(f"{table}/scene/file", data=scene())
    assert saved.headers["content-disposition"] == 'attachment; filename="at-the-gate.yaml"'
    data = files.parse(saved.content, "saved").data
    assert data["kind"] == "scenario"
    assert data["sides"]["heroes"][0]["character"] == "ines.yaml"
    begun = client.post(f"{table}/act", data={"do": "begin scene", "yaml": saved.text}, follow_redirects=False)
    assert begun.status_code == 303
    seen = client.get(f"/api{table}").json()["scenes"][-1]
    assert {card["name"] for card in seen["view"]["cards"]} >= {"Ines"}
    assert {place["name"]: (place["x"], place["y"]) for place in seen["view"]["places"]}["Ines"] == (2, 3.5)


def test_the_lab_weighs_the_very_scene(client, table):
    answer = client.post(f"{table}/scene/weigh", data=scene(), follow_redirects=False)
    assert answer.status_code == 303
    job = answer.headers["location"]
    for _ in range(1800):  # a process of its own has to begin first
        page = client.get(job).text
        if 'aria-busy="false"' in page:
            break
        time.sleep(0.1)
    assert "Win chances" in page
    assert "heroes" in page
    assert "opposition" in page


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"side.c1": ""}, "on each of two sides"),
        ({"x.c1": "far"}, "two numbers in metres"),
        ({"place": "- one\n- two"}, "he place"),
        ({"like": "nowhere"}, "no ready-made"),
        ({"kind": "regatta"}, "no scene"),
        ({"yaml": "system: ore\nkind: scenario\nname: x\nsides: {}"}, "needed is a scenario of S.C.U.M.M."),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(client, table, changed, said):
    answer = client.post(f"{table}/act", data=scene(**changed), headers={"HX-Request": "true"})
    assert answer.status_code == 400
    assert said in unescape(answer.text)


def test_only_the_gamemaster_prepares(client, table, tmp_path):
    invitation = client.post(f"{table}/act", data={"do": "renew link", "link": "invitation"}).text
    path = re.search(r'value="https?://[^/"]+(/tables/[^"]+/join/[^"]+)"', invitation)[1]
    with TestClient(client.app) as player:
        player.post(f"{path}/sit", data={"name": "Ana", "role": "player"})
        for part in ("file", "weigh", "board", "open", "people"):
            assert player.post(f"{table}/scene/{part}", data=scene(), follow_redirects=False).status_code == 403


# --- the board --------------------------------------------------------------------------------------------------------------------


def draft(**more: Any) -> dict[str, Any]:
    heroes, foes = [{"character": INES[0]}], [{"character": "characters/street-tough", "count": 3}]
    return {"do": "begin scene", "name": "At the gate", "sides": {"heroes": heroes, "opposition": foes}, **more}


def drawn(client: TestClient, table: str, sent: dict[str, Any], path: str = "board", **fields: str) -> tuple[dict[str, Any], str]:
    """The draft that the board hands back, and what it says."""
    answer = client.post(f"{table}/scene/{path}", data={"draft": json.dumps(sent), **fields}, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.text
    value = re.search(r'id="draft" value="([^"]*)"', answer.text)[1]
    said = re.search(r'id="prepare-told" role="status">([^<]*)<', answer.text)[1]
    return json.loads(unescape(value)), unescape(said)


def test_on_the_board_everybody_stands_singly_by_the_name_and_in_the_place_they_will_have(client, table):
    made, said = drawn(client, table, draft())
    assert said == ""
    assert [one["at"] for one in made["sides"]["opposition"]] == [[10.0, 0.0], [10.0, 2.0], [10.0, 4.0]]
    assert all(one.get("count", 1) == 1 for one in made["sides"]["opposition"])
    assert client.post(f"{table}/act", data={"do": "begin scene", "draft": json.dumps(made)}, follow_redirects=False).status_code == 303
    places = {place["name"]: (place["x"], place["y"]) for place in client.get(f"/api{table}").json()["scenes"][-1]["view"]["places"]}
    assert places == {"Ines": (0, 0), "Street tough": (10, 0), "Street tough 2": (10, 2), "Street tough 3": (10, 4)}


def test_whoever_has_a_place_keeps_it_when_others_come(client, table):
    made, _ = drawn(client, table, draft())
    made["sides"]["opposition"][1]["at"] = [7.5, 3]
    made["sides"]["opposition"].append({"character": "characters/hired-gun"})
    again, _ = drawn(client, table, made)
    assert [one["at"] for one in again["sides"]["opposition"]] == [[10, 0], [7.5, 3], [10, 4], [10, 6]]


def test_a_scene_that_cannot_begin_says_why_and_is_drawn_all_the_same(client, table):
    _, said = drawn(client, table, draft(place={"light": "purple"}))
    assert "light" in said
    _, said = drawn(client, table, draft(place={"ambush": "nobody"}))
    assert "is no side" in said
    made, said = drawn(client, table, draft(sides={"heroes": [{"character": "characters/nobody"}], "opposition": []}))
    assert "no ready-made" in said
    assert made["sides"]["heroes"][0]["character"] == "characters/nobody"


@pytest.mark.parametrize("do", ["add character", "say"])
@pytest.mark.parametrize("where", ["file", "weigh"])
def test_an_action_that_is_no_scene_is_refused_with_a_sentence(client, table, where, do):
    answer = client.post(f"{table}/scene/{where}", data={"do": do, "text": "Hello"})
    assert answer.status_code == 400
    assert "only takes a prepared scene" in answer.text


def test_a_file_is_opened_on_the_board_with_its_ground_and_its_people_in_their_places(client, table):
    made, _ = drawn(client, table, draft())
    made["sides"]["opposition"][0]["at"] = [4, 2.5]
    saved = client.post(f"{table}/scene/file", data={"do": "begin scene", "draft": json.dumps(made)}).text
    ground = "map:\n  grid: squares\n  size: [20, 12]\n  covers: [{name: a log, cover: heavy cover, x: 6, y: 6}]\n"
    opened, said = drawn(client, table, draft(), "open", yaml=saved + ground)
    assert said == "At the gate is open"
    assert opened["sides"]["heroes"][0]["character"] == INES[0]
    assert opened["sides"]["opposition"][0]["at"] == [4, 2.5]
    assert opened["map"] in {each["id"] for each in client.get(f"/api{table}").json()["maps"]}
    again, _ = drawn(client, table, draft(), "open", yaml=saved + ground)
    assert again["map"] == opened["map"], "the same ground is kept once"


def test_of_a_ready_made_scene_the_place_alone_is_taken(client, table):
    made, said = drawn(client, table, draft(), "open", like="shootout")
    assert said.startswith("The place is now as in")
    assert [cover["name"] for cover in made["place"]["covers"]] == ["the forklift", "the crates", "the sacks"]
    assert len(made["sides"]["opposition"]) == 3


@pytest.mark.parametrize(
    ("path", "fields"), [("board", {"draft": "{"}), ("open", {"yaml": "a: [", "draft": ""}), ("open", {"ready": "../x"})]
)
def test_what_is_no_scene_is_refused_on_the_board(client, table, path, fields):
    answer = client.post(f"{table}/scene/{path}", data=fields, headers={"HX-Request": "true"})
    assert answer.status_code == 400
    assert 'class="refusal"' in answer.text


def test_opponents_are_made_up_by_number_and_quality(client):
    page = client.post("/host/open", data={"system": "silhouette", "gamemaster": "Bea", "name": "The ford"}).text
    found = re.search(r'href="(/tables/[^"/]+)"', page)[1]
    empty = {"do": "begin scene", "name": "x", "sides": {"heroes": [{"character": "characters/alley-medic"}]}}
    made, said = drawn(client, found, empty, "people", number="2", level="veteran", side="opposition")
    assert said == "2 characters added"
    assert len(made["sides"]["opposition"]) == 2
    here = client.get(f"/api{found}").json()["characters"]
    assert {each["id"] for each in here} == {one["character"] for one in made["sides"]["opposition"]}
    assert all(each["hidden"] for each in here)
    refused = client.post(f"{found}/scene/people", data={"draft": json.dumps(empty), "number": "500"})
    assert refused.status_code == 400


def test_mooks_of_one_file_stay_one_group(client):
    page = client.post("/host/open", data={"system": "ore", "gamemaster": "Bea", "name": "The ford"}).text
    found = re.search(r'href="(/tables/[^"/]+)"', page)[1]
    sides = {"heroes": [{"character": "characters/jonna_vik"}], "opposition": [{"character": "mooks/dock_thugs", "count": 4}]}
    ground = {"grid": "squares", "size": [20, 12]}
    map_id = client.post(f"/api{found}/act", json={"action": {"do": "keep map", "name": "Yard", "ground": ground}, "key": "k"}).json()[
        "made"
    ]
    made, said = drawn(client, found, {"do": "begin scene", "name": "x", "sides": sides, "map": map_id})
    assert said == ""
    [group] = made["sides"]["opposition"]
    assert group["count"] == 4
    assert group["at"] is not None
