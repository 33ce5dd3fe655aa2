"""Nobody faces a wall of options: in every demonstration there are at most twelve things to choose from at first sight, and half of all
turns take no more than three touches."""

import statistics

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.test_evening_browser import answer, asked

from rulewright.system import names
from rulewright.table import demos

pytestmark = pytest.mark.browser

MOST = 12
LOOKS = 4
"""Questions of each demonstration that are looked at."""
CHOICES = """() => [...document.querySelectorAll("#question .asked-of button, #question .asked-of select")]
  .filter((each) => each.checkVisibility() && !each.disabled && each.id !== "do-it" && !each.matches(".more, .again"))
  .map((each) => each.textContent.trim())"""


def demonstrated(page: Page, system: str, scenario: str) -> None:
    """A fresh table with this fight."""
    page.goto("/")
    page.locator(f"select[aria-label^='Demo of']:has(option[value='{scenario}'])").and_(
        page.locator(f"form[action='/demo/{system}'] select")
    ).select_option(scenario)
    page.locator(f"#demo-{system}").click()
    expect(page.locator("#question .asked-of, #question .rest h2").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("system", names())
def test_at_most_twelve_things_to_choose_from_at_first_sight(visit: Visit, system: str) -> None:
    page = visit("/")
    walls = []
    turns: list[int] = []
    for scenario in demos.scenarios(system):
        demonstrated(page, system, scenario)
        before = ""
        for _ in range(LOOKS):
            page.wait_for_function("() => document.querySelector('#question .asked-of, #question .rest h2')")
            asks = asked(page)
            if asks is None:
                break
            found = page.evaluate(CHOICES)
            if len(found) > MOST:
                walls.append((scenario, page.locator("#question .whose").inner_text(), found))
            who = page.locator("#question .whose h2").inner_text()
            if who == before:
                turns[-1] += 1
            else:
                turns.append(1)
            before = who
            answer(page, asks)
    assert walls == []
    assert statistics.median(turns) <= 3
