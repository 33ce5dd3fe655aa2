"""Two people at one table, each in a browser of their own: host, invite, join, build, fight, undo, reload, leave, come back."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, Route, TimeoutError, expect
from tests.web.conftest import Visit, to_demo

from rulewright.system import names
from rulewright.table.scenes import demos

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def hosted(visit: Visit, system: str = "scumm", name: str = "The ford") -> tuple[Page, str]:
    """A table and its invitation."""
    page = visit(f"/host?system={system}")
    page.get_by_label("Table name").fill(name)
    page.get_by_label("Your name").fill("Gitte")
    page.get_by_role("button", name="Open the table").click()
    invitation = page.locator("#invitation").input_value()
    page.get_by_role("link", name="Go to the table").click()
    expect(page).to_have_title(re.compile(name))
    return page, invitation


def joined(visit: Visit, invitation: str, name: str = "Jo", **options: Any) -> Page:
    page = visit(invitation, **options)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join as player").click()
    expect(page).to_have_url(re.compile("/people$"))
    return page


def to_table(page: Page) -> None:
    page.get_by_role("navigation").get_by_role("link", name="Table").click()
    page.wait_for_selector("#log", state="attached")


def test_two_people_from_invitation_to_a_fight_and_back(visit: Visit) -> None:
    leader, invitation = hosted(visit)
    player = joined(visit, invitation)

    # Jo builds a character, and Gitte's page knows of it.
    player.get_by_label("Build a character").select_option("mercenary")
    player.get_by_label("Name", exact=True).fill("Ines")
    player.get_by_role("button", name="Build").click()
    expect(player.get_by_role("heading", level=1)).to_have_text("Ines")
    player.get_by_role("link", name=re.compile("Rifles|Assault")).first.click()
    player.get_by_role("button", name="Roll the dice").click()
    expect(player.locator("#latest")).not_to_be_empty()
    expect(leader.locator("#log")).to_contain_text("adds Ines")
    expect(leader.locator("#log .dice").first).to_be_visible()

    # Gitte puts Ines against a guard; Jo is asked for Ines and for nobody else.
    to_table(player)
    for _ in range(4):  # now and then Ines is down before her first turn
        leader.get_by_role("link", name="New scene").click()
        leader.get_by_role("link", name="Form view").click()
        leader.get_by_label("Side of Ines").select_option("heroes")
        leader.get_by_label("Side of Street tough").select_option("opposition")
        leader.get_by_role("button", name="Start scene").click()
        expect(player.locator("#cards")).to_contain_text("Street tough")
        if _until_asked(leader, player, "Ines"):
            break
        leader.get_by_role("button", name="End scene").first.click()

    # Jo chooses with real dice: the roll waits, and the faces are typed.
    player.locator("#who").get_by_role("button", name="Enter my dice").click()
    expect(player.locator("#who").get_by_role("button", name="Enter my dice")).to_have_attribute("aria-pressed", "true")
    expect(player.locator("#do-it")).to_have_text(re.compile(r"^(Shoot|Attack|Strike).*: \d+ %", re.I))
    percents = player.locator("#question .told-of .out b").all_inner_texts()
    assert sum(float(share.removesuffix(" %").removeprefix("< ")) for share in percents) == pytest.approx(100, abs=0.01)
    answered(player, player.locator("#do-it"))
    faces = _answer_until_roll(leader, player)
    sides = re.search(r"(\d+)d6", player.locator("#question .ask-for").first.inner_text())
    assert sides is not None
    faces.fill(",".join(["6"] * int(sides[1])))
    player.locator("#question").get_by_role("button", name="Enter my dice").click()
    expect(player.locator("#log .dice").first).to_be_visible()
    expect(leader.locator("#log")).to_contain_text("Ines rolls")
    expect(leader.locator("#log .tag", has_text="real dice").last).to_be_visible()

    # Undo stays in the log, struck through, for both.
    leader.get_by_role("button", name="Undo", exact=True).click()
    expect(leader.locator("#log .struck, #log .undone").first).to_be_visible()
    expect(player.locator("#log")).to_contain_text("undoes")

    # Reloading changes nothing; leaving and coming back finds the same seat.
    before = player.locator("#log .entry").count()
    player.reload()
    expect(player.locator("#log .entry")).to_have_count(before)
    player.get_by_role("link", name="People").click()
    player.get_by_role("button", name="Leave the table").click()
    expect(leader.locator("#log")).to_contain_text("Jo leaves")
    player.goto(invitation)
    player.get_by_label("Your name").fill("Jo")
    player.get_by_role("button", name="Join as player").click()
    expect(leader.locator("#log")).to_contain_text("Jo is back")


def _until_asked(leader: Page, player: Page, who: str) -> bool:
    """Let the gamemaster's people go by themselves until this one has to decide what to do; false where it is over before that."""
    for _ in range(20):
        player.wait_for_timeout(250)
        asked = player.locator("#question .whose")
        if asked.count() and who in asked.inner_text() and "What do you do" in asked.inner_text():
            return True
        if leader.locator("#question h2", has_text="Victory").count():
            return False
        if player.locator("#question .asked-of").count():
            _answer_first(player)
        else:
            leader.get_by_role("button", name="Autoplay").click()
    raise AssertionError("nobody was asked")


