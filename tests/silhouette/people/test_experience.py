"""Awards, prices, tutors, levels and the log (book lines 1619-1801)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.silhouette import SYSTEM
from rulewright.systems.silhouette.people.advancement import (
    award,
    buy_attribute,
    buy_complexity,
    buy_emergency_dice,
    buy_off_flaw,
    buy_skill,
    buy_specialization,
    gain_perk,
    spend_emergency_dice,
    standing,
)
from rulewright.systems.silhouette.people.characters import Award, Character, Person, Purchase, Spent
from rulewright.systems.silhouette.people.experience import (
    AWARDS,
    CHARACTER_LEVELS,
    IMPROVEMENT,
    Taught,
    attribute_improvement,
    camp_months,
    camp_test,
    can_teach,
    character_level,
    combat_award,
    complexity_cost,
    emergency_dice_cost,
    escape_cost,
    experience_award,
    experience_unit,
    highest_bought,
    improvement_cost,
    practice_needed,
    replacement_cost,
    session_award,
    specialization_experience,
    tutor_fee,
    tutor_months,
    tutor_rebate,
)
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
HERO = Character("Hero", skills={"stealth": 2, "notice": 1}, flaws=(Trait("debt", "key favor"), Trait("quirk")), advancement=(Award(200),))


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


# --- awards --------------------------------------------------------------------------------------------------------------------


def test_an_average_session():  # line 1625
    assert experience_award(PLAIN).value == 5
    assert experience_award(BOOK.ruleset("cinematic"), 2).value == 20
    assert experience_award(with_settings(detailed_experience=True)).value == 5000
    assert experience_unit(PLAIN) == 1


def test_a_session_item_by_item():  # lines 1629-1657
    deeds = ("in character with enthusiasm", "in a combat", "equal foes defeated", "worked as a team")
    assert session_award(PLAIN, deeds).value == 5
    assert session_award(PLAIN, deeds, "marathon session").value == 10
    assert session_award(PLAIN, (*deeds, "major setback"), more=1).value == 3
    assert session_award(with_settings(detailed_experience=True), ("in character with enthusiasm",)).value == 2000  # line 1662
    assert session_award(PLAIN, ("wildly out of character",)).value == -1
    with pytest.raises(UserError, match="session length"):
        session_award(PLAIN, ("long session",))
    with pytest.raises(UserError, match="not a session length"):
        session_award(PLAIN, (), "in a combat")
    assert len(AWARDS(PLAIN)) == 21


def test_a_lost_figure_is_shown_as_a_stand_in():
    assert session_award(PLAIN, ("vital discovery",)).reasons[0].source == "stand-in"


def test_fights_problems_and_goals():  # lines 1666-1682
    assert combat_award(PLAIN).value == 2
    assert combat_award(PLAIN, 80, 160).value == 3  # an ogre of twice the power
    assert combat_award(PLAIN, 80, 40).value == 1
    assert combat_award(PLAIN, fights=0, problems=2, goals=3).value == 5
    with pytest.raises(UserError, match="power"):
        combat_award(PLAIN, 0)


# --- prices --------------------------------------------------------------------------------------------------------------------


def test_skills_rise_step_by_step():  # lines 1732-1744
    assert [improvement_cost(PLAIN, level).value for level in range(1, 11)] == [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]
    assert improvement_cost(PLAIN, 3, 1).value == 13
    assert [complexity_cost(PLAIN, value).value for value in range(2, 6)] == [4, 9, 16, 25]
    assert (highest_bought(PLAIN), highest_bought(PLAIN, "Complexity")) == (10, 5)
    assert len(IMPROVEMENT(PLAIN)) == 10
    for wrong in ((0, None), (11, None), (3, 3)):
        with pytest.raises(UserError):
            improvement_cost(PLAIN, *wrong)
    with pytest.raises(UserError, match="2 to 5"):
        complexity_cost(PLAIN, 6)


def test_other_prices():
    assert attribute_improvement(PLAIN, 3).value == 150
    with pytest.raises(UserError, match="1 to 3"):
        attribute_improvement(PLAIN, 4)
    assert specialization_experience(PLAIN).value == 5
    assert specialization_experience(with_settings(detailed_experience=True)).value == 5000
    assert attribute_improvement(with_settings(detailed_experience=True), 2).value == 100_000
    assert emergency_dice_cost(PLAIN, 3).value == 3
    assert emergency_dice_cost(with_settings(detailed_experience=True)).value == 1000  # line 1663
    with pytest.raises(UserError, match="at least one"):
        emergency_dice_cost(PLAIN, 0)
    assert escape_cost(PLAIN) == 5
    assert replacement_cost(PLAIN) == 1


def test_practice_before_a_level():  # line 1724
    assert practice_needed(with_settings(practice_before_levels=True), 4) == 16
    assert practice_needed(PLAIN, 4) == 0


# --- tutors --------------------------------------------------------------------------------------------------------------------


def test_who_teaches_for_what_and_how_long():  # lines 1750-1760
    assert can_teach(3, 2)
    assert not can_teach(2, 2)
    assert tutor_fee(PLAIN, 3, 2).value == 9000
    assert tutor_fee(with_settings(tutor_fee="tutor's level times the level taught"), 3, 2).value == 6000
    assert tutor_months(9, 2).value == 7
    assert tutor_months(4, 5).value == 0.25
    assert tutor_months(9, 2, -1).value == 6
    assert camp_months(6, 2).value == 2
    assert script(camp_test(PLAIN, 1, 3), [(2, 1)]).outcome.verdict == "draw"


def test_what_a_tutor_saves():  # lines 1762-1764
    def taught(faces, **given):
        return script(tutor_rebate(PLAIN, 9, 3, **given), [faces]).outcome

    assert taught((4, 2), teaching=2, creativity=1) == Taught(4, 5)
    assert taught((6, 6), teaching=2) == Taught(3, 6)  # never below the new level
    assert taught((1,)) == Taught(18, -9, True)
    assert taught((3, 2, 2), teaching=1, skill=3, learner=1) == Taught(5, 4)


@given(cost=st.integers(1, 100), level=st.integers(1, 10), face=st.integers(2, 6))
@settings(max_examples=40)
def test_a_course_never_costs_more_unless_fumbled(cost, level, face):
    after = script(tutor_rebate(PLAIN, cost, level), [(face,)]).outcome
    assert min(cost, level) <= after.cost <= cost


# --- levels --------------------------------------------------------------------------------------------------------------------


def test_character_levels():  # lines 1784-1798
    assert [character_level(PLAIN, row.xp) for row in CHARACTER_LEVELS(PLAIN).values()] == list(range(1, 11))
    assert [character_level(PLAIN, xp) for xp in (0, 3, 4, 8, 99, 120, 121)] == [1, 1, 2, 2, 9, 10, 11]
    assert character_level(with_settings(detailed_experience=True), 9000) == 3


# --- the log -------------------------------------------------------------------------------------------------------------------


def test_experience_buys_what_it_should():
    hero = buy_skill(PLAIN, HERO, "stealth")  # 9
    hero = buy_complexity(PLAIN, hero, "stealth")  # 4
    hero = buy_attribute(PLAIN, hero, "agility")  # 50
    hero = buy_specialization(PLAIN, hero, "stealth", "urban")  # 5
    hero = buy_emergency_dice(PLAIN, hero, 3)  # 3
    hero = spend_emergency_dice(PLAIN, hero, 2, "stealth")
    hero = gain_perk(PLAIN, hero, Trait("connections", "contact", points=2))  # 2
    hero = buy_off_flaw(PLAIN, hero, "debt")  # 1
    hero = award(PLAIN, hero, session="the long night")  # +5
    person, now = Person.of(PLAIN, hero), standing(PLAIN, hero)
    assert (person.level("stealth"), person.complexity["stealth"], person.attribute("agility")) == (3, 2, 1)
    assert person.specializations["stealth"] == ("urban",)
    assert person.emergency_dice == 1
    assert [perk.name for perk in person.perks] == ["connections"]
    assert [flaw.name for flaw in person.flaws] == ["quirk"]
    assert (now.earned, now.spent) == (205, 74)
    assert not [problem for problem in SYSTEM.audit(PLAIN, hero).problems if problem.field.startswith("advancement")]


@pytest.mark.parametrize(
    ("entry", "rule", "words"),
    [
        (Purchase("skill", "stealth", 4), "sil-2.5.2-skill-improvement", "none can be skipped"),
        (Purchase("skill", "archery", 2), "sil-2.5.2-skill-improvement", "begins at level 1"),
        (Purchase("skill", "stealth", 2), "sil-2.5.2-skill-improvement", "already"),
        (Purchase("skill", "stelth", 1), "sil-2.2.4-skill-list", "no skill"),
        (Purchase("complexity", "stealth", 3), "sil-2.5.2-skill-improvement", "buy 2"),
        (Purchase("complexity", "archery", 2), "sil-2.5.2-skill-improvement", "without the skill"),
        (Purchase("complexity", "stealth", 1), "sil-2.5.2-skill-improvement", "already"),
        (Purchase("attribute", "agility", 2), "sil-2.5.2-attribute-improvement", "one point at a time"),
        (Purchase("attribute", "luck", 1), "sil-2.5.2-attribute-improvement", "no attribute"),
        (Purchase("attribute", "agility", 0), "sil-2.5.2-attribute-improvement", "already"),
        (Purchase("specialization", "archery", name="longbow"), "sil-2.2.3-specialization", "never learnt"),
        (Purchase("specialization", "stealth", name=" "), "sil-2.2.3-specialization", "no name"),
        (Purchase("emergency dice", to=0), "sil-2.5.2-emergency-dice", "cannot be bought"),
        (Purchase("emergency dice", to=999), "sil-2.5.1-xp-awards", "only 200 are left"),
        (Purchase("perk", "luck", trait=Trait("luck")), "sil-2.4.1-perk-list", "no Perk"),
        (Purchase("perk", "famous", trait=Trait("famous", points=9)), "sil-2.4.1-perk-list", "1 to 7"),
        (Purchase("perk", "famous"), "sil-2.4-perks-flaws-rules", "does not name"),
        (Purchase("flaw removal", "curse"), "sil-2.4-perks-flaws-rules", "no Flaw 'curse'"),
        (Purchase("favored item", "stealth", name="cloak"), "sil-2.2-favored-item", "no favored item"),
        (Purchase("skill", "stealth", 3, xp=1, tutor="Sten"), "sil-2.5.3-tutors", "3 to 18"),
        (Purchase("skill", "stealth", 3, xp=-2), "sil-2.5.1-xp-awards", "give points back"),
        (Award(-2), "sil-2.5.1-xp-awards", "is negative"),
        (Spent(2), "sil-2.5.2-emergency-dice", "0 owned"),
        (Spent(0), "sil-2.5.2-emergency-dice", "cannot be spent"),
    ],
)
def test_every_bad_entry_has_its_own_message(entry, rule, words):
    spoilt = Character("Hero", skills=HERO.skills, flaws=HERO.flaws, advancement=(Award(200), entry))
    found = [p for p in SYSTEM.audit(PLAIN, spoilt).problems if p.field.startswith("advancement.1") and not p.warning]
    assert rule in [problem.rule for problem in found]
    assert any(words in problem.message for problem in found)
    assert all(problem.repair is not None for problem in found)


def test_a_purchase_is_refused_with_the_words_of_the_audit():
    with pytest.raises(UserError, match="none can be skipped"):
        buy_skill(PLAIN, HERO, "stealth", to=4)
    forced = buy_skill(PLAIN, HERO, "stealth", to=4, force=True)
    assert Person.of(PLAIN, forced).level("stealth") == 4


def test_an_attribute_rises_three_times_at_most():
    hero = Character("Hero", attributes={"agility": -2}, advancement=(Award(400),))
    for _ in range(3):
        hero = buy_attribute(PLAIN, hero, "agility")
    with pytest.raises(UserError, match="3 times, the maximum"):
        buy_attribute(PLAIN, hero, "agility")


def test_no_human_passes_the_limit_by_experience():
    hero = Character("Hero", attributes={"agility": 3}, advancement=(Award(400),))
    with pytest.raises(UserError, match="human limit"):
        buy_attribute(PLAIN, hero, "agility")


def test_a_tutor_makes_a_level_cheaper():
    hero = buy_skill(PLAIN, HERO, "stealth", xp=4, tutor="Sten")
    assert standing(PLAIN, hero).spent == 4


def test_practice_is_counted_from_the_last_level():
    rules = with_settings(practice_before_levels=True)
    with pytest.raises(UserError, match="9 Emergency Dice must be spent"):
        buy_skill(rules, HERO, "stealth")
    trained = buy_emergency_dice(rules, HERO, 10)
    for dice in (5, 4):
        trained = spend_emergency_dice(rules, trained, dice, "stealth")
    trained = buy_skill(rules, trained, "stealth")
    with pytest.raises(UserError, match="16 Emergency Dice"):
        buy_skill(rules, trained, "stealth")
    assert buy_skill(rules, HERO, "archery")  # a new skill needs none


def test_six_dice_at_once_need_leave():
    spoilt = Character("Hero", advancement=(Award(9), Purchase("emergency dice", to=6), Spent(6)))
    found = [p for p in SYSTEM.audit(PLAIN, spoilt).problems if p.field.startswith("advancement")]
    assert [(p.rule, p.warning) for p in found] == [("sil-2.5.2-emergency-dice", True)]


def test_a_favored_item_can_be_had_again():
    hero = Character(
        "Hero",
        skills={"stealth": 1},
        favored={"stealth": "cloak"},
        advancement=(Award(1), Purchase("favored item", "stealth", name="cloak")),
    )
    rules = with_settings(favored_items=True)
    assert standing(rules, hero).spent == 1
    assert not [p for p in SYSTEM.audit(rules, hero).problems if not p.warning]


def test_what_an_award_answers_can_be_read_back():
    import msgspec

    from rulewright.show.serialize import plain

    after = award(PLAIN, Character("Rhea", skills={"small arms": 3}), 60)
    assert msgspec.convert(plain(after), Character) == after


@pytest.mark.parametrize(("now", "to", "over"), [(4, 5, None), (5, 6, 1), (5, 7, 2)])
def test_the_book_prices_complexity_up_to_five(now, to, over):
    expert = Character("Ann", skills={"notice": 3}, complexity={"notice": now}, advancement=(Award(200),))
    faults = list(standing(PLAIN, expert).take(Purchase("complexity", "notice", to)))
    assert [fault.over for fault in faults if "no price beyond" in fault.message] == ([] if over is None else [over])
