"""In the air (book lines 4489-4596)."""

from fractions import Fraction

import pytest
from tests.silhouette.maneuver.rolling import RULES, craft, done

from rulewright.errors import UserError
from rulewright.play.odds import exact
from rulewright.rules.reasons import holds
from rulewright.systems.silhouette.machines.vehicle import Fitted, Movement
from rulewright.systems.silhouette.maneuver.air import control, descent, flight, loads
from rulewright.systems.silhouette.maneuver.speeds import lift_of
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.settings import BOOK
from silhouette.battles import COMMS, unit, vehicle

PLANE = Movement("air", 20, 5)
EXAMPLES = BOOK.ruleset(settings={"turn-radius": "as in the examples"})


def test_climbing_costs_three_points_a_level_and_dropping_one() -> None:
    """Line 4499."""
    assert flight.altitude_cost(2).value == 6
    assert flight.altitude_cost(-2).value == 2
    assert flight.altitude_cost(0).value == 0


def test_the_usual_ceiling_is_twelve_kilometres() -> None:
    """Lines 9212, 9354."""
    assert flight.highest_level(craft(PLANE)).value == 48
    assert flight.highest_level(craft(PLANE, flaws=(Fitted("maximum ceiling", rating=6),))).value == 24
    assert flight.highest_level(craft(PLANE, flaws=(Fitted("maximum ceiling", rating=0),))).value == 48
    high = craft(PLANE, perks=(Fitted("stratospheric flight"),))
    assert flight.highest_level(high).value == 200
    assert (flight.air_points(10, 48).value, flight.air_points(10, 49).value) == (10, 20)


@pytest.mark.parametrize("rating", [None, 0, 1, 2])
def test_before_each_level_up_it_goes_as_far_ahead_as_its_maximum_climbing_angle_says(rating: int | None) -> None:
    flaws = () if rating is None else (Fitted("maximum climbing angle", rating=rating),)
    assert flight.ahead_before_climbing(craft(PLANE, flaws=flaws)) == (rating or 0)


def test_only_what_hugs_the_ground_or_hovers_may_be_at_level_0() -> None:
    assert flight.lowest_level(craft(PLANE)) == 1
    assert flight.lowest_level(craft(PLANE, perks=(Fitted("nap-of-earth flyer"),))) == 0
    hover = craft(Movement("air", 10))
    assert flight.lowest_level(hover) == 1
    assert flight.lowest_level(hover, hovering=True) == 0
    assert flight.lowest_level(craft(PLANE), hovering=True) == 1
    assert (flight.crash_of(), flight.crash_of(top_speed=True)) == ("heavy", "overkill")


def test_turn_radius_of_the_text_and_of_its_examples() -> None:
    """Lines 4507-4511: Maneuver -1 needs two hexes; -4 needs five by the text and three in the example."""
    assert [flight.turn_radius(RULES, maneuver, 10).value for maneuver in (2, 0, -1, -4)] == [1, 1, 2, 5]
    assert [flight.turn_radius(EXAMPLES, maneuver, 10).value for maneuver in (0, -1, -4)] == [1, 2, 3]
    assert [flight.turn_radius(RULES, 0, speed).value for speed in (5, 6, 20, 21)] == [0, 1, 1, 2]
    assert flight.turn_radius(RULES, -4, 30, vtol=True).value == 0


def test_a_tight_turn_is_three_and_the_difference() -> None:
    """Line 4513."""
    assert flight.tight_turn_threshold(3, 1).value == 5
    with pytest.raises(UserError, match="takes 0 to 2"):
        flight.tight_turn_threshold(3, 3)
    flown = done(flight.tight_turn(RULES, Pool(2), 0, 2, 1), (4, 5), (5, 4))
    assert flown == flight.TightTurn(True)


