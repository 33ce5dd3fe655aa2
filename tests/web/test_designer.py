"""A machine on the drawing board in the browser: figures that stay in view, what a change cost, undo, two designs, pictures, paper."""

import re

import msgspec
import pytest
from msgspec import structs

from rulewright.build.sheet_parts import Arcs, Band, Bands, Sector
from rulewright.files import convert, parse
from rulewright.systems.silhouette.machines.vehicle import (
    Computer,
    Defect,
    Device,
    DimensionDrive,
    Extra,
    FasterThanLight,
    Fitted,
    Link,
    Mode,
    Movement,
    Vehicle,
)
from rulewright.web.pages.games import game
from rulewright.web.sheets.diagrams import fan, stretches
from rulewright.web.sheets.list_entries import entry_fields

HERON = "/games/silhouette/vehicles/heron-walker"
PAGE = {"hx-request": "true"}


def last(answer):
    return re.search(r'id="last-change".*?<b title=".*?">(.*?)</b>', answer.text, re.S).group(1)


def threat_value(answer):
    return int(re.search(r'aria-label="Threat Value (\d+)"', answer.text).group(1))


def change(client, **form):
    answer = client.post(HERON + "/change", data=form, headers=PAGE)
    assert answer.status_code == 200
    return answer


def test_the_sum_stays_in_view_with_its_parts(client):
    page = client.get(HERON)
    assert 'class="sumbar"' in page.text
    assert threat_value(page) == 318
    for part in ("offensive", "defensive", "miscellaneous"):
        assert f'<span class="soft">{part}</span>' in page.text


def test_a_sheet_without_such_figures_has_no_bar(client):
    assert 'class="sumbar"' not in client.get("/games/silhouette/characters/sky-courier").text


def test_a_change_says_what_it_cost_and_can_be_taken_back(client):
    after = change(client, field="armor", do="step", value="1")
    assert (last(after), threat_value(after)) == ("Armor: +6", 324)
    after = change(client, field="perks", do="add", value="autopilot")
    assert last(after).startswith("Perks + autopilot: +")
    back = client.post(HERON + "/undo", headers=PAGE)
    assert threat_value(back) == 324
    again = client.post(HERON + "/undo", headers=PAGE)
    assert threat_value(again) == 318
    assert 'id="undo"' not in again.text


def test_the_price_stands_beside_a_choice_before_it_is_taken_and_is_what_it_costs(client):
    offered = re.search(r'data-words="autopilot .*?<td class="n">5 points, \+(\d+) TV', client.get(HERON).text, re.S).group(1)
    assert last(change(client, field="perks", do="add", value="autopilot")) == f"Perks + autopilot: +{offered}"


def test_a_rated_perk_is_added_with_its_smallest_rating_and_a_system_is_rewritten_with_a_negative_accuracy(client):
    assert "power booster 1" in change(client, field="perks", do="add", value="power booster").text
    rows = {"name": "autocannon", "accuracy": "-2", "damage": "10", "range": "4", "uses": "24", "arc": "turret", "type": "matter"}
    answer = change(client, field="systems", do="rewrite", value="0", **{f"row.{key}": text for key, text in rows.items()})
    assert 'class="refusal"' not in answer.text
    assert "<td>-2</td>" in answer.text


@pytest.mark.parametrize(("text", "says"), [("-9", "from -5 to 5"), ("x", "from -5 to 5")])
def test_a_number_outside_its_limits_is_refused_with_them(client, text, says):
    answer = change(client, field="systems", do="rewrite", value="0", **{"row.name": "gun", "row.accuracy": text})
    assert says in answer.text


def test_two_designs_stand_side_by_side_and_stay_there(client):
    page = client.get(HERON + "?beside=vehicles/bastion-tank")
    assert '<th class="n">Bastion</th>' in page.text
    assert '<th class="n">Bastion</th>' in change(client, field="armor", do="step", value="1", beside="vehicles/bastion-tank").text
    assert '<th class="n">' not in client.get(HERON + "?beside=vehicles/nothing").text


