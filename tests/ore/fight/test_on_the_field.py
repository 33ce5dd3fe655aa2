"""The One Roll Engine on a map: distances in every direction, what hides which part of somebody, doors, mooks, who is seen."""

import msgspec
import pytest
from msgspec.structs import replace

from ore.fight.test_combined_actions import BOB, RULES, SWORD, fight, keys, somebody
from rulewright.errors import UserError
from rulewright.field.ground import Changes, read_ground
from rulewright.library import stage
from rulewright.play import Seeded, play, script
from rulewright.scenes.encounter import Encounter
from rulewright.systems.ore.combat.cover import Cover, cover_called, cover_words, hidden_heights, hides
from rulewright.systems.ore.combat.fighters import Act, Dropped, Pending, apart, facts_of
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.declarations import declare
from rulewright.systems.ore.fight.map_positions import area_at, cover_near
from rulewright.systems.ore.fight.resolution.movement import cover_metres, goes, steps_from, steps_towards, walk_metres
from rulewright.systems.ore.fight.resolution.sets import resolved
from rulewright.systems.ore.fight.resolution.strikes import within
from rulewright.systems.ore.fight.round_end import time_passes
from rulewright.systems.ore.lab_view.scene import FightScene

ROOM = read_ground(
    {
        "size": [30, 20],
        "walls": [
            {"along": [[15, 0], [15, 8]]},
            {"along": [[15, 8], [15, 10]], "name": "door", "door": "closed"},
            {"along": [[15, 10], [15, 16]]},
            {"along": [[15, 16], [15, 20]], "name": "window", "stops": "move", "cover": "50% total"},
        ],
        "covers": [
            {"name": "the crates", "box": [8, 4, 2, 2], "cover": "75% left"},
            {"name": "the safe", "box": [20, 10, 2, 1], "cover": "complete, 1 inch steel plate"},
        ],
    }
)
SHUT, OPENED = Changes(), Changes(opened=("door",))


def room(ann, *others, changes=SHUT, weapon="uzi 9mm", place=None):
    """Ann and her enemies, each at a place."""
    people = [somebody(name, SWORD, insight=2) for name, _ in zip(("Bob", "Cyd"), others, strict=False)]
    state = fight(RULES, somebody("Ann", weapon), *people, **(place or {}))
    state = replace(state, map=ROOM, changes=changes)
    for name, at in zip(("Ann", "Bob", "Cyd"), (ann, *others), strict=False):
        state = state.change(name, at=(float(at[0]), float(at[1])))
    return state


def test_metres_are_counted_as_the_crow_flies_and_to_the_nearest():
    state = room((2, 2), (5, 6))
    assert state.distance("Ann", "Bob") == 5
    assert facts_of(RULES, state, state.fighter("Ann"), Act("attack", "Bob")).metres == 5
    assert room((2, 2), (3, 3.3)).distance("Ann", "Bob") == 2


def test_nobody_is_attacked_through_a_wall_or_a_closed_door():
    assert "attack:Bob" not in keys(RULES, room((5, 9), (25, 9)))
    assert "attack:Bob" in keys(RULES, room((5, 9), (25, 9), changes=OPENED))
    assert "attack:Bob" in keys(RULES, room((11, 18), (20, 18)))


def test_a_set_finds_nobody_who_has_got_out_of_sight():
    state = room((5, 9), (25, 4), changes=OPENED)
    told = [event.headline() for event in script(resolved(RULES, state, state, Pending("Ann", Act("attack", "Bob"), 2, 5, (2,)))).events]
    assert told == ["Ann cannot see Bob"]


def test_cover_hides_what_its_name_says_from_whoever_is_on_the_other_side():
    state = room((2, 5), (10.5, 5))
    hidden = state.cover_from("Ann", state.fighter("Bob"))
    assert hidden.name == "75% left"
    assert not state.cover_from("Bob", state.fighter("Ann")).any
    typed = state.change("Bob", cover=Cover("complete"))
    assert typed.cover_from("Ann", typed.fighter("Bob")).name == "complete"
    assert facts_of(RULES, state, state.fighter("Ann"), Act("attack", "Bob")).cover.name == "75% left"


def test_the_words_of_a_map_say_how_much_is_hidden_and_of_what_it_is_made():
    assert cover_called("complete, 1 inch steel plate") == Cover("complete", "1 inch steel plate")
    words = cover_words(RULES)
    assert "50% total" in words
    assert "50% total, bulletproof glass" in words
    for word in words:
        assert (hides(cover_called(word).name) == 100) == (len(hidden_heights(RULES, cover_called(word).name)) == 10)


def test_one_walks_to_any_place_within_five_metres_and_no_farther():
    state = room((5, 9), (25, 9))
    walk = walk_metres(RULES, state.fighter("Ann"))
    (act,) = script(declare(RULES, state, "Ann"), choices=["move", f"@5,{9 - walk}"]).outcome
    assert act.to == (5, 9 - walk)
    moved = script(action_of(act).at_once(RULES, state, state.fighter("Ann"), act)).outcome
    assert moved.fighter("Ann").at == (5, 9 - walk)
    with pytest.raises(UserError, match="walking you get 5 m"):
        script(declare(RULES, state, "Ann"), choices=["move", "@5,15"])
    with pytest.raises(UserError, match="inside the crates"):
        script(declare(RULES, state, "Ann"), choices=["move", "@9,5"])


def test_a_run_goes_on_towards_the_place_by_the_width_of_its_set():
    state = room((2, 9), (25, 9))
    (act,) = script(declare(RULES, state, "Ann"), choices=["run to", "@13,9"]).outcome
    begun = script(action_of(act).at_once(RULES, state, state.fighter("Ann"), act)).outcome
    assert begun.fighter("Ann").at == (7, 9)
    ran = script(action_of(act).happens(RULES, begun, begun, Pending("Ann", act, 2, 4, (2,)))).outcome[0]
    assert ran.fighter("Ann").at == (11, 9)  # two metres for each point of Width


