"""The map in the browser: drag one's own counter, keys, pan and zoom, the ruler, a phone, and nothing of whoever is out of sight."""

import re
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, TimeoutError, expect
from tests.table.test_pictures import drawn as picture
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, joined, to_table

pytestmark = pytest.mark.browser


def demo(visit: Visit, scenario: str = "raid", **options: object) -> Page:
    """A guest's own table with a fight that has begun."""
    page = visit("/", **options)
    page.evaluate(
        """(scenario) => { const form = document.createElement('form'); form.method = 'post'; form.action = '/demo/scumm';
        const name = document.createElement('input'); name.name = 'scenario'; name.value = scenario; form.append(name);
        document.body.append(form); form.submit() }""",
        scenario,
    )
    page.wait_for_selector("#field")
    return page


def until_asked_for_a_place(page: Page) -> None:
    """Answer whatever else is asked, until somebody may go somewhere."""
    for _ in range(12):
        if page.locator("#field[data-asks]").count():
            break
        page.locator("#question .asked-of button:visible").first.click()
        page.wait_for_timeout(600)
    expect(page.locator("#field .counter[data-goes]")).to_have_count(1)
    expect(page.locator("#within-reach .reach").first).to_be_attached()


def middle(page: Page) -> tuple[float, float]:
    box = page.locator("#field .counter[data-goes] .body").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_ones_own_counter_is_dragged_and_says_how_far_while_it_is_held(visit: Visit) -> None:
    page = demo(visit)
    until_asked_for_a_place(page)
    who = page.locator("#field .counter[data-goes]").get_attribute("data-who")
    before = page.locator("#field .counter[data-goes]").get_attribute("data-x") or ""
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 4, steps=3)
    page.mouse.move(x + 50, y + 8, steps=3)
    expect(page.locator("#field-told")).to_contain_text(re.compile(r"\d of \d+ m, walking"))
    expect(page.locator("#field-hand .ghost")).to_be_attached()
    page.mouse.up()
    expect(page.locator("#log-side")).to_contain_text(re.compile(f"{who}.*(walks|Walking)", re.DOTALL))
    expect(page.locator(f'#field .counter[data-who="{who}"]')).not_to_have_attribute("transform", re.compile(rf"translate\({before} "))


def test_a_counter_that_is_dropped_too_far_stays_and_the_reason_is_told(visit: Visit) -> None:
    page = demo(visit)
    until_asked_for_a_place(page)
    before = page.locator("#field .counter[data-goes]").get_attribute("transform")
    desk = page.locator("#field .cover").last.bounding_box()
    assert desk is not None
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(desk["x"] - 10, desk["y"] + 30, steps=5)
    expect(page.locator("#field-told")).to_have_class(re.compile("wrong"))
    page.mouse.up()
    expect(page.locator("#field-told")).to_contain_text(re.compile("no way|away|inside"))
    assert page.locator("#field .counter[data-goes]").get_attribute("transform") == before


def test_keys_choose_a_place_and_enter_goes_there(visit: Visit) -> None:
    page = demo(visit)
    until_asked_for_a_place(page)
    counter = page.locator("#field .counter[data-goes]")
    who = counter.get_attribute("data-who")
    counter.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#field-told")).to_contain_text("walking")
    page.keyboard.press("Enter")
    expect(page.locator("#log-side")).to_contain_text(re.compile(f"{who}.*walks 3 m", re.DOTALL))


def test_the_map_pans_and_zooms_and_stays_where_it_was_put(visit: Visit) -> None:
    page = demo(visit)
    until_asked_for_a_place(page)
    drawing = page.locator("#field")
    home = drawing.get_attribute("viewBox")
    box = drawing.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.wheel(0, -400)
    expect(drawing).not_to_have_attribute("viewBox", home or "")
    nearer = drawing.get_attribute("viewBox") or ""
    assert float(nearer.split()[2]) < float((home or "").split()[2])
    page.mouse.move(box["x"] + 40, box["y"] + box["height"] - 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + box["height"] - 90, steps=4)
    page.mouse.up()
    expect(drawing).not_to_have_attribute("viewBox", nearer)
    put = drawing.get_attribute("viewBox") or ""
    page.locator("#say").fill("hello")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#log-side")).to_contain_text("hello")
    assert drawing.get_attribute("viewBox") == put
    page.get_by_role("button", name="Show all").click()
    expect(drawing).not_to_have_attribute("viewBox", put)
    assert [float(each) for each in (drawing.get_attribute("viewBox") or "").split()] == pytest.approx(
        [float(each) for each in (home or "").split()], abs=0.01
    )


def test_the_ruler_measures(visit: Visit) -> None:
    page = demo(visit)
    page.get_by_role("button", name="Ruler").click()
    box = page.locator("#field").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 200, steps=3)
    expect(page.locator("#field-hand text")).to_have_text(re.compile(r"^\d+\.\d m$"))
    page.mouse.up()


