"""Journeys, their accidents, safety rolls and hits on vehicles (book lines 3338-3382, 3473-3492)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from
from msgspec.structs import replace

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.foresight.gear.vehicles import ACCIDENTS, PARTS, SAFETY, TRAVEL
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.pursuit.craft import A_CAR, Seat, craft_of, depth, driving_skill, hit_vehicle, land, vehicle_class
from rulewright.systems.foresight.pursuit.safety import crash, crash_class, safety_modifier, safety_roll, too_fast
from rulewright.systems.foresight.pursuit.travel import Driver, Leg, average_speed, avoid_accident, journey, leg
from rulewright.systems.foresight.resolution.tests import RATINGS, Task
from rulewright.systems.foresight.settings import BOOK

TEN = Task(10, 5)
"""50 percent: QR1 to 5, QR2 to 10, QR3 to 25, QR4 to 50."""
ROLLS = {1: 5, 2: 10, 3: 25, 4: 50, 7: 51, 10: 60}
ANN, BEN = Patient("Ann"), Patient("Ben")


def car(**more):
    return replace(A_CAR, **more)


# --- safety rolls -------------------------------------------------------------------------------------------------------------


def test_a_bid_faster_than_safe_needs_a_safety_roll():  # 3475, ruling
    assert [too_fast(RULES, bid, -1) for bid in (-2, -1, 0)] == [True, False, False]
    assert too_fast(RULES, 0, 0.5)


def test_the_modifier_is_the_bid_less_safe_and_helps_the_slow():  # 3475
    assert [safety_modifier(RULES, bid, -1).value for bid in (-3, -1, 2)] == [-2, 0, 3]
    assert safety_modifier(RULES, 0, 0.5).value == 0  # a half goes up


def test_what_a_crash_does_to_those_aboard():  # 3477-3482
    assert [crash_class(RULES, qr, 3) and crash_class(RULES, qr, 3).value for qr in RATINGS] == [None, None, None, None, 5, 9]
    assert crash_class(RULES, 7, 20).value == -12
    assert len(SAFETY(RULES)) == 6


@pytest.mark.parametrize(("bid", "more"), [(-3, 5), (0, 2), (2, 0)])
def test_faster_crashes_hurt_more(bid, more):  # 3482
    assert crash_class(under(faster_crashes=True), 7, 3, bid).value == 5 + more
    assert crash_class(under(faster_crashes=True), 10, 3, bid).value == 9 + more
    assert crash_class(RULES, 10, 3, bid).value == 9


@pytest.mark.parametrize(("qr", "level"), [(1, 1), (2, 1), (3, 1), (4, 2), (7, 5), (10, 9)])
def test_safety_rolls_add_to_the_damage_level(qr, level):  # 3477-3481
    after = script(safety_roll(RULES, car(level=1), TEN, -1), [(ROLLS[qr],)]).outcome
    assert after.level == level
    assert (after.stopped, after.wrecked) == (level >= 4, level >= 8)


def test_a_safety_roll_at_speed():
    # bid -3 at Safe -1: ease factor 5 - 2 = 3, 30 percent
    assert script(safety_roll(RULES, A_CAR, TEN, -3), [(30,)]).outcome.level == 1
    assert script(safety_roll(RULES, A_CAR, TEN, -3), [(31,)]).outcome.level == 4
    assert script(safety_roll(RULES, A_CAR, TEN, 1), [(35,)]).outcome.level == 0  # +2: 70 percent, QR3


def test_everybody_aboard_suffers_a_crash_each_on_their_own():  # 3480, 3370
    # DC 8 - 3 = 5 to both chests: Ann at QR1 (d10 1) all of 2.5, Ben at QR4 (d10 10) a quarter of it
    rolls = [(51,), (1,), (5,), (1,), (10,), (5,), (1,)]
    after = script(safety_roll(RULES, car(aboard=(ANN, BEN)), TEN, -1), rolls).outcome
    assert [(body.wounds, body.hurt) for body in after.aboard] == [(3, ("chest",)), (1, ("chest",))]


def test_a_heavy_vehicle_lets_nobody_be_hurt():
    """The damage class falls below zero, and nothing is left of it, not even a stun."""
    safe = script(crash(RULES, car(ds=25, aboard=(ANN,)), 7), [(1,), (5,)]).outcome
    assert safe.aboard == (ANN,)


def test_the_odds_of_a_safety_roll():
    odds = exact(sub(safety_roll, RULES, A_CAR, TEN, -1)).map(lambda craft: craft.level)
    assert {level: odds[level] for level in (0, 1, 4, 8)} == {
        0: Fraction(25, 100),
        1: Fraction(25, 100),
        4: Fraction(45, 100),
        8: Fraction(5, 100),
    }


# --- hits on vehicles ---------------------------------------------------------------------------------------------------------


def test_what_a_vehicle_takes_off_a_damage_class():  # 3486
    assert [vehicle_class(RULES, 12, kind, 8).value for kind in ("m", "collision", "i", "b")] == [4, 4, 8, 10]
    assert vehicle_class(RULES, 12, "i", 3, 2).value == 8.5
    assert [row.d10 for row in PARTS(RULES).values()] == [(1, 4), (5, 7), (8, 10)]


@pytest.mark.parametrize(("d10", "level"), [(1, 3), (4, 3), (5, 0), (7, 0), (8, 0), (10, 0)])
def test_only_the_engine_counts(d10, level):  # 3488-3492: DC 12i - 1.5 = 10.5, QR3: half of half of it, 2.6
    rolls = [(d10,), (3,)] if d10 >= 8 else [(d10,)]
    assert script(hit_vehicle(RULES, car(aboard=(ANN, BEN)), "12i", 3), rolls).outcome.level == level


@pytest.mark.parametrize("d10", [1, 5, 8])
def test_everything_counts_in_aircraft_and_submarines(d10):
    plane = craft_of(RULES, "the plane", "Monoplane", aboard=(ANN,))
    assert plane.fragile
    assert plane.climbs
    assert craft_of(RULES, "the sub", "Minisub (TL7)").fragile
    assert not craft_of(RULES, "the boat", "Motorboat").fragile
    rolls = [(d10,), (26,)] if d10 >= 8 else [(d10,)]
    assert script(hit_vehicle(RULES, plane, "12i", 3), rolls).outcome.level == 3


def test_people_and_lots_of_cargo_are_equally_likely_to_be_hit():  # 3492
    assert craft_of(RULES, "it", "Automobile").lots == 2
    assert craft_of(RULES, "it", "Semi-trailer").lots == 150
    assert craft_of(RULES, "it", "Horse").lots == 0
    assert Seat(2, 2).weights() == {1: 1, 2: 1, 0: 2}
    assert [Seat(2, 2).read((face,)) for face in (1, 2, 3, 4)] == [1, 2, 0, 0]
    two = car(aboard=(ANN, BEN))
    # the compartment, Ben, chest, pain borne: DC 10.5 at QR3 is 3 levels
    after = script(hit_vehicle(RULES, two, "12i", 3), [(8,), (2,), (5,), (1,)]).outcome
    assert (after.level, [body.wounds for body in after.aboard]) == (0, [0, 3])
    cargo = script(hit_vehicle(RULES, two, "12i", 3), [(8,), (4,)]).outcome
    assert cargo == two


def test_armor_is_pierced_and_stun_and_misses_do_nothing():
    tank = car(armor=2)
    assert script(hit_vehicle(RULES, tank, "6i", 2), [(1,)]).outcome.level == 1  # 6 - 1.5 - 2 = 2.5
    assert script(hit_vehicle(RULES, tank, "6i2p", 2), [(1,)]).outcome.level == 2  # 4.5
    assert script(hit_vehicle(RULES, tank, "6is", 1), []).outcome == tank
    assert script(hit_vehicle(RULES, tank, "6i", 7), []).outcome == tank
    assert script(hit_vehicle(RULES, A_CAR, "2x6i", 2), [(1,), (1,)]).outcome.level == 4  # two hits add up


@settings(max_examples=40)
@given(integers(0, 30), sampled_from("mib"), integers(1, 10), integers(0, 5), sampled_from((1, 2, 3, 4)))
def test_more_armor_never_hurts_a_vehicle(dc, kind, ds, armor, qr):
    def level(armor):
        return script(hit_vehicle(RULES, car(ds=ds, armor=armor, lots=0), f"{dc}{kind}", qr), [(1,)]).outcome.level

    assert level(armor + 1) <= level(armor)


# --- what drives what ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vehicle", "skill"),
    [
        ("Automobile", "Groundcraft"),
        ("Horse", "Ride"),
        ("Human (on foot)", "Athletics"),
        ("Sailing Boat", "Sail"),
        ("Galley", "Powered Watercraft"),
        ("Motorboat", "Powered Watercraft"),
        ("Helicopter", "Aircraft"),
        ("Orbital Transport (TL6)", "Spacecraft"),
        ("Jet Pack", "Personal Flyer"),
    ],
)
def test_the_skill_that_drives_a_vehicle(vehicle, skill):
    assert driving_skill(RULES, vehicle) == skill


def test_setting_down_an_aircraft():  # 4037: the terrain's value for its type is a penalty
    # forest 3, VTOL -2: -1; an airplane cannot use terrain above 2
    assert script(land(RULES, "Helicopter", "forest", TEN), [(40,)]).outcome.qr == 4
    assert script(land(RULES, "Helicopter", "forest", TEN), [(41,)]).outcome.qr == 7
    assert script(land(RULES, "Helicopter", "road", TEN), [(70,)]).outcome.qr == 4  # -2 makes it easier
    with pytest.raises(UserError, match="2 at most"):
        script(land(RULES, "Monoplane", "forest", TEN), [])
    with pytest.raises(UserError, match="not an aircraft"):
        script(land(RULES, "Automobile", "road", TEN), [])


def test_depth_varies_inversely_with_gravity():  # 4070
    assert depth(RULES, "Minisub (TL7)", 0.5).value == 16_000
    assert depth(RULES, "Minisub (TL4.5)", 2).value == 50
    with pytest.raises(UserError, match="under water"):
        depth(RULES, "Helicopter")
    with pytest.raises(UserError, match="under water"):
        depth(BOOK.ruleset(house=House(tables={"fs-vehicle-list": {"Minisub (TL7)": {"ceiling": 0}}})))


def test_spacecraft_climb_too():
    assert craft_of(RULES, "it", "Orbital Transport (TL6)").climbs
    assert not craft_of(RULES, "it", "Automobile").climbs


def test_a_helicopter_after_a_car():  # 3394-3413: on the ground's scale A+3, M-3, S-3
    copter = craft_of(RULES, "the copter", "Helicopter", medium="ground")
    assert (copter.acc, copter.man, copter.safe) == (1, 0, -3)
    assert driving_skill(RULES, "Helicopter", medium="ground") == "Aircraft"
    assert driving_skill(RULES, "Motorboat", medium="ground") == "Groundcraft"
    rough = craft_of(RULES, "the car", "Automobile", "rough")
    assert (rough.acc, rough.man, rough.safe, rough.cruise) == (-3, -3, 0.5, 40)


# --- journeys -----------------------------------------------------------------------------------------------------------------


def test_average_speeds():  # 3352-3370
    assert [average_speed(RULES, qr, 60, 100) for qr in RATINGS] == [80, 80, 60, 60, 30, None]
    assert [average_speed(RULES, qr, 60, 100, hasty=True) for qr in RATINGS] == [100, 90, 80, 60, None, None]
    assert average_speed(RULES, 2, 95, 100, hasty=True) == 97.5
    assert len(TRAVEL(RULES)) == 6
    assert [row.dc for row in ACCIDENTS(RULES).values()] == [0, 0, 0, 4, 8, 10]


@pytest.mark.parametrize(("qr", "hours"), [(1, 3), (2, 3), (3, 4), (4, 4), (7, 8)])
def test_a_leg_takes_distance_by_speed(qr, hours):  # 3350-3357
    found = script(leg(RULES, A_CAR, 240, TEN), [(ROLLS[qr],)]).outcome
    assert (found.km, found.hours, found.lost, found.stopped) == (240, hours, False, False)


def test_no_leg_is_longer_than_the_driver_s_willpower():  # 3346, 3350
    found = script(leg(RULES, A_CAR, 1000, TEN, willpower=9), [(25,)]).outcome
    assert (found.km, found.hours) == (540, 9)
    assert script(leg(RULES, A_CAR, 540, TEN, willpower=9), [(25,)]).outcome.hours == 9


def test_in_strange_country_the_worse_of_two_rolls_counts():  # 3348
    def hours(driving, finding):
        return script(leg(RULES, A_CAR, 240, TEN, navigating=TEN), [(ROLLS[driving],), (ROLLS[finding],)]).outcome.hours

    assert [hours(1, 3), hours(3, 1), hours(2, 7), hours(7, 2)] == [4, 4, 8, 8]


def test_a_botched_navigation_is_getting_lost():  # 3348
    found = script(leg(RULES, A_CAR, 240, TEN, navigating=TEN), [(25,), (60,)]).outcome
    assert (found.lost, found.km, found.hours) == (True, 0, 4)


def test_a_failed_navigation_in_haste_only_slows():
    rolls = [(5,), (51,)]
    slow = script(leg(RULES, A_CAR, 240, TEN, hasty=True, navigating=TEN), rolls).outcome
    assert (slow.hours, slow.stopped) == (8, False)
    rules = under(navigation_failure="mishap")
    worse = script(leg(rules, A_CAR, 240, TEN, hasty=True, navigating=TEN), [*rolls, (25,)]).outcome
    assert (worse.stopped, worse.level) == (True, 2)


@pytest.mark.parametrize(("qr", "hours"), [(1, 3.6), (2, 4), (3, 4.5), (4, 6)])
def test_haste(qr, hours):  # 3365-3367 on 360 km
    assert script(leg(RULES, A_CAR, 360, TEN, hasty=True), [(ROLLS[qr],)]).outcome.hours == pytest.approx(hours)


def test_nobody_hurries_on_foot():  # 3359
    walker = craft_of(RULES, "Ann", "Human (on foot)")
    with pytest.raises(UserError, match="on foot"):
        script(leg(RULES, walker, 20, TEN, hasty=True, pace=4), [])
    with pytest.raises(UserError, match="pace"):
        script(leg(RULES, walker, 20, TEN), [])
    assert script(leg(RULES, walker, 20, TEN, pace=5), [(25,)]).outcome.hours == 4


@pytest.mark.parametrize(
    ("qr", "km", "hours", "level", "stopped"),
    [(1, 240, 4, 0, False), (2, 240, 5, 1, False), (3, 120, 2, 2, True), (4, 120, 2, 3, True), (7, 120, 2, 4, True), (10, 120, 2, 8, True)],
)
def test_a_botch_on_the_road_is_a_mishap(qr, km, hours, level, stopped):  # 3361, 3374-3381
    found = script(leg(RULES, A_CAR, 240, TEN), [(60,), (ROLLS[qr],)]).outcome
    assert (found.km, found.hours, found.level, found.stopped) == (km, hours, level, stopped)


def test_where_on_the_leg_a_mishap_happens_is_a_ruling():
    found = script(leg(under(mishap_at=25), A_CAR, 240, TEN), [(60,), (25,)]).outcome
    assert (found.km, found.hours) == (60, 1)


def test_mishaps_in_haste_are_more_likely_and_worse():  # 3368-3369
    jeep = car(man=1)
    # a failure: at Man +1 that is 60 percent; a botch: at Man +1 -3, 30 percent
    assert script(leg(RULES, jeep, 240, TEN, hasty=True), [(51,), (60,)]).outcome.level == 3
    assert script(leg(RULES, jeep, 240, TEN, hasty=True), [(51,), (61,)]).outcome.level == 4
    assert script(leg(RULES, jeep, 240, TEN, hasty=True), [(60,), (30,)]).outcome.level == 3
    assert script(leg(RULES, jeep, 240, TEN, hasty=True), [(60,), (31,)]).outcome.level == 4


def test_everybody_inside_suffers_an_accident():  # 3379-3381
    two = car(aboard=(ANN, BEN))
    # DC8 at QR1 (d10 1) for Ann's chest: 4 levels; at QR4 (d10 10) for Ben's arm: 1
    came = script(avoid_accident(RULES, two, TEN), [(51,), (1,), (5,), (1,), (10,), (9,), (1,)]).outcome
    assert (came.qr, came.goes_on, came.level) == (7, False, 4)
    assert [(body.wounds, body.hurt) for body in came.aboard] == [(4, ("chest",)), (1, ("right arm",))]


def test_a_wreck_explodes_only_if_the_gamemaster_says_so():  # 3381
    alone = car(aboard=(replace(ANN, ds=10),))
    once = script(avoid_accident(RULES, alone, TEN), [(60,), (1,), (5,), (1,)])
    twice = script(avoid_accident(RULES, alone, TEN, explodes=True), [(60,), (1,), (5,), (1,), (1,), (5,), (1,)])
    assert twice.outcome.aboard[0].wounds == 2 * once.outcome.aboard[0].wounds > 0


def test_a_routine_journey_goes_at_cruise_speed():  # 3346
    found = script(journey(RULES, A_CAR, 900, routine=True), []).outcome
    assert (found.hours, found.left, found.over) == (15, 0, True)


def test_drivers_relieve_each_other_and_one_alone_rests():  # 3346, 3350
    alone = (Driver("Ann", TEN, 5),)
    found = script(journey(RULES, A_CAR, 600, alone, rest=8), [(25,), (25,)]).outcome
    assert (found.hours, found.legs, found.left) == (5 + 8 + 5, 2, 0)
    pair = (Driver("Ann", TEN, 5), Driver("Ben", TEN, 7))
    found = script(journey(RULES, A_CAR, 600, pair), [(25,), (25,)]).outcome
    assert (found.hours, found.legs) == (10, 2)


def test_no_journey_is_longer_than_a_hundred_legs():
    found = script(journey(RULES, A_CAR, 101 * 60, (Driver("Ann", TEN, 1),), rest=0), [(25,)] * 100).outcome
    assert (found.legs, found.left, found.over) == (100, 60, False)


def test_a_journey_ends_where_it_is_lost_or_stopped():
    lost = script(journey(RULES, A_CAR, 600, (Driver("Ann", TEN, 5),), navigating=TEN), [(25,), (60,)]).outcome
    assert (lost.lost, lost.left, lost.over) == (True, 600, True)
    stopped = script(journey(RULES, A_CAR, 600, (Driver("Ann", TEN, 5),)), [(25,), (60,), (25,)]).outcome
    assert (stopped.stopped, stopped.left, stopped.level) == (True, 150, 2)


@pytest.mark.parametrize("wrong", [{"km": 0}, {"drivers": ()}])
def test_a_journey_needs_a_way_and_a_driver(wrong):
    with pytest.raises(UserError, match="needs a driver"):
        script(journey(RULES, A_CAR, **wrong), [])


def test_the_odds_of_a_leg_against_brute_force():
    """Every pair of driving and navigation rolls, and of the roll against the accident where there is one."""
    brute: dict[tuple[float, float, int], Fraction] = {}
    rating = {roll: next(qr for qr, most in ((1, 5), (2, 10), (3, 25), (4, 50), (10, 101)) if roll <= most) for roll in range(1, 101)}
    for roll in range(51, 101):
        rating[roll] = 10 if roll % 10 == 0 else 7
    shares = {qr: Fraction(list(rating.values()).count(qr), 100) for qr in RATINGS}
    speeds = {1: 80, 2: 80, 3: 60, 4: 60, 7: 30}
    for driving, finding, avoiding in product(RATINGS, RATINGS, RATINGS):
        weight = shares[driving] * shares[finding] * shares[avoiding]
        if driving == 10:
            hours = {1: 4.0, 2: 5.0}.get(avoiding, 2.0)
            km = 0.0 if finding == 10 else 240.0 if avoiding <= 2 else 120.0
            level = {1: 0, 2: 1, 3: 2, 4: 3, 7: 4, 10: 8}[avoiding]
        else:
            hours, level = 240 / speeds[driving if finding == 10 else max(driving, finding)], 0
            km = 0.0 if finding == 10 else 240.0
        brute[km, hours, level] = brute.get((km, hours, level), Fraction(0)) + weight
    odds = exact(sub(leg, RULES, A_CAR, 240, TEN, 9, False, TEN)).map(lambda found: (found.km, found.hours, found.level))
    assert {key: odds[key] for key in brute} == brute


@settings(max_examples=40)
@given(integers(1, 2000), integers(1, 20), sampled_from((1, 2, 3, 4, 7)))
def test_a_leg_never_outlasts_willpower_nor_overshoots(km, willpower, qr):
    found = script(leg(RULES, A_CAR, km, TEN, willpower), [(ROLLS[qr],)]).outcome
    assert isinstance(found, Leg)
    assert 0 < found.km <= km
    assert found.hours <= willpower
    assert found.km == pytest.approx(found.hours * average_speed(RULES, qr))


def test_light_damage_takes_spare_parts_to_be_mended():  # 3377
    rolls = [(ROLLS[10],), (ROLLS[2],)]  # a mishap, largely avoided: 1 hour and on at cruise speed
    assert script(leg(RULES, car(), 60, TEN), rolls).outcome == Leg(60, 2, 1)
    stranded = script(leg(RULES, car(), 60, TEN, spares=False), rolls).outcome
    assert (stranded.km, stranded.hours, stranded.level, stranded.stopped) == (30, 0.5, 1, True)
    avoided = script(leg(RULES, car(), 60, TEN, spares=False), [(ROLLS[10],), (ROLLS[1],)]).outcome
    assert (avoided.km, avoided.stopped) == (60, False)
    gone = script(journey(RULES, car(), 60, (Driver("Ann", TEN),), spares=False), rolls).outcome
    assert (gone.left, gone.stopped) == (30, True)


def test_damage_that_adds_up_stops_a_vehicle():
    worn = script(leg(RULES, car(level=3), 60, TEN), [(ROLLS[10],), (ROLLS[2],)]).outcome
    assert (worn.level, worn.stopped, worn.km) == (4, True, 30)
    with pytest.raises(UserError, match="too badly damaged"):
        script(leg(RULES, car(level=4), 60, TEN), [])


def test_a_crash_in_something_big_hurts_nobody():  # 3480: 8 less a damage scale of 10
    after = script(crash(RULES, car(ds=10, aboard=(ANN,)), 7), [(1,), (5,)]).outcome
    assert (after.aboard[0].wounds, after.aboard[0].stunned, after.stopped) == (0, False, True)
