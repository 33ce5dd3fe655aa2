"""Attributes, points, skills and what follows from them; the hunter of chapter 2 to the point (book lines 943-1487, 1806-1887)."""

from math import trunc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.silhouette import SYSTEM
from rulewright.systems.silhouette.build.audit.points import Points, points_left
from rulewright.systems.silhouette.people.characters import (
    ATTRIBUTE_COSTS,
    ATTRIBUTES,
    POOLS,
    QUESTIONS,
    SCALE,
    SHEET,
    SKILL_COSTS,
    Character,
    Person,
    abbreviation,
    attribute_cost,
    attributes_cost,
    both_pools,
    character_points,
    limits,
    looks_like,
    quick_start,
    rating_modifier,
    side,
    simplified,
    skill_cost,
    skill_points,
    skill_test,
    specialization,
    specialization_points,
)
from rulewright.systems.silhouette.people.secondary_attributes import (
    LIFE,
    MASS,
    Capacity,
    Pushed,
    attribute_test,
    body_mass,
    capacity,
    in_shock,
    push_strength,
    secondary,
    secondary_of,
    shock_left,
    who_has,
    wound_from,
    wound_penalty,
)
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
small = st.integers(-3, 3)


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


TARAN = Character(  # lines 1831-1887
    "Taran",
    attributes=quick_start("perception", ("agility", "fitness", "creativity", "willpower")),
    skills={
        "survival (woods)": 2,
        "stealth": 2,
        "notice": 2,
        "athletics": 2,
        "defense": 2,
        "craft (woodcraft)": 2,
        "combat sense": 2,
        "archery": 2,
        "traps": 1,
        "melee": 1,
        "medicine": 1,
        "navigation (land)": 1,
        "hand-to-hand": 1,
        "language (elven)": 1,
    },
    complexity={"archery": 2, "stealth": 2, "survival (woods)": 2, "notice": 2},
    perks=(Trait("acute senses", "sight"),),
    flaws=(Trait("curse", points=4, about="love"), Trait("quirk", about="country bumpkin")),
    native="common",
)


# --- the worked example --------------------------------------------------------------------------------------------------------


def test_taran_is_built_to_the_point():  # lines 1819-1861
    points = Points(PLAIN, TARAN)
    assert (points.cp_spent, points.cp) == (30, 30)
    before = Character(
        "Taran", attributes=TARAN.attributes, skills=dict(list(TARAN.skills.items())[:-1]), complexity={**TARAN.complexity, "notice": 1}
    )
    assert Points(PLAIN, before).sp_spent == 49  # line 1843
    assert points.flaws == 5
    assert (points.sp_spent, points.sp) == (55, 55)
    assert points_left(PLAIN, TARAN).value == 0
    audit = SYSTEM.audit(PLAIN, TARAN)
    assert audit.legal
    assert not audit.problems


def test_what_follows_for_taran():  # lines 1869-1885
    values = {key: value.value for key, value in secondary_of(PLAIN, Person.of(PLAIN, TARAN)).items()}
    assert values == {
        "strength": 0,
        "health": 1,
        "stamina": 30,
        "unarmed_damage": 4,
        "armed_damage": 4,
        "flesh_wound_threshold": 15,
        "deep_wound_threshold": 30,
        "instant_death_threshold": 60,
        "system_shock": 6,
    }


def test_a_sharp_eye_helps_taran_to_see_and_not_to_hear():
    taran = Person.of(PLAIN, TARAN)
    assert skill_test(PLAIN, taran, "notice", when=("sight",)).modifier == 4  # Perception 2, Complexity 1, sight 1
    assert skill_test(PLAIN, taran, "notice", when=("hearing",)).modifier == 3


# --- attributes ----------------------------------------------------------------------------------------------------------------


def test_attribute_costs():  # lines 1145, 1172-1178, 7961-7972
    assert [attribute_cost(rating).value for rating in range(-5, 6)] == [-16, -9, -4, -1, 0, 1, 4, 9, 16, 25, 36]
    assert all(attribute_cost(row.rating).value == row.cost for row in ATTRIBUTE_COSTS(PLAIN).values())
    assert attributes_cost(PLAIN, {}).value == 10  # Joe Average


