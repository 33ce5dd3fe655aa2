"""Adventures over HTTP: the list, one touch to start, every starter to three endings, import with all errors, export, and the editor."""

import re
import zipfile
from io import BytesIO
from typing import Any

import pytest
from adventure.routes import routes_to_endings
from adventure.small import MAIN, content
from litestar.testing import TestClient
from tests.web.conftest import fresh

from rulewright.adventure.package import read_zip, write_zip
from rulewright.playthrough.loader import open_adventure, starters
from rulewright.system import find, names
from rulewright.table.storage import adventures

SHIPPED = [f"{system}/{name}" for system in names() for name in starters(find(system))]
HERE = re.compile(r"/adventures/mine/([0-9a-f]+)")


class Evening:
    """A table of which the client is the gamemaster."""

    def __init__(self, client: TestClient, page: Any) -> None:
        assert page.status_code == 200, page.text
        table = re.search(r'href="(/tables/[0-9a-f]{16})"', page.text)
        assert table is not None
        self.client, self.url = client, table[1]

    def story(self) -> dict[str, Any]:
        story: dict[str, Any] = self.client.get(f"/api{self.url}").json()["story"]
        return story

    def act(self, do: str, **fields: str) -> Any:
        return self.client.post(f"{self.url}/act", data={"do": do, **fields}, headers={"hx-request": "true"})

    def page(self) -> str:
        return str(self.client.get(self.url).text)


def test_the_front_page_leads_with_the_starters_of_all_games(client: TestClient) -> None:
    page = client.get("/").text
    assert 'id="tonight"' in page
    assert page.index('id="tonight"') < page.index('id="games"')
    for name in SHIPPED:
        assert f'action="/adventures/{name}/lead"' in page
        assert f'action="/adventures/{name}/alone"' in page
        assert open_adventure(name).adventure.name in page


@pytest.mark.parametrize("name", SHIPPED)
def test_one_touch_lays_a_starter_out_and_players_see_no_secret(client: TestClient, name: str) -> None:
    adventure = open_adventure(name).adventure
    evening = Evening(client, client.post(f"/adventures/{name}/lead"))
    seen = client.get(f"/api{evening.url}").json()
    assert sorted(handout.title for handout in adventure.handouts.values()) == sorted(note["title"] for note in seen["notes"])
    assert len(seen["maps"]) == len(adventure.maps)
    assert len(seen["characters"]) == len(adventure.ready) + len(adventure.people)
    assert sum(not character["hidden"] for character in seen["characters"]) == len(adventure.ready)
    page = evening.page()
    node = adventure.nodes[adventure.start.node]
    assert node.name in page
    assert 'id="story-title"' in page
    assert "If they do something else" in page
    if seen["story"]["map"]:
        picture = client.get(f"{evening.url}/story/places/{seen['story']['map']}")
        assert picture.headers["content-type"].startswith("image/svg+xml")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_starter_is_led_to_three_endings(client: TestClient, name: str) -> None:
    """The gamemaster chooses what the players do and says how requests and fights end; the page follows to the ending."""
    routes = sorted(routes_to_endings(open_adventure(name).adventure).items(), key=lambda item: len(item[1][0]))
    assert len(routes) >= 3
    for ending, (steps, _) in routes[:3]:
        evening = Evening(client, client.post(f"/adventures/{name}/lead"))
        for do, what in steps:
            fields = {"choice": what} if do == "choose" else {"outcome": what}
            answer = evening.act(f"{do} in story", **fields)
            assert answer.status_code == 200, (ending, what, answer.text)
        assert evening.story()["shown"]["ending"] == ending
        assert ending in evening.page()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_starter_is_exported_and_imported_again(client: TestClient, name: str) -> None:
    packed = client.get(f"/adventures/{name}/export")
    assert packed.headers["content-type"] == "application/zip"
    assert read_zip(packed.content) == dict(open_adventure(name).content)
    page = imported(client, packed.content)
    assert page.status_code == 200, page.text
    key = HERE.search(str(page.url))
    assert key is not None
    assert client.get(f"/adventures/mine/{key[1]}/export").content == write_zip(read_zip(packed.content))


