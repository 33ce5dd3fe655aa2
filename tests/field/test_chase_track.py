"""The route of a chase: places on it by hand, and the chases of two games on their maps."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.field.chase_track import ahead, length, refuse_without_way, spot_along, way_of
from rulewright.field.ground import BARE, read_ground
from rulewright.play import Seeded, play
from rulewright.scenes.scene import Scene

WAY = ((0.0, 0.0), (30.0, 0.0), (30.0, 40.0))


def test_a_place_along_a_way_is_where_the_metres_end() -> None:
    assert length(WAY) == 70
    assert spot_along(WAY, 12) == (12, 0)
    assert spot_along(WAY, 40) == (30, 10)
    assert spot_along(WAY, -5) == (-5, 0)  # not begun yet
    assert spot_along(WAY, 75) == (30, 45)  # and beyond its end
    assert ahead(WAY, 0, 10) == 10
    assert ahead(WAY, 0.5, 10) == 40
    assert ahead(WAY, 7, 10) == 70


def test_a_map_without_a_way_is_refused() -> None:
    assert refuse_without_way(BARE) is BARE
    with pytest.raises(UserError, match="needs a route"):
        refuse_without_way(read_ground({"size": [20, 20]}))
    with pytest.raises(UserError, match="measured in metres"):
        refuse_without_way(read_ground({"grid": "hexes", "size": [20, 20], "regions": [{"along": [[1, 1], [9, 9]]}]}))
    road = read_ground({"regions": [{"along": [[0, 0], [1, 0]]}, {"name": "way", "along": [[5, 5], [9, 5]]}]})
    assert way_of(road)[0] == (5, 5)


def staged(name: str) -> tuple[Scene, object]:
    found = library.stage(name)
    return found.scene, found.state


@pytest.mark.parametrize("name", ["silhouette/chase", "foresight/chase"])
def test_a_chase_is_seen_on_its_way_and_goes_on_along_it(name: str) -> None:
    scene, state = staged(name)
    way = way_of(state.map)  # type: ignore[attr-defined]
    first = scene.view(state, None)
    assert first.field is not None
    prey, hunter = first.places[0], first.places[1]
    assert prey.x > hunter.x  # the way begins to the east
    assert (prey.x, prey.y) == spot_along(way, ahead(way, 0, ((prey.x - hunter.x) ** 2 + (prey.y - hunter.y) ** 2) ** 0.5))
    state = replace(state, round=scene.round(state) + 3)
    later = scene.view(state, None).places
    assert (later[0].x, later[0].y) != (prey.x, prey.y)
    assert later[0].x > prey.x
    assert play(scene.step(state), dice=Seeded(1), decide=library.stage(name).usual).outcome is not None


def test_what_is_in_the_way_lies_at_its_place_on_the_map() -> None:
    scene, state = staged("silhouette/chase")
    shown = scene.view(state, None).field
    assert shown is not None
    marks = [(cloud.name, cloud.circle) for cloud in shown.changes.clouds]
    assert [name for name, _ in marks] == ["low fence", "bench or bins thrown down", "low fence"]
    way = way_of(shown.ground)
    assert marks[0][1] is not None
    assert marks[0][1][:2] == spot_along(way, ahead(way, 1.5 / 7, 6))


@pytest.mark.parametrize("name", ["silhouette/chase", "foresight/chase"])
@pytest.mark.parametrize("size", [None, [40, 20]])
def test_a_chase_goes_on_where_its_map_has_no_way_any_more(name: str, size: list[int] | None) -> None:
    """Bare ground from a record, or a map without its route: it is played, without places."""
    scene, state = staged(name)
    state = replace(state, map=read_ground({"size": size} if size else {}))
    played = play(scene.step(state), dice=Seeded(1), decide=library.stage(name).usual)
    assert not [event for event in played.events if "Along the way" in event.headline()]
    view = scene.view(played.outcome, None)
    assert (view.field is not None) == (size is not None)
    assert not view.places or size is None


def test_a_way_goes_through_no_wall_but_along_it_up_to_it_and_through_a_door() -> None:
    def ground(**wall: object) -> dict[str, object]:
        return {"regions": [{"name": "way", "along": [[0, 0], [30, 0], [30, 40]]}], "walls": [wall]}

    with pytest.raises(UserError, match="goes through the wall mill; lead it around, or put a door there"):
        refuse_without_way(read_ground(ground(name="mill", along=[[10, -5], [10, 5]]), "map"))
    with pytest.raises(UserError, match="goes through a wall"):
        refuse_without_way(read_ground(ground(along=[[20, 10], [40, 12]], stops="move"), "map"))
    free = [{"along": [[5, 0], [20, 0]]}, {"along": [[10, 3], [10, 9]]}, {"along": [[20, 10], [40, 12]], "stops": "sight"}]
    for wall in (*free, {"along": [[10, -5], [10, 5]], "door": "closed", "name": "gate"}):
        assert way_of(refuse_without_way(read_ground(ground(**wall), "map")))
