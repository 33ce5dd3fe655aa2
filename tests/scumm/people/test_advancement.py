"""Experience: what it buys and what it costs (book lines 274-295)."""

import pytest

from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.scumm.build.audit import audit
from rulewright.systems.scumm.people.advancement import (
    attribute_cost,
    award,
    buy_attribute,
    buy_emergency_dice,
    buy_skill,
    buy_specialization,
    emergency_dice_cost,
    experience_award,
    highest_level,
    improvement_cost,
    specialization_cost,
    spend_emergency_dice,
    standing,
)
from rulewright.systems.scumm.people.characters import Attributes, Award, Character, Person, Purchase, Spent
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
BO = Character("Bo", attributes=Attributes(2, 1, 1, 1), skills={"rifles": 4, "brawl": 2, "swim": 1}, emergency_dice=19)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def rich(xp=200):
    return award(RULES, BO, xp)


# --- prices --------------------------------------------------------------------------------------------------------------------


def test_a_session_brings_five_points_on_average():  # 276
    assert experience_award(RULES).value == 5
    assert experience_award(RULES, 7).value == 35


def test_a_campaign_can_be_more_generous():
    generous = BOOK.ruleset(house=House(tables={"scumm-xp-award": {"average per session": {"value": 8}}}))
    assert experience_award(generous, 2).value == 16


@pytest.mark.parametrize(("level", "step", "total"), [(1, 1, 1), (2, 5, 4), (3, 10, 5), (4, 15, 5), (5, 25, 10), (6, 35, 10), (7, 50, 15)])
def test_every_level_has_its_price_as_a_step_or_as_a_total(level, step, total):  # 294-295, ruling
    assert improvement_cost(RULES, level).value == step
    assert improvement_cost(under(experience_costs="totals"), level).value == total


def test_reaching_level_three_from_nothing_costs_sixteen():  # ruling on 292-295
    cost = improvement_cost(RULES, 3, 0)
    assert cost.value == 16
    assert [term.value for term in cost.reasons] == [1, 5, 10]


def test_seven_levels_have_a_price():
    assert highest_level(RULES) == 7
    for level in (0, 8):
        with pytest.raises(UserError, match="from 1 to 7"):
            improvement_cost(RULES, level)
    with pytest.raises(UserError, match="from level 3"):
        improvement_cost(RULES, 3, 3)


def test_a_point_of_an_attribute_costs_fifty_up_to_plus_three():  # 288
    assert attribute_cost(RULES, 1).value == 50
    assert attribute_cost(RULES, 3, -1).value == 200
    for to, before in ((4, 3), (2, 2)):
        with pytest.raises(UserError, match="at most"):
            attribute_cost(RULES, to, before)


def test_an_emergency_die_costs_one_point():  # 282
    assert emergency_dice_cost(RULES, 7).value == 7
    with pytest.raises(UserError, match="at least one"):
        emergency_dice_cost(RULES, 0)


def test_a_specialization_costs_five_points_in_play_unless_the_campaign_says_otherwise():  # ruling on 74-76
    assert specialization_cost(RULES).value == 5
    assert specialization_cost(under(specialization_experience=8)).value == 8


# --- buying --------------------------------------------------------------------------------------------------------------------


def test_an_award_is_written_into_the_log():
    assert award(RULES, BO, 7, "the bridge").advancement == (Award(7, "the bridge"),)
    assert award(RULES, BO).advancement == (Award(5),)


def test_a_skill_is_raised_by_one_level_and_a_new_one_begins_at_one():  # 292
    now = buy_skill(RULES, rich(), "rifles", story="the range")
    assert now.advancement[-1] == Purchase("skill", "rifles", 5, story="the range")
    assert Person.of(RULES, now).level("rifles") == 5
    assert buy_skill(RULES, rich(), "gamble").advancement[-1].to == 1
    assert standing(RULES, now).left == 200 - 25


def test_levels_cannot_be_skipped():  # 292
    with pytest.raises(UserError, match="none can be skipped"):
        buy_skill(RULES, rich(), "brawl", 4)
    with pytest.raises(UserError, match="begins at level 1"):
        buy_skill(RULES, rich(), "gamble", 2)
    with pytest.raises(UserError, match="level 2 already"):
        buy_skill(RULES, rich(), "brawl", 2)


