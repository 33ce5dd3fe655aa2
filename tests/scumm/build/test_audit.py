"""Is a character legal? Every breach, its amount, and a repair that really repairs (book lines 9-76, 274-295, 604-648)."""

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis.strategies import (
    booleans,
    builds,
    dictionaries,
    floats,
    integers,
    just,
    lists,
    none,
    one_of,
    sampled_from,
    text,
)

from rulewright import files
from rulewright.build.audit import Problem, change, repair
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.scumm.build.audit import audit, specialization_points
from rulewright.systems.scumm.people.characters import Attributes, Award, Character, Gear, Injuries, Item, Purchase, Spent
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
LEGAL = Character(
    "Cy",
    attributes=Attributes(2, 1, 1, 1),
    skills={"rifles": 4, "notice": 3, "brawl": 2},  # 15 + 10 + 5
    specializations={"rifles": ("9mm rifle",)},  # 5
    emergency_dice=5,
    gear=Gear(guns=("9mm rifle",), melee=("knife",)),
)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def with_(**fields):
    return msgspec.structs.replace(LEGAL, **fields)


def logged(*entries):
    return with_(advancement=entries)


def breaches(character, rules=RULES) -> list[Problem]:
    return [problem for problem in audit(rules, character).problems if not problem.warning]


def warnings(character, rules=RULES) -> list[Problem]:
    return [problem for problem in audit(rules, character).problems if problem.warning]


def only(character, rules=RULES) -> Problem:
    (found,) = breaches(character, rules)
    return found


def repaired(character, rules=RULES):
    """Carry out the one repair, and see that nothing is left."""
    changed = repair(character, only(character, rules))
    assert breaches(changed, rules) == []
    return changed


def budgets(character, rules=RULES):
    return {budget.name: (budget.spent, budget.allowed) for budget in audit(rules, character).budgets}


def test_a_legal_character_has_no_problems():
    report = audit(RULES, LEGAL)
    assert report.legal
    assert report.problems == ()
    assert budgets(LEGAL) == {"Attribute points": (5, 5), "Skill points": (40, 40), "Wealth Points": (9, 10), "Experience": (0, 0)}


def test_every_budget_names_its_rule():
    assert [budget.rule for budget in audit(RULES, LEGAL).budgets] == [
        "scumm-attributes",
        "scumm-skills-creation",
        "scumm-wealth",
        "scumm-xp-award",
    ]


# --- attributes (line 11) ------------------------------------------------------------------------------------------------------


def test_an_attribute_above_three_is_lowered_to_three():
    wrong = with_(attributes=Attributes(5, -1, 0, 0))
    found = breaches(wrong)[0]
    assert (found.rule, found.field, found.over) == ("scumm-attributes", "attributes.alertness", 2)
    assert found.message == "Alertness +5 is above the limit of +3"
    assert repair(wrong, found).attributes.alertness == 3


def test_an_attribute_below_minus_three_is_raised_to_it():
    wrong = with_(attributes=Attributes(3, 3, 2, -4))
    found = only(wrong)
    assert (found.field, found.over, found.message) == ("attributes.spirit", 1, "Spirit -4 is below the limit of -3")
    assert repaired(wrong).attributes.spirit == -3


def test_six_points_are_one_over_and_the_highest_attribute_is_lowered():
    wrong = with_(attributes=Attributes(2, 3, 1, 0))
    found = only(wrong)
    assert (found.field, found.over, found.message) == ("attributes", 1, "6 of 5 attribute points spent")
    assert found.repair.text == "lower Body to +2"
    assert repaired(wrong).attributes == Attributes(2, 2, 1, 0)


def test_a_lowered_attribute_pays_for_a_raised_one():
    assert breaches(with_(attributes=Attributes(3, 3, -1, 0))) == []
    assert budgets(with_(attributes=Attributes(3, 3, -1, 0)))["Attribute points"] == (6, 6)


