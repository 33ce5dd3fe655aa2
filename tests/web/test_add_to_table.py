"""A character built without a table goes to one: where one sits, by an invitation, hosting with it, from the people page."""

import re
from html import unescape
from typing import Any

import pytest
from tests.web.test_tables import Group, group, opened, sat  # noqa: F401

NEW = "/games/scumm/new/character"


def built(client: Any, name: str = "Ana Reyes") -> None:
    answer = client.post(f"{NEW}/change", data={"do": "words", "field": "name", "value": name}, follow_redirects=False)
    assert answer.status_code == 303


def names(client: Any, made: dict[str, str]) -> list[tuple[str, bool]]:
    seen = client.get(f"/api/tables/{made['table']}").json()
    return [(each["name"], each["mine"]) for each in seen["characters"]]


def test_every_sheet_without_a_table_offers_one(client):
    for path in (NEW, "/games/ore/new/mook", "/games/scumm/characters/bouncer"):
        assert f'href="{path}/table"' in client.get(f"{path}?step=all").text
        assert client.get(f"{path}/table").status_code == 200


def test_to_a_table_where_one_sits(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made, other = opened(leader), opened(leader, "ore")
    sat(player, made)
    sat(player, other)
    built(player)
    page = player.get(f"{NEW}/table").text
    assert made["table"] in page
    assert other["table"] not in page, "another game is played there"
    answer = player.post(f"{NEW}/table/bring", data={"table": made["table"]}, follow_redirects=False)
    assert answer.status_code == 303
    assert "Ana Reyes" in player.get(answer.headers["location"]).text
    assert names(player, made) == [("Ana Reyes", True)]


def test_by_an_invitation(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made = opened(leader)
    built(player)
    link = f"http://testserver.local/tables/{made['table']}/join/{made['invitation']}"
    answer = player.post(f"{NEW}/table/join", data={"link": f" {link}\n"}, follow_redirects=False)
    assert answer.status_code == 303
    invited = player.get(answer.headers["location"])
    assert "<b>Ana Reyes</b> joins the table with you" in invited.text
    bring = unescape(re.search(r'name="bring" value="([^"]+)"', invited.text)[1])
    where = f"/tables/{made['table']}/join/{made['invitation']}/sit"
    refused = player.post(where, data={"name": "", "bring": bring, "role": "player"})
    assert refused.status_code == 400
    assert "<b>Ana Reyes</b> joins the table with you" in refused.text
    sits = player.post(where, data={"name": "Jo", "bring": bring, "role": "player"}, follow_redirects=False)
    assert sits.status_code == 303
    assert "Ana Reyes" in player.get(sits.headers["location"]).text
    assert names(player, made) == [("Ana Reyes", True)]
    again = player.post(f"{NEW}/table/join", data={"link": link}, follow_redirects=False)
    assert "/characters/" in again.headers["location"], "who sits there already is there at once"


def test_hosting_with_it(group):  # noqa: F811
    leader = group.somebody()
    built(leader)
    address = unescape(re.search(r'href="(/host\?[^"]+)"', leader.get(f"{NEW}/table").text)[1])
    page = leader.get(address).text
    assert "<b>Ana Reyes</b> joins the table with you" in page
    bring = re.search(r'name="bring" value="([^"]+)"', page)[1]
    hosted = leader.post("/host/open", data={"system": "scumm", "name": "Friday", "gamemaster": "Bea", "bring": unescape(bring)})
    assert "<b>Ana Reyes</b> is at the table" in hosted.text
    table = re.search(r'href="(/tables/[0-9a-f]+)"', hosted.text)[1]
    assert names(leader, {"table": table.rpartition("/")[2]}) == [("Ana Reyes", False)]


def test_from_the_people_page_of_a_table(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made = opened(leader)
    sat(player, made)
    people = f"/tables/{made['table']}/people"
    assert "Your draft" not in player.get(people).text
    built(player)
    page = player.get(people).text
    assert "Your draft: <b>Ana Reyes</b>" in page
    assert "Your draft" not in leader.get(people).text
    action = unescape(re.search(r'action="(/games/[^"]+/table/bring)"', page)[1])
    assert player.post(action, data={"table": made["table"]}, follow_redirects=False).status_code == 303
    assert names(player, made) == [("Ana Reyes", True)]


@pytest.mark.parametrize("link", ["", "nonsense", "http://[", "https://example.org/tables/00/join/x", "/tables/../join/x"])
def test_what_is_no_invitation_is_refused_in_one_sentence(group, link):  # noqa: F811
    player = group.somebody()
    built(player)
    answer = player.post(f"{NEW}/table/join", data={"link": link})
    assert answer.status_code == 400
    assert answer.text.count('class="refusal"') == 1


def test_another_game_is_refused_with_both_names(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made = opened(leader, "ore")
    built(player)
    link = f"/tables/{made['table']}/join/{made['invitation']}"
    refused = player.post(f"{NEW}/table/join", data={"link": link})
    assert refused.status_code == 400
    assert "table plays One Roll Engine, but this character is for S.C.U.M.M" in refused.text
    sits = player.post(f"{link}/sit", data={"name": "Jo", "bring": "new/character", "role": "player"}, follow_redirects=False)
    assert names(player, made) == [("Nameless", True)], "a place on the desk is looked for in the game of the table"
    assert sits.status_code == 303


def test_strangers_and_spectators_bring_nobody(group):  # noqa: F811
    leader, watcher, stranger = group.somebody(), group.somebody(), group.somebody()
    made = opened(leader)
    sat(watcher, made, role="spectator")
    for client, status in ((watcher, 403), (stranger, 404)):
        built(client)
        assert made["table"] not in client.get(f"{NEW}/table").text
        assert client.post(f"{NEW}/table/bring", data={"table": made["table"]}).status_code == status
    assert names(leader, made) == []


def test_what_is_not_there_any_more_keeps_nobody_from_sitting_down(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made = opened(leader)
    where = f"/tables/{made['table']}/join/{made['invitation']}"
    assert "joins the table with you" not in player.get(where, params={"bring": "own/gone"}).text
    sits = player.post(f"{where}/sit", data={"name": "Jo", "bring": "own/gone", "role": "player"}, follow_redirects=False)
    assert sits.headers["location"].endswith("/people")
    assert names(player, made) == []
