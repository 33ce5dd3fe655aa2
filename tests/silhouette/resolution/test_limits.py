"""Judgements without dice, shots of a burst, radiation, bad air and slips, at their limits (book lines 2374-2403, 4588, 6390-6460)."""

import pytest

from rulewright.play import script
from rulewright.rules import House
from rulewright.systems.silhouette.gear.ammunition import Burst, burst, endless_burst, saturation_burst
from rulewright.systems.silhouette.hazards.atmosphere import oxygen_penalty
from rulewright.systems.silhouette.hazards.radiation import RAD_SOURCES, penalty_after, rads_from, sickness_of
from rulewright.systems.silhouette.maneuver.air.control import control_row, lost_control
from rulewright.systems.silhouette.maneuver.orbit import burns_in_descent
from rulewright.systems.silhouette.resolution.tasks import Task, judged, run_test
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, opposed_complexity
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()


def by(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


# --- without dice (line 714) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "modifier", "threshold", "answer", "likely", "margin"),
    [
        (3, 0, 4, "yes", True, 1),
        (3, 0, 5, "yes", True, 0),
        (3, 0, 6, "yes", False, 0),
        (3, 0, 6, "no", False, -1),
        (3, 0, 8, "no", False, -3),
        (3, 0, 4, "no", True, -1),
        (1, 2, 4, "yes", True, 1),
        (-1, 0, 2, "yes", True, 0),
        (2, -1, 5, "no", False, -2),
    ],
)
def test_a_judgement_goes_by_two_and_the_level_and_never_against_the_answer(dice, modifier, threshold, answer, likely, margin):
    pool = Pool(dice).plus(Mod("situation", modifier))
    blind = by(running_tests="without dice")
    assert judged(blind, pool, threshold) is likely
    played = script(run_test(blind, pool, threshold, "Ann", "a jump"), [], [answer])
    assert played.outcome == Task(answer == "yes", margin)


@pytest.mark.parametrize(
    ("mode", "complexity", "tool", "value"),
    [
        ("difference", 1, 2, -1),
        ("difference", 2, 2, 0),
        ("difference", 3, 2, 0),
        ("difference", 3, 1, 0),
        ("in full", 3, 2, 1),
        ("in full", 3, 1, 2),
        ("in full", 1, 3, -2),
        ("ignored", 1, 3, 0),
        ("ignored", 3, 1, 0),
    ],
)
def test_between_different_skills_a_tool_beyond_its_user_costs_the_difference(mode, complexity, tool, value):
    setting = BOOK.ruleset().word("tool-complexity-against-others") if mode == "difference" else mode
    own, other = opposed_complexity(by(tool_complexity_against_others=setting), complexity, 1, same_skill=False, tool=tool)
    assert (own.value, other.value) == (value, 0)


def test_within_one_skill_the_difference_counts_for_whoever_acts():
    own, other = opposed_complexity(RULES, 1, 3)
    assert (own.value, other.value) == (-2, 0)


# --- shots (lines 2374-2377, 2400-2403) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rof", "left", "came"),
    [
        (2, None, Burst(2, 10)),
        (2, 10, Burst(2, 10)),
        (2, 9, Burst(2, 9)),
        (3, 10, Burst(2, 10)),
        (3, 11, Burst(3, 11)),
        (3, 7, Burst(2, 7)),
        (3, 5, Burst(1, 5)),
        (0, 1, Burst(0, 1)),
    ],
)
def test_a_burst_takes_five_shots_for_each_point_and_an_emptied_magazine_gives_the_rate_rounded_up(rof, left, came):
    assert burst(RULES, rof, 3, left) == came


@pytest.mark.parametrize(("rof", "left"), [(1, 4), (0, 0), (4, 30), (-1, 30)])
def test_fewer_shots_than_five_and_more_than_the_weapons_rate_are_no_burst(rof, left):
    with pytest.raises(Exception, match=r"needs at least 5|is empty|rate of fire is 0 to 3"):
        burst(RULES, rof, 3, left)


@pytest.mark.parametrize(
    ("rof", "left", "came"),
    [(2, 40, Burst(2, 40)), (2, 39, Burst(2, 39)), (2, 20, Burst(1, 20)), (2, 21, Burst(2, 21)), (1, 10, Burst(1, 10))],
)
def test_saturation_fire_takes_twenty_shots_for_each_point_and_ten_at_least(rof, left, came):
    assert saturation_burst(RULES, rof, 3, left) == came
    for wrong in ((1, 9), (0, 99), (4, 99)):
        with pytest.raises(Exception, match=r"at least 10|a rate of fire of 1 to 3"):
            saturation_burst(RULES, wrong[0], 3, wrong[1])


