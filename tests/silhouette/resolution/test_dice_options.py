"""How dice are read: reality levels, multiples, bigger dice, and every printed chance (book lines 563-616, 5950-5956, 7796-7930)."""

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.highest import Total
from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.silhouette.resolution.dice_options import (
    PRINTED_BIGGER,
    PRINTED_CINEMATIC,
    PRINTED_D6,
    PRINTED_HIGHEST,
    any_chance,
    bigger_chance,
    chance,
    chances,
    cinematic_chance,
    converted,
    dice_of,
    highest_chance,
    reality,
    tamed_margin,
    tamed_multiplier,
    threshold_with,
    unskilled,
)
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


# Misprints of the appendix: (row, skill) and what is printed there.
MISPRINTS = {
    "d6": {("1", 0): 3.6, ("1", 3): 50.0, ("1", 4): 10.0},  # lines 7806
    "cinematic": {(str(row), 1): 16.7 for row in (7, 8, 9, 10)},  # lines 7828-7831
    "highest": {(str(row), 1): 16.7 for row in (7, 8, 9, 10)},  # lines 7848-7851
    "bigger": {
        **{(f"d8: {row}", 1): 12.5 for row in (9, 10, 11, 12)},  # lines 7876-7879
        ("d8: 2", 5): 10.0,
        ("d8: 3", 5): 60.0,
        **{(f"d10: {row}", 1): 10.0 for row in (11, 12, 13, 14)},  # lines 7896-7899
    },
}
PAGES = {
    "d6": (PRINTED_D6, lambda skill, result, die: chance(skill, result)),
    "cinematic": (PRINTED_CINEMATIC, lambda skill, result, die: cinematic_chance(skill, result)),
    "highest": (PRINTED_HIGHEST, lambda skill, result, die: highest_chance(skill, result)),
    "bigger": (PRINTED_BIGGER, lambda skill, result, die: bigger_chance(skill, result, die)),
}
ADDS = {"d6": "tops", "cinematic": "paired tops", "highest": "highest", "bigger": "tops"}


@pytest.mark.parametrize("page", PAGES)
def test_every_printed_chance_is_what_the_dice_give(page):
    table, computed = PAGES[page]
    wrong = {}
    for row in table(PLAIN).values():
        die, _, result = row.result.rpartition(": ")
        for skill, printed in enumerate(row.printed):
            if result == "average":
                exact = chances(skill, int(die[1:] or 6) if die else 6, ADDS[page])
                mean = sum(each.result * each.rolls for each in exact.values()) / next(iter(exact.values())).of
                assert printed == pytest.approx(mean, abs=0.0051), (row.result, skill)
            elif computed(skill, int(result), int(die[1:]) if die else 6).value != printed:
                wrong[row.result, skill] = printed
    assert wrong == MISPRINTS[page]


def test_what_the_misprinted_cells_should_say():
    assert [chance(skill, 1).value for skill in (0, 3, 4)] == [30.6, 0.5, 0.1]
    assert [bigger_chance(5, result).value for result in (2, 3)] == [0.1, 0.6]
    assert cinematic_chance(1, 7).value == highest_chance(1, 7).value == bigger_chance(1, 9).value == bigger_chance(1, 11, 10).value == 0


def test_the_text_reads_cinematic_dice_otherwise_than_the_table():
    assert (cinematic_chance(3, 7, "text").value, cinematic_chance(3, 8, "text").value) == (17.1, 3.2)
    assert (cinematic_chance(3, 7).value, cinematic_chance(3, 8).value) == (8.8, 0.5)


def test_chances_know_their_rolls():
    why = chance(2, 7)
    assert [(each.label, each.value) for each in why.reasons] == [
        ("rolls", 1),
        ("of all rolls", 36),
        ("percent", 100),
        ("to multiples", 0.1),
    ]
    assert any_chance(4, 7).value > chance(4, 7).value
    assert chance(12, 6).value == round(100 * 12 * 5**11 / 6**12, 1) == 26.9  # one six of twelve
    with pytest.raises(UserError, match="0 to 40"):
        chance(41, 6)


# --- the readings --------------------------------------------------------------------------------------------------------------


def test_the_examples_of_the_first_chapter():  # lines 587-597, 885-891
    def read(faces, modifier=0):
        return dice_of(PLAIN, len(faces), modifier).read(faces)

    assert read((3, 5)) == Total(5)
    assert read((1, 6, 4, 6, 6)) == Total(8)
    assert read((1, 1, 1)) == Total(1, fumble=True)
    assert read((1, 5), 2) == Total(7)
    assert read((1,), -2) == Total(0, fumble=True)
    assert read((1, 1), 2) == Total(3, fumble=True)


def test_gritty_dice_stop_at_six_unless_emergency_dice_go_on():  # line 5952
    gritty = with_settings(reality="gritty")
    assert dice_of(gritty, 3).read((6, 6, 6)) == Total(6)
    assert dice_of(gritty, 2, 1, 2).read((6, 6, 6, 1)) == Total(8)
    everything = with_settings(reality="gritty", gritty_emergency_dice="all sixes")
    assert dice_of(everything, 2, 0, 1).read((6, 6, 1)) == Total(7)
    assert dice_of(everything, 2).read((6, 6)) == Total(6)


def test_cinematic_dice_count_fives_for_heroes_only():  # line 5954
    cinematic = with_settings(reality="cinematic")
    assert dice_of(cinematic, 3).read((5, 5, 6)) == Total(8)
    assert dice_of(cinematic, 3).read((4, 5, 5)) == Total(6)
    assert dice_of(cinematic, 3, hero=False).read((5, 5, 6)) == Total(6)
    table = with_settings(reality="cinematic", cinematic_dice="table")
    assert dice_of(table, 3).read((5, 5, 6)) == Total(7)
    assert dice_of(table, 3).read((4, 5, 5)) == Total(6)