def test_who_fails_a_tight_turn_loses_control_and_who_fails_in_fitness_an_action() -> None:
    flown = done(flight.tight_turn(RULES, Pool(2), 0, 2, 1), (2, 3), (1,), (5,), (2, 3))  # 3 against 4: the die and 1
    assert flown.slip is not None
    assert (flown.slip.sideways, flown.slip.side) == ("sideslip", 1)
    assert (flown.made, flown.actions, flown.blackout) == (False, 1, False)


def test_a_fumbled_fitness_test_is_a_blackout_and_protection_is_worth_one() -> None:
    faint = done(flight.tight_turn(RULES, Pool(2), 0, 2, 1), (5, 5), (1, 1))
    assert (faint.made, faint.actions, faint.blackout) == (True, 1, True)
    held = done(flight.tight_turn(RULES, Pool(2), 0, 2, 1, protected=True), (5, 5), (3, 2))
    assert held.actions == 0


def test_six_sideslips_cost_a_level() -> None:
    assert [flight.levels_slipped(slips) for slips in (0, 5, 6)] == [0, 0, 1]


CONTROL = {
    1: (1, "", "", False, False, False),
    2: (0, "sideslip", "", False, False, False),
    3: (0, "skid", "", False, False, False),
    4: (0, "", "light", False, False, False),
    5: (0, "", "", True, False, False),
    6: (0, "", "", False, True, False),
    7: (0, "", "", False, True, False),
    8: (0, "", "light", False, True, False),
    9: (0, "", "light", False, True, False),
    10: (0, "", "heavy", False, False, False),
    11: (0, "", "heavy", False, True, False),
    12: (0, "", "heavy", False, False, True),
    15: (0, "", "heavy", False, False, True),
}
"""The printed table (lines 4545-4562), entered a second time: action, way, damage, levels, stall, spin."""


@pytest.mark.parametrize("total", CONTROL)
def test_control_loss_is_as_printed(total: int) -> None:
    row = control.control_row(RULES, total)
    assert row is not None
    assert (row.actions, row.sideways, row.damage, row.drop, row.stall, row.spin) == CONTROL[total]


def test_below_one_nothing_is_lost() -> None:
    assert control.control_row(RULES, 0) is None
    assert done(control.lost_control(RULES, 0, nap_of_earth=True), (2,)).effect == "nothing"


def test_lost_control_rolls_what_the_table_asks_for() -> None:
    skid = done(control.lost_control(RULES, 1), (2,), (4,), (5,))
    assert (skid.sideways, skid.side, skid.hexes) == ("skid", 1, 5)
    slip = done(control.lost_control(RULES, 1), (1,), (3,))
    assert (slip.sideways, slip.side) == ("sideslip", -1)
    drop = done(control.lost_control(RULES, 1), (4,), (6,))
    assert drop.levels == 6


@pytest.mark.parametrize(
    ("failed_by", "faces", "came"),
    [
        (0, [(1,)], (1, 1, 0, 0, 0)),
        (1, [(1,), (1,)], (2, 0, -1, 0, 0)),
        (1, [(1,), (3,)], (2, 0, -1, 0, 0)),
        (1, [(1,), (4,)], (2, 0, 1, 0, 0)),
        (1, [(1,), (6,)], (2, 0, 1, 0, 0)),
        (2, [(1,), (3,), (1,)], (3, 0, -1, 1, 0)),
        (2, [(1,), (4,), (6,)], (3, 0, 1, 6, 0)),
        (3, [(1,)], (4, 0, 0, 0, 0)),
        (4, [(1,), (2,)], (5, 0, 0, 0, 2)),
        (5, [(1,)], (6, 0, 0, 0, 0)),
    ],
)
def test_a_die_and_what_it_failed_by_say_what_is_lost_and_nothing_else_is(failed_by, faces, came) -> None:
    """Lines 4545-4562: the total, actions, left or right, hexes of a skid, levels."""
    slip = done(control.lost_control(RULES, failed_by), *faces)
    assert (slip.total, slip.actions, slip.side, slip.hexes, slip.levels) == came
    assert not slip.crash


