"""Maps of ours in other programs' formats: what is exported comes back as it was, and what is lost is said."""

import json
from io import BytesIO

import pytest
from PIL import Image
from pypdf import PdfReader

from rulewright import library
from rulewright.cli import main
from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.formats.vtt_export import export_map
from rulewright.field.formats.vtt_import import read_map
from rulewright.field.ground import Cover, Ground, Light, Wall
from rulewright.system import find, names

MAPS = [f"{name}/maps/{path[5:-5]}" for name in names() for path in find(name).demos() if path.startswith("maps/")]


@pytest.mark.parametrize("reference", MAPS)
def test_ready_made_maps_come_back_with_their_size_walls_and_lights(reference):
    ground = library.take(reference).thing.map
    if ground.grid == "hexes":
        pytest.skip("Universal VTT knows no hexes")
    back = read_map(export_map(ground).data, metres=ground.cell, light="normal").ground
    assert back.size == ground.size
    assert {wall.along for wall in back.walls if wall.stops == "all" and not wall.door} == {
        wall.along for wall in ground.walls if wall.stops in ("all", "sight") and not wall.door
    }
    assert [(lamp.x, lamp.y, lamp.radius) for lamp in back.lights] == [(lamp.x, lamp.y, lamp.radius) for lamp in ground.lights]
    closed = {(wall.along[0], wall.along[-1]) for wall in back.walls if wall.door == "closed"}
    assert closed == {(wall.along[0], wall.along[-1]) for wall in ground.walls if wall.door not in ("", "open")}


def test_sight_is_the_same_after_export_and_import():
    ground = Ground(
        size=(12, 12), walls=(Wall(((6, 0), (6, 5))), Wall(((6, 5), (6, 7)), door="closed", name="door"), Wall(((6, 7), (6, 12))))
    )
    before, after = field(ground), field(read_map(export_map(ground).data, metres=1.0).ground)
    for start, end in (((2, 2), (10, 2)), ((2, 6), (10, 6)), ((2, 2), (2, 10))):
        assert before.sight(start, end).open == after.sight(start, end).open


def test_hexes_are_exported_in_squares_as_wide_as_a_hex():
    content = json.loads(export_map(Ground("hexes", 50.0, (10, 8))).data)
    assert content["resolution"]["map_size"] == {"x": pytest.approx(8.9487, abs=1e-3), "y": 8.5}


def test_what_is_lost_is_said():
    ground = Ground(
        size=(10, 10),
        walls=(Wall(((0, 0), (4, 0)), stops="move", cover="light cover"), Wall(((4, 0), (6, 0)), door="secret", name="panel")),
        covers=(Cover("post", "light cover", 3, 3),),
        lights=(Light(1, 1, 3, "normal"),),
        terrain="rough",
    )
    lost = " ".join(export_map(ground).lost)
    assert all(word in lost for word in ("1 door locked or secret", "see over", "post", "terrain"))


def test_a_map_without_a_size_is_refused():
    with pytest.raises(UserError, match="size"):
        export_map(Ground())


def test_pictures_and_paper_show_the_whole_map(tmp_path):
    for ending in ("png", "pdf", "svg", "dd2vtt"):
        assert main(["map", "scumm/maps/warehouse", "-o", str(tmp_path / f"map.{ending}"), "--pixels", "10"]) == 0
    assert Image.open(tmp_path / "map.png").size[0] == 400
    assert "Warehouse" in PdfReader(tmp_path / "map.pdf").pages[0].extract_text()
    exported = json.loads((tmp_path / "map.dd2vtt").read_bytes())
    import base64

    assert Image.open(BytesIO(base64.b64decode(exported["image"]))).size == (400, 240)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scumm/maps/warehouse"], "-o"),
        (["scumm/maps/warehouse", "-o", "map.doc"], ".dd2vtt"),
        (["scumm/mercenary", "-o", "map.png"], "give a map or a scenario"),
        (["scumm/maps/warehouse", "-o", "huge.png", "--pixels", "5000"], "at most 12,000"),
    ],
)
def test_bad_requests_get_one_message(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["map", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
