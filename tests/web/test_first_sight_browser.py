"""The bar shows what the arrangement says, and no more than twelve things at first sight; Enter does what is usual."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit, to_demo
from tests.web.test_evening_browser import asked

from rulewright.play.option_groups import FIRST_SIGHT, Arranged, sight

pytestmark = pytest.mark.browser

READ = """() => {
  const parts = (start) => [...document.querySelectorAll(`#question .built [data-part^="${start} "]`)];
  const seen = (start) => parts(start).filter((each) => each.checkVisibility() && !each.disabled);
  const place = (each) => [each.value, each.dataset.verb, each.dataset.target, each.dataset.manner.split("|").filter(Boolean)];
  return {
    options: [...document.querySelectorAll("#question form.choices .option")].map(place),
    shown: Object.fromEntries(["verb", "whom", "how", "also"].map((each) => [each, seen(each).length])),
    set: document.querySelector("#do-it").dataset.sets,
  };
}"""


def to_the_bar(page: Page, system: str, scenario: str) -> dict[str, Any]:
    """A demonstration as far as a question that is arranged; what is asked before is answered as usual, by one key."""
    page.goto("/")
    to_demo(page, system, scenario)
    expect(page.locator("#question .asked-of")).to_be_visible()
    for _ in range(12):
        if page.locator("#do-it").count():
            break
        asks = asked(page)
        page.wait_for_function("() => !window.justAsked()")
        page.keyboard.press("Enter")
        page.wait_for_function("id => !document.getElementById(id)", arg=asks)
        page.wait_for_selector("#question .asked-of")
    expect(page.locator("#do-it")).to_be_visible()
    found: dict[str, Any] = page.evaluate(READ)
    return found


@pytest.mark.parametrize(("system", "scenario"), [("scumm", "shootout"), ("ore", "vault")])
def test_the_bar_shows_what_the_arrangement_says(visit: Visit, system: str, scenario: str) -> None:
    page = visit("/")
    found = to_the_bar(page, system, scenario)
    places = [Arranged(key, verb, target, tuple(manner)) for key, verb, target, manner in found["options"]]
    chosen = next(place for place in places if place.key == found["set"])
    seen = sight(places, chosen)
    assert found["shown"] == dict(zip(("verb", "whom", "how", "also"), (len(seen.verbs), *seen.shown), strict=True))
    assert sum(found["shown"].values()) <= FIRST_SIGHT
