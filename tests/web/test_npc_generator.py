"""People made up by dice in the browser: rolled, pinned, rolled anew part by part, one or many, as files, in the builder, at the table."""

import re
from html import unescape
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from tests.web.test_tables import group, opened, sat  # noqa: F401

from rulewright import files, library
from rulewright.play import Seeded
from rulewright.system import find
from rulewright.systems.silhouette.story.people import Sketch

NPC = "/npc/silhouette"
PARTS = Sketch.__struct_fields__


def rolled(client: Any, **fields: Any) -> str:
    """Where a roll leads."""
    answer = client.post(f"{NPC}/roll", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def form_of(page: str) -> dict[str, Any]:
    """The fields of the form as a browser would send them."""
    found: dict[str, Any] = {}
    for name, inner in re.findall(r'<select id="[^"]*" name="([^"]+)">(.*?)</select>', page, re.S):
        chosen = re.search(r"<option selected>([^<]*)", inner)
        found[name] = unescape(chosen[1]) if chosen else ""
    for name, value in re.findall(r'<input (?:id="[^"]*"|type="hidden") name="([^"]+)" value="([^"]*)"', page):
        found[name] = unescape(value)
    found["keep"] = re.findall(r'name="keep" value="(\w+)"[^>]* checked', page)
    return found


def parts_of(page: str) -> dict[str, str]:
    return {name: value for name, value in form_of(page).items() if name in PARTS}


def test_whoever_builds_characters_finds_the_page_and_games_without_it_have_none(client):
    assert f'href="{NPC}"' in client.get("/games/silhouette").text
    assert "/npc/scumm" not in client.get("/games/scumm").text
    assert client.get("/npc/scumm").status_code == 404
    assert client.get("/npc/nothing").status_code == 404
    assert client.get(NPC).status_code == 200


def test_one_is_rolled_and_the_address_shows_the_same_again(client):
    where = rolled(client, number="1", level="veteran")
    page = client.get(where).text
    assert set(parts_of(page)) == set(PARTS)
    assert parts_of(page) == parts_of(client.get(where).text)
    assert f"{parts_of(page)['trade']}, veteran" in unescape(page)


def test_what_is_kept_or_typed_stays_and_the_rest_is_rolled(client):
    fields = form_of(client.get(rolled(client, number="1")).text)
    before = {part: fields[part] for part in PARTS}
    fields.update(keep=["stereotype", "eyes"], name="Ana Reyes")
    for _ in range(3):
        fields = form_of(client.get(rolled(client, **fields)).text)
        assert (fields["stereotype"], fields["eyes"], fields["name"]) == (before["stereotype"], before["eyes"], "Ana Reyes")
        assert set(fields["keep"]) == {"stereotype", "eyes", "name"}
    assert {part: fields[part] for part in PARTS} != {**before, "name": "Ana Reyes"}


@pytest.mark.parametrize(("part", "free"), [("hobby", {"hobby"}), ("stereotype", {"stereotype", "trade", "twist"})])
def test_one_part_is_rolled_again_with_what_depends_on_it_only(client, part, free):
    fields = form_of(client.get(rolled(client, number="1")).text)
    seen = {fields[part]}
    for _ in range(12):
        after = form_of(client.get(rolled(client, **fields, again=part)).text)
        assert {name for name in PARTS if after[name] != fields[name]} <= free
        seen.add(after[part])
        fields = after
    assert len(seen) > 1


def test_fifty_differ_in_name_and_are_legal_and_each_stands_alone(client):
    where = rolled(client, number="50", level="elite")
    page = client.get(where).text
    assert "50 characters" in page
    alone = [unescape(link) for link in re.findall(r'href="([^"]+)" aria-label="Details of [^"]+"', page)]
    assert len(alone) == 50
    packed = ZipFile(BytesIO(client.get(where.replace(NPC, f"{NPC}/file")).content))
    kept = [library.opened(files.parse(packed.read(name), name), name) for name in packed.namelist()]
    assert len({each.thing.name for each in kept}) == 50
    system, rules = find("silhouette"), find("silhouette").book.ruleset()
    assert not [each.thing.name for each in kept if not system.audit(rules, each.thing).legal]
    single = client.get(alone[7].replace(NPC, f"{NPC}/file")).content
    assert library.opened(files.parse(single, "one"), "one").thing == kept[7].thing


def test_one_opens_in_the_builder_and_goes_on_to_a_table(client):
    where = rolled(client, number="1", name="Ana Reyes")
    query = urlsplit(where).query
    answer = client.post(f"{NPC}/open?{query}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/games/silhouette/own/ana-reyes")
    assert "<h1>Ana Reyes</h1>" in client.get(answer.headers["location"]).text
    answer = client.post(f"{NPC}/open?{query}&to=table", follow_redirects=False)
    assert "Add Ana Reyes to a table" in client.get(answer.headers["location"]).text


def test_a_gamemaster_takes_several_to_the_table_unseen(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made, other = opened(leader, "silhouette"), opened(leader, "ore")
    sat(player, made)
    assert f'href="{NPC}"' in leader.get(f"/tables/{made['table']}/people").text
    where = rolled(leader, number="3")
    page = leader.get(where).text
    assert made["table"] in page
    assert other["table"] not in page, "another game is played there"
    bring = where.replace(NPC, f"{NPC}/bring")
    assert leader.post(bring, data={"table": other["table"]}).status_code == 400
    assert leader.post(bring, data={"table": made["table"], "hidden": "true"}, follow_redirects=False).status_code == 303
    assert len(leader.get(f"/api/tables/{made['table']}").json()["characters"]) == 3
    assert player.get(f"/api/tables/{made['table']}").json()["characters"] == []
    stranger = group.somebody()
    assert stranger.post(bring, data={"table": made["table"]}).status_code >= 400


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"number": "51"}, "from 1 to 50"),
        ({"number": "many"}, "from 1 to 50"),
        ({"number": "1", "stereotype": "dragon"}, "no stereotype"),
        ({"number": "1", "sex": "dragon"}, "no sex"),
        ({"number": "1", "level": "godlike"}, "no level"),
        ({"number": "1", "age": "old"}, "Invalid value for a pinned part"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(client, fields, said):
    answer = client.post(f"{NPC}/roll", data=fields, follow_redirects=False)
    assert answer.status_code == 400
    assert said in unescape(answer.text)
    assert client.get(NPC, params={**fields, "seed": "1"}).status_code == 400


def test_nobody_is_taken_away_before_a_roll(client):
    assert client.get(f"{NPC}/file").status_code == 400
    assert client.post(f"{NPC}/open").status_code == 400


def test_parts_said_again_make_the_same_person():
    system = find("silhouette")
    rules = system.book.ruleset()
    [(parts, one)] = library.made_up_in_parts(system, rules, {"level": "green"}, 1, Seeded(5))
    assert library.made_up(system, rules, {"level": "green", **parts}, 1, Seeded(99)) == [one]
