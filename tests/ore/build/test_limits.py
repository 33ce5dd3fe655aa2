"""What points, Element Points and experience buy, at their limits, and what mends an overdraft (lines 628-838, 1576-1611,
1924-1929)."""

import pytest
from msgspec.structs import replace

from rulewright.build.audit import repair
from rulewright.rules import House
from rulewright.systems.ore.build.advancement import listed_price
from rulewright.systems.ore.build.audit.points import Spent, powers_worth
from rulewright.systems.ore.people.characters import Character, Inherent, Owned, PowerSet, Purchase, Special, Statistics
from rulewright.systems.ore.people.packages import CHARTS
from rulewright.systems.ore.settings import BOOK

from .test_building import DISCIPLINES, RULES, logged, only, rules, wrong

ONES = Statistics(1, 1, 1, 1, 1, 1)
ARCHETYPE = rules(build="archetype", points=50)


# --- what is paid for --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skills", "special", "points"),
    [
        ({"close combat": 1}, {}, 3),
        ({"close combat": 3}, {}, 9),
        ({"fight": 1}, {}, 1),
        ({"fight": 3}, {}, 3),
        ({"fight": 0}, {}, 0),
        ({"fight": -2}, {}, 0),
        ({"fight": 3}, {"fight": Special(-1, -1)}, 3),
        ({"no such skill": 3}, {}, 0),
    ],
)
def test_broad_skills_cost_three_and_narrow_ones_one_for_each_point(skills, special, points):  # lines 693-704
    assert Spent(RULES, Character("Ann", skills=skills, special=special)).parts()["skills"] == points


def test_promoted_dice_cost_their_points_beside_the_skill():
    plain = Spent(RULES, Character("Ann", skills={"fight": 3})).total
    expert = Spent(RULES, Character("Ann", skills={"fight": 3}, special={"fight": Special(1)})).total
    master = Spent(RULES, Character("Ann", skills={"fight": 3}, special={"fight": Special(0, 1)})).total
    assert plain < expert < master


@pytest.mark.parametrize(("level", "points"), [(-1, 0), (0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 15)])
def test_a_path_of_feats_costs_the_sum_of_its_levels(level, points):
    assert Spent(RULES, Character("Ann", feats={"Power Attack": level})).parts()["feats"] == points


@pytest.mark.parametrize(("identities", "more"), [(0, 0), (1, 0), (2, 6), (3, 12)])
def test_every_identity_beyond_the_first_costs_three_levels_again(identities, more):  # lines 3528-3530
    from rulewright.systems.ore.build.audit.points import IDENTITIES

    spent = [Spent(RULES, Character("Ann", feats={IDENTITIES: level}, identities=identities)).parts()["feats"] for level in (3, 4)]
    assert spent == [6 + more, 10 + more]


def test_the_parts_of_a_power_are_added_up():
    from rulewright.systems.ore.build.audit.points import ENERGY_PRICE

    bare = PowerSet("arcane")
    assert powers_worth(RULES, bare) == 0
    assert powers_worth(RULES, PowerSet("arcane", energy=3)) == 3 * ENERGY_PRICE
    assert powers_worth(RULES, PowerSet("arcane", energy=-3)) == 0
    low, high = [powers_worth(RULES, PowerSet("arcane", rating=rating)) for rating in (1, 2)]
    assert (low > 0, high) == (True, 2 * low)
    assert powers_worth(RULES, PowerSet("arcane", rating=-1)) == 0


# --- Element Points (lines 1576-1611) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("elements", "skills", "over", "mended"),
    [
        ({"skills": 1}, {"fight": 5}, None, None),
        ({"skills": 1}, {"fight": 4, "dodge": 2}, 1, {"skills": 2}),
        ({"skills": 1}, {"fight": 5, "dodge": 5}, 5, {"skills": 2}),
        ({"skills": 1}, {"fight": 5, "close combat": 2}, 6, {"skills": 3}),
    ],
)
def test_an_element_point_buys_five_points_of_skills(elements, skills, over, mended):
    made = Character("Ann", statistics=ONES, elements={"statistics": 1, **elements}, skills=skills)
    found = [problem for problem in wrong(made, ARCHETYPE) if problem.field == "elements.skills"]
    assert [problem.over for problem in found] == ([] if over is None else [over])
    if mended is not None:
        assert repair(made, found[0]).elements == {"statistics": 1, **mended}