def test_a_door_at_hand_is_opened_with_an_action():
    state = room((14, 9), (25, 9))
    assert "open door" in keys(RULES, state)
    (act,) = script(declare(RULES, state, "Ann"), choices=["open door"]).outcome
    after = script(action_of(act).at_once(RULES, state, state.fighter("Ann"), act)).outcome
    assert after.changes.opened == ("door",)
    assert "open door" not in keys(RULES, room((10, 9), (25, 9)))


def test_cover_to_dive_behind_is_the_next_on_the_ground_at_a_die_for_each_metre():
    state = room((12, 5), (5, 5))
    near = cover_near(state, state.fighter("Ann"))
    assert (near.name, near.metres) == ("the crates", 2)
    assert "dive" in keys(RULES, state)
    assert cover_metres(state, state.fighter("Ann")) == 2
    dived = play(time_passes(RULES, state.change("Ann", diving=True)), dice=Seeded(1)).outcome
    assert dived.fighter("Ann").at == near.spot
    assert dived.cover_from("Bob", dived.fighter("Ann")).name == "75% left"
    assert "dive" not in keys(RULES, dived)


def test_whoever_is_pushed_stops_at_the_wall_and_a_weapon_flies_no_farther():
    state = room((13, 4), (14, 4))
    end = steps_from(state, "Bob", "Ann", 4)
    assert 14 < end[0] < 15
    assert apart(Dropped("Bob", 1, 0, end), state.fighter("Bob")) <= 1


def test_who_walks_up_to_somebody_goes_around_what_is_in_the_way():
    state = room((7.5, 5), (12, 5))
    end = steps_towards(state, "Ann", state.place_of("Bob"), 5)
    told = script(goes(state, "Ann", end)).events[0]
    assert told.metres >= 3
    assert end[0] > 9


def test_what_bursts_is_kept_off_by_a_wall():
    state = room((14.4, 4), (15.6, 4), (13, 4))
    ann, bob, cyd = [state.fighter(name) for name in ("Ann", "Bob", "Cyd")]
    assert within(state, cyd, ann)
    assert not within(state, bob, ann)


def test_what_bursts_is_thrown_at_any_place_in_range_and_in_sight():  # lines 5221-5231
    state = room((5, 9), (9, 9), (9, 12), weapon="grenade: hurled 1 area 3 kill")
    assert "throw at" in keys(RULES, state)
    assert "throw at" not in keys(RULES, room((5, 9), (9, 9)))
    (act,) = script(declare(RULES, state, "Ann"), choices=["throw at", "@9,10.5"]).outcome
    assert act.to == (9, 10.5)
    action = action_of(act)
    assert (
        action.attempt(RULES, state, state.fighter("Ann"), act).pool
        == action_of(Act("attack", "Bob")).attempt(RULES, state, state.fighter("Ann"), Act("attack", "Bob")).pool
    )  # four metres either way
    done = play(action.happens(RULES, state, state, Pending("Ann", replace(act, weapon=1), 3, 6, (3,))), dice=Seeded(1))
    assert {cast.roll.by for cast in done.rolls} == {"Bob", "Cyd"}
    after, _ = done.outcome
    assert after.floor[-1].at == (9, 10.5)
    near = room((10, 9), (12, 9), weapon="grenade: hurled 1 area 3 kill")
    with pytest.raises(UserError, match="out of sight: door is between"):
        script(declare(RULES, near, "Ann"), choices=["throw at", "@16,9"])


def test_a_region_hurts_whoever_stands_in_it_when_the_round_ends():  # lines 5221-5231
    burning = read_ground({"size": [30, 20], "regions": [{"terrain": "area 2 kill", "circle": [9, 9, 2], "name": "fire"}]})
    state = replace(room((5, 9), (9, 10)), map=burning)
    assert area_at(state, (9.0, 9.0)) == (2, "kill")
    after = play(time_passes(RULES, state), dice=Seeded(1)).outcome
    assert after.fighter("Ann").body.record() == "unhurt"
    assert after.fighter("Bob").body.record() != "unhurt"
    smoky = room((5, 9), (9, 10), place={"area": 1})
    assert area_at(smoky, (5.0, 9.0)) == (1, "shock")
    with pytest.raises(UserError, match="'lava' is not known"):
        stage("ore/duel", changes={"map": {"regions": [{"terrain": "lava", "box": [0, 0, 1, 1]}]}})


def test_mooks_go_to_a_shut_door_and_open_it_once_their_side_knows_of_somebody():
    staged = stage("ore/heist")
    encounter = Encounter.begin(staged.scene, staged.state)
    encounter.play_out(Seeded(1), staged.decide)
    told = [line.what.headline() for line in encounter.log if hasattr(line.what, "headline")]
    assert any(line.startswith("Doormen open the strong room door") for line in told)


def test_without_a_map_everything_is_as_it_was():
    state = fight(RULES, somebody("Ann", SWORD), BOB, metres=12)
    assert state.distance("Ann", "Bob") == 12
    assert FightScene(RULES).ground(state) is None
    assert FightScene(RULES).view(state, "Ann").field is None
    assert {"run to", "open door"}.isdisjoint(keys(RULES, state))


def test_who_is_out_of_sight_is_in_no_view_of_the_other_side():
    scene, state = FightScene(RULES), room((5, 4), (25, 4))
    assert "Bob" not in msgspec.json.encode(scene.view(state, "Ann")).decode()
    assert [place.name for place in scene.view(state, None).places] == ["Ann", "Bob"]
