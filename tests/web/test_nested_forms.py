"""Structures within structures are forms: fields, lists, things by their names, at any depth; no file is needed for any of them."""

from typing import get_type_hints

import msgspec
import pytest
from conformance.games import taken, things

from rulewright.errors import UserError
from rulewright.system import HOUSE, find
from rulewright.web.sheets.edits import apply_edit
from rulewright.web.sheets.extra_fields import EDITED_ELSEWHERE, add_hidden_lists, build_nested_forms, covered_places
from rulewright.web.sheets.nested_forms import list_places, needs_form, shape_of


def whole(name):
    kept = taken(name)
    return kept.system, kept.thing, add_hidden_lists(kept.thing, kept.system.sheet(kept.system.book.ruleset(), kept.thing))


def all_nodes(nodes):
    for node in nodes:
        yield node
        yield from all_nodes(node.within)


def one_of_each():
    """The first ready-made file of each kind that has one, by the type that it is saved as."""
    return list({type(taken(name).thing): name for name in reversed(things())}.values())


@pytest.mark.parametrize("game", HOUSE)
def test_no_field_of_a_saved_type_or_a_place_needs_raw_text(game):
    system = find(game)
    described = [staging.scene(system.book.ruleset()).described for staging in system.scenes.values()]
    for kind in [*system.kinds.values(), *(each for each in described if each is not None)]:
        hints = get_type_hints(kind)
        for field in msgspec.structs.fields(kind):
            if field.encode_name not in EDITED_ELSEWHERE:
                assert list_places(hints[field.name])  # refuses what no form can be made for


@pytest.mark.parametrize("name", one_of_each())
def test_every_structure_is_on_the_sheet_or_has_a_form(name):
    system, thing, sheet = whole(name)
    covered, forms = covered_places(system, type(thing), sheet), {each.dotted for each in build_nested_forms(system, thing, sheet)}
    for field in msgspec.structs.fields(type(thing)):
        shape = shape_of(get_type_hints(type(thing))[field.name])
        if field.encode_name in EDITED_ELSEWHERE or shape.sort == "bare":
            continue
        beyond = needs_form(shape, (field.encode_name,), lambda place: place not in covered)
        empty = not getattr(thing, field.name)  # a list that the sheet grows and that has no entries yet
        assert not beyond or field.encode_name in forms or (empty and field.encode_name in covered)


@pytest.mark.parametrize("name", one_of_each())
def test_what_stands_in_a_form_can_be_written_there_again(name):
    system, thing, sheet = whole(name)
    for node in all_nodes(build_nested_forms(system, thing, sheet)):
        texts = {leaf.blank.field: leaf.text or ("no" if leaf.blank.sort == "tick" else "") for leaf in node.leaves}
        if texts:
            assert apply_edit(thing, sheet, node.path, "set in", "", [], texts) == thing


@pytest.mark.slow
def test_a_race_is_given_filled_and_taken_away_in_the_browser(client):
    url = "/games/silhouette/new/character"
    client.get(url)

    def do(what, path, **texts):
        form = {"do": f"{what} in", "field": path, **{f"row.{name}": text for name, text in texts.items()}}
        return client.post(f"{url}/change", data=form, headers={"HX-Request": "true"}).text

    assert "name is missing" in do("give", '["race"]').lower()
    do("give", '["race"]', name="Deepling")
    do("add", '["race","shifts"]', name="agility", value="1")
    do("add", '["race","abilities"]', name="extra limb")
    page = do("set", '["race","abilities",0]', name="extra limb", about="a third arm")
    assert "a third arm" in page
    saved = client.get(f"{url}/file").text
    assert "agility: 1" in saved
    assert "about: a third arm" in saved
    assert "already an entry" in do("add", '["race","shifts"]', name="agility", value="2")
    assert "not a place" in do("set", "race", name="x")
    assert "here to change" in do("take", '["race","abilities",7]')
    do("take", '["race","abilities",0]')
    assert "third arm" not in client.get(f"{url}/file").text
    do("take", '["race"]')
    assert "Deepling" not in client.get(f"{url}/file").text


def test_what_the_rules_know_by_name_is_offered():
    system, thing, sheet = whole("silhouette/characters/alley-medic")
    with_race = apply_edit(thing, sheet, '["race"]', "give in", "", [], {"name": "Deepling"})
    nodes = {node.dotted: node for node in all_nodes(build_nested_forms(system, with_race, sheet))}
    assert "agility" in nodes["race.shifts"].asks[0].known
    assert "extra limb" in nodes["race.abilities"].asks[0].known
    assert len(nodes["race.perks"].asks[0].known) > 20
    system, thing, sheet = whole("hybrid/characters/archer")
    nodes = {node.dotted: node for node in all_nodes(build_nested_forms(system, thing, sheet))}
    assert "PAG" in nodes["heritage.mods"].asks[0].known


def test_a_form_refuses_what_does_not_belong_there():
    _, thing, sheet = whole("foresight/characters/alchemist")
    with pytest.raises(UserError, match="'XX' is not one of"):
        apply_edit(thing, sheet, '["background",0,"inherent"]', "add in", "", [], {"name": "XX", "value": "1"})
    with pytest.raises(UserError, match="whole number"):
        apply_edit(thing, sheet, '["background",0,"inherent"]', "add in", "", [], {"name": "ST", "value": "many"})
    with pytest.raises(UserError, match="no nested field"):
        apply_edit(thing, sheet, '["advancement"]', "add in", "", [], {})
