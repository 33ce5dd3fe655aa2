"""ForeSight on ground: movement in any direction as far as an action goes, facing in degrees, sight, cover, light, doors."""

import msgspec
import pytest
from msgspec.structs import replace

from foresight.fights import RULES, drive, fight_of, someone
from rulewright.errors import UserError
from rulewright.field.ground import Changes, read_ground
from rulewright.systems.foresight.combat.fighters import Action, CoverSpot, Ground
from rulewright.systems.foresight.combat.melee import dimmed
from rulewright.systems.foresight.combat.moves import back_off, moved
from rulewright.systems.foresight.combat.reflexes import nearest_cover
from rulewright.systems.foresight.combat.shots import RANGED, in_sight
from rulewright.systems.foresight.fight.actions.moves import anywhere, where_options
from rulewright.systems.foresight.fight.actions.registry import action_options, choose_action, do
from rulewright.systems.foresight.lab_view.scene import FightScene

ROOM = read_ground(
    {
        "size": [30, 20],
        "walls": [
            {"along": [[15, 0], [15, 8]]},
            {"along": [[15, 8], [15, 10]], "name": "door", "door": "closed"},
            {"along": [[15, 10], [15, 16]]},
            {"along": [[15, 16], [15, 20]], "name": "window", "stops": "move", "cover": "2/3 cover"},
        ],
        "covers": [
            {"name": "the crates", "box": [8, 4, 2, 2], "cover": "almost perfect cover"},
            {"name": "the bench", "box": [20, 10, 2, 1], "cover": "1/3 cover"},
        ],
        "lights": [{"x": 20, "y": 5, "radius": 4, "light": "normal"}],
    }
)
SHUT, OPENED = Changes(), Changes(opened=("door",))


def room(*places, changes=SHUT, **fields):
    """Ann on one side, everybody else on the other, each with a pistol in hand."""
    people = [
        someone(name, at, side="ours" if name == "Ann" else "theirs", guns=("Revolver (TL4.5)",), weapon="Revolver (TL4.5)")
        for name, at in zip(("Ann", "Bob", "Cyd"), places, strict=False)
    ]
    return fight_of(*people, map=ROOM, changes=changes, **fields)


def keys(fight, name):
    return [option.key for option in action_options(RULES, fight, name)]


def chosen(fight, name, *answers):
    """The action that somebody comes to by these answers."""
    return drive(choose_action(RULES, fight, name, "What do you do?"), *[(name, answer) for answer in answers]).outcome


def test_whoever_stands_where_the_other_does_backs_off_the_way_they_came():
    fight = room((4.0, 15.0), (4.0, 15.0))
    ann = replace(fight.fighter("Ann"), facing=0)
    there = moved(fight.put(ann), ann, "away:Bob", 3)
    assert (there.x, there.y) == (1, 15)


def test_a_move_goes_to_any_place_within_its_meters_and_no_farther():  # 3040: up to five meters, or two along the ground
    fight = fight_of(someone("Ann", (0, 0), side="ours"), someone("Bob", (9, 0), side="theirs"))
    stride = anywhere(RULES, fight, "Ann", "move").paces[0].most
    action = chosen(fight, "Ann", "move", f"@0,-{stride:g}")
    went = drive(do(RULES, fight, "Ann", action)).outcome.fighter("Ann")
    assert (went.x, went.y) == (0, -stride)
    assert not went.balanced
    with pytest.raises(UserError, match="moving you get"):
        chosen(fight, "Ann", "move", f"@0,{stride + 0.5:g}")
    prone = fight.change("Ann", stance="prone")
    with pytest.raises(UserError, match="moving you get 2 m"):
        chosen(prone, "Ann", "move", "@0,2.5")


@pytest.mark.parametrize(("at", "to"), [((5, 5), (8, 9)), ((5, 5), (3, 4)), ((4.4, 7.3), (4.5, 7.3))])
def test_on_any_ground_places_are_told_to_the_centimeter(at, to):
    fight = room(at, to)
    for how in ("away:Bob", "reach:Bob"):
        there = moved(fight, fight.fighter("Ann"), how, 1.23)
        assert (there.x, there.y) == (round(there.x, 2), round(there.y, 2))
        assert (there.x, there.y) != at


def test_whoever_goes_to_a_cover_of_the_ground_gets_behind_it():
    fight = room((6.0, 5.0), (2.0, 5.0))
    there = fight.put(moved(fight, fight.fighter("Ann"), "cover:the crates", 20))
    assert there.cover_from(there.fighter("Bob"), there.fighter("Ann")).name == "the crates"


def test_whoever_is_near_enough_but_behind_a_wall_goes_around_it():
    fight = room((14.0, 18.0), (16.0, 18.0), changes=OPENED)
    there = moved(fight, fight.fighter("Ann"), "reach:Bob", 5)
    assert there.y < 14