def test_arcs_and_speeds_are_drawn(client):
    page = client.get(HERON).text
    assert page.count('class="sector') == 3
    assert 'class="bands"' in page


def test_a_sector_is_a_path_around_the_middle():
    drawn = fan(Arcs(name="a", sectors=(Sector("gun", 0, 180, (1, 2, 4, 8)), Sector("ring", 0, 360, (2,))), unit="hexes"))
    assert drawn.sectors[0].path == "M150.0 150.0L22.0 150.0A128.0 128.0 0 0 1 278.0 150.0Z"
    assert drawn.sectors[1].path.startswith("M150.0 86.0a64.0 64.0")
    assert drawn.words == "gun: 180° 1/2/4/8 hexes; ring: 360° 2 hexes"


def test_a_line_is_cut_into_stretches():
    found = stretches(Bands(name="b", bands=(Band("slow", 2), Band("fast", 8, 1))))
    assert [(each.at, each.width, each.upto) for each in found] == [(0, 25, "2"), (25, 75, "8")]


@pytest.mark.parametrize("page", ["a4", "letter"])
def test_a_record_sheet_is_printed_on_either_paper(client, page):
    answer = client.get(f"{HERON}/paper?page={page}")
    assert answer.content.startswith(b"%PDF")


def test_other_paper_is_refused(client):
    assert client.get(f"{HERON}/paper?page=napkin").status_code == 400


def test_a_machine_of_sections_can_be_changed_section_by_section(client):
    cruiser = "/games/silhouette/vehicles/cathedral-cruiser"
    answer = client.post(cruiser + "/change", data={"field": "sections.0.armor", "do": "step", "value": "1"}, headers=PAGE)
    assert 'class="refusal"' not in answer.text
    before = opened(client.get(cruiser + "/file").text).sections[1].systems
    assert before
    added = {"field": "sections.1.systems", "do": "add", "value": "laser cannon"}
    client.post(cruiser + "/change", data=added, headers=PAGE)
    after = opened(client.get(cruiser + "/file").text).sections[1].systems
    assert (after[:-1], after[-1].name) == (before, "laser cannon")
    assert client.get("/games/silhouette/new/vehicle").status_code == 200


def multiplied(client, field):
    """What a drive multiplies Threat Value and cost by, as its row says; nothing where there is none."""
    piece = next(each for each in pieces(client) if getattr(each, "field", "") == field)
    return [row[-1] for row in piece.rows]


def opened(text):
    """The machine in a file."""
    return convert(parse(text, "machine.yaml"), Vehicle)


def pieces(client):
    """The pieces of the machine as the visitor has changed it."""
    saved = opened(client.get(HERON + "/file").text)
    silhouette = game("silhouette")
    return [piece for section in silhouette.sheet(silhouette.book.ruleset(), saved).sections for piece in section.pieces]


DRIVES = [
    ("faster_than_light", "star drive", {"speed": "1000", "reach": "100", "delay": "6 seconds"}, 2, 64 * 4 * 2),
    ("dimension_drive", "dimension drive", {"dimensions": "10", "delay": "1 hour"}, 1, 2 * 0.5),
]


@pytest.mark.parametrize(("field", "key", "figures", "plain", "grand"), DRIVES)
def test_a_drive_is_given_changed_and_taken_away_again(client, field, key, figures, plain, grand):
    given = change(client, field=field, do="add", value=key)
    assert threat_value(given) == 318 * plain
    assert multiplied(client, field) == [f"×{plain:g}"]
    changed = change(client, field=field, do="rewrite", value="0", **{f"row.{name}": text for name, text in figures.items()})
    assert threat_value(changed) == 318 * grand
    assert multiplied(client, field) == [f"×{grand:g}"]
    gone = change(client, field=field, do="remove", value="0")
    assert threat_value(gone) == 318
    assert multiplied(client, field) == []


