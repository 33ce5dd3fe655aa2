"""Is a character legal? Every breach, its amount, and a repair that really repairs (book chapters 9 to 12)."""

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis.strategies import builds, dictionaries, floats, integers, just, lists, none, one_of, sampled_from, text

from rulewright import files
from rulewright.build.audit import Problem, repair
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.hybrid.build.audit import audit
from rulewright.systems.hybrid.build.steps import creation_steps
from rulewright.systems.hybrid.people.characters import (
    Award,
    Career,
    Character,
    Enhanced,
    Gear,
    Gift,
    Heightened,
    Heritage,
    Item,
    Limitation,
    Moved,
    Package,
    Presence,
    Raised,
    Skill,
    Tie,
    Training,
    Worn,
    Year,
)
from rulewright.systems.hybrid.people.statistics import PRIMARY, Primary
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
FAIR = Primary(13, 13, 13, 13, 13, 12, 12, 12, 12, 12)
LEGAL = Character(
    "Cy",
    culture="Merovan",
    primary=FAIR,
    bought={"PDF": 2},  # 4
    skills={"Sword": 14, "Haggling": 12, "Stealth": 9},  # 6 over the package's 8, 5 over the culture's 7, 1 over the package's
    packages=(Package("Fighter", 8),),  # 36
    gifts=(Gift("Ambidexterity"), Gift("Mage Ability")),  # 30
    enhanced=(Enhanced("PAW", "smells", 3),),  # 6
    presence=(Presence("physical", -2),),  # 4
    heightened=(Heightened("magic", "Warding"),),  # 8
    friends=(Tie("a sister", depth="medium high"),),  # 9 of community
    status=1,
    wealth=10,
)


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def with_(**fields):
    return msgspec.structs.replace(LEGAL, **fields)


def breaches(character, rules=RULES) -> list[Problem]:
    return [problem for problem in audit(rules, character).problems if not problem.warning]


def warnings(character, rules=RULES) -> list[str]:
    return [problem.message for problem in audit(rules, character).problems if problem.warning]


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
    assert budgets(LEGAL) == {
        "Points for statistics": (125, 125),
        "Skill points": (100, 100),
        "Wealth points": (10, 10),
        "Community points": (10, 10),
        "Experience points": (0, 0),
    }
    assert all(budget.rule in BOOK.index() for budget in report.budgets)


# --- statistics (lines 1270, 1514-1533) ----------------------------------------------------------------------------------------


def primary(**values):
    return msgspec.structs.replace(FAIR, **values)


def test_more_than_25_points_in_a_statistic():  # 1270
    wrong = with_(primary=primary(pst=27, pen=5, dex=7))
    found = breaches(wrong)[0]
    assert (found.rule, found.field, found.over) == ("hyb-9-primary-stats", "primary.pst", 2)
    assert found.message == "PST 27: at most 25 points go into a statistic"
    assert repair(wrong, found).primary.pst == 25
    assert breaches(wrong, under(highest_allocated=27)) == []


def test_less_than_5_points_in_a_statistic():  # 1270
    wrong = with_(primary=primary(pst=4))
    assert only(wrong).message == "PST 4: at least 5 points go into a statistic"
    assert repaired(wrong).primary.pst == 5
    assert breaches(wrong, under(lowest_allocated=4)) == []


def test_126_points_are_one_over_and_the_highest_statistic_is_lowered():  # 1270, 2050
    wrong = with_(primary=primary(pst=14))
    assert (only(wrong).message, only(wrong).over) == ("126 of 125 points for statistics spent", 1)
    assert repaired(wrong).primary == FAIR
    assert breaches(wrong, under(stat_points=126)) == []


def test_points_left_over_are_mentioned():
    assert warnings(with_(primary=primary(pst=10))) == ["3 of 125 points for statistics unspent"]
    assert warnings(with_(wealth=4)) == ["6 of 10 wealth points unspent"]


