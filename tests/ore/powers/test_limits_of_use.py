"""What a use of an effect takes under each Limit Rating (book, lines 6015-6022), and how far effects go."""

import pytest

from rulewright.systems.ore.people.powers import effect_limit, effect_limit_beyond
from rulewright.systems.ore.powers.usage import energy_points, use_costs
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("limit", range(6))
def test_what_a_use_takes_by_limit_and_level(limit, level):
    cost = use_costs(RULES, level, limit)
    assert cost.once == (limit == 0)
    assert cost.burns == (limit == 1)
    assert cost.asks == (limit == 2)
    assert cost.energy == (level if limit == 3 else 0)
    assert cost.pounds == (20 * level if limit == 4 else 0)


@pytest.mark.parametrize(("statistic", "bought", "spent", "left"), [(3, 0, 0, 3), (3, 2, 0, 5), (3, 2, 4, 1), (5, 0, 5, 0)])
def test_energy_is_the_statistic_and_what_was_bought_less_what_was_spent(statistic, bought, spent, left):
    assert energy_points(statistic, bought, spent).value == left


@pytest.mark.parametrize(("statistic", "skill"), [(1, 1), (2, 3), (5, 4)])
def test_effects_go_as_far_as_statistic_and_skill_together_where_five_is_no_bound(statistic, skill):
    assert effect_limit_beyond(RULES, statistic, skill) == statistic + skill
    assert effect_limit(RULES, statistic, skill) <= 5