BREATH = 350
"""Milliseconds after which a touch is taken for an answer to what is asked now."""


def answered(page: Page, button: Any) -> None:
    """Touch a button of the bar, and wait until something else is asked, or nothing."""
    page.wait_for_timeout(BREATH)
    before = page.locator("#question .asked-of").first.get_attribute("id")
    button.click()
    page.wait_for_function("id => !document.getElementById(id)", arg=before)


def _answer_first(page: Page) -> None:
    """Do what the bar is set to, or the first answer there is."""
    for found in ("#do-it", "#question .answers > button", "#question .asked-of button.do"):
        if page.locator(found).count():
            return answered(page, page.locator(found).first)
    raise AssertionError(page.locator("#question").inner_html())


def _answer_until_roll(leader: Page, player: Page) -> Any:
    """Answer what else is asked until dice are."""
    for _ in range(20):
        player.wait_for_timeout(250)
        faces = player.get_by_label(re.compile("Faces of"))
        if faces.count():
            return faces.first
        if player.locator("#question .asked-of").count():
            _answer_first(player)
        else:
            leader.get_by_role("button", name="Autoplay").click()
    raise AssertionError("no dice were asked for")


def test_a_hidden_roll_never_reaches_the_others_browser(visit: Visit, address: str) -> None:
    """In an ambush those who walk into it roll in secret; whoever plays one of them must not hear of it, in any way."""
    leader, invitation = hosted(visit, name="Ambush")
    heard: list[str] = []

    def kept(response: Response) -> None:
        # The page of people lists what ships with the game, whoever takes part.
        if not response.url.endswith(("/live", "/people")) and response.request.resource_type in ("document", "fetch", "xhr"):
            try:
                heard.append(response.text())
            except Exception:
                heard.append("")  # a redirect has no text

    player = visit(invitation)
    player.on("response", kept)
    player.get_by_label("Your name").fill("Jo")
    player.get_by_role("button", name="Join as player").click()
    to_table(player)
    leader.get_by_label("Scenario").select_option("ambush")
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator("#cards .fighter")).to_have_count(5)
    leader.locator("article.fighter", has_text="The buyer").get_by_label("Details of The buyer").click()
    leader.locator("article.fighter", has_text="The buyer").get_by_text("Controlled by").click()
    leader.locator("article.fighter", has_text="The buyer").get_by_label("Player").select_option(label="Jo")
    leader.locator("article.fighter", has_text="The buyer").get_by_role("button", name="Save").click()
    expect(player.locator("#cards")).to_contain_text("The buyer")
    for _ in range(60):  # nobody spends Emergency Dice on hiding, noticing or on being quick
        if leader.locator("#do-it").count():
            break
        theirs = leader.locator("#question .for-them:not([open]) summary")
        if theirs.count():
            theirs.click()
        if leader.locator("#question .asked-of button:visible").count():
            _answer_first(leader)
        leader.wait_for_timeout(150)
    expect(leader.locator("#log")).to_contain_text("only you see this")
    secret = leader.locator("#log p", has_text="only you see this").first.inner_text().replace("only you see this", "").strip()
    player.reload()
    heard.append(player.context.request.get(player.url.split("?")[0] + "/export").text())
    api = player.url.split("?")[0].replace("/tables/", "/api/tables/")
    heard += [player.context.request.get(f"{api}{part}").text() for part in ("", "/log", "/since", "/scenes/1")]
    assert len(heard) > 6, heard
    assert secret
    assert not any(secret in text for text in heard)
    told = [
        re.sub(r"\s+", " ", text[max(0, text.index("Sunniva") - 150) : text.index("Sunniva") + 60]) for text in heard if "Sunniva" in text
    ]
    # One who notices warns the others; only while nobody does is anybody hidden.
    noticed = leader.locator("#log p", has_text="notices nothing").count() < 3
    assert noticed or not told, "somebody who lies in wait is told of"