# --- a broken one ---------------------------------------------------------------------------------------------------------------


def imported(client: TestClient, packed: bytes, **fields: str) -> Any:
    return client.post("/adventures/import", files={"file": ("mine.zip", packed, "application/zip")}, data=fields)


def own(client: TestClient, packed: bytes | None = None, **fields: str) -> str:
    """Import an adventure; returns the address of its editor."""
    page = imported(client, packed or write_zip(content()), **fields)
    assert page.status_code == 200, page.text
    match = HERE.search(str(page.url))
    assert match is not None
    return match[0]


def test_a_broken_adventure_is_refused_with_all_errors_and_where_they_are(client: TestClient) -> None:
    main = (
        MAIN.replace("clues:\n", "maps: {hold: maps/hold.yaml}\nclues:\n")
        .replace("{show: card}", "{show: cart}")
        .replace("node: porch", "node: portch")
        .replace("takes: 20 min", "takes: soon")
    )
    page = imported(client, write_zip(content(main)))
    assert page.status_code == 400
    for line, word in enumerate(main.splitlines(), 1):
        for name in ("maps/hold.yaml", "portch", "cart", "soon"):
            if name in word:
                assert re.search(rf"<code>adventure\.yaml:{line}:\d+</code>[^<]*{re.escape(name)}", page.text), name
    assert adventures.listed(client.app.state.tables.store, "anybody") == []
    assert "None yet" in client.get("/adventures").text


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("    ending: A quiet birthday\n", "", "nodes.inside: this is a dead end"),
        ("test: notice", "test: juggling", "juggling"),
        ('against: "4"', 'against: "40"', "nobody has a chance from 5 to 95 %"),
        ("{reveal: the latch}, {show: card}", "{show: card}", "this clue is only to be had by a roll"),
    ],
)
def test_what_cannot_be_played_well_is_refused(client: TestClient, right: str, wrong: str, said: str) -> None:
    page = imported(client, write_zip(content(MAIN.replace(right, wrong))))
    assert page.status_code == 400
    assert re.search(rf"<code>adventure\.yaml:\d+:\d+</code>[^<]*{re.escape(said)}", page.text), page.text


def test_a_zip_that_climbs_out_or_is_a_bomb_is_refused(client: TestClient) -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("adventure.yaml", MAIN)
        archive.writestr("../../outside.yaml", "climbs")
        archive.writestr("texts/bomb.md", b"0" * (8 << 20))
        archive.writestr("run.py", "code")
    page = imported(client, buffer.getvalue(), unfinished="true")
    assert page.status_code == 400
    for name in ("../../outside.yaml", "texts/bomb.md", "run.py"):
        assert name in page.text
    assert imported(client, b"no zip").status_code == 400
    assert client.post("/adventures/import").status_code == 400
    assert "None yet" in client.get("/adventures").text


def test_a_broken_one_can_be_kept_for_the_editor_but_not_started(client: TestClient) -> None:
    where = own(client, write_zip(content(MAIN.replace("node: porch", "node: portch"))), unfinished="true")
    page = client.get(where)
    assert re.search(r"<code>adventure\.yaml:\d+:\d+</code>[^<]*portch", page.text)
    for start in ("lead", "alone"):
        answer = client.post(f"{where}/{start}")
        assert answer.status_code == 400
        assert "portch" in answer.text
    assert client.get("/api/seats").json() == []


# --- one's own -------------------------------------------------------------------------------------------------------------------


