"""The gamemaster prepares a map in the browser: walls, doors, covers and hidden areas drawn by hand, a picture beneath, several maps; and
the players get what their side may know of it."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.table.test_pictures import drawn as picture
from tests.web.conftest import Visit
from tests.web.test_table_browser import hosted, joined, to_table

pytestmark = pytest.mark.browser


def prepared(page: Page, name: str = "The old mill", **fields: str) -> None:
    """Prepare a map and open it."""
    page.get_by_role("navigation").get_by_role("link", name="Maps").click()
    page.get_by_label("Name", exact=True).fill(name)
    for label, value in fields.items():
        page.get_by_label(label).fill(value)
    page.get_by_role("button", name="Create map").click()
    page.wait_for_selector("#easel")


def on_screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a place of the map is on the screen."""
    found = page.evaluate(
        """([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(document.getElementById('field').getScreenCTM());
        return [at.x, at.y] }""",
        [x, y],
    )
    return found[0], found[1]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*on_screen(page, *start))
    page.mouse.down()
    page.mouse.move(*on_screen(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2), steps=2)
    page.mouse.move(*on_screen(page, *end), steps=2)
    page.mouse.up()


def tool(page: Page, name: str, word: str = "", shape: str = "") -> None:
    """Take a tool of the bar, and choose its word and its shape."""
    page.locator("#easel .vtools").get_by_role("button", name=name, exact=True).click()
    options = page.locator("#easel .ctx > [data-options]:visible")
    if word:
        options.get_by_role("radio", name=word, exact=True).check(force=True)
    if shape:
        options.get_by_role("button", name=shape, exact=True).click()


def test_walls_doors_covers_and_hidden_areas_are_drawn_moved_removed_and_taken_back(visit: Visit) -> None:
    page, _ = hosted(visit)
    prepared(page)
    things = page.locator("#drawn-things .handle")
    tool(page, "Wall")
    drag(page, (6.1, 9.2), (12.1, 8.9))
    expect(things).to_have_count(1)
    assert '"along":[[6.0,9.0],[12.0,9.0]]' in (things.first.get_attribute("data-thing") or "")
    for x, y in ((15, 12), (18, 12), (18, 15)):
        page.mouse.click(*on_screen(page, x, y))
    page.keyboard.press("Enter")
    expect(things).to_have_count(2)
    tool(page, "Door")
    drag(page, (12, 9), (13.5, 9))
    expect(page.locator("#ground .wall.door.closed")).to_have_count(1)
    tool(page, "Cover", "heavy cover")
    drag(page, (3, 12), (6, 13.5))
    tool(page, "Area", "hidden")
    drag(page, (21, 10.5), (27, 18))
    expect(page.locator("#ground .veil")).to_have_count(1)
    expect(things).to_have_count(5)

    tool(page, "Select")
    cover = page.locator("#drawn-things .handle.covers")
    drag(page, (4.5, 12.75), (7.5, 12.75))
    expect(cover).to_have_attribute("data-thing", re.compile(r'"box":\[6\.0,12\.0,3\.0,1\.5\]'))
    page.locator("#easel-name").fill("mill stones")
    page.locator("#easel-name").press("Enter")
    expect(cover).to_have_attribute("aria-label", "mill stones (heavy cover)")
    page.mouse.click(*on_screen(page, 12.75, 9))
    page.get_by_role("button", name="Door…").click()
    expect(page.locator("#ground .wall.door.locked")).to_have_count(1)
    page.keyboard.press("Delete")
    expect(things).to_have_count(4)
    page.locator("#easel").get_by_role("button", name="Undo").click()
    expect(things).to_have_count(5)

    page.reload()
    expect(things).to_have_count(5)


def test_what_cannot_be_drawn_is_told_and_nothing_is_kept(visit: Visit) -> None:
    page, _ = hosted(visit)
    prepared(page)
    tool(page, "Wall")
    page.get_by_text("By numbers").click()
    page.locator("#easel-points").fill("3,4")
    page.locator("#easel").get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("#easel-told")).to_have_text("This shape is too small.")
    page.locator("#easel-points").fill("3,4 8,4")
    page.locator("#easel").get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("#drawn-things .handle")).to_have_count(1)
    page.get_by_text("Grid and size…").click()
    page.get_by_label("Width", exact=True).fill("-3")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#easel-told")).to_contain_text("width and height must be more than 0")
    page.get_by_label("Width", exact=True).fill("18")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#field")).to_have_attribute("data-home", re.compile(r"^-0\.33"))