@pytest.mark.parametrize(
    ("bought", "message"),
    [
        ({"PEX": 2}, "PEX has no price and cannot be bought"),
        ({"STR": 2}, "STR is no statistic"),
        ({"PST": -1}, "PST -1: statistics are bought, not sold"),
    ],
)
def test_what_cannot_be_bought(bought, message):  # 1520-1533
    assert only(with_(bought=bought)).message == message
    repaired(with_(bought=bought))


def test_looks_are_bought_and_traded_away():  # 2272, 2371
    assert budgets(with_(bought={"APP": -3}))["Skill points"] == (96, 106)
    assert "APP +7 is beyond the usual -5 to +5" in warnings(with_(bought={"APP": 7}))
    assert "APP +7 is beyond the usual -5 to +5" in warnings(with_(bought={"APP": 3}, heritage=Heritage(mods={"APP": 4})))


# --- people (lines 1303-1317, 2482-2549) ---------------------------------------------------------------------------------------


def test_an_unknown_race_or_culture_is_named_with_the_nearest():
    assert only(with_(race="Kothans")).message == "there is no race 'Kothans'"
    assert repaired(with_(race="Kothans")).race == "Kothan"
    assert repaired(with_(race="zzz")).race == "Human"
    assert breaches(with_(race="Elves")) == []
    found = breaches(with_(culture="Merovian"))[0]
    assert (found.rule, found.message) == ("hyb-12-culture-packages", "there is no culture 'Merovian'")
    assert repair(with_(culture="Merovian"), found) == LEGAL
    assert "no culture is chosen yet" in warnings(with_(culture=""))


def test_what_the_book_leaves_to_the_gamemaster_is_mentioned():  # 2500-2508
    said = warnings(with_(race="Bitadar", culture="Bitadar", skills={}))
    assert "the figures of Bitadar are the gamemaster's: none are in the file yet" in said
    assert "the skills of the Bitadar culture are the gamemaster's: none are in the file yet" in said
    assert any("must have granted" in each for each in warnings(with_(heritage=Heritage({"PST": 1}))))


@pytest.mark.parametrize(
    ("heritage", "message"),
    [
        (Heritage({"STR": 1}), "'STR' is no statistic"),
        (Heritage(times={"PST": 2.0}), "a race cannot multiply PST by 2"),
        (Heritage(times={"PMV": float("nan")}), "a race cannot multiply PMV by nan"),
        (Heritage(cost=-3), "a race or culture cannot cost -3 points"),
    ],
)
def test_a_heritage_that_cannot_be(heritage, message):
    assert only(with_(heritage=heritage)).message == message
    repaired(with_(heritage=heritage))


def test_a_race_may_cost_points_of_the_skill_pool():  # 1305
    assert (only(with_(heritage=Heritage(cost=3))).message, only(with_(heritage=Heritage(cost=3))).over) == (
        "103 of 100 skill points spent",
        3,
    )
    repaired(with_(heritage=Heritage(cost=3)))


def test_nobody_is_no_centimetres_tall():
    assert only(with_(height=0)).message == "a height of 0 is no height"
    assert repaired(with_(height=0)).height is None


# --- skills (lines 1464-1512) --------------------------------------------------------------------------------------------------


def test_a_rank_below_zero():
    assert only(with_(skills={"Sword": -2})).message == "Sword: there is no rank -2"
    assert repaired(with_(skills={"Sword": -2})).skills == {"Sword": 0}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"skills": {"Sword": 31}}, "Sword 31: ranks end at 30"),
        ({"skills": {"Sword": Skill(33)}}, "Sword 33: ranks end at 30"),
        ({"packages": (Package("Fighter", 31),)}, "Fighter 31: ranks end at 30"),
    ],
)
def test_ranks_run_from_0_to_30(fields, message):  # 566
    wrong = with_(**fields)
    found = [problem for problem in audit(RULES, wrong).problems if problem.rule == "hyb-3-ranks"]
    assert [problem.message for problem in found] == [message]
    lowered = repair(wrong, found[0])
    ranks = [lowered.skill(skill).rank for skill in lowered.skills] + [package.rank for package in lowered.packages]
    assert max(ranks) == 30
    assert not [problem for problem in audit(RULES, lowered).problems if problem.rule == "hyb-3-ranks"]


