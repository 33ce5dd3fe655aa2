"""What makes attacks and defenses easier or harder, actions and their bonus (book lines 2945-3298)."""

import pytest

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.foresight.resolution.situations import (
    ACTIONS,
    ATTACK,
    AWARENESS,
    BONUS,
    DODGE,
    PARRY,
    RANGED,
    REFLEXES,
    SPECIAL,
    UNARMED_FIELDS,
    Situation,
    aiming,
    attack_modifiers,
    awareness,
    bonus_actions,
    dodge_modifiers,
    outweighed,
    parry_modifiers,
    range_modifier,
    ranged_modifiers,
    reflex,
    special_attack,
    unbalances,
)
from rulewright.systems.foresight.resolution.tests import Mod
from rulewright.systems.foresight.settings import BOOK


def worth(rows):
    return [(row.lowest, row.highest) for row in rows.values()]


def test_awareness():  # 2953-2960
    assert [row.modifier for row in AWARENESS(RULES).values()] == [4, 2, 1, -1, -2, -4, -4]
    assert awareness(RULES, "surprised", stunned=True).value == -8


def test_melee_attack_modifiers():  # 3124-3149
    singles = [1, -2, -3, -4, (-2, -1), -4, 1, 2, 2, (1, 3), (-3, -1), -1, -2, 2, 1, (-3, -1), -2, -1, -1, -4, 0, -2, -2]
    assert worth(ATTACK(RULES)) == [pair if isinstance(pair, tuple) else (pair, pair) for pair in singles]
    found = attack_modifiers(
        RULES, (Situation("behind the defender"), Situation("attack before with this weapon", 2), Situation("poor light", pick=-2))
    )
    assert [mod.value for mod in found] == [2, -4, -2]
    with pytest.raises(UserError, match="worth -2 to -1"):
        attack_modifiers(RULES, (Situation("poor light", pick=-3),))
    with pytest.raises(UserError, match="is not in"):
        attack_modifiers(RULES, (Situation("nonsense"),))


def test_parry_modifiers():  # 3153-3170
    singles = [1, -2, -3, -4, (-2, -1), -4, -1, 0, 0, -2, -1, -1, 1, 2, 3, -2]
    assert worth(PARRY(RULES)) == [pair if isinstance(pair, tuple) else (pair, pair) for pair in singles]
    assert parry_modifiers(RULES, (Situation("attacker prone"),))[0].value == 3
    for situation in ("attacker behind", "defender unaware"):
        with pytest.raises(UserError, match="no defense"):
            parry_modifiers(RULES, (Situation(situation),))
    assert [outweighed(RULES, attack, 3).value for attack in (2, 3, 4, 6, 7)] == [0, 0, -1, -2, -2]


def test_dodge_modifiers():  # 3174-3187
    singles = [-1, -3, -2, (-1, 0), -2, 2, (1, 2), 1, 1, 3, -2]
    assert worth(DODGE(RULES)) == [pair if isinstance(pair, tuple) else (pair, pair) for pair in singles]
    found = dodge_modifiers(RULES, (Situation("giving ground desperately"), Situation("dodge before", 2), Situation("poor light")))
    assert [mod.value for mod in found] == [3, -4, 0]


def test_ranged_modifiers():  # 3265-3298
    singles = [
        1,
        -2,
        -1,
        2,
        1,
        1,
        -1,
        (-5, -1),
        -6,
        (2, 6),
        1,
        -1,
        (-6, -2),
        -1,
        -3,
        -6,
        -1,
        -3,
        2,
        -2,
        -4,
        1,
        1,
        -2,
        -2,
        -2,
        -4,
        0,
        -3,
        -5,
        -3,
        (-6, -2),
    ]
    assert worth(RANGED(RULES)) == [pair if isinstance(pair, tuple) else (pair, pair) for pair in singles]


def test_the_snipers_shot():  # 3320: -3 range, +1 braced, +3 aims, -4 head, +1 unaware come to -2 (the weapon's own +1 is left out there)
    found = [range_modifier(RULES, 240, 68.75), aiming(RULES, 3)]
    found += ranged_modifiers(RULES, (Situation("braced or prone"), Situation("aimed at head"), Situation("target unaware")))
    assert [mod.value for mod in found] == [-3, 3, 1, -4, 1]
    assert sum(mod.value for mod in found) == -2


