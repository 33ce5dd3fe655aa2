"""Building a character in the browser: nothing moves under the hand, every click hits what it was meant for."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.conftest import Visit

from rulewright.system import HOUSE

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("system", ["scumm", "silhouette", "foresight", "ore"])
def test_a_skill_stays_where_it_is_while_it_is_raised(visit: Visit, system: str) -> None:
    page = visit(f"/games/{system}/new/character?step=all")
    section = page.locator("section.card", has=page.get_by_role("heading", name=re.compile("not learnt", re.I)))
    if not section.count():
        pytest.skip("nothing is listed apart as not learnt")
    steps = section.locator("form.step")
    fields = [step.input_value() for step in steps.locator("input[name=field]").all()]
    at = len(fields) // 3
    field = f'form.step:has(input[value="{fields[at]}"])'
    button = section.locator(f"{field} button[id$=-up]")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    shown = [section.locator(f"{field} .why, {field} b").first.inner_text()]
    for _ in range(2):
        page.mouse.click(x, y)
        expect(section.locator(f"{field} .why, {field} b").first).not_to_have_text(shown[-1])
        shown.append(section.locator(f"{field} .why, {field} b").first.inner_text())
        after = section.locator(f"{field} button[id$=-up]").bounding_box()
        assert after is not None
        assert after["x"] < x < after["x"] + after["width"]
        assert after["y"] < y < after["y"] + after["height"]
    assert len(set(shown)) == 3
    assert [step.input_value() for step in steps.locator("input[name=field]").all()] == fields
    page.reload()
    apart = page.locator("section.card", has=page.get_by_role("heading", name=re.compile("not learnt", re.I)))
    expect(apart.locator(field)).to_have_count(0)


@pytest.mark.parametrize("system", HOUSE)
def test_a_character_begins_with_nothing_in_every_game(visit: Visit, system: str) -> None:
    page = visit(f"/games/{system}/new/character?step=all")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nameless")
    learnt = page.locator("section.card", has=page.get_by_role("heading", name="Skills", exact=True)).locator("form.step")
    assert learnt.count() < 5  # what everybody knows, at most


@pytest.mark.parametrize("width", [390, 1440])
def test_what_is_left_stays_in_view_and_what_is_wrong_stands_beside_what_it_is_about(visit: Visit, width: int) -> None:
    page = visit("/games/scumm/new/character?step=all", viewport={"width": width, "height": 844})
    for name in ("Alertness", "Body") * 3:
        value = page.get_by_role("button", name=re.compile(rf"^{name} \S+$"))
        before = value.inner_text()
        page.get_by_role("button", name=f"raise {name}").click()
        expect(value).not_to_have_text(before)
    expect(page.locator(".budget.over").first).to_contain_text("Attribute points")
    expect(page.locator(".titled", has_text="Attributes").locator(".tag.hurt").first).to_be_visible()
    place = page.get_by_role("button", name="raise Spirit").bounding_box()
    page.get_by_role("button", name="raise Spirit").click()
    expect(page.locator(".budget.over").first).to_contain_text("7 of 5")
    assert page.get_by_role("button", name="raise Spirit").bounding_box() == place
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".budgets")).to_be_in_viewport()
    expect(page.locator(".budgets .tag.hurt")).to_be_in_viewport()
