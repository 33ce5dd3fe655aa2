"""Feats at the controls and the guns: the same rows as everywhere, asked for each roll in a vehicle (book lines 3752-4107)."""

import pytest
from msgspec.structs import replace

from rulewright.systems.ore.battle.actions.registry import ACTIONS
from rulewright.systems.ore.battle.dice import pressed
from rulewright.systems.ore.battle.engaged import Order, Plan, Post
from rulewright.systems.ore.people.characters import Statistics

from .meeting import PLAIN, aboard, battle, car, jet, pilot, played, under_way

ANN, BOB = Post("Ann", "One", "pilot"), Post("Bob", "Two", "pilot")


def two(craft=None, feats=None, statistics=None, skill="pilot", others=(), **place):
    """Ann with these feats against Bob with none."""
    ann = pilot("Ann", skill, feats=feats or {}, statistics=statistics or Statistics(body=5, coordination=3, insight=2))
    craft = craft or jet()
    us = [(craft, "One"), (ann, "Ann", aboard("One")), *others]
    return under_way(battle(us, [(craft, "Two"), (pilot("Bob", skill), "Bob", aboard("Two"))], **place))


def dice(state, kind, target="", post=ANN):
    return ACTIONS[kind].attempt(PLAIN, state, post, Order(kind, target)).sum_of_dice(PLAIN).value


def test_without_feats_nothing_changes():
    assert dice(two(), "jink") == dice(two(), "chase", "Two") == 6


def test_barrel_roll_gives_a_die_to_jink_and_afterburner_one_to_chase_in_aircraft():
    sky = two(feats={"Grab The Sky": 2})
    assert (dice(sky, "jink"), dice(sky, "chase", "Two"), dice(sky, "escape")) == (7, 7, 6)
    grounded = two(car(speeds={"land": 3}, handling=3, skill="pilot"), feats={"Grab The Sky": 2}, mode="land")
    assert (dice(grounded, "swerve"), dice(grounded, "chase", "Two")) == (6, 6)


def test_feel_the_gees_counts_as_a_point_of_body():
    weak = Statistics(body=1, coordination=3)
    for feats, lost in (({}, 2), ({"Grab The Sky": 3}, 1)):
        state = two(feats=feats, statistics=weak)
        state = replace(state, plans=(Plan(ANN, (Order("jink"),)),))
        assert pressed(PLAIN, state, ANN).value == lost


def test_maverick_gives_a_die_against_whoever_has_the_lower_position():
    state = two(feats={"Silent Death": 1})
    assert dice(under_way(state, One=(2, 5), Two=(2, 4)), "attack", "Two") == 7
    assert dice(under_way(state, One=(2, 4), Two=(2, 4)), "attack", "Two") == 6


def test_buck_rogers_drives_and_fires_without_losing_a_die():
    for feats, rolled in (({"Silent Death": 1}, 5), ({"Silent Death": 2}, 6)):
        state = under_way(two(feats=feats), One=(2, 1), Two=(2, 1))
        _, told = played(state, ["attack+jink:Two", "pass"], [[1, 2, 3, 4, 5, 6][:rolled]])
        assert f"Ann has {rolled} dice for attack Two and jink" in told


def test_starbuck_widens_a_position_by_one():
    after, _ = played(two(feats={"Silent Death": 4}), ["position", "pass"], [[8, 8, 1, 2, 3, 4]])
    assert after.craft("One").position == (3, 8)


def test_instinct_stands_for_worse_sensors():
    blind = jet(sensors=1)
    keen = Statistics(body=5, coordination=3, insight=4)
    order = Order("lock-on", "Two")
    for feats, parts in (({"Silent Death": 4}, ("Sensors", 1)), ({"Silent Death": 5}, ("Insight", 4))):
        tried = ACTIONS["lock-on"].attempt(PLAIN, two(blind, feats, keen), ANN, order)
        assert tried.parts[0] == parts


def test_a_helicopter_pilot_hovers_in_fair_weather_without_a_roll_and_steadies_the_others():
    heli = jet(hovers=True)
    gunner = [(pilot("Cy"), "Cy", aboard("One", "co-pilot"))]
    after, told = played(two(heli, {"Airwolf": 1}), ["hover", "pass"])
    assert "Ann holds One in place without effort" in told
    assert after.craft("One").speed == 0
    foul = two(heli, {"Airwolf": 1}, adverse=True)
    assert ACTIONS["hover"].needs_roll(PLAIN, foul, ANN, Order("hover"))
    state = two(heli, {"Airwolf": 3}, others=gunner)
    assert dice(state, "lock-on", "Two", Post("Cy", "One", "co-pilot")) == 7
    assert dice(two(heli, {"Airwolf": 2}, others=gunner), "lock-on", "Two", Post("Cy", "One", "co-pilot")) == 6


def test_vtol_gives_a_die_to_landing_on_bad_ground():
    heli = jet(hovers=True)
    assert dice(two(heli, {"Airwolf": 2}, adverse=True), "land") == 7
    assert dice(two(heli, {"Airwolf": 1}, adverse=True), "land") == 6


def test_a_space_cowboy_handles_a_ship_better():
    ship = jet(speeds={"relativistic": 3}, skill="spaceflight")
    for level, handling in ((3, 3), (4, 4)):
        state = two(ship, {"Voidrunner": level}, skill="spaceflight", mode="relativistic")
        assert ACTIONS["jink"].attempt(PLAIN, state, ANN, Order("jink")).parts[0] == ("Handling", handling)


ROAD = {"skill": "drive", "mode": "land"}


@pytest.mark.parametrize(("level", "difficulty"), [(3, 4), (4, 1)])
def test_a_powerslide_takes_the_skill_off_the_difficulty_of_speed(level, difficulty):
    state = two(car(handling=2, speeds={"land": 4}), {"You Are The Wheelman": level}, **ROAD).change("One", speed=4)
    tried = ACTIONS["chase"].attempt(PLAIN, state, ANN, Order("chase", "Two"))
    assert tried.difficulty == difficulty


@pytest.mark.parametrize(("level", "marked"), [(2, 3), (3, 1)])
def test_bumpers_halve_the_damage_of_a_collision(level, marked):
    big = car(size=2)
    state = under_way(two(big, {"You Are The Wheelman": level}, **ROAD), One=(2, 1), Two=(3, 1))
    after, _ = played(state, ["pass", "sideswipe:One"], [[3, 3, 1, 2, 4]])
    assert after.craft("One").hull.marked == marked + 1  # 2 and a Size of 2 are 4, halved 2
    assert after.craft("Two").hull.marked == 2


def test_trading_paint_makes_the_next_roll_at_the_wheel_hard_and_failing_it_is_a_crash():
    big = car(size=2)
    state = under_way(two(big, {"You Are The Wheelman": 5}, **ROAD), One=(3, 1), Two=(2, 1))
    after, _ = played(state, ["pass", "sideswipe:Two"], [[3, 3, 4, 1, 2]])
    assert after.craft("Two").rattled == 2
    crashed, told = played(after, ["escape", "pass"], [[1, 1, 9]])
    assert "Two crashes, and stands still" in told
    assert (crashed.craft("Two").speed, crashed.craft("Two").rattled) == (0, 0)
    held, _ = played(after, ["escape", "pass"], [[2, 2, 9]])
    assert held.craft("Two").rattled == 0
    assert held.craft("Two").speed > 0