def test_aiming_has_its_limits():  # 3030, 3271
    assert [aiming(RULES, aims).value for aims in (0, 1, 5, 8)] == [0, 1, 5, 5]
    assert aiming(RULES, 0, just_hit=True).value == 2
    assert aiming(RULES, 5, just_hit=True).value == 6
    assert aiming(under(aim_actions=6), 8).value == 6
    assert aiming(under(aim_total=9), 5, just_hit=True).value == 7
    assert aiming(BOOK.ruleset(house=House(tables={"fs-ranged-modifiers": {"aim": {"highest": 2}}})), 2).value == 4


@pytest.mark.parametrize(("meters", "increment", "modifier"), [(2, 3, 1), (7, 3, -2), (6, 25, 0), (3, 3, 0), (12, 3, -4)])
def test_range_costs_one_for_every_full_increment(meters, increment, modifier):  # 3273, 3660, 3316
    assert range_modifier(RULES, meters, increment).value == modifier


def test_a_range_increment_is_more_than_nothing():
    with pytest.raises(UserError, match="increment"):
        range_modifier(RULES, 5, 0)


BONUSES = {  # 3077-3085, at QR10, 7, 4, 3, 2, 1
    (1, 3): (-1, 0, 0, 0, 1, 1),
    (4, 6): (-1, 0, 0, 1, 1, 1),
    (7, 9): (-1, 0, 1, 2, 2, 2),
    (10, 12): (-1, 1, 2, 3, 3, 3),
    (13, 15): (-1, 1, 3, 4, 4, 4),
    (16, 19): (-1, 2, 4, 5, 5, 5),
    (20, 22): (-1, 2, 5, 6, 6, 6),
    (23, 25): (-1, 3, 6, 7, 7, 7),
    (26, 28): (-1, 3, 7, 8, 8, 8),
    (29, 31): (-1, 4, 8, 9, 9, 9),
}


@pytest.mark.parametrize("attributes", BONUSES)
def test_bonus_actions(attributes):
    for attribute in attributes:
        assert tuple(bonus_actions(RULES, attribute, qr) for qr in (10, 7, 4, 3, 2, 1)) == BONUSES[attributes]


def test_bonus_actions_of_the_stories():
    assert bonus_actions(RULES, 12, 2) == 3  # 3088
    assert bonus_actions(RULES, 12, 4) == 2  # 3304
    assert bonus_actions(RULES, 9, 4) == 1  # 3314
    assert bonus_actions(RULES, 12, 7) == 1  # 3320
    assert len(BONUS(RULES)) == 7


def test_actions():  # 3020-3053
    assert len(ACTIONS(RULES)) == 28
    printed = {"attack", "feint", "dash", "evade", "move", "rise", "turn"}
    assert printed <= {name for name, row in ACTIONS(RULES).items() if row.unbalances}
    assert all(row.source == "ruling" for name, row in ACTIONS(RULES).items() if row.unbalances and name not in printed)
    assert (ACTIONS(RULES)["move"].standing, ACTIONS(RULES)["move"].prone, ACTIONS(RULES)["dive"].standing) == (5, 2, 5)
    assert not unbalances(RULES, "squat")
    assert unbalances(under(stance_and_balance="every change"), "squat")
    assert not unbalances(RULES, "aim")


def test_reflexes():  # 3096-3112
    assert {name for name, row in REFLEXES(RULES).items() if row.sudden} == {"pivot", "step", "squat", "trigger"}
    assert {name for name, row in REFLEXES(RULES).items() if not row.unbalances} == {"trigger"}
    assert [reflex(RULES, "parry", before).value for before in (0, 1, 2)] == [0, -2, -4]


def test_special_attacks():  # 3239-3253
    assert [row.pm for row in SPECIAL(RULES).values()] == [-1, 0, 0, 0, -3, 0, -1, -2, -1, -2, -1, -1]
    assert special_attack(RULES, "strangle", trained=False)[0].value == -3
    assert special_attack(RULES, "kick") == (Mod("kick", -1, "fs-special-melee-attacks"), 1)
    assert special_attack(RULES, "lethal strike")[1] == 1
    assert special_attack(under(lethal_strike_damage=2), "lethal strike")[1] == 2
    with pytest.raises(UserError, match="Unarmed Combat Lethal"):
        special_attack(RULES, "lethal strike", trained=False)
    assert UNARMED_FIELDS(RULES)["Unarmed Combat Capture"].modifier == 2  # 3223
