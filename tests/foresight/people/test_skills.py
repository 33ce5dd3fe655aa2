"""Skills and fields: scores, limits, prices, favors (book lines 724-992, 1635-2039, 2248-2254)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from foresight.amy import TRAINED
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.skills import (
    FIELD_SCOPES,
    FIELDS,
    PRICES,
    SCOPES,
    SKILLS,
    USES,
    ability_for,
    attribute_price,
    dearer_above,
    early_field,
    familiarities,
    familiarity_price,
    favor,
    favor_in_defense,
    favored_classes,
    favored_field,
    favored_fields,
    field_price,
    field_scope,
    formula_text,
    head_start,
    highest_level,
    language_price,
    price,
    skill_price,
    skill_row,
    skill_scope,
    skill_score,
    skill_task,
    specialization_from,
    specialized_on_basic,
    trade_task,
    unskilled_task,
)
from rulewright.systems.foresight.resolution.tests import Mod, Task, chance_of, written_score

PRINTED = {  # 776-828: formula, cost, BEF, limit
    "Powered Watercraft": ("(IN+PC)/2", 1, "E+3", 1),
    "Throw": ("(DX+PC)/2", 1, "G+1", 1),
    "Theory": ("IN/2", 3, "5", 1.5),
    "Teach": ("(EM+WP)/2", 1, "5", 1),
    "Swimming": ("(ST+EN)/2", 1, "5", 1),
    "Survival": ("(IN+WP)/4", 1, "E+3", 1.5),
    "Stamina": ("(EN+WP)/2", 2, "5", 1),
    "Stealth": ("(AG+PC)/2", 2, "E+3", 1),
    "Spacecraft": ("(IN+PC)/2", 2, "5", 1),
    "Slings": ("(DX+PC)/4", 2, "3", 1.5),
    "Sleight of Hand": ("(DX+PC)/4", 1, "5", 1.5),
    "Seduction": ("(EM+WP)/2", 1, "4", 1),
    "Search": ("(IN+PC)/2", 1, "E+3", 1),
    "Sail": ("(IN+PC)/2", 2, "4", 1),
    "Ride": ("(EM+WP)/2", 1, "E+3", 1),
    "Pickpocket": ("DX", 1, "5", 1),
    "Personal Flyer": ("(AG+PC)/2", 1, "G+2", 1),
    "Pain Resistance": ("(EN+WP)/2", 2, "5", 1),
    "Navigate": ("(IN+PC)/2", 1, "E+3", 1),
    "Musical Composition": ("(IN+EM)/4", 2, "4", 1.5),
    "Motorcycles": ("(AG+PC)/2", 1, "E+3", 1),
    "Longarms": ("(DX+PC)/2", 2, "4", 1),
    "Lockpicking": ("DX/2", 1, "5", 1.5),
    "Initiative": ("(IN+PC)/2", 2, "E+3", 1),
    "Handguns": ("(DX+PC)/2", 2, "3", 1),
    "Hand-to-Hand Combat": ("(AG+PC)/2", 2, "G", 1),
    "Groundcraft": ("(DX+PC)/2", 1, "E+3", 1),
    "Tools of Trade": ("DX", 1, "6", 1),
    "Sporting Skill": ("(AG+PC)/2", 1, "G+2", 1),
    "Musical Instrument": ("DX/2", 1, "5", 1.5),
    "Heavy Weapon": ("IN", 2, "G+2", 1),
    "Game": ("IN", 1, "5", 1),
    "Artistic Depiction": ("DX/2", 1, "5", 1.5),
    "Gambling": ("(EM+WP)/2", 1, "5", 1),
    "Disguise": ("(IN+EM)/4", 2, "5", 1.5),
    "Dance": ("(AG+EM)/2", 1, "G+2", 1),
    "Confidence": ("(EM+WP)/4", 1, "5", 1.5),
    "Charisma": ("(AP+EM)/2", 1, "5", 1),
    "Athletics": ("(ST+AG)/2", 2, "G+3", 1),
    "Armor/Exoskeleton": ("ST", 2, "G+3", 1),
    "Archery": ("(DX+PC)/4", 2, "3", 1.5),
    "Animal Handling": ("(EM+WP)/2", 1, "5", 1),
    "Aircraft": ("(DX+PC)/2", 1, "G+2", 1),
    "Acrobatics": ("AG/2", 2, "G+2", 1.5),
}


@pytest.mark.parametrize("skill", PRINTED)
def test_a_skill_is_as_printed(skill):
    row = SKILLS(RULES)[skill]
    assert (formula_text(row), row.cost, row.ease, row.limit) == PRINTED[skill]


def test_forty_five_skills_are_listed_and_one_more_is_described():
    assert len(SKILLS(RULES)) == 46
    assert set(SKILLS(RULES)) - set(PRINTED) == {"Sing", "Animal Training"}
    assert SKILLS(RULES)["Animal Training"].source == "ruling"
    assert {row.skill for row in SKILLS(RULES).values() if row.free} == {"Initiative", "Pain Resistance", "Search", "Stamina"}
    assert set(SCOPES(RULES)) == set(SKILLS(RULES))
    assert "bows" in skill_scope(RULES, "Archery")
    assert skill_row(RULES, "Tools of Trade: surgery").generic
    with pytest.raises(UserError, match="did you mean"):
        skill_row(RULES, "Stealthy")


def test_a_formula_of_ten_and_a_half_is_eleven():  # 266
    assert skill_score(RULES, "Handguns", 0, Attributes(DX=11, PC=10)).value == 11


def test_amys_charisma_is_twenty_plus_one():  # 1043-1045
    assert skill_score(RULES, "Charisma", 12, TRAINED).value == 24
    assert written_score(RULES, skill_score(RULES, "Charisma", 11, TRAINED).value) == "20+1"
    assert highest_level(RULES, "Charisma", TRAINED).value == 12


def test_limits_of_levels():  # 764-770
    assert highest_level(RULES, "Theory", TRAINED).value == 18
    assert highest_level(RULES, "Handguns", TRAINED).value == 12
    assert highest_level(RULES, "Acrobatics", Attributes(AG=9)).value == 14  # 13.5 rounds up
    assert highest_level(RULES, "Sing", TRAINED).value == 22  # 816
    assert skill_score(RULES, "Sing", 3).value == 13


@given(skill=sampled_from(sorted(PRINTED)), level=integers(0, 20), value=integers(1, 20))
def test_a_score_rises_with_its_level_and_with_attributes(skill, level, value):
    same = Attributes(*[value] * 9)
    row = SKILLS(RULES)[skill]
    score = skill_score(RULES, skill, level, same).value
    assert score - level == int(len(row.attributes) * value / row.divisor + 0.5)
    assert skill_score(RULES, skill, level + 1, same).value == score + 1
    assert highest_level(RULES, skill, same).value == -(-int(row.limit * 2) * value // 2)


def test_a_skill_that_was_never_learnt_is_its_formula_at_minus_one():  # 1637-1639
    task = unskilled_task(RULES, "Aircraft", Attributes(DX=10, PC=12), gravity=3)
    assert task == Task(11, 5, (Mod("not learnt", -1, "fs-unskilled-use"),))
    assert chance_of(RULES, task) == 44


def test_a_skill_is_used_where_one_is():
    assert skill_task(RULES, "Initiative", 4, TRAINED, environment=2) == Task(16, 5)
    assert skill_task(RULES, "Lockpicking", 9, TRAINED, modifiers=(Mod("lock", -1), Mod("picks", 1))).score == 14  # 304
    assert skill_task(RULES, "Acrobatics", 4, TRAINED, gravity=3, insight=1).ease == 6


def test_a_similar_skill_has_a_head_start():  # 796: Harpsichord 12 to Piano 9
    assert head_start(RULES, 12, 75).value == 9
    with pytest.raises(UserError, match="25 to 75"):
        head_start(RULES, 12, 80)


# --- prices --------------------------------------------------------------------------------------------------------------------


def test_theory_costs_nine_and_three_a_level_and_six_past_fifteen():  # 764
    assert skill_price(RULES, "Theory", 0).value == 9
    assert skill_price(RULES, "Theory", 15).value == 9 + 45
    assert skill_price(RULES, "Theory", 17).value == 9 + 45 + 12
    assert dearer_above(RULES, "Theory") == 15
    assert dearer_above(RULES, "Sing") == 10
    assert dearer_above(under(sing_doubles_above=15), "Sing") == 15


def test_amys_charisma_from_four_to_twelve_costs_ten():  # 1043
    assert skill_price(RULES, "Charisma", 12, start=4).value == 10
    assert skill_price(RULES, "Charisma", 11, start=4).value == 8  # 1045
    assert skill_price(RULES, "Confidence", 13, start=4).value == 9  # 1049


def test_amys_search_costs_what_the_rules_say():  # 1051 prints 5 and 4; from 4 to 10 are six levels
    assert skill_price(RULES, "Search", 10, start=4).value == 6
    assert skill_price(RULES, "Search", 9, start=4).value == 5


def test_what_giving_skills_back_returns():  # 1033-1041
    assert skill_price(RULES, "Pain Resistance", 4, start=0).value == 8
    assert skill_price(RULES, "Disguise", 4).value == 8 + 6
    assert skill_price(RULES, "Pain Resistance", 0).value == 6  # 720: sold for 3


def test_the_skills_amy_buys_cost_forty_five():  # 867 prints 48 for a sum of costs of 16; they add up to 15
    bought = (
        "Charisma",
        "Confidence",
        "Dance",
        "Disguise",
        "Groundcraft",
        "Hand-to-Hand Combat",
        "Handguns",
        "Lockpicking",
        "Teach",
        "Theory",
    )
    assert sum(skill_price(RULES, skill, 0).value for skill in bought) == 45
    free = ("Athletics", "Initiative", "Pain Resistance", "Search", "Stamina", "Stealth")
    assert sum(SKILLS(RULES)[skill].cost for skill in (*bought, *free)) == 26  # 871


@pytest.mark.parametrize(("inherent", "trained", "points"), [(8, 8, 0), (8, 9, 5), (9, 11, 10), (11, 14, 20), (9, 13, 40)])
def test_training_an_attribute(inherent, trained, points):  # 735-738
    assert attribute_price(RULES, inherent, trained).value == points


def test_training_after_a_wound_costs_five_a_point():  # 734
    assert attribute_price(RULES, 10, 9, start=8).value == 5
    assert attribute_price(RULES, 10, 10, start=8).value == 10
    with pytest.raises(UserError, match="at most"):
        attribute_price(RULES, 9, 14)


def test_amys_training_costs_fifty():  # 873-877
    pairs = ((8, 10), (9, 11), (10, 12), (10, 12), (11, 12), (11, 12))
    assert sum(attribute_price(RULES, low, high).value for low, high in pairs) == 50


def test_the_price_list():  # 726-748
    assert len(PRICES(RULES)) == 18
    assert [
        price(RULES, name) for name in ("environment familiarity", "gravity familiarity", "ambidexterity", "wealth up", "wealth down")
    ] == [
        2,
        5,
        15,
        20,
        -10,
    ]


def test_a_long_term_familiarity_with_a_pistol_costs_ten():  # 2065
    assert familiarity_price(RULES, "Handguns").value == 10
    assert familiarity_price(RULES, "Theory").value == 15
    assert familiarity_price(RULES, "Economics").value == familiarity_price(RULES, "DX").value == 10
    assert familiarities(RULES, 2).value == 2  # 2071
    assert familiarities(under(ltf_stacking="one"), 2).value == 1


# --- fields --------------------------------------------------------------------------------------------------------------------


def test_fifty_two_fields_are_listed():  # 923-977
    rows = FIELDS(RULES)
    assert len(rows) == 52
    assert set(FIELD_SCOPES(RULES)) == set(rows)
    assert (rows["Accounting"].basic, rows["Accounting"].standard, rows["Accounting"].specialization, rows["Accounting"].tl) == (
        5,
        15,
        10,
        2,
    )
    assert (rows["Language (New Alphabet)"].basic, rows["Language (New Alphabet)"].standard) == (10, 25)
    assert rows["Literacy"].specialization is None
    styles = {"Exotic Style", "Defensive", "Lethal", "Throws", "Capture"}
    others = {"Brewing & Winemaking", "Market", "Tracking", "Language (Similar)", "Photography", "Dance Form"}
    assert {name for name, row in rows.items() if row.basic is None} == others | {f"Unarmed Combat {style}" for style in styles}
    assert sum(row.standard for row in rows.values()) == 655
    assert "first aid" in field_scope(RULES, "Medicine")


def test_amys_education_costs_ninety_five():  # 984-992
    fields = [("Computer Science", "standard"), ("Law", "standard"), ("Psychology", "standard"), ("Forensic Science", "standard")]
    fields += [("Photography", "standard"), ("Surveillance", "basic"), ("Unarmed Combat Defensive", "standard")]
    assert [field_price(RULES, field, level).value for field, level in fields] == [20, 20, 20, 20, 5, 5, 5]
    assert field_price(RULES, "Law", specializations=1, start="standard").value == 10  # 988


def test_standard_needs_basic_first_and_both_are_paid():  # 899
    assert field_price(RULES, "Medicine", start="basic").value == 15  # 1087
    with pytest.raises(UserError, match="no basic tier"):
        field_price(RULES, "Photography", "basic")
    with pytest.raises(UserError, match="no specializations"):
        field_price(RULES, "Literacy", specializations=1)


def test_specializing_on_basic_knowledge_costs_a_fifth_more():  # 903
    ours = under(specialize_from_basic=True)
    assert specialized_on_basic(ours, "Physics").value == 12
    assert field_price(ours, "Physics", "basic", 1).value == 17
    with pytest.raises(UserError, match="needs standard"):
        field_price(RULES, "Physics", "basic", 1)


def test_fields_ahead_of_their_time_cost_double():  # 909
    ours = under(early_fields=True)
    assert early_field(ours, "Economics", 3).value == 10
    assert early_field(ours, "Economics", 4).value == 5
    assert specialization_from(ours, "Economics") == 5
    assert specialization_from(RULES, "Economics") == 4
    for rules, tl in ((RULES, 3), (ours, 2)):
        with pytest.raises(UserError, match="Economics"):
            early_field(rules, "Economics", tl)


def test_living_among_speakers_halves_a_language():  # 2250
    assert language_price(RULES, "Language").value == 10
    assert language_price(RULES, "Language (New Alphabet): Thai").value == 18  # half of 35
    assert language_price(RULES, "Language", immersed=False).value == 20
    with pytest.raises(UserError, match="not a language"):
        language_price(RULES, "Law")


def test_which_ability_goes_with_a_field():  # 911-919
    assert ability_for(RULES, "recall") == "IN"
    assert ability_for(RULES, "inspect") == "Search"
    assert ability_for(RULES, "design") == "Theory"
    assert USES(RULES)["indirect diagnosis"].builds_on == "inspect"


# --- favors --------------------------------------------------------------------------------------------------------------------


def test_five_levels_of_theory_favor_a_field():  # 1961-1965
    assert favored_fields(RULES, 9).value == 1
    assert favored_fields(RULES, 10).value == 2
    assert favored_field(RULES, True, True).value == 2  # 1963
    with pytest.raises(UserError, match="field"):
        favored_field(RULES, False, True)


def test_favored_weapons():  # 799, 1784-1786
    assert [favored_classes(RULES, level).value for level in (0, 9, 10)] == [1, 1, 2]
    favored = ("unarmed", "swords", "swords")
    assert favor(RULES, favored, "swords").value == 2
    assert favor_in_defense(RULES, favored, "swords").value == 2
    assert favor_in_defense(RULES, favored, "polearms").value == 1
    assert favor_in_defense(RULES, ("swords", "swords"), "polearms", "swords").value == 2
    assert favor_in_defense(under(favor_in_parries="sum"), favored, "polearms", "swords").value == 3
    assert favor(RULES, ("swords",) * 3, "swords").value == 2


def test_a_trade_or_dexterity_at_minus_three():  # 2037-2039
    assert trade_task(RULES, 10, 6) == Task(16, 6)
    assert trade_task(RULES, 10) == Task(10, 7, (Mod("dexterity in place of a trade", -3, "fs-tools-of-trade"),))
    assert trade_task(under(dexterity_for_a_trade=1), 10).modifier == -1
