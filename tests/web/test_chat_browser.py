"""The chat in a browser: its help, formatting, and macros."""

import pytest
from playwright.sync_api import expect
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, to_table

pytestmark = pytest.mark.browser


def write(page, text):
    page.locator("#say").fill(text)
    page.locator("#say").press("Enter")


def test_help_is_a_command_and_a_key(visit: Visit) -> None:
    page, _ = hosted(visit)
    to_table(page)
    help = page.locator("#chat-help")
    write(page, "/help")
    expect(help).to_have_attribute("open", "")
    expect(help).to_contain_text("whisper to one person")
    expect(page.locator("#say")).to_have_value("")
    expect(page.locator("#notice")).to_be_empty()
    help.locator("summary").click()
    page.locator("#say").fill("what?")
    expect(help).not_to_have_attribute("open", "")
    page.locator("h1").first.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("?")
    expect(help).to_have_attribute("open", "")


def test_a_macro_is_a_button_that_rolls_and_stays(visit: Visit) -> None:
    page, _ = hosted(visit)
    to_table(page)
    write(page, "/macro Parry = /roll 3d+1 vs 5 = 6,6,1")
    macro = page.locator("#macros").get_by_role("button", name="Parry")
    macro.click()
    expect(page.locator("#log .entry").last).to_contain_text("3d+1 vs 5")
    page.reload()
    expect(macro).to_be_visible()
    write(page, "/macro Parry =")
    expect(page.locator("#macros")).to_be_hidden()


def test_messages_are_formatted_and_nothing_else_in_them_is_code(visit: Visit) -> None:
    page, _ = hosted(visit)
    to_table(page)
    write(page, "**Run**, *now* <b>fast</b> 3 * 4 * 5")
    message = page.locator("#log .said .words").last
    expect(message).to_have_text("Run, now <b>fast</b> 3 * 4 * 5")
    expect(message.locator("strong")).to_have_text("Run")
    expect(message.locator("em")).to_have_text("now")
    expect(message.locator("b")).to_have_count(0)
