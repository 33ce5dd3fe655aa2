"""Experience awarded and spent on the sheet in the browser: shown before and after, written into the copy or the table's character."""

import re
from html import unescape
from typing import Any

import pytest
from tests.web.test_tables import group, log, opened, sat  # noqa: F401

from rulewright import files, library
from rulewright.build.experience import log_of
from rulewright.system import HOUSE, find
from rulewright.web.sheets.experience import single_line_fields

NEW = "/games/scumm/new/character"
AWARD = {"entry": "award", "f.xp": "20", "f.session": "the drowned accountant"}
CLIMB = {"entry": "purchase", "f.buy": "skill", "f.what": "climb", "f.to": "1"}
LEAP = {**CLIMB, "f.to": "5"}


def kept(client: Any, where: str = NEW) -> Any:
    """What the file of the character has of its experience."""
    thing = library.opened(files.parse(client.get(f"{where}/file").content, "one"), "one").thing
    return getattr(thing, log_of(type(thing)).field)


def sent(client: Any, where: str, fields: dict[str, str], **more: str) -> Any:
    return client.post(f"{where}/advance/write", data={**fields, **more}, follow_redirects=False)


@pytest.mark.parametrize("game", HOUSE)
def test_every_character_has_a_form_for_each_kind_of_entry(client, game):
    where = f"/games/{game}/new/character"
    assert f'href="{where}/advance"' in client.get(f"{where}?step=all").text
    page = client.get(f"{where}/advance").text.partition('id="more-entries"')[2]
    entries = log_of(find(game).kinds["character"]).entries
    assert re.findall(r'name="entry" value="([^"]+)"', page) == list(entries)
    for kind in entries.values():
        assert single_line_fields(kind)
        for blank in single_line_fields(kind):
            assert f'name="f.{blank.field}"' in page


def test_what_gathers_no_experience_has_no_such_page(client):
    assert "/advance" not in client.get("/games/silhouette/new/vehicle").text
    assert client.get("/games/silhouette/new/vehicle/advance").status_code == 404


def test_an_award_is_shown_before_it_is_written(client):
    before = kept(client)
    tried = sent(client, NEW, AWARD, do="try")
    assert tried.status_code == 200
    assert ">Record<" in tried.text
    assert kept(client) == before
    assert sent(client, NEW, AWARD, do="write").status_code == 303
    assert [(entry.xp, entry.session) for entry in kept(client)] == [(20, "the drowned accountant")]
    assert "20 XP: the drowned accountant" in client.get(f"{NEW}/advance").text


def test_a_purchase_shows_before_and_after_as_the_sheet_has_it(client):
    sent(client, NEW, AWARD, do="write")
    page = unescape(sent(client, NEW, CLIMB, do="try").text)
    rows = re.findall(r'<tr><th scope="row">([^<]+)</th><td class="n">([^<]+)</td><td class="n more">([^<]+)</td>', page)
    assert rows
    assert all(before != after for _, before, after in rows)
    assert sent(client, NEW, CLIMB, do="write").status_code == 303
    assert len(kept(client)) == 2


def test_what_the_rules_forbid_is_written_only_all_the_same(client):
    sent(client, NEW, AWARD, do="write")
    refused = sent(client, NEW, LEAP, do="write")
    assert refused.status_code == 200
    assert "Record anyway" in refused.text
    assert len(kept(client)) == 1
    assert sent(client, NEW, LEAP, do="write", anyway="yes").status_code == 303
    assert len(kept(client)) == 2


def test_what_was_written_can_be_taken_back(client):
    assert "Undo last change" not in client.get(f"{NEW}/advance").text
    sent(client, NEW, AWARD, do="write")
    assert "Undo last change" in client.get(f"{NEW}/advance").text
    assert client.post(f"{NEW}/undo", follow_redirects=False).status_code == 303
    assert len(kept(client)) == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"entry": "gift"}, "There is no entry 'gift'"),
        ({"entry": "award", "f.xp": "many"}, "xp takes a whole number"),
        ({"entry": "award"}, "it lacks"),
        ({"entry": "award", "f.xp": "1", "f.gold": "3"}, "no field 'gold'"),
    ],
)
def test_what_cannot_be_written_down_is_refused_in_a_sentence(client, fields, said):
    answer = sent(client, NEW, fields, do="write")
    assert answer.status_code == 400
    assert said in unescape(answer.text)


def test_at_the_table_the_character_itself_advances_and_others_may_not(group):  # noqa: F811
    leader, player, other = group.somebody(), group.somebody(), group.somebody()
    made = opened(leader)
    sat(player, made)
    sat(other, made, "Kim")
    brought = player.post(f"{NEW}/table/bring", data={"table": made["table"]}, follow_redirects=False)
    where = brought.headers["location"]
    assert f'href="{where}/advance"' in player.get(f"{where}?step=all").text
    assert sent(player, where, AWARD, do="write").status_code == 303
    assert [entry.xp for entry in kept(player, where)] == [20]
    assert sent(other, where, AWARD, do="write").status_code in (400, 403)
    assert [entry.xp for entry in kept(leader, where)] == [20]
    assert "advance" in " ".join(line["text"] for line in log(player, made)).lower()
