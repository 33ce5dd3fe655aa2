"""Stamina, rest and fatigue (book lines 2523-2558)."""

import pytest
from msgspec.structs import replace

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.rules.reasons import holds
from rulewright.systems.foresight.harm.body import SOMEBODY, Patient
from rulewright.systems.foresight.harm.stamina import EXERTIONS, exertion_cost, pool, rest, sleep, sleepless_day, spend

BODY = Patient("somebody", endurance=10, stamina_max=14, stamina=14)


def test_the_pool():  # 2529, 2544-2546
    assert {name: value.value for name, value in pool(RULES, 24, 10).items()} == {"maximum": 24, "reserve": 10, "threshold": 3}
    assert pool(RULES, 9, 8)["threshold"].value == 3  # 8/3 = 2.67


@pytest.mark.parametrize(
    ("exertion", "seconds", "actions", "load", "points"),
    [("extreme", 0, 3, "free", 3), ("heavy", 60, 0, "free", 12), ("medium", 600, 0, "laden", 20), ("light", 3600, 0, "burdened", 48)],
)
def test_exertion_costs_stamina(exertion, seconds, actions, load, points):  # 2535-2542
    assert exertion_cost(RULES, exertion, seconds, actions, load).value == points
    assert [row.seconds for row in EXERTIONS(RULES).values()] == [0, 5, 60, 300]


def test_only_extreme_exertion_is_counted_in_actions():
    with pytest.raises(UserError, match="seconds"):
        exertion_cost(RULES, "heavy", 0, 2)


def test_at_zero_one_is_exhausted():  # 2548
    tired = script(spend(RULES, BODY, 14)).outcome
    assert (tired.stamina, tired.exhausted, tired.was_exhausted) == (0, True, True)
    assert script(spend(RULES, BODY, 24)).outcome.stamina == -10


def test_below_minus_endurance_it_resets_and_may_wound():  # 2558
    assert script(spend(RULES, BODY, 25), [(50,)]).outcome.stamina == 0
    assert script(spend(RULES, BODY, 25), [(50,)]).outcome.wounds == 0  # EN 10 at 7 - 2 = 5: 50
    assert script(spend(RULES, BODY, 25), [(51,)]).outcome.wounds == 1


def test_days_without_rest_wound():  # 2556
    assert script(sleepless_day(RULES, BODY), [(70,)]).outcome.wounds == 0
    worn = script(sleepless_day(RULES, BODY, 2), [(71,), (61,)]).outcome
    assert (worn.wounds, worn.worst) == (2, 2)


def test_rest():  # 2544-2546
    low = replace(BODY, stamina=-2, was_exhausted=True)
    assert rest(RULES, low, 1).stamina == -2
    assert rest(RULES, low, 5).stamina == 3
    assert rest(RULES, low, 30).stamina == 10
    assert rest(RULES, replace(BODY, stamina=9), 30).stamina == 12  # by the threshold
    assert rest(RULES, replace(BODY, stamina=13), 30).stamina == 14
    assert rest(under(reserve_rest_minutes=60), low, 30).stamina == 3
    assert rest(under(short_rest_minutes=10), low, 5).stamina == -2
    assert rest(RULES, low, 5).was_exhausted


def test_a_good_night_restores_everything():  # 2529
    assert sleep(RULES, replace(BODY, stamina=-2, was_exhausted=True)) == BODY


def test_fatigue_that_exhausts_or_wounds_is_told_with_its_sum():  # 2545-2558
    tired = script(spend(RULES, replace(SOMEBODY, stamina=1), 1))
    assert [event.headline() for event in tired.events] == ["somebody is exhausted"]
    assert [reason.value for event in tired.events for reason in event.reasons()] == [0]
    worn = script(spend(RULES, replace(SOMEBODY, stamina=-9), 1), [(99,)])
    assert [event.headline() for event in worn.events] == ["somebody takes a wound level: light wound (extreme fatigue)"]
    assert all(holds(reason) for event in worn.events for reason in event.reasons())
    bears = script(spend(RULES, replace(SOMEBODY, stamina=-9), 1), [(1,)])
    assert [event.headline() for event in bears.events] == ["somebody endures it (extreme fatigue)"]
