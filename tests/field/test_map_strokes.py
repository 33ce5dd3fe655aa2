"""Drawing on maps, pictures beneath them, and a room with a wall, a door and two covers worked out by hand."""

import json
from base64 import b64encode
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.field.test_imports import universal
from tests.table.test_pictures import drawn as picture
from tests.table.test_pictures import huge

from rulewright.cli import main
from rulewright.errors import UserError
from rulewright.field.area_templates import Aimed
from rulewright.field.field import field
from rulewright.field.formats.image_map import box_of, pictured
from rulewright.field.formats.vtt_import import picture_in
from rulewright.field.ground import BARE, UNCHANGED, Changes, Ground, read_ground
from rulewright.field.map_strokes import GroundWords, Stroke, drawn, named, seen_changes
from rulewright.field.pathfinding import WALKER, way
from rulewright.field.placement import FieldShown, painted, veils_on_picture

ROOM = read_ground(
    {
        "size": [20, 10],
        "walls": [
            {"along": [[10, 0], [10, 4]]},
            {"along": [[10, 4], [10, 6]], "name": "door", "door": "closed"},
            {"along": [[10, 6], [10, 10]]},
        ],
        "covers": [{"name": "crates", "cover": "heavy", "box": [4, 4, 1, 2]}, {"name": "desk", "cover": "light", "box": [15, 4, 1, 2]}],
    }
)
OPEN = Changes(opened=("door",))


def test_a_wall_a_door_and_two_covers_come_out_as_on_paper() -> None:
    shut, opened = field(ROOM), field(ROOM, OPEN)
    assert not shut.sight((8, 5), (12, 5)).open
    assert shut.sight((8, 5), (12, 5)).by == "door"
    assert opened.sight((8, 5), (12, 5)).open
    assert not opened.sight((8, 1), (12, 1)).open
    assert opened.sight((8, 1), (12, 7.5)).open  # x 10 is reached at y 1 + 6.5 / 2 = 4.25, in the door
    assert not opened.sight((8, 1), (12, 6)).open  # at y 3.5, in the wall
    assert opened.sight((8, 5), (3.5, 5)).open
    assert [cover.cover for cover in opened.covers((9, 5), (3.5, 5))] == ["heavy"]  # close behind the crates
    assert [cover.cover for cover in opened.covers((9, 5), (1.5, 5))] == []  # 2.5 m behind them
    assert [cover.cover for cover in opened.covers((3.5, 5), (9, 5))] == []  # he leans on them himself
    assert [cover.cover for cover in opened.covers((11, 5), (16.5, 5))] == ["light"]


def test_the_way_through_the_door_costs_what_it_measures() -> None:
    assert way(field(ROOM), (8.0, 5.0), (12.0, 5.0), WALKER, 30) is None
    straight = way(field(ROOM, OPEN), (8.0, 5.0), (12.0, 5.0), WALKER, 30)
    assert straight is not None
    assert straight.cost == pytest.approx(4)
    around = way(field(ROOM, OPEN), (8.0, 1.0), (12.0, 1.0), WALKER, 30)
    assert around is not None
    by_hand = 2 * sqrt(2**2 + 3.05**2)  # to just below the wall's end at y 4.05, and back
    assert by_hand <= around.cost <= by_hand + 0.4


points = st.tuples(st.floats(0, 20).map(lambda each: round(each, 2)), st.floats(0, 10).map(lambda each: round(each, 2)))


@given(st.lists(points, min_size=2, max_size=5), points, points)
def test_a_wall_that_is_drawn_never_opens_a_line_and_sight_stays_the_same_both_ways(along: list[Any], one: Any, other: Any) -> None:
    try:
        more = drawn(ROOM, Stroke("walls", None, {"along": [list(point) for point in along]}))
    except UserError:
        return  # all its points are one
    before, after = field(ROOM), field(more)
    assert after.sight(one, other).open == after.sight(other, one).open
    assert before.sight(one, other).open or not after.sight(one, other).open
    assert drawn(more, Stroke("walls", len(more.walls) - 1)) == ROOM


def test_what_is_drawn_has_a_name_and_what_one_looker_sees_of_it_is_told() -> None:
    chest = {"name": "chest", "cover": "heavy", "box": [1, 1, 1, 1]}
    assert named(drawn(ROOM, Stroke("covers", None, chest)).covers[-1]) == "chest (heavy)"
    assert named(drawn(ROOM, Stroke("lights", None, {"x": 1, "y": 1, "radius": 4, "light": "dim"})).lights[0]) == "a light of 4 (dim)"
    before, after = FieldShown(ROOM, UNCHANGED), FieldShown(ROOM, OPEN)
    assert seen_changes(before, after) == ("door is opened",)
    assert seen_changes(after, before) == ("door is shut",)
    with pytest.raises(UserError, match=r"covers\[2\].cover: 'hevy' is not known"):
        drawn(ROOM, Stroke("covers", None, {**chest, "cover": "hevy"}), GroundWords(covers=("heavy", "light")))


# --- pictures beneath ---------------------------------------------------------------------------------------------------------


