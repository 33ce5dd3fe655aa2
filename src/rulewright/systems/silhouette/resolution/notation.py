"""Parses the notation of tests."""

from rulewright.dice.highest import Total
from rulewright.highest_die.notation import Written
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.resolution.tests import Opposed, Pool, Side, Test, action_test, opposed_test, rolled


def written_test(rules: Ruleset, written: Written[Pool]) -> Play[Total | Test | Opposed]:
    """Returns the test for a notation."""
    if written.against is None:
        total: Total = yield from rolled(rules, written.pool, "", "roll")
        return total
    if isinstance(written.against, int):
        return (yield from action_test(rules, written.pool, written.against))
    return (yield from opposed_test(rules, Side(written.pool), Side(written.against)))
