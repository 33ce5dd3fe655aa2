"""A pursuit: one side wants to get away, and the others to stop it (book lines 5877-5883)."""

import pytest
from msgspec.structs import replace

from ore.battle.meeting import PLAIN, aboard, battle, car, pilot, played, under_way
from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Player, Seeded
from rulewright.systems.ore.battle.actions.registry import ACTIONS
from rulewright.systems.ore.battle.combatants import Order, Post
from rulewright.systems.ore.pursuit.scene import PURSUIT_TACTICS, PursuitScene, begin


def chase(**place):
    ann, bob = pilot("Ann", "drive"), pilot("Bob", "drive")
    return battle(
        [(car(), "Fox"), (ann, "Ann", aboard("Fox"))],
        [(car(), "Hound"), (bob, "Bob", aboard("Hound"))],
        begin=begin,
        **{"mode": "land", "range": "BVR", **place},
    )


SCENE = PursuitScene(PLAIN)


def test_the_first_side_is_chased_unless_the_place_names_another():
    assert chase().field.quarry == "us"
    assert chase(quarry="them").field.quarry == "them"
    with pytest.raises(UserError, match="no side 'nobody'"):
        chase(quarry="nobody")


def test_whoever_breaks_off_has_got_away_and_is_not_out_of_it():
    state = under_way(chase(range="ER"))
    after, _ = played(state, ["escape", "pass"], [[8, 8, 1, 2, 3]])
    result = SCENE.result(after)
    assert (result.winner, result.why) == ("us", "Fox got away")
    assert not {"Fox", "Ann"} & SCENE.out(after)


def test_a_quarry_that_stands_still_in_sight_of_a_hunter_is_caught():
    state = under_way(chase(range="VR"))
    after, _ = played(state, ["brake", "pass"], [[8, 8, 1, 2, 3]])
    assert SCENE.result(after).winner == "them"
    far = under_way(chase(range="BVR"))
    after, _ = played(far, ["brake", "pass"], [[8, 8, 1, 2, 3]])
    assert SCENE.result(after) is None


def test_hunters_who_lose_their_vehicle_hunt_nobody():
    state = under_way(chase())
    hound = state.craft("Hound")
    state = state.put(replace(hound, hull=replace(hound.hull, marked=3)))
    assert SCENE.result(state).winner == "us"


def test_a_quarry_that_is_wrecked_has_lost():
    state = under_way(chase())
    fox = state.craft("Fox")
    assert SCENE.result(state.put(replace(fox, hull=replace(fox.hull, marked=3)))).winner == "them"


def test_a_pursuit_that_goes_on_for_too_long_is_nobodys():
    state = replace(chase(), round=50, rounds=50)
    assert SCENE.result(state).winner is None


def test_the_bicycle_of_a_messenger_shakes_off_nobody_on_an_open_road_but_may_among_stalls():
    """A Speed above Handling makes streets harder for a car than for a bicycle."""
    bicycle = library.take("ore/vehicles/bicycle").thing
    ann, bob = (pilot("Ann", "drive: bicycles"), "Ann", aboard("Bike")), (pilot("Bob", "drive"), "Bob", aboard("Hound"))
    stalls = [{"name": "stalls", "difficulty": 4}]
    state = battle([(bicycle, "Bike"), ann], [(car(), "Hound"), bob], begin=begin, mode="land", streets=stalls)
    state = under_way(state).change("Hound", speed=3)
    assert ACTIONS["escape"].attempt(PLAIN, state, Post("Ann", "Bike", "pilot"), Order("escape")).difficulty == 4
    assert ACTIONS["chase"].attempt(PLAIN, state, Post("Bob", "Hound", "pilot"), Order("chase", "Bike")).difficulty == 6


@pytest.mark.parametrize("tactic", PURSUIT_TACTICS)
def test_every_tactic_plays_the_chase_through_the_town_to_an_end(tactic):
    staged = library.stage("ore/town_chase")
    player = Player(Seeded(7), PURSUIT_TACTICS[tactic])
    state = staged.state
    for _ in range(3_000):
        if staged.scene.result(state) is not None:
            break
        state = player.run(staged.scene.step(state))
    assert staged.scene.result(state) is not None
