"""Calling on people, and money, estates and companies between scenes (lines 929-1559)."""

import pytest
from msgspec.structs import replace

from ore.downtime.planned import (
    ADVANTAGES,
    NO_SET,
    RULES,
    SCENE,
    chances,
    chances_of,
    character,
    first,
    lasting,
    lived,
    planned,
    told,
)
from rulewright.campaign.calendar import DAY, HOUR, MONTH, WEEK
from rulewright.campaign.downtime import OngoingEffect
from rulewright.errors import UserError
from rulewright.system import find
from rulewright.systems.ore.downtime.ties import WHOM
from rulewright.systems.ore.people.advantages import CALLS, TWO_PARTS, call_on
from rulewright.systems.ore.people.characters import Owned, Statistics
from rulewright.systems.ore.people.companies import Company, promote

SIX_APART = NO_SET[:6]


def call(difficulty, advantage="allies", runs=(), **given):
    line = ("call on people", {"aim": "a favour", "advantage": advantage, "difficulty": str(difficulty), **given})
    return planned(line, runs=runs)


# --- calls: lines 970-982, 1056-1069 and so on --------------------------------------------------------------------------------


@pytest.mark.parametrize(("difficulty", "strained"), [(2, False), (3, True)])
def test_a_failure_above_the_second_part_strains_for_a_week(difficulty, strained):
    """Loyalty 2 bears a request of Difficulty 2, but not of 3 (line 982)."""
    played = lived(HOUR, call(difficulty), faces=[SIX_APART])
    assert [run for run in first(played).runs if run.of == "strained"] == ([OngoingEffect("strained", "allies")] if strained else [])
    assert ("strained for a week" in told(played)[-1]) == strained
    if strained:
        later = replace(first(played), doing=(), since=0)
        assert [run.of for run in first(lived(WEEK - 1, later)).runs if run.of == "strained"] == ["strained"]
        assert [run.of for run in first(lived(WEEK, later)).runs if run.of == "strained"] == []


@pytest.mark.parametrize("strained", [False, True])
@pytest.mark.parametrize(
    ("advantage", "statistic", "first_part", "second"), [("allies", 3, 3, 2), ("contacts", 3, 2, 2), ("staff", 2, 3, 3)]
)
def test_the_chances_of_a_call_are_those_of_the_rule(advantage, statistic, first_part, second, strained):
    runs = [("strained", {"advantage": advantage})] if strained else []
    who = call(4, advantage, runs)
    by_rule = chances_of(call_on, RULES, advantage, statistic, first_part, second, 4, strained, of=lambda called: called.strained)
    renewed = OngoingEffect("strained", advantage)
    assert chances(lasting(HOUR, who), lambda person: renewed in person.runs).get(True) == by_rule[True]


def test_allies_give_money_by_width_and_lend_ten_times_as_much():
    """Line 976: at Difficulty 3, 100 pounds for every point of Width."""
    wide = (7, 7, 7, 1, 2, 3)
    given = first(lived(HOUR, call(3, money="a gift"), faces=[wide]))
    assert (given.amount("Pounds"), given.amount("Pounds owed")) == (5_300, 0)
    lent = first(lived(HOUR, call(3, money="a loan"), faces=[wide]))
    assert (lent.amount("Pounds"), lent.amount("Pounds owed")) == (8_000, 3_000)
    back = planned(("spend money", {"aim": "Bo", "cost": "1000", "for": "pay a loan back"}))
    paid = first(lived(HOUR, replace(back, means=lent.means)))
    assert (paid.amount("Pounds"), paid.amount("Pounds owed")) == (7_000, 2_000)
    assert SCENE.schedule(lasting(DAY, back))["Ana"][0][1] == "Ana owes nothing"


def test_only_allies_give_money():
    with pytest.raises(UserError, match="only Allies"):
        call(1, "staff", money="a gift")


def test_every_advantage_of_the_book_can_be_called_on():
    assert set(WHOM) == set(CALLS(RULES))
    rules = set(SCENE.activities["call on people"].rules)
    for name in WHOM:
        who = character(advantages=(Owned(name, first=2, second=2),), statistics=Statistics(charm=3, command=3))
        line = ("call on people", {"aim": "a favour", "advantage": name, "difficulty": "2"})
        played = lived(HOUR, planned(line, who=who), faces=[(7, 7, 1, 2, 3)])
        assert TWO_PARTS[name].get(RULES, "2").request in told(played)[-1]
        assert TWO_PARTS[name].rule in rules


def test_one_of_several_contacts_is_chosen_by_name():
    several = (Owned("contacts", first=1, second=1, choice="press"), Owned("contacts", first=3, second=3, choice="docks"))
    line = ("call on people", {"aim": "a ship", "advantage": "contacts", "which": "docks", "difficulty": "2"})
    played = lived(HOUR, planned(line, who=character(advantages=several)), faces=[(7, 7, 1, 2, 3, 4)])
    assert "granted" in told(played)[-1]
    nobody = planned(("call on people", {"aim": "x", "advantage": "contacts", "which": "court"}), who=character(advantages=several))
    assert SCENE.schedule(lasting(DAY, nobody))["Ana"][0][1] == "Ana has no contacts (court)"


# --- money: lines 1158-1190, 1262-1282, 1517-1537 -----------------------------------------------------------------------------


