"""Tasks, quality ratings, opposed and repeated attempts (book lines 223-317, 347-370, 1338-1619)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers, sampled_from

from foresight.rules_for_tests import RULES, under
from rulewright.dice import count_every_roll, weights_of
from rulewright.errors import UserError
from rulewright.play import Seeded, play, replay, script, sub
from rulewright.play.odds import exact, sample
from rulewright.rules import House
from rulewright.systems.foresight.resolution.tests import (
    DIFFICULTIES,
    INPUTS,
    KNOWLEDGE,
    LADDER,
    QUALITY,
    RANDOM,
    RATINGS,
    RESULTS,
    STRANGENESS,
    Blocked,
    Contest,
    Effective,
    Mod,
    Persistence,
    Quality,
    QualityRoll,
    Task,
    Weighed,
    amount,
    attempt,
    blocked,
    built_on,
    chance_of,
    compare,
    contest,
    difficulty,
    duration,
    ease_factor,
    effective,
    explained_chance,
    follow_up,
    in_steps,
    keep_trying,
    knowledge_modifier,
    label,
    oppose,
    performance,
    player_input,
    quality_rating,
    random_quality,
    reading,
    roll_d10,
    roll_d100,
    rounded,
    strangeness,
    success_chance,
    talked_through,
    try_task,
    unrounded,
    why,
    written_score,
)
from rulewright.systems.foresight.settings import BOOK


def task(score, ease, *mods):
    return Task(score, ease, tuple(Mod("m", value) for value in mods))


# --- scores above twenty (lines 231-233, 370) ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "written"),
    [(14, "14"), (20, "20"), (22, "20"), (23, "20+1"), (25, "20+1"), (26, "20+2"), (28, "20+2"), (29, "20+3"), (31, "20+3"), (24, "20+1")],
)
def test_every_three_points_above_twenty_are_a_bonus_to_the_ease_factor(score, written):  # 233, 1043
    assert written_score(RULES, score) == written


@given(score=integers(0, 200))
def test_the_bonus_is_a_third_of_the_rest_rounded_down(score):
    assert effective(RULES, score) == Effective(min(score, 20), max(0, (score - 20) // 3))


# --- the ladder (lines 248-258) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "modifier", "ease"),
    [
        (5, 1, 6),
        (4, -5, 0.25),
        (6, 10 - 4, 12),
        (2, -2, 0.5),
        (5, -6, 0.25),
        (5, -1 + 1, 5),
        (15, 1, 15),
        (1, -3, 0),
        (1, -9, 0),
        (0, 3, 1),
    ],
)
def test_modifiers_are_rungs_of_the_ladder(base, modifier, ease):  # 251, 292, 304, 1354
    assert ease_factor(RULES, base, modifier) == ease


def test_modifiers_are_added_up_before_they_count():  # 251-256: 6 + 10 - 4 is 12, not 11
    assert chance_of(RULES, task(10, 6, 10, -4)) == 120


def test_a_campaign_may_hold_that_nothing_comes_of_a_base_of_nothing():
    assert ease_factor(under(zero_base="none"), 0, 5) == 0


@given(base=sampled_from(LADDER), modifier=integers(-40, 40))
def test_the_ease_factor_stays_on_the_ladder(base, modifier):
    found = ease_factor(RULES, base, modifier)
    assert found in LADDER
    assert LADDER.index(found) == max(0, min(17, LADDER.index(base) + modifier))


def test_a_base_that_is_on_no_rung_is_refused():
    with pytest.raises(UserError, match=r"0, 0\.25, 0\.5, 1, 2"):
        ease_factor(RULES, 1.5)


# --- the success chance (lines 239-245, 302-306, 1338-1360) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "base", "mods", "chance"),
    [
        (14, 5, (), 70),  # 1344
        (14, 5, (-1, 1), 70),  # 304
        (17, 3, (-2, -2, 1, 1, 1), 34),  # 245: the arithmetic, with the modifiers as printed
        (13, 0.25, (), 3),  # 266
        (14, 5, (-6,), 4),  # 1354: 3.5 is printed unrounded, the rule of 264 makes it 4
        (19, 3, (1, 1), 95),  # 1384
        (19, 3, (1, -2, 2), 76),  # 1388
        (19, 3, (1, -2), 38),  # 1390
        (12, 7, (), 84),  # 3304
        (9, 7, (), 63),  # 3314
        (24, 5, (), 120),  # 1043: 20+1
    ],
)
def test_the_chance_is_score_times_ease_factor(score, base, mods, chance):
    assert chance_of(RULES, task(score, base, *mods)) == chance


def test_a_fraction_of_half_goes_up_and_less_goes_down():  # 262-266
    assert [rounded(RULES, value) for value in (10.5, 3.25, 3.5, 2.49)] == [11, 3, 4, 2]


def test_a_campaign_can_keep_fractions():  # 270
    ours = under(continuous_values=True)
    assert rounded(ours, 3.25) == unrounded(ours, 3.25) == 3.25
    assert chance_of(ours, task(13, 0.25)) == 3.25
    assert success_chance(ours, 10.5, 5) == 52.5


def test_the_chance_says_why_it_is_what_it_is():
    found = explained_chance(RULES, 23, 5, -2)
    assert found.value == 80
    labels = [reason.label for top in found.reasons for _, reason in top.walk()]
    assert labels == ["score", "counts as 20", "ease factor", "base ease factor", "modifiers", "score 23 above 20"]
    assert why(RULES, task(14, 5)).value == 70


# --- quality ratings (lines 308-317, 1362-1392) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "roll", "qr"),
    [
        (70, 32, 3),  # 319
        (70, 36, 4),  # 323
        (70, 70, 4),
        (70, 35, 3),
        (70, 71, 7),
        (70, 80, 10),
        (70, 90, 10),
        (70, 100, 10),
        (70, 7, 1),
        (70, 8, 2),
        (70, 14, 2),
        (70, 15, 3),
        (95, 75, 4),  # 1384
        (95, 44, 3),  # 1386
        (76, 78, 7),  # 1388
        (95, 4, 1),  # 1390
        (95, 99, 7),
        (38, 19, 3),
        (95, 49, 4),  # 1392
        (95, 47, 3),
        (95, 48, 4),
        (76, 75, 4),
        (95, 9, 1),
        (95, 10, 2),
        (95, 19, 2),
        (300, 99, 4),  # 1375
        (99, 99, 4),
        (100, 100, 7),  # 1376
        (99, 100, 10),
        (84, 63, 4),  # 3304
        (63, 62, 4),  # 3314
        (0, 10, 10),
        (0, 1, 7),
    ],
)
def test_a_rating_is_a_share_of_the_chance(chance, roll, qr):
    assert quality_rating(RULES, roll, chance) == qr


def rating_by_the_book(roll, chance):
    """The table of lines 1366-1376, word for word."""
    if roll > chance or roll == 100:
        return 10 if roll > chance and roll % 10 == 0 else 7
    for qr, share in ((1, 10), (2, 5), (3, 2), (4, 1)):
        if roll * share <= chance:
            return max(qr, 4) if roll == 99 else qr
    raise AssertionError


@given(roll=integers(1, 100), chance=integers(0, 300))
def test_ratings_follow_the_printed_table(roll, chance):
    assert quality_rating(RULES, roll, chance) == rating_by_the_book(roll, chance)


@given(roll=integers(1, 100), sixteenths=integers(0, 4800))
def test_limits_of_a_fractional_chance_are_never_rounded(roll, sixteenths):
    assert quality_rating(RULES, roll, sixteenths / 16) == rating_by_the_book(roll, Fraction(sixteenths, 16))


@given(
    score=integers(0, 60),
    base=sampled_from(LADDER),
    modifier=integers(-12, 12),
    failing=sampled_from([(), (99,), (50, 99), (25, 50, 75, 99)]),
)
def test_the_odds_of_a_task_are_what_counting_every_roll_gives(score, base, modifier, failing):
    found = reading(RULES, task(score, base, modifier), failing)
    assert dict(weights_of(found)) == count_every_roll(found)
    assert sum(weights_of(found).values()) == 100


@pytest.mark.parametrize("chance", [0, 9, 10, 97, 98, 99, 100, 101])
def test_at_the_ends_of_the_scale_the_odds_are_what_counting_every_roll_gives(chance):
    found = QualityRoll((chance // 10, chance // 5, chance // 2, chance))
    assert dict(weights_of(found)) == count_every_roll(found)


def test_nothing_is_surer_than_ninety_nine_in_a_hundred():  # 1358
    odds = exact(sub(attempt, RULES, task(20, 15)))
    assert odds.chance(lambda outcome: outcome.success) == (0.99, 0.99)


def test_an_impossible_task_never_succeeds():  # 1352
    assert exact(sub(attempt, RULES, task(20, 5, -20))).chance(lambda outcome: outcome.success) == (0, 0)


def test_two_rolls_are_alike_whatever_they_are_rolled_for():
    one = QualityRoll((9, 19, 47, 95), (99,))
    assert one == QualityRoll((9, 19, 47, 95), (99,), Weighed(Task(12, 5), 0, 5.0, 60.0))
    assert one not in (QualityRoll((9, 19, 47, 94), (99,)), QualityRoll((9, 19, 47, 95), (98,)), (9, 19, 47, 95))


def test_the_roll_of_a_task_also_says_whether_the_thing_fails():  # 3587
    found = QualityRoll((9, 19, 47, 95), (99,))
    assert found.read((99,)) == Quality(7, True)
    assert found.read((98,)) == Quality(7)


def test_ratings_have_words_and_can_be_changed_by_the_house():
    assert [label(RULES, qr) for qr in RATINGS] == ["brilliant", "good", "competent", "mediocre", "failure", "botch"]
    generous = BOOK.ruleset(house=House(tables={"fs-quality-rating": {"1": {"share": 0.15}}}))
    assert quality_rating(generous, 10, 70) == 1
    assert list(QUALITY(RULES)) == [str(qr) for qr in RATINGS]


def test_a_task_of_bare_numbers_is_played_and_replayed():
    played = script(try_task(RULES, 14, 5, 0), [(32,)])
    assert played.outcome == Quality(3)
    assert played.outcome.success
    again = play(attempt(RULES, task(14, 5)), dice=Seeded(5))
    assert replay(attempt(RULES, task(14, 5)), again.record) == again


def test_exact_and_sampled_odds_agree():
    part = sub(oppose, RULES, task(14, 5), task(12, 4))
    odds, counted = exact(part), sample(part, 4000, seed=1)
    for outcome, weight in odds:
        share = weight / odds.total
        assert abs(counted.get(outcome, 0) - 4000 * share) <= 5 * (4000 * share * (1 - share)) ** 0.5 + 1


def test_the_dice_are_ten_sided():  # 347
    assert script(roll_d100(RULES), [(100,)]).outcome == 100
    assert script(roll_d10(RULES), [(10,)]).outcome == 10


# --- yield, time, performance (lines 1394-1408) --------------------------------------------------------------------------------


def test_a_rating_is_worth_a_yield_a_time_or_a_modifier():  # 1368-1373
    rows = [(row.yields, row.time, row.pm) for row in RESULTS(RULES).values()]
    assert rows == [(100, 25, 3), (75, 50, 2), (50, 100, 1), (25, 200, 0), (0, 200, -3), (-25, 200, -6)]
    assert amount(RULES, 2, 80).value == 60
    assert duration(RULES, 1, 60).value == 15
    assert [performance(RULES, qr) for qr in RATINGS] == [4 - qr for qr in RATINGS]


def test_where_nobody_may_tell_a_failure_gives_as_much_as_a_bare_success():  # 1400
    assert amount(RULES, 7, 100, hidden=True).value == amount(RULES, 10, 100, hidden=True).value == 25
    assert amount(RULES, 7, 100).value == 0


# --- opposed tasks (lines 1481-1551) -------------------------------------------------------------------------------------------


def test_the_better_rating_wins_and_a_tie_is_open():  # 1489-1495
    assert compare(RULES, 3, 4) == Contest(3, 4, 1)
    assert compare(RULES, 7, 4).winner == 2
    assert compare(RULES, 4, 4, 10, 15).winner == 0
    assert compare(RULES, 3, 3, 10, 15, decide=True).winner == 2
    assert compare(under(comparing_ties="score"), 3, 3, 16, 15).winner == 1
    assert compare(RULES, 3, 3, 15, 15, decide=True).winner == 0
    assert compare(RULES, 2, 7).margin == 5


def test_two_sides_roll_at_once():
    assert script(contest(RULES, task(14, 5), task(12, 5), decide=True), [(20,), (25,)]).outcome == Contest(3, 3, 1)


BLOCKING = {  # 1511-1519
    1: (7, 4, 3, 2, 1, 1),
    2: (7, 7, 4, 3, 2, 1),
    3: (7, 7, 7, 4, 3, 2),
    4: (7, 7, 7, 7, 4, 3),
    7: (7, 7, 7, 7, 7, 4),
    10: (10, 10, 10, 10, 10, 10),
}


@pytest.mark.parametrize("attack", RATINGS)
@pytest.mark.parametrize("defense", RATINGS)
def test_a_defense_takes_notches_off_an_attack(attack, defense):
    assert blocked(RULES, attack, defense) == BLOCKING[attack][RATINGS.index(defense)]


def test_an_attack_and_its_defense_are_rolled_together():  # 1838: QR3 blocked by QR4 is QR4
    assert script(oppose(RULES, task(14, 5), task(14, 5)), [(30,), (60,)]).outcome == Blocked(3, 4, 4)


@pytest.mark.parametrize(("qr", "with_it", "against"), [(1, 3, -3), (2, 2, -2), (3, 1, -1), (4, 0, 0), (7, -3, 3), (10, -6, 6)])
def test_a_result_is_a_modifier_of_the_next_task(qr, with_it, against):  # 1531-1543
    assert (follow_up(RULES, qr), follow_up(RULES, qr, opposing=True)) == (with_it, against)


def test_hackers_build_on_botched_security():  # 1545-1551
    assert built_on(RULES, 7, "Smith's setup", opposing=True).value == 3
    assert built_on(RULES, 2, "Anderson's break-in", opposing=True).value == -2
    assert built_on(RULES, 2, "Anderson's break-in").value == 2


def test_steps_build_on_each_other():
    done = script(in_steps(RULES, (task(14, 5), task(14, 5), task(14, 5))), [(5,), (80,), (20,)]).outcome
    assert done == (1, 4, 3)  # +3 for the first (SC 112), 0 for the second (SC 70)
    with pytest.raises(UserError, match="quality rating is one of"):
        follow_up(RULES, 5)


# --- modifiers in words --------------------------------------------------------------------------------------------------------


def test_difficulty_in_words():  # 1412-1421
    assert [row.modifier for row in DIFFICULTIES(RULES).values()] == [5, 3, 1, 0, -1, -3, -5, -7]
    assert difficulty(RULES, "very hard") == Mod("very hard", -3, "fs-rule-of-thumb-modifiers")


def test_player_input_adds_up():  # 1449-1462
    assert [row.modifier for row in INPUTS(RULES).values()] == [1, 1, 1, 0, -1, -2, -3]
    assert player_input(RULES, ("entertaining", "convincing", "in character")).value == 3
    assert player_input(RULES, ("nothing",)).value == -1  # 1464 prints 0 and -1 for what the table makes -1 and -2
    assert player_input(RULES, ("unconvincing",)).value == -2
    assert player_input(under(player_input=False), ("ridiculous",)).value == 0


def test_knowledge_helps_or_hinders():  # 1567-1575
    rows = {row.knowledge: (row.lowest, row.highest) for row in KNOWLEDGE(RULES).values()}
    assert rows == {
        "inadequate": (-10, -5),
        "barely sufficient": (-4, -3),
        "adequate": (-2, -1),
        "fair": (0, 0),
        "detailed": (1, 1),
        "profound": (2, 3),
    }
    assert knowledge_modifier(RULES, "profound", 3).value == 3
    assert knowledge_modifier(RULES, "profound", 3, helps=False).value == 0
    with pytest.raises(UserError, match="-2 to -1"):
        knowledge_modifier(RULES, "adequate", 0)


def test_knowledge_can_be_lent():  # 1587-1591
    assert talked_through(RULES, -5, 1).value == 1
    assert talked_through(RULES, 2, 1).value == 2


def test_strangeness_wears_off_and_never_helps():  # 1326-1336
    assert [row.modifier for row in STRANGENESS(RULES).values()] == [-10, -5, -3, -2, -1]
    assert strangeness(RULES, "wrong", eased=1).value == -1
    assert strangeness(RULES, "different", eased=3).value == 0


# --- random ratings and trying again -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d10", "qr"), [(1, 1), (2, 2), (3, 3), (5, 3), (6, 4), (10, 4)])
def test_a_random_rating_is_a_d10(d10, qr):  # 1472-1477
    assert script(random_quality(RULES), [(d10,)]).outcome == qr


def test_a_random_rating_is_never_a_failure():
    odds = exact(sub(random_quality, RULES))
    assert {qr: weight * 10 // odds.total for qr, weight in odds} == {1: 1, 2: 1, 3: 3, 4: 5}
    assert list(RANDOM(RULES)) == ["1", "2", "3", "4"]


def test_trying_again_gets_harder_until_it_works():  # 1611
    assert script(keep_trying(RULES, task(10, 5), 3, 1), [(51,), (41,), (30,)]).outcome == Persistence(4, 3)
    assert script(keep_trying(RULES, task(10, 5), 3, 1), [(60,)]).outcome == Persistence(10, 1)
    odds = exact(sub(keep_trying, RULES, task(10, 5), 4, 1))
    assert odds.unsettled == 0
    with pytest.raises(UserError, match="attempts"):
        play(keep_trying(RULES, task(10, 5), 0))


def test_a_strong_will_makes_a_fresh_start():  # 1663
    discouraged = keep_trying(RULES, task(10, 5), 3, 2)
    assert script(discouraged, [(51,), (31,), (11,)]).outcome == Persistence(7, 3)
    fresh = keep_trying(RULES, task(10, 5), 3, 2, will=task(9, 7))
    assert script(fresh, [(51,), (63,), (50,)]).outcome == Persistence(4, 2)  # at 50 again
    weak = keep_trying(RULES, task(10, 5), 2, 2, will=task(9, 7))
    assert script(weak, [(51,), (64,), (31,)]).outcome == Persistence(7, 2)  # at 30


@given(score=floats(0, 60, allow_nan=False))
def test_a_score_that_no_rule_gives_is_still_read(score):
    assert reading(under(continuous_values=True), Task(score, 5)).limits[3] >= 0


def test_scores_and_modifiers_have_bounds():
    with pytest.raises(UserError, match="score"):
        reading(RULES, task(5000, 5))
    with pytest.raises(UserError, match="modifier"):
        reading(RULES, task(10, 5, 99999))
