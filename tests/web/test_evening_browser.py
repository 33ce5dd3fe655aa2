"""An evening at a table in real browsers: a gamemaster, a player at a desk and one on a phone; a scene of their own prepared and weighed,
fought to its end, carried on, the next scene, and everything taken home as a file. No page is loaded anew while a scene is played, and
after every update nothing else lies where a control was."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Download, Page, expect
from tests.web.conftest import Visit
from tests.web.test_table_browser import PHONE, hosted, joined, to_table

pytestmark = pytest.mark.browser

WATCH = """() => {
  if (window.watched) return;
  window.watched = true;
  window.moved = [];
  const FIXED = "#undo, #redo, #say, #tabs button, .top nav a:not(.badge), .field-tools button, #do-it";
  const name = (each) => each.id || each.textContent.replace(/[\\d!]+/g, "").trim() || each.getAttribute("aria-label");
  const shown = (each) => each.checkVisibility();
  const places = () => new Map([...document.querySelectorAll(FIXED)].filter(shown).map((each) => {
    const box = each.getBoundingClientRect();
    return [`${document.body.dataset.tab || ""} ${name(each)}`, [Math.round(box.x), Math.round(box.bottom)]];
  }));
  let pointer = null;
  let before = places();
  const under = () => {
    const control = pointer && document.elementFromPoint(...pointer)?.closest("button, a, summary, input, select");
    return control && !control.closest("#question") ? name(control) : null; // what is asked keeps a breath before it takes a touch
  };
  let had = null;
  document.addEventListener("pointermove", (event) => { pointer = [event.clientX, event.clientY]; had = under(); });
  document.addEventListener("pointerup", (event) => { pointer = [event.clientX, event.clientY]; setTimeout(() => { had = under(); }); });
  for (const change of ["rulewright:drawn", "rulewright:weighed"]) document.addEventListener(change, () => {
    const after = places();
    for (const [key, [x, y]] of after) {
      const was = before.get(key);
      if (was && (Math.abs(was[0] - x) > 1 || Math.abs(was[1] - y) > 1)) window.moved.push(`${change}: ${key} from ${was} to ${[x, y]}`);
    }
    const now = under();
    if (had && now && now !== had) window.moved.push(`${change}: under the pointer ${had} became ${now}`);
    before = after;
    had = now;
  });
  const tabs = new MutationObserver(() => { before = places(); had = under(); });
  tabs.observe(document.body, { attributes: true, attributeFilter: ["data-tab"] });
}"""


def watched(page: Page) -> None:
    """From now on a page keeps what moved in it; it is never loaded anew."""
    page.evaluate(WATCH)


def still(page: Page) -> None:
    """The page is the one that was opened, and nothing in it has moved away from under anybody's hand."""
    assert page.evaluate("window.watched") is True, "the page was loaded anew"
    assert page.evaluate("window.moved") == []


def hit(page: Page, selector: str) -> None:
    """Touch a control where it is seen; whatever else lies there would be hit instead."""
    control = page.locator(selector).first
    control.wait_for()
    lies = control.evaluate(
        """each => { each.scrollIntoView({ block: "nearest", inline: "nearest" }); const box = each.getBoundingClientRect();
        const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return each.contains(there) ? "" : there?.outerHTML.slice(0, 120) ?? "nothing"; }"""
    )
    assert lies == "", f"{selector} is covered by {lies}"
    control.click()


def asked(page: Page) -> str | None:
    """The id of what is asked of whoever looks, if anything is."""
    found: str | None = page.evaluate(
        "() => document.querySelector('#question[data-mine] .asked-of')?.id ?? null",
    )
    return found


def answer(page: Page, asks: str) -> None:
    """Do what the bar is set to, the answer that most often leaves one as one hopes, or the first one."""
    page.wait_for_function("() => !window.justAsked()")
    for choice in ("#do-it", "#question .option.best", "#question .answers > button", "#question button.do"):
        if page.locator(choice).count():
            hit(page, choice)
            break
    page.wait_for_function("id => !document.getElementById(id)", arg=asks)


def over(page: Page) -> bool:
    """Whether the scene is decided."""
    return page.locator("#question .rest h2", has_text=re.compile("Victory|The scene is over")).count() > 0


