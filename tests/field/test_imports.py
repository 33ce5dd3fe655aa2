"""Maps of other tools in their published formats: walls, doors, windows, padding, and broken files."""

import json
from typing import Any

import pytest

from rulewright.cli import main
from rulewright.errors import UserError
from rulewright.field.field import field
from rulewright.field.formats.vtt_import import MOST_BYTES, read_map
from rulewright.field.ground import Changes


def at(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


UNIVERSAL: dict[str, Any] = {
    "format": 0.3,
    "resolution": {"map_origin": at(10, 20), "map_size": at(20, 12), "pixels_per_grid": 70},
    "line_of_sight": [[at(20, 20), at(20, 24)], [at(20, 26), at(20, 26), at(20, 30)]],
    "objects_line_of_sight": [[at(13, 22), at(15, 22), at(15, 23), at(13, 23), at(13, 22)]],
    "portals": [
        {"position": at(20, 25), "bounds": [at(20, 24), at(20, 26)], "rotation": 0, "closed": True, "freestanding": False},
        {"position": at(20, 31), "bounds": [at(20, 30), at(20, 32)], "rotation": 0, "closed": False, "freestanding": False},
    ],
    "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
    "lights": [{"position": at(15, 26), "range": 4, "intensity": 1, "color": "ffeccd8b", "shadows": True}],
    "image": "",
}


def universal(**changes: Any) -> bytes:
    return json.dumps({**UNIVERSAL, **changes}).encode()


def test_the_walls_of_a_universal_vtt_file_stop_sight() -> None:
    found = read_map(universal(), metres=1.0, cover="light cover")
    there = field(found.ground)
    assert found.ground.size == (20, 12)
    assert not there.sight((5, 2), (15, 2)).open  # the wall at x 10, counted from the map's own corner
    assert not there.sight((5, 5), (15, 5)).open  # the door is closed
    assert field(found.ground, Changes(opened=("door 1",))).sight((5, 5), (15, 5)).open
    assert there.sight((5, 11), (15, 11)).open  # the window
    assert [cover.cover for cover in there.covers((4, 0), (4, 3.5))] == ["light cover"]  # seen over, and it shelters
    assert there.sight((4, 0), (4, 3.5)).open


def test_squares_are_as_many_metres_as_one_says() -> None:
    found = read_map(universal(), metres=1.5)
    assert found.ground.size == (30, 18)
    assert found.ground.walls[0].along == ((15, 0), (15, 6))


def test_lamps_come_on_only_where_one_says_what_they_light() -> None:
    dark, lit = read_map(universal(), metres=1.0), read_map(universal(), metres=1.0, light="normal")
    assert not dark.ground.lights
    assert "1 lamp left out" in dark.told[0]
    assert field(lit.ground).light((6, 6)) == "normal"


def test_doubled_points_go_and_so_do_walls_that_are_nothing_else() -> None:
    found = read_map(universal(line_of_sight=[[at(20, 20), at(20, 20)], [at(20, 26), at(20, 26), at(20, 30)]]))
    assert found.ground.walls[0].along == ((15, 9), (15, 15))
    assert any("1 wall was shorter" in line for line in found.told)


FOUNDRY: dict[str, Any] = {
    "name": "Cellar",
    "width": 2000,
    "height": 1000,
    "padding": 0.25,
    "grid": {"type": 1, "size": 100, "distance": 5, "units": "ft"},
    "walls": [
        {"c": [1500, 300, 1500, 700], "move": 20, "sight": 20, "door": 0, "ds": 0},
        {"c": [1500, 700, 1500, 900], "move": 20, "sight": 20, "door": 1, "ds": 0},
        {"c": [1500, 900, 1500, 1300], "move": 20, "sight": 0, "door": 0, "ds": 0, "dir": 1},
        {"c": [700, 300, 700, 500], "move": 0, "sight": 20, "door": 0, "ds": 0},
        {"c": [700, 500, 700, 600], "move": 0, "sight": 0, "door": 0, "ds": 0},
        {"c": [700, 600, 700, 700], "move": 20, "sight": 20, "door": 2, "ds": 0},
    ],
}


def test_the_padding_of_a_foundry_scene_is_no_part_of_it() -> None:
    found = read_map(json.dumps(FOUNDRY).encode())
    assert found.ground.size == (30, 15)  # 20 by 10 squares of five feet
    assert found.ground.walls[0].along == ((15, 0), (15, 6))
    there = field(found.ground)
    assert not there.sight((10, 3), (20, 3)).open
    assert there.sight((10, 12), (20, 12)).open  # a window
    assert [wall.door for wall in found.ground.walls] == ["", "closed", "", "", "secret"]
    assert [wall.stops for wall in found.ground.walls] == ["all", "all", "move", "sight", "all"]
    assert found.told == ("1 one-way or proximity wall imported as plain",)


def test_an_older_scene_keeps_its_grid_beside_the_rest() -> None:
    older = {**FOUNDRY, "grid": 50, "gridDistance": 1, "gridUnits": "m", "padding": 0}
    assert read_map(json.dumps(older).encode()).ground.size == (40, 20)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG", "this is not a map"),
        (b"[" * 100_000, "this is not a map"),
        (b"[]", "neither `resolution`"),
        (b"{}", "neither `resolution`"),
        (universal(resolution=3), "resolution: expected named fields"),
        (universal(resolution={"map_size": at(1e9, 2)}), r"resolution.map_size.x: expected a number"),
        (universal(resolution={}), "resolution.map_size: expected x and y"),
        (universal(line_of_sight=[[at(1, 2), {"x": "a", "y": 2}]]), r"line_of_sight\[0\]\[1\].x: expected a number, got 'a'"),
        (universal(line_of_sight=[3]), r"line_of_sight\[0\]: expected a list of points"),
        (universal(line_of_sight="x"), "line_of_sight: expected a list"),
        (universal(portals=[{"bounds": [at(1, 2)]}]), r"portals\[0\].bounds: expected two points"),
        (universal(line_of_sight=[[at(x, x % 3) for x in range(4000)]]), "at most 3000 segments"),
        (json.dumps({**FOUNDRY, "walls": [{"c": [1, 2]}]}).encode(), r"walls\[0\].c: expected four numbers"),
        (json.dumps({**FOUNDRY, "grid": {"size": 0}}).encode(), "grid: size must be at least 1"),
        (b" " * (MOST_BYTES + 1), "at most 32 MB"),
    ],
)
def test_a_broken_map_is_refused_with_where_and_what_would_be_right(data: bytes, said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        read_map(data)
    assert "\n" not in str(refused.value)


def test_a_map_is_brought_in_from_the_command_line_and_a_scenario_names_it(tmp_path: Any, capsys: Any) -> None:
    source, out = tmp_path / "cellar.dd2vtt", tmp_path / "cellar.yaml"
    source.write_bytes(universal())
    assert main(["map", str(source), "--system", "scumm", "--metres", "1", "--cover", "light cover", "-o", str(out)]) == 0
    assert "2 doors" in capsys.readouterr().out or out.exists()
    scenario = tmp_path / "fight.yaml"
    scenario.write_text(
        "system: scumm\nkind: scenario\nname: In the cellar\nmap: cellar.yaml\nsides:\n"
        "  north:\n    - {character: hired-gun, name: A, at: [7, 2]}\n"
        "  south:\n    - {character: hired-gun, name: B, at: [15, 2]}\nrounds: 2\n"
    )
    assert main(["audit", str(scenario)]) == 0
    assert main(["fight", str(scenario), "--seed", "1"]) == 0
    assert main(["map", str(tmp_path / "nothing.uvtt"), "--system", "scumm"]) == 2