def test_flying_close_to_the_ground_takes_two_off_the_loss_of_control() -> None:
    assert [done(control.lost_control(RULES, 0, nap_of_earth=True), (die,)).total for die in (1, 2, 3)] == [-1, 0, 1]


def test_a_random_heading_is_one_of_the_six() -> None:
    assert [done(control.random_heading("Ann"), (die,)) for die in range(1, 7)] == [0, 1, 2, 3, 4, 5]


def test_a_spin_crashes_unless_piloting_reaches_ten() -> None:
    """Line 4562."""
    assert done(control.lost_control(RULES, 6), (6,), (6, 5)).crash
    assert not done(control.lost_control(RULES, 6, pilot=Pool(5)), (6,), (6, 6, 6, 6, 6)).crash


def test_half_the_combat_speed_spent_on_going_down_is_a_dive() -> None:
    """Line 4521."""
    assert [descent.is_dive(points, 10) for points in (0, 4, 5, 6)] == [False, False, True, True]
    assert descent.is_dive(3, 5)


def test_pulling_out_is_piloting_with_maneuver_against_four() -> None:
    assert done(descent.pull_out(RULES, Pool(2), -1), (5, 2)).out
    assert not done(descent.pull_out(RULES, Pool(2), -2), (5, 2)).out
    assert done(descent.pull_out(RULES, Pool(2), -2, diving_wings=True), (5, 2)).out
    fumbled = done(descent.pull_out(RULES, Pool(2)), (1, 1), (1,))  # 1 against 4: the die and 3
    assert not fumbled.out
    assert fumbled.slip is not None
    assert fumbled.slip.damage == "light"


def test_a_dive_that_goes_on_ends_with_six() -> None:
    assert done(descent.end_dive(RULES, Pool(2)), (6, 2))
    assert not done(descent.end_dive(RULES, Pool(2)), (5, 2))


def test_slower_than_its_stall_speed_it_falls_twenty_one_levels() -> None:
    """Line 4527."""
    assert descent.stalls(4, 5)
    assert not descent.stalls(5, 5)
    assert not descent.stalls(0, 5, lighter_than_air=True)
    assert descent.levels_fallen().value == 21
    assert [descent.levels_fallen(round, "six seconds").value for round in range(7)] == [1, 2, 4, 6, 8, 8, 8]


def test_who_catches_a_stall_by_two_picks_the_heading() -> None:
    """Line 4529."""
    assert done(descent.end_stall(RULES, Pool(3)), (6, 6, 6)) == descent.Caught(True)
    assert done(descent.end_stall(RULES, Pool(3)), (6, 6, 2), (4,)) == descent.Caught(True, 3)
    assert done(descent.end_stall(RULES, Pool(3)), (5, 4, 2)) == descent.Caught(False)
    odds = exact(lambda: descent.end_stall(RULES, Pool(2), diving_wings=True)).map(lambda came: came.out)
    assert odds[True] == Fraction(20, 36)  # a five or a six among two dice


def test_the_ground_strikes_with_two_dice_times_size_times_levels() -> None:
    """Line 4531."""
    hit = done(descent.fall_damage(RULES, 10, 21), (3, 5))
    assert hit.value == 5 * 10 * 21
    assert holds(hit.reason)


def test_gliding_costs_two_points_and_fast_craft_three() -> None:
    """Lines 4537-4539."""
    assert descent.glide_loss(34) == descent.Glide(2)
    assert descent.glide_loss(35) == descent.Glide(3, 1)
    assert descent.glide_loss(34, glider=True) == descent.Glide(1)
    assert descent.glide_loss(35, glider=True) == descent.Glide(2)
    assert descent.can_glide(craft(PLANE))
    assert not descent.can_glide(craft(PLANE, flaws=(Fitted("cannot glide"),)))


def test_a_glider_climbs_on_warm_air_by_its_margin() -> None:
    """Line 9182."""
    assert done(descent.ride_thermals(RULES, Pool(3)), (6, 6, 6)) == 3
    assert done(descent.ride_thermals(RULES, Pool(3)), (4, 4, 3)) == 0


