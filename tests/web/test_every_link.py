"""Every link of every page leads somewhere, and every form is taken or refused in a sentence: visited in a real browser."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, joined

pytestmark = pytest.mark.browser

ONCE = re.compile(r"^/(rules/[^/]+|games/[^/]+/[^/]+|tables/[^/]+/characters|lab|tables/[^/]+/(join|lead|seat))/")
"""Pages of which there are many alike: a few of each are enough."""
MOST_ALIKE = 3
DOWNLOADS = re.compile(r"/(file|paper|export|copies/\w+)$|\.(json|html|svg|png|csv)$")


def addresses(page: Page) -> list[str]:
    """Where the links of a page lead on this server."""
    found = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
    return [urlsplit(link)._replace(fragment="").geturl() for link in dict.fromkeys(found)]


def walk(page: Page, start: str, most: int = 90) -> set[str]:
    """Visit every page that can be reached, as far as one may go; whatever answers with a fault fails."""
    server = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    seen: set[str] = set()
    alike: dict[str, int] = {}
    waiting = [start]
    while waiting and len(seen) < most:
        address = waiting.pop(0)
        parts = urlsplit(address)
        kind = ONCE.match(parts.path)
        shape = (kind[0] if kind else parts.path) + ("?" if parts.query else "")
        if address in seen or not address.startswith(server) or alike.get(shape, 0) >= MOST_ALIKE:
            continue
        seen.add(address)
        alike[shape] = alike.get(shape, 0) + 1
        if DOWNLOADS.search(parts.path):
            assert page.context.request.get(address).status == 200, address
            continue
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, (address, answer.status)
        assert "Server error" not in page.locator("main").inner_text(), address
        waiting += addresses(page)
    return seen


def test_every_page_of_a_visitor(visit: Visit) -> None:
    page = visit("/")
    seen = walk(page, page.url)
    assert len(seen) > 40


def test_every_page_of_a_gamemaster_and_of_a_player(visit: Visit) -> None:
    leader, invitation = hosted(visit)
    player = joined(visit, invitation)
    player.get_by_role("button", name="Build").click()
    table = leader.url.split("?")[0]
    for page in (leader, player):
        page.goto(table)
        inside = [address for address in walk(page, table, 40) if address.startswith(table)]
        assert {address.removeprefix(table).split("?")[0] for address in inside} >= {"", "/people", "/notes", "/options"}


def test_the_links_that_are_handed_out_once_are_good(visit: Visit) -> None:
    page = visit("/host?system=scumm")
    page.get_by_label("Your name").fill("Gitte")
    page.get_by_role("button", name="Open the table").click()
    leading = page.locator("#gamemaster").input_value()
    other = visit(leading)
    other.get_by_role("button", name="Take this seat").click()
    other.wait_for_selector("#log")
    other.close()  # a new link signs the gamemaster's other devices out
    page.get_by_role("link", name="Go to the table").click()
    page.get_by_role("navigation").get_by_role("link", name="People").click()
    for name, opens in (
        ("Sign in on another device", "#log"),
        ("New gamemaster link", "#log"),
        ("New invite link", "input[name=name]"),
    ):
        page.get_by_role("button", name=name).first.click()
        link = page.locator("#link").input_value()
        guest = visit(link)
        if opens == "#log":
            guest.get_by_role("button", name="Take this seat").click()
        guest.wait_for_selector(opens)
        guest.close()


def test_every_form_is_taken_or_refused_in_a_sentence(visit: Visit) -> None:
    """Each form of the table's pages is sent as it stands; what is refused says why, and nothing breaks."""
    leader, invitation = hosted(visit)
    joined(visit, invitation).close()  # one of the forms signs the player out, who would be told by a 404
    table = leader.url.split("?")[0]
    tried = 0
    for place in ("/people", "/notes", "/options", "/scene", ""):
        leader.goto(table + place)
        forms = leader.evaluate(
            """() => [...document.querySelectorAll("form[method=post]")].map(form => [form.action, Object.fromEntries(
                [...new FormData(form)].filter(([name, value]) => typeof value === "string"))])"""
        )
        for action, fields in forms:
            if fields.get("do") in ("hand over", "leave", "remove member", "revoke link"):
                continue
            answer = leader.context.request.post(action, form=fields, headers={"Origin": table.split("/tables")[0]}, max_redirects=0)
            assert answer.status in (200, 303, 400, 403), (action, fields, answer.status)
            tried += 1
    assert tried > 12
