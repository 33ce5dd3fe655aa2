"""Two browsers play a battle of machines to its end on the map; what a side has not found never reaches the other's browser."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, TimeoutError, expect
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, joined, to_table

pytestmark = pytest.mark.browser
CONVOY = ("Vanguard", "Pim", "Hauler One", "Hauler Two", "Rearguard")
RAIDERS = ("Shrike", "Kestrel", "Corbie", "Wasp")
HANDS = {"Jo": ("Vanguard", "Pim"), "Kim": ("Kestrel",)}
STEPS = 400
WALKS, TRIES = 2, 3
"""So often each player goes somewhere on the map, and tries to; after that they do what the page offers first."""
OVER = re.compile("Victory|Nobody|over|Undecided")


class Ear:
    """Everything that a browser is sent, and every counter that it has ever shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[str] = []
        self.shown: set[str] = set()
        page.on("response", self._kept)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.heard.append(str(frame))))

    def _kept(self, response: Response) -> None:
        # The page of people lists what ships with the game, whoever takes part.
        if not response.url.endswith(("/live", "/people")) and response.request.resource_type in ("document", "fetch", "xhr"):
            try:
                self.heard.append(response.text())
            except Exception:
                self.heard.append("")  # a redirect has no text

    def look(self) -> None:
        """Note whom the map and the cards show now."""
        found = self.page.evaluate("[...document.querySelectorAll('#field .counter, .fighter')].map(each => each.dataset.who)")
        self.shown |= set(found) | ({"Pim"} if "Vanguard" in found else set())  # whoever finds a machine knows who steers it

    def named(self, names: tuple[str, ...]) -> set[str]:
        """Those of some names that anything sent has held."""
        return {name for name in names if any(name in text for text in self.heard)}


def _begin(visit: Visit) -> tuple[Page, dict[str, Ear]]:
    leader, invitation = hosted(visit, system="silhouette", name="The hollow way")
    ears = {}
    for name in HANDS:
        page = joined(visit, invitation, name)
        ears[name] = Ear(page)
        to_table(page)
    leader.reload()
    leader.get_by_label("Scenario", exact=True).select_option("convoy")
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator('#field .counter[data-who="Shrike"]')).to_be_attached()
    for player, units in HANDS.items():
        for unit in units:
            card = leader.locator(f'.fighter[data-who="{unit}"]')
            member = card.locator("select[name=member] option", has_text=player).get_attribute("value") or ""
            fields = {"do": "set hand", "scene": "1", "who": unit, "member": member}
            assert leader.request.post(f"{leader.url}/act", form=fields, headers={"HX-Request": "true"}).ok
            expect(card).to_contain_text(player)
    return leader, ears


def _may_go(page: Page) -> bool:
    """Whether a place is asked for, and hexes light up."""
    return bool(page.locator("#field[data-asks] .counter[data-goes]").count() and page.locator("#within-reach .reach").count())


def _goes_on_the_map(page: Page) -> bool:
    """Go to a hex that lights up; false where it was none."""
    counter = page.locator("#field .counter[data-goes]")
    before = counter.first.get_attribute("transform")
    counter.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    gone = """before => {
        const goes = document.querySelector("#field .counter[data-goes]");
        return !goes || goes.getAttribute("transform") !== before;
    }"""
    try:
        page.wait_for_function(gone, arg=before, timeout=10_000)
    except TimeoutError:
        return False  # somebody else was asked meanwhile, or the hex beyond is out of reach
    return True


def _answers(page: Page) -> bool:
    """Answer what is asked of this player; false where nothing is."""
    asked = page.locator("#question .asked-of")
    if not asked.count():
        return False
    before = asked.first.get_attribute("id")
    for found in ("#do-it", "#question .answers > button", "#question .asked-of button.do"):
        button = page.locator(found)
        if button.count() and button.first.is_visible():
            page.wait_for_timeout(360)
            try:
                button.first.click(timeout=3_000)
                page.wait_for_function("id => !document.getElementById(id)", arg=before, timeout=5_000)
            except TimeoutError:
                return False  # what was asked is no longer asked: the page has drawn anew meanwhile
            return True
    return False


def test_two_browsers_play_the_convoy_to_its_end_and_hear_nothing_hidden(visit: Visit) -> None:
    leader, ears = _begin(visit)
    jo, kim = ears["Jo"], ears["Kim"]
    for ear in (jo, kim):
        ear.page.reload()
        ear.page.wait_for_selector("#field")
        ear.look()
    hidden = set(RAIDERS) - jo.shown
    assert hidden, "somebody lies in wait"
    assert not jo.named(tuple(hidden))
    assert all(name in leader.content() for name in RAIDERS)
    walked = {"Jo": 0, "Kim": 0}
    tried = {"Jo": 0, "Kim": 0}
    for _ in range(STEPS):
        if leader.locator("#question h2", has_text=OVER).count():
            break
        for name, ear in ears.items():
            ear.look()
            if walked[name] < WALKS and tried[name] < TRIES and _may_go(ear.page):
                tried[name] += 1
                if _goes_on_the_map(ear.page):
                    walked[name] += 1
                    continue
            _answers(ear.page)
            ear.look()
        if not any(ear.page.locator("#question .asked-of").count() for ear in ears.values()):
            leader.request.post(f"{leader.url}/act", form={"do": "go on", "scene": "1"}, headers={"HX-Request": "true"})
            leader.wait_for_timeout(400)
        for ear, foes in ((jo, RAIDERS), (kim, CONVOY)):
            ear.look()
            log = ear.page.locator("#log").inner_text()
            known = ear.shown | {foe for foe in foes if foe in log}
            assert ear.named(foes) <= known, f"{ear.named(foes) - known} reached somebody who has not found them"
    pictures = os.environ.get("RULEWRIGHT_PICTURES")
    if pictures:
        for name, page in (("leader", leader), ("jo", jo.page), ("kim", kim.page)):
            page.screenshot(path=str(Path(pictures) / f"convoy-{name}.png"))
    for page in (leader, jo.page, kim.page):
        expect(page.locator("#question h2", has_text=OVER).first).to_be_visible()
    assert walked["Jo"] + walked["Kim"] > 0
    never = [(ear, foe) for ear, foes in ((jo, RAIDERS), (kim, CONVOY)) for foe in foes if foe not in ear.shown]
    for ear, foe in never:
        log = ear.page.locator("#log").inner_text()
        assert foe in log or foe not in "".join(ear.heard)