def test_the_keyboard_alone_plays_the_demo(visit: Visit) -> None:
    page = visit("/")
    page.locator("#demo-scumm").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#question .asked-of")
    for _ in range(3):
        page.wait_for_timeout(BREATH)
        before = page.locator("#question .asked-of").first.get_attribute("id")
        page.locator("body").evaluate("body => document.activeElement?.blur()")
        if page.locator("#do-it").count():
            page.keyboard.press("1")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("1")
        page.wait_for_function("id => !document.getElementById(id)", arg=before)
    entries = page.locator("#log .entry").count()
    page.locator("#say").focus()
    page.keyboard.type("/roll 3d+1 vs 5 = 6,6,1")
    page.keyboard.press("Enter")
    expect(page.locator("#log .entry")).not_to_have_count(entries)
    expect(page.locator("#log .entry").last).to_contain_text("3d+1 vs 5")
    expect(page.locator("#log .entry").last).to_contain_text("real dice")
    expect(page.locator("#say")).to_have_value("")


def test_a_double_click_answers_one_question(visit: Visit) -> None:
    """Where the same is asked again at once, the second touch of an impatient hand is no answer to it."""
    page = visit("/")
    page.locator("#demo-hybrid").click()
    page.wait_for_selector("#do-it")
    page.wait_for_timeout(BREATH)
    asked = page.locator("#question .asked-of").first.get_attribute("id")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    impatient = """asked => {
        new MutationObserver((changes, watch) => {
            if (document.getElementById(asked) || !document.querySelector("#do-it, #question .answers > button")) return;
            watch.disconnect();
            setTimeout(() => {
                document.querySelector("#do-it, #question .answers > button").click();
                document.body.dataset.touched = "again";
            }, 30);
        }).observe(document.body, {childList: true, subtree: true});
        const button = document.querySelector("#do-it");
        button.click(); button.click(); button.click();
    }"""
    page.evaluate(impatient, asked)  # from within the page, however slow the machine is
    page.wait_for_selector("body[data-touched]", state="attached")
    page.wait_for_timeout(500)
    assert len(sent) == 1


@pytest.mark.parametrize("system", names())
def test_every_game_has_a_demo_three_clicks_away(visit: Visit, system: str) -> None:
    if not demos.scenarios(system):
        pytest.fail(f"{system} has no demo")
    page = visit("/")
    page.locator(f"#demo-{system}").click()
    page.wait_for_selector("#log .entry:visible")
    expect(page.locator("#cards .fighter").first).to_be_visible()
    expect(page.locator("#question .whose, #question .rest").first).to_be_visible()
    expect(page.locator("#banner")).to_be_visible()


def test_somebody_is_moved_on_the_map_and_the_log_says_so(visit: Visit) -> None:
    page = visit("/")
    to_demo(page, "scumm", "brawl")
    counter = page.locator("[data-moves=Moth]")
    for _ in range(12):
        page.wait_for_timeout(200)
        if counter.count():
            break
        _answer_first(page)
    before = counter.get_attribute("data-x") or ""
    counter.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#log")).to_contain_text("Moth is moved")
    expect(counter).not_to_have_attribute("data-x", before)
    assert float(counter.get_attribute("data-x") or "nan") == pytest.approx(float(before) + 3, abs=0.02)


