"""Climbing until the Threshold cannot be met (book lines 2107-2132, 2647-2651)."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.climbing import (
    Climb,
    Climber,
    Wall,
    best_total,
    can_hold,
    catch_oneself,
    climb_round,
    climb_wall,
    climbing_metres,
    handhold_minutes,
    hang_on,
    loses_grip,
    on_the_wall,
    regain,
    threshold_on,
    wounded_on_the_wall,
)
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
BRICKS = Wall()
few = settings(max_examples=40, deadline=None)


def by(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def jason(**fields):
    """Athletics 2 with Complexity 2."""
    person = Person.of(PLAIN, Character("Jason", skills={"athletics": 2}, complexity={"athletics": 2}))
    return Climber.of(PLAIN, person)


def test_jason_on_the_brick_wall():
    """Nine metres down bricks (7): an 8 takes him half his walking speed, a 3 begins to cost the grip, a 2 with the -1 is the end."""
    wall, climber = Wall(down=True), jason()
    assert threshold_on(PLAIN, wall) == 7
    assert climber.walk == 10
    first = script(climb_round(PLAIN, climber, wall), [(6, 6)])
    assert first.outcome == Climb(5.0)
    assert wall.metres - first.outcome.metres == 4
    second = script(climb_round(PLAIN, climber, wall, first.outcome), [(2, 1)])
    assert second.rolls[0].result.total == 3
    assert second.outcome == Climb(5.0, slipping=True, grip=1)
    assert best_total(PLAIN, climber.pool(1)) == 7
    third = script(climb_round(PLAIN, climber, wall, second.outcome), [(2, 2)])
    assert third.rolls[0].result.total == 2
    assert third.outcome == Climb(5.0, slipping=True, grip=2, fallen=True)
    assert best_total(PLAIN, climber.pool(2)) == 6
    assert [event.headline() for played in (first, second, third) for event in played.events] == [
        "Jason climbs 5.0 m",
        "Jason starts to lose their grip",
        "Jason loses all grip and falls",
    ]


def test_a_standard_action_covers_a_quarter_and_a_round_half_of_the_walking_speed():
    assert climbing_metres(10, "action").value == 2.5
    assert climbing_metres(10, "full round").value == 5
    assert climbing_metres(10, "accelerated").value == 5
    assert climbing_metres(10, "stay").value == 0


def test_a_plain_failure_makes_no_progress_and_costs_nothing():
    assert script(climb_round(PLAIN, jason(), BRICKS), [(3, 2)]).outcome == Climb()
    assert script(climb_round(PLAIN, jason(), BRICKS), [(6, 5)]).outcome == Climb(5.0)  # a draw of 7 passes


def test_the_grip_goes_by_four_or_a_fumble():
    assert [loses_grip(margin) for margin in (-3, -4, -5)] == [False, True, True]
    assert loses_grip(2, fumble=True)
    easy = Wall("slope too steep to walk")
    fumbled = script(climb_round(PLAIN, jason(), easy), [(1, 1)])  # 2 against 1, and a fumble all the same
    assert fumbled.outcome == Climb(slipping=True, grip=1)


def test_who_is_losing_the_grip_does_nothing_but_regain_it():
    climber, slipping = jason(), Climb(5.0, slipping=True, grip=1)
    for how in ("action", "full round", "accelerated", "stay"):
        played = script(climb_round(PLAIN, climber, BRICKS, slipping, how), [(6, 6)])
        assert played.outcome == Climb(5.0)


def test_two_lost_points_need_two_rounds():
    climber = Climber("Ann", Pool(4).plus(Mod("Fitness", 1)))
    state = Climb(2.0, slipping=True, grip=2)
    state = script(regain(PLAIN, climber, BRICKS, state), [(6, 6, 6, 1)]).outcome
    assert state == Climb(2.0, slipping=True, grip=1)
    state = script(regain(PLAIN, climber, BRICKS, state), [(6, 6, 5, 1)]).outcome
    assert state == Climb(2.0)


def test_every_further_failure_costs_another_point():
    climber = Climber("Ann", Pool(5).plus(Mod("Fitness", 2)))
    state = Climb(2.0)
    for grip, faces in ((1, (1, 1, 1, 1, 1)), (2, (2, 2, 2, 2, 1)), (3, (6, 2, 2, 1, 1))):
        state = script(climb_round(PLAIN, climber, BRICKS, state), [faces]).outcome
        assert state == Climb(2.0, slipping=True, grip=grip)


def test_with_the_text_the_first_loss_costs_nothing_yet():
    ours = by(grip_penalty="from the next failure")
    state = script(climb_round(ours, jason(), BRICKS), [(2, 1)]).outcome
    assert state == Climb(slipping=True, grip=0)
    assert script(climb_round(ours, jason(), BRICKS, state), [(6, 5)]).outcome == Climb()
    again = script(climb_round(ours, jason(), BRICKS, state), [(2, 1)]).outcome
    assert again == Climb(slipping=True, grip=1)


def test_whoever_cannot_pass_falls_as_soon_as_the_grip_goes():
    poor = Climber("Ann", Pool(1))
    assert not can_hold(PLAIN, poor, 7, 0)
    assert script(climb_round(PLAIN, poor, BRICKS), [(5,)]).outcome == Climb()
    assert script(climb_round(PLAIN, poor, BRICKS), [(3,)]).outcome == Climb(slipping=True, grip=1, fallen=True)
    with pytest.raises(UserError, match="fallen"):
        script(climb_round(PLAIN, poor, BRICKS, Climb(fallen=True)), [])


def test_the_unskilled_hold_on_while_the_lower_of_two_could_be_a_six():
    assert best_total(PLAIN, Pool(0)) == 6
    assert best_total(PLAIN, Pool(0).plus(Mod("Fitness", 2))) == 8
    assert can_hold(PLAIN, Climber("Ann", Pool(0).plus(Mod("Fitness", 2))), 7, 1)
    assert not can_hold(PLAIN, Climber("Ann", Pool(0).plus(Mod("Fitness", 2))), 7, 2)


def test_other_dice_hold_longer():
    pool = Pool(3)
    assert best_total(PLAIN, pool) == 8
    assert best_total(BOOK.ruleset("gritty"), pool) == 6
    assert best_total(BOOK.ruleset("eight-sided dice"), pool) == 10
    assert threshold_on(PLAIN, BRICKS) == 7
    eight = BOOK.ruleset("eight-sided dice")
    assert can_hold(eight, Climber("Ann", pool), 7, 1)  # 9 with eight-sided dice, and 7 is 9 there
    assert not can_hold(eight, Climber("Ann", pool), 7, 2)


def test_emergency_dice_are_a_last_hold_where_the_campaign_says_so():
    climber = Climber("Ann", Pool(1), emergency_dice=2)
    assert not can_hold(PLAIN, climber, 7, 0)
    ours = by(last_hold="with Emergency Dice")
    assert [can_hold(ours, climber, 7, grip) for grip in (0, 1, 2)] == [True, True, False]


@few
@given(st.integers(0, 5), st.integers(-3, 4), st.integers(1, 12), st.integers(0, 6))
def test_can_hold_is_whether_any_roll_passes(dice, modifier, threshold, grip):
    from rulewright.dice.reading import weights_of
    from rulewright.systems.silhouette.resolution.tests import passes, reading

    climber = Climber("Ann", Pool(dice).plus(Mod("Fitness", modifier)))
    totals = weights_of(reading(PLAIN, climber.pool(grip)))
    assert can_hold(PLAIN, climber, threshold, grip) == any(passes(PLAIN, total.total, threshold) for total in totals)


# --- staying, wounds ----------------------------------------------------------------------------------------------------------


def test_hanging_still_is_tested_every_second_round():
    first = script(hang_on(PLAIN, jason(), BRICKS, Climb(5.0)), []).outcome
    assert first == Climb(5.0, still=1)
    assert script(climb_round(PLAIN, jason(), BRICKS, first, "stay"), [(6, 6)]).outcome == Climb(5.0)
    assert script(climb_round(PLAIN, jason(), BRICKS, first, "stay"), [(5, 4)]).outcome == Climb(5.0, slipping=True, grip=1)
    assert script(climb_round(PLAIN, jason(), BRICKS, first, "full round"), [(6, 6)]).outcome == Climb(9.0)


def test_a_wound_on_the_wall():
    assert script(wounded_on_the_wall(PLAIN, jason(), BRICKS, Climb(5.0)), [(6, 5)]).outcome == Climb(5.0)
    assert script(wounded_on_the_wall(PLAIN, jason(), BRICKS, Climb(5.0)), [(5, 5)]).outcome == Climb(5.0, fallen=True)
    wounded = Climber.of(PLAIN, Person.of(PLAIN, Character("Ann", skills={"athletics": 2})), penalty=-1)
    assert wounded.athletics.modifier == -1


def test_on_a_wall_defense_is_two_less_and_no_shield_helps():
    assert on_the_wall(PLAIN) == (-2, False)
    assert on_the_wall(PLAIN, "walking") == (0, True)


def test_the_attribute_is_a_ruling():
    person = Person.of(PLAIN, Character("Ann", attributes={"agility": 2, "fitness": -1}, skills={"athletics": 1}))
    assert Climber.of(PLAIN, person).athletics.modifier == -1
    assert Climber.of(by(climbing_attribute="agility"), person).athletics.modifier == 2


# --- options ------------------------------------------------------------------------------------------------------------------


def test_haste_is_two_tests_at_minus_two():
    wall = Wall("slope too steep to walk", metres=20)
    played = script(climb_round(PLAIN, jason(), wall, how="accelerated"), [(2, 2), (6, 1)])
    assert played.outcome == Climb(10.0)
    assert [roll.result.total for roll in played.rolls] == [1, 5]
    one = script(climb_round(PLAIN, jason(), wall, how="accelerated"), [(2, 1), (1, 1)])
    assert one.outcome == Climb(5.0, slipping=True, grip=1)
    assert script(climb_round(PLAIN, jason(), Wall("slope too steep to walk", metres=5), how="accelerated"), [(2, 1)]).outcome == Climb(5.0)


def test_a_lost_grip_ends_the_hurry():
    assert script(climb_round(PLAIN, jason(), BRICKS, how="accelerated"), [(1, 1)]).outcome == Climb(slipping=True, grip=1)


def test_holds_make_any_surface_a_five():
    assert threshold_on(PLAIN, Wall("smooth and upright")) == 12
    assert threshold_on(PLAIN, Wall("smooth and upright", handholds=True)) == 5
    assert threshold_on(PLAIN, Wall("smooth and upright", ("slippery",), handholds=True)) == 7
    assert threshold_on(PLAIN, Wall(circumstances=("chimney between two walls", "slippery"))) == 7
    assert [handhold_minutes(metres) for metres in (9, 9.5, 0)] == [9, 10, 0]


def test_catching_oneself():
    assert script(catch_oneself(PLAIN, Climber("Ann", Pool(2).plus(Mod("Fitness", 5))), BRICKS), [(6, 6)]).outcome  # 12 against 12
    assert not script(catch_oneself(PLAIN, Climber("Ann", Pool(2).plus(Mod("Fitness", 4))), BRICKS), [(6, 6)]).outcome
    slope = Wall("slope too steep to walk", slope=True)
    assert script(catch_oneself(PLAIN, Climber("Ann", Pool(1)), slope), [(3,)]).outcome
    assert not script(catch_oneself(PLAIN, Climber("Ann", Pool(1)), slope), [(2,)]).outcome


# --- a whole climb ------------------------------------------------------------------------------------------------------------


def test_the_odds_of_a_whole_climb_against_a_chain_by_hand():
    """One die and Fitness +1 against 5, five metres of ten a round: two tests must be passed before the grip is gone."""
    climber, wall = Climber("Ann", Pool(1).plus(Mod("Fitness", 1)), 10.0), Wall("enough holds, or a plain rope", metres=10)
    odds = exact(lambda: climb_wall(PLAIN, climber, wall, rounds=4)).map(lambda climb: (climb.metres, climb.fallen, climb.grip))

    def step(state):
        metres, slipping, grip = state
        for face in range(1, 7):
            total = max(0, face + 1 - grip)
            passed = total >= 5 and face > 1
            if slipping:
                grip_after = grip - 1 if passed else grip + 1
                yield (metres, grip_after > 0, grip_after)
            elif passed:
                yield (metres + 5.0, False, 0)
            elif face == 1 or total - 5 <= -4:
                yield (metres, True, 1)
            else:
                yield (metres, False, 0)

    states = {(0.0, False, 0): Fraction(1)}
    done = {}
    for _ in range(4):
        after = {}
        for state, chance in states.items():
            for metres, slipping, grip in step(state):
                fallen = slipping and 7 - grip < 5
                if fallen or metres >= 10:
                    key = (metres, fallen, grip)
                    done[key] = done.get(key, 0) + chance / 6
                else:
                    key = (metres, slipping, grip)
                    after[key] = after.get(key, 0) + chance / 6
        states = after
    for (metres, _, grip), chance in states.items():
        done[metres, False, grip] = done.get((metres, False, grip), 0) + chance
    assert {outcome: odds[outcome] for outcome, _ in odds} == done


def test_nobody_climbs_by_staying():
    with pytest.raises(UserError, match="stays"):
        script(climb_wall(PLAIN, how="stay"), [])
    with pytest.raises(UserError, match="1 to 50"):
        script(climb_wall(PLAIN, rounds=0), [])
