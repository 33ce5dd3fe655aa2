"""Close combat weapons: built from style, Power and traits as the book prints them; Reach, penetration, and one blow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.reach import close_in, closes_in, near_enough, parry_reach_dice, reach_dice
from rulewright.systems.ore.gear.armour import through
from rulewright.systems.ore.gear.armoury import weapon_named
from rulewright.systems.ore.gear.weapons import (
    BARE_HANDS,
    CATEGORIES,
    FIXED,
    MELEE,
    MELEE_PEN,
    STYLES,
    TRAIT_LIST,
    TRAITS,
    Blow,
    Held,
    blow,
    can_thrust,
    category_skill,
    half_swording,
    hands_needed,
    melee_kill,
    melee_pen,
    melee_shock,
    melee_weapon,
    reach,
    sample_melee_weapon,
    thrust,
    trait_power,
    without_power,
    wound_shock,
)
from rulewright.systems.ore.people.skills import SPECIALIST
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


PEN = rules(melee_penetration=True, penetration=True)
REACH = rules(weapon_reach=True)
POWERLESS = rules(powerless=True)


# --- built as printed ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(MELEE(RULES)))
def test_every_printed_weapon_follows_from_the_building_rules(name):  # lines 4794-4804
    row, built = MELEE(RULES)[name], sample_melee_weapon(RULES, name)
    assert (built.kill, built.shock) == (row.kill, row.shock)
    assert weapon_named(RULES, name.upper()) == built


def test_the_printed_list_is_whole():
    assert {name: (row.power, row.kill, row.shock, row.traits) for name, row in MELEE(RULES).items()} == {
        "battle axe": (3, 1, 1, ()),
        "broadsword": (3, 2, 0, ()),
        "dagger": (1, 0, 0, ()),
        "epee": (2, 1, 0, ("thrusting",)),
        "scimitar": (2, 1, 0, ("slashing",)),
        "shortsword": (2, 1, 0, ()),
        "staff": (2, 0, 2, ("hafted",)),
        "zweihander": (5, 4, 2, ()),
        "hand & half": (3, 2, 0, ("half-sword",)),
    }


@pytest.mark.parametrize(
    ("style", "power", "kill", "shock"),
    [("bludgeon", 4, 1, 3), ("broad blade", 4, 2, 2), ("narrow blade", 4, 3, 1), ("bludgeon", 1, 0, 0), ("narrow blade", 0, 0, 0)],
)
def test_power_less_a_number_of_the_style_and_never_below_nothing(style, power, kill, shock):  # lines 4766-4772
    assert melee_kill(RULES, style, power).value == kill
    assert melee_shock(RULES, style, power).value == shock


def test_a_bonus_keeps_its_reasons():
    found = melee_shock(RULES, "bludgeon", 2, ("hafted",))
    assert [(reason.label, reason.value) for reason in found.reasons] == [("Power", 2), ("hafted", 1), ("bludgeon", -1), ("no less", 0)]
    assert melee_shock(RULES, "narrow blade", 1).value == 0


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(STYLES(RULES))), st.integers(0, 20))
def test_a_haft_is_a_point_of_power_for_damage_and_reach(style, power):
    assert melee_kill(RULES, style, power, ("hafted",)).value == melee_kill(RULES, style, min(power + 1, 20)).value or power == 20
    assert reach(RULES, power, style, ("hafted",)).value == reach(RULES, power, style).value + 1
    assert melee_weapon(RULES, "x", "hafted", style, power, ("hafted",)).two_handed


def test_power_has_bounds():
    with pytest.raises(UserError, match="Power from 0 to 20"):
        melee_kill(RULES, "bludgeon", 21)
    with pytest.raises(UserError, match="Power from 0 to 20"):
        hands_needed(RULES, -1, 3)


def test_every_category_has_a_specialist_skill():  # lines 4739-4755
    assert list(CATEGORIES(RULES)) == ["axe", "bludgeon", "close-in fighting", "fencing", "hafted", "sword", "unarmed"]
    assert all(row.skill in SPECIALIST(RULES) for row in CATEGORIES(RULES).values())
    assert category_skill(RULES, "sword") == "swords"
    assert sample_melee_weapon(RULES, "epee").skills == ("fencing",)
    with pytest.raises(UserError):
        category_skill(RULES, "spoon")


# --- wielding -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("power", "hands"), [(1, 1), (3, 1), (4, 2), (5, 2), (6, 0)])
def test_one_hand_up_to_body_two_up_to_two_above(power, hands):  # line 4759
    assert hands_needed(RULES, power, 3) == hands


def test_the_limit_can_be_one_above_body():
    strict = rules(two_handed_limit=1)
    assert [hands_needed(strict, power, 3) for power in (3, 4, 5)] == [1, 2, 0]


def test_a_haft_takes_both_hands_however_strong():  # line 4778
    assert hands_needed(RULES, 1, 5, hafted=True) == 2
    assert hands_needed(RULES, 8, 5, hafted=True) == 0


def test_without_power_nobody_is_too_weak():  # lines 5205-5219
    assert hands_needed(POWERLESS, 9, 1) == 1
    assert hands_needed(RULES, 9, 1) == 0
    assert hands_needed(POWERLESS, 1, 1, hafted=True) == 2


def test_without_power_damage_is_fixed_and_the_house_can_change_it():
    from rulewright.rules import House

    for name in MELEE(RULES):
        fixed, built = sample_melee_weapon(POWERLESS, name), sample_melee_weapon(RULES, name)
        assert (fixed.kill, fixed.shock) == (built.kill, built.shock)
    ours = BOOK.ruleset(settings={"powerless": True}, house=House(tables={FIXED.rule: {"dagger": {"kill": 3}}}))
    assert sample_melee_weapon(ours, "dagger").kill == 3
    assert without_power(RULES, "dagger") is None
    same = BOOK.ruleset(house=House(tables={FIXED.rule: {"dagger": {"kill": 3}}}))
    assert sample_melee_weapon(same, "dagger").kill == 0  # Power counts


@pytest.mark.parametrize("option", ["weapon-reach", "missile-penetration", "ballistic-penetration"])
def test_what_is_made_of_power_cannot_do_without_it(option):
    with pytest.raises(UserError, match=r"cannot work together: .*Power"):
        BOOK.ruleset(settings={"powerless": True, option: True})


# --- traits -------------------------------------------------------------------------------------------------------------------


def test_traits_that_are_for_narrow_blades_only():  # lines 4780-4788
    for trait in ("slashing", "thrusting", "half-sword"):
        assert trait_power(RULES, "narrow blade", (trait,)) == 0
        with pytest.raises(UserError, match="cannot be"):
            trait_power(RULES, "broad blade", (trait,))
    assert trait_power(RULES, "broad blade", ("hafted",)) == 1
    assert tuple(TRAIT_LIST(RULES)) == TRAITS


def test_a_slashing_weapon_adds_to_what_a_wound_is_looked_for_with():
    assert wound_shock(RULES, ("slashing",)) == 1
    assert wound_shock(RULES, ("thrusting", "hafted")) == 0
    expected = Blow(3, 4, 3, damage_class="C", wound_shock=1, parts=(("scimitar", 1, 0),))
    assert blow(RULES, sample_melee_weapon(RULES, "scimitar"), 3) == expected


def test_half_swording_gives_a_die_in_one_hand_or_kill_in_two():  # lines 4788-4792
    assert half_swording(RULES, grip="one hand") == Held(dice=1)
    assert half_swording(RULES, grip="two hands") == Held(kill=1)
    assert half_swording(RULES, free_hand=False) == Held()
    assert half_swording(RULES, power=4, body=3) == Held()  # not to be wielded in one hand
    assert half_swording(RULES, traits=("slashing",)) == Held()


# --- penetration --------------------------------------------------------------------------------------------------------------


def test_styles_have_pen_ratings_only_with_the_option():  # lines 4806-4815
    assert {style: melee_pen(PEN, style) for style in STYLES(RULES)} == {"bludgeon": 0, "broad blade": 2, "narrow blade": 1}
    assert [melee_pen(RULES, style) for style in STYLES(RULES)] == [0, 0, 0]
    assert sample_melee_weapon(PEN, "battle axe").pen == MELEE_PEN(PEN)["broad blade"].pen == 2
    assert sample_melee_weapon(RULES, "battle axe").pen == 0


def test_a_broadsword_run_through_somebody():  # lines 4819-4821; the book prints 4x2 and counts with a Width of 2
    sword = sample_melee_weapon(PEN, "broadsword")
    plain = blow(PEN, sword, 2)
    assert (plain.kill, plain.shock, plain.pen) == (4, 2, 1)
    run_through = blow(PEN, sword, 2, "thrust")
    assert (run_through.kill, run_through.shock, run_through.pen) == (4, 0, 3)
    wide = blow(PEN, sword, 4, "thrust")  # what a 4x2 comes to by the rule
    assert (wide.kill, wide.shock, wide.pen) == (6, 0, 5)


def test_a_thrusting_weapon_thrusts_deeper():  # line 4786
    assert blow(PEN, sample_melee_weapon(PEN, "epee"), 2, "thrust").pen == 1 + 2 + 1


def test_only_narrow_blades_thrust_and_only_with_the_option():
    assert can_thrust(PEN, "narrow blade")
    assert not can_thrust(PEN, "broad blade")
    assert not can_thrust(RULES, "narrow blade")
    with pytest.raises(UserError, match="only a narrow blade"):
        blow(PEN, sample_melee_weapon(PEN, "battle axe"), 2, "thrust")
    with pytest.raises(UserError, match="melee-penetration"):
        thrust(RULES, Blow(2, 4, 2), "narrow blade")


def test_the_option_shows_in_what_armour_lets_through():
    from rulewright.systems.ore.gear.armour import piece_of

    for with_option, kill in ((RULES, 1), (PEN, 3)):
        struck = blow(with_option, sample_melee_weapon(with_option, "battle axe"), 3)
        assert through(with_option, struck.hit, piece_of(with_option, "torso", "heavy")).kill == kill


# --- Reach --------------------------------------------------------------------------------------------------------------------


def test_the_shorter_weapon_attacks_with_a_die_less():  # line 4829: a pike with 3 against a short sword with 2
    assert reach_dice(REACH, 2, 3).dice == -1
    assert reach_dice(REACH, 3, 2).dice == 0
    assert reach_dice(REACH, 2, 2).dice == 0
    assert reach_dice(RULES, 2, 3).dice == 0


def test_close_in_it_is_the_longer_weapon():  # line 4837
    assert reach_dice(REACH, 3, 2, close_in=True).dice == -1
    assert reach_dice(REACH, 2, 3, close_in=True).dice == 0
    assert reach_dice(RULES, 3, 2, close_in=True).dice == 0


def test_a_parry_has_a_die_more_against_lower_reach():  # line 5382
    assert parry_reach_dice(REACH, 3, 2).dice == 1
    assert parry_reach_dice(REACH, 2, 2).dice == 0
    assert parry_reach_dice(RULES, 3, 2).dice == 0


def test_who_is_near_enough_to_grapple():
    assert near_enough(RULES, close_in=False)
    assert not near_enough(REACH, close_in=False)
    assert near_enough(REACH, close_in=True)


def test_a_short_sword_closes_in_on_a_pike():  # lines 4839-4841: 3x3 cut to 2x3 by the pike's 4x3 is still enough
    assert closes_in(REACH, 3, 3, 3)
    assert closes_in(REACH, 2, 3, 3)
    assert not closes_in(REACH, 1, 3, 3)
    assert not closes_in(REACH, 3, 2, 3)
    assert script(close_in(REACH, Pool(5), 3), [(3, 3, 3, 1, 9)]).outcome == Outcome(3, 3)
    assert script(close_in(REACH, Pool(5), 3), [(2, 2, 2, 1, 9)]).outcome == Outcome()


def test_closing_in_can_be_fended_off():
    assert script(close_in(REACH, Pool(3), 3, Pool(2)), [(3, 3, 3), (4, 4)]).outcome == Outcome()
    assert script(close_in(REACH, Pool(3), 3, Pool(2)), [(3, 3, 3), (2, 2)]).outcome == Outcome(3, 3)
    alone = exact(sub(close_in, REACH, Pool(6), 3))
    fended = exact(sub(close_in, REACH, Pool(6), 3, Pool(6)))
    assert alone.chance(lambda outcome: outcome.success) > fended.chance(lambda outcome: outcome.success)


def test_reach_is_power_and_a_haft():
    assert [weapon_named(RULES, name).reach for name in ("staff", "shortsword", "pike: narrow blade 2 hafted thrusting")] == [3, 2, 3]
    assert BARE_HANDS.reach == 0


# --- one blow -----------------------------------------------------------------------------------------------------------------


def test_a_club_of_one_shock():  # line 4314: 3x4 with W+0 Kill and W+1 Shock
    club = melee_weapon(RULES, "club", "bludgeon", "bludgeon", 2)
    assert (club.kill, club.shock) == (0, 1)
    struck = blow(RULES, club, 3)
    assert (struck.kill, struck.shock) == (3, 4)


def test_bare_hands_do_their_width():
    assert blow(RULES, BARE_HANDS, 2) == Blow(2, 2, 2, damage_class="I")


def test_the_wielder_picks_the_class_of_damage():
    sword = sample_melee_weapon(RULES, "broadsword")
    assert blow(RULES, sword, 2).damage_class == "C"
    assert blow(RULES, sword, 2, damage_class="P").damage_class == "P"
    with pytest.raises(UserError, match="no damage class B"):
        blow(RULES, sword, 2, damage_class="B")