@pytest.mark.parametrize(("spare", "field"), [(1, "elements"), (0, "skills")])
def test_where_element_points_are_left_they_are_put_in_and_else_the_skill_is_lowered(spare, field):
    made = Character("Ann", statistics=ONES, elements={"statistics": 8 - spare, "skills": 2}, skills={"fight": 5, "dodge": 5, "parry": 1})
    (found,) = [problem for problem in wrong(made, ARCHETYPE) if problem.field == "elements.skills"]
    assert found.over == 1
    assert found.repair.field.partition(".")[0] == field


@pytest.mark.parametrize(("bodies", "over"), [(0, None), (1, 1), (3, 3)])
def test_statistics_beyond_their_chart_are_lowered_where_no_element_point_is_left(bodies, over):
    bought = Spent(ARCHETYPE, Character("Ann", statistics=ONES, elements={"statistics": 5, "skills": 5})).shares()[0][1]
    body = bought - 5 + bodies
    made = Character("Ann", statistics=Statistics(body, 1, 1, 1, 1, 1), elements={"statistics": 5, "skills": 5})
    found = [problem for problem in wrong(made, ARCHETYPE) if problem.field == "elements.statistics"]
    assert [problem.over for problem in found] == ([] if over is None else [over])
    if over is not None:
        assert repair(made, found[0]).statistics.body == body - over


def test_statistics_that_are_as_low_as_can_be_are_lowered_no_further():
    house = House(tables={CHARTS.rule: {"0": {"statistics": 5}}})
    by = BOOK.ruleset(settings={"build": "archetype", "points": 50}, house=house)
    (found,) = wrong(Character("Ann", statistics=ONES, elements={"skills": 10}), by)
    assert (found.field, found.over, found.repair) == ("elements.statistics", 1, None)


# --- what is proposed --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "made", "after"),
    [
        (8, {"skills": {"close combat": 3}}, {"close combat": 2}),
        (6, {"skills": {"close combat": 3}}, {"close combat": 2}),
        (5, {"skills": {"close combat": 3}}, {"close combat": 1}),
        (2, {"skills": {"fight": 3}}, {"fight": 2}),
        (1, {"skills": {"fight": 3}}, {"fight": 1}),
    ],
)
def test_a_skill_is_lowered_as_far_as_it_takes(points, made, after):
    spent = Character("Ann", points=points, **made)
    assert repair(spent, only(spent)).skills == after


@pytest.mark.parametrize(("owned", "left", "after"), [(5, 1, 4), (5, 3, 2)])
def test_an_advantage_in_levels_is_lowered_as_far_as_it_takes(owned, left, after):
    price = Spent(RULES, Character("Ann", advantages=(Owned("wealth", 1),))).total
    made = Character("Ann", points=(owned - left) * price, advantages=(Owned("wealth", owned),))
    assert only(made).over == left * price
    assert repair(made, only(made)).advantages[0].rating == after


@pytest.mark.parametrize(("level", "limit"), [(1, 0), (1, 1), (4, 5)])
def test_an_inherent_power_is_given_up_for_its_level_and_its_limit(level, limit):  # lines 6063-6075
    made = Character("Ann", points=0, inherent=(Inherent("Mist", level, limit),))
    assert only(made).over == level + limit
    assert repair(made, only(made)).inherent == ()


def test_what_costs_nothing_is_not_proposed():
    opened = {"advantages": (Owned("arcane apprentice", first=2, choice="magic"),), "powers": (PowerSet("magic"),)}
    found = wrong(Character("Ann", points=0, inherent=(Inherent("Mist", 0, 0),), **opened))
    (over,) = [problem for problem in found if problem.field == "points"]
    assert (over.over, over.repair) == (Spent(RULES, Character("Ann", **opened)).total, None)


