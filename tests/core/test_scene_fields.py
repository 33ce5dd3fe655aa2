"""Fields of a scene's place for the gamemaster: each game's own, in its own words."""

import pytest

from rulewright.scenes.scene_fields import PlaceField, place_fields
from rulewright.system import find, names


def fields(system: str, kind: str = "fight") -> dict[str, PlaceField]:
    game = find(system)
    scene = game.staging(kind).scene(game.book.ruleset())
    return {each.name: each for each in place_fields(scene.described, scene.place_words())}


def test_light_is_chosen_from_the_games_own_words_in_their_order() -> None:
    assert fields("silhouette")["light"].choices == (
        "", "very bright", "poor light", "very poor light", "hardly any light", "complete darkness",
    )  # fmt: skip
    assert next(iter(fields("foresight"))) == "light"
    assert fields("hybrid")["surroundings"].sort == "several"


def test_a_side_a_tick_a_number_and_a_row_of_a_table_are_asked_for_as_such() -> None:
    assert fields("scumm")["ambush"].sort == "side"
    assert fields("silhouette")["narrow"].sort == "tick"
    assert fields("ore")["metres"].sort == "number"
    assert "Urban" in fields("foresight")["environment"].choices
    assert "" not in fields("foresight")["environment"].choices
    assert fields("scumm")["ambush"].about == "The side that lies in wait, if any."


@pytest.mark.parametrize("system", names())
def test_what_is_usual_can_be_chosen_and_lists_stand_in_a_file_only(system: str) -> None:
    game = find(system)
    for kind in game.scenes:
        for each in fields(system, kind).values():
            assert each.name not in ("covers", "dangers", "tricks", "course")
            assert "_" not in each.label
            if each.sort == "choice":
                assert each.usual in each.choices, (kind, each.name)
