"""Weapons and their modifications (book lines 3618-3825)."""

import pytest

from foresight.rules_for_tests import RULES
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.foresight.gear.weapons import (
    AMMUNITION,
    MELEE_MODS,
    MELEE_WEAPONS,
    RANGED_MODS,
    RANGED_WEAPONS,
    blade,
    gun,
    loaded_with,
    minimum_strength,
    recoil,
    too_heavy,
)
from rulewright.systems.foresight.people.characters import Arm
from rulewright.systems.foresight.resolution.damage_classes import parse_dc
from rulewright.systems.foresight.settings import BOOK


def test_thirty_eight_ranged_weapons():  # 3666-3708
    rows = RANGED_WEAPONS(RULES)
    assert len(rows) == 38
    pistol = rows["SL Pistol (TL4.5)"]
    assert (pistol.recoil, pistol.ammo, pistol.dc, pistol.range, pistol.draw, pistol.reload, pistol.jam, pistol.cost) == (
        1,
        7,
        "6i",
        3,
        2,
        3,
        "C",
        1000,
    )
    dagger = rows["Thrown Dagger"]
    assert (dagger.recoil, dagger.pm, dagger.thrown, dagger.prepare, dagger.dc, dagger.reload, dagger.skill) == (
        2,
        -1,
        True,
        True,
        "+1m",
        None,
        "Throw",
    )
    assert (rows["Laser Cannon"].wh, rows["Laser Cannon"].dc) == (30, "2x16b")
    assert rows["Revolver (TL4.25)"].reload_each
    assert sum(row.cost for row in rows.values()) == 59805
    for row in rows.values():
        assert str(parse_dc(row.dc)) == row.dc


def test_twenty_one_melee_weapons():  # 3734-3769
    rows = MELEE_WEAPONS(RULES)
    assert len(rows) == 21
    assert (rows["Dagger"].close, rows["Dagger"].normal, rows["Dagger"].reach, rows["Dagger"].parry) == ((1, "+2m"), (-1, "+2m"), None, -1)
    assert (rows["Halberd"].reach, rows["Halberd"].hands) == ((0, "+4m2p"), "2")
    assert [rows[f"{size} Shield"].covers for size in ("Small", "Medium", "Large")] == [
        {"limb": 7, "torso": 3, "rest": 0},
        {"limb": 8, "torso": 5, "rest": 0},
        {"limb": 8, "torso": 7, "rest": 4},
    ]
    assert {row.group for row in rows.values()} == {"knives", "swords", "two-handed swords", "polearms", "hafted", "unarmed", "shields"}


def test_a_plain_gun_is_as_listed():
    found = gun(RULES, Arm("Revolver (TL4.5)"))
    assert (str(found.dc), found.range, found.jam, found.prepare, found.bonus_aim) == ("6i", 3, "B", True, 0)
    assert gun(RULES, Arm("Laser Rifle (TL7)")).bonus_aim == 1  # 3794: lasers have a sight


def test_the_snipers_rifle():  # 3320: 50 x 1.25 x 1.1 = 68.75 m
    found = gun(RULES, Arm("Cartridge Laser Rifle", ("Heavy", "Target")))
    assert found.range == pytest.approx(68.75)
    assert (str(found.dc), found.recoil, found.aim_rolls, found.bonus_aim, found.jam) == ("9b", 0, 2, 1, "E")


def test_amys_sidearm():  # 3798: advanced twice, better in damage and weight; 0.81 of the weight, and the sight apart
    found = gun(RULES, Arm("SL Pistol (TL5)", ("Advanced", "Advanced"), improved=("dc", "kg", "dc", "kg")))
    assert (str(found.dc), found.kg, found.tl, found.range) == ("8i", pytest.approx(1.5 * 0.81), 6, 3)
    assert found.cost == pytest.approx(750 * 1.44)
    sighted = gun(RULES, Arm("SL Pistol (TL5)", ("Laser Sight",)))
    assert (sighted.kg, sighted.cost, sighted.tl, sighted.bonus_aim) == (1.75, 1750, 5.5, 1)


def test_bursts():  # 3782-3783, 3794
    found = gun(RULES, Arm("SL Rifle", ("Auto Long Burst",)))
    assert (str(found.dc), found.burst, found.burst_dc, found.recoil, found.jam, found.tl) == ("9i2p", 6, 3, 4, "D", 5)
    assert gun(RULES, Arm("SL Pistol (TL4.5)", ("Auto Short Burst",))).range == pytest.approx(2.4)


