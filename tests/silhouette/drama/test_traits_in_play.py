"""Perks and Flaws at the table (book lines 8651-9026)."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.combat.entrants import profile_of
from rulewright.systems.silhouette.drama.traits_in_play import (
    Fortune,
    Personality,
    apparent_age,
    buys_beyond_basics,
    course_months,
    debt_in_credits,
    dependence,
    draw_on_wealth,
    fighting_modifiers,
    finish_course,
    hunch,
    immune,
    learner,
    machine_test,
    opponent_rolls,
    possible,
    resist,
    roll_with_luck,
    sleepless_nights,
    space_needed,
    speaks_up,
    wakes,
    wealth_rating,
    with_personality,
)
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.people.characters import Character, Gear, Person, skill_test
from rulewright.systems.silhouette.people.secondary_attributes import attribute_test
from rulewright.systems.silhouette.people.traits import FLAW_PRICES, FLAWS, PERK_PRICES, PERKS, Trait, spared
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, rolled
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def somebody(perks=(), flaws=(), attributes=None, skills=None):
    character = Character("Ed", attributes=attributes or {}, skills=skills or {}, perks=tuple(perks), flaws=tuple(flaws))
    return Person.of(PLAIN, character)


def said(situation, perks=(), flaws=()):
    return [(each.trait, each.side) for each in speaks_up(PLAIN, situation, tuple(perks), tuple(flaws))]


# --- every one of them does something ------------------------------------------------------------------------------------------


def at_work(row):
    numbers = (row.stamina, row.healing != 1, row.repair_complexity, row.machine_complexity, row.tutor_months, row.fastest)
    return any((row.modifiers, row.tests, row.spares, row.calls, row.forbids, *numbers))


def test_every_perk_and_flaw_is_at_work_and_priced():
    assert (len(PERKS(PLAIN)), len(FLAWS(PLAIN))) == (31, 40)
    assert [name for name, row in PERKS(PLAIN).items() if not at_work(row)] == []
    assert [name for name, row in FLAWS(PLAIN).items() if not at_work(row)] == []
    assert set(PERKS(PLAIN)) == set(PERK_PRICES(PLAIN))
    assert set(FLAWS(PLAIN)) == set(FLAW_PRICES(PLAIN))


def test_variants_named_by_effects_exist():
    for table, prices in ((PERKS, PERK_PRICES), (FLAWS, FLAW_PRICES)):
        for name, row in table(PLAIN).items():
            known = {"", *prices(PLAIN)[name].choices()}
            named = {each.variant for each in (*row.calls, *row.forbids, *row.modifiers, *row.tests)}
            assert named <= known, name


# --- what speaks up ------------------------------------------------------------------------------------------------------------


def test_who_speaks_up_in_a_situation():
    ally = Trait("connections", "ally", 4, about="the sergeant")
    contact = Trait("connections", "contact", 2)
    debt = Trait("debt", "major boon")
    found = speaks_up(PLAIN, "in need of help", (ally, contact), (debt,))
    assert [each.trait for each in found] == ["connections (ally): the sergeant", "connections (contact)", "debt (major boon)"]
    assert said("stress", (), (Trait("flashbacks"), Trait("split personality"))) == [
        ("flashbacks", "trouble"),
        ("split personality", "trouble"),
    ]
    assert said("a fumble", (Trait("lucky"),)) == [("lucky", "help")]
    assert said("object of the phobia", (), (Trait("phobia", "mild"),)) == [("phobia (mild)", "trouble")]
    assert said("sudden noise", (Trait("acute senses", "sight"),)) == []


def test_modifiers_count_in_their_situation():
    singer = somebody([Trait("perfect pitch")], skills={"performance art (song)": 2})
    assert skill_test(PLAIN, singer, "performance art (song)", when=("music and sound",)).modifier == 1
    assert skill_test(PLAIN, singer, "performance art (song)").modifier == 0
    sleepless = somebody((), [Trait("insomniac")])
    assert attribute_test(PLAIN, sleepless, "fitness", ("endurance or long concentration",)).modifier == -1
    sick = somebody((), [Trait("motion sickness", rating=3)])
    assert attribute_test(PLAIN, sick, "agility", ("in motion",)).modifier == -3
    voice = somebody([Trait("influence", points=5)])
    assert attribute_test(PLAIN, voice, "influence", ("in the sphere",)).modifier == 2


def test_what_cannot_be_done():
    blind, lame, one_armed = Trait("poor senses", "blind", 4), Trait("lame", "permanent"), Trait("one-armed", "permanent")
    assert not possible(PLAIN, "seeing", (blind,))
    assert possible(PLAIN, "hearing", (blind,))
    assert possible(PLAIN, "seeing", (Trait("poor senses", "sight"),))
    assert [possible(PLAIN, pace, (lame,)) for pace in ("walking", "jogging", "sprinting")] == [True, False, False]
    assert not possible(PLAIN, "two hands", (one_armed,))


def test_bodies_follow_their_traits():
    thick = Patient.of_person(PLAIN, somebody([Trait("thick-skinned"), Trait("accelerated healing")]))
    assert (thick.deep_threshold, thick.healing) == (30, 0.75)
    thin = Patient.of_person(PLAIN, somebody((), [Trait("thin-skinned"), Trait("slow healing")]))
    assert (thin.deep_threshold, thin.flesh_threshold, thin.death_threshold, thin.healing) == (20, 10, 40, 1.5)


def test_traits_go_into_a_fight():
    weapons = Gear(weapons=("medium pistol", "assault rifle"))
    one_armed = replace(somebody((), [Trait("one-armed", "permanent"), Trait("lame", "permanent")], skills={"small arms": 2}), gear=weapons)
    profile = profile_of(PLAIN, one_armed, "Ed", "a")
    assert [weapon.name for weapon in profile.weapons] == ["fists", "medium pistol"]
    assert [mod.value for mod in profile.trained("small arms").mods] == [-1]
    assert [mod.value for mod in profile.trained("athletics").mods] == [-1]
    assert profile.fastest == "walking"
    whole = profile_of(PLAIN, replace(somebody([Trait("ambidextrous")]), gear=weapons), "Ed", "a")
    assert len(whole.weapons) == 3
    assert whole.both_hands
    keen = (Trait("acute senses", "sight"), Trait("acute senses", "hearing"))
    assert [mod.value for mod in fighting_modifiers(PLAIN, "notice", keen)] == [1]  # the better of two senses, not both
    assert fighting_modifiers(PLAIN, "notice", (), (Trait("poor senses", "sight"),)) == ()  # danger can be heard
    assert [mod.value for mod in fighting_modifiers(PLAIN, "notice", (), (Trait("poor senses", "blind", 4),))] == [-2]


def test_a_lost_sense_does_not_stand_in_for_a_weak_one():
    """The blind have only their ears, so that weak ears count; with both senses gone nothing is left to choose from."""

    def on_notice(*flaws, perks=()):
        return sum(mod.value for mod in fighting_modifiers(PLAIN, "notice", perks, flaws))

    blind, deaf = Trait("poor senses", "blind", 4), Trait("poor senses", "deaf", 4)
    assert on_notice(blind, Trait("poor senses", "hearing")) == -3
    assert on_notice(deaf, Trait("poor senses", "sight")) == -3
    assert on_notice(blind, perks=(Trait("acute senses", "hearing"),)) == -1
    assert on_notice(blind, deaf) == -4


def test_bad_legs_sneak_badly_and_one_hand_is_clumsy_at_every_bench():  # lines 8924, 8946
    lame, one_armed = Trait("lame", "removable"), Trait("one-armed", "permanent")
    assert [mod.value for mod in fighting_modifiers(PLAIN, "stealth", (), (lame,))] == [-1]
    assert fighting_modifiers(PLAIN, "small arms", (), (lame,)) == ()
    ed = somebody((), [one_armed], skills={"technical sciences (mechanics)": 2, "forgery (art)": 2, "business": 2})
    for skill in ("technical sciences (mechanics)", "forgery (art)"):
        assert skill_test(PLAIN, ed, skill, when=("handling",)).modifier == skill_test(PLAIN, ed, skill).modifier - 1
    assert skill_test(PLAIN, ed, "business", when=("handling",)).modifier == skill_test(PLAIN, ed, "business").modifier


def test_a_severe_phobia_speaks_of_the_fear_to_be_mastered():  # line 8958
    def said(kind):
        return [each.what for each in speaks_up(PLAIN, "object of the phobia", (), (Trait("phobia", kind),))]

    assert said("mild") == ["-1 on all"]
    assert said("severe") == said("severe, uncommon") == ["nothing can be done until the fear is mastered", "-1 on all"]


# --- tests against oneself ------------------------------------------------------------------------------------------------------


def test_holding_out_against_flaws():
    ed = somebody((), [Trait("bloodlust")], {"willpower": 1, "psyche": 2})
    assert script(resist(PLAIN, ed, Trait("bloodlust")), [(4, 2)]).outcome.verdict == "draw"
    flashes = script(resist(PLAIN, ed, Trait("flashbacks")), [(2, 2)]).outcome
    assert (flashes.total, flashes.threshold) == (4, 4)  # Psyche is the better one
    memory = somebody([Trait("photographic memory", rating=1)], (), {"willpower": 1})
    assert script(resist(PLAIN, memory, Trait("flashbacks")), [(4, 2)]).outcome.threshold == 5
    assert script(resist(PLAIN, ed, Trait("phobia", "severe"), (Mod("x", -1),)), [(4, 2)]).outcome.margin == 0
    with pytest.raises(UserError, match="needs no test"):
        script(resist(PLAIN, ed, Trait("phobia", "mild")))


@pytest.mark.parametrize(("willpower", "psyche", "came"), [(1, 0, 3), (1, 1, 3), (1, 2, 4), (0, 1, 3), (-1, -1, 1)])
def test_flashbacks_are_resisted_with_the_better_of_willpower_and_psyche(willpower, psyche, came):  # line 8904
    who = somebody((), [Trait("flashbacks")], {"willpower": willpower, "psyche": psyche})
    assert script(resist(PLAIN, who, Trait("flashbacks")), [(2, 2)]).outcome.total == came


def test_hunches():
    ed = somebody([Trait("intuition")], (), {"creativity": 1})
    assert script(hunch(PLAIN, ed), [(3, 2)]).outcome == "insight"
    assert script(hunch(PLAIN, ed), [(2, 2)]).outcome == "nothing"
    assert script(hunch(PLAIN, ed), [(1, 1)]).outcome == "misled"
    with pytest.raises(UserError, match="no Intuition"):
        script(hunch(PLAIN, somebody()))


def test_sleepers():
    light, heavy = somebody([Trait("light sleeper")]), somebody((), [Trait("heavy sleeper")], skills={"notice": 2})
    assert script(wakes(PLAIN, light)).outcome
    assert spared(PLAIN, "surprised asleep", light.perks)
    assert not script(wakes(PLAIN, heavy), [(6, 2)]).outcome  # 6 - 3
    assert script(wakes(PLAIN, heavy), [(6, 6)]).outcome
    assert not script(wakes(PLAIN, heavy, by_notice=False), [(6, 2)]).outcome
    assert script(wakes(PLAIN, somebody(skills={"notice": 2})), [(4, 2)]).outcome


def test_the_destitute_need_streetwise():
    poor = somebody((), [Trait("destitute")], skills={"streetwise": 2})
    assert not script(buys_beyond_basics(PLAIN, poor), [(3, 2)]).outcome
    assert script(buys_beyond_basics(PLAIN, poor), [(4, 2)]).outcome
    assert script(buys_beyond_basics(PLAIN, somebody())).outcome


# --- luck -----------------------------------------------------------------------------------------------------------------------


def test_a_lucky_fumble_is_rolled_again():
    ed = Fortune.of(somebody([Trait("lucky")], [Trait("bad luck")]))
    assert ed == Fortune(1, 1)
    again = script(roll_with_luck(PLAIN, Pool(2), ed), [(1, 1), (5, 2)], ["yes"]).outcome
    assert (again.total.total, again.total.fumble, again.fortune) == (5, False, Fortune(0, 1))
    kept = script(roll_with_luck(PLAIN, Pool(2), ed), [(1, 1)], ["no"]).outcome
    assert (kept.total.fumble, kept.fortune.lucky) == (True, 1)


def test_a_modifier_is_turned_after_the_test():  # line 8736: -3 becomes +3
    wounded = Pool(2, (Mod("x", -3),))
    turned = script(roll_with_luck(PLAIN, wounded, Fortune(1)), [(2, 1)], ["yes"]).outcome
    assert (turned.total.total, turned.fortune.lucky) == (5, 0)
    assert script(roll_with_luck(PLAIN, wounded, Fortune(1)), [(2, 1)], ["no"]).outcome.total.total == 0
    assert script(roll_with_luck(PLAIN, wounded), [(2, 1)]).outcome.total.total == 0
    # Rolling the fumble again uses the luck up: no sign is turned after it.
    both = script(roll_with_luck(PLAIN, wounded, Fortune(1)), [(1, 1), (5, 1)], ["yes"]).outcome
    assert both.total.total == 2


@pytest.mark.parametrize("times", [1, 2, 3])
def test_each_use_of_luck_takes_one_away(times):
    again = script(roll_with_luck(PLAIN, Pool(2), Fortune(times, times)), [(1, 1), (5, 2)], ["yes"]).outcome
    assert again.fortune == Fortune(times - 1, times)
    turned = script(roll_with_luck(PLAIN, Pool(2, (Mod("x", -1),)), Fortune(times, times)), [(2, 1)], ["yes"]).outcome
    assert (turned.total.total, turned.fortune) == (3, Fortune(times - 1, times))
    spoilt = script(roll_with_luck(PLAIN, Pool(2, (Mod("x", 1),)), Fortune(times, times)), [(2, 1)], ["yes"]).outcome
    assert (spoilt.total.total, spoilt.fortune) == (1, Fortune(times, times - 1))
    plain = script(roll_with_luck(PLAIN, Pool(2), Fortune(times, times)), [(2, 1)]).outcome  # a modifier of 0 has no sign
    assert (plain.total.total, plain.fortune) == (2, Fortune(times, times))


def test_an_unskilled_fumble_leaves_no_sign_to_turn():
    """Its modifiers do not count, so that nobody spends the luck of a session on them."""
    for modifier, fortune in ((-2, Fortune(1)), (2, Fortune(0, 1))):
        answers = ["no"] if fortune.lucky else []
        came = script(roll_with_luck(PLAIN, Pool(0, (Mod("x", modifier),)), fortune), [(1, 3)], answers).outcome
        assert (came.total.total, came.total.fumble, came.fortune) == (1, True, fortune)


def test_bad_luck_turns_what_helps():  # line 8844: +3 becomes -3
    gifted = Pool(2, (Mod("x", 3),))
    assert script(roll_with_luck(PLAIN, gifted, Fortune(0, 1)), [(4, 1)], ["yes"]).outcome.total.total == 1
    assert script(roll_with_luck(PLAIN, gifted, Fortune(0, 1), harmless=False), [(4, 1)]).outcome.total.total == 7
    foe = script(opponent_rolls(PLAIN, Pool(1), Fortune(0, 1)), [(1,), (5,)], ["yes"]).outcome
    assert (foe.total.total, foe.fortune.unlucky) == (5, 0)
    assert script(opponent_rolls(PLAIN, Pool(1), Fortune(0, 1)), [(4,)]).outcome.fortune.unlucky == 1
    assert script(opponent_rolls(PLAIN, Pool(1)), [(1,)]).outcome.total.fumble


def test_luck_without_any_is_a_plain_roll():
    for pool in (Pool(2, (Mod("x", -1),)), Pool(0, (Mod("x", 2),)), Pool(3, (), 1)):
        luck = exact(lambda pool=pool: roll_with_luck(PLAIN, pool)).map(lambda came: came.total)
        plain = exact(lambda pool=pool: rolled(PLAIN, pool))
        assert {k: Fraction(w, luck.total) for k, w in luck} == {k: Fraction(w, plain.total) for k, w in plain}


# --- money, debts, years --------------------------------------------------------------------------------------------------------


def test_the_rich_week():  # lines 8816-8818: Monday, Thursday, and two Thursdays on
    monday, thursday = 0, 3
    draws = draw_on_wealth(3, (monday, thursday))
    assert [(purse.credits, purse.rating) for purse in draws] == [(30_000, 2), (20_000, 1)]
    assert [wealth_rating(3, (monday, thursday), day) for day in (9, 10, 16, 17, 50)] == [1, 2, 2, 3, 3]
    assert wealth_rating(3, (monday, thursday), 50, renewable=False) == 1
    assert wealth_rating(3) == 3
    assert draw_on_wealth(1, (0, 1, 2))[-1].credits == 0
    with pytest.raises(UserError, match="order"):
        draw_on_wealth(3, (3, 0))


def test_debts_in_money():  # lines 8695-8700, 8882-8887
    assert debt_in_credits(PLAIN, Trait("favor", "major boon")).value == 75_000
    assert debt_in_credits(PLAIN, Trait("debt", "life boon")).value == 500_000
    with pytest.raises(UserError):
        debt_in_credits(PLAIN, Trait("nemesis", rating=20))


def test_years_needs_and_tight_places():
    assert apparent_age(60) == 30
    assert apparent_age(30) == 30
    assert apparent_age(60, perks=()) == 60
    assert dependence(Trait("addiction", rating=7)) == 7
    assert dependence(Trait("addiction")) == 5
    assert immune("Curare", (Trait("immunity", about="curare"),))
    assert not immune("arsenic", (Trait("immunity", about="curare"),))
    assert space_needed(0.8, (Trait("double jointed"),)).value == 0.4
    assert space_needed(0.8).value == 0.8


# --- learning, machines, nights -------------------------------------------------------------------------------------------------


def test_quick_and_slow_learners():  # lines 8764-8766, 9000
    quick, slow = somebody([Trait("quick learner")]), somebody((), [Trait("slow learner")])
    assert learner(PLAIN, quick.perks) == (-1, 1)
    assert [course_months(PLAIN, each, 9, 2).value for each in (quick, somebody(), slow)] == [6, 7, 8]
    assert course_months(PLAIN, quick, 2, 2).value == 0.25
    costs = [script(finish_course(PLAIN, each, 9, 3, 2), [(4, 3)]).outcome.cost for each in (quick, somebody(), slow)]
    assert costs == [4, 5, 6]


def test_machines_and_those_who_have_a_touch_for_them():
    skill = {"tinker": 2}
    touch, clumsy = somebody([Trait("machine-touch")], skills=skill), somebody((), [Trait("mechanical inaptitude")], skills=skill)
    assert machine_test(PLAIN, touch, "tinker", 3).modifier == 0
    assert machine_test(PLAIN, touch, "tinker", 3, repair=False).modifier == -2
    assert machine_test(PLAIN, clumsy, "tinker", 1, repair=False).modifier == -2
    assert machine_test(PLAIN, somebody(skills=skill), "tinker", 2).modifier == -1


def test_lost_nights_count_double_for_an_insomniac():
    assert sleepless_nights(PLAIN, somebody((), [Trait("insomniac")]), 2).value == -4
    assert sleepless_nights(PLAIN, somebody(), 2).value == -2


# --- other minds ----------------------------------------------------------------------------------------------------------------


def test_another_mind_in_the_same_body():
    ed = somebody([Trait("common sense")], [Trait("split personality")], {"willpower": 2, "agility": 1, "build": 1})
    rex = with_personality(ed, Personality("Rex", {"willpower": -1, "influence": 2}, (), (Trait("bloodlust"),)))
    assert (rex.attribute("willpower"), rex.attribute("influence"), rex.attribute("agility"), rex.attribute("build")) == (-1, 2, 1, 1)
    assert [flaw.name for flaw in rex.flaws] == ["split personality", "bloodlust"]
    assert rex.perks == ()
    with pytest.raises(UserError, match="Split Personality"):
        with_personality(replace(ed, flaws=()), Personality("Rex"))
    with pytest.raises(UserError, match="not a mental attribute"):
        with_personality(ed, Personality("Rex", {"agility": 2}))


def test_what_counts_by_half_its_points_says_so():
    influence = Trait("influence", points=4, about="trade")
    assert [each.what for each in speaks_up(PLAIN, "in the sphere", (influence,)) if each.what.startswith("+")] == ["+2 on influence"]