def test_multiples_of_any_value():  # line 7856
    rules = with_settings(multiples="any")
    assert dice_of(rules, 4).read((5, 5, 5, 2)) == Total(7)
    assert dice_of(rules, 4).read((2, 2, 2, 6)) == Total(6)
    assert dice_of(rules, 4).read((5, 5, 5, 5)) == Total(8)


def test_multiples_of_the_highest_value():
    rules = with_settings(multiples="highest", dice="d8")
    assert dice_of(rules, 3).read((4, 4, 2)) == Total(5)
    assert dice_of(rules, 3).read((2, 2, 6)) == Total(6)
    assert dice_of(rules, 2).read((8, 8)) == Total(9)


def test_a_reading_is_chosen_once():
    with pytest.raises(UserError, match="choose one"):
        with_settings(reality="cinematic", multiples="any")
    with pytest.raises(UserError, match="gritty"):
        with_settings(reality="gritty", multiples="highest")


VARIANTS = [
    {},
    {"reality": "gritty"},
    {"reality": "cinematic"},
    {"reality": "cinematic", "cinematic_dice": "table"},
    {"multiples": "highest"},
    {"multiples": "any"},
    {"dice": "d8"},
    {"dice": "d10"},
    {"dice": "d8", "multiples": "any"},
    {"dice": "d10", "reality": "gritty"},
]


@pytest.mark.parametrize("chosen", VARIANTS, ids=str)
def test_every_variant_weighs_what_counting_gives(chosen):
    rules = with_settings(**chosen)
    for reading in (dice_of(rules, 1), dice_of(rules, 3, -1), dice_of(rules, 2, 1, 2), unskilled(rules, 1), unskilled(rules, -1, 1)):
        assert dict(reading.weights()) == count_every_roll(reading)


@pytest.mark.parametrize("chosen", VARIANTS, ids=str)
@pytest.mark.parametrize("dice", [5, 7])
def test_five_dice_and_more_agree_with_icepool(chosen, dice):
    reading = dice_of(with_settings(**chosen), dice, 1)
    counted = {}
    for faces, rolls in icepool.d(reading.sides()[0]).pool(dice).expand().items():
        total = reading.read(tuple(faces))
        counted[total] = counted.get(total, 0) + rolls
    assert dict(reading.weights()) == counted


@given(dice=st.integers(5, 9), chosen=st.sampled_from(VARIANTS))
@settings(max_examples=25, deadline=None)
def test_the_weights_of_many_dice_hold_every_roll(dice, chosen):
    rules = with_settings(**chosen)
    reading = dice_of(rules, dice, 0, 1)
    assert sum(reading.weights().values()) == reading.sides()[0] ** (dice + 1)


def test_no_dice_are_refused_here():
    with pytest.raises(UserError, match="at least one die"):
        dice_of(PLAIN, 0)


# --- bigger dice ---------------------------------------------------------------------------------------------------------------


def test_thresholds_for_bigger_dice():  # lines 7911-7921
    assert [threshold_with(PLAIN, t, 8) for t in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)] == [1, 2, 4, 5, 7, 8, 9, 10, 13, 15]
    assert [threshold_with(PLAIN, t, 10) for t in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)] == [1, 3, 5, 7, 8, 9, 10, 11, 14, 16]


def test_thresholds_between_the_rows_lie_between():
    assert [threshold_with(PLAIN, t, 8) for t in (0, 9, 11, 14)] == [0, 12, 14, 17]
    assert threshold_with(PLAIN, 9, 6) == 9
    fewer = BOOK.ruleset(house=House(tables={"sil-a-threshold-conversion": {"10": None}}))
    assert [threshold_with(fewer, t, 8) for t in (8, 9, 10, 11, 12)] == [10, 11, 13, 14, 15]  # a quarter of five each, halves up


@given(low=st.integers(-2, 20), die=st.sampled_from([8, 10]))
@settings(max_examples=40)
def test_a_higher_threshold_stays_higher(low, die):
    assert threshold_with(PLAIN, low, die) <= threshold_with(PLAIN, low + 1, die)


def test_a_campaign_converts_or_not():
    assert converted(with_settings(dice="d8"), 5) == 7
    assert converted(with_settings(dice="d8", convert_thresholds=False), 5) == 5
    assert converted(PLAIN, 5) == 5


def test_damage_is_tamed_only_where_the_campaign_says_so():  # lines 7926-7930
    d8 = with_settings(dice="d8", margin_limit=True, weaker_weapons=True)
    d10 = with_settings(dice="d10", weaker_weapons=True)
    assert (tamed_margin(d8, 11), tamed_margin(d8, 5), tamed_margin(d10, 11), tamed_margin(PLAIN, 11)) == (8, 5, 11, 11)
    assert (tamed_multiplier(d8, 24), tamed_multiplier(d10, 25), tamed_multiplier(PLAIN, 24)) == (18, 15, 24)
    assert tamed_multiplier(d8, 15) == 12  # 11.25
    small = with_settings(margin_limit=True, weaker_weapons=True)
    assert (tamed_margin(small, 11), tamed_multiplier(small, 24)) == (11, 24)


def test_a_reality_level_and_what_follows():
    assert reality(PLAIN).experience == 5
    cinematic = reality(BOOK.ruleset("cinematic"))
    assert (cinematic.experience, cinematic.flaws, cinematic.fields) == (10, 20, False)
    assert reality(BOOK.ruleset("gritty")).flaws == 12