@given(st.lists(small, min_size=10, max_size=10))
@settings(max_examples=40)
def test_what_attributes_cost_is_the_sum_of_their_reasons(values):
    cost = attributes_cost(PLAIN, dict(zip(ATTRIBUTES, values, strict=True)))
    assert cost.value == sum(each.value for each in cost.reasons) == sum((v + 1) * abs(v + 1) for v in values)


def test_character_points_by_style():  # lines 1165-1168
    table = {
        style: [character_points(BOOK.ruleset(style), role).value for role in ("joe average", "pc", "major npc")]
        for style in ("gritty", "adventurous", "cinematic")
    }
    assert table == {"gritty": [10, 20, 30], "adventurous": [10, 30, 50], "cinematic": [10, 50, 70]}


def test_skill_points_by_style():  # lines 1226-1229, 7982-7986
    table = {
        style: [skill_points(BOOK.ruleset(style), role).value for role in ("joe average", "pc", "major npc")]
        for style in ("gritty", "adventurous", "cinematic")
    }
    assert table == {"gritty": [20, 40, 60], "adventurous": [20, 50, 80], "cinematic": [20, 70, 120]}


@pytest.mark.parametrize("style", ["gritty", "adventurous", "cinematic"])
@pytest.mark.parametrize("role", ["joe average", "pc", "major npc"])
def test_the_appendix_sums_up_both_pools(style, role):
    rules = BOOK.ruleset(style)
    assert both_pools(rules, role) == (character_points(rules, role).value, skill_points(rules, role).value)
    assert len(POOLS(rules)) == 9


def test_the_quick_start_array_costs_thirty():  # line 1149
    array = quick_start("psyche", ("build", "fitness", "influence", "willpower"))
    assert sorted(array.values()) == [0] * 5 + [1] * 4 + [2]
    assert attributes_cost(PLAIN, array).value == 30
    with pytest.raises(UserError, match="five different"):
        quick_start("build", ("build", "fitness", "influence", "willpower"))


def test_human_limits_and_what_they_look_like():
    assert limits(PLAIN, "agility") == (-3, 3)
    assert limits(PLAIN, "build") == (-5, 5)
    assert limits(with_settings(wide_build=False), "build") == (-3, 3)
    assert limits(with_settings(attributes="three"), "body") == (-3, 3)  # of a smaller set of attributes
    assert looks_like(PLAIN, "fitness", 3) == "champion"
    assert looks_like(PLAIN, "psyche", -7) == "unstable"
    assert len(SCALE(PLAIN)) == 10


def test_ratings_on_the_sheet():  # lines 489-500, 760-800
    assert rating_modifier(PLAIN, "strength", 2).value == 2
    with pytest.raises(UserError, match="never added"):
        rating_modifier(PLAIN, "stamina", 25)
    assert abbreviation(PLAIN, "unarmed damage") == "UD"
    assert len(SHEET(PLAIN)) == 15
    assert len(QUESTIONS(PLAIN)) == 20


# --- fewer attributes ----------------------------------------------------------------------------------------------------------


def test_fewer_attributes_are_averages_toward_zero():  # lines 1157-1159
    ten = {"agility": 1, "perception": 2, "build": -1, "fitness": 0, "knowledge": 3, "creativity": 2, "willpower": -2, "psyche": -1}
    assert simplified(ten) == {"alertness": 1, "body": 0, "intelligence": 2, "charisma": 0, "mind": -1}
    assert simplified(ten, "three") == {"body": 0, "mind": 2, "spirit": 0}


def test_fewer_attributes_have_fewer_points():
    assert character_points(with_settings(attributes="five")).value == 15
    assert character_points(with_settings(attributes="three")).value == 10
    assert character_points(with_settings(attributes="three", reality="gritty")).value == 7  # 20 / 3, rounded up