def fields_of(page: str, form: str) -> dict[str, str]:
    """The fields of a form as a browser would send them, except checkboxes."""
    part = page[page.index(f'action="{form}"') :]
    part = part[: part.index("</form>")]
    fields = dict(re.findall(r'<input (?:type="hidden" )?name="([^"]+)"[^>]*? value="([^"]*)"', part))
    fields |= dict(re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', part, re.DOTALL))
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', part, re.DOTALL):
        chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        fields[name] = (chosen[1] or chosen[2]) if chosen is not None else ""
    return {name: text.replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&") for name, text in fields.items()}


def test_a_node_is_edited_and_everything_else_stays(client: TestClient) -> None:
    main = MAIN.replace("nodes:\n", "# what must stay\nnodes:\n")
    where = own(client, write_zip(content(main)))
    fields = fields_of(client.get(f"{where}?node=porch").text, f"{where}/node")
    before = client.get(f"{where}/export").content
    assert client.post(f"{where}/node", data=fields).status_code == 200
    assert read_zip(client.get(f"{where}/export").content) == read_zip(before)
    fields = fields_of(client.get(f"{where}?node=porch").text, f"{where}/node")
    fields |= {"name": "Under the porch", "way.1.to": "neighbours", "way.1.label": "Fetch them", "way.1.takes": "5 min"}
    assert client.post(f"{where}/node", data=fields).status_code == 200
    text = read_zip(client.get(f"{where}/export").content)["adventure.yaml"].decode()
    assert "# what must stay" in text
    assert "Under the porch" in text
    assert "Fetch them" in text
    assert text.count("\n") >= main.count("\n")
    page = client.get(where).text
    assert 'data-source="porch" data-target="neighbours"' in page


def test_an_error_in_a_form_changes_nothing_and_keeps_what_was_typed(client: TestClient) -> None:
    where = own(client)
    fields = fields_of(client.get(f"{where}?node=porch").text, f"{where}/node")
    answer = client.post(f"{where}/node", data={**fields, "read": "A new rain", "yaml.requests": "requests: [{", "yaml.enter": "exit: []"})
    assert answer.status_code == 400
    assert "the field requests:2:1" in answer.text
    assert "the field enter:1:" in answer.text
    assert "A new rain" in answer.text
    assert b"A new rain" not in read_zip(client.get(f"{where}/export").content)["adventure.yaml"]
    answer = client.post(f"{where}/node", data={**fields, "yaml.requests": "requests:\n  - {request: Look, tests: [], frob: 1}"})
    assert answer.status_code == 400
    assert "frob" in answer.text


def test_a_change_of_an_older_version_is_refused(client: TestClient) -> None:
    where = own(client)
    fields = fields_of(client.get(f"{where}?node=porch").text, f"{where}/node")
    assert client.post(f"{where}/move", data={"node": "inside", "x": "300", "y": "120.4", "version": "1"}).json() == {"version": 2}
    answer = client.post(f"{where}/node", data={**fields, "name": "Too late"})
    assert answer.status_code == 400
    assert "changed in another window" in answer.text
    assert client.post(f"{where}/move", data={"node": "inside", "x": "nan", "y": "0", "version": "2"}).status_code == 400
    assert client.post(f"{where}/move", data={"node": "cellar", "x": "1", "y": "0", "version": "2"}).status_code == 404
    assert "at: [300, 120]" in read_zip(client.get(f"{where}/export").content)["adventure.yaml"].decode()


def test_nodes_files_and_people_are_added_and_removed(client: TestClient) -> None:
    where = own(client)
    assert client.post(f"{where}/add", data={"node": "cellar", "title": "The cellar", "version": "1"}).status_code == 200
    assert "this is a dead end" in client.post(f"{where}/check").text
    assert client.post(f"{where}/add", data={"node": "cellar", "version": "2"}).status_code == 400
    assert client.post(f"{where}/remove", data={"node": "cellar", "version": "2"}).status_code == 200
    assert client.post(f"{where}/file", data={"file": "texts/new.md", "text": "Rain.\r\n", "version": "3"}).status_code == 200
    assert client.post(f"{where}/file", data={"file": "../out.md", "text": "Rain.", "version": "4"}).status_code == 400
    assert client.post(f"{where}/file", data={"file": "adventure.yaml", "remove": "true", "version": "4"}).status_code == 400
    assert client.post(f"{where}/person", data={"person": "street-tough", "version": "4"}).status_code == 200
    assert client.post(f"{where}/person", data={"person": "street-tough", "ready": "true", "version": "5"}).status_code == 200
    files = read_zip(client.get(f"{where}/export").content)
    assert files["texts/new.md"] == b"Rain.\n"
    assert {"people/street-tough.yaml", "ready/street-tough.yaml"} <= set(files)
    picture = {"file": ("note.png", b"\x89PNG", "image/png")}
    assert client.post(f"{where}/upload", files=picture, data={"version": "6"}).status_code == 200
    assert client.post(f"{where}/upload", files={"file": ("note.exe", b"MZ", "image/png")}, data={"version": "7"}).status_code == 400
    assert "pictures/note.png" in client.get(f"{where}?part=files").text


def test_the_check_counts_endings(client: TestClient) -> None:
    where = own(client)
    page = client.post(f"{where}/check").text
    assert "Everything is in order." in page
    assert "A quiet birthday" in page


def test_ones_own_is_started_at_a_new_table_and_at_one_that_one_leads(client: TestClient) -> None:
    where = own(client)
    evening = Evening(client, client.post(f"{where}/lead"))
    assert evening.story()["shown"]["title"] == "On the porch"
    assert "Start at this table" not in client.get(where).text  # an adventure is in progress there
    assert evening.act("leave story").status_code == 200
    assert "Start at this table" in client.get(where).text
    assert client.post(f"{where}/start", data={"table": evening.url.rpartition("/")[2]}).status_code == 200
    assert evening.story()["shown"]["title"] == "On the porch"


def test_an_adventure_belongs_to_one_browser_and_survives_hosting(tmp_path: Any) -> None:
    app = fresh(tmp_path / "tables.db")
    with TestClient(app) as client:
        where = own(client)
        Evening(client, client.post(f"{where}/lead"))  # the device gets a new id
        assert client.get(where).status_code == 200
        stranger = TestClient(app)
        stranger.__dict__["blocking_portal"] = client.blocking_portal
        for address in (where, f"{where}/export"):
            assert stranger.get(address).status_code == 404
        assert stranger.post(f"{where}/delete").status_code == 200
        assert client.get(where).status_code == 200
        assert client.post(f"{where}/delete").status_code == 200
        assert client.get(where).status_code == 404


def test_a_browser_keeps_a_bounded_number(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adventures, "MOST_OF_ONE", 2)
    for _ in range(2):
        own(client)
    assert "export and delete one first" in imported(client, write_zip(content())).text
    monkeypatch.setattr(adventures, "MOST_BYTES", 100)
    assert imported(client, write_zip(content())).status_code == 400


@pytest.mark.parametrize("system", names())
def test_a_new_adventure_of_every_game_can_be_edited(client: TestClient, system: str) -> None:
    page = client.post("/adventures/new", data={"system": system})
    assert page.status_code == 200
    assert "give at least one ready-made character" in page.text


def test_players_alone_choose_who_they_play_and_invite_others(client: TestClient) -> None:
    page = client.post("/adventures/scumm/glass-ferry/alone")
    table = re.search(r"/tables/[0-9a-f]{16}", str(page.url))
    assert table is not None
    assert "Choose who you play first." in page.text
    assert "If they do something else" not in page.text
    page = client.post(f"{table[0]}/story/claim")
    assert "Choose who you play first." not in page.text
    assert "Who do you play?" not in page.text
    invited = client.post(f"{table[0]}/act", data={"do": "renew link", "link": "invitation"})
    assert f"{table[0]}/join/" in invited.text
    assert client.post(f"{table[0]}/act", data={"do": "renew link", "link": "gamemaster"}).status_code == 403
