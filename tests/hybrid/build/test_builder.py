"""Prices of creation, what a culture gives, gifts, ties, careers: the printed examples, and every setting by the number it changes."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.hybrid.people.advancement import experience_left, raise_skill, train
from rulewright.systems.hybrid.people.careers import career_gains, career_title, career_year, variation_in_play
from rulewright.systems.hybrid.people.characters import (
    Award,
    Career,
    Character,
    Moved,
    Package,
    Person,
    Year,
    culture_package,
    thenean_pool,
    thenean_template,
)
from rulewright.systems.hybrid.people.creation import (
    accounts,
    allowance_left,
    given_ranks,
    move_points,
    package_price,
    package_saving,
    points_moved,
    skill_price,
)
from rulewright.systems.hybrid.people.gifts import (
    enhanced_price,
    enhanced_value,
    gift_price,
    limitation_gives,
    mage_gift_price,
    memory_bonus,
    presence_noticed,
    presence_price,
    psi_gift_price,
    stat_price,
    trait_points,
)
from rulewright.systems.hybrid.people.ties import aid, friends, income, reputation, tie_price, upkeep
from rulewright.systems.hybrid.people.traits import GIFTS, REACH, STAT_COSTS
from rulewright.systems.hybrid.resolution.tests import Mod
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


# --- skills and packages -------------------------------------------------------------------------------------------------------


def test_a_skill_costs_one_more_than_its_rank():  # 1466, 1961, 2289
    assert [skill_price(RULES, rank).value for rank in (0, 1, 7, 20)] == [1, 2, 8, 21]


def test_what_was_given_is_raised_for_the_difference_or_in_full():  # 1466, 2278-2289
    assert skill_price(RULES, 9, 7).value == 2
    assert skill_price(RULES, 5, 7).value == 0
    assert skill_price(under(raising_given_ranks="full"), 9, 7).value == 10
    haggler = Character("Ha", culture="Merovan", skills={"Haggling": 9})
    assert accounts(RULES, haggler)["skill"].spent == 2
    assert accounts(under(raising_given_ranks="full"), haggler)["skill"].spent == 10


def test_the_police_package():  # 1508-1512: 5 for rank 0, 10 for rank 1; singly 9 and 18
    name = "Terran Law Enforcement Officer"
    assert [package_price(RULES, name, rank).value for rank in (0, 1)] == [5, 10]
    assert [package_saving(RULES, name, rank).value for rank in (0, 1)] == [9 - 5, 18 - 10]
    assert [package_price(RULES, "Fighter", rank).value for rank in (0, 1)] == [4, 8]  # 2391
    assert package_price(RULES, "Monk", 2, 3).value == 9
    with pytest.raises(UserError, match="hyb-9-skill-packages"):
        package_price(RULES, "Monk")


def test_packages_give_ranks_that_skills_are_raised_from():
    officer = Character("Of", culture="Merovan", packages=(Package("Fighter", 3),), skills={"Sword": 5})
    assert given_ranks(RULES, officer)["Sword"] == 3
    assert accounts(RULES, officer)["skill"].spent == 16 + 2
    assert Person.of(RULES, officer).rank("Sword") == 5


# --- culture -------------------------------------------------------------------------------------------------------------------


def test_a_culture_has_a_package():  # 2514-2549
    assert culture_package(RULES, "Kalifane") == ("Lore: Horses", "Lore: Lord and Lady", "Melee: Dagger")
    assert culture_package(RULES, "Bitadar") == ()


def test_allowances_of_chapter_9():  # 1452-1456
    assert allowance_left(RULES, "language", (12, 6)).value == 0
    assert allowance_left(RULES, "movement", ()).value == 15
    assert allowance_left(RULES, "education", (20,)).value == -1


def test_theneans_of_chapter_10():  # 1691-1699
    given = {skill: rank.value for skill, rank in thenean_template(RULES).items()}
    assert given == {
        "Spoken Language: Thenean": 19,
        "Written Language: Thenean": 9,
        "Culture Lore: Thenean": 19,
        "Mathematics": 0,
        "Lore: Trade": 0,
        "Lore: Economics": 0,
        "Lore: Sailing": 0,
    }
    older = under(culture_skills="chapter 10")
    assert (thenean_pool(RULES), thenean_pool(older), thenean_pool(older, "Merovan")) == (0, 10, 0)
    sailor = Character("Io", culture="Thenean")
    assert Person.of(older, sailor).rank("Spoken Language: Thenean") == 19
    assert Person.of(RULES, sailor).rank("Spoken Language: Thenean") == 10


# --- points --------------------------------------------------------------------------------------------------------------------


def test_points_move_one_for_one_up_to_a_limit():  # 1665, 1953, 2003
    moves = move_points(RULES, (), "wealth", "skill", 8)
    assert moves == (Moved("wealth", "skill", 8),)
    assert points_moved(RULES, (*moves, Moved("skill", "skill", 5))).value == 8
    rich = Character("Ri", moved=moves)
    assert accounts(RULES, rich)["skill"].given.value == 108
    assert accounts(RULES, rich)["wealth"].given.value == 2
    limited = under(most_points_moved=10)
    with pytest.raises(UserError, match="at most 10 points move between pools in this campaign; 8 have, and 5 more would"):
        move_points(limited, moves, "community", "skill", 5)
    assert move_points(limited, moves, "community", "skill", 2)[1:] == (Moved("community", "skill", 2),)  # ten in all
    with pytest.raises(UserError, match="cannot be moved"):
        move_points(RULES, (), "skill", "skill", 5)
    assert variation_in_play(RULES).value is True
    assert variation_in_play(under(most_points_moved=0)).value is False
    assert variation_in_play(RULES, "wealth from status").value is False


@pytest.mark.parametrize("stat", ["PST", "MAG", "PSI", "APP"])
def test_statistics_cost_so_much_a_point(stat):  # 1516, 2373: one point of PST costs 4, two cost 8
    each = {"PST": 4, "MAG": 12, "PSI": 10, "APP": 2}[stat]
    assert [stat_price(RULES, stat, points).value for points in (1, 2)] == [each, 2 * each]


def test_what_has_no_price():
    assert len(STAT_COSTS(RULES)) == 25
    for stat in ("PEX", "MEX", "PSPD"):
        with pytest.raises(UserError, match="has no price"):
            stat_price(RULES, stat)


# --- gifts ---------------------------------------------------------------------------------------------------------------------


def test_gifts_of_the_list():  # 2397-2419
    prices = {name: gift_price(RULES, name).value for name in GIFTS(RULES)}
    assert prices == {
        "Ambidexterity": 10,
        "Eidetic Memory": 12,
        "Photographic Memory": 12,
        "Lightning Calculator": 5,
        "Active PSI": 20,
        "Mage Ability": 20,
        "Ley Walker": 10,
    }
    cheap = under(ability_price=10)  # 1723-1727
    assert [gift_price(cheap, name).value for name in ("Mage Ability", "Active PSI", "Ambidexterity")] == [10, 10, 10]
    assert gift_price(RULES, "Wings", 6, scope=2, depth=3).value == 36
    with pytest.raises(UserError, match="agree on a price"):
        gift_price(RULES, "Wings")


def test_depth_and_scope_govern_the_cost():  # 1547, 1717
    assert [trait_points(RULES, 2, depth, scope).value for depth, scope in ((1, 1), (4, 1), (4, 2), (0, 3))] == [2, 8, 16, 6]


def test_eidetic_memory_by_chapter():  # 1559-1561, 2399
    assert memory_bonus(RULES).value == 3
    assert memory_bonus(under(eidetic_bonus=2)).value == 2
    assert memory_bonus(RULES, ()).value == 0


def test_a_heightened_sense_of_smell():  # 1579-1583, 2423: 8 points, PAW 12 counts as 16
    assert enhanced_price(RULES, "PAW", 4).value == 8
    assert enhanced_value(RULES, 12, 4).value == 16
    assert enhanced_price(RULES, "PAW", 1).value == 2  # Example 10.5 has 1, see the errata
    assert enhanced_price(RULES, "PEN", 3).value == 6
    assert enhanced_price(under(part_prices="down"), "PEN", 3).value == 3


def test_gifts_for_psionics_and_magic():  # 1585-1589, 2427-2431
    assert [psi_gift_price(RULES, 1, scope).value for scope in ("broad", "specific")] == [8, 5]
    assert psi_gift_price(under(part_prices="down"), 2).value == 14
    assert mage_gift_price(RULES, 3).value == 24
    assert mage_gift_price(RULES, 3, "specific").value == 15
    assert mage_gift_price(under(single_spell_price=7), 3, "specific").value == 21


def test_presence_costs_two_a_step_either_way():  # 1591-1595
    assert [presence_price(RULES, steps).value for steps in (1, 3, -3)] == [2, 6, 6]
    assert presence_noticed(RULES, -3).value == -3
    assert presence_noticed(RULES, -3).label == "presence: stealth"
    assert presence_noticed(RULES, 2) == Mod("presence", 2, "hyb-9-presence")


def test_an_albino_gets_fifteen_points():  # 1711, 2242
    assert limitation_gives(RULES).value == 15
    assert limitation_gives(RULES, "Clumsy", 4).value == 4
    with pytest.raises(UserError, match="agreed with the gamemaster"):
        limitation_gives(RULES, "Clumsy")


# --- ties ----------------------------------------------------------------------------------------------------------------------


def test_a_friend_who_is_always_there():  # 1628: 1 + 20, and +60 % for DF 12
    assert tie_price(RULES, 1, "very high").value == 21
    assert aid(RULES, "very high").value == 60
    assert [each.value for each in tie_price(RULES).reasons] == [1, 20]


@pytest.mark.parametrize(
    ("people", "cost"), [(1, 1), (2, 2), (10, 2), (11, 4), (100, 4), (101, 8), (1001, 16), (10_001, 32), (100_001, 64), (1_000_000, 64)]
)
def test_scope(people, cost):  # 1605-1613
    assert tie_price(RULES, people, "low").value == cost + 1


@pytest.mark.parametrize("depth", [name for name, row in REACH(RULES).items() if row.group == "depth"])
def test_depth(depth):  # 1619-1626
    row = REACH(RULES)[depth]
    assert tie_price(RULES, 1, depth).value == 1 + row.cost
    assert aid(RULES, depth).value == 5 * row.df
    assert friends(RULES, 3, depth).value == reputation(RULES, 3, depth).value == upkeep(RULES, depth).value == row.df


def test_scope_has_ends():
    for people in (0, 1_000_001):
        with pytest.raises(UserError, match="scope goes from 1 to 1000000 people"):
            tie_price(RULES, people)
    with pytest.raises(UserError, match="is not a depth"):
        aid(RULES, "2-10")


def test_an_income_is_a_third_of_its_points_again_and_again():  # 1634
    assert income(RULES, 100, "medium high").value == 4.0
    assert income(RULES, 1, "low").value == 0.7


# --- careers -------------------------------------------------------------------------------------------------------------------


def test_a_year_as_an_officer():  # 1953: three rolls
    assert script(career_year(RULES), [(1,), (1,), (1,)]).outcome == Year(8, 3000, 1)
    assert script(career_year(RULES), [(100,), (1,), (100,)]).outcome == Year(-8, 3000, 0)
    assert script(career_year(RULES), [(60,), (100,), (1,)]).outcome == Year(0, 0, 1)


def test_what_a_career_adds_up_to():
    career = Career("Law Enforcement Officer", (Year(8, 3000, 1), Year(8, 0, 1), Year(-8, 3000, 1)))
    assert {what: gain.value for what, gain in career_gains(RULES, career).items()} == {"skill": 8, "money": 6000, "community": 3}
    assert [career_title(RULES, "Law Enforcement Officer", status) for status in (2, 3, 5, 8, 12)] == [
        "",
        "Sergeant",
        "Lieutenant",
        "Captain",
        "Chief",
    ]
    assert career_title(RULES, "Pirate", 9) == ""


# --- experience ----------------------------------------------------------------------------------------------------------------


def test_skills_rise_with_experience():  # 653-657
    ana = Character("Ana", culture="Merovan", advancement=(Award(30),))
    after = raise_skill(RULES, ana, "Haggling")  # base cost 3, from 7 to 8: four times
    assert Person.of(RULES, after).rank("Haggling") == 8
    assert experience_left(RULES, after).value == 18
    assert experience_left(RULES, train(RULES, after, 25, "teacher")).value == 20
    assert Person.of(RULES, raise_skill(RULES, ana, "Weapon: Fist", 1)).rank("Weapon: Fist") == 1
    with pytest.raises(UserError, match="only 18 are left"):
        raise_skill(RULES, after, "Haggling", 12)
    assert Person.of(RULES, raise_skill(RULES, after, "Haggling", 12, force=True)).rank("Haggling") == 12
