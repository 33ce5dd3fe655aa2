"""Invalid maps are refused with one sentence that says where, and what would be right."""

from typing import Any

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.field.field import Field
from rulewright.field.ground import MOST_BYTES, Changes, Ground, read_ground
from rulewright.field.revealed import known, known_field

from .grounds import WAREHOUSE


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"walls": [{"along": [[1, 1]]}]}, r"a wall needs two points or more, not 1 - at `\$.walls\[0\]`"),
        ({"walls": [{"along": [[1, 1], [1, 1]]}]}, "two points that differ"),
        ({"walls": [{"along": [[1, 1], [2, 1]], "door": "closed"}]}, "a door needs a name"),
        ({"walls": [{"along": [[0, 0], [1e9, 0]]}]}, "is not a( valid)? place"),
        ({"walls": [{"along": [[0, 0], [1, 0]], "stops": "light"}]}, "Invalid enum value 'light'"),
        ({"regions": [{"terrain": "mud"}]}, "exactly one shape"),
        ({"regions": [{"terrain": "mud", "box": [0, 0, 1, 1], "circle": [1, 1, 1]}]}, "exactly one shape"),
        ({"regions": [{"terrain": "mud", "box": [0, 0, 0, 1]}]}, "must be more than 0"),
        ({"regions": [{"terrain": "mud", "inside": [[0, 0], [1, 1]]}]}, "three points"),
        ({"regions": [{"box": [0, 0, 1, 1], "veiled": True}]}, "needs a name"),
        ({"covers": [{"name": "box", "cover": "light cover"}]}, "exactly one of x and y, box, or inside"),
        ({"covers": [{"name": "box", "cover": "light cover", "x": 1}]}, "both x and y"),
        (
            {"covers": [{"name": "box", "cover": "light cover", "x": 1, "y": 1}, {"name": "box", "cover": "light cover", "x": 2, "y": 1}]},
            "the name 'box' is used twice",
        ),
        ({"lights": [{"x": 0, "y": 0, "radius": 0, "light": "dim"}]}, "radius of a light must be more than 0"),
        ({"size": [0, 10]}, "more than 0"),
        ({"cell": 0}, "0.01 to 100,000 metres wide"),
        ({"grid": "hexes"}, "hexes need a size"),
        ({"grid": "hexes", "size": [2.5, 3]}, "whole columns and rows"),
        ({"grid": "hexes", "size": [121, 3]}, "at most 120"),
        (
            {"grid": "hexes", "size": [3, 3], "regions": [{"terrain": "wood", "circle": [9, 1, 1]}]},
            r"regions\[0\]: hex 9, 1 is off the map",
        ),
        ({"grid": "hexes", "size": [3, 2], "rows": "abc"}, "expected 2 lines"),
        ({"grid": "hexes", "size": [3, 2], "rows": "abc\nab"}, "line 2: expected 3 letters"),
        ({"grid": "hexes", "size": [3, 1], "levels": "0x1"}, "digits only"),
        ({"rows": "abc"}, "only maps of hexes can be painted"),
        ({"hight": 3}, "unknown field `hight`"),
        ({"walls": [{"along": [[at, at % 7] for at in range(3100)]}]}, "at most 3000 segments"),
    ],
)
def test_bad_ground_is_refused_with_where_and_what_would_be_right(data: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        read_ground(data)
    assert "\n" not in str(refused.value)


def test_a_ground_that_is_too_large_for_a_snapshot_is_refused() -> None:
    regions = [{"terrain": "x" * 100, "box": [at, 0, 1, 1], "name": f"region {at}"} for at in range(500)]
    with pytest.raises(UserError, match=f"{MOST_BYTES // 1000} kB"):
        read_ground({"regions": regions})


def test_words_that_the_game_does_not_know_are_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r'map.walls\[4\].cover: \'light cover\' is not known; did you mean "lightest cover"'):
        WAREHOUSE.understood(terrains=["slippery"], covers=["lightest cover"])
    with pytest.raises(UserError, match=r"map.regions\[0\].terrain: 'slippery' is not known; the game has none"):
        WAREHOUSE.understood(covers=["light cover", "heavy cover"])
    assert WAREHOUSE.understood(terrains=["slippery"], covers=["light cover", "heavy cover"]) is WAREHOUSE


def test_ground_is_the_same_after_it_was_written_and_read() -> None:
    again = msgspec.json.decode(msgspec.json.encode(WAREHOUSE), type=Ground)
    assert again == WAREHOUSE
    assert hash(again) == hash(WAREHOUSE)


def test_an_unknown_letter_of_a_painted_map_is_refused() -> None:
    ground = read_ground({"grid": "hexes", "size": [3, 1], "rows": "..x"})
    with pytest.raises(UserError, match="line 1, column 3: unknown letter 'x'"):
        Field(ground, letters=((".", "clear"),))


VEILED = read_ground(
    {
        "size": [20, 20],
        "walls": [
            {"along": [[2, 2], [4, 2]], "name": "inner"},
            {"along": [[0, 8], [20, 8]]},
            {"along": [[9, 8], [11, 8]], "door": "secret", "name": "the panel"},
        ],
        "covers": [
            {"name": "the chest", "cover": "light cover", "box": [3, 3, 1, 1]},
            {"name": "the crate", "cover": "light cover", "x": 15, "y": 15},
        ],
        "lights": [{"x": 4, "y": 4, "radius": 3, "light": "dim"}],
        "regions": [{"name": "the vault", "veiled": True, "box": [0, 0, 8, 7]}, {"terrain": "mud", "box": [10, 10, 2, 2]}],
    }
)


def test_what_is_veiled_is_not_known_nor_what_stands_in_it() -> None:
    seen = known(VEILED, Changes())
    assert [region.name for region in seen.regions] == [""]
    assert [cover.name for cover in seen.covers] == ["the crate"]
    assert not seen.lights
    assert [wall.name for wall in seen.walls] == ["", ""]


def test_a_secret_door_is_known_as_wall_until_it_stands_open() -> None:
    seen = known(VEILED, Changes())
    assert "panel" not in msgspec.json.encode(seen).decode()
    assert any(wall.door == "secret" for wall in known(VEILED, Changes(opened=("the panel",))).walls)
    through = Changes(opened=("the panel",))
    assert not known_field(VEILED, Changes()).sight((10, 7.5), (10, 9)).open
    assert known_field(VEILED, through) is not None


def test_what_was_shown_is_known_to_all() -> None:
    seen = known(VEILED, Changes(shown=("the vault",)))
    assert "the chest" in [cover.name for cover in seen.covers]