def test_a_lowered_attribute_pays_for_nothing_where_the_campaign_says_so():
    strict = under(lowered_attributes_give_points=False)
    assert only(with_(attributes=Attributes(3, 3, -1, 0)), strict).over == 1
    assert repaired(with_(attributes=Attributes(3, 3, -1, 0)), strict).attributes == Attributes(2, 3, -1, 0)


def test_points_left_over_are_mentioned_to_players_only():
    (left,) = warnings(with_(attributes=Attributes(2, 1, 0, 0)))
    assert left.message == "2 of 5 attribute points unspent"
    assert warnings(change(with_(attributes=Attributes(2, 1, 0, 0)), left.repair.field, left.repair.value)) == []
    assert warnings(with_(attributes=Attributes(2, 1, 0, 0), player=False)) == []


def test_a_defense_or_combat_sense_of_zero_is_a_warning_and_no_breach():  # 11, 43, 45
    report = audit(RULES, with_(attributes=Attributes(2, -3, 3, 3)))
    assert report.legal
    assert [(p.rule, p.warning) for p in report.problems] == [("scumm-defense-roll", True)]
    assert [p.rule for p in warnings(with_(attributes=Attributes(3, 3, -2, 1)))] == ["scumm-combat-sense-roll"]
    assert warnings(with_(attributes=Attributes(3, 3, -1, 0))) != []
    assert warnings(with_(attributes=Attributes(3, 2, 0, 0))) == []


# --- skills (lines 57-76) ------------------------------------------------------------------------------------------------------


def test_a_skill_above_four_is_lowered():
    wrong = with_(skills={"rifles": 6, "notice": 3, "brawl": 2})
    found = only(wrong)
    assert (found.rule, found.field, found.over) == ("scumm-skills-creation", "skills.rifles", 2)
    assert found.message == "Rifles: level 6 is above the starting limit of 4"
    assert repaired(wrong).skills["rifles"] == 4


def test_a_negative_level_is_raised_to_none():
    assert repaired(with_(skills={"rifles": 4, "notice": -2})).skills["notice"] == 0


def test_forty_three_points_are_three_over_and_emergency_dice_go_first():
    wrong = with_(emergency_dice=8)
    found = only(wrong)
    assert (found.message, found.over, found.repair.text) == ("43 of 40 Skill Points spent", 3, "give up 3 Emergency Dice")
    assert repaired(wrong).emergency_dice == 5


def test_without_emergency_dice_the_cheapest_saving_that_is_enough_is_chosen():
    wrong = with_(emergency_dice=0, skills={"rifles": 4, "notice": 3, "brawl": 2, "swim": 2, "drive": 1, "jump": 1})  # 42
    found = only(wrong)
    assert found.over == 2
    assert found.repair.text == "lower Brawl from 2 to 1 (4 points)"
    assert repaired(wrong).skills["brawl"] == 1


def test_a_specialization_is_dropped_where_that_saves_least():
    wrong = with_(emergency_dice=0, skills={"rifles": 4, "notice": 4, "medicine": 3})  # 45
    assert only(wrong).repair.text == "drop the Rifles specialization 9mm rifle (5 points)"
    assert repaired(wrong).specializations == {"rifles": ()}


def test_where_no_single_change_is_enough_the_largest_comes_first():
    wrong = with_(emergency_dice=0, skills={"rifles": 4, "notice": 4, "medicine": 4, "swim": 4})  # 65
    first = repair(wrong, only(wrong))
    assert only(first).over == 25 - 15
    assert breaches(repair(first, only(first))) == []


def test_steps_cost_more_than_totals():
    steps = under(creation_costs="steps")
    assert budgets(LEGAL)["Skill points"] == (40, 40)
    assert budgets(LEGAL, steps)["Skill points"] == (31 + 16 + 6 + 5 + 5, 40)
    assert only(LEGAL, steps).over == 23


def test_points_left_over_become_emergency_dice():  # 59
    (left,) = warnings(with_(emergency_dice=2))
    assert left.message == "3 of 40 Skill Points unspent"
    assert change(with_(emergency_dice=2), left.repair.field, left.repair.value) == LEGAL
    assert warnings(with_(emergency_dice=2, player=False)) == []


