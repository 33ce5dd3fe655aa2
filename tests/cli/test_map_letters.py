"""The map as letters in the terminal."""

from rulewright.build.sheet_parts import Place, SceneView
from rulewright.cli.play.text_map import letters
from rulewright.field.ground import Changes, read_ground
from rulewright.field.placement import FieldShown
from rulewright.library import stage


def test_a_room_is_drawn_wall_by_wall_with_its_door_and_who_stands_in_it() -> None:
    ground = read_ground(
        {
            "size": [5, 4],
            "walls": [{"along": [[0, 0], [5, 0], [5, 4]]}, {"along": [[0, 0], [0, 4]], "door": "closed", "name": "door"}],
            "covers": [{"name": "the box", "cover": "light cover", "box": [2, 2, 1, 1]}],
        }
    )
    view = SceneView("", "", (), places=(Place(3.2, 1.5, name="Ana"), Place(1.2, 3.4, name="Abe")), field=FieldShown(ground, Changes()))
    drawn = letters(view)
    assert drawn[:4] == ["+#########", "+.....A..#", "+...%%...#", "+.B......#"]
    assert drawn[4] == "A Ana 3.2,1.5, B Abe 1.2,3.4"
    assert "+ door, closed" in drawn[5]


def test_hexes_are_drawn_half_a_line_lower_in_every_second_column() -> None:
    ground = read_ground({"grid": "hexes", "size": [3, 2], "regions": [{"terrain": "wood", "box": [2, 1, 1, 1]}]})
    drawn = letters(SceneView("", "", (), places=(Place(1, 2, name="Ana"),), field=FieldShown(ground, Changes())))
    assert drawn[0].startswith(".")
    assert "w" in drawn[1]
    assert "A" in drawn[2]


def test_what_is_out_of_sight_is_left_blank_and_nobody_there_is_named() -> None:
    staged = stage("scumm/raid")
    mine, whole = letters(staged.scene.view(staged.state, "Adaeze")), letters(staged.scene.view(staged.state, None))
    assert "Kolbe" not in "\n".join(mine)
    assert "Kolbe" in "\n".join(whole)
    assert "out of sight" in mine[-1]


def test_a_scene_without_places_has_no_map() -> None:
    assert letters(SceneView("", "", ())) == []


def test_who_takes_up_several_hexes_is_in_all_of_them_and_under_whoever_else_is_there() -> None:
    ground = read_ground({"grid": "hexes", "size": [3, 3]})
    long, other = Place(1, 1, covers=((1.0, 2.0), (1.0, 3.0)), name="Long"), Place(1, 2, name="Bo")
    drawn = letters(SceneView("", "", (), places=(other, long), field=FieldShown(ground, Changes())))
    assert [line[0] for line in drawn[:6] if line[0] not in " ."] == ["L", "B", "L"]
    assert "L Long 1,1 to 1,3" in drawn[-2]
