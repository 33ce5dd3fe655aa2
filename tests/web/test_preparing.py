"""A scene of one's own: its people, its place, where they stand; saved as a file, read in again, weighed by the lab."""

import re
import time
from html import unescape

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
    for _ in range(600):
        page = client.get(job).text
        if 'aria-busy="false"' in page:
            break
        time.sleep(0.1)
    assert "Who carries it" in page
    assert "heroes" in page
    assert "opposition" in page


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"side.c1": ""}, "ut somebody on each of two sides"),
        ({"x.c1": "far"}, "two numbers of metres"),
        ({"place": "- one\n- two"}, "he place"),
        ({"like": "nowhere"}, "no ready-made"),
        ({"kind": "regatta"}, "no scene"),
        ({"yaml": "system: ore\nkind: scenario\nname: x\nsides: {}"}, "cenario of S.C.U.M.M. is needed"),
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
        for part in ("file", "weigh"):
            assert player.post(f"{table}/scene/{part}", data=scene(), follow_redirects=False).status_code == 403