def test_an_unknown_skill_is_renamed_to_the_nearest_or_left_out():
    wrong = with_(skills={"Riffles": 4, "notice": 3, "brawl": 2}, specializations={})
    found = breaches(wrong)[0]
    assert (found.rule, found.field, found.repair.text) == ("scumm-skill-list", "skills.Riffles", "write rifles")
    assert repaired(wrong).skills == {"rifles": 4, "notice": 3, "brawl": 2}
    assert repaired(with_(skills={"zzz": 1, "rifles": 1})).skills == {"rifles": 1}
    assert repaired(with_(skills={"riffles": 1, "rifles": 1})).skills == {"rifles": 1}


def test_a_skill_of_the_house_is_known():
    row = {"attribute": "alertness", "specializations": [], "scope": "steering a boat"}
    house = BOOK.ruleset(house=House(tables={"scumm-skill-list": {"boating": row}}))
    assert [p.rule for p in breaches(with_(skills={"rifles": 1, "boating": 1}))] == ["scumm-skill-list"]
    assert breaches(with_(skills={"rifles": 1, "boating": 1}), house) == []


def test_a_specialization_costs_five_points():  # 76
    assert specialization_points().value == 5
    assert budgets(with_(specializations={}))["Skill points"] == (35, 40)
    assert budgets(with_(specializations={"rifles": ("a", "b")}))["Skill points"] == (45, 40)


def test_a_specialization_needs_its_skill():
    wrong = with_(specializations={"gamble": ("cheating",)})
    assert only(wrong).message == "a specialization needs the skill: Gamble is not learnt"
    assert repaired(wrong).specializations == {}
    affordable = with_(specializations={"gamble": ("cheating",)}, emergency_dice=4)
    assert repaired(affordable).skills["gamble"] == 1
    assert only(with_(specializations={"gambol": ("cheating",)})).rule == "scumm-skill-list"
    assert repaired(with_(specializations={"gambol": ("cheating",)})).specializations == {}


def test_the_same_specialization_twice_is_once_too_many():
    wrong = with_(specializations={"rifles": ("M-16", "m-16")}, emergency_dice=0)
    assert only(wrong).message == "Rifles has the specialization m-16 twice"
    assert repaired(wrong).specializations == {"rifles": ("M-16",)}
    assert repaired(with_(specializations={"rifles": ("M-16", " ")}, emergency_dice=0)).specializations == {"rifles": ("M-16",)}


def test_nobody_owns_less_than_no_emergency_dice():
    assert only(with_(emergency_dice=-3)).rule == "scumm-emergency-dice"
    assert repaired(with_(emergency_dice=-3)).emergency_dice == 0


# --- gear (lines 604-648) ------------------------------------------------------------------------------------------------------


def test_eleven_wealth_points_are_one_over_and_the_least_that_is_enough_goes():
    wrong = with_(gear=Gear(guns=("9mm rifle",), melee=("knife", "machete")))
    found = only(wrong)
    assert (found.rule, found.over, found.message) == ("scumm-wealth", 1, "11 of 10 Wealth Points spent")
    assert found.repair.text == "do without the knife (1 Wealth Points)"
    assert repaired(wrong).gear.melee == ("machete",)


def test_armor_and_other_things_can_be_sold_too():
    assert repaired(with_(gear=Gear(melee=("knife",), armor="light flak vest"))).gear == Gear(armor="light flak vest")
    assert repaired(with_(gear=Gear(armor="medium flak vest"))).gear == Gear()
    assert repaired(with_(gear=Gear(other=(Item("car", 900, 40),)))).gear == Gear()


def test_the_gamemaster_can_grant_more_wealth_and_the_audit_mentions_it():
    granted = with_(gear=Gear(armor="medium flak vest", wealth=20))
    assert breaches(granted) == []
    assert [p.message for p in warnings(granted)] == ["20 Wealth Points instead of 10: the gamemaster must have granted them"]
    assert budgets(granted)["Wealth Points"] == (20, 20)
    assert repaired(with_(gear=Gear(wealth=-4))).gear.wealth == 0