def test_a_purchase_that_gives_nothing_is_mentioned():
    assert "Sword 8 is no better than the rank 8 that was given, and costs 0" in warnings(with_(skills={"Sword": 8}))


def test_too_many_points_and_the_smallest_saving():
    wrong = with_(skills={**LEGAL.skills, "Sword": 16})
    found = only(wrong)
    assert (found.rule, found.message, found.over) == ("hyb-10-pools", "102 of 100 skill points spent", 2)
    assert repaired(wrong).skills["Haggling"] in (10, 12)
    assert budgets(repaired(wrong))["Skill points"] == (100, 100)


def test_points_left_in_another_pool_are_moved_first():  # 1665
    wrong = with_(skills={**LEGAL.skills, "Sword": 16}, wealth=3)
    assert only(wrong).repair.text == "move 2 points from wealth"
    assert repaired(wrong).moved == (Moved("wealth", "skill", 2),)
    still = under(most_points_moved=1)
    assert "lower" in only(wrong, still).repair.text
    assert repaired(wrong, still).moved == ()


def test_points_moved_are_one_for_one_and_may_have_a_limit():  # 1665, 1953, 2003
    moved = with_(wealth=0, moved=(Moved("wealth", "skill", 10),), skills={**LEGAL.skills, "Dodge": 18})
    assert breaches(moved) == []
    limited = under(most_points_moved=4)
    found = breaches(moved, limited)[0]
    assert (found.message, found.over) == ("10 points are moved between pools where at most 4 may be", 6)
    assert repair(moved, found).moved == (Moved("wealth", "skill", 4),)


@pytest.mark.parametrize(
    ("moved", "message"),
    [
        (Moved("wealth", "skill", 0), "0 points cannot be moved"),
        (Moved("skill", "skill", 3), "points of skill are moved to where they are"),
    ],
)
def test_a_move_that_is_none(moved, message):
    assert only(with_(moved=(moved,))).message == message
    assert repaired(with_(moved=(moved,))) == LEGAL


def test_more_is_moved_than_there_is():
    wrong = with_(wealth=0, moved=(Moved("wealth", "skill", 15),))
    assert (only(wrong).message, only(wrong).over) == ("0 of -5 wealth points spent", 5)
    assert repaired(wrong).moved == (Moved("wealth", "skill", 10),)


def test_a_skill_that_the_book_does_not_name_needs_a_type():
    assert any("give its type" in each for each in warnings(with_(skills={"Juggling": 0})))
    assert not any("give its type" in each for each in warnings(with_(skills={"Juggling": Skill(0, type="art")})))
    assert breaches(with_(skills={"Lore: Bees": 2})) == []


@pytest.mark.parametrize(
    ("skill", "message"),
    [
        (Skill(1, "support", type="art"), "Juggling is a support skill without a skill that it supports"),
        (Skill(1, type="art", stat_base=("LUCK",)), "Juggling uses LUCK, which is not a statistic"),
    ],
)
def test_a_skill_described_wrongly(skill, message):
    assert only(with_(skills={"Juggling": skill})).message == message
    repaired(with_(skills={"Juggling": skill}))


@pytest.mark.parametrize(
    ("packages", "message"),
    [
        ((Package("Fightr", 8),), "package 'Fightr' is not in the book: it needs skills and a price agreed with the gamemaster"),
        ((Package("Monk", 2),), "package 'Monk' is not in the book: it needs skills and a price agreed with the gamemaster"),
        ((Package("Fighter", -1),), "Fighter: there is no rank -1"),
        ((Package("Fighter", 1), Package("Fighter", 1)), "package Fighter was bought twice"),
        ((Package("Monk", 1, ("Dodge",), -2),), "Monk: a price of -2 would give points back"),
    ],
)
def test_a_package_that_cannot_be(packages, message):  # 1502-1512
    wrong = with_(packages=packages, skills={})
    assert only(wrong).message == message
    repaired(wrong)


