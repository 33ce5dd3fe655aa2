"""A machine on the drawing board in the browser: figures that stay in view, what a change cost, undo, two designs, pictures, paper."""

import re

import pytest

from rulewright.build.pieces import Arcs, Band, Bands, Sector
from rulewright.web.pictures import fan, stretches

HERON = "/games/silhouette/vehicles/heron-walker"
PAGE = {"hx-request": "true"}


def last(answer):
    return re.search(r'id="last-change".*?<b>(.*?)</b>', answer.text, re.S).group(1)


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
    added = {"field": "sections.1.systems", "do": "add", "value": "laser cannon"}
    assert "laser cannon" in client.post(cruiser + "/change", data=added, headers=PAGE).text
    assert client.get("/games/silhouette/new/vehicle").status_code == 200
