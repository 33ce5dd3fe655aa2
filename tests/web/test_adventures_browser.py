"""The glass ferry in real browsers: led with a player on a phone, played alone, by two players; and the editor. Axe-core finds nothing."""

import re
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest
from adventure.routes import routes_to_endings
from playwright.sync_api import Page, TimeoutError, expect
from tests.web.conftest import FREELY, Visit, served
from tests.web.test_access import found
from tests.web.test_table_browser import joined

from rulewright.playthrough.loader import open_adventure
from rulewright.web.app import create_app
from rulewright.web.server.rate_limit import RateLimiter

pytestmark = pytest.mark.browser

FERRY = "scumm/glass-ferry"
SHORT_PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
TITLE = "#story-title"
MOST_CLICKS = 60


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with AI players, which decide for the opponents of a party without a gamemaster."""
    with served(RateLimiter(create_app(str(tmp_path_factory.mktemp("adventures") / "tables.db"), FREELY))) as where:
        httpx.get(where, timeout=120)  # the first request loads all games
        yield where


def lead(visit: Visit) -> tuple[Page, str]:
    """A table with the ferry, led from the front page by one touch, and its invite link."""
    page = visit("/")
    page.get_by_role("button", name="Lead it The glass ferry").click()
    invitation = page.locator("#invitation").input_value()
    page.get_by_role("link", name="Go to the table").click()
    expect(page.locator(TITLE)).to_have_text("The quay at Brack")
    return page, invitation


def alone(visit: Visit, **options: object) -> Page:
    page = visit("/", **options)
    page.get_by_role("button", name="Play alone The glass ferry").click()
    expect(page.locator(TITLE)).to_have_text("The quay at Brack")
    return page


def routes(only: frozenset[str]) -> dict[str, list[str]]:
    """The words of the choices on the way to each ending, without dice."""
    return {ending: labels for ending, (_, labels) in routes_to_endings(open_adventure(FERRY).adventure, only).items()}


def choose(page: Page, label: str) -> None:
    """Touch a choice, and wait until the page shows what followed."""
    before = page.locator(".story-columns").inner_text()
    page.locator(".story-offer", has=page.locator(f"b:text-is({label!r})" if "'" not in label else f'b:text-is("{label}")')).first.click()
    page.wait_for_function("before => document.querySelector('.story-columns')?.innerText !== before", arg=before)


def roll(page: Page, test: str = "") -> None:
    """Touch the large button of a roll request. A touch right after the question came belongs to what was there before."""
    button = page.get_by_role("button", name=re.compile(f"^Roll {test}"))
    button.wait_for()
    page.wait_for_timeout(400)
    button.click()


def test_the_ferry_is_led_while_a_player_rolls_on_a_phone(visit: Visit) -> None:
    leader, invitation = lead(visit)
    expect(leader.get_by_role("heading", name="If they do something else")).to_be_visible()
    expect(leader.get_by_role("heading", name="Only you see this")).to_be_visible()
    expect(leader.get_by_text("Help for somebody who has never led")).to_be_visible()
    assert found(leader) == []

    phone = joined(visit, invitation, "Jo", **SHORT_PHONE)
    phone.goto(leader.url)
    expect(phone.get_by_role("heading", name="Who do you play?")).to_be_visible()
    assert found(phone) == []
    assert "six people are watching" not in phone.content()
    phone.get_by_role("button", name="Play Mikkel Sand").click()
    expect(leader.locator(".request button", has_text="Mikkel Sand")).to_be_visible()
    expect(phone.get_by_role("heading", name="Who else do you play?")).to_be_visible()

    leader.locator(".request button", has_text="Mikkel Sand").first.click()
    roll(phone, "Notice")
    expect(leader.locator(".story-news")).to_contain_text("Mikkel Sand rolls Notice")
    expect(phone.locator(".story-news")).to_contain_text("Mikkel Sand rolls Notice")
    choose(leader, "Go aboard and into the glass saloon")
    expect(phone.locator(TITLE)).to_have_text("The glass saloon")
    expect(phone.locator("img.story-place")).to_be_visible()
    assert phone.evaluate("document.getElementById('story').scrollTop") == 0
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    leader.locator("#undo-story").click()
    expect(phone.locator(TITLE)).to_have_text("The quay at Brack")


def test_a_fight_of_the_ferry_is_decided_by_the_gamemaster(visit: Visit) -> None:
    leader, _ = lead(visit)
    for label in ("Go aboard and into the glass saloon", "Step out on deck", "Go below to the hold", "Walk straight up to them"):
        choose(leader, label)
    leader.locator(".story-offer.fight").click()
    leader.locator("#story-outcome > summary").click()
    leader.get_by_role("button", name="Decide: lost").click()
    expect(leader.locator(TITLE)).to_have_text("In the water")


@pytest.mark.parametrize(("which", "options"), [(0, {}), (1, SHORT_PHONE), (2, {"color_scheme": "dark"})], ids=["desktop", "phone", "dark"])
def test_the_ferry_is_played_alone_to_an_ending(visit: Visit, which: int, options: dict[str, object]) -> None:
    """One player, without a gamemaster: the ways are choices, and nothing for the gamemaster is on the page."""
    known = sorted(routes(frozenset({"way", "action", "downtime"})).items(), key=lambda item: len(item[1]))
    ending, labels = known[which % len(known)]
    page = alone(visit, **options)
    page.get_by_role("button", name="Play all of them").click()
    expect(page.get_by_role("heading", name="Who do you play?")).to_have_count(0)
    for label in labels[:MOST_CLICKS]:
        assert "If they do something else" not in page.content()
        choose(page, label)
    expect(page.locator(".story-end")).to_contain_text(ending)
    assert found(page) == []


@pytest.mark.thorough  # a whole fight, played to its end by touch: minutes
def test_requests_and_fights_come_by_themselves_alone(visit: Visit) -> None:
    """A roll on the phone, and a fight against two deckhands who decide for themselves, to its end."""
    page = alone(visit, **SHORT_PHONE)
    page.get_by_role("button", name="Play all of them").click()
    page.locator(".request button", has_text="Odile").first.click()
    roll(page)
    expect(page.locator(".story-news")).to_contain_text("Odile Vanterpool rolls")
    for label in ("Go aboard and into the glass saloon", "Step out on deck", "Go below to the hold", "Walk straight up to them"):
        choose(page, label)
    page.locator(".story-offer.fight").click()
    expect(page.locator(TITLE)).to_be_hidden()
    usual = page.locator("#usual")
    until = time.monotonic() + 240
    while time.monotonic() < until:
        if page.locator(TITLE).is_visible():
            break
        with suppress(TimeoutError):  # an opponent decided at this moment, and the button is gone
            if usual.is_visible():
                usual.click(timeout=2_000)
            elif page.locator(".do, .answer").first.is_visible():
                page.locator(".do, .answer").first.click(timeout=2_000)
        page.wait_for_timeout(250)
    assert page.locator(TITLE).inner_text() in ("The cargo hold", "In the water")


def test_two_players_without_a_gamemaster_on_two_phones(visit: Visit) -> None:
    first = alone(visit, **SHORT_PHONE)
    first.get_by_role("button", name="Play Runa Holm").click()
    expect(first.locator(".request button", has_text="Runa")).to_be_visible()
    table = first.url
    first.get_by_role("button", name="Invite a player").click()
    invitation = first.locator("input[readonly]").first.input_value()
    second = joined(visit, invitation, "Tom", **SHORT_PHONE)
    second.goto(table)
    second.get_by_role("button", name="Play Mikkel Sand").click()
    first.goto(table)
    first.locator(".request button", has_text="Mikkel Sand").first.click()
    expect(first.locator("#question")).to_contain_text("Mikkel Sand")
    roll(second)
    for page in (first, second):
        expect(page.locator(".story-news")).to_contain_text("Mikkel Sand rolls")
    choose(second, "Go aboard and into the glass saloon")
    expect(first.locator(TITLE)).to_have_text("The glass saloon")


def test_the_editor_drags_cards_and_saves_fields(visit: Visit) -> None:
    page = visit("/adventures")
    page.get_by_role("button", name="Make your own copy The glass ferry").click()
    card = page.locator("[data-node=office]")
    box = card.bounding_box()
    assert box is not None
    line = page.locator("[data-source=office][data-target=saloon]").first
    before = line.get_attribute("d")
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 50, steps=4)
    page.mouse.up()
    expect(page.locator("[name=version]").first).to_have_value("2")
    place = card.get_attribute("transform")
    assert line.get_attribute("d") != before
    card.press("Alt+ArrowRight")
    expect(page.locator("[name=version]").first).to_have_value("3")
    page.reload()
    expect(card).to_have_attribute("data-x", str(float(re.findall(r"\d+", place or "")[0]) + 20))
    page.locator("[data-node=saloon]").click()
    page.locator("#node-form").get_by_label("Name", exact=True).fill("The saloon of glass")
    page.locator("#node-form [name='way.0.to']").select_option("")
    page.locator("#node-form").get_by_role("button", name="Save").click()
    expect(page.locator("[data-node=saloon] .node-name")).to_have_text("The saloon of glass")
    expect(page.locator("[data-source=saloon][data-target='card table']")).to_have_count(0)
    expect(page.locator(".node-card")).to_have_count(len(open_adventure(FERRY).adventure.nodes))
    assert found(page) == []
    page.set_viewport_size({"width": 390, "height": 664})
    assert found(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    assert download.value.suggested_filename == "the-glass-ferry.zip"


def test_axe_finds_nothing_on_the_pages_of_adventures(visit: Visit) -> None:
    page = visit("/adventures")
    faults = found(page)
    page.locator("main [type=file]").set_input_files([{"name": "bad.zip", "mimeType": "application/zip", "buffer": b"no zip"}])
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="not a zip file")).to_be_visible()
    faults += found(page)
    page.set_viewport_size({"width": 390, "height": 664})
    faults += found(page)
    page.goto("/")
    faults += found(page)
    assert faults == []