# --- chapters 9 and 10 (lines 1452-1456, 1689-1699) ----------------------------------------------------------------------------


def test_allowances_of_chapter_9():
    rules = under(culture_skills="chapter 9")
    ben = with_(skills={}, cultural={"language": {"Spoken Language: Merovan": 12, "Written Language: Merovan": 6}})
    assert budgets(ben, rules)["Allowance: language"] == (20, 20)
    assert budgets(ben, rules)["Allowance: movement"] == (0, 15)
    over = with_(skills={}, cultural={"language": {"Spoken Language: Merovan": 15, "Written Language: Merovan": 6}})
    assert (only(over, rules).message, only(over, rules).over) == ("23 of 20 points for language taken", 3)
    assert repaired(over, rules).cultural["language"]["Spoken Language: Merovan"] == 12
    assert "Allowance: language" not in budgets(ben)
    assert any("follows chapter 9" in each for each in warnings(ben))


@pytest.mark.parametrize(
    ("cultural", "message"),
    [
        ({"manners": {"Dodge": 2}}, "there is no allowance for 'manners', only for language, culture lore, education, tech lore, movement"),
        ({"language": {"Dodge": 2}}, "Dodge is not what the allowance for language is for: spoken, and written where the culture writes"),
        ({"education": {"Dodge": -2}}, "Dodge: there is no rank -2"),
    ],
)
def test_an_allowance_misused(cultural, message):
    rules = under(culture_skills="chapter 9")
    wrong = with_(skills={}, cultural=cultural)
    assert only(wrong, rules).message == message
    repaired(wrong, rules)


def test_theneans_of_chapter_10_have_ten_points_more():  # 1691
    sailor = Character("Io", race="Thenean", culture="Thenean", primary=FAIR)
    assert budgets(sailor)["Skill points"] == (0, 100)
    assert budgets(sailor, under(culture_skills="chapter 10"))["Skill points"] == (0, 110)
    assert "Allowance: language" not in budgets(sailor, under(culture_skills="chapter 10"))


# --- traits (lines 1535-1645) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("gifts", Gift("Ambidextrous"), "'Ambidextrous' is not a gift of the book: it needs an agreed price"),
        ("gifts", Gift("Wings"), "'Wings' is not a gift of the book: it needs an agreed price"),
        ("gifts", Gift("Wings", -4), "Wings: a price of -4 would give points back"),
        ("gifts", Gift("Wings", 4, scope=0), "Wings: a scope of 0 is below 1"),
        ("gifts", Gift("Wings", 4, depth=-1), "Wings: a depth of -1 is below 0"),
        ("enhanced", Enhanced("LUCK", "dice"), "'LUCK' has no price and cannot be enhanced"),
        ("enhanced", Enhanced("PAW", "smells", 0), "enhanced PAW: 0 points are below 1"),
        ("enhanced", Enhanced("PAW", " "), "PAW is enhanced for no area: one narrow area must be named"),
        ("heightened", Heightened("magic", "Warding", points=-1), "gift for Warding: -1 points are below 1"),
        ("presence", Presence("mental", 0), "a mental presence of 0 has no effect"),
        ("limitations", Limitation("Clumsy"), "what 'Clumsy' gives must be agreed with the gamemaster"),
        ("limitations", Limitation("Clumsy", -3), "Clumsy: a limitation that gives -3 takes away"),
        ("friends", Tie("all", 2_000_000), "all: scope ends at 1000000 people"),
        ("friends", Tie("none", 0), "none: a scope is at least 1 person, not 0"),
    ],
)
def test_a_trait_that_cannot_be(part, value, message):
    wrong = with_(**{"gifts": (), "heightened": (), "enhanced": (), "friends": (), part: (value,)})
    found = breaches(wrong)
    assert found[0].message == message
    after = [problem.message for problem in breaches(repair(wrong, found[0]))]
    assert message not in after