def test_a_picture_with_squares_is_as_large_as_its_cells() -> None:
    ground = pictured((1410, 720), "a.png", 70, (10, 20), "squares", 1.5)
    assert ground.size == (30, 15)  # 1400 and 700 pixels of 70 each
    assert ground.picture is not None
    left, top, width, height = ground.picture.box
    assert (left, top) == (pytest.approx(-10 * 1.5 / 70, abs=1e-3), pytest.approx(-20 * 1.5 / 70, abs=1e-3))
    assert (width, height) == (pytest.approx(1410 * 1.5 / 70, abs=1e-3), pytest.approx(720 * 1.5 / 70, abs=1e-3))


def test_a_picture_with_hexes_has_its_first_hex_in_its_corner() -> None:
    cell = 100.0
    columns, rows = 10, 8
    pixels = (round(cell * ((columns - 1) * sqrt(3) / 2 + 2 / sqrt(3))), round(cell * (rows + 0.5)))
    ground = pictured(pixels, "a.png", cell, (0, 0), "hexes", 50)
    assert (ground.grid, ground.size, ground.cell) == ("hexes", (columns, rows), 50)
    assert box_of(pixels, cell, (0, 0), "hexes", 50)[:2] == (pytest.approx(-1 / sqrt(3), abs=1e-3), -0.5)


@pytest.mark.parametrize(
    ("cell", "offset", "said"),
    [
        (1, (0, 0), "4 to 700 pixels"),
        (9_000, (0, 0), "not 9000"),
        (70, (900, 0), "must begin within the picture"),
        (float("nan"), (0, 0), "pixels"),
    ],
)
def test_a_grid_that_does_not_fit_the_picture_is_refused(cell: float, offset: tuple[float, float], said: str) -> None:
    with pytest.raises(UserError, match=said):
        pictured((700, 490), "a.png", cell, offset)


def test_what_is_veiled_is_painted_over_until_it_is_shown() -> None:
    ground = pictured((200, 100), "a" * 32, 10, (0, 0), "squares", 1)
    ground = drawn(ground, Stroke("regions", None, {"name": "vault", "veiled": True, "box": [10, 0, 10, 10]}))
    assert veils_on_picture(ground, UNCHANGED) == (((0.5, 0), (1, 0), (1, 1), (0.5, 1)),)
    assert painted(ground, UNCHANGED)
    assert painted(ground, Changes(shown=("vault",))) == ""
    assert painted(BARE, UNCHANGED) == ""


def test_nothing_is_left_to_see_under_what_is_painted_over() -> None:
    from io import BytesIO

    from PIL import Image

    from rulewright.files.images import painted_over, written_anew

    made = painted_over(written_anew(picture("red", (200, 100)), 512).body, [((0.5, 0), (1, 0), (1, 1), (0.5, 1))])
    seen = Image.open(BytesIO(made)).convert("RGB")
    assert seen.getpixel((40, 50))[0] > 200  # type: ignore[index]
    assert max(abs(each - 128) for each in seen.getpixel((150, 50))) < 12  # type: ignore[union-attr]


def test_the_picture_of_a_universal_vtt_file_comes_along(tmp_path: Path) -> None:
    image = picture("teal", (140, 84))
    assert picture_in(universal(image=b64encode(image).decode())) == image
    assert picture_in(universal()) == b""
    with pytest.raises(UserError, match="image: the picture is damaged"):
        picture_in(universal(image="no picture"))
    file = tmp_path / "cellar.dd2vtt"
    file.write_bytes(universal(image=b64encode(image).decode()))
    assert main(["map", str(file), "--system", "scumm", "-o", str(tmp_path / "cellar.yaml")]) == 0
    assert (tmp_path / "cellar.png").read_bytes() == image
    assert "file: cellar.png" in (tmp_path / "cellar.yaml").read_text()


def test_a_plain_picture_with_a_grid_becomes_a_map_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "valley.png"
    file.write_bytes(picture("green", (700, 490)))
    assert main(["map", str(file), "--system", "scumm", "--pixels", "70", "--metres", "2", "--json"]) == 0
    ground = json.loads(capsys.readouterr().out)["map"]
    assert (ground["grid"], ground["size"], ground["picture"]["file"]) == ("squares", [20, 14], "valley.png")


def test_a_picture_of_400_million_pixels_and_a_broken_file_are_refused_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data, said in (
        ("large.png", huge(), "has 400 million pixels (20000 by 20000); at most 36 million are allowed"),
        ("broken.uvtt", b'{"resolution": {', "this is not a map"),
        ("broken.png", picture()[:20], "this is not a PNG, JPEG or WebP picture"),
    ):
        file = tmp_path / name
        file.write_bytes(data)
        assert main(["map", str(file), "--system", "scumm"]) == 2
        told_there = capsys.readouterr().err
        assert said in told_there
        assert told_there.count("\n") == 1


# --- areas while one aims -----------------------------------------------------------------------------------------------------


def test_what_is_aimed_shows_what_it_covers_there() -> None:
    where = Aimed(field(ROOM), (2.0, 5.0), "lob", "throwing", 12.0, lambda spot: spot, tuple, 3.0)
    (loop,) = where.template("lob@7,5")
    assert all(((x - 7) ** 2 + (y - 5) ** 2) ** 0.5 == pytest.approx(3, abs=0.05) for x, y in loop)
    with pytest.raises(UserError, match="out of sight"):
        where.template("lob@12,5")
    assert Aimed(field(Ground()), (0.0, 0.0), "sweep", "sweeping", 12.0, lambda spot: spot, tuple).template("@3,3") == ()
