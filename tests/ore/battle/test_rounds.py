"""The vehicular round: Position, declaring, attacks, counters, ranges, everything the sixteen actions do (book lines 5816-5909)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.ore.battle.actions.registry import ACTIONS
from rulewright.systems.ore.battle.combatants import Order, Plan, Post
from rulewright.systems.ore.battle.declarations import gun_offers, offers_for, posts
from rulewright.systems.ore.battle.rounds import positions
from rulewright.systems.ore.battle.setup import checked
from rulewright.systems.ore.machines.structure import Hull
from rulewright.systems.ore.machines.tables import ACTION_LIST
from rulewright.systems.ore.machines.vehicle import Gun
from rulewright.systems.ore.people.characters import Statistics
from rulewright.systems.ore.settings import BOOK

from .meeting import PLAIN, aboard, battle, car, duel, jet, pilot, played, under_way, warship

SAFE = BOOK.ruleset(settings={"aboard-a-wreck": "unhurt"})
ANN, BOB = Post("Ann", "One", "pilot"), Post("Bob", "Two", "pilot")


def attempt(state, post, kind, target="", gun=0, rules=PLAIN):
    order = Order(kind, target, gun)
    return ACTIONS[kind].attempt(rules, state, post, order)


def keys(state, post, rules=PLAIN):
    return {offer.key for offer in offers_for(rules, state, post)}


# --- Position -----------------------------------------------------------------------------------------------------------------


def test_position_is_rolled_once_at_the_beginning_with_speed_and_the_pilots_skill():
    done = script(positions(PLAIN, duel()), [[4, 4, 4, 1, 2, 3], [9, 9, 1, 2, 3, 5]])
    assert done.outcome.craft("One").position == (3, 4)
    assert done.outcome.craft("Two").position == (2, 9)
    assert [roll.faces for roll in done.rolls] == [(4, 4, 4, 1, 2, 3), (9, 9, 1, 2, 3, 5)]


def test_without_a_set_there_is_no_position():
    done = script(positions(PLAIN, duel()), [[1, 2, 3, 4, 5, 6], [9, 9, 1, 2, 3, 5]])
    assert done.outcome.craft("One").position == (0, 0)


def test_large_ships_roll_sensors_and_computers():
    tried = attempt(battle([(warship(), "One")], [(warship(), "Two")], mode="relativistic"), Post("One", "One", "crew"), "position")
    assert tried.parts == (("Sensors", 3), ("computers", 2))


def test_the_lowest_position_declares_first_and_height_breaks_ties():
    assert [post.who for post in posts(under_way(duel(), One=(2, 5), Two=(2, 6)))] == ["Ann", "Bob"]
    assert [post.who for post in posts(under_way(duel(), One=(3, 1), Two=(2, 6)))] == ["Bob", "Ann"]


def test_whoever_has_the_worse_position_can_only_jockey_or_run():
    state = under_way(duel(), One=(2, 5), Two=(3, 1))
    assert not {key for key in keys(state, ANN) if key.startswith(("attack:", "ram:", "sideswipe:"))}
    assert {"position", "jink", "escape", "chase:Two", "position+attack:Two"} <= keys(state, ANN)
    assert {"attack:One", "ram:One", "sideswipe:One", "attack+jink:One"} <= keys(state, BOB)


def test_a_large_ship_can_always_be_attacked_by_a_fighter_and_not_the_other_way_round():
    state = battle(
        [(jet(speeds={"relativistic": 3}), "One"), (pilot("Ann"), "Ann", aboard("One"))], [(warship(), "Two")], mode="relativistic"
    )
    state = under_way(state, One=(2, 1), Two=(4, 4))
    assert "attack:Two" in keys(state, ANN)
    guns = Post("Two", "Two", "crew")
    assert [offer.key for offer in gun_offers(PLAIN, state, guns, 6)] == ["attack:One"]
    assert gun_offers(PLAIN, under_way(state, One=(3, 1), Two=(2, 4)), guns, 6) == ()


def test_getting_into_position_and_attacking_is_one_roll_and_the_attack_never_comes_first():
    state = under_way(duel(), One=(2, 5), Two=(3, 1))
    after, told = played(state, ["position+attack:Two", "pass", "3x8"], [[8, 8, 8, 4, 4]])
    assert after.craft("One").position == (3, 8)
    assert after.craft("Two").hull.marked == 2
    assert told.index("One takes a Position of 3x8") < told.index("One hits Two and crosses off 2 boxes: Two is now blasted")


def test_an_attack_whose_target_has_the_better_position_by_then_has_no_shot():
    state = under_way(duel(), One=(3, 1), Two=(2, 5))
    after, told = played(state, ["position", "attack:Two"], [[7, 7, 7, 7, 1, 2], [5, 5, 1, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 0
    assert "Ann has no shot: Two has the better Position" in told


def test_position_is_not_rolled_again_but_by_its_own_action():
    after, _ = played(under_way(duel(), One=(2, 5), Two=(3, 1)), ["pass", "pass"])
    assert (after.craft("One").position, after.craft("Two").position) == ((2, 5), (3, 1))
    after, _ = played(under_way(duel(), One=(2, 5), Two=(3, 1)), ["position", "pass"], [[1, 2, 3, 4, 5, 6]])
    assert after.craft("One").position == (0, 0)


# --- attacks ------------------------------------------------------------------------------------------------------------------


def test_pilot_co_pilot_and_gunner_roll_what_the_book_says_line_5869():
    heli = jet(firepower=4, gunners=1)
    people = [
        (pilot("Ann"), "Ann", aboard("One")),
        (pilot("Cy"), "Cy", aboard("One", "co-pilot")),
        (pilot("Di"), "Di", aboard("One", "gunner")),
    ]
    state = under_way(battle([(heli, "One"), *people], [(jet(), "Two"), (pilot("Bob"), "Bob", aboard("Two"))]))
    assert attempt(state, ANN, "attack", "Two").parts == (("Handling", 3), ("gunnery", 3))
    assert attempt(state, Post("Cy", "One", "co-pilot"), "attack", "Two").parts == (("insight", 2), ("gunnery", 3))
    assert attempt(state, Post("Di", "One", "gunner"), "attack", "Two").parts == (("Firepower", 4), ("gunnery", 3))


def test_damage_goes_by_width_less_armour_that_penetration_leaves_and_height_says_the_system():
    state = under_way(duel(them=jet(armour=2)), One=(2, 1), Two=(0, 0))
    after, told = played(state, ["pass", "attack:Two"], [[8, 8, 8, 1, 2, 3]])
    assert after.craft("Two").hull == Hull(2, 3, (("engine", 1),))  # 4 - (2 - 1)
    assert "A system of Two is hit at Height 8: engine damaged" in told


def test_armour_that_stops_everything_saves_the_systems_too():
    state = under_way(duel(them=jet(armour=5)), One=(2, 1))
    after, told = played(state, ["pass", "attack:Two"], [[8, 8, 1, 2, 3, 4]])
    assert after.craft("Two").hull == Hull(2)
    assert "One hits Two, but the armour holds" in told


def test_a_second_hit_on_a_system_destroys_it_and_without_an_engine_nothing_moves():
    state = under_way(duel(), One=(2, 1))
    state = state.change("Two", hull=Hull(2, 1, (("engine", 1),)))
    after, told = played(state, ["pass", "attack:Two"], [[8, 8, 1, 2, 3, 4]])
    assert after.craft("Two").hull.broken("engine")
    assert after.craft("Two").speed == 0
    assert "Two has no working engine and stops" in told
    assert not {"escape", "position", "chase:One"} & keys(after, BOB)


@pytest.mark.parametrize(("marked", "dice"), [(0, 6), (2, 5), (4, 4)])
def test_a_blasted_vehicle_loses_a_die_from_all_its_rolls_and_a_crippled_one_two(marked, dice):
    state = under_way(duel()).change("One", hull=Hull(2, marked))
    for kind, target in (("attack", "Two"), ("position", ""), ("jink", ""), ("brake", "")):
        assert attempt(state, ANN, kind, target).sum_of_dice(PLAIN).value == dice


def test_a_damaged_system_costs_a_die_where_it_is_used_and_a_destroyed_one_cannot_be():
    state = under_way(duel()).change("One", hull=Hull(2, 0, (("weapons", 1),)))
    assert attempt(state, ANN, "attack", "Two").sum_of_dice(PLAIN).value == 5
    assert attempt(state, ANN, "jink").sum_of_dice(PLAIN).value == 6
    state = state.change("One", hull=Hull(2, 0, (("weapons", 2),)))
    with pytest.raises(UserError, match="weapons is destroyed"):
        attempt(state, ANN, "attack", "Two")
    assert "attack:Two" not in keys(state, ANN)
    assert "jink" in keys(state, ANN)


def test_attacks_at_the_same_speed_happen_at_once_and_the_slower_of_two_may_be_too_late():
    state = under_way(duel(SAFE, us=jet(size=1), them=jet(size=1)))
    after, _ = played(state, ["attack:Two", "attack:One"], [[2, 2, 2, 1, 5, 3], [4, 4, 4, 1, 5, 6]], SAFE)
    assert after.craft("One").hull.destroyed
    assert after.craft("Two").hull.destroyed
    after, _ = played(state, ["attack:Two", "attack:One"], [[2, 2, 2, 1, 5, 3], [4, 4, 4, 4, 5, 6]], SAFE)
    assert after.craft("One").hull.destroyed
    assert not after.craft("Two").hull.marked


def test_shots_are_counted_and_the_last_is_the_last():
    rocket = jet(weapons=(Gun("rocket", 3, "VR", 1),))
    state = under_way(duel(us=rocket), One=(2, 1))
    after, _ = played(state, ["pass", "attack:Two"], [[1, 2, 3, 4, 5, 6]])
    assert after.craft("One").spent == ()  # no set, no shot
    after, _ = played(state, ["pass", "attack:Two"], [[1, 1, 3, 4, 5, 6]])
    assert after.craft("One").spent == ((0, 1),)
    assert "attack:Two" not in keys(after, ANN)


# --- counters -----------------------------------------------------------------------------------------------------------------


def test_jinking_takes_dice_from_an_attack_and_one_left_is_nothing():
    state = under_way(duel(), One=(2, 1))
    after, told = played(state, ["jink", "attack:Two"], [[9, 9, 1, 2, 3, 4], [8, 8, 1, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 0
    assert "Bob jinks with 1 of 2 dice" in told


def test_a_wide_attack_survives_a_narrow_jink():
    state = under_way(duel(), One=(2, 1))
    after, _ = played(state, ["jink", "attack:Two"], [[9, 9, 9, 2, 3, 4], [8, 8, 8, 8, 3, 4]], SAFE)
    assert after.craft("Two").hull.marked == 6  # too slow: a 3x9 cannot answer a 4x8
    after, _ = played(state, ["jink", "attack:Two"], [[9, 9, 9, 9, 3, 4], [8, 8, 8, 8, 3, 4]])
    assert after.craft("Two").hull.marked == 0


def test_a_jink_that_is_lower_than_the_attack_does_not_help():
    state = under_way(duel(), One=(2, 1))
    after, _ = played(state, ["jink", "attack:Two"], [[7, 7, 1, 2, 3, 4], [8, 8, 1, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 2


def test_cars_swerve_and_aircraft_jink():
    cars = battle(
        [(car(), "One"), (pilot("Ann", "drive"), "Ann", aboard("One"))],
        [(car(), "Two"), (pilot("Bob", "drive"), "Bob", aboard("Two"))],
        mode="land",
    )
    assert "swerve" in keys(under_way(cars), ANN)
    assert "jink" not in keys(under_way(cars), ANN)
    assert "jink" in keys(under_way(duel()), ANN)
    assert "swerve" not in keys(under_way(duel()), ANN)


MISSILES = {"weapons": (Gun("missiles", 3, "BVR", 4),)}


def test_a_missile_needs_a_lock_on_a_die_less_beyond_visual_range_and_evasion_counters_it():
    state = under_way(duel(us=jet(**MISSILES), range="BVR"))
    assert "lock-on:Two" in keys(state, ANN)
    assert "lock-on:Two" not in keys(under_way(state, Two=(2, 1)), ANN)  # the better Position bars it like any attack
    assert "attack:Two" not in keys(state, ANN)
    assert attempt(state, ANN, "lock-on", "Two").sum_of_dice(PLAIN).value == 3 + 3 - 1
    assert attempt(state.at_range("One", "Two", "VR"), ANN, "lock-on", "Two").sum_of_dice(PLAIN).value == 6
    after, _ = played(state, ["lock-on:Two", "pass"], [[8, 8, 1, 2, 3]])
    assert after.craft("Two").hull.marked == 2
    assert after.craft("One").spent == ((0, 1),)
    after, told = played(state, ["lock-on:Two", "evasive manoeuvres"], [[8, 8, 1, 2, 3], [8, 8, 1, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 0
    assert "Bob evades with 1 of 2 dice" in told


def test_a_jink_is_no_help_against_a_lock_on():
    state = under_way(duel(us=jet(**MISSILES)))
    after, _ = played(state, ["lock-on:Two", "jink"], [[8, 8, 1, 2, 3, 4], [9, 9, 1, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 2


def test_ecm_helps_to_evade_less_the_enemys_eccm():
    state = under_way(duel(us=jet(eccm=1, **MISSILES), them=jet(ecm=2)))
    assert attempt(state, BOB, "evasive manoeuvres").sum_of_dice(PLAIN).value == 3 + 3 + 2 - 1


# --- ranges -------------------------------------------------------------------------------------------------------------------


def test_chase_closes_a_step_and_escape_opens_one():
    state = under_way(duel(range="ER"))
    after, _ = played(state, ["chase:Two", "pass"], [[8, 8, 1, 2, 3, 4]])
    assert after.range_of("One", "Two") == "BVR"
    after, _ = played(after, ["chase:Two", "pass"], [[8, 8, 1, 2, 3, 4]])
    assert after.range_of("One", "Two") == "VR"
    after, _ = played(after, ["escape", "pass"], [[8, 8, 1, 2, 3, 4]])
    assert after.range_of("Two", "One") == "BVR"


def test_chase_and_escape_counter_each_other():
    state = under_way(duel(range="BVR"))
    after, told = played(state, ["escape", "chase:One", 1], [[8, 8, 1, 2, 3, 4], [9, 9, 1, 2, 3, 4]])
    assert after.range_of("One", "Two") == "BVR"
    assert "One cannot get away from Two" in told
    after, told = played(state, ["escape", "chase:One"], [[8, 8, 8, 2, 3, 4], [7, 7, 1, 2, 3, 4]])
    assert after.range_of("One", "Two") == "BVR"  # opened by the faster set, and closed again by the slower
    assert "The range between One and Two changes from BVR to ER" in told


def test_escape_beyond_escape_range_ends_the_engagement():
    after, told = played(under_way(duel(range="ER")), ["escape", "pass"], [[8, 8, 1, 2, 3, 4]])
    assert after.craft("One").gone
    assert "Ann breaks off the engagement with One" in told


def test_at_escape_range_one_can_simply_break_off_unless_somebody_gives_chase():
    after, _ = played(under_way(duel(range="ER")), ["escape", "pass"], [[1, 2, 3, 4, 5, 6]])
    assert after.craft("One").gone
    after, _ = played(under_way(duel(range="ER")), ["escape", "chase:One"], [[1, 2, 3, 4, 5, 6], [8, 8, 1, 2, 3, 4]])
    assert not after.craft("One").gone
    assert after.range_of("One", "Two") == "BVR"


def test_nobody_catches_up_with_a_faster_mode_of_travel_that_moves():
    boat, plane = jet("boat", speeds={"sea": 5}), jet("plane", speeds={"air": 1})
    state = under_way(duel(us=boat, them=plane, range="BVR"))
    after, told = played(state, ["chase:Two", "pass"], [[8, 8, 1, 2, 3, 4]])
    assert after.range_of("One", "Two") == "BVR"
    assert "Ann cannot keep up with Two" in told
    loose = BOOK.ruleset(settings={"mode-trumps": False})
    state = under_way(duel(loose, us=boat, them=plane, range="BVR"))
    after, _ = played(state, ["chase:Two", "pass"], [[8, 8, 1, 2, 3, 4]], loose)
    assert after.range_of("One", "Two") == "VR"


# --- Speed, Handling, erratic manoeuvres --------------------------------------------------------------------------------------


def test_the_sports_car_of_line_5700_in_play():
    sports = car(handling=2, speeds={"land": 4})
    state = under_way(
        battle(
            [(sports, "One"), (pilot("Ann", "drive"), "Ann", aboard("One"))],
            [(car(), "Two"), (pilot("Bob", "drive"), "Bob", aboard("Two"))],
            mode="land",
        )
    )
    assert attempt(state, ANN, "chase", "Two").difficulty == 1
    assert attempt(state.change("One", speed=3), ANN, "chase", "Two").difficulty == 2
    assert attempt(state.change("One", speed=4), ANN, "chase", "Two").difficulty == 4


def test_a_driver_changes_speed_at_no_cost_and_what_is_rolled_follows():
    state = under_way(duel(us=jet(speeds={"air": 5})))
    after, told = played(state, ["speed", 5, "chase:Two", "pass"], [[8, 8, 1, 2, 3, 4, 5, 6]])
    assert after.craft("One").speed == 5
    assert "Ann has 8 dice for a chase after Two, Difficulty 4" in told


def test_braking_stops_the_vehicle_and_costs_a_die_for_each_point_of_speed_above_handling():
    state = under_way(duel(us=jet(speeds={"air": 5}))).change("One", speed=5)
    tried = attempt(state, ANN, "brake")
    assert tried.sum_of_dice(PLAIN).value == 3 + 3 - 2
    after, _ = played(state, ["brake", "pass"], [[8, 8, 1, 2]])
    assert after.craft("One").speed == 0


def test_erratic_manoeuvres_make_everything_harder_for_the_pilot_and_for_whoever_aims_at_him():
    state = under_way(duel()).change("One", erratic=3)
    assert attempt(state, ANN, "attack", "Two").difficulty == 3
    assert attempt(state, ANN, "jink").difficulty == 3
    assert attempt(state, BOB, "attack", "One").difficulty == 3
    assert attempt(state, BOB, "jink").difficulty == 1
    assert attempt(state, BOB, "chase", "One").difficulty == 1
    after, told = played(under_way(duel()), ["erratic manoeuvres", 3, "pass", "attack:One"], [[1, 1, 2, 2, 5, 6]])
    assert after.craft("One").hull.marked == 0
    assert "Bob rolls no set for an attack on One" in told
    assert after.craft("One").erratic == 3  # until the next round begins


def test_streets_ask_more_of_whoever_drives():
    ann, bob = (pilot("Ann", "drive"), "Ann", aboard("One")), (pilot("Bob", "drive"), "Bob", aboard("Two"))
    state = battle([(car(), "One"), ann], [(car(), "Two"), bob], mode="land", streets=[{"name": "a market", "difficulty": 3}])
    assert attempt(under_way(state), ANN, "chase", "Two").difficulty == 3


def test_of_several_actions_one_roll_serves_all_at_a_die_less():
    state = under_way(duel(), One=(2, 1))
    after, told = played(state, ["pass", "attack+jink:Two", "2x8"], [[8, 8, 4, 4, 1]])
    assert "Ann has 5 dice for an attack on Two and a jink" in told
    assert after.craft("Two").hull.marked == 2
    after, told = played(state, ["pass", "several", "attack:Two", "jink", "position", "2x8", "2x4"], [[8, 8, 4, 4]])
    assert "Ann has 4 dice for an attack on Two, a jink and a better Position" in told


# --- rams and the rest --------------------------------------------------------------------------------------------------------


def test_a_ram_deals_size_and_speed_more_and_half_of_it_comes_back():
    big = jet(size=3, speeds={"air": 2}, handling=3)
    state = under_way(duel(us=big, them=jet(size=3)), One=(2, 1))
    state = state.change("One", speed=2)
    after, told = played(state, ["pass", "ram:Two"], [[8, 8, 1, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 2 + 3 + 2
    assert after.craft("One").hull.marked == 3
    assert "One takes half of the damage and crosses off 3 boxes: One is now blasted" in told


def test_a_sideswipe_deals_size_more_half_comes_back_and_the_other_is_pushed():
    state = under_way(duel(us=jet(size=2), them=jet(size=3)), One=(2, 1))
    after, _ = played(state, ["pass", "sideswipe:Two"], [[8, 8, 8, 2, 3, 4]])
    assert after.craft("Two").hull.marked == 4 + 2
    assert after.craft("One").hull.marked == 3
    assert after.craft("Two").aside == 3


def test_rams_and_sideswipes_need_the_other_in_sight():
    assert not {"ram:Two", "sideswipe:Two"} & keys(under_way(duel(range="BVR")), ANN)


def test_what_is_done_from_a_hovering_vehicle_is_no_better_than_the_hover():
    people = [(pilot("Ann"), "Ann", aboard("One")), (pilot("Cy"), "Cy", aboard("One", "co-pilot"))]
    state = under_way(battle([(jet(hovers=True), "One"), *people], [(jet(), "Two"), (pilot("Bob"), "Bob", aboard("Two"))]), One=(2, 1))
    after, told = played(state, ["pass", "hover", "attack:Two"], [[4, 4, 1, 2, 3, 5], [9, 9, 9, 1, 2]])
    assert after.craft("Two").hull == Hull(2, 2, (("weapons", 1),))
    assert "Cy has only a 2x4 for an attack on Two because of the hover" in told
    assert after.craft("One").speed == 0
    after, told = played(state, ["pass", "hover", "attack:Two"], [[4, 6, 1, 2, 3, 5], [9, 9, 9, 1, 2]])
    assert after.craft("Two").hull == Hull(2)
    assert "hover" not in keys(under_way(duel()), ANN)


def test_landing_and_taking_off_are_rolled_in_adverse_conditions_only():
    fair, foul = under_way(duel()), under_way(duel(adverse=True))
    after, _ = played(fair, ["land", "pass"])
    assert after.craft("One").grounded
    assert keys(after, ANN) & {"take-off", "escape", "chase:Two", "jink"} == {"take-off"}
    again, _ = played(after, ["take-off", "pass"])
    assert not again.craft("One").grounded
    after, _ = played(foul, ["land", "pass"], [[1, 2, 3, 4, 5, 6]])
    assert not after.craft("One").grounded
    after, _ = played(foul, ["land", "pass"], [[1, 1, 3, 4, 5, 6]])
    assert after.craft("One").grounded


def test_every_action_of_the_list_is_in_the_registry_or_costs_no_action():
    assert set(ACTION_LIST(PLAIN)) - set(ACTIONS) == {"erratic manoeuvres"}


# --- G-forces -----------------------------------------------------------------------------------------------------------------


def weak(body):
    ann = pilot("Ann", statistics=Statistics(body=body, coordination=3))
    fast = jet(speeds={"air": 5}, handling=5)
    return under_way(battle([(fast, "One"), (ann, "Ann", aboard("One"))], [(jet(), "Two"), (pilot("Bob"), "Bob", aboard("Two"))])).change(
        "One", speed=5
    )


def test_a_manoeuvre_at_air_speed_presses_whoever_is_weaker_than_the_speed():
    after, told = played(weak(4), ["jink", "pass"], [[1, 2, 3, 4, 5, 6, 7]])
    assert "Ann has -1d from G-forces" in told
    assert "Ann has 7 dice for a jink" in told
    assert after.somebody("Ann").dazed == 0


def test_more_than_two_above_body_is_a_black_out_in_the_next_round():
    after, told = played(weak(2), ["jink", "pass"], [[1, 2, 3, 4, 5]])
    assert after.somebody("Ann").dazed == after.round + 1
    after, told = played(after, ["pass"])
    assert "Ann has blacked out and cannot act this round" in told
    after, _ = played(after, ["pass", "pass"])


def test_what_is_no_manoeuvre_presses_nobody():
    _, told = played(weak(2), ["chase:Two", "pass"], [[1, 2, 3, 4, 5, 6, 7, 8]])
    assert not any("pressed" in line for line in told)


def test_a_battle_that_does_not_hold_together_is_refused():
    with pytest.raises(UserError, match="two sides"):
        battle([(warship(), "One")], [], mode="relativistic")
    with pytest.raises(UserError, match="nobody is aboard"):
        battle([(car(), "One")], [(warship(), "Two")], mode="land")
    with pytest.raises(UserError, match="has no Speed for sea travel"):
        battle([(car(), "One", {"mode": "sea"})], [(warship(), "Two")])
    with pytest.raises(UserError, match="no vehicle 'Three'"):
        battle([(car(), "One"), (pilot("Ann"), "Ann", aboard("Three"))], [(warship(), "Two")])
    with pytest.raises(UserError, match="only one can be the pilot"):
        battle([(car(), "One"), (pilot("Ann"), "Ann", aboard("One")), (pilot("Cy"), "Cy", aboard("One"))], [(warship(), "Two")])
    with pytest.raises(UserError, match="Speed goes from 0 to 3"):
        battle([(car(), "One", {"speed": 4}), (pilot("Ann"), "Ann", aboard("One"))], [(warship(), "Two")])
    with pytest.raises(UserError, match="no seat"):
        battle([(car(), "One"), (pilot("Ann"), "Ann", {"aboard": "One", "seat": "roof"})], [(warship(), "Two")])
    with pytest.raises(UserError, match="no action 'dance'"):
        checked(replace(duel(), plans=(Plan(ANN, (Order("dance"),)),)))