def test_a_gift_twice_is_once_too_many():
    wrong = with_(skills={}, gifts=(Gift("Ley Walker"), Gift("Ley Walker")))
    assert only(wrong).message == "Ley Walker is in the file twice"
    assert repaired(wrong).gifts == (Gift("Ley Walker"),)
    twice = with_(limitations=(Limitation("Albino"), Limitation("Albino")))
    assert only(twice).message == "Albino is in the file twice"


def test_other_prices_are_mentioned():
    assert "Ambidexterity: the gamemaster must have agreed to a price of 8" in warnings(with_(gifts=(Gift("Ambidexterity", 8),)))
    assert "Albino: the gamemaster must have agreed to 20 points" in warnings(with_(limitations=(Limitation("Albino", 20),)))
    assert any("without Mage Ability" in each for each in warnings(with_(gifts=())))
    assert any("nobody becomes a mage" in each for each in warnings(with_(gifts=(), gear=Gear(spells=("ward",)))))


def test_a_limitation_fills_the_pool_of_ones_choice():  # 1711, 2242
    assert budgets(with_(limitations=(Limitation("Albino"),)))["Skill points"] == (100, 115)
    assert budgets(with_(limitations=(Limitation("Albino", paid_to="wealth"),)))["Wealth points"] == (10, 25)


def test_gifts_from_any_pool_or_from_the_skill_pool_alone():  # 1537, 2395
    wrong = with_(gifts=(Gift("Ambidexterity", paid_from="wealth"), Gift("Mage Ability")), wealth=0)
    assert breaches(wrong) == []
    assert budgets(wrong)["Wealth points"] == (10, 10)
    strict = under(traits_from="skill pool")
    assert only(wrong, strict).message == "gift 1 is paid from wealth: only the skill pool pays for it"
    assert repaired(wrong, strict).gifts[0].paid_from == "skill"


def test_plain_wealth_and_standing():  # 2224-2226
    assert only(with_(wealth=12)).message == "12 of 10 wealth points spent"
    assert repaired(with_(wealth=12)).wealth == 10
    assert only(with_(wealth=-1)).message == "wealth of -1 points is below 0"
    assert only(with_(status=3)).message == "12 of 10 community points spent"


def test_years_in_careers():  # 1951-1957
    officer = Career("Law Enforcement Officer", (Year(8, 3000, 1), Year(-8, 0, 1), Year(8, 0, 0)))
    rules = under(careers=True)
    dan = Character("Dan", culture="Merovan", primary=FAIR, careers=(officer,))
    assert budgets(dan, rules)["Skill points"] == (0, 18)
    assert budgets(dan, rules)["Community points"] == (0, 12)
    assert budgets(dan)["Skill points"] == (0, 100)
    assert any("unless the setting careers is on" in each for each in warnings(dan))
    wrong = msgspec.structs.replace(dan, careers=(Career("Law Enforcement Officer", (Year(20, 0, 0),)),))
    assert (only(wrong, rules).message, only(wrong, rules).over) == (
        "Law Enforcement Officer, year 1: development 20 is not a possible roll",
        12,
    )
    assert repaired(wrong, rules).careers[0].years[0].development == 8
    pirate = msgspec.structs.replace(dan, careers=(Career("Pirate", (Year(9),)),))
    assert any("Pirate is not among the careers" in each for each in warnings(pirate, rules))


def test_a_pool_never_holds_less_than_nothing():
    unlucky = Character("Bad", culture="Merovan", primary=FAIR, careers=(Career("Soldier", (Year(-8), Year(-8))),))
    assert budgets(unlucky, under(careers=True))["Skill points"] == (0, 0)