@pytest.mark.parametrize(
    "arm",
    [
        Arm("SL Rifle", ("Advanced",), improved=("dc",)),
        Arm("SL Rifle", ("Advanced",), improved=("dc", "dc")),
        Arm("SL Rifle", ("Advanced",), improved=("dc", "pm")),
        Arm("SL Rifle", (), improved=("dc",)),
        Arm("SL Rifle", ("Custom",), improved=("dc",)),
        Arm("SL Rifle", ("Custom",), improved=("dc",), worsened=("dc",)),
    ],
)
def test_columns_must_fit_the_modification(arm):  # 3794
    with pytest.raises(UserError, match=r"Advanced|Custom"):
        gun(RULES, arm)


def test_custom_trades_one_column_for_another():  # 3794
    found = gun(RULES, Arm("SL Rifle", ("Custom",), improved=("range",), worsened=("draw",)))
    assert (found.range, found.draw, found.cost) == (pytest.approx(28.75), 4, 5000)
    lighter = gun(RULES, Arm("SL Rifle", ("Custom",), improved=("kg",), worsened=("jam",)))
    assert (lighter.kg, lighter.jam) == (pytest.approx(3.4), "C")


def test_modifications_of_ranged_weapons():  # 3779-3792
    assert len(RANGED_MODS(RULES)) == 12
    old = gun(RULES, Arm("SL Pistol (TL4.5)", ("Old/Rusty",)))
    assert (old.pm, str(old.dc), old.draw, old.jam, old.cost) == (-1, "5i", 3, "E", 700)
    cut = gun(RULES, Arm("SL Rifle", ("Cut Down (Handgun)",)))
    assert (cut.skill, cut.ammo, cut.recoil) == ("Handguns", 8, 3)


def test_armor_piercing_rounds():  # 3634: 6i becomes 5i2p
    assert str(loaded_with(RULES, "6i")) == "5i2p"
    assert len(AMMUNITION(RULES)) == 1


def test_recoil_adds_up():  # 3646: a •• weapon, second and third shot
    assert [recoil(RULES, 2, shots).value for shots in (0, 1, 2)] == [0, -2, -4]


def test_amys_briefcase_is_too_heavy():  # 3732: 4 kg, ST 7
    assert minimum_strength(RULES, 4).value == 20
    assert minimum_strength(RULES, 4, 2).value == 12
    assert too_heavy(RULES, 4, 7).value == -5
    assert too_heavy(RULES, 4, 7, 2).value == -2
    assert too_heavy(RULES, 1, 7).value == 0


def test_a_weapon_for_either_way_gains_in_two_hands():  # 3720
    one, both = blade(RULES, Arm("Staff")), blade(RULES, Arm("Staff"), 2)
    assert (one.normal[0], str(one.normal[1])) == (0, "+2m")
    assert [(at[0], str(at[1])) for at in (both.close, both.normal, both.reach)] == [(0, "+1m"), (1, "+3m"), (0, "+2m")]
    with pytest.raises(UserError, match="hands"):
        blade(RULES, Arm("Dagger"), 2)
    assert blade(RULES, Arm("Halberd")).hands == 2


def test_modifications_of_melee_weapons():  # 3802-3825
    assert len(MELEE_MODS(RULES)) == 12
    case = blade(RULES, Arm("Club", ("Improvised", "Heavy")))  # 3732: the briefcase, unwieldy at -1
    assert (case.normal[0], str(case.normal[1]), case.parry) == (-1, "+2m", -2)
    fine = blade(RULES, Arm("Rapier", ("Fine (normal)", "Light")))
    assert (fine.normal[0], str(fine.normal[1]), fine.kg, fine.cost) == (2, "+2m2p", 0.8, 450)
    assert blade(RULES, Arm("Spear", ("Primitive (flint)",))).tl == 0


