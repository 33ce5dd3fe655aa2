"""Firearms: built as printed, fired in every way, with recoil and ammunition."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.gear.armoury import ranges_of, weapon_named
from rulewright.systems.ore.gear.firearms import (
    AMMUNITION,
    CALIBRES,
    FIREARMS,
    MODES,
    SPRAYS,
    Recoil,
    Suppressed,
    ballistic_pen,
    bullets,
    burst_fire,
    calibre_power,
    check_fire,
    example_firearm,
    faces_the_fire,
    firearm,
    firearm_kill,
    firearm_ranges,
    firearm_shock,
    firearm_skills,
    modes_of,
    recoil,
    semi_automatic,
    short_range,
    spray_dice,
    spray_rating,
    suppressing,
    suppressive_fire,
    under_fire,
)
from rulewright.systems.ore.gear.missiles import Ranges
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


PEN = rules(ballistic_penetration=True, penetration=True)
WASTE = rules(waste_ammunition=True)
POWERLESS = rules(powerless=True)


# --- built as printed ---------------------------------------------------------------------------------------------------------

MISPRINTS = {("barrett light", "shock"): (2, 3), ("m-16", "shock"): (0, 1)}
"""Cells that do not follow from type and Power: as printed, and as they should be."""


@pytest.mark.parametrize("name", list(FIREARMS(RULES)))
def test_every_printed_firearm_follows_from_the_building_rules(name):  # lines 5189-5197
    row, built = FIREARMS(RULES)[name], example_firearm(PEN, name)
    made = {"kill": built.kill, "shock": built.shock, "short": ranges_of(PEN, built).short, "pen": built.pen, "spray": built.spray}
    for cell, value in made.items():
        printed, right = MISPRINTS.get((name, cell), (value, value))
        assert (getattr(row, cell), value) == (printed, right)


def test_the_printed_list_is_whole():
    assert {name: (row.gun, row.fire, row.power, row.spray, row.short) for name, row in FIREARMS(RULES).items()} == {
        ".44 magnum": ("pistol", "semi-automatic", 3, 0, 35),
        ".38 special": ("pistol", "single action", 1, 0, 25),
        "uzi 9mm": ("submachine gun", "automatic", 1, 3, 25),
        "barrett light": ("rifle", "single action", 5, 0, 1000),
        "m-16": ("assault rifle", "automatic", 3, 4, 95),
    }


@pytest.mark.parametrize(("power", "kill", "shock"), [(1, 0, 0), (2, 1, 0), (3, 2, 1), (4, 3, 2), (5, 4, 3)])
def test_bullets_hurt_by_their_power(power, kill, shock):  # lines 5146-5148
    assert (firearm_kill(RULES, power).value, firearm_shock(RULES, power).value) == (kill, shock)


def test_calibres():  # lines 5162-5167
    assert len(CALIBRES(RULES)) == 15
    assert [calibre_power(RULES, each) for each in (".22", "9mm", "10mm", "5.56", "7.62", ".50", ".50 bmg")] == [1, 1, 2, 3, 4, 4, 5]
    with pytest.raises(UserError):
        calibre_power(RULES, "8mm")


def test_a_power_3_pistol_carries_35_70_and_140_metres():  # line 5187
    assert firearm_ranges(RULES, "pistol", 3) == Ranges(35, 70, 140)
    assert short_range(RULES, "rifle", 5).value == 1000
    assert [short_range(RULES, gun, 2).value for gun in ("submachine gun", "assault rifle", "rifle", "shotgun")] == [30, 80, 550, 10]


def test_rifle_ammunition_of_power_3():  # line 5185: PEN 2 and W+1 Shock; Kill is W+2 by the rule, printed W+3
    assert ballistic_pen(PEN, 3) == 2
    assert firearm_shock(PEN, 3).value == 1
    assert firearm_kill(PEN, 3).value == 2
    assert [ballistic_pen(PEN, power) for power in (1, 2, 4, 5)] == [1, 1, 2, 3]
    assert ballistic_pen(RULES, 3) == 0


def test_skills_from_small_arms_to_heavy_weapons():  # lines 4966-4970
    assert firearm_skills(RULES, "pistol") == ("small arms", "pistols")
    assert firearm_skills(RULES, "rifle") == ("long arms", "rifles", "sniper")
    assert firearm_skills(RULES, "shotgun") == ("long arms", "shotguns")
    assert firearm(RULES, heavy=True).skills == ("heavy arms", "heavy weapons")
    assert weapon_named(RULES, "m-16").broad == "ballistics"


def test_only_automatic_weapons_spray():
    with pytest.raises(UserError, match="no Spray Rating"):
        firearm(RULES, fire="semi-automatic", spray=2)
    with pytest.raises(UserError, match="Spray Rating goes from"):
        firearm(RULES, fire="automatic", spray=11)


def test_without_power_firearms_do_not_kick_and_have_fixed_damage():
    for name in FIREARMS(RULES):
        fixed, built = example_firearm(POWERLESS, name), example_firearm(RULES, name)
        assert (fixed.kill, fixed.shock) == (built.kill, built.shock)
    assert recoil(POWERLESS, 5, 1, "burst") == Recoil(0)
    assert recoil(RULES, 5, 1, "burst") == Recoil(7, -6, 1)


# --- fire modes ---------------------------------------------------------------------------------------------------------------


def test_what_each_weapon_can_do():  # lines 4972-4990
    assert modes_of(RULES, "single action") == ("single",)
    assert modes_of(RULES, "semi-automatic") == ("single", "semi-automatic")
    assert modes_of(RULES, "automatic") == ("single", "semi-automatic", "burst", "suppressive")
    assert [row.aimed for row in MODES(RULES).values()] == [True, False, False, False]


def test_what_cannot_be_done():
    assert check_fire(RULES, "semi-automatic", "semi-automatic", 3) == 3
    assert check_fire(RULES, "single action", "single", 1, aimed=True, called=True) == 1
    assert check_fire(RULES, "semi-automatic", "semi-automatic", 1, aimed=True) == 1  # fired as single action
    for fire, mode, shots, aimed, match in (
        ("single action", "semi-automatic", 1, False, "cannot use"),
        ("semi-automatic", "burst", 1, False, "cannot use"),
        ("semi-automatic", "semi-automatic", 4, False, "allows 1 to 3 shots"),
        ("semi-automatic", "semi-automatic", 2, True, "neither aiming"),
        ("automatic", "burst", 1, True, "neither aiming"),
        ("automatic", "suppressive", 1, True, "neither aiming"),
        ("single action", "single", 2, False, "allows 1 shot"),
    ):
        with pytest.raises(UserError, match=match):
            check_fire(RULES, fire, mode, shots, aimed)


def test_every_set_is_a_hit_while_there_are_shots():
    faces = (3, 3, 6, 6, 9, 9, 1)
    assert script(semi_automatic(RULES, Pool(7), 3), [faces]).outcome == ((2, 9), (2, 6), (2, 3))
    assert script(semi_automatic(RULES, Pool(7), 2), [faces]).outcome == ((2, 9), (2, 6))
    assert script(semi_automatic(RULES, Pool(7), 3), [(1, 2, 3, 4, 5, 6, 7)]).outcome == ()


def test_a_wide_set_serves_several_shots():
    assert script(semi_automatic(RULES, Pool(5), 3), [(4, 4, 4, 4, 4)]).outcome == ((3, 4), (2, 4))
    assert script(semi_automatic(RULES, Pool(5), 3, break_up=False), [(4, 4, 4, 4, 4)]).outcome == ((5, 4),)
    assert script(semi_automatic(RULES, Pool(5), 1), [(4, 4, 4, 4, 4)]).outcome == ((5, 4),)


def test_more_shots_hit_more_often():
    hits = [exact(sub(semi_automatic, RULES, Pool(7), shots)).mean(len) for shots in (1, 2, 3)]
    assert hits[0] < hits[1] < hits[2]


def test_spray_ratings():  # lines 5010-5021
    assert {row.rpm: row.spray for row in SPRAYS(RULES).values()} == {
        300: 1,
        400: 2,
        500: 2,
        600: 3,
        700: 3,
        800: 4,
        900: 4,
        1000: 5,
        1200: 5,
        1500: 6,
    }
    assert [spray_rating(RULES, rpm) for rpm in (299, 300, 650, 1499, 5000)] == [0, 1, 3, 5, 6]


def test_a_burst_adds_its_spray_and_loses_a_die_a_metre():  # lines 4998-5000
    assert spray_dice(RULES, 4).dice == 4
    assert spray_dice(RULES, 4, 3).dice == 1
    assert spray_dice(RULES, 2, 5).dice == 0
    faces = (3, 3, 6, 6, 6, 9, 1, 2)
    assert script(burst_fire(RULES, Pool(5), 3), [faces]).outcome == ((3, 6),)
    assert script(burst_fire(RULES, Pool(5), 4, 2, 1), [faces]).outcome == ((3, 6), (2, 3))
    assert script(burst_fire(RULES, Pool(9), 4), [(1, 1, 2, 3, 4, 5, 6, 7, 8, 9)]).outcome == ((2, 1),)  # ten dice at most


# --- suppressive fire ---------------------------------------------------------------------------------------------------------


def test_the_victim_of_an_m16():  # lines 5023-5031
    fire = script(suppressing(RULES, 4), [(1, 2, 3, 5, 5, 8)]).outcome
    assert fire == ((2, 5), (1, 8), (1, 3), (1, 2), (1, 1))
    assert script(under_fire(RULES, fire), [(1, 5)]).outcome == ((3, 5), (2, 1))
    assert script(under_fire(RULES, fire), [(4, 6)]).outcome == ()


def test_one_die_where_the_fire_has_no_set():
    assert script(under_fire(RULES, ((1, 4), (1, 2))), [(4,)]).outcome == ((2, 4),)


def test_who_will_not_dive_must_dare_it():
    assert script(faces_the_fire(RULES, Pool(3), 4), [(3, 3, 9)]).outcome == Outcome()
    assert script(faces_the_fire(RULES, Pool(3), 4), [(4, 4, 9)]).outcome == Outcome(2, 4)


def test_a_whole_sweep():
    area = (1, 2, 3, 5, 5, 8)
    dived = script(suppressive_fire(RULES, 4, Pool(2)), [area, (7, 7)]).outcome
    assert dived == Suppressed(True)
    caught = script(suppressive_fire(RULES, 4, Pool(2)), [area, (7, 8), (5, 5)]).outcome
    assert caught == Suppressed(False, ((4, 5),))
    dared = script(suppressive_fire(RULES, 4, Pool(2), Pool(2)), [area, (9, 9), (1, 6)]).outcome
    assert dared == Suppressed(False, ((2, 1),))
    faltered = script(suppressive_fire(RULES, 4, Pool(2), Pool(2)), [area, (8, 9), (7, 7)]).outcome
    assert faltered == Suppressed(True)


def test_the_odds_of_being_hit_by_two_dice():
    """Spray 0: two dice against one, or two where they match: 1 - (0.9 * 0.8 + 0.1 * 0.9 ** 2)."""
    odds = exact(sub(suppressive_fire, RULES, 0, None))
    unharmed = Fraction(9, 10) * Fraction(8, 10) + Fraction(1, 10) * Fraction(81, 100)
    assert Fraction(odds.weights[Suppressed(False)], odds.total) == unharmed


# --- ammunition ---------------------------------------------------------------------------------------------------------------


def test_what_a_way_of_firing_uses():  # line 5035
    assert bullets(RULES, "single") == 1
    assert bullets(RULES, "semi-automatic", 3) == 3
    assert bullets(RULES, "suppressive", loaded=31) == 16
    assert bullets(RULES, "burst", spray=3, loaded=30) == 9
    assert bullets(RULES, "burst", spray=3, loaded=5) == 5
    assert bullets(rules(burst_bullets=5), "burst", spray=3) == 15


def test_a_burst_from_a_mac10():  # line 5050: the lowest waste die 3, and a Spray Rating of 3
    from rulewright.systems.ore.resolution.sets import lying

    waste = lying(WASTE, (3, 4, 4, 5, 6, 6, 8, 10)).waste
    assert bullets(WASTE, "burst", spray=3, waste=waste) == 6
    assert bullets(RULES, "burst", spray=3, waste=waste) == 9


def test_waste_dice_count_for_every_mode_but_single():  # lines 5043-5048
    assert bullets(WASTE, "single", waste=(7,)) == 1
    assert bullets(WASTE, "semi-automatic", 1, waste=(7,)) == 1
    assert bullets(WASTE, "semi-automatic", 3, waste=(2, 7)) == 4
    assert bullets(WASTE, "suppressive", spray=4, waste=(5,)) == 13
    assert bullets(WASTE, "suppressive", spray=4, waste=()) == 1
    assert bullets(WASTE, "suppressive", spray=4, waste=(9,), loaded=10) == 10
    assert set(AMMUNITION(RULES)) == {"semi-automatic", "burst", "suppressive"}


# --- recoil -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "body", "mode", "shots", "kick"),
    [
        (3, 3, "single", 1, Recoil(3)),
        (3, 2, "single", 1, Recoil(3, -1)),
        (3, 3, "semi-automatic", 3, Recoil(4, -1)),
        (3, 3, "semi-automatic", 1, Recoil(3)),
        (3, 3, "burst", 1, Recoil(5, -2)),
        (3, 2, "burst", 1, Recoil(5, -3, 1)),
        (5, 2, "single", 1, Recoil(5, -3, 1)),
        (5, 1, "semi-automatic", 3, Recoil(6, -5, 3)),
        (1, 1, "suppressive", 1, Recoil(3, -2)),
    ],
)
def test_recoil(power, body, mode, shots, kick):  # lines 5150-5160
    assert recoil(RULES, power, body, mode, shots) == kick
    assert recoil(RULES, power, body, mode, shots).mod.dice == kick.dice


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 6), st.integers(1, 6), st.sampled_from(["single", "burst", "suppressive"]))
def test_recoil_never_helps_and_hurts_only_from_three_above_body(power, body, mode):
    kick = recoil(RULES, power, body, mode)
    assert kick.dice == -max(0, kick.recoil - body)
    assert (kick.shock > 0) == (kick.recoil - body > 2)