def test_an_unknown_weapon_is_named_with_the_nearest_one():
    wrong = with_(gear=Gear(guns=("9mm riffle",), melee=("spoon of doom",), armor="lether"))
    assert [(p.rule, p.field, p.repair.text) for p in breaches(wrong)] == [
        ("scumm-melee-weapons", "gear.melee.0", "leave it out"),
        ("scumm-guns", "gear.guns.0", "write 9mm rifle"),
        ("scumm-armor-list", "gear.armor", "write leather"),
    ]
    for _ in range(3):
        wrong = repair(wrong, breaches(wrong)[0])
    assert wrong.gear.guns == ("9mm rifle",)
    assert (wrong.gear.melee, wrong.gear.armor) == ((), "leather")
    assert repaired(with_(gear=Gear(armor="qqqq"))).gear.armor is None


def test_no_armor_may_also_be_written_as_nothing():
    assert breaches(with_(gear=Gear(armor=""))) == []


def test_restricted_gear_is_mentioned_unless_the_campaign_does_not_care():  # 621-648, ruling
    gear = with_(gear=Gear(guns=("assault rifle",), wealth=18))
    assert [p.rule for p in warnings(gear)] == ["scumm-guns", "scumm-wealth"]
    assert [p.rule for p in warnings(gear, under(restricted_needs_leave=False))] == ["scumm-wealth"]
    assert [p.rule for p in warnings(with_(gear=Gear(armor="heavy flak vest", wealth=30)))] == ["scumm-armor-list", "scumm-wealth"]


def test_things_cost_and_weigh_at_least_nothing():
    assert repaired(with_(gear=Gear(other=(Item("debt", 1, -50),)))).gear.other[0].cost == 0
    assert repaired(with_(gear=Gear(other=(Item("balloon", -1),)))).gear.other[0].weight == 0


def test_wounds_are_at_least_none():
    assert repaired(with_(injuries=Injuries(flesh=-1))).injuries == Injuries()


# --- the log (lines 274-295) ---------------------------------------------------------------------------------------------------


def test_experience_is_never_spent_before_it_is_earned():
    wrong = logged(Purchase("skill", "brawl", 3), Award(10))
    found = only(wrong)
    assert (found.rule, found.field, found.over) == ("scumm-xp-award", "advancement.0", 10)
    assert found.message == "Brawl 3 costs 10 XP and only 0 are left"
    assert repaired(wrong).advancement == (Award(10),)
    assert breaches(logged(Award(10), Purchase("skill", "brawl", 3))) == []


def test_a_level_skipped_is_bought_in_its_turn():
    wrong = logged(Award(100), Purchase("skill", "brawl", 4))
    found = only(wrong)
    assert (found.rule, found.field, found.over) == ("scumm-skill-improvement", "advancement.1.to", 1)
    assert repaired(wrong).advancement[1].to == 3
    assert repaired(logged(Award(100), Purchase("skill", "swim", 2))).advancement[1].to == 1
    assert repaired(logged(Award(100), Purchase("skill", "swim", 0))).advancement[1].to == 1


def test_a_level_already_owned_is_left_out():
    assert repaired(logged(Award(100), Purchase("skill", "brawl", 2))).advancement == (Award(100),)


def test_no_level_beyond_seven_is_bought():
    steps = tuple(Purchase("skill", "rifles", level) for level in (5, 6, 7, 8))
    wrong = logged(Award(1000), *steps)
    assert only(wrong).message == "Rifles 8: the book has no price beyond level 7"
    assert repaired(wrong).advancement[-1].to == 7


def test_an_attribute_is_raised_by_one_to_three_at_most():
    assert breaches(logged(Award(50), Purchase("attribute", "body", 2))) == []
    assert only(logged(Award(49), Purchase("attribute", "body", 2))).over == 1
    assert repaired(logged(Award(500), Purchase("attribute", "body", 3))).advancement[1].to == 2
    top = logged(Award(500), *(Purchase("attribute", "body", to) for to in (2, 3, 4)))
    assert (only(top).rule, only(top).over) == ("scumm-attribute-improvement", 1)
    assert repaired(top).advancement[-1].to == 3
    assert repaired(logged(Award(500), Purchase("attribute", "boddy", 2))).advancement[1].what == "body"
    assert repaired(logged(Award(500), Purchase("attribute", "body", 1))).advancement == (Award(500),)


