"""Building a character in the browser: nothing moves under the hand, every click hits what it was meant for."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.conftest import Visit

from rulewright.system import HOUSE

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("system", ["scumm", "silhouette", "foresight", "ore"])
def test_a_skill_stays_where_it_is_while_it_is_raised(visit: Visit, system: str) -> None:
    page = visit(f"/games/{system}/new/character")
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
    page = visit(f"/games/{system}/new/character")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nameless")
    learnt = page.locator("section.card", has=page.get_by_role("heading", name="Skills", exact=True)).locator("form.step")
    assert learnt.count() < 5  # what everybody knows, at most