@pytest.mark.parametrize(
    ("weapon", "modifications"),
    [
        ("SL Pistol (TL5)", ("Laser Sight", "Heavy")),
        ("Cartridge Laser Rifle", ("Target", "Heavy")),
        ("Revolver (TL4.5)", ("Light", "Heavy", "Old/Rusty")),
        ("SL Pistol (TL4.5)", ("Auto Short Burst", "Target", "Cheap/Shoddy")),
    ],
)
def test_it_does_not_matter_in_which_order_modifications_are_named(weapon, modifications):
    found, turned = (gun(RULES, Arm(weapon, order)) for order in (modifications, modifications[::-1]))
    assert (found.kg, found.cost, found.range) == pytest.approx((turned.kg, turned.cost, turned.range))
    for column in ("recoil", "ammo", "dc", "draw", "reload", "jam", "tl", "pm", "burst", "burst_dc", "aim_rolls", "bonus_aim"):
        assert getattr(found, column) == getattr(turned, column)


def test_a_sight_weighs_and_costs_the_same_on_any_weapon():  # 3786-3788: +250 g and 1000 svu, not multiplied by what makes the gun heavy
    heavy = gun(RULES, Arm("SL Pistol (TL5)", ("Laser Sight", "Heavy")))
    assert (heavy.kg, heavy.cost) == (pytest.approx(1.5 * 1.4 + 0.25), pytest.approx(750 * 2 + 1000))


def test_limits_hold_once_all_modifications_are_added_up():
    bare = gun(RULES, Arm("Cartridge Laser Rifle"))
    assert bare.recoil == 0
    assert gun(RULES, Arm("Cartridge Laser Rifle", ("Target", "Heavy"))).recoil == 0  # one mark less and one more
    rounds = gun(RULES, Arm("SL Pistol (TL4.5)", ("Light", "Cheap/Shoddy"))).ammo  # 7 x 1.25 x 0.8
    assert rounds == 7


# What an SL Rifle becomes by each printed modification: marks of recoil, pm, ammunition, damage class, range, draw, reload, jam, weight,
# skill, cost, technology level, bonus aim actions, and what is added to the rolls for them.
RIFLE = {
    "Auto Long Burst": (4, 0, 10, "9i2p", 17.5, 3, 3, "D", 4.0, "Longarms", 1100, 5, 0, 0),
    "Auto Short Burst": (3, 0, 10, "9i2p", 20.0, 3, 3, "C", 4.0, "Longarms", 1100, 5, 0, 0),
    "Cheap/Shoddy": (3, -1, 8, "8i2p", 18.75, 4, 4, "C", 4.0, "Longarms", 600, 5, 0, 0),
    "Cut Down (Handgun)": (3, -1, 8, "9i2p", 17.5, 2, 3, "C", 3.0, "Handguns", 900, 5, 0, 0),
    "Cut Down (Longarm)": (3, 0, 10, "8i2p", 15.0, 2, 3, "C", 3.0, "Longarms", 900, 5, 0, 0),
    "Heavy": (3, 0, 8, "10i2p", 27.5, 4, 3, "B", 5.6, "Longarms", 2000, 5, 0, 0),
    "Laser Sight": (2, 0, 10, "9i2p", 25.0, 3, 3, "B", 4.25, "Longarms", 2000, 5.5, 1, 0),
    "Light": (2, 0, 13, "8i2p", 20.0, 2, 3, "B", 3.0, "Longarms", 900, 5, 0, 0),
    "Old/Rusty": (2, -1, 10, "8i2p", 20.0, 4, 3, "D", 4.0, "Longarms", 700, 5, 0, 0),
    "Target": (1, 0, 8, "8i2p", 31.25, 5, 3, "C", 5.0, "Longarms", 2000, 5.25, 0, 2),
}


def figures(found):
    """Everything that a modification may change, as RIFLE has it."""
    parts = (found.recoil, found.pm, found.ammo, str(found.dc), round(found.range, 6), found.draw, found.reload, found.jam)
    return (*parts, round(found.kg, 6), found.skill, round(found.cost, 6), found.tl, found.bonus_aim, found.aim_rolls)


@pytest.mark.parametrize("modification", list(RIFLE))
def test_what_a_rifle_becomes_by_each_modification(modification):  # 3779-3792
    assert figures(gun(RULES, Arm("SL Rifle", (modification,)))) == RIFLE[modification]


CUSTOM = {  # better, and worse
    "ammo": (12, 9),  # 11.5 and 8.5, halves up
    "dc": ("10i2p", "8i2p"),
    "range": (28.75, 21.25),
    "draw": (2, 4),
    "reload": (2, 4),
    "jam": ("A", "C"),
    "kg": (3.4, 4.6),
}


