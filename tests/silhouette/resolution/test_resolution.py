"""Tests of every kind, and the worked examples of the first chapter (book lines 563-741, 828-925)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Seeded, play, script, sub
from rulewright.play.odds import exact
from rulewright.systems.silhouette.resolution.tests import (
    ATTRIBUTE_USES,
    COMPLEXITIES,
    DIFFICULTIES,
    EMERGENCY_DICE,
    LEVELS,
    SAMPLES,
    Contest,
    Mod,
    Opposed,
    Pool,
    Progress,
    Side,
    ability,
    accumulate,
    action_test,
    attribute_pool,
    chance_pool,
    chance_test,
    complexity_above,
    complexity_modifier,
    contest,
    covered,
    fumbles,
    gathered,
    most_emergency_dice,
    needs_test,
    opposed_complexity,
    opposed_test,
    passes,
    reading,
    rolled,
    settle_tie,
    skill_pool,
    take_average,
    take_high,
    task_complexity,
    threshold_of,
    time_to_take_high,
    with_favored_item,
)
from rulewright.systems.silhouette.resolution.tests import Test as Held
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def came(procedure, faces):
    return script(procedure, faces).outcome


# --- the examples --------------------------------------------------------------------------------------------------------------


def test_a_fence_is_climbed_by_one():  # lines 895-897
    jason = skill_pool(PLAIN, 2, attribute=1, attribute_name="Agility")
    assert came(action_test(PLAIN, jason, 5), [(3, 5)]) == Held(6, 5)
    assert came(action_test(PLAIN, jason, 5), [(3, 5)]).margin == 1


def test_a_runner_of_higher_complexity_is_run_down():  # lines 899-901
    def athlete(fitness, complexity):
        return Side(Pool(2).plus(Mod("Fitness", fitness)), "athletics", 2, complexity, fitness)

    sides = (("Jason", athlete(0, 2)), ("first", athlete(1, 1)), ("second", athlete(1, 1)))
    chase = came(contest(PLAIN, sides), [(3, 4), (2, 5), (6, 6)])
    assert [chase.total(name).total for name, _ in sides] == [5, 6, 8]
    assert chase.winner == "second"
    assert chase.margins() == {("first", "Jason"): 1, ("second", "Jason"): 3, ("second", "first"): 2}


def test_an_untrained_talker_botches():  # lines 903-905
    talk = came(opposed_test(PLAIN, Side(skill_pool(PLAIN, 0, attribute=2)), Side(Pool(1))), [(5, 1), (3,)])
    assert talk.actor == Total(1, fumble=True)
    assert talk.verdict == "failure"


def test_chloroform_wins():  # lines 907-909
    test = came(action_test(PLAIN, attribute_pool(PLAIN, 1, "Health"), 7), [(3, 5)])
    assert (test.total, test.margin, test.verdict) == (6, -1, "failure")


def test_a_lucky_air_duct():  # lines 915-917
    assert came(chance_test(PLAIN, psyche=-1), [(6,)]) == Total(5)
    assert came(chance_test(PLAIN, psyche=-1), [(1,)]) == Total(0, fumble=True)
    assert came(chance_test(PLAIN, psyche=0, emergency=1), [(2, 6)]) == Total(6)


def test_a_grate_comes_loose_after_ten_tries_and_five_minutes():  # lines 919-921
    tries = [(5, 1), (6, 2), (4, 4), (5, 3), (6, 1), (3, 2), (6, 6), (4, 1), (5, 2), (5, 5)]  # 1 2 0 1 2 -1 3 0 1 1
    done = came(accumulate(PLAIN, attribute_pool(PLAIN, 0, "Strength"), 4, 10), tries)
    assert done == Progress(10, 10, True)
    assert done.time(30) / 60 == 5


# --- thresholds and margins ----------------------------------------------------------------------------------------------------


def test_the_ladder_of_thresholds():  # lines 631-641
    assert [row.threshold for row in DIFFICULTIES(PLAIN).values()] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]
    assert threshold_of(PLAIN, "very difficult") == 7
    with pytest.raises(UserError, match="did you mean"):
        threshold_of(PLAIN, "dificult")


def test_a_draw_passes_unless_the_campaign_says_otherwise():
    assert passes(PLAIN, 4, 4)
    assert not passes(with_settings(draws_pass=False), 4, 4)
    assert passes(PLAIN, 5, 4)
    assert not passes(PLAIN, 3, 4)
    assert Held(4, 4).verdict == "draw"


def test_a_threshold_follows_the_dice_of_the_campaign():
    assert came(action_test(with_settings(dice="d8"), Pool(2), 5), [(8, 3)]) == Held(8, 7)


def test_only_what_may_fail_is_rolled():
    assert not needs_test(chance_of_failure=False)
    assert needs_test(chance_of_failure=False, special_circumstances=True)
    assert needs_test(chance_of_failure=True)


def test_fumbles():
    assert fumbles(PLAIN, (1, 1, 1))
    assert not fumbles(PLAIN, (1, 2))
    assert fumbles(PLAIN, (1, 6), unskilled_test=True)
    assert not fumbles(PLAIN, (1, 6, 2), unskilled_test=True)
    with pytest.raises(UserError, match="at least one die"):
        fumbles(PLAIN, ())


# --- unskilled tests and Emergency Dice ----------------------------------------------------------------------------------------


def test_an_unskilled_fumble_is_one_without_modifiers():
    assert reading(PLAIN, Pool(0, (Mod("bonus", 3),))).read((1, 6)) == Total(1, fumble=True)
    assert reading(PLAIN, Pool(0, (Mod("bonus", 3),))).read((2, 6)) == Total(5)
    assert reading(PLAIN, Pool(0)).read((6, 6)) == Total(6)


def test_the_chance_of_an_unskilled_fumble_is_eleven_in_thirty_six():
    weights = reading(PLAIN, Pool(0)).weights()
    assert weights[Total(1, fumble=True)] == 11


def test_dice_taken_down_to_none_or_fewer_are_rolled_unskilled():
    assert reading(PLAIN, Pool(2).with_dice(-1)) == reading(PLAIN, Pool(0))


def test_emergency_dice_join_the_lower_die_of_an_unskilled_pair():
    pool = Pool(0, (Mod("bonus", 1),), 2)
    assert reading(PLAIN, pool).read((1, 4, 6, 6)) == Total(8)
    assert reading(PLAIN, pool).read((1, 4, 1, 1)) == Total(1, fumble=True)
    with pytest.raises(UserError, match="unskilled"):
        reading(with_settings(unskilled_emergency_dice="none"), pool)


def test_at_most_five_emergency_dice_on_a_roll():
    assert most_emergency_dice(PLAIN) == 5
    assert len(reading(PLAIN, Pool(2).with_emergency(5)).sides()) == 7
    with pytest.raises(UserError, match="0 to 5"):
        reading(PLAIN, Pool(2).with_emergency(6))
    assert EMERGENCY_DICE.get(PLAIN, "escape from an overkilled vehicle").value == 5


@pytest.mark.parametrize("chosen", [{}, {"reality": "gritty"}, {"reality": "cinematic"}, {"multiples": "any"}, {"dice": "d10"}], ids=str)
def test_emergency_dice_never_hurt(chosen):
    rules = with_settings(**chosen)

    def mean(pool):
        weights = reading(rules, pool).weights()
        return sum(total.total * rolls for total, rolls in weights.items()) / sum(weights.values())

    for dice in (0, 1, 3):
        values = [mean(Pool(dice, (), emergency)) for emergency in range(4)]
        assert values == sorted(values)


# --- Complexity ----------------------------------------------------------------------------------------------------------------


def test_complexity_without_an_opponent():  # line 535
    assert complexity_modifier(3, 1).value == 2
    assert complexity_modifier(1, 3).value == -2
    assert skill_pool(PLAIN, 2, attribute=1, complexity=3, task=2, specialized=True).modifier == 3
    assert task_complexity() == 1
    assert task_complexity(4) == 4
    with pytest.raises(UserError, match="at least 1"):
        task_complexity(0)


def test_complexity_against_an_opponent_counts_within_one_skill():  # line 537
    assert [mod.value for mod in opposed_complexity(PLAIN, 3, 1)] == [2, 0]
    assert [mod.value for mod in opposed_complexity(PLAIN, 1, 3)] == [-2, 0]
    assert [mod.value for mod in opposed_complexity(PLAIN, 3, 1, same_skill=False)] == [0, 0]
    swords = came(opposed_test(PLAIN, Side(Pool(1), "melee", 1, 3), Side(Pool(1), "melee", 1, 1)), [(2,), (3,)])
    assert swords.margin == 1
    dodge = came(opposed_test(PLAIN, Side(Pool(1), "melee", 1, 3), Side(Pool(1), "defense", 1, 1)), [(2,), (3,)])
    assert dodge.margin == -1


def test_a_tool_beyond_its_user():
    def tool(rules, complexity, needed):
        return opposed_complexity(rules, complexity, 1, same_skill=False, tool=needed)[0].value

    assert (tool(PLAIN, 1, 3), tool(PLAIN, 3, 2)) == (-2, 0)
    assert tool(with_settings(tool_complexity_against_others="ignored"), 1, 3) == 0
    assert tool(with_settings(tool_complexity_against_others="in full"), 3, 2) == 1


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
@settings(max_examples=30)
def test_among_several_the_lowest_adds_nothing_and_differences_stay(everyone):
    values = [complexity_above(each, tuple(everyone)).value for each in everyone]
    assert min(values) == 0
    assert all(values[0] - value == everyone[0] - other for value, other in zip(values, everyone, strict=True))


def test_what_levels_and_complexities_are_called():  # lines 541-558, 833-880
    assert [ability(PLAIN, level) for level in (0, 1, 2, 3, 4, 5, 9)] == [
        *("untrained", "rookie", "qualified", "veteran", "elite", "legendary", "legendary"),
    ]
    with pytest.raises(UserError, match="at least 0"):
        ability(PLAIN, -1)
    assert [row.training for row in COMPLEXITIES(PLAIN).values()] == ["basic", "trained", "advanced", "expert", "legendary"]
    assert len(LEVELS(PLAIN)) == 6
    assert set(SAMPLES(PLAIN)) == {"athletics", "language", "medicine", "technical sciences (mechanics)"}
    assert [covered(complexity) for complexity in range(1, 6)] == [1, 2, 4, 8, 16]
    with pytest.raises(UserError, match="1 to 30"):
        covered(0)


# --- contests ------------------------------------------------------------------------------------------------------------------


def test_a_tie_belongs_to_whoever_resists():
    tied = came(opposed_test(PLAIN, Side(Pool(3), "stealth", 3), Side(Pool(1), "notice", 1)), [(4, 2, 1), (4,)])
    assert (tied.verdict, tied.margin) == ("draw", 0)


@pytest.mark.parametrize(
    ("actor", "resister", "winner"),
    [
        ((3, 1, 0), (2, 5, 3), 1),
        ((2, 1, 3), (2, 2, 0), -1),
        ((2, 2, 1), (2, 2, 0), 1),
        ((2, 2, 1), (2, 2, 1), 0),
    ],
)
def test_advanced_ties_go_by_level_then_complexity_then_attribute(actor, resister, winner):  # line 673
    rules = with_settings(advanced_ties=True)
    one, other = Side(Pool(1), "a", *actor), Side(Pool(1), "b", *resister)
    assert settle_tie(rules, one, other) == winner
    assert settle_tie(PLAIN, one, other) == 0
    assert settle_tie(rules, one, other, attack=True) == 0  # line 2181
    tied = came(opposed_test(rules, one, other), [(4,), (4,)])
    assert tied.verdict == {1: "success", -1: "failure", 0: "draw"}[winner]
    assert tied.margin == 0
    ranked = came(contest(rules, (("one", one), ("other", other)), resisting="other"), [(4,), (4,)])
    assert ranked.winner == ("one" if winner == 1 else "other")


def test_a_contest_needs_sides_with_names():
    side = Side(Pool(1))
    with pytest.raises(UserError, match="two sides"):
        play(contest(PLAIN, (("a", side),)), dice=Seeded(1))
    with pytest.raises(UserError, match="takes no part"):
        play(contest(PLAIN, (("a", side), ("b", side)), resisting="c"), dice=Seeded(1))
    held = Contest((("a", Total(4)), ("b", Total(4))), "b")
    assert held.winner == "b"
    with pytest.raises(UserError, match="takes no part"):
        held.total("c")


def test_the_odds_of_a_contest_are_those_of_the_dice():
    odds = exact(sub(opposed_test, PLAIN, Side(Pool(1)), Side(Pool(1))))
    assert sum(weight for outcome, weight in odds.weights.items() if outcome.verdict == "success") * 36 == 15 * odds.total
    assert isinstance(next(iter(odds.weights)), Opposed)


# --- attributes, takes, long tasks, favored items ------------------------------------------------------------------------------


def test_an_attribute_is_two_dice_and_chance_is_one():
    assert attribute_pool(PLAIN, -2) == Pool(2, (Mod("attribute", -2, "sil-1.2.4-attribute-test"),))
    assert chance_pool(PLAIN, 1).dice == 1
    assert len(ATTRIBUTE_USES(PLAIN)) == 12


def test_takes_add_two_or_four_to_the_level():  # lines 577-585
    assert take_average(PLAIN, 3).value == 5
    assert take_high(PLAIN, 3).value == 7
    assert take_high(PLAIN, 3, complexity=3).value == 7
    assert take_high(with_settings(takes_with_complexity=True), 3, complexity=3).value == 9
    assert time_to_take_high(6) == 120


@pytest.mark.parametrize(
    ("given", "message"),
    [({"level": 0}, "level of at least 1"), ({"level": 2, "pressed": True}, "stress"), ({"level": 2, "supernatural": True}, "powers")],
)
def test_takes_are_refused(given, message):
    with pytest.raises(UserError, match=message):
        take_average(PLAIN, **given)


def test_a_failed_try_takes_away_and_never_below_nothing():
    assert gathered(PLAIN, 5, 2) == 7
    assert gathered(PLAIN, 5, -2) == 3
    assert gathered(PLAIN, 1, -4) == 0
    assert gathered(with_settings(long_tasks_end_at_zero=False), 1, -4) == -3
    assert gathered(with_settings(failures_of_a_long_task="nothing"), 5, -2) == 5
    assert gathered(with_settings(failures_of_a_long_task="one"), 5, -2) == 4


def test_a_long_task_is_bounded():
    with pytest.raises(UserError, match="at least 1"):
        play(accumulate(PLAIN, Pool(2), 4, 0), dice=Seeded(1))
    with pytest.raises(UserError, match="1 to 50"):
        play(accumulate(PLAIN, Pool(2), 4, 5, tests=99), dice=Seeded(1))
    assert came(accumulate(PLAIN, Pool(1), 6, 5, tests=2), [(2,), (3,)]) == Progress(0, 2, False)


def test_a_long_task_has_exact_odds():
    odds = exact(sub(accumulate, PLAIN, Pool(2), 4, 3, 3))
    assert sum(odds.weights.values()) == odds.total
    assert any(outcome.done for outcome in odds.weights)


def test_a_favored_item_spares_the_mishap():  # line 1299
    rules = with_settings(favored_items=True)
    assert with_favored_item(rules, Total(3, fumble=True)) == Total(3)
    assert with_favored_item(PLAIN, Total(3, fumble=True)) == Total(3, fumble=True)
    favored = Pool(2, (Mod("Agility", 2),), favored=True)
    assert came(action_test(rules, favored, 4), [(1, 1)]) == Held(3, 4)
    assert came(action_test(PLAIN, favored, 4), [(1, 1)]) == Held(3, 4, fumble=True)


@pytest.mark.parametrize(("fumbles", "worth"), [("count 1", 1), ("count nothing", 0)])
def test_an_unskilled_fumble_is_worth_one_or_nothing(fumbles, worth):
    """Lines 620, 683, 741: two dice, of which a single 1 is a fumble; what is added does not count."""
    campaign = BOOK.ruleset(settings={"unskilled-fumbles": fumbles})
    came = script(rolled(campaign, Pool(0, (Mod("helpful", 3),))), [(1, 5)]).outcome
    assert (came.total, came.fumble) == (worth, True)
    for threshold, margin in ((0, worth), (1, worth - 1), (2, worth - 2)):
        assert script(action_test(campaign, Pool(0), threshold), [(1, 5)]).outcome.margin == margin