def test_a_specialization_in_play_costs_what_the_setting_says():
    fine = logged(Award(5), Purchase("specialization", "brawl", name="striking"))
    assert breaches(fine) == []
    assert only(fine, under(specialization_experience=6)).over == 1
    assert repaired(logged(Award(5), Purchase("specialization", "rifles", name="9MM rifle"))).advancement == (Award(5),)
    assert repaired(logged(Award(5), Purchase("specialization", "gamble", name="dice"))).advancement == (Award(5),)


def test_emergency_dice_bought_and_spent_add_up():
    assert breaches(logged(Award(3), Purchase("emergency dice", to=3), Spent(5), Spent(3))) == []
    wrong = logged(Award(3), Purchase("emergency dice", to=3), Spent(5), Spent(4))
    assert (only(wrong).rule, only(wrong).field, only(wrong).over) == ("scumm-emergency-dice", "advancement.3.dice", 1)
    assert repaired(wrong).advancement[3] == Spent(3)
    assert repaired(logged(Spent(5), Spent(2))).advancement == (Spent(5),)
    assert repaired(logged(Purchase("emergency dice", to=-3))).advancement == ()
    assert repaired(logged(Spent(-3))).advancement == ()


def test_more_than_five_dice_at_once_are_mentioned():
    many = msgspec.structs.replace(logged(Award(5), Purchase("emergency dice", to=5), Spent(7)))
    assert [(p.warning, p.over) for p in audit(RULES, many).problems] == [(True, 2)]


def test_another_price_is_mentioned_with_both_numbers():
    report = audit(RULES, logged(Award(10), Purchase("skill", "brawl", 3, xp=4)))
    assert report.legal
    assert [p.message for p in report.problems] == ["Brawl 3: 4 XP were paid where the book asks 10"]
    assert report.budgets[3].spent == 4
    assert audit(RULES, logged(Award(10), Purchase("skill", "brawl", 3, xp=10))).problems == ()
    assert repaired(logged(Award(10), Purchase("skill", "brawl", 3, xp=-4))).advancement[1].xp is None


def test_a_negative_award_is_left_out():
    assert repaired(logged(Award(-5))).advancement == ()


def test_the_budget_says_what_an_average_campaign_would_have_given():
    assert audit(RULES, logged(Award(9), Award(2))).budgets[3].note == "2 awards; 10 would be average"


# --- absurd files --------------------------------------------------------------------------------------------------------------


def absurd_files():
    yield with_(attributes=Attributes(10**12, -(10**12), 10**17, 0))
    yield with_(skills={f"skill {n}": 10**9 for n in range(500)})
    yield with_(skills={"x" * 100_000: 3, "": 2, ".": 1, "..": 9, "a.b": 5})
    yield with_(specializations={f"skill {n}": ("a", "a", "") for n in range(500)})
    yield with_(specializations={"rifles": tuple(str(n % 50) for n in range(5_000))})
    yield with_(gear=Gear(guns=("gnu",) * 3_000, melee=("fork",) * 3_000, armor="x" * 100_000))
    yield with_(emergency_dice=10**15, injuries=Injuries(10**15, 10**15, 10**15, 10**15))
    yield logged(*[Purchase("skill", "zzz", 10**9)] * 3_000)
    yield logged(*[Purchase("attribute", "body", 10**15, xp=-(10**15))] * 1_000, *[Spent(10**15)] * 1_000)
    yield logged(*[Award(10**17), Award(-(10**17))] * 2_000)


@pytest.mark.parametrize("character", list(absurd_files()))
def test_absurd_files_are_audited_quickly(character):
    begun = time.process_time()
    report = audit(RULES, character)
    assert not report.legal
    assert time.process_time() - begun < 20
    assert all(len(problem.message) < 300 for problem in report.problems)


