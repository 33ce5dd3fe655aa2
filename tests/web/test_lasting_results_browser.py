"""Wounds go from one scene into the next, in the browser: offered when a scene has ended, seen on the sheet, cleared by the gamemaster."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, joined, to_table

pytestmark = pytest.mark.browser


def faced(leader: Page) -> None:
    """Ines and a ready-made opponent face each other."""
    leader.get_by_role("link", name="New scene").click()
    leader.get_by_role("link", name="Form view").click()
    leader.get_by_label("Side of Ines").select_option("heroes")
    leader.get_by_label("Side of Street tough").select_option("opposition")
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator("#cards")).to_contain_text("Ines")


def ended(leader: Page) -> None:
    """The gamemaster ends the scene."""
    leader.get_by_text("Scene…").click()
    leader.get_by_role("button", name="End scene").click()


def test_a_wound_is_carried_into_the_next_scene_and_cleared(visit: Visit) -> None:
    leader, invitation = hosted(visit)
    player = joined(visit, invitation)
    player.get_by_label("Build a character").select_option("mercenary")
    player.get_by_label("Name", exact=True).fill("Ines")
    player.get_by_role("button", name="Build").click()
    expect(player.get_by_role("heading", level=1)).to_have_text("Ines")
    sheet = player.url
    to_table(player)
    for page in (player, leader):  # nothing happens in a scene before somebody has rolled
        page.locator("#who").get_by_role("button", name="Enter my dice").click()
        expect(page.locator("#who").get_by_role("button", name="Enter my dice")).to_have_attribute("aria-pressed", "true")

    faced(leader)
    leader.get_by_role("button", name="System Shock of Ines: 2 marked").click()
    expect(leader.locator("#log")).to_contain_text("edits the scene: Ines: System Shock 2 of")
    expect(player.locator("#log")).to_contain_text("Ines: System Shock 2 of")
    expect(leader.locator("#cards")).to_contain_text("wounds")
    ended(leader)

    # The gamemaster is offered it, with what there is to carry; the player is not.
    offer = leader.locator("#offer-1")
    expect(offer).to_contain_text("2 Flesh wounds")
    expect(player.locator("#question")).to_contain_text("No scene is running")
    expect(player.locator("#offer-1")).to_have_count(0)
    offer.get_by_role("button", name="Keep results").click()
    expect(leader.locator("#log")).to_contain_text("for Ines")
    expect(leader.locator("#carried")).to_contain_text("Ines 2 Flesh wounds")
    expect(player.locator("#log")).to_contain_text("for Ines")

    # It stands on the sheet in plain words, with the way to the rules of healing.
    player.goto(sheet)
    expect(player.locator(".carried")).to_contain_text("Results of the last scene")
    expect(player.locator(".carried")).to_contain_text("2 Flesh wounds")
    expect(player.locator(".carried").get_by_role("link", name="Healing times")).to_be_visible()
    expect(player.locator(".carried").get_by_role("button")).to_have_count(0)

    # Taken back, it is offered again; carried on, the next scene begins with it.
    leader.locator("#carried").get_by_role("button", name="Undo").click()
    expect(offer).to_contain_text("2 Flesh wounds")
    offer.get_by_role("button", name="Keep results").click()
    expect(leader.locator("#carried")).to_contain_text("Ines 2 Flesh wounds")
    faced(leader)
    expect(leader.locator(".fighter", has_text="Ines").locator(".boxes").first).to_have_attribute("aria-label", re.compile("^2 of"))
    ended(leader)

    # Fresh again: the one after that begins without it.
    leader.get_by_role("navigation").get_by_role("link", name="People").click()
    expect(leader.locator("main")).to_contain_text("Results of A fight: 2 Flesh wounds")
    leader.get_by_role("button", name="Reset condition").click()
    expect(leader.locator("main")).not_to_contain_text("Results of")
    to_table(leader)
    faced(leader)
    expect(leader.locator(".fighter", has_text="Ines").locator(".boxes").first).to_have_attribute("aria-label", re.compile("^0 of"))
