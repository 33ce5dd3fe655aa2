"""Lists on a sheet: whatever is offered can be added, and entries that no list offers are written field by field."""

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from rulewright.build.sheet_parts import Rows, Sheet
from rulewright.errors import UserError
from rulewright.web.pages.games import game, games
from rulewright.web.sheets.edits import apply_edit
from rulewright.web.sheets.list_entries import EntryField, build_entry_form, entry_fields, entry_of, parse_entry

PAGE = {"HX-Request": "true"}
NEW = "/games/scumm/new/character"
FITTING = {"words": "Whatever", "several": "one, two", "whole": "3", "number": "1.5", "tick": "yes", "numbers": "1, 2, 4.5, 8"}
OTHERWISE = {**FITTING, "words": "Otherwise", "whole": "4"}


def fitting(blank):
    """What can be written into a field: the last choice, or what its sort takes within its limits."""
    if blank.sort == "pick":
        return blank.options[-1]
    return "0.5" if blank.sort == "number" and blank.high < 1.5 else FITTING[blank.sort]


def lists(sheet: Sheet) -> list[Rows]:
    return [piece for section in sheet.sections for piece in section.pieces if isinstance(piece, Rows)]


def found(system: str, kind: str, field: str, thing: Any) -> Rows:
    owner = game(system)
    return next(piece for piece in lists(owner.sheet(owner.book.ruleset(), thing)) if piece.field == field)


def beginnings() -> list[tuple[str, str]]:
    return [(each.id, kind) for each in games() for kind in each.kinds]


@pytest.mark.parametrize(("system", "kind"), beginnings())
def test_whatever_a_list_offers_can_be_added_and_removed(system, kind):
    owner = game(system)
    rules = owner.book.ruleset()
    thing = owner.new(rules, kind)
    sheet = owner.sheet(rules, thing)
    for piece in lists(sheet):
        for option in (piece.addable[0], piece.addable[-1]) if piece.addable else ():
            more = apply_edit(thing, sheet, piece.field, "add", option.key, [])
            after = found(system, kind, piece.field, more)
            assert len(after.rows) == len(piece.rows) + 1
            fewer = apply_edit(more, owner.sheet(rules, more), piece.field, "remove", str(len(after.rows) - 1), [])
            assert found(system, kind, piece.field, fewer).rows == piece.rows


@pytest.mark.parametrize(("system", "kind"), beginnings())
def test_whatever_is_written_into_a_list_stands_in_it_and_can_be_changed(system, kind):
    owner = game(system)
    rules = owner.book.ruleset()
    thing = owner.new(rules, kind)
    sheet = owner.sheet(rules, thing)
    for piece in lists(sheet):
        how = build_entry_form(thing, piece)
        if how is None:
            continue
        texts = {blank.field: fitting(blank) for blank in how.blanks}
        more = apply_edit(thing, sheet, piece.field, "write", "", [], texts)
        shown = owner.sheet(rules, more)
        owner.audit(rules, more)
        after = found(system, kind, piece.field, more)
        assert len(after.rows) == len(piece.rows) + 1
        assert build_entry_form(more, after).entries[-1] == texts
        if after.keys:
            first = how.blanks[0]
            other = {**texts, first.field: first.options[0] if first.sort == "pick" else OTHERWISE[first.sort]}
            changed = apply_edit(more, shown, piece.field, "rewrite", str(len(after.rows) - 1), [], other)
            assert build_entry_form(changed, found(system, kind, piece.field, changed)).entries[-1] == other


def test_every_game_with_other_things_lets_them_be_written():
    for system, field in (("silhouette", "gear.other"), ("scumm", "gear.other"), ("hybrid", "gear.other"), ("foresight", "gear.things")):
        owner = game(system)
        thing = owner.new(owner.book.ruleset(), "character")
        assert build_entry_form(thing, found(system, "character", field, thing)) is not None, system


