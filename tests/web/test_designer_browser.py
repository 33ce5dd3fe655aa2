"""A machine on the drawing board in a real browser: one request a change, the sum always in view, nothing moves under the hand."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.conftest import Visit

pytestmark = pytest.mark.browser

HERON = "/games/silhouette/vehicles/heron-walker"
SIZES = [{"width": 1440, "height": 960}, {"width": 390, "height": 844}]
STILL = 3
"""So many pixels may a control move that stays where it is."""


def box_of(control: Locator) -> dict[str, float]:
    box = control.bounding_box()
    assert box is not None
    return dict(box)


def assert_still(before: dict[str, float], control: Locator) -> None:
    after = box_of(control)
    assert abs(after["x"] - before["x"]) < STILL, (before, after)
    assert abs(after["y"] - before["y"]) < STILL, (before, after)


def sums(page: Page) -> tuple[int, str]:
    """Threat Value and final cost as the bar says them."""
    bar = page.locator(".sumbar")
    threat = bar.locator('[aria-label^="Threat Value "]').first.get_attribute("aria-label") or ""
    cost = bar.locator(":scope > div", has_text="Final Cost").first.locator(".why, b").first.inner_text()
    return int(threat.removeprefix("Threat Value ")), cost


def assert_in_view(page: Page) -> None:
    box = box_of(page.locator(".sumbar"))
    seen = page.viewport_size
    assert seen is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= seen["height"] / 3
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= seen["width"]


def assert_fits(page: Page) -> None:
    """Nothing stands out of the page to the side."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def asked(page: Page) -> list[str]:
    """Every request that the page makes from now on, as it is made."""
    found: list[str] = []
    page.on("request", lambda request: found.append(f"{request.method} {request.url.partition(HERON)[2]}"))
    return found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_a_step_is_one_request_and_neither_the_page_nor_the_button_moves(visit: Visit, size: dict[str, int]) -> None:
    page = visit(HERON, viewport=size)
    assert_fits(page)
    button = page.get_by_role("button", name="raise Armor", exact=True)
    button.scroll_into_view_if_needed()
    page.mouse.wheel(0, 200)
    expect(page.locator(".sumbar")).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(300)
    before, found = box_of(button), asked(page)
    shown = [sums(page)]
    for presses, (cost, threat) in enumerate(((6, 324), (7, 331)), 1):
        page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
        expect(page.locator("#last-change b")).to_have_text(f"Armor: +{cost}")
        expect(page.locator(f'.sumbar [aria-label="Threat Value {threat}"]').first).to_be_visible()
        assert_still(before, button)
        assert_in_view(page)
        shown.append(sums(page))
        assert found == ["POST /change"] * presses
    assert [worth for worth, _ in shown] == [318, 324, 331]
    assert len({price for _, price in shown}) == 3
    assert_fits(page)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_a_perk_is_found_by_filter_added_and_removed_again(visit: Visit, size: dict[str, int]) -> None:
    page = visit(HERON, viewport=size)
    perks = page.locator("section.card", has=page.get_by_role("heading", name="Perks", exact=True))
    assert_fits(page)
    perks.get_by_role("searchbox", name="Filter Perks").fill("autopilot")
    expect(perks.locator("tr[data-words]:visible")).to_have_count(1)
    add = perks.get_by_role("button", name="Add autopilot", exact=True)
    add.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    offer = perks.locator("tr[data-words]:visible")
    before, stood, found, was = box_of(add), box_of(offer), asked(page), sums(page)
    page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    expect(page.locator("#last-change b")).to_have_text(re.compile(r"Perks \+ autopilot: \+\d+"))
    assert found == ["POST /change"]
    grown = sums(page)
    assert grown[0] > was[0]
    assert grown[1] != was[1]
    assert_in_view(page)
    assert_fits(page)
    expect(perks.get_by_role("searchbox", name="Filter Perks")).to_have_value("autopilot")
    expect(offer).to_have_count(1)
    assert_still(stood, offer)
    drop = perks.get_by_role("button", name="Remove autopilot", exact=True)
    drop.scroll_into_view_if_needed()
    drop.click()
    expect(drop).to_have_count(0)
    assert sums(page) == was
    assert found == ["POST /change"] * 2
    assert_in_view(page)
    assert_fits(page)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_the_bar_is_as_high_after_a_change_as_before_it_at_the_very_top_of_the_page_too(visit: Visit, size: dict[str, int]) -> None:
    page = visit(HERON, viewport={**size, "height": 2_400})
    button = page.get_by_role("button", name="raise Armor", exact=True)
    before, high = box_of(button), box_of(page.locator(".sumbar"))["height"]
    page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    expect(page.locator("#last-change b")).to_have_text("Armor: +6")
    assert_still(before, button)
    page.get_by_role("combobox", name="Production", exact=True).select_option("testbed prototype")
    expect(page.locator("#last-change b")).to_have_text(re.compile("Production testbed prototype"))
    assert_still(before, button)
    assert box_of(page.locator(".sumbar"))["height"] == pytest.approx(high, abs=1)
    assert_fits(page)