def test_a_campaign_with_five_attributes():
    rules = with_settings(attributes="five")
    one = Person.of(rules, Character("One", attributes={"body": 2, "mind": 1, "alertness": 1}))
    assert (one.attribute("build"), one.attribute("willpower"), one.attribute("agility"), one.attribute("knowledge")) == (2, 1, 1, 0)
    values = secondary_of(rules, one)
    assert (values["strength"].value, values["health"].value, values["stamina"].value) == (2, 1, 32)  # 5 × 3 / 2, toward zero
    full = with_settings(attributes="five", simplified_stamina="in full")
    assert secondary_of(full, one)["stamina"].value == 40
    averaged = Person.of(rules, TARAN)  # the ten of a file are averaged
    assert averaged.attribute("perception") == averaged.attribute("agility") == 1


def test_a_campaign_with_three_attributes():
    rules = with_settings(attributes="three")
    one = Person.of(rules, Character("One", attributes={"body": 1, "spirit": -1, "psyche": 2}))
    assert (one.attribute("agility"), one.attribute("influence"), one.attribute("psyche")) == (1, -1, 2)
    values = secondary_of(rules, one)
    assert (values["health"].value, values["stamina"].value, values["system_shock"].value) == (-1, 25, 4)


# --- secondary attributes ------------------------------------------------------------------------------------------------------


@given(build=st.integers(-5, 5), fitness=small, psyche=small, willpower=small, hand=st.integers(0, 5), melee=st.integers(0, 5))
@settings(max_examples=80)
def test_the_formulas(build, fitness, psyche, willpower, hand, melee):  # lines 1357-1368, 8030-8042
    values = {key: value.value for key, value in secondary(PLAIN, build, fitness, psyche, willpower, hand, melee).items()}
    strength = trunc((build + fitness) / 2)
    assert values["strength"] == strength
    assert values["health"] == round((fitness + psyche + willpower) / 3)
    assert values["stamina"] == max(1, 5 * (build + values["health"]) + 25)
    assert values["unarmed_damage"] == max(1, 3 + strength + build + hand)
    assert values["armed_damage"] == max(1, 3 + strength + build + melee)
    assert values["flesh_wound_threshold"] == (values["stamina"] + 1) // 2
    assert values["deep_wound_threshold"] == values["stamina"]
    assert values["instant_death_threshold"] == 2 * values["stamina"]
    assert values["system_shock"] == max(1, 5 + values["health"])


def test_minimums_say_so():
    values = secondary(PLAIN, build=-5, fitness=-3, psyche=-3, willpower=-3)
    assert (values["stamina"].value, values["unarmed_damage"].value) == (1, 1)
    assert values["stamina"].reasons[-1].op == "at least"


def test_thick_and_thin_skin():
    tough = Person.of(PLAIN, Character("Tough", perks=(Trait("thick-skinned"),)))
    thin = Person.of(PLAIN, Character("Thin", flaws=(Trait("thin-skinned"),)))
    assert secondary_of(PLAIN, tough)["flesh_wound_threshold"].value == 15
    assert secondary_of(PLAIN, thin)["instant_death_threshold"].value == 40


def test_who_has_ratings_like_these():
    assert who_has(PLAIN, "stamina", 33) == "somebody who trains"
    assert who_has(PLAIN, "stamina", 5) == "a child or frail elder"
    assert who_has(PLAIN, "strength", -3) == "weakling"
    assert len(LIFE(PLAIN)) == 5


def test_strength_lifts_the_lightest_body_of_that_build():  # line 1375
    assert capacity(PLAIN, 2) == Capacity(95, 47.5, 190)
    assert body_mass(PLAIN, 0) == (70, 79.9)
    assert len(MASS(PLAIN)) == 11
    assert capacity(PLAIN, 9).lift > capacity(PLAIN, 5).lift  # beyond the printed rows the bodies of the big go on


