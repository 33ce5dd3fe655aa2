"""The board in a browser: painted with a brush, where a side begins, kept at the table, seen as a player, and forms within forms."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from tests.web.conftest import Visit
from tests.web.test_access import found
from tests.web.test_map_editor_browser import drag, tool
from tests.web.test_table_browser import hosted, joined

pytestmark = pytest.mark.browser


def test_a_scene_is_painted_given_its_areas_kept_opened_again_and_seen_as_a_player(visit: Visit) -> None:
    page, invitation = hosted(visit)
    player = joined(visit, invitation)
    table = urlsplit(page.url).path
    assert player.request.post(f"/api{table}/act", data={"action": {"do": "add character", "ready": "hired-gun"}, "key": "k"}).ok
    page.get_by_role("link", name="New scene").click()
    page.wait_for_selector(".prepares.ready")
    page.get_by_role("button", name="New blank map").click()
    page.wait_for_selector("#easel")

    # Painted: one stroke of a broad brush over what lies higher.
    tool(page, "Height", "+1", "Brush")
    page.locator("#easel-size").fill("3")
    drag(page, (4, 4), (12, 6))
    expect(page.locator("#drawn-things .handle")).to_have_count(1)
    tool(page, "Area", "hidden", "Box")
    tool(page, "Select")

    # Where the opposition begins: four of a quality stand there.
    page.get_by_role("group", name="Starting areas").get_by_role("button", name="opposition", exact=True).click()
    drag(page, (20, 4), (26, 10))
    expect(page.locator(".start-area")).to_have_count(1)
    page.locator("#made-number").fill("4")
    page.locator("#made-level").select_option("veteran")
    page.get_by_role("button", name="Add", exact=True).first.click()
    expect(page.locator("#field .counter.side1")).to_have_count(4)
    spots = [
        tuple(map(float, re.findall(r"[\d.]+(?=,| m)", each)[-2:])) for each in page.locator(".counter.side1 title").all_text_contents()
    ]
    assert all(20 <= x <= 26 and 4 <= y <= 10 for x, y in spots)

    # Kept at the table, thrown away in the tab, opened again.
    page.locator("#draft-name").fill("At the gate")
    page.keyboard.press("Tab")
    page.locator("#keep-scene").click()
    expect(page.locator(".kept-one b")).to_have_text("At the gate")
    page.get_by_role("button", name="Start over").click()
    page.wait_for_selector(".prepares.ready")
    expect(page.locator("#field .counter.side1")).to_have_count(0)
    page.get_by_role("button", name="Open At the gate").click()
    expect(page.locator("#field .counter.side1")).to_have_count(4)
    assert found(page) == []

    # View as Jo, before and after the scene starts.
    page.locator("#see-as").select_option(label="Jo")
    expect(page.locator("#prepare-told")).to_have_text("You see the map as Jo.")
    expect(page.locator("#field .counter[data-moves]")).to_have_count(0)
    assert "At the gate" not in player.request.get(f"/api{table}").text()
    page.locator("#see-as").select_option("")
    page.get_by_role("button", name="Start scene:").click()
    page.get_by_role("link", name="Jo", exact=True).click()
    expect(page.get_by_role("heading", name="View as Jo")).to_be_visible()
    assert found(page) == []


def test_a_race_is_built_in_forms_within_forms(visit: Visit) -> None:
    page = visit("/games/silhouette/new/character?step=all")
    page.locator("#in-race-give input:not([type=hidden])").fill("Deepling")
    page.locator("#in-race-give button").click()
    page.locator("#in-race > summary").click()
    page.locator("#in-race-abilities > summary").click()
    page.locator("#in-race-abilities-add input:not([type=hidden])").fill("extra limb")
    page.locator("#in-race-abilities-add button").click()
    page.locator("#in-race-abilities-0 > summary").click()
    about = page.locator("#in-race-abilities-0").get_by_label("About")
    about.fill("a third arm")
    about.press("Tab")
    expect(page.locator("#in-race-abilities")).to_have_attribute("open", "")
    assert found(page) == []
    page.reload()
    page.locator("#in-race > summary").click()
    page.locator("#in-race-abilities > summary").click()
    page.locator("#in-race-abilities-0 > summary").click()
    expect(page.locator("#in-race-abilities-0").get_by_label("About")).to_have_value("a third arm")
