"""The builder one step a screen: in every game, with and without scripts, on a phone, and without anything that axe-core finds."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.web.conftest import Visit
from tests.web.test_access import all_found

from rulewright.system import HOUSE, find
from rulewright.web.builder.steps import slug

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True}


@pytest.mark.parametrize("system", HOUSE)
def test_next_leads_through_the_steps_of_the_book_to_the_sheet(visit: Visit, system: str) -> None:
    page = visit(f"/games/{system}/new/character")
    steps = [step.name for step in find(system).steps["character"]]
    for number, name in enumerate(steps, 1):
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page.locator(".steps-of")).to_have_text(f"Step {number} of {len(steps) + 1}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator(".stepbar .main").click()
    expect(page.locator("#finish")).to_be_visible()
    expect(page.get_by_role("link", name="Add to a table")).to_be_visible()


def test_a_breach_is_repaired_at_a_button_and_does_not_block_the_way(visit: Visit) -> None:
    page = visit("/games/scumm/new/character?step=attributes")
    for _ in range(3):
        page.get_by_role("button", name="raise Alertness").click()
    expect(page.get_by_role("button", name="Alertness +3")).to_be_visible()
    for _ in range(3):
        page.get_by_role("button", name="raise Body").click()
    expect(page.get_by_role("button", name="Body +3")).to_be_visible()
    expect(page.locator(".left3 .over")).to_contain_text("1 over")
    expect(page.locator(".kv").first).to_contain_text("Attribute points")
    page.get_by_role("link", name="Next: Skills").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Skills")
    page.get_by_text("1 thing to fix in").get_by_role("link", name="Attributes").click()
    page.locator(".preview .problem", has_text="over").get_by_role("button", name="Fix").first.click()
    expect(page.locator(".left3 .over")).to_have_count(0)


def test_a_gun_is_found_filtered_bought_and_given_back(visit: Visit) -> None:
    page = visit("/games/scumm/characters/detective?step=gear&tab=guns")
    rows = page.locator(".wtable tbody tr")
    before = rows.count()
    assert before > 10
    expect(page.locator(".hit", has_text=re.compile(r"\d %")).first).to_be_visible()
    page.get_by_label("I can pay").check()
    expect(rows).not_to_have_count(before)
    page.get_by_role("searchbox").fill("6mm")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Add 6mm pistol").click()
    expect(page.get_by_role("button", name="Remove 6mm pistol")).to_be_visible()
    expect(page.locator(".left3")).to_contain_text("0 left")
    expect(page.locator(".preview .kv").first).to_contain_text("Wealth Points")
    page.get_by_role("button", name="Remove 6mm pistol").click()
    expect(page.get_by_role("button", name="Add 6mm pistol")).to_be_visible()


def test_a_character_is_built_without_scripts(visit: Visit) -> None:
    page = visit("/games/silhouette/new/character", java_script_enabled=False)
    page.get_by_label("Name", exact=True).fill("Ana Reyes")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", level=2, name="Ana Reyes")).to_be_visible()
    page.get_by_role("link", name="Next: Attributes").click()
    page.get_by_role("button", name="raise Agility").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Attributes")
    expect(page.get_by_role("button", name="Agility +1")).to_be_visible()
    page.get_by_role("link", name=re.compile("Gear")).first.click()
    page.get_by_role("searchbox").fill("medium rifle")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name="Add medium rifle").click()
    expect(page.get_by_role("button", name="Remove medium rifle")).to_be_visible()


@pytest.mark.parametrize("system", HOUSE)
def test_on_a_phone_every_stepper_is_large_enough_for_a_thumb(visit: Visit, system: str) -> None:
    step = next(step for step in find(system).steps["character"] if step.name in ("Attributes", "Statistics"))
    page = visit(f"/games/{system}/new/character?step={slug(step.name)}", **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    buttons = page.locator(".skillrow .step > button:not(.why)")
    assert buttons.count() >= 8
    for button in buttons.all():
        box: Any = button.bounding_box()
        assert (box["width"], box["height"]) >= (44, 44)
    following = page.locator(".stepbar .main")
    expect(following).to_be_in_viewport(ratio=1)
    following.click()
    expect(page.locator("[aria-current=step]")).not_to_have_attribute("href", re.compile(f"step={slug(step.name)}$"))


@pytest.mark.parametrize(
    ("system", "name"),
    [("silhouette", "alley-medic"), ("scumm", "bouncer"), ("hybrid", "archer"), ("ore", "brannock_tiel"), ("foresight", "alchemist")],
)
def test_experience_is_spent_with_steppers_and_taken_back(visit: Visit, system: str, name: str) -> None:
    page = visit(f"/games/{system}/characters/{name}/advance")
    award = page.locator(".entry-form", has=page.get_by_role("heading", name="Award", exact=True))
    award.locator("input").nth(1).fill("40")
    award.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator(".left-big b")).to_have_text("40")
    up = page.locator(".skillrow button:not([disabled])[aria-label^=Raise]").first
    price = int(re.search(r"for (\d+)$", up.get_attribute("aria-label") or "")[1])  # type: ignore[index]
    up.click()
    expect(page.locator(".left-big b")).to_have_text(str(40 - price))
    page.locator("button:not([disabled])[aria-label^='Undo the last level']").click()
    expect(page.locator(".left-big b")).to_have_text("40")


@pytest.mark.parametrize("system", HOUSE)
def test_axe_finds_nothing_in_the_builder(visit: Visit, system: str) -> None:
    steps = [slug(step.name) for step in find(system).steps["character"]]
    builder = f"/games/{system}/new/character"
    addresses = [builder, *(f"{builder}?step={step}" for step in (*steps[1:3], steps[-1], "gear", "finish", "all")), f"{builder}/advance"]
    assert all_found(visit("/"), addresses) == []


def test_a_machine_is_designed_on_one_screen_beside_a_rival(visit: Visit) -> None:
    page = visit("/games/silhouette/vehicles/heron-walker")
    for title in ("Hull", "Systems", "Why 318", "Compare with"):
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert page.locator("#beside").input_value()  # a rival is set already
    expect(page.locator(".fan")).to_be_in_viewport()
    perks = page.locator("section.card", has=page.get_by_role("heading", name="Perks", exact=True))
    offers = perks.locator(".offerlist tr:visible")
    every = offers.count()
    perks.get_by_label("Allowed only").check()
    expect(offers).not_to_have_count(every)
    perks.get_by_label("Kind").select_option("accessories")
    expect(perks.locator(".offerlist")).to_contain_text("TV")
    assert all_found(page, ["/games/silhouette/vehicles/heron-walker"]) == []


def test_a_fight_to_try_goes_to_the_lab(visit: Visit) -> None:
    page = visit("/games/scumm/characters/detective?step=finish")
    page.get_by_role("button", name="Try a fight").first.click()
    expect(page).to_have_url(re.compile("/lab/"))
    expect(page.locator("#job")).to_contain_text("against")