def test_pushing_strength_may_tear_something():  # lines 1392-1394
    def pushed(faces, **given):
        return script(push_strength(PLAIN, **given), [faces]).outcome

    assert pushed((4, 2)) == Pushed(1, "none")  # a draw passes
    assert pushed((3, 2)) == Pushed(1, "flesh")
    assert pushed((1, 1)) == Pushed(1, "deep")
    assert pushed((5, 5), by=2) == Pushed(2, "flesh")
    assert pushed((5, 5), health=1, by=2) == Pushed(2, "none")
    assert pushed((5, 5), pushes_today=1) == Pushed(1, "flesh")
    with pytest.raises(UserError, match="by 1, not by 2"):
        pushed((6, 6), strength=-1, by=2)


def test_wounds_and_what_they_cost():  # lines 1468-1478
    assert wound_from(40) == "deep"
    assert [wound_from(damage) for damage in (12, 13, 24, 25, 49, 50)] == ["none", "flesh", "flesh", "deep", "deep", "death"]
    assert wound_from(30, 15, 30, 60, armor=20) == "none"
    assert wound_penalty(2, 1).value == -4


def test_system_shock_runs_out_at_zero():  # line 1482
    assert shock_left(6, -4) == 2
    assert not in_shock(6, -5)
    assert in_shock(6, -6)


# --- skills --------------------------------------------------------------------------------------------------------------------


def test_skill_costs():  # lines 1233-1252, 7990-8011
    assert [skill_cost(PLAIN, level).value for level in range(11)] == [0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100]
    assert [skill_cost(PLAIN, 1, depth).value - 1 for depth in range(1, 6)] == [0, 4, 9, 16, 25]
    assert skill_cost(PLAIN, 2, 2).value == 8
    assert skill_cost(PLAIN, 2, 1, specializations=2).value == 14
    assert len(SKILL_COSTS(PLAIN)) == 10
    for wrong in ((11, 1), (2, 6), (2, 0)):
        with pytest.raises(UserError):
            skill_cost(PLAIN, *wrong)


def test_one_specialization_counts():  # lines 1265-1271
    assert specialization(("rifles", "night"), ("rifles", "night")).value == 1
    assert specialization(("rifles",), ("pistols",)).value == 0
    assert specialization_points(3).value == 15


def test_a_foreign_field_costs_two_except_in_the_cinema():
    scholar = Character(
        "Scholar",
        skills={"natural sciences (life)": 3, "language (latin)": 2},
        complexity={"language (latin)": 2},
        covers={"language (latin)": ("greek",)},
    )
    person = Person.of(PLAIN, scholar)
    assert skill_test(PLAIN, person, "natural sciences (earth)").modifier == -2
    assert skill_test(PLAIN, person, "natural sciences (life)").modifier == 0
    assert skill_test(PLAIN, person, "language (greek)").modifier == 1
    assert skill_test(PLAIN, person, "language (norse)").modifier == -1
    cinema = BOOK.ruleset("cinematic")
    assert skill_test(cinema, Person.of(cinema, scholar), "natural sciences (earth)").dice == 3
    assert skill_test(cinema, Person.of(cinema, scholar), "natural sciences (earth)").modifier == 0


def test_a_native_tongue_costs_nothing():  # line 8357
    assert Person.of(PLAIN, Character("A", native="Welsh")).level("language (welsh)") == 2
    assert Person.of(PLAIN, Character("A", native="Welsh", attributes={"knowledge": 1})).level("language (welsh)") == 3


def test_sides_of_a_contest_bring_what_settles_ties():
    person = Person.of(PLAIN, TARAN)
    mine = side(PLAIN, person, "stealth")
    assert (mine.skill, mine.level, mine.complexity, mine.attribute) == ("stealth", 2, 2, 1)
    assert mine.pool.modifier == 1
    assert attribute_test(PLAIN, person, "health").modifier == 1


def test_extras_do_not_roll_like_heroes():
    assert not Person.of(PLAIN, Character("Extra", role="joe average")).hero
    assert not skill_test(PLAIN, Person.of(PLAIN, Character("Extra", role="joe average")), "notice").hero
    assert Person.of(PLAIN, Character("Villain", role="major npc")).hero
