"""Tables over HTTP: seats and links, rights, secrets, streams without a gap or a double, and what strangers try."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.datastructures import FormMultiDict
from litestar.testing import TestClient
from tests.web.conftest import fresh

from rulewright.table.commands.messages import BeginScene
from rulewright.web.app import create_app
from rulewright.web.server.security import Rates
from rulewright.web.table.action_forms import parse_action


class Group:
    """A server and the people at it, each with cookies of their own."""

    def __init__(self, folder: Path) -> None:
        self.app = fresh(folder / "tables.db")
        self.clients: list[TestClient] = []
        self.server = TestClient(self.app)

    def somebody(self) -> TestClient:
        client = TestClient(self.app)
        client.__dict__["blocking_portal"] = self.server.blocking_portal
        return client


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    found = Group(tmp_path)
    with found.server:
        yield found


def opened(client: TestClient, system: str = "scumm", **more: Any) -> dict[str, str]:
    answer = client.post("/api/tables", json={"system": system, "name": "The ford", "gamemaster": "Gitte", **more})
    assert answer.status_code == 201, answer.text
    found: dict[str, str] = answer.json()
    return found


def sat(client: TestClient, made: dict[str, str], name: str = "Jo", **more: Any) -> httpx.Response:
    return client.post(f"/api/tables/{made['table']}/join", json={"token": made["invitation"], "name": name, **more})


def act(client: TestClient, made: dict[str, str], do: str, key: str = "", **fields: Any) -> httpx.Response:
    return client.post(f"/api/tables/{made['table']}/act", json={"action": {"do": do, **fields}, "key": key})


def log(client: TestClient, made: dict[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/tables/{made['table']}/log").json()
    return found


def test_a_table_is_hosted_joined_and_talked_at(group: Group) -> None:
    leader, player = group.server, group.somebody()
    made = opened(leader)
    assert sat(player, made).json()["role"] == "player"
    assert act(player, made, "say", text="Hello").status_code == 200
    assert [line["text"] for line in log(leader, made)][-2:] == ["Jo joins as player", "Hello"]
    assert leader.get("/api/seats").json()[0]["role"] == "gamemaster"
    seen = player.get(f"/api/tables/{made['table']}").json()
    assert [member["name"] for member in seen["members"]] == ["Gitte", "Jo"]
    assert seen["me"]["role"] == "player"


def test_the_cookie_is_signed_and_out_of_reach_of_scripts(group: Group) -> None:
    answer = group.server.post("/api/tables", json={"system": "scumm", "name": "T", "gamemaster": "G"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie.replace("Lax", "lax")


def test_nobody_sits_where_they_were_not_invited(group: Group) -> None:
    leader, stranger = group.server, group.somebody()
    made, other = opened(leader), opened(leader, name="Elsewhere")
    where = f"/api/tables/{made['table']}"
    for address in (where, f"{where}/log", f"{where}/since", f"{where}/scenes/1", f"{where}/stream", f"{where}/export"):
        assert stranger.get(address).status_code == 404, address
    assert act(stranger, made, "say", text="x").status_code == 404
    assert sat(stranger, {**made, "invitation": "guess"}).status_code == 404
    assert sat(stranger, {**made, "invitation": other["invitation"]}).status_code == 404
    assert sat(stranger, {**made, "invitation": made["gamemaster"]}).status_code == 404
    assert stranger.post(f"{where}/lead", json={"token": made["invitation"]}).status_code == 404
    for cookie in ("x", "x.y", made["table"] + ".", group.server.cookies["device"] + "x", "a" * 5_000):
        assert stranger.get(where, headers={"cookie": f"device={cookie}"}).status_code == 404
    for page in (f"/tables/{made['table']}", f"/tables/{made['table']}/people", f"/tables/{made['table']}/export"):
        assert stranger.get(page).status_code == 404


def test_links_are_renewed_revoked_and_used_once(group: Group) -> None:
    leader, player, phone = group.server, group.somebody(), group.somebody()
    made = opened(leader)
    fresh = act(leader, made, "renew link", link="invitation", passphrase="open sesame").json()["secret"]
    assert sat(player, made).status_code == 404, "the old invitation is void"
    made["invitation"] = fresh
    assert sat(player, made).status_code == 403
    assert sat(player, made, passphrase="wrong").status_code == 403
    assert sat(player, made, passphrase="open sesame").status_code == 201
    member = player.get(f"/api/tables/{made['table']}").json()["me"]["id"]
    own = act(player, made, "renew link", link=f"seat:{member}").json()["secret"]
    where = f"/api/tables/{made['table']}/lead"
    assert phone.post(where, json={"token": own, "member": member}).json()["name"] == "Jo"
    assert group.somebody().post(where, json={"token": own, "member": member}).status_code == 404, "used once"
    assert act(leader, made, "revoke link", link="invitation").status_code == 200
    assert sat(group.somebody(), made, "Ki", passphrase="open sesame").status_code == 404
    assert not any(fresh in json.dumps(line) for line in log(leader, made))


def test_rights(group: Group) -> None:
    leader, player, watcher = group.server, group.somebody(), group.somebody()
    made = opened(leader)
    sat(player, made)
    sat(watcher, made, "Ki", role="spectator")
    assert act(player, made, "begin scene", ready="duel").status_code == 403
    assert act(watcher, made, "test", notation="3d vs 4").status_code == 403
    assert act(watcher, made, "say", text="watching").status_code == 200
    assert act(player, made, "remove member", member="m1").status_code == 403
    assert act(leader, made, "remove member", member="m3").status_code == 200
    assert watcher.get(f"/api/tables/{made['table']}").status_code == 404
    assert act(leader, made, "hand over", member="m2").status_code == 200
    assert act(player, made, "rename", name="Jo's table").status_code == 200
    assert act(leader, made, "rename", name="mine").status_code == 403


def test_a_request_that_is_sent_again_is_not_carried_out_again(group: Group) -> None:
    made = opened(group.server)
    first = act(group.server, made, "say", key="wish-1", text="once")
    again = act(group.server, made, "say", key="wish-1", text="once")
    assert (first.json()["again"], again.json()["again"]) == (False, True)
    assert [line["text"] for line in log(group.server, made)].count("once") == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"action": {"do": "fly"}}, 400),
        ({"action": {"do": "say"}}, 400),
        ({"action": {"do": "say", "text": "x", "more": 1}}, 400),
        ({"action": {"do": "say", "text": ""}}, 400),
        ({"action": {"do": "say", "text": "x" * 5_000}}, 400),
        ({"action": {"do": "rename", "name": "a\u202eb"}}, 400),
        ({"action": {"do": "answer", "scene": 1, "given": "shoot"}}, 400),
        ({"action": {"do": "add character", "ready": "../../settings"}}, 400),
        ({"action": {"do": "add character", "ready": "/etc/passwd"}}, 400),
        ({"action": {"do": "add character", "yaml": "a: &a [*a]"}}, 400),
        ({"action": {"do": "add character", "yaml": "a: &a ['x']\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c,*c]"}}, 400),
        ({"action": {"do": "add character", "yaml": "!!python/object/apply:os.system ['true']"}}, 400),
        ({"action": {"do": "add character", "yaml": "x: " + "[" * 5_000}}, 400),
        ({"action": {"do": "test", "notation": "999999d"}}, 400),
        ({"action": {"do": "change map", "cell": 1e999}}, 400),
        ({"action": {"do": "place token", "name": "x", "x": 1e300, "y": 0}}, 400),
        ({"action": {"do": "say", "text": "x"}, "key": "k" * 300}, 400),
        ([], 400),
        ("say", 400),
    ],
)
def test_what_does_not_fit_is_refused_with_one_sentence(group: Group, body: Any, status: int) -> None:
    made = opened(group.server)
    before = len(log(group.server, made))
    content = json.dumps(body)
    answer = group.server.post(f"/api/tables/{made['table']}/act", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert len(answer.json()["error"]) < 700
    assert len(log(group.server, made)) == before


def test_bodies_that_are_too_large_are_refused(group: Group) -> None:
    made = opened(group.server)
    answer = group.server.post(f"/api/tables/{made['table']}/act", content=b" " * 300_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_another_site_cannot_act_with_a_visitors_cookie(group: Group) -> None:
    made = opened(group.server)
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        answer = group.server.post(
            f"/tables/{made['table']}/act", data={"do": "say", "text": "x"}, headers={**headers, "hx-request": "true"}
        )
        assert answer.status_code == 403
    assert not any(line["text"] == "x" for line in log(group.server, made))


def test_marks_of_another_table_or_made_up_are_refused(group: Group) -> None:
    made, other = opened(group.server), opened(group.server)
    foreign = group.server.get(f"/api/tables/{other['table']}").json()["mark"]
    for mark in (foreign, "0" * 16, "zz", "f" * 16):
        answer = group.server.get(f"/api/tables/{made['table']}/since", params={"after": mark})
        assert answer.status_code == 400, mark


@pytest.mark.parametrize("table", ["%2e%2e%2f", "0" * 16, "x", "'; drop table lines;--", "%00", "a" * 4_000])
def test_addresses_of_no_table(group: Group, table: str) -> None:
    for address in (f"/api/tables/{table}", f"/tables/{table}", f"/tables/{table}/join/x"):
        assert group.server.get(address, follow_redirects=False).status_code in (400, 404), address


def test_a_table_goes_into_a_file_and_comes_back(group: Group) -> None:
    leader, player = group.server, group.somebody()
    made = opened(leader)
    sat(player, made)
    act(leader, made, "write note", title="Secret", text="the cook")
    act(leader, made, "write note", title="Shared", text="the map", readers="everyone")
    act(leader, made, "begin scene", ready="duel", npcs="tactics")
    whole = leader.get(f"/api/tables/{made['table']}/export").content
    back = player.post("/api/import", content=whole)
    assert back.status_code == 201, back.text
    copied = player.get(f"/api/tables/{back.json()['table']}").json()
    assert copied["name"] == "The ford"
    assert copied["me"]["role"] == "gamemaster"
    theirs = player.get(f"/api/tables/{made['table']}/export").text
    assert "the cook" not in theirs
    assert "the map" in theirs
    for content in (b"", b"{}", whole[:-30], whole.replace(b"duel", b"dual", 1), b"\x00" * 100, theirs.encode()):
        assert player.post("/api/import", content=content).status_code == 400


def test_who_was_away_hears_everything_once(group: Group) -> None:
    """A stream is read, dropped and taken up again by its last id, while somebody goes on talking."""
    made = opened(group.server)
    where = f"/api/tables/{made['table']}/since"
    mark = group.server.get(where).json()["mark"]
    heard: list[str] = []
    for number in range(60):
        act(group.server, made, "say", text=f"word {number}")
        if number % 7 == 0:
            answer = group.server.get(where, params={"after": mark}).json()
            heard += [line["text"] for line in answer["lines"]]
            mark = answer["mark"]
    heard += [line["text"] for line in group.server.get(where, params={"after": mark}).json()["lines"]]
    assert heard == [f"word {number}" for number in range(60)]


def test_the_stream_itself(address: str) -> None:
    """Over a real connection: every change comes as it happens; with the last id the rest comes after a break, none twice."""
    with httpx.Client(base_url=address) as client:
        made = client.post("/api/tables", json={"system": "scumm", "name": "Stream", "gamemaster": "G"}).json()
        where = f"/api/tables/{made['table']}"
        heard, last = [], ""

        def talk(numbers: range) -> None:
            for number in numbers:
                body = {"action": {"do": "say", "text": f"word {number}"}}
                assert client.post(f"{where}/act", json=body).status_code == 200

        for part in (range(5), range(5, 15), range(15, 20)):
            with client.stream("GET", f"{where}/stream", headers={"last-event-id": last} if last else {}, timeout=20) as stream:
                lines = stream.iter_lines()
                speaker = threading.Thread(target=talk, args=(part,))
                first = True
                for line in lines:
                    if line.startswith("id:"):
                        last = line.removeprefix("id:").strip()
                    elif line.startswith("data:"):
                        heard += [entry["text"] for entry in json.loads(line.removeprefix("data:"))["lines"]]
                        if first:
                            first = False
                            speaker.start()
                    if heard and heard[-1] == f"word {part[-1]}" and line == "":
                        break
                speaker.join()
        assert heard == [f"word {number}" for number in range(20)]


def test_a_renewed_gamemasters_link_ends_the_stream_of_whoever_led_by_the_old_one(address: str) -> None:
    with httpx.Client(base_url=address, timeout=20) as leader, httpx.Client(base_url=address, timeout=20) as thief:
        made = leader.post("/api/tables", json={"system": "scumm", "name": "Stream", "gamemaster": "G"}).json()
        where = f"/api/tables/{made['table']}"
        assert thief.post(f"{where}/lead", json={"token": made["gamemaster"]}).status_code == 201
        with thief.stream("GET", f"{where}/stream") as stream:
            lines = stream.iter_lines()
            assert next(line for line in lines if line.startswith("data:"))
            assert leader.post(f"{where}/act", json={"action": {"do": "renew link", "link": "gamemaster"}}).status_code == 200
            assert not [line for line in lines if line.startswith("data:")], "the stream ends, and tells nothing more"
        assert thief.get(where).status_code == 404
        assert leader.get(where).status_code == 200


@pytest.mark.parametrize("path", ["/api/tables/{}/stream", "/tables/{}/live"])
def test_a_streams_seat_is_looked_for_outside_the_event_loop(group: Group, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    made, inside = opened(group.server), []

    def seat(*_: object) -> None:
        try:
            inside.append(asyncio.get_running_loop())
        except RuntimeError:
            inside.append(None)

    monkeypatch.setattr(group.app.state.tables, "seat", seat)
    assert group.server.get(path.format(made["table"])).status_code == 404
    assert inside == [None]


def test_too_often_is_refused_and_a_moment_later_allowed(tmp_path: Path) -> None:
    rates = Rates(acts=1.0, most_acts=3, seats=1.0, most_seats=2)
    assert [rates.allows("acts", "a", at) for at in (0, 0, 0, 0, 0.5, 1.6)] == [True, True, True, False, False, True]
    assert rates.allows("acts", "b", 0)
    with TestClient(create_app(str(tmp_path / "tables.db"), Rates(0.001, 3, 0.001, 3))) as client:
        made = opened(client)
        statuses = [act(client, made, "say", text="x").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert [client.post("/api/tables", json={"system": "scumm", "name": "T", "gamemaster": "G"}).status_code for _ in range(3)] == [
            201,
            201,
            429,
        ]


def _asked_what_to_do(client: TestClient) -> tuple[dict[str, str], dict[str, Any], list[str]]:
    """A duel in which somebody is asked something that can be weighed; one may be over before that, so it is begun anew until then."""
    for _ in range(40):
        made = client.post("/api/demos/scumm", params={"scenario": "duel"}).json()
        for _ in range(10):
            questions = client.get(f"/api/tables/{made['table']}").json()["scenes"][0]["questions"]
            if not questions:
                break
            question = questions[0]
            shots = [option["key"] for option in question["options"] if option["weighable"] and option["key"].startswith("shoot:")]
            if shots:
                return made, question, shots
            given = question["options"][0]["key"] if question["options"] else question["low"]
            act(client, made, "answer", scene=1, given=given, at=question["at"], question=question["mark"])
    raise AssertionError("nobody was asked anything that can be weighed")


def test_chances_stand_beside_the_options_of_who_is_asked(group: Group) -> None:
    made, question, shots = _asked_what_to_do(group.server)
    where = f"/api/tables/{made['table']}"
    chances = group.server.get(f"{where}/scenes/1/chances", params={"at": question["at"], "question": question["mark"]}).json()
    assert {each["key"] for each in chances} >= set(shots)  # what leads to no roll has none
    for each in chances:
        assert sum(outcome["chance"] for outcome in each["outcomes"]) == pytest.approx(1 - each["unsettled"])
    stale = group.server.get(f"{where}/scenes/1/chances", params={"at": question["at"], "question": "0" * 12})
    assert stale.status_code == 400


def test_the_sixth_game_is_played_here_too(group: Group) -> None:
    made = group.server.post("/api/demos/pebbles").json()
    where = f"/api/tables/{made['table']}"
    for _ in range(60):
        scene = group.server.get(where).json()["scenes"][0]
        if scene["result"] is not None:
            break
        question = scene["questions"][0]
        given = question["options"][0]["key"] if question["options"] else question["low"]
        answer = act(group.server, made, "answer", scene=1, given=given, at=question["at"], question=question["mark"])
        assert answer.status_code == 200, answer.text
    assert group.server.get(f"/tables/{made['table']}").status_code == 200
    assert len(log(group.server, made)) > 2


def test_a_sheet_at_the_table_is_changed_rolled_from_and_advanced(group: Group) -> None:
    leader, player = group.server, group.somebody()
    made = opened(leader)
    sat(player, made)
    character = act(player, made, "add character", archetype="mercenary", name="Ines").json()["made"]
    where = f"/tables/{made['table']}/characters/{character}"
    assert "Ines" in player.get(where).text
    skills = player.get(f"/api{where}").json()["sheet"]["sections"]
    stepper = next(
        piece for section in skills for piece in section["pieces"] if piece["type"] == "Stepper" and piece["value"] < piece["high"]
    )
    fields = {"field": stepper["field"], "do": "step", "value": "1"}
    assert player.post(f"{where}/change", data=fields, follow_redirects=False).status_code == 303
    assert player.post(f"{where}/change", data={**fields, "value": "-1", "advancing": "yes"}, follow_redirects=False).status_code == 303
    told = [line["text"] for line in log(leader, made)]
    assert any(f"edits Ines: {stepper['name']} {stepper['value'] + 1}" in text for text in told)
    assert any(f"{stepper['name']} {stepper['value']}" in text and "advance" in text for text in told)
    test = next(piece for section in skills for piece in section["pieces"] if piece["type"] == "Test")
    rolled = player.post(f"{where}/roll", data={"test": test["key"], "asked": "1", "against": "4", "dice": "fresh"}, follow_redirects=False)
    assert rolled.status_code == 303
    assert log(leader, made)[-1]["sort"] == "test"
    stranger = group.somebody()
    sat(stranger, made, "Ki")
    assert stranger.get(where).status_code == 403, "somebody else's sheet"
    assert stranger.post(f"{where}/change", data=fields).status_code == 403


def test_a_scene_of_ones_own_keeps_the_order_of_the_page() -> None:
    """Sides and people stand as they were listed, not as a hash happens to fall."""
    sides = [(f"side.c{place}", side) for place, side in enumerate(("south", "north", "east", "west") * 5)]
    begun = parse_action(FormMultiDict([("do", "begin scene"), ("name", "A crowd"), *sides]))
    assert isinstance(begun, BeginScene)
    assert list(begun.sides) == ["south", "north", "east", "west"]
    assert [one.character for one in begun.sides["south"]] == ["c0", "c4", "c8", "c12", "c16"]