# --- gear, condition, experience -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"gear": Gear(weapons=("swrd",))}, "there is no 'swrd' among the weapons"),
        ({"gear": Gear(armour=("helmt",))}, "there is no 'helmt' among the armour"),
        ({"gear": Gear(spells=("wish",))}, "there is no 'wish' among the spells"),
        ({"gear": Gear(other=(Item("rope", -1),))}, "rope: a cost of -1 is below 0"),
        ({"worn": Worn(pft=-2)}, "PFT: -2 cannot be missing"),
    ],
)
def test_gear_and_condition(fields, message):
    assert only(with_(**fields)).message == message
    repaired(with_(**fields))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ((Award(-2),), "an award of -2 experience points is negative"),
        ((Training(-5),), "training takes 0 hours or more, not -5"),
        ((Award(3), Raised("Sword", 15)), "Sword 15 costs 21 experience points and only 3 are left"),
        ((Award(99), Raised("Sword", 14)), "Sword is already at rank 14: 14 cannot be bought"),
        ((Award(99), Raised("PST", 14)), "PST 14: statistics rise after creation only with the setting statistics-rise"),
        ((Award(99), Raised("Juggling", 0)), "'Juggling' has no base cost: the book does not name it and the file does not give its type"),
        ((Award(999), Raised("Sword", 31)), "Sword 31: prices end at rank 30"),
        ((Award(99), Raised("Sword", 15, -1)), "Sword 15: a price of -1 experience points would give points back"),
        ((Award(99), Raised("Archery", -1)), "Archery begins at rank 0: -1 cannot be bought"),
    ],
)
def test_the_log(entries, message):  # 653-657
    found = breaches(with_(advancement=entries))[0]
    assert found.message == message
    assert message not in [problem.message for problem in breaches(repair(with_(advancement=entries), found))]


@pytest.mark.parametrize(("rank", "repair"), [(29, "raise it to 30"), (30, "leave it out")])
def test_beyond_the_last_price_a_skill_is_raised_as_far_as_it_goes(rank, repair):
    log = (Award(9999), Raised("Sword", rank), Raised("Sword", 32))
    found = next(problem for problem in breaches(with_(advancement=log)) if "prices end" in problem.message)
    assert (found.repair.text, found.over) == (repair, 2)


def test_a_log_that_is_right():
    log = (Award(20), Training(40, "teacher", "Sword"), Raised("Sword", 15))
    assert breaches(with_(advancement=log)) == []
    assert budgets(with_(advancement=log))["Experience points"] == (21, 24)
    assert any("were paid where the book asks 21" in each for each in warnings(with_(advancement=(Award(20), Raised("Sword", 15, 10)))))


def test_statistics_rise_where_a_campaign_has_it():  # 1516, 1969
    rules, log = under(statistics_rise=True), (Award(10), Raised("PST", 15))
    assert breaches(with_(advancement=log), rules) == []
    assert budgets(with_(advancement=log), rules)["Experience points"] == (8, 10)
    assert "is already 13" in only(with_(advancement=(Award(10), Raised("PST", 13))), rules).message
    assert "has no price" in only(with_(advancement=(Award(10), Raised("PEX", 99))), rules).message


# --- step by step (lines 1236-1266, 2024-2046) ---------------------------------------------------------------------------------


def test_creation_is_checked_at_every_step():
    steps = creation_steps(RULES, with_(race="Orkk", primary=primary(pst=26, pen=5, dex=5)))
    assert [step.step for step in steps][:4] == ["primary statistics", "race and gender", "culture", "trade-offs"]
    wrong = {step.step: step.problems for step in steps if not step.sound}
    assert wrong == {
        "primary statistics": ("PST 26: at most 25 points go into a statistic",),
        "race and gender": ("there is no race 'Orkk'",),
    }
    assert all(step.sound for step in creation_steps(RULES, LEGAL))
    chosen = {step.step: step.chosen for step in creation_steps(RULES, LEGAL)}
    assert chosen["trade-offs"] == "Ambidexterity, Mage Ability, PAW +3 for smells, magic gift for Warding +1, physical presence -2"