def test_who_goes_somewhere_looks_where_he_says_in_degrees_else_where_he_looked():
    fight = fight_of(someone("Ann", (0, 0), side="ours"), someone("Bob", (9, 0), side="theirs"))
    assert moved(fight, fight.fighter("Ann"), "@0,3/270", 5).facing == 270
    assert moved(fight, fight.fighter("Ann"), "@0,3", 5).facing == fight.fighter("Ann").facing
    assert moved(fight, fight.fighter("Ann"), "@0,1/90", 1, turns=False).facing == fight.fighter("Ann").facing


def test_a_way_goes_around_and_ends_where_the_meters_end():
    fight = room((7.5, 5), (25, 9))
    with pytest.raises(UserError, match="the way to"):
        chosen(fight, "Ann", "dash", "@10.5,5")
    with pytest.raises(UserError, match="inside the crates"):
        chosen(fight, "Ann", "move", "@9,5")


def test_nobody_fires_through_a_wall_or_a_closed_door():
    assert "fire:Bob" not in keys(room((5, 9), (25, 9)), "Ann")
    assert "fire how:Bob" not in keys(room((5, 9), (25, 9)), "Ann")
    opened = room((5, 9), (25, 9), changes=OPENED)
    assert in_sight(opened, opened.fighter("Ann"), opened.fighter("Bob"))
    assert "aim:Bob" in keys(opened, "Ann")


def test_cover_is_what_lies_between_and_the_better_of_two():
    fight = room((2, 5), (10.5, 5))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert fight.cover_from(ann, bob).cover == "almost perfect cover"
    assert fight.cover_from(bob, ann) is None
    window = room((7, 18), (16, 18))
    assert window.cover_from(window.fighter("Ann"), window.fighter("Bob")).cover == "2/3 cover"


def test_the_light_on_the_target_counts_for_whoever_shoots():
    fight = room((18, 12), (20, 6), ground=Ground(light="dark"))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert dimmed(fight, ann, RANGED.rule, bob) == ()
    assert [each.name for each in dimmed(fight, bob, RANGED.rule, ann)] == ["dark"]


def test_a_gun_is_braced_on_what_one_stands_beside():
    assert "brace" in keys(room((10.5, 5), (25, 9)), "Ann")
    assert "brace" not in keys(room((12.5, 5), (25, 9)), "Ann")


def test_a_door_at_hand_is_opened_with_an_action():
    fight = room((14, 9), (25, 9))
    assert "open door" in keys(fight, "Ann")
    after = drive(do(RULES, fight, "Ann", Action("door", to="door"))).outcome
    assert after.changes.opened == ("door",)
    assert "shut door" in keys(after, "Ann")
    assert "open door" not in keys(room((10, 9), (25, 9)), "Ann")


def test_only_those_are_gone_to_whom_ones_side_knows_of():
    fight = room((5, 4), (25, 4))
    assert not any("Bob" in option.key for option in where_options(fight, "Ann", "move"))
    seen = room((7, 18), (25, 18))
    assert "to:Bob" in [option.key for option in where_options(seen, "Ann", "move")]


def test_who_gives_ground_stops_at_the_wall():
    fight = room((13.5, 4), (12.5, 4))
    assert 13.5 < back_off(fight, fight.fighter("Ann"), fight.fighter("Bob"), 3.0).x < 15


def test_who_is_shot_at_may_step_behind_what_is_a_step_away():
    fight = room((10.2, 3.0), (5, 5))
    spot = nearest_cover(fight, fight.fighter("Ann"), fight.fighter("Bob"))
    assert spot is not None
    there = fight.change("Ann", x=spot.x, y=spot.y)
    assert there.cover_from(there.fighter("Bob"), there.fighter("Ann")).name == "the crates"


def test_of_two_covers_within_a_step_the_nearer_one_is_stepped_behind():
    spots = [CoverSpot(name, x, y) for name, x, y in (("a crate", 5.4, 4), ("a barrel", 4, 5.2), ("a wall", 4, 5.6))]
    fight = fight_of(someone("Ann", (4, 4)), someone("Bob", (9, 4), side="Bob"), ground=Ground(covers=tuple(spots)))
    assert nearest_cover(fight, fight.fighter("Ann")) == spots[1]
    assert nearest_cover(replace(fight, ground=Ground(covers=(spots[2],))), fight.fighter("Ann")) is None


def test_who_is_out_of_sight_is_in_no_view_of_the_other_side_and_the_map_shows_where_one_looks():
    scene, fight = FightScene(RULES), room((5, 4), (25, 4)).change("Ann", facing=90)
    mine = scene.view(fight, "Ann")
    assert "Bob" not in msgspec.json.encode(mine).decode()
    assert [(place.name, place.facing) for place in mine.places] == [("Ann", 90)]
    assert mine.field is not None
    assert mine.field.fog
