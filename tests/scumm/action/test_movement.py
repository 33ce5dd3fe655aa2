"""Modes, rates and modifiers of movement, climbing, falling, jumping, chases, loads."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.highest_die.harm import hit_outcome
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.rules import House
from rulewright.systems.scumm.action.movement import (
    Climber,
    ClimbState,
    Jumped,
    Racer,
    can_hold,
    catches,
    chase,
    climb,
    climb_round,
    climbing_metres,
    fall,
    fall_damage,
    fastest,
    jump,
    jump_distance,
    modes_allowed,
    movement_modifiers,
    rates,
    rates_of,
)
from rulewright.systems.scumm.gear.encumbrance import burden, capacity, load, weight_carried
from rulewright.systems.scumm.harm.body import AVERAGE, LimbInjury, Patient
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear, Injuries, Item, Person
from rulewright.systems.scumm.resolution.tests import Mod, Pool
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
ANA_FILE = Character("Ana", attributes=Attributes(body=2), skills={"athletics": 1, "climb": 3, "endurance": 2, "swim": 1})
ANA = Person.of(RULES, ANA_FILE)


# --- modes and rates ----------------------------------------------------------------------------------------------------------


def test_four_modes_and_lying_still():  # book, line 374
    assert modes_allowed(AVERAGE) == ("prone", "crawling", "normal", "running", "sprinting")


@pytest.mark.parametrize("last", ["prone", "crawling"])
def test_nobody_sprints_right_after_lying_or_crawling(last: str):  # book, line 374
    assert modes_allowed(AVERAGE, last) == ("prone", "crawling", "normal", "running")
    assert "sprinting" in modes_allowed(AVERAGE, "running")


@pytest.mark.parametrize(
    ("flesh", "deep", "mode"),
    [(0, 0, "sprinting"), (1, 0, "running"), (4, 0, "running"), (0, 1, "normal"), (2, 1, "normal"), (0, 2, "crawling"), (0, 3, "crawling")],
)
def test_wounds_limit_movement(flesh: int, deep: int, mode: str):  # book, lines 402-404
    hurt = replace(AVERAGE, flesh=flesh, deep=deep)
    assert fastest(hurt) == mode
    assert modes_allowed(hurt)[-1] == mode


def test_bruises_do_not_slow_down_and_useless_legs_do():
    assert fastest(replace(AVERAGE, bruised_deep=3)) == "sprinting"
    legs = (LimbInjury("left leg", 2, True), LimbInjury("right leg", 2, True))
    assert fastest(replace(AVERAGE, flesh=2, limbs=legs[:1])) == "normal"
    assert fastest(replace(AVERAGE, flesh=4, limbs=legs)) == "crawling"


def test_who_cannot_act_lies_still():
    assert modes_allowed(replace(AVERAGE, unconscious=5)) == ("prone",)


PRINTED = {  # book, lines 378-383
    "sprinting": [20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70],
    "running": [13, 16, 20, 23, 26, 30, 33, 36, 40, 43, 46],
    "normal": [7, 8, 10, 12, 13, 15, 17, 18, 20, 21, 23],
    "crawling": [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7],
}


@pytest.mark.parametrize("mode", PRINTED)
def test_rates_are_as_printed(mode: str):
    assert [rates(RULES, n).of(mode) for n in range(11)] == PRINTED[mode]
    assert all(rates(RULES, n).source == "book" for n in range(11))
    assert rates(RULES, 3).of("prone") == 0


@given(n=st.integers(-12, 30))
def test_rates_go_on_outside_the_table_and_never_fall_with_fitness(n: int):
    slower, faster = rates(RULES, n), rates(RULES, n + 1)
    for mode in PRINTED:
        assert 1 <= slower.of(mode) <= faster.of(mode)
    assert slower.crawling <= slower.normal <= slower.running <= slower.sprinting
    assert slower.sprinting == max(5, 20 + 5 * n)


def test_rates_beyond_the_table_are_a_ruling():
    assert [rates(RULES, 12).of(mode) for mode in PRINTED] == [80, 53, 27, 8]
    assert [rates(RULES, -5).of(mode) for mode in PRINTED] == [5, 3, 2, 1]
    assert rates(RULES, 12).source == "ruling"


def test_the_pattern_outside_the_table_is_the_one_inside_it():
    without = BOOK.ruleset(house=House(tables={"scumm-movement-rates": {str(n): None for n in range(11)}}))
    differing = [(n, mode) for n in range(11) for mode in PRINTED if rates(without, n).of(mode) != PRINTED[mode][n]]
    assert differing == [(9, "normal")]  # printed as 21 where a third of 65 is 22


def test_body_and_athletics_make_the_rate():
    assert rates_of(RULES, ANA).sprinting == 35


@pytest.mark.parametrize(
    ("mode", "action", "close", "ranged"),  # book, lines 389-396
    [
        ("prone", 0, -3, 2),
        ("crawling", -1, -2, 1),
        ("normal", 0, 0, 0),
        ("running", -2, 0, 2),
        ("sprinting", None, 3, 3),
        ("climbing", None, -2, -2),
    ],
)
def test_movement_modifies_action_and_defense(mode: str, action: int | None, close: int, ranged: int):
    row = movement_modifiers(RULES, mode)
    assert (row.action, row.defense_close, row.defense_ranged) == (action, close, ranged)


def test_unknown_movement_is_refused():
    with pytest.raises(UserError, match="scumm-movement-modifiers"):
        movement_modifiers(RULES, "flying")


# --- climbing -----------------------------------------------------------------------------------------------------------------

CLIMBER = Climber("Ana", climb=2, body=1, athletics=2)


def test_a_round_of_climbing_covers_half_the_walking_speed_and_an_action_a_quarter():  # book, line 408
    assert climbing_metres(RULES, 3).value == 6
    assert climbing_metres(RULES, 3, full_round=False).value == 3
    assert script(climb_round(RULES, CLIMBER, ClimbState(), 4), [(3, 1)]).outcome == ClimbState(6)  # a draw
    assert script(climb_round(RULES, CLIMBER, ClimbState(2), 4, False), [(6, 1)]).outcome == ClimbState(5)


def test_the_pace_of_a_climb_is_a_ruling():
    assert climbing_metres(BOOK.ruleset(settings={"climbing-pace": "running"}), 3).value == 11
    assert climbing_metres(BOOK.ruleset(settings={"climbing-pace": "crawling"}), 3, full_round=False).value == 1


def test_a_failure_makes_no_progress():  # book, line 408
    assert script(climb_round(RULES, CLIMBER, ClimbState(4), 6), [(2, 1)]).outcome == ClimbState(4)
    strict = BOOK.ruleset(settings={"draws-pass": False})
    assert script(climb_round(strict, CLIMBER, ClimbState(), 4), [(3, 1)]).outcome == ClimbState()


def test_failing_by_four_or_fumbling_begins_to_lose_the_grip():  # book, line 408
    assert script(climb_round(RULES, CLIMBER, ClimbState(4), 7), [(2, 1)]).outcome == ClimbState(4, grip_lost=True)
    assert script(climb_round(RULES, CLIMBER, ClimbState(4), 3), [(1, 1)]).outcome == ClimbState(4, grip_lost=True)


def test_the_next_round_regains_the_grip_or_makes_it_worse():  # book, line 408
    slipping = ClimbState(4, grip_lost=True)
    assert script(climb_round(RULES, CLIMBER, slipping, 4), [(4, 1)]).outcome == ClimbState(4)
    worse = script(climb_round(RULES, CLIMBER, slipping, 4), [(2, 1)]).outcome
    assert worse == ClimbState(4, grip_lost=True, penalty=-1)
    played = script(climb_round(RULES, CLIMBER, worse, 4), [(3, 1)])
    assert played.rolls[0].result.total == 3
    assert played.outcome == ClimbState(4, grip_lost=True, penalty=-2)


def test_who_cannot_pass_any_more_falls():  # book, line 408
    assert can_hold(RULES, Pool(2, (Mod("", -3),)), 4)
    assert not can_hold(RULES, Pool(2, (Mod("", -4),)), 4)
    edge = ClimbState(4, grip_lost=True, penalty=-4)  # two sixes are 7, and 1 for Body
    fallen = script(climb_round(RULES, CLIMBER, edge, 4), [(3, 1)])
    assert fallen.outcome == ClimbState(4, True, -5, fallen=True)
    assert fallen.events[-1].headline() == "Ana can no longer hold on and falls"
    with pytest.raises(UserError, match="cannot climb on"):
        script(climb_round(RULES, CLIMBER, fallen.outcome, 4))


def test_a_wall_beyond_all_hope_is_fallen_from_as_soon_as_the_grip_is_lost():
    assert script(climb_round(RULES, CLIMBER, ClimbState(), 9), [(6, 6)]).outcome == ClimbState()
    assert script(climb_round(RULES, CLIMBER, ClimbState(), 9), [(4, 1)]).outcome.fallen


@given(dice=st.integers(0, 3), modifier=st.integers(-6, 3), emergency=st.integers(0, 2), threshold=st.integers(1, 9))
def test_hope_ends_exactly_where_no_roll_passes(dice: int, modifier: int, emergency: int, threshold: int):
    from rulewright.systems.scumm.resolution.tests import reading

    pool = Pool(dice, (Mod("", modifier),), emergency)
    read = reading(RULES, pool)
    best = max(read.read(faces).total for faces in product(range(1, 7), repeat=len(read.sides())))
    assert can_hold(RULES, pool, threshold) == (best >= threshold)


def test_a_whole_climb_ends_at_the_top_or_in_a_fall():
    assert script(climb(RULES, CLIMBER, 10, 4), [(4, 1), (2, 1), (6, 2)]).outcome == ClimbState(12)
    for height, rounds in ((5, 1), (6, 1), (7, 2), (12, 2), (13, 3)):  # six metres a round; at the top nobody goes on
        faces = [(4, 1), (4, 1), (4, 1)][:rounds]
        assert script(climb(RULES, CLIMBER, height, 4), faces).outcome == ClimbState(6 * rounds)
    odds = exact(sub(climb, RULES, Climber("", 1, 0, 0), 3, 4, True, 1)).map(lambda state: state.metres)
    assert odds[3] == Fraction(3, 6)
    with pytest.raises(UserError, match="at least 1 metre"):
        script(climb(RULES, CLIMBER, 0))


def test_a_person_can_climb():
    assert Climber.of(RULES, ANA_FILE, -1) == Climber("Ana", 3, 2, 1, -1)


def test_wounds_in_the_file_weigh_on_climbing_and_running():  # line 513
    hurt = replace(ANA_FILE, injuries=Injuries(flesh=1, deep=1))
    assert Climber.of(RULES, hurt).pool(RULES).modifier == 2 - 3
    assert Racer.of(RULES, hurt).pool(RULES).modifier == 2 - 3


# --- falling and jumping ------------------------------------------------------------------------------------------------------


@given(metres=st.integers(0, 200))
def test_a_fall_does_a_point_a_metre(metres: int):  # book, line 412
    assert fall_damage(metres).value == metres


def test_four_metres_are_a_flesh_wound_for_most_people():  # book, line 412
    assert script(fall(RULES, 4), [(6, 2)]).outcome.flesh == 1
    assert hit_outcome(AVERAGE, script(fall(RULES, 10)).outcome) == "death"
    assert script(fall(RULES, 2)).outcome == AVERAGE


def test_armor_against_falls_is_a_ruling():
    vest = replace(AVERAGE, armor=3, covers=("torso",))
    assert script(fall(RULES, 4, vest), [(6, 2)]).outcome.flesh == 1
    soft = BOOK.ruleset(settings={"armor-against-falls": True})
    assert script(fall(soft, 4, vest)).outcome == vest


def test_nobody_falls_upwards():
    with pytest.raises(UserError, match="not -1"):
        fall_damage(-1)


def test_a_jump_goes_three_quarters_of_a_metre_a_point_or_a_quarter_up():  # book, line 416
    assert jump_distance(4).value == (300, 100)
    assert script(jump(RULES, 2, 1), [(6, 2)]).outcome == Jumped(300, 100)
    assert script(jump(RULES, 2, 1), [(1, 1)]).outcome == Jumped(0, 0, fumble=True)
    with pytest.raises(UserError, match="0 or more"):
        jump_distance(-1)


@pytest.mark.parametrize(("movement", "modifier"), [("prone", -3), ("crawling", -2), ("normal", 0), ("running", 2), ("sprinting", 3)])
def test_a_jump_takes_the_movement_modifier_as_printed(movement: str, modifier: int):  # book, lines 391-396, 416
    assert script(jump(RULES, 1, 0, movement), [(6,)]).outcome == Jumped(75 * (3 + modifier), 25 * (3 + modifier))


@pytest.mark.parametrize(("terrain", "more"), [("good", 0), ("rough", 3), ("slippery", 6), ("crumbling", 9)])
def test_bad_ground_makes_a_jump_harder(terrain: str, more: int):  # book, line 416
    assert script(jump(RULES, 1, 3, "sprinting", terrain), [(6,)]).outcome.far == 75 * max(0, 9 - more)


# --- chases -------------------------------------------------------------------------------------------------------------------


def test_a_chase_is_one_opposed_test_and_a_tie_is_an_escape():  # book, lines 152 and 170
    caught = script(chase(RULES, Racer("cop", 2, 1), Racer("thief", 1, 0)), [(5, 2), (4,)])
    assert caught.outcome.margin == 2
    assert caught.outcome.verdict == "success"
    assert script(chase(RULES, Racer("cop", 2), Racer("thief", 2)), [(5, 2), (5, 5)]).outcome.verdict == "draw"
    assert [rolled.roll.what for rolled in caught.rolls] == ["Endurance", "Endurance"]
    assert script(chase(RULES, Racer(), Racer(), in_water=True), [(5, 2), (3, 5)]).rolls[0].roll.what == "Swim"


def test_a_person_runs_with_endurance_and_swims_with_swim():
    ana = Racer.of(RULES, ANA_FILE, -1)
    assert ana == Racer("Ana", 2, 2, -1, 1, swim=1)
    assert [ana.pool(RULES, in_water).dice for in_water in (False, True)] == [2, 1]


def test_without_the_option_the_faster_one_wins_and_with_it_the_dice_decide():
    cop, thief = Racer("cop", 1, 1, athletics=1), Racer("thief", 3, 0, athletics=1)
    assert script(catches(RULES, cop, thief)).outcome
    assert not script(catches(RULES, thief, cop)).outcome
    assert not script(catches(RULES, cop, cop)).outcome
    assert not script(catches(RULES, cop, thief, in_water=True)).outcome
    tested = BOOK.ruleset(settings={"chases": True})
    assert not script(catches(tested, cop, thief), [(3,), (4, 2, 1)]).outcome
    assert script(catches(tested, cop, thief), [(4,), (4, 2, 1)]).outcome


# --- carrying -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "bands"),  # book, lines 573-580
    [
        (3, (58, 76, 114, 140)),
        (2, (48, 63, 94, 114)),
        (1, (40, 53, 79, 94)),
        (0, (35, 46, 69, 79)),
        (-1, (30, 40, 59, 69)),
        (-2, (25, 33, 49, 59)),
        (-3, (19, 26, 39, 49)),
    ],
)
def test_loads_fall_into_the_printed_bands(body: int, bands: tuple[int, ...]):
    names = ("none", "light", "heavy", "deadlift", "too much")
    for most, name, above in zip(bands, names, names[1:], strict=False):
        assert load(RULES, most, body).band == name
        assert load(RULES, most + 0.5, body).band == above


def test_light_loads_cost_one_and_heavy_ones_two():  # book, line 571
    assert [load(RULES, kg, 0).penalty for kg in (35, 36, 46, 47, 69)] == [0, -1, -1, -2, -2]


def test_what_can_only_be_lifted_is_not_carried_unless_the_ruling_says_so():
    heavy = load(RULES, 75, 0)
    assert (heavy.carried, heavy.lifted, heavy.penalty) == (False, True, 0)
    strong = load(BOOK.ruleset(settings={"carry-deadlift": True}), 75, 0)
    assert (strong.carried, strong.penalty) == (True, -3)
    assert not load(RULES, 80, 0).lifted


def test_half_the_deadlift_goes_overhead_and_twice_of_it_is_dragged():  # book, line 571
    assert load(RULES, 39.5, 0).overhead
    assert not load(RULES, 40, 0).overhead
    assert load(RULES, 158, 0).dragged
    assert not load(RULES, 159, 0).dragged


@given(kg=st.floats(0, 300), body=st.integers(-3, 2))
def test_the_strong_carry_what_the_weak_carry_at_no_greater_cost(kg: float, body: int):
    weak, strong = load(RULES, kg, body), load(RULES, kg, body + 1)
    assert not weak.carried or (strong.carried and strong.penalty >= weak.penalty)
    assert not weak.dragged or strong.dragged


def test_loads_weigh_only_where_the_campaign_says_so():
    assert burden(RULES, 50, 0).value == 0
    weighing = BOOK.ruleset(settings={"carrying-capacity": True})
    assert burden(weighing, 50, 0) == Mod("load", -2, "scumm-carrying-capacity")
    assert [burden(weighing, kg, 0).value for kg in (0, 36, 75, 200)] == [0, -1, -3, -3]
    porter = Character("Ben", gear=Gear(other=(Item("crate", 30), Item("rope", 7.5))))
    assert weight_carried(Person.of(RULES, porter)) == 37.5
    assert (Patient.of(RULES, porter).penalty, Patient.of(weighing, porter).penalty) == (0, -1)


def test_impossible_loads_and_bodies_are_refused():
    with pytest.raises(UserError, match="cannot weigh"):
        load(RULES, -1, 0)
    with pytest.raises(UserError, match="no row for Body 4"):
        capacity(RULES, 4)


def test_a_fumble_loses_the_grip_even_where_its_total_would_do():  # line 408
    strong = Climber("Ana", climb=1, body=3)
    slipping = script(climb_round(RULES, strong, threshold=3), [(1,)]).outcome
    assert (slipping.metres, slipping.grip_lost) == (6, True)  # 1 + 3 passes, and something bad happens all the same
    again = script(climb_round(RULES, strong, replace(slipping, penalty=-1), 3), [(1,)]).outcome
    assert (again.metres, again.grip_lost, again.penalty) == (6, True, -1)
    held = script(climb_round(RULES, strong, again, 3), [(4,)]).outcome
    assert (held.metres, held.grip_lost, held.penalty) == (6, False, 0)


def test_emergency_dice_help_climbers_jumpers_and_runners():  # line 282
    climber = Climber("Ana", climb=1, emergency=2)
    assert script(climb_round(RULES, climber, threshold=5), [(1, 2, 5)]).outcome.metres == 3
    assert script(jump(RULES, 1, emergency=1), [(2, 5)]).outcome == Jumped(150, 50)
    assert script(chase(RULES, Racer("a", 1, emergency=1), Racer("b", 1)), [(2, 5), (4,)]).outcome.margin == 1


def test_emergency_dice_once_spent_do_not_keep_a_climber_from_falling():
    climber = Climber("Ana", climb=1, body=-1, emergency=2)
    slipped = script(climb_round(RULES, climber, threshold=6), [(1, 1, 1)]).outcome
    assert slipped.fallen  # a six less one does not reach 6