def test_house_rules_change_the_audit():
    cheap = BOOK.ruleset(
        house=House(tables={"hyb-9-enhancement-list": {"Mage Ability": {"cost": 5}, "Wings": {"cost": 9, "effect": "flight"}}})
    )
    assert budgets(LEGAL, cheap)["Skill points"] == (85, 100)
    assert breaches(with_(skills={}, gifts=(*LEGAL.gifts, Gift("Wings"))), cheap) == []


# --- any character at all ------------------------------------------------------------------------------------------------------

NUMBERS = one_of(integers(-3, 30), integers(-(10**12), 10**12))
SMALL = one_of(integers(-2, 12), NUMBERS)
SKILL_NAMES = one_of(sampled_from(["Sword", "Haggling", "Sward", "Lore: Bees", "a.b", "", ".x", "Dodge", "Juggling"]), text(max_size=3))
STATS = sampled_from(["PST", "PSI", "PEX", "APP", "PDF", "LUCK", "", "a.b"])
POOLS = sampled_from(["skill", "wealth", "community"])
DEPTHS = sampled_from(["low", "medium", "very high"])
TIES = lists(builds(Tie, just("t"), NUMBERS, DEPTHS, POOLS), max_size=2).map(tuple)
RANKS = one_of(
    SMALL,
    builds(
        Skill,
        SMALL,
        sampled_from(["specific", "general", "support"]),
        sampled_from([None, "art", "craft"]),
        stat_base=lists(STATS, max_size=2).map(tuple),
        of=sampled_from(["", "Sword"]),
    ),
)
ENTRIES = one_of(
    builds(Award, integers(-3, 80)),
    builds(Training, integers(-5, 100), sampled_from(["teacher", "alone"])),
    builds(Raised, one_of(SKILL_NAMES, STATS), SMALL, one_of(none(), integers(-2, 50))),
)
CHARACTERS = builds(
    Character,
    just("Anybody"),
    race=sampled_from(["Human", "Kothan", "Elves", "Thenean", "Hairochan", "Orkk", ""]),
    gender=sampled_from(["", "male", "female"]),
    culture=sampled_from(["", "Merovan", "Thenean", "Bitadar", "Merovian", "q"]),
    heritage=builds(
        Heritage, dictionaries(STATS, SMALL, max_size=2), dictionaries(STATS, floats(), max_size=2), just(("Dodge",)), integers(-2, 130)
    ),
    primary=builds(Primary, **{stat.lower(): one_of(integers(3, 26), NUMBERS) for stat in PRIMARY}),
    bought=dictionaries(STATS, SMALL, max_size=3),
    height=one_of(none(), integers(-2, 200)),
    skills=dictionaries(SKILL_NAMES, RANKS, max_size=5),
    cultural=dictionaries(
        sampled_from(["language", "education", "x", "", "a.b"]), dictionaries(SKILL_NAMES, SMALL, max_size=2), max_size=2
    ),
    packages=lists(
        builds(Package, sampled_from(["Fighter", "Fightr", "Own"]), SMALL, sampled_from([(), ("Dodge",)]), one_of(none(), integers(-2, 9))),
        max_size=2,
    ).map(tuple),
    careers=lists(
        builds(Career, sampled_from(["Soldier", "x"]), lists(builds(Year, SMALL, SMALL, SMALL), max_size=2).map(tuple)), max_size=2
    ).map(tuple),
    gifts=lists(builds(Gift, sampled_from(["Ambidexterity", "Wings", ""]), one_of(none(), SMALL), POOLS, SMALL, SMALL), max_size=2).map(
        tuple
    ),
    enhanced=lists(builds(Enhanced, STATS, sampled_from(["", "x"]), SMALL, POOLS), max_size=2).map(tuple),
    heightened=lists(
        builds(Heightened, sampled_from(["psi", "magic"]), just("Fire"), sampled_from(["broad", "specific"]), SMALL, POOLS), max_size=2
    ).map(tuple),
    presence=lists(builds(Presence, sampled_from(["physical", "mental"]), SMALL, POOLS), max_size=2).map(tuple),
    limitations=lists(builds(Limitation, sampled_from(["Albino", "x"]), one_of(none(), SMALL), POOLS, SMALL, SMALL), max_size=2).map(tuple),
    friends=TIES,
    reputation=TIES,
    incomes=TIES,
    wealth=SMALL,
    status=SMALL,
    moved=lists(builds(Moved, POOLS, POOLS, SMALL), max_size=3).map(tuple),
    gear=builds(
        Gear,
        lists(sampled_from(["knife", "knif", "zzzz"]), max_size=2).map(tuple),
        spells=lists(sampled_from(["ward", "zzzz"]), max_size=2).map(tuple),
        other=lists(builds(Item, text(max_size=3), SMALL), max_size=2).map(tuple),
    ),
    worn=builds(Worn, SMALL, SMALL),
    advancement=lists(ENTRIES, max_size=4).map(tuple),
)
RULESETS = sampled_from(
    [
        RULES,
        BOOK.ruleset("chapter 9"),
        BOOK.ruleset("chapter 10"),
        under(
            careers=True,
            most_points_moved=4,
            traits_from="skill pool",
            raising_given_ranks="full",
            part_prices="down",
            statistics_rise=True,
        ),
    ]
)