# --- any character at all ------------------------------------------------------------------------------------------------------

NAMES = one_of(
    sampled_from(["rifles", "brawl", "riffles", "animal handling", "gamble", "body", "spirit", "a.b", "", ".x"]), text(max_size=4)
)
NUMBERS = one_of(integers(-5, 9), integers(-(10**12), 10**12))
ENTRIES = one_of(
    builds(Award, integers(-3, 80)),
    builds(
        Purchase,
        sampled_from(["skill", "attribute", "specialization", "emergency dice"]),
        NAMES,
        one_of(integers(-1, 9), NUMBERS),
        NAMES,
        one_of(none(), integers(-2, 60)),
    ),
    builds(Spent, integers(-1, 8)),
)
CHARACTERS = builds(
    Character,
    just("Anybody"),
    attributes=builds(Attributes, *[one_of(integers(-4, 4), NUMBERS)] * 4),
    skills=dictionaries(NAMES, one_of(integers(-1, 6), NUMBERS), max_size=7),
    specializations=dictionaries(NAMES, lists(NAMES, max_size=3).map(tuple), max_size=3),
    emergency_dice=one_of(integers(-2, 50), NUMBERS),
    gear=builds(
        Gear,
        lists(sampled_from(["knife", "fire axe", "spoon"]), max_size=4).map(tuple),
        lists(sampled_from(["9mm pistol", "9mm pistle", "assault rifle", "gnu"]), max_size=4).map(tuple),
        one_of(none(), sampled_from(["leather", "light flak vest", "", "lether", "q"])),
        lists(builds(Item, NAMES, floats(-1, 3), integers(-2, 20)), max_size=3).map(tuple),
        one_of(none(), integers(-2, 40)),
    ),
    injuries=builds(Injuries, *[integers(-1, 4)] * 4),
    advancement=lists(ENTRIES, max_size=7).map(tuple),
    player=booleans(),
)
RULESETS = sampled_from([RULES, under(creation_costs="steps", lowered_attributes_give_points=False, experience_costs="totals")])


def told(problem: Problem) -> tuple[str, str, str, int]:
    """What a problem says of which part of the file; places in a list move when an entry is left out."""
    return problem.rule, problem.field.partition(".")[0], problem.message, problem.over


@given(CHARACTERS, RULESETS)
@settings(max_examples=300)
def test_any_character_can_be_audited_and_every_breach_says_how_to_repair_it(character, rules):
    report = audit(rules, character)
    for problem in report.problems:
        assert problem.rule in BOOK.index()
        assert problem.message
        assert problem.over >= 0
        assert problem.warning or problem.repair is not None


@pytest.mark.slow
@given(CHARACTERS, RULESETS)
@settings(max_examples=300)
def test_a_repair_that_is_carried_out_resolves_its_problem_or_lessens_it(character, rules):
    for problem in breaches(character, rules):
        changed = repair(character, problem)
        before, after = ([p for p in breaches(each, rules) if told(p) == told(problem)] for each in (character, changed))
        # Leaving out an entry of the log may bring the next one into the same trouble; then the log is shorter at least.
        assert len(after) < len(before) or len(changed.advancement) < len(character.advancement)


@given(CHARACTERS, RULESETS)
@settings(max_examples=200)
def test_repairs_carried_out_one_after_another_end_with_a_legal_character(character, rules):
    for _ in range(200):
        problems = breaches(character, rules)
        if not problems:
            return
        character = repair(character, problems[0])
    raise AssertionError(problems)


@given(CHARACTERS)
@settings(max_examples=60)
def test_saving_and_loading_keeps_the_audit(tmp_path_factory, character):
    path = tmp_path_factory.mktemp("kept") / "anybody.yaml"
    try:
        files.write(path, msgspec.to_builtins(character))
    except UserError:
        return  # a name that cannot stand in a text file
    loaded = files.convert(files.read(path), Character)
    assert loaded == character
    assert audit(RULES, loaded) == audit(RULES, character)
