"""Axe-core finds nothing to mend on any page, by day and by night."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, joined

from rulewright.system import names
from rulewright.table.scenes import demos

pytestmark = pytest.mark.browser

AXE = Axe()


COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""What can differ by night: a page has the same words, names and order then."""


def found(page: Page) -> list[str]:
    """What axe-core finds on a page by day and by night."""
    page.evaluate("document.fonts.ready")
    faults = _found(page, {})
    page.emulate_media(color_scheme="dark")
    faults += _found(page, COLOURS)
    page.emulate_media(color_scheme="light")
    return faults


def _found(page: Page, only: dict[str, Any]) -> list[str]:
    """What axe-core finds on a page, each with where it is."""
    answer = AXE.run(page, options={"resultTypes": ["violations"], **only}).response
    where = urlsplit(page.url)
    return [
        f"{where.path}?{where.query} {each['id']}: {each['help']}: {node['html'][:160]} {[why['message'] for why in node['any'][:1]]}"
        for each in answer["violations"]
        for node in each["nodes"][:3]
    ]


def all_found(page: Page, addresses: list[str]) -> list[str]:
    """What axe-core finds on several pages."""
    faults = []
    for address in addresses:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        faults += found(page)
    return faults


def test_axe_finds_nothing_where_a_visitor_begins(visit: Visit) -> None:
    assert all_found(visit("/"), ["/", "/games", "/host", "/open", "/import", "/npc/silhouette"]) == []


@pytest.mark.parametrize("system", names())
def test_axe_finds_nothing_on_a_visitors_pages(visit: Visit, system: str) -> None:
    page = visit(f"/games/{system}")
    tabs = page.eval_on_selector_all(".tabrow a", "links => links.map(link => link.href)")
    sheets: list[str] = []
    for tab in tabs:
        page.goto(tab)
        links = page.eval_on_selector_all(f"main a[href*='/games/{system}/']", "links => links.map(link => link.pathname)")
        sheets += [link for link in links if not link.endswith(("/table", ".csv", ".json"))]
    alike = {sheet.rsplit("/", 1)[0]: sheet for sheet in sheets}  # one of each folder
    addresses = [*tabs, *alike.values(), *[f"/{place}?system={system}" for place in ("odds", "lab", "rules")]]
    page.goto(f"/rules?system={system}")
    addresses += page.eval_on_selector_all("a[href^='/rules/']", "links => links.map(link => link.pathname)")[:2]
    page.goto(alike[f"/games/{system}/characters"])
    gathered = page.eval_on_selector_all("main a[href$='/advance']", "links => links.map(link => link.pathname)")
    assert bool(gathered) == (system != "pebbles")  # whose characters gather no experience
    assert all_found(page, [*addresses, *gathered]) == []


def test_axe_finds_nothing_on_a_tables_pages(visit: Visit) -> None:
    leader, invitation = hosted(visit, name="Access")
    player = joined(visit, invitation, viewport={"width": 390, "height": 844})
    player.get_by_role("button", name="Build").first.click()
    sheet = player.url
    table = leader.url.split("?")[0]
    faults = all_found(player, [sheet, sheet + "/advance"])
    for page in (leader, player):
        places = ["", "/people", "/notes", "/options", *(["/scene"] if page is leader else [])]
        faults += all_found(page, [table + place for place in places])
    assert faults == []


@pytest.mark.parametrize("system", names())
def test_axe_finds_nothing_on_a_table_in_play(visit: Visit, system: str) -> None:
    page = visit("/")
    page.locator(f"#demo-{system}").click()
    page.wait_for_selector("#question .asked-of, #question .rest")
    faults = found(page)
    for opened in ("#more-tools", "details.more", "details.hand", "details.change", "#log details"):
        each = page.locator(f"{opened} > summary:visible")
        if each.count():
            each.first.click()
    faults += found(page)
    page.set_viewport_size({"width": 390, "height": 844})
    faults += found(page)
    assert faults == []


@pytest.mark.parametrize("system", [name for name in names() if name != "pebbles"])
def test_axe_finds_nothing_where_a_player_is_asked_and_the_gamemaster_looks_on(visit: Visit, system: str) -> None:
    leader, invitation = hosted(visit, system=system, name=f"Asked {system}")
    player = joined(visit, invitation)
    table = urlsplit(leader.url).path
    known = demos.scenarios(system)
    ready = next(name for name, each in known.items() if each.scene == "fight")
    hero = next(iter(known[ready].sides))

    def act(key: str, **action: object) -> None:
        assert leader.request.post(f"/api{table}/act", data={"action": action, "key": key}).ok

    act("begin", do="begin scene", ready=ready)
    seen = leader.request.get(f"/api{table}").json()["scenes"][0]
    for number, card in enumerate(seen["view"]["cards"]):
        if card["side"] == hero:
            act(f"hand {number}", do="set hand", scene=1, who=card["name"], member="m2")
    for page in (leader, player):
        page.goto(table)
        page.wait_for_selector("#question .asked-of, #question .rest")
    assert found(leader) + found(player) == []