@pytest.mark.parametrize(
    ("dice", "rof", "came"), [(5, 1, (4, False)), (5, 3, (2, False)), (5, 4, (1, True)), (2, 3, (0, True)), (1, 0, (1, False))]
)
def test_where_nobody_counts_shots_one_or_less_is_an_empty_weapon(dice, rof, came):
    assert endless_burst(RULES, dice, 0, rof) == came


# --- radiation and air -------------------------------------------------------------------------------------------------------------


def test_a_burst_of_rads_comes_at_once_and_a_rate_by_the_hour():
    for name, row in RAD_SOURCES(RULES).items():
        if row.per_hour is None:
            assert rads_from(RULES, name, 5) == (row.burst or 0)
        else:
            assert rads_from(RULES, name, 3) == pytest.approx(3 * row.per_hour[0])
            assert rads_from(RULES, name, 3, strong=True) == pytest.approx(3 * row.per_hour[1])
    with pytest.raises(Exception, match="at least 0"):
        rads_from(RULES, next(iter(RAD_SOURCES(RULES))), -1)
    house = BOOK.ruleset(house=House(tables={"sil-6.2.8-rad-sources": {"cold ashes": {}}}))
    assert rads_from(house, "cold ashes", 3) == 0


@pytest.mark.parametrize(
    ("margin", "penalty", "lingering", "on_health", "deadly", "fatal"),
    [
        (0, 0, 0, 0, False, False),
        (1, -1, 0, 0, False, False),
        (4, -4, 0, 0, False, False),
        (5, -4, -1, -2, False, False),
        (7, -4, -1, -2, False, False),
        (8, -4, -2, -3, False, False),
        (9, -4, -2, -3, False, False),
        (10, -4, -3, -4, True, False),
        (14, -4, -3, -4, True, False),
        (15, 0, 0, 0, False, True),
    ],
)
def test_radiation_sickness_goes_by_the_margin(margin, penalty, lingering, on_health, deadly, fatal):
    sick = sickness_of(margin)
    assert (sick.penalty, sick.lingering, sick.on_health, sick.deadly, sick.fatal) == (penalty, lingering, on_health, deadly, fatal)


@pytest.mark.parametrize(("hours", "left"), [(0, -2), (11, -2), (12, -1), (23, -1), (24, 0), (60, 0)])
def test_the_first_penalty_is_a_point_less_every_twelve_hours(hours, left):
    assert penalty_after(-2, hours) == left


@pytest.mark.parametrize(
    ("minutes", "oxygen", "volume", "penalty"),
    [
        (0, 20, 1, 0),
        (9.9, 20, 1, 0),
        (10, 20, 1, -1),
        (11.9, 20, 1, -1),
        (12, 20, 1, -2),
        (19.9, 20, 2, 0),
        (20, 20, 2, -1),
        (5, 10, 1, -1),
        (4.9, 10, 1, 0),
    ],
)
def test_bad_air_costs_a_point_after_ten_minutes_and_one_more_every_two(minutes, oxygen, volume, penalty):
    assert oxygen_penalty(minutes, oxygen, volume).value == penalty


@pytest.mark.parametrize(("oxygen", "volume"), [(0, 1), (20, 0), (-1, 1)])
def test_no_oxygen_or_no_room_is_a_vacuum(oxygen, volume):
    with pytest.raises(Exception, match="vacuum"):
        oxygen_penalty(10, oxygen, volume)


# --- slips and descents ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "side"), [(1, -1), (3, -1), (4, 1), (6, 1)])
def test_what_slips_goes_left_on_three_or_less(die, side):
    """Every row of the table that goes sideways, drops or spins, reached with a die of one."""
    for came in range(1, 16):
        row = control_row(RULES, came)
        if row is None or not row.sideways:
            continue
        faces = [(1,), (die,), *([(5,)] if row.sideways == "skid" else []), *([(4,)] if row.drop else []), *([(1, 1)] if row.spin else [])]
        slip = script(lost_control(RULES, came - 1, pilot=Pool(2)), faces).outcome
        assert slip.side == side
        assert slip.hexes == (5 if row.sideways == "skid" else 0)
        assert slip.levels == (4 if row.drop else 0)


def test_an_unprotected_hull_burns_in_each_of_twenty_rounds():
    assert script(burns_in_descent(RULES, protected=False)).outcome == 20


@pytest.mark.parametrize(("faces", "burns"), [([(6,)] * 4, 0), ([(6,), (1,), (6,), (6,)], 1), ([(1,)] * 4, 4)])
def test_with_a_shield_only_every_fifth_round_may_burn(faces, burns):
    assert script(burns_in_descent(RULES, pilot=Pool(1)), faces).outcome == burns