def test_ground_that_has_not_changed_is_not_sent_again(visit: Visit) -> None:
    page = demo(visit)
    until_asked_for_a_place(page)
    mark = page.locator("#ground").get_attribute("data-mark") or ""
    first = page.request.get(f"{page.url}/body", headers={"HX-Request": "true"}).text()
    again = page.request.get(f"{page.url}/body", headers={"HX-Request": "true", "X-Ground": mark}).text()
    assert "data-kept" in again
    assert 'class="wall' in first
    assert 'class="wall' not in again
    page.locator("#say").fill("hello")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#log-side")).to_contain_text("hello")
    expect(page.locator("#ground .wall")).not_to_have_count(0)


def test_a_phone_shows_the_map_and_takes_a_touch(visit: Visit) -> None:
    page = demo(visit, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    until_asked_for_a_place(page)
    box = page.locator("#field").bounding_box()
    assert box is not None
    assert box["width"] <= 390
    assert box["height"] > 150
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_is_out_of_sight_is_in_nothing_that_the_other_side_is_sent(visit: Visit) -> None:
    leader, invitation = hosted(visit)
    player = joined(visit, invitation)
    to_table(player)
    leader.reload()
    leader.get_by_label("Scenario", exact=True).select_option("raid")
    leader.get_by_role("button", name="Start scene").click()
    expect(leader.locator('#field .counter[data-who="Kolbe"]')).to_be_attached()
    for name in ("Adaeze", "Ruben"):
        card = leader.locator(f'.fighter[data-who="{name}"]')
        jo = card.locator("select[name=member] option", has_text="Jo").get_attribute("value") or ""
        fields = {"do": "set hand", "scene": "1", "who": name, "member": jo}
        assert leader.request.post(f"{leader.url}/act", form=fields, headers={"HX-Request": "true"}).ok
        expect(card).to_contain_text("Jo")
    player.reload()
    expect(player.locator('#field .counter[data-who="Adaeze"]')).to_be_attached()
    expect(player.locator('#field .counter[data-who="Ferro"]')).to_be_attached()
    expect(player.locator("#ground .fog")).to_be_attached()
    table = leader.url.rpartition("/")[2]
    for _ in range(3):
        addresses = (leader.url, f"{leader.url}/body", f"/api/tables/{table}", f"/api/tables/{table}/log", f"/api/tables/{table}/since")
        told = [player.content(), *[player.request.get(address).text() for address in addresses]]
        if player.locator('#field .counter[data-who="Kolbe"]').count():
            break
        assert all(told)
        assert not any("Kolbe" in text for text in told)
        for page in (player, leader):
            page.request.post(f"{leader.url}/act", form={"do": "go on", "scene": "1"}, headers={"HX-Request": "true"})
            button = page.locator("#question .asked-of button:visible").first
            if button.count():
                with suppress(TimeoutError):  # by now somebody else is asked
                    button.click(timeout=3_000)
                page.wait_for_timeout(500)
    assert "Kolbe" in leader.content()


def test_what_a_grenade_reaches_is_drawn_while_it_is_aimed_and_counters_show_portraits(visit: Visit) -> None:
    page, _ = hosted(visit, "silhouette", "The grenade")
    table = urlsplit(page.url).path

    def act(**action: object) -> str:
        key = f"{len(sent)} of the grenade"
        sent.append(key)
        answer = page.request.post(f"/api{table}/act", data={"action": action, "key": key})
        assert answer.ok, answer.text()
        return str(answer.json()["made"])

    sent: list[str] = []
    jorunn = act(do="add character", ready="drop-sergeant", name="Jorunn")
    portrait = {"name": "jorunn.png", "mimeType": "image/png", "buffer": picture("teal", (80, 80))}
    assert page.request.post(f"{table}/characters/{jorunn}/picture", multipart={"file": portrait}).ok  # type: ignore[dict-item]
    squad = [{"character": jorunn, "at": [0, 0], "state": {"weapon": "fragmentation grenade"}}]
    foes = [{"character": "levy-rifleman", "at": [12, 0]}]
    act(do="begin scene", name="Thrown", npcs="tactics", mine=["Jorunn"], sides={"squad": squad, "foes": foes})
    for answer in ("1", "stay"):
        act(do="answer", scene=1, given=answer)
    page.goto(table)
    counter = page.locator("#field .counter[data-goes]")
    expect(counter.locator("image.face")).to_have_attribute("href", re.compile(r"/pictures/[0-9a-f]{32}$"))
    page.wait_for_function("() => document.querySelector('#field .counter image.face').getBBox().width > 0")
    counter.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    aimed = page.locator("#field-hand .template")
    expect(aimed).to_have_count(1)
    across = page.evaluate("() => document.querySelector('#field-hand .template').getBBox().width")
    assert across > 2, "as far as the blast reaches"
    page.keyboard.press("Escape")
    expect(aimed).to_have_count(0)