def test_of_two_that_are_missed_as_much_the_inherent_power_goes_before_concentrations():
    made = Character(
        "Ann", points=1, skills={"close combat": 1}, concentrations={"close combat": {"boxing": 1}}, inherent=(Inherent("Mist", 2, 0),)
    )
    spent = Spent(DISCIPLINES, made)
    assert (spent.concentrations, spent.inherent) == ({("close combat", "boxing"): 2}, {0: 2})
    (over,) = [problem for problem in wrong(replace(made, points=spent.total - 2), DISCIPLINES) if problem.field == "points"]
    assert over.repair.field == "inherent"


@pytest.mark.parametrize(
    ("concentration", "missing", "kept"), [(1, 4, 1), (3, 4, 1), (3, 5, 5), (4, 3, 2), (4, 4, 5), (5, 2, 3), (5, 3, 5)]
)
def test_a_discipline_keeps_what_its_concentrations_rest_on(concentration, missing, kept):  # lines 1886-1923
    """A Concentration goes two beyond its Discipline, which is lowered no further than that: else the Concentration goes."""
    made = Character("Ann", skills={"close combat": 5}, concentrations={"close combat": {"boxing": concentration}})
    short = replace(made, points=Spent(DISCIPLINES, made).total - missing)
    (over,) = [problem for problem in wrong(short, DISCIPLINES) if problem.field == "points"]
    assert over.over == missing
    mended = repair(short, over)
    assert (mended.skills, bool(mended.concentrations)) == ({"close combat": kept}, kept < 5)


# --- experience --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "price"),
    [
        (Purchase("inherent power", "flight", 2, second=3), 5),
        (Purchase("inherent power", "flight", 2), 2),
        (Purchase("inherent power", "flight", -2, second=-3), 0),
        (Purchase("identity", "another"), 6),
        (Purchase("skill", "fight", 2), None),
        (Purchase("statistic", "body", 2), None),
        (Purchase("advantage", "wealth", 2), None),
    ],
)
def test_some_purchases_have_a_printed_price_and_others_none(entry, price):
    assert listed_price(RULES, entry) == price


@pytest.mark.parametrize(
    ("to", "second", "fine"), [(0, 0, False), (1, 0, True), (5, 5, True), (6, 0, False), (1, 6, False), (1, -1, False)]
)
def test_an_inherent_power_has_a_level_from_one_and_a_limit_from_nothing_to_five(to, second, fine):
    found = [
        problem for problem in logged(Purchase("inherent power", "flight", to, second=second, xp=1)) if problem.rule == "ore-5.02b-inherent"
    ]
    assert (not [problem for problem in found if problem.field.startswith("advancement")]) is fine


@pytest.mark.parametrize(("levels", "fine"), [(2, False), (3, True)])
def test_another_identity_needs_three_levels_of_the_path(levels, fine):
    from rulewright.systems.ore.build.audit.points import IDENTITIES

    found = logged(Purchase("identity", "another", xp=6), feats={IDENTITIES: levels})
    assert (not [problem for problem in found if "another identity" in problem.message]) is fine


@pytest.mark.parametrize(
    ("discipline", "now", "to", "fine"),
    [(0, 0, 1, False), (1, 0, 1, True), (1, 1, 2, True), (1, 2, 3, True), (1, 3, 4, False), (2, 3, 4, True), (1, 0, 2, False)],
)
def test_a_concentration_goes_two_beyond_its_discipline_step_by_step(discipline, now, to, fine):  # lines 1886-1923
    by = rules(skill_system="discipline", special_dice="extra expert")
    made = {"skills": {"combat": discipline} if discipline else {}, "concentrations": {"combat": {"swords": now}} if now else {}}
    found = logged(Purchase("concentration", "swords", to, under="combat", xp=9), by, points=500, **made)
    assert (not [problem for problem in found if problem.field.startswith("advancement")]) is fine


def test_a_misspelt_statistic_is_mended_and_nonsense_left_out():
    (close,) = [p for p in logged(Purchase("statistic", "bodi", 2, xp=1)) if p.field.startswith("advancement")]
    assert close.repair.value == "body"
    (far,) = [p for p in logged(Purchase("statistic", "zzzz", 2, xp=1)) if p.field.startswith("advancement")]
    assert "remove" in far.repair.text