def send(client: Any, do: str, **more: str) -> str:
    return unescape(client.post(f"{NEW}/change", data={"field": "gear.other", "do": do, **more}, headers=PAGE).text)


def test_a_thing_that_is_in_no_list_is_written_on_the_sheet(client):
    page = send(client, "write", **{"row.name": "Lucky coin", "row.weight": "0.5", "row.cost": "3"})
    assert re.search(r"<td>Lucky coin</td>\s*<td>0\.5 kg</td>\s*<td>3</td>", page)
    page = send(client, "rewrite", value="0", **{"row.name": "Luckier coin", "row.weight": "", "row.cost": "4"})
    assert re.search(r"<td>Luckier coin</td>\s*<td></td>\s*<td>4</td>", page)
    assert "Luckier coin" not in send(client, "remove", value="0")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ({"row.name": ""}, "name is missing"),
        ({"row.name": "Coin", "row.cost": "-3"}, "cost: write a whole number from 0, not '-3'"),
        ({"row.name": "Coin", "row.cost": "1.5"}, "cost: write a whole number from 0, not '1.5'"),
        ({"row.name": "Coin", "row.weight": "heavy"}, "weight: write a number from 0, as in 2 or 0.5, not 'heavy'"),
        ({"row.name": "x" * 5_000}, "name: write up to 200 printable characters"),
        ({"row.name": "Co\x07in"}, "name: write up to 200 printable characters"),
    ],
)
def test_what_cannot_stand_there_is_refused_in_one_sentence(client, texts, says):
    before = send(client, "write", **{"row.name": "Coin"})
    page = send(client, "write", **texts)
    assert says[1:] in page
    assert page.count("Remove Coin") == before.count("Remove Coin") == 1


@pytest.mark.parametrize(("do", "value"), [("rewrite", "7"), ("rewrite", "-1"), ("rewrite", "²"), ("remove", "²"), ("remove", "x")])
def test_entries_that_are_not_there_are_refused(client, do, value):
    send(client, "write", **{"row.name": "Coin"})
    assert "has no entry" in send(client, do, value=value, **{"row.name": "Coin"})


def test_only_lists_of_entries_are_written(client):
    answer = client.post(f"{NEW}/change", data={"field": "gear.guns", "do": "write", "row.name": "Gun"}, headers=PAGE)
    assert "cannot be written here" in answer.text


def test_names_are_hostile(client):
    page = client.post(
        f"{NEW}/change", data={"field": "gear.other", "do": "write", "row.name": "<script>alert(1)</script>"}, headers=PAGE
    ).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["name", "weight", "cost", "other"]), st.text(max_size=30)))
def test_whatever_is_typed_gives_an_entry_or_one_sentence(texts):
    entry = entry_of(type(game("scumm").new(game("scumm").book.ruleset(), "character")), "gear.other")
    blanks = entry_fields(entry)
    assert blanks == (EntryField("name", "words", "", True), EntryField("weight", "number", "0"), EntryField("cost", "whole", "0"))
    try:
        made = parse_entry(blanks, texts, {})
    except UserError:
        return
    assert set(made) <= {"name", "weight", "cost"}
    assert made["name"].split()
    assert made.get("weight", 0) >= 0
    assert made.get("cost", 0) >= 0


@pytest.mark.browser
def test_a_thing_is_written_in_the_browser_with_the_keyboard(visit):
    page = visit(f"{NEW}?step=all")
    opens = page.get_by_role("button", name="Custom entry for Other things")
    opens.focus()
    page.keyboard.press("Enter")
    box = page.locator(".writing:popover-open")
    expect(box).to_have_count(1)
    box.get_by_label("Name").fill("Lucky coin")
    box.get_by_label("Cost").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("cell", name="Lucky coin", exact=True)).to_be_visible()
    expect(page.locator(".writing:popover-open")).to_have_count(0)
    page.get_by_role("button", name="Edit Lucky coin").click()
    box.get_by_label("Name").fill("Unlucky coin")
    box.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="Unlucky coin", exact=True)).to_be_visible()