def test_a_picture_lies_beneath_several_maps_lie_ready_and_one_comes_under_the_scene(visit: Visit) -> None:
    page, invitation = hosted(visit)
    prepared(page, "The yard")
    page.get_by_role("navigation").get_by_role("link", name="Maps").click()
    page.get_by_label("Name", exact=True).fill("The cellar")
    sent = {"name": "cellar.png", "mimeType": "image/png", "buffer": picture("teal", (700, 490))}
    page.get_by_label("From a file").set_input_files(sent)  # type: ignore[arg-type]
    page.get_by_role("button", name="Create map").click()
    image = page.locator("#ground image")
    expect(image).to_have_attribute("width", "15.0")
    expect(image).to_have_attribute("height", "10.5")
    page.wait_for_function("() => document.querySelector('#ground image').getBBox().width > 0")
    tool(page, "Area", "hidden")
    drag(page, (9, 0), (15, 10.5))
    expect(page.locator("#ground .veil")).to_have_count(1)
    tool(page, "Wall")
    drag(page, (7.5, 0), (7.5, 10.5))
    expect(page.locator("#drawn-things .handle")).to_have_count(2)
    page.get_by_role("navigation").get_by_role("link", name="Maps").click()
    expect(page.locator(".rows").first.get_by_role("link", name=re.compile("The (yard|cellar)$"))).to_have_count(2)

    player = joined(visit, invitation, "Ana")
    page.goto(page.url.removesuffix("/maps") + "/scene?as=form")
    page.locator("select[name=map]").select_option(label="The cellar (15 by 10.5 m, squares)")
    page.get_by_label("Side of Hired gun").select_option("heroes")
    page.get_by_label("Side of Security guard").select_option("opposition")
    page.get_by_role("button", name="Start scene").click()
    page.wait_for_selector("#field .counter")
    expect(page.locator("#ground .veil")).to_have_count(1)

    players = {"do": "set hand", "scene": 1, "who": "Hired gun", "member": "m2"}
    table = re.search(r"/tables/[0-9a-f]+", page.url)
    assert table is not None
    assert page.request.post(f"/api{table[0]}/act", data={"action": players, "key": "hers"}).ok
    answers: list[str] = []
    player.on("response", lambda answer: answers.append(f"{answer.status} {answer.url}"))
    to_table(player)
    seen = player.locator("#ground image")
    expect(seen).to_have_attribute("href", re.compile(r"/scenes/1/picture/[0-9a-f]{32}$"))
    player.wait_for_timeout(300)
    assert any(each.startswith("200 ") and "/scenes/1/picture/" in each for each in answers)
    assert player.locator("#drawn-things, #easel, #ground .veil").count() == 0
    (kept,) = page.request.get(f"/api{table[0]}/pictures").json()
    assert kept["digest"] not in player.content()
    whole = f"{table[0]}/pictures/{kept['digest']}"
    assert player.request.get(whole).status == 404
    assert page.request.get(whole).status == 200


def test_the_ground_of_a_scene_is_drawn_while_it_is_played(visit: Visit) -> None:
    page, _ = hosted(visit)
    prepared(page)
    page.get_by_role("link", name="Use in a scene").click()
    page.get_by_role("radio", name="heroes").check()
    page.get_by_role("button", name="Add Hired gun to the map").click()
    expect(page.locator("#field .counter")).to_have_count(1)
    page.get_by_role("radio", name="opposition").check()
    page.get_by_role("button", name="Add Security guard to the map").click()
    expect(page.locator("#field .counter")).to_have_count(2)
    page.get_by_role("button", name="Start scene").click()
    expect(page).to_have_url(re.compile(r"/tables/[0-9a-f]+$"))
    page.wait_for_selector("#field .counter")
    page.get_by_role("button", name="Draw", exact=True).first.click()
    tool(page, "Door")
    drag(page, (15, 3), (15, 18))
    expect(page.locator("#ground .wall.door.closed")).to_have_count(1)
    expect(page.locator("#log-side")).to_contain_text("door 1 (door) is on the map")
    page.get_by_role("button", name="Open door 1").click()
    expect(page.locator("#ground .wall.door.open")).to_have_count(1)
    page.locator("#easel").get_by_role("button", name="Undo").click()
    expect(page.locator("#ground .wall.door.closed")).to_have_count(1)


