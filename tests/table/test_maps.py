"""Maps at a table: prepared, drawn on, undone stroke by stroke, used for a scene, and seen by each side as far as it may."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.field.map_strokes import Stroke
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.storage import export, migrate_full
from table.group import gather

WALL = {"along": [[5, 0], [5, 8]]}
DOOR = {"along": [[5, 8], [5, 10]], "name": "back door", "door": "closed"}
CRATES = {"name": "crates", "cover": "heavy cover", "box": [8, 4, 2, 1]}
CELLAR = {"name": "cellar", "veiled": True, "box": [20, 10, 6, 6]}


def prepared(group, name="Mill", **more):
    return group.act("bea", a.KeepMap(name, **more)).made


def ground(group, map_id):
    with group.tables.looking(group.table) as table:
        return table.maps[map_id].ground


def drawn(group, map_id, on, thing, at=None):
    group.act("bea", a.Draw(Stroke(on, at, thing), map_id))


def begun(group, map_id):
    """A scene with Ana's and Cleo's characters on a map, a wall between them."""
    ours = [group.act(who, a.AddCharacter(ready="hired-gun", name=name)).made for who, name in (("ana", "Vesna"), ("cleo", "Teodor"))]
    sides = {"north": (a.Placing(ours[0], at=(2.0, 4.0)),), "south": (a.Placing(ours[1], at=(7.0, 3.0)),)}
    return int(group.act("bea", a.BeginScene(name="In the mill", sides=sides, map=map_id)).made)


def test_a_map_is_drawn_stroke_by_stroke_and_every_stroke_is_a_line_that_can_be_taken_back(tables):
    group = gather(tables)
    mill = prepared(group)
    lines = tables.store.last(group.table)
    for on, thing in (("walls", WALL), ("walls", DOOR), ("covers", CRATES), ("regions", CELLAR)):
        drawn(group, mill, on, thing)
    assert tables.store.last(group.table) == lines + 4
    there = ground(group, mill)
    assert [wall.name for wall in there.walls] == ["", "back door"]
    drawn(group, mill, "walls", {**DOOR, "door": "locked"}, at=1)
    assert ground(group, mill).walls[1].door == "locked"
    drawn(group, mill, "covers", None, at=0)
    assert ground(group, mill).covers == ()
    for _ in range(2):
        group.act("bea", a.UndoDrawing(mill))
    assert ground(group, mill) == there
    for _ in range(4):
        group.act("bea", a.UndoDrawing(mill))
    with pytest.raises(UserError, match="no stroke to undo"):
        group.act("bea", a.UndoDrawing(mill))


@pytest.mark.parametrize(
    ("on", "thing", "at", "said"),
    [
        ("walls", {"along": [[1, 1]]}, None, "a wall needs two points or more, not 1"),
        ("walls", {"along": [[1, 1], [2, 2]], "door": "closed"}, None, "a door needs a name"),
        ("covers", {"name": "crates", "cover": "hevy cover", "x": 1, "y": 1}, None, 'did you mean "heavy cover"'),
        ("regions", {"terrain": "lava", "box": [0, 0, 1, 1]}, None, "'lava' is not known"),
        ("regions", {"terrain": "rough"}, None, "exactly one shape"),
        ("lights", {"x": 1, "y": 1, "radius": 0, "light": "dim light"}, None, "more than 0"),
        ("walls", WALL, 7, "nothing at index 7"),
        ("covers", None, None, "nothing at index"),
        ("sheet", {"grid": "hexes", "size": [500, 2]}, None, "at most 120"),
        ("sheet", {"walls": []}, None, "it has grid"),
        ("sheet", {"picture": {"file": "x", "box": [0, 0, 0, 4]}}, None, "must be more than 0"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence_and_no_line(kept, on, thing, at, said):
    group = gather(kept)
    mill = prepared(group)
    before = kept.store.last(group.table)
    with pytest.raises(UserError, match=said):
        drawn(group, mill, on, thing, at)
    assert kept.store.last(group.table) == before


def test_only_the_gamemaster_draws_and_nobody_else_hears_of_it(kept):
    group = gather(kept)
    mill = prepared(group, "Secret mill")
    drawn(group, mill, "regions", CELLAR)
    for action in (a.KeepMap("mine"), a.Draw(Stroke("walls", None, WALL), mill), a.UndoDrawing(mill), a.RemoveMap(mill)):
        with pytest.raises(Forbidden):
            group.act("ana", action)
    for who in ("ana", "dan"):
        seen = msgspec.json.encode((group.view(who), group.log(who), export.export(kept, group.table, getattr(group, who)).decode()))
        assert b"ecret mill" not in seen
        assert b"cellar" not in seen
    assert [each.name for each in group.view("bea").maps] == ["Secret mill"]


def test_a_map_comes_under_a_scene_and_its_wall_stops_sight_until_the_door_is_opened(kept):
    group = gather(kept)
    mill = prepared(group)
    for on, thing in (("walls", {"along": [[5, 0], [5, 20]]}), ("covers", CRATES), ("regions", CELLAR)):
        drawn(group, mill, on, thing)
    scene = begun(group, mill)
    names = [place.name for place in group.scene("ana", scene).view.places]
    assert names == ["Vesna"]
    drawn_now = Stroke("walls", 0, {"along": [[5, 0], [5, 3]]})
    group.act("bea", a.Draw(drawn_now, scene=scene))
    group.act("bea", a.Draw(Stroke("walls", None, {"along": [[5, 3], [5, 20]], "name": "gate", "door": "closed"}), scene=scene))
    assert [place.name for place in group.scene("ana", scene).view.places] == ["Vesna"]
    assert "gate (door) is on the map" in group.log("ana")[-1].text
    group.act("bea", a.TouchGround(scene, "gate", "open"))
    assert "gate is opened" in group.log("ana")[-1].text
    assert {place.name for place in group.scene("ana", scene).view.places} == {"Vesna", "Teodor"}
    group.act("bea", a.Undo(scene))
    assert [place.name for place in group.scene("ana", scene).view.places] == ["Vesna"]
    group.act("bea", a.Undo(scene))
    group.act("bea", a.Undo(scene))
    with kept.looking(group.table) as table:
        assert table.scene(scene).encounter.state.map == table.maps[mill].ground


def test_hidden_areas_of_a_scene_are_drawn_and_shown_by_the_gamemaster_alone(kept):
    group = gather(kept)
    scene = begun(group, prepared(group))
    group.act("bea", a.Draw(Stroke("regions", None, CELLAR), scene=scene))
    group.act("bea", a.Draw(Stroke("covers", None, {"name": "altar", "cover": "light cover", "box": [22, 12, 1, 1]}), scene=scene))
    seen = msgspec.json.encode((group.scene("ana", scene), group.log("ana")))
    assert b"cellar" not in seen
    assert b"altar" not in seen
    assert b"edits the scene" not in seen
    group.act("bea", a.TouchGround(scene, "cellar", "show"))
    assert {cover.name for cover in group.scene("ana", scene).view.field.ground.covers} == {"altar"}
    assert "altar" in group.log("ana")[-1].text
    with pytest.raises(UserError, match="no door 'cellar'"):
        group.act("bea", a.TouchGround(scene, "cellar", "open"))


def test_several_maps_lie_ready_and_another_is_laid_under_a_scene(kept, monkeypatch):
    group = gather(kept)
    mill, yard = prepared(group), prepared(group, "Yard", like="")
    drawn(group, yard, "covers", CRATES)
    copy = prepared(group, "Yard again", like=yard)
    assert ground(group, copy) == ground(group, yard)
    scene = begun(group, mill)
    group.act("bea", a.LayMap(scene, yard))
    assert [cover.name for cover in group.scene("ana", scene).view.field.ground.covers] == ["crates"]
    group.act("bea", a.NameMap(yard, "The yard"))
    group.act("bea", a.RemoveMap(mill))
    assert [each.name for each in group.view("bea").maps] == ["The yard", "Yard again"]
    monkeypatch.setattr(limits, "MAPS", 2)
    with pytest.raises(UserError, match="at most 2 maps"):
        prepared(group)
    group.act("bea", a.EndScene(scene))
    made = export.bring_in(kept, export.export(kept, group.table, group.bea), "another device")
    onward = migrate_full.go_on(kept, group.table, group.bea)
    for table_id, who in ((made.table, made.member), (onward.table, onward.member)):
        assert [each.name for each in kept.view(table_id, who).maps] == ["The yard", "Yard again"]


def test_those_without_a_place_stand_free_on_the_map_each_side_at_its_edge(kept):
    group = gather(kept)
    mill = prepared(group)
    drawn(group, mill, "covers", {"name": "silo", "cover": "heavy cover", "box": [0.5, 8, 4, 4]})
    sides = {"north": (a.Placing("hired-gun", count=3),), "south": (a.Placing("medic"),)}
    scene = int(group.act("bea", a.BeginScene(name="Raid", sides=sides, map=mill)).made)
    places = group.scene("bea", scene).view.places
    assert len({(place.x, place.y) for place in places}) == 4
    assert max(place.x for place in places[:3]) < 10 < places[3].x


def test_a_map_file_and_the_map_of_a_ready_made_scenario_are_taken_in(kept):
    group = gather(kept)
    text = "system: scumm\nkind: map\nname: Yard\nmap:\n  size: [10, 8]\n  walls:\n    - {along: [[1, 1], [4, 1]]}\n"
    assert ground(group, prepared(group, "Yard", yaml=text)).size == (10, 8)
    assert ground(group, prepared(group, "Raid", like="raid")).walls
    with pytest.raises(UserError, match="size"):
        prepared(group, "Bad", yaml=text.replace("[10, 8]", "[10, -8]"))


def test_another_map_is_laid_under_a_chase_and_nothing_on_it_is_opened(kept):
    group = gather(kept, "foresight")
    lane = prepared(group, "Lane")
    drawn(group, lane, "walls", DOOR)
    scene = int(group.act("bea", a.BeginScene(ready="chase")).made)
    group.act("bea", a.Undo(scene))
    group.act("bea", a.LayMap(scene, lane))
    with kept.looking(group.table) as table:
        assert [wall.name for wall in table.scene(scene).encounter.state.map.walls] == ["back door"]
    assert group.scene("bea", scene).view.places == ()
    with pytest.raises(UserError, match="for display only"):
        group.act("bea", a.TouchGround(scene, "back door", "open"))
