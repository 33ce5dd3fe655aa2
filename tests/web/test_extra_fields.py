"""Whatever a file can say is given, changed and removed in the browser; the book's steps lead from nothing to somebody."""

from typing import Any

import msgspec
import pytest
from conformance.games import taken, things

from rulewright.build.audit import change
from rulewright.build.sheet_parts import Budget, Stepper
from rulewright.errors import UserError
from rulewright.system import HOUSE, find
from rulewright.web.builder.steps import FINISH, build_steps
from rulewright.web.sheets import blocks
from rulewright.web.sheets.edits import apply_edit
from rulewright.web.sheets.extra_fields import EDITED_ELSEWHERE, add_hidden_lists, build_nested_forms, list_extra_fields


def whole(name):
    kept = taken(name)
    sheet = kept.system.sheet(kept.system.book.ruleset(), kept.thing)
    return kept.thing, add_hidden_lists(kept.thing, sheet)


@pytest.mark.parametrize("name", things())
def test_every_field_of_a_file_has_a_place_in_the_builder_and_what_stands_there_can_be_written_again(name):
    thing, sheet = whole(name)
    shown = {piece.field.partition(".")[0] for section in sheet.sections for piece in section.pieces if getattr(piece, "field", "")}
    fields = {field.encode_name for field in msgspec.structs.fields(type(thing))}
    forms = {each.dotted for each in build_nested_forms(find(name.split("/")[0]), thing, sheet)}
    more = list_extra_fields(thing, sheet)
    assert fields <= {*shown, *EDITED_ELSEWHERE, *forms, *(each.blank.field for each in more)}
    for each in more:
        assert apply_edit(thing, sheet, each.blank.field, "more", each.text or ("no" if each.blank.sort == "tick" else ""), []) == thing


def test_a_field_is_written_and_emptied():
    thing, sheet = whole("ore/characters/rasmus_holt")
    many = apply_edit(thing, sheet, "identities", "more", "3", [])
    assert many.identities == 3
    assert apply_edit(many, sheet, "identities", "more", "  ", []).identities == 1
    with pytest.raises(UserError, match="whole number"):
        apply_edit(thing, sheet, "identities", "more", "many", [])
    with pytest.raises(UserError, match="no advanced field"):
        apply_edit(thing, sheet, "condition", "more", "{}", [])


@pytest.mark.slow
def test_armour_of_one_roll_engine_is_put_on_and_taken_off(client):
    url = "/games/ore/new/character"
    client.get(url)

    def worn(place, what):
        form = {"field": f"armour.{place}", "do": "pick", "value": what}
        return client.post(f"{url}/change", data=form, headers={"HX-Request": "true"}).text

    assert "chain mail" in worn("torso", "chain mail")
    saved = client.get(f"{url}/file").text
    assert "torso: chain mail" in saved
    page = worn("torso", "")
    assert "chain mail" not in client.get(f"{url}/file").text
    assert "no armour" not in page
    assert "has no" in worn("torso", "paper")


def test_a_shield_may_be_on_either_arm():
    thing, _ = whole("ore/characters/rasmus_holt")
    assert change(thing, "shield_arm", "right arm").shield_arm == "right arm"


def pieces_of(part: blocks.Part) -> list[Any]:
    """All pieces of a part of a sheet."""
    cells = [item.cells.values() if isinstance(item, blocks.TableRow) else (item,) for block in part.blocks for item in block.items]
    return [cell.piece for row in cells for cell in row]


@pytest.mark.parametrize("game", HOUSE)
def test_the_steps_of_the_book_lead_through_the_sheet(game):
    system = find(game)
    sheet = system.sheet(system.book.ruleset(), system.nothing("character"))
    parts = blocks.parts(sheet)
    steps = system.steps["character"]
    audit = system.audit(system.book.ruleset(), system.nothing("character"))
    guided = build_steps(steps, sheet, parts, audit, (), named=False)
    assert [each.step for each in guided] == [*steps, FINISH]  # each has its place already where nothing is chosen
    spent = {each.step.budget.lower() for each in guided if each.step.budget}
    known = {piece.name.lower() for section in sheet.sections for piece in section.pieces if isinstance(piece, Budget)}
    assert spent <= known
    assert known - spent <= {"experience", "experience points"}
    shown = {part.id for each in guided for part in each.parts}
    choices = {part.id for part in parts if any(isinstance(piece, Stepper) for piece in pieces_of(part))}
    assert choices <= shown  # nothing to choose is left out
    rules = {info.id for info in system.book.rules()} | set(system.book.index())
    assert {step.rule for step in steps if step.rule} <= rules
    assert any(each.summary.endswith(" left") for each in guided)


def test_a_step_says_what_is_left_and_when_it_is_done(client):
    url = "/games/scumm/new/character"
    page = client.get(url).text
    assert "5 left" in page
    assert "Next: Attributes" in page
    url_of_step = f"{url}/change?step=attributes"
    for _ in range(3):
        page = client.post(url_of_step, data={"field": "attributes.alertness", "do": "step", "value": "1"}).text
    for _ in range(3):
        page = client.post(url_of_step, data={"field": "attributes.body", "do": "step", "value": "1"}).text
    assert "1 over" in page