@pytest.mark.parametrize(("field", "key", "figures", "plain", "grand"), DRIVES)
def test_there_is_one_drive_of_a_kind_and_no_more(client, field, key, figures, plain, grand):
    begun = change(client, field=field, do="write", **{f"row.{name}": text for name, text in figures.items()})
    assert threat_value(begun) == 318 * grand
    again = change(client, field=field, do="write", **{f"row.{name}": text for name, text in figures.items()})
    assert "has 1 entry already" in again.text
    assert threat_value(again) == 318 * grand


def test_a_drive_beyond_the_table_is_refused(client):
    change(client, field="faster_than_light", do="add", value="star drive")
    answer = change(client, field="faster_than_light", do="rewrite", value="0", **{"row.speed": "100001"})
    assert 'class="refusal"' in answer.text
    assert threat_value(answer) == 318 * 2


WRITTEN = {"name", "concept", "notes"}
"""Written at the top of the page."""
FIXED = {"system", "kind", "condition"}
"""What nobody designs: what a battle left of a machine is mended in repairs."""
WITHIN = {
    "transformation": {"forms": ({"name": "other form", "size": 6},)},
    "structure": {"build": "emplacement"},
    "reaction_mass": {"movement": ({"type": "space", "top": 4},)},
    "burn_points": {"movement": ({"type": "space", "top": 4},)},
}
"""What is only asked of a machine that it concerns."""


@pytest.mark.parametrize("field", sorted({each.name for each in structs.fields(Vehicle)} - WRITTEN - FIXED))
def test_everything_in_the_file_of_a_machine_can_be_changed_on_its_page(field):
    silhouette = game("silhouette")
    thing = msgspec.convert({"name": "any", "armor": 10, **WITHIN.get(field, {})}, Vehicle)
    sheet = silhouette.sheet(silhouette.book.ruleset(), thing)
    assert field in {piece.field for section in sheet.sections for piece in section.pieces if hasattr(piece, "field")}


@pytest.mark.parametrize("entry", [Fitted, Movement, Mode, Device, Link, Computer, Extra, Defect, FasterThanLight, DimensionDrive])
def test_everything_in_an_entry_of_its_lists_can_be_written(entry):
    blanks = {blank.field for blank in entry_fields(entry)}
    assert {each.name for each in structs.fields(entry)} - {"modes"} == blanks  # modes are a list of their own


def test_another_mode_of_a_system_is_given_and_taken_away(client):
    before = threat_value(client.get(HERON))
    texts = {"row.name": "burst", "row.damage": "12", "row.range": "4", "row.rate": "2", "row.type": "matter"}
    assert threat_value(change(client, field="systems.0.modes", do="write", **texts)) > before
    assert threat_value(change(client, field="systems.0.modes", do="remove", value="0")) == before


def test_ranges_of_its_own_are_written_with_commas(client):
    rows = {"row.name": "net", "row.damage": "10", "row.ranges": "1, 2, 3, 6", "row.type": "matter"}
    change(client, field="systems", do="rewrite", value="0", **rows)
    assert opened(client.get(HERON + "/file").text).systems[0].ranges == (1, 2, 3, 6)


def test_what_a_component_makes_up_is_chosen(client):
    combiner = "/games/silhouette/vehicles/threefold-combiner"
    form = {"field": "components.0.locations", "do": "pick", "value": ["crew", "auxiliary"]}
    client.post(combiner + "/change", data=form, headers=PAGE)
    saved = opened(client.get(combiner + "/file").text)
    assert saved.components[0].locations == ("crew", "auxiliary")


def test_a_mass_and_a_size_are_wished_for_and_no_longer(client):
    change(client, field="scout", do="pick", value="true")
    size = change(client, field="size", do="pick", value="0")
    assert 'class="refusal"' not in size.text
    own = next(each for each in pieces(client) if getattr(each, "field", "") == "mass")
    lighter = change(client, field="mass", do="pick", value=own.options[1].key)
    assert 'class="refusal"' not in lighter.text
    assert str(next(each for each in pieces(client) if getattr(each, "key", "") == "mass").value) == own.options[1].key
    change(client, field="mass", do="pick", value="0")
    assert next(each for each in pieces(client) if getattr(each, "field", "") == "mass").value == "0"
