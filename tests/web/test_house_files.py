"""House rules of a table as a file: strictly read, played by, kept in the record, taken along in an export."""

import json
import re
from html import unescape

import pytest
from tests.web.test_tables import Group, group, opened, sat  # noqa: F401

OURS = """
system: scumm
kind: house-rules
name: Ours
settings: {random-hit-locations: true}
tables:
  scumm-guns:
    9mm pistol: {damage: 40}
    .22 revolver: null
    pea shooter: {damage: 1, range: [1, 2, 3, 4], ammo: 1, cost: 0, skill: pistols, burst: false, restricted: false}
"""


def send(client, made, text, name="ours.yaml"):
    content = text.encode() if isinstance(text, str) else text
    return client.post(f"/tables/{made['table']}/options/file/read", files={"file": (name, content)}, follow_redirects=False)


def page(client, made):
    return unescape(client.get(f"/tables/{made['table']}/options").text)


def brought(client, made):
    """The address of a character with a 9mm pistol."""
    act = {"do": "add character", "ready": "security-guard"}
    added = client.post(f"/tables/{made['table']}/act", data=act, follow_redirects=False)
    assert added.status_code == 303, added.text
    return added.headers["location"]


def test_a_file_changes_what_the_table_plays_by(group):  # noqa: F811
    leader = group.somebody()
    made = opened(leader)
    guard = brought(leader, made)
    before = leader.get(guard).text
    assert "All tables are as in the book" in page(leader, made)
    assert send(leader, made, OURS).status_code == 303
    shown = page(leader, made)
    assert re.search(r"<b>9mm pistol</b>\s*<span class=\"soft\">damage 40</span>", shown)
    assert re.search(r"<b>\.22 revolver</b>\s*<span class=\"soft\">removed</span>", shown)
    assert "tables changed" in shown
    after = leader.get(guard).text
    assert "<td>× 40</td>" in after
    assert "<td>× 40</td>" not in before
    assert "pea shooter" in after
    assert "pea shooter" not in before


def test_scenes_begin_with_it_and_keep_it(group):  # noqa: F811
    leader = group.somebody()
    made = opened(leader)
    where = f"/tables/{made['table']}"
    send(leader, made, OURS)
    leader.post(f"{where}/act", data={"do": "begin scene", "ready": "duel"})
    leader.post(f"{where}/options/printed")
    shown = page(leader, made)
    assert "All tables are as in the book" in shown
    assert "1 option changed" in shown
    lines = [json.loads(line) for line in leader.get(f"{where}/export").text.splitlines()]
    begun = next(line["change"]["begun"] for line in lines if line.get("change", {}).get("kind") == "scene begun")
    assert begun["tables"]["scumm-guns"]["9mm pistol"] == {"damage": 40}
    assert begun["settings"]["random-hit-locations"] is True
    assert leader.get(where).status_code == 200


def test_it_goes_along_in_an_export_and_as_a_file(group):  # noqa: F811
    leader, other = group.somebody(), group.somebody()
    made = opened(leader)
    send(leader, made, OURS)
    whole = leader.get(f"/tables/{made['table']}/export").content
    again = other.post("/api/import", content=whole, headers={"content-type": "application/octet-stream"}).json()
    assert "damage 40" in page(other, again)
    taken = leader.get(f"/tables/{made['table']}/options/file")
    assert 'filename="the-ford-house-rules.yaml"' in taken.headers["content-disposition"]
    fresh = opened(other)
    assert send(other, fresh, taken.text).status_code == 303
    assert other.get(f"/tables/{fresh['table']}/options/file").text == taken.text
    plain = opened(other)
    assert send(other, plain, other.get(f"/tables/{plain['table']}/options/file").text).status_code == 303
    assert "All tables are as in the book" in page(other, plain)


def test_only_the_gamemaster_brings_one(group):  # noqa: F811
    leader, player = group.somebody(), group.somebody()
    made = opened(leader)
    sat(player, made)
    assert send(player, made, OURS).status_code in (400, 403)
    assert player.post(f"/tables/{made['table']}/options/printed").status_code == 403
    shown = page(player, made)
    assert "Import file" not in shown
    assert "All tables are as in the book" in shown
    assert send(group.somebody(), made, OURS).status_code == 404


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "choose a house-rules file"),
        ("system: [", "ours.yaml"),
        (b"\xff\xfe\x00", "ours.yaml"),
        ("system: scumm\nkind: character\nname: Ana\n", "a house-rules file is needed here, and this is a character"),
        ("system: ore\nkind: house-rules\nname: Ours\n", "these house rules are for ore, and scumm is played"),
        ("system: scumm\nkind: house-rules\nname: Ours\nrows: {}\n", "rows"),
        ("system: scumm\nkind: house-rules\nname: Ours\npreset: none such\n", "no preset 'none such'"),
        ("system: scumm\nkind: house-rules\nname: Ours\nsettings: {random-hit-location: true}\n", "random-hit-locations"),
        ("system: scumm\nkind: house-rules\nname: Ours\ntables: {scumm-gunz: {}}\n", "scumm-guns"),
        ("system: scumm\nkind: house-rules\nname: Ours\ntables: {scumm-guns: {9mm pistol: {damage: much}}}\n", "row '9mm pistol'"),
        ("system: scumm\nkind: house-rules\nname: Ours\ntables: {scumm-guns: {blunderbuss: null}}\n", "no row 'blunderbuss'"),
        ("system: scumm\nkind: house-rules\nname: Ours\nabout: " + "x" * 100_001, "too large"),
    ],
)
def test_what_cannot_be_played_by_is_refused_and_changes_nothing(group, text, says):  # noqa: F811
    leader = group.somebody()
    made = opened(leader)
    send(leader, made, OURS)
    answer = send(leader, made, text)
    assert answer.status_code == 400
    refusal = unescape(re.search(r'<p class="refusal" role="alert">(.*?)</p>', answer.text, re.DOTALL)[1])
    assert says in refusal or says[1:] in refusal
    assert "damage 40" in page(leader, made)
