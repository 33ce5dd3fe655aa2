"""The pages in a real browser: reasons on hover, a test with its chips, dice, the keyboard, a phone, the dark."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
HUNTER = "/games/scumm/characters/hunter"


def chances(page: Page) -> list[str]:
    return page.locator("#chances .verdicts b").all_inner_texts()


def test_from_home_to_a_roll(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="S.C.U.M.M.", exact=True).click()
    page.get_by_role("searchbox", name="Search the ready-made").fill("hunter")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Sunniva Karp", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sunniva Karp")

    page.get_by_role("button", name="Stamina 8", exact=True).hover()
    reasons = page.locator(".reasons:popover-open")
    expect(reasons).to_contain_text("Stamina 8")
    expect(reasons.get_by_role("link", name="scumm-derived-attributes").first).to_be_visible()
    page.mouse.move(5, 500)
    expect(reasons).to_have_count(0)

    page.get_by_role("link", name="Rifles, 4d+2").click()
    expect(page.locator("#panel h2")).to_be_focused()
    page.get_by_label("Against").fill("5")
    expect(page.locator("#notation")).to_have_text("4d+2 vs 5")
    expect(page.locator("#chances b").first).to_have_text("93.75 %")
    page.get_by_label("long range −2").check()
    expect(page.locator("#notation")).to_have_text("4d+2-2 vs 5")
    assert chances(page)[0] != "93.75 %"
    page.get_by_label("medium range −1").check()
    expect(page.get_by_label("long range −2")).not_to_be_checked()
    expect(page.locator("#notation")).to_have_text("4d+2-1 vs 5")

    page.get_by_role("button", name="Roll the dice").click()
    entry = page.locator("#entry-1")
    expect(entry).to_contain_text("Sunniva Karp Rifles")
    expect(entry.locator(".dice b")).to_have_count(4)
    assert entry.locator(".dice .kept").count() >= 1
    entry.get_by_text("why").click()
    expect(entry.get_by_role("link", name="scumm-combat-modifiers")).to_be_visible()

    page.get_by_text("Enter my dice").click()
    page.locator("#faces-0").fill("2 6 4")
    page.locator("#faces-0").press("Enter")
    expect(page.locator("#panel .refusal")).to_contain_text("needs 4 faces")
    page.locator("#faces-0").fill("2643")
    page.get_by_role("button", name="Use these dice").click()
    expect(page.locator("#entry-2")).to_contain_text("success by 2")
    expect(page.locator("#entry-2 .kept")).to_have_text("6")
    expect(page.locator("#panel .refusal")).to_have_count(0)
    page.reload()
    expect(page.locator("#entry-2")).to_contain_text("success by 2")


def test_a_sheet_is_changed_judged_and_repaired(visit: Visit) -> None:
    page = visit("/games/pebbles/characters/wilma")
    legal = page.locator("section", has=page.get_by_role("heading", name="Legality"))
    expect(legal.locator(".fine")).to_have_text("Legal")
    page.get_by_role("button", name="raise Aim").click()
    expect(legal).to_contain_text("12 of 10 points spent")
    expect(page.get_by_role("button", name="raise Aim")).to_be_focused()
    legal.get_by_role("button", name="Fix").click()
    expect(legal.locator(".fine")).to_have_text("Legal")
    page.get_by_label("sharp eye").check()
    expect(legal).to_contain_text("of 10 points spent")
    page.get_by_role("button", name="Reset").click()
    expect(legal.locator(".fine")).to_have_text("Legal")
    page.get_by_role("link", name="Throw, 1c").click()
    expect(page.locator("#notation")).to_have_text("1c vs 2c")
    page.get_by_role("button", name="Roll the dice").click()
    expect(page.locator("#entry-1 .dice")).to_have_count(2)


def test_a_step_changes_the_open_test_as_well(visit: Visit) -> None:
    page = visit(f"{HUNTER}?test=rifles")
    expect(page.locator("#notation")).to_have_text("4d+2")
    page.get_by_role("button", name="raise Alertness").click()
    expect(page.locator("#notation")).to_have_text("4d+3")


def test_a_late_answer_takes_nothing_back_that_was_done_since(visit: Visit) -> None:
    page = visit(f"{HUNTER}?test=rifles&against=5")
    held = []
    page.route("**/change", lambda route: held.append((route, route.fetch())))
    page.get_by_role("button", name="raise Body").click()
    while not held:
        page.wait_for_timeout(20)
    page.get_by_text("Enter my dice").click()
    page.locator("#faces-0").fill("2643")
    page.get_by_role("button", name="Use these dice").click()
    page.wait_for_timeout(300)
    route, answer = held[0]
    route.fulfill(response=answer)
    page.wait_for_timeout(300)
    expect(page.locator("#entry-1 .dice").first).to_be_visible()
    expect(page.locator("#entry-1")).to_contain_text("success by 3")
    expect(page.get_by_role("button", name="Body +3")).to_be_visible()


def test_keyboard_only(visit: Visit) -> None:
    page = visit(HUNTER)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")

    def tab_to(selector: str) -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"{selector} is not reached")

    tab_to(".stat.value .why")
    expect(page.locator(".reasons:popover-open")).to_contain_text("Defense")
    page.keyboard.press("Escape")
    expect(page.locator(".reasons:popover-open")).to_have_count(0)
    tab_to(".stat.test .roll")
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text("Alertness")
    tab_to("#against")
    page.keyboard.type("4")
    expect(page.locator("#notation")).to_have_text("2d+2 vs 4")
    tab_to("#roll-dice")
    page.keyboard.press("Space")
    expect(page.locator("#entry-1")).to_be_visible()
    expect(page.locator("#roll-dice")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#panel.open")).to_have_count(0)
    expect(page.locator(".stat.test .roll").first).to_be_focused()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        HUNTER,
        "/games/pebbles/characters/wilma",
        "/options/scumm",
        "/odds?system=scumm&test=3d%2B1+vs+2d",
        "/rules/scumm/scumm-guns",
    ],
)
def test_a_phone_has_no_sideways_scroll(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [390, 768])
def test_by_touch_no_name_on_a_sheet_is_broken_into_syllables(visit: Visit, width: int) -> None:
    page = visit("/games/silhouette/characters/hedge-knight", viewport={"width": width, "height": 900}, has_touch=True, is_mobile=True)
    narrow = page.evaluate(
        "[...document.querySelectorAll('.grid .label')].filter(label => label.offsetWidth < 60).map(label => label.textContent)"
    )
    assert narrow == []
    tests = page.locator(".joined .roll")
    assert tests.count() > 10
    assert all(box["x"] + box["width"] <= width for box in [tests.nth(at).bounding_box() for at in range(5)])


def test_a_phone_taps_reasons_and_tests(visit: Visit) -> None:
    page = visit(HUNTER, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Stamina 8", exact=True).tap()
    expect(page.locator(".reasons:popover-open")).to_contain_text("Stamina 8")
    page.get_by_role("button", name="Stamina 8", exact=True).tap()
    expect(page.locator(".reasons:popover-open")).to_have_count(0)
    page.get_by_role("link", name="Rifles, 4d+2").tap()
    page.get_by_role("button", name="Roll the dice").tap()
    expect(page.locator("#latest .dice b")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.get_by_role("button", name="Roll the dice").bounding_box()
    assert box is not None
    assert box["height"] >= 36


def test_odds_are_compared(visit: Visit) -> None:
    page = visit("/odds?system=scumm")
    page.get_by_label("Test").fill("3d+1 vs 5")
    page.keyboard.press("Enter")
    expect(page.locator(".verdicts .success b")).to_have_text("70.37 %")
    page.get_by_label("Another test").fill("4d-1 vs 5")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".key")).to_contain_text("13.19 %")
    page.get_by_text("Show as table").click()
    expect(page.get_by_role("cell", name="7", exact=True)).to_be_visible()
    page.get_by_label("Game").select_option("pebbles")
    expect(page.locator(".refusal").first).to_contain_text("Cannot read")
    assert "system=pebbles" in page.url


def test_options_are_chosen_and_hold_on_the_sheet(visit: Visit) -> None:
    page = visit("/games/scumm")
    page.get_by_role("link", name=re.compile("See all .* options")).click()
    expect(page.get_by_role("button", name="By the book")).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Carrying capacity").select_option("true")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".head .tag")).to_have_text("1 option changed")
    page.goto(HUNTER)
    expect(page.get_by_role("link", name="1 option changed")).to_be_visible()
    page.goto("/odds?system=scumm")
    page.get_by_label("Test").fill("3d+1 vs 5")
    page.keyboard.press("Enter")
    expect(page.locator(".verdicts .success b")).to_have_text("70.37 %")
    assert "set=carrying-capacity%3Dtrue" in page.url
    page.get_by_role("link", name="1 option changed").click()
    page.get_by_role("button", name="All options").click()
    expect(page.get_by_role("button", name="All options")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".head .tag")).to_have_text("all options")


def test_what_was_typed_goes_along_to_the_next_test(visit: Visit) -> None:
    page = visit(HUNTER)
    page.get_by_role("link", name="Rifles, 4d+2").click()
    page.get_by_label("Against").fill("5")
    expect(page.locator("#notation")).to_have_text("4d+2 vs 5")
    page.get_by_role("link", name="Alertness, 2d+2").click()
    expect(page.locator("#notation")).to_have_text("2d+2 vs 5")


def test_rules_are_searched_and_called(visit: Visit) -> None:
    page = visit("/rules/scumm")
    page.get_by_role("searchbox").fill("damage formula")
    expect(page.locator("#found li")).to_have_count(1)
    page.locator("#found a").click()
    page.get_by_label("multiplier").fill("15")
    page.get_by_label("margin").fill("3")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("#result-damage .headline")).to_have_text("45")


def test_dark_by_the_systems_wish_and_by_choice(visit: Visit) -> None:
    page = visit("/", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 28)"
    page.get_by_role("button", name="Light or dark theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 243, 236)"
    page.goto("/odds")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 243, 236)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures(visit: Visit, scheme: str, tmp_path: Path) -> None:
    """Every page drawn in both lights; RULEWRIGHT_PICTURES=1 keeps them in docs/pictures."""
    folder = PICTURES if os.environ.get("RULEWRIGHT_PICTURES") else tmp_path
    folder.mkdir(parents=True, exist_ok=True)

    def picture(name: str, page: Page) -> None:
        page.evaluate("document.fonts.ready")
        page.mouse.move(1, 1)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=folder / f"{name}-{scheme}.png", animations="disabled")
        assert (folder / f"{name}-{scheme}.png").stat().st_size > 10_000

    picture("home", visit("/", color_scheme=scheme))
    page = visit(f"{HUNTER}?test=rifles&against=5", color_scheme=scheme)
    page.get_by_role("button", name="raise Body").click()
    expect(page.get_by_role("button", name="Body +3")).to_be_visible()
    page.get_by_text("Enter my dice").click()
    page.locator("#faces-0").fill("2643")
    page.get_by_role("button", name="Use these dice").click()
    expect(page.locator("#entry-1")).to_be_visible()
    page.get_by_text("Enter my dice").click()
    picture("sheet", page)
    picture("odds", visit("/odds?system=scumm&test=3d%2B1+vs+5&test=4d-1+vs+5", color_scheme=scheme))
    page = visit("/rules/scumm/scumm-falling", color_scheme=scheme)
    page.get_by_label("metres").first.fill("9")
    page.get_by_label("victim").first.fill("hunter")
    page.get_by_role("button", name="Odds").click()
    expect(page.locator("[id^=result-] .chart")).to_be_visible()
    picture("rules", page)
