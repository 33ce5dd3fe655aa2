"""What a group stumbled over in its first evening, looked at again in real browsers."""

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Visit, to_demo
from tests.web.test_table_browser import PHONE, hosted, joined

from rulewright.web.server.addresses import qr_code

pytestmark = pytest.mark.browser


def test_the_square_for_a_phone_is_whole(visit: Visit) -> None:
    """Nothing of it is cut off, and the quiet edge around it is as wide as a camera needs."""
    page = visit("/host")
    page.evaluate(
        "square => { document.body.innerHTML = `<div class='square'>${square}</div>`; }", qr_code("http://192.0.2.7:8000/tables/0/join/0")
    )
    left, top, right, bottom = page.locator(".square .qrline").evaluate(
        """code => { const { x, y, width, height } = code.getBBox(), sheet = code.ownerSVGElement, shown = sheet.getBoundingClientRect();
        const module = code.getScreenCTM().a;
        return [x, y, shown.width / module - x - width, shown.height / module - y - height]; }"""
    )
    assert min(left, top, right, bottom) >= 4, "four modules are left free around it"


def test_whoever_sits_down_later_can_be_spoken_to_and_stays_chosen(visit: Visit) -> None:
    leader, invitation = hosted(visit)
    whom = leader.get_by_label("Recipient")
    expect(whom.locator("option")).to_have_count(1)
    joined(visit, invitation, "Ana")
    expect(whom.locator("option", has_text="to Ana")).to_have_count(1)
    whom.select_option(label="to Ana")
    tom = joined(visit, invitation, "Tom")
    expect(whom.locator("option", has_text="to Tom")).to_have_count(1)
    expect(whom.locator("option:checked")).to_have_text("to Ana")
    tom.get_by_role("button", name="Leave the table").click()
    expect(whom.locator("option", has_text="to Tom")).to_have_count(0)


LAPS = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each.textContent || each.closest(".counter").dataset.who, each.getBoundingClientRect()]);
  const laps = (a, b, by = 1) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
  const names = boxes("#field .name, #field .named"), discs = boxes("#field .counter .body");
  const found = [];
  for (const [name, box] of names) {
    if (box.height < 10) found.push(`${name} is ${box.height} px high`);
    for (const [other, disc] of discs) if (laps(box, disc)) found.push(`${name} lies on ${other}`);
    for (const [other, another] of names) if (other < name && laps(box, another, 5)) found.push(`${name} lies on the name ${other}`);
  }
  return found;
}"""


def of_the_warehouse(visit: Visit, **options: object) -> Page:
    page = visit("/", **options)
    to_demo(page, "scumm", "shootout")
    expect(page.locator("#field .counter")).to_have_count(6)
    page.wait_for_selector("#question .asked-of")
    return page


def test_names_on_the_map_are_read_and_lie_on_nobody(visit: Visit) -> None:
    """Two guards stand side by side in the gate of the warehouse."""
    page = of_the_warehouse(visit)
    assert page.evaluate(LAPS) == []
    page.get_by_role("button", name="Zoom out").click()
    page.wait_for_timeout(400)
    assert not [found for found in page.evaluate(LAPS) if "px high" in found]
    phone = of_the_warehouse(visit, **PHONE)
    assert phone.evaluate(LAPS) == []
    tools = phone.locator("#map-opens").bounding_box()
    assert tools is not None
    for counter in phone.locator("#field .counter .body").all():
        box = counter.bounding_box()
        assert box is not None
        apart = box["x"] + box["width"] <= tools["x"] or box["y"] >= tools["y"] + tools["height"] or box["x"] >= 390
        assert apart, "the button lies on somebody"


CONTRAST = """element => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255)
    .map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const [a, b] = [light(getComputedStyle(element).color), light(getComputedStyle(element.closest(".whose")).backgroundColor)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_hint_on_ones_own_question_can_be_read(visit: Visit, scheme: str) -> None:
    """Axe takes words in the colour of their ground for hidden ones."""
    page = visit("/", color_scheme=scheme)
    page.locator("#demo-pebbles").click()
    hint = page.locator("#question[data-mine] .wise summary").first
    hint.wait_for()
    assert hint.evaluate(CONTRAST) >= 4.5