def test_names_and_chat_are_only_ever_text(visit: Visit) -> None:
    leader, invitation = hosted(visit, name="<b>bold</b>")
    expect(leader.locator("header.top")).to_contain_text("<b>bold</b>")
    player = joined(visit, invitation, "<img src=x onerror=alert(1)>")
    to_table(player)
    player.locator("#say").fill("<script>document.title='gone'</script> & \"quotes\"")
    player.get_by_role("button", name="Send").click()
    expect(leader.locator("#log")).to_contain_text("<script>document.title='gone'</script> & \"quotes\"")
    assert leader.locator("#log script, #log img").count() == 0
    expect(leader).to_have_title(re.compile("bold"))


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_on_a_phone_result_field_and_question_are_one_page_that_does_not_scroll(visit: Visit) -> None:
    page = visit("/", **PHONE)
    page.locator("#demo-scumm").tap()
    expect(page.locator("#do-it")).to_be_visible()
    boxes = [page.locator(part).bounding_box() for part in ("#banner", "#field", "#question", "#do-it", "#tabs")]
    assert all(boxes)
    tops = [box["y"] for box in boxes if box is not None]
    assert tops == sorted(tops)
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [844, 390]
    for button in page.locator("#question button:visible, #tabs button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_on_a_phone_people_and_log_are_a_touch_away_and_say_what_is_new(visit: Visit) -> None:
    page = visit("/", **PHONE)
    page.locator("#demo-scumm").tap()
    expect(page.locator("#do-it")).to_be_visible()
    expect(page.locator("#cards")).to_be_hidden()
    page.locator("#tabs").get_by_role("button", name="Log").tap()
    expect(page.locator("#log .entry").last).to_be_in_viewport()
    expect(page.locator("#tabs").get_by_role("button", name="Map")).to_contain_text("!")
    page.locator("#say").fill("Here I am.")
    page.get_by_role("button", name="Send").tap()
    expect(page.locator("#log .entry").last).to_contain_text("Here I am.")
    page.locator("#tabs").get_by_role("button", name="People").tap()
    expect(page.locator("#cards .fighter").first).to_be_visible()
    expect(page.locator("#tabs").get_by_role("button", name="Log")).to_have_text("Log")
    page.locator("#tabs").get_by_role("button", name="Map").tap()
    asked = page.locator("#question .asked-of").first.get_attribute("id")
    page.wait_for_function("() => !window.justAsked()")
    page.locator("#do-it").tap()
    page.wait_for_function("id => !document.getElementById(id)", arg=asked)
    expect(page.locator("#tabs").get_by_role("button", name="Log")).to_have_text(re.compile(r"Log\d+"))


def test_on_a_phone_a_row_of_answers_stays_where_it_was_and_what_is_set_can_be_seen(visit: Visit) -> None:
    page = visit("/", **PHONE)
    page.locator("#demo-hybrid").tap()
    expect(page.locator("#do-it")).to_be_visible()
    page.locator("[data-part='verb special']").tap()
    row = page.locator("[data-row=How]")
    last = row.locator(".chip:not(.more)").last
    last.tap()
    expect(row.locator(".chip:not(.more)").last).to_have_attribute("aria-pressed", "true")
    assert row.evaluate("row => row.scrollLeft") > 0
    within = """row => {
        const on = row.querySelector("[aria-pressed=true]").getBoundingClientRect(), place = row.getBoundingClientRect();
        return on.left >= place.left - 1 && on.right <= place.right + 1;
    }"""
    assert row.evaluate(within)
    page.reload()
    expect(page.locator("#do-it")).to_be_visible()
    assert all(
        each.evaluate(f"row => !row.querySelector('[aria-pressed=true]') || ({within})(row)") for each in page.locator("[data-row]").all()
    )


def without_letters(route: Route) -> None:
    """The style sheet as it looks while the letters are still on their way: those of the machine, often wider."""
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub(r"@font-face *{[^}]*}", "", answer.text()))


JUTS_OUT = """width => [...document.querySelectorAll("body *")].map(each => [each, Math.round(each.getBoundingClientRect().right)])
    .filter(([each, right]) => right > width).map(([each, right]) => `${each.tagName} ${each.id} ${right}`).slice(0, 12)"""