def test_income_comes_by_the_month_beside_the_starting_money():
    """Wealth 3 is 5,000 pounds, and Income 3 is 500 a month."""
    who = planned()
    assert who.amount("Pounds") == 5_000
    assert first(lived(MONTH - 1, who)).amount("Pounds") == 5_000
    assert first(lived(2 * MONTH, who)).amount("Pounds") == 6_000


def test_an_estate_sells_for_ten_months_of_income_which_then_ends():
    """Line 1188."""
    played = first(lived(3 * MONTH, planned(("sell the estate", {}))))
    assert played.amount("Pounds") == 5_000 + 5_000
    again = planned(("sell the estate", {}))
    assert SCENE.schedule(lasting(1, replace(again, runs=played.runs)))["Ana"][0][1] == "Ana has no estate"


def test_without_income_the_gamemaster_sets_the_price():
    bare = character(advantages=(Owned("estate", first=2, second=2),))
    assert "sets the price" in SCENE.schedule(lasting(1, planned(("sell the estate", {}), who=bare)))["Ana"][0][1]
    sold = first(lived(HOUR, planned(("sell the estate", {"price": "700"}), who=bare)))
    assert sold.amount("Pounds") == 700


def test_money_is_never_less_than_nothing():
    dear = planned(("spend money", {"aim": "a yacht", "cost": "5001"}))
    assert first(lived(DAY, dear)).amount("Pounds") == 5_000
    assert SCENE.schedule(lasting(DAY, dear))["Ana"][0][1] == "5001 Pounds are needed, 5000 are left"
    stock = first(lived(HOUR, planned(("spend money", {"aim": "herbs", "cost": "50", "number": "4"}))))
    assert (stock.amount("Pounds"), stock.amount("herbs")) == (4_950, 4)


# --- companies: lines 1117-1120, 1538-1559 ------------------------------------------------------------------------------------


def qualities(person, name="Ashfell"):
    return next(run.data for run in person.runs if run.of == "company" and run.about == name)


def test_three_points_of_an_advantage_are_a_level_of_a_quality():
    """Staff 3 and 3 is 6 points: Might 2. Estate 2 and 2: Territory 1. Wealth 3: Treasure 1, as are 5,000 pounds."""
    line = ("found a company", {"aim": "Ashfell", "money": "5000"})
    founded = first(lived(DAY, planned(line)))
    assert qualities(founded)[:6] == ("company", 0, 2, 0, 1, 1)
    assert founded.amount("Pounds") == 0
    with pytest.raises(UserError, match="has no companies"):
        planned(line, rules=find("ore").book.ruleset())


FULL = dict.fromkeys(("influence", "might", "sovereignty", "territory", "treasure"), "6")


@pytest.mark.parametrize(
    ("tier", "money", "treasure"), [("company", "50000", 2), ("global agency", "50000", 1), ("super power", "500000", 1)]
)
def test_higher_tiers_need_more_money(tier, money, treasure):
    rich = planned(("invest in a company", {"aim": "Ashfell", "money": money}), runs=[("company", {"aim": "Ashfell", "tier": tier})])
    invested = first(lived(DAY, replace(rich, means=(("Pounds", 500_000),))))
    assert qualities(invested)[5] == treasure
    assert invested.amount("Pounds") == 500_000 - int(money)


@pytest.mark.parametrize("tier", ["company", "global agency"])
def test_the_chance_of_promotion_is_that_of_the_rule(tier):
    runs = [("company", {"aim": "Ashfell", "tier": tier, **FULL})]
    who = planned(("promote a company", {"aim": "Ashfell", "gives": "might"}), runs=runs)
    by_rule = chances_of(promote, RULES, Company(tier), of=lambda company: (company.tier, company.might))
    assert chances(lasting(DAY, who), lambda person: qualities(person)[0:3:2]) == by_rule


def test_a_company_that_fell_must_regain_the_point_first():
    runs = [("company", {"aim": "Ashfell", **FULL, "might": "5"})]
    who = planned(("promote a company", {"aim": "Ashfell"}), runs=runs)
    assert SCENE.schedule(lasting(DAY, who))["Ana"][0][1] == "Ashfell needs 6 in might"


@pytest.mark.parametrize(("tier", "uses"), [("company", 1), ("global agency", 2), ("super power", 3)])
def test_a_quality_is_used_so_often_a_month(tier, uses):
    runs = [("company", {"aim": "Ashfell", "tier": tier, "might": "2", "influence": "2"})]
    line = ("use a company", {"aim": "Ashfell", "first": "might", "second": "influence"})
    person = planned(line, runs=runs)
    for use in range(uses):
        person = first(lived((use + 1) * DAY, replace(person, doing=planned(line).doing)))
        person = replace(person, since=0)
    assert qualities(person)[6:] == (uses, uses, 0, 0, 0)
    waiting = replace(person, doing=planned(line).doing)
    assert "used up for this month" in SCENE.schedule(lasting(DAY, waiting))["Ana"][0][1]
    rested = first(lived(MONTH, replace(person, doing=())))
    assert SCENE.schedule(lasting(DAY, replace(rested, doing=waiting.doing)))["Ana"][0][1] == ""


def test_a_company_needs_two_qualities():
    with pytest.raises(UserError, match="two different qualities"):
        planned(("use a company", {"aim": "Ashfell", "first": "might", "second": "might"}))


def test_the_ties_of_the_tests_are_in_the_book():
    assert all(own.name in {"wealth", "income", "estate", "arcane apprentice"} or own.name in CALLS(RULES) for own in ADVANTAGES)
