"""Shields and armour, and the seven options that change them (chapter 4.08)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.systems.ore.gear.armour import (
    BARE,
    Hit,
    Piece,
    Protection,
    Stops,
    armour_rating,
    athletic_difficulty,
    burden,
    encumbered,
    encumbrance,
    piece_of,
    protection,
    shield_rating,
    split_of,
    stopped,
    struck,
    through,
    worn,
    worn_down,
)
from rulewright.systems.ore.harm.body import Dealt
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()


def rules_with(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


MINIMUM = rules_with(minimum_damage=True)
LIGHT_HEAVY = rules_with(light_and_heavy_armour=True)
STRONGER = rules_with(stronger_armour=True)
CLASSES = rules_with(damage_classes=True, stronger_armour=True)
ABLATIVE = rules_with(ablative_armour=True)
PEN = rules_with(penetration=True)


def test_the_spear_glances_off_the_medium_shield():
    """4 Kill and 3 Shock to the left arm, behind a shield rated 2 that covers the torso besides: 2 Kill and 1 Shock."""
    guard = Protection(shield=shield_rating(PLAIN, "medium"), covers="torso")
    spear = Hit(4, 3, 3)
    assert stopped(PLAIN, spear, guard, "left arm") == Dealt(2, 1)
    assert stopped(PLAIN, spear, guard, "torso") == Dealt(2, 1)
    assert stopped(PLAIN, spear, guard, "head") == Dealt(4, 3)


def test_armour_is_rated_by_class_and_worn_by_part():
    assert [armour_rating(PLAIN, name) for name in ("light", "medium", "heavy")] == [1, 2, 3]
    assert [armour_rating(PLAIN, name) for name in ("leather", "chain mail", "plate mail")] == [1, 2, 3]
    mail = worn(PLAIN, {"torso": "medium", "arms": "light"})
    assert stopped(PLAIN, Hit(5, 1, 3), mail, "torso") == Dealt(3, 0)
    assert stopped(PLAIN, Hit(5, 1, 3), mail, "left arm") == Dealt(4, 0)
    assert stopped(PLAIN, Hit(5, 1, 3), mail, "head") == Dealt(5, 1)
    assert stopped(PLAIN, Hit(5, 1, 3), mail, "vital") == Dealt(3, 0)  # the torso's armour covers it too


def test_shield_and_armour_add_up_unless_the_better_counts():
    both = Protection((Piece("left arm", "medium", 2),), shield=1)
    assert stopped(PLAIN, Hit(5, 5), both, "left arm") == Dealt(2, 2)
    better = rules_with(shield_beside_armour="the better counts")
    assert stopped(better, Hit(5, 5), both, "left arm") == Dealt(3, 3)


def test_what_is_written_on_a_sheet_is_understood():
    assert piece_of(PLAIN, "torso", "AR 3 (C3-I1-P2)").split == (("C", 3), ("I", 1), ("P", 2))
    assert (piece_of(PLAIN, "torso", "HAR 2 + LAR 1").heavy, piece_of(PLAIN, "torso", "HAR 2 + LAR 1").light) == (2, 1)
    for written, heavy, light in (("LAR 3", 0, 3), ("HAR 2", 2, 0)):
        piece = piece_of(PLAIN, "torso", written)
        assert (piece.heavy, piece.light, piece.rating) == (heavy, light, heavy + light)
    assert piece_of(PLAIN, "torso", "kevlar, hardened").trait == "hardened"
    assert split_of("") == ()
    everything = worn(PLAIN, {"all": "light", "head": "heavy"}, "large", "right arm")
    assert everything.piece("head").rating == 3
    assert everything.piece("left leg").rating == 1
    assert (everything.shield, everything.shield_arm) == (3, "right arm")
    with pytest.raises(UserError, match="did you mean"):
        piece_of(PLAIN, "torso", "chane mail")
    with pytest.raises(UserError, match="not a trait"):
        piece_of(PLAIN, "torso", "light, shiny")
    with pytest.raises(UserError, match="not a part of the body"):
        worn(PLAIN, {"tail": "light"})


def test_minimum_damage_turns_stopped_kill_into_shock_up_to_width():
    """A dagger of Width 3 deals 3 Kill and 2 Shock; heavy armour stops all of it, and 3 Shock come through."""
    dagger, heavy = Hit(3, 2, 3), piece_of(PLAIN, "torso", "heavy")
    assert through(PLAIN, dagger, heavy) == Dealt(0, 0)
    assert through(MINIMUM, dagger, heavy) == Dealt(0, 3)
    assert through(MINIMUM, Hit(8, 0, 2), heavy) == Dealt(5, 2)
    assert through(MINIMUM, Hit(0, 2, 3), heavy) == Dealt(0, 0)  # what deals no Kill leaves no bruise


def test_light_armour_stops_shock_alone():
    padding, mail = piece_of(LIGHT_HEAVY, "torso", "sparring pads"), piece_of(LIGHT_HEAVY, "torso", "chain mail")
    assert protection(LIGHT_HEAVY, padding, Hit(5, 5)) == Stops(0, 2)
    assert protection(LIGHT_HEAVY, mail, Hit(5, 5)) == Stops(2, 3)
    assert protection(LIGHT_HEAVY, piece_of(LIGHT_HEAVY, "torso", "light"), Hit(5, 5)) == Stops(0, 1)
    doubled = rules_with(light_and_heavy_armour=True, stronger_armour=True)
    assert protection(doubled, piece_of(doubled, "torso", "chain mail"), Hit(9, 9)) == Stops(4, 6)
    assert protection(PLAIN, mail, Hit(5, 5)) == Stops(2, 2)


def test_stronger_armour_goes_from_one_to_six():
    named = ("leather", "studded leather", "chain mail", "scale mail", "half-plate", "plate mail")
    assert [armour_rating(STRONGER, name) for name in named] == [1, 2, 3, 4, 5, 6]
    assert [armour_rating(PLAIN, name) for name in named] == [1, 1, 2, 2, 3, 3]
    assert armour_rating(STRONGER, "medium") == 4


def test_chain_mail_stops_what_its_split_says():
    """AR 3 (C3-I1-P2), and nothing of what is not listed."""
    mail = piece_of(CLASSES, "torso", "chain mail")
    stops = {code: protection(CLASSES, mail, Hit(9, 9, damage_class=code)).kill for code in "BCEIPS"}
    assert stops == {"B": 0, "C": 3, "E": 0, "I": 1, "P": 2, "S": 0}
    assert protection(STRONGER, mail, Hit(9, 9, damage_class="E")) == Stops(3, 3)
    assert protection(CLASSES, piece_of(CLASSES, "torso", "AR 4"), Hit(9, 9, damage_class="E")) == Stops(4, 4)
    with pytest.raises(UserError, match="no damage class"):
        protection(CLASSES, mail, Hit(1, 1, damage_class="X"))
    with pytest.raises(UserError, match="either by its material"):
        rules_with(damage_classes=True, light_and_heavy_armour=True)


def test_a_blow_of_width_four_takes_a_point_off_ablative_armour():
    """The broadsword of the example, 4x5: 6 Kill and 4 Shock meet the old rating, and heavy armour is worth 2 from then on."""
    heavy = worn(ABLATIVE, {"right arm": "heavy"})
    sword = Hit(6, 4, 4)
    assert stopped(ABLATIVE, sword, heavy, "right arm") == Dealt(3, 1)
    after = struck(ABLATIVE, heavy, "right arm", 4)
    assert stopped(ABLATIVE, sword, after, "right arm") == Dealt(4, 2)
    assert struck(PLAIN, heavy, "right arm", 4) == heavy
    assert struck(ABLATIVE, heavy, "head", 9) == heavy
    for trait, needed in (("weak", 3), ("", 4), ("hardened", 5)):
        piece = piece_of(ABLATIVE, "torso", f"light, {trait}" if trait else "light")
        assert worn_down(ABLATIVE, piece, needed - 1) == piece
        assert worn_down(ABLATIVE, piece, needed).lost == 1
        assert worn_down(ABLATIVE, worn_down(ABLATIVE, piece, needed), needed).lost == 1  # nothing falls below nothing


def test_pen_lowers_armour_for_one_blow():
    """PEN 2 against heavy armour: 4 Kill and 2 Shock come through as 3 and 1, not as 1 and 0."""
    hit, heavy = Hit(4, 2, 2, pen=2), piece_of(PLAIN, "torso", "heavy")
    assert through(PLAIN, hit, heavy) == Dealt(1, 0)
    assert through(PEN, hit, heavy) == Dealt(3, 1)
    assert through(PEN, Hit(4, 2, 2, pen=9), heavy) == Dealt(4, 2)
    both = rules_with(penetration=True, light_and_heavy_armour=True)
    assert protection(both, piece_of(both, "torso", "HAR 2 + LAR 2"), hit) == Stops(0, 2)


def test_encumbrance_follows_the_table_and_not_the_sum_of_the_example():
    """Full plate rated 6 is 2 + 5 + 2 + 2; the book prints 3 for the legs and 10 in all."""
    rules = rules_with(encumbering_armour=True, stronger_armour=True)
    plate = worn(rules, {"all": "plate mail"})
    assert encumbrance(rules, plate).value == 11
    assert [reason.value for reason in encumbrance(rules, plate).reasons] == [2, 5, 2, 2]
    assert [burden(rules, place, 6) for place in ("head", "torso", "arms", "legs")] == [2, 5, 2, 2]
    light = rules_with(encumbering_armour=True)
    assert [burden(light, place, 3) for place in ("head", "torso", "arms", "legs")] == [2, 3, 2, 3]
    assert encumbrance(light, worn(light, {"all": "heavy"})).value == 10
    assert encumbrance(light, BARE).value == 0
    assert encumbrance(PLAIN, worn(PLAIN, {"all": "heavy"})).value == 0
    har = rules_with(encumbering_armour=True, light_and_heavy_armour=True)
    assert encumbrance(har, worn(har, {"torso": "chain mail"})).value == 2


def test_encumbrance_is_the_difficulty_of_athletics():
    assert athletic_difficulty(0) == 1
    assert athletic_difficulty(6) == 6
    assert athletic_difficulty(6, conditioning=2) == 4
    assert athletic_difficulty(11) == 10
    assert encumbered(4, 3)
    assert not encumbered(3, 3)


OPTIONS = st.fixed_dictionaries(
    {
        name: st.booleans()
        for name in ("minimum-damage", "stronger-armour", "damage-classes", "ablative-armour", "penetration", "encumbering-armour")
    }
)


@given(OPTIONS, st.integers(0, 9), st.integers(0, 9), st.integers(2, 6), st.integers(0, 3), st.sampled_from("BCEIPS"))
@settings(max_examples=60, deadline=None)
def test_armour_never_adds_to_kill_and_never_takes_more_than_there_is(chosen, kill, shock, width, pen, code):
    rules = BOOK.ruleset(settings=chosen)
    guard = worn(rules, {"all": "scale mail"}, "small")
    hit = Hit(kill, shock, width, pen, code)
    came = stopped(rules, hit, guard, "torso")
    assert 0 <= came.kill <= kill
    assert 0 <= came.shock <= shock + (width if chosen["minimum-damage"] else 0)
    assert came.kill + came.shock <= kill + shock
    assert came.kill <= stopped(rules, hit, BARE, "torso").kill
