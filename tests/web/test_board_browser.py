"""The gamemaster prepares a scene on a board: dragged, touched, by keys; drawn on; weighed; saved as a file and opened again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.test_map_editor_browser import drag, on_screen, tool
from tests.web.test_table_browser import hosted

from rulewright import files

pytestmark = pytest.mark.browser


def board(visit: Visit) -> Page:
    page, _ = hosted(visit)
    page.get_by_role("link", name="New scene").click()
    page.wait_for_selector(".prepares.ready")
    return page


def counters(page: Page, number: int) -> None:
    expect(page.locator("#field .counter")).to_have_count(number)


def spot(page: Page, name: str) -> str:
    return page.locator(f'#field .counter[data-who="{name}"] title').inner_html()


def test_people_are_dragged_touched_and_moved_by_keys_and_every_change_is_taken_back(visit: Visit) -> None:
    page = board(visit)
    page.get_by_role("button", name="New blank map").click()
    page.wait_for_selector("#easel")

    # Dragged from the list onto the field, on the side that is chosen.
    page.get_by_role("radio", name="heroes").check()
    row = page.locator('.offered-one:has-text("Hired gun") .take')
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(*on_screen(page, 6, 6), steps=4)
    page.mouse.move(*on_screen(page, 4.5, 9.5), steps=2)
    page.mouse.up()
    counters(page, 1)
    assert spot(page, "Hired gun") == "Hired gun: 4.5, 9.5 m"

    # Chosen, then put down twice with a touch.
    page.get_by_role("radio", name="opposition").check()
    take = page.locator('.offered-one:has-text("Security guard") .take')
    take.click()
    expect(take).to_have_attribute("aria-pressed", "true")
    page.mouse.click(*on_screen(page, 20.5, 5.5))
    counters(page, 2)
    page.mouse.click(*on_screen(page, 22.5, 12.5))
    counters(page, 3)
    page.keyboard.press("Escape")
    assert spot(page, "Security guard 2") == "Security guard 2: 22.5, 12.5 m"

    # One is dragged on the field, another goes by the arrow keys, a third is taken off.
    drag(page, (20.5, 5.5), (24.5, 7.5))
    expect(page.locator('#field .counter[data-who="Security guard"] title')).to_have_text("Security guard: 24.5, 7.5 m")
    mover = page.locator('#field .counter[data-who="Hired gun"]')
    mover.focus()
    page.keyboard.press("ArrowRight")
    expect(mover.locator("title")).to_have_text("Hired gun: 5.5, 9.5 m")
    page.locator('#field .counter[data-who="Security guard 2"]').focus()
    page.keyboard.press("Delete")
    counters(page, 2)

    # A wall is drawn on the same page; undo takes the stroke back, then the people.
    tool(page, "Wall")
    drag(page, (12, 4), (12, 15))
    expect(page.locator("#ground .wall")).to_have_count(1)
    page.locator("#take-back").click()
    expect(page.locator("#ground .wall")).to_have_count(0)
    page.locator("#take-back").click()
    counters(page, 3)

    page.reload()
    counters(page, 3)


def test_a_scene_is_weighed_saved_as_a_file_and_opened_again_as_it_was(visit: Visit) -> None:
    page = board(visit)
    page.get_by_role("radio", name="heroes").check()
    page.get_by_role("button", name="Add Hired gun to the map").click()
    counters(page, 1)
    page.get_by_role("radio", name="opposition").check()
    page.get_by_role("button", name="Add Street tough to the map").click()
    counters(page, 2)
    page.get_by_role("button", name="One more Street tough").click()
    counters(page, 3)
    page.get_by_label("Light", exact=True).select_option(label="very brightly or poorly lit")
    page.locator("#draft-name").fill("At the gate")
    page.get_by_role("button", name="New blank map").click()
    page.wait_for_selector("#easel")
    tool(page, "Cover", "heavy cover")
    drag(page, (10, 6), (13, 8))
    expect(page.locator("#ground .cover")).to_have_count(1)
    page.get_by_role("button", name="Estimate difficulty").click()
    verdict = re.compile(r"^(heroes win|opposition wins) [<>]? ?\d+ % of the time, with \d+\.\d of them out on average$")
    expect(page.locator("#weighed .headline")).to_have_text(verdict, timeout=100_000)  # a process of its own has to begin first
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    path = Path(saved.value.path())
    kept = files.parse(path.read_bytes(), "saved").data
    assert kept["place"] == {"light": "very brightly or poorly lit"}
    assert len(kept["sides"]["opposition"]) == 2
    assert kept["map"]["covers"][0]["cover"] == "heavy cover"
    before = [spot(page, name) for name in ("Hired gun", "Street tough", "Street tough 2")]

    page.get_by_role("button", name="Start over").click()
    page.wait_for_selector(".prepares.ready")
    counters(page, 0)
    page.locator("#scenario-file").set_input_files(path)
    counters(page, 3)
    expect(page.locator("#draft-name")).to_have_value("At the gate")
    assert [spot(page, name) for name in ("Hired gun", "Street tough", "Street tough 2")] == before
    expect(page.locator("#ground .cover")).to_have_count(1)
    page.get_by_role("button", name="Start scene").click()
    expect(page.locator("#cards")).to_contain_text("Street tough 2")
