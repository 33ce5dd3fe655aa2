"""Where one effect of a drug ends and the next begins, margin by margin (book, lines 654-672)."""

import pytest

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.drugs import (
    Addiction,
    analgesic,
    hallucinogen,
    in_withdrawal,
    medical_help,
    sedative,
    stimulant,
    toxin_damage,
    withdraw,
)
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
TOUGH = Patient("Ana", 0, flesh_threshold=100, deep_threshold=200, death_threshold=300, system_shock=5)
"""Whom no toxin of these tests wounds, so that no further roll is asked for."""


def after(drug, margin, **given):
    return script(drug(RULES, potency=10, margin=margin, victim=TOUGH, **given)).outcome


@pytest.mark.parametrize("margin", range(1, 15))
def test_a_sedative_by_its_margin(margin):  # 656-660: a penalty to 4, unconscious to 9, a toxin from 10 on
    found = after(sedative, margin)
    assert [influence.points for influence in found.influences] == ([margin] if margin <= 4 else [4] if margin <= 9 else [])
    assert found.unconscious == (10 * margin if 5 <= margin <= 9 else 0)


@pytest.mark.parametrize("margin", range(1, 20))
def test_a_hallucinogen_by_its_margin(margin):  # 662-664: a penalty to 4, overwhelmed to 14, damage from 15 on
    found = after(hallucinogen, margin)
    assert [influence.points for influence in found.influences] == ([margin] if margin <= 4 else [4] if margin <= 14 else [])
    assert found.incapacitated == (10 * margin if 5 <= margin <= 14 else 0)


@pytest.mark.parametrize("margin", range(1, 15))
def test_a_stimulant_by_its_margin(margin):  # 666-670: a bonus to 4, ten less the margin that rises to 5 up to 9, a toxin from 10 on
    found = after(stimulant, margin)
    expected = [(margin, False, False)] if margin <= 4 else [(10 - margin, margin > 5, True)] if margin <= 9 else []
    assert [(each.points, each.rising, each.sleepless) for each in found.influences] == expected


@pytest.mark.parametrize("margin", range(1, 11))
def test_an_analgesic_knocks_out_above_twice_system_shock(margin):  # 672
    found = script(analgesic(RULES, margin=margin, victim=TOUGH)).outcome
    assert ([influence.points for influence in found.influences], found.unconscious) == ([margin], 0)


def test_the_eleventh_point_knocks_out_for_a_die_of_hours():  # 672
    assert script(analgesic(RULES, margin=11, victim=TOUGH), faces=[(3,)]).outcome.unconscious == 3 * 60


@pytest.mark.parametrize(("potency", "margin", "damage"), [(10, 1, 2), (10, 0, 0), (11, 1, 3), (12, 4, 10), (15, 5, 15), (-5, 3, 0)])
def test_a_toxin_does_potency_times_margin_by_five(potency, margin, damage):  # 654
    assert toxin_damage(potency, margin).value == damage


@pytest.mark.parametrize(("kind", "most"), [("clinic", 4), ("counselling", 2)])
def test_medical_help_has_its_limits(kind, most):  # 708
    assert [medical_help(kind, bonus).value for bonus in range(1, most + 1)] == list(range(1, most + 1))
    for bonus in (0, most + 1):
        with pytest.raises(UserError):
            medical_help(kind, bonus)


def test_no_days_of_withdrawal_change_nothing_and_fewer_are_refused():
    drink = Addiction("alcohol", 3)
    assert script(withdraw(RULES, drink, TOUGH, days=0)).outcome == drink
    with pytest.raises(UserError):
        script(withdraw(RULES, drink, TOUGH, days=-1))


def test_a_day_of_helplessness_is_a_day():  # 704
    lost = in_withdrawal(TOUGH, Addiction("alcohol", 3, penalty=2, helpless_days=2, crisis_days=1))
    assert lost.incapacitated == 3 * 24 * 60
    assert [influence.points for influence in lost.influences] == [2]