def test_nobody_buys_what_they_cannot_pay():
    with pytest.raises(UserError, match="costs 25 XP and only 24 are left"):
        buy_skill(RULES, rich(24), "rifles")
    assert buy_skill(RULES, rich(25), "rifles")


def test_beyond_level_seven_the_book_has_no_price():
    master = rich(1000)
    for _ in range(3):
        master = buy_skill(RULES, master, "rifles")
    assert Person.of(RULES, master).level("rifles") == 7
    with pytest.raises(UserError, match="no price beyond level 7"):
        buy_skill(RULES, master, "rifles")


def test_an_attribute_is_raised_to_plus_three_and_no_further():  # 288
    strong = buy_attribute(RULES, rich(), "alertness")
    assert Person.of(RULES, strong).attribute("alertness") == 3
    assert standing(RULES, strong).left == 150
    with pytest.raises(UserError, match=r"\+3 at most"):
        buy_attribute(RULES, strong, "alertness")
    with pytest.raises(UserError, match="one point at a time"):
        buy_attribute(RULES, rich(), "body", 3)
    with pytest.raises(UserError, match="already"):
        buy_attribute(RULES, rich(), "body", 1)


def test_a_specialization_needs_the_skill_and_a_name_of_its_own():  # 76
    keen = buy_specialization(RULES, rich(), "rifles", "M-16")
    assert Person.of(RULES, keen).specializations == {"rifles": ("M-16",)}
    assert standing(RULES, keen).left == 195
    for skill, name, why in (("rifles", "m-16", "already"), ("gamble", "cheating", "never learnt"), ("rifles", " ", "no name")):
        with pytest.raises(UserError, match=why):
            buy_specialization(RULES, keen, skill, name)


def test_experience_turns_into_emergency_dice_and_dice_are_spent():  # 282
    lucky = buy_emergency_dice(RULES, rich(6), 6)
    assert standing(RULES, lucky).emergency_dice == 25
    used = spend_emergency_dice(RULES, lucky, 5, "a leap")
    assert used.advancement[-1] == Spent(5, "a leap")
    assert Person.of(RULES, used).emergency_dice == 20
    with pytest.raises(UserError, match="26 Emergency Dice spent, 25 owned"):
        spend_emergency_dice(RULES, lucky, 26)
    with pytest.raises(UserError, match="cannot be bought"):
        buy_emergency_dice(RULES, rich(), 0)
    with pytest.raises(UserError, match="cannot be spent"):
        spend_emergency_dice(RULES, lucky, 0)


@pytest.mark.parametrize(("buy", "what", "near"), [(buy_skill, "riffles", "skill"), (buy_attribute, "boddy", "attribute")])
def test_unknown_names_are_refused(buy, what, near):
    with pytest.raises(UserError, match=f"there is no {near}"):
        buy(RULES, rich(), what)


def test_a_negative_award_is_refused():
    with pytest.raises(UserError, match="is negative"):
        award(RULES, BO, -1)


def test_whoever_forces_a_purchase_gets_it_and_the_audit_tells():
    forced = buy_skill(RULES, BO, "rifles", force=True)
    assert Person.of(RULES, forced).level("rifles") == 5
    report = audit(RULES, forced)
    assert not report.legal
    assert [(p.field, p.over) for p in report.problems] == [("advancement.0", 25)]


def test_a_price_of_the_gamemasters_own_is_paid():
    cheap = buy_skill(RULES, rich(10), "rifles", xp=10)
    assert standing(RULES, cheap).left == 0
    with pytest.raises(UserError, match="give points back"):
        buy_skill(RULES, rich(), "rifles", xp=-3)


def test_the_setting_for_experience_costs_changes_what_a_log_comes_to():
    log = buy_skill(RULES, rich(), "rifles")
    assert standing(RULES, log).spent == 25
    assert standing(under(experience_costs="totals"), log).spent == 10


def test_what_was_bought_stays_legal():
    grown = rich(100)
    for step in (
        lambda c: buy_skill(RULES, c, "brawl"),
        lambda c: buy_attribute(RULES, c, "body"),
        lambda c: buy_specialization(RULES, c, "brawl", "striking"),
        lambda c: buy_emergency_dice(RULES, c, 3),
        lambda c: spend_emergency_dice(RULES, c, 4),
    ):
        grown = step(grown)
        assert audit(RULES, grown).legal
    assert {budget.name: (budget.allowed, budget.spent) for budget in audit(RULES, grown).budgets}["Experience"] == (100, 68)