def test_a_map_is_drawn_on_a_phone(visit: Visit) -> None:
    page, _ = hosted(visit)
    prepared(page)
    page.set_viewport_size({"width": 390, "height": 844})
    tool(page, "Wall")
    page.locator("#field").scroll_into_view_if_needed()
    drag(page, (6, 9), (12, 9))
    expect(page.locator("#drawn-things .handle")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_bar_has_keys_options_and_what_the_ground_does_and_the_map_has_most_of_the_page(visit: Visit) -> None:
    page, invitation = hosted(visit)
    joined(visit, invitation, "Ana")
    prepared(page)
    for key, name in (("W", "Wall"), ("B", "Terrain"), ("A", "Area"), ("V", "Select"), ("F", "Floor")):
        page.keyboard.press(key)
        expect(page.locator("#easel .vtools").get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#easel .ctx h2:visible")).to_contain_text(name)
    things = page.locator("#drawn-things .handle")
    tool(page, "Floor", "planks", "Box")
    drag(page, (3, 3), (12, 9))
    expect(page.locator("#ground .area.planks")).to_have_count(1)
    tool(page, "Terrain", "slippery")
    expect(page.locator("#easel-effect")).to_contain_text("A jump from here has Threshold")
    expect(page.locator("#easel-effect a")).to_have_attribute("href", re.compile("/rules/scumm/scumm-jumping$"))

    # A box of walls is one closed wall.
    tool(page, "Wall", "wall", "Box")
    drag(page, (3, 3), (12, 9))
    expect(things).to_have_count(2)
    assert '"along":[[3.0,3.0],[12.0,3.0],[12.0,9.0],[3.0,9.0],[3.0,3.0]]' in (things.nth(1).get_attribute("data-thing") or "")
    tool(page, "Area", "hidden")
    drag(page, (15, 3), (24, 9))
    for text, x in (("Taproom", 7.5), ("Vault", 18)):
        tool(page, "Label")
        page.locator("#easel-name").fill(text)
        page.mouse.click(*on_screen(page, x, 6))
        expect(page.locator("#ground .map-label", has_text=text)).to_have_count(1)
    expect(page.locator("#layers li", has_text="Labels").locator("small")).to_have_text("2")

    # Undone, done again, erased.
    page.keyboard.press("Control+z")
    expect(page.locator("#ground .map-label")).to_have_count(1)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("#ground .map-label")).to_have_count(2)
    tool(page, "Erase")
    page.mouse.click(*on_screen(page, 7.5, 6))
    expect(things).to_have_count(4)
    page.keyboard.press("Control+z")

    # A layer is hidden by its eye, and stays so after a stroke.
    page.get_by_role("checkbox", name="Show Walls and doors").uncheck(force=True)
    expect(page.locator("#ground .wall")).to_be_hidden()
    tool(page, "Floor", "carpet", "Box")
    drag(page, (24, 12), (27, 15))
    expect(page.locator("#ground .area.carpet")).to_have_count(1)
    expect(page.locator("#ground .wall")).to_be_hidden()

    share = page.locator("#field").bounding_box()
    assert share is not None
    assert share["width"] * share["height"] > 0.55 * 1440 * 960

    # As Ana sees it: nothing of what is hidden, and nothing can be drawn.
    page.get_by_role("navigation", name="View as").get_by_role("link", name="Ana").click()
    expect(page.locator("#ground .map-label")).to_have_text("Taproom")
    assert "Vault" not in page.locator("#map").inner_text()
    expect(page.locator("#ground .veil")).to_have_count(0)
    tool(page, "Wall", "wall", "Line")
    drag(page, (3, 12), (9, 12))
    expect(page.locator("#easel-told")).to_contain_text("Choose GM to draw")
    page.get_by_role("navigation", name="View as").get_by_role("link", name="GM").click()
    expect(page.locator("#ground .map-label")).to_have_count(2)
