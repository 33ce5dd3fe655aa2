"""Edges of building and bettering characters: names, fields, packages, what is over, and what the log may hold."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.build.audit import repair
from rulewright.rules import House
from rulewright.systems.ore.build.audit import audit
from rulewright.systems.ore.build.audit.points import points_spent
from rulewright.systems.ore.build.sheet import sheet
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.people.advantages import monthly_income, starting_money
from rulewright.systems.ore.people.characters import Award, Character, Owned, Person, Purchase, Special, Statistics
from rulewright.systems.ore.people.pools import skill_pool
from rulewright.systems.ore.people.skills import ACTION, known_skill, selection
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(preset=None, house=None, **chosen):
    return BOOK.ruleset(preset, {name.replace("_", "-"): value for name, value in chosen.items()}, house)


DISCIPLINES = rules(skill_system="discipline", special_dice="extra expert")
ACTIONS = rules(skill_system="action")


def wrong(character, by=RULES):
    return [problem for problem in audit(by, character).problems if not problem.warning]


def only(character, by=RULES):
    (problem,) = wrong(character, by)
    return problem


# --- skills -------------------------------------------------------------------------------------------------------------------


def test_three_narrow_skills_are_cashed_in_point_for_point():  # lines 706-714
    assert repair(Character("Ann", skills={"fight": 3, "dodge": 2, "parry": 1}), only_of("fight", 3, "dodge", 2, "parry", 1)).skills == {
        "close combat": 2
    }
    with_broad = Character("Ann", skills={"close combat": 2, "fight": 1, "dodge": 1, "parry": 1})
    assert repair(with_broad, only(with_broad)).skills == {"close combat": 3}
    top = Character("Ann", skills={"close combat": 3, "fight": 3, "dodge": 3, "parry": 3})
    assert repair(top, only(top)).skills == {"close combat": 3}
    uneven = Character("Ann", skills={"fight": 3, "dodge": 3, "parry": 2})
    assert repair(uneven, only(uneven)).skills == {"close combat": 2}  # eight points: two of them are lost
    assert only(uneven).over == 1


def only_of(*pairs):
    return only(Character("Ann", skills=dict(zip(pairs[::2], pairs[1::2], strict=True))))


def test_engineering_has_fields_and_perform_has_media():  # lines 2087, 2104
    tinker = Character("Tin", skills={"engineering: robotic": 2, "build: electrical": 3})
    assert audit(RULES, tinker).problems == ()
    assert points_spent(RULES, tinker).value == 6 + 3
    person = Person.of(RULES, tinker)
    assert skill_pool(RULES, person, "repair: robotic").dice == 4
    assert skill_pool(RULES, person, "repair: electrical").dice == 2
    assert skill_pool(RULES, person, "build: electrical").dice == skill_pool(RULES, person, "build").dice == 5
    assert skill_pool(RULES, person, "engineering").dice == 4
    player = Character("Pia", skills={"perform: violin": 1, "perform: acting": 2, "perform: song": 1, "compose": 1})
    assert audit(RULES, player).problems == ()
    (third,) = wrong(Character("Pia", skills={"perform: violin": 1, "perform: acting": 2, "compose": 1, "industry": 1}))
    assert (third.rule, third.over) == ("ore-2.04-broad-narrow-skills", 1)
    (unnamed,) = audit(RULES, Character("Tin", skills={"engineering": 2})).problems
    assert unnamed.warning
    assert unnamed.rule == "ore-3.05-skill-breakdown"
    fields = Character("Tin", skills={"build: robotic": 1, "design: robotic": 1, "repair: robotic": 1})
    assert repair(fields, only(fields)).skills == {"engineering: robotic": 1}
    assert not wrong(Character("Tin", skills={"build: robotic": 1, "design: robotic": 1, "repair: electrical": 1}))


def test_a_gift_for_one_subject_is_none_for_another():
    rider = Person.of(RULES, Character("Rae", advantages=(Owned("preternatural skill", 2, choice="ride: camels"),)))
    assert skill_pool(RULES, rider, "ride: camels").bonus == 1
    assert skill_pool(RULES, rider, "ride: horses").bonus == 0
    player = Person.of(RULES, Character("Pia", advantages=(Owned("preternatural skill", 2, choice="perform"),)))
    assert skill_pool(RULES, player, "perform: violin").bonus == 1


def test_cryptology_has_a_design_of_its_own():  # lines 1999-2003
    row = {"skill": "cryptology", "statistic": "psyche", "narrow": ["decode", "design", "encode"]}
    by = rules(house=House(tables={"ore-3.03-skill-list": {"cryptology": row}}))
    assert known_skill(by, "design").field == "engineering"
    assert known_skill(by, "design (cryptology)").field == "cryptology"
    assert not wrong(Character("Cy", skills={"decode": 2, "design (cryptology)": 1, "design: electrical": 1}), by)
    assert only(Character("Cy", skills={"decode": 2, "design (cryptology)": 1, "encode": 1}), by).rule == "ore-2.04-broad-narrow-skills"
    gone = rules(house=House(tables={"ore-3.03-skill-list": {"computers": None}}))
    assert only(Character("Cy", skills={"software": 1}), gone).rule == "ore-3.03-skill-list"


def test_a_house_adds_skills_to_each_system():  # lines 1997-2016
    tables = {
        "ore-3.01-sample-action-selection": {"horse": {"skill": "horse", "statistic": "coordination"}},
        "ore-3.03-skill-list": {"cryptology": {"skill": "cryptology", "statistic": "psyche"}},
    }
    both = Character("Ann", skills={"horse": 2, "cryptology": 2})
    for system, cost, unknown in (("action", 2, "cryptology"), ("discipline", 2, "horse"), ("broad and narrow", 6, "horse")):
        by = rules(house=House(tables=tables), skill_system=system, special_dice="extra expert")
        assert only(both, by).field == f"skills.{unknown}"
        assert points_spent(by, both).value == cost


def test_a_task_without_a_roll_stands_beside_its_skill():  # lines 389-396
    worker = Character("Ann", skills={"repair: cars": 3})
    assert sheet(rules(auto_complete=True), worker).tests()["repair: cars"].note == "Auto Complete: 2x3"
    assert sheet(RULES, worker).tests()["repair: cars"].note == ""


def test_every_skill_of_the_sample_selection_can_be_bought():  # lines 1871-1879
    everything = Character("All", skills=dict.fromkeys(ACTION(ACTIONS), 1))
    assert audit(ACTIONS, everything).problems == ()
    assert points_spent(ACTIONS, everything).value == 36
    assert known_skill(ACTIONS, "language: French").kind == "action"
    assert selection(ACTIONS)["ride"].subject


def test_other_names_of_a_skill_are_the_same_skill_in_play():
    bought = Character("Ann", advancement=(Award(5), Purchase("skill", "Run", 1, xp=1), Purchase("skill", "Ride:Camels", 1, xp=1)))
    assert Person.of(RULES, bought).skills == {"running": 1, "ride: camels": 1}
    assert skill_pool(RULES, Person.of(RULES, bought), "running").dice == 3
    assert not wrong(bought)
    twice = Character("Ann", skills={"Run": 3, "running": 1})
    assert Person.of(RULES, twice).skills == {"running": 3}
    assert {problem.field for problem in wrong(twice)} == {"skills.Run", "skills.running"}


def test_a_concentration_serves_in_a_fight():  # lines 1886-1918
    focused = {"close combat": {"swords": 3, "dodge": 2}, "physique": {"endurance": 1}}
    made = Character("Ann", skills={"close combat": 3, "physique": 2}, concentrations=focused, weapons=("broadsword", "battle axe"))
    assert not wrong(made, DISCIPLINES)
    profile = enter(DISCIPLINES, made, "Ann", "a").profile
    assert [(pool.dice, pool.expert) for pool in profile.attacks] == [(5, 0), (5, 3), (5, 0)]
    assert [(pool.dice, pool.expert) for pool in profile.parries] == [(5, 0), (5, 3), (5, 0)]
    assert (profile.dodge.dice, profile.dodge.expert) == (5, 2)
    assert (profile.endurance.dice, profile.endurance.expert) == (4, 1)
    assert profile.ratings == (3, 3, 3)
    master = Character("Max", skills={"close combat": 3}, concentrations={"close combat": {"Wrestling": 5}})
    grip = enter(DISCIPLINES, master, "Max", "a").profile.wrestle
    assert (grip.dice, grip.expert, grip.master) == (5, 0, 1)


def test_every_skill_of_the_action_system_has_one_price():  # lines 1865-1869
    for skill in ("fight", "swords", "ride: camels"):
        made = Character("Ann", skills={skill: 2}, special={skill: Special(0, 1)})
        assert points_spent(ACTIONS, made).value == 2 + 1 + 5
    assert points_spent(RULES, Character("Ann", skills={"swords": 2}, special={"swords": Special(0, 1)})).value == 2 + 1 + 3


@pytest.mark.parametrize("skill", ["athletics", "run", "running"])
def test_any_plain_skill_that_fits_serves_in_a_fight(skill):  # lines 1853-1879, 1950
    runner = enter(ACTIONS, Character("Ann", skills={skill: 3, "intimidate": 2}), "Ann", "a").profile
    assert (runner.run.dice, runner.threat.dice) == (5, 4)


def test_a_concentration_may_have_its_own_name():  # lines 1921-1923
    wrestler = Character("Ulf", skills={"close combat": 2}, concentrations={"close combat": {"Wrestling": 3}}, feats={"Kick Murder": 3})
    assert not wrong(wrestler, DISCIPLINES)
    high = only(msgspec.structs.replace(wrestler, feats={"Kick Murder": 4}), DISCIPLINES)
    assert (high.rule, high.over) == ("ore-3.08-feat-purchase", 1)
    assert only(msgspec.structs.replace(wrestler, concentrations={}), DISCIPLINES).over == 3


# --- advantages ---------------------------------------------------------------------------------------------------------------


def test_advantages_go_by_either_name():  # lines 900, 909, 1417, 1465
    character = Character(
        "Ann", skills={"swords": 3}, advantages=(Owned("Night Vision"), Owned("weapon focus", choice="broadsword", when="swords"))
    )
    assert audit(RULES, character).problems == ()
    assert points_spent(RULES, character).value == 3 + 4 + 3
    assert Person.of(RULES, character).has("signature weapon") == Person.of(RULES, character).has("preternatural vision") == 1
    twice = msgspec.structs.replace(character, advantages=(Owned("night vision"), Owned("preternatural vision")))
    assert only(twice).rule == "ore-2.14-advantages-general"


@pytest.mark.parametrize(
    ("choice", "when", "skills"),
    [
        ("katana", "education", {"education": 3}),
        ("katana", "close combat", {"close combat": 3}),  # general ability is no Weapon Skill, lines 2263-2275
        ("katana", "", {"swords": 3}),
        ("katana", "swords", {"swords": 2}),
        ("broadsword", "axes", {"axes": 3}),
    ],
)
def test_a_signature_weapon_needs_its_own_weapon_skill(choice, when, skills):  # lines 1465-1470
    bad = only(Character("Ann", skills=skills, advantages=(Owned("signature weapon", choice=choice, when=when),)))
    assert (bad.rule, bad.repair.text) == ("ore-2.39-signature-weapon", "remove it")


def test_a_signature_weapon_may_be_one_s_own_and_in_a_concentration():
    own = (Owned("signature weapon", choice="kilij", when="fencing"),)
    built = ("kilij: narrow blade 2 slashing fencing",)
    assert not wrong(Character("Ann", skills={"fencing": 3}, advantages=own, weapons=built))
    assert wrong(Character("Ann", skills={"fencing": 3}, advantages=own, weapons=("kilij: narrow blade 2 slashing",)))
    assert not wrong(
        Character("Ann", skills={"close combat": 1}, concentrations={"close combat": {"fencing": 3}}, advantages=own), DISCIPLINES
    )


def test_what_is_bought_in_levels_has_no_end():  # lines 911-912
    assert not wrong(Character("Ann", advantages=(Owned("action hero", 12), Owned("preternatural resistance", 12, choice="impact"))))
    low = only(Character("Ann", advantages=(Owned("action hero", 0),)))
    assert (low.over, low.repair.value) == (1, 1)
    assert only(Character("Ann", advantages=(Owned("fast recovery", 6),))).over == 1


def test_a_choice_is_mended_to_what_was_meant():
    assert only(Character("Ann", advantages=(Owned("preternatural statistic", choice="Charm"),))).repair.value == "charm"
    assert only(Character("Ann", advantages=(Owned("preternatural resistance", choice="Cuting"),))).repair.value == "cutting"


def test_parts_of_an_advantage_stay_between_0_and_5():  # lines 913-918
    high, low = (only(Character("Ann", advantages=(Owned("allies", first=first, second=2),))) for first in (7, -1))
    assert (high.over, high.repair.value) == (2, 5)
    assert (low.over, low.repair.value) == (1, 0)
    simple = rules(simplified_advantages=True)
    six = only(Character("Ann", advantages=(Owned("allies", 6),)), simple)
    assert (six.field, six.over, six.repair.value) == ("advantages.0.rating", 1, 5)
    assert (
        points_spent(simple, Character("Ann", advantages=(Owned("allies", 5), Owned("arcane apprentice", first=5, second=5)))).value == 15
    )


def test_a_sheet_of_somebody_illegal_can_be_read():
    odd = Character("Ann", skills={"fight": 2}, advantages=(Owned("preternatural skill", 3, choice="fight"),))
    assert only(odd, ACTIONS).rule == "ore-2.35-preternatural-skill-action"
    assert sheet(ACTIONS, odd).tests()["fight"].notation == "4d"
    poor = Character("Ann", advantages=(Owned("wealth", -5), Owned("income", -1)))
    assert {"money", "income"}.isdisjoint(sheet(rules(companies="tiers"), poor).values())


def test_money_in_three_currencies():  # lines 1268-1280, 1525-1537
    assert [monthly_income(RULES, 9, each).value for each in ("pounds", "dollars", "gold pieces")] == [25000, 32500, 2500]
    assert [starting_money(RULES, 4, each).value for each in ("pounds", "dollars", "gold pieces")] == [10000, 15000, 1000]


def test_whoever_may_raise_a_statistic_once_raises_a_preternatural_one_once():  # lines 827-830, 1413-1416
    once, gift = rules(more_non_human=True), (Owned("preternatural statistic", choice="body"),)
    assert not wrong(Character("Ann", statistics=Statistics(body=3), advantages=gift), once)
    assert only(Character("Ann", statistics=Statistics(body=4), advantages=gift), once).rule == "ore-2.11-opt-more-non-human"
    assert not wrong(Character("Ann", statistics=Statistics(body=5), advantages=gift))
    assert only(Character("Ann", statistics=Statistics(body=6), advantages=gift)).over == 1
    raised = Character("Ann", statistics=Statistics(coordination=4), packages=("slayer",))
    assert not wrong(raised, once)
    assert points_spent(once, raised).value == 25


# --- what is over -------------------------------------------------------------------------------------------------------------


def test_every_breach_is_reported_at_once():
    names = ("close combat", "athletics", "stealth", "social", "medicine", "crime")
    greedy = Character("Ann", skills={**dict.fromkeys(names, 3), "education": 5}, feats={"Wired": 6})
    found = {problem.rule: problem.over for problem in wrong(greedy)}
    assert found == {"ore-2.10-skill-cap-at-creation": 2, "ore-3.08-feat-purchase": 3, "ore-2.01-point-cost": 54 + 15 + 15 - 50}


def test_what_is_over_is_saved_with_as_little_as_possible():
    six = dict.fromkeys(("athletics", "stealth", "social", "medicine", "crime"), 3)  # 45 points

    def mended(**more):
        made = Character("Ann", skills={**six, **more.pop("skills", {})}, **more)
        problem = only(made)
        return problem.over, problem.repair.text, wrong(repair(made, problem))

    assert mended(skills={"fight": 3, "swords": 3}) == (1, "lower fight to 2 (1 point)", [])
    assert mended(skills={"close combat": 2}) == (1, "lower athletics to 2 (3 points)", [])
    assert mended(skills={"fight": 3}, special={"fight": Special(0, 1)}) == (2, "lower fight to 1 (2 points)", [])
    assert mended(advantages=(Owned("wealth", 5), Owned("income", 3))) == (3, "lower wealth to 2 (3 points)", [])
    assert mended(skills={"swords": 3}, advantages=(Owned("signature weapon", choice="broadsword", when="swords"),))[::2] == (1, [])
    assert mended(feats={"Wired": 3}) == (1, "give up Wired above level 2 (3 points)", [])


def test_packages_too_dear_are_left_out():
    by = rules("gritty")
    both = Character("Ann", statistics=Statistics(1, 2, 1, 2, 1, 1), packages=("slayer", "vampire"), built_for="gritty")
    assert (only(both, by).rule, only(both, by).over) == ("ore-2.01-point-cost", 12)
    done = repair(both, only(both, by))
    assert done.packages in (("slayer",), ("vampire",))
    assert not wrong(done, by)
    elements = rules(build="archetype", points=30)
    arch = Character("Ann", statistics=Statistics(1, 2, 1, 2, 1, 1), packages=("slayer", "vampire"))
    assert (only(arch, elements).over, repair(arch, only(arch, elements)).packages) == (4 + 5 - 6, ("slayer",))


def package(*items, **disadvantages):
    row = {"package": "house", "items": list(items), "disadvantages": disadvantages}
    return House(tables={"ore-2.44-example-packages": {"house": row}})


def test_a_package_s_skill_is_paid_once():  # lines 1612-1615
    by = rules(house=package({"buy": "skill", "what": "athletics", "rating": 2}))
    raised = Character("Ann", packages=("house",), skills={"athletics": 3}, special={"athletics": Special(1)}, feats={"Wired": 3})
    assert not wrong(raised, by)
    assert points_spent(by, raised).value == 6 + 3 + 2 + 6
    promoted = Character("Ann", packages=("house",), special={"athletics": Special(0, 1)}, feats={"Wired": 2})
    assert not wrong(promoted, by)
    assert points_spent(by, promoted).value == 6 + 7 + 3
    assert [problem.rule for problem in wrong(msgspec.structs.replace(promoted, feats={"Wired": 3}), by)] == ["ore-3.08-feat-purchase"]


def test_a_package_calls_advantages_by_either_name_too():  # lines 900, 909
    by = rules(house=package({"buy": "advantage", "what": "Night Vision", "rating": 1}))
    assert Person.of(by, Character("Ann", packages=("house",))).has("preternatural vision") == 1


def test_a_disadvantage_never_takes_a_statistic_below_one():  # line 1749
    weak = package({"buy": "statistic", "what": "body", "rating": -1, "points": 0}, frail=5)
    action, gritty = rules(house=weak), rules("gritty", weak)
    assert not wrong(Character("Ann", statistics=Statistics(body=1), packages=("house",)), action)
    assert points_spent(action, Character("Ann", statistics=Statistics(body=3), packages=("house",))).value == 10
    assert not wrong(Character("Ann", statistics=Statistics(1, 1, 1, 1, 1, 1), packages=("house",)), gritty)
    assert only(Character("Ann", statistics=Statistics(0, 1, 1, 1, 1, 1), packages=("house",)), gritty).repair.value == 1


def test_focuses_of_an_archetype_are_paid_with_the_advantages():
    by = rules(build="archetype", statistic_focuses=True)
    free = Character("Ann", statistics=Statistics(1, 1, 1, 1, 1, 1), focuses={"body": "wiry", "charm": "sly"})
    assert (only(free, by).field, only(free, by).over) == ("elements.advantages", 6)
    assert repair(free, only(free, by)).elements == {"advantages": 2}
    assert not wrong(repair(free, only(free, by)), by)


def test_the_chart_of_upbringings_ends_at_five():  # lines 1603-1611
    by = rules(build="archetype")
    famous = Character("Ann", statistics=Statistics(1, 1, 1, 1, 1, 1), elements={"upbringing": 5})
    assert not wrong(famous, by)
    beyond = msgspec.structs.replace(famous, elements={"upbringing": 7})
    assert (only(beyond, by).over, only(beyond, by).repair.value) == (2, {"upbringing": 5})


@pytest.mark.parametrize(
    ("gear", "points", "granted"),
    [
        ("gritty", 29, True),
        ("gritty", 30, False),
        ("gritty", 50, False),
        ("gritty", 51, True),
        ("action", 49, True),
        ("action", 100, False),
    ],
)
def test_points_beyond_those_of_the_gear_must_have_been_granted(gear, points, granted):  # lines 628-643
    found = audit(rules(gear), Character("Ann", points=points, statistics=Statistics(1, 1, 1, 1, 1, 1))).problems
    assert ["must allow" in problem.message for problem in found if problem.field == "points"] == ([True] if granted else [])


@pytest.mark.parametrize(("points", "over"), [(7, None), (6, None), (5, 1), (0, 6), (-1, 0)])
def test_whoever_spends_more_points_than_there_are_is_over_by_the_rest(points, over):
    spent = Character("Ann", points=points, skills={"close combat": 2})  # three points each
    assert points_spent(RULES, spent).value == 6
    assert [problem.over for problem in wrong(spent)] == ([] if over is None else [over])


@pytest.mark.parametrize(
    ("elements", "over", "mended"),
    [
        ({"statistics": 5, "skills": 5}, None, None),
        ({"statistics": 6, "skills": 5}, 1, {"statistics": 5, "skills": 5}),
        ({"statistics": 4, "skills": 9}, 3, {"statistics": 4, "skills": 6}),
        ({"statistics": -1}, 1, {"statistics": 0}),
    ],
)
def test_fifty_points_are_ten_element_points_to_spend(elements, over, mended):  # lines 1576-1611
    by = rules(build="archetype", points=50)
    made = Character("Ann", statistics=Statistics(1, 1, 1, 1, 1, 1), elements=elements)
    found = wrong(made, by)
    assert [problem.over for problem in found] == ([] if over is None else [over])
    if mended is not None:
        assert repair(made, found[0]).elements == mended


def test_higher_tiers_of_companies_need_more_money():  # lines 1550-1555
    rich = Character("Ann", advantages=(Owned("wealth", 5),), advancement=(Award(9), Purchase("advantage", "wealth", 10, xp=9)))

    def treasure(companies):
        values = sheet(rules(companies=companies), rich).values()
        return {key: value.value for key, value in values.items() if key.startswith("company")}

    assert treasure("none") == {}
    assert treasure("companies") == {"company_treasure": 3}
    assert treasure("tiers") == {"company_treasure": 3, "company_treasure_global_agency": 2, "company_treasure_super_power": 1}


# --- experience ---------------------------------------------------------------------------------------------------------------


def logged(entry, by=RULES, **made):
    return wrong(Character("Ann", advancement=(Award(100), entry), **made), by)


@pytest.mark.parametrize(
    ("now", "to", "over", "repair"),
    [
        (3, 2, 0, None),
        (3, 3, 0, None),
        (3, 4, None, None),
        (3, 5, 1, 4),
        (2, 5, 2, 3),
        (4, 5, None, None),
        (5, 6, 1, None),
        (5, 7, 2, None),
    ],
)
def test_experience_buys_one_step_at_a_time_up_to_five(now, to, over, repair):
    made = logged(Purchase("skill", "close combat", to, xp=1), skills={"close combat": now})
    found = [problem for problem in made if problem.field.startswith("advancement")]
    assert [problem.over for problem in found] == ([] if over is None else [over])
    if repair is not None:
        assert f"the next rating after {now} is {repair}" in found[0].message


@pytest.mark.parametrize(("owned", "to", "allowed"), [(False, 5, True), (False, 6, False), (True, 6, True), (True, 7, False)])
def test_experience_brings_a_statistic_to_five_and_a_preternatural_one_to_six(owned, to, allowed):
    made = Character(
        "Ann",
        points=500,
        statistics=Statistics(body=to - 1),
        advantages=(Owned("preternatural statistic", 1, choice="body"),) if owned else (),
        advancement=(Award(100), Purchase("statistic", "body", to, xp=1)),
    )
    assert (not [problem for problem in wrong(made) if problem.field.startswith("advancement")]) is allowed


@pytest.mark.parametrize(
    ("kind", "had", "allowed"),
    [
        ("expert die", Special(), True),
        ("expert die", Special(1), False),
        ("expert die", Special(0, 1), False),
        ("master die", Special(), False),
        ("master die", Special(1), True),
        ("master die", Special(0, 1), False),
    ],
)
def test_experience_promotes_as_many_dice_as_points_do(kind, had, allowed):  # lines 834-838
    made = {"skills": {"close combat": 3}, "special": {"close combat": had} if had != Special() else {}}
    assert (not logged(Purchase(kind, "close combat", 1, xp=1), **made)) is allowed


@pytest.mark.parametrize(("had", "allowed"), [(Special(1), True), (Special(2), True), (Special(1, 1), False), (Special(0, 1), False)])
def test_there_is_one_master_die_among_several_expert_dice(had, allowed):  # lines 834-838
    by = rules(special_dice="extra expert")
    made = {"skills": {"close combat": 3}, "special": {"close combat": had}}
    assert (not logged(Purchase("master die", "close combat", 1, xp=1), by, **made)) is allowed


def test_experience_brings_no_third_narrow_skill():  # lines 706-714
    (third,) = logged(Purchase("skill", "parry", 1, xp=1), skills={"fight": 3, "dodge": 2})
    assert (third.rule, third.repair.value) == ("ore-2.04-broad-narrow-skills", "close combat")
    assert not logged(Purchase("skill", "fight", 4, xp=1), skills={"fight": 3, "dodge": 2})
    assert not logged(Purchase("skill", "close combat", 1, xp=1), skills={"fight": 3, "dodge": 2})


def test_narrow_skills_are_cashed_in_with_experience():  # line 714
    made = {"skills": {"fight": 3, "dodge": 2}, "special": {"fight": Special(1)}}

    def entry(to, *narrow, what="close combat"):
        return Purchase("skill", what, to, xp=4, cash_in=narrow)

    for to in (1, 2):  # five points pay for a rating of 1, and the next is bought
        assert not logged(entry(to, "fight", "dodge"), **made)
    person = Person.of(RULES, Character("Ann", advancement=(Award(9), entry(2, "fight", "dodge")), **made))
    assert (person.skills, person.special) == ({"close combat": 2}, {})
    assert not logged(entry(2, "fight"), **made)
    assert Person.of(RULES, Character("Ann", advancement=(Award(9), entry(2, "fight")), **made)).skills == {"dodge": 2, "close combat": 2}
    assert logged(entry(3, "fight", "dodge"), **made)[0].over == 1
    (twice,) = logged(entry(3, "fight", "Fight"), **made)  # what was paid once counts once
    assert (twice.rule, twice.repair.value) == ("ore-2.04-broad-narrow-skills", ["fight"])
    assert not logged(entry(1, "dodge"), skills={"dodge": 1})
    further = {"skills": {"close combat": 2, "fight": 3}}  # three points are the next step, and one more is bought
    assert not logged(entry(4, "fight"), **further)
    assert logged(entry(5, "fight"), **further)[0].over == 1
    for bad in (entry(1, "running"), entry(1, "parry"), entry(1, "fight", what="athletics"), entry(4, "fight", what="dodge")):
        assert logged(bad, **made)[0].rule == "ore-2.04-broad-narrow-skills"


@pytest.mark.parametrize(("narrow", "fits"), [("build: robotics", True), ("build", True), ("build: electrical", False)])
def test_what_was_learnt_in_one_field_is_not_cashed_in_for_another(narrow, fits):  # lines 714, 2087
    found = logged(Purchase("skill", "engineering: robotics", 1, xp=1, cash_in=(narrow,)), skills={narrow: 3})
    assert [problem.rule for problem in found] == ([] if fits else ["ore-2.04-broad-narrow-skills"])


def test_disciplines_are_bought_only_where_there_are_any():  # lines 1880-1929
    for entry in (Purchase("discipline", "athletics", 1), Purchase("concentration", "boxing", 1, under="athletics")):
        (problem,) = logged(entry, skills={"athletics": 2})
        assert problem.rule == "ore-3.02-opt-disciplines"
        assert "skill-system" in problem.message
    (die,) = logged(Purchase("expert die", "athletics", xp=1), DISCIPLINES, skills={"athletics": 2})
    assert die.rule == "ore-3.02-opt-disciplines"
    short = Character("Ann", skills={"athletics": 2}, advancement=(Award(5), Purchase("skill", "athletics", 3)))
    assert only(short, DISCIPLINES).over == 1  # a Discipline by any name costs two times three


def test_a_feat_makes_no_room_for_itself():  # lines 747-751
    full = {"Wired": 3, "Cliffhanger": 3, "Marathon Man": 3, "Lie To Me": 3, "Savoir Faire": 3}
    made = Character("Ann", skills={"athletics": 3, "social": 3}, feats=full, points=60)

    def then(**more):
        log = (Award(100), Purchase("skill", "athletics", 4, xp=9), Purchase("feat", "Wired", 4, **more))
        return msgspec.structs.replace(made, advancement=log)

    assert only(then()).rule == "ore-2.06-feats-general"
    assert only(then(instead_of="Wired")).repair.value == ""
    assert not wrong(then(instead_of="Cliffhanger"))
    assert Person.of(RULES, then(instead_of="Cliffhanger")).feats == {**full, "Wired": 4, "Cliffhanger": 2}
    unknown = msgspec.structs.replace(then(instead_of="nonsense"), feats={**full, "nonsense": 1})
    assert [problem.rule for problem in wrong(unknown)] == ["ore-3.09-broad-feat-list", "ore-2.06-feats-general"]


def test_another_identity_costs_six_experience():  # lines 3528-3530
    made = Character("Ann", skills={"stealth": 3}, feats={"Guy Incognito": 3}, advancement=(Award(6), Purchase("identity", "Mr Gray")))
    assert audit(RULES, made).problems == ()
    assert only(msgspec.structs.replace(made, advancement=(Award(5), Purchase("identity", "Mr Gray")))).over == 1
    assert logged(Purchase("identity", "Mr Gray"))[0].rule == "ore-3.09-broad-feat-list"


def test_a_disadvantage_is_got_rid_of_with_experience():  # lines 1635, 1645
    made = Character("Ann", statistics=Statistics(insight=3), packages=("vampire",))
    log = (Award(9), Purchase("disadvantage", "blood, need", xp=9))
    cured = msgspec.structs.replace(made, advancement=log)
    assert not wrong(cured)
    assert set(Person.of(RULES, made).disadvantages) - set(Person.of(RULES, cured).disadvantages) == {"blood, need"}
    assert logged(Purchase("disadvantage", "blood, need", xp=9))[0].rule == "ore-2.44-disadvantages"


def test_advantages_grow_with_experience():
    made = {"advantages": (Owned("wealth", 4), Owned("allies", first=2, second=1))}
    log = (Award(20), Purchase("advantage", "wealth", 7, xp=3), Purchase("advantage", "allies", first=3, second=1, xp=1))
    grown = Character("Ann", advancement=log, **made)
    assert not wrong(grown)
    person = Person.of(RULES, grown)
    assert person.has("wealth") == 7
    assert [(own.first, own.second) for own in person.advantages if own.name == "allies"] == [(3, 1)]
    for entry, rule in (
        (Purchase("advantage", "wealth", 11, xp=1), "ore-2.41-wealth"),
        (Purchase("advantage", "wealth", 4, xp=1), "ore-2.14-advantages-general"),
        (Purchase("advantage", "wealth", 2, xp=1), "ore-2.14-advantages-general"),  # experience makes nobody poorer
        (Purchase("advantage", "allies", first=1, second=1, xp=1), "ore-2.14-advantages-general"),
        (Purchase("advantage", "allies", first=6, xp=1), "ore-2.18-allies"),
        (Purchase("advantage", "allies", 3, xp=1), "ore-2.18-allies"),
        (Purchase("advantage", "preternatural statistic", xp=1), "ore-2.36-preternatural-statistic"),
        (Purchase("advantage", "signature weapon", choice="katana", when="swords", xp=1), "ore-2.39-signature-weapon"),
    ):
        assert [problem.rule for problem in logged(entry, **made)] == [rule]
    chosen = Character("Ann", advancement=(Award(9), Purchase("advantage", "preternatural statistic", choice="body", xp=9)))
    assert not wrong(chosen)
    assert Person.of(RULES, chosen).has("preternatural statistic", "body") == 1
    (own,) = audit(RULES, Character("Ann", advancement=(Award(9), Purchase("advantage", "beauty", xp=2)))).problems
    assert own.warning


# --- repairs ------------------------------------------------------------------------------------------------------------------

RATINGS = st.sampled_from([-5, 0, 1, 2, 3, 4, 6, 10**9])
NAMES = st.sampled_from(["fight", "dodge", "parry", "close combat", "athletics", "engineering: x", "build: x", "Run", "nonsense", "occult"])


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["broad and narrow", "action", "discipline"]),
    st.sampled_from(["points", "archetype"]),
    st.booleans(),
    st.builds(
        Character,
        st.just("Any"),
        statistics=st.builds(Statistics, *[st.integers(-1, 7)] * 6),
        focuses=st.dictionaries(st.sampled_from(["body", "luck"]), st.sampled_from(["wiry", "two words"]), max_size=2),
        skills=st.dictionaries(NAMES, RATINGS, max_size=6),
        special=st.dictionaries(NAMES, st.builds(Special, st.integers(-1, 3), st.integers(-1, 3)), max_size=2),
        concentrations=st.dictionaries(NAMES, st.dictionaries(st.sampled_from(["running", "unarmed"]), RATINGS, max_size=2), max_size=2),
        feats=st.dictionaries(st.sampled_from(["Wired", "Kick Murder", "Marathon Man", "nonsense"]), RATINGS, max_size=3),
        advantages=st.lists(
            st.builds(Owned, st.sampled_from(["allies", "Night Vision", "estate", "beauty"]), RATINGS, RATINGS, RATINGS), max_size=3
        ).map(tuple),
        packages=st.lists(st.sampled_from(["slayer", "vampire", "nonsense"]), max_size=2).map(tuple),
        elements=st.dictionaries(st.sampled_from(["statistics", "skills", "upbringing", "feats"]), RATINGS, max_size=3),
        points=st.sampled_from([None, -3, 40]),
    ),
)
def test_repairs_end_in_every_way_of_building(system, build, simple, character):
    by = rules(skill_system=system, build=build, simplified_advantages=simple, statistic_focuses=True, special_dice="extra expert")
    for _ in range(150):
        found = wrong(character, by)
        if not found:
            break
        mended = repair(character, found[0])
        assert mended != character, found[0]
        character = mended
    assert not wrong(character, by)
