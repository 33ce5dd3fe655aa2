"""Every bad build has its own message, rule and repair; carried out, the repairs end with a legal character."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.build.audit import repair
from rulewright.systems.silhouette import SYSTEM
from rulewright.systems.silhouette.people.characters import ATTRIBUTES, Character, Gear, Injuries, Item
from rulewright.systems.silhouette.people.skills import SKILLS
from rulewright.systems.silhouette.people.traits import FLAW_PRICES, PERK_PRICES, Trait
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def repaired(rules, character):
    for _ in range(200):
        problems = [p for p in SYSTEM.audit(rules, character).problems if not p.warning]
        if not problems:
            return character
        assert problems[0].repair is not None
        after = repair(character, problems[0])
        assert after != character, problems[0]
        character = after
    raise AssertionError("the repairs do not end")


BAD = [
    ({"attributes": {"agility": 4}}, "sil-2.1.2-attribute-costs", "above the human limit of +3"),
    ({"attributes": {"psyche": -4}}, "sil-2.1.2-attribute-costs", "below the human limit of -3"),
    ({"attributes": {"strenght": 1}}, "sil-2.1.1-attribute-scale", "no attribute"),
    ({"attributes": {"body": 1}}, "sil-2.1.1-attribute-scale", "no attribute"),
    ({"attributes": dict.fromkeys(ATTRIBUTES, 2)}, "sil-2.1.2-character-points", "90 of 30 Character Points"),
    ({"attributes": {"agility": 1}, "emergency_dice": 18}, "sil-2.1.2-attribute-costs", "only 17 left over"),
    ({"emergency_dice": -1}, "sil-2.5.2-emergency-dice", "cannot be below 0"),
    ({"skills": {"swordplay": 2}}, "sil-2.2.4-skill-list", "no skill 'swordplay'"),
    ({"skills": {"stelth": 2}}, "sil-2.2.4-skill-list", "no skill 'stelth'"),
    ({"skills": {"traps": 1, "demolition": 1}}, "sil-2.2.4-skill-list", "the same skill"),
    ({"skills": {"stealth": 11}}, "sil-2.2.1-skill-costs", "above the limit of 10"),
    ({"skills": {"stealth": -1}}, "sil-2.2.1-skill-costs", "below the limit of 0"),
    ({"skills": {"pilot": 2}}, "sil-2.2.4-specific-skills", "needs a field, such as mecha"),
    ({"skills": {"stealth (urban)": 2}}, "sil-2.2.4-specific-skills", "has no fields"),
    ({"skills": {"medicine": 4}}, "sil-2.2.1-skill-costs", "above 3 needs a specialization"),
    ({"skills": {"medicine": 1}, "complexity": {"medicine": 4}}, "sil-2.2.1-skill-costs", "Complexity above 3 needs a specialization"),
    ({"skills": {"stealth": 1}, "complexity": {"stealth": 6}}, "sil-2.2.1-skill-costs", "must be 1 to 5, not 6"),
    ({"complexity": {"stealth": 2}}, "sil-2.2.1-skill-costs", "Complexity without the skill"),
    ({"specializations": {"stealth": ("urban",)}}, "sil-2.2.3-specialization", "without the skill: add Stealth first"),
    ({"skills": {"stealth": 1}, "specializations": {"stealth": ("urban", "Urban")}}, "sil-2.2.3-specialization", "twice"),
    ({"skills": {"stealth": 1}, "specializations": {"stealth": ("",)}}, "sil-2.2.3-specialization", "no name"),
    ({"skills": {"language (latin)": 1}, "covers": {"language (latin)": ("greek",)}}, "sil-2.2.4-specific-skills", "covers 1 field, not 2"),
    ({"favored": {"stealth": "cloak"}}, "sil-2.2-favored-item", "without the skill"),
    (
        {"skills": {"stealth": 7, "notice": 5}, "attributes": {"agility": 3, "fitness": 1}},
        "sil-2.2.1-skill-points",
        "74 of 52 Skill Points",
    ),
    ({"perks": (Trait("luky"),)}, "sil-2.4.1-perk-list", "no Perk 'luky'"),
    ({"perks": (Trait("zzz"),)}, "sil-2.4.1-perk-list", "no Perk 'zzz'"),
    ({"perks": (Trait("acute senses", "touch"),)}, "sil-2.4.1-perk-list", "one of hearing, sight, smell/taste"),
    ({"perks": (Trait("lucky"), Trait("lucky"))}, "sil-2.4.1-perk-list", "twice"),
    ({"flaws": (Trait("curse", points=9),)}, "sil-2.4.2-flaw-list", "2 to 6 points, not 9"),
    ({"flaws": (Trait("motion sickness"),)}, "sil-2.4.2-flaw-list", "needs a rating"),
    ({"perks": (Trait("lucky"),), "flaws": (Trait("bad luck"),)}, "sil-2.4-perks-flaws-rules", "lucky and bad luck contradict"),
    ({"flaws": (Trait("insomniac"), Trait("heavy sleeper"))}, "sil-2.4-perks-flaws-rules", "contradict"),
    ({"flaws": (Trait("age", "young"),), "attributes": {"knowledge": 1}}, "sil-c-flaws", "young characters have at most 0"),
    ({"flaws": (Trait("age", "young"),), "skills": {"stealth": 4}}, "sil-c-flaws", "no level above 3"),
    ({"flaws": (Trait("age", "old"),), "attributes": {"fitness": 2}}, "sil-c-flaws", "old characters have at most 0"),
    ({"gear": Gear(weapons=("rapeir",))}, "sil-a-melee-weapons", "no weapon 'rapeir'"),
    ({"gear": Gear(weapons=("zzz",))}, "sil-a-melee-weapons", "no weapon 'zzz'"),
    ({"gear": Gear(armor="chainmail")}, "sil-a-armor", "no armor"),
    ({"gear": Gear(shield="zzz")}, "sil-a-shields", "no shield"),
    ({"gear": Gear(other=(Item("rope", -1),))}, "sil-1.3-character-sheet", "cannot be below 0"),
    ({"injuries": Injuries(flesh=-1)}, "sil-2.3.2-injury-list", "cannot be below 0, and it is -1"),
    ({"injuries": Injuries(deep=1, stable_deep=2)}, "sil-3.5.4-stabilizing", "2 deep wounds are stabilized, but there are only 1"),
]


@pytest.mark.parametrize(("fields", "rule", "words"), BAD, ids=[words for _, _, words in BAD])
def test_a_bad_build_is_named_and_repaired(fields, rule, words):
    bad = Character("Bad", **fields)
    found = [p for p in SYSTEM.audit(PLAIN, bad).problems if p.rule == rule and words in p.message]
    assert len(found) >= 1
    assert not found[0].warning
    assert found[0].repair is not None
    assert SYSTEM.audit(PLAIN, repaired(PLAIN, bad)).legal


def test_a_repair_is_the_smallest_change():
    spent = Character("Over", attributes=dict.fromkeys(ATTRIBUTES[:6], 1), skills={"stealth": 6, "notice": 4})  # 52 of 52
    assert SYSTEM.audit(PLAIN, spent).legal
    over = msgspec.structs.replace(spent, skills={**spent.skills, "archery": 1})
    problem = next(p for p in SYSTEM.audit(PLAIN, over).problems if not p.warning)
    assert (problem.over, problem.repair.text) == (1, "lower Archery from 1 to 0 (1 point)")


def test_several_skills_are_lowered_where_one_is_not_enough_and_the_others_are_left_alone():
    levels = dict.fromkeys(("archery", "athletics", "defense", "melee", "notice", "stealth"), 4)
    problem = next(p for p in SYSTEM.audit(PLAIN, Character("Over", skills={**levels, "riding": 1})).problems if not p.warning)
    lowered = dict.fromkeys(("archery", "melee", "notice", "stealth"), 3)
    assert (problem.over, problem.repair.value) == (27, {**levels, "riding": 1, **lowered})
    assert problem.repair.text == "lower Archery from 4 to 3, Melee from 4 to 3, Notice from 4 to 3, Stealth from 4 to 3"


def test_what_is_left_over_is_a_warning():
    audit = SYSTEM.audit(PLAIN, Character("Idle"))
    assert audit.legal
    assert [(p.rule, p.warning) for p in audit.problems] == [("sil-2.0-creation-sequence", True)]
    assert {budget.name: (budget.allowed, budget.spent) for budget in audit.budgets}["Skill Points"] == (70, 0)  # 20 moved


def test_left_over_character_points_become_dice_or_skills():  # line 1141
    audit = SYSTEM.audit(PLAIN, Character("A", emergency_dice=12))
    budgets = {budget.name: (budget.allowed, budget.spent) for budget in audit.budgets}
    assert budgets["Character Points"] == (30, 22)
    assert budgets["Skill Points"] == (58, 0)


def test_the_limit_of_flaws_is_advice_unless_it_binds():
    flaws = (Trait("split personality"), Trait("lame", "permanent"))
    many = Character("Many", flaws=flaws)
    advised = [p for p in SYSTEM.audit(PLAIN, many).problems if p.field == "flaws"]
    assert [(p.warning, p.over) for p in advised] == [(True, 1)]
    assert not SYSTEM.audit(with_settings(flaw_limit="binding"), many).legal
    assert not [p for p in SYSTEM.audit(with_settings(flaw_limit="none"), many).problems if p.field == "flaws"]
    assert not [p for p in SYSTEM.audit(BOOK.ruleset("cinematic"), many).problems if p.field == "flaws"]


def test_one_perk_and_one_flaw():
    rules = with_settings(one_perk_one_flaw=True)
    many = Character("Many", flaws=(Trait("paranoid"), Trait("goal")), perks=(Trait("lucky"), Trait("intuition")))
    found = [p for p in SYSTEM.audit(rules, many).problems if p.rule == "sil-2.4-min-max-limit"]
    assert [p.field for p in found] == ["perks", "flaws"]
    assert SYSTEM.audit(rules, repaired(rules, many)).legal


def test_warnings_break_nothing():
    weak = Character("Weak", gear=Gear(weapons=("claymore",)), flaws=(Trait("one-armed", "permanent"),), attributes={"build": -4})
    audit = SYSTEM.audit(PLAIN, weak)
    assert audit.legal
    words = " ".join(p.message for p in audit.problems)
    assert "needs Strength +1" in words
    assert "needs two hands" in words
    assert "the gamemaster must agree" in words


def test_a_favored_item_in_a_campaign_without_them():
    found = SYSTEM.audit(PLAIN, Character("A", skills={"stealth": 1}, favored={"stealth": "cloak"})).problems
    assert [(p.rule, p.warning) for p in found if p.field.startswith("favored")] == [("sil-2.2-favored-item", True)]


def test_pools_follow_role_and_style():
    villain = Character("Villain", role="major npc", attributes=dict.fromkeys(ATTRIBUTES, 1))
    assert SYSTEM.audit(PLAIN, villain).legal
    assert not SYSTEM.audit(PLAIN, msgspec.structs.replace(villain, role="pc")).legal
    assert SYSTEM.audit(BOOK.ruleset("cinematic"), msgspec.structs.replace(villain, role="pc")).legal


names = st.sampled_from([*SKILLS(PLAIN), "pilot (air)", "craft (pots)", "nonsense", "lore (x)", "a.b"])
traits = st.builds(
    Trait,
    st.sampled_from([*PERK_PRICES(PLAIN), *FLAW_PRICES(PLAIN), "nonsense"]),
    st.sampled_from(["", "sight", "young", "ally", "blind", "severe"]),
    st.integers(-1, 9),
    st.integers(-1, 12),
)
characters = st.builds(
    Character,
    st.just("Any"),
    role=st.sampled_from(["pc", "major npc", "joe average"]),
    attributes=st.dictionaries(st.sampled_from([*ATTRIBUTES, "luck", "mind"]), st.integers(-7, 7), max_size=10),
    skills=st.dictionaries(names, st.integers(-2, 12), max_size=6),
    complexity=st.dictionaries(names, st.integers(-1, 7), max_size=3),
    specializations=st.dictionaries(names, st.lists(st.sampled_from(["a", "b", ""]), max_size=3).map(tuple), max_size=2),
    perks=st.lists(traits, max_size=3).map(tuple),
    flaws=st.lists(traits, max_size=3).map(tuple),
    emergency_dice=st.integers(-2, 30),
)


@given(characters)
@settings(max_examples=60, deadline=None)
def test_repairs_make_anything_legal(character):
    fixed = repaired(PLAIN, character)
    assert SYSTEM.audit(PLAIN, fixed).legal
    SYSTEM.sheet(PLAIN, character)


@pytest.mark.parametrize("name", [name for name in SYSTEM.archetypes("character") if name != "nothing"])
def test_ready_made_characters_spend_every_point(name):
    audit = SYSTEM.audit(PLAIN, SYSTEM.new(PLAIN, "character", name))
    assert audit.legal
    assert not audit.problems


def test_ready_made_characters_come_from_five_genres():
    genres = {SYSTEM.new(PLAIN, "character", name).genre for name in SYSTEM.archetypes("character")}
    assert {"fantasy", "modern", "science fiction", "western", "horror"} <= genres


@pytest.mark.parametrize("preset", BOOK.presets)
@pytest.mark.parametrize("attributes", ["ten", "five", "three"])
def test_an_all_rounder_is_legal_everywhere(preset, attributes):
    rules = BOOK.ruleset(preset, settings={"attributes": attributes})
    made = SYSTEM.new(rules, "character")
    assert not SYSTEM.audit(rules, made).problems
    assert SYSTEM.sheet(rules, made).tests()


def test_where_no_single_change_is_enough_the_repair_lowers_several_skills():
    skills = {"small arms": 3, "defense": 3, "notice": 3, "stealth": 3, "athletics": 3, "melee": 3, "riding": 3, "medicine": 3}
    character = Character("Rhea", skills=skills, attributes={"agility": 4 - 1, "build": 1, "fitness": 1, "perception": 1})
    problem = next(each for each in SYSTEM.audit(PLAIN, character).problems if each.rule == "sil-2.2.1-skill-points")
    assert problem.over > 9
    mended = repair(character, problem)
    assert not [each for each in SYSTEM.audit(PLAIN, mended).problems if each.rule == "sil-2.2.1-skill-points"]


def test_the_last_skill_that_is_lowered_is_the_cheapest_that_is_enough():
    levels = [4, 3, 3, 3, 3, 3, 2, 2, 1]
    names = ["small arms", "defense", "notice", "stealth", "athletics", "melee", "riding", "medicine", "acrobatics"]
    character = Character(
        "Rhea", skills=dict(zip(names, levels, strict=True)), attributes={"agility": 3, "build": 1, "fitness": 1, "perception": 1}
    )
    problem = next(each for each in SYSTEM.audit(PLAIN, character).problems if each.rule == "sil-2.2.1-skill-points")
    assert problem.over == 20
    mended = repair(character, problem)
    saved = sorted(before**2 - mended.skills[name] ** 2 for name, before in character.skills.items() if mended.skills[name] < before)
    assert saved == [3, 5, 12]  # from 2 to 1, from 3 to 2, from 4 to 2


def test_the_repair_of_too_many_character_points_repairs():
    character = Character("Al", attributes=dict.fromkeys(("agility", "fitness", "perception", "willpower", "psyche"), 3))
    problem = next(each for each in SYSTEM.audit(PLAIN, character).problems if each.rule == "sil-2.1.2-character-points")
    mended = repair(character, problem)
    assert not [each for each in SYSTEM.audit(PLAIN, mended).problems if each.rule == "sil-2.1.2-character-points"]
