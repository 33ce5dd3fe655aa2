"""Hybrid on ground: walls and doors, mist and lamps, and going anywhere at any pace of the book (lines 770-798)."""

import msgspec
import pytest
from msgspec.structs import replace

from hybrid.fight.test_actions import RULES, person, stepped
from rulewright.errors import UserError
from rulewright.field.ground import Changes, read_ground
from rulewright.systems.hybrid.combat.attack_terms import bearing
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Ground, situation
from rulewright.systems.hybrid.fight.actions.moves import anywhere
from rulewright.systems.hybrid.fight.actions.registry import open_to
from rulewright.systems.hybrid.fight.defences import step_back
from rulewright.systems.hybrid.lab_view.scene import FightScene

ROOM = read_ground(
    {
        "size": [30, 20],
        "walls": [
            {"along": [[15, 0], [15, 8]]},
            {"along": [[15, 8], [15, 10]], "name": "door", "door": "closed"},
            {"along": [[15, 10], [15, 16]]},
            {"along": [[15, 16], [15, 20]], "name": "rail", "stops": "move"},
        ],
        "regions": [{"terrain": "visibility reduced 50%", "box": [0, 12, 10, 8], "name": "mist"}],
        "lights": [{"x": 20, "y": 5, "radius": 4, "light": "full light"}],
    }
)
SHUT, OPENED = Changes(), Changes(opened=("door",))


def room(al, bo, changes=SHUT, place=None, **of_al):
    """Al with a bow, Bo with a knife."""
    shooter = replace(person("Al", "a", weapons=("bow",), **{"at": 10, **of_al}), x=al[0], y=al[1])
    other = replace(person("Bo", "b", at=50), x=bo[0], y=bo[1])
    return Fight(place or Ground(), (shooter, other), map=ROOM, changes=changes)


def keys(fight, name="Al"):
    return open_to(RULES, fight, fight.fighter(name))


def test_nobody_is_shot_at_through_a_wall_or_a_closed_door():
    assert "attack:Bo" not in keys(room((5, 9), (25, 9)))
    assert "attack:Bo" in keys(room((5, 9), (25, 9), OPENED))
    assert "attack:Bo" in keys(room((11, 18), (20, 18)))


def test_whoever_steps_out_of_sight_meanwhile_is_not_hit():
    state = room((5, 9), (25, 4)).change("Al", doing=Doing("attack", "Bo", 5))
    _, told = stepped(state, [(3, 4)])
    assert "Al finds Bo out of sight" in told


def test_mist_and_lamps_change_what_somebody_does_in_them_and_the_sum_says_so():
    clear, misty = room((5, 5), (25, 9)), room((5, 14), (25, 9))
    assert situation(RULES, misty, misty.fighter("Al")) == situation(RULES, clear, clear.fighter("Al")) - 3
    assert [reason.value for reason in bearing(RULES, misty, misty.fighter("Al"))] == [-3]
    dark = room((5, 5), (20, 6), place=Ground(surroundings=("visibility reduced 75%",)))
    assert situation(RULES, dark, dark.fighter("Al")) == -4
    assert situation(RULES, dark, dark.fighter("Bo")) == 0


def test_one_sets_out_for_any_place_and_gets_as_far_as_pace_and_time_allow():
    state = room((5, 5), (25, 9), pace="walk")
    pmv = state.fighter("Al").profile.pmv
    begun, told = stepped(state, [(3, 4)], ["walk@5,7.5"])
    al = begun.fighter("Al")
    assert "Al moves at a walk" in told[-1]
    assert al.doing.route == ((5, 7.5),)
    after, told = stepped(replace(begun, count=al.at))
    counts = al.at - 10
    assert after.fighter("Al").y == pytest.approx(5 + pmv / 8 * counts / 10, abs=0.02)  # a walk is an eighth of the dash
    assert any("is on the way at" in line for line in told)


def test_getting_to_a_run_takes_a_roll_for_the_pace_below_and_then_for_it():
    begun, told = stepped(room((5, 5), (25, 9)), [(1,), (3, 4)], ["run@5,11"])
    assert "Al goes from standing to a jog" in told
    assert begun.fighter("Al").pace == "jog"


def test_a_way_around_the_wall_counts_and_nobody_goes_through_it():
    where = anywhere(RULES, room((14, 4), (16, 4)), room((14, 4), (16, 4)).fighter("Al"))
    with pytest.raises(UserError, match="there is no way"):
        where.take("dash@16,3")
    opened = room((14, 4), (16, 4), OPENED)
    assert anywhere(RULES, opened, opened.fighter("Al")).take("dash@16,3").count(">") >= 1
    with pytest.raises(UserError, match="unknown pace"):
        where.take("hop@14,3")


def test_who_lies_only_crawls_and_who_holds_somebody_goes_nowhere():
    prone = room((5, 5), (25, 9))
    al = prone.fighter("Al")
    crawler = replace(al, body=replace(al.body, prone=True))
    assert [pace.key for pace in anywhere(RULES, prone, crawler).paces] == ["crawl"]
    assert anywhere(RULES, prone, replace(al, holding="Bo")) is None


def test_a_door_at_hand_is_opened():
    state = room((14, 9), (25, 9))
    assert "open:door" in keys(state)
    begun, _ = stepped(state, [], ["open:door"])
    after, told = stepped(replace(begun, count=begun.fighter("Al").at), [(3, 4)])
    assert "Al opens the door" in told
    assert after.changes.opened == ("door",)
    assert "open:door" not in keys(room((10, 9), (25, 9)))


def test_an_approach_follows_the_way_there_is():
    state = room((14, 4), (16, 4), OPENED, pace="run").change("Al", doing=Doing("approach", "Bo", 0))
    after, _ = stepped(state)
    assert after.fighter("Al").x < 15
    assert after.fighter("Al").y > 4


def test_who_falls_back_stops_at_the_wall():
    state = room((13.8, 4), (12.8, 4))
    assert 13.8 < step_back(state, "Al", "Bo").fighter("Al").x < 15


def test_who_is_out_of_sight_is_in_no_view_of_the_other_side():
    scene, fight = FightScene(RULES), room((5, 4), (25, 4))
    assert "Bo" not in msgspec.json.encode(scene.view(fight, "Al").cards).decode()
    assert [place.name for place in scene.view(fight, "Al").places] == ["Al"]
    assert [place.name for place in scene.view(fight, None).places] == ["Al", "Bo"]
