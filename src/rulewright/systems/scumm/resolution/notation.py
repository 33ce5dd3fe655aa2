"""The notation of tests."""

from rulewright.dice.highest import Total
from rulewright.highest_die.notation import Written
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset
from rulewright.systems.scumm.resolution.tests import Opposed, Pool, Test, action_test, opposed_test, reading


def written_test(rules: Ruleset, written: Written[Pool]) -> Play[Total | Test | Opposed]:
    """The test that was written."""
    if written.against is None:
        total: Total = yield from Roll(reading(rules, written.pool), "", "roll")
        return total
    if isinstance(written.against, int):
        return (yield from action_test(rules, written.pool, written.against))
    return (yield from opposed_test(rules, written.pool, written.against))