@pytest.mark.parametrize("better", list(CUSTOM))
def test_a_custom_rifle_is_better_in_one_column_and_worse_in_another_and_nothing_else(better):  # 3794
    columns = ("recoil", "pm", "ammo", "dc", "range", "draw", "reload", "jam", "kg", "skill", "cost", "tl", "bonus_aim", "aim_rolls")
    plain = dict(zip(columns, figures(gun(RULES, Arm("SL Rifle"))), strict=True))
    for worse in CUSTOM:
        if worse != better:
            made = gun(RULES, Arm("SL Rifle", ("Custom",), improved=(better,), worsened=(worse,)))
            expected = {**plain, better: CUSTOM[better][0], worse: CUSTOM[worse][1], "cost": 5000, "tl": 5.1}
            assert dict(zip(columns, figures(made), strict=True)) == expected
            assert not made.prepare


@pytest.mark.parametrize("columns", [("ammo", "dc"), ("range", "jam"), ("kg", "ammo"), ("dc", "jam")])
def test_an_advanced_rifle_is_better_in_two_columns_and_nothing_else(columns):  # 3794
    better = {"ammo": 15, "dc": "10i2p", "range": 27.5, "jam": "A", "kg": 3.6}
    found = gun(RULES, Arm("SL Rifle", ("Advanced",), improved=columns))
    plain = {"ammo": 10, "dc": "9i2p", "range": 25, "jam": "B", "kg": 4}
    now = {"ammo": found.ammo, "dc": str(found.dc), "range": round(found.range, 6), "jam": found.jam, "kg": round(found.kg, 6)}
    assert now == {**plain, **{name: better[name] for name in columns}}
    assert (found.recoil, found.draw, found.reload, round(found.cost, 6), found.tl) == (2, 3, 3, 1200, 5.5)


def test_a_campaign_may_let_an_advanced_weapon_be_better_in_every_column():
    rules = BOOK.ruleset(house=House(tables={"fs-ranged-weapon-mods": {"Advanced": {"columns": 5}}}))
    found = gun(rules, Arm("SL Rifle", ("Advanced",), improved=("ammo", "dc", "range", "jam", "kg")))
    assert (found.ammo, str(found.dc), found.jam) == (15, "10i2p", "A")
    assert (found.range, found.kg) == (pytest.approx(27.5), pytest.approx(3.6))


def test_no_modification_goes_below_nothing():
    little = gun(RULES, Arm("SL Pistol (TL5)", ("Light",) * 4))  # draw 2 less 4
    assert (little.draw, little.recoil) == (0, 1)
    assert gun(RULES, Arm("SL Pistol (TL5)", ("Target",) * 2)).recoil == 0  # 1 mark less 2
    assert gun(RULES, Arm("SL Pistol (TL5)", ("Heavy",) * 12)).ammo == 1  # 12 x 0.75 twelve times is less than a half


def test_a_custom_weapon_trades_its_rate_of_fire():  # 3658, 3794: [1] is one shot in two fire actions
    quick = gun(RULES, Arm("Revolver (TL4.5)", ("Custom",), improved=("rof",), worsened=("range",)))
    assert (quick.prepare, quick.range) == (False, pytest.approx(3 * 0.85))
    slow = gun(RULES, Arm("SL Rifle", ("Custom",), improved=("dc",), worsened=("rof",)))
    assert (slow.prepare, str(slow.dc)) == (True, "10i2p")
    for weapon, better, worse in (("SL Rifle", "rof", "dc"), ("Revolver (TL4.5)", "dc", "rof")):
        with pytest.raises(UserError, match="rate of fire"):
            gun(RULES, Arm(weapon, ("Custom",), improved=(better,), worsened=(worse,)))


def test_a_gun_made_for_both_bursts_fires_either_in_whatever_order_it_was_made():  # 3782-3783
    made = [
        gun(RULES, Arm("SL Rifle", mods)) for mods in (("Auto Long Burst", "Auto Short Burst"), ("Auto Short Burst", "Auto Long Burst"))
    ]
    assert made[0] == made[1]
    assert (made[0].burst, made[0].burst_dc, made[0].short, made[0].short_dc) == (6, 3, 3, 2)
    plain = gun(RULES, Arm("SL Rifle", ("Auto Short Burst",)))
    assert (plain.burst, plain.burst_dc, plain.short) == (3, 2, 0)