def fits(page: Page, width: int) -> None:
    """The page is no wider than the phone, once it has come to rest."""
    try:
        page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width, timeout=5_000)
    except TimeoutError:
        wide = page.evaluate("document.documentElement.scrollWidth")
        pytest.fail(f"{page.url} is {wide} wide where a phone has {width}: {page.evaluate(JUTS_OUT, width)}")


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_wider_than_a_phone_even_before_our_letters_have_come(visit: Visit, width: int) -> None:
    page = visit("/", viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    page.route(re.compile("/look.css"), without_letters)
    page.reload()
    fits(page, width)
    page.locator("#demo-scumm").tap()
    page.wait_for_selector("#question .asked-of")
    fits(page, width)
    table = page.url
    system = "?system=scumm"
    for address in ("/people", "/notes", "/options"):
        page.goto(table + address)
        fits(page, width)
    for address in ("/odds" + system, "/lab" + system, "/rules" + system):
        page.goto(address)
        fits(page, width)


def test_a_note_for_oneself_is_for_nobody_else(visit: Visit) -> None:
    leader, invitation = hosted(visit, name="Notes")
    leader.get_by_role("link", name="Notes").click()
    leader.get_by_label("Title").fill("The traitor")
    leader.get_by_label("Note", exact=True).fill("It is the cook.")
    leader.get_by_role("button", name="Save").click()
    expect(leader.get_by_role("heading", name="The traitor")).to_be_visible()
    player = joined(visit, invitation)
    player.get_by_role("link", name="Notes").click()
    expect(player.get_by_text("The traitor")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_of_the_table(visit: Visit, scheme: str, tmp_path: Path) -> None:
    """The table's pages in both lights; RULEWRIGHT_PICTURES=1 keeps them in docs/pictures."""
    folder = PICTURES if os.environ.get("RULEWRIGHT_PICTURES") else tmp_path
    folder.mkdir(parents=True, exist_ok=True)

    def picture(name: str, page: Page) -> None:
        page.evaluate("document.fonts.ready")
        page.mouse.move(1, 1)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=folder / f"{name}-{scheme}.png", animations="disabled")
        assert (folder / f"{name}-{scheme}.png").stat().st_size > 10_000

    page = visit("/", color_scheme=scheme)
    to_demo(page, "scumm", "shootout")
    for _ in range(6):
        page.wait_for_selector("#question .asked-of")
        if page.locator("#question .chance:visible").count():
            break
        _answer_first(page)
        page.wait_for_timeout(600)
    expect(page.locator("#question")).not_to_contain_text("Calculating chances", timeout=60_000)
    page.wait_for_timeout(500)
    picture("table", page)
    address = page.url.split("?")[0]
    for place in ("people", "notes", "options", "scene"):
        page.goto(f"{address}/{place}")
        picture(f"table-{place}", page)
    picture("host", visit("/host", color_scheme=scheme))


def test_chances_a_full_server_did_not_count_are_asked_for_again_and_old_ones_are_not_waited_for(browser: Browser, address: str) -> None:
    page = browser.new_page(base_url=address)  # not a visit, since the browser says of a full server what it thinks
    page.goto("/")
    asked: list[str] = []

    def full_at_first(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=503, headers={"retry-after": "1"}, body="Not just now")
        elif len(asked) > 2:
            route.continue_()  # the second is never answered

    broken_off: list[str] = []
    page.on("requestfailed", lambda request: broken_off.append(request.url))
    page.route(re.compile("/chances"), full_at_first)
    page.locator("#demo-scumm").click()
    for _ in range(40):
        if len(asked) > 1:
            break
        page.wait_for_timeout(200)
    assert asked[0] == asked[1]
    for _ in range(20):
        if len(asked) > 2 and page.locator("#question .chance").count():
            break
        page.keyboard.press("Enter")
        page.wait_for_timeout(900)
    expect(page.locator("#question .chance").first).to_be_attached()
    assert asked[1] in broken_off
    assert asked[1] not in asked[2:], "what is being counted is asked for once"
    page.close()