@given(CHARACTERS, RULESETS)
@settings(max_examples=80, deadline=None)
def test_any_character_can_be_audited_and_every_breach_says_how_to_repair_it(character, rules):
    for problem in audit(rules, character).problems:
        assert problem.rule in BOOK.index()
        assert problem.message
        assert problem.over >= 0
        assert problem.warning or problem.repair is not None
    creation_steps(rules, character)


@pytest.mark.slow
@given(CHARACTERS, RULESETS)
@settings(max_examples=60, deadline=None)
def test_repairs_carried_out_one_after_another_end_with_a_legal_character(character, rules):
    for _ in range(120):
        problems = breaches(character, rules)
        if not problems:
            return
        changed = repair(character, problems[0])
        assert changed != character, problems[0]
        character = changed
    raise AssertionError(problems)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": 807, "moved": (Moved("skill", "community", 58_425_413), Moved("community", "skill", 65_535))},
        {"wealth": 140_000_009, "moved": (Moved("wealth", "skill", 10**12),)},
        {"moved": (Moved("skill", "wealth", 10**12), Moved("wealth", "community", 10**12), Moved("community", "skill", 10**12))},
    ],
)
@pytest.mark.parametrize("rules", [RULES, under(most_points_moved=4), under(most_points_moved=0)])
def test_repairs_never_move_points_in_a_circle(changes, rules):
    test_repairs_carried_out_one_after_another_end_with_a_legal_character.hypothesis.inner_test(with_(**changes), rules)


@given(CHARACTERS)
@settings(max_examples=30, deadline=None)
def test_saving_and_loading_keeps_the_audit(tmp_path_factory, character):
    path = tmp_path_factory.mktemp("kept") / "anybody.yaml"
    try:
        files.write(path, msgspec.to_builtins(character))
    except UserError:
        return  # a name or number that cannot stand in a text file
    loaded = files.convert(files.read(path), Character)
    assert audit(RULES, loaded) == audit(RULES, character)


@pytest.mark.parametrize(
    "fields",
    [
        {"skills": {f"skill {n}": 10**15 for n in range(3000)}},
        {"gifts": (Gift("zzz"),) * 3000},
        {"gear": Gear(weapons=("zzz",) * 3000)},
        {"advancement": (Raised("zzz", 10**9),) * 2000},
        {"moved": (Moved("skill", "wealth", 10**15),) * 2000},
    ],
)
def test_absurd_files_are_audited_quickly(fields):
    begun = time.process_time()
    report = audit(RULES, with_(**fields))
    assert not report.legal
    assert time.process_time() - begun < 20
    assert all(len(problem.message) < 300 for problem in report.problems)
