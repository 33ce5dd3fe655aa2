"""Skills (book lines 546-695)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.hybrid.people.advancement import standing
from rulewright.systems.hybrid.people.characters import Character, Training
from rulewright.systems.hybrid.people.skills import (
    FAMILIES,
    Ranks,
    Use,
    base_cost,
    expertise,
    familiarize,
    family_cost,
    filtered_rank,
    known,
    meaning,
    own_difficulty,
    pool_bonus,
    raising_cost,
    ranks_percent,
    ranks_worth,
    related_rank,
    skill_record,
    stand_in_factor,
    trained,
    training_hours,
    unfamiliar_tool,
    use_check,
    use_factor,
    use_through_filter,
)
from rulewright.systems.hybrid.resolution.tests import Check, Mod
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


@pytest.mark.parametrize(
    ("rank", "name", "of_chapter_12"),
    [
        (None, "Unranked", "Unranked"),
        (0, "Familiar", "Familiar"),
        (3, "Beginner", "Beginner"),
        (6, "Dedicated Amateur", "Amateur"),
        (10, "Solid Workaday Craftsman", "Solid Apprentice"),
        (14, "Professional", "Journeyman"),
        (18, "Expert", "Professional or Guild Master"),
        (22, "Mastery", "Expert"),
        (25, "Mastery", "True Master"),
        (26, "Mystical Mastery", "Mystical Master"),
        (30, "Mystical Mastery", "Mystical Master"),
    ],
)
def test_ranks_have_names(rank, name, of_chapter_12):  # 568-579, 2295-2311
    assert expertise(RULES, rank) == name
    assert expertise(under(rank_names="chapter 12"), rank) == of_chapter_12


def test_types_have_meanings():  # 581-605
    assert "muscles" in meaning(RULES, "physical discipline")


@pytest.mark.parametrize("family", FAMILIES(RULES))
def test_the_cost_of_a_common_skill_is_the_sum_of_its_components(family):  # 638-651
    assert family_cost(RULES, family).value == FAMILIES(RULES)[family].cost


def test_an_unlisted_skill_is_priced_by_its_components():  # 661
    cost = base_cost(RULES, "art", "single assisted", "simple tools")
    assert cost.value == 3 + 1 + 1
    assert own_difficulty(RULES, "art", "single assisted", "simple tools").value == -2 - 1 - 1
    assert own_difficulty(under(skills_have_difficulty=False), "art").value == 0


def test_a_skill_is_described_by_name_difficulty_stat_base_and_costs():  # 546-562
    found = skill_record(RULES, "Lore: Herbs")
    assert (found.name, found.difficulty.value, found.stat_base, found.base_cost.value) == ("Lore: Herbs", -4, ("MST",), 3)
    assert skill_record(RULES, "Weapon: Fist").base_cost.value == 2  # 653
    assert known(RULES, "Underwater Basketry") is None
    with pytest.raises(UserError, match="not a skill of the book"):
        skill_record(RULES, "Underwater Basketry")


def test_raising_a_fist_from_rank_0_to_1_costs_4_and_to_2_another_4():  # 653
    assert raising_cost(RULES, 2, 0, 1).value == 4
    assert raising_cost(RULES, 2, 1, 2).value == 4
    assert raising_cost(RULES, 2, 0, 2).value == 8


@given(integers(2, 9), integers(0, 29))
def test_raising_costs_the_base_cost_times_a_factor_that_never_falls(base, rank):
    now, later = raising_cost(RULES, base, rank, rank + 1).value, raising_cost(RULES, base, rank + 1, min(30, rank + 2)).value
    assert now % base == 0
    assert later >= now or rank == 29
    if rank >= 7:
        assert now == base * ((rank + 1) // 2)


def test_from_unranked_to_rank_0_costs_a_step_too():
    assert raising_cost(RULES, 3, None, 0).value == 6
    assert raising_cost(RULES, 3, 5, 5).value == 0


def test_training():  # 657
    assert [trained(RULES, 60, how).value for how in ("teacher", "partner", "alone")] == [6, 3, 2]
    assert trained(RULES, 59, "alone").value == 1
    assert training_hours(RULES, 4, "partner").value == 80
    with pytest.raises(UserError):
        trained(RULES, -1)


def test_rank_10_in_slug_pistol_is_rank_2_with_a_stun_weapon():  # 667
    assert related_rank(RULES, 10, "fairly different").value == 2
    assert [related_rank(RULES, 14, how).value for how in ("similar", "fairly different", "far-fetched")] == [5, 2, 1]
    assert stand_in_factor(RULES, (12,), 10).value == 14
    assert stand_in_factor(under(related_counts_as_ranked=False), (12,), 10).value == -1


def test_an_unfamiliar_tool_costs_2_until_two_rolls_at_minus_3_succeed():  # 671
    assert [unfamiliar_tool(RULES, learnt).value for learnt in (0, 1, 2, 3)] == [-2, -1, 0, 0]
    played = script(familiarize(RULES, (15,), rolls=5), [(52,), (53,), (10,)])  # 15 - 3 = 12: 52 %
    assert played.outcome == 0
    assert played.events[0].headline() == "somebody is used to the tool"
    assert script(familiarize(RULES, (15,), rolls=1), [(99,)]).outcome == -2


def test_the_odds_of_growing_familiar():
    odds = exact(lambda: familiarize(RULES, (15,), rolls=2))
    assert (odds[0], odds[-1], odds[-2]) == (Fraction(52 * 52, 10_000), Fraction(2 * 52 * 48, 10_000), Fraction(48 * 48, 10_000))


def test_specific_ranks_count_in_full_support_by_half_general_by_a_quarter():  # 679
    assert ranks_worth(RULES, Ranks(specific=8)).value == 8
    assert ranks_worth(RULES, Ranks(general=8)).value == 2
    assert ranks_worth(RULES, Ranks(specific=8, supports=(4, 2))).value == 11
    assert ranks_worth(RULES, Ranks(specific=8, general=1, supports=(1,))).value == 9  # 8.75, rounded once at the end


def test_a_campaign_may_count_ranks_in_percent():  # 679
    percent = under(ranks_count="percent")
    assert ranks_worth(percent, Ranks(specific=8)).value == 0
    assert ranks_percent(percent, Ranks(specific=8, general=4, supports=(3,))).value == 32 + 4 + 6
    assert ranks_percent(RULES, Ranks(specific=8)).value == 0
    assert use_check(percent, Use((12,), Ranks(8))) == Check(12, 32)


def test_archery_on_horseback_goes_up_to_the_rank_of_mounted_combat_without_a_roll():  # 689
    assert script(use_through_filter(RULES, 4, 5), []).outcome == 4
    assert script(use_through_filter(RULES, 8, 5, Check(12)), [(52,)]).outcome == 8
    assert script(use_through_filter(RULES, 8, 5, Check(12)), [(53,)]).outcome == 5
    assert filtered_rank(RULES, 8, None) == 0


def test_a_pool_gives_half_the_highest_rank_and_a_tenth_of_the_others():  # 693
    assert pool_bonus(RULES, (8, 5, 3)).value == 4
    assert pool_bonus(RULES, (9, 9, 9, 9)).value == 7  # 4.5 + 2.7
    assert pool_bonus(RULES, (2,) * 12).value == 2  # never more than the highest
    assert pool_bonus(RULES, (8,)).value == 0
    assert pool_bonus(under(pool_needs=1), (8,)).value == 4


@given(lists(integers(0, 30), min_size=2, max_size=12))
def test_a_pool_never_gives_more_than_its_highest_rank(ranks):
    bonus = pool_bonus(RULES, tuple(ranks)).value
    assert 0 <= bonus <= max(ranks)
    assert bonus == min(max(ranks), int(Fraction(max(ranks), 2) + Fraction(sum(ranks) - max(ranks), 10)))


def test_a_use_of_a_skill_adds_up_everything_that_bears_on_it():
    use = Use((12, 14), Ranks(8, supports=(2,)), -5, -1, (8, 5), (Mod("running", -5),), (Mod("set up", 36),))
    found = use_factor(RULES, use)
    assert found.value == 13 + 9 - 5 - 1 - 5 + 4
    assert found.value == sum(int(each.value) for each in found.reasons)
    assert use_check(RULES, use) == Check(15, 36)
    assert use_check(under(pool_bonus="percent"), use) == Check(11, 40)
    assert use_check(under(pool_bonus="nothing", skills_have_difficulty=False), use) == Check(12, 36)
    assert use_factor(RULES, Use((12,), Ranks(supports=(8,)))).value == -3  # a support skill alone is no rank


@pytest.mark.parametrize(("hours", "points"), [((10,), 1), ((10, 10), 2), ((10, 9), 1), ((10, 9, 1), 2), ((25, 25, 25), 7)])
def test_hours_of_training_are_added_up_and_every_ten_with_a_teacher_are_a_point(hours, points):
    log = tuple(Training(each, "teacher") for each in hours)
    assert standing(RULES, Character(name="Al", advancement=log)).earned == points


def test_every_step_of_raising_is_named_by_the_rank_it_leads_to():
    labels = [reason.label.partition(":")[0] for reason in raising_cost(RULES, 2, None, 2).reasons]
    assert labels == ["rank 0", "rank 1", "rank 2"]
