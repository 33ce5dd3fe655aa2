"""Attributes and what follows from them (book lines 280-292, 450-557, 2073-2114)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from foresight.amy import INHERENT
from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.systems.foresight.people.attributes import (
    ATTRIBUTE_LIST,
    ATTRIBUTES,
    CAPACITY,
    ENVIRONMENTS,
    GRAVITIES,
    Load,
    adjacent_bands,
    attribute_name,
    attribute_task,
    base_ease,
    capacity,
    familiarity,
    gravity_band,
    load,
    spin_gravity,
    unarmed_damage,
)
from rulewright.systems.foresight.people.skills import highest_trained
from rulewright.systems.foresight.resolution.tests import Mod, Task, chance_of


def test_there_are_nine_attributes():  # 454-464
    assert list(ATTRIBUTE_LIST(RULES)) == list(ATTRIBUTES)
    assert attribute_name(RULES, "PC") == "Perception"
    assert highest_trained(RULES, 12).value == 16  # 557
    assert sum(INHERENT.each().values()) == 81  # 477, 553
    with pytest.raises(UserError, match="no attribute"):
        INHERENT.of("XX")


@pytest.mark.parametrize(  # 491-501
    ("strengths", "ucdc"),
    [
        ((1, 2), 0.125),
        ((3, 4), 0.25),
        ((5, 6), 0.5),
        ((7, 8), 1),
        ((9, 12), 2),
        ((13, 14), 3),
        ((15, 16), 4),
        ((17, 18), 5),
        ((19, 20), 6),
        ((21, 22), 7),
        ((30, 30), 11),
    ],
)
def test_bare_hands_hit_as_hard_as_strength_says(strengths, ucdc):
    for strength in range(strengths[0], strengths[1] + 1):
        assert unarmed_damage(RULES, strength).value == ucdc


def test_a_campaign_may_round_the_damage_of_weak_hands():
    assert unarmed_damage(under(fractional_damage_class=False), 6).value == 1
    assert unarmed_damage(under(fractional_damage_class=False), 4).value == 0


CARRYING = {  # 519-532
    1: (1, 2, 4, 8, 16),
    2: (2, 4, 8, 16, 32),
    3: (3, 6, 12, 24, 48),
    4: (4, 8, 16, 32, 64),
    7: (6, 12, 24, 48, 96),
    9: (8, 16, 32, 64, 128),
    11: (12, 24, 48, 96, 192),
    12: (16, 32, 64, 128, 256),
    15: (24, 48, 96, 192, 384),
    17: (32, 64, 128, 256, 512),
    19: (48, 96, 192, 384, 768),
    21: (64, 128, 256, 512, 1024),
    22: (96, 192, 384, 768, 1536),  # 534
    24: (128, 256, 512, 1024, 2048),
    26: (192, 384, 768, 1536, 3072),
}


@pytest.mark.parametrize("strength", CARRYING)
def test_what_one_can_carry(strength):
    row = capacity(RULES, strength)
    assert (row.carry, row.laden, row.burden, row.lift, row.drag) == CARRYING[strength]


@given(strength=integers(1, 60))
def test_four_points_of_strength_double_what_one_carries_and_every_column_doubles(strength):
    row = capacity(RULES, strength)
    assert (row.laden, row.burden, row.lift, row.drag) == (row.carry * 2, row.carry * 4, row.carry * 8, row.carry * 16)
    if strength >= 14:
        assert capacity(RULES, strength + 4).carry == 2 * row.carry
    assert len(CAPACITY(RULES)) == 12


@pytest.mark.parametrize(
    ("carried", "worn", "found"),
    [
        (8, 0, Load("free", 0, 1)),
        (8.5, 0, Load("laden", -1, 2)),  # 511
        (0, 16, Load("free", 0, 1)),  # 505: worn weight counts half
        (17, 0, Load("burdened", -2, 4)),  # 513
        (40, 0, Load("lifting", -2, 4)),  # 517
        (100, 0, Load("dragging", -2, 4)),
        (200, 0, Load("too much", -2, 4)),
    ],
)
def test_a_load_hinders(carried, worn, found):
    assert load(RULES, 9, carried, worn) == found


def test_a_suit_of_heavy_plate_burdens_the_average_and_not_the_strong():  # 3924: half of 40 kg is 20, not 22.5
    assert load(RULES, 9, 0, 40).band == "burdened"
    assert load(RULES, 15, 0, 40).band == "free"
    assert load(RULES, 9, 0, 40).mod() == Mod("burdened", -2, "fs-carrying-capacity")


def test_an_attribute_is_tested_at_a_base_that_is_ruled():
    assert attribute_task(RULES, "PC", 12) == Task(12, 7)  # 3304: 7 x 12 = 84
    assert chance_of(RULES, attribute_task(RULES, "DX", 9)) == 63  # 3314
    assert chance_of(under(attribute_ease_factor=5), attribute_task(RULES, "DX", 9)) == 63
    assert attribute_task(under(attribute_ease_factor=5), "DX", 9, (Mod("hurry", -1),)) == Task(9, 5, (Mod("hurry", -1),))


@pytest.mark.parametrize(
    ("formula", "environment", "gravity", "ease"),
    [
        ("5", 0, 0, 5),
        ("E+3", 2, 0, 5),
        ("G+2", 0, 0, 2),
        ("G+2", 0, 3, 5),
        ("G", 0, 3, 3),
        ("3+E", 1, 0, 4),
        ("2+E", 3, 0, 5),
        ("G", 3, 0, 0),
    ],
)
def test_familiarity_stands_in_a_base_ease_factor(formula, environment, gravity, ease):  # 290-292, 2075
    assert base_ease(RULES, formula, environment, gravity) == ease


def test_amy_weightless_is_clumsy_and_not_helpless():  # 292: BEF 2, -2 leaves 0.5
    from rulewright.systems.foresight.resolution.tests import ease_factor

    assert ease_factor(RULES, base_ease(RULES, "G+2", 0, 0), -2) == 0.5
    for formula in ("", "X+2", "2+3"):
        with pytest.raises(UserError, match="base ease factor"):
            base_ease(RULES, formula)
    with pytest.raises(UserError, match="familiarity"):
        base_ease(RULES, "G", 0, 4)


@pytest.mark.parametrize(
    ("g", "band"),
    [
        (0, "ZG"),
        (0.005, "ZG"),
        (0.01, "NW"),
        (0.05, "NW"),
        (0.1, "LT"),
        (0.2, "LT"),
        (0.5, "NL"),
        (1, "NL"),
        (1.1, "HY"),
        (2.0, "HY"),
        (2.1, "EX"),
    ],
)
def test_gravity_comes_in_bands(g, band):  # 2103-2110
    assert gravity_band(RULES, g) == band


def test_the_edges_of_gravity_bands_may_be_ruled_otherwise():
    ours = under(gravity_edges="lower band")
    assert [gravity_band(ours, g) for g in (0.01, 0.1, 0.5, 1.1, 2.0)] == ["NW", "NW", "LT", "NL", "HY"]
    assert len(GRAVITIES(RULES)) == 6


def test_spin_is_the_band_of_its_strength_and_strange():  # 2112-2114
    assert spin_gravity(RULES, 0.2) == ("LT", Mod("spin gravity", -1, "fs-gravity-familiarity"))
    assert spin_gravity(RULES, 0.2, delicate=True)[1].value == -2


def test_bands_have_neighbours():
    assert adjacent_bands(RULES, "NL") == ("LT", "HY")
    assert adjacent_bands(RULES, "ZG") == ("NW",)
    with pytest.raises(UserError, match="gravity band"):
        adjacent_bands(RULES, "XX")


def test_twelve_environments_are_listed_and_unknown_ones_are_strange():  # 2077-2093
    assert len(ENVIRONMENTS(RULES)) == 12
    assert familiarity(RULES, {"Forest": 3}, "Forest") == 3
    assert familiarity(RULES, {"Forest": 3}, "Alien city") == 0
