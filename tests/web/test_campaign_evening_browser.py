"""The life between two fights in real browsers: a gamemaster, a player at a desk and one on a phone. A fight, a night, a secret test, three
weeks of healing, an undo of it, and the next fight. Nobody types a result: what a fight leaves heals by itself and enters the next one."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.test_evening_browser import built, fought, hit, prepared, watched
from tests.web.test_table_browser import hosted, joined, to_table

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
NIGHT, SECRET = "8 hours", "gamemaster rolls"


def started_clock(leader: Page) -> None:
    leader.get_by_role("link", name="Let time pass").first.click()
    leader.get_by_label("The date now").fill("14 March 1932 18:40")
    leader.get_by_role("button", name="Start the clock").click()
    expect(leader.locator("h1")).to_contain_text("Monday 14 March 1932, 18:40")
    leader.get_by_text("Add or change a location").click()
    leader.get_by_label("Name", exact=True).first.fill("hospital")
    leader.get_by_label("Medical aid").select_option("constant")
    leader.get_by_role("button", name="Save location").click()
    expect(leader.locator("main")).to_contain_text("hospital")


def fight(leader: Page, players: list[Page]) -> None:
    """A fight to its end; its results are kept."""
    leader.get_by_role("button", name="Start scene").click()
    for page in [leader, *players]:
        expect(page.locator("#over")).to_contain_text(re.compile("Round"))
        watched(page)
    fought(leader, players)
    hit(leader, "#question button.do")
    leader.locator("#pass-time").wait_for()
    keep = leader.get_by_role("button", name="Keep results")
    if keep.count():
        keep.click()
        expect(keep).to_have_count(0)


def let_pass(leader: Page, span: str = "", milestone: str = "") -> None:
    """Time passes with the panel of the party page."""
    before = leader.locator(".place-name").inner_text()
    leader.locator("#time-panel").wait_for()
    if span:
        leader.locator("#time-panel .chip", has_text=re.compile(f"^{span}$")).click()
    else:
        leader.locator("#time-panel").get_by_text("Until …").click()
        leader.locator("#time-panel input[value=milestone]").check()
        leader.locator("#time-panel").get_by_label("Milestone", exact=True).select_option(milestone)
    expect(leader.locator("#time-panel #time-preview")).to_contain_text("until")
    leader.locator("#time-panel").get_by_role("button", name="Let time pass").click()
    answered(leader, before)


def answered(leader: Page, before: str) -> None:
    """Whatever dice are asked for on the way are rolled by the gamemaster, until the clock has moved."""
    for _ in range(100):
        if leader.locator(".place-name").is_visible() and leader.locator(".place-name").inner_text() != before:
            return
        if leader.locator("#question .option, #question button.do").count():
            leader.get_by_role("button", name="Autoplay").click()
        leader.wait_for_timeout(100)
    raise AssertionError(f"the clock did not move: {leader.locator('#question').inner_text()}")


def wounds(page: Page, name: str) -> str:
    """What the party list says of somebody's body."""
    return page.locator(".cards .party", has_text=name).first.locator(".tag").first.inner_text()


def test_the_life_between_two_fights(visit: Visit) -> None:
    leader, invitation = hosted(visit, name="Between two fights")
    ana, tom = joined(visit, invitation, "Ana"), joined(visit, invitation, "Tom", **PHONE)
    built(ana, "mercenary", "Ines")
    built(tom, "mercenary", "Pike")
    to_table(ana)
    to_table(tom)
    started_clock(leader)
    leader.get_by_role("link", name="Back to the table").click()

    # A fight. What it did is kept.
    prepared(leader, "At the ford")
    fight(leader, [ana, tom])
    after_fight = {name: wounds(leader, name) for name in ("Ines", "Pike")}

    # A night.
    let_pass(leader, NIGHT)
    expect(ana.locator(".place-name")).to_contain_text("Tuesday 15 March 1932")
    expect(tom.locator("#log")).to_contain_text("8 hours later")

    # A secret test: the gamemaster sees the chance before, the players read neither dice nor result.
    panel = leader.locator("#ask-panel")
    panel.locator("[name=test1]").fill("notice")
    panel.locator("[name=against1]").fill("4")
    panel.get_by_text("Results, secrecy, text").click()
    panel.locator("[name=manner]").select_option(SECRET)
    expect(leader.locator("#ask-panel #ask-chances")).to_contain_text(re.compile(r"\d+\.\d %"))
    panel.get_by_role("button", name="Ask").click()
    expect(leader.locator("#log")).to_contain_text(re.compile("rolls Notice against 4"))
    leader.locator("#pass-time").wait_for()
    for player in (ana, tom):
        expect(player.locator("#log")).not_to_contain_text("Notice against 4")

    # Three weeks; the phone reads what came of them with every roll, and undoing takes all of it back.
    before, clock = {name: wounds(leader, name) for name in after_fight}, leader.locator(".place-name").inner_text()
    leader.locator("#time-panel [name=span]").fill("3 weeks")
    leader.locator("#time-panel").get_by_text("It stops for").click()
    for box in leader.locator("#time-panel input[name=stop_for]").all():
        box.uncheck()
    leader.locator("#time-panel").get_by_role("button", name="Let time pass").click()
    answered(leader, clock)
    expect(tom.locator(".digest")).to_contain_text("3 weeks later")
    expect(tom.locator(".place-name")).to_contain_text("April 1932")
    leader.get_by_role("button", name="Undo this time").click()
    expect(leader.locator(".place-name")).to_contain_text("March 1932")
    assert leader.locator(".place-name").inner_text() == clock
    assert {name: wounds(leader, name) for name in after_fight} == before
    expect(tom.locator(".place-name")).to_contain_text("March 1932")

    # The next fight begins with people as they are now.
    leader.get_by_role("link", name="New scene").click()
    expect(leader.locator("#field .counter").first).to_be_visible()
    fight(leader, [ana, tom])
    expect(leader.locator(".place-name")).to_contain_text("15 March 1932")