def fought(leader: Page, players: list[Page]) -> None:
    """Everybody answers until it is decided; the gamemaster lets those go on whom nobody plays."""
    pages = [leader, *players]
    for _ in range(150):
        leader.wait_for_function(
            """() => document.querySelector('#question[data-mine] .asked-of, #question .rest h2, #question .for-them, #waits')""",
        )
        if over(leader):
            break
        waiting = [(page, asks) for page in pages if (asks := asked(page)) is not None]
        for page, asks in waiting[:1]:
            answer(page, asks)
        if not waiting:
            leader.wait_for_timeout(60)  # what one page has answered comes to the others
        for page in pages:
            still(page)
    assert over(leader), leader.locator("#question").inner_text()


def built(player: Page, beginning: str, name: str) -> None:
    player.get_by_label("Build a character").select_option(beginning)
    player.get_by_label("Name", exact=True).fill(name)
    player.get_by_role("button", name="Build").click()
    expect(player.get_by_role("heading", level=1)).to_have_text(name)


def prepared(leader: Page, name: str) -> None:
    """A scene of one's own: who stands against whom, where, what it is about."""
    leader.get_by_role("link", name="New scene").click()
    expect(leader.locator("#field .counter")).to_have_count(2)
    leader.get_by_label("Copy place from").select_option(label="Shoot-out in the warehouse")
    expect(leader.locator("#ground .cover")).to_have_count(3)
    leader.get_by_role("button", name="Add Street tough to the map").click()
    expect(leader.locator("#field .counter")).to_have_count(3)
    leader.get_by_role("button", name="One more Street tough").click()
    expect(leader.locator("#field .counter")).to_have_count(4)
    leader.locator("#draft-name").fill(name)
    leader.get_by_label("Description").fill("They wait at the ford, and it is dark.")
    leader.get_by_label("Unassigned characters").select_option("tactics")


def test_an_evening(visit: Visit) -> None:
    leader, invitation = hosted(visit, name="The long evening")
    ana = joined(visit, invitation, "Ana")
    tom = joined(visit, invitation, "Tom", **PHONE)
    built(ana, "mercenary", "Ines")
    built(tom, "mercenary", "Pike")
    to_table(ana)
    to_table(tom)

    # The gamemaster prepares: both players' people stand on the field already, the lab says how it will go, and a file keeps it.
    prepared(leader, "At the ford")
    expect(leader.get_by_label("Side of Ines")).to_have_value("heroes")
    leader.get_by_role("button", name="Estimate difficulty").click()
    verdict = re.compile(r"^(heroes win|opposition wins) [<>]? ?\d+ % of the time, with \d+\.\d of them out on average$")
    expect(leader.locator("#weighed .headline")).to_have_text(verdict, timeout=100_000)  # a process of its own has to begin first
    expect(leader.locator("#draft-name")).to_have_value("At the ford")
    with leader.expect_download() as saved:
        leader.get_by_role("button", name="Save as a file").click()
    scenario = _text(saved.value)
    assert "street-tough" in scenario
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator("#log")).to_contain_text("They wait at the ford")

    pages = [leader, ana, tom]
    for page in pages:
        expect(page.locator("#over")).to_contain_text(re.compile("Round"))
        watched(page)
    fought(leader, [ana, tom])
    for page in pages:
        expect(page.locator("#question")).to_contain_text(re.compile("Victory|The scene is over"))
        still(page)

    # What it did to people keeps the results; the next scene begins from the file that was saved, with them as they are.
    hit(leader, "#question button.do")
    expect(leader.locator("#question h2").first).to_have_text(re.compile("has ended|No scene is running|Results"))
    carry = leader.get_by_role("button", name="Keep results")
    if carry.count():
        carry.click()
        expect(ana.locator("#log")).to_contain_text("keeps the results")
    for page in pages:
        still(page)
    leader.get_by_role("link", name="New scene").click()
    leader.locator("#scenario-file").set_input_files({"name": "ford.yaml", "mimeType": "application/yaml", "buffer": scenario.encode()})
    expect(leader.locator("#field .counter")).to_have_count(4)
    expect(leader.locator("#draft-name")).to_have_value("At the ford")
    leader.get_by_role("button", name="Start scene").click()
    for page in pages:
        expect(page.locator("#cards")).to_contain_text("Street tough")
        expect(page.locator("#cards")).to_contain_text("Pike")
    still(ana)
    still(tom)

    # Everything is taken home.
    leader.get_by_role("navigation", name="Pages").get_by_role("link", name="People").click()
    with leader.expect_download() as exported:
        leader.get_by_role("link", name="Export").click()
    lines = [json.loads(line) for line in _text(exported.value).splitlines()]
    assert sum(line.get("change", {}).get("kind") == "scene begun" for line in lines) == 2


def _text(download: Download) -> Any:
    with open(download.path(), encoding="utf-8") as kept:
        return kept.read()
