"""The table on a short phone: everything can be chosen with the thumb, and nothing is clipped or lies under the tabs."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.test_field_browser import demo
from tests.web.test_table_browser import answered, hosted, joined, to_table

pytestmark = pytest.mark.browser

SIZES = [(390, 664), (360, 600)]

SHOWN = """() => {
  const tabs = document.getElementById("tabs").getBoundingClientRect();
  const rows = [...document.querySelectorAll("#question .verbs, #question [data-row]")].filter((each) => each.checkVisibility());
  const faults = [];
  for (const row of rows) {
    const box = row.getBoundingClientRect(), rest = document.getElementById("question").getBoundingClientRect();
    if (box.height < 44) faults.push(`${row.className} is ${box.height} px high`);
    if (box.bottom > rest.bottom + 1) faults.push(`${row.className} is clipped`);
  }
  const main = document.getElementById("do-it").getBoundingClientRect();
  if (main.bottom > tabs.top) faults.push("the button lies under the tabs");
  if (main.height < 44) faults.push(`the button is ${main.height} px high`);
  const there = document.elementFromPoint(main.x + main.width / 2, main.y + main.height / 2);
  if (!there?.closest("#do-it")) faults.push(`something lies on the button: ${there?.outerHTML.slice(0, 80)}`);
  if (document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls");
  if (document.querySelector("body > .top").checkVisibility()) faults.push("the header of the desktop is shown");
  return { rows: rows.map((row) => row.dataset.row || "Do"), faults };
}"""


def phone(size: tuple[int, int]) -> dict[str, Any]:
    return {"viewport": {"width": size[0], "height": size[1]}, "has_touch": True, "is_mobile": True}


def to_an_action(page: Page) -> None:
    """Answer until somebody is asked what to do."""
    for _ in range(10):
        page.wait_for_selector("#question .asked-of")
        if page.locator("#question form[data-topic=act]").count():
            break
        for choice in ("#do-it", "#question .answers > button", "#question button.do"):
            if page.locator(choice).count():
                answered(page, page.locator(choice).first)
                break
    expect(page.locator("#do-it")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_every_row_can_be_touched_on_a_short_phone(visit: Visit, size: tuple[int, int]) -> None:
    page = demo(visit, "shootout", **phone(size))
    to_an_action(page)
    found = page.evaluate(SHOWN)
    assert found["faults"] == []
    assert found["rows"][:3] == ["Do", "Whom", "How"]
    whom = page.locator("[data-row=Whom] .chip").last
    whom.tap()
    expect(page.locator("[data-row=Whom] [aria-pressed=true]")).to_be_in_viewport()
    assert page.evaluate(SHOWN)["faults"] == []


def test_one_touch_opens_the_map_and_another_closes_it(visit: Visit) -> None:
    page = demo(visit, "shootout", **phone(SIZES[0]))
    to_an_action(page)
    strip = page.locator("#field").bounding_box()
    page.locator("#map-opens").tap()
    expect(page.locator("body")).to_have_attribute("data-map", "open")
    opened = page.locator("#field").bounding_box()
    assert strip is not None
    assert opened is not None
    assert opened["height"] > strip["height"] + 200
    page.locator("#map-opens").tap()
    expect(page.locator("#do-it")).to_be_visible()


def test_from_the_top_of_the_page_the_question_is_five_tabs_away_at_most(visit: Visit) -> None:
    page = demo(visit, "shootout")
    page.wait_for_selector("#question .asked-of")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.closest('#question') !== null"):
            return
    pytest.fail(page.evaluate("() => document.activeElement.outerHTML"))


def test_the_gamemaster_sees_a_players_options_and_cannot_touch_them_before_answering_for_them(visit: Visit) -> None:
    leader, invitation = hosted(visit, name="Looking on")
    player = joined(visit, invitation)
    to_table(player)
    leader.reload()
    leader.get_by_label("Scenario", exact=True).select_option("duel")
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator("#field .counter")).to_have_count(2)
    for name in leader.locator(".fighter").evaluate_all("cards => cards.map(card => card.dataset.who)"):
        fields = {"do": "set hand", "scene": "1", "who": name, "member": "m2"}
        assert leader.request.post(f"{leader.url}/act", form=fields, headers={"HX-Request": "true"}).ok
    expect(leader.locator("#question.theirs .preview .chip").first).to_be_visible()
    assert leader.locator("#question .preview").evaluate("preview => preview.inert")
    leader.get_by_text("Answer for Jo").click()
    expect(leader.locator("#do-it")).to_be_visible()
    assert not leader.locator("#question .preview").evaluate("preview => preview.inert")


def test_a_scene_with_ai_players_waits_until_the_gamemaster_says_who_plays_whom(visit: Visit) -> None:
    leader, _ = hosted(visit, name="Waiting")
    leader.get_by_label("Scenario", exact=True).select_option("duel")
    leader.get_by_label("Unassigned characters").select_option("plays easy")
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator("#starting")).to_contain_text("Who plays whom?")
    entries = leader.locator("#log .entry").count()
    leader.wait_for_timeout(1_500)
    assert leader.locator("#log .entry").count() == entries, "nobody acts before the start"
    leader.locator("#starting select").first.select_option(label="you")
    leader.locator("#starting").get_by_role("button", name="Start").click()
    expect(leader.locator("#starting")).to_be_hidden()
    expect(leader.locator(".fighter", has_text="AI: plays easy")).to_have_count(1)