def test_on_the_map_of_the_ground_aircraft_are_five_times_as_fast() -> None:
    """Lines 4582-4584."""
    assert descent.on_ground_map(11).value == 55
    assert [descent.vtol_radius(maneuver).value for maneuver in (-3, 0, 2)] == [3, 1, 2]


def test_ground_and_air_strike_each_other_at_minus_two() -> None:
    """Lines 4586-4588."""
    assert descent.interface("ground", "air") == -2 == descent.interface("air", "ground")
    assert descent.interface("air", "air") == 0 == descent.interface("ground", "air", made_for_it=True)
    assert descent.range_hex("ground", "air", 3) == 250
    assert descent.range_hex("ground", "air", 0) == 50
    assert descent.range_hex("air", "ground") == 50
    assert descent.range_hex("air", "ground", lobbed=True) == 250
    assert descent.range_hex("air", "air") == 250


def test_a_landing_wants_even_ground_and_combat_speed() -> None:
    """Lines 4590-4592."""
    assert descent.can_land(1).plain
    assert not descent.can_land(2).plain
    assert descent.can_land(2, heavy_gear=True).plain
    assert not descent.can_land(3, heavy_gear=True).plain
    assert descent.can_land(1, at_combat_speed=False).why == "at Top Speed"
    assert descent.can_land(1, gear=False).why == "landing gear lost"
    assert descent.can_land(1, airstrip=False).why == "needs an airstrip"
    assert descent.can_take_off(5, 5)
    assert not descent.can_take_off(4, 5)


def test_a_crash_landing_is_a_fall_from_half_the_speed_softened_by_the_pilot() -> None:
    """Lines 4594-4596."""
    assert descent.crash_levels(5).value == 3
    softened = done(descent.crash_landing(RULES, Pool(2), 0, 2, 10, 5), (5, 4), (6, 2))
    assert softened.value == (6 - 3) * 10 * 3
    hard = done(descent.crash_landing(RULES, Pool(2), -4, 3, 10, 5), (5, 4), (6, 2))
    assert hard.value == 6 * 10 * 3
    soft = done(descent.crash_landing(RULES, Pool(2), 3, 1, 10, 5), (6, 6), (2, 1))
    assert soft.value == 0


@pytest.mark.parametrize(("variant", "times"), [("", 1), ("double", 2), ("triple", 3)])
def test_high_towing_capacity_lifts_twice_or_three_times_as_much(variant: str, times: int) -> None:
    """Line 4570: half the mass, and so much more of it."""
    perks = (COMMS, *((Fitted("high towing capacity", variant=variant),) if variant else ()))
    flyer = unit(design=vehicle(movement=(Movement("air", 8),), perks=perks))
    assert lift_of(flyer) == flyer.machine.mass / 2 * times
    assert flyer.machine.mass > 0


def test_what_an_aircraft_lifts_and_what_it_costs() -> None:
    """Lines 4570-4572."""
    assert loads.lifts(8000).value == 4000
    assert loads.lifts(8000, towing=3).value == 12000
    assert loads.under_load(2000, 4000, 11, 22) == loads.Loaded(11, 22, 0)
    assert loads.under_load(2001, 4000, 11, 22) == loads.Loaded(11, 11, -1)
    assert loads.under_load(3000, 4000, 11, 22) == loads.Loaded(11, 11, -1)
    assert loads.under_load(3001, 4000, 11, 22) == loads.Loaded(5, 5, -2)
    with pytest.raises(UserError, match="at most 4,000 kg"):
        loads.under_load(4001, 4000, 11, 22)


def test_thrust_above_gravity_flies() -> None:
    """Lines 4574-4576."""
    assert loads.thrust_flight(16).value == 6
    assert loads.thrust_flight(16, 0.16).value == 14
    assert loads.thrust_flight(8).value == 0
    assert loads.boosted(10, 5) == loads.Boosted(15, 0)
    assert loads.boosted(10, 6) == loads.Boosted(16, -1)
