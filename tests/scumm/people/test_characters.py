"""Attributes, derived attributes, skills and specializations (book lines 9-76), and gear tables (lines 604-648)."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis.strategies import builds, integers

from rulewright.dice import HighestDie, Unskilled
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.scumm.build.audit import dollars, gear_cost, starting_wealth
from rulewright.systems.scumm.gear.items import ARMOR, GUNS, MELEE, WEALTH, thrown_ranges
from rulewright.systems.scumm.people.characters import (
    ATTRIBUTE_LIMITS,
    ATTRIBUTE_POINTS,
    ATTRIBUTES,
    DERIVED,
    SKILL_POINTS,
    SKILLS,
    Attributes,
    Award,
    Character,
    Gear,
    Item,
    Person,
    Purchase,
    Spent,
    attribute_test,
    combat_sense_pool,
    creation_cost,
    defense_pool,
    derived,
    points_given,
    points_spent,
    skill_test,
    specialization,
    starting_limit,
)
from rulewright.systems.scumm.resolution.tests import Mod, reading
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
ANA = Character(
    "Ana",
    attributes=Attributes(alertness=2, body=1, intelligence=3, spirit=-1),
    skills={"brawl": 3, "rifles": 2, "melee": 0},
    specializations={"rifles": ("M-16", "Winchester")},
)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def values(attributes=None, brawl=0, melee=0, rules=RULES):
    return {key: value.value for key, value in derived(rules, attributes or Attributes(), brawl, melee).items()}


# --- attributes (lines 9-19) ---------------------------------------------------------------------------------------------------


def test_there_are_four_attributes_and_each_lies_between_minus_three_and_plus_three_at_creation():  # 11
    assert list(ATTRIBUTE_LIMITS(RULES)) == list(ATTRIBUTES) == ["alertness", "body", "intelligence", "spirit"]
    assert {(row.lowest, row.highest) for row in ATTRIBUTE_LIMITS(RULES).values()} == {(-3, 3)}


def test_an_average_person_has_zero_in_everything():  # 11
    assert Attributes() == Attributes(0, 0, 0, 0)


def test_a_player_character_has_five_points_and_what_is_lowered_gives_more():  # 11, ruling
    assert ATTRIBUTE_POINTS == 5
    assert points_given(RULES, Attributes(3, 2)).value == 5
    lowered = points_given(RULES, Attributes(3, 3, -2, -1))
    assert lowered.value == 8
    assert [(term.label, term.value) for term in lowered.reasons] == [
        ("every player character", 5),
        ("Intelligence lowered", 2),
        ("Spirit lowered", 1),
    ]


def test_lowering_below_the_limit_gives_no_more_than_the_limit_does():
    assert points_given(RULES, Attributes(-(10**12))).value == 8


def test_lowered_attributes_give_nothing_where_the_campaign_says_so():
    assert points_given(under(lowered_attributes_give_points=False), Attributes(3, 3, -2, -1)).value == 5


def test_every_step_above_zero_costs_a_point():
    assert points_spent(RULES, Attributes(3, 2, -2, 0)).value == 5


# --- derived attributes (lines 21-41) ------------------------------------------------------------------------------------------


def test_the_derived_attributes_of_an_average_person():
    assert values() == {
        "defense": 1,
        "combat_sense": 1,
        "health": 0,
        "stamina": 5,
        "system_shock": 5,
        "flesh_wound_threshold": 3,
        "deep_wound_threshold": 5,
        "instant_death_threshold": 10,
        "unarmed_damage": 3,
        "armed_damage": 3,
    }


@given(builds(Attributes, *[integers(-3, 3)] * 4), integers(0, 12), integers(0, 12))
def test_the_derived_attributes_follow_the_books_formulas(attributes, brawl, melee):
    ale, bod, intel, spi = (getattr(attributes, name) for name in ATTRIBUTES)
    stamina, health = 5 + bod + spi, ceil((bod + spi) / 2)
    assert values(attributes, brawl, melee) == {
        "defense": 1 + ale + bod,
        "combat_sense": 1 + intel + spi,
        "health": health,
        "stamina": stamina,
        "system_shock": max(1, 5 + health),
        "flesh_wound_threshold": max(1, ceil(stamina / 2)),
        "deep_wound_threshold": max(1, stamina),
        "instant_death_threshold": max(1, stamina * 2),
        "unarmed_damage": 3 + bod + ceil(brawl / 5),
        "armed_damage": 3 + bod + ceil(melee / 5),
    }


@given(builds(Attributes, *[integers(-3, 3)] * 4), integers(0, 7), integers(0, 7))
def test_the_terms_of_every_plain_sum_add_up_to_it(attributes, brawl, melee):
    found = derived(RULES, attributes, brawl, melee)
    for key in ("defense", "combat_sense", "stamina", "unarmed_damage", "armed_damage"):
        assert sum(term.value for term in found[key].reasons) == found[key].value, key


@pytest.mark.parametrize(("level", "more"), [(0, 0), (1, 1), (4, 1), (5, 1), (6, 2), (7, 2)])
def test_brawl_and_melee_add_a_fifth_of_their_level_rounded_up_to_damage(level, more):  # 35, 39
    assert values(brawl=level)["unarmed_damage"] == values(melee=level)["armed_damage"] == 3 + more
    assert values(brawl=level)["armed_damage"] == 3


def test_half_a_point_of_health_is_rounded_up_also_below_zero():  # 27, ruling
    assert values(Attributes(body=-1))["health"] == 0
    assert values(Attributes(body=-3, spirit=-2))["health"] == -2
    assert values(Attributes(body=2, spirit=1))["health"] == 2


def test_no_wound_threshold_is_below_one_and_a_campaign_can_lift_that():  # ruling on 23-41
    weakest = Attributes(body=-3, spirit=-3)
    assert values(weakest)["stamina"] == -1
    assert [values(weakest)[key] for key in ("flesh_wound_threshold", "deep_wound_threshold", "instant_death_threshold")] == [1, 1, 1]
    assert values(weakest, rules=under(lowest_wound_threshold=3))["deep_wound_threshold"] == 3
    lifted = derived(RULES, weakest)["deep_wound_threshold"]
    assert lifted.reason.source == "ruling"
    assert derived(RULES, Attributes())["deep_wound_threshold"].reason.source == "book"


def test_system_shock_is_at_least_one():  # 553
    assert values(Attributes(body=-8, spirit=-8))["system_shock"] == 1


def test_the_table_names_all_ten():
    assert {name.replace(" ", "_") for name in DERIVED(RULES)} == set(values())


def test_defense_and_combat_sense_are_rolled_as_dice_without_an_attribute_added_again():  # 43, 45, ruling
    assert reading(RULES, defense_pool(RULES, 4, (Mod("light cover", 1),))) == HighestDie(4, 1)
    assert reading(RULES, combat_sense_pool(RULES, 3)) == HighestDie(3)


@pytest.mark.parametrize("value", [0, -1, -5])
def test_a_defense_or_combat_sense_of_zero_or_less_is_rolled_unskilled(value):  # 43, 45
    assert reading(RULES, defense_pool(RULES, value)) == Unskilled()
    assert reading(RULES, combat_sense_pool(RULES, value, (Mod("stimulant", 2),))) == Unskilled(0, 2)


# --- skills (lines 57-76) ------------------------------------------------------------------------------------------------------

BOOK_SKILLS = {
    "alertness": "drive notice pistols rifles sleight stealth throw tinker",
    "body": "acrobatics athletics brawl climb endurance jump melee swim",
    "intelligence": "business computer forgery gamble investigation medicine navigate trivia",
    "spirit": "animal_handling disguise etiquette intimidate leadership persuasion seduction streetwise",
}

BOOK_SPECIALIZATIONS = {
    "drive": ["vehicle model"],
    "notice": ["specific sense", "night-time", "tracking"],
    "pistols": ["specific model"],
    "rifles": ["specific model"],
    "sleight": ["pickpocket", "magic tricks", "shoplifting"],
    "stealth": [],
    "throw": ["knives", "grenades", "darts"],
    "tinker": ["vehicles", "weapons", "appliances", "computers"],
    "acrobatics": ["tumbling", "tightrope", "trapeze"],
    "athletics": ["running", "football", "parkour"],
    "brawl": ["striking", "grappling", "tripping", "throwing"],
    "climb": ["free climbing", "aid climbing", "rappelling"],
    "endurance": ["running", "rowing", "cycling"],
    "jump": ["high jump", "long jump", "standstill"],
    "melee": ["knives", "clubs", "fencing"],
    "swim": ["open-water", "lifeguard", "competitive"],
    "business": ["finance", "management", "accounting"],
    "computer": ["programming", "systems administration", "hacking"],
    "forgery": ["electronic", "written", "art", "counterfeiting"],
    "gamble": ["specific game", "cheating", "bookkeeping"],
    "investigation": ["searching", "surveillance", "forensics"],
    "medicine": ["first aid", "pharmaceuticals", "holistic medicine"],
    "navigate": ["night-time", "map and compass", "star position"],
    "trivia": ["history", "science", "law", "chemistry"],
    "animal handling": ["specific animal", "performing tricks", "training"],
    "disguise": ["specific disguise", "theatrical effects", "vehicles"],
    "etiquette": ["business", "gangland", "sophisticates"],
    "intimidate": ["innuendo", "stare-downs", "physical violence"],
    "leadership": ["political", "gang", "cult", "military"],
    "persuasion": ["fast-talk", "bribing", "diplomacy"],
    "seduction": ["specific sexual orientation", "body language", "making an impression"],
    "streetwise": ["drugs", "guns", "prostitutes"],
}


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_eight_skills_stand_under_every_attribute(attribute):  # 61-69
    listed = [name.replace("_", " ") for name in BOOK_SKILLS[attribute].split()]
    assert [name for name, row in SKILLS(RULES).items() if row.attribute == attribute] == listed
    assert len(listed) == 8


@pytest.mark.parametrize("skill", BOOK_SPECIALIZATIONS)
def test_every_skill_suggests_its_specializations_and_says_what_it_is_for(skill):  # 78-272
    row = SKILLS(RULES)[skill]
    assert list(row.specializations) == BOOK_SPECIALIZATIONS[skill]
    assert row.scope


def test_the_skill_that_the_book_never_describes_is_marked_as_a_ruling():
    assert [name for name, row in SKILLS(RULES).items() if row.source == "ruling"] == ["stealth"]


@pytest.mark.parametrize(("level", "totals", "steps"), [(0, 0, 0), (1, 1, 1), (2, 5, 6), (3, 10, 16), (4, 15, 31)])
def test_a_beginners_skill_costs_what_the_table_says_for_the_whole_level_or_by_steps(level, totals, steps):  # 71-72, ruling
    assert creation_cost(RULES, level).value == totals
    by_steps = creation_cost(under(creation_costs="steps"), level)
    assert by_steps.value == steps
    assert sum(term.value for term in by_steps.reasons) == steps


def test_a_beginner_has_forty_points_and_no_skill_above_four():  # 59
    assert (SKILL_POINTS, starting_limit(RULES)) == (40, 4)
    for level in (5, -1):
        with pytest.raises(UserError, match="from 0 to 4"):
            creation_cost(RULES, level)


def test_a_campaign_can_let_beginners_reach_level_five():
    lenient = BOOK.ruleset(house=House(tables={"scumm-skills-creation": {"5": {"level": 5, "points": 25}}}))
    assert starting_limit(lenient) == 5
    assert creation_cost(lenient, 5).value == 25


def test_a_skill_is_tested_with_its_own_attribute():
    person = Person.of(RULES, ANA)
    assert reading(RULES, skill_test(RULES, person, "brawl")) == HighestDie(3, 1)


def test_brawl_with_intelligence_names_a_fighters_school():  # 59
    person = Person.of(RULES, ANA)
    pool = skill_test(RULES, person, "brawl", "intelligence")
    assert reading(RULES, pool) == HighestDie(3, 3)
    assert pool.mods[0].label == "Intelligence"


def test_an_unlearnt_skill_is_tested_unskilled_with_its_attribute():
    person = Person.of(RULES, ANA)
    assert reading(RULES, skill_test(RULES, person, "melee")) == Unskilled(0, 1)
    assert reading(RULES, skill_test(RULES, person, "etiquette")) == Unskilled(0, -1)


def test_an_unknown_skill_is_refused_with_the_nearest_one():
    with pytest.raises(UserError, match='did you mean "rifles"'):
        skill_test(RULES, Person.of(RULES, ANA), "riffles")


def test_a_soldier_with_a_specialization_adds_one_with_that_rifle_only():  # 76: the M-16
    person = Person.of(RULES, ANA)
    assert reading(RULES, skill_test(RULES, person, "rifles", used=("M-16",))) == HighestDie(2, 3)
    assert reading(RULES, skill_test(RULES, person, "rifles", used=("AK-47",))) == HighestDie(2, 2)
    assert reading(RULES, skill_test(RULES, person, "brawl", used=("M-16",))) == HighestDie(3, 1)


def test_however_many_specializations_fit_only_one_counts():  # 76
    assert specialization(Person.of(RULES, ANA), "rifles", ("Winchester", "M-16")).value == 1


def test_an_attribute_by_itself_is_two_dice():
    assert reading(RULES, attribute_test(RULES, Person.of(RULES, ANA), "spirit")) == HighestDie(2, -1)


# --- what a character has become -----------------------------------------------------------------------------------------------


def test_a_person_is_creation_and_everything_bought_since():
    log = (
        Award(80),
        Purchase("skill", "rifles", 3),
        Purchase("skill", "swim", 1),
        Purchase("attribute", "body", 2),
        Purchase("specialization", "brawl", name="striking"),
        Purchase("emergency dice", to=4),
        Spent(1),
    )
    person = Person.of(RULES, Character("Ana", attributes=ANA.attributes, skills=ANA.skills, emergency_dice=2, advancement=log))
    assert person.skills == {"brawl": 3, "rifles": 3, "swim": 1}
    assert person.attribute("body") == 2
    assert person.specializations == {"brawl": ("striking",)}
    assert person.emergency_dice == 5


def test_a_purchase_never_makes_anybody_worse():
    person = Person.of(RULES, Character("Ana", skills={"rifles": 3}, advancement=(Purchase("skill", "rifles", 1),)))
    assert person.level("rifles") == 3


# --- gear (lines 604-648) ------------------------------------------------------------------------------------------------------


def test_a_beginner_has_ten_wealth_points_worth_fifty_to_a_hundred_dollars_each():  # 606
    assert starting_wealth(RULES) == WEALTH(RULES)["beginning character"].points == 10
    assert dollars(RULES, 10) == (500, 1000)


@pytest.mark.parametrize(
    ("weapon", "bonus", "cost", "thrown"),
    [
        ("nightstick", 0, 0, False),
        ("knife", 1, 1, True),
        ("baseball bat", 1, 1, False),
        ("machete", 2, 2, False),
        ("fire axe", 3, 3, False),
    ],
)
def test_every_melee_weapon_has_its_bonus_and_price(weapon, bonus, cost, thrown):  # 610-616
    row = MELEE(RULES)[weapon]
    assert (row.bonus, row.cost, row.thrown) == (bonus, cost, thrown)


@pytest.mark.parametrize(
    ("weapon", "damage", "ranges", "ammo", "cost", "skill", "automatic"),
    [
        (".22 revolver", 2, "4/8/16/32", 6, 2, "pistols", False),
        (".38 revolver", 3, "6/12/24/48", 6, 4, "pistols", False),
        (".45 revolver", 5, "7/14/28/56", 6, 7, "pistols", False),
        ("6mm pistol", 2, "6/12/24/48", 12, 3, "pistols", False),
        ("9mm pistol", 3, "6/12/24/48", 12, 5, "pistols", False),
        (".45 pistol", 5, "7/14/28/56", 12, 8, "pistols", False),
        ("7.62 rifle", 4, "45/90/180/360", 7, 6, "rifles", False),
        ("9mm rifle", 5, "50/100/200/400", 7, 8, "rifles", False),
        (".50 rifle", 6, "60/120/240/480", 7, 12, "rifles", False),
        ("shotgun", 6, "5/10/20/40", 8, 10, "rifles", False),
        ("automatic shotgun", 6, "6/12/24/48", 20, 14, "rifles", True),
        ("assault rifle", 6, "20/40/80/160", 30, 18, "rifles", True),
        ("9mm smg", 3, "10/20/40/80", 30, 15, "pistols", True),
        ("11mm smg", 4, "10/20/40/80", 30, 20, "pistols", True),
    ],
)
def test_every_gun_is_as_the_table_has_it(weapon, damage, ranges, ammo, cost, skill, automatic):  # 622-636
    gun = GUNS(RULES)[weapon]
    assert (gun.damage, "/".join(map(str, gun.range)), gun.ammo, gun.cost, gun.skill) == (damage, ranges, ammo, cost, skill)
    assert gun.burst == gun.restricted == automatic


@pytest.mark.parametrize(
    ("armor", "points", "conceal", "cost", "restricted"),
    [
        ("leather", 1, "somewhat", 3, False),
        ("light flak vest", 3, "yes", 10, False),
        ("light flak suit", 4, "yes", 15, False),
        ("medium flak vest", 5, "somewhat", 20, False),
        ("heavy flak vest", 7, "no", 30, True),
    ],
)
def test_every_armor_is_as_the_table_has_it(armor, points, conceal, cost, restricted):  # 642-648
    row = ARMOR(RULES)[armor]
    assert (row.points, row.conceal, row.cost, row.restricted) == (points, conceal, cost, restricted)


def test_the_gear_tables_hold_nothing_else():
    assert (len(MELEE(RULES)), len(GUNS(RULES)), len(ARMOR(RULES))) == (5, 14, 5)


def test_a_knife_flies_body_plus_one_metres_and_twice_as_far_at_every_band():  # 618
    assert thrown_ranges(2) == (3, 6, 12, 24)
    assert thrown_ranges(0) == (1, 2, 4, 8)
    assert thrown_ranges(-3) == (1, 2, 4, 8)


def test_gear_costs_the_sum_of_its_prices():
    gear = Gear(melee=("knife", "knife"), guns=("9mm pistol",), armor="leather", other=(Item("rope", 3, 2),))
    cost = gear_cost(RULES, gear)
    assert cost.value == 1 + 1 + 5 + 3 + 2
    assert [(term.label, term.value) for term in cost.reasons][-1] == ("rope", 2)


def test_a_specialization_counts_however_it_is_written():  # lines 74-76
    person = Person.of(RULES, Character("Ana", skills={"melee": 1}, specializations={"melee": ("Knives",)}))
    assert specialization(person, "melee", ("knives",)).value == 1
    assert specialization(person, "melee", ("clubs",)).value == 0
